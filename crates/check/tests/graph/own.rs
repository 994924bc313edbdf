//! Memory of a thread's own that failed iterations wrote to: read again by the thread, or seen by others
//! who find the way there later. With and without iterations as one step.
//!
//! `LINEAL_FULL=1` runs many more, from a fresh seed that is printed; `LINEAL_SEED=n` repeats it.

use crate::reductions::{iterations, recorded};
use crate::script::idioms;
use crate::script::twin::{ALL, full, seed};
use crate::script::{At, Ins, Script, Val};
use lineal_check::seeded::{self, Bug};
use lineal_model::Memory;
use lineal_sweep::Choices;
use std::collections::BTreeMap;

/// What a failed iteration left in private memory counts if it is read.
#[test]
fn private_memory_counts_if_it_is_read() {
    use Ins::*;
    use lineal_model::run::Mode::Relaxed;
    let waiter = vec![
        Alloc { reg: 1, cells: 2, zeroed: true },
        Head(1),
        Load(2, At::Global(0), Relaxed),
        IfEq(2, 1, 6),
        Store(At::Heap(1, 0), Val::Imm(9), Relaxed),
        Jump(1),
        Store(At::Heap(1, 1), Val::Imm(5), Relaxed),
        Load(0, At::Heap(1, 0), Relaxed),
        Set(1, Val::Imm(0)),
    ];
    let writer = vec![Store(At::Global(0), Val::Imm(1), Relaxed)];
    for bodies in [vec![waiter.clone(), writer.clone()], vec![writer, waiter]] {
        let script = recorded(Script::parallel(bodies));
        let compared = || iterations(&script, false, Memory::Rc11, 1, &mut BTreeMap::new());
        assert_eq!(compared(), Ok(()));
        assert!(seeded::with(Bug::ForgetsPrivate, compared).is_err(), "{script:?}");
    }
}

/// What a failed iteration left in a thread's own memory counts if others may have seen it.
#[test]
fn what_others_may_have_seen_is_not_left_out() {
    let count = if full() { 30_000 } else { 400 };
    let first = seed();
    let made = |choices: &mut Choices| recorded(idioms::told_late(choices));
    let compared = |n: u64, tally: &mut BTreeMap<&str, u64>| {
        let script = made(&mut Choices::new(first.wrapping_mul(19_000_013) + n));
        let memory = ALL[n as usize % 4];
        iterations(&script, false, memory, n, tally).map_err(|why| format!("{memory}: {why} {script:?}"))
    };
    let mut tally = BTreeMap::new();
    for n in 0..count {
        compared(n, &mut tally).unwrap_or_else(|why| panic!("{n} (seed {first}) {why}"));
    }
    println!("{tally:?}");
    assert!(tally["programs"] * 3 > count, "too many programs are too large");
    let notices = |&n: &u64| {
        let broken = seeded::with(Bug::NobodyGlimpses, || compared(n, &mut BTreeMap::new()));
        broken.is_err() && compared(n, &mut BTreeMap::new()).is_ok()
    };
    let caught = (0..400).find(notices).expect("NobodyGlimpses is caught");
    println!("NobodyGlimpses: caught by program {caught}");
}
