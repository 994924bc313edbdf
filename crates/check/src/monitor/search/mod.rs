//! The general search: every order that might explain the history, each configuration once.
//!
//! Wing and Gong's search with Lowe's memory (*Testing for linearizability*, 2017): operations
//! are taken one after another as the order allows; a configuration, that is the set taken and
//! the state reached, is entered once. Any abstract type will do.
//!
//! Cuts, each of which keeps a linearization if there is one:
//! - pending operations that only read are left out;
//! - a completed operation that only reads is taken as soon as it is legal, for good: moving it
//!   forward to here disturbs nobody;
//! - of pending operations that do the same, the one called first goes first;
//! - a pending operation that leaves the state alone is not taken;
//! - a state that the type itself says leads nowhere is not entered (texts that only grow and
//!   already differ from an answer yet to be given), and states it says are alike count as one.
//!
//! The search never guesses: it answers when it has explored everything, or when it is stopped,
//! and then says how far it came.

mod frontier;
mod memo;

use super::answer::Answer;
use crate::seeded::{self, Bug};
use frontier::{Frontier, ProgramOrder, RealTime};
use lineal_model::adt::Adt;
pub use lineal_model::history::Consistency;
use lineal_model::history::{History, Op};
use lineal_model::{Counts, Effort, Limit, LimitKind, Observer};
use memo::Memo;
use std::ops::ControlFlow;

#[derive(Clone, Debug)]
pub struct Explored {
    pub answer: Answer<()>,
    /// The longest order found that is legal: operations, and the state after each.
    pub trail: Vec<(u32, String)>,
    pub configurations: u64,
    pub bytes: u64,
}

pub fn search<A: Adt>(
    adt: &A,
    history: &History,
    consistency: Consistency,
    effort: &Effort,
    watch: &dyn Observer,
) -> Explored {
    let keep: Vec<bool> = history.ops().map(|op| !(op.is_pending() && adt.is_read(&op))).collect();
    match consistency {
        Consistency::Linearizable => {
            let frontier = RealTime::new(history, &keep);
            Search::new(adt, history, frontier, twins(adt, history)).run(effort, watch)
        }
        // "Called first" means nothing across processes here, so no operation waits for its twin.
        Consistency::Sequential => {
            let frontier = ProgramOrder::new(history, &keep);
            Search::new(adt, history, frontier, vec![NOBODY; history.len()]).run(effort, watch)
        }
    }
}

struct Search<'a, A: Adt, F> {
    adt: &'a A,
    history: &'a History,
    frontier: F,
    memo: Memo<A::State>,
    trail: Vec<Taken<A::State>>,
    deepest: Vec<u32>,
    /// How much of `deepest` is also the start of `trail`.
    common: usize,
    /// `trail` has more completed operations than `deepest`.
    deeper: bool,
    completed: usize,
    most_completed: usize,
    /// For a pending operation, the pending one before it that does the same.
    twin: Vec<u32>,
    taken: Vec<bool>,
    /// Operations that only read.
    reads: Vec<bool>,
    steps: u64,
    /// Bytes of the states along the trail.
    held: u64,
}

struct Taken<S> {
    op: u32,
    /// Which of its outcomes.
    choice: u32,
    /// The state before.
    before: S,
    forced: bool,
}

const NOBODY: u32 = u32::MAX;

impl<'a, A: Adt, F: Frontier> Search<'a, A, F> {
    fn new(adt: &'a A, history: &'a History, frontier: F, twin: Vec<u32>) -> Self {
        Search {
            adt,
            history,
            frontier,
            memo: Memo::new(),
            trail: Vec::new(),
            deepest: Vec::new(),
            common: 0,
            deeper: false,
            completed: 0,
            most_completed: 0,
            twin,
            taken: vec![false; history.len()],
            reads: history.ops().map(|op| adt.is_read(&op)).collect(),
            steps: 0,
            held: 0,
        }
    }

    fn run(mut self, effort: &Effort, watch: &dyn Observer) -> Explored {
        let mut state = self.adt.initial();
        let answer = match self.explore(&mut state, effort, watch) {
            Ok(true) => Answer::Holds,
            Ok(false) => Answer::Violated(()),
            Err(limit) => Answer::Unknown(limit),
        };
        if matches!(answer, Answer::Holds) {
            self.deepest = self.trail.iter().map(|t| t.op).collect();
        } else {
            self.save_deepest();
        }
        let (configurations, bytes) = (self.memo.len(), self.memo.bytes());
        let explored = Explored { trail: self.replay(), answer, configurations, bytes };
        if let Answer::Unknown(Limit { kind: LimitKind::Time | LimitKind::Memory, .. }) = explored.answer {
            // Giving back millions of states takes a while, and there is little time left to say how
            // far the search came; what comes next may need the memory, though.
            let memo = self.memo;
            std::thread::spawn(move || drop(memo));
        }
        explored
    }

    fn explore(
        &mut self,
        state: &mut A::State,
        effort: &Effort,
        watch: &dyn Observer,
    ) -> Result<bool, Limit> {
        let mut outcomes = Vec::new();
        // The candidate to try, and from which of its outcomes on.
        let mut candidate = (self.start(state)?, 0);
        loop {
            if self.frontier.is_finished() {
                return Ok(true);
            }
            self.steps += 1;
            if self.steps.is_multiple_of(1024) {
                let counts = Counts {
                    states: self.memo.len(),
                    bytes: self.memo.bytes() + self.held,
                    ..Counts::default()
                };
                if let ControlFlow::Break(limit) = effort.charge(counts, watch) {
                    return Err(limit);
                }
            }
            let Some(op) = candidate.0 else {
                match self.back(state) {
                    Some(next) => candidate = next,
                    None => return Ok(false),
                }
                continue;
            };
            match self.try_op(op, candidate.1, state, &mut outcomes)? {
                true => candidate = (self.start(state)?, 0),
                false => candidate = (self.frontier.next(op), 0),
            }
        }
    }

    /// Takes every completed read that is legal now, then names the first candidate.
    fn start(&mut self, state: &mut A::State) -> Result<Option<u32>, Limit> {
        let commits_all = seeded::active(Bug::SearchCommitsWrites);
        let mut next = self.frontier.first();
        while let Some(op) = next {
            let o = self.history.op(op as usize);
            next = self.frontier.next(op);
            if o.is_pending() || !(commits_all || self.reads[op as usize]) {
                continue;
            }
            if commits_all {
                let mut outcomes = Vec::new();
                self.adt.step(state, &o, &mut outcomes)?;
                if let Some(after) = outcomes.pop() {
                    self.push(op, 0, after, state, true);
                    next = self.frontier.first();
                }
            } else if self.adt.allows(state, &o)? {
                self.push(op, 0, state.clone(), state, true);
                // Its return may have been all that held others up.
                next = self.frontier.first();
            }
        }
        Ok(self.frontier.first())
    }

    /// Takes `op` by its first explored, from `choice` on, that leads somewhere new.
    fn try_op(
        &mut self,
        op: u32,
        choice: u32,
        state: &mut A::State,
        outcomes: &mut Vec<A::State>,
    ) -> Result<bool, Limit> {
        let o = self.history.op(op as usize);
        let twin = self.twin[op as usize];
        if o.is_pending() && twin != NOBODY && !self.taken[twin as usize] {
            return Ok(false);
        }
        outcomes.clear();
        self.adt.step(state, &o, outcomes)?;
        for (i, after) in outcomes.drain(..).enumerate().skip(choice as usize) {
            if o.is_pending() && after == *state || self.adt.is_doomed(&after, &o) {
                continue;
            }
            let after = self.adt.settle(after, &o);
            self.frontier.take(op);
            let new = {
                let bytes = self.adt.bytes(&after);
                let frontier = &self.frontier;
                let forget = seeded::active(Bug::SearchForgetsState).then(|| self.adt.initial());
                self.memo.insert(forget.as_ref().unwrap_or(&after), bytes, |key| frontier.key(key))
            };
            self.frontier.put_back(op);
            if new {
                self.push(op, i as u32, after, state, false);
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn push(&mut self, op: u32, choice: u32, after: A::State, state: &mut A::State, forced: bool) {
        self.frontier.take(op);
        self.taken[op as usize] = true;
        let before = std::mem::replace(state, after);
        self.held += self.adt.bytes(&before) as u64;
        self.trail.push(Taken { op, choice, before, forced });
        self.completed += usize::from(!self.history.op(op as usize).is_pending());
        if self.completed > self.most_completed {
            self.most_completed = self.completed;
            self.deeper = true;
        }
    }

    fn save_deepest(&mut self) {
        if std::mem::take(&mut self.deeper) {
            self.deepest.truncate(self.common);
            self.deepest.extend(self.trail[self.common..].iter().map(|t| t.op));
            self.common = self.trail.len();
        }
    }

    /// Undoes the last choice; says what to try instead.
    fn back(&mut self, state: &mut A::State) -> Option<(Option<u32>, u32)> {
        self.save_deepest();
        loop {
            let last = self.trail.pop()?;
            self.common = self.common.min(self.trail.len());
            self.frontier.put_back(last.op);
            self.taken[last.op as usize] = false;
            self.held = self.held.saturating_sub(self.adt.bytes(&last.before) as u64);
            self.completed -= usize::from(!self.history.op(last.op as usize).is_pending());
            *state = last.before;
            if !last.forced {
                return Some((Some(last.op), last.choice + 1));
            }
        }
    }

    /// The deepest trail with the states it goes through.
    fn replay(&self) -> Vec<(u32, String)> {
        let mut states = vec![self.adt.initial()];
        let mut trail: Vec<(u32, String)> = Vec::new();
        // Choices are not kept, so all outcomes are followed, and one survivor is shown.
        for &op in &self.deepest {
            let mut next = Vec::new();
            for state in &states {
                if self.adt.step(state, &self.history.op(op as usize), &mut next).is_err() {
                    return trail;
                }
            }
            let mut seen = rustc_hash::FxHashSet::default();
            next.retain(|s| seen.insert(s.clone()));
            next.truncate(64);
            trail.push((op, next.first().map_or(String::new(), |s| self.adt.show(s))));
            states = next;
        }
        trail
    }
}

/// Links each pending operation to the previous pending one that does the same.
fn twins<A: Adt>(adt: &A, history: &History) -> Vec<u32> {
    let mut last = rustc_hash::FxHashMap::default();
    let owner = |op: &Op| adt.knows_caller(op).then_some(op.process);
    history
        .ops()
        .enumerate()
        .map(|(i, op)| match op.is_pending() {
            false => NOBODY,
            true => {
                last.insert((op.method, op.key, op.arg, op.extra, owner(&op)), i as u32).unwrap_or(NOBODY)
            }
        })
        .collect()
}
