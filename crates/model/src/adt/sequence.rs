//! Containers without priorities: queue, stack, deque, bag. Removing from an empty one answers
//! *empty*.

use super::Adt;
use crate::history::{Method, Op, ValueId, Values};
use crate::verdict::Limit;

/// Elements in a row: the front first. A bag's are sorted, since any of them may leave next.
#[derive(Clone, Debug)]
pub struct Sequence<'a> {
    pub discipline: Discipline,
    /// Only so many fit in: adding answers true, or *empty* where there is no room.
    pub capacity: Option<usize>,
    pub values: &'a Values,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Discipline {
    /// In at the back, out at the front.
    Queue,
    /// In and out at the back.
    Stack,
    /// In and out at both ends.
    Deque,
    /// Out anywhere.
    Bag,
}

enum End {
    Front,
    Back,
}

impl Adt for Sequence<'_> {
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
        use Discipline::*;
        let adds = matches!(op.method, Method::Insert | Method::PushFront | Method::PushBack);
        let told = match self.capacity {
            Some(most) if adds => {
                let told = if state.len() < most { ValueId::TRUE } else { ValueId::EMPTY };
                if op.result != ValueId::NONE && op.result != told {
                    return Ok(());
                }
                if told == ValueId::EMPTY {
                    each(told, state.clone());
                    return Ok(());
                }
                told
            }
            _ => ValueId::NONE,
        };
        match (self.discipline, op.method) {
            (Queue | Stack, Method::Insert) => each(told, push(state, op.arg, End::Back)),
            (Queue, Method::Remove) => pop(state, op.result, End::Front, each),
            (Stack, Method::Remove) => pop(state, op.result, End::Back, each),
            (Deque, Method::PushFront) => each(told, push(state, op.arg, End::Front)),
            (Deque, Method::PushBack) => each(told, push(state, op.arg, End::Back)),
            (Deque, Method::PopFront) => pop(state, op.result, End::Front, each),
            (Deque, Method::PopBack) => pop(state, op.result, End::Back, each),
            (Bag, Method::Insert) => {
                let mut next = state.clone();
                next.insert(state.partition_point(|v| *v < op.arg), op.arg);
                each(told, next);
            }
            (Bag, Method::Remove) => take(state, op.result, each),
            _ => {}
        }
        Ok(())
    }

    fn is_read(&self, op: &Op) -> bool {
        op.result == ValueId::EMPTY
    }

    fn show(&self, state: &Self::State) -> String {
        let items: Vec<String> = state.iter().map(|v| self.values.show(*v)).collect();
        format!("[{}]", items.join(" "))
    }

    fn bytes(&self, state: &Self::State) -> usize {
        24 + size_of_val(&state[..])
    }
}

fn push(state: &[ValueId], value: ValueId, end: End) -> Vec<ValueId> {
    let mut next = Vec::with_capacity(state.len() + 1);
    match end {
        End::Front => {
            next.push(value);
            next.extend_from_slice(state);
        }
        End::Back => {
            next.extend_from_slice(state);
            next.push(value);
        }
    }
    next
}

/// What removing at this end answers and leaves, if that may be `wanted`.
fn pop(state: &[ValueId], wanted: ValueId, end: End, mut each: impl FnMut(ValueId, Vec<ValueId>)) {
    let (there, rest) = match end {
        End::Front => state.split_first(),
        End::Back => state.split_last(),
    }
    .map_or((ValueId::EMPTY, &[][..]), |(v, rest)| (*v, rest));
    if wanted == ValueId::NONE || wanted == there {
        each(there, rest.to_vec());
    }
}

/// Every element that may leave a bag, if that may be `wanted`, and what it leaves.
fn take(state: &[ValueId], wanted: ValueId, mut each: impl FnMut(ValueId, Vec<ValueId>)) {
    match wanted {
        ValueId::EMPTY | ValueId::NONE if state.is_empty() => each(ValueId::EMPTY, Vec::new()),
        ValueId::EMPTY => {}
        ValueId::NONE => {
            let first = |i: &usize| *i == 0 || state[*i] != state[*i - 1];
            (0..state.len()).filter(first).for_each(|i| each(state[i], without(state, i)));
        }
        value => state.binary_search(&value).into_iter().for_each(|i| each(value, without(state, i))),
    }
}

fn without(state: &[ValueId], i: usize) -> Vec<ValueId> {
    let mut next = state.to_vec();
    next.remove(i);
    next
}
