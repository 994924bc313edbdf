//! Polling under a lock: taking the lock in vain is waiting for it.
//!
//! A loop that locks, looks, unlocks and tries again changes nothing as long as nobody else does.
//! Event by event it never ends: each round adds a lock and an unlock that others may read. Here a
//! thread that could take the lock is run ahead on a copy first. If it comes back to ask for the
//! same lock in the same state, with nothing changed and the lock free, then it waits
//! instead, as if the lock were taken, until another unlock wakes it. (The same state, or one from which
//! having the lock leads to the same question in the same state: the first time the lock may be taken
//! outside the loop.)
//!
//! Why nothing is lost: erase from an execution a round that came to nothing, and let the next one
//! to lock read the unlock before it. The rest is an execution: all its happens-before was there,
//! by way of the erased round, and everything else answers the same; what is wrong with the one is
//! wrong with the other. Whether a round comes to nothing must depend on nothing but the unlock
//! that it reads; therefore, in every graph (the search keeps book, and starts over without this
//! if one of them fails: [`super::unseen`]):
//!
//! - whoever writes what a round looks at holds the lock while doing so: what the round reads is
//!   what happens before it, there are no races, and an unlock follows that wakes the waiting; what
//!   it looks at after its unlock nobody writes at all;
//! - nobody but its holder looks at the lock, other than to take it and to wait if it is taken.

use super::event::{Event, EventId, Half, Kind};
use super::explore::Search;
use lineal_model::run::{Answer, Loc, Op, Runnable, Step, Value};
use std::rc::Rc;

/// How many steps of a round are looked ahead.
const AHEAD: usize = 1000;
/// In a set of locks: one that nobody ever holds. What is looked at without the lock must never be
/// written at all.
const NEVER: u32 = 1 << 31;

impl<R: Runnable, const N: usize> Search<'_, R, N> {
    fn polls(&self) -> bool {
        self.grouping && !self.options.liveness && !self.options.learned.risk.polled
    }

    /// The lock that the thread, back at a loop head in the same state, has taken and released in
    /// between, if that is all it did and it is news.
    pub(super) fn polled(&self, thread: usize, op: Op) -> Option<Loc> {
        let Op::Loop { head } = op else { return None };
        if !self.polls() {
            return None;
        }
        let lane = &self.graph.lanes[thread];
        let passage =
            |e: &Event<Rc<R::Thread>, N>| matches!(*self.graph.op(e), Op::Loop { head: h } if h == head);
        let from = lane.events.iter().rposition(passage)?;
        let mut lock = None;
        for e in &lane.events[from..] {
            match e.kind {
                Kind::Write => {
                    let loc = self.names.cells[e.cell as usize].loc;
                    if lock.is_some_and(|l| l != loc) || !e.mode.is_atomic() {
                        return None;
                    }
                    lock = Some(loc);
                }
                Kind::Read | Kind::Loop => {}
                _ => return None,
            }
        }
        let takes = |e: &Event<Rc<R::Thread>, N>| {
            e.half == Half::Write && matches!(self.graph.op(e), Op::Rmw { wait: Some(_), .. })
        };
        let news = lock.filter(|l| !self.options.learned.polls.contains(l));
        if news.is_none() || !lane.events[from..].iter().any(takes) {
            return None;
        }
        let then = lane.events[from].state.as_ref().and_then(|s| self.program.snapshot(s));
        let now = lane.state.as_ref().and_then(|s| self.program.snapshot(s));
        (then.is_some() && then == now).then_some(news?)
    }

    /// Whether the thread would take the lock, by reading `rf`, in vain; keeps book of it then.
    pub(super) fn takes_in_vain(&mut self, thread: usize, rf: EventId, value: Value) -> bool {
        let (asked, _) = self.asked(thread);
        let Op::Rmw { loc: lock, size, mode, rmw, wait: Some(_) } = asked else { return false };
        let polls = &self.options.learned.polls;
        let Some(number) = polls.iter().position(|&l| l == lock).filter(|_| self.polls()) else {
            return false;
        };
        let cell = self.cell(lock, size);
        let mut read = Event { mode, cell, rf, value, ..self.blank(thread, Kind::Read) };
        self.axioms.clocks(&self.graph, thread, &mut read);
        let Some(word) = rmw.apply(value, size) else { return false };
        let Some(looked) = self.round(thread, asked, (lock, value, word), &read.hb) else { return false };
        if number >= 31 {
            return false;
        }
        for (cell, locked) in looked {
            self.unseen.followed |= self.is_foreign(thread, cell);
            self.names.cells[cell as usize].used.polled |= if locked { 1 << number } else { NEVER };
        }
        true
    }

    /// What a round looks at that comes to nothing, and whether with the lock.
    fn round(
        &mut self,
        thread: usize,
        asked: Op,
        (lock, free, mut word): (Loc, Value, Value),
        known: &super::event::Clock<N>,
    ) -> Option<Vec<(u32, bool)>> {
        let first = self.graph.lanes[thread].state.clone()?;
        let mut state = self.program.fork(&first)?;
        let mut looked = Vec::new();
        let mut answer = Answer::from(free);
        let mut entered = None;
        for n in 0..AHEAD {
            let Step::Ask(op, _) = self.go(&mut state, answer) else { return None };
            if n == 0 {
                entered = self.program.snapshot(&state).map(|s| (op, s.into_owned()));
            }
            answer = match op {
                Op::Rmw { loc, wait: Some(_), .. } if loc == lock => {
                    if op != asked || word != free {
                        return None;
                    }
                    let mut same = self.program.snapshot(&first)? == self.program.snapshot(&state)?;
                    // Or elsewhere in the program, but taking it here and there leads to the same.
                    if let (false, Some((next, then))) = (same, entered) {
                        let Step::Ask(op, _) = self.go(&mut state, Answer::from(free)) else { return None };
                        same = op == next && *self.program.snapshot(&state)? == *then;
                    }
                    return same.then_some(looked);
                }
                Op::Read { loc, wait: None, .. } if loc == lock => Answer::from(word),
                Op::Write { loc, size, mode, value } if loc == lock && mode.is_atomic() => {
                    word = value.truncate(size);
                    Answer::default()
                }
                Op::Read { loc, size, wait: None, .. } => {
                    let cell = self.cell(loc, size);
                    if self.options.learned.risk.freed && self.is_foreign(thread, cell) {
                        return None;
                    }
                    let mo = &self.graph.cells[cell as usize].mo;
                    let last = mo.iter().rev().find(|&&w| known.contains(w));
                    let value = self.content(cell, last.copied().unwrap_or(EventId::INIT));
                    if value == Value::UNDEFINED {
                        return None;
                    }
                    looked.push((cell, word != free));
                    Answer::from(value)
                }
                Op::Loop { .. } => Answer::default(),
                _ => return None,
            };
        }
        None
    }

    /// Keeps book of how an event, about to be added, uses locks and what they guard.
    pub(super) fn note_guard(&mut self, thread: usize, event: &Event<Rc<R::Thread>, N>, shared: bool) {
        let polls = &self.options.learned.polls;
        if polls.is_empty() {
            return;
        }
        let loc = self.names.cells[event.cell as usize].loc;
        let takes = matches!(self.graph.op(event), Op::Rmw { wait: Some(_), .. });
        if polls.contains(&loc) {
            let watched = shared && !takes && !self.holds(thread, loc);
            self.names.cells[event.cell as usize].used.watched |= watched;
        } else if shared && event.is_write() {
            let held = polls.iter().enumerate().filter(|&(_, &l)| self.holds(thread, l));
            let held =
                held.fold(0u32, |mask, (n, _)| mask | 1u32.checked_shl(n as u32).unwrap_or(0) & !NEVER);
            self.names.cells[event.cell as usize].used.unguarded |= !held;
        }
    }

    /// Whether the thread was the last to take the lock, and has it.
    fn holds(&self, thread: usize, lock: Loc) -> bool {
        let Some(cell) = self.names.find(lock) else { return false };
        let last = self.graph.cells.get(cell as usize).and_then(|c| c.mo.last());
        last.is_some_and(|&w| w.thread() == thread && self.graph.event(w).is_update())
    }
}
