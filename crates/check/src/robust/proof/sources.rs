//! Where reads get their values from: a write of these calls, one of others, or the initial one; and
//! what is known of writes of others.

use super::encode::Instance;
use super::formula::{Bits, FALSE, Lit, TRUE, constant};
use super::library::{MOST_INITIAL, Sort, Wrote};
use super::term::Term;
use std::collections::BTreeMap;

impl Instance<'_> {
    pub(super) fn values_equal(&mut self, a: &Option<Bits>, b: &Option<Bits>) -> Option<Lit> {
        match (a, b) {
            (Some(a), Some(b)) if a.len() == b.len() => Some(self.f.equal(a, b)),
            _ => None,
        }
    }

    /// Where reads get their values from.
    pub(super) fn reads(&mut self) {
        let reads: Vec<usize> = self.indices().filter(|&e| self.node(e).reads()).collect();
        let mut at_point: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for e in self.indices() {
            if let Some(p) = self.events[e].point
                && self.is_sequential(e)
            {
                at_point.entry(p).or_default().push(e);
            }
        }
        for &r in &reads {
            let class = self.events[r].class.expect("a read is of a class");
            let (on, s) = (self.events[r].on, self.source(r));
            let value = self.events[r].read.clone();
            let mut known = vec![self.le(s, 0)];
            for (&p, all) in &at_point {
                let here = self.eq(s, p);
                if here == FALSE {
                    continue;
                }
                let writes: Vec<usize> = all
                    .iter()
                    .copied()
                    .filter(|&w| w != r && self.writes(w) && self.events[w].class == Some(class))
                    .collect();
                // A source is a write, of the same location, with that value.
                let ons: Vec<Lit> = writes.iter().map(|&w| self.events[w].on).collect();
                self.f.implies(&[on, here], &ons);
                for w in writes {
                    let (same, won) = (self.same(w, r), self.events[w].on);
                    self.f.implies(&[on, here, won], &[same]);
                    let wrote = self.events[w].wrote.clone();
                    if let Some(equal) = self.values_equal(&wrote, &value) {
                        self.f.implies(&[on, here, won], &[equal]);
                    }
                }
                known.push(here);
            }
            self.initially(r, class);
            self.externally(r, class, &known);
            if self.is_sequential(r) {
                // The last write before it is its source.
                for w in self.writes_of(class) {
                    if w != r {
                        let (same, won) = (self.same(w, r), self.events[w].on);
                        let (before, reached) = (self.precedes(w, r), self.le(self.point(w), s));
                        self.f.implies(&[on, won, same, before], &[reached]);
                    }
                }
                for &other in &reads {
                    if other != r && self.events[other].class == Some(class) {
                        let (same, oon) = (self.same(r, other), self.events[other].on);
                        let t = self.source(other);
                        let (before, reached) = (self.lt(t, self.point(r)), self.le(t, s));
                        self.f.implies(&[on, oon, same, before], &[reached]);
                    }
                }
            }
            for &other in &reads {
                if other >= r {
                    continue;
                }
                // One source is one write.
                let (oon, t) = (self.events[other].on, self.source(other));
                let (together, first) = (self.eq(s, t), self.le(s, 0));
                if self.events[other].class == Some(class) {
                    let same = self.same(r, other);
                    self.f.implies(&[on, oon, together, -first], &[same]);
                    let there = self.events[other].read.clone();
                    if let Some(equal) = self.values_equal(&value, &there) {
                        self.f.implies(&[on, oon, together, -first], &[equal]);
                    }
                } else {
                    self.f.implies(&[on, oon, together], &[first]);
                }
            }
        }
    }

    pub(super) fn initially(&mut self, r: usize, class: usize) {
        let library = self.library;
        let (on, first) = (self.events[r].on, self.le(self.source(r), 0));
        let Some(read) = self.events[r].read.clone() else { return };
        let sort = library.classes[class].sort;
        let all = &library.classes[class].initial;
        // Of an array that begins with one value everywhere, whatever the place: there are no others.
        let whole = !library.classes[class].heap && all.len() < MOST_INITIAL;
        let alike = whole && all.windows(2).all(|w| w[0].1 == w[1].1);
        for (at, value) in &library.classes[class].initial {
            let bits = match (sort, value) {
                (Sort::Plain, value) => self.plain(0, value),
                (Sort::Number, Term::Const(c)) => Some(constant(*c as u64, self.number_width)),
                _ => None,
            };
            let here = match (&self.events[r].index, library.classes[class].heap, at) {
                _ if alike => Some(TRUE),
                (Some(index), true, at) => {
                    let index = index.clone();
                    self.plain(0, at).map(|at| self.f.equal(&index, &at))
                }
                (Some(index), false, Term::Const(c)) => {
                    let (index, width) = (index.clone(), self.number_width);
                    Some(self.f.equal(&index, &constant(*c as u64, width)))
                }
                _ => None,
            };
            if let (Some(bits), Some(here)) = (bits, here) {
                let equal = self.f.equal(&read, &bits);
                self.f.implies(&[on, first, here], &[equal]);
            }
        }
    }

    /// A source outside these calls. `known`: that it is not one.
    pub(super) fn externally(&mut self, r: usize, class: usize, known: &[Lit]) {
        let library = self.library;
        let c = &library.classes[class];
        let name = c.name.clone();
        let on = self.events[r].on;
        let inside = self.f.or(known);
        let outside = self.f.and2(on, -inside);
        let read = self.events[r].read.clone();
        let ids: Vec<(usize, u64)> = self.blocks.iter().map(|(&(call, _), &id)| (call, id)).collect();
        if self.switches.unique {
            self.f.begin(&format!("{name}: who writes what"));
            let mut ways = Vec::new();
            for wrote in &c.wrote {
                ways.push(match (wrote, &read, c.sort) {
                    (Wrote::Constant(k), Some(read), Sort::Plain) => {
                        let (read, k) = (read.clone(), self.plain(0, &Term::Const(*k)));
                        k.map_or(TRUE, |k| self.f.equal(&read, &k))
                    }
                    (Wrote::Constant(k), Some(read), Sort::Number) => {
                        let (read, width) = (read.clone(), self.number_width);
                        self.f.equal(&read, &constant(*k as u64, width))
                    }
                    // Another call's block is none of these, none of the first, and not null.
                    (Wrote::Own, Some(read), Sort::Plain) => {
                        let (read, width) = (read.clone(), self.plain_width);
                        let small = constant((self.constants.len() as u64) + self.initial, width);
                        let mut none = vec![-self.f.below(&read, &small)];
                        for (_, id) in &ids {
                            none.push(-self.f.equal(&read, &constant(*id, width)));
                        }
                        self.f.and(&none)
                    }
                    _ => TRUE,
                });
            }
            if c.heap {
                // Stores to blocks that only their call knows of: not to blocks of these calls, but for
                // those of rounds that are left out, which later ones of the same call overwrite.
                let mut other = vec![TRUE];
                if let Some(index) = self.events[r].index.clone()
                    && self.is_sequential(r)
                {
                    for (_, id) in &ids {
                        other.push(-self.f.equal(&index, &constant(*id, self.plain_width)));
                    }
                }
                ways.push(self.f.and(&other));
            }
            self.f.implies(&[outside], &ways);
            self.f.end();
        }
        if let (Some(read), Sort::Plain, true) = (read, c.sort, self.switches.unique) {
            // Who reads the address of a block reads what its call published, or a copy.
            self.f.begin(&format!("{name}: blocks are known once they are published"));
            let source = self.source(r);
            for (call, id) in ids {
                let equal = self.f.equal(&read, &constant(id, self.plain_width));
                let mut ways = Vec::new();
                for p in self.at[call].values().copied().collect::<Vec<_>>() {
                    let node = self.node(p);
                    if node.is_shared_write()
                        && self.is_sequential(p)
                        && matches!(node.value, Some(Term::Alloc(_)))
                    {
                        let (on, reached) = (self.events[p].on, self.le(self.point(p), source));
                        ways.push(self.f.and2(on, reached));
                    }
                }
                self.f.implies(&[on, equal], &ways);
            }
            self.f.end();
        }
    }

    /// Of a location that one session writes: calls of a session do not overlap, so what is written after
    /// a call began is written by it, or after it.
    pub(super) fn exclusive(&mut self) {
        if !self.switches.owned {
            return;
        }
        for class in 0..self.library.classes.len() {
            let c = &self.library.classes[class];
            let Some(owner) = c.owner.filter(|_| !c.heap) else { continue };
            self.f.begin(&format!("{}: written by one session", c.name));
            for call in 0..self.calls.len() {
                if self.library.operations[self.calls[call]].session != Some(owner) {
                    continue;
                }
                let events: Vec<usize> = self.at[call]
                    .values()
                    .copied()
                    .filter(|&e| self.is_sequential(e) && self.events[e].point.is_some())
                    .collect();
                let complete = self.complete(call);
                for r in self.reads_of(class) {
                    let (source, there) = (self.source(r), self.events[r].on);
                    let later = self.f.fresh();
                    self.f.implies(&[later], &[complete]);
                    let mut ways = vec![later];
                    for &e in &events {
                        let (on, before) = (self.events[e].on, self.lt(self.point(e), source));
                        self.f.implies(&[later, on], &[before]);
                        if self.writes(e) && self.events[e].class == Some(class) {
                            let here = self.eq(source, self.point(e));
                            ways.push(self.f.and2(here, on));
                        }
                    }
                    for &e in &events {
                        let (on, before) = (self.events[e].on, self.lt(self.point(e), source));
                        self.f.implies(&[there, on, before], &ways);
                    }
                }
            }
            self.f.end();
        }
    }
}
