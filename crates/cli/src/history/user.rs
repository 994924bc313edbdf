//! `--as spec.c`: a type written as sequential C.
//!
//! The file is preprocessed twice: once to see its pragmas, and once more in front of the text
//! that calls what they name, so that macros mean the same there.

use super::args::PreprocessorArgs;
use crate::desk::Desk;
use crate::options::{SourceArgs, VolatileOrder};
use crate::preprocess;
use lineal_check::monitor::Broken;
use lineal_lang::c11::spec;
use lineal_model::adt::UserType;
use lineal_model::adt::user::{Misfit, misfit};
use lineal_model::history::History;
use lineal_model::run::Runnable;
use lineal_model::{Diagnostic, Place};
use std::path::{Path, PathBuf};

pub fn load(path: &Path, args: &PreprocessorArgs, desk: &Desk) -> Result<UserType, Vec<Diagnostic>> {
    let source = |include: Vec<PathBuf>| SourceArgs {
        files: vec![path.into()],
        define: args.define.clone(),
        include_dirs: args.include_dirs.clone(),
        include,
        wrapv: false,
        nondet: None,
        volatile: VolatileOrder::Plain,
        races: Vec::new(),
    };
    let units = preprocess::run(&source(Vec::new()), desk)?;
    let declared = spec::declared(&units[0])?;
    desk.diagnostics(declared.unread.iter().cloned());
    let driver = spec::driver(&declared);
    let both = preprocess::text("<lineal>", &driver, &source(vec![path.into()]), desk)?;
    spec::load(&path.display().to_string(), &[both], &declared)
}

/// Why a log cannot be given to the functions, if so.
pub fn unfit(user: &UserType, history: &History, log: &str) -> Option<Diagnostic> {
    Some(match misfit(user, history)? {
        Misfit::Wide(n, line) => Diagnostic::error(
            "L0324",
            format!("{n} does not fit in an int, which is what the functions are given"),
        )
        .at(Place::line(log, line))
        .help(format!(
            "if the functions of {} take long long, say so there: #pragma lineal values long long",
            user.name
        )),
        Misfit::Taken(n, line) => Diagnostic::error(
            "L0324",
            format!("{n} is also the number that stands for a text or keyword of this log"),
        )
        .at(Place::line(log, line))
        .help("use smaller numbers, or no texts"),
    })
}

/// The functions themselves are wrong.
pub fn failed(broken: &Broken, log: &str) -> Diagnostic {
    let Broken { user, failure, operation, line } = broken;
    let d = Diagnostic::error("L0161", format!("{} fails: {}", user.name, failure.message));
    let d = match user.machine().place(failure.site) {
        Some(place) => d.at(place),
        None => d,
    };
    let d = d.note(format!("while trying the operation `{operation}` of line {line} of {log}"), None);
    d.note("operations are tried in orders that did not happen, too", None).help(
        "say what makes an operation impossible by __VERIFIER_assume(condition): then it is not tried there",
    )
}
