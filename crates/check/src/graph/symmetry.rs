//! Threads that nobody can tell apart: of the graphs that differ only in who is who, one is enough.
//!
//! Threads created in a row, running the same function on the same argument, and never learning
//! their own number are exchangeable: swapping two of them turns executions into executions. Of
//! two *neighbours* `i` and `j`, created one after the other, the search keeps the graphs in which
//! `i` comes first. They are compared event by event while they agree; where they first differ,
//!
//! - two reads come in the order of the writes they read, unless what `j` reads comes after the
//!   event of `i` in `porf`; a spurious failure of a weak compare-and-swap comes before its success;
//! - two writes come in the order of `mo`;
//! - of two choices the larger comes first.
//!
//! Each list of threads can be ordered so that all neighbours are in order (every tournament has
//! a Hamiltonian path), so each orbit keeps at least one graph. The relation is not transitive, so
//! it may keep more: counts are of orbits, with some counted again.
//!
//! The search must not lose what it needs on its way there. Whatever it adds first (the last
//! write, the first alternative) is in order if `i` goes before `j`; so `j` waits for `i` while
//! they agree, and each event of `j` up to the first difference *depends* on that of `i`: the
//! clock `porf` includes it, and no revisit takes it away from under `j`.
//!
//! Exchangeable is a claim about the whole program: a thread that joins some of them and then goes
//! on, or is told different results, could tell, or one that looks for the owner of a lock. When an execution does that, the search starts
//! over without symmetry ([`Halt::Distinct`]). That too does not depend on who is who.

use super::event::{Clock, Event, EventId, Half, Kind};
use super::explore::{Halt, Search};
use super::graph::{Graph, Lane, Next};
use crate::seeded::{self, Bug};
use lineal_model::run::{Op, Runnable, Site};

impl<S, const N: usize> Lane<S, N> {
    /// Whether the next event is compared with that of the neighbour.
    fn agrees(&self) -> bool {
        self.neighbour.is_some() && self.events.last().is_none_or(|e| e.alike)
    }
}

impl<S, const N: usize> Graph<S, N> {
    /// The event of the neighbour that the next event of `thread` is compared with.
    pub fn model(&self, thread: usize) -> Option<EventId> {
        let lane = &self.lanes[thread];
        let neighbour = lane.neighbour.filter(|_| lane.agrees())?;
        let index = lane.events.len();
        (index < self.lanes[neighbour].events.len()).then(|| EventId::new(neighbour, index))
    }

    /// Whether `thread` has to wait until its neighbour has moved.
    pub fn waits_for_neighbour(&self, thread: usize) -> bool {
        let lane = &self.lanes[thread];
        match lane.neighbour {
            Some(i) if lane.agrees() => {
                matches!(self.lanes[i].next, Next::Ask(..)) && self.lanes[i].events.len() <= lane.events.len()
            }
            _ => false,
        }
    }

    /// Whether `e`, about to be added by `thread`, is what its neighbour did.
    pub fn is_alike(&self, thread: usize, e: &Event<S, N>) -> bool {
        let Some(model) = self.model(thread) else { return false };
        let m = self.event(model);
        m.kind == e.kind
            && self.op(m) == self.op(e)
            && e.kind != Kind::Write
            && (m.half, e.half) == (Half::Whole, Half::Whole)
            && (m.rf, m.spurious, m.unmet, m.cell) == (e.rf, e.spurious, e.unmet, e.cell)
            && m.value == e.value
    }
}

impl<R: Runnable, const N: usize> Search<'_, R, N> {
    /// What the next event of `thread` depends on, itself excluded.
    pub(super) fn prefix(&self, thread: usize) -> Clock<N> {
        let g = &self.graph;
        let mut prefix = *g.lanes[thread].porf();
        if seeded::active(Bug::NoDependency) {
            return prefix;
        }
        if let Some(store) = self.store_before(thread) {
            prefix.join(&g.event(store).porf);
        }
        if let Some(model) = g.model(thread) {
            prefix.join(&g.event(model).porf);
            // An update is its read and its write.
            let next = EventId::new(model.thread(), model.index() + 1);
            if g.event(model).half == Half::Read && next.index() < g.lanes[next.thread()].events.len() {
                prefix.join(&g.event(next).porf);
            }
        }
        prefix
    }

    /// Whether the next event of `thread`, a read of what is before `position`, is in order.
    pub(super) fn read_in_order(&self, thread: usize, cell: u32, position: usize, read: Pick) -> bool {
        let Some(model) = self.graph.model(thread) else { return true };
        let m = self.graph.event(model);
        if m.kind != Kind::Read || m.cell != cell {
            return true;
        }
        let place = self.graph.after(cell, m.rf);
        let later = read.rf != EventId::INIT && self.graph.event(read.rf).porf.contains(model);
        match position.cmp(&place) {
            std::cmp::Ordering::Greater => true,
            std::cmp::Ordering::Equal if read.updates && m.half == Half::Read => false,
            std::cmp::Ordering::Equal => m.spurious || !read.spurious,
            std::cmp::Ordering::Less => later,
        }
    }

    /// The same for a write at `position`.
    pub(super) fn write_in_order(&self, thread: usize, cell: u32, position: usize) -> bool {
        let Some(model) = self.graph.model(thread) else { return true };
        let m = self.graph.event(model);
        !m.is_write() || m.cell != cell || position >= self.graph.after(cell, model)
    }

    pub(super) fn choice_in_order(&self, thread: usize, pick: i64) -> bool {
        let Some(model) = self.graph.model(thread) else { return true };
        let m = self.graph.event(model);
        m.kind != Kind::Choose || pick <= m.value.lo as i64
    }

    /// The thread created just before `created`, if the new one is exchangeable with it.
    pub(super) fn neighbour(&self, created: EventId) -> Option<usize> {
        if !self.symmetric || created == EventId::INIT {
            return None;
        }
        let Op::Create { entry } = *self.graph.op(self.graph.event(created)) else { return None };
        let events = &self.graph.lanes[created.thread()].events[..created.index()];
        let before = events.iter().rev().find(|e| e.kind != Kind::Loop)?;
        let same = matches!(*self.graph.op(before), Op::Create { entry: e } if e == entry);
        (same && self.program.is_anonymous(entry)).then_some(before.cell as usize)
    }

    /// How many threads of the graph can be exchanged with another.
    pub(super) fn exchangeable(&self) -> u64 {
        let lanes = &self.graph.lanes;
        let before = |t: usize| lanes[t].neighbour.or(lanes[t].row);
        let has = |t: usize| lanes[t].exists && before(t).is_some();
        let is = |t: usize| (0..lanes.len()).any(|u| has(u) && before(u) == Some(t));
        (0..lanes.len()).filter(|&t| has(t) || is(t)).count() as u64
    }

    /// Ends the search if `thread` goes on after it joined some of a row of exchangeable threads
    /// and not the others, or was told different results.
    pub(super) fn indistinct(&self, thread: usize) -> Result<(), Halt> {
        if !self.symmetric {
            return Ok(());
        }
        let lane = &self.graph.lanes[thread];
        let goes_on = !matches!(self.graph.next_op(thread), Some(Op::Join { .. } | Op::Loop { .. }));
        let recent = || lane.events.iter().rev().filter(|e| e.kind != Kind::Loop);
        let joined = || recent().take_while(|e| e.kind == Kind::Join);
        for join in joined() {
            let child = join.cell as usize;
            let in_row = |other: usize| {
                let l = &self.graph.lanes[other];
                l.exists && self.graph.lanes[child].exists && self.first(other) == self.first(child)
            };
            for other in (0..self.graph.lanes.len()).filter(|&o| o != child && in_row(o)) {
                match joined().find(|j| j.cell as usize == other) {
                    Some(j) if j.value != join.value => return Err(Halt::Distinct),
                    None if goes_on => return Err(Halt::Distinct),
                    _ => {}
                }
            }
        }
        Ok(())
    }

    /// Ends the search if what is read at `site` tells who wrote it.
    pub(super) fn unsigned(&self, site: Site, rf: EventId) -> Result<(), Halt> {
        if !self.symmetric || rf == EventId::INIT {
            return Ok(());
        }
        let written = self.graph.site(self.graph.event(rf));
        match self.program.signs(written) && !self.program.signs(site) {
            true => Err(Halt::Distinct),
            false => Ok(()),
        }
    }

    /// The first of the row of exchangeable threads that `thread` belongs to.
    fn first(&self, thread: usize) -> usize {
        let mut first = thread;
        while let Some(i) = self.graph.lanes[first].neighbour.or(self.graph.lanes[first].row) {
            first = i;
        }
        first
    }
}

/// What a read is about to take.
#[derive(Clone, Copy)]
pub(super) struct Pick {
    pub rf: EventId,
    pub spurious: bool,
    pub updates: bool,
}
