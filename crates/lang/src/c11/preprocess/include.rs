//! `#include`: where headers are looked for, and which need not be read again.
//!
//! A name in quotes is looked for beside the file that includes it, then every name in the directories
//! of the command line, then among the bundled headers.

use super::expand::Asked;
use super::file::{Open, dir_of};
use super::token::{Kind, Token, known};
use super::{Preprocessor, Stop};
use crate::c11::headers;
use crate::c11::lex::{self, Pos};
use lineal_model::Diagnostic;

/// How deep files may include one another, as for gcc.
const DEEPEST: u32 = 200;
/// Where bundled headers seem to be.
pub const BUNDLED: &str = "<lineal>";

/// What a directive names.
pub struct Header {
    name: String,
    /// In quotes: looked for beside the file, too.
    quoted: bool,
}

impl Header {
    /// From `"a.h"` or `<a.h>`.
    pub fn of(text: &str) -> Option<Header> {
        let inner = text.get(1..text.len().checked_sub(1)?)?;
        (!inner.is_empty()).then(|| Header { name: inner.into(), quoted: text.starts_with('"') })
    }
}

impl Preprocessor<'_> {
    pub fn include(&mut self, word: Token) -> Result<(), Stop> {
        let piece = self.open.last_mut().and_then(|open| open.scan.header());
        let (header, pos) = match piece {
            Some(piece) => {
                let token = self.token(&piece)?;
                self.rest()?;
                (Header::of(self.text(&token)), token.pos)
            }
            None => {
                let tokens = self.rest()?;
                let tokens = self.replaced(tokens, Asked::Never)?;
                (self.header(&tokens), tokens.first().map_or(word.pos, |t| t.pos))
            }
        };
        let Some(header) = header else {
            let message = format!("#{} needs \"FILE\" or <FILE>", self.text(&word));
            return self.error(pos, message);
        };
        let next = self.text(&word) == "include_next";
        let import = self.text(&word) == "import";
        let Some((entry, found)) = self.search(&header, next, Some(pos))? else {
            return self.fatal(missing(&header.name).at(self.files.place(pos)));
        };
        self.enter_file(entry, found, pos)?;
        self.store.entries[entry].once |= import;
        Ok(())
    }

    /// A header as macros or strings give it.
    pub fn header(&self, tokens: &[Token]) -> Option<Header> {
        match tokens.split_first()? {
            (first, _) if first.kind == Kind::Header => Header::of(self.text(first)),
            (first, _) if first.kind == Kind::Str && self.text(first).starts_with('"') => Some(Header {
                name: String::from_utf8_lossy(&lex::string(self.text(first))).into(),
                quoted: true,
            }),
            (first, rest) if first.is(known::LESS) => {
                let end = rest.iter().position(|t| t.is(known::GREATER))?;
                Header::of(&format!("<{}>", self.spelled(&rest[..end])))
            }
            _ => None,
        }
    }

    /// The file that is meant, and where it was found.
    pub fn search(
        &mut self,
        header: &Header,
        next: bool,
        at: Option<Pos>,
    ) -> Result<Option<(usize, usize)>, Stop> {
        let dirs = self.setup.include_dirs;
        let from = match self.open.last() {
            Some(open) if next && open.level > 0 => open.found + 1,
            _ => usize::from(!header.quoted),
        };
        for place in from..dirs.len() + 2 {
            let path = match place {
                _ if header.name.starts_with('/') => header.name.clone(),
                0 => format!("{}{}", self.open.last().map_or("", |o| &o.dir), header.name),
                n if n <= dirs.len() => format!("{}/{}", dirs[n - 1].trim_end_matches('/'), header.name),
                _ => format!("{BUNDLED}/{}", header.name),
            };
            match self.store.find(&path) {
                Ok(Some(entry)) => return Ok(Some((entry, place))),
                Ok(None) => {}
                Err(mut d) => {
                    if let (Some(pos), None) = (at, &d.at) {
                        d = d.at(self.files.place(pos));
                    }
                    return self.fatal(d);
                }
            }
        }
        Ok(None)
    }

    /// A file that the command line wants read first: looked for where the command runs.
    pub fn include_first(&mut self, name: &str) -> Result<(), Stop> {
        let header = Header { name: name.into(), quoted: true };
        let here = self.open.last_mut().map(|open| std::mem::take(&mut open.dir));
        let found = self.search(&header, false, None);
        if let (Some(open), Some(dir)) = (self.open.last_mut(), here) {
            open.dir = dir;
        }
        let Some((entry, found)) = found? else { return self.fatal(missing(name)) };
        self.enter_file(entry, found, Pos::default())
    }

    fn enter_file(&mut self, entry: usize, found: usize, at: Pos) -> Result<(), Stop> {
        let level = self.open.last().map_or(0, |open| open.level + 1);
        let known = &self.store.entries[entry];
        let guarded = known.guard;
        if self.store.is_done(entry) || guarded.is_some_and(|name| self.is_defined(name)) {
            return Ok(());
        }
        if level > DEEPEST {
            let d = Diagnostic::error("L0008", format!("files include one another more than {DEEPEST} deep"));
            return self.fatal(d.at(self.files.place(at)));
        }
        let known = &self.store.entries[entry];
        let file = self.files.intern(&known.path);
        let dir = dir_of(&known.path).to_string();
        let open = Open { entry: Some(entry), dir, found, level, ..Open::new(known.text.clone(), file) };
        self.open.push(open);
        Ok(())
    }
}

fn missing(name: &str) -> Diagnostic {
    let own = headers().len();
    Diagnostic::error("L0006", format!("there is no header `{name}`"))
        .note(
            format!(
                "Lineal has {own} system headers of its own, of C11, POSIX and Linux; this is none of them"
            ),
            None,
        )
        .help("for headers of your own, add -I DIR; leave others out with #ifndef __LINEAL__")
}
