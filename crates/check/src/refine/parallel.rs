//! Expands many states at once. The order of answers is that of the questions, so the search goes
//! the same way whatever the number of workers.

use crate::seeded;
use lineal_model::lts::{Lts, Steps};

/// States per worker below which starting one is not worth it.
const LEAST: usize = 64;

/// Terms may be nested as deeply as the model's own limits allow.
const STACK: usize = 256 << 20;

/// Does `work` where there is room for deep terms, whoever calls.
pub fn with_room<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| {
        let worker = std::thread::Builder::new().stack_size(STACK);
        let worker =
            worker.spawn_scoped(scope, seeded::carry(work)).expect("the system lets us start a thread");
        worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

pub fn expand<L: Lts + Sync>(lts: &L, states: &[&[u8]], jobs: usize, out: &mut Vec<Steps<L::Fault>>) {
    if out.len() < states.len() {
        out.resize_with(states.len(), Steps::default);
    }
    let out = &mut out[..states.len()];
    let work = |states: &[&[u8]], out: &mut [Steps<L::Fault>]| {
        for (state, steps) in states.iter().zip(out) {
            steps.clear();
            lts.steps(state, steps);
        }
    };
    let workers = jobs.min(states.len() / LEAST).max(1);
    if workers == 1 {
        return work(states, out);
    }
    let share = states.len().div_ceil(workers);
    std::thread::scope(|scope| {
        for (states, out) in states.chunks(share).zip(out.chunks_mut(share)) {
            let worker = std::thread::Builder::new().stack_size(STACK);
            worker.spawn_scoped(scope, || work(states, out)).expect("the system lets us start a thread");
        }
    });
}
