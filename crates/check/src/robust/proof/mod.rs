//! Proofs of robustness for every client.

pub mod cover;
pub mod encode;
pub mod formula;
pub mod induct;
pub mod lemma;
pub mod library;
pub mod oblige;
pub mod paths;
pub mod prove;
pub mod solver;
pub mod term;
pub mod tree;
