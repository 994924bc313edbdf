//! What it means under sc and tso that calls synchronise: whatever a thread wrote before call A can
//! be read after call B.
//!
//! Under rc11 and ra a client passes plain data on, and it must happen before whoever reads it; a
//! path from A's begin to B's end in happens-before says so. Machines with one order of memory
//! know no such thing: there, data is missed or it is not.
//!
//! **sc**: an order of the calls that respects real time has A before B only if A began before B
//! returned. So whatever was written before A is there after B, and an object that is linearizable
//! in every client synchronises at every level. Nothing is left to ask.
//!
//! **tso**: a *miss* of A by B is a write before A's begin that a read after B's end does not see:
//! an edge from that read to that write, which stays acyclic with the order of the machine, as the
//! edges of more constrained clients do ([`super::extend`]). An execution is a violation iff it
//! allows edges H and misses M such that each order that explains it under H obliges some A to
//! synchronise with a B that misses it. The search is that of [`super::extend`], with misses as
//! further edges: an order that explains (H, M) is contradicted by an edge against it, or by a
//! miss of what it obliges.
//!
//! Happens-before is enough and quicker, so this is asked only where that finds something wrong;
//! and what is wrong here is wrong there.

use super::extend::Edges;
use super::masks::bits;
use super::observe::{Mask, Reach};
use super::orders::{Bounds, Orders};
use super::spec::Spec;

pub struct Missing<'a, S: Spec> {
    pub orders: Orders<'a, S>,
    /// `before[j]`: the calls that the client's own threads put before `j`.
    pub before: &'a [Mask],
    pub reach: &'a Reach,
    /// Ask about more constrained clients too.
    pub extend: bool,
}

/// Edges and misses, each as `into[j]`: of edges, the calls that return before `j` is made; of
/// misses, the calls that `j` misses.
#[derive(Clone, Debug)]
struct Added {
    edges: Edges,
    misses: Edges,
}

impl<S: Spec> Missing<'_, S> {
    /// Edges under which the execution is a violation.
    pub fn refute(&mut self) -> Option<Edges> {
        let n = self.before.len();
        let none = Added { edges: vec![0; n], misses: vec![0; n] };
        let all: Mask = (0..n).fold(0, |m, i| m | 1 << i);
        let mut open = none.clone();
        for j in 0..n {
            let others = all & !(1 << j);
            open.misses[j] = others & !self.reach.own[j];
            open.edges[j] = if self.extend { others & !self.before[j] } else { 0 };
        }
        let Added { mut edges, misses } = self.search(&none, &mut open)?;
        // Fewer edges are easier to read.
        for (j, i) in (0..n).flat_map(|j| (0..n).map(move |i| (j, i))) {
            if edges[j] >> i & 1 == 1 {
                edges[j] &= !(1 << i);
                if self.explain(&edges, &misses, &misses).is_some() {
                    edges[j] |= 1 << i;
                }
            }
        }
        Some(edges)
    }

    /// An order that explains the execution under these edges and misses.
    pub fn explain(&mut self, edges: &Edges, misses: &Edges, likely: &Edges) -> Option<Vec<usize>> {
        let first: Vec<Mask> = edges.iter().zip(self.before).map(|(a, b)| a | b).collect();
        let sees: Vec<Mask> = misses.iter().map(|m| !m).collect();
        self.orders.find(Bounds { first: &first, hb: Some(&sees), edges: likely })
    }

    /// Whether some order gives the answers, if calls may come in any order at all.
    pub fn answers_fit(&mut self) -> bool {
        let none = vec![0; self.before.len()];
        self.orders.find(Bounds { first: &none, hb: None, edges: &none }).is_some()
    }

    fn search(&mut self, now: &Added, open: &mut Added) -> Option<Added> {
        let Some(order) = self.explain(&now.edges, &now.misses, &open.edges) else {
            return (!self.orders.is_over()).then(|| now.clone());
        };
        let mut placed: Mask = 0;
        let (mut against, mut missed) = (Vec::new(), Vec::new());
        for &j in &order {
            // Later calls cannot have returned before; earlier ones may be missed.
            against.extend(bits(open.edges[j] & !placed).map(|i| (i, j)));
            missed.extend(bits(open.misses[j] & !now.misses[j] & placed).map(|i| (i, j)));
            placed |= 1 << j;
        }
        let mut found = None;
        let mut closed = Vec::new();
        let misses = missed.into_iter().map(|pair| (pair, true));
        for ((i, j), miss) in misses.chain(against.into_iter().map(|pair| (pair, false))) {
            let mut more = now.clone();
            (if miss { &mut more.misses } else { &mut more.edges })[j] |= 1 << i;
            if self.is_acyclic(&more) {
                found = self.search(&more, open);
                if found.is_some() {
                    break;
                }
            }
            (if miss { &mut open.misses } else { &mut open.edges })[j] &= !(1 << i);
            closed.push((i, j, miss));
        }
        for (i, j, miss) in closed {
            (if miss { &mut open.misses } else { &mut open.edges })[j] |= 1 << i;
        }
        found
    }

    /// An edge i→j leads from the end of `i` to the begin of `j`; a miss of `i` by `j` from a read
    /// after the end of `j` to a write before the begin of `i`.
    fn is_acyclic(&self, added: &Added) -> bool {
        let list = |rows: &Edges, miss: bool| -> Vec<(usize, usize, bool)> {
            let of = |(j, &row): (usize, &Mask)| {
                bits(row).map(move |i| if miss { (j, i, true) } else { (i, j, false) }).collect::<Vec<_>>()
            };
            rows.iter().enumerate().flat_map(of).collect()
        };
        let mut all = list(&added.edges, false);
        all.extend(list(&added.misses, true));
        let follows = |a: &(usize, usize, bool), b: &(usize, usize, bool)| {
            let rows = match (a.2, b.2) {
                (false, false) => &self.reach.begin_to_end,
                (true, false) => &self.reach.write_to_end,
                (false, true) => &self.reach.begin_to_read,
                (true, true) => &self.reach.write_to_read,
            };
            rows[b.0] >> a.1 & 1 == 1
        };
        // Take away, again and again, what nothing leads to.
        let mut left = all;
        loop {
            let next: Vec<_> = left.iter().filter(|b| left.iter().any(|a| follows(a, b))).copied().collect();
            if next.len() == left.len() {
                return left.is_empty();
            }
            left = next;
        }
    }
}
