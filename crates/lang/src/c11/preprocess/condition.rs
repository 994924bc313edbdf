//! `#if` and its kin: which groups of lines count.
//!
//! A group that is skipped is scanned only for the directives that end it; nothing else in it can be
//! wrong.

use super::expand::Asked;
use super::file::{Condition, Guard};
use super::scan::What;
use super::token::{Kind, Sym, Token, known};
use super::{Preprocessor, Stop};
use crate::c11::lex::Pos;

impl Preprocessor<'_> {
    pub fn begin_if(&mut self, hash: Pos) -> Result<(), Stop> {
        let holds = self.holds(hash)?;
        self.begin_group(hash, holds)
    }

    pub fn begin_ifdef(&mut self, hash: Pos, wanted: bool) -> Result<(), Stop> {
        let tokens = self.rest()?;
        let Some((name, _)) = self.macro_name(hash, &tokens)? else { return self.begin_group(hash, false) };
        let holds = self.is_defined(name.text) == wanted;
        if !wanted && let Some(open) = self.open.last_mut().filter(|o| o.conditions.is_empty()) {
            open.guard = if open.guard == Guard::Start { Guard::Inside(name.text) } else { Guard::No };
        }
        self.begin_group(hash, holds)
    }

    fn begin_group(&mut self, pos: Pos, holds: bool) -> Result<(), Stop> {
        if let Some(open) = self.open.last_mut() {
            open.conditions.push(Condition { pos, taken: holds, last: false });
        }
        if holds { Ok(()) } else { self.skip() }
    }

    /// `#elif` or `#else` behind a group that counted.
    pub fn end_group(&mut self, word: Token) -> Result<(), Stop> {
        if self.another_group(word)? {
            self.skip()?;
        }
        Ok(())
    }

    /// Whether a group may begin here.
    fn another_group(&mut self, word: Token) -> Result<bool, Stop> {
        let is_last = self.text(&word) == "else";
        let Some(open) = self.open.last_mut() else { return Ok(false) };
        let first = open.conditions.len() == 1;
        let problem = match open.conditions.last_mut() {
            None => "without #if",
            Some(condition) if condition.last => "behind #else",
            Some(condition) => {
                condition.last = is_last;
                if first {
                    open.guard = Guard::No;
                }
                return Ok(true);
            }
        };
        let message = format!("#{} {problem}", self.text(&word));
        self.error(word.pos, message)?;
        Ok(false)
    }

    pub fn endif(&mut self, word: Token) -> Result<(), Stop> {
        let Some(open) = self.open.last_mut() else { return Ok(()) };
        if open.conditions.pop().is_none() {
            self.error(word.pos, "#endif without #if")?;
        } else if let (Guard::Inside(name), true) = (open.guard, open.conditions.is_empty()) {
            open.guard = Guard::Behind(name);
        }
        self.rest()?;
        Ok(())
    }

    /// Skips to a group that counts, or behind the `#endif`.
    fn skip(&mut self) -> Result<(), Stop> {
        let mut depth = 0u32;
        loop {
            self.charge(1)?;
            let Some(open) = self.open.last_mut() else { return Ok(()) };
            let piece = open.scan.next();
            match piece.what {
                // What is missing is said when the file is closed.
                What::End => return Ok(()),
                What::OpenComment => {
                    let pos = open.pos(&piece);
                    self.error(pos, "this comment is not closed")?;
                    continue;
                }
                What::Punct(known::HASH | known::HASH_2) if piece.first => {}
                _ => continue,
            }
            let state = open.scan.state();
            let piece = open.scan.next();
            if piece.what != What::Token(Kind::Name) {
                open.scan.reset(state);
                continue;
            }
            let word = self.token(&piece)?;
            let text = self.names.text(word.text).clone();
            match &*text {
                "if" | "ifdef" | "ifndef" => depth += 1,
                "endif" if depth > 0 => depth -= 1,
                "endif" => return self.endif(word),
                "else" | "elif" | "elifdef" | "elifndef" if depth == 0 && self.begins(word, &text)? => {
                    return Ok(());
                }
                _ => {}
            }
        }
    }

    /// Whether the group that begins here counts.
    fn begins(&mut self, word: Token, text: &str) -> Result<bool, Stop> {
        let taken = |p: &Self| p.open.last().and_then(|o| o.conditions.last()).is_none_or(|c| c.taken);
        if !self.another_group(word)? || taken(self) {
            return Ok(false);
        }
        let holds = match text {
            "else" => {
                self.rest()?;
                true
            }
            "elif" => self.holds(word.pos)?,
            _ => {
                let tokens = self.rest()?;
                match self.macro_name(word.pos, &tokens)? {
                    Some((name, _)) => self.is_defined(name.text) == (text == "elifdef"),
                    None => false,
                }
            }
        };
        if let Some(condition) = self.open.last_mut().and_then(|o| o.conditions.last_mut()) {
            condition.taken = holds;
        }
        Ok(holds)
    }

    /// Whether the expression on the rest of the line is true; one that makes no sense is reported.
    fn holds(&mut self, at: Pos) -> Result<bool, Stop> {
        let tokens = self.condition()?;
        let tokens = self.replaced(tokens, Asked::No)?;
        let Some(tokens) = self.answered(tokens)? else { return Ok(false) };
        match self.evaluate(at, &tokens) {
            Ok(holds) => Ok(holds),
            Err((pos, message)) => {
                self.error(pos, message)?;
                Ok(false)
            }
        }
    }

    /// The rest of the line; behind `__has_include(` there is the name of a header.
    fn condition(&mut self) -> Result<Vec<Token>, Stop> {
        let mut tokens: Vec<Token> = Vec::new();
        loop {
            let asks = |t: &Token| [known::HAS_INCLUDE, known::HAS_INCLUDE_NEXT].contains(&t.text);
            let header = match &tokens[..] {
                [.., word, open] if asks(word) && open.is(known::OPEN) => {
                    self.open.last_mut().and_then(|o| o.scan.header())
                }
                _ => None,
            };
            let piece = match header {
                Some(piece) => piece,
                None => match self.on_line()? {
                    Some(piece) => piece,
                    None => return Ok(tokens),
                },
            };
            tokens.push(self.token(&piece)?);
        }
    }

    /// The number 0 or 1 in place of a question.
    pub fn answer(&mut self, at: &Token, yes: bool) -> Token {
        let text: Sym = self.names.intern(if yes { "1" } else { "0" });
        Token { kind: Kind::Number, text, ..*at }
    }
}
