//! What was typed. Nothing is decided here.

use crate::check::CheckArgs;
use crate::history::HistoryArgs;
use crate::options::Common;
use crate::refine::RefineArgs;
use crate::robust::RobustArgs;
use crate::verify::VerifyArgs;
use clap::{Parser, Subcommand};
use std::ffi::OsString;

/// Tells whether concurrent programs and objects are correct.
#[derive(Debug, Parser)]
#[command(name = "lineal", version, arg_required_else_help = true, after_help = AFTER)]
pub struct Args {
    #[command(subcommand)]
    pub command: Command,
    #[command(flatten)]
    pub common: Common,
}

const AFTER: &str = "\
Exit codes: 0 holds, 1 violated, 2 bad input or usage, 3 unknown (a limit was reached).

Try:  lineal verify examples/stack/treiber.c --memory sc";

/// One line per command; what it means is in `plan`.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Check assertions, races and memory errors over all executions of a C program
    Verify(VerifyArgs),
    /// Check whether every client of a C object finds it linearizable
    Check(CheckArgs),
    /// Check whether weak memory adds executions to a C object, for every client, or to a C program
    Robust(RobustArgs),
    /// Check whether recorded histories are linearizable
    History(Box<HistoryArgs>),
    /// Check every assertion of a CSP# model
    Refine(RefineArgs),
}

/// A command line that clap refused (or a request for help), and whether JSON was asked for.
#[derive(Debug)]
pub struct Refused {
    pub error: clap::Error,
    pub json: bool,
}

/// The arguments, and the command line as it could be typed again.
pub fn parse(argv: impl IntoIterator<Item = OsString>) -> Result<(Args, String), Refused> {
    let argv: Vec<OsString> = argv.into_iter().map(double_dash_include).collect();
    let words: Vec<_> = argv.iter().map(|a| a.to_string_lossy()).collect();
    let json = words.windows(2).any(|w| w[0] == "--format" && w[1].starts_with("json"))
        || words.iter().any(|w| w.starts_with("--format=json"));
    let typed = std::iter::once("lineal".into())
        .chain(words.iter().skip(1).map(|w| quote(w)))
        .collect::<Vec<String>>()
        .join(" ");
    match Args::try_parse_from(&argv) {
        Ok(args) => Ok((args, typed)),
        Err(error) => Err(Refused { error, json }),
    }
}

/// `cc` spells it `-include`, which clap would read as `-i`, `-n`, ….
fn double_dash_include(arg: OsString) -> OsString {
    if arg == "-include" { "--include".into() } else { arg }
}

fn quote(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_=+./,:@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_string()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;

    fn parse_words(line: &str) -> Result<(Args, String), Refused> {
        parse(line.split(' ').map(OsString::from))
    }

    #[test]
    fn the_definition_is_consistent() {
        use clap::CommandFactory;
        Args::command().debug_assert();
    }

    #[test]
    fn flags_of_cc_are_read_as_cc_reads_them() {
        let (args, typed) = parse_words("lineal verify a.c b.c -DN=2 -D M -Iinc -include x.h").unwrap();
        let Command::Verify(v) = args.command else { panic!("verify") };
        assert_eq!(v.source.define, ["N=2", "M"]);
        assert_eq!(v.source.include_dirs, [PathBuf::from("inc")]);
        assert_eq!(v.source.include, [PathBuf::from("x.h")]);
        assert_eq!(v.source.files.len(), 2);
        assert_eq!(typed, "lineal verify a.c b.c -DN=2 -D M -Iinc --include x.h");
    }

    #[test]
    fn negative_ranges_are_no_flags() {
        let (args, _) = parse_words("lineal verify a.c --nondet -3..4").unwrap();
        let Command::Verify(v) = args.command else { panic!("verify") };
        assert_eq!(v.source.nondet, Some((-3, 4)));
    }

    #[test]
    fn json_is_noticed_even_in_a_broken_line() {
        assert!(parse_words("lineal verify --bogus --format json").unwrap_err().json);
        assert!(!parse_words("lineal verify --bogus").unwrap_err().json);
    }

    #[test]
    fn the_line_can_be_typed_again() {
        assert_eq!(quote("a b"), "'a b'");
        assert_eq!(quote("don't"), r"'don'\''t'");
        assert_eq!(quote("-DN=2"), "-DN=2");
    }
}
