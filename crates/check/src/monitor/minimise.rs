//! Smaller histories that are wrong for the same kind of reason.
//!
//! Operations are dropped in units whose absence cannot make a correct history wrong: all
//! operations on one value of a container or register, one lock-and-unlock, one element of a
//! set, one operation that only reads. (Dropping a write alone would turn its readers into
//! liars.) A pending operation goes once nothing returns after its call. What is left is
//! checked again by code that shares nothing with the decider that found it: every order for
//! up to a dozen operations, the general search above.

use super::answer::Answer;
use super::budget::Budget;
use super::decide::decide;
use super::fast::Conflict;
use super::{Algorithm, Consistency, Partition, Problem};
use crate::replay;
use lineal_model::Effort;
use lineal_model::adt::{Adt, Kind, Visit};
use lineal_model::history::{History, Method, Op, ValueId};
use rustc_hash::FxHashMap;

#[derive(Clone, Debug)]
pub struct Minimal {
    /// Ascending.
    pub ops: Vec<u32>,
    pub verified: Verified,
    /// Nothing more can be dropped; otherwise a limit ended the attempt.
    pub complete: bool,
}

/// Who confirmed that what is left is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verified {
    EveryOrder,
    Search,
}

/// Configurations a single attempt may cost.
const PER_TRY: u64 = 50_000;
/// Steps that trying every order may take.
const ORDERS: u64 = 5_000_000;

/// Shrinks the violated history to some of `ops`. `None`: these alone are not shown to be wrong.
pub fn minimise(problem: &Problem, ops: &[u32], budget: &Budget) -> Option<Minimal> {
    let mut attempt = Attempt { problem, budget, stopped: false };
    let mut kept = ops.to_vec();
    if !budget.spend(kept.len()) || !attempt.is_violated(&kept) {
        return None;
    }
    loop {
        let before = kept.len();
        kept = attempt.drop_units(kept);
        kept = attempt.drop_late_pending(kept);
        if kept.len() == before || attempt.stopped {
            break;
        }
    }
    let verified = attempt.verify(&kept)?;
    Some(Minimal { ops: kept, verified, complete: !attempt.stopped })
}

struct Attempt<'a> {
    problem: &'a Problem<'a>,
    budget: &'a Budget<'a>,
    stopped: bool,
}

impl Attempt<'_> {
    fn decide(&self, history: &History, algorithm: Algorithm, states: u64) -> Answer<Conflict> {
        let effort = Effort { max_states: Some(states), ..Effort::default() };
        let problem = Problem { history, algorithm, partition: Partition::Whole, ..*self.problem };
        decide(&problem, &effort, self.budget).answer
    }

    fn is_violated(&mut self, ops: &[u32]) -> bool {
        let sub = self.problem.history.restrict(ops);
        let algorithm = match self.problem.object.kind {
            // These fast deciders know nothing of keys.
            Kind::Map if sub.is_keyed() => Algorithm::Search,
            _ => self.problem.algorithm,
        };
        matches!(self.decide(&sub, algorithm, PER_TRY), Answer::Violated(_))
    }

    fn verify(&self, ops: &[u32]) -> Option<Verified> {
        let sub = self.problem.history.restrict(ops);
        if sub.len() <= 12 {
            let (object, consistency) = (self.problem.object, self.problem.consistency);
            let steps = if object.kind == Kind::User { ORDERS / 100 } else { ORDERS };
            // `None`: there are too many orders, or the type does not bear some of them.
            if let Some(holds) = replay::history::holds_within(&sub, object, consistency, steps) {
                return (!holds).then_some(Verified::EveryOrder);
            }
        }
        matches!(self.decide(&sub, Algorithm::Search, 100 * PER_TRY), Answer::Violated(_))
            .then_some(Verified::Search)
    }

    /// Drops units in halves, quarters, and so on down to single ones.
    fn drop_units(&mut self, kept: Vec<u32>) -> Vec<u32> {
        let units = units(self.problem, &kept);
        let mut alive: Vec<u32> = (0..units.count).collect();
        let mut chunk = alive.len().div_ceil(2);
        let select = |alive: &[u32]| -> Vec<u32> {
            kept.iter()
                .copied()
                .filter(|op| units.of.get(op).is_none_or(|u| alive.binary_search(u).is_ok()))
                .collect()
        };
        while chunk > 0 {
            let mut from = 0;
            while from < alive.len() {
                if !self.budget.spend(kept.len()) {
                    self.stopped = true;
                    return select(&alive);
                }
                let to = (from + chunk).min(alive.len());
                let fewer: Vec<u32> = alive[..from].iter().chain(&alive[to..]).copied().collect();
                if self.is_violated(&select(&fewer)) {
                    alive = fewer;
                } else {
                    from = to;
                }
            }
            chunk = if chunk == 1 { 0 } else { chunk.div_ceil(2) };
        }
        select(&alive)
    }

    fn drop_late_pending(&mut self, kept: Vec<u32>) -> Vec<u32> {
        if self.problem.consistency == Consistency::Sequential {
            return kept;
        }
        let op = |i: &u32| self.problem.history.op(*i as usize);
        let last = kept.iter().map(op).filter(|o| !o.is_pending()).map(|o| o.ret).max().unwrap_or(0);
        kept.iter().copied().filter(|i| !(op(i).is_pending() && op(i).call > last)).collect()
    }
}

/// Which unit an operation belongs to; those without one stay.
struct Units {
    of: FxHashMap<u32, u32>,
    count: u32,
}

/// Names a unit.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Unit {
    Value(ValueId, ValueId),
    Alone(u32),
    /// A lock taken by this process for the nth time.
    Hold(ValueId, u32),
}

fn units(problem: &Problem, kept: &[u32]) -> Units {
    let Problem { history, object, .. } = *problem;
    let plain = !kept
        .iter()
        .any(|&i| matches!(history.op(i as usize).method, Method::Cas | Method::Append | Method::Delete));
    let init = history.values.find(&object.init);
    let mut holds: FxHashMap<ValueId, u32> = FxHashMap::default();
    let mut units = Units { of: FxHashMap::default(), count: 0 };
    let mut numbers: FxHashMap<Unit, u32> = FxHashMap::default();
    for &i in kept {
        let op = history.op(i as usize);
        let unit = match object.kind {
            Kind::Mutex => {
                let nth = holds.entry(op.process).or_insert(0);
                *nth += u32::from(op.method == Method::Acquire);
                Some(Unit::Hold(op.process, *nth))
            }
            Kind::Set => Some(Unit::Value(ValueId::NONE, op.arg)),
            Kind::Queue | Kind::Stack | Kind::Bag | Kind::Deque | Kind::PriorityQueue => {
                container_value(&op).map(|v| Unit::Value(ValueId::NONE, v))
            }
            Kind::Register | Kind::Map | Kind::CasRegister if plain => {
                let value = if op.method == Method::Read { op.result } else { op.arg };
                Some(Unit::Value(op.key, value)).filter(|_| value != ValueId::NONE && Some(value) != init)
            }
            _ => None,
        };
        let reads = || !op.is_pending() && object.visit(history, Reads(op));
        // A reader may go alone, but not while its value can go as a whole: that comes first.
        let unit = match unit {
            Some(unit) if matches!(object.kind, Kind::Set) && reads() => {
                let _ = unit;
                Some(Unit::Alone(i))
            }
            None if reads() => Some(Unit::Alone(i)),
            other => other,
        };
        if let Some(unit) = unit {
            let next = numbers.len() as u32;
            units.of.insert(i, *numbers.entry(unit).or_insert(next));
        }
    }
    // A lock held before the first acquire, or never released, is no whole unit.
    if object.kind == Kind::Mutex {
        let mut sizes = vec![0; numbers.len()];
        units.of.values().for_each(|&u| sizes[u as usize] += 1);
        let pending = |i: u32| history.op(i as usize).is_pending();
        let broken: Vec<u32> = units.of.iter().filter(|(i, _)| pending(**i)).map(|(_, u)| *u).collect();
        units.of.retain(|_, u| sizes[*u as usize] == 2 && !broken.contains(u));
    }
    units.count = numbers.len() as u32;
    units
}

/// The value an operation of a container is about. Pending removes and empty ones have none.
fn container_value(op: &Op) -> Option<ValueId> {
    match op.method {
        Method::Remove | Method::PopFront | Method::PopBack => {
            Some(op.result).filter(|&v| v != ValueId::NONE && v != ValueId::EMPTY)
        }
        _ => Some(op.arg),
    }
}

struct Reads(Op);

impl Visit for Reads {
    type Out = bool;
    fn visit<A: Adt>(self, adt: &A) -> bool {
        adt.is_read(&self.0)
    }
}
