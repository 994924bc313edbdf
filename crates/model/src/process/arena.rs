//! An append-only table that many threads may read while one appends.
//!
//! Items lie in chunks of one size, so memory grows evenly. Lists of chunks double in size and never
//! move, so a reference stays valid and reading takes no lock.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

const CHUNK: u32 = 64;
const FIRST: u32 = 4;

type List<T> = Box<[OnceLock<T>]>;

pub struct Arena<T> {
    lists: [OnceLock<List<List<T>>>; 25],
    len: AtomicU32,
}

impl<T> Default for Arena<T> {
    fn default() -> Self {
        Arena { lists: [const { OnceLock::new() }; 25], len: AtomicU32::new(0) }
    }
}

/// List, place in the list, place in the chunk.
fn locate(index: u32) -> (usize, usize, usize) {
    let n = index / CHUNK + FIRST;
    let list = n.ilog2() - FIRST.ilog2();
    (list as usize, (n - (FIRST << list)) as usize, (index % CHUNK) as usize)
}

fn empty<T>(len: u32) -> List<T> {
    (0..len).map(|_| OnceLock::new()).collect()
}

impl<T> Arena<T> {
    pub fn len(&self) -> u32 {
        self.len.load(Ordering::Acquire)
    }
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Appends. Callers hold a lock of their own: two appends at once are a bug.
    pub fn push(&self, value: T) -> u32 {
        let index = self.len.load(Ordering::Acquire);
        let (list, at, offset) = locate(index);
        let chunks = self.lists[list].get_or_init(|| empty(FIRST << list));
        let chunk = chunks[at].get_or_init(|| empty(CHUNK));
        assert!(chunk[offset].set(value).is_ok(), "two appends at once");
        self.len.store(index + 1, Ordering::Release);
        index
    }

    pub fn get(&self, index: u32) -> &T {
        let (list, at, offset) = locate(index);
        let chunk = self.lists[list].get().and_then(|chunks| chunks[at].get());
        chunk.and_then(|c| c[offset].get()).expect("an index that was handed out")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_what_it_is_given() {
        let arena = Arena::default();
        for i in 0..5000u32 {
            assert_eq!(arena.push(i * 3), i);
        }
        assert!((0..5000).all(|i| *arena.get(i) == i * 3));
    }
}
