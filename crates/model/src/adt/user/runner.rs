//! Functions called one after another, nobody else running: the one runner of sequential C.
//!
//! Each call runs from the memory that earlier calls left. Memories are numbered, and what a call
//! does from one is run once. An assumption that fails, or a wait, has no outcome there: the call
//! is not possible then. Where an access needs memory divided another way, every memory is made
//! again from the calls that led to it, and keeps its number: nobody outside notices.
//!
//! Functions that take a partial lock (`lineal_plock`) also say which calls must see which:
//! [`super::partial`].

use super::Mailbox;
use super::alone::{Alone, End, Ended};
use super::memory::Memory;
use super::partial::Partial;
use crate::program::{Instr, Machine};
use crate::run::{Cause, Failure, FailureKind, Loc, Relayout, Runnable, Site, Value, lay_out};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// A function and what is in its mailbox.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Call {
    pub function: u32,
    pub inputs: Vec<i64>,
    /// Which of several calls it is, where they see each other: below 32.
    pub number: u32,
    /// Outcomes that answer something else are of no interest, and their memories not kept.
    pub wanted: Option<Said>,
}

/// What a call answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Said {
    /// That there was nothing.
    Empty,
    Number(i64),
}

/// One way in which a call may end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stepped {
    pub said: Said,
    /// The memory it leaves.
    pub next: u32,
    /// Under a partial lock: the calls that this one must see.
    pub sees: u32,
}

/// Why a call has no outcomes that mean anything: it is the functions' fault, or ours.
#[derive(Clone, Debug)]
pub enum Stuck {
    Failed(Failure),
    /// It cannot be modelled, or does not end: `f` *did such a thing*.
    GaveUp(String),
}

/// What synchronisation inside the functions is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Synchronisation {
    /// Nothing: calls come one after another.
    Ignored,
    /// It says which calls see which, if a partial lock guards it. Elsewhere it is refused rather
    /// than without effect: someone who writes a lock means that calls synchronise.
    Counts,
}

#[derive(Clone, Debug)]
pub struct Runner {
    machine: Arc<Machine>,
    init: Option<u32>,
    mailbox: Mailbox,
    synchronisation: Synchronisation,
    /// Calls synchronise by what they access, under a partial lock: this one.
    partial: bool,
    lock: Option<Loc>,
    /// The cells of the mailbox, which no partial lock guards.
    foreign: Vec<Loc>,
    /// No pointer was ever cut in pieces, so that blocks may be renamed.
    rename: bool,
    memories: Vec<Arc<Memory>>,
    /// They are about cells that are no more, and have to be made again.
    stale: bool,
    numbers: FxHashMap<Arc<Memory>, u32>,
    /// Of each memory but the first: the one it came from, the call, and which of its ends.
    origins: Vec<(u32, u32, usize)>,
    calls: Vec<Call>,
    call_numbers: FxHashMap<Call, u32>,
    known: FxHashMap<(u32, u32), Vec<Stepped>>,
}

/// What [`Runner::initial`] is.
const START: u32 = 0;
/// Bytes that an entry of `known` takes, roughly.
const ENTRY: usize = 96;

type Ends = Vec<Ended<Said>>;

/// A run that came to nothing.
enum Halt {
    Relayout(Relayout),
    Stuck(Stuck),
}

impl Runner {
    /// Runs `init`, which must end in one way.
    pub fn new(
        machine: impl Into<Arc<Machine>>,
        init: Option<u32>,
        mailbox: Mailbox,
        synchronisation: Synchronisation,
    ) -> Result<Self, Stuck> {
        let machine = machine.into();
        let mut runner = Runner {
            partial: synchronisation == Synchronisation::Counts && takes_partial_lock(&machine),
            machine,
            init,
            mailbox,
            synchronisation,
            lock: None,
            foreign: mailbox.cells().collect(),
            rename: true,
            memories: Vec::new(),
            stale: true,
            numbers: FxHashMap::default(),
            origins: Vec::new(),
            calls: Vec::new(),
            call_numbers: FxHashMap::default(),
            known: FxHashMap::default(),
        };
        runner.laid_out(Runner::remake)?;
        Ok(runner)
    }

    /// Another one, which has only been set up, with memory divided as this one found out.
    pub fn afresh(&self) -> Self {
        let start = self.memories[START as usize].clone();
        Runner {
            machine: self.machine.clone(),
            foreign: self.foreign.clone(),
            numbers: [(start.clone(), START)].into_iter().collect(),
            memories: vec![start],
            origins: Vec::new(),
            calls: Vec::new(),
            call_numbers: FxHashMap::default(),
            known: FxHashMap::default(),
            lock: None,
            ..*self
        }
    }

    pub fn initial(&self) -> u32 {
        START
    }

    pub fn machine(&self) -> &Arc<Machine> {
        &self.machine
    }

    pub fn memory(&self, state: u32) -> &Memory {
        &self.memories[state as usize]
    }

    /// Bytes that a memory takes, roughly, with its share of what is remembered about all.
    pub fn bytes(&self, state: u32) -> usize {
        self.memory(state).bytes() + ENTRY * self.known.len() / self.memories.len()
    }

    /// What the call may do from a memory.
    pub fn step(&mut self, state: u32, call: &Call) -> Result<&[Stepped], Stuck> {
        let c = self.call_number(call);
        if !self.known.contains_key(&(state, c)) {
            let ends = self.laid_out(|runner| {
                runner.remake()?;
                runner.run(runner.memories[state as usize].clone(), c)
            })?;
            let mut stepped = Vec::new();
            let wanted = |end: &Ended<Said>| call.wanted.is_none_or(|wanted| wanted == end.taken);
            for (k, end) in ends.into_iter().enumerate().filter(|(_, end)| wanted(end)) {
                if end.lock.is_some_and(|lock| *self.lock.get_or_insert(lock) != lock) {
                    let message = "uses two partial locks: one must guard all of it".into();
                    return Err(self.failed(call.function, FailureKind::LockMisuse, message));
                }
                let next = self.number(end.memory, (state, c, k));
                stepped.push(Stepped { said: end.taken, next, sees: end.sees });
            }
            self.known.insert((state, c), stepped);
        }
        Ok(&self.known[&(state, c)])
    }

    fn call_number(&mut self, call: &Call) -> u32 {
        if let Some(&n) = self.call_numbers.get(call) {
            return n;
        }
        let n = self.calls.len() as u32;
        self.calls.push(call.clone());
        self.call_numbers.insert(call.clone(), n);
        n
    }

    fn number(&mut self, memory: Memory, origin: (u32, u32, usize)) -> u32 {
        if let Some(&n) = self.numbers.get(&memory) {
            return n;
        }
        let n = self.memories.len() as u32;
        let memory = Arc::new(memory);
        self.memories.push(memory.clone());
        self.origins.push(origin);
        self.numbers.insert(memory, n);
        n
    }

    /// Does something, with memory divided as it needs.
    fn laid_out<T>(&mut self, mut attempt: impl FnMut(&mut Self) -> Result<T, Halt>) -> Result<T, Stuck> {
        let adapt = |runner: &mut Self, change: Relayout| {
            // Every eight-byte unit stays in one piece?
            runner.rename &= change.size.is_multiple_of(8) && change.offset.is_multiple_of(8);
            runner.stale = true;
            Arc::make_mut(&mut runner.machine).adapt(change)
        };
        let done = lay_out(self, adapt, |runner| match attempt(runner) {
            Ok(done) => Ok(Ok(done)),
            Err(Halt::Stuck(stuck)) => Ok(Err(stuck)),
            Err(Halt::Relayout(change)) => Err(change),
        });
        done.unwrap_or_else(|failure| Err(Stuck::Failed(failure)))
    }

    /// Memories once more from the start, if they are about cells that are no more.
    fn remake(&mut self) -> Result<(), Halt> {
        if !self.stale {
            return Ok(());
        }
        let mut memories = vec![Arc::new(self.set_up()?)];
        for &(from, call, k) in &self.origins {
            let mut ends = self.run(memories[from as usize].clone(), call)?;
            memories.push(Arc::new(ends.swap_remove(k).memory));
        }
        self.numbers = memories.iter().cloned().zip(START..).collect();
        (self.memories, self.stale) = (memories, false);
        Ok(())
    }

    fn set_up(&self) -> Result<Memory, Halt> {
        let Some(function) = self.init else { return Ok(Memory::default()) };
        let alone =
            Alone { machine: &self.machine, function, rename: self.rename, partial: None, strict: false };
        let mut ends = self.ends(&alone, Memory::default())?;
        let why = match (ends.len(), ends.pop()) {
            (1, Some(only)) => return Ok(only.memory),
            (0, _) => "it does not return".into(),
            (n, _) => format!("it has {n} outcomes; an object starts in one state"),
        };
        Err(Halt::Stuck(self.failed(function, FailureKind::Unsupported, why)))
    }

    /// A failure that no line of the function is to blame for.
    fn failed(&self, function: u32, kind: FailureKind, message: String) -> Stuck {
        let site = Site(self.machine.program.functions[function as usize].entry);
        Stuck::Failed(Failure { kind, message, site })
    }

    /// Runs a call to all of its ends.
    fn run(&self, before: Arc<Memory>, call: u32) -> Result<Ends, Halt> {
        let Call { function, inputs, number, .. } = &self.calls[call as usize];
        let mut memory = (*before).clone();
        for (loc, &n) in self.mailbox.cells().zip(inputs) {
            memory.store.write(&self.machine, loc, 8, Value::word(n as u64));
        }
        let alone = Alone {
            machine: &self.machine,
            function: *function,
            rename: self.rename,
            partial: self.partial.then_some(Partial { call: *number, foreign: &self.foreign }),
            strict: self.synchronisation == Synchronisation::Counts,
        };
        self.ends(&alone, memory)
    }

    fn ends(&self, alone: &Alone<'_>, memory: Memory) -> Result<Ends, Halt> {
        let take = |memory: &mut Memory, machine: &Machine| {
            let word = |loc| memory.store.read(machine, loc, 8).lo as i64;
            let said = match word(self.mailbox.empty) {
                0 => Said::Number(word(self.mailbox.answer)),
                _ => Said::Empty,
            };
            memory.store.forget(self.mailbox.inputs, self.mailbox.count);
            memory.store.forget(self.mailbox.answer, 1);
            memory.store.forget(self.mailbox.empty, 1);
            said
        };
        match alone.run(memory, &take) {
            End::Outcomes(ends) => Ok(ends),
            End::Relayout(change) => Err(Halt::Relayout(change)),
            End::Failed(failure) => Err(Halt::Stuck(Stuck::Failed(failure))),
            End::GaveUp(why) => Err(Halt::Stuck(Stuck::GaveUp(why))),
        }
    }
}

fn takes_partial_lock(machine: &Machine) -> bool {
    let partial = |i: &Instr| matches!(i, Instr::AwaitCas { cause: Cause::PartialLock, .. });
    machine.program.code.iter().any(partial)
}
