//! Closed process terms, each stored once.
//!
//! A term is a site with the values of the slots it may still read, or an operator over terms.
//! Values that nothing reads any more are not kept, so two processes that differ only in dead
//! parameters are the same term. Calls with known arguments are unfolded when a term is built;
//! the right side of `;` is built when its turn comes.
//!
//! Operators that would pile up in recursion are put together where that changes no step:
//! `(P;Q);R` is `P;(Q;R)`, `P\A\B` is `P\(A∪B)`, and `atomic` in `atomic` is one. So a call that
//! leaves something to do after it makes a list longer, not a term deeper.

use super::alphabet::Alphabet;
use super::arena::Arena;
use super::expr::{Expr, Frame, Known};
use super::steps::Step;
use super::*;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::{Mutex, OnceLock};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TermId(pub u32);
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SetId(pub u32);
/// One alphabet per operand of `||`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AlphabetsId(pub u32);

pub const STOP: TermId = TermId(0);
pub const SKIP: TermId = TermId(1);
/// After successful termination.
pub const DONE: TermId = TermId(2);

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Term {
    Stop,
    Skip,
    Done,
    /// The site, and the values of its free slots.
    At(SiteId, Box<[i32]>),
    /// The left side is no `Seq`. The right side is not built yet: an `At`, or `Seq` of an `At` and
    /// what comes after it.
    Seq(TermId, TermId),
    Choice(Choice, Box<[TermId]>),
    Interrupt(TermId, TermId),
    Hide(TermId, SetId),
    Atomic(TermId),
    Parallel(Parallel, AlphabetsId, Box<[TermId]>),
}

struct Entry {
    term: Term,
    /// Operators on top of each other.
    depth: u32,
    /// Operators one behind or on top of the other.
    length: u32,
    /// Has parts that move side by side, where `split` looks for them.
    parallel: bool,
    /// `None` inside: the steps depend on shared memory or on parallel parts.
    steps: OnceLock<Option<Box<[Step]>>>,
}

/// Everything interned while a model is explored: shared by implementation and specification,
/// and by all workers.
pub struct Universe<'m> {
    pub model: &'m Model,
    pub events: Events,
    terms: Arena<Entry>,
    ids: Mutex<FxHashMap<Term, TermId>>,
    sets: Arena<FxHashSet<EventId>>,
    set_ids: Mutex<FxHashMap<Vec<EventId>, SetId>>,
    alphabets: Arena<Vec<Alphabet>>,
    alphabet_ids: Mutex<FxHashMap<Instance, AlphabetsId>>,
    pub(super) shapes: super::state::Shapes,
}

/// A site and the values of its free slots.
type Instance = (SiteId, Box<[i32]>);

/// Calls and operators within each other, without a step, beyond which a process counts as calling
/// itself.
const DEEP: u32 = 10_000;
/// Operands one operator may have.
const WIDE: usize = 10_000;

impl<'m> Universe<'m> {
    pub fn new(model: &'m Model) -> Self {
        let universe = Universe {
            model,
            events: Events::default(),
            terms: Arena::default(),
            ids: Mutex::default(),
            sets: Arena::default(),
            set_ids: Mutex::default(),
            alphabets: Arena::default(),
            alphabet_ids: Mutex::default(),
            shapes: Default::default(),
        };
        for term in [Term::Stop, Term::Skip, Term::Done] {
            universe.intern(term);
        }
        universe.alphabets.push(Vec::new());
        universe
    }

    pub fn term(&self, id: TermId) -> &Term {
        &self.terms.get(id.0).term
    }

    pub(super) fn cached(&self, id: TermId) -> &OnceLock<Option<Box<[Step]>>> {
        &self.terms.get(id.0).steps
    }

    pub fn terms(&self) -> u32 {
        self.terms.len()
    }

    /// Bytes that terms take, roughly. A table about to grow is there twice for a moment, the second
    /// time at double size.
    pub fn size(&self) -> u64 {
        let terms = self.terms() as u64;
        let capacity = (terms * 8 / 7).next_power_of_two();
        let growing = (capacity * 7 / 8).saturating_sub(terms) < (terms / 64).max(1024);
        let table = capacity * size_of::<(Term, TermId)>() as u64 * if growing { 3 } else { 1 };
        terms * (size_of::<Entry>() + size_of::<Step>()) as u64 + table
    }

    pub fn intern(&self, term: Term) -> TermId {
        let mut ids = self.ids.lock().expect("no panic while locked");
        *ids.entry(term).or_insert_with_key(|t| {
            let (depth, length, parallel) = self.measure(t);
            TermId(self.terms.push(Entry {
                term: t.clone(),
                depth,
                length,
                parallel,
                steps: OnceLock::new(),
            }))
        })
    }

    /// Depth, length, and whether it is parallel.
    fn measure(&self, term: &Term) -> (u32, u32, bool) {
        let entry = |id: &TermId| self.terms.get(id.0);
        let most = |kids: &[TermId], parallel: bool| {
            let depth = kids.iter().map(|k| entry(k).depth).max().unwrap_or(0);
            let length = kids.iter().map(|k| entry(k).length).max().unwrap_or(0);
            (depth + 1, length + 1, parallel)
        };
        match term {
            Term::Stop | Term::Skip | Term::Done | Term::At(..) => (0, 0, false),
            Term::Seq(t, right) => {
                let (t, right) = (entry(t), entry(right));
                (t.depth + 1, t.length + right.length + 1, t.parallel)
            }
            Term::Hide(t, _) | Term::Atomic(t) => most(&[*t], entry(t).parallel),
            Term::Interrupt(a, b) => most(&[*a, *b], false),
            Term::Choice(_, kids) => most(kids, false),
            Term::Parallel(_, _, kids) => most(kids, true),
        }
    }

    pub fn depth(&self, id: TermId) -> u32 {
        self.terms.get(id.0).depth
    }

    pub fn length(&self, id: TermId) -> u32 {
        self.terms.get(id.0).length
    }

    /// `term; right`, where `right` is not built yet.
    pub fn seq(&self, term: TermId, right: TermId) -> TermId {
        match self.term(term) {
            Term::Seq(first, second) => {
                let right = self.seq(*second, right);
                self.intern(Term::Seq(*first, right))
            }
            _ => self.intern(Term::Seq(term, right)),
        }
    }

    pub fn hidden(&self, term: TermId, set: SetId) -> TermId {
        match self.term(term) {
            Term::Hide(inner, other) => {
                let both = self.set_events(set).chain(self.set_events(*other)).collect();
                let set = self.intern_set(both);
                self.intern(Term::Hide(*inner, set))
            }
            _ => self.intern(Term::Hide(term, set)),
        }
    }

    pub fn atomic(&self, term: TermId) -> TermId {
        match self.term(term) {
            Term::Atomic(_) => term,
            _ => self.intern(Term::Atomic(term)),
        }
    }

    /// Whether a term has parallel parts that move side by side.
    pub fn is_parallel(&self, id: TermId) -> bool {
        self.terms.get(id.0).parallel
    }

    pub fn hides(&self, set: SetId, event: EventId) -> bool {
        self.sets.get(set.0).contains(&event)
    }

    pub fn alphabets(&self, id: AlphabetsId) -> &[Alphabet] {
        self.alphabets.get(id.0)
    }

    /// The term for a whole process: a site without free slots.
    pub fn root(&self, site: SiteId) -> Result<TermId, Fault> {
        let slots = self.model.def(self.model.site(site).def).slots;
        self.build(site, &vec![None; slots as usize])
    }

    pub fn build(&self, site: SiteId, env: Known) -> Result<TermId, Fault> {
        self.build_at(site, env, 0)
    }

    /// The term of an unbuilt right side.
    pub fn resolve(&self, id: TermId) -> Result<TermId, Fault> {
        match self.term(id) {
            Term::At(site, values) => self.build(*site, &self.env(*site, values)),
            Term::Seq(first, rest) => Ok(self.seq(self.resolve(*first)?, *rest)),
            _ => Ok(id),
        }
    }

    pub fn env(&self, site: SiteId, values: &[i32]) -> Vec<Option<i32>> {
        let site = self.model.site(site);
        let mut env = vec![None; self.model.def(site.def).slots as usize];
        for (slot, value) in site.free.iter().zip(values) {
            env[*slot as usize] = Some(*value);
        }
        env
    }

    /// The site as it stands, nothing unfolded.
    pub fn at(&self, site: SiteId, env: Known) -> TermId {
        let free = &self.model.site(site).free;
        let values = free.iter().map(|s| env[*s as usize].unwrap_or(0)).collect();
        self.intern(Term::At(site, values))
    }

    fn build_at(&self, id: SiteId, env: Known, depth: u32) -> Result<TermId, Fault> {
        let site = self.model.site(id);
        if depth > DEEP {
            return Err(Fault::unguarded(&self.model.def(site.def).name, site.spot));
        }
        let kids = |sites: &[SiteId]| -> Result<Vec<TermId>, Fault> {
            sites.iter().map(|s| self.build_at(*s, env, depth + 1)).collect()
        };
        Ok(match &site.node {
            Node::Stop => STOP,
            Node::Skip => SKIP,
            Node::Call(def, args) => {
                let args: Vec<_> = args.iter().map(|a| a.specialise(env).constant()).collect();
                if args.iter().any(Option::is_none) {
                    return Ok(self.at(id, env));
                }
                return self.call(*def, &args, depth + 1);
            }
            Node::Seq(left, right) => {
                let left = self.build_at(*left, env, depth + 1)?;
                self.seq(left, self.at(*right, env))
            }
            Node::Choice(choice, sites) => self.choice(*choice, kids(sites)?),
            Node::Parallel(kind, sites) => {
                let operands: Vec<_> = sites.iter().map(|s| (*s, env.to_vec())).collect();
                self.parallel(*kind, id, env, &operands, depth)?
            }
            Node::Indexed(operator, ranges, body) => {
                let mut envs = Vec::new();
                self.expand(ranges, env.to_vec(), site.spot, &mut |e| envs.push(e.to_vec()))?;
                let operands: Vec<_> = envs.into_iter().map(|e| (*body, e)).collect();
                self.operator(*operator, id, env, &operands, depth)?
            }
            Node::Copies(operator, count, body) => {
                let n = self.number(count, env)?;
                if n < 0 || n as usize > WIDE {
                    return Err(Fault::new(
                        FaultKind::Expansion,
                        format!("{n} copies cannot be built"),
                        site.spot,
                    ));
                }
                let operands = vec![(*body, env.to_vec()); n as usize];
                self.operator(*operator, id, env, &operands, depth)?
            }
            Node::Hide(body, sets) => {
                let body = self.build_at(*body, env, depth + 1)?;
                let set = self.event_set(sets, env, site.spot)?;
                self.hidden(body, set)
            }
            Node::Atomic(body) => {
                let body = self.build_at(*body, env, depth + 1)?;
                self.atomic(body)
            }
            Node::Interrupt(a, b) => {
                let (a, b) = (self.build_at(*a, env, depth + 1)?, self.build_at(*b, env, depth + 1)?);
                self.intern(Term::Interrupt(a, b))
            }
            Node::Prefix { .. }
            | Node::Send { .. }
            | Node::Receive { .. }
            | Node::If(..)
            | Node::IfAtomic(..)
            | Node::IfBlocking(..)
            | Node::Case(..)
            | Node::Guard(..) => self.at(id, env),
        })
    }

    pub(super) fn call(&self, def: DefId, args: &[Option<i32>], depth: u32) -> Result<TermId, Fault> {
        let def = self.model.def(def);
        let mut env = vec![None; def.slots as usize];
        env[..args.len()].copy_from_slice(args);
        self.build_at(def.body, &env, depth)
    }

    fn operator(
        &self,
        operator: Operator,
        site: SiteId,
        env: Known,
        operands: &[(SiteId, Vec<Option<i32>>)],
        depth: u32,
    ) -> Result<TermId, Fault> {
        match operator {
            Operator::Choice(choice) => {
                let kids: Result<Vec<_>, _> =
                    operands.iter().map(|(s, e)| self.build_at(*s, e, depth + 1)).collect();
                Ok(self.choice(choice, kids?))
            }
            Operator::Parallel(kind) => self.parallel(kind, site, env, operands, depth),
        }
    }

    /// No alternative at all is `Stop`; a single one is itself, except that `<>` always takes its
    /// internal step.
    pub(super) fn choice(&self, choice: Choice, mut kids: Vec<TermId>) -> TermId {
        if choice != Choice::General {
            // The order means nothing, and renamed processes must come out the same.
            kids.sort_unstable();
        }
        match (kids.len(), choice) {
            (0, _) => STOP,
            (1, Choice::External | Choice::General) => kids[0],
            _ => self.intern(Term::Choice(choice, kids.into())),
        }
    }

    /// No operand at all is `Skip`.
    fn parallel(
        &self,
        kind: Parallel,
        site: SiteId,
        env: Known,
        operands: &[(SiteId, Vec<Option<i32>>)],
        depth: u32,
    ) -> Result<TermId, Fault> {
        let kids: Result<Vec<_>, _> = operands.iter().map(|(s, e)| self.build_at(*s, e, depth + 1)).collect();
        let kids = kids?;
        if kids.len() < 2 {
            return Ok(kids.first().copied().unwrap_or(SKIP));
        }
        let alphabets = match kind {
            Parallel::Interleave => AlphabetsId(0),
            Parallel::Synchronise => {
                let free = &self.model.site(site).free;
                let key = (site, free.iter().map(|s| env[*s as usize].unwrap_or(0)).collect());
                let known = self.alphabet_ids.lock().expect("no panic while locked").get(&key).copied();
                match known {
                    Some(id) => id,
                    None => {
                        let all: Result<Vec<_>, _> =
                            operands.iter().map(|(s, e)| Alphabet::of(self, *s, e)).collect();
                        let all = all?;
                        let mut ids = self.alphabet_ids.lock().expect("no panic while locked");
                        *ids.entry(key).or_insert_with(|| AlphabetsId(self.alphabets.push(all)))
                    }
                }
            }
        };
        Ok(self.intern(Term::Parallel(kind, alphabets, kids.into())))
    }

    /// Evaluates what may not depend on shared memory.
    pub(super) fn number(&self, e: &Expr, env: Known) -> Result<i32, Fault> {
        match e.specialise(env) {
            Expr::Int(n) => Ok(n),
            other => {
                // Still symbolic: either it faults, or it reads what a term may not depend on.
                let cells: Vec<i32> = self.model.cells.iter().map(|c| c.initial).collect();
                let frame = Frame { model: self.model, cells: &cells, queues: &[], env: &[], locals: &[] };
                let mut reads = false;
                other.walk(&mut |e| reads |= !matches!(e, Expr::Int(_) | Expr::Unary(..) | Expr::Binary(..)));
                if reads {
                    return Err(Fault::new(
                        FaultKind::Expansion,
                        "an index set or hiding set must not depend on shared variables",
                        0,
                    ));
                }
                frame.eval(&other)
            }
        }
    }

    pub(super) fn expand(
        &self,
        ranges: &[Range],
        env: Vec<Option<i32>>,
        spot: Spot,
        found: &mut dyn FnMut(&[Option<i32>]),
    ) -> Result<(), Fault> {
        let mut envs = vec![env];
        for range in ranges {
            let mut next = Vec::new();
            for env in envs {
                for item in &range.values {
                    let (low, high) = match item {
                        RangeItem::One(e) => {
                            let n = self.number(e, &env)?;
                            (n, n)
                        }
                        RangeItem::Span(a, b) => (self.number(a, &env)?, self.number(b, &env)?),
                    };
                    for n in low..=high {
                        let mut env = env.clone();
                        env[range.slot as usize] = Some(n);
                        next.push(env);
                        if next.len() > WIDE {
                            return Err(Fault::new(
                                FaultKind::Expansion,
                                format!("an index set has more than {WIDE} elements"),
                                spot,
                            ));
                        }
                    }
                }
            }
            envs = next;
        }
        envs.iter().for_each(|e| found(e));
        Ok(())
    }

    fn event_set(&self, sets: &[EventSet], env: Known, spot: Spot) -> Result<SetId, Fault> {
        let mut ids = Vec::new();
        for set in sets {
            let mut envs = Vec::new();
            self.expand(&set.ranges, env.to_vec(), spot, &mut |e| envs.push(e.to_vec()))?;
            for env in envs {
                let args: Result<Vec<_>, _> = set.args.iter().map(|a| self.number(a, &env)).collect();
                ids.push(self.events.id(set.name, &args?));
            }
        }
        Ok(self.intern_set(ids))
    }

    pub fn set_events(&self, set: SetId) -> impl Iterator<Item = EventId> + '_ {
        self.sets.get(set.0).iter().copied()
    }

    pub fn intern_set(&self, mut ids: Vec<EventId>) -> SetId {
        ids.sort_unstable();
        ids.dedup();
        let mut known = self.set_ids.lock().expect("no panic while locked");
        *known.entry(ids).or_insert_with_key(|ids| SetId(self.sets.push(ids.iter().copied().collect())))
    }
}
