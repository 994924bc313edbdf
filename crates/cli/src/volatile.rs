//! Races on volatile objects: what the user probably meant.

use lineal_model::program::Machine;
use lineal_model::run::{Runnable, Site};
use lineal_model::{Finding, Verdict};

const HINT: &str = "volatile says nothing about threads in C, so these accesses race; \
     --volatile relaxed (acq-rel, seq-cst) takes all accesses of volatile objects to be atomic, as older code means them";

/// Says so, if what a race is about is volatile.
pub fn hint(machine: &Machine, finding: &mut Finding) {
    let Verdict::Violated(witness) = &mut finding.verdict else { return };
    let guilty = witness.steps.iter().filter(|s| s.guilty).filter_map(|s| s.at.as_ref());
    let mut places = guilty.chain(&witness.at);
    let volatile = |at: &lineal_model::Place| {
        machine.program.volatiles.iter().any(|pc| machine.place(Site(*pc)).as_ref() == Some(at))
    };
    if witness.kind.is_race() && places.any(volatile) {
        witness.hints.insert(0, HINT.into());
    }
}
