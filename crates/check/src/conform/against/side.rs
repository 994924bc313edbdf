//! One execution, of either object, as clients can constrain it: what its calls see of each other,
//! and which extensions it allows.
//!
//! An extension is a set of [`Edge`]s from points after calls to points before calls. Under sc, ra
//! and rc11 one kind is enough: what a client does after a call comes before what it does before
//! another one. Under tso a write of the client may leave its buffer long after the thread has gone
//! on, so it matters what stands at the two ends.

use crate::conform::extend::{Extensions, OnCalls};
use crate::conform::masks::bits;
use crate::conform::observe::{self, Back, Mask, Observation, Reach, Span};
use crate::conform::recheck::OnEvents;
use crate::graph::Leaf;
use crate::seeded::{self, Bug};
use lineal_model::Memory;

/// What stands at the ends of an edge: an access of the client after the first call, and one before
/// the second.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Ends {
    /// A write, and a read that takes it: the client orders the calls.
    Order,
    /// A read, and a write that it misses: what was written before `to` is not seen after `from`.
    Miss,
    /// Two writes, one overwriting the other.
    Writes,
    /// Two reads, the second of something newer.
    Reads,
}

impl Ends {
    pub const ALL: [Ends; 4] = [Ends::Order, Ends::Miss, Ends::Writes, Ends::Reads];

    fn starts_with_write(self) -> bool {
        matches!(self, Ends::Order | Ends::Writes)
    }
    fn ends_with_write(self) -> bool {
        matches!(self, Ends::Miss | Ends::Writes)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Edge {
    pub ends: Ends,
    pub from: usize,
    pub to: usize,
}

/// A set of edges, by their ends: `rows[ends][to]` has `from`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Extension {
    rows: [Vec<Mask>; 4],
}

impl Extension {
    pub fn none(calls: usize) -> Self {
        Extension { rows: std::array::from_fn(|_| vec![0; calls]) }
    }
    pub fn of(&self, ends: Ends) -> &Vec<Mask> {
        &self.rows[ends as usize]
    }
    pub fn add(&mut self, e: Edge) {
        self.rows[e.ends as usize][e.to] |= 1 << e.from;
    }
    pub fn remove(&mut self, e: Edge) {
        self.rows[e.ends as usize][e.to] &= !(1 << e.from);
    }
    pub fn has(&self, e: Edge) -> bool {
        self.rows[e.ends as usize][e.to] >> e.from & 1 == 1
    }
    pub fn is_empty(&self) -> bool {
        self.rows.iter().flatten().all(|&row| row == 0)
    }
    pub fn edges(&self) -> Vec<Edge> {
        let of = |ends: Ends| {
            let row = move |(to, &row): (usize, &Mask)| {
                bits(row).map(move |from| Edge { ends, from, to }).collect::<Vec<_>>()
            };
            self.rows[ends as usize].iter().enumerate().flat_map(row)
        };
        Ends::ALL.into_iter().flat_map(of).collect()
    }
    pub fn with(&self, more: &Extension) -> Extension {
        let mut all = self.clone();
        more.edges().into_iter().for_each(|e| all.add(e));
        all
    }
}

/// An execution as its calls see it.
#[derive(Debug)]
pub struct Side {
    pub hb: Vec<Mask>,
    back: Back,
    how: How,
}

/// What decides about extensions.
#[derive(Debug)]
enum How {
    /// Exact, or for executions of the object more than are allowed: see [`Back`].
    Calls,
    Reach(Box<Reach>),
    /// With the paths that edges can close to a cycle.
    Events(Box<OnEvents>, Vec<Mask>),
}

impl Side {
    /// With `exact`, the events are looked at where calls do not tell all.
    pub fn new(leaf: &dyn Leaf, memory: Memory, spans: &[Span], seen: &Observation, exact: bool) -> Side {
        let mut back = observe::back(leaf, memory, spans, &seen.hb);
        if seeded::active(Bug::NoEco) {
            back.back.clone_from(&back.segments);
        }
        if seeded::active(Bug::NoPorf) {
            back.porf.clear();
        }
        let exact = exact && !seeded::active(Bug::RoughOther);
        let how = match memory {
            Memory::Tso => How::Reach(Box::new(Reach::new(leaf, spans))),
            Memory::Rc11 if exact && leaf.sc_events() >= 2 => {
                let events = OnEvents::new(leaf, spans, &seen.hb);
                let porf = observe::porf(leaf, spans);
                let paths = events.leads().iter().zip(&porf).map(|(a, b)| a | b).collect();
                How::Events(Box::new(events), paths)
            }
            _ => How::Calls,
        };
        Side { hb: seen.hb.clone(), back, how }
    }

    /// What decides about the execution, as far as calls tell.
    pub fn key(&self) -> (Back, Option<Reach>) {
        let reach = match &self.how {
            How::Reach(reach) => Some((**reach).clone()),
            _ => None,
        };
        (self.back.clone(), reach)
    }

    pub fn allows(&self, x: &Extension) -> bool {
        if x.is_empty() {
            return true;
        }
        match &self.how {
            How::Calls => OnCalls { hb: &self.hb, back: &self.back }.allows(x.of(Ends::Order)),
            How::Events(events, _) => events.allows(x.of(Ends::Order)),
            How::Reach(reach) => on_cycles(&x.edges(), |a, b| leads(reach, a, b)).is_empty(),
        }
    }

    /// `hb` with the edges of the client.
    pub fn happens_before(&self, x: &Extension) -> Vec<Mask> {
        OnCalls { hb: &self.hb, back: &self.back }.happens_before(x.of(Ends::Order))
    }

    /// The edges of a set that may take part in making the execution impossible: those on a cycle.
    pub fn relevant(&self, x: &Extension) -> Vec<Edge> {
        let paths: Vec<Mask> = match &self.how {
            How::Reach(reach) => return on_cycles(&x.edges(), |a, b| leads(reach, a, b)),
            How::Events(_, paths) => paths.clone(),
            How::Calls => {
                let Back { segments, back, porf } = &self.back;
                let porf = |i: usize| porf.get(i).copied().unwrap_or(0);
                (0..back.len()).map(|i| segments[i] | back[i] | porf(i)).collect()
            }
        };
        on_cycles(&x.edges(), |a, b| paths[b.from] >> a.to & 1 == 1)
    }

    /// Whether everything that the other one allows is allowed here, as calls tell, and no more
    /// is seen.
    pub fn dominates(&self, other: &Side) -> bool {
        let within = |a: &[Mask], b: &[Mask]| a.iter().zip(b).all(|(a, b)| a & !b == 0);
        match (&self.how, &other.how) {
            (How::Events(..), _) => false,
            (How::Reach(a), How::Reach(b)) => {
                within(&a.begin_to_end, &b.begin_to_end)
                    && within(&a.write_to_end, &b.write_to_end)
                    && within(&a.begin_to_read, &b.begin_to_read)
                    && within(&a.write_to_read, &b.write_to_read)
            }
            _ => {
                within(&self.hb, &other.hb)
                    && within(&self.back.segments, &other.back.segments)
                    && within(&self.back.back, &other.back.back)
                    && within(&self.back.porf, &other.back.porf)
            }
        }
    }

    /// Whether the two allow the same by the same reasons.
    pub fn is_like(&self, other: &Side) -> bool {
        match (&self.how, &other.how) {
            (How::Events(a, _), How::Events(b, _)) => a.is_like(b),
            _ => false,
        }
    }
}

/// Whether the target of one edge leads to the source of the other.
fn leads(reach: &Reach, a: &Edge, b: &Edge) -> bool {
    let rows = match (a.ends.ends_with_write(), b.ends.starts_with_write()) {
        (false, true) => &reach.begin_to_end,
        (true, true) => &reach.write_to_end,
        (false, false) => &reach.begin_to_read,
        (true, false) => &reach.write_to_read,
    };
    rows[b.from] >> a.to & 1 == 1
}

/// The edges that are on a cycle, or between cycles, if one follows another where `leads` says so.
fn on_cycles(edges: &[Edge], leads: impl Fn(&Edge, &Edge) -> bool) -> Vec<Edge> {
    let mut left = edges.to_vec();
    loop {
        let after: Vec<Edge> = left.iter().filter(|b| left.iter().any(|a| leads(a, b))).copied().collect();
        let next: Vec<Edge> = after.iter().filter(|a| after.iter().any(|b| leads(a, b))).copied().collect();
        if next.len() == left.len() {
            return next;
        }
        left = next;
    }
}
