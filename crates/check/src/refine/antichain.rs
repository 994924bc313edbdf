//! Which pairs were seen, by implementation state.
//!
//! `(i, S)` is covered by a visited `(i, S')` with `S' ⊆ S`: the smaller set allows less, so what
//! fails from `S` fails from `S'`. Without the antichain only `S' = S` covers.

use super::sets::{SetId, SpecSets};
use super::space::Space;

pub struct Antichain {
    on: bool,
    inverted: bool,
    /// By state: its latest entry, or `END`.
    heads: Vec<u32>,
    /// A pair, and the entry before.
    entries: Vec<(u32, u32)>,
    free: Vec<u32>,
}

const END: u32 = u32::MAX;

impl Antichain {
    pub fn new(on: bool, inverted: bool) -> Self {
        Antichain { on, inverted, heads: Vec::new(), entries: Vec::new(), free: Vec::new() }
    }

    pub fn size(&self) -> u64 {
        (4 * self.heads.capacity() + 8 * self.entries.capacity()) as u64
    }

    /// Enters pair `id = (state, set)` unless it is covered. Larger sets leave the index, though
    /// not the queue: `superseded` hears of them. `look` tells a pair's set and whether it is
    /// early enough to cover.
    pub fn insert<S: Space>(
        &mut self,
        state: u32,
        id: u32,
        set: SetId,
        look: impl Fn(u32) -> (SetId, bool),
        sets: &mut SpecSets<S>,
        mut superseded: impl FnMut(u32),
    ) -> bool {
        if self.heads.len() <= state as usize {
            self.heads.resize(state as usize + 1, END);
        }
        let smaller = |sets: &mut SpecSets<S>, a: SetId, b: SetId| match self.inverted {
            false => sets.is_subset(a, b),
            true => sets.is_subset(b, a),
        };
        let mut at = self.heads[state as usize];
        while at != END {
            let (pair, next) = self.entries[at as usize];
            let (seen, early) = look(pair);
            if early && (seen == set || (self.on && smaller(sets, seen, set))) {
                return false;
            }
            at = next;
        }
        let mut before = END;
        let mut at = self.heads[state as usize];
        while at != END {
            let (pair, next) = self.entries[at as usize];
            let seen = look(pair).0;
            if seen == set || (self.on && smaller(sets, set, seen)) {
                superseded(pair);
                match before {
                    END => self.heads[state as usize] = next,
                    b => self.entries[b as usize].1 = next,
                }
                self.free.push(at);
            } else {
                before = at;
            }
            at = next;
        }
        let entry = (id, self.heads[state as usize]);
        let at = match self.free.pop() {
            Some(at) => {
                self.entries[at as usize] = entry;
                at
            }
            None => {
                self.entries.push(entry);
                self.entries.len() as u32 - 1
            }
        };
        self.heads[state as usize] = at;
        true
    }
}
