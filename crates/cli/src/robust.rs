//! `lineal robust`: does weak memory add executions? Asked of every client of an object, or of a
//! program where no object is declared.

use crate::check::{self, CheckArgs, Reduction};
use crate::desk::Desk;
use crate::options::{Model, SourceArgs};
use crate::preprocess;
use crate::prove::ProveArgs;
use crate::quasi::QuasiArgs;
use crate::replay;
use crate::units::{self, LoopBound};
use crate::verify;
use clap::Args;
use clap::builder::{EnumValueParser, TypedValueParser};
use lineal_check::conform::Question;
use lineal_check::{graph, programs, robust};
use lineal_lang::c11::{self, Unit, object};
use lineal_model::{Diagnostic, Memory, Verdict};
use std::path::PathBuf;

#[derive(Debug, Args)]
pub struct RobustArgs {
    #[command(flatten)]
    pub source: SourceArgs,
    /// The weak memory model: tso, ra or rc11; rc11 if not given, or that of the execution to replay
    #[arg(long, value_enum, value_name = "MODEL")]
    pub memory: Option<Model>,
    /// Every client with at most so many calls, in all (4 if not given) or of each operation (enqueue=5,dequeue=4)
    #[arg(long, value_name = "N")]
    pub calls: Option<String>,
    /// The file is a client of these libraries: is it robust, and do fences separate them in each thread?
    #[arg(long, value_name = "FILE", value_delimiter = ',', conflicts_with_all = ["client", "object", "weaken", "repair", "save_client"])]
    pub libraries: Vec<PathBuf>,
    /// Only this client: "enqueue(1); enqueue(2) || dequeue()"
    #[arg(long, value_name = "CLIENT", conflicts_with = "calls")]
    pub client: Option<String>,
    #[command(flatten)]
    pub proof: ProveArgs,
    /// Find the weakest memory orders with which the object is still robust, as a diff
    #[arg(long, conflicts_with_all = ["repair", "replay"])]
    pub weaken: bool,
    /// Of an object that is not robust: the fewest stronger memory orders with which it is, as a diff
    #[arg(long, conflicts_with = "replay")]
    pub repair: bool,
    /// Of several objects in the files, only the one called so; else all are asked about, in turn
    #[arg(long, value_name = "NAME")]
    pub object: Option<String>,
    /// Cut loops that touch memory or call functions after so many iterations, all or those on one line; the
    /// verdict says what was cut
    #[arg(long, value_name = "[FILE:LINE=]N", value_parser = units::loop_bound)]
    pub unroll: Vec<LoopBound>,
    /// Switch a reduction off: calls, which never changes a verdict, or iterations: then attempts count that
    /// failed after they had written to memory of their own
    #[arg(long, value_name = "NAME", value_delimiter = ',', hide_possible_values = true, value_parser = reduction())]
    pub no_reduction: Vec<Reduction>,
    /// Write the client of a violation as a C program, for cc and for lineal robust
    #[arg(long, value_name = "FILE")]
    pub save_client: Option<PathBuf>,
    /// Write the execution of a violation as a graph for Graphviz
    #[arg(long, value_name = "FILE")]
    pub dot: Option<PathBuf>,
    /// Show one earlier execution again, step by step
    #[arg(long, value_name = "TOKEN")]
    pub replay: Option<String>,
}

/// Calls of clients, if nothing is said.
const CALLS: &str = "4";

impl From<RobustArgs> for CheckArgs {
    fn from(args: RobustArgs) -> Self {
        // Whoever names clients, or anything about them, is asking about those.
        let clients = args.calls.is_some() || args.client.is_some() || !args.unroll.is_empty();
        let other = args.weaken || args.repair || args.replay.is_some() || !args.no_reduction.is_empty();
        let proof = ProveArgs { behind: !clients && !other && !args.proof.prove, ..args.proof };
        CheckArgs {
            proof,
            source: args.source,
            memory: args.memory,
            calls: args.calls.unwrap_or_else(|| CALLS.into()),
            client: args.client,
            quasi: QuasiArgs::default(),
            level: None,
            object: args.object,
            against: None,
            strongest_spec: false,
            weaken: args.weaken,
            repair: args.repair,
            sample: None,
            preemptions: None,
            unroll: args.unroll,
            no_reduction: args.no_reduction,
            save_client: args.save_client,
            dot: args.dot,
            replay: args.replay,
            question: Question::Robust,
        }
    }
}

/// Under sequential consistency there is nothing to ask.
pub fn possible(memory: Memory) -> Result<Memory, Diagnostic> {
    match memory {
        Memory::Sc => Err(Diagnostic::error("L0012", "everything is robust against sc")
            .help("name the weak memory model: --memory tso, ra or rc11")),
        memory => Ok(memory),
    }
}

pub fn run(args: RobustArgs, memory: Memory, desk: &Desk) {
    desk.about("weak memory adds no executions");
    desk.doing("preprocessing");
    let units = match preprocess::run(&args.source, desk) {
        Ok(units) => units,
        Err(found) => return desk.diagnostics(found),
    };
    match object::declares(&units) {
        true => check::examine(&args.into(), memory, &units, desk),
        false => program(&args, memory, &units, desk),
    }
}

/// A program with a `main` of its own.
pub fn program(args: &RobustArgs, memory: Memory, units: &[Unit], desk: &Desk) {
    let of_objects = [
        (args.calls.is_some() && args.libraries.is_empty(), "--calls"),
        (args.client.is_some(), "--client"),
        (args.proof.prove, "--prove"),
        (args.weaken, "--weaken"),
        (args.repair, "--repair"),
        (args.object.is_some(), "--object"),
        (!args.no_reduction.is_empty() && args.libraries.is_empty(), "--no-reduction"),
        (args.save_client.is_some(), "--save-client"),
    ];
    if let Some((_, flag)) = of_objects.iter().find(|(given, _)| *given) {
        let text = format!("{flag} is about clients of an object, and none is declared in the files given");
        return desk.diagnostics([Diagnostic::error("L0120", text)
            .help("declare one with #pragma lineal object …; without, the program itself is asked about")]);
    }
    desk.doing("reading the program");
    let mut machine = match c11::load(units, &args.source.reading()) {
        Ok((machine, warnings)) => {
            desk.diagnostics(warnings);
            machine
        }
        Err(found) => return desk.diagnostics(found),
    };
    let unroll_at = match verify::loops(&args.unroll, &machine) {
        Ok(bounds) => bounds,
        Err(found) => return desk.diagnostics(found),
    };
    let unroll = units::rounds(&args.unroll);
    let assumptions = machine.program.assumptions.clone();
    let identity = machine.identity();
    // A build for the engine's own tests has further fields.
    #[allow(clippy::needless_update)]
    let options = graph::Options { unroll, unroll_at, symmetry: true, identity, ..graph::Options::default() };
    desk.doing("exploring");
    let Some(token) = &args.replay else {
        let mut problem = graph::Problem { program: &mut machine, memory, options };
        return desk.check(|effort, watch| {
            let mut finding = programs::robust(&mut problem, effort, watch);
            if let Verdict::Holds(scope) = &mut finding.verdict {
                scope.assumptions.extend(assumptions);
            }
            verify::draw(&finding, args.dot.as_deref(), desk);
            finding
        });
    };
    let found = replay::memory(args.memory, graph::memory_of(token));
    let mut problem = graph::Problem { program: &mut machine, memory: found, options };
    match robust::replay(&mut problem, token) {
        Ok(finding) => {
            desk.diagnostics(replay::under(found, memory));
            verify::draw(&finding, args.dot.as_deref(), desk);
            desk.check(|_, _| finding);
        }
        Err(why) => desk.diagnostics([Diagnostic::error("L0014", format!("cannot replay: {why}"))
            .note("a token belongs to one program, with the same files, -D and other flags", None)
            .help("run it again without --replay; an execution that is found prints its token")]),
    }
}

/// Of the reductions, those that there are here.
fn reduction() -> impl TypedValueParser<Value = Reduction> {
    EnumValueParser::<Reduction>::new().try_map(|reduction| match reduction {
        Reduction::Iterations | Reduction::Calls => Ok(reduction),
        Reduction::Waits | Reduction::Helping | Reduction::Idle | Reduction::Starving => {
            Err("lineal robust has these reductions: calls, iterations")
        }
    })
}
