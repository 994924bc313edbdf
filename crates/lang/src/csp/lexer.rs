//! Characters into tokens. Never fails as a whole: what cannot be read is reported and skipped.

use lineal_model::{Diagnostic, Place};
use std::sync::Arc;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tok {
    Ident(Arc<str>),
    Int(i32),
    Text(Arc<str>),
    /// Operators, brackets, and `#` before a directive.
    Mark(&'static str),
    End,
}

#[derive(Clone, Debug)]
pub struct Token {
    pub tok: Tok,
    pub at: Place,
}

/// Longest first.
const MARKS: &[&str] = &[
    "|||", "[*]", "<->", "[]", "||", "->", "&&", "==", "!=", "<=", ">=", "++", "--", "+=", "-=", "*=", "/=",
    "%=", "..", "|=", "<>", "/\\", "\\/", "+", "-", "*", "/", "%", "=", "<", ">", "!", "?", "(", ")", "[",
    "]", "{", "}", ",", ";", ":", ".", "@", "\\", "&", "|", "^", "#", "~",
];

pub fn lex(file: &Arc<str>, text: &str, problems: &mut Vec<Diagnostic>) -> Vec<Token> {
    let mut lexer = Lexer { file, rest: text, line: 1, column: 1, tokens: Vec::new() };
    while lexer.token(problems) {}
    lexer.tokens
}

struct Lexer<'a> {
    file: &'a Arc<str>,
    rest: &'a str,
    line: u32,
    column: u32,
    tokens: Vec<Token>,
}

impl<'a> Lexer<'a> {
    fn place(&self, width: usize) -> Place {
        Place { width: width as u32, ..Place::new(self.file.clone(), self.line, self.column) }
    }

    /// Moves past `bytes` bytes.
    fn skip(&mut self, bytes: usize) -> &'a str {
        let (done, rest) = self.rest.split_at(bytes);
        for c in done.chars() {
            match c {
                '\n' => {
                    self.line += 1;
                    self.column = 1;
                }
                _ => self.column += 1,
            }
        }
        self.rest = rest;
        done
    }

    fn push(&mut self, tok: Tok, bytes: usize) {
        let at = self.place(self.rest[..bytes].chars().count());
        self.skip(bytes);
        self.tokens.push(Token { tok, at });
    }

    fn token(&mut self, problems: &mut Vec<Diagnostic>) -> bool {
        let blank = |c: char| c.is_whitespace() || c == '\u{feff}';
        let space = self.rest.len() - self.rest.trim_start_matches(blank).len();
        self.skip(space);
        let Some(first) = self.rest.chars().next() else {
            self.push(Tok::End, 0);
            return false;
        };
        let run = |f: fn(char) -> bool| self.rest.find(|c| !f(c)).unwrap_or(self.rest.len());
        if self.rest.starts_with("//") {
            let n = self.rest.find('\n').unwrap_or(self.rest.len());
            self.skip(n);
        } else if self.rest.starts_with("/*") {
            match self.rest.find("*/") {
                Some(n) => {
                    self.skip(n + 2);
                }
                None => {
                    problems
                        .push(Diagnostic::error("L0201", "this comment is never closed").at(self.place(2)));
                    self.skip(self.rest.len());
                }
            }
        } else if first.is_alphabetic() || first == '_' {
            let n = run(|c| c.is_alphanumeric() || c == '_');
            self.push(Tok::Ident(self.rest[..n].into()), n);
        } else if first.is_ascii_digit() {
            let n = run(|c| c.is_alphanumeric());
            match self.rest[..n].parse() {
                Ok(value) => self.push(Tok::Int(value), n),
                Err(_) => {
                    let text = &self.rest[..n];
                    problems.push(
                        Diagnostic::error("L0201", format!("`{text}` is no number this language has"))
                            .at(self.place(n))
                            .help("numbers are decimal and at most 2147483647"),
                    );
                    self.push(Tok::Int(0), n);
                }
            }
        } else if first == '"' {
            match self.rest[1..].find(['"', '\n']) {
                Some(n) if self.rest[1 + n..].starts_with('"') => {
                    self.push(Tok::Text(self.rest[1..=n].into()), n + 2)
                }
                _ => {
                    problems.push(Diagnostic::error("L0201", "this text is never closed").at(self.place(1)));
                    self.skip(1);
                }
            }
        } else if let Some(mark) = MARKS.iter().find(|m| self.rest.starts_with(**m)) {
            self.push(Tok::Mark(mark), mark.len());
        } else {
            problems.push(
                Diagnostic::error("L0201", format!("`{}` has no meaning here", first.escape_debug()))
                    .at(self.place(1)),
            );
            self.skip(first.len_utf8());
        }
        true
    }
}
