//! Memory under sequential consistency: cells, blocks, and what an operation does to them.
//!
//! A store is also a state to be compared. Cells that hold what they held at first are left out,
//! and [`Store::settle`] renames blocks by how they are reached, so that two stores are equal when
//! a program cannot tell them apart ([`rename`]).

mod rename;

pub use rename::Renaming;

use super::Machine;
use crate::run::{
    BlockId, BlockInfo, BlockKind, FailureKind, Loc, Op, Runnable, ThreadId, Value, Wait, World,
};
use std::collections::BTreeMap;

/// Owner of the blocks that functions allocate: such an address is no number a program would
/// compute by itself.
pub const HEAP: ThreadId = ThreadId(63);
/// Numbers of blocks that are local variables.
const LOCAL: u32 = 0xc000;

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Store {
    /// Those that differ from what they were when their block came to life.
    cells: BTreeMap<Loc, (Value, u8)>,
    blocks: BTreeMap<BlockId, Block>,
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

/// Why an operation cannot be made.
pub type Wrong = (FailureKind, String);

impl World for Store {
    fn block(&self, block: BlockId) -> Option<BlockInfo> {
        self.blocks.get(&block).map(|b| BlockInfo { size: b.size, layout: b.layout })
    }
}

impl Store {
    /// What whoever asks is answered when the operation takes effect now; `None`: it has to wait
    /// for another thread. Operations that are not about memory are answered with nothing.
    pub fn perform(&mut self, machine: &Machine, op: Op) -> Result<Option<Value>, Wrong> {
        let value = match op {
            Op::Read { loc, size, copy, wait, .. } => {
                let value = self.look(machine, loc, size, copy)?;
                if waits(wait, value, size) {
                    return Ok(None);
                }
                value
            }
            Op::Write { loc, size, value, .. } => {
                self.usable(machine, loc)?;
                self.write(machine, loc, size, value.truncate(size));
                Value::ZERO
            }
            Op::Rmw { loc, size, rmw, wait, .. } => {
                let value = self.look(machine, loc, size, false)?;
                if waits(wait, value, size) {
                    return Ok(None);
                }
                if let Some(new) = rmw.apply(value, size) {
                    self.write(machine, loc, size, new);
                }
                value
            }
            Op::Alloc { block, size, zeroed, kind, layout } => {
                self.blocks.insert(block, Block { size, layout, zeroed, kind, freed: false });
                Value::ZERO
            }
            Op::Free { loc, kind } => {
                self.free(loc, kind).map_err(|kind| {
                    let name = machine.block_name(loc.block(), self);
                    let what = match kind {
                        FailureKind::DoubleFree => "twice",
                        _ => "which `malloc` did not return",
                    };
                    (kind, format!("frees `{name}`, {what}"))
                })?;
                Value::ZERO
            }
            Op::Fence { .. } | Op::Choose { .. } | Op::Loop { .. } | Op::Create { .. } | Op::Join { .. } => {
                Value::ZERO
            }
        };
        Ok(Some(value))
    }

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

    /// Whether the block may still be used.
    pub fn usable(&self, machine: &Machine, loc: Loc) -> Result<(), Wrong> {
        match self.blocks.get(&loc.block()) {
            Some(Block { freed: true, .. }) => {
                let name = machine.block_name(loc.block(), self);
                Err((FailureKind::UseAfterFree, format!("uses `{name}`, which was freed")))
            }
            _ => Ok(()),
        }
    }

    fn look(&self, machine: &Machine, loc: Loc, size: u8, copy: bool) -> Result<Value, Wrong> {
        self.usable(machine, loc)?;
        let value = self.read(machine, loc, size);
        if value.undefined && !copy {
            let name = machine.name(loc, self);
            return Err((FailureKind::Uninitialised, format!("reads `{name}`, which was never written")));
        }
        Ok(value)
    }

    fn original(&self, machine: &Machine, loc: Loc, size: u8) -> Value {
        match self.blocks.get(&loc.block()) {
            _ if loc.block().is_global() => machine.initial(loc, size),
            Some(Block { zeroed: true, .. }) => Value::ZERO,
            _ => Value::UNDEFINED,
        }
    }

    fn free(&mut self, loc: Loc, kind: BlockKind) -> Result<(), FailureKind> {
        match self.blocks.get_mut(&loc.block()) {
            Some(b) if loc.offset() == 0 && b.kind == kind => {
                if std::mem::replace(&mut b.freed, true) {
                    return Err(FailureKind::DoubleFree);
                }
            }
            _ => return Err(FailureKind::InvalidFree),
        }
        self.cells.retain(|at, _| at.block() != loc.block());
        Ok(())
    }

    /// How many blocks were numbered, so that the next thread goes on from there.
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
        let local = |word: u64| rename::address(word).is_some_and(|block| block.number() >= LOCAL);
        self.cells.iter().find(|(_, (v, _))| local(v.lo) || local(v.hi)).map(|(loc, _)| *loc)
    }

    /// The cells that are not as they were at first, with their sizes.
    pub fn cells(&self) -> impl Iterator<Item = (Loc, Value, u8)> + '_ {
        self.cells.iter().map(|(&loc, &(value, size))| (loc, value, size))
    }

    /// Roughly.
    pub fn bytes(&self) -> usize {
        size_of::<Store>() + 48 * self.cells.len() + 32 * self.blocks.len()
    }
}

fn waits(wait: Option<Wait>, value: Value, size: u8) -> bool {
    wait.is_some_and(|w| !w.until.holds(value, size))
}
