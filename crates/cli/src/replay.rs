//! A token knows the memory model its violation was found under, so that it need not be typed again.

use crate::options::Model;
use lineal_model::{Diagnostic, Memory};

/// The model to replay a token under: the one that was typed, else that of the token. What does not
/// look like a token is left to the replay to refuse.
pub fn memory(typed: Option<Model>, token: Result<Memory, String>) -> Memory {
    match (typed, token) {
        (Some(typed), _) => typed.into(),
        (None, Ok(found)) => found,
        (None, Err(_)) => Memory::Rc11,
    }
}

/// Says so, where it is not the usual one.
pub fn under(found: Memory, usual: Memory) -> Option<Diagnostic> {
    let message = format!("replayed under {found}, the memory model of the token");
    let warning = || Diagnostic::warning("L0019", message);
    (found != usual).then(|| warning().help(format!("--memory {found} says the same without a warning")))
}
