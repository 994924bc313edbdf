//! The abstract types once more, as a person would run them by hand: calls one after another on
//! a list, each element with the call that put it there. What adds, takes and looks is also written
//! down once more, so that a mistake in the types' own tables does not confirm itself.

use super::relaxed;
use crate::reference::{Reference, Trouble};
use lineal_model::adt::{First, Kind, Ties};
use lineal_model::history::{Method, Value};
use lineal_model::object::{Call, Client, Level, Object, Outcome, Via};

/// What the calls are held against.
#[derive(Clone, Copy)]
pub struct Wanted<'a> {
    pub object: &'a Object,
    pub client: &'a Client,
    pub level: &'a Level,
    /// Of types that are the author's own.
    pub reference: Option<&'a Reference>,
}

/// (key or priority, value, the call that put it there).
type Element = (i64, i64, usize);

#[derive(Clone, Default)]
struct World {
    elements: Vec<Element>,
    number: i64,
    held: bool,
    readers: u32,
    /// Of the round at a barrier: who is there, and whether one of them was chosen.
    there: Vec<usize>,
    chosen: bool,
    /// Pairs of calls that met.
    met: Vec<(usize, usize)>,
    /// Of each call so far: the insertion whose element it took.
    took: Vec<(usize, usize)>,
}

/// Every way in which the calls, in this order, may have given their answers: for each, the
/// pairs (i, j) such that call j must see call i. None: the order is not legal.
pub fn readings(
    wanted: Wanted<'_>,
    outcomes: &[Outcome],
    order: &[usize],
) -> Result<Vec<Vec<(usize, usize)>>, Trouble> {
    if wanted.object.quasi.is_some() {
        let Wanted { object, client, reference, .. } = wanted;
        let words = relaxed::explained(relaxed::Given { object, client, reference }, outcomes, order)?;
        return Ok(words.into_iter().map(|took| obligations(wanted, outcomes, order, &took)).collect());
    }
    if let Some(reference) = wanted.reference {
        return by_reference(wanted, reference, outcomes, order);
    }
    let mut worlds = vec![World::default()];
    if wanted.object.kind == Kind::Semaphore {
        worlds[0].number = i64::from(wanted.object.size.unwrap_or(0));
    }
    for &c in order {
        let call = &wanted.client.calls[c];
        let method = wanted.object.operations[call.operation].method;
        // What may fail may fail anywhere.
        if wanted.object.operations[call.operation].may_fail && !good(wanted, outcomes, c) {
            continue;
        }
        worlds =
            worlds.into_iter().flat_map(|w| step(wanted.object, method, call, c, outcomes[c], w)).collect();
    }
    // Those who still wait when all calls are made wait for ever.
    worlds.retain(|w| order.len() < wanted.client.calls.len() || w.there.is_empty());
    let pairs = |w: World| match (wanted.object.kind, wanted.level) {
        (Kind::Barrier, Level::R | Level::Ri | Level::Rd | Level::Rid) => w.met,
        (Kind::Barrier, Level::Total) => [obligations(wanted, outcomes, order, &w.took), w.met].concat(),
        _ => obligations(wanted, outcomes, order, &w.took),
    };
    Ok(worlds.into_iter().map(pairs).collect())
}

/// Of a specification of the author's own: every way to run it, with every call that may have
/// given a value that is answered.
fn by_reference(
    wanted: Wanted<'_>,
    reference: &Reference,
    outcomes: &[Outcome],
    order: &[usize],
) -> Result<Vec<Vec<(usize, usize)>>, Trouble> {
    type Pairs = Vec<(usize, usize)>;
    // State, which call took whose element, which call must see which.
    let mut worlds: Vec<(u32, Pairs, Pairs)> = vec![(reference.initial(), Vec::new(), Vec::new())];
    let value = |i: usize| {
        let call = &wanted.client.calls[i];
        call.value.or(call.prio).or(call.key)
    };
    for (p, &c) in order.iter().enumerate() {
        let from: Vec<usize> = match outcomes[c] {
            Outcome::Value(v) => order[..p].iter().copied().filter(|&i| value(i) == Some(v)).collect(),
            _ => Vec::new(),
        };
        let mut next = Vec::new();
        for (state, took, sees) in worlds {
            for end in reference.step(state, c)?.into_iter().filter(|e| e.outcome == outcomes[c]) {
                let mut sees = sees.clone();
                sees.extend((0..32).filter(|i| end.sees >> i & 1 == 1).map(|i| (i, c)));
                if from.is_empty() {
                    next.push((end.next, took.clone(), sees.clone()));
                }
                for &i in &from {
                    next.push((end.next, [&took[..], &[(i, c)]].concat(), sees.clone()));
                }
            }
        }
        worlds = next;
    }
    let pairs = |(_, took, sees): (u32, Pairs, Pairs)| {
        // A level's pairs are closed by themselves; what the accesses give is closed already.
        let mut pairs = obligations(wanted, outcomes, order, &took);
        pairs.extend(sees);
        pairs.sort_unstable();
        pairs.dedup();
        pairs
    };
    Ok(worlds.into_iter().map(pairs).collect())
}

/// Whether the call did what it is for.
fn good(wanted: Wanted<'_>, outcomes: &[Outcome], c: usize) -> bool {
    let method = wanted.object.operations[wanted.client.calls[c].operation].method;
    let boolean = match wanted.object.kind {
        Kind::Set | Kind::TryLock | Kind::RwLock => true,
        Kind::Semaphore => method == Method::Acquire,
        Kind::Dictionary => matches!(method, Method::Remove | Method::Contains),
        _ => method == Method::Cas,
    };
    match outcomes[c] {
        Outcome::Empty => false,
        Outcome::Value(n) => !boolean || n != 0,
        Outcome::Nothing => true,
    }
}

/// Whether a lock was got: who says nothing has waited for it.
fn got(outcome: Outcome) -> bool {
    outcome == Outcome::Nothing || truth(outcome)
}

fn truth(outcome: Outcome) -> bool {
    matches!(outcome, Outcome::Value(n) if n != 0)
}

fn step(
    object: &Object,
    method: Method,
    call: &Call,
    c: usize,
    outcome: Outcome,
    mut w: World,
) -> Vec<World> {
    let kind = object.kind;
    use Method::*;
    let value = call.value.or(call.prio).or(call.key).unwrap_or(0);
    let key = call.key.or(call.value).unwrap_or(0);
    let at = w.elements.iter().position(|e| e.0 == key);
    let legal = match (kind, method) {
        (Kind::Set, Insert) => {
            let absent = at.is_none();
            if absent {
                w.elements.push((key, 0, c));
            }
            truth(outcome) == absent
        }
        (Kind::Set, Remove) | (Kind::Dictionary, Remove) => {
            if let Some(i) = at {
                w.elements.remove(i);
            }
            truth(outcome) == at.is_some()
        }
        (Kind::Set | Kind::Dictionary, Contains) => truth(outcome) == at.is_some(),
        (Kind::Dictionary, Put) => {
            if let Some(i) = at {
                w.elements.remove(i);
            }
            w.elements.push((key, call.value.unwrap_or(0), c));
            true
        }
        (Kind::Dictionary, Read) => match at {
            Some(i) => outcome == Outcome::Value(w.elements[i].1),
            None => outcome == Outcome::Empty,
        },
        (Kind::TryLock | Kind::RwLock, Acquire) => {
            let free = !w.held && w.readers == 0;
            w.held |= free;
            got(outcome) == free
        }
        (Kind::TryLock | Kind::RwLock, Release) => std::mem::replace(&mut w.held, false),
        (Kind::RwLock, AcquireShared) => {
            w.readers += u32::from(!w.held);
            got(outcome) != w.held
        }
        (Kind::RwLock, ReleaseShared) => {
            let some = w.readers > 0;
            w.readers = w.readers.saturating_sub(1);
            some
        }
        (Kind::Semaphore, Acquire) => {
            let some = w.number > 0;
            w.number -= i64::from(some);
            got(outcome) == some
        }
        (Kind::Semaphore, Release) => {
            w.number += 1;
            true
        }
        (Kind::Barrier, Meet) => {
            w.met.extend(w.there.iter().flat_map(|&d| [(c, d), (d, c)]));
            w.there.push(c);
            let twice = w.chosen && truth(outcome);
            w.chosen |= truth(outcome);
            let full = w.there.len() as u32 == object.size.unwrap_or(1).max(1);
            let nobody = full && !w.chosen && outcome != Outcome::Nothing;
            if full {
                w.there.clear();
                w.chosen = false;
            }
            !twice && !nobody
        }
        (kind, Insert | PushFront | PushBack) if kind.is_container() && outcome == Outcome::Empty => {
            object.size.is_some_and(|most| w.elements.len() >= most as usize)
        }
        (kind, Insert | PushFront | PushBack)
            if kind.is_container() && object.size.is_some_and(|most| w.elements.len() >= most as usize) =>
        {
            false
        }
        (_, Insert | PushBack) => {
            w.elements.push((call.prio.or(call.key).unwrap_or(0), value, c));
            true
        }
        (_, PushFront) => {
            w.elements.insert(0, (0, value, c));
            true
        }
        (_, Remove | PopFront | PopBack) => return remove(object, method, c, outcome, w),
        (_, Write) => {
            w.number = value;
            true
        }
        (_, Read) => outcome == Outcome::Value(w.number),
        (_, Cas) => {
            let fits = Some(w.number) == call.key;
            if fits {
                w.number = call.value.unwrap_or(0);
            }
            truth(outcome) == fits
        }
        (_, Add | Subtract) => {
            let before = w.number;
            let by = call.value.unwrap_or(1);
            w.number += if method == Add { by } else { -by };
            outcome == Outcome::Nothing || outcome == Outcome::Value(before)
        }
        (_, FetchIncrement) => {
            w.number += 1;
            outcome == Outcome::Value(w.number - 1)
        }
        _ => false,
    };
    if legal { vec![w] } else { Vec::new() }
}

fn remove(object: &Object, method: Method, c: usize, outcome: Outcome, w: World) -> Vec<World> {
    let Outcome::Value(wanted) = outcome else {
        return if w.elements.is_empty() { vec![w] } else { Vec::new() };
    };
    let last = w.elements.len().wrapping_sub(1);
    let below = |a: i64, b: i64| match &object.order {
        Some(order) => order.less(&Value::Int(a), &Value::Int(b)),
        None => a < b,
    };
    let sooner = |a: i64, b: i64| if object.first == First::Min { below(a, b) } else { below(b, a) };
    let may_leave = |i: usize| match (object.kind, method) {
        (_, Method::PopBack) | (Kind::Stack, _) => i == last,
        (Kind::Bag, _) => true,
        // None whose priority comes sooner; of equal ones the oldest, or any.
        (Kind::PriorityQueue, _) => {
            let mine = w.elements[i].0;
            let older = |k: usize, e: &Element| e.0 == mine && k < i && object.ties == Ties::Fifo;
            !w.elements.iter().enumerate().any(|(k, e)| sooner(e.0, mine) || older(k, e))
        }
        _ => i == 0,
    };
    let fits: Vec<usize> =
        (0..w.elements.len()).filter(|&i| may_leave(i) && w.elements[i].1 == wanted).collect();
    fits.into_iter()
        .map(|i| {
            let mut next = w.clone();
            let (_, _, from) = next.elements.remove(i);
            next.took.push((from, c));
            next
        })
        .collect()
}

/// so(order), transitively closed.
fn obligations(
    wanted: Wanted<'_>,
    outcomes: &[Outcome],
    order: &[usize],
    took: &[(usize, usize)],
) -> Vec<(usize, usize)> {
    let kind = wanted.object.kind;
    let method = |c: usize| wanted.object.operations[wanted.client.calls[c].operation].method;
    let key = |c: usize| wanted.client.calls[c].key.or(wanted.client.calls[c].value);
    let good = |c: usize| good(wanted, outcomes, c);
    // The last good call before place `p` that is one of `from`, with the same key if asked.
    let latest = |p: usize, from: &dyn Fn(usize) -> bool, keyed: bool| {
        order[..p].iter().rev().copied().find(|&i| good(i) && from(i) && (!keyed || key(i) == key(order[p])))
    };
    let keyed = matches!(kind, Kind::Set | Kind::Dictionary);
    let adds = |c: usize| match kind {
        Kind::TryLock | Kind::Semaphore => method(c) == Method::Release,
        Kind::RwLock => matches!(method(c), Method::Release | Method::ReleaseShared),
        Kind::Dictionary => method(c) == Method::Put,
        _ => matches!(
            method(c),
            Method::Insert
                | Method::PushBack
                | Method::PushFront
                | Method::Write
                | Method::Cas
                | Method::Add
                | Method::Subtract
                | Method::FetchIncrement
        ),
    };
    let removes = |c: usize| matches!(method(c), Method::Remove | Method::PopFront | Method::PopBack);
    let reads = |c: usize| {
        matches!(
            method(c),
            Method::Read | Method::Contains | Method::Acquire | Method::Cas | Method::FetchIncrement
        )
    };
    if *wanted.level == Level::Total {
        let later = |p: usize| order[p + 1..].iter().map(move |&c| (order[p], c));
        return (0..order.len()).flat_map(later).collect();
    }
    let named = |levels: &[Level]| levels.contains(wanted.level);
    let mut pairs: Vec<(usize, usize)> = Vec::new();
    for (p, &c) in order.iter().enumerate().filter(|(_, c)| good(**c)) {
        if let Level::Pairs(list) = wanted.level {
            let name = |c: usize| &wanted.object.operations[wanted.client.calls[c].operation].name;
            for pair in list.iter().filter(|pair| pair.to == *name(c)) {
                let origin = match pair.via {
                    Via::Element => took.iter().find(|t| t.1 == c && *name(t.0) == pair.from).map(|t| t.0),
                    via => latest(p, &|i| *name(i) == pair.from, via == Via::Key),
                };
                pairs.extend(origin.map(|i| (i, c)));
            }
            continue;
        }
        if named(&[Level::R, Level::Ri, Level::Rd, Level::Rid]) {
            match (keyed, removes(c)) {
                (false, true) => pairs.extend(took.iter().filter(|t| t.1 == c)),
                (true, true) => pairs.extend(latest(p, &adds, true).map(|i| (i, c))),
                // Every permit given so far; every reader that is gone, to who writes.
                _ if kind == Kind::Semaphore && method(c) == Method::Acquire => {
                    pairs.extend(order[..p].iter().filter(|i| adds(**i)).map(|&i| (i, c)));
                }
                _ if kind == Kind::RwLock && matches!(method(c), Method::Acquire | Method::AcquireShared) => {
                    pairs.extend(latest(p, &|i| method(i) == Method::Release, false).map(|i| (i, c)));
                    if method(c) == Method::Acquire {
                        let gone = order[..p].iter().filter(|i| method(**i) == Method::ReleaseShared);
                        pairs.extend(gone.map(|&i| (i, c)));
                    }
                }
                _ if kind == Kind::Semaphore => {}
                (_, false) if reads(c) => pairs.extend(latest(p, &adds, keyed).map(|i| (i, c))),
                _ => {}
            }
        }
        if named(&[Level::Ri, Level::Rid]) && adds(c) {
            pairs.extend(latest(p, &adds, keyed).map(|i| (i, c)));
        }
        if named(&[Level::Rd, Level::Rid]) && removes(c) {
            pairs.extend(latest(p, &removes, keyed).map(|i| (i, c)));
        }
    }
    loop {
        let more: Vec<(usize, usize)> = pairs
            .iter()
            .flat_map(|&(a, b)| pairs.iter().filter(move |p| p.0 == b).map(move |p| (a, p.1)))
            .filter(|p| !pairs.contains(p))
            .collect();
        if more.is_empty() {
            return pairs;
        }
        pairs.extend(more);
        pairs.sort_unstable();
        pairs.dedup();
    }
}
