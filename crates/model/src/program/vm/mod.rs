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
//!
//! `execute` has the instructions, `memory` the addresses, `transfer` what takes several cells.

mod arithmetic;
mod execute;
mod memory;
mod transfer;

use super::{Instr, Machine, Reg, Sought, bytes_to_value};
use crate::diagnostic::Place;
use crate::run::*;
use std::borrow::Cow;
use std::collections::BTreeSet;
use transfer::{Flow, Stage};

/// One thread, as plain words.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct VmThread {
    words: Vec<u64>,
}

const PC: usize = 0;
const FP: usize = 1;
const ID: usize = 2;
const ALLOCS: usize = 3;
const STAGE: usize = 4;
const CURSOR: usize = 5;
const BUFFER: usize = 6;
/// Whether the function that returned last did so without a value.
const NOTHING: usize = 7;
const HEADER: usize = 8;
const FRAME: usize = 3;

/// Block numbers from here on name a thread's own private objects, in the order of its stack.
const PRIVATE: u32 = 0xc000;
/// Words one thread may hold: ends endless recursion.
const MAX_WORDS: usize = 1 << 17;
/// Instructions between two visible operations: ends endless local loops.
const MAX_STEPS: u32 = 20_000_000;

/// In how many registers two states may differ to be compared by what is read later.
const UNREAD: usize = 16;

impl VmThread {
    fn reg(&self, r: Reg) -> u64 {
        self.words[self.words[FP] as usize + FRAME + r as usize]
    }

    fn set(&mut self, r: Reg, value: u64) {
        let at = self.words[FP] as usize + FRAME + r as usize;
        self.words[at] = value;
    }

    fn next(&mut self) {
        self.words[PC] += 1;
    }

    /// How many blocks it has allocated, or was told to leave out.
    pub fn spent(&self) -> u32 {
        self.words[ALLOCS] as u32
    }

    fn id(&self) -> u32 {
        self.words[ID] as u32
    }

    /// Reads private memory; `None` where a byte was never written (unless lenient).
    fn private_read(&self, offset: u32, size: u32, lenient: bool) -> Option<Value> {
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

    fn private_byte(&self, offset: u32) -> (u8, bool) {
        let word = 2 * (offset as usize / 8);
        let shift = 8 * (offset % 8);
        ((self.words[word] >> shift) as u8, self.words[word + 1] >> (offset % 8) & 1 == 1)
    }

    fn private_write(&mut self, offset: u32, byte: u8, defined: bool) {
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

impl Machine {
    /// A thread whose blocks are numbered after the first `spent`.
    pub fn start_after(&self, id: ThreadId, entry: Entry, spent: u32) -> VmThread {
        let mut thread = self.start(id, entry);
        thread.words[ALLOCS] = u64::from(spent);
        thread
    }

    /// The source position of `pc`, or of the call that led out of the user's own code.
    fn site(&self, t: &VmThread) -> Site {
        let mut fp = t.words[FP] as usize;
        let mut pc = t.words[PC] as u32;
        while self.program.functions[t.words[fp + 2] as u32 as usize].runtime && t.words[fp] != 0 {
            pc = (t.words[fp] as u32).saturating_sub(1);
            fp = (t.words[fp + 1] & 0xffff_ffff) as usize;
        }
        Site(pc)
    }

    fn failure(&self, t: &VmThread, kind: FailureKind, message: impl Into<String>) -> Failure {
        Failure { kind, message: message.into(), site: self.site(t) }
    }

    /// The shape of the block at a location, and the size of the cell there.
    fn part(&self, loc: Loc, world: &dyn World) -> Option<(&super::Shape, u8)> {
        let block = loc.block();
        let (shape, layout, extent) = if block.owner() == BlockId::GLOBAL_OWNER {
            let global = self.program.globals.get(block.number() as usize)?;
            (&global.shape, block.number(), global.bytes.len() as u32)
        } else {
            let info = world.block(block)?;
            (&self.program.shapes.get(&info.layout)?.1, info.layout, info.size)
        };
        let size =
            if loc.offset() < extent { self.layout(layout).cell(loc.offset(), extent).size } else { 0 };
        Some((shape, size))
    }

    /// Why the check ends here, and the calls that led there.
    fn refusal(&self, t: &VmThread, why: &str) -> String {
        let mut calls = Vec::new();
        let mut fp = t.words[FP] as usize;
        loop {
            let f = &self.program.functions[t.words[fp + 2] as u32 as usize];
            if !f.runtime && !f.name.starts_with('<') && !f.name.starts_with("__lineal") {
                calls.push(f.name.as_str());
            }
            if t.words[fp] == 0 {
                break;
            }
            fp = (t.words[fp + 1] & 0xffff_ffff) as usize;
        }
        calls.dedup();
        calls.reverse();
        if calls.len() < 2 {
            return why.into();
        }
        format!("{why}; the program gets there: {}", calls.join(" → "))
    }

    fn ask(&self, t: &mut VmThread, op: Op) -> Step {
        t.words[STAGE] = Stage::Simple as u64;
        Step::Ask(op, self.site(t))
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
            | Instr::AwaitAdd { kind, dst, .. }
            | Instr::AwaitFetch { kind, dst, .. } => self.put(t, dst, kind, answer.value),
            Instr::Cas { kind, dst, expected, .. } => {
                let wanted = self.take(t, expected, kind);
                let ok = !answer.spurious && answer.value.truncate(kind.size()) == wanted;
                t.set(dst, u64::from(ok));
                self.put(t, dst + 1, kind, answer.value);
            }
            Instr::Create { dst, .. } | Instr::Join { dst, .. } | Instr::Choose { dst, .. } => {
                t.set(dst, answer.value.lo);
            }
            // One of the locals that go with the thread has ended; there may be more.
            Instr::ThreadExit { .. } => return None,
            _ => {}
        }
        t.next();
        None
    }

    /// A shared local that lives in some frame of the thread, taken out of there.
    fn take_block(&self, t: &mut VmThread) -> Option<Loc> {
        let mut fp = t.words[FP] as usize;
        loop {
            let function = &self.program.functions[t.words[fp + 2] as u32 as usize];
            let held = function.blocks.iter().map(|&r| fp + FRAME + r as usize).find(|&at| t.words[at] != 0);
            if let Some(at) = held {
                return Some(Loc(std::mem::take(&mut t.words[at])));
            }
            if t.words[fp] == 0 {
                return None;
            }
            fp = (t.words[fp + 1] & 0xffff_ffff) as usize;
        }
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
        // A function without a prototype ignores what it does not expect.
        t.words.extend_from_slice(&args[..args.len().min(usize::from(f.params))]);
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
                if f.params != u16::from(count) && !(f.unprototyped && f.params < u16::from(count)) {
                    let text = format!("calls `{}` with {count} arguments; it takes {}", f.name, f.params);
                    return fail(FailureKind::InvalidPointer, text);
                }
                Ok(index)
            }
            _ => fail(FailureKind::InvalidPointer, format!("calls {pointer:#x}, which is no function")),
        }
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

    fn fork_into(&self, thread: &VmThread, into: &mut VmThread) -> bool {
        into.words.clone_from(&thread.words);
        true
    }

    fn snapshot<'t>(&self, thread: &'t VmThread) -> Option<Cow<'t, [u64]>> {
        let here = thread.words[PC];
        match self.program.entrance(here as u32).map(u64::from) {
            Some(first) if first != here => {
                let mut words = thread.words.clone();
                words[PC] = first;
                Some(Cow::Owned(words))
            }
            _ => Some(Cow::Borrowed(&thread.words)),
        }
    }

    fn literally<'t>(&self, thread: &'t VmThread) -> Option<Cow<'t, [u64]>> {
        Some(Cow::Borrowed(&thread.words))
    }

    fn alike(&self, a: &VmThread, b: &VmThread) -> bool {
        if a.words.len() != b.words.len() {
            return false;
        }
        let fp = a.words[FP] as usize;
        let registers = fp + FRAME;
        let function = &self.program.functions[a.words[fp + 2] as u32 as usize];
        let end = registers + function.registers as usize;
        let differ = (0..a.words.len()).filter(|&i| a.words[i] != b.words[i]);
        let mut unread = BTreeSet::new();
        for i in differ {
            if !(registers..end).contains(&i) || unread.len() == UNREAD {
                return false;
            }
            unread.insert((i - registers) as Reg);
        }
        self.overwrites(a.words[PC] as u32, unread)
    }

    fn counts(&self, head: u32) -> bool {
        self.program.loops[head as usize].counts
    }

    fn is_entrance(&self, head: u32) -> bool {
        Machine::is_entrance(self, head)
    }

    fn is_anonymous(&self, entry: Entry) -> bool {
        self.is_impersonal(entry.function)
    }

    fn signs(&self, site: Site) -> bool {
        Machine::signs(self, site)
    }

    fn forgets(&self, thread: &VmThread) -> bool {
        Machine::forgets(self, thread.words[PC] as u32)
    }

    fn initial(&self, loc: Loc, size: u8) -> Value {
        self.initial_bytes(loc, size)
    }

    fn adapt(&mut self, change: Relayout) -> Result<(), Failure> {
        let before = self.layout(change.layout).clone();
        let fail =
            |message: String| Err(Failure { kind: FailureKind::Unsupported, message, site: change.site });
        let learned =
            self.layout_mut(change.layout).learn(change.offset, change.size, change.atomic, change.extent);
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
        if loc.block().is_kernel() {
            return format!("waiters of {}", self.name(loc.about(), world));
        }
        if loc.0 >= 1 << 47 || loc.0 < 1 << 16 {
            return self.block_name(loc.block(), world);
        }
        let path = match (self.part(loc, world), loc.offset()) {
            (Some((shape, size)), offset) => shape.path(offset, Sought::of_size(size)),
            (None, 0) => String::new(),
            (None, offset) => format!("+{offset}"),
        };
        format!("{}{path}", self.block_name(loc.block(), world))
    }

    fn name_at(&self, loc: Loc, size: Option<u8>, site: Site, world: &dyn World) -> String {
        let kind = match self.program.code.get(site.0 as usize) {
            Some(Instr::Load { kind, .. } | Instr::Store { kind, .. }) if loc.0 >= 1 << 16 => *kind,
            _ => return self.name(loc, world),
        };
        if size.is_some_and(|size| size != kind.size()) {
            return self.name(loc, world);
        }
        // An access of several cells is about the member that has them all.
        let offset = loc.offset() - loc.offset() % u32::from(kind.size());
        let sought = Sought { size: kind.size(), signed: Some(kind.signed()) };
        let whole = |shape: &super::Shape| {
            let found = shape.scalar(offset, sought);
            matches!(found, Some(super::Shape::Scalar { size, .. }) if *size == kind.size())
        };
        match self.part(loc, world).filter(|(shape, _)| !loc.block().is_kernel() && whole(shape)) {
            Some((shape, _)) => {
                format!("{}{}", self.block_name(loc.block(), world), shape.path(offset, sought))
            }
            None => self.name(loc, world),
        }
    }

    fn is_unsigned(&self, loc: Loc, world: &dyn World) -> bool {
        let part = self.part(loc, world);
        let scalar = part.and_then(|(shape, size)| shape.scalar(loc.offset(), Sought::of_size(size)));
        matches!(scalar, Some(super::Shape::Scalar { signed: false, pointer: false, .. }))
    }

    fn block_name(&self, block: BlockId, world: &dyn World) -> String {
        let number = block.number();
        match block.owner() {
            0 if number == 0 => "NULL".into(),
            BlockId::GLOBAL_OWNER => {
                self.program.globals.get(number as usize).map_or_else(|| "?".into(), |g| g.name.clone())
            }
            BlockId::CODE_OWNER => {
                self.program.functions.get(number as usize).map_or_else(|| "?".into(), |f| f.name.clone())
            }
            owner if owner >= ThreadId::MAX as u32 => format!("{:#x}", block.base().0),
            _ if number >= PRIVATE => "a local variable".into(),
            owner => {
                let label = match world.block(block).and_then(|info| self.program.shapes.get(&info.layout)) {
                    Some((label, _)) if !label.is_empty() => label,
                    _ => "block",
                };
                if owner == 0 { format!("{label}#{number}") } else { format!("{label}#{owner}.{number}") }
            }
        }
    }

    fn entry_name(&self, entry: Entry) -> String {
        // `<main>`, which calls `main`, is `main` to a reader.
        let function = self.program.functions.get(entry.function as usize);
        function.map_or("?", |f| f.name.trim_matches(['<', '>'])).to_string()
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
