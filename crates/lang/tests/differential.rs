//! Single-threaded random programs against the C compiler of this machine.
//!
//! The generator promises programs without undefined or unspecified behaviour; that is what makes
//! a difference a bug of ours. Here the promise itself is tested: the optimiser, which is free to
//! do anything to a program that breaks it, must not change a result.

#[allow(dead_code, unused_imports)]
#[path = "gen/mod.rs"]
mod generator;

use generator::{Build, compiled, generate, generate_prefixed, result_of};
use std::ops::Range;

/// The promise of the front-end and the virtual machine: what `cc` computes, we compute.
#[test]
fn lineal_computes_what_cc_computes() {
    let count = if lineal_sweep::full() { 2500 } else { 150 };
    let mut wrong = Vec::new();
    for from in (0..count).step_by(50) {
        let seeds = from..from + 50;
        let expected = compiled(seeds.clone(), Build::Plain).expect("programs compile and run");
        for (seed, expected) in seeds.zip(expected) {
            let got = result_of(&generate(seed));
            if got != Ok(expected) {
                wrong.push(format!("seed {seed}: cc says {expected}, Lineal {got:?}"));
            }
        }
    }
    println!("{count} programs, {} differ", wrong.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

const SEEDS: Range<u64> = 0..40;

#[test]
fn optimisation_changes_no_result() {
    let plain = compiled(SEEDS, Build::Plain).expect("programs compile and run");
    let optimised = compiled(SEEDS, Build::Optimised).expect("programs compile and run");
    for (seed, (a, b)) in SEEDS.zip(plain.iter().zip(&optimised)) {
        assert_eq!(a, b, "seed {seed}");
    }
}

#[test]
fn programs_differ_and_are_reproducible() {
    let all: std::collections::BTreeSet<String> = SEEDS.map(generate).collect();
    assert_eq!(all.len() as u64, SEEDS.end - SEEDS.start);
    for seed in SEEDS.step_by(17) {
        assert_eq!(generate(seed), generate(seed));
    }
}

#[test]
fn a_prefix_changes_only_names() {
    for seed in SEEDS {
        assert_eq!(
            generate_prefixed(seed, "only_a_prefix_").replace("only_a_prefix_", ""),
            generate(seed),
            "seed {seed}"
        );
    }
}

/// A sweep is worth nothing if it rarely meets a construct.
#[test]
fn every_construct_is_common() {
    let text: Vec<String> = SEEDS.map(generate).collect();
    let constructs = [
        "goto",
        "switch (",
        "do {",
        "while (",
        "for (",
        "? ",
        "sizeof(",
        "KIND(",
        "->",
        " : ",
        "[2] = ",
        ", ",
        "**",
        "++",
        "--",
        ">>",
        "<<",
        "static",
        "memmove",
        "({",
        "&v",
        "table[",
        "union U un",
        "struct S0 st",
        "depth - 1",
    ];
    for construct in constructs {
        let hits = text.iter().filter(|t| t.contains(construct)).count();
        assert!(hits >= 5, "{construct:?} occurs in {hits} of {} programs", text.len());
    }
}
