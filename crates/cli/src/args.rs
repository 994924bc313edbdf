//! What was typed. Nothing is decided here.

use crate::check::CheckArgs;
use crate::history::HistoryArgs;
use crate::refine::RefineArgs;
use crate::units;
use clap::{Args as ClapArgs, Parser, Subcommand, ValueEnum};
use lineal_model::Memory;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

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
    /// Check whether recorded histories are linearizable
    History(Box<HistoryArgs>),
    /// Check every assertion of a CSP# model
    Refine(RefineArgs),
}

#[derive(Debug, ClapArgs)]
#[command(next_help_heading = "Effort and output")]
pub struct Common {
    /// Give up after so long, with what is known by then (60s, 5m, 1h)
    #[arg(long, global = true, value_name = "TIME", value_parser = units::duration)]
    pub time_limit: Option<Duration>,
    /// Give up when so much memory is in use
    #[arg(long, global = true, value_name = "SIZE", default_value = "4GiB", value_parser = units::size)]
    pub memory_limit: u64,
    /// Give up after so many states, or executions where no states are stored
    #[arg(long, global = true, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub max_states: Option<u64>,
    /// Workers; the verdict does not depend on it
    #[arg(long, global = true, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    pub jobs: u16,
    /// Exploration order; the verdict does not depend on it
    #[arg(long, global = true, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// What to print on stdout
    #[arg(long, global = true, value_enum, default_value_t = Format::Text)]
    pub format: Format,
    /// Colours in text
    #[arg(long, global = true, value_enum, value_name = "WHEN", default_value_t = Colour::Auto)]
    pub color: Colour,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people
    Text,
    /// One document
    Json,
    /// One line for each result
    Jsonl,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Colour {
    Auto,
    Always,
    Never,
}

/// C sources and how to read them.
#[derive(Debug, ClapArgs)]
pub struct SourceArgs {
    /// C source files; together they are one program
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Define a macro, as for cc
    #[arg(short = 'D', value_name = "NAME[=VALUE]", help_heading = "Preprocessor")]
    pub define: Vec<String>,
    /// Search a directory for headers, as for cc
    #[arg(short = 'I', value_name = "DIR", help_heading = "Preprocessor")]
    pub include_dirs: Vec<PathBuf>,
    /// Include a file first, as for cc (also spelled -include)
    #[arg(long = "include", value_name = "FILE", help_heading = "Preprocessor")]
    pub include: Vec<PathBuf>,
    /// Let signed arithmetic wrap instead of reporting overflow
    #[arg(long)]
    pub wrapv: bool,
    /// What the __VERIFIER_nondet functions may return, both ends included
    #[arg(long, value_name = "A..B", value_parser = units::range, allow_hyphen_values = true)]
    pub nondet: Option<(i64, i64)>,
}

#[derive(Debug, ClapArgs)]
pub struct VerifyArgs {
    #[command(flatten)]
    pub source: SourceArgs,
    /// Memory model; rc11 if not given, or that of the violation to replay
    #[arg(long, value_enum, value_name = "MODEL")]
    pub memory: Option<Model>,
    /// How executions are enumerated: as graphs, or every interleaving (slow, for comparison)
    #[arg(long, value_enum, default_value_t = EngineName::Graph)]
    pub engine: EngineName,
    /// Cut loops that touch memory or call functions after so many iterations; the verdict says what was cut
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub unroll: Option<u32>,
    /// Collect the final values of these globals (x, q.head, a[1])
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub observe: Vec<String>,
    /// Report memory that is never freed
    #[arg(long)]
    pub leaks: bool,
    /// Report spin loops that can go on for ever
    #[arg(long)]
    pub liveness: bool,
    /// Tell executions apart that differ only in which of some equal threads is which
    #[arg(long)]
    pub no_symmetry: bool,
    /// Write the execution of a violation as a graph for Graphviz
    #[arg(long, value_name = "FILE")]
    pub dot: Option<PathBuf>,
    /// Show one earlier violation again, step by step
    #[arg(long, value_name = "TOKEN")]
    pub replay: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Model {
    /// Sequential consistency
    Sc,
    /// Total store order, as on x86
    Tso,
    /// Release/acquire
    Ra,
    /// C11, repaired
    Rc11,
}

impl From<Model> for Memory {
    fn from(model: Model) -> Memory {
        match model {
            Model::Sc => Memory::Sc,
            Model::Tso => Memory::Tso,
            Model::Ra => Memory::Ra,
            Model::Rc11 => Memory::Rc11,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum EngineName {
    Graph,
    Naive,
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
