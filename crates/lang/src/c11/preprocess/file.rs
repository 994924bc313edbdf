//! The files that are open, one including the next, and those that were read before.

use super::scan::{Piece, Scanner, What};
use super::token::{Kind, Sym, Token};
use super::{Preprocessor, Shelf, Stop};
use crate::c11::lex::Pos;
use lineal_model::Diagnostic;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// A file that is being read.
pub struct Open {
    pub scan: Scanner,
    /// By which name it goes, as `#line` says; and by how much its line numbers are off.
    pub file: u16,
    pub shift: i64,
    /// What it is of those that were read, if it came from the shelf.
    pub entry: Option<usize>,
    /// The directory it is in, with its slash.
    pub dir: String,
    /// Where in the search path it was found.
    pub found: usize,
    /// How many files include it.
    pub level: u32,
    pub conditions: Vec<Condition>,
    pub guard: Guard,
}

/// An `#if` that is open.
pub struct Condition {
    pub pos: Pos,
    /// One of its groups counted, so none of the following does.
    pub taken: bool,
    /// `#else` was seen.
    pub last: bool,
}

/// Whether a file is nothing but `#ifndef X … #endif`: it need not be read again while `X` is defined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Guard {
    /// Nothing was seen yet.
    Start,
    Inside(Sym),
    Behind(Sym),
    No,
}

/// What was read.
pub struct Store<'a> {
    shelf: &'a dyn Shelf,
    pub entries: Vec<Entry>,
    by_path: FxHashMap<String, Option<usize>>,
}

pub struct Entry {
    pub path: String,
    pub text: Rc<[u8]>,
    /// `#pragma once`.
    pub once: bool,
    pub guard: Option<Sym>,
}

impl<'a> Store<'a> {
    pub fn new(shelf: &'a dyn Shelf) -> Self {
        Store { shelf, entries: Vec::new(), by_path: FxHashMap::default() }
    }

    /// The file of this name, if there is one.
    pub fn find(&mut self, path: &str) -> Result<Option<usize>, Diagnostic> {
        if let Some(found) = self.by_path.get(path) {
            return Ok(*found);
        }
        let found = self.shelf.read(path)?.map(|text| {
            self.entries.push(Entry { path: path.into(), text, once: false, guard: None });
            self.entries.len() - 1
        });
        self.by_path.insert(path.into(), found);
        Ok(found)
    }

    /// Whether it asked to be read only once, by this name or by another.
    pub fn is_done(&self, entry: usize) -> bool {
        let text = &self.entries[entry].text;
        self.entries[entry].once || self.entries.iter().any(|e| e.once && e.text == *text)
    }
}

impl Open {
    pub fn new(text: Rc<[u8]>, file: u16) -> Self {
        Open {
            scan: Scanner::new(text),
            file,
            shift: 0,
            entry: None,
            dir: String::new(),
            found: 0,
            level: 0,
            conditions: Vec::new(),
            guard: Guard::Start,
        }
    }

    pub fn pos(&self, piece: &Piece) -> Pos {
        let line = (i64::from(piece.line) + self.shift).clamp(0, i64::from(u32::MAX)) as u32;
        let len = self.scan.width(piece).min(usize::from(u16::MAX)) as u16;
        Pos { file: self.file, len, line, column: piece.column }
    }

    /// The line under way.
    pub fn line(&self) -> Pos {
        let line = (i64::from(self.scan.line()) + self.shift).clamp(0, i64::from(u32::MAX)) as u32;
        Pos { file: self.file, line, ..Pos::default() }
    }

    /// Something stands outside of all conditions.
    pub fn unguarded(&mut self) {
        if self.conditions.is_empty() {
            self.guard = Guard::No;
        }
    }
}

/// The part of a path up to its last slash.
pub fn dir_of(path: &str) -> &str {
    &path[..path.rfind('/').map_or(0, |at| at + 1)]
}

impl Preprocessor<'_> {
    /// Opens the source, and above it what is to be read first.
    pub fn begin(&mut self, name: &str, text: &[u8]) -> Result<(), Stop> {
        let file = self.files.intern(name);
        self.open.push(Open { dir: dir_of(name).into(), ..Open::new(text.into(), file) });
        for header in self.setup.include.iter().rev() {
            self.include_first(header)?;
        }
        if !self.setup.define.is_empty() {
            let mut text = String::new();
            for define in self.setup.define {
                let (name, value) = define.split_once('=').unwrap_or((define, "1"));
                text += &format!("#define {name} {value}").replace('\n', " ");
                text.push('\n');
            }
            let file = self.files.intern("<command line>");
            self.open.push(Open::new(text.as_bytes().into(), file));
        }
        Ok(())
    }

    /// The file under way has ended.
    pub fn close(&mut self) -> Result<(), Stop> {
        let Some(open) = self.open.pop() else { return Ok(()) };
        if let (Guard::Behind(name), Some(entry)) = (open.guard, open.entry) {
            self.store.entries[entry].guard = Some(name);
        }
        for condition in open.conditions.iter().rev() {
            self.error(condition.pos, "this condition has no #endif")?;
        }
        Ok(())
    }

    /// A piece of the file under way as a token.
    pub fn token(&mut self, piece: &Piece) -> Result<Token, Stop> {
        self.charge(1)?;
        let Some(open) = self.open.last() else { return Err(Stop) };
        let pos = open.pos(piece);
        let space = piece.space || piece.first;
        let (kind, text) = match piece.what {
            What::Punct(sym) => (Kind::Punct, sym),
            What::Token(kind) => {
                let bytes = open.scan.spelling(piece);
                match std::str::from_utf8(&bytes) {
                    Ok(text) => (kind, self.names.intern(text)),
                    Err(error) => {
                        let byte = bytes[error.valid_up_to()];
                        let shown = String::from_utf8_lossy(&bytes).into_owned();
                        let before = String::from_utf8_lossy(&bytes[..error.valid_up_to()]).chars().count();
                        let pos = Pos { column: pos.column + before as u32, len: 1, ..pos };
                        let message = format!("the byte 0x{byte:02x} is not UTF-8 text");
                        self.report(Diagnostic::error("L0003", message).at(self.files.place(pos)))?;
                        (kind, self.names.intern(&shown))
                    }
                }
            }
            _ => (Kind::Other, self.names.intern("")),
        };
        Ok(Token { kind, space, blue: false, text, pos })
    }

    /// The rest of the line under way.
    pub fn rest(&mut self) -> Result<Vec<Token>, Stop> {
        let mut tokens: Vec<Token> = Vec::new();
        while let Some(piece) = self.on_line()? {
            tokens.push(self.token(&piece)?);
        }
        Ok(tokens)
    }

    /// The next piece of the line under way.
    pub fn on_line(&mut self) -> Result<Option<Piece>, Stop> {
        let Some(open) = self.open.last_mut() else { return Ok(None) };
        let piece = open.scan.next();
        match piece.what {
            What::Newline | What::End => Ok(None),
            What::OpenComment => {
                let pos = open.pos(&piece);
                self.error(pos, "this comment is not closed")?;
                Ok(None)
            }
            _ => Ok(Some(piece)),
        }
    }
}
