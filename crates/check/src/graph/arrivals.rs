//! Barriers: the order in which the threads of a round arrive is not looked at.
//!
//! An arrival adds one to the state of the barrier; everyone then waits for the number that the last of
//! a round leaves (the last one, too, so that all are alike: it has come by then, but
//! whoever frees the barrier meanwhile takes away what it looks at). So a round of `n` threads has `n!`
//! orders, and who goes on late may read what arrivals of the next round left, too. In programs that
//! destroy barriers, who goes on is counted as well, and who destroys one waits for them. Here
//!
//! 1. an arrival takes the last write of the state, and nothing else, and so does who is counted
//!    when leaving;
//! 2. who goes on takes the write that completed its round, and none after it;
//!
//! provided that no more threads come to the barrier than it is for. (The search keeps count, and
//! starts over without this if there are more: see below.) Then all rounds are of the same threads,
//! and the `k`-th arrival of each of them belongs to round `k`.
//!
//! Why nothing is lost. Let `G` be a complete consistent graph.
//!
//! *Orders.* A thread that has arrived does nothing before the round is complete. So nothing
//! depends on an arrival but the later arrivals of its round, and what depends on all of them.
//! Arrivals acquire and release: whichever comes last, whoever goes on knows what everyone knew who
//! arrived. Exchange two arrivals of one round: no clocks change but those of arrivals, no values
//! but the numbers they count, and no model finds a new cycle, since every way from one arrival of
//! the round to another leads through the state itself. The new graph is consistent, and as good or
//! bad as `G`: call the two equal.
//!
//! *Leaving.* What is before a thread that is counted when leaving is before everyone who has gone on,
//! but for its own look at the barrier; nobody reads the count but who destroys it, which is after all
//! of them whatever their order, since each continues what the others release, and none acquires.
//! Exchange two neighbours: no clock changes. So these, too, are steps without a choice, and that one
//! depends on another makes no difference to what may be revisited.
//!
//! *Serial threads.* Where results are used, the last to arrive chooses the serial thread by the
//! place that its arrival has in the order, counted from the last one. Of equal graphs, the order
//! and the choice together tell who is serial; one order with all choices, or all orders with the
//! first choice, are enough. The search takes the latter where it looks at all orders. Of neighbours
//! that nobody can tell apart ([`super::symmetry`]) and that differ in nothing before they arrive,
//! the later one is chosen: exchange the two, and their arrivals, which come in the order of the row.
//!
//! *Going on.* Let a thread read an arrival of a later round, and let it read the one that completed
//! its own instead: it knows less then, and everything else is as it was. No model minds: the
//! read may come as early as just behind that write, since all that is before it in its thread is
//! before the write. Values stay, and whatever races in `G` still does.
//!
//! *The search.* Up to this equality an arrival is a step without a choice, like the end of a
//! thread, and so is going on, like a join of all: the search for graphs up to equality finds each
//! of them once (the theorem of [`super::explore`]). What 1 leaves out are the ways in which an
//! arrival takes the place of one that is there already and comes after it then: to equal graphs.
//! That an arrival depends here on those before it makes no difference to revisits: what
//! depends on an arrival and revisits anything depends on all of its round, but for arrivals
//! themselves, which revisit only who waits for the last of them. Where a revisit asks what would be
//! chosen first if an event had to be added again, it is, for who goes on, the write that completed
//! its round, if that is there.
//!
//! *Too many threads.* Let an execution have them. Before the first arrival of a thread too many all
//! of the above is true of the program whose threads stop there; the search for that finds an
//! equal graph in which the thread is about to arrive, and this one goes the same ways up to there.
//!
//! Whoever destroys a barrier looks at the state and fails if a round is not complete. It
//! may see that in fewer graphs; but nothing orders it after the thread that waits then, which read
//! for how many the barrier is before it arrived, so that there is a race.
//!
//! Executions drawn at random, or with few preemptions, have all orders.

use super::Options;
use super::event::{Event, EventId};
use super::explore::{Frame, Halt, Search};
use super::graph::Graph;
use super::learned::Lesson;
use crate::seeded::{self, Bug};
use lineal_model::run::{Cause, Op, Runnable, Until, Value, Wait};
use std::collections::BTreeSet;
use std::rc::Rc;

/// Where in the state of a barrier it stands for how many it is.
const PARTIES: u32 = 32;

/// The state that a thread at a barrier waits for.
fn awaited(op: &Op) -> Option<i64> {
    match *op {
        Op::Read { wait: Some(Wait { until: Until::AtLeast(n), cause: Cause::Barrier }), .. } => {
            // Other numbers are those of serial threads.
            Some(n).filter(|n| n >> PARTIES > 0)
        }
        _ => None,
    }
}

/// Somebody who arrives, or leaves, is counted.
fn counts(op: &Op) -> bool {
    matches!(op, Op::Rmw { wait: Some(Wait { cause: Cause::Barrier, .. }), .. })
}

fn arrives(op: &Op) -> bool {
    matches!(op, Op::Rmw { wait: Some(Wait { cause: Cause::Barrier, until: Until::AtLeast(0) }), .. })
}

impl Options {
    /// Whether one order of arrival is enough.
    pub(super) fn in_one_order(&self) -> bool {
        self.arrivals && !self.learned.crowd && self.sample.is_none() && self.preemptions.is_none()
    }
}

impl<R: Runnable, const N: usize> Search<'_, R, N> {
    /// A choice; behind an arrival all orders stand for all choices.
    pub(super) fn open_choice(&self, thread: usize, low: i64, high: i64) -> Frame<Rc<R::Thread>, N> {
        let high = if self.graph.has_arrived(thread) && !self.meets { low.min(high) } else { high };
        Frame::Choose { thread, pushed: false, next: (low <= high).then_some(low), high }
    }

    /// Whether a read of what is before `position` need not be looked at: an arrival that is not the last so
    /// far, or a thread that goes on later than it could.
    pub(super) fn is_out_of_turn(
        &self,
        thread: usize,
        op: &Op,
        cell: u32,
        position: usize,
        value: Value,
    ) -> Result<bool, Halt> {
        if !self.meets {
            return Ok(false);
        }
        if let (Some(n), &Op::Read { size, .. }) = (awaited(op), op) {
            return Ok(value.signed(size) > n);
        }
        if !counts(op) {
            return Ok(false);
        }
        let mo = &self.graph.cells[cell as usize].mo;
        // Since it was set up last.
        let arrived = mo.iter().rev().take_while(|&&w| self.graph.event(w).is_update());
        let threads: BTreeSet<usize> = arrived.map(|w| w.thread()).chain([thread]).collect();
        if threads.len() as u64 > value.lo >> PARTIES && !seeded::active(Bug::MeetsAnyway) {
            return Err(Halt::Learned(Lesson::Crowd));
        }
        Ok(position < mo.len())
    }
}

impl<S, const N: usize> Graph<S, N> {
    /// Whether the thread, which has just completed a round, need not choose the serial thread so many
    /// arrivals before its own: a neighbour of that one might as well be it.
    pub(super) fn is_chosen_in_vain(&self, thread: usize, back: i64) -> bool {
        if !self.has_arrived(thread) {
            return false;
        }
        let cell = self.lanes[thread].events.last().expect("the arrival").cell;
        let mo = &self.cells[cell as usize].mo;
        let Some(at) = mo.len().checked_sub(1 + back as usize) else { return false };
        let same = |w: &EventId| {
            let lane = &self.lanes[w.thread()];
            // The arrival is two events.
            let before = w.index().checked_sub(2).map(|i| &lane.events[i]);
            lane.neighbour == Some(mo[at].thread()) && before.is_none_or(|e| e.alike)
        };
        mo[at + 1..].iter().any(same)
    }

    /// Whether the thread has just arrived at a barrier.
    pub(super) fn has_arrived(&self, thread: usize) -> bool {
        self.lanes[thread].events.last().is_some_and(|e| arrives(self.op(e)))
    }

    /// Of the writes of its cell that `there` knows, the one that completed the round a thread waited for.
    pub(super) fn completion(&self, e: &Event<S, N>, there: impl Fn(EventId) -> bool) -> Option<EventId> {
        let n = awaited(self.op(e))?;
        let mo = self.cells[e.cell as usize].mo.iter();
        mo.copied().find(|&w| self.event(w).value.lo as i64 == n && there(w))
    }
}
