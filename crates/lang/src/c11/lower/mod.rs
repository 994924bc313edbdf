//! [`ast`](super::ast) → [`Program`]: types, names and code in one walk.
//!
//! The walk is done twice. The first time finds, for each local variable, whether its address is
//! taken and whether it can reach another thread ([`facts`]); the second uses that: a local
//! lives in a register, in memory private to its thread, or in a shared block of its own.

mod atomic;
mod builtin;
mod declare;
mod expr;
mod facts;
mod init;
mod konst;
mod liveness;
mod place;
mod stmt;

use super::ast::*;
use super::lex::Files;
use super::types::*;
use super::{Options, SourceUnit};
use facts::{Facts, Origin, VarId};
use lineal_model::program::{Function, Global, Instr, IntKind, LoopInfo, Program, Reg};
use lineal_model::run::{BlockId, FailureKind};
use lineal_model::{Diagnostic, Place as SourcePlace};
use std::collections::HashMap;
use std::rc::Rc;

pub(super) struct Reported;
pub(super) type Lowered<T> = Result<T, Reported>;

const MAX_ERRORS: usize = 20;

/// Lowers all units to one closed program.
pub fn lower(
    units: &[SourceUnit],
    files: &Files,
    options: &Options,
) -> Result<(Program, Vec<Diagnostic>), Vec<Diagnostic>> {
    let mut first = Lower::new(files, options, None);
    first.program(units);
    if first.diagnostics.iter().any(|d| d.severity == lineal_model::Severity::Error) {
        return Err(first.diagnostics);
    }
    let mut facts = first.facts;
    facts.close();
    let mut second = Lower::new(files, options, Some(facts));
    second.program(units);
    if second.diagnostics.iter().any(|d| d.severity == lineal_model::Severity::Error) {
        return Err(second.diagnostics);
    }
    Ok((second.out, second.diagnostics))
}

#[derive(Clone, Debug)]
enum Symbol {
    Local(usize),
    Global(u32),
    ThreadLocal(usize),
    Function(u32),
    Constant(u64, IntTy),
    Typedef(QTy),
}

#[derive(Clone, Debug)]
enum Tag {
    Record(usize),
    Enum(IntTy),
}

#[derive(Default)]
struct Scope {
    names: HashMap<Name, Symbol>,
    tags: HashMap<Name, Tag>,
}

#[derive(Clone, Debug)]
struct GlobalInfo {
    ty: QTy,
    /// Has an initialiser.
    defined: bool,
    /// Is declared somewhere without `extern`, or defined.
    exists: bool,
    used: Option<Pos>,
}

#[derive(Clone, Debug)]
struct FunctionInfo {
    ty: Rc<FnTy>,
    defined: bool,
    runtime: bool,
    called_at: Option<Pos>,
    noreturn: bool,
    refused: Option<&'static str>,
}

#[derive(Clone, Debug)]
struct ThreadLocalInfo {
    name: Name,
    ty: QTy,
    /// Where it lives: an object of the thread's private memory. Shared ones keep the address
    /// of their block there.
    object: u16,
    shared: bool,
    bytes: Vec<u8>,
    var: VarId,
}

#[derive(Clone, Debug)]
enum Home {
    Register {
        reg: Reg,
        flag: Option<Reg>,
    },
    Private(u16),
    /// A shared block; the register holds its address.
    Block(Reg),
}

#[derive(Clone, Debug)]
struct Local {
    name: Name,
    ty: QTy,
    home: Home,
    var: VarId,
    param: bool,
}

/// A value in a register; of record type: the address of one.
#[derive(Clone, Debug)]
pub(super) struct Val {
    reg: Reg,
    ty: Ty,
    origin: Option<Origin>,
}

/// What is being built for the present function.
#[derive(Default)]
struct Frame {
    index: u32,
    ret: Option<QTy>,
    /// Register with the address of the caller's room for a record result.
    result: Option<Reg>,
    locals: Vec<Local>,
    next_var: u32,
    next: Reg,
    max: Reg,
    objects: Vec<(u32, u32)>,
    memory: u32,
    breaks: Vec<Vec<usize>>,
    continues: Vec<Vec<usize>>,
    switches: Vec<Switch>,
    labels: HashMap<Name, Label>,
    /// Loop heads: instruction, index.
    heads: Vec<(usize, u32)>,
    entry: usize,
    /// Registers holding shared blocks to end at return.
    blocks: Vec<Reg>,
}

#[derive(Default)]
struct Label {
    at: Option<usize>,
    head: Option<usize>,
    jumps: Vec<usize>,
    pos: Pos,
}

struct Switch {
    ty: IntTy,
    cases: Vec<(u64, u64, usize)>,
    default: Option<usize>,
}

pub(super) struct Lower<'a> {
    files: &'a Files,
    options: &'a Options,
    diagnostics: Vec<Diagnostic>,
    errors: usize,
    out: Program,
    records: Records,
    scopes: Vec<Scope>,
    globals: Vec<GlobalInfo>,
    functions: Vec<FunctionInfo>,
    thread_locals: Vec<ThreadLocalInfo>,
    linked: HashMap<Name, Symbol>,
    strings: HashMap<Rc<[u8]>, u32>,
    messages: HashMap<String, u32>,
    places: HashMap<SourcePlace, u32>,
    typed_layouts: HashMap<String, u32>,
    frame: Frame,
    facts: Facts,
    known: Option<Facts>,
    pos: Pos,
    main_at: Pos,
    runtime: bool,
    /// More than 0: only types are wanted.
    dry: u32,
}

impl<'a> Lower<'a> {
    fn new(files: &'a Files, options: &'a Options, known: Option<Facts>) -> Self {
        Lower {
            files,
            options,
            diagnostics: Vec::new(),
            errors: 0,
            out: Program { wrapv: options.wrapv, places: vec![None], ..Program::default() },
            records: Records::default(),
            scopes: vec![Scope::default()],
            globals: Vec::new(),
            functions: Vec::new(),
            thread_locals: Vec::new(),
            linked: HashMap::new(),
            strings: HashMap::new(),
            messages: HashMap::new(),
            places: HashMap::new(),
            typed_layouts: HashMap::new(),
            frame: Frame::default(),
            facts: Facts::default(),
            known,
            pos: Pos::default(),
            main_at: Pos::default(),
            runtime: false,
            dry: 0,
        }
    }

    fn program(&mut self, units: &[SourceUnit]) {
        // Code address 0 must not be a null pointer, and pc 0 marks the first frame.
        self.emit(Instr::Exit);
        self.reserve_functions();
        self.announce_runtime(units);
        for unit in units {
            self.runtime = unit.runtime;
            self.scopes = vec![Scope::default()];
            for external in &unit.externals {
                if self.errors >= MAX_ERRORS {
                    return;
                }
                // The error is in the list already.
                let _ = self.external(external);
            }
        }
        self.finish();
    }

    /// The run-time library's functions are known by name from the start: `__builtin_popcount`
    /// needs no declaration.
    fn announce_runtime(&mut self, units: &[SourceUnit]) {
        for unit in units.iter().filter(|u| u.runtime) {
            self.runtime = true;
            self.scopes = vec![Scope::default()];
            for external in &unit.externals {
                let _ = match external {
                    External::Function { specs, declarator, .. } => self.announce(specs, declarator),
                    External::Declaration(d) if d.specs.storage == Storage::Typedef => self.declaration(d),
                    _ => Ok(()),
                };
            }
        }
    }

    /// Function 0 is never called, so that no function pointer looks like another's offset.
    fn reserve_functions(&mut self) {
        let ty =
            Rc::new(FnTy { ret: Ty::Void.plain(), params: Vec::new(), variadic: false, unspecified: false });
        for name in ["<none>", "<start>", "<main>"] {
            self.new_function(name, ty.clone());
            self.functions.last_mut().expect("just added").defined = true;
        }
    }

    fn new_function(&mut self, name: &str, ty: Rc<FnTy>) -> u32 {
        let index = self.functions.len() as u32;
        self.functions.push(FunctionInfo {
            ty,
            defined: false,
            runtime: self.runtime,
            called_at: None,
            noreturn: false,
            refused: None,
        });
        self.out.functions.push(Function {
            name: name.into(),
            entry: 0,
            end: 0,
            params: 0,
            registers: 0,
            memory: 0,
            objects: Vec::new(),
            runtime: self.runtime,
        });
        index
    }

    /// `main` exists, everything called is defined; then the stubs that threads start in.
    fn finish(&mut self) {
        for (info, f) in self.functions.clone().iter().zip(self.out.functions.clone()) {
            if let (false, Some(pos)) = (info.defined, info.called_at) {
                self.pos = pos;
                self.errors += 1;
                let mut d = Diagnostic::error(
                    "L0102",
                    format!("the function `{}` is used, but not defined in the files given", f.name),
                )
                .at(self.files.place(pos));
                d.help = Some("give its source file too, or define it; Lineal models the C11 and POSIX threads library, not the rest of libc".into());
                self.diagnostics.push(d);
            }
        }
        for (i, info) in self.globals.clone().iter().enumerate() {
            if let (false, Some(pos)) = (info.exists, info.used) {
                let name = self.out.globals[i].name.clone();
                let _ = self.error_at(
                    pos,
                    "L0102",
                    format!("`{name}` is used, but not defined in the files given"),
                );
            }
            // A tentative definition of an array without a size has one element.
            if self.out.globals[i].bytes.is_empty()
                && let Ty::Array(element, None) = &info.ty.ty
            {
                let ty = QTy { ty: Ty::Array(element.clone(), Some(1)), quals: info.ty.quals };
                self.set_global(i as u32, ty, None);
            }
        }
        let main = match self.linked.get("main").cloned() {
            Some(Symbol::Function(f)) if self.functions[f as usize].defined => {
                let info = &self.functions[f as usize];
                let fits =
                    matches!(info.ty.ret.ty, Ty::Void | Ty::Int(_)) && matches!(info.ty.params.len(), 0 | 2);
                if !fits {
                    let _ = self.error_at(
                        self.main_at,
                        "L0103",
                        "`main` must return int and take no arguments or two",
                    );
                }
                f
            }
            _ => {
                if self.errors == 0 {
                    let d = Diagnostic::error("L0105", "there is no function `main`")
                        .help("`lineal verify` checks a closed program: give a file with a `main` that starts the threads");
                    self.diagnostics.push(d);
                }
                return;
            }
        };
        if self.errors > 0 {
            return;
        }
        self.stubs(main);
        self.tls();
        let mut layouts = Vec::new();
        let globals = self.out.globals.len();
        for i in 0..globals {
            layouts.push(self.records.layout(&self.globals[i].ty.clone()));
        }
        // Typed heap layouts were numbered behind a gap that globals fill.
        let heap = std::mem::take(&mut self.out.layouts);
        layouts.extend(heap);
        self.out.layouts = layouts;
        for instr in &mut self.out.code {
            if let Instr::Alloc { layout: lineal_model::program::instr::AllocLayout::Typed(id), .. } = instr {
                *id += globals as u32;
            }
        }
        self.out.shapes =
            std::mem::take(&mut self.out.shapes).into_iter().map(|(k, v)| (k + globals as u32, v)).collect();
        self.out.main = 2;
        self.out.start = 1;
    }

    /// `<start>`: set up thread-local blocks, call the entry, end. `<main>`: call `main`.
    fn stubs(&mut self, main: u32) {
        self.runtime = true;
        self.pos = Pos::default();
        self.begin_function(1);
        self.frame.next = 2;
        self.frame.max = 2;
        let shared: Vec<ThreadLocalInfo> = self.thread_locals.iter().filter(|t| t.shared).cloned().collect();
        for t in shared {
            self.start_thread_local(&t);
        }
        self.emit(Instr::CallPointer { pointer: 0, args: 1, count: 1, dst: 1 });
        self.run_destructors();
        self.emit(Instr::ThreadExit { src: 1 });
        self.end_function(1, 2);
        self.begin_function(2);
        let params = self.out.functions[main as usize].params.min(2);
        self.frame.next = 4;
        self.frame.max = 4;
        self.emit(Instr::Const { dst: 1, value: 0 });
        self.emit(Instr::Const { dst: 2, value: 0 });
        self.emit(Instr::Call { function: main, args: 1, count: params as u8, dst: 0 });
        self.emit(Instr::Return { src: 0 });
        self.end_function(2, 1);
    }

    /// Thread-specific storage is given back, if the program uses any.
    fn run_destructors(&mut self) {
        if let (Some(true), Some(Symbol::Function(end))) =
            (self.known.as_ref().map(|k| k.keys), self.linked.get("__lineal_end_thread").cloned())
        {
            let dst = self.temp();
            self.emit(Instr::Call { function: end, args: 0, count: 0, dst });
        }
    }

    fn begin_function(&mut self, index: u32) {
        self.frame = Frame { index, entry: self.out.code.len(), ..Frame::default() };
    }

    fn end_function(&mut self, index: u32, params: u16) {
        let f = &mut self.out.functions[index as usize];
        f.entry = self.frame.entry as u32;
        f.end = self.out.code.len() as u32;
        f.params = params;
        f.registers = self.frame.max.max(params) + 3;
        f.memory = self.frame.memory.next_multiple_of(8);
        f.objects = std::mem::take(&mut self.frame.objects);
        self.close_loops(index);
    }

    // --- emitting ---

    fn emit(&mut self, instr: Instr) -> usize {
        let at = self.out.code.len();
        self.out.code.push(instr);
        let place = self.place_index();
        self.out.sites.push(place);
        at
    }

    fn place_index(&mut self) -> u32 {
        if self.runtime || self.pos.line == 0 {
            return 0;
        }
        let place = self.files.place(self.pos);
        if let Some(&i) = self.places.get(&place) {
            return i;
        }
        let i = self.out.places.len() as u32;
        self.out.places.push(Some(place.clone()));
        self.places.insert(place, i);
        i
    }

    fn here(&self) -> u32 {
        self.out.code.len() as u32
    }

    fn patch(&mut self, at: usize, target: u32) {
        match &mut self.out.code[at] {
            Instr::Jump { to } | Instr::BranchZero { to, .. } => *to = target,
            other => unreachable!("{other:?} does not jump"),
        }
    }

    fn temp(&mut self) -> Reg {
        self.temps(1)
    }

    fn temps(&mut self, n: u16) -> Reg {
        let r = self.frame.next;
        self.frame.next = self.frame.next.saturating_add(n);
        self.frame.max = self.frame.max.max(self.frame.next);
        if self.frame.max > 60_000 {
            self.frame.next = 0;
            let _ = self.error("L0108", "a function with too many temporaries");
        }
        r
    }

    fn constant(&mut self, value: u64) -> Reg {
        let dst = self.temp();
        self.emit(Instr::Const { dst, value: value as i64 });
        dst
    }

    fn int(&mut self, value: u64, ty: IntTy) -> Val {
        Val { reg: self.constant(value), ty: Ty::Int(ty), origin: None }
    }

    /// Room in the frame for an object of `size` bytes.
    fn object(&mut self, size: u64, align: u64) -> u16 {
        let size = size.min(1 << 20) as u32;
        let offset = self.frame.memory.next_multiple_of(align.clamp(1, 8) as u32);
        self.frame.memory = offset + size;
        self.frame.objects.push((offset, size));
        (self.frame.objects.len() - 1) as u16
    }

    fn message(&mut self, text: &str) -> u32 {
        if let Some(&i) = self.messages.get(text) {
            return i;
        }
        let i = self.out.strings.len() as u32;
        self.out.strings.push(text.into());
        self.messages.insert(text.into(), i);
        i
    }

    fn fail(&mut self, kind: FailureKind, text: &str) {
        let message = self.message(text);
        self.emit(Instr::Fail { kind, message });
    }

    // --- diagnostics ---

    fn error(&mut self, code: &'static str, message: impl Into<String>) -> Reported {
        self.errors += 1;
        if self.errors <= MAX_ERRORS {
            self.diagnostics.push(Diagnostic::error(code, message).at(self.files.place(self.pos)));
        }
        Reported
    }

    fn error_at(&mut self, pos: Pos, code: &'static str, message: impl Into<String>) -> Reported {
        self.pos = pos;
        self.error(code, message)
    }

    fn refuse<T>(&mut self, what: &str) -> Lowered<T> {
        let e = self.error("L0104", format!("{what} is not modelled"));
        if let Some(d) = self.diagnostics.last_mut().filter(|_| self.errors <= MAX_ERRORS) {
            d.help = Some("Lineal refuses what it cannot check exactly; rewrite this part, or leave it out with `#ifndef`".into());
        }
        Err(e)
    }

    fn show(&self, ty: &QTy) -> String {
        self.records.show(ty)
    }

    fn size_of(&mut self, ty: &QTy) -> Lowered<u64> {
        match self.records.size(&ty.ty) {
            Some(size) => Ok(size),
            None => {
                let shown = self.show(ty);
                Err(self.error("L0103", format!("the size of `{shown}` is not known here")))
            }
        }
    }

    // --- names ---

    fn lookup(&self, name: &str) -> Option<Symbol> {
        self.scopes.iter().rev().find_map(|s| s.names.get(name)).cloned()
    }

    fn lookup_tag(&self, name: &str) -> Option<Tag> {
        self.scopes.iter().rev().find_map(|s| s.tags.get(name)).cloned()
    }

    fn scope(&mut self) -> &mut Scope {
        self.scopes.last_mut().expect("a scope is open")
    }

    fn at_file_scope(&self) -> bool {
        self.scopes.len() == 1
    }

    fn function_address(&self, index: u32) -> u64 {
        BlockId::new(BlockId::CODE_OWNER, index).base().0
    }

    fn global_address(&self, index: u32) -> u64 {
        Global::block(index).base().0
    }

    /// The global that holds a string literal.
    fn string(&mut self, bytes: &Rc<[u8]>) -> u32 {
        if let Some(&i) = self.strings.get(bytes) {
            return i;
        }
        let mut data = bytes.to_vec();
        data.push(0);
        let ty = QTy {
            ty: Ty::Array(Rc::new(Ty::Int(IntTy::Char).plain()), Some(data.len() as u64)),
            quals: Quals::default(),
        };
        let index = self.new_global("string", ty, Some(data));
        self.out.globals[index as usize].constant = true;
        self.strings.insert(bytes.clone(), index);
        index
    }

    fn new_global(&mut self, name: &str, ty: QTy, bytes: Option<Vec<u8>>) -> u32 {
        let index = self.out.globals.len() as u32;
        if index >= 0xffff {
            let _ = self.error("L0108", "more than 65,535 global variables and strings");
        }
        let place = self.place_index();
        self.globals.push(GlobalInfo {
            ty: ty.clone(),
            defined: bytes.is_some(),
            exists: bytes.is_some(),
            used: None,
        });
        self.out.globals.push(Global {
            name: name.into(),
            bytes: Vec::new(),
            shape: lineal_model::program::Shape::Bytes,
            place,
            constant: false,
        });
        self.set_global(index, ty, bytes);
        index
    }

    fn set_global(&mut self, index: u32, ty: QTy, bytes: Option<Vec<u8>>) {
        let size = self.records.size(&ty.ty).unwrap_or(0);
        if size >= lineal_model::run::Loc::MAX_BLOCK {
            let _ = self.error(
                "L0104",
                format!(
                    "an object of {size} bytes is not modelled: the largest has {}",
                    lineal_model::run::Loc::MAX_BLOCK - 1
                ),
            );
            return;
        }
        let global = &mut self.out.globals[index as usize];
        global.shape = self.records.shape(&ty);
        match bytes {
            Some(bytes) => global.bytes = bytes,
            None => global.bytes.resize(size as usize, 0),
        }
        self.globals[index as usize].ty = ty;
    }

    /// The layout of heap blocks that hold objects of this type.
    fn heap_layout(&mut self, ty: &QTy, name: &str) -> u32 {
        let key = format!("{name}/{}", self.show(ty))
            + &match &ty.ty {
                Ty::Record(r) => r.to_string(),
                _ => String::new(),
            };
        if let Some(&i) = self.typed_layouts.get(&key) {
            return i;
        }
        let i = self.out.layouts.len() as u32;
        self.out.layouts.push(self.records.repeated(ty));
        let shape = self.records.shape(ty);
        self.out.shapes.insert(i, (name.into(), shape));
        self.typed_layouts.insert(key, i);
        i
    }

    fn close_loops(&mut self, index: u32) {
        let heads = std::mem::take(&mut self.frame.heads);
        let f = &self.out.functions[index as usize];
        let dead =
            liveness::dead_at(&self.out.code[f.entry as usize..f.end as usize], f.entry, f.registers, &heads);
        for ((_, id), registers) in heads.iter().zip(dead) {
            self.out.loops[*id as usize].dead = registers;
        }
    }

    fn loop_head(&mut self) -> usize {
        let index = self.out.loops.len() as u32;
        let place = self.place_index();
        self.out.loops.push(LoopInfo { dead: Vec::new(), place });
        let at = self.emit(Instr::LoopHead { index });
        self.frame.heads.push((at, index));
        at
    }

    /// Keeps the head only if something in the loop can depend on other threads.
    fn settle_loop(&mut self, head: usize) {
        let shared = self.out.code[head + 1..].iter().any(liveness::visible);
        if !shared {
            self.drop_head(head);
        }
    }

    fn drop_head(&mut self, head: usize) {
        self.out.code[head] = Instr::Jump { to: head as u32 + 1 };
        self.frame.heads.retain(|(at, _)| *at != head);
    }

    fn wide_or(&self, size: u64, signed: bool) -> Option<IntKind> {
        IntKind::new(size, signed)
    }
}
