//! Answers about terms, remembered. Many may ask at once, and nobody waits: answers stay where they
//! are, in blocks of which each is twice as large as the one before; whoever finds one first leaves it.

use lineal_model::process::term::TermId;
use std::sync::OnceLock;

/// The first block has so many; so many blocks hold all numbers.
const FIRST: usize = 64;
const BLOCKS: usize = 27;

type Block<T> = Box<[OnceLock<T>]>;

pub struct ByTerm<T>([OnceLock<Block<T>>; BLOCKS]);

impl<T> Default for ByTerm<T> {
    fn default() -> Self {
        ByTerm([const { OnceLock::new() }; BLOCKS])
    }
}

impl<T> ByTerm<T> {
    pub fn get_or(&self, term: TermId, find: impl FnOnce() -> T) -> &T {
        // Block `b` begins with number `FIRST * (2^b - 1)`.
        let at = term.0 as usize + FIRST;
        let block = (at / FIRST).ilog2() as usize;
        let length = FIRST << block;
        let all = self.0[block].get_or_init(|| (0..length).map(|_| OnceLock::new()).collect());
        let place = &all[at - length];
        if let Some(known) = place.get() {
            return known;
        }
        // Not within the place: what is to be found may ask again.
        let _ = place.set(find());
        place.get().expect("just set")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_stay() {
        let table: ByTerm<u32> = ByTerm::default();
        for round in 0..2 {
            for n in (0..3_000).chain([100_000, 1 << 20]) {
                assert_eq!(*table.get_or(TermId(n), || n + round), n);
            }
        }
    }
}
