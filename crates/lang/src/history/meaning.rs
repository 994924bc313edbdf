//! What the fields of a record mean for a type: its method and its key. What was called with, and
//! what came back, is for [`super::arguments`] and [`super::answers`] to find in the value.

use super::record::{Datum, Record};
use super::recorder::{Problem, Recorder};
use super::value::{Given, shown, value_of};
use lineal_model::Knob;
use lineal_model::history::{Method, ValueId};

impl Recorder<'_> {
    /// The method, and the key and value of a record with the wrapping taken off.
    pub(super) fn method<'d, 'r>(
        &mut self,
        record: &'d Record<'r>,
    ) -> Result<(Method, Given<'d, 'r>), Problem> {
        let word = record.f.word().ok_or(("L0312", "the record names no function (f)".to_string()))?;
        let mut given = Given { key: None, value: &record.value, operation: 0, listed: false };
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
                other => {
                    let keyed = self.flag(Knob::Keyed);
                    return Err(("L0307", format!("{keyed}: {} is no pair [key value]", shown(other))));
                }
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
                    Ok((method, Given { key: Some(key), value, operation, listed: true }))
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

    pub(super) fn intern(&mut self, datum: &Datum) -> ValueId {
        match datum {
            Datum::Int(n) => self.values().int(*n),
            Datum::Nil => ValueId::NIL,
            Datum::Absent => ValueId::NONE,
            other => self.values().intern(value_of(other)),
        }
    }
}
