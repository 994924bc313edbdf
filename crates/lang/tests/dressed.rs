//! Random programs whose meaning is known by brute force, written in ways that must not change it:
//! variables in unions and behind headers in one block, threads created by others more than eight
//! deep or wide, and read-modify-writes spelled `__sync_*`.
//!
//! `LINEAL_FULL=1` runs 3,000 of them from a seed of its own, `LINEAL_SEED` from a given one.

#[allow(dead_code, unused_imports)]
#[path = "gen/mod.rs"]
mod generator;

use generator::{Dress, Shape, barrier_shape, by_graph, by_interleaving, concurrent_shape, differs, load};
use lineal_model::Memory;
use lineal_sweep::full;

/// Every third program has full barriers between all its accesses: it is compared under rc11 and
/// tso as well, where nothing else orders them.
fn draw(seed: u64) -> (Shape, Dress, &'static [Memory]) {
    if seed.is_multiple_of(3) {
        let shape = barrier_shape(seed);
        let mut dress = Dress::random(seed, shape.threads.len());
        dress.sync = true;
        return (shape, dress, &[Memory::Sc, Memory::Tso, Memory::Rc11]);
    }
    let shape = concurrent_shape(seed);
    let dress = Dress::random(seed, shape.threads.len());
    (shape, dress, &[Memory::Sc])
}

#[test]
fn spelling_does_not_change_the_meaning() {
    let count = if full() { 3_000 } else { 100 };
    let first = lineal_sweep::seed(1).wrapping_mul(1_000_003);
    let (mut wrong, mut racy, mut stuck, mut several, mut nested, mut sync) = (Vec::new(), 0, 0, 0, 0, 0);
    for from in (0..count).step_by(100) {
        if from > 0 && from % 2_000 == 0 {
            println!("{from} of {count}: {} differ", wrong.len());
        }
        let drawn: Vec<_> = (from..from + 100).map(|n| draw(first.wrapping_add(n))).collect();
        let sources: Vec<String> = drawn.iter().map(|(shape, dress, _)| shape.source_in(dress)).collect();
        for ((shape, dress, models), source) in drawn.iter().zip(&sources) {
            let expected = shape.enumerate();
            racy += usize::from(expected.race);
            stuck += usize::from(expected.deadlock);
            several += usize::from(expected.outcomes.len() > 2);
            nested += usize::from(dress.is_nested());
            sync += usize::from(dress.sync);
            let mut machine = load(source).unwrap_or_else(|e| panic!("{e}\n{source}"));
            let names = shape.observed();
            for &memory in *models {
                let (found, _) = by_graph(&mut machine, memory, &names);
                if let Some(why) = differs(&expected, &found) {
                    wrong.push(format!("{memory}: {why}\n{source}"));
                }
            }
            if let Some(why) = differs(&expected, &by_interleaving(&mut machine, &names)) {
                wrong.push(format!("every interleaving: {why}\n{source}"));
            }
        }
    }
    println!(
        "{count} programs: {racy} racy, {stuck} with a deadlock, {several} with more than two outcomes, {nested} \
         with nested threads, {sync} with __sync_*, {} differ",
        wrong.len()
    );
    assert!(wrong.is_empty(), "{}", wrong[..wrong.len().min(3)].join("\n"));
}
