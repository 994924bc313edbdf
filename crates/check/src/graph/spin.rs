//! Loops: an iteration that changed nothing blocks its thread, and `--unroll` cuts.
//!
//! When a thread passes a loop head in the same state as at an earlier passage, and since then
//! wrote nothing that another thread could see, the iterations between can be erased: what is
//! left is a real execution with the same thread state and fewer events, so no error is lost by
//! not going on. These writes do not count:
//!
//! - into a block whose address the thread never gave away, if they left what was there before
//!   ([`super::own`] looks out for others who may have seen what was there in between);
//! - by a read-modify-write that stores what it read (a test-and-set on a taken lock), or a plain
//!   one that stores what is there: whoever reads it may as well read its predecessor;
//! - plain ones before the first read of an iteration that failed only because a weak
//!   compare-and-swap did so without need: the next iteration starts in the same state, so it
//!   makes the same writes again, and nobody can tell, because nothing was released since.
//!
//! With iterations as one step ([`super::group`]) there are also *rotated* loops, such as
//! `e = x; while (!cas(&x, &e, d));`, in which what an iteration read last decides about the next:
//! if the read before an earlier passage had taken that write, the thread would have been in this
//! state there. It could have done so, if its order is no stronger than that of the last read: the
//! iterations between can be erased then, and the rest is an execution of its own.
//!
//! Whether such a loop ever ends is another question (`Options::liveness`): the thread goes round
//! for ever from here if everything it read since that passage is what memory holds in the end.
//! Several iterations may lie between the two: a compare-and-swap that fails overwrites what it
//! expects, and only the next but one finds the loop in the same state.

use super::event::{Event, EventId, Half, Kind};
use super::explore::Search;
use crate::seeded::{self, Bug};
use lineal_model::run::{Answer, BlockId, Cause, Op, Runnable, Site, Step};
use lineal_model::{Limit, LimitKind};
use std::collections::BTreeMap;
use std::rc::Rc;

/// How often a thread goes round a loop, at most, if nobody says.
const ROUNDS: usize = 500;

/// After so many executions, a loop that threads go round so many times is taken to be endless.
const PATIENCE: u64 = 200_000;
const MANY: usize = 40;

/// How many earlier passages of a loop head are compared with the present one.
const VISITS: u32 = 64;

/// What becomes of a thread at a loop head.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Turn {
    GoesOn,
    /// Its last iteration left nothing behind but in memory of the thread's own.
    Dirty,
    /// It waits there; if it spins, all since this event comes to nothing.
    Ends(Cause, usize),
}

impl<R: Runnable, const N: usize> Search<'_, R, N> {
    /// What becomes of the thread at the loop head it has reached.
    pub(super) fn turn(&self, thread: usize, op: Op) -> Turn {
        let Op::Loop { head } = op else { return Turn::GoesOn };
        let lane = &self.graph.lanes[thread];
        let turn = self.repeated(thread, head, lane.state.as_ref(), lane.events.len()).0;
        if let Turn::Ends(..) = turn {
            return turn;
        }
        let passages =
            |e: &&Event<Rc<R::Thread>, N>| matches!(*self.graph.op(e), Op::Loop { head: h } if h == head);
        let passed = self.graph.lanes[thread].events.iter().filter(passages).count();
        // The first passage enters the loop.
        match self.bound_of(head) {
            Some(allowed) if passed > allowed as usize => Turn::Ends(Cause::Bound, lane.events.len()),
            _ => turn,
        }
    }

    /// How often a thread may go round this loop.
    pub(super) fn bound_of(&self, head: u32) -> Option<u32> {
        if self.program.is_entrance(head) {
            return None;
        }
        let own = self.options.unroll_at.iter().find(|(h, _)| *h == head);
        own.map(|(_, n)| *n).or(self.options.unroll)
    }

    /// Why following the thread any further is not worth it, at the head of a loop it has come back to
    /// again and again without waiting there.
    pub(super) fn endless(&mut self, thread: usize, op: Op, site: Site) -> Option<Limit> {
        let Op::Loop { head } = op else { return None };
        let lane = &self.graph.lanes[thread];
        let all = self.options.unroll.is_some() || self.options.sample.is_some();
        let bounded = all || self.bound_of(head).is_some();
        if bounded || lane.events.len() < MANY {
            return None;
        }
        let passed = lane.events.iter().filter(|e| *self.graph.op(e) == op).count();
        if passed <= MANY {
            return None;
        }
        let limit = || {
            let name = self.program.entry_name(lane.entry);
            let message = format!("thread {thread} ({name}) goes round this loop {passed} times and more");
            Limit { at: self.program.place(site), ..Limit::new(LimitKind::Loop, message) }
        };
        let many = self.tally.executions + self.tally.blocked > PATIENCE && self.options.judge.is_none();
        if passed > ROUNDS || many {
            return Some(limit());
        }
        if self.effort.rounds.is_some() && self.goes_on.is_none() {
            self.goes_on = Some(limit());
        }
        self.spent()
    }

    /// A thread has gone round a loop many times, in this execution or one before: why not to go on, if
    /// all this has taken long enough ([`Effort::rounds`](lineal_model::Effort)).
    pub(super) fn spent(&mut self) -> Option<Limit> {
        let most = self.effort.rounds.filter(|_| self.goes_on.is_some())?;
        self.rounds += 1;
        (self.rounds > most).then(|| self.goes_on.clone()).flatten()
    }

    /// The head of the loop, if an iteration of it has failed, after more than one read or but for
    /// private memory, and that is news.
    pub(super) fn retries(&self, thread: usize, op: Op, turn: Turn) -> Option<u32> {
        let (Op::Loop { head }, Turn::Ends(Cause::Spin, _) | Turn::Dirty) = (op, turn) else { return None };
        if !self.grouping || self.options.learned.retries.contains(&head) {
            return None;
        }
        let begins =
            |e: &Event<Rc<R::Thread>, N>| matches!(*self.graph.op(e), Op::Loop { head: h } if h == head);
        let last = self.graph.lanes[thread].events.iter().rev().take_while(|e| !begins(e));
        let reads = last.filter(|e| e.is_read() && e.mode.is_atomic()).count();
        (reads > 1 || turn == Turn::Dirty).then_some(head)
    }

    /// The last passage of the loop head, among the first `upto` events, that the thread made in
    /// state `now` and after which it changed nothing.
    fn repeated(
        &self,
        thread: usize,
        head: u32,
        state: Option<&Rc<R::Thread>>,
        upto: usize,
    ) -> (Turn, Option<usize>) {
        let mut turn = (Turn::GoesOn, None);
        let Some(now) = state.and_then(|s| self.program.snapshot(s)) else { return turn };
        let reckless = seeded::active(Bug::AlwaysSpin);
        let mut compared = 0;
        for (i, e) in self.graph.lanes[thread].events[..upto].iter().enumerate().rev() {
            match (e.kind, *self.graph.op(e)) {
                (Kind::Loop, Op::Loop { head: h }) if h == head => {
                    // Looking at the writes takes long: only if the states agree.
                    let alike = || (compared == 0 && self.enters_alike(thread, i, state?)).then_some(i);
                    if let Some(from) = self.erased_from(thread, i, &now, upto).or_else(alike) {
                        if reckless || self.is_erasable(thread, from, false) {
                            return (Turn::Ends(Cause::Spin, from), Some(from));
                        }
                        if self.is_erasable(thread, from, true) {
                            turn.0 = Turn::Dirty;
                        }
                    }
                    compared += 1;
                    if compared == VISITS {
                        return turn;
                    }
                }
                _ if reckless => {}
                (Kind::Write, _) if e.is_update() && !self.is_idle(EventId::new(thread, i)) => return turn,
                (Kind::Write, _) if e.mode.is_atomic() && !e.is_update() && !self.is_own(thread, e) => {
                    return turn;
                }
                (Kind::Alloc | Kind::Free | Kind::Create | Kind::Join, _) => return turn,
                _ => {}
            }
        }
        turn
    }

    /// Whether the thread, in state `now` at a loop head, enters the body as it did at its passage
    /// `i`: both come to the same question, and what differs is overwritten before it is read. (A
    /// flag may keep what was read last from being used as long as the loop goes on.)
    fn enters_alike(&self, thread: usize, i: usize, now: &Rc<R::Thread>) -> bool {
        let events = &self.graph.lanes[thread].events;
        if !self.grouping {
            return false;
        }
        // What was asked then is known, if the passage was followed by a question.
        let then = match events.get(i + 1).map(|e| *self.graph.op(e)) {
            Some(op @ (Op::Read { .. } | Op::Rmw { .. })) => op,
            _ => return false,
        };
        let asks = |state: &Rc<R::Thread>| {
            let mut state = self.program.fork(state)?;
            let step = self.program.resume(&mut state, Answer::default(), &self.graph);
            matches!(step, Step::Ask(op, _) if op == then).then_some(state)
        };
        let Some(now) = asks(now) else { return false };
        let before = events[i].state.as_ref().and_then(asks);
        before.is_some_and(|before| self.program.alike(&before, &now))
    }

    /// The first of the events that could be erased, up to the first `upto`, so that the thread
    /// would be in state `now` at its passage `i` of a loop head already.
    pub(super) fn erased_from(&self, thread: usize, i: usize, now: &[u64], upto: usize) -> Option<usize> {
        let events = &self.graph.lanes[thread].events[..upto];
        let then = events[i].state.as_ref().and_then(|s| self.program.snapshot(s));
        if then.is_some_and(|then| *then == *now) {
            return Some(i);
        }
        // Or if the read just before that passage had taken what the last read took.
        if !self.grouping {
            return None;
        }
        let first = events[..i].last().filter(|e| e.is_read())?;
        let last = events[i..].iter().rev().find(|e| e.is_read())?;
        let whole = |e: &Event<Rc<R::Thread>, N>| e.half == Half::Whole && e.mode.is_atomic() && !e.spurious;
        let swaps = |e: &Event<Rc<R::Thread>, N>| matches!(self.graph.op(e), Op::Rmw { .. });
        let weaker = (!first.mode.acquires() || last.mode.acquires())
            && (!first.mode.is_sc() || last.mode.is_sc())
            && (!swaps(first) || swaps(last));
        if first.cell != last.cell || !whole(first) || !whole(last) || first.unmet || !weaker {
            return None;
        }
        if self.is_news_since(thread, i, last.cell, last.rf) && !seeded::active(Bug::RotatesOwn) {
            return None;
        }
        let mut instead = self.program.fork(first.state.as_ref()?)?;
        let step = self.go(&mut instead, Answer::from(last.value));
        let same = matches!(step, Step::Ask(op, _) if op == *self.graph.op(&events[i]));
        let alike = *self.program.snapshot(&instead)? == *now || seeded::active(Bug::RotatesAnything);
        (same && alike).then_some(i - 1)
    }

    /// Whether the value of the write in this cell is one that the thread has brought there since event `i`:
    /// what others may change as well as leave is not.
    fn is_news_since(&self, thread: usize, i: usize, cell: u32, mut write: EventId) -> bool {
        while write != EventId::INIT && write.thread() == thread && write.index() > i {
            if !self.is_idle(write) {
                return true;
            }
            write = self.graph.write_before(cell, self.graph.after(cell, write) - 1);
        }
        false
    }

    /// Whether a thread blocked at a loop head goes round for ever if nobody else moves: it comes
    /// back to the same state, and each read on the way saw a write on the way, or the value that
    /// the cell holds in the end. A weak compare-and-swap that failed without need does not do so
    /// for ever.
    pub(super) fn circles(&self, thread: usize) -> bool {
        let events = &self.graph.lanes[thread].events;
        let from = match events.last().map(|e| (*self.graph.op(e), e.state.as_ref())) {
            Some((Op::Loop { head }, state)) => self.repeated(thread, head, state, events.len() - 1).1,
            _ => self.late_from(thread),
        };
        let Some(from) = from else { return false };
        events[from..].iter().filter(|e| e.is_read()).all(|e| {
            let own = e.rf != EventId::INIT && e.rf.thread() == thread && e.rf.index() > from;
            let last = self.graph.cells[e.cell as usize].mo.last().copied().unwrap_or(EventId::INIT);
            !e.spurious && (own || self.content(e.cell, last) == e.value)
        })
    }

    /// Whether no write since event `from` counts; with `dirty`, but for what is in memory of the
    /// thread's own.
    pub(super) fn is_erasable(&self, thread: usize, from: usize, dirty: bool) -> bool {
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
                if self.is_half_private(thread, self.names.cells[e.cell as usize].loc.block()) {
                    // A plain one may race with whoever saw it.
                    return e.mode.is_atomic() && self.is_idle(EventId::new(thread, i));
                }
                let counts = e.mode.is_atomic() && !e.is_update();
                return !counts && (repeats || self.is_idle(EventId::new(thread, i)));
            }
            let then = last(&events[..from], e.cell).unwrap_or_else(|| self.content(e.cell, EventId::INIT));
            dirty || repeats || last(&events[from..], e.cell) == Some(then)
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
}
