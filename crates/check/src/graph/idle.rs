//! Updates that store what they read, taken for reads.
//!
//! An exchange of 0 that finds 0, an addition of 0: such an *idle* update changes nothing, but stands in
//! `mo`, where several of them can stand in every order, and what reads it synchronises with it. Herlihy
//! and Wing's `dequeue` makes one at every slot that somebody else has emptied since it looked. With
//! [`super::Options::idle`] the search explores another program instead, in which an update
//! (other than a compare-and-swap, and than those of locks) writes only if that changes something, as
//! a compare-and-swap does.
//!
//! **What of the program the other one has.** Take an execution of the program. Let every idle
//! update be a read, and whoever read from it read from the write before it in `mo` that is none. All read
//! the values they read before, so all threads do the same; it is an execution of the other
//! program, since of `hb`, `mo`, `fr` and `psc` only edges are lost: a release sequence goes through the
//! updates left out, and what comes before them in it synchronises as before. So each execution of the
//! program has a twin in which the calls answer the same and see no more of each other
//! and which allows a client every edge that the first one allows. If such a client leaves the
//! first no order of its calls, it leaves the twin none: orders are bounded by edges of the client
//! (those between calls of one thread, and what follows from them, are among them), and
//! what a call must see, the twin does not show it more often. If the first one goes wrong, so does the twin;
//! but for races.
//!
//! **What the other one has of the program.** Not all of it: without what idle updates tell each other,
//! more may seem to happen than does. So nothing that is found to be wrong with an execution that has
//! an idle update is believed: the search starts over without this ([`super::learned`]), unless something
//! is known to be wrong by then. Nor is a limit that such an execution runs into, nor that some execution
//! completes if all that do have one. What is found to be right, is right.
//!
//! An idle update races with a plain read where a read would not. If some cell has both, in any graphs,
//! the search starts over as well ([`super::unseen`] keeps book).
//!
//! Like [`super::helping`], which is true of any program, this is about calls that are judged for all
//! clients at once. Not under tso, where updates drain store buffers.

use super::Options;
use super::books::Unseen;
use super::event::{Event, Half};
use super::explore::{Halt, Search};
use super::learned::Lesson;
use crate::seeded::{self, Bug};
use lineal_model::Memory;
use lineal_model::run::{Op, Rmw, Runnable, Value, Wait};
use std::rc::Rc;

impl Options {
    /// Whether idle updates are taken for reads.
    pub(super) fn takes_idle_for_reads(&self, memory: Memory) -> bool {
        self.idle && !self.learned.idle && memory != Memory::Tso
    }
}

impl<R: Runnable, const N: usize> Search<'_, R, N> {
    /// Whether an update that reads this is taken for a read; keeps book of it then.
    pub(super) fn is_idle_update(
        &mut self,
        cell: u32,
        rmw: Option<Rmw>,
        wait: Option<Wait>,
        (read, size): (Value, u8),
    ) -> bool {
        let Some(rmw @ Rmw::Fetch { .. }) = rmw.filter(|_| self.idles && wait.is_none()) else {
            return false;
        };
        let idle = rmw.apply(read, size) == Some(read);
        if idle {
            self.names.cells[cell as usize].used.idle = true;
        }
        idle
    }

    /// Whether the graph has an update that was taken for a read: then what is wrong with it may not be
    /// wrong with the program.
    fn has_idle_updates(&self) -> bool {
        let idle = |e: &Event<Rc<R::Thread>, N>| {
            e.is_read()
                && e.half == Half::Whole
                && !e.unmet
                && matches!(self.graph.op(e), Op::Rmw { rmw: Rmw::Fetch { .. }, wait: None, .. })
        };
        self.idles && self.graph.lanes.iter().any(|l| l.events.iter().any(idle))
    }

    /// Whether the graph is known to be one of the program.
    pub(super) fn is_certain(&self) -> bool {
        !self.has_idle_updates() || seeded::active(Bug::BelievesIdle)
    }

    /// Before anything follows from the present graph but that it is as it should be.
    pub(super) fn without_idle_updates(&self) -> Result<(), Halt> {
        if self.is_certain() { Ok(()) } else { Err(Halt::Learned(Lesson::Idle)) }
    }
}

/// Whether an idle update, were it one, would race with a plain read.
pub(super) fn may_race(unseen: &Unseen) -> bool {
    unseen.cells.values().any(|used| used.idle && used.looked_at) && !seeded::active(Bug::IdleNeverRaces)
}
