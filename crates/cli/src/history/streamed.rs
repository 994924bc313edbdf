//! A log decided while it is read, in memory that does not grow with it.

use super::Outcome;
use super::input::Input;
use super::one::{Asked, property, starting};
use super::watch::Watch;
use lineal_check::monitor::Consistency;
use lineal_check::monitor::stream::{Answer, Stream, streams};
use lineal_lang::history::pass_on;
use lineal_model::history::ValueId;
use lineal_model::{
    Counter, Counts, Diagnostic, Finding, Observer, Place, Scope, Verdict, Witness, WitnessKind,
};
use std::time::Instant;

/// Why this cannot be streamed, if so.
pub fn refusal(asked: &Asked) -> Option<Diagnostic> {
    let kind = asked.object.kind;
    let sequential = Consistency::from(asked.args.consistency) == Consistency::Sequential;
    let message = if !streams(kind) {
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

pub fn check(asked: &Asked, input: &Input, watch: &Watch) -> Outcome {
    let started = Instant::now();
    let at = || Place::line(&*input.name, 1);
    let mut reader = match input.open(watch) {
        Ok(reader) => reader,
        Err(e) => {
            let problem = Diagnostic::error("L0314", format!("cannot read the log: {e}")).at(at());
            return Outcome { finding: None, diagnostics: vec![problem], page: None };
        }
    };
    let format = asked.args.from.format();
    let start = |format| starting(asked, format, None).init;
    let passed = pass_on(&mut reader, &input.name, format, &asked.options, start, |init| {
        Stream::new(&asked.object, init)
    });
    let (stream, values, format, tally) = match (passed, watch.reached()) {
        (Ok(passed), _) => passed,
        (Err(_), Some(limit)) => {
            let finding = Finding::new(
                property(asked, &input.name),
                Verdict::Unknown(super::one::while_reading(limit)),
            );
            return Outcome { finding: Some(finding), diagnostics: Vec::new(), page: None };
        }
        (Err(problems), None) => return Outcome { finding: None, diagnostics: problems, page: None },
    };
    let _ = watch.progress(Counts::default());
    let (answer, operations, pending, keys) = stream.finish();
    let verdict = match answer {
        Answer::Holds => Verdict::Holds(Scope::history(operations)),
        Answer::Unknown(limit) => Verdict::Unknown(limit),
        Answer::Violated(found) => {
            let key = match found.key {
                ValueId::NONE => String::new(),
                key => format!("key {}: ", values.show(key)),
            };
            Verdict::Violated(Box::new(Witness {
                at: (found.line > 0).then(|| Place::line(&*input.name, found.line)),
                hints: vec!["Without --stream the violation is explained in full.".into()],
                ..Witness::new(WitnessKind::Result, format!("{key}{}.", found.why))
            }))
        }
    };
    let mut finding = Finding::new(property(asked, &input.name), verdict);
    finding.remarks.push(format!("decided while reading, as {}", format.word()));
    if tally.nemesis > 0 {
        finding.remarks.push(format!("{} nemesis lines were skipped", tally.nemesis));
    }
    if tally.failed > 0 {
        finding
            .remarks
            .push(format!("{} failed operations were left out: they did not happen", tally.failed));
    }
    finding.stats.more.extend([
        (Counter::Operations, operations),
        (Counter::Pending, pending),
        (Counter::Keys, keys as u64),
    ]);
    finding.stats.seconds = started.elapsed().as_secs_f64();
    Outcome { finding: Some(finding), diagnostics: Vec::new(), page: None }
}
