//! Modules that need each other, crate by crate. A cycle is a place where nobody can read one file
//! before the other; the ones there are stand in a list, and the list may only get shorter.
//!
//! A module depends on another if its code names it by a path from `crate` or `super`. What a module
//! takes from those that contain it (`super::Options`) is not counted: that is what they are for.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The cycles that are accepted, as crate and modules.
const ACCEPTED: &[(&str, &[&str])] = &[
    ("model", &["process::alphabet", "process::state", "process::steps", "process::term"]),
    ("check", &["graph::explore", "graph::leaf", "graph::witness", "graph::workers"]),
    ("check", &["refine::joint", "refine::object"]),
];

#[test]
fn cycles_between_modules() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut found = Vec::new();
    for room in ["model", "lang", "check", "report", "cli"] {
        for cycle in cycles(&crates.join(room).join("src")) {
            found.push((room.to_string(), cycle));
        }
    }
    let accepted: Vec<(String, Vec<String>)> = ACCEPTED
        .iter()
        .map(|(room, all)| (room.to_string(), all.iter().map(|m| m.to_string()).collect()))
        .collect();
    let shown = |all: &[(String, Vec<String>)]| {
        let line = |(room, cycle): &(String, Vec<String>)| format!("    (\"{room}\", &{cycle:?}),\n");
        all.iter().map(line).collect::<String>()
    };
    assert!(found == accepted, "the cycles are\n{}instead of\n{}", shown(&found), shown(&accepted));
}

#[test]
fn paths_are_read_as_the_compiler_reads_them() {
    let modules: BTreeSet<Vec<String>> =
        ["a", "a::b", "a::c", "d"].iter().map(|m| m.split("::").map(str::to_string).collect()).collect();
    let from = |text: &str| {
        let here = ["a".to_string(), "b".to_string()];
        let found = named(text, &here, &modules);
        found.iter().map(|m| m.join("::")).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(from("use super::c::Thing;"), "a::c");
    assert_eq!(from("use super::{Options, c};"), "a::c");
    assert_eq!(from("use crate::d::{self, x::Y};"), "d");
    assert_eq!(from("use crate::{a::c::Z, d};"), "a::c d");
    assert_eq!(from("// use super::c\nlet x = super::super::d::go();"), "d");
    assert_eq!(from("use super::Options; crate::a::Thing"), "", "what contains it does not count");
}

type Module = Vec<String>;

/// The sets of modules that reach each other.
fn cycles(src: &Path) -> Vec<Vec<String>> {
    let files = sources(src);
    let modules: BTreeSet<Module> = files.iter().map(|(path, _)| module(src, path)).collect();
    let mut reaches: BTreeMap<Module, BTreeSet<Module>> = BTreeMap::new();
    for (path, text) in &files {
        let here = module(src, path);
        let code = text.split("#[cfg(test)]").next().unwrap_or("");
        reaches.insert(here.clone(), named(code, &here, &modules));
    }
    for k in &modules {
        let through = reaches[k].clone();
        for row in reaches.values_mut().filter(|row| row.contains(k)) {
            row.extend(through.iter().cloned());
        }
    }
    let mut found = BTreeSet::new();
    for a in &modules {
        let cycle: Vec<String> = modules
            .iter()
            .filter(|b| (*b == a || reaches[a].contains(*b)) && reaches[*b].contains(a))
            .map(|m| m.join("::"))
            .collect();
        if cycle.len() > 1 {
            found.insert(cycle);
        }
    }
    found.into_iter().collect()
}

fn module(src: &Path, file: &Path) -> Module {
    let inside = file.strip_prefix(src).unwrap().with_extension("");
    let mut parts: Module = inside.iter().map(|p| p.to_string_lossy().into_owned()).collect();
    if matches!(parts.last().map(String::as_str), Some("mod" | "lib" | "main")) {
        parts.pop();
    }
    parts
}

/// The modules that code in `here` names, those that contain it left out.
fn named(code: &str, here: &[String], modules: &BTreeSet<Module>) -> BTreeSet<Module> {
    let code: String = code
        .lines()
        .map(|line| if line.trim_start().starts_with("//") { "" } else { line })
        .collect::<Vec<_>>()
        .join(" ");
    let mut found = BTreeSet::new();
    for (start, word) in ["crate::", "super::"].iter().flat_map(|w| code.match_indices(w)) {
        let before = code[..start].chars().next_back();
        if before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == ':') {
            continue;
        }
        let base: Module = match word {
            "crate::" => Vec::new(),
            _ => here[..here.len().saturating_sub(1)].to_vec(),
        };
        paths(&code[start + word.len()..], base, &mut |path| {
            let target = (0..=path.len()).rev().map(|n| &path[..n]).find(|p| modules.contains(*p));
            if let Some(target) = target.filter(|t| !here.starts_with(t)) {
                found.insert(target.to_vec());
            }
        });
    }
    found
}

/// Every path that begins with `base` and goes on as the text does; returns how much of it was read.
fn paths(text: &str, mut base: Module, each: &mut dyn FnMut(&[String])) -> usize {
    let mut at = 0;
    loop {
        let rest = &text[at..];
        let skipped = rest.len() - rest.trim_start().len();
        let rest = rest.trim_start();
        at += skipped;
        if let Some(inner) = rest.strip_prefix('{') {
            at += 1;
            let mut inner = inner;
            loop {
                let read = paths(inner, base.clone(), each);
                at += read;
                inner = &inner[read..];
                match inner.chars().next() {
                    Some(',') => {
                        at += 1;
                        inner = &inner[1..];
                    }
                    Some('}') => return at + 1,
                    _ => return at,
                }
            }
        }
        let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
        let word = &rest[..end];
        at += end;
        match word {
            "super" => {
                base.pop();
            }
            "self" | "" => {}
            word => base.push(word.to_string()),
        }
        match text[at..].strip_prefix("::") {
            Some(_) => at += 2,
            None => {
                each(&base);
                // `x as y`, and blanks before the next part of a list.
                let rest = &text[at..];
                let end = rest.find(['.', '(', '<', ';', ',', '}', ')', '>', '{', '&']).unwrap_or(rest.len());
                return at + end;
            }
        }
    }
}

fn sources(dir: &Path) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|e| e == "rs") {
            let text = std::fs::read_to_string(&path).unwrap();
            found.push((path, text));
        }
    }
    found.sort();
    found
}
