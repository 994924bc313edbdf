//! Threads that do not move: what a wait that is not met touches, and loops that never end.

use super::axioms;
use super::execution::{Execution, Status};
use lineal_model::Memory;
use lineal_model::run::{Answer, FailureKind, Loc, Op, Runnable, Step, ThreadId, Value};
use std::collections::{BTreeMap, BTreeSet};

/// Steps within which a thread that spins must come back to where it was.
pub const SPIN_STEPS: usize = 100_000;

/// What is wrong with the waits in an execution: to find out that its condition does not hold, a
/// thread reads what it waits for, and that read may race, or use memory that is not there.
pub fn faults<R: Runnable>(
    program: &R,
    x: &Execution,
    memory: Memory,
    statuses: &[Status],
) -> BTreeSet<FailureKind> {
    let mut found = BTreeSet::new();
    for (thread, status) in statuses.iter().enumerate() {
        let Status::Asks(op, site) = status else { continue };
        let (Op::Read { loc, size, wait: Some(wait), .. } | Op::Rmw { loc, size, wait: Some(wait), .. }) =
            *op
        else {
            continue;
        };
        for rf in x.writes(loc) {
            if wait.until.holds(x.value(program, loc, size, rf), size) {
                continue;
            }
            let mut with = x.clone();
            with.read(program, thread, *op, *site, rf, false);
            if axioms::consistent(&with, memory) {
                found.extend(axioms::faults(&with, memory));
            }
        }
    }
    found
}

/// Whether every thread that has not ended waits for what is not there or goes round for ever, at
/// least one of them the latter, and the process has not ended.
pub fn is_endless<R: Runnable>(program: &R, x: &Execution, statuses: &[Status]) -> bool {
    let spins: BTreeSet<usize> = (0..statuses.len()).filter(|&t| spins(program, x, t)).collect();
    !spins.is_empty() && x.is_deadlock(program, statuses, &spins)
}

fn spins<R: Runnable>(program: &R, x: &Execution, thread: usize) -> bool {
    let Some(&entry) = x.threads.get(&thread) else { return false };
    let mut state = program.start(ThreadId(thread as u8), entry);
    let mut step = program.resume(&mut state, Answer::default(), x);
    let mut own = x.events.iter().filter(|e| e.thread == thread && !e.updates);
    loop {
        let Step::Ask(op, _) = step else { return false };
        let answer = match op {
            Op::Loop { .. } => None,
            _ => own.next().map(|e| x.answer(e)),
        };
        if answer.is_none() && own.clone().next().is_none() {
            return Lonely { program, x, thread, budget: SPIN_STEPS }.circles(state, op);
        }
        step = program.resume(&mut state, answer.unwrap_or_default(), x);
    }
}

/// A thread that runs on alone: all its reads see the last write, and what it does must leave
/// memory as it is, but for blocks of its own that nobody else has touched.
pub struct Lonely<'a, R> {
    pub program: &'a R,
    pub x: &'a Execution,
    pub thread: usize,
    /// Steps left before it is taken not to come back.
    pub budget: usize,
}

/// Where it has been: loop heads, with its state and what it wrote.
type Heads = BTreeSet<(u32, Vec<u64>)>;
type Wrote = BTreeMap<Loc, Value>;

impl<R: Runnable> Lonely<'_, R> {
    /// Whether the thread, asking `op`, can come back to a loop head with everything as it was.
    pub fn circles(&mut self, state: R::Thread, op: Op) -> bool {
        self.comes_back(state, op, Heads::new(), Wrote::new())
    }

    fn comes_back(&mut self, mut state: R::Thread, mut op: Op, mut heads: Heads, mut wrote: Wrote) -> bool {
        while self.budget > 0 {
            self.budget -= 1;
            let answer = match op {
                Op::Loop { head } => {
                    if let Some(now) = self.program.snapshot(&state) {
                        let mut now = now.into_owned();
                        wrote.iter().for_each(|(loc, v)| now.extend([loc.0, v.lo, v.hi]));
                        if !heads.insert((head, now)) {
                            return true;
                        }
                    }
                    Answer::default()
                }
                Op::Fence { .. } => Answer::default(),
                Op::Read { loc, size, wait: None, .. } => self.last(&wrote, loc, size).into(),
                Op::Write { loc, size, value, .. } => {
                    let value = value.truncate(size);
                    if value != self.last(&wrote, loc, size) {
                        if !self.is_private(loc) {
                            return false;
                        }
                        wrote.insert(loc, value);
                    }
                    Answer::default()
                }
                Op::Rmw { loc, size, rmw, wait: None, .. } => {
                    let value = self.last(&wrote, loc, size);
                    match rmw.apply(value, size) {
                        Some(new) if new != value.truncate(size) => return false,
                        _ => value.into(),
                    }
                }
                Op::Choose { low, high } => {
                    return (low..=high).any(|pick| {
                        let Some(mut copy) = self.program.fork(&state) else { return true };
                        let answer = Value::word(pick as u64).into();
                        match self.program.resume(&mut copy, answer, self.x) {
                            Step::Ask(op, _) => self.comes_back(copy, op, heads.clone(), wrote.clone()),
                            _ => false,
                        }
                    });
                }
                _ => return false,
            };
            op = match self.program.resume(&mut state, answer, self.x) {
                Step::Ask(op, _) => op,
                _ => return false,
            };
        }
        false
    }

    fn last(&self, wrote: &Wrote, loc: Loc, size: u8) -> Value {
        match wrote.get(&loc) {
            Some(&value) => value,
            None => self.x.value(self.program, loc, size, self.x.mo(loc).last().copied()),
        }
    }

    /// A block that this thread allocated and no other has used.
    fn is_private(&self, loc: Loc) -> bool {
        let uses = |e: &super::Event| e.loc.is_some_and(|l| l.block() == loc.block());
        loc.block().owner() as usize == self.thread
            && !self.x.events.iter().any(|e| e.thread != self.thread && uses(e))
    }
}
