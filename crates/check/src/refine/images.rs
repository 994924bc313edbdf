//! Numbers by number, which many threads read and write without a lock.
//!
//! A lock that is only read is still written to by everyone who takes it, and the line it lies in goes
//! to and fro between processors. Here reading writes nothing. What is unknown may be computed by several
//! at once, all of which find the same.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

/// Lists double in size and never move.
#[derive(Default)]
pub struct Images {
    lists: [OnceLock<Box<[AtomicU32]>>; 26],
}

const FIRST: u32 = 64;
/// A place where nothing is known; others hold one more than the number.
const UNKNOWN: u32 = 0;

/// List, and place in the list.
fn locate(at: u32) -> (usize, usize) {
    let list = (at / FIRST + 1).ilog2();
    (list as usize, (at - FIRST * ((1 << list) - 1)) as usize)
}

impl Images {
    pub fn get(&self, at: u32) -> Option<u32> {
        let (list, at) = locate(at);
        // Whoever learns of a number may go on to what it stands for.
        self.lists[list].get()?[at].load(Ordering::Acquire).checked_sub(1)
    }

    /// Answers how many bytes more this takes.
    pub fn set(&self, at: u32, image: u32) -> u64 {
        let (list, at) = locate(at);
        let mut more = 0;
        let list = self.lists[list].get_or_init(|| {
            let list: Box<[_]> = (0..FIRST << list).map(|_| AtomicU32::new(UNKNOWN)).collect();
            more = size_of_val(&*list) as u64;
            list
        });
        list[at].store(image + 1, Ordering::Release);
        more
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_place_is_its_own() {
        let images = Images::default();
        assert_eq!(images.get(70_000), None);
        let held: u64 = (0..5_000).map(|i| images.set(i, i * 3)).sum();
        assert!((20_000..41_000).contains(&held));
        assert!((0..5_000).all(|i| images.get(i) == Some(i * 3)));
        assert_eq!(images.get(5_000), None);
        images.set(7, 0);
        assert_eq!(images.get(7), Some(0));
    }
}
