//! Numbers for threads: the n-th child of one parent has the same number in every run of a search.
//!
//! Children of the main thread are numbered from 1 upwards, as everywhere; those of other threads
//! from the last number downwards, as they are met. Where the two would meet there are too many.

use lineal_model::run::ThreadId;
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

#[derive(Debug, Default)]
pub struct Numbers {
    /// Children of the main thread seen.
    wide: Cell<usize>,
    nested: RefCell<BTreeMap<(usize, usize), usize>>,
}

impl Numbers {
    /// The number of the `n`-th child of `parent`, counted from 1; `None`: there are too many.
    pub fn child(&self, parent: usize, n: usize) -> Option<usize> {
        let mut nested = self.nested.borrow_mut();
        if parent == 0 {
            self.wide.set(self.wide.get().max(n));
            return (n + nested.len() < ThreadId::MAX).then_some(n);
        }
        if let Some(&number) = nested.get(&(parent, n)) {
            return Some(number);
        }
        let number = ThreadId::MAX - 1 - nested.len();
        (number > self.wide.get()).then(|| *nested.entry((parent, n)).or_insert(number))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn no_two_threads_share_a_number() {
        let numbers = Numbers::default();
        let mut seen = BTreeSet::from([0]);
        let mut parent = 0;
        // Wide below main, wide below one child, then a chain.
        let children = (1..=20).map(|n| (0, n)).chain((1..=20).map(|n| (3, n)));
        for (parent, n) in children.collect::<Vec<_>>() {
            assert!(seen.insert(numbers.child(parent, n).unwrap()));
        }
        while seen.len() < ThreadId::MAX {
            parent = numbers.child(parent, 21).unwrap();
            assert!(parent < ThreadId::MAX && seen.insert(parent), "{parent} is taken");
        }
        assert_eq!(numbers.child(parent, 21), None);
        assert_eq!(numbers.child(3, 7), numbers.child(3, 7));
    }
}
