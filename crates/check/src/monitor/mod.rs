//! Recorded histories: is there an order of the operations that explains every answer?
//!
//! *Linearizable* (Herlihy and Wing, TOPLAS 1990): some completed operations and some of the
//! pending ones can be put in one order that respects real time and that the sequential object
//! accepts. *Sequentially consistent*: the same with the order of each process in place of real
//! time. Linearizability is local, so keys are decided one by one, in parallel; sequential
//! consistency is not, so there the history is taken as a whole.
//!
//! A key goes to the fast decider of its type if there is one that accepts it, otherwise to the
//! general search. Both are exact; only the search can run out of time or memory.

mod answer;
mod budget;
mod check;
mod decide;
mod explain;
mod fast;
mod minimise;
mod parts;
mod quasi;
mod search;
pub mod stream;
mod witness;

pub use answer::Answer;
pub use check::{Broken, Checked, Detail, check, label, property};
pub use decide::{Decision, Method, decide};
pub use explain::{Explanation, Failing, Patience, Shrink, explain, order};
pub use fast::Conflict;
pub use minimise::{Minimal, Verified};
pub use parts::{Decided, Part, decide_parts};
pub use quasi::lines as displaced;
pub use search::Consistency;

use lineal_model::adt::Object;
use lineal_model::history::{History, Stamp};

/// Which decider may answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Algorithm {
    /// The fast decider of the type where it applies, else the search.
    #[default]
    Auto,
    Search,
}

/// Whether keys are decided apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Partition {
    #[default]
    ByKey,
    Whole,
}

#[derive(Clone, Copy, Debug)]
pub struct Problem<'a> {
    pub history: &'a History,
    pub object: &'a Object,
    pub consistency: Consistency,
    pub algorithm: Algorithm,
    pub partition: Partition,
    /// What the log is called.
    pub log: &'a str,
    /// How far apart clocks may have been when the log was put in order.
    pub skew: Option<Stamp>,
    pub wanted: Wanted,
}

/// What to say besides the verdict.
#[derive(Clone, Copy, Debug, Default)]
pub struct Wanted {
    pub shrink: Shrink,
    /// An order that explains a history that holds.
    pub order: bool,
}

impl<'a> Problem<'a> {
    pub fn new(history: &'a History, object: &'a Object) -> Self {
        Problem {
            history,
            object,
            consistency: Consistency::default(),
            algorithm: Algorithm::default(),
            partition: Partition::default(),
            log: "the log",
            skew: None,
            wanted: Wanted::default(),
        }
    }
}
