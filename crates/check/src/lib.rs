//! Models into verdicts: the engines.

pub mod refine;
