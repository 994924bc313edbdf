//! The paths of an operation, by symbolic execution of its lowered code: calls are inlined, and whatever
//! is read is a term.
//!
//! Loops. An iteration that only read, and after which everything that still matters is as it was when
//! the loop was entered, is left out (as the exploration of clients leaves it out). If what it read goes
//! on into the next one, then it is kept, and what it carries is forgotten ("anything"); iterations
//! between those that are kept may be missing, so a tree with three of them covers any three of any
//! number, and the first and the last. Iterations that write, and other loops without a fixed number of
//! rounds, are refused with a reason, as is everything else that is not followed: a refusal is an unknown
//! answer, never a wrong one.

use super::term::{Binary, Size, Term, ZERO};
use super::tree::{Act, Node, Target, Tree};
use lineal_model::Place;
use lineal_model::program::instr::AwaitOp;
use lineal_model::program::{BinOp, Global, Instr, Program, Reg, UnOp};
use lineal_model::run::{FetchOp, Loc, Mode};
use std::collections::{BTreeMap, BTreeSet};

/// Why the paths of an operation cannot be listed.
#[derive(Clone, Debug)]
pub struct Refusal {
    pub why: String,
    pub at: Option<Place>,
}

/// Rounds of a loop that goes on with what it read: the first, and two more that something may be about.
const ROUNDS: usize = 3;
/// Rounds of a loop with a fixed number of them.
const MOST_ROUNDS: usize = 64;
const MOST_NODES: usize = 400;
const MOST_STEPS: usize = 200_000;

/// What a thread keeps to itself, one by one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Cell {
    Register(usize, Reg),
    Local(usize, u16, i64),
    Own(usize, i64),
}

#[derive(Clone)]
struct Frame {
    registers: Vec<Term>,
    back: u32,
    into: Reg,
}

#[derive(Clone)]
struct Head {
    since: usize,
    rounds: usize,
    allocs: usize,
    cells: BTreeMap<Cell, Term>,
}

#[derive(Clone)]
struct State {
    frames: Vec<Frame>,
    pc: u32,
    node: Option<usize>,
    path: Vec<usize>,
    /// Since the last node.
    conditions: Vec<(Term, bool)>,
    known: BTreeSet<(Term, bool)>,
    allocs: usize,
    shared: BTreeSet<usize>,
    locals: BTreeMap<(usize, u16, i64), Term>,
    own: BTreeMap<(usize, i64), Term>,
    heads: BTreeMap<(usize, u32), Head>,
}

/// Memory that nobody else uses yet.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    pub globals: BTreeMap<(u32, i64), Term>,
    pub blocks: BTreeMap<(usize, i64), Term>,
    pub allocated: usize,
}

pub struct Executor<'p> {
    program: &'p Program,
    model: Model,
    /// Of the setup, which runs alone.
    alone: Option<Memory>,
    tree: Tree,
    frees: usize,
    steps: usize,
    /// By loop and cell: whether the next round uses what it holds.
    carried: BTreeMap<(u32, Cell), bool>,
    /// While that is found out: unknowns in place of what cells hold, and the loop.
    probe: Option<(BTreeMap<usize, Cell>, u32)>,
    used: BTreeSet<Cell>,
}

type Run<T> = Result<T, Refusal>;

/// What of a memory model shows in the paths.
#[derive(Clone, Copy, Debug, Default)]
pub struct Model {
    /// seq_cst fences order each other.
    pub fences: bool,
    /// Every atomic access acquires and releases, as on x86.
    pub strong: bool,
}

/// What one operation can do.
pub fn tree(program: &Program, function: u32, model: Model) -> Run<Tree> {
    let mut executor = Executor::new(program, model, None);
    let arguments = program.functions[function as usize].params;
    executor.run(executor.enter(function, (0..arguments).map(Term::Arg).collect()))?;
    executor.tree.prune();
    Ok(executor.tree)
}

/// Memory before the first call.
pub fn setup(program: &Program, function: u32) -> Run<Memory> {
    let mut executor = Executor::new(program, Model::default(), Some(Memory::default()));
    executor.run(executor.enter(function, Vec::new()))?;
    Ok(executor.alone.take().unwrap_or_default())
}

impl<'p> Executor<'p> {
    fn new(program: &'p Program, model: Model, alone: Option<Memory>) -> Self {
        let (tree, carried) = (Tree::default(), BTreeMap::new());
        Executor {
            program,
            model,
            alone,
            tree,
            frees: 0,
            steps: 0,
            carried,
            probe: None,
            used: BTreeSet::new(),
        }
    }

    fn enter(&self, function: u32, arguments: Vec<Term>) -> State {
        let f = &self.program.functions[function as usize];
        let mut registers = arguments;
        registers.resize(usize::from(f.registers) + 4, ZERO);
        State {
            frames: vec![Frame { registers, back: u32::MAX, into: 0 }],
            pc: f.entry,
            node: None,
            path: Vec::new(),
            conditions: Vec::new(),
            known: BTreeSet::new(),
            allocs: 0,
            shared: BTreeSet::new(),
            locals: BTreeMap::new(),
            own: BTreeMap::new(),
            heads: BTreeMap::new(),
        }
    }

    fn refuse<T>(&self, s: &State, why: impl Into<String>) -> Run<T> {
        let site = self.program.sites.get(s.pc as usize).copied().unwrap_or(0);
        let at = self.program.places.get(site as usize).cloned().flatten();
        Err(Refusal { why: why.into(), at })
    }

    fn free(&mut self) -> Term {
        self.frees += 1;
        Term::Free(self.frees - 1)
    }

    fn run(&mut self, start: State) -> Run<()> {
        let mut work = vec![start];
        while let Some(mut state) = work.pop() {
            while self.step(&mut state, &mut work)? {
                self.steps += 1;
                if self.steps > MOST_STEPS || self.tree.nodes.len() > MOST_NODES {
                    return self.refuse(&state, "the operation has too many paths");
                }
            }
        }
        Ok(())
    }

    fn touch(&mut self, term: &Term) {
        if let Some((probes, _)) = &self.probe {
            let used = &mut self.used;
            term.parts(&mut |t| {
                if let Term::Free(n) = t {
                    used.extend(probes.get(n));
                }
            });
        }
    }

    /// Puts a node behind the state.
    fn add(&mut self, s: &mut State, mut node: Node) -> usize {
        node.parent = s.node;
        node.conditions.splice(0..0, s.conditions.drain(..));
        for term in node.conditions.iter().map(|c| c.0.clone()).chain(node.value.clone()) {
            self.touch(&term);
        }
        match &node.target {
            Some(Target::Heap { block, .. }) => self.touch(&block.clone()),
            Some(Target::Global { index: Some((_, t)), .. }) => self.touch(&t.clone()),
            _ => {}
        }
        let number = self.tree.nodes.len();
        self.tree.nodes.push(node);
        s.node = Some(number);
        s.path.push(number);
        number
    }

    fn blank(&self, act: Act, s: &State) -> Node {
        Node {
            parent: None,
            act,
            target: None,
            bytes: 0,
            atomic: true,
            seq_cst: false,
            acquires: false,
            releases: false,
            value: None,
            conditions: Vec::new(),
            own: false,
            site: s.pc,
            again: false,
        }
    }

    /// It may go wrong here, if the condition is met.
    fn may_fail(&mut self, s: &State, condition: Option<(Term, bool)>) {
        let mut other = s.clone();
        other.conditions.extend(condition);
        let node = self.blank(Act::Fail, s);
        self.add(&mut other, node);
    }

    fn access(&self, s: &State, act: Act, target: Target, bytes: u8, mode: Mode) -> Node {
        let strong = self.model.strong && mode.is_atomic();
        Node {
            target: Some(target),
            bytes,
            atomic: mode.is_atomic(),
            seq_cst: mode.is_sc(),
            acquires: (mode.acquires() || strong) && act != Act::Write,
            releases: (mode.releases() || strong) && act != Act::Read,
            ..self.blank(act, s)
        }
    }
}

fn reg(s: &State, r: Reg) -> Term {
    let frame = &s.frames[s.frames.len() - 1];
    frame.registers.get(usize::from(r)).cloned().unwrap_or(ZERO)
}

fn set(s: &mut State, r: Reg, value: Term) {
    let top = s.frames.len() - 1;
    let registers = &mut s.frames[top].registers;
    if registers.len() <= usize::from(r) {
        registers.resize(usize::from(r) + 1, ZERO);
    }
    registers[usize::from(r)] = value;
}

/// A condition and whether it is met, in the form that conditions are compared in.
fn truth(term: Term, is: bool) -> (Term, bool) {
    match &term {
        Term::Bin(Binary::Eq, _, x, y)
            if **y == ZERO && matches!(**x, Term::Bin(Binary::Eq | Binary::Lt | Binary::Le, ..)) =>
        {
            truth((**x).clone(), !is)
        }
        Term::Bin(Binary::Eq | Binary::Lt | Binary::Le, ..) | Term::Const(_) => (term, is),
        _ => (Term::equal(term, ZERO), !is),
    }
}

/// What is known of a condition.
fn decided(s: &State, condition: &(Term, bool)) -> Option<bool> {
    if let Term::Const(c) = condition.0 {
        return Some((c != 0) == condition.1);
    }
    let opposite = (condition.0.clone(), !condition.1);
    if s.known.contains(condition) {
        return Some(true);
    }
    s.known.contains(&opposite).then_some(false)
}

fn learn(s: &mut State, condition: (Term, bool)) {
    if s.known.insert(condition.clone()) {
        s.conditions.push(condition);
    }
}

/// Where an address leads.
enum Place_ {
    Local(usize, u16, i64),
    Shared(Target),
    Own(usize, i64),
    Mark,
    Constant(Term),
}

impl Executor<'_> {
    fn place(&mut self, s: &mut State, address: &Term, bytes: u8) -> Run<Place_> {
        let (parts, constant) = address.linear();
        let loc = Loc(constant as u64);
        if loc.block().is_global() {
            let number = loc.block().number();
            let Some(global) = self.program.globals.get(number as usize) else {
                return self.refuse(s, "an address that is not followed");
            };
            if global.name.starts_with("__lineal_") {
                return Ok(Place_::Mark);
            }
            let index = match parts.as_slice() {
                [] => None,
                [(stride, term)] if *stride > 0 && !term.is_address() => Some((*stride, term.clone())),
                _ => return self.refuse(s, "an address that is not followed: more than one index"),
            };
            let offset = i64::from(loc.offset());
            if global.constant && index.is_none() {
                return Ok(Place_::Constant(Term::Const(initial(global, offset, bytes))));
            }
            return Ok(Place_::Shared(Target::Global { number, offset, index }));
        }
        let [(1, root)] = parts.as_slice() else {
            return self.refuse(s, "an address that is not followed");
        };
        if !(0..1 << 20).contains(&constant) {
            return self.refuse(s, "an address that is not followed");
        }
        match root {
            Term::Local(depth, object) => Ok(Place_::Local(*depth, *object, constant)),
            Term::Alloc(k) if !s.shared.contains(k) => Ok(Place_::Own(*k, constant)),
            Term::Read(..) | Term::Alloc(_) | Term::Initial(_) => {
                if matches!(root, Term::Read(..)) {
                    let null = (Term::equal(root.clone(), ZERO), true);
                    if decided(s, &null) != Some(false) {
                        self.may_fail(s, Some(null.clone()));
                        learn(s, (null.0, false));
                    }
                }
                Ok(Place_::Shared(Target::Heap { block: root.clone(), offset: constant }))
            }
            Term::Arg(_) => self.refuse(s, "an argument is used as an address"),
            Term::Free(_) => self.refuse(s, "an address is carried from one round of a loop to the next"),
            _ => self.refuse(s, "an address that is computed"),
        }
    }

    /// A value that others get to see.
    fn publish(&mut self, s: &mut State, value: &Term) -> Run<()> {
        if value.mentions(&|t| matches!(t, Term::Local(..))) {
            return self.refuse(s, "the address of a local variable is published");
        }
        match value {
            Term::Alloc(k) => {
                let mut open = vec![*k];
                while let Some(k) = open.pop() {
                    if !s.shared.insert(k) {
                        continue;
                    }
                    let cells: Vec<Term> =
                        s.own.range((k, i64::MIN)..=(k, i64::MAX)).map(|(_, v)| v.clone()).collect();
                    for cell in cells {
                        self.touch(&cell);
                        if let Term::Alloc(j) = cell {
                            open.push(j);
                        }
                    }
                }
                Ok(())
            }
            value
                if value.mentions(&|t| matches!(t, Term::Alloc(_) | Term::Initial(_)))
                    && !value.is_address() =>
            {
                self.refuse(s, "a pointer is computed with, and published")
            }
            _ => Ok(()),
        }
    }

    fn load(&mut self, s: &mut State, address: &Term, size: Size, mode: Mode) -> Run<Term> {
        match self.place(s, address, size.bytes)? {
            Place_::Local(depth, object, offset) => match s.locals.get(&(depth, object, offset)) {
                Some(value) => Ok(value.clone().cut(size)),
                None => Ok(self.free()),
            },
            Place_::Own(k, offset) => match (s.own.get(&(k, offset)), &self.alone) {
                (Some(value), _) => Ok(value.clone().cut(size)),
                (None, Some(memory)) => Ok(memory.blocks.get(&(k, offset)).cloned().unwrap_or(ZERO)),
                (None, None) => Ok(self.free()),
            },
            Place_::Mark => self.refuse(s, "what a call answered is read again"),
            Place_::Constant(value) => Ok(value.cut(size)),
            Place_::Shared(target) => {
                if let Some(memory) = &self.alone {
                    return match alone(&target) {
                        Some(Ok(at)) => Ok(memory.globals.get(&at).cloned().unwrap_or_else(|| {
                            Term::Const(initial(&self.program.globals[at.0 as usize], at.1, size.bytes))
                        })),
                        Some(Err(at)) => Ok(memory.blocks.get(&at).cloned().unwrap_or(ZERO)),
                        None => self.refuse(s, "the setup is not followed"),
                    };
                }
                let node = self.access(s, Act::Read, target, size.bytes, mode);
                let number = self.add(s, node);
                Ok(Term::Read(number, size))
            }
        }
    }

    fn store(&mut self, s: &mut State, address: &Term, size: Size, mode: Mode, value: Term) -> Run<()> {
        match self.place(s, address, size.bytes)? {
            Place_::Local(depth, object, offset) => {
                s.locals.insert((depth, object, offset), value);
            }
            Place_::Own(k, offset) if self.alone.is_none() => {
                if value.mentions(&|t| matches!(t, Term::Local(..))) {
                    return self.refuse(s, "the address of a local variable is published");
                }
                s.own.insert((k, offset), value.clone());
                let target = Target::Heap { block: Term::Alloc(k), offset };
                let node = self.access(s, Act::Write, target, size.bytes, mode);
                self.add(s, Node { value: Some(value), own: true, ..node });
            }
            Place_::Own(k, offset) => {
                if let Some(memory) = &mut self.alone {
                    memory.blocks.insert((k, offset), value);
                }
            }
            Place_::Mark => self.touch(&value),
            Place_::Constant(_) => return self.refuse(s, "a constant is written"),
            Place_::Shared(target) => {
                if let Some(memory) = &mut self.alone {
                    match alone(&target) {
                        Some(Ok(at)) => memory.globals.insert(at, value),
                        Some(Err(at)) => memory.blocks.insert(at, value),
                        None => return self.refuse(s, "the setup is not followed"),
                    };
                    return Ok(());
                }
                self.publish(s, &value)?;
                let node = self.access(s, Act::Write, target, size.bytes, mode);
                self.add(s, Node { value: Some(value), ..node });
            }
        }
        Ok(())
    }

    /// Where a read-modify-write goes.
    fn cell(&mut self, s: &mut State, address: &Term, bytes: u8) -> Run<Target> {
        if self.alone.is_some() {
            return self.refuse(s, "the setup is not followed: it has a read-modify-write");
        }
        match self.place(s, address, bytes)? {
            Place_::Shared(target) => Ok(target),
            _ => self.refuse(s, "a read-modify-write of memory that nobody shares"),
        }
    }

    /// One instruction; whether the path goes on.
    #[allow(clippy::too_many_lines)]
    fn step(&mut self, s: &mut State, work: &mut Vec<State>) -> Run<bool> {
        let mut next = s.pc + 1;
        match self.program.code[s.pc as usize] {
            Instr::Const { dst, value } => set(s, dst, Term::Const(value)),
            Instr::Move { dst, src } => {
                let value = reg(s, src);
                set(s, dst, value);
            }
            Instr::Extend { kind, dst, src } => {
                let value = reg(s, src).cut(kind.into());
                set(s, dst, value);
            }
            Instr::Un { op, kind, dst, a } => {
                let a = reg(s, a);
                if op == UnOp::Neg && kind.signed() && !self.program.wrapv && !matches!(a, Term::Const(_)) {
                    self.may_fail(s, None);
                }
                set(s, dst, Term::unary(op, kind.into(), a));
            }
            Instr::Bin { op, kind, dst, a, b } => {
                let (a, b) = (reg(s, a), reg(s, b));
                let wraps = !kind.signed() || self.program.wrapv || kind.size() == 8 && a.is_address();
                let fixed = matches!((&a, &b), (Term::Const(_), Term::Const(_)));
                let risky = match op {
                    BinOp::Add | BinOp::Sub | BinOp::Mul => !wraps && !fixed && !self.is_address_like(&a),
                    BinOp::Div | BinOp::Rem => !matches!(b, Term::Const(c) if c > 0),
                    BinOp::Shl | BinOp::Shr => {
                        !matches!(b, Term::Const(c) if (0..8 * i64::from(kind.size())).contains(&c))
                    }
                    _ => false,
                };
                if risky {
                    self.may_fail(s, None);
                }
                set(s, dst, Term::binary(op, kind.into(), a, b));
            }
            Instr::Jump { to } => next = to,
            Instr::BranchZero { cond, to } => {
                let condition = truth(reg(s, cond), true);
                self.touch(&condition.0.clone());
                match decided(s, &condition) {
                    Some(true) => {}
                    Some(false) => next = to,
                    None => {
                        let mut other = s.clone();
                        learn(&mut other, (condition.0.clone(), !condition.1));
                        other.pc = to;
                        work.push(other);
                        learn(s, condition);
                    }
                }
            }
            Instr::Call { function, args, count, dst } => {
                let f = &self.program.functions[function as usize];
                if s.frames.len() > 30 {
                    return self.refuse(s, "calls too deeply");
                }
                let mut registers: Vec<Term> =
                    (0..u16::from(count).min(f.params)).map(|k| reg(s, args + k)).collect();
                registers.resize(usize::from(f.registers) + 4, ZERO);
                s.frames.push(Frame { registers, back: s.pc + 1, into: dst });
                next = f.entry;
            }
            Instr::Return { .. } | Instr::ReturnNothing => {
                let value = match self.program.code[s.pc as usize] {
                    Instr::Return { src } => reg(s, src),
                    _ => ZERO,
                };
                let depth = s.frames.len() - 1;
                let Some(frame) = s.frames.pop() else { return Ok(false) };
                s.locals.retain(|k, _| k.0 != depth);
                s.heads.retain(|k, _| k.0 != depth);
                if s.frames.is_empty() {
                    if self.alone.is_none() {
                        let node = self.blank(Act::End, s);
                        self.add(s, node);
                    }
                    return Ok(false);
                }
                next = frame.back;
                set(s, frame.into, value);
            }
            Instr::FrameAddr { dst, object } => {
                let depth = s.frames.len() - 1;
                set(s, dst, Term::Local(depth, object));
            }
            Instr::Forget { object } => {
                let depth = s.frames.len() - 1;
                s.locals.retain(|k, _| (k.0, k.1) != (depth, object));
            }
            Instr::Load { kind, mode, dst, addr, .. } => {
                let value = self.load(s, &reg(s, addr), kind.into(), mode)?;
                set(s, dst, value);
            }
            Instr::Store { kind, mode, addr, src } => {
                let value = reg(s, src).cut(kind.into());
                self.store(s, &reg(s, addr), kind.into(), mode, value)?;
            }
            Instr::Fetch { op, kind, mode, dst, addr, src } => {
                let target = self.cell(s, &reg(s, addr), kind.size())?;
                let (size, number) = (Size::from(kind), self.tree.nodes.len());
                let (old, operand) = (Term::Read(number, size), reg(s, src));
                let value = match op {
                    FetchOp::Exchange => operand.cut(size),
                    FetchOp::Add => Term::binary(BinOp::Add, size, old.clone(), operand),
                    _ => self.free(),
                };
                self.publish(s, &value)?;
                let node = self.access(s, Act::Update, target, kind.size(), mode);
                self.add(s, Node { value: Some(value), ..node });
                set(s, dst, old);
            }
            Instr::Cas { kind, mode, fail, weak, dst, addr, expected, desired } => {
                if kind.size() > 8 {
                    return self.refuse(s, "a compare-and-swap of two words");
                }
                let target = self.cell(s, &reg(s, addr), kind.size())?;
                let size = Size::from(kind);
                let (expected, desired) = (reg(s, expected).cut(size), reg(s, desired).cut(size));
                // It fails.
                let mut other = s.clone();
                let number = self.tree.nodes.len();
                let old = Term::Read(number, size);
                let mut node = self.access(s, Act::Read, target.clone(), kind.size(), fail);
                let same = Term::equal(old.clone(), expected.clone());
                if !weak {
                    node.conditions.push((same.clone(), false));
                    other.known.insert((same, false));
                }
                self.add(&mut other, node);
                set(&mut other, dst, ZERO);
                set(&mut other, dst + 1, old);
                other.pc = next;
                work.push(other);
                // It succeeds.
                self.publish(s, &desired)?;
                let number = self.tree.nodes.len();
                let old = Term::Read(number, size);
                let mut node = self.access(s, Act::Update, target, kind.size(), mode);
                let same = Term::equal(old.clone(), expected.clone());
                node.conditions.push((same.clone(), true));
                s.known.insert((same, true));
                self.add(s, Node { value: Some(desired), ..node });
                set(s, dst, Term::Const(1));
                set(s, dst + 1, if matches!(expected, Term::Free(_)) { old } else { expected });
            }
            Instr::Fence { mode } => {
                if self.alone.is_some() {
                } else if mode.is_sc() && self.model.fences {
                    let fence = self.blank(Act::Fence, s);
                    self.add(s, Node { acquires: true, ..fence });
                    let update = self.access(s, Act::Update, Target::Fences, 4, Mode::AcqRel);
                    self.add(s, Node { value: Some(ZERO), ..update });
                    let fence = self.blank(Act::Fence, s);
                    self.add(s, Node { releases: true, ..fence });
                } else {
                    let fence = self.blank(Act::Fence, s);
                    self.add(s, Node { acquires: mode.acquires(), releases: mode.releases(), ..fence });
                }
            }
            Instr::Await { kind, mode, until, dst, addr, operand, .. } => {
                let (address, operand) = (reg(s, addr), reg(s, operand));
                let value = self.load(s, &address, kind.into(), mode)?;
                let equal = Term::equal(value.clone(), operand);
                match until {
                    AwaitOp::Equal => learn(s, truth(equal, true)),
                    AwaitOp::NotEqual => learn(s, truth(equal, false)),
                    AwaitOp::Clear | AwaitOp::AtLeast => {}
                }
                set(s, dst, value);
            }
            Instr::Alloc { dst, zeroed, .. } => {
                if zeroed {
                    return self.refuse(s, "calloc");
                }
                if let Some(memory) = &mut self.alone {
                    let k = memory.allocated;
                    memory.allocated += 1;
                    set(s, dst, Term::Initial(k));
                } else {
                    let k = s.allocs;
                    s.allocs += 1;
                    let node = self.blank(Act::Alloc, s);
                    self.add(s, Node { value: Some(Term::Alloc(k)), own: true, ..node });
                    set(s, dst, Term::Alloc(k));
                }
            }
            Instr::Assume { cond } => {
                let condition = truth(reg(s, cond), true);
                match decided(s, &condition) {
                    Some(true) => {}
                    Some(false) => return Ok(false),
                    None => learn(s, condition),
                }
            }
            Instr::Assert { cond, .. } => {
                let condition = truth(reg(s, cond), true);
                match decided(s, &condition) {
                    Some(true) => {}
                    found => {
                        self.may_fail(s, Some((condition.0.clone(), !condition.1)));
                        if found == Some(false) {
                            return Ok(false);
                        }
                        learn(s, condition);
                    }
                }
            }
            Instr::CheckIndex { index, count, past } => {
                let index = reg(s, index);
                let below = i64::from(count) + i64::from(past);
                let fits = match &index {
                    // Of the marks: the number of the call.
                    Term::Arg(0) => true,
                    Term::Const(c) => (0..below).contains(c),
                    Term::Bin(Binary::Rem, size, _, n) if !size.signed => {
                        matches!(**n, Term::Const(n) if n <= below)
                    }
                    Term::Bin(Binary::And, _, _, n) => {
                        matches!(**n, Term::Const(n) if (0..below).contains(&n))
                    }
                    _ => false,
                };
                if !fits {
                    self.may_fail(s, None);
                }
            }
            Instr::CheckInit { flag, .. } => {
                if reg(s, flag) == ZERO {
                    self.may_fail(s, None);
                }
            }
            Instr::CheckReturned { .. } => {}
            Instr::Choose { dst, .. } => {
                let value = self.free();
                set(s, dst, value);
            }
            Instr::Fail { .. } => {
                self.may_fail(s, None);
                return Ok(false);
            }
            Instr::LoopHead { index } => {
                if !self.round(s, index)? {
                    return Ok(false);
                }
            }
            Instr::Free { .. } => {
                return self.refuse(s, "memory is freed: what then uses it is not followed");
            }
            Instr::SelfId { .. } | Instr::TlsAddr { .. } => {
                return self.refuse(s, "state of each thread is not followed");
            }
            Instr::Refuse { message } => {
                let why = self.program.strings.get(message as usize).cloned().unwrap_or_default();
                return self.refuse(s, why);
            }
            _ => return self.refuse(s, "an instruction that is not followed"),
        }
        s.pc = next;
        Ok(true)
    }

    fn is_address_like(&self, a: &Term) -> bool {
        match a {
            Term::Const(c) => Loc(*c as u64).block().is_global(),
            a => a.is_address(),
        }
    }

    fn cells(s: &State) -> BTreeMap<Cell, Term> {
        let mut cells = BTreeMap::new();
        for (depth, frame) in s.frames.iter().enumerate() {
            for (r, value) in frame.registers.iter().enumerate() {
                cells.insert(Cell::Register(depth, r as Reg), value.clone());
            }
        }
        cells.extend(s.locals.iter().map(|(&(d, o, at), v)| (Cell::Local(d, o, at), v.clone())));
        cells.extend(s.own.iter().map(|(&(k, at), v)| (Cell::Own(k, at), v.clone())));
        cells
    }

    fn put(s: &mut State, cell: Cell, value: Term) {
        match cell {
            Cell::Register(depth, r) => s.frames[depth].registers[usize::from(r)] = value,
            Cell::Local(depth, object, at) => {
                s.locals.insert((depth, object, at), value);
            }
            Cell::Own(k, at) => {
                s.own.insert((k, at), value);
            }
        }
    }

    /// At the head of a loop; whether to go on.
    fn round(&mut self, s: &mut State, index: u32) -> Run<bool> {
        for &r in &self.program.loops[index as usize].dead {
            set(s, r, ZERO);
        }
        let key = (s.frames.len() - 1, index);
        let cells = Self::cells(s);
        let Some(head) = s.heads.get(&key).cloned() else {
            let head = Head { since: s.path.len(), rounds: 0, allocs: s.allocs, cells };
            s.heads.insert(key, head);
            return Ok(true);
        };
        if let Some((probes, wanted)) = self.probe.clone() {
            if wanted == index {
                // What a cell holds may stay where it is, unused.
                for (cell, value) in &cells {
                    match value {
                        Term::Free(n) if probes.get(n) == Some(cell) => {}
                        value => self.touch(&value.clone()),
                    }
                }
            } else {
                // A loop within the rounds that are looked at.
                self.used.extend(probes.values());
            }
            return Ok(false);
        }
        let mut changed: BTreeSet<Cell> = BTreeSet::new();
        for cell in cells.keys().chain(head.cells.keys()) {
            if cells.get(cell) != head.cells.get(cell) {
                changed.insert(*cell);
            }
        }
        let live = self.carried(s, index, changed);
        let since: Vec<usize> = s.path[head.since..].to_vec();
        let wrote = since.iter().any(|&n| self.tree.nodes[n].is_shared_write());
        let constant = |c: &Cell| {
            matches!((cells.get(c), head.cells.get(c)), (Some(Term::Const(_)), Some(Term::Const(_))))
        };
        let rounds = head.rounds + 1;
        if !live.is_empty() && live.iter().all(constant) {
            if rounds > MOST_ROUNDS {
                return self.refuse(s, "a loop with too many rounds");
            }
            let head = Head { rounds, since: s.path.len(), allocs: s.allocs, cells };
            s.heads.insert(key, head);
            return Ok(true);
        }
        if self.alone.is_some() {
            return self.refuse(s, "the setup is not followed: a loop in it");
        }
        if wrote {
            return self.refuse(s, "a loop goes round after it has written to shared memory");
        }
        if s.allocs != head.allocs {
            return self.refuse(s, "a loop allocates memory and goes round");
        }
        let released = since.iter().any(|&n| {
            let node = &self.tree.nodes[n];
            node.releases && !self.model.strong || node.act == Act::Fence
        });
        if released {
            return self.refuse(s, "a loop goes round after a fence or a release");
        }
        if live.is_empty() || rounds > ROUNDS {
            return Ok(false);
        }
        for cell in live {
            let value = self.free();
            Self::put(s, cell, value);
        }
        // What was known may be about values that are forgotten now: it stays true of them.
        let head = Head { rounds, since: s.path.len(), ..head };
        s.heads.insert(key, head);
        Ok(true)
    }

    /// Of these cells, those that the rounds to come, or what follows the loop, make use of.
    fn carried(&mut self, s: &State, index: u32, changed: BTreeSet<Cell>) -> Vec<Cell> {
        if changed.iter().any(|cell| !self.carried.contains_key(&(index, *cell))) {
            let mut probing = s.clone();
            probing.known.clear();
            probing.pc += 1;
            let mut probes = BTreeMap::new();
            for &cell in &changed {
                let unknown = self.free();
                if let Term::Free(number) = unknown {
                    probes.insert(number, cell);
                }
                Self::put(&mut probing, cell, unknown);
            }
            let kept = (self.tree.nodes.len(), self.steps);
            (self.probe, self.used) = (Some((probes, index)), BTreeSet::new());
            let ran = self.run(probing);
            (self.probe, self.steps) = (None, kept.1);
            self.tree.nodes.truncate(kept.0);
            for &cell in &changed {
                // What cannot be followed with unknowns depends on them, or is refused anyway.
                let used = self.used.contains(&cell) || ran.is_err();
                *self.carried.entry((index, cell)).or_insert(false) |= used;
            }
        }
        changed.into_iter().filter(|cell| self.carried[&(index, *cell)]).collect()
    }
}

/// The cell of memory that nobody else uses: of a global, or of a block.
fn alone(target: &Target) -> Option<Result<(u32, i64), (usize, i64)>> {
    match target {
        Target::Global { number, offset, index: None } => Some(Ok((*number, *offset))),
        Target::Heap { block: Term::Initial(k), offset } => Some(Err((*k, *offset))),
        _ => None,
    }
}

/// What a global holds before `main`.
pub fn initial(global: &Global, offset: i64, bytes: u8) -> i64 {
    let mut value = 0u64;
    for i in 0..i64::from(bytes.min(8)) {
        let byte = global.bytes.get((offset + i) as usize).copied().unwrap_or(0);
        value |= u64::from(byte) << (8 * i);
    }
    value as i64
}
