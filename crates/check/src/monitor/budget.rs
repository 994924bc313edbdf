//! What an explanation may cost, in operations looked at and bytes kept rather than in time, so that
//! the same log is explained the same way everywhere.
//!
//! A verdict does not depend on it: it is settled before. What does not fit is left out, and the
//! explanation says so.

use lineal_model::adt::{Kind, Object};
use lineal_model::{Counts, Limit, Observer};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

pub struct Budget<'a> {
    left: AtomicU64,
    cut: AtomicBool,
    /// What one step of the object counts.
    weight: u64,
    bytes: u64,
    watch: &'a dyn Observer,
}

/// A search may keep this much at a time.
const BYTES: u64 = 48 << 20;
/// Searches report after so many steps.
const STEPS: u64 = 1024;
/// Functions of a type written in C are run instruction by instruction.
const INTERPRETED: u64 = 50;

impl<'a> Budget<'a> {
    pub fn new(work: u64, object: &Object, watch: &'a dyn Observer) -> Self {
        let weight = if object.kind == Kind::User { INTERPRETED } else { 1 };
        Budget { left: AtomicU64::new(work), cut: AtomicBool::new(false), weight, bytes: BYTES, watch }
    }

    /// With so many times the memory.
    pub fn keeping(self, times: u64) -> Self {
        Budget { bytes: times * BYTES, ..self }
    }

    /// Whether there is room for looking at so many operations.
    pub fn spend(&self, operations: usize) -> bool {
        let cost = operations as u64 * self.weight;
        let left = self.left.load(Relaxed);
        self.left.store(left.saturating_sub(cost), Relaxed);
        let enough = left >= cost && self.watch.progress(Counts::default()).is_continue();
        if !enough {
            self.cut();
        }
        enough
    }

    /// Notes that something is left out.
    pub fn cut(&self) {
        self.cut.store(true, Relaxed);
    }

    pub fn was_cut(&self) -> bool {
        self.cut.load(Relaxed)
    }
}

impl Observer for Budget<'_> {
    fn progress(&self, counts: Counts) -> ControlFlow<Limit> {
        if counts.bytes > self.bytes || !self.spend(STEPS as usize) {
            return ControlFlow::Break(Limit::method("explaining further would take too long"));
        }
        ControlFlow::Continue(())
    }
}
