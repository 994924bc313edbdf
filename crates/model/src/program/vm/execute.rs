//! One instruction: what it does to the thread, or what it asks.

use super::memory::{Access, Sync};
use super::transfer::Stage;
use super::{ALLOCS, FP, ID, NOTHING, PC, PRIVATE, VmThread};
use crate::program::instr::{AllocLayout, AwaitOp};
use crate::program::{BinOp, Instr, Machine, Reg};
use crate::run::*;

impl Machine {
    pub(super) fn execute(&self, t: &mut VmThread, instr: Instr, world: &dyn World) -> Result<(), Step> {
        match instr {
            Instr::Const { dst, value } => t.set(dst, value as u64),
            Instr::Move { dst, src } => t.set(dst, t.reg(src)),
            Instr::Extend { kind, dst, src } => t.set(dst, kind.extend(t.reg(src))),
            Instr::Un { op, kind, dst, a } => {
                let value = self.unary(t, op, kind, t.reg(a))?;
                t.set(dst, value);
            }
            Instr::Bin { op, kind, dst, a, b } => {
                let value = self.binary(t, op, kind, t.reg(a), t.reg(b))?;
                t.set(dst, value);
            }
            Instr::Checked { op, kind, a_signed, b_signed, dst, a, b } => {
                let wide = |v: u64, signed: bool| if signed { i128::from(v as i64) } else { i128::from(v) };
                let (x, y) = (wide(t.reg(a), a_signed), wide(t.reg(b), b_signed));
                let (exact, low) = match op {
                    BinOp::Add => (x.checked_add(y), x.wrapping_add(y)),
                    BinOp::Sub => (x.checked_sub(y), x.wrapping_sub(y)),
                    _ => (x.checked_mul(y), x.wrapping_mul(y)),
                };
                let cut = kind.extend(low as u64);
                t.set(dst, u64::from(exact != Some(wide(cut, kind.signed()))));
                t.set(dst + 1, cut);
            }
            Instr::Float { op, kind, dst, a, b } => {
                let value = self.float(t, op, kind, t.reg(a), t.reg(b))?;
                t.set(dst, value);
            }
            Instr::Convert { from, to, dst, src } => {
                let value = self.number(t, from, to, t.reg(src))?;
                t.set(dst, value);
            }
            Instr::Jump { to } => {
                t.words[PC] = u64::from(to);
                return Ok(());
            }
            Instr::BranchZero { cond, to } => {
                if t.reg(cond) == 0 {
                    t.words[PC] = u64::from(to);
                    return Ok(());
                }
            }
            Instr::Call { function, args, count, dst } => {
                let values: Vec<u64> = (0..u16::from(count)).map(|i| t.reg(args + i)).collect();
                return self.enter(t, function, &values, dst, t.words[PC] + 1);
            }
            Instr::CallPointer { pointer, args, count, dst } => {
                let function = self.callee(t, t.reg(pointer), count)?;
                let values: Vec<u64> = (0..u16::from(count)).map(|i| t.reg(args + i)).collect();
                return self.enter(t, function, &values, dst, t.words[PC] + 1);
            }
            Instr::Return { .. } | Instr::ReturnNothing => {
                let value = if let Instr::Return { src } = instr { t.reg(src) } else { 0 };
                t.words[NOTHING] = u64::from(instr == Instr::ReturnNothing);
                let fp = t.words[FP] as usize;
                let (return_to, caller) = (t.words[fp], t.words[fp + 1]);
                t.words.truncate(fp);
                t.words[FP] = caller & 0xffff_ffff;
                t.words[PC] = return_to;
                t.set((caller >> 32) as Reg, value);
                return Ok(());
            }
            Instr::CheckReturned { name } => {
                if t.words[NOTHING] != 0 {
                    let text = format!(
                        "uses the result of {}, which returned no value",
                        self.program.strings[name as usize]
                    );
                    return Err(Step::Failed(self.failure(t, FailureKind::NoValue, text)));
                }
            }
            Instr::ThreadExit { src, early } => {
                // Nobody returns, so nobody else ends the locals of the frames.
                if early && let Some(loc) = self.take_block(t) {
                    return Err(self.ask(t, Op::Free { loc, kind: BlockKind::Stack }));
                }
                // When main ends this way the process goes on: see `Step::Finished`.
                let gone = early && t.words[ID] == 0;
                return Err(Step::Finished(if gone { Value::UNDEFINED } else { Value::word(t.reg(src)) }));
            }
            Instr::FrameAddr { dst, object } => {
                let first = (t.words[t.words[FP] as usize + 2] >> 32) as u32;
                t.set(dst, self.private_address(t, first + u32::from(object)));
            }
            Instr::Forget { object } => {
                let first = (t.words[t.words[FP] as usize + 2] >> 32) as u32;
                let (base, size) =
                    self.object(t, first + u32::from(object)).expect("an object of this frame");
                for i in 0..size {
                    t.private_write(base + i, 0, false);
                }
            }
            Instr::TlsAddr { dst, object } => t.set(dst, self.private_address(t, u32::from(object))),
            Instr::Load { kind, mode, dst, addr, lenient } => {
                let (addr, size) = (t.reg(addr), kind.size());
                match self.access(t, addr, size, mode, false, world)? {
                    Access::Private(offset) => match t.private_read(offset, u32::from(size), lenient) {
                        Some(value) => self.put(t, dst, kind, value),
                        None => return Err(self.uninitialised(t)),
                    },
                    Access::Cell(loc) => {
                        return Err(self.ask(t, Op::Read { loc, size, mode, copy: lenient, wait: None }));
                    }
                    Access::Pieces => return self.begin(t, Stage::Read, u32::from(size), world),
                }
            }
            Instr::Store { kind, mode, addr, src } => {
                let value = self.take(t, src, kind);
                let (addr, size) = (t.reg(addr), kind.size());
                match self.access(t, addr, size, mode, true, world)? {
                    Access::Private(offset) => self.private_store(t, offset, size, value),
                    Access::Cell(loc) => return Err(self.ask(t, Op::Write { loc, size, mode, value })),
                    Access::Pieces => return self.begin(t, Stage::Write, u32::from(size), world),
                }
            }
            Instr::Copy { size, .. } => return self.begin(t, Stage::Read, size, world),
            Instr::CopyMany { disjoint, to, from, size } => {
                let size = self.bulk(t, t.reg(size))?;
                if disjoint && t.reg(to).abs_diff(t.reg(from)) < u64::from(size) {
                    let text = "memcpy between objects that overlap; memmove allows it";
                    return Err(Step::Failed(self.failure(t, FailureKind::InvalidPointer, text)));
                }
                return self.begin(t, Stage::Read, size, world);
            }
            Instr::Fill { size, .. } => {
                let size = self.bulk(t, t.reg(size))?;
                return self.begin(t, Stage::Write, size, world);
            }
            Instr::Fetch { op, kind, mode, dst, addr, src } => {
                let rmw = Rmw::Fetch { op, operand: self.take(t, src, kind), signed: kind.signed() };
                if matches!(op, FetchOp::Div | FetchOp::Rem) && t.reg(src) == 0 {
                    return Err(Step::Failed(self.failure(
                        t,
                        FailureKind::DivisionByZero,
                        "divides by zero",
                    )));
                }
                let (addr, size) = (t.reg(addr), kind.size());
                match self.access(t, addr, size, mode, true, world)? {
                    Access::Private(offset) => {
                        let Some(old) = t.private_read(offset, u32::from(size), false) else {
                            return Err(self.uninitialised(t));
                        };
                        if let Some(new) = rmw.apply(old, size) {
                            self.private_store(t, offset, size, new);
                        }
                        self.put(t, dst, kind, old);
                    }
                    Access::Cell(loc) => {
                        return Err(self.ask(t, Op::Rmw { loc, size, mode, rmw, wait: None }));
                    }
                    Access::Pieces => unreachable!("atomic accesses are whole cells"),
                }
            }
            Instr::Cas { kind, mode, fail, weak, dst, addr, expected, desired } => {
                let (want, new) = (self.take(t, expected, kind), self.take(t, desired, kind));
                let (addr, size) = (t.reg(addr), kind.size());
                let rmw = Rmw::Cas { expected: want, desired: new, fail, weak };
                match self.access(t, addr, size, mode, true, world)? {
                    Access::Private(offset) => {
                        let Some(old) = t.private_read(offset, u32::from(size), false) else {
                            return Err(self.uninitialised(t));
                        };
                        let written = rmw.apply(old, size);
                        if let Some(new) = written {
                            self.private_store(t, offset, size, new);
                        }
                        t.set(dst, u64::from(written.is_some()));
                        self.put(t, dst + 1, kind, old);
                    }
                    Access::Cell(loc) => {
                        return Err(self.ask(t, Op::Rmw { loc, size, mode, rmw, wait: None }));
                    }
                    Access::Pieces => unreachable!("atomic accesses are whole cells"),
                }
            }
            Instr::Fence { mode } => return Err(self.ask(t, Op::Fence { mode })),
            Instr::Await { kind, mode, cause, until, dst, addr, operand } => {
                let x = t.reg(operand);
                let until = match until {
                    AwaitOp::Equal => Until::Equal(x),
                    AwaitOp::NotEqual => Until::NotEqual(x),
                    AwaitOp::Clear => Until::Clear(x),
                    AwaitOp::AtLeast => Until::AtLeast(x as i64),
                };
                match self.sync_cell(t, t.reg(addr), kind, Wait { until, cause }, None, world)? {
                    Sync::Done(value) => self.put(t, dst, kind, value),
                    Sync::Cell(loc) => {
                        let wait = Some(Wait { until, cause });
                        return Err(self.ask(t, Op::Read { loc, size: kind.size(), mode, copy: false, wait }));
                    }
                }
            }
            Instr::AwaitAdd { kind, mode, cause, least, add, dst, addr } => {
                let operand = Value::word(i64::from(add) as u64).truncate(kind.size());
                let rmw = Rmw::Fetch { op: FetchOp::Add, operand, signed: true };
                let until = Until::AtLeast(i64::from(least));
                match self.sync_cell(t, t.reg(addr), kind, Wait { until, cause }, Some(rmw), world)? {
                    Sync::Done(value) => self.put(t, dst, kind, value),
                    Sync::Cell(loc) => {
                        let wait = Some(Wait { until, cause });
                        return Err(self.ask(t, Op::Rmw { loc, size: kind.size(), mode, rmw, wait }));
                    }
                }
            }
            Instr::AwaitFetch { op, kind, mode, cause, dst, addr, operand } => {
                let rmw = Rmw::Fetch { op, operand: self.take(t, operand, kind), signed: kind.signed() };
                let until = Until::AtLeast(0);
                match self.sync_cell(t, t.reg(addr), kind, Wait { until, cause }, Some(rmw), world)? {
                    Sync::Done(value) => self.put(t, dst, kind, value),
                    Sync::Cell(loc) => {
                        let wait = Some(Wait { until, cause });
                        return Err(self.ask(t, Op::Rmw { loc, size: kind.size(), mode, rmw, wait }));
                    }
                }
            }
            Instr::AwaitCas { cause: Cause::PartialLock, .. } if !self.program.specifies => {
                let text = "takes a partial lock, which only specifications (`#pragma lineal spec`) have";
                return Err(Step::Failed(self.failure(t, FailureKind::Unsupported, text)));
            }
            Instr::AwaitCas { kind, mode, cause, addr, expected, desired } => {
                let (expected, desired) = (self.take(t, expected, kind), self.take(t, desired, kind));
                let rmw = Rmw::Cas { expected, desired, fail: Mode::Relaxed, weak: false };
                let until = Until::Equal(expected.lo);
                if let Sync::Cell(loc) =
                    self.sync_cell(t, t.reg(addr), kind, Wait { until, cause }, Some(rmw), world)?
                {
                    let wait = Some(Wait { until, cause });
                    return Err(self.ask(t, Op::Rmw { loc, size: kind.size(), mode, rmw, wait }));
                }
            }
            Instr::Alloc { dst, size, zeroed, kind, layout } => {
                let size = t.reg(size);
                let number = t.words[ALLOCS] + 1;
                if size >= Loc::MAX_BLOCK || number >= u64::from(PRIVATE) {
                    let text = if size >= Loc::MAX_BLOCK {
                        format!(
                            "allocates {size} bytes at once; blocks are modelled up to {} bytes",
                            Loc::MAX_BLOCK - 1
                        )
                    } else {
                        format!("allocates more than {} blocks in one thread", PRIVATE - 1)
                    };
                    return Err(Step::Failed(self.failure(t, FailureKind::Unsupported, text)));
                }
                t.words[ALLOCS] = number;
                let block = BlockId::new(t.id(), number as u32);
                t.set(dst, block.base().0);
                let layout = match layout {
                    AllocLayout::Typed(id) => id,
                    AllocLayout::Untyped => self.wanted(t).unwrap_or_else(|| self.chain(t, size)),
                };
                return Err(self.ask(t, Op::Alloc { block, size: size as u32, zeroed, kind, layout }));
            }
            Instr::Free { addr, kind } => {
                let loc = Loc(t.reg(addr));
                if loc.0 != 0 {
                    let owner = loc.block().owner();
                    let heap = loc.0 >= 1 << 16 && loc.0 < 1 << 47 && owner < BlockId::CODE_OWNER;
                    if !heap || loc.block().number() == PRIVATE || world.block(loc.block()).is_none() {
                        let text =
                            format!("frees `{}`, which `malloc` did not return", self.name(loc, world));
                        return Err(Step::Failed(self.failure(t, FailureKind::InvalidFree, text)));
                    }
                    return Err(self.ask(t, Op::Free { loc, kind }));
                }
            }
            Instr::BlockSize { dst, addr } => {
                let loc = Loc(t.reg(addr));
                let info = (loc.0 < 1 << 47).then(|| world.block(loc.block())).flatten();
                match info {
                    Some(info) if loc.offset() == 0 && loc.block().owner() < BlockId::CODE_OWNER => {
                        t.set(dst, u64::from(info.size));
                    }
                    _ => {
                        let text = "resizes a block that `malloc` did not return";
                        return Err(Step::Failed(self.failure(t, FailureKind::InvalidFree, text)));
                    }
                }
            }
            Instr::Create { function, argument, .. } => {
                let function = self.callee(t, t.reg(function), 1)?;
                return Err(self.ask(t, Op::Create { entry: Entry { function, argument: t.reg(argument) } }));
            }
            Instr::Join { thread, .. } => {
                let thread = t.reg(thread);
                if thread == 0 && t.words[ID] != 0 {
                    let text = "waits for the main thread to end, which is not modelled";
                    return Err(Step::Failed(self.failure(t, FailureKind::Unsupported, text)));
                }
                if thread >= ThreadId::MAX as u64 || thread == u64::from(t.id()) {
                    let text = format!("joins {thread}, which is no thread it could wait for");
                    return Err(Step::Failed(self.failure(t, FailureKind::LockMisuse, text)));
                }
                return Err(self.ask(t, Op::Join { thread: ThreadId(thread as u8) }));
            }
            Instr::SelfId { dst } => t.set(dst, u64::from(t.id())),
            Instr::Kernel { dst, addr } => t.set(dst, Loc(t.reg(addr)).kernel().0),
            Instr::Choose { low, high, .. } => {
                let (low, high) = (t.reg(low) as i64, t.reg(high) as i64);
                if low > high {
                    return Err(Step::Stopped(Cause::Assume, self.site(t)));
                }
                return Err(self.ask(t, Op::Choose { low, high }));
            }
            Instr::Assert { cond, message } => {
                if t.reg(cond) == 0 {
                    let text = self.program.strings[message as usize].clone();
                    return Err(Step::Failed(self.failure(t, FailureKind::Assertion, text)));
                }
            }
            Instr::Assume { cond } => {
                if t.reg(cond) == 0 {
                    return Err(Step::Stopped(Cause::Assume, self.site(t)));
                }
            }
            Instr::CheckIndex { index, count, past } => {
                let index = t.reg(index) as i64;
                if !(0..i64::from(count) + i64::from(past)).contains(&index) {
                    let text = format!("uses index {index} in an array of {count}");
                    return Err(Step::Failed(self.failure(t, FailureKind::OutOfBounds, text)));
                }
            }
            Instr::CheckInit { flag, name } => {
                if t.reg(flag) == 0 {
                    let text = format!(
                        "reads `{}` before anything was assigned to it",
                        self.program.strings[name as usize]
                    );
                    return Err(Step::Failed(self.failure(t, FailureKind::Uninitialised, text)));
                }
            }
            Instr::Fail { kind, message } => {
                let text = self.program.strings[message as usize].clone();
                return Err(Step::Failed(self.failure(t, kind, text)));
            }
            Instr::Refuse { message } => {
                let text = self.refusal(t, &self.program.strings[message as usize]);
                return Err(Step::Failed(self.failure(t, FailureKind::Unsupported, text)));
            }
            Instr::Exit => return Err(Step::Stopped(Cause::Exit, self.site(t))),
            Instr::LoopHead { index } => {
                for &r in &self.program.loops[index as usize].dead {
                    t.set(r, 0);
                }
                return Err(self.ask(t, Op::Loop { head: index }));
            }
        }
        t.next();
        Ok(())
    }

    pub(super) fn bulk(&self, t: &VmThread, size: u64) -> Result<u32, Step> {
        if size < Loc::MAX_BLOCK {
            return Ok(size as u32);
        }
        let text = format!("moves {size} bytes at once, more than any block has");
        Err(Step::Failed(self.failure(t, FailureKind::OutOfBounds, text)))
    }

    /// The layout of what the result of a call, in which the block is allocated, is taken for.
    fn wanted(&self, t: &VmThread) -> Option<u32> {
        let mut fp = t.words[FP] as usize;
        for _ in 0..4 {
            if t.words[fp] == 0 {
                break;
            }
            if let Some(&layout) = self.program.results.get(&(t.words[fp] as u32)) {
                return Some(layout);
            }
            fp = (t.words[fp + 1] & 0xffff_ffff) as usize;
        }
        None
    }

    /// Which layout the block allocated here shares with others: same calls, same size.
    pub(super) fn chain(&self, t: &VmThread, size: u64) -> u32 {
        let mut hash = size.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ t.words[PC];
        let mut fp = t.words[FP] as usize;
        for _ in 0..4 {
            if t.words[fp] == 0 {
                break;
            }
            hash = (hash.rotate_left(7) ^ t.words[fp]).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            fp = (t.words[fp + 1] & 0xffff_ffff) as usize;
        }
        (hash >> 33) as u32 | 1 << 31
    }
}
