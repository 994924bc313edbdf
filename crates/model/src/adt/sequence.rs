//! Containers without priorities: queue, stack, deque, bag. Removing from an empty one answers
//! *empty*.

use super::Adt;
use crate::history::{Method, Op, ValueId, Values};
use crate::verdict::Limit;

/// Elements in a row: the front first. A bag's are sorted, since any of them may leave next.
#[derive(Clone, Debug)]
pub struct Sequence<'a> {
    pub discipline: Discipline,
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

    fn step(&self, state: &Self::State, op: &Op, out: &mut Vec<Self::State>) -> Result<(), Limit> {
        use Discipline::*;
        match (self.discipline, op.method) {
            (Queue | Stack, Method::Insert) => out.push(push(state, op.arg, End::Back)),
            (Queue, Method::Remove) => out.extend(pop(state, op.result, End::Front)),
            (Stack, Method::Remove) => out.extend(pop(state, op.result, End::Back)),
            (Deque, Method::PushFront) => out.push(push(state, op.arg, End::Front)),
            (Deque, Method::PushBack) => out.push(push(state, op.arg, End::Back)),
            (Deque, Method::PopFront) => out.extend(pop(state, op.result, End::Front)),
            (Deque, Method::PopBack) => out.extend(pop(state, op.result, End::Back)),
            (Bag, Method::Insert) => {
                let mut next = state.clone();
                next.insert(state.partition_point(|v| *v < op.arg), op.arg);
                out.push(next);
            }
            (Bag, Method::Remove) => take(state, op.result, out),
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

/// The state after removing at this end, if that may answer `answer`.
fn pop(state: &[ValueId], answer: ValueId, end: End) -> Option<Vec<ValueId>> {
    let (there, rest) = match end {
        End::Front => state.split_first(),
        End::Back => state.split_last(),
    }
    .map_or((ValueId::EMPTY, &[][..]), |(v, rest)| (*v, rest));
    (answer == ValueId::NONE || answer == there).then(|| rest.to_vec())
}

/// Every state in which a bag may be left by a remove that answers `answer`.
fn take(state: &[ValueId], answer: ValueId, out: &mut Vec<Vec<ValueId>>) {
    match answer {
        ValueId::EMPTY | ValueId::NONE if state.is_empty() => out.push(Vec::new()),
        ValueId::EMPTY => {}
        ValueId::NONE => {
            let first = |i: &usize| *i == 0 || state[*i] != state[*i - 1];
            out.extend((0..state.len()).filter(first).map(|i| without(state, i)));
        }
        value => out.extend(state.binary_search(&value).map(|i| without(state, i))),
    }
}

fn without(state: &[ValueId], i: usize) -> Vec<ValueId> {
    let mut next = state.to_vec();
    next.remove(i);
    next
}
