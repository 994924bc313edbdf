//! Which states can take internal steps for ever: those that reach a cycle of them.
//!
//! Depth-first with an explicit stack. As soon as a successor is known to diverge, or is still
//! open on the path, everything on the path diverges and the search ends. So a state whose last
//! successor returns has none that diverges or is open: it does not diverge.

use std::ops::ControlFlow::{self, Continue};

#[derive(Default)]
pub struct Divergence {
    /// By state; `None` is not settled.
    pub known: Vec<Option<bool>>,
}

impl Divergence {
    /// `internal` gives the internal steps of a state, or says stop.
    pub fn diverges<B>(
        &mut self,
        start: u32,
        internal: &mut dyn FnMut(u32) -> ControlFlow<B, Vec<u32>>,
    ) -> ControlFlow<B, bool> {
        self.reserve(start);
        if let Some(known) = self.known[start as usize] {
            return Continue(known);
        }
        let mut open: rustc_hash::FxHashSet<u32> = [start].into_iter().collect();
        let mut path = vec![(start, internal(start)?, false)];
        while let Some((state, rest, found)) = path.last_mut() {
            if *found {
                // Everything on the path reaches this state, and so a cycle.
                for (s, ..) in &path {
                    self.known[*s as usize] = Some(true);
                }
                return Continue(true);
            }
            match rest.pop() {
                None => {
                    self.known[*state as usize] = Some(false);
                    open.remove(state);
                    path.pop();
                }
                Some(next) => {
                    self.reserve(next);
                    match self.known[next as usize] {
                        Some(true) => *found = true,
                        Some(false) => {}
                        None if open.contains(&next) => *found = true,
                        None => {
                            open.insert(next);
                            let steps = internal(next)?;
                            path.push((next, steps, false));
                        }
                    }
                }
            }
        }
        Continue(false)
    }

    fn reserve(&mut self, state: u32) {
        if self.known.len() <= state as usize {
            self.known.resize(state as usize + 1, None);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(edges: &[(u32, u32)], expected: &[bool]) {
        for order in [0, 1] {
            let mut found = Divergence::default();
            let mut states: Vec<u32> = (0..expected.len() as u32).collect();
            if order == 1 {
                states.reverse();
            }
            for s in states {
                let answer: ControlFlow<(), bool> = found.diverges(s, &mut |s| {
                    Continue(edges.iter().filter(|(a, _)| *a == s).map(|(_, b)| *b).collect())
                });
                assert_eq!(answer, Continue(expected[s as usize]), "state {s}");
            }
        }
    }

    #[test]
    fn cycles_and_what_leads_to_them() {
        check(&[(0, 1), (1, 2)], &[false, false, false]);
        check(&[(0, 0)], &[true]);
        check(&[(0, 1), (1, 2), (2, 1), (0, 3)], &[true, true, true, false]);
        check(&[(0, 1), (0, 2), (2, 0), (1, 3)], &[true, false, true, false]);
    }
}
