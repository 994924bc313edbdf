//! RC11 with several seq_cst events: whether edges between calls keep the graph consistent is
//! decided on its events, since `psc` does not follow from what calls see of each other. That takes
//! long, and only ever rules edges out: an execution that is right with all the edges that calls
//! allow is right, and is not looked at here.
//!
//! Axioms as in `graph/axioms/rc11.rs`, written out on rows of bits: happens-before is the
//! graph's own, closed with the edges; `mo`, `rf` and `eco` do not change.

use super::extend::{Edges, Extensions, happens_before, is_acyclic};
use super::masks::bits;
use super::observe::{self, Mask, Span};
use crate::graph::{EventId, Kind, Leaf, View};
use crate::relation::Relation;

/// A graph with its events numbered, and where its calls are.
#[derive(Debug)]
pub struct OnEvents {
    calls: Vec<Mask>,
    porf: Vec<Mask>,
    events: Vec<(EventId, View)>,
    spans: Vec<(usize, usize)>,
    hb: Relation,
    po: Relation,
    mo: Relation,
    fr: Relation,
    eco: Relation,
}

impl OnEvents {
    pub fn new(leaf: &dyn Leaf, spans: &[Span], hb_of_calls: &[Mask]) -> Self {
        let mut first = Vec::new();
        let mut events = Vec::new();
        for t in 0..leaf.threads() {
            first.push(events.len());
            events.extend((0..leaf.len(t)).map(|i| EventId::new(t, i)).map(|e| (e, leaf.event(e))));
        }
        let place = |e: EventId| first[e.thread()] + e.index();
        let n = events.len();
        let (mut hb, mut po, mut mo, mut fr, mut eco) = (
            Relation::empty(n),
            Relation::empty(n),
            Relation::empty(n),
            Relation::empty(n),
            Relation::empty(n),
        );
        for (b, &(e, _)) in events.iter().enumerate() {
            for (t, &start) in first.iter().enumerate() {
                (start..start + leaf.hb(e, t)).filter(|&a| a != b).for_each(|a| hb.set(a, b));
            }
            (first[e.thread()]..b).for_each(|a| po.set(a, b));
        }
        for cell in 0..leaf.cells() as u32 {
            let writes = leaf.mo(cell);
            let stand = |e: EventId| {
                let view = leaf.event(e);
                let write = if view.kind == Kind::Write { e } else { view.rf };
                let at = writes.iter().position(|&w| w == write).map_or(0, |p| p + 1);
                2 * at + usize::from(view.kind == Kind::Read)
            };
            let all: Vec<(usize, usize, bool)> = writes
                .iter()
                .chain(leaf.reads(cell))
                .map(|&e| (place(e), stand(e), leaf.event(e).kind == Kind::Write))
                .collect();
            for &(a, from, a_writes) in &all {
                for &(b, to, b_writes) in all.iter().filter(|x| x.1 > from && x.0 != a) {
                    eco.set(a, b);
                    let _ = to;
                    match (a_writes, b_writes) {
                        (true, true) => mo.set(a, b),
                        (false, true) => fr.set(a, b),
                        _ => {}
                    }
                }
            }
        }
        let placed = spans.iter().map(|s| (place(s.begin), place(s.end))).collect();
        let porf = observe::porf(leaf, spans);
        OnEvents { calls: hb_of_calls.to_vec(), porf, events, spans: placed, hb, po, mo, fr, eco }
    }

    /// `rows[j]` has `i` iff begin(i) leads to end(j) by happens-before and `eco`, however often:
    /// whatever edges make inconsistent has a cycle of them with such paths.
    pub fn leads(&self) -> Vec<Mask> {
        let all = self.hb.or(&self.eco).plus();
        let row = |&(_, end): &(usize, usize)| {
            let from = self.spans.iter().enumerate().filter(|(_, s)| all.has(s.0, end));
            from.fold(0, |m, (i, _)| m | 1 << i)
        };
        self.spans.iter().map(row).collect()
    }

    /// Whether the two allow the same edges for the same reasons.
    pub fn is_like(&self, other: &OnEvents) -> bool {
        let kinds = |e: &OnEvents| -> Vec<_> {
            e.events.iter().map(|(id, v)| (*id, v.kind, v.mode.is_sc(), v.cell)).collect()
        };
        self.spans == other.spans
            && self.calls == other.calls
            && self.porf == other.porf
            && self.eco == other.eco
            && self.hb == other.hb
            && (&self.po, &self.mo, &self.fr) == (&other.po, &other.mo, &other.fr)
            && kinds(self) == kinds(other)
    }

    /// Happens-before with the edges; `None` if it has a cycle.
    fn closed(&self, edges: &Edges) -> Option<Relation> {
        let mut hb = self.hb.clone();
        let pairs: Vec<(usize, usize)> = edges
            .iter()
            .enumerate()
            .flat_map(|(j, &row)| bits(row).map(move |i| (i, j)))
            .map(|(i, j)| (self.spans[i].1, self.spans[j].0))
            .collect();
        loop {
            let mut grew = false;
            for &(a, b) in &pairs {
                let target = hb.clone();
                for x in (0..hb.events()).filter(|&x| x == a || target.has(x, a)) {
                    if !hb.has(x, b) {
                        hb.set(x, b);
                        grew = true;
                    }
                    grew |= hb.join(x, &target, b);
                }
            }
            if !grew {
                break;
            }
        }
        (0..hb.events()).all(|a| !hb.has(a, a)).then_some(hb)
    }

    fn same_cell(&self, a: usize, b: usize) -> bool {
        let access = |v: &View| matches!(v.kind, Kind::Read | Kind::Write);
        let (a, b) = (&self.events[a].1, &self.events[b].1);
        access(a) && access(b) && a.cell == b.cell
    }

    fn psc(&self, hb: &Relation) -> Relation {
        let n = self.events.len();
        let is_sc = |v: &View| v.mode.is_sc() && matches!(v.kind, Kind::Read | Kind::Write | Kind::Fence);
        let is_fence = |v: &View| v.mode.is_sc() && v.kind == Kind::Fence;
        let apart = self.po.only(|a, b| !self.same_cell(a, b));
        let hb_loc = hb.only(|a, b| self.same_cell(a, b));
        let scb = self.po.or(&apart.then(hb).then(&apart)).or(&hb_loc).or(&self.mo).or(&self.fr);
        let (mut from, mut to) = (Relation::empty(n), Relation::empty(n));
        let (mut fences_from, mut fences_to) = (Relation::empty(n), Relation::empty(n));
        for (a, (_, v)) in self.events.iter().enumerate() {
            if is_sc(v) {
                from.set(a, a);
                to.set(a, a);
            }
            if is_fence(v) {
                from.join(a, hb, a);
                fences_from.set(a, a);
                fences_to.set(a, a);
                (0..n).filter(|&x| hb.has(x, a)).for_each(|x| to.set(x, a));
            }
        }
        let base = from.then(&scb).then(&to);
        let between = hb.or(&hb.then(&self.eco).then(hb));
        base.or(&fences_from.then(&between).then(&fences_to))
    }
}

impl Extensions for OnEvents {
    fn allows(&self, edges: &Edges) -> bool {
        if !is_acyclic(edges, &self.porf, &self.porf) {
            return false;
        }
        let Some(hb) = self.closed(edges) else { return false };
        let coherent =
            (0..hb.events()).all(|a| (0..hb.events()).all(|b| !(hb.has(a, b) && self.eco.has(b, a))));
        coherent && self.psc(&hb).is_acyclic()
    }
    fn happens_before(&self, edges: &Edges) -> Vec<Mask> {
        happens_before(edges, &self.calls)
    }
}
