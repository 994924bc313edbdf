//! Deliberate mistakes, one or more a decider, that the random comparison must notice.
//!
//! A suite that has never caught a bug proves little. Tests switch a mistake on for their own
//! thread; in release builds the switch is compiled out.

use std::cell::Cell;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bug {
    /// Queue: compares with the latest value only, not with all earlier ones.
    QueueForgetsMaximum,
    /// Empty removes: values that nothing removes do not cover.
    EmptyForgetsUnremoved,
    /// Stack: peels a value once its push is exposed, whatever its pop.
    StackIgnoresPop,
    /// Priority queue: values of the same priority cover each other.
    PriorityTiesCover,
    /// Priority queue: no order among values of one priority.
    PriorityForgetsFifo,
    /// Priority queue: treats incomparable priorities as ordered.
    PosetAsTotal,
    /// Set: flips by the latest returning toggle.
    SetFlipsByLatest,
    /// Register: backward zones are not looked at.
    RegisterForgetsBackward,
    /// Fetch-and-increment: a missing value needs no pending call.
    FetchIgnoresMissing,
    /// Mutex: a crashed release is as good as none.
    MutexDropsCrashedRelease,
    /// Bag: a value may be removed before it is added.
    BagForgetsOrder,
    /// Containers: pending removes are dropped, and that settles it.
    DropsPendingRemoves,
    /// Containers: a pending remove may take effect before its call.
    PendingBeforeCall,
    /// Search: remembers configurations without the state.
    SearchForgetsState,
    /// Search: takes a legal read at once even if it is not a read.
    SearchCommitsWrites,
}

thread_local! {
    static ACTIVE: Cell<Option<Bug>> = const { Cell::new(None) };
}

/// Runs `body` with the mistake made.
pub fn with<T>(bug: Bug, body: impl FnOnce() -> T) -> T {
    let before = ACTIVE.replace(Some(bug));
    let result = body();
    ACTIVE.set(before);
    result
}

pub(crate) fn active(bug: Bug) -> bool {
    cfg!(debug_assertions) && ACTIVE.get() == Some(bug)
}
