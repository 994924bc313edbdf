//! Models into verdicts: the engines.

pub mod naive;
pub mod refine;
