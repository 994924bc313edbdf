//! Is there a run that the automaton accepts, and that is fair?
//!
//! Depth first, over the strongly connected components of the product as they come up (Couvreur, FM
//! 1999, after Tarjan and Gabow): each node is expanded once, and without fairness the search ends as
//! soon as the arcs seen close a cycle with all marks. With fairness a component is looked at when it
//! is complete (`fair`). If a finite beginning tells, the search is breadth first instead, so that the
//! run has the fewest steps; fairness does not matter then, since every finite run of a finite process
//! goes on to a fair one. That is not so of live events: with those, beginnings do not tell.

use super::fair::{Fair, Inside};
use super::product::{Arc, NodeId, Product};
use lineal_model::process::Fairness;
use lineal_model::{Counts, Effort, Limit, Observer};
use std::ops::ControlFlow::{Break, Continue};

/// What the search ends with.
pub enum Found {
    Nothing,
    /// A node behind which nothing matters.
    Sunk(NodeId),
    /// Nodes around which an accepted, fair run can go for ever.
    Around(Vec<NodeId>),
    Limit(Limit),
}

/// Nodes and arcs between two looks at the limits.
const BATCH: usize = 256;

const UNSEEN: u32 = 0;
const DONE: u32 = u32::MAX;

/// What is known of a component that is not complete.
struct Root {
    index: u32,
    /// Marks inside, and on the arc that leads here.
    marks: u64,
    via: u64,
    cyclic: bool,
}

struct Frame {
    node: NodeId,
    arcs: Vec<Arc>,
    next: usize,
}

pub fn search(product: &mut Product, fairness: Fairness, effort: &Effort, watch: &dyn Observer) -> Found {
    let live = product.world.live;
    match product.automaton.finite && !live {
        true => breadth(product, effort, watch),
        false => depth(product, fairness, !live, effort, watch),
    }
}

/// An endless run in any case, even if its beginning would tell.
pub fn endless(product: &mut Product, fairness: Fairness, effort: &Effort, watch: &dyn Observer) -> Found {
    depth(product, fairness, false, effort, watch)
}

/// Whether it is time to look at the limits. Work is counted in nodes and arcs, since states of processes
/// that grow have ever more of those.
pub fn is_due(product: &Product, work: &mut usize, arcs: usize, effort: &Effort) -> bool {
    *work += 1 + arcs;
    let full = effort.max_states.is_some_and(|most| product.world.states.len() as u64 >= most);
    if *work < BATCH && !full {
        return false;
    }
    *work = 0;
    true
}

pub fn charge(product: &Product, effort: &Effort, watch: &dyn Observer) -> Option<Limit> {
    let states = product.world.states.len() as u64;
    let counts = Counts { states, bytes: product.size(), ..Counts::default() };
    match effort.charge(counts, watch) {
        Break(limit) => Some(limit),
        Continue(()) => None,
    }
}

fn breadth(product: &mut Product, effort: &Effort, watch: &dyn Observer) -> Found {
    let mut queue = product.initial();
    let mut seen = vec![false; product.len()];
    queue.iter().for_each(|n| seen[*n as usize] = true);
    let (mut at, mut work, mut arcs) = (0, 0, 0);
    while let Some(&node) = queue.get(at) {
        at += 1;
        if product.is_sunk(node) {
            return Found::Sunk(node);
        }
        if is_due(product, &mut work, arcs, effort)
            && let Some(limit) = charge(product, effort, watch)
        {
            return Found::Limit(limit);
        }
        if product.world.is_endless() {
            return Found::Nothing;
        }
        let all = product.arcs(node);
        arcs = all.len();
        for arc in all {
            seen.resize(product.len(), false);
            if !std::mem::replace(&mut seen[arc.to as usize], true) {
                queue.push(arc.to);
            }
        }
    }
    Found::Nothing
}

fn depth(
    product: &mut Product,
    fairness: Fairness,
    beginnings: bool,
    effort: &Effort,
    watch: &dyn Observer,
) -> Found {
    let all = product.automaton.marks;
    let mut index: Vec<u32> = Vec::new();
    let mut count = 0;
    let (mut work, mut many) = (0, 0);
    let mut live: Vec<NodeId> = Vec::new();
    let mut roots: Vec<Root> = Vec::new();
    for start in product.initial() {
        index.resize(product.len(), UNSEEN);
        if index[start as usize] != UNSEEN {
            continue;
        }
        let mut path: Vec<Frame> = Vec::new();
        let mut enter = Some((start, 0));
        loop {
            if let Some((node, via)) = enter.take() {
                if beginnings && product.is_sunk(node) {
                    return Found::Sunk(node);
                }
                count += 1;
                if is_due(product, &mut work, many, effort)
                    && let Some(limit) = charge(product, effort, watch)
                {
                    return Found::Limit(limit);
                }
                let arcs = product.arcs(node);
                many = arcs.len();
                if product.world.is_endless() {
                    return Found::Nothing;
                }
                index.resize(product.len(), UNSEEN);
                index[node as usize] = count;
                live.push(node);
                roots.push(Root { index: count, marks: 0, via, cyclic: false });
                path.push(Frame { node, arcs, next: 0 });
            }
            let Some(frame) = path.last_mut() else { break };
            let Some(arc) = frame.arcs.get(frame.next).copied() else {
                let node = frame.node;
                path.pop();
                if roots.last().is_some_and(|r| r.index == index[node as usize]) {
                    let root = roots.pop().expect("just looked at");
                    let from = live.partition_point(|n| index[*n as usize] < root.index);
                    let component = live.split_off(from);
                    component.iter().for_each(|n| index[*n as usize] = DONE);
                    if root.cyclic && root.marks == all {
                        match Fair::inside(product, fairness, component, watch) {
                            Inside::Fair(nodes) => return Found::Around(nodes),
                            Inside::Nothing => {}
                            Inside::Limit(limit) => return Found::Limit(limit),
                        }
                    }
                }
                continue;
            };
            frame.next += 1;
            match index[arc.to as usize] {
                UNSEEN => enter = Some((arc.to, arc.marks)),
                DONE => {}
                seen => {
                    let mut marks = arc.marks;
                    while roots.last().is_some_and(|r| r.index > seen) {
                        let root = roots.pop().expect("just looked at");
                        marks |= root.marks | root.via;
                    }
                    let root = roots.last_mut().expect("a live node has a root");
                    root.marks |= marks;
                    root.cyclic = true;
                    if root.marks == all && fairness == Fairness::None && !product.world.annotated {
                        let from = live.partition_point(|n| index[*n as usize] < root.index);
                        return Found::Around(live.split_off(from));
                    }
                }
            }
        }
    }
    Found::Nothing
}
