//! The fewest preemptions that each execution can be had with: every order of its events is walked
//! through, the cheapest first.
//!
//! A switch away from a thread is a preemption if the thread has some consistent next step, unless
//! it waits for a value that is not what its cell holds now. A state is a partial graph and who moved last. Loops are walked as in [`super::executions`]: what
//! waits in one counts as able to go on, so where there are loops these are upper bounds.

use super::executions::successors;
use super::threads::Numbers;
use crate::replay::{Execution, Status, axioms, wait};
use lineal_model::Memory;
use lineal_model::run::{Op, Runnable};
use std::collections::{BTreeMap, BTreeSet, HashSet, VecDeque};

/// What [`fewest`] found.
#[derive(Debug, Default)]
pub struct Fewest {
    /// The complete graphs, as keys, and the fewest preemptions of each.
    pub complete: BTreeMap<String, u32>,
    /// The same for something that goes wrong.
    pub failure: Option<u32>,
    /// There were more than the given number of states: nothing here is exhaustive.
    pub gave_up: bool,
}

/// Which steps a thread can be switched away from before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Steps {
    /// All of them.
    All,
    /// Atomic accesses. The others are made as soon as they can be, by whichever thread.
    Atomic,
}

pub fn fewest<R: Runnable>(program: &R, memory: Memory, steps: Steps, cap: usize) -> Fewest {
    let mut found = Fewest::default();
    let numbers = Numbers::default();
    let mut seen: HashSet<(String, Option<usize>)> = HashSet::new();
    let mut todo = VecDeque::from([(Execution::new(program), None, 0)]);
    while let Some((x, current, cost)) = todo.pop_front() {
        let key = x.key(program);
        if !seen.insert((key.clone(), current)) {
            continue;
        }
        if seen.len() > cap {
            found.gave_up = true;
            return found;
        }
        let mut fail = || found.failure = Some(found.failure.map_or(cost, |least: u32| least.min(cost)));
        let statuses = x.statuses(program);
        if statuses.iter().any(|s| matches!(s, Status::Failed(_))) {
            fail();
            continue;
        }
        if statuses.iter().all(|s| matches!(s, Status::Finished(_) | Status::Absent)) {
            found.complete.entry(key).or_insert(cost);
            continue;
        }
        let stuck = x.is_deadlock(program, &statuses, &BTreeSet::new());
        if stuck || !wait::faults(program, &x, memory, &statuses).is_empty() {
            fail();
            continue;
        }
        let Some(all) = successors(program, &x, &statuses, &numbers) else {
            found.gave_up = true;
            return found;
        };
        let next: Vec<(usize, Execution)> = all
            .into_iter()
            .filter(|x| axioms::consistent(x, memory))
            .map(|x| (x.events.last().expect("a step").thread, x))
            .collect();
        let can_move = |t: usize| next.iter().any(|(mover, _)| *mover == t);
        let early = |t: &usize| steps == Steps::Atomic && is_early(&statuses[*t]) && can_move(*t);
        let forced = (0..statuses.len()).find(early);
        for (mover, y) in &next {
            let price = match (forced, current) {
                (Some(t), _) if t != *mover => continue,
                (None, Some(c)) if c != *mover && can_move(c) && !waits(program, &x, &statuses[c]) => 1,
                _ => 0,
            };
            if !axioms::faults(y, memory).is_empty() {
                let cost = cost + price;
                found.failure = Some(found.failure.map_or(cost, |least| least.min(cost)));
                continue;
            }
            let last = if forced.is_some() { current } else { Some(*mover) };
            if price == 0 {
                todo.push_front((y.clone(), last, cost));
            } else {
                todo.push_back((y.clone(), last, cost + price));
            }
        }
    }
    found
}

/// Whether the thread waits for something else than what was written last.
fn waits<R: Runnable>(program: &R, x: &Execution, status: &Status) -> bool {
    let Status::Asks(op, _) = status else { return false };
    match *op {
        Op::Read { loc, size, wait: Some(wait), .. } | Op::Rmw { loc, size, wait: Some(wait), .. } => {
            let newest = x.value(program, loc, size, x.mo(loc).last().copied());
            !wait.until.holds(newest, size)
        }
        _ => false,
    }
}

fn is_early(status: &Status) -> bool {
    match status {
        Status::Asks(Op::Read { mode, .. } | Op::Write { mode, .. }, _) => !mode.is_atomic(),
        Status::Asks(Op::Rmw { .. }, _) => false,
        Status::Asks(..) => true,
        _ => false,
    }
}
