//! C11 text → [`Machine`]: lex, parse, lower.
//!
//! The input is what `cc -E` made of the user's files over the headers in `headers/`; the C
//! library functions those declare are written in C themselves, in `runtime/`, on a handful of
//! primitives (`__lineal_*`), and are compiled together with the program.
//!
//! What is not modelled is refused by name and line; nothing is approximated in silence.

mod ast;
mod lex;
mod lower;
mod mailbox;
pub mod object;
pub mod orders;
mod parse;
mod pragma;
pub mod spec;
mod types;

use lineal_model::program::Machine;
use lineal_model::{Diagnostic, Flags, Knob, Severity};

/// One preprocessed source, with line markers.
#[derive(Clone, Debug)]
pub struct Unit {
    pub name: String,
    pub text: String,
}

#[derive(Clone, Debug)]
pub struct Options {
    /// Signed arithmetic wraps.
    pub wrapv: bool,
    /// The values `__VERIFIER_nondet_int()` and its kin may take.
    pub nondet: Option<(i64, i64)>,
    /// What knobs are called, for advice.
    pub flags: Flags,
}

impl Default for Options {
    fn default() -> Self {
        Options { wrapv: false, nondet: None, flags: Knob::word }
    }
}

struct SourceUnit {
    externals: Vec<ast::External>,
    runtime: bool,
}

/// The headers to preprocess with: name and text.
pub fn headers() -> &'static [(&'static str, &'static str)] {
    HEADERS
}

macro_rules! header {
    ($($name:literal),* $(,)?) => { &[$(($name, include_str!(concat!("headers/", $name)))),*] };
}

static HEADERS: &[(&str, &str)] = header![
    "assert.h",
    "ctype.h",
    "errno.h",
    "inttypes.h",
    "limits.h",
    "pthread.h",
    "sched.h",
    "semaphore.h",
    "setjmp.h",
    "stdarg.h",
    "stdalign.h",
    "stdatomic.h",
    "stdbool.h",
    "stddef.h",
    "stdint.h",
    "stdio.h",
    "stdlib.h",
    "stdnoreturn.h",
    "string.h",
    "threads.h",
    "time.h",
    "unistd.h",
];

static RUNTIME: &[(&str, &str)] =
    &[("<threads>", include_str!("runtime/threads.c")), ("<library>", include_str!("runtime/library.c"))];

/// One program from all units. Warnings come with success, all diagnostics with failure.
pub fn load(units: &[Unit], options: &Options) -> Result<(Machine, Vec<Diagnostic>), Vec<Diagnostic>> {
    let (sources, files) = sources(units)?;
    machine(units, &sources, &files, options)
}

fn machine(
    units: &[Unit],
    sources: &[SourceUnit],
    files: &lex::Files,
    options: &Options,
) -> Result<(Machine, Vec<Diagnostic>), Vec<Diagnostic>> {
    let (mut program, warnings) = lower::lower(sources, files, options)?;
    program.identity = identity(units, options);
    Ok((Machine::new(program), warnings))
}

/// All units and the library, parsed.
fn sources(units: &[Unit]) -> Result<(Vec<SourceUnit>, lex::Files), Vec<Diagnostic>> {
    let mut files = lex::Files::default();
    let mut diagnostics = Vec::new();
    let mut sources = Vec::new();
    let own = units.iter().map(|u| (u.name.as_str(), u.text.as_str(), false));
    let library = RUNTIME.iter().map(|(name, text)| (*name, *text, true));
    for (name, text, runtime) in own.chain(library) {
        let tokens = lex::lex(name, text, &mut files, &mut diagnostics);
        let externals = parse::parse(&tokens, &files, &mut diagnostics);
        sources.push(SourceUnit { externals, runtime });
    }
    if diagnostics.iter().any(|d| d.severity == Severity::Error) {
        return Err(diagnostics);
    }
    Ok((sources, files))
}

/// FNV-1a over everything that determines the program.
fn identity(units: &[Unit], options: &Options) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325u64;
    let mut add = |bytes: &[u8]| {
        for b in bytes {
            hash = (hash ^ u64::from(*b)).wrapping_mul(0x0100_0000_01b3);
        }
    };
    for unit in units {
        // Line markers name files, whose paths may differ between runs.
        for line in unit.text.lines().filter(|l| !l.starts_with("# ")) {
            add(line.as_bytes());
            add(b"\n");
        }
    }
    let Options { wrapv, nondet, flags: _ } = options;
    add(format!("Options {{ wrapv: {wrapv:?}, nondet: {nondet:?} }}").as_bytes());
    hash
}
