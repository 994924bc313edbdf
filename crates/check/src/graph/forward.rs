//! Executions built forward: an event at the end of some thread, with one of the choices that the
//! memory model leaves, and no revisits.
//!
//! All four models keep `porf` acyclic, and what lies before some events in `porf` is consistent if
//! the whole is. So each execution can be built so, in any order that extends `porf`; a
//! read-modify-write is one step.

use super::event::{EventId, Half};
use super::explore::{Floors, Halt, Search};
use super::graph::Next;
use lineal_model::run::{Cause, Op, Runnable};

/// What became of a read, or of a read-modify-write as a whole.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Taken {
    /// Not consistent, not what the thread waits for, or an error.
    No,
    Read,
    Wrote,
}

impl<R: Runnable, const N: usize> Search<'_, R, N> {
    /// Whether the thread asks for something, and does not wait for another to end.
    pub(super) fn may_move(&self, thread: usize) -> bool {
        if !self.graph.lanes[thread].exists {
            return false;
        }
        match self.graph.next_op(thread) {
            Some(Op::Join { thread: child }) => {
                let child = self.graph.lanes.get(child.index());
                child.is_none_or(|c| !c.exists || c.returned().is_some())
            }
            Some(_) => true,
            None => false,
        }
    }

    /// The cell that a read is asked of.
    pub(super) fn read_cell(&mut self, thread: usize) -> u32 {
        let (Op::Read { loc, size, .. } | Op::Rmw { loc, size, .. }) = self.asked(thread).0 else {
            unreachable!("a read is asked")
        };
        self.cell(loc, size)
    }

    /// Whether what the thread waits for is not what is there now. It may have been, before.
    pub(super) fn waits_now(&mut self, thread: usize) -> bool {
        let (Op::Read { size, wait: Some(wait), .. } | Op::Rmw { size, wait: Some(wait), .. }) =
            self.asked(thread).0
        else {
            return false;
        };
        let cell = self.read_cell(thread);
        let newest = self.graph.cells[cell as usize].mo.last().copied().unwrap_or(EventId::INIT);
        !wait.until.holds(self.content(cell, newest), size)
    }

    /// A read, or a read-modify-write as a whole, of the write before `position`; and whether the
    /// same may also be read by a compare-and-swap that fails without need.
    pub(super) fn take_at(
        &mut self,
        thread: usize,
        position: usize,
        floors: Floors,
        spurious: bool,
    ) -> Result<(Taken, bool), Halt> {
        let attempt = self.read(thread, position, floors, spurious, None)?;
        let taken = |taken| Ok((taken, attempt.weak));
        if !attempt.added {
            return taken(Taken::No);
        }
        let last = self.graph.lanes[thread].events.last().expect("the read");
        let (unmet, half, cell) = (last.unmet, last.half, last.cell);
        if !unmet && half != Half::Read {
            return taken(Taken::Read);
        }
        if !unmet && self.is_atomic_at(cell, position) && self.write(thread, position, true)? {
            return taken(Taken::Wrote);
        }
        self.pop(thread);
        taken(Taken::No)
    }

    /// A thread that cannot go on waits from now on: what it waits for is part of the execution.
    pub(super) fn put_to_rest(&mut self, thread: usize) -> Result<(), Halt> {
        let (op, site) = self.asked(thread);
        match op {
            Op::Read { wait: Some(_), .. } | Op::Rmw { wait: Some(_), .. } => {
                let cell = self.read_cell(thread);
                let newest = self.graph.cells[cell as usize].mo.len();
                let floors = self.read_floors(thread);
                self.read(thread, newest, floors, false, None)?;
            }
            _ => self.graph.lanes[thread].next = Next::Blocked(Cause::Spin, site),
        }
        Ok(())
    }
}
