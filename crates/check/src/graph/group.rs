//! Iterations as one step: the reads of an iteration that has changed nothing share a stamp.
//!
//! A retry loop reads, finds that nothing is as it wants it, and goes round again; such an
//! iteration *fails*: the thread is back at the loop head in the same state, and can be taken to
//! wait there ([`super::spin`]). Read by read, the search still visits a blocked graph for each
//! combination of old writes that an iteration may fail on. Here the reads of an iteration, up to
//! its first write that others see, are a *group*: added one after the other with one stamp,
//! deleted and revisited together.
//!
//! - A write `e` revisits a group by running it again from its first read, and keeps the runs in
//!   which it reads `e` ([`Lane::owed`]). What follows the first read of `e` is a group of its own,
//!   newer than `e`: a vector of reads that needs several unrelated writes is built by one revisit
//!   after the other, the write that covers the longest prefix first.
//! - If a group is the rest of an iteration whose last read before it took a write that `e` knows,
//!   `e` does not revisit it: the revisit of the earlier part has built that run already.
//! - Of the runs that fail only those are kept, as blocked threads, whose last group reads the
//!   `mo`-last write everywhere. Nothing would ever revisit the others: a read of an older write is
//!   not maximal, now or later.
//! - An iteration that *commits* (leaves the loop, writes, updates, comes to the head in another
//!   state, or goes wrong) is never dropped.
//!
//! Only loops whose iterations were seen to fail, after more than one read, are taken so
//! ([`super::learned`]): each write asks each group whether it would read it, which costs more than
//! it brings elsewhere.
//!
//! So each complete graph is visited exactly once, as before, and most of the blocked ones never.
//! What a dropped iteration might have met later on is the matter of [`super::unseen`].
//!
//! An iteration may also fail but for what it left in private memory, a node's link for instance.
//! It then goes on as part of the same group ([`Turn::Dirty`](super::spin::Turn)); as soon as what
//! it left is overwritten unread, the thread is where it could be without that iteration, which
//! counts as failed from there ([`Search::is_late`]). Executions that contain it are left out, also
//! complete ones: without it there is one with the same outcome.

use super::event::{Event, EventId, Half, Kind};
use super::explore::{Halt, Search};
use super::graph::{Lane, Next};
use super::learned::Lesson;
use crate::seeded::{self, Bug};
use lineal_model::run::{Cause, Op, Runnable};
use std::rc::Rc;

impl<S, const N: usize> Lane<S, N> {
    /// Reads of the present iteration were added, and nothing ended it.
    pub fn in_group(&self) -> bool {
        self.events.last().is_some_and(|e| e.pure && e.grouped)
    }
}

/// Where an event stands among the groups.
#[derive(Clone, Copy)]
pub(super) struct Standing {
    pub stamp: u32,
    pub grouped: bool,
    pub continues: bool,
    pub revisited: bool,
    pub pure: bool,
}

impl<R: Runnable, const N: usize> Search<'_, R, N> {
    /// Whether an iteration that has changed nothing goes on with this.
    pub(super) fn joins(&self, thread: usize, op: &Op) -> bool {
        match op {
            Op::Read { wait, .. } | Op::Rmw { wait, .. } => wait.is_none() && !self.is_undone(op),
            Op::Write { loc, .. } => self.is_private(thread, loc.block()),
            Op::Fence { .. } => true,
            Op::Loop { head } => self.passes(thread, *head),
            _ => false,
        }
    }

    /// Whether an iteration that has changed nothing goes on through the head of another loop.
    pub(super) fn passes(&self, thread: usize, head: u32) -> bool {
        self.graph.lanes[thread].in_group() && !self.options.learned.retries.contains(&head)
    }

    pub(super) fn standing(&self, thread: usize, op: &Op) -> Standing {
        let fresh = Standing {
            stamp: self.graph.stamp,
            grouped: false,
            continues: false,
            revisited: false,
            pure: false,
        };
        if !self.retrying {
            return fresh;
        }
        let lane = &self.graph.lanes[thread];
        if let Some((stamp, continues)) = lane.revisited {
            return Standing { stamp, continues, grouped: true, revisited: true, pure: true };
        }
        if let Op::Loop { head } = op
            && !self.passes(thread, *head)
        {
            return Standing { pure: self.options.learned.retries.contains(head), ..fresh };
        }
        match lane.events.last() {
            Some(last) if last.pure && !lane.is_halfway() && self.joins(thread, op) => {
                if last.grouped {
                    let split = last.is_read() && last.owed != EventId::INIT && last.rf == last.owed;
                    let split = split && !seeded::active(Bug::OneStamp);
                    let stamp = if split { fresh.stamp } else { last.stamp };
                    return Standing { stamp, grouped: true, continues: true, revisited: false, pure: true };
                }
                let grouped = match op {
                    Op::Read { mode, .. } => mode.is_atomic(),
                    Op::Rmw { .. } => true,
                    _ => false,
                };
                Standing { grouped, pure: true, ..fresh }
            }
            _ => fresh,
        }
    }

    /// The thread is past its group and has not read what it must.
    pub(super) fn strayed(&self, thread: usize) -> bool {
        let lane = &self.graph.lanes[thread];
        lane.owed != EventId::INIT
            && !(lane.in_group()
                && self
                    .graph
                    .next_op(thread)
                    .is_some_and(|op| matches!(op, Op::Loop { .. }) || self.joins(thread, op)))
    }

    /// Whether nothing will ever delete or revisit the last reads of a thread about to be stuck, if
    /// there are any among its events `from..upto`:
    /// see [`Search::is_hopeless`].
    pub(super) fn is_dead_end(&self, thread: usize, from: usize, upto: usize) -> bool {
        let events = &self.graph.lanes[thread].events[..upto];
        let Some(at) = events.iter().rposition(|e| e.is_read()).filter(|&at| at >= from) else {
            return false;
        };
        let last = &events[at];
        if last.grouped && seeded::active(Bug::DropsLast) {
            return true;
        }
        if last.grouped && self.is_risky(thread, at) {
            return false;
        }
        if !last.grouped {
            return last.mode.is_atomic()
                && self.is_hopeless(last.cell, self.graph.after(last.cell, last.rf), last.stamp);
        }
        let old = |(i, e): (usize, &Event<Rc<R::Thread>, N>)| {
            let after = self.graph.after(e.cell, e.rf);
            // What the thread wrote later, into memory of its own, goes with the read.
            let own = |w: EventId| w.thread() == thread && w.index() > i && !seeded::active(Bug::OwnIsNews);
            let late = match last.half {
                // An update that changes nothing: its own write comes after.
                Half::Read => self.is_hopeless(e.cell, after, e.stamp),
                _ => self.graph.cells[e.cell as usize].mo[after..].iter().any(|&w| !own(w)),
            };
            e.spurious || late
        };
        // Asked whether loops end, what was read before the iteration stays as it is.
        let first = if self.options.liveness { from } else { 0 };
        let group = (first..=at).rev().map(|i| (i, &events[i]));
        let group = group.take_while(|(_, e)| e.grouped && e.stamp == last.stamp);
        group.filter(|(_, e)| e.is_read() && e.mode.is_atomic()).any(old)
    }

    /// The groups that a write with this prefix may revisit: the first read of each.
    pub(super) fn groups(&self, prefix: &super::event::Clock<N>, mut found: impl FnMut(EventId)) {
        if !self.retrying {
            return;
        }
        for (t, lane) in self.graph.lanes.iter().enumerate() {
            let mut seen = None;
            let mut before: Option<EventId> = None;
            for (i, e) in lane.events.iter().enumerate() {
                if !e.is_read() || !e.mode.is_atomic() {
                    continue;
                }
                if i >= prefix.0[t] as usize && e.grouped && seen != Some(e.stamp) {
                    seen = Some(e.stamp);
                    // What the read before it took is known to the write: that revisit built this.
                    let built =
                        e.continues && before.is_some_and(|h| h != EventId::INIT && prefix.contains(h));
                    if !built || seeded::active(Bug::BuiltTwice) {
                        found(EventId::new(t, i));
                    }
                }
                before = Some(e.rf);
            }
        }
    }

    /// The thread, which has just written into memory of its own, is now where it could be
    /// without its last iteration, since this event: what that left there was overwritten unread. And
    /// whether nothing will revisit it.
    pub(super) fn is_late(&self, thread: usize) -> Option<(usize, bool)> {
        let events = &self.graph.lanes[thread].events;
        let k = self.dirty_head(thread)?;
        let len = events.len();
        self.late_from(thread)
            .map(|from| (from, self.is_dead_end(thread, from, k) || self.is_dead_end(thread, from, len)))
    }

    /// The head that the thread passed last in the middle of a group, having dirtied memory of its
    /// own.
    fn dirty_head(&self, thread: usize) -> Option<usize> {
        let learned =
            |op: &Op| matches!(op, Op::Loop { head } if self.options.learned.retries.contains(head));
        self.graph.lanes[thread].events.iter().rposition(|e| e.grouped && learned(self.graph.op(e)))
    }

    /// The first event of the iteration that could be erased then.
    pub(super) fn late_from(&self, thread: usize) -> Option<usize> {
        let lane = &self.graph.lanes[thread];
        let events = &lane.events;
        let k = self.dirty_head(thread)?;
        let Op::Loop { head } = *self.graph.op(&events[k]) else { return None };
        let state = |i: usize| events[i].state.as_ref().and_then(|s| self.program.snapshot(s));
        let now = state(k)?;
        for i in (0..k).rev() {
            match *self.graph.op(&events[i]) {
                Op::Loop { head: h } if h == head => {
                    if let Some(from) = self.erased_from(thread, i, &now, k)
                        && self.is_overwritten(thread, from, k)
                    {
                        return Some(from);
                    }
                }
                Op::Alloc { .. }
                | Op::Free { .. }
                | Op::Create { .. }
                | Op::Join { .. }
                | Op::Choose { .. } => {
                    return None;
                }
                _ => {}
            }
        }
        None
    }

    fn is_overwritten(&self, thread: usize, from: usize, upto: usize) -> bool {
        let events = &self.graph.lanes[thread].events;
        if seeded::active(Bug::ForgetsPrivate) {
            return true;
        }
        if events[from..upto].iter().any(|e| matches!(e.half, Half::Write | Half::Read)) {
            return false;
        }
        let content = |part: &[Event<Rc<R::Thread>, N>], cell: u32| {
            part.iter().rev().find(|e| e.is_write() && e.cell == cell).map(|e| e.value)
        };
        events[from..upto].iter().filter(|e| e.is_write()).all(|e| {
            if !self.is_private(thread, self.names.cells[e.cell as usize].loc.block()) {
                return false;
            }
            let then =
                content(&events[..from], e.cell).unwrap_or_else(|| self.content(e.cell, EventId::INIT));
            if content(&events[from..upto], e.cell) == Some(then) {
                return true;
            }
            let next = events[upto..].iter().find(|x| x.is_access() && x.cell == e.cell);
            next.is_some_and(|x| x.is_write())
        })
    }

    /// What remains to be seen to after an event was added and its thread told: `false` if the
    /// branch is of no use.
    #[inline]
    pub(super) fn concluded(&mut self, thread: usize) -> Result<bool, Halt> {
        if !self.retrying {
            return Ok(!self.in_rows() || !self.turn_is_over(thread) || self.depends(thread));
        }
        self.turn_concluded(thread)
    }

    fn turn_concluded(&mut self, thread: usize) -> Result<bool, Halt> {
        if self.helps(thread) {
            if !self.options.learned.helps {
                return Err(Halt::Learned(Lesson::Helps));
            }
            let (_, site) = self.asked(thread);
            self.tally.waits = true;
            let events = &self.graph.lanes[thread].events;
            let (head, len) = (events.iter().rposition(|e| e.kind == Kind::Loop), events.len());
            self.keep(thread, head.unwrap_or(0))?;
            if self.is_dead_end(thread, 0, len) || self.graph.lanes[thread].owed != EventId::INIT {
                return Ok(false);
            }
            self.graph.lanes[thread].next = Next::Blocked(Cause::Spin, site);
        }
        if self.strayed(thread) {
            return Ok(false);
        }
        Ok(!self.in_rows() || !self.turn_is_over(thread) || self.depends(thread))
    }
}
