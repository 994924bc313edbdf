//! What an author says about the steps of an object, for proofs: lemmas, which are shown, and axioms,
//! which are taken for granted. Only what was written; locations and operations are names.

use crate::diagnostic::Place;

/// For all of these steps: if all that is given is so, then the conclusion is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    pub name: String,
    /// An axiom: not to be shown.
    pub granted: bool,
    pub text: String,
    pub steps: Vec<Step>,
    pub given: Vec<Atom>,
    pub conclusion: Conclusion,
    pub at: Place,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Does {
    Read,
    /// A store or a read-modify-write, or what was there before the first call.
    Write,
    Store,
    /// A read-modify-write.
    Update,
}

/// A step of some call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    pub name: String,
    pub does: Does,
    pub acquires: bool,
    pub releases: bool,
    pub location: String,
    /// Of calls of this operation.
    pub operation: Option<String>,
    /// Of the call of that step.
    pub by: Option<usize>,
}

/// Steps go by their number: those of the fact, then those that an alternative says there are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Atom {
    /// Which comes first, under sequential consistency.
    Order(usize, Compare, usize),
    Values(Value, Compare, Value),
    /// They are at one location.
    Together(usize, usize),
    /// The first reads what the second wrote.
    Reads(usize, usize),
    /// They are made by one session.
    Session(usize, usize),
    Not(Box<Atom>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compare {
    Equal,
    Differ,
    Less,
    AtMost,
}

impl Compare {
    pub fn holds(self, a: u64, b: u64) -> bool {
        match self {
            Compare::Equal => a == b,
            Compare::Differ => a != b,
            Compare::Less => a < b,
            Compare::AtMost => a <= b,
        }
    }
}

/// `of + add`, and of that the remainder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Value {
    pub of: Option<(usize, Which)>,
    pub add: i64,
    pub modulo: Option<i64>,
}

/// What a step found, or what it left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    Old,
    New,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Conclusion {
    /// One of these.
    Either(Vec<Alternative>),
    /// Whoever acquires what the write wrote has seen the step: it happens before.
    Tells { write: usize, step: usize },
    /// The first happens before the second.
    Before(usize, usize),
    /// Whoever next writes there, if anybody, does so by a read-modify-write.
    ThenUpdate(usize),
}

/// Some step, if one is named, and all of this.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alternative {
    pub some: Option<Step>,
    pub atoms: Vec<Atom>,
}
