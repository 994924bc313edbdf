//! `#pragma` and `_Pragma(…)`: passed on, but for those that speak to the preprocessor.
//!
//! In `#pragma lineal …`, what is C is replaced as if it stood at the end of the file, which is where
//! clients are: `op enqueue = PUT(value), full if result == NONE`. What Lineal reads itself is not,
//! so that a macro called `value` or `empty` does no harm.

use super::define::Slot;
use super::expand::Asked;
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

    /// Replaces macros in the C of `#pragma lineal …`, when all of them are known.
    pub fn replace_in_pragmas(&mut self) -> Result<(), Stop> {
        for at in 0..self.out.len() {
            let token = self.out[at];
            if token.kind != Kind::Pragma || !self.text(&token).starts_with("lineal ") {
                continue;
            }
            let text = self.text(&token).to_string();
            let mut tokens = self.scan_text(text.as_bytes(), token.pos);
            let words: Vec<&str> = tokens.iter().map(|t| self.text(t)).collect();
            let equals = words.iter().position(|w| *w == "=").unwrap_or(words.len());
            let kept: Vec<bool> = (0..words.len()).map(|i| is_ours(&words, equals, i)).collect();
            if !tokens.iter().zip(&kept).any(|(t, kept)| !kept && self.is_macro(t)) {
                continue;
            }
            tokens.iter_mut().zip(kept).for_each(|(t, kept)| t.blue |= kept);
            let replaced = self.replaced(tokens, Asked::Never)?;
            let text = self.apart(&replaced);
            self.out[at].text = self.names.intern(&text);
        }
        Ok(())
    }

    fn is_macro(&mut self, token: &Token) -> bool {
        token.kind == Kind::Name && matches!(self.slot(token.text), Slot::Builtin | Slot::Defined(_))
    }

    /// As written, with a space where two tokens would be read as one.
    fn apart(&self, tokens: &[Token]) -> String {
        let mut out = String::new();
        for token in tokens {
            let text = self.text(token);
            let merges = |a: char, b: char| is_of_name(a) && is_of_name(b) || a == b && "+-&|<>=".contains(a);
            let glued = out.chars().last().zip(text.chars().next()).is_some_and(|(a, b)| merges(a, b));
            if !out.is_empty() && (token.space || glued) {
                out.push(' ');
            }
            out.push_str(text);
        }
        out
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

fn is_of_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// What Lineal reads itself in the words of a line: all but calls, answers, conditions and numbers.
/// `equals`: where the first `=` stands.
fn is_ours(words: &[&str], equals: usize, i: usize) -> bool {
    const PLACES: [&str; 5] = ["value", "key", "prio", "thread", "result"];
    const CLAUSES: [&str; 5] = ["empty", "full", "if", "may", "fail"];
    if i < 2 || PLACES.contains(&words[i]) || CLAUSES.contains(&words[i]) {
        return true;
    }
    match words[1] {
        "op" | "spec" => i <= equals,
        "init" | "thread_init" | "fini" | "spec_init" | "values" => false,
        "object" => !(words[i - 1] == "=" && ["capacity", "count", "parties"].contains(&words[i - 2])),
        _ => true,
    }
}
