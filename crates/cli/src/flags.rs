//! What the knobs of the engines are called on the command line.

use lineal_model::Knob;

pub fn flag(knob: Knob) -> &'static str {
    match knob {
        Knob::TimeLimit => "--time-limit",
        Knob::MemoryLimit => "--memory-limit",
        Knob::MaxStates => "--max-states",
        Knob::Unroll => "--unroll",
        Knob::Preemptions => "--preemptions",
        Knob::Liveness => "--liveness",
        Knob::Leaks => "--leaks",
        Knob::Wrapv => "--wrapv",
        Knob::Nondet => "--nondet",
        Knob::Init => "--init",
        Knob::Type => "--as",
        Knob::Format => "--from",
        Knob::PriorityOrder => "--order",
        Knob::Keyed => "--keyed",
        Knob::ClockSkew => "--skew",
        Knob::Stream => "--stream",
        Knob::Replay => "--replay",
        Knob::Object => "--object",
        Knob::SaveClient => "--save-client",
        Knob::Json => "--format json",
    }
}
