//! Calls of atomic operations in a text, and how to write them with other memory orders.
//!
//! `atomic_load(&x)` becomes `atomic_load_explicit(&x, memory_order_acquire)`; where an order is
//! written, that word alone is replaced, in the same spelling. A fence that is not needed is taken
//! out with its line if it is a statement by itself, and made relaxed elsewhere.

use super::Edit;
use super::scan::{Token, What, closing};
use lineal_model::program::modes::{Access, Modes};
use lineal_model::run::Mode;
use std::ops::Range;

/// A call as it is written.
#[derive(Clone, Debug)]
pub struct Call {
    pub access: Access,
    name: Range<usize>,
    /// The closing bracket.
    close: usize,
    /// The orders that are written, each one argument.
    orders: Vec<Range<usize>>,
    family: Family,
    /// Of a fence that is a statement by itself: all of it, with its line if nothing else is there.
    statement: Option<Range<usize>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Family {
    /// `memory_order_acquire`
    C11,
    /// `__ATOMIC_ACQUIRE`
    Gnu,
    /// `2`
    Number,
}

/// Every call of an atomic operation.
pub fn calls(text: &str, tokens: &[Token]) -> Vec<Call> {
    (0..tokens.len()).filter_map(|k| call(text, tokens, k)).collect()
}

fn call(text: &str, tokens: &[Token], k: usize) -> Option<Call> {
    let word = |k: usize| tokens.get(k).map_or("", |t| &text[t.range.clone()]);
    let (access, family, explicit) = named(word(k))?;
    if tokens[k].what != What::Word || word(k + 1) != "(" {
        return None;
    }
    let close = closing(text, tokens, k + 1)?;
    let arguments = arguments(text, tokens, k + 2, close);
    let wanted = if access == Access::CompareAndSwap { 2 } else { 1 };
    let orders = match explicit {
        true => arguments.get(arguments.len().checked_sub(wanted)?..)?.to_vec(),
        false => Vec::new(),
    };
    let before = if k == 0 { "" } else { word(k - 1) };
    let alone = access == Access::Fence
        && !tokens[k].directive
        && matches!(before, ";" | "{" | "}")
        && word(close + 1) == ";"
        && !(k > 0 && tokens[k - 1].directive);
    let statement = alone.then(|| whole_line(text, tokens[k].range.start..tokens[close + 1].range.end));
    Some(Call {
        access,
        name: tokens[k].range.clone(),
        close: tokens[close].range.start,
        orders,
        family,
        statement,
    })
}

/// What a function does, how its orders are spelled, and whether they are arguments.
fn named(name: &str) -> Option<(Access, Family, bool)> {
    let (rest, family, explicit) = match name {
        _ if name.starts_with("__atomic_") => (&name[9..], Family::Gnu, true),
        _ if name.starts_with("__c11_atomic_") => (&name[13..], Family::C11, true),
        _ if name.starts_with("atomic_") => match name[7..].strip_suffix("_explicit") {
            Some(rest) => (rest, Family::C11, true),
            None => (&name[7..], Family::C11, name == "atomic_thread_fence"),
        },
        _ => return None,
    };
    let fetched = ["add", "sub", "and", "or", "xor", "nand"];
    let access = match rest {
        "load" | "load_n" => Access::Load,
        "store" | "store_n" | "clear" | "flag_clear" => Access::Store,
        "thread_fence" => Access::Fence,
        "compare_exchange_strong" | "compare_exchange_weak" | "compare_exchange" | "compare_exchange_n" => {
            Access::CompareAndSwap
        }
        "exchange" | "exchange_n" | "test_and_set" | "flag_test_and_set" => Access::ReadModifyWrite,
        _ => {
            let op = rest.strip_prefix("fetch_").or(rest.strip_suffix("_fetch"))?;
            fetched.contains(&op).then_some(Access::ReadModifyWrite)?
        }
    };
    Some((access, family, explicit))
}

/// The arguments between two tokens, as ranges of the text.
fn arguments(text: &str, tokens: &[Token], from: usize, close: usize) -> Vec<Range<usize>> {
    let mut out = Vec::new();
    let (mut start, mut depth) = (from, 0);
    for k in from..=close {
        match &text[tokens[k].range.clone()] {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" if k < close => depth -= 1,
            "," if depth == 0 => {
                out.extend(span(tokens, start, k));
                start = k + 1;
            }
            _ => {}
        }
    }
    out.extend(span(tokens, start, close));
    out
}

fn span(tokens: &[Token], from: usize, to: usize) -> Option<Range<usize>> {
    (from < to).then(|| tokens[from].range.start..tokens[to - 1].range.end)
}

/// A range with the rest of its lines, if there is nothing else on them.
fn whole_line(text: &str, range: Range<usize>) -> Range<usize> {
    let start = text[..range.start].rfind('\n').map_or(0, |i| i + 1);
    let end = text[range.end..].find('\n').map_or(text.len(), |i| range.end + i + 1);
    let blank = |s: &str| s.trim().is_empty();
    if blank(&text[start..range.start]) && blank(&text[range.end..end]) { start..end } else { range }
}

/// As `__ATOMIC_RELAXED` and its kin count.
const NUMBERED: [(&str, Mode); 5] = [
    ("0", Mode::Relaxed),
    ("2", Mode::Acquire),
    ("3", Mode::Release),
    ("4", Mode::AcqRel),
    ("5", Mode::SeqCst),
];

/// A memory order by one of its names.
fn literal(text: &str) -> Option<Mode> {
    if let Some((_, mode)) = NUMBERED.iter().find(|(number, _)| *number == text) {
        return Some(*mode);
    }
    let word = text.strip_prefix("memory_order_").or(text.strip_prefix("__ATOMIC_"))?;
    Some(match word.to_ascii_lowercase().as_str() {
        "relaxed" => Mode::Relaxed,
        "acquire" => Mode::Acquire,
        "release" => Mode::Release,
        "acq_rel" => Mode::AcqRel,
        "seq_cst" => Mode::SeqCst,
        _ => return None,
    })
}

fn spelled(mode: Mode, family: Family) -> String {
    match family {
        Family::C11 => format!("memory_order_{}", mode.word()),
        Family::Gnu => format!("__ATOMIC_{}", mode.word().to_ascii_uppercase()),
        Family::Number => NUMBERED.iter().find(|(_, m)| *m == mode).map_or("5", |(n, _)| n).into(),
    }
}

impl Call {
    /// Whether its orders are written there and then, or none are.
    pub fn is_literal(&self, text: &str) -> bool {
        self.orders.iter().all(|o| literal(&text[o.clone()]).is_some())
    }

    /// The modes to try in its stead, to see what they change: two, of which one is news.
    pub fn probes(&self) -> [Modes; 2] {
        let both = |mode| Modes { mode, fail: mode };
        match self.access {
            // A relaxed fence is none.
            Access::Fence => [both(Mode::AcqRel), both(Mode::SeqCst)],
            _ => [both(Mode::Relaxed), both(Mode::SeqCst)],
        }
    }

    /// What to write for these modes.
    pub fn edits(&self, text: &str, modes: Modes) -> Vec<Edit> {
        if let (Access::Fence, Mode::Relaxed, Some(range)) = (self.access, modes.mode, &self.statement) {
            return vec![Edit { range: range.clone(), text: String::new() }];
        }
        let modes = [modes.mode, modes.fail];
        if self.orders.is_empty() {
            let count = if self.access == Access::CompareAndSwap { 2 } else { 1 };
            let list: String =
                modes[..count].iter().map(|m| format!(", {}", spelled(*m, self.family))).collect();
            return vec![
                Edit { range: self.name.end..self.name.end, text: "_explicit".into() },
                Edit { range: self.close..self.close, text: list },
            ];
        }
        let edit = |(range, mode): (&Range<usize>, Mode)| {
            let old = &text[range.clone()];
            let family = match old {
                _ if old.starts_with("__ATOMIC_") => Family::Gnu,
                _ if old.starts_with("memory_order_") => Family::C11,
                _ if literal(old).is_some() => Family::Number,
                _ => self.family,
            };
            (literal(old) != Some(mode)).then(|| Edit { range: range.clone(), text: spelled(mode, family) })
        };
        self.orders.iter().zip(modes).filter_map(edit).collect()
    }
}
