//! Functions whose threads never learn who they are.
//!
//! Locks hold the number of their owner, and their functions compare it with their thread's. That
//! does not tell who is who: exchange two threads, and their numbers in the locks with them, and
//! everybody does what the other one did. It holds as long as nobody else looks into a lock, which
//! [`Machine::signs`] lets the search find out.

use super::{Function, Instr, Machine};
use crate::run::{BlockId, Loc, Site};
use std::collections::BTreeSet;

/// Functions of the library that use the number of their thread for nothing but to leave it in a lock
/// and to tell whether it is there.
const LOCKS: [&str; 17] = [
    "__lineal_live_rwlock",
    "__lineal_new_mutex",
    "mtx_timedlock",
    "pthread_mutex_destroy",
    "pthread_mutex_lock",
    "pthread_mutex_timedlock",
    "pthread_mutex_trylock",
    "pthread_mutex_unlock",
    "pthread_rwlock_destroy",
    "pthread_rwlock_timedwrlock",
    "pthread_rwlock_trywrlock",
    "pthread_rwlock_unlock",
    "pthread_rwlock_wrlock",
    "pthread_spin_destroy",
    "pthread_spin_lock",
    "pthread_spin_trylock",
    "pthread_spin_unlock",
];

fn locks(f: &Function) -> bool {
    f.runtime && LOCKS.contains(&f.name.as_str())
}

impl Machine {
    /// Whether the instruction belongs to a function that leaves the number of its thread in a lock.
    pub fn signs(&self, site: Site) -> bool {
        let all = || {
            let signing = self.program.functions.iter().filter(|f| locks(f));
            signing.map(|f| f.entry..f.end).collect()
        };
        self.signing.get_or_init(all).iter().any(|range| range.contains(&site.0))
    }

    /// Whether nothing that `function` can reach depends on which thread runs it: no thread number
    /// (but in locks), no block or private memory named after the thread, no calls
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
                    Instr::SelfId { .. } if locks(f) => {}
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
