//! Locks: from the return of an acquire to the call of the release that follows it in the same
//! process the lock is surely held, and no two such spans may meet.
//!
//! Sufficient: acquire at the end, release at the start, and the lock is held in those spans
//! only. A crashed release ends its span at its call, where taking effect is best; a crashed
//! acquire that is the last word of its process is best not done at all. A process that goes on
//! after a crashed operation may need it, before or after what it does next: declined.

use super::{Bug, Conflict, Fast, seeded};
use lineal_model::history::{History, Method, Op, ValueId};
use rustc_hash::FxHashMap;

struct Hold {
    from: u32,
    to: u32,
    acquire: u32,
    release: u32,
}

pub fn decide(history: &History) -> Fast {
    let process = |op: &Op| history.values.show(op.process);
    // Coarse or skewed clocks may make operations of one process overlap, in any order then: this
    // must be known of all before a verdict rests on the order of two.
    let mut last: FxHashMap<ValueId, u32> = FxHashMap::default();
    for op in history.ops() {
        if last.insert(op.process, op.ret).is_some_and(|ret| ret > op.call) {
            let why = "goes on before its last operation is known to have returned";
            return Fast::Declined(format!("process {} {why}", process(&op)));
        }
    }
    // By process: the hold it has open, as an index.
    let mut open: FxHashMap<ValueId, usize> = FxHashMap::default();
    let mut holds: Vec<Hold> = Vec::new();
    for (i, op) in history.ops().enumerate() {
        let i = i as u32;
        match op.method {
            Method::Acquire if op.is_pending() => {}
            Method::Acquire => {
                if let Some(&hold) = open.get(&op.process) {
                    let why = format!("process {} acquires a lock it already holds", process(&op));
                    return Fast::Violated(Conflict::new([holds[hold].acquire, i], why));
                }
                open.insert(op.process, holds.len());
                holds.push(Hold { from: op.ret, to: u32::MAX, acquire: i, release: u32::MAX });
            }
            _ => match open.remove(&op.process) {
                Some(_) if op.is_pending() && seeded::active(Bug::MutexDropsCrashedRelease) => {}
                Some(hold) => {
                    holds[hold].to = op.call;
                    holds[hold].release = i;
                }
                None if op.is_pending() => {}
                None => {
                    let why = format!("process {} releases a lock it does not hold", process(&op));
                    return Fast::Violated(Conflict::new([i], why));
                }
            },
        }
    }
    holds.sort_unstable_by_key(|h| h.from);
    match holds.windows(2).find(|w| w[1].from < w[0].to) {
        None => Fast::Holds,
        Some(w) => {
            let owner = |h: &Hold| process(&history.op(h.acquire as usize));
            let why =
                format!("processes {} and {} hold the lock at the same time", owner(&w[0]), owner(&w[1]));
            Fast::Violated(Conflict::new(w.iter().flat_map(|h| [h.acquire, h.release]), why))
        }
    }
}
