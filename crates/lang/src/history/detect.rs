//! Which format a log is in, from its first record.

use super::Format;
use lineal_model::{Diagnostic, Place};

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

fn edn(rest: &[u8]) -> Format {
    let record = first_record(rest);
    if contains(record, b":key") { Format::Kv } else { Format::Edn }
}

fn json(rest: &[u8]) -> Format {
    let record = first_record(rest);
    if contains(record, b"\"txn\"") { Format::Elle } else { Format::JsonLines }
}

fn first_record(rest: &[u8]) -> &[u8] {
    let end = rest.iter().position(|&b| b == b'}').unwrap_or(rest.len());
    &rest[..end]
}

fn contains(text: &[u8], word: &[u8]) -> bool {
    text.windows(word.len()).any(|w| w == word)
}

pub fn unknown(file: &str, start: &[u8]) -> Diagnostic {
    if start.trim_ascii().is_empty() {
        return super::recorder::empty(file);
    }
    Diagnostic::error("L0301", "cannot tell the format of this log")
        .at(Place::line(file, 1))
        .help("name it: --from edn|jsonl|etcd|kv|elle")
}
