//! States and labelled steps, computed on demand.
//!
//! ```
//! use lineal_model::lts::{Label, Lts};
//! /// Counts to three, one visible tick a step.
//! struct Counter;
//! impl Lts for Counter {
//!     type State = u8;
//!     fn initial(&self) -> Vec<u8> { vec![0] }
//!     fn successors(&self, from: &u8, out: &mut Vec<(Label, u8)>) {
//!         if *from < 3 { out.push((Label::Event(0), from + 1)); }
//!     }
//! }
//! let mut out = Vec::new();
//! Counter.successors(&2, &mut out);
//! assert_eq!(out, [(Label::Event(0), 3)]);
//! ```

use std::hash::Hash;

/// What an observer sees of a step. Events are interned by whoever builds the system.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Label {
    Internal,
    Event(u32),
}

pub trait Lts {
    type State: Clone + Eq + Hash + Ord;
    fn initial(&self) -> Vec<Self::State>;
    /// Appends every step from `from`. Fills the caller's buffer, so that engines can work in
    /// blocks.
    fn successors(&self, from: &Self::State, out: &mut Vec<(Label, Self::State)>);
}
