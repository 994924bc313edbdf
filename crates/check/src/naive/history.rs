//! Linearizability and sequential consistency by trying every order.
//!
//! Up to a dozen operations. Pending operations are tried in and out; nothing is remembered and
//! nothing is skipped.

use crate::monitor::Consistency;
use lineal_model::adt::{Adt, Object, Visit};
use lineal_model::history::{History, Op};

/// Whether some order explains the history.
pub fn holds(history: &History, object: &Object, consistency: Consistency) -> bool {
    object.visit(history, Every { ops: history.ops().collect(), consistency })
}

struct Every {
    ops: Vec<Op>,
    consistency: Consistency,
}

impl Visit for Every {
    type Out = bool;
    fn visit<A: Adt>(self, adt: &A) -> bool {
        let mut taken = vec![false; self.ops.len()];
        self.extend(adt, &adt.initial(), &mut taken)
    }
}

impl Every {
    fn extend<A: Adt>(&self, adt: &A, state: &A::State, taken: &mut [bool]) -> bool {
        if self.ops.iter().zip(&*taken).all(|(op, &t)| t || op.is_pending()) {
            return true;
        }
        for i in 0..self.ops.len() {
            if taken[i] || (0..self.ops.len()).any(|j| !taken[j] && self.precedes(j, i)) {
                continue;
            }
            let mut outcomes = Vec::new();
            adt.step(state, &self.ops[i], &mut outcomes).expect("built-in types always answer");
            taken[i] = true;
            let found = outcomes.iter().any(|after| self.extend(adt, after, taken));
            taken[i] = false;
            if found {
                return true;
            }
        }
        false
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
