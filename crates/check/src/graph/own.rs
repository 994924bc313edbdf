//! Memory of a thread's own, and others who see it all the same.
//!
//! An iteration that fails may have written to memory that the thread allocated itself and whose
//! address it has given to nobody. Such writes do not keep the iteration from being left out, if what
//! was there before is there again ([`super::spin`]), or is overwritten before the thread reads it
//! ([`super::group`]). Others may see them later all the same:
//!
//! - an old value, if what gives the address away does not order what was written before it (a relaxed
//!   store, behind a release fence that stands before the loop); a plain write may race then;
//! - any value, if the address was given away before, in a disguise that nobody recognises (`~p`,
//!   `p ^ (uintptr_t)&x`).
//!
//! So books are kept of the cells that were written in iterations that are left out (*kept*), and of
//! those that another thread reads, writes or frees without knowing of the first event by which their
//! owner told the address (*glimpsed*): knowing by happens-before, or, where memory has one order, by
//! `porf`. While no cell is both, nothing is lost: whoever uses such a cell comes after all that was
//! written there as long as it was private, so what was overwritten by then cannot be read, and
//! nothing races with it. If some cell is both, in any graphs, the search starts over, and writes to a
//! thread's own memory count ([`Risk::seen`]), but for atomic ones that store what is there:
//! whoever reads one may as well read the write before it. If the other access is plain, so that any
//! write may race with it, those count as well.
//!
//! A write to such memory is also added without a choice of its place, and revisits nobody. If another
//! thread is there already, the search starts over at once, in the same way.
//!
//! An access that would read, or race with, what was left out is seen to glimpse: take the first in an
//! order of the events that `porf` allows, and of what comes before it everything but the iteration. That
//! is the beginning of an execution that is explored, with the event that tells the address, if there is
//! one; the same access comes next, reads something else, and knows as little.

use super::books::Risk;
use super::event::{Event, EventId, Kind};
use super::explore::{Halt, Search};
use super::graph::Next;
use super::learned::Lesson;
use lineal_model::Memory;
use lineal_model::run::{BlockId, Loc, Op, Runnable};
use std::rc::Rc;

impl<R: Runnable, const N: usize> Search<'_, R, N> {
    /// Keeps book of what the thread wrote into memory of its own since event `from`: it is left out.
    pub(super) fn keep(&mut self, thread: usize, from: usize) -> Result<(), Halt> {
        if self.options.learned.risk.seen_plainly {
            return Ok(());
        }
        let mut any = false;
        for e in self.graph.lanes[thread].events[from..].iter().filter(|e| e.is_write()) {
            let cell = &mut self.names.cells[e.cell as usize];
            let block = cell.loc.block();
            if !block.is_global() && self.graph.block(block).alloc.is_some_and(|a| a.thread() == thread) {
                cell.used.kept = true;
                any = true;
            }
        }
        if any && !self.options.learned.keeps { Err(Halt::Learned(Lesson::Keeps)) } else { Ok(()) }
    }

    /// Keeps book of an event of a thread that uses memory of another one.
    pub(super) fn note_glimpse(&mut self, thread: usize, event: &Event<Rc<R::Thread>, N>) {
        if !self.options.learned.keeps || self.options.learned.risk.seen_plainly {
            return;
        }
        let block = match (event.kind, *self.graph.op(event)) {
            (Kind::Read | Kind::Write, _) => self.names.cells[event.cell as usize].loc.block(),
            (Kind::Free, Op::Free { loc, .. }) => loc.block(),
            _ => return,
        };
        if block.is_global()
            || event.is_access() && self.names.cells[event.cell as usize].used.glimpsed_plainly
        {
            return;
        }
        let Some(owner) = self.graph.block(block).alloc.map(EventId::thread).filter(|&o| o != thread) else {
            return;
        };
        let known = match self.axioms.memory {
            Memory::Sc | Memory::Tso => &event.true_porf,
            Memory::Ra | Memory::Rc11 => &event.hb,
        };
        // A thread that has ended and was joined may have returned the address.
        let lane = &self.graph.lanes[owner];
        let ended = matches!(lane.next, Next::Finished(_)).then(|| lane.events.len() - 1);
        if self.told(owner, block).or(ended).is_some_and(|at| known.contains(EventId::new(owner, at))) {
            return;
        }
        let plainly = !event.mode.is_atomic();
        let cells = if event.is_access() { vec![event.cell] } else { self.names.cells_of(block).to_vec() };
        for cell in cells {
            let used = &mut self.names.cells[cell as usize].used;
            used.glimpsed = true;
            used.glimpsed_plainly |= plainly;
        }
    }

    /// Before the thread writes to memory of its own, as if there were nothing to choose: nobody else was
    /// there.
    pub(super) fn meets_nobody(&self, thread: usize, loc: Loc) -> Result<(), Halt> {
        let Some(cell) = self.names.find(loc).and_then(|c| self.graph.cells.get(c as usize)) else {
            return Ok(());
        };
        if cell.reads.iter().chain(&cell.mo).all(|e| e.thread() == thread) {
            return Ok(());
        }
        Err(Halt::Learned(Lesson::Risk(Risk { seen: true, ..self.options.learned.risk })))
    }

    /// A block of the thread's own whose address no other thread can know.
    pub(super) fn is_private(&self, thread: usize, block: BlockId) -> bool {
        !self.options.learned.risk.seen && self.is_untold(thread, block)
    }

    /// Whether an own write counts only if it changes something, since others may have read it.
    pub(super) fn is_half_private(&self, thread: usize, block: BlockId) -> bool {
        let risk = self.options.learned.risk;
        risk.seen && !risk.seen_plainly && self.is_untold(thread, block)
    }

    fn is_untold(&self, thread: usize, block: BlockId) -> bool {
        let own = self.graph.block(block).alloc.is_some_and(|a| a.thread() == thread);
        own && self.told(thread, block).is_none()
    }

    /// The first event of its owner from which another thread may know the address of the block.
    fn told(&self, owner: usize, block: BlockId) -> Option<usize> {
        self.graph.lanes[owner].events.iter().position(|e| match (e.kind, self.graph.op(e)) {
            (Kind::Write, _) => {
                let size = self.names.cells[e.cell as usize].size;
                if size < 8 {
                    return is_piece(e.value.lo, size, block);
                }
                self.may_tell(e.value.lo, block) || self.may_tell(e.value.hi, block)
            }
            (Kind::Create, Op::Create { entry }) => self.may_tell(entry.argument, block),
            _ => false,
        })
    }

    /// Whether someone who has `word` may know where `block` is: the word points into it, or is
    /// too large for a number and points to nothing known (it may be an address in disguise).
    fn may_tell(&self, word: u64, block: BlockId) -> bool {
        const ADDRESS: u64 = (1 << 47) - 1;
        let target = Loc(word & ADDRESS).block();
        if word < Loc::MAX_BLOCK || target.is_global() || target.owner() == BlockId::CODE_OWNER {
            return false;
        }
        target == block || self.graph.block(target).alloc.is_none()
    }
}

/// Whether a small value may be part of the address of `block`, copied in pieces.
fn is_piece(value: u64, size: u8, block: BlockId) -> bool {
    let (base, bits) = (block.base().0, 8 * u32::from(size));
    let mask = (1u64 << bits) - 1;
    (0..64 / bits).any(|k| {
        let piece = base >> (k * bits) & mask;
        // The lowest piece may carry an offset into the block.
        let offset = if k == 0 { value & !(Loc::MAX_BLOCK - 1) } else { value };
        piece != 0 && piece == offset & mask
    })
}
