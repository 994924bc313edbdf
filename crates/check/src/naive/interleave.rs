//! Every interleaving of a program under sequential consistency, over an explicit store.
//!
//! A state is the content of memory and every thread; a step is one visible operation of one
//! thread. A data race is two threads about to make conflicting accesses, one of them
//! non-atomic: under SC that state is reachable iff some execution has a race in the sense of
//! happens-before, because what leads up to two unordered accesses is itself an execution. So
//! no clocks are needed, spin loops come back to states seen before, and there is no rule about
//! loops at all.

mod check;
mod endless;

pub use check::{Problem, check};
pub use endless::traps;

use super::threads::Numbers;
use lineal_model::run::{
    Answer, BlockId, BlockInfo, BlockKind, Cause, Failure, FailureKind, Loc, Mode, Op, Rmw, Runnable, Site,
    Step, ThreadId, Value, World,
};
use lineal_model::{Counts, Effort, Limit, Observer, Unwatched};
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::hash::{Hash, Hasher};
use std::ops::ControlFlow;
use std::rc::Rc;

/// What [`explore`] found.
#[derive(Debug, Default)]
pub struct Interleavings {
    /// Final contents of the observed cells, in all runs that complete.
    pub outcomes: BTreeSet<Vec<Value>>,
    pub failures: BTreeMap<FailureKind, u64>,
    pub states: usize,
    pub gave_up: bool,
    /// It gave up because there are more threads than numbers for them.
    pub crowded: bool,
}

/// Runs every interleaving, through at most `cap` states. `remember`: states seen before are not
/// entered again (needed if there are loops).
pub fn explore<R: Runnable>(program: &R, observe: &[(Loc, u8)], remember: bool, cap: usize) -> Interleavings {
    let effort = Effort { max_states: Some(cap as u64), ..Effort::default() };
    explore_within(program, observe, remember, &effort, &Unwatched).0
}

/// The same, within limits: the one that was reached comes with what was found by then.
fn explore_within<R: Runnable>(
    program: &R,
    observe: &[(Loc, u8)],
    remember: bool,
    effort: &Effort,
    watch: &dyn Observer,
) -> (Interleavings, Option<Limit>) {
    let sc = Sc::new(program);
    let mut found = Interleavings::default();
    let mut seen: HashSet<State<R::Thread>> = HashSet::new();
    let mut todo = vec![sc.initial()];
    while let Some(state) = todo.pop() {
        let before = Counts { states: found.states as u64, ..Counts::default() };
        found.states += 1;
        if let ControlFlow::Break(limit) = effort.charge(before, watch) {
            found.gave_up = true;
            return (found, Some(limit));
        }
        if state.crowded {
            (found.gave_up, found.crowded) = (true, true);
            return (found, None);
        }
        if let Some(kind) = sc.failure(&state) {
            *found.failures.entry(kind).or_default() += 1;
            continue;
        }
        let over = |t: &Thread<R::Thread>| matches!(t.asks, Asks::Finished(_) | Asks::Stopped(Cause::Exit));
        if state.threads.values().all(over) {
            let last = |(loc, size): &(Loc, u8)| state.read(program, *loc, *size);
            found.outcomes.insert(observe.iter().map(last).collect());
            continue;
        }
        for s in sc.successors(&state) {
            if !remember || seen.insert(s.clone()) {
                todo.push(s);
            }
        }
    }
    (found, None)
}

/// A program under sequential consistency, as states and steps.
pub struct Sc<'a, R> {
    pub program: &'a R,
    numbers: Numbers,
}

impl<'a, R> Sc<'a, R> {
    pub fn new(program: &'a R) -> Self {
        Sc { program, numbers: Numbers::default() }
    }
}

/// Compared by content: store, blocks, and the threads' snapshots.
#[derive(Debug)]
pub struct State<T> {
    threads: BTreeMap<usize, Thread<T>>,
    store: BTreeMap<Loc, Value>,
    blocks: BTreeMap<BlockId, Block>,
    children: BTreeMap<usize, usize>,
    joined: BTreeSet<usize>,
    failed: Option<FailureKind>,
    /// There are more threads than numbers for them: it ends here.
    crowded: bool,
    key: Vec<u64>,
}

#[derive(Debug)]
struct Thread<T> {
    state: Rc<T>,
    asks: Asks,
}

#[derive(Clone, Debug, PartialEq)]
enum Asks {
    Op(Op, Site),
    Finished(Value),
    Stopped(Cause),
}

#[derive(Clone, Copy, Debug)]
struct Block {
    size: u32,
    layout: u32,
    zeroed: bool,
    kind: BlockKind,
    freed: bool,
}

impl<T> Clone for Thread<T> {
    fn clone(&self) -> Self {
        Thread { state: self.state.clone(), asks: self.asks.clone() }
    }
}

impl<T> Clone for State<T> {
    fn clone(&self) -> Self {
        State {
            threads: self.threads.clone(),
            store: self.store.clone(),
            blocks: self.blocks.clone(),
            children: self.children.clone(),
            joined: self.joined.clone(),
            failed: self.failed,
            crowded: self.crowded,
            key: self.key.clone(),
        }
    }
}

impl<T> PartialEq for State<T> {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key
    }
}
impl<T> Eq for State<T> {}
impl<T> PartialOrd for State<T> {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}
impl<T> Ord for State<T> {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.key.cmp(&other.key)
    }
}
impl<T> Hash for State<T> {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.key.hash(hasher);
    }
}

impl<T> World for State<T> {
    fn block(&self, block: BlockId) -> Option<BlockInfo> {
        self.blocks.get(&block).map(|b| BlockInfo { size: b.size, layout: b.layout })
    }
}

impl<T> State<T> {
    fn read<R: Runnable<Thread = T>>(&self, program: &R, loc: Loc, size: u8) -> Value {
        if let Some(&value) = self.store.get(&loc) {
            return value;
        }
        match self.blocks.get(&loc.block()) {
            _ if loc.block().is_global() => program.initial(loc, size),
            Some(Block { zeroed: true, .. }) => Value::ZERO,
            _ => Value::UNDEFINED,
        }
    }
}

/// Steps are internal; who needs labels wraps this.
impl<R: Runnable> Sc<'_, R> {
    fn initial(&self) -> State<R::Thread> {
        let mut state = State {
            threads: BTreeMap::new(),
            store: BTreeMap::new(),
            blocks: BTreeMap::new(),
            children: BTreeMap::new(),
            joined: BTreeSet::new(),
            failed: None,
            crowded: false,
            key: Vec::new(),
        };
        self.start(&mut state, 0, self.program.main());
        self.seal(&mut state);
        state
    }

    fn successors(&self, from: &State<R::Thread>) -> Vec<State<R::Thread>> {
        let mut out = Vec::new();
        if from.failed.is_some() || from.crowded {
            return out;
        }
        for (&t, thread) in &from.threads {
            if let Asks::Op(op, _) = thread.asks {
                for answer in self.answers(from, op) {
                    let mut next = from.clone();
                    self.step(&mut next, t, op, answer);
                    self.seal(&mut next);
                    out.push(next);
                }
            }
        }
        out
    }

    /// What a thread may be told in this state; nothing if it has to wait.
    fn answers(&self, state: &State<R::Thread>, op: Op) -> Vec<Answer> {
        match op {
            Op::Read { loc, size, wait, .. } => {
                let value = state.read(self.program, loc, size);
                if wait.is_none_or(|w| w.until.holds(value, size)) { vec![value.into()] } else { vec![] }
            }
            Op::Rmw { loc, size, rmw, wait, .. } => {
                let value = state.read(self.program, loc, size);
                if !wait.is_none_or(|w| w.until.holds(value, size)) {
                    return vec![];
                }
                let mut answers = vec![value.into()];
                if matches!(rmw, Rmw::Cas { weak: true, .. }) && rmw.apply(value, size).is_some() {
                    answers.push(Answer { value, spurious: true });
                }
                answers
            }
            Op::Join { thread } => match state.threads.get(&thread.index()).map(|t| &t.asks) {
                Some(Asks::Finished(value)) => vec![(*value).into()],
                _ => vec![],
            },
            Op::Choose { low, high } => (low..=high).map(|n| Value::word(n as u64).into()).collect(),
            _ => vec![Answer::default()],
        }
    }

    /// One step of one thread: the effect on memory, then the thread goes on.
    fn step(&self, state: &mut State<R::Thread>, t: usize, op: Op, mut answer: Answer) {
        match op {
            Op::Write { loc, size, value, .. } => {
                self.touch(state, loc);
                state.store.insert(loc, value.truncate(size));
            }
            Op::Read { loc, copy, .. } => {
                self.touch(state, loc);
                if answer.value.undefined && !copy {
                    state.failed = state.failed.or(Some(FailureKind::Uninitialised));
                }
            }
            Op::Rmw { loc, size, rmw, .. } => {
                self.touch(state, loc);
                if answer.value.undefined {
                    state.failed = state.failed.or(Some(FailureKind::Uninitialised));
                }
                if let (false, Some(new)) = (answer.spurious, rmw.apply(answer.value, size)) {
                    state.store.insert(loc, new);
                }
            }
            Op::Alloc { block, size, zeroed, kind, layout } => {
                state.blocks.insert(block, Block { size, layout, zeroed, kind, freed: false });
            }
            Op::Free { loc, kind } => {
                let failure = match state.blocks.get_mut(&loc.block()) {
                    Some(b) if loc.offset() == 0 && b.kind == kind => {
                        std::mem::replace(&mut b.freed, true).then_some(FailureKind::DoubleFree)
                    }
                    _ => Some(FailureKind::InvalidFree),
                };
                state.failed = state.failed.or(failure);
            }
            Op::Create { entry } => {
                let n = *state.children.entry(t).and_modify(|n| *n += 1).or_insert(1);
                let Some(child) = self.numbers.child(t, n) else {
                    state.crowded = true;
                    return;
                };
                answer = Value::word(child as u64).into();
                self.start(state, child, entry);
            }
            Op::Join { thread } => {
                if !state.joined.insert(thread.index()) {
                    state.failed = state.failed.or(Some(FailureKind::LockMisuse));
                }
            }
            Op::Fence { .. } | Op::Choose { .. } | Op::Loop { .. } => {}
        }
        if state.failed.is_some() {
            return;
        }
        let mut thread = self.program.fork(&state.threads[&t].state).expect("threads that can be copied");
        let step = self.program.resume(&mut thread, answer, state);
        let asks = Self::asks(step, &mut state.failed);
        state.threads.insert(t, Thread { state: Rc::new(thread), asks });
    }

    fn start(&self, state: &mut State<R::Thread>, t: usize, entry: lineal_model::run::Entry) {
        let mut thread = self.program.start(ThreadId(t as u8), entry);
        let step = self.program.resume(&mut thread, Answer::default(), state);
        let asks = Self::asks(step, &mut state.failed);
        state.threads.insert(t, Thread { state: Rc::new(thread), asks });
    }

    fn asks(step: Step, failed: &mut Option<FailureKind>) -> Asks {
        match step {
            Step::Ask(op, site) => Asks::Op(op, site),
            Step::Finished(value) => Asks::Finished(value),
            Step::Stopped(cause, _) => Asks::Stopped(cause),
            Step::Failed(Failure { kind, .. }) => {
                *failed = failed.or(Some(kind));
                Asks::Stopped(Cause::Assume)
            }
            Step::Relayout(_) => {
                *failed = failed.or(Some(FailureKind::Unsupported));
                Asks::Stopped(Cause::Assume)
            }
        }
    }

    /// A use of memory that is not there.
    fn touch(&self, state: &mut State<R::Thread>, loc: Loc) {
        if loc.block().is_global() {
            return;
        }
        let failure = match state.blocks.get(&loc.block()) {
            None => Some(FailureKind::InvalidPointer),
            Some(b) => b.freed.then_some(FailureKind::UseAfterFree),
        };
        state.failed = state.failed.or(failure);
    }

    /// What is wrong in this state: a failed thread, a race, a deadlock.
    pub fn failure(&self, state: &State<R::Thread>) -> Option<FailureKind> {
        if state.failed.is_some() {
            return state.failed;
        }
        // A thread that waits uses what it waits for.
        let waits_for_freed = state.threads.values().any(|t| match t.asks {
            Asks::Op(Op::Read { loc, wait: Some(_), .. } | Op::Rmw { loc, wait: Some(_), .. }, _) => {
                state.blocks.get(&loc.block()).is_some_and(|b| b.freed)
            }
            _ => false,
        });
        if waits_for_freed {
            return Some(FailureKind::UseAfterFree);
        }
        let accesses: Vec<(Loc, Mode, bool)> =
            state.threads.values().filter_map(|t| access(&t.asks)).collect();
        for (i, a) in accesses.iter().enumerate() {
            for b in &accesses[i + 1..] {
                if a.0 == b.0 && (a.2 || b.2) && !(a.1.is_atomic() && b.1.is_atomic()) {
                    return Some(FailureKind::Race);
                }
            }
        }
        let mut waiting = state.threads.values().filter(|t| !matches!(t.asks, Asks::Finished(_)));
        let deadlock = waiting.clone().count() > 0
            && !matches!(state.threads[&0].asks, Asks::Finished(value) if !value.undefined)
            && waiting.all(|t| match t.asks {
                Asks::Op(op, _) => {
                    let cause = match op {
                        Op::Read { wait: Some(w), .. } | Op::Rmw { wait: Some(w), .. } => w.cause,
                        Op::Join { .. } => Cause::Join,
                        _ => Cause::Spin,
                    };
                    cause.is_deadlock() && self.answers(state, op).is_empty()
                }
                Asks::Stopped(cause) => cause.is_deadlock(),
                Asks::Finished(_) => true,
            });
        deadlock.then_some(FailureKind::Deadlock)
    }

    fn seal(&self, state: &mut State<R::Thread>) {
        let mut key = vec![state.failed.map_or(0, |f| f as u64 + 1), u64::from(state.crowded)];
        for (loc, v) in &state.store {
            key.extend([loc.0, v.lo, v.hi, u64::from(v.undefined)]);
        }
        key.push(u64::MAX);
        key.extend(state.joined.iter().map(|&t| t as u64));
        key.push(u64::MAX);
        for (block, b) in &state.blocks {
            key.extend([u64::from(block.0), u64::from(b.freed)]);
        }
        for (&t, thread) in &state.threads {
            key.extend([u64::MAX, t as u64]);
            match self.program.snapshot(&thread.state) {
                Some(words) => key.extend(words.iter()),
                // Cannot be compared: never the same.
                None => key.push(Rc::as_ptr(&thread.state) as *const u8 as u64),
            }
            if let Asks::Finished(v) = thread.asks {
                key.extend([1, v.lo]);
            }
        }
        state.key = key;
    }
}

/// The access a thread is about to make: cell, mode, and whether it may write.
fn access(asks: &Asks) -> Option<(Loc, Mode, bool)> {
    match *asks {
        Asks::Op(Op::Read { loc, mode, .. }, _) => Some((loc, mode, false)),
        Asks::Op(Op::Write { loc, mode, .. }, _) => Some((loc, mode, true)),
        Asks::Op(Op::Rmw { loc, mode, .. }, _) => Some((loc, mode, true)),
        _ => None,
    }
}
