//! What a search finds out about its program that the next one should know from the beginning: it
//! starts over then. None of it changes a verdict, or which executions count.

use super::books::{Risk, Undone};
use lineal_model::run::Loc;
use std::collections::{BTreeMap, BTreeSet};

#[derive(Clone, Debug, Default)]
pub struct Learned {
    /// What must not be left out with failed iterations.
    pub(super) risk: Risk,
    /// Heads of loops with iterations that fail after more than one read, or but for what they left
    /// in private memory: only those are worth taking as one step ([`super::group`]).
    pub(super) retries: BTreeSet<u32>,
    /// Locks that are taken and released in loops that change nothing ([`super::poll`]).
    pub(super) polls: BTreeSet<Loc>,
    /// Cells that are added to and taken from in loops ([`super::undone`]).
    pub(super) undone: BTreeMap<Loc, Undone>,
    /// Swaps are left to others: which values come back is to be watched ([`super::helping`]).
    pub(super) helps: bool,
    /// Iterations are left out that wrote to memory of their own: who else uses it is to be watched
    /// ([`super::own`]).
    pub(super) keeps: bool,
    /// Exchangeable threads have loops, and are compared by iterations ([`super::rows`]).
    pub(super) loops: bool,
    /// More threads come to a barrier than it is for ([`super::arrivals`]).
    pub(super) crowd: bool,
    /// An update that changes nothing must not be taken for a read ([`super::idle`]).
    pub(super) idle: bool,
}

/// What was found out just now.
#[derive(Clone, Debug)]
pub enum Lesson {
    Risk(Risk),
    Retry(u32),
    Poll(Loc),
    Undone(Loc, Undone),
    Helps,
    Keeps,
    Loops,
    Crowd,
    Idle,
}

impl Learned {
    pub(super) fn add(&mut self, lesson: Lesson) {
        match lesson {
            Lesson::Risk(risk) => self.risk = risk,
            Lesson::Retry(head) => {
                self.retries.insert(head);
            }
            Lesson::Poll(lock) => {
                self.polls.insert(lock);
            }
            Lesson::Undone(loc, seen) => {
                self.undone.entry(loc).or_default().join(&seen);
            }
            Lesson::Helps => self.helps = true,
            Lesson::Keeps => self.keeps = true,
            Lesson::Loops => self.loops = true,
            Lesson::Crowd => self.crowd = true,
            Lesson::Idle => self.idle = true,
        }
    }
}
