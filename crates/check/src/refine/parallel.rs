//! Expands many states at once: their steps, under symmetry the representatives of what these lead to,
//! and the hashes by which those are looked up; and enters many states at once, each worker those that
//! belong into its tables. The order of answers is that of the questions, so the search goes the same
//! way whatever the number of workers.

use super::shards::{MANY, Shards, shard_of};
use super::symmetry::{IDENTITY, Perm, Symmetry};
use super::table::{Table, hash};
use crate::seeded;
use lineal_model::lts::{Lts, Steps};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};

/// Terms may be nested as deeply as the model's own limits allow.
const STACK: usize = 256 << 20;

/// Does `work` where there is room for deep terms, whoever calls.
pub fn with_room<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| {
        let worker = std::thread::Builder::new().stack_size(STACK);
        let worker =
            worker.spawn_scoped(scope, seeded::carry(work)).expect("the system lets us start a thread");
        worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

/// The steps of a state, and the states they lead to as they are stored.
pub struct Expanded<F> {
    pub steps: Steps<F>,
    /// Representatives, one behind the other.
    bytes: Vec<u8>,
    images: Vec<Image>,
    scratch: Vec<u8>,
}

#[derive(Clone, Copy)]
struct Image {
    start: usize,
    key: usize,
    end: usize,
    perm: Perm,
    hash: u64,
}

impl<F> Default for Expanded<F> {
    fn default() -> Self {
        Expanded { steps: Steps::default(), bytes: Vec::new(), images: Vec::new(), scratch: Vec::new() }
    }
}

impl<F> Expanded<F> {
    /// `whole`: what is only carried along tells states apart, too.
    pub fn expand<L: Lts<Fault = F>>(
        &mut self,
        lts: &L,
        symmetry: Option<&dyn Symmetry>,
        whole: bool,
        state: &[u8],
    ) {
        self.steps.clear();
        self.bytes.clear();
        self.images.clear();
        lts.steps(state, &mut self.steps);
        for i in 0..self.steps.len() {
            let (key, rest) = self.steps.state(i);
            let start = self.bytes.len();
            let (perm, length) = match symmetry {
                Some(symmetry) => {
                    let (perm, length) = symmetry.canonical(key, &mut self.scratch);
                    self.bytes.extend_from_slice(&self.scratch);
                    (perm, length)
                }
                None => {
                    // Only where both parts are needed in one piece.
                    if whole && !rest.is_empty() {
                        self.bytes.extend_from_slice(key);
                        self.bytes.extend_from_slice(rest);
                    }
                    (IDENTITY, self.bytes.len() - start)
                }
            };
            let (key_end, end) = (start + length, self.bytes.len());
            let hash = match end > start {
                true => hash(&self.bytes[start..key_end]),
                false => hash(key),
            };
            self.images.push(Image { start, key: key_end, end, perm, hash });
        }
    }

    /// Where a step leads: what identifies the state, what is carried along, what leads there, its hash.
    pub fn state(&self, i: usize) -> (&[u8], &[u8], Perm, u64) {
        let Image { start, key, end, perm, hash } = self.images[i];
        match end > start {
            true => (&self.bytes[start..key], &self.bytes[key..end], perm, hash),
            false => {
                let (key, rest) = self.steps.state(i);
                (key, rest, perm, hash)
            }
        }
    }
}

/// States to be expanded, one behind the other.
#[derive(Default)]
pub struct Batch {
    bytes: Vec<u8>,
    ends: Vec<usize>,
}

impl Batch {
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.ends.clear();
    }

    pub fn push(&mut self, state: &[u8]) {
        self.bytes.extend_from_slice(state);
        self.ends.push(self.bytes.len());
    }

    pub fn len(&self) -> usize {
        self.ends.len()
    }

    fn get(&self, i: usize) -> &[u8] {
        let start = if i == 0 { 0 } else { self.ends[i - 1] };
        &self.bytes[start..self.ends[i]]
    }
}

/// States that one worker expands before it looks for more.
const PART: usize = 64;
/// Entries below which workers are not worth it.
const FEW: usize = 512;

/// A step that is followed: of which state of the batch, which one, with which mark, and the hash of
/// where it leads.
#[derive(Clone, Copy)]
pub struct Entry {
    pub from: u32,
    pub step: u32,
    pub mark: u32,
    pub hash: u64,
}

/// A batch that is being worked on: the expanded states in parts of [`PART`], and the steps to be
/// followed.
pub struct Round<F> {
    parts: Vec<Vec<Expanded<F>>>,
    pub entries: Vec<Entry>,
}

impl<F> Default for Round<F> {
    fn default() -> Self {
        Round { parts: Vec::new(), entries: Vec::new() }
    }
}

impl<F> Round<F> {
    pub fn get(&self, i: usize) -> &Expanded<F> {
        &self.parts[i / PART][i % PART]
    }
}

enum Job<F> {
    /// Expand parts of the batch as long as there are some, into buffers that may be used again.
    Expand(Arc<(Batch, AtomicUsize)>, Vec<Vec<Expanded<F>>>),
    /// Enter what belongs into these tables.
    Enter(Arc<Round<F>>, Vec<(usize, Table)>),
}

enum Done<F> {
    /// Parts by number, and buffers that were not needed.
    Expanded(Vec<(usize, Vec<Expanded<F>>)>, Vec<Vec<Expanded<F>>>),
    /// The tables, and what strings have become, by entry.
    Entered(Vec<(usize, Table)>, Vec<(u32, u32)>),
}

/// How to give it work, and get it back.
type Worker<F> = (Sender<Job<F>>, Receiver<Done<F>>);

/// Workers that wait for batches, the caller being one of them.
pub struct Crew<'c, L: Lts> {
    lts: &'c L,
    symmetry: Option<&'c dyn Symmetry>,
    whole: bool,
    workers: Vec<Worker<L::Fault>>,
    batch: Batch,
    round: Round<L::Fault>,
    spare: Vec<Vec<Expanded<L::Fault>>>,
}

impl<'c, L: Lts + Sync> Crew<'c, L> {
    /// `whole`: what is only carried along tells states apart, too.
    pub fn start<'s>(
        scope: &'s std::thread::Scope<'s, '_>,
        lts: &'c L,
        symmetry: Option<&'c dyn Symmetry>,
        whole: bool,
        jobs: usize,
    ) -> Self
    where
        'c: 's,
    {
        let worker = |_| {
            let (give, jobs) = channel::<Job<L::Fault>>();
            let (done, get) = channel();
            let work = move || {
                for job in jobs {
                    let answer = match job {
                        Job::Expand(batch, spare) => expand(lts, symmetry, whole, &batch, spare),
                        Job::Enter(round, tables) => enter(&round, tables),
                    };
                    if done.send(answer).is_err() {
                        return;
                    }
                }
            };
            let thread = std::thread::Builder::new().stack_size(STACK);
            thread.spawn_scoped(scope, seeded::carry(work)).expect("the system lets us start a thread");
            (give, get)
        };
        let workers = (1..jobs).map(worker).collect();
        let (batch, round, spare) = (Batch::default(), Round::default(), Vec::new());
        Crew { lts, symmetry, whole, workers, batch, round, spare }
    }

    /// The batch to be filled.
    pub fn batch(&mut self) -> &mut Batch {
        self.batch.clear();
        &mut self.batch
    }

    /// Expands the batch. The order of answers is that of the questions.
    pub fn expand(&mut self) -> &mut Round<L::Fault> {
        self.round.entries.clear();
        self.spare.append(&mut self.round.parts);
        let batch = Arc::new((std::mem::take(&mut self.batch), AtomicUsize::new(0)));
        let parts = batch.0.len().div_ceil(PART);
        let helpers = self.workers.len().min(parts.saturating_sub(1));
        let share = self.spare.len() / (helpers + 1);
        for (give, _) in &self.workers[..helpers] {
            let spare = self.spare.split_off(self.spare.len() - share);
            give.send(Job::Expand(batch.clone(), spare)).expect(ALIVE);
        }
        let spare = std::mem::take(&mut self.spare);
        let mine = expand(self.lts, self.symmetry, self.whole, &batch, spare);
        let others = self.workers[..helpers].iter().map(|(_, get)| get.recv().expect(ALIVE));
        let mut found = Vec::new();
        for done in std::iter::once(mine).chain(others) {
            let Done::Expanded(some, spare) = done else { unreachable!("not what was asked for") };
            found.extend(some);
            self.spare.extend(spare);
        }
        found.sort_unstable_by_key(|(part, _)| *part);
        self.round.parts.extend(found.into_iter().map(|(_, part)| part));
        // Whoever answered has let go of it.
        self.batch = Arc::into_inner(batch).map(|(batch, _)| batch).unwrap_or_default();
        &mut self.round
    }

    /// What was expanded last, and is to be followed.
    pub fn round(&self) -> &Round<L::Fault> {
        &self.round
    }

    /// Enters the states of all entries; answers their numbers, by entry.
    pub fn enter(&mut self, states: &mut Shards, numbers: &mut Vec<u32>) {
        numbers.clear();
        if self.workers.is_empty() || self.round.entries.len() < FEW {
            for entry in &self.round.entries {
                let (key, rest, _, hash) = self.round.get(entry.from as usize).state(entry.step as usize);
                numbers.push(states.insert_hashed(hash, key, rest));
            }
            return;
        }
        numbers.resize(self.round.entries.len(), 0);
        let round = Arc::new(std::mem::take(&mut self.round));
        let hands = self.workers.len() + 1;
        let mut lent = |hand: usize| -> Vec<(usize, Table)> {
            (hand..states.count()).step_by(hands).map(|shard| (shard, states.lend(shard))).collect()
        };
        for (i, (give, _)) in self.workers.iter().enumerate() {
            give.send(Job::Enter(round.clone(), lent(i + 1))).expect(ALIVE);
        }
        let mine = enter(&round, lent(0));
        let others = self.workers.iter().map(|(_, get)| get.recv().expect(ALIVE));
        for done in std::iter::once(mine).chain(others) {
            let Done::Entered(tables, entered) = done else { unreachable!("not what was asked for") };
            for (shard, table) in tables {
                states.take_back(shard, table);
            }
            for (entry, id) in entered {
                numbers[entry as usize] = states.number(states.of(round.entries[entry as usize].hash), id);
            }
        }
        self.round = Arc::into_inner(round).unwrap_or_default();
    }
}

const ALIVE: &str = "a worker ends only when its work does";

fn expand<L: Lts>(
    lts: &L,
    symmetry: Option<&dyn Symmetry>,
    whole: bool,
    batch: &(Batch, AtomicUsize),
    mut spare: Vec<Vec<Expanded<L::Fault>>>,
) -> Done<L::Fault> {
    let (states, next) = batch;
    let mut found = Vec::new();
    loop {
        let part = next.fetch_add(1, Ordering::Relaxed);
        let (from, to) = (part * PART, ((part + 1) * PART).min(states.len()));
        if from >= to {
            return Done::Expanded(found, spare);
        }
        let mut out = spare.pop().unwrap_or_default();
        out.resize_with(PART, Expanded::default);
        for (i, expanded) in (from..to).zip(&mut out) {
            expanded.expand(lts, symmetry, whole, states.get(i));
        }
        found.push((part, out));
    }
}

fn enter<F>(round: &Round<F>, mut tables: Vec<(usize, Table)>) -> Done<F> {
    let mut mine = [usize::MAX; MANY];
    tables.iter().enumerate().for_each(|(i, (shard, _))| mine[*shard] = i);
    let mut entered = Vec::new();
    for (number, entry) in round.entries.iter().enumerate() {
        let Some((_, table)) = tables.get_mut(mine[shard_of(entry.hash)]) else { continue };
        let (key, rest, _, hash) = round.get(entry.from as usize).state(entry.step as usize);
        entered.push((number as u32, table.insert_hashed(hash, key, rest).0));
    }
    Done::Entered(tables, entered)
}
