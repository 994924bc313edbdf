//! Preprocessed C text → tokens with positions in the files the user wrote.
//!
//! `cc -E` leaves line markers (`# 12 "file.c"`); they are followed here, so nothing behind this
//! file knows about preprocessing. `#pragma` lines become tokens of their own.

use lineal_model::{Diagnostic, Place};
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

/// A position in a source file: file number, line, column, length.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Pos {
    pub file: u16,
    pub len: u16,
    pub line: u32,
    pub column: u32,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Tok {
    Ident(Rc<str>),
    /// Value, suffix has `u`, number of `l`s, was written in decimal.
    Int {
        value: u64,
        unsigned: bool,
        longs: u8,
        decimal: bool,
    },
    Float(Rc<str>),
    Char(i32),
    /// Bytes without the closing NUL.
    Str(Rc<[u8]>),
    Punct(&'static str),
    Pragma(Rc<str>),
    End,
}

#[derive(Clone, Debug)]
pub struct Token {
    pub tok: Tok,
    pub pos: Pos,
}

/// The names of the files that positions refer to.
#[derive(Clone, Debug, Default)]
pub struct Files {
    names: Vec<Arc<str>>,
    index: HashMap<String, u16>,
}

impl Files {
    pub fn intern(&mut self, name: &str) -> u16 {
        if let Some(&i) = self.index.get(name) {
            return i;
        }
        let i = self.names.len().min(u16::MAX as usize) as u16;
        self.names.push(name.into());
        self.index.insert(name.into(), i);
        i
    }

    pub fn place(&self, pos: Pos) -> Place {
        let name = self.names.get(pos.file as usize).cloned().unwrap_or_else(|| "?".into());
        Place { width: u32::from(pos.len), ..Place::new(name, pos.line, pos.column) }
    }
}

const PUNCTUATORS: &[&str] = &[
    "...", "<<=", ">>=", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "*=", "/=", "%=",
    "+=", "-=", "&=", "^=", "|=", "##", "[", "]", "(", ")", "{", "}", ".", "&", "*", "+", "-", "~", "!", "/",
    "%", "<", ">", "^", "|", "?", ":", ";", "=", ",", "#",
];

/// Tokens of one unit. Characters that are no C become diagnostics and are skipped.
pub fn lex(name: &str, text: &str, files: &mut Files, diagnostics: &mut Vec<Diagnostic>) -> Vec<Token> {
    let mut lexer = Lexer {
        text: text.as_bytes(),
        at: 0,
        line_start: 0,
        pos: Pos { file: files.intern(name), len: 0, line: 1, column: 1 },
        files,
        diagnostics,
        names: HashMap::new(),
    };
    let mut tokens = Vec::new();
    while let Some(token) = lexer.next() {
        match (tokens.last_mut(), &token.tok) {
            // Adjacent string literals are one.
            (Some(Token { tok: Tok::Str(a), .. }), Tok::Str(b)) => {
                *a = a.iter().chain(b.iter()).copied().collect()
            }
            _ => tokens.push(token),
        }
    }
    tokens.push(Token { tok: Tok::End, pos: lexer.here(0) });
    tokens
}

struct Lexer<'a> {
    text: &'a [u8],
    at: usize,
    line_start: usize,
    pos: Pos,
    files: &'a mut Files,
    diagnostics: &'a mut Vec<Diagnostic>,
    names: HashMap<&'a [u8], Rc<str>>,
}

impl<'a> Lexer<'a> {
    fn peek(&self, ahead: usize) -> u8 {
        self.text.get(self.at + ahead).copied().unwrap_or(0)
    }

    fn here(&self, len: usize) -> Pos {
        let column = (self.at - self.line_start + 1).min(u32::MAX as usize) as u32;
        Pos { column, len: len.min(u16::MAX as usize) as u16, ..self.pos }
    }

    fn error(&mut self, message: impl Into<String>) {
        if self.diagnostics.len() < 50 {
            let place = self.files.place(self.here(1));
            self.diagnostics.push(Diagnostic::error("L0109", message).at(place));
        }
    }

    fn newline(&mut self) {
        self.at += 1;
        self.pos.line = self.pos.line.saturating_add(1);
        self.line_start = self.at;
    }

    fn next(&mut self) -> Option<Token> {
        loop {
            match self.peek(0) {
                0 if self.at >= self.text.len() => return None,
                b'\n' => self.newline(),
                b' ' | b'\t' | b'\r' | 0x0b | 0x0c => self.at += 1,
                b'\\' if self.peek(1) == b'\n' => {
                    self.at += 1;
                    self.newline();
                }
                b'#' if self.text[self.line_start..self.at].iter().all(|b| b.is_ascii_whitespace()) => {
                    if let Some(token) = self.directive() {
                        return Some(token);
                    }
                }
                b'/' if self.peek(1) == b'/' => self.skip_line(),
                b'/' if self.peek(1) == b'*' => {
                    self.at += 2;
                    while self.at < self.text.len() && !(self.peek(0) == b'*' && self.peek(1) == b'/') {
                        if self.peek(0) == b'\n' { self.newline() } else { self.at += 1 }
                    }
                    self.at = (self.at + 2).min(self.text.len());
                }
                _ => {
                    if let Some(token) = self.token() {
                        return Some(token);
                    }
                }
            }
        }
    }

    fn skip_line(&mut self) {
        while self.at < self.text.len() && self.peek(0) != b'\n' {
            self.at += 1;
        }
    }

    /// A line marker moves the position; a pragma is a token; the rest is ignored.
    fn directive(&mut self) -> Option<Token> {
        let pos = self.here(1);
        let start = self.at + 1;
        self.skip_line();
        let line = String::from_utf8_lossy(&self.text[start..self.at]).into_owned();
        let body = line.trim();
        if let Some(pragma) = body.strip_prefix("pragma") {
            return Some(Token { tok: Tok::Pragma(pragma.trim().into()), pos });
        }
        let body = body.strip_prefix("line").unwrap_or(body).trim_start();
        let digits = body.find(|c: char| !c.is_ascii_digit()).unwrap_or(body.len());
        if let Ok(number) = body[..digits].parse::<u32>() {
            if let Some((name, _)) =
                body[digits..].trim_start().strip_prefix('"').and_then(|r| r.split_once('"'))
            {
                self.pos.file = self.files.intern(name);
            }
            // The newline still to come adds one.
            self.pos.line = number.saturating_sub(1);
        }
        None
    }

    fn token(&mut self) -> Option<Token> {
        let start = self.at;
        let pos = self.here(0);
        let first = self.peek(0);
        let prefixed = if matches!(first, b'L' | b'u' | b'U') { self.prefixed() } else { None };
        let tok = match first {
            _ if prefixed.is_some() => prefixed.expect("just seen"),
            b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'$' => {
                while matches!(self.peek(0), b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'0'..=b'9' | b'$') {
                    self.at += 1;
                }
                let text = &self.text[start..self.at];
                let name = self.names.entry(text).or_insert_with(|| String::from_utf8_lossy(text).into());
                Tok::Ident(name.clone())
            }
            b'0'..=b'9' => self.number(),
            b'.' if self.peek(1).is_ascii_digit() => self.number(),
            b'"' => Tok::Str(self.quoted(b'"').into()),
            b'\'' => {
                let bytes = self.quoted(b'\'');
                if bytes.is_empty() {
                    self.error("empty character constant");
                }
                let wide = bytes.iter().fold(0i32, |n, &b| n.wrapping_shl(8) | i32::from(b));
                Tok::Char(if bytes.len() == 1 { i32::from(bytes[0] as i8) } else { wide })
            }
            _ => match PUNCTUATORS.iter().find(|p| self.text[self.at..].starts_with(p.as_bytes())) {
                Some(p) => {
                    self.at += p.len();
                    Tok::Punct(p)
                }
                None => {
                    let shown =
                        String::from_utf8_lossy(&self.text[self.at..(self.at + 4).min(self.text.len())])
                            .chars()
                            .next()
                            .unwrap_or('?');
                    self.error(format!("the character {shown:?} is not C"));
                    // Skip the whole run, so that a binary file gives one message a line.
                    while self.at < self.text.len() && !self.peek(0).is_ascii_whitespace() {
                        self.at += 1;
                    }
                    return None;
                }
            },
        };
        let len = (self.at - start).min(u16::MAX as usize) as u16;
        Some(Token { tok, pos: Pos { len, ..pos } })
    }

    /// Prefixed literals: `u8""` is plain, wide characters are numbers, wide strings are refused.
    /// Leaves the position at the quote.
    fn prefixed(&mut self) -> Option<Tok> {
        let skip = if self.text[self.at..].starts_with(b"u8\"") { 2 } else { 1 };
        let prefix = self.peek(0);
        match (self.peek(skip), skip) {
            (b'"', 2) => {
                self.at += 2;
                Some(Tok::Str(self.quoted(b'"').into()))
            }
            (b'"', _) => {
                self.error("wide strings are not modelled");
                self.at += 1;
                Some(Tok::Str(self.quoted(b'"').into()))
            }
            (b'\'', 1) => {
                self.at += 1;
                let bytes = self.quoted(b'\'');
                let code = match std::str::from_utf8(&bytes).ok().and_then(|s| s.chars().next()) {
                    Some(c) => u64::from(u32::from(c)),
                    None => u64::from(bytes.first().copied().unwrap_or(0)),
                };
                Some(match prefix {
                    b'L' => Tok::Char(code as i32),
                    _ => Tok::Int { value: code, unsigned: true, longs: 0, decimal: false },
                })
            }
            _ => None,
        }
    }

    fn number(&mut self) -> Tok {
        let start = self.at;
        let hex = self.peek(0) == b'0' && matches!(self.peek(1), b'x' | b'X');
        let mut float = false;
        loop {
            match self.peek(0) {
                b'.' => float = true,
                b'e' | b'E' if !hex => {
                    float = true;
                    if matches!(self.peek(1), b'+' | b'-') {
                        self.at += 1;
                    }
                }
                b'p' | b'P' if hex => {
                    float = true;
                    if matches!(self.peek(1), b'+' | b'-') {
                        self.at += 1;
                    }
                }
                c if c.is_ascii_alphanumeric() || c == b'_' => {}
                _ => break,
            }
            self.at += 1;
        }
        let text = String::from_utf8_lossy(&self.text[start..self.at]).to_ascii_lowercase();
        if float {
            return Tok::Float(text.as_str().into());
        }
        let start = if hex || text.starts_with("0b") { 2 } else { 0 };
        let is_digit = |c: char| if hex { c.is_ascii_hexdigit() } else { c.is_ascii_digit() };
        let digits_end = text[start..].find(|c| !is_digit(c)).map_or(text.len(), |n| start + n);
        let (digits, suffix) = text.split_at(digits_end);
        let (radix, body) = match digits.get(..2) {
            Some("0x") => (16, &digits[2..]),
            Some("0b") => (2, &digits[2..]),
            _ if digits.len() > 1 && digits.starts_with('0') => (8, &digits[1..]),
            _ => (10, digits),
        };
        if suffix == "f" {
            return Tok::Float(text.as_str().into());
        }
        let unsigned = suffix.contains('u');
        let longs = suffix.matches('l').count() as u8;
        if !matches!(suffix, "" | "u" | "l" | "ll" | "ul" | "lu" | "ull" | "llu") {
            self.error(format!("`{text}` is not a number: unknown suffix `{suffix}`"));
        }
        match u64::from_str_radix(body, radix) {
            Ok(value) => Tok::Int { value, unsigned, longs, decimal: radix == 10 },
            Err(_) => {
                self.error(format!("the constant `{text}` does not fit in 64 bits"));
                Tok::Int { value: 0, unsigned, longs, decimal: true }
            }
        }
    }

    fn quoted(&mut self, quote: u8) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.at += 1;
        loop {
            match self.peek(0) {
                c if c == quote => {
                    self.at += 1;
                    return bytes;
                }
                b'\n' => {
                    self.error("a literal is not closed on its line");
                    return bytes;
                }
                0 if self.at >= self.text.len() => {
                    self.error("a literal is not closed at the end of the file");
                    return bytes;
                }
                b'\\' => {
                    self.at += 1;
                    let byte = self.escape();
                    bytes.extend(byte);
                }
                c => {
                    bytes.push(c);
                    self.at += 1;
                }
            }
        }
    }

    fn escape(&mut self) -> Option<u8> {
        let c = self.peek(0);
        self.at += 1;
        Some(match c {
            b'n' => b'\n',
            b't' => b'\t',
            b'r' => b'\r',
            b'a' => 7,
            b'b' => 8,
            b'f' => 12,
            b'v' => 11,
            b'e' => 27,
            b'0'..=b'7' => {
                let mut value = u32::from(c - b'0');
                for _ in 0..2 {
                    if matches!(self.peek(0), b'0'..=b'7') {
                        value = value * 8 + u32::from(self.peek(0) - b'0');
                        self.at += 1;
                    }
                }
                value as u8
            }
            b'x' => {
                let mut value = 0u32;
                while let Some(digit) = (self.peek(0) as char).to_digit(16) {
                    value = value.wrapping_mul(16).wrapping_add(digit);
                    self.at += 1;
                }
                value as u8
            }
            b'\n' => {
                self.at -= 1;
                self.newline();
                return None;
            }
            _ => c,
        })
    }
}
