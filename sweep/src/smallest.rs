//! Of a case that fails a small one that fails too.
//!
//! Not the case is made smaller but the choices it was made from (MacIver, Donaldson, *Test-Case
//! Reduction via Test-Case Generation*, ECOOP 2020): some are left out, others lowered, and the
//! generator makes another case of the rest. So a suite says nothing about how its programs, models
//! or histories could be smaller, and whatever comes out is one that the generator can make. A case
//! is small if it takes little room to show; of two that take as much, that of fewer choices is
//! smaller, and of as many that of the lower ones.

use crate::Choices;

/// A failure should be reported before anybody loses patience.
const ATTEMPTS: usize = 2_000;

/// What is wrong with a small case like the one that was made of these choices, and the case.
///
/// `wrong` says what is wrong with a case, if anything; any fault will do.
pub fn smallest<T>(
    made: &[u64],
    generate: impl Fn(&mut Choices) -> T,
    show: impl Fn(&T) -> String,
    wrong: impl Fn(&T) -> Option<String>,
) -> String {
    let made = shrink(made, |choices| {
        let case = generate(choices);
        wrong(&case).map(|_| show(&case).len())
    });
    let case = generate(&mut Choices::again(&made));
    let why = wrong(&case).unwrap_or("nothing, when it is made again".into());
    format!("{why}\n{}", show(&case))
}

/// Choices found that make a small case, which fails too. `fails` makes a case, and says how large it
/// is if it fails.
pub fn shrink(made: &[u64], fails: impl Fn(&mut Choices) -> Option<usize>) -> Vec<u64> {
    let mut search = Search { size: usize::MAX, best: made.to_vec(), left: ATTEMPTS, fails };
    search.try_out(made);
    loop {
        let before = search.best.clone();
        search.leave_out();
        search.leave_out_counted();
        search.change();
        if search.best == before || search.left == 0 {
            return search.best;
        }
    }
}

struct Search<F> {
    size: usize,
    best: Vec<u64>,
    left: usize,
    fails: F,
}

impl<F: Fn(&mut Choices) -> Option<usize>> Search<F> {
    /// Whether these choices fail, and what is made of them is smaller.
    fn try_out(&mut self, candidate: &[u64]) -> bool {
        if self.left == 0 {
            return false;
        }
        self.left -= 1;
        let mut choices = Choices::again(candidate);
        let Some(size) = (self.fails)(&mut choices) else { return false };
        let made = choices.made();
        let is_smaller = (size, made.len(), made) < (self.size, self.best.len(), &self.best[..]);
        if is_smaller {
            (self.size, self.best) = (size, made.to_vec());
        }
        is_smaller
    }

    /// Large pieces first.
    fn leave_out(&mut self) {
        let mut size = self.best.len().div_ceil(2);
        while size > 0 {
            let mut at = 0;
            while at + size <= self.best.len() {
                let mut candidate = self.best.clone();
                candidate.drain(at..at + size);
                if !self.try_out(&candidate) {
                    at += size;
                }
            }
            size /= 2;
        }
    }

    /// One of several things of which another choice says how many there are.
    fn leave_out_counted(&mut self) {
        for at in 0.. {
            let Some(&count) = self.best.get(at).filter(|_| self.left > 0) else { return };
            let width = if count > 0 { self.shorter_with(at, count - 1) } else { 0 };
            let mut from = at + 1;
            while width > 0 && from + width <= self.best.len() && self.best[at] > 0 {
                let mut candidate = self.best.clone();
                candidate[at] -= 1;
                candidate.drain(from..from + width);
                if !self.try_out(&candidate) {
                    from += 1;
                }
            }
        }
    }

    /// By how many choices the case is shorter with another choice at this place.
    fn shorter_with(&mut self, at: usize, choice: u64) -> usize {
        let mut candidate = self.best.clone();
        candidate[at] = choice;
        let mut choices = Choices::again(&candidate);
        self.left = self.left.saturating_sub(1);
        let _ = (self.fails)(&mut choices);
        self.best.len().saturating_sub(choices.made().len())
    }

    /// To lower ones mostly; what comes next in a list may be smaller, too.
    fn change(&mut self) {
        let mut at = 0;
        while at < self.best.len() {
            let now = self.best[at];
            for other in [0, now / 2, now.saturating_sub(1), now.saturating_add(1), now.saturating_add(2)] {
                let mut candidate = self.best.clone();
                candidate[at] = other;
                if other != now && self.try_out(&candidate) {
                    break;
                }
            }
            if self.best.get(at).is_none_or(|&then| then == now) || self.left == 0 {
                at += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(choices: &mut Choices) -> Vec<usize> {
        let count = choices.below(50usize);
        (0..count).map(|_| choices.below(1000)).collect()
    }

    #[test]
    fn two_numbers_out_of_many() {
        let wrong = |case: &Vec<usize>| {
            let large = case.iter().filter(|n| **n >= 300).count();
            (large >= 2).then(|| "two are large".to_string())
        };
        for seed in 0..50 {
            let mut choices = Choices::new(seed);
            let case = numbers(&mut choices);
            if wrong(&case).is_some() {
                let size = |case: Vec<usize>| wrong(&case).map(|_| case.len());
                let small = shrink(choices.made(), |c| size(numbers(c)));
                assert_eq!(numbers(&mut Choices::again(&small)), [300, 300], "seed {seed}: {case:?}");
            }
        }
    }

    #[test]
    fn choices_are_made_again() {
        let mut first = Choices::new(7);
        let case = numbers(&mut first);
        assert_eq!(numbers(&mut Choices::again(first.made())), case);
        assert_eq!(numbers(&mut Choices::new(7)), case, "a seed decides");
        first.begin();
        assert!(first.made().is_empty());
    }
}
