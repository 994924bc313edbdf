//! Expands many states at once: their steps, under symmetry the representatives of what these lead to,
//! and the hashes by which those are looked up; and enters many states at once, each worker those that
//! belong into its tables. The order of answers is that of the questions, so the search goes the same
//! way whatever the number of workers.
//!
//! Batches are begun before they are needed, so that workers expand them while the caller looks at the
//! one before; when the caller needs one, it takes part. What a worker writes stays with this worker when it
//! is written again: memory that goes to and fro between processors costs more than the work.

use super::shards::{MANY, Shards, shard_of};
use super::symmetry::{IDENTITY, Perm, Symmetry};
use super::table::{Table, hash};
use crate::seeded;
use lineal_model::lts::{Lts, Place, Steps, StepsOf};
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};

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

/// The steps of some states, and the states they lead to as they are stored; all in a few pieces of
/// memory, which another processor reads from one end to the other.
pub struct Expansion<F> {
    steps: Steps<F>,
    /// Where the steps of each state begin, and where those of the last end.
    places: Vec<Place>,
    /// Representatives, one behind the other.
    bytes: Vec<u8>,
    images: Vec<Image>,
    scratch: Vec<u8>,
}

#[derive(Clone, Copy)]
struct Image {
    hash: u64,
    start: u32,
    key: u32,
    end: u32,
    perm: Perm,
}

impl<F> Default for Expansion<F> {
    fn default() -> Self {
        let (steps, places, bytes, images) = (Steps::default(), Vec::new(), Vec::new(), Vec::new());
        Expansion { steps, places, bytes, images, scratch: Vec::new() }
    }
}

impl<F> Expansion<F> {
    /// `whole`: what is only carried along tells states apart, too.
    pub fn of<'s, L: Lts<Fault = F>>(
        &mut self,
        lts: &L,
        symmetry: Option<&dyn Symmetry>,
        whole: bool,
        states: impl Iterator<Item = &'s [u8]>,
    ) {
        self.steps.clear();
        self.places.clear();
        self.bytes.clear();
        self.images.clear();
        for state in states {
            let from = self.steps.next_state();
            self.places.push(from);
            lts.steps(state, &mut self.steps);
            for i in from.steps()..self.steps.len() {
                let image = self.image(symmetry, whole, i);
                self.images.push(image);
            }
        }
        self.places.push(self.steps.end());
    }

    fn image(&mut self, symmetry: Option<&dyn Symmetry>, whole: bool, i: usize) -> Image {
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
        Image { hash, start: start as u32, key: key_end as u32, end: end as u32, perm }
    }

    /// Bytes held.
    fn size(&self) -> u64 {
        let lists = self.places.capacity() * size_of::<Place>() + self.images.capacity() * size_of::<Image>();
        self.steps.size() + (lists + self.bytes.capacity() + self.scratch.capacity()) as u64
    }

    /// That of one of the states.
    pub fn get(&self, i: usize) -> Expanded<'_, F> {
        let (from, to) = (self.places[i], self.places[i + 1]);
        let images = &self.images[from.steps()..to.steps()];
        Expanded { steps: self.steps.between(from, to), bytes: &self.bytes, images }
    }
}

/// The steps of one state, and where they lead.
pub struct Expanded<'e, F> {
    pub steps: StepsOf<'e, F>,
    bytes: &'e [u8],
    images: &'e [Image],
}

impl<'e, F> Expanded<'e, F> {
    /// Where a step leads: what identifies the state, what is carried along, what leads there, its hash.
    pub fn state(&self, i: usize) -> (&'e [u8], &'e [u8], Perm, u64) {
        let Image { hash, start, key, end, perm } = self.images[i];
        match end > start {
            true => (
                &self.bytes[start as usize..key as usize],
                &self.bytes[key as usize..end as usize],
                perm,
                hash,
            ),
            false => {
                let (key, rest) = self.steps.state(i);
                (key, rest, perm, hash)
            }
        }
    }

    /// The hash of where a step leads.
    pub fn hash(&self, i: usize) -> u64 {
        self.images[i].hash
    }

    /// What leads to the representative of where a step leads.
    pub fn perm(&self, i: usize) -> Perm {
        self.images[i].perm
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

/// [`PART`] expanded states, and who did it: 0 is the caller.
type Part<F> = (usize, Expansion<F>);

/// A batch that was expanded: its states in parts of [`PART`], and the steps to be followed.
pub struct Round<F> {
    parts: Vec<Part<F>>,
    pub entries: Vec<Entry>,
}

impl<F> Default for Round<F> {
    fn default() -> Self {
        Round { parts: Vec::new(), entries: Vec::new() }
    }
}

impl<F> Round<F> {
    pub fn get(&self, i: usize) -> Expanded<'_, F> {
        self.parts[i / PART].1.get(i % PART)
    }
}

/// A batch, its number, and which part of it nobody has taken yet.
struct Begun {
    number: u64,
    states: Batch,
    next: AtomicUsize,
}

impl Begun {
    /// Expands the next part that nobody has taken; answers which one it is.
    fn part<L: Lts>(
        &self,
        lts: &L,
        symmetry: Option<&dyn Symmetry>,
        whole: bool,
        spare: &mut Vec<Expansion<L::Fault>>,
    ) -> Option<(usize, Expansion<L::Fault>)> {
        let part = self.next.fetch_add(1, Ordering::Relaxed);
        let (from, to) = (part * PART, ((part + 1) * PART).min(self.states.len()));
        if from >= to {
            return None;
        }
        let mut out = spare.pop().unwrap_or_default();
        out.of(lts, symmetry, whole, (from..to).map(|i| self.states.get(i)));
        Some((part, out))
    }
}

enum Job<F> {
    /// Expand parts of the batch as long as there are some; into these buffers, among others.
    Expand(Arc<Begun>, Vec<Expansion<F>>),
    /// Enter what belongs into these tables.
    Enter(Arc<Round<F>>, Vec<(usize, Table)>),
}

enum Done<F> {
    /// Of this batch, parts by number.
    Expanded(u64, Vec<(usize, Expansion<F>)>),
    /// The tables, and what strings have become, by entry.
    Entered(Entered),
}

type Entered = (Vec<(usize, Table)>, Vec<(u32, u32)>);

struct Worker<F> {
    give: Sender<Job<F>>,
    get: Receiver<Done<F>>,
    /// What it wrote and nobody reads any more.
    spare: Vec<Expansion<F>>,
    /// The batches it has been asked to expand and has not answered, which it does one after the other.
    owed: VecDeque<u64>,
}

const ALIVE: &str = "a worker ends only when its work does";

/// Workers that wait for batches, the caller being one of them.
pub struct Crew<'c, L: Lts> {
    lts: &'c L,
    symmetry: Option<&'c dyn Symmetry>,
    whole: bool,
    workers: Vec<Worker<L::Fault>>,
    /// The caller's own buffers.
    spare: Vec<Expansion<L::Fault>>,
    idle: Vec<Batch>,
    begun: VecDeque<Arc<Begun>>,
    count: u64,
    /// Parts of what was begun, by number, and of which batch.
    found: Vec<(u64, usize, Part<L::Fault>)>,
    round: Round<L::Fault>,
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
                let mut spare = Vec::new();
                for job in jobs {
                    let answer = match job {
                        Job::Expand(begun, buffers) => {
                            spare.extend(buffers);
                            let part = || begun.part(lts, symmetry, whole, &mut spare);
                            let found = std::iter::from_fn(part).collect();
                            Done::Expanded(begun.number, found)
                        }
                        Job::Enter(round, tables) => Done::Entered(enter(&round, tables)),
                    };
                    if done.send(answer).is_err() {
                        return;
                    }
                }
            };
            let thread = std::thread::Builder::new().stack_size(STACK);
            thread.spawn_scoped(scope, seeded::carry(work)).expect("the system lets us start a thread");
            Worker { give, get, spare: Vec::new(), owed: VecDeque::new() }
        };
        Crew {
            lts,
            symmetry,
            whole,
            workers: (1..jobs).map(worker).collect(),
            spare: Vec::new(),
            idle: Vec::new(),
            begun: VecDeque::new(),
            count: 0,
            found: Vec::new(),
            round: Round::default(),
        }
    }

    /// Begins to expand these states, behind those that were begun before.
    pub fn begin<'b>(&mut self, states: impl Iterator<Item = &'b [u8]>) {
        let mut batch = self.idle.pop().unwrap_or_default();
        batch.clear();
        states.for_each(|state| batch.push(state));
        self.count += 1;
        let parts = batch.len().div_ceil(PART);
        let begun = Arc::new(Begun { number: self.count, states: batch, next: AtomicUsize::new(0) });
        // The last part is the caller's in any case.
        for worker in self.workers.iter_mut().take(parts.saturating_sub(1)) {
            worker.owed.push_back(begun.number);
            let spare = std::mem::take(&mut worker.spare);
            worker.give.send(Job::Expand(begun.clone(), spare)).expect(ALIVE);
        }
        self.begun.push_back(begun);
    }

    /// Expands a part of a batch, if one is left.
    fn help(&mut self, begun: &Begun) -> bool {
        let part = begun.part(self.lts, self.symmetry, self.whole, &mut self.spare);
        let helped = part.is_some();
        self.found.extend(part.map(|(number, out)| (begun.number, number, (0, out))));
        helped
    }

    /// Files what a worker has said.
    fn hear(&mut self, worker: usize, done: Done<L::Fault>) -> Option<Entered> {
        match done {
            Done::Expanded(batch, found) => {
                self.workers[worker].owed.pop_front();
                let parts = found.into_iter().map(|(number, out)| (batch, number, (worker + 1, out)));
                self.found.extend(parts);
                None
            }
            Done::Entered(entered) => Some(entered),
        }
    }

    /// Waits for a worker, and takes part in what comes next meanwhile.
    fn wait(&mut self, worker: usize) -> Option<Entered> {
        for begun in self.begun.clone() {
            loop {
                match self.workers[worker].get.try_recv() {
                    Ok(done) => return self.hear(worker, done),
                    Err(TryRecvError::Disconnected) => panic!("{ALIVE}"),
                    Err(TryRecvError::Empty) => {}
                }
                if !self.help(&begun) {
                    break;
                }
            }
        }
        let done = self.workers[worker].get.recv().expect(ALIVE);
        self.hear(worker, done)
    }

    /// What was begun first, expanded. The order of answers is that of the questions.
    pub fn expanded(&mut self) -> &mut Round<L::Fault> {
        for (by, part) in self.round.parts.drain(..) {
            match by {
                0 => self.spare.push(part),
                by => self.workers[by - 1].spare.push(part),
            }
        }
        self.round.entries.clear();
        let begun = self.begun.pop_front().expect("asked for after something was begun");
        while self.help(&begun) {}
        for worker in 0..self.workers.len() {
            while self.workers[worker].owed.front() == Some(&begun.number) {
                self.wait(worker);
            }
        }
        let mut parts: Vec<_> = self.found.extract_if(.., |(batch, ..)| *batch == begun.number).collect();
        parts.sort_unstable_by_key(|(_, number, _)| *number);
        self.round.parts.extend(parts.into_iter().map(|(.., part)| part));
        // Whoever answered has let go of it.
        self.idle.extend(Arc::into_inner(begun).map(|begun| begun.states));
        &mut self.round
    }

    /// Bytes that buffers take, as far as they are here.
    pub fn size(&self) -> u64 {
        let parts =
            self.round.parts.iter().chain(self.found.iter().map(|(.., part)| part)).map(|(_, out)| out);
        let spare = self.workers.iter().flat_map(|w| &w.spare).chain(&self.spare);
        parts.chain(spare).map(Expansion::size).sum()
    }

    /// What was expanded last, and is to be followed.
    pub fn round(&mut self) -> &mut Round<L::Fault> {
        &mut self.round
    }

    /// Enters the states of all entries; answers their numbers, by entry. A single worker is left to
    /// expanding: the two take about as long.
    pub fn enter(&mut self, states: &mut Shards, numbers: &mut Vec<u32>) {
        numbers.clear();
        if states.count() == 1 || self.round.entries.len() < FEW {
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
        for (i, worker) in self.workers.iter_mut().enumerate() {
            worker.give.send(Job::Enter(round.clone(), lent(i + 1))).expect(ALIVE);
        }
        let mine = lent(0);
        let mut done = vec![enter(&round, mine)];
        for worker in 0..self.workers.len() {
            // What it was asked before comes first.
            done.push(loop {
                if let Some(entered) = self.wait(worker) {
                    break entered;
                }
            });
        }
        for (tables, entered) in done {
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

fn enter<F>(round: &Round<F>, mut tables: Vec<(usize, Table)>) -> Entered {
    let mut mine = [usize::MAX; MANY];
    tables.iter().enumerate().for_each(|(i, (shard, _))| mine[*shard] = i);
    let mut entered = Vec::new();
    for (number, entry) in round.entries.iter().enumerate() {
        let Some((_, table)) = tables.get_mut(mine[shard_of(entry.hash)]) else { continue };
        let (key, rest, _, hash) = round.get(entry.from as usize).state(entry.step as usize);
        entered.push((number as u32, table.insert_hashed(hash, key, rest).0));
    }
    (tables, entered)
}
