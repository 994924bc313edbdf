//! What a search for a better answer came to, beside the verdict: levels of synchronisation that
//! hold or do not, access modes to write instead of others, and by how much operations are out of
//! order.

use crate::diagnostic::Place;
use crate::verdict::Witness;
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

/// The smallest factor with which operations of a class are out of order.
#[derive(Clone, Debug, Serialize)]
pub struct Smallest {
    pub class: String,
    pub factor: u32,
    /// What goes wrong with one less.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub below: Option<Box<Witness>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Goal {
    Weaken,
    Repair,
}

/// Access modes to write instead of others.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Rewrite {
    pub goal: Goal,
    /// How many accesses the source has.
    pub accesses: u64,
    pub changes: Vec<Change>,
    /// Settled: weakening any single access further breaks the object; or no smaller number of
    /// changes repairs it, and none of that number with weaker modes.
    pub minimal: bool,
    /// How many choices of modes were tried.
    pub tried: u64,
    /// The changes as a unified diff of the files given, as far as they can be written so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub diff: Option<String>,
    /// The files as the diff leaves them were read and checked again, with the verdict given here.
    pub verified: bool,
}

/// One access to be changed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Change {
    pub at: Place,
    /// `load`, `compare-and-swap`.
    pub access: String,
    /// `seq_cst`, `release (relaxed when it fails)`.
    pub from: String,
    /// Of a fence, `none`: it is not needed.
    pub to: String,
    /// It is in no diff, for this reason.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by_hand: Option<String>,
}

impl Change {
    /// `relaxed instead of seq_cst for the load`.
    pub fn words(&self) -> String {
        let Change { access, from, to, .. } = self;
        match (access.as_str(), to.as_str()) {
            ("fence", "none") => format!("no fence instead of {from}"),
            _ => format!("{to} instead of {from} for the {access}"),
        }
    }
}
