//! The house as ARCHITECTURE.md describes it: arrows, rooms, the tour, and the size of files.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// Who may depend on whom. A new arrow is a visible choice: it is made here.
const ARROWS: [(&str, &[&str]); 5] = [
    ("model", &[]),
    ("lang", &["model"]),
    ("check", &["model"]),
    ("report", &["model"]),
    ("cli", &["check", "lang", "model", "report"]),
];

#[test]
fn arrows() {
    let mut found = BTreeMap::new();
    for entry in std::fs::read_dir(root().join("crates")).unwrap() {
        let dir = entry.unwrap();
        let manifest = std::fs::read_to_string(dir.path().join("Cargo.toml")).unwrap();
        let name = dir.file_name().into_string().unwrap();
        found.insert(name, dependencies(&manifest));
    }
    let due: BTreeMap<String, Vec<String>> =
        ARROWS.iter().map(|(a, bs)| (a.to_string(), bs.iter().map(|b| b.to_string()).collect())).collect();
    assert_eq!(found, due);
}

/// Rooms named in `[dependencies]`; what tests use is their own affair.
fn dependencies(manifest: &str) -> Vec<String> {
    let section = manifest.split("\n[").find(|s| s.starts_with("dependencies]")).unwrap_or("");
    let mut rooms: Vec<String> = section
        .lines()
        .filter_map(|l| l.strip_prefix("lineal-"))
        .map(|l| l.split(['.', ' ', '=']).next().unwrap().to_string())
        .collect();
    rooms.sort();
    rooms
}

/// Only `cli` touches files, the clock, processes and the terminal.
#[test]
fn the_core_is_pure() {
    const RIM: [&str; 8] = [
        "std::fs",
        "std::process",
        "std::net",
        "Instant::now",
        "SystemTime",
        "println!(",
        "print!(",
        "std::env::",
    ];
    let mut wrong = Vec::new();
    for room in ["model", "lang", "check", "report"] {
        for (path, text) in sources(&root().join("crates").join(room).join("src")) {
            // Unit tests may print.
            let code = text.split("#[cfg(test)]").next().unwrap_or("");
            for (i, line) in code.lines().enumerate() {
                let comment = line.trim_start().starts_with("//");
                let call = RIM.iter().find(|call| line.contains(**call));
                if let (false, Some(call)) = (comment, call) {
                    wrong.push(format!("{}:{}: {call}", path.display(), i + 1));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "leave this to cli:\n{}", wrong.join("\n"));
}

/// Engines do not lean on the deciders they are compared with. `--engine naive` is asked for by name.
#[test]
fn naive_is_for_comparison_only() {
    let mut wrong = Vec::new();
    for room in ["check", "cli"] {
        let src = root().join("crates").join(room).join("src");
        for (path, text) in sources(&src) {
            let inside = path.strip_prefix(&src).unwrap().display().to_string();
            let own = inside.starts_with("naive") || (room == "cli" && inside == "verify.rs");
            let code = text.split("#[cfg(test)]").next().unwrap_or("");
            if !own && code.lines().any(|l| !l.trim_start().starts_with("//") && l.contains("naive::")) {
                wrong.push(format!("{room}/{inside}"));
            }
        }
    }
    assert!(wrong.is_empty(), "these use naive deciders: {}", wrong.join(", "));
}

/// Files of `cli` that take steps of a model, and why.
const STEPS: &[(&str, &str)] = &[
    ("refine/simulate.rs", "one run, as its user chooses"),
    ("refine/dot.rs", "a picture of a small model"),
];

/// No algorithm is in `cli`: nothing there goes from state to state, or from client to client.
#[test]
fn cli_leaves_searching_to_check() {
    const SEARCHES: [&str; 8] = [
        "successors(",
        "plain_moves(",
        ".moves(",
        ".expand(",
        ".resume(",
        "Search::new",
        "conform::client::",
        "conform::orders",
    ];
    let src = root().join("crates/cli/src");
    let mut wrong = Vec::new();
    for (path, text) in sources(&src) {
        let inside = path.strip_prefix(&src).unwrap().display().to_string();
        let code = text.split("#[cfg(test)]").next().unwrap_or("");
        let mut lines = code.lines().filter(|l| !l.trim_start().starts_with("//"));
        let found = lines.any(|l| SEARCHES.iter().any(|word| l.contains(word)));
        if found && !STEPS.iter().any(|(name, _)| *name == inside) {
            wrong.push(inside);
        }
    }
    assert!(wrong.is_empty(), "leave this to check: {}", wrong.join(", "));
}

/// No room but `cli` spells a flag: others name knobs.
#[test]
fn only_cli_spells_flags() {
    let mut wrong = Vec::new();
    for room in ["model", "lang", "check", "report"] {
        for (path, text) in sources(&root().join("crates").join(room).join("src")) {
            let code = text.split("#[cfg(test)]").next().unwrap_or("");
            for (i, line) in code.lines().enumerate().filter(|(_, l)| !l.trim_start().starts_with("//")) {
                let mut pieces = line.split('"').skip(1).step_by(2);
                let spelled = pieces.any(|text| {
                    text.match_indices("--").any(|(at, _)| {
                        let after = text[at + 2..].chars().next();
                        let before = text[..at].chars().next_back();
                        after.is_some_and(|c| c.is_ascii_lowercase()) && before != Some('-')
                    })
                });
                if spelled {
                    wrong.push(format!("{}:{}: {}", path.display(), i + 1, line.trim()));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "leave this to cli:\n{}", wrong.join("\n"));
}

/// Files that may be longer than [`LONGEST`], and why.
const LONG: &[(&str, &str)] =
    &[("crates/lang/src/history/recorder.rs", "one rule for each answer an operation may get; being split")];
const LONGEST: usize = 600;

#[test]
fn files_are_short_and_begin_with_what_they_are_about() {
    let mut wrong = Vec::new();
    for tree in ["crates", "sweep", "xtask"] {
        for (path, text) in sources(&root().join(tree)) {
            let shown = path.strip_prefix(root()).unwrap().display().to_string();
            let lines = text.lines().count();
            let listed = LONG.iter().any(|(name, _)| *name == shown);
            if lines > LONGEST && !listed {
                wrong.push(format!("{shown}: {lines} lines; look for the seam, or list it with a reason"));
            }
            if !text.starts_with("//!") {
                wrong.push(format!("{shown}: no header"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Codes tell the room: `L01xx` C, `L02xx` CSP#, `L03xx` histories. Including files is still about
/// files: `L00xx`.
#[test]
fn diagnostic_codes_keep_to_their_rooms() {
    let mut wrong = Vec::new();
    for (dir, prefix) in [("c11", "L01"), ("csp", "L02"), ("history", "L03")] {
        for (path, text) in sources(&root().join("crates/lang/src").join(dir)) {
            for piece in text.split("\"L0").skip(1) {
                let code = format!("L0{}", &piece[..piece.find('"').unwrap_or(0)]);
                let includes = code.starts_with("L00") && path.to_string_lossy().contains("c11/preprocess/");
                if code.len() == 5 && !code.starts_with(prefix) && !includes {
                    wrong.push(format!("{}: {code}", path.display()));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Each step of the tour starts with a file that exists and names things that are in it.
#[test]
fn the_tour_is_there() {
    let page = std::fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let tour = page.split("## Ten-minute tour").nth(1).expect("a tour").split("\n## ").next().unwrap();
    let mut steps = 0;
    for line in tour.lines().filter(|l| l.starts_with(|c: char| c.is_ascii_digit())) {
        let names: Vec<&str> = line.split('`').skip(1).step_by(2).collect();
        let path = root().join(names[0]);
        let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", names[0]));
        for name in &names[1..] {
            if name.contains('/') {
                assert!(root().join(name).exists(), "there is no {name}");
                continue;
            }
            let word = name.rsplit("::").next().unwrap().trim_end_matches("()");
            assert!(text.contains(word), "{} has no `{name}`", names[0]);
        }
        steps += 1;
    }
    assert!(steps >= 20, "only {steps} steps");
    // A file is visited once.
    let mut visited = std::collections::BTreeSet::new();
    for name in tour.split('`').skip(1).step_by(2).filter(|name| name.contains('/')) {
        assert!(visited.insert(name), "the tour comes to {name} twice");
    }
}

#[test]
fn the_pages_link_to_files_that_exist() {
    for page in ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"] {
        let text = std::fs::read_to_string(root().join(page)).unwrap();
        for link in text.split("](").skip(1).map(|rest| rest.split(')').next().unwrap()) {
            let outside = link.starts_with("http") || link.starts_with('#');
            assert!(outside || root().join(link).exists(), "{page} links to {link}");
        }
    }
}

fn sources(dir: &Path) -> Vec<(PathBuf, String)> {
    let mut out = Vec::new();
    let Ok(entries) = std::fs::read_dir(dir) else { return out };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() && path.file_name().is_some_and(|n| n != "target") {
            out.extend(sources(&path));
        } else if path.extension().is_some_and(|e| e == "rs") {
            let text = std::fs::read_to_string(&path).unwrap();
            out.push((path, text));
        }
    }
    out.sort();
    out
}
