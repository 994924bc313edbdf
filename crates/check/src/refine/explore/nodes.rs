//! Which nodes were seen, by state.
//!
//! `(s, m)` is covered by a visited `(s, m')` if whatever can be found from the first can be found from
//! the second. In refinement marks are specification sets, and `S'` covers `S` if `S' ⊆ S`: the smaller
//! set allows less, so what fails from `S` fails from `S'`; this is the antichain. A mark always covers
//! itself. A node that waits for the next level covers nothing in this one, or witnesses would not be
//! shortest.
//!
//! Most states have one node. It has the number of its state, and nothing is stored of it but what led
//! there and, if it is not 0, its mark; further nodes of a state are kept apart.

use crate::refine::symmetry::Perm;
use crate::refine::table::{held, make_room};
use rustc_hash::FxHashMap;

/// What walks beside a state.
pub type Mark = u32;
pub type NodeId = u32;
pub type StateId = u32;

/// No node.
pub const NONE: NodeId = u32::MAX;

/// A state and a mark, how it was found, and what led to the representative.
#[derive(Clone, Copy)]
pub struct Node {
    pub state: StateId,
    pub mark: Mark,
    pub parent: NodeId,
    pub perm: Perm,
}

/// Said in the number of a node that is not the first of its state.
const FURTHER: NodeId = 1 << 31;

/// Superseded before its turn.
const DROPPED: u8 = 1;
/// To be visited in the next level.
const LATE: u8 = 2;
/// Found by a visible step.
const VISIBLE: u8 = 4;
/// No node: the state was numbered, and not found.
const ABSENT: u8 = 8;
/// The first node no longer covers anything.
const UNLISTED: u8 = 16;
/// There are further nodes.
const MORE: u8 = 32;

#[derive(Default)]
pub struct Nodes {
    count: usize,
    /// By state: its first node.
    parents: Vec<NodeId>,
    flags: Vec<u8>,
    marks: Sparse,
    perms: Sparse,
    /// The others, with the next one of the same state.
    further: Vec<(Node, NodeId)>,
    further_flags: Vec<u8>,
    /// By state: the latest of them.
    heads: FxHashMap<StateId, NodeId>,
}

/// Numbers, of which those behind the last that is not 0 need not be stored.
#[derive(Default)]
struct Sparse(Vec<u32>);

impl Sparse {
    fn get(&self, at: usize) -> u32 {
        self.0.get(at).copied().unwrap_or(0)
    }

    fn set(&mut self, at: usize, value: u32) {
        if value != 0 && self.0.len() <= at {
            let more = at + 1 - self.0.len();
            make_room(&mut self.0, more);
            self.0.resize(at + 1, 0);
        }
        if let Some(place) = self.0.get_mut(at) {
            *place = value;
        }
    }
}

impl Nodes {
    pub fn len(&self) -> usize {
        self.count
    }

    pub fn size(&self) -> u64 {
        let first = held(&self.parents) + held(&self.flags) + held(&self.marks.0) + held(&self.perms.0);
        first + held(&self.further) + held(&self.further_flags) + 9 * self.heads.capacity() as u64
    }

    pub fn get(&self, id: NodeId) -> Node {
        if id & FURTHER != 0 {
            return self.further[(id & !FURTHER) as usize].0;
        }
        let at = id as usize;
        Node { state: id, mark: self.marks.get(at), parent: self.parents[at], perm: self.perms.get(at) }
    }

    fn flags(&mut self, id: NodeId) -> &mut u8 {
        match id & FURTHER {
            0 => &mut self.flags[id as usize],
            _ => &mut self.further_flags[(id & !FURTHER) as usize],
        }
    }

    fn has(&self, id: NodeId, flag: u8) -> bool {
        let flags = match id & FURTHER {
            0 => self.flags[id as usize],
            _ => self.further_flags[(id & !FURTHER) as usize],
        };
        flags & flag != 0
    }

    pub fn is_dropped(&self, id: NodeId) -> bool {
        self.has(id, DROPPED)
    }
    pub fn is_visible(&self, id: NodeId) -> bool {
        self.has(id, VISIBLE)
    }
    /// Its level has come.
    pub fn arrive(&mut self, id: NodeId) {
        *self.flags(id) &= !LATE;
    }

    /// The latest of the further nodes of a state that still cover something.
    fn head(&self, state: StateId) -> NodeId {
        match self.flags[state as usize] & MORE {
            0 => NONE,
            _ => self.heads[&state],
        }
    }

    /// The next node of the same state.
    fn next(&self, id: NodeId) -> NodeId {
        match id & FURTHER {
            0 => self.head(id),
            _ => self.further[(id & !FURTHER) as usize].1,
        }
    }

    /// Enters a node unless it is covered.
    pub fn insert(
        &mut self,
        node: Node,
        late: bool,
        visible: bool,
        mut covers: impl FnMut(Mark, Mark) -> bool,
    ) -> Option<NodeId> {
        let (state, mark) = (node.state, node.mark);
        let at = state as usize;
        if self.flags.len() <= at {
            let more = at + 1 - self.flags.len();
            make_room(&mut self.flags, more);
            self.flags.resize(at + 1, ABSENT);
            make_room(&mut self.parents, more);
            self.parents.resize(at + 1, NONE);
        }
        let flags = if late { LATE } else { 0 } | if visible { VISIBLE } else { 0 };
        if self.flags[at] == ABSENT {
            self.count += 1;
            self.flags[at] = flags;
            self.parents[at] = node.parent;
            self.marks.set(at, mark);
            self.perms.set(at, node.perm);
            return Some(state);
        }
        let mut covers = |a: Mark, b: Mark| a == b || covers(a, b);
        let listed = self.flags[at] & UNLISTED == 0;
        let mut seen = if listed { state } else { self.head(state) };
        while seen != NONE {
            if (late || !self.has(seen, LATE)) && covers(self.get(seen).mark, mark) {
                return None;
            }
            seen = self.next(seen);
        }
        self.unlist(state, listed, late, &mut |seen| covers(mark, seen));
        let id = FURTHER | self.further.len() as NodeId;
        make_room(&mut self.further, 1);
        self.further.push((node, self.head(state)));
        make_room(&mut self.further_flags, 1);
        self.further_flags.push(flags);
        self.heads.insert(state, id);
        self.flags[at] |= MORE;
        self.count += 1;
        Some(id)
    }

    /// What is covered leaves the index; if its turn has not come yet, the queue too.
    fn unlist(&mut self, state: StateId, listed: bool, late: bool, covered: &mut dyn FnMut(Mark) -> bool) {
        if listed && covered(self.marks.get(state as usize)) {
            let drops = !late || self.has(state, LATE);
            *self.flags(state) |= UNLISTED | if drops { DROPPED } else { 0 };
        }
        let mut before = NONE;
        let mut seen = self.head(state);
        while seen != NONE {
            let next = self.next(seen);
            if covered(self.get(seen).mark) {
                if !late || self.has(seen, LATE) {
                    *self.flags(seen) |= DROPPED;
                }
                match before {
                    NONE if next == NONE => {
                        self.heads.remove(&state);
                        self.flags[state as usize] &= !MORE;
                    }
                    NONE => {
                        self.heads.insert(state, next);
                    }
                    before => self.further[(before & !FURTHER) as usize].1 = next,
                }
            } else {
                before = seen;
            }
            seen = next;
        }
    }
}
