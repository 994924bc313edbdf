//! The calls of a client, in a given order, as a word of a relaxed type.
//!
//! Elements of containers are told apart by the call that put them there: a removal is read as
//! taking the element of each call that may have put its answer there.

use super::quasi::{Asked, Displaced, OutOfSteps, Place};
use crate::reference::{ByCalls, Reference, Trouble};
use lineal_model::Limit;
use lineal_model::adt::quasi::{Relaxation, Semantics};
use lineal_model::adt::{Kind, Object as Type};
use lineal_model::history::{Builder, Call as Event, History, Method, Op, Value, ValueId};
use lineal_model::object::{Client, Object, Outcome};
use std::sync::Arc;

/// Steps for one word.
const STEPS: u64 = 2_000_000;

/// Which call took the element of which, in a word that the type allows.
type Took = Vec<(usize, usize)>;

/// Every way to read the answers such that the type allows the order.
pub fn explained(given: Given<'_>, outcomes: &[Outcome], order: &[usize]) -> Result<Vec<Took>, Trouble> {
    let words = Words::new(given, outcomes);
    let mut all = Vec::new();
    for took in words.readings(order) {
        if words.explain(order, &took)?.is_some() {
            all.push(took);
        }
    }
    Ok(all)
}

/// How far the calls are displaced in the order, which the type allows.
pub fn displaced(given: Given<'_>, outcomes: &[Outcome], order: &[usize]) -> Option<Vec<Displaced>> {
    let words = Words::new(given, outcomes);
    let readings = words.readings(order);
    let (took, executed) =
        readings.iter().find_map(|took| Some((took, words.explain(order, took).ok()??)))?;
    Some(words.asked().displaced(&words.word(order, took), &executed))
}

/// What the calls are held against.
#[derive(Clone, Copy)]
pub struct Given<'a> {
    pub object: &'a Object,
    pub client: &'a Client,
    /// Of types that are the author's own.
    pub reference: Option<&'a Reference>,
}

/// The calls of a client as operations.
struct Words<'a> {
    given: Given<'a>,
    outcomes: &'a [Outcome],
    ty: Type,
    history: History,
}

impl<'a> Words<'a> {
    fn new(given: Given<'a>, outcomes: &'a [Outcome]) -> Self {
        let kind = given.object.kind;
        let mut builder = Builder::default();
        let numbers = |c: usize| {
            let call = &given.client.calls[c];
            let answer = match outcomes[c] {
                Outcome::Value(n) => Some(n),
                _ => None,
            };
            [call.key, call.value, call.prio, answer]
        };
        for n in (0..outcomes.len()).flat_map(numbers).flatten() {
            builder.values.int(n);
        }
        let start = builder.values.int(0);
        debug_assert_ne!(start, ValueId::NONE);
        let mut ty = Type::new(kind);
        (ty.ties, ty.first) = (given.object.ties, given.object.first);
        ty.order.clone_from(&given.object.order);
        if matches!(kind, Kind::Register | Kind::CasRegister) {
            ty = ty.init(Value::Int(0));
        }
        let mut words = Words { given, outcomes, ty, history: History::default() };
        words.history.values = Arc::new(std::mem::take(&mut builder.values));
        let ops: Vec<Op> = (0..outcomes.len()).map(|c| words.op(c, Some(c))).collect();
        for op in ops {
            let id = builder.call(Event::new(op.method, op.process).arg(op.arg).extra(op.extra).key(op.key));
            builder.ret(id, op.result);
        }
        let values = words.history.values.clone();
        words.history = builder.finish();
        words.history.values = values;
        words
    }

    fn relaxation(&self) -> &Relaxation {
        self.given.object.quasi.as_deref().expect("asked about relaxed objects only")
    }

    fn asked(&self) -> Asked<'_> {
        Asked { object: &self.ty, relaxation: self.relaxation(), history: &self.history }
    }

    fn takes(&self, c: usize) -> bool {
        let method = self.method(c);
        self.ty.kind.is_container() && matches!(method, Method::Remove | Method::PopFront | Method::PopBack)
    }

    fn method(&self, c: usize) -> Method {
        self.given.object.operations[self.given.client.calls[c].operation].method
    }

    /// What a call puts there.
    fn element(&self, c: usize) -> Option<i64> {
        let call = &self.given.client.calls[c];
        call.value.or(call.prio).or(call.key)
    }

    /// For each removal of the order that answers a value, whose element it took.
    fn readings(&self, order: &[usize]) -> Vec<Took> {
        let mut all: Vec<Took> = vec![Vec::new()];
        for (at, &c) in order.iter().enumerate() {
            let own = self.ty.kind == Kind::User;
            let Outcome::Value(v) = self.outcomes[c] else { continue };
            if !(self.takes(c) || own) {
                continue;
            }
            let before = match self.relaxation().semantics {
                Semantics::Classes => &order[..at],
                _ => order,
            };
            let from: Vec<usize> = before
                .iter()
                .copied()
                .filter(|&i| i != c && !self.takes(i) && self.element(i) == Some(v))
                .collect();
            if own && from.is_empty() {
                continue;
            }
            let with = |took: Took| from.iter().map(|&i| [&took[..], &[(i, c)]].concat()).collect::<Vec<_>>();
            all = all.into_iter().flat_map(with).collect();
        }
        all
    }

    fn word(&self, order: &[usize], took: &Took) -> Vec<Op> {
        let from = |c: usize| took.iter().find(|t| t.1 == c).map(|t| t.0);
        order.iter().map(|&c| self.op(c, from(c))).collect()
    }

    fn explain(&self, order: &[usize], took: &Took) -> Result<Option<Vec<Place>>, Trouble> {
        let word = self.word(order, took);
        let mut steps = STEPS;
        let limit = || {
            Limit::method(match self.relaxation().semantics {
                Semantics::Windows => {
                    "Some execution has no order within the windows; there is no second decider for this semantics that could confirm it, so it is not called a violation."
                }
                _ => "Whether an order within the factors explains an execution was not confirmed in time.",
            })
        };
        match self.given.reference {
            None => self.asked().explain(&word, &mut steps).map_err(|OutOfSteps| Trouble::Limit(limit())),
            Some(reference) => {
                let own = ByCalls::new(reference, &self.history.values);
                let explained = self.asked().explain_by(&own, &word, &mut steps);
                explained.map_err(|OutOfSteps| own.trouble(limit()))
            }
        }
    }

    /// A call as an operation; of a removal, `from` is the call whose element it takes.
    fn op(&self, c: usize, from: Option<usize>) -> Op {
        let call = &self.given.client.calls[c];
        let values = &self.history.values;
        let number = |n: Option<i64>| n.and_then(|n| values.find(&Value::Int(n))).unwrap_or(ValueId::NONE);
        let outcome = self.outcomes[c];
        let truth = ValueId::bool(matches!(outcome, Outcome::Value(n) if n != 0));
        let answer = match outcome {
            Outcome::Value(n) => number(Some(n)),
            Outcome::Empty => ValueId::EMPTY,
            Outcome::Nothing => ValueId::NONE,
        };
        let method = self.method(c);
        let mut op = Op {
            method,
            process: ValueId::NONE,
            key: ValueId::NONE,
            arg: ValueId::NONE,
            extra: ValueId::NONE,
            result: ValueId::NONE,
            call: 0,
            ret: 1,
            line: 0,
        };
        match (self.ty.kind, method) {
            (Kind::User, _) => op = ByCalls::op(self.given.client, c, ByCalls::answer(values, outcome)),
            (Kind::Set, _) => (op.arg, op.result) = (number(call.key.or(call.value)), truth),
            (Kind::Dictionary, Method::Put) => (op.key, op.arg) = (number(call.key), number(call.value)),
            (Kind::Dictionary, Method::Read) => (op.key, op.result) = (number(call.key), answer),
            (Kind::Dictionary, _) => (op.key, op.result) = (number(call.key), truth),
            (kind, Method::Insert | Method::PushFront | Method::PushBack) if kind.is_container() => {
                op.arg = ValueId::small(c as u32);
                op.extra = number(call.prio.or(call.key));
            }
            _ if self.takes(c) => {
                op.result = match outcome {
                    Outcome::Value(_) => from.map_or(ValueId::NONE, |i| ValueId::small(i as u32)),
                    _ => ValueId::EMPTY,
                }
            }
            (_, Method::Cas) => {
                (op.arg, op.extra, op.result) = (number(call.key), number(call.value), truth);
            }
            _ => (op.arg, op.result) = (number(call.value), answer),
        }
        op
    }
}
