//! All interleavings of a [`Shape`] under sequential consistency.
//!
//! States are merged only when everything agrees, happens-before clocks included. Happens-before is
//! program order, thread creation and joining, an atomic read after the write it reads, and a lock
//! after the unlock before it; a race is two accesses of a plain variable by two threads, one a
//! write, unordered by it. A spinning thread never makes a deadlock.

use super::concurrent::{ATOMICS, Event, LOCKS, Operand, PLAIN, Shape, Update};
use std::collections::{BTreeSet, HashSet};

/// What can happen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Behaviour {
    /// Values of [`Shape::observed`] at the end of complete executions.
    pub outcomes: BTreeSet<Vec<i32>>,
    pub race: bool,
    pub deadlock: bool,
}

type Clock = [u8; 3];

#[derive(Clone, PartialEq, Eq, Hash)]
struct State {
    at: [u8; 3],
    atomics: [i32; ATOMICS.len()],
    plain: [i32; PLAIN.len()],
    results: Vec<i32>,
    holder: [Option<u8>; LOCKS.len()],
    clocks: [Clock; 3],
    written: [Clock; ATOMICS.len()],
    unlocked: [Clock; LOCKS.len()],
    last_write: [Option<(u8, u8)>; PLAIN.len()],
    last_reads: [Clock; PLAIN.len()],
}

impl Shape {
    pub fn enumerate(&self) -> Behaviour {
        let mut clocks = [[0; 3]; 3];
        for (t, clock) in clocks.iter_mut().enumerate() {
            clock[t] = 1;
        }
        let first = State {
            at: [0; 3],
            atomics: [0; ATOMICS.len()],
            plain: [0; PLAIN.len()],
            results: vec![0; self.results],
            holder: [None; LOCKS.len()],
            clocks,
            written: [[0; 3]; ATOMICS.len()],
            unlocked: [[0; 3]; LOCKS.len()],
            last_write: [None; PLAIN.len()],
            last_reads: [[0; 3]; PLAIN.len()],
        };
        let mut found = Behaviour::default();
        let mut seen: HashSet<State> = HashSet::new();
        let mut stack = vec![first];
        while let Some(state) = stack.pop() {
            if !seen.insert(state.clone()) {
                continue;
            }
            let before = stack.len();
            let (mut unfinished, mut spinning) = (false, false);
            for (t, events) in self.threads.iter().enumerate() {
                if let Some(event) = events.get(state.at[t] as usize) {
                    unfinished = true;
                    spinning |= matches!(event, Event::Await { .. });
                    step(&state, t, event, &mut stack, &mut found.race);
                }
            }
            if !unfinished {
                let finals = state.atomics.iter().chain(&state.plain);
                found.outcomes.insert(state.results.iter().chain(finals).copied().collect());
            } else if stack.len() == before && !spinning {
                found.deadlock = true;
            }
        }
        found
    }
}

fn step(from: &State, t: usize, event: &Event, out: &mut Vec<State>, race: &mut bool) {
    let mut s = from.clone();
    s.at[t] += 1;
    match event {
        Event::Load { result, loc, .. } => {
            s.results[*result] = s.read(t, *loc);
        }
        Event::Store { loc, value, .. } => {
            let v = s.value(value);
            s.write(t, *loc, v);
        }
        Event::Update { result, loc, update, by, .. } => {
            let old = s.read(t, *loc);
            s.results[*result] = old;
            let new = match update {
                Update::Add => old + by,
                Update::Sub => old - by,
                Update::Or => old | by,
                Update::And => old & by,
                Update::Xor => old ^ by,
                Update::Exchange => *by,
            };
            s.write(t, *loc, new);
        }
        Event::Cas { result, loc, expected, desired, weak, .. } => {
            let old = s.read(t, *loc);
            let mut failed = s.clone();
            failed.results[*result] = old;
            if old != *expected {
                return out.push(failed);
            }
            if *weak {
                out.push(failed);
            }
            s.results[*result] = 10;
            s.write(t, *loc, *desired);
        }
        Event::Fence(_) => {}
        Event::Lock(l) => {
            if s.holder[*l].is_some() {
                return;
            }
            s.holder[*l] = Some(t as u8);
            s.clocks[t] = join(s.clocks[t], s.unlocked[*l]);
        }
        Event::Unlock(l) => {
            s.holder[*l] = None;
            s.unlocked[*l] = s.clocks[t];
            s.clocks[t][t] += 1;
        }
        Event::Read { result, var } => {
            *race |= s.last_write[*var].is_some_and(|(by, time)| s.clocks[t][by as usize] < time);
            s.last_reads[*var][t] = s.clocks[t][t];
            s.results[*result] = s.plain[*var];
        }
        Event::Write { var, value } => {
            *race |= s.last_write[*var].is_some_and(|(by, time)| s.clocks[t][by as usize] < time);
            *race |= (0..3).any(|u| s.last_reads[*var][u] > s.clocks[t][u]);
            s.last_write[*var] = Some((t as u8, s.clocks[t][t]));
            s.plain[*var] = s.value(value);
        }
        Event::Await { loc, value, .. } => {
            if s.read(t, *loc) != *value {
                return;
            }
        }
        Event::If { result, equals, then } => {
            if s.results[*result] == *equals {
                return step(from, t, then, out, race);
            }
        }
    }
    out.push(s);
}

impl State {
    fn read(&mut self, t: usize, loc: usize) -> i32 {
        self.clocks[t] = join(self.clocks[t], self.written[loc]);
        self.atomics[loc]
    }

    fn write(&mut self, t: usize, loc: usize, value: i32) {
        self.atomics[loc] = value;
        self.written[loc] = self.clocks[t];
        self.clocks[t][t] += 1;
    }

    fn value(&self, o: &Operand) -> i32 {
        o.result.map_or(0, |r| self.results[r]) + o.add
    }
}

fn join(a: Clock, b: Clock) -> Clock {
    [a[0].max(b[0]), a[1].max(b[1]), a[2].max(b[2])]
}
