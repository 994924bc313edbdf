//! The way to a node, found again: parents are remembered, steps are not. Each state on the path is
//! expanded once more, and under symmetry every name is mapped back to what the run itself calls it.

use super::nodes::{NONE, NodeId};
use super::{Explorer, Task};
use crate::refine::symmetry::{IDENTITY, Perm};
use lineal_model::lts::{Actor, Label, Lts, Steps};

/// One step of a path, with the names the system itself would use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Taken {
    pub label: Label,
    pub actor: Actor,
    /// Among all steps of its state.
    pub number: u32,
}

impl<L: Lts> Explorer<'_, L> {
    /// The visible events on the way to a node.
    pub fn trace<T: Task<L>>(&mut self, task: &mut T, node: NodeId) -> Vec<u32> {
        self.retrace(task, node, false).0.iter().filter_map(|t| event(t.label)).collect()
    }

    /// The trace, and an event in the state of the node.
    pub fn trace_and<T: Task<L>>(&mut self, task: &mut T, node: NodeId, event_there: u32) -> (Vec<u32>, u32) {
        let (taken, back) = self.retrace(task, node, false);
        let trace = taken.iter().filter_map(|t| event(t.label)).collect();
        (trace, self.symmetry.map_or(event_there, |s| s.event(back, event_there)))
    }

    /// Every step on the way to a node. Numbers mean nothing under symmetry.
    pub fn run<T: Task<L>>(&mut self, task: &mut T, node: NodeId) -> Vec<Taken> {
        assert!(self.symmetry.is_none(), "a run has no representatives in it");
        self.retrace(task, node, true).0
    }

    /// The steps to a node, only the visible ones or all, and what maps its names back to theirs.
    fn retrace<T: Task<L>>(&mut self, task: &mut T, node: NodeId, all: bool) -> (Vec<Taken>, Perm) {
        let mut path = vec![node];
        while self.nodes.get(path[path.len() - 1]).parent != NONE {
            path.push(self.nodes.get(path[path.len() - 1]).parent);
        }
        path.reverse();
        let symmetry = self.symmetry;
        let mut back = symmetry.map_or(IDENTITY, |s| s.inverse(self.nodes.get(path[0]).perm));
        let mut taken = Vec::new();
        let mut steps = Steps::default();
        for edge in path.windows(2) {
            let (from, to) = (self.nodes.get(edge[0]), self.nodes.get(edge[1]));
            let perm = to.perm;
            let visible = self.nodes.is_visible(edge[1]);
            if visible || all {
                steps.clear();
                self.lts.steps(self.states.get(from.state), &mut steps);
                let found = (0..steps.len()).find(|i| {
                    let label = steps.label(*i);
                    (label != Label::Internal) == visible
                        && task.after(from.mark, label).is_some_and(|mark| {
                            self.number(steps.state(*i)) == (to.state, perm)
                                && self.image(task, perm, mark) == to.mark
                        })
                });
                let i = found.expect("the step that discovered the node");
                let label = match (steps.label(i), symmetry) {
                    (Label::Event(e), Some(s)) => Label::Event(s.event(back, e)),
                    (label, _) => label,
                };
                taken.push(Taken { label, actor: steps.all().actor(i), number: steps.all().number(i) });
            }
            if let Some(s) = symmetry {
                // run = back(from); to = perm(successor of from), so run' = back ∘ perm⁻¹ (to).
                back = s.compose(back, s.inverse(perm));
            }
        }
        (taken, back)
    }
}

fn event(label: Label) -> Option<u32> {
    match label {
        Label::Internal => None,
        Label::Event(e) => Some(e),
    }
}
