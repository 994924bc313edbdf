//! The page "A new engine" of CONTRIBUTING.md, tried: an engine of a dozen lines, asked for all three
//! answers. It decides whether a system ever does an event.

use lineal_model::lts::{Label, Lts, Steps};
use lineal_model::{
    Counts, Effort, Finding, Limit, LimitKind, Observer, Scope, Storage, Unwatched, Verdict, Witness,
    WitnessKind,
};
use std::collections::HashSet;
use std::convert::Infallible;
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
        let mut steps = Steps::default();
        problem.system.initial(&mut steps);
        let mut todo: Vec<Vec<u8>> = (0..steps.len()).map(|i| steps.state(i).0.to_vec()).collect();
        let mut seen: HashSet<Vec<u8>> = todo.iter().cloned().collect();
        while let Some(state) = todo.pop() {
            finding.stats.states += 1;
            let counts = Counts { states: finding.stats.states, ..Counts::default() };
            if let Break(limit) = effort.charge(counts, watch) {
                return Finding { verdict: Verdict::Unknown(limit), ..finding };
            }
            steps.clear();
            problem.system.steps(&state, &mut steps);
            for i in 0..steps.len() {
                let next = steps.state(i).0.to_vec();
                if steps.label(i) == Label::Event(problem.event) {
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
    type Fault = Infallible;
    fn initial(&self, out: &mut Steps<Infallible>) {
        out.push_bytes(Label::Internal, 0, &[0]);
    }
    fn steps(&self, from: &[u8], out: &mut Steps<Infallible>) {
        match from[0] {
            n @ 0..100 => out.push_bytes(Label::Event(0), 0, &[n + 1]),
            100 => out.push_bytes(Label::Event(1), 0, &[101]),
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
