//! From the text to terms: a site and the values of its slots, unfolded until its first step.
//!
//! The step of `<>` is that choice itself, so a process may call itself in an operand of it: there, a
//! call of a definition that is being unfolded is left as it stands, and unfolded when it is chosen.

use super::alphabet::Alphabet;
use super::expr::{Expr, Frame, Known};
use super::term::{AlphabetsId, Instance, SKIP, STOP, SetId, Term, TermId, Universe};
use super::*;

/// Calls and operators within each other, without a step, beyond which a process counts as calling
/// itself.
const DEEP: u32 = 10_000;
/// Operands one operator may have.
const WIDE: usize = 10_000;

/// A site and its environment.
type Operand = (SiteId, Vec<Option<i32>>);

/// What is being unfolded around a site.
#[derive(Clone, Copy, Default)]
struct Around<'a> {
    depth: u32,
    /// In an operand of `<>`.
    chosen: bool,
    /// The definition of the innermost call, and what is around that.
    call: Option<(DefId, &'a Around<'a>)>,
}

impl Around<'_> {
    fn deeper(&self) -> Self {
        Around { depth: self.depth + 1, ..*self }
    }

    fn calls(&self, def: DefId) -> bool {
        let mut around = self;
        while let Some((open, outside)) = around.call {
            if open == def {
                return true;
            }
            around = outside;
        }
        false
    }
}

impl Universe<'_> {
    /// The term for a whole process: a site without free slots.
    pub fn root(&self, site: SiteId) -> Result<TermId, Fault> {
        let slots = self.model.def(self.model.site(site).def).slots;
        self.build(site, &vec![None; slots as usize])
    }

    pub fn build(&self, site: SiteId, env: Known) -> Result<TermId, Fault> {
        self.build_at(site, env, Around::default())
    }

    /// An assertion's condition with every `#P()` as the term it counts.
    pub fn settled(&self, e: &Expr) -> Result<Expr, Fault> {
        let inner = |e: &Expr| self.settled(e);
        Ok(match e {
            Expr::Count(def, args) => {
                let args: Result<Vec<_>, _> = args.iter().map(|a| self.number(a, &[]).map(Some)).collect();
                Expr::Alike(self.call(*def, &args?)?)
            }
            Expr::Unary(op, e, spot) => Expr::Unary(*op, Box::new(inner(e)?), *spot),
            Expr::Binary(op, pair, spot) => {
                Expr::Binary(*op, Box::new((inner(&pair.0)?, inner(&pair.1)?)), *spot)
            }
            _ => e.clone(),
        })
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

    fn build_at(&self, id: SiteId, env: Known, around: Around) -> Result<TermId, Fault> {
        let site = self.model.site(id);
        if around.depth > DEEP {
            return Err(Fault::unguarded(&self.model.def(site.def).name, site.spot));
        }
        Ok(match &site.node {
            Node::Stop => STOP,
            Node::Skip => SKIP,
            Node::Call(def, args) => {
                let args: Vec<_> = args.iter().map(|a| a.specialise(env).constant()).collect();
                if args.iter().any(Option::is_none) || (around.chosen && around.calls(*def)) {
                    return Ok(self.at(id, env));
                }
                let inside = Around { call: Some((*def, &around)), ..around.deeper() };
                return self.call_in(*def, &args, inside);
            }
            Node::Seq(left, right) => {
                let left = self.build_at(*left, env, around.deeper())?;
                self.seq(left, self.at(*right, env))
            }
            Node::Choice(choice, _) => self.operator(Operator::Choice(*choice), id, env, around)?,
            Node::Parallel(kind, _) => self.operator(Operator::Parallel(*kind), id, env, around)?,
            Node::Indexed(operator, ..) | Node::Copies(operator, ..) => {
                self.operator(*operator, id, env, around)?
            }
            Node::Hide(body, sets) => {
                let body = self.build_at(*body, env, around.deeper())?;
                let set = self.event_set(sets, env, site.spot)?;
                self.hidden(body, set)
            }
            Node::Atomic(body) => {
                let body = self.build_at(*body, env, around.deeper())?;
                self.atomic(body)
            }
            Node::Interrupt(a, b) => {
                let (a, b) =
                    (self.build_at(*a, env, around.deeper())?, self.build_at(*b, env, around.deeper())?);
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

    pub(super) fn call(&self, def: DefId, args: &[Option<i32>]) -> Result<TermId, Fault> {
        let outside = Around::default();
        self.call_in(def, args, Around { call: Some((def, &outside)), ..outside })
    }

    fn call_in(&self, def: DefId, args: &[Option<i32>], around: Around) -> Result<TermId, Fault> {
        let def = self.model.def(def);
        let mut env = vec![None; def.slots as usize];
        env[..args.len()].copy_from_slice(args);
        self.build_at(def.body, &env, around)
    }

    /// What an operator of any number of operands stands over, and in which environments.
    fn operands(&self, id: SiteId, env: Known) -> Result<Vec<Operand>, Fault> {
        let site = self.model.site(id);
        Ok(match &site.node {
            Node::Choice(_, sites) | Node::Parallel(_, sites) => {
                sites.iter().map(|s| (*s, env.to_vec())).collect()
            }
            Node::Indexed(_, ranges, body) => {
                let mut all = Vec::new();
                self.expand(ranges, env.to_vec(), site.spot, &mut |e| all.push((*body, e.to_vec())))?;
                all
            }
            Node::Copies(_, count, body) => {
                let n = self.number(count, env)?;
                if n < 0 || n as usize > WIDE {
                    return Err(Fault::new(
                        FaultKind::Expansion,
                        format!("{n} copies cannot be built"),
                        site.spot,
                    ));
                }
                vec![(*body, env.to_vec()); n as usize]
            }
            _ => Vec::new(),
        })
    }

    fn operator(&self, operator: Operator, id: SiteId, env: Known, around: Around) -> Result<TermId, Fault> {
        let operands = self.operands(id, env)?;
        let chosen = around.chosen || operator == Operator::Choice(Choice::Internal);
        let inside = Around { chosen, ..around.deeper() };
        let kids: Result<Vec<_>, _> = operands.iter().map(|(s, e)| self.build_at(*s, e, inside)).collect();
        let kids = kids?;
        match operator {
            Operator::Choice(choice) => Ok(self.choice(choice, kids)),
            // No operand at all is `Skip`.
            Operator::Parallel(_) if kids.len() < 2 => Ok(kids.first().copied().unwrap_or(SKIP)),
            Operator::Parallel(Parallel::Interleave) => {
                Ok(self.intern(Term::Parallel(Parallel::Interleave, AlphabetsId(0), kids.into())))
            }
            Operator::Parallel(Parallel::Synchronise) => {
                let free = &self.model.site(id).free;
                let values = free.iter().map(|s| env[*s as usize].unwrap_or(0)).collect();
                let alphabets = self.synchronised((id, values), &operands)?;
                Ok(self.intern(Term::Parallel(Parallel::Synchronise, alphabets, kids.into())))
            }
        }
    }

    fn synchronised(&self, at: Instance, operands: &[Operand]) -> Result<AlphabetsId, Fault> {
        self.intern_alphabets(at, || operands.iter().map(|(s, e)| Alphabet::of(self, *s, e)).collect())
    }

    /// The alphabets of the `||` at a site.
    pub(super) fn alphabets_at(&self, (site, values): Instance) -> Result<AlphabetsId, Fault> {
        let operands = self.operands(site, &self.env(site, &values))?;
        self.synchronised((site, values), &operands)
    }

    /// No alternative at all is `Stop`; a single one is itself, except that `<>` always takes its
    /// internal step.
    pub(super) fn choice(&self, choice: Choice, mut kids: Vec<TermId>) -> TermId {
        if choice != Choice::General {
            // The order means nothing, and renamed processes must come out the same.
            self.sort(&mut kids);
        }
        match (kids.len(), choice) {
            (0, _) => STOP,
            (1, Choice::External | Choice::General) => kids[0],
            _ => self.intern(Term::Choice(choice, kids.into())),
        }
    }

    /// Evaluates what may not depend on shared memory.
    pub(super) fn number(&self, e: &Expr, env: Known) -> Result<i32, Fault> {
        match e.specialise(env) {
            Expr::Int(n) => Ok(n),
            other => {
                // Still symbolic: either it faults, or it reads what a term may not depend on.
                let cells: Vec<i32> = self.model.cells.iter().map(|c| c.initial).collect();
                let frame = Frame {
                    model: self.model,
                    cells: &cells,
                    queues: &[],
                    env: &[],
                    locals: &[],
                    leaves: &[],
                };
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
                    for n in super::span(low, high) {
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
}
