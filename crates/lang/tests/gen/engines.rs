//! What each engine says a program can do.

use super::interleave::Behaviour;
use lineal_check::graph::{self, Observed};
use lineal_check::naive::interleave;
use lineal_model::program::Machine;
use lineal_model::run::FailureKind;
use lineal_model::{Effort, Memory, Unwatched, Verdict};

/// An engine stops at the first error, so it knows all outcomes only of programs without any.
pub fn differs(expected: &Behaviour, found: &Behaviour) -> Option<String> {
    let errors = |b: &Behaviour| (b.race, b.deadlock);
    let wrong = match errors(expected) {
        (false, false) => expected != found,
        _ => {
            (!found.race && !found.deadlock)
                || found.race && !expected.race
                || found.deadlock && !expected.deadlock
        }
    };
    wrong.then(|| format!("expected {expected:?}, found {found:?}"))
}

pub fn by_graph(machine: &mut Machine, memory: Memory, names: &[String]) -> (Behaviour, u64) {
    let observe = names
        .iter()
        .map(|name| {
            let (loc, size, signed) = machine.global(name).expect("a result variable");
            Observed { name: name.clone(), loc, size, signed }
        })
        .collect();
    let options = graph::Options { observe, ..graph::Options::default() };
    let mut problem = graph::Problem { program: machine, memory, options };
    let finding = graph::check(&mut problem, &Effort::default(), &Unwatched);
    let mut behaviour = Behaviour::default();
    match &finding.verdict {
        Verdict::Violated(w) => match w.kind.word() {
            "race" => behaviour.race = true,
            "deadlock" => behaviour.deadlock = true,
            other => panic!("unexpected {other}: {}", w.why),
        },
        Verdict::Holds(_) => {}
        Verdict::Unknown(limit) => panic!("{}", limit.message),
    }
    for text in finding.outcomes.keys() {
        let value = |part: &str| part.split_once('=').expect("name=value").1.parse().expect("a number");
        behaviour.outcomes.insert(text.split(' ').map(value).collect());
    }
    (behaviour, finding.stats.executions)
}

pub fn by_interleaving(machine: &mut Machine, names: &[String]) -> Behaviour {
    let observe: Vec<_> =
        names.iter().map(|n| machine.global(n).expect("a result variable")).map(|(l, s, _)| (l, s)).collect();
    let found = interleave::explore(machine, &observe, true, 2_000_000);
    assert!(!found.gave_up);
    let value = |v: &lineal_model::run::Value| v.signed(4) as i32;
    Behaviour {
        outcomes: found.outcomes.iter().map(|o| o.iter().map(value).collect()).collect(),
        race: found.failures.contains_key(&FailureKind::Race),
        deadlock: found.failures.contains_key(&FailureKind::Deadlock),
    }
}
