//! Fetch-and-increment: results are distinct, and a smaller one is not called after a larger one
//! has returned.
//!
//! Let `D(v)` be the earliest return among results above `v`: every operation that takes a value
//! up to `v` is called before `D(v)`. A value that nobody reported, below the largest reported
//! one, was taken by a pending operation called before `D` of it; `D` grows with `v`, so giving
//! the earliest pending calls to the smallest missing values is best.

use super::{Bug, Conflict, Fast, seeded};
use lineal_model::adt::Object;
use lineal_model::history::{History, Op, Value, ValueId};

pub fn decide(history: &History, object: &Object) -> Fast {
    let Value::Int(init) = object.init else {
        return Fast::Declined("the initial value is no number".into());
    };
    let show = |op: u32| object.show(&history.op(op as usize), &history.values);
    let mut taken: Vec<(i64, u32)> = Vec::with_capacity(history.len());
    let mut pending: Vec<u32> = Vec::new();
    for (i, op) in history.ops().enumerate() {
        let i = i as u32;
        if op.is_pending() {
            pending.push(i);
        } else if op.result == ValueId::NONE {
            return Fast::Declined(format!("{} has no recorded result", show(i)));
        } else {
            match history.values.as_int(op.result) {
                Some(v) if v >= init => taken.push((v, i)),
                _ => {
                    let why = format!("{} answers a value the counter never has", show(i));
                    return Fast::Violated(Conflict::new([i], why));
                }
            }
        }
    }
    taken.sort_unstable();
    if let Some(w) = taken.windows(2).find(|w| w[0].0 == w[1].0) {
        let why = format!("two calls answered {}", w[0].0);
        return Fast::Violated(Conflict::new([w[0].1, w[1].1], why));
    }
    // From the largest down: the operation with the earliest return among larger results.
    let mut earliest: Option<u32> = None;
    for &(_, i) in taken.iter().rev() {
        let op = history.op(i as usize);
        if let Some(e) = earliest.filter(|&e| history.op(e as usize).ret < op.call) {
            let why = format!("{} ended before {} began", show(e), show(i));
            return Fast::Violated(Conflict::new([e, i], why));
        }
        if earliest.is_none_or(|e| op.ret < history.op(e as usize).ret) {
            earliest = Some(i);
        }
    }
    if seeded::active(Bug::FetchIgnoresMissing) {
        return Fast::Holds;
    }
    missing(history, init, &taken, &pending)
}

fn missing(history: &History, init: i64, taken: &[(i64, u32)], pending: &[u32]) -> Fast {
    // `deadline[k]`: earliest return among `taken[k..]`.
    let mut deadline = vec![Op::PENDING; taken.len() + 1];
    for k in (0..taken.len()).rev() {
        deadline[k] = deadline[k + 1].min(history.op(taken[k].1 as usize).ret);
    }
    let mut calls = pending.iter().map(|&i| history.op(i as usize).call);
    let mut next = init;
    for (k, &(v, i)) in taken.iter().enumerate() {
        while next < v {
            match calls.next() {
                Some(call) if call < deadline[k] => next += 1,
                _ => {
                    let why = format!("nobody took {next}, which comes before {v}");
                    let all = taken.iter().map(|t| t.1).chain(pending.iter().copied());
                    let _ = i;
                    return Fast::Violated(Conflict::new(all, why));
                }
            }
        }
        next = match v.checked_add(1) {
            Some(n) => n,
            None => return Fast::Declined("the counter overflows".into()),
        };
    }
    Fast::Holds
}
