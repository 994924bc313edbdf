//! The books that [`super::unseen`] and [`super::undone`] keep: how cells were used, and what
//! follows.

use crate::seeded::{self, Bug};
use lineal_model::run::{Loc, Op};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Which reads keep an iteration from being dropped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Risk {
    /// Plain ones.
    pub plain: bool,
    /// Those of memory that another thread allocated.
    pub freed: bool,
    /// All.
    pub any: bool,
    /// No compare-and-swap is left to others.
    pub helped: bool,
    /// No lock is taken to be waited for that could be taken in vain.
    pub polled: bool,
    /// No addition is taken to be waited for that would be taken back.
    pub undone: bool,
    /// Who waits for a lock may be passed over.
    pub open: bool,
    /// What a thread writes to memory of its own counts, unless it changes nothing; or even then.
    pub seen: bool,
    pub seen_plainly: bool,
}

/// How a cell was used, by anyone, in any graph.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Used {
    /// Read in an iteration that may be dropped: by atomic reads, by plain ones.
    pub read: bool,
    pub read_plain: bool,
    /// Written where others may know it; and plainly.
    pub written: bool,
    pub written_plain: bool,
    /// A compare-and-swap was left to another thread; someone made a plain access.
    pub helped: bool,
    pub plain: bool,
    /// In one graph the same value was written once more, others knowing the cell; someone made a
    /// seq_cst access where such accesses are ordered.
    pub repeated: bool,
    pub ordered: bool,
    /// An update that stored what it read was taken for a read; someone read it plainly while there were
    /// other threads.
    pub idle: bool,
    pub looked_at: bool,
    /// A store was left to its owner; in one graph it was written twice once others knew it.
    pub filled: bool,
    pub several: bool,
    /// A set of locks: looked at in vain under one of these; written without one of these.
    pub polled: u32,
    pub unguarded: u32,
    /// Of a lock: someone looked at it who neither held it nor waited for it.
    pub watched: bool,
    /// Of a lock: someone who waits for it was not passed over; it was not used as a lock is.
    pub passed: bool,
    pub open: bool,
    /// Of a thread's own memory: written in an iteration that is left out; used by another thread that does
    /// not know how it got there.
    pub kept: bool,
    pub glimpsed: bool,
    pub glimpsed_plainly: bool,
}

impl Used {
    pub fn join(&mut self, other: Used) {
        self.read |= other.read;
        self.read_plain |= other.read_plain;
        self.written |= other.written;
        self.written_plain |= other.written_plain;
        self.helped |= other.helped;
        self.plain |= other.plain;
        self.repeated |= other.repeated;
        self.ordered |= other.ordered;
        self.idle |= other.idle;
        self.looked_at |= other.looked_at;
        self.filled |= other.filled;
        self.several |= other.several;
        self.polled |= other.polled;
        self.unguarded |= other.unguarded;
        self.watched |= other.watched;
        self.passed |= other.passed;
        self.open |= other.open;
        self.kept |= other.kept;
        self.glimpsed |= other.glimpsed;
        self.glimpsed_plainly |= other.glimpsed_plainly;
    }
}

/// What is known of a cell that is added to and taken from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Undone {
    /// What it held, in any graph.
    pub values: BTreeSet<u64>,
    /// What was added and taken back.
    pub deltas: BTreeSet<u64>,
    /// How many threads there are.
    pub threads: usize,
}

impl Undone {
    /// Adds what others have seen; whether that was news.
    pub fn join(&mut self, other: &Undone) -> bool {
        let before = (self.values.len(), self.deltas.len(), self.threads);
        self.values.extend(&other.values);
        self.deltas.extend(&other.deltas);
        self.threads = self.threads.max(other.threads);
        before != (self.values.len(), self.deltas.len(), self.threads)
    }
}

/// What was found out about one thread that looks at the cell.
#[derive(Clone)]
pub enum Looks {
    /// These values make it take back what it adds.
    TakenBack(BTreeSet<u64>),
    /// Attempts of others make a difference.
    Minds,
}

/// By the thread, how many others may be at it, what it asks and how it stands.
pub type Looked = FxHashMap<(usize, usize, Op, Vec<u64>), Rc<Looks>>;

/// What one worker has seen.
#[derive(Clone, Debug, Default)]
pub struct Unseen {
    pub cells: FxHashMap<Loc, Used>,
    /// An iteration that may be dropped looked into memory that another thread allocated.
    pub followed: bool,
    /// Memory was freed that others may know.
    pub freed: bool,
    /// Of cells that are added to and taken from; and one of them was changed in another way.
    pub undone: BTreeMap<Loc, Undone>,
    pub otherwise: bool,
}

impl Unseen {
    /// Adds what another worker saw.
    pub fn add(&mut self, other: Unseen) {
        for (loc, used) in other.cells {
            self.cells.entry(loc).or_default().join(used);
        }
        self.followed |= other.followed;
        self.freed |= other.freed;
        for (loc, seen) in other.undone {
            self.undone.entry(loc).or_default().join(&seen);
        }
        self.otherwise |= other.otherwise;
    }

    /// What was seen of a cell that is added to and taken from, if there is news.
    pub fn undone(&self, known: &BTreeMap<Loc, Undone>) -> Option<(Loc, Undone)> {
        self.undone.iter().find_map(|(loc, seen)| {
            let mut all = known.get(loc)?.clone();
            all.join(seen).then_some((*loc, all))
        })
    }

    /// What has to count as risky, beyond what does.
    pub fn risk(&self, now: Risk) -> Option<Risk> {
        if seeded::active(Bug::NoRisk) {
            return None;
        }
        let helped = |used: &Used| {
            let anyway = seeded::active(Bug::HelpsAnyway);
            used.helped && (used.plain || (used.repeated || used.ordered) && !used.filled && !anyway)
        };
        let filled = |used: &Used| used.filled && used.several && !seeded::active(Bug::FillsAnyway);
        let glimpses = !seeded::active(Bug::NobodyGlimpses);
        let risk = Risk {
            plain: now.plain || self.cells.values().any(|used| used.read_plain && used.written),
            freed: now.freed || (self.followed && self.freed),
            any: now.any || self.cells.values().any(|used| used.read && used.written_plain),
            helped: now.helped || self.cells.values().any(|used| helped(used) || filled(used)),
            undone: now.undone || self.otherwise,
            open: now.open
                || !seeded::active(Bug::LocksAnyway)
                    && self.cells.values().any(|used| used.passed && used.open),
            seen: now.seen || self.cells.values().any(|used| used.kept && used.glimpsed && glimpses),
            seen_plainly: now.seen_plainly
                || self.cells.values().any(|used| used.kept && used.glimpsed_plainly && glimpses),
            polled: now.polled
                || !seeded::active(Bug::PollsAnyway)
                    && self.cells.values().any(|used| used.polled & used.unguarded != 0 || used.watched),
        };
        (risk != now).then_some(risk)
    }
}
