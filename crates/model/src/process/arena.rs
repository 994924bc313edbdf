//! An append-only table that many threads may read while one appends.
//!
//! Buckets double in size and never move, so a reference stays valid and reading takes no lock.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

const FIRST: u32 = 64;

pub struct Arena<T> {
    buckets: [OnceLock<Box<[OnceLock<T>]>>; 26],
    len: AtomicU32,
}

impl<T> Default for Arena<T> {
    fn default() -> Self {
        Arena { buckets: [const { OnceLock::new() }; 26], len: AtomicU32::new(0) }
    }
}

fn locate(index: u32) -> (usize, usize) {
    let n = index + FIRST;
    let bucket = n.ilog2() - FIRST.ilog2();
    (bucket as usize, (n - (FIRST << bucket)) as usize)
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
        let (bucket, offset) = locate(index);
        let slots =
            self.buckets[bucket].get_or_init(|| (0..FIRST << bucket).map(|_| OnceLock::new()).collect());
        assert!(slots[offset].set(value).is_ok(), "two appends at once");
        self.len.store(index + 1, Ordering::Release);
        index
    }

    pub fn get(&self, index: u32) -> &T {
        let (bucket, offset) = locate(index);
        self.buckets[bucket].get().and_then(|b| b[offset].get()).expect("an index that was handed out")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_what_it_is_given() {
        let arena = Arena::default();
        for i in 0..1000u32 {
            assert_eq!(arena.push(i * 3), i);
        }
        assert!((0..1000).all(|i| *arena.get(i) == i * 3));
    }
}
