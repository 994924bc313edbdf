//! Without fairness: a plain nested search (Courcoubetis, Vardi, Wolper, Yannakakis 1992). The conditions
//! are waited for one after the other; whoever has seen them all is at a *round*. From each round
//! that can be reached it is asked whether it can be reached from itself.

use super::Points;
use std::collections::HashSet;

/// Whether some run violates the formula.
pub fn violated(points: &Points) -> bool {
    let rounds = points.often.len() + 1;
    // A point and which condition is waited for; the last one is the round.
    let next = |(point, waits): (usize, usize)| -> Vec<(usize, usize)> {
        let waits = if waits + 1 == rounds { 0 } else { waits };
        let seen = waits + 1 == rounds || points.often[waits][point];
        let then = if seen { (waits + 1).min(rounds - 1) } else { waits };
        points.next[point].iter().map(|(to, _)| (*to, then)).collect()
    };
    let reach = |from: Vec<(usize, usize)>| -> HashSet<(usize, usize)> {
        let mut seen: HashSet<(usize, usize)> = from.iter().copied().collect();
        let mut open = from;
        while let Some(node) = open.pop() {
            for to in next(node) {
                if seen.insert(to) {
                    open.push(to);
                }
            }
        }
        seen
    };
    let all = reach(points.start.iter().map(|p| (*p, 0)).collect());
    let mut rounds: Vec<(usize, usize)> = all.into_iter().filter(|(_, w)| w + 1 == rounds).collect();
    rounds.sort_unstable();
    points.faults || rounds.into_iter().any(|round| reach(next(round)).contains(&round))
}
