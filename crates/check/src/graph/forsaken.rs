//! Threads that wait and that nothing will ever wake in any graph to come: such a branch ends here.
//!
//! A thread waits because of what its last reads took: at a loop head, or for a lock. When a write
//! `w` comes that it should see, `w` revisits those reads; the branch in which it does not is kept
//! only for the sake of later revisits that take `w` away again. Where there will be none, all graphs
//! of the branch have a thread that waits though it could go on, and are no executions.
//!
//! Let `b` be a read that the thread waits because of, the last one it made or of the same group
//! ([`super::group`]); `w` a write of another thread, newer than `b` and `mo`-after what `b` took; and
//! let `w` be in the `porf` prefix of every thread that can move. Then no graph to come is without `w`
//! and without `b` as it is.
//!
//! Suppose a revisit, of `r` by `e`, is the first to delete `w`, or to delete or to change `b`. If `e`
//! depends on `w`, then `w` stays, and `b` is not maximal because of it. So `e` does not, and `r` is
//! older than `w`. What `e` depends on was not all there when the branch was cut, since whoever could
//! move depends on `w`: some of it was deleted or changed by an earlier revisit. Consider all revisits
//! since the cut. The write `e₁` of the first depends on `w`, by the same argument. After each of them
//! there is a read that took a newer write which depends on `w` and came since the cut, and that read
//! is as old as any revisited one: it is the revisited read itself, if that is the oldest so far and its
//! write depends on `w`; or the read that there was before, which a revisit by a write that does not
//! depend on `w` leaves alone, with its write, or is not made at all: neither is maximal. So `e`, too,
//! would delete that write, which is newer than `w`, and could not.
//!
//! What fails in one of the graphs that are left out fails without the waiting thread's last
//! iteration as well, in a graph that is found elsewhere ([`super::spin`]).
//!
//! Asked whether loops end, the search goes on: what a thread circles on may be an old write with the
//! value of the last.

use super::event::{Event, EventId, Half};
use super::explore::Search;
use super::graph::Next;
use crate::seeded::{self, Bug};
use lineal_model::run::{Cause, Op, Runnable};
use std::rc::Rc;

impl<R: Runnable, const N: usize> Search<'_, R, N> {
    /// Whether some thread waits for what is there, and goes on waiting in every graph to come.
    pub(super) fn is_forsaken(&self) -> bool {
        if !self.retrying || !self.options.waits || self.options.liveness {
            return false;
        }
        let mut lanes = self.graph.lanes.iter().enumerate();
        lanes.any(|(t, l)| l.exists && matches!(l.next, Next::Blocked(Cause::Spin, _)) && self.is_left(t))
    }

    fn is_left(&self, thread: usize) -> bool {
        let events = &self.graph.lanes[thread].events;
        let Some(at) = events.iter().rposition(|e| e.is_read()) else { return false };
        let last = &events[at];
        if !last.grouped || self.is_risky(thread, at) {
            return false;
        }
        let group = events[..=at].iter().rev().take_while(|e| e.grouped && e.stamp == last.stamp);
        let mut reads = group.filter(|e| e.is_read() && e.mode.is_atomic() && e.half == Half::Whole);
        reads.any(|e| self.missed(thread, e))
    }

    /// Whether a write that the read should have taken stays for good.
    fn missed(&self, thread: usize, read: &Event<Rc<R::Thread>, N>) -> bool {
        let mo = &self.graph.cells[read.cell as usize].mo;
        if mo.last().is_none_or(|&w| w == read.rf) {
            return false;
        }
        let newer = |w: EventId| w.thread() != thread && self.graph.event(w).stamp > read.stamp;
        mo[self.graph.after(read.cell, read.rf)..].iter().any(|&w| newer(w) && self.stays(w))
    }

    /// Whether whatever comes next depends on `w`.
    fn stays(&self, w: EventId) -> bool {
        self.graph.lanes.iter().filter(|l| l.exists).all(|lane| match lane.next {
            Next::Ask(asked) => {
                let waits = match *self.graph.asks.op(asked) {
                    Op::Join { thread } => {
                        let child = self.graph.lanes.get(thread.index());
                        child.is_some_and(|c| c.exists && c.returned().is_none())
                    }
                    _ => false,
                };
                waits || lane.porf().contains(w) || seeded::active(Bug::ForsakesAnyway)
            }
            Next::Finished(_) | Next::Blocked(..) => true,
        })
    }
}
