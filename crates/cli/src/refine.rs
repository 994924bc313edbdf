//! `lineal refine`: every assertion of a CSP# model.

use clap::Args;
use lineal_check::refine::{Answer, Settings, check};
use lineal_lang::csp::{Loaded, load};
use lineal_model::process::Fault;
use lineal_model::{Diagnostic, Effort, Finding, Limit, Observer, Report, Stats, Verdict};
use std::path::{Path, PathBuf};
use std::time::Instant;

#[derive(Debug, Args)]
pub struct RefineArgs {
    /// The CSP# model
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Check only the assertion of this number, counted from 1
    #[arg(long = "assert", value_name = "N")]
    pub assertion: Option<usize>,
    /// Keep specification sets that are supersets of others
    #[arg(long, help_heading = "Reductions")]
    pub no_antichain: bool,
    /// Do not treat states as equal that differ in the names of processes
    #[arg(long, help_heading = "Reductions")]
    pub no_symmetry: bool,
    /// Keep the values of variables that are never read again
    #[arg(long, help_heading = "Reductions")]
    pub no_dead_reset: bool,
    /// Interleave also steps that touch nothing shared
    #[arg(long, help_heading = "Reductions")]
    pub no_fusion: bool,
}

impl RefineArgs {
    pub fn settings(&self) -> Settings {
        Settings {
            antichain: !self.no_antichain,
            symmetry: !self.no_symmetry,
            reset: !self.no_dead_reset,
            fuse: !self.no_fusion,
            ..Settings::default()
        }
    }
}

/// Reads the model and decides its assertions.
pub fn run(args: &RefineArgs, effort: &Effort, watch: &dyn Observer) -> Report {
    let mut report = Report { command: "refine".into(), ..Report::default() };
    let loaded = match read(&args.file) {
        Ok((_, loaded)) => loaded,
        Err(problems) => {
            report.diagnostics = problems;
            return report;
        }
    };
    if loaded.assertions.is_empty() {
        report.diagnostics.push(
            Diagnostic::error("L0231", format!("{} asserts nothing", args.file.display()))
                .help("add a line such as `#assert System() deadlockfree;`"),
        );
        return report;
    }
    if let Some(n) = args.assertion
        && (n == 0 || n > loaded.assertions.len())
    {
        report.diagnostics.push(Diagnostic::error(
            "L0232",
            format!("there is no assertion {n}: the model has {}", loaded.assertions.len()),
        ));
        return report;
    }
    for (i, assertion) in loaded.assertions.iter().enumerate() {
        if args.assertion.is_some_and(|n| n != i + 1) {
            continue;
        }
        let started = Instant::now();
        match check(&loaded.model, assertion, &args.settings(), effort, watch) {
            Ok(answer) => {
                let mut finding = finding(&assertion.text, answer, effort);
                finding.at = Some(assertion.at.clone());
                finding.stats.seconds = started.elapsed().as_secs_f64();
                let interrupted = matches!(&finding.verdict, Verdict::Unknown(Limit { kind, .. })
                    if *kind == lineal_model::LimitKind::Interrupt);
                report.findings.push(finding);
                if interrupted {
                    break;
                }
            }
            Err(fault) => report.diagnostics.push(unbuildable(&loaded, &assertion.text, &fault)),
        }
    }
    report
}

fn finding(property: &str, answer: Answer, effort: &Effort) -> Finding {
    let mut finding = Finding::new(property, answer.verdict);
    finding.remarks = answer.remarks;
    finding.stats = Stats {
        states: answer.tally.states,
        peak_bytes: answer.tally.bytes,
        jobs: effort.jobs as u64,
        seed: effort.seed,
        ..Stats::default()
    };
    let more = &mut finding.stats.more;
    if answer.tally.pairs > 0 {
        more.insert("pairs", answer.tally.pairs);
        more.insert("spec_states", answer.tally.spec_states);
        more.insert("spec_sets", answer.tally.sets);
    }
    finding
}

fn unbuildable(loaded: &Loaded, text: &str, fault: &Fault) -> Diagnostic {
    let problem = Diagnostic::error("L0230", format!("`{text}` cannot be checked: {}", fault.message));
    match loaded.model.place(fault.spot) {
        Some(place) => problem.at(place),
        None => problem,
    }
}

/// The text of the model, and what it means.
pub fn read(file: &Path) -> Result<(String, Loaded), Vec<Diagnostic>> {
    let text = std::fs::read_to_string(file).map_err(|error| {
        vec![Diagnostic::error("L0001", format!("cannot read {}: {error}", file.display()))]
    })?;
    let folder = file.parent().unwrap_or(Path::new("")).to_path_buf();
    let include = |name: &str| std::fs::read_to_string(folder.join(name)).map_err(|e| e.to_string());
    let loaded = load(&file.to_string_lossy(), &text, &include)?;
    Ok((text, loaded))
}
