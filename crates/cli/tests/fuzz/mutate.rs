//! Small damages to programs, at the level of tokens.

use super::LARGEST;
use lineal_sweep::Choices;

/// Tokens that tend to matter.
const SPICE: [&str; 64] = [
    "int",
    "long",
    "unsigned",
    "char",
    "_Bool",
    "void",
    "float",
    "double",
    "struct",
    "union",
    "enum",
    "typedef",
    "static",
    "extern",
    "_Atomic",
    "_Thread_local",
    "const",
    "volatile",
    "inline",
    "sizeof",
    "_Alignof",
    "typeof",
    "if",
    "else",
    "while",
    "for",
    "do",
    "switch",
    "case",
    "default",
    "break",
    "continue",
    "goto",
    "return",
    "main",
    "0",
    "1",
    "-1",
    "2147483647",
    "0x8000000000000000",
    "1ull",
    "'a'",
    "\"s\"",
    "1.5",
    "*",
    "&",
    "->",
    ".",
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    ";",
    ",",
    "=",
    "==",
    "+=",
    "<<",
    "?",
    ":",
    "...",
    "__auto_type",
];

/// A seed with up to six damages, mostly one or two, so that some still compile.
pub fn program(seeds: &[String], choices: &mut Choices) -> String {
    let mut tokens = split(&seeds[choices.below(seeds.len())]);
    let damages = [1, 1, 1, 2, 2, 6][choices.below(6)];
    for _ in 0..damages {
        damage(&mut tokens, seeds, choices);
    }
    tokens.concat()
}

fn damage(tokens: &mut Vec<String>, seeds: &[String], choices: &mut Choices) {
    if tokens.is_empty() {
        tokens.push(SPICE[choices.below(SPICE.len())].into());
        return;
    }
    let at = choices.below(tokens.len());
    let end = (at + 1 + choices.below(12)).min(tokens.len());
    match choices.below(12) {
        0 | 1 => drop(tokens.drain(at..end)),
        2 => {
            let copy: Vec<String> = tokens[at..end].to_vec();
            let to = choices.below(tokens.len());
            tokens.splice(to..to, copy);
        }
        3 => {
            let other = choices.below(tokens.len());
            tokens.swap(at, other);
        }
        4..=6 => tokens[at] = format!(" {} ", SPICE[choices.below(SPICE.len())]),
        7 => tokens.insert(at, format!(" {} ", SPICE[choices.below(SPICE.len())])),
        8 => {
            // A piece of another program: well-formed parts in the wrong place.
            let other = split(&seeds[choices.below(seeds.len())]);
            let from = choices.below(other.len());
            let to = (from + 1 + choices.below(60)).min(other.len());
            tokens.splice(at..at, other[from..to].iter().cloned());
        }
        9 => {
            let other = tokens[choices.below(tokens.len())].clone();
            tokens[at] = other;
        }
        10 => {
            let byte = char::from(32 + choices.below(95) as u8);
            tokens.insert(at, byte.to_string());
        }
        _ => {
            let piece: String = tokens[at..end].concat();
            // Repeated again and again, it would fill memory, and be too large to be tried.
            let most = (LARGEST / piece.len().max(1)).max(1);
            let times = (1 << choices.below(10)).min(most);
            tokens[at] = piece.repeat(times);
        }
    }
}

/// Names, numbers, single characters; white space sticks to what precedes it.
fn split(text: &str) -> Vec<String> {
    let mut tokens: Vec<String> = Vec::new();
    let mut word = false;
    for c in text.chars() {
        let name = c.is_alphanumeric() || c == '_';
        match tokens.last_mut() {
            Some(last) if (name && word) || c.is_whitespace() => last.push(c),
            _ => tokens.push(c.to_string()),
        }
        word = name;
    }
    tokens
}
