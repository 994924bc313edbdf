//! The engines: a model goes in, a verdict comes out.

pub mod conform;
pub mod explain;
pub mod graph;
pub mod monitor;
pub mod naive;
pub mod programs;
pub mod reference;
pub mod refine;
mod relation;
pub mod replay;
pub mod robust;
#[doc(hidden)]
pub mod seeded;
mod smallest;

pub use smallest::smallest;
