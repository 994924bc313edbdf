//! An instruction as it is written: name, suffix, operands.

use super::*;

/// How an operand of an instruction is written.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Place {
    /// `%2`, and the bytes that a modifier says.
    Operand(usize, Option<u64>),
    /// `(%2)`: what it points to.
    Through(usize),
    /// `$1`.
    Number(i64),
}

pub(super) struct Instruction {
    pub name: String,
    /// Bytes, by the suffix.
    pub size: Option<u64>,
    pub places: Vec<Place>,
}

const NAMES: [&str; 12] =
    ["cmpxchg", "xchg", "xadd", "add", "sub", "and", "or", "xor", "inc", "dec", "not", "mov"];

pub(super) fn read(text: &str, assembly: &Assembly) -> Option<Instruction> {
    let (name, rest) = text.split_once([' ', '\t'])?;
    let name = name.to_ascii_lowercase();
    let places = rest.split(',').map(|t| place(t.trim(), assembly)).collect::<Option<Vec<_>>>()?;
    if NAMES.contains(&name.as_str()) || set(&name).is_some() {
        return Some(Instruction { name, size: None, places });
    }
    let (base, suffix) = name.split_at_checked(name.len().checked_sub(1)?)?;
    let size = match suffix {
        "b" => 1,
        "w" => 2,
        "l" => 4,
        "q" => 8,
        _ => return None,
    };
    NAMES.contains(&base).then(|| Instruction { name: base.into(), size: Some(size), places })
}

/// `setz` and its opposite: whether it is the opposite.
pub(super) fn set(name: &str) -> Option<bool> {
    name.strip_prefix("set").and_then(constraint::negated)
}

/// `%0`, `%b0`, `%[name]`, `(%0)`, `$1`.
fn place(text: &str, assembly: &Assembly) -> Option<Place> {
    if let Some(number) = text.strip_prefix('$') {
        return number_of(number).map(Place::Number);
    }
    let through = text.strip_prefix('(').and_then(|t| t.strip_suffix(')'));
    let operand = through.unwrap_or(text).trim().strip_prefix('%')?;
    let size = match operand.as_bytes().first()? {
        b'b' => Some(1),
        b'w' => Some(2),
        b'k' => Some(4),
        b'q' => Some(8),
        _ => None,
    };
    let operand = if size.is_some() { &operand[1..] } else { operand };
    let mut operands = assembly.outputs.iter().chain(&assembly.inputs);
    let number = match operand.strip_prefix('[').and_then(|o| o.strip_suffix(']')) {
        Some(name) => operands.position(|o| o.name.as_deref() == Some(name))?,
        None if operand.bytes().all(|b| b.is_ascii_digit()) => {
            operand.parse().ok().filter(|&n| n < operands.count())?
        }
        None => return None,
    };
    match (through, size) {
        // An address has the size of all addresses.
        (Some(_), None | Some(8)) => Some(Place::Through(number)),
        (Some(_), _) => None,
        (None, size) => Some(Place::Operand(number, size)),
    }
}

/// As the assembler reads it: a leading zero means octal, which nobody means.
fn number_of(text: &str) -> Option<i64> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text),
    };
    let value: i64 = match digits.strip_prefix("0x").or(digits.strip_prefix("0X")) {
        Some(hex) => i64::from(u32::from_str_radix(hex, 16).ok()?),
        None if digits.len() > 1 && digits.starts_with('0') => return None,
        None if digits.bytes().all(|b| b.is_ascii_digit()) => i64::from(digits.parse::<u32>().ok()?),
        None => return None,
    };
    Some(if negative { -value } else { value })
}
