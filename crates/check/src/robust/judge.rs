//! Whether a complete execution is one that sequential consistency has.
//!
//! It is, iff `po ∪ tc ∪ rf ∪ mo ∪ fr` has no cycle (Shasha and Snir 1988); so steps are taken as long
//! as one can be taken that nothing left precedes, and the execution is sequentially consistent iff
//! none is left at the end. Which one is taken first makes no difference.

use crate::graph::{EventId, Judge, Kind, Leaf};
use crate::seeded::{self, Bug};
use std::sync::atomic::{AtomicU64, Ordering};

/// Allows what sequential consistency has.
#[derive(Debug, Default)]
pub struct Sequential {
    judged: AtomicU64,
}

impl Sequential {
    /// Executions looked at.
    pub fn judged(&self) -> u64 {
        self.judged.load(Ordering::Relaxed)
    }
}

impl Judge for Sequential {
    fn allows(&self, leaf: &dyn Leaf) -> bool {
        self.judged.fetch_add(1, Ordering::Relaxed);
        is_sequential(leaf)
    }

    /// What never ends is not judged.
    fn expects(&self, _: &dyn Leaf) -> bool {
        true
    }
}

/// Allows executions in which every step of another thread that a step follows by `rf`, `mo` or `fr`
/// happens before it.
#[derive(Debug, Default)]
pub struct Ordered {
    judged: AtomicU64,
}

impl Ordered {
    /// Executions looked at.
    pub fn judged(&self) -> u64 {
        self.judged.load(Ordering::Relaxed)
    }
}

impl Judge for Ordered {
    fn allows(&self, leaf: &dyn Leaf) -> bool {
        self.judged.fetch_add(1, Ordering::Relaxed);
        is_ordered(leaf)
    }

    fn expects(&self, _: &dyn Leaf) -> bool {
        true
    }
}

pub fn is_ordered(leaf: &dyn Leaf) -> bool {
    let before = |a: EventId, b: EventId| a.thread() == b.thread() || leaf.hb(b, a.thread()) > a.index();
    (0..leaf.cells() as u32).all(|cell| {
        let writes = leaf.mo(cell);
        let follows = |w: EventId| match w {
            EventId::INIT => writes.first().copied(),
            w => writes.iter().position(|&v| v == w).and_then(|i| writes.get(i + 1).copied()),
        };
        let reads = leaf.reads(cell).iter();
        writes.windows(2).all(|w| before(w[0], w[1]))
            && reads.copied().all(|r| {
                let from = leaf.event(r).rf;
                (from == EventId::INIT || before(from, r)) && follows(from).is_none_or(|w| before(r, w))
            })
    })
}

/// Allows everything, also what never ends: only errors count.
#[derive(Debug)]
pub struct Anything;

impl Judge for Anything {
    fn allows(&self, _: &dyn Leaf) -> bool {
        true
    }

    fn expects(&self, _: &dyn Leaf) -> bool {
        true
    }
}

pub fn is_sequential(leaf: &dyn Leaf) -> bool {
    let mut run = Run::new(leaf);
    loop {
        let before = run.left;
        for thread in 0..leaf.threads() {
            while run.step(thread) {}
        }
        if run.left == 0 || run.left == before {
            return run.left == 0;
        }
    }
}

/// An interleaving under way.
struct Run<'a> {
    leaf: &'a dyn Leaf,
    /// Which write of its cell an event is, from 1.
    place: Vec<Vec<u32>>,
    /// By cell and write (0: the initial one): the reads of it that are left.
    unread: Vec<Vec<u32>>,
    /// By cell: its writes so far.
    written: Vec<u32>,
    /// By thread: its steps so far.
    done: Vec<usize>,
    left: usize,
}

impl<'a> Run<'a> {
    fn new(leaf: &'a dyn Leaf) -> Self {
        let lengths: Vec<usize> = (0..leaf.threads()).map(|t| leaf.len(t)).collect();
        let mut place: Vec<Vec<u32>> = lengths.iter().map(|&n| vec![0; n]).collect();
        let cells = leaf.cells() as u32;
        for cell in 0..cells {
            for (w, i) in leaf.mo(cell).iter().zip(1..) {
                place[w.thread()][w.index()] = i;
            }
        }
        let mut unread: Vec<Vec<u32>> = (0..cells).map(|c| vec![0; leaf.mo(c).len() + 1]).collect();
        for cell in 0..cells {
            for &r in leaf.reads(cell) {
                let from = Self::at(&place, leaf.event(r).rf);
                unread[cell as usize][from as usize] += 1;
            }
        }
        let written = vec![0; cells as usize];
        let (done, left) = (vec![0; lengths.len()], lengths.iter().sum());
        Run { leaf, place, unread, written, done, left }
    }

    fn at(place: &[Vec<u32>], write: EventId) -> u32 {
        if write == EventId::INIT { 0 } else { place[write.thread()][write.index()] }
    }

    /// Takes the next step of a thread, if nothing that is left precedes it.
    fn step(&mut self, thread: usize) -> bool {
        let next = self.done[thread];
        if next == self.place[thread].len() {
            return false;
        }
        let is_done = |e: EventId| self.done[e.thread()] > e.index();
        if next == 0 && !self.leaf.created(thread).is_none_or(is_done) {
            return false;
        }
        let event = self.leaf.event(EventId::new(thread, next));
        let cell = event.cell as usize;
        match event.kind {
            Kind::Read => {
                let from = Self::at(&self.place, event.rf);
                // Whatever overwrites that write waits for this read.
                if self.written[cell] < from && !seeded::active(Bug::ReadsEarly) {
                    return false;
                }
                self.unread[cell][from as usize] -= 1;
            }
            Kind::Write => {
                let own = self.place[thread][next];
                let awaited = self.unread[cell][own as usize - 1] > 0 && !seeded::active(Bug::ReadsForgotten);
                if self.written[cell] + 1 != own || awaited {
                    return false;
                }
                self.written[cell] = own;
            }
            Kind::Join if self.done[event.child] < self.place[event.child].len() => return false,
            _ => {}
        }
        self.done[thread] += 1;
        self.left -= 1;
        true
    }
}
