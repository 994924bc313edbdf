//! Sets of calls as bits.

use super::observe::Mask;

/// The members of a set.
pub fn bits(mask: Mask) -> impl Iterator<Item = usize> {
    let mut rest = mask;
    std::iter::from_fn(move || {
        let next = rest.trailing_zeros();
        (rest != 0).then(|| {
            rest &= rest - 1;
            next as usize
        })
    })
}

/// How many edges of the set contradict the layers.
pub fn contradictions(layers: &[Mask], edges: &[Mask]) -> u32 {
    let mut earlier: Mask = 0;
    let mut count = 0;
    for &layer in layers {
        // Edges that lead from here to an earlier layer.
        count += bits(earlier).map(|j| (edges[j] & layer).count_ones()).sum::<u32>();
        earlier |= layer;
    }
    count
}

/// The edges i→j of the set with `j` in an earlier layer than `i`.
pub fn contradicting(layers: &[Mask], edges: &[Mask]) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut later: Mask = layers.iter().fold(0, |m, layer| m | layer);
    for &layer in layers {
        later &= !layer;
        for j in bits(layer) {
            found.extend(bits(edges[j] & later).map(|i| (i, j)));
        }
    }
    found
}
