//! Robustness: does weak memory show anything that sequential consistency (sc) does not?
//!
//! Nagar, Sahoo, Chowdhury, Jagannathan, *Automated Robustness Verification of Concurrent Data
//! Structure Libraries against Relaxed Memory Models* (OOPSLA 2024): a library is robust if every
//! execution of every client is one that sc has. Then whatever was found or proved under sc holds
//! under the weaker model too.
//!
//! What is decided here: every *complete* execution of a program, or of each client of an object up
//! to a bound, is explored under the weak model and asked whether `po ∪ tc ∪ rf ∪ mo ∪ fr` has a
//! cycle ([`judge`]); the one that has is run again and judged from matrices before anything is said
//! ([`confirmed`]). No exploration under sc is needed for that: the executions without a cycle are
//! just those that sc has.
//!
//! How this differs from the paper:
//! - its model RC20 has no seq_cst accesses, and takes a seq_cst fence for an update of a hidden
//!   cell. Ours are those of RC11; without seq_cst accesses the two have the same executions but for
//!   the order of fences that nothing else orders, which nobody can see and which does not count
//!   here. Release sequences are those of C++20 in both.
//! - plain accesses are not taken for relaxed ones. If weak memory makes two of them race, or makes the
//!   program fail in another way, and sc does not, then that is what is found; what goes wrong under
//!   sc already is not a question of robustness, and is refused.
//!
//! What can be missed: an execution in which a loop goes round without having changed anything is
//! explored once, as everywhere; reads of the iterations left out might close a cycle. So `holds`
//! says that each complete execution has one of sc with the same calls and answers, in which fruitless
//! iterations may be missing (the paper's induced subgraphs). Executions in which a call never returns
//! are not judged. Nothing follows for clients with more calls.
//!
//! - [`cycle`]: why there is no such order, in words; [`program`]: closed programs. Clients of objects
//!   are gone through by [`crate::conform`]. [`compose`]: clients of several robust libraries.

pub mod compose;
pub mod cycle;
pub mod judge;
mod program;
pub mod proof;

use crate::replay::{Replayed, consistent};
use lineal_model::{Limit, LimitKind, Memory, Scope};
pub use program::{check, replay};

/// Nothing goes wrong under sequential consistency within this scope. Why that does not settle it: some
/// execution was cut short.
pub fn unsettled(scope: &Scope) -> Option<Limit> {
    let cut = scope.bounds.iter().find(|b| b.cut > 0)?;
    let message = "Weak memory makes it go wrong; whether sequential consistency does so too is open, since loops were cut short there";
    Some(Limit { at: cut.at.clone(), ..Limit::new(LimitKind::Loop, message) })
}

/// Whether the execution is one of the weak model, and sc does not have it.
pub fn confirmed(replayed: &Replayed, memory: Memory) -> bool {
    consistent(&replayed.execution, memory) && !consistent(&replayed.execution, Memory::Sc)
}
