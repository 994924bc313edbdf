//! A specification that is a program: functions called one after another, nobody else running.
//!
//! Each call runs from the memory that earlier calls left, as types of histories do
//! ([`lineal_model::adt::user`]). Memories are numbered, and what a call does from one is run
//! once. An assumption that fails, or a wait, has no answer there: then no order in which it comes
//! there is legal. A function that fails says nothing about the object: see [`Reference::trouble`].
//!
//! Functions that take a partial lock (`lineal_plock`) also say which calls must see which: see
//! [`lineal_model::adt::user::Partial`].

use lineal_model::adt::user::{Alone, End, Ended, Memory, Partial};
use lineal_model::diagnostic::Place;
use lineal_model::object::{Marks, Outcome};
use lineal_model::program::{Instr, Machine};
use lineal_model::run::{Cause, Entry, FailureKind, Loc, Relayout, Runnable, Value};
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard};

/// A set of calls of a client, a bit each.
pub type Mask = u32;

/// What the calls of a client answer when they come one after another.
pub trait Reference: Send + Sync {
    fn initial(&self) -> u32;
    /// What the call may do in a state.
    fn step(&self, state: u32, call: usize) -> Vec<Stepped>;
    /// Why the answers mean nothing, if something went wrong in the specification itself.
    fn trouble(&self) -> Option<Trouble>;
}

/// One way in which a call of the specification may end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stepped {
    pub outcome: Outcome,
    pub next: u32,
    /// The calls that this one must see.
    pub sees: Mask,
}

/// A specification that cannot be run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trouble {
    /// The call in which it was found; `None`: what sets it up.
    pub call: Option<usize>,
    pub message: String,
    /// An assertion of its own: the call may not be possible there.
    pub asserted: bool,
    pub at: Option<Place>,
}

/// What a call of the client runs, where it leaves its answer, and whether it has one.
#[derive(Clone, Copy, Debug)]
pub struct Function {
    pub entry: Entry,
    pub marks: Marks,
    pub answers: bool,
}

/// A sequential program: how it is set up, and what each call runs.
pub struct Program {
    inner: Mutex<Inner>,
}

struct Inner {
    machine: Machine,
    setup: Entry,
    calls: Vec<Function>,
    /// The cells of the client's own.
    foreign: Vec<Loc>,
    /// Calls synchronise by what they access, under a partial lock: this one.
    partial: bool,
    lock: Option<Loc>,
    /// No pointer was ever cut in pieces, so that blocks may be renamed.
    rename: bool,
    memories: Vec<Memory>,
    /// Per memory but the first: the memory it came from, the call, and which of its ends.
    origins: Vec<(u32, usize, usize)>,
    numbers: HashMap<Memory, u32>,
    known: HashMap<(u32, usize), Vec<Stepped>>,
    trouble: Option<Trouble>,
}

/// A call did not end in one of its ways.
enum Stuck {
    Relayout(Relayout),
    Trouble(Trouble),
}

/// Whether a specification synchronises by accesses under a partial lock.
pub fn is_partial(machine: &Machine) -> bool {
    let partial = |i: &Instr| matches!(i, Instr::AwaitCas { cause: Cause::PartialLock, .. });
    machine.program.code.iter().any(partial)
}

impl Program {
    pub fn new(machine: Machine, setup: Entry, calls: Vec<Function>) -> Result<Self, Trouble> {
        let foreign = calls.iter().flat_map(|c| [c.marks.begun, c.marks.ended, c.marks.result]).collect();
        let partial = is_partial(&machine);
        let mut inner = Inner {
            machine,
            setup,
            calls,
            foreign,
            partial,
            lock: None,
            rename: true,
            memories: Vec::new(),
            origins: Vec::new(),
            numbers: HashMap::new(),
            known: HashMap::new(),
            trouble: None,
        };
        match inner.rebuild(None) {
            Ok(()) => Ok(Program { inner: Mutex::new(inner) }),
            Err(trouble) => Err(trouble),
        }
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

impl Reference for Program {
    fn initial(&self) -> u32 {
        0
    }

    fn step(&self, state: u32, call: usize) -> Vec<Stepped> {
        self.inner().step(state, call)
    }

    fn trouble(&self) -> Option<Trouble> {
        self.inner().trouble.clone()
    }
}

impl Inner {
    fn step(&mut self, state: u32, call: usize) -> Vec<Stepped> {
        if self.trouble.is_some() {
            return Vec::new();
        }
        if let Some(known) = self.known.get(&(state, call)) {
            return known.clone();
        }
        let ends = loop {
            match self.run(self.memories[state as usize].clone(), Some(call)) {
                Ok(ends) => break ends,
                Err(Stuck::Relayout(change)) => {
                    if let Err(trouble) = self.rebuild(Some(change)) {
                        self.trouble = Some(trouble);
                        return Vec::new();
                    }
                }
                Err(Stuck::Trouble(trouble)) => {
                    self.trouble = Some(trouble);
                    return Vec::new();
                }
            }
        };
        let mut stepped = Vec::new();
        for (k, end) in ends.into_iter().enumerate() {
            if end.lock.is_some_and(|lock| *self.lock.get_or_insert(lock) != lock) {
                let message = "uses two partial locks: one must guard all of it".into();
                self.trouble = Some(Trouble { call: Some(call), message, asserted: false, at: None });
                return Vec::new();
            }
            let next = self.number(end.memory, (state, call, k));
            stepped.push(Stepped { outcome: end.taken, next, sees: end.sees });
        }
        self.known.insert((state, call), stepped.clone());
        stepped
    }

    fn number(&mut self, memory: Memory, origin: (u32, usize, usize)) -> u32 {
        if let Some(&n) = self.numbers.get(&memory) {
            return n;
        }
        let n = self.memories.len() as u32;
        self.memories.push(memory.clone());
        self.origins.push(origin);
        self.numbers.insert(memory, n);
        n
    }

    /// Memories once more from the start, divided into cells as a call needed it.
    fn rebuild(&mut self, mut change: Option<Relayout>) -> Result<(), Trouble> {
        'again: loop {
            if let Some(change) = change {
                self.rename &= change.size.is_multiple_of(8) && change.offset.is_multiple_of(8);
                let adapted = self.machine.adapt(change);
                adapted.map_err(|f| Trouble { call: None, message: f.message, asserted: false, at: None })?;
            }
            let mut memories: Vec<Memory> = Vec::new();
            for n in 0..=self.origins.len() {
                let (start, call, k) = match n.checked_sub(1).map(|i| self.origins[i]) {
                    None => (Memory::default(), None, 0),
                    Some((from, call, k)) => (memories[from as usize].clone(), Some(call), k),
                };
                match self.run(start, call) {
                    Ok(mut ends) if k < ends.len() => memories.push(ends.swap_remove(k).memory),
                    Ok(_) => {
                        let message = "what sets the specification up does not return".into();
                        return Err(Trouble { call, message, asserted: false, at: None });
                    }
                    Err(Stuck::Relayout(more)) => {
                        change = Some(more);
                        continue 'again;
                    }
                    Err(Stuck::Trouble(trouble)) => return Err(trouble),
                }
            }
            self.numbers = memories.iter().cloned().zip(0..).collect();
            self.memories = memories;
            return Ok(());
        }
    }

    /// Runs one call, or what sets everything up, to all of its ends.
    fn run(&self, start: Memory, call: Option<usize>) -> Result<Vec<Ended<Outcome>>, Stuck> {
        let entry = call.map_or(self.setup, |c| self.calls[c].entry);
        let partial =
            call.filter(|_| self.partial).map(|c| Partial { call: c as u32, foreign: &self.foreign });
        let (machine, rename, strict) = (&self.machine, self.rename, call.is_some());
        let alone = Alone { machine, function: entry.function, rename, partial, strict };
        let take = |memory: &mut Memory, machine: &Machine| {
            let Some(Function { marks, answers, .. }) = call.map(|c| self.calls[c]) else {
                return Outcome::Nothing;
            };
            let outcome = match memory.store.read(machine, marks.ended, 1).lo {
                2 => Outcome::Empty,
                _ if answers => Outcome::Value(memory.store.read(machine, marks.result, 8).signed(8)),
                _ => Outcome::Nothing,
            };
            for (loc, size) in [(marks.begun, 1), (marks.ended, 1), (marks.result, 8)] {
                memory.store.write(machine, loc, size, Value::ZERO);
            }
            outcome
        };
        let trouble = |message: String, asserted, at| Stuck::Trouble(Trouble { call, message, asserted, at });
        match alone.run(start, &take) {
            End::Outcomes(ends) => Ok(ends),
            End::Relayout(change) => Err(Stuck::Relayout(change)),
            End::Failed(f) => {
                Err(trouble(f.message, f.kind == FailureKind::Assertion, self.machine.place(f.site)))
            }
            End::GaveUp(why) => Err(trouble(why, false, None)),
        }
    }
}
