//! Every program of `litmus/` under all four models, by two deciders.
//!
//! The naive decider (every `rf` and `mo`, filtered by the axioms on matrices) is the judge: the
//! numbers and outcomes in the headers are its own. The graph engine must give the same *set* of
//! graphs, none twice, and the same outcomes. Neither is trusted about memory models: each file
//! also has `//@ textbook:` lines, written by hand from the literature,
//!
//! ```text
//! //@ textbook: r1=0 r2=0 under tso ra rc11
//! //@ textbook: r1=1 r2=0 under nothing
//! ```
//!
//! and the outcome must be possible under these models and no other. Where a model finds a fault
//! (a race), its set of outcomes means nothing and the line must not name it.
//!
//! `LINEAL_BLESS=1` (`cargo xtask bless litmus`) writes what the naive decider found into the
//! headers: numbers and outcomes, never verdicts, never the textbook's lines.

#[allow(dead_code)]
#[path = "../corpus/header.rs"]
mod header;
mod judge;
mod program;

use judge::{Judged, graph, naive};
use libtest_mimic::{Arguments, Failed, Trial};
use lineal_check::seeded::{self, Bug};
use lineal_model::Memory;
use program::Litmus;
use std::path::Path;
use std::sync::Arc;

const ALL: [Memory; 4] = [Memory::Sc, Memory::Tso, Memory::Ra, Memory::Rc11];

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the workspace");
    let programs = match program::all(&root.join("litmus")) {
        Ok(programs) => Arc::new(programs),
        Err(problem) => panic!("{problem}"),
    };
    let mut trials = Vec::new();
    for i in 0..programs.len() {
        let programs = programs.clone();
        trials.push(Trial::test(programs[i].name.clone(), move || one(&programs[i])));
    }
    let enough = programs.clone();
    trials.push(Trial::test("there are enough, and they tell models apart", move || worth(&enough)));
    for broken in BROKEN {
        let programs = programs.clone();
        trials.push(Trial::test(format!("noticed: {broken:?}"), move || noticed(&programs, broken)));
    }
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}

fn one(litmus: &Litmus) -> Result<(), Failed> {
    let mut problems = Vec::new();
    let mut machine = litmus.load()?;
    let mut judged = Vec::new();
    for memory in ALL {
        let pair = litmus.pair(memory)?;
        let observe = litmus.observed(pair, &machine)?;
        // First, as it lays the program out anew where that is necessary.
        let fast = graph(&mut machine, memory, &observe)?;
        let slow = naive(&machine, memory, &observe)?;
        if let Some(difference) = slow.differs(&fast) {
            problems.push(format!("{memory}: {difference}"));
        }
        if let Some(difference) = litmus.differs(pair, &slow) {
            match std::env::var_os("LINEAL_BLESS") {
                Some(_) if slow.fault.is_none() => litmus.bless(pair, &slow)?,
                _ => problems.push(format!("{memory}, line {}: {difference}", pair.expect.line)),
            }
        }
        judged.push((memory, slow));
    }
    for line in &litmus.textbook {
        problems.extend(line.refuted_by(&judged));
    }
    if problems.is_empty() { Ok(()) } else { Err(problems.join("\n").into()) }
}

/// At least a hundred, at least a third of them with different outcomes under different models.
fn worth(programs: &[Litmus]) -> Result<(), Failed> {
    let apart = programs.iter().filter(|p| p.distinguishes()).count();
    println!("{} programs, {apart} of which tell two models apart", programs.len());
    if programs.len() >= 100 && apart * 3 >= programs.len() {
        Ok(())
    } else {
        Err(format!("{} programs, {apart} tell models apart", programs.len()).into())
    }
}

/// Ways to break the engine that these programs, without allocation and choices, can notice.
const BROKEN: [Bug; 11] = [
    Bug::NoAtomicity,
    Bug::NoMo,
    Bug::NoFr,
    Bug::NoCoherence,
    Bug::NoFence,
    Bug::NoReleaseSequence,
    Bug::NoPsc,
    Bug::NoMaximalRevisited,
    Bug::NoMaximalRead,
    Bug::NoMaximalWrite,
    Bug::NoRace,
];

/// The headers alone tell a broken engine from a whole one.
fn noticed(programs: &[Litmus], broken: Bug) -> Result<(), Failed> {
    let mut by = Vec::new();
    for litmus in programs {
        let mut machine = litmus.load()?;
        for memory in ALL {
            let pair = litmus.pair(memory)?;
            let observe = litmus.observed(pair, &machine)?;
            // A broken engine may also run into its own limits, or contradict itself.
            let attempt = std::panic::AssertUnwindSafe(|| {
                seeded::with(broken, || graph(&mut machine, memory, &observe))
            });
            let found: Result<Result<Judged, String>, _> = std::panic::catch_unwind(attempt);
            if !matches!(found, Ok(Ok(j)) if litmus.differs(pair, &j).is_none()) {
                by.push(format!("{} {memory}", litmus.name));
            }
        }
    }
    println!("{broken:?}: noticed by {} of {}", by.len(), programs.len() * ALL.len());
    if by.is_empty() { Err("nobody noticed".into()) } else { Ok(()) }
}
