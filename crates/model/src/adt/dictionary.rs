//! A map of numbers. `put` answers nothing, `get` the value or *empty*, `remove` and `contains`
//! whether the key was there.

use super::Adt;
use crate::history::{Method, Op, ValueId, Values};
use crate::verdict::Limit;

#[derive(Clone, Copy, Debug)]
pub struct Dictionary<'a>(pub &'a Values);

impl Adt for Dictionary<'_> {
    /// Sorted by key.
    type State = Vec<(ValueId, ValueId)>;

    fn initial(&self) -> Self::State {
        Vec::new()
    }

    fn outcomes(
        &self,
        state: &Self::State,
        op: &Op,
        mut each: impl FnMut(ValueId, Self::State),
    ) -> Result<(), Limit> {
        let found = state.binary_search_by_key(&op.key, |e| e.0);
        let mut next = state.clone();
        let answer = match op.method {
            Method::Put => {
                match found {
                    Ok(i) => next[i].1 = op.arg,
                    Err(i) => next.insert(i, (op.key, op.arg)),
                }
                ValueId::NONE
            }
            Method::Read => found.map_or(ValueId::EMPTY, |i| state[i].1),
            Method::Remove => {
                if let Ok(i) = found {
                    next.remove(i);
                }
                ValueId::bool(found.is_ok())
            }
            Method::Contains => ValueId::bool(found.is_ok()),
            _ => return Ok(()),
        };
        if op.result == ValueId::NONE || op.result == answer {
            each(answer, next);
        }
        Ok(())
    }

    fn is_read(&self, op: &Op) -> bool {
        matches!(op.method, Method::Read | Method::Contains) || op.result == ValueId::FALSE
    }

    fn show(&self, state: &Self::State) -> String {
        let items: Vec<String> =
            state.iter().map(|(k, v)| format!("{}: {}", self.0.show(*k), self.0.show(*v))).collect();
        format!("{{{}}}", items.join(", "))
    }
}
