//! Linearizability without a hand-written specification.
//!
//! The specification is that of FM'09, built from an abstract type: each process goes idle →
//! called → has taken effect → idle; calls and answers are visible, taking effect is not and
//! runs the sequential type. Trace inclusion in it is linearizability (their Theorem 1), for any
//! number of calls. Unlike there, calls take effect together with an answer, as late as they can
//! ([`Calls`]).
//!
//! Events say what happens: `push_inv.i.v` is the call of process `i` with argument `v`,
//! `push_res.i.r` its answer; a remove without `r` found nothing. A first pass over the
//! implementation collects the calls and answers that occur; the specification guesses among
//! these, or lets a call take effect and never return: no other answer is ever compared with it.
//! Processes may also all terminate, at any time: a call without an answer may have taken effect
//! or not.

use super::claim::{Answer, Case};
use super::explore::Order;
use super::joint::Joint;
use super::reduce::{Reduced, Reductions};
use super::relaxed;
use super::replay;
use super::safety::{Found, Wanted, explore};
use super::search::{self, FailureKind, Outcome, Problem, Tally};
use super::sets::SpecSets;
use super::symmetry::Symmetry;
use super::witness::Story;
use crate::monitor;
use lineal_model::adt::quasi::{self, Known, Relaxation};
use lineal_model::adt::{Adt, Kind, Object, Visit};
use lineal_model::history::{Builder, Call as Event, History, Method, Op, Value, ValueId, Values};
use lineal_model::lts::{Label, Lts, Steps, StepsOf};
use lineal_model::process::events::TICK;
use lineal_model::process::{Fault, Semantics};
use lineal_model::{Limit, Verdict, WitnessKind};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;
use std::sync::Arc;

/// One visible event, read as a call or an answer.
pub(super) struct Reading {
    pub(super) process: i32,
    pub(super) method: Method,
    pub(super) answer: bool,
    pub(super) arg: ValueId,
    pub(super) extra: ValueId,
    pub(super) result: ValueId,
}

/// All calls and answers of a system, by process.
pub(super) struct Vocabulary {
    pub(super) readings: BTreeMap<u32, Reading>,
    pub(super) processes: Vec<i32>,
}

impl Reading {
    /// The operation; processes are only told apart, so that any distinct names will do.
    fn op(&self) -> Op {
        Op {
            method: self.method,
            process: ValueId(self.process as u32),
            key: ValueId::NONE,
            arg: self.arg,
            extra: self.extra,
            result: self.result,
            call: 0,
            ret: 1,
            line: 0,
        }
    }
}

/// Classes of a relaxed type may drift apart by so much; beyond that nothing is known.
const DRIFT: u32 = 2;

impl Vocabulary {
    /// Every call once, so that priorities are known.
    fn history(&self, values: Values) -> History {
        let mut builder = Builder::default();
        builder.values = values;
        for call in self.readings.values().filter(|r| !r.answer) {
            let process = ValueId(call.process as u32);
            builder.call(Event::new(call.method, process).arg(call.arg).extra(call.extra));
        }
        builder.finish()
    }

    /// The calls and answers of a trace, over these values.
    fn recorded(&self, trace: impl Iterator<Item = u32>, values: &Values) -> History {
        let mut builder = Builder::default();
        builder.values = values.clone();
        let mut open: FxHashMap<i32, u32> = FxHashMap::default();
        for event in trace.filter(|e| *e != TICK) {
            let reading = &self.readings[&event];
            if !reading.answer {
                let process = ValueId::small(reading.process.unsigned_abs());
                let call = Event::new(reading.method, process).arg(reading.arg).extra(reading.extra);
                open.insert(reading.process, builder.call(call));
            } else if let Some(id) = open.remove(&reading.process) {
                builder.ret(id, reading.result);
            }
        }
        builder.finish()
    }

    /// What continuations may call, and what may be answered.
    fn known(&self) -> Known {
        let calls = self.readings.values().filter(|r| !r.answer);
        let answers = self.readings.values().flat_map(|r| [r.result, r.arg]);
        let mut known = Known { calls: calls.map(Reading::op).collect(), answers: answers.collect() };
        known.answers.retain(|a| *a != ValueId::NONE);
        known.answers.sort_unstable();
        known.answers.dedup();
        known
    }

    fn ops(&self) -> impl Iterator<Item = Op> + '_ {
        self.readings.values().map(Reading::op)
    }
}

impl Case<'_, '_> {
    pub(super) fn linearizable(
        &self,
        word: &str,
        init: i32,
        relaxation: Option<&Relaxation>,
    ) -> Result<Answer, Fault> {
        let kind = match Kind::from_word(word) {
            Some(Kind::Map) | None => {
                let known = "register, cas-register, queue, stack, deque, bag, set, pq, counter, fai, mutex";
                let limit =
                    Limit::method(format!("There is no type `{word}` to compare with; there are {known}."));
                return Ok(self.unknown(limit, Tally::default()));
            }
            Some(kind) => kind,
        };
        // Relaxed types are taken as they are.
        let calls = self.settings.calls && relaxation.is_none();
        let imp = self.reduced(Reductions { calls, ..self.settings.reductions() }, &[])?;
        let mut events = BTreeSet::new();
        let mut collect = |_: &[u8], out: StepsOf<Fault>| {
            events.extend(out.labels().filter_map(|l| match l {
                Label::Event(e) => Some(e),
                Label::Internal => None,
            }));
            false
        };
        let renaming = self.renaming(&imp, None, &[]);
        let symmetry = renaming.as_ref().map(|r| r as &dyn Symmetry);
        let (found, tally) =
            explore(&imp, symmetry, Wanted::State(&mut collect), Order::Breadth, self.effort, self.watch);
        match found {
            Found::Unknown(limit) => return Ok(self.unknown(limit, tally)),
            Found::Fault(failure) => {
                return Ok(self.settle(Outcome::Violated(failure), tally, None, Semantics::Traces));
            }
            Found::Nothing | Found::At(_) => {}
        }
        // States that were left out have the images of these.
        if let Some(renaming) = &renaming {
            let mut fresh: Vec<u32> = events.iter().copied().collect();
            while let Some(event) = fresh.pop() {
                let images = renaming.generators().iter().map(|p| renaming.event(*p, event));
                fresh.extend(images.filter(|e| events.insert(*e)));
            }
        }
        let mut values = Values::default();
        let vocabulary = match self.vocabulary(kind, &events, &mut values) {
            Ok(vocabulary) => vocabulary,
            Err(why) => return Ok(self.unknown(Limit::method(why), tally)),
        };
        let history = vocabulary.history(values);
        let mut object = match kind {
            Kind::Register | Kind::CasRegister | Kind::Counter | Kind::FetchIncrement => {
                Object::new(kind).init(Value::Int(init.into()))
            }
            _ => Object::new(kind),
        };
        let known = Arc::new(vocabulary.known());
        let mut drift = Some(0);
        let (failure, event, allowed, tally, ran) = loop {
            object.quasi = relaxation.map(|relaxation| {
                let drift = drift.filter(|_| relaxation.semantics == quasi::Semantics::Literal);
                Arc::new(Relaxation { drift, known: Some(known.clone()), ..relaxation.clone() })
            });
            let joint = renaming.as_ref().and_then(|r| Joint::find(r, &vocabulary));
            let visitor = Inclusion { case: self, imp: &imp, vocabulary: &vocabulary, joint };
            let (outcome, tally, allowed) = object.visit(&history, visitor);
            let Outcome::Violated(failure) = outcome else {
                return Ok(self.settle(outcome, tally, None, Semantics::Traces));
            };
            let (FailureKind::Event(event), Some(allowed)) = (failure.kind.clone(), allowed) else {
                return Ok(self.settle(Outcome::Violated(failure), tally, None, Semantics::Traces));
            };
            let ran = vocabulary.recorded(failure.trace.iter().chain([&event]).copied(), &history.values);
            // What is rejected only because classes are held together may pass if they are not.
            match (relaxed::confirm(&object, &ran), drift) {
                (Ok(()), _) => break (failure, event, allowed, tally, ran),
                (Err(_), Some(few)) if few < DRIFT => drift = Some(few + 1),
                (Err(limit), _) => return Ok(self.unknown(limit, tally)),
            }
        };
        // The run again, on the unreduced system; `allowed` is from a second look at the type.
        let plain = self.plain()?;
        let displaced = monitor::displaced(&ran, &object, self.watch);
        let mut goal = |_: &[u8], steps: StepsOf<Fault>| Ok(replay::first(steps, Label::Event(event)));
        Ok(match self.again(&plain, &failure.trace, &mut goal) {
            Err(limit) => self.unknown(limit, tally),
            Ok(run) => {
                let story = Story { event: Some(event), allowed, ..Story::plain(WitnessKind::Result, &run) };
                let mut answer = self.violated(&plain, story, tally);
                if let Verdict::Violated(witness) = &mut answer.verdict {
                    witness.reasons.extend(displaced);
                }
                answer
            }
        })
    }

    fn vocabulary(
        &self,
        kind: Kind,
        events: &BTreeSet<u32>,
        values: &mut Values,
    ) -> Result<Vocabulary, String> {
        let mut readings = BTreeMap::new();
        for &id in events.iter().filter(|e| **e != TICK) {
            let event = self.universe.events.event(id);
            let name = &self.universe.model.names[event.name as usize];
            let shown = self.universe.events.show(self.universe.model, id);
            let (word, answer) = match (name.strip_suffix("_inv"), name.strip_suffix("_res")) {
                (Some(word), _) => (word, false),
                (_, Some(word)) => (word, true),
                _ => {
                    return Err(format!(
                        "Event `{shown}` is neither a call (`push_inv.i.v`) nor an answer (`push_res.i.r`); hide it."
                    ));
                }
            };
            let Some(method) = kind.method(word) else {
                return Err(format!("A {} has no operation `{word}`; it has {}.", kind.word(), kind.words()));
            };
            let Some((&process, rest)) = event.args.split_first() else {
                return Err(format!(
                    "Event `{shown}` does not say which process it belongs to: write `{name}.i`."
                ));
            };
            let mut number = |i: usize| rest.get(i).map_or(ValueId::NONE, |n| values.int((*n).into()));
            let truth = kind == Kind::Set || matches!(method, Method::Cas | Method::Contains);
            let result = match rest.first() {
                _ if !answer || !kind.answers(method) => ValueId::NONE,
                None if kind.may_be_empty(method) => ValueId::EMPTY,
                None => return Err(format!("Event `{shown}` does not say what was answered.")),
                Some(n) if truth => ValueId::bool(*n != 0),
                Some(_) => number(0),
            };
            let (arg, mut extra) =
                if answer { (ValueId::NONE, ValueId::NONE) } else { (number(0), number(1)) };
            // A value without a priority is its own.
            if kind == Kind::PriorityQueue && extra == ValueId::NONE {
                extra = arg;
            }
            readings.insert(id, Reading { process, method, answer, arg, extra, result });
        }
        let processes: BTreeSet<i32> = readings.values().map(|r| r.process).collect();
        Ok(Vocabulary { readings, processes: processes.into_iter().collect() })
    }
}

struct Inclusion<'i, 'c, 'm> {
    case: &'i Case<'c, 'm>,
    imp: &'i Reduced<'c, 'm>,
    vocabulary: &'i Vocabulary,
    joint: Option<Joint<'i, 'i, 'c, 'm>>,
}

impl Visit for Inclusion<'_, '_, '_> {
    /// What the type would have allowed, if it indeed does not allow the failing event.
    type Out = (Outcome<Fault>, Tally, Option<Vec<u32>>);

    fn visit<A: Adt>(self, adt: &A) -> Self::Out {
        let spec = Calls::new(adt, self.vocabulary);
        let problem = Problem {
            imp: self.imp,
            spec: &spec,
            semantics: Semantics::Traces,
            antichain: self.case.settings.antichain,
            // A type that cares who calls has names in its state.
            symmetry: match self.vocabulary.ops().any(|op| adt.knows_caller(&op)) {
                true => None,
                false => self.joint.as_ref().map(|j| j as &dyn Symmetry),
            },
            order: self.case.settings.order,
        };
        let (outcome, tally) = search::run(&problem, self.case.effort, self.case.watch);
        if let Some(limit) = spec.limit.borrow_mut().take() {
            return (Outcome::Unknown(limit), tally, None);
        }
        let allowed = match &outcome {
            Outcome::Violated(failure) => match failure.kind {
                FailureKind::Event(e) => refused(&spec, &failure.trace, e),
                _ => None,
            },
            _ => None,
        };
        (outcome, tally, allowed)
    }
}

/// Follows `trace` alone; what is allowed after it, if `event` is not.
fn refused<A: Adt>(spec: &Calls<A>, trace: &[u32], event: u32) -> Option<Vec<u32>> {
    let mut sets = SpecSets::new(spec);
    let mut set = sets.initial();
    for e in trace {
        set = sets.after(set, *e)?;
    }
    let mut allowed = sets.allowed(set);
    allowed.retain(|e| *e != TICK);
    (!allowed.contains(&event)).then_some(allowed)
}

/// The specification. A state is the number of the object's state and what each process is at.
///
/// A call takes effect as late as it can: just before its answer, or just before another call takes
/// effect that must come later and is answered now. Whatever takes effect when no answer depends on it
/// may as well wait for the next answer, so no trace is lost; and as nothing happens in between, every
/// step is visible, and few states go with a trace.
struct Calls<'s, A: Adt> {
    adt: &'s A,
    own: Vec<Own<'s>>,
    /// Each event, with the place of its process.
    events: FxHashMap<u32, (usize, &'s Reading)>,
    states: RefCell<Numbers<A::State>>,
    limit: RefCell<Option<Limit>>,
}

/// The events of one process.
struct Own<'s> {
    calls: Vec<(u32, &'s Reading)>,
    answers: Vec<(u32, &'s Reading)>,
}

/// States by number, and back.
type Numbers<S> = (Vec<S>, FxHashMap<S, u32>);

/// What a process is at: idle, or an event with one of these.
const IDLE: u32 = 0;
const CALLED: u32 = 1;
const TOOK_EFFECT: u32 = 2;
const NEVER_RETURNS: u32 = 3;

impl<'s, A: Adt> Calls<'s, A> {
    fn new(adt: &'s A, vocabulary: &'s Vocabulary) -> Self {
        let own = |process: &i32| {
            let of = |answer: bool| {
                let readings = vocabulary.readings.iter();
                let mine = readings.filter(|(_, r)| r.process == *process && r.answer == answer);
                mine.map(|(event, reading)| (*event, reading)).collect()
            };
            Own { calls: of(false), answers: of(true) }
        };
        let own: Vec<Own> = vocabulary.processes.iter().map(own).collect();
        let events = own.iter().enumerate().flat_map(|(i, own)| {
            own.calls.iter().chain(&own.answers).map(move |(event, reading)| (*event, (i, *reading)))
        });
        let events = events.collect();
        Calls { adt, own, events, states: RefCell::default(), limit: RefCell::default() }
    }

    fn number(&self, state: A::State) -> u32 {
        let (all, ids) = &mut *self.states.borrow_mut();
        *ids.entry(state).or_insert_with_key(|s| {
            all.push(s.clone());
            all.len() as u32 - 1
        })
    }

    fn push(&self, out: &mut Steps<Infallible>, label: Label, place: usize, words: &[u32]) {
        out.push(label, place as u32, |bytes| {
            words.iter().for_each(|w| bytes.extend(w.to_le_bytes()));
            4 * words.len()
        });
    }

    /// The states that a call leaves behind; without a result, whatever it answers.
    fn take_effect(&self, state: u32, call: &Reading, result: ValueId) -> Vec<u32> {
        let op = Op { result, ..call.op() };
        let state = self.states.borrow().0[state as usize].clone();
        let mut next = Vec::new();
        if let Err(limit) = self.adt.step(&state, &op, &mut next) {
            *self.limit.borrow_mut() = Some(limit);
        }
        next.into_iter().map(|state| self.number(state)).collect()
    }

    /// Whether the calls, in some order and answered so, lead from one state of the object to another.
    fn leads(&self, from: u32, calls: &[(u32, u32)], to: u32) -> bool {
        if calls.is_empty() {
            return from == to;
        }
        (0..calls.len()).any(|i| {
            let (call, answer) = (self.events[&calls[i].0].1, self.events[&calls[i].1].1);
            let rest = [&calls[..i], &calls[i + 1..]].concat();
            call.method == answer.method
                && self.take_effect(from, call, answer.result).iter().any(|&s| self.leads(s, &rest, to))
        })
    }

    /// Every way in which calls of other processes than `i` may take effect now, nothing included.
    fn before(&self, words: &[u32], i: usize) -> Vec<Vec<u32>> {
        let mut all = vec![words.to_vec()];
        let mut next = 0;
        while let Some(words) = all.get(next).cloned() {
            next += 1;
            for j in (0..self.own.len()).filter(|j| *j != i) {
                if words[1 + j] & 3 != CALLED {
                    continue;
                }
                let call = self.events[&(words[1 + j] >> 2)].1;
                let mut answered = Vec::new();
                let mut reach = |state: u32, at: u32| {
                    let mut after = words.clone();
                    (after[0], after[1 + j]) = (state, at);
                    if !all.contains(&after) {
                        all.push(after);
                    }
                };
                for (e, answer) in self.own[j].answers.iter().filter(|(_, r)| r.method == call.method) {
                    for state in self.take_effect(words[0], call, answer.result) {
                        answered.push(state);
                        reach(state, e << 2 | TOOK_EFFECT);
                    }
                }
                // What it leaves behind only with an answer that never comes.
                for state in self.take_effect(words[0], call, ValueId::NONE) {
                    if state != words[0] && !answered.contains(&state) {
                        reach(state, words[1 + j] >> 2 << 2 | NEVER_RETURNS);
                    }
                }
            }
        }
        all
    }
}

impl<A: Adt> Lts for Calls<'_, A> {
    type Fault = Infallible;

    fn initial(&self, out: &mut Steps<Infallible>) {
        let mut words = vec![self.number(self.adt.initial())];
        words.resize(1 + self.own.len(), IDLE);
        self.push(out, Label::Internal, 0, &words);
    }

    fn steps(&self, from: &[u8], out: &mut Steps<Infallible>) {
        self.steps_by(from, TICK, out);
        for own in &self.own {
            for (event, _) in own.calls.iter().chain(&own.answers) {
                self.steps_by(from, *event, out);
            }
        }
    }

    /// Calls that have taken effect in the other may do so here, before the next answer.
    fn covers(&self, one: &[u8], other: &[u8]) -> bool {
        let word = |state: &[u8], i: usize| {
            u32::from_le_bytes(state[4 * i..4 * i + 4].try_into().expect("four bytes"))
        };
        let mut late = Vec::new();
        for i in 0..self.own.len() {
            match (word(one, 1 + i), word(other, 1 + i)) {
                (a, b) if a == b => {}
                (a, b) if a & 3 == CALLED && b & 3 == TOOK_EFFECT => late.push((a >> 2, b >> 2)),
                _ => return false,
            }
        }
        !late.is_empty() && self.leads(word(one, 0), &late, word(other, 0))
    }

    fn steps_by(&self, from: &[u8], event: u32, out: &mut Steps<Infallible>) -> bool {
        let mut words: Vec<u32> =
            from.chunks_exact(4).map(|w| u32::from_le_bytes(w.try_into().expect("four bytes"))).collect();
        let Some(&(i, reading)) = self.events.get(&event) else {
            if event == TICK {
                self.push(out, Label::Event(TICK), 0, &words);
            }
            return true;
        };
        let at = words[1 + i];
        match (at & 3, reading.answer) {
            (IDLE, false) => {
                words[1 + i] = event << 2 | CALLED;
                self.push(out, Label::Event(event), i, &words);
            }
            (TOOK_EFFECT, true) if at >> 2 == event => {
                words[1 + i] = IDLE;
                self.push(out, Label::Event(event), i, &words);
            }
            (CALLED, true) => {
                let call = self.events[&(at >> 2)].1;
                if call.method != reading.method {
                    return true;
                }
                for mut after in self.before(&words, i) {
                    after[1 + i] = IDLE;
                    for next in self.take_effect(after[0], call, reading.result) {
                        after[0] = next;
                        self.push(out, Label::Event(event), i, &after);
                    }
                }
            }
            _ => {}
        }
        true
    }
}
