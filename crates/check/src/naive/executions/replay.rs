//! Runs one execution given by its decisions, and says what is wrong with it.
//!
//! This is how a witness is checked: threads run again from their start, the graph is built
//! anew, and consistency and errors are read off the matrices.

use super::axioms;
use super::run::{Execution, Kind, Status};
use lineal_model::Memory;
use lineal_model::run::{BlockKind, Failure, FailureKind, Op, Relayout, Rmw, Runnable, Site, Value};

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
    pub fault: Option<FailureKind>,
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
    let mut taken: Vec<Taken> = Vec::new();
    // The event each decision wrote.
    let mut written: Vec<Option<usize>> = Vec::new();
    for (i, d) in decisions.iter().enumerate() {
        let (op, site) = match x.status(program, d.thread) {
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
        x = match (op, d.choice) {
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
                        x.with_update(program, d.thread, op, site, rf, after)
                    }
                    Op::Rmw { rmw: Rmw::Fetch { .. }, .. } => {
                        return Err(mismatch(i, "a read-modify-write cannot fail"));
                    }
                    _ => x.with_read(program, d.thread, op, site, rf, spurious),
                }
            }
            (Op::Write { loc, .. }, Choice::Write { position }) if position <= x.mo(loc).len() => {
                x.with_write(d.thread, op, site, position)
            }
            (Op::Choose { low, high }, Choice::Pick(pick)) if (low..=high).contains(&pick) => {
                x.with_choice(d.thread, op, site, pick)
            }
            (Op::Create { entry }, Choice::Pick(child)) if (1..64).contains(&child) => {
                let mut x = x.with_plain(program, d.thread, op, site);
                let last = x.events.len() - 1;
                let guess = std::mem::replace(&mut x.events[last].child, child as usize);
                x.threads.remove(&guess);
                x.threads.insert(child as usize, entry);
                x
            }
            (Op::Join { thread }, Choice::Go) => match x.status(program, thread.index()) {
                Status::Finished(value) => x.with_join(d.thread, op, site, thread.index(), value),
                _ => return Err(mismatch(i, "joins a thread that has not finished")),
            },
            (Op::Fence { .. } | Op::Alloc { .. } | Op::Free { .. }, Choice::Go) => {
                x.with_plain(program, d.thread, op, site)
            }
            _ => return Err(mismatch(i, &format!("{op:?} does not allow {:?}", d.choice))),
        };
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
        taken.push(step);
    }
    let statuses = x.statuses(program);
    if let Some(change) = statuses.iter().find_map(|s| match s {
        Status::Relayout(change) => Some(*change),
        _ => None,
    }) {
        return Err(Refused::Relayout(change));
    }
    let small = x.events.len() <= MATRIX;
    let consistent = small.then(|| axioms::consistent(&x, memory));
    let fault = if small { axioms::fault(program, &x, memory) } else { None };
    Ok(Replayed { execution: x, taken, statuses, consistent, fault })
}

impl Replayed {
    /// Whether this run shows the failure `kind` in `thread`.
    pub fn shows<R: Runnable>(&self, program: &R, kind: FailureKind, thread: usize) -> bool {
        if self.consistent == Some(false) {
            return false;
        }
        let events = &self.execution.events;
        let own = self.statuses.get(thread);
        match kind {
            _ if matches!(own, Some(Status::Failed(Failure { kind: k, .. })) if *k == kind) => true,
            FailureKind::Deadlock => self.execution.is_deadlock(program, &self.statuses),
            FailureKind::Liveness => !matches!(own, Some(Status::Finished(_)) | None),
            FailureKind::Leak => events.iter().any(|a| match a.op {
                Op::Alloc { block, kind: BlockKind::Heap, .. } => {
                    !events.iter().any(|f| matches!(f.op, Op::Free { loc, .. } if loc.block() == block))
                }
                _ => false,
            }),
            FailureKind::InvalidPointer
                if matches!(own, Some(Status::Asks(Op::Join { thread }, _))
                    if matches!(self.statuses.get(thread.index()), None | Some(Status::Absent))) =>
            {
                true
            }
            FailureKind::Race
            | FailureKind::UseAfterFree
            | FailureKind::DoubleFree
            | FailureKind::InvalidFree
            | FailureKind::InvalidPointer
            | FailureKind::Uninitialised => self.fault.is_some() || self.consistent.is_none(),
            _ => false,
        }
    }
}
