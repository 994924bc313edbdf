//! How hard to try, and who may say stop.
//!
//! Effort can turn an answer into `Unknown` or find another witness; it never flips a verdict.

use crate::report::Finding;
use crate::verdict::Limit;
use std::ops::ControlFlow;

/// Knobs every engine understands. Time and memory are not here: they belong to whoever owns a
/// clock, and arrive through the [`Observer`].
#[derive(Clone, Debug)]
pub struct Effort {
    /// States, or executions where no states are stored. `None`: as many as it takes.
    pub max_states: Option<u64>,
    pub jobs: usize,
    /// Decides exploration order only.
    pub seed: u64,
    /// A loop that a thread has gone round many times is taken for endless after so many further rounds and
    /// executions. `None`: as the engine sees fit.
    pub rounds: Option<u64>,
}

impl Effort {
    pub const DEFAULT: Effort = Effort { max_states: None, jobs: 1, seed: 0, rounds: None };
}

impl Default for Effort {
    fn default() -> Self {
        Effort::DEFAULT
    }
}

/// What a running engine has done so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub states: u64,
    pub executions: u64,
    pub blocked: u64,
    pub clients: u64,
    /// Bytes the engine's own tables hold, as far as it knows; 0 if it keeps none.
    pub bytes: u64,
}

/// Watches an engine. Shared by all workers, asked often (every thousand steps or so), and
/// before a large table grows.
pub trait Observer: Sync {
    /// Takes the counts; `Break` names the limit that was reached.
    fn progress(&self, counts: Counts) -> ControlFlow<Limit>;

    /// A part of the work begins: what it is, in a word or two, and a sentence on what is settled
    /// by now, whatever becomes of the rest.
    fn stage(&self, _doing: &str, _settled: &str) {}

    /// A verdict is settled, whatever else there will be to say about it.
    fn settled(&self, _finding: &Finding) {}
}

/// An observer that never says stop.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unwatched;

impl Observer for Unwatched {
    fn progress(&self, _: Counts) -> ControlFlow<Limit> {
        ControlFlow::Continue(())
    }
}

impl Effort {
    /// Charges `counts` against the cap on states and asks the observer.
    pub fn charge(&self, counts: Counts, watch: &dyn Observer) -> ControlFlow<Limit> {
        if let Some(max) = self.max_states
            && counts.states.max(counts.executions + counts.blocked) >= max
        {
            return ControlFlow::Break(Limit::states(max));
        }
        watch.progress(counts)
    }
}
