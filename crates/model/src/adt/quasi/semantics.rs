//! What factors mean where operations of different classes come together.

use serde::Serialize;

/// How operations of different classes may move past each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Semantics {
    /// Not at all: at each place both orders have an operation of the same class. And no value is
    /// answered before it is there ([`Causes`](super::Causes)).
    #[default]
    Classes,
    /// As they like: the definition of Adhikari and others (SPIN 2013), word by word, closed under
    /// prefixes.
    Literal,
    /// Within a row of at most one operation more than the factor, each row by itself: their
    /// algorithm, made deterministic, for comparison.
    Windows,
}

impl Semantics {
    pub const ALL: [Semantics; 3] = [Semantics::Classes, Semantics::Literal, Semantics::Windows];

    pub fn word(self) -> &'static str {
        match self {
            Semantics::Classes => "classes",
            Semantics::Literal => "literal",
            Semantics::Windows => "windows",
        }
    }
}
