//! Numbers that go up: a counter with separate reads, and fetch-and-increment.

use super::Adt;
use crate::history::{Method, Op, ValueId, Values};
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

impl Adt for Counter<'_> {
    type State = i64;

    fn initial(&self) -> i64 {
        self.init
    }

    fn step(&self, state: &i64, op: &Op, out: &mut Vec<i64>) -> Result<(), Limit> {
        match op.method {
            Method::Read if op.result == ValueId::NONE || self.values.as_int(op.result) == Some(*state) => {
                out.push(*state);
            }
            // An add without an argument adds one.
            Method::Add => out.extend(state.checked_add(self.values.as_int(op.arg).unwrap_or(1))),
            _ => {}
        }
        Ok(())
    }

    fn is_read(&self, op: &Op) -> bool {
        op.method == Method::Read
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

    fn step(&self, state: &i64, op: &Op, out: &mut Vec<i64>) -> Result<(), Limit> {
        if op.result == ValueId::NONE || self.values.as_int(op.result) == Some(*state) {
            out.extend(state.checked_add(1));
        }
        Ok(())
    }

    fn is_read(&self, _: &Op) -> bool {
        false
    }

    fn show(&self, state: &i64) -> String {
        state.to_string()
    }
}
