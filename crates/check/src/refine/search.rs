//! The product of an implementation with the determinised specification.
//!
//! Nodes `(i, S)` are visited in order of the visible events it takes to reach them (`explore`), so the
//! first failure found has the shortest visible trace. An event that is not allowed is one event
//! longer than a refusal or divergence of its level, so it waits until the level is done. Depth first,
//! the first failure is as good as any.

use super::divergence::Divergence;
use super::explore::{Explorer, Identity, Mark, NodeId, Order, Stop, Task};
use super::sets::{EventId, SetId, SpecSets, subset};
use super::symmetry::{Perm, Symmetry};
use crate::seeded::{self, Bug};
use lineal_model::lts::{Effect, Label, Lts, Obstacle, Semantics, StepsOf};
use lineal_model::{Counts, Effort, Limit, Observer};
use std::ops::ControlFlow::{self, Break, Continue};

/// What to check, and how.
pub struct Problem<'p, I: Lts, S: Lts> {
    pub imp: &'p I,
    pub spec: &'p S,
    pub semantics: Semantics,
    pub antichain: bool,
    pub symmetry: Option<&'p dyn Symmetry>,
    pub order: Order,
}

#[derive(Debug)]
pub enum Outcome<F> {
    Holds,
    Violated(Failure<F>),
    Unknown(Limit),
}

/// What went wrong after `trace`.
#[derive(Clone, Debug)]
pub struct Failure<F> {
    pub trace: Vec<EventId>,
    pub kind: FailureKind<F>,
}

#[derive(Clone, Debug)]
pub enum FailureKind<F> {
    /// An event the specification does not allow.
    Event(EventId),
    /// A stable state that offers too little.
    Refusal,
    Divergence,
    Fault(F),
}

#[derive(Clone, Copy, Debug, Default)]
pub struct Tally {
    pub states: u64,
    pub pairs: u64,
    pub spec_states: u64,
    pub sets: u64,
    pub bytes: u64,
}

pub fn run<I: Lts + Sync, S: Lts>(
    problem: &Problem<I, S>,
    effort: &Effort,
    watch: &dyn Observer,
) -> (Outcome<I::Fault>, Tally) {
    let sets = SpecSets::new(problem.spec);
    let mut task =
        Inclusion { problem, sets, divergence: Divergence::default(), excess: None, gap: None, ample: false };
    let mut explorer =
        Explorer::new(problem.imp, problem.order.levels(), Identity::Key, watch).symmetry(problem.symmetry);
    let found = match explorer.explore(&mut task, effort) {
        None => task.gap.take(),
        Some(Stop::Found(found)) => Some(found),
        Some(Stop::Limit(limit)) => return (Outcome::Unknown(limit), task.tally(&explorer)),
    };
    let outcome = found.map_or(Outcome::Holds, |found| Outcome::Violated(task.failure(&mut explorer, found)));
    let tally = task.tally(&explorer);
    match task.sets.fault.take() {
        Some(fault) => {
            let limit = Limit::method(format!("the specification itself cannot be run: {}", fault.message()));
            (Outcome::Unknown(limit), tally)
        }
        None => (outcome, tally),
    }
}

type Found<F> = (NodeId, FailureKind<F>);

struct Inclusion<'p, I: Lts, S: Lts> {
    problem: &'p Problem<'p, I, S>,
    sets: SpecSets<'p, S>,
    divergence: Divergence,
    /// An event that is not allowed, found in this level.
    excess: Option<Found<I::Fault>>,
    /// Where the implementation cannot be followed: the search goes on elsewhere, but cannot end
    /// in *holds*.
    gap: Option<Found<I::Fault>>,
    /// For tests of the tests: an internal step was taken, and no other is.
    ample: bool,
}

impl<I: Lts, S: Lts> Inclusion<'_, I, S> {
    fn tally(&self, explorer: &Explorer<I>) -> Tally {
        Tally {
            states: explorer.states.len() as u64,
            pairs: explorer.count() as u64,
            spec_states: self.sets.states.len() as u64,
            sets: self.sets.len() as u64,
            bytes: explorer.size() + self.sets.size(),
        }
    }

    /// What was found, as the system itself would name it.
    fn failure(&mut self, explorer: &mut Explorer<I>, (node, kind): Found<I::Fault>) -> Failure<I::Fault> {
        match kind {
            FailureKind::Event(e) => {
                let (trace, e) = explorer.trace_and(self, node, e);
                Failure { trace, kind: FailureKind::Event(e) }
            }
            kind => Failure { trace: explorer.trace(self, node), kind },
        }
    }

    /// Whether a stable state may offer no more than these.
    fn is_accepted(&mut self, set: SetId, steps: StepsOf<I::Fault>) -> bool {
        let mut offered: Vec<EventId> = steps.labels().filter_map(event).collect();
        offered.sort_unstable();
        offered.dedup();
        let accepted = self.sets.acceptances(set);
        match seeded::active(Bug::InvertedRefusals) {
            true => accepted.iter().any(|a| subset(&offered, a)),
            false => accepted.iter().any(|a| subset(a, &offered)),
        }
    }
}

impl<I: Lts, S: Lts> Task<I> for Inclusion<'_, I, S> {
    type Found = Found<I::Fault>;

    fn start(&mut self) -> Mark {
        self.sets.initial()
    }

    fn visit(
        &mut self,
        explorer: &mut Explorer<I>,
        node: NodeId,
        steps: StepsOf<I::Fault>,
    ) -> ControlFlow<Stop<Self::Found>, bool> {
        self.ample = false;
        let set = explorer.mark(node);
        let found = |kind| Break(Stop::Found((node, kind)));
        let fault = steps.fault();
        if let Some(fault) = fault {
            match fault.effect() {
                Effect::Gap => {
                    self.gap.get_or_insert_with(|| (node, FailureKind::Fault(fault.clone())));
                }
                Effect::Wrong | Effect::Endless => return found(FailureKind::Fault(fault.clone())),
            }
        }
        if self.problem.semantics == Semantics::FailuresDivergences {
            if self.sets.diverges(set) {
                return Continue(false);
            }
            if !seeded::active(Bug::IgnoredDivergence) {
                match explorer.diverges(&mut self.divergence, explorer.state(node)) {
                    Continue(false) => {}
                    Continue(true) => return found(FailureKind::Divergence),
                    Break(limit) => return Break(Stop::Limit(limit)),
                }
            }
        }
        let stable = fault.is_none() && steps.labels().all(|l| l != Label::Internal);
        if self.problem.semantics != Semantics::Traces && stable && !self.is_accepted(set, steps) {
            return found(FailureKind::Refusal);
        }
        Continue(true)
    }

    fn after(&mut self, set: Mark, label: Label) -> Option<Mark> {
        match label {
            Label::Internal => Some(set),
            Label::Event(e) => self.sets.after(set, e),
        }
    }

    fn follow(&mut self, node: NodeId, set: Mark, label: Label) -> ControlFlow<Self::Found, Option<Mark>> {
        if self.ample {
            return Continue(None);
        }
        self.ample = seeded::active(Bug::UnsoundAmple) && label == Label::Internal;
        let after = self.after(set, label);
        if let (None, Label::Event(e)) = (after, label) {
            let found = (node, FailureKind::Event(e));
            if self.problem.semantics == Semantics::Traces || self.problem.order == Order::Depth {
                return Break(found);
            }
            self.excess.get_or_insert(found);
        }
        Continue(after)
    }

    fn rest(&mut self) -> Option<Self::Found> {
        self.excess.take()
    }

    fn covers(&mut self, a: Mark, b: Mark) -> bool {
        self.problem.antichain
            && match seeded::active(Bug::InvertedAntichain) {
                true => self.sets.is_subset(b, a),
                false => self.sets.is_subset(a, b),
            }
    }

    fn image(&mut self, symmetry: &dyn Symmetry, perm: Perm, set: Mark) -> Mark {
        self.sets.image(symmetry, perm, set)
    }

    fn counts(&self, explorer: &Explorer<I>) -> Counts {
        let tally = self.tally(explorer);
        Counts { states: tally.pairs, bytes: tally.bytes, ..Counts::default() }
    }
}

fn event(label: Label) -> Option<EventId> {
    match label {
        Label::Internal => None,
        Label::Event(e) => Some(e),
    }
}
