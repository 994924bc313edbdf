//! Under tso: which calls miss what was written before which others, the obvious way.
//!
//! A miss of call `i` by call `j` is put into the execution as what it is: a write to a location of
//! its own just before `i` begins, and a read of that location, of its first content, just after `j`
//! ends. Then the model is asked. The smallest set of misses that leaves no order of the calls is
//! looked for by trying all. What the search does instead is in `conform/missing.rs`.

use super::axioms::consistent;
use super::calls::{Seen, Wanted, explanation, mark};
use super::execution::{Event, Execution, Kind};
use crate::reference::Trouble;
use lineal_model::Memory;
use lineal_model::object::Marks;
use lineal_model::run::{Loc, Mode, Op, Value};

/// `(i, j)`: call `j` misses call `i`.
type Pair = (usize, usize);

/// A smallest set of pairs `(i, j)`, `j` missing `i`, that the execution allows together and that
/// leaves no order of the calls.
pub fn misses(
    wanted: Wanted<'_>,
    x: &Execution,
    marks: &[Marks],
    seen: &Seen,
) -> Result<Option<Vec<Pair>>, Trouble> {
    let n = marks.len();
    let allowed = |pairs: &[Pair]| consistent(&with(x, marks, pairs), Memory::Tso);
    let all = (0..n).flat_map(|i| (0..n).filter(move |&j| j != i).map(move |j| (i, j)));
    let single: Vec<Pair> = all.filter(|&pair| allowed(&[pair])).collect();
    for size in 0..=single.len() {
        let mut found = Ok(None);
        subsets(&single, size, &mut Vec::new(), &mut |pairs| {
            found = match explanation(wanted, &missing(seen, pairs), true) {
                Ok(None) if allowed(pairs) => Ok(Some(pairs.to_vec())),
                Ok(_) => Ok(None),
                Err(trouble) => Err(trouble),
            };
            !matches!(found, Ok(None))
        });
        if !matches!(found, Ok(None)) {
            return found;
        }
    }
    Ok(None)
}

/// What the calls see if these are all the misses there are.
pub fn missing(seen: &Seen, pairs: &[Pair]) -> Seen {
    let n = seen.outcomes.len();
    let sees = (0..n).map(|j| (0..n).map(|i| !pairs.contains(&(i, j))).collect()).collect();
    Seen { sees, ..seen.clone() }
}

pub fn subsets(
    of: &[Pair],
    size: usize,
    chosen: &mut Vec<Pair>,
    visit: &mut dyn FnMut(&[Pair]) -> bool,
) -> bool {
    if chosen.len() == size {
        return visit(chosen);
    }
    for (k, &pair) in of.iter().enumerate() {
        chosen.push(pair);
        let stop = subsets(&of[k + 1..], size, chosen, visit);
        chosen.pop();
        if stop {
            return true;
        }
    }
    false
}

/// The execution with these misses in it.
pub fn with(x: &Execution, marks: &[Marks], pairs: &[Pair]) -> Execution {
    let mut x = x.clone();
    for (k, &(i, j)) in pairs.iter().enumerate() {
        // Nothing else is there.
        let loc = Loc(u64::MAX - k as u64);
        let (Some(begin), Some(end)) = (mark(&x, marks[i].begun), mark(&x, marks[j].ended)) else { continue };
        let of = |at: usize, kind: Kind, op: Op| Event {
            kind,
            op,
            mode: Mode::Relaxed,
            loc: Some(loc),
            value: Value::ZERO,
            rf: None,
            update_of: None,
            updates: false,
            spurious: false,
            ..x.events[at].clone()
        };
        let write = Op::Write { loc, size: 1, mode: Mode::Relaxed, value: Value::ZERO };
        let read = Op::Read { loc, size: 1, mode: Mode::Relaxed, copy: false, wait: None };
        let (written, taken) = (of(begin, Kind::Write, write), of(end, Kind::Read, read));
        // The later place first, so that the other stays where it is.
        let mut places = [(begin, written), (end + 1, taken)];
        places.sort_by_key(|p| std::cmp::Reverse(p.0));
        for (at, event) in places {
            insert(&mut x, at, event);
        }
        let at =
            x.events.iter().position(|e| e.kind == Kind::Write && e.loc == Some(loc)).expect("it is there");
        x.mo.insert(loc, vec![at]);
    }
    x
}

/// Makes the event the one with number `at`.
fn insert(x: &mut Execution, at: usize, event: Event) {
    let moved = |i: usize| if i >= at { i + 1 } else { i };
    for e in &mut x.events {
        (e.rf, e.update_of) = (e.rf.map(moved), e.update_of.map(moved));
    }
    x.mo.values_mut().flatten().for_each(|w| *w = moved(*w));
    x.edges.iter_mut().for_each(|(a, b)| (*a, *b) = (moved(*a), moved(*b)));
    x.events.insert(at, event);
}
