//! Random scripts, from a seed.
#![allow(dead_code)]

use super::{At, At::*, Ins, Ins::*, Script, Val::*, idioms};
use lineal_model::run::Mode::{self, *};
use lineal_sweep::Choices;

/// What programs are made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flavour {
    /// Atomic accesses and fences only: every failure is an assertion.
    Atomics,
    /// The same, with many seq_cst events.
    SeqCsts,
    /// Loops that wait or retry.
    Loops,
    /// Plain accesses, locks, allocation, choices.
    Everything,
    /// Loops whose failing iterations write: locks by test-and-set, additions of zero, pushes by
    /// weak compare-and-swap. The oracle of executions has no rule for these.
    Spins,
    /// Retry loops with plain accesses, assertions, pointers and private memory in them.
    Retries,
    /// Loops that go by what they read last.
    Rotated,
    /// Looks under a lock, again and again. The oracle of executions does not end on these.
    Polls,
    /// Lists with a last node that everybody moves on who finds it behind; a few steps are wrong.
    Helps,
    /// Counters that are added to and taken from, as locks. Nor does it on these.
    TakesBack,
    /// Two locks, and what is done with and without them; now and then one is not used as a lock.
    Locks,
}

pub fn script(rng: &mut Choices, flavour: Flavour) -> Script {
    use Flavour::{Loops, Retries, Rotated, Spins};
    let threads = rng.pick(if matches!(flavour, Loops | Spins | Retries | Rotated) {
        &[2, 2, 3]
    } else {
        &[2, 2, 3, 3, 3, 4]
    });
    let cells = rng.pick(&[1, 2, 2, 2, 3]);
    let most = match threads {
        2 => 4,
        3 => 3,
        _ => 2,
    };
    let bodies = (0..threads).map(|_| body(rng, flavour, cells, most)).collect();
    let mut script = Script::parallel(bodies);
    script.initial = vec![0, rng.below(2) as u64, 0, 0, 0];
    // Sometimes main takes part.
    if rng.chance(20) {
        let at = rng.below(script.bodies[0].len() + 1);
        let ins = access(rng, flavour, cells);
        script.bodies[0].insert(at, ins);
    }
    script
}

fn body(rng: &mut Choices, flavour: Flavour, cells: u32, most: usize) -> Vec<Ins> {
    let mut code = Vec::new();
    let litmus = matches!(flavour, Flavour::Atomics | Flavour::SeqCsts) && rng.chance(70);
    if litmus && cells > 1 && most < 4 + rng.below(2) {
        return shape(rng, flavour, cells, most);
    }
    let length = 1 + rng.below(most);
    let mut written = 0;
    while written < length {
        written += 1;
        if flavour == Flavour::Loops && rng.chance(40) {
            iteration(rng, &mut code, cells);
            continue;
        }
        if flavour == Flavour::Locks && rng.chance(75) {
            idioms::section(rng, &mut code, cells);
            continue;
        }
        if flavour == Flavour::Spins && rng.chance(55) {
            spin(rng, &mut code, cells);
            continue;
        }
        if flavour == Flavour::Rotated && rng.chance(65) {
            if rng.chance(80) {
                rotated(rng, &mut code, cells);
            } else {
                idioms::by_way_of_its_own(rng, &mut code, cells);
            }
            continue;
        }
        if flavour == Flavour::Helps && rng.chance(80) {
            idioms::append(rng, &mut code);
            continue;
        }
        if flavour == Flavour::TakesBack && rng.chance(90) {
            idioms::take_back(rng, &mut code);
            continue;
        }
        if flavour == Flavour::Polls && rng.chance(85) {
            idioms::under_lock(rng, &mut code, cells);
            continue;
        }
        if flavour == Flavour::Retries && rng.chance(55) {
            retry(rng, &mut code, cells);
            continue;
        }
        if matches!(flavour, Flavour::Everything | Flavour::Retries) && rng.chance(25) {
            special(rng, &mut code, cells);
            continue;
        }
        let ins = access(rng, flavour, cells);
        code.push(ins);
        match rng.below(10) {
            // A branch over the next access.
            0 | 1 => {
                code.push(IfEq(rng.below(2), rng.below(2) as u64, code.len() + 2));
                let ins = access(rng, flavour, cells);
                code.push(ins);
            }
            2 if rng.chance(40) => code.push(AssertNe(rng.below(2), 1 + rng.below(3) as u64)),
            3 if rng.chance(20) => code.push(Assume(rng.below(2), rng.below(2) as u64)),
            _ => {}
        }
    }
    code
}

/// Accesses of one cell after the other, as in litmus tests, some with a fence between.
fn shape(rng: &mut Choices, flavour: Flavour, cells: u32, most: usize) -> Vec<Ins> {
    let mut code = Vec::new();
    let mut cell = rng.below(cells as usize) as u32;
    for i in 0..2 + usize::from(most > 2 && rng.chance(40)) {
        if i > 0 && rng.chance(35) {
            code.push(Fence(if rng.chance(50) { SeqCst } else { rng.pick(&[Acquire, Release, AcqRel]) }));
        }
        let at = Global(cell);
        code.push(match rng.below(9) {
            0..=3 => Load(i % 2, at, load_mode(rng, flavour)),
            4..=7 => Store(at, Imm(1 + rng.below(2) as u64), store_mode(rng, flavour)),
            _ => Add(i % 2, at, Imm(1), rmw_mode(rng, flavour)),
        });
        if !rng.chance(15) {
            cell = (cell + 1 + rng.below(cells as usize - 1) as u32) % cells;
        }
    }
    code
}

fn load_mode(rng: &mut Choices, flavour: Flavour) -> Mode {
    if flavour == Flavour::SeqCsts && rng.chance(65) {
        return SeqCst;
    }
    rng.pick(&[Relaxed, Relaxed, Acquire, Acquire, SeqCst])
}

fn store_mode(rng: &mut Choices, flavour: Flavour) -> Mode {
    if flavour == Flavour::SeqCsts && rng.chance(65) {
        return SeqCst;
    }
    rng.pick(&[Relaxed, Relaxed, Release, Release, SeqCst])
}

fn rmw_mode(rng: &mut Choices, flavour: Flavour) -> Mode {
    if flavour == Flavour::SeqCsts && rng.chance(50) {
        return SeqCst;
    }
    rng.pick(&[Relaxed, Acquire, Release, AcqRel, SeqCst])
}

fn access(rng: &mut Choices, flavour: Flavour, cells: u32) -> Ins {
    let at = Global(rng.below(cells as usize) as u32);
    let reg = rng.below(2);
    let val = if rng.chance(25) { Plus(rng.below(2), 1) } else { Imm(1 + rng.below(2) as u64) };
    match rng.below(20) {
        0..=6 => Load(reg, at, load_mode(rng, flavour)),
        7..=12 => Store(at, val, store_mode(rng, flavour)),
        13 | 14 => Add(reg, at, Imm(1), rmw_mode(rng, flavour)),
        15 => Swap(reg, at, val, rmw_mode(rng, flavour)),
        16 | 17 => Cas {
            ok: reg,
            old: 1 - reg,
            at,
            expected: Imm(rng.below(2) as u64),
            desired: Imm(1 + rng.below(2) as u64),
            mode: rmw_mode(rng, flavour),
            fail: rng.pick(&[Relaxed, Acquire, SeqCst]),
            weak: rng.chance(20),
        },
        18 => Fence(if flavour == Flavour::SeqCsts {
            SeqCst
        } else {
            rng.pick(&[Acquire, Release, AcqRel, SeqCst])
        }),
        _ if flavour == Flavour::Everything && rng.chance(50) => Choose(reg, 0, 1),
        _ => Fence(SeqCst),
    }
}

/// `do r = x; (s = y;) while (!…)`, or a compare-and-swap that retries.
fn iteration(rng: &mut Choices, code: &mut Vec<Ins>, cells: u32) {
    let at = |rng: &mut Choices| Global(rng.below(cells as usize) as u32);
    let head = code.len();
    code.push(Set(2, Imm(0)));
    code.push(Set(3, Imm(0)));
    code.push(Head(head as u32));
    let a = at(rng);
    if rng.chance(12) {
        // Goes round again though nothing but memory has changed.
        code.push(Add(2, Global(5), Imm(1), Relaxed));
        let end = code.len() + 4;
        code.push(IfNe(2, 0, end));
        code.push(Set(2, Imm(0)));
        code.push(Set(3, Imm(0)));
        code.push(Jump(head + 2));
        return;
    }
    code.push(Load(2, a, rng.pick(&[Relaxed, Acquire, SeqCst])));
    let again = |code: &mut Vec<Ins>| {
        code.push(Set(2, Imm(0)));
        code.push(Set(3, Imm(0)));
        code.push(Jump(head + 2));
    };
    if rng.chance(35) {
        // CAS retry on the value read.
        code.push(Cas {
            ok: 3,
            old: 2,
            at: a,
            expected: Reg(2),
            desired: Plus(2, 1),
            mode: rng.pick(&[Relaxed, AcqRel, SeqCst]),
            fail: Relaxed,
            weak: rng.chance(20),
        });
        let end = code.len() + 4;
        code.push(IfEq(3, 1, end));
        again(code);
        code.push(Set(0, Reg(2)));
        return;
    }
    let end = code.len() + if rng.chance(40) { 7 } else { 0 };
    if end > code.len() {
        // Both must be as wanted.
        code.push(IfEq(2, 0, code.len() + 3));
        let b = at(rng);
        code.push(Load(3, b, rng.pick(&[Relaxed, Acquire])));
        code.push(IfNe(3, 0, end));
    } else {
        code.push(IfNe(2, 0, code.len() + 4));
    }
    again(code);
    code.push(Set(0, Reg(2)));
}

/// A loop that writes even while it gets nowhere.
fn spin(rng: &mut Choices, code: &mut Vec<Ins>, cells: u32) {
    let cell = Global(rng.below(cells as usize) as u32);
    let order = rng.pick(&[Relaxed, Acquire, AcqRel, SeqCst]);
    let head = code.len() + 2;
    code.extend([Set(2, Imm(0)), Set(3, Imm(0))]);
    match rng.below(3) {
        0 => {
            // A lock taken by test-and-set, and given back most of the time.
            code.extend([Head(head as u32), Swap(2, cell, Imm(1), order), IfEq(2, 0, head + 5)]);
            code.extend([Set(2, Imm(0)), Jump(head)]);
            if rng.chance(80) {
                code.push(Store(cell, Imm(0), Release));
            }
        }
        1 => {
            // A read by way of adding nothing.
            code.extend([Head(head as u32), Add(2, cell, Imm(0), order), IfNe(2, 0, head + 5)]);
            code.extend([Set(2, Imm(0)), Jump(head), Set(0, Reg(2))]);
        }
        _ => {
            // A push onto a list: the link is written again in each iteration.
            let head = head + 1;
            code.push(Alloc { reg: 2, cells: 1, zeroed: false });
            code.extend([Head(head as u32), Load(3, Global(5), rng.pick(&[Relaxed, Acquire]))]);
            code.push(Store(Heap(2, 0), Reg(3), NonAtomic));
            let (expected, desired) = (Reg(3), Reg(2));
            let (mode, fail, at) = (rng.pick(&[Release, AcqRel]), Relaxed, Global(5));
            code.push(Cas { ok: 1, old: 3, at, expected, desired, mode, fail, weak: rng.chance(70) });
            code.extend([IfEq(1, 1, head + 8), Set(1, Imm(0)), Set(3, Imm(0)), Jump(head)]);
            code.push(Set(1, Imm(0)));
        }
    }
}

/// A loop that reads, looks around, and goes round again unless it finds what it wants. Whatever
/// others see it does last.
fn retry(rng: &mut Choices, code: &mut Vec<Ins>, cells: u32) {
    const AGAIN: usize = 1_000;
    const END: usize = 1_001;
    let at = |rng: &mut Choices| Global(rng.below(cells as usize) as u32);
    let load = |rng: &mut Choices| rng.pick(&[Relaxed, Relaxed, Acquire, Acquire, SeqCst]);
    let node = rng.chance(40);
    // What comes before is told with the node, what comes after it need not be.
    let fenced = node && rng.chance(40);
    if node {
        code.push(Alloc { reg: 1, cells: 2, zeroed: true });
    }
    if fenced {
        code.push(Fence(rng.pick(&[Release, Release, SeqCst])));
    }
    code.extend([Set(2, Imm(0)), Set(3, Imm(0))]);
    let start = code.len();
    code.push(Head(start as u32));
    let mut last = at(rng);
    for _ in 0..1 + rng.below(3) {
        let reg = 2 + rng.below(2);
        match rng.below(14) {
            0..=4 => {
                last = at(rng);
                code.push(Load(reg, last, load(rng)));
                if rng.chance(60) {
                    code.push(IfEq(reg, rng.below(2) as u64, if rng.chance(60) { AGAIN } else { END }));
                }
            }
            5 => code.push(Load(reg, Global(4), NonAtomic)),
            6 if rng.chance(40) => code.push(AssertNe(reg, 2)),
            7 | 8 => {
                code.push(Load(3, Global(5), rng.pick(&[Acquire, Acquire, Relaxed])));
                code.push(IfEq(3, 0, if rng.chance(80) { AGAIN } else { END }));
                let cell = rng.below(2) as u32;
                code.push(Load(2, Heap(3, cell), rng.pick(&[NonAtomic, Relaxed])));
                code.push(Set(3, Imm(0)));
            }
            9 | 10 if node => {
                let (own, mode) = (Heap(1, rng.below(2) as u32), rng.pick(&[NonAtomic, Relaxed]));
                code.push(Store(own, Reg(2), mode));
                if rng.chance(40) {
                    code.push(Load(reg, own, mode));
                }
            }
            12 if node => {
                let own = Heap(1, rng.below(2) as u32);
                code.push(match rng.below(4) {
                    // Counting up, it would go on for ever.
                    0 => Add(reg, own, Imm(0), Relaxed),
                    1 => Swap(reg, own, Reg(2), Relaxed),
                    _ => Load(reg, own, Relaxed),
                });
            }
            11 => code.push(Fence(rng.pick(&[Acquire, Release, SeqCst]))),
            _ => {
                let (mode, fail) =
                    (rng.pick(&[Relaxed, AcqRel, Release, SeqCst]), rng.pick(&[Relaxed, Acquire]));
                let (expected, desired) = (Reg(2), Plus(2, 1));
                code.push(Cas {
                    ok: 3,
                    old: 0,
                    at: last,
                    expected,
                    desired,
                    mode,
                    fail,
                    weak: rng.chance(20),
                });
                code.push(IfEq(3, 1, END));
                if rng.chance(80) {
                    code.push(Set(0, Imm(0)));
                }
            }
        }
    }
    match rng.below(4) {
        0 | 1 => code.push(IfNe(2, 0, END)),
        2 => code.push(IfEq(2, 0, END)),
        _ => {}
    }
    if rng.chance(25) {
        code.push(Store(at(rng), Imm(1), rng.pick(&[Relaxed, Release])));
        code.push(Jump(END));
    }
    let again = code.len();
    if rng.chance(85) {
        code.extend([Set(2, Imm(0)), Set(3, Imm(0))]);
    }
    code.push(Jump(start));
    let end = code.len();
    if node && rng.chance(60) {
        code.push(Store(
            Global(5),
            Reg(1),
            if fenced { Relaxed } else { rng.pick(&[Release, Release, Relaxed]) },
        ));
    }
    for ins in &mut code[start..end] {
        if let IfEq(_, _, to) | IfNe(_, _, to) | Jump(to) = ins {
            match *to {
                AGAIN => *to = again,
                END => *to = end,
                _ => {}
            }
        }
    }
    // The node is not a number.
    code.push(Set(1, Imm(0)));
}

/// `e = x; while (!cas(&x, &e, …));` or `a = x; while (…) a = x;`, perhaps with a link in private
/// memory.
fn rotated(rng: &mut Choices, code: &mut Vec<Ins>, cells: u32) {
    let at = Global(rng.below(cells as usize) as u32);
    let node = rng.chance(30);
    if node {
        code.push(Alloc { reg: 1, cells: 2, zeroed: true });
    }
    let load = |rng: &mut Choices| rng.pick(&[Relaxed, Relaxed, Acquire, SeqCst]);
    code.push(Set(3, Imm(0)));
    code.push(Load(2, at, load(rng)));
    let head = code.len();
    code.push(Head(head as u32));
    if node {
        code.push(Store(Heap(1, 0), Reg(2), rng.pick(&[NonAtomic, Relaxed])));
        if rng.chance(40) {
            code.push(Load(2, Heap(1, 0), rng.pick(&[NonAtomic, Relaxed])));
        }
    }
    if rng.chance(20) {
        code.push(Load(0, Global(4), NonAtomic));
        code.push(Set(0, Imm(0)));
    }
    let leave = code.len();
    let wanted = rng.below(3) as u64;
    if rng.chance(50) {
        code.push(if rng.chance(50) { IfEq(2, wanted, 0) } else { IfNe(2, 0, 0) });
        code.push(Load(2, at, load(rng)));
    } else {
        code.push(IfEq(2, 3, 0));
        let (mode, fail) =
            (rng.pick(&[Relaxed, AcqRel, Release, SeqCst]), rng.pick(&[Relaxed, Relaxed, Acquire]));
        let (expected, desired) = (Reg(2), if rng.chance(70) { Plus(2, 1) } else { Imm(1) });
        code.push(Cas { ok: 3, old: 2, at, expected, desired, mode, fail, weak: rng.chance(20) });
        code.push(IfEq(3, 1, 0));
    }
    // Some remember that they had to try again.
    let remembers = rng.chance(25);
    if remembers {
        code.push(Set(0, Imm(7)));
    }
    code.push(Jump(head));
    let end = code.len();
    for ins in &mut code[leave..end] {
        if let IfEq(_, _, to) | IfNe(_, _, to) = ins {
            *to = end;
        }
    }
    if !remembers {
        code.push(Set(0, Reg(2)));
    }
    if node && rng.chance(60) {
        code.push(Store(Global(5), Reg(1), rng.pick(&[Release, Relaxed])));
    }
    code.extend([Set(1, Imm(0)), Set(3, Imm(0))]);
}

/// Threads that meet at a barrier, [`BARRIER`], once or twice; a few do not come, or too many do.
pub fn meetings(rng: &mut Choices) -> Script {
    let threads: usize = rng.pick(&[2, 2, 3, 3, 3, 4]);
    let cells = rng.pick(&[1, 2, 2]);
    let needed = if rng.chance(88) { threads } else { 1 + rng.below(threads + 1) };
    let rounds = if threads < 4 && rng.chance(50) { 2 } else { 1 };
    let mut budget = 7;
    let mut bodies = Vec::new();
    for _ in 0..threads {
        let mut code = Vec::new();
        let mine = if rng.chance(94) { rounds } else { rng.below(3) };
        for round in 0..=mine {
            for _ in 0..rng.below(3).min(budget) {
                budget -= 1;
                match rng.below(8) {
                    0 => code.push(Store(Global(4), Imm(1), NonAtomic)),
                    1 => code.push(Load(0, Global(4), NonAtomic)),
                    2 if rng.chance(30) => code.push(AssertNe(rng.below(2), 1 + rng.below(2) as u64)),
                    _ => {
                        let ins = access(rng, Flavour::Atomics, cells);
                        code.push(ins);
                    }
                }
            }
            if round < mine {
                if rng.chance(6) {
                    code.push(IfEq(rng.below(2), rng.below(2) as u64, code.len() + 4));
                }
                code.extend([Arrive(3, BARRIER), Depart(3, BARRIER), Set(3, Imm(0))]);
            }
        }
        bodies.push(code);
    }
    let mut script = Script::parallel(bodies);
    script.initial = vec![0, rng.below(2) as u64, 0, (needed as u64) << 32, 0];
    script
}

pub const BARRIER: At = Global(3);

/// Threads of a few classes; those of one class do the same but for the value they write, which is
/// `1000 * thread`. Also the class of each.
pub fn classes(rng: &mut Choices, flavour: Flavour) -> (Script, Vec<u8>) {
    let cells = rng.pick(&[1, 2, 2, 3]);
    let counts: [usize; 2] = rng.pick(&[[2, 0], [2, 1], [1, 2], [3, 0], [2, 2], [3, 1]]);
    let most = if counts[0] + counts[1] > 2 { 2 } else { 3 };
    let mut bodies = Vec::new();
    let mut rows = Vec::new();
    for (class, &count) in counts.iter().enumerate() {
        let body = body(rng, flavour, cells, most);
        for _ in 0..count {
            let thread = bodies.len() as u64 + 1;
            let own = |ins: &Ins| match *ins {
                Store(at, Imm(1), mode) => Store(at, Imm(1000 * thread), mode),
                other => other,
            };
            bodies.push(body.iter().map(own).collect());
            rows.push(class as u8);
        }
    }
    let mut script = Script::parallel(bodies);
    script.initial = vec![0, rng.below(2) as u64, 0, 0, 0];
    (script, rows)
}

/// Several threads with the same body, and perhaps another; the rows of exchangeable ones are
/// those with equal numbers.
pub fn twins(rng: &mut Choices, flavour: Flavour) -> (Script, Vec<usize>) {
    let cells = rng.pick(&[1, 2, 2, 3]);
    let (same, other) = rng.pick(&[(2, 0), (2, 1), (2, 1), (3, 0), (3, 0), (3, 1), (2, 2), (2, 2), (4, 0)]);
    let most = if same + other == 2 {
        4
    } else if same + other == 3 {
        3
    } else {
        2
    };
    let bodies = vec![body(rng, flavour, cells, most), body(rng, flavour, cells, most)];
    let rows: Vec<usize> = (0..same + other).map(|n| if n < same { 1 } else { 2 }).collect();
    let mut script = Script { copyable: true, ..Script::default() };
    let mut main: Vec<Ins> = rows.iter().map(|&body| Create(3, body)).collect();
    let joined = if rng.chance(10) { rng.below(rows.len() + 1) } else { rows.len() };
    for n in 0..joined {
        main.extend([Set(3, Imm(n as u64 + 1)), Join(3)]);
        if rng.chance(4) {
            main.push(Load(0, Global(0), Relaxed));
        }
    }
    if rng.chance(30) {
        main.push(Load(0, Global(0), Relaxed));
    }
    script.bodies = vec![main];
    script.bodies.extend(bodies);
    script.initial = vec![0, rng.below(2) as u64, 0, 0, 0];
    (script, rows)
}

/// Plain accesses, locks, memory. Global 3 is a lock, 4 is plain data.
fn special(rng: &mut Choices, code: &mut Vec<Ins>, cells: u32) {
    let data = Global(4);
    match rng.below(10) {
        0 => code.push(Load(rng.below(2), data, NonAtomic)),
        1 => code.push(Store(data, Imm(1), NonAtomic)),
        2 | 3 => {
            code.push(Lock(Global(3)));
            let ins = if rng.chance(50) { Load(0, data, NonAtomic) } else { Store(data, Imm(2), NonAtomic) };
            code.push(ins);
            if rng.chance(95) {
                code.push(Unlock(Global(3)));
            }
        }
        4 => {
            // Publish a block.
            code.push(Alloc { reg: 2, cells: 1, zeroed: rng.chance(30) });
            if rng.chance(70) {
                code.push(Store(Heap(2, 0), Imm(1), NonAtomic));
            }
            code.push(Store(Global(5), Reg(2), rng.pick(&[Release, Release, Relaxed])));
            if rng.chance(25) {
                code.push(Free(2));
            }
        }
        5 | 6 => {
            // Use it, if it is there.
            code.push(Load(2, Global(5), rng.pick(&[Acquire, Acquire, Relaxed])));
            code.push(IfEq(2, 0, code.len() + 2));
            code.push(if rng.chance(80) { Load(0, Heap(2, 0), NonAtomic) } else { Free(2) });
        }
        // What others may already wait for.
        7 => code.push(Store(Global(3), Imm(0), NonAtomic)),
        8 => code.push(Await(0, Global(rng.below(cells as usize) as u32), 2, Acquire)),
        _ => {
            // Initialised plainly, used atomically.
            let at: At = Global(rng.below(cells as usize) as u32);
            code.push(Store(at, Imm(2), if rng.chance(30) { NonAtomic } else { Relaxed }));
        }
    }
}
