//! Loops that no fair scheduler ends, against two deciders that know nothing of each other: all
//! executions under each model, and all states under sc.
//!
//! The programs are retry loops: compare-and-swap loops that overwrite what they expect or start
//! anew, weak ones, test-and-set, waiting for a value, and loops of two phases.
//! `LINEAL_FULL=1` runs 20,000 of them from a seed of its own, `LINEAL_SEED` from a given one.

use crate::script::twin::{self, full, seed};
use crate::script::{At::Global, Ins, Ins::*, Script, Val::*};
use lineal_check::graph::Options;
use lineal_check::naive::{executions, interleave};
use lineal_model::run::FailureKind;
use lineal_model::run::Mode::{self, *};
use lineal_model::{Memory, Verdict};
use lineal_sweep::Choices;

const CAP: usize = 600;

fn mode(rng: &mut Choices) -> Mode {
    rng.pick(&[Relaxed, AcqRel, SeqCst])
}

/// What cells hold.
fn value(rng: &mut Choices) -> u64 {
    rng.below(3) as u64
}

fn read_mode(rng: &mut Choices) -> Mode {
    rng.pick(&[Relaxed, Acquire, SeqCst])
}

/// Appends one loop, which begins at `code.len()`.
fn retry(rng: &mut Choices, code: &mut Vec<Ins>, head: u32) {
    let at = Global(rng.below(2) as u32);
    let [first, last] = [0, 1].map(|_| value(rng));
    let (ok, old) = (1, 0);
    let cas = |rng: &mut Choices, expected| Cas {
        ok,
        old,
        at,
        expected,
        desired: Imm(last),
        mode: mode(rng),
        fail: read_mode(rng),
        weak: rng.chance(25),
    };
    match rng.below(6) {
        // int o = first; while (!cas(&x, &o, last)) ;
        0 | 1 => {
            code.push(Set(old, Imm(first)));
            let top = code.len();
            code.extend([Head(head), cas(rng, Reg(old)), IfEq(ok, 0, top)]);
        }
        // do o = first; while (!cas(&x, &o, last));
        2 => {
            let top = code.len();
            code.extend([Head(head), cas(rng, Imm(first)), Set(old, Imm(0)), IfEq(ok, 0, top)]);
        }
        // while (exchange(&x, 1) != first) ; all store the same, or they would never stop changing it.
        3 => {
            let top = code.len();
            code.extend([Head(head), Swap(old, at, Imm(1), mode(rng)), IfNe(old, first, top)]);
        }
        // while (load(&x) != first) ;
        4 => {
            let top = code.len();
            code.extend([Head(head), Load(old, at, read_mode(rng)), IfNe(old, first, top)]);
        }
        // Looks at two cells in turn, until one holds what it waits for.
        _ => {
            let top = code.len();
            let other = Global(rng.below(2) as u32);
            code.extend([Head(head), Load(old, at, read_mode(rng)), IfEq(old, first, top + 7)]);
            code.extend([Set(old, Imm(9)), Head(head + 10), Load(old, other, read_mode(rng))]);
            code.extend([IfNe(old, last, top), Set(old, Imm(0))]);
        }
    }
    code.push(Set(ok, Imm(0)));
}

fn step(rng: &mut Choices) -> Ins {
    let at = Global(rng.below(2) as u32);
    let value = Imm(value(rng));
    match rng.below(4) {
        0 => Add(2, at, Imm(1), mode(rng)),
        _ => Store(at, value, rng.pick(&[Relaxed, Release, SeqCst])),
    }
}

fn draw(rng: &mut Choices) -> Script {
    let threads = if rng.chance(25) { 3 } else { 2 };
    let mut bodies = Vec::new();
    for t in 0..threads {
        let mut code = Vec::new();
        let loops = if t == 0 || rng.chance(40) { 1 } else { 0 };
        for _ in 0..rng.below(2) {
            code.push(step(rng));
        }
        for _ in 0..loops {
            retry(rng, &mut code, 1);
        }
        for _ in 0..rng.below(3) + usize::from(loops == 0) {
            code.push(step(rng));
        }
        bodies.push(code);
    }
    let initial = (0..2).map(|_| value(rng)).collect();
    Script { initial, ..Script::parallel(bodies) }
}

#[test]
fn retry_loops_that_never_end() {
    let count = if full() { 20_000 } else { 80 };
    let first = seed();
    let (mut decided, mut endless, mut apart, mut skipped) = (0, 0, 0, 0);
    for n in 0..count {
        let rng = &mut Choices::new(first.wrapping_mul(25_000_009) + n);
        let script = draw(rng);
        let mut answers = Vec::new();
        for memory in twin::ALL {
            let oracle = executions::enumerate_endless(&script, memory, CAP);
            if oracle.gave_up {
                skipped += 1;
                continue;
            }
            let expected = !oracle.failures.is_empty();
            for (order, symmetry) in [(0, false), (n, false), (n, true)] {
                let options = Options { liveness: true, symmetry, ..Options::default() };
                let run =
                    twin::run(&script, memory, options, lineal_model::Effort { seed: order, ..twin::LARGE });
                let found = match &run.finding.verdict {
                    Verdict::Violated(w) => {
                        assert_eq!(
                            w.kind,
                            FailureKind::Liveness.into(),
                            "{n} (seed {first}) {memory}\n{script:?}"
                        );
                        true
                    }
                    Verdict::Holds(_) => false,
                    Verdict::Unknown(limit) => panic!("{limit:?}"),
                };
                assert_eq!(
                    found, expected,
                    "{n} (seed {first}) {memory} order {order} symmetry {symmetry}: never ends\n{script:?}"
                );
            }
            if memory == Memory::Sc
                && let Some(traps) = interleave::traps(&script, 8, 50_000)
            {
                assert_eq!(expected, traps, "{n} (seed {first}): a trap under sc\n{script:?}");
            }
            // Without the option, the scope says what the option would report.
            let run = twin::explore(&script, memory, n);
            let said = matches!(&run.finding.verdict, Verdict::Holds(scope)
                if scope.assumptions.iter().any(|a| matches!(a, lineal_model::Assumption::LoopsEnd { endless: 1.. })));
            assert_eq!(said, expected, "{n} (seed {first}) {memory}: the scope\n{script:?}");
            decided += 1;
            endless += usize::from(expected);
            answers.push(expected);
        }
        answers.dedup();
        apart += usize::from(answers.len() > 1);
    }
    println!(
        "{count} programs, {decided} runs of the oracle under four models ({skipped} more too large): {endless} \
         never end, {apart} programs tell models apart"
    );
    assert!(endless * 10 > decided && endless * 10 < decided * 9, "{endless} of {decided} never end");
}
