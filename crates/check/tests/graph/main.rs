//! Execution graphs: small programs against deciders that share nothing with the search, and every
//! reduction on and off.
//!
//! One program for all of them, since most of its build is the engine. Quick by default;
//! `LINEAL_FULL=1` runs many more programs, from a fresh seed that is printed; `LINEAL_SEED=n`
//! repeats it. One of them: `cargo test --workspace --test graph -- symmetry::`.

mod barriers;
mod counts;
mod liveness;
mod own;
mod preempt;
mod random;
mod reductions;
mod robust;
mod sample;
mod script;
mod sweep;
mod symmetry;
mod verdicts;
