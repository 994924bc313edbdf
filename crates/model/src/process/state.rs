//! A state: shared memory, channels, and one term per parallel component.
//!
//! The parallel structure at the top of a process hardly ever changes, so it is kept apart as a
//! numbered shape; only its leaves move. Packed, a state is a string of half-bytes: three bits of
//! a number and one that says whether it goes on. Most variables have their initial values most of the
//! time, so of each four it is said first which of them have others. Hidden variables come last, in bytes
//! of their own, so that a state's identity is a prefix.

use super::arena::Arena;
use super::expr::Message;
use super::term::{AlphabetsId, SetId, Term, TermId, Universe};
use super::{Cell, Model, Parallel};
use rustc_hash::FxHashMap;
use std::sync::Mutex;

#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct State {
    pub shape: ShapeId,
    pub leaves: Vec<TermId>,
    pub cells: Vec<i32>,
    pub queues: Vec<Vec<Message>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ShapeId(pub u32);

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ShapeKind {
    Leaf,
    Parallel(Parallel, AlphabetsId, u32),
    Hide(SetId),
    Seq(TermId),
    Atomic,
}

/// The structure above the leaves, in preorder.
#[derive(Debug)]
pub struct Shape {
    pub nodes: Vec<ShapeKind>,
    /// Nothing but hiding above one `|||` of leaves, or above a single leaf: the hidings.
    pub flat: Option<Vec<SetId>>,
}

#[derive(Default)]
pub struct Shapes {
    all: Arena<Shape>,
    ids: Mutex<FxHashMap<Vec<ShapeKind>, ShapeId>>,
}

impl Universe<'_> {
    pub fn shape(&self, id: ShapeId) -> &Shape {
        self.shapes.all.get(id.0)
    }

    /// Takes a term apart into its parallel structure and its leaves.
    pub fn split(&self, term: TermId) -> (ShapeId, Vec<TermId>) {
        let (mut nodes, mut leaves) = (Vec::new(), Vec::new());
        self.split_into(term, &mut nodes, &mut leaves);
        let mut ids = self.shapes.ids.lock().expect("no panic while locked");
        let id = *ids.entry(nodes).or_insert_with_key(|nodes| {
            let flat = flat(nodes);
            ShapeId(self.shapes.all.push(Shape { nodes: nodes.clone(), flat }))
        });
        (id, leaves)
    }

    fn split_into(&self, term: TermId, nodes: &mut Vec<ShapeKind>, leaves: &mut Vec<TermId>) {
        if !self.is_parallel(term) {
            nodes.push(ShapeKind::Leaf);
            leaves.push(term);
            return;
        }
        match self.term(term) {
            Term::Parallel(kind, alphabets, kids) => {
                nodes.push(ShapeKind::Parallel(*kind, *alphabets, kids.len() as u32));
                kids.iter().for_each(|k| self.split_into(*k, nodes, leaves));
            }
            Term::Hide(t, set) => {
                nodes.push(ShapeKind::Hide(*set));
                self.split_into(*t, nodes, leaves);
            }
            Term::Seq(t, right) => {
                nodes.push(ShapeKind::Seq(*right));
                self.split_into(*t, nodes, leaves);
            }
            Term::Atomic(t) => {
                nodes.push(ShapeKind::Atomic);
                self.split_into(*t, nodes, leaves);
            }
            _ => unreachable!("only these hold parallel parts"),
        }
    }

    /// Puts a shape and its leaves together again; the node `replaced` becomes another term.
    pub fn join(&self, shape: ShapeId, leaves: &[TermId], replaced: Option<(u32, TermId)>) -> TermId {
        let nodes = &self.shape(shape).nodes;
        self.join_node(nodes, &mut 0, &mut leaves.iter().copied(), replaced)
    }

    fn join_node(
        &self,
        nodes: &[ShapeKind],
        at: &mut u32,
        leaves: &mut dyn Iterator<Item = TermId>,
        replaced: Option<(u32, TermId)>,
    ) -> TermId {
        let node = *at;
        *at += 1;
        let term = match &nodes[node as usize] {
            ShapeKind::Leaf => leaves.next().expect("a term for each leaf"),
            ShapeKind::Parallel(kind, alphabets, n) => {
                let kids = (0..*n).map(|_| self.join_node(nodes, at, leaves, replaced)).collect();
                self.intern(Term::Parallel(*kind, *alphabets, kids))
            }
            ShapeKind::Hide(set) => {
                let t = self.join_node(nodes, at, leaves, replaced);
                self.hidden(t, *set)
            }
            ShapeKind::Seq(right) => {
                let t = self.join_node(nodes, at, leaves, replaced);
                self.seq(t, *right)
            }
            ShapeKind::Atomic => {
                let t = self.join_node(nodes, at, leaves, replaced);
                self.atomic(t)
            }
        };
        match replaced {
            Some((n, other)) if n == node => other,
            _ => term,
        }
    }
}

fn flat(nodes: &[ShapeKind]) -> Option<Vec<SetId>> {
    let mut hidings = Vec::new();
    let mut rest = nodes.iter();
    loop {
        match rest.next()? {
            ShapeKind::Hide(set) => hidings.push(*set),
            ShapeKind::Leaf => return Some(hidings),
            ShapeKind::Parallel(Parallel::Interleave, ..) => {
                return rest.all(|n| *n == ShapeKind::Leaf).then_some(hidings);
            }
            _ => return None,
        }
    }
}

/// A string of half-bytes, eight bytes at a time.
pub struct Nibbles<'a> {
    out: &'a mut Vec<u8>,
    word: u64,
    bits: u32,
}

impl<'a> Nibbles<'a> {
    pub fn new(out: &'a mut Vec<u8>) -> Self {
        Nibbles { out, word: 0, bits: 0 }
    }

    fn nibble(&mut self, n: u32) {
        self.word |= u64::from(n) << self.bits;
        self.bits += 4;
        if self.bits == u64::BITS {
            self.out.extend_from_slice(&self.word.to_le_bytes());
            (self.word, self.bits) = (0, 0);
        }
    }

    pub fn number(&mut self, mut n: u32) {
        while n > 7 {
            self.nibble(n & 7 | 8);
            n >>= 3;
        }
        self.nibble(n);
    }

    /// Numbers up to 6, which most are, take half a byte; 7 says that a negative one follows.
    pub fn signed(&mut self, n: i32) {
        match n {
            0..=6 => self.nibble(n as u32),
            7.. => self.number(n as u32 + 1),
            _ => {
                self.nibble(7);
                self.number(!n as u32);
            }
        }
    }

    /// Half a byte of its own may be left over.
    pub fn end(self) {
        let bytes = self.bits.div_ceil(8) as usize;
        self.out.extend_from_slice(&self.word.to_le_bytes()[..bytes]);
    }
}

struct Reader<'a> {
    /// What is not in the word yet.
    bytes: &'a [u8],
    word: u64,
    /// Half-bytes left in the word.
    left: u32,
}

impl<'a> Reader<'a> {
    fn new(bytes: &'a [u8]) -> Self {
        Reader { bytes, word: 0, left: 0 }
    }

    fn nibble(&mut self) -> u32 {
        if self.left == 0 {
            let (now, rest) = self.bytes.split_at(self.bytes.len().min(8));
            let mut word = [0; 8];
            word[..now.len()].copy_from_slice(now);
            (self.word, self.left, self.bytes) = (u64::from_le_bytes(word), 2 * now.len() as u32, rest);
        }
        let nibble = self.word as u32 & 15;
        self.word >>= 4;
        self.left -= 1;
        nibble
    }

    fn number(&mut self) -> u32 {
        let mut n = self.nibble();
        if n < 8 {
            return n;
        }
        n &= 7;
        let mut shift = 3;
        loop {
            let nibble = self.nibble();
            n |= (nibble & 7) << shift;
            shift += 3;
            if nibble < 8 {
                return n;
            }
        }
    }

    fn signed(&mut self) -> i32 {
        match self.number() {
            n @ 0..=6 => n as i32,
            7 => !(self.number() as i32),
            n => (n - 1) as i32,
        }
    }

    /// On to the next whole byte.
    fn align(&mut self) {
        if self.left % 2 == 1 {
            self.nibble();
        }
    }
}

/// Which cells of a system can ever change: the others need not be stored.
#[derive(Clone, Debug)]
pub struct Layout {
    initial: Vec<i32>,
    /// Cells, and the least value of those with a range.
    stored: Vec<(u32, Option<i32>)>,
    hidden: Vec<u32>,
}

/// The least value, unless anything may be less.
fn low(cell: Cell) -> Option<i32> {
    cell.range.map(|r| r.0).filter(|low| *low > i32::MIN)
}

impl Layout {
    pub fn new(model: &Model, written: impl Fn(usize) -> bool) -> Self {
        let changing = || (0..model.cells.len()).filter(|c| written(*c)).map(|c| (c as u32, model.cells[c]));
        Layout {
            initial: model.cells.iter().map(|c| c.initial).collect(),
            stored: changing().filter(|(_, c)| !c.hidden).map(|(i, c)| (i, low(c))).collect(),
            hidden: changing().filter(|(_, c)| c.hidden).map(|(i, _)| i).collect(),
        }
    }
}

impl Layout {
    pub fn initial(&self) -> &[i32] {
        &self.initial
    }
    /// Cells that are part of a state's identity.
    pub fn stored(&self) -> impl Iterator<Item = usize> + '_ {
        self.stored.iter().map(|(cell, _)| *cell as usize)
    }
    pub fn hidden(&self) -> impl Iterator<Item = usize> + '_ {
        self.hidden.iter().map(|cell| *cell as usize)
    }
}

impl State {
    /// Appends the packed state; answers how many bytes identify it.
    pub fn pack(&self, layout: &Layout, out: &mut Vec<u8>) -> usize {
        let start = out.len();
        let mut n = Nibbles::new(out);
        n.number(self.shape.0);
        for leaf in &self.leaves {
            n.number(leaf.0);
        }
        for four in layout.stored.chunks(4) {
            let mut others = 0;
            for (i, (cell, _)) in four.iter().enumerate() {
                let cell = *cell as usize;
                others |= u32::from(self.cells[cell] != layout.initial[cell]) << i;
            }
            n.nibble(others);
            for (i, (cell, low)) in four.iter().enumerate() {
                if others >> i & 1 == 0 {
                    continue;
                }
                let value = self.cells[*cell as usize];
                match low {
                    Some(low) => n.number(value.wrapping_sub(*low) as u32),
                    None => n.signed(value),
                }
            }
        }
        for queue in &self.queues {
            n.number(queue.len() as u32);
            for message in queue {
                n.number(message.len() as u32);
                message.iter().for_each(|v| n.signed(*v));
            }
        }
        n.end();
        let key = out.len() - start;
        if !layout.hidden.is_empty() {
            let mut n = Nibbles::new(out);
            layout.hidden.iter().for_each(|c| n.signed(self.cells[*c as usize]));
            n.end();
        }
        key
    }

    pub fn unpack(universe: &Universe, layout: &Layout, bytes: &[u8]) -> State {
        let mut r = Reader::new(bytes);
        let shape = ShapeId(r.number());
        let count = universe.shape(shape).nodes.iter().filter(|n| **n == ShapeKind::Leaf).count();
        let leaves = (0..count).map(|_| TermId(r.number())).collect();
        let mut cells = layout.initial.clone();
        for four in layout.stored.chunks(4) {
            let others = r.nibble();
            for (i, (cell, low)) in four.iter().enumerate() {
                if others >> i & 1 == 0 {
                    continue;
                }
                cells[*cell as usize] = match low {
                    Some(low) => low.wrapping_add(r.number() as i32),
                    None => r.signed(),
                };
            }
        }
        let queues = universe
            .model
            .channels
            .iter()
            .map(|_| {
                let len = r.number();
                (0..len)
                    .map(|_| {
                        let n = r.number();
                        (0..n).map(|_| r.signed()).collect()
                    })
                    .collect()
            })
            .collect();
        r.align();
        for cell in &layout.hidden {
            cells[*cell as usize] = r.signed();
        }
        State { shape, leaves, cells, queues }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back() {
        let numbers = [0, 1, -1, 3, -4, 4, 6, 7, 8, 9, -7, -8, 63, 64, 100, -100, i32::MAX, i32::MIN];
        let mut bytes = Vec::new();
        let mut n = Nibbles::new(&mut bytes);
        numbers.iter().for_each(|x| n.signed(*x));
        n.end();
        let mut r = Reader::new(&bytes);
        assert!(numbers.iter().all(|x| r.signed() == *x));
    }
}
