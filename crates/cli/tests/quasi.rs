//! Factors of 0 change nothing: every check, log and assertion of the corpus has the same verdict with
//! them as without, and the same number of executions where there is one.
//!
//! Quick by default: a part of the corpus with small bounds. `LINEAL_FULL=1` takes all of it as it is.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the workspace")
}

fn document(words: &[String], dir: &Path) -> Value {
    let output = Command::new(env!("CARGO_BIN_EXE_lineal"))
        .args(words)
        .args(["--format", "json", "--time-limit", "100s"])
        .current_dir(dir)
        .output()
        .expect("the binary");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    serde_json::from_str(&text).unwrap_or_else(|e| panic!("{words:?}: {e}\n{text}"))
}

/// What a run says, as far as factors of 0 may not change it.
fn said(document: &Value) -> Vec<(String, Value, Value, Value)> {
    let results = document["results"].as_array().expect("results");
    let one = |r: &Value| {
        let verdict = r["verdict"].as_str().unwrap_or_default().to_string();
        (
            verdict,
            r["witness"]["kind"].clone(),
            r["witness"]["calls"].clone(),
            r["stats"]["executions"].clone(),
        )
    };
    results.iter().map(one).collect()
}

fn files(folder: &Path, ends: &str, out: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let mut entries: Vec<PathBuf> = entries.flatten().map(|e| e.path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            files(&path, ends, out);
        } else if path.to_string_lossy().ends_with(ends) {
            out.push(path);
        }
    }
}

/// The words of `run:` lines; a word with spaces is quoted.
fn runs(text: &str, mark: &str) -> Vec<Vec<String>> {
    let line = |line: &str| -> Option<Vec<String>> {
        let line = line.strip_prefix(mark)?.strip_prefix("run: ")?;
        let mut words = Vec::new();
        for (i, part) in line.split('"').enumerate() {
            match i % 2 {
                0 => words.extend(part.split_whitespace().map(String::from)),
                _ => words.push(part.to_string()),
            }
        }
        Some(words)
    };
    text.lines().filter_map(line).collect()
}

/// The names of the operations that pragmas declare.
fn operations(text: &str) -> Vec<String> {
    let name = |line: &str| {
        let rest = line.trim().strip_prefix("#pragma lineal op ")?;
        Some(rest.split('=').next()?.trim().to_string())
    };
    let mut names: Vec<String> = text.lines().filter_map(name).collect();
    names.sort();
    names.dedup();
    names
}

fn full() -> bool {
    std::env::var_os("LINEAL_FULL").is_some()
}

#[test]
fn objects() {
    let mut all = Vec::new();
    for folder in ["examples", "tests/c/check", "tests/c/objects"] {
        files(&root().join(folder), ".c", &mut all);
    }
    let mut compared = 0;
    for path in all {
        let text = std::fs::read_to_string(&path).expect("the file");
        let (dir, name) = (path.parent().expect("a folder"), path.file_name().expect("a name"));
        let operations = operations(&text);
        let strange =
            ["--against", "--quasi", "--strongest-spec", "--weaken", "--repair", "--sample", "--replay"];
        let locks = text.contains("object try-lock") || text.contains("object trylock");
        // Without flags these are not exact.
        let relaxed = text.contains("lineal quasi");
        let several = text.contains("object counter name=");
        if operations.is_empty() || locks || relaxed || several || text.contains("lineal_plock") {
            continue;
        }
        for mut words in runs(&text, "//@ ") {
            if words[0] != "check" || words.iter().any(|w| strange.contains(&w.as_str())) {
                continue;
            }
            if let (false, Some(at)) = (full(), words.iter().position(|w| w == "--calls")) {
                words[at + 1] = "2".into();
            }
            words.push(name.to_string_lossy().into_owned());
            let plain = document(&words, dir);
            // Levels that calls out of order do not have are those of calls in order here.
            let zero: Vec<String> = operations.iter().map(|o| format!("{o}=0")).collect();
            words.extend(["--quasi".into(), zero.join(",")]);
            let relaxed = document(&words, dir);
            // Operations that are listed twice, and types that cannot be relaxed.
            let twice = |d: &Value| {
                let message = d["message"].as_str().unwrap_or_default();
                ["two classes", "cannot be relaxed", "is not relaxed"].iter().any(|m| message.contains(m))
            };
            let refused = relaxed["diagnostics"].as_array().is_some_and(|all| all.iter().any(twice));
            if plain["results"].as_array().is_none_or(Vec::is_empty) || refused {
                continue;
            }
            assert_eq!(
                said(&relaxed),
                said(&plain),
                "{} {words:?}: {relaxed} instead of {plain}",
                path.display()
            );
            compared += 1;
            if !full() {
                break;
            }
        }
    }
    println!("{compared} checks");
    assert!(compared > 40, "{compared}");
}

#[test]
fn assertions() {
    let mut all = Vec::new();
    files(&root().join("examples"), ".csp", &mut all);
    let mut compared = 0;
    for path in all {
        let text = std::fs::read_to_string(&path).expect("the file");
        let ends = |line: &str| line.contains(" linearizable ") && !line.contains(" quasi ");
        let Some(line) = text.lines().find(|l| l.starts_with("#assert") && ends(l)) else { continue };
        let operation = match line.trim_end_matches(';').rsplit(' ').next().unwrap_or_default() {
            "queue" => "dequeue=0, enqueue=0",
            "stack" => "push=0, pop=0",
            "pq" => "add=0, remove=0",
            "fai" => "inc=0",
            _ => continue,
        };
        let zero = line.replace(';', &format!(" quasi {operation};"));
        let folder = path.parent().expect("a folder");
        let copy = folder.join(format!(".zero-{}", path.file_name().expect("a name").to_string_lossy()));
        let asserts = |l: &&str| !l.starts_with("#assert");
        let model: String = text.lines().filter(asserts).map(|l| format!("{l}\n")).collect();
        std::fs::write(&copy, format!("{model}{line}\n{zero}\n")).expect("a copy");
        let words = ["refine".to_string(), copy.to_string_lossy().into_owned()];
        let document = document(&words, folder);
        std::fs::remove_file(&copy).expect("the copy");
        let said = said(&document);
        assert_eq!(said.len(), 2, "{}: {document}", path.display());
        assert_eq!(said[0], said[1], "{}: {document}", path.display());
        compared += 1;
    }
    println!("{compared} assertions");
    assert!(compared > 5, "{compared}");
}
