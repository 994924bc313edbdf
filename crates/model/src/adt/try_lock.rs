//! A lock that may be refused: `acquire` answers whether it got it. `release` of a lock that is not
//! held is no legal call, whoever makes it.

use super::Adt;
use crate::history::{Method, Op, ValueId};
use crate::verdict::Limit;

#[derive(Clone, Copy, Debug)]
pub struct TryLock;

impl Adt for TryLock {
    type State = bool;

    fn initial(&self) -> bool {
        false
    }

    fn outcomes(&self, held: &bool, op: &Op, mut each: impl FnMut(ValueId, bool)) -> Result<(), Limit> {
        let got = ValueId::bool(!held);
        match op.method {
            Method::Acquire if op.result == ValueId::NONE || op.result == got => each(got, true),
            Method::Release if *held => each(ValueId::NONE, false),
            _ => {}
        }
        Ok(())
    }

    fn is_read(&self, op: &Op) -> bool {
        op.result == ValueId::FALSE
    }

    fn show(&self, held: &bool) -> String {
        if *held { "held".into() } else { "free".into() }
    }
}
