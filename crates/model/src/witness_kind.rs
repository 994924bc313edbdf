//! What kind of violation a witness shows. Engines name it, reports put it into words, and nobody
//! compares texts.

use crate::process::FaultKind;
use crate::run::FailureKind;
use serde::{Serialize, Serializer};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WitnessKind {
    /// An execution of a program goes wrong.
    Failure(FailureKind),
    /// A step of a model cannot be taken.
    Fault(FaultKind),

    // Objects, and recorded histories.
    /// No order explains the answers.
    Result,
    /// Synchronisation that was promised is missing.
    Sync,
    /// Answers that a more constrained client exposes.
    Client,
    /// An execution that sequential consistency does not have.
    Order,
    /// The program itself goes wrong while a client runs.
    Unsafe(FailureKind),

    // Models.
    /// An event that the specification does not allow.
    Trace,
    /// The specification must offer more.
    Refusal,
    /// Internal steps that go on for ever.
    Divergence,
    /// No process can move.
    Deadlock,
    /// Nothing can move because everything is done.
    Termination,
    /// One label leads to different states.
    Nondeterminism,
    /// No state satisfies the condition.
    Unreachable,
    /// A run that a temporal formula rules out.
    Temporal,
    /// An earlier run again.
    Replay,
    /// A run to a state that was looked for: nothing is wrong.
    Reached,
}

impl WitnessKind {
    /// Whether two accesses race, in a program or in one that drives a client.
    pub fn is_race(self) -> bool {
        matches!(self, WitnessKind::Failure(FailureKind::Race) | WitnessKind::Unsafe(FailureKind::Race))
    }

    /// As in `witness.kind` of a report.
    pub fn word(self) -> &'static str {
        match self {
            WitnessKind::Failure(kind) => kind.word(),
            WitnessKind::Fault(kind) => kind.word(),
            WitnessKind::Result => "result",
            WitnessKind::Sync => "sync",
            WitnessKind::Client => "client",
            WitnessKind::Order => "order",
            WitnessKind::Unsafe(_) => "unsafe",
            WitnessKind::Trace => "trace",
            WitnessKind::Refusal => "refusal",
            WitnessKind::Divergence => "divergence",
            WitnessKind::Deadlock => "deadlock",
            WitnessKind::Termination => "termination",
            WitnessKind::Nondeterminism => "nondeterminism",
            WitnessKind::Unreachable => "unreachable",
            WitnessKind::Temporal => "temporal",
            WitnessKind::Replay => "replay",
            WitnessKind::Reached => "reached",
        }
    }
}

impl From<FailureKind> for WitnessKind {
    fn from(kind: FailureKind) -> Self {
        WitnessKind::Failure(kind)
    }
}

impl From<FaultKind> for WitnessKind {
    fn from(kind: FaultKind) -> Self {
        WitnessKind::Fault(kind)
    }
}

impl Serialize for WitnessKind {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.serialize_str(self.word())
    }
}
