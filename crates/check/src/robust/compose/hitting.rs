//! The fewest places that meet every path, exactly.
//!
//! Places that meet the same paths are one; then the smallest number of places for which a choice
//! exists is found by trying 1, 2, 3 and so on. Each choice branches over the places of a path that is
//! not met yet, so nothing is left out. Where that takes too long, places that meet most are taken first,
//! and the answer says that it may not be the smallest.

use std::collections::{BTreeMap, BTreeSet};

/// So many choices are looked at.
const MOST: u32 = 300_000;

/// Places that meet every path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Met {
    pub places: BTreeSet<u32>,
    /// There is no smaller set.
    pub fewest: bool,
}

/// A smallest set of places that has one of each path. Of places that do as well, the one of the lowest
/// `rank` is taken. `None`: some path has no place at all.
pub fn fewest<K: Ord>(paths: &[BTreeSet<u32>], rank: impl Fn(u32) -> K) -> Option<Met> {
    let mut meets: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for (i, path) in paths.iter().enumerate() {
        path.iter().for_each(|&p| meets.entry(p).or_default().push(i));
    }
    let mut alike: BTreeMap<Vec<usize>, u32> = BTreeMap::new();
    for (place, which) in meets {
        let known = alike.entry(which).or_insert(place);
        if rank(place) < rank(*known) {
            *known = place;
        }
    }
    let mut places: Vec<(Vec<usize>, u32)> = alike.into_iter().collect();
    // Those that meet more first, then those that are better to read.
    places.sort_by(|(a, p), (b, q)| b.len().cmp(&a.len()).then_with(|| rank(*p).cmp(&rank(*q))));
    if paths.iter().any(BTreeSet::is_empty) {
        return None;
    }
    let mut search = Search { places: &places, met: vec![0; paths.len()], chosen: Vec::new(), left: MOST };
    for most in 0..=paths.len() {
        if search.choose(most) {
            return Some(Met { places: search.chosen.into_iter().collect(), fewest: true });
        }
        if search.left == 0 {
            break;
        }
    }
    let mut open: BTreeSet<usize> = (0..paths.len()).collect();
    let mut chosen = BTreeSet::new();
    while !open.is_empty() {
        let meets = |(which, _): &&(Vec<usize>, u32)| which.iter().filter(|i| open.contains(i)).count();
        let (which, place) = places.iter().rev().max_by_key(meets).expect("every path has a place");
        for i in which {
            open.remove(i);
        }
        chosen.insert(*place);
    }
    Some(Met { places: chosen, fewest: false })
}

struct Search<'a> {
    places: &'a [(Vec<usize>, u32)],
    /// By path: how many of the chosen meet it.
    met: Vec<u32>,
    chosen: Vec<u32>,
    left: u32,
}

impl Search<'_> {
    /// Whether at most so many more do for all.
    fn choose(&mut self, most: usize) -> bool {
        let Some(open) = self.met.iter().position(|&n| n == 0) else { return true };
        if most == 0 || self.left == 0 {
            return false;
        }
        self.left -= 1;
        for (which, place) in self.places.iter().filter(|(which, _)| which.contains(&open)) {
            which.iter().for_each(|&i| self.met[i] += 1);
            self.chosen.push(*place);
            if self.choose(most - 1) {
                return true;
            }
            self.chosen.pop();
            which.iter().for_each(|&i| self.met[i] -= 1);
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lineal_sweep::Choices;

    fn set(items: &[u32]) -> BTreeSet<u32> {
        items.iter().copied().collect()
    }

    #[test]
    fn one_place_may_do_for_all() {
        let paths = [set(&[1, 5, 7]), set(&[2, 5, 8]), set(&[3, 5])];
        let found = |paths: &[BTreeSet<u32>]| fewest(paths, |_| 0).map(|met| met.places);
        assert_eq!(found(&paths), Some(set(&[5])));
        assert_eq!(found(&[set(&[])]), None);
        assert_eq!(found(&[]), Some(set(&[])));
    }

    #[test]
    fn too_many_choices_are_not_all_tried() {
        let mut rng = Choices::new(1);
        let paths: Vec<BTreeSet<u32>> =
            (0..120).map(|_| (0..4).map(|_| rng.below(90) as u32).collect()).collect();
        let met = fewest(&paths, |p| p).expect("no path is empty");
        assert!(!met.fewest && paths.iter().all(|p| p.iter().any(|x| met.places.contains(x))));
    }

    #[test]
    fn as_few_as_any_choice() {
        for seed in 0..500 {
            let mut rng = Choices::new(seed);
            let paths: Vec<BTreeSet<u32>> = (0..1 + rng.below(6))
                .map(|_| (0..1 + rng.below(4)).map(|_| rng.below(8) as u32).collect())
                .collect();
            let Met { places: found, fewest } = fewest(&paths, |p| p).expect("no path is empty");
            assert!(fewest);
            let hits = |mask: u32| paths.iter().all(|path| path.iter().any(|p| mask >> p & 1 == 1));
            assert!(hits(found.iter().map(|p| 1 << p).sum()), "{paths:?} {found:?}");
            let least = (0u32..256).filter(|&m| hits(m)).map(u32::count_ones).min();
            assert_eq!(Some(found.len() as u32), least, "{paths:?} {found:?}");
        }
    }
}
