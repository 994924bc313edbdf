//! What a decider says.

use lineal_model::Limit;

/// With what is wrong, as far as the decider can tell.
#[derive(Clone, Debug)]
pub enum Answer<Wrong> {
    Holds,
    Violated(Wrong),
    Unknown(Limit),
}
