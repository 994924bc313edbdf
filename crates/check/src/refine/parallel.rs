//! Expands many states at once: their steps, under symmetry the representatives of what these lead to,
//! and the hashes by which those are looked up. The order of answers is that of the questions, so the
//! search goes the same way whatever the number of workers.

use super::symmetry::{IDENTITY, Perm, Symmetry};
use super::table::hash;
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

/// The steps of a state, and the states they lead to as they are stored.
pub struct Expanded<F> {
    pub steps: Steps<F>,
    /// Representatives, one behind the other.
    bytes: Vec<u8>,
    images: Vec<Image>,
    scratch: Vec<u8>,
}

#[derive(Clone, Copy)]
struct Image {
    start: usize,
    key: usize,
    end: usize,
    perm: Perm,
    hash: u64,
}

impl<F> Default for Expanded<F> {
    fn default() -> Self {
        Expanded { steps: Steps::default(), bytes: Vec::new(), images: Vec::new(), scratch: Vec::new() }
    }
}

impl<F> Expanded<F> {
    /// `whole`: what is only carried along tells states apart, too.
    pub fn expand<L: Lts<Fault = F>>(
        &mut self,
        lts: &L,
        symmetry: Option<&dyn Symmetry>,
        whole: bool,
        state: &[u8],
    ) {
        self.steps.clear();
        self.bytes.clear();
        self.images.clear();
        lts.steps(state, &mut self.steps);
        for i in 0..self.steps.len() {
            let (key, rest) = self.steps.state(i);
            let start = self.bytes.len();
            let (perm, length) = match symmetry {
                Some(symmetry) => {
                    let (perm, length) = symmetry.canonical(key, &mut self.scratch);
                    self.bytes.extend_from_slice(&self.scratch);
                    (perm, length)
                }
                None => {
                    // Only where both parts are needed in one piece.
                    if whole && !rest.is_empty() {
                        self.bytes.extend_from_slice(key);
                        self.bytes.extend_from_slice(rest);
                    }
                    (IDENTITY, self.bytes.len() - start)
                }
            };
            let (key_end, end) = (start + length, self.bytes.len());
            let hash = match end > start {
                true => hash(&self.bytes[start..key_end]),
                false => hash(key),
            };
            self.images.push(Image { start, key: key_end, end, perm, hash });
        }
    }

    /// Where a step leads: what identifies the state, what is carried along, what leads there, its hash.
    pub fn state(&self, i: usize) -> (&[u8], &[u8], Perm, u64) {
        let Image { start, key, end, perm, hash } = self.images[i];
        match end > start {
            true => (&self.bytes[start..key], &self.bytes[key..end], perm, hash),
            false => {
                let (key, rest) = self.steps.state(i);
                (key, rest, perm, hash)
            }
        }
    }
}

pub fn expand<L: Lts + Sync>(
    lts: &L,
    symmetry: Option<&dyn Symmetry>,
    whole: bool,
    states: &[&[u8]],
    jobs: usize,
    out: &mut Vec<Expanded<L::Fault>>,
) {
    if out.len() < states.len() {
        out.resize_with(states.len(), Expanded::default);
    }
    let out = &mut out[..states.len()];
    let work = |states: &[&[u8]], out: &mut [Expanded<L::Fault>]| {
        for (state, expanded) in states.iter().zip(out) {
            expanded.expand(lts, symmetry, whole, state);
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
