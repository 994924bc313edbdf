//! Helping by stores: a link that its owner is about to fill in, or has, is left to that one.
//!
//! In the optimistic queue a dequeue that finds links missing walks along the list and stores them
//! all, each the same pointer that its enqueue stores as the next thing it does. Such an iteration
//! is taken to wait. Why nothing is lost: erase all these iterations of an execution at once, and
//! let whoever read one of their stores read the owner's. What makes that an execution with the
//! same answers, no more happens-before and no fewer clients:
//!
//! - each store of the iteration has an *owner*: the next step of another thread, after something
//!   that happens before the helper's store, is or was a store of the same value to the same place.
//!   So the owner could have stored before, and whoever reads the helper's store knows already all
//!   that comes before the owner's;
//! - the owner's store does not release where the helper's does not, neither by itself nor by a
//!   fence, and under rc11 neither is seq_cst;
//! - apart from helpers nobody but the owner stores there once others know the place ([`Used`]
//!   counts, in every graph): so it does not matter where in `mo` the helpers' stores were;
//! - the iteration ends where it began, and all else it reads on the way leaves no choice.
//!
//! [`Used`]: super::super::books::Used

use super::super::event::{EventId, Kind};
use super::super::explore::Search;
use crate::seeded::{self, Bug};
use lineal_model::run::{Answer, Loc, Mode, Op, Runnable, Step, Value};

/// How many steps of an iteration are looked ahead.
const AHEAD: usize = 256;

/// What the iteration uses from here on.
#[derive(Default)]
struct Uses {
    stored: Vec<u32>,
    read: Vec<(u32, bool)>,
}

impl<R: Runnable, const N: usize> Search<'_, R, N> {
    /// Whether all that an iteration, about to store, does until its end is left to others; keeps
    /// book of it then.
    pub(super) fn fills_in(&mut self, thread: usize) -> bool {
        let Some(uses) = self.filled_in(thread) else { return false };
        for &cell in &uses.stored {
            self.note_help(thread, cell);
            self.names.cells[cell as usize].used.filled = true;
        }
        for &(cell, plain) in &uses.read {
            self.note_read(thread, cell, plain);
        }
        true
    }

    fn filled_in(&mut self, thread: usize) -> Option<Uses> {
        let freed = self.options.learned.risk.freed;
        let mut op = *self.graph.next_op(thread)?;
        let mut state = self.program.fork(self.graph.lanes[thread].state.as_ref()?)?;
        let mut uses = Uses::default();
        for _ in 0..AHEAD {
            let answer = match op {
                Op::Write { loc, size, mode, value } if mode.is_atomic() => {
                    if freed && !loc.block().is_global() {
                        return None;
                    }
                    let cell = self.cell(loc, size);
                    self.owner(thread, cell, (loc, size, value), mode)?;
                    uses.stored.push(cell);
                    Answer::default()
                }
                Op::Read { loc, size, mode, wait: None, .. } => {
                    let cell = self.cell(loc, size);
                    let last = self.graph.cells[cell as usize].mo.last().copied().unwrap_or(EventId::INIT);
                    let known = last == EventId::INIT || self.graph.lanes[thread].hb().contains(last);
                    if !known || uses.stored.contains(&cell) {
                        return None;
                    }
                    uses.read.push((cell, !mode.is_atomic()));
                    Answer::from(self.content(cell, last))
                }
                Op::Loop { head } if self.options.learned.retries.contains(&head) => {
                    let now = self.program.snapshot(&state)?;
                    return self.begins_so(thread, head, &now).then_some(uses);
                }
                Op::Loop { .. } => Answer::default(),
                _ => return None,
            };
            let Step::Ask(next, _) = self.go(&mut state, answer) else { return None };
            op = next;
        }
        None
    }

    /// Whether the present iteration began at this head and in this state, and has changed nothing.
    pub(super) fn begins_so(&self, thread: usize, head: u32, now: &[u64]) -> bool {
        let events = &self.graph.lanes[thread].events;
        let passage = |op: &Op| matches!(*op, Op::Loop { head: h } if h == head);
        let Some(from) = events.iter().rposition(|e| passage(self.graph.op(e))) else { return false };
        let then = events[from].state.as_ref().and_then(|s| self.program.snapshot(s));
        then.is_some_and(|then| *then == *now) && self.is_erasable(thread, from, false)
    }

    /// The thread that stores this there as its next step after what `thread` knows.
    fn owner(
        &self,
        thread: usize,
        cell: u32,
        (loc, size, value): (Loc, u8, Value),
        mode: Mode,
    ) -> Option<usize> {
        let fits = |m: Mode| {
            m.is_atomic()
                && (!m.releases() || mode.releases())
                && !self.is_ordered(m)
                && !self.is_ordered(mode)
        };
        let same = |op: &Op| match *op {
            Op::Write { loc: l, size: s, mode: m, value: v } => (l, s, v) == (loc, size, value) && fits(m),
            _ => false,
        };
        let (mut owner, mut alone) = (None, true);
        for &w in self.graph.cells[cell as usize].mo.iter().filter(|&&w| !self.graph.event(w).own) {
            if owner.is_none() && same(self.graph.op(self.graph.event(w))) {
                owner = Some((w.thread(), w.index()));
            } else {
                alone = false;
            }
        }
        let asks = |t: usize| self.graph.lanes[t].exists && self.graph.next_op(t).is_some_and(same);
        let (her, at) = owner.or_else(|| {
            let (t, lane) = self.graph.lanes.iter().enumerate().find(|(t, _)| asks(*t))?;
            Some((t, lane.events.len()))
        })?;
        let before = self.graph.lanes[her].events[..at].iter().rposition(|e| e.kind != Kind::Loop)?;
        let known = self.graph.lanes[thread].hb().contains(EventId::new(her, before));
        let fenced = self.graph.lanes[her].events[before].fence > 0 && !mode.releases();
        (her != thread && known && !fenced && (alone || seeded::active(Bug::FillsAnyway))).then_some(her)
    }
}
