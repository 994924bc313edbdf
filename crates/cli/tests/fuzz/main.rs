//! Mutated C: whatever is done to a program, the front-end answers with diagnostics and the engine
//! with a verdict; neither panics, neither hangs.
//!
//! The seeds are the programs of the corpus, preprocessed. A few seconds by default, with a fixed
//! seed; `LINEAL_FUZZ_SECONDS=3600 LINEAL_FUZZ_SEED=7 cargo test --test fuzz` for longer runs. An
//! input that fails is kept in `target/fuzz/`.

mod mutate;
mod seeds;

use lineal_check::graph;
use lineal_lang::c11;
use lineal_model::{Counts, Effort, Limit, LimitKind, Memory, Observer, Severity};
use lineal_sweep::Choices;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// No single input may take longer.
const PATIENCE: Duration = Duration::from_secs(20);
/// What is larger is not tried: `cli` reads no files above a certain size, and what a mutation repeats
/// a million times over only takes time.
const LARGEST: usize = 4 << 20;
/// As in `cli`: parsers recurse.
const STACK: usize = 512 << 20;

#[derive(Default)]
struct Tally {
    inputs: AtomicU64,
    loaded: AtomicU64,
    checked: AtomicU64,
    /// What is being tried now, and since when.
    current: Mutex<Option<(String, Instant)>>,
}

fn number(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().and_then(|v| v.parse().ok()).unwrap_or(otherwise)
}

#[test]
fn mutated_programs_neither_panic_nor_hang() {
    let seconds = number("LINEAL_FUZZ_SECONDS", 5);
    let seed = number("LINEAL_FUZZ_SEED", 1);
    let seeds = seeds::preprocessed();
    assert!(seeds.len() > 20, "only {} programs to start from", seeds.len());
    let tally = Arc::new(Tally::default());
    let worker_tally = tally.clone();
    let deadline = Instant::now() + Duration::from_secs(seconds);
    let worker = std::thread::Builder::new()
        .stack_size(STACK)
        .spawn(move || {
            let mut choices = Choices::new(seed);
            while Instant::now() < deadline {
                one(mutate::program(&seeds, &mut choices), &worker_tally);
                *worker_tally.current.lock().unwrap_or_else(|p| p.into_inner()) = None;
            }
        })
        .unwrap();
    while !worker.is_finished() {
        std::thread::sleep(Duration::from_millis(50));
        if let Some((text, since)) = &*tally.current.lock().unwrap_or_else(|p| p.into_inner())
            && since.elapsed() > PATIENCE
        {
            let path = keep(text);
            panic!("seed {seed}: no answer within {} s; see {path}", PATIENCE.as_secs());
        }
    }
    let ended = worker.join();
    let [inputs, loaded, checked] = [&tally.inputs, &tally.loaded, &tally.checked].map(|n| n.load(Relaxed));
    println!("seed {seed}: {inputs} inputs, {loaded} accepted, {checked} of them decided");
    if ended.is_err() {
        let text = tally.current.lock().unwrap_or_else(|p| p.into_inner()).take();
        let path = keep(&text.map_or(String::new(), |(text, _)| text));
        panic!("seed {seed}: a panic; see {path}");
    }
    assert!(loaded > 0 && loaded < inputs, "the mutations are too wild or too tame");
}

fn one(text: String, tally: &Tally) {
    if text.len() > LARGEST {
        return;
    }
    *tally.current.lock().unwrap_or_else(|p| p.into_inner()) = Some((text.clone(), Instant::now()));
    tally.inputs.fetch_add(1, Relaxed);
    let options = c11::Options { wrapv: false, nondet: Some((0, 1)), ..Default::default() };
    match c11::Unit::of("mutant.c", &text).and_then(|unit| c11::load(&[unit], &options)) {
        Err(found) => {
            assert!(found.iter().any(|d| d.severity == Severity::Error), "refused without an error");
        }
        Ok((mut machine, _)) => {
            tally.loaded.fetch_add(1, Relaxed);
            let effort = Effort { max_states: Some(30), ..Effort::default() };
            let options = graph::Options::default();
            let mut problem = graph::Problem { program: &mut machine, memory: Memory::Sc, options };
            let finding = lineal_check::programs::verify(&mut problem, &effort, &Patience(Instant::now()));
            if finding.verdict.word() != "unknown" {
                tally.checked.fetch_add(1, Relaxed);
            }
        }
    }
}

/// A mutant may well loop for ever.
struct Patience(Instant);

impl Observer for Patience {
    fn progress(&self, _: Counts) -> ControlFlow<Limit> {
        if self.0.elapsed() > Duration::from_millis(200) {
            return ControlFlow::Break(Limit::new(LimitKind::Time, "enough"));
        }
        ControlFlow::Continue(())
    }
}

fn keep(text: &str) -> String {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/fuzz");
    let hash =
        text.bytes().fold(14695981039346656037u64, |h, b| (h ^ u64::from(b)).wrapping_mul(1099511628211));
    let path = dir.join(format!("{hash:016x}.i"));
    let _ = std::fs::create_dir_all(&dir);
    let _ = std::fs::write(&path, text);
    path.display().to_string()
}
