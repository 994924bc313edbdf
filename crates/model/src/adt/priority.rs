//! A priority queue over a partially ordered set of priorities.
//!
//! A value may leave when no value in the queue has a priority that goes before its own and,
//! with ties first-in-first-out, no value of the same priority entered earlier.

use super::Adt;
use super::order::{Ranks, Ties};
use crate::history::{Method, Op, ValueId, Values};
use crate::verdict::Limit;

#[derive(Clone, Debug)]
pub struct PriorityQueue<'a> {
    pub ranks: Ranks,
    pub ties: Ties,
    /// Only so many fit in: adding answers true, or *empty* where there is no room.
    pub capacity: Option<usize>,
    pub values: &'a Values,
}

/// A value with the rank of its priority.
type Entry = (u32, ValueId);

impl PriorityQueue<'_> {
    fn may_leave(&self, state: &[Entry], i: usize) -> bool {
        let rank = state[i].0;
        let blocked = state.iter().any(|e| self.ranks.before(e.0, rank));
        let overtaken = self.ties == Ties::Fifo && state[..i].iter().any(|e| e.0 == rank);
        !blocked && !overtaken
    }
}

impl Adt for PriorityQueue<'_> {
    /// By rank; within a rank by age (fifo) or by value (any).
    type State = Vec<Entry>;

    fn initial(&self) -> Self::State {
        Vec::new()
    }

    fn outcomes(
        &self,
        state: &Self::State,
        op: &Op,
        mut each: impl FnMut(ValueId, Self::State),
    ) -> Result<(), Limit> {
        match op.method {
            Method::Insert => {
                let told = match self.capacity {
                    None => ValueId::NONE,
                    Some(most) if state.len() < most => ValueId::TRUE,
                    Some(_) => ValueId::EMPTY,
                };
                if self.capacity.is_some() && op.result != ValueId::NONE && op.result != told {
                    return Ok(());
                }
                if told == ValueId::EMPTY {
                    each(told, state.clone());
                    return Ok(());
                }
                let entry = (self.ranks.of(op.extra), op.arg);
                let place = match self.ties {
                    Ties::Fifo => state.partition_point(|e| e.0 <= entry.0),
                    Ties::Any => state.partition_point(|e| *e <= entry),
                };
                let mut next = state.clone();
                next.insert(place, entry);
                each(told, next);
            }
            Method::Remove => {
                if state.is_empty() && matches!(op.result, ValueId::EMPTY | ValueId::NONE) {
                    each(ValueId::EMPTY, Vec::new());
                }
                for i in 0..state.len() {
                    let repeated = i > 0 && state[i] == state[i - 1];
                    let named = op.result == ValueId::NONE || op.result == state[i].1;
                    let ranked = op.extra == ValueId::NONE || self.ranks.of(op.extra) == state[i].0;
                    if named && ranked && !repeated && self.may_leave(state, i) {
                        let mut next = state.clone();
                        next.remove(i);
                        each(state[i].1, next);
                    }
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn is_read(&self, op: &Op) -> bool {
        op.result == ValueId::EMPTY
    }

    fn show(&self, state: &Self::State) -> String {
        let items: Vec<String> = state.iter().map(|e| self.values.show(e.1)).collect();
        format!("[{}]", items.join(" "))
    }

    fn bytes(&self, state: &Self::State) -> usize {
        24 + size_of_val(&state[..])
    }
}
