//! Which registers are dead at a loop head, so that a fruitless iteration is seen as such.

use lineal_model::program::{Instr, IntKind, Reg};

/// Instructions through which other threads can be noticed.
pub fn visible(instr: &Instr) -> bool {
    matches!(
        instr,
        Instr::Load { .. }
            | Instr::Store { .. }
            | Instr::Copy { .. }
            | Instr::CopyMany { .. }
            | Instr::Fill { .. }
            | Instr::Fetch { .. }
            | Instr::Cas { .. }
            | Instr::Await { .. }
            | Instr::AwaitAdd { .. }
            | Instr::AwaitCas { .. }
            | Instr::Call { .. }
            | Instr::CallPointer { .. }
            | Instr::Alloc { .. }
            | Instr::Free { .. }
            | Instr::Create { .. }
            | Instr::Join { .. }
            | Instr::Choose { .. }
            | Instr::Fence { .. }
    )
}

/// For each head, the registers whose value there is never read again. `code` starts at `base`.
pub fn dead_at(code: &[Instr], base: u32, registers: u16, heads: &[(usize, u32)]) -> Vec<Vec<Reg>> {
    if heads.is_empty() {
        return Vec::new();
    }
    let words = (registers as usize).div_ceil(64);
    let mut live = vec![0u64; (code.len() + 1) * words];
    let mut row = vec![0u64; words];
    loop {
        let mut changed = false;
        for i in (0..code.len()).rev() {
            row.fill(0);
            let (next, jump) = flow(&code[i]);
            let mut join = |target: usize| {
                for (w, word) in row.iter_mut().enumerate() {
                    *word |= live[target * words + w];
                }
            };
            if next {
                join(i + 1);
            }
            // A jump to nowhere (an undefined label, a stray `break`) has its diagnostic already.
            let target = jump.and_then(|to| to.checked_sub(base)).map(|to| to as usize);
            if let Some(to) = target.filter(|to| *to <= code.len()) {
                join(to);
            }
            let (defs, uses) = effects(&code[i]);
            for r in defs {
                row[r as usize / 64] &= !(1 << (r % 64));
            }
            for r in uses {
                row[r as usize / 64] |= 1 << (r % 64);
            }
            let old = &mut live[i * words..(i + 1) * words];
            if old != row.as_slice() {
                old.copy_from_slice(&row);
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    heads
        .iter()
        .map(|(at, _)| {
            let row = &live[(at - base as usize) * words..][..words];
            (0..registers).filter(|r| row[*r as usize / 64] >> (r % 64) & 1 == 0).collect()
        })
        .collect()
}

/// Whether the next instruction can follow, and where else control can go.
pub fn flow(instr: &Instr) -> (bool, Option<u32>) {
    match instr {
        Instr::Jump { to } => (false, Some(*to)),
        Instr::BranchZero { to, .. } => (true, Some(*to)),
        Instr::Return { .. }
        | Instr::ReturnNothing
        | Instr::ThreadExit { .. }
        | Instr::Fail { .. }
        | Instr::Exit => (false, None),
        _ => (true, None),
    }
}

/// Registers written and read.
pub fn effects(instr: &Instr) -> (Vec<Reg>, Vec<Reg>) {
    let pair = |r: Reg, kind: IntKind| if kind == IntKind::Wide { vec![r, r + 1] } else { vec![r] };
    match *instr {
        Instr::Const { dst, .. }
        | Instr::FrameAddr { dst, .. }
        | Instr::TlsAddr { dst, .. }
        | Instr::SelfId { dst } => (vec![dst], vec![]),
        Instr::Move { dst, src } | Instr::Extend { dst, src, .. } => (vec![dst], vec![src]),
        Instr::Un { dst, a, .. } => (vec![dst], vec![a]),
        Instr::Checked { dst, a, b, .. } => (vec![dst, dst + 1], vec![a, b]),
        Instr::Bin { dst, a, b, .. } => (vec![dst], vec![a, b]),
        Instr::Jump { .. }
        | Instr::Forget { .. }
        | Instr::Fence { .. }
        | Instr::Fail { .. }
        | Instr::Exit
        | Instr::ReturnNothing
        | Instr::CheckReturned { .. }
        | Instr::LoopHead { .. } => (vec![], vec![]),
        Instr::BranchZero { cond, .. } | Instr::Assert { cond, .. } | Instr::Assume { cond } => {
            (vec![], vec![cond])
        }
        Instr::CheckIndex { index, .. } => (vec![], vec![index]),
        Instr::CheckInit { flag, .. } => (vec![], vec![flag]),
        Instr::Call { args, count, dst, .. } => (vec![dst], (args..args + u16::from(count)).collect()),
        Instr::CallPointer { pointer, args, count, dst } => {
            (vec![dst], (args..args + u16::from(count)).chain([pointer]).collect())
        }
        Instr::Return { src } | Instr::ThreadExit { src, .. } => (vec![], vec![src]),
        Instr::Load { kind, dst, addr, .. } => (pair(dst, kind), vec![addr]),
        Instr::Store { kind, addr, src, .. } => (vec![], [pair(src, kind), vec![addr]].concat()),
        Instr::Copy { to, from, .. } => (vec![], vec![to, from]),
        Instr::CopyMany { to, from, size, .. } => (vec![], vec![to, from, size]),
        Instr::Fill { to, byte, size } => (vec![], vec![to, byte, size]),
        Instr::Fetch { kind, dst, addr, src, .. } => {
            (pair(dst, kind), [pair(src, kind), vec![addr]].concat())
        }
        Instr::Cas { kind, dst, addr, expected, desired, .. } => {
            let mut defs = pair(dst + 1, kind);
            defs.push(dst);
            (defs, [pair(expected, kind), pair(desired, kind), vec![addr]].concat())
        }
        Instr::Await { dst, addr, operand, .. } => (vec![dst], vec![addr, operand]),
        Instr::AwaitAdd { dst, addr, .. } => (vec![dst], vec![addr]),
        Instr::AwaitCas { addr, expected, desired, .. } => (vec![], vec![addr, expected, desired]),
        Instr::Alloc { dst, size, .. } => (vec![dst], vec![size]),
        Instr::Free { addr, .. } => (vec![], vec![addr]),
        Instr::BlockSize { dst, addr } => (vec![dst], vec![addr]),
        Instr::Create { dst, function, argument } => (vec![dst], vec![function, argument]),
        Instr::Join { dst, thread } => (vec![dst], vec![thread]),
        Instr::Choose { dst, low, high } => (vec![dst], vec![low, high]),
    }
}
