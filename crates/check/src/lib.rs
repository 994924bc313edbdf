//! Engines: a model in, a [`lineal_model::Verdict`] out. No syntax, no printing, no clock.

pub mod monitor;
pub mod naive;
