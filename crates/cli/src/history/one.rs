//! One log: read, decide, explain.

use super::Outcome;
use super::args::HistoryArgs;
use super::input::Input;
use super::user;
use crate::limits::Watch;
use lineal_check::monitor::{
    self, Answer, Checked, Consistency, Explanation, Method, Part, Partition, Problem, Shrink, explain,
    witness,
};
use lineal_lang::history::{Format, Loaded, Options, load, start};
use lineal_model::adt::user::Trouble;
use lineal_model::adt::{Kind, Object};
use lineal_model::history::{History, Value, ValueId};
use lineal_model::{Diagnostic, Effort, Finding, Limit, Place, Scope, Verdict};
use lineal_report::page::Tab;
use std::borrow::Cow;
use std::sync::Arc;
use std::time::Instant;

pub struct Asked<'a> {
    pub args: &'a HistoryArgs,
    pub object: &'a Object,
    pub options: &'a Options,
    pub effort: &'a Effort,
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

pub fn check(asked: &Asked, input: &Input, watch: &Watch) -> Outcome {
    let started = Instant::now();
    let began = cpu();
    let property = property(asked, &input.name);
    let unread = |diagnostics| Outcome { finding: None, diagnostics, page: None };
    let opened = input.open(watch).map_err(|e| {
        vec![Diagnostic::error("L0314", format!("cannot read the log: {e}")).at(Place::line(&*input.name, 1))]
    });
    let loaded =
        opened.and_then(|mut reader| load(&mut reader, &input.name, asked.args.from.format(), asked.options));
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
    loop {
        let problem = Problem {
            history: &loaded.history,
            object: &object,
            consistency: asked.args.consistency.into(),
            algorithm: asked.args.algorithm.into(),
            partition: if asked.args.no_partition { Partition::Whole } else { Partition::ByKey },
        };
        let checked = monitor::check(&problem, asked.effort, watch);
        let Some((user, trouble)) = object.user.as_ref().and_then(|u| Some((u, u.trouble()?))) else {
            return conclude(asked, input, &loaded, &problem, &checked, parsed, watch);
        };
        let again = match trouble {
            Trouble::Relayout(change) => user.adapted(change).map_err(|failure| {
                let operation = "init".to_string();
                Trouble::Failed { failure, operation, line: 0 }
            }),
            failed => Err(failed),
        };
        match again {
            Ok(user) => object.user = Some(Arc::new(user)),
            Err(failed) => return unread(vec![user::failed(user, &failed, &input.name)]),
        }
    }
}

/// When things were done.
#[derive(Clone, Copy)]
struct Times {
    began: Instant,
    parsed: std::time::Duration,
    /// Of this thread: at first, and when the log was read.
    cpu: (Option<u64>, Option<u64>),
}

fn conclude(
    asked: &Asked,
    input: &Input,
    loaded: &Loaded,
    problem: &Problem,
    checked: &Checked,
    times: Times,
    watch: &Watch,
) -> Outcome {
    let property = property(asked, &input.name);
    let Times { began: started, parsed, cpu: (began, read) } = times;
    let decided = started.elapsed() - parsed;
    let done = cpu();
    let (verdict, explanation) = verdict(asked, problem, checked, input, watch);
    let page =
        asked.args.html.is_some().then(|| page(&property, problem, checked, explanation.as_ref(), watch));
    let mut finding = Finding::new(property, verdict);
    finding.remarks = remarks(asked, loaded, checked, problem);
    finding.stats.states = checked.configurations();
    finding.stats.more.insert("operations", loaded.history.len() as u64);
    finding.stats.more.insert("pending", loaded.history.pending() as u64);
    finding.stats.more.insert("keys", checked.parts.len() as u64);
    finding.stats.more.insert("parse_us", parsed.as_micros() as u64);
    finding.stats.more.insert("decide_us", decided.as_micros() as u64);
    // On a busy machine the time this thread was running tells more.
    if let (Some(began), Some(read), Some(done), 1) = (began, read, done, asked.effort.jobs) {
        finding.stats.more.insert("parse_cpu_us", (read - began) / 1000);
        finding.stats.more.insert("decide_cpu_us", (done - read) / 1000);
    }
    finding.stats.more.insert("history_bytes", loaded.history.bytes() as u64);
    finding.stats.seconds = started.elapsed().as_secs_f64();
    Outcome { finding: Some(finding), diagnostics: Vec::new(), page }
}

/// Nanoseconds this thread has been running, where the system tells (Linux).
fn cpu() -> Option<u64> {
    std::fs::read_to_string("/proc/thread-self/schedstat").ok()?.split(' ').next()?.parse().ok()
}

/// Pages hold at most so many operations; of longer logs, the keys that failed or the beginning.
const DRAWN: usize = 1_000_000;

fn page(
    title: &str,
    problem: &Problem,
    checked: &Checked,
    explanation: Option<&Explanation>,
    watch: &Watch,
) -> String {
    let bad = checked.violated().map(|p| p.key);
    let mut parts: Vec<&Part> = checked.parts.iter().collect();
    parts.sort_by_key(|p| Some(p.key) != bad);
    let mut room = DRAWN;
    let mut cut: Vec<(&Part, Cow<History>)> = Vec::new();
    for part in parts {
        let history = match part.history.len() <= room {
            true => Cow::Borrowed(&*part.history),
            false => Cow::Owned(part.history.restrict(&(0..room as u32).collect::<Vec<_>>())),
        };
        room -= history.len();
        cut.push((part, history));
    }
    let tabs: Vec<Tab> = cut
        .iter()
        .map(|(part, history)| {
            let explained = explanation.filter(|_| Some(part.key) == bad);
            let fits = |op: &u32| (*op as usize) < history.len();
            let (verdict, why) = match part.decision.as_ref().map(|d| &d.answer) {
                None => ("undecided", "another key is violated, which is enough".to_string()),
                Some(Answer::Holds) => ("holds", String::new()),
                Some(Answer::Violated(conflict)) => ("violated", conflict.why.clone()),
                Some(Answer::Unknown(limit)) => ("unknown", format!("{} {}", limit.message, limit.covered)),
            };
            // The order of a key that holds, where a short search finds it.
            let order = match (explained, verdict) {
                (Some(e), _) => e.order.clone(),
                (None, "holds") if history.len() <= 5_000 => {
                    let own = Problem { history, algorithm: monitor::Algorithm::Search, ..*problem };
                    let effort = Effort { max_states: Some(100_000), ..Effort::default() };
                    monitor::decide(&own, &effort, watch).trail
                }
                _ => Vec::new(),
            };
            Tab {
                name: match part.key {
                    ValueId::NONE => "all".into(),
                    key => problem.history.values.show(key),
                },
                history,
                verdict,
                why,
                order: order.into_iter().filter(|o| fits(&o.0)).collect(),
                stuck: explained.and_then(|e| e.prefix).map(|p| p.1).filter(fits),
                prefix: explained.and_then(|e| e.prefix).map(|p| p.0),
                guilty: explained.map_or(Vec::new(), |e| {
                    let own = e.minimal.as_ref().map_or(&e.ops, |m| &m.ops);
                    own.iter().copied().filter(fits).filter(|_| own.len() < history.len()).collect()
                }),
                failing: explained.map_or(Vec::new(), |e| {
                    e.failing.iter().filter(|f| fits(&f.op)).map(|f| (f.op, f.why.clone())).collect()
                }),
            }
        })
        .collect();
    lineal_report::page::render(title, problem.object, &tabs)
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

fn verdict(
    asked: &Asked,
    problem: &Problem,
    checked: &Checked,
    input: &Input,
    watch: &Watch,
) -> (Verdict, Option<Explanation>) {
    let label = |part: &Part| match part.key {
        ValueId::NONE => String::new(),
        key => format!("key {}: ", problem.history.values.show(key)),
    };
    if let Some(part) = checked.violated() {
        let Some(Answer::Violated(conflict)) = part.decision.as_ref().map(|d| &d.answer) else {
            unreachable!("violated parts have a conflict")
        };
        let own = Problem { history: &part.history, ..*problem };
        let shrink = if asked.args.minimise { Shrink::Yes } else { Shrink::No };
        let explanation = explain(&own, conflict, shrink, watch);
        let mut witness = witness(&own, conflict, &explanation, &input.name);
        witness.why = format!("{}{}", label(part), witness.why);
        return (Verdict::Violated(Box::new(witness)), Some(explanation));
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
        return (Verdict::Unknown(limit), None);
    }
    let mut scope = Scope::history(problem.history.len() as u64);
    if problem.history.is_empty() {
        scope.vacuous.push("no operation in the log is known to have happened".into());
    } else if !overlaps(problem) {
        scope.vacuous.push("no two operations overlap, so the log is a sequential one".into());
    }
    if let Some(skew) = asked.args.skew {
        scope.assumptions.push(format!(
            "clocks differ by at most {skew}; operations of one process may overlap by as much"
        ));
    }
    if let Some(user) = &problem.object.user {
        scope.assumptions.extend(user::assumptions(user, problem.history));
    }
    (Verdict::Holds(scope), None)
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
    if asked.args.show_order
        && checked.violated().is_none()
        && let Some(order) = monitor_order(problem, asked)
    {
        remarks.push(order);
    }
    remarks
}

/// An order that explains the log, from the search.
fn monitor_order(problem: &Problem, asked: &Asked) -> Option<String> {
    let whole = Problem { algorithm: monitor::Algorithm::Search, partition: Partition::Whole, ..*problem };
    let decision = monitor::decide(&whole, asked.effort, &lineal_model::Unwatched);
    matches!(decision.answer, Answer::Holds).then(|| {
        let words: Vec<String> = decision
            .trail
            .iter()
            .map(|(i, _)| problem.object.show(&problem.history.op(*i as usize), &problem.history.values))
            .collect();
        format!("one order that explains it: {}", words.join("; "))
    })
}
