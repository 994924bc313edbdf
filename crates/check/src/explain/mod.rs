//! Violations in words. Everything here speaks about an execution that was decided about before, and
//! run again by [`crate::replay`]; nothing here decides anything.
//!
//! - [`steps`](mod@steps), [`show`], [`stale`]: a run as steps, each in the words of the source, and what
//!   memory had to do with it.
//! - [`violation`], [`sentences`], [`cycle`], [`promise`]: what is wrong with the calls of a client, and
//!   why no order of them works.
//! - [`trace`], [`schedule`]: the steps in an order that the client could make them in.
//! - [`unsynchronised`]: how one call hears of another without synchronising with it.

mod cycle;
mod promise;
pub mod refinement;
mod schedule;
mod sentences;
mod show;
mod stale;
mod steps;
pub mod temporal;
pub mod trace;
pub mod unsynchronised;
mod view;
pub mod violation;

pub use schedule::step_of_event;
pub use steps::{names, steps, without_step};
