//! Loops as they are written in real objects, right and a little wrong: a list whose end anyone moves
//! on, a counter that is added to and taken from, polling under a lock, a value kept in one's own memory.

use super::{At, At::*, Ins, Ins::*, Script, Val::*};
use lineal_model::run::Mode::{self, *};
use lineal_sweep::Choices;

/// Appends a node to the list whose last node `Global(5)` names, after Michael and Scott: whoever
/// finds a node behind the last moves the end on.
pub fn append(rng: &mut Choices, code: &mut Vec<Ins>) {
    const AGAIN: usize = 1_000;
    const END: usize = 1_001;
    const TAIL: At = Global(5);
    let load = |rng: &mut Choices| rng.pick(&[Relaxed, Acquire, Acquire, Acquire, SeqCst]);
    let swap = |rng: &mut Choices| rng.pick(&[Relaxed, Release, Release, AcqRel, SeqCst]);
    let cas = |rng: &mut Choices, ok: usize, at, expected, desired| {
        let (mode, fail) = (swap(rng), rng.pick(&[Relaxed, Relaxed, Acquire]));
        Cas { ok, old: 0, at, expected, desired, mode, fail, weak: rng.chance(5) }
    };
    let node = 1;
    // Whether someone was helped.
    let remembers = rng.chance(15);
    if rng.chance(15) {
        code.push(Fence(rng.pick(&[Release, SeqCst])));
    }
    code.push(Alloc { reg: node, cells: 2, zeroed: true });
    if rng.chance(60) {
        code.push(Store(Heap(node, 1), Imm(7), NonAtomic));
    }
    code.extend([Set(2, Imm(0)), Set(3, Imm(0)), Set(0, Imm(0))]);
    let start = code.len();
    code.push(Head(start as u32));
    code.push(Load(2, TAIL, load(rng)));
    // An empty list: the first node.
    let first = code.len();
    code.push(IfNe(2, 0, 0));
    code.push(cas(rng, 3, TAIL, Imm(0), Reg(node)));
    code.push(IfEq(3, 1, END));
    code.push(Jump(AGAIN));
    code[first] = IfNe(2, 0, code.len());
    code.push(Load(3, Heap(2, 0), load(rng)));
    let last = code.len();
    code.push(IfEq(3, 0, 0));
    if rng.chance(15) {
        // What the node holds.
        code.push(Load(0, Heap(3, 1), NonAtomic));
    }
    // Moves the end on, for whoever appended the node.
    let told = if rng.chance(90) { 3 } else { 0 };
    code.push(cas(rng, told, TAIL, Reg(2), Reg(3)));
    if remembers {
        code.push(Set(0, Imm(9)));
    }
    if rng.chance(10) {
        code.push(IfEq(3, 1, END));
    }
    code.push(Jump(AGAIN));
    code[last] = IfEq(3, 0, code.len());
    code.push(cas(rng, 3, Heap(2, 0), Imm(0), Reg(node)));
    code.push(IfEq(3, 0, AGAIN));
    match rng.below(8) {
        0 => {}
        1 => code.extend([Load(0, Global(0), Relaxed), cas(rng, 3, TAIL, Reg(2), Reg(node))]),
        _ => code.push(cas(rng, told, TAIL, Reg(2), Reg(node))),
    }
    match rng.below(8) {
        // What the node before holds.
        0 => code.push(Load(0, Heap(2, 1), NonAtomic)),
        1 => code.push(Load(0, TAIL, load(rng))),
        2 => code.push(Fence(rng.pick(&[Acquire, Release, SeqCst]))),
        _ => {}
    }
    code.push(Jump(END));
    let again = code.len();
    code.extend([Set(2, Imm(0)), Set(3, Imm(0))]);
    if !remembers && rng.chance(85) {
        code.push(Set(0, Imm(0)));
    }
    code.push(Jump(start));
    let end = code.len();
    for ins in &mut code[start..] {
        if let IfEq(_, _, to) | IfNe(_, _, to) | Jump(to) = ins {
            *to = match *to {
                AGAIN => again,
                END => end,
                to => to,
            };
        }
    }
    code.extend([Set(1, Imm(0)), Set(2, Imm(0)), Set(3, Imm(0))]);
    if !remembers && rng.chance(85) {
        code.push(Set(0, Imm(0)));
    }
}

/// Adds to a counter, and takes it back and tries again if it was not as wanted; or looks at it.
pub fn take_back(rng: &mut Choices, code: &mut Vec<Ins>) {
    const COUNTER: At = Global(4);
    const DATA: At = Global(5);
    let mode = |rng: &mut Choices| rng.pick(&[Relaxed, Acquire, Acquire, AcqRel, SeqCst]);
    let minus = |n: u64| Imm(n.wrapping_neg());
    if rng.chance(12) {
        match rng.below(8) {
            0..4 => code.push(Load(1, COUNTER, rng.pick(&[Relaxed, Acquire]))),
            4 => code.push(Store(COUNTER, Imm(0), Relaxed)),
            5 => {
                let (expected, desired) = (Imm(rng.below(3) as u64), Imm(rng.below(3) as u64));
                let (mode, fail) = (mode(rng), Relaxed);
                code.push(Cas { ok: 1, old: 0, at: COUNTER, expected, desired, mode, fail, weak: false });
            }
            6 => code.extend([Load(2, COUNTER, Relaxed), AssertNe(2, 1 + rng.below(3) as u64)]),
            _ => code.extend([Add(1, COUNTER, Imm(1), mode(rng)), Add(3, COUNTER, minus(1), mode(rng))]),
        }
        return;
    }
    let step = rng.pick(&[1, 1, 2, 4]);
    // One value is wanted, or one is not.
    let wanted = if rng.chance(85) { 0 } else { rng.below(3) as u64 };
    let unless = rng.chance(15);
    let attempt = Add(2, COUNTER, Imm(step), mode(rng));
    let undo = minus(if rng.chance(95) { step } else { step + 1 });
    let (rotated, spins) = (rng.chance(40), rng.chance(50));
    code.extend([Set(2, Imm(0)), Set(3, Imm(0))]);
    if rotated {
        code.push(attempt);
    }
    let head = code.len();
    code.push(Head(head as u32));
    if !rotated {
        code.push(attempt);
    }
    let found = code.len();
    code.push(Jump(0));
    code.push(Add(3, COUNTER, undo, rng.pick(&[Relaxed, Relaxed, Release])));
    if rng.chance(95) {
        code.push(Set(3, Imm(0)));
    }
    code.push(Set(2, Imm(0)));
    if spins {
        let inner = code.len();
        code.push(Head(inner as u32));
        code.push(Load(3, COUNTER, rng.pick(&[Relaxed, Acquire])));
        code.push(if unless { IfEq(3, wanted, inner) } else { IfNe(3, wanted, inner) });
        code.push(Set(3, Imm(0)));
    }
    if rotated {
        code.push(attempt);
    }
    code.push(Jump(head));
    let to = code.len();
    code[found] = if unless { IfNe(2, wanted, to) } else { IfEq(2, wanted, to) };
    if rng.chance(35) {
        code.extend([Load(0, DATA, NonAtomic), Store(DATA, Plus(0, 1), NonAtomic)]);
    }
    if rng.chance(20) {
        code.push(Set(1, Reg(2)));
    }
    code.extend([Set(2, Imm(0)), Set(0, Imm(0))]);
    if rng.chance(90) {
        code.extend([Add(3, COUNTER, minus(step), rng.pick(&[Release, Release, Relaxed])), Set(3, Imm(0))]);
    }
}

/// Waits for news by polling, or brings some; most of the time with the lock.
pub fn under_lock(rng: &mut Choices, code: &mut Vec<Ins>, cells: u32) {
    const LOCK: At = Global(3);
    let news = if rng.chance(70) { Global(4) } else { Global(rng.below(cells as usize) as u32) };
    let plain = news == Global(4);
    let mode = |atomic: Mode| if plain { NonAtomic } else { atomic };
    if rng.chance(55) {
        let locked = !rng.chance(8);
        if locked {
            code.push(Lock(LOCK));
        }
        code.push(Store(news, Imm(1 + rng.below(2) as u64), mode(Relaxed)));
        if rng.chance(15) {
            code.push(Store(Global(rng.below(cells as usize) as u32), Imm(1), Relaxed));
        }
        if locked {
            code.push(Unlock(LOCK));
        }
        if rng.chance(8) {
            // Sees whether the lock is taken.
            code.push(Load(0, LOCK, Relaxed));
        }
        return;
    }
    let wanted = 1 + rng.below(2) as u64;
    code.extend([Set(2, Imm(0)), Set(3, Imm(0))]);
    let rotated = rng.chance(30);
    if rotated {
        code.push(Lock(LOCK));
    }
    let head = code.len();
    code.push(Head(head as u32));
    if !rotated {
        code.push(Lock(LOCK));
    }
    code.push(Load(2, news, mode(rng.pick(&[Relaxed, Acquire]))));
    if rng.chance(20) {
        code.push(AssertNe(2, 3 - wanted));
    }
    let found = code.len();
    code.push(IfEq(2, wanted, 0));
    code.push(Unlock(LOCK));
    // What it read may be remembered, or that it was too early.
    if rng.chance(80) {
        code.push(Set(2, Imm(0)));
    }
    if rng.chance(20) {
        code.push(Set(1, Imm(1)));
    }
    if rotated {
        code.push(Lock(LOCK));
    }
    code.push(Jump(head));
    code[found] = IfEq(2, wanted, code.len());
    if rng.chance(25) {
        code.push(Store(news, Imm(rng.below(3) as u64), mode(Relaxed)));
    }
    code.push(Unlock(LOCK));
    code.push(Set(0, Reg(2)));
}

/// Takes a lock, does something and gives it back; or only tries to, or does what nobody should.
pub fn section(rng: &mut Choices, code: &mut Vec<Ins>, cells: u32) {
    let lock = rng.pick(&[Global(3), Global(3), Global(3), Global(5)]);
    let cell = |rng: &mut Choices| Global(rng.below(cells as usize) as u32);
    match rng.below(100) {
        0..2 => return code.push(Load(rng.below(2), lock, rng.pick(&[Relaxed, Acquire]))),
        2..4 => return code.push(Unlock(lock)),
        4 => return code.push(Store(lock, Imm(rng.below(3) as u64), Relaxed)),
        5 => return code.push(Await(0, lock, rng.below(2) as u64, Acquire)),
        _ => {}
    }
    let tried = rng.chance(8).then_some(code.len() + 1);
    match tried {
        Some(_) => {
            let (mode, fail) = (Acquire, rng.pick(&[Relaxed, Acquire]));
            let (expected, desired) = (Imm(0), Imm(1));
            code.push(Cas { ok: 2, old: 3, at: lock, expected, desired, mode, fail, weak: false });
            code.push(IfEq(2, 0, 0));
        }
        None => code.push(Lock(lock)),
    }
    for _ in 0..rng.pick(&[0, 1, 1, 2, 3]) {
        let at = cell(rng);
        code.push(match rng.below(12) {
            0..3 => Load(rng.below(2), Global(4), NonAtomic),
            3..6 => Store(Global(4), Imm(1 + rng.below(2) as u64), NonAtomic),
            6 | 7 => Load(rng.below(2), at, rng.pick(&[Relaxed, Acquire])),
            8 | 9 => Store(at, Imm(1 + rng.below(2) as u64), rng.pick(&[Relaxed, Release])),
            10 => Add(rng.below(2), at, Imm(1), Relaxed),
            _ => Load(rng.below(2), lock, Relaxed),
        });
    }
    if rng.chance(4) {
        code.push(AssertNe(rng.below(2), 2));
    }
    if rng.chance(97) {
        code.push(Unlock(lock));
    }
    if let Some(at) = tried {
        code[at] = IfEq(2, 0, code.len());
    }
}

/// A rotated loop that goes by what it finds in memory of the thread's own, where it has put what it read.
pub fn by_way_of_its_own(rng: &mut Choices, code: &mut Vec<Ins>, cells: u32) {
    let at = Global(rng.below(cells as usize) as u32);
    let own = Heap(1, 0);
    let put = |rng: &mut Choices, value| Store(own, value, rng.pick(&[Relaxed, Relaxed, Release, NonAtomic]));
    let look = |rng: &mut Choices| Load(2, own, rng.pick(&[Relaxed, Relaxed, Acquire, NonAtomic]));
    code.extend([Alloc { reg: 1, cells: 1, zeroed: true }, Set(3, Imm(0)), look(rng)]);
    let head = code.len();
    code.push(Head(head as u32));
    let leave = if rng.chance(70) { IfNe(2, 0, 0) } else { IfEq(2, 1 + rng.below(2) as u64, 0) };
    let early = rng.chance(50);
    let mut exits = Vec::new();
    if early {
        exits.push(code.len());
        code.push(leave);
    }
    code.extend([Load(3, at, rng.pick(&[Relaxed, Acquire, SeqCst])), put(rng, Reg(3)), Set(3, Imm(0))]);
    if !early {
        exits.push(code.len());
        code.push(leave);
    }
    code.push(look(rng));
    if rng.chance(50) {
        code.push(put(rng, Imm(0)));
    }
    if rng.chance(30) {
        exits.push(code.len() + 1);
        code.extend([
            Load(3, Global(rng.below(cells as usize) as u32), Relaxed),
            IfNe(3, 0, 0),
            Set(3, Imm(0)),
        ]);
    }
    code.push(Jump(head));
    let end = code.len();
    for exit in exits {
        if let IfEq(_, _, to) | IfNe(_, _, to) = &mut code[exit] {
            *to = end;
        }
    }
    code.extend([Set(0, Reg(2)), Set(1, Imm(0)), Set(3, Imm(0))]);
}

/// A thread that keeps what it reads in memory of its own until it likes it, and then tells others where
/// that is, with more or less order; one that looks there; and one that writes what is read.
pub fn told_late(rng: &mut Choices) -> Script {
    let own = Heap(1, 0);
    let put = |rng: &mut Choices| rng.pick(&[Relaxed, Relaxed, Relaxed, Release, NonAtomic]);
    let mut teller = vec![Alloc { reg: 1, cells: 1, zeroed: true }];
    if rng.chance(75) {
        teller.push(Fence(rng.pick(&[Release, Release, SeqCst])));
    }
    let head = teller.len() + 1;
    teller.extend([Set(2, Imm(0)), Head(head as u32), Load(2, Global(0), rng.pick(&[Relaxed, Acquire]))]);
    let mode = put(rng);
    teller.push(Store(own, Reg(2), mode));
    if rng.chance(30) {
        teller.push(Load(2, own, mode));
    }
    if rng.chance(15) {
        teller.push(Store(own, Imm(0), mode));
    }
    let end = teller.len() + 3;
    teller.push(if rng.chance(70) { IfEq(2, 2, end) } else { IfNe(2, 0, end) });
    teller.extend([Set(2, Imm(0)), Jump(head)]);
    if rng.chance(30) {
        teller.push(Store(own, Imm(3), put(rng)));
    }
    teller.push(Store(Global(5), Reg(1), rng.pick(&[Relaxed, Relaxed, Release])));
    teller.push(Set(1, Imm(0)));
    let mut looker = vec![Load(3, Global(5), rng.pick(&[Acquire, Acquire, Relaxed])), IfEq(3, 0, 3)];
    looker.push(match rng.below(8) {
        0 => Load(0, Heap(3, 0), NonAtomic),
        1 => Swap(0, Heap(3, 0), Imm(4), Relaxed),
        2 => Store(Heap(3, 0), Imm(4), Relaxed),
        _ => Load(0, Heap(3, 0), rng.pick(&[Relaxed, Acquire])),
    });
    looker.push(Set(3, Imm(0)));
    let mut writer = vec![Store(Global(0), Imm(1), Relaxed), Store(Global(0), Imm(2), Relaxed)];
    if rng.chance(20) {
        writer.swap(0, 1);
    }
    let mut bodies = vec![teller, looker, writer];
    let first = rng.below(3);
    bodies.rotate_left(first);
    let mut script = Script::parallel(bodies);
    script.initial = vec![0; 5];
    script
}
