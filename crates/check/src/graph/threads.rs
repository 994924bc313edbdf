//! Running the threads: an event is pushed, its thread is told, and asks the next question.

use super::event::{Clock, EventId, Kind};
use super::explore::{Halt, Search};
use super::graph::{Lane, Next};
use lineal_model::Limit;
use lineal_model::run::{Answer, Cause, Op, Runnable, Step, ThreadId};
use std::rc::Rc;

impl<R: Runnable, const N: usize> Search<'_, R, N> {
    /// Starts a thread; its first question is asked at once.
    pub(super) fn begin(&mut self, thread: usize, created: EventId) -> Result<(), Halt> {
        let (entry, hb, porf) = if created == EventId::INIT {
            (self.program.main(), Clock::ZERO, Clock::ZERO)
        } else {
            let e = self.graph.event(created);
            let Op::Create { entry } = e.op else { unreachable!("threads begin at a creation") };
            (entry, e.hb, e.porf)
        };
        self.tally.threads = self.tally.threads.max(thread as u64 + 1);
        *self.graph.lane(thread) = Lane { exists: true, entry, hb, porf, created, ..Lane::absent() };
        let mut state = self.program.start(ThreadId(thread as u8), entry);
        let step = self.program.resume(&mut state, Answer::default(), &self.graph);
        let kept = self.program.fork(&state).is_some().then(|| Rc::new(state));
        self.graph.lanes[thread].state = kept;
        self.settle(thread, step)
    }

    /// Tells a thread the answer to its last event; `false` if it fails on it.
    pub(super) fn told(&mut self, thread: usize) -> Result<bool, Halt> {
        let lane = &self.graph.lanes[thread];
        let last = lane.events.len() - 1;
        let Some(answer) = lane.answer(last) else { return Ok(true) };
        if lane.events.len() >= usize::from(u16::MAX) - 1 {
            return Err(Halt::Limit(Limit::method("a thread takes more than 65,000 visible steps")));
        }
        let (state, step) = match lane.state.as_ref().and_then(|s| self.program.fork(s)) {
            Some(mut state) => {
                let step = self.program.resume(&mut state, answer, &self.graph);
                (Some(Rc::new(state)), step)
            }
            None => (None, self.replay(thread)),
        };
        self.graph.lanes[thread].state = state;
        let created = EventId::new(thread, last);
        let failures = self.tally.failures;
        if self.graph.event(created).kind == Kind::Create {
            let child = self.graph.event(created).cell as usize;
            self.begin(child, created)?;
        }
        self.settle(thread, step)?;
        Ok(self.tally.failures == failures)
    }

    /// Runs a thread that cannot be copied from its start through all its answers.
    pub(super) fn replay(&self, thread: usize) -> Step {
        let lane = &self.graph.lanes[thread];
        let mut state = self.program.start(ThreadId(thread as u8), lane.entry);
        let mut step = self.program.resume(&mut state, Answer::default(), &self.graph);
        for i in 0..lane.events.len() {
            if let Some(answer) = lane.answer(i) {
                step = self.program.resume(&mut state, answer, &self.graph);
            }
        }
        step
    }

    pub(super) fn settle(&mut self, thread: usize, step: Step) -> Result<(), Halt> {
        self.graph.lanes[thread].next = match step {
            Step::Ask(op, site) => Next::Ask(op, site),
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
