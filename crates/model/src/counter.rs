//! Counts that only some engines have, by name.

use crate::run::Cause;
use serde::{Serialize, Serializer};
use std::cmp::Ordering;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Counter {
    /// Executions in which some thread is stopped by this.
    Blocked(Cause),
    /// Threads that count as one another, so that executions are counted once for all ways to
    /// exchange them.
    ExchangeableThreads,
    /// Of a state and a set of specification states.
    Pairs,
    SpecStates,
    SpecSets,
    /// What the tables of a search take, as it accounts for them.
    TableBytes,
    /// Formulas that a proof refuted, and clauses of the largest one.
    Obligations,
    Clauses,
    Operations,
    /// Operations that never returned.
    Pending,
    Keys,
    ParseMicros,
    DecideMicros,
    /// While the thread was running.
    ParseCpuMicros,
    DecideCpuMicros,
    HistoryBytes,
}

/// Who wants to know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Audience {
    /// Anybody who reads a report.
    Everyone,
    /// Whoever measures: only where counts are data.
    Measurements,
}

impl Counter {
    /// As in `stats` of a report.
    pub fn word(self) -> &'static str {
        match self {
            Counter::Blocked(Cause::Lock) => "blocked-lock",
            Counter::Blocked(Cause::Condition) => "blocked-condition",
            Counter::Blocked(Cause::Semaphore) => "blocked-semaphore",
            Counter::Blocked(Cause::Barrier) => "blocked-barrier",
            Counter::Blocked(Cause::Once) => "blocked-once",
            Counter::Blocked(Cause::Futex) => "blocked-futex",
            Counter::Blocked(Cause::Join) => "blocked-join",
            Counter::Blocked(Cause::PartialLock) => "blocked-partial-lock",
            Counter::Blocked(Cause::Assume) => "blocked-assume",
            Counter::Blocked(Cause::Spin) => "blocked-spin",
            Counter::Blocked(Cause::Bound) => "blocked-bound",
            Counter::Blocked(Cause::Exit) => "blocked-exit",
            Counter::ExchangeableThreads => "exchangeable_threads",
            Counter::Pairs => "pairs",
            Counter::SpecStates => "spec_states",
            Counter::SpecSets => "spec_sets",
            Counter::TableBytes => "table_bytes",
            Counter::Obligations => "obligations",
            Counter::Clauses => "clauses",
            Counter::Operations => "operations",
            Counter::Pending => "pending",
            Counter::Keys => "keys",
            Counter::ParseMicros => "parse_us",
            Counter::DecideMicros => "decide_us",
            Counter::ParseCpuMicros => "parse_cpu_us",
            Counter::DecideCpuMicros => "decide_cpu_us",
            Counter::HistoryBytes => "history_bytes",
        }
    }

    pub fn audience(self) -> Audience {
        match self {
            Counter::ParseMicros
            | Counter::DecideMicros
            | Counter::ParseCpuMicros
            | Counter::DecideCpuMicros
            | Counter::HistoryBytes
            | Counter::TableBytes => Audience::Measurements,
            _ => Audience::Everyone,
        }
    }
}

/// By name: reports list them so.
impl Ord for Counter {
    fn cmp(&self, other: &Self) -> Ordering {
        self.word().cmp(other.word())
    }
}

impl PartialOrd for Counter {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Serialize for Counter {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.serialize_str(self.word())
    }
}
