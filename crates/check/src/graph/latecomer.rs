//! A thread that comes when all others are done, and whether it can do anything then.
//!
//! [`crate::conform`] asks whether a client that lacks one call more can complete
//! ([`crate::conform::starving`] has the theorem). The question for this engine: given the threads of
//! a program but one, the *latecomer*, which is the last of a row of `kin`,
//!
//! - does every execution of the others complete, without an error (loops included:
//!   [`super::Options::liveness`] is set), and none is cut short by an assumption, by `exit`, or because
//!   there is no number to choose; and
//! - in each such execution, does the latecomer, whatever it reads, old writes too, come back to a
//!   loop head in the state it was in before, without an *effect*?
//!
//! An effect is a write that others may see and that changes something, a release of memory, the
//! creation or the join of a thread, its end, or an error. An update that stores what it read, an
//! *idle* one, is taken for a read with the order of the update: of the write it reads, whether
//! another update has taken that or not. An update that would change something is an effect even
//! if the write it reads is taken by another update, unless that one, perhaps after idle ones, is the
//! first effect of one of its kin. The search ends at the first effect ([`Halt::Acts`]), so it is
//! short where the latecomer is served.
//!
//! An idle update races with a plain read, where a read would not: if one cell has both, in any
//! graphs, that counts as an effect, too ([`super::idle::may_race`]).

use super::event::Kind;
use super::explore::{Halt, Search};
use super::graph::Next;
use crate::seeded::{self, Bug};
use lineal_model::run::{Cause, Loc, Op, Runnable, ThreadId, Value};

/// Which thread it is; its kin are `first..thread`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Latecomer {
    pub thread: usize,
    pub first: usize,
    /// Cells that no thread reads, where threads note what they do: writing there is no effect.
    pub notes: Vec<Loc>,
}

/// What the latecomer's update would do.
pub(super) enum Would {
    /// Store what it read.
    Idle,
    /// What one of its kin did before it could come.
    TooLate,
}

impl<R: Runnable, const N: usize> Search<'_, R, N> {
    pub(super) fn comes_late(&self, thread: usize) -> bool {
        self.options.latecomer.as_ref().is_some_and(|l| l.thread == thread)
    }

    /// The latecomer, if all others but main are done and it has something to do.
    pub(super) fn latecomer(&self) -> Option<usize> {
        let late = self.options.latecomer.as_ref()?.thread;
        let done = |t: usize| {
            let lane = &self.graph.lanes[t];
            t == 0 || t == late || !lane.exists || matches!(lane.next, Next::Finished(_))
        };
        let exists = self.graph.lanes.get(late).is_some_and(|l| l.exists);
        let asks = exists && self.graph.next_op(late).is_some();
        (asks && (0..self.graph.lanes.len()).all(done)).then_some(late)
    }

    /// Whether what the thread does next is an effect of the latecomer, whatever it would read; or cuts
    /// the execution short, whoever it is.
    pub(super) fn acts(&self, thread: usize) -> bool {
        if let (Some(_), Some(Op::Choose { low, high })) =
            (&self.options.latecomer, self.graph.next_op(thread))
        {
            return low > high;
        }
        self.comes_late(thread)
            && match self.graph.next_op(thread) {
                Some(&Op::Write { loc, .. }) => self.others_see(thread, loc),
                Some(Op::Free { .. } | Op::Create { .. } | Op::Join { .. }) => true,
                _ => false,
            }
    }

    /// What becomes of an update of the latecomer that reads the write before `position` and stores
    /// `stored`.
    pub(super) fn would(
        &mut self,
        cell: u32,
        position: usize,
        read: Value,
        stored: Value,
    ) -> Result<Would, Halt> {
        if read == stored {
            self.names.cells[cell as usize].used.idle = true;
            return Ok(Would::Idle);
        }
        let mo = &self.graph.cells[cell as usize].mo;
        for &w in &mo[position..] {
            let e = self.graph.event(w);
            if !e.is_update() {
                break;
            }
            if e.value == read {
                continue;
            }
            let anyone = seeded::active(Bug::TakenByAnyone);
            if anyone || self.is_kin(w.thread()) && self.first_effect(w.thread()) == Some(w.index()) {
                return Ok(Would::TooLate);
            }
            break;
        }
        Err(Halt::Acts)
    }

    /// Whether another thread may read what this one writes there.
    fn others_see(&self, thread: usize, loc: Loc) -> bool {
        let notes = self.options.latecomer.as_ref().is_some_and(|l| l.notes.contains(&loc));
        !notes && !self.is_private(thread, loc.block())
    }

    fn is_kin(&self, thread: usize) -> bool {
        self.options.latecomer.as_ref().is_some_and(|l| (l.first..l.thread).contains(&thread))
    }

    /// The first event of a thread that others may see and that changes something.
    fn first_effect(&self, thread: usize) -> Option<usize> {
        let events = &self.graph.lanes[thread].events;
        events.iter().enumerate().position(|(i, e)| match e.kind {
            Kind::Write if e.is_update() => events[i - 1].value != e.value,
            Kind::Write => self.others_see(thread, self.names.cells[e.cell as usize].loc),
            Kind::Free | Kind::Create | Kind::Join => true,
            _ => false,
        })
    }

    /// The end of a branch: whether the latecomer came, and waits.
    pub(super) fn starves(&self) -> Result<bool, Halt> {
        let Some(late) = &self.options.latecomer else { return Ok(false) };
        let lanes = self.graph.lanes.iter().enumerate().filter(|(_, l)| l.exists);
        for (t, lane) in lanes.filter(|(t, _)| *t != late.thread) {
            let main = t == ThreadId::MAIN.index();
            match lane.next {
                // A thread that spins is seen to go on in another branch, or else the loop is an error.
                Next::Finished(_) | Next::Blocked(Cause::Spin, _) => {}
                Next::Ask(_) if main => {}
                // Neither complete nor to be completed: cut short by an assumption, by the end of the
                // process, or it waits for something that no loop looks at.
                _ if !seeded::active(Bug::CutIsComplete) => return Err(Halt::Acts),
                _ => {}
            }
        }
        let lane = self.graph.lanes.get(late.thread).filter(|l| l.exists).ok_or(Halt::Acts)?;
        match lane.next {
            Next::Blocked(Cause::Spin, _) => Ok(true),
            // Some other thread waits.
            Next::Ask(_) if lane.events.is_empty() => Ok(false),
            _ => Err(Halt::Acts),
        }
    }
}
