//! Executions given by their decisions, run again and judged from the definitions.
//!
//! This is how witnesses are checked and tokens replayed: threads run again from their start, the
//! graph is built anew, and consistency and errors are read off matrices ([`axioms`]). Nothing here
//! is shared with a search, and nothing here searches, but for orders of a handful of calls.
//!
//! - [`execution`]: an execution as a list of events.
//! - [`axioms`]: what the memory models allow, on matrices.
//! - [`wait`]: waits that are not met, and threads that go in circles.
//! - [`token`]: decisions as text.
//! - [`history`]: whether some order explains a short history, by trying all.
//! - [`calls`], [`sequential`]: what the calls of a client saw, and whether an order explains it.

pub mod axioms;
pub mod calls;
mod execution;
pub mod history;
pub mod lasso;
pub mod misses;
pub mod quasi;
pub mod relaxed;
mod sequential;
pub mod token;
pub mod wait;

pub use axioms::{consistent, happens_before};
pub use execution::{Event, Execution, Kind, Status};
use wait::{Lonely, SPIN_STEPS};

use lineal_model::Memory;
use lineal_model::run::{
    Answer, BlockKind, Cause, Failure, FailureKind, Op, Relayout, Rmw, Runnable, Site, Step, ThreadId, Value,
};
use std::collections::{BTreeMap, BTreeSet};

/// Above so many events matrices take too long; the run is repeated, its consistency is not.
const MATRIX: usize = 1500;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decision {
    pub thread: usize,
    pub choice: Choice,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// There is none.
    Go,
    /// The decision whose write is read; `None`: the initial value. An update goes right after.
    Read { from: Option<usize>, spurious: bool },
    /// Before so many of the writes of the cell so far, counted from its first.
    Write { position: usize },
    /// The number chosen, or the number of the thread created.
    Pick(i64),
}

/// One decision carried out.
#[derive(Clone, Debug)]
pub struct Taken {
    pub thread: usize,
    pub op: Op,
    pub site: Site,
    pub read: Option<Value>,
    pub wrote: Option<Value>,
    /// The decision whose write was read.
    pub from: Option<usize>,
    /// A decision that had written the cell since.
    pub overwritten: Option<usize>,
    pub spurious: bool,
    /// Thread created or joined.
    pub child: usize,
}

pub struct Replayed {
    pub execution: Execution,
    pub taken: Vec<Taken>,
    pub statuses: Vec<Status>,
    /// `None`: too large to say.
    pub consistent: Option<bool>,
    /// What is wrong in it, waits that are not met included.
    pub faults: BTreeSet<FailureKind>,
    /// The threads that go round in circles for ever if nobody else moves.
    pub spins: BTreeSet<usize>,
}

/// Why a run could not be repeated.
#[derive(Clone, Debug, PartialEq)]
pub enum Refused {
    Relayout(Relayout),
    Mismatch(String),
}

pub fn replay<R: Runnable>(program: &R, memory: Memory, decisions: &[Decision]) -> Result<Replayed, Refused> {
    let mismatch = |i: usize, what: &str| Refused::Mismatch(format!("step {}: {what}", i + 1));
    let mut x = Execution::new(program);
    let mut threads = Threads { program, running: BTreeMap::new() };
    threads.start(&x, 0);
    let mut taken: Vec<Taken> = Vec::new();
    // The event each decision wrote.
    let mut written: Vec<Option<usize>> = Vec::new();
    for (i, d) in decisions.iter().enumerate() {
        let (op, site) = match threads.status(d.thread) {
            Status::Asks(op, site) => (op, site),
            Status::Relayout(change) => return Err(Refused::Relayout(change)),
            other => return Err(mismatch(i, &format!("thread {} asks nothing: {other:?}", d.thread))),
        };
        let resolve = |from: Option<usize>| match from {
            None => Ok(None),
            Some(j) => written.get(j).copied().flatten().map(Some).ok_or(mismatch(i, "reads no write")),
        };
        let before = x.events.len();
        let mut step = Taken {
            thread: d.thread,
            op,
            site,
            read: None,
            wrote: None,
            from: None,
            overwritten: None,
            spurious: false,
            child: 0,
        };
        match (op, d.choice) {
            (Op::Read { loc, .. } | Op::Rmw { loc, .. }, Choice::Read { from, spurious }) => {
                let rf = resolve(from)?;
                if rf.is_some_and(|w| x.events[w].loc != Some(loc)) {
                    return Err(mismatch(i, "reads another cell"));
                }
                (step.from, step.spurious) = (from, spurious);
                step.overwritten =
                    written.iter().rposition(|w| w.is_some_and(|w| x.events[w].loc == Some(loc)));
                step.overwritten = step.overwritten.filter(|&w| from.is_none_or(|f| w > f));
                match op {
                    Op::Rmw { size, rmw, .. }
                        if !spurious && rmw.apply(x.value(program, loc, size, rf), size).is_some() =>
                    {
                        let after = rf.map_or(0, |w| x.mo(loc).iter().position(|&v| v == w).unwrap_or(0) + 1);
                        x.update(program, d.thread, op, site, rf, after)
                    }
                    Op::Rmw { rmw: Rmw::Fetch { .. }, .. } => {
                        return Err(mismatch(i, "a read-modify-write cannot fail"));
                    }
                    _ => x.read(program, d.thread, op, site, rf, spurious),
                }
            }
            (Op::Write { loc, .. }, Choice::Write { position }) if position <= x.mo(loc).len() => {
                x.write(d.thread, op, site, position)
            }
            (Op::Choose { low, high }, Choice::Pick(pick)) if (low..=high).contains(&pick) => {
                x.choose(d.thread, op, site, pick)
            }
            (Op::Create { .. }, Choice::Pick(child))
                if (1..ThreadId::MAX as i64).contains(&child)
                    && !x.threads.contains_key(&(child as usize)) =>
            {
                x.create(d.thread, op, site, child as usize)
            }
            (Op::Join { thread }, Choice::Go) => match threads.status(thread.index()) {
                Status::Finished(value) => x.join(d.thread, op, site, thread.index(), value),
                _ => return Err(mismatch(i, "joins a thread that has not finished")),
            },
            (Op::Fence { .. } | Op::Alloc { .. } | Op::Free { .. }, Choice::Go) => {
                x.plain(d.thread, op, site)
            }
            _ => return Err(mismatch(i, &format!("{op:?} does not allow {:?}", d.choice))),
        }
        let mut wrote = None;
        for (k, e) in x.events.iter().enumerate().skip(before) {
            match e.kind {
                Kind::Read | Kind::Choose => step.read = Some(e.value),
                Kind::Join => (step.read, step.child) = (Some(e.value), e.child),
                Kind::Create => step.child = e.child,
                Kind::Write => (step.wrote, wrote) = (Some(e.value), Some(k)),
                _ => {}
            }
        }
        written.push(wrote);
        threads.tell(&x, d.thread);
        if matches!(op, Op::Create { .. }) {
            threads.start(&x, step.child);
        }
        taken.push(step);
    }
    let count = x.threads.keys().last().map_or(0, |t| t + 1);
    let statuses: Vec<Status> = (0..count).map(|t| threads.status(t)).collect();
    let mut faults = BTreeSet::new();
    let small = x.events.len() <= MATRIX;
    let consistent = small.then(|| axioms::consistent(&x, memory));
    if small {
        faults = axioms::faults(&x, memory);
        faults.extend(wait::faults(program, &x, memory, &statuses));
    }
    // Beyond an error in what was run, threads may go where the search did not follow them.
    let relayout = statuses.iter().find_map(|s| match s {
        Status::Relayout(change) => Some(*change),
        _ => None,
    });
    if let Some(change) = relayout.filter(|_| faults.is_empty()) {
        return Err(Refused::Relayout(change));
    }
    let spins = (0..count).filter(|&t| threads.spins(&x, t)).collect();
    Ok(Replayed { execution: x, taken, statuses, consistent, faults, spins })
}

/// The threads of one run, each asking its next question.
struct Threads<'p, R: Runnable> {
    program: &'p R,
    running: BTreeMap<usize, (R::Thread, Status)>,
}

impl<R: Runnable> Threads<'_, R> {
    fn status(&self, thread: usize) -> Status {
        self.running.get(&thread).map_or(Status::Absent, |t| t.1.clone())
    }

    fn start(&mut self, x: &Execution, thread: usize) {
        let Some(&entry) = x.threads.get(&thread) else { return };
        let mut state = self.program.start(ThreadId(thread as u8), entry);
        let step = self.program.resume(&mut state, Answer::default(), x);
        let status = self.run(x, &mut state, step);
        self.running.insert(thread, (state, status));
    }

    /// Gives a thread the answer to its last event.
    fn tell(&mut self, x: &Execution, thread: usize) {
        let Some((mut state, _)) = self.running.remove(&thread) else { return };
        let Some(event) = x.events.iter().rfind(|e| e.thread == thread) else { return };
        let step = self.program.resume(&mut state, x.answer(event), x);
        let status = self.run(x, &mut state, step);
        self.running.insert(thread, (state, status));
    }

    /// Whether the thread, running alone from here, comes back to where it was without having
    /// changed anything.
    fn spins(&self, x: &Execution, thread: usize) -> bool {
        match self.running.get(&thread) {
            Some((_, Status::Blocked(Cause::Spin))) => true,
            Some((state, Status::Asks(op, _))) => {
                let Some(state) = self.program.fork(state) else { return true };
                Lonely { program: self.program, x, thread, budget: SPIN_STEPS }.circles(state, *op)
            }
            _ => false,
        }
    }

    /// Passes loop heads until the thread asks something else, or goes in circles.
    fn run(&self, x: &Execution, state: &mut R::Thread, mut step: Step) -> Status {
        let mut heads: BTreeSet<(u32, Vec<u64>)> = BTreeSet::new();
        loop {
            match step {
                Step::Ask(Op::Loop { head }, _) => {
                    if let Some(now) = self.program.snapshot(state) {
                        let now = (head, now.into_owned());
                        if !heads.insert(now) {
                            return Status::Blocked(Cause::Spin);
                        }
                    }
                    step = self.program.resume(state, Answer::default(), x);
                }
                Step::Ask(op, site) => return Status::Asks(op, site),
                Step::Finished(value) => return Status::Finished(value),
                Step::Stopped(cause, _) => return Status::Blocked(cause),
                Step::Failed(failure) => return Status::Failed(failure),
                Step::Relayout(change) => return Status::Relayout(change),
            }
        }
    }
}

impl Replayed {
    /// Whether this run shows the failure `kind` in `thread`.
    pub fn shows<R: Runnable>(&self, program: &R, kind: FailureKind, thread: usize) -> bool {
        if self.consistent == Some(false) {
            return false;
        }
        let events = &self.execution.events;
        let own = self.statuses.get(thread);
        let waits_for = match own {
            Some(Status::Asks(Op::Join { thread }, _)) => Some(thread.index()),
            _ => None,
        };
        match kind {
            _ if matches!(own, Some(Status::Failed(Failure { kind: k, .. })) if *k == kind) => true,
            FailureKind::Deadlock => self.execution.is_deadlock(program, &self.statuses, &BTreeSet::new()),
            FailureKind::Liveness => {
                !self.spins.is_empty() && self.execution.is_deadlock(program, &self.statuses, &self.spins)
            }
            FailureKind::Judged => self
                .statuses
                .iter()
                .all(|s| matches!(s, Status::Finished(_) | Status::Absent | Status::Blocked(Cause::Exit))),
            FailureKind::Leak => events.iter().any(|a| match a.op {
                Op::Alloc { block, kind: BlockKind::Heap, .. } => {
                    !events.iter().any(|f| matches!(f.op, Op::Free { loc, .. } if loc.block() == block))
                }
                _ => false,
            }),
            FailureKind::InvalidPointer
                if waits_for.is_some_and(|t| matches!(self.statuses.get(t), None | Some(Status::Absent))) =>
            {
                true
            }
            FailureKind::LockMisuse => {
                waits_for.is_some_and(|t| events.iter().any(|e| e.kind == Kind::Join && e.child == t))
            }
            FailureKind::Race
            | FailureKind::UseAfterFree
            | FailureKind::DoubleFree
            | FailureKind::InvalidFree
            | FailureKind::InvalidPointer
            | FailureKind::Uninitialised => self.faults.contains(&kind) || self.consistent.is_none(),
            _ => false,
        }
    }
}
