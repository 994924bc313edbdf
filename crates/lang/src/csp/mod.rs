//! CSP# text into a [`Model`] and its assertions.
//!
//! `lexer` → `parser` → `lower`. Every stage goes on past errors; `load` answers with a model
//! only if there were none. The language is that of the PAT tool's CSP module: declarations,
//! the whole process language, and assertions. Left out, each with a diagnostic that says so:
//! C# libraries (`#import`, `var<T>`, method calls) and `|||{..}` (any number of copies).

pub mod ast;
mod lexer;
mod lower;
mod parser;

use lineal_model::Diagnostic;
use lineal_model::process::{Assertion, Model};
use std::sync::Arc;

#[derive(Debug)]
pub struct Loaded {
    pub model: Model,
    pub assertions: Vec<Assertion>,
}

/// Reads a model. `include` answers `#include` with the text of a file.
pub fn load(
    file: &str,
    text: &str,
    include: &dyn Fn(&str) -> Result<String, String>,
) -> Result<Loaded, Vec<Diagnostic>> {
    let name: Arc<str> = file.into();
    let mut problems = Vec::new();
    let tokens = lexer::lex(&name, text, &mut problems);
    let mut parser = parser::Parser::new(tokens, &mut problems, include);
    let items = parser.file();
    let lost = std::mem::take(&mut parser.lost);
    let parsed = problems.len();
    let loaded = lower::lower(file, &items, &mut problems);
    // That a definition has an error in it was said; that it is missing is no news.
    let follows = |p: &Diagnostic| {
        p.code == lower::NO_PROCESS && lost.iter().any(|name| p.message.contains(&format!("`{name}`")))
    };
    let found = problems.split_off(parsed);
    problems.extend(found.into_iter().filter(|p| !follows(p)));
    match problems.is_empty() {
        true => Ok(loaded),
        false => Err(problems),
    }
}
