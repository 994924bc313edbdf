//! Which cells each parallel component may ever touch, found from the text.
//!
//! Parameters are followed as small sets of numbers, so that `HL[i]` in component 1 is `HL[1]`.
//! Everything here errs on the side of touching more. A cell touched by one component only is
//! *private* to it; what the property reads, and what comes after the components, is shared.

use super::expr::{Binary, Expr, Stmt, Target, apply};
use super::live::Live;
use super::state::{ShapeId, ShapeKind, State};
use super::steps::{Act, Step};
use super::term::{SetId, Term, TermId, Universe};
use super::*;
use std::collections::BTreeSet;
use std::sync::RwLock;

/// A set of cells.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cells(Vec<u64>);

impl Cells {
    pub fn insert(&mut self, cell: usize) {
        if self.0.len() <= cell / 64 {
            self.0.resize(cell / 64 + 1, 0);
        }
        self.0[cell / 64] |= 1 << (cell % 64);
    }
    pub fn contains(&self, cell: usize) -> bool {
        self.0.get(cell / 64).is_some_and(|w| w >> (cell % 64) & 1 == 1)
    }
    /// Answers whether anything was new.
    pub fn extend(&mut self, other: &Cells) -> bool {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        let mut new = false;
        for (a, b) in self.0.iter_mut().zip(&other.0) {
            new |= b & !*a != 0;
            *a |= b;
        }
        new
    }
    pub fn remove_all(&mut self, other: &Cells) {
        for (a, b) in self.0.iter_mut().zip(&other.0) {
            *a &= !b;
        }
    }
    pub fn retain(&mut self, other: &Cells) {
        for (i, a) in self.0.iter_mut().enumerate() {
            *a &= other.0.get(i).copied().unwrap_or(0);
        }
    }
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.0.len() * 64).filter(|c| self.contains(*c))
    }
}

/// What a slot may hold: one of a few numbers, or anything.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Values {
    Some(BTreeSet<i32>),
    Any,
}

/// Numbers followed before giving up.
const FEW: usize = 32;

impl Values {
    pub const NOTHING: Values = Values::Some(BTreeSet::new());

    pub fn one(n: i32) -> Self {
        Values::Some([n].into())
    }

    pub fn join(&mut self, other: &Values) -> bool {
        match (&mut *self, other) {
            (Values::Any, _) => false,
            (this, Values::Any) => {
                *this = Values::Any;
                true
            }
            (Values::Some(a), Values::Some(b)) => {
                let before = a.len();
                a.extend(b);
                let changed = a.len() != before;
                if a.len() > FEW {
                    *self = Values::Any;
                }
                changed
            }
        }
    }

    pub fn of(e: &Expr, env: &[Values]) -> Values {
        match e {
            Expr::Int(n) => Values::one(*n),
            Expr::Slot(i) => env.get(*i as usize).cloned().unwrap_or(Values::Any),
            Expr::Binary(op, pair, _) => match (Values::of(&pair.0, env), Values::of(&pair.1, env)) {
                (Values::Some(a), Values::Some(b)) if a.len() * b.len() <= FEW * FEW => {
                    let mut all = BTreeSet::new();
                    for x in &a {
                        // The right side may have no value at all and not be looked at.
                        all.extend(match op {
                            Binary::And if *x == 0 => Some(0),
                            Binary::Or if *x != 0 => Some(1),
                            _ => None,
                        });
                        all.extend(b.iter().filter_map(|y| apply(*op, *x, *y, 0).ok()));
                    }
                    if all.len() > FEW { Values::Any } else { Values::Some(all) }
                }
                _ if matches!(
                    op,
                    Binary::Eq
                        | Binary::Ne
                        | Binary::Lt
                        | Binary::Gt
                        | Binary::Le
                        | Binary::Ge
                        | Binary::And
                        | Binary::Or
                        | Binary::Xor
                ) =>
                {
                    Values::Some([0, 1].into())
                }
                _ => Values::Any,
            },
            Expr::Unary(expr::Unary::Neg, e, _) => match Values::of(e, env) {
                Values::Some(a) => Values::Some(a.into_iter().filter_map(i32::checked_neg).collect()),
                Values::Any => Values::Any,
            },
            Expr::Unary(expr::Unary::Not, ..) => Values::Some([0, 1].into()),
            _ => Values::Any,
        }
    }
}

/// The cells an element may be.
pub fn element(el: &expr::Element, env: &[Values]) -> Vec<usize> {
    let mut at = vec![0usize];
    for (n, index) in &el.dims {
        let choices: Vec<usize> = match Values::of(index, env) {
            Values::Any => (0..*n as usize).collect(),
            Values::Some(set) => {
                set.into_iter().filter(|i| (0..*n as i32).contains(i)).map(|i| i as usize).collect()
            }
        };
        at = at.iter().flat_map(|a| choices.iter().map(move |c| a * *n as usize + c)).collect();
    }
    at.into_iter().map(|a| el.first as usize + a).collect()
}

/// Adds the cells `e` reads.
pub fn reads(e: &Expr, env: &[Values], out: &mut Cells) {
    e.walk(&mut |e| match e {
        Expr::Cell(c) => out.insert(*c as usize),
        Expr::Element(el) => element(el, env).into_iter().for_each(|c| out.insert(c)),
        _ => {}
    });
}

/// Adds the cells statements may read and write.
pub fn touches(stmts: &[Stmt], env: &[Values], read: &mut Cells, written: &mut Cells) {
    for stmt in stmts {
        match stmt {
            Stmt::Assign(target, value) => {
                reads(value, env, read);
                match target {
                    Target::Cell(c, _) => written.insert(*c as usize),
                    Target::Element(el) => {
                        el.dims.iter().for_each(|(_, e)| reads(e, env, read));
                        element(el, env).into_iter().for_each(|c| written.insert(c));
                    }
                    Target::Local(_) => {}
                }
            }
            Stmt::If(c, yes, no) => {
                reads(c, env, read);
                touches(yes, env, read, written);
                touches(no, env, read, written);
            }
            Stmt::While(c, body, _) => {
                reads(c, env, read);
                touches(body, env, read, written);
            }
        }
    }
}

/// What one component can reach: sites, and what its slots may hold.
#[derive(Clone, Debug)]
pub struct Code {
    pub sites: Vec<SiteId>,
    pub env: Vec<Vec<Values>>,
    pub atomic: bool,
    pub read: Cells,
    pub written: Cells,
}

pub struct Reach {
    shape: ShapeId,
    /// Private cells, by component.
    private: Vec<Cells>,
    /// Cells nobody writes.
    constant: Cells,
    live: Vec<Live>,
    hidings: Option<Vec<SetId>>,
    atomic: bool,
    local: Vec<Remembered<bool>>,
    dead: Vec<Remembered<Arc<[u32]>>>,
}

impl Reach {
    pub fn new(universe: &Universe, initial: &State, watched: &[&Expr]) -> Self {
        let model = universe.model;
        let shape = universe.shape(initial.shape);
        let mut parts: Vec<Code> = initial.leaves.iter().map(|t| Code::of(universe, *t)).collect();
        let leaves = parts.len();
        for node in &shape.nodes {
            if let ShapeKind::Seq(right) = node {
                parts.push(Code::of(universe, *right));
            }
        }
        let mut shared = Cells::default();
        watched.iter().for_each(|e| reads(e, &[], &mut shared));
        let (mut seen, mut written) = (shared.clone(), Cells::default());
        for part in &parts {
            let mut all = part.read.clone();
            all.extend(&part.written);
            for cell in all.iter() {
                if seen.contains(cell) {
                    shared.insert(cell);
                }
            }
            seen.extend(&all);
            written.extend(&part.written);
        }
        let mut constant = Cells::default();
        (0..model.cells.len()).filter(|c| !written.contains(*c)).for_each(|c| constant.insert(c));
        let private = parts[..leaves]
            .iter()
            .map(|part| {
                let mut cells = part.read.clone();
                cells.extend(&part.written);
                cells.remove_all(&shared);
                cells
            })
            .collect();
        Reach {
            shape: initial.shape,
            private,
            constant,
            live: parts[..leaves].iter().map(|p| Live::of(model, p)).collect(),
            hidings: shape.flat.clone(),
            atomic: parts.iter().any(|p| p.atomic),
            local: (0..leaves).map(|_| RwLock::default()).collect(),
            dead: (0..leaves).map(|_| RwLock::default()).collect(),
        }
    }

    pub fn is_written(&self, cell: usize) -> bool {
        !self.constant.contains(cell)
    }

    /// Whether steps of components may be fused at all: a plain interleaving without `atomic`.
    pub fn has_local_steps(&self) -> bool {
        self.hidings.is_some() && !self.atomic && self.private.len() > 1
    }

    /// Whether every step `term` could take in component `leaf` is internal and touches nothing
    /// that another component, or the property, could touch.
    pub fn is_local(&self, universe: &Universe, leaf: usize, term: TermId) -> bool {
        let at = term.0 as usize;
        if let Some(Some(known)) = self.local[leaf].read().expect("no panic while locked").get(at) {
            return *known;
        }
        let answer = universe.symbolic(term).is_some_and(|steps| {
            !steps.is_empty() && steps.iter().all(|s| self.is_private(universe, leaf, s))
        });
        remember(&self.local[leaf], at, answer);
        answer
    }

    fn is_private(&self, universe: &Universe, leaf: usize, step: &Step) -> bool {
        let hidden = match step.act {
            Act::Tau => true,
            Act::Event(e) => {
                e != events::TICK && self.hidings.iter().flatten().any(|s| universe.hides(*s, e))
            }
            _ => false,
        };
        let (mut read, mut written) = (Cells::default(), Cells::default());
        step.guard.iter().for_each(|g| reads(g, &[], &mut read));
        step.code.iter().for_each(|c| touches(&c.block.stmts, &[], &mut read, &mut written));
        let mut queues = false;
        step.guard.iter().for_each(|g| g.walk(&mut |e| queues |= matches!(e, Expr::Queue(..))));
        let plain = step.code.iter().all(|c| !mentions_queue(&c.block.stmts));
        read.remove_all(&self.private[leaf]);
        read.remove_all(&self.constant);
        written.remove_all(&self.private[leaf]);
        hidden
            && !queues
            && plain
            && step.queue.is_none()
            && !step.atomic
            && read.iter().next().is_none()
            && written.iter().next().is_none()
    }

    /// Sets the cells that component `leaf` has no use for any more to their initial values.
    pub fn reset(&self, universe: &Universe, state: &mut State, leaf: usize) {
        debug_assert_eq!(self.shape, state.shape);
        let term = state.leaves[leaf];
        let known = self.dead[leaf].read().expect("no panic while locked").get(term.0 as usize).cloned();
        let dead = known.flatten().unwrap_or_else(|| {
            let mut dead = self.private[leaf].clone();
            dead.remove_all(&self.live[leaf].of_term(universe, term));
            let dead: Arc<[u32]> = dead.iter().map(|c| c as u32).collect();
            remember(&self.dead[leaf], term.0 as usize, dead.clone());
            dead
        });
        for cell in dead.iter() {
            state.cells[*cell as usize] = universe.model.cells[*cell as usize].initial;
        }
    }
}

/// Answers by term.
type Remembered<T> = RwLock<Vec<Option<T>>>;

fn remember<T: Clone>(table: &Remembered<T>, at: usize, value: T) {
    let mut table = table.write().expect("no panic while locked");
    if table.len() <= at {
        table.resize(at + 1, None);
    }
    table[at] = Some(value);
}

fn mentions_queue(stmts: &[Stmt]) -> bool {
    let mut found = false;
    let mut look = |e: &Expr| e.walk(&mut |e| found |= matches!(e, Expr::Queue(..)));
    fn each(stmts: &[Stmt], look: &mut dyn FnMut(&Expr)) {
        for stmt in stmts {
            match stmt {
                Stmt::Assign(target, value) => {
                    look(value);
                    if let Target::Element(el) = target {
                        el.dims.iter().for_each(|(_, e)| look(e));
                    }
                }
                Stmt::If(c, yes, no) => {
                    look(c);
                    each(yes, look);
                    each(no, look);
                }
                Stmt::While(c, body, _) => {
                    look(c);
                    each(body, look);
                }
            }
        }
    }
    each(stmts, &mut look);
    found
}

impl Code {
    /// Follows the text from `term` until nothing new turns up.
    pub fn of(universe: &Universe, term: TermId) -> Code {
        let model = universe.model;
        let mut code = Code::empty(model);
        let mut roots = Vec::new();
        code.start(universe, term, &mut roots);
        loop {
            let mut changed = false;
            let mut seen = vec![false; model.sites.len()];
            let mut work = roots.clone();
            code.sites.clear();
            while let Some(id) = work.pop() {
                if std::mem::replace(&mut seen[id.0 as usize], true) {
                    continue;
                }
                code.sites.push(id);
                changed |= code.visit(model, id, &mut work);
            }
            if !changed {
                return code;
            }
        }
    }

    fn empty(model: &Model) -> Code {
        Code {
            sites: Vec::new(),
            env: model.defs.iter().map(|d| vec![Values::NOTHING; d.slots as usize]).collect(),
            atomic: false,
            read: Cells::default(),
            written: Cells::default(),
        }
    }

    fn start(&mut self, universe: &Universe, term: TermId, roots: &mut Vec<SiteId>) {
        match universe.term(term) {
            Term::Stop | Term::Skip | Term::Done => {}
            Term::At(site, values) => {
                let info = universe.model.site(*site);
                for (slot, value) in info.free.iter().zip(values) {
                    self.env[info.def.0 as usize][*slot as usize].join(&Values::one(*value));
                }
                roots.push(*site);
            }
            Term::Seq(a, b) | Term::Interrupt(a, b) => {
                self.start(universe, *a, roots);
                self.start(universe, *b, roots);
            }
            Term::Choice(_, kids) | Term::Parallel(_, _, kids) => {
                kids.iter().for_each(|k| self.start(universe, *k, roots));
            }
            Term::Hide(t, _) => self.start(universe, *t, roots),
            Term::Atomic(t) => {
                self.atomic = true;
                self.start(universe, *t, roots);
            }
        }
    }

    fn visit(&mut self, model: &Model, id: SiteId, work: &mut Vec<SiteId>) -> bool {
        let site = model.site(id);
        let env = self.env[site.def.0 as usize].clone();
        let mut changed = false;
        let mut look = |e: &Expr| reads(e, &env, &mut self.read);
        match &site.node {
            Node::Stop | Node::Skip => {}
            Node::Prefix { event, block, next } => {
                if let EventExpr::Named(_, args) = event {
                    args.iter().for_each(look);
                }
                self.block(block, &env);
                work.push(*next);
            }
            Node::Send { channel, values, block, next } => {
                channel.index.iter().for_each(&mut look);
                values.iter().for_each(look);
                self.block(block, &env);
                work.push(*next);
            }
            Node::Receive { channel, pattern, guard, block, next } => {
                channel.index.iter().for_each(&mut look);
                guard.iter().for_each(&mut look);
                for p in pattern {
                    match p {
                        Pattern::Match(e) => look(e),
                        Pattern::Bind(slot) => {
                            changed |= self.env[site.def.0 as usize][*slot as usize].join(&Values::Any);
                        }
                    }
                }
                self.block(block, &env);
                work.push(*next);
            }
            Node::If(c, a, b) | Node::IfAtomic(c, a, b) => {
                look(c);
                work.extend([*a, *b]);
            }
            Node::IfBlocking(c, a) | Node::Guard(c, a) => {
                look(c);
                work.push(*a);
            }
            Node::Case(branches, default) => {
                for (c, p) in branches {
                    look(c);
                    work.push(*p);
                }
                work.push(*default);
            }
            Node::Seq(a, b) | Node::Interrupt(a, b) => work.extend([*a, *b]),
            Node::Choice(_, kids) | Node::Parallel(_, kids) => work.extend(kids),
            Node::Indexed(_, ranges, body) => {
                for range in ranges {
                    for item in &range.values {
                        let values = match item {
                            RangeItem::One(e) => Values::of(e, &env),
                            RangeItem::Span(a, b) => span(Values::of(a, &env), Values::of(b, &env)),
                        };
                        changed |= self.env[site.def.0 as usize][range.slot as usize].join(&values);
                    }
                }
                work.push(*body);
            }
            Node::Copies(_, _, body) | Node::Hide(body, _) => work.push(*body),
            Node::Atomic(body) => {
                self.atomic = true;
                work.push(*body);
            }
            Node::Call(def, args) => {
                args.iter().for_each(look);
                for (slot, arg) in args.iter().enumerate() {
                    changed |= self.env[def.0 as usize][slot].join(&Values::of(arg, &env));
                }
                work.push(model.def(*def).body);
            }
        }
        changed
    }

    fn block(&mut self, block: &Option<Block>, env: &[Values]) {
        if let Some(block) = block {
            touches(&block.stmts, env, &mut self.read, &mut self.written);
        }
    }
}

fn span(low: Values, high: Values) -> Values {
    match (low, high) {
        (Values::Some(a), Values::Some(b)) => match (a.first(), b.last()) {
            (Some(a), Some(b)) if (*b as i64 - *a as i64) < FEW as i64 => Values::Some((*a..=*b).collect()),
            (Some(_), Some(_)) => Values::Any,
            _ => Values::NOTHING,
        },
        _ => Values::Any,
    }
}
