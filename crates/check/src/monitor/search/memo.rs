//! Configurations seen: which operations were taken, and the state they left. Compared in full.

use rustc_hash::{FxHashMap, FxHashSet};
use std::hash::Hash;

pub struct Memo<S> {
    /// Equal states share a number, so that they are stored once.
    states: FxHashMap<S, u32>,
    seen: FxHashSet<Box<[u64]>>,
    key: Vec<u64>,
    bytes: u64,
}

impl<S: Clone + Eq + Hash> Memo<S> {
    pub fn new() -> Self {
        Memo { states: FxHashMap::default(), seen: FxHashSet::default(), key: Vec::new(), bytes: 0 }
    }

    /// Whether this configuration is new.
    pub fn insert(&mut self, state: &S, state_bytes: usize, taken: impl FnOnce(&mut Vec<u64>)) -> bool {
        let number = match self.states.get(state) {
            Some(&n) => n,
            None => {
                let n = self.states.len() as u32;
                self.states.insert(state.clone(), n);
                self.bytes += state_bytes as u64 + 16;
                n
            }
        };
        self.key.clear();
        self.key.push(u64::from(number));
        taken(&mut self.key);
        if self.seen.contains(&self.key[..]) {
            return false;
        }
        self.bytes += 8 * self.key.len() as u64 + 40;
        self.seen.insert(self.key.clone().into_boxed_slice())
    }

    pub fn len(&self) -> u64 {
        self.seen.len() as u64
    }

    pub fn bytes(&self) -> u64 {
        self.bytes
    }
}
