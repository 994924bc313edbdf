//! Threads that do not move: what a wait that is not met touches, and loops that never end.

use super::axioms;
use super::execution::{Execution, Status};
use lineal_model::Memory;
use lineal_model::run::{Answer, FailureKind, Op, Runnable, Step, Value};
use std::collections::BTreeSet;

/// What is wrong with the waits in an execution: to find out that its condition does not hold, a
/// thread reads what it waits for, and that read may race, or use memory that is not there.
pub fn faults<R: Runnable>(
    program: &R,
    x: &Execution,
    memory: Memory,
    statuses: &[Status],
) -> BTreeSet<FailureKind> {
    let mut found = BTreeSet::new();
    for (thread, status) in statuses.iter().enumerate() {
        let Status::Asks(op, site) = status else { continue };
        let (Op::Read { loc, size, wait: Some(wait), .. } | Op::Rmw { loc, size, wait: Some(wait), .. }) =
            *op
        else {
            continue;
        };
        for rf in x.writes(loc) {
            if wait.until.holds(x.value(program, loc, size, rf), size) {
                continue;
            }
            let mut with = x.clone();
            with.read(program, thread, *op, *site, rf, false);
            if axioms::consistent(&with, memory) {
                found.extend(axioms::faults(&with, memory));
            }
        }
    }
    found
}

/// Whether a thread that asks `op` can come back to a loop head with everything as it was, if all
/// its reads see the last write and nothing it does changes memory.
pub fn circles<R: Runnable>(
    program: &R,
    x: &Execution,
    mut state: R::Thread,
    mut op: Op,
    heads: &mut BTreeSet<(u32, Vec<u64>)>,
    budget: &mut usize,
) -> bool {
    loop {
        if *budget == 0 {
            return false;
        }
        *budget -= 1;
        let last = |loc, size| x.value(program, loc, size, x.mo(loc).last().copied());
        let answer = match op {
            Op::Loop { head } => {
                if let Some(now) = program.snapshot(&state)
                    && !heads.insert((head, now.into_owned()))
                {
                    return true;
                }
                Answer::default()
            }
            Op::Fence { .. } => Answer::default(),
            Op::Read { loc, size, wait: None, .. } => last(loc, size).into(),
            Op::Rmw { loc, size, rmw, wait: None, .. } => {
                let value = last(loc, size);
                match rmw.apply(value, size) {
                    Some(new) if new != value.truncate(size) => return false,
                    _ => value.into(),
                }
            }
            Op::Choose { low, high } => {
                return (low..=high).any(|pick| {
                    let Some(mut copy) = program.fork(&state) else { return true };
                    let answer = Value::word(pick as u64).into();
                    match program.resume(&mut copy, answer, x) {
                        Step::Ask(op, _) => circles(program, x, copy, op, &mut heads.clone(), budget),
                        _ => false,
                    }
                });
            }
            _ => return false,
        };
        op = match program.resume(&mut state, answer, x) {
            Step::Ask(op, _) => op,
            _ => return false,
        };
    }
}
