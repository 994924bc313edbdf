//! No value is answered before it is there.
//!
//! With factors alone a value may leave before it enters: `enqueue(1); dequeue() → 2; enqueue(2);
//! dequeue() → 1` moves each dequeue by one place. No structure does that, and in a client that ends
//! there nobody would notice a value out of thin air. So in the order in which operations take
//! effect, what is answered must have been put there before: each element that leaves a container
//! entered it, once for each time; what a register answers is its first value or was written;
//! what is in a set was added, also where `add` finds it there; what a map answers was put there under
//! this key, or something was appended there; a counter answers nothing beyond what was added so far.
//! A fetch-and-increment answers how many came before it, which is just what is relaxed; and of types
//! written in C nobody knows what their answers mean: these have no such rule.
//!
//! The rule follows from the type where all factors are 0. It is about the operations that were read:
//! of a continuation it is not asked.

use super::Deed;
use crate::adt::Kind;
use crate::history::{Method, ValueId, Values};

/// What was put there so far, sorted: how often what is there, or a sum; of maps, values by key.
pub type Past = Vec<(ValueId, i64)>;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Causes {
    Nothing,
    Container,
    Register,
    Set,
    Counter,
    Map,
    Dictionary,
}

/// Sums of what was added: below and above zero.
const LOW: ValueId = ValueId::FALSE;
const HIGH: ValueId = ValueId::TRUE;
/// The value of a key to which something was appended: it may be anything.
const ANY: i64 = -1;

impl Causes {
    pub fn of(kind: Kind) -> Self {
        match kind {
            _ if kind.is_container() => Causes::Container,
            Kind::Register | Kind::CasRegister => Causes::Register,
            Kind::Set => Causes::Set,
            Kind::Counter => Causes::Counter,
            Kind::Map => Causes::Map,
            Kind::Dictionary => Causes::Dictionary,
            _ => Causes::Nothing,
        }
    }

    /// What was put there after `deed`; `None`: it answers what is not there.
    /// `start`: where a register, a map or a counter starts.
    pub fn after(
        self,
        past: &Past,
        deed: &Deed,
        start: ValueId,
        number: i64,
        values: &Values,
    ) -> Option<Past> {
        let count = |id: ValueId| past.iter().find(|p| p.0 == id).map_or(0, |p| p.1);
        let same = || Some(past.clone());
        match (self, deed.method) {
            (Causes::Container, Method::Insert | Method::PushFront | Method::PushBack) => {
                Some(add(past, deed.arg, 1))
            }
            (Causes::Container, _) if deed.result == ValueId::EMPTY => same(),
            (Causes::Container, _) => (count(deed.result) > 0).then(|| add(past, deed.result, -1)),
            (Causes::Register, Method::Write) => Some(once(past, deed.arg)),
            (Causes::Register, Method::Cas) => match deed.result {
                ValueId::TRUE if deed.arg == start || count(deed.arg) > 0 => Some(once(past, deed.extra)),
                ValueId::TRUE => None,
                _ => same(),
            },
            (Causes::Register, _) => {
                if deed.result == start || count(deed.result) > 0 {
                    same()
                } else {
                    None
                }
            }
            (Causes::Set, Method::Insert) if deed.result != ValueId::FALSE => Some(once(past, deed.arg)),
            (Causes::Set, Method::Insert) => (count(deed.arg) > 0).then(|| past.clone()),
            (Causes::Set, _) => {
                if deed.result == ValueId::TRUE && count(deed.arg) == 0 {
                    None
                } else {
                    same()
                }
            }
            (Causes::Counter, Method::Add) => {
                let n = values.as_int(deed.arg).unwrap_or(1);
                Some(if n == 0 { past.clone() } else { add(past, if n < 0 { LOW } else { HIGH }, n) })
            }
            (Causes::Counter, _) => match values.as_int(deed.result) {
                Some(n) if n < number.saturating_add(count(LOW)) => None,
                Some(n) if n > number.saturating_add(count(HIGH)) => None,
                _ => same(),
            },
            (Causes::Map | Causes::Dictionary, Method::Put) => Some(under(past, deed.key, value(deed.arg))),
            (Causes::Map, Method::Append) => Some(under(past, deed.key, ANY)),
            (Causes::Map, Method::Read) => {
                let put = |v: i64| past.binary_search(&(deed.key, v)).is_ok();
                (deed.result == start || put(value(deed.result)) || put(ANY)).then(|| past.clone())
            }
            (Causes::Dictionary, Method::Read) => {
                let put = past.binary_search(&(deed.key, value(deed.result))).is_ok();
                (deed.result == ValueId::EMPTY || put).then(|| past.clone())
            }
            (Causes::Dictionary, _) => {
                let put = past.iter().any(|p| p.0 == deed.key);
                (deed.result != ValueId::TRUE || put).then(|| past.clone())
            }
            (Causes::Map | Causes::Nothing, _) => same(),
        }
    }
}

fn add(past: &Past, id: ValueId, n: i64) -> Past {
    let mut next = past.clone();
    match next.binary_search_by_key(&id, |p| p.0) {
        Ok(at) => {
            next[at].1 = next[at].1.saturating_add(n);
            if next[at].1 == 0 {
                next.remove(at);
            }
        }
        Err(at) => next.insert(at, (id, n)),
    }
    next
}

fn once(past: &Past, id: ValueId) -> Past {
    let mut next = past.clone();
    if let Err(at) = next.binary_search_by_key(&id, |p| p.0) {
        next.insert(at, (id, 1));
    }
    next
}

fn value(id: ValueId) -> i64 {
    i64::from(id.0)
}

fn under(past: &Past, key: ValueId, value: i64) -> Past {
    let mut next = past.clone();
    if let Err(at) = next.binary_search(&(key, value)) {
        next.insert(at, (key, value));
    }
    next
}
