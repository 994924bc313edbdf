//! Robustness by its definition: all complete executions under the weak model, all under sequential
//! consistency, and whether the two sets are equal. Nothing is said about any cycle, nor about
//! executions that never end.

use super::executions::{Executions, enumerate};
use lineal_model::Memory;
use lineal_model::run::{FailureKind, Runnable};

/// What the comparison comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    Robust,
    NotRobust,
    /// The program goes wrong under sequential consistency already.
    Wrong,
}

/// `None`: there are more than `cap` partial executions under one of the two.
pub fn decide<R: Runnable>(program: &R, memory: Memory, cap: usize) -> Option<Answer> {
    let strong = enumerate(program, Memory::Sc, cap);
    let weak = enumerate(program, memory, cap);
    if strong.gave_up || weak.gave_up {
        return None;
    }
    // What never ends is not judged.
    let fails = |e: &Executions| e.failures.keys().any(|kind| *kind != FailureKind::Deadlock);
    Some(match () {
        () if fails(&strong) => Answer::Wrong,
        () if fails(&weak) || weak.complete != strong.complete => Answer::NotRobust,
        () => Answer::Robust,
    })
}
