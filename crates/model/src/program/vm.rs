//! The meaning of a [`super::Program`]: how one thread runs, and what it asks.
//!
//! A thread is a vector of words, so that engines copy, compare and store it as it is:
//!
//! ```text
//! header | thread-local memory | frame | frame | … | transfer buffer
//! frame = return pc, caller's frame and result register, function, registers, private memory
//! ```
//!
//! Private memory (locals whose address stays in the thread) interleaves a data word with a
//! mask of the bytes that have been written, so that reading what was never written is noticed.
//! Registers that hold such locals have a flag register instead ([`Instr::CheckInit`]).

use super::transfer::{Flow, Stage};
use super::{BinOp, Instr, IntKind, Machine, Reg, UnOp, bytes_to_value};
use crate::diagnostic::Place;
use crate::program::instr::{AllocLayout, AwaitOp};
use crate::run::*;
use std::borrow::Cow;

/// One thread, as plain words.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct VmThread {
    pub(super) words: Vec<u64>,
}

pub(super) const PC: usize = 0;
const FP: usize = 1;
const ID: usize = 2;
const ALLOCS: usize = 3;
pub(super) const STAGE: usize = 4;
pub(super) const CURSOR: usize = 5;
pub(super) const BUFFER: usize = 6;
const HEADER: usize = 8;
const FRAME: usize = 3;

/// Block numbers from here on name a thread's own private objects, in the order of its stack.
const PRIVATE: u32 = 0xc000;
/// Words one thread may hold: ends endless recursion.
const MAX_WORDS: usize = 1 << 17;
/// Instructions between two visible operations: ends endless local loops.
const MAX_STEPS: u32 = 20_000_000;

impl VmThread {
    pub(super) fn reg(&self, r: Reg) -> u64 {
        self.words[self.words[FP] as usize + FRAME + r as usize]
    }

    pub(super) fn set(&mut self, r: Reg, value: u64) {
        let at = self.words[FP] as usize + FRAME + r as usize;
        self.words[at] = value;
    }

    pub(super) fn next(&mut self) {
        self.words[PC] += 1;
    }

    fn id(&self) -> u32 {
        self.words[ID] as u32
    }

    /// Reads private memory; `None` where a byte was never written (unless lenient).
    pub(super) fn private_read(&self, offset: u32, size: u32, lenient: bool) -> Option<Value> {
        let mut raw = [0u8; 16];
        for i in 0..size {
            let (byte, defined) = self.private_byte(offset + i);
            if !defined && !lenient {
                return None;
            }
            raw[i as usize] = byte;
        }
        Some(bytes_to_value(&raw))
    }

    pub(super) fn private_byte(&self, offset: u32) -> (u8, bool) {
        let word = 2 * (offset as usize / 8);
        let shift = 8 * (offset % 8);
        ((self.words[word] >> shift) as u8, self.words[word + 1] >> (offset % 8) & 1 == 1)
    }

    pub(super) fn private_write(&mut self, offset: u32, byte: u8, defined: bool) {
        let word = 2 * (offset as usize / 8);
        let shift = 8 * (offset % 8);
        self.words[word] = self.words[word] & !(0xff << shift) | u64::from(byte) << shift;
        let bit = 1 << (offset % 8);
        if defined {
            self.words[word + 1] |= bit;
        } else {
            self.words[word + 1] &= !bit;
        }
    }
}

/// Where an address leads.
pub(super) enum Region {
    Private(u32),
    Shared { block: BlockId, offset: u32, size: u32, layout: u32 },
}

impl Machine {
    /// The source position of `pc`, or of the call that led out of the user's own code.
    pub(super) fn site(&self, t: &VmThread) -> Site {
        let mut fp = t.words[FP] as usize;
        let mut pc = t.words[PC] as u32;
        while self.program.functions[t.words[fp + 2] as u32 as usize].runtime && t.words[fp] != 0 {
            pc = (t.words[fp] as u32).saturating_sub(1);
            fp = (t.words[fp + 1] & 0xffff_ffff) as usize;
        }
        Site(pc)
    }

    pub(super) fn failure(&self, t: &VmThread, kind: FailureKind, message: impl Into<String>) -> Failure {
        Failure { kind, message: message.into(), site: self.site(t) }
    }

    /// Checks that `size` bytes at `addr` may be accessed.
    pub(super) fn region(
        &self,
        t: &VmThread,
        addr: u64,
        size: u32,
        write: bool,
        world: &dyn World,
    ) -> Result<Region, Failure> {
        let verb = if write { "writes" } else { "reads" };
        if !(1 << 16..=u64::MAX - (1 << 16)).contains(&addr) {
            let text = if addr == 0 {
                format!("{verb} through a null pointer")
            } else {
                format!("{verb} through a null pointer (plus {})", addr as i64)
            };
            return Err(self.failure(t, FailureKind::NullPointer, text));
        }
        let loc = Loc(addr);
        let invalid = |why: &str| self.failure(t, FailureKind::InvalidPointer, format!("{verb} {why}"));
        if addr >= 1 << 47 {
            return Err(invalid(&format!(
                "through {addr:#x}, which is no address (tag bits left in the pointer?)"
            )));
        }
        let (block, offset) = (loc.block(), loc.offset());
        if let Some(failure) = self.before_start(t, loc, verb, world) {
            return Err(failure);
        }
        let (extent, layout) = match block.owner() {
            BlockId::CODE_OWNER => return Err(invalid("the code of a function")),
            BlockId::GLOBAL_OWNER => match self.program.globals.get(block.number() as usize) {
                Some(g) if write && g.constant => {
                    return Err(invalid(&format!("`{}`, which is constant", g.name)));
                }
                Some(g) => (g.bytes.len() as u32, block.number()),
                None => return Err(invalid("through a pointer that leads nowhere")),
            },
            owner if block.number() >= PRIVATE => {
                if owner != t.id() {
                    let text = "a pointer to a local variable reached another thread in disguise";
                    return Err(self.failure(t, FailureKind::Unsupported, text));
                }
                let Some((base, extent)) = self.object(t, block.number() - PRIVATE) else {
                    return Err(self.failure(
                        t,
                        FailureKind::UseAfterFree,
                        format!("{verb} a local variable of a function that has returned"),
                    ));
                };
                if offset + size > extent {
                    let text = format!(
                        "{verb} {size} byte{} at offset {offset} of a local variable that has {extent}",
                        if size == 1 { "" } else { "s" }
                    );
                    return Err(self.failure(t, FailureKind::OutOfBounds, text));
                }
                return Ok(Region::Private(base + offset));
            }
            _ => match world.block(block) {
                Some(info) => (info.size, info.layout),
                None => return Err(invalid(&format!("through {addr:#x}, which leads to no object"))),
            },
        };
        if u64::from(offset) + u64::from(size) > u64::from(extent) {
            let name = self.name(block.base(), world);
            let text = format!(
                "{verb} {size} byte{} at offset {offset} of `{name}`, which has {extent}",
                if size == 1 { "" } else { "s" }
            );
            return Err(self.failure(t, FailureKind::OutOfBounds, text));
        }
        Ok(Region::Shared { block, offset, size: extent, layout })
    }

    /// An offset just below 16 MiB is a negative one of the next block.
    fn before_start(&self, t: &VmThread, loc: Loc, verb: &str, world: &dyn World) -> Option<Failure> {
        let below = Loc::MAX_BLOCK - u64::from(loc.offset());
        let next = BlockId(loc.block().0 + 1);
        let exists = match next.owner() {
            BlockId::GLOBAL_OWNER => (next.number() as usize) < self.program.globals.len(),
            owner if next.number() >= PRIVATE => {
                owner == t.id() && self.object(t, next.number() - PRIVATE).is_some()
            }
            _ => world.block(next).is_some(),
        };
        (below <= 1 << 20 && exists).then(|| {
            let text = format!(
                "{verb} {below} byte{} before the start of `{}`",
                if below == 1 { "" } else { "s" },
                self.name(next.base(), world)
            );
            self.failure(t, FailureKind::OutOfBounds, text)
        })
    }

    /// A whole cell for an access of a scalar. `Ok(None)`: it takes several, or part of one.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn exact(
        &self,
        t: &VmThread,
        block: BlockId,
        offset: u32,
        extent: u32,
        layout: u32,
        size: u8,
        mode: Mode,
    ) -> Result<Option<Loc>, Step> {
        let cell = self.layout(layout).cell(offset, extent);
        if cell.offset == offset && cell.size == size {
            return Ok(Some(Loc(block.base().0 + u64::from(offset))));
        }
        let change =
            Relayout { layout, offset, size: u32::from(size), atomic: mode.is_atomic(), site: self.site(t) };
        if mode.is_atomic() {
            return Err(Step::Relayout(change));
        }
        self.fits(layout, offset, u32::from(size), extent).then_some(None).ok_or(Step::Relayout(change))
    }

    /// Whether plain access to these bytes cuts no plain cell.
    pub(super) fn fits(&self, layout: u32, offset: u32, size: u32, extent: u32) -> bool {
        if size == 0 {
            return true;
        }
        let layout = self.layout(layout);
        let first = layout.cell(offset, extent);
        let last = layout.cell(offset + size - 1, extent);
        (first.atomic || first.offset == offset)
            && (last.atomic || last.offset + u32::from(last.size) == offset + size)
    }

    fn misaligned(&self, t: &VmThread, addr: u64, size: u8) -> Option<Step> {
        let align = u64::from(size.min(8));
        (!addr.is_multiple_of(align) && addr >= 1 << 16).then(|| {
            let text = format!("uses {addr:#x} as the address of {size} bytes: it is not aligned (tag bits left in the pointer?)");
            Step::Failed(self.failure(t, FailureKind::InvalidPointer, text))
        })
    }

    fn ask(&self, t: &mut VmThread, op: Op) -> Step {
        t.words[STAGE] = Stage::Simple as u64;
        Step::Ask(op, self.site(t))
    }

    /// An atomic or scalar access: done at once in private memory, else asked.
    fn access(
        &self,
        t: &mut VmThread,
        addr: u64,
        size: u8,
        mode: Mode,
        write: bool,
        w: &dyn World,
    ) -> Result<Access, Step> {
        if let Some(step) = self.misaligned(t, addr, size) {
            return Err(step);
        }
        match self.region(t, addr, u32::from(size), write, w).map_err(Step::Failed)? {
            Region::Private(offset) => Ok(Access::Private(offset)),
            Region::Shared { block, offset, size: extent, layout } => {
                Ok(match self.exact(t, block, offset, extent, layout, size, mode)? {
                    Some(loc) => Access::Cell(loc),
                    None => Access::Pieces,
                })
            }
        }
    }

    /// A value from memory goes into `dst` (and the next register when wide).
    fn put(&self, t: &mut VmThread, dst: Reg, kind: IntKind, value: Value) {
        t.set(dst, kind.extend(value.lo));
        if kind == IntKind::Wide {
            t.set(dst + 1, value.hi);
        }
    }

    pub(super) fn take(&self, t: &VmThread, src: Reg, kind: IntKind) -> Value {
        let hi = if kind == IntKind::Wide { t.reg(src + 1) } else { 0 };
        Value { lo: t.reg(src), hi, undefined: false }.truncate(kind.size())
    }

    fn uninitialised(&self, t: &VmThread) -> Step {
        Step::Failed(self.failure(
            t,
            FailureKind::Uninitialised,
            "reads a local variable that was never written",
        ))
    }

    /// The answer to the question the instruction at `pc` asked.
    fn answered(&self, t: &mut VmThread, answer: Answer, world: &dyn World) -> Option<Step> {
        let instr = self.program.code[t.words[PC] as usize];
        if t.words[STAGE] != Stage::Simple as u64 {
            return self.transfer_answered(t, instr, answer.value, world);
        }
        t.words[STAGE] = 0;
        match instr {
            Instr::Load { kind, dst, .. }
            | Instr::Fetch { kind, dst, .. }
            | Instr::Await { kind, dst, .. }
            | Instr::AwaitAdd { kind, dst, .. } => self.put(t, dst, kind, answer.value),
            Instr::Cas { kind, dst, expected, .. } => {
                let wanted = self.take(t, expected, kind);
                let ok = !answer.spurious && answer.value.truncate(kind.size()) == wanted;
                t.set(dst, u64::from(ok));
                self.put(t, dst + 1, kind, answer.value);
            }
            Instr::Create { dst, .. } | Instr::Join { dst, .. } | Instr::Choose { dst, .. } => {
                t.set(dst, answer.value.lo);
            }
            _ => {}
        }
        t.next();
        None
    }

    fn enter(
        &self,
        t: &mut VmThread,
        function: u32,
        args: &[u64],
        dst: Reg,
        return_to: u64,
    ) -> Result<(), Step> {
        let f = &self.program.functions[function as usize];
        let fp = t.words.len() + t.words.len() % 2;
        let memory = (fp + FRAME + f.registers as usize).next_multiple_of(2);
        let top = memory + f.memory as usize / 4;
        if top > MAX_WORDS {
            let text = format!(
                "calls itself too deeply: `{}` would need more than {} KiB of stack",
                f.name,
                MAX_WORDS / 128
            );
            return Err(Step::Failed(self.failure(t, FailureKind::Unsupported, text)));
        }
        let caller = t.words[FP] | u64::from(dst) << 32;
        let first = if return_to == 0 {
            self.program.tls_objects.len() as u64
        } else {
            let mine = t.words[t.words[FP] as usize + 2];
            (mine >> 32) + self.program.functions[mine as u32 as usize].objects.len() as u64
        };
        if first + f.objects.len() as u64 >= u64::from(0x1_0000 - PRIVATE) {
            let text = format!("calls itself too deeply: `{}` would need too many local variables", f.name);
            return Err(Step::Failed(self.failure(t, FailureKind::Unsupported, text)));
        }
        t.words.resize(fp, 0);
        t.words.extend([return_to, caller, u64::from(function) | first << 32]);
        t.words.extend_from_slice(args);
        t.words.resize(top, 0);
        t.words[FP] = fp as u64;
        t.words[PC] = u64::from(f.entry);
        Ok(())
    }

    fn callee(&self, t: &VmThread, pointer: u64, count: u8) -> Result<u32, Step> {
        let loc = Loc(pointer);
        let fail = |kind, text: String| Err(Step::Failed(self.failure(t, kind, text)));
        if pointer == 0 {
            return fail(FailureKind::NullPointer, "calls through a null function pointer".into());
        }
        let index = loc.block().number();
        match self.program.functions.get(index as usize) {
            Some(f)
                if pointer < 1 << 47 && loc.block().owner() == BlockId::CODE_OWNER && loc.offset() == 0 =>
            {
                if f.params != u16::from(count) {
                    let text = format!("calls `{}` with {count} arguments; it takes {}", f.name, f.params);
                    return fail(FailureKind::InvalidPointer, text);
                }
                Ok(index)
            }
            _ => fail(FailureKind::InvalidPointer, format!("calls {pointer:#x}, which is no function")),
        }
    }

    /// Which layout the block allocated here shares with others: same calls, same size.
    fn chain(&self, t: &VmThread, size: u64) -> u32 {
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

    fn run(&self, t: &mut VmThread, world: &dyn World) -> Step {
        let mut budget = MAX_STEPS;
        loop {
            budget -= 1;
            if budget == 0 {
                let text = format!(
                    "runs {MAX_STEPS} instructions without touching shared memory: probably an endless loop"
                );
                return Step::Failed(self.failure(t, FailureKind::Unsupported, text));
            }
            let instr = self.program.code[t.words[PC] as usize];
            match self.execute(t, instr, world) {
                Ok(()) => {}
                Err(step) => return step,
            }
        }
    }

    fn execute(&self, t: &mut VmThread, instr: Instr, world: &dyn World) -> Result<(), Step> {
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
            Instr::Return { src } => {
                let value = t.reg(src);
                let fp = t.words[FP] as usize;
                let (return_to, caller) = (t.words[fp], t.words[fp + 1]);
                t.words.truncate(fp);
                t.words[FP] = caller & 0xffff_ffff;
                t.words[PC] = return_to;
                t.set((caller >> 32) as Reg, value);
                return Ok(());
            }
            Instr::ThreadExit { src } => return Err(Step::Finished(Value::word(t.reg(src)))),
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
            Instr::CopyMany { size, .. } => {
                let size = self.bulk(t, t.reg(size))?;
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
                };
                match self.sync_cell(t, t.reg(addr), kind, until, None, world)? {
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
                match self.sync_cell(t, t.reg(addr), kind, until, Some(rmw), world)? {
                    Sync::Done(value) => self.put(t, dst, kind, value),
                    Sync::Cell(loc) => {
                        let wait = Some(Wait { until, cause });
                        return Err(self.ask(t, Op::Rmw { loc, size: kind.size(), mode, rmw, wait }));
                    }
                }
            }
            Instr::AwaitCas { kind, mode, cause, addr, expected, desired } => {
                let (expected, desired) = (self.take(t, expected, kind), self.take(t, desired, kind));
                let rmw = Rmw::Cas { expected, desired, fail: Mode::Relaxed, weak: false };
                let until = Until::Equal(expected.lo);
                if let Sync::Cell(loc) = self.sync_cell(t, t.reg(addr), kind, until, Some(rmw), world)? {
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
                    AllocLayout::Untyped => self.chain(t, size),
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
                if thread >= ThreadId::MAX as u64 || thread == 0 || thread == u64::from(t.id()) {
                    let text = format!("joins {thread}, which is no thread it could wait for");
                    return Err(Step::Failed(self.failure(t, FailureKind::LockMisuse, text)));
                }
                return Err(self.ask(t, Op::Join { thread: ThreadId(thread as u8) }));
            }
            Instr::SelfId { dst } => t.set(dst, u64::from(t.id())),
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

    fn bulk(&self, t: &VmThread, size: u64) -> Result<u32, Step> {
        if size < Loc::MAX_BLOCK {
            return Ok(size as u32);
        }
        let text = format!("moves {size} bytes at once, more than any block has");
        Err(Step::Failed(self.failure(t, FailureKind::OutOfBounds, text)))
    }

    fn sync_cell(
        &self,
        t: &mut VmThread,
        addr: u64,
        kind: IntKind,
        until: Until,
        rmw: Option<Rmw>,
        world: &dyn World,
    ) -> Result<Sync, Step> {
        let size = kind.size();
        match self.region(t, addr, u32::from(size), rmw.is_some(), world).map_err(Step::Failed)? {
            Region::Private(offset) => {
                let Some(old) = t.private_read(offset, u32::from(size), false) else {
                    return Err(self.uninitialised(t));
                };
                if !until.holds(old, size) {
                    let text = "waits for a lock, semaphore or condition that no other thread can reach";
                    return Err(Step::Failed(self.failure(t, FailureKind::Deadlock, text)));
                }
                if let Some(new) = rmw.and_then(|rmw| rmw.apply(old, size)) {
                    self.private_store(t, offset, size, new);
                }
                Ok(Sync::Done(old))
            }
            Region::Shared { block, offset, size: extent, layout } => {
                let cell = self.exact(t, block, offset, extent, layout, size, Mode::AcqRel)?;
                Ok(Sync::Cell(cell.expect("atomic accesses are whole cells")))
            }
        }
    }

    pub(super) fn private_store(&self, t: &mut VmThread, offset: u32, size: u8, value: Value) {
        for (i, byte) in super::value_to_bytes(value).into_iter().take(size as usize).enumerate() {
            t.private_write(offset + i as u32, byte, true);
        }
    }

    /// Where private object `index` lies, and its size; `None` once its frame is gone.
    fn object(&self, t: &VmThread, index: u32) -> Option<(u32, u32)> {
        if let Some(&(offset, size)) = self.program.tls_objects.get(index as usize) {
            return Some((HEADER as u32 * 4 + offset, size));
        }
        let mut fp = t.words[FP] as usize;
        loop {
            let (function, first) = (t.words[fp + 2] as u32, (t.words[fp + 2] >> 32) as u32);
            let f = &self.program.functions[function as usize];
            if first <= index {
                let &(offset, size) = f.objects.get((index - first) as usize)?;
                let memory = (fp + FRAME + f.registers as usize).next_multiple_of(2) as u32 * 4;
                return Some((memory + offset, size));
            }
            if t.words[fp] == 0 {
                return None;
            }
            fp = (t.words[fp + 1] & 0xffff_ffff) as usize;
        }
    }

    fn private_address(&self, t: &VmThread, object: u32) -> u64 {
        BlockId::new(t.id(), PRIVATE + object).base().0
    }

    fn unary(&self, t: &VmThread, op: UnOp, kind: IntKind, a: u64) -> Result<u64, Step> {
        Ok(match op {
            UnOp::Not => kind.extend(!a),
            UnOp::IsZero => u64::from(a == 0),
            UnOp::Test => u64::from(a != 0),
            UnOp::Neg => return self.binary(t, BinOp::Sub, kind, 0, a),
        })
    }

    fn binary(&self, t: &VmThread, op: BinOp, kind: IntKind, a: u64, b: u64) -> Result<u64, Step> {
        let signed = kind.signed();
        let fail = |k, text: String| Err(Step::Failed(self.failure(t, k, text)));
        let wide = |f: fn(i128, i128) -> i128, sign: &str| -> Result<u64, Step> {
            if !signed {
                let exact = f(i128::from(a), i128::from(b));
                return Ok(kind.extend(exact as u64));
            }
            let exact = f(i128::from(a as i64), i128::from(b as i64));
            let cut = kind.extend(exact as u64);
            if i128::from(cut as i64) != exact && !self.program.wrapv {
                let text = format!(
                    "signed overflow: {} {sign} {} does not fit in {} bits",
                    a as i64,
                    b as i64,
                    8 * kind.size()
                );
                return fail(FailureKind::Overflow, text);
            }
            Ok(cut)
        };
        match op {
            BinOp::Add => wide(|x, y| x + y, "+"),
            BinOp::Sub => wide(|x, y| x - y, "-"),
            BinOp::Mul => wide(|x, y| x.wrapping_mul(y), "*"),
            BinOp::Div | BinOp::Rem if b == 0 => fail(FailureKind::DivisionByZero, "divides by zero".into()),
            BinOp::Div if signed => wide(|x, y| x / y, "/"),
            BinOp::Rem if signed => {
                if a as i64 == i64::MIN && b as i64 == -1
                    || kind == IntKind::I32 && a as i64 == i64::from(i32::MIN) && b as i64 == -1
                {
                    return wide(|x, y| x / y, "%").map(|_| 0);
                }
                Ok(((a as i64) % (b as i64)) as u64)
            }
            BinOp::Div => Ok(a / b),
            BinOp::Rem => Ok(a % b),
            BinOp::And => Ok(a & b),
            BinOp::Or => Ok(a | b),
            BinOp::Xor => Ok(a ^ b),
            BinOp::Shl | BinOp::Shr if b >= 8 * u64::from(kind.size()) => {
                fail(FailureKind::Shift, format!("shifts a {}-bit value by {}", 8 * kind.size(), b as i64))
            }
            BinOp::Shl => Ok(kind.extend(a << b)),
            BinOp::Shr if signed => Ok(((a as i64) >> b) as u64),
            BinOp::Shr => Ok(a >> b),
            BinOp::Eq => Ok(u64::from(a == b)),
            BinOp::Ne => Ok(u64::from(a != b)),
            BinOp::Lt if signed => Ok(u64::from((a as i64) < (b as i64))),
            BinOp::Le if signed => Ok(u64::from((a as i64) <= (b as i64))),
            BinOp::Lt => Ok(u64::from(a < b)),
            BinOp::Le => Ok(u64::from(a <= b)),
        }
    }
}

/// A lock, semaphore or condition: shared, or private and dealt with already.
enum Sync {
    Cell(Loc),
    Done(Value),
}

enum Access {
    Private(u32),
    Cell(Loc),
    Pieces,
}

impl Runnable for Machine {
    type Thread = VmThread;

    fn start(&self, id: ThreadId, entry: Entry) -> VmThread {
        let mut words = vec![0u64; HEADER];
        words[ID] = u64::from(id.0);
        for chunk in self.program.tls.chunks(8) {
            let mut raw = [0u8; 8];
            raw[..chunk.len()].copy_from_slice(chunk);
            words.extend([u64::from_le_bytes(raw), 0xff]);
        }
        let mut t = VmThread { words };
        let code = BlockId::new(BlockId::CODE_OWNER, entry.function).base().0;
        let start = self.program.start;
        self.enter(&mut t, start, &[code, entry.argument], 0, 0).expect("the first frame fits");
        t
    }

    fn main(&self) -> Entry {
        Entry { function: self.program.main, argument: 0 }
    }

    fn resume(&self, t: &mut VmThread, answer: Answer, world: &dyn World) -> Step {
        if t.words[STAGE] != 0
            && let Some(step) = self.answered(t, answer, world)
        {
            return step;
        }
        self.run(t, world)
    }

    fn fork(&self, thread: &VmThread) -> Option<VmThread> {
        Some(thread.clone())
    }

    fn snapshot<'t>(&self, thread: &'t VmThread) -> Option<Cow<'t, [u64]>> {
        Some(Cow::Borrowed(&thread.words))
    }

    fn initial(&self, loc: Loc, size: u8) -> Value {
        self.initial_bytes(loc, size)
    }

    fn adapt(&mut self, change: Relayout) -> Result<(), Failure> {
        let block = match self.program.globals.get(change.layout as usize) {
            Some(g) => g.bytes.len() as u32,
            None => Loc::MAX_BLOCK as u32,
        };
        let before = self.layout(change.layout).clone();
        let fail =
            |message: String| Err(Failure { kind: FailureKind::Unsupported, message, site: change.site });
        let learned = self.layout_mut(change.layout).learn(change.offset, change.size, change.atomic, block);
        match learned {
            Ok(()) if *self.layout(change.layout) != before => Ok(()),
            Ok(()) => fail(format!("an access of {} bytes does not fit the memory it touches", change.size)),
            Err(other) => fail(format!(
                "mixed-size atomic access: {} bytes at offset {}, where {} bytes at offset {} are accessed atomically elsewhere",
                change.size, change.offset, other.size, other.offset
            )),
        }
    }

    fn place(&self, site: Site) -> Option<Place> {
        let index = *self.program.sites.get(site.0 as usize)?;
        self.program.places.get(index as usize)?.clone()
    }

    fn name(&self, loc: Loc, world: &dyn World) -> String {
        let (block, offset) = (loc.block(), loc.offset());
        let name = |base: &str| if base.is_empty() { "block".to_string() } else { base.to_string() };
        match block.owner() {
            _ if loc.0 == 0 => "NULL".into(),
            _ if loc.0 >= 1 << 47 || loc.0 < 1 << 16 => format!("{:#x}", loc.0),
            BlockId::GLOBAL_OWNER => match self.program.globals.get(block.number() as usize) {
                Some(g) => format!("{}{}", g.name, g.shape.path(offset)),
                None => format!("{:#x}", loc.0),
            },
            BlockId::CODE_OWNER => match self.program.functions.get(block.number() as usize) {
                Some(f) => f.name.clone(),
                None => format!("{:#x}", loc.0),
            },
            _ if block.number() >= PRIVATE => "a local variable".into(),
            owner => match world.block(block) {
                Some(info) => {
                    let (label, shape) = match self.program.shapes.get(&info.layout) {
                        Some((label, shape)) => (name(label), Some(shape)),
                        None => ("block".into(), None),
                    };
                    let path = shape
                        .map_or(if offset == 0 { String::new() } else { format!("+{offset}") }, |s| {
                            s.path(offset)
                        });
                    match owner {
                        0 => format!("{label}#{}{path}", block.number()),
                        _ => format!("{label}#{owner}.{}{path}", block.number()),
                    }
                }
                None => format!("{:#x}", loc.0),
            },
        }
    }

    fn entry_name(&self, entry: Entry) -> String {
        self.program.functions.get(entry.function as usize).map_or_else(|| "?".into(), |f| f.name.clone())
    }
}

impl From<Flow> for Option<Step> {
    fn from(flow: Flow) -> Self {
        match flow {
            Flow::On => None,
            Flow::Stop(step) => Some(step),
        }
    }
}
