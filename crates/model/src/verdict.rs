//! The answer: a proof with its scope, a witness, or the limit that was hit.

use crate::adt::quasi::semantics::Semantics;
use crate::assumption::Assumption;
use crate::diagnostic::Place;
use crate::knob::Knob;
use crate::witness_kind::WitnessKind;
use serde::Serialize;

/// Three arms and no fourth. `Holds` is worth exactly what its [`Scope`] says.
#[derive(Clone, Debug)]
pub enum Verdict {
    Holds(Scope),
    Violated(Box<Witness>),
    Unknown(Limit),
}

impl Verdict {
    pub fn word(&self) -> &'static str {
        match self {
            Verdict::Holds(_) => "holds",
            Verdict::Violated(_) => "violated",
            Verdict::Unknown(_) => "unknown",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Memory {
    Sc,
    Tso,
    Ra,
    Rc11,
}

impl std::fmt::Display for Memory {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Memory::Sc => "sc",
            Memory::Tso => "tso",
            Memory::Ra => "ra",
            Memory::Rc11 => "rc11",
        })
    }
}

/// How many: so many, or any number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Extent {
    UpTo(u64),
    #[serde(serialize_with = "unbounded")]
    Unbounded,
}

fn unbounded<S: serde::Serializer>(s: S) -> Result<S::Ok, S::Error> {
    s.serialize_str("unbounded")
}

/// What a `Holds` covers. A bound the user chose is scope; a resource that ran out, or a case
/// the method cannot settle, is a [`Limit`].
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Scope {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory: Option<Memory>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub threads: Option<Extent>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub calls: Option<Extent>,
    /// At most so many of these calls are of each operation, as in "2 push".
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub each: Vec<String>,
    #[serde(skip)]
    pub bounds: Vec<Bound>,
    pub storage: Storage,
    /// By how much operations may be out of order.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quasi: Option<Relaxed>,
    /// It is about one state, which was found: the search ended there.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub reached: bool,
    /// Reasons why the claim is emptier than it sounds (no execution completes, no two calls overlap).
    pub vacuous: Vec<String>,
    /// What was taken for granted.
    #[serde(skip)]
    pub assumptions: Vec<Assumption>,
}

impl Scope {
    /// All executions of a closed program under `memory` with `threads` threads.
    pub fn program(memory: Memory, threads: u64) -> Self {
        Scope { memory: Some(memory), threads: Some(Extent::UpTo(threads)), ..Scope::empty() }
    }

    /// One recorded history with `calls` operations.
    pub fn history(calls: u64) -> Self {
        Scope { calls: Some(Extent::UpTo(calls)), ..Scope::empty() }
    }

    /// The whole state space of a model.
    pub fn states(storage: Storage) -> Self {
        Scope { storage, ..Scope::empty() }
    }

    fn empty() -> Self {
        Scope {
            memory: None,
            threads: None,
            calls: None,
            each: Vec::new(),
            bounds: Vec::new(),
            storage: Storage::Exact,
            quasi: None,
            reached: false,
            vacuous: Vec::new(),
            assumptions: Vec::new(),
        }
    }
}

/// What a relaxed type allows beyond the exact one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Relaxed {
    /// `dequeue=2, {push, pop}=1`; all other operations have factor 0.
    pub factors: String,
    /// How factors are read.
    pub semantics: Semantics,
    /// Nothing may be answered before it was put there.
    pub caused: bool,
}

/// A bound that was asked for, and whether it cut anything off.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bound {
    pub knob: Knob,
    pub value: u64,
    /// How many executions it cut; 0: it made no difference.
    pub cut: u64,
    pub at: Option<Place>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Storage {
    Exact,
    /// States were told apart by so many bits of hash only.
    Fingerprint {
        bits: u32,
    },
}

impl Serialize for Storage {
    fn serialize<S: serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        match self {
            Storage::Exact => s.serialize_str("exact"),
            Storage::Fingerprint { bits } => s.serialize_str(&format!("fingerprint-{bits}")),
        }
    }
}

/// Why there is no answer, and how far the check got.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Limit {
    pub kind: LimitKind,
    /// The bound in its own unit (seconds, bytes, states), where it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<u64>,
    /// What happened, a sentence; where the kind and the value say it (states), what else there is to
    /// say, or nothing.
    pub message: String,
    /// What is settled nevertheless, a sentence; empty if nothing.
    pub covered: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<Place>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum LimitKind {
    Time,
    Memory,
    States,
    Interrupt,
    Sampled,
    /// The engine's method cannot settle this input.
    Method,
    /// A loop goes on for longer than anybody follows it, unless it is cut.
    Loop,
}

impl Limit {
    pub fn new(kind: LimitKind, message: impl Into<String>) -> Self {
        Limit { kind, value: None, message: message.into(), covered: String::new(), at: None }
    }

    pub fn states(max: u64) -> Self {
        Limit { value: Some(max), ..Limit::new(LimitKind::States, String::new()) }
    }

    pub fn method(message: impl Into<String>) -> Self {
        Limit::new(LimitKind::Method, message)
    }
}

/// A counterexample, as data. Engines fill what they have; every output format is a consumer.
#[derive(Clone, Debug, Serialize)]
pub struct Witness {
    pub kind: WitnessKind,
    /// The violation in words; the first sentence must stand on its own.
    pub why: String,
    /// Why it is one, a line each; after the client and its time line.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub reasons: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<Place>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub calls: Option<u64>,
    /// Threads of calls, as they would be typed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub client: Vec<Vec<String>>,
    /// The client as a C program to be compiled with the object.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub program: Option<String>,
    /// Operations on a time line.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub history: Vec<TimelineOp>,
    /// What each thread did, in one order that explains the execution.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<Step>,
    /// Index in `steps` from which on they are repeated for ever.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repeats: Option<u32>,
    /// The thread that fails, if none of the steps is its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thread: Option<u32>,
    /// Names of the threads, by number.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub threads: Vec<String>,
    /// What to try, a sentence each.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub hints: Vec<String>,
    /// What else is wrong, this one set aside; a sentence each.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub further: Vec<String>,
    /// Whether no smaller counterexample of this kind exists.
    pub shortest: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replay: Option<String>,
}

impl Witness {
    pub fn new(kind: WitnessKind, why: impl Into<String>) -> Self {
        Witness {
            kind,
            why: why.into(),
            reasons: Vec::new(),
            at: None,
            calls: None,
            client: Vec::new(),
            program: None,
            history: Vec::new(),
            steps: Vec::new(),
            repeats: None,
            thread: None,
            threads: Vec::new(),
            hints: Vec::new(),
            further: Vec::new(),
            shortest: false,
            replay: None,
        }
    }
}

/// One visible step of one thread.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Step {
    pub thread: u32,
    /// In the words of the source: `x.store(1)`, `r = y → 0`, `lock(m)`.
    pub what: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<Place>,
    /// Index in `steps` of the write this step takes its value from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reads_from: Option<u32>,
    /// Index of the step whose write this one follows in modification order.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub overwrites: Option<u32>,
    /// Index of the first write after the one that this stale read takes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub missed: Option<u32>,
    /// Index of the first step of the thread that this one creates.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub starts: Option<u32>,
    /// Index of the step that ought to be visible here, and is not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unseen: Option<u32>,
    /// Nothing that another thread takes part in: may be left out at first reading.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub minor: bool,
    /// Said beside the step: "stale: step 4 had written 1".
    #[serde(skip_serializing_if = "String::is_empty")]
    pub remark: String,
    /// The violation happens here, or this step takes part in it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub guilty: bool,
}

/// One operation on a time line. Times are event positions, not clock readings.
#[derive(Clone, Debug, Default, Serialize)]
pub struct TimelineOp {
    pub process: String,
    /// `enqueue(3)`, `dequeue() → empty`.
    pub what: String,
    pub call: u64,
    /// `None`: it never returned.
    #[serde(rename = "return")]
    pub ret: Option<u64>,
    /// Place in the longest linearization found, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub order: Option<u64>,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub remark: String,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub guilty: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<Place>,
}
