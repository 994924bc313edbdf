//! Choices: by chance, from a seed, or as they were made before. What was chosen is remembered, so
//! that a case can be made again, or a smaller one like it.

use fastrand::Rng;

#[derive(Clone, Debug)]
pub struct Choices {
    rng: Rng,
    /// To be made again, before chance decides: in reverse.
    given: Vec<u64>,
    made: Vec<u64>,
}

impl Choices {
    pub fn new(seed: u64) -> Self {
        Choices { rng: Rng::with_seed(seed), given: Vec::new(), made: Vec::new() }
    }

    /// These choices again. Should more be asked for than there are, the same chance decides each
    /// time; one that is too large is the largest possible.
    pub fn again(made: &[u64]) -> Self {
        Choices { given: made.iter().rev().copied().collect(), ..Choices::new(0) }
    }

    /// A new case begins.
    pub fn begin(&mut self) {
        self.made.clear();
    }

    /// The choices of this case.
    pub fn made(&self) -> &[u64] {
        &self.made
    }

    fn draw(&mut self, n: u64) -> u64 {
        let n = n.max(1);
        let choice = match self.given.pop() {
            Some(given) => given.min(n - 1),
            None => self.rng.u64(..n),
        };
        self.made.push(choice);
        choice
    }

    /// A number below `n`; 0 below 0.
    pub fn below<N: TryInto<u64> + TryFrom<u64>>(&mut self, n: N) -> N {
        let choice = self.draw(n.try_into().unwrap_or(0));
        N::try_from(choice).unwrap_or_else(|_| unreachable!("what is below a number is one of its kind"))
    }

    /// A number of `low..=high`.
    pub fn range(&mut self, low: i64, high: i64) -> i64 {
        low.wrapping_add(self.draw(high.wrapping_sub(low).wrapping_add(1) as u64) as i64)
    }

    /// Any number.
    pub fn bits(&mut self) -> u64 {
        self.draw(u64::MAX)
    }

    /// True in so many of a hundred cases.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100usize) < percent
    }

    pub fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        *self.pick_ref(from)
    }

    pub fn pick_ref<'t, T>(&mut self, from: &'t [T]) -> &'t T {
        &from[self.below(from.len())]
    }
}
