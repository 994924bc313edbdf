//! Graphs that were seen, and what is known of each.
//!
//! A graph is as many numbers as it has threads and cells, combined in pairs up to one: equal
//! pairs have equal numbers and different ones different numbers, so the last one stands for the
//! graph exactly. Graphs that differ little share most pairs, so a graph costs few new ones.

use super::super::event::{Event, EventId, Kind};
use super::super::graph::Graph;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// The number of a graph.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Key(u32);

/// What is known of one graph.
#[derive(Clone, Copy)]
pub(super) struct Known<const N: usize> {
    /// The fewest preemptions that each thread was moved with from here, [`NEVER`] or [`CUT`].
    pub cost: [u8; N],
    /// Threads that were tried and wait here.
    pub waits: u64,
    /// It was looked at as an execution that ends here.
    pub leaf: bool,
}

pub(super) const NEVER: u8 = u8::MAX;
/// It would have taken more preemptions than there may be.
pub(super) const CUT: u8 = u8::MAX - 1;

/// Where in its own events a thread may be back at, having changed nothing.
pub(super) type Returns = SmallVec<[u16; 2]>;

pub(super) struct Visited<const N: usize> {
    pairs: FxHashMap<(u32, u32), u32>,
    graphs: FxHashMap<Key, Known<N>>,
    pub returns: FxHashMap<(Key, u8), Returns>,
    /// For each thread the numbers of what it did up to each of its events.
    lanes: Vec<Vec<u32>>,
    words: Vec<u32>,
}

impl<const N: usize> Visited<N> {
    pub fn new() -> Self {
        Visited {
            pairs: FxHashMap::default(),
            graphs: FxHashMap::default(),
            returns: FxHashMap::default(),
            lanes: vec![Vec::new(); N],
            words: Vec::new(),
        }
    }

    /// How many events of a thread are taken into account.
    pub fn len(&self, thread: usize) -> usize {
        self.lanes[thread].len()
    }

    /// Takes the next event of a thread into account.
    pub fn push<S>(&mut self, thread: usize, e: &Event<S, N>) {
        const NONE: u32 = (1 << 30) - 1;
        let before = self.lanes[thread].last().copied().unwrap_or(0);
        let id = match e.kind {
            // Threads and indices fill 22 bits.
            Kind::Read => {
                let rf = if e.rf == EventId::INIT { NONE } else { e.rf.0 };
                self.pair(before, rf | u32::from(e.spurious) << 30)
            }
            Kind::Choose => {
                let low = self.pair(before, e.value.lo as u32);
                self.pair(low, (e.value.lo >> 32) as u32)
            }
            // What there is to know of writes is in `mo`.
            _ => self.pair(before, NONE - 1),
        };
        self.lanes[thread].push(id);
    }

    pub fn pop(&mut self, thread: usize) {
        self.lanes[thread].pop();
    }

    fn pair(&mut self, a: u32, b: u32) -> u32 {
        let next = self.pairs.len() as u32 + 1;
        *self.pairs.entry((a, b)).or_insert(next)
    }

    /// The graph as it is.
    pub fn key<S>(&mut self, g: &Graph<S, N>) -> Key {
        let mut words = std::mem::take(&mut self.words);
        words.clear();
        words.extend((0..g.lanes.len()).map(|t| self.lanes[t].last().copied().unwrap_or(0)));
        for (cell, accesses) in g.cells.iter().enumerate().filter(|(_, a)| a.mo.len() > 1) {
            words.push(accesses.mo.iter().fold(cell as u32, |id, w| self.pair(id, w.0)));
        }
        let (lanes, count) = (g.lanes.len() as u32, words.len() as u32);
        while words.len() > 1 {
            let half = words.len().div_ceil(2);
            for i in 0..words.len() / 2 {
                words[i] = self.pair(words[2 * i], words[2 * i + 1]);
            }
            if half > words.len() / 2 {
                words[half - 1] = words[words.len() - 1];
            }
            words.truncate(half);
        }
        // How many there were says how they were combined.
        let key = Key(self.pair(words[0], lanes << 24 | count));
        self.words = words;
        key
    }

    pub fn known(&mut self, key: Key) -> &mut Known<N> {
        self.graphs.entry(key).or_insert(Known { cost: [NEVER; N], waits: 0, leaf: false })
    }

    /// Graphs in which some thread was not moved for the bound.
    pub fn cut(&self) -> u64 {
        self.graphs.values().filter(|k| k.cost.contains(&CUT)).count() as u64
    }

    /// Memory in use, or about to be.
    pub fn bytes(&self) -> u64 {
        let table = |len: usize, capacity: usize, entry: usize| {
            let full = len + len / 64 + 1024 > capacity;
            (capacity * (entry + 1) * 8 / 7 * if full { 3 } else { 1 }) as u64
        };
        table(self.pairs.len(), self.pairs.capacity(), 12)
            + table(self.graphs.len(), self.graphs.capacity(), 4 + size_of::<Known<N>>())
            + table(self.returns.len(), self.returns.capacity(), 8 + size_of::<Returns>())
    }
}
