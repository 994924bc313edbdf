//! Which nodes were seen, by state.
//!
//! `(s, m)` is covered by a visited `(s, m')` if whatever can be found from the first can be found from
//! the second. In refinement marks are specification sets, and `S'` covers `S` if `S' ⊆ S`: the smaller
//! set allows less, so what fails from `S` fails from `S'`; this is the antichain. A mark always covers
//! itself. A node that waits for the next level covers nothing in this one, or witnesses would not be
//! shortest.

use crate::refine::table::make_room;

/// What walks beside a state.
pub type Mark = u32;
pub type NodeId = u32;
pub type StateId = u32;

/// No node.
pub const NONE: NodeId = u32::MAX;

/// A state and a mark, how it was found, and the next node of the same state.
#[derive(Clone, Copy)]
pub struct Node {
    pub state: StateId,
    pub mark: Mark,
    pub parent: NodeId,
    next: NodeId,
}

/// Superseded before its turn.
const DROPPED: u8 = 1;
/// To be visited in the next level.
const LATE: u8 = 2;
/// Found by a visible step.
const VISIBLE: u8 = 4;

#[derive(Default)]
pub struct Nodes {
    all: Vec<Node>,
    flags: Vec<u8>,
    /// By state: its latest node.
    heads: Vec<NodeId>,
}

impl Nodes {
    pub fn len(&self) -> usize {
        self.all.len()
    }
    pub fn size(&self) -> u64 {
        (16 * self.all.capacity() + self.flags.capacity() + 4 * self.heads.capacity()) as u64
    }
    pub fn get(&self, id: NodeId) -> Node {
        self.all[id as usize]
    }
    pub fn is_dropped(&self, id: NodeId) -> bool {
        self.flags[id as usize] & DROPPED != 0
    }
    pub fn is_visible(&self, id: NodeId) -> bool {
        self.flags[id as usize] & VISIBLE != 0
    }
    /// Its level has come.
    pub fn arrive(&mut self, id: NodeId) {
        self.flags[id as usize] &= !LATE;
    }

    /// Enters a node unless it is covered.
    pub fn insert(
        &mut self,
        state: StateId,
        mark: Mark,
        parent: NodeId,
        late: bool,
        visible: bool,
        mut covers: impl FnMut(Mark, Mark) -> bool,
    ) -> Option<NodeId> {
        if self.heads.len() <= state as usize {
            let more = state as usize + 1 - self.heads.len();
            make_room(&mut self.heads, more);
            self.heads.resize(state as usize + 1, NONE);
        }
        let mut covers = |a: Mark, b: Mark| a == b || covers(a, b);
        let mut at = self.heads[state as usize];
        while at != NONE {
            let seen = self.all[at as usize];
            let waits = self.flags[at as usize] & LATE != 0;
            if (late || !waits) && covers(seen.mark, mark) {
                return None;
            }
            at = seen.next;
        }
        // What is covered leaves the index; if its turn has not come yet, the queue too.
        let mut before = NONE;
        let mut at = self.heads[state as usize];
        while at != NONE {
            let seen = self.all[at as usize];
            if covers(mark, seen.mark) {
                if !late || self.flags[at as usize] & LATE != 0 {
                    self.flags[at as usize] |= DROPPED;
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
        let id = self.all.len() as NodeId;
        make_room(&mut self.all, 1);
        self.all.push(Node { state, mark, parent, next: self.heads[state as usize] });
        make_room(&mut self.flags, 1);
        self.flags.push(if late { LATE } else { 0 } | if visible { VISIBLE } else { 0 });
        self.heads[state as usize] = id;
        Some(id)
    }
}
