//! Exchangeable threads: expanding what the search keeps gives what it finds without symmetry.
//!
//! The engine without symmetry is compared with the oracle in `random.rs`; here it is the
//! reference. Quick by default; `LINEAL_FULL=1` runs many more, from a fresh seed.

use crate::script::random::{self, Flavour};
use crate::script::twin::{self, ALL, FLAVOURS, exchanges, failed, full, seed};
use crate::script::{At::*, Ins::*, Script, Val::*};
use lineal_check::graph::Options;
use lineal_check::seeded::{self, Bug};
use lineal_model::run::{Entry, Runnable};
use lineal_model::{Counter, Effort, Memory, Verdict};
use lineal_sweep::{Choices, smallest};
use std::collections::BTreeSet;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Symmetry {
    Off,
    On,
    /// Iterations as one step, and nothing else.
    Apart,
    /// With iterations as one step.
    Iterations,
    /// By the order of neighbours alone.
    Broken,
}

fn run(script: &Script, memory: Memory, symmetry: Symmetry, order: u64) -> twin::Run {
    // Half of the time, that spinning ends is part of the question.
    let options = Options {
        symmetry: !matches!(symmetry, Symmetry::Off | Symmetry::Apart),
        iterations: matches!(symmetry, Symmetry::Iterations | Symmetry::Apart),
        liveness: order % 2 == 1,
        ..Options::default()
    };
    let effort = Effort { seed: order, max_states: Some(5_000), ..twin::LARGE };
    let run = || twin::run(script, memory, options, effort);
    if symmetry == Symmetry::Broken { seeded::with(Bug::NoDependency, run) } else { run() }
}

/// The key of a graph after its threads changed names.
fn renamed(key: &str, names: &[usize]) -> String {
    let name = |text: &str| match text.split_once('.') {
        Some((thread, index)) => format!("{}.{index}", names[thread.parse::<usize>().unwrap()]),
        None => text.to_string(),
    };
    let (events, memory) = key.split_once('|').map_or((key, None), |(e, m)| (e, Some(m)));
    let mut renamed: Vec<(usize, usize, String)> = events
        .split_terminator(';')
        .map(|event| {
            let (id, what) = event.split_once(':').unwrap();
            let what = match what.split_once('<') {
                Some((what, from)) => {
                    let (from, spurious) = from.strip_suffix('!').map_or((from, ""), |f| (f, "!"));
                    format!("{what}<{}{spurious}", name(from))
                }
                None => what.to_string(),
            };
            let (thread, index) = id.split_once('.').unwrap();
            let thread = names[thread.parse::<usize>().unwrap()];
            (thread, index.parse().unwrap(), format!("{}:{what};", name(id)))
        })
        .collect();
    renamed.sort();
    let mut out: String = renamed.into_iter().map(|(.., text)| text).collect();
    for cell in memory.into_iter().flat_map(|m| m.split('|')) {
        let (cell, order) = cell.split_once(':').unwrap();
        let order: Vec<String> = order.split(',').map(name).collect();
        out.push_str(&format!("|{cell}:{}", order.join(",")));
    }
    out
}

#[derive(Default)]
struct Sums {
    programs: usize,
    skipped: usize,
    reduced: usize,
    failing: usize,
    graphs: usize,
    orbits: usize,
    visited: usize,
    rotated: usize,
}

/// What is wrong, if anything.
fn compare(
    script: &Script,
    rows: &[usize],
    memory: Memory,
    order: u64,
    symmetry: Symmetry,
    sums: &mut Sums,
) -> Result<(), String> {
    let all = run(script, memory, Symmetry::Off, order);
    let kept = run(script, memory, symmetry, order);
    if matches!(all.finding.verdict, Verdict::Unknown(_)) {
        sums.skipped += 1;
        return Ok(());
    }
    sums.programs += 1;
    if failed(&all.finding) != failed(&kept.finding) {
        return Err(format!("{:?} and with symmetry {:?}", all.finding.verdict, kept.finding.verdict));
    }
    if failed(&all.finding) {
        sums.failing += 1;
        return Ok(());
    }
    let full: BTreeSet<String> = all.leaves.iter().cloned().collect();
    let exchanges = exchanges(rows);
    let mut expanded = BTreeSet::new();
    let mut orbits = BTreeSet::new();
    for leaf in &kept.leaves {
        let orbit: BTreeSet<String> = exchanges.iter().map(|names| renamed(leaf, names)).collect();
        orbits.insert(orbit.first().cloned());
        expanded.extend(orbit);
    }
    let is_reduced = kept.finding.stats.more.contains_key(&Counter::ExchangeableThreads);
    if !is_reduced {
        expanded = kept.leaves.iter().cloned().collect();
        orbits = expanded.iter().cloned().map(Some).collect();
    }
    // Failed iterations that wrote to private memory are left out too.
    let allocates = script.bodies.iter().flatten().any(|i| matches!(i, Alloc { .. }));
    if symmetry == Symmetry::Iterations && allocates && expanded.is_subset(&full) {
        return Ok(());
    }
    // So are some of a loop that is rotated by what its iterations read last.
    if symmetry == Symmetry::Iterations && expanded != full && expanded.is_subset(&full) {
        let apart = run(script, memory, Symmetry::Apart, order);
        if expanded == apart.leaves.into_iter().collect() {
            sums.rotated += 1;
            return Ok(());
        }
    }
    if expanded != full {
        let lost: Vec<_> = full.difference(&expanded).take(2).collect();
        let new: Vec<_> = expanded.difference(&full).take(2).collect();
        return Err(format!("{} graphs, lost {lost:#?}, new {new:#?}", full.len()));
    }
    sums.reduced += usize::from(is_reduced);
    if is_reduced {
        sums.graphs += full.len();
        sums.orbits += orbits.len();
        sums.visited += kept.leaves.len();
    }
    Ok(())
}

/// A program, and which of its threads are exchangeable.
fn twins(choices: &mut Choices, flavour: Flavour) -> (Script, Vec<usize>) {
    let (script, mut rows) = random::twins(choices, flavour);
    for (n, row) in rows.iter_mut().enumerate() {
        // Whoever allocates has a name.
        let entry = Entry { function: *row as u32, argument: 0 };
        *row = if script.is_anonymous(entry) { *row } else { 10 + n };
    }
    (script, rows)
}

#[test]
fn orbits_expand_to_all_graphs() {
    expand(Symmetry::On, 400);
}

#[test]
fn orbits_of_iterations_expand_to_all_graphs() {
    expand(Symmetry::Iterations, 200);
}

fn expand(symmetry: Symmetry, count: u64) {
    let count = if full() { 4_000 } else { count };
    let first = seed();
    for flavour in FLAVOURS.into_iter().chain((symmetry == Symmetry::Iterations).then_some(Flavour::Retries))
    {
        let mut sums = Sums::default();
        for n in 0..count {
            let choices = &mut Choices::new(first.wrapping_mul(9_000_011) + n);
            let (script, rows) = twins(choices, flavour);
            for memory in ALL {
                if compare(&script, &rows, memory, n % 4, symmetry, &mut sums).is_err() {
                    let what = smallest(
                        choices.made(),
                        |c| twins(c, flavour),
                        |(script, _)| format!("{script:?}"),
                        |(script, rows)| {
                            let sums = &mut Sums::default();
                            compare(script, rows, memory, n % 4, symmetry, sums).err()
                        },
                    );
                    panic!("{flavour:?} {n} (seed {first}) {memory}: {what}");
                }
            }
        }
        println!(
            "{flavour:?}: {} checks ({} too large), {} with symmetry to the end, {} failing; {} graphs, {} orbits, {} visited; {} rotated",
            sums.programs,
            sums.skipped,
            sums.reduced,
            sums.failing,
            sums.graphs,
            sums.orbits,
            sums.visited,
            sums.rotated
        );
        assert!(sums.reduced * 5 > sums.programs, "symmetry hardly ever applies");
        assert!(sums.graphs > sums.visited + sums.visited / 2, "symmetry hardly reduces anything");
    }
}

#[test]
fn equal_threads_count_once() {
    use lineal_model::run::Mode::Relaxed;
    let cases = [
        (vec![Add(0, Global(0), Imm(1), Relaxed)], 6, 1),
        (vec![Store(Global(0), Imm(1), Relaxed)], 5, 1),
        (vec![Load(0, Global(0), Relaxed)], 6, 1),
        (vec![Choose(0, 0, 2)], 3, 10),
    ];
    for (body, threads, orbits) in cases {
        let mut main = vec![Create(3, 1); threads];
        for n in 0..threads {
            main.extend([Set(3, Imm(n as u64 + 1)), Join(3)]);
        }
        let script = Script { bodies: vec![main, body], initial: Vec::new(), copyable: true };
        for memory in ALL {
            let found = run(&script, memory, Symmetry::On, 0).finding.stats.executions;
            assert_eq!(found, orbits, "{memory}: {script:?}");
        }
    }
}

/// A thread that joins one of them and goes on can tell them apart.
#[test]
fn threads_joined_one_by_one_are_distinct() {
    use lineal_model::run::Mode::Relaxed;
    let body = vec![Add(0, Global(0), Imm(1), Relaxed)];
    let main = vec![Create(3, 1), Create(3, 1), Set(3, Imm(1)), Join(3), Load(0, Global(0), Relaxed)];
    let script = Script { bodies: vec![main, body], initial: Vec::new(), copyable: true };
    for memory in ALL {
        let (all, kept) = (run(&script, memory, Symmetry::Off, 0), run(&script, memory, Symmetry::On, 0));
        assert_eq!(all.finding.stats.executions, kept.finding.stats.executions);
        assert!(!kept.finding.stats.more.contains_key(&Counter::ExchangeableThreads));
    }
}

/// Without the dependency between neighbours executions are lost, and the sweep would notice.
#[test]
fn order_alone_is_caught() {
    let caught = (0..3_000).find(|&n| {
        let (script, rows) = twins(&mut Choices::new(n), Flavour::Atomics);
        compare(&script, &rows, Memory::Rc11, 0, Symmetry::Broken, &mut Sums::default()).is_err()
    });
    println!("caught by program {}", caught.expect("a program that notices"));
}
