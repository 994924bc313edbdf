//! Properties of one system, decided in each of its states.
//!
//! A run that faults ends the search, unless a goal is looked for: whether that is reached must not
//! depend on what is met first. Where a process cannot be followed (a *gap*: it calls itself without
//! a step, or an index set is too large) the search goes on elsewhere, and finding nothing then
//! means nothing.

use super::divergence::Divergence;
use super::search::{FailureKind, Outcome, Tally};
use super::space::{Expansion, Space};
use super::symmetry::{IDENTITY, Perm, Symmetry};
use super::table::Table;
use lineal_model::lts::Label;
use lineal_model::process::FaultKind;
use lineal_model::{Counts, Effort, Limit, Observer};
use std::ops::ControlFlow::Break;

/// What to look for. Each is asked of a packed state and its steps.
pub enum Quarry<'q> {
    /// The first state for which this says yes.
    State(&'q mut dyn FnMut(&[u8], &Expansion) -> bool),
    /// The same, whatever happens in other runs.
    Goal(&'q mut dyn FnMut(&[u8]) -> bool),
    /// A state from which internal steps can go on for ever.
    Divergence,
}

pub enum Found {
    Nothing,
    /// The visible trace to a state.
    At(Vec<u32>),
    /// For a goal: nothing, and some run faults.
    Fault(super::search::Failure),
    Unknown(Limit),
}

impl Found {
    pub fn outcome(self, kind: FailureKind) -> Outcome {
        match self {
            Found::Nothing => Outcome::Holds,
            Found::At(trace) => Outcome::Violated(super::search::Failure { trace, kind }),
            Found::Fault(failure) => Outcome::Violated(failure),
            Found::Unknown(limit) => Outcome::Unknown(limit),
        }
    }
}

struct Node {
    parent: u32,
    level: u32,
    perm: Perm,
}

const ROOT: u32 = u32::MAX;
const BATCH: usize = 512;

/// Visits every state, those with the fewest visible events first.
pub fn explore<I: Space + Sync>(
    space: &I,
    symmetry: Option<&dyn Symmetry>,
    mut quarry: Quarry,
    effort: &Effort,
    watch: &dyn Observer,
) -> (Found, Tally) {
    let mut walk = Walk { space, symmetry, table: Table::default(), nodes: Vec::new(), bytes: Vec::new() };
    let mut divergence = Divergence::default();
    let mut first = Expansion::default();
    space.initial(&mut first);
    let (mut now, mut next) = (Vec::new(), Vec::new());
    for i in 0..first.len() {
        now.extend(walk.discover(first.state(i), ROOT, 0));
    }
    let mut expansions = Vec::new();
    let (mut gap, mut wrong) = (None, None);
    loop {
        let mut at = 0;
        while at < now.len() {
            let tally = walk.tally();
            let counts = Counts { states: tally.states, bytes: tally.bytes, ..Counts::default() };
            if let Break(limit) = effort.charge(counts, watch) {
                return (Found::Unknown(super::space::explain(space, &walk.table, limit)), tally);
            }
            let batch: Vec<u32> = now[at..now.len().min(at + BATCH)].to_vec();
            at += batch.len();
            let states: Vec<&[u8]> = batch.iter().map(|s| walk.table.get(*s)).collect();
            super::parallel::expand(space, &states, effort.jobs, &mut expansions);
            for (id, out) in batch.iter().zip(&expansions) {
                if let Some(fault) = &out.fault {
                    let kind = FailureKind::Fault(fault.clone());
                    let failure = super::search::Failure { trace: walk.trace(*id), kind };
                    let slot = match (&quarry, fault.kind) {
                        (_, FaultKind::Unguarded | FaultKind::Expansion) => &mut gap,
                        (Quarry::Goal(_), kind) if kind != FaultKind::Growth => &mut wrong,
                        _ => return (Found::Fault(failure), walk.tally()),
                    };
                    slot.get_or_insert(failure);
                }
                let found = match &mut quarry {
                    Quarry::State(_) if out.fault.is_some() => false,
                    Quarry::State(is) => is(walk.table.get(*id), out),
                    Quarry::Goal(is) => is(walk.table.get(*id)),
                    Quarry::Divergence => walk.diverges(&mut divergence, *id),
                };
                if found {
                    return (Found::At(walk.trace(*id)), walk.tally());
                }
                let level = walk.nodes[*id as usize].level;
                for i in 0..out.len() {
                    let visible = out.label(i) != Label::Internal;
                    let new = walk.discover(out.state(i), *id, level + visible as u32);
                    if visible { &mut next } else { &mut now }.extend(new);
                }
            }
        }
        if next.is_empty() {
            return (gap.or(wrong).map_or(Found::Nothing, Found::Fault), walk.tally());
        }
        now = std::mem::take(&mut next);
    }
}

struct Walk<'w, I: Space> {
    space: &'w I,
    symmetry: Option<&'w dyn Symmetry>,
    table: Table,
    /// By state.
    nodes: Vec<Node>,
    bytes: Vec<u8>,
}

impl<I: Space> Walk<'_, I> {
    fn tally(&self) -> Tally {
        Tally {
            states: self.table.len() as u64,
            bytes: self.table.size() + 12 * self.nodes.capacity() as u64 + self.space.size(),
            ..Tally::default()
        }
    }

    fn number(&mut self, state: (&[u8], &[u8])) -> (u32, Perm) {
        match self.symmetry {
            None => (self.table.insert(state.0, state.1).0, IDENTITY),
            Some(symmetry) => {
                let (perm, key) = symmetry.canonical(state.0, &mut self.bytes);
                (self.table.insert(&self.bytes[..key], &self.bytes[key..]).0, perm)
            }
        }
    }

    fn discover(&mut self, state: (&[u8], &[u8]), parent: u32, level: u32) -> Option<u32> {
        let (id, perm) = self.number(state);
        while self.nodes.len() <= id as usize {
            // Numbered while looking for divergence, not reached by the search yet.
            self.nodes.push(Node { parent: ROOT, level: u32::MAX, perm: IDENTITY });
        }
        let node = &mut self.nodes[id as usize];
        // A state first met by a visible step may turn up again in the level before.
        (level < node.level).then(|| {
            *node = Node { parent, level, perm };
            id
        })
    }

    fn diverges(&mut self, divergence: &mut Divergence, id: u32) -> bool {
        let mut out = Expansion::default();
        divergence.diverges(id, &mut |s| {
            out.clear();
            self.space.expand(self.table.get(s), &mut out);
            let internal: Vec<usize> = (0..out.len()).filter(|i| out.label(*i) == Label::Internal).collect();
            internal.into_iter().map(|i| self.number(out.state(i)).0).collect()
        })
    }

    fn trace(&mut self, id: u32) -> Vec<u32> {
        let mut path = vec![id];
        while self.nodes[path[path.len() - 1] as usize].parent != ROOT {
            path.push(self.nodes[path[path.len() - 1] as usize].parent);
        }
        path.reverse();
        let mut back = match self.symmetry {
            Some(s) => s.inverse(self.nodes[path[0] as usize].perm),
            None => IDENTITY,
        };
        let mut trace = Vec::new();
        let mut out = Expansion::default();
        for step in path.windows(2) {
            let perm = self.nodes[step[1] as usize].perm;
            if self.nodes[step[0] as usize].level < self.nodes[step[1] as usize].level {
                out.clear();
                self.space.expand(self.table.get(step[0]), &mut out);
                let event = (0..out.len()).find_map(|i| {
                    let Label::Event(e) = out.label(i) else { return None };
                    (self.number(out.state(i)) == (step[1], perm)).then_some(e)
                });
                let event = event.expect("the step that discovered the state");
                trace.push(self.symmetry.map_or(event, |s| s.event(back, event)));
            }
            if let Some(s) = self.symmetry {
                back = s.compose(back, s.inverse(perm));
            }
        }
        trace
    }
}
