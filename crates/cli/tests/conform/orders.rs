//! Clients by name: every partial order of some calls, and every way to let threads make them.

use lineal_check::replay::calls::permutations;
use lineal_model::object::{ArgClass, Client, Object};
use std::collections::{BTreeSet, HashSet};

/// A partial order of calls, by its covering pairs.
pub type Order = Vec<(usize, usize)>;

/// Every partial order of `0..n`, the emptiest first. `below[j]` has `i` iff `i` comes before `j`.
pub fn orders(n: usize) -> Vec<Order> {
    let mut all: Vec<Vec<u32>> = vec![Vec::new()];
    for new in 0..n {
        let mut more = Vec::new();
        for below in &all {
            // What comes before the new one, and what after: each of those before each of these.
            for (before, after) in (0..1u32 << new).flat_map(|b| (0..1u32 << new).map(move |a| (b, a))) {
                let is = |set: u32, c: usize| set >> c & 1 == 1;
                let fits = (0..new).all(|c| {
                    (!is(before, c) || below[c] & !before == 0)
                        && (!is(after, c) || before & !below[c] == 0)
                        && (is(after, c) || below[c] & after == 0)
                });
                if before & after == 0 && fits {
                    let later = |c: usize| if is(after, c) { 1 << new } else { 0 };
                    let old = below.iter().enumerate().map(|(c, &row)| row | later(c));
                    more.push(old.chain([before]).collect());
                }
            }
        }
        all = more;
    }
    all.sort_by_key(|below: &Vec<u32>| below.iter().map(|row| row.count_ones()).sum::<u32>());
    all.iter().map(|below| covering(below)).collect()
}

fn covering(below: &[u32]) -> Order {
    let has = |i: usize, j: usize| below[j] >> i & 1 == 1;
    let n = below.len();
    let pairs = (0..n).flat_map(|i| (0..n).map(move |j| (i, j)));
    pairs.filter(|&(i, j)| has(i, j) && !(0..n).any(|k| has(i, k) && has(k, j))).collect()
}

#[test]
fn partial_orders_are_counted_right() {
    assert_eq!((1..=5).map(|n| orders(n).len()).collect::<Vec<_>>(), [1, 3, 19, 219, 4231]);
    let all: HashSet<Order> = orders(4).into_iter().collect();
    assert_eq!(all.len(), 219);
    assert!(orders(4)[0].is_empty());
}

/// One of the orders for all that differ by exchanging calls nobody can tell apart: equal ones,
/// and under independent arguments those of one operation. The code only moves such arguments
/// about, so exchanging them maps the executions of the one client to those of the other, and
/// neither an abstract type nor a level knows an argument by name.
pub fn up_to_exchange(object: &Object, client: &Client, orders: Vec<Order>) -> Vec<Order> {
    let n = client.calls.len();
    let alike = |a: usize, b: usize| match object.args {
        Some(ArgClass::Independent) if object.values.is_none() => {
            client.calls[a].operation == client.calls[b].operation
        }
        _ => client.calls[a] == client.calls[b],
    };
    let mut exchanges = Vec::new();
    permutations(n, &mut |order| {
        if (0..n).all(|c| alike(c, order[c])) {
            exchanges.push(order.to_vec());
        }
        false
    });
    let least = |order: &Order| {
        let exchanged = |with: &Vec<usize>| -> BTreeSet<(usize, usize)> {
            order.iter().map(|&(i, j)| (with[i], with[j])).collect()
        };
        exchanges.iter().map(exchanged).min()
    };
    let mut seen = HashSet::new();
    orders.into_iter().filter(|order| seen.insert(least(order))).collect()
}

#[test]
fn exchanged_orders_are_counted_right() {
    use super::{Subject, objects};
    let counts = |name: &str, size: usize| -> Vec<usize> {
        let all = objects::all();
        let subject = Subject::new(all.iter().find(|o| o.0 == name).unwrap().1.plain());
        let object = &subject.loaded.compiled.object;
        subject.clients(size).iter().map(|c| up_to_exchange(object, c, orders(size)).len()).collect()
    };
    // Orders of nameless things are counted 1, 2, 5, 16.
    assert_eq!(counts("treiber", 3)[2..], [5, 5]);
    assert!(counts("treiber", 4).contains(&16));
    // `add(0) || add(1) || remove(0)` and others of three different calls: every order.
    assert!(counts("flags", 3).contains(&19));
}

/// The ways to let threads make the calls: each thread makes calls that come one after another
/// in the order anyway.
pub fn threads(n: usize, waits: &[(usize, usize)], several: bool) -> Vec<Vec<Vec<usize>>> {
    let alone: Vec<Vec<usize>> = (0..n).map(|c| vec![c]).collect();
    if !several {
        return vec![alone];
    }
    // Which calls come before each: waits are covering pairs, so n rounds close them.
    let mut below = vec![0u32; n];
    for _ in 0..n {
        waits.iter().for_each(|&(i, j)| below[j] |= below[i] | 1 << i);
    }
    let before = |i: usize, j: usize| below[j] >> i & 1 == 1;
    let mut all: Vec<Vec<Vec<usize>>> = vec![Vec::new()];
    for c in 0..n {
        let mut more = Vec::new();
        for lists in all {
            for l in 0..lists.len() {
                if lists[l].iter().all(|&d| before(c, d) || before(d, c)) {
                    let mut longer = lists.clone();
                    let at = longer[l].iter().position(|&d| before(c, d)).unwrap_or(longer[l].len());
                    longer[l].insert(at, c);
                    more.push(longer);
                }
            }
            more.push([&lists[..], &[vec![c]]].concat());
        }
        all = more;
    }
    all.sort_by_key(|lists| std::cmp::Reverse(lists.len()));
    all
}

/// Every order of the threads.
pub fn numberings(threads: Vec<Vec<usize>>) -> Vec<Vec<Vec<usize>>> {
    let mut all = Vec::new();
    lineal_check::replay::calls::permutations(threads.len(), &mut |order| {
        all.push(order.iter().map(|&t| threads[t].clone()).collect());
        false
    });
    all
}

#[test]
fn threads_are_counted_right() {
    // One after another, calls may be grouped in every way: Bell numbers.
    let chain = |n: usize| (1..n).map(|j| (j - 1, j)).collect::<Vec<_>>();
    assert_eq!((1..=5).map(|n| threads(n, &chain(n), true).len()).collect::<Vec<_>>(), [1, 2, 5, 15, 52]);
    assert_eq!(threads(4, &[(0, 1), (2, 3)], true).len(), 4);
    assert_eq!(threads(3, &[(2, 1), (1, 0)], true).last().unwrap(), &[vec![2, 1, 0]]);
}
