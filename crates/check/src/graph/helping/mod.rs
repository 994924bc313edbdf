//! Helping: a compare-and-swap that someone else is about to make, and whose result nobody uses, is
//! left to that one; the helping thread waits (its iteration fails).
//!
//! In the Michael–Scott queue whoever finds the tail behind moves it on, and so does the thread
//! that linked the new node. An execution in which the helper's swap succeeds has a twin in which
//! the publisher's does, in the same place of `mo`, and the helper's iteration is not there. The
//! calls answer the same, and the twin has no more happens-before, so whatever is wrong with the
//! one is wrong with the other; the twin may ask for more of a client's edges to be explained.
//! Hence observations of calls are not equal but dominated, and only calls that are judged for all
//! clients at once may be reduced so. What a program ends with is the same, and with less
//! happens-before no race is lost; whether a loop ends must be asked without it.
//!
//! What makes it true:
//! - the helper's iteration has read the new value from the write that published it, and the
//!   publisher's next step is the same swap, strong, at the same place, from and to the same value;
//! - both go on in the same way whether the swap succeeds or not, and forget what it read; the
//!   helper goes back to where its iteration began, and remembers nothing of it;
//! - the publisher knows the value that its swap replaces: it has read it there, acquiring if the
//!   swap does, or written it. So where it fails it reads something newer, all it looks at there
//!   afterwards is newer too, and success tells it nothing new. For that no value comes back to the
//!   cell: books are kept of it ([`super::unseen`]);
//! - nothing is synchronised by waiting that would not be by helping: publication releases, the
//!   helper's read of it acquires, and its swap releases if the publisher's does, by itself or by a
//!   fence. (Without the first two a seq_cst fence of the publisher would have to come before what
//!   comes after its swap, which it need not before what comes after the helper's.)
//! - under rc11 no access of the cell is seq_cst: such events also stand in an order of their own;
//! - nobody uses the cell plainly, and if memory is freed it is global: [`super::unseen`].

mod store;

use super::event::{EventId, Kind};
use super::explore::Search;
use super::graph::Next;
use crate::seeded::{self, Bug};
use lineal_model::Memory;
use lineal_model::run::{Answer, Loc, Mode, Op, Rmw, Runnable, Step, Value};

impl<R: Runnable, const N: usize> Search<'_, R, N> {
    /// Whether the thread, in the middle of an iteration, is about to help; keeps book of it then.
    pub(super) fn helps(&mut self, thread: usize) -> bool {
        if !self.helping || self.options.learned.risk.helped || !self.graph.lanes[thread].in_group() {
            return false;
        }
        match self.graph.next_op(thread) {
            Some(&Op::Rmw { loc, size, .. }) if self.swaps_for_another(thread) => {
                let cell = self.cell(loc, size);
                self.note_help(thread, cell);
                true
            }
            Some(&Op::Write { mode, loc, .. }) if mode.is_atomic() => {
                !self.is_private(thread, loc.block()) && self.fills_in(thread)
            }
            _ => false,
        }
    }

    /// Seq_cst events also take part in an order of their own.
    fn is_ordered(&self, mode: Mode) -> bool {
        self.axioms.memory == Memory::Rc11 && mode.is_sc()
    }

    fn swaps_for_another(&self, thread: usize) -> bool {
        let lane = &self.graph.lanes[thread];
        let Some(&op) = self.graph.next_op(thread) else { return false };
        let Op::Rmw { loc, size, mode, rmw: Rmw::Cas { expected, desired, weak: false, .. }, wait: None } =
            op
        else {
            return false;
        };
        if self.options.learned.risk.freed && !loc.block().is_global() {
            return false;
        }
        let turn = lane.events.iter().rev().take_while(|e| e.grouped);
        for e in turn.filter(|e| e.is_read() && e.mode.is_atomic() && e.rf != EventId::INIT) {
            if e.value != desired || e.rf.thread() == thread {
                continue;
            }
            let link = self.graph.event(e.rf);
            let Some((theirs, state)) = self.next_swap(e.rf) else { continue };
            let Op::Rmw {
                loc: l,
                size: s,
                mode: m,
                rmw: Rmw::Cas { expected: x, desired: d, weak: false, .. },
                wait: None,
            } = theirs
            else {
                continue;
            };
            let anyway = seeded::active(Bug::HelpsAnyway);
            let silent = !m.releases() && link.fence == 0;
            let synchronised = link.mode.releases() && e.mode.acquires() && (mode.releases() || silent);
            let same = (l, s, x, d) == (loc, size, expected, desired);
            let fits = synchronised && self.knows(e.rf, (loc, size), expected, m);
            if !same || self.is_ordered(mode) || self.is_ordered(m) || !(fits || anyway) {
                continue;
            }
            let (Some(mine), Some(state)) = (&lane.state, state) else { continue };
            return self.ignores(mine, expected, Some(thread)) && self.ignores(&state, expected, None);
        }
        false
    }

    /// Whether the thread that made `write` knows before it that the place holds `value`, so that a
    /// swap of this mode that finds it there tells nothing new.
    fn knows(&self, write: EventId, (loc, size): (Loc, u8), value: Value, mode: Mode) -> bool {
        let Some(cell) = self.names.find(loc).filter(|&c| self.names.cells[c as usize].size == size) else {
            return false;
        };
        let lane = &self.graph.lanes[write.thread()];
        lane.events[..write.index()].iter().any(|e| {
            let acquires = !mode.acquires() || e.mode.acquires() || e.is_write();
            let there = e.is_access() && e.mode.is_atomic() && e.cell == cell && !e.unmet;
            there && e.value == value && acquires
        })
    }

    /// What the thread that made `write` does with shared memory next, and the thread as it asks.
    #[allow(clippy::type_complexity)]
    fn next_swap(&self, write: EventId) -> Option<(Op, Option<std::rc::Rc<R::Thread>>)> {
        let lane = &self.graph.lanes[write.thread()];
        match lane.events.get(write.index() + 1) {
            Some(e) if e.kind == Kind::Read => Some((*self.graph.op(e), e.state.clone())),
            Some(_) => None,
            None => match lane.next {
                // It has not been told yet that it wrote.
                Next::Ask(asked) if lane.events.last().is_some_and(|e| e.asked == asked) => None,
                Next::Ask(asked) => Some((*self.graph.asks.op(asked), lane.state.clone())),
                _ => None,
            },
        }
    }

    /// Whether success and failure of the swap that `state` asks for come to the same, whatever it
    /// finds; of a helper, to where its iteration began.
    fn ignores(&self, state: &R::Thread, expected: Value, helper: Option<usize>) -> bool {
        let (Some(mut a), Some(mut b)) = (self.program.fork(state), self.program.fork(state)) else {
            return false;
        };
        if !self.program.forgets(state) {
            return false;
        }
        // The value read makes no difference, so one stands for all that differ from `expected`.
        let other = Value::word(expected.lo ^ 0x5a5a_5a5a);
        let mut x = self.go(&mut a, Answer::from(expected));
        let mut y = self.go(&mut b, Answer::from(other));
        for _ in 0..8 {
            match (&x, &y) {
                (Step::Ask(p, _), Step::Ask(q, _)) if p == q => match p {
                    _ if helper.is_none() && self.program.alike(&a, &b) => return true,
                    Op::Loop { head } => {
                        let (a, b) = (self.program.snapshot(&a), self.program.snapshot(&b));
                        let back = |now: &[u64]| {
                            let anyway = seeded::active(Bug::HelpsAnyway);
                            anyway || helper.is_none_or(|thread| self.begins_so(thread, *head, now))
                        };
                        return a == b && a.is_some_and(|now| back(&now));
                    }
                    Op::Write { mode: Mode::NonAtomic, .. } if helper.is_none() => {}
                    _ => return false,
                },
                (Step::Finished(p), Step::Finished(q)) => return helper.is_none() && p == q,
                _ => return false,
            }
            x = self.go(&mut a, Answer::default());
            y = self.go(&mut b, Answer::default());
        }
        false
    }
}
