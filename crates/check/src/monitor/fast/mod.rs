//! Deciders that use a theorem about their type instead of searching.
//!
//! Each is exact on the histories it accepts and says so when it does not accept one: repeated
//! values, results the log leaves out, or pending removes that matter.

mod bag;
mod cover;
mod empty;
mod fetch;
mod lives;
mod mutex;
mod pending;
mod priority;
mod queue;
mod register;
mod set;
mod stack;

pub use set::{Element, Open, role};

use crate::seeded::{self, Bug};
use lineal_model::adt::{Kind, Object};
use lineal_model::history::{History, ValueId};
use lives::{Lives, Removed};

/// What a fast decider says.
#[derive(Clone, Debug)]
pub enum Fast {
    Holds,
    Violated(Conflict),
    /// Not a history for this decider: why.
    Declined(String),
}

/// Operations that cannot all be explained, and the rule they break.
#[derive(Clone, Debug)]
pub struct Conflict {
    /// Ascending. The history of these alone is not linearizable.
    pub ops: Vec<u32>,
    pub why: String,
}

impl Conflict {
    fn new(ops: impl IntoIterator<Item = u32>, why: impl Into<String>) -> Self {
        let mut ops: Vec<u32> = ops.into_iter().filter(|&op| op != Lives::NOBODY).collect();
        ops.sort_unstable();
        ops.dedup();
        Conflict { ops, why: why.into() }
    }
}

pub fn decide(history: &History, object: &Object) -> Fast {
    // Every theorem used here is about the exact type.
    if object.quasi.is_some() {
        return Fast::Declined("relaxed types have no fast decider".into());
    }
    match object.kind {
        Kind::Register => register::decide(history, object),
        Kind::Map => register::decide(history, object),
        Kind::Set => set::decide(history),
        Kind::FetchIncrement => fetch::decide(history, object),
        Kind::Mutex => mutex::decide(history),
        Kind::Queue | Kind::Stack | Kind::Bag | Kind::PriorityQueue => container(history, object),
        Kind::CasRegister => match history.methods().contains(&lineal_model::history::Method::Cas) {
            false => register::decide(history, object),
            true => Fast::Declined("compare-and-swap has no fast decider".into()),
        },
        Kind::User => Fast::Declined("types written in C have no fast decider".into()),
        Kind::Deque
        | Kind::Counter
        | Kind::TryLock
        | Kind::RwLock
        | Kind::Semaphore
        | Kind::Barrier
        | Kind::Dictionary => Fast::Declined(format!("a {} has no fast decider", object.kind.word())),
    }
}

/// Queue, stack, bag and priority queue: the rules of single values first, then those of the
/// type, and pending removes by bounds from both sides.
///
/// A pending remove takes a value that no completed remove takes, or nothing. So a history that
/// holds without its pending removes holds; and one whose values with completed removes are
/// violated among themselves is violated, by closure under projection. In between, handing
/// never-removed values to pending removes may show that it holds ([`pending`]); else declined.
fn container(history: &History, object: &Object) -> Fast {
    let lives = match Lives::new(history, object) {
        Ok(lives) => lives,
        Err(answer) => return answer,
    };
    let whole = values_and_type(&lives, history, object);
    let Fast::Violated(conflict) = whole else { return whole };
    if lives.pending.is_empty() {
        return Fast::Violated(conflict);
    }
    if seeded::active(Bug::DropsPendingRemoves) {
        return Fast::Violated(conflict);
    }
    if let Some(handed) = pending::hand_out(&lives, history, object)
        && matches!(values_and_type(&handed, history, object), Fast::Holds)
    {
        return Fast::Holds;
    }
    match values_and_type(&lives.only(Removed::Yes), history, object) {
        Fast::Holds => Fast::Declined(format!(
            "the answer depends on what {} pending remove{} took",
            lives.pending.len(),
            if lives.pending.len() == 1 { "" } else { "s" }
        )),
        other => other,
    }
}

fn values_and_type(lives: &Lives, history: &History, object: &Object) -> Fast {
    if let Some(conflict) =
        bag::check(lives, history, object).or_else(|| empty::check(lives, history, object))
    {
        return Fast::Violated(conflict);
    }
    let conflict = match object.kind {
        Kind::Queue => queue::check(lives, history, object),
        Kind::Stack => stack::check(lives),
        Kind::PriorityQueue => priority::check(lives, history, object),
        _ => None,
    };
    conflict.map_or(Fast::Holds, Fast::Violated)
}

/// Dense numbers for values, in order of first sight. Small integers are looked up in a plain
/// array unless they are spread too thinly.
struct Dense {
    small: Vec<u32>,
    other: rustc_hash::FxHashMap<ValueId, u32>,
    next: u32,
}

impl Dense {
    const NONE: u32 = u32::MAX;

    /// For the values `ids` yields.
    fn sized_for(ids: impl Iterator<Item = ValueId>) -> Self {
        let (mut count, mut max) = (0usize, 0usize);
        for n in ids.filter_map(ValueId::as_small) {
            count += 1;
            max = max.max(n as usize);
        }
        let small = if count > 0 && max <= 3 * count + 64 { vec![Self::NONE; max + 1] } else { Vec::new() };
        Dense { small, other: Default::default(), next: 0 }
    }

    fn find(&self, id: ValueId) -> Option<u32> {
        match self.small.get(id.0 as usize) {
            Some(&n) => (n != Self::NONE).then_some(n),
            None => self.other.get(&id).copied(),
        }
    }

    /// The number of `id`, and whether it is new.
    fn insert(&mut self, id: ValueId) -> (u32, bool) {
        let slot = match self.small.get_mut(id.0 as usize) {
            Some(slot) => slot,
            None => self.other.entry(id).or_insert(Self::NONE),
        };
        let new = *slot == Self::NONE;
        if new {
            *slot = self.next;
            self.next += 1;
        }
        (*slot, new)
    }
}
