//! Which registers are dead at a loop head, so that a fruitless iteration is seen as such.

use lineal_model::program::flow::{effects, flow};
use lineal_model::program::{Instr, Reg};

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
            | Instr::AwaitFetch { .. }
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

/// Which registers are read later, at each instruction.
pub struct Live {
    words: usize,
    rows: Vec<u64>,
}

impl Live {
    pub fn has(&self, at: usize, r: Reg) -> bool {
        self.rows[at * self.words + r as usize / 64] >> (r % 64) & 1 == 1
    }
}

/// The registers that are read again, at each instruction of `code`, which starts at `base`.
pub fn live_at(code: &[Instr], base: u32, registers: u16) -> Live {
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
    Live { words, rows: live }
}

/// For each head, the registers whose value there is never read again.
pub fn dead_at(code: &[Instr], base: u32, registers: u16, heads: &[(usize, u32)]) -> Vec<Vec<Reg>> {
    if heads.is_empty() {
        return Vec::new();
    }
    let live = live_at(code, base, registers);
    let dead = |at: usize| (0..registers).filter(|r| !live.has(at, *r)).collect();
    heads.iter().map(|(at, _)| dead(at - base as usize)).collect()
}
