//! The engines: a model goes in, a verdict comes out.

pub mod conform;
pub mod graph;
pub mod monitor;
pub mod naive;
pub mod programs;
pub mod refine;
