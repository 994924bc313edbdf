//! Carries out a plan under supervision.
//!
//! The command runs in a thread with a deep stack. This thread watches clock, memory and Ctrl-C,
//! draws the progress line, and outlives whatever happens to the other: a panic is turned into a
//! message (and exit code 101), an engine that ignores a limit is left behind. Results filed
//! before that are kept.

use crate::desk::Desk;
use crate::limits::{Limits, Watch, memory};
use crate::plan::Plan;
use crate::progress::Progress;
use lineal_model::{Diagnostic, Effort, Limit, Report};
use lineal_report::Sources;
use std::ops::ControlFlow;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, Once};
use std::time::Duration;

/// Everything there is to print.
#[derive(Debug)]
pub struct Done {
    pub report: Report,
    pub sources: Sources,
    /// A broken invariant: what it said and where.
    pub panic: Option<String>,
}

const TICK: Duration = Duration::from_millis(10);
/// Parsers recurse on nested input; pages are only committed when touched.
const STACK: usize = 512 << 20;

pub fn run(plan: Result<Plan, Report>, limits: Limits) -> Done {
    match plan {
        Err(report) => Done { report, sources: Sources::default(), panic: None },
        Ok(Plan { command, effort, job }) => supervise(command, effort, limits, move |desk| job.run(desk)),
    }
}

pub fn supervise(
    command: &str,
    effort: Effort,
    limits: Limits,
    job: impl FnOnce(&Arc<Desk>) + Send + 'static,
) -> Done {
    let desk = Arc::new(Desk::new(command, effort, Watch::new(limits)));
    let handler = desk.clone();
    // Fails if a handler exists already (in tests): then Ctrl-C keeps its old meaning.
    let _ = ctrlc::set_handler(move || handler.watch.interrupt());
    listen_for_panics();

    let (report_end, ended) = channel::<()>();
    let worker_desk = desk.clone();
    let spawned = std::thread::Builder::new().name(command.to_string()).stack_size(STACK).spawn(move || {
        job(&worker_desk);
        drop(report_end);
    });
    let worker = match spawned {
        Ok(worker) => worker,
        Err(error) => {
            desk.diagnostics([Diagnostic::error("L0010", format!("cannot start a thread: {error}"))]);
            return leave(&desk, None);
        }
    };

    let mut progress = Progress::new();
    let abandoned = loop {
        match ended.recv_timeout(TICK) {
            Ok(()) | Err(RecvTimeoutError::Disconnected) => break None,
            Err(RecvTimeoutError::Timeout) => {}
        }
        let resident = memory().map(|(now, _)| now);
        if let ControlFlow::Break(limit) = desk.watch.tick(resident) {
            break Some(limit);
        }
        let doing = desk.so_far().doing.clone();
        progress.tick(&doing, desk.watch.counts(), desk.watch.elapsed(), resident);
    };
    progress.clear();
    let panic = match abandoned {
        Some(limit) => {
            desk.abandon(limit);
            None
        }
        None => worker.join().err().map(|payload| {
            desk.leave_out(Limit::method("An internal error came first."));
            let heard = std::mem::take(&mut *PANICS.lock().unwrap_or_else(|p| p.into_inner()));
            heard.into_iter().next().unwrap_or_else(|| words(&*payload).to_string())
        }),
    };
    leave(&desk, panic)
}

fn leave(desk: &Desk, panic: Option<String>) -> Done {
    let mut so_far = desk.so_far();
    if let Some(said) = &panic {
        so_far.report.diagnostics.push(
            Diagnostic::error("L0000", format!("internal error: {said}"))
                .note("this is a bug in Lineal, not in your input; results above are not affected", None)
                .help("please report it, with the input files and the command line"),
        );
    }
    Done { report: std::mem::take(&mut so_far.report), sources: std::mem::take(&mut so_far.sources), panic }
}

/// What panics of this process said, the first one first.
static PANICS: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Keeps the words of panics instead of printing them into the progress line. An engine's own
/// worker is heard before the thread that waits for it.
fn listen_for_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        std::panic::set_hook(Box::new(|info| {
            let said = words(info.payload());
            let place = info.location().map_or(String::new(), |l| format!(" ({}:{})", l.file(), l.line()));
            PANICS.lock().unwrap_or_else(|p| p.into_inner()).push(format!("{said}{place}"));
        }));
    });
}

fn words(payload: &(dyn std::any::Any + Send)) -> &str {
    let text = payload.downcast_ref::<&str>().copied();
    text.or_else(|| payload.downcast_ref::<String>().map(|s| &**s)).unwrap_or("a panic without a message")
}

#[cfg(test)]
mod tests {
    use super::*;
    use lineal_model::{Finding, LimitKind, Observer, Verdict};

    const AMPLE: Limits = Limits { time: None, asked: true, memory: 1 << 40 };

    fn holds() -> Finding {
        Finding::new("p", Verdict::Unknown(Limit::method("a test")))
    }

    #[test]
    fn a_panic_keeps_earlier_results() {
        let done = supervise("verify", Effort::default(), AMPLE, |desk| {
            desk.check(|_, _| holds());
            desk.check(|_, _| panic!("invariant broken"));
        });
        assert_eq!(done.report.findings.len(), 1);
        // Which words: those of the first panic of the process, here perhaps another test's.
        assert!(done.panic.is_some());
    }

    #[test]
    fn an_engine_that_never_asks_is_left_behind() {
        let limits = Limits { time: Some(Duration::from_millis(50)), ..AMPLE };
        let started = std::time::Instant::now();
        let done = supervise("verify", Effort::default(), limits, |desk| {
            desk.check(|_, _| holds());
            desk.check(|_, _| {
                std::thread::sleep(Duration::from_secs(30));
                holds()
            });
        });
        assert!(started.elapsed() < Duration::from_millis(1050));
        assert_eq!(done.report.findings.len(), 2);
        match &done.report.findings[1].verdict {
            Verdict::Unknown(limit) => assert_eq!(limit.kind, LimitKind::Time),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn what_was_to_come_is_answered() {
        let limits = Limits { time: Some(Duration::from_millis(50)), ..AMPLE };
        let awaited = |n: usize| Finding::new(format!("p{n}"), holds().verdict);
        let done = supervise("refine", Effort::default(), limits, move |desk| {
            desk.awaits((0..3).map(awaited));
            desk.check(|_, _| awaited(0));
            desk.check(|_, _| {
                std::thread::sleep(Duration::from_secs(30));
                awaited(1)
            });
        });
        let properties: Vec<&str> = done.report.findings.iter().map(|f| &*f.property).collect();
        assert_eq!(properties, ["p0", "p1", "p2"]);
        let done = supervise("refine", Effort::default(), AMPLE, move |desk| {
            desk.awaits((0..3).map(awaited));
            desk.check(|_, _| awaited(0));
            panic!("invariant broken");
        });
        assert_eq!(done.report.findings.len(), 3);
        assert!(done.panic.is_some());
    }

    #[test]
    fn an_engine_that_asks_stops_by_itself() {
        let limits = Limits { time: Some(Duration::from_millis(50)), ..AMPLE };
        let done = supervise("verify", Effort::default(), limits, |desk| {
            desk.check(|_, watch| {
                loop {
                    if let ControlFlow::Break(limit) = watch.progress(Default::default()) {
                        return Finding::new("asks", Verdict::Unknown(limit));
                    }
                    std::thread::sleep(Duration::from_millis(1));
                }
            });
        });
        assert_eq!(done.report.findings.len(), 1);
        assert!(done.panic.is_none());
    }
}
