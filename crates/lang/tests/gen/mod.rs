//! Random C programs and random damage to C programs, for tests of the front-end.
//!
//! - [`generate`]: single-threaded programs without undefined or unspecified behaviour, whose
//!   result an ordinary compiler must reproduce.
//! - [`generate_concurrent`]: two or three threads with a few visible operations each, small
//!   enough for exhaustive enumeration, to compare engines.
//! - [`assembly`]: one statement of inline assembly for x86, which a processor must reproduce.
//! - [`mutate`]: programs with damage, to look for panics and hangs.
//!
//! Everything is a function of its seed: a failure is reported by its seed alone. Test crates
//! include this module by path, with `#[allow(dead_code, unused_imports)]`: each uses a part.

mod assembly;
mod compiled;
mod concurrent;
mod decl;
mod dress;
mod engines;
mod expr;
mod front;
mod integer;
mod interleave;
mod mutate;
mod program;
mod stmt;

pub use assembly::assembly;
pub use compiled::{Build, Scratch, compiled};
pub use concurrent::{Shape, choices_of, concurrent_shape, generate_concurrent, shape_of};
pub use dress::{Dress, barrier_shape};
pub use engines::{by_graph, by_interleaving, differs};
pub use front::{load, result_of};
pub use interleave::Behaviour;
pub use mutate::{mutate, nasty, splice};
pub use program::{generate, generate_prefixed};
