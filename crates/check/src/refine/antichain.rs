//! Which pairs were seen, by implementation state.
//!
//! `(i, S)` is covered by a visited `(i, S')` with `S' ⊆ S`: the smaller set allows less, so what
//! fails from `S` fails from `S'`. Without the antichain only `S' = S` covers. A pair that waits
//! for the next level covers nothing in this one, or witnesses would not be shortest.

use super::sets::{SetId, SpecSets};
use super::space::Space;
use crate::seeded::{self, Bug};

/// No pair.
pub const NONE: u32 = u32::MAX;

/// A state and a set, how it was found, and the next pair of the same state.
#[derive(Clone, Copy)]
pub struct Pair {
    pub state: u32,
    pub set: SetId,
    pub parent: u32,
    next: u32,
}

/// Superseded before its turn.
const DROPPED: u8 = 1;
/// To be visited in the next level.
const LATE: u8 = 2;
/// Found by a visible step.
const VISIBLE: u8 = 4;

pub struct Pairs {
    antichain: bool,
    all: Vec<Pair>,
    marks: Vec<u8>,
    /// By state: its latest pair.
    heads: Vec<u32>,
}

impl Pairs {
    pub fn new(antichain: bool) -> Self {
        Pairs { antichain, all: Vec::new(), marks: Vec::new(), heads: Vec::new() }
    }

    pub fn len(&self) -> usize {
        self.all.len()
    }
    pub fn size(&self) -> u64 {
        (16 * self.all.capacity() + self.marks.capacity() + 4 * self.heads.capacity()) as u64
    }
    pub fn get(&self, id: u32) -> Pair {
        self.all[id as usize]
    }
    pub fn is_dropped(&self, id: u32) -> bool {
        self.marks[id as usize] & DROPPED != 0
    }
    pub fn is_visible(&self, id: u32) -> bool {
        self.marks[id as usize] & VISIBLE != 0
    }
    /// Its level has come.
    pub fn arrive(&mut self, id: u32) {
        self.marks[id as usize] &= !LATE;
    }

    /// Enters a pair unless it is covered.
    pub fn insert<S: Space>(
        &mut self,
        state: u32,
        set: SetId,
        parent: u32,
        visible: bool,
        sets: &mut SpecSets<S>,
    ) -> Option<u32> {
        if self.heads.len() <= state as usize {
            self.heads.resize(state as usize + 1, NONE);
        }
        let (antichain, inverted) = (self.antichain, seeded::active(Bug::InvertedAntichain));
        let mut covers = |a: SetId, b: SetId| {
            a == b || (antichain && if inverted { sets.is_subset(b, a) } else { sets.is_subset(a, b) })
        };
        let mut at = self.heads[state as usize];
        while at != NONE {
            let seen = self.all[at as usize];
            let late = self.marks[at as usize] & LATE != 0;
            if (visible || !late) && covers(seen.set, set) {
                return None;
            }
            at = seen.next;
        }
        // Larger sets leave the index; if their turn has not come yet, the queue too.
        let mut before = NONE;
        let mut at = self.heads[state as usize];
        while at != NONE {
            let seen = self.all[at as usize];
            if covers(set, seen.set) {
                if !visible || self.marks[at as usize] & LATE != 0 {
                    self.marks[at as usize] |= DROPPED;
                }
                match before {
                    NONE => self.heads[state as usize] = seen.next,
                    b => self.all[b as usize].next = seen.next,
                }
            } else {
                before = at;
            }
            at = seen.next;
        }
        let id = self.all.len() as u32;
        self.all.push(Pair { state, set, parent, next: self.heads[state as usize] });
        self.marks.push(if visible { LATE | VISIBLE } else { 0 });
        self.heads[state as usize] = id;
        Some(id)
    }
}
