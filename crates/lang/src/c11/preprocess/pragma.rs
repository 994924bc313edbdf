//! `#pragma` and `_Pragma(…)`: passed on, but for those that speak to the preprocessor.

use super::define::Slot;
use super::token::{Kind, Token, known};
use super::{Preprocessor, Stop};
use crate::c11::lex::{self, Pos};

impl Preprocessor<'_> {
    pub fn pragma(&mut self, hash: Pos, tokens: &[Token]) -> Result<(), Stop> {
        let word = |i: usize| tokens.get(i).map_or("", |t| self.text(t));
        match (word(0), word(1)) {
            ("once", _) => {
                if let Some(entry) = self.open.last().and_then(|open| open.entry) {
                    self.store.entries[entry].once = true;
                }
                return Ok(());
            }
            ("push_macro", "(") => {
                if let Some(name) = self.string(tokens.get(2)) {
                    let name = self.names.intern(&name);
                    let slot = self.slot(name).clone();
                    self.pushed.push((name, slot));
                    return Ok(());
                }
            }
            ("pop_macro", "(") => {
                if let Some(name) = self.string(tokens.get(2)) {
                    let name = self.names.intern(&name);
                    if let Some(at) = self.pushed.iter().rposition(|(n, _)| *n == name) {
                        let (name, slot): (_, Slot) = self.pushed.remove(at);
                        self.set(name, slot);
                    }
                    return Ok(());
                }
            }
            ("GCC", "error") => {
                let text = self.string(tokens.get(2)).unwrap_or_default();
                return self.error(hash, text);
            }
            ("GCC", "warning") => {
                let text = self.string(tokens.get(2)).unwrap_or_default();
                self.warning(hash, text);
                return Ok(());
            }
            _ => {}
        }
        let text = self.spelled(tokens);
        let text = self.names.intern(&text);
        self.out.push(Token { kind: Kind::Pragma, space: true, blue: false, text, pos: hash });
        Ok(())
    }

    fn string(&self, token: Option<&Token>) -> Option<String> {
        let token = token.filter(|t| t.kind == Kind::Str)?;
        Some(String::from_utf8_lossy(&lex::string(self.text(token))).into_owned())
    }

    /// `_Pragma("…")` is the directive with that text.
    pub fn pragma_operator(&mut self, name: Token) -> Result<(), Stop> {
        let open = self.next()?;
        let text = if open.is_some_and(|t| t.is(known::OPEN)) { self.next()? } else { None };
        let close = if text.is_some_and(|t| t.kind == Kind::Str) { self.next()? } else { None };
        let (Some(text), Some(_)) = (text, close.filter(|t| t.is(known::CLOSE))) else {
            return self.error(name.pos, "`_Pragma` takes a string in parentheses");
        };
        let spelling = self.text(&text);
        let start = spelling.find('"').map_or(0, |at| at + 1);
        let inner = spelling[start..spelling.len() - 1].replace("\\\"", "\"").replace("\\\\", "\\");
        let tokens = self.scan_text(inner.as_bytes(), name.pos);
        self.pragma(name.pos, &tokens)
    }
}
