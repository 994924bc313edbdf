//! `lineal check`: preprocess, read the declarations, and hold every client against them.

mod bound;
mod drive;
mod fault;
mod hint;
mod save;
mod witness;

use crate::args::{Model, SourceArgs};
use crate::desk::Desk;
use crate::preprocess::{self, Trouble};
use clap::Args;
use drive::Drive;
use lineal_lang::c11::{self, object};
use lineal_model::object::{Client, Level, Object, Type, Via};
use lineal_model::{Diagnostic, Memory};
use save::Keep;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub struct CheckArgs {
    #[command(flatten)]
    pub source: SourceArgs,
    /// Memory model
    #[arg(long, value_enum, value_name = "MODEL", default_value_t = Model::Rc11)]
    pub memory: Model,
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

pub fn run(args: CheckArgs, memory: Memory, desk: &Desk) {
    desk.about("the object is linearizable");
    desk.doing("preprocessing");
    let units = match preprocess::run(&args.source, c11::headers(), desk) {
        Ok(units) => units,
        Err(Trouble::Diagnostics(found)) => return desk.diagnostics(found),
        Err(Trouble::Stopped(limit)) => return desk.abandon(limit),
    };
    desk.doing("reading the object");
    let options = c11::Options { wrapv: args.source.wrapv, nondet: args.source.nondet };
    let loaded = match object::load(&units, &options) {
        Ok((loaded, warnings)) => {
            desk.diagnostics(warnings);
            loaded
        }
        Err(found) => return desk.diagnostics(found),
    };
    let level = match level(&args, &loaded.object) {
        Ok(level) => level,
        Err(found) => return desk.diagnostics([found]),
    };
    let property = property(&loaded.object, &level);
    desk.about(&property);
    let drive = Drive {
        loaded: &loaded,
        memory,
        level: &level,
        unroll: args.unroll,
        property,
        keep: &Keep::new(&args, &units, &loaded),
        desk,
    };
    if let Some(token) = &args.replay {
        return drive.replay(token);
    }
    match asked(&args, &loaded.object) {
        Ok(Asked::One(client)) if is_ambiguous(&client, &loaded.object, &level) => desk.diagnostics([
            Diagnostic::error("L0017", "--client: two calls have the same value, and the level goes by the value")
                .help("a type of your own cannot tell whose element is answered then: give all calls different values"),
        ]),
        Ok(Asked::One(client)) => drive.one(client),
        Ok(Asked::All(bound)) => drive.all(&bound),
        Err(found) => desk.diagnostics([found]),
    }
}

/// Whether the calls of a type of the author's own cannot be told apart by the values that the
/// level goes by. Clients that are drawn have different ones.
fn is_ambiguous(client: &Client, object: &Object, level: &Level) -> bool {
    let by_value = matches!(level, Level::Pairs(pairs) if pairs.iter().any(|p| p.via == Via::Element));
    let mut values: Vec<i64> = client.calls.iter().flat_map(|c| [c.value, c.key, c.prio]).flatten().collect();
    let all = values.len();
    values.sort_unstable();
    values.dedup();
    object.kind == Type::Spec && by_value && values.len() < all
}

enum Asked {
    One(Client),
    All(lineal_check::conform::clients::Bound),
}

fn asked(args: &CheckArgs, object: &Object) -> Result<Asked, Diagnostic> {
    match &args.client {
        Some(text) => bound::client(text, object).map(Asked::One),
        None => bound::calls(&args.calls, object).map(Asked::All),
    }
}

/// The level asked for, declared, or usual for the type.
fn level(args: &CheckArgs, object: &Object) -> Result<Level, Diagnostic> {
    if args.level.is_some() && object.kind == Type::Spec && object.partial_lock {
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
    if named && object.kind == Type::Spec {
        return Err(Diagnostic::error("L0017", format!("level {level} is not defined for `object spec`"))
            .help("name the pairs of operations that synchronise: level=(put->get, put->put)"));
    }
    Ok(level)
}

fn property(object: &Object, level: &Level) -> String {
    let word = match object.kind {
        Type::Spec => "object".to_string(),
        _ => object.word.clone(),
    };
    match level {
        Level::None => format!("the {word} is linearizable"),
        Level::Specified => format!("the {word} is linearizable and synchronises as its specification does"),
        level => format!("the {word} is linearizable and synchronises at level {level}"),
    }
}
