//! The vocabulary of Lineal: what is checked, and what is answered.
//!
//! `lang` turns text into the types here, `check` turns them into a [`Verdict`], and `report`
//! turns verdicts into text. None of those three knows the others. This crate opens no files,
//! draws nothing and contains no search.

pub mod adt;
pub mod assumption;
pub mod counter;
pub mod diagnostic;
pub mod effort;
pub mod fact;
pub mod history;
pub mod knob;
pub mod lts;
pub mod object;
pub mod observed;
pub mod process;
pub mod program;
pub mod relaxed;
pub mod report;
pub mod run;
pub mod sought;
pub mod verdict;
pub mod witness_kind;

pub use assumption::Assumption;
pub use counter::Counter;
pub use diagnostic::{Diagnostic, Place, Severity};
pub use effort::{Counts, Effort, Observer, Unwatched};
pub use knob::{Flags, Knob};
pub use report::{Finding, Report, Stats};
pub use verdict::{Bound, Extent, Limit, LimitKind, Memory, Relaxed, Scope, Storage, Verdict, Witness};
pub use witness_kind::WitnessKind;
