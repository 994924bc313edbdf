//! The verdict on one execution, remembered for all executions that look the same.

use super::Contract;
use super::extend::{Extensions, OnCalls, Search};
use super::missing::Missing;
use super::observe::{self, Back, Mask, Observation};
use super::orders::Orders;
use super::recheck::OnEvents;
use super::spec::{Spec, WithSpec, with_spec};
use super::waiting;
use crate::graph::{self, Leaf};
use crate::reference::Trouble;
use crate::replay::calls::Violation;
use crate::seeded::{self, Bug};
use lineal_model::{LimitKind, Memory};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Mutex;

/// Executions to remember.
const MOST: usize = 500_000;

#[derive(Debug)]
pub struct Judge {
    pub contract: Contract,
    pub memory: Memory,
    state: Mutex<State>,
}

#[derive(Clone, Debug, Default)]
struct State {
    /// Executions that are allowed, by what decides about them.
    allowed: FxHashSet<(Observation, Back)>,
    /// What was found wrong, by what was seen.
    violations: FxHashMap<Observation, Vec<Violation>>,
    /// What the specification could not say, first.
    trouble: Option<Trouble>,
    stats: Stats,
}

/// What the judge has seen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Executions in which every call was made and returned.
    pub judged: u64,
    /// Executions that looked like an earlier one.
    pub cached: u64,
    /// Nodes of the searches for edges.
    pub extensions: u64,
    /// Nodes of the searches for orders.
    pub orders: u64,
    /// A call left writes in its store buffer.
    pub leaves_writes: bool,
}

impl Judge {
    pub fn new(contract: Contract, memory: Memory) -> Self {
        Judge { contract, memory, state: Mutex::default() }
    }

    pub fn stats(&self) -> Stats {
        self.state().stats
    }

    /// What was found wrong with executions that look so to their calls.
    pub fn violations(&self, observation: &Observation) -> Vec<Violation> {
        self.state().violations.get(observation).cloned().unwrap_or_default()
    }

    /// Why some execution could not be decided about, if so.
    pub fn trouble(&self) -> Option<Trouble> {
        self.state().trouble.clone()
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// `None`: the execution is as it should be.
    pub fn violation(&self, leaf: &dyn Leaf) -> Result<Option<Violation>, Trouble> {
        let Some(spans) = observe::spans(leaf, &self.contract.calls) else { return Ok(None) };
        let observation = observe::observe(leaf, &self.contract.calls, &spans);
        self.state().stats.judged += 1;
        let buffered = self.memory == Memory::Tso && observe::leaves_writes(leaf, &spans);
        let by_events = self.contract.extend && self.memory == Memory::Rc11 && leaf.sc_events() >= 2;
        let mut back = match self.contract.extend {
            true => observe::back(leaf, self.memory, &spans, &observation.hb),
            false => Back { segments: Vec::new(), back: Vec::new(), porf: Vec::new() },
        };
        if seeded::active(Bug::NoEco) {
            back.back.clone_from(&back.segments);
        }
        if seeded::active(Bug::NoPorf) {
            back.porf.clear();
        }
        let key = (observation, back);
        {
            let mut state = self.state();
            if state.allowed.contains(&key) {
                state.stats.cached += 1;
                state.stats.leaves_writes |= buffered;
                return Ok(None);
            }
        }
        let extensions = OnCalls { hb: &key.0.hb, back: &key.1 };
        let mut violation = self.decide(leaf, &key.0, &extensions, buffered)?;
        if violation.is_none() {
            let mut state = self.state();
            if state.allowed.len() >= MOST {
                state.allowed.clear();
            }
            state.allowed.insert(key);
            return Ok(None);
        }
        // Calls alone tell too little: more clients seem to be there, or more to be missed, than
        // is. What is found out from here on is true of this execution only.
        if self.memory == Memory::Tso {
            violation = self.missing(leaf, &spans, &key.0)?;
        } else if by_events {
            let events = OnEvents::new(leaf, &spans, &key.0.hb);
            violation = self.decide(leaf, &key.0, &events, buffered)?;
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

    /// What is wrong with an execution under tso, in which something does not happen before what
    /// it should.
    fn missing(
        &self,
        leaf: &dyn Leaf,
        spans: &[observe::Span],
        observation: &Observation,
    ) -> Result<Option<Violation>, Trouble> {
        let reach = observe::Reach::new(leaf, spans);
        let task = Misses { contract: &self.contract, leaf, observation, reach: &reach };
        self.settled(leaf, with_spec(&self.contract, &observation.outcomes, task))
    }

    fn decide(
        &self,
        leaf: &dyn Leaf,
        observation: &Observation,
        extensions: &dyn Extensions,
        buffered: bool,
    ) -> Result<Option<Violation>, Trouble> {
        // Under sc linearizable objects synchronise: see [`super::missing`].
        let synchronised = self.memory != Memory::Sc;
        let task = Decide { contract: &self.contract, leaf, observation, extensions, synchronised };
        let (violation, nodes, orders) = with_spec(&self.contract, &observation.outcomes, task);
        {
            let mut state = self.state();
            state.stats.extensions += nodes;
            state.stats.orders += orders;
            state.stats.leaves_writes |= buffered;
        }
        self.settled(leaf, violation)
    }

    /// Trouble is remembered; but an execution of a sample is given up for others.
    fn settled(
        &self,
        leaf: &dyn Leaf,
        found: Result<Option<Violation>, Trouble>,
    ) -> Result<Option<Violation>, Trouble> {
        match &found {
            Err(Trouble::Limit(limit)) if limit.kind == LimitKind::Sampled => return Ok(None),
            Err(trouble) if leaf.is_certain() => {
                self.state().trouble.get_or_insert_with(|| trouble.clone());
            }
            _ => {}
        }
        found
    }
}

impl graph::Judge for Judge {
    fn allows(&self, leaf: &dyn Leaf) -> bool {
        // Where nothing can be said, nothing more needs to be explored: see [`Judge::trouble`].
        matches!(self.violation(leaf), Ok(None))
    }

    fn expects(&self, blocked: &dyn Leaf) -> bool {
        waiting::expected(&self.contract, blocked)
    }
}

struct Decide<'a> {
    contract: &'a Contract,
    leaf: &'a dyn Leaf,
    observation: &'a Observation,
    extensions: &'a dyn Extensions,
    synchronised: bool,
}

impl WithSpec for Decide<'_> {
    type Out = (Result<Option<Violation>, Trouble>, u64, u64);

    fn with<S: Spec>(self, spec: &S) -> Self::Out {
        let Contract { calls, rules, extend, .. } = self.contract;
        let rules = if seeded::active(Bug::NoSync) { &[][..] } else { rules };
        let extend = *extend && !seeded::active(Bug::NoExtend);
        let go_on = || self.leaf.go_on();
        let orders = Orders::new(spec, self.contract, rules, &self.observation.outcomes, &go_on);
        let mut search = Search::new(orders, self.observation, self.extensions);
        search.synchronised = self.synchronised;
        let none: Vec<Mask> = vec![0; calls.len()];
        let mut likely = if extend { search.single() } else { none.clone() };
        if seeded::active(Bug::OneEdge) {
            search.deepest = 1;
        }
        let violation = match search.refute(&none, &mut likely) {
            None => None,
            Some(edges) if edges == none => Some(match search.explain(&none, &none, false) {
                Some(_) => Violation::Sync,
                // The threads of the client itself order too much.
                None if search.answers_fit() => Violation::Client(none),
                None => Violation::Result,
            }),
            Some(edges) => Some(Violation::Client(search.shrink(edges))),
        };
        let nodes = search.orders.nodes;
        let decided = match search.orders.trouble.take() {
            Some(trouble) => Err(trouble),
            None => Ok(violation),
        };
        (decided, search.nodes, nodes)
    }
}

struct Misses<'a> {
    contract: &'a Contract,
    leaf: &'a dyn Leaf,
    observation: &'a Observation,
    reach: &'a observe::Reach,
}

impl WithSpec for Misses<'_> {
    type Out = Result<Option<Violation>, Trouble>;

    fn with<S: Spec>(self, spec: &S) -> Self::Out {
        let Contract { calls, rules, .. } = self.contract;
        let rules = if seeded::active(Bug::NoSync) { &[][..] } else { rules };
        let Observation { outcomes, before, .. } = self.observation;
        let go_on = || self.leaf.go_on();
        let orders = Orders::new(spec, self.contract, rules, outcomes, &go_on);
        let mut search = Missing { orders, before, reach: self.reach, extend: self.contract.extend };
        let violation = search.refute().map(|edges| {
            let none: Vec<Mask> = vec![0; calls.len()];
            match edges == none {
                false => Violation::Client(edges),
                true if search.explain(&none, &none, &none).is_some() => Violation::Sync,
                // The threads of the client itself order too much.
                true if search.answers_fit() => Violation::Client(none),
                true => Violation::Result,
            }
        });
        match search.orders.trouble.take() {
            Some(trouble) => Err(trouble),
            None => Ok(violation),
        }
    }
}
