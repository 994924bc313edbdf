//! The verdict on one execution of the object, remembered for all executions that look the same.

use super::refute::{self, Search};
use super::side::{Ends, Extension, Side};
use super::table::{Table, early, synchronised_before};
use crate::conform::observe::{self, Back, Mask, Observation, Reach, Span};
use crate::conform::{Call, judge, spec};
use crate::graph::{self, Leaf};
use crate::reference::Trouble;
use crate::replay::calls::{Edges, Violation};
use crate::seeded::{self, Bug};
use lineal_model::adt::Kind;
use lineal_model::object::Outcome;
use lineal_model::run::Loc;
use lineal_model::{Limit, Memory};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::{Arc, Mutex};

/// Executions to remember.
const MOST: usize = 500_000;

#[derive(Debug)]
pub struct Judge {
    pub calls: Vec<Call>,
    pub kind: Kind,
    pub memory: Memory,
    /// Ask about more constrained clients too.
    pub extend: bool,
    pub table: Arc<Table>,
    state: Mutex<State>,
}

type Key = (Observation, (Back, Option<Reach>));

#[derive(Debug, Default)]
struct State {
    allowed: FxHashSet<Key>,
    violations: FxHashMap<Observation, Vec<Violation>>,
    trouble: Option<Trouble>,
    /// Some execution could not be decided about.
    open: bool,
    stats: judge::Stats,
}

impl Judge {
    pub fn new(calls: Vec<Call>, kind: Kind, memory: Memory, extend: bool, table: Arc<Table>) -> Self {
        Judge { calls, kind, memory, extend, table, state: Mutex::default() }
    }

    pub fn stats(&self) -> judge::Stats {
        self.state().stats
    }

    pub fn trouble(&self) -> Option<Trouble> {
        self.state().trouble.clone()
    }

    /// Why nothing follows where nothing was found wrong, if so.
    pub fn open(&self) -> Option<Limit> {
        self.state().open.then(|| {
            Limit::method(
                "whether the specification does the same depends on when writes of the client reach memory, \
                 which is not followed in every detail",
            )
        })
    }

    /// What was found wrong with executions that look so to their calls.
    pub fn violations(&self, observation: &Observation) -> Vec<Violation> {
        self.state().violations.get(observation).cloned().unwrap_or_default()
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    fn violation(&self, leaf: &dyn Leaf) -> Result<Option<Violation>, Trouble> {
        let Some(spans) = observe::spans(leaf, &self.calls) else { return Ok(None) };
        let mut seen = observe::observe(leaf, &self.calls, &spans);
        spec::normalise(self.kind, &self.calls, &mut seen.outcomes);
        if synchronised_before(leaf, &spans, &seen) {
            return Err(early());
        }
        self.comparable(&seen)?;
        let rough = Side::new(leaf, self.memory, &spans, &seen, false);
        let key = (seen, rough.key());
        {
            let mut state = self.state();
            state.stats.judged += 1;
            state.stats.leaves_writes |= self.memory == Memory::Tso && observe::leaves_writes(leaf, &spans);
            if state.allowed.contains(&key) {
                state.stats.cached += 1;
                return Ok(None);
            }
        }
        let mut violation = self.decide(leaf, &spans, &key.0, &rough)?;
        if violation.is_none() {
            let mut state = self.state();
            if state.allowed.len() >= MOST {
                state.allowed.clear();
            }
            state.allowed.insert(key);
            return Ok(None);
        }
        // Calls alone tell too little: more seems to be allowed than is.
        if self.memory == Memory::Rc11 && leaf.sc_events() >= 2 {
            let exact = Side::new(leaf, self.memory, &spans, &key.0, true);
            violation = self.decide(leaf, &spans, &key.0, &exact)?;
        }
        if let Some(violation) = &violation {
            let mut state = self.state();
            let known = state.violations.entry(key.0).or_default();
            if !known.contains(violation) {
                known.push(violation.clone());
            }
        }
        Ok(violation)
    }

    fn decide(
        &self,
        leaf: &dyn Leaf,
        spans: &[Span],
        seen: &Observation,
        object: &Side,
    ) -> Result<Option<Violation>, Trouble> {
        let n = self.calls.len();
        let own = |j: usize| {
            let thread = |i: &usize| {
                spans[*i].begin.thread() == spans[j].end.thread() && spans[*i].begin <= spans[j].end
            };
            (0..n).filter(thread).fold(0, |m: Mask, i| m | 1 << i)
        };
        let own: Vec<Mask> = (0..n).map(own).collect();
        let candidates = self.table.with(&seen.outcomes);
        let go_on = || leaf.go_on();
        let mut search = Search {
            object,
            candidates,
            synchronised: matches!(self.memory, Memory::Ra | Memory::Rc11) && !seeded::active(Bug::NoSync),
            go_on: &go_on,
            nodes: 0,
            limit: None,
        };
        let order: &[Ends] = match (self.extend && !seeded::active(Bug::NoExtend), self.memory) {
            (true, Memory::Tso) => &[Ends::Order, Ends::Miss],
            (true, _) => &[Ends::Order],
            (false, Memory::Tso) => &[Ends::Miss],
            (false, _) => &[],
        };
        let found = search.refute(refute::edges(order, &seen.before, &own));
        let violation = found.map(|x| classify(&x, candidates));
        // Clients that tell by more than that are not put in words.
        let more = (violation.is_none() && self.extend && self.memory == Memory::Tso)
            .then(|| search.refute(refute::edges(&Ends::ALL, &seen.before, &own)))
            .flatten();
        self.state().stats.extensions += search.nodes;
        self.state().open |= more.is_some();
        match search.limit {
            Some(limit) => Err(Trouble::Limit(limit)),
            None => Ok(violation),
        }
    }

    /// Addresses of one program mean nothing in another.
    fn comparable(&self, seen: &Observation) -> Result<(), Trouble> {
        let given = |n: i64| self.calls.iter().any(|c| [c.value, c.key, c.prio].contains(&Some(n)));
        let address = |o: &Outcome| match *o {
            Outcome::Value(n) => n >= Loc::MAX_BLOCK as i64 && n < 1 << 47 && !given(n),
            _ => false,
        };
        if seen.outcomes.iter().any(address) {
            return Err(Trouble::Limit(Limit::method(
                "a call answers what may be an address, and addresses of two programs cannot be compared",
            )));
        }
        Ok(())
    }
}

fn classify(x: &Extension, candidates: &[Side]) -> Violation {
    let edges: &Edges = x.of(Ends::Order);
    if edges.iter().any(|&row| row != 0) {
        Violation::Client(edges.clone())
    } else if candidates.is_empty() {
        Violation::Result
    } else {
        Violation::Sync
    }
}

impl graph::Judge for Judge {
    fn allows(&self, leaf: &dyn Leaf) -> bool {
        match self.violation(leaf) {
            Ok(violation) => violation.is_none(),
            Err(trouble) => {
                self.state().trouble.get_or_insert(trouble);
                false
            }
        }
    }
}
