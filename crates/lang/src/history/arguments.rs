//! What an operation was called with.
//!
//! A call gives its arguments in `value` (a priority also apart), and nothing there is dropped: a
//! value where the operation takes none is refused, or, of operations that only answer, kept as the
//! answer foretold (Knossos completes calls with what came back), which the return must repeat.

use super::record::{Datum, Record};
use super::recorder::{Problem, Recorder};
use super::takes::{Takes, is_empty_word, takes};
use super::value::{Given, shown};
use lineal_model::Knob;
use lineal_model::adt::Kind;
use lineal_model::history::{Method, ValueId};

type Arguments = (ValueId, ValueId);
const NONE: Arguments = (ValueId::NONE, ValueId::NONE);

impl Recorder<'_> {
    /// The arguments in the record of a call. Those that are missing may come with the return.
    pub(super) fn arguments(
        &mut self,
        method: Method,
        given: &Given,
        record: &Record,
    ) -> Result<Arguments, Problem> {
        if method == Method::Custom {
            return self.user_arguments(given, record);
        }
        let kind = self.options.kind;
        if kind == Kind::Map && given.key.is_none() {
            return Err(("L0312", "the record names no key".into()));
        }
        if takes(kind, method) == Takes::Nothing {
            return Ok(NONE);
        }
        self.taken(method, given.value, &record.priority, given.listed)
    }

    /// These as the arguments of an operation that takes some.
    pub(super) fn taken(
        &mut self,
        method: Method,
        value: &Datum,
        priority: &Datum,
        listed: bool,
    ) -> Result<Arguments, Problem> {
        let kind = self.options.kind;
        // Only what is stored as it stands may be nil.
        let none = value.is_absent()
            || (matches!(value, Datum::Nil) && !matches!(method, Method::Write | Method::Put));
        if none {
            return Ok(NONE);
        }
        if is_empty_word(value) && self.may_answer_empty() {
            let message = format!("{} is what a remove answers that found nothing", shown(value));
            return Err(("L0307", format!("{message}, so it cannot be an element")));
        }
        match (takes(kind, method), value) {
            (Takes::Pair, Datum::Sequence(pair)) if pair.len() == 2 => {
                Ok((self.intern(&pair[0]), self.intern(&pair[1])))
            }
            (Takes::Pair, other) => Err(("L0307", format!("cas takes [from to], not {}", shown(other)))),
            (Takes::Ranked, Datum::Sequence(pair)) if pair.len() == 2 && priority.is_absent() => {
                Ok((self.intern(&pair[0]), self.priority(&pair[1])?))
            }
            (Takes::Ranked, _) if priority.is_absent() => {
                Err(("L0312", "put has no priority (prio, or value [v prio])".into()))
            }
            (Takes::Ranked, value) => Ok((self.intern(value), self.priority(priority)?)),
            (Takes::Number, Datum::Int(n)) => Ok((self.values().int(*n), ValueId::NONE)),
            (Takes::Number, other) => {
                Err(("L0307", format!("add takes a whole number, not {}", shown(other))))
            }
            (_, value) if listed => {
                let list = match (method, value) {
                    (Method::Append, element) => std::slice::from_ref(element),
                    (_, Datum::Sequence(items)) => items,
                    (_, other) => return Ok((self.intern(other), ValueId::NONE)),
                };
                Ok((self.growing(list), ValueId::NONE))
            }
            (_, Datum::Text(_)) => Ok((self.intern(value), ValueId::NONE)),
            (_, other) if method == Method::Append => {
                let message = format!("append takes a text, not {}", shown(other));
                Err(("L0307", format!("{message}; lists are appended to in transactions (f txn)")))
            }
            (_, value) => Ok((self.intern(value), ValueId::NONE)),
        }
    }

    pub(super) fn priority(&mut self, priority: &Datum) -> Result<ValueId, Problem> {
        if !matches!(priority, Datum::Int(_)) && !self.options.listed_priorities {
            let message = format!("priority {} is no whole number", shown(priority));
            let order = self.flag(Knob::PriorityOrder);
            return Err(("L0307", format!("{message}; use {order} for others")));
        }
        Ok(self.intern(priority))
    }

    /// A list that appending makes longer.
    pub(super) fn growing(&mut self, items: &[Datum]) -> ValueId {
        let elements: Vec<ValueId> = items.iter().map(|d| self.intern(d)).collect();
        self.values().growing(&elements)
    }

    /// Whether some operation of the type may find nothing.
    fn may_answer_empty(&self) -> bool {
        match &self.options.user {
            Some(user) => user.operations.iter().any(|o| o.may_be_empty),
            None => matches!(
                self.options.kind,
                Kind::Queue | Kind::Stack | Kind::Deque | Kind::Bag | Kind::PriorityQueue
            ),
        }
    }

    /// Whether the operation cannot be understood without its argument.
    pub(super) fn needs_argument(&self, method: Method) -> bool {
        let takes = takes(self.options.kind, method);
        method != Method::Custom && matches!(takes, Takes::One | Takes::Pair | Takes::Ranked)
    }
}
