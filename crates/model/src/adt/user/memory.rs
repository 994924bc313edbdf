//! What a program keeps in memory between two calls, in a form that can be compared.
//!
//! Cells that hold what they held at first are left out. Blocks are renamed in the order in which
//! they are met from the globals on, and those that nothing leads to are dropped, so that two
//! states are equal when a program cannot tell them apart. Where a number might be an address or
//! not (no type says so), names are left alone: then states that could be one stay two, which is
//! sound.

use super::alone::CALLER;
use super::values::decode;
use crate::history::Values;
use crate::program::{Machine, Program, Shape};
use crate::run::{BlockId, BlockInfo, BlockKind, FailureKind, Loc, Runnable, Value, World};
use std::collections::BTreeMap;

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Memory {
    /// Those that differ from what they were when their block came to life.
    cells: BTreeMap<Loc, (Value, u8)>,
    blocks: BTreeMap<BlockId, Block>,
    /// Under partial locks: what whoever acquires the value of a cell comes to see, if anything.
    messages: BTreeMap<Loc, u32>,
    /// Blocks are numbered up to here.
    spent: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Block {
    size: u32,
    layout: u32,
    zeroed: bool,
    kind: BlockKind,
    freed: bool,
}

/// Addresses have so many bits; above are tags.
const ADDRESS_BITS: u32 = 47;
/// Numbers of blocks that are local variables.
const LOCAL: u32 = 0xc000;
/// Cells shown at most.
const SHOWN: usize = 16;

impl World for Memory {
    fn block(&self, block: BlockId) -> Option<BlockInfo> {
        self.blocks.get(&block).map(|b| BlockInfo { size: b.size, layout: b.layout })
    }
}

impl Memory {
    pub fn read(&self, machine: &Machine, loc: Loc, size: u8) -> Value {
        self.cells.get(&loc).map_or_else(|| self.original(machine, loc, size), |c| c.0)
    }

    pub fn write(&mut self, machine: &Machine, loc: Loc, size: u8, value: Value) {
        if value == self.original(machine, loc, size) {
            self.cells.remove(&loc);
        } else {
            self.cells.insert(loc, (value, size));
        }
    }

    fn original(&self, machine: &Machine, loc: Loc, size: u8) -> Value {
        match self.blocks.get(&loc.block()) {
            _ if loc.block().is_global() => machine.initial(loc, size),
            Some(Block { zeroed: true, .. }) => Value::ZERO,
            _ => Value::UNDEFINED,
        }
    }

    pub fn allocate(&mut self, block: BlockId, size: u32, zeroed: bool, kind: BlockKind, layout: u32) {
        self.blocks.insert(block, Block { size, layout, zeroed, kind, freed: false });
    }

    pub fn free(&mut self, loc: Loc, kind: BlockKind) -> Result<(), FailureKind> {
        match self.blocks.get_mut(&loc.block()) {
            Some(b) if loc.offset() == 0 && b.kind == kind => {
                if std::mem::replace(&mut b.freed, true) {
                    return Err(FailureKind::DoubleFree);
                }
            }
            _ => return Err(FailureKind::InvalidFree),
        }
        self.cells.retain(|at, _| at.block() != loc.block());
        self.messages.retain(|at, _| at.block() != loc.block());
        Ok(())
    }

    pub fn is_freed(&self, block: BlockId) -> bool {
        self.blocks.get(&block).is_some_and(|b| b.freed)
    }

    /// See [`super::partial`].
    pub fn message(&self, loc: Loc) -> u32 {
        self.messages.get(&loc).copied().unwrap_or(0)
    }

    pub fn send(&mut self, loc: Loc, message: u32) {
        match message {
            0 => drop(self.messages.remove(&loc)),
            _ => drop(self.messages.insert(loc, message)),
        }
    }

    pub fn spent(&self) -> u32 {
        self.spent
    }

    pub fn spend(&mut self, spent: u32) {
        self.spent = self.spent.max(spent);
    }

    /// So many eight-byte cells from `loc` on are as they were at first.
    pub fn forget(&mut self, loc: Loc, count: u32) {
        for i in 0..u64::from(count) {
            self.cells.remove(&Loc(loc.0 + 8 * i));
        }
    }

    /// A cell that holds the address of a local variable.
    pub fn keeps_local(&self) -> Option<Loc> {
        let local = |word: u64| address(word).is_some_and(|block| block.number() >= LOCAL);
        self.cells.iter().find(|(_, (v, _))| local(v.lo) || local(v.hi)).map(|(loc, _)| *loc)
    }

    /// Renames blocks by how they are reached; drops the others.
    pub fn settle(&mut self, program: &Program) {
        let Some(order) = self.reached(program) else { return };
        let names: BTreeMap<BlockId, BlockId> =
            order.iter().zip(1..).map(|(&old, n)| (old, BlockId::new(u32::from(CALLER.0), n))).collect();
        let moved = |word: u64| match address(word).and_then(|block| names.get(&block)) {
            Some(new) => new.base().0 + u64::from(Loc(word).offset()),
            None => word,
        };
        let place = |loc: Loc| match loc.block().is_global() {
            true => Some(loc),
            false => names.get(&loc.block()).map(|new| Loc(new.base().0 + u64::from(loc.offset()))),
        };
        let messages = std::mem::take(&mut self.messages);
        self.messages = messages.into_iter().filter_map(|(loc, m)| Some((place(loc)?, m))).collect();
        let cells = std::mem::take(&mut self.cells);
        for (loc, (value, size)) in cells {
            let Some(at) = place(loc) else { continue };
            let value = match size >= 8 {
                true => Value { lo: moved(value.lo), hi: moved(value.hi), ..value },
                false => value,
            };
            self.cells.insert(at, (value, size));
        }
        let blocks = std::mem::take(&mut self.blocks);
        self.blocks = blocks.into_iter().filter_map(|(b, block)| Some((*names.get(&b)?, block))).collect();
        self.spent = order.len() as u32;
    }

    /// Blocks in the order in which they are met. `None`: some word may or may not be an address.
    fn reached(&self, program: &Program) -> Option<Vec<BlockId>> {
        let mut order: Vec<BlockId> = Vec::new();
        let mut met = std::collections::BTreeSet::new();
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

    pub fn show(&self, machine: &Machine, values: &Values) -> String {
        let mut words = Vec::new();
        let own = format!("#{}.", CALLER.0);
        for (&loc, &(value, size)) in &self.cells {
            let name = machine.name(loc, self).replace(&own, "#");
            if name.starts_with("__lineal") || value.undefined {
                continue;
            }
            let shown = match self.blocks.contains_key(&Loc(value.lo).block()) {
                true => format!("&{}", machine.name(Loc(value.lo), self).replace(&own, "#")),
                false => decode(value.signed(size.min(8)), values),
            };
            words.push(format!("{name} = {shown}"));
        }
        let left = words.len().saturating_sub(SHOWN);
        words.truncate(SHOWN);
        if left > 0 {
            words.push(format!("and {left} more"));
        }
        match words.is_empty() {
            true => "as at first".into(),
            false => words.join(", "),
        }
    }

    pub fn bytes(&self) -> usize {
        size_of::<Memory>() + 48 * self.cells.len() + 32 * self.blocks.len() + 24 * self.messages.len()
    }
}

/// The block of ours that a word is an address in, if it is an address.
fn address(word: u64) -> Option<BlockId> {
    let block = Loc(word).block();
    (word < 1 << ADDRESS_BITS && block.owner() == u32::from(CALLER.0)).then_some(block)
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
