//! A system that is no process, with faults of its own, and an automaton that watches it: the product is
//! a system again, and every search over states takes it as it is.

use lineal_check::refine::safety::{Found, Wanted, explore};
use lineal_check::refine::{FailureKind, Order, Outcome, Problem, search};
use lineal_model::lts::{Actor, Effect, Label, Lts, Obstacle, Semantics, Steps, StepsOf};
use lineal_model::{Effort, Unwatched};
use std::convert::Infallible;

/// Threads that each take numbers from one counter: `take.i` is event `i`. The last number is a trap.
struct Tickets {
    threads: u8,
    numbers: u8,
    trap: Option<Trap>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Trap {
    Overrun,
    Unmodelled,
}

impl Obstacle for Trap {
    fn effect(&self) -> Effect {
        match self {
            Trap::Overrun => Effect::Wrong,
            Trap::Unmodelled => Effect::Gap,
        }
    }
    fn message(&self) -> String {
        format!("{self:?}")
    }
}

impl Lts for Tickets {
    type Fault = Trap;
    fn initial(&self, out: &mut Steps<Trap>) {
        out.push_bytes(Label::Internal, 0, &[0]);
    }
    fn steps(&self, from: &[u8], out: &mut Steps<Trap>) {
        for t in 0..self.threads {
            let (label, actor) = (Label::Event(t.into()), Actor::from(t));
            match self.trap {
                Some(trap) if from[0] == self.numbers => out.fail(label, actor, trap),
                _ if from[0] == self.numbers => {}
                _ => out.push_bytes(label, actor, &[from[0] + 1]),
            }
        }
    }
}

/// Counts how often in a row one actor moves; the automaton is in its last state after `most` times.
struct Watched<'w, L> {
    lts: &'w L,
    most: u8,
}

impl<L: Lts> Lts for Watched<'_, L> {
    type Fault = L::Fault;
    fn initial(&self, out: &mut Steps<L::Fault>) {
        let mut inner = Steps::default();
        self.lts.initial(&mut inner);
        self.wrap(inner.all(), None, out);
    }
    fn steps(&self, from: &[u8], out: &mut Steps<L::Fault>) {
        let mut inner = Steps::default();
        self.lts.steps(&from[2..], &mut inner);
        self.wrap(inner.all(), Some((from[0], from[1])), out);
    }
}

impl<L: Lts> Watched<'_, L> {
    fn wrap(&self, inner: StepsOf<L::Fault>, at: Option<(u8, u8)>, out: &mut Steps<L::Fault>) {
        for i in 0..inner.len() {
            let (key, rest) = inner.state(i);
            let who = inner.actor(i) as u8;
            let times = match at {
                Some((last, times)) if last == who || times == self.most => (times + 1).min(self.most),
                Some(_) => 1,
                None => 0,
            };
            out.push(inner.label(i), inner.actor(i), |bytes| {
                bytes.extend([who, times]);
                bytes.extend_from_slice(key);
                bytes.extend_from_slice(rest);
                2 + key.len()
            });
        }
        for f in inner.failed() {
            out.fail(f.label, f.actor, f.fault.clone());
        }
    }
}

fn bad<L: Lts + Sync>(lts: &Watched<L>) -> Found<L::Fault> {
    let mut is = |state: &[u8], _: StepsOf<L::Fault>| state[1] == lts.most;
    explore(lts, None, Wanted::State(&mut is), Order::Breadth, &Effort::default(), &Unwatched).0
}

#[test]
fn an_automaton_watches() {
    let tickets = Tickets { threads: 2, numbers: 6, trap: None };
    let Found::At(trace) = bad(&Watched { lts: &tickets, most: 3 }) else { panic!("three in a row") };
    assert_eq!(trace, [0, 0, 0]);
    assert!(matches!(bad(&Watched { lts: &tickets, most: 7 }), Found::Nothing), "there are only six numbers");
}

#[test]
fn faults_are_the_systems_own() {
    let trap = |trap| Tickets { threads: 2, numbers: 3, trap: Some(trap) };
    let (wrong, gap) = (trap(Trap::Overrun), trap(Trap::Unmodelled));
    let fault = |found: Found<Trap>| match found {
        Found::Fault(failure) => match failure.kind {
            FailureKind::Fault(trap) => (failure.trace.len(), trap),
            kind => panic!("{kind:?}"),
        },
        _ => panic!("a fault"),
    };
    assert_eq!(fault(bad(&Watched { lts: &wrong, most: 4 })), (3, Trap::Overrun));
    assert_eq!(fault(bad(&Watched { lts: &gap, most: 4 })), (3, Trap::Unmodelled));
    assert!(matches!(bad(&Watched { lts: &gap, most: 2 }), Found::At(_)), "found before the gap matters");
}

/// Any order of the first two threads.
struct Both;

impl Lts for Both {
    type Fault = Infallible;
    fn initial(&self, out: &mut Steps<Infallible>) {
        out.push_bytes(Label::Internal, 0, &[]);
    }
    fn steps(&self, _: &[u8], out: &mut Steps<Infallible>) {
        (0..2).for_each(|t| out.push_bytes(Label::Event(t), t, &[]));
    }
}

#[test]
fn refinement_takes_any_two_systems() {
    let refines = |threads, trap| {
        let imp = Tickets { threads, numbers: 3, trap };
        let problem = Problem {
            imp: &imp,
            spec: &Both,
            semantics: Semantics::Traces,
            antichain: true,
            symmetry: None,
            order: Default::default(),
        };
        search::run(&problem, &Effort::default(), &Unwatched).0
    };
    assert!(matches!(refines(2, None), Outcome::Holds));
    assert!(matches!(refines(3, None), Outcome::Violated(f) if matches!(f.kind, FailureKind::Event(2))));
    let Outcome::Violated(failure) = refines(2, Some(Trap::Overrun)) else { panic!("a fault") };
    assert!(matches!(failure.kind, FailureKind::Fault(Trap::Overrun)) && failure.trace.len() == 3);
}
