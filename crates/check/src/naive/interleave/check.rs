//! Every interleaving as a verdict. Failures are counted and no run is kept, so a witness has no
//! steps.

use super::{Interleavings, explore_within};
use lineal_model::observed::Observed;
use lineal_model::run::{FailureKind, Runnable, ThreadId};
use lineal_model::{Assumption, Effort, Finding, Limit, Memory, Observer, Scope, Verdict, Witness};

pub struct Problem<'a, R: Runnable> {
    pub program: &'a R,
    /// Cells whose final values are wanted.
    pub observe: Vec<Observed>,
}

pub fn check<R: Runnable>(problem: &Problem<'_, R>, effort: &Effort, watch: &dyn Observer) -> Finding {
    let Problem { program, observe } = problem;
    let cells: Vec<_> = observe.iter().map(|o| (o.loc, o.size)).collect();
    let (found, limit) = explore_within(*program, &cells, true, effort, watch);
    let mut finding = Finding::new("every execution is safe", verdict(&found, limit));
    finding.wrong = "some execution is not safe".into();
    if !observe.is_empty() {
        for values in &found.outcomes {
            let text: Vec<String> =
                observe.iter().zip(values).map(|(o, v)| format!("{}={}", o.name, o.show(*v))).collect();
            *finding.outcomes.entry(text.join(" ")).or_default() += 1;
        }
    }
    finding.stats.states = found.states as u64;
    finding.stats.jobs = 1;
    finding
}

fn verdict(found: &Interleavings, limit: Option<Limit>) -> Verdict {
    let failure = found.failures.keys().find(|kind| **kind != FailureKind::Unsupported);
    if let Some(kind) = failure {
        let why = format!("Some interleaving ends in this failure: {}.", kind.word());
        return Verdict::Violated(Box::new(Witness::new((*kind).into(), why)));
    }
    if found.failures.contains_key(&FailureKind::Unsupported) {
        return Verdict::Unknown(Limit::method("The naive engine cannot run this program."));
    }
    if found.crowded {
        return Verdict::Unknown(Limit::method(format!("more than {} threads", ThreadId::MAX)));
    }
    if let Some(limit) = limit {
        return Verdict::Unknown(limit);
    }
    let mut scope = Scope { threads: None, ..Scope::program(Memory::Sc, 0) };
    scope.assumptions.push(Assumption::NoReuse);
    if found.outcomes.is_empty() {
        scope.vacuous.push("no execution completes".into());
    }
    Verdict::Holds(scope)
}
