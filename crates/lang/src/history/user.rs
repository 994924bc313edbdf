//! What the fields of a record mean for a type of the user's own: the pragmas say how many values
//! an operation takes, whether it has a key, and whether it answers.

use super::answers::{NOTHING, Said, one_of};
use super::record::{Datum, Record};
use super::recorder::{Problem, Recorder};
use super::value::{Given, shown, value_of};
use lineal_model::Knob;
use lineal_model::adt::user::Operation;
use lineal_model::history::{Call, Method, Value, ValueId};

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
            None => format!("{} {} knows {}", self.flag(Knob::Type), kind.word(), kind.words()),
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
            (0, _) if none || !record.ret.is_nothing() => Ok((ValueId::NONE, name)),
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

    /// What a return says. Arguments come with the call; there they may be repeated.
    pub(super) fn user_said(
        &mut self,
        given: &Given,
        record: &Record,
        call: Option<&Call>,
    ) -> Result<Said, Problem> {
        let op = self.declared(given);
        let (value, result) = (given.value, &record.result);
        let again = call.is_some_and(|call| self.user_echo(&op, value, call.arg));
        // On one line with its arguments, the answer has a place of its own.
        let arguments = again || (call.is_none() && op.values > 0);
        if !op.answers {
            let silent =
                |d: &Datum| d.is_nothing() || d.word() == Some("ok") || matches!(d, Datum::Bool(true));
            return match [value, result].into_iter().zip([arguments, false]).find(|(d, a)| !a && !silent(d)) {
                None => Ok(NOTHING),
                Some((d, _)) => {
                    let message = format!("{} is no answer of {}, which answers nothing", shown(d), op.name);
                    Err(("L0307", message))
                }
            };
        }
        let answer = match (value, result) {
            // It may stand behind the arguments.
            (Datum::Sequence(items), Datum::Absent) if call.is_some() && items.len() == op.values + 1 => {
                let same = self.user_echo(&op, &Datum::Sequence(items[..op.values].to_vec()), arg_of(call));
                let first = op.values == 1 && self.user_echo(&op, &items[0], arg_of(call));
                if op.values > 0 && !same && !first {
                    let message =
                        format!("{} is neither the arguments nor an answer of {}", shown(value), op.name);
                    return Err(("L0307", message));
                }
                &items[op.values]
            }
            (_, Datum::Absent) if call.is_none() && op.values > 0 => &Datum::Absent,
            (_, result) if arguments && !result.is_absent() => result,
            (value, result) => one_of(value, result)?,
        };
        let nothing = matches!(answer, Datum::Nil) || answer.word() == Some("empty");
        let result = match answer {
            Datum::Absent => Err(("L0312", format!("{} has no result", op.name))),
            _ if nothing && op.may_be_empty => Ok(ValueId::EMPTY),
            Datum::Nil => {
                let message = format!("nil is no answer of {}: its pragma has no `empty if`", op.name);
                Err(("L0307", message))
            }
            Datum::Sequence(_) | Datum::Made(Value::List(_) | Value::Set(_) | Value::Map(_)) => {
                Err(("L0307", format!("{} is no answer of {}: it answers one value", shown(answer), op.name)))
            }
            value => Ok(self.intern(value)),
        }?;
        Ok(Said { result, ..NOTHING })
    }

    /// Whether a value is the arguments of the call again.
    fn user_echo(&mut self, op: &Operation, value: &Datum, arg: ValueId) -> bool {
        match (op.values, value) {
            (0, _) => false,
            (1, value) => self.intern(value) == arg,
            (n, Datum::Sequence(items)) if items.len() == n => {
                self.list(items.iter().map(value_of).collect()) == arg
            }
            // A priority need not be said again.
            (2, value) if op.priority => match self.values().value(arg) {
                Value::List(pair) => pair.first() == Some(&value_of(value)),
                _ => false,
            },
            _ => false,
        }
    }
}

fn arg_of(call: Option<&Call>) -> ValueId {
    call.map_or(ValueId::NONE, |call| call.arg)
}
