//! What the fields of a record mean for a type: its method, arguments and answer.

use super::Format;
use super::record::{Datum, Record};
use super::recorder::{Problem, Recorder};
use lineal_model::adt::Kind;
use lineal_model::history::{Method, Value, ValueId};

/// The arguments and the answer that a record gives.
pub(super) struct Given<'d, 'a> {
    pub(super) key: Option<&'d Datum<'a>>,
    pub(super) value: &'d Datum<'a>,
    /// Which operation of a user's type is meant.
    pub(super) operation: u32,
}

impl Recorder<'_> {
    /// The method, and the key and value of a record with the wrapping taken off.
    pub(super) fn method<'d, 'r>(
        &mut self,
        record: &'d Record<'r>,
    ) -> Result<(Method, Given<'d, 'r>), Problem> {
        let word = record.f.word().ok_or(("L0312", "the record names no function (f)".to_string()))?;
        let mut given = Given { key: None, value: &record.value, operation: 0 };
        if !record.key.is_absent() {
            given.key = Some(&record.key);
        }
        if word == "txn" {
            return self.transaction(given);
        }
        if self.options.keyed {
            match given.value {
                Datum::Sequence(pair) if pair.len() == 2 => {
                    (given.key, given.value) = (Some(&pair[0]), &pair[1]);
                }
                // A return may leave the value out.
                Datum::Nil | Datum::Absent if record.kind.word() != Some("invoke") => {}
                other => return Err(("L0307", format!("--keyed: {} is no pair [key value]", shown(other)))),
            }
        }
        let (method, operation) = self.find(word)?;
        Ok((method, Given { operation, ..given }))
    }

    /// The method of this name; of a user's type, also which of its operations.
    pub(super) fn find(&mut self, word: &str) -> Result<(Method, u32), Problem> {
        let known = match self.words.iter().find(|(w, _)| **w == *word) {
            Some((_, method)) => *method,
            None => {
                let method = match &self.options.user {
                    Some(user) => user.find(word).map(|i| (Method::Custom, i)),
                    None => self.options.kind.method(word).map(|m| (m, 0)),
                };
                self.words.push((word.into(), method));
                method
            }
        };
        known.ok_or_else(|| {
            let message = match &self.options.user {
                Some(user) => format!("{} has no operation `{word}`", user.name),
                None => format!("a {} has no operation `{word}`", self.options.kind.word()),
            };
            ("L0305", message)
        })
    }

    /// One micro-operation of Elle: `["r", key, value]`.
    pub(super) fn transaction<'d, 'r>(
        &mut self,
        given: Given<'d, 'r>,
    ) -> Result<(Method, Given<'d, 'r>), Problem> {
        let Datum::Sequence(micro) = given.value else {
            return Err(("L0307", "a txn is a list of operations".into()));
        };
        match &micro[..] {
            [Datum::Sequence(op)] => match &op[..] {
                [f, key, value] => {
                    let word =
                        f.word().ok_or(("L0307", "an operation of a txn names no function".to_string()))?;
                    let (method, operation) = self.find(word)?;
                    Ok((method, Given { key: Some(key), value, operation }))
                }
                _ => Err(("L0307", "an operation of a txn is [f key value]".into())),
            },
            _ => {
                let message = format!(
                    "a transaction of {} operations; only single ones are operations of a map",
                    micro.len()
                );
                Err(("L0311", message))
            }
        }
    }

    pub(super) fn arguments(
        &mut self,
        method: Method,
        given: &Given,
        record: &Record,
    ) -> Result<(ValueId, ValueId), Problem> {
        if method == Method::Custom {
            return self.user_arguments(given, record);
        }
        let kind = self.options.kind;
        if kind == Kind::Map && given.key.is_none() {
            return Err(("L0312", "the record names no key".into()));
        }
        let none = ValueId::NONE;
        let value = match given.value {
            Datum::Absent | Datum::Nil if !matches!(method, Method::Write | Method::Put) => None,
            Datum::Absent => None,
            value => Some(value),
        };
        match method {
            Method::Read | Method::FetchIncrement | Method::Acquire | Method::Release | Method::Delete => {
                Ok((none, none))
            }
            Method::PopFront | Method::PopBack => Ok((none, none)),
            Method::Remove if kind != Kind::Set => Ok((none, none)),
            Method::Cas => match value {
                Some(Datum::Sequence(pair)) if pair.len() == 2 => {
                    Ok((self.intern(&pair[0]), self.intern(&pair[1])))
                }
                None => Ok((none, none)),
                // The return of one that timed out.
                Some(_) if record.kind.word() != Some("invoke") => Ok((none, none)),
                Some(other) => Err(("L0307", format!("cas takes [from to], not {}", shown(other)))),
            },
            Method::Insert if kind == Kind::PriorityQueue => {
                let (value, priority) = match (value, &record.priority) {
                    (None, _) => return Ok((none, none)),
                    (Some(Datum::Sequence(pair)), Datum::Absent) if pair.len() == 2 => (&pair[0], &pair[1]),
                    (Some(_), Datum::Absent) => {
                        return Err(("L0312", "put has no priority (prio, or value [v prio])".into()));
                    }
                    (Some(value), priority) => (value, priority),
                };
                if !matches!(priority, Datum::Int(_)) && !self.options.listed_priorities {
                    let message = format!("priority {} is no whole number", shown(priority));
                    return Err(("L0307", format!("{message}; use --order for others")));
                }
                Ok((self.intern(value), self.intern(priority)))
            }
            Method::Add => match value {
                None => Ok((none, none)),
                Some(Datum::Int(n)) => Ok((self.values().int(*n), none)),
                Some(other) => Err(("L0307", format!("add takes a whole number, not {}", shown(other)))),
            },
            // A set's answer may stand beside the element: [element answer].
            Method::Insert | Method::Remove | Method::Contains if kind == Kind::Set => match value {
                None | Some(Datum::Bool(_))
                    if record.kind.word() != Some("invoke") && record.call.is_absent() =>
                {
                    Ok((none, none))
                }
                Some(Datum::Sequence(pair)) if pair.len() == 2 => Ok((self.intern(&pair[0]), none)),
                Some(value) => Ok((self.intern(value), none)),
                None => Err(("L0312", format!("{} has no element", kind.name(method)))),
            },
            // Elements of lists are spelled as texts, so that appending is concatenation.
            Method::Append if self.format == Format::Elle => match value {
                Some(value) => {
                    let text = format!("{} ", spelled(value));
                    Ok((self.values().intern(Value::Text(text.into())), none))
                }
                None => Ok((none, none)),
            },
            _ => Ok((value.map_or(none, |v| self.intern(v)), none)),
        }
    }

    pub(super) fn answer(
        &mut self,
        method: Method,
        given: &Given,
        record: &Record,
    ) -> Result<ValueId, Problem> {
        if method == Method::Custom {
            return self.user_answer(given, record);
        }
        let kind = self.options.kind;
        if !kind.answers(method) {
            return Ok(ValueId::NONE);
        }
        let value = match &record.result {
            Datum::Absent => given.value,
            result => result,
        };
        if kind == Kind::Set {
            let answer = match value {
                Datum::Sequence(pair) if pair.len() == 2 => &pair[1],
                value => value,
            };
            return match (answer, method) {
                (Datum::Bool(b), _) => Ok(ValueId::bool(*b)),
                (_, Method::Contains) => Err(("L0312", "contains has no answer, true or false".into())),
                // Many logs do not say whether the set changed.
                _ => Ok(ValueId::NONE),
            };
        }
        if method == Method::Cas {
            return match value {
                Datum::Bool(b) => Ok(ValueId::bool(*b)),
                _ => Ok(ValueId::TRUE),
            };
        }
        if kind.may_be_empty(method) {
            let empty = match value {
                Datum::Nil => true,
                Datum::Word(w) => *w == "empty",
                Datum::Text(t) => &**t == "empty",
                _ => false,
            };
            if empty {
                return Ok(ValueId::EMPTY);
            }
        }
        match value {
            Datum::Absent => Err(("L0312", format!("{} has no result", kind.name(method)))),
            Datum::Int(n) => Ok(self.values().int(*n)),
            other if matches!(kind, Kind::Counter | Kind::FetchIncrement) => {
                Err(("L0307", format!("{} is no whole number", shown(other))))
            }
            // A removed value may come with its priority.
            Datum::Sequence(pair) if kind == Kind::PriorityQueue && pair.len() == 2 => {
                Ok(self.intern(&pair[0]))
            }
            Datum::Sequence(list) if self.format == Format::Elle => {
                if list.is_empty() {
                    return Ok(ValueId::NIL);
                }
                let text: String = list.iter().map(|d| format!("{} ", spelled(d))).collect();
                Ok(self.values().intern(Value::Text(text.into())))
            }
            value => Ok(self.intern(value)),
        }
    }

    pub(super) fn intern(&mut self, datum: &Datum) -> ValueId {
        match datum {
            Datum::Int(n) => self.values().int(*n),
            Datum::Nil => ValueId::NIL,
            other => self.values().intern(value_of(other)),
        }
    }
}

pub fn value_of(datum: &Datum) -> Value {
    match datum {
        Datum::Absent => Value::None,
        Datum::Nil => Value::Nil,
        Datum::Bool(b) => Value::Bool(*b),
        Datum::Int(n) => Value::Int(*n),
        Datum::Decimal(t) => Value::Other((*t).into()),
        Datum::Text(t) => Value::Text((**t).into()),
        Datum::Word(w) => Value::Other(format!(":{w}").into()),
        Datum::Sequence(_) | Datum::Map(_) => Value::Other(spelled(datum).into()),
    }
}

/// A value in one spelling, whatever the format.
fn spelled(datum: &Datum) -> String {
    match datum {
        Datum::Sequence(items) => {
            format!("[{}]", items.iter().map(spelled).collect::<Vec<_>>().join(" "))
        }
        Datum::Map(text) => (*text).into(),
        other => value_of(other).to_string(),
    }
}

pub fn shown(datum: &Datum) -> String {
    match datum {
        Datum::Absent => "nothing".into(),
        other => spelled(other),
    }
}
