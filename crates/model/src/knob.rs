//! What a user may turn. Bounds, limits and advice name knobs; whoever talks to the user knows what
//! they are called there (flags on a command line, fields of a builder).

use serde::Serialize;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Knob {
    TimeLimit,
    MemoryLimit,
    MaxStates,
    Unroll,
    Liveness,
    Leaks,
    Wrapv,
    Replay,
    SaveClient,
    /// The whole report as data.
    Json,
}

/// What knobs are called.
pub type Flags = fn(Knob) -> &'static str;

impl Knob {
    /// In plain words, where nobody says what it is called.
    pub fn word(self) -> &'static str {
        match self {
            Knob::TimeLimit => "the time limit",
            Knob::MemoryLimit => "the memory limit",
            Knob::MaxStates => "the limit on states",
            Knob::Unroll => "the bound on loops",
            Knob::Liveness => "the check for endless loops",
            Knob::Leaks => "the check for leaks",
            Knob::Wrapv => "wrapping arithmetic",
            Knob::Replay => "a replay",
            Knob::SaveClient => "a file for the client",
            Knob::Json => "the report as data",
        }
    }
}
