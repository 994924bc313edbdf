//! Which format a log is in, from its first record.

use super::Format;
use lineal_model::{Diagnostic, Flags, Knob, Place};

/// Looks at the beginning of a log. `None`: nothing we know.
pub fn detect(start: &[u8]) -> Option<Format> {
    let mut rest = start;
    loop {
        rest = rest.trim_ascii_start();
        match *rest.first()? {
            b';' => rest = &rest[rest.iter().position(|&b| b == b'\n')?..],
            b'[' | b'(' | b',' => rest = &rest[1..],
            b'#' => return Some(edn(rest)),
            b'{' => {
                return match rest[1..].trim_ascii_start().first() {
                    Some(b'"') => Some(json(rest)),
                    _ => Some(edn(rest)),
                };
            }
            _ => break,
        }
    }
    let line = rest.split(|&b| b == b'\n').next().unwrap_or(rest);
    let words: Vec<&[u8]> = line.split(|b| b.is_ascii_whitespace()).filter(|w| !w.is_empty()).collect();
    let event = |w: &[u8]| [&b":invoke"[..], b":ok", b":fail", b":info"].contains(&w);
    (words.first() == Some(&&b"INFO"[..]) || words.iter().any(|w| event(w))).then_some(Format::Etcd)
}

/// Logs published as kv have texts for keys; where such a log has a nil in it after all, it is
/// taken for EDN once that is read.
fn edn(rest: &[u8]) -> Format {
    let (_, own) = first_record(rest);
    let key = find(&own, b":key").map(|at| own[at + 4..].trim_ascii_start());
    if key.is_some_and(|k| k.starts_with(b"\"")) { Format::Kv } else { Format::Edn }
}

fn json(rest: &[u8]) -> Format {
    let (record, _) = first_record(rest);
    if contains(record, b"\"txn\"") { Format::Elle } else { Format::JsonLines }
}

/// The first record about an operation, and what of it is neither in a text nor in a map inside: one
/// may come before that says where the object starts.
fn first_record(rest: &[u8]) -> (&[u8], Vec<u8>) {
    let mut from = rest;
    loop {
        let (end, own) = record(from);
        if contains(&from[..end], b"process") || end == from.len() {
            return (&from[..end], own);
        }
        from = &from[end..];
    }
}

/// Where the first record ends, and what is its own.
fn record(text: &[u8]) -> (usize, Vec<u8>) {
    let (mut depth, mut quoted, mut escaped) = (0, false, false);
    let mut own = Vec::new();
    for (i, &b) in text.iter().enumerate() {
        let inside = quoted;
        match b {
            _ if escaped => escaped = false,
            b'\\' if quoted => escaped = true,
            b'"' => quoted = !quoted,
            b'{' if !quoted => depth += 1,
            b'}' if !quoted => depth -= 1,
            _ => {}
        }
        if depth == 1 && (!inside || !quoted) {
            own.push(b);
        }
        if depth <= 0 && b == b'}' && !quoted {
            return (i + 1, own);
        }
    }
    (text.len(), own)
}

fn contains(text: &[u8], word: &[u8]) -> bool {
    find(text, word).is_some()
}

fn find(text: &[u8], word: &[u8]) -> Option<usize> {
    text.windows(word.len()).position(|w| w == word)
}

pub fn unknown(file: &str, start: &[u8], flags: Flags) -> Diagnostic {
    if start.trim_ascii().is_empty() {
        return super::recorder::empty(file);
    }
    let known = Format::ALL.map(Format::word).join("|");
    Diagnostic::error("L0301", "cannot tell the format of this log")
        .at(Place::line(file, 1))
        .help(format!("name it: {} {known}", flags(Knob::Format)))
}
