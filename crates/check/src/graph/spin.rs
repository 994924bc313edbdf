//! Loops: an iteration that changed nothing blocks its thread, and `--unroll` cuts.
//!
//! When a thread passes a loop head in the same state as at an earlier passage, and since then
//! wrote nothing that another thread could see, the iterations between can be erased: what is
//! left is a real execution with the same thread state and fewer events, so no error is lost by
//! not going on. These writes do not count:
//!
//! - into a block whose address the thread never gave away, if they left what was there before;
//! - by a read-modify-write that stores what it read (a test-and-set on a taken lock), or a plain
//!   one that stores what is there: whoever reads it may as well read its predecessor;
//! - plain ones before the first read of an iteration that failed only because a weak
//!   compare-and-swap did so without need: the next iteration starts in the same state, so it
//!   makes the same writes again, and nobody can tell, because nothing was released since.
//!
//! Whether such a loop ever ends is another question (`Options::liveness`): the thread goes round
//! for ever from here if everything it read since that passage is what memory holds in the end.
//! Several iterations may lie between the two: a compare-and-swap that fails overwrites what it
//! expects, and only the next but one finds the loop in the same state.

use super::event::{Event, EventId, Kind};
use super::explore::Search;
use crate::seeded::{self, Bug};
use lineal_model::run::{BlockId, Cause, Loc, Op, Runnable};
use std::collections::BTreeMap;
use std::rc::Rc;

/// How many earlier passages of a loop head are compared with the present one.
const VISITS: u32 = 64;

impl<R: Runnable, const N: usize> Search<'_, R, N> {
    /// Why the thread does not get past the loop head it has reached, if so.
    pub fn blocks(&self, thread: usize, op: Op) -> Option<Cause> {
        let Op::Loop { head } = op else { return None };
        let lane = &self.graph.lanes[thread];
        if self.repeated(thread, head, lane.state.as_ref(), lane.events.len()).is_some() {
            return Some(Cause::Spin);
        }
        let passages = |e: &&Event<Rc<R::Thread>, N>| matches!(e.op, Op::Loop { head: h } if h == head);
        let passed = self.graph.lanes[thread].events.iter().filter(passages).count();
        // The first passage enters the loop.
        let allowed = self.options.unroll? as usize;
        (passed > allowed).then_some(Cause::Bound)
    }

    /// The last passage of the loop head, among the first `upto` events, that the thread made in
    /// state `now` and after which it changed nothing.
    fn repeated(&self, thread: usize, head: u32, now: Option<&Rc<R::Thread>>, upto: usize) -> Option<usize> {
        let now = self.program.snapshot(now?)?;
        let reckless = seeded::active(Bug::AlwaysSpin);
        let mut compared = 0;
        for (i, e) in self.graph.lanes[thread].events[..upto].iter().enumerate().rev() {
            match (e.kind, e.op) {
                (Kind::Loop, Op::Loop { head: h }) if h == head => {
                    let then = e.state.as_ref().and_then(|s| self.program.snapshot(s));
                    // Looking at the writes takes long: only if the states agree.
                    if then.is_some_and(|then| then == now) && (reckless || self.is_erasable(thread, i)) {
                        return Some(i);
                    }
                    compared += 1;
                    if compared == VISITS {
                        return None;
                    }
                }
                _ if reckless => {}
                (Kind::Write, _) if e.is_update() && !self.is_idle(EventId::new(thread, i)) => return None,
                (Kind::Write, _) if e.mode.is_atomic() && !e.is_update() && !self.is_own(thread, e) => {
                    return None;
                }
                (Kind::Alloc | Kind::Free | Kind::Create | Kind::Join, _) => return None,
                _ => {}
            }
        }
        None
    }

    /// Whether a thread blocked at a loop head goes round for ever if nobody else moves: it comes
    /// back to the same state, and each read on the way saw a write on the way, or the value that
    /// the cell holds in the end. A weak compare-and-swap that failed without need does not do so
    /// for ever.
    pub(super) fn circles(&self, thread: usize) -> bool {
        let events = &self.graph.lanes[thread].events;
        let Some((Op::Loop { head }, state)) = events.last().map(|e| (e.op, e.state.as_ref())) else {
            return false;
        };
        let Some(from) = self.repeated(thread, head, state, events.len() - 1) else { return false };
        events[from..].iter().filter(|e| e.is_read()).all(|e| {
            let own = e.rf != EventId::INIT && e.rf.thread() == thread && e.rf.index() > from;
            let last = self.graph.cells[e.cell as usize].mo.last().copied().unwrap_or(EventId::INIT);
            !e.spurious && (own || self.content(e.cell, last) == e.value)
        })
    }

    /// Whether no write since event `from` counts.
    fn is_erasable(&self, thread: usize, from: usize) -> bool {
        let events = &self.graph.lanes[thread].events;
        let mut blocks: BTreeMap<BlockId, bool> = BTreeMap::new();
        let mut private = |e: &Event<Rc<R::Thread>, N>| {
            let block = self.names.cells[e.cell as usize].loc.block();
            *blocks.entry(block).or_insert_with(|| self.is_private(thread, block))
        };
        let last = |part: &[Event<Rc<R::Thread>, N>], cell: u32| {
            part.iter().rev().find(|e| e.is_write() && e.cell == cell).map(|e| e.value)
        };
        let repeats = self.repeats(thread, from);
        events.iter().enumerate().skip(from).filter(|(_, e)| e.is_write()).all(|(i, e)| {
            if !private(e) {
                let counts = e.mode.is_atomic() && !e.is_update();
                return !counts && (repeats || self.is_idle(EventId::new(thread, i)));
            }
            let then = last(&events[..from], e.cell).unwrap_or_else(|| self.content(e.cell, EventId::INIT));
            repeats || last(&events[from..], e.cell) == Some(then)
        })
    }

    /// Whether the iterations since `from` failed spuriously only, and would make the same plain
    /// writes again.
    fn repeats(&self, thread: usize, from: usize) -> bool {
        let since = &self.graph.lanes[thread].events[from..];
        // Writes before the first read follow from the thread's state alone.
        let first = since.iter().position(|e| e.is_read()).unwrap_or(since.len());
        since.iter().any(|e| e.spurious)
            && since[first..].iter().all(|e| !e.is_write())
            && since[..first].iter().all(|e| !(e.is_write() && e.mode.is_atomic()))
    }

    /// A write that leaves its cell as it was.
    fn is_idle(&self, write: EventId) -> bool {
        let e = self.graph.event(write);
        let before = self.graph.write_before(e.cell, self.graph.after(e.cell, write) - 1);
        self.content(e.cell, before) == e.value
    }

    /// A write into a block that the thread allocated itself.
    fn is_own(&self, thread: usize, write: &Event<Rc<R::Thread>, N>) -> bool {
        let block = self.names.cells[write.cell as usize].loc.block();
        self.graph.block(block).alloc.is_some_and(|a| a.thread() == thread)
    }

    /// A block of the thread's own whose address no other thread can know.
    fn is_private(&self, thread: usize, block: BlockId) -> bool {
        let own = self.graph.block(block).alloc.is_some_and(|a| a.thread() == thread);
        own && !self.graph.lanes[thread].events.iter().any(|e| match (e.kind, e.op) {
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
