//! State-space refinement: is every behaviour of one system a behaviour of another?
//!
//! Traces, stable failures, and failures with divergence, as in CSP; besides, deadlock,
//! divergence, determinism, termination and reachability of one system. The method is that of
//! Liu, Chen, Liu, Sun, *Model Checking Linearizability via Refinement* (FM 2009): a product
//! with the determinised specification, built on the fly. Deviations: breadth first by visible
//! events, so that witnesses have shortest traces; an antichain of specification sets; and
//! local-step fusion by a static rule instead of their depth-first reduction, which is unsound
//! in any other order of search. Temporal logic is decided by automata (`ltl`).
//!
//! Any [`Lts`](lineal_model::lts::Lts) can be explored (`explore`), determinised (`sets`) and compared
//! (`search`); CSP# comes in with `claim`, which reads assertions, `reduce`, and `replay`.
//!
//! A verdict covers the whole state space of the model as written and nothing beyond it: the
//! model's own numbers of processes, values and calls. `hvar` variables are no part of a state,
//! so a verdict may miss behaviour that depends on them; the scope says so.

mod arrangement;
pub mod claim;
mod confirm;
pub mod divergence;
mod draw;
pub mod explore;
mod goal;
mod images;
mod joint;
mod ltl;
mod object;
mod parallel;
pub mod reduce;
mod relaxed;
mod renaming;
pub mod replay;
mod roles;
mod rounds;
pub mod safety;
pub mod search;
pub mod sets;
mod shards;
mod sorts;
pub mod symmetry;
pub mod table;
pub mod witness;

pub use claim::{Checked, Settings, check, finding, rerun};
pub use draw::{Drawn, Undrawn, draw};
pub use explore::Order;
pub use ltl::judge;
pub use search::{Failure, FailureKind, Outcome, Problem, Tally};
