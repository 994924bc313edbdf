//! Atomic variables that are used without a function: `x = 1`, `x += 2`, `x++`, and `x` by itself.
//!
//! Whether `x` is atomic only its type tells, so these are guesses, which whoever asks puts to the
//! test ([`super::locate`]): what is written must change the one access that is meant, and nothing
//! else.

use super::Edit;
use super::scan::{Token, What, closing};
use lineal_model::program::modes::{Access, Modes};
use std::ops::Range;

/// A use of a variable, as it could be written with a function.
#[derive(Clone, Debug)]
pub struct Use {
    /// Everything that is replaced.
    whole: Range<usize>,
    /// The variable: its address is taken.
    variable: Range<usize>,
    /// `atomic_store_explicit`, and what comes between the variable and the order.
    function: &'static str,
    operand: String,
}

/// The uses on one line, of this sort.
pub fn uses(text: &str, tokens: &[Token], line: u32, access: Access) -> Vec<Use> {
    let here = (0..tokens.len()).filter(|&k| tokens[k].line == line);
    here.filter_map(|k| at(text, tokens, k, access)).collect()
}

/// The use that begins at a token.
fn at(text: &str, tokens: &[Token], k: usize, access: Access) -> Option<Use> {
    let word = |k: usize| tokens.get(k).map_or("", |t| &text[t.range.clone()]);
    let before = if k == 0 { "" } else { word(k - 1) };
    let prefix = matches!(word(k), "++" | "--");
    let from = if prefix { k + 1 } else { k };
    let end = variable(text, tokens, from)?;
    let after = word(end);
    let variable = tokens[from].range.start..tokens[end - 1].range.end;
    let starts = matches!(before, ";" | "{" | "}" | ")" | "else" | ":");
    let part = |before: &str| matches!(before, "." | "->" | "&" | "++" | "--" | "struct" | "goto");
    // The end of the statement, for what stands to the right of an assignment.
    let stop = || (end..tokens.len()).find(|&i| word(i) == ";");
    let found =
        |whole: Range<usize>, function, operand| Use { whole, variable: variable.clone(), function, operand };
    match access {
        Access::Load if !part(before) && !matches!(after, "=" | "++" | "--" | "(" | ":") && !prefix => {
            Some(found(variable.clone(), "atomic_load_explicit", String::new()))
        }
        Access::Store if starts && after == "=" && !prefix => {
            let stop = stop()?;
            let value = tokens.get(end + 1)?.range.start..tokens[stop - 1].range.end;
            let whole = variable.start..value.end;
            Some(found(whole, "atomic_store_explicit", format!("{}, ", &text[value])))
        }
        Access::ReadModifyWrite if prefix && starts && word(end) == ";" => {
            Some(found(tokens[k].range.start..variable.end, fetch(word(k))?, "1, ".into()))
        }
        Access::ReadModifyWrite if !prefix && !part(before) && matches!(after, "++" | "--") => {
            Some(found(variable.start..tokens[end].range.end, fetch(after)?, "1, ".into()))
        }
        Access::ReadModifyWrite if !prefix && starts => {
            let function = fetch(after)?;
            let stop = stop()?;
            let value = tokens.get(end + 1)?.range.start..tokens[stop - 1].range.end;
            Some(found(variable.start..value.end, function, format!("{}, ", &text[value])))
        }
        _ => None,
    }
}

fn fetch(op: &str) -> Option<&'static str> {
    Some(match op {
        "++" | "+=" => "atomic_fetch_add_explicit",
        "--" | "-=" => "atomic_fetch_sub_explicit",
        "&=" => "atomic_fetch_and_explicit",
        "|=" => "atomic_fetch_or_explicit",
        "^=" => "atomic_fetch_xor_explicit",
        _ => return None,
    })
}

/// Where a variable with its members and indices ends: `*p`, `q->head`, `slot[i].next`.
fn variable(text: &str, tokens: &[Token], from: usize) -> Option<usize> {
    let word = |k: usize| tokens.get(k).map_or("", |t| &text[t.range.clone()]);
    let mut k = from;
    while word(k) == "*" {
        k += 1;
    }
    let first = tokens.get(k)?;
    let is_name =
        first.what == What::Word && !text[first.range.clone()].starts_with(|c: char| c.is_ascii_digit());
    if !is_name || matches!(word(k), "return" | "if" | "while" | "for" | "else" | "sizeof" | "int" | "do") {
        return None;
    }
    k += 1;
    loop {
        match word(k) {
            "." | "->" => k += 2,
            "[" => k = closing(text, tokens, k)? + 1,
            _ => return Some(k),
        }
    }
}

impl Use {
    pub fn edits(&self, text: &str, modes: Modes) -> Vec<Edit> {
        let variable = &text[self.variable.clone()];
        let address = match variable.strip_prefix('*') {
            Some(pointer) => pointer.trim_start().to_string(),
            None => format!("&{variable}"),
        };
        let Use { function, operand, .. } = self;
        let text = format!("{function}({address}, {operand}memory_order_{})", modes.mode.word());
        vec![Edit { range: self.whole.clone(), text }]
    }
}
