//! `lineal verify`: preprocess, load, explore.

use crate::desk::Desk;
use crate::options::{Model, SourceArgs};
use crate::preprocess;
use crate::replay;
use crate::units::{self, LoopBound};
use crate::volatile;
use clap::{Args, ValueEnum};
use lineal_check::graph::{self, Observed, Sampling};
use lineal_check::naive::interleave;
use lineal_check::programs;
use lineal_lang::c11;
use lineal_model::program::Machine;
use lineal_model::{Diagnostic, Finding, Memory, Verdict};
use lineal_report::dot;
use std::path::{Path, PathBuf};

#[derive(Debug, Args)]
pub struct VerifyArgs {
    #[command(flatten)]
    pub source: SourceArgs,
    /// Memory model; rc11 if not given, or that of the violation to replay
    #[arg(long, value_enum, value_name = "MODEL")]
    pub memory: Option<Model>,
    /// How executions are enumerated: as graphs, or every interleaving (slow, for comparison)
    #[arg(long, value_enum, default_value_t = EngineName::Graph)]
    pub engine: EngineName,
    /// Draw so many executions at random; finds errors, proves nothing
    #[arg(long, value_name = "N", conflicts_with_all = ["observe", "replay", "no_symmetry", "no_reduction", "liveness"], value_parser = clap::value_parser!(u64).range(1..))]
    pub sample: Option<u64>,
    /// Only executions in which a thread that could go on lets others go first at most so often;
    /// the verdict says so
    #[arg(long, value_name = "N", conflicts_with_all = ["sample", "replay", "liveness"], value_parser = clap::value_parser!(u8).range(..=i64::from(graph::MOST_PREEMPTIONS)))]
    pub preemptions: Option<u8>,
    /// Cut loops that touch memory or call functions after so many iterations, all or those on one line; the
    /// verdict says what was cut
    #[arg(long, value_name = "[FILE:LINE=]N", value_parser = units::loop_bound)]
    pub unroll: Vec<LoopBound>,
    /// Collect the final values of these globals (x, q.head, a[1])
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub observe: Vec<String>,
    /// Report memory that is never freed
    #[arg(long)]
    pub leaks: bool,
    /// Report spin loops that can go on for ever
    #[arg(long)]
    pub liveness: bool,
    /// Switch a reduction off: threads, iterations, helping, waits, arrivals; none of them changes a verdict
    #[arg(long, value_enum, value_name = "NAME", value_delimiter = ',', hide_possible_values = true)]
    pub no_reduction: Vec<Reduction>,
    /// The same as --no-reduction threads
    #[arg(long)]
    pub no_symmetry: bool,
    /// Write the execution of a violation as a graph for Graphviz
    #[arg(long, value_name = "FILE")]
    pub dot: Option<PathBuf>,
    /// Show one earlier violation again, step by step
    #[arg(long, value_name = "TOKEN")]
    pub replay: Option<String>,
}

/// What `--no-reduction` names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Reduction {
    /// One of the executions that differ only in which of some equal threads is which
    Threads,
    /// Iterations of retry loops as one step
    Iterations,
    /// Steps that another thread is about to make itself
    Helping,
    /// Locks that are given back while someone who waits is passed over
    Waits,
    /// One of the orders in which threads arrive at a barrier
    Arrivals,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum EngineName {
    Graph,
    Naive,
}

/// Who enumerates the executions of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// Execution graphs under a memory model.
    Graph(Memory),
    /// Every interleaving, under sequential consistency by its nature.
    Naive,
}

const PROPERTY: &str = "every execution is safe";

pub fn run(args: VerifyArgs, engine: Engine, desk: &Desk) {
    desk.about(PROPERTY);
    if engine == Engine::Naive {
        one_worker("the naive engine", desk);
    }
    if args.preemptions.is_some() {
        one_worker("a search with --preemptions", desk);
    }
    desk.doing("preprocessing");
    let units = match preprocess::run(&args.source, desk) {
        Ok(units) => units,
        Err(found) => return desk.diagnostics(found),
    };
    desk.doing("reading the program");
    let options = c11::Options { spurious: !args.liveness, ..args.source.reading() };
    let mut machine = match c11::load(&units, &options) {
        Ok((machine, warnings)) => {
            desk.diagnostics(warnings);
            machine
        }
        Err(found) => return desk.diagnostics(found),
    };
    let observe = match observed(&args.observe, &machine) {
        Ok(observe) => observe,
        Err(found) => return desk.diagnostics(found),
    };
    let unroll_at = match loops(&args.unroll, &machine) {
        Ok(bounds) => bounds,
        Err(found) => return desk.diagnostics(found),
    };
    desk.doing("exploring");
    let assumptions = machine.program.assumptions.clone();
    let qualified = |mut finding: Finding| {
        if let Verdict::Holds(scope) = &mut finding.verdict {
            scope.assumptions.extend(assumptions);
        }
        finding
    };
    match (engine, &args.replay) {
        (Engine::Naive, _) => {
            let problem = interleave::Problem { program: &machine, observe };
            desk.check(|effort, watch| {
                let mut finding = qualified(interleave::check(&problem, effort, watch));
                if let Verdict::Violated(witness) = &mut finding.verdict {
                    witness.hints.push("--engine graph shows the execution".into());
                }
                finding
            });
        }
        (Engine::Graph(memory), None) => {
            let mut problem = problem(&mut machine, memory, &args, observe, unroll_at);
            let seed = desk.effort.seed;
            problem.options.sample = args.sample.map(|executions| Sampling { executions, seed });
            desk.check(|effort, watch| {
                let mut finding = qualified(programs::verify(&mut problem, effort, watch));
                volatile::hint(problem.program, &mut finding);
                if args.sample.is_none() && options.races == c11::Races::Report {
                    programs::besides(&mut finding, memory, effort, watch, |lines| {
                        let races = c11::Races::OffAt(lines.to_vec());
                        let (mut machine, _) =
                            c11::load(&units, &c11::Options { races, ..options.clone() }).ok()?;
                        let unroll_at = loops(&args.unroll, &machine).ok()?;
                        let options =
                            self::problem(&mut machine, memory, &args, Vec::new(), unroll_at).options;
                        Some((machine, options))
                    });
                }
                draw(&finding, args.dot.as_deref(), desk);
                finding
            });
        }
        (Engine::Graph(memory), Some(token)) => {
            let found = replay::memory(args.memory, graph::memory_of(token));
            let mut problem = problem(&mut machine, found, &args, observe, unroll_at);
            match programs::replay(&mut problem, token) {
                Ok(finding) => {
                    desk.diagnostics(replay::under(found, memory));
                    draw(&finding, args.dot.as_deref(), desk);
                    desk.check(|_, _| finding);
                }
                Err(why) => desk.diagnostics([Diagnostic::error("L0014", format!("cannot replay: {why}"))
                    .note("a token belongs to one program, with the same files, -D and other flags", None)
                    .help("run the check again without --replay; a violation prints its token")]),
            }
        }
    }
}

/// Says so if there were to be several.
pub fn one_worker(who: &str, desk: &Desk) {
    if desk.effort.jobs > 1 {
        desk.diagnostics([Diagnostic::warning("L0016", format!("{who} has one worker"))
            .note("--jobs changes nothing; the verdict would not depend on it anyway", None)]);
    }
}

fn problem<'m>(
    machine: &'m mut Machine,
    memory: Memory,
    args: &VerifyArgs,
    observe: Vec<Observed>,
    unroll_at: Vec<(u32, u32)>,
) -> graph::Problem<'m, Machine> {
    // A build for the engine's own tests has further fields.
    #[allow(clippy::needless_update)]
    let options = graph::Options {
        unroll: units::rounds(&args.unroll),
        unroll_at,
        liveness: args.liveness,
        leaks: args.leaks,
        symmetry: !args.no_symmetry && !args.no_reduction.contains(&Reduction::Threads),
        iterations: !args.no_reduction.contains(&Reduction::Iterations),
        // A thread that leaves a step to another would seem to wait for ever.
        helping: !args.liveness && !args.no_reduction.contains(&Reduction::Helping),
        waits: !args.no_reduction.contains(&Reduction::Waits),
        arrivals: !args.no_reduction.contains(&Reduction::Arrivals),
        // These explore.
        hints: args.sample.is_none(),
        preemptions: args.preemptions,
        observe,
        identity: machine.identity(),
        ..graph::Options::default()
    };
    graph::Problem { program: machine, memory, options }
}

/// Writes the execution of a violation to a file.
pub fn draw(finding: &Finding, path: Option<&Path>, desk: &Desk) {
    let Some(path) = path else { return };
    let Verdict::Violated(witness) = &finding.verdict else {
        return desk
            .diagnostics([Diagnostic::warning("L0017", "--dot: no violation, so nothing was written")]);
    };
    if let Err(error) = std::fs::write(path, dot::render(witness)) {
        let message = format!("cannot write {}: {error}", path.display());
        desk.diagnostics([Diagnostic::error("L0018", message)]);
    }
}

/// The loops that have bounds of their own, by their heads.
pub fn loops(bounds: &[LoopBound], machine: &Machine) -> Result<Vec<(u32, u32)>, Vec<Diagnostic>> {
    let mut found = Vec::new();
    let mut missing = Vec::new();
    for bound in bounds {
        let Some((file, line)) = &bound.at else { continue };
        let heads = machine.loops_at(file, *line);
        if heads.is_empty() {
            let text =
                format!("--unroll: no loop that touches memory or calls a function begins at {file}:{line}");
            missing.push(
                Diagnostic::error("L0015", text)
                    .help("name the line of `while`, `for`, `do` or of the label"),
            );
        }
        found.extend(heads.into_iter().map(|head| (head, bound.rounds)));
    }
    if missing.is_empty() { Ok(found) } else { Err(missing) }
}

fn observed(names: &[String], machine: &Machine) -> Result<Vec<Observed>, Vec<Diagnostic>> {
    let mut found = Vec::new();
    let mut missing = Vec::new();
    for name in names {
        match machine.global(name.trim()) {
            Some((loc, size, signed)) => {
                found.push(Observed { name: name.trim().to_string(), loc, size, signed });
            }
            None => missing.push(
                Diagnostic::error("L0015", format!("--observe: there is no global scalar `{name}`"))
                    .help("name a global variable, or a part of one: x, q.head, slots[1]"),
            ),
        }
    }
    if missing.is_empty() { Ok(found) } else { Err(missing) }
}
