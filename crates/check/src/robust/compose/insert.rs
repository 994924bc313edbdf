//! The same program with seq_cst fences in front of some instructions.

use lineal_model::program::{Instr, Machine};
use lineal_model::run::Mode;
use std::collections::BTreeSet;

/// Whoever comes to one of these instructions, by whatever way, passes a fence first.
pub fn fenced(machine: &Machine, before: &BTreeSet<u32>) -> Machine {
    let mut program = machine.program.clone();
    program.insert(&before.iter().map(|&pc| (pc, Instr::Fence { mode: Mode::SeqCst })).collect());
    for pc in before {
        program.identity = (program.identity ^ u64::from(*pc)).wrapping_mul(0x0100_0000_01b3);
    }
    Machine::new(program)
}
