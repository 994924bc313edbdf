//! Options that several commands have.

use crate::flags::flag;
use crate::limits::Limits;
use crate::units::{self, Patience, RaceChoice};
use clap::{Args, ValueEnum};
use lineal_lang::c11;
use lineal_model::Memory;
use std::path::PathBuf;
use std::time::Duration;

/// How long nobody minds to wait.
const FIRST_TRY: Duration = Duration::from_secs(60);

#[derive(Debug, Args)]
#[command(next_help_heading = "Effort and output")]
pub struct Common {
    /// Give up after so long, with what is known by then (60s, 5m, 1h, none); verify, check and robust do so after 60s
    #[arg(long, global = true, value_name = "TIME", value_parser = units::patience)]
    pub time_limit: Option<Patience>,
    /// Give up when so much memory is in use
    #[arg(long, global = true, value_name = "SIZE", default_value = "4GiB", value_parser = units::size)]
    pub memory_limit: u64,
    /// Give up after so many states, or executions where no states are stored
    #[arg(long, global = true, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub max_states: Option<u64>,
    /// Workers; the verdict does not depend on it
    #[arg(long, global = true, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    pub jobs: u16,
    /// Exploration order, on which no verdict depends; or which sample is drawn
    #[arg(long, global = true, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// What to print on stdout
    #[arg(long, global = true, value_enum, default_value_t = Format::Text)]
    pub format: Format,
    /// Colours in text
    #[arg(long, global = true, value_enum, value_name = "WHEN", default_value_t = Colour::Auto)]
    pub color: Colour,
}

impl Common {
    /// Programs and objects may go on for ever, so a first try has a limit nobody asked for.
    pub fn limits(&self, first_try: bool) -> Limits {
        let (time, asked) = match self.time_limit {
            Some(Patience(time)) => (time, true),
            None => (first_try.then_some(FIRST_TRY), false),
        };
        Limits { time, asked, memory: self.memory_limit }
    }
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
#[derive(Clone, Debug, Args)]
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
    /// How accesses of volatile objects count: plain, as C has it, or as atomic ones of this order
    #[arg(long, value_enum, value_name = "ORDER", default_value_t = VolatileOrder::Plain)]
    pub volatile: VolatileOrder,
    /// report races, ignore them (plain accesses count as relaxed), or ignore those of one line (off-at=FILE:LINE)
    #[arg(long, value_name = "WHAT", value_parser = units::races)]
    pub races: Vec<RaceChoice>,
    /// What rand() and the __VERIFIER_nondet functions may return, both ends included
    #[arg(long, value_name = "A..B", value_parser = units::range, allow_hyphen_values = true)]
    pub nondet: Option<(i64, i64)>,
}

impl SourceArgs {
    /// How the sources are to be read.
    pub fn reading(&self) -> c11::Options {
        let volatile = match self.volatile {
            VolatileOrder::Plain => c11::Volatile::Plain,
            VolatileOrder::Relaxed => c11::Volatile::Relaxed,
            VolatileOrder::AcqRel => c11::Volatile::AcqRel,
            VolatileOrder::SeqCst => c11::Volatile::SeqCst,
        };
        let lines = self.races.iter().filter_map(|r| match r {
            RaceChoice::OffAt(file, line) => Some((file.clone(), *line)),
            _ => None,
        });
        let lines: Vec<(String, u32)> = lines.collect();
        let races = match lines.is_empty() {
            _ if self.races.last() == Some(&RaceChoice::Ignore) => c11::Races::Ignore,
            true => c11::Races::Report,
            false => c11::Races::OffAt(lines),
        };
        c11::Options {
            strict: false,
            races,
            volatile,
            wrapv: self.wrapv,
            spurious: true,
            nondet: self.nondet,
            unspecified: false,
            flags: flag,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum VolatileOrder {
    /// No order, and two of them race
    Plain,
    Relaxed,
    /// Loads acquire, stores release
    AcqRel,
    SeqCst,
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
