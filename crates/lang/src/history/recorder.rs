//! What records mean: matches calls with returns, and arguments with answers.
//!
//! Of one process at most one operation is open. `:ok` completes it; `:info`, or nothing at all,
//! leaves it pending (after `:info` the process may go on); `:fail` takes it back, except for a
//! compare-and-swap whose failure is an answer and, if asked, a remove that found nothing.
//!
//! Events are ordered as in the file. Where they carry times, those must not go backwards, and at
//! equal times calls come first: a coarse clock must not order what it cannot tell apart.

use super::record::{Datum, Record};
use super::{FailedCas, Format, Loaded, MOST_PROBLEMS, Options, Tally};
use lineal_model::adt::Kind;
use lineal_model::history::{
    Builder, Call, Events, History, Method, Stamp, TimedBuilder, Value, ValueId, Values,
};
use lineal_model::{Diagnostic, Place};
use rustc_hash::FxHashMap;

pub struct Recorder<'a> {
    file: &'a str,
    format: Format,
    options: &'a Options,
    failed_cas: FailedCas,
    sink: Sink<'a>,
    open: FxHashMap<ValueId, Open>,
    /// Words for methods, as met so far.
    words: Vec<(Box<str>, Option<Method>)>,
    clock: Clock,
    tally: Tally,
    problems: Vec<Diagnostic>,
}

enum Sink<'a> {
    /// Events in the order of the file; returns stamped with the current time wait for it to pass.
    InOrder { builder: Builder, waiting: Vec<(u32, ValueId)> },
    /// Operations with their times.
    ByTime(TimedBuilder),
    /// Nothing is kept; the receiver may have had enough.
    PassedOn { to: &'a mut dyn Events, values: Values, next: u64, enough: bool, waiting: Vec<(u64, ValueId)> },
}

#[derive(Clone, Copy)]
struct Open {
    call: Call,
    /// Its number among events in order.
    op: u64,
    time: Stamp,
}

/// Times as integers. Decimals are kept to nine places, and rescale what came before.
#[derive(Default)]
struct Clock {
    last: Option<Stamp>,
    scaled: bool,
}

/// The arguments and the answer that a record gives.
struct Given<'d, 'a> {
    key: Option<&'d Datum<'a>>,
    value: &'d Datum<'a>,
}

type Problem = (&'static str, String);

impl<'a> Recorder<'a> {
    /// Passes events on instead of building a history.
    pub fn passing_on(file: &'a str, format: Format, options: &'a Options, to: &'a mut dyn Events) -> Self {
        let sink =
            Sink::PassedOn { to, values: Values::default(), next: 0, enough: false, waiting: Vec::new() };
        Recorder { sink, ..Recorder::new(file, format, options) }
    }

    pub fn new(file: &'a str, format: Format, options: &'a Options) -> Self {
        let failed_cas = options.failed_cas.unwrap_or(match format {
            Format::Etcd => FailedCas::Result,
            _ => FailedCas::Drop,
        });
        let sink = match options.skew {
            None => Sink::InOrder { builder: Builder::new(), waiting: Vec::new() },
            Some(_) => Sink::ByTime(TimedBuilder::new()),
        };
        let tally = Tally { failed_cas_kept: failed_cas == FailedCas::Result, ..Tally::default() };
        Recorder {
            file,
            format,
            options,
            failed_cas,
            sink,
            open: FxHashMap::default(),
            words: Vec::new(),
            clock: Clock::default(),
            tally,
            problems: Vec::new(),
        }
    }

    /// Whether enough has gone wrong.
    pub fn is_full(&self) -> bool {
        let enough = matches!(self.sink, Sink::PassedOn { enough: true, .. });
        enough || self.problems.len() >= MOST_PROBLEMS
    }

    pub fn problem(&mut self, problem: Diagnostic) {
        self.problems.push(problem);
    }

    pub fn problem_at(&mut self, code: &'static str, line: u32, message: &str) {
        self.problem(Diagnostic::error(code, message).at(Place::line(self.file, line)));
    }

    pub fn record(&mut self, record: &Record) {
        if let Err((code, message)) = self.understand(record) {
            let mut problem = Diagnostic::error(code, message).at(Place::line(self.file, record.line));
            if code == "L0305" {
                let kind = self.options.kind;
                problem = problem.help(format!("--as {} knows {}", kind.word(), kind.words()));
            }
            self.problem(problem);
        }
    }

    pub fn finish(mut self, lines: u64) -> Result<Loaded, Vec<Diagnostic>> {
        self.tally.lines = lines;
        self.flush();
        let mut passed_on = 0;
        let history = match self.sink {
            Sink::PassedOn { next, .. } => {
                passed_on = next;
                History::default()
            }
            Sink::InOrder { builder, .. } => builder.finish(),
            Sink::ByTime(mut builder) => {
                for open in self.open.values() {
                    builder.push(open.call, ValueId::NONE, (open.time, TimedBuilder::PENDING));
                }
                // A tolerance given in the log's unit is rescaled with it.
                let skew = self.options.skew.unwrap_or(0);
                builder.finish(if self.clock.scaled { skew.saturating_mul(SCALE) } else { skew })
            }
        };
        let nothing = self.tally.nemesis + self.tally.failed + self.tally.failed_cas + passed_on == 0;
        if self.problems.is_empty() && history.is_empty() && nothing {
            self.problems.push(empty(self.file));
        }
        match self.problems.is_empty() {
            true => Ok(Loaded { history, format: self.format, tally: self.tally }),
            false => Err(self.problems),
        }
    }
}

impl Recorder<'_> {
    fn values(&mut self) -> &mut Values {
        match &mut self.sink {
            Sink::InOrder { builder, .. } => &mut builder.values,
            Sink::ByTime(builder) => &mut builder.values,
            Sink::PassedOn { values, .. } => values,
        }
    }

    /// Interns a value before anything is read.
    pub fn prepare(&mut self, value: Value) -> ValueId {
        self.values().intern(value)
    }

    /// The values so far, for printing.
    pub fn take_values(&mut self) -> Values {
        std::mem::take(self.values())
    }

    fn understand(&mut self, record: &Record) -> Result<(), Problem> {
        if record.process.word() == Some("nemesis") {
            self.tally.nemesis += 1;
            return Ok(());
        }
        if record.process.is_absent() {
            return Err(("L0312", "the record names no process".into()));
        }
        if !record.call.is_absent() {
            return self.operation(record);
        }
        let process = self.intern(&record.process);
        let time = self.tick(&record.time)?;
        match record.kind.word() {
            Some("invoke") => self.invoke(record, process, time),
            Some("ok") => self.ok(record, process, time),
            Some("fail") => self.fail(record, process, time),
            Some("info") => self.info(process, record.line),
            Some(other) => Err(("L0312", format!("`{other}` is none of invoke, ok, fail, info"))),
            None => Err(("L0312", "the record has no type".into())),
        }
    }

    fn invoke(&mut self, record: &Record, process: ValueId, time: Stamp) -> Result<(), Problem> {
        let (method, given) = self.method(record)?;
        if let Some(open) = self.open.get(&process) {
            let message = format!(
                "process {} calls again while its operation of line {} is open",
                shown(&record.process),
                open.call.line
            );
            return Err(("L0304", message));
        }
        let (arg, extra) = self.arguments(method, &given, record)?;
        let key = given.key.map_or(ValueId::NONE, |k| self.intern(k));
        let call = Call { method, process, key, arg, extra, line: record.line };
        let op = match &mut self.sink {
            Sink::InOrder { builder, .. } => u64::from(builder.call(call)),
            Sink::ByTime(_) => 0,
            Sink::PassedOn { to, next, enough, .. } => {
                *next += 1;
                *enough |= to.call(*next, &call).is_break();
                *next
            }
        };
        self.open.insert(process, Open { call, op, time });
        Ok(())
    }

    fn ok(&mut self, record: &Record, process: ValueId, time: Stamp) -> Result<(), Problem> {
        let (method, given) = self.method(record)?;
        let mut open = self.close(process, record, method)?;
        if open.call.arg == ValueId::NONE {
            // Some logs give arguments with the return only.
            (open.call.arg, open.call.extra) = self.arguments(method, &given, record)?;
            match &mut self.sink {
                Sink::InOrder { builder, .. } => {
                    builder.set_arg(open.op as u32, open.call.arg, open.call.extra)
                }
                Sink::PassedOn { .. } if open.call.arg != ValueId::NONE => {
                    return Err((
                        "L0312",
                        "the argument comes with the return, too late for --stream".into(),
                    ));
                }
                _ => {}
            }
        }
        let missing = match method {
            Method::Insert | Method::PushFront | Method::PushBack | Method::Contains | Method::Write => true,
            Method::Put | Method::Append | Method::Cas => true,
            Method::Remove => self.options.kind == Kind::Set,
            _ => false,
        };
        if missing && open.call.arg == ValueId::NONE {
            return Err(("L0312", format!("{} has no argument", self.options.kind.name(method))));
        }
        let result = self.answer(method, &given, record)?;
        self.complete(open, result, time);
        Ok(())
    }

    fn fail(&mut self, record: &Record, process: ValueId, time: Stamp) -> Result<(), Problem> {
        let (method, given) = self.method(record)?;
        let open = self.close(process, record, method)?;
        let compared = method == Method::Cas
            && (matches!(given.value, Datum::Sequence(_))
                || self.format != Format::Etcd && open.call.arg != ValueId::NONE);
        if compared {
            self.tally.failed_cas += 1;
            if self.failed_cas == FailedCas::Result {
                self.complete(open, ValueId::FALSE, time);
                return Ok(());
            }
        } else if self.options.fail_is_empty && self.options.kind.may_be_empty(method) {
            self.complete(open, ValueId::EMPTY, time);
            return Ok(());
        } else {
            self.tally.failed += 1;
        }
        match &mut self.sink {
            Sink::InOrder { builder, .. } => builder.drop_op(open.op as u32),
            Sink::ByTime(_) => {}
            Sink::PassedOn { to, enough, .. } => *enough |= to.undone(open.op).is_break(),
        }
        Ok(())
    }

    fn info(&mut self, process: ValueId, line: u32) -> Result<(), Problem> {
        // Jepsen logs remarks of a process that has nothing open; they say nothing.
        match (self.open.remove(&process), &mut self.sink) {
            (Some(open), Sink::ByTime(builder)) => {
                builder.push(open.call, ValueId::NONE, (open.time, TimedBuilder::PENDING));
                Ok(())
            }
            (Some(open), Sink::PassedOn { to, enough, .. }) => {
                *enough |= to.lost(open.op).is_break();
                Ok(())
            }
            (Some(_), Sink::InOrder { .. }) => Ok(()),
            (None, _) => Err(("L0303", format!("line {line} ends an operation that was never called"))),
        }
    }

    /// One operation on one line.
    fn operation(&mut self, record: &Record) -> Result<(), Problem> {
        let process = self.intern(&record.process);
        let (method, given) = self.method(record)?;
        let (arg, extra) = self.arguments(method, &given, record)?;
        let key = given.key.map_or(ValueId::NONE, |k| self.intern(k));
        let line = record.line;
        let call = Call { method, process, key, arg, extra, line };
        let from = self.stamp(&record.call)?;
        let pending = matches!(record.ret, Datum::Nil | Datum::Absent) || record.kind.word() == Some("info");
        let to = if pending { TimedBuilder::PENDING } else { self.stamp(&record.ret)? };
        if to < from {
            return Err(("L0306", format!("the operation returns at {to}, before its call at {from}")));
        }
        let result = match (pending, record.kind.word()) {
            (true, _) => ValueId::NONE,
            (false, Some("fail")) => match (method, self.failed_cas) {
                (Method::Cas, FailedCas::Result) => {
                    self.tally.failed_cas += 1;
                    ValueId::FALSE
                }
                (Method::Cas, FailedCas::Drop) => {
                    self.tally.failed_cas += 1;
                    return Ok(());
                }
                _ if self.options.fail_is_empty && self.options.kind.may_be_empty(method) => ValueId::EMPTY,
                _ => {
                    self.tally.failed += 1;
                    return Ok(());
                }
            },
            (false, _) => self.answer(method, &given, record)?,
        };
        self.by_time(line)?.push(call, result, (from, to));
        Ok(())
    }

    /// Operations that carry both times are ordered by them, once nothing else was logged.
    fn by_time(&mut self, line: u32) -> Result<&mut TimedBuilder, Problem> {
        if let Sink::PassedOn { .. } = self.sink {
            return Err(("L0322", "--stream needs events in order, not whole operations".into()));
        }
        if let Sink::InOrder { builder, .. } = &mut self.sink {
            if !builder.is_empty() {
                return Err(("L0312", format!("line {line} is a whole operation, earlier lines are events")));
            }
            let values = std::mem::take(&mut builder.values);
            self.sink = Sink::ByTime(TimedBuilder::with(values));
        }
        match &mut self.sink {
            Sink::ByTime(builder) => Ok(builder),
            _ => unreachable!("replaced above"),
        }
    }

    fn close(&mut self, process: ValueId, record: &Record, method: Method) -> Result<Open, Problem> {
        let open = self.open.remove(&process).ok_or_else(|| {
            let message = format!(
                "process {} answers, but has called nothing since its last answer",
                shown(&record.process)
            );
            ("L0303", message)
        })?;
        if open.call.method != method {
            let name = |m| self.options.kind.name(m);
            let message = format!(
                "this answers {}, but line {} calls {}",
                name(method),
                open.call.line,
                name(open.call.method)
            );
            return Err(("L0303", message));
        }
        Ok(open)
    }

    fn complete(&mut self, open: Open, result: ValueId, time: Stamp) {
        match &mut self.sink {
            Sink::InOrder { waiting, .. } if self.clock.last.is_some() => {
                waiting.push((open.op as u32, result))
            }
            Sink::InOrder { builder, .. } => builder.ret(open.op as u32, result),
            Sink::PassedOn { waiting, .. } if self.clock.last.is_some() => waiting.push((open.op, result)),
            Sink::PassedOn { to, enough, .. } => *enough |= to.ret(open.op, result).is_break(),
            Sink::ByTime(builder) => builder.push(open.call, result, (open.time, time)),
        }
    }

    /// Returns whose time has passed.
    fn flush(&mut self) {
        match &mut self.sink {
            Sink::InOrder { builder, waiting } => {
                for (op, result) in waiting.drain(..) {
                    builder.ret(op, result);
                }
            }
            Sink::PassedOn { to, waiting, enough, .. } => {
                for (op, result) in waiting.drain(..) {
                    *enough |= to.ret(op, result).is_break();
                }
            }
            Sink::ByTime(_) => {}
        }
    }

    fn tick(&mut self, time: &Datum) -> Result<Stamp, Problem> {
        if matches!(time, Datum::Absent | Datum::Nil) {
            if self.options.skew.is_some() {
                return Err(("L0315", "the record has no time, which --skew needs".into()));
            }
            self.flush();
            return Ok(0);
        }
        let now = self.stamp(time)?;
        let last = self.clock.last.replace(now);
        if last != Some(now) {
            self.flush();
        }
        match last.filter(|&last| last > now && self.options.skew.is_none()) {
            Some(last) => Err(("L0306", format!("time goes backwards, from {last} to {now}"))),
            None => Ok(now),
        }
    }

    fn stamp(&mut self, time: &Datum) -> Result<Stamp, Problem> {
        let far = || ("L0306", "a time beyond what 64 bits hold".to_string());
        match time {
            Datum::Int(n) if self.clock.scaled => n.checked_mul(SCALE).ok_or_else(far),
            // The last few values mark pending operations.
            Datum::Int(n) if *n < Stamp::MAX - 1 => Ok(*n),
            Datum::Int(_) => Err(far()),
            Datum::Decimal(text) => {
                let seconds: f64 = text.parse().map_err(|_| far())?;
                if !self.clock.scaled {
                    self.rescale().ok_or_else(far)?;
                }
                let scaled = (seconds * SCALE as f64).round();
                if scaled.abs() < 9e18 { Ok(scaled as Stamp) } else { Err(far()) }
            }
            other => Err(("L0307", format!("{} is no time", shown(other)))),
        }
    }

    fn rescale(&mut self) -> Option<()> {
        self.clock.scaled = true;
        if let Some(last) = &mut self.clock.last {
            *last = last.checked_mul(SCALE)?;
        }
        for open in self.open.values_mut() {
            open.time = open.time.checked_mul(SCALE)?;
        }
        match &mut self.sink {
            Sink::ByTime(builder) => builder.rescale(SCALE),
            _ => Some(()),
        }
    }

    /// The method, and the key and value of a record with the wrapping taken off.
    fn method<'d, 'r>(&mut self, record: &'d Record<'r>) -> Result<(Method, Given<'d, 'r>), Problem> {
        let word = record.f.word().ok_or(("L0312", "the record names no function (f)".to_string()))?;
        let mut given = Given { key: None, value: &record.value };
        if !record.key.is_absent() {
            given.key = Some(&record.key);
        }
        if word == "txn" {
            return self.transaction(given);
        }
        if self.options.keyed {
            match given.value {
                Datum::Sequence(pair) if pair.len() == 2 => {
                    (given.key, given.value) = (Some(&pair[0]), &pair[1]);
                }
                // A return may leave the value out.
                Datum::Nil | Datum::Absent if record.kind.word() != Some("invoke") => {}
                other => return Err(("L0307", format!("--keyed: {} is no pair [key value]", shown(other)))),
            }
        }
        Ok((self.find(word)?, given))
    }

    fn find(&mut self, word: &str) -> Result<Method, Problem> {
        let known = match self.words.iter().find(|(w, _)| **w == *word) {
            Some((_, method)) => *method,
            None => {
                let method = self.options.kind.method(word);
                self.words.push((word.into(), method));
                method
            }
        };
        known.ok_or_else(|| ("L0305", format!("a {} has no operation `{word}`", self.options.kind.word())))
    }

    /// One micro-operation of Elle: `["r", key, value]`.
    fn transaction<'d, 'r>(&mut self, given: Given<'d, 'r>) -> Result<(Method, Given<'d, 'r>), Problem> {
        let Datum::Sequence(micro) = given.value else {
            return Err(("L0307", "a txn is a list of operations".into()));
        };
        match &micro[..] {
            [Datum::Sequence(op)] => match &op[..] {
                [f, key, value] => {
                    let word =
                        f.word().ok_or(("L0307", "an operation of a txn names no function".to_string()))?;
                    Ok((self.find(word)?, Given { key: Some(key), value }))
                }
                _ => Err(("L0307", "an operation of a txn is [f key value]".into())),
            },
            _ => {
                let message = format!(
                    "a transaction of {} operations; only single ones are operations of a map",
                    micro.len()
                );
                Err(("L0311", message))
            }
        }
    }

    fn arguments(
        &mut self,
        method: Method,
        given: &Given,
        record: &Record,
    ) -> Result<(ValueId, ValueId), Problem> {
        let kind = self.options.kind;
        if kind == Kind::Map && given.key.is_none() {
            return Err(("L0312", "the record names no key".into()));
        }
        let none = ValueId::NONE;
        let value = match given.value {
            Datum::Absent | Datum::Nil if !matches!(method, Method::Write | Method::Put) => None,
            Datum::Absent => None,
            value => Some(value),
        };
        match method {
            Method::Read | Method::FetchIncrement | Method::Acquire | Method::Release | Method::Delete => {
                Ok((none, none))
            }
            Method::PopFront | Method::PopBack => Ok((none, none)),
            Method::Remove if kind != Kind::Set => Ok((none, none)),
            Method::Cas => match value {
                Some(Datum::Sequence(pair)) if pair.len() == 2 => {
                    Ok((self.intern(&pair[0]), self.intern(&pair[1])))
                }
                None => Ok((none, none)),
                // The return of one that timed out.
                Some(_) if record.kind.word() != Some("invoke") => Ok((none, none)),
                Some(other) => Err(("L0307", format!("cas takes [from to], not {}", shown(other)))),
            },
            Method::Insert if kind == Kind::PriorityQueue => {
                let (value, priority) = match (value, &record.priority) {
                    (None, _) => return Ok((none, none)),
                    (Some(Datum::Sequence(pair)), Datum::Absent) if pair.len() == 2 => (&pair[0], &pair[1]),
                    (Some(_), Datum::Absent) => {
                        return Err(("L0312", "put has no priority (prio, or value [v prio])".into()));
                    }
                    (Some(value), priority) => (value, priority),
                };
                if !matches!(priority, Datum::Int(_)) && !self.options.listed_priorities {
                    let message = format!("priority {} is no whole number", shown(priority));
                    return Err(("L0307", format!("{message}; use --order for others")));
                }
                Ok((self.intern(value), self.intern(priority)))
            }
            Method::Add => match value {
                None => Ok((none, none)),
                Some(Datum::Int(n)) => Ok((self.values().int(*n), none)),
                Some(other) => Err(("L0307", format!("add takes a whole number, not {}", shown(other)))),
            },
            // A set's answer may stand beside the element: [element answer].
            Method::Insert | Method::Remove | Method::Contains if kind == Kind::Set => match value {
                None | Some(Datum::Bool(_))
                    if record.kind.word() != Some("invoke") && record.call.is_absent() =>
                {
                    Ok((none, none))
                }
                Some(Datum::Sequence(pair)) if pair.len() == 2 => Ok((self.intern(&pair[0]), none)),
                Some(value) => Ok((self.intern(value), none)),
                None => Err(("L0312", format!("{} has no element", kind.name(method)))),
            },
            // Elements of lists are spelled as texts, so that appending is concatenation.
            Method::Append if self.format == Format::Elle => match value {
                Some(value) => {
                    let text = format!("{} ", spelled(value));
                    Ok((self.values().intern(Value::Text(text.into())), none))
                }
                None => Ok((none, none)),
            },
            _ => Ok((value.map_or(none, |v| self.intern(v)), none)),
        }
    }

    fn answer(&mut self, method: Method, given: &Given, record: &Record) -> Result<ValueId, Problem> {
        let kind = self.options.kind;
        if !kind.answers(method) {
            return Ok(ValueId::NONE);
        }
        let value = match &record.result {
            Datum::Absent => given.value,
            result => result,
        };
        if kind == Kind::Set {
            let answer = match value {
                Datum::Sequence(pair) if pair.len() == 2 => &pair[1],
                value => value,
            };
            return match (answer, method) {
                (Datum::Bool(b), _) => Ok(ValueId::bool(*b)),
                (_, Method::Contains) => Err(("L0312", "contains has no answer, true or false".into())),
                // Many logs do not say whether the set changed.
                _ => Ok(ValueId::NONE),
            };
        }
        if method == Method::Cas {
            return match value {
                Datum::Bool(b) => Ok(ValueId::bool(*b)),
                _ => Ok(ValueId::TRUE),
            };
        }
        if kind.may_be_empty(method) {
            let empty = match value {
                Datum::Nil => true,
                Datum::Word(w) => *w == "empty",
                Datum::Text(t) => &**t == "empty",
                _ => false,
            };
            if empty {
                return Ok(ValueId::EMPTY);
            }
        }
        match value {
            Datum::Absent => Err(("L0312", format!("{} has no result", kind.name(method)))),
            Datum::Int(n) => Ok(self.values().int(*n)),
            other if matches!(kind, Kind::Counter | Kind::FetchIncrement) => {
                Err(("L0307", format!("{} is no whole number", shown(other))))
            }
            // A removed value may come with its priority.
            Datum::Sequence(pair) if kind == Kind::PriorityQueue && pair.len() == 2 => {
                Ok(self.intern(&pair[0]))
            }
            Datum::Sequence(list) if self.format == Format::Elle => {
                if list.is_empty() {
                    return Ok(ValueId::NIL);
                }
                let text: String = list.iter().map(|d| format!("{} ", spelled(d))).collect();
                Ok(self.values().intern(Value::Text(text.into())))
            }
            value => Ok(self.intern(value)),
        }
    }

    fn intern(&mut self, datum: &Datum) -> ValueId {
        match datum {
            Datum::Int(n) => self.values().int(*n),
            Datum::Nil => ValueId::NIL,
            other => self.values().intern(value_of(other)),
        }
    }
}

const SCALE: Stamp = 1_000_000_000;

pub fn empty(file: &str) -> Diagnostic {
    Diagnostic::error("L0310", "the log is empty: there is no operation in it").at(Place::line(file, 1))
}

pub fn value_of(datum: &Datum) -> Value {
    match datum {
        Datum::Absent => Value::None,
        Datum::Nil => Value::Nil,
        Datum::Bool(b) => Value::Bool(*b),
        Datum::Int(n) => Value::Int(*n),
        Datum::Decimal(t) => Value::Other((*t).into()),
        Datum::Text(t) => Value::Text((**t).into()),
        Datum::Word(w) => Value::Other(format!(":{w}").into()),
        Datum::Sequence(_) | Datum::Map(_) => Value::Other(spelled(datum).into()),
    }
}

/// A value in one spelling, whatever the format.
fn spelled(datum: &Datum) -> String {
    match datum {
        Datum::Sequence(items) => {
            format!("[{}]", items.iter().map(spelled).collect::<Vec<_>>().join(" "))
        }
        Datum::Map(text) => (*text).into(),
        other => value_of(other).to_string(),
    }
}

fn shown(datum: &Datum) -> String {
    match datum {
        Datum::Absent => "nothing".into(),
        other => spelled(other),
    }
}
