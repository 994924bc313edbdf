//! `--as spec.c`: a type written as sequential C.
//!
//! The file is preprocessed twice: once to see its pragmas, and once more in front of the text
//! that calls what they name, so that macros mean the same there.

use super::args::PreprocessorArgs;
use crate::desk::Desk;
use crate::options::SourceArgs;
use crate::preprocess::{self, Trouble};
use lineal_check::monitor::Broken;
use lineal_lang::c11::{self, spec};
use lineal_model::adt::UserType;
use lineal_model::adt::user::{Misfit, misfit};
use lineal_model::history::History;
use lineal_model::run::Runnable;
use lineal_model::{Diagnostic, Place};
use std::io::Write;
use std::path::{Path, PathBuf};

pub fn load(path: &Path, args: &PreprocessorArgs, desk: &Desk) -> Result<UserType, Trouble> {
    let source = |file: PathBuf, include: Vec<PathBuf>| SourceArgs {
        files: vec![file],
        define: args.define.clone(),
        include_dirs: args.include_dirs.clone(),
        include,
        wrapv: false,
        nondet: None,
    };
    let units = preprocess::run(&source(path.into(), Vec::new()), c11::headers(), desk)?;
    let declared = spec::declared(&units[0]).map_err(Trouble::Diagnostics)?;
    desk.diagnostics(declared.unread.iter().cloned());
    let unwritable = |error: std::io::Error| {
        let d = Diagnostic::error("L0004", format!("cannot write a temporary file: {error}"));
        Trouble::Diagnostics(vec![d.help("set TMPDIR to a directory that can be written")])
    };
    let mut driver = tempfile::Builder::new().suffix(".c").tempfile().map_err(unwritable)?;
    driver.write_all(spec::driver(&declared).as_bytes()).map_err(unwritable)?;
    // What is named first is included first.
    let both = source(driver.path().into(), vec![path.into()]);
    let mut units = preprocess::run(&both, c11::headers(), desk)?;
    // Where the file was found is not how it was named.
    let name = path.display().to_string();
    let (found, named) = (format!("\"./{name}\""), format!("\"{name}\""));
    for unit in &mut units {
        let rename = |line: &str| match line.starts_with("# ") {
            true => line.replace(&found, &named),
            false => line.to_string(),
        };
        unit.text = unit.text.split_inclusive('\n').map(rename).collect();
    }
    spec::load(&name, &units, &declared).map_err(Trouble::Diagnostics)
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
