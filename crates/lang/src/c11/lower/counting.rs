//! Loops that count: a register grows (or shrinks) with each iteration and nothing resets it, so no
//! state at the head comes twice, and engines need not look for it.
//!
//! Only the pattern of `for (i = a; …; i += c)` is recognised: one jump back to the head, and the
//! straight code before it adds a constant to a register that nothing else in the loop writes.
//! Counters of less than four bytes are left out, because they come round.
//!
//! A loop that also looks at shared memory, and gives up after so many looks, is gone through look by look.
//! If each round makes one read and nothing else, one failed look could stand for all: rounds before
//! a success can be erased, and a read can be repeated. With two reads a round it could not (the second
//! may acquire what the first missed, so that the round cannot be repeated), nor with a fence.

use lineal_model::program::flow::{effects, flow};
use lineal_model::program::{BinOp, Instr, Reg};
use std::collections::BTreeMap;

/// What a register holds at some point of the straight code: its own or another's value at the
/// start, plus a constant, or a constant alone.
#[derive(Clone, Copy)]
struct Sum {
    from: Option<Reg>,
    plus: i64,
}

/// Whether the loop with this head counts. `code` is that of its function and starts at `base`.
pub fn counts(code: &[Instr], base: u32, head: usize) -> bool {
    let head = head - base as usize;
    let target = |i: usize| flow(&code[i]).1.and_then(|to| to.checked_sub(base)).map(|to| to as usize);
    let mut back = (head + 1..code.len()).filter(|&i| target(i) == Some(head));
    let (Some(end), None) = (back.next(), back.next()) else { return false };
    if !matches!(code[end], Instr::Jump { .. }) {
        return false;
    }
    let straight = (head + 1..end).rev().take_while(|&i| flow(&code[i]) == (true, None));
    let mut start = straight.last().unwrap_or(end);
    start = (0..code.len()).filter_map(target).filter(|t| (start..=end).contains(t)).max().unwrap_or(start);
    let mut held: BTreeMap<Reg, Option<Sum>> = BTreeMap::new();
    for instr in &code[start..end] {
        let sum = |r: Reg| held.get(&r).copied().unwrap_or(Some(Sum { from: Some(r), plus: 0 }));
        let result = match *instr {
            Instr::Const { value, .. } => Some(Sum { from: None, plus: value }),
            Instr::Move { src, .. } => sum(src),
            Instr::Extend { kind, src, .. } if kind.size() >= 4 => sum(src),
            Instr::Bin { op: BinOp::Add, kind, a, b, .. } if kind.size() >= 4 => match (sum(a), sum(b)) {
                (Some(s), Some(Sum { from: None, plus })) | (Some(Sum { from: None, plus }), Some(s)) => {
                    s.plus.checked_add(plus).map(|plus| Sum { plus, ..s })
                }
                _ => None,
            },
            Instr::Bin { op: BinOp::Sub, kind, a, b, .. } if kind.size() >= 4 => match (sum(a), sum(b)) {
                (Some(s), Some(Sum { from: None, plus })) => {
                    s.plus.checked_sub(plus).map(|plus| Sum { plus, ..s })
                }
                _ => None,
            },
            _ => None,
        };
        for r in effects(instr).0 {
            held.insert(r, result);
        }
    }
    let grows = |(r, sum): (&Reg, &Option<Sum>)| matches!(sum, Some(Sum { from, plus }) if *from == Some(*r) && *plus != 0);
    let written = |r: Reg| code[head..start].iter().any(|i| effects(i).0.contains(&r));
    held.iter().any(|(r, sum)| grows((r, sum)) && !written(*r))
}

#[cfg(test)]
mod tests {
    use super::*;
    use lineal_model::program::IntKind::{I32, U8};

    /// `head: branch out; body; tmp = i + c; i = tmp; jump head`.
    fn code(body: Instr, kind: lineal_model::program::IntKind, to: Reg) -> Vec<Instr> {
        vec![
            Instr::LoopHead { index: 0 },
            Instr::BranchZero { cond: 5, to: 17 },
            body,
            Instr::Const { dst: 2, value: 1 },
            Instr::Bin { op: BinOp::Add, kind, dst: 3, a: 1, b: 2 },
            Instr::Move { dst: to, src: 3 },
            Instr::Jump { to: 10 },
            Instr::Return { src: 0 },
        ]
    }

    #[test]
    fn only_what_grows_for_sure_counts() {
        let nothing = Instr::Const { dst: 9, value: 0 };
        assert!(counts(&code(nothing, I32, 1), 10, 10));
        // It comes round, it is reset, another register gets the sum, the step may be skipped.
        assert!(!counts(&code(nothing, U8, 1), 10, 10));
        assert!(!counts(&code(Instr::Const { dst: 1, value: 0 }, I32, 1), 10, 10));
        assert!(!counts(&code(nothing, I32, 4), 10, 10));
        assert!(!counts(&code(Instr::BranchZero { cond: 5, to: 16 }, I32, 1), 10, 10));
        assert!(!counts(&code(Instr::BranchZero { cond: 5, to: 10 }, I32, 1), 10, 10));
    }
}
