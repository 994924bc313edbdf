//! C11 text → [`Machine`]: preprocess, parse, lower.
//!
//! System headers are those in `headers/`; the C library functions they declare are written in C
//! themselves, in `runtime/`, on a handful of primitives (`__lineal_*`), and are compiled together
//! with the program.
//!
//! What is not modelled is refused by name and line; nothing is approximated in silence.

mod assembly;
mod ast;
mod lex;
mod lower;
mod mailbox;
pub mod object;
pub mod orders;
mod parse;
mod pragma;
pub mod preprocess;
pub mod spec;
mod types;
mod unit;

pub use unit::Unit;

use lineal_model::program::Machine;
use lineal_model::{Diagnostic, Flags, Knob, Severity};
use std::hash::{Hash, Hasher};
use std::rc::Rc;

/// How accesses of volatile objects count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Volatile {
    /// As C has it: volatile says nothing about threads.
    #[default]
    Plain,
    Relaxed,
    AcqRel,
    SeqCst,
}

impl Volatile {
    pub fn word(self) -> &'static str {
        match self {
            Volatile::Plain => "plain",
            Volatile::Relaxed => "relaxed",
            Volatile::AcqRel => "acq-rel",
            Volatile::SeqCst => "seq-cst",
        }
    }
}

/// Which plain accesses of scalars are taken to be relaxed atomic ones, so that they do not race.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum Races {
    /// None.
    #[default]
    Report,
    Ignore,
    /// Those on these lines: of a file of this name, or whose path ends so.
    OffAt(Vec<(String, u32)>),
}

impl Races {
    fn ignores(&self, place: &lineal_model::Place) -> bool {
        match self {
            Races::Report => false,
            Races::Ignore => true,
            Races::OffAt(lines) => lines.iter().any(|(file, line)| {
                *line == place.line && (*place.file == **file || place.file.ends_with(&format!("/{file}")))
            }),
        }
    }
}

#[derive(Clone, Debug)]
pub struct Options {
    /// Every function that is called has to be declared, reached or not.
    pub strict: bool,
    pub races: Races,
    /// Accesses of volatile objects, scalars that is, are such.
    pub volatile: Volatile,
    /// Signed arithmetic wraps.
    pub wrapv: bool,
    /// Waits of the system may end without a reason.
    pub spurious: bool,
    /// The values `__VERIFIER_nondet_int()` and its kin may take.
    pub nondet: Option<(i64, i64)>,
    /// Nobody asks what operations mean: those of an `object spec` may go without a specification.
    pub unspecified: bool,
    /// What knobs are called, for advice.
    pub flags: Flags,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            strict: false,
            races: Races::Report,
            volatile: Volatile::Plain,
            wrapv: false,
            spurious: true,
            nondet: None,
            unspecified: false,
            flags: Knob::word,
        }
    }
}

struct SourceUnit {
    externals: Rc<Vec<ast::External>>,
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
    "alloca.h",
    "ammintrin.h",
    "arpa/inet.h",
    "asm/unistd.h",
    "assert.h",
    "byteswap.h",
    "ctype.h",
    "dirent.h",
    "dlfcn.h",
    "emmintrin.h",
    "endian.h",
    "err.h",
    "errno.h",
    "error.h",
    "execinfo.h",
    "fcntl.h",
    "features.h",
    "float.h",
    "getopt.h",
    "immintrin.h",
    "inttypes.h",
    "iso646.h",
    "libgen.h",
    "limits.h",
    "linux/futex.h",
    "linux/limits.h",
    "linux/membarrier.h",
    "linux/types.h",
    "locale.h",
    "malloc.h",
    "math.h",
    "memory.h",
    "netinet/in.h",
    "netinet/tcp.h",
    "nmmintrin.h",
    "pmmintrin.h",
    "poll.h",
    "pthread.h",
    "sched.h",
    "semaphore.h",
    "setjmp.h",
    "signal.h",
    "smmintrin.h",
    "stdalign.h",
    "stdarg.h",
    "stdatomic.h",
    "stdbool.h",
    "stddef.h",
    "stdint.h",
    "stdio.h",
    "stdlib.h",
    "stdnoreturn.h",
    "string.h",
    "strings.h",
    "sys/cdefs.h",
    "sys/epoll.h",
    "sys/eventfd.h",
    "sys/ioctl.h",
    "sys/mman.h",
    "sys/param.h",
    "sys/poll.h",
    "sys/prctl.h",
    "sys/queue.h",
    "sys/resource.h",
    "sys/select.h",
    "sys/socket.h",
    "sys/stat.h",
    "sys/syscall.h",
    "sys/sysinfo.h",
    "sys/time.h",
    "sys/timerfd.h",
    "sys/types.h",
    "sys/uio.h",
    "sys/wait.h",
    "syscall.h",
    "sysexits.h",
    "syslog.h",
    "threads.h",
    "time.h",
    "tmmintrin.h",
    "unistd.h",
    "wchar.h",
    "wmmintrin.h",
    "x86intrin.h",
    "xmmintrin.h",
];

static RUNTIME: &[(&str, &str)] = &[
    ("<threads>", include_str!("runtime/threads.c")),
    ("<futex>", include_str!("runtime/futex.c")),
    ("<library>", include_str!("runtime/library.c")),
    ("<math>", include_str!("runtime/math.c")),
];

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
    let lines = pragma::race::lines(units)?;
    let options = &pragma::race::with(options, &lines);
    let (mut program, mut warnings) = lower::lower(sources, files, options)?;
    warnings.extend(pragma::race::idle(&program, options, &lines));
    program.identity = identity(units, options);
    Ok((Machine::new(program), warnings))
}

type Library = (Vec<Rc<Vec<ast::External>>>, lex::Files);

thread_local! {
    /// The library, parsed once, and the files its positions refer to.
    static LIBRARY: Library = library();
}

fn library() -> Library {
    let mut files = lex::Files::default();
    let mut diagnostics = Vec::new();
    let mut parsed = Vec::new();
    for (name, text) in RUNTIME {
        let tokens = Unit::plain(name, text).take(&mut files, &mut diagnostics);
        parsed.push(parse::parse(&tokens, &files, &mut diagnostics).into());
    }
    assert!(diagnostics.is_empty(), "the library is C: {diagnostics:?}");
    (parsed, files)
}

/// All units and the library, parsed.
fn sources(units: &[Unit]) -> Result<(Vec<SourceUnit>, lex::Files), Vec<Diagnostic>> {
    let (library, mut files) = LIBRARY.with(|library| library.clone());
    let mut diagnostics = Vec::new();
    let mut sources = Vec::new();
    for unit in units {
        let tokens = unit.clone().take(&mut files, &mut diagnostics);
        let externals = parse::parse(&tokens, &files, &mut diagnostics).into();
        sources.push(SourceUnit { externals, runtime: false });
    }
    sources.extend(library.into_iter().map(|externals| SourceUnit { externals, runtime: true }));
    if diagnostics.iter().any(|d| d.severity == Severity::Error) {
        return Err(diagnostics);
    }
    Ok((sources, files))
}

/// A number for everything that determines the program. File names and lines do not, which may differ
/// between runs.
fn identity(units: &[Unit], options: &Options) -> u64 {
    let mut hash = unit::Fnv::default();
    for unit in units {
        unit.tokens().iter().for_each(|t| t.tok.hash(&mut hash));
    }
    let Options { strict: _, races, volatile, wrapv, spurious, nondet, unspecified: _, flags: _ } = options;
    (races, volatile, wrapv, spurious, nondet).hash(&mut hash);
    hash.finish()
}
