//! Threads that nobody can tell apart but by the values they carry: of the graphs that differ only
//! in which of them is which, one is enough.
//!
//! A *row* are threads that do the same up to renaming of values: calls of one operation whose
//! arguments are independent data ([`super::Options::rows`]), or, in a program with loops, threads
//! that [`super::symmetry`] would take to be exchangeable. Two of them next to one another, `i`
//! before `j`, are compared iteration by iteration, as long as they have written nothing that
//! others see: by the writes that their reads took. At the first difference `i` must come first:
//!
//! - `j`'s iteration comes after `i`'s in `porf`; or neither comes after the other, and the first
//!   read that differs takes an earlier write in `i`, or fails without need where `j`'s does not.
//!   A single read is an iteration.
//! - Where they read the same and then store to the same cell, `i`'s store comes first in `mo`.
//!
//! The relation has a direction for any two threads, so the threads of a row can be ordered such
//! that all neighbours are in order (each tournament has a Hamiltonian path), and each orbit keeps
//! at least one graph. It is not transitive, so a few orbits keep two.
//!
//! The search must not lose what it needs on its way there: what `j` does up to the difference
//! *depends* on what `i` did (the clock `porf` has it, `true_porf` does not), an update's write
//! included, so no revisit takes it away from under `j`; and `i` moves first.

use super::event::{Clock, Event, EventId, Half, Kind};
use super::explore::Search;
use crate::seeded::{self, Bug};
use lineal_model::run::{Op, Runnable};
use smallvec::SmallVec;

/// A read of memory that others may know.
#[derive(Clone, Copy)]
struct Taken {
    rf: EventId,
    cell: u32,
    /// Failed though it need not have.
    spurious: bool,
    /// Goes on with the iteration of the read before it.
    continues: bool,
    /// Its index in the thread.
    at: usize,
}

impl Taken {
    fn is_like(&self, other: &Taken) -> bool {
        (self.rf, self.spurious, self.continues) == (other.rf, other.spurious, other.continues)
    }
}

type Takes = SmallVec<[Taken; 12]>;

/// The reads of one iteration: up to where in the list; and its last event.
struct Turn {
    upto: usize,
    last: EventId,
}

impl<R: Runnable, const N: usize> Search<'_, R, N> {
    fn class(&self, thread: usize) -> Option<u8> {
        self.options.rows.get(thread.checked_sub(1)?).copied()
    }

    /// Threads are compared by iterations.
    pub(super) fn in_rows(&self) -> bool {
        self.grouping && (!self.options.rows.is_empty() || self.options.learned.loops)
    }

    /// The thread before this one in its row.
    pub(super) fn row_before(&self, thread: usize) -> Option<usize> {
        let class = self.class(thread);
        let listed = thread > 1 && class.is_some() && self.class(thread - 1) == class;
        let before = self.graph.lanes[thread].row.or(listed.then(|| thread - 1))?;
        self.graph.lanes[before].exists.then_some(before)
    }

    /// The same, where it matters.
    fn before(&self, thread: usize) -> Option<usize> {
        if self.in_rows() { self.row_before(thread) } else { None }
    }

    /// The thread after this one in its row.
    fn behind(&self, thread: usize) -> Option<usize> {
        (thread + 1..self.graph.lanes.len())
            .find(|&t| self.graph.lanes[t].exists && self.before(t) == Some(thread))
    }

    /// Whether `thread` comes after one of its row that can still move.
    pub(super) fn waits_in_row(&self, thread: usize) -> bool {
        let Some(before) = self.graph.lanes[thread].row else { return false };
        self.graph.next_op(before).is_some_and(|op| !matches!(op, Op::Join { .. }))
    }

    /// The reads of memory that others may know, up to the first write that others see; and whether
    /// there was one.
    fn taken(&self, thread: usize, out: &mut Takes) -> bool {
        out.clear();
        for (i, e) in self.graph.lanes[thread].events.iter().enumerate() {
            match e.kind {
                Kind::Read if e.mode.is_atomic() => {
                    let block = self.names.cells[e.cell as usize].loc.block();
                    let own = self.graph.block(block).alloc.is_some_and(|a| a.thread() == thread);
                    if !own {
                        let Event { rf, cell, spurious, continues, .. } = *e;
                        out.push(Taken { rf, cell, spurious, continues, at: i });
                    }
                }
                Kind::Write if e.mode.is_atomic() && !e.own => return true,
                Kind::Free | Kind::Create | Kind::Join | Kind::Choose => return true,
                _ => {}
            }
        }
        false
    }

    /// Whether the iteration that `thread` has just ended is in order; what it depends on then.
    pub(super) fn in_row(&self, thread: usize) -> Option<Clock<N>> {
        let mut needs = Clock::ZERO;
        let (before, behind) = (self.before(thread), self.behind(thread));
        if before.or(behind).is_none() {
            return Some(needs);
        }
        let mut mine = Takes::new();
        if self.taken(thread, &mut mine) || mine.is_empty() {
            return Some(needs);
        }
        let start = mine.iter().rposition(|r| !r.continues).unwrap_or(0);
        let own = Turn { upto: mine.len(), last: EventId::new(thread, mine[mine.len() - 1].at) };
        let mut other = Takes::new();
        if let Some(before) = before
            && let Some(turn) = self.same_turn(before, &mine, start, &mut other)
        {
            if !self.precedes(&other, &turn, &mine, &own, start) {
                return None;
            }
            let e = self.graph.event(turn.last);
            needs.join(&e.porf);
            let next = turn.last.index() + 1;
            let lane = &self.graph.lanes[before];
            if e.half == Half::Read && next < lane.events.len() {
                needs.join(&lane.events[next].porf);
            }
        }
        if let Some(behind) = behind
            && let Some(turn) = self.same_turn(behind, &mine, start, &mut other)
            && !self.precedes(&mine, &own, &other, &turn, start)
        {
            return None;
        }
        Some(needs)
    }

    /// The iteration of another thread in the same place, if they agree up to there.
    fn same_turn(&self, thread: usize, mine: &[Taken], start: usize, other: &mut Takes) -> Option<Turn> {
        self.taken(thread, other);
        if other.len() <= start || other[start].continues {
            return None;
        }
        if (0..start).any(|k| !mine[k].is_like(&other[k])) {
            return None;
        }
        let upto = (start + 1..other.len()).find(|&k| !other[k].continues).unwrap_or(other.len());
        Some(Turn { upto, last: EventId::new(thread, other[upto - 1].at) })
    }

    fn precedes(&self, a: &[Taken], first: &Turn, b: &[Taken], second: &Turn, start: usize) -> bool {
        if seeded::active(Bug::NoPorfFirst) {
            // By `mo` alone.
        } else if self.graph.event(second.last).true_porf.contains(first.last) {
            return true;
        } else if self.graph.event(first.last).true_porf.contains(second.last) {
            return false;
        }
        for k in start..first.upto.min(second.upto) {
            let (a, b) = (a[k], b[k]);
            if a.cell != b.cell {
                return true;
            }
            if a.rf != b.rf {
                return self.graph.after(a.cell, a.rf) <= self.graph.after(b.cell, b.rf);
            }
            if a.spurious != b.spurious {
                return a.spurious;
            }
        }
        true
    }

    /// The first write of a thread that others see, if it is not part of an update.
    fn first_store(&self, thread: usize) -> Option<EventId> {
        for (i, e) in self.graph.lanes[thread].events.iter().enumerate() {
            match e.kind {
                Kind::Write if e.mode.is_atomic() && !e.own => {
                    return (e.half == Half::Whole).then(|| EventId::new(thread, i));
                }
                Kind::Free | Kind::Create | Kind::Join | Kind::Choose => return None,
                _ => {}
            }
        }
        None
    }

    /// Whether two threads read the same up to their first write that others see.
    fn read_alike(&self, a: usize, b: usize) -> bool {
        let (mut x, mut y) = (Takes::new(), Takes::new());
        self.taken(a, &mut x);
        self.taken(b, &mut y);
        x.len() == y.len() && x.iter().zip(&y).all(|(x, y)| x.is_like(y))
    }

    /// The store that the first store of `thread`, about to be added, must come after.
    pub(super) fn store_before(&self, thread: usize) -> Option<EventId> {
        let before = self.before(thread)?;
        let mut mine = Takes::new();
        let Some(&Op::Write { mode, loc, .. }) = self.graph.next_op(thread) else { return None };
        if !mode.is_atomic() || self.taken(thread, &mut mine) || self.is_private(thread, loc.block()) {
            return None;
        }
        self.first_store(before).filter(|_| self.read_alike(before, thread))
    }

    /// Whether the store that `thread` has just added, if it is its first, is in order.
    pub(super) fn stores_in_order(&self, thread: usize) -> bool {
        let (before, behind) = (self.before(thread), self.behind(thread));
        if before.or(behind).is_none() {
            return true;
        }
        let Some(mine) = self.first_store(thread).filter(|&s| Some(s) == self.graph.last(thread)) else {
            return true;
        };
        let precedes = |a: EventId, b: EventId| {
            let cell = self.graph.event(a).cell;
            cell != self.graph.event(b).cell || self.graph.after(cell, a) < self.graph.after(cell, b)
        };
        let first = |other: usize| self.first_store(other).filter(|_| self.read_alike(thread, other));
        before.and_then(first).is_none_or(|theirs| precedes(theirs, mine))
            && behind.and_then(first).is_none_or(|theirs| precedes(mine, theirs))
    }

    /// The iteration, or single read, that the thread has just added is over.
    pub(super) fn turn_is_over(&self, thread: usize) -> bool {
        let lane = &self.graph.lanes[thread];
        let Some(last) = lane.events.last() else { return false };
        if !last.grouped {
            return last.is_read() && last.mode.is_atomic();
        }
        let goes_on = |op: &Op| matches!(op, Op::Loop { .. }) || self.joins(thread, op);
        !(last.pure && self.graph.next_op(thread).is_some_and(goes_on))
    }

    /// Adds what the last event depends on; `false` if it is out of order.
    pub(super) fn depends(&mut self, thread: usize) -> bool {
        match self.in_row(thread) {
            Some(needs) => {
                let last = self.graph.lanes[thread].events.last_mut().expect("an event");
                if !seeded::active(Bug::NoDependency) {
                    last.porf.join(&needs);
                }
                true
            }
            None => false,
        }
    }
}
