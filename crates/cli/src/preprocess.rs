//! Reads C sources and what they include from files.
//!
//! Decided here: what a file must be to be read at all. Where headers are looked for, and all else
//! about preprocessing, is for `lang` to say.

use crate::desk::Desk;
use crate::options::SourceArgs;
use lineal_lang::c11::Unit;
use lineal_lang::c11::orders::Source;
use lineal_lang::c11::preprocess::{Setup, Shelf, bundled};
use lineal_model::Diagnostic;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// No program that people wrote is larger.
const LARGEST: u64 = 64 << 20;

/// All sources of the command line; warnings are on the desk.
pub fn run(args: &SourceArgs, desk: &Desk) -> Result<Vec<Unit>, Vec<Diagnostic>> {
    let mut texts = Vec::new();
    let mut problems = Vec::new();
    for file in &args.files {
        let name = file.display().to_string();
        match source(file, desk) {
            Ok(Some(text)) => texts.push((name, text)),
            Ok(None) => problems.push(Diagnostic::error("L0001", format!("there is no file `{name}`"))),
            Err(d) => problems.push(d),
        }
    }
    if !problems.is_empty() {
        return Err(problems);
    }
    let words = Words::new(args);
    let mut units = Vec::new();
    for (name, text) in texts {
        match Unit::new(&name, &text, words.setup(), &Disk(desk)) {
            Ok((unit, warnings)) => {
                desk.diagnostics(warnings);
                units.push(unit);
            }
            Err(found) => problems.extend(found),
        }
    }
    if problems.is_empty() { Ok(units) } else { Err(problems) }
}

/// The same sources, of which some files have other texts; nothing is put on the desk.
pub fn changed(args: &SourceArgs, texts: &[Source], desk: &Desk) -> Result<Vec<Unit>, Vec<Diagnostic>> {
    let words = Words::new(args);
    let shelf = Changed { texts, disk: Disk(desk) };
    let read = |file: &PathBuf| {
        let name = file.display().to_string();
        let gone = || vec![Diagnostic::error("L0001", format!("there is no file `{name}`"))];
        let text = shelf.read(&name).map_err(|d| vec![d])?.ok_or_else(gone)?;
        Unit::new(&name, &text, words.setup(), &shelf).map(|(unit, _)| unit)
    };
    args.files.iter().map(read).collect()
}

/// Text that is in no file, behind the files that are to be read first. Warnings are about those, and
/// were told when they were read themselves.
pub fn text(name: &str, text: &str, args: &SourceArgs, desk: &Desk) -> Result<Unit, Vec<Diagnostic>> {
    Unit::new(name, text.as_bytes(), Words::new(args).setup(), &Disk(desk)).map(|(unit, _)| unit)
}

/// The flags as texts.
struct Words {
    define: Vec<String>,
    include_dirs: Vec<String>,
    include: Vec<String>,
}

impl Words {
    fn new(args: &SourceArgs) -> Self {
        let texts = |paths: &[PathBuf]| paths.iter().map(|p| p.display().to_string()).collect();
        Words {
            define: args.define.clone(),
            include_dirs: texts(&args.include_dirs),
            include: texts(&args.include),
        }
    }

    fn setup(&self) -> Setup<'_> {
        Setup { define: &self.define, include_dirs: &self.include_dirs, include: &self.include }
    }
}

/// Files of this machine, and the bundled headers.
struct Disk<'a>(&'a Desk);

impl Shelf for Disk<'_> {
    fn read(&self, path: &str) -> Result<Option<Rc<[u8]>>, Diagnostic> {
        match bundled(path) {
            Some(text) => {
                self.0.source(path, text);
                Ok(Some(text.as_bytes().into()))
            }
            // As for a compiler, a directory is no header.
            None if Path::new(path).is_dir() => Ok(None),
            None => source(Path::new(path), self.0),
        }
    }
}

/// Files of which some have other texts.
struct Changed<'a> {
    texts: &'a [Source],
    disk: Disk<'a>,
}

impl Shelf for Changed<'_> {
    fn read(&self, path: &str) -> Result<Option<Rc<[u8]>>, Diagnostic> {
        match self.texts.iter().find(|s| s.name == path) {
            Some(source) => Ok(Some(source.text.as_bytes().into())),
            None => self.disk.read(path),
        }
    }
}

/// A file that can be a C source; its text is kept for showing lines of it.
fn source(file: &Path, desk: &Desk) -> Result<Option<Rc<[u8]>>, Diagnostic> {
    let name = file.display();
    let unreadable =
        |error: std::io::Error| Diagnostic::error("L0001", format!("cannot read `{name}`: {error}"));
    let about = match std::fs::metadata(file) {
        Ok(about) => about,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) if error.kind() == std::io::ErrorKind::NotADirectory => return Ok(None),
        Err(error) => return Err(unreadable(error)),
    };
    if about.is_dir() {
        return Err(Diagnostic::error("L0002", format!("`{name}` is a directory"))
            .help("name the C files in it; together they are one program"));
    }
    if !about.is_file() {
        // A device or a pipe may never end.
        return Err(Diagnostic::error("L0002", format!("`{name}` is no regular file")));
    }
    if about.len() > LARGEST {
        let most = lineal_report::bytes(LARGEST);
        return Err(Diagnostic::error("L0008", format!("`{name}` is larger than {most}")));
    }
    let bytes = std::fs::read(file).map_err(unreadable)?;
    if let Some(nul) = bytes.iter().position(|b| *b == 0) {
        let line = 1 + bytes[..nul].iter().filter(|b| **b == b'\n').count();
        let message = format!("`{name}` is no C source: it has a NUL byte in line {line}");
        return Err(Diagnostic::error("L0003", message));
    }
    desk.source(&name.to_string(), &String::from_utf8_lossy(&bytes));
    Ok(Some(bytes.into()))
}
