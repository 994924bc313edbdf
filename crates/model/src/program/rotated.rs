//! Rotated loops: `a = x; while (a) a = x;`, where an iteration begins in front of the loop.
//!
//! What an iteration reads first decides whether there is one, so authors write it twice: before the
//! loop and at the end of its body. At the head the thread then differs from one passage to the next by
//! what it read last, though nothing has happened that matters. It is the same at the *entrances*:
//! just before the two copies, which end at the head both. Entrances are heads of one loop for those
//! who look for iterations that come to nothing, and a thread at one of them does what it would do at
//! any other.
//!
//! Copies are instructions without branches, equal but for names of registers: a register that is
//! written in one copy has a partner in the other, which is written where it is and read where it is,
//! and is the same register if its value is used at the head. Where a copy is changed later (other
//! access modes, a fence in the middle), the entrances are told apart again.

use super::flow::effects;
use super::{Instr, Machine, Program, Reg};
use std::collections::BTreeMap;

/// Where the copies begin.
#[derive(Clone, Debug, Default)]
pub struct Entrance {
    /// The [`Instr::LoopHead`] before each copy; empty if the copies do not agree.
    pub at: Vec<u32>,
    /// How many instructions a copy has.
    pub length: u32,
}

/// An instruction without its registers, if copies may contain it.
fn blank(instr: &Instr) -> Option<Instr> {
    let mut blank = *instr;
    match &mut blank {
        Instr::Const { dst, .. } | Instr::FrameAddr { dst, .. } | Instr::TlsAddr { dst, .. } => *dst = 0,
        Instr::Move { dst, src } | Instr::Extend { dst, src, .. } => (*dst, *src) = (0, 0),
        Instr::Un { dst, a, .. } => (*dst, *a) = (0, 0),
        Instr::Bin { dst, a, b, .. } | Instr::Checked { dst, a, b, .. } => (*dst, *a, *b) = (0, 0, 0),
        Instr::Load { dst, addr, .. } => (*dst, *addr) = (0, 0),
        Instr::Store { addr, src, .. } => (*addr, *src) = (0, 0),
        Instr::Fetch { dst, addr, src, .. } => (*dst, *addr, *src) = (0, 0, 0),
        Instr::Cas { dst, addr, expected, desired, .. } => {
            (*dst, *addr, *expected, *desired) = (0, 0, 0, 0);
        }
        Instr::Call { args, dst, .. } => (*args, *dst) = (0, 0),
        Instr::CheckIndex { index, .. } => *index = 0,
        Instr::CheckInit { flag, .. } => *flag = 0,
        Instr::CheckReturned { .. } | Instr::Fence { .. } => {}
        _ => return None,
    }
    Some(blank)
}

/// Whether the two instructions do the same, up to registers, and copies may contain them.
pub fn alike(a: &Instr, b: &Instr) -> bool {
    blank(a).is_some_and(|a| blank(b) == Some(a))
}

/// Whether two stretches of code, begun with the same registers, do the same and leave the same in
/// those that are used later.
pub fn are_copies(one: &[Instr], other: &[Instr], used_later: &dyn Fn(Reg) -> bool) -> bool {
    // Which register of the other copy has what this one has; `None`: no register.
    let (mut there, mut back): (BTreeMap<Reg, Option<Reg>>, BTreeMap<Reg, Option<Reg>>) = Default::default();
    let partners = |there: &BTreeMap<Reg, Option<Reg>>, back: &BTreeMap<Reg, Option<Reg>>, a: Reg, b: Reg| {
        there.get(&a).copied().unwrap_or(Some(a)) == Some(b)
            && back.get(&b).copied().unwrap_or(Some(b)) == Some(a)
    };
    for (x, y) in one.iter().zip(other) {
        let ((defs_x, uses_x), (defs_y, uses_y)) = (effects(x), effects(y));
        let same = one.len() == other.len()
            && alike(x, y)
            && (defs_x.len(), uses_x.len()) == (defs_y.len(), uses_y.len())
            && uses_x.iter().zip(&uses_y).all(|(&a, &b)| partners(&there, &back, a, b));
        if !same {
            return false;
        }
        for (a, b) in defs_x.into_iter().zip(defs_y) {
            // Whoever had one of them for a partner has none now.
            if let Some(Some(old)) = there.insert(a, Some(b)) {
                back.insert(old, None);
            }
            if let Some(Some(old)) = back.insert(b, Some(a))
                && old != a
            {
                there.insert(old, None);
            }
        }
    }
    let written = there.keys().chain(back.keys());
    written.filter(|r| used_later(**r)).all(|&r| partners(&there, &back, r, r))
}

impl Program {
    /// The first entrance of the loop, if `pc` is one: a thread does there what it does here.
    pub fn entrance(&self, pc: u32) -> Option<u32> {
        let Some(&Instr::LoopHead { index }) = self.code.get(pc as usize) else { return None };
        self.loops[index as usize].entrance.as_ref()?.at.first().copied()
    }

    /// To be called after accesses were changed: copies that do not agree any more are told apart.
    pub(super) fn compare_copies(&mut self) {
        let Program { code, loops, .. } = self;
        for entrance in loops.iter_mut().filter_map(|l| l.entrance.as_mut()) {
            let copy = |at: u32| &code[at as usize + 1..][..entrance.length as usize];
            let first = entrance.at.first().copied();
            let agree = |at: &u32| copy(first.unwrap_or(*at)).iter().zip(copy(*at)).all(|(a, b)| alike(a, b));
            if !entrance.at.iter().all(agree) {
                entrance.at.clear();
            }
        }
    }
}

impl Machine {
    /// Whether this head is that of no loop, but an entrance of one.
    pub(super) fn is_entrance(&self, head: u32) -> bool {
        self.program.loops[head as usize].entrance.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::IntKind;
    use crate::run::Mode;

    fn load(dst: Reg, addr: Reg, mode: Mode) -> Instr {
        Instr::Load { kind: IntKind::I32, mode, dst, addr, lenient: false }
    }

    fn read(address: Reg, value: Reg, into: Reg) -> [Instr; 3] {
        [
            Instr::Const { dst: address, value: 64 },
            load(value, address, Mode::Acquire),
            Instr::Move { dst: into, src: value },
        ]
    }

    #[test]
    fn names_of_temporaries_do_not_matter() {
        assert!(are_copies(&read(5, 6, 1), &read(8, 9, 1), &|r| r == 1));
        assert!(!are_copies(&read(5, 6, 1), &read(8, 9, 2), &|r| r <= 2));
        assert!(!are_copies(&read(5, 6, 1), &read(8, 9, 1), &|r| r == 1 || r == 6));
        assert!(are_copies(&read(5, 6, 1), &read(5, 6, 1), &|_| true));
    }

    #[test]
    fn what_is_read_must_come_from_the_same_place() {
        let (a, b) = (load(3, 1, Mode::Relaxed), load(3, 2, Mode::Relaxed));
        assert!(!are_copies(&[a], &[b], &|r| r == 3));
        assert!(are_copies(&[a], &[a], &|r| r == 3));
        assert!(!are_copies(&[a], &[load(3, 1, Mode::Acquire)], &|_| false));
        // 7 is written in one copy only, and read from before in the other.
        let first = [Instr::Const { dst: 7, value: 0 }, load(3, 7, Mode::Relaxed)];
        let second = [Instr::Const { dst: 8, value: 0 }, load(3, 7, Mode::Relaxed)];
        assert!(!are_copies(&first, &second, &|r| r == 3));
        // A partner that was overwritten is none.
        let over = [
            Instr::Const { dst: 7, value: 0 },
            Instr::Const { dst: 7, value: 1 },
            Instr::Move { dst: 3, src: 7 },
        ];
        let kept = [
            Instr::Const { dst: 7, value: 0 },
            Instr::Const { dst: 8, value: 1 },
            Instr::Move { dst: 3, src: 7 },
        ];
        assert!(!are_copies(&over, &kept, &|r| r == 3));
    }
}
