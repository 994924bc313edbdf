//! C11 text → preprocessing tokens with places: translation phases 1 to 4, as gcc's `gnu11` does them.
//!
//! Nothing here depends on the machine: files come from a [`Shelf`], the predefined macros are a table
//! ([`predefined`]), system headers are the bundled ones, `__DATE__` and `__TIME__` are fixed. A token
//! has the place where it is written; one that a macro's body provides has the place where the
//! outermost macro is used.
//!
//! - [`scan`]: bytes → pieces of one file; lines are spliced, comments are white space.
//! - [`token`]: tokens and their spellings.
//! - [`file`]: the files that are open, and those that were read.
//! - [`directive`], [`condition`], [`include`], [`pragma`]: lines that begin with `#`.
//! - [`evaluate`], [`has`]: what `#if` asks.
//! - [`define`]: what a macro is.
//! - [`expand`], [`substitute`]: its replacement, without recursion, as no input may exhaust the stack.
//!
//! Not supported: trigraphs, `#assert`, names with letters beyond ASCII, `__has_…` outside `#if`.
//! `#pragma GCC poison` and `#ident` are passed over. What a program may cost is bounded by
//! [`MOST_WORK`].

mod builtin;
mod condition;
mod define;
mod directive;
mod evaluate;
mod expand;
mod file;
mod has;
mod include;
mod pragma;
mod predefined;
mod scan;
mod substitute;
mod token;

#[cfg(test)]
mod tests;

use super::lex::{Files, Pos};
use define::Slot;
use expand::{Context, Job};
use file::{Open, Store};
use lineal_model::{Diagnostic, Severity};
use std::rc::Rc;
pub use token::{Kind, Names, Sym, Token};

/// Where files come from.
pub trait Shelf {
    /// The text of a file. `None`: there is none of this name; bundled headers are called
    /// `<lineal>/NAME`. An error is about a file that is there and cannot be a source.
    fn read(&self, path: &str) -> Result<Option<Rc<[u8]>>, Diagnostic>;
}

/// The bundled headers, and no other file.
pub struct Bundled;

impl Shelf for Bundled {
    fn read(&self, path: &str) -> Result<Option<Rc<[u8]>>, Diagnostic> {
        Ok(bundled(path).map(|text| text.as_bytes().into()))
    }
}

/// The bundled header that a shelf is asked for by this path.
pub fn bundled(path: &str) -> Option<&'static str> {
    let name = path.strip_prefix(include::BUNDLED)?.strip_prefix('/')?;
    super::headers().iter().find(|(n, _)| *n == name).map(|(_, text)| *text)
}

/// What the command line says.
#[derive(Clone, Copy, Debug, Default)]
pub struct Setup<'a> {
    /// `NAME` or `NAME=VALUE`.
    pub define: &'a [String],
    /// Directories to look for headers in, before the bundled ones.
    pub include_dirs: &'a [String],
    /// Files to read first.
    pub include: &'a [String],
}

/// What became of a source. Tokens are there as far as it was read.
pub struct Preprocessed {
    pub tokens: Vec<Token>,
    pub names: Names,
    /// Where the source ends.
    pub end: Pos,
    pub diagnostics: Vec<Diagnostic>,
}

/// How many tokens may be read and made. No program that people wrote needs more.
const MOST_WORK: u64 = 1 << 24;
/// How many errors are told.
const MOST_ERRORS: usize = 20;

/// One source with everything it includes.
pub fn run(name: &str, text: &[u8], setup: Setup<'_>, shelf: &dyn Shelf, files: &mut Files) -> Preprocessed {
    let p = Preprocessor::new(name, setup, shelf, files, true);
    p.all(name, text)
}

/// One source with everything it includes as texts, to be compared with what others make of it.
pub fn spellings(
    name: &str,
    text: &[u8],
    setup: Setup<'_>,
    shelf: &dyn Shelf,
) -> Result<Vec<String>, Vec<Diagnostic>> {
    let done = run(name, text, setup, shelf, &mut Files::default());
    if done.diagnostics.iter().any(|d| d.severity == Severity::Error) {
        return Err(done.diagnostics);
    }
    let spelled = |token: &Token| match token.kind {
        Kind::Pragma => format!("#pragma {}", done.names.text(token.text)),
        _ => done.names.text(token.text).to_string(),
    };
    Ok(done.tokens.iter().map(spelled).collect())
}

/// Text of our own: there are no macros, only line markers and pragmas.
pub fn plain(name: &str, text: &str, files: &mut Files) -> Preprocessed {
    struct Empty;
    impl Shelf for Empty {
        fn read(&self, _: &str) -> Result<Option<Rc<[u8]>>, Diagnostic> {
            Ok(None)
        }
    }
    let p = Preprocessor::new(name, Setup::default(), &Empty, files, false);
    p.all(name, text.as_bytes())
}

/// A fatal error, which was reported.
struct Stop;

struct Preprocessor<'a> {
    setup: Setup<'a>,
    store: Store<'a>,
    /// Whether there are predefined macros.
    predefined: bool,
    base: String,
    names: Names,
    files: &'a mut Files,
    /// What is known about each name.
    macros: Vec<Slot>,
    /// Definitions put aside by `#pragma push_macro`.
    pushed: Vec<(Sym, Slot)>,
    /// Macros whose replacement is being read: not replaced again meanwhile.
    disabled: Vec<bool>,
    open: Vec<Open>,
    contexts: Vec<Context>,
    jobs: Vec<Job>,
    /// White space before the next token, whatever its own spelling says.
    gap: bool,
    out: Vec<Token>,
    end: Pos,
    diagnostics: Vec<Diagnostic>,
    errors: usize,
    counter: u64,
    work: u64,
}

impl<'a> Preprocessor<'a> {
    fn new(
        name: &str,
        setup: Setup<'a>,
        shelf: &'a dyn Shelf,
        files: &'a mut Files,
        predefined: bool,
    ) -> Self {
        Preprocessor {
            setup,
            store: Store::new(shelf),
            predefined,
            base: name.into(),
            names: Names::default(),
            files,
            macros: Vec::new(),
            pushed: Vec::new(),
            disabled: Vec::new(),
            open: Vec::new(),
            contexts: Vec::new(),
            jobs: Vec::new(),
            gap: false,
            out: Vec::new(),
            end: Pos::default(),
            diagnostics: Vec::new(),
            errors: 0,
            counter: 0,
            work: 0,
        }
    }

    fn all(mut self, name: &str, text: &[u8]) -> Preprocessed {
        // What stopped it was reported.
        let _ =
            self.begin(name, text).and_then(|()| self.text_of_all()).and_then(|()| self.replace_in_pragmas());
        let Preprocessor { out: tokens, names, end, diagnostics, .. } = self;
        Preprocessed { tokens, names, end, diagnostics }
    }

    fn text_of_all(&mut self) -> Result<(), Stop> {
        while let Some(token) = self.next()? {
            if token.text == token::known::PRAGMA && token.kind == Kind::Name {
                self.pragma_operator(token)?;
                continue;
            }
            self.out.push(token);
        }
        Ok(())
    }

    /// Pays for tokens read or made.
    fn charge(&mut self, tokens: usize) -> Result<(), Stop> {
        self.work += tokens as u64;
        if self.work <= MOST_WORK {
            return Ok(());
        }
        let message = format!("preprocessing `{}` takes more than {MOST_WORK} steps", self.base);
        let mut d = Diagnostic::error("L0008", message);
        if let Some(open) = self.open.last() {
            d = d.at(self.files.place(open.line()));
        }
        self.fatal(d.help("some macro or header multiplies what it is given; make it smaller"))
    }

    fn fatal<T>(&mut self, d: Diagnostic) -> Result<T, Stop> {
        self.diagnostics.push(d);
        Err(Stop)
    }

    /// Reports an error; too many of them end it.
    fn error(&mut self, pos: Pos, message: impl Into<String>) -> Result<(), Stop> {
        let d = Diagnostic::error("L0006", message).at(self.files.place(pos));
        self.report(d)
    }

    fn report(&mut self, d: Diagnostic) -> Result<(), Stop> {
        self.diagnostics.push(d);
        self.errors += 1;
        if self.errors < MOST_ERRORS { Ok(()) } else { Err(Stop) }
    }

    fn warning(&mut self, pos: Pos, message: impl Into<String>) {
        if self.diagnostics.len() < MOST_ERRORS {
            self.diagnostics.push(Diagnostic::warning("L0006", message).at(self.files.place(pos)));
        }
    }

    fn text(&self, token: &Token) -> &str {
        self.names.text(token.text)
    }
}
