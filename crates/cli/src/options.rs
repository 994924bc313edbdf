//! Options that several commands have.

use crate::limits::Limits;
use crate::units;
use clap::{Args, ValueEnum};
use lineal_model::Memory;
use std::path::PathBuf;
use std::time::Duration;

#[derive(Debug, Args)]
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
    pub fn limits(&self) -> Limits {
        Limits { time: self.time_limit, memory: self.memory_limit }
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
#[derive(Debug, Args)]
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
