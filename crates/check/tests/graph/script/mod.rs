//! Programs small enough to write down in a test: threads of simple instructions over registers.
#![allow(dead_code)]

use lineal_model::Place;
use lineal_model::run::*;
use std::borrow::Cow;

pub mod buffers;
pub mod idioms;
pub mod random;
pub mod twin;

pub type Reg = usize;
pub const REGS: usize = 4;

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Val {
    Imm(u64),
    Reg(Reg),
    /// Register plus number.
    Plus(Reg, u64),
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum At {
    /// Global number n.
    Global(u32),
    /// Cell k of the block a register points to.
    Heap(Reg, u32),
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Ins {
    Load(Reg, At, Mode),
    Store(At, Val, Mode),
    Add(Reg, At, Val, Mode),
    Swap(Reg, At, Val, Mode),
    /// Register: 1 on success; the old value goes to the second register.
    Cas {
        ok: Reg,
        old: Reg,
        at: At,
        expected: Val,
        desired: Val,
        mode: Mode,
        fail: Mode,
        weak: bool,
    },
    Fence(Mode),
    Set(Reg, Val),
    /// Jump if register == number.
    IfEq(Reg, u64, usize),
    IfNe(Reg, u64, usize),
    Jump(usize),
    Head(u32),
    /// Fails if register == number.
    AssertNe(Reg, u64),
    Assume(Reg, u64),
    Lock(At),
    Unlock(At),
    /// Waits until the cell equals a number.
    Await(Reg, At, u64, Mode),
    /// Arrives at a barrier: a cell with for how many it is in its upper half.
    Arrive(Reg, At),
    /// Goes on from there, once the round of the arrival in the register is complete.
    Depart(Reg, At),
    Alloc {
        reg: Reg,
        cells: u32,
        zeroed: bool,
    },
    Free(Reg),
    Choose(Reg, i64, i64),
    /// Starts body number n; the register gets the thread.
    Create(Reg, usize),
    Join(Reg),
    Exit,
}

/// Body 0 is main.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Script {
    pub bodies: Vec<Vec<Ins>>,
    /// Initial values of the globals; 0 beyond.
    pub initial: Vec<u64>,
    pub copyable: bool,
}

pub fn global(n: u32) -> Loc {
    BlockId::new(BlockId::GLOBAL_OWNER, n).base()
}

impl Script {
    /// A main that creates one thread per body and joins them all.
    pub fn parallel(bodies: Vec<Vec<Ins>>) -> Script {
        let n = bodies.len();
        let mut main = Vec::new();
        for i in 0..n {
            main.push(Ins::Create(3, i + 1));
        }
        // Threads are numbered from 1 in order of creation.
        for i in 0..n {
            main.push(Ins::Set(3, Val::Imm(i as u64 + 1)));
            main.push(Ins::Join(3));
        }
        let mut all = vec![main];
        all.extend(bodies);
        Script { bodies: all, initial: Vec::new(), copyable: true }
    }
}

#[derive(Clone, Debug)]
pub struct Thread {
    id: u32,
    body: usize,
    pc: usize,
    regs: [u64; REGS],
    allocated: u32,
    started: bool,
    words: Vec<u64>,
}

impl Thread {
    fn val(&self, v: Val) -> u64 {
        match v {
            Val::Imm(n) => n,
            Val::Reg(r) => self.regs[r],
            Val::Plus(r, n) => self.regs[r].wrapping_add(n),
        }
    }
    fn at(&self, at: At) -> Loc {
        match at {
            At::Global(n) => global(n),
            At::Heap(r, k) => Loc(self.regs[r] + 8 * u64::from(k)),
        }
    }
    fn seal(&mut self) {
        self.words.clear();
        self.words.extend([self.pc as u64, u64::from(self.allocated)]);
        self.words.extend(self.regs);
    }
}

fn fail(kind: FailureKind, site: Site) -> Step {
    Step::Failed(Failure { kind, message: format!("{} at instruction {}", kind.word(), site.0), site })
}

impl Runnable for Script {
    type Thread = Thread;

    fn start(&self, id: ThreadId, entry: Entry) -> Thread {
        Thread {
            id: u32::from(id.0),
            body: entry.function as usize,
            pc: 0,
            regs: [0; REGS],
            allocated: 0,
            started: false,
            words: Vec::new(),
        }
    }

    fn main(&self) -> Entry {
        Entry { function: 0, argument: 0 }
    }

    fn resume(&self, t: &mut Thread, answer: Answer, _: &dyn World) -> Step {
        let code = &self.bodies[t.body];
        if std::mem::replace(&mut t.started, true) {
            match code[t.pc] {
                Ins::Load(r, ..)
                | Ins::Add(r, ..)
                | Ins::Swap(r, ..)
                | Ins::Await(r, ..)
                | Ins::Arrive(r, _)
                | Ins::Depart(r, _)
                | Ins::Choose(r, ..) => {
                    t.regs[r] = answer.value.lo;
                }
                Ins::Cas { ok, old, expected, .. } => {
                    let success = !answer.spurious && answer.value.lo == t.val(expected);
                    t.regs[old] = answer.value.lo;
                    t.regs[ok] = u64::from(success);
                }
                Ins::Create(r, _) => t.regs[r] = answer.value.lo,
                _ => {}
            }
            t.pc += 1;
        }
        let v = Value::word;
        loop {
            let site = Site((t.body * 100 + t.pc) as u32);
            let Some(&ins) = code.get(t.pc) else {
                t.seal();
                return Step::Finished(Value::ZERO);
            };
            let wait = |until| Some(Wait { until, cause: Cause::Lock });
            let cell = |at: At| {
                let loc = t.at(at);
                if loc.0 < 1 << 24 { Err(fail(FailureKind::NullPointer, site)) } else { Ok(loc) }
            };
            let fetch = |at, op, operand, mode| {
                cell(at).map(|loc| Op::Rmw {
                    loc,
                    size: 8,
                    mode,
                    rmw: Rmw::Fetch { op, operand: v(operand), signed: false },
                    wait: None,
                })
            };
            let op = match ins {
                Ins::Set(r, x) => {
                    t.regs[r] = t.val(x);
                    t.pc += 1;
                    continue;
                }
                Ins::IfEq(r, n, to) => {
                    t.pc = if t.regs[r] == n { to } else { t.pc + 1 };
                    continue;
                }
                Ins::IfNe(r, n, to) => {
                    t.pc = if t.regs[r] != n { to } else { t.pc + 1 };
                    continue;
                }
                Ins::Jump(to) => {
                    t.pc = to;
                    continue;
                }
                Ins::AssertNe(r, n) if t.regs[r] == n => Err(fail(FailureKind::Assertion, site)),
                Ins::Assume(r, n) if t.regs[r] != n => Err(Step::Stopped(Cause::Assume, site)),
                Ins::AssertNe(..) | Ins::Assume(..) => {
                    t.pc += 1;
                    continue;
                }
                Ins::Exit => Err(Step::Stopped(Cause::Exit, site)),
                Ins::Load(_, at, mode) => {
                    cell(at).map(|loc| Op::Read { loc, size: 8, mode, copy: false, wait: None })
                }
                Ins::Await(_, at, n, mode) => cell(at).map(|loc| Op::Read {
                    loc,
                    size: 8,
                    mode,
                    copy: false,
                    wait: wait(Until::Equal(n)),
                }),
                Ins::Arrive(_, at) => cell(at).map(|loc| Op::Rmw {
                    loc,
                    size: 8,
                    mode: Mode::AcqRel,
                    rmw: Rmw::Fetch { op: FetchOp::Add, operand: v(1), signed: true },
                    wait: Some(Wait { until: Until::AtLeast(0), cause: Cause::Barrier }),
                }),
                Ins::Depart(r, at) => cell(at).map(|loc| {
                    let (needed, arrived) = (t.regs[r] >> 32, t.regs[r] & 0xffff_ffff);
                    let complete = (needed << 32) | ((arrived / needed + 1) * needed);
                    let until = Until::AtLeast(complete as i64);
                    let wait = Some(Wait { until, cause: Cause::Barrier });
                    Op::Read { loc, size: 8, mode: Mode::Acquire, copy: false, wait }
                }),
                Ins::Store(at, x, mode) => {
                    cell(at).map(|loc| Op::Write { loc, size: 8, mode, value: v(t.val(x)) })
                }
                Ins::Add(_, at, x, mode) => fetch(at, FetchOp::Add, t.val(x), mode),
                Ins::Swap(_, at, x, mode) => fetch(at, FetchOp::Exchange, t.val(x), mode),
                Ins::Cas { at, expected, desired, mode, fail, weak, .. } => cell(at).map(|loc| Op::Rmw {
                    loc,
                    size: 8,
                    mode,
                    rmw: Rmw::Cas { expected: v(t.val(expected)), desired: v(t.val(desired)), fail, weak },
                    wait: None,
                }),
                Ins::Lock(at) => cell(at).map(|loc| Op::Rmw {
                    loc,
                    size: 8,
                    mode: Mode::Acquire,
                    rmw: Rmw::Fetch { op: FetchOp::Exchange, operand: v(1), signed: false },
                    wait: wait(Until::Equal(0)),
                }),
                Ins::Unlock(at) => {
                    cell(at).map(|loc| Op::Write { loc, size: 8, mode: Mode::Release, value: v(0) })
                }
                Ins::Fence(mode) => Ok(Op::Fence { mode }),
                Ins::Head(head) => Ok(Op::Loop { head }),
                Ins::Alloc { reg, cells, zeroed } => {
                    let block = BlockId::new(t.id, t.allocated + 1);
                    t.allocated += 1;
                    t.regs[reg] = block.base().0;
                    Ok(Op::Alloc { block, size: 8 * cells, zeroed, kind: BlockKind::Heap, layout: 0 })
                }
                Ins::Free(r) => Ok(Op::Free { loc: Loc(t.regs[r]), kind: BlockKind::Heap }),
                Ins::Choose(_, low, high) => Ok(Op::Choose { low, high }),
                Ins::Create(_, body) => {
                    Ok(Op::Create { entry: Entry { function: body as u32, argument: 0 } })
                }
                Ins::Join(r) => Ok(Op::Join { thread: ThreadId(t.regs[r] as u8) }),
            };
            t.seal();
            return match op {
                Ok(op) => Step::Ask(op, site),
                Err(step) => step,
            };
        }
    }

    fn fork(&self, thread: &Thread) -> Option<Thread> {
        self.copyable.then(|| thread.clone())
    }

    fn snapshot<'t>(&self, thread: &'t Thread) -> Option<Cow<'t, [u64]>> {
        Some(Cow::Borrowed(&thread.words))
    }

    fn forgets(&self, thread: &Thread) -> bool {
        let body = &self.bodies[thread.body];
        let Some(&Ins::Cas { ok, old, .. }) = body.get(thread.pc) else { return false };
        ok == old || is_overwritten(body, old, thread.pc + 1, &mut vec![false; body.len() + 1])
    }

    fn is_anonymous(&self, entry: Entry) -> bool {
        let personal = |i: &Ins| matches!(i, Ins::Alloc { .. } | Ins::Create(..) | Ins::Join(_));
        !self.bodies[entry.function as usize].iter().any(personal)
    }

    fn initial(&self, loc: Loc, _: u8) -> Value {
        Value::word(self.initial.get(loc.block().number() as usize).copied().unwrap_or(0))
    }

    fn adapt(&mut self, _: Relayout) -> Result<(), Failure> {
        Ok(())
    }

    fn place(&self, site: Site) -> Option<Place> {
        Some(Place::line("script", site.0))
    }

    fn name(&self, loc: Loc, _: &dyn World) -> String {
        let block = loc.block();
        if block.is_global() {
            return format!("g{}", block.number());
        }
        format!("block{}.{}[{}]", block.owner(), block.number(), loc.offset() / 8)
    }

    fn entry_name(&self, entry: Entry) -> String {
        format!("body{}", entry.function)
    }
}

/// Whether nobody reads the register from `pc` on before it is written.
fn is_overwritten(body: &[Ins], reg: Reg, pc: usize, seen: &mut Vec<bool>) -> bool {
    if pc >= body.len() || std::mem::replace(&mut seen[pc], true) {
        return true;
    }
    let val = |v: &Val| matches!(v, Val::Reg(r) | Val::Plus(r, _) if *r == reg);
    let at = |a: &At| matches!(a, At::Heap(r, _) if *r == reg);
    let (reads, writes) = match &body[pc] {
        Ins::Load(r, a, _) => (at(a), *r == reg),
        Ins::Store(a, v, _) => (at(a) || val(v), false),
        Ins::Add(r, a, v, _) | Ins::Swap(r, a, v, _) => (at(a) || val(v), *r == reg),
        Ins::Cas { ok, old, at: a, expected, desired, .. } => {
            (at(a) || val(expected) || val(desired), *ok == reg || *old == reg)
        }
        Ins::Set(r, v) => (val(v), *r == reg),
        Ins::IfEq(r, ..) | Ins::IfNe(r, ..) | Ins::AssertNe(r, _) | Ins::Assume(r, _) => (*r == reg, false),
        Ins::Jump(_) | Ins::Head(_) | Ins::Fence(_) | Ins::Exit => (false, false),
        // Of no interest here.
        _ => (true, false),
    };
    if reads || writes {
        return !reads;
    }
    let next = |to: usize, seen: &mut Vec<bool>| is_overwritten(body, reg, to, seen);
    match body[pc] {
        Ins::Exit => true,
        Ins::Jump(to) => next(to, seen),
        Ins::IfEq(_, _, to) | Ins::IfNe(_, _, to) => next(to, seen) && next(pc + 1, seen),
        _ => next(pc + 1, seen),
    }
}
