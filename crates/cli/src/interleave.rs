//! The naive engine's findings in the words of a verdict: it counts failures and keeps no trace.

use lineal_check::graph::Observed;
use lineal_check::naive::interleave::{Interleavings, explore};
use lineal_model::run::{FailureKind, Runnable, ThreadId, Value};
use lineal_model::{Assumption, Effort, Finding, Limit, Memory, Scope, Verdict, Witness};

pub fn check<R: Runnable>(property: &str, program: &R, observe: &[Observed], effort: &Effort) -> Finding {
    let cells: Vec<_> = observe.iter().map(|o| (o.loc, o.size)).collect();
    let cap = effort.max_states.unwrap_or(u64::MAX);
    let found = explore(program, &cells, true, usize::try_from(cap).unwrap_or(usize::MAX));
    let mut finding = Finding::new(property, verdict(&found, cap));
    finding.wrong = "some execution is not safe".into();
    for values in &found.outcomes {
        let text: Vec<String> =
            observe.iter().zip(values).map(|(o, v)| format!("{}={}", o.name, show(o, *v))).collect();
        *finding.outcomes.entry(text.join(" ")).or_default() += 1;
    }
    if observe.is_empty() {
        finding.outcomes.clear();
    }
    finding.stats.states = found.states as u64;
    finding.stats.jobs = 1;
    finding
}

fn verdict(found: &Interleavings, cap: u64) -> Verdict {
    let failure = found.failures.keys().find(|kind| **kind != FailureKind::Unsupported);
    if let Some(kind) = failure {
        let why = format!("Some interleaving ends in this failure: {}.", kind.word());
        let hints = vec!["--engine graph shows the execution".to_string()];
        return Verdict::Violated(Box::new(Witness { hints, ..Witness::new((*kind).into(), why) }));
    }
    if found.failures.contains_key(&FailureKind::Unsupported) {
        return Verdict::Unknown(Limit::method("The naive engine cannot run this program."));
    }
    if found.crowded {
        return Verdict::Unknown(Limit::method(format!("more than {} threads", ThreadId::MAX)));
    }
    if found.gave_up {
        return Verdict::Unknown(Limit::states(cap));
    }
    let mut scope = Scope { threads: None, ..Scope::program(Memory::Sc, 0) };
    scope.assumptions.push(Assumption::NoReuse);
    if found.outcomes.is_empty() {
        scope.vacuous.push("no execution completes".into());
    }
    Verdict::Holds(scope)
}

fn show(cell: &Observed, value: Value) -> String {
    match value {
        v if v.undefined => "undefined".into(),
        v if cell.size > 8 => format!("{:#x}_{:016x}", v.hi, v.lo),
        v if cell.signed => v.signed(cell.size).to_string(),
        v => v.truncate(cell.size).lo.to_string(),
    }
}
