//! Running the threads: an event is pushed, its thread is told, and asks the next question.
//!
//! The state of a thread is kept with those of its events that leave a choice (it will be told
//! something else later) and at loop heads (to compare). Elsewhere it just moves on; should it be
//! needed after all, it is made again from the last one kept, by repeating the answers.

use super::event::{Clock, EventId, Kind};
use super::explore::{Halt, Search};
use super::graph::{Lane, Next};
use super::memo::Asking;
use lineal_model::run::{Answer, Cause, Op, Runnable, Step, ThreadId, World};
use lineal_model::{Limit, LimitKind};
use std::rc::Rc;

/// Passages of a counting loop in a row that go unwatched: so a loop that does nothing else still
/// meets the limits.
const UNWATCHED: u32 = 1_000;
/// States kept for the next copy.
const IDLE: usize = 64;

impl<R: Runnable, const N: usize> Search<'_, R, N> {
    /// Starts a thread; its first question is asked at once.
    pub(super) fn begin(&mut self, thread: usize, created: EventId) -> Result<(), Halt> {
        let (entry, hb, porf) = if created == EventId::INIT {
            (self.program.main(), Clock::ZERO, Clock::ZERO)
        } else {
            let e = self.graph.event(created);
            let Op::Create { entry } = *self.graph.op(e) else { unreachable!("threads begin at a creation") };
            (entry, e.hb, e.true_porf)
        };
        self.tally.threads = self.tally.threads.max(thread as u64 + 1);
        let neighbour = self.neighbour(created);
        let in_rows = self.options.learned.loops || self.options.preemptions.is_some();
        let (neighbour, row) = if in_rows { (None, neighbour) } else { (neighbour, None) };
        *self.graph.lane(thread) =
            Lane { exists: true, entry, hb, porf, created, neighbour, row, ..Lane::absent() };
        if neighbour.or(row).is_some() {
            self.tally.exchangeable = self.tally.exchangeable.max(self.exchangeable());
        }
        let (state, step) = self.repeat(thread);
        self.copyable = self.copyable && self.program.fork(&state).is_some();
        self.graph.lanes[thread].state = Some(Rc::new(state));
        self.settle(thread, step)
    }

    /// Resumes a thread with the answer to its last event; `false` if it fails on it.
    pub(super) fn resumed(&mut self, thread: usize) -> Result<bool, Halt> {
        let lane = &self.graph.lanes[thread];
        let last = lane.events.len() - 1;
        let Some(answer) = lane.answer(last) else { return Ok(true) };
        if lane.events.len() >= usize::from(u16::MAX) - 1 {
            self.without_idle_updates()?;
            return Err(Halt::Limit(self.too_long(thread)));
        }
        let kept = self.graph.lanes[thread].state.take();
        let step = match kept.and_then(|state| self.next(thread, state, answer)) {
            Some(step) => step,
            None => {
                let (state, step) = self.repeat(thread);
                self.graph.lanes[thread].state = Some(Rc::new(state));
                step
            }
        };
        let created = EventId::new(thread, last);
        let failures = self.tally.failures;
        if self.graph.event(created).kind == Kind::Create {
            let child = self.graph.event(created).cell as usize;
            self.begin(child, created)?;
        }
        self.settle(thread, step)?;
        Ok(self.tally.failures == failures)
    }

    /// More steps than are numbered: where most of them were made, if in a loop.
    fn too_long(&self, thread: usize) -> Limit {
        let lane = &self.graph.lanes[thread];
        let name = self.program.entry_name(lane.entry);
        let heads = lane.events.iter().rev().filter(|e| e.kind == Kind::Loop);
        let at = heads.map(|e| self.graph.site(e)).next().or(lane.events.last().map(|e| self.graph.site(e)));
        let message = format!("thread {thread} ({name}) takes more than 65,000 visible steps");
        // Loops that are bounded are not why; a smaller bound was gone through to its end.
        let kind = if self.options.unroll.is_some() { LimitKind::Method } else { LimitKind::Loop };
        Limit { at: at.and_then(|site| self.program.place(site)), ..Limit::new(kind, message) }
    }

    /// What the thread, which was in this state, does when it is told this; `None`: the state cannot be
    /// copied.
    #[inline]
    fn next(&mut self, thread: usize, state: Rc<R::Thread>, answer: Answer) -> Option<Step> {
        if !self.memo.is_used() {
            let mut state = self.own(state)?;
            let own = Rc::get_mut(&mut state).expect("nobody else has it");
            let step = self.go(own, answer);
            self.graph.lanes[thread].state = Some(state);
            return Some(step);
        }
        if let Some((to, step)) = self.memo.find(&state, answer, &self.graph) {
            self.graph.lanes[thread].state = Some(to);
            return Some(step);
        }
        let mut next = self.copy(&state)?;
        let own = Rc::get_mut(&mut next).expect("nobody else has it");
        let world = Asking::new(&self.graph);
        let step = self.go_in(own, answer, &world);
        self.memo.keep(state, answer, world, &next, &step);
        self.graph.lanes[thread].state = Some(next);
        Some(step)
    }

    /// Runs a thread to its next question, past the heads of loops that need no watching.
    pub(super) fn go(&self, state: &mut R::Thread, answer: Answer) -> Step {
        self.go_in(state, answer, &self.graph)
    }

    #[inline]
    fn go_in(&self, state: &mut R::Thread, answer: Answer, world: &dyn World) -> Step {
        let mut step = self.program.resume(state, answer, world);
        for _ in 0..UNWATCHED {
            match step {
                // A bound on loops counts all of them.
                Step::Ask(Op::Loop { head }, _)
                    if self.bound_of(head).is_none() && self.program.counts(head) =>
                {
                    step = self.program.resume(state, Answer::default(), world);
                }
                _ => break,
            }
        }
        step
    }

    /// A state that nobody else has: this one, or a copy.
    fn own(&mut self, state: Rc<R::Thread>) -> Option<Rc<R::Thread>> {
        if Rc::strong_count(&state) == 1 { Some(state) } else { self.copy(&state) }
    }

    fn copy(&mut self, state: &R::Thread) -> Option<Rc<R::Thread>> {
        match self.idle.pop() {
            Some(mut copy) => {
                let into = Rc::get_mut(&mut copy).expect("nobody else has it");
                self.program.fork_into(state, into).then_some(copy)
            }
            None => self.program.fork(state).map(Rc::new),
        }
    }

    /// Takes back the last event of a thread.
    pub(super) fn pop(&mut self, thread: usize) {
        if let Some(state) = self.graph.lanes[thread].state.take()
            && Rc::strong_count(&state) == 1
            && self.idle.len() < IDLE
        {
            self.idle.push(state);
        }
        self.graph.pop(thread);
    }

    /// Makes the state of a thread again, after all its events.
    fn repeat(&self, thread: usize) -> (R::Thread, Step) {
        let lane = &self.graph.lanes[thread];
        let kept =
            |i: usize| lane.events[i].state.as_ref().and_then(|s| self.program.fork(s)).map(|s| (i, s));
        let copied = (0..lane.events.len()).rev().find_map(kept);
        let (first, mut state, mut step) = match copied {
            Some((i, state)) => {
                (i, state, Step::Ask(*self.graph.op(&lane.events[i]), self.graph.site(&lane.events[i])))
            }
            None => {
                let mut state = self.program.start(ThreadId(thread as u8), lane.entry);
                let step = self.go(&mut state, Answer::default());
                (0, state, step)
            }
        };
        for i in first..lane.events.len() {
            if let Some(answer) = lane.answer(i) {
                step = self.go(&mut state, answer);
            }
        }
        (state, step)
    }

    /// Sees to it that the state of the thread is there to be kept with its next event.
    pub(super) fn remember(&mut self, thread: usize) {
        if self.copyable && self.graph.lanes[thread].state.is_none() {
            let (state, _) = self.repeat(thread);
            self.graph.lanes[thread].state = Some(Rc::new(state));
        }
    }

    pub(super) fn settle(&mut self, thread: usize, step: Step) -> Result<(), Halt> {
        self.graph.lanes[thread].next = match step {
            Step::Ask(op, site) => Next::Ask(self.graph.asks.put(op, site)),
            Step::Finished(value) => Next::Finished(value),
            Step::Stopped(cause, site) => Next::Blocked(cause, site),
            Step::Relayout(change) => return Err(Halt::Relayout(change)),
            Step::Failed(failure) => {
                let site = failure.site;
                let last: Vec<EventId> = self.graph.last(thread).into_iter().collect();
                self.fail(failure, thread, &last)?;
                Next::Blocked(Cause::Assume, site)
            }
        };
        Ok(())
    }
}
