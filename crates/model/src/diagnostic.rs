//! Wrong input is data: a [`Diagnostic`] says what is wrong, where, and what to do next.

use serde::Serialize;
use std::sync::Arc;

/// A position in a source text, as a person would name it. Lines and columns count from 1.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
pub struct Place {
    pub file: Arc<str>,
    pub line: u32,
    #[serde(skip_serializing_if = "is_zero")]
    pub column: u32,
    /// How many characters are meant, for underlining; 0 where nobody knows.
    #[serde(skip)]
    pub width: u32,
}

fn is_zero(n: &u32) -> bool {
    *n == 0
}

impl Place {
    pub fn new(file: impl Into<Arc<str>>, line: u32, column: u32) -> Self {
        Place { file: file.into(), line, column, width: 0 }
    }

    pub fn line(file: impl Into<Arc<str>>, line: u32) -> Self {
        Place::new(file, line, 0)
    }
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.file, self.line)?;
        if self.column > 0 {
            write!(f, ":{}", self.column)?;
        }
        Ok(())
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    Error,
    Warning,
}

/// `L00xx` files, flags and preprocessing, `L01xx` C, `L02xx` CSP#, `L03xx` histories.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Diagnostic {
    pub code: &'static str,
    pub severity: Severity,
    pub message: String,
    pub at: Option<Place>,
    /// Further places or facts, each a sentence.
    pub notes: Vec<Note>,
    /// What to do next.
    pub help: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Note {
    pub message: String,
    pub at: Option<Place>,
}

impl Diagnostic {
    pub fn error(code: &'static str, message: impl Into<String>) -> Self {
        Diagnostic {
            code,
            severity: Severity::Error,
            message: message.into(),
            at: None,
            notes: Vec::new(),
            help: None,
        }
    }

    pub fn warning(code: &'static str, message: impl Into<String>) -> Self {
        Diagnostic { severity: Severity::Warning, ..Diagnostic::error(code, message) }
    }

    pub fn at(mut self, place: Place) -> Self {
        self.at = Some(place);
        self
    }

    pub fn note(mut self, message: impl Into<String>, at: Option<Place>) -> Self {
        self.notes.push(Note { message: message.into(), at });
        self
    }

    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}
