//! Threads of instructions over locations: the form C is lowered to, and its meaning.
//!
//! A [`Program`] is code plus tables; a [`Machine`] is a program with the cell layouts learned
//! so far, and it is what engines run: [`vm`] implements [`crate::run::Runnable`] for it.
//!
//! - [`client`]: the operations of an object, and programs that call them.
//! - [`float`]: arithmetic that is not on integers.
//! - [`instr`]: the instructions.
//! - [`insert`]: programs with further instructions.
//! - [`layout`]: how a block's bytes divide into cells, the units of access.
//! - [`modes`]: access modes, and programs with other ones.
//! - [`rotated`]: loops whose iterations begin before the loop.
//! - [`shape`]: the names of the parts of a block, for people.
//! - [`store`]: memory that everybody sees at once, as a state to be compared.
//! - [`vm`]: one thread's state as plain words, and how it runs.

pub mod client;
pub mod float;
pub mod flow;
mod impersonal;
mod insert;
pub mod instr;
pub mod layout;
pub mod modes;
pub mod rotated;
pub mod shape;
pub mod store;
pub mod vm;

use crate::assumption::Assumption;
use crate::diagnostic::Place;
use crate::run::{BlockId, Loc, Value};
pub use instr::{BinOp, Instr, IntKind, Reg, UnOp};
pub use layout::{Cell, Layout};
pub use shape::{Shape, Sought};
use std::collections::HashMap;
use std::ops::Range;
use std::sync::OnceLock;
pub use store::Store;

/// A closed program: everything `main` can reach.
#[derive(Clone, Debug, Default)]
pub struct Program {
    pub code: Vec<Instr>,
    /// Per instruction, an index into `places` (0: none).
    pub sites: Vec<u32>,
    pub places: Vec<Option<Place>>,
    pub functions: Vec<Function>,
    pub globals: Vec<Global>,
    /// Layouts known from types; `Op::Alloc` names them by index. Globals come first, so that
    /// global `i` has layout `i`.
    pub layouts: Vec<Layout>,
    /// What typed blocks are called, and their shapes, by layout.
    pub shapes: HashMap<u32, (String, Shape)>,
    pub strings: Vec<String>,
    /// Per loop head: the registers to clear there.
    pub loops: Vec<LoopInfo>,
    /// Index of `main` in `functions`.
    pub main: u32,
    /// The stub that every thread starts in.
    pub start: u32,
    /// Initial bytes of each thread's private thread-local storage, and the objects in it.
    pub tls: Vec<u8>,
    pub tls_objects: Vec<(u32, u32)>,
    /// What the library functions it uses take for granted.
    pub assumptions: Vec<Assumption>,
    /// Accesses whose order stands elsewhere: it is handed to them when the program runs.
    pub given_orders: Vec<u32>,
    /// Where the results of calls are blocks of a known layout, by the instruction behind the call.
    pub results: HashMap<u32, u32>,
    /// Where volatile objects are accessed as plain ones.
    pub volatiles: Vec<u32>,
    /// Signed arithmetic wraps instead of failing.
    pub wrapv: bool,
    /// It is a specification: partial locks may be taken.
    pub specifies: bool,
    /// A number that tells this input from others, for replay tokens.
    pub identity: u64,
}

#[derive(Clone, Debug, Default)]
pub struct LoopInfo {
    pub dead: Vec<Reg>,
    /// It needs no watching: see [`crate::run::Runnable::counts`].
    pub counts: bool,
    /// This is the head of no loop, but stands where iterations of one begin: see [`rotated`].
    pub entrance: Option<rotated::Entrance>,
    pub place: u32,
}

#[derive(Clone, Debug)]
pub struct Function {
    pub name: String,
    pub entry: u32,
    pub end: u32,
    pub params: u16,
    /// Its definition does not say what it takes (`f() { … }`): more arguments are ignored.
    pub unprototyped: bool,
    pub registers: u16,
    /// Bytes of private memory in the frame, a multiple of 8, and the objects in it: offset and
    /// size of each.
    pub memory: u32,
    pub objects: Vec<(u32, u32)>,
    /// Registers that hold the address of a shared local while it lives, or 0.
    pub blocks: Vec<Reg>,
    /// Part of the run-time library: traces show the caller's line instead.
    pub runtime: bool,
}

#[derive(Clone, Debug)]
pub struct Global {
    pub name: String,
    pub bytes: Vec<u8>,
    pub shape: Shape,
    pub place: u32,
    pub constant: bool,
    /// Declared, and defined in no file given.
    pub missing: bool,
}

impl Global {
    pub fn block(index: u32) -> BlockId {
        BlockId::new(BlockId::GLOBAL_OWNER, index)
    }
}

/// A program, ready to be run by any engine.
#[derive(Clone, Debug)]
pub struct Machine {
    pub program: Program,
    /// Layouts by id: those of the program, refined, and those of untyped blocks.
    layouts: HashMap<u32, Layout>,
    /// Where functions are that leave the number of their thread in locks.
    signing: OnceLock<Vec<Range<u32>>>,
}

impl Machine {
    pub fn new(program: Program) -> Self {
        let layouts = program.layouts.iter().cloned().enumerate().map(|(i, l)| (i as u32, l)).collect();
        Machine { program, layouts, signing: OnceLock::new() }
    }

    pub fn identity(&self) -> u64 {
        self.program.identity
    }

    /// The scalar named by `path` (`x`, `r[1]`, `q.size`): where it is, its size, whether signed.
    pub fn global(&self, path: &str) -> Option<(Loc, u8, bool)> {
        let end = path.find(['.', '[']).unwrap_or(path.len());
        let index = self.program.globals.iter().position(|g| g.name == path[..end])?;
        let (offset, size, signed) = self.program.globals[index].shape.find(&path[end..])?;
        Some((Loc(Global::block(index as u32).base().0 + u64::from(offset)), size, signed))
    }

    /// The heads of the loops that begin on this line of a file, by its name or the end of its path.
    pub fn loops_at(&self, file: &str, line: u32) -> Vec<u32> {
        let place = |info: &LoopInfo| self.program.places.get(info.place as usize)?.clone();
        let named = |path: &str| path == file || path.ends_with(&format!("/{file}"));
        let here = |info: &LoopInfo| place(info).is_some_and(|p| p.line == line && named(&p.file));
        let loops = self.program.loops.iter().enumerate();
        loops.filter(|(_, info)| info.entrance.is_none() && here(info)).map(|(head, _)| head as u32).collect()
    }

    pub(crate) fn layout(&self, id: u32) -> &Layout {
        self.layouts.get(&id).unwrap_or(Layout::UNTYPED)
    }

    pub(crate) fn layout_mut(&mut self, id: u32) -> &mut Layout {
        self.layouts.entry(id).or_default()
    }

    /// The initial bytes of a global cell.
    pub(crate) fn initial_bytes(&self, loc: Loc, size: u8) -> Value {
        if loc.block().is_kernel() {
            return Value::ZERO;
        }
        let Some(global) = self.program.globals.get(loc.block().number() as usize) else {
            return Value::UNDEFINED;
        };
        let mut raw = [0u8; 16];
        let at = loc.offset() as usize;
        for (i, byte) in raw.iter_mut().take(size as usize).enumerate() {
            *byte = global.bytes.get(at + i).copied().unwrap_or(0);
        }
        bytes_to_value(&raw)
    }
}

pub(crate) fn bytes_to_value(raw: &[u8; 16]) -> Value {
    let word = |r: &[u8]| u64::from_le_bytes(r.try_into().expect("eight bytes"));
    Value { lo: word(&raw[..8]), hi: word(&raw[8..]), undefined: false }
}

pub(crate) fn value_to_bytes(value: Value) -> [u8; 16] {
    let mut raw = [0u8; 16];
    raw[..8].copy_from_slice(&value.lo.to_le_bytes());
    raw[8..].copy_from_slice(&value.hi.to_le_bytes());
    raw
}
