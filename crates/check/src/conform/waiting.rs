//! Calls that wait for good, as they should: for a lock that nobody gives back, for a permit that nobody
//! gives, for others at a barrier who do not come.
//!
//! A blocked execution is no deadlock if every call that has begun and not returned is one that waits by
//! its type, and the type, after all calls that have returned, would not let it go on. What has
//! returned is counted, not put in an order: the numbers that these types go by are the same in any.
//! A lost wake-up is found: the lock is free, and somebody still waits for it.

use super::observe::outcome;
use super::{Call, Contract};
use crate::graph::Leaf;
use lineal_model::adt::{Hold, Kind};
use lineal_model::history::Method;
use lineal_model::object::Object;

/// Whether calls of the operation wait until they can be done.
pub fn waits(object: &Object, operation: usize) -> bool {
    let operation = &object.operations[operation];
    let says = operation.answer.is_some() || operation.empty_if.is_some();
    match object.kind {
        Kind::Barrier => true,
        Kind::TryLock | Kind::RwLock | Kind::Semaphore => object.kind.may_answer(operation.method) && !says,
        _ => false,
    }
}

pub fn expected(contract: &Contract, leaf: &dyn Leaf) -> bool {
    let begun = |c: &&Call| leaf.last_write(c.marks.begun).is_some();
    let ended = |c: &Call| leaf.last_write(c.marks.ended).is_some();
    let (over, open): (Vec<&Call>, Vec<&Call>) = contract.calls.iter().filter(begun).partition(|c| ended(c));
    if open.is_empty() || open.iter().any(|c| !c.waits) {
        return false;
    }
    let succeeds = |c: &Call| {
        let end = leaf.last_write(c.marks.ended);
        end.is_some_and(|end| c.succeeds(contract.kind, outcome(leaf, c, end)))
    };
    let done = |method: Method| over.iter().filter(|c| c.method == method && succeeds(c)).count();
    let size = contract.size.unwrap_or(0) as usize;
    match contract.kind {
        Kind::Barrier => over.len().is_multiple_of(size.max(1)) && open.len() < size,
        Kind::Semaphore => size + done(Method::Release) <= done(Method::Acquire),
        Kind::TryLock | Kind::RwLock => {
            let written = done(Method::Acquire) > done(Method::Release);
            let read = done(Method::AcquireShared) > done(Method::ReleaseShared);
            // Readers may be kept waiting for a writer who waits.
            let writer = open.iter().any(|c| c.method == Method::Acquire);
            open.iter().all(|c| match contract.kind.acquires(c.method) {
                Some(Hold::Exclusive) => written || read,
                Some(Hold::Shared) => written || (read && writer),
                None => false,
            })
        }
        _ => false,
    }
}
