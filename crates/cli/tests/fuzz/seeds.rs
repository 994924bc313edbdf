//! The corpus, preprocessed.

use lineal_lang::c11::preprocess::{Bundled, Setup, spellings};
use std::path::{Path, PathBuf};

pub fn preprocessed() -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut files = Vec::new();
    for tree in ["tests/c", "examples"] {
        walk(&root.join(tree), &mut files);
    }
    files.sort();
    files
        .iter()
        .filter_map(|file| {
            let text = std::fs::read(file).ok()?;
            let tokens = spellings("seed.c", &text, Setup::default(), &Bundled).ok()?;
            Some(
                tokens
                    .iter()
                    .map(|t| if t.starts_with("#pragma") { format!("\n{t}\n") } else { format!("{t} ") })
                    .collect(),
            )
        })
        .collect()
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
}
