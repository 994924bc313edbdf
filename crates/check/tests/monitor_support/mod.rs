//! Random histories of every type: a simulated run of the object, mostly spoiled afterwards.
#![allow(dead_code)]

use lineal_model::adt::{Adt, First, Kind, Object, Poset, Ties, Visit};
use lineal_model::history::{Builder, Call, History, Method, Op, TimedBuilder, Value, ValueId};
use lineal_sweep::Choices;

/// One type with its options, under a name for the table.
pub struct Subject {
    pub name: &'static str,
    pub object: Object,
}

pub fn subjects() -> Vec<Subject> {
    let plain = |name, kind| Subject { name, object: Object::new(kind) };
    let pq = |name, ties, first, pairs: &[(i64, i64)]| {
        let pairs: Vec<_> = pairs.iter().map(|(p, q)| (Value::Int(*p), Value::Int(*q))).collect();
        let order = (!pairs.is_empty()).then(|| Poset::new(&pairs).unwrap());
        Subject { name, object: Object { ties, first, order, ..Object::new(Kind::PriorityQueue) } }
    };
    vec![
        plain("register", Kind::Register),
        Subject { name: "register, init 0", object: Object::new(Kind::Register).init(Value::Int(0)) },
        plain("cas-register", Kind::CasRegister),
        plain("queue", Kind::Queue),
        plain("stack", Kind::Stack),
        plain("deque", Kind::Deque),
        plain("bag", Kind::Bag),
        plain("set", Kind::Set),
        plain("kv", Kind::Map),
        Subject { name: "kv, appends", object: Object::new(Kind::Map).init(Value::Text("".into())) },
        pq("pq, fifo, min", Ties::Fifo, First::Min, &[]),
        pq("pq, any, max", Ties::Any, First::Max, &[]),
        pq("pq, fifo, poset V", Ties::Fifo, First::Min, &[(0, 1), (0, 2)]),
        pq("pq, any, poset N", Ties::Any, First::Min, &[(0, 2), (1, 2), (1, 3)]),
        pq("pq, fifo, poset 0<1 | 2", Ties::Fifo, First::Max, &[(0, 1)]),
        plain("counter", Kind::Counter),
        plain("fai", Kind::FetchIncrement),
        plain("mutex", Kind::Mutex),
    ]
}

/// A history in the making: operations, and their calls and returns in order.
#[derive(Clone, Debug)]
pub struct Draft {
    pub ops: Vec<Op>,
    /// Operation, and whether this is its return.
    pub events: Vec<(usize, bool)>,
    pub distinct: bool,
}

impl Draft {
    pub fn build(&self, random: &mut Choices) -> History {
        let mut builder = Builder::new();
        // Texts for maps.
        for text in TEXTS {
            builder.values.intern(Value::Text(text.into()));
        }
        let mut names = vec![u32::MAX; self.ops.len()];
        for &(i, is_return) in &self.events {
            let op = &self.ops[i];
            if is_return {
                builder.ret(names[i], op.result);
            } else {
                if random.chance(3) {
                    // A failed operation: logged, and known not to have happened.
                    let call = Call { process: ValueId::small(99), ..call_of(op) };
                    let failed = builder.call(call);
                    builder.drop_op(failed);
                }
                names[i] = builder.call(call_of(op));
            }
        }
        builder.finish()
    }
}

impl Draft {
    /// The same seen by coarse clocks that may differ: operations of one process can overlap, and
    /// stand in any order.
    pub fn build_tied(&self, random: &mut Choices) -> History {
        let mut builder = TimedBuilder::new();
        for text in TEXTS {
            builder.values.intern(Value::Text(text.into()));
        }
        let (grain, skew) = (1 + random.below(3) as i64, random.below(2) as i64);
        let mut times = vec![(0, TimedBuilder::PENDING); self.ops.len()];
        for (at, &(i, is_return)) in (0i64..).zip(&self.events) {
            let time = if is_return { &mut times[i].1 } else { &mut times[i].0 };
            *time = at / grain;
        }
        let mut left: Vec<usize> = (0..self.ops.len()).collect();
        while !left.is_empty() {
            let i = left.swap_remove(random.below(left.len()));
            builder.push(call_of(&self.ops[i]), self.ops[i].result, times[i]);
        }
        builder.finish(skew)
    }
}

const TEXTS: [&str; 7] = ["", "a", "b", "ab", "ba", "aa", "bb"];

fn call_of(op: &Op) -> Call {
    Call { key: op.key, ..Call::new(op.method, op.process).arg(op.arg).extra(op.extra).line(op.line) }
}

pub fn text(random: &mut Choices) -> ValueId {
    // Interned by `build` in this order, after the five reserved names.
    ValueId(ValueId::NONE.0 + 2 + random.below(2) as u32)
}

fn random_call(object: &Object, random: &mut Choices, fresh: &mut u32, distinct: bool) -> Op {
    let small = |n: usize| ValueId::small(n as u32);
    let mut op = Op {
        method: Method::Read,
        process: ValueId::NONE,
        key: ValueId::NONE,
        arg: ValueId::NONE,
        extra: ValueId::NONE,
        result: ValueId::NONE,
        call: 0,
        ret: Op::PENDING,
        line: 0,
    };
    let mut value = |random: &mut Choices| {
        *fresh += 1;
        if distinct { small(*fresh as usize) } else { small(1 + random.below(3)) }
    };
    match object.kind {
        Kind::Register => {
            if random.chance(45) {
                (op.method, op.arg) = (Method::Write, value(random));
            }
        }
        Kind::CasRegister => match random.below(3) {
            0 => {}
            1 => (op.method, op.arg) = (Method::Write, small(random.below(3))),
            _ => {
                (op.method, op.arg, op.extra) = (Method::Cas, small(random.below(3)), small(random.below(3)))
            }
        },
        Kind::Queue | Kind::Stack | Kind::Bag | Kind::PriorityQueue => {
            op.method = Method::Remove;
            if random.chance(50) {
                (op.method, op.arg) = (Method::Insert, value(random));
                if object.kind == Kind::PriorityQueue {
                    op.extra = small(random.below(3 + usize::from(object.order.is_some())));
                }
            }
        }
        Kind::Deque => {
            op.method =
                random.pick(&[Method::PushFront, Method::PushBack, Method::PopFront, Method::PopBack]);
            if matches!(op.method, Method::PushFront | Method::PushBack) {
                op.arg = value(random);
            }
        }
        Kind::Set => {
            op.method = random.pick(&[Method::Insert, Method::Remove, Method::Contains]);
            op.arg = small(random.below(2));
        }
        Kind::Map => {
            op.key = small(random.below(2));
            op.method = match distinct {
                true => random.pick(&[Method::Read, Method::Put]),
                false => random.pick(&[
                    Method::Read,
                    Method::Read,
                    Method::Read,
                    Method::Read,
                    Method::Put,
                    Method::Append,
                    Method::Append,
                    Method::Delete,
                ]),
            };
            if op.method == Method::Put {
                op.arg = if distinct { value(random) } else { text(random) };
            } else if op.method == Method::Append {
                op.arg = text(random);
            }
        }
        Kind::Counter => {
            if random.chance(50) {
                (op.method, op.arg) = (Method::Add, small(1 + random.below(2)));
            }
        }
        Kind::FetchIncrement => op.method = Method::FetchIncrement,
        Kind::Mutex => op.method = random.pick(&[Method::Acquire, Method::Release]),
        Kind::TryLock => op.method = random.pick(&[Method::Acquire, Method::Release]),
        Kind::RwLock => {
            use Method::{Acquire, AcquireShared, Release, ReleaseShared};
            op.method = random.pick(&[Acquire, Release, AcquireShared, ReleaseShared]);
        }
        Kind::Semaphore => op.method = random.pick(&[Method::Acquire, Method::Release, Method::Read]),
        Kind::Barrier => op.method = Method::Meet,
        Kind::Dictionary => {
            op.method = random.pick(&[Method::Put, Method::Read, Method::Remove, Method::Contains]);
            op.key = small(random.below(2));
            if op.method == Method::Put {
                op.arg = value(random);
            }
        }
        Kind::User => unreachable!("only built-in types are drawn"),
    }
    op
}

/// Answers worth trying for an operation.
fn answers(object: &Object, op: &Op) -> Vec<ValueId> {
    if object.size.is_some() && object.kind.is_container() && object.kind.adds(op.method) {
        return vec![ValueId::TRUE, ValueId::EMPTY];
    }
    if !object.kind.answers(op.method) {
        return vec![ValueId::NONE];
    }
    match object.kind {
        kind if kind.tells_success(op.method) || kind == Kind::Barrier => {
            vec![ValueId::TRUE, ValueId::FALSE]
        }
        Kind::Map => (0..7)
            .map(|i| ValueId(ValueId::NONE.0 + 1 + i))
            .chain([ValueId::NIL])
            .chain((0..10).map(ValueId::small))
            .collect(),
        _ => (0..12).map(ValueId::small).chain([ValueId::EMPTY, ValueId::NIL]).collect(),
    }
}

/// Runs the object: calls, effects and returns in random order.
struct Simulate<'a> {
    object: &'a Object,
    random: &'a mut Choices,
    size: usize,
}

impl Visit for Simulate<'_> {
    type Out = Draft;
    fn visit<A: Adt>(self, adt: &A) -> Draft {
        let random = self.random;
        // Maps that start as a text are for appending.
        let appends = matches!(self.object.init, Value::Text(_));
        let distinct = random.chance(if appends { 0 } else { 75 });
        let processes = 2 + random.below(3);
        let mut draft = Draft { ops: Vec::new(), events: Vec::new(), distinct };
        let mut state = adt.initial();
        // By process: its open operation, and whether that has taken effect.
        let mut open: Vec<Option<(usize, bool)>> = vec![None; processes];
        let mut fresh = 0;
        let mut patience = 400;
        while patience > 0 {
            patience -= 1;
            let p = random.below(processes);
            match open[p] {
                None if draft.ops.len() < self.size => {
                    let mut op = random_call(self.object, random, &mut fresh, distinct);
                    op.process = ValueId::small(p as u32);
                    if self.object.kind == Kind::Mutex && random.chance(92) {
                        // Mostly as one would: acquire, release, acquire.
                        let mine = |o: &&Op| o.process == op.process;
                        let held =
                            draft.ops.iter().rev().find(mine).is_some_and(|o| o.method == Method::Acquire);
                        op.method = if held { Method::Release } else { Method::Acquire };
                    }
                    op.line = draft.ops.len() as u32 + 1;
                    draft.events.push((draft.ops.len(), false));
                    open[p] = Some((draft.ops.len(), false));
                    draft.ops.push(op);
                }
                None => {}
                Some((i, true)) => {
                    draft.events.push((i, true));
                    draft.ops[i].ret = 0;
                    open[p] = None;
                }
                Some((i, false)) => {
                    let mut legal = Vec::new();
                    for answer in answers(self.object, &draft.ops[i]) {
                        let mut out = Vec::new();
                        let op = Op { result: answer, ret: 0, ..draft.ops[i] };
                        adt.step(&state, &op, &mut out).unwrap();
                        legal.extend(out.into_iter().map(|s| (answer, s)));
                    }
                    if !legal.is_empty() {
                        let (answer, after) = legal.swap_remove(random.below(legal.len()));
                        draft.ops[i].result = answer;
                        state = after;
                        open[p] = Some((i, true));
                    } else if random.chance(if self.object.kind == Kind::Mutex { 2 } else { 20 }) {
                        // It would block for good: crashed, and the process may go on.
                        open[p] = None;
                    }
                }
            }
            if draft.ops.len() == self.size && open.iter().all(Option::is_none) {
                break;
            }
        }
        draft
    }
}

/// Spoils a draft in one way.
fn mutate(draft: &mut Draft, object: &Object, random: &mut Choices) {
    let i = random.below(draft.ops.len());
    let way = match object.kind {
        // Locks answer nothing that could be spoiled.
        Kind::Mutex if random.chance(80) => 4,
        Kind::Mutex if random.chance(70) => {
            let method = &mut draft.ops[i].method;
            *method = if *method == Method::Acquire { Method::Release } else { Method::Acquire };
            return;
        }
        _ => random.below(8),
    };
    match way {
        // Another answer, preferably one that some operation gave.
        0..=2 => {
            let donor = draft.ops[random.below(draft.ops.len())];
            let choices = answers(object, &draft.ops[i]);
            let answer = if choices.contains(&donor.result) && random.chance(60) {
                donor.result
            } else if choices.contains(&donor.arg) && random.chance(70) {
                donor.arg
            } else {
                random.pick(&choices)
            };
            draft.ops[i].result = answer;
        }
        // Two operations of a kind swap their answers.
        3 => {
            let j = random.below(draft.ops.len());
            if draft.ops[i].method == draft.ops[j].method {
                let answer = draft.ops[i].result;
                draft.ops[i].result = draft.ops[j].result;
                draft.ops[j].result = answer;
            }
        }
        // It ends earlier, or begins later.
        4..=6 => {
            let at = |draft: &Draft, is_return| draft.events.iter().position(|e| *e == (i, is_return));
            if let (Some(call), Some(ret)) = (at(draft, false), at(draft, true)) {
                if random.chance(50) {
                    let event = draft.events.remove(ret);
                    draft.events.insert(call + 1 + random.below(ret - call), event);
                } else {
                    let event = draft.events.remove(call);
                    draft.events.insert(call + random.below(ret - call), event);
                }
            }
        }
        // It is never heard of again.
        _ => {
            draft.events.retain(|e| *e != (i, true));
            draft.ops[i].ret = Op::PENDING;
            draft.ops[i].result = ValueId::NONE;
        }
    }
}

/// A random history of 2 to `most` operations, spoiled in so many percent of cases.
pub fn draft(object: &Object, random: &mut Choices, most: usize, spoil: usize) -> Draft {
    // Larger ones are more telling: the largest of three draws.
    let size = 2 + (0..3).map(|_| random.below(most - 1)).max().unwrap_or(0);
    let empty = History::default();
    let seeded = with_texts(&empty, object);
    let mut draft = object.visit(&seeded, Simulate { object, random, size });
    if draft.ops.is_empty() {
        return draft;
    }
    if random.chance(if object.kind == Kind::Mutex { 12 } else { 35 }) {
        // Results the log leaves open count as never returned.
        let i = random.below(draft.ops.len());
        draft.events.retain(|e| *e != (i, true));
        draft.ops[i].ret = Op::PENDING;
        draft.ops[i].result = ValueId::NONE;
    }
    if random.chance(spoil) {
        for _ in 0..1 + random.below(spoil / 8) {
            mutate(&mut draft, object, random);
        }
    }
    for op in &mut draft.ops {
        if op.is_pending() {
            op.result = ValueId::NONE;
        }
    }
    draft
}

/// The values that `Draft::build` interns, for the simulation.
fn with_texts(_: &History, object: &Object) -> History {
    let mut builder = Builder::new();
    for text in TEXTS {
        builder.values.intern(Value::Text(text.into()));
    }
    // Priorities must be known to be ranked.
    if object.kind == Kind::PriorityQueue {
        for p in 0..4 {
            builder.call(
                Call::new(Method::Insert, ValueId::small(0)).arg(ValueId::small(0)).extra(ValueId::small(p)),
            );
        }
    }
    builder.finish()
}

pub fn show(history: &History, object: &Object) -> String {
    let mut lines = String::new();
    for op in history.ops() {
        let ret = if op.is_pending() { "∞".into() } else { op.ret.to_string() };
        lines += &format!("  p{:?} [{}, {ret}] {}\n", op.process, op.call, object.show(&op, &history.values));
    }
    lines
}
