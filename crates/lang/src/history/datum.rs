//! Reads EDN and JSON: maps one after another, or within one `[…]` or `(…)`.
//!
//! The two differ little for our purpose: EDN has keywords, comments, tags and takes commas for
//! blanks; JSON has colons after keys. Values of fields nobody asks for are skipped unread.

use super::record::{Datum, Record};
use super::recorder::Recorder;
use super::scalar::{Stop, decimal, unescape};
use super::source::{Source, newlines};
use super::value::value_of;
use lineal_model::Diagnostic;
use lineal_model::history::Value;
use rustc_hash::FxHashSet;
use std::borrow::Cow;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Syntax {
    Edn,
    Json,
}

pub fn read(source: &mut Source, syntax: Syntax, recorder: &mut Recorder) {
    while !recorder.is_full() {
        let mut reader = Reader { text: source.rest(), at: 0, lines: 0, syntax };
        let found = reader.between();
        let (bytes, lines) = (reader.at, reader.lines);
        source.advance(bytes, lines);
        if found.is_none() {
            if source.has_ended() {
                return;
            }
            if let Err(problem) = source.fill() {
                return recorder.problem(problem);
            }
            continue;
        }
        let line = source.line();
        let mut reader = Reader { text: source.rest(), at: 0, lines: 0, syntax };
        match reader.record(line) {
            Ok(record) => {
                recorder.record(&record);
                let (bytes, lines) = (reader.at, reader.lines);
                source.advance(bytes, lines);
            }
            Err(Stop::Incomplete) if !source.has_ended() => {
                if let Err(problem) = source.fill() {
                    return recorder.problem(problem);
                }
            }
            Err(Stop::Incomplete) => {
                return recorder.problem_at("L0302", line, "the file ends inside this record");
            }
            Err(Stop::Bad(why)) => {
                let line = line + reader.lines;
                recorder.problem_at("L0302", line, &why);
                // On with the next line.
                let rest = source.rest();
                let skip = rest.iter().position(|&b| b == b'\n');
                let bytes = skip.map_or(rest.len(), |n| n + 1);
                let lines = newlines(&rest[..bytes]);
                source.advance(bytes, lines);
            }
        }
    }
}

struct Reader<'a> {
    text: &'a [u8],
    at: usize,
    /// Line ends passed.
    lines: u32,
    syntax: Syntax,
}

impl<'a> Reader<'a> {
    /// Skips to the next record. `None`: there is none in the window.
    fn between(&mut self) -> Option<()> {
        loop {
            self.blank();
            match *self.text.get(self.at)? {
                // Brackets around all records; a dangling colon or comma is caught by the record.
                b'[' | b'(' | b']' | b')' | b',' => self.at += 1,
                _ => return Some(()),
            }
        }
    }

    fn record(&mut self, line: u32) -> Result<Record<'a>, Stop> {
        let mut record = Record::new(line);
        if self.tag()? {
            return Err(Stop::Bad("expected a map, found a set".into()));
        }
        match self.peek()? {
            b'{' => self.at += 1,
            other => return Err(Stop::Bad(format!("expected a map, found `{}`", char::from(other)))),
        }
        loop {
            self.blank_or_comma();
            if self.peek()? == b'}' {
                self.at += 1;
                return Ok(record);
            }
            let name = self.name()?;
            self.blank();
            if self.syntax == Syntax::Json {
                if self.peek()? != b':' {
                    return Err(Stop::Bad("expected `:` after a key".into()));
                }
                self.at += 1;
                self.blank();
            }
            match record.field(name) {
                Some(field) if !field.is_absent() => {
                    return Err(Stop::Bad(format!("`{}` is given twice", String::from_utf8_lossy(name))));
                }
                Some(field) => *field = self.value(0)?,
                None => self.skip(0)?,
            }
        }
    }

    /// A key: a keyword or a string, without its marks.
    fn name(&mut self) -> Result<&'a [u8], Stop> {
        match self.peek()? {
            b':' if self.syntax == Syntax::Edn => {
                self.at += 1;
                self.token()
            }
            b'"' => {
                let from = self.at + 1;
                self.skip_string()?;
                Ok(&self.text[from..self.at - 1])
            }
            other => Err(Stop::Bad(format!("expected a key, found `{}`", char::from(other)))),
        }
    }

    fn value(&mut self, depth: usize) -> Result<Datum<'a>, Stop> {
        if self.tag()? {
            return self.set(depth);
        }
        match self.peek()? {
            b'"' => self.string().map(Datum::Text),
            b'-' | b'+' | b'0'..=b'9' => self.number(),
            b'[' | b'(' => self.sequence(depth),
            b'{' => self.map(depth),
            b':' => {
                self.at += 1;
                Ok(Datum::Word(text(self.token()?)?))
            }
            b'}' | b']' | b')' => Err(Stop::Bad("a value is missing".into())),
            _ => Ok(match text(self.token()?)? {
                "nil" | "null" => Datum::Nil,
                "true" => Datum::Bool(true),
                "false" => Datum::Bool(false),
                word => Datum::Word(word),
            }),
        }
    }

    fn sequence(&mut self, depth: usize) -> Result<Datum<'a>, Stop> {
        let end = if self.text[self.at] == b'[' { b']' } else { b')' };
        self.items(end, depth).map(Datum::Sequence)
    }

    fn set(&mut self, depth: usize) -> Result<Datum<'a>, Stop> {
        let items: Vec<Value> = self.items(b'}', depth)?.iter().map(value_of).collect();
        let mut seen = FxHashSet::default();
        match items.iter().find(|item| !seen.insert(*item)) {
            Some(twice) => Err(Stop::Bad(format!("{twice} is in the set twice"))),
            None => Ok(Datum::Made(Value::set(items))),
        }
    }

    /// What stands between here, at an opening bracket, and its end.
    fn items(&mut self, end: u8, depth: usize) -> Result<Vec<Datum<'a>>, Stop> {
        self.at += 1;
        let mut items = Vec::new();
        loop {
            self.blank_or_comma();
            if self.peek()? == end {
                self.at += 1;
                return Ok(items);
            }
            deeper(depth)?;
            items.push(self.value(depth + 1)?);
        }
    }

    /// A map as a value. In JSON, an object whose only key is [`ESCAPE`] is the EDN value spelled in
    /// it: that is how values that JSON lacks are written there.
    fn map(&mut self, depth: usize) -> Result<Datum<'a>, Stop> {
        self.at += 1;
        let mut entries = Vec::new();
        loop {
            self.blank_or_comma();
            if self.peek()? == b'}' {
                self.at += 1;
                break;
            }
            deeper(depth)?;
            let key = value_of(&self.value(depth + 1)?);
            self.blank_or_comma();
            match (self.syntax, self.peek()?) {
                (Syntax::Json, b':') => {
                    self.at += 1;
                    self.blank();
                }
                (Syntax::Json, _) => return Err(Stop::Bad("expected `:` after a key".into())),
                (Syntax::Edn, b'}') => return Err(Stop::Bad("a key without a value".into())),
                (Syntax::Edn, _) => {}
            }
            entries.push((key, value_of(&self.value(depth + 1)?)));
        }
        if let [(Value::Text(key), Value::Text(inside))] = &entries[..]
            && self.syntax == Syntax::Json
            && **key == *ESCAPE
        {
            return edn(inside).map(Datum::Made).ok_or_else(|| Stop::Bad(format!("`{inside}` is no EDN")));
        }
        Value::map(entries).map(Datum::Made).ok_or_else(|| Stop::Bad("a key is there twice".into()))
    }

    fn number(&mut self) -> Result<Datum<'a>, Stop> {
        let token = self.token()?;
        let digits = token.strip_prefix(b"-").or(token.strip_prefix(b"+")).unwrap_or(token);
        if digits.is_empty() {
            return Ok(Datum::Word(text(token)?));
        }
        let mut n: i64 = 0;
        for &d in digits {
            if !d.is_ascii_digit() {
                return decimal(text(token)?);
            }
            match n.checked_mul(10).and_then(|n| n.checked_sub(i64::from(d - b'0'))) {
                Some(next) => n = next,
                None => return decimal(text(token)?),
            }
        }
        if token[0] == b'-' {
            return Ok(Datum::Int(n));
        }
        n.checked_neg().map(Datum::Int).map_or_else(|| decimal(text(token)?), Ok)
    }

    fn string(&mut self) -> Result<Cow<'a, str>, Stop> {
        let from = self.at + 1;
        let plain = self.skip_string()?;
        let inside = &self.text[from..self.at - 1];
        if plain {
            return text(inside).map(Cow::Borrowed);
        }
        unescape(text(inside)?).map(Cow::Owned)
    }

    /// Passes a string; says whether it has no escapes.
    fn skip_string(&mut self) -> Result<bool, Stop> {
        let mut plain = true;
        let mut i = self.at + 1;
        loop {
            match self.text.get(i) {
                None => return Err(Stop::Incomplete),
                Some(b'"') => break,
                Some(b'\\') => {
                    plain = false;
                    i += 2;
                }
                Some(b'\n') => {
                    self.lines += 1;
                    i += 1;
                }
                Some(_) => i += 1,
            }
        }
        self.at = i + 1;
        Ok(plain)
    }

    /// Passes any value.
    fn skip(&mut self, depth: usize) -> Result<(), Stop> {
        self.tag()?;
        match self.peek()? {
            b'"' => self.skip_string().map(drop),
            open @ (b'[' | b'(' | b'{') => {
                let end = match open {
                    b'[' => b']',
                    b'(' => b')',
                    _ => b'}',
                };
                self.at += 1;
                loop {
                    self.blank_or_comma();
                    let next = self.peek()?;
                    if next == end {
                        self.at += 1;
                        return Ok(());
                    }
                    if next == b':' && self.syntax == Syntax::Json {
                        self.at += 1;
                        continue;
                    }
                    deeper(depth)?;
                    self.skip(depth + 1)?;
                }
            }
            b'}' | b']' | b')' => Err(Stop::Bad("a value is missing".into())),
            b':' => {
                self.at += 1;
                self.token().map(drop)
            }
            _ => self.token().map(drop),
        }
    }

    /// Characters up to a delimiter. The window's end is none: the token may go on.
    fn token(&mut self) -> Result<&'a [u8], Stop> {
        let from = self.at;
        let ends = |b: &u8| {
            matches!(
                b,
                b' ' | b',' | b'\n' | b'\r' | b'\t' | b'}' | b']' | b')' | b'{' | b'[' | b'(' | b'"' | b';'
            )
        };
        match self.text[from..].iter().position(ends) {
            Some(0) => Err(Stop::Bad(format!("unexpected `{}`", char::from(self.text[from])))),
            Some(n) => {
                self.at += n;
                Ok(&self.text[from..self.at])
            }
            None => Err(Stop::Incomplete),
        }
    }

    /// Passes an EDN tag such as `#jepsen.history.Op`, whose value is read as it stands, and what
    /// `#_` says to leave out. Says whether a set begins here.
    fn tag(&mut self) -> Result<bool, Stop> {
        while self.peek()? == b'#' && self.syntax == Syntax::Edn {
            self.at += 1;
            match self.peek()? {
                b'{' => return Ok(true),
                b'_' => {
                    self.at += 1;
                    self.blank_or_comma();
                    self.skip(0)?;
                }
                b'#' => return Err(Stop::Bad("numbers that are none (##NaN, ##Inf) are not read".into())),
                _ => drop(self.token()?),
            }
            self.blank_or_comma();
        }
        Ok(false)
    }

    fn peek(&self) -> Result<u8, Stop> {
        self.text.get(self.at).copied().ok_or(Stop::Incomplete)
    }

    fn blank(&mut self) {
        while let Some(&b) = self.text.get(self.at) {
            match b {
                b' ' | b'\t' | b'\r' => self.at += 1,
                b'\n' => {
                    self.at += 1;
                    self.lines += 1;
                }
                b';' if self.syntax == Syntax::Edn => {
                    match self.text[self.at..].iter().position(|&b| b == b'\n') {
                        Some(n) => self.at += n,
                        None => self.at = self.text.len(),
                    }
                }
                _ => return,
            }
        }
    }

    fn blank_or_comma(&mut self) {
        loop {
            self.blank();
            match self.text.get(self.at) {
                Some(b',') => self.at += 1,
                _ => return,
            }
        }
    }
}

fn deeper(depth: usize) -> Result<(), Stop> {
    if depth < 100 { Ok(()) } else { Err(Stop::Bad("brackets are nested more than 100 deep".into())) }
}

fn text(bytes: &[u8]) -> Result<&str, Stop> {
    std::str::from_utf8(bytes).map_err(|_| Stop::Bad("text that is not UTF-8".into()))
}

/// Marks a value that JSON has no form for.
pub const ESCAPE: &str = "#edn";

/// The one value that an EDN text consists of.
fn edn(text: &str) -> Option<Value> {
    // The window's end is no end of a token.
    let text = format!("{text}\n");
    let mut reader = Reader { text: text.as_bytes(), at: 0, lines: 0, syntax: Syntax::Edn };
    reader.blank();
    let value = value_of(&reader.value(0).ok()?);
    reader.blank();
    (reader.at == text.len()).then_some(value)
}

/// One value by itself, such as an initial value given on the command line.
pub fn single(text: &str) -> Result<Datum<'_>, Diagnostic> {
    let bad = || Diagnostic::error("L0307", format!("`{text}` is no value of a log"));
    // The window's end ends a token here.
    let token_end = text.trim_end();
    if token_end.is_empty() {
        return Err(bad());
    }
    match token_end {
        "nil" | "null" => return Ok(Datum::Nil),
        "true" => return Ok(Datum::Bool(true)),
        "false" => return Ok(Datum::Bool(false)),
        _ => {}
    }
    if let Ok(n) = token_end.parse::<i64>() {
        return Ok(Datum::Int(n));
    }
    if token_end.starts_with('"') {
        let mut reader = Reader { text: token_end.as_bytes(), at: 0, lines: 0, syntax: Syntax::Json };
        return match reader.string() {
            Ok(t) if reader.at == token_end.len() => Ok(Datum::Text(t)),
            _ => Err(bad()),
        };
    }
    let bracketed = token_end.starts_with(['[', '(', '{', '#']);
    if bracketed || token_end.starts_with(|c: char| c.is_ascii_digit() || c == '-' || c == '+') {
        match edn(token_end) {
            Some(value) => return Ok(Datum::Made(value)),
            None if bracketed => return Err(bad()),
            // A word that begins like a number.
            None => {}
        }
    }
    match token_end.strip_prefix(':') {
        Some(word) => Ok(Datum::Word(word)),
        None => Ok(Datum::Text(Cow::Borrowed(token_end))),
    }
}
