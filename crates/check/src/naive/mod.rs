//! Slow, obvious deciders: what the engines are compared with.

pub mod refine;
