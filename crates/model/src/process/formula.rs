//! Linear temporal logic over the runs of a process: what `P |= φ` says.
//!
//! A run is a sequence of positions. Position 0 is the initial state; every step leads to the next
//! position, which has the state the step leads to and the event of the step. A condition over
//! variables holds in a position if it holds in its state; an event holds in the position that it
//! *leads to*, so no event holds in position 0, and none in a position that an internal step leads to.
//! A run that cannot go on, because of a deadlock or because everything has terminated, stays where
//! it is for ever: there the variables keep their values and no event holds any more.

use super::EventId;
use super::events::Events;
use super::expr::Expr;
use std::fmt::Write;

/// A formula; atoms by number.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Formula {
    True,
    False,
    Atom(u32),
    Not(Box<Formula>),
    /// `X`
    Next(Box<Formula>),
    /// `[]`
    Always(Box<Formula>),
    /// `<>`
    Eventually(Box<Formula>),
    Both(Connective, Box<(Formula, Formula)>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Connective {
    And,
    Or,
    Implies,
    Iff,
    Xor,
    /// The second comes, and the first holds until then.
    Until,
    /// `V` or `R`: the second holds up to and including the position in which the first does, for
    /// ever if it never does.
    Release,
}

/// A formula with what its atoms mean.
#[derive(Clone, Debug)]
pub struct Ltl {
    pub formula: Formula,
    pub atoms: Vec<Atom>,
    /// What a reader should know about how it was read, a sentence each.
    pub notes: Vec<String>,
}

#[derive(Clone, Debug)]
pub struct Atom {
    /// As written.
    pub shown: String,
    pub meaning: Meaning,
}

#[derive(Clone, Debug)]
pub enum Meaning {
    /// The event of this name (an index into the model's, or that of termination) and arguments.
    Event(u32, Vec<i32>),
    Condition(Expr),
}

impl Atom {
    /// Which event it is, if it is one.
    pub fn event(&self, events: &Events) -> Option<EventId> {
        match &self.meaning {
            Meaning::Event(name, args) => Some(events.id(*name, args)),
            Meaning::Condition(_) => None,
        }
    }
}

impl Ltl {
    /// What it reads in each state.
    pub fn conditions(&self) -> impl Iterator<Item = &Expr> {
        self.atoms.iter().filter_map(|a| match &a.meaning {
            Meaning::Condition(e) => Some(e),
            Meaning::Event(..) => None,
        })
    }

    /// A part of it, as it would be written with all parentheses that matter.
    pub fn show(&self, formula: &Formula) -> String {
        let name = |i: u32| self.atoms[i as usize].shown.clone();
        formula.show(&name)
    }
}

impl Connective {
    pub fn mark(self) -> &'static str {
        match self {
            Connective::And => "&&",
            Connective::Or => "||",
            Connective::Implies => "->",
            Connective::Iff => "<->",
            Connective::Xor => "xor",
            Connective::Until => "U",
            Connective::Release => "R",
        }
    }
}

impl Formula {
    pub fn both(op: Connective, a: Formula, b: Formula) -> Formula {
        Formula::Both(op, Box::new((a, b)))
    }

    /// With names for its atoms.
    pub fn show(&self, name: &dyn Fn(u32) -> String) -> String {
        let mut out = String::new();
        self.write(name, false, &mut out);
        out
    }

    fn write(&self, name: &dyn Fn(u32) -> String, inside: bool, out: &mut String) {
        let unary = |mark: &str, inner: &Formula, out: &mut String| {
            out.push_str(mark);
            inner.write(name, true, out);
        };
        match self {
            Formula::True => out.push_str("true"),
            Formula::False => out.push_str("false"),
            Formula::Atom(i) => out.push_str(&name(*i)),
            Formula::Not(f) => unary("!", f, out),
            Formula::Next(f) => unary("X ", f, out),
            Formula::Always(f) => unary("[]", f, out),
            Formula::Eventually(f) => unary("<>", f, out),
            Formula::Both(op, pair) => {
                if inside {
                    out.push('(');
                }
                // `&&` and `||` of the same kind need no parentheses.
                let plain = |f: &Formula| matches!(f, Formula::Both(o, _) if o == op && matches!(op, Connective::And | Connective::Or));
                pair.0.write(name, !plain(&pair.0), out);
                let _ = write!(out, " {} ", op.mark());
                pair.1.write(name, !plain(&pair.1), out);
                if inside {
                    out.push(')');
                }
            }
        }
    }

    /// Whether it can tell how many positions there are.
    pub fn has_next(&self) -> bool {
        match self {
            Formula::True | Formula::False | Formula::Atom(_) => false,
            Formula::Next(_) => true,
            Formula::Not(f) | Formula::Always(f) | Formula::Eventually(f) => f.has_next(),
            Formula::Both(_, pair) => pair.0.has_next() || pair.1.has_next(),
        }
    }
}

/// Which runs count: those in which nobody is neglected for ever.
///
/// What may be neglected is an event (each visible label by itself; internal steps are never owed
/// anything), a process (an operand of the outermost parallel operator, whose steps count whether
/// visible or not), or a step from one state to another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Fairness {
    /// Every run counts.
    #[default]
    None,
    /// An event that can happen from some point on without a break happens again and again.
    WeakEvent,
    /// An event that can happen again and again does.
    StrongEvent,
    /// A process that can move from some point on without a break moves again and again.
    WeakProcess,
    /// A process that can move again and again does.
    StrongProcess,
    /// Every step that can be taken again and again is.
    Global,
}

impl Fairness {
    pub const ALL: [Fairness; 6] = [
        Fairness::None,
        Fairness::WeakEvent,
        Fairness::StrongEvent,
        Fairness::WeakProcess,
        Fairness::StrongProcess,
        Fairness::Global,
    ];

    /// As users write it.
    pub fn word(self) -> &'static str {
        match self {
            Fairness::None => "none",
            Fairness::WeakEvent => "weak-event",
            Fairness::StrongEvent => "strong-event",
            Fairness::WeakProcess => "weak-process",
            Fairness::StrongProcess => "strong-process",
            Fairness::Global => "global",
        }
    }

    /// Whether having been able to again and again is enough to be owed something.
    pub fn is_strong(self) -> bool {
        matches!(self, Fairness::StrongEvent | Fairness::StrongProcess | Fairness::Global)
    }
}
