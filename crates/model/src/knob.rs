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
    /// How often a thread that could go on has to let others go first.
    Preemptions,
    Liveness,
    Leaks,
    Wrapv,
    /// The values that a nondeterministic choice without a range of its own may take.
    Nondet,
    /// Where an object starts.
    Init,
    /// Which type a log is of.
    Type,
    /// Which format a log is in.
    Format,
    /// A list that orders priorities.
    PriorityOrder,
    /// Values are pairs of a key and a value.
    Keyed,
    /// How far clocks may differ.
    ClockSkew,
    /// Deciding while reading.
    Stream,
    Replay,
    /// Which of several objects.
    Object,
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
            Knob::Preemptions => "the bound on preemptions",
            Knob::Liveness => "the check for endless loops",
            Knob::Leaks => "the check for leaks",
            Knob::Wrapv => "wrapping arithmetic",
            Knob::Nondet => "the range of choices",
            Knob::Init => "the initial value",
            Knob::Type => "the type",
            Knob::Format => "the format",
            Knob::PriorityOrder => "a list of priorities",
            Knob::Keyed => "pairs of key and value",
            Knob::ClockSkew => "the clock skew",
            Knob::Stream => "deciding while reading",
            Knob::Replay => "a replay",
            Knob::Object => "the object",
            Knob::SaveClient => "a file for the client",
            Knob::Json => "the report as data",
        }
    }
}
