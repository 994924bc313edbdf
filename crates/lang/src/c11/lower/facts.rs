//! Which locals stay with their thread.
//!
//! A value remembers whether it was made from the address of a local or from a pointer
//! parameter. Following, comparing or stepping such a pointer is harmless; storing it, returning
//! it, or handing it to a function that does so lets it escape. The answer errs on the side of
//! "escapes", and the machine refuses any access that would prove it wrong.

use std::collections::{HashMap, HashSet};

/// Whether its results are used tells whether threads at a barrier may be told apart.
pub const BARRIER_WAIT: &str = "pthread_barrier_wait";
pub const BARRIER_DESTROY: &str = "pthread_barrier_destroy";

/// A local: its function and a running number there.
pub type VarId = (u32, u32);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Origin {
    /// The address of this local.
    Local(VarId),
    /// The value of this pointer parameter.
    Param(VarId),
}

#[derive(Clone, Debug, Default)]
pub struct Facts {
    pub taken: HashSet<VarId>,
    pub escaped: HashSet<Origin>,
    /// Their declaration can be jumped over.
    pub skipped: HashSet<VarId>,
    /// An origin is passed as parameter (function, position).
    passed: Vec<(Origin, (u32, u32))>,
    /// The program has thread-specific storage.
    pub keys: bool,
    /// The program detaches threads.
    pub detaches: bool,
    /// It has things to do when the process ends.
    pub exits: bool,
    /// It has handlers for threads that end early.
    pub handlers: bool,
    /// It moves threads from one futex to another.
    pub requeues: bool,
    /// It may use what waiting at a barrier returns.
    pub ranks: bool,
    /// It destroys barriers.
    pub destroys: bool,
    /// Which variable a parameter is.
    params: HashMap<(u32, u32), VarId>,
}

impl Facts {
    pub fn param(&mut self, function: u32, position: u32, var: VarId) {
        self.params.insert((function, position), var);
    }

    pub fn pass(&mut self, origin: Origin, function: u32, position: u32) {
        self.passed.push((origin, (function, position)));
    }

    /// Follows calls until nothing more escapes.
    pub fn close(&mut self) {
        loop {
            let mut changed = false;
            for (origin, param) in &self.passed {
                let leaks = match self.params.get(param) {
                    Some(var) => self.escaped.contains(&Origin::Param(*var)) || self.taken.contains(var),
                    None => true,
                };
                changed |= leaks && self.escaped.insert(*origin);
            }
            if !changed {
                return;
            }
        }
    }
}
