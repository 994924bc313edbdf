//! Quasi-refinement of a queue by the algorithms that Adhikari and others print (SPIN 2013), mistakes
//! included: this decides what their paper would say, not what their definition says.
//!
//! Their Algorithm 3 takes each state of the specification, every sequence of at most one event more
//! than the factor that begins there, and adds each permutation of it as a path of new states to where
//! the sequence ends. Their Algorithm 2 then compares pairs of states: all that the implementation can
//! do must be possible in the specification, in *every* pair that is reached ([`Pairs::Every`]). With
//! the subset construction, which they mention for specifications that have choices, one is enough
//! ([`Pairs::Some`]). Events are whole operations, or calls and answers of processes; that an operation
//! takes effect is seen by nobody.

use std::collections::BTreeSet;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Event {
    /// An operation at once.
    Does(Operation),
    /// A process calls; what it dequeues is not known yet.
    Calls(usize, Option<u8>),
    /// A process is answered.
    Answers(usize, Operation),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Operation {
    Enqueue(u8),
    /// `None`: there was nothing.
    Dequeue(Option<u8>),
}

/// Which pairs must match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pairs {
    Every,
    Some,
}

/// The specification: a queue of these values.
pub struct Printed<'a> {
    pub values: &'a [u8],
    /// None: events are whole operations.
    pub processes: usize,
    pub factor: usize,
    pub pairs: Pairs,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct State {
    queue: Vec<u8>,
    processes: Vec<Phase>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Phase {
    Idle,
    Called(Option<u8>),
    Took(Operation),
}

/// A state of the specification, or a new one on the way to one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Position {
    At(State),
    Within { left: Vec<Event>, to: State },
}

impl Printed<'_> {
    pub fn accepts(&self, trace: &[Event]) -> bool {
        let start = State { queue: Vec::new(), processes: vec![Phase::Idle; self.processes] };
        let mut positions = BTreeSet::from([Position::At(start)]);
        for event in trace {
            let after: Vec<Vec<Position>> = positions.iter().map(|p| self.after(p, *event)).collect();
            let stuck = match self.pairs {
                Pairs::Every => after.iter().any(Vec::is_empty),
                Pairs::Some => after.iter().all(Vec::is_empty),
            };
            if stuck {
                return false;
            }
            positions = after.into_iter().flatten().collect();
        }
        true
    }

    fn after(&self, position: &Position, event: Event) -> Vec<Position> {
        let on = |left: &[Event], to: &State| match left.is_empty() {
            true => Position::At(to.clone()),
            false => Position::Within { left: left.to_vec(), to: to.clone() },
        };
        match position {
            Position::Within { left, to } if left[0] == event => vec![on(&left[1..], to)],
            Position::Within { .. } => Vec::new(),
            Position::At(state) => {
                let mut out = Vec::new();
                for (sequence, to) in self.sequences(state, self.factor + 1) {
                    if sequence == [event] {
                        out.push(on(&[], &to));
                    }
                    let others = permutations(&sequence).into_iter().filter(|p| *p != sequence);
                    out.extend(others.filter(|p| p[0] == event).map(|p| on(&p[1..], &to)));
                }
                out
            }
        }
    }

    /// What can happen in at most so many events, and where that leads.
    fn sequences(&self, from: &State, most: usize) -> Vec<(Vec<Event>, State)> {
        let mut out = Vec::new();
        if most == 0 {
            return out;
        }
        for (event, to) in self.events(from) {
            let further = self.sequences(&to, most - 1);
            out.push((vec![event], to));
            out.extend(further.into_iter().map(|(rest, to)| ([&[event], &rest[..]].concat(), to)));
        }
        out
    }

    /// What can happen next, perhaps after some calls have taken effect.
    fn events(&self, from: &State) -> Vec<(Event, State)> {
        let calls = || self.values.iter().map(|v| Some(*v)).chain([None]);
        if self.processes == 0 {
            let one = |call: Option<u8>| {
                let mut to = from.clone();
                let operation = take_effect(call, &mut to.queue);
                (Event::Does(operation), to)
            };
            return calls().map(one).collect();
        }
        let mut out = Vec::new();
        for state in took_effect(from) {
            for (p, phase) in state.processes.iter().enumerate() {
                let mut to = state.clone();
                match *phase {
                    Phase::Idle => out.extend(calls().map(|call| {
                        let mut to = to.clone();
                        to.processes[p] = Phase::Called(call);
                        (Event::Calls(p, call), to)
                    })),
                    Phase::Took(operation) => {
                        to.processes[p] = Phase::Idle;
                        out.push((Event::Answers(p, operation), to));
                    }
                    Phase::Called(_) => {}
                }
            }
        }
        out.sort();
        out.dedup();
        out
    }
}

fn take_effect(call: Option<u8>, queue: &mut Vec<u8>) -> Operation {
    match call {
        Some(v) => {
            queue.push(v);
            Operation::Enqueue(v)
        }
        None if queue.is_empty() => Operation::Dequeue(None),
        None => Operation::Dequeue(Some(queue.remove(0))),
    }
}

/// The state, and those after some of its calls have taken effect.
fn took_effect(from: &State) -> Vec<State> {
    let mut all = vec![from.clone()];
    let mut next = 0;
    while let Some(state) = all.get(next).cloned() {
        next += 1;
        for (p, phase) in state.processes.iter().enumerate() {
            let Phase::Called(call) = *phase else { continue };
            let mut to = state.clone();
            to.processes[p] = Phase::Took(take_effect(call, &mut to.queue));
            if !all.contains(&to) {
                all.push(to);
            }
        }
    }
    all
}

fn permutations(of: &[Event]) -> BTreeSet<Vec<Event>> {
    if of.is_empty() {
        return BTreeSet::from([Vec::new()]);
    }
    let mut out = BTreeSet::new();
    for i in 0..of.len() {
        let rest = [&of[..i], &of[i + 1..]].concat();
        out.extend(permutations(&rest).into_iter().map(|p| [&[of[i]], &p[..]].concat()));
    }
    out
}
