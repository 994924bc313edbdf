//! The one search: states level by level, each with a mark that walks beside it.
//!
//! A node is a state and a mark: the specification set of refinement, the place in a trace of a replay,
//! nothing at all. Nodes are visited in levels; with [`Levels::Visible`] internal steps stay in the
//! level and visible ones go to the next, so what is found first has the shortest visible trace,
//! whatever reductions are on; with [`Levels::Every`] it has the shortest run; with [`Levels::Deepest`]
//! there are no levels, what was found last is visited first, and nothing is shortest. A node that is covered
//! by another (`nodes`) is not visited. States are stored exactly, under symmetry their
//! representatives; the way to a node is found again by expanding its path.
//!
//! A [`Task`] says what to look for. It decides nothing about the order, so the search goes the same
//! way whatever the number of workers.

mod nodes;
mod path;

use super::divergence::Divergence;
use super::parallel::{Crew, Entry, Expanded, Expansion};
use super::shards::Shards;
use super::symmetry::{IDENTITY, Perm, Symmetry};
use super::table::{held, with_gaps};
use lineal_model::lts::{Label, Lts, Steps, StepsOf};
use lineal_model::{Counts, Effort, Limit, Observer};
use nodes::{NONE, Node, Nodes};
use std::collections::VecDeque;
use std::ops::ControlFlow::{self, Break, Continue};

pub use nodes::{Mark, NodeId, StateId};
pub use path::Taken;

/// Which steps lead to the next level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Levels {
    Visible,
    Every,
    /// None: depth first.
    Deepest,
}

/// Which states are visited first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// Those with the fewest visible events, so that witnesses have shortest traces.
    #[default]
    Breadth,
    /// Those found last.
    Depth,
}

impl Order {
    pub fn levels(self) -> Levels {
        match self {
            Order::Breadth => Levels::Visible,
            Order::Depth => Levels::Deepest,
        }
    }
}

/// What tells states apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Identity {
    Key,
    /// Also what is only carried along.
    Whole,
}

/// Why a search ends before it has seen everything.
#[derive(Debug)]
pub enum Stop<F> {
    Found(F),
    Limit(Limit),
}

/// What to look for.
pub trait Task<L: Lts> {
    type Found;

    /// The mark of the initial states.
    fn start(&mut self) -> Mark {
        0
    }

    /// Looks at a node and its steps; answers whether these are to be followed.
    fn visit(
        &mut self,
        explorer: &mut Explorer<L>,
        node: NodeId,
        steps: StepsOf<L::Fault>,
    ) -> ControlFlow<Stop<Self::Found>, bool>;

    /// The mark after a step; `None` if there is none, and the step is not followed.
    fn after(&mut self, mark: Mark, _: Label) -> Option<Mark> {
        Some(mark)
    }

    /// The same, on the way: what is not followed may be what was looked for.
    fn follow(&mut self, node: NodeId, mark: Mark, label: Label) -> ControlFlow<Self::Found, Option<Mark>> {
        let _ = node;
        Continue(self.after(mark, label))
    }

    /// A level is done.
    fn rest(&mut self) -> Option<Self::Found> {
        None
    }

    /// Whether what can be found from a state with mark `b` can be found from it with `a`.
    fn covers(&mut self, a: Mark, b: Mark) -> bool {
        a == b
    }

    fn image(&mut self, _: &dyn Symmetry, _: Perm, mark: Mark) -> Mark {
        mark
    }

    /// What to charge: by default states.
    fn counts(&self, explorer: &Explorer<L>) -> Counts {
        Counts { states: explorer.states.len() as u64, bytes: explorer.size(), ..Counts::default() }
    }
}

/// Nodes expanded at a time.
const BATCH: usize = 1024;
/// Batches that are begun before they are needed.
const AHEAD: usize = 2;
/// Steps followed between two looks at the limits.
const FEW: usize = 128;

pub struct Explorer<'e, L: Lts> {
    pub lts: &'e L,
    pub states: Shards,
    symmetry: Option<&'e dyn Symmetry>,
    levels: Levels,
    identity: Identity,
    watch: &'e dyn Observer,
    nodes: Nodes,
    now: Vec<NodeId>,
    next: Vec<NodeId>,
    scratch: Vec<u8>,
    /// Bytes that workers have for what they expand.
    buffers: u64,
}

impl<'e, L: Lts> Explorer<'e, L> {
    pub fn new(lts: &'e L, levels: Levels, identity: Identity, watch: &'e dyn Observer) -> Self {
        Explorer {
            lts,
            states: Shards::new(1),
            symmetry: None,
            levels,
            identity,
            watch,
            nodes: Nodes::default(),
            now: Vec::new(),
            next: Vec::new(),
            scratch: Vec::new(),
            buffers: 0,
        }
    }

    pub fn symmetry(mut self, symmetry: Option<&'e dyn Symmetry>) -> Self {
        self.symmetry = symmetry;
        self
    }

    /// Nodes so far.
    pub fn count(&self) -> usize {
        self.nodes.len()
    }

    /// Bytes held, the system's own included.
    pub fn size(&self) -> u64 {
        let beside = self.symmetry.map_or(0, |s| s.size()) + self.buffers;
        let lists = self.nodes.size() + held(&self.now) + held(&self.next);
        with_gaps(self.states.size() + self.lts.size() + lists + beside)
    }

    pub fn state(&self, node: NodeId) -> StateId {
        self.nodes.get(node).state
    }

    pub fn mark(&self, node: NodeId) -> Mark {
        self.nodes.get(node).mark
    }

    /// The state of a node, packed.
    pub fn bytes(&self, node: NodeId) -> &[u8] {
        self.states.get(self.state(node))
    }

    /// Visits every node; `None` if nothing was found.
    pub fn explore<T: Task<L>>(&mut self, task: &mut T, effort: &Effort) -> Option<Stop<T::Found>>
    where
        L: Sync,
    {
        let jobs = if self.levels == Levels::Deepest { 1 } else { effort.jobs };
        self.states = Shards::new(jobs);
        let mut first = Steps::default();
        self.lts.initial(&mut first);
        let mark = task.start();
        for i in 0..first.len() {
            let numbered = self.number(first.state(i));
            self.discover(task, numbered, mark, NONE, None);
        }
        if self.levels == Levels::Deepest {
            return self.dive(task, effort);
        }
        let (lts, symmetry, whole) = (self.lts, self.symmetry, self.identity == Identity::Whole);
        std::thread::scope(|scope| {
            let crew = Crew::start(scope, lts, symmetry, whole, jobs);
            self.widen(task, effort, crew)
        })
    }

    /// Level by level. What is visited next is chosen, and begun, before what was expanded is looked at.
    fn widen<T: Task<L>>(
        &mut self,
        task: &mut T,
        effort: &Effort,
        mut crew: Crew<'e, L>,
    ) -> Option<Stop<T::Found>>
    where
        L: Sync,
    {
        let (mut ahead, mut idle, mut numbers) = (VecDeque::new(), Vec::new(), Vec::new());
        loop {
            let mut at = 0;
            self.choose(&mut at, &mut ahead, &mut idle, &mut crew);
            while let Some(batch) = ahead.pop_front() {
                crew.expanded();
                self.choose(&mut at, &mut ahead, &mut idle, &mut crew);
                let stop = self.look(task, &batch, &mut crew);
                crew.enter(&mut self.states, &mut numbers);
                self.buffers = crew.size();
                let round = crew.round();
                for (i, (entry, state)) in round.entries.iter().zip(&numbers).enumerate() {
                    // Renaming what walks beside a state may take long, and room.
                    if i.is_multiple_of(FEW)
                        && let Break(limit) = effort.charge(task.counts(self), self.watch)
                    {
                        return Some(Stop::Limit(explain(self.lts, &self.states, limit)));
                    }
                    let expanded = round.get(entry.from as usize);
                    let (node, step) = (batch[entry.from as usize], entry.step as usize);
                    let (label, perm) = (expanded.steps.label(step), expanded.perm(step));
                    self.discover(task, (*state, perm), entry.mark, node, Some(label));
                }
                if stop.is_some() {
                    return stop;
                }
                idle.push(batch);
                self.choose(&mut at, &mut ahead, &mut idle, &mut crew);
            }
            if let Some(found) = task.rest() {
                return Some(Stop::Found(found));
            }
            self.now = std::mem::take(&mut self.next);
            if self.now.is_empty() {
                return None;
            }
            self.now.iter().for_each(|n| self.nodes.arrive(*n));
        }
    }

    /// What is visited next in this level, as far as it is known.
    fn choose(
        &self,
        at: &mut usize,
        ahead: &mut VecDeque<Vec<NodeId>>,
        idle: &mut Vec<Vec<NodeId>>,
        crew: &mut Crew<'e, L>,
    ) where
        L: Sync,
    {
        while ahead.len() < AHEAD && *at < self.now.len() {
            let end = self.now.len().min(*at + BATCH);
            let mut batch = idle.pop().unwrap_or_default();
            batch.clear();
            batch.extend(self.now[*at..end].iter().copied().filter(|n| !self.nodes.is_dropped(*n)));
            *at = end;
            if !batch.is_empty() {
                crew.begin(batch.iter().map(|n| self.bytes(*n)));
                ahead.push_back(batch);
            }
        }
    }

    /// Visits a batch, and says which steps are to be followed: up to where the search ends, if it does.
    fn look<T: Task<L>>(
        &mut self,
        task: &mut T,
        batch: &[NodeId],
        crew: &mut Crew<L>,
    ) -> Option<Stop<T::Found>>
    where
        L: Sync,
    {
        let round = crew.round();
        let mut entries = std::mem::take(&mut round.entries);
        let mut stop = None;
        'nodes: for (i, node) in batch.iter().enumerate() {
            let expanded = round.get(i);
            match task.visit(self, *node, expanded.steps) {
                Break(end) => {
                    stop = Some(end);
                    break;
                }
                Continue(false) => continue,
                Continue(true) => {}
            }
            let mark = self.mark(*node);
            for step in 0..expanded.steps.len() {
                match task.follow(*node, mark, expanded.steps.label(step)) {
                    Break(found) => {
                        stop = Some(Stop::Found(found));
                        break 'nodes;
                    }
                    Continue(None) => {}
                    Continue(Some(mark)) => {
                        let hash = expanded.hash(step);
                        entries.push(Entry { from: i as u32, step: step as u32, mark, hash });
                    }
                }
            }
        }
        round.entries = entries;
        stop
    }

    /// Depth first; one state at a time, whatever the number of workers.
    fn dive<T: Task<L>>(&mut self, task: &mut T, effort: &Effort) -> Option<Stop<T::Found>> {
        let mut expansion = Expansion::default();
        let whole = self.identity == Identity::Whole;
        let mut visited = 0usize;
        while let Some(node) = self.now.pop() {
            if visited.is_multiple_of(BATCH)
                && let Break(limit) = effort.charge(task.counts(self), self.watch)
            {
                return Some(Stop::Limit(explain(self.lts, &self.states, limit)));
            }
            visited += 1;
            if self.nodes.is_dropped(node) {
                continue;
            }
            expansion.of(self.lts, self.symmetry, whole, std::iter::once(self.bytes(node)));
            let expanded = expansion.get(0);
            match task.visit(self, node, expanded.steps) {
                Break(stop) => return Some(stop),
                Continue(false) => {}
                Continue(true) => {
                    if let Break(found) = self.follow(task, node, &expanded) {
                        return Some(Stop::Found(found));
                    }
                }
            }
        }
        task.rest().map(Stop::Found)
    }

    fn follow<T: Task<L>>(
        &mut self,
        task: &mut T,
        node: NodeId,
        expanded: &Expanded<L::Fault>,
    ) -> ControlFlow<T::Found> {
        let mark = self.mark(node);
        let steps = expanded.steps;
        for i in 0..steps.len() {
            // The first step is to be the next one visited, which is the last one found.
            let i = steps.len() - 1 - i;
            let label = steps.label(i);
            if let Some(mark) = task.follow(node, mark, label)? {
                let (key, rest, perm, hash) = expanded.state(i);
                let state = self.states.insert_hashed(hash, key, rest);
                self.discover(task, (state, perm), mark, node, Some(label));
            }
        }
        Continue(())
    }

    fn discover<T: Task<L>>(
        &mut self,
        task: &mut T,
        (state, perm): (StateId, Perm),
        mark: Mark,
        parent: NodeId,
        label: Option<Label>,
    ) {
        let mark = self.image(task, perm, mark);
        let visible = matches!(label, Some(Label::Event(_)));
        let late = match self.levels {
            Levels::Visible => visible,
            Levels::Every => label.is_some(),
            Levels::Deepest => false,
        };
        let covers = |a, b| task.covers(a, b);
        if let Some(id) = self.nodes.insert(Node { state, mark, parent, perm }, late, visible, covers) {
            if late { &mut self.next } else { &mut self.now }.push(id);
        }
    }

    /// The number of a state, or of its representative, and what leads there.
    pub fn number(&mut self, (key, rest): (&[u8], &[u8])) -> (StateId, Perm) {
        match (self.symmetry, self.identity) {
            (Some(symmetry), _) => {
                let (perm, key) = symmetry.canonical(key, &mut self.scratch);
                (self.states.insert(&self.scratch[..key], &self.scratch[key..]), perm)
            }
            (None, Identity::Whole) if !rest.is_empty() => {
                self.scratch.clear();
                self.scratch.extend_from_slice(key);
                self.scratch.extend_from_slice(rest);
                (self.states.insert(&self.scratch, &[]), IDENTITY)
            }
            (None, _) => (self.states.insert(key, rest), IDENTITY),
        }
    }

    fn image<T: Task<L>>(&self, task: &mut T, perm: Perm, mark: Mark) -> Mark {
        match self.symmetry {
            Some(symmetry) if perm != IDENTITY => task.image(symmetry, perm, mark),
            _ => mark,
        }
    }

    /// Whether a state can take internal steps for ever. States met on the way are numbered.
    pub fn diverges(&mut self, known: &mut Divergence, state: StateId) -> ControlFlow<Limit, bool> {
        let mut steps = Steps::default();
        let mut looked = 0usize;
        known.diverges(state, &mut |s| {
            looked += 1;
            if looked.is_multiple_of(BATCH) {
                let counts = Counts { states: self.count() as u64, bytes: self.size(), ..Counts::default() };
                self.watch.progress(counts)?;
            }
            steps.clear();
            self.lts.steps(self.states.get(s), &mut steps);
            let internal = (0..steps.len()).filter(|i| steps.label(*i) == Label::Internal);
            Continue(internal.map(|i| self.number(steps.state(i)).0).collect())
        })
    }
}

/// States looked at from either end when a search is cut short.
const SAMPLE: usize = 500;

/// Adds to a limit what seems to make the state space infinite.
fn explain<L: Lts>(lts: &L, states: &Shards, mut limit: Limit) -> Limit {
    let n = states.len();
    if n >= 4 * SAMPLE {
        let early: Vec<&[u8]> =
            (0..n / 2).step_by((n / 2 / SAMPLE).max(1)).filter_map(|i| states.nth(i)).collect();
        let late: Vec<&[u8]> = (n - SAMPLE..n).filter_map(|i| states.nth(i)).collect();
        if let Some(what) = lts.growth(&early, &late) {
            limit.message = match limit.message.trim_end_matches('.') {
                "" => what,
                message => format!("{message}. {what}"),
            };
        }
    }
    limit
}
