//! Errors in iterations that are left out.
//!
//! [`super::group`] drops iterations that fail and that no later write can revisit. Their reads
//! happened in real executions, and an error may come of them *later*, when another thread writes
//! to a cell that was read plainly, writes plainly to a cell that was read, or frees a block that
//! was looked into. (Errors that do not wait for another thread are found when the read is added,
//! and end the iteration like a commit, so they are never dropped.)
//!
//! So the search keeps book of the cells read in iterations, and of those that are written or freed
//! where others may know them. While the two do not meet, nothing is lost: the writes and frees of
//! an execution also happen in the one in which the failed iterations are erased, and that one is
//! explored. If they meet, the search starts over ([`super::learned`]) with such
//! reads marked as risky ([`Risk`]): an iteration that contains one counts as a commit, and is
//! never dropped. The same for the steps that [`super::helping`] leaves to others; locks that are
//! taken in vain have books of their own ([`super::poll`]).

use super::books::{Risk, Used};
use super::event::{Event, EventId, Kind};
use super::explore::Search;
use lineal_model::Memory;
use lineal_model::run::{Loc, Op, Runnable};
use std::rc::Rc;

impl<R: Runnable, const N: usize> Search<'_, R, N> {
    /// Keeps book of an event about to be added.
    pub(super) fn note(&mut self, thread: usize, event: &Event<Rc<R::Thread>, N>) {
        if event.is_read() && !event.mode.is_atomic() && (self.idles || self.options.latecomer.is_some()) {
            let used = &mut self.names.cells[event.cell as usize].used;
            used.looked_at |= self.graph.goes_with_others(thread);
        }
        if !self.bookkeeping {
            return;
        }
        if let (Kind::Free, Op::Free { loc, .. }) = (event.kind, *self.graph.op(event)) {
            if !self.unseen.freed && self.others_know(thread, loc) {
                self.unseen.freed = true;
            }
            return;
        }
        if !event.is_access() {
            return;
        }
        let cell = event.cell as usize;
        let used = self.names.cells[cell].used;
        let plain = !event.mode.is_atomic();
        if !self.options.learned.undone.is_empty() {
            let shared = self.others_know(thread, self.names.cells[cell].loc);
            self.note_undone(event, shared);
        }
        if !self.options.learned.polls.is_empty() {
            let shared = self.others_know(thread, self.names.cells[cell].loc);
            self.note_guard(thread, event, shared);
        }
        if plain && !used.plain && self.others_know(thread, self.names.cells[cell].loc) {
            self.names.cells[cell].used.plain = true;
        }
        if event.mode.is_sc() && self.axioms.memory == Memory::Rc11 {
            self.names.cells[cell].used.ordered = true;
        }
        if event.is_read() {
            if event.grouped {
                self.note_read(thread, event.cell, plain);
            }
            return;
        }
        if !used.several && !self.is_private(thread, self.names.cells[cell].loc.block()) {
            let others = &self.graph.cells[cell].mo;
            self.names.cells[cell].used.several = others.iter().any(|&w| !self.graph.event(w).own);
        }
        if self.options.learned.helps
            && !used.repeated
            && !self.is_private(thread, self.names.cells[cell].loc.block())
        {
            let writes = self.graph.cells[cell].mo.iter().copied().chain([EventId::INIT]);
            let mut values = writes.map(|w| self.content(event.cell, w));
            self.names.cells[cell].used.repeated = values.any(|v| v == event.value);
        }
        if !(used.written && (used.written_plain || !plain))
            && self.others_know(thread, self.names.cells[cell].loc)
        {
            let used = &mut self.names.cells[cell].used;
            used.written = true;
            used.written_plain |= plain;
        }
    }

    /// Keeps book of a read in an iteration that may be dropped.
    pub(super) fn note_read(&mut self, thread: usize, cell: u32, plain: bool) {
        self.unseen.followed |= self.is_foreign(thread, cell);
        let used = &mut self.names.cells[cell as usize].used;
        used.read |= !plain;
        used.read_plain |= plain;
    }

    /// Keeps book of a compare-and-swap that is left to another thread.
    pub(super) fn note_help(&mut self, thread: usize, cell: u32) {
        self.unseen.followed |= self.is_foreign(thread, cell);
        self.names.cells[cell as usize].used.helped = true;
    }

    /// Whether a cell is in memory that another thread allocated.
    pub(super) fn is_foreign(&self, thread: usize, cell: u32) -> bool {
        let block = self.names.cells[cell as usize].loc.block();
        !block.is_global() && self.graph.block(block).alloc.is_none_or(|a| a.thread() != thread)
    }

    /// Whether another thread may use the block of `loc` from now on.
    fn others_know(&self, thread: usize, loc: Loc) -> bool {
        self.graph.goes_with_others(thread) && !self.is_private(thread, loc.block())
    }

    /// Whether the iteration that ends with event `last` must not be dropped.
    pub(super) fn is_risky(&self, thread: usize, last: usize) -> bool {
        let risk = self.options.learned.risk;
        if risk == Risk::default() || risk.any {
            return risk.any;
        }
        let events = &self.graph.lanes[thread].events[..=last];
        for e in events.iter().rev() {
            let plain = risk.plain && !e.mode.is_atomic();
            if e.is_read() && (plain || (risk.freed && self.is_foreign(thread, e.cell))) {
                return true;
            }
            if !e.grouped || (e.is_read() && !e.continues) {
                return false;
            }
        }
        false
    }

    /// Gives the books out of hand, cell by cell.
    pub(super) fn close_books(&mut self) {
        for cell in self.names.cells.iter().filter(|c| c.used != Used::default()) {
            self.unseen.cells.entry(cell.loc).or_default().join(cell.used);
        }
    }
}
