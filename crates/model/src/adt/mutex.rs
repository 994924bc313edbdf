//! A lock that belongs to the process that acquired it and is not reentrant.

use super::Adt;
use crate::history::{Method, Op, ValueId, Values};
use crate::verdict::Limit;

#[derive(Clone, Debug)]
pub struct Mutex<'a>(pub &'a Values);

impl Adt for Mutex<'_> {
    /// The owner.
    type State = Option<ValueId>;

    fn initial(&self) -> Self::State {
        None
    }

    fn outcomes(
        &self,
        state: &Self::State,
        op: &Op,
        mut each: impl FnMut(ValueId, Self::State),
    ) -> Result<(), Limit> {
        match op.method {
            Method::Acquire if state.is_none() => each(ValueId::NONE, Some(op.process)),
            Method::Release if *state == Some(op.process) => each(ValueId::NONE, None),
            _ => {}
        }
        Ok(())
    }

    fn is_read(&self, _: &Op) -> bool {
        false
    }

    fn knows_caller(&self, _op: &Op) -> bool {
        true
    }

    fn show(&self, state: &Self::State) -> String {
        state.map_or("free".into(), |owner| format!("held by process {}", self.0.show(owner)))
    }
}
