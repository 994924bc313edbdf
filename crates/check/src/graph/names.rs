//! Numbers for what programs name by address: cells and threads.
//!
//! Cells are numbered in the order the search meets them, threads by (parent, n-th creation),
//! so that a number means the same in every graph of one search.

use super::books::Used;
use lineal_model::run::{BlockId, Loc, Runnable, ThreadId, Value};
use rustc_hash::FxHashMap;

#[derive(Clone, Default)]
pub struct Names {
    numbers: FxHashMap<Loc, u32>,
    /// The cell that was asked for last.
    latest: u32,
    pub cells: Vec<Cell>,
    by_block: FxHashMap<BlockId, Vec<u32>>,
    threads: FxHashMap<(usize, usize), usize>,
}

#[derive(Clone, Copy, Debug)]
pub struct Cell {
    pub loc: Loc,
    pub size: u8,
    /// First content, for cells that exist before `main`.
    pub initial: Value,
    /// How it was used so far: see [`super::unseen`].
    pub used: Used,
}

impl Names {
    pub fn cell<R: Runnable>(&mut self, program: &R, loc: Loc, size: u8) -> u32 {
        // What is asked about one access is asked in a row.
        if let Some(cell) = self.cells.get(self.latest as usize)
            && cell.loc == loc
        {
            return self.latest;
        }
        if let Some(&n) = self.numbers.get(&loc) {
            self.latest = n;
            return n;
        }
        let n = self.cells.len() as u32;
        self.latest = n;
        let initial = if loc.block().is_global() { program.initial(loc, size) } else { Value::UNDEFINED };
        self.cells.push(Cell { loc, size, initial, used: Used::default() });
        self.numbers.insert(loc, n);
        self.by_block.entry(loc.block()).or_default().push(n);
        n
    }

    pub fn find(&self, loc: Loc) -> Option<u32> {
        self.numbers.get(&loc).copied()
    }

    pub fn cells_of(&self, block: BlockId) -> &[u32] {
        self.by_block.get(&block).map_or(&[], Vec::as_slice)
    }

    /// How many threads were met, the main thread included.
    pub fn threads(&self) -> usize {
        self.threads.len() + 1
    }

    /// The number of the `n`-th thread that `parent` creates; `None` when there are too many.
    pub fn thread(&mut self, parent: usize, n: usize) -> Option<usize> {
        let next = self.threads.len() + 1;
        let id = *self.threads.entry((parent, n)).or_insert(next);
        (id < ThreadId::MAX).then_some(id)
    }
}
