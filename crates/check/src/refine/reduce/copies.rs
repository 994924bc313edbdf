//! Equal processes: components of one `|||` that began as the same term, as in `|||{5}@P()`, may change
//! places.
//!
//! Theorem. `|||` does not look at the order of its operands, and labels do not say who took a step, so a
//! state and the state with two operands exchanged are strongly bisimilar, step by step with the same
//! label and fault. What tells components apart is only what other reductions know about each by its
//! place; of components that began as the same term they know the same, and nothing is private to one of
//! them, since what one touches the others do. So of all arrangements one is kept, that with the terms
//! in order.
//! Requires: a property that does not see who takes a step (no fairness) nor counts the states that one
//! label leads to (no determinism). The arrangement depends on the state alone, and on how terms are
//! numbered here: another process may keep another one, so states that are sent around
//! (`lineal_model::lts::Portable`) must not be arranged.

use lineal_model::process::Parallel;
use lineal_model::process::State;
use lineal_model::process::state::{ShapeId, ShapeKind};
use lineal_model::process::term::{TermId, Universe};

/// Which components are equal.
pub struct Copies {
    shape: ShapeId,
    /// Two or more places each, ascending.
    groups: Vec<Vec<usize>>,
}

impl Copies {
    /// `None` if there are no two.
    pub fn of(universe: &Universe, initial: &State) -> Option<Self> {
        let nodes = &universe.shape(initial.shape).nodes;
        let mut groups = Vec::new();
        collect(nodes, &mut 0, &mut 0, initial, &mut groups);
        (!groups.is_empty()).then_some(Copies { shape: initial.shape, groups })
    }

    pub fn is_arranged(&self, shape: ShapeId, leaves: &[TermId]) -> bool {
        let sorted = |group: &Vec<usize>| group.windows(2).all(|w| leaves[w[0]] <= leaves[w[1]]);
        shape != self.shape || self.groups.iter().all(sorted)
    }

    pub fn arrange(&self, shape: ShapeId, leaves: &mut [TermId]) {
        if self.is_arranged(shape, leaves) {
            return;
        }
        for group in &self.groups {
            let mut terms: Vec<TermId> = group.iter().map(|i| leaves[*i]).collect();
            terms.sort_unstable();
            group.iter().zip(terms).for_each(|(i, term)| leaves[*i] = term);
        }
    }
}

/// Walks the node at `at`; answers its place among the leaves if it is one.
fn collect(
    nodes: &[ShapeKind],
    at: &mut usize,
    leaf: &mut usize,
    initial: &State,
    groups: &mut Vec<Vec<usize>>,
) -> Option<usize> {
    let node = &nodes[*at];
    *at += 1;
    match node {
        ShapeKind::Leaf => {
            *leaf += 1;
            Some(*leaf - 1)
        }
        ShapeKind::Parallel(kind, _, n) => {
            let kids: Vec<Option<usize>> =
                (0..*n).map(|_| collect(nodes, at, leaf, initial, groups)).collect();
            if *kind == Parallel::Interleave {
                let mut places: Vec<usize> = kids.into_iter().flatten().collect();
                while let Some(first) = places.first().copied() {
                    let same = |i: &usize| initial.leaves[*i] == initial.leaves[first];
                    let group: Vec<usize> = places.iter().copied().filter(same).collect();
                    places.retain(|i| !same(i));
                    if group.len() > 1 {
                        groups.push(group);
                    }
                }
            }
            None
        }
        ShapeKind::Hide(_) | ShapeKind::Seq(_) | ShapeKind::Atomic => {
            collect(nodes, at, leaf, initial, groups);
            None
        }
    }
}
