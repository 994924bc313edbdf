//! Blocks renamed by how they are reached.
//!
//! Names are given in the order in which blocks are met from the globals on; blocks that nothing
//! leads to are dropped. Where a number might be an address or not (no type says so), names are
//! left alone: then states that could be one stay two, which is sound.

use super::{HEAP, Store};
use crate::program::{Program, Shape};
use crate::run::{BlockId, Loc, Value};
use std::collections::{BTreeMap, BTreeSet};

/// Addresses have so many bits; above are tags.
const ADDRESS_BITS: u32 = 47;

/// The new names of blocks.
pub struct Renaming(BTreeMap<BlockId, BlockId>);

impl Renaming {
    /// Where a cell is now; `None`: its block was dropped.
    pub fn place(&self, loc: Loc) -> Option<Loc> {
        match loc.block().is_global() {
            true => Some(loc),
            false => self.0.get(&loc.block()).map(|new| Loc(new.base().0 + u64::from(loc.offset()))),
        }
    }

    fn word(&self, word: u64) -> u64 {
        match address(word).and_then(|block| self.0.get(&block)) {
            Some(new) => new.base().0 + u64::from(Loc(word).offset()),
            None => word,
        }
    }
}

impl Store {
    /// Renames blocks by how they are reached, and drops the others. `None`: names are left alone.
    pub fn settle(&mut self, program: &Program) -> Option<Renaming> {
        let order = self.reached(program)?;
        let new = |n| BlockId::new(u32::from(HEAP.0), n);
        let names = Renaming(order.iter().zip(1..).map(|(&old, n)| (old, new(n))).collect());
        for (loc, (value, size)) in std::mem::take(&mut self.cells) {
            let Some(at) = names.place(loc) else { continue };
            let value = match size >= 8 {
                true => Value { lo: names.word(value.lo), hi: names.word(value.hi), ..value },
                false => value,
            };
            self.cells.insert(at, (value, size));
        }
        let blocks = std::mem::take(&mut self.blocks);
        self.blocks = blocks.into_iter().filter_map(|(b, block)| Some((*names.0.get(&b)?, block))).collect();
        self.spent = order.len() as u32;
        Some(names)
    }

    /// Blocks in the order in which they are met. `None`: some word may or may not be an address.
    fn reached(&self, program: &Program) -> Option<Vec<BlockId>> {
        let mut order: Vec<BlockId> = Vec::new();
        let mut met = BTreeSet::new();
        let globals = BlockId::new(BlockId::GLOBAL_OWNER, 0).base();
        let mut next = 0;
        let mut range = globals..Loc(u64::MAX);
        loop {
            for (&loc, &(value, size)) in self.cells.range(range.clone()) {
                for (word, offset) in [(value.lo, 0), (value.hi, 8)] {
                    if size < 8 || !self.looks_like_address(word) {
                        continue;
                    }
                    let block = address(word)?;
                    if !self.is_pointer(program, loc, offset) {
                        return None;
                    }
                    if met.insert(block) {
                        order.push(block);
                    }
                }
            }
            let &block = match order.get(next) {
                Some(block) => block,
                None => return Some(order),
            };
            next += 1;
            range = block.base()..BlockId(block.0 + 1).base();
        }
    }

    /// Whether a word, tags aside, leads to one of our blocks.
    fn looks_like_address(&self, word: u64) -> bool {
        let plain = Loc(word & ((1 << ADDRESS_BITS) - 1));
        self.blocks.contains_key(&plain.block())
    }

    /// Whether the types say that a pointer is kept there.
    fn is_pointer(&self, program: &Program, loc: Loc, offset: u32) -> bool {
        let block = loc.block();
        let shape = match block.is_global() {
            true => program.globals.get(block.number() as usize).map(|g| &g.shape),
            false => {
                self.blocks.get(&block).and_then(|b| program.shapes.get(&b.layout)).map(|(_, shape)| shape)
            }
        };
        shape.is_some_and(|shape| {
            // A block of many elements has the shape of one.
            let size = shape.size().max(1);
            let at = if block.is_global() { loc.offset() } else { loc.offset() % size };
            points(shape, at + offset)
        })
    }
}

/// The block of ours that a word is an address in, if it is an address.
pub(super) fn address(word: u64) -> Option<BlockId> {
    let block = Loc(word).block();
    (word < 1 << ADDRESS_BITS && block.owner() == u32::from(HEAP.0)).then_some(block)
}

/// Whether everything the type has at this offset is a pointer.
fn points(shape: &Shape, offset: u32) -> bool {
    match shape {
        Shape::Scalar { pointer, .. } => *pointer && offset == 0,
        Shape::Array { element, stride, .. } => *stride > 0 && points(element, offset % stride),
        Shape::Struct { fields, .. } => {
            let mut inside =
                fields.iter().filter(|(_, at, s)| *at <= offset && offset < at + s.size()).peekable();
            inside.peek().is_some() && inside.all(|(_, at, s)| points(s, offset - at))
        }
        Shape::Bytes => false,
    }
}
