//! Functions whose threads never learn who they are.

use super::{Instr, Machine};
use std::collections::BTreeSet;

impl Machine {
    /// Whether nothing that `function` can reach depends on which thread runs it: no thread number
    /// (mutexes hold their owner's), no block or private memory named after the thread, no calls
    /// to who knows where.
    pub fn is_impersonal(&self, function: u32) -> bool {
        let program = &self.program;
        // Destructors run when the thread ends.
        let destroys = |name: &str| name == "pthread_key_create" || name == "tss_create";
        if program.functions.iter().any(|f| destroys(&f.name)) {
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
