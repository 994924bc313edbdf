//! Functions whose threads never learn who they are.

use super::{Instr, Machine};
use crate::run::{BlockId, Loc};
use std::collections::BTreeSet;

impl Machine {
    /// Whether nothing that `function` can reach depends on which thread runs it: no thread number
    /// (mutexes hold their owner's), no block or private memory named after the thread, no calls
    /// to who knows where.
    pub fn is_impersonal(&self, function: u32) -> bool {
        let program = &self.program;
        // Destructors run when the thread ends. The library is there whether it is used or not, so
        // only a call, or the address of the function, counts.
        let destroys = |function: u32| {
            let name = program.functions.get(function as usize).map_or("", |f| &f.name);
            name == "pthread_key_create" || name == "tss_create"
        };
        let uses = |instr: &Instr| match *instr {
            Instr::Call { function, .. } => destroys(function),
            Instr::Const { value, .. } => {
                let block = Loc(value as u64).block();
                block.owner() == BlockId::CODE_OWNER && destroys(block.number())
            }
            _ => false,
        };
        // `tss_create` is written in terms of `pthread_key_create`.
        let mine = program.functions.iter().filter(|f| !f.runtime);
        if mine.flat_map(|f| &program.code[f.entry as usize..f.end as usize]).any(uses) {
            return false;
        }
        let mut reached = BTreeSet::from([function]);
        let mut todo = vec![function];
        while let Some(next) = todo.pop() {
            let Some(f) = program.functions.get(next as usize) else { return false };
            for instr in &program.code[f.entry as usize..f.end as usize] {
                match instr {
                    Instr::SelfId { .. }
                    | Instr::FrameAddr { .. }
                    | Instr::TlsAddr { .. }
                    | Instr::Alloc { .. }
                    | Instr::Create { .. }
                    | Instr::Join { .. }
                    | Instr::CallPointer { .. } => return false,
                    Instr::Call { function, .. } if reached.insert(*function) => todo.push(*function),
                    _ => {}
                }
            }
        }
        true
    }
}
