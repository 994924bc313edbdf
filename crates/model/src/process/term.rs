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
use super::interned::{Interned, hash};
use super::steps::Step;
use super::*;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::{Mutex, OnceLock};

pub use super::TermId;
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
    terms: Interned<Entry>,
    sets: Arena<FxHashSet<EventId>>,
    set_ids: Mutex<FxHashMap<Vec<EventId>, SetId>>,
    alphabets: Arena<(Instance, Vec<Alphabet>)>,
    alphabet_ids: Mutex<FxHashMap<Instance, AlphabetsId>>,
    pub(super) shapes: super::state::Shapes,
}

/// A site and the values of its free slots.
pub type Instance = (SiteId, Box<[i32]>);

impl<'m> Universe<'m> {
    pub fn new(model: &'m Model) -> Self {
        let universe = Universe {
            model,
            events: Events::default(),
            terms: Interned::default(),
            sets: Arena::default(),
            set_ids: Mutex::default(),
            alphabets: Arena::default(),
            alphabet_ids: Mutex::default(),
            shapes: Default::default(),
        };
        for term in [Term::Stop, Term::Skip, Term::Done] {
            universe.intern(term);
        }
        universe.alphabets.push(((SiteId(0), [].into()), Vec::new()));
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

    /// Bytes that terms take, roughly: with one step each, and a few values.
    pub fn size(&self) -> u64 {
        self.terms.size() + u64::from(self.terms()) * (size_of::<Step>() as u64 + 32)
    }

    pub fn intern(&self, term: Term) -> TermId {
        let entry = || {
            let (depth, length, parallel) = self.measure(&term);
            Entry { term: term.clone(), depth, length, parallel, steps: OnceLock::new() }
        };
        TermId(self.terms.id(hash(&term), |e| e.term == term, |e| hash(&e.term), entry))
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
        &self.alphabets.get(id.0).1
    }

    /// The `||` they belong to.
    pub fn alphabets_of(&self, id: AlphabetsId) -> &Instance {
        &self.alphabets.get(id.0).0
    }

    /// The alphabets of the `||` at a site, found once.
    pub(super) fn intern_alphabets(
        &self,
        at: Instance,
        find: impl FnOnce() -> Result<Vec<Alphabet>, Fault>,
    ) -> Result<AlphabetsId, Fault> {
        let known = self.alphabet_ids.lock().expect("no panic while locked").get(&at).copied();
        if let Some(id) = known {
            return Ok(id);
        }
        let all = find()?;
        let mut ids = self.alphabet_ids.lock().expect("no panic while locked");
        Ok(*ids.entry(at).or_insert_with_key(|at| AlphabetsId(self.alphabets.push((at.clone(), all)))))
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
