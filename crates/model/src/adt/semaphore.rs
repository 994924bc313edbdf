//! A counting semaphore of C objects: permits, taken by whoever waits, given by anyone.

use super::Adt;
use super::counter::each_number;
use crate::history::{Method, Op, ValueId, Values};
use crate::verdict::Limit;

#[derive(Clone, Debug)]
pub struct Semaphore<'a> {
    /// Permits at the beginning.
    pub start: u32,
    pub values: &'a Values,
}

impl Adt for Semaphore<'_> {
    type State = u32;

    fn initial(&self) -> u32 {
        self.start
    }

    fn outcomes(&self, left: &u32, op: &Op, mut each: impl FnMut(ValueId, u32)) -> Result<(), Limit> {
        let got = ValueId::bool(*left > 0);
        match op.method {
            Method::Acquire if op.result == ValueId::NONE || op.result == got => {
                each(got, left.saturating_sub(1));
            }
            Method::Release => left.checked_add(1).into_iter().for_each(|n| each(ValueId::NONE, n)),
            Method::Read => each_number(self.values, i64::from(*left), op.result, |n| each(n, *left)),
            _ => {}
        }
        Ok(())
    }

    fn is_read(&self, op: &Op) -> bool {
        op.method == Method::Read || op.result == ValueId::FALSE
    }

    fn show(&self, left: &u32) -> String {
        format!("{left} left")
    }
}
