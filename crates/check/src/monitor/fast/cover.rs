//! Points that no core covers yet: a bitmap whose empty words are skipped by union-find, in both
//! directions. Covering only ever grows, so each word is emptied once.

pub struct Bare {
    words: Vec<u64>,
    /// Nearest word at or after this one that is not known to be empty.
    up: Vec<u32>,
    /// The same before; shifted by one, so that 0 means none.
    down: Vec<u32>,
}

impl Bare {
    /// All of `points` bare.
    pub fn new(points: u32) -> Self {
        let count = points as usize / 64 + 1;
        let mut words = vec![!0u64; count];
        words[count - 1] = (1u64 << (points % 64)) - 1;
        Bare { words, up: (0..=count as u32).collect(), down: (0..=count as u32).collect() }
    }

    /// The first bare point at or after `p`.
    pub fn next(&mut self, p: u32) -> Option<u32> {
        let w = (p / 64) as usize;
        let here = self.words.get(w)? & (!0u64 << (p % 64));
        if here != 0 {
            return Some(w as u32 * 64 + here.trailing_zeros());
        }
        let mut w = find(&mut self.up, w as u32 + 1);
        loop {
            match self.words.get(w as usize)? {
                0 => {
                    self.up[w as usize] = w + 1;
                    w = find(&mut self.up, w);
                }
                word => return Some(w * 64 + word.trailing_zeros()),
            }
        }
    }

    /// The last bare point at or before `p`.
    pub fn prev(&mut self, p: u32) -> Option<u32> {
        let w = ((p / 64) as usize).min(self.words.len() - 1);
        let mask = if (p / 64) as usize == w { !0u64 >> (63 - p % 64) } else { !0 };
        let here = self.words[w] & mask;
        if here != 0 {
            return Some(w as u32 * 64 + 63 - here.leading_zeros());
        }
        let mut w = find(&mut self.down, w as u32);
        while w > 0 {
            match self.words[w as usize - 1] {
                0 => {
                    self.down[w as usize] = w - 1;
                    w = find(&mut self.down, w);
                }
                word => return Some((w - 1) * 64 + 63 - word.leading_zeros()),
            }
        }
        None
    }

    /// Covers the points `[from, to)`.
    pub fn cover(&mut self, from: u32, to: u32) {
        if from >= to {
            return;
        }
        let (first, last) = (from / 64, (to - 1) / 64);
        let head = !0u64 << (from % 64);
        let tail = !0u64 >> (63 - (to - 1) % 64);
        if first == last {
            self.clear(first, head & tail);
            return;
        }
        self.clear(first, head);
        let mut w = find(&mut self.up, first + 1);
        while w < last {
            self.clear(w, !0);
            w = find(&mut self.up, w + 1);
        }
        self.clear(last, tail);
    }

    fn clear(&mut self, w: u32, mask: u64) {
        let Some(word) = self.words.get_mut(w as usize) else { return };
        *word &= !mask;
        if *word == 0 {
            self.up[w as usize] = w + 1;
            self.down[w as usize + 1] = w;
        }
    }
}

/// Path-halving.
fn find(link: &mut [u32], mut i: u32) -> u32 {
    while link[i as usize] != i {
        let next = link[i as usize];
        link[i as usize] = link[next as usize];
        i = next;
    }
    i
}

#[cfg(test)]
mod tests {
    use super::Bare;
    use lineal_sweep::Choices;

    #[test]
    fn agrees_with_a_plain_array() {
        let mut choices = Choices::new(7);
        for points in [1, 63, 64, 65, 200, 1000] {
            let mut bare = Bare::new(points);
            let mut plain = vec![true; points as usize];
            for _ in 0..60 {
                let (a, b) = (choices.below(points + 1), choices.below(points + 1));
                bare.cover(a.min(b), a.max(b).min(a.min(b) + 150));
                plain[a.min(b) as usize..a.max(b).min(a.min(b) + 150) as usize].fill(false);
                for p in 0..points {
                    assert_eq!(bare.next(p), (p..points).find(|&q| plain[q as usize]), "{points} {p}");
                    assert_eq!(bare.prev(p), (0..=p).rev().find(|&q| plain[q as usize]), "{points} {p}");
                }
            }
        }
    }
}
