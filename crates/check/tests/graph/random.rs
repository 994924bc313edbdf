//! The graph engine against its naive twins, on random programs.
//!
//! - `executions`: the same set of complete graphs under each model, none of them twice, and a
//!   failure found iff there is one.
//! - `interleave` (sc only): the same final values, and a failure found iff there is one; this
//!   one knows nothing of graphs, and has no rule about loops.
//! - `crate::script::buffers` (tso only): the same for a machine with store buffers.
//!
//! Quick by default, with fixed seeds. `LINEAL_FULL=1` runs many more, from a fresh seed that is
//! printed; `LINEAL_SEED=n` repeats it. The distribution is printed (`--nocapture`): a sweep
//! of trivial programs would prove nothing.

use crate::script::random::Flavour;
use crate::script::twin::{ALL, CELLS, FLAVOURS, compare, explore, explore_with, failed, full, seed};
use crate::script::{At, Ins, Script, Val, global, random};
use lineal_check::naive::interleave;
use lineal_check::seeded::{self, Bug};
use lineal_model::Memory;
use lineal_model::run::Mode::Relaxed;
use lineal_sweep::{Choices, smallest};
use std::collections::BTreeSet;

#[test]
fn same_graphs_as_the_oracle() {
    let count = if full() { 1_000 } else { 60 };
    let first = seed();
    for flavour in FLAVOURS {
        let (mut compared, mut skipped, mut many, mut failing, mut apart) = (0, 0, 0, 0, 0);
        for n in 0..count {
            let mut choices = Choices::new(first.wrapping_mul(1_000_003) + n);
            let script = random::script(&mut choices, flavour);
            let mut sizes = BTreeSet::new();
            for memory in ALL {
                match compare(&script, memory, n) {
                    None => skipped += 1,
                    Some(Ok(c)) => {
                        compared += 1;
                        many += usize::from(c.complete > 10);
                        failing += usize::from(c.fails);
                        sizes.insert((c.complete, c.fails));
                    }
                    Some(Err(_)) => {
                        let generate = |c: &mut Choices| random::script(c, flavour);
                        let wrong = |s: &Script| compare(s, memory, n).and_then(Result::err);
                        let what = smallest(choices.made(), generate, |s| format!("{s:?}"), wrong);
                        panic!("{flavour:?} {n} (seed {first}) {memory}: {what}")
                    }
                }
            }
            apart += usize::from(sizes.len() > 1);
        }
        println!(
            "{flavour:?}: {count} programs, {compared} comparisons ({skipped} too large), {many} with more \
             than 10 graphs, {failing} failing, {apart} programs tell models apart"
        );
        assert!(many * 20 > compared, "too many trivial programs");
    }
}

#[test]
fn tso_has_the_outcomes_of_store_buffers() {
    let count = if full() { 2_000 } else { 200 };
    let first = seed();
    let mut telling = 0;
    let cells: Vec<_> = (0..CELLS).map(|n| (global(n), 8)).collect();
    for flavour in [Flavour::Atomics, Flavour::SeqCsts, Flavour::Loops] {
        let (mut compared, mut weak) = (0, 0);
        for n in 0..count {
            let mut script = random::script(&mut Choices::new(first.wrapping_mul(9_000_011) + n), flavour);
            // What was read is part of the outcome.
            for (t, body) in script.bodies[1..].iter_mut().enumerate() {
                let keep = |r| Ins::Store(At::Global(4 + 2 * t as u32 + r as u32), Val::Reg(r), Relaxed);
                body.extend([keep(0), keep(1)]);
            }
            let Some(expected) = crate::script::buffers::outcomes(&script, &cells, 10_000) else { continue };
            let run = explore(&script, Memory::Tso, n);
            if failed(&run.finding) {
                continue;
            }
            let show = |o: &Vec<u64>| {
                let words = o.iter().enumerate().map(|(i, v)| format!("g{i}={v}"));
                words.collect::<Vec<_>>().join(" ")
            };
            let expected: BTreeSet<String> = expected.iter().map(show).collect();
            let found: BTreeSet<String> = run.finding.outcomes.keys().cloned().collect();
            assert_eq!(found, expected, "{flavour:?} {n} (seed {first})\n{script:?}");
            compared += 1;
            let strong = explore(&script, Memory::Sc, n);
            weak += usize::from(strong.finding.outcomes.len() < found.len());
        }
        println!("{flavour:?}: {compared} of {count} programs compared, {weak} with weak outcomes");
        assert!(compared * 4 > count, "too few programs compared");
        telling += weak;
    }
    assert!(telling > 0, "no program shows a store buffer");
}

#[test]
fn same_outcomes_as_interleaving() {
    let count = if full() { 5_000 } else { 400 };
    let first = seed();
    let cells: Vec<_> = (0..CELLS).map(|n| (global(n), 8)).collect();
    for flavour in FLAVOURS.into_iter().chain([Flavour::Spins]) {
        let (mut compared, mut skipped, mut failing, mut outcomes) = (0, 0, 0, 0);
        for n in 0..count {
            let script = random::script(&mut Choices::new(first.wrapping_mul(7_000_003) + n), flavour);
            let oracle = interleave::explore(&script, &cells, true, 10_000);
            if oracle.gave_up {
                skipped += 1;
                continue;
            }
            let run = explore(&script, Memory::Sc, n);
            let context = || format!("{flavour:?} {n} (seed {first})\n{script:?}");
            let fails = !oracle.failures.is_empty();
            assert_eq!(
                failed(&run.finding),
                fails,
                "{:?} {:?} {}",
                oracle.failures,
                run.finding.verdict,
                context()
            );
            compared += 1;
            failing += usize::from(fails);
            if fails {
                continue;
            }
            let show = |o: &Vec<lineal_model::run::Value>| {
                let words = o.iter().enumerate().map(|(i, v)| format!("g{i}={}", v.lo));
                words.collect::<Vec<_>>().join(" ")
            };
            let expected: BTreeSet<String> = oracle.outcomes.iter().map(show).collect();
            let found: BTreeSet<String> = run.finding.outcomes.keys().cloned().collect();
            assert_eq!(found, expected, "{}", context());
            outcomes += found.len();
        }
        println!(
            "{flavour:?}: {compared} programs ({skipped} too large), {failing} failing, {outcomes} outcomes"
        );
        assert!(compared * 2 > count as usize, "too many programs are too large");
    }
}

/// The number of the first random program on which a broken engine is caught.
fn caught(bug: Bug, memory: Memory, flavour: Flavour) -> Option<u64> {
    (0..2_000).find(|&n| {
        let script = random::script(&mut Choices::new(n + 77), flavour);
        // A graph with a hole in it may well end in a panic.
        let found = std::panic::catch_unwind(|| seeded::with(bug, || compare(&script, memory, 0)));
        matches!(found, Err(_) | Ok(Some(Err(_))))
    })
}

/// Every axiom and every condition of the search matters, and the sweeps above would notice.
#[test]
fn a_broken_engine_is_caught() {
    use Bug::*;
    use Flavour::*;
    use Memory::*;
    let cases = [
        (NoAtomicity, Sc, Atomics),
        (NoMo, Sc, Atomics),
        (NoFr, Sc, Atomics),
        (NoMo, Tso, Atomics),
        (NoFr, Tso, Atomics),
        (NoCoherence, Tso, Atomics),
        (NoFence, Tso, SeqCsts),
        (NoCoherence, Ra, Atomics),
        (NoFence, Ra, Atomics),
        (NoReleaseSequence, Ra, Atomics),
        (NoPsc, Rc11, SeqCsts),
        (NoMaximalRevisited, Rc11, Atomics),
        (NoMaximalRead, Rc11, Atomics),
        (NoMaximalWrite, Rc11, Atomics),
        (NoMaximalChoice, Sc, Everything),
        (NoMaximalUnread, Rc11, Atomics),
        (NoAtomicity, Tso, Atomics),
        (NoAtomicity, Rc11, Atomics),
        (NoCoherence, Rc11, Atomics),
        (NoFence, Rc11, Atomics),
        (NoReleaseSequence, Rc11, Atomics),
        (OnlyConsumersRead, Rc11, Atomics),
        (AlwaysSpin, Sc, Loops),
        (NoRace, Rc11, Everything),
    ];
    for (bug, memory, flavour) in cases {
        match caught(bug, memory, flavour) {
            Some(n) => println!("{bug:?} under {memory}: caught by program {n}"),
            None => panic!("{bug:?} under {memory} goes unnoticed"),
        }
    }
}

/// The number of executions does not depend on the order in which threads are declared.
#[test]
fn declaration_order_does_not_matter() {
    let (mut permuted, first) = (0, seed().wrapping_mul(31));
    for n in 0..if full() { 2_000 } else { 200 } {
        let script = random::script(&mut Choices::new(first + n), FLAVOURS[n as usize % 3]);
        // Only plain create-all, join-all mains can be permuted.
        let threads = script.bodies.len() - 1;
        if script.bodies[0].len() != 3 * threads {
            continue;
        }
        let mut other = script.clone();
        other.bodies[1..].rotate_left(1 + n as usize % (threads - 1).max(1));
        for memory in ALL {
            let (a, b) = (explore(&script, memory, 0), explore(&other, memory, 0));
            assert_eq!(failed(&a.finding), failed(&b.finding), "{memory}: {script:?}");
            if !failed(&a.finding) {
                assert_eq!(a.finding.stats.executions, b.finding.stats.executions, "{memory}: {script:?}");
            }
        }
        permuted += 1;
    }
    assert!(permuted > 60);
}

/// Threads that cannot be copied are run again from their start, to the same end.
#[test]
fn replayed_threads_give_the_same_graphs() {
    for n in 0..100 {
        let mut script = random::script(&mut Choices::new(n), FLAVOURS[[0, 1, 3][n as usize % 3]]);
        let copied = explore(&script, Memory::Rc11, 0);
        script.copyable = false;
        let replayed = explore(&script, Memory::Rc11, 0);
        assert_eq!(copied.leaves, replayed.leaves, "{script:?}");
    }
}

/// Several workers find the same graphs, each once, and the same verdict.
#[test]
fn workers_share_without_loss() {
    let mut large = 0;
    for n in 0..if full() { 2_000 } else { 300 } {
        let script = random::script(&mut Choices::new(seed().wrapping_mul(17) + n), FLAVOURS[n as usize % 4]);
        let memory = ALL[n as usize / 4 % 4];
        let mut alone = explore(&script, memory, n);
        let mut together = explore_with(&script, memory, n, 3);
        assert_eq!(failed(&alone.finding), failed(&together.finding), "{script:?}");
        if failed(&alone.finding) {
            continue;
        }
        alone.leaves.sort();
        together.leaves.sort();
        assert_eq!(alone.leaves, together.leaves, "{memory} {script:?}");
        assert_eq!(alone.finding.outcomes, together.finding.outcomes);
        assert_eq!(alone.finding.stats.blocked, together.finding.stats.blocked);
        large += usize::from(alone.leaves.len() > 50);
    }
    println!("{large} programs with more than 50 graphs");
    assert!(large > 10);
}

/// The floor that stands for `psc`, on programs full of seq_cst accesses and fences.
#[test]
fn seq_cst_in_depth() {
    let (mut compared, mut forbidden) = (0, 0);
    for n in 0..if full() { 4_000 } else { 120 } {
        let script = random::script(&mut Choices::new(seed().wrapping_mul(13_000_027) + n), Flavour::SeqCsts);
        match compare(&script, Memory::Rc11, 0) {
            None => continue,
            Some(Ok(c)) => {
                compared += 1;
                // Where psc forbids something that coherence alone would allow.
                let loose = seeded::with(Bug::NoPsc, || explore(&script, Memory::Rc11, 0));
                forbidden += usize::from(!c.fails && loose.leaves.len() > c.complete);
            }
            Some(Err(what)) => panic!("{n} (seed {}): {what}\n{script:?}", seed()),
        }
        if n % 500 == 499 {
            println!("{compared} programs, psc matters in {forbidden}");
        }
    }
    println!("{compared} programs, psc matters in {forbidden}");
    assert!(forbidden > 0);
}
