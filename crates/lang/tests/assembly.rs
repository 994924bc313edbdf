//! Random inline assembly against the assembler and the processor of this machine, which is an x86-64 or
//! else this compares nothing: what Lineal takes, it computes as they do, at every level of optimisation.
//!
//! What it refuses is not compared, and what the compiler refuses has no meaning. `LINEAL_FULL=1` takes
//! 4,000 templates from a fresh seed.

#[allow(dead_code, unused_imports)]
#[path = "gen/mod.rs"]
mod generator;

use generator::{Scratch, assembly, load, result_of};
use lineal_sweep::Choices;
use std::process::Command;

#[test]
fn what_is_taken_is_what_the_processor_does() {
    if !cfg!(target_arch = "x86_64") {
        println!("this is no x86-64");
        return;
    }
    let count = if lineal_sweep::full() { 4000 } else { 250 };
    let seed = lineal_sweep::seed(14);
    let mut taken = Vec::new();
    let (mut refused, mut errors) = (0, Vec::new());
    for n in 0..count {
        let text = text_of(seed, n, "", false);
        if let Err(said) = load(&text) {
            errors.push((n, said));
            continue;
        }
        match result_of(&text) {
            Ok(result) => taken.push((n, result)),
            Err(why) if ["not modelled", "mixed-size atomic"].iter().any(|how| why.contains(how)) => {
                refused += 1
            }
            Err(why) => panic!("seed {seed}, template {n}: {why}\n{text}"),
        }
    }
    let (mut agree, mut meaningless) = (0, 0);
    for batch in taken.chunks(25) {
        let Some(said) = natively(seed, batch) else {
            // One of them is no assembly.
            for one in batch {
                match natively(seed, std::slice::from_ref(one)) {
                    None => meaningless += 1,
                    Some(said) => agree += compare(seed, std::slice::from_ref(one), &said),
                }
            }
            continue;
        };
        agree += compare(seed, batch, &said);
    }
    for (n, said) in &errors {
        let cc = natively(seed, &[(*n, 0)]);
        assert!(cc.is_none(), "seed {seed}, template {n}: {said}\n{}", text_of(seed, *n, "", false));
    }
    println!(
        "{count} templates: {agree} taken and the same, {refused} refused, {meaningless} that only cc refuses, {} that both do",
        errors.len()
    );
    // A sweep that takes little says little.
    assert!(agree * 5 > count, "{agree} of {count}");
}

fn text_of(seed: u64, n: usize, prefix: &str, prints: bool) -> String {
    assembly(&mut Choices::new(seed.wrapping_mul(1_000_003).wrapping_add(n as u64)), prefix, prints)
}

fn compare(seed: u64, batch: &[(usize, u64)], said: &[Vec<u64>]) -> usize {
    for results in said {
        for ((n, ours), theirs) in batch.iter().zip(results) {
            assert_eq!(ours, theirs, "seed {seed}, template {n}:\n{}", text_of(seed, *n, "", false));
        }
    }
    batch.len()
}

/// The results without and with optimisation; `None` if the compiler or the assembler complains.
fn natively(seed: u64, batch: &[(usize, u64)]) -> Option<Vec<Vec<u64>>> {
    let mut source = String::new();
    let mut calls = String::new();
    for (n, _) in batch {
        source += &text_of(seed, *n, &format!("p{n}_"), true);
        calls += &format!("    p{n}_main();\n");
    }
    source += &format!("int main(void)\n{{\n{calls}    return 0;\n}}\n");
    let scratch = Scratch::new().expect("a directory");
    let (c, program) = (scratch.0.join("batch.c"), scratch.0.join("batch"));
    std::fs::write(&c, source).expect("a file");
    let mut all = Vec::new();
    for level in ["-O0", "-O2"] {
        let mut cc = Command::new("cc");
        cc.args(["-std=gnu11", "-w", "-Wa,-W", level]).arg(&c).arg("-o").arg(&program);
        if !cc.output().expect("cc runs").status.success() {
            return None;
        }
        let run = Command::new(&program).output().expect("the programs run");
        assert!(run.status.success(), "{} in {batch:?}", run.status);
        let text = String::from_utf8_lossy(&run.stdout).into_owned();
        let results: Vec<u64> = text.lines().filter_map(|l| l.parse().ok()).collect();
        assert_eq!(results.len(), batch.len());
        all.push(results);
    }
    Some(all)
}
