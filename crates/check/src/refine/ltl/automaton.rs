//! A formula as a generalised Büchi automaton: it accepts the words that satisfy the formula.
//!
//! The tableau of Couvreur (*On-the-fly Verification of Linear Temporal Logic*, FM 1999). A state is a
//! set of formulas that must hold from the next position on. To read a position, the formulas are
//! taken apart by the laws `a U b = b ∨ (a ∧ X(a U b))` and `a R b = b ∧ (a ∨ X(a R b))` into ways to
//! satisfy them: literals that the position must satisfy, and formulas for the rest. An edge that puts
//! an `a U b` off makes a promise; a run is accepted if it does not keep any promise waiting for ever,
//! that is, if for each `U` it has infinitely many edges that do not put it off.
//!
//! Of two edges the one that asks for more, promises more and leaves more to do is left out: what can
//! be done from the larger set can be done from the smaller one, step by step and with no more
//! promises. The state without formulas accepts everything: whoever gets there need not go on.

use super::normal::{FALSE, Id, Normal, Pool, TRUE};
use crate::seeded::{self, Bug};
use rustc_hash::FxHashMap;

/// Beyond this, the formula is given up as too large.
const STATES: usize = 4_000;
const EDGES: usize = 100_000;

pub type StateId = u32;

#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Edge {
    /// Atoms that must hold, and those that must not.
    pub yes: u64,
    pub no: u64,
    /// By `U`: those that are not put off.
    pub marks: u64,
    pub to: StateId,
}

impl Edge {
    pub fn reads(&self, position: u64) -> bool {
        position & self.yes == self.yes && position & self.no == 0
    }
}

#[derive(Debug)]
pub struct Automaton {
    pub edges: Vec<Vec<Edge>>,
    pub initial: StateId,
    /// A run is accepted if it has each of these infinitely often.
    pub marks: u64,
    /// The state that accepts everything.
    pub sink: Option<StateId>,
    /// Whether nothing but the sink is known ever to be accepted: a finite beginning tells.
    pub finite: bool,
}

/// Why there is none.
#[derive(Debug)]
pub struct TooLarge;

impl Automaton {
    /// `events`: atoms that are events, of which a position has at most one.
    pub fn of(pool: &Pool, formula: Id, events: u64) -> Result<Automaton, TooLarge> {
        let mut tableau = Tableau { pool, events, untils: Vec::new(), count: 0 };
        let mut ids: FxHashMap<Vec<Id>, StateId> = FxHashMap::default();
        let mut sets: Vec<Vec<Id>> = Vec::new();
        let mut edges: Vec<Vec<Edge>> = Vec::new();
        let mut number = |set: Vec<Id>, sets: &mut Vec<Vec<Id>>| {
            *ids.entry(set).or_insert_with_key(|set| {
                sets.push(set.clone());
                sets.len() as StateId - 1
            })
        };
        let first = if formula == TRUE { Vec::new() } else { vec![formula] };
        let initial = number(first, &mut sets);
        let mut promises: Vec<Vec<u64>> = Vec::new();
        while edges.len() < sets.len() {
            if sets.len() > STATES || tableau.count > EDGES {
                return Err(TooLarge);
            }
            let ways = tableau.ways(&sets[edges.len()])?;
            promises.push(ways.iter().map(|w| w.promises).collect());
            let edge = |w: Way| Edge { yes: w.yes, no: w.no, marks: 0, to: number(w.next, &mut sets) };
            edges.push(ways.into_iter().map(edge).collect());
        }
        if tableau.untils.len() > 64 {
            return Err(TooLarge);
        }
        let marks = if tableau.untils.is_empty() { 0 } else { u64::MAX >> (64 - tableau.untils.len()) };
        for (edges, promises) in edges.iter_mut().zip(promises) {
            for (edge, promised) in edges.iter_mut().zip(promises) {
                edge.marks = if seeded::active(Bug::BrokenPromises) { marks } else { marks & !promised };
            }
        }
        let sink = sets.iter().position(Vec::is_empty).map(|s| s as StateId);
        Ok(Automaton { edges, initial, marks, sink, finite: false })
    }
}

struct Tableau<'p> {
    pool: &'p Pool,
    events: u64,
    untils: Vec<Id>,
    count: usize,
}

/// A way to satisfy a set of formulas.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Way {
    yes: u64,
    no: u64,
    promises: u64,
    /// Ascending.
    next: Vec<Id>,
}

impl Way {
    fn later(&mut self, f: Id) {
        if let Err(at) = self.next.binary_search(&f) {
            self.next.insert(at, f);
        }
    }

    /// Whether this asks for no more in any respect.
    fn covers(&self, other: &Way) -> bool {
        self.yes & !other.yes == 0
            && self.no & !other.no == 0
            && self.promises & !other.promises == 0
            && self.next.iter().all(|f| other.next.binary_search(f).is_ok())
    }
}

impl Tableau<'_> {
    fn ways(&mut self, set: &[Id]) -> Result<Vec<Way>, TooLarge> {
        let mut all: Vec<Way> = Vec::new();
        let mut open = vec![(set.to_vec(), Way::default())];
        while let Some((mut todo, mut way)) = open.pop() {
            let Some(f) = todo.pop() else {
                if !all.iter().any(|w| w.covers(&way)) {
                    all.retain(|w| !way.covers(w));
                    all.push(way);
                    self.count += 1;
                }
                continue;
            };
            if open.len() > EDGES || self.count > EDGES {
                return Err(TooLarge);
            }
            match self.pool.get(f) {
                Normal::True => {}
                Normal::False => continue,
                Normal::Literal(atom, holds) => {
                    let bit = 1 << atom;
                    *(if holds { &mut way.yes } else { &mut way.no }) |= bit;
                    if way.yes & way.no != 0 || (way.yes & self.events).count_ones() > 1 {
                        continue;
                    }
                }
                Normal::And(a, b) => todo.extend([a, b]),
                Normal::Or(a, b) => {
                    let mut other = todo.clone();
                    other.push(b);
                    open.push((other, way.clone()));
                    todo.push(a);
                }
                Normal::Next(a) => way.later(a),
                Normal::Until(a, b) => {
                    let mut put_off = way.clone();
                    put_off.later(f);
                    put_off.promises |= self.promise(f)?;
                    let mut other = todo.clone();
                    other.push(a);
                    open.push((other, put_off));
                    todo.push(b);
                }
                Normal::Release(a, b) => {
                    let mut go_on = way.clone();
                    go_on.later(f);
                    let mut other = todo.clone();
                    other.push(b);
                    open.push((other, go_on));
                    if a != FALSE {
                        todo.extend([a, b]);
                    } else {
                        continue;
                    }
                }
            }
            open.push((todo, way));
        }
        Ok(all)
    }

    fn promise(&mut self, until: Id) -> Result<u64, TooLarge> {
        let at = self.untils.iter().position(|u| *u == until).unwrap_or_else(|| {
            self.untils.push(until);
            self.untils.len() - 1
        });
        if at < 64 { Ok(1 << at) } else { Err(TooLarge) }
    }
}
