//! With fairness: sets of points of which each reaches each other, and what is owed in them.

use super::{Points, is_strong};
use lineal_model::process::Fairness;
use std::collections::BTreeSet;

type Set = BTreeSet<usize>;

/// Whether some fair run violates the formula.
pub fn violated_fairly(points: &Points, fairness: Fairness) -> bool {
    let start: Set = points.start.iter().copied().collect();
    let everything: Set = (0..points.next.len()).collect();
    points.faults || any_fair(points, fairness, &forward(points, &everything, &start))
}

/// Whether a fair run can stay within some of these for ever.
fn any_fair(points: &Points, fairness: Fairness, among: &Set) -> bool {
    let mut left = among.clone();
    while let Some(&one) = left.first() {
        // Whatever lies between two points of a component lies ahead of both.
        let ahead = forward(points, among, &[one].into());
        let behind = backward(points, &ahead, one);
        let component: Set = ahead.intersection(&behind).copied().collect();
        left.retain(|p| !component.contains(p) && *p != one);
        if is_cyclic(points, &component) && around(points, fairness, &component) {
            return true;
        }
    }
    false
}

fn forward(points: &Points, among: &Set, from: &Set) -> Set {
    let mut seen: Set = from.clone();
    let mut open: Vec<usize> = from.iter().copied().collect();
    while let Some(p) = open.pop() {
        for (to, _) in &points.next[p] {
            if among.contains(to) && seen.insert(*to) {
                open.push(*to);
            }
        }
    }
    seen
}

fn backward(points: &Points, among: &Set, to: usize) -> Set {
    let mut seen: Set = [to].into();
    loop {
        let more: Vec<usize> = among
            .iter()
            .copied()
            .filter(|p| !seen.contains(p) && points.next[*p].iter().any(|(n, _)| seen.contains(n)))
            .collect();
        if more.is_empty() {
            return seen;
        }
        seen.extend(more);
    }
}

fn is_cyclic(points: &Points, component: &Set) -> bool {
    component.iter().any(|p| points.next[*p].iter().any(|(n, _)| component.contains(n)))
}

/// Whether a fair run goes around in a component, or in a part of it.
fn around(points: &Points, fairness: Fairness, component: &Set) -> bool {
    if !points.often.iter().all(|often| component.iter().any(|p| often[*p])) {
        return false;
    }
    let inside = component.iter().flat_map(|p| &points.next[*p]).filter(|(n, _)| component.contains(n));
    let served: BTreeSet<&String> = inside.flat_map(|(_, s)| s).collect();
    let everyone: BTreeSet<&String> = component.iter().flat_map(|p| &points.enabled[*p]).collect();
    for party in everyone {
        if served.contains(party) {
            continue;
        }
        let enables = |p: &usize| points.enabled[*p].contains(party);
        if is_strong(fairness, party) {
            let rest: Set = component.iter().copied().filter(|p| !enables(p)).collect();
            return any_fair(points, fairness, &rest);
        }
        if component.iter().all(enables) {
            return false;
        }
    }
    true
}
