//! Where logs come from: files, standard input, Jepsen's store; plain, gzip or zstd.

use super::watch::Watch;
use lineal_model::{Diagnostic, Place};
use std::fs::File;
use std::io::{self, Chain, Cursor, Read};
use std::path::{Path, PathBuf};

#[derive(Clone, Debug)]
pub struct Input {
    pub name: String,
    path: Option<PathBuf>,
}

/// The logs that a name on the command line stands for.
pub fn find(name: &Path) -> Result<Vec<Input>, Diagnostic> {
    if name.as_os_str() == "-" {
        return Ok(vec![Input { name: "standard input".into(), path: None }]);
    }
    let at = || Place::line(name.display().to_string(), 1);
    if !name.is_dir() {
        return Ok(vec![Input { name: name.display().to_string(), path: Some(name.into()) }]);
    }
    let mut found = Vec::new();
    store(name, &mut found)
        .map_err(|e| Diagnostic::error("L0314", format!("cannot read the directory: {e}")).at(at()))?;
    match found.is_empty() {
        true => Err(Diagnostic::error("L0319", "no history.edn in this directory or below").at(at())),
        false => Ok(found),
    }
}

/// A directory with a history, or all such directories below. Links (`latest`) are not followed.
fn store(directory: &Path, found: &mut Vec<Input>) -> io::Result<()> {
    for name in ["history.edn", "history.edn.gz", "history.edn.zst"] {
        let path = directory.join(name);
        if path.is_file() {
            found.push(Input { name: path.display().to_string(), path: Some(path) });
            return Ok(());
        }
    }
    let mut below: Vec<PathBuf> = Vec::new();
    for entry in std::fs::read_dir(directory)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            below.push(entry.path());
        }
    }
    below.sort();
    below.iter().try_for_each(|d| store(d, found))
}

impl Input {
    /// Opens the log and takes any compression off.
    pub fn open<'a>(&self, watch: &'a Watch) -> io::Result<Box<dyn Read + 'a>> {
        let mut raw: Box<dyn Read> = match &self.path {
            None => Box::new(io::stdin()),
            Some(path) => Box::new(File::open(path)?),
        };
        let mut magic = Vec::with_capacity(4);
        raw.by_ref().take(4).read_to_end(&mut magic)?;
        let gzip = magic.starts_with(&[0x1f, 0x8b]);
        let zstd = magic == [0x28, 0xb5, 0x2f, 0xfd];
        let whole: Chain<Cursor<Vec<u8>>, Box<dyn Read>> = Cursor::new(magic).chain(raw);
        let plain: Box<dyn Read> = if gzip {
            Box::new(flate2::read::MultiGzDecoder::new(whole))
        } else if zstd {
            Box::new(ruzstd::decoding::StreamingDecoder::new(whole).map_err(io::Error::other)?)
        } else {
            Box::new(whole)
        };
        Ok(Box::new(Watched { plain, watch }))
    }
}

/// Stops reading when a limit is reached.
struct Watched<'a> {
    plain: Box<dyn Read>,
    watch: &'a Watch,
}

impl Read for Watched<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.watch.reached() {
            Some(limit) => Err(io::Error::other(limit.message)),
            None => self.plain.read(buffer),
        }
    }
}
