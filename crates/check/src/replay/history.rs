//! Linearizability and sequential consistency by trying every order.
//!
//! Up to a dozen operations. Pending operations are tried in and out; nothing is remembered and
//! nothing is skipped.

use lineal_model::adt::{Adt, Object, Visit};
use lineal_model::history::{Consistency, History, Op};

/// Whether some order explains the history.
pub fn holds(history: &History, object: &Object, consistency: Consistency) -> bool {
    holds_within(history, object, consistency, u64::MAX).expect("built-in types always answer")
}

/// The same in so many steps. `None`: they are not enough, or the type itself cannot make one.
pub fn holds_within(
    history: &History,
    object: &Object,
    consistency: Consistency,
    steps: u64,
) -> Option<bool> {
    object.visit(history, Every { ops: history.ops().collect(), consistency, steps })
}

struct Every {
    ops: Vec<Op>,
    consistency: Consistency,
    steps: u64,
}

impl Visit for Every {
    type Out = Option<bool>;
    fn visit<A: Adt>(mut self, adt: &A) -> Option<bool> {
        let mut taken = vec![false; self.ops.len()];
        self.extend(adt, &adt.initial(), &mut taken)
    }
}

impl Every {
    fn extend<A: Adt>(&mut self, adt: &A, state: &A::State, taken: &mut [bool]) -> Option<bool> {
        if self.ops.iter().zip(&*taken).all(|(op, &t)| t || op.is_pending()) {
            return Some(true);
        }
        for i in 0..self.ops.len() {
            if taken[i] || (0..self.ops.len()).any(|j| !taken[j] && self.precedes(j, i)) {
                continue;
            }
            self.steps = self.steps.checked_sub(1)?;
            let mut outcomes = Vec::new();
            adt.step(state, &self.ops[i], &mut outcomes).ok()?;
            taken[i] = true;
            for after in &outcomes {
                if self.extend(adt, after, taken)? {
                    taken[i] = false;
                    return Some(true);
                }
            }
            taken[i] = false;
        }
        Some(false)
    }

    /// Whether `j` must come before `i` in every order that has both.
    fn precedes(&self, j: usize, i: usize) -> bool {
        let (a, b) = (&self.ops[j], &self.ops[i]);
        if a.is_pending() {
            return false;
        }
        match self.consistency {
            Consistency::Linearizable => a.ret < b.call,
            Consistency::Sequential => a.process == b.process && a.call < b.call,
        }
    }
}
