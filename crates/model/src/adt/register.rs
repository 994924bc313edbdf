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

    fn outcomes(
        &self,
        state: &ValueId,
        op: &Op,
        mut each: impl FnMut(ValueId, ValueId),
    ) -> Result<(), Limit> {
        let wanted = |answer: ValueId| op.result == ValueId::NONE || op.result == answer;
        match op.method {
            Method::Read if wanted(*state) => each(*state, *state),
            Method::Write => each(ValueId::NONE, op.arg),
            Method::Cas => {
                let hit = *state == op.arg;
                if wanted(ValueId::bool(hit)) {
                    each(ValueId::bool(hit), if hit { op.extra } else { *state });
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
