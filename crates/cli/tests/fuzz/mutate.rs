//! Small damages to programs, at the level of tokens.

pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Self {
        Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub fn roll(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 11) % n.max(1) as u64) as usize
    }
}

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
pub fn program(seeds: &[String], dice: &mut Dice) -> String {
    let mut tokens = split(&seeds[dice.roll(seeds.len())]);
    let damages = [1, 1, 1, 2, 2, 6][dice.roll(6)];
    for _ in 0..damages {
        damage(&mut tokens, seeds, dice);
    }
    tokens.concat()
}

fn damage(tokens: &mut Vec<String>, seeds: &[String], dice: &mut Dice) {
    if tokens.is_empty() {
        tokens.push(SPICE[dice.roll(SPICE.len())].into());
        return;
    }
    let at = dice.roll(tokens.len());
    let end = (at + 1 + dice.roll(12)).min(tokens.len());
    match dice.roll(12) {
        0 | 1 => drop(tokens.drain(at..end)),
        2 => {
            let copy: Vec<String> = tokens[at..end].to_vec();
            let to = dice.roll(tokens.len());
            tokens.splice(to..to, copy);
        }
        3 => {
            let other = dice.roll(tokens.len());
            tokens.swap(at, other);
        }
        4..=6 => tokens[at] = format!(" {} ", SPICE[dice.roll(SPICE.len())]),
        7 => tokens.insert(at, format!(" {} ", SPICE[dice.roll(SPICE.len())])),
        8 => {
            // A piece of another program: well-formed parts in the wrong place.
            let other = split(&seeds[dice.roll(seeds.len())]);
            let from = dice.roll(other.len());
            let to = (from + 1 + dice.roll(60)).min(other.len());
            tokens.splice(at..at, other[from..to].iter().cloned());
        }
        9 => {
            let other = tokens[dice.roll(tokens.len())].clone();
            tokens[at] = other;
        }
        10 => {
            let byte = char::from(32 + dice.roll(95) as u8);
            tokens.insert(at, byte.to_string());
        }
        _ => {
            let piece: String = tokens[at..end].concat();
            let times = 1 << dice.roll(10);
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
