//! What records mean: matches calls with returns, and arguments with answers.
//!
//! Of one process at most one operation is open. `:ok` completes it; `:info`, or nothing at all,
//! leaves it pending (after `:info` the process may go on); `:fail` takes it back, except for a
//! compare-and-swap whose failure is an answer and, if asked, a remove that found nothing.
//!
//! Events are ordered as in the file. Where they carry times, those must not go backwards, and at
//! equal times calls come first: a coarse clock must not order what it cannot tell apart.

use super::meaning::shown;
use super::record::{Datum, Record};
use super::{FailedCas, Format, Loaded, MOST_PROBLEMS, Options, Tally};
use lineal_model::adt::Kind;
use lineal_model::history::{
    Builder, Call, Events, History, Method, Stamp, TimedBuilder, Value, ValueId, Values,
};
use lineal_model::{Diagnostic, Place};
use rustc_hash::FxHashMap;

/// A method and, of a user's type, which of its operations.
pub(super) type Meant = (Method, u32);

pub struct Recorder<'a> {
    file: &'a str,
    pub(super) format: Format,
    pub(super) options: &'a Options,
    failed_cas: FailedCas,
    sink: Sink<'a>,
    open: FxHashMap<ValueId, Open>,
    /// Words for methods, as met so far.
    pub(super) words: Vec<(Box<str>, Option<Meant>)>,
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

pub type Problem = (&'static str, String);

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
                problem = problem.help(self.known());
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
    pub(super) fn values(&mut self) -> &mut Values {
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
        let mut open = self.close(process, record, (method, given.operation))?;
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
            return Err(("L0312", format!("{} has no argument", self.name(method, given.operation))));
        }
        let result = self.answer(method, &given, record)?;
        self.complete(open, result, time);
        Ok(())
    }

    fn fail(&mut self, record: &Record, process: ValueId, time: Stamp) -> Result<(), Problem> {
        let (method, given) = self.method(record)?;
        let open = self.close(process, record, (method, given.operation))?;
        let compared = method == Method::Cas
            && (matches!(given.value, Datum::Sequence(_))
                || self.format != Format::Etcd && open.call.arg != ValueId::NONE);
        if compared {
            self.tally.failed_cas += 1;
            if self.failed_cas == FailedCas::Result {
                self.complete(open, ValueId::FALSE, time);
                return Ok(());
            }
        } else if self.options.fail_is_empty && self.may_be_empty(method, given.operation) {
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
                _ if self.options.fail_is_empty && self.may_be_empty(method, given.operation) => {
                    ValueId::EMPTY
                }
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

    fn close(&mut self, process: ValueId, record: &Record, method: (Method, u32)) -> Result<Open, Problem> {
        let open = self.open.remove(&process).ok_or_else(|| {
            let message = format!(
                "process {} answers, but has called nothing since its last answer",
                shown(&record.process)
            );
            ("L0303", message)
        })?;
        let called = match open.call.method {
            Method::Custom => (Method::Custom, open.call.extra.0),
            built_in => (built_in, 0),
        };
        if called != method {
            let message = format!(
                "this answers {}, but line {} calls {}",
                self.name(method.0, method.1),
                open.call.line,
                self.name(called.0, called.1)
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
}

const SCALE: Stamp = 1_000_000_000;

pub fn empty(file: &str) -> Diagnostic {
    Diagnostic::error("L0310", "the log is empty: there is no operation in it").at(Place::line(file, 1))
}
