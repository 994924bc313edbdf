//! A trace that a relaxed type does not allow, looked at as a recorded history.
//!
//! Where classes drift apart (`literal`), the specification holds them together, and may reject too
//! much: what it rejects is a violation only if no order explains the history without that.

use crate::replay;
use lineal_model::Limit;
use lineal_model::adt::Object;
use lineal_model::adt::quasi::Relaxation;
use lineal_model::history::{Consistency, History};
use std::sync::Arc;

/// Steps that trying every order may take.
const STEPS: u64 = 2_000_000;

/// Whether the type rejects the history indeed; an error is that nobody knows.
pub(super) fn confirm(object: &Object, history: &History) -> Result<(), Limit> {
    let Some(relaxation) = object.quasi.as_deref().filter(|r| r.drift.is_some()) else { return Ok(()) };
    let relaxation = Relaxation { drift: None, ..relaxation.clone() };
    let exact = Object { quasi: Some(Arc::new(relaxation)), ..object.clone() };
    match replay::history::holds_within(history, &exact, Consistency::Linearizable, STEPS) {
        Some(false) => Ok(()),
        Some(true) => {
            Err(Limit::method("A run is explained only if classes drift apart farther than is looked at."))
        }
        None => Err(Limit::method(
            "Whether a run is explained where classes drift apart was not settled in time.",
        )),
    }
}
