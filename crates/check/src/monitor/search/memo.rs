//! Configurations seen: which operations were taken, and the state they left. Compared in full.

use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashSet};
use std::hash::Hash;

pub struct Memo<S> {
    /// Equal states share a number, so that they are stored once.
    states: IndexSet<S, FxBuildHasher>,
    seen: FxHashSet<Box<[u64]>>,
    key: Vec<u64>,
    bytes: u64,
}

impl<S: Clone + Eq + Hash> Memo<S> {
    pub fn new() -> Self {
        Memo { states: IndexSet::default(), seen: FxHashSet::default(), key: Vec::new(), bytes: 0 }
    }

    /// Whether this configuration is new.
    pub fn insert(&mut self, state: &S, state_bytes: usize, taken: impl FnOnce(&mut Vec<u64>)) -> bool {
        let number = self.states.get_index_of(state).unwrap_or_else(|| {
            self.bytes += state_bytes as u64 + 16;
            self.states.insert_full(state.clone()).0
        });
        self.key.clear();
        self.key.push(number as u64);
        taken(&mut self.key);
        if self.seen.contains(&self.key[..]) {
            return false;
        }
        self.bytes += 8 * self.key.len() as u64 + 16;
        self.seen.insert(self.key.clone().into_boxed_slice())
    }

    pub fn len(&self) -> u64 {
        self.seen.len() as u64
    }

    /// Includes what a table that is about to grow will need while both copies exist.
    pub fn bytes(&self) -> u64 {
        let table = |len: usize, capacity: usize, slot: usize| {
            let now = capacity * (slot + 1) * 8 / 7;
            (if len * 64 >= capacity * 63 { 3 * now } else { now }) as u64
        };
        self.bytes
            + table(self.seen.len(), self.seen.capacity(), size_of::<Box<[u64]>>())
            + table(self.states.len(), self.states.capacity(), size_of::<(S, u64, usize)>())
    }
}
