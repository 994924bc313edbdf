//! What a search for a better answer came to, beside the verdict: levels of synchronisation that
//! hold or do not.

use crate::witness_kind::WitnessKind;
use serde::Serialize;

/// The levels of an object.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Levels {
    /// The strongest that hold: no level above one of them does.
    pub hold: Vec<String>,
    /// What the file itself declares.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub declared: Option<String>,
    /// Levels that do not hold, each with a client that shows it; of all there are, those next to
    /// what holds.
    pub fail: Vec<Beyond>,
}

/// A level that does not hold.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Beyond {
    pub level: String,
    /// `add(1) || add(2)`, as it would be typed.
    pub client: String,
    /// How many calls it makes.
    pub calls: u64,
    /// The client goes wrong when it is checked by itself.
    pub alone: bool,
    pub kind: WitnessKind,
    /// A sentence.
    pub why: String,
    /// What to type to see it in full.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
}
