//! What a claim takes for granted.

use crate::process::{Annotation, Fairness};

/// Something that a claim takes for granted.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Assumption {
    /// `malloc` and its kin never fail.
    AllocationSucceeds,
    /// Executions in which some call waits for ever, of which there are some, are not judged.
    EndlessNotJudged,
    /// What never ends is not judged. Iterations that change nothing are left out; what they read may
    /// be old.
    FruitlessIterations,
    /// Freed addresses are not handed out again.
    NoReuse,
    /// Loops that wait for another thread end; in so many blocked executions one never does.
    LoopsEnd { endless: u64 },
    /// Who waits for a condition wakes up only when it is signalled.
    NoSpuriousWakeUps,
    /// Each thread that sleeps in the system wakes up at most once without a reason.
    OneSpuriousWakeUp,
    /// Between two looks, a clock stands still or moves on by an hour.
    ClockSteps,
    /// Plain accesses of scalars are atomic, and relaxed: races among them were not looked for.
    RacesIgnored,
    /// Those on this line are.
    RacesOffAt(String),
    /// Accesses of volatile objects are atomic, of this order.
    VolatileAtomic(&'static str),
    /// Arguments are drawn from this range, as declared.
    ArgumentsFrom(i64, i64),
    /// The code does no more with its arguments, as declared.
    Arguments(ArgClass),
    /// Only a thread that holds the lock releases it.
    HolderReleases,
    /// Clients order calls by synchronising themselves, not by relaxed or seq_cst accesses alone.
    ClientsSynchronise,
    /// Which calls a thread makes matters, not its number, as declared.
    ThreadsAlike,
    /// Threads are numbered from 0 on.
    ThreadsNumbered,
    /// Calls may wait for others: no execution of these clients completes.
    Stuck(Vec<String>),
    /// A library is robust by itself: for every client, or for those with at most so many calls.
    LibraryRobust { library: String, calls: Option<u64> },
    /// A library is robust by itself. It declares no object, so nobody could ask.
    LibraryGranted(String),
    /// A client and its libraries touch each other's memory by calls only.
    MemoryApart,
    /// Plain accesses of a client do not race.
    ClientRaceFree,
    /// Hidden variables are no part of a state.
    HiddenVariables,
    /// Runs in which something is neglected for ever do not count.
    Fair(Fairness),
    /// Runs in which events with this annotation do not get what it asks for do not count.
    Annotated(Annotation),
    /// Clocks differ by at most this.
    ClockSkew(String),
    /// Texts are numbers to this type, which does not compute with them.
    TextsAreNumbers(String),
    /// These counters never wrap around.
    CountersEnd(String),
    /// Operations on different keys do not matter to each other, as this type says.
    KeysIndependent(String),
    /// An axiom of the author of an object: its name, and what it says.
    Axiom(String, String),
}

/// What the code may do with arguments that are drawn by the checker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ArgClass {
    /// Move them about.
    Independent,
    /// Compare them for equality.
    Equality,
    /// Compare them by size.
    Order,
}

impl ArgClass {
    pub fn word(self) -> &'static str {
        match self {
            ArgClass::Independent => "independent",
            ArgClass::Equality => "equality",
            ArgClass::Order => "order",
        }
    }
}
