//! The operations of an object, compiled once, and the programs that its clients are.
//!
//! A client is data: threads of calls. Its program is the compiled operations with a few
//! instructions behind them: `main` sets the object up, starts the threads, waits for them and
//! finishes; each thread makes its calls one after another. The operations leave marks in cells
//! of their own, which tell an engine when a call began, that it ended, and what it answered.

use super::instr::AwaitOp;
use super::modes::{Spot, by_place};
use super::{BinOp, Function, Instr, IntKind, Machine, Reg};
use crate::adt::Hold;
use crate::adt::user::Specification;
use crate::diagnostic::Place;
use crate::object::{Client, Marks, Object, Slot};
use crate::run::{BlockId, Cause, Loc, Mode};
use std::collections::BTreeSet;

/// The file that a client's own instructions are said to stand in.
pub const CLIENT: &str = "<client>";

/// The most calls that a client can make: for so many there are marks.
pub const MAX_CALLS: usize = 16;

/// An object as it was declared, with its code.
#[derive(Clone, Debug)]
pub struct Compiled {
    pub object: Object,
    /// What clients call.
    pub operations: Operations,
    /// Of `object spec`: what its calls are held against.
    pub specification: Option<Specification>,
    /// The object keeps state per thread, so calls of one thread are not like calls of many.
    pub thread_state: bool,
}

/// The operations of an object as functions of one program, which has no `main` of its own.
#[derive(Clone, Debug)]
pub struct Operations {
    pub machine: Machine,
    /// Functions without arguments that are run before the first call and after the last one.
    pub setup: u32,
    pub finish: u32,
    /// Run by each thread before its first call, with the thread's number.
    pub thread_init: Option<u32>,
    /// Per operation: a function of the call's and the thread's number, and the call's value, key
    /// and priority. It returns whether the call answered something that is not zero.
    pub calls: Vec<u32>,
    /// Arrays of marks, an element per call; the last says that the call is over, to who waits.
    pub begun: Loc,
    pub ended: Loc,
    pub result: Loc,
    pub done: Loc,
    /// Releases are made only by a thread that holds the lock.
    pub guards: Guards,
}

/// Which operations take and give back a lock.
#[derive(Clone, Debug, Default)]
pub struct Guards {
    acquires: Vec<Option<Hold>>,
    releases: Vec<Option<Hold>>,
    /// Acquires that answer nothing: when they return, they got it.
    waits: Vec<bool>,
}

impl Guards {
    pub fn of(object: &Object) -> Self {
        let operations = || object.operations.iter();
        Guards {
            acquires: operations().map(|o| object.kind.acquires(o.method)).collect(),
            releases: operations().map(|o| object.kind.releases(o.method)).collect(),
            waits: operations().map(|o| o.answer.is_none() && o.empty_if.is_none()).collect(),
        }
    }

    fn any(&self) -> bool {
        self.releases.iter().any(Option::is_some)
    }
}

impl Operations {
    /// The author's own accesses, one for each place in the source.
    pub fn spots(&self) -> Vec<Spot> {
        by_place(self.accesses())
    }

    /// The same, each instruction by itself, in the order of the code. The marks are nobody's to
    /// change, and what no client reaches is not the object's.
    pub fn accesses(&self) -> Vec<Spot> {
        let reached = self.reached();
        let own = |s: &Spot| &*s.place.file != CLIENT && reached[s.sites[0].0 as usize];
        self.machine.accesses().into_iter().filter(own).collect()
    }

    /// For each instruction: whether some client may come there. Who calls through pointers, or
    /// starts threads, may come everywhere.
    fn reached(&self) -> Vec<bool> {
        let program = &self.machine.program;
        let mut reached = vec![false; program.code.len()];
        let mut todo: Vec<u32> = [self.setup, self.finish].into_iter().chain(self.thread_init).collect();
        todo.extend(&self.calls);
        let mut seen: BTreeSet<u32> = todo.iter().copied().collect();
        while let Some(next) = todo.pop() {
            let Some(f) = program.functions.get(next as usize) else { continue };
            let range = f.entry as usize..f.end as usize;
            reached[range.clone()].fill(true);
            for instr in &program.code[range] {
                match instr {
                    Instr::CallPointer { .. } | Instr::Create { .. } => return vec![true; reached.len()],
                    Instr::Call { function, .. } if seen.insert(*function) => todo.push(*function),
                    _ => {}
                }
            }
        }
        reached
    }

    /// The program that runs `client`, and where its calls leave their marks.
    pub fn client(&self, client: &Client) -> (Machine, Vec<Marks>) {
        let mut link = Link::new(self, client);
        let threads: Vec<u32> =
            (0..client.threads.len()).map(|t| link.function("<thread>", 1, |code| code.thread(t))).collect();
        link.machine.program.main = link.function("<main>", 1, |code| code.main(&threads));
        (link.machine, self.marks(client))
    }

    fn marks(&self, client: &Client) -> Vec<Marks> {
        let at = |array: Loc, size: usize, c: usize| Loc(array.0 + (size * c) as u64);
        let marks = |c: usize| Marks {
            begun: at(self.begun, 8, c),
            ended: at(self.ended, 8, c),
            result: at(self.result, 8, c),
        };
        (0..client.calls.len()).map(marks).collect()
    }
}

/// The operations with a client's functions behind them.
struct Link<'a> {
    operations: &'a Operations,
    client: &'a Client,
    machine: Machine,
    place: u32,
}

impl<'a> Link<'a> {
    fn new(operations: &'a Operations, client: &'a Client) -> Self {
        assert!(client.calls.len() <= MAX_CALLS, "a client makes at most {MAX_CALLS} calls");
        let mut machine = operations.machine.clone();
        let program = &mut machine.program;
        let place = program.places.len() as u32;
        program.places.push(Some(Place { file: CLIENT.into(), line: 1, column: 0, width: 0 }));
        program.identity = identity(program.identity, client);
        Link { operations, client, machine, place }
    }

    /// Adds a function, and says its number.
    fn function(&mut self, name: &str, params: u16, body: impl FnOnce(&mut Body<'_>)) -> u32 {
        let mut code = Body { operations: self.operations, client: self.client, out: Vec::new() };
        body(&mut code);
        let out = code.out;
        let program = &mut self.machine.program;
        let entry = program.code.len() as u32;
        program.sites.extend(out.iter().map(|_| self.place));
        program.code.extend(out.into_iter().map(|instr| match instr {
            Instr::BranchZero { cond, to } => Instr::BranchZero { cond, to: to + entry },
            other => other,
        }));
        let number = program.functions.len() as u32;
        program.functions.push(Function {
            name: name.into(),
            entry,
            end: program.code.len() as u32,
            params,
            registers: REGISTERS,
            memory: 0,
            objects: Vec::new(),
            blocks: Vec::new(),
            unprototyped: false,
            runtime: false,
        });
        number
    }
}

/// A hash over what makes this program another than that of other clients.
fn identity(operations: u64, client: &Client) -> u64 {
    format!("{client:?}")
        .bytes()
        .fold(operations, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// Registers: the parameter, whether the lock is held, alone or not, room for arguments, thread numbers.
const HELD: Reg = 1;
const SHARED: Reg = 2;
const TEMP: Reg = 3;
const ARGS: Reg = 5;

fn register(hold: Hold) -> Reg {
    match hold {
        Hold::Exclusive => HELD,
        Hold::Shared => SHARED,
    }
}

const THREADS: Reg = ARGS + 6;
const REGISTERS: u16 = THREADS + MAX_CALLS as u16 + 2;

/// The instructions of one function; jumps are relative to its beginning.
struct Body<'a> {
    operations: &'a Operations,
    client: &'a Client,
    out: Vec<Instr>,
}

impl Body<'_> {
    fn constant(&mut self, dst: Reg, value: i64) {
        self.out.push(Instr::Const { dst, value });
    }

    fn end(&mut self) {
        self.constant(TEMP, 0);
        self.out.push(Instr::Return { src: TEMP });
    }

    /// One call as thread `t`; whether it answered something is in `ARGS` then.
    fn call(&mut self, c: usize, t: usize) {
        let mut call = self.client.calls[c];
        let numbers = [Slot::Value, Slot::Key, Slot::Prio].map(|slot| call.slot(slot).unwrap_or(0));
        for (i, n) in [c as i64, t as i64].into_iter().chain(numbers).enumerate() {
            self.constant(ARGS + i as Reg, n);
        }
        let function = self.operations.calls[call.operation];
        self.out.push(Instr::Call { function, args: ARGS, count: 5, dst: ARGS });
    }

    fn plain_call(&mut self, function: u32) {
        self.out.push(Instr::Call { function, args: ARGS, count: 0, dst: ARGS });
    }

    fn thread(&mut self, t: usize) {
        let Body { operations, client, .. } = *self;
        if let Some(function) = operations.thread_init {
            self.constant(ARGS, t as i64);
            self.out.push(Instr::Call { function, args: ARGS, count: 1, dst: ARGS });
        }
        let guarded = operations.guards.any();
        if guarded {
            self.constant(HELD, 0);
            self.constant(SHARED, 0);
        }
        let done = |c: usize| (operations.done.0 + 4 * c as u64) as i64;
        for &c in &client.threads[t] {
            for &(i, _) in client.waits.iter().filter(|w| w.1 == c) {
                self.constant(TEMP, done(i));
                self.constant(TEMP + 1, 1);
                self.out.push(Instr::Await {
                    kind: IntKind::I32,
                    mode: Mode::Acquire,
                    cause: Cause::Condition,
                    until: AwaitOp::Equal,
                    dst: ARGS,
                    addr: TEMP,
                    operand: TEMP + 1,
                });
            }
            let operation = client.calls[c].operation;
            if let Some(hold) = operations.guards.releases[operation] {
                // Executions in which the lock is not held are those of a smaller client.
                let cond = register(hold);
                let branch = self.out.len();
                self.out.push(Instr::BranchZero { cond, to: 0 });
                self.add_held(cond, -1);
                self.call(c, t);
                let to = self.out.len() as u32;
                self.out[branch] = Instr::BranchZero { cond, to };
            } else {
                self.call(c, t);
            }
            if let Some(hold) = operations.guards.acquires[operation].filter(|_| guarded) {
                let dst = register(hold);
                match operations.guards.waits[operation] {
                    true => self.add_held(dst, 1),
                    false => {
                        self.out.push(Instr::Bin {
                            op: BinOp::Add,
                            kind: IntKind::I32,
                            dst,
                            a: dst,
                            b: ARGS,
                        });
                    }
                }
            }
            if client.waits.iter().any(|w| w.0 == c) {
                self.constant(TEMP, done(c));
                self.constant(TEMP + 1, 1);
                self.out.push(Instr::Store {
                    kind: IntKind::I32,
                    mode: Mode::Release,
                    addr: TEMP,
                    src: TEMP + 1,
                });
            }
        }
        self.end();
    }

    fn add_held(&mut self, dst: Reg, n: i64) {
        self.constant(TEMP, n);
        self.out.push(Instr::Bin { op: BinOp::Add, kind: IntKind::I32, dst, a: dst, b: TEMP });
    }

    fn main(&mut self, threads: &[u32]) {
        self.plain_call(self.operations.setup);
        for (t, &function) in threads.iter().enumerate() {
            self.constant(TEMP, BlockId::new(BlockId::CODE_OWNER, function).base().0 as i64);
            self.constant(TEMP + 1, 0);
            let dst = THREADS + t as Reg;
            self.out.push(Instr::Create { dst, function: TEMP, argument: TEMP + 1 });
        }
        for t in 0..threads.len() {
            self.out.push(Instr::Join { dst: TEMP, thread: THREADS + t as Reg });
        }
        self.plain_call(self.operations.finish);
        self.end();
    }
}
