//! Abstract types that only C objects have: a lock that may be refused, and a map of numbers.

use lineal_model::Limit;
use lineal_model::adt::Adt;
use lineal_model::history::{Method, Op, ValueId};

/// `acquire` answers whether it got the lock; `release` of a lock that is not held is no legal
/// call, whoever makes it.
#[derive(Clone, Copy, Debug)]
pub struct TryLock;

impl Adt for TryLock {
    type State = bool;

    fn initial(&self) -> bool {
        false
    }

    fn step(&self, held: &bool, op: &Op, out: &mut Vec<bool>) -> Result<(), Limit> {
        match op.method {
            Method::Acquire if op.result == ValueId::bool(!held) => out.push(true),
            Method::Release if *held => out.push(false),
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

/// `put` answers nothing, `get` the value or empty, `remove` and `contains` whether it was there.
#[derive(Clone, Copy, Debug)]
pub struct Dictionary;

impl Adt for Dictionary {
    /// Sorted by key.
    type State = Vec<(ValueId, ValueId)>;

    fn initial(&self) -> Self::State {
        Vec::new()
    }

    fn step(&self, state: &Self::State, op: &Op, out: &mut Vec<Self::State>) -> Result<(), Limit> {
        let found = state.binary_search_by_key(&op.key, |e| e.0);
        let mut next = state.clone();
        let answer = match op.method {
            Method::Put => {
                match found {
                    Ok(i) => next[i].1 = op.arg,
                    Err(i) => next.insert(i, (op.key, op.arg)),
                }
                op.result
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
            out.push(next);
        }
        Ok(())
    }

    fn is_read(&self, op: &Op) -> bool {
        matches!(op.method, Method::Read | Method::Contains) || op.result == ValueId::FALSE
    }

    fn show(&self, state: &Self::State) -> String {
        let items: Vec<String> = state.iter().map(|(k, v)| format!("{k:?}: {v:?}")).collect();
        format!("{{{}}}", items.join(", "))
    }
}
