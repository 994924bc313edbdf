//! The paths of an operation, by symbolic execution of its lowered code: calls are inlined, and whatever
//! is read is a term.
//!
//! Loops. An iteration that only read, and after which everything that still matters is as it was when
//! the loop was entered, is left out (as the exploration of clients leaves it out). If what it read goes
//! on into the next one, then it is kept, and what it carries is forgotten ("anything"); iterations
//! between those that are kept may be missing, so a tree with three of them covers any three of any
//! number, and the first and the last. An iteration that *wrote*, and after which everything that still
//! matters is as it was when the loop was entered, becomes a call of its own (below). Other loops without
//! a fixed number of rounds are refused with a reason, as is everything else that is not followed: a refusal is
//! an unknown answer, never a wrong one.
//!
//! **Rounds that are calls.** Let `K` be such an iteration of a call `c`, where `c` has so far only
//! allocated blocks of its own and filled them (`p`, the *prologue*), and `K` has no fence and nothing to do with
//! these blocks. Then the execution in which `K` comes before `p` in program order, and the stores of `p` do not
//! release, all else equal, is consistent if the one at hand is, and has a cycle if that one has:
//! - Not to release makes happens-before smaller. Then, since nothing in `p` synchronises and no fence of `K` comes
//!   before a store of `p`, new in happens-before are only pairs that end in `p`. Of coherence, that matters if something hb-before `p`
//!   now follows, by mo, a store of `p`; that something knows the block, so it comes after its publication by
//!   so ∪ rf, and `p` comes before it: so ∪ rf would be cyclic, for `K` is before the publication as well.
//! - A cycle that uses the order from `p` to `K` enters `p` by program order, and can go around it, or by
//!   fr from somebody who knows the block: that one comes after the publication, which comes after
//!   `p`: a cycle without `K`.
//! - What the allocation and the stores of `p` happen before has become less, so what was an error
//!   (a race, a block that is not visible) still is one.
//!
//! So `c` may be taken to begin with its last iteration, all `K` being calls of the same session before it:
//! any number of them. Clients of an object that has the operation `K` for itself have these
//! executions and more; a proof for all of them is one for the object.

use super::term::{Binary, Size, Term, ZERO};
use super::tree::{Act, Node, Target, Tree};
use lineal_model::Place;
use lineal_model::program::instr::AwaitOp;
use lineal_model::program::{BinOp, Instr, Program, Reg, UnOp};
use lineal_model::run::{FetchOp, Mode};
use std::collections::{BTreeMap, BTreeSet};

/// Why the paths of an operation cannot be listed.
#[derive(Clone, Debug)]
pub struct Refusal {
    pub why: String,
    pub at: Option<Place>,
}

/// Rounds of a loop that goes on with what it read: the first, and two more that something may be about.
pub(super) const ROUNDS: usize = 3;
/// Rounds of a loop with a fixed number of them.
pub(super) const MOST_ROUNDS: usize = 64;
pub(super) const MOST_NODES: usize = 400;
pub(super) const MOST_STEPS: usize = 200_000;

/// What a thread keeps to itself, one by one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Cell {
    Register(usize, Reg),
    Local(usize, u16, i64),
    Own(usize, i64),
}

#[derive(Clone)]
pub(super) struct Frame {
    pub(super) registers: Vec<Term>,
    pub(super) back: u32,
    pub(super) into: Reg,
}

#[derive(Clone)]
pub(super) struct Head {
    pub(super) since: usize,
    pub(super) rounds: usize,
    pub(super) allocs: usize,
    pub(super) cells: BTreeMap<Cell, Term>,
}

#[derive(Clone)]
pub(super) struct State {
    pub(super) frames: Vec<Frame>,
    pub(super) pc: u32,
    pub(super) node: Option<usize>,
    pub(super) path: Vec<usize>,
    /// Since the last node.
    pub(super) conditions: Vec<(Term, bool)>,
    pub(super) known: BTreeSet<(Term, bool)>,
    pub(super) allocs: usize,
    pub(super) shared: BTreeSet<usize>,
    pub(super) locals: BTreeMap<(usize, u16, i64), Term>,
    pub(super) own: BTreeMap<(usize, i64), Term>,
    pub(super) heads: BTreeMap<(usize, u32), Head>,
}

/// Memory that nobody else uses yet.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    pub globals: BTreeMap<(u32, i64), Term>,
    pub blocks: BTreeMap<(usize, i64), Term>,
    pub allocated: usize,
}

pub struct Executor<'p> {
    pub(super) program: &'p Program,
    pub(super) model: Model,
    /// Of the setup, which runs alone.
    pub(super) alone: Option<Memory>,
    pub(super) tree: Tree,
    pub(super) frees: usize,
    pub(super) steps: usize,
    /// By loop and cell: whether the next round uses what it holds.
    pub(super) carried: BTreeMap<(u32, Cell), bool>,
    /// While that is found out: unknowns in place of what cells hold, and the loop.
    pub(super) probe: Option<(BTreeMap<usize, Cell>, u32)>,
    pub(super) used: BTreeSet<Cell>,
}

pub(super) type Run<T> = Result<T, Refusal>;

/// What of a memory model shows in the paths.
#[derive(Clone, Copy, Debug, Default)]
pub struct Model {
    /// seq_cst fences order each other.
    pub fences: bool,
    /// Every atomic access acquires and releases, as on x86.
    pub strong: bool,
}

/// What one operation can do, and rounds of its loops that are calls of their own, if there are any.
pub fn tree(program: &Program, function: u32, model: Model) -> Run<(Tree, Option<Tree>)> {
    let mut executor = Executor::new(program, model, None);
    let arguments = program.functions[function as usize].params;
    executor.run(executor.enter(function, (0..arguments).map(Term::Arg).collect()))?;
    let rounds = executor.tree.rounds();
    if let Some(node) = executor.tree.lost() {
        let why = "a path writes to shared memory and comes to no end".into();
        let site = program.sites.get(node.site as usize).copied().unwrap_or(0);
        return Err(Refusal { why, at: program.places.get(site as usize).cloned().flatten() });
    }
    executor.tree.prune();
    if rounds.is_some() {
        executor.tree.nodes.iter_mut().filter(|n| n.own).for_each(|n| n.releases = false);
    }
    Ok((executor.tree, rounds))
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

    pub(super) fn refuse<T>(&self, s: &State, why: impl Into<String>) -> Run<T> {
        let site = self.program.sites.get(s.pc as usize).copied().unwrap_or(0);
        let at = self.program.places.get(site as usize).cloned().flatten();
        Err(Refusal { why: why.into(), at })
    }

    pub(super) fn free(&mut self) -> Term {
        self.frees += 1;
        Term::Free(self.frees - 1)
    }

    pub(super) fn run(&mut self, start: State) -> Run<()> {
        let mut work = vec![start];
        while let Some(mut state) = work.pop() {
            while self.step(&mut state, &mut work)? {
                self.steps += 1;
                if self.tree.nodes.len() > MOST_NODES {
                    return self.refuse(&state, "the operation has too many paths");
                }
                if self.steps > MOST_STEPS {
                    return self.refuse(&state, "the operation takes too many steps: a loop may have no end");
                }
            }
        }
        Ok(())
    }

    pub(super) fn touch(&mut self, term: &Term) {
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
    pub(super) fn add(&mut self, s: &mut State, mut node: Node) -> usize {
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

    pub(super) fn blank(&self, act: Act, s: &State) -> Node {
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
    pub(super) fn may_fail(&mut self, s: &State, condition: Option<(Term, bool)>) {
        let mut other = s.clone();
        other.conditions.extend(condition);
        let node = self.blank(Act::Fail, s);
        self.add(&mut other, node);
    }

    pub(super) fn access(&self, s: &State, act: Act, target: Target, bytes: u8, mode: Mode) -> Node {
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

pub(super) fn reg(s: &State, r: Reg) -> Term {
    let frame = &s.frames[s.frames.len() - 1];
    frame.registers.get(usize::from(r)).cloned().unwrap_or(ZERO)
}

pub(super) fn set(s: &mut State, r: Reg, value: Term) {
    let top = s.frames.len() - 1;
    let registers = &mut s.frames[top].registers;
    if registers.len() <= usize::from(r) {
        registers.resize(usize::from(r) + 1, ZERO);
    }
    registers[usize::from(r)] = value;
}

/// A condition and whether it is met, in the form that conditions are compared in.
pub(super) fn truth(term: Term, is: bool) -> (Term, bool) {
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
pub(super) fn decided(s: &State, condition: &(Term, bool)) -> Option<bool> {
    if let Term::Const(c) = condition.0 {
        return Some((c != 0) == condition.1);
    }
    let opposite = (condition.0.clone(), !condition.1);
    if s.known.contains(condition) {
        return Some(true);
    }
    s.known.contains(&opposite).then_some(false)
}

pub(super) fn learn(s: &mut State, condition: (Term, bool)) {
    if s.known.insert(condition.clone()) {
        s.conditions.push(condition);
    }
}

impl Executor<'_> {
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
            Instr::LoopHead { index } if self.program.loops[index as usize].entrance.is_some() => {}
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
}
