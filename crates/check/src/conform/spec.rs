//! What the calls may answer when they come one at a time, and which of them must then see which.
//!
//! The abstract types are those of [`lineal_model::adt`]. Elements of containers are told apart
//! by the call that put them there, not by their value: a removal that answers 3 is tried with
//! each insertion of a 3, and the type says which fits. So the matching that synchronisation
//! speaks of falls out of the order, with equal values as well.

use super::observe::Mask;
use super::{Call, Contract, Rule};
use crate::reference::{ByCalls, Reference, Trouble};
use lineal_model::adt::quasi::{Quasi, Relaxation, Semantics, Windows};
use lineal_model::adt::{Adt, Does, Kind, Object, Visit};
use lineal_model::history::{Builder, Call as Event, Method, Op, ValueId, Values};
use lineal_model::object::{Level, Outcome, Via};
use std::hash::Hash;

/// A sequential specification of one client's calls with their answers.
pub trait Spec {
    type State: Clone + Eq + Hash;
    fn initial(&self) -> Self::State;
    /// How many readings the answer of a call has.
    fn readings(&self, call: usize) -> usize;
    /// The insertion whose element a reading of the call takes.
    fn element(&self, call: usize, reading: usize) -> Option<usize>;
    /// The states after the call, so read; none: it is illegal here. An error says nothing about
    /// the object.
    fn step(
        &self,
        state: &Self::State,
        call: usize,
        reading: usize,
        out: &mut Vec<After<Self::State>>,
    ) -> Result<(), Trouble>;
    fn show(&self, state: &Self::State) -> String;
    /// Whether a call may come before the insertion whose element it takes.
    fn takes_early(&self) -> bool {
        false
    }
}

/// A state after a call, and the calls that it must see because the specification says so itself,
/// besides those that a level asks for.
pub struct After<S> {
    pub state: S,
    pub sees: Mask,
}

/// Something to do with the specification of an execution.
pub trait WithSpec {
    type Out;
    fn with<S: Spec>(self, spec: &S) -> Self::Out;
}

/// Each call with each reading of its answer.
type Readings = Vec<Vec<(Op, Option<usize>)>>;

struct ByAdt<'a, A> {
    adt: &'a A,
    readings: Readings,
    /// Calls that failed and may do so for no reason: legal everywhere, and nothing comes of them.
    excused: Vec<bool>,
    early: bool,
}

impl<A: Adt> Spec for ByAdt<'_, A> {
    type State = A::State;

    fn initial(&self) -> A::State {
        self.adt.initial()
    }
    fn readings(&self, call: usize) -> usize {
        self.readings[call].len()
    }
    fn element(&self, call: usize, reading: usize) -> Option<usize> {
        self.readings[call][reading].1
    }
    fn step(
        &self,
        state: &A::State,
        call: usize,
        reading: usize,
        out: &mut Vec<After<A::State>>,
    ) -> Result<(), Trouble> {
        if self.excused[call] {
            out.push(After { state: state.clone(), sees: 0 });
            return Ok(());
        }
        let mut states = Vec::new();
        self.adt.step(state, &self.readings[call][reading].0, &mut states).map_err(Trouble::Limit)?;
        out.extend(states.into_iter().map(|state| After { state, sees: 0 }));
        Ok(())
    }
    fn show(&self, state: &A::State) -> String {
        self.adt.show(state)
    }
    fn takes_early(&self) -> bool {
        self.early
    }
}

/// A type of the author's own.
struct ByReference<'a> {
    reference: &'a Reference,
    outcomes: &'a [Outcome],
    /// The calls whose value a call may have answered; one, which is none of them, if there are none.
    elements: Vec<Vec<Option<usize>>>,
}

impl Spec for ByReference<'_> {
    type State = u32;

    fn initial(&self) -> u32 {
        self.reference.initial()
    }
    fn readings(&self, call: usize) -> usize {
        self.elements[call].len()
    }
    fn element(&self, call: usize, reading: usize) -> Option<usize> {
        self.elements[call][reading]
    }
    fn step(&self, state: &u32, call: usize, _: usize, out: &mut Vec<After<u32>>) -> Result<(), Trouble> {
        let ends = self.reference.step(*state, call)?.into_iter();
        let fitting = ends.filter(|end| end.outcome == self.outcomes[call]);
        out.extend(fitting.map(|end| After { state: end.next, sees: end.sees }));
        Ok(())
    }
    fn show(&self, state: &u32) -> String {
        format!("state {state}")
    }
}

fn elements(calls: &[Call], outcome: Outcome) -> Vec<Option<usize>> {
    let Outcome::Value(v) = outcome else { return vec![None] };
    let found: Vec<Option<usize>> =
        (0..calls.len()).filter(|&i| calls[i].element() == Some(v)).map(Some).collect();
    if found.is_empty() { vec![None] } else { found }
}

/// Runs `user` on the specification of these calls with these answers.
pub fn with_spec<W: WithSpec>(contract: &Contract, outcomes: &[Outcome], user: W) -> W::Out {
    let (kind, calls) = (contract.kind, &contract.calls[..]);
    // With factors alone, nothing orders insertions and removals.
    let early = contract.quasi.as_ref().is_some_and(|r| r.semantics != Semantics::Classes);
    if let (Some(reference), Some(relaxation)) = (&contract.reference, &contract.quasi) {
        return with_reference(contract, reference, relaxation, outcomes, user);
    }
    if let Some(reference) = &contract.reference {
        let elements = outcomes.iter().map(|&o| elements(calls, o)).collect();
        return user.with(&ByReference { reference, outcomes, elements });
    }
    struct Run<W>(Readings, Vec<bool>, bool, W);
    impl<W: WithSpec> Visit for Run<W> {
        type Out = W::Out;
        fn visit<A: Adt>(self, adt: &A) -> W::Out {
            self.3.with(&ByAdt { adt, readings: self.0, excused: self.1, early: self.2 })
        }
    }
    let mut history = Builder::default();
    let bounded = kind.is_container() && contract.size.is_some();
    let readings = readings(kind, bounded, calls, outcomes, &mut history.values);
    let excused = calls.iter().zip(outcomes).map(|(c, &o)| c.may_fail && !c.succeeds(kind, o)).collect();
    for alternatives in &readings {
        let Some((op, _)) = alternatives.first() else { continue };
        let event = Event::new(op.method, op.process).arg(op.arg).extra(op.extra).key(op.key);
        let id = history.call(event);
        history.ret(id, op.result);
    }
    let mut object = Object::new(kind);
    (object.ties, object.first, object.size) = (contract.ties, contract.first, contract.size);
    object.order.clone_from(&contract.order);
    if matches!(kind, Kind::Register | Kind::CasRegister) {
        object = object.init(lineal_model::history::Value::Int(0));
    }
    object.quasi.clone_from(&contract.quasi);
    object.visit(&history.finish(), Run(readings, excused, early, user))
}

/// A type of the author's own, relaxed: its calls as a type, and that type with factors.
struct Relaxed<'a, A> {
    adt: &'a A,
    own: &'a ByCalls<'a>,
    ops: Vec<Op>,
    /// The calls whose value a call may have answered; one, which is none of them, if there are none.
    elements: Vec<Vec<Option<usize>>>,
}

impl<A: Adt> Spec for Relaxed<'_, A> {
    type State = A::State;

    fn initial(&self) -> A::State {
        self.adt.initial()
    }
    fn readings(&self, call: usize) -> usize {
        self.elements[call].len()
    }
    fn element(&self, call: usize, reading: usize) -> Option<usize> {
        self.elements[call][reading]
    }
    fn step(
        &self,
        state: &A::State,
        call: usize,
        _: usize,
        out: &mut Vec<After<A::State>>,
    ) -> Result<(), Trouble> {
        let mut states = Vec::new();
        self.adt.step(state, &self.ops[call], &mut states).map_err(|limit| self.own.trouble(limit))?;
        out.extend(states.into_iter().map(|state| After { state, sees: 0 }));
        Ok(())
    }
    fn show(&self, state: &A::State) -> String {
        self.adt.show(state)
    }
}

/// Runs `user` on the author's own specification of these calls, relaxed.
fn with_reference<W: WithSpec>(
    contract: &Contract,
    reference: &Reference,
    relaxation: &Relaxation,
    outcomes: &[Outcome],
    user: W,
) -> W::Out {
    let mut builder = Builder::default();
    for outcome in outcomes {
        if let Outcome::Value(n) = outcome {
            builder.values.int(*n);
        }
    }
    let op = |(c, outcome): (usize, &Outcome)| {
        ByCalls::op(&contract.client, c, ByCalls::answer(&builder.values, *outcome))
    };
    let ops: Vec<Op> = outcomes.iter().enumerate().map(op).collect();
    for op in &ops {
        let id = builder.call(Event::new(op.method, op.process).arg(op.arg).extra(op.extra));
        builder.ret(id, op.result);
    }
    let history = builder.finish();
    let own = ByCalls::new(reference, &history.values);
    let object = Object::new(Kind::User);
    let elements = outcomes.iter().map(|&o| elements(&contract.calls, o)).collect();
    match relaxation.semantics {
        Semantics::Windows => {
            let adt = &Windows::new(&own, relaxation, &object, &history);
            user.with(&Relaxed { adt, own: &own, ops, elements })
        }
        _ => {
            let adt = &Quasi::new(&own, relaxation, &object, &history);
            user.with(&Relaxed { adt, own: &own, ops, elements })
        }
    }
}

fn readings(
    kind: Kind,
    bounded: bool,
    calls: &[Call],
    outcomes: &[Outcome],
    values: &mut Values,
) -> Readings {
    let mut all = Vec::new();
    for (c, (call, &outcome)) in calls.iter().zip(outcomes).enumerate() {
        let blank = Op {
            method: call.method,
            process: ValueId::small(c as u32),
            key: ValueId::NONE,
            arg: ValueId::NONE,
            extra: ValueId::NONE,
            result: ValueId::NONE,
            call: c as u32,
            ret: c as u32,
            line: 0,
        };
        let mut found = one(kind, calls, call, outcome, blank, values);
        // Where there may be no room, an insertion says whether there was.
        if bounded && kind.adds(call.method) {
            let told = if outcome == Outcome::Empty { ValueId::EMPTY } else { ValueId::TRUE };
            found.iter_mut().for_each(|(op, _)| op.result = told);
        }
        all.push(found);
    }
    all
}

/// The readings of one call.
fn one(
    kind: Kind,
    calls: &[Call],
    call: &Call,
    outcome: Outcome,
    blank: Op,
    values: &mut Values,
) -> Vec<(Op, Option<usize>)> {
    let own = blank.process;
    let mut number = |n: Option<i64>| n.map_or(ValueId::NONE, |n| values.int(n));
    let truth = match outcome {
        Outcome::Empty => ValueId::FALSE,
        Outcome::Value(n) => ValueId::bool(n != 0),
        Outcome::Nothing => ValueId::NONE,
    };
    let answered = match outcome {
        Outcome::Value(n) => Some(n),
        _ => None,
    };
    let plain = |op: Op| vec![(op, None)];
    use Method::*;
    match (kind, call.method) {
        (Kind::Set, _) => plain(Op { arg: number(call.key.or(call.value)), result: truth, ..blank }),
        // Whoever waited for a lock got it.
        (_, Acquire | AcquireShared) if outcome == Outcome::Nothing => {
            plain(Op { result: ValueId::TRUE, ..blank })
        }
        (_, Acquire | AcquireShared | Release | ReleaseShared | Meet) => plain(Op { result: truth, ..blank }),
        (Kind::Dictionary, Put) => plain(Op { key: number(call.key), arg: number(call.value), ..blank }),
        (Kind::Dictionary, Read) => {
            let result = answered.map_or(ValueId::EMPTY, |n| number(Some(n)));
            plain(Op { key: number(call.key), result, ..blank })
        }
        (Kind::Dictionary, _) => plain(Op { key: number(call.key), result: truth, ..blank }),
        (_, Insert | PushFront | PushBack) => {
            plain(Op { arg: own, extra: number(call.prio.or(call.key)), ..blank })
        }
        (_, Remove | PopFront | PopBack) => match answered {
            None => plain(Op { result: ValueId::EMPTY, ..blank }),
            Some(v) => calls
                .iter()
                .enumerate()
                .filter(|(_, c)| kind.adds(c.method) && c.element() == Some(v))
                .map(|(i, _)| (Op { result: ValueId::small(i as u32), ..blank }, Some(i)))
                .collect(),
        },
        _ => {
            // Compare-and-swap: the key is expected, the value replaces it.
            let (arg, extra) = match call.method {
                Cas => (number(call.key), number(call.value)),
                _ => (number(call.value), number(call.key)),
            };
            let result = match call.method {
                Cas => truth,
                _ => answered.map_or(ValueId::NONE, |n| number(Some(n))),
            };
            plain(Op { arg, extra, result, ..blank })
        }
    }
}

impl Call {
    /// What a removal of this insertion's element answers.
    pub fn element(&self) -> Option<i64> {
        self.value.or(self.prio).or(self.key)
    }
    /// Whether the call did what it is for.
    pub fn succeeds(&self, kind: Kind, outcome: Outcome) -> bool {
        match outcome {
            Outcome::Empty => false,
            Outcome::Value(n) => n != 0 || !kind.tells_success(self.method),
            Outcome::Nothing => true,
        }
    }
}

/// Answers as far as they mean something: operations that answer true or false may do so by any
/// number, and by being empty.
pub fn normalise(kind: Kind, calls: &[Call], outcomes: &mut [Outcome]) {
    for (call, outcome) in calls.iter().zip(outcomes) {
        let truth = kind.answers_truth(call.method);
        *outcome = match *outcome {
            Outcome::Empty if truth => Outcome::Value(0),
            Outcome::Value(n) if truth => Outcome::Value(i64::from(n != 0)),
            other => other,
        };
    }
}

/// Why a level means nothing where operations may be out of order, if so. What a removal takes is
/// clear in any order; which call was the last one is not, among those that change places.
pub fn unfit_level(object: &lineal_model::object::Object, level: &Level) -> Option<String> {
    let relaxation = object.quasi.as_deref()?;
    if *level == Level::None {
        return None;
    }
    if relaxation.semantics != Semantics::Classes {
        let word = relaxation.semantics.word();
        return Some(format!(
            "level {level} asks which call came before which, and the semantics {word} does not keep that"
        ));
    }
    let operations = &object.operations;
    let mask = |holds: &dyn Fn(usize) -> bool| {
        (0..operations.len()).filter(|&o| holds(o)).fold(0, |m: Mask, o| m | 1 << o)
    };
    let moves = mask(&|o| relaxation.moves_operation(operations[o].method, o as u32));
    let via: Vec<(Mask, Via)> = match level {
        Level::None => Vec::new(),
        Level::Specified | Level::Total => vec![(Mask::MAX, Via::Previous)],
        Level::Pairs(pairs) => {
            let named = |p: &lineal_model::object::Pair| {
                mask(&|o| operations[o].name == p.from || operations[o].name == p.to)
            };
            pairs.iter().map(|p| (named(p), p.via)).collect()
        }
        Level::R | Level::Ri | Level::Rd | Level::Rid => {
            let rows: &[usize] = match level {
                Level::R => &[0],
                Level::Ri => &[0, 1],
                Level::Rd => &[0, 2],
                _ => &[0, 1, 2],
            };
            let does = |o: usize, what| object.kind.does(operations[o].method, what);
            let row = |r: &usize| {
                let (from, to, via) = object.kind.synchronises()[*r];
                (mask(&|o| does(o, from) || does(o, to)), via)
            };
            rows.iter().map(row).collect()
        }
    };
    let vague = via.iter().any(|(operations, via)| *via != Via::Element && operations & moves != 0);
    vague.then(|| {
        format!("level {level} goes by the last call before, and calls that are out of order have none")
    })
}

/// The rules of a level for these calls.
pub fn rules(kind: Kind, level: &Level, calls: &[Call], names: &[String]) -> Vec<Rule> {
    let mask = |holds: &dyn Fn(&Call) -> bool| -> Mask {
        calls.iter().enumerate().filter(|(_, c)| holds(c)).fold(0, |m, (i, _)| m | 1 << i)
    };
    // Which rows of the type's table.
    let rows: &[usize] = match level {
        Level::None | Level::Specified => &[],
        Level::R => &[0],
        Level::Ri => &[0, 1],
        Level::Rd => &[0, 2],
        Level::Rid => &[0, 1, 2],
        Level::Total => {
            let all = mask(&|_| true);
            let mut rules = vec![Rule { from: all, to: all, via: Via::Previous }];
            // Who came first sees who came last, too.
            if kind == Kind::Barrier {
                rules.push(Rule { from: all, to: all, via: Via::Round });
            }
            return rules;
        }
        Level::Pairs(pairs) => {
            let of = |name: &str| mask(&|c: &Call| names[c.operation] == name);
            let rule = |p: &lineal_model::object::Pair| Rule { from: of(&p.from), to: of(&p.to), via: p.via };
            return pairs.iter().map(rule).collect();
        }
    };
    let of = |what: Does| mask(&|c: &Call| kind.does(c.method, what));
    let rules = kind.synchronises().map(|(from, to, via)| Rule { from: of(from), to: of(to), via });
    let mut rules: Vec<Rule> = rows.iter().map(|&row| rules[row]).collect();
    if kind == Kind::RwLock && !rules.is_empty() {
        // What readers give back only a writer must see, and that of all of them.
        let is = |method: Method| mask(&|c: &Call| c.method == method);
        rules[0].from = is(Method::Release);
        rules.push(Rule { from: is(Method::ReleaseShared), to: is(Method::Acquire), via: Via::Every });
    }
    rules.retain(|r| r.from != 0 && r.to != 0);
    rules
}
