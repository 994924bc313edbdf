//! [`ast`](super::ast) → [`Program`]: types, names and code in one walk.
//!
//! The walk is done twice. The first time finds, for each local variable, whether its address is
//! taken and whether it can reach another thread ([`facts`]); the second uses that: a local
//! lives in a register, in memory private to its thread, or in a shared block of its own.

mod access;
mod assembly;
mod atomic;
mod builtin;
mod counting;
mod declare;
mod effect;
mod emit;
mod expr;
mod facts;
mod finish;
mod float;
mod function;
mod init;
mod konst;
mod library;
mod liveness;
mod place;
mod primitive;
mod record;
mod refuse;
mod rotated;
mod scope;
mod stmt;
mod system;
mod thread_local;
mod variable;

use super::ast::*;
use super::lex::Files;
use super::types::*;
use super::{Options, SourceUnit};
use facts::{BARRIER_DESTROY, BARRIER_WAIT, Facts, Origin, VarId};
use lineal_model::Diagnostic;
use lineal_model::program::{Function, Global, Instr, IntKind, LoopInfo, Program, Reg};
use lineal_model::run::{BlockId, FailureKind};
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

/// What a program declares, whether or not it has a `main`.
pub struct Declared {
    pub functions: Vec<(String, Rc<FnTy>)>,
    pub records: Records,
    /// It keeps state per thread, or asks which thread it is.
    pub thread_locals: bool,
    /// It takes a partial lock somewhere.
    pub partial_lock: bool,
}

/// The declarations of all units, and everything found wrong on the way.
pub fn declared(units: &[SourceUnit], files: &Files, options: &Options) -> (Declared, Vec<Diagnostic>) {
    let mut walk = Lower::new(files, options, None);
    walk.program(units);
    let own = |t: &ThreadLocalInfo| !t.name.starts_with("__lineal");
    // A mutex that is not an ordinary one knows its owner.
    let asks = [
        "pthread_self",
        "thrd_current",
        "pthread_getspecific",
        "tss_get",
        "pthread_mutexattr_settype",
        "mtx_init",
    ];
    let mut thread_locals = walk.thread_locals.iter().any(own);
    let mut functions = Vec::new();
    for (info, f) in walk.functions.iter().zip(&walk.out.functions) {
        let by_author = info.called_at.is_some_and(|at| !files.place(at).file.starts_with('<'));
        thread_locals |= by_author && asks.contains(&&*f.name);
        if !info.runtime || info.declared {
            functions.push((f.name.clone(), info.ty.clone()));
        }
    }
    let partial =
        |i: &Instr| matches!(i, Instr::AwaitCas { cause: lineal_model::run::Cause::PartialLock, .. });
    let partial_lock = walk.out.code.iter().any(partial);
    (Declared { functions, records: walk.records, thread_locals, partial_lock }, walk.diagnostics)
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
    /// It runs before `main`.
    constructor: bool,
    /// It runs when the process ends.
    destructor: bool,
    /// A file of the user declares it.
    declared: bool,
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
    breaks: Vec<Jumps>,
    continues: Vec<Jumps>,
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
    /// The locals in scope there.
    locals: Vec<usize>,
    /// Where from, and the locals in scope there.
    jumps: Vec<(usize, Pos, Vec<usize>)>,
    pos: Pos,
}

struct Switch {
    ty: IntTy,
    cases: Vec<(u64, u64, usize)>,
    default: Option<usize>,
    /// How many locals there were before it, and those in scope at some label of it.
    first: usize,
    passed: std::collections::BTreeSet<usize>,
}

/// Jumps out of a loop or switch, and the locals there were when it was entered.
#[derive(Default)]
struct Jumps {
    locals: usize,
    at: Vec<usize>,
}

pub(super) struct Lower<'a> {
    files: &'a Files,
    options: &'a Options,
    diagnostics: Vec<Diagnostic>,
    errors: usize,
    /// The value of the expression to be lowered next is not used.
    unused: bool,
    out: Program,
    records: Records,
    scopes: Vec<Scope>,
    globals: Vec<GlobalInfo>,
    functions: Vec<FunctionInfo>,
    thread_locals: Vec<ThreadLocalInfo>,
    linked: HashMap<Name, Symbol>,
    strings: HashMap<Rc<[u8]>, u32>,
    messages: HashMap<String, u32>,
    places: rustc_hash::FxHashMap<Pos, u32>,
    typed_layouts: HashMap<String, u32>,
    frame: Frame,
    facts: Facts,
    known: Option<Facts>,
    pos: Pos,
    main_at: Pos,
    /// Functions that were declared without a prototype when their address became one of a
    /// function that takes arguments.
    old_style: Vec<(u32, Pos)>,
    runtime: bool,
    /// More than 0: only types are wanted.
    dry: u32,
    in_function: bool,
    /// An array declared now may have a length that is computed, which is kept here.
    may_vary: bool,
    variable_length: Option<Expr>,
    /// What the statement being lowered was given up for.
    refusal: Option<(Pos, Rc<str>)>,
    /// Functions to be called before `main`.
    constructors: Vec<u32>,
    /// And when the process ends, the last first.
    destructors: Vec<u32>,
}

impl<'a> Lower<'a> {
    fn new(files: &'a Files, options: &'a Options, known: Option<Facts>) -> Self {
        Lower {
            files,
            options,
            diagnostics: Vec::new(),
            errors: 0,
            unused: false,
            out: Program { wrapv: options.wrapv, places: vec![None], ..Program::default() },
            records: Records::default(),
            scopes: vec![Scope::default()],
            globals: Vec::new(),
            functions: Vec::new(),
            thread_locals: Vec::new(),
            linked: HashMap::new(),
            strings: HashMap::new(),
            messages: HashMap::new(),
            places: rustc_hash::FxHashMap::default(),
            typed_layouts: HashMap::new(),
            frame: Frame::default(),
            facts: Facts::default(),
            known,
            pos: Pos::default(),
            main_at: Pos::default(),
            old_style: Vec::new(),
            runtime: false,
            dry: 0,
            in_function: false,
            may_vary: false,
            variable_length: None,
            refusal: None,
            constructors: Vec::new(),
            destructors: Vec::new(),
        }
    }

    fn program(&mut self, units: &[SourceUnit]) {
        // Code address 0 must not be a null pointer, and pc 0 marks the first frame.
        self.emit(Instr::Exit);
        self.reserve_functions();
        let library = self.announce_library(units);
        self.runtime = false;
        for unit in units.iter().filter(|u| !u.runtime) {
            self.scopes = vec![Scope::default()];
            for external in unit.externals.iter() {
                if self.errors >= MAX_ERRORS {
                    return;
                }
                // The error is in the list already.
                let _ = self.external(external);
            }
        }
        self.library(library);
        self.finish();
    }

    /// Function 0 is never called, so that no function pointer looks like another's offset.
    fn reserve_functions(&mut self) {
        let ty =
            Rc::new(FnTy { ret: Ty::Void.plain(), params: Vec::new(), variadic: false, unspecified: false });
        for name in ["<none>", "<start>", "<main>", "<begin>", "<end>"] {
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
            constructor: false,
            destructor: false,
            declared: false,
        });
        self.out.functions.push(Function {
            name: name.into(),
            entry: 0,
            end: 0,
            params: 0,
            unprototyped: false,
            registers: 0,
            memory: 0,
            objects: Vec::new(),
            blocks: Vec::new(),
            runtime: self.runtime,
        });
        index
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
        if self.errors == 0 {
            self.close_loops(index);
        }
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

    /// Something that compilers accept, too.
    fn warn_at(&mut self, pos: Pos, code: &'static str, message: String, help: &str) {
        let d = Diagnostic::warning(code, message).at(self.files.place(pos)).help(help);
        if self.dry == 0 && !self.runtime && !self.diagnostics.contains(&d) {
            self.diagnostics.push(d);
        }
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
            missing: false,
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
}
