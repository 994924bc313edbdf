//! Executions in which no thread goes on: all have ended or wait.
//!
//! A thread that goes round in a loop may do so for now only, since it read something old. It is
//! taken to wait for good if it comes round again reading the newest writes everywhere.

use super::super::event::{Event, Kind};
use super::super::explore::Halt;
use super::super::forward::Taken;
use super::super::graph::Next;
use super::super::spin::Turn;
use super::Walk;
use super::visited::Key;
use lineal_model::run::{Cause, Op, Runnable};

/// A thread that has not come round by then is taken to go on.
const LONGEST: usize = 2_000;

impl<R: Runnable, const N: usize> Walk<'_, '_, R, N> {
    /// Looks at the graph as an execution, if no thread goes on from it.
    pub(super) fn rest(&mut self, key: Key) -> Result<(), Halt> {
        let known = *self.visited.known(key);
        let asking: Vec<usize> =
            (0..self.search.graph.lanes.len()).filter(|&t| self.search.may_move(t)).collect();
        let waits = |t: usize| known.waits >> t & 1 == 1 || self.search.starts_later(t);
        if known.leaf || !asking.iter().all(|&t| waits(t)) {
            return Ok(());
        }
        self.visited.known(key).leaf = true;
        let mark = self.trail.len();
        let mut at_rest = true;
        for thread in asking {
            at_rest = at_rest && self.come_round(thread)?;
        }
        if at_rest {
            self.search.leaf()?;
        }
        self.undo(mark);
        Ok(())
    }

    /// Lets the thread run on the newest writes; whether it stays where it is.
    fn come_round(&mut self, thread: usize) -> Result<bool, Halt> {
        let failures = self.search.tally.failures;
        for _ in 0..LONGEST {
            let (op, site) = self.search.asked(thread);
            let search = &mut *self.search;
            search.remember(thread);
            match op {
                Op::Read { wait: Some(_), .. } | Op::Rmw { wait: Some(_), .. } => {
                    search.put_to_rest(thread)?;
                    self.noted(thread);
                    return Ok(matches!(self.search.graph.lanes[thread].next, Next::Blocked(..)));
                }
                Op::Read { mode, .. } if mode.is_atomic() => self.newest(thread)?,
                Op::Rmw { .. } => self.newest(thread)?,
                Op::Write { mode, .. } if mode.is_atomic() => {
                    let (_, upto) = search.write_range(thread);
                    search.write(thread, upto - 1, true)?;
                }
                Op::Loop { .. } => {
                    let turn = search.turn(thread, op);
                    if let Turn::Ends(Cause::Spin, from) = turn {
                        search.keep(thread, from)?;
                    }
                    let stamp = search.graph.stamp;
                    let grouped = turn == Turn::Dirty && search.options.iterations;
                    let event = Event { stamp, grouped, ..search.blank(thread, Kind::Loop) };
                    search.add(thread, event, 0);
                    if let Turn::Ends(cause, _) = turn {
                        search.graph.lanes[thread].next = Next::Blocked(cause, site);
                        self.noted(thread);
                        return Ok(cause == Cause::Spin);
                    }
                    search.resumed(thread)?;
                }
                Op::Choose { .. } | Op::Join { .. } | Op::Create { .. } => return Ok(false),
                _ => {
                    search.plain(thread)?;
                    if search.options.iterations
                        && let Some(from) = search.late_from(thread)
                    {
                        search.keep(thread, from)?;
                        search.graph.lanes[thread].next = Next::Blocked(Cause::Spin, site);
                        self.noted(thread);
                        return Ok(true);
                    }
                }
            }
            self.noted(thread);
            if self.search.tally.failures > failures || self.search.graph.next_op(thread).is_none() {
                return Ok(false);
            }
        }
        Ok(false)
    }

    fn newest(&mut self, thread: usize) -> Result<(), Halt> {
        let search = &mut *self.search;
        let floors = search.read_floors(thread);
        let cell = search.read_cell(thread);
        let newest = search.graph.cells[cell as usize].mo.len();
        let (taken, _) = search.take_at(thread, newest, floors, false)?;
        debug_assert!(taken != Taken::No || search.best.is_some());
        Ok(())
    }
}
