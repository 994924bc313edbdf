//! `--against other.c`: reads the second object and asks whether the first refines it.

use super::save::Keep;
use super::{CheckArgs, asked, modelled, not_replayed, reductions, refused};
use crate::desk::Desk;
use crate::options::SourceArgs;
use crate::preprocess;
use crate::replay;
use crate::units;
use lineal_check::conform::{self, Checked, Clients, Mismatch, Pair, Problem};
use lineal_lang::c11::Unit;
use lineal_lang::c11::object::{self, Loaded};
use lineal_model::object::Level;
use lineal_model::{Diagnostic, Memory};
use std::path::Path;
use std::time::Instant;

pub fn run(args: &CheckArgs, file: &Path, memory: Memory, units: &[Unit], loaded: &Loaded, desk: &Desk) {
    desk.doing("reading the specification");
    let other = match read(args, file, desk) {
        Ok(other) => other,
        Err(found) => return desk.diagnostics(found),
    };
    let name = file.display().to_string();
    let pair = match Pair::new(&loaded.compiled, other.compiled, &name, units::rounds(&args.unroll)) {
        Ok(pair) => pair,
        Err(why) => return desk.diagnostics([different(why)]),
    };
    let level = Level::None;
    let asked = match asked(args, pair.object(), &level) {
        Ok(asked) => asked,
        Err(found) => return desk.diagnostics([found]),
    };
    desk.about(&conform::property_against(pair.object(), &name));
    let found = modelled(args, memory);
    let problem = Problem {
        clients: &pair,
        asked,
        memory: found,
        level: &level,
        question: conform::Question::Linearizable,
        unroll: units::rounds(&args.unroll),
        unroll_at: &[],
        preemptions: None,
        reductions: reductions(&args.no_reduction),
    };
    let keep = Keep::new(args, found, units, loaded);
    let started = Instant::now();
    let file = |mut checked: Checked| {
        if args.replay.is_none() {
            checked.finding.stats.seconds = started.elapsed().as_secs_f64();
        }
        desk.file(keep.finding(checked, desk));
    };
    match &args.replay {
        Some(token) => match conform::replay(&problem, token, &desk.effort, desk) {
            Ok(checked) => {
                desk.diagnostics(replay::under(found, memory));
                file(checked);
            }
            Err(why) => desk.diagnostics([not_replayed(why)]),
        },
        None => match conform::check_clients(&problem, &desk.effort, desk) {
            Ok(checked) => file(checked),
            Err(why) => desk.diagnostics([refused::words(pair.object(), why)]),
        },
    }
}

/// The second object, read with the flags of the first.
fn read(args: &CheckArgs, file: &Path, desk: &Desk) -> Result<Loaded, Vec<Diagnostic>> {
    let first = &args.source;
    let source = SourceArgs {
        files: vec![file.to_path_buf()],
        define: first.define.clone(),
        include_dirs: first.include_dirs.clone(),
        include: first.include.clone(),
        wrapv: first.wrapv,
        nondet: first.nondet,
        volatile: first.volatile,
        races: first.races.clone(),
    };
    let units = preprocess::run(&source, desk)?;
    let options = source.reading();
    let (loaded, warnings) = object::load(&units, &options).map_err(|mut wrong| {
        // Two files were given: which one is meant must be said where no place does.
        for diagnostic in wrong.iter_mut().filter(|d| d.at.is_none()) {
            let message = format!("this is about `--against {}`", file.display());
            diagnostic.notes.push(lineal_model::diagnostic::Note { message, at: None });
        }
        wrong
    })?;
    desk.diagnostics(warnings);
    Ok(loaded)
}

fn different(why: Mismatch) -> Diagnostic {
    let Mismatch { message, at, note, other } = why;
    Diagnostic::error("L0130", message)
        .at(at)
        .note(note, Some(other))
        .help("both files declare the same type, with operations of the same names and arguments")
}
