//! Loops: an iteration that changed nothing blocks its thread, and `--unroll` cuts.
//!
//! When a thread passes a loop head in the same state as at an earlier passage, and since then
//! wrote nothing that another thread could see, the iterations between can be erased: what is
//! left is a real execution with the same thread state and fewer events, so no error is lost by
//! not going on. Writes into a block whose address the thread never gave away are part of its
//! own state, and must have left what was there before. Not covered: whether the loop ever ends
//! (see `Options::liveness`).

use super::Sabotage;
use super::event::{Event, EventId, Kind};
use super::explore::Search;
use lineal_model::run::{BlockId, Cause, Loc, Op, Runnable};
use std::collections::BTreeSet;
use std::rc::Rc;

/// How many earlier passages of a loop head are compared with the present one.
const VISITS: u32 = 64;

impl<R: Runnable, const N: usize> Search<'_, R, N> {
    /// Why the thread does not get past the loop head it has reached, if so.
    pub fn blocks(&self, thread: usize, op: Op) -> Option<Cause> {
        let Op::Loop { head } = op else { return None };
        if self.spins(thread, head) {
            return Some(Cause::Spin);
        }
        let passages = |e: &&Event<Rc<R::Thread>, N>| matches!(e.op, Op::Loop { head: h } if h == head);
        let passed = self.graph.lanes[thread].events.iter().filter(passages).count();
        // The first passage enters the loop.
        let allowed = self.options.unroll? as usize;
        (passed > allowed).then_some(Cause::Bound)
    }

    fn spins(&self, thread: usize, head: u32) -> bool {
        let lane = &self.graph.lanes[thread];
        let Some(now) = lane.state.as_ref().and_then(|s| self.program.snapshot(s)) else { return false };
        let reckless = self.axioms.sabotage == Sabotage::AlwaysSpin;
        let mut compared = 0;
        for (i, e) in lane.events.iter().enumerate().rev() {
            match (e.kind, e.op) {
                (Kind::Loop, Op::Loop { head: h }) if h == head => {
                    let then = e.state.as_ref().and_then(|s| self.program.snapshot(s));
                    let same = then.is_some_and(|then| then == now);
                    if same && (reckless || (self.restored(thread, i) && self.kept_private(thread, i))) {
                        return true;
                    }
                    compared += 1;
                    if compared == VISITS {
                        return false;
                    }
                }
                _ if reckless => {}
                (Kind::Write, _) if !self.is_own(thread, e) => return false,
                (Kind::Alloc | Kind::Free | Kind::Create | Kind::Join, _) => return false,
                _ => {}
            }
        }
        false
    }

    /// Whether nobody else can see what the thread wrote since event `from`.
    fn kept_private(&self, thread: usize, from: usize) -> bool {
        let writes = self.graph.lanes[thread].events[from..].iter().filter(|e| e.is_write());
        let blocks: BTreeSet<BlockId> =
            writes.map(|e| self.names.cells[e.cell as usize].loc.block()).collect();
        blocks.into_iter().all(|b| self.is_private(thread, b))
    }

    /// A write into a block that the thread allocated itself.
    fn is_own(&self, thread: usize, write: &Event<Rc<R::Thread>, N>) -> bool {
        let block = self.names.cells[write.cell as usize].loc.block();
        self.graph.block(block).alloc.is_some_and(|a| a.thread() == thread)
    }

    /// Whether every cell the thread wrote since event `from` holds what it held then.
    fn restored(&self, thread: usize, from: usize) -> bool {
        let events = &self.graph.lanes[thread].events;
        let writes = |part: &[Event<Rc<R::Thread>, N>], cell: u32| {
            part.iter().rev().find(|e| e.is_write() && e.cell == cell).map(|e| e.value)
        };
        events[from..].iter().filter(|e| e.is_write()).all(|e| {
            let then = writes(&events[..from], e.cell);
            then.unwrap_or_else(|| self.content(e.cell, EventId::INIT))
                == writes(&events[from..], e.cell).unwrap()
        })
    }

    /// No other thread can know the address of this block of the thread's own.
    fn is_private(&self, thread: usize, block: BlockId) -> bool {
        !self.graph.lanes[thread].events.iter().any(|e| match (e.kind, e.op) {
            (Kind::Write, _) => {
                self.names.cells[e.cell as usize].size >= 8
                    && (self.may_tell(e.value.lo, block) || self.may_tell(e.value.hi, block))
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
