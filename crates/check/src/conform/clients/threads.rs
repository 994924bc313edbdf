//! Which threads make the calls.
//!
//! Without state per thread and without roles, one thread per call stands for every client. Where
//! a thread can be told from another, every way to let threads make several calls is listed, and
//! where it is told by its number, every way to number them.
//!
//! A lock is released only by a thread that holds it: releases follow acquires of their
//! thread, and are made only if one of them got the lock.

use super::Threads;
use super::arguments::governed;
use lineal_model::adt::Hold;
use lineal_model::object::{ArgClass, Call, Object};
use std::collections::BTreeSet;

type Lists = Vec<Vec<usize>>;

/// The ways to give the calls to threads.
pub fn arrangements(object: &Object, calls: &[Call], threads: Threads) -> Vec<Lists> {
    let lock = object.kind.is_lock();
    if lock && threads == Threads::Parallel && object.roles.is_empty() {
        return held(object, calls);
    }
    let any = threads == Threads::Any || lock;
    let role = |c: usize| object.roles.iter().position(|r| r.operations.contains(&calls[c].operation));
    let bound: Vec<usize> = (0..calls.len()).filter(|&c| any || role(c).is_some()).collect();
    let alone: Lists = (0..calls.len()).filter(|c| !bound.contains(c)).map(|c| vec![c]).collect();
    // What more calls do not mend.
    let may_fit = |lists: &Lists| {
        let within = object.roles.iter().enumerate().all(|(r, the)| {
            lists.iter().filter(|l| l.iter().any(|&c| role(c) == Some(r))).count() <= the.max
        });
        // Without state of their own, threads of several calls are only needed within a role.
        let pure = any || lists.iter().all(|l| l.iter().all(|&c| role(c) == role(l[0])));
        within && pure
    };
    let shape = |lists: &Lists| -> Vec<Vec<_>> {
        lists.iter().map(|l| l.iter().map(|&c| name(object, &calls[c])).collect()).collect()
    };
    let mut all: Vec<Lists> = vec![Vec::new()];
    for &c in &bound {
        // Lists that look the same have continuations that do.
        let mut seen = BTreeSet::new();
        let mut is_new = |lists: &Lists| {
            let mut shape = shape(lists);
            shape.sort();
            seen.insert(shape)
        };
        let more = all.into_iter().flat_map(|lists| insertions(&lists, c));
        all = more.filter(|lists| may_fit(lists) && is_new(lists)).collect();
    }
    let fits = |lists: &Lists| !lock || lists.iter().all(|l| may_hold(object, calls, l));
    let numbered = object.numbered && !object.threads_alike && any;
    let mut seen = BTreeSet::new();
    let mut out: Vec<Lists> = Vec::new();
    for lists in all.into_iter().filter(fits) {
        let lists: Lists = lists.into_iter().chain(alone.clone()).collect();
        let orders = if numbered { orders(&lists) } else { vec![lists] };
        for lists in orders {
            let mut shape = shape(&lists);
            if !numbered {
                shape.sort();
            }
            if seen.insert(shape) {
                out.push(lists);
            }
        }
    }
    out.sort_by_key(|lists| std::cmp::Reverse(lists.len()));
    out
}

/// What tells a call from others: arguments that are only moved about do not.
fn name(object: &Object, call: &Call) -> (usize, Vec<Option<i64>>) {
    let moved = object.args == Some(ArgClass::Independent) && object.values.is_none();
    let slots = if moved { Vec::new() } else { governed(object, call.operation) };
    let mut call = *call;
    (call.operation, slots.into_iter().map(|slot| *call.slot(slot)).collect())
}

/// Only who got a lock may give it back: each release follows an acquire of its thread. Acquires
/// that are alike are given their releases in one way.
fn held(object: &Object, calls: &[Call]) -> Vec<Lists> {
    let method = |c: usize| object.operations[calls[c].operation].method;
    let releases: Vec<usize> =
        (0..calls.len()).filter(|&c| object.kind.releases(method(c)).is_some()).collect();
    let acquires = (0..calls.len()).filter(|c| !releases.contains(c));
    let mut all: Vec<Lists> = vec![acquires.map(|c| vec![c]).collect()];
    for release in releases {
        let mut seen = BTreeSet::new();
        let mut next = Vec::new();
        for lists in all {
            for (t, list) in lists.iter().enumerate() {
                if list.len() > 1
                    || object.kind.acquires(method(list[0])) != object.kind.releases(method(release))
                {
                    continue;
                }
                let mut more = lists.clone();
                more[t].push(release);
                let mut shape: Vec<Vec<usize>> =
                    more.iter().map(|l| l.iter().map(|&c| calls[c].operation).collect()).collect();
                shape.sort();
                if seen.insert(shape) {
                    next.push(more);
                }
            }
        }
        all = next;
    }
    all
}

/// Whether each release of a thread follows an acquire that was not released yet.
pub(super) fn may_hold(object: &Object, calls: &[Call], thread: &[usize]) -> bool {
    // What it has at most, alone and shared.
    let mut most = [0; 2];
    thread.iter().all(|&c| {
        let method = object.operations[calls[c].operation].method;
        let of = |hold: Hold| usize::from(hold == Hold::Shared);
        if let Some(hold) = object.kind.acquires(method) {
            most[of(hold)] += 1;
        }
        if let Some(hold) = object.kind.releases(method) {
            most[of(hold)] -= 1;
        }
        most.iter().all(|n| *n >= 0)
    })
}

/// The call anywhere in one of the lists, or in a list of its own.
fn insertions(lists: &[Vec<usize>], call: usize) -> Vec<Lists> {
    let mut out = Vec::new();
    for (l, list) in lists.iter().enumerate() {
        for at in 0..=list.len() {
            let mut next = lists.to_vec();
            next[l].insert(at, call);
            out.push(next);
        }
    }
    out.push([lists, &[vec![call]]].concat());
    out
}

/// Every order of the lists.
fn orders(lists: &[Vec<usize>]) -> Vec<Lists> {
    if lists.is_empty() {
        return vec![Vec::new()];
    }
    let mut out = Vec::new();
    for i in 0..lists.len() {
        let rest = [&lists[..i], &lists[i + 1..]].concat();
        out.extend(orders(&rest).into_iter().map(|more| [&[lists[i].clone()][..], &more].concat()));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_of_lists_are_counted_right() {
        let mut lists = vec![Vec::new()];
        let mut counts = Vec::new();
        for c in 0..5 {
            lists = lists.into_iter().flat_map(|l: Lists| insertions(&l, c)).collect();
            counts.push(lists.len());
        }
        assert_eq!(counts, [1, 3, 13, 73, 501]);
        assert_eq!(orders(&[vec![0], vec![1], vec![2]]).len(), 6);
    }
}
