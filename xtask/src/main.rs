//! Chores: `cargo xtask bless` rewrites expected numbers and outputs after a deliberate change;
//! `cargo xtask real` runs our clients of published libraries.

mod real;

use std::process::{Command, ExitCode};

const USAGE: &str = "\
usage: cargo xtask bless [corpus|litmus|transcripts|looks]
       cargo xtask real DIR [FILTER]

Rewrites what tests expect: numbers in `//@ expect` lines (never verdicts; in litmus/ those of
the naive decider), outputs in
tests/transcripts, and crates/report/tests/looks. Read the difference before committing it;
re-blessed numbers travel in a commit of their own.

The second runs the clients of real/ on the libraries checked out under DIR (as DIR/owner/name),
with target/release/lineal, or what LINEAL names, and says which verdicts are not as expected.";

/// Package, test, and what it is called here.
const SUITES: [(&str, &str, &str); 4] = [
    ("lineal-cli", "corpus", "corpus"),
    ("lineal-cli", "litmus", "litmus"),
    ("lineal-cli", "transcripts", "transcripts"),
    ("lineal-report", "looks", "looks"),
];

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    match args[..] {
        ["bless"] => bless(|_| true),
        ["bless", one] if SUITES.iter().any(|(_, _, name)| *name == one) => bless(|name| name == one),
        ["real", dir] => real::real(dir, ""),
        ["real", dir, filter] => real::real(dir, filter),
        _ => {
            eprintln!("{USAGE}");
            ExitCode::from(2)
        }
    }
}

fn bless(wanted: impl Fn(&str) -> bool) -> ExitCode {
    let cargo = std::env::var("CARGO").unwrap_or("cargo".into());
    let mut good = true;
    for (package, test, name) in SUITES {
        if !wanted(name) {
            continue;
        }
        let status = Command::new(&cargo)
            .args(["test", "--quiet", "--package", package, "--test", test])
            .env("LINEAL_BLESS", "1")
            .status();
        match status {
            Ok(status) => good &= status.success(),
            Err(error) => {
                eprintln!("cannot run {cargo}: {error}");
                good = false;
            }
        }
    }
    if good { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
