//! Numbers that go up: a counter with separate reads, and fetch-and-increment.

use super::Adt;
use crate::history::{Method, Op, Value, ValueId, Values};
use crate::verdict::Limit;

#[derive(Clone, Debug)]
pub struct Counter<'a> {
    pub init: i64,
    pub values: &'a Values,
}

#[derive(Clone, Debug)]
pub struct FetchIncrement<'a> {
    pub init: i64,
    pub values: &'a Values,
}

impl Counter<'_> {
    fn added(&self, op: &Op) -> i64 {
        let by = self.values.as_int(op.arg).unwrap_or(1);
        if op.method == Method::Subtract { by.saturating_neg() } else { by }
    }
}

impl Adt for Counter<'_> {
    type State = i64;

    fn initial(&self) -> i64 {
        self.init
    }

    fn outcomes(&self, state: &i64, op: &Op, mut each: impl FnMut(ValueId, i64)) -> Result<(), Limit> {
        match op.method {
            Method::Read => each_number(self.values, *state, op.result, |answer| each(answer, *state)),
            // An add without an argument adds one. What it answers, if it does, was there before.
            Method::Add | Method::Subtract => {
                let Some(sum) = state.checked_add(self.added(op)) else { return Ok(()) };
                match op.result {
                    ValueId::NONE => each(ValueId::NONE, sum),
                    _ => each_number(self.values, *state, op.result, |answer| each(answer, sum)),
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn is_read(&self, op: &Op) -> bool {
        op.method == Method::Read
    }

    /// Where everybody adds, what was passed does not come back.
    fn is_beyond(&self, state: &i64, wanted: &[Op], calls: &[Op]) -> bool {
        let adds = |op: &&Op| matches!(op.method, Method::Add | Method::Subtract);
        let mut adds = calls.iter().filter(adds).map(|op| self.added(op));
        let up = adds.clone().all(|n| n >= 0);
        let down = adds.all(|n| n <= 0);
        let reads = || {
            wanted
                .iter()
                .filter(|op| op.result != ValueId::NONE)
                .filter_map(|op| self.values.as_int(op.result))
        };
        up && reads().any(|n| n < *state) || down && reads().any(|n| n > *state)
    }

    fn show(&self, state: &i64) -> String {
        state.to_string()
    }
}

impl Adt for FetchIncrement<'_> {
    type State = i64;

    fn initial(&self) -> i64 {
        self.init
    }

    fn outcomes(&self, state: &i64, op: &Op, mut each: impl FnMut(ValueId, i64)) -> Result<(), Limit> {
        let Some(next) = state.checked_add(1) else { return Ok(()) };
        each_number(self.values, *state, op.result, |answer| each(answer, next));
        Ok(())
    }

    fn is_read(&self, _: &Op) -> bool {
        false
    }

    fn is_beyond(&self, state: &i64, wanted: &[Op], _: &[Op]) -> bool {
        wanted.iter().filter_map(|op| self.values.as_int(op.result)).any(|n| n < *state)
    }

    fn show(&self, state: &i64) -> String {
        state.to_string()
    }
}

/// The answer that says `number`, if it is `wanted`.
pub(super) fn each_number(values: &Values, number: i64, wanted: ValueId, each: impl FnOnce(ValueId)) {
    match wanted {
        ValueId::NONE => each(values.find(&Value::Int(number)).unwrap_or(ValueId::UNHEARD)),
        _ if values.as_int(wanted) == Some(number) => each(wanted),
        _ => {}
    }
}
