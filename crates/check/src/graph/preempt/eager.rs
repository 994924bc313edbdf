//! Steps that are made as soon as they can be, by whichever thread: nobody competes for them.

use super::super::event::{Event, Kind};
use super::super::explore::Halt;
use super::super::graph::Next;
use super::super::spin::Turn;
use super::Walk;
use lineal_model::run::{Cause, Op, Runnable};

/// How the threads stand afterwards.
pub(super) enum Stand {
    /// All of them at a step that others compete with, or one of them at a choice of its own.
    Ready(Option<usize>),
    /// The thread that ran is back where it was at this event of it, and changed nothing.
    Back(u16),
    /// Something went wrong.
    Dead,
}

enum Step {
    Moved,
    Stays,
    Back(usize),
    Failed,
}

impl<R: Runnable, const N: usize> Walk<'_, '_, R, N> {
    /// Makes all such steps; `runner` has just moved.
    pub(super) fn eager(&mut self, runner: Option<usize>) -> Result<Stand, Halt> {
        let mut again = true;
        while std::mem::take(&mut again) {
            let mut thread = 0;
            while thread < self.search.graph.lanes.len() {
                loop {
                    let step = self.early(thread, runner)?;
                    self.noted(thread);
                    match step {
                        Step::Moved => again = true,
                        Step::Stays => break,
                        Step::Back(from) => return Ok(Stand::Back(from as u16)),
                        Step::Failed => return Ok(Stand::Dead),
                    }
                }
                thread += 1;
            }
        }
        let count = self.search.graph.lanes.len();
        let mut chooser = None;
        for t in (0..count).rev().filter(|&t| self.search.graph.lanes[t].exists) {
            self.search.indistinct(t)?;
            if let Some(Op::Choose { .. }) = self.search.graph.next_op(t) {
                chooser = Some(t);
            }
        }
        Ok(Stand::Ready(chooser))
    }

    fn early(&mut self, thread: usize, runner: Option<usize>) -> Result<Step, Halt> {
        if !self.search.may_move(thread) {
            return Ok(Step::Stays);
        }
        let op = self.search.asked(thread).0;
        let own = match op {
            Op::Read { mode, loc, wait: None, .. } | Op::Write { mode, loc, .. } => {
                !mode.is_atomic() || self.search.is_private(thread, loc.block())
            }
            Op::Read { .. } | Op::Rmw { .. } | Op::Choose { .. } => false,
            _ => true,
        };
        if !own {
            return Ok(Step::Stays);
        }
        self.search.remember(thread);
        if let Op::Loop { .. } = op {
            return self.pass(thread, op, runner);
        }
        if !self.search.plain(thread)?.added {
            return Ok(Step::Failed);
        }
        let search = &mut *self.search;
        if let Some(event) = search.graph.lanes[thread].events.last_mut()
            && event.is_access()
        {
            event.own = true;
        }
        if search.options.iterations
            && matches!(op, Op::Write { .. })
            && let Some(from) = search.late_from(thread)
        {
            search.tally.waits = true;
            search.keep(thread, from)?;
            return Ok(self.fruitless(thread, from, runner).unwrap_or(Step::Moved));
        }
        Ok(Step::Moved)
    }

    /// The head of a loop.
    fn pass(&mut self, thread: usize, op: Op, runner: Option<usize>) -> Result<Step, Halt> {
        let search = &mut *self.search;
        let turn = search.turn(thread, op);
        let site = search.asked(thread).1;
        if let Turn::Ends(Cause::Spin, from) = turn {
            search.tally.waits = true;
            search.keep(thread, from)?;
            if let Some(back) = self.fruitless(thread, from, runner) {
                return Ok(back);
            }
        }
        let search = &mut *self.search;
        let stamp = search.graph.stamp;
        let grouped = turn == Turn::Dirty && search.options.iterations;
        let event = Event { stamp, grouped, ..search.blank(thread, Kind::Loop) };
        search.add(thread, event, 0);
        match turn {
            Turn::Ends(cause, _) => search.graph.lanes[thread].next = Next::Blocked(cause, site),
            _ if search.resumed(thread)? => {}
            _ => {
                search.pop(thread);
                return Ok(Step::Failed);
            }
        }
        Ok(Step::Moved)
    }

    /// Whether an iteration since `from` is one that can be left out. Else it had no step that
    /// others compete with: the thread is stuck for good.
    fn fruitless(&self, thread: usize, from: usize, runner: Option<usize>) -> Option<Step> {
        let length = self.search.graph.lanes[thread].events.len();
        let competed = (from..length).any(|i| self.search.is_choice(thread, i));
        (competed && runner == Some(thread)).then_some(Step::Back(from))
    }
}
