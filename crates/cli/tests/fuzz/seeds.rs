//! The corpus after `cc -E`.

use lineal_lang::c11;
use std::path::{Path, PathBuf};
use std::process::Command;

pub fn preprocessed() -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let headers = tempfile::tempdir().unwrap();
    for (name, text) in c11::headers() {
        let path = headers.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    let mut files = Vec::new();
    for tree in ["tests/c", "examples"] {
        walk(&root.join(tree), &mut files);
    }
    files.sort();
    let cc = std::env::var("CC").unwrap_or("cc".into());
    files
        .iter()
        .filter_map(|file| {
            let output = Command::new(&cc)
                .args(["-E", "-P", "-x", "c", "-std=gnu11", "-nostdinc", "-D__LINEAL__=1", "-isystem"])
                .arg(headers.path())
                .arg(file)
                .output()
                .ok()?;
            output.status.success().then(|| String::from_utf8(output.stdout).ok()).flatten()
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
