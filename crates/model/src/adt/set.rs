//! A set: add and remove answer whether they changed it.

use super::Adt;
use crate::history::{Method, Op, ValueId, Values};
use crate::verdict::Limit;

#[derive(Clone, Debug)]
pub struct Set<'a>(pub &'a Values);

impl Adt for Set<'_> {
    /// Sorted.
    type State = Vec<ValueId>;

    fn initial(&self) -> Self::State {
        Vec::new()
    }

    fn outcomes(
        &self,
        state: &Self::State,
        op: &Op,
        mut each: impl FnMut(ValueId, Self::State),
    ) -> Result<(), Limit> {
        let found = state.binary_search(&op.arg);
        let (answer, next) = match op.method {
            Method::Insert => (found.is_err(), true),
            Method::Remove => (found.is_ok(), false),
            Method::Contains => (found.is_ok(), found.is_ok()),
            _ => return Ok(()),
        };
        if op.result != ValueId::NONE && op.result != ValueId::bool(answer) {
            return Ok(());
        }
        let mut after = state.clone();
        match (found, next) {
            (Err(i), true) => after.insert(i, op.arg),
            (Ok(i), false) => {
                after.remove(i);
            }
            _ => {}
        }
        each(ValueId::bool(answer), after);
        Ok(())
    }

    fn is_read(&self, op: &Op) -> bool {
        op.method == Method::Contains || op.result == ValueId::FALSE
    }

    fn show(&self, state: &Self::State) -> String {
        let items: Vec<String> = state.iter().map(|v| self.0.show(*v)).collect();
        format!("{{{}}}", items.join(" "))
    }

    fn bytes(&self, state: &Self::State) -> usize {
        24 + size_of_val(&state[..])
    }
}
