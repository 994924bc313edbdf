//! Which clients to look at: every multiset of calls, smallest first, with arguments enough to
//! stand for all others.
//!
//! - *independent* arguments are all different: code that only moves them about does the same
//!   with any others, up to their names;
//! - under *equality* every way to make some of them equal is tried, under *order* every weak
//!   order; a finite domain is tried in full;
//! - clients that differ by exchanging calls of one operation are one client.
//!
//! A try-lock is released only by a thread that acquired it just before.
//!
//! An operation with a key (or a priority) and a value has its key drawn by the class declared,
//! and its value independent.

use lineal_model::history::Method;
use lineal_model::object::{ArgClass, Call, Client, Object, Takes, Type};
use std::collections::BTreeSet;

/// How many calls to look at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Bound {
    /// At most so many in all.
    Total(usize),
    /// At most so many of each operation.
    Each(Vec<usize>),
}

impl Bound {
    pub fn total(&self) -> usize {
        match self {
            Bound::Total(n) => *n,
            Bound::Each(counts) => counts.iter().sum(),
        }
    }
}

/// How calls are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Threads {
    /// One thread per call, except where a role allows fewer.
    Parallel,
    /// Every way to let threads make several calls.
    Any,
}

/// The numbers of calls per operation, with `size` calls in all.
pub fn multisets(operations: usize, bound: &Bound, size: usize) -> Vec<Vec<usize>> {
    fn fill(rest: usize, caps: &[usize], counts: &mut Vec<usize>, out: &mut Vec<Vec<usize>>) {
        match caps.split_first() {
            None => {
                if rest == 0 {
                    out.push(counts.clone());
                }
            }
            Some((&cap, more)) => {
                for n in (0..=rest.min(cap)).rev() {
                    counts.push(n);
                    fill(rest - n, more, counts, out);
                    counts.pop();
                }
            }
        }
    }
    let caps = match bound {
        Bound::Total(_) => vec![size; operations],
        Bound::Each(counts) => counts.clone(),
    };
    let mut out = Vec::new();
    fill(size, &caps, &mut Vec::new(), &mut out);
    // Balanced ones first: they show more.
    out.sort_by_key(|counts| counts.iter().map(|n| n * n).sum::<usize>());
    out
}

/// The clients that make so many calls of each operation.
pub fn clients(object: &Object, counts: &[usize], threads: Threads) -> Vec<Client> {
    let mut out = Vec::new();
    for calls in arguments(object, counts) {
        for threads in arrangements(object, &calls, threads) {
            out.push(Client { calls: calls.clone(), threads, waits: Vec::new() });
        }
    }
    out
}

/// What of a call the class of arguments governs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Slot {
    None,
    Value,
    Key,
    Prio,
}

fn governed(takes: Takes) -> Slot {
    match takes {
        Takes { prio: true, .. } => Slot::Prio,
        Takes { key: true, .. } => Slot::Key,
        Takes { value: true, .. } => Slot::Value,
        _ => Slot::None,
    }
}

/// All lists of calls with their arguments.
fn arguments(object: &Object, counts: &[usize]) -> Vec<Vec<Call>> {
    let slots: Vec<Slot> = object.operations.iter().map(|o| governed(o.takes)).collect();
    // Calls to draw for, by operation.
    let drawn: Vec<usize> =
        counts.iter().zip(&slots).map(|(&n, &s)| if s == Slot::None { 0 } else { n }).collect();
    let total: usize = drawn.iter().sum();
    let tables: Vec<Vec<Vec<i64>>> = if total == 0 {
        vec![vec![Vec::new(); counts.len()]]
    } else if let Some((low, high)) = object.values {
        domain(&drawn, low, high)
    } else {
        match object.args.unwrap_or(ArgClass::Order) {
            ArgClass::Independent => {
                let mut next = 0;
                let mut fresh = |n: &usize| {
                    next += *n as i64;
                    (next - *n as i64 + 1..=next).collect()
                };
                vec![drawn.iter().map(&mut fresh).collect()]
            }
            class => blocks(&drawn, class).into_iter().map(|b| spread(&b, drawn.len())).collect(),
        }
    };
    tables.into_iter().map(|table| calls(object, counts, &slots, &table)).collect()
}

/// `table[op]`: the governed arguments of its calls.
fn calls(object: &Object, counts: &[usize], slots: &[Slot], table: &[Vec<i64>]) -> Vec<Call> {
    let mut out = Vec::new();
    let mut fresh = 0;
    for (operation, &count) in counts.iter().enumerate() {
        let takes = object.operations[operation].takes;
        for i in 0..count {
            let drawn = table[operation].get(i).copied();
            let mut call = Call { operation, value: None, key: None, prio: None };
            match slots[operation] {
                Slot::None => {}
                Slot::Value => call.value = drawn,
                Slot::Key => call.key = drawn,
                Slot::Prio => call.prio = drawn,
            }
            let mut other = |wanted: bool, slot: &mut Option<i64>| {
                if wanted && slot.is_none() {
                    fresh += 1;
                    *slot = Some(fresh);
                }
            };
            other(takes.key, &mut call.key);
            other(takes.value, &mut call.value);
            out.push(call);
        }
    }
    out
}

/// Every way to spread the calls over classes of equal arguments: each class has so many calls of
/// each operation. Under order, the classes are ranked as listed.
fn blocks(drawn: &[usize], class: ArgClass) -> Vec<Vec<Vec<usize>>> {
    fn parts(rest: &[usize]) -> Vec<Vec<usize>> {
        let mut all = vec![Vec::new()];
        for &n in rest {
            all = all
                .into_iter()
                .flat_map(|p: Vec<usize>| (0..=n).map(move |k| [&p[..], &[k]].concat()))
                .collect();
        }
        all.retain(|p| p.iter().any(|&k| k > 0));
        all
    }
    fn go(
        rest: &[usize],
        class: ArgClass,
        least: &[usize],
        chosen: &mut Vec<Vec<usize>>,
        out: &mut Vec<Vec<Vec<usize>>>,
    ) {
        if rest.iter().all(|&n| n == 0) {
            out.push(chosen.clone());
            return;
        }
        for part in parts(rest) {
            // Under equality classes have no rank: list them in order.
            if class == ArgClass::Equality && part[..] < *least {
                continue;
            }
            let left: Vec<usize> = rest.iter().zip(&part).map(|(a, b)| a - b).collect();
            let bound = part.clone();
            chosen.push(part);
            go(&left, class, &bound, chosen, out);
            chosen.pop();
        }
    }
    let mut out = Vec::new();
    go(drawn, class, &[], &mut Vec::new(), &mut out);
    // The more different arguments, the easier to read.
    out.sort_by_key(|b| std::cmp::Reverse(b.len()));
    out
}

/// The arguments of each operation's calls.
fn spread(blocks: &[Vec<usize>], operations: usize) -> Vec<Vec<i64>> {
    let mut table = vec![Vec::new(); operations];
    for (block, number) in blocks.iter().zip(1i64..) {
        for (operation, &n) in block.iter().enumerate() {
            table[operation].extend(std::iter::repeat_n(number, n));
        }
    }
    table
}

/// Every choice from a finite domain.
fn domain(drawn: &[usize], low: i64, high: i64) -> Vec<Vec<Vec<i64>>> {
    fn choose(count: usize, from: i64, high: i64) -> Vec<Vec<i64>> {
        if count == 0 {
            return vec![Vec::new()];
        }
        (from..=high)
            .flat_map(|v| choose(count - 1, v, high).into_iter().map(move |rest| [&[v][..], &rest].concat()))
            .collect()
    }
    let mut tables: Vec<Vec<Vec<i64>>> = vec![Vec::new()];
    for &count in drawn {
        let options = choose(count, low, high);
        tables = tables
            .into_iter()
            .flat_map(|t| options.iter().map(move |o| [&t[..], std::slice::from_ref(o)].concat()))
            .collect();
    }
    tables
}

/// The ways to give the calls to threads.
fn arrangements(object: &Object, calls: &[Call], threads: Threads) -> Vec<Vec<Vec<usize>>> {
    if object.kind == Type::TryLock {
        return held(object, calls).into_iter().collect();
    }
    let role = |c: usize| object.roles.iter().position(|r| r.operations.contains(&calls[c].operation));
    let bound: Vec<usize> =
        (0..calls.len()).filter(|&c| threads == Threads::Any || role(c).is_some()).collect();
    let free = (0..calls.len()).filter(|c| !bound.contains(c));
    let alone: Vec<Vec<usize>> = free.map(|c| vec![c]).collect();
    let mut all: Vec<Vec<Vec<usize>>> = vec![Vec::new()];
    for &c in &bound {
        all = all.into_iter().flat_map(|lists| insertions(&lists, c)).collect();
    }
    let fits = |lists: &Vec<Vec<usize>>| {
        let within = object.roles.iter().enumerate().all(|(r, the)| {
            lists.iter().filter(|l| l.iter().any(|&c| role(c) == Some(r))).count() <= the.max
        });
        // Without state of their own, threads of several calls are only needed within a role.
        let pure = threads == Threads::Any || lists.iter().all(|l| l.iter().all(|&c| role(c) == role(l[0])));
        within && pure
    };
    let name = |c: usize| {
        let call = calls[c];
        let drawn = if object.args == Some(ArgClass::Independent) {
            None
        } else {
            call.key.or(call.prio).or(call.value)
        };
        (call.operation, drawn)
    };
    let mut seen = BTreeSet::new();
    let mut out: Vec<Vec<Vec<usize>>> = Vec::new();
    for lists in all.into_iter().filter(fits) {
        let mut shape: Vec<Vec<(usize, Option<i64>)>> =
            lists.iter().map(|l| l.iter().map(|&c| name(c)).collect()).collect();
        shape.sort();
        if seen.insert(shape) {
            out.push(lists.into_iter().chain(alone.clone()).collect());
        }
    }
    out.sort_by_key(|lists| std::cmp::Reverse(lists.len()));
    out
}

/// Only who got a lock may give it back: each release follows an acquire of its thread.
fn held(object: &Object, calls: &[Call]) -> Option<Vec<Vec<usize>>> {
    let is = |c: &usize, method: Method| object.operations[calls[*c].operation].method == method;
    let releases: Vec<usize> = (0..calls.len()).filter(|c| is(c, Method::Release)).collect();
    let mut threads: Vec<Vec<usize>> =
        (0..calls.len()).filter(|c| is(c, Method::Acquire)).map(|c| vec![c]).collect();
    if releases.len() > threads.len() {
        return None;
    }
    threads.iter_mut().zip(releases).for_each(|(thread, release)| thread.push(release));
    Some(threads)
}

/// The call anywhere in one of the lists, or in a list of its own.
fn insertions(lists: &[Vec<usize>], call: usize) -> Vec<Vec<Vec<usize>>> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weak_orders_and_partitions_are_counted_right() {
        // One operation whose calls are told apart by nothing: compositions and partitions of n.
        assert_eq!(blocks(&[4], ArgClass::Order).len(), 8);
        assert_eq!(blocks(&[4], ArgClass::Equality).len(), 5);
        // Every operation called once: weak orders 1, 3, 13, 75 and Bell numbers 1, 2, 5, 15.
        let ones = |n: usize| vec![1; n];
        assert_eq!(
            (1..5).map(|n| blocks(&ones(n), ArgClass::Order).len()).collect::<Vec<_>>(),
            [1, 3, 13, 75]
        );
        assert_eq!(
            (1..5).map(|n| blocks(&ones(n), ArgClass::Equality).len()).collect::<Vec<_>>(),
            [1, 2, 5, 15]
        );
    }

    #[test]
    fn sets_of_lists_are_counted_right() {
        let mut lists = vec![Vec::new()];
        let mut counts = Vec::new();
        for c in 0..5 {
            lists = lists.into_iter().flat_map(|l: Vec<Vec<usize>>| insertions(&l, c)).collect();
            counts.push(lists.len());
        }
        assert_eq!(counts, [1, 3, 13, 73, 501]);
    }

    #[test]
    fn multisets_have_the_size_asked_for() {
        assert_eq!(multisets(2, &Bound::Total(3), 3).len(), 4);
        assert_eq!(multisets(2, &Bound::Each(vec![5, 4]), 9), [vec![5, 4]]);
        assert!(multisets(2, &Bound::Each(vec![1, 1]), 3).is_empty());
    }
}
