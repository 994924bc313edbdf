//! Which obligations are tried for which write, and what came of it.

use super::encode::{Instance, Switches};
use super::induct::Induction;
use super::lemma::{Lemma, Lemmas};
use super::library::Library;
use super::oblige::{Form, Label, Obligations};
use super::shape::candidates;
use super::solver::{Outcome, Solver};
use super::tree::Act;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

/// How a write was dealt with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Method {
    D,
    P0,
    Q1,
}

#[derive(Clone, Debug, Default)]
pub struct Proof {
    /// By location class: the facts that refutations took.
    pub relied: BTreeSet<String>,
    /// By lemma: what its induction took.
    pub support: BTreeMap<String, BTreeSet<String>>,
    pub queries: u64,
    pub clauses: u64,
    /// Of each write, and how it was dealt with.
    pub methods: BTreeMap<Label, Method>,
}

/// Where a proof did not go on.
#[derive(Clone, Debug)]
pub struct Stuck {
    pub write: Label,
    /// What was left open: an obligation in words.
    pub open: String,
    /// An assignment: calls in order of their steps.
    pub candidate: Vec<String>,
}

/// What the author said, and is not used.
#[derive(Clone, Debug)]
pub struct Refused {
    pub message: String,
    pub at: lineal_model::Place,
    pub remark: Option<String>,
}

#[derive(Debug)]
pub enum Stop {
    Stuck(Box<Stuck>),
    Refused(Refused),
    Limit(lineal_model::Limit),
}

pub struct Prover<'a, 's> {
    pub obligations: Obligations<'a>,
    pub solver: &'s mut dyn Solver,
    pub proof: Proof,
    /// Said before each question.
    pub watch: &'s mut dyn FnMut(&Proof) -> ControlFlow<lineal_model::Limit>,
}

/// Lemmas whose induction does not go through, each with an assignment.
pub type Failed = Vec<(Lemma, Vec<String>)>;

/// Whether a formula was refuted, or the assignment.
type Answer = Result<Option<Vec<String>>, Stop>;

impl<'a, 's> Prover<'a, 's> {
    pub fn new(
        library: &'a Library,
        lemmas: &'a Lemmas,
        switches: Switches,
        solver: &'s mut dyn Solver,
        watch: &'s mut dyn FnMut(&Proof) -> ControlFlow<lineal_model::Limit>,
    ) -> Self {
        let obligations = Obligations { library, lemmas, switches, closed: false, tails: false };
        Prover { obligations, solver, proof: Proof::default(), watch }
    }

    /// What the proof took, and what the inductions of those lemmas took.
    pub fn facts(&self) -> BTreeSet<String> {
        let mut all = self.proof.relied.clone();
        loop {
            let more = all.iter().filter_map(|f| self.proof.support.get(f)).flatten().cloned();
            let more: BTreeSet<String> = more.filter(|f| !all.contains(f)).collect();
            if more.is_empty() {
                return all;
            }
            all.extend(more);
        }
    }

    fn library(&self) -> &'a Library {
        self.obligations.library
    }

    /// Of the lemmas that have the shape for it, those whose induction goes through.
    pub fn lemmas(
        library: &'a Library,
        switches: Switches,
        solver: &mut dyn Solver,
        watch: &mut dyn FnMut(&Proof) -> ControlFlow<lineal_model::Limit>,
    ) -> Result<(Lemmas, Failed, Proof), Stop> {
        let (mut known, mut failed, mut proof) = (Lemmas::default(), Vec::new(), Proof::default());
        for lemma in candidates(library, switches) {
            let open = {
                let induction = Induction { library, switches, known: &known };
                let none = Lemmas::default();
                let mut prover = Prover::new(library, &none, switches, &mut *solver, &mut *watch);
                std::mem::swap(&mut prover.proof, &mut proof);
                let mut open = None;
                let granted = lemma.stated(library).is_some_and(|s| s.fact.granted);
                let mut ask = |all: Vec<Instance<'_>>, open: &mut Option<Vec<String>>| {
                    for x in all {
                        if let Some(candidate) = prover.ask(&x)? {
                            open.get_or_insert(candidate);
                            return Ok(false);
                        }
                    }
                    Ok(true)
                };
                if !granted && !ask(induction.obligations(&lemma), &mut open)? {
                    let more = induction.with_sources(&lemma);
                    if !more.is_empty() && ask(more, &mut open)? {
                        open = None;
                    }
                }
                std::mem::swap(&mut prover.proof, &mut proof);
                open
            };
            let took = std::mem::take(&mut proof.relied);
            match open {
                None => {
                    proof.support.insert(lemma.name(library), took);
                    known.all.push(lemma);
                }
                Some(candidate) => failed.push((lemma, candidate)),
            }
        }
        Ok((known, failed, proof))
    }

    /// `None`: there is no assignment.
    pub fn ask(&mut self, x: &Instance<'_>) -> Answer {
        if let ControlFlow::Break(limit) = (self.watch)(&self.proof) {
            return Err(Stop::Limit(limit));
        }
        self.proof.queries += 1;
        self.proof.clauses = self.proof.clauses.max(x.f.clauses.iter().filter(|l| **l == 0).count() as u64);
        let (proof, limit) = (&self.proof, RefCell::new(None));
        let watch = RefCell::new(&mut *self.watch);
        let stop = || match (watch.borrow_mut())(proof) {
            ControlFlow::Continue(()) => false,
            ControlFlow::Break(reached) => {
                *limit.borrow_mut() = Some(reached);
                true
            }
        };
        let outcome = self.solver.solve_until(&x.f, &stop);
        if let (Outcome::Unknown(_), Some(limit)) = (&outcome, limit.into_inner()) {
            return Err(Stop::Limit(limit));
        }
        match outcome {
            Outcome::Unsat(core) => {
                self.proof.relied.extend(core.iter().map(|&g| x.f.groups[g].0.clone()));
                Ok(None)
            }
            Outcome::Sat(model) => Ok(Some(x.tell(&model))),
            Outcome::Unknown(why) => Err(Stop::Limit(lineal_model::Limit::method(why))),
        }
    }

    /// The same with more calls, if it takes that.
    fn grown(&mut self, make: &dyn Fn(&Obligations<'a>, &[usize]) -> Option<Instance<'a>>) -> Answer {
        let Some(x) = make(&self.obligations, &[]) else { return Ok(None) };
        let found = self.ask(&x)?;
        if found.is_none() {
            return Ok(None);
        }
        if x.stale_event().is_some() {
            self.obligations.tails = true;
            let again = make(&self.obligations, &[]).map(|x| self.ask(&x));
            self.obligations.tails = false;
            if let Some(None) = again.transpose()? {
                return Ok(None);
            }
        }
        for operation in 0..self.library().operations.len() {
            if let Some(x) = make(&self.obligations, &[operation])
                && self.ask(&x)?.is_none()
            {
                return Ok(None);
            }
        }
        Ok(found)
    }

    /// Deals with every write.
    pub fn run(&mut self) -> Result<(), Stop> {
        self.links()?;
        for m in self.obligations.labels() {
            if self.obligations.node(m).writes() {
                self.write(m)?;
            }
        }
        self.errors()
    }

    /// Whether nothing leads out of what links cover, if there is a list.
    fn links(&mut self) -> Result<(), Stop> {
        let Some(list) = self.library().list.as_ref() else { return Ok(()) };
        if self.obligations.lemmas.all.iter().all(|l| l.told_of().is_empty()) {
            return Ok(());
        }
        for m in self.obligations.labels() {
            let link =
                self.obligations.class(m) == Some(list.next) && self.obligations.node(m).is_shared_write();
            if link && self.leaves(m, Form::Last)?.is_some() {
                return Ok(());
            }
        }
        self.obligations.closed = true;
        Ok(())
    }

    /// Errors that an execution can have though sequential consistency has it: they are about
    /// happens-before.
    pub fn errors(&mut self) -> Result<(), Stop> {
        let labels = self.obligations.labels();
        for &a in &labels {
            for &b in &labels {
                let (first, second) = (self.obligations.node(a), self.obligations.node(b));
                let class = self.obligations.class(b);
                let heap = class.is_some_and(|c| self.library().classes[c].heap);
                if first.act == Act::Alloc
                    && heap
                    && !second.own
                    && let Some(candidate) = self.grown(&|o, more| Some(o.unseen(a, b, more)))?
                {
                    let open = format!("{} may use the block though nothing makes it visible", self.words(b));
                    return Err(Stop::Stuck(Box::new(Stuck { write: a, open, candidate })));
                }
                let plain = !first.atomic || !second.atomic;
                let conflict = class.is_some()
                    && class == self.obligations.class(a)
                    && (first.writes() || second.writes());
                if plain
                    && conflict
                    && !second.own
                    && let Some(candidate) = self.grown(&|o, more| Some(o.race(a, b, more)))?
                {
                    let open = format!("{} may race with it", self.words(b));
                    return Err(Stop::Stuck(Box::new(Stuck { write: a, open, candidate })));
                }
            }
        }
        Ok(())
    }

    fn write(&mut self, m: Label) -> Result<(), Stop> {
        let mut method = Method::D;
        for form in [Form::Last, Form::Next] {
            let mut open = Vec::new();
            for y in self.obligations.labels() {
                if self.obligations.form(m, y) != Some(form) {
                    continue;
                }
                let alone = |l: Label| self.library().operations[l.operation].session;
                if alone(m).is_some() && alone(m) == alone(y) {
                    continue;
                }
                if let Some(candidate) = self.grown(&|o, more| Some(o.d(m, y, form, more)))? {
                    open.push((y, candidate));
                }
            }
            if open.is_empty() {
                continue;
            }
            let Some((what, candidate)) = self.leaves(m, form)? else {
                method = method.max(Method::P0);
                continue;
            };
            let _ = candidate;
            let mut stuck = None;
            for (y, _) in &open {
                if let Some(candidate) = self.chains(m, *y, form)? {
                    let why = format!("{} may skip it after something that leads there", self.words(*y));
                    stuck = Some((why, candidate));
                    break;
                }
            }
            if stuck.is_none() && !self.two_sessions() {
                stuck = self.goes_on(m, form)?;
            }
            let Some((mut why, mut candidate)) = stuck else {
                method = method.max(Method::Q1);
                continue;
            };
            if !self.two_sessions() {
                (why, candidate) =
                    (format!("{} may skip it, and {what}", self.words(open[0].0)), open.swap_remove(0).1);
            }
            return Err(Stop::Stuck(Box::new(Stuck { write: m, open: why, candidate })));
        }
        self.proof.methods.insert(m, method);
        Ok(())
    }

    /// All calls are made by two sessions: then no way leads through a third one.
    fn two_sessions(&self) -> bool {
        let roles: BTreeSet<Option<usize>> = self.library().operations.iter().map(|o| o.session).collect();
        roles.len() <= 2 && !roles.contains(&None)
    }

    fn sources(&self) -> Vec<Option<usize>> {
        std::iter::once(None).chain((0..self.library().operations.len()).map(Some)).collect()
    }

    /// A way out of what `m` covers.
    fn leaves(&mut self, m: Label, form: Form) -> Result<Option<(String, Vec<String>)>, Stop> {
        for from in self.sources() {
            for to in 0..self.library().operations.len() {
                if let Some(candidate) = self.grown(&|o, more| o.p0(m, from, to, form, more))? {
                    let from = from.map_or(m.operation, |f| f);
                    let (from, to) =
                        (&self.library().operations[from].name, &self.library().operations[to].name);
                    return Ok(Some((
                        format!("what follows it in `{from}` may lead to `{to}` unseen"),
                        candidate,
                    )));
                }
            }
        }
        Ok(None)
    }

    /// A way out of what `m` covers to the session of `y`, which then skips `m`.
    fn chains(&mut self, m: Label, y: Label, form: Form) -> Result<Option<Vec<String>>, Stop> {
        for from in self.sources() {
            for to in self.sources() {
                if let Some(candidate) = self.grown(&|o, more| o.q1((m, y), form, from, to, more))? {
                    return Ok(Some(candidate));
                }
            }
        }
        Ok(None)
    }

    /// A way out of what `m` covers that goes on through a third session.
    fn goes_on(&mut self, m: Label, form: Form) -> Result<Option<(String, Vec<String>)>, Stop> {
        let operations = self.library().operations.len();
        for from in self.sources() {
            for to in 0..operations {
                for then in self.sources() {
                    for last in 0..operations {
                        let way = (to, then, last);
                        if let Some(candidate) = self.grown(&|o, more| o.p1(m, form, from, way, more))? {
                            let why = "what follows it may lead to a third session unseen".to_string();
                            return Ok(Some((why, candidate)));
                        }
                    }
                }
            }
        }
        Ok(None)
    }

    pub fn words(&self, l: Label) -> String {
        words(self.library(), l)
    }
}

/// An access, in words.
pub fn words(library: &Library, l: Label) -> String {
    let node = library.node(l.operation, l.node);
    let what = match node.act {
        Act::Read => "a read",
        Act::Write => "a store",
        Act::Update => "a read-modify-write",
        Act::Alloc => "an allocation",
        _ => "a step",
    };
    let class = library.class_of(l.operation, l.node);
    let of = class.map(|c| format!(" of {}", library.classes[c].name)).unwrap_or_default();
    format!("{what}{of} in `{}`", library.operations[l.operation].name)
}

impl Instance<'_> {
    /// An assignment as an execution: a line for each step, in order.
    pub fn tell(&self, model: &[bool]) -> Vec<String> {
        let is = |l: super::formula::Lit| {
            model.get(l.unsigned_abs() as usize).copied().unwrap_or(false) == (l > 0)
        };
        let mut on: Vec<usize> =
            self.indices().filter(|&e| is(self.events[e].on) && self.events[e].point.is_some()).collect();
        on.retain(|&e| !self.ends || is(self.le(self.point(e), self.cut)));
        on.sort_by(|&a, &b| {
            let (p, q) = (self.point(a), self.point(b));
            if p == q || is(self.le(p, q)) { std::cmp::Ordering::Less } else { std::cmp::Ordering::Greater }
        });
        let mut session: Vec<usize> = (0..self.calls.len()).collect();
        for i in 0..self.calls.len() {
            if let Some(j) = (0..i).find(|&j| is(self.session(i, j))) {
                session[i] = session[j];
            }
        }
        let number = |bits: &super::formula::Bits| -> u64 {
            bits.iter().enumerate().map(|(i, &b)| u64::from(is(b)) << i).sum()
        };
        on.iter()
            .map(|&e| {
                let event = &self.events[e];
                let label = Label { operation: self.calls[event.call], node: event.node };
                let node = self.node(e);
                let mut line = format!("session {}: {}", session[event.call] + 1, words(self.library, label));
                if let Some(index) = &event.index
                    && self.library.classes[event.class.unwrap_or(0)].heap
                {
                    line += &format!(", block {}", number(index));
                }
                if let Some(read) = &event.read {
                    line += &format!(", reads {}", number(read));
                }
                if let (true, Some(wrote)) = (node.writes(), &event.wrote) {
                    line += &format!(", writes {}", number(wrote));
                }
                if let Some(s) = event.source {
                    let from = on.iter().position(|&w| {
                        self.writes(w)
                            && w != e
                            && is(self.le(self.point(w), s))
                            && is(self.le(s, self.point(w)))
                    });
                    line += &match from {
                        Some(i) => format!(", from step {}", i + 1),
                        None if is(self.le(s, 0)) => ", the initial value".into(),
                        None => ", from another call".into(),
                    };
                }
                if event.part != super::encode::Part::Sequential {
                    line += match event.part {
                        super::encode::Part::Stale => " (old)",
                        _ => " (after that)",
                    };
                }
                line
            })
            .collect()
    }
}
