//! Conformance the obvious way: an execution and a client are given; every order of the calls is
//! tried, and what it takes to explain the execution is read off its definition.
//!
//! Nothing is shared with [`crate::conform`], but the running of an author's own specification: the
//! abstract types are simulated once more, on lists of (value, call) ([`super::sequential`]).

pub use super::sequential::{Wanted, readings};
use super::{Execution, Kind};
use crate::reference::{Mask, Trouble};
use lineal_model::Memory;
use lineal_model::object::{Marks, Outcome};

/// `edges[j]` has `i`: call `i` returns before call `j` is made.
pub type Edges = Vec<Mask>;

/// The edges as pairs.
pub fn pairs(edges: &Edges) -> Vec<(usize, usize)> {
    let from = |row: Mask| (0..Mask::BITS as usize).filter(move |i| row >> i & 1 == 1);
    edges.iter().enumerate().flat_map(|(j, &row)| from(row).map(move |i| (i, j))).collect()
}

/// Why an execution is a violation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Violation {
    /// No order gives these answers.
    Result,
    /// Some order does, but calls do not see what they must.
    Sync,
    /// A client with these further edges (besides the order of its threads) leaves no order.
    Client(Edges),
}

/// What the calls of one execution answered and saw.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Seen {
    pub outcomes: Vec<Outcome>,
    /// `sees[j][i]`: begin(i) happens before end(j).
    pub sees: Vec<Vec<bool>>,
    /// `before[j][i]`: end(i) happens before begin(j).
    pub before: Vec<Vec<bool>>,
}

/// The event that marks the location, if there is one.
pub(super) fn mark(x: &Execution, loc: lineal_model::run::Loc) -> Option<usize> {
    x.events.iter().rposition(|e| e.kind == Kind::Write && e.loc == Some(loc))
}

/// Adds the edges end(i)→begin(j) of a client: everything up to the one comes before everything
/// from the other on.
pub fn constrain(x: &mut Execution, marks: &[Marks], edges: &[(usize, usize)]) -> bool {
    for &(i, j) in edges {
        let (Some(end), Some(begin)) = (mark(x, marks[i].ended), mark(x, marks[j].begun)) else {
            return false;
        };
        let (from, to) = (x.events[end].thread, x.events[begin].thread);
        let events = &x.events;
        let earlier = (0..=end).filter(|&a| events[a].thread == from);
        let later: Vec<usize> = (begin..events.len()).filter(|&b| events[b].thread == to).collect();
        let pairs: Vec<(usize, usize)> = earlier.flat_map(|a| later.iter().map(move |&b| (a, b))).collect();
        x.edges.extend(pairs);
    }
    true
}

/// `None` if some call has not returned.
pub fn observe(x: &Execution, memory: Memory, marks: &[Marks]) -> Option<Seen> {
    let begin: Vec<usize> = marks.iter().map(|m| mark(x, m.begun)).collect::<Option<_>>()?;
    let end: Vec<usize> = marks.iter().map(|m| mark(x, m.ended)).collect::<Option<_>>()?;
    let hb = super::happens_before(x, memory);
    let outcome = |(m, &e): (&Marks, &usize)| match (x.events[e].value.lo, mark(x, m.result)) {
        (2, _) => Outcome::Empty,
        (_, Some(w)) => Outcome::Value(x.events[w].value.signed(8)),
        (_, None) => Outcome::Nothing,
    };
    let row = |from: &[usize], to: usize| from.iter().map(|&f| f == to || hb.has(f, to)).collect();
    Some(Seen {
        outcomes: marks.iter().zip(&end).map(outcome).collect(),
        sees: end.iter().map(|&e| row(&begin, e)).collect(),
        before: begin.iter().map(|&b| row(&end, b)).collect(),
    })
}

/// An order that explains what was seen; with `synchronised`, also what was not.
pub fn explanation(
    wanted: Wanted<'_>,
    seen: &Seen,
    synchronised: bool,
) -> Result<Option<Vec<usize>>, Trouble> {
    let n = wanted.client.calls.len();
    let enough = |pairs: &Vec<(usize, usize)>| !synchronised || pairs.iter().all(|&(i, j)| seen.sees[j][i]);
    // What the first calls cannot do, more of them do not mend.
    fn go(
        order: &mut Vec<usize>,
        n: usize,
        fits: &dyn Fn(&[usize]) -> Result<bool, Trouble>,
    ) -> Result<bool, Trouble> {
        if order.len() == n {
            return Ok(true);
        }
        for c in (0..n).filter(|c| !order.contains(c)).collect::<Vec<_>>() {
            order.push(c);
            if fits(order)? && go(order, n, fits)? {
                return Ok(true);
            }
            order.pop();
        }
        Ok(false)
    }
    let fits = |order: &[usize]| {
        let last = order[order.len() - 1];
        // Whatever comes before it is there already.
        if (0..n).any(|c| seen.before[last][c] && !order.contains(&c)) {
            return Ok(false);
        }
        Ok(readings(wanted, &seen.outcomes, order)?.iter().any(enough))
    };
    let mut order = Vec::new();
    Ok(go(&mut order, n, &fits)?.then_some(order))
}

/// Calls `visit` with every order of `0..n` until it says stop.
pub fn permutations(n: usize, visit: &mut dyn FnMut(&[usize]) -> bool) {
    fn go(order: &mut Vec<usize>, n: usize, visit: &mut dyn FnMut(&[usize]) -> bool) -> bool {
        if order.len() == n {
            return visit(order);
        }
        for c in 0..n {
            if !order.contains(&c) {
                order.push(c);
                if go(order, n, visit) {
                    return true;
                }
                order.pop();
            }
        }
        false
    }
    go(&mut Vec::new(), n, visit);
}
