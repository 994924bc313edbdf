//! Barriers on random programs: one order of arrival for all, and every order.
//!
//! Each complete graph up to the order of arrival is found, once, and a failure iff there is one.
//! `LINEAL_FULL=1` runs many more, from a fresh seed that is printed; `LINEAL_SEED=n` repeats it.

use crate::reductions::{LARGE, fails, recorded};
use crate::script::random;
use crate::script::twin::{ALL, Run, full, run, seed};
use crate::script::{At, Script};
use lineal_check::graph::Options;
use lineal_check::seeded::{self, Bug};
use lineal_model::{Effort, Memory};
use lineal_sweep::{Choices, smallest};
use std::collections::{BTreeMap, BTreeSet};

/// A complete graph up to the order in which threads arrive at the barrier.
fn unordered(key: &str) -> String {
    let At::Global(barrier) = random::BARRIER else { unreachable!("a global") };
    let barrier = format!("{:x}", crate::script::global(barrier).0);
    let (events, orders) = key.split_once('|').unwrap_or((key, ""));
    let event = |e: &str| match e.split_once('@') {
        Some((what, rest)) if rest.split('=').next() == Some(&barrier) => what.to_string(),
        _ => e.to_string(),
    };
    let order = |o: &str| match o.split_once(':') {
        Some((cell, writes)) if cell == barrier => {
            let mut writes: Vec<&str> = writes.split(',').collect();
            writes.sort_unstable();
            writes.join(",")
        }
        _ => o.to_string(),
    };
    let events: Vec<String> = events.split(';').map(event).collect();
    let orders: Vec<String> = orders.split('|').map(order).collect();
    format!("{}|{}", events.join(";"), orders.join("|"))
}

/// What is wrong with one order of arrival for all: each graph up to that order must be found, and
/// once, and failures as without.
fn met(script: &Script, memory: Memory, n: u64, tally: &mut BTreeMap<&str, u64>) -> Result<(), String> {
    let plain = run(script, memory, Options::default(), LARGE);
    let Some(expected) = fails(&plain) else { return Ok(()) };
    let jobs = if n.is_multiple_of(5) { 2 } else { 1 };
    let rest = n.is_multiple_of(3);
    let options = Options { arrivals: true, waits: rest, iterations: rest, ..Options::default() };
    let reduced = run(script, memory, options, Effort { seed: n, jobs, ..LARGE });
    let Some(found) = fails(&reduced) else { return Err("the reduced search is larger".into()) };
    if found != expected {
        return Err(format!(
            "fails: {expected}, reduced: {found}: {:?} {:?}",
            plain.finding.verdict, reduced.finding.verdict
        ));
    }
    *tally.entry("programs").or_default() += 1;
    if found {
        *tally.entry("failing").or_default() += 1;
        return Ok(());
    }
    let classes = |r: &Run| r.leaves.iter().map(|key| unordered(key)).collect::<BTreeSet<String>>();
    let (all, some) = (classes(&plain), classes(&reduced));
    if all != some {
        let lost = all.difference(&some).next();
        return Err(format!(
            "{} graphs of {}, lost {lost:?}, from {:?}",
            some.len(),
            all.len(),
            some.first()
        ));
    }
    let crowded = reduced.leaves.len() == plain.leaves.len();
    if some.len() != reduced.leaves.len() && !crowded {
        return Err(format!("{} graphs, {} of them different", reduced.leaves.len(), some.len()));
    }
    let outcomes = |r: &Run| r.finding.outcomes.keys().cloned().collect::<BTreeSet<String>>();
    if outcomes(&plain) != outcomes(&reduced) {
        return Err(format!("outcomes {:?}, reduced {:?}", outcomes(&plain), outcomes(&reduced)));
    }
    *tally.entry("graphs").or_default() += plain.leaves.len() as u64;
    *tally.entry("reduced").or_default() += reduced.leaves.len() as u64;
    *tally.entry("blocked").or_default() += plain.finding.stats.blocked;
    *tally.entry("blocked, reduced").or_default() += reduced.finding.stats.blocked;
    Ok(())
}

#[test]
fn arrivals_in_one_order() {
    let count = if full() { 40_000 } else { 500 };
    let first = seed();
    let mut tally = BTreeMap::new();
    let make = |choices: &mut Choices| recorded(random::meetings(choices));
    for n in 0..count {
        let choices = &mut Choices::new(first.wrapping_mul(29_000_017) + n);
        let script = make(choices);
        let memory = ALL[n as usize % 4];
        if met(&script, memory, n, &mut tally).is_err() {
            let wrong = |s: &Script| met(s, memory, n, &mut BTreeMap::new()).err();
            let what = smallest(choices.made(), make, |s| format!("{s:?}"), wrong);
            panic!("{n} (seed {first}) {memory}: {what}");
        }
    }
    println!("{tally:?}");
    assert!(tally["programs"] * 3 > count * 2, "too many programs are too large");
    assert!(tally["failing"] * 10 < tally["programs"] * 7, "too many programs fail");
    assert!(tally["reduced"] * 2 < tally["graphs"], "nothing is reduced");
}

#[test]
fn broken_barriers_are_caught() {
    for bug in [Bug::MeetsAnyway, Bug::GoesOnLast] {
        let compared = |n: u64| {
            let script = recorded(random::meetings(&mut Choices::new(31_000_003 + n)));
            met(&script, ALL[n as usize % 4], n, &mut BTreeMap::new())
        };
        let notices = |n: u64| seeded::with(bug, || compared(n)).is_err();
        match (0..20_000).find(|&n| notices(n)) {
            Some(n) => println!("{bug:?}: caught by program {n}"),
            None => panic!("{bug:?} goes unnoticed"),
        }
    }
}
