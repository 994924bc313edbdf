//! `lineal check`: preprocess, read the declarations, and hold every client against them.

mod bound;
mod refused;
mod save;

use crate::desk::Desk;
use crate::flags::flag;
use crate::options::{Model, SourceArgs};
use crate::preprocess;
use crate::replay;
use clap::{Args, ValueEnum};
use lineal_check::conform::{self, Asked, Problem, Reductions};
use lineal_lang::c11::{self, object};
use lineal_model::adt::Kind;
use lineal_model::object::{Client, Level, Object, Via};
use lineal_model::{Diagnostic, Memory};
use save::Keep;
use std::path::PathBuf;
use std::time::Instant;

#[derive(Debug, Args)]
pub struct CheckArgs {
    #[command(flatten)]
    pub source: SourceArgs,
    /// Memory model; rc11 if not given, or that of the violation to replay
    #[arg(long, value_enum, value_name = "MODEL")]
    pub memory: Option<Model>,
    /// Every client with at most so many calls, in all (4) or of each operation (enqueue=5,dequeue=4)
    #[arg(long, value_name = "N", default_value = "4")]
    pub calls: String,
    /// Only this client: "enqueue(1); enqueue(2) || dequeue()"
    #[arg(long, value_name = "CLIENT", conflicts_with = "calls")]
    pub client: Option<String>,
    /// Which calls must synchronise: none, R, RI, RID, or pairs like (enqueue->dequeue:value)
    #[arg(long, value_name = "LEVEL")]
    pub level: Option<String>,
    /// Cut every loop after so many iterations; the verdict says what was cut
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub unroll: Option<u32>,
    /// Switch a reduction off: iterations, calls, helping; none of them changes a verdict
    #[arg(long, value_enum, value_name = "NAME", value_delimiter = ',', hide_possible_values = true)]
    pub no_reduction: Vec<Reduction>,
    /// Write the client of a violation as a C program, for cc and for lineal verify
    #[arg(long, value_name = "FILE")]
    pub save_client: Option<PathBuf>,
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
    /// Iterations of retry loops as one step
    Iterations,
    /// Calls that only their values tell apart
    Calls,
    /// Steps that another thread is about to make itself
    Helping,
}

fn reductions(off: &[Reduction]) -> Reductions {
    let on = |reduction| !off.contains(&reduction);
    Reductions {
        iterations: on(Reduction::Iterations),
        calls: on(Reduction::Calls),
        helping: on(Reduction::Helping),
    }
}

pub fn run(args: CheckArgs, memory: Memory, desk: &Desk) {
    desk.about("the object is linearizable");
    desk.doing("preprocessing");
    let units = match preprocess::run(&args.source, desk) {
        Ok(units) => units,
        Err(found) => return desk.diagnostics(found),
    };
    desk.doing("reading the object");
    let options = c11::Options { wrapv: args.source.wrapv, nondet: args.source.nondet, flags: flag };
    let loaded = match object::load(&units, &options) {
        Ok((loaded, warnings)) => {
            desk.diagnostics(warnings);
            loaded
        }
        Err(found) => return desk.diagnostics(found),
    };
    let object = &loaded.compiled.object;
    let (level, asked) = match level(&args, object).and_then(|l| Ok((l.clone(), asked(&args, object, &l)?))) {
        Ok(both) => both,
        Err(found) => return desk.diagnostics([found]),
    };
    desk.about(&conform::property(object, &level));
    let found = match &args.replay {
        Some(token) => replay::memory(args.memory, conform::memory_of(token)),
        None => memory,
    };
    let problem = Problem {
        clients: &loaded.compiled,
        asked,
        memory: found,
        level: &level,
        unroll: args.unroll,
        reductions: reductions(&args.no_reduction),
    };
    let keep = Keep::new(&args, found, &units, &loaded);
    let started = Instant::now();
    let checked = match &args.replay {
        Some(token) => conform::replay(&problem, token, &desk.effort, desk).map_err(not_replayed),
        None => conform::check(&problem, &desk.effort, desk).map_err(|why| refused::words(object, why)),
    };
    match checked {
        Ok(mut checked) => {
            desk.diagnostics(replay::under(found, memory));
            if args.replay.is_none() {
                checked.finding.stats.seconds = started.elapsed().as_secs_f64();
            }
            desk.file(keep.finding(checked, desk));
        }
        Err(found) => desk.diagnostics([found]),
    }
}

fn not_replayed(why: String) -> Diagnostic {
    Diagnostic::error("L0014", format!("cannot replay: {why}"))
        .note("a token belongs to one object, with the same files, -D, --level and other flags", None)
        .help("run the check again without --replay; a violation prints its token")
}

/// Whether the calls of a type of the author's own cannot be told apart by the values that the
/// level goes by. Clients that are drawn have different ones.
fn is_ambiguous(client: &Client, object: &Object, level: &Level) -> bool {
    let by_value = matches!(level, Level::Pairs(pairs) if pairs.iter().any(|p| p.via == Via::Element));
    let mut values: Vec<i64> = client.calls.iter().flat_map(|c| [c.value, c.key, c.prio]).flatten().collect();
    let all = values.len();
    values.sort_unstable();
    values.dedup();
    object.kind == Kind::User && by_value && values.len() < all
}

fn asked(args: &CheckArgs, object: &Object, level: &Level) -> Result<Asked, Diagnostic> {
    let Some(text) = &args.client else { return bound::calls(&args.calls, object).map(Asked::Every) };
    let client = bound::client(text, object)?;
    if is_ambiguous(&client, object, level) && args.replay.is_none() {
        let text = "--client: two calls have the same value, and the level goes by the value";
        return Err(Diagnostic::error("L0017", text).help(
            "a type of your own cannot tell whose element is answered then: give all calls different values",
        ));
    }
    Ok(Asked::Only(client))
}

/// The level asked for, declared, or usual for the type.
fn level(args: &CheckArgs, object: &Object) -> Result<Level, Diagnostic> {
    if args.level.is_some() && object.kind == Kind::User && object.partial_lock {
        let text =
            "--level: the specification takes a partial lock, so its own accesses say what synchronises";
        return Err(Diagnostic::error("L0017", text)
            .at(object.at.clone())
            .help("leave --level out; to ask for less, make accesses of the specification relaxed"));
    }
    let level = match &args.level {
        None => object.level.clone().unwrap_or_else(|| object.default_level()),
        Some(text) => object::level(text).map_err(|why| {
            Diagnostic::error("L0017", format!("--level: {why}"))
                .help("none, R, RI, RID, or pairs of operations: --level '(enqueue->dequeue:value)'")
        })?,
    };
    if let Some(why) = object::misfit(&level, object) {
        return Err(Diagnostic::error("L0017", format!("--level: {why}")));
    }
    let named = matches!(level, Level::R | Level::Ri | Level::Rid);
    if named && object.kind == Kind::User {
        return Err(Diagnostic::error("L0017", format!("level {level} is not defined for `object spec`"))
            .help("name the pairs of operations that synchronise: level=(put->get, put->put)"));
    }
    Ok(level)
}
