//! The algorithm of RELINCHE (POPL 2025) as published, in two phases: first the specification
//! alone, with every minimal way to constrain its clients; then each execution against it.
//!
//! Kept to be compared with [`crate::conform`], which enumerates nothing up front. Exponential in
//! the number of calls; three or four are enough for a comparison.

use crate::replay::calls::{Wanted, permutations, readings};
use lineal_model::object::Outcome;
use std::collections::{BTreeMap, BTreeSet};

type Pairs = BTreeSet<(usize, usize)>;

const RUNS: &str = "a specification that can be run";

/// An observation of the specification: answers, and which calls synchronise with which.
type Observed = (Vec<Outcome>, Pairs);

/// What the first phase finds: the sets of edges that contradict every order behind an
/// observation, or behind a weaker one.
#[derive(Debug)]
pub struct Analysis {
    extensions: BTreeMap<Observed, Vec<Pairs>>,
}

/// The first phase.
pub fn analyse(wanted: Wanted<'_>) -> Analysis {
    let n = wanted.client.calls.len();
    let mut orders: BTreeMap<Observed, BTreeSet<Vec<usize>>> = BTreeMap::new();
    permutations(n, &mut |order| {
        for outcomes in answers(wanted, order) {
            for pairs in readings(wanted, &outcomes, order).expect(RUNS) {
                let key = (outcomes.clone(), pairs.into_iter().collect());
                orders.entry(key).or_default().insert(order.to_vec());
            }
        }
        false
    });
    let all: Vec<(usize, usize)> =
        (0..n).flat_map(|i| (0..n).filter(move |&j| j != i).map(move |j| (i, j))).collect();
    let mut extensions = BTreeMap::new();
    for (outcomes, so) in orders.keys() {
        let weaker = orders.iter().filter(|(k, _)| k.0 == *outcomes && k.1.is_subset(so));
        let linearizations: Vec<Vec<usize>> = weaker.flat_map(|(_, set)| set.iter().cloned()).collect();
        let mut sets = BTreeSet::new();
        contradict(&Pairs::new(), &all, &linearizations, &mut sets);
        let minimal =
            sets.iter().filter(|s| !sets.iter().any(|t| t != *s && t.is_subset(s))).cloned().collect();
        extensions.insert((outcomes.clone(), so.clone()), minimal);
    }
    Analysis { extensions }
}

/// `CalcExts`: the additions from `edges` to `chosen` that contradict every order.
fn contradict(chosen: &Pairs, edges: &[(usize, usize)], orders: &[Vec<usize>], found: &mut BTreeSet<Pairs>) {
    if orders.is_empty() {
        found.insert(chosen.clone());
        return;
    }
    let before = |order: &[usize], a: usize, b: usize| {
        order.iter().position(|&c| c == a) < order.iter().position(|&c| c == b)
    };
    let useful: Vec<(usize, usize)> = edges
        .iter()
        .copied()
        .filter(|&(i, j)| orders.iter().any(|o| before(o, j, i)))
        .filter(|&(i, j)| !closure(chosen).contains(&(i, j)) && !closure(chosen).contains(&(j, i)))
        .collect();
    for (k, &(i, j)) in useful.iter().enumerate() {
        let mut more = chosen.clone();
        more.insert((i, j));
        let left: Vec<Vec<usize>> = orders.iter().filter(|o| before(o, i, j)).cloned().collect();
        contradict(&more, &useful[k + 1..], &left, found);
    }
}

fn closure(pairs: &Pairs) -> Pairs {
    let mut all = pairs.clone();
    loop {
        let more: Vec<(usize, usize)> = all
            .iter()
            .flat_map(|&(a, b)| all.iter().filter(move |p| p.0 == b).map(move |p| (a, p.1)))
            .filter(|p| !all.contains(p))
            .collect();
        if more.is_empty() {
            return all;
        }
        all.extend(more);
    }
}

/// The answers that the calls may give in this order.
fn answers(wanted: Wanted<'_>, order: &[usize]) -> Vec<Vec<Outcome>> {
    let calls = &wanted.client.calls;
    let most = calls.len() as i64;
    // Counters go up and down by one.
    let mut numbers: BTreeSet<i64> = (-most..=most).collect();
    numbers.extend(calls.iter().flat_map(|c| [c.value, c.key, c.prio]).flatten());
    let possible: Vec<Outcome> = [Outcome::Nothing, Outcome::Empty]
        .into_iter()
        .chain(numbers.into_iter().map(Outcome::Value))
        .collect();
    let mut all = vec![vec![Outcome::Nothing; calls.len()]];
    for k in 1..=order.len() {
        let c = order[k - 1];
        let operation = &wanted.object.operations[calls[c].operation];
        // Who answers nothing may still find no room.
        let may = |o: &Outcome| match o {
            Outcome::Nothing => operation.answer.is_none(),
            Outcome::Empty => operation.answer.is_some() || operation.empty_if.is_some(),
            Outcome::Value(_) => operation.answer.is_some(),
        };
        let mut next = Vec::new();
        for outcomes in &all {
            for &outcome in possible.iter().filter(|o| may(o)) {
                let mut tried = outcomes.clone();
                tried[c] = outcome;
                if !readings(wanted, &tried, &order[..k]).expect(RUNS).is_empty() {
                    next.push(tried);
                }
            }
        }
        all = next;
    }
    all
}

/// The second phase for one execution: its answers, which calls see which, and which sets of
/// edges it allows.
pub fn conforms(
    analysis: &Analysis,
    outcomes: &[Outcome],
    sees: &dyn Fn(usize, usize) -> bool,
    allows: &dyn Fn(&Pairs) -> bool,
) -> bool {
    let fitting: Vec<(&Pairs, &Vec<Pairs>)> = analysis
        .extensions
        .iter()
        .filter(|((o, so), _)| o == outcomes && so.iter().all(|&(i, j)| sees(i, j)))
        .map(|((_, so), sets)| (so, sets))
        .collect();
    if fitting.is_empty() {
        return false;
    }
    let strongest = fitting.iter().filter(|(so, _)| !fitting.iter().any(|(t, _)| t != so && so.is_subset(t)));
    // More edges are never allowed where fewer are not, so sets that cannot be are dropped on the
    // way, and so are sets that contain another one.
    let mut combined = BTreeSet::from([Pairs::new()]);
    for (_, sets) in strongest {
        let mut next: BTreeSet<Pairs> = BTreeSet::new();
        for set in
            combined.iter().flat_map(|a| sets.iter().map(move |b| a.union(b).copied().collect::<Pairs>()))
        {
            if !next.iter().any(|t| t.is_subset(&set)) && is_order(&set) && allows(&set) {
                next.retain(|t| !set.is_subset(t));
                next.insert(set);
            }
        }
        combined = next;
    }
    combined.is_empty()
}

/// Edges in a circle cannot be made by any client.
fn is_order(pairs: &Pairs) -> bool {
    closure(pairs).iter().all(|&(a, b)| a != b)
}
