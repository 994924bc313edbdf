//! What calls look like in formulas: paths through their trees, made of whole blocks.

use super::encode::{Instance, Partial};
use super::formula::{FALSE, Lit};
use super::tree::Act;

impl Instance<'_> {
    /// Calls are paths through their trees, made of whole blocks, and follow each other in a session.
    pub(super) fn shapes(&mut self) {
        let n = self.calls.len();
        for call in 0..n {
            let tree = &self.library.operations[self.calls[call]].tree;
            for node in 0..self.nodes(call) {
                let Some(&e) = self.at[call].get(&node) else { continue };
                let on = self.events[e].on;
                for (term, is) in self.node(e).conditions.clone() {
                    if let Some(lit) = self.condition(call, &term) {
                        self.f.implies(&[on], &[if is { lit } else { -lit }]);
                    }
                }
                if let Some(&parent) = tree.nodes[node].parent.and_then(|p| self.at[call].get(&p)) {
                    let parent = self.events[parent].on;
                    self.f.implies(&[on], &[parent]);
                }
            }
            let parents: Vec<Option<usize>> =
                std::iter::once(None).chain((0..self.nodes(call)).map(Some)).collect();
            for parent in parents {
                let children: Vec<usize> =
                    tree.children(parent).filter_map(|c| self.at[call].get(&c).copied()).collect();
                for (i, &a) in children.iter().enumerate() {
                    for &b in &children[..i] {
                        let (a, b) = (self.events[a].on, self.events[b].on);
                        self.f.clause(&[-a, -b]);
                    }
                }
                let Some(&e) = parent.and_then(|p| self.at[call].get(&p)) else { continue };
                let stale_call = self.stale.is_some_and(|s| s.0 == call);
                let before_stale = stale_call && self.is_sequential(e);
                if self.node(e).ends_block()
                    || matches!(self.partial, Partial::Everyone)
                    || self.partial == Partial::One(call)
                    || before_stale
                {
                    continue;
                }
                let mut ways: Vec<Lit> = children.iter().map(|&c| self.events[c].on).collect();
                let heap = self.events[e].class.is_some_and(|c| self.library.classes[c].heap);
                if stale_call
                    && heap
                    && let Some(source) = self.events[e].source
                {
                    // A field that was never written is read: the program goes wrong.
                    ways.push(self.le(source, 0));
                }
                let on = self.events[e].on;
                self.f.implies(&[on], &ways);
            }
        }
        for i in 0..n {
            let complete = self.complete(i);
            for j in 0..n {
                if i == j {
                    continue;
                }
                let follows = [self.session(i, j), self.earlier(i, j)];
                for b in self.at[j].values().copied().collect::<Vec<_>>() {
                    if self.library.operations[self.calls[j]].tree.nodes[self.events[b].node].parent.is_none()
                    {
                        let on = self.events[b].on;
                        self.f.implies(&[follows[0], follows[1], on], &[complete]);
                    }
                    for a in self.at[i].values().copied().collect::<Vec<_>>() {
                        if self.events[a].point.is_some() && self.events[b].point.is_some() {
                            let (x, y) = (self.events[a].on, self.events[b].on);
                            let precedes = self.precedes(a, b);
                            self.f.implies(&[follows[0], follows[1], x, y], &[precedes]);
                        }
                    }
                }
            }
        }
    }

    /// Of a call: it returned.
    pub fn complete(&mut self, call: usize) -> Lit {
        if self.stale.is_some_and(|s| s.0 == call) {
            return FALSE;
        }
        let ends: Vec<Lit> = self.at[call]
            .values()
            .filter(|&&e| self.node(e).act == Act::End)
            .map(|&e| self.events[e].on)
            .collect();
        self.f.or(&ends)
    }
}
