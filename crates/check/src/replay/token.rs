//! Replay tokens: a failing execution as text that fits on a command line.
//!
//! `1.<memory>.<identity>.<failure>.<decisions>`; the decisions are numbers of seven bits at a
//! time, in base 32. A token fits one program only, hence the identity.

use super::{Choice, Decision};
use lineal_model::Memory;
use lineal_model::run::FailureKind;

const DIGITS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

/// What a token says.
#[derive(Debug, PartialEq)]
pub struct Token {
    pub memory: Memory,
    pub identity: u64,
    pub kind: FailureKind,
    pub thread: usize,
    pub decisions: Vec<Decision>,
}

/// The failure `kind` of a thread, after these decisions.
pub fn encode(
    memory: Memory,
    identity: u64,
    kind: FailureKind,
    thread: usize,
    decisions: &[Decision],
) -> String {
    let mut bytes = Vec::new();
    number(&mut bytes, thread as u64);
    for d in decisions {
        let head = |tag: u64| (d.thread as u64) << 2 | tag;
        match d.choice {
            Choice::Go => number(&mut bytes, head(0)),
            Choice::Read { from, spurious } => {
                number(&mut bytes, head(1));
                number(&mut bytes, from.map_or(0, |f| f as u64 + 1) << 1 | u64::from(spurious));
            }
            Choice::Write { position } => {
                number(&mut bytes, head(2));
                number(&mut bytes, position as u64);
            }
            Choice::Pick(pick) => {
                number(&mut bytes, head(3));
                number(&mut bytes, (pick << 1 ^ pick >> 63) as u64);
            }
        }
    }
    format!("1.{memory}.{identity:x}.{}.{}", kind.word(), digits(&bytes))
}

pub fn decode(text: &str) -> Result<Token, String> {
    let bad = || "this is not a replay token".to_string();
    let parts: Vec<&str> = text.trim().split('.').collect();
    let [version, model, identity, kind, decisions] = parts[..] else { return Err(bad()) };
    if version != "1" {
        return Err(bad());
    }
    let memory = [Memory::Sc, Memory::Tso, Memory::Ra, Memory::Rc11];
    let memory = memory.into_iter().find(|m| m.to_string() == model).ok_or_else(bad)?;
    let identity = u64::from_str_radix(identity, 16).map_err(|_| bad())?;
    let kind = FailureKind::from_word(kind).filter(|kind| *kind != FailureKind::Unsupported);
    let kind = kind.ok_or("the token names no known failure")?;
    let bytes = undigits(decisions).ok_or_else(bad)?;
    let mut rest = bytes.iter().copied();
    let mut next = || -> Option<u64> {
        let mut value = 0u64;
        for shift in (0..64).step_by(7) {
            let byte = rest.next()?;
            value |= u64::from(byte & 127) << shift;
            if byte < 128 {
                return Some(value);
            }
        }
        None
    };
    let thread = next().ok_or_else(bad)? as usize;
    let mut decisions = Vec::new();
    while let Some(head) = next() {
        let choice = match head & 3 {
            0 => Choice::Go,
            1 => {
                let n = next().ok_or_else(bad)?;
                Choice::Read { from: (n >> 1).checked_sub(1).map(|f| f as usize), spurious: n & 1 == 1 }
            }
            2 => Choice::Write { position: next().ok_or_else(bad)? as usize },
            _ => {
                let n = next().ok_or_else(bad)?;
                Choice::Pick((n >> 1) as i64 ^ -((n & 1) as i64))
            }
        };
        decisions.push(Decision { thread: (head >> 2) as usize, choice });
    }
    Ok(Token { memory, identity, kind, thread, decisions })
}

/// Any text in the letters of a token.
pub fn spell(text: &str) -> String {
    digits(text.as_bytes())
}

/// What [`spell`] was given.
pub fn unspell(letters: &str) -> Option<String> {
    String::from_utf8(undigits(letters)?).ok()
}

fn number(bytes: &mut Vec<u8>, mut n: u64) {
    while n >= 128 {
        bytes.push(n as u8 | 128);
        n >>= 7;
    }
    bytes.push(n as u8);
}

fn digits(bytes: &[u8]) -> String {
    let mut text = String::new();
    let (mut bits, mut held) = (0u32, 0u32);
    for &b in bytes {
        bits = bits << 8 | u32::from(b);
        held += 8;
        while held >= 5 {
            held -= 5;
            text.push(DIGITS[(bits >> held & 31) as usize] as char);
        }
    }
    if held > 0 {
        text.push(DIGITS[(bits << (5 - held) & 31) as usize] as char);
    }
    text
}

fn undigits(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let (mut bits, mut held) = (0u32, 0u32);
    for c in text.bytes() {
        let digit = DIGITS.iter().position(|&d| d == c)? as u32;
        bits = bits << 5 | digit;
        held += 5;
        if held >= 8 {
            held -= 8;
            bytes.push((bits >> held) as u8);
        }
    }
    Some(bytes)
}
