//! Verdicts to text: for a terminal, as JSON, or as a graph.
//!
//! Everything here is a pure function of a [`Report`](lineal_model::Report). Who opens files,
//! knows the terminal's width and writes to stdout is `cli`; what the sentences of a witness say
//! is decided by the engine that found it.

mod columns;
mod diagnostics;
mod diff;
pub mod dot;
pub mod json;
mod layout;
mod look;
pub mod page;
mod sought;
mod sources;
mod style;
pub mod terminal;
mod timeline;
mod trace;
mod words;

pub use diff::unified;
pub use look::Look;
pub use sources::{Sources, files};
pub use terminal::render;
pub use words::{advice, bytes, limit, seconds};
