//! Every execution of a program under an axiomatic memory model: any thread order, any `rf`, any
//! place in `mo`, each step filtered by the axioms written out on matrices, each graph kept once.
//!
//! All four models are closed under `porf` prefixes, so an inconsistent execution may be dropped
//! as soon as it appears. A loop iteration that changed nothing ends its thread, as in the
//! engine (that this loses nothing is tested by [`super::interleave`], which has no such rule).

use super::threads::Numbers;
use crate::replay::{Execution, Status, axioms, wait};
use lineal_model::Memory;
use lineal_model::run::{FailureKind, Op, Runnable};
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// What [`enumerate`] found.
#[derive(Debug, Default)]
pub struct Executions {
    /// The complete graphs, as keys.
    pub complete: BTreeSet<String>,
    pub failures: BTreeMap<FailureKind, u64>,
    /// There were more than the given number of partial graphs, or more threads than there are
    /// numbers: nothing here is exhaustive.
    pub gave_up: bool,
}

/// All executions, through at most `cap` partial graphs.
pub fn enumerate<R: Runnable>(program: &R, memory: Memory, cap: usize) -> Executions {
    enumerate_with(program, memory, cap, |_| {})
}

/// [`enumerate`], showing each complete execution once.
pub fn enumerate_with<R: Runnable>(
    program: &R,
    memory: Memory,
    cap: usize,
    mut show: impl FnMut(&Execution),
) -> Executions {
    walk(program, memory, cap, &mut |x, complete| {
        if complete {
            show(x);
        }
        None
    })
}

/// [`enumerate`], where executions that no fair scheduler ends count as failures.
pub fn enumerate_endless<R: Runnable>(program: &R, memory: Memory, cap: usize) -> Executions {
    walk(program, memory, cap, &mut |x, complete| {
        let endless = !complete && wait::is_endless(program, x, &x.statuses(program));
        endless.then_some(FailureKind::Liveness)
    })
}

/// Goes through all executions; `look` is told of each without a failure, and whether it is
/// complete, and may find one.
fn walk<R: Runnable>(
    program: &R,
    memory: Memory,
    cap: usize,
    look: &mut dyn FnMut(&Execution, bool) -> Option<FailureKind>,
) -> Executions {
    let mut found = Executions::default();
    let start = Execution::new(program);
    let mut seen = HashSet::from([start.key(program)]);
    let mut todo = vec![start];
    let numbers = Numbers::default();
    let mut graphs = 0;
    while let Some(x) = todo.pop() {
        graphs += 1;
        if graphs > cap {
            found.gave_up = true;
            return found;
        }
        let statuses = x.statuses(program);
        if let Some(kind) = statuses.iter().find_map(|s| match s {
            Status::Failed(f) => Some(f.kind),
            _ => None,
        }) {
            *found.failures.entry(kind).or_default() += 1;
            continue;
        }
        if statuses.iter().all(|s| matches!(s, Status::Finished(_) | Status::Absent)) {
            if found.complete.insert(x.key(program)) {
                look(&x, true);
            }
            continue;
        }
        if let Some(&kind) = wait::faults(program, &x, memory, &statuses).first() {
            *found.failures.entry(kind).or_default() += 1;
            continue;
        }
        if x.is_deadlock(program, &statuses, &BTreeSet::new()) {
            *found.failures.entry(FailureKind::Deadlock).or_default() += 1;
            continue;
        }
        if let Some(kind) = look(&x, false) {
            *found.failures.entry(kind).or_default() += 1;
            continue;
        }
        let Some(successors) = successors(program, &x, &statuses, &numbers) else {
            found.gave_up = true;
            return found;
        };
        for next in successors {
            // Most graphs are reached in many orders: look first, inconsistent ones included.
            if !seen.insert(next.key(program)) || !axioms::consistent(&next, memory) {
                continue;
            }
            match axioms::faults(&next, memory).first() {
                Some(&kind) => *found.failures.entry(kind).or_default() += 1,
                None => todo.push(next),
            }
        }
    }
    found
}

/// One more step of any thread, with any choice; `None`: there are too many threads.
pub(super) fn successors<R: Runnable>(
    program: &R,
    x: &Execution,
    statuses: &[Status],
    numbers: &Numbers,
) -> Option<Vec<Execution>> {
    let mut next = Vec::new();
    for (thread, status) in statuses.iter().enumerate() {
        let Status::Asks(op, site) = status else { continue };
        let mut add = |step: &dyn Fn(&mut Execution)| {
            let mut x = x.clone();
            step(&mut x);
            next.push(x);
        };
        match *op {
            Op::Read { loc, size, wait, .. } => {
                for rf in x.writes(loc) {
                    let value = x.value(program, loc, size, rf);
                    if wait.is_none_or(|w| w.until.holds(value, size)) {
                        add(&|x| x.read(program, thread, *op, *site, rf, false));
                    }
                }
            }
            Op::Write { loc, .. } => {
                for position in 0..=x.mo(loc).len() {
                    add(&|x| x.write(thread, *op, *site, position));
                }
            }
            Op::Rmw { loc, size, rmw, wait, .. } => {
                for rf in x.writes(loc) {
                    let value = x.value(program, loc, size, rf);
                    if !wait.is_none_or(|w| w.until.holds(value, size)) {
                        continue;
                    }
                    let weak = matches!(rmw, lineal_model::run::Rmw::Cas { weak: true, .. });
                    if rmw.apply(value, size).is_none() || weak {
                        let spurious = rmw.apply(value, size).is_some();
                        add(&|x| x.read(program, thread, *op, *site, rf, spurious));
                    }
                    if rmw.apply(value, size).is_some() {
                        for position in 0..=x.mo(loc).len() {
                            add(&|x| x.update(program, thread, *op, *site, rf, position));
                        }
                    }
                }
            }
            Op::Choose { low, high } => {
                for pick in low..=high {
                    add(&|x| x.choose(thread, *op, *site, pick));
                }
            }
            Op::Join { thread: child } => {
                if let Some(Status::Finished(value)) = statuses.get(child.index()) {
                    add(&|x| x.join(thread, *op, *site, child.index(), *value));
                }
            }
            Op::Create { .. } => {
                let child = numbers.child(thread, x.children(thread) + 1)?;
                add(&|x| x.create(thread, *op, *site, child));
            }
            Op::Fence { .. } | Op::Alloc { .. } | Op::Free { .. } | Op::Loop { .. } => {
                add(&|x| x.plain(thread, *op, *site));
            }
        }
    }
    Some(next)
}
