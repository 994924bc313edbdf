//! C text as its author wrote it → tokens with their place in the text. Directives are not followed:
//! what stands in a macro is text like any other.

use std::ops::Range;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    pub range: Range<usize>,
    /// Counts from 1.
    pub line: u32,
    pub what: What,
    /// In a line that begins with `#`.
    pub directive: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// A name, a keyword or a number.
    Word,
    /// A string or a character.
    Literal,
    Punct,
}

const LONG: [&str; 22] = [
    "<<=", ">>=", "...", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "*=", "/=", "%=",
    "+=", "-=", "&=", "^=", "|=",
];

pub fn tokens(text: &str) -> Vec<Token> {
    let bytes = text.as_bytes();
    let at = |i: usize| bytes.get(i).copied().unwrap_or(0);
    let mut out: Vec<Token> = Vec::new();
    let (mut i, mut line, mut directive, mut fresh) = (0, 1u32, false, true);
    while i < bytes.len() {
        let start = i;
        match bytes[i] {
            b'\\' if at(i + 1) == b'\n' => (i, line) = (i + 2, line + 1),
            b'\\' if at(i + 1) == b'\r' && at(i + 2) == b'\n' => (i, line) = (i + 3, line + 1),
            b'\n' => {
                (i, line, directive, fresh) = (i + 1, line + 1, false, true);
            }
            c if c.is_ascii_whitespace() => i += 1,
            b'/' if at(i + 1) == b'/' => {
                while i < bytes.len() && bytes[i] != b'\n' {
                    if bytes[i] == b'\\' && at(i + 1) == b'\n' {
                        (i, line) = (i + 1, line + 1);
                    }
                    i += 1;
                }
            }
            b'/' if at(i + 1) == b'*' => {
                i += 2;
                while i < bytes.len() && !(bytes[i] == b'*' && at(i + 1) == b'/') {
                    line += u32::from(bytes[i] == b'\n');
                    i += 1;
                }
                i = (i + 2).min(bytes.len());
            }
            b'#' if fresh => (i, directive, fresh) = (i + 1, true, false),
            quote @ (b'"' | b'\'') => {
                i += 1;
                while i < bytes.len() && bytes[i] != quote && bytes[i] != b'\n' {
                    i += if bytes[i] == b'\\' { 2 } else { 1 };
                }
                i = (i + 1).min(bytes.len());
                fresh = false;
                out.push(Token { range: start..i, line, what: What::Literal, directive });
            }
            c if is_word(c) => {
                while is_word(at(i)) {
                    i += 1;
                }
                fresh = false;
                out.push(Token { range: start..i, line, what: What::Word, directive });
            }
            _ => {
                let long = LONG.iter().find(|p| bytes[i..].starts_with(p.as_bytes()));
                i += long.map_or(1, |p| p.len());
                // A letter of another alphabet is one thing.
                while !text.is_char_boundary(i) {
                    i += 1;
                }
                fresh = false;
                out.push(Token { range: start..i, line, what: What::Punct, directive });
            }
        }
    }
    out
}

fn is_word(c: u8) -> bool {
    c.is_ascii_alphanumeric() || c == b'_' || c == b'$'
}

/// The index of the bracket that closes the one at `open`.
pub fn closing(text: &str, tokens: &[Token], open: usize) -> Option<usize> {
    let mut depth = 0;
    for (k, token) in tokens.iter().enumerate().skip(open) {
        match &text[token.range.clone()] {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => {
                depth -= 1;
                if depth == 0 {
                    return Some(k);
                }
            }
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_strings_are_skipped_and_lines_counted() {
        let text = "a /* x\n */ b // c\n#define D \\\n  e\n\"f\\\"g\" h->i";
        let found: Vec<(&str, u32, bool)> =
            tokens(text).iter().map(|t| (&text[t.range.clone()], t.line, t.directive)).collect();
        let expected = [
            ("a", 1, false),
            ("b", 2, false),
            ("define", 3, true),
            ("D", 3, true),
            ("e", 4, true),
            ("\"f\\\"g\"", 5, false),
            ("h", 5, false),
            ("->", 5, false),
            ("i", 5, false),
        ];
        assert_eq!(found, expected);
    }
}
