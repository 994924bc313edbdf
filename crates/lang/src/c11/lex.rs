//! Preprocessing tokens → tokens of C: what literals are worth, and which characters are no C.

use super::preprocess::{self, Kind, Names};
use lineal_model::program::float::FloatKind;
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

#[derive(Clone, Debug, PartialEq, Hash)]
pub enum Tok {
    Ident(Rc<str>),
    /// Value, suffix has `u`, number of `l`s, was written in decimal.
    Int {
        value: u64,
        unsigned: bool,
        longs: u8,
        decimal: bool,
    },
    /// The bits, in the format that the suffix says; `None`: in one that is not modelled.
    Float(u64, Option<FloatKind>),
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

    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(|name| &**name)
    }

    /// Takes other files in; their numbers here.
    pub fn merge(&mut self, other: &Files) -> Vec<u16> {
        other.names.iter().map(|name| self.intern(name)).collect()
    }

    pub fn place(&self, pos: Pos) -> Place {
        let name = self.names.get(pos.file as usize).cloned().unwrap_or_else(|| "?".into());
        Place { width: u32::from(pos.len), ..Place::new(name, pos.line, pos.column) }
    }
}

/// How many problems with literals are told.
const MOST: usize = 50;

/// Tokens of C. What is none becomes a diagnostic and is left out.
pub fn tokens(
    given: &[preprocess::Token],
    names: &Names,
    files: &Files,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<Token> {
    let mut out: Vec<Token> = Vec::with_capacity(given.len() + 1);
    let mut problem = |pos: Pos, message: String| {
        if diagnostics.len() < MOST {
            diagnostics.push(Diagnostic::error("L0109", message).at(files.place(pos)));
        }
    };
    let mut in_run = false;
    for token in given {
        let text = names.text(token.text);
        let tok = match token.kind {
            Kind::Name => Tok::Ident(text.clone()),
            Kind::Punct => Tok::Punct(token.text.punctuator()),
            Kind::Pragma => Tok::Pragma(text.clone()),
            Kind::Number => number(text).unwrap_or_else(|message| {
                problem(token.pos, message);
                Tok::Int { value: 0, unsigned: false, longs: 0, decimal: true }
            }),
            Kind::Char => character(text).unwrap_or_else(|message| {
                problem(token.pos, message);
                Tok::Char(0)
            }),
            Kind::Str => {
                if matches!(text.as_bytes()[0], b'L' | b'u' | b'U') && !text.starts_with("u8") {
                    problem(token.pos, "wide strings are not modelled".into());
                }
                let bytes = string(text);
                // Adjacent string literals are one.
                if let Some(Token { tok: Tok::Str(before), .. }) = out.last_mut() {
                    *before = before.iter().chain(&bytes).copied().collect();
                    continue;
                }
                Tok::Str(bytes.into())
            }
            Kind::Other | Kind::Header | Kind::Placemarker => {
                // Of a run of such characters the first is told, so that a binary file gives few
                // messages.
                if !in_run || token.space {
                    problem(token.pos, no_token(text));
                }
                in_run = true;
                continue;
            }
        };
        in_run = false;
        out.push(Token { tok, pos: token.pos });
    }
    out
}

fn no_token(text: &str) -> String {
    match text.chars().next() {
        Some(c) if text.contains(['"', '\'']) && (text.len() > 1 || matches!(c, '"' | '\'')) => {
            "a literal is not closed on its line".into()
        }
        c => format!("the character {:?} is not C", c.unwrap_or('?')),
    }
}

/// What a number is worth; an error says what is wrong with it.
pub fn number(text: &str) -> Result<Tok, String> {
    let text = text.to_ascii_lowercase();
    let hex = text.starts_with("0x");
    if text.contains('.') || text.contains(if hex { 'p' } else { 'e' }) {
        return float(&text);
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
    let unsigned = suffix.contains('u');
    let longs = suffix.matches('l').count() as u8;
    if !matches!(suffix, "" | "u" | "l" | "ll" | "ul" | "lu" | "ull" | "llu") {
        return Err(format!("`{text}` is not a number: unknown suffix `{suffix}`"));
    }
    match u64::from_str_radix(body, radix) {
        Ok(value) => Ok(Tok::Int { value, unsigned, longs, decimal: radix == 10 }),
        Err(_) => Err(format!("the constant `{text}` does not fit in 64 bits")),
    }
}

/// What a floating constant is worth: the nearest value of its type.
fn float(text: &str) -> Result<Tok, String> {
    let hex = text.starts_with("0x");
    let (body, suffix) = match text.find(|c: char| !(c.is_ascii_hexdigit() || "x.p+-".contains(c))) {
        Some(end) => text.split_at(end),
        None if !hex && text.ends_with('f') => text.split_at(text.len() - 1),
        None if hex && text.ends_with('f') && text.contains('p') => text.split_at(text.len() - 1),
        None => (text, ""),
    };
    let wrong = || format!("`{text}` is not a number");
    let (kind, bits) = match suffix {
        "f" if hex => (Some(FloatKind::Single), hexadecimal(body, FloatKind::Single)),
        "" if hex => (Some(FloatKind::Double), hexadecimal(body, FloatKind::Double)),
        "f" | "f32" => (Some(FloatKind::Single), body.parse::<f32>().ok().map(|x| u64::from(x.to_bits()))),
        "" | "f64" => (Some(FloatKind::Double), body.parse::<f64>().ok().map(f64::to_bits)),
        "l" | "f128" | "q" | "w" | "i" | "j" | "fi" | "fj" => (None, Some(0)),
        _ => return Err(format!("`{text}` is not a number: unknown suffix `{suffix}`")),
    };
    bits.map(|bits| Tok::Float(bits, kind)).ok_or_else(wrong)
}

/// `0x1.8p3`. Digits beyond the precision are refused rather than rounded.
fn hexadecimal(text: &str, kind: FloatKind) -> Option<u64> {
    let (digits, exponent) = text.strip_prefix("0x")?.split_once('p')?;
    let (whole, part) = digits.split_once('.').unwrap_or((digits, ""));
    let all = format!("{whole}{part}");
    let mantissa = u64::from_str_radix(all.trim_start_matches('0'), 16).ok();
    let mantissa = if all.bytes().all(|b| b == b'0') && !all.is_empty() { 0 } else { mantissa? };
    let exponent = exponent.parse::<i32>().ok()?.checked_sub(4 * part.len() as i32)?;
    if mantissa == 0 {
        return Some(0);
    }
    let bits = 64 - mantissa.leading_zeros() - mantissa.trailing_zeros();
    let (most, low, high) = match kind {
        FloatKind::Single => (24, -126, 128),
        FloatKind::Double => (53, -1022, 1024),
    };
    let top = exponent.checked_add(64 - mantissa.leading_zeros() as i32)?;
    if bits > most || top <= low || top > high {
        return None;
    }
    // Exact: the mantissa fits, and the result is a normal number.
    Some(kind.bits(mantissa as f64 * 2f64.powi(exponent / 2) * 2f64.powi(exponent - exponent / 2)))
}

/// What a character constant is worth. Wide characters are numbers.
pub fn character(text: &str) -> Result<Tok, String> {
    let bytes = quoted(text);
    if bytes.is_empty() {
        return Err("empty character constant".into());
    }
    let prefix = text.as_bytes()[0];
    if prefix != b'\'' {
        let code = match std::str::from_utf8(&bytes).ok().and_then(|s| s.chars().next()) {
            Some(c) => u64::from(u32::from(c)),
            None => u64::from(bytes[0]),
        };
        return Ok(match prefix {
            b'L' => Tok::Char(code as i32),
            _ => Tok::Int { value: code, unsigned: true, longs: 0, decimal: false },
        });
    }
    let wide = bytes.iter().fold(0i32, |n, &b| n.wrapping_shl(8) | i32::from(b));
    Ok(Tok::Char(if bytes.len() == 1 { i32::from(bytes[0] as i8) } else { wide }))
}

/// The bytes of a string, without the closing NUL.
pub fn string(text: &str) -> Vec<u8> {
    quoted(text)
}

/// What is between the quotes, behind any prefix.
fn quoted(text: &str) -> Vec<u8> {
    let text = text.as_bytes();
    let open = text.iter().position(|b| matches!(b, b'"' | b'\'')).map_or(text.len(), |at| at + 1);
    let mut inner = &text[open..text.len().saturating_sub(1).max(open)];
    let mut bytes = Vec::with_capacity(inner.len());
    while let Some((&byte, rest)) = inner.split_first() {
        inner = rest;
        bytes.push(if byte == b'\\' { escape(&mut inner) } else { byte });
    }
    bytes
}

/// What stands behind a backslash.
fn escape(text: &mut &[u8]) -> u8 {
    let Some((&c, rest)) = text.split_first() else { return b'\\' };
    *text = rest;
    match c {
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
                if let Some((&digit @ b'0'..=b'7', rest)) = text.split_first() {
                    value = value * 8 + u32::from(digit - b'0');
                    *text = rest;
                }
            }
            value as u8
        }
        b'x' => {
            let mut value = 0u32;
            while let Some(digit) = text.first().and_then(|b| char::from(*b).to_digit(16)) {
                value = value.wrapping_mul(16).wrapping_add(digit);
                *text = &text[1..];
            }
            value as u8
        }
        _ => c,
    }
}
