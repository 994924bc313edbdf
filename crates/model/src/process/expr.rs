//! Integer expressions and statement blocks: evaluation, and partial evaluation.
//!
//! Truth is 1, falsehood 0, anything but 0 is true. Arithmetic is that of 32-bit numbers and
//! overflow is a fault. `/` rounds towards zero; `%` is never negative.

use super::{ChannelExpr, DefId, Fault, FaultKind, Model, Spot, TermId};
use std::sync::Arc;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Expr {
    Int(i32),
    /// A parameter, index or input variable of the enclosing definition.
    Slot(u16),
    /// A variable of the enclosing block.
    Local(u16),
    Cell(u32),
    Element(Arc<Element>),
    Unary(Unary, Box<Expr>, Spot),
    Binary(Binary, Box<(Expr, Expr)>, Spot),
    Queue(Query, Box<ChannelExpr>),
    /// One of several values: an element of an array that is a parameter or was received.
    Pick(Arc<[Expr]>, Box<Expr>, Spot),
    /// `#P()`: how many processes side by side are at the beginning of it. Only conditions of
    /// assertions have this, and [`Universe::settled`](super::term::Universe::settled) turns it into
    /// the next.
    Count(DefId, Arc<[Expr]>),
    /// How many components are this term.
    Alike(TermId),
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Element {
    pub global: u32,
    pub first: u32,
    pub dims: Vec<(u32, Expr)>,
    pub spot: Spot,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unary {
    Not,
    Neg,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Binary {
    Or,
    And,
    Xor,
    BitAnd,
    BitOr,
    BitXor,
    Eq,
    Ne,
    Lt,
    Gt,
    Le,
    Ge,
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    Min,
    Max,
    /// Negative exponents give what is left of the fraction: 0, or for 1 and -1 a power.
    Pow,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Query {
    Full,
    Empty,
    Count,
    Size,
    Peek,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Stmt {
    Assign(Target, Expr),
    If(Expr, Arc<[Stmt]>, Arc<[Stmt]>),
    While(Expr, Arc<[Stmt]>, Spot),
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Target {
    Cell(u32, Spot),
    Element(Arc<Element>),
    Local(u16),
}

/// One message: its fields.
pub type Message = Box<[i32]>;

/// What an expression may look at.
#[derive(Clone, Copy)]
pub struct Frame<'a> {
    pub model: &'a Model,
    pub cells: &'a [i32],
    pub queues: &'a [Vec<Message>],
    pub env: &'a [i32],
    pub locals: &'a [i32],
    /// Components, for conditions that count them.
    pub leaves: &'a [TermId],
}

/// Steps a block may take before it counts as endless.
const FUEL: u32 = 1_000_000;

impl Frame<'_> {
    pub fn eval(&self, e: &Expr) -> Result<i32, Fault> {
        Ok(match e {
            Expr::Int(n) => *n,
            Expr::Slot(i) => self.env[*i as usize],
            Expr::Local(i) => self.locals[*i as usize],
            Expr::Cell(i) => self.cells[*i as usize],
            Expr::Element(el) => self.cells[self.locate(el)?],
            Expr::Unary(Unary::Not, e, _) => (self.eval(e)? == 0) as i32,
            Expr::Unary(Unary::Neg, e, spot) => self.eval(e)?.checked_neg().ok_or_else(|| overflow(*spot))?,
            Expr::Binary(op, pair, spot) => {
                let a = self.eval(&pair.0)?;
                match op {
                    Binary::Or if a != 0 => 1,
                    Binary::And if a == 0 => 0,
                    _ => apply(*op, a, self.eval(&pair.1)?, *spot)?,
                }
            }
            Expr::Pick(values, index, spot) => {
                let i = self.eval(index)?;
                let value = usize::try_from(i).ok().and_then(|i| values.get(i));
                self.eval(value.ok_or_else(|| outside(i, values.len(), *spot))?)?
            }
            Expr::Alike(term) => self.leaves.iter().filter(|t| *t == term).count() as i32,
            Expr::Count(..) => {
                return Err(Fault::new(FaultKind::Expansion, "processes cannot be counted here", 0));
            }
            Expr::Queue(query, channel) => {
                let c = self.channel(channel)?;
                let (queue, capacity) = (&self.queues[c], self.model.channels[c].capacity);
                match query {
                    Query::Full => (queue.len() as u32 >= capacity) as i32,
                    Query::Empty => queue.is_empty() as i32,
                    Query::Count => queue.len() as i32,
                    Query::Size => capacity as i32,
                    Query::Peek => match queue.first().and_then(|m| m.first()) {
                        Some(v) => *v,
                        None => {
                            return Err(Fault::new(
                                FaultKind::Channel,
                                format!(
                                    "there is no message to look at in channel {}",
                                    self.model.channels[c].name
                                ),
                                channel.spot,
                            ));
                        }
                    },
                }
            }
        })
    }

    pub fn holds(&self, e: &Expr) -> Result<bool, Fault> {
        Ok(self.eval(e)? != 0)
    }

    pub fn locate(&self, el: &Element) -> Result<usize, Fault> {
        let mut at = 0;
        for (n, index) in &el.dims {
            let i = self.eval(index)?;
            if i < 0 || i as u32 >= *n {
                let name = &self.model.globals[el.global as usize].name;
                return Err(Fault::new(
                    FaultKind::Index,
                    format!("index {i} of `{name}` is outside 0..{}", *n as i64 - 1),
                    el.spot,
                ));
            }
            at = at * n + i as u32;
        }
        Ok((el.first + at) as usize)
    }

    pub fn channel(&self, c: &ChannelExpr) -> Result<usize, Fault> {
        let Some(index) = &c.index else { return Ok(c.first as usize) };
        let i = self.eval(index)?;
        if i < 0 || i as u32 >= c.len {
            return Err(Fault::new(
                FaultKind::Channel,
                format!("channel index {i} is outside 0..{}", c.len as i64 - 1),
                c.spot,
            ));
        }
        Ok((c.first + i as u32) as usize)
    }
}

fn outside(index: i32, len: usize, spot: Spot) -> Fault {
    let message = format!("index {index} of an array is outside 0..{}", len as i64 - 1);
    Fault::new(FaultKind::Index, message, spot)
}

fn power(base: i32, exponent: i32) -> Option<i32> {
    match (base, exponent) {
        (0, ..0) => None,
        (1, ..0) => Some(1),
        (-1, ..0) => Some(if exponent % 2 == 0 { 1 } else { -1 }),
        (_, ..0) => Some(0),
        _ => base.checked_pow(exponent as u32),
    }
}

fn overflow(spot: Spot) -> Fault {
    Fault::new(FaultKind::Overflow, "the result does not fit in 32 bits", spot)
}

pub fn apply(op: Binary, a: i32, b: i32, spot: Spot) -> Result<i32, Fault> {
    let truth = |t: bool| Ok(t as i32);
    match op {
        Binary::Or => truth(a != 0 || b != 0),
        Binary::And => truth(a != 0 && b != 0),
        Binary::Xor => truth((a != 0) != (b != 0)),
        Binary::BitAnd => Ok(a & b),
        Binary::BitOr => Ok(a | b),
        Binary::BitXor => Ok(a ^ b),
        Binary::Eq => truth(a == b),
        Binary::Ne => truth(a != b),
        Binary::Lt => truth(a < b),
        Binary::Gt => truth(a > b),
        Binary::Le => truth(a <= b),
        Binary::Ge => truth(a >= b),
        Binary::Add => a.checked_add(b).ok_or_else(|| overflow(spot)),
        Binary::Sub => a.checked_sub(b).ok_or_else(|| overflow(spot)),
        Binary::Mul => a.checked_mul(b).ok_or_else(|| overflow(spot)),
        Binary::Div | Binary::Rem if b == 0 => {
            Err(Fault::new(FaultKind::Division, format!("{a} is divided by zero"), spot))
        }
        Binary::Div => a.checked_div(b).ok_or_else(|| overflow(spot)),
        Binary::Rem => a.checked_rem_euclid(b).ok_or_else(|| overflow(spot)),
        Binary::Min => Ok(a.min(b)),
        Binary::Max => Ok(a.max(b)),
        Binary::Pow if a == 0 && b < 0 => {
            Err(Fault::new(FaultKind::Division, format!("0 is raised to the power {b}"), spot))
        }
        Binary::Pow => power(a, b).ok_or_else(|| overflow(spot)),
    }
}

/// Runs a block on `cells`.
pub fn run(
    model: &Model,
    block: &super::Block,
    cells: &mut [i32],
    queues: &[Vec<Message>],
    env: &[i32],
) -> Result<(), Fault> {
    let mut machine =
        Machine { model, cells, queues, env, locals: vec![0; block.locals as usize], fuel: FUEL };
    machine.run(&block.stmts)
}

struct Machine<'a> {
    model: &'a Model,
    cells: &'a mut [i32],
    queues: &'a [Vec<Message>],
    env: &'a [i32],
    locals: Vec<i32>,
    fuel: u32,
}

impl Machine<'_> {
    fn frame(&self) -> Frame<'_> {
        Frame {
            model: self.model,
            cells: self.cells,
            queues: self.queues,
            env: self.env,
            locals: &self.locals,
            leaves: &[],
        }
    }

    fn run(&mut self, stmts: &[Stmt]) -> Result<(), Fault> {
        for stmt in stmts {
            match stmt {
                Stmt::Assign(target, value) => {
                    let value = self.frame().eval(value)?;
                    match target {
                        Target::Local(i) => self.locals[*i as usize] = value,
                        Target::Cell(c, spot) => self.store(*c as usize, value, *spot)?,
                        Target::Element(el) => {
                            let c = self.frame().locate(el)?;
                            self.store(c, value, el.spot)?
                        }
                    }
                }
                Stmt::If(c, yes, no) => {
                    let branch = if self.frame().holds(c)? { yes } else { no };
                    self.run(branch)?
                }
                Stmt::While(c, body, spot) => {
                    while self.frame().holds(c)? {
                        self.fuel -= 1;
                        if self.fuel == 0 {
                            return Err(Fault::new(
                                FaultKind::Endless,
                                format!("the loop is still running after {FUEL} rounds"),
                                *spot,
                            ));
                        }
                        self.run(body)?
                    }
                }
            }
        }
        Ok(())
    }

    fn store(&mut self, cell: usize, value: i32, spot: Spot) -> Result<(), Fault> {
        if let Some((low, high)) = self.model.cells[cell].range
            && !(low..=high).contains(&value)
        {
            let range = shown_range(low, high);
            let message = format!("{value} is outside the range {range} of `{}`", self.model.cell_name(cell));
            return Err(Fault::new(FaultKind::Range, message, spot));
        }
        self.cells[cell] = value;
        Ok(())
    }
}

/// As it was declared: `0..5`, `0..`.
fn shown_range(low: i32, high: i32) -> String {
    let bound = |n: i32, open: i32| if n == open { String::new() } else { n.to_string() };
    format!("{}..{}", bound(low, i32::MIN), bound(high, i32::MAX))
}

/// What is known about slots while specialising: `None` stays symbolic.
pub type Known<'a> = &'a [Option<i32>];

impl Expr {
    /// Replaces known slots and folds constants. What would fault is left for run time.
    pub fn specialise(&self, known: Known) -> Expr {
        match self {
            Expr::Int(_) | Expr::Local(_) | Expr::Cell(_) | Expr::Alike(_) => self.clone(),
            Expr::Slot(i) => known[*i as usize].map_or_else(|| self.clone(), Expr::Int),
            Expr::Element(el) => {
                let el = el.specialise(known);
                el.constant().map_or_else(|| Expr::Element(Arc::new(el)), Expr::Cell)
            }
            Expr::Unary(op, e, spot) => {
                let e = e.specialise(known);
                match (op, &e) {
                    (Unary::Not, Expr::Int(n)) => Expr::Int((*n == 0) as i32),
                    (Unary::Neg, Expr::Int(n)) if *n != i32::MIN => Expr::Int(-n),
                    _ => Expr::Unary(*op, Box::new(e), *spot),
                }
            }
            Expr::Binary(op, pair, spot) => {
                let (a, b) = (pair.0.specialise(known), pair.1.specialise(known));
                match (op, &a, &b) {
                    (Binary::Or, Expr::Int(n), _) if *n != 0 => Expr::Int(1),
                    (Binary::And, Expr::Int(0), _) => Expr::Int(0),
                    (_, Expr::Int(x), Expr::Int(y)) => match apply(*op, *x, *y, *spot) {
                        Ok(n) => Expr::Int(n),
                        Err(_) => Expr::Binary(*op, Box::new((a, b)), *spot),
                    },
                    _ => Expr::Binary(*op, Box::new((a, b)), *spot),
                }
            }
            Expr::Queue(q, c) => Expr::Queue(*q, Box::new(c.specialise(known))),
            Expr::Pick(values, index, spot) => {
                let index = index.specialise(known);
                let at = index.constant().and_then(|i| usize::try_from(i).ok());
                match at.and_then(|i| values.get(i)) {
                    Some(value) => value.specialise(known),
                    None => {
                        let values = values.iter().map(|v| v.specialise(known)).collect();
                        Expr::Pick(values, Box::new(index), *spot)
                    }
                }
            }
            Expr::Count(def, args) => Expr::Count(*def, args.iter().map(|a| a.specialise(known)).collect()),
        }
    }

    pub fn constant(&self) -> Option<i32> {
        match self {
            Expr::Int(n) => Some(*n),
            _ => None,
        }
    }

    /// Calls `f` on this expression and all within.
    pub fn walk(&self, f: &mut dyn FnMut(&Expr)) {
        f(self);
        match self {
            Expr::Int(_) | Expr::Slot(_) | Expr::Local(_) | Expr::Cell(_) | Expr::Alike(_) => {}
            Expr::Pick(values, index, _) => {
                index.walk(f);
                values.iter().for_each(|v| v.walk(f))
            }
            Expr::Count(_, args) => args.iter().for_each(|a| a.walk(f)),
            Expr::Element(el) => el.dims.iter().for_each(|(_, e)| e.walk(f)),
            Expr::Unary(_, e, _) => e.walk(f),
            Expr::Binary(_, pair, _) => {
                pair.0.walk(f);
                pair.1.walk(f)
            }
            Expr::Queue(_, c) => c.index.iter().for_each(|e| e.walk(f)),
        }
    }
}

impl Element {
    fn specialise(&self, known: Known) -> Element {
        let dims = self.dims.iter().map(|(n, e)| (*n, e.specialise(known))).collect();
        Element { dims, ..*self }
    }

    /// The cell, if every index is a number inside its bounds.
    fn constant(&self) -> Option<u32> {
        let mut at = 0;
        for (n, e) in &self.dims {
            let i = e.constant()?;
            if i < 0 || i as u32 >= *n {
                return None;
            }
            at = at * n + i as u32;
        }
        Some(self.first + at)
    }

    pub fn len(&self) -> u32 {
        self.dims.iter().map(|(n, _)| n).product()
    }
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl ChannelExpr {
    pub fn specialise(&self, known: Known) -> ChannelExpr {
        ChannelExpr { index: self.index.as_ref().map(|e| e.specialise(known)), ..*self }
    }
}

impl super::Block {
    pub fn specialise(&self, known: Known) -> super::Block {
        super::Block { stmts: specialise_all(&self.stmts, known), locals: self.locals }
    }
}

fn specialise_all(stmts: &[Stmt], known: Known) -> Arc<[Stmt]> {
    stmts
        .iter()
        .map(|s| match s {
            Stmt::Assign(target, value) => {
                let target = match target {
                    Target::Element(el) => {
                        let spot = el.spot;
                        let el = el.specialise(known);
                        el.constant().map_or_else(|| Target::Element(Arc::new(el)), |c| Target::Cell(c, spot))
                    }
                    other => other.clone(),
                };
                Stmt::Assign(target, value.specialise(known))
            }
            Stmt::If(c, yes, no) => {
                Stmt::If(c.specialise(known), specialise_all(yes, known), specialise_all(no, known))
            }
            Stmt::While(c, body, spot) => {
                Stmt::While(c.specialise(known), specialise_all(body, known), *spot)
            }
        })
        .collect()
}
