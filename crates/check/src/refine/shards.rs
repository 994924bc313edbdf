//! States in several tables, by their hashes, so that several workers can enter states at once: each
//! has tables of its own. With one table numbers are given without gaps, in order of discovery; with
//! several almost so.

use super::table::{Table, hash};

/// Tables, if there are several.
pub const MANY: usize = 16;

/// Which of [`MANY`] tables a key with this hash belongs to.
pub fn shard_of(hash: u64) -> usize {
    (hash >> 8) as usize % MANY
}

pub struct Shards {
    all: Vec<Table>,
    /// How many bits of a number say which table it is.
    bits: u32,
}

impl Shards {
    /// For so many workers. Of two, one enters states and the other does not.
    pub fn new(jobs: usize) -> Self {
        let count = if jobs > 2 { MANY } else { 1 };
        Shards { all: (0..count).map(|_| Table::default()).collect(), bits: count.ilog2() }
    }

    pub fn len(&self) -> usize {
        self.all.iter().map(Table::len).sum()
    }

    pub fn size(&self) -> u64 {
        self.all.iter().map(Table::size).sum()
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.all.len()
    }

    /// Which table a key with this hash belongs to.
    pub fn of(&self, hash: u64) -> usize {
        shard_of(hash) & (self.all.len() - 1)
    }

    /// The number of the string that has this one in its table.
    pub fn number(&self, shard: usize, id: u32) -> u32 {
        id << self.bits | shard as u32
    }

    /// The whole string.
    pub fn get(&self, id: u32) -> &[u8] {
        self.all[id as usize & (self.all.len() - 1)].get(id >> self.bits)
    }

    /// The one found as about the `n`th.
    pub fn nth(&self, n: usize) -> Option<&[u8]> {
        let table = &self.all[n % self.all.len()];
        let at = (n / self.all.len()).min(table.len().checked_sub(1)?);
        Some(table.get(at as u32))
    }

    pub fn insert(&mut self, key: &[u8], rest: &[u8]) -> u32 {
        self.insert_hashed(hash(key), key, rest)
    }

    pub fn insert_hashed(&mut self, hash: u64, key: &[u8], rest: &[u8]) -> u32 {
        let shard = self.of(hash);
        let (id, _) = self.all[shard].insert_hashed(hash, key, rest);
        self.number(shard, id)
    }

    /// Hands a table to somebody who enters strings into it.
    pub fn lend(&mut self, shard: usize) -> Table {
        std::mem::take(&mut self.all[shard])
    }

    pub fn take_back(&mut self, shard: usize, table: Table) {
        self.all[shard] = table;
    }
}
