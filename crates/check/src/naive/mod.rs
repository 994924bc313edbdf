//! Slow, obvious deciders: the judges of the fast ones. They share no search, cache or reduction
//! with the engines they check.

pub mod history;
pub mod priority_queue;
