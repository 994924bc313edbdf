//! `#pragma lineal …`: every line there is, read once.
//!
//! What the lines come to is for [`super::object`] (a concurrent object to be checked) and
//! [`super::spec`] (a type for logs) to say; both go through all sorts of [`Line`], so a new one
//! cannot be forgotten by either.

mod form;
pub mod race;

pub use form::{Form, call, cut, is_name, mentions, occurrences, parts};

use super::lex::{Files, Tok, Token};
use crate::quasi::{Stated, stated};
use form::form;
use lineal_model::Place;

/// One line, and where it is.
#[derive(Clone, Debug)]
pub struct Pragma {
    pub line: Line,
    pub at: Place,
}

#[derive(Clone, Debug)]
pub enum Line {
    /// `queue level=RI args=independent`: the type, and the rest.
    Object(String, String),
    /// C that is run once before everything, per thread, at the end, before the specification.
    Init(String),
    ThreadInit(String),
    Fini(String),
    SpecInit(String),
    /// An operation, or what is wrong with its form.
    Op(Result<Form, String>),
    /// What an operation is specified by.
    Spec(Result<Form, String>),
    /// `producer: enqueue max=1`.
    Role(String),
    /// By how much operations may be out of order.
    Quasi(Result<Stated, String>),
    /// What is said about threads.
    Threads(String),
    Values(Domain),
    /// Of logs: operations that change nothing.
    ReadOnly(Vec<String>),
    /// Of logs: what is said about keys.
    Keys(String),
    /// The next statement is a linearization point.
    Point,
    /// Races of the line below are set aside, if the word is `ok`.
    Race(String),
    /// What is said about its steps, for proofs; whether it is to be taken for granted.
    Fact(bool, String),
    /// Out of place: a level belongs to the object.
    Level,
    Unknown(String),
}

#[derive(Clone, Debug)]
pub enum Domain {
    /// Numbers to draw from, both ends included; `None` if the text is no range.
    Range(Option<(i64, i64)>, String),
    /// Of logs: values are `long long`.
    Wide,
}

impl Line {
    pub(super) fn read(word: &str, rest: &str) -> Self {
        let code = || rest.trim_end_matches(';').trim().to_string();
        match word {
            "object" => {
                let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
                Line::Object(rest[..end].into(), rest[end..].trim().into())
            }
            "init" => Line::Init(code()),
            "thread_init" => Line::ThreadInit(code()),
            "fini" => Line::Fini(code()),
            "spec_init" => Line::SpecInit(code()),
            "op" => Line::Op(form(rest)),
            "spec" => Line::Spec(form(rest)),
            "role" => Line::Role(rest.into()),
            "quasi" => Line::Quasi(stated(rest)),
            "threads" => Line::Threads(rest.into()),
            "values" if ["long", "long long"].contains(&rest) => Line::Values(Domain::Wide),
            "values" => {
                let ends = rest.split_once("..").map(|(a, b)| (a.trim().parse(), b.trim().parse()));
                let range = match ends {
                    Some((Ok(low), Ok(high))) => Some((low, high)),
                    _ => None,
                };
                Line::Values(Domain::Range(range, rest.into()))
            }
            "read_only" => Line::ReadOnly(rest.split(',').map(|name| name.trim().into()).collect()),
            "keys" => Line::Keys(rest.into()),
            "point" => Line::Point,
            "race" => Line::Race(rest.into()),
            "lemma" | "axiom" => Line::Fact(word == "axiom", rest.into()),
            "level" => Line::Level,
            other => Line::Unknown(other.into()),
        }
    }
}

/// The lines of a file, in order.
pub fn pragmas(tokens: &[Token], files: &Files) -> Vec<Pragma> {
    let read = |token: &Token| {
        let Tok::Pragma(text) = &token.tok else { return None };
        let text = text.trim_start();
        let ours = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next()?;
        // However it is spelled: a line that is meant for us and not read would pass in silence.
        let line = text[ours.len()..].trim();
        let line = Some(line).filter(|_| ours.eq_ignore_ascii_case("lineal"))?;
        let end = line.find(char::is_whitespace).unwrap_or(line.len());
        Some(Pragma { line: Line::read(&line[..end], line[end..].trim()), at: files.place(token.pos) })
    };
    tokens.iter().filter_map(read).collect()
}
