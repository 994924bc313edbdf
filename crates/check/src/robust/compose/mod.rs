//! Robust libraries together: is a client of several of them robust?
//!
//! Each library may be robust by itself, and two together show store buffering: a thread that writes
//! through the one and reads through the other orders the two calls in its own eyes only. A client is
//! *well-fenced* if on every path of a thread a seq_cst fence stands between steps of different
//! libraries. Then the whole is robust if each library is (Nagar, Sahoo, Chowdhury, Jagannathan, OOPSLA
//! 2024, Theorem 6.1, and 6.2 for induced subgraphs): in a cycle over several libraries, the fences that
//! surround the steps of one of them are ordered; either all of them forwards, which they cannot be in a
//! circle, or the steps of one library together with two fences in the wrong order are a cycle of that
//! library alone, in a client that makes the two calls one after the other.
//!
//! What that takes for granted, and what becomes of it here:
//! - *the library is robust for every client.* As far as that was asked: see [`Standing`]. An execution of
//!   the client gives one of the library's clients with no more calls, so what is known for clients
//!   with at most N calls covers executions in which the library is called at most N times.
//! - *its clients are not constrained.* The argument moves calls to other threads. A library with state per
//!   thread, with roles (one producer), or a lock, which only its holder gives back, may be robust for the
//!   clients it has and not for those: `examples/robust/compose/neighbours.c` is not robust, fences and all.
//!   Such libraries do not count, unless all they communicate happens before
//!   ([`Standing::Robust::lock`]): those edges can only point forwards.
//! - *the memory of libraries is apart.* [`Walked::touches`] is refused, and [`Walked::shared`] is a doubt; what
//!   lies behind pointers is an assumption.
//! - *threads are all there from the start.* Creating and joining them while others run orders calls
//!   without a fence, and wants fences on both sides ([`walk`](mod@walk)).
//! - *clients have atomic accesses only.* Plain accesses that do not race follow happens-before, which is
//!   made of steps of libraries; they need no fence.
//!
//! The client's own atomic variables are libraries too. The paper makes one library of them all, which
//! would have to be robust by itself; here each variable is one, and coherence makes it robust. A client
//! in which threads communicate by nothing but locks, with all else plain, needs no fence: everything
//! happens before.
//!
//! Under tso the argument is the same, with the time of a fence, at which its thread's buffer is empty, for
//! the order of fences. Under ra it fails: fences are not ordered there, and nothing is claimed.
//!
//! A library's own fences count where they stand. Seq_cst accesses do not count as fences; that a library
//! was robust because of its own ones carries over, since orders by fences are among those of RC11's `psc`.
//!
//! Being well-fenced is sufficient, not necessary. So the client itself is explored too
//! ([`super::program`]): that decides, where it ends; and of the fences that are asked for, those are
//! named that this client needs.
//!
//! - [`walk`](mod@walk), [`step`], [`value`], [`owner`]: every path of the client, and what is used on it.
//! - [`hitting`]: the fewest fences; [`insert`]: the client with them.
//! - [`answer`]: what follows.

mod answer;
mod hitting;
mod insert;
mod owner;
mod step;
mod value;
mod walk;

use crate::graph::{Options, Problem};
use crate::programs;
pub use answer::compose;
use hitting::Met;
use lineal_model::diagnostic::Place;
use lineal_model::program::Machine;
use lineal_model::run::{Runnable, Site};
use lineal_model::{Assumption, Effort, Memory, Observer, Verdict};
use owner::{Functions, Label};
use std::collections::BTreeSet;
pub use walk::{Use, Walked};

/// A library, or one of several objects in its file.
#[derive(Clone, Debug)]
pub struct Library {
    /// For people: `queue (a.c)`.
    pub name: String,
    /// Functions that stand in these files are its own.
    pub files: Vec<String>,
    /// What clients call; if there is nothing, any function.
    pub entries: Vec<Entry>,
    pub standing: Standing,
}

/// A function that clients may call.
#[derive(Clone, Debug)]
pub struct Entry {
    pub function: String,
    /// Which of its arguments say which object is meant.
    pub object: Vec<usize>,
    /// It sets objects up, or takes them down.
    pub setup: bool,
}

/// What is known of a library by itself.
#[derive(Clone, Debug)]
pub enum Standing {
    /// It is robust: for every client, or for those with at most so many calls. `lock`: besides, whatever
    /// its threads tell each other happens before.
    Robust { calls: Option<u64>, lock: bool, assumptions: Vec<Assumption> },
    /// It declares no object that could be asked about.
    Granted,
    /// Nothing follows from it, since: a sentence.
    Open(String),
}

/// A client, and what it is asked under.
pub struct Client<'a> {
    pub machine: &'a Machine,
    /// The client's own sources, by name.
    pub sources: &'a [String],
    pub libraries: &'a [Library],
    pub memory: Memory,
    pub options: Options,
}

/// Whether a library is called more often than it is known to be robust for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Beyond {
    Never,
    Perhaps,
    Always,
}

/// What the paths of the client have between libraries.
pub struct Fencing {
    pub walked: Walked,
    /// Nothing is used but locks, so no fence is needed.
    pub locks: bool,
    /// The fewest fences that separate everything, each before an instruction; `None`: what happens in one
    /// call cannot be separated.
    pub fences: Option<BTreeSet<u32>>,
    /// There are none fewer; else that was not settled.
    pub fewest: bool,
}

impl Fencing {
    pub fn is_enough(&self) -> bool {
        self.walked.lost.is_none() && (self.locks || self.walked.crossings.is_empty())
    }
}

impl Client<'_> {
    /// Whether executions may call some object more often than its library is known to be robust for, and
    /// whether all of them do.
    fn beyond(&self) -> Beyond {
        let known = |n: usize| match self.libraries[n].standing {
            Standing::Robust { calls, .. } => calls,
            _ => None,
        };
        let Some(most) = (0..self.libraries.len()).filter_map(known).max() else { return Beyond::Never };
        let Some(counts) = walk::count(self, most as u32 + 1) else { return Beyond::Perhaps };
        let exceeds = |(label, calls): (&Label, &u32)| match label {
            Label::Library(n, Some(_)) => known(*n).is_some_and(|most| u64::from(*calls) > most),
            // Which object is called is not known: it may be one for all calls.
            Label::Library(n, None) => known(*n).is_some(),
            _ => false,
        };
        let beyond = counts.iter().filter(|calls| calls.iter().any(exceeds)).count();
        match beyond {
            0 => Beyond::Never,
            n if n == counts.len() => Beyond::Always,
            _ => Beyond::Perhaps,
        }
    }

    fn functions(&self) -> Functions<'_> {
        Functions::new(self.machine, self.libraries, self.sources)
    }

    /// Walks the client, and finds the fewest fences that it lacks.
    pub fn fencing(&self) -> Fencing {
        let walked = walk::walk(self, &BTreeSet::new());
        let locks = !walked.used.is_empty() && walked.used.values().all(|lock| *lock);
        let met =
            if locks { Some(Met { places: BTreeSet::new(), fewest: true }) } else { self.fewest(&walked) };
        let fewest = met.as_ref().is_some_and(|m| m.fewest);
        Fencing { walked, locks, fences: met.map(|m| m.places), fewest }
    }

    fn fewest(&self, walked: &Walked) -> Option<Met> {
        let functions = self.functions();
        let mut paths: Vec<BTreeSet<u32>> = walked.crossings.values().cloned().collect();
        loop {
            let met = hitting::fewest(&paths, |pc| self.rank(pc, &functions))?;
            let left = walk::walk(self, &met.places);
            if left.crossings.is_empty() {
                return Some(met);
            }
            paths.extend(left.crossings.into_values());
        }
    }

    /// Where a fence is easy to write: before a call of a library or an atomic access, else in front of a line.
    fn rank(&self, pc: u32, functions: &Functions<'_>) -> (u8, u32) {
        use lineal_model::program::Instr;
        let code = &self.machine.program.code;
        let first = match code[pc as usize] {
            Instr::Call { function, .. } => u8::from(functions.is_clients(function)),
            Instr::Load { mode, .. } | Instr::Store { mode, .. } | Instr::Fetch { mode, .. }
                if mode.is_atomic() =>
            {
                0
            }
            Instr::Cas { .. } => 0,
            _ => 2,
        };
        (first, u32::MAX - pc)
    }

    /// The client with these fences, explored.
    fn explored(&self, fences: &BTreeSet<u32>, effort: &Effort, watch: &dyn Observer) -> Verdict {
        let mut machine = insert::fenced(self.machine, fences);
        let options = Options { identity: machine.identity(), hints: false, ..self.options.clone() };
        let mut problem = Problem { program: &mut machine, memory: self.memory, options };
        programs::robust(&mut problem, effort, watch).verdict
    }

    pub fn place(&self, pc: u32) -> Option<Place> {
        self.machine.place(Site(pc))
    }

    /// `set1(…) of one (regs.c)`.
    pub fn words(&self, used: &Use) -> String {
        use lineal_model::program::Instr;
        let functions = self.functions();
        let what = functions.words(&used.label);
        let called = match self.machine.program.code.get(used.site as usize) {
            Some(Instr::Call { function, .. }) if !functions.is_clients(*function) => {
                Some(functions.get(*function).name.clone())
            }
            _ => None,
        };
        match (&used.label, called) {
            (Label::Start | Label::Join, _) | (_, None) => what,
            (Label::Library(..), Some(name)) => format!("{name}() of {what}"),
            (_, Some(name)) => format!("{name}() on {what}"),
        }
    }
}
