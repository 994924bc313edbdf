//! The product of a process with the automaton of what it must not do, built as it is walked.
//!
//! A node is a state and what must hold from the next position on. A step of the process together
//! with an edge of the automaton that reads the position it leads to is an *arc*.

use super::automaton::{Automaton, StateId as Mode};
use super::world::{StateId, Step, StepId, UNCLEAR, World};
use rustc_hash::FxHashMap;

pub type NodeId = u32;

#[derive(Clone, Copy, Debug)]
pub struct Arc {
    pub to: NodeId,
    pub step: StepId,
    pub marks: u64,
}

pub struct Product<'p, 'w, 'u, 'm> {
    pub world: World<'w, 'u, 'm>,
    pub automaton: &'p Automaton,
    ids: FxHashMap<(StateId, Mode), NodeId>,
    nodes: Vec<(StateId, Mode)>,
}

impl<'p, 'w, 'u, 'm> Product<'p, 'w, 'u, 'm> {
    pub fn new(world: World<'w, 'u, 'm>, automaton: &'p Automaton) -> Self {
        Product { world, automaton, ids: FxHashMap::default(), nodes: Vec::new() }
    }

    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    pub fn size(&self) -> u64 {
        (self.nodes.capacity() * 8 + self.ids.capacity() * 13) as u64 + self.world.size()
    }

    pub fn state(&self, node: NodeId) -> StateId {
        self.nodes[node as usize].0
    }

    /// Whether nothing that may follow matters any more.
    pub fn is_sunk(&self, node: NodeId) -> bool {
        Some(self.nodes[node as usize].1) == self.automaton.sink
    }

    fn number(&mut self, state: StateId, mode: Mode) -> NodeId {
        *self.ids.entry((state, mode)).or_insert_with(|| {
            self.nodes.push((state, mode));
            self.nodes.len() as NodeId - 1
        })
    }

    /// Where runs begin: after the first position was read.
    pub fn initial(&mut self) -> Vec<NodeId> {
        let first = self.world.first();
        let automaton = self.automaton;
        let clear = first & UNCLEAR == 0;
        let edges = automaton.edges[automaton.initial as usize].iter().filter(|e| clear && e.reads(first));
        let mut all: Vec<NodeId> = edges.map(|e| self.number(0, e.to)).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    pub fn arcs(&mut self, node: NodeId) -> Vec<Arc> {
        let (state, mode) = self.nodes[node as usize];
        let automaton = self.automaton;
        let mut arcs = Vec::new();
        for id in self.world.out(state) {
            let step: Step = self.world.steps[id as usize];
            let position = self.world.position(&step);
            if position & UNCLEAR != 0 {
                continue;
            }
            for edge in automaton.edges[mode as usize].iter().filter(|e| e.reads(position)) {
                arcs.push(Arc { to: self.number(step.to, edge.to), step: id, marks: edge.marks });
            }
        }
        arcs
    }
}
