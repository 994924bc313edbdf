//! Containers without priorities: queue, stack, deque, bag. Removing from an empty one answers
//! *empty*.

use super::Adt;
use crate::history::{Method, Op, ValueId, Values};
use crate::verdict::Limit;

/// Oldest first.
#[derive(Clone, Debug)]
pub struct Queue<'a>(pub &'a Values);
/// Youngest last.
#[derive(Clone, Debug)]
pub struct Stack<'a>(pub &'a Values);
/// Front first.
#[derive(Clone, Debug)]
pub struct Deque<'a>(pub &'a Values);
/// A multiset, kept sorted: any element may be removed.
#[derive(Clone, Debug)]
pub struct Bag<'a>(pub &'a Values);

enum End {
    Front,
    Back,
}

impl Adt for Queue<'_> {
    type State = Vec<ValueId>;

    fn initial(&self) -> Self::State {
        Vec::new()
    }

    fn step(&self, state: &Self::State, op: &Op, out: &mut Vec<Self::State>) -> Result<(), Limit> {
        match op.method {
            Method::Insert => out.push(push(state, op.arg, End::Back)),
            Method::Remove => out.extend(pop(state, op.result, End::Front)),
            _ => {}
        }
        Ok(())
    }

    fn is_read(&self, op: &Op) -> bool {
        op.result == ValueId::EMPTY
    }

    fn show(&self, state: &Self::State) -> String {
        show(state, self.0)
    }

    fn bytes(&self, state: &Self::State) -> usize {
        bytes(state)
    }
}

impl Adt for Stack<'_> {
    type State = Vec<ValueId>;

    fn initial(&self) -> Self::State {
        Vec::new()
    }

    fn step(&self, state: &Self::State, op: &Op, out: &mut Vec<Self::State>) -> Result<(), Limit> {
        match op.method {
            Method::Insert => out.push(push(state, op.arg, End::Back)),
            Method::Remove => out.extend(pop(state, op.result, End::Back)),
            _ => {}
        }
        Ok(())
    }

    fn is_read(&self, op: &Op) -> bool {
        op.result == ValueId::EMPTY
    }

    fn show(&self, state: &Self::State) -> String {
        show(state, self.0)
    }

    fn bytes(&self, state: &Self::State) -> usize {
        bytes(state)
    }
}

impl Adt for Deque<'_> {
    type State = Vec<ValueId>;

    fn initial(&self) -> Self::State {
        Vec::new()
    }

    fn step(&self, state: &Self::State, op: &Op, out: &mut Vec<Self::State>) -> Result<(), Limit> {
        match op.method {
            Method::PushFront => out.push(push(state, op.arg, End::Front)),
            Method::PushBack => out.push(push(state, op.arg, End::Back)),
            Method::PopFront => out.extend(pop(state, op.result, End::Front)),
            Method::PopBack => out.extend(pop(state, op.result, End::Back)),
            _ => {}
        }
        Ok(())
    }

    fn is_read(&self, op: &Op) -> bool {
        op.result == ValueId::EMPTY
    }

    fn show(&self, state: &Self::State) -> String {
        show(state, self.0)
    }

    fn bytes(&self, state: &Self::State) -> usize {
        bytes(state)
    }
}

impl Adt for Bag<'_> {
    type State = Vec<ValueId>;

    fn initial(&self) -> Self::State {
        Vec::new()
    }

    fn step(&self, state: &Self::State, op: &Op, out: &mut Vec<Self::State>) -> Result<(), Limit> {
        match (op.method, op.result) {
            (Method::Insert, _) => {
                let mut next = state.clone();
                next.insert(state.partition_point(|v| *v < op.arg), op.arg);
                out.push(next);
            }
            (Method::Remove, ValueId::EMPTY) if state.is_empty() => out.push(Vec::new()),
            (Method::Remove, ValueId::NONE) => {
                if state.is_empty() {
                    out.push(Vec::new());
                }
                for i in 0..state.len() {
                    if i == 0 || state[i] != state[i - 1] {
                        out.push(without(state, i));
                    }
                }
            }
            (Method::Remove, value) => {
                if let Ok(i) = state.binary_search(&value) {
                    out.push(without(state, i));
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
        show(state, self.0)
    }

    fn bytes(&self, state: &Self::State) -> usize {
        bytes(state)
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

fn without(state: &[ValueId], i: usize) -> Vec<ValueId> {
    let mut next = state.to_vec();
    next.remove(i);
    next
}

fn show(state: &[ValueId], values: &Values) -> String {
    let items: Vec<String> = state.iter().map(|v| values.show(*v)).collect();
    format!("[{}]", items.join(" "))
}

fn bytes(state: &[ValueId]) -> usize {
    24 + size_of_val(state)
}
