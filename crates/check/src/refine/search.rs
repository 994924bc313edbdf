//! The product of an implementation with the determinised specification.
//!
//! Pairs `(i, S)` are visited in order of the visible events it takes to reach them: internal
//! steps stay in the level, visible ones go to the next. So the first failure found has the
//! shortest visible trace, whatever reductions are on. An event that is not allowed is one event
//! longer than a refusal or divergence of its level, so it waits until the level is done.

use super::antichain::{NONE, Pairs};
use super::divergence::Divergence;
use super::sets::{EventId, SetId, SpecSets, subset};
use super::space::{Expansion, Space};
use super::symmetry::{IDENTITY, Perm, Symmetry};
use super::table::Table;
use crate::seeded::{self, Bug};
use lineal_model::lts::Label;
use lineal_model::process::{Fault, FaultKind, Semantics};
use lineal_model::{Counts, Effort, Limit, Observer};
use std::ops::ControlFlow::Break;

/// What to check, and how.
pub struct Problem<'p, I: Space, S: Space> {
    pub imp: &'p I,
    pub spec: &'p S,
    pub semantics: Semantics,
    pub antichain: bool,
    pub symmetry: Option<&'p dyn Symmetry>,
}

#[derive(Debug)]
pub enum Outcome {
    Holds,
    Violated(Failure),
    Unknown(Limit),
}

/// What went wrong after `trace`.
#[derive(Clone, Debug)]
pub struct Failure {
    pub trace: Vec<EventId>,
    pub kind: FailureKind,
}

#[derive(Clone, Debug)]
pub enum FailureKind {
    /// An event the specification does not allow.
    Event(EventId),
    /// A stable state that offers too little.
    Refusal,
    Divergence,
    Fault(Fault),
}

#[derive(Clone, Copy, Debug, Default)]
pub struct Tally {
    pub states: u64,
    pub pairs: u64,
    pub spec_states: u64,
    pub sets: u64,
    pub bytes: u64,
}

/// Pairs expanded between two looks at the limits.
const BATCH: usize = 512;

struct Search<'p, I: Space + Sync, S: Space> {
    problem: &'p Problem<'p, I, S>,
    table: Table,
    sets: SpecSets<'p, S>,
    pairs: Pairs,
    perms: Vec<Perm>,
    now: Vec<u32>,
    next: Vec<u32>,
    divergence: Divergence,
    canonical: Vec<u8>,
    /// An event that is not allowed, found in this level.
    excess: Option<Failure>,
    /// Where the implementation cannot be followed: the search goes on elsewhere, but cannot end
    /// in *holds*.
    gap: Option<Failure>,
}

pub fn run<I: Space + Sync, S: Space>(
    problem: &Problem<I, S>,
    effort: &Effort,
    watch: &dyn Observer,
) -> (Outcome, Tally) {
    let sets = SpecSets::new(problem.spec);
    let mut search = Search {
        problem,
        table: Table::default(),
        sets,
        pairs: Pairs::new(problem.antichain),
        perms: Vec::new(),
        now: Vec::new(),
        next: Vec::new(),
        divergence: Divergence::default(),
        canonical: Vec::new(),
        excess: None,
        gap: None,
    };
    let outcome = search.explore(effort, watch);
    let tally = search.tally();
    match search.sets.fault.take() {
        Some(fault) if !matches!(outcome, Outcome::Unknown(_)) => {
            let limit = Limit::method(format!("the specification itself cannot be run: {}", fault.message));
            (Outcome::Unknown(limit), tally)
        }
        _ => (outcome, tally),
    }
}

impl<I: Space + Sync, S: Space> Search<'_, I, S> {
    fn tally(&self) -> Tally {
        Tally {
            states: self.table.len() as u64,
            pairs: self.pairs.len() as u64,
            spec_states: self.sets.states.len() as u64,
            sets: self.sets.len() as u64,
            bytes: self.table.size()
                + self.problem.imp.size()
                + self.sets.size()
                + self.pairs.size()
                + 2 * self.perms.capacity() as u64
                + 4 * (self.now.capacity() + self.next.capacity()) as u64,
        }
    }

    fn explore(&mut self, effort: &Effort, watch: &dyn Observer) -> Outcome {
        let mut first = Expansion::default();
        self.problem.imp.initial(&mut first);
        let set = self.sets.initial();
        for i in 0..first.len() {
            self.discover(first.state(i), set, NONE, Label::Internal);
        }
        let mut expansions: Vec<Expansion> = Vec::new();
        loop {
            let mut at = 0;
            while at < self.now.len() {
                let tally = self.tally();
                let counts = Counts { states: tally.pairs, bytes: tally.bytes, ..Counts::default() };
                if let Break(limit) = effort.charge(counts, watch) {
                    return Outcome::Unknown(super::space::explain(self.problem.imp, &self.table, limit));
                }
                let end = self.now.len().min(at + BATCH);
                let batch: Vec<u32> =
                    self.now[at..end].iter().copied().filter(|p| !self.pairs.is_dropped(*p)).collect();
                at = end;
                let states: Vec<&[u8]> =
                    batch.iter().map(|p| self.table.get(self.pairs.get(*p).state)).collect();
                super::parallel::expand(self.problem.imp, &states, effort.jobs, &mut expansions);
                for (pair, expansion) in batch.iter().zip(&expansions) {
                    if let Some(failure) = self.step(*pair, expansion) {
                        return Outcome::Violated(failure);
                    }
                }
            }
            if let Some(failure) = self.excess.take() {
                return Outcome::Violated(failure);
            }
            self.now = std::mem::take(&mut self.next);
            if self.now.is_empty() {
                return self.gap.take().map_or(Outcome::Holds, Outcome::Violated);
            }
            self.now.iter().for_each(|p| self.pairs.arrive(*p));
        }
    }

    /// Checks one pair and queues its successors.
    fn step(&mut self, id: u32, out: &Expansion) -> Option<Failure> {
        let pair = self.pairs.get(id);
        if let Some(fault) = &out.fault {
            let failure = self.failure(id, FailureKind::Fault(fault.clone()));
            match fault.kind {
                FaultKind::Unguarded | FaultKind::Expansion => self.gap = self.gap.take().or(Some(failure)),
                _ => return Some(failure),
            }
        }
        if self.problem.semantics == Semantics::FailuresDivergences {
            if self.sets.diverges(pair.set) {
                return None;
            }
            if !seeded::active(Bug::IgnoredDivergence) && self.diverges(pair.state) {
                return Some(self.failure(id, FailureKind::Divergence));
            }
        }
        let stable = out.fault.is_none() && out.labels().all(|l| l != Label::Internal);
        if self.problem.semantics != Semantics::Traces && stable {
            let mut offered: Vec<EventId> = out.labels().filter_map(event).collect();
            offered.sort_unstable();
            offered.dedup();
            let accepted = self.sets.acceptances(pair.set);
            let fine = match seeded::active(Bug::InvertedRefusals) {
                true => accepted.iter().any(|a| subset(&offered, a)),
                false => accepted.iter().any(|a| subset(a, &offered)),
            };
            if !fine {
                return Some(self.failure(id, FailureKind::Refusal));
            }
        }
        for i in 0..out.len() {
            let label = out.label(i);
            let set = match label {
                Label::Internal => pair.set,
                Label::Event(e) => match self.sets.after(pair.set, e) {
                    Some(set) => set,
                    None if self.problem.semantics == Semantics::Traces => {
                        return Some(self.failure(id, FailureKind::Event(e)));
                    }
                    None => {
                        if self.excess.is_none() {
                            self.excess = Some(self.failure(id, FailureKind::Event(e)));
                        }
                        continue;
                    }
                },
            };
            self.discover(out.state(i), set, id, label);
            if seeded::active(Bug::UnsoundAmple) && label == Label::Internal {
                break;
            }
        }
        None
    }

    fn discover(&mut self, state: (&[u8], &[u8]), set: SetId, parent: u32, label: Label) {
        let (mut perm, mut set) = (IDENTITY, set);
        let state = match self.problem.symmetry {
            None => self.table.insert(state.0, state.1).0,
            Some(symmetry) => {
                let key;
                (perm, key) = symmetry.canonical(state.0, &mut self.canonical);
                set = permuted(symmetry, &mut self.sets, perm, set);
                self.table.insert(&self.canonical[..key], &self.canonical[key..]).0
            }
        };
        let visible = label != Label::Internal;
        if let Some(id) = self.pairs.insert(state, set, parent, visible, &mut self.sets) {
            if self.problem.symmetry.is_some() {
                self.perms.push(perm);
            }
            if visible { &mut self.next } else { &mut self.now }.push(id);
        }
    }

    fn diverges(&mut self, state: u32) -> bool {
        let (table, imp, symmetry) = (&mut self.table, self.problem.imp, self.problem.symmetry);
        let mut out = Expansion::default();
        let mut bytes = Vec::new();
        self.divergence.diverges(state, &mut |s| {
            out.clear();
            imp.expand(table.get(s), &mut out);
            (0..out.len())
                .filter(|i| out.label(*i) == Label::Internal)
                .map(|i| match symmetry {
                    None => table.insert(out.state(i).0, out.state(i).1).0,
                    Some(symmetry) => {
                        let (_, key) = symmetry.canonical(out.state(i).0, &mut bytes);
                        table.insert(&bytes[..key], &bytes[key..]).0
                    }
                })
                .collect()
        })
    }

    /// The visible trace to a pair, its labels as the system itself would give them: found by
    /// expanding the path again.
    fn failure(&mut self, id: u32, kind: FailureKind) -> Failure {
        let mut path = vec![id];
        while self.pairs.get(path[path.len() - 1]).parent != NONE {
            path.push(self.pairs.get(path[path.len() - 1]).parent);
        }
        path.reverse();
        let symmetry = self.problem.symmetry;
        // Maps the path's own names back to those of the run.
        let mut back = match symmetry {
            Some(s) => s.inverse(self.perms[path[0] as usize]),
            None => IDENTITY,
        };
        let mut trace = Vec::new();
        let mut out = Expansion::default();
        for step in path.windows(2) {
            let (from, to) = (self.pairs.get(step[0]), self.pairs.get(step[1]));
            if self.pairs.is_visible(step[1]) {
                out.clear();
                self.problem.imp.expand(self.table.get(from.state), &mut out);
                let event = (0..out.len()).find_map(|i| {
                    let Label::Event(e) = out.label(i) else { return None };
                    let mut set = self.sets.after(from.set, e)?;
                    let state = match symmetry {
                        None => self.table.insert(out.state(i).0, out.state(i).1).0,
                        Some(symmetry) => {
                            let mut bytes = Vec::new();
                            let (p, key) = symmetry.canonical(out.state(i).0, &mut bytes);
                            if p != self.perms[step[1] as usize] {
                                return None;
                            }
                            set = permuted(symmetry, &mut self.sets, p, set);
                            self.table.insert(&bytes[..key], &bytes[key..]).0
                        }
                    };
                    (state == to.state && set == to.set).then_some(e)
                });
                let event = event.expect("the step that discovered the pair");
                trace.push(symmetry.map_or(event, |s| s.event(back, event)));
            }
            if let Some(s) = symmetry {
                // run = back(from); to = perm(successor of from), so run' = back ∘ perm⁻¹ (to).
                back = s.compose(back, s.inverse(self.perms[step[1] as usize]));
            }
        }
        let kind = match (kind, symmetry) {
            (FailureKind::Event(e), Some(s)) => FailureKind::Event(s.event(back, e)),
            (kind, _) => kind,
        };
        Failure { trace, kind }
    }
}

fn event(label: Label) -> Option<EventId> {
    match label {
        Label::Internal => None,
        Label::Event(e) => Some(e),
    }
}

/// The image of a specification set.
fn permuted<S: Space>(symmetry: &dyn Symmetry, sets: &mut SpecSets<S>, perm: Perm, set: SetId) -> SetId {
    if perm == IDENTITY {
        return set;
    }
    if let Some(known) = sets.permuted.get(&(perm, set)) {
        return *known;
    }
    let members = sets.members(set).clone();
    let mut image = Vec::with_capacity(members.len());
    for member in members.iter() {
        let mut bytes = Vec::new();
        let key = symmetry.spec_state(perm, sets.states.get(*member), &mut bytes);
        image.push(sets.intern((&bytes[..key], &bytes[key..])));
    }
    image.sort_unstable();
    let id = sets.store(image);
    sets.permuted.insert((perm, set), id);
    id
}
