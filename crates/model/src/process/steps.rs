//! What a term can do: the step rules of every operator.
//!
//! A [`Step`] is symbolic where it can be: guards, labels and blocks are expressions over shared
//! memory with all parameters filled in, so the steps of a term are computed once. Two things
//! need the memory at hand: a call whose arguments read it, and parallel parts inside a choice
//! (their synchronisation compares labels). Those terms are worked out afresh in each state.

use super::events::TICK;
use super::expr::{Expr, Frame, Message, Unary};
use super::term::{AlphabetsId, DONE, SetId, Term, TermId, Universe};
use super::*;
use std::cell::RefCell;

#[derive(Clone, Debug)]
pub struct Step {
    /// All must hold.
    pub guard: Vec<Expr>,
    pub act: Act,
    pub code: Vec<Code>,
    pub queue: Option<QueueOp>,
    pub next: Cont,
    /// Taken inside `atomic`.
    pub atomic: bool,
    /// What is asked of its event, also if that is hidden.
    pub annotations: Annotations,
    pub site: SiteId,
}

#[derive(Clone, Debug)]
pub enum Act {
    Tau,
    Event(EventId),
    /// Its arguments read shared memory; the sets are those of enclosing hidings.
    Computed(u32, Arc<[Expr]>, Vec<SetId>),
    Send(ChannelExpr, Arc<[Expr]>),
    Receive(Arc<Reception>),
    Fault(Fault),
}

#[derive(Debug)]
pub struct Reception {
    pub channel: ChannelExpr,
    pub pattern: Vec<Pattern>,
    pub guard: Option<Expr>,
    /// Values of the slots, those to be received not yet filled in.
    pub env: Box<[i32]>,
}

#[derive(Clone, Debug)]
pub struct Code {
    pub block: Arc<Block>,
    /// Received values; empty if the block has no slots left.
    pub env: Arc<[i32]>,
}

#[derive(Clone, Debug)]
pub enum QueueOp {
    Push(usize, Message),
    Pop(usize),
}

/// What remains after a step.
#[derive(Clone, Debug)]
pub enum Cont {
    Term(TermId),
    /// A site that waits for received values.
    Bind(SiteId),
    Bound(SiteId, Arc<[i32]>),
    Wrap(Wrap, Box<Cont>),
    /// Parallel operands, some of them changed.
    Parallel(Parallel, AlphabetsId, Box<[TermId]>, Vec<(usize, Cont)>),
    /// The first if the label turns out hidden.
    IfHidden(Box<(Cont, Cont)>),
}

#[derive(Clone, Debug)]
pub enum Wrap {
    Seq(TermId),
    Hide(SetId),
    Atomic,
    Interrupt(TermId),
    /// `[*]` whose operand of that number moves.
    General(Box<[TermId]>, usize),
}

/// Why a term's steps cannot be computed once and for all.
struct NeedsMemory;

/// What is at hand while steps are worked out.
#[derive(Clone, Copy)]
struct Seek<'s, 'f> {
    frame: Option<&'s Frame<'f>>,
    open: &'s RefCell<Open>,
}

/// Terms being worked out, each because the one before it needs its steps.
#[derive(Default)]
struct Open {
    path: Vec<TermId>,
    /// The lowest place on the path that was needed again.
    again: Option<usize>,
}

/// Terms that may need each other's steps.
const DEEP: usize = 10_000;

impl Universe<'_> {
    /// The steps of `term` if they can be known without looking at shared memory.
    pub fn symbolic(&self, term: TermId) -> Option<&[Step]> {
        let cached = self.cached(term);
        if cached.get().is_none() {
            let _ = self.of(term, Seek { frame: None, open: &RefCell::default() });
        }
        cached.get()?.as_deref()
    }

    /// The steps of `term` now, guards and labels still to be evaluated.
    pub fn steps(&self, term: TermId, frame: &Frame) -> Vec<Step> {
        self.of(term, Seek { frame: Some(frame), open: &RefCell::default() }).unwrap_or_default()
    }

    /// Steps are remembered if they do not depend on the memory, nor on a term further up that is
    /// not finished. A term that needs its own steps calls itself without taking one.
    fn of(&self, term: TermId, seek: Seek) -> Result<Vec<Step>, NeedsMemory> {
        let cached = self.cached(term);
        match (cached.get(), seek.frame) {
            (Some(Some(steps)), _) => return Ok(steps.to_vec()),
            (Some(None), None) => return Err(NeedsMemory),
            _ => {}
        }
        let (at, before) = {
            let open = &mut *seek.open.borrow_mut();
            let at = open.path.len();
            let again = open.path.iter().position(|t| *t == term).or((at > DEEP).then_some(0));
            if let Some(again) = again {
                open.again = Some(open.again.map_or(again, |a| a.min(again)));
                return Ok(vec![self.unguarded(term)]);
            }
            open.path.push(term);
            (at, open.again.take())
        };
        let mut found = Err(NeedsMemory);
        if cached.get().is_none() {
            found = self.compute(term, Seek { frame: None, ..seek });
            if seek.open.borrow().again.is_none_or(|a| a >= at) {
                // Another worker may have been here: with the same steps.
                let _ = cached.set(found.as_ref().ok().map(|steps| steps.clone().into_boxed_slice()));
            }
        }
        if found.is_err() && seek.frame.is_some() {
            found = self.compute(term, seek);
        }
        let open = &mut *seek.open.borrow_mut();
        open.path.pop();
        let again = open.again.filter(|a| *a < at);
        open.again = before.into_iter().chain(again).min();
        found
    }

    fn unguarded(&self, term: TermId) -> Step {
        let site = match self.term(term) {
            Term::At(site, _) => *site,
            _ => SiteId(0),
        };
        let info = self.model.site(site);
        Step::new(
            Act::Fault(Fault::unguarded(&self.model.def(info.def).name, info.spot)),
            Cont::Term(DONE),
            site,
        )
    }

    fn compute(&self, term: TermId, seek: Seek) -> Result<Vec<Step>, NeedsMemory> {
        Ok(match self.term(term) {
            Term::Stop | Term::Done => Vec::new(),
            Term::Skip => vec![Step::new(Act::Event(TICK), Cont::Term(DONE), SiteId(0))],
            Term::At(site, values) => return self.at_site(*site, values, seek),
            Term::Seq(left, right) => self.lift_all(*left, &Wrap::Seq(*right), seek)?,
            Term::Hide(body, set) => self.lift_all(*body, &Wrap::Hide(*set), seek)?,
            Term::Atomic(body) => self.lift_all(*body, &Wrap::Atomic, seek)?,
            Term::Interrupt(body, by) => {
                let mut steps = self.lift_all(*body, &Wrap::Interrupt(*by), seek)?;
                steps.extend(self.of(*by, seek)?);
                steps
            }
            Term::Choice(Choice::External, kids) => {
                let mut steps = Vec::new();
                for kid in kids {
                    steps.extend(self.of(*kid, seek)?);
                }
                steps
            }
            Term::Choice(Choice::General, kids) => {
                let mut steps = Vec::new();
                for (i, kid) in kids.iter().enumerate() {
                    steps.extend(self.lift_all(*kid, &Wrap::General(kids.clone(), i), seek)?);
                }
                steps
            }
            Term::Choice(Choice::Internal, kids) => {
                let step = |kid: &TermId| match self.resolve(*kid) {
                    Ok(term) => Step::new(Act::Tau, Cont::Term(term), SiteId(0)),
                    Err(fault) => Step::new(Act::Fault(fault), Cont::Term(DONE), SiteId(0)),
                };
                kids.iter().map(step).collect()
            }
            Term::Parallel(kind, alphabets, kids) => {
                let frame = seek.frame.ok_or(NeedsMemory)?;
                let mut offers = Vec::new();
                for (i, kid) in kids.iter().enumerate() {
                    let steps = self.of(*kid, seek)?;
                    offers.push(steps.iter().filter_map(|s| self.offer(s, frame, i)).collect());
                }
                let wrap = |offer: Offer| {
                    let next = match offer.act {
                        Act::Event(TICK) => Cont::Term(DONE),
                        _ => Cont::Parallel(*kind, *alphabets, kids.clone(), offer.changed),
                    };
                    Step {
                        guard: Vec::new(),
                        act: offer.act,
                        code: offer.code,
                        queue: offer.queue,
                        next,
                        atomic: offer.atomic,
                        annotations: offer.annotations,
                        site: offer.site,
                    }
                };
                self.compose(*kind, *alphabets, offers, frame).into_iter().map(wrap).collect()
            }
        })
    }

    fn at_site(&self, id: SiteId, values: &[i32], seek: Seek) -> Result<Vec<Step>, NeedsMemory> {
        let site = self.model.site(id);
        let env = self.env(id, values);
        let build = |s: SiteId| self.build(s, &env);
        let next = |s: SiteId, act: Act| match build(s) {
            Ok(term) => Step::new(act, Cont::Term(term), id),
            Err(fault) => Step::new(Act::Fault(fault), Cont::Term(DONE), id),
        };
        // The steps of a branch that must not cost a step of its own.
        let joined = |s: SiteId, guard: Expr| match build(s) {
            _ if guard.constant() == Some(0) => Ok(Vec::new()),
            Ok(term) => {
                let mut steps = self.of(term, seek)?;
                steps.iter_mut().for_each(|s| s.require(guard.clone()));
                Ok(steps)
            }
            Err(fault) => Ok(vec![Step::new(Act::Fault(fault), Cont::Term(DONE), id).when(guard)]),
        };
        let not = |e: &Expr| Expr::Unary(Unary::Not, Box::new(e.clone()), 0).specialise(&env);
        Ok(match &site.node {
            Node::Prefix { event, annotation, block, next: to } => {
                let mut step = next(*to, self.label(event, &env));
                step.annotations = (*annotation).into();
                step.code.extend(block.iter().map(|b| Code::new(b.specialise(&env), [].into())));
                vec![step]
            }
            Node::Send { channel, values, block, next: to } => {
                let values = values.iter().map(|v| v.specialise(&env)).collect();
                let mut step = next(*to, Act::Send(channel.specialise(&env), values));
                step.code.extend(block.iter().map(|b| Code::new(b.specialise(&env), [].into())));
                vec![step]
            }
            Node::Receive { channel, pattern, guard, block, next: to } => {
                let reception = Reception {
                    channel: channel.specialise(&env),
                    pattern: pattern
                        .iter()
                        .map(|p| match p {
                            Pattern::Bind(s) => Pattern::Bind(*s),
                            Pattern::Match(e) => Pattern::Match(e.specialise(&env)),
                        })
                        .collect(),
                    guard: guard.as_ref().map(|g| g.specialise(&env)),
                    env: env.iter().map(|v| v.unwrap_or(0)).collect(),
                };
                let mut step = Step::new(Act::Receive(Arc::new(reception)), Cont::Bind(*to), id);
                step.code.extend(block.iter().map(|b| Code::new(b.specialise(&env), [].into())));
                vec![step]
            }
            Node::If(c, yes, no) => {
                let c = c.specialise(&env);
                vec![next(*yes, Act::Tau).when(c.clone()), next(*no, Act::Tau).when(not(&c))]
            }
            Node::IfAtomic(c, yes, no) => {
                let c = c.specialise(&env);
                let mut steps = joined(*yes, c.clone())?;
                steps.extend(joined(*no, not(&c))?);
                steps
            }
            Node::IfBlocking(c, body) => self.blocked_if(next(*body, Act::Tau), c.specialise(&env)),
            Node::Guard(c, body) => joined(*body, c.specialise(&env))?,
            Node::Case(branches, default) => {
                // In the order of the text: a condition is looked at only if those before it fail.
                let mut failed: Vec<Expr> = Vec::new();
                let mut steps = Vec::new();
                for (c, body) in branches {
                    let c = c.specialise(&env);
                    let guard = [&failed[..], std::slice::from_ref(&c)].concat();
                    steps.push(Step { guard, ..next(*body, Act::Tau) });
                    failed.push(not(&c));
                }
                steps.push(Step { guard: failed, ..next(*default, Act::Tau) });
                steps
            }
            Node::Call(def, args) => {
                let args: Vec<Expr> = args.iter().map(|a| a.specialise(&env)).collect();
                let args = match args.iter().map(|a| a.constant().map(Some)).collect() {
                    Some(args) => Ok(args),
                    None => {
                        let frame = seek.frame.ok_or(NeedsMemory)?;
                        args.iter().map(|a| frame.eval(a).map(Some)).collect::<Result<Vec<_>, _>>()
                    }
                };
                match args.and_then(|args| self.call(*def, &args)) {
                    Ok(term) => self.of(term, seek)?,
                    Err(fault) => vec![Step::new(Act::Fault(fault), Cont::Term(DONE), id)],
                }
            }
            _ => match build(id) {
                Ok(term) => self.of(term, seek)?,
                Err(fault) => vec![Step::new(Act::Fault(fault), Cont::Term(DONE), id)],
            },
        }
        .into_iter()
        .filter(|s| s.guard.iter().all(|g| g.constant() != Some(0)))
        .map(|mut s| {
            s.guard.retain(|g| g.constant().is_none());
            s
        })
        .collect())
    }

    /// `ifb` waits for its condition and then takes an internal step before the body begins.
    fn blocked_if(&self, step: Step, condition: Expr) -> Vec<Step> {
        vec![step.when(condition)]
    }

    pub(super) fn label(&self, event: &EventExpr, env: &[Option<i32>]) -> Act {
        let EventExpr::Named(name, args) = event else { return Act::Tau };
        let args: Vec<Expr> = args.iter().map(|a| a.specialise(env)).collect();
        match args.iter().map(Expr::constant).collect::<Option<Vec<_>>>() {
            Some(args) => Act::Event(self.events.id(*name, &args)),
            None => Act::Computed(*name, args.into(), Vec::new()),
        }
    }

    fn lift_all(&self, term: TermId, wrap: &Wrap, seek: Seek) -> Result<Vec<Step>, NeedsMemory> {
        Ok(self.of(term, seek)?.into_iter().map(|s| self.lift(s, wrap)).collect())
    }

    /// The step of an operand as a step of the whole.
    fn lift(&self, mut step: Step, wrap: &Wrap) -> Step {
        step.atomic |= matches!(wrap, Wrap::Atomic);
        let tick = matches!(step.act, Act::Event(TICK));
        match wrap {
            Wrap::Seq(right) if tick => {
                step.act = Act::Tau;
                step.next = match self.resolve(*right) {
                    Ok(term) => Cont::Term(term),
                    Err(fault) => {
                        step.act = Act::Fault(fault);
                        Cont::Term(DONE)
                    }
                };
                return step;
            }
            _ if tick => return step,
            Wrap::General(..) if matches!(step.act, Act::Event(_) | Act::Send(..) | Act::Receive(_)) => {
                return step;
            }
            Wrap::General(..) => {
                if let Act::Computed(_, _, sets) = &step.act {
                    if !sets.is_empty() {
                        let kept = self.wrap(wrap, step.next.clone());
                        step.next = Cont::IfHidden(Box::new((kept, step.next)));
                    }
                    return step;
                }
            }
            Wrap::Hide(set) => match &mut step.act {
                Act::Event(e) if self.hides(*set, *e) => step.act = Act::Tau,
                Act::Computed(_, _, sets) => sets.push(*set),
                _ => {}
            },
            Wrap::Seq(_) | Wrap::Atomic | Wrap::Interrupt(_) => {}
        }
        step.next = self.wrap(wrap, step.next);
        step
    }

    fn wrap(&self, wrap: &Wrap, cont: Cont) -> Cont {
        let Cont::Term(term) = cont else { return Cont::Wrap(wrap.clone(), Box::new(cont)) };
        Cont::Term(self.wrapped(wrap, term))
    }

    fn wrapped(&self, wrap: &Wrap, term: TermId) -> TermId {
        match wrap {
            Wrap::Seq(right) => self.seq(term, *right),
            Wrap::Hide(set) => self.hidden(term, *set),
            Wrap::Atomic => self.atomic(term),
            Wrap::Interrupt(by) => self.intern(Term::Interrupt(term, *by)),
            Wrap::General(kids, i) => {
                let mut kids = kids.clone();
                kids[*i] = term;
                self.intern(Term::Choice(Choice::General, kids))
            }
        }
    }

    /// The term a finished step leads to.
    pub fn finish(&self, cont: &Cont) -> Result<TermId, Fault> {
        Ok(match cont {
            Cont::Term(term) => *term,
            Cont::Bind(_) | Cont::IfHidden(_) => unreachable!("settled when the step was evaluated"),
            Cont::Bound(site, env) => {
                let env: Vec<_> = env.iter().map(|v| Some(*v)).collect();
                self.build(*site, &env)?
            }
            Cont::Wrap(wrap, inner) => self.wrapped(wrap, self.finish(inner)?),
            Cont::Parallel(kind, alphabets, kids, changed) => {
                let mut kids = kids.clone();
                for (i, cont) in changed {
                    kids[*i] = self.finish(cont)?;
                }
                self.intern(Term::Parallel(*kind, *alphabets, kids))
            }
        })
    }
}

impl Step {
    fn new(act: Act, next: Cont, site: SiteId) -> Self {
        let annotations = Annotations::NONE;
        Step { guard: Vec::new(), act, code: Vec::new(), queue: None, next, atomic: false, annotations, site }
    }
    fn when(mut self, guard: Expr) -> Self {
        self.require(guard);
        self
    }
    /// Looked at before the guards there are.
    fn require(&mut self, guard: Expr) {
        self.guard.insert(0, guard);
    }
}

impl Code {
    fn new(block: Block, env: Arc<[i32]>) -> Self {
        Code { block: Arc::new(block), env }
    }
}

impl Cont {
    /// Settles what was open: the received values, and whether the label is hidden.
    pub fn settle(&self, env: Option<&Arc<[i32]>>, hidden: bool) -> Cont {
        match self {
            Cont::Bind(site) => match env {
                Some(env) => Cont::Bound(*site, env.clone()),
                None => self.clone(),
            },
            Cont::Wrap(wrap, inner) => Cont::Wrap(wrap.clone(), Box::new(inner.settle(env, hidden))),
            Cont::IfHidden(pair) => if hidden { &pair.0 } else { &pair.1 }.settle(env, hidden),
            Cont::Parallel(kind, alphabets, kids, changed) => Cont::Parallel(
                *kind,
                *alphabets,
                kids.clone(),
                changed.iter().map(|(i, c)| (*i, c.settle(env, hidden))).collect(),
            ),
            Cont::Term(_) | Cont::Bound(..) => self.clone(),
        }
    }
}

/// A step whose guard holds now and whose label is known, as part of a composition.
#[derive(Clone, Debug)]
pub struct Offer {
    pub act: Act,
    pub code: Vec<Code>,
    pub queue: Option<QueueOp>,
    pub atomic: bool,
    pub annotations: Annotations,
    pub site: SiteId,
    /// Operands (or components) and what they become.
    pub changed: Vec<(usize, Cont)>,
    /// A node of the state's shape that is replaced as a whole.
    pub collapse: Option<(u32, TermId)>,
}

#[path = "compose.rs"]
mod compose;
