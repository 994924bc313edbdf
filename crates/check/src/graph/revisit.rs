//! Which reads a new write revisits, and what is deleted for it.
//!
//! A write `e` may take over a read `r` that was added before it and is outside its `porf`
//! prefix. Everything added after `r` and not in that prefix is deleted, provided each deleted
//! event, and `r`, is what the search would add first if it had to add it again: *maximal*. So
//! the graph after the revisit is reached from exactly one graph before.

use super::event::{Clock, EventId, Kind};
use super::explore::{Revisit, Search};
use super::graph::Graph;
use crate::seeded::{self, Bug};
use lineal_model::run::{Op, Runnable};

impl<R: Runnable, const N: usize> Search<'_, R, N> {
    /// The revisits of the write that `thread` is about to add; the graph does not have it yet.
    pub fn revisits(&self, thread: usize) -> Vec<Revisit<N>> {
        let g = &self.graph;
        let lane = &g.lanes[thread];
        let prefix = &self.prefix(thread);
        let (cell, consumer) = match g.next_op(thread) {
            Some(&Op::Write { loc, .. }) => (self.names.find(loc), None),
            _ => {
                let read = lane.events.last().expect("the read of the update");
                let position = g.after(read.cell, read.rf);
                // Another update read the same write: only graphs without it are consistent.
                let consumer = g.cells[read.cell as usize].mo.get(position).copied();
                (Some(read.cell), consumer.filter(|&u| g.event(u).is_update()))
            }
        };
        let Some(cell) = cell else { return Vec::new() };
        let mut revisits = Vec::new();
        for &read in &g.cells[cell as usize].reads {
            let r = g.event(read);
            if r.grouped || prefix.contains(read) || !r.mode.is_atomic() {
                continue;
            }
            if let Some(u) = consumer
                && (prefix.contains(u) || g.event(u).stamp <= r.stamp)
            {
                continue;
            }
            if let Some(u) = consumer
                && seeded::active(Bug::OnlyConsumersRead)
                && (read.thread(), read.index() + 1) != (u.thread(), u.index())
            {
                continue;
            }
            if let Some(keep) = keep(g, read, prefix, self.meets) {
                revisits.push(Revisit { read, keep });
            }
        }
        self.groups(prefix, |read| {
            let r = g.event(read);
            let conflict = consumer.is_some_and(|u| prefix.contains(u) || g.event(u).stamp <= r.stamp);
            if !conflict && let Some(keep) = keep(g, read, prefix, self.meets) {
                revisits.push(Revisit { read, keep });
            }
        });
        revisits
    }
}

/// What stays of each thread when `read` is revisited by a write with this `prefix`: `None` if
/// something to be deleted is not maximal. The read itself is cut off too, to be added anew.
fn keep<S, const N: usize>(
    g: &Graph<S, N>,
    read: EventId,
    prefix: &Clock<N>,
    meets: bool,
) -> Option<Clock<N>> {
    let stamp = g.event(read).stamp;
    if !seeded::active(Bug::NoMaximalRevisited) && !is_maximal(g, read, prefix, meets) {
        return None;
    }
    let mut keep = Clock::ZERO;
    for (t, lane) in g.lanes.iter().enumerate() {
        let older = lane.events.partition_point(|e| e.stamp <= stamp);
        let mut stays = older.max(prefix.0[t] as usize);
        if t == read.thread() {
            // The rest of its group has the same stamp.
            stays = read.index() + 1;
        }
        for i in stays..lane.events.len() {
            if !is_maximal(g, EventId::new(t, i), prefix, meets) {
                return None;
            }
        }
        keep.0[t] = stays as u16;
    }
    keep.0[read.thread()] = read.index() as u16;
    Some(keep)
}

/// Whether `event` takes the last of its choices in `S`, the events not newer than it and those
/// of `prefix`.
fn is_maximal<S, const N: usize>(g: &Graph<S, N>, event: EventId, prefix: &Clock<N>, meets: bool) -> bool {
    let e = g.event(event);
    match e.kind {
        // Accesses that do not race leave no choice.
        Kind::Read | Kind::Write if !e.mode.is_atomic() => true,
        Kind::Read => {
            if e.spurious {
                return seeded::active(Bug::NoMaximalChoice);
            }
            let meets = meets && !seeded::active(Bug::GoesOnLast);
            let completion = if meets { g.completion(e, |w| is_there(g, w, event, prefix)) } else { None };
            let last = completion.unwrap_or_else(|| last_of(g, event, prefix));
            last == e.rf || seeded::active(Bug::NoMaximalRead)
        }
        Kind::Write => {
            let last = last_of(g, event, prefix) == event;
            let mut reads = g.cells[e.cell as usize].reads.iter().map(|&r| g.event(r));
            (last || seeded::active(Bug::NoMaximalWrite))
                && (seeded::active(Bug::NoMaximalUnread)
                    || !reads.any(|r| r.rf == event && r.stamp < e.stamp))
        }
        Kind::Choose => match *g.op(e) {
            Op::Choose { low, .. } => e.value.lo == low as u64 || seeded::active(Bug::NoMaximalChoice),
            _ => true,
        },
        _ => true,
    }
}

/// The `mo`-last write of the cell of `event` among those not newer than it and those of `prefix`.
fn last_of<S, const N: usize>(g: &Graph<S, N>, event: EventId, prefix: &Clock<N>) -> EventId {
    let e = g.event(event);
    let mo = &g.cells[e.cell as usize].mo;
    let last = mo.iter().rev().find(|&&w| prefix.contains(w) || is_older(g, w, event, e.stamp));
    last.copied().unwrap_or(EventId::INIT)
}

/// Whether the write `w` is not newer than `event`, or in `prefix`.
#[inline]
fn is_there<S, const N: usize>(g: &Graph<S, N>, w: EventId, event: EventId, prefix: &Clock<N>) -> bool {
    is_older(g, w, event, g.event(event).stamp) || prefix.contains(w)
}

/// Whether the write `w` is not newer than `event`, which has this stamp.
#[inline]
fn is_older<S, const N: usize>(g: &Graph<S, N>, w: EventId, event: EventId, stamp: u32) -> bool {
    // Of one group, later in the thread is newer.
    let later = w.thread() == event.thread() && w.index() > event.index();
    !later && g.event(w).stamp <= stamp
}
