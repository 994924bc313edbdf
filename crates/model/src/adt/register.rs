//! A register that is read, written, and compared-and-swapped.

use super::Adt;
use crate::history::{Method, Op, ValueId, Values};
use crate::verdict::Limit;

#[derive(Clone, Debug)]
pub struct Register<'a> {
    pub init: ValueId,
    pub values: &'a Values,
}

impl Adt for Register<'_> {
    type State = ValueId;

    fn initial(&self) -> ValueId {
        self.init
    }

    fn step(&self, state: &ValueId, op: &Op, out: &mut Vec<ValueId>) -> Result<(), Limit> {
        let answer = op.result;
        match op.method {
            Method::Read if answer == ValueId::NONE || answer == *state => out.push(*state),
            Method::Write => out.push(op.arg),
            Method::Cas => {
                let hit = *state == op.arg;
                if answer == ValueId::NONE || answer == ValueId::bool(hit) {
                    out.push(if hit { op.extra } else { *state });
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn is_read(&self, op: &Op) -> bool {
        op.method == Method::Read || (op.method == Method::Cas && op.result == ValueId::FALSE)
    }

    fn allows(&self, state: &ValueId, op: &Op) -> Result<bool, Limit> {
        Ok(match op.method {
            Method::Read => op.result == ValueId::NONE || op.result == *state,
            _ => *state != op.arg,
        })
    }

    fn show(&self, state: &ValueId) -> String {
        self.values.show(*state)
    }
}
