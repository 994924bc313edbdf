//! Fair runs inside a strongly connected part of the product.
//!
//! Who may be neglected (an event, a process, a step) is a *party*. A state enables the parties that
//! can move there, and a step serves those that do.
//!
//! Weak fairness: a run around the whole part is fair unless some party is enabled in all of its
//! states and served by none of its steps; then no run in it is. Strong fairness: a party that some
//! state enables and no step inside serves must not be enabled at all, so those states are taken away
//! and the rest, if it still has cycles, is asked again (Emerson, Lei 1987; for Streett conditions
//! Lichtenstein, Pnueli 1985). Each round takes at least one state away. Global fairness is strong
//! fairness whose parties are the steps themselves.
//!
//! Annotations of events add parties of their own, which states owe something by what the model says of
//! them. Weak and strong ones may stand side by side: what rules out a part by a weak one rules out all
//! of its parts, and states that owe something to a strong one are taken away as before.
//!
//! A step that fails (or that cannot be followed) can be taken, so it is enabled like others; no run
//! around a part takes it.

use super::product::{Arc, NodeId, Product};
use super::world::{NOBODY, StateId, StepId, World};
use crate::seeded::{self, Bug};
use lineal_model::lts::Label;
use lineal_model::process::{Annotation, EventId, Fairness};
use lineal_model::{Counts, Limit, Observer};
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::ControlFlow::Break;

/// Someone who may be neglected: by the fairness that was asked for, or by an annotation of its event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Party {
    Of(u32),
    Event(Annotation, EventId),
    /// Under global fairness: the steps of a state that fail.
    Failing(StateId),
}

impl Party {
    /// Whether being owed something again and again is enough.
    pub fn is_strong(self, fairness: Fairness) -> bool {
        match self {
            Party::Of(_) | Party::Failing(_) => fairness.is_strong(),
            Party::Event(annotation, _) => annotation.is_strong(),
        }
    }
}

pub enum Inside {
    Fair(Vec<NodeId>),
    Nothing,
    Limit(Limit),
}

pub struct Fair;

impl Fair {
    /// Nodes of a strongly connected part around which an accepted run can go that is fair.
    pub fn inside(
        product: &mut Product,
        fairness: Fairness,
        part: Vec<NodeId>,
        watch: &dyn Observer,
    ) -> Inside {
        let mut open = vec![part];
        while let Some(part) = open.pop() {
            if let Break(limit) = watch.progress(Counts {
                states: product.len() as u64,
                bytes: product.size(),
                ..Counts::default()
            }) {
                return Inside::Limit(limit);
            }
            let graph = Graph::of(product, &part);
            if graph.marks() != product.automaton.marks || !graph.is_cyclic() {
                continue;
            }
            if (fairness == Fairness::None && !product.world.annotated) || seeded::active(Bug::AnyPartIsFair)
            {
                return Inside::Fair(part);
            }
            let served: FxHashSet<Party> = graph
                .arcs
                .values()
                .flatten()
                .flat_map(|a| served(&product.world, fairness, a.step))
                .collect();
            let strong = |p: &Party| p.is_strong(fairness) && !seeded::active(Bug::WeakWillDo);
            let owed = |node: &NodeId| enabled(&product.world, fairness, product.state(*node));
            let mut always: Option<FxHashSet<Party>> = None;
            for node in &part {
                let here = owed(node).into_iter().filter(|p| !strong(p));
                always = Some(match always {
                    None => here.collect(),
                    Some(all) => here.filter(|p| all.contains(p)).collect(),
                });
            }
            if !always.unwrap_or_default().is_subset(&served) {
                continue;
            }
            let content = |node: &NodeId| owed(node).iter().all(|p| !strong(p) || served.contains(p));
            let rest: Vec<NodeId> = part.iter().copied().filter(content).collect();
            if rest.len() == part.len() {
                return Inside::Fair(part);
            }
            open.extend(Graph::of(product, &rest).components(&rest));
        }
        Inside::Nothing
    }
}

/// The parties that a step serves.
pub fn served(world: &World, fairness: Fairness, id: StepId) -> Vec<Party> {
    let step = world.steps[id as usize];
    if step.who == NOBODY {
        return Vec::new();
    }
    let mut all: Vec<Party> = of(world, fairness, id).into_iter().map(Party::Of).collect();
    if let (true, Label::Event(e)) = (world.annotated, step.label) {
        all.extend(Annotation::ALL.map(|a| Party::Event(a, e)));
    }
    all
}

fn of(world: &World, fairness: Fairness, id: StepId) -> Vec<u32> {
    let step = world.steps[id as usize];
    match fairness {
        _ if step.who == NOBODY => Vec::new(),
        Fairness::Global => vec![step.twin],
        _ => named(world, fairness, step.label, step.who),
    }
}

/// The events or processes that a step with this label by these is one of.
fn named(world: &World, fairness: Fairness, label: Label, who: u32) -> Vec<u32> {
    match (fairness, label) {
        (Fairness::WeakEvent | Fairness::StrongEvent, Label::Event(e)) => vec![e],
        (Fairness::WeakProcess | Fairness::StrongProcess, _) => world.group(who).to_vec(),
        _ => Vec::new(),
    }
}

/// The parties that a state owes something: those that it enables, of steps with the same label to the
/// same state one, and those that annotations name.
pub fn enabled(world: &World, fairness: Fairness, state: StateId) -> Vec<Party> {
    let steps = world.known(state).flat_map(|id| of(world, fairness, id)).map(Party::Of);
    let annotated = world.owed(state).iter().map(|(e, a)| Party::Event(*a, *e));
    let mut all: Vec<Party> = steps.chain(annotated).collect();
    for (label, who) in world.failing(state) {
        match fairness {
            Fairness::Global => all.push(Party::Failing(state)),
            _ => all.extend(named(world, fairness, *label, *who).into_iter().map(Party::Of)),
        }
    }
    all.sort_unstable();
    all.dedup();
    all
}

/// The arcs between some nodes.
pub struct Graph {
    pub arcs: FxHashMap<NodeId, Vec<Arc>>,
}

impl Graph {
    pub fn of(product: &mut Product, nodes: &[NodeId]) -> Graph {
        let inside: FxHashSet<NodeId> = nodes.iter().copied().collect();
        let arcs = |n: &NodeId| {
            let mut arcs = product.arcs(*n);
            arcs.retain(|a| inside.contains(&a.to));
            (*n, arcs)
        };
        Graph { arcs: nodes.iter().map(arcs).collect() }
    }

    fn marks(&self) -> u64 {
        self.arcs.values().flatten().fold(0, |m, a| m | a.marks)
    }

    fn is_cyclic(&self) -> bool {
        self.arcs.values().any(|arcs| !arcs.is_empty())
    }

    /// Strongly connected components, those with a cycle (Tarjan, once more: on a finished graph).
    pub fn components(&self, nodes: &[NodeId]) -> Vec<Vec<NodeId>> {
        let mut index: FxHashMap<NodeId, (u32, u32, bool)> = FxHashMap::default();
        let (mut stack, mut found, mut count) = (Vec::new(), Vec::new(), 0);
        for start in nodes {
            if index.contains_key(start) {
                continue;
            }
            let mut path = vec![(*start, 0)];
            while let Some((node, next)) = path.last_mut() {
                let node = *node;
                if *next == 0 {
                    count += 1;
                    index.insert(node, (count, count, true));
                    stack.push(node);
                }
                let arc = self.arcs[&node].get(*next).copied();
                *next += 1;
                if let Some(arc) = arc {
                    match index.get(&arc.to).copied() {
                        None => path.push((arc.to, 0)),
                        Some((seen, _, true)) => {
                            let low = &mut index.get_mut(&node).expect("entered").1;
                            *low = (*low).min(seen);
                        }
                        Some(_) => {}
                    }
                    continue;
                }
                path.pop();
                let (mine, low, _) = index[&node];
                if let Some((parent, _)) = path.last() {
                    let other = &mut index.get_mut(parent).expect("entered").1;
                    *other = (*other).min(low);
                }
                if mine == low {
                    let at = stack.iter().rposition(|n| *n == node).expect("on the stack");
                    let component: Vec<NodeId> = stack.split_off(at);
                    component.iter().for_each(|n| index.get_mut(n).expect("entered").2 = false);
                    let cyclic = component.len() > 1 || self.arcs[&node].iter().any(|a| a.to == node);
                    if cyclic {
                        found.push(component);
                    }
                }
            }
        }
        found
    }
}
