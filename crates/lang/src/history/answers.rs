//! What came back, from the record of a return.
//!
//! A return says its answer in `result`, or in `value`, where many logs repeat the arguments
//! instead, with or without the answer behind them: `[[3 4] false]`. Whatever stands there is
//! either used or refused: the arguments again must be those of the call, an answer must be one that
//! the operation can give, and of two they must agree. Operations that answer nothing may say
//! nothing, repeat their argument, or say that they are done (`true`, `:ok`).

use super::record::{Datum, Record};
use super::recorder::{Problem, Recorder};
use super::takes::{Takes, is_empty_word, takes};
use super::value::{Given, shown, value_of};
use lineal_model::adt::Kind;
use lineal_model::history::{Call, Method, ValueId};

/// Arguments that come with the return, and the answer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Said {
    pub(super) arg: ValueId,
    pub(super) extra: ValueId,
    pub(super) result: ValueId,
}

pub(super) const NOTHING: Said = Said { arg: ValueId::NONE, extra: ValueId::NONE, result: ValueId::NONE };

impl Recorder<'_> {
    /// What a return says. `call`: what was called, if that was a record of its own.
    pub(super) fn said(
        &mut self,
        method: Method,
        given: &Given,
        record: &Record,
        call: Option<&Call>,
    ) -> Result<Said, Problem> {
        if method == Method::Custom {
            return self.user_said(given, record, call);
        }
        let kind = self.options.kind;
        match (takes(kind, method), kind.answers(method)) {
            (Takes::Nothing, true) => {
                let answer = match (method, given.value, &record.result) {
                    // It adds one, and may say so.
                    (Method::FetchIncrement, Datum::Int(1), result) if !result.is_absent() => result,
                    (_, value, result) => one_of(value, result)?,
                };
                let result = self.answer(method, answer, given.listed, &record.priority)?;
                let ranked = kind == Kind::PriorityQueue && !record.priority.is_absent();
                let extra = if ranked { self.priority(&record.priority)? } else { ValueId::NONE };
                Ok(Said { result, extra, ..NOTHING })
            }
            (Takes::Nothing, false) => {
                self.silent(method, given.value)?;
                self.silent(method, &record.result)?;
                Ok(NOTHING)
            }
            (_, false) => {
                self.silent(method, &record.result)?;
                self.repeated(method, given, record, call)
            }
            (_, true) => self.judged(method, given, record, call),
        }
    }

    /// The answer of an operation that takes nothing.
    pub(super) fn answer(
        &mut self,
        method: Method,
        answer: &Datum,
        listed: bool,
        priority: &Datum,
    ) -> Result<ValueId, Problem> {
        let kind = self.options.kind;
        if kind.may_be_empty(method) && (matches!(answer, Datum::Nil) || is_empty_word(answer)) {
            return Ok(ValueId::EMPTY);
        }
        match answer {
            Datum::Absent => Err(("L0312", format!("{} has no result", kind.name(method)))),
            Datum::Int(n) => Ok(self.values().int(*n)),
            other if matches!(kind, Kind::Counter | Kind::FetchIncrement) => {
                Err(("L0307", format!("{} is no whole number", shown(other))))
            }
            // A removed value may come with its priority, or be such a pair itself: that is seen once
            // all is read.
            Datum::Sequence(pair)
                if kind == Kind::PriorityQueue && pair.len() == 2 && priority.is_absent() =>
            {
                let whole = self.intern(answer);
                if let Ok(rank) = self.priority(&pair[1]) {
                    let value = self.intern(&pair[0]);
                    self.pairs.insert(whole, (value, rank));
                }
                Ok(whole)
            }
            Datum::Sequence(items) if listed => Ok(self.growing(items)),
            Datum::Nil if kind == Kind::Map => self.nil_answer(),
            value => Ok(self.intern(value)),
        }
    }

    /// Nothing but that it is done.
    pub(super) fn silent(&self, method: Method, datum: &Datum) -> Result<(), Problem> {
        // A deletion that is true may have found something.
        let done = datum.is_nothing()
            || datum.word() == Some("ok")
            || (matches!(datum, Datum::Bool(true)) && method != Method::Delete);
        match done {
            true => Ok(()),
            false => {
                let name = self.options.kind.name(method);
                let message = format!("{} is no answer of {name}, which answers nothing", shown(datum));
                Err(("L0307", message))
            }
        }
    }

    /// The arguments again, of an operation that answers nothing.
    fn repeated(
        &mut self,
        method: Method,
        given: &Given,
        record: &Record,
        call: Option<&Call>,
    ) -> Result<Said, Problem> {
        let kind = self.options.kind;
        let known = match call {
            None => None,
            // Without a number it adds one; a number that comes back is none to add.
            Some(call) if takes(kind, method) == Takes::Number => Some(call),
            Some(call) => Some(call).filter(|c| c.arg != ValueId::NONE),
        };
        let Some(call) = known else {
            let (arg, extra) = self.taken(method, given.value, &record.priority, given.listed)?;
            return Ok(Said { arg, extra, ..NOTHING });
        };
        self.same_priority(record, call)?;
        if !given.value.is_nothing()
            && !self.echoes(method, given.value, given.listed, call)
            && self.silent(method, given.value).is_err()
        {
            return Err(self.other(method, given.value, call));
        }
        Ok(NOTHING)
    }

    /// True or false, of a set or a compare-and-swap.
    fn judged(
        &mut self,
        method: Method,
        given: &Given,
        record: &Record,
        call: Option<&Call>,
    ) -> Result<Said, Problem> {
        let stated = match &record.result {
            Datum::Absent | Datum::Nil => None,
            Datum::Bool(b) => Some(*b),
            other => return Err(self.no_truth(method, other)),
        };
        let apart = !record.result.is_absent();
        let behind = |value: &Datum, pair: bool| match value {
            Datum::Sequence(items) => match &items[..] {
                [Datum::Sequence(two), Datum::Bool(b)] if pair && two.len() == 2 => Some(*b),
                [_, Datum::Bool(b)] if !pair => Some(*b),
                _ => None,
            },
            _ => None,
        };
        let pair = method == Method::Cas;
        let front = |value: &Datum, behind: Option<bool>| match value {
            Datum::Sequence(items) if behind.is_some() => value_of(&items[0]),
            other => value_of(other),
        };
        let (said, found) = match call.filter(|c| c.arg != ValueId::NONE) {
            None => {
                let found = if apart { None } else { behind(given.value, pair) };
                match given.value {
                    // The argument is missing, and will be missed.
                    Datum::Bool(b) if call.is_some() => (NOTHING, Some(*b)),
                    value => {
                        let argument = match value {
                            Datum::Sequence(items) if found.is_some() => &items[0],
                            other => other,
                        };
                        let (arg, extra) = self.taken(method, argument, &Datum::Absent, false)?;
                        (Said { arg, extra, ..NOTHING }, found)
                    }
                }
            }
            Some(call) => {
                let value = given.value;
                let echo = self.echoes(method, value, false, call);
                let found = match value {
                    _ if value.is_nothing() => None,
                    Datum::Bool(b) if echo && !apart && method == Method::Contains => Some(*b),
                    Datum::Bool(b) if echo && !apart => {
                        let message = format!("{b} may be the element again, or the answer");
                        return Err(("L0307", format!("{message}: give the answer as the result")));
                    }
                    _ if echo => None,
                    Datum::Bool(b) => Some(*b),
                    value => match behind(value, pair) {
                        Some(b) if self.echo_of(method, &front(value, Some(b)), call) => Some(b),
                        _ => return Err(self.other(method, value, call)),
                    },
                };
                (NOTHING, found)
            }
        };
        let result = match (stated, found, method) {
            (Some(a), Some(b), _) if a != b => return Err(two(&a.to_string(), &b.to_string())),
            (Some(b), _, _) | (None, Some(b), _) => ValueId::bool(b),
            (None, None, Method::Contains) => {
                return Err(("L0312", "contains has no answer, true or false".into()));
            }
            // That it returned means that it was carried out, if the record says so.
            (None, None, Method::Cas) => match record.kind.word() {
                Some("ok") => ValueId::TRUE,
                _ => return Err(("L0312", "cas has no result, true or false".into())),
            },
            // Many logs do not say whether the set changed.
            (None, None, _) => ValueId::NONE,
        };
        Ok(Said { result, ..said })
    }

    /// Whether a value is the arguments of the call again.
    fn echoes(&mut self, method: Method, value: &Datum, listed: bool, call: &Call) -> bool {
        match self.taken(method, value, &Datum::Absent, listed) {
            Ok((arg, extra)) => (arg, extra) == (call.arg, call.extra),
            // A priority need not be said again.
            Err(_) => self.echo_of(method, &value_of(value), call),
        }
    }

    fn echo_of(&mut self, method: Method, value: &lineal_model::history::Value, call: &Call) -> bool {
        use lineal_model::history::Value;
        match (method, value) {
            (Method::Cas, Value::List(pair)) if pair.len() == 2 => {
                let [from, to] = [0, 1].map(|i| self.values().intern(pair[i].clone()));
                (from, to) == (call.arg, call.extra)
            }
            (Method::Cas, _) => false,
            (_, value) => self.values().intern(value.clone()) == call.arg,
        }
    }

    fn same_priority(&mut self, record: &Record, call: &Call) -> Result<(), Problem> {
        if self.options.kind != Kind::PriorityQueue || record.priority.is_absent() {
            return Ok(());
        }
        match self.priority(&record.priority)? == call.extra {
            true => Ok(()),
            false => Err((
                "L0303",
                format!("this has priority {}, line {} another one", shown(&record.priority), call.line),
            )),
        }
    }

    /// Neither the argument nor an answer.
    fn other(&mut self, method: Method, value: &Datum, call: &Call) -> Problem {
        let kind = self.options.kind;
        let name = kind.name(method);
        let called = match call.arg {
            ValueId::NONE => "nothing".to_string(),
            arg => match call.extra {
                ValueId::NONE => self.values().show(arg),
                extra => format!("[{} {}]", self.values().show(arg), self.values().show(extra)),
            },
        };
        let answers = match kind.answers(method) {
            true => "answers true or false",
            false => "answers nothing",
        };
        let message = format!(
            "{} is neither {called}, which line {} calls {name} with, nor an answer: {name} {answers}",
            shown(value),
            call.line
        );
        ("L0307", message)
    }

    fn no_truth(&self, method: Method, answer: &Datum) -> Problem {
        let name = self.options.kind.name(method);
        ("L0307", format!("{} is no answer of {name}, which answers true or false", shown(answer)))
    }
}

/// The answer, wherever it stands.
pub(super) fn one_of<'d, 'a>(value: &'d Datum<'a>, result: &'d Datum<'a>) -> Result<&'d Datum<'a>, Problem> {
    match (value, result) {
        (value, Datum::Absent) => Ok(value),
        (value, result) if value.is_nothing() || value_of(value) == value_of(result) => Ok(result),
        (value, result) => Err(two(&shown(value), &shown(result))),
    }
}

fn two(a: &str, b: &str) -> Problem {
    ("L0307", format!("two answers, {a} and {b}"))
}
