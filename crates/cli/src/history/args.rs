//! The flags of `lineal history`.

use crate::quasi::QuasiArgs;
use clap::{Args, Subcommand, ValueEnum};
use lineal_check::monitor::{Algorithm, Consistency};
use lineal_lang::history::{FailedCas, Format};
use lineal_model::adt::{First, Ties};
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub struct HistoryArgs {
    #[command(subcommand)]
    pub command: Option<HistoryCommand>,
    /// Logs; `-` is standard input, a directory is searched for Jepsen's history.edn
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// register, cas-register, queue, stack, deque, bag, set, kv, pq, counter, fai, mutex; or a C file
    #[arg(long = "as", required = true, value_name = "TYPE")]
    pub kind: Option<String>,
    #[command(flatten)]
    pub preprocessor: PreprocessorArgs,
    #[command(flatten)]
    pub quasi: QuasiArgs,
    /// Format of the logs
    #[arg(long, value_enum, default_value_t = From::Auto)]
    pub from: From,
    /// Where a register, map or counter starts
    #[arg(long, value_name = "VALUE", allow_hyphen_values = true)]
    pub init: Option<String>,
    /// Priority queue: how values of one priority leave; fifo if not given
    #[arg(long, value_enum)]
    pub ties: Option<TiesArg>,
    /// Priority queue: which priority leaves first; min if not given
    #[arg(long, value_enum)]
    pub first: Option<FirstArg>,
    /// Priority queue: a file of lines `p < q` that orders the priorities
    #[arg(long, value_name = "FILE")]
    pub order: Option<PathBuf>,
    /// What a failed compare-and-swap means; by default `result` in etcd logs, `drop` elsewhere
    #[arg(long, value_enum)]
    pub failed_cas: Option<FailedCasArg>,
    /// A failed remove found nothing to remove
    #[arg(long)]
    pub fail_is_empty: bool,
    /// Values are pairs [key value]; each key is an object of its own
    #[arg(long)]
    pub keyed: bool,
    /// Order by the clients' clocks, which may differ by so much (in the log's unit)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(i64).range(0..))]
    pub skew: Option<i64>,
    /// What an order of the operations has to respect: real time, or each process's own order
    #[arg(long, value_enum, default_value_t = ConsistencyArg::Linearizable)]
    pub consistency: ConsistencyArg,
    /// Which decider answers
    #[arg(long, value_enum, default_value_t = AlgorithmArg::Auto)]
    pub algorithm: AlgorithmArg,
    /// Decide all keys together instead of one by one
    #[arg(long)]
    pub no_partition: bool,
    /// Decide register, kv and set logs while reading them, in little memory
    #[arg(long, conflicts_with_all = ["no_partition", "skew", "html", "minimise"])]
    pub stream: bool,
    /// Shrink a violation to operations that are wrong by themselves
    #[arg(long, visible_alias = "minimize")]
    pub minimise: bool,
    /// Print an order of the operations that explains the log
    #[arg(long)]
    pub show_order: bool,
    /// Write a page with the time line, complete in one file
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
}

/// How to read a type written in C.
#[derive(Debug, Args)]
pub struct PreprocessorArgs {
    /// Define a macro in a type written in C, as for cc
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    pub define: Vec<String>,
    /// Search a directory for headers of a type written in C, as for cc
    #[arg(short = 'I', value_name = "DIR")]
    pub include_dirs: Vec<PathBuf>,
}

#[derive(Debug, Subcommand)]
pub enum HistoryCommand {
    /// Rewrite a log in another format
    Convert(ConvertArgs),
}

#[derive(Debug, Args)]
pub struct ConvertArgs {
    /// The log; `-` is standard input
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// register, cas-register, queue, stack, deque, bag, set, kv, pq, counter, fai, mutex; or a C file
    #[arg(long = "as", value_name = "TYPE")]
    pub kind: String,
    #[command(flatten)]
    pub preprocessor: PreprocessorArgs,
    /// Format of the log
    #[arg(long, value_enum, default_value_t = From::Auto)]
    pub from: From,
    /// Format to write
    #[arg(long, value_enum)]
    pub to: To,
    /// Where to write; standard output if not given
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// What a failed compare-and-swap means
    #[arg(long, value_enum)]
    pub failed_cas: Option<FailedCasArg>,
    /// A failed remove found nothing to remove
    #[arg(long)]
    pub fail_is_empty: bool,
    /// Values are pairs [key value]
    #[arg(long)]
    pub keyed: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum From {
    Auto,
    /// Jepsen, Knossos
    Edn,
    /// One event or one operation a line
    Jsonl,
    /// As published with Porcupine
    Etcd,
    /// As published with Porcupine
    Kv,
    Elle,
}

impl From {
    pub fn format(self) -> Option<Format> {
        match self {
            From::Auto => None,
            From::Edn => Some(Format::Edn),
            From::Jsonl => Some(Format::JsonLines),
            From::Etcd => Some(Format::Etcd),
            From::Kv => Some(Format::Kv),
            From::Elle => Some(Format::Elle),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum To {
    Edn,
    Jsonl,
    Etcd,
    Kv,
    Elle,
}

impl To {
    pub fn format(self) -> Format {
        match self {
            To::Edn => Format::Edn,
            To::Jsonl => Format::JsonLines,
            To::Etcd => Format::Etcd,
            To::Kv => Format::Kv,
            To::Elle => Format::Elle,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum TiesArg {
    /// First in, first out
    Fifo,
    Any,
}

impl std::convert::From<TiesArg> for Ties {
    fn from(ties: TiesArg) -> Ties {
        match ties {
            TiesArg::Fifo => Ties::Fifo,
            TiesArg::Any => Ties::Any,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FirstArg {
    Min,
    Max,
}

impl std::convert::From<FirstArg> for First {
    fn from(first: FirstArg) -> First {
        match first {
            FirstArg::Min => First::Min,
            FirstArg::Max => First::Max,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FailedCasArg {
    /// It was carried out and the comparison failed
    Result,
    /// It did not happen
    Drop,
}

impl std::convert::From<FailedCasArg> for FailedCas {
    fn from(meaning: FailedCasArg) -> FailedCas {
        match meaning {
            FailedCasArg::Result => FailedCas::Result,
            FailedCasArg::Drop => FailedCas::Drop,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ConsistencyArg {
    Linearizable,
    Sequential,
}

impl std::convert::From<ConsistencyArg> for Consistency {
    fn from(consistency: ConsistencyArg) -> Consistency {
        match consistency {
            ConsistencyArg::Linearizable => Consistency::Linearizable,
            ConsistencyArg::Sequential => Consistency::Sequential,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum AlgorithmArg {
    /// The fast decider of the type where it applies
    Auto,
    /// The general search
    Search,
}

impl std::convert::From<AlgorithmArg> for Algorithm {
    fn from(algorithm: AlgorithmArg) -> Algorithm {
        match algorithm {
            AlgorithmArg::Auto => Algorithm::Auto,
            AlgorithmArg::Search => Algorithm::Search,
        }
    }
}
