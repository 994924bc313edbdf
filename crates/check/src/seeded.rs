//! Deliberate mistakes of every engine, each of which some suite must notice.
//!
//! A suite that has never caught a bug proves little. A test makes a mistake on its own thread
//! ([`with`]); an engine asks whether to make it ([`active`]) at the one place where it would be
//! made, and takes it along to threads that it starts ([`carry`]). Built without the feature
//! `seeded`, which only tests ask for, there are no mistakes to make.

use std::cell::Cell;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd)]
pub enum Bug {
    // The graph engine; `NoRace` is the last of these.
    /// A write may go between another and the update that reads it.
    NoAtomicity,
    /// `mo` orders nothing, under sc and tso.
    NoMo,
    /// From-reads order nothing, under sc and tso.
    NoFr,
    NoCoherence,
    NoFence,
    NoReleaseSequence,
    NoPsc,
    /// A read may be revisited whatever it reads.
    NoMaximalRevisited,
    NoMaximalRead,
    NoMaximalWrite,
    NoMaximalChoice,
    /// A write may be deleted though something that stays has read it.
    NoMaximalUnread,
    /// Exchangeable threads are kept in order, but do not depend on one another.
    NoDependency,
    OnlyConsumersRead,
    /// A loop is taken to spin whatever it changed.
    AlwaysSpin,
    /// A failed iteration is dropped although a later write may revisit it.
    DropsLast,
    /// What an iteration reads after the write that revisits it is no group of its own.
    OneStamp,
    /// A group is revisited by a write that has built it already.
    BuiltTwice,
    /// A revisited group need not read the write that revisits it.
    NothingOwed,
    /// What goes wrong later in a dropped iteration is not asked.
    NoRisk,
    /// What a failed iteration left in private memory is forgotten though it is read.
    ForgetsPrivate,
    /// What a thread wrote later into memory of its own keeps others from revisiting what it read there.
    OwnIsNews,
    /// Who may have seen what a failed iteration wrote into memory of its own is not asked.
    NobodyGlimpses,
    /// A rotated loop is cut whatever the read before it would have led to.
    RotatesAnything,
    /// Nor though what was read last is what the thread has written itself since.
    RotatesOwn,
    /// Iterations of a row are compared by `mo` alone.
    NoPorfFirst,
    /// A swap is left to others whatever it synchronises.
    HelpsAnyway,
    /// A store is left to its owner though others store there too.
    FillsAnyway,
    /// A lock is waited for that would be taken in vain, whatever others do without it.
    PollsAnyway,
    /// An addition that would be taken back is waited for, whatever others make of it.
    MindsNothing,
    /// A lock goes to who waits for it, whatever might be revisited otherwise.
    PassesAnyway,
    /// The same, whatever else the lock is used for.
    LocksAnyway,
    /// A branch with a thread that waits for what is there ends, whoever may still move.
    ForsakesAnyway,
    /// Of the orders of arrival at a barrier one is taken, however many threads come.
    MeetsAnyway,
    /// Who goes on from a barrier is taken to read the last write if it had to read again.
    GoesOnLast,
    /// A latecomer is taken to miss whatever another update has taken, whoever made that.
    TakenByAnyone,
    /// An execution that is cut short is taken to be complete when it is asked whether one call more has
    /// anything to do.
    CutIsComplete,
    /// What is wrong with an execution with an idle update is believed.
    BelievesIdle,
    /// That an idle update races with a plain read is not looked at.
    IdleNeverRaces,
    NoRace,

    // Robustness.
    /// A turn that is given on in several places is taken to be given on in each of them.
    OneShow,
    /// A write does not wait for reads of what it overwrites.
    ReadsForgotten,
    /// A read does not wait for the write it reads.
    ReadsEarly,

    // Conformance.
    /// Of an execution of the specification, what calls tell is taken for all.
    RoughOther,
    /// No more constrained clients.
    NoExtend,
    /// Synchronisation is never asked for.
    NoSync,
    /// Edges may contradict `eco`.
    NoEco,
    /// Values may come out of thin air.
    NoPorf,
    /// One edge is tried, never two.
    OneEdge,
    /// Calls are taken to be exchangeable without a look.
    OneLayer,

    // Refinement.
    /// A pair is dropped when a *larger* set was seen.
    InvertedAntichain,
    /// Specification sets are not closed under internal steps.
    ForgottenClosure,
    /// Refusals are compared the wrong way round.
    InvertedRefusals,
    /// Divergence of the implementation is not looked at.
    IgnoredDivergence,
    /// Only the first step of each state is taken.
    UnsoundAmple,

    // Temporal logic.
    /// What is put off need not come.
    BrokenPromises,
    /// A run that cannot go on is no run.
    NeverStays,
    /// Strong fairness is taken for weak fairness.
    WeakWillDo,
    /// Nobody is owed anything.
    AnyPartIsFair,
    /// Symmetry is used though the formula names a process.
    NamesForgotten,

    // Monitors.
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
    /// A body that panics, as broken engines do, ends the mistake too.
    struct Restore(Option<Bug>);
    impl Drop for Restore {
        fn drop(&mut self) {
            ACTIVE.set(self.0);
        }
    }
    let _restore = Restore(ACTIVE.replace(Some(bug)));
    body()
}

/// The same work, with the mistake that this thread makes, for another thread to do.
pub(crate) fn carry<T>(work: impl FnOnce() -> T) -> impl FnOnce() -> T {
    let bug = ACTIVE.get();
    move || match bug {
        Some(bug) => with(bug, work),
        None => work(),
    }
}

#[inline]
pub(crate) fn active(bug: Bug) -> bool {
    cfg!(feature = "seeded") && ACTIVE.get() == Some(bug)
}

/// Whether the graph engine is to make a mistake, whichever.
pub(crate) fn in_graph() -> bool {
    cfg!(feature = "seeded") && ACTIVE.get().is_some_and(|bug| bug <= Bug::NoRace)
}
