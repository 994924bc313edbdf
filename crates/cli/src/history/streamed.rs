//! A log decided while it is read, in memory that does not grow with it.

use super::LogReport;
use super::input::Input;
use super::one::{Asked, left_out, while_reading};
use super::watch::Watch;
use lineal_check::monitor::Consistency;
use lineal_check::monitor::stream::{Stream, streams};
use lineal_lang::history::pass_on;
use lineal_model::{Counts, Diagnostic, Observer, Place, Verdict};
use std::time::Instant;

/// Why this cannot be streamed, if so.
pub fn refusal(asked: &Asked) -> Option<Diagnostic> {
    let kind = asked.object.kind;
    let sequential = Consistency::from(asked.args.consistency) == Consistency::Sequential;
    let message = if asked.object.quasi.is_some() {
        "--stream decides exact types only, and this one is relaxed".into()
    } else if !streams(kind) {
        format!("--stream decides register, kv and set logs, not a {}", kind.word())
    } else if sequential {
        "--stream decides linearizability only".into()
    } else if asked.args.algorithm == super::args::AlgorithmArg::Search {
        "--stream has no general search".into()
    } else {
        return None;
    };
    Some(Diagnostic::error("L0322", message))
}

pub fn check(asked: &Asked, input: &Input, watch: &Watch) -> LogReport {
    let started = Instant::now();
    let mut reader = match input.open(watch) {
        Ok(reader) => reader,
        Err(e) => {
            let problem = Diagnostic::error("L0314", format!("cannot read the log: {e}"));
            return LogReport::refused(vec![problem.at(Place::line(&*input.name, 1))]);
        }
    };
    let format = asked.args.from.format();
    let start = |format| asked.starting(format, None).init;
    let passed = pass_on(&mut reader, &input.name, format, &asked.options, start, |init| {
        Stream::new(&asked.object, init)
    });
    let (stream, values, format, tally) = match (passed, watch.reached()) {
        (Ok(passed), _) => passed,
        (Err(_), Some(limit)) => return LogReport::found(asked.unknown(&input.name, while_reading(limit))),
        (Err(problems), None) => return LogReport::refused(problems),
    };
    let _ = watch.progress(Counts::default());
    let mut finding = stream.finding(&input.name, &values);
    if let Verdict::Violated(witness) = &mut finding.verdict {
        witness.hints.push("Without --stream the violation is explained in full.".into());
    }
    finding.remarks.push(format!("decided while reading, as {}", format.word()));
    finding.remarks.extend(left_out(&tally));
    finding.stats.seconds = started.elapsed().as_secs_f64();
    LogReport::found(finding)
}
