//! How long to go on: limits, other workers, and a smaller failure than the one that was found.
//!
//! Whatever can be done often without adding an event has to come by here, or limits are not heeded.

use super::explore::{Halt, Search};
use lineal_model::run::Runnable;
use lineal_model::{Counts, Limit};
use std::ops::ControlFlow;
use std::sync::atomic::Ordering::Relaxed;

impl<R: Runnable, const N: usize> Search<'_, R, N> {
    pub(super) fn charge(&mut self) -> Result<(), Halt> {
        self.tick()?;
        if let Some(pool) = self.pool
            && self.steps.is_multiple_of(64)
        {
            self.share(pool);
        }
        Ok(())
    }

    /// Counts a step, and looks at limits and at other workers now and then.
    pub(super) fn tick(&mut self) -> Result<(), Halt> {
        self.steps += 1;
        if self.best.is_some() {
            self.wait_for_smaller()?;
        }
        if self.steps.is_multiple_of(1024) {
            self.ask()?;
        }
        match self.pool {
            Some(pool) if self.steps.is_multiple_of(64) && pool.is_over() => Err(Halt::Elsewhere),
            _ => Ok(()),
        }
    }

    /// A failure was found; a smaller one is looked for only so long.
    pub(super) fn wait_for_smaller(&mut self) -> Result<(), Halt> {
        self.patience = self.patience.saturating_sub(1);
        if self.patience == 0 { Err(Halt::Enough) } else { Ok(()) }
    }

    /// Charges the effort and asks the observer.
    pub fn ask(&mut self) -> Result<(), Halt> {
        match self.progress() {
            ControlFlow::Break(limit) => Err(Halt::Limit(limit)),
            ControlFlow::Continue(()) => Ok(()),
        }
    }

    pub(super) fn progress(&self) -> ControlFlow<Limit> {
        let mut counts =
            Counts { executions: self.tally.executions, blocked: self.tally.blocked, ..Counts::default() };
        if let Some(pool) = self.pool {
            counts.executions = pool.executions.load(Relaxed);
            counts.blocked = pool.blocked.load(Relaxed);
        }
        self.effort.charge(counts, self.watch)
    }
}
