//! Transcripts: `tests/transcripts/*.md` are documents whose commands are run.
//!
//! A fenced block with `file=NAME` in its first line is a file of the scratch directory; a
//! `console` block holds commands (`$ …`), what they print (both streams), and `? N` where the
//! exit code is not 0. Commands go to `sh`, with `lineal` on the path, a width of 100 and no
//! colours. Times, sizes and replay tokens are shown as `…`; in an expectation `[..]` stands for anything within
//! a line, and a line `...` for any lines. `LINEAL_BLESS=1` rewrites outputs that do not match.

mod page;
mod pattern;

use libtest_mimic::{Arguments, Failed, Trial};
use page::{Block, Command};
use std::path::{Path, PathBuf};
use std::process::Stdio;

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the workspace");
    let mut trials = pattern::trials();
    let mut pages: Vec<PathBuf> = std::fs::read_dir(root.join("tests/transcripts"))
        .map(|dir| dir.flatten().map(|e| e.path()).collect())
        .unwrap_or_default();
    pages.retain(|p| p.extension().is_some_and(|e| e == "md"));
    pages.sort();
    for page in pages {
        let name = page.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let root = root.clone();
        trials.push(Trial::test(name, move || one(&root, &page)));
    }
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}

fn one(root: &Path, path: &Path) -> Result<(), Failed> {
    let text = std::fs::read_to_string(path)?;
    let mut page = page::parse(&text)?;
    let scratch = tempfile::tempdir()?;
    for tree in ["examples", "litmus", "tests"] {
        link(&root.join(tree), &scratch.path().join(tree))?;
    }
    let mut problems = Vec::new();
    let mut commands = 0;
    for block in &mut page {
        match block {
            Block::Text(_) => {}
            Block::File { name, text, .. } => std::fs::write(scratch.path().join(name), text)?,
            Block::Console { commands: list, .. } => {
                for command in list {
                    commands += 1;
                    let (output, exit) = run(command, scratch.path())?;
                    if exit != command.exit || !pattern::fits(&command.output, &output) {
                        problems.push(format!(
                            "$ {}\nexpected (exit {}):\n{}\nfound (exit {exit}):\n{output}",
                            command.line, command.exit, command.output
                        ));
                        command.output = output;
                        command.exit = exit;
                    }
                }
            }
        }
    }
    if commands == 0 {
        return Err("a transcript without commands".into());
    }
    if problems.is_empty() {
        return Ok(());
    }
    if std::env::var_os("LINEAL_BLESS").is_some() {
        std::fs::write(path, page::print(&page))?;
        return Ok(());
    }
    Err(problems.join("\n\n").into())
}

fn run(command: &Command, dir: &Path) -> Result<(String, i32), Failed> {
    let lineal = Path::new(env!("CARGO_BIN_EXE_lineal"));
    let path = std::env::var("PATH").unwrap_or_default();
    let path = format!("{}:{path}", lineal.parent().unwrap_or(Path::new(".")).display());
    let output = std::process::Command::new("sh")
        .args(["-c", &format!("exec 2>&1; {}", command.line)])
        .current_dir(dir)
        .env("PATH", path)
        .env("COLUMNS", "100")
        .env("NO_COLOR", "1")
        .stdin(Stdio::null())
        .output()?;
    let exit = output.status.code().ok_or("ended by a signal")?;
    Ok((pattern::normalise(&String::from_utf8_lossy(&output.stdout)), exit))
}

#[cfg(unix)]
fn link(from: &Path, to: &Path) -> std::io::Result<()> {
    std::os::unix::fs::symlink(from, to)
}

#[cfg(not(unix))]
fn link(_: &Path, _: &Path) -> std::io::Result<()> {
    Ok(())
}
