//! Abstract types: what an operation may answer, and what it leaves behind, when calls come one
//! at a time.
//!
//! These definitions are the judges of everything else, so they are written to be read, not to
//! be fast: exhaustive and memoised searches run them; the fast deciders use theorems instead
//! and are compared with them.

mod barrier;
mod capability;
mod counter;
mod dictionary;
mod kind;
mod map;
mod mutex;
mod order;
mod priority;
pub mod quasi;
mod register;
mod rw_lock;
mod semaphore;
mod sequence;
mod set;
mod try_lock;
pub mod user;

pub use barrier::Barrier;
pub use capability::{Does, Hold, Via};
pub use counter::{Counter, FetchIncrement};
pub use dictionary::Dictionary;
pub use kind::{Kind, Object};
pub use map::{Map, MapKey};
pub use mutex::Mutex;
pub use order::{CyclicOrder, First, Poset, Ranks, Ties};
pub use priority::PriorityQueue;
pub use register::Register;
pub use rw_lock::RwLock;
pub use semaphore::Semaphore;
pub use sequence::{Discipline, Sequence};
pub use set::Set;
pub use try_lock::TryLock;
pub use user::UserType;

use crate::history::{History, Op, Value, ValueId};
use crate::verdict::Limit;
use std::hash::Hash;

/// A sequential object.
pub trait Adt {
    type State: Clone + Eq + Hash + Send + 'static;

    fn initial(&self) -> Self::State;

    /// Tells `each` every answer that `op` may give when it takes effect in `state`, with the state
    /// it leaves the object in; where a result is recorded, only those that answer it. Nothing
    /// told: `op` is illegal here. An error is a limit of the definition itself (a user's function
    /// that does not end), never a verdict about the history.
    fn outcomes(
        &self,
        state: &Self::State,
        op: &Op,
        each: impl FnMut(ValueId, Self::State),
    ) -> Result<(), Limit>;

    /// The states of all outcomes.
    fn step(&self, state: &Self::State, op: &Op, out: &mut Vec<Self::State>) -> Result<(), Limit> {
        self.outcomes(state, op, |_, after| out.push(after))
    }

    /// Whether `op`, answering what it did, leaves every state alone in which it is legal.
    fn is_read(&self, op: &Op) -> bool;

    /// Whether `op`, for which [`Adt::is_read`] holds, is legal in `state`. Searches ask this far
    /// more often than they step, so types may answer it without building a state.
    fn allows(&self, state: &Self::State, op: &Op) -> Result<bool, Limit> {
        let mut out = Vec::new();
        self.step(state, op, &mut out)?;
        Ok(!out.is_empty())
    }

    /// Whether no order that has `op` lead to `after` can explain the history this object was made
    /// for. A hint for searches, which may ignore it; exhaustive deciders do.
    fn is_doomed(&self, _after: &Self::State, _op: &Op) -> bool {
        false
    }

    /// A state from which just the same continuations explain the history as from `after`, where
    /// `op` led; the same one for many, if possible. Another hint for searches.
    fn settle(&self, after: Self::State, _op: &Op) -> Self::State {
        after
    }

    /// Whether one of the `wanted` operations cannot become possible any more, whichever of the
    /// `calls` are made from `state` on. `false` where that is not known.
    fn is_beyond(&self, _state: &Self::State, _wanted: &[Op], _calls: &[Op]) -> bool {
        false
    }

    /// Whether it matters to `op` which process calls it.
    fn knows_caller(&self, _op: &Op) -> bool {
        false
    }

    /// The state as a person would write it.
    fn show(&self, state: &Self::State) -> String;

    /// Bytes a stored state takes, roughly.
    fn bytes(&self, _state: &Self::State) -> usize {
        size_of::<Self::State>()
    }
}

/// Something to do with whatever type an [`Object`] turns out to be.
pub trait Visit {
    type Out;
    fn visit<A: Adt>(self, adt: &A) -> Self::Out;
}

impl Object {
    /// The sequential definition of this object, over the values of `history`.
    pub fn visit<V: Visit>(&self, history: &History, visitor: V) -> V::Out {
        match self.quasi.as_deref() {
            None => self.visit_exact(history, visitor),
            Some(relaxation) => {
                self.visit_exact(history, quasi::Visited { visitor, relaxation, object: self, history })
            }
        }
    }

    /// The same, as if nothing were relaxed.
    pub fn visit_exact<V: Visit>(&self, history: &History, visitor: V) -> V::Out {
        let values = &*history.values;
        let number = match self.init {
            Value::Int(n) => n,
            _ => 0,
        };
        let capacity = self.size.map(|n| n as usize);
        match self.kind {
            Kind::Register | Kind::CasRegister => {
                // A start that no operation mentions equals nothing.
                let init = values.find(&self.init).unwrap_or(ValueId::NONE);
                visitor.visit(&Register { init, values })
            }
            Kind::Queue => visitor.visit(&Sequence { discipline: Discipline::Queue, capacity, values }),
            Kind::Stack => visitor.visit(&Sequence { discipline: Discipline::Stack, capacity, values }),
            Kind::Deque => visitor.visit(&Sequence { discipline: Discipline::Deque, capacity, values }),
            Kind::Bag => visitor.visit(&Sequence { discipline: Discipline::Bag, capacity, values }),
            Kind::Set => visitor.visit(&Set(values)),
            Kind::Map => {
                let map = Map::new(&self.init, values).of(history);
                let mut keys = history.ops().map(|op| op.key);
                let first = keys.next();
                match first.is_some() && keys.all(|k| Some(k) == first) {
                    true => visitor.visit(&MapKey(map)),
                    false => visitor.visit(&map),
                }
            }
            Kind::PriorityQueue => {
                let ranks = Ranks::new(history, self.first, self.order.as_ref());
                visitor.visit(&PriorityQueue { ranks, ties: self.ties, capacity, values })
            }
            Kind::Counter => visitor.visit(&Counter { init: number, values }),
            Kind::FetchIncrement => visitor.visit(&FetchIncrement { init: number, values }),
            Kind::Mutex => visitor.visit(&Mutex(values)),
            Kind::TryLock => visitor.visit(&TryLock),
            Kind::RwLock => visitor.visit(&RwLock),
            Kind::Semaphore => visitor.visit(&Semaphore { start: self.size.unwrap_or(0), values }),
            Kind::Barrier => {
                let parties = self.size.unwrap_or(1).max(1);
                visitor.visit(&Barrier { parties, calls: history.len() })
            }
            Kind::Dictionary => visitor.visit(&Dictionary(values)),
            Kind::User => {
                let user = self.user.as_deref().expect("an object of this kind has its functions");
                visitor.visit(&user::Sequential::new(user, values))
            }
        }
    }
}
