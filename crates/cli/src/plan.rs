//! What a command line means: one `match`, command × memory model → front-end × engine.

use crate::args::{Args, Command};
use crate::check::{self, CheckArgs};
use crate::compose;
use crate::desk::Desk;
use crate::history::{self, HistoryArgs};
use crate::refine::{self, RefineArgs};
use crate::robust::{self, RobustArgs};
use crate::verify::{self, Engine, EngineName, VerifyArgs};
use lineal_model::{Diagnostic, Effort, Memory, Report};
use std::sync::Arc;

#[derive(Debug)]
pub struct Plan {
    pub command: &'static str,
    pub effort: Effort,
    pub job: Job,
}

#[derive(Debug)]
pub enum Job {
    /// C11 front-end, then every execution of the closed program.
    Verify(VerifyArgs, Engine),
    /// C11 front-end, then every client of the object.
    Check(CheckArgs, Memory),
    /// C11 front-end, then every client of the object, or the program if none is declared.
    Robust(RobustArgs, Memory),
    /// History front-end, then the monitors.
    History(Box<HistoryArgs>),
    /// CSP# front-end, then state-space refinement.
    Refine(RefineArgs),
}

/// The product is this table. What it refuses is refused by name, with exit code 2.
pub fn make(args: Args) -> Result<Plan, Report> {
    let Args { command, common } = args;
    let effort = Effort {
        max_states: common.max_states,
        jobs: usize::from(common.jobs),
        seed: common.seed,
        ..Effort::DEFAULT
    };
    let (command, job) = match command {
        Command::Verify(args) => {
            let engine = match (args.engine, args.memory.map_or(Memory::Rc11, Memory::from)) {
                (EngineName::Graph, memory) => Ok(Engine::Graph(memory)),
                (EngineName::Naive, Memory::Sc) => match not_naive(&args) {
                    None => Ok(Engine::Naive),
                    Some(flag) => Err(Diagnostic::error("L0012", format!("the naive engine has no {flag}"))
                        .help(format!("leave out {flag}, or --engine naive"))),
                },
                (EngineName::Naive, memory) => Err(Diagnostic::error(
                    "L0012",
                    format!("the naive engine enumerates interleavings, so it cannot answer for `{memory}`"),
                )
                .help("use --memory sc with --engine naive")),
            };
            ("verify", engine.map(|engine| Job::Verify(args, engine)))
        }
        Command::Check(args) => {
            let memory = args.memory.map_or(Memory::Rc11, Memory::from);
            ("check", Ok(Job::Check(args, memory)))
        }
        Command::Robust(args) => {
            let memory = args.memory.map_or(Memory::Rc11, Memory::from);
            ("robust", robust::possible(memory).map(|memory| Job::Robust(args, memory)))
        }
        Command::History(args) => ("history", Ok(Job::History(args))),
        Command::Refine(args) => ("refine", Ok(Job::Refine(args))),
    };
    match job {
        Ok(job) => Ok(Plan { command, effort, job }),
        Err(refusal) => {
            Err(Report { command: command.into(), diagnostics: vec![refusal], ..Report::default() })
        }
    }
}

impl Job {
    pub fn run(self, desk: &Arc<Desk>) {
        match self {
            Job::Verify(args, engine) => verify::run(args, engine, desk),
            Job::Check(args, memory) => check::run(args, memory, desk),
            Job::Robust(args, memory) if !args.libraries.is_empty() => compose::run(&args, memory, desk),
            Job::Robust(args, memory) => robust::run(args, memory, desk),
            Job::History(args) => history::run(*args, desk),
            Job::Refine(args) => refine::run(args, desk),
        }
    }
}

/// Flags that only the graph engine reads.
fn not_naive(args: &VerifyArgs) -> Option<&'static str> {
    let flags = [
        (!args.unroll.is_empty(), "--unroll"),
        (args.sample.is_some(), "--sample"),
        (args.preemptions.is_some(), "--preemptions"),
        (args.leaks, "--leaks"),
        (args.liveness, "--liveness"),
        (args.no_symmetry, "--no-symmetry"),
        (!args.no_reduction.is_empty(), "--no-reduction"),
        (args.dot.is_some(), "--dot"),
        (args.replay.is_some(), "--replay"),
    ];
    flags.iter().find(|(given, _)| *given).map(|(_, flag)| *flag)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args;

    #[track_caller]
    fn check(line: &str, expected: Result<Engine, &str>) {
        let (args, _) = args::parse(line.split(' ').map(Into::into)).unwrap();
        let made = match make(args) {
            Ok(Plan { job: Job::Verify(_, engine), .. }) => Ok(engine),
            Ok(other) => panic!("{other:?}"),
            Err(report) => Err(report.diagnostics[0].code),
        };
        assert_eq!(made, expected, "{line}");
    }

    #[test]
    fn the_table() {
        check("lineal verify a.c --memory sc", Ok(Engine::Graph(Memory::Sc)));
        check("lineal verify a.c --memory sc --engine naive", Ok(Engine::Naive));
        check("lineal verify a.c", Ok(Engine::Graph(Memory::Rc11)));
        check("lineal verify a.c --memory tso", Ok(Engine::Graph(Memory::Tso)));
        check("lineal verify a.c --memory ra --engine naive", Err("L0012"));
        check("lineal verify a.c --memory sc --engine naive --unroll 2", Err("L0012"));
    }
}
