//! Recorded histories, from text: EDN (Jepsen, Knossos), JSON lines, etcd and kv logs
//! (Porcupine), Elle's JSON.
//!
//! Reading is one pass over a stream and keeps nothing but the history being built, so that logs
//! of tens of millions of operations fit. Syntax ([`datum`], [`etcd`]) is apart from meaning
//! ([`recorder`]): all formats yield the same records. Problems carry the line they are on;
//! reading goes on past them, up to twenty.

mod answers;
mod arguments;
mod clock;
mod datum;
mod detect;
mod etcd;
mod meaning;
mod order;
mod pairs;
mod record;
mod recorder;
mod scalar;
mod source;
mod spell;
mod starts;
mod takes;
mod user;
mod value;
mod whole;
mod write;

pub use detect::detect;
pub use order::order;
pub use write::{fits, start, write, writes};

use lineal_model::adt::{Kind, UserType};
use lineal_model::history::{Events, History, Stamp, Value, ValueId, Values};
use lineal_model::{Diagnostic, Flags, Knob};
use recorder::Recorder;
use source::Source;
use std::io::Read;
use std::sync::Arc;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    Edn,
    JsonLines,
    Etcd,
    Kv,
    Elle,
}

impl Format {
    pub const ALL: [Format; 5] = [Format::Edn, Format::JsonLines, Format::Etcd, Format::Kv, Format::Elle];

    pub fn word(self) -> &'static str {
        match self {
            Format::Edn => "edn",
            Format::JsonLines => "jsonl",
            Format::Etcd => "etcd",
            Format::Kv => "kv",
            Format::Elle => "elle",
        }
    }

    pub fn from_word(word: &str) -> Option<Format> {
        Format::ALL.into_iter().find(|f| f.word() == word)
    }
}

/// What `:fail :cas` means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FailedCas {
    /// It was carried out, and the comparison failed.
    Result,
    /// It did not happen.
    Drop,
}

#[derive(Clone, Debug)]
pub struct Options {
    pub kind: Kind,
    /// `None`: `Result` in etcd logs, `Drop` elsewhere.
    pub failed_cas: Option<FailedCas>,
    /// Values are pairs `[key v]`.
    pub keyed: bool,
    /// A failed remove found nothing.
    pub fail_is_empty: bool,
    /// Order by clock readings that may be this far apart, instead of by place in the file.
    pub skew: Option<Stamp>,
    /// Priorities are ordered by a list, so they need not be numbers.
    pub listed_priorities: bool,
    /// The operations of a type that is not built in.
    pub user: Option<Arc<UserType>>,
    /// What knobs are called, for advice.
    pub flags: Flags,
}

impl Options {
    pub fn new(kind: Kind) -> Self {
        Options {
            kind,
            failed_cas: None,
            keyed: false,
            fail_is_empty: false,
            skew: None,
            listed_priorities: false,
            user: None,
            flags: Knob::word,
        }
    }
}

#[derive(Clone, Debug)]
pub struct Loaded {
    pub history: History,
    pub format: Format,
    pub tally: Tally,
    /// Where the object starts, if the log says so itself.
    pub init: Option<Value>,
}

/// What was in the log besides the history.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    pub nemesis: u64,
    pub failed: u64,
    /// Failed compare-and-swaps, by whichever meaning was used.
    pub failed_cas: u64,
    pub failed_cas_kept: bool,
    pub lines: u64,
}

/// Reads a history and passes it on event by event, keeping nothing but the operations open at a
/// time. Values are interned in the table handed back; `init` is interned first, and `receiver`
/// is made with its name.
pub fn pass_on<E: Events>(
    input: &mut dyn Read,
    file: &str,
    format: Option<Format>,
    options: &Options,
    init: impl FnOnce(Format) -> Value,
    receiver: impl FnOnce(ValueId) -> E,
) -> Result<(E, Values, Format, Tally), Vec<Diagnostic>> {
    let mut source = Source::new(input, file, options.flags);
    let guessed = format.is_none();
    let format = find_format(&mut source, file, format, options.flags)?;
    // The name depends on the table only, which starts the same every time.
    let init = init(format);
    let mut receiver = receiver(Values::default().intern(init.clone()));
    let mut recorder = Recorder::passing_on(file, format, options, &mut receiver);
    recorder.guessed = guessed;
    recorder.prepare(init);
    read(&mut source, format, &mut recorder);
    let values = recorder.take_values();
    let loaded = recorder.finish(u64::from(source.line()))?;
    Ok((receiver, values, format, loaded.tally))
}

fn find_format(
    source: &mut Source,
    file: &str,
    format: Option<Format>,
    flags: Flags,
) -> Result<Format, Vec<Diagnostic>> {
    match format {
        Some(format) => Ok(format),
        None => {
            source.fill().map_err(|d| vec![d])?;
            detect(source.rest()).ok_or_else(|| vec![detect::unknown(file, source.rest(), flags)])
        }
    }
}

fn read(source: &mut Source, format: Format, recorder: &mut Recorder) {
    match format {
        Format::Etcd => etcd::read(source, recorder),
        Format::Edn | Format::Kv => datum::read(source, datum::Syntax::Edn, recorder),
        Format::JsonLines | Format::Elle => datum::read(source, datum::Syntax::Json, recorder),
    }
}

/// A value as logs spell it: `7`, `"a"`, `:a`, `nil`.
pub fn value(text: &str) -> Result<Value, Diagnostic> {
    datum::single(text).map(|d| value::value_of(&d))
}

/// More problems than this are not worth reading.
const MOST_PROBLEMS: usize = 20;

/// Reads a history. `file` is its name in diagnostics.
pub fn load(
    input: &mut dyn Read,
    file: &str,
    format: Option<Format>,
    options: &Options,
) -> Result<Loaded, Vec<Diagnostic>> {
    let mut source = Source::new(input, file, options.flags);
    let guessed = format.is_none();
    let format = find_format(&mut source, file, format, options.flags)?;
    let mut recorder = Recorder::new(file, format, options);
    recorder.guessed = guessed;
    read(&mut source, format, &mut recorder);
    recorder.finish(u64::from(source.line()))
}
