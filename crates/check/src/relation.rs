//! Binary relations on numbered events, as rows of bits. A container: what is related to what, those
//! who fill it say.

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Relation {
    len: usize,
    words: usize,
    bits: Vec<u64>,
}

impl Relation {
    pub fn empty(len: usize) -> Self {
        let words = len.div_ceil(64).max(1);
        Relation { len, words, bits: vec![0; words * len] }
    }

    pub fn where_(len: usize, holds: impl Fn(usize, usize) -> bool) -> Self {
        let mut r = Relation::empty(len);
        for a in 0..len {
            for b in 0..len {
                if holds(a, b) {
                    r.set(a, b);
                }
            }
        }
        r
    }

    /// The identity on some events.
    pub fn on(len: usize, holds: impl Fn(usize) -> bool) -> Self {
        Relation::where_(len, |a, b| a == b && holds(a))
    }

    pub fn set(&mut self, a: usize, b: usize) {
        self.bits[a * self.words + b / 64] |= 1 << (b % 64);
    }

    pub fn has(&self, a: usize, b: usize) -> bool {
        self.bits[a * self.words + b / 64] >> (b % 64) & 1 == 1
    }

    /// Adds every pair of `from` and `to`.
    pub fn set_all(&mut self, from: &[usize], to: &[usize]) {
        for &a in from {
            to.iter().for_each(|&b| self.set(a, b));
        }
    }

    /// Adds row `b` of `other` to row `a`, and says whether that was news.
    pub fn join(&mut self, a: usize, other: &Relation, b: usize) -> bool {
        let mut grew = false;
        for (x, y) in self.bits[a * self.words..(a + 1) * self.words].iter_mut().zip(other.row(b)) {
            grew |= *x | y != *x;
            *x |= y;
        }
        grew
    }

    /// The pairs for which this holds.
    pub fn only(&self, holds: impl Fn(usize, usize) -> bool) -> Relation {
        Relation::where_(self.len, |a, b| self.has(a, b) && holds(a, b))
    }

    /// Everything from which one of `ends` can be reached, `ends` included.
    pub fn leading_to(&self, ends: &[usize]) -> Vec<usize> {
        let mut reached = vec![false; self.len];
        let mut todo = ends.to_vec();
        ends.iter().for_each(|&a| reached[a] = true);
        while let Some(b) = todo.pop() {
            for (a, seen) in reached.iter_mut().enumerate() {
                if !*seen && self.has(a, b) {
                    *seen = true;
                    todo.push(a);
                }
            }
        }
        (0..self.len).filter(|&a| reached[a]).collect()
    }

    /// How many events there are.
    pub fn events(&self) -> usize {
        self.len
    }

    fn row(&self, a: usize) -> &[u64] {
        &self.bits[a * self.words..(a + 1) * self.words]
    }

    /// `self ; other`.
    pub fn then(&self, other: &Relation) -> Relation {
        let mut r = Relation::empty(self.len);
        for a in 0..self.len {
            for b in (0..self.len).filter(|&b| self.has(a, b)) {
                r.join(a, other, b);
            }
        }
        r
    }

    pub fn or(&self, other: &Relation) -> Relation {
        let bits = self.bits.iter().zip(&other.bits).map(|(a, b)| a | b).collect();
        Relation { bits, ..*self }
    }

    /// `self?`: reflexive.
    pub fn or_equal(&self) -> Relation {
        self.or(&Relation::on(self.len, |_| true))
    }

    /// `self⁺`.
    pub fn plus(&self) -> Relation {
        let mut r = self.clone();
        for k in 0..r.len {
            let via = r.row(k).to_vec();
            for a in 0..r.len {
                if r.has(a, k) {
                    for (x, y) in r.bits[a * r.words..(a + 1) * r.words].iter_mut().zip(&via) {
                        *x |= y;
                    }
                }
            }
        }
        r
    }

    pub fn is_irreflexive(&self) -> bool {
        (0..self.len).all(|a| !self.has(a, a))
    }

    pub fn is_acyclic(&self) -> bool {
        self.plus().is_irreflexive()
    }

    pub fn is_disjoint(&self, other: &Relation) -> bool {
        self.bits.iter().zip(&other.bits).all(|(a, b)| a & b == 0)
    }
}
