//! A short run that shows what the search found: a way in, and a way around.
//!
//! The search goes depth first, so what it finds may be far away. Once there is something to find,
//! the product is walked again, breadth first and as far as a budget allows, and among the parts of it
//! around which an accepted, fair run can go, a short lasso is looked for: shortest way in to some node,
//! then always on to the nearest arc that is still missing, and back. That is the shortest there is
//! only if one arc is missing; which order of arcs is best would be a travelling salesman's question.

use super::fair::{Fair, Graph, Inside, Party, enabled, served};
use super::product::{Arc, NodeId, Product};
use super::search::Found;
use super::world::StepId;
use lineal_model::Observer;
use lineal_model::process::Fairness;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;
use std::collections::hash_map::Entry;

/// Steps of a run that goes around for ever.
#[derive(Clone, Debug)]
pub struct Lasso {
    pub prefix: Vec<StepId>,
    /// `None`: whatever follows the prefix, it is wrong already.
    pub cycle: Option<Vec<StepId>>,
}

impl Lasso {
    fn len(&self) -> usize {
        self.prefix.len() + self.cycle.as_ref().map_or(0, Vec::len)
    }
}

/// Nodes that are always worth walking again.
const FEW: usize = 20_000;
/// Parts that are tried, and work for the nodes of each.
const PARTS: usize = 16;
const WORK: usize = 200_000;

/// A short lasso for what was found.
pub fn shortest(product: &mut Product, fairness: Fairness, found: Found, watch: &dyn Observer) -> Lasso {
    let known = product.len();
    let ways = Ways::walk(product, FEW.max(known / 2), &found);
    match found {
        Found::Sunk(node) => {
            let node = ways.sunk.unwrap_or(node);
            let ways = if ways.has(node) { ways } else { Ways::again(product, known) };
            Lasso { prefix: ways.to(node), cycle: None }
        }
        Found::Around(part) => {
            let nodes = ways.order.clone();
            let parts = Graph::of(product, &nodes).components(&nodes);
            let mut best: Option<Lasso> = None;
            let mut tried = 0;
            for part in parts {
                if tried == PARTS {
                    break;
                }
                if let Inside::Fair(part) = Fair::inside(product, fairness, part, watch) {
                    tried += 1;
                    let lasso = around(product, fairness, &part, &ways);
                    if best.as_ref().is_none_or(|b| lasso.len() < b.len()) {
                        best = Some(lasso);
                    }
                }
            }
            best.unwrap_or_else(|| {
                let ways = Ways::again(product, known);
                around(product, fairness, &part, &ways)
            })
        }
        Found::Nothing | Found::Limit(_) => unreachable!("nothing was found"),
    }
}

/// Shortest ways from the beginning.
struct Ways {
    /// How each node is reached first.
    from: FxHashMap<NodeId, Option<(NodeId, StepId)>>,
    order: Vec<NodeId>,
    /// The first node behind which nothing matters.
    sunk: Option<NodeId>,
}

impl Ways {
    /// As far as `most` nodes, or the first that will do.
    fn walk(product: &mut Product, most: usize, found: &Found) -> Ways {
        let sunk = matches!(found, Found::Sunk(_));
        Ways::search(product, most, usize::MAX, sunk)
    }

    /// Through the nodes below this number, which the search has been to.
    fn again(product: &mut Product, known: usize) -> Ways {
        Ways::search(product, usize::MAX, known, false)
    }

    fn search(product: &mut Product, most: usize, below: usize, sunk: bool) -> Ways {
        let mut ways = Ways { from: FxHashMap::default(), order: product.initial(), sunk: None };
        ways.from.extend(ways.order.iter().map(|n| (*n, None)));
        let mut at = 0;
        while let Some(&node) = ways.order.get(at) {
            at += 1;
            if product.is_sunk(node) && sunk {
                ways.sunk = Some(node);
                break;
            }
            if ways.order.len() >= most {
                break;
            }
            if below != usize::MAX && !product.world.is_known(product.state(node)) {
                continue;
            }
            for arc in product.arcs(node) {
                if (arc.to as usize) < below && !ways.from.contains_key(&arc.to) {
                    ways.from.insert(arc.to, Some((node, arc.step)));
                    ways.order.push(arc.to);
                }
            }
        }
        ways
    }

    fn has(&self, node: NodeId) -> bool {
        self.from.contains_key(&node)
    }

    fn to(&self, node: NodeId) -> Vec<StepId> {
        let mut steps = Vec::new();
        let mut at = node;
        while let Some((before, step)) = self.from[&at] {
            steps.push(step);
            at = before;
        }
        steps.reverse();
        steps
    }
}

/// The best of some ways in and around.
fn around(product: &mut Product, fairness: Fairness, part: &[NodeId], ways: &Ways) -> Lasso {
    let graph = Graph::of(product, part);
    let inside: FxHashSet<NodeId> = part.iter().copied().collect();
    let entries: Vec<NodeId> = ways.order.iter().copied().filter(|n| inside.contains(n)).collect();
    let tries = (WORK / part.len().max(1)).clamp(1, 20);
    let lassos = entries.iter().take(tries).map(|entry| Lasso {
        prefix: ways.to(*entry),
        cycle: Some(Round { product, graph: &graph, fairness, entry: *entry }.steps()),
    });
    lassos.min_by_key(Lasso::len).expect("a part of the product can be reached")
}

/// A way around from a node back to itself.
struct Round<'r, 'p, 'w, 'u, 'm> {
    product: &'r Product<'p, 'w, 'u, 'm>,
    graph: &'r Graph,
    fairness: Fairness,
    entry: NodeId,
}

type Path = Vec<(NodeId, Arc)>;

impl Round<'_, '_, '_, '_, '_> {
    fn steps(&self) -> Vec<StepId> {
        let mut open: Path = Vec::new();
        loop {
            let at = open.last().map_or(self.entry, |(_, arc)| arc.to);
            let seen = open.iter().fold(0, |m, (_, arc)| m | arc.marks);
            let missing = self.product.automaton.marks & !seen;
            if missing != 0 {
                open.extend(self.nearest(at, |_, arc| arc.marks & missing != 0));
                continue;
            }
            let mut closed = open.clone();
            if at != self.entry || open.is_empty() {
                closed.extend(self.nearest(at, |_, arc| arc.to == self.entry));
            }
            let Some(party) = self.neglected(&closed) else {
                return closed.iter().map(|(_, arc)| arc.step).collect();
            };
            let world = &self.product.world;
            open.extend(self.nearest(at, |_, arc| {
                served(world, self.fairness, arc.step).contains(&party)
                    || (!party.is_strong(self.fairness)
                        && !enabled(world, self.fairness, self.product.state(arc.to)).contains(&party))
            }));
        }
    }

    /// Someone whom going around like this would neglect.
    fn neglected(&self, path: &Path) -> Option<Party> {
        let world = &self.product.world;
        let done: FxHashSet<Party> =
            path.iter().flat_map(|(_, arc)| served(world, self.fairness, arc.step)).collect();
        let enabled = |n: &NodeId| enabled(world, self.fairness, self.product.state(*n));
        let mut owed = enabled(&path[0].0);
        for (node, _) in &path[1..] {
            let here = enabled(node);
            owed.retain(|p| p.is_strong(self.fairness) || here.contains(p));
            owed.extend(here.into_iter().filter(|p| p.is_strong(self.fairness)));
        }
        owed.into_iter().filter(|p| !done.contains(p)).min()
    }

    /// The shortest path whose last arc will do.
    fn nearest(&self, from: NodeId, will_do: impl Fn(NodeId, &Arc) -> bool) -> Path {
        let mut came: FxHashMap<NodeId, Option<(NodeId, Arc)>> = FxHashMap::from_iter([(from, None)]);
        let mut queue = VecDeque::from([from]);
        while let Some(node) = queue.pop_front() {
            for arc in &self.graph.arcs[&node] {
                if will_do(node, arc) {
                    let mut path = vec![(node, *arc)];
                    let mut at = node;
                    while let Some((before, arc)) = came[&at] {
                        path.push((before, arc));
                        at = before;
                    }
                    path.reverse();
                    return path;
                }
                if let Entry::Vacant(entry) = came.entry(arc.to) {
                    entry.insert(Some((node, *arc)));
                    queue.push_back(arc.to);
                }
            }
        }
        unreachable!("the part is strongly connected and has such an arc")
    }
}
