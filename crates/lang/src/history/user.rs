//! What the fields of a record mean for a type of the user's own: the pragmas say how many values
//! an operation takes, whether it has a key, and whether it answers.

use super::meaning::{Given, shown, value_of};
use super::record::{Datum, Record};
use super::recorder::{Problem, Recorder};
use lineal_model::adt::user::Operation;
use lineal_model::history::{Method, Value, ValueId};

impl Recorder<'_> {
    pub(super) fn name(&self, method: Method, operation: u32) -> &str {
        match &self.options.user {
            Some(user) => &user.operations[operation as usize].name,
            None => self.options.kind.name(method),
        }
    }

    pub(super) fn may_be_empty(&self, method: Method, operation: u32) -> bool {
        match &self.options.user {
            Some(user) => user.operations[operation as usize].may_be_empty,
            None => self.options.kind.may_be_empty(method),
        }
    }

    /// The operations there are, for someone who named another one.
    pub(super) fn known(&self) -> String {
        let kind = self.options.kind;
        match &self.options.user {
            Some(user) => {
                let names: Vec<&str> = user.operations.iter().map(|o| &*o.name).collect();
                format!("{} declares {}", user.name, names.join(", "))
            }
            None => format!("--as {} knows {}", kind.word(), kind.words()),
        }
    }

    fn declared(&self, given: &Given) -> Operation {
        let user = self.options.user.as_ref().expect("operations of a user's type are its own");
        user.operations[given.operation as usize].clone()
    }

    pub(super) fn user_arguments(
        &mut self,
        given: &Given,
        record: &Record,
    ) -> Result<(ValueId, ValueId), Problem> {
        let op = self.declared(given);
        let name = ValueId::small(given.operation);
        let calls = record.kind.word() == Some("invoke") || !record.call.is_absent();
        if !calls {
            // Arguments come with the call.
            return Ok((ValueId::NONE, name));
        }
        if op.key && given.key.is_none() {
            return Err(("L0312", format!("{} takes a key, and the record names none", op.name)));
        }
        let none = matches!(given.value, Datum::Absent | Datum::Nil);
        let arity = |found: String| {
            let takes = match op.values {
                0 => "no value".to_string(),
                1 => "one value".to_string(),
                n => format!("{n} values, [v …]"),
            };
            Err(("L0307", format!("{} takes {takes}, not {found}", op.name)))
        };
        match (op.values, given.value) {
            // On one line with its answer the value may be that.
            (0, _) if none || record.kind.word() != Some("invoke") => Ok((ValueId::NONE, name)),
            (_, value) if none => arity(shown(value)),
            (2, value) if op.priority && !record.priority.is_absent() => {
                let pair = [value_of(value), value_of(&record.priority)];
                Ok((self.list(pair.into()), name))
            }
            (1, Datum::Sequence(items)) => arity(format!("{} of them", items.len())),
            (1, value) => Ok((self.intern(value), name)),
            (n, Datum::Sequence(items)) if items.len() == n => {
                Ok((self.list(items.iter().map(value_of).collect()), name))
            }
            (_, value) => arity(shown(value)),
        }
    }

    /// Its parts are interned too, so that each has a number of its own.
    fn list(&mut self, items: Box<[Value]>) -> ValueId {
        for item in &items {
            self.values().intern(item.clone());
        }
        self.values().intern(Value::List(items))
    }

    pub(super) fn user_answer(&mut self, given: &Given, record: &Record) -> Result<ValueId, Problem> {
        let op = self.declared(given);
        if !op.answers {
            return Ok(ValueId::NONE);
        }
        let answer = match &record.result {
            Datum::Absent => given.value,
            result => result,
        };
        // It may stand behind the arguments.
        let answer = match answer {
            Datum::Sequence(items) if items.len() == op.values + 1 => &items[op.values],
            other => other,
        };
        let nothing = match answer {
            Datum::Nil => true,
            Datum::Word(w) => *w == "empty",
            Datum::Text(t) => &**t == "empty",
            _ => false,
        };
        match answer {
            Datum::Absent => Err(("L0312", format!("{} has no result", op.name))),
            _ if nothing && op.may_be_empty => Ok(ValueId::EMPTY),
            Datum::Nil => {
                let message = format!("nil is no answer of {}: its pragma has no `empty if`", op.name);
                Err(("L0307", message))
            }
            Datum::Sequence(_) | Datum::Map(_) => {
                Err(("L0307", format!("{} is no answer of {}: it answers one value", shown(answer), op.name)))
            }
            value => Ok(self.intern(value)),
        }
    }
}
