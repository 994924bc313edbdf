//! Registers, maps and sets decided while their log is read, key by key.
//!
//! Memory is bounded by the keys, the operations open at a time and, per key, the events since
//! the oldest operation that is still open there: an event is looked at once the fate of its
//! operation is known, so a call that never returns, and of which the log does not say so,
//! holds up its key until the end. Values that were surely overwritten are forgotten, so
//! writing one again later is no obstacle; writing it again while it may still be read is, and
//! the answer is then unknown rather than a search.

mod register;

use super::answer::Answer;
use super::check::property;
use super::fast::{Element, Open, role};
use super::search::Consistency;
use lineal_model::adt::{Kind, Object};
use lineal_model::history::{Call, Events, Method, Op, ValueId, Values};
use lineal_model::{Counter, Finding, Limit, Place, Scope, Verdict, Witness, WitnessKind};
use register::Register;
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use std::ops::ControlFlow;

/// What became of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    Open,
    Undone,
    /// Never returned.
    Lost,
    Returned(u64, ValueId),
}

/// A violation, found at the return of an operation called on this line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    pub key: ValueId,
    pub line: u32,
    pub why: String,
}

pub struct Stream<'a> {
    object: &'a Object,
    /// The initial value, interned by whoever reads the log.
    init: ValueId,
    keys: FxHashMap<ValueId, Key>,
    /// Operations whose fate is open: their key and line.
    open: FxHashMap<u64, (ValueId, u32)>,
    clock: u64,
    pub operations: u64,
    pub pending: u64,
    found: Option<Answer<Found>>,
}

struct Key {
    waiting: VecDeque<Event>,
    fates: FxHashMap<u64, Fate>,
    decider: Decider,
}

enum Decider {
    Set(Element),
    Register(Box<Register>),
}

#[derive(Clone, Copy)]
enum Event {
    Call { op: u64, call: Call, at: u64 },
    Return { op: u64, line: u32 },
}

/// Whether logs of this type can be decided while being read.
pub fn streams(kind: Kind) -> bool {
    matches!(kind, Kind::Register | Kind::Map | Kind::Set)
}

impl<'a> Stream<'a> {
    pub fn new(object: &'a Object, init: ValueId) -> Self {
        Stream {
            object,
            init,
            keys: FxHashMap::default(),
            open: FxHashMap::default(),
            clock: 0,
            operations: 0,
            pending: 0,
            found: None,
        }
    }

    pub fn keys(&self) -> usize {
        self.keys.len()
    }

    /// What the whole log comes to. Operations still open never returned.
    pub fn finish(mut self) -> (Answer<Found>, u64, u64, usize) {
        let mut open: Vec<(u64, ValueId)> = self.open.drain().map(|(op, (key, _))| (op, key)).collect();
        open.sort_unstable();
        for (op, key) in open {
            self.pending += 1;
            if self.found.is_none() {
                self.settle(key, op, Fate::Lost);
            }
        }
        if self.found.is_none() {
            let mut keys: Vec<_> = self.keys.iter_mut().collect();
            keys.sort_unstable_by_key(|(key, _)| **key);
            for (key, part) in keys {
                if let Decider::Register(register) = &mut part.decider
                    && let Err(why) = register.finish()
                {
                    self.found = Some(Answer::Violated(Found { key: *key, line: 0, why }));
                    break;
                }
            }
        }
        (self.found.unwrap_or(Answer::Holds), self.operations, self.pending, self.keys.len())
    }

    /// What the whole log, of this name, comes to. `values` has the names of keys.
    pub fn finding(self, log: &str, values: &Values) -> Finding {
        let (property, wrong) = property(log, self.object, Consistency::Linearizable);
        let (answer, operations, pending, keys) = self.finish();
        let verdict = match answer {
            Answer::Holds => Verdict::Holds(Scope::history(operations)),
            Answer::Unknown(limit) => Verdict::Unknown(limit),
            Answer::Violated(found) => {
                let key = match found.key {
                    ValueId::NONE => String::new(),
                    key => format!("key {}: ", values.show(key)),
                };
                let why = format!("{key}{}.", found.why);
                let at = (found.line > 0).then(|| Place::line(log, found.line));
                Verdict::Violated(Box::new(Witness { at, ..Witness::new(WitnessKind::Result, why) }))
            }
        };
        let mut finding = Finding { wrong, ..Finding::new(property, verdict) };
        finding.stats.more.extend([
            (Counter::Operations, operations),
            (Counter::Pending, pending),
            (Counter::Keys, keys as u64),
        ]);
        finding
    }

    /// Records the fate and works off what no longer has to wait.
    fn settle(&mut self, key: ValueId, op: u64, fate: Fate) {
        let Some(part) = self.keys.get_mut(&key) else { return };
        if let Some(slot) = part.fates.get_mut(&op) {
            *slot = fate;
        }
        while let Some(&event) = part.waiting.front() {
            let (op, line) = match event {
                Event::Call { op, call, .. } => (op, call.line),
                Event::Return { op, line } => (op, line),
            };
            let fate = part.fates.get(&op).copied().unwrap_or(Fate::Undone);
            if fate == Fate::Open {
                return;
            }
            part.waiting.pop_front();
            if fate == Fate::Undone {
                part.fates.remove(&op);
                continue;
            }
            let outcome = match event {
                Event::Call { call, at, .. } => {
                    let outcome = part.decider.call(op, &call, at, fate);
                    if fate == Fate::Lost {
                        part.fates.remove(&op);
                    }
                    outcome
                }
                Event::Return { .. } => {
                    part.fates.remove(&op);
                    part.decider.ret(op)
                }
            };
            match outcome {
                Ok(()) => {}
                Err(Stop::Violated(why)) => {
                    self.found = Some(Answer::Violated(Found { key, line, why }));
                    return;
                }
                Err(Stop::Beyond(why)) => {
                    let limit = Limit::method(format!(
                        "{why} (line {line}); the search over the whole log decides this."
                    ));
                    self.found = Some(Answer::Unknown(limit));
                    return;
                }
            }
        }
    }

    fn flow(&self) -> ControlFlow<()> {
        if self.found.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

impl Events for Stream<'_> {
    fn call(&mut self, op: u64, call: &Call) -> ControlFlow<()> {
        self.operations += 1;
        let key = if self.object.kind == Kind::Set { call.arg } else { call.key };
        let part = self.keys.entry(key).or_insert_with(|| Key {
            waiting: VecDeque::new(),
            fates: FxHashMap::default(),
            decider: match self.object.kind {
                Kind::Set => Decider::Set(Element::default()),
                _ => Decider::Register(Box::new(Register::new(self.init))),
            },
        });
        self.clock += 1;
        part.waiting.push_back(Event::Call { op, call: *call, at: self.clock });
        part.fates.insert(op, Fate::Open);
        self.open.insert(op, (key, call.line));
        self.flow()
    }

    fn ret(&mut self, op: u64, result: ValueId) -> ControlFlow<()> {
        self.clock += 1;
        if let Some((key, line)) = self.open.remove(&op) {
            let at = self.clock;
            if let Some(part) = self.keys.get_mut(&key) {
                part.waiting.push_back(Event::Return { op, line });
            }
            self.settle(key, op, Fate::Returned(at, result));
        }
        self.flow()
    }

    fn lost(&mut self, op: u64) -> ControlFlow<()> {
        self.pending += 1;
        if let Some((key, _)) = self.open.remove(&op) {
            self.settle(key, op, Fate::Lost);
        }
        self.flow()
    }

    fn undone(&mut self, op: u64) -> ControlFlow<()> {
        self.operations -= 1;
        if let Some((key, _)) = self.open.remove(&op) {
            self.settle(key, op, Fate::Undone);
        }
        self.flow()
    }
}

enum Stop {
    Violated(String),
    Beyond(String),
}

impl Decider {
    fn call(&mut self, id: u64, call: &Call, at: u64, fate: Fate) -> Result<(), Stop> {
        let (ret, result) = match fate {
            Fate::Returned(ret, result) => (Some(ret), result),
            _ => (None, ValueId::NONE),
        };
        match self {
            Decider::Set(element) => {
                let op = Op {
                    method: call.method,
                    process: call.process,
                    key: call.key,
                    arg: call.arg,
                    extra: call.extra,
                    result,
                    call: 0,
                    ret: if ret.is_some() { 0 } else { Op::PENDING },
                    line: call.line,
                };
                match role(&op) {
                    None => Ok(()),
                    Some(Err(())) => {
                        Err(Stop::Beyond("the log does not say what add or remove answered".into()))
                    }
                    Some(Ok((state, is_toggle))) => {
                        element.call(
                            Open { op: id, state, ret: ret.unwrap_or(u64::MAX), line: call.line },
                            is_toggle,
                        );
                        Ok(())
                    }
                }
            }
            Decider::Register(register) => match call.method {
                Method::Read => {
                    register.read(id, result, at, ret);
                    Ok(())
                }
                Method::Write | Method::Put => register.write(id, call.arg, at, ret).map_err(Stop::Beyond),
                _ => Err(Stop::Beyond("appends and deletes need the search".into())),
            },
        }
    }

    fn ret(&mut self, op: u64) -> Result<(), Stop> {
        match self {
            Decider::Set(element) => element.ret(op).map_err(|open| {
                let wanted = if open.state { "in" } else { "out of" };
                Stop::Violated(format!(
                    "the element could not have been {wanted} the set when line {} returned",
                    open.line
                ))
            }),
            Decider::Register(register) => register.ret(op).map_err(Stop::Violated),
        }
    }
}
