//! Whole operations, one a line: call, answer and both times in one record.

use super::FailedCas;
use super::record::{Datum, Record};
use super::recorder::{Problem, Recorder, Sink};
use super::takes::is_empty_word;
use super::value::shown;
use lineal_model::Knob;
use lineal_model::adt::Kind;
use lineal_model::history::{Call, Method, TimedBuilder, ValueId};

impl Recorder<'_> {
    /// One operation on one line.
    pub(super) fn operation(&mut self, record: &Record) -> Result<(), Problem> {
        let process = self.intern(&record.process);
        let (method, given) = self.method(record)?;
        if let Some(other) = record.kind.word().filter(|w| !["ok", "fail", "info"].contains(w)) {
            return Err((
                "L0312",
                format!("`{other}` is none of ok, fail, info, and this is a whole operation"),
            ));
        }
        let from = self.stamp(&record.call)?;
        let pending = matches!(record.ret, Datum::Nil | Datum::Absent) || record.kind.word() == Some("info");
        let to = if pending { TimedBuilder::PENDING } else { self.stamp(&record.ret)? };
        if to < from {
            return Err(("L0306", format!("the operation returns at {to}, before its call at {from}")));
        }
        let failed = record.kind.word() == Some("fail");
        if pending && !record.result.is_nothing() {
            let message =
                format!("the operation never returned, yet it has the result {}", shown(&record.result));
            return Err(("L0307", message));
        }
        let (mut arg, mut extra) = match pending || failed || method == Method::Custom {
            true => self.arguments(method, &given, record)?,
            false if self.options.kind == Kind::Map && given.key.is_none() => {
                return Err(("L0312", "the record names no key".into()));
            }
            // They are read with the answer, from which they have to be told.
            false => (ValueId::NONE, ValueId::NONE),
        };
        let result = match (pending, failed) {
            (true, _) => {
                if self.foretold(method, &given, record)? != ValueId::NONE {
                    let message =
                        format!("the operation never returned, yet it answers {}", shown(given.value));
                    return Err(("L0307", message));
                }
                ValueId::NONE
            }
            (false, true) => {
                let found_nothing = given.value.is_nothing() || is_empty_word(given.value);
                match (method, self.failed_cas) {
                    (Method::Cas, FailedCas::Result) => {
                        self.tally.failed_cas += 1;
                        ValueId::FALSE
                    }
                    (Method::Cas, FailedCas::Drop) => {
                        self.tally.failed_cas += 1;
                        return Ok(());
                    }
                    _ if self.options.fail_is_empty
                        && found_nothing
                        && self.may_be_empty(method, given.operation) =>
                    {
                        ValueId::EMPTY
                    }
                    _ => {
                        self.tally.failed += 1;
                        return Ok(());
                    }
                }
            }
            (false, false) => {
                let said = self.said(method, &given, record, None)?;
                if method != Method::Custom {
                    (arg, extra) = (said.arg, said.extra);
                }
                said.result
            }
        };
        if arg == ValueId::NONE && self.needs_argument(method) {
            return Err(("L0312", format!("{} has no argument", self.name(method, given.operation))));
        }
        let key = given.key.map_or(ValueId::NONE, |k| self.intern(k));
        let line = record.line;
        let call = Call { method, process, key, arg, extra, line };
        self.by_time(line)?.push(call, result, (from, to));
        Ok(())
    }

    /// Operations that carry both times are ordered by them, once nothing else was logged.
    fn by_time(&mut self, line: u32) -> Result<&mut TimedBuilder, Problem> {
        if let Sink::PassedOn { .. } = self.sink {
            let stream = self.flag(Knob::Stream);
            return Err(("L0322", format!("{stream} needs events in order, not whole operations")));
        }
        if let Sink::InOrder { builder, .. } = &mut self.sink {
            if !builder.is_empty() {
                return Err(("L0312", format!("line {line} is a whole operation, earlier lines are events")));
            }
            let values = std::mem::take(&mut builder.values);
            self.sink = Sink::ByTime(TimedBuilder::with(values));
        }
        match &mut self.sink {
            Sink::ByTime(builder) => Ok(builder),
            _ => unreachable!("replaced above"),
        }
    }
}
