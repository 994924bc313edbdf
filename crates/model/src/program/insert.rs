//! A program with further instructions in it.

use super::{Instr, Program};
use std::collections::BTreeMap;

impl Program {
    /// Whoever comes to one of these instructions, by whatever way, passes the one given for it first.
    pub fn insert(&mut self, before: &BTreeMap<u32, Instr>) {
        // Where a jump to an instruction goes: to the new one, if there is one.
        let moved = |pc: u32| pc + before.range(..pc).count() as u32;
        // Where the instruction itself is.
        let itself = |pc: u32| moved(pc) + u32::from(before.contains_key(&pc));
        let (mut code, mut sites) = (Vec::new(), Vec::new());
        for (pc, (instr, site)) in self.code.iter().zip(&self.sites).enumerate() {
            if let Some(new) = before.get(&(pc as u32)) {
                code.push(*new);
                sites.push(*site);
            }
            code.push(match *instr {
                Instr::Jump { to } => Instr::Jump { to: moved(to) },
                Instr::BranchZero { cond, to } => Instr::BranchZero { cond, to: moved(to) },
                other => other,
            });
            sites.push(*site);
        }
        (self.code, self.sites) = (code, sites);
        for f in &mut self.functions {
            (f.entry, f.end) = (moved(f.entry), moved(f.end));
        }
        // These are about instructions themselves, or about where calls return to.
        self.given_orders.iter_mut().for_each(|pc| *pc = itself(*pc));
        self.volatiles.iter_mut().for_each(|pc| *pc = itself(*pc));
        self.results = self.results.iter().map(|(pc, layout)| (moved(*pc), *layout)).collect();
        for entrance in self.loops.iter_mut().filter_map(|l| l.entrance.as_mut()) {
            let inside = |at: &u32| before.range(at + 1..=at + entrance.length + 1).next().is_some();
            if entrance.at.iter().any(inside) {
                entrance.at.clear();
            }
            entrance.at.iter_mut().for_each(|pc| *pc = itself(*pc));
        }
    }
}
