//! What `lineal check` writes to files: the client of a violation as a C program, and its execution
//! as a graph.

use super::CheckArgs;
use crate::desk::Desk;
use crate::flags::flag;
use crate::options::VolatileOrder;
use crate::verify;
use crate::volatile;
use clap::ValueEnum;
use lineal_check::conform::{Checked, Question};
use lineal_lang::c11::Unit;
use lineal_lang::c11::object::Loaded;
use lineal_lang::c11::object::listing::{Head, listing};
use lineal_model::object::Shows;
use lineal_model::run::FailureKind;
use lineal_model::{Diagnostic, Finding, Memory, Verdict};
use std::path::{Component, Path, PathBuf};

/// Where to write what.
pub struct Keep<'a> {
    args: &'a CheckArgs,
    loaded: &'a Loaded,
    head: Head,
}

impl<'a> Keep<'a> {
    pub fn new(args: &'a CheckArgs, memory: Memory, units: &[Unit], loaded: &'a Loaded) -> Self {
        let object = units.get(loaded.unit).map_or(String::new(), |u| u.name.clone());
        let include = match &args.save_client {
            Some(file) => seen_from(file, Path::new(&object)).display().to_string(),
            None => object.clone(),
        };
        let file = args.save_client.as_ref().map_or("client.c".to_string(), |f| f.display().to_string());
        let mut also: Vec<String> = Vec::new();
        let others = args.source.files.iter().filter(|f| f.display().to_string() != object);
        also.extend(others.map(|f| f.display().to_string()));
        also.extend(args.source.include_dirs.iter().map(|d| format!("-I{}", d.display())));
        also.extend(args.source.include.iter().map(|f| format!("-include {}", f.display())));
        let (asked, command) = match args.question {
            Question::Linearizable => ("check", "verify"),
            Question::Robust | Question::Ordered => ("robust", "robust"),
        };
        let mut verify = vec![format!("lineal {command} {file}"), format!("--memory {memory}")];
        verify.extend(also.iter().cloned());
        verify.extend(args.source.wrapv.then(|| "--wrapv".to_string()));
        if args.source.volatile != VolatileOrder::Plain
            && let Some(order) = args.source.volatile.to_possible_value()
        {
            verify.push(format!("--volatile {}", order.get_name()));
        }
        verify.extend(args.source.nondet.map(|(a, b)| format!("--nondet {a}..{b}")));
        verify.extend(args.unroll.iter().map(|b| format!("--unroll {b}")));
        verify.extend((!loaded.compiled.object.fini.is_empty()).then(|| "--leaks".to_string()));
        let remarks = vec![
            format!("A client of {object}, from `lineal {asked}`."),
            "See the violation step by step:".into(),
            format!("    {}", verify.join(" ")),
            "Compile it; a run shows the violation rarely, and on some machines never:".into(),
            format!("    cc -pthread {}", [vec![file], also].concat().join(" ")),
        ];
        Keep { args, loaded, head: Head { remarks, defines: args.source.define.clone(), include } }
    }

    /// The finding with its client as a program, and whatever was asked for in files.
    pub fn finding(&self, checked: Checked, desk: &Desk) -> Finding {
        let Checked { mut finding, exhibit } = checked;
        if let (Verdict::Violated(witness), Some(exhibit)) = (&mut finding.verdict, exhibit) {
            let mut head = self.head.clone();
            if let Shows::Unseen(..) = exhibit.shows {
                let place = head.remarks.len() - 2;
                let words = "(what is missing may stay hidden if the operations have seq_cst fences)";
                head.remarks.insert(place, words.into());
            }
            head.remarks.splice(1..1, witness.why.lines().map(str::to_string));
            witness.program = Some(listing(self.loaded, &head, &exhibit));
            if let (Shows::Error(kind), true) = (&exhibit.shows, witness.hints.is_empty()) {
                witness.hints.extend(advice(*kind));
            }
        }
        volatile::hint(&self.loaded.compiled.operations.machine, &mut finding);
        self.write(&finding, desk);
        finding
    }

    fn write(&self, finding: &Finding, desk: &Desk) {
        verify::draw(finding, self.args.dot.as_deref(), desk);
        let Some(path) = &self.args.save_client else { return };
        let program = match &finding.verdict {
            Verdict::Violated(witness) => witness.program.as_deref(),
            _ => None,
        };
        let Some(program) = program else {
            let message = "--save-client: no violation, so nothing was written";
            return desk.diagnostics([Diagnostic::warning("L0017", message)]);
        };
        if let Err(error) = std::fs::write(path, program) {
            let message = format!("cannot write {}: {error}", path.display());
            desk.diagnostics([Diagnostic::error("L0018", message)]);
        }
    }
}

/// What usually helps, where no stronger access does.
fn advice(kind: FailureKind) -> Option<String> {
    match kind {
        // Asked for by a pragma here, not by a flag.
        FailureKind::Leak => {
            Some("free the block on every path (with a `fini`, what is left then counts)".into())
        }
        kind => lineal_report::advice(kind.into(), flag),
    }
}

/// How a program in `from` names the file `to`: relative to its own directory where both are
/// known, else in full.
fn seen_from(from: &Path, to: &Path) -> PathBuf {
    let dir = from.parent().filter(|d| !d.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let (Ok(dir), Ok(to)) = (dir.canonicalize(), to.canonicalize()) else { return to.to_path_buf() };
    let (dir, to): (Vec<Component<'_>>, Vec<Component<'_>>) =
        (dir.components().collect(), to.components().collect());
    let common = dir.iter().zip(&to).take_while(|(a, b)| a == b).count();
    let up = dir[common..].iter().map(|_| Component::ParentDir);
    if common <= 1 { to.iter().collect() } else { up.chain(to[common..].iter().copied()).collect() }
}
