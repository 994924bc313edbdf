//! One log under supervision, with a clock of its own.
//!
//! `--time-limit` is for each log. A log is worked on in a thread of its own, which tells its verdict
//! as soon as it is settled, before it is explained and drawn. If it does not stop when its time is
//! over, it is left behind with the verdict it told, or none; if it panics, so is what it told kept.
//! Either way the next log is begun.

use super::LogReport;
use super::input::Input;
use super::one::{self, Asked};
use super::streamed;
use super::watch::{Message, Outbox, Watch};
use crate::desk::Desk;
use lineal_model::{Diagnostic, Finding, Limit};
use std::any::Any;
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

pub type Panic = Box<dyn Any + Send>;

const TICK: Duration = Duration::from_millis(20);
const STACK: usize = 64 << 20;

/// Decides the log of this number.
pub fn attend(
    asked: &Arc<Asked>,
    input: &Input,
    number: usize,
    desk: &Arc<Desk>,
) -> (LogReport, Option<Panic>) {
    let watch = Arc::new(Watch::new(desk));
    let (say, hear) = channel();
    let thread = {
        let (asked, input, watch) = (asked.clone(), input.clone(), watch.clone());
        std::thread::Builder::new().name("log".into()).stack_size(STACK).spawn(move || {
            let outbox = Outbox::new(say.clone());
            let outcome = match asked.args.stream {
                true => streamed::check(&asked, &input, &watch),
                false => one::check(&asked, &input, &watch, &outbox),
            };
            let _ = say.send(Message::Done(Box::new(outcome)));
        })
    };
    let thread = match thread {
        Ok(thread) => thread,
        Err(error) => {
            let problem = Diagnostic::error("L0010", format!("cannot start a thread: {error}"));
            return (LogReport::refused(vec![problem]), None);
        }
    };
    let mut settled: Option<Finding> = None;
    let kept = |settled: Option<Finding>| LogReport { finding: settled, diagnostics: Vec::new(), page: None };
    loop {
        match hear.recv_timeout(TICK) {
            Ok(Message::Done(outcome)) => return (*outcome, None),
            Ok(Message::Settled(finding)) => {
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
                        let mut finding = asked.unknown(&input.name, limit);
                        finding.stats.seconds = watch.elapsed().as_secs_f64();
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
