//! Communicating processes over shared variables, and what they mean.
//!
//! A [`Model`] is a CSP# file after all names are settled: cells of shared memory, channels, and
//! process bodies as numbered [`Site`]s. A [`System`] is one process of the model as a labelled
//! transition system; it is the meaning of every operator, and the only one.
//!
//! - `expr`: expressions and statement blocks, evaluated or partially evaluated;
//! - `term`: closed process terms, each stored once; `build`: from sites to terms; `steps`: what a
//!   term can do, symbolically;
//! - `state`: shared memory and one term per parallel component, packed into bytes;
//! - `portable`: terms and states as another process can read them;
//! - `system`: the steps of a whole state;
//! - `events`: names of what observers see; `alphabet`: on what `||` synchronises;
//! - `formula`: temporal logic over its runs; `annotation`: what single events ask of them.
//!
//! Where the original tool's behaviour is not settled, this reading is fixed in one function
//! each: labels are evaluated before their block (`steps::prefix`), `ifb` takes an internal step
//! (`steps::blocked_if`), atomic processes have priority before they begin
//! (`system::prefer_atomic`), and termination is a visible event (`events::TICK`).

pub mod alphabet;
pub mod annotation;
pub mod arena;
mod build;
pub mod events;
pub mod expr;
pub mod fault;
pub mod formula;
pub mod interned;
pub mod portable;
pub mod state;
pub mod steps;
pub mod system;
pub mod term;

use crate::adt::quasi::Relaxation;
use crate::diagnostic::Place;
use expr::{Expr, Stmt};
use std::sync::Arc;

pub use crate::lts::Semantics;
pub use annotation::{Annotation, Annotations};
pub use events::{EventId, Events};
pub use fault::{Fault, FaultKind};
pub use formula::{Fairness, Formula, Ltl};
pub use state::State;
pub use system::System;

/// Index into [`Model::places`]; 0 is nowhere.
pub type Spot = u32;

/// A process expression of the source. Sites form a graph: calls name definitions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SiteId(pub u32);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DefId(pub u32);

/// A closed process, stored once: see `term`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TermId(pub u32);

/// A CSP# file, resolved.
#[derive(Clone, Debug, Default)]
pub struct Model {
    pub file: String,
    pub globals: Vec<Global>,
    /// Every scalar and array element, in order of declaration.
    pub cells: Vec<Cell>,
    /// Every channel and element of a channel array.
    pub channels: Vec<Channel>,
    /// Names of events.
    pub names: Vec<Arc<str>>,
    pub defs: Vec<Def>,
    pub sites: Vec<Site>,
    pub places: Vec<Place>,
}

#[derive(Clone, Debug)]
pub struct Global {
    pub name: Arc<str>,
    pub first: u32,
    /// Empty for a scalar.
    pub dims: Vec<u32>,
    pub len: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    pub initial: i32,
    /// Inclusive; assignments outside are faults.
    pub range: Option<(i32, i32)>,
    /// `hvar`: no part of the state's identity.
    pub hidden: bool,
    pub global: u32,
}

#[derive(Clone, Debug)]
pub struct Channel {
    /// With its index, for arrays: `c[1]`.
    pub name: Arc<str>,
    /// 0: sender and receiver meet.
    pub capacity: u32,
    /// Names of its events in [`Model::names`]: `c!`, `c?`, and `c` for a meeting.
    pub send: u32,
    pub receive: u32,
    pub meet: u32,
}

#[derive(Clone, Debug)]
pub struct Def {
    pub name: Arc<str>,
    pub params: u16,
    /// Parameters, then every index and input variable of the body.
    pub slots: u16,
    pub slot_names: Vec<Arc<str>>,
    pub body: SiteId,
    /// `#alphabet`, if given: patterns over the parameters.
    pub alphabet: Option<Vec<EventSet>>,
}

#[derive(Clone, Debug)]
pub struct Site {
    pub node: Node,
    pub def: DefId,
    pub spot: Spot,
    /// Slots the site may still read, ascending. Terms keep the values of these only.
    pub free: Vec<u16>,
}

#[derive(Clone, Debug)]
pub enum Node {
    Stop,
    Skip,
    Prefix {
        event: EventExpr,
        annotation: Option<Annotation>,
        block: Option<Block>,
        next: SiteId,
    },
    Send {
        channel: ChannelExpr,
        values: Vec<Expr>,
        block: Option<Block>,
        next: SiteId,
    },
    Receive {
        channel: ChannelExpr,
        pattern: Vec<Pattern>,
        guard: Option<Expr>,
        block: Option<Block>,
        next: SiteId,
    },
    /// `if`: the test is a step of its own.
    If(Expr, SiteId, SiteId),
    /// `ifa`: the test belongs to the branch's first step.
    IfAtomic(Expr, SiteId, SiteId),
    /// `ifb`: waits, then takes an internal step.
    IfBlocking(Expr, SiteId),
    Case(Vec<(Expr, SiteId)>, SiteId),
    Guard(Expr, SiteId),
    Seq(SiteId, SiteId),
    Choice(Choice, Vec<SiteId>),
    Parallel(Parallel, Vec<SiteId>),
    /// An operator over index variables, in `order`: expanded when the term is built.
    Indexed(Operator, Vec<Range>, SiteId),
    /// So many identical copies.
    Copies(Operator, Expr, SiteId),
    Hide(SiteId, Vec<EventSet>),
    Atomic(SiteId),
    Interrupt(SiteId, SiteId),
    Call(DefId, Vec<Expr>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Choice {
    /// `[]`: any step resolves it, internal ones too.
    External,
    /// `[*]`: visible steps resolve it.
    General,
    /// `<>`: an internal step of its own resolves it.
    Internal,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Parallel {
    /// `|||`
    Interleave,
    /// `||`
    Synchronise,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operator {
    Choice(Choice),
    Parallel(Parallel),
}

/// `x:{0..3}` or `x:{1,3}`.
#[derive(Clone, Debug)]
pub struct Range {
    pub slot: u16,
    pub values: Vec<RangeItem>,
}

#[derive(Clone, Debug)]
pub enum RangeItem {
    One(Expr),
    Span(Expr, Expr),
}

/// The numbers from `low` to `high`. `{1..0}` is empty, as `{1..N}` is for no processes; what is further
/// apart counts down.
pub fn span(low: i32, high: i32) -> impl Iterator<Item = i32> {
    let down = i64::from(low) > i64::from(high) + 1;
    let (first, last) = if down { (high, low) } else { (low, high) };
    (first..=last).map(move |n| if down { last - (n - first) } else { n })
}

#[derive(Clone, Debug)]
pub enum EventExpr {
    Tau,
    Named(u32, Vec<Expr>),
}

/// One entry of a hiding set or alphabet: an event, perhaps over index variables.
#[derive(Clone, Debug)]
pub struct EventSet {
    pub ranges: Vec<Range>,
    pub name: u32,
    pub args: Vec<Expr>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ChannelExpr {
    pub first: u32,
    pub len: u32,
    /// `None` for a single channel.
    pub index: Option<Expr>,
    pub spot: Spot,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Pattern {
    Bind(u16),
    Match(Expr),
}

/// A statement block and how many local variables it needs.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Block {
    pub stmts: Arc<[Stmt]>,
    pub locals: u16,
}

/// `#assert`.
#[derive(Clone, Debug)]
pub struct Assertion {
    /// As written, without `#assert`.
    pub text: String,
    pub at: Place,
    pub root: SiteId,
    pub claim: Claim,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Extreme {
    Min,
    Max,
}

#[derive(Clone, Debug)]
pub enum Claim {
    DeadlockFree,
    DivergenceFree,
    Deterministic,
    Nonterminating,
    Reaches {
        goal: Expr,
        extreme: Option<(Extreme, Expr)>,
    },
    Refines {
        spec: SiteId,
        semantics: Semantics,
    },
    /// An abstract type, and the number a register or counter starts with.
    Linearizable {
        object: String,
        init: i32,
        /// By how much operations may be out of order.
        quasi: Option<Relaxation>,
    },
    /// Every run that is fair satisfies the formula.
    Ltl {
        formula: Arc<Ltl>,
        fairness: Fairness,
    },
}

impl Model {
    pub fn site(&self, id: SiteId) -> &Site {
        &self.sites[id.0 as usize]
    }
    pub fn def(&self, id: DefId) -> &Def {
        &self.defs[id.0 as usize]
    }
    pub fn place(&self, spot: Spot) -> Option<Place> {
        (spot > 0).then(|| self.places[spot as usize].clone())
    }
    /// A cell as the source writes it: `H`, `B[2]`, `m[1][0]`.
    pub fn cell_name(&self, cell: usize) -> String {
        let global = &self.globals[self.cells[cell].global as usize];
        let mut rest = cell as u32 - global.first;
        let mut indices = Vec::new();
        for &n in global.dims.iter().rev() {
            indices.push(rest % n);
            rest /= n;
        }
        let mut name = global.name.to_string();
        for i in indices.iter().rev() {
            name.push_str(&format!("[{i}]"));
        }
        name
    }
}
