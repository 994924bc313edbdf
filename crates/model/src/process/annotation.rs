//! What a model asks of single events: `wf(e)`, `sf(e)`, `wl(e)` and `sl(e)` in place of `e`.
//!
//! Sun, Liu, Dong, Wang, *Specifying and Verifying Event-based Fairness Enhanced Systems* (ICFEM 2008).
//! An annotation is about runs: one counts only if each annotated event that is owed something happens
//! again and again. An event, here as in [`super::Fairness`], is a visible label with its arguments, and
//! whoever takes it, annotated or not, gives it its due.
//!
//! - *fair* events are owed something by states that *enable* them: an annotated process can take part
//!   in a step with this label;
//! - *live* events are owed something by states in which they are *ready*: an annotated process would
//!   take the event, whether or not those it synchronises with do, and whether or not an atomic process
//!   goes first. So a deadlock in which somebody is ready for a live event is no run that counts, and
//!   there may be no run that counts at all;
//! - *weak*: if all states from some point on do so; *strong*: if states do so again and again.

use super::expr::Frame;
use super::state::ShapeKind;
use super::steps::Act;
use super::system::System;
use super::term::{SetId, Term, TermId, Universe};
use super::{Choice, EventId, Fault, Model, Node, SiteId, State};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Annotation {
    WeakFair,
    StrongFair,
    WeakLive,
    StrongLive,
}

impl Annotation {
    pub const ALL: [Annotation; 4] =
        [Annotation::WeakFair, Annotation::StrongFair, Annotation::WeakLive, Annotation::StrongLive];

    /// As models write it.
    pub fn word(self) -> &'static str {
        match self {
            Annotation::WeakFair => "wf",
            Annotation::StrongFair => "sf",
            Annotation::WeakLive => "wl",
            Annotation::StrongLive => "sl",
        }
    }

    pub fn from_word(word: &str) -> Option<Annotation> {
        Annotation::ALL.into_iter().find(|a| a.word() == word)
    }

    /// Whether being owed something again and again is enough.
    pub fn is_strong(self) -> bool {
        matches!(self, Annotation::StrongFair | Annotation::StrongLive)
    }

    /// Whether being ready is enough.
    pub fn is_live(self) -> bool {
        matches!(self, Annotation::WeakLive | Annotation::StrongLive)
    }
}

/// The annotations of those who take part in a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Annotations(u8);

impl Annotations {
    pub const NONE: Annotations = Annotations(0);

    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub fn contains(self, one: Annotation) -> bool {
        self.0 & 1 << one as u8 != 0
    }

    pub fn iter(self) -> impl Iterator<Item = Annotation> {
        Annotation::ALL.into_iter().filter(move |a| self.contains(*a))
    }

    pub fn are_live(self) -> bool {
        self.iter().any(Annotation::is_live)
    }

    pub fn and(self, other: Annotations) -> Annotations {
        Annotations(self.0 | other.0)
    }
}

impl From<Option<Annotation>> for Annotations {
    fn from(one: Option<Annotation>) -> Self {
        Annotations(one.map_or(0, |a| 1 << a as u8))
    }
}

impl Model {
    /// What a process may ask of some event.
    pub fn annotations(&self, root: SiteId) -> Annotations {
        let (mut seen, mut all) = (vec![false; self.sites.len()], Annotations::NONE);
        let mut open = vec![root];
        while let Some(site) = open.pop() {
            if std::mem::replace(&mut seen[site.0 as usize], true) {
                continue;
            }
            match &self.site(site).node {
                Node::Stop | Node::Skip => {}
                Node::Prefix { annotation, next, .. } => {
                    all = all.and((*annotation).into());
                    open.push(*next);
                }
                Node::Send { next, .. } | Node::Receive { next, .. } => open.push(*next),
                Node::If(_, a, b) | Node::IfAtomic(_, a, b) => open.extend([*a, *b]),
                Node::Seq(a, b) | Node::Interrupt(a, b) => open.extend([*a, *b]),
                Node::Case(branches, default) => {
                    open.extend(branches.iter().map(|(_, to)| *to));
                    open.push(*default);
                }
                Node::Choice(_, kids) | Node::Parallel(_, kids) => open.extend(kids),
                Node::IfBlocking(_, body)
                | Node::Guard(_, body)
                | Node::Indexed(_, _, body)
                | Node::Copies(_, _, body)
                | Node::Hide(body, _)
                | Node::Atomic(body) => open.push(*body),
                Node::Call(def, _) => open.push(self.def(*def).body),
            }
        }
        all
    }
}

/// An event that somebody is ready for: `None` if it is hidden.
pub type Ready = (Option<EventId>, Annotation);

impl System<'_, '_> {
    /// The live events that are ready in a state, each once.
    pub fn ready(&self, state: &State) -> Vec<Ready> {
        let nodes = &self.universe.shape(state.shape).nodes;
        let mut seek = Seek {
            universe: self.universe,
            frame: self.frame(state),
            hidden: Vec::new(),
            path: Vec::new(),
            found: Vec::new(),
        };
        seek.components(nodes, &mut 0, &mut state.leaves.iter());
        seek.found.sort_unstable();
        seek.found.dedup();
        seek.found
    }
}

struct Seek<'s, 'm> {
    universe: &'s Universe<'m>,
    frame: Frame<'s>,
    hidden: Vec<SetId>,
    /// Terms around the one that is looked at. A term within itself faults when it is to move.
    path: Vec<TermId>,
    found: Vec<Ready>,
}

impl Seek<'_, '_> {
    fn components(&mut self, nodes: &[ShapeKind], at: &mut usize, leaves: &mut std::slice::Iter<TermId>) {
        let node = &nodes[*at];
        *at += 1;
        match node {
            ShapeKind::Leaf => self.term(*leaves.next().expect("a component for each leaf")),
            ShapeKind::Parallel(_, _, n) => (0..*n).for_each(|_| self.components(nodes, at, leaves)),
            ShapeKind::Hide(set) => {
                self.hidden.push(*set);
                self.components(nodes, at, leaves);
                self.hidden.pop();
            }
            ShapeKind::Seq(_) | ShapeKind::Atomic => self.components(nodes, at, leaves),
        }
    }

    fn term(&mut self, term: TermId) {
        if self.path.contains(&term) {
            return;
        }
        self.path.push(term);
        match self.universe.term(term) {
            Term::Stop | Term::Skip | Term::Done | Term::Choice(Choice::Internal, _) => {}
            Term::Seq(body, _) | Term::Atomic(body) => self.term(*body),
            Term::Hide(body, set) => {
                self.hidden.push(*set);
                self.term(*body);
                self.hidden.pop();
            }
            Term::Interrupt(body, by) => {
                self.term(*body);
                self.term(*by);
            }
            Term::Choice(_, kids) | Term::Parallel(_, _, kids) => kids.iter().for_each(|k| self.term(*k)),
            // What faults here faults when it is to move, too.
            Term::At(site, values) => {
                let _ = self.site(*site, &self.universe.env(*site, values));
            }
        }
        self.path.pop();
    }

    fn site(&mut self, site: SiteId, env: &[Option<i32>]) -> Result<(), Fault> {
        let universe = self.universe;
        let then = match &universe.model.site(site).node {
            Node::Prefix { event, annotation: Some(annotation), .. } if annotation.is_live() => {
                let event = match universe.label(event, env) {
                    Act::Event(event) => event,
                    Act::Computed(name, args, _) => {
                        let args: Result<Vec<_>, _> = args.iter().map(|a| self.frame.eval(a)).collect();
                        universe.events.id(name, &args?)
                    }
                    _ => return Ok(()),
                };
                let shown = !self.hidden.iter().any(|set| universe.hides(*set, event));
                self.found.push((shown.then_some(event), *annotation));
                return Ok(());
            }
            Node::Stop
            | Node::Skip
            | Node::Prefix { .. }
            | Node::Send { .. }
            | Node::Receive { .. }
            | Node::If(..)
            | Node::IfBlocking(..)
            | Node::Case(..) => return Ok(()),
            Node::Guard(c, body) => match self.frame.holds(&c.specialise(env))? {
                true => universe.build(*body, env)?,
                false => return Ok(()),
            },
            Node::IfAtomic(c, yes, no) => {
                universe.build(if self.frame.holds(&c.specialise(env))? { *yes } else { *no }, env)?
            }
            Node::Call(def, args) => {
                let args: Result<Vec<_>, _> =
                    args.iter().map(|a| self.frame.eval(&a.specialise(env)).map(Some)).collect();
                universe.call(*def, &args?)?
            }
            _ => universe.build(site, env)?,
        };
        self.term(then);
        Ok(())
    }
}
