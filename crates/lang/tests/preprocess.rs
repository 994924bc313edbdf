//! The preprocessor against that of the C compiler of this machine, and against damage.
//!
//! All C files of the repository and random sources full of macros; with `LINEAL_FULL=1` 20,000 of
//! them. Both must refuse a source, or give the same tokens. Without a `cc` nothing is compared.

mod macros;

use lineal_lang::c11::preprocess::{Bundled, Setup, Shelf, spellings};
use lineal_model::Diagnostic;
use lineal_sweep::{Choices, full, seed, smallest};
use macros::cc::Cc;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// Files of this machine, and the bundled headers.
struct Disk;

impl Shelf for Disk {
    fn read(&self, path: &str) -> Result<Option<Rc<[u8]>>, Diagnostic> {
        Ok(Bundled.read(path)?.or_else(|| std::fs::read(path).ok().map(Into::into)))
    }
}

fn ours(name: &str, text: &[u8]) -> Result<Vec<String>, String> {
    let found = spellings(name, text, Setup::default(), &Disk);
    found.map_err(|all| all.iter().map(|d| format!("{d:?}\n")).collect())
}

/// How the two differ about a source, if they do.
fn differs(name: &str, text: &str, cc: &Cc) -> Option<String> {
    let theirs = cc.preprocess(name, text).and_then(|text| ours("<cc>", text.as_bytes()));
    match (ours(name, text.as_bytes()), theirs) {
        (Err(_), Err(_)) => None,
        (Ok(a), Ok(b)) if a == b => None,
        (Ok(a), Ok(b)) => Some(format!("ours:   {}\ntheirs: {}", a.join(" "), b.join(" "))),
        (Ok(_), Err(b)) => Some(format!("only cc refuses it: {b}")),
        (Err(a), Ok(b)) => Some(format!("only we refuse it: {a}\ntheirs: {}", b.join(" "))),
    }
}

#[test]
fn files_of_the_repository() {
    let Some(cc) = Cc::find() else { return };
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut files = Vec::new();
    ["tests/c", "examples", "litmus"].iter().for_each(|tree| walk(&root.join(tree), &mut files));
    let every = if full() { 1 } else { 4 };
    let mut wrong = Vec::new();
    for file in files.iter().step_by(every) {
        let Ok(text) = std::fs::read_to_string(file) else { continue };
        let name = file.display().to_string();
        wrong.extend(differs(&name, &text, &cc).map(|why| format!("{name}: {why}")));
    }
    println!("{} files, every {every} of them compared", files.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn random_macros() {
    let Some(cc) = Cc::find() else { return };
    let count = if full() { 20_000 } else { 250 };
    let mut choices = Choices::new(seed(1));
    let (mut refused, mut tokens) = (0, 0);
    for n in 0..count {
        choices.begin();
        let text = macros::source(&mut choices);
        match ours("random.c", text.as_bytes()) {
            Ok(all) => tokens += all.len(),
            Err(_) => refused += 1,
        }
        if differs("random.c", &text, &cc).is_some() {
            let wrong = |text: &String| differs("random.c", text, &cc);
            panic!("source {n}: {}", smallest(choices.made(), macros::source, String::clone, wrong));
        }
    }
    println!("{count} sources with {tokens} tokens, {refused} refused by both");
    assert!(refused * 3 < count, "the generator is too wild: {refused} of {count} are refused");
}

/// Whatever is done to a source, there is an answer, soon.
#[test]
fn damaged_sources_are_survived() {
    let count = if full() { 200_000 } else { 4_000 };
    let mut choices = Choices::new(seed(2));
    let mut accepted = 0;
    for _ in 0..count {
        let text = macros::source(&mut choices);
        let text = macros::damaged(&text, &mut choices);
        accepted += usize::from(ours("damaged.c", &text).is_ok());
    }
    println!("{count} sources, {accepted} accepted");
    assert!(accepted > 0 && accepted < count);
}

fn walk(dir: &Path, out: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(dir).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            walk(&path, out);
        } else if path.extension().is_some_and(|e| e == "c") {
            out.push(path);
        }
    }
    out.sort();
}
