//! The same program with seq_cst fences in front of some instructions.

use lineal_model::program::{Instr, Machine};
use lineal_model::run::Mode;
use std::collections::BTreeSet;

/// Whoever comes to one of these instructions, by whatever way, passes a fence first.
pub fn fenced(machine: &Machine, before: &BTreeSet<u32>) -> Machine {
    let mut program = machine.program.clone();
    // Where a jump to an instruction goes: to the fence, if it has one.
    let moved = |pc: u32| pc + before.range(..pc).count() as u32;
    let (mut code, mut sites) = (Vec::new(), Vec::new());
    for (pc, (instr, site)) in program.code.iter().zip(&program.sites).enumerate() {
        if before.contains(&(pc as u32)) {
            code.push(Instr::Fence { mode: Mode::SeqCst });
            sites.push(*site);
        }
        code.push(match *instr {
            Instr::Jump { to } => Instr::Jump { to: moved(to) },
            Instr::BranchZero { cond, to } => Instr::BranchZero { cond, to: moved(to) },
            other => other,
        });
        sites.push(*site);
    }
    (program.code, program.sites) = (code, sites);
    for f in &mut program.functions {
        (f.entry, f.end) = (moved(f.entry), moved(f.end));
    }
    // These are about instructions themselves, or about where calls return to.
    let itself = |pc: u32| moved(pc) + u32::from(before.contains(&pc));
    program.given_orders.iter_mut().for_each(|pc| *pc = itself(*pc));
    program.volatiles.iter_mut().for_each(|pc| *pc = itself(*pc));
    program.results = program.results.iter().map(|(pc, layout)| (moved(*pc), *layout)).collect();
    for pc in before {
        program.identity = (program.identity ^ u64::from(*pc)).wrapping_mul(0x0100_0000_01b3);
    }
    Machine::new(program)
}
