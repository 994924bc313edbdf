//! What records mean: matches calls with returns, and arguments with answers.
//!
//! What stands in a record is for [`super::arguments`] and [`super::answers`] to say.
//!
//! Of one process at most one operation is open. `:ok` completes it; `:info`, or nothing at all,
//! leaves it pending (after `:info` the process may go on); `:fail` takes it back, except for a
//! compare-and-swap whose failure is an answer and, if asked, a remove that found nothing.
//!
//! Events are ordered as in the file. Where they carry times, those must not go backwards, and at
//! equal times calls come first: a coarse clock must not order what it cannot tell apart.

use super::record::{Datum, Record};
use super::takes::{Takes, is_empty_word, takes};
use super::value::shown;
use super::{FailedCas, Format, Loaded, MOST_PROBLEMS, Options, Tally};
use lineal_model::Knob;
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
    pub(super) failed_cas: FailedCas,
    pub(super) sink: Sink<'a>,
    pub(super) open: FxHashMap<ValueId, Open>,
    /// Words for methods, as met so far.
    pub(super) words: Vec<(Box<str>, Option<Meant>)>,
    /// Answers of a priority queue that are a value with its priority, unless they are a value.
    pub(super) pairs: FxHashMap<ValueId, (ValueId, ValueId)>,
    /// Whether the format is our guess.
    pub(super) guessed: bool,
    /// Some get of a map answered nil.
    pub(super) nil: bool,
    /// Where the object starts, from the log itself.
    pub(super) init: Option<Value>,
    pub(super) clock: Clock,
    pub(super) tally: Tally,
    problems: Vec<Diagnostic>,
}

pub(super) enum Sink<'a> {
    /// Events in the order of the file; returns stamped with the current time wait for it to pass.
    InOrder { builder: Builder, waiting: Vec<(u32, ValueId)> },
    /// Operations with their times.
    ByTime(TimedBuilder),
    /// Nothing is kept; the receiver may have had enough.
    PassedOn {
        to: &'a mut dyn Events,
        values: Values,
        /// Where the receiver takes the object to start.
        init: ValueId,
        next: u64,
        enough: bool,
        waiting: Vec<(u64, ValueId)>,
    },
}

#[derive(Clone, Copy)]
pub(super) struct Open {
    pub(super) call: Call,
    /// Its number among events in order.
    op: u64,
    pub(super) time: Stamp,
    /// The answer, where the call already says it.
    foretold: ValueId,
}

/// Times as integers. Decimals are kept to nine places, and rescale what came before.
#[derive(Default)]
pub(super) struct Clock {
    pub(super) last: Option<Stamp>,
    pub(super) scaled: bool,
}

pub(super) const SCALE: Stamp = 1_000_000_000;

pub type Problem = (&'static str, String);

impl<'a> Recorder<'a> {
    /// Passes events on instead of building a history.
    pub fn passing_on(file: &'a str, format: Format, options: &'a Options, to: &'a mut dyn Events) -> Self {
        let sink = Sink::PassedOn {
            to,
            values: Values::default(),
            init: ValueId::NONE,
            next: 0,
            enough: false,
            waiting: Vec::new(),
        };
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
            pairs: FxHashMap::default(),
            guessed: false,
            nil: false,
            init: None,
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
        let mut lost: Vec<Call> = self.open.values().map(|open| open.call).collect();
        lost.sort_unstable_by_key(|call| call.line);
        for call in lost {
            if let Err((code, message)) = self.known_argument(&call) {
                self.problem_at(code, call.line, &message);
            }
        }
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
        let history = match super::pairs::resolve(history, &self.pairs) {
            Ok(history) => history,
            Err((line, message)) => {
                let at = Place::line(self.file, line);
                self.problems.push(Diagnostic::error("L0307", message).at(at));
                History::default()
            }
        };
        // A log of texts that starts as the empty one has no nil in it.
        let format = match self.format {
            Format::Kv if self.guessed && self.nil => Format::Edn,
            format => format,
        };
        match self.problems.is_empty() {
            true => Ok(Loaded { history, format, tally: self.tally, init: self.init }),
            false => Err(self.problems),
        }
    }
}

impl Recorder<'_> {
    /// What a knob is called.
    pub(super) fn flag(&self, knob: Knob) -> &'static str {
        (self.options.flags)(knob)
    }

    pub(super) fn values(&mut self) -> &mut Values {
        match &mut self.sink {
            Sink::InOrder { builder, .. } => &mut builder.values,
            Sink::ByTime(builder) => &mut builder.values,
            Sink::PassedOn { values, .. } => values,
        }
    }

    /// Interns a value before anything is read.
    pub fn prepare(&mut self, value: Value) {
        let id = self.values().intern(value);
        if let Sink::PassedOn { init, .. } = &mut self.sink {
            *init = id;
        }
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
        if record.process.is_absent() && !record.init.is_absent() {
            return self.start(record);
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

    /// An operation that is never heard of again has the argument of its call.
    fn known_argument(&self, call: &Call) -> Result<(), Problem> {
        match call.arg == ValueId::NONE && self.needs_argument(call.method) {
            false => Ok(()),
            true => {
                let name = self.name(call.method, 0);
                Err(("L0312", format!("{name} of line {} never returned, and has no argument", call.line)))
            }
        }
    }

    /// What the call already says about the answer.
    pub(super) fn foretold(
        &mut self,
        method: Method,
        given: &super::value::Given,
        record: &Record,
    ) -> Result<ValueId, Problem> {
        if !record.result.is_nothing() {
            return Err(("L0307", format!("a call has no result, yet here is {}", shown(&record.result))));
        }
        let kind = self.options.kind;
        if method == Method::Custom || takes(kind, method) != Takes::Nothing || given.value.is_nothing() {
            return Ok(ValueId::NONE);
        }
        match method {
            // It adds one.
            Method::FetchIncrement if *given.value == Datum::Int(1) => Ok(ValueId::NONE),
            _ if kind.answers(method) => self.answer(method, given.value, given.listed, &record.priority),
            _ => {
                let message = format!("{} takes no value, not {}", kind.name(method), shown(given.value));
                Err(("L0307", format!("{message}; one of several objects is named by its key")))
            }
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
        let foretold = self.foretold(method, &given, record)?;
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
        self.open.insert(process, Open { call, op, time, foretold });
        Ok(())
    }

    fn ok(&mut self, record: &Record, process: ValueId, time: Stamp) -> Result<(), Problem> {
        let (method, given) = self.method(record)?;
        let mut open = self.close(process, record, (method, given.operation))?;
        self.same_key(&given, &open.call)?;
        let said = self.said(method, &given, record, Some(&open.call))?;
        if said.arg != ValueId::NONE || (said.extra != ValueId::NONE && method != Method::Custom) {
            // Some logs give arguments with the return only; a removed value may have a priority.
            if said.arg != ValueId::NONE {
                open.call.arg = said.arg;
            }
            open.call.extra = said.extra;
            match &mut self.sink {
                Sink::InOrder { builder, .. } => {
                    builder.set_arg(open.op as u32, open.call.arg, open.call.extra)
                }
                Sink::PassedOn { .. } => {
                    let stream = self.flag(Knob::Stream);
                    return Err((
                        "L0312",
                        format!("the argument comes with the return, too late for {stream}"),
                    ));
                }
                Sink::ByTime(_) => {}
            }
        }
        if open.call.arg == ValueId::NONE && self.needs_argument(method) {
            return Err(("L0312", format!("{} has no argument", self.name(method, given.operation))));
        }
        let result = said.result;
        if open.foretold != ValueId::NONE && open.foretold != result {
            let [told, came] = [open.foretold, result].map(|id| self.values().show(id));
            return Err(("L0303", format!("this answers {came}, but line {} says {told}", open.call.line)));
        }
        self.complete(open, result, time);
        Ok(())
    }

    /// A return is about the key of its call.
    fn same_key(&mut self, given: &super::value::Given, call: &Call) -> Result<(), Problem> {
        let Some(key) = given.key else { return Ok(()) };
        if self.intern(key) == call.key {
            return Ok(());
        }
        let called = match call.key {
            ValueId::NONE => "none".into(),
            key => self.values().show(key),
        };
        Err(("L0303", format!("this has key {}, but line {} has {called}", shown(key), call.line)))
    }

    fn fail(&mut self, record: &Record, process: ValueId, time: Stamp) -> Result<(), Problem> {
        let (method, given) = self.method(record)?;
        let open = self.close(process, record, (method, given.operation))?;
        // A failure that has a name of its own, such as :timed-out, is no answer.
        let unnamed = given.value.is_nothing() || matches!(given.value, Datum::Bool(false));
        let compared = method == Method::Cas
            && (matches!(given.value, Datum::Sequence(_))
                || self.format != Format::Etcd && unnamed && open.call.arg != ValueId::NONE);
        let found_nothing = given.value.is_nothing() || is_empty_word(given.value);
        if compared {
            self.tally.failed_cas += 1;
            if self.failed_cas == FailedCas::Result {
                self.complete(open, ValueId::FALSE, time);
                return Ok(());
            }
        } else if self.options.fail_is_empty && found_nothing && self.may_be_empty(method, given.operation) {
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
        if let Some(open) = self.open.get(&process) {
            self.known_argument(&open.call)?;
        }
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
    pub(super) fn flush(&mut self) {
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
}

pub fn empty(file: &str) -> Diagnostic {
    Diagnostic::error("L0310", "the log is empty: there is no operation in it").at(Place::line(file, 1))
}
