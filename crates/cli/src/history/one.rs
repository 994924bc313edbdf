//! One log: read, decide, explain.

use super::Outcome;
use super::args::HistoryArgs;
use super::input::Input;
use super::page::{label, page};
use super::user;
use super::watch::{Told, Watch};
use lineal_check::monitor::{
    self, Answer, Checked, Conflict, Consistency, Explanation, Method, Part, Partition, Patience, Problem,
    Shrink, brief, explain, witness,
};
use lineal_lang::history::{Format, Loaded, Options, load, start};
use lineal_model::adt::{Kind, Object};
use lineal_model::history::Value;
use lineal_model::{Assumption, Diagnostic, Effort, Finding, Limit, Place, Scope, Verdict};
use std::sync::Arc;
use std::time::Instant;

pub struct Asked {
    pub args: HistoryArgs,
    pub object: Object,
    pub options: Options,
    pub effort: Effort,
}

pub fn property(asked: &Asked, name: &str) -> String {
    let consistency = match asked.args.consistency.into() {
        Consistency::Linearizable => "linearizable",
        Consistency::Sequential => "sequentially consistent",
    };
    let a = match asked.object.kind {
        Kind::FetchIncrement => "a fetch-and-increment".to_string(),
        Kind::User => asked.object.word().to_string(),
        kind => format!("a {}", kind.word()),
    };
    format!("{name} is {consistency} as {a}")
}

pub fn check(asked: &Asked, input: &Input, watch: &Watch, told: &Told) -> Outcome {
    let started = Instant::now();
    let began = cpu();
    let property = property(asked, &input.name);
    let unread = |diagnostics| Outcome { finding: None, diagnostics, page: None };
    let opened = input.open(watch).map_err(|e| {
        vec![Diagnostic::error("L0314", format!("cannot read the log: {e}")).at(Place::line(&*input.name, 1))]
    });
    let loaded = opened
        .and_then(|mut reader| load(&mut reader, &input.name, asked.args.from.format(), &asked.options));
    let loaded = match (loaded, watch.reached()) {
        (Ok(loaded), _) => loaded,
        // A limit reached while reading is a limit, not a fault of the file.
        (Err(_), Some(limit)) => {
            let mut finding = Finding::new(property, Verdict::Unknown(while_reading(limit)));
            finding.stats.seconds = started.elapsed().as_secs_f64();
            return Outcome { finding: Some(finding), diagnostics: Vec::new(), page: None };
        }
        (Err(problems), None) => return unread(problems),
    };
    let parsed = Times { began: started, parsed: started.elapsed(), cpu: (began, cpu()) };
    let mut object = starting(asked, loaded.format, loaded.init.clone());
    if let Some(user) = &mut object.user {
        if let Some(unfit) = user::unfit(user, &loaded.history, &input.name) {
            return unread(vec![unfit]);
        }
        *user = Arc::new(user.copy());
    }
    let problem = Problem {
        history: &loaded.history,
        object: &object,
        consistency: asked.args.consistency.into(),
        algorithm: asked.args.algorithm.into(),
        partition: if asked.args.no_partition { Partition::Whole } else { Partition::ByKey },
    };
    let checked = monitor::check(&problem, &asked.effort, watch);
    if let Some(user) = &object.user
        && let Some(trouble) = user.trouble()
    {
        return unread(vec![user::failed(user, &trouble, &input.name)]);
    }
    let log = Log { asked, input, loaded: &loaded, problem: &problem, checked: &checked, watch };
    let finding = log.settled(&parsed);
    told.settled(finding.clone());
    let more = log.more();
    log.conclude(finding, more, &parsed)
}

/// When things were done.
#[derive(Clone, Copy)]
struct Times {
    began: Instant,
    parsed: std::time::Duration,
    /// Of this thread: at first, and when the log was read.
    cpu: (Option<u64>, Option<u64>),
}

/// A log that is decided.
struct Log<'a> {
    asked: &'a Asked,
    input: &'a Input,
    loaded: &'a Loaded,
    problem: &'a Problem<'a>,
    checked: &'a Checked<'a>,
    watch: &'a Watch,
}

/// What is said about a verdict besides.
struct More {
    explanation: Option<Explanation>,
    /// An order that explains each key, if asked for.
    orders: Vec<String>,
}

impl Log<'_> {
    /// The finding before anything is explained.
    fn settled(&self, times: &Times) -> Finding {
        let Log { asked, loaded, problem, checked, .. } = *self;
        let done = cpu();
        let decided = times.began.elapsed() - times.parsed;
        let mut finding = Finding::new(property(asked, &self.input.name), self.verdict(None));
        finding.remarks = remarks(asked, loaded, checked, problem);
        finding.stats.states = checked.configurations();
        finding.stats.more.insert("operations", loaded.history.len() as u64);
        finding.stats.more.insert("pending", loaded.history.pending() as u64);
        finding.stats.more.insert("keys", checked.parts.len() as u64);
        finding.stats.more.insert("parse_us", times.parsed.as_micros() as u64);
        finding.stats.more.insert("decide_us", decided.as_micros() as u64);
        // On a busy machine the time this thread was running tells more.
        if let ((Some(began), Some(read)), Some(done), 1) = (times.cpu, done, asked.effort.jobs) {
            finding.stats.more.insert("parse_cpu_us", (read - began) / 1000);
            finding.stats.more.insert("decide_cpu_us", (done - read) / 1000);
        }
        finding.stats.more.insert("history_bytes", loaded.history.bytes() as u64);
        finding.stats.seconds = times.began.elapsed().as_secs_f64();
        finding
    }

    /// Whatever was asked for, within limits.
    fn more(&self) -> More {
        let Log { asked, problem, checked, watch, .. } = *self;
        let explanation = checked.violated().map(|part| {
            let own = Problem { history: &part.history, ..*problem };
            let shrink = if asked.args.minimise { Shrink::Yes } else { Shrink::No };
            explain(&own, conflict(part), shrink, watch)
        });
        let holds = checked.violated().is_none() && checked.unknown().is_none();
        let orders = match asked.args.show_order && holds {
            true => orders(problem, checked, watch),
            false => Vec::new(),
        };
        More { explanation, orders }
    }

    fn conclude(&self, finding: Finding, more: More, times: &Times) -> Outcome {
        let mut finding = Finding { verdict: self.verdict(more.explanation.as_ref()), ..finding };
        let page = self.asked.args.html.is_some().then(|| {
            let (page, note) =
                page(&finding.property, self.problem, self.checked, more.explanation.as_ref(), self.watch);
            finding.remarks.extend(note);
            page
        });
        finding.remarks.extend(more.orders);
        finding.stats.seconds = times.began.elapsed().as_secs_f64();
        Outcome { finding: Some(finding), diagnostics: Vec::new(), page }
    }
}

fn conflict<'a>(part: &'a Part) -> &'a Conflict {
    match part.decision.as_ref().map(|d| &d.answer) {
        Some(Answer::Violated(conflict)) => conflict,
        _ => unreachable!("violated parts have a conflict"),
    }
}

/// Nanoseconds this thread has been running, where the system tells (Linux).
fn cpu() -> Option<u64> {
    std::fs::read_to_string("/proc/thread-self/schedstat").ok()?.split(' ').next()?.parse().ok()
}

/// The object as the command line, else the log, else the log's format has it start.
pub fn starting(asked: &Asked, format: Format, said: Option<Value>) -> Object {
    let object = asked.object.clone();
    match asked.args.init {
        Some(_) => object,
        None => {
            let first = said.unwrap_or_else(|| start(&object, format));
            object.init(first)
        }
    }
}

pub fn while_reading(limit: Limit) -> Limit {
    Limit { covered: "The log was still being read; nothing is decided. (--stream decides register, kv and set logs in little memory.)".into(), ..limit }
}

impl Log<'_> {
    /// The verdict, with an explanation if there is one.
    fn verdict(&self, explanation: Option<&Explanation>) -> Verdict {
        let Log { asked, input, problem, checked, .. } = *self;
        let label = |part: &Part| label(problem, part);
        if let Some(part) = checked.violated() {
            let own = Problem { history: &part.history, ..*problem };
            let mut witness = match explanation {
                Some(explanation) => witness(&own, conflict(part), explanation, &input.name),
                None => brief(&own, conflict(part), &input.name),
            };
            witness.why = format!("{}{}", label(part), witness.why);
            return Verdict::Violated(Box::new(witness));
        }
        if let Some(part) = checked.unknown() {
            let Some(Answer::Unknown(limit)) = part.decision.as_ref().map(|d| &d.answer) else {
                unreachable!("unknown parts have a limit")
            };
            let settled = checked
                .parts
                .iter()
                .filter(|p| p.decision.as_ref().is_some_and(|d| matches!(d.answer, Answer::Holds)))
                .count();
            let mut limit = limit.clone();
            if checked.parts.len() > 1 {
                let covered = limit.covered.clone();
                limit.covered =
                    format!("{settled} of {} keys hold. {}{covered}", checked.parts.len(), label(part));
            }
            return Verdict::Unknown(limit);
        }
        let mut scope = Scope::history(problem.history.len() as u64);
        if problem.history.is_empty() {
            scope.vacuous.push("no operation in the log is known to have happened".into());
        } else if !overlaps(problem) {
            scope.vacuous.push("no two operations overlap, so the log is a sequential one".into());
        }
        if let Some(skew) = asked.args.skew {
            scope.assumptions.push(Assumption::ClockSkew(skew.to_string()));
        }
        if let Some(user) = &problem.object.user {
            scope.assumptions.extend(user::assumptions(user, problem.history));
        }
        Verdict::Holds(scope)
    }
}

fn overlaps(problem: &Problem) -> bool {
    let returns = problem.history.returns();
    let calls = problem.history.calls();
    let mut latest = 0;
    calls.iter().zip(returns).any(|(&call, &ret)| {
        let overlapped = latest > call;
        latest = latest.max(ret);
        overlapped
    })
}

fn remarks(asked: &Asked, loaded: &Loaded, checked: &Checked, problem: &Problem) -> Vec<String> {
    let mut remarks = Vec::new();
    let tally = &loaded.tally;
    if asked.args.from.format().is_none() {
        remarks.push(format!("read as {}", loaded.format.word()));
    }
    if tally.nemesis > 0 {
        remarks.push(format!("{} nemesis lines were skipped", tally.nemesis));
    }
    if tally.failed > 0 {
        remarks.push(match tally.failed {
            1 => "1 failed operation was left out: it did not happen".into(),
            n => format!("{n} failed operations were left out: they did not happen"),
        });
    }
    if tally.failed_cas > 0 {
        remarks.push(format!(
            "{} failed compare-and-swaps were {} (--failed-cas {})",
            tally.failed_cas,
            if tally.failed_cas_kept { "taken as answers" } else { "left out" },
            if tally.failed_cas_kept { "result" } else { "drop" },
        ));
    }
    let searched = checked.parts.iter().filter_map(|p| p.decision.as_ref()).filter_map(|d| match &d.method {
        Method::Search(why) => Some(why),
        Method::Fast => None,
    });
    let searched: Vec<&String> = searched.collect();
    if let Some(why) = searched.first() {
        remarks.push(match checked.parts.len() {
            1 => format!("general search: {why}"),
            n => format!("general search for {} of {n} keys: {why}", searched.len()),
        });
    }
    let undecided = checked.parts.iter().filter(|p| p.decision.is_none()).count();
    if undecided > 0 {
        remarks.push(format!("{undecided} keys were not decided: one violation is enough"));
    }
    if asked.args.no_partition && checked.parts.len() > 1 && problem.object.kind != Kind::Map {
        remarks.push("--no-partition: keys of this type are separate objects and were decided apart".into());
    }
    remarks
}

/// An order that explains each key, from the search.
fn orders(problem: &Problem, checked: &Checked, watch: &Watch) -> Vec<String> {
    let shown = |part: &Part| {
        let own = Problem { history: &part.history, ..*problem };
        let key = label(problem, part);
        match monitor::order(&own, Patience::Asked, watch) {
            Some(order) => {
                let show = |op: &(u32, String)| {
                    problem.object.show(&part.history.op(op.0 as usize), &problem.history.values)
                };
                let words: Vec<String> = order.iter().map(show).collect();
                format!("{key}one order that explains it: {}", words.join("; "))
            }
            None => format!("{key}an order that explains it is not shown: finding one takes too long"),
        }
    };
    checked.parts.iter().map(shown).collect()
}
