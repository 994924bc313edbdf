//! More constrained clients: is there a set H of edges end(i)→begin(j) that the execution allows
//! and no order explains?
//!
//! A client's executions are those of the most parallel one plus such edges (RELINCHE, POPL
//! 2025), so this settles every client at once. [`Search::refute`] needs no list of edge sets: an
//! order ℓ that explains the execution under H also explains it under every larger set that does
//! not contradict ℓ, so a violating set above H must contain one of the edges K that contradict ℓ.
//! After an edge of K was tried, sets that contain it need not be looked at again.
//!
//! The same holds of layers, all of whose orders explain the execution: a set of edges none of
//! which leads from a layer to an earlier one has an order that goes layer by layer.
//!
//! Deviation from the paper: edges of the client count as happens-before when the orders are
//! asked whether enough calls synchronise, since nobody can tell who provided it.

use super::masks::{bits, contradicting, contradictions};
use super::observe::{Back, MAX_CALLS, Mask, Observation};
use super::orders::{Bounds, Orders};
use super::spec::Spec;
use crate::seeded::{self, Bug};

/// A set of edges: `into[j]` has `i` iff end(i)→begin(j).
pub use crate::replay::calls::Edges;

/// Which sets of edges an execution allows.
pub trait Extensions {
    fn allows(&self, edges: &Edges) -> bool;
    /// Whether the execution allows the edge end(i)→begin(j) by itself, of `n` calls.
    fn allows_one(&self, i: usize, j: usize, n: usize) -> bool {
        let mut edges = vec![0; n];
        edges[j] = 1 << i;
        self.allows(&edges)
    }
    /// `hb` with the edges added: `result[j]` has `i` iff begin(i) happens before end(j).
    fn happens_before(&self, edges: &Edges) -> Vec<Mask>;
}

/// So many edges are tried faster one by one.
const FEW: usize = 6;

pub struct Search<'a, S: Spec, E: Extensions + ?Sized> {
    pub orders: Orders<'a, S>,
    pub observation: &'a Observation,
    pub extensions: &'a E,
    /// Layers found on the way here, under the edges of now or fewer.
    seen: Vec<Vec<Mask>>,
    /// Nodes of the search.
    pub nodes: u64,
    /// Calls must see what the level says.
    pub synchronised: bool,
    /// No more edges than this.
    pub(super) deepest: u32,
}

impl<'a, S: Spec, E: Extensions + ?Sized> Search<'a, S, E> {
    pub fn new(orders: Orders<'a, S>, observation: &'a Observation, extensions: &'a E) -> Self {
        Search {
            orders,
            observation,
            extensions,
            seen: Vec::new(),
            nodes: 0,
            synchronised: true,
            deepest: u32::MAX,
        }
    }

    /// An order that explains the execution under the edges, if there is one.
    pub fn explain(&mut self, edges: &Edges, likely: &Edges, synchronised: bool) -> Option<Vec<usize>> {
        self.bounded(edges, likely, synchronised, |orders, bounds| orders.find(bounds))
    }

    fn bounded<T>(
        &mut self,
        edges: &Edges,
        likely: &Edges,
        synchronised: bool,
        find: impl FnOnce(&mut Orders<'a, S>, Bounds<'_>) -> T,
    ) -> T {
        let first: Vec<Mask> = edges.iter().zip(&self.observation.before).map(|(a, b)| a | b).collect();
        let hb = self.extensions.happens_before(edges);
        let bounds = Bounds { first: &first, hb: synchronised.then_some(&hb[..]), edges: likely };
        find(&mut self.orders, bounds)
    }

    /// Whether some order gives the answers, if calls may come in any order at all.
    pub fn answers_fit(&mut self) -> bool {
        let none = vec![0; self.observation.hb.len()];
        self.orders.find(Bounds { first: &none, hb: None, edges: &none }).is_some()
    }

    /// The single edges that the execution allows.
    pub fn single(&self) -> Edges {
        let n = self.observation.hb.len();
        let possible = |i: usize, j: usize| {
            self.observation.before[j] >> i & 1 == 0 && self.extensions.allows_one(i, j, n)
        };
        let row = |j: usize| (0..n).filter(|&i| i != j && possible(i, j)).fold(0, |m, i| m | 1 << i);
        (0..n).map(row).collect()
    }

    /// A set of edges above `edges` that avoids `out`, is allowed, and leaves no order.
    pub fn refute(&mut self, edges: &Edges, open: &mut Edges) -> Option<Edges> {
        self.nodes += 1;
        if self.orders.is_over() {
            return None;
        }
        // More edges mean more happens-before, so what was enough under fewer is enough.
        let fits = |layers: &&Vec<Mask>| contradictions(layers, edges) == 0;
        let known = self.seen.iter().filter(fits).min_by_key(|layers| contradictions(layers, open));
        let layers = match known {
            Some(layers) => layers.clone(),
            None => match self.bounded(edges, open, self.synchronised, |orders, bounds| {
                // First an order that contradicts no edge whose reverse is out of the question.
                let n = bounds.first.len();
                let one_way =
                    |j: usize| (0..n).filter(|&i| open[i] >> j & 1 == 0).fold(0, |m: Mask, i| m | 1 << i);
                let first: Vec<Mask> =
                    (0..n).map(|j| bounds.first[j] | open[j] & one_way(j) & !(1 << j)).collect();
                orders
                    .find(Bounds { first: &first, ..bounds })
                    .or_else(|| orders.find(bounds))
                    .map(|order| orders.layers(&order, bounds, FEW))
            }) {
                Some(layers) => {
                    self.seen.push(layers.clone());
                    layers
                }
                None if self.orders.trouble.is_some() => return None,
                None => return Some(edges.clone()),
            },
        };
        if edges.iter().map(|row| row.count_ones()).sum::<u32>() >= self.deepest {
            return None;
        }
        let layers =
            if seeded::active(Bug::OneLayer) { vec![layers.iter().fold(0, |m, l| m | l)] } else { layers };
        let known_here = self.seen.len();
        let killers = contradicting(&layers, open);
        let mut closed = Vec::new();
        let mut found = None;
        for (i, j) in killers {
            let mut more = edges.clone();
            more[j] |= 1 << i;
            if self.extensions.allows(&more) {
                found = self.refute(&more, open);
                if found.is_some() {
                    break;
                }
            }
            open[j] &= !(1 << i);
            closed.push((i, j));
            self.seen.truncate(known_here);
        }
        for (i, j) in closed {
            open[j] |= 1 << i;
        }
        found
    }

    /// Drops edges as long as no order explains what is left.
    pub fn shrink(&mut self, mut edges: Edges) -> Edges {
        let n = edges.len();
        for j in 0..n {
            for i in 0..n {
                if edges[j] >> i & 1 == 1 {
                    let mut fewer = edges.clone();
                    fewer[j] &= !(1 << i);
                    if self.explain(&fewer, &vec![0; n], self.synchronised).is_none() {
                        edges = fewer;
                    }
                }
            }
        }
        edges
    }
}

/// Extensions decided on calls alone: see [`Back`].
pub struct OnCalls<'a> {
    pub hb: &'a [Mask],
    pub back: &'a Back,
}

impl Extensions for OnCalls<'_> {
    fn allows(&self, edges: &Edges) -> bool {
        let Back { segments, back, porf } = self.back;
        is_acyclic(edges, segments, back) && (porf.is_empty() || is_acyclic(edges, porf, porf))
    }
    fn allows_one(&self, i: usize, j: usize, _: usize) -> bool {
        let Back { back, porf, .. } = self.back;
        back[i] >> j & 1 == 0 && (porf.is_empty() || porf[i] >> j & 1 == 0)
    }
    fn happens_before(&self, edges: &Edges) -> Vec<Mask> {
        happens_before(edges, self.hb)
    }
}

/// No path of edges and segments leads from an end to a begin that leads `back` to that end.
pub fn is_acyclic(edges: &Edges, segments: &[Mask], back: &[Mask]) -> bool {
    let paths = paths(edges, segments);
    (0..edges.len()).all(|k| bits(paths[k]).all(|i| back[i] >> k & 1 == 0))
}

/// `hb` with the edges added.
pub fn happens_before(edges: &Edges, hb: &[Mask]) -> Vec<Mask> {
    let paths = paths(edges, hb);
    let through = |&row: &Mask| bits(row).flat_map(|k| bits(paths[k])).fold(row, |all, i| all | hb[i]);
    hb.iter().map(through).collect()
}

/// `paths[k]` has `i` iff end(i) leads to begin(k) by an edge, a segment, an edge, …, an edge.
fn paths(edges: &Edges, segments: &[Mask]) -> [Mask; MAX_CALLS] {
    let mut paths = [0; MAX_CALLS];
    paths[..edges.len()].copy_from_slice(edges);
    loop {
        let mut grew = false;
        for k in 0..edges.len() {
            let more = bits(edges[k]).flat_map(|l| bits(segments[l])).fold(paths[k], |all, j| all | paths[j]);
            grew |= more != paths[k];
            paths[k] = more;
        }
        if !grew {
            return paths;
        }
    }
}
