//! A concurrent object as its author declares it, and the clients that call it.
//!
//! What an operation *means* is the abstract type's business ([`crate::adt`]); how it is called
//! is C text that only the front-end reads. Between the two stand the numbers of operations and
//! calls, which is all that engines see.

pub use crate::adt::Via;
use crate::adt::quasi::Relaxation;
use crate::adt::{First, Kind, Poset, Ties};
pub use crate::assumption::ArgClass;
use crate::diagnostic::Place;
use crate::fact::Fact;
use crate::history::Method;
use crate::run::{FailureKind, Loc};
use std::sync::Arc;

/// What its author declares an object to be.
#[derive(Clone, Debug)]
pub struct Object {
    pub kind: Kind,
    /// As written: `queue`.
    pub word: String,
    /// What it is called, where a file has several.
    pub name: Option<String>,
    pub level: Option<Level>,
    pub args: Option<ArgClass>,
    /// Of a priority queue: who goes first among equals, and which priority does.
    pub ties: Ties,
    pub first: First,
    /// Of a priority queue whose priorities are not ordered by size: which is below which.
    pub order: Option<Poset>,
    /// How many elements fit into a container, what a semaphore starts with, how many meet at a
    /// barrier.
    pub size: Option<u32>,
    /// A finite domain for values, keys and priorities, both ends included.
    pub values: Option<(i64, i64)>,
    pub init: Vec<Code>,
    pub thread_init: Vec<Code>,
    pub fini: Vec<Code>,
    pub operations: Vec<Operation>,
    pub roles: Vec<Role>,
    /// Threads are told apart by their number, the placeholder `thread`.
    pub numbered: bool,
    /// Declared: exchanging the numbers of two threads makes no difference.
    pub threads_alike: bool,
    /// Of `object spec`: what starts the specification anew.
    pub spec_init: Vec<Code>,
    /// Of `object spec`: it takes a partial lock, so that its accesses say what synchronises.
    pub partial_lock: bool,
    /// By how much operations may be out of order, if that is asked for.
    pub quasi: Option<Arc<Relaxation>>,
    /// Lemmas and axioms, for proofs.
    pub facts: Vec<Fact>,
    pub at: Place,
}

/// A piece of C and where it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Code {
    pub text: String,
    pub at: Place,
}

#[derive(Clone, Debug)]
pub struct Operation {
    pub name: String,
    pub method: Method,
    /// The call: `q_enq(&q, value)`.
    pub call: Code,
    /// What it calls, and its arguments as written.
    pub function: String,
    pub arguments: Vec<String>,
    pub takes: Takes,
    /// Of placeholders that are an argument by themselves: the numbers its type has.
    pub ranges: Vec<(Slot, i64, i64)>,
    /// What it answers, an expression over `result` and `out`; `None`: nothing.
    pub answer: Option<String>,
    /// When it answers that there was nothing, or, of what adds, no room.
    pub empty_if: Option<String>,
    /// It may fail for no reason, and change nothing then.
    pub may_fail: bool,
    /// Of `object spec`: the same call of the specification.
    pub spec: Option<Code>,
}

/// The placeholders an operation uses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Takes {
    pub value: bool,
    pub key: bool,
    pub prio: bool,
    pub out: bool,
    pub thread: bool,
}

/// What the checker draws for a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Slot {
    Prio,
    Key,
    Value,
}

impl Slot {
    /// What a class of arguments speaks of comes first.
    pub const ALL: [Slot; 3] = [Slot::Prio, Slot::Key, Slot::Value];

    pub fn word(self) -> &'static str {
        match self {
            Slot::Prio => "prio",
            Slot::Key => "key",
            Slot::Value => "value",
        }
    }
}

impl Call {
    pub fn slot(&mut self, slot: Slot) -> &mut Option<i64> {
        match slot {
            Slot::Prio => &mut self.prio,
            Slot::Key => &mut self.key,
            Slot::Value => &mut self.value,
        }
    }
}

impl Takes {
    pub fn has(self, slot: Slot) -> bool {
        match slot {
            Slot::Prio => self.prio,
            Slot::Key => self.key,
            Slot::Value => self.value,
        }
    }
    /// Whether the checker must draw something for a call.
    pub fn anything(self) -> bool {
        self.value || self.key || self.prio
    }
}

/// Calls of these operations are made by at most `max` threads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Role {
    pub name: String,
    pub operations: Vec<usize>,
    pub max: usize,
    pub at: Place,
}

/// Which calls must be visible to which others. The abstract type says what each level means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Level {
    None,
    R,
    Ri,
    Rd,
    Rid,
    /// Every call is visible to every later one, whatever they answer.
    Total,
    Pairs(Vec<Pair>),
    /// As the specification's own accesses under a partial lock say.
    Specified,
}

impl std::fmt::Display for Level {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Level::None => f.write_str("none"),
            Level::Specified => f.write_str("as specified"),
            Level::R => f.write_str("R"),
            Level::Ri => f.write_str("RI"),
            Level::Rd => f.write_str("RD"),
            Level::Rid => f.write_str("RID"),
            Level::Total => f.write_str("total"),
            Level::Pairs(pairs) => {
                let words: Vec<String> = pairs.iter().map(|p| p.text.clone()).collect();
                write!(f, "({})", words.join(", "))
            }
        }
    }
}

impl Level {
    /// Those that have a name, weaker ones first.
    pub const NAMED: [Level; 6] = [Level::None, Level::R, Level::Ri, Level::Rd, Level::Rid, Level::Total];

    /// Whether it speaks of adding and removing, which a type of the author's own does not know.
    pub fn is_of_containers(&self) -> bool {
        matches!(self, Level::R | Level::Ri | Level::Rd | Level::Rid)
    }
}

/// `enqueue->dequeue:value`: a call of `from` synchronises with a later call of `to`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pair {
    pub from: String,
    pub to: String,
    pub via: Via,
    pub text: String,
}

/// One call of a client.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Call {
    /// Number of the operation.
    pub operation: usize,
    pub value: Option<i64>,
    pub key: Option<i64>,
    pub prio: Option<i64>,
}

/// Threads of calls. Calls are numbered in the order of `calls`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct Client {
    pub calls: Vec<Call>,
    /// Each thread makes these calls, one after another.
    pub threads: Vec<Vec<usize>>,
    /// The second call is not made before the first has returned.
    pub waits: Vec<(usize, usize)>,
}

impl Client {
    /// One thread per call.
    pub fn parallel(calls: Vec<Call>) -> Self {
        let threads = (0..calls.len()).map(|i| vec![i]).collect();
        Client { calls, threads, waits: Vec::new() }
    }

    /// Whether the client itself makes call `a` before call `b`.
    pub fn orders(&self, a: usize, b: usize) -> bool {
        self.threads.iter().any(|t| {
            let place = |c: usize| t.iter().position(|&x| x == c);
            matches!((place(a), place(b)), (Some(i), Some(j)) if i < j)
        })
    }
}

/// A client that shows something.
#[derive(Clone, Debug)]
pub struct Exhibit {
    pub client: Client,
    pub shows: Shows,
}

/// What a client shows.
#[derive(Clone, Debug)]
pub enum Shows {
    /// These answers, which no order of the calls gives.
    Answers(Vec<Outcome>),
    /// With these answers, that the second call of a pair does not see the first.
    Unseen(Vec<Outcome>, Vec<(usize, usize)>),
    /// What goes wrong on the way.
    Error(FailureKind),
    /// An execution that sequential consistency does not have.
    Order,
}

/// Where an execution notes that a call began, that it ended, and what it answered.
#[derive(Clone, Copy, Debug)]
pub struct Marks {
    pub begun: Loc,
    /// 1: answered; 2: answered that there was nothing.
    pub ended: Loc,
    pub result: Loc,
}

/// What a call answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Outcome {
    Nothing,
    Empty,
    Value(i64),
}

impl Object {
    /// `enqueue(1)`, `put(2, 7)`.
    pub fn show_call(&self, call: &Call) -> String {
        let args: Vec<String> =
            [call.key, call.prio, call.value].iter().flatten().map(|n| n.to_string()).collect();
        format!("{}({})", self.operations[call.operation].name, args.join(", "))
    }

    /// `enqueue(1); enqueue(2) || dequeue()`.
    pub fn show_client(&self, client: &Client) -> String {
        let call = |&c: &usize| self.show_call(&client.calls[c]);
        let thread = |t: &Vec<usize>| t.iter().map(call).collect::<Vec<_>>().join("; ");
        client.threads.iter().map(thread).collect::<Vec<_>>().join(" || ")
    }

    /// `dequeue() → 1`, `remove(3) → false`.
    pub fn show_answer(&self, call: &Call, outcome: Outcome) -> String {
        let shown = self.show_call(call);
        let method = self.operations[call.operation].method;
        let boolean =
            self.kind != Kind::Dictionary && method != Method::Cas && self.kind.answers_truth(method);
        match outcome {
            Outcome::Nothing => shown,
            Outcome::Empty if boolean => format!("{shown} → false"),
            Outcome::Empty if self.kind.is_container() && self.kind.adds(method) => format!("{shown} → full"),
            Outcome::Empty => format!("{shown} → empty"),
            Outcome::Value(n) if boolean => format!("{shown} → {}", n != 0),
            Outcome::Value(n) => format!("{shown} → {n}"),
        }
    }

    /// The level in force: the one declared, or the type's own.
    pub fn default_level(&self) -> Level {
        match self.kind {
            Kind::User if self.partial_lock => Level::Specified,
            kind if kind.is_container() || kind.is_lock() => Level::R,
            Kind::Semaphore | Kind::Barrier => Level::R,
            _ => Level::None,
        }
    }
}
