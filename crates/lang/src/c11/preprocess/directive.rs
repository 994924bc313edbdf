//! Lines that begin with `#`.

use super::expand::Asked;
use super::token::{Kind, Token};
use super::{Preprocessor, Stop};
use crate::c11::lex::{self, Pos};

impl Preprocessor<'_> {
    /// A directive whose `#` was read.
    pub fn directive(&mut self, hash: Pos) -> Result<(), Stop> {
        let Some(piece) = self.on_line()? else { return Ok(()) };
        let name = self.token(&piece)?;
        let word = self.names.text(name.text).clone();
        if name.kind == Kind::Name
            && &*word != "ifndef"
            && let Some(open) = self.open.last_mut()
        {
            open.unguarded();
        }
        match &*word {
            "if" => self.begin_if(hash),
            "ifdef" => self.begin_ifdef(hash, true),
            "ifndef" => self.begin_ifdef(hash, false),
            "elif" | "elifdef" | "elifndef" | "else" => self.end_group(name),
            "endif" => self.endif(name),
            "include" | "include_next" | "import" => self.include(name),
            _ if name.kind == Kind::Number => {
                let mut tokens = vec![name];
                tokens.extend(self.rest()?);
                self.line(name, &tokens)
            }
            _ => {
                let rest = self.rest()?;
                self.other(&word, name, hash, rest)
            }
        }
    }

    fn other(&mut self, word: &str, name: Token, hash: Pos, rest: Vec<Token>) -> Result<(), Stop> {
        match word {
            "define" => self.define(name.pos, &rest),
            "undef" => self.undefine(name.pos, &rest),
            "line" => {
                let rest = self.replaced(rest, Asked::Never)?;
                self.line(name, &rest)
            }
            "error" => {
                let text = self.spelled(&rest);
                self.error(hash_to(hash, name), format!("#error {text}").trim_end())
            }
            "warning" => {
                let text = self.spelled(&rest);
                self.warning(hash_to(hash, name), format!("#warning {text}").trim_end());
                Ok(())
            }
            "pragma" => self.pragma(hash, &rest),
            // Notes for the object file.
            "ident" | "sccs" => Ok(()),
            _ if name.kind == Kind::Name => self.error(name.pos, format!("`#{word}` is no directive")),
            _ => self.error(name.pos, format!("a directive begins with a name, not with `{word}`")),
        }
    }

    /// `#line 12 "file"`, or a line marker of a preprocessor: what the next line is called.
    fn line(&mut self, at: Token, tokens: &[Token]) -> Result<(), Stop> {
        let number = tokens.first().filter(|t| t.kind == Kind::Number);
        let digits = number.map_or("", |t| self.text(t));
        let Some(line) = digits.parse::<u32>().ok().filter(|_| digits.bytes().all(|b| b.is_ascii_digit()))
        else {
            return self.error(at.pos, "a number of a line is missing");
        };
        let file = match tokens.get(1) {
            None => None,
            Some(name) if name.kind == Kind::Str => {
                let bytes = lex::string(self.text(name));
                Some(String::from_utf8_lossy(&bytes).into_owned())
            }
            Some(other) => return self.error(other.pos, "the name of a file is a string"),
        };
        let file = file.map(|name| self.files.intern(&name));
        if let Some(open) = self.open.last_mut() {
            open.file = file.unwrap_or(open.file);
            open.shift = i64::from(line) - i64::from(open.scan.line());
        }
        Ok(())
    }

    /// Tokens as text.
    pub fn spelled(&self, tokens: &[Token]) -> String {
        let mut out = String::new();
        for (i, token) in tokens.iter().enumerate() {
            if i > 0 && token.space {
                out.push(' ');
            }
            out.push_str(self.text(token));
        }
        out
    }
}

/// The `#` and the word behind it.
fn hash_to(hash: Pos, name: Token) -> Pos {
    let end = name.pos.column.saturating_add(name.pos.len.into());
    let same = hash.line == name.pos.line && end > hash.column;
    let len = if same { (end - hash.column).min(u16::MAX.into()) as u16 } else { hash.len };
    Pos { len, ..hash }
}
