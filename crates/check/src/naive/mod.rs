//! Slow, obvious deciders: the oracles that tests compare the engines with. Nothing here is shared
//! with an engine, and no engine uses it.

pub mod claims;
pub mod executions;
pub mod interleave;
pub mod preemptions;
pub mod printed;
pub mod priority_queue;
pub mod quasi;
pub mod refine;
pub mod relinche;
pub mod robust;
pub mod temporal;
mod threads;

pub use crate::replay::history;
