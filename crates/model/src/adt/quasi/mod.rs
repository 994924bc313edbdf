//! Types whose operations may be out of order by so much: quasi-linearizability as a sequential
//! object.
//!
//! Operations are divided into disjoint *classes*, each with a *factor*; what no class lists is
//! class `rest` with factor 0. A word of operations with their answers is accepted iff it can be
//! continued so that the operations can be executed in another order which the type allows and
//! which moves no operation by more places, counted within its class, than the factor says.
//! How the orders of different classes go together is what the [`Semantics`] differ about.
//!
//! A relaxed type is an [`Adt`](super::Adt) like any other ([`Quasi`], [`Windows`]), so that every
//! engine can be asked about it. Continuations make calls that the log, the client or the model
//! makes, as often as they like.

mod alive;
mod automaton;
mod book;
mod causes;
mod erased;
mod listed;
mod scope;
pub mod seeded;
pub mod semantics;
mod visit;
mod windows;

pub use automaton::{Quasi, State};
pub use book::{Book, Deed};
pub use causes::Causes;
pub use listed::{Listed, MOST, Named, Operations, relax};
pub use semantics::Semantics;
pub use visit::Visited;
pub use windows::Windows;

use crate::history::{History, Method, Op, Value, ValueId, Values};
use std::sync::Arc;

/// A type made weaker: classes, factors, and what they mean.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Relaxation {
    pub semantics: Semantics,
    /// Disjoint.
    pub classes: Vec<Class>,
    /// With [`Semantics::Literal`]: how many operations of a class may be read and not executed, or
    /// the other way round, beyond its factor. `None`: as many as it takes.
    pub drift: Option<u32>,
    /// What continuations may call, where that is not what the history at hand calls: it is a part of
    /// another one.
    pub known: Option<Arc<Known>>,
}

/// The calls of a history.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Known {
    /// Each once, without its answer.
    pub calls: Vec<Op>,
    /// All that may be an answer.
    pub answers: Vec<ValueId>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Class {
    pub members: Vec<Member>,
    pub factor: u32,
    /// As it was written: `dequeue`, `{push, pop}`.
    pub name: String,
}

/// Operations of a class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    pub method: Method,
    /// Of a type of the user's own: which operation, as its [`Op::extra`] says.
    pub custom: Option<ValueId>,
    pub answer: Answered,
}

/// Which answers a member is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answered {
    /// Whatever it is, unless it is *empty*.
    Anything,
    Exactly(Value),
}

impl Member {
    fn matches(&self, op: &Op, values: &Values) -> bool {
        let same = self.method == op.method && self.custom.is_none_or(|c| c == op.extra);
        same && match &self.answer {
            Answered::Anything => op.result != ValueId::EMPTY,
            Answered::Exactly(value) => values.find(value) == Some(op.result),
        }
    }

    fn overlaps(&self, other: &Member) -> bool {
        let same = self.method == other.method && self.custom == other.custom;
        same && match (&self.answer, &other.answer) {
            (Answered::Anything, Answered::Exactly(Value::Empty)) => false,
            (Answered::Exactly(Value::Empty), Answered::Anything) => false,
            (Answered::Exactly(a), Answered::Exactly(b)) => a == b,
            _ => true,
        }
    }
}

impl Relaxation {
    /// The class of an operation that has its answer; `None`: class `rest`.
    pub fn class(&self, op: &Op, values: &Values) -> Option<usize> {
        self.classes.iter().position(|c| c.members.iter().any(|m| m.matches(op, values)))
    }

    /// Whether operations of this method may be out of order, with some answer.
    pub fn moves(&self, method: Method) -> bool {
        self.classes.iter().any(|c| c.factor > 0 && c.members.iter().any(|m| m.method == method))
    }

    /// The same where operations of a type of the user's own are told apart by number.
    pub fn moves_operation(&self, method: Method, number: u32) -> bool {
        let own = |m: &Member| m.method == method && m.custom.is_none_or(|c| c == ValueId::small(number));
        self.classes.iter().any(|c| c.factor > 0 && c.members.iter().any(own))
    }

    /// The greatest factor.
    pub fn most(&self) -> u32 {
        self.classes.iter().map(|c| c.factor).max().unwrap_or(0)
    }

    /// `dequeue=2, {push, pop}=1`.
    pub fn shown(&self) -> String {
        let class = |c: &Class| format!("{}={}", c.name, c.factor);
        self.classes.iter().map(class).collect::<Vec<_>>().join(", ")
    }

    /// The same for parts of this history, with its calls.
    pub fn knowing(&self, history: &History) -> Self {
        // Whether the caller matters is for the type to say; more is known than needed.
        Relaxation { known: Some(Arc::new(Known::of(history, Deed::of))), ..self.clone() }
    }

    /// The same with another factor for one class.
    pub fn with_factor(&self, class: usize, factor: u32) -> Self {
        let mut other = self.clone();
        other.classes[class].factor = factor;
        other
    }
}
