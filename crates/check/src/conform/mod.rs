//! Conformance: do all clients of an object see only what its abstract type allows?
//!
//! RELINCHE (Golovin, Kokologiannakis, Vafeiadis, *Automatically Checking Linearizability under
//! Relaxed Memory Consistency*, POPL 2025), turned around: where the paper lists every way to
//! constrain a client before it looks at the object, here each execution of the most parallel
//! client is asked for an order of its calls that explains it, and then whether a more
//! constrained client can take all such orders away ([`extend`]).
//!
//! What is decided: for the given calls, every client that makes them in any order it likes.
//! What can be missed: calls that never return (smaller clients cover what they did); and, for
//! operations that keep state per thread or leave writes in a store buffer, clients in which one
//! thread makes several calls, unless they are given as such: [`clients`] lists those then.
//!
//! - [`clients`]: which calls, with which arguments, in which threads.
//! - [`observe`]: an execution as its calls see it.
//! - [`spec`]: what the answers may be; [`orders`]: which orders explain them.
//! - [`crate::reference`]: types that are C functions of the author's own.
//! - [`extend`], [`recheck`]: more constrained clients; [`missing`]: what synchronising means
//!   where memory has one order.
//! - [`judge`]: all of it at the end of an execution, with what was settled before.
//! - [`client`]: all executions of one client; [`check`](mod@check): all clients, smallest first;
//!   [`object`]: how clients become programs; [`search`]: what is asked about them.
//! - [`starving`]: clients in which one call waits for good.
//! - [`robust`]: the other question, whether weak memory adds executions, asked of the same clients; [`unordered`]: what
//!   there is to say then.
//! - [`against`]: another object in place of an abstract type.
//! - [`witness`], [`fault`], [`token`], [`again`], [`hint`]: what there is to say about a violation, how to see it
//!   again, and which stronger access would help.
//! - [`strongest`](mod@strongest), [`weaken`](mod@weaken), [`repair`](mod@repair): which level holds, which weaker modes
//!   will do, which stronger ones are needed; [`attempt`]: what they try.

mod again;
pub mod against;
mod attempt;
mod check;
mod claim;
pub mod client;
pub mod clients;
pub mod extend;
mod fault;
mod grow;
mod hint;
pub mod judge;
mod masks;
mod missing;
mod object;
pub mod observe;
pub mod orders;
pub mod recheck;
mod repair;
mod robust;
mod rows;
mod sample;
mod search;
pub mod spec;
mod starving;
mod strongest;
mod token;
mod unordered;
mod waiting;
mod weaken;
mod witness;

use crate::reference::Reference;
pub use against::{Mismatch, Pair};
pub use check::{Checked, Refused, replay};
pub use claim::{property, property_against, robust as property_robust};
pub use grow::{check, check_clients};
use lineal_model::adt::quasi::Relaxation;
use lineal_model::adt::{First, Kind, Poset, Ties};
use lineal_model::history::Method;
use lineal_model::object::{Client, Level, Marks, Object, Via};
pub use object::Clients;
use observe::Mask;
pub use repair::{Repaired, repair};
pub use search::{Asked, Problem, Question, Reductions};
pub use spec::unfit_level;
pub use starving::starving;
use std::sync::Arc;
pub use strongest::strongest;
pub use token::memory_of;
pub use weaken::{Rewritten, weaken};

/// One call as the engine sees it.
#[derive(Clone, Debug)]
pub struct Call {
    pub operation: usize,
    pub method: Method,
    pub value: Option<i64>,
    pub key: Option<i64>,
    pub prio: Option<i64>,
    pub marks: Marks,
    /// It may fail for no reason.
    pub may_fail: bool,
    /// It waits until it can be done, as its type says.
    pub waits: bool,
}

/// Calls of `to` must see a call of `from`: which one, `via` says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rule {
    pub from: Mask,
    pub to: Mask,
    pub via: Via,
}

/// What the calls of one client are held against.
#[derive(Clone)]
pub struct Contract {
    pub kind: Kind,
    /// Of a priority queue.
    pub ties: Ties,
    pub first: First,
    pub order: Option<Poset>,
    /// As [`Object::size`].
    pub size: Option<u32>,
    /// What the calls answer, where the type is the author's own.
    pub reference: Option<Arc<Reference>>,
    pub calls: Vec<Call>,
    pub rules: Vec<Rule>,
    /// Ask about more constrained clients too.
    pub extend: bool,
    /// By how much calls may be out of order.
    pub quasi: Option<Arc<Relaxation>>,
    /// The client's calls as they are.
    client: Client,
}

impl std::fmt::Debug for Contract {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Contract")
            .field("kind", &self.kind)
            .field("calls", &self.calls)
            .finish_non_exhaustive()
    }
}

impl Contract {
    pub fn new(object: &Object, level: &Level, client: &Client, marks: &[Marks]) -> Self {
        let calls: Vec<Call> = client
            .calls
            .iter()
            .zip(marks)
            .map(|(c, &marks)| Call {
                operation: c.operation,
                method: object.operations[c.operation].method,
                value: c.value,
                key: c.key,
                prio: c.prio,
                marks,
                may_fail: object.operations[c.operation].may_fail,
                waits: waiting::waits(object, c.operation),
            })
            .collect();
        let names: Vec<String> = object.operations.iter().map(|o| o.name.clone()).collect();
        let rules = spec::rules(object.kind, level, &calls, &names);
        let (quasi, client) = (object.quasi.clone(), client.clone());
        let (ties, first) = (object.ties, object.first);
        Contract {
            kind: object.kind,
            ties,
            first,
            order: object.order.clone(),
            size: object.size,
            reference: None,
            calls,
            rules,
            extend: true,
            quasi,
            client,
        }
    }
}
