//! What an instruction reads and writes, and where control goes from it.

use super::{Instr, IntKind, Machine, Reg};
use std::collections::BTreeSet;

/// Whether the next instruction can follow, and where else control can go.
pub fn flow(instr: &Instr) -> (bool, Option<u32>) {
    match instr {
        Instr::Jump { to } => (false, Some(*to)),
        Instr::BranchZero { to, .. } => (true, Some(*to)),
        Instr::Return { .. }
        | Instr::ReturnNothing
        | Instr::ThreadExit { .. }
        | Instr::Fail { .. }
        | Instr::Refuse { .. }
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
        Instr::Move { dst, src } | Instr::Extend { dst, src, .. } | Instr::Convert { dst, src, .. } => {
            (vec![dst], vec![src])
        }
        Instr::Un { dst, a, .. } => (vec![dst], vec![a]),
        Instr::Checked { dst, a, b, .. } => (vec![dst, dst + 1], vec![a, b]),
        Instr::Bin { dst, a, b, .. } | Instr::Float { dst, a, b, .. } => (vec![dst], vec![a, b]),
        Instr::Jump { .. }
        | Instr::Forget { .. }
        | Instr::Fence { .. }
        | Instr::Fail { .. }
        | Instr::Refuse { .. }
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
        Instr::AwaitFetch { dst, addr, operand, .. } => (vec![dst], vec![addr, operand]),
        Instr::AwaitCas { addr, expected, desired, .. } => (vec![], vec![addr, expected, desired]),
        Instr::Alloc { dst, size, .. } => (vec![dst], vec![size]),
        Instr::Free { addr, .. } => (vec![], vec![addr]),
        Instr::BlockSize { dst, addr } | Instr::Kernel { dst, addr } => (vec![dst], vec![addr]),
        Instr::Create { dst, function, argument } => (vec![dst], vec![function, argument]),
        Instr::Join { dst, thread } => (vec![dst], vec![thread]),
        Instr::Choose { dst, low, high } => (vec![dst], vec![low, high]),
    }
}

/// How many places, with what the registers hold there, are looked at.
const MOST: usize = 1000;

impl Machine {
    /// Whether the value that the compare-and-swap at `pc` reads is used for nothing but to tell
    /// whether it succeeded: on every path from there, all registers that may hold it are
    /// overwritten, or their function returns, before anything but a copy is made of them.
    pub fn forgets(&self, pc: u32) -> bool {
        let code = &self.program.code;
        let Some(&Instr::Cas { dst, .. }) = code.get(pc as usize) else { return false };
        self.overwrites(pc + 1, BTreeSet::from([dst + 1, dst + 2]))
    }

    /// Whether on every path from `pc` what these registers hold is overwritten, or their function
    /// returns, before anything but a copy is made of it.
    pub fn overwrites(&self, pc: u32, registers: BTreeSet<Reg>) -> bool {
        let code = &self.program.code;
        let mut open = vec![(pc, registers)];
        let mut seen = BTreeSet::new();
        while let Some((at, mut holding)) = open.pop() {
            if holding.is_empty() || !seen.insert((at, holding.clone())) {
                continue;
            }
            if seen.len() > MOST {
                return false;
            }
            let Some(instr) = code.get(at as usize) else { return false };
            let (defs, uses) = effects(instr);
            let copies = match *instr {
                Instr::Move { src, .. } | Instr::Extend { src, .. } => holding.contains(&src),
                _ if uses.iter().any(|r| holding.contains(r)) => return false,
                _ => false,
            };
            for r in defs {
                if copies {
                    holding.insert(r);
                } else {
                    holding.remove(&r);
                }
            }
            let (next, jump) = flow(instr);
            if let Some(to) = jump {
                open.push((to, holding.clone()));
            }
            if next {
                open.push((at + 1, holding));
            }
        }
        true
    }
}
