//! One log: read, and handed to the monitors.

use super::LogReport;
use super::args::HistoryArgs;
use super::input::Input;
use super::page::page;
use super::user;
use super::watch::{Outbox, Watch};
use lineal_check::monitor::{self, Checked, Partition, Problem, Shrink, Wanted};
use lineal_check::smallest;
use lineal_lang::history::{Format, Loaded, Options, Tally, load, start};
use lineal_model::adt::quasi::MOST;
use lineal_model::adt::{Kind, Object};
use lineal_model::history::Value;
use lineal_model::{Counter, Counts, Diagnostic, Effort, Finding, Limit, Observer, Place, Verdict};
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

pub struct Asked {
    pub args: HistoryArgs,
    pub object: Object,
    /// The class whose smallest factor is looked for.
    pub sought: Option<usize>,
    pub options: Options,
    pub effort: Effort,
}

impl Asked {
    /// What is claimed about a log of this name.
    pub fn property(&self, log: &str) -> String {
        monitor::property(log, &self.object, self.args.consistency.into()).0
    }

    /// Nothing is decided, and why.
    pub fn unknown(&self, log: &str, limit: Limit) -> Finding {
        Finding::new(self.property(log), Verdict::Unknown(limit))
    }

    /// The object as the command line, else the log, else the log's format has it start.
    pub fn starting(&self, format: Format, said: Option<Value>) -> Object {
        let object = self.object.clone();
        match self.args.init {
            Some(_) => object,
            None => {
                let first = said.unwrap_or_else(|| start(&object, format));
                object.init(first)
            }
        }
    }
}

pub fn check(asked: &Asked, input: &Input, watch: &Watch, outbox: &Outbox) -> LogReport {
    let started = Instant::now();
    let began = cpu();
    let opened = input.open(watch).map_err(|e| {
        vec![Diagnostic::error("L0314", format!("cannot read the log: {e}")).at(Place::line(&*input.name, 1))]
    });
    let loaded = opened
        .and_then(|mut reader| load(&mut reader, &input.name, asked.args.from.format(), &asked.options));
    let loaded = match (loaded, watch.reached()) {
        (Ok(loaded), _) => loaded,
        // A limit reached while reading is a limit, not a fault of the file.
        (Err(_), Some(limit)) => {
            let mut finding = asked.unknown(&input.name, while_reading(limit));
            finding.stats.seconds = started.elapsed().as_secs_f64();
            return LogReport::found(finding);
        }
        (Err(problems), None) => return LogReport::refused(problems),
    };
    let object = asked.starting(loaded.format, loaded.init.clone());
    if let Some(unfit) = object.user.as_ref().and_then(|u| user::unfit(u, &loaded.history, &input.name)) {
        return LogReport::refused(vec![unfit]);
    }
    let problem = problem(asked, input, &loaded, &object);
    let read = Read { began: started, took: started.elapsed(), cpu: (began, cpu()) };
    let attended = Attended { asked, loaded: &loaded, read, watch, outbox, decided: Mutex::new(None) };
    let relaxed = asked.sought.zip(object.quasi.as_deref());
    let objects: Vec<Object> = relaxed.map_or(Vec::new(), |(class, relaxation)| {
        let with = |k| Object { quasi: Some(Arc::new(relaxation.with_factor(class, k))), ..object.clone() };
        (0..=MOST).map(with).collect()
    });
    let checked = match relaxed {
        Some((class, relaxation)) => {
            let with = |k: u32| {
                monitor::check(&Problem { object: &objects[k as usize], ..problem }, &asked.effort, &attended)
            };
            smallest(relaxation, class, with, |checked| &mut checked.finding)
        }
        None => monitor::check(&problem, &asked.effort, &attended),
    };
    let Checked { finding, detail } = match checked {
        Ok(checked) => checked,
        Err(broken) => return LogReport::refused(vec![user::failed(&broken, &input.name)]),
    };
    let mut finding = attended.complete(finding);
    if asked.args.no_partition && detail.decided.parts.len() > 1 && object.kind != Kind::Map {
        let apart = "--no-partition: keys of this type are separate objects and were decided apart";
        finding.remarks.push(apart.into());
    }
    let page = asked.args.html.is_some().then(|| {
        let title = match &finding.verdict {
            Verdict::Violated(_) => &finding.wrong,
            _ => &finding.property,
        };
        let (page, note) = page(title, &problem, &detail, watch);
        finding.remarks.extend(note);
        page
    });
    finding.stats.seconds = started.elapsed().as_secs_f64();
    LogReport { page, ..LogReport::found(finding) }
}

fn problem<'a>(asked: &'a Asked, input: &'a Input, loaded: &'a Loaded, object: &'a Object) -> Problem<'a> {
    let args = &asked.args;
    Problem {
        consistency: args.consistency.into(),
        algorithm: args.algorithm.into(),
        partition: if args.no_partition { Partition::Whole } else { Partition::ByKey },
        log: &input.name,
        skew: args.skew,
        wanted: Wanted {
            shrink: if args.minimise { Shrink::Yes } else { Shrink::No },
            order: args.show_order,
        },
        ..Problem::new(&loaded.history, object)
    }
}

pub fn while_reading(limit: Limit) -> Limit {
    Limit { covered: "The log was still being read; nothing is decided. (--stream decides register, kv and set logs in little memory.)".into(), ..limit }
}

/// When the log was read.
#[derive(Clone, Copy)]
struct Read {
    began: Instant,
    took: Duration,
    /// Of this thread: at first, and then.
    cpu: (Option<u64>, Option<u64>),
}

/// A log whose verdict is passed on as soon as it is settled, with what reading it has to say.
struct Attended<'a> {
    asked: &'a Asked,
    loaded: &'a Loaded,
    read: Read,
    watch: &'a Watch,
    outbox: &'a Outbox,
    /// When the verdict was settled, by the clock and by this thread's own.
    decided: Mutex<Option<(Duration, Option<u64>)>>,
}

impl Observer for Attended<'_> {
    fn progress(&self, counts: Counts) -> ControlFlow<Limit> {
        self.watch.progress(counts)
    }

    fn settled(&self, finding: &Finding) {
        let now = (self.read.began.elapsed(), cpu());
        *self.decided.lock().unwrap_or_else(|p| p.into_inner()) = Some(now);
        self.outbox.settled(self.complete(finding.clone()));
    }
}

impl Attended<'_> {
    /// The finding with what reading the log has to say, and the times.
    fn complete(&self, mut finding: Finding) -> Finding {
        let Attended { asked, loaded, read, .. } = *self;
        let mut remarks = Vec::new();
        if asked.args.from.format().is_none() {
            remarks.push(format!("read as {}", loaded.format.word()));
        }
        remarks.extend(left_out(&loaded.tally));
        remarks.append(&mut finding.remarks);
        finding.remarks = remarks;
        let decided = *self.decided.lock().unwrap_or_else(|p| p.into_inner());
        let (elapsed, done) = decided.unwrap_or((read.began.elapsed(), cpu()));
        let more = &mut finding.stats.more;
        more.insert(Counter::ParseMicros, read.took.as_micros() as u64);
        more.insert(Counter::DecideMicros, (elapsed - read.took).as_micros() as u64);
        // On a busy machine the time this thread was running tells more.
        if let ((Some(began), Some(then)), Some(done), 1) = (read.cpu, done, asked.effort.jobs) {
            more.insert(Counter::ParseCpuMicros, (then - began) / 1000);
            more.insert(Counter::DecideCpuMicros, (done - then) / 1000);
        }
        finding.stats.seconds = read.began.elapsed().as_secs_f64();
        finding
    }
}

/// Nanoseconds this thread has been running, where the system tells (Linux).
fn cpu() -> Option<u64> {
    std::fs::read_to_string("/proc/thread-self/schedstat").ok()?.split(' ').next()?.parse().ok()
}

/// What is in the log and not in the history.
pub fn left_out(tally: &Tally) -> Vec<String> {
    let mut remarks = Vec::new();
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
    remarks
}
