//! A specification that is a program: functions called one after another, nobody else running.
//!
//! Each call runs from the memory that earlier calls left. Memories are numbered, and what a call
//! does from one is run once. A function that does not return, fails, or asks for anything but
//! memory has no answer: then no order in which it comes there is legal.

use lineal_model::object::{Marks, Outcome};
use lineal_model::run::{
    Answer, BlockId, BlockInfo, Entry, Loc, Op, Rmw, Runnable, Step, ThreadId, Value, World,
};
use std::collections::{BTreeMap, HashMap};
use std::sync::{Mutex, MutexGuard};

/// What the calls of a client answer when they come one after another.
pub trait Reference: Send + Sync {
    fn initial(&self) -> u32;
    /// What the call answers in a state, and the state after it.
    fn step(&self, state: u32, call: usize) -> Option<(Outcome, u32)>;
}

/// A sequential program: how it is set up, and what each call runs.
pub struct Program<R: Runnable> {
    inner: Mutex<Inner<R>>,
}

struct Inner<R: Runnable> {
    program: R,
    calls: Vec<(Entry, Marks)>,
    memories: Vec<Memory>,
    numbers: HashMap<Memory, u32>,
    known: HashMap<(u32, usize), Option<(Outcome, u32)>>,
}

/// Everything a sequential program has written.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Memory {
    cells: BTreeMap<Loc, Value>,
    blocks: BTreeMap<BlockId, Block>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Block {
    size: u32,
    layout: u32,
    zeroed: bool,
    freed: bool,
}

impl World for Memory {
    fn block(&self, block: BlockId) -> Option<BlockInfo> {
        self.blocks.get(&block).map(|b| BlockInfo { size: b.size, layout: b.layout })
    }
}

/// Visible steps of one call.
const MOST: u32 = 100_000;

impl<R: Runnable> Program<R> {
    /// `None`: the set-up does not return.
    pub fn new(program: R, setup: Entry, calls: Vec<(Entry, Marks)>) -> Option<Self> {
        let mut inner =
            Inner { program, calls, memories: Vec::new(), numbers: HashMap::new(), known: HashMap::new() };
        let start = inner.run(Memory::default(), setup, 0)?;
        inner.number(start);
        Some(Program { inner: Mutex::new(inner) })
    }

    fn inner(&self) -> MutexGuard<'_, Inner<R>> {
        self.inner.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

impl<R: Runnable + Send> Reference for Program<R>
where
    R::Thread: Send,
{
    fn initial(&self) -> u32 {
        0
    }

    fn step(&self, state: u32, call: usize) -> Option<(Outcome, u32)> {
        self.inner().step(state, call)
    }
}

impl<R: Runnable> Inner<R> {
    fn number(&mut self, memory: Memory) -> u32 {
        if let Some(&n) = self.numbers.get(&memory) {
            return n;
        }
        let n = self.memories.len() as u32;
        self.memories.push(memory.clone());
        self.numbers.insert(memory, n);
        n
    }

    fn step(&mut self, state: u32, call: usize) -> Option<(Outcome, u32)> {
        if let Some(known) = self.known.get(&(state, call)) {
            return *known;
        }
        let (entry, marks) = self.calls[call];
        let memory = self.memories[state as usize].clone();
        let result = self.run(memory, entry, call + 1).map(|mut memory| {
            let mut take = |loc: Loc| memory.cells.remove(&loc);
            let (ended, result) = (take(marks.ended), take(marks.result));
            take(marks.begun);
            let outcome = match (ended.map(|v| v.lo), result) {
                (Some(2), _) => Outcome::Empty,
                (_, Some(v)) => Outcome::Value(v.signed(8)),
                (_, None) => Outcome::Nothing,
            };
            (outcome, self.number(memory))
        });
        self.known.insert((state, call), result);
        result
    }

    /// Runs one function to its end.
    fn run(&mut self, start: Memory, entry: Entry, thread: usize) -> Option<Memory> {
        'again: loop {
            let mut memory = start.clone();
            let mut state = self.program.start(ThreadId(thread as u8), entry);
            let mut step = self.program.resume(&mut state, Answer::default(), &memory);
            for _ in 0..MOST {
                let op = match step {
                    Step::Ask(op, _) => op,
                    Step::Finished(_) => return Some(memory),
                    Step::Relayout(change) => {
                        self.program.adapt(change).ok()?;
                        continue 'again;
                    }
                    Step::Stopped(..) | Step::Failed(_) => return None,
                };
                let value = self.perform(&mut memory, op)?;
                step = self.program.resume(&mut state, Answer::from(value), &memory);
            }
            return None;
        }
    }

    fn read(&self, memory: &Memory, loc: Loc, size: u8) -> Value {
        if let Some(&value) = memory.cells.get(&loc) {
            return value;
        }
        if loc.block().is_global() {
            return self.program.initial(loc, size);
        }
        match memory.blocks.get(&loc.block()) {
            Some(b) if b.zeroed => Value::ZERO,
            _ => Value::UNDEFINED,
        }
    }

    /// `None`: nobody will ever let it go on, or it is an error.
    fn perform(&self, memory: &mut Memory, op: Op) -> Option<Value> {
        let alive = |memory: &Memory, loc: Loc| {
            loc.block().is_global() || memory.blocks.get(&loc.block()).is_some_and(|b| !b.freed)
        };
        match op {
            Op::Read { loc, size, wait, copy, .. } if alive(memory, loc) => {
                let value = self.read(memory, loc, size);
                let met = wait.is_none_or(|w| w.until.holds(value, size));
                (met && (copy || !value.undefined)).then_some(value)
            }
            Op::Write { loc, size, value, .. } if alive(memory, loc) => {
                memory.cells.insert(loc, value.truncate(size));
                Some(Value::ZERO)
            }
            Op::Rmw { loc, size, rmw, wait, .. } if alive(memory, loc) => {
                let value = self.read(memory, loc, size);
                if value.undefined || !wait.is_none_or(|w| w.until.holds(value, size)) {
                    return None;
                }
                match (rmw.apply(value, size), rmw) {
                    (Some(new), _) => {
                        memory.cells.insert(loc, new);
                    }
                    (None, Rmw::Cas { .. }) => {}
                    (None, Rmw::Fetch { .. }) => return None,
                }
                Some(value)
            }
            Op::Fence { .. } | Op::Loop { .. } => Some(Value::ZERO),
            Op::Alloc { block, size, zeroed, layout, .. } => {
                memory.blocks.insert(block, Block { size, layout, zeroed, freed: false });
                Some(Value::ZERO)
            }
            Op::Free { loc, .. } => {
                let block = memory.blocks.get_mut(&loc.block()).filter(|b| !b.freed && loc.offset() == 0)?;
                block.freed = true;
                memory.cells.retain(|l, _| l.block() != loc.block());
                Some(Value::ZERO)
            }
            _ => None,
        }
    }
}
