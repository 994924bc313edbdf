//! The damage done to programs for the hunt after panics and hangs.

#[allow(dead_code, unused_imports)]
#[path = "gen/mod.rs"]
mod generator;

use generator::{generate, generate_concurrent, load, mutate, nasty, splice};
use std::time::{Duration, Instant};

/// How long to hunt, in seconds; without it a few thousand inputs.
const SECONDS: &str = "LINEAL_FUZZ_SECONDS";

/// No damaged program makes the front-end panic or hang. The stack is that of the command line.
#[test]
fn damaged_programs_are_survived() {
    let hunt = std::thread::Builder::new().stack_size(256 << 20).spawn(hunt).expect("a thread");
    hunt.join().expect("no input panics");
}

fn hunt() {
    let seconds = std::env::var(SECONDS).ok().and_then(|s| s.parse().ok());
    let end = seconds.map(|s| Instant::now() + Duration::from_secs(s));
    let mut texts: Vec<String> = (0..20).map(generate).chain((0..20).map(generate_concurrent)).collect();
    texts.extend(shipped());
    for (name, bytes) in nasty() {
        survive(bytes.as_bytes(), name);
    }
    let mut slowest = Duration::ZERO;
    let (mut tried, mut accepted) = (0u64, 0u64);
    loop {
        let enough = end.map_or(tried >= 3000, |end| Instant::now() >= end);
        if enough {
            break;
        }
        let text = &texts[tried as usize % texts.len()];
        let bytes = match tried % 5 {
            0 => splice(text, &texts[(tried as usize * 7 + 1) % texts.len()], tried),
            1 => mutate(&String::from_utf8_lossy(&mutate(text, tried)), tried + 1),
            _ => mutate(text, tried),
        };
        let begun = Instant::now();
        accepted += u64::from(survive(&bytes, &format!("input {tried}")));
        slowest = slowest.max(begun.elapsed());
        tried += 1;
    }
    println!("{tried} inputs from {} programs, {accepted} accepted, slowest {slowest:?}", texts.len());
}

fn survive(bytes: &[u8], name: &str) -> bool {
    let text = String::from_utf8_lossy(bytes);
    let begun = Instant::now();
    let outcome = std::panic::catch_unwind(|| load(&text).is_ok());
    let keep = |what: &str| {
        let path = std::env::temp_dir().join("lineal-fuzz.c");
        std::fs::write(&path, bytes).expect("the input can be kept");
        panic!("{name}: {what}; kept in {}", path.display());
    };
    match outcome {
        Err(_) => keep("a panic"),
        Ok(_) if begun.elapsed() > Duration::from_secs(120) => keep("it takes more than two minutes"),
        Ok(accepted) => accepted,
    }
}

/// The C programs of this repository that stand on their own.
fn shipped() -> Vec<String> {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut found = Vec::new();
    let mut todo = vec![root.join("tests/c"), root.join("examples")];
    while let Some(dir) = todo.pop() {
        for entry in std::fs::read_dir(dir).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                todo.push(path);
            } else if path.extension().is_some_and(|e| e == "c") {
                found.extend(std::fs::read_to_string(&path));
            }
        }
    }
    found.sort();
    found
}

#[test]
fn damage_is_reproducible_and_nearly_always_visible() {
    let source = generate(1);
    let unchanged = (0..500).filter(|seed| mutate(&source, *seed) == source.as_bytes()).count();
    assert!(unchanged < 25, "{unchanged} of 500 copies are intact");
    for seed in 0..50 {
        assert_eq!(mutate(&source, seed), mutate(&source, seed));
        assert_eq!(splice(&source, &generate(2), seed), splice(&source, &generate(2), seed));
    }
}

#[test]
fn short_and_odd_sources_are_survived() {
    for source in ["", "x", "}", "\0", "é", "\"", "/*"] {
        for seed in 0..200 {
            mutate(source, seed);
            splice(source, "int main(void) { return 0; }", seed);
            splice("int main(void) { return 0; }", source, seed);
        }
    }
}

#[test]
fn nasty_inputs_have_names_of_their_own() {
    let names: std::collections::BTreeSet<_> = nasty().into_iter().map(|(name, _)| name).collect();
    assert_eq!(names.len(), nasty().len());
}
