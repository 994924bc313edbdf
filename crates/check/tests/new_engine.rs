//! The page "A new engine" of CONTRIBUTING.md, tried: an engine of a dozen lines, asked for all three
//! answers. It decides whether a system ever does an event.

use lineal_model::lts::{Label, Lts};
use lineal_model::{
    Counts, Effort, Finding, Limit, LimitKind, Observer, Scope, Storage, Unwatched, Verdict, Witness,
    WitnessKind,
};
use std::collections::HashSet;
use std::ops::ControlFlow::{self, Break};

/// The engine.
mod never {
    use super::*;

    pub struct Problem<'a, L> {
        pub system: &'a L,
        pub event: u32,
    }

    pub fn check<L: Lts>(problem: &Problem<'_, L>, effort: &Effort, watch: &dyn Observer) -> Finding {
        let mut finding = Finding::new("the event never happens", Verdict::Unknown(Limit::method("")));
        finding.wrong = "the event happens".into();
        let mut todo = problem.system.initial();
        let mut seen: HashSet<L::State> = todo.iter().cloned().collect();
        let mut steps = Vec::new();
        while let Some(state) = todo.pop() {
            finding.stats.states += 1;
            let counts = Counts { states: finding.stats.states, ..Counts::default() };
            if let Break(limit) = effort.charge(counts, watch) {
                return Finding { verdict: Verdict::Unknown(limit), ..finding };
            }
            problem.system.successors(&state, &mut steps);
            for (label, next) in steps.drain(..) {
                if label == Label::Event(problem.event) {
                    let witness = Witness::new(WitnessKind::Trace, "The event happens.");
                    return Finding { verdict: Verdict::Violated(Box::new(witness)), ..finding };
                }
                if seen.insert(next.clone()) {
                    todo.push(next);
                }
            }
        }
        Finding { verdict: Verdict::Holds(Scope::states(Storage::Exact)), ..finding }
    }
}

/// Counts to a hundred by event 0, and then says so by event 1.
struct Counter;

impl Lts for Counter {
    type State = u8;
    fn initial(&self) -> Vec<u8> {
        vec![0]
    }
    fn successors(&self, from: &u8, out: &mut Vec<(Label, u8)>) {
        match from {
            0..100 => out.push((Label::Event(0), from + 1)),
            100 => out.push((Label::Event(1), 101)),
            _ => {}
        }
    }
}

/// Says stop at once.
struct Impatient;

impl Observer for Impatient {
    fn progress(&self, _: Counts) -> ControlFlow<Limit> {
        Break(Limit::new(LimitKind::Interrupt, "The check was interrupted."))
    }
}

#[test]
fn an_engine_gives_all_three_answers() {
    let ask = |event: u32, max_states: Option<u64>, watch: &dyn Observer| {
        let effort = Effort { max_states, ..Effort::default() };
        never::check(&never::Problem { system: &Counter, event }, &effort, watch).verdict
    };
    assert!(matches!(ask(2, None, &Unwatched), Verdict::Holds(_)));
    assert!(matches!(ask(1, None, &Unwatched), Verdict::Violated(_)));
    assert!(matches!(ask(1, Some(10), &Unwatched), Verdict::Unknown(l) if l.kind == LimitKind::States));
    assert!(matches!(ask(2, None, &Impatient), Verdict::Unknown(l) if l.kind == LimitKind::Interrupt));
}
