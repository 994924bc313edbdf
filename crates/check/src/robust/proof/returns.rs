//! Is a proof about anything? What is proved is about executions in which every call returns. Of each
//! operation a run is looked for, under sequential consistency, in which it is called and every call returns: random
//! clients, always the same ones. Where none is found, the answer is *unknown* rather than true of nothing.

use super::library::Library;
use super::run::{client, run};
use lineal_model::program::client::Compiled;

const RUNS: usize = 400;
const STEPS: usize = 3000;

/// Numbers at random, always the same ones.
pub fn choices() -> impl FnMut(usize) -> usize {
    let mut state = 1u64;
    move |n: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % n
    }
}

/// An operation that was never seen to return where all others do.
pub fn never(compiled: &Compiled, library: &Library) -> Option<usize> {
    let mut choose = choices();
    let mut open: Vec<usize> = (0..compiled.object.operations.len()).collect();
    for tried in 0..RUNS {
        if open.is_empty() {
            break;
        }
        let calls = 1 + tried % (2 * compiled.object.operations.len() + 4);
        let client = client(compiled, library, calls, &mut choose);
        let Some(run) = run((compiled, library.model), &client, STEPS, &mut choose) else { continue };
        if run.calls.iter().all(|c| c.ended) {
            open.retain(|o| !run.calls.iter().any(|c| c.operation == *o));
        }
    }
    open.first().copied()
}
