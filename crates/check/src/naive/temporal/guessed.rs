//! With fairness, without components: who among the strong parties is owed nothing from some point on is
//! guessed, in every way. The rest of the run keeps away from points that owe them something, and must
//! again and again serve each of the others, and again and again see each weak party served or owed
//! nothing. For one guess that is a plain nested search.

use super::{Points, is_strong};
use lineal_model::process::Fairness;
use std::collections::{BTreeSet, HashSet};

/// Parties that guesses are made about, at most.
const PARTIES: usize = 6;

/// Whether some fair run violates the formula; `None` if too many are concerned.
pub fn violated_as_guessed(points: &Points, fairness: Fairness) -> Option<bool> {
    if points.faults {
        return Some(true);
    }
    let everyone: BTreeSet<&String> = points.enabled.iter().flatten().collect();
    let (strong, weak): (Vec<_>, Vec<_>) = everyone.into_iter().partition(|p| is_strong(fairness, p));
    if strong.len() > PARTIES || weak.len() > 2 * PARTIES {
        return None;
    }
    let from_start = reach(points.start.clone(), |p| points.next[p].iter().map(|(to, _)| *to).collect());
    Some((0..1u32 << strong.len()).any(|guess| {
        let (none, some): (Vec<_>, Vec<_>) =
            (0..strong.len()).map(|i| (strong[i], guess >> i & 1 == 1)).partition(|(_, none)| *none);
        let away = |p: usize| none.iter().all(|(party, _)| !points.enabled[p].contains(*party));
        // Whether a step counts for the condition of that number.
        let counts = |p: usize, serves: &BTreeSet<String>, condition: usize| -> bool {
            if let Some(often) = points.often.get(condition) {
                return often[p];
            }
            let condition = condition - points.often.len();
            if let Some((party, _)) = some.get(condition) {
                return serves.contains(*party);
            }
            let party = weak[condition - some.len()];
            serves.contains(party) || !points.enabled[p].contains(party)
        };
        let conditions = points.often.len() + some.len() + weak.len();
        // A point, and the condition that is waited for; the last number is the round.
        let next = |(p, waits): (usize, usize)| -> Vec<(usize, usize)> {
            let waits = if waits == conditions { 0 } else { waits };
            let after = |(to, serves): &(usize, BTreeSet<String>)| {
                let seen = waits == conditions || counts(p, serves, waits);
                (*to, if seen { (waits + 1).min(conditions) } else { waits })
            };
            points.next[p].iter().filter(|(to, _)| away(*to)).map(after).collect()
        };
        let starts: Vec<_> = from_start.iter().filter(|p| away(**p)).map(|p| (*p, 0)).collect();
        let rounds = reach(starts, next);
        rounds
            .into_iter()
            .filter(|(_, w)| *w == conditions)
            .any(|round| reach(next(round), next).contains(&round))
    }))
}

fn reach<T: Copy + Eq + std::hash::Hash>(from: Vec<T>, next: impl Fn(T) -> Vec<T>) -> HashSet<T> {
    let mut seen: HashSet<T> = from.iter().copied().collect();
    let mut open = from;
    while let Some(node) = open.pop() {
        for to in next(node) {
            if seen.insert(to) {
                open.push(to);
            }
        }
    }
    seen
}
