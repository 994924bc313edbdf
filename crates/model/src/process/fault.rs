//! A step that cannot be taken because the model is wrong: found while running, with a trace.

use super::Spot;
use crate::lts::{Effect, Obstacle};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    pub kind: FaultKind,
    /// A sentence for people.
    pub message: String,
    pub spot: Spot,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FaultKind {
    Index,
    Division,
    Range,
    Overflow,
    /// A channel array indexed outside, or a look at a message where there is none.
    Channel,
    /// A block that does not end.
    Endless,
    /// A process that calls itself without a step in between.
    Unguarded,
    /// A process that has piled up more of itself than can be handled.
    Growth,
    /// An index set or number of copies that cannot be built.
    Expansion,
    /// Something is asked of an event that is hidden.
    Hidden,
}

impl FaultKind {
    /// As in `witness.kind`.
    pub fn word(self) -> &'static str {
        match self {
            FaultKind::Index => "out-of-bounds",
            FaultKind::Division => "division-by-zero",
            FaultKind::Range => "out-of-range",
            FaultKind::Overflow => "overflow",
            FaultKind::Channel => "channel-misuse",
            FaultKind::Endless => "endless-block",
            FaultKind::Unguarded => "unguarded-recursion",
            FaultKind::Growth => "growth",
            FaultKind::Expansion => "expansion",
            FaultKind::Hidden => "hidden-annotation",
        }
    }
}

impl Fault {
    pub fn new(kind: FaultKind, message: impl Into<String>, spot: Spot) -> Self {
        Fault { kind, message: message.into(), spot }
    }

    pub fn unguarded(process: &str, spot: Spot) -> Self {
        let message = format!("process `{process}` calls itself without taking a step in between");
        Fault::new(FaultKind::Unguarded, message, spot)
    }

    /// Whether the process could not be followed any further, rather than did something wrong.
    pub fn is_gap(&self) -> bool {
        self.effect() != Effect::Wrong
    }
}

impl Obstacle for Fault {
    fn effect(&self) -> Effect {
        match self.kind {
            FaultKind::Unguarded | FaultKind::Expansion => Effect::Gap,
            FaultKind::Growth | FaultKind::Hidden => Effect::Endless,
            _ => Effect::Wrong,
        }
    }
    fn message(&self) -> String {
        self.message.clone()
    }
}
