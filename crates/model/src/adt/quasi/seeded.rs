//! Deliberate mistakes of the automaton, each of which the comparisons with the definition must notice.
//!
//! A test makes one on its own thread ([`with`]). Built without the feature `seeded`, which only tests
//! ask for, there are none to make.

use std::cell::Cell;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mistake {
    /// Everything may be one place farther than the factor says.
    OnePlaceMore,
    /// Of equal operations that are owed, the youngest is settled first.
    YoungestFirst,
    /// What is too late already is kept.
    NeverTooLate,
    /// Only what was read is executed.
    NoGuess,
    /// Operations of any class take the place of one of this class.
    MixesClasses,
    /// States are entered whether or not what is owed can still be settled.
    NotClosed,
    /// Continuations put nothing into a container.
    PutsNothing,
    /// Values may be answered before they are there.
    Uncaused,
    /// The rows of `windows` are one operation longer.
    LongerRows,
}

impl Mistake {
    pub const ALL: [Mistake; 9] = [
        Mistake::OnePlaceMore,
        Mistake::YoungestFirst,
        Mistake::NeverTooLate,
        Mistake::NoGuess,
        Mistake::MixesClasses,
        Mistake::NotClosed,
        Mistake::PutsNothing,
        Mistake::Uncaused,
        Mistake::LongerRows,
    ];
}

thread_local! {
    static MADE: Cell<Option<Mistake>> = const { Cell::new(None) };
}

/// Runs `body` with the mistake made.
pub fn with<T>(mistake: Mistake, body: impl FnOnce() -> T) -> T {
    /// A body that panics ends the mistake too.
    struct Restore(Option<Mistake>);
    impl Drop for Restore {
        fn drop(&mut self) {
            MADE.set(self.0);
        }
    }
    let _restore = Restore(MADE.replace(Some(mistake)));
    body()
}

#[inline]
pub(super) fn active(mistake: Mistake) -> bool {
    cfg!(feature = "seeded") && MADE.get() == Some(mistake)
}
