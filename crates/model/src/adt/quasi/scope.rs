//! What a verdict says about a relaxation.

use super::{Causes, Relaxation, Semantics};
use crate::adt::Kind;
use crate::verdict::Relaxed;

impl Relaxation {
    /// What a verdict says about it.
    pub fn scope(&self, kind: Kind) -> Relaxed {
        let caused = self.semantics == Semantics::Classes && Causes::of(kind) != Causes::Nothing;
        Relaxed { factors: self.shown(), semantics: self.semantics, caused }
    }
}
