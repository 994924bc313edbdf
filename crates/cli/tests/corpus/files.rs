//! Which files the corpus has. A file that states no expectation is a mistake, not a spectator.

use crate::header::{self, Pair};
use std::path::{Path, PathBuf};

const TREES: [&str; 5] = ["examples", "litmus", "tests/c", "tests/csp", "tests/histories"];

pub struct File {
    /// Where the expectations are written.
    pub header: PathBuf,
    /// What `lineal` is run on.
    pub subject: PathBuf,
    pub shown: String,
    pub pairs: Result<Vec<Pair>, String>,
}

pub fn all(root: &Path) -> Vec<File> {
    let mut paths = Vec::new();
    for tree in TREES {
        walk(&root.join(tree), &mut paths);
    }
    paths.sort();
    paths.iter().filter_map(|path| file(root, path)).collect()
}

fn walk(dir: &Path, out: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(dir) else { return };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            walk(&path, out);
        } else {
            out.push(path);
        }
    }
}

fn file(root: &Path, path: &Path) -> Option<File> {
    let shown = path.strip_prefix(root).unwrap_or(path).display().to_string();
    let subject = match path.extension().and_then(|e| e.to_str()) {
        Some("c" | "csp") => path.to_path_buf(),
        // Parts of other files, and pages about them.
        Some("h" | "inc" | "md") => return None,
        Some("expect") => match subject_of(path) {
            Some(subject) => subject,
            None => {
                let pairs = Err("there is no file beside it that this is about".into());
                return Some(File { header: path.into(), subject: path.into(), shown, pairs });
            }
        },
        _ if expect_of(path).is_some() => return None,
        _ => {
            let pairs = Err("neither a header nor a `.expect` file beside it".into());
            return Some(File { header: path.into(), subject: path.into(), shown, pairs });
        }
    };
    let text = std::fs::read(path).map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    let pairs = text.map_err(|e| e.to_string()).and_then(|text| {
        if let Some(whole) = header::part_of(&text) {
            let there = path.parent().is_some_and(|dir| dir.join(&whole).is_file());
            return if there { Ok(vec![]) } else { Err(format!("part of `{whole}`, which does not exist")) };
        }
        let style = if path != subject { header::Style::Bare } else { header::Style::Comment };
        header::parse(&text, style)
    });
    Some(File { header: path.into(), subject, shown, pairs })
}

/// `log.edn.expect`, or `log.expect` if one other file is called `log.*`.
fn subject_of(expect: &Path) -> Option<PathBuf> {
    let whole = expect.with_extension("");
    if whole.is_file() {
        return Some(whole);
    }
    let stem = expect.file_stem()?;
    let mut others = expect.parent()?.read_dir().ok()?.flatten().map(|e| e.path()).filter(|p| {
        p.is_file()
            && p.file_stem() == Some(stem)
            && p.extension().is_some_and(|e| e != "expect" && e != "md")
    });
    let first = others.next()?;
    others.next().is_none().then_some(first)
}

fn expect_of(path: &Path) -> Option<PathBuf> {
    let mut long = path.as_os_str().to_owned();
    long.push(".expect");
    [PathBuf::from(long), path.with_extension("expect")].into_iter().find(|p| p.is_file())
}
