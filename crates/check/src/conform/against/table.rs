//! All executions of the specification in one client, by what the calls answer.
//!
//! Kept are those that matter: of two with the same answers, one that dominates the other is
//! enough, since it fits wherever the other does. Reductions leave out nothing else: each of them
//! drops executions for one that answers the same, sees no more and allows no less
//! ([`crate::graph`]). Calls that only their values tell apart are not taken for one another here.

use super::side::Side;
use crate::conform::observe::{self, Mask, Observation, Span};
use crate::conform::{Call, spec};
use crate::graph::{self, Leaf};
use crate::reference::Trouble;
use lineal_model::adt::Kind;
use lineal_model::object::Outcome;
use lineal_model::{Limit, Memory, Stats};
use rustc_hash::FxHashMap;
use std::sync::Mutex;

/// More executions that differ are not kept.
const MOST: usize = 400_000;

/// What the specification does in one client.
#[derive(Debug, Default)]
pub struct Table {
    sides: FxHashMap<Vec<Outcome>, Vec<Side>>,
    pub stats: Stats,
    /// A bound cut executions off: what is not here may be possible all the same.
    pub cut: Option<lineal_model::Bound>,
}

impl Table {
    /// The executions with these answers.
    pub fn with(&self, outcomes: &[Outcome]) -> &[Side] {
        self.sides.get(outcomes).map_or(&[], |sides| sides)
    }

    /// All answers there are.
    pub fn answers(&self) -> impl Iterator<Item = &Vec<Outcome>> {
        self.sides.keys()
    }
}

/// Collects what the specification does.
#[derive(Debug)]
pub struct Collector {
    pub calls: Vec<Call>,
    pub kind: Kind,
    pub memory: Memory,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    sides: FxHashMap<Vec<Outcome>, Vec<Side>>,
    kept: usize,
    trouble: Option<Trouble>,
}

impl Collector {
    pub fn new(calls: Vec<Call>, kind: Kind, memory: Memory) -> Self {
        Collector { calls, kind, memory, state: Mutex::default() }
    }

    /// What was found, or why nothing follows from it.
    pub fn table(&self) -> Result<Table, Trouble> {
        let State { sides, trouble, .. } = std::mem::take(&mut *self.state());
        match trouble {
            Some(trouble) => Err(trouble),
            None => Ok(Table { sides, ..Table::default() }),
        }
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

impl graph::Judge for Collector {
    fn allows(&self, leaf: &dyn Leaf) -> bool {
        let Some(spans) = observe::spans(leaf, &self.calls) else { return true };
        let mut seen = observe::observe(leaf, &self.calls, &spans);
        spec::normalise(self.kind, &self.calls, &mut seen.outcomes);
        let side = Side::new(leaf, self.memory, &spans, &seen, true);
        let mut state = self.state();
        if synchronised_before(leaf, &spans, &seen) {
            state.trouble.get_or_insert_with(early);
        }
        let State { sides, kept, trouble } = &mut *state;
        let known = sides.entry(seen.outcomes).or_default();
        if !known.iter().any(|k| k.dominates(&side) || k.is_like(&side)) {
            let before = known.len();
            known.retain(|k| !side.dominates(k));
            known.push(side);
            *kept = *kept + known.len() - before;
            if *kept > MOST {
                trouble.get_or_insert_with(|| {
                    Trouble::Limit(Limit::method(format!(
                        "the specification has more than {MOST} executions that differ in one client"
                    )))
                });
            }
        }
        // Where nothing can be said, nothing more needs to be explored.
        state.trouble.is_none()
    }
}

/// Whether a call begins after something of another thread, though no client made it wait: what
/// starts a thread (`thread_init`) synchronised.
pub fn synchronised_before(leaf: &dyn Leaf, spans: &[Span], seen: &Observation) -> bool {
    let own = |i: usize, j: usize| spans[i].end.thread() == spans[j].begin.thread();
    let before = |j: usize| {
        let begin = spans[j].begin;
        let sees = |i: &usize| leaf.hb(begin, spans[*i].begin.thread()) > spans[*i].begin.index();
        (0..spans.len()).filter(|&i| i != j && !own(i, j)).filter(sees).fold(0, |m: Mask, i| m | 1 << i)
    };
    // A thread's earlier calls may have seen anything.
    let first = |j: usize| !(0..spans.len()).any(|i| i != j && own(i, j) && seen.before[j] >> i & 1 == 1);
    (0..spans.len()).any(|j| first(j) && before(j) != 0)
}

pub fn early() -> Trouble {
    Trouble::Limit(Limit::method(
        "what starts a thread (thread_init) synchronises with calls, which is not compared with another object",
    ))
}
