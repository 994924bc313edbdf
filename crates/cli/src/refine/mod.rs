//! `lineal refine`: every assertion of a CSP# model.

mod dot;
mod fairness;
mod relaxed;
mod search;
mod simulate;
mod text;
mod token;

use crate::desk::Desk;
use crate::quasi::QuasiArgs;
use clap::Args;
use fairness::FairnessArg;
use lineal_check::refine::{Checked, Settings, check, finding, judge, rerun};
use lineal_lang::csp::{Loaded, load};
use lineal_model::process::{Assertion, Fault};
use lineal_model::{Diagnostic, Effort, Finding, Limit, Observer, Verdict};
use relaxed::Relaxed;
use search::SearchArg;
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::{Path, PathBuf};
use token::Token;

#[derive(Debug, Args)]
pub struct RefineArgs {
    /// The CSP# model
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Check only the assertion of this number, counted from 1
    #[arg(long = "assert", value_name = "N")]
    pub assertion: Option<usize>,
    /// Show one earlier violation again, step by step
    #[arg(long, value_name = "TOKEN", conflicts_with_all = ["simulate", "dot", "quasi_max"])]
    pub replay: Option<String>,
    /// Step through the process of the first assertion (or of --assert N) by hand
    #[arg(long, conflicts_with_all = ["dot", "quasi", "quasi_max", "quasi_semantics"])]
    pub simulate: bool,
    /// Write the states of the process of the first assertion (or of --assert N) as a graph
    #[arg(long, value_name = "FILE", conflicts_with_all = ["quasi", "quasi_max", "quasi_semantics"])]
    pub dot: Option<PathBuf>,
    /// Visit states with the fewest events first, or those found last first: the latter may find a
    /// distant goal sooner, but what it finds is not shortest
    #[arg(long, value_name = "ORDER", default_value = "breadth", conflicts_with_all = ["simulate", "dot"])]
    pub search: SearchArg,
    /// In temporal assertions (|=), let only fair runs count
    #[arg(long, value_name = "KIND", conflicts_with_all = ["simulate", "dot"])]
    pub fairness: Option<FairnessArg>,
    #[command(flatten)]
    pub quasi: QuasiArgs,
    /// Keep specification sets that are supersets of others
    #[arg(long, help_heading = "Reductions")]
    pub no_antichain: bool,
    /// Tell states apart that differ only in the names of processes
    #[arg(long, help_heading = "Reductions")]
    pub no_symmetry: bool,
    /// Keep the values of variables that are never read again
    #[arg(long, help_heading = "Reductions")]
    pub no_dead_reset: bool,
    /// Interleave also steps that touch nothing shared
    #[arg(long, help_heading = "Reductions")]
    pub no_fusion: bool,
    /// In `linearizable`, let calls begin before their first step and end after their last
    #[arg(long, help_heading = "Reductions")]
    pub no_call_fusion: bool,
}

impl RefineArgs {
    fn settings(&self) -> Settings {
        Settings {
            antichain: !self.no_antichain,
            symmetry: !self.no_symmetry,
            reset: !self.no_dead_reset,
            fuse: !self.no_fusion,
            calls: !self.no_call_fusion,
            order: self.search.into(),
        }
    }
}

/// Reads the model and decides its assertions.
pub fn run(args: RefineArgs, desk: &Desk) {
    desk.doing("reading the model");
    let (text, loaded) = match read(&args.file, desk) {
        Ok(read) => read,
        Err(problems) => return desk.diagnostics(problems),
    };
    match carry_out(&args, &text, &loaded, desk) {
        Ok(()) => {}
        Err(problem) => desk.diagnostics([*problem]),
    }
}

fn carry_out(args: &RefineArgs, text: &str, loaded: &Loaded, desk: &Desk) -> Result<(), Box<Diagnostic>> {
    if let Some(token) = &args.replay {
        return replay(args, token, text, loaded, desk);
    }
    if loaded.assertions.is_empty() {
        return Err(Box::new(
            Diagnostic::error("L0231", format!("{} asserts nothing", args.file.display()))
                .help("add a line such as `#assert System() deadlockfree;`"),
        ));
    }
    let chosen = match args.assertion {
        None => 0..loaded.assertions.len(),
        Some(n) if (1..=loaded.assertions.len()).contains(&n) => n - 1..n,
        Some(n) => {
            let message = format!("there is no assertion {n}: the model has {}", loaded.assertions.len());
            return Err(Box::new(Diagnostic::error("L0232", message)));
        }
    };
    let asked: Vec<Relaxed> = loaded.assertions[chosen.clone()]
        .iter()
        .map(|a| relaxed::of(&fairness::of(a, args.fairness), &args.quasi))
        .collect::<Result<_, _>>()?;
    if args.quasi.is_given() && asked.iter().all(|a| !a.is_about) {
        return Err(Box::new(relaxed::nothing()));
    }
    if args.fairness.is_some() && !asked.iter().any(|a| fairness::is_temporal(&a.assertion)) {
        return Err(Box::new(fairness::nothing()));
    }
    let first = &loaded.assertions[chosen.start];
    if args.simulate {
        return simulate::run(&loaded.model, first).map_err(|fault| unbuildable(loaded, first, &fault));
    }
    if let Some(file) = &args.dot {
        let cut = dot::write(&loaded.model, first, file)?;
        desk.diagnostics(cut);
        return Ok(());
    }
    // An assertion that breaks an invariant keeps none of the others from being decided.
    let mut broken = None;
    let unsettled = || Verdict::Unknown(Limit::method("It was not decided."));
    desk.awaits(asked.iter().map(|asked| finding(&asked.assertion, unsettled())));
    for (i, asked) in chosen.zip(asked) {
        let assertion = &asked.assertion;
        desk.about(&assertion.text);
        desk.doing("exploring");
        let mut problem = None;
        let decide = |effort: &Effort, watch: &dyn Observer| {
            let one = |a: &Assertion| check(&loaded.model, a, &args.settings(), effort, watch);
            catch_unwind(AssertUnwindSafe(|| asked.decide(one)))
        };
        desk.check(|effort, watch| match decide(effort, watch) {
            Err(payload) => {
                let limit = Limit::method("An internal error ended this check; the others are not affected.");
                broken.get_or_insert(payload);
                finding(assertion, Verdict::Unknown(limit))
            }
            Ok(Ok(Checked { mut finding, run, repeats, .. })) => {
                // Which factor a run is about is not in its token.
                let told = !run.is_empty() && !asked.is_sought();
                if told {
                    let token = Token::new(text, i).show(&run, repeats);
                    match (&mut finding.verdict, &mut finding.example) {
                        (Verdict::Violated(witness), _) => witness.replay = Some(token),
                        (_, Some(example)) => example.replay = Some(token),
                        _ => {}
                    }
                }
                finding
            }
            Ok(Err(fault)) => {
                problem = Some(unbuildable(loaded, assertion, &fault));
                let limit = Limit::method(format!("{}.", fault.message));
                finding(assertion, Verdict::Unknown(limit))
            }
        });
        desk.diagnostics(problem.map(|p| *p));
    }
    match broken {
        Some(payload) => resume_unwind(payload),
        None => Ok(()),
    }
}

fn replay(
    args: &RefineArgs,
    token: &str,
    text: &str,
    loaded: &Loaded,
    desk: &Desk,
) -> Result<(), Box<Diagnostic>> {
    let refuse = |why: String| {
        Box::new(
            Diagnostic::error("L0233", format!("cannot replay: {why}"))
                .help("run the check again without --replay; a violation prints its token"),
        )
    };
    let (assertion, run, repeats) = Token::read(token, text).map_err(refuse)?;
    if args.assertion.is_some_and(|n| n != assertion + 1) {
        return Err(refuse(format!("the token is of assertion {}", assertion + 1)));
    }
    let assertion =
        loaded.assertions.get(assertion).ok_or_else(|| refuse("the model has no such assertion".into()))?;
    let assertion = &fairness::of(&relaxed::of(assertion, &args.quasi)?.assertion, args.fairness);
    if args.fairness.is_some() && !fairness::is_temporal(assertion) {
        return Err(Box::new(fairness::nothing()));
    }
    let witness = rerun(&loaded.model, assertion, &run, repeats).map_err(refuse)?;
    desk.about(&assertion.text);
    if fairness::is_temporal(assertion) {
        // Whether a run violates a formula can be told from the run.
        judge(&loaded.model, assertion, &run, repeats).map_err(refuse)?;
        desk.check(|_, _| finding(assertion, Verdict::Violated(Box::new(witness))));
        return Ok(());
    }
    // A token is only a list of moves: the verdict is found again, not taken from it.
    let mut problem = None;
    desk.check(|effort, watch| {
        let unknown = |message: String| Verdict::Unknown(Limit::method(message));
        let mut example = None;
        let (verdict, remark) = match check(&loaded.model, assertion, &args.settings(), effort, watch) {
            Ok(Checked { finding: Finding { verdict: Verdict::Violated(_), .. }, .. }) => {
                (Verdict::Violated(Box::new(witness)), None)
            }
            Ok(Checked { finding: Finding { verdict, example: Some(_), .. }, .. }) => {
                let mut shown = witness.clone();
                shown.steps.iter_mut().for_each(|step| step.guilty = false);
                example = Some(Box::new(shown));
                (verdict, None)
            }
            Ok(checked) => (checked.finding.verdict, Some("the token's run shows no violation".to_string())),
            Err(fault) => {
                problem = Some(unbuildable(loaded, assertion, &fault));
                (unknown(format!("{}.", fault.message)), None)
            }
        };
        let mut finding = finding(assertion, verdict);
        finding.remarks.extend(remark);
        finding.example = example;
        finding
    });
    desk.diagnostics(problem.map(|p| *p));
    Ok(())
}

fn unbuildable(loaded: &Loaded, assertion: &Assertion, fault: &Fault) -> Box<Diagnostic> {
    let message = format!("`{}` cannot be checked: {}", assertion.text, fault.message);
    let problem = Diagnostic::error("L0230", message);
    Box::new(match loaded.model.place(fault.spot) {
        Some(place) => problem.at(place),
        None => problem,
    })
}

/// The text of the model with its includes, and what it means.
fn read(file: &Path, desk: &Desk) -> Result<(String, Loaded), Vec<Diagnostic>> {
    let name = file.to_string_lossy();
    let text = text::read(file)
        .map_err(|error| vec![Diagnostic::error("L0001", format!("cannot read {name}: {error}"))])?;
    desk.source(&name, &text);
    let folder = file.parent().unwrap_or(Path::new("")).to_path_buf();
    let all = RefCell::new(text.clone());
    let include = |name: &str| {
        let text = text::read(&folder.join(name)).map_err(|e| e.to_string())?;
        desk.source(name, &text);
        all.borrow_mut().push_str(&text);
        Ok(text)
    };
    let loaded = load(&name, &text, &include)?;
    Ok((all.into_inner(), loaded))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::{Limits, Watch};
    use clap::Parser;
    use lineal_check::seeded::{self, Bug};

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        refine: RefineArgs,
    }

    #[test]
    fn a_broken_invariant_loses_no_other_assertion() {
        let text = "P() = a -> P(); Q() = b -> Q(); S() = P() ||| Q();
            #assert S() deadlockfree; #assert S() |= []<> b; #assert S() nonterminating;";
        let loaded = load("t.csp", text, &|_| Err(String::new())).unwrap();
        let args = Line::parse_from(["refine", "t.csp", "--fairness", "weak-process"]).refine;
        let watch = Watch::new(Limits { time: None, asked: true, memory: 1 << 40 });
        let desk = Desk::new("refine", Effort::default(), watch);
        let all = || seeded::with(Bug::AnyPartIsFair, || carry_out(&args, text, &loaded, &desk));
        assert!(catch_unwind(AssertUnwindSafe(all)).is_err(), "a seeded mistake is noticed");
        let verdicts: Vec<bool> = {
            let so_far = desk.so_far();
            so_far.report.findings.iter().map(|f| matches!(f.verdict, Verdict::Holds(_))).collect()
        };
        assert_eq!(verdicts, [true, false, true]);
    }
}
