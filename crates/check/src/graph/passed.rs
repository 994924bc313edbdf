//! Locks that are given back: whoever waits and is passed over then waits for nothing that comes.
//!
//! When a lock is given back, the search goes on in two ways: the unlock `u` revisits a thread that
//! waits for it, or it does not, and the thread goes on waiting for a later unlock. The second way
//! is needed only for revisits that take `u` or the waiting read away again. Where there are none,
//! all its graphs end in a thread that waits though the lock was given back, which is no execution;
//! the way is not gone.
//!
//! Let `w` be the update by which the holder took the lock, `u` its unlock, next to `w` in `mo`, and
//! `b` a read that found `w`, is older than it (`w` revisited it) and waits. Suppose that
//!
//! 1. between `w` and `u` the holder wrote nothing atomically and created no thread;
//! 2. no atomic read is as new as `w` and older than `u`, but for the holder's own of the lock;
//! 3. in no graph does anyone but its holder read what an update left in the lock, unless to wait,
//!    and all else that is written there is an unlock: just behind the own update, and last in `mo`.
//!
//! By 1 and 3 whatever depends (`porf`) on `w`, the holder and the waiting apart, depends on `u` too.
//! So a write that depends on `w` finds `u` behind it: `b`, which reads `w`, is then not maximal. Nor
//! is it for a write that does not depend on `w`, which is newer. So `b` is neither revisited nor
//! deleted. Nor is `u`: a revisit that deletes it and keeps `b` keeps `w`, since `b` has read it before
//! it was there; so the revisited read is as new as `w`, by 2 the holder's own of the lock, and by 3
//! no other write can come between `w` and `u`. So `b` and `u` stay: all graphs of this way have a
//! thread that waits and could go on. What fails in one of them fails without `b` as well, in a graph
//! that is found elsewhere.
//!
//! That 3 holds in every graph is not known beforehand: the search keeps book ([`super::books`]), and
//! starts over without this if it does not. The books suffice though graphs are left out: consider
//! the program whose threads stop before they break 3 for the first time. All of the above is true of
//! it, and the search goes the same ways until it meets such a step, which it does if there is one.
//! Symmetry adds to `porf`; where threads are exchanged, every way is gone.

use super::event::{Event, EventId, Half, Kind};
use super::explore::Search;
use crate::seeded::{self, Bug};
use lineal_model::run::{Op, Runnable};
use std::rc::Rc;

impl<R: Runnable, const N: usize> Search<'_, R, N> {
    /// Whether the last write does not satisfy who waits for it.
    pub(super) fn would_wait(&self, op: &Op) -> bool {
        let (Op::Read { loc, size, wait: Some(wait), .. } | Op::Rmw { loc, size, wait: Some(wait), .. }) = op
        else {
            return false;
        };
        let cell = self.names.find(*loc).filter(|&c| (c as usize) < self.graph.cells.len());
        cell.is_some_and(|cell| {
            let last = self.graph.cells[cell as usize].mo.last();
            !wait.until.holds(self.content(cell, last.copied().unwrap_or(EventId::INIT)), *size)
        })
    }

    /// Keeps book of an event about to be added: does it use the cell as a lock is used?
    pub(super) fn note_lock(&mut self, thread: usize, event: &Event<Rc<R::Thread>, N>, position: usize) {
        if !event.is_access() || self.names.cells[event.cell as usize].used.open {
            return;
        }
        let mo = &self.graph.cells[event.cell as usize].mo;
        let open = match event.kind {
            Kind::Read => {
                let others = event.rf != EventId::INIT && event.rf.thread() != thread;
                others && !event.unmet && self.graph.event(event.rf).is_update()
            }
            _ if event.half == Half::Write => false,
            _ if mo.is_empty() => event.mode.is_atomic(),
            _ => {
                let own = |w: &EventId| w.thread() == thread && self.graph.event(*w).is_update();
                position < mo.len() || !mo.last().is_some_and(own)
            }
        };
        self.names.cells[event.cell as usize].used.open |= open;
    }

    /// Whether `thread`, with the write it has just added, gave a lock back and passed over someone
    /// who waits for it, so that nothing comes of going on.
    pub(super) fn passes_over(&mut self, thread: usize) -> bool {
        if !self.options.waits || self.options.liveness || self.options.learned.risk.open {
            return false;
        }
        let g = &self.graph;
        let lane = &g.lanes[thread];
        let u = lane.events.last().expect("the unlock");
        let mo = &g.cells[u.cell as usize].mo;
        let [.., w, last] = mo[..] else { return false };
        let unlock = EventId::new(thread, lane.events.len() - 1);
        if last != unlock || w.thread() != thread || u.half != Half::Whole || !u.mode.is_atomic() {
            return false;
        }
        let taken = g.event(w);
        if !taken.is_update() {
            return false;
        }
        let waits = |id: &EventId| {
            let b = g.event(*id);
            let unmet = match *g.op(b) {
                Op::Rmw { size, wait: Some(wait), .. } | Op::Read { size, wait: Some(wait), .. } => {
                    !wait.until.holds(taken.value, size)
                }
                _ => false,
            };
            b.unmet && unmet && b.rf == w && b.stamp < taken.stamp
        };
        if !g.cells[u.cell as usize].reads.iter().any(waits) {
            return false;
        }
        let tells = |e: &Event<Rc<R::Thread>, N>| {
            e.kind == Kind::Create || e.is_write() && (e.mode.is_atomic() || e.cell == u.cell)
        };
        if lane.events[w.index() + 1..unlock.index()].iter().any(tells) {
            return false;
        }
        for (t, other) in g.lanes.iter().enumerate().filter(|(_, l)| l.exists) {
            if other.neighbour.is_some() || other.row.is_some() {
                return false;
            }
            let from = other.events.partition_point(|e| e.stamp < taken.stamp);
            let to = other.events.partition_point(|e| e.stamp <= u.stamp);
            let own = |e: &Event<Rc<R::Thread>, N>| t == thread && e.cell == u.cell && e.rf == w;
            let revisitable =
                |e: &Event<Rc<R::Thread>, N>| e.grouped || e.is_read() && e.mode.is_atomic() && !own(e);
            if other.events[from..to].iter().any(revisitable) && !seeded::active(Bug::PassesAnyway) {
                return false;
            }
        }
        let cell = u.cell as usize;
        self.names.cells[cell].used.passed = true;
        true
    }
}
