//! Where iterations of rotated loops begin: see [`lineal_model::program::rotated`].
//!
//! Seen in the instructions, whatever the source looked like: straight code that runs into the head of
//! a loop, and the same code before each jump back to it. The longest such code is taken after which
//! no more registers are in use than at the head, so that what the thread has in hand there is what
//! it has in hand between iterations. Nothing may jump into a copy: whoever comes to the head has
//! passed an entrance, and nobody need watch the head. (So a copy with a branch is none, yet.)

use super::liveness::{live_at, visible};
use lineal_model::program::flow::flow;
use lineal_model::program::rotated::{alike, are_copies};
use lineal_model::program::{Instr, Reg};
use std::collections::BTreeSet;

/// Copies are not longer.
const LONGEST: usize = 64;

/// How long the copies are, and where they begin, the one in front of the loop first.
pub struct Copies {
    pub at: Vec<u32>,
    pub length: u32,
}

/// The copies in front of and in the loop with this head. `code` is that of its function and starts
/// at `base`.
pub fn copies(code: &[Instr], base: u32, registers: u16, head: usize) -> Option<Copies> {
    let head = head - base as usize;
    let target = |i: usize| flow(&code[i]).1.and_then(|to| to.checked_sub(base)).map(|to| to as usize);
    let backs: Vec<usize> = (head + 1..code.len()).filter(|&i| target(i) == Some(head)).collect();
    let jumps = backs.iter().all(|&i| matches!(code[i], Instr::Jump { .. }));
    if backs.is_empty() || !jumps {
        return None;
    }
    // `head` is where the copy in front ends, the jumps are where the others do.
    let equal = |k: usize| {
        head >= k && backs.iter().all(|&back| back - k > head && alike(&code[head - k], &code[back - k]))
    };
    let most = (1..=LONGEST).take_while(|&k| equal(k)).last()?;
    let live = live_at(code, base, registers);
    let in_use = |at: usize| -> BTreeSet<Reg> { (0..registers).filter(|&r| live.has(at, r)).collect() };
    let at_head = in_use(head);
    let enters = |start: usize, end: usize| {
        let into = |i: usize| target(i).is_some_and(|to| start < to && to <= end);
        (0..code.len()).any(|i| into(i) && !backs.contains(&i))
    };
    let fits = |k: &usize| {
        let ends = backs.iter().chain([&head]);
        if ends.clone().any(|end| enters(end - k, *end)) {
            return false;
        }
        let stretch = |end: usize| &code[end - k..end];
        stretch(head).iter().any(visible)
            && ends.clone().all(|end| in_use(end - k).is_subset(&at_head))
            && ends.clone().all(|&end| are_copies(stretch(head), stretch(end), &|r| at_head.contains(&r)))
    };
    let length = (1..=most).rev().find(fits)?;
    let at = [head].into_iter().chain(backs).map(|end| base + (end - length) as u32).collect();
    Some(Copies { at, length: length as u32 })
}
