//! Which numbers of a model are names of processes.
//!
//! Every place a number can be (parameters, variables, array indices, event arguments) gets a
//! type; places between which numbers flow, or are compared, get the same. A type is a *sort* of
//! names if its numbers are only passed on, stored, compared for equality, used as indices and
//! shown in events, and drawn only from index sets that hold all names or none. What is left treats
//! all names alike, so renaming them by any permutation maps runs to runs:
//!
//! - expressions: `==` and `!=` of two names, a variable, an element whose index is a name, commute
//!   with renaming; any other operator makes its operands plain numbers;
//! - statements: assignments, `if`, and `while` on a condition that is a plain number do because
//!   their parts do; a loop that counts through the names does only if its rounds commute
//!   (`rounds`), otherwise its counter is a plain number;
//! - processes: every operator but `||` does, since none looks at the order of its operands
//!   (`renaming` checks how components are arranged); `||`, channels and components that start
//!   others or are followed by something are not covered: no symmetry is used then;
//! - a constant among the names, also as an index (`a[0]`) in an assertion's condition, an initial
//!   value, or an event, makes them plain numbers.
//!
//! What is not listed is a plain number: whatever is missing here costs states, not truth.

use super::rounds::{self, Rounds};
use lineal_model::process::expr::{Binary, Element, Expr, Stmt, Target};
use lineal_model::process::*;
use rustc_hash::FxHashMap;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Slot {
    Param(DefId, u16),
    Value(u32),
    Index(u32, u16),
    Event(u32, u16),
    Local(SiteId, u16),
}

/// The names `0..size`, and the places that hold them.
pub struct Sort {
    pub size: u32,
    class: usize,
    sorts: Sorts,
}

impl Sort {
    pub fn has(&self, slot: Slot) -> bool {
        self.sorts.ids.get(&slot).is_some_and(|id| self.sorts.find_const(*id) == self.class)
    }
}

#[derive(Default)]
struct Sorts {
    ids: FxHashMap<Slot, usize>,
    parent: Vec<usize>,
    facts: Vec<Facts>,
}

#[derive(Clone, Default)]
struct Facts {
    plain: bool,
    constants: Vec<i32>,
    /// Index sets the numbers are drawn from.
    drawn: Vec<Vec<i32>>,
    /// Lengths of dimensions they index.
    lengths: Vec<u32>,
    /// Ranges of variables that hold them.
    ranges: Vec<(i32, i32)>,
    /// Drawn by an interleaving.
    processes: bool,
}

enum Kind {
    Of(usize),
    Constant(i32),
    Plain,
}

/// The sort of process names in what `sites` reach, if there is one.
pub fn find(model: &Model, sites: &[SiteId], watched: &[&Expr]) -> Option<Sort> {
    let mut sorts = Sorts::default();
    let mut seen = vec![false; model.sites.len()];
    let mut work = sites.to_vec();
    while let Some(id) = work.pop() {
        if !std::mem::replace(&mut seen[id.0 as usize], true) {
            sorts.site(model, id, &mut work)?;
        }
    }
    for e in watched {
        sorts.plain(model, e, SiteId(0));
    }
    for (g, global) in model.globals.iter().enumerate() {
        let value = sorts.id(Slot::Value(g as u32));
        let root = sorts.root(value);
        for c in global.first..global.first + global.len {
            let cell = model.cells[c as usize];
            sorts.facts[root].constants.push(cell.initial);
            sorts.facts[root].ranges.extend(cell.range);
        }
        for (d, n) in global.dims.iter().enumerate() {
            let index = sorts.id(Slot::Index(g as u32, d as u16));
            let root = sorts.root(index);
            sorts.facts[root].lengths.push(*n);
        }
    }
    let (class, size) = (0..sorts.parent.len()).find_map(|c| Some((c, sorts.sort_size(c)?)))?;
    Some(Sort { size, class, sorts })
}

impl Sorts {
    fn id(&mut self, slot: Slot) -> usize {
        *self.ids.entry(slot).or_insert_with(|| {
            self.parent.push(self.parent.len());
            self.facts.push(Facts::default());
            self.parent.len() - 1
        })
    }

    fn find_const(&self, mut id: usize) -> usize {
        while self.parent[id] != id {
            id = self.parent[id];
        }
        id
    }
    fn root(&mut self, id: usize) -> usize {
        self.find_const(id)
    }

    /// How many names, if the class is a sort.
    fn sort_size(&self, class: usize) -> Option<u32> {
        let facts = &self.facts[class];
        if self.parent[class] != class || facts.plain || !facts.processes {
            return None;
        }
        let names = facts.drawn.iter().max_by_key(|d| d.len())?;
        let size = names.len() as i32;
        let all: Vec<i32> = (0..size).collect();
        let inside = |n: &i32| (0..size).contains(n);
        let fine = size >= 2
            && facts.drawn.iter().all(|d| *d == all || !d.iter().any(inside))
            && !facts.constants.iter().any(inside)
            && facts.lengths.iter().all(|n| *n == size as u32)
            && facts.ranges.iter().all(|(low, high)| *low <= 0 && *high >= size - 1);
        fine.then_some(size as u32)
    }

    fn spoil(&mut self, kind: Kind) {
        if let Kind::Of(id) = kind {
            let root = self.root(id);
            self.facts[root].plain = true;
        }
    }

    fn relate(&mut self, a: Kind, b: Kind) {
        match (a, b) {
            (Kind::Of(a), Kind::Of(b)) => {
                let (a, b) = (self.root(a), self.root(b));
                if a != b {
                    self.parent[b] = a;
                    let other = std::mem::take(&mut self.facts[b]);
                    let facts = &mut self.facts[a];
                    facts.plain |= other.plain;
                    facts.processes |= other.processes;
                    facts.constants.extend(other.constants);
                    facts.drawn.extend(other.drawn);
                    facts.lengths.extend(other.lengths);
                    facts.ranges.extend(other.ranges);
                }
            }
            (Kind::Of(a), Kind::Constant(n)) | (Kind::Constant(n), Kind::Of(a)) => {
                let a = self.root(a);
                self.facts[a].constants.push(n);
            }
            (Kind::Of(a), Kind::Plain) | (Kind::Plain, Kind::Of(a)) => self.spoil(Kind::Of(a)),
            _ => {}
        }
    }

    fn expr(&mut self, model: &Model, e: &Expr, site: SiteId) -> Kind {
        let def = model.site(site).def;
        match e {
            Expr::Int(n) => Kind::Constant(*n),
            Expr::Slot(s) => Kind::Of(self.id(Slot::Param(def, *s))),
            Expr::Local(l) => Kind::Of(self.id(Slot::Local(site, *l))),
            Expr::Cell(c) => Kind::Of(self.cell(model, *c)),
            Expr::Element(el) => {
                self.element(model, el, site);
                Kind::Of(self.id(Slot::Value(el.global)))
            }
            // `-1`, which often stands for nobody.
            Expr::Unary(..) | Expr::Binary(..) if folded(e).is_some() => {
                folded(e).map_or(Kind::Plain, Kind::Constant)
            }
            Expr::Unary(_, e, _) => {
                self.plain(model, e, site);
                Kind::Plain
            }
            Expr::Binary(Binary::Eq | Binary::Ne, pair, _) => {
                let (a, b) = (self.expr(model, &pair.0, site), self.expr(model, &pair.1, site));
                self.relate(a, b);
                Kind::Plain
            }
            Expr::Binary(_, pair, _) => {
                self.plain(model, &pair.0, site);
                self.plain(model, &pair.1, site);
                Kind::Plain
            }
            Expr::Pick(values, index, _) => {
                self.plain(model, index, site);
                values.iter().for_each(|v| self.plain(model, v, site));
                Kind::Plain
            }
            // Whether renaming changes what is counted is looked at when it is known (`renaming`).
            Expr::Queue(..) | Expr::Count(..) | Expr::Alike(_) => Kind::Plain,
        }
    }

    fn plain(&mut self, model: &Model, e: &Expr, site: SiteId) {
        let kind = self.expr(model, e, site);
        self.spoil(kind);
    }

    /// The value of a cell. One of an array stands for an element at constant indices.
    fn cell(&mut self, model: &Model, cell: u32) -> usize {
        let global = model.cells[cell as usize].global;
        let info = &model.globals[global as usize];
        let mut rest = cell - info.first;
        for (d, n) in info.dims.iter().enumerate().rev() {
            let place = Kind::Of(self.id(Slot::Index(global, d as u16)));
            self.relate(place, Kind::Constant((rest % n) as i32));
            rest /= n;
        }
        self.id(Slot::Value(global))
    }

    fn element(&mut self, model: &Model, el: &Element, site: SiteId) {
        let dims = model.globals[el.global as usize].dims.len();
        for (d, (_, index)) in el.dims.iter().enumerate() {
            let kind = self.expr(model, index, site);
            if el.dims.len() == dims {
                let place = Kind::Of(self.id(Slot::Index(el.global, d as u16)));
                self.relate(place, kind);
            } else {
                // All dimensions at once.
                self.spoil(kind);
                for d in 0..dims {
                    let id = self.id(Slot::Index(el.global, d as u16));
                    self.spoil(Kind::Of(id));
                }
            }
        }
    }

    fn stmts(&mut self, model: &Model, stmts: &[Stmt], site: SiteId) {
        let mut at = 0;
        while at < stmts.len() {
            if let Some(Rounds { counter, count, body }) = rounds::find(model, &stmts[at..]) {
                let id = self.id(Slot::Local(site, counter));
                let root = self.root(id);
                self.facts[root].drawn.push((0..count).collect());
                self.stmts(model, body, site);
                at += 2;
                continue;
            }
            let stmt = &stmts[at];
            at += 1;
            match stmt {
                Stmt::Assign(target, value) => {
                    let value = self.expr(model, value, site);
                    let place = match target {
                        Target::Cell(c, _) => self.cell(model, *c),
                        Target::Element(el) => {
                            self.element(model, el, site);
                            self.id(Slot::Value(el.global))
                        }
                        Target::Local(l) => self.id(Slot::Local(site, *l)),
                    };
                    self.relate(Kind::Of(place), value);
                }
                Stmt::If(c, yes, no) => {
                    self.plain(model, c, site);
                    self.stmts(model, yes, site);
                    self.stmts(model, no, site);
                }
                Stmt::While(c, body, _) => {
                    self.plain(model, c, site);
                    self.stmts(model, body, site);
                }
            }
        }
    }

    fn event(&mut self, model: &Model, name: u32, args: &[Expr], site: SiteId) {
        for (i, arg) in args.iter().enumerate() {
            let kind = self.expr(model, arg, site);
            let place = Kind::Of(self.id(Slot::Event(name, i as u16)));
            self.relate(place, kind);
        }
    }

    fn ranges(&mut self, model: &Model, ranges: &[Range], processes: bool, site: SiteId) {
        let def = model.site(site).def;
        for range in ranges {
            let id = self.id(Slot::Param(def, range.slot));
            let root = self.root(id);
            let mut drawn = Some(Vec::new());
            for item in &range.values {
                match item {
                    RangeItem::One(Expr::Int(n)) => drawn.iter_mut().for_each(|d| d.push(*n)),
                    RangeItem::Span(a, b) => {
                        let known = vec![None; model.def(def).slots as usize];
                        match (a.specialise(&known).constant(), b.specialise(&known).constant()) {
                            (Some(a), Some(b)) if (b as i64 - a as i64).abs() < 64 => {
                                drawn.iter_mut().for_each(|d| d.extend(span(a, b)))
                            }
                            _ => drawn = None,
                        }
                    }
                    RangeItem::One(_) => drawn = None,
                }
            }
            match drawn {
                Some(mut drawn) => {
                    drawn.sort_unstable();
                    self.facts[root].drawn.push(drawn);
                    self.facts[root].processes |= processes;
                }
                None => self.facts[root].plain = true,
            }
            for item in &range.values {
                let bounds = match item {
                    RangeItem::One(e) => vec![e],
                    RangeItem::Span(a, b) => vec![a, b],
                };
                bounds.into_iter().for_each(|e| self.plain(model, e, site));
            }
        }
    }

    /// `None`: the model has something that renaming does not cover at all.
    fn site(&mut self, model: &Model, id: SiteId, work: &mut Vec<SiteId>) -> Option<()> {
        match &model.site(id).node {
            Node::Stop | Node::Skip => {}
            Node::Prefix { event, block, next, .. } => {
                if let EventExpr::Named(name, args) = event {
                    self.event(model, *name, args, id);
                }
                if let Some(block) = block {
                    self.stmts(model, &block.stmts, id);
                }
                work.push(*next);
            }
            Node::Send { .. } | Node::Receive { .. } => return None,
            Node::If(c, a, b) | Node::IfAtomic(c, a, b) => {
                self.plain(model, c, id);
                work.extend([*a, *b]);
            }
            Node::IfBlocking(c, a) | Node::Guard(c, a) => {
                self.plain(model, c, id);
                work.push(*a);
            }
            Node::Case(branches, default) => {
                for (c, p) in branches {
                    self.plain(model, c, id);
                    work.push(*p);
                }
                work.push(*default);
            }
            Node::Seq(a, b) | Node::Interrupt(a, b) => work.extend([*a, *b]),
            Node::Choice(_, kids) | Node::Parallel(Parallel::Interleave, kids) => work.extend(kids),
            Node::Parallel(Parallel::Synchronise, _) => return None,
            Node::Indexed(operator, ranges, body) => {
                if *operator == Operator::Parallel(Parallel::Synchronise) {
                    return None;
                }
                self.ranges(model, ranges, matches!(operator, Operator::Parallel(_)), id);
                work.push(*body);
            }
            Node::Copies(operator, count, body) => {
                if *operator == Operator::Parallel(Parallel::Synchronise) {
                    return None;
                }
                self.plain(model, count, id);
                work.push(*body);
            }
            Node::Hide(body, sets) => {
                for set in sets {
                    self.ranges(model, &set.ranges, false, id);
                    self.event(model, set.name, &set.args, id);
                }
                work.push(*body);
            }
            Node::Atomic(body) => work.push(*body),
            Node::Call(def, args) => {
                for (i, arg) in args.iter().enumerate() {
                    let kind = self.expr(model, arg, id);
                    let place = Kind::Of(self.id(Slot::Param(*def, i as u16)));
                    self.relate(place, kind);
                }
                work.push(model.def(*def).body);
            }
        }
        Some(())
    }
}

/// The value of an expression without variables.
fn folded(e: &Expr) -> Option<i32> {
    let mut open = false;
    e.walk(&mut |e| open |= !matches!(e, Expr::Int(_) | Expr::Unary(..) | Expr::Binary(..)));
    if open { None } else { e.specialise(&[]).constant() }
}
