//! Every `//@ run:` / `//@ expect:` pair of `examples/`, `litmus/` and `tests/` is a test.
//!
//! `run` is a command line without `lineal` and without the file's name; it runs in the file's
//! directory. Every C file that is not to be refused must also pass an ordinary `cc`. Headers are read strictly: see `header.rs`. `LINEAL_BLESS=1` (`cargo xtask bless`)
//! rewrites numbers that differ, never verdicts.

mod compare;
mod files;
mod header;
mod lineal;
mod twins;

use header::Pair;
use libtest_mimic::{Arguments, Failed, Trial};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the workspace");
    let mut trials = header::trials();
    trials.extend(compare::trials());
    let files = files::all(&root);
    let cases = Arc::new(twins::cases(&files));
    let again = cases.clone();
    trials.push(Trial::test("the engines agree", move || twins::agree(&cases)));
    trials.push(Trial::test("violations can be replayed", move || twins::replay(&again)));
    for file in files {
        let name = file.shown.clone();
        match file.pairs {
            Err(problem) => trials.push(Trial::test(name, move || Err(Failed::from(problem)))),
            Ok(pairs) => {
                let refused = pairs.iter().any(|p| p.expect.verdicts == ["error"]);
                if !refused && file.subject.extension().is_some_and(|e| e == "c") {
                    let subject = file.subject.clone();
                    trials.push(Trial::test(format!("cc::{name}"), move || lineal::compiles(&subject)));
                }
                let many = pairs.len() > 1;
                for (i, pair) in pairs.into_iter().enumerate() {
                    let name = if many { format!("{name}#{}", i + 1) } else { name.clone() };
                    let (header, subject) = (file.header.clone(), file.subject.clone());
                    let skipped = pair.full && !lineal_sweep::full();
                    let trial = Trial::test(name, move || one(&header, &subject, &pair));
                    trials.push(trial.with_ignored_flag(skipped));
                }
            }
        }
    }
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}

fn one(header: &Path, subject: &Path, pair: &Pair) -> Result<(), Failed> {
    let ran = lineal::run(&pair.run, subject)?;
    let problems = compare::check(&ran, &pair.expect);
    if problems.is_empty() {
        return Ok(());
    }
    // The numbers of litmus programs are the naive decider's: `tests/litmus/` writes them.
    let ours = !header.components().any(|c| c.as_os_str() == "litmus");
    if ours && std::env::var_os("LINEAL_BLESS").is_some() && problems.iter().all(|p| p.number.is_some()) {
        bless(header, pair, &problems)?;
        return Ok(());
    }
    let said: Vec<String> = problems.iter().map(|p| format!("  {}", p.message)).collect();
    let shown = format!("lineal {} {}", pair.run.join(" "), subject.display());
    Err(format!("line {}: {}\n{}\n\n{}", pair.expect.line, shown, said.join("\n"), ran.shown()).into())
}

/// Replaces numbers in the `expect` line.
fn bless(header: &Path, pair: &Pair, problems: &[compare::Problem]) -> Result<(), Failed> {
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _guard = ONE_AT_A_TIME.lock();
    let text = std::fs::read_to_string(header).map_err(|e| e.to_string())?;
    let mut lines: Vec<String> = text.split('\n').map(String::from).collect();
    let line = &mut lines[pair.expect.line - 1];
    for (key, old, new) in problems.iter().filter_map(|p| p.number.as_ref()) {
        *line = replace_word(line, &format!("{key}={old}"), &format!("{key}={new}"));
    }
    std::fs::write(PathBuf::from(header), lines.join("\n")).map_err(|e| e.to_string().into())
}

/// Replaces a whole word: `n=3` is no part of `n=30`.
fn replace_word(line: &str, old: &str, new: &str) -> String {
    line.split_inclusive(char::is_whitespace)
        .map(|piece| match piece.trim_end() == old {
            true => format!("{new}{}", &piece[old.len()..]),
            false => piece.to_string(),
        })
        .collect()
}
