//! CSP# as written: names are still text.

use lineal_model::Place;
use lineal_model::adt::quasi::{self, Named};
use lineal_model::process::expr::{Binary, Unary};
use lineal_model::process::{Annotation, Choice, Extreme, Formula, Operator, Parallel, Semantics};
use std::sync::Arc;

pub type Name = Arc<str>;

#[derive(Clone, Debug)]
pub struct Expr {
    pub kind: ExprKind,
    pub at: Place,
}

#[derive(Clone, Debug)]
pub enum ExprKind {
    Int(i32),
    Name(Name),
    Index(Name, Vec<Expr>),
    Unary(Unary, Box<Expr>),
    Binary(Binary, Box<(Expr, Expr)>),
    /// `call(name, …)`: a macro, or a question about a channel.
    Call(Name, Vec<Expr>),
    /// `[1, 0(3), 1..4]`
    Array(Vec<InitItem>),
    /// An assignment inside an expression, whose value it is: `y = x = 1`, `x++`.
    Store(Box<(Expr, Expr)>),
    /// `#P(1)`: how many processes are at the beginning of it.
    Count(Name, Vec<Expr>),
    /// `&& i:{0..2}@(…)`
    Indexed(Binary, Vec<Range>, Box<Expr>),
}

#[derive(Clone, Debug)]
pub struct Range {
    pub name: Name,
    pub values: Vec<RangeItem>,
    pub at: Place,
}

#[derive(Clone, Debug)]
pub enum RangeItem {
    One(Expr),
    Span(Expr, Expr),
}

#[derive(Clone, Debug)]
pub enum Stmt {
    Assign(Expr, Expr),
    /// A variable of the block, with the length of an array.
    Local(Name, Option<Expr>, Option<Expr>, Place),
    If(Expr, Vec<Stmt>, Vec<Stmt>),
    While(Expr, Vec<Stmt>),
    /// A statement macro.
    Call(Name, Vec<Expr>, Place),
    Block(Vec<Stmt>),
}

#[derive(Clone, Debug)]
pub struct Event {
    /// `wf(e)` and its kin.
    pub annotation: Option<Annotation>,
    pub name: Name,
    pub args: Vec<Expr>,
    pub at: Place,
}

#[derive(Clone, Debug)]
pub enum Action {
    /// One of several events, `None` for `tau`.
    Events(Vec<Option<Event>>),
    Send(Channel, Vec<Expr>),
    Receive(Channel, Option<Expr>, Vec<Expr>),
}

#[derive(Clone, Debug)]
pub struct Channel {
    pub name: Name,
    pub index: Option<Expr>,
    pub at: Place,
}

#[derive(Clone, Debug)]
pub struct Prefix {
    pub action: Action,
    pub block: Option<Vec<Stmt>>,
    pub at: Place,
}

#[derive(Clone, Debug)]
pub struct Process {
    pub kind: ProcessKind,
    pub at: Place,
}

#[derive(Clone, Debug)]
pub enum ProcessKind {
    Stop,
    Skip,
    /// `a -> b -> P`: kept as a list, for it may be long.
    Prefixes(Vec<Prefix>, Box<Process>),
    If(Test, Expr, Box<Process>, Option<Box<Process>>),
    Case(Vec<(Expr, Process)>, Option<Box<Process>>),
    Guard(Expr, Box<Process>),
    Seq(Vec<Process>),
    Choice(Choice, Vec<Process>),
    Parallel(Parallel, Vec<Process>),
    Indexed(Operator, Vec<Range>, Box<Process>),
    Copies(Operator, Expr, Box<Process>),
    Hide(Box<Process>, Vec<EventSet>),
    Atomic(Box<Process>),
    Interrupt(Box<Process>, Box<Process>),
    Call(Name, Vec<Expr>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Test {
    Plain,
    Atomic,
    Blocking,
}

#[derive(Clone, Debug)]
pub struct EventSet {
    pub ranges: Vec<Range>,
    pub event: Event,
}

#[derive(Clone, Debug)]
pub enum Item {
    Define {
        name: Name,
        params: Vec<Name>,
        body: Body,
        at: Place,
    },
    Enum(Vec<(Name, Place)>),
    Var {
        name: Name,
        dims: Vec<Expr>,
        /// Either bound may be left open.
        range: Option<(Option<Expr>, Option<Expr>)>,
        init: Option<Init>,
        hidden: bool,
        at: Place,
    },
    Channel {
        name: Name,
        len: Option<Expr>,
        capacity: Expr,
        at: Place,
    },
    Alphabet {
        name: Name,
        events: Vec<EventSet>,
        at: Place,
    },
    Process {
        name: Name,
        params: Vec<(Name, Place)>,
        body: Process,
        at: Place,
    },
    Assert {
        text: String,
        process: Process,
        claim: Claim,
        at: Place,
    },
}

#[derive(Clone, Debug)]
pub enum Body {
    Expr(Expr),
    Block(Vec<Stmt>),
}

#[derive(Clone, Debug)]
pub enum Init {
    One(Expr),
    /// Elements: a value, how often; or from..to.
    Many(Vec<InitItem>),
}

#[derive(Clone, Debug)]
pub enum InitItem {
    Repeat(Expr, Expr),
    Span(Expr, Expr),
}

/// By how much operations may be out of order: classes of operations with their answers, each with
/// its factor.
#[derive(Clone, Debug)]
pub struct Quasi {
    pub classes: Vec<(Vec<Named>, Expr)>,
    pub semantics: quasi::Semantics,
}

#[derive(Clone, Debug)]
pub enum Claim {
    DeadlockFree,
    DivergenceFree,
    Deterministic,
    Nonterminating,
    Reaches(Expr, Option<(Extreme, Expr)>),
    Refines(Process, Semantics),
    Linearizable(Name, Option<Expr>, Option<Quasi>),
    Ltl(Temporal),
}

/// A temporal formula, its atoms by number.
#[derive(Clone, Debug)]
pub struct Temporal {
    pub formula: Formula,
    pub atoms: Vec<Atom>,
    /// What of it would mean something else by the usual precedences.
    pub unusual: Option<Formula>,
    /// Some `U` or `R` of several in a row.
    pub chained: Option<Formula>,
}

/// `goal`, `get.0.1`, `c!3`, `c[1]?x.2`.
#[derive(Clone, Debug)]
pub struct Atom {
    pub name: Name,
    pub index: Option<Expr>,
    /// `!` or `?`, for a message.
    pub message: Option<char>,
    /// `"goal"`: an event, whatever else has the name.
    pub quoted: bool,
    pub args: Vec<Expr>,
    pub at: Place,
}
