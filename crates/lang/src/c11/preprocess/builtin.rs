//! Macros whose text depends on where they stand. None depends on the clock: `__DATE__` and
//! `__TIME__` are fixed.

use super::Preprocessor;
use super::token::{Kind, Token, known};

impl Preprocessor<'_> {
    /// What such a macro is replaced by.
    pub fn builtin(&mut self, name: &Token) -> Token {
        let quoted = |text: &str| format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""));
        let text = match name.text {
            known::LINE => name.pos.line.to_string(),
            known::FILE => quoted(&self.files.place(name.pos).file),
            known::BASE_FILE => quoted(&self.base),
            known::DATE => "\"Jan  1 1970\"".into(),
            known::TIME => "\"00:00:00\"".into(),
            known::TIMESTAMP => "\"Thu Jan  1 00:00:00 1970\"".into(),
            known::INCLUDE_LEVEL => self.open.last().map_or(0, |open| open.level).to_string(),
            _ => {
                self.counter += 1;
                (self.counter - 1).to_string()
            }
        };
        let kind = if text.starts_with('"') { Kind::Str } else { Kind::Number };
        Token { kind, text: self.names.intern(&text), ..*name }
    }
}
