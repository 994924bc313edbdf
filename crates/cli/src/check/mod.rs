//! `lineal check`: preprocess, read the declarations, and hold every client against them.

mod against;
pub mod bound;
mod levels;
mod refused;
mod rewrite;
mod save;

use crate::desk::Desk;
use crate::options::{Model, SourceArgs};
use crate::preprocess;
use crate::prove::{self, ProveArgs};
use crate::quasi::{Asked, QuasiArgs};
use crate::replay;
use crate::units::{self, LoopBound};
use crate::verify::{loops, one_worker};
use clap::{Args, ValueEnum};
use lineal_check::conform::{self, Checked, Problem, Question, Reductions, unfit_level};
use lineal_check::graph::{MOST_PREEMPTIONS, Sampling};
use lineal_check::smallest;
use lineal_lang::c11::{Unit, object};
use lineal_model::adt::Kind;
use lineal_model::adt::quasi::{Listed, Semantics};
use lineal_model::object::{Client, Level, Object, Via};
use lineal_model::{Diagnostic, Memory, relaxed};
use save::Keep;
use std::path::PathBuf;
use std::sync::Arc;
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
    #[command(flatten)]
    pub quasi: QuasiArgs,
    /// Which calls must synchronise: none, R, RI, RD, RID, total, or pairs like (enqueue->dequeue:value)
    #[arg(long, value_name = "LEVEL")]
    pub level: Option<String>,
    /// Of several objects in the files, only the one called so; else all are checked, in turn
    #[arg(long, value_name = "NAME")]
    pub object: Option<String>,
    /// Take the object in this file for the specification: every behaviour must be one of it
    #[arg(long, value_name = "FILE", conflicts_with_all = ["level", "strongest_spec", "weaken", "repair", "sample", "preemptions"])]
    pub against: Option<PathBuf>,
    /// Find the strongest levels that hold, with a client for each that does not
    #[arg(long, conflicts_with_all = ["level", "weaken", "repair", "replay"])]
    pub strongest_spec: bool,
    /// Find the weakest memory orders with which the object still holds, as a diff
    #[arg(long, conflicts_with_all = ["repair", "replay"])]
    pub weaken: bool,
    /// Of an object that is violated: the fewest stronger memory orders with which it holds, as a diff
    #[arg(long, conflicts_with = "replay")]
    pub repair: bool,
    /// Draw so many executions at random, of clients with as many calls as --calls says; finds
    /// violations, proves nothing
    #[arg(long, value_name = "N", conflicts_with_all = ["client", "strongest_spec", "weaken", "repair", "replay", "no_reduction"], value_parser = clap::value_parser!(u64).range(1..))]
    pub sample: Option<u64>,
    /// Only executions in which a thread that could go on lets others go first at most so often;
    /// the verdict says so
    #[arg(long, value_name = "N", conflicts_with_all = ["sample", "strongest_spec", "weaken", "repair", "replay"], value_parser = clap::value_parser!(u8).range(..=i64::from(MOST_PREEMPTIONS)))]
    pub preemptions: Option<u8>,
    /// Cut loops that touch memory or call functions after so many iterations, all or those on one line; the
    /// verdict says what was cut
    #[arg(long, value_name = "[FILE:LINE=]N", value_parser = units::loop_bound)]
    pub unroll: Vec<LoopBound>,
    /// Switch a reduction off: iterations, waits, calls, helping, idle, starving; none of them changes a verdict
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
    /// What `lineal robust` asks instead.
    #[arg(skip)]
    pub question: Question,
    #[arg(skip)]
    pub proof: ProveArgs,
}

/// What is looked for, beyond a verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Search {
    Strongest,
    Weaken,
    Repair,
}

impl CheckArgs {
    /// Robustness is not about what calls mean.
    fn reading(&self) -> lineal_lang::c11::Options {
        let unspecified = self.question != Question::Linearizable;
        lineal_lang::c11::Options { unspecified, ..self.source.reading() }
    }

    fn search(&self) -> Option<Search> {
        let asked = [
            (self.strongest_spec, Search::Strongest),
            (self.weaken, Search::Weaken),
            (self.repair, Search::Repair),
        ];
        asked.into_iter().find(|(asked, _)| *asked).map(|(_, search)| search)
    }
}

/// What `--no-reduction` names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Reduction {
    /// Iterations of retry loops as one step
    Iterations,
    /// Branches in which a thread waits though nothing can come of it
    Waits,
    /// Calls that only their values tell apart
    Calls,
    /// Steps that another thread is about to make itself
    Helping,
    /// Updates that store what they read
    Idle,
    /// Clients with one call more than is ever served
    Starving,
}

fn reductions(off: &[Reduction]) -> Reductions {
    let on = |reduction| !off.contains(&reduction);
    Reductions {
        iterations: on(Reduction::Iterations),
        waits: on(Reduction::Waits),
        calls: on(Reduction::Calls),
        helping: on(Reduction::Helping),
        idle: on(Reduction::Idle),
        starving: on(Reduction::Starving),
    }
}

pub fn run(args: CheckArgs, memory: Memory, desk: &Desk) {
    desk.about("the object is linearizable");
    if args.preemptions.is_some() {
        one_worker("a search with --preemptions", desk);
    }
    desk.doing("preprocessing");
    let units = match preprocess::run(&args.source, desk) {
        Ok(units) => units,
        Err(found) => return desk.diagnostics(found),
    };
    examine(&args, memory, &units, desk);
}

/// All clients of the objects that these files declare.
pub fn examine(args: &CheckArgs, memory: Memory, units: &[Unit], desk: &Desk) {
    let names = object::names(units);
    if args.object.is_some() || names.len() < 2 {
        return one(args, args.object.as_deref(), memory, units, desk);
    }
    let single = [
        (args.client.is_some(), "--client"),
        (args.replay.is_some(), "--replay"),
        (args.save_client.is_some(), "--save-client"),
        (args.dot.is_some(), "--dot"),
        (args.against.is_some(), "--against"),
    ];
    if let Some((_, flag)) = single.into_iter().find(|(given, _)| *given) {
        let text = format!("{flag} is about one object, and there are several: {}", names.join(", "));
        return desk.diagnostics([Diagnostic::error("L0017", text).help("choose one: --object NAME")]);
    }
    for name in &names {
        one(args, Some(name), memory, units, desk);
    }
}

/// One object: the only one, or that of this name.
fn one(args: &CheckArgs, name: Option<&str>, memory: Memory, units: &[Unit], desk: &Desk) {
    desk.doing("reading the object");
    let mut loaded = match object::load_one(units, &args.reading(), name) {
        Ok((loaded, warnings)) => {
            desk.diagnostics(warnings);
            loaded
        }
        Err(found) => return desk.diagnostics(found),
    };
    let sought = match relaxed(args, &loaded.compiled.object) {
        Ok(Asked { relaxation, sought }) => {
            loaded.compiled.object.quasi = relaxation.map(Arc::new);
            sought
        }
        Err(found) => return desk.diagnostics([found]),
    };
    let loaded = loaded;
    let line = args.unroll.iter().any(|b| b.at.is_some());
    if line && (args.against.is_some() || args.weaken || args.repair) {
        let text = "--unroll FILE:LINE=N is about the one source that is checked; --against, --weaken and --repair have others";
        return desk.diagnostics([Diagnostic::error("L0017", text).help("bound all loops: --unroll N")]);
    }
    if let Some(file) = &args.against {
        return against::run(args, file, memory, units, &loaded, desk);
    }
    let object = &loaded.compiled.object;
    let (level, asked) = match level(args, object).and_then(|l| Ok((l.clone(), asked(args, object, &l)?))) {
        Ok(both) => both,
        Err(found) => return desk.diagnostics([found]),
    };
    let unroll_at = match loops(&args.unroll, &loaded.compiled.operations.machine) {
        Ok(bounds) => bounds,
        Err(found) => return desk.diagnostics(found),
    };
    if let Some(found) = meaningless(args, object, memory) {
        return desk.diagnostics([found]);
    }
    let asked = match (asked, args.sample) {
        (conform::Asked::Every(bound), Some(executions)) => {
            conform::Asked::Sampled(bound, Sampling { executions, seed: desk.effort.seed })
        }
        (asked, _) => asked,
    };
    desk.about(&match args.question {
        Question::Linearizable => conform::property(object, &level),
        Question::Robust | Question::Ordered => conform::property_robust(object, memory),
    });
    if args.proof.prove || args.proof.behind {
        let faults = prove::faults(&loaded.compiled, memory);
        if !faults.is_empty() {
            return desk.diagnostics(faults);
        }
    }
    if args.proof.prove {
        let started = Instant::now();
        if let Some(mut finding) = prove::alone(&args.proof, &loaded.compiled, memory, desk) {
            finding.property = conform::property_robust(object, memory);
            finding.at = Some(object.at.clone());
            finding.object = name.filter(|_| args.object.is_none()).map(str::to_string);
            finding.stats.seconds = started.elapsed().as_secs_f64();
            desk.file(finding);
        }
        return;
    }
    let found = modelled(args, memory);
    let problem = Problem {
        clients: &loaded.compiled,
        asked,
        memory: found,
        level: &level,
        question: args.question,
        unroll: units::rounds(&args.unroll),
        unroll_at: &unroll_at,
        preemptions: args.preemptions,
        reductions: reductions(&args.no_reduction),
    };
    let keep = Keep::new(args, found, units, &loaded);
    let started = Instant::now();
    let file = |mut checked: Checked| {
        checked.finding.object = name.filter(|_| args.object.is_none()).map(str::to_string);
        if args.replay.is_none() {
            checked.finding.stats.seconds = started.elapsed().as_secs_f64();
        }
        desk.file(keep.finding(checked, desk));
    };
    let refuse = |why| desk.diagnostics([refused::words(object, why)]);
    match (&args.replay, args.search()) {
        (Some(token), _) => match conform::replay(&problem, token, &desk.effort, desk) {
            Ok(checked) => {
                desk.diagnostics(replay::under(found, memory));
                file(checked);
            }
            Err(why) => desk.diagnostics([not_replayed(why)]),
        },
        (None, None) => {
            let checked = match (sought, &object.quasi) {
                (Some(class), Some(relaxation)) => {
                    let with = |k| {
                        let mut clients = loaded.compiled.clone();
                        clients.object.quasi = Some(Arc::new(relaxation.with_factor(class, k)));
                        let asked = problem.asked.clone();
                        conform::check(&Problem { clients: &clients, asked, ..problem }, &desk.effort, desk)
                    };
                    smallest(relaxation, class, with, |checked| &mut checked.finding)
                }
                _ => conform::check(&problem, &desk.effort, desk),
            };
            match checked {
                Ok(mut checked) => {
                    if args.proof.behind {
                        prove::behind(&args.proof, &loaded.compiled, memory, &mut checked.finding, desk);
                    }
                    file(checked);
                }
                Err(why) => refuse(why),
            }
        }
        (None, Some(Search::Strongest)) => match conform::strongest(&problem, &desk.effort, desk) {
            Ok(mut checked) => {
                levels::commands(args, &mut checked.finding);
                file(checked);
            }
            Err(why) => refuse(why),
        },
        (None, Some(Search::Weaken | Search::Repair)) => {
            match rewrite::run(args, name, &problem, units, &loaded, desk) {
                Ok(rewrite::Found { first, second: None }) => file(first),
                Ok(rewrite::Found { first, second: Some(mut second) }) => {
                    // The time went into the second.
                    let mut first = first;
                    first.finding.object = name.filter(|_| args.object.is_none()).map(str::to_string);
                    second.object.clone_from(&first.finding.object);
                    desk.file(keep.finding(first, desk));
                    second.stats.seconds = started.elapsed().as_secs_f64();
                    desk.file(second);
                }
                Err(rewrite::Stop::Refused(why)) => refuse(*why),
                Err(rewrite::Stop::Limit(limit)) => desk.abandon(limit),
            }
        }
    }
}

/// What calls may be out of order, and the class whose factor is looked for.
fn relaxed(args: &CheckArgs, object: &Object) -> Result<Asked, Diagnostic> {
    let refuse = |why: &str, help: &str| Err(Diagnostic::error("L0020", why).help(help));
    if args.against.is_some() {
        if args.quasi.is_given() {
            let why = "--quasi relaxes an abstract type, and --against puts an object in its place";
            return refuse(why, "leave one of the two out");
        }
        // The type of the object does not matter then, nor by how much it is relaxed.
        return Ok(Asked { relaxation: None, sought: None });
    }
    let understand = |listed: &[Listed], semantics| relaxed::relaxed(object, listed, semantics);
    let asked = args.quasi.relaxation(object.quasi.as_deref(), &understand)?;
    if asked.sought.is_some() && (args.search().is_some() || args.replay.is_some() || args.sample.is_some()) {
        let why = "--quasi-max looks for a factor, and something else is looked for too";
        return refuse(why, "find the factor first, then give it with --quasi");
    }
    Ok(asked)
}

/// The model to check under, or that of the violation to show again.
fn modelled(args: &CheckArgs, memory: Memory) -> Memory {
    match &args.replay {
        Some(token) => replay::memory(args.memory, conform::memory_of(token)),
        None => memory,
    }
}

/// Why a search would look for something that means nothing here.
fn meaningless(args: &CheckArgs, object: &Object, memory: Memory) -> Option<Diagnostic> {
    match args.search()? {
        Search::Strongest if object.kind == Kind::User && object.partial_lock => Some(
            Diagnostic::error(
                "L0017",
                "--strongest-spec: the specification takes a partial lock, so its own accesses say what synchronises",
            )
            .at(object.at.clone())
            .help("there are no levels to compare; other types of your own have the levels none and total, and pairs"),
        ),
        Search::Weaken | Search::Repair if memory == Memory::Sc => {
            let text = "under sequential consistency (sc) memory orders make no difference";
            Some(Diagnostic::error("L0017", text).help("leave --memory sc out, or ask about rc11, ra or tso"))
        }
        _ => None,
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

fn asked(args: &CheckArgs, object: &Object, level: &Level) -> Result<conform::Asked, Diagnostic> {
    let Some(text) = &args.client else {
        return bound::calls(&args.calls, object).map(conform::Asked::Every);
    };
    let client = bound::client(text, object)?;
    if is_ambiguous(&client, object, level) && args.replay.is_none() {
        let text = "--client: two calls have the same value, and the level goes by the value";
        return Err(Diagnostic::error("L0017", text).help(
            "a type of your own cannot tell whose element is answered then: give all calls different values",
        ));
    }
    Ok(conform::Asked::Only(client))
}

/// The level asked for, declared, or usual for the type.
fn level(args: &CheckArgs, object: &Object) -> Result<Level, Diagnostic> {
    if args.question == Question::Robust {
        return Ok(Level::None);
    }
    if args.level.is_some() && object.kind == Kind::User && object.partial_lock {
        let text =
            "--level: the specification takes a partial lock, so its own accesses say what synchronises";
        return Err(Diagnostic::error("L0017", text)
            .at(object.at.clone())
            .help("leave --level out; to ask for less, make accesses of the specification relaxed"));
    }
    // Orders that mix classes do not say which call came before which.
    let mixed = object.quasi.as_ref().is_some_and(|r| r.semantics != Semantics::Classes);
    let level = match &args.level {
        None if mixed => Level::None,
        None => object.level.clone().unwrap_or_else(|| object.default_level()),
        Some(text) => object::level(text).map_err(|why| {
            Diagnostic::error("L0017", format!("--level: {why}")).help(
                "none, R, RI, RD, RID, total, or pairs of operations: --level '(enqueue->dequeue:value)'",
            )
        })?,
    };
    if let Some(why) = object::misfit(&level, object) {
        return Err(Diagnostic::error("L0017", format!("--level: {why}")));
    }
    if let Some(why) = unfit_level(object, &level) {
        let help = match args.level {
            Some(_) => "ask for a level that goes by the element, such as R for containers; or for none",
            None => "the object declares it; ask for less: --level none, or R for containers",
        };
        return Err(Diagnostic::error("L0017", format!("--level: {why}")).help(help));
    }
    if level.is_of_containers() && object.kind == Kind::User {
        return Err(Diagnostic::error("L0017", format!("level {level} is not defined for `object spec`"))
            .help(
                "name the pairs of operations that synchronise: level=(put->get, put->put), or level=total",
            ));
    }
    Ok(level)
}
