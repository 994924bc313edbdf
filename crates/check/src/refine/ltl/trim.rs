//! An automaton without what is of no use: states without an accepted word, as far as the shape of the
//! automaton tells (that some conditions exclude each other is not looked at), and copies, which have
//! the same edges.

use super::automaton::{Automaton, Edge, StateId};
use rustc_hash::FxHashMap;

pub fn trimmed(automaton: Automaton) -> Automaton {
    let components = components(&automaton);
    let mut hopeful = vec![false; automaton.edges.len()];
    let mut finite = true;
    for component in &components {
        let inside = |s: StateId| component.contains(&s);
        let within = || component.iter().flat_map(|s| &automaton.edges[*s as usize]).filter(|e| inside(e.to));
        let accepts = within().next().is_some() && within().fold(0, |m, e| m | e.marks) == automaton.marks;
        // Components come after those that they lead to.
        let leads =
            component.iter().flat_map(|s| &automaton.edges[*s as usize]).any(|e| hopeful[e.to as usize]);
        finite &= !accepts || automaton.sink.is_some_and(inside);
        if accepts || leads {
            component.iter().for_each(|s| hopeful[*s as usize] = true);
        }
    }
    let kept: Vec<Vec<Edge>> = automaton
        .edges
        .iter()
        .map(|edges| edges.iter().filter(|e| hopeful[e.to as usize]).cloned().collect())
        .collect();
    merged(Automaton { edges: kept, finite, ..automaton })
}

/// States with the same edges are one; the sink stays by itself.
fn merged(automaton: Automaton) -> Automaton {
    let n = automaton.edges.len();
    let mut class: Vec<StateId> =
        (0..n as StateId).map(|s| StateId::from(Some(s) == automaton.sink)).collect();
    loop {
        let mut ids: FxHashMap<(StateId, Vec<Edge>), StateId> = FxHashMap::default();
        let mut next = Vec::new();
        for s in 0..n {
            let mut edges: Vec<Edge> =
                automaton.edges[s].iter().map(|e| Edge { to: class[e.to as usize], ..e.clone() }).collect();
            edges.sort();
            edges.dedup();
            let fresh = ids.len() as StateId;
            next.push(*ids.entry((class[s], edges)).or_insert(fresh));
        }
        let classes = ids.len();
        let stable = classes == class.iter().max().map_or(0, |m| *m as usize + 1) && {
            // As many classes as before: nothing was split.
            let mut pairs: Vec<_> = class.iter().zip(&next).collect();
            pairs.sort();
            pairs.dedup();
            pairs.len() == classes
        };
        class = next;
        if stable {
            let mut edges = vec![Vec::new(); classes];
            for (s, to) in class.iter().enumerate() {
                let mut mine: Vec<Edge> = automaton.edges[s]
                    .iter()
                    .map(|e| Edge { to: class[e.to as usize], ..e.clone() })
                    .collect();
                mine.sort();
                mine.dedup();
                edges[*to as usize] = mine;
            }
            return Automaton {
                edges,
                initial: class[automaton.initial as usize],
                sink: automaton.sink.map(|s| class[s as usize]),
                ..automaton
            };
        }
    }
}

/// Strongly connected components, each after those it leads to (Tarjan).
fn components(automaton: &Automaton) -> Vec<Vec<StateId>> {
    let n = automaton.edges.len();
    let (mut index, mut low, mut on) = (vec![0u32; n], vec![0u32; n], vec![false; n]);
    let (mut stack, mut found, mut count) = (Vec::new(), Vec::new(), 0);
    for start in 0..n {
        if index[start] != 0 {
            continue;
        }
        let mut path = vec![(start, 0)];
        while let Some((s, next)) = path.last_mut() {
            let s = *s;
            if *next == 0 {
                count += 1;
                (index[s], low[s], on[s]) = (count, count, true);
                stack.push(s as StateId);
            }
            match automaton.edges[s].get(*next) {
                Some(edge) => {
                    *next += 1;
                    let to = edge.to as usize;
                    if index[to] == 0 {
                        path.push((to, 0));
                    } else if on[to] {
                        low[s] = low[s].min(index[to]);
                    }
                }
                None => {
                    path.pop();
                    if let Some((parent, _)) = path.last() {
                        low[*parent] = low[*parent].min(low[s]);
                    }
                    if low[s] == index[s] {
                        let at = stack.iter().position(|t| *t as usize == s).expect("on the stack");
                        let component = stack.split_off(at);
                        component.iter().for_each(|t| on[*t as usize] = false);
                        found.push(component);
                    }
                }
            }
        }
    }
    found
}
