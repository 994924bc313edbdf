//! Bytes → pieces of one file: lines are spliced, comments are white space, positions are those of
//! the file as it was written.
//!
//! Lenient by design: text that is skipped or only quoted may hold anything, so a literal that is
//! not closed and characters that are no C are pieces like any other. Trigraphs are not replaced, as
//! in gcc's gnu11. Columns count characters.

use super::token::{Kind, Sym, known};
use std::rc::Rc;

/// One piece of a file: a token, or the end of a line.
#[derive(Clone, Copy, Debug)]
pub struct Piece {
    pub what: What,
    pub start: usize,
    pub end: usize,
    /// Its spelling is broken by a backslash at the end of a line.
    spliced: bool,
    pub space: bool,
    /// Nothing but white space comes before it on its line.
    pub first: bool,
    pub line: u32,
    pub column: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    Token(Kind),
    Punct(Sym),
    Newline,
    /// A comment that is not closed; the end of the file follows.
    OpenComment,
    End,
}

#[derive(Clone, Debug)]
pub struct Scanner {
    text: Rc<[u8]>,
    state: State,
    ascii: bool,
}

/// Where the scanner is; it can be put back.
#[derive(Clone, Copy, Debug)]
pub struct State {
    at: usize,
    line: u32,
    line_start: usize,
    /// How many lines were spliced so far.
    splices: u32,
    /// The next token is the first of its line.
    first: bool,
    /// Up to where characters of the line were counted, and how many there were.
    counted: (usize, u32),
}

impl Scanner {
    pub fn new(text: Rc<[u8]>) -> Self {
        let ascii = text.is_ascii();
        // A mark at the beginning that some editors leave.
        let at = if text.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
        let state = State { at, line: 1, line_start: at, splices: 0, first: true, counted: (at, 0) };
        Scanner { text, state, ascii }
    }

    pub fn state(&self) -> State {
        self.state
    }

    pub fn reset(&mut self, state: State) {
        self.state = state;
    }

    pub fn line(&self) -> u32 {
        self.state.line
    }

    /// How many characters of the file it takes.
    pub fn width(&self, piece: &Piece) -> usize {
        match self.ascii {
            true => piece.end - piece.start,
            false => self.text[piece.start..piece.end].iter().filter(|b| **b & 0xc0 != 0x80).count(),
        }
    }

    /// The spelling of a piece.
    pub fn spelling(&self, piece: &Piece) -> std::borrow::Cow<'_, [u8]> {
        let whole = &self.text[piece.start..piece.end];
        if !piece.spliced {
            return whole.into();
        }
        let mut out = Vec::with_capacity(whole.len());
        let mut at = 0;
        while at < whole.len() {
            match splice(whole, at) {
                Some(next) => at = next,
                None => {
                    out.push(whole[at]);
                    at += 1;
                }
            }
        }
        out.into()
    }

    /// The byte under way, behind any splices; 0 at the end.
    fn now(&mut self) -> u8 {
        loop {
            match self.text.get(self.state.at) {
                Some(b'\\') => match splice(&self.text, self.state.at) {
                    Some(next) => {
                        self.state.splices += 1;
                        self.new_line(next);
                    }
                    None => return b'\\',
                },
                Some(byte) => return *byte,
                None => return 0,
            }
        }
    }

    /// The byte after the one under way.
    fn then(&mut self) -> u8 {
        let state = self.state;
        self.now();
        self.state.at += 1;
        let byte = self.now();
        self.state = state;
        byte
    }

    fn at_end(&self) -> bool {
        self.state.at >= self.text.len()
    }

    fn new_line(&mut self, at: usize) {
        self.state.at = at;
        self.state.line = self.state.line.saturating_add(1);
        self.state.line_start = at;
        self.state.counted = (at, 0);
    }

    fn column(&mut self) -> u32 {
        let at = self.state.at;
        if self.ascii {
            return (at - self.state.line_start + 1).min(u32::MAX as usize) as u32;
        }
        let (from, mut count) = self.state.counted;
        // Bytes of a character behind its first are not counted.
        count += self.text[from..at].iter().filter(|b| **b & 0xc0 != 0x80).count() as u32;
        self.state.counted = (at, count);
        count + 1
    }

    /// Skips white space and comments; whether there was any, and the column of a comment that is not
    /// closed.
    fn blank(&mut self) -> (bool, Option<u32>) {
        let mut space = false;
        loop {
            match self.now() {
                b' ' | b'\t' | b'\r' | 0x0b | 0x0c => self.state.at += 1,
                b'/' => match self.then() {
                    b'/' => {
                        while self.now() != b'\n' && !self.at_end() {
                            self.state.at += 1;
                        }
                    }
                    b'*' => {
                        self.now();
                        let state = self.state;
                        let column = self.column();
                        if !self.comment() {
                            // Its beginning is what will be shown.
                            self.state = State { at: self.text.len(), first: false, ..state };
                            return (true, Some(column));
                        }
                    }
                    _ => return (space, None),
                },
                _ => return (space, None),
            }
            space = true;
        }
    }

    /// Skips `/* … */`.
    fn comment(&mut self) -> bool {
        self.state.at += 1;
        self.now();
        self.state.at += 1;
        while !self.at_end() {
            let byte = self.now();
            if byte == b'*' && self.then() == b'/' {
                self.state.at += 1;
                self.now();
                self.state.at += 1;
                return true;
            }
            match byte {
                b'\n' => self.new_line(self.state.at + 1),
                _ => self.state.at += 1,
            }
        }
        false
    }

    pub fn next(&mut self) -> Piece {
        let (space, open_comment) = self.blank();
        let byte = self.now();
        let splices = self.state.splices;
        let start = self.state.at;
        let mut piece = Piece {
            what: What::End,
            start,
            end: start,
            spliced: false,
            space,
            first: self.state.first,
            line: self.state.line,
            column: 0,
        };
        if let Some(column) = open_comment {
            (piece.what, piece.column) = (What::OpenComment, column);
            return piece;
        }
        piece.column = self.column();
        if byte == b'\n' || self.at_end() {
            if !self.at_end() {
                piece.what = What::Newline;
                self.new_line(start + 1);
            } else if !self.state.first {
                // The last line need not be closed.
                piece.what = What::Newline;
            }
            self.state.first = true;
            return piece;
        }
        self.state.first = false;
        piece.what = self.token(byte);
        piece.end = self.state.at;
        piece.spliced = self.state.splices != splices;
        piece
    }

    /// `<…>` or `"…"` as `#include` has it, if that is what comes next on this line.
    pub fn header(&mut self) -> Option<Piece> {
        let state = self.state;
        let (space, _) = self.blank();
        let close = match self.now() {
            b'<' => b'>',
            b'"' => b'"',
            _ => {
                self.state = state;
                return None;
            }
        };
        let (start, line, column, splices) =
            (self.state.at, self.state.line, self.column(), self.state.splices);
        self.state.at += 1;
        while self.now() != close {
            if self.now() == b'\n' || self.at_end() {
                self.state = state;
                return None;
            }
            self.state.at += 1;
        }
        self.state.at += 1;
        let spliced = self.state.splices != splices;
        let what = What::Token(Kind::Header);
        Some(Piece { what, start, end: self.state.at, spliced, space, first: false, line, column })
    }

    fn token(&mut self, first: u8) -> What {
        match first {
            b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'$' => self.name(),
            b'0'..=b'9' => self.number(),
            b'.' if self.then().is_ascii_digit() => self.number(),
            b'"' | b'\'' => self.quoted(first),
            0x80.. => {
                self.state.at += 1;
                while self.text.get(self.state.at).is_some_and(|b| *b & 0xc0 == 0x80) {
                    self.state.at += 1;
                }
                What::Token(Kind::Other)
            }
            _ => {
                self.state.at += 1;
                self.punctuator(first).map_or(What::Token(Kind::Other), What::Punct)
            }
        }
    }

    fn name(&mut self) -> What {
        let start = self.state.at;
        while matches!(self.now(), b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'0'..=b'9' | b'$') {
            self.state.at += 1;
        }
        let quote = self.now();
        if matches!(quote, b'"' | b'\'') && self.state.at - start <= 2 {
            let prefix = &self.text[start..self.state.at];
            if matches!(prefix, b"L" | b"u" | b"U") || (prefix == b"u8" && quote == b'"') {
                return self.quoted(quote);
            }
        }
        What::Token(Kind::Name)
    }

    fn number(&mut self) -> What {
        loop {
            match self.now() {
                b'e' | b'E' | b'p' | b'P' if matches!(self.then(), b'+' | b'-') => {
                    self.state.at += 1;
                    self.now();
                }
                b'.' | b'_' | b'$' => {}
                c if c.is_ascii_alphanumeric() => {}
                _ => return What::Token(Kind::Number),
            }
            self.state.at += 1;
        }
    }

    fn quoted(&mut self, quote: u8) -> What {
        self.now();
        self.state.at += 1;
        loop {
            let byte = self.now();
            if byte == b'\n' || self.at_end() {
                return What::Token(Kind::Other);
            }
            self.state.at += 1;
            if byte == quote {
                return What::Token(if quote == b'"' { Kind::Str } else { Kind::Char });
            }
            if byte == b'\\' {
                if self.now() == b'\n' || self.at_end() {
                    return What::Token(Kind::Other);
                }
                self.state.at += 1;
            }
        }
    }

    /// Takes the next byte if it is this one.
    fn eat(&mut self, byte: u8) -> bool {
        let found = self.now() == byte && !self.at_end();
        if found {
            self.state.at += 1;
        }
        found
    }

    /// The longest punctuator that begins with a byte already taken.
    fn punctuator(&mut self, first: u8) -> Option<Sym> {
        use known::*;
        Some(match first {
            b'(' => OPEN,
            b')' => CLOSE,
            b'[' => OPEN_BRACKET,
            b']' => CLOSE_BRACKET,
            b'{' => OPEN_BRACE,
            b'}' => CLOSE_BRACE,
            b';' => SEMICOLON,
            b',' => COMMA,
            b'?' => QUESTION,
            b'~' => TILDE,
            b'.' => {
                if self.now() == b'.' && self.then() == b'.' {
                    self.eat(b'.');
                    self.eat(b'.');
                    ELLIPSIS
                } else {
                    DOT
                }
            }
            b':' if self.eat(b'>') => CLOSE_BRACKET_2,
            b':' => COLON,
            b'=' if self.eat(b'=') => EQUAL,
            b'=' => SET,
            b'!' if self.eat(b'=') => UNEQUAL,
            b'!' => NOT,
            b'*' if self.eat(b'=') => TIMES_SET,
            b'*' => TIMES,
            b'/' if self.eat(b'=') => DIVIDE_SET,
            b'/' => DIVIDE,
            b'^' if self.eat(b'=') => XOR_SET,
            b'^' => XOR,
            b'#' if self.eat(b'#') => PASTE,
            b'#' => HASH,
            b'+' if self.eat(b'+') => INCREMENT,
            b'+' if self.eat(b'=') => PLUS_SET,
            b'+' => PLUS,
            b'-' if self.eat(b'-') => DECREMENT,
            b'-' if self.eat(b'=') => MINUS_SET,
            b'-' if self.eat(b'>') => ARROW,
            b'-' => MINUS,
            b'&' if self.eat(b'&') => AND_AND,
            b'&' if self.eat(b'=') => AND_SET,
            b'&' => AND,
            b'|' if self.eat(b'|') => OR_OR,
            b'|' if self.eat(b'=') => OR_SET,
            b'|' => OR,
            b'<' if self.eat(b'<') => {
                if self.eat(b'=') {
                    SHIFT_LEFT_SET
                } else {
                    SHIFT_LEFT
                }
            }
            b'<' if self.eat(b'=') => AT_MOST,
            b'<' if self.eat(b':') => OPEN_BRACKET_2,
            b'<' if self.eat(b'%') => OPEN_BRACE_2,
            b'<' => LESS,
            b'>' if self.eat(b'>') => {
                if self.eat(b'=') {
                    SHIFT_RIGHT_SET
                } else {
                    SHIFT_RIGHT
                }
            }
            b'>' if self.eat(b'=') => AT_LEAST,
            b'>' => GREATER,
            b'%' if self.eat(b'=') => REMAINDER_SET,
            b'%' if self.eat(b'>') => CLOSE_BRACE_2,
            b'%' if self.eat(b':') => {
                if self.now() == b'%' && self.then() == b':' {
                    self.eat(b'%');
                    self.eat(b':');
                    PASTE_2
                } else {
                    HASH_2
                }
            }
            b'%' => REMAINDER,
            _ => return None,
        })
    }
}

/// The end of a backslash and the line break behind it; blanks between the two are forgiven, as by
/// gcc.
fn splice(text: &[u8], at: usize) -> Option<usize> {
    if text.get(at) != Some(&b'\\') {
        return None;
    }
    let mut end = at + 1;
    while matches!(text.get(end), Some(b' ' | b'\t' | b'\r' | 0x0b | 0x0c)) {
        end += 1;
    }
    (text.get(end) == Some(&b'\n')).then_some(end + 1)
}
