//! The engines on compiled C. They are generic over what runs; naming the machine here compiles
//! them once, with this crate, instead of in everything that asks.

use crate::graph::{self, Options, Problem};
use crate::robust;
use lineal_model::program::Machine;
use lineal_model::{Effort, Finding, Memory, Observer};

/// [`graph::check_growing`].
pub fn verify(problem: &mut Problem<'_, Machine>, effort: &Effort, watch: &dyn Observer) -> Finding {
    graph::check_growing(problem, effort, watch)
}

/// [`graph::replay`].
pub fn replay(problem: &mut Problem<'_, Machine>, token: &str) -> Result<Finding, String> {
    graph::replay(problem, token)
}

/// [`robust::check`].
pub fn robust(problem: &mut Problem<'_, Machine>, effort: &Effort, watch: &dyn Observer) -> Finding {
    robust::check(problem, effort, watch)
}

/// [`graph::besides`].
pub fn besides(
    finding: &mut Finding,
    memory: Memory,
    effort: &Effort,
    watch: &dyn Observer,
    without: impl FnMut(&[(String, u32)]) -> Option<(Machine, Options)>,
) {
    graph::besides(finding, memory, effort, watch, without)
}
