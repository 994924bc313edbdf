//! Slow, obvious deciders: the oracles the engines are compared with, and the code that checks
//! their witnesses. Nothing here is shared with an engine.

pub mod conform;
pub mod executions;
pub mod history;
pub mod interleave;
pub mod priority_queue;
pub mod refine;
pub mod relinche;
mod threads;
