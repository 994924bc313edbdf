//! One source, preprocessed: tokens of C with places.

use super::lex::{self, Files, Pos, Tok, Token};
use super::preprocess::{self, Bundled, Setup, Shelf};
use lineal_model::{Diagnostic, Severity};
use std::hash::Hasher;

#[derive(Clone, Debug, Default)]
pub struct Unit {
    pub name: String,
    tokens: Vec<Token>,
    end: Pos,
    files: Files,
    /// What is wrong with its literals, for the front-end to tell with the rest.
    problems: Vec<Diagnostic>,
}

impl Unit {
    /// Preprocesses a source. Warnings come with success, all diagnostics with failure.
    pub fn new(
        name: &str,
        text: &[u8],
        setup: Setup<'_>,
        shelf: &dyn Shelf,
    ) -> Result<(Unit, Vec<Diagnostic>), Vec<Diagnostic>> {
        let mut unit = Unit { name: name.into(), ..Unit::default() };
        let done = preprocess::run(name, text, setup, shelf, &mut unit.files);
        if done.diagnostics.iter().any(|d| d.severity == Severity::Error) {
            return Err(done.diagnostics);
        }
        unit.tokens = lex::tokens(&done.tokens, &done.names, &unit.files, &mut unit.problems);
        unit.end = done.end;
        Ok((unit, done.diagnostics))
    }

    /// A source that includes nothing but bundled headers.
    pub fn of(name: &str, text: &str) -> Result<Unit, Vec<Diagnostic>> {
        Unit::new(name, text.as_bytes(), Setup::default(), &Bundled).map(|(unit, _)| unit)
    }

    /// Text of our own, without macros.
    pub(super) fn plain(name: &str, text: &str) -> Unit {
        let mut unit = Unit { name: name.into(), ..Unit::default() };
        unit.append(text);
        unit
    }

    /// Puts text of our own behind the rest, without macros.
    pub(super) fn append(&mut self, text: &str) {
        let mut done = preprocess::plain(&self.name, text, &mut self.files);
        self.problems.append(&mut done.diagnostics);
        self.end = done.end;
        self.tokens.extend(lex::tokens(&done.tokens, &done.names, &self.files, &mut self.problems));
    }

    /// The files it was read from, bundled headers among them.
    pub fn file_names(&self) -> impl Iterator<Item = &str> {
        self.files.names()
    }

    pub(super) fn tokens(&self) -> &[Token] {
        &self.tokens
    }

    pub(super) fn files(&self) -> &Files {
        &self.files
    }

    /// The tokens with an end, and positions in these files.
    pub(super) fn take(self, files: &mut Files, diagnostics: &mut Vec<Diagnostic>) -> Vec<Token> {
        diagnostics.extend(self.problems);
        let numbers = files.merge(&self.files);
        let mut tokens = self.tokens;
        let number = |file: u16| numbers.get(usize::from(file)).copied().unwrap_or(0);
        tokens.push(Token { tok: Tok::End, pos: self.end });
        for token in &mut tokens {
            token.pos.file = number(token.pos.file);
        }
        tokens
    }
}

/// FNV-1a, the same on every machine.
pub(super) struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Self {
        Fnv(0xcbf2_9ce4_8422_2325)
    }
}

impl Hasher for Fnv {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for b in bytes {
            self.0 = (self.0 ^ u64::from(*b)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}
