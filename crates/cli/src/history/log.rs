//! One log under supervision, with a clock of its own.
//!
//! `--time-limit` is for each log. A log is worked on in a thread of its own, which tells its verdict
//! as soon as it is settled, before it is explained and drawn. If it does not stop when its time is
//! over, it is left behind with the verdict it told, or none; if it panics, so is what it told kept.
//! Either way the next log is begun.

use super::Outcome;
use super::input::Input;
use super::one::{self, Asked};
use super::streamed;
use crate::desk::Desk;
use lineal_model::{Counts, Diagnostic, Finding, Limit, Observer, Verdict};
use std::any::Any;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

/// The limits of one log.
pub struct Watch {
    desk: Arc<Desk>,
    started: Instant,
}

impl Watch {
    pub fn new(desk: &Arc<Desk>) -> Self {
        Watch { desk: desk.clone(), started: Instant::now() }
    }

    /// The limit that was reached, if one was.
    pub fn reached(&self) -> Option<Limit> {
        self.desk.watch.reached().or_else(|| {
            let limits = self.desk.watch.limits();
            limits.time.filter(|&time| self.started.elapsed() >= time).map(|_| limits.out_of_time())
        })
    }

    /// The time is over, and has been for so long that there is nothing to wait for.
    fn overdue(&self) -> Option<Limit> {
        let limits = self.desk.watch.limits();
        limits
            .time
            .filter(|&time| self.started.elapsed() >= time + limits.grace())
            .map(|_| limits.out_of_time())
    }
}

impl Observer for Watch {
    fn progress(&self, counts: Counts) -> ControlFlow<Limit> {
        self.desk.watch.progress(counts)?;
        match self.reached() {
            Some(limit) => ControlFlow::Break(limit),
            None => ControlFlow::Continue(()),
        }
    }
}

/// What a log's thread says.
enum Word {
    /// A verdict that is settled; more may be said about it.
    Settled(Box<Finding>),
    Done(Box<Outcome>),
}

/// Where a verdict goes as soon as it is settled.
pub struct Told(Sender<Word>);

impl Told {
    pub fn settled(&self, finding: Finding) {
        // Nobody listens to what was left behind.
        let _ = self.0.send(Word::Settled(Box::new(finding)));
    }
}

pub type Panic = Box<dyn Any + Send>;

const TICK: Duration = Duration::from_millis(20);
const STACK: usize = 64 << 20;

/// Decides the log of this number.
pub fn attend(
    asked: &Arc<Asked>,
    input: &Input,
    number: usize,
    desk: &Arc<Desk>,
) -> (Outcome, Option<Panic>) {
    let watch = Arc::new(Watch::new(desk));
    let (say, hear) = channel();
    let thread = {
        let (asked, input, watch) = (asked.clone(), input.clone(), watch.clone());
        std::thread::Builder::new().name("log".into()).stack_size(STACK).spawn(move || {
            let told = Told(say.clone());
            let outcome = match asked.args.stream {
                true => streamed::check(&asked, &input, &watch),
                false => one::check(&asked, &input, &watch, &told),
            };
            let _ = say.send(Word::Done(Box::new(outcome)));
        })
    };
    let thread = match thread {
        Ok(thread) => thread,
        Err(error) => {
            let problem = Diagnostic::error("L0010", format!("cannot start a thread: {error}"));
            return (Outcome { finding: None, diagnostics: vec![problem], page: None }, None);
        }
    };
    let mut settled: Option<Finding> = None;
    let kept = |settled: Option<Finding>| Outcome { finding: settled, diagnostics: Vec::new(), page: None };
    loop {
        match hear.recv_timeout(TICK) {
            Ok(Word::Done(outcome)) => return (*outcome, None),
            Ok(Word::Settled(finding)) => {
                desk.draft(number, (*finding).clone());
                settled = Some(*finding);
            }
            Err(RecvTimeoutError::Disconnected) => return (kept(settled), thread.join().err()),
            Err(RecvTimeoutError::Timeout) => {
                if let Some(limit) = watch.overdue() {
                    let unknown = || {
                        let message =
                            format!("{} while reading and deciding.", limit.message.trim_end_matches('.'));
                        let limit = Limit { message, ..limit.clone() };
                        let mut finding =
                            Finding::new(one::property(asked, &input.name), Verdict::Unknown(limit));
                        finding.stats.seconds = watch.started.elapsed().as_secs_f64();
                        finding
                    };
                    let finding = match settled {
                        Some(mut finding) => {
                            finding.remarks.push("there was no time left to say more about it".into());
                            finding
                        }
                        None => unknown(),
                    };
                    return (kept(Some(finding)), None);
                }
            }
        }
    }
}
