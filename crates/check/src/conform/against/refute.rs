//! The search for an extension that the execution of the object allows and that leaves no
//! execution of the specification.
//!
//! A *candidate* is an execution of the specification with the same answers. It fits an extension
//! if it allows it and, where synchronisation counts, sees no more than the object does under it.
//! Under more edges the object sees more, so a candidate that fits goes on fitting until edges make
//! it impossible. They do so by a cycle, and one of the edges on it is new: hence a set of edges
//! above `now` that leaves no candidate contains one of those that are [`Side::relevant`] to the
//! candidate that fits `now`. Sets with an edge that was tried need not be looked at again. If no
//! edge is relevant to it, the candidate fits whatever the client does.
//!
//! A candidate that dominates the execution fits everything that it allows: then there is nothing
//! to search.

use super::side::{Edge, Ends, Extension, Side};
use crate::reference::Mask;
use lineal_model::Limit;
use std::ops::ControlFlow;

/// Nodes between two looks at the clock.
const OFTEN: u64 = 200;

pub struct Search<'a> {
    pub object: &'a Side,
    pub candidates: &'a [Side],
    /// Calls must see what they see in the specification.
    pub synchronised: bool,
    pub go_on: &'a dyn Fn() -> ControlFlow<Limit>,
    pub nodes: u64,
    /// Then whatever is found means nothing.
    pub limit: Option<Limit>,
}

impl Search<'_> {
    /// An extension with edges of `open` that leaves no candidate, as small as leaving edges out
    /// makes it.
    pub fn refute(&mut self, open: Vec<Edge>) -> Option<Extension> {
        let none = Extension::none(self.object.hb.len());
        let fits_all = |c: &Side| c.dominates(self.object);
        if self.candidates.iter().any(fits_all) {
            return None;
        }
        let mut rest = none.clone();
        let alone = |e: &Edge| {
            let mut one = none.clone();
            one.add(*e);
            self.object.allows(&one)
        };
        open.iter().filter(|e| alone(e)).for_each(|e| rest.add(*e));
        let found = self.search(&none, &mut rest)?;
        Some(self.shrink(found))
    }

    pub fn fits(&self, candidate: &Side, x: &Extension) -> bool {
        candidate.allows(x) && (!self.synchronised || lacking(self.object, candidate, x).is_empty())
    }

    fn search(&mut self, now: &Extension, open: &mut Extension) -> Option<Extension> {
        self.nodes += 1;
        if self.nodes.is_multiple_of(OFTEN)
            && let ControlFlow::Break(limit) = (self.go_on)()
        {
            self.limit.get_or_insert(limit);
        }
        if self.limit.is_some() {
            return None;
        }
        let all = now.with(open);
        let mut fewest: Option<Vec<Edge>> = None;
        for candidate in self.candidates {
            if !self.fits(candidate, now) {
                continue;
            }
            let new = candidate.relevant(&all).into_iter().filter(|e| !now.has(*e)).collect::<Vec<_>>();
            if new.is_empty() {
                return None;
            }
            if fewest.as_ref().is_none_or(|f| new.len() < f.len()) {
                fewest = Some(new);
            }
        }
        let Some(edges) = fewest else { return Some(now.clone()) };
        let mut closed = Vec::new();
        let mut found = None;
        for edge in edges {
            let mut more = now.clone();
            more.add(edge);
            if self.object.allows(&more) {
                found = self.search(&more, open);
                if found.is_some() || self.limit.is_some() {
                    break;
                }
            }
            open.remove(edge);
            closed.push(edge);
        }
        closed.into_iter().for_each(|e| open.add(e));
        found
    }

    fn shrink(&self, mut x: Extension) -> Extension {
        // With fewer edges the object sees less, so what was needed before need not be.
        loop {
            let without = |edge: &Edge| {
                let mut fewer = x.clone();
                fewer.remove(*edge);
                (!self.candidates.iter().any(|c| self.fits(c, &fewer))).then_some(fewer)
            };
            match x.edges().iter().find_map(without) {
                Some(fewer) => x = fewer,
                None => return x,
            }
        }
    }
}

/// The pairs `(i, j)` such that call `j` sees call `i` in the candidate, and not in the object.
pub fn lacking(object: &Side, candidate: &Side, x: &Extension) -> Vec<(usize, usize)> {
    let provided = object.happens_before(x);
    let row = |(j, (c, o)): (usize, (&Mask, &Mask))| {
        let missing = c & !o;
        crate::conform::masks::bits(missing).map(move |i| (i, j)).collect::<Vec<_>>()
    };
    candidate.hb.iter().zip(&provided).enumerate().flat_map(row).collect()
}

/// Every edge that a client may add to threads that order `before[j]` before `j` themselves, and
/// in which a thread makes the calls `own[j]` up to `j`.
pub fn edges(ends: &[Ends], before: &[Mask], own: &[Mask]) -> Vec<Edge> {
    let n = before.len();
    let mut all = Vec::new();
    for &ends in ends {
        for (from, to) in (0..n).flat_map(|i| (0..n).map(move |j| (i, j))) {
            let sense = match ends {
                // A thread sees what it wrote.
                Ends::Miss => own[from] >> to & 1 == 0,
                _ => before[to] >> from & 1 == 0,
            };
            if from != to && sense {
                all.push(Edge { ends, from, to });
            }
        }
    }
    all
}
