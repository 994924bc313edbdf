//! Tokens into the tree: recursive descent, with a fresh start at the next declaration after an
//! error, so that one run reports several.

mod declare;
mod expr;
mod formula;
mod process;

use super::ast::*;
use super::lexer::{Tok, Token};
use lineal_model::{Diagnostic, Place};

/// The error is already among the problems.
pub struct Reported;
pub type Parsed<T> = Result<T, Reported>;

pub struct Parser<'a> {
    tokens: Vec<Token>,
    at: usize,
    depth: u32,
    pub problems: &'a mut Vec<Diagnostic>,
    /// Reads another file: its name and text.
    include: &'a dyn Fn(&str) -> Result<String, String>,
    included: u32,
    /// What definitions with errors in them would have defined.
    pub lost: Vec<Name>,
}

/// Nesting a person could write; a limit so that no input overflows the stack.
const DEEP: u32 = 120;
/// Errors after which the rest is not worth reading.
const MANY: usize = 50;

impl<'a> Parser<'a> {
    pub fn new(
        tokens: Vec<Token>,
        problems: &'a mut Vec<Diagnostic>,
        include: &'a dyn Fn(&str) -> Result<String, String>,
    ) -> Self {
        Parser { tokens, at: 0, depth: 0, problems, include, included: 0, lost: Vec::new() }
    }

    pub fn file(&mut self) -> Vec<Item> {
        let mut items = Vec::new();
        while *self.peek() != Tok::End && self.problems.len() < MANY {
            let before = self.at;
            if self.declaration(&mut items).is_err() {
                self.depth = 0;
                if let Tok::Ident(name) = self.tok(before) {
                    self.lost.push(name.clone());
                }
                self.recover(before);
            }
        }
        items
    }

    /// Skips to what looks like the next declaration.
    fn recover(&mut self, before: usize) {
        if self.at == before {
            self.at += 1;
        }
        while *self.peek() != Tok::End {
            let fresh = self.at == 0 || self.tokens[self.at - 1].tok == Tok::Mark(";");
            if self.is("#") || (fresh && self.starts_declaration()) {
                return;
            }
            // A definition at the start of a line, although the one before lacks its `;`.
            if self.tokens[self.at].at.column == 1 && self.starts_declaration() {
                return;
            }
            self.at += 1;
        }
    }

    fn starts_declaration(&self) -> bool {
        match self.peek() {
            Tok::End => true,
            Tok::Mark(m) => *m == "#",
            Tok::Ident(word) => {
                matches!(&**word, "var" | "hvar" | "channel" | "enum") || self.starts_definition()
            }
            _ => false,
        }
    }

    /// `P(…) =` or `P =`.
    fn starts_definition(&self) -> bool {
        let mut i = self.at + 1;
        if self.tok(i) == &Tok::Mark("(") {
            while !matches!(self.tok(i), Tok::Mark(")") | Tok::End) {
                i += 1;
            }
            i += 1;
        }
        self.tok(i) == &Tok::Mark("=")
    }

    fn tok(&self, i: usize) -> &Tok {
        self.tokens.get(i).map_or(&Tok::End, |t| &t.tok)
    }
    fn peek(&self) -> &Tok {
        self.tok(self.at)
    }
    fn place(&self) -> Place {
        self.tokens[self.at.min(self.tokens.len() - 1)].at.clone()
    }
    fn is(&self, mark: &str) -> bool {
        matches!(self.peek(), Tok::Mark(m) if *m == mark)
    }
    fn is_word(&self, word: &str) -> bool {
        matches!(self.peek(), Tok::Ident(w) if **w == *word)
    }
    fn eat(&mut self, mark: &str) -> bool {
        let yes = self.is(mark);
        self.at += yes as usize;
        yes
    }
    fn eat_word(&mut self, word: &str) -> bool {
        let yes = self.is_word(word);
        self.at += yes as usize;
        yes
    }
    fn expect(&mut self, mark: &str, after: &str) -> Parsed<()> {
        match self.eat(mark) {
            true => Ok(()),
            false => self.wrong(format!("expected `{mark}` {after}")),
        }
    }
    fn name(&mut self, what: &str) -> Parsed<Name> {
        match self.peek().clone() {
            Tok::Ident(name) => {
                self.at += 1;
                Ok(name)
            }
            _ => self.wrong(format!("expected {what}")),
        }
    }

    fn found(&self) -> String {
        match self.peek() {
            Tok::Ident(w) => format!("`{w}`"),
            Tok::Int(n) => format!("`{n}`"),
            Tok::Text(t) => format!("\"{t}\""),
            Tok::Mark(m) => format!("`{m}`"),
            Tok::End => "the end of the file".into(),
        }
    }

    fn wrong<T>(&mut self, expected: impl AsRef<str>) -> Parsed<T> {
        let message = format!("{}, found {}", expected.as_ref(), self.found());
        self.fail(Diagnostic::error("L0202", message).at(self.place()))
    }

    fn fail<T>(&mut self, problem: Diagnostic) -> Parsed<T> {
        self.problems.push(problem);
        Err(Reported)
    }

    /// Runs `f` one level deeper.
    fn nested<T>(&mut self, f: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= DEEP {
            let problem = Diagnostic::error("L0203", format!("this is nested more than {DEEP} levels deep"));
            return self.fail(problem.at(self.place()).help("name parts of it as processes or macros"));
        }
        self.depth += 1;
        let result = f(self);
        self.depth -= 1;
        result
    }

    /// `x:{0..3,5}`, several of them separated by `;`, then `@`.
    fn ranges(&mut self) -> Parsed<Vec<Range>> {
        let mut ranges = Vec::new();
        loop {
            let at = self.place();
            let name = self.name("an index variable")?;
            self.expect(":", "after the index variable")?;
            self.expect("{", "before the index set")?;
            let mut values = Vec::new();
            loop {
                let low = self.expr()?;
                values.push(match self.eat("..") {
                    true => RangeItem::Span(low, self.expr()?),
                    false => RangeItem::One(low),
                });
                if !self.eat(",") {
                    break;
                }
            }
            self.expect("}", "after the index set")?;
            ranges.push(Range { name, values, at });
            if self.eat("@") {
                return Ok(ranges);
            }
            if !self.eat(";") {
                return self.wrong("expected `;` or `@` after the index set");
            }
        }
    }

    fn starts_ranges(&self) -> bool {
        matches!(self.peek(), Tok::Ident(_)) && self.tok(self.at + 1) == &Tok::Mark(":")
    }
}
