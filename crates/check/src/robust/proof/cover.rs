//! What is certain to come after a write in happens-before, or after a read of it, or after a later write to
//! its location or a read of that: `mo?;rf?;hb?` from the write, none of which can read or be placed before
//! it; as clauses that say when an access is covered and never when it is not. An execution in which
//! more is covered is one in which more is covered than can be derived here, so a refutation that uses
//! "not covered" only is one of all executions.

use super::encode::Instance;
use super::formula::{Lit, TRUE};
use super::tree::Act;

impl Instance<'_> {
    /// By event. `from_reads`: also from reads of the write and of later ones, which do not synchronise by
    /// themselves.
    pub fn cover(&mut self, m: usize, from_reads: bool) -> Vec<Lit> {
        let stale = self.stale_event();
        let covered: Vec<Lit> = self.indices().map(|e| if e == m { TRUE } else { self.f.fresh() }).collect();
        for e in self.indices() {
            if e == m || Some(e) == stale {
                continue;
            }
            let on = self.events[e].on;
            if let (Some(_), Some(_), true) =
                (self.events[e].point, self.events[m].point, self.is_sequential(e))
            {
                // Happens-before is part of the order.
                let after = self.precedes(m, e);
                self.f.implies(&[covered[e], on], &[after]);
            }
            if !from_reads || self.events[e].class != self.events[m].class {
                continue;
            }
            let same = self.same(m, e);
            if self.node(e).reads() {
                let reads = self.le(self.point(m), self.source(e));
                self.f.implies(&[on, same, reads], &[covered[e]]);
            }
            if self.writes(e) && self.is_sequential(e) {
                let later = self.precedes(m, e);
                self.f.implies(&[on, same, later], &[covered[e]]);
            }
        }
        for a in self.indices() {
            for b in self.indices() {
                if a == b || Some(a) == stale || Some(b) == stale {
                    continue;
                }
                let (x, y) = (&self.events[a], &self.events[b]);
                if x.call != y.call {
                    let first = self.node(b).parent.is_none();
                    if !first {
                        continue;
                    }
                }
                let so = self.so(a, b);
                let (x, y) = (self.events[a].on, self.events[b].on);
                self.f.implies(&[covered[a], x, y, so], &[covered[b]]);
            }
        }
        self.synchronise(&covered);
        self.owned(&covered);
        covered
    }

    /// Release and acquire.
    fn synchronise(&mut self, covered: &[Lit]) {
        let stale = self.stale_event();
        let fences: Vec<usize> = self.indices().filter(|&e| self.node(e).act == Act::Fence).collect();
        for w in self.indices() {
            if !self.writes(w) || !self.is_sequential(w) {
                continue;
            }
            let mut heads = if self.node(w).releases { vec![(w, TRUE)] } else { Vec::new() };
            for &fence in &fences {
                if self.node(fence).releases && self.is_sequential(fence) {
                    let so = self.so(fence, w);
                    heads.push((fence, so));
                }
            }
            for r in self.indices() {
                if !self.node(r).reads()
                    || r == w
                    || Some(r) == stale
                    || self.events[r].class != self.events[w].class
                {
                    continue;
                }
                let mut targets = if self.node(r).acquires { vec![(r, TRUE)] } else { Vec::new() };
                for &fence in &fences {
                    if self.node(fence).acquires {
                        let so = self.so(r, fence);
                        targets.push((fence, so));
                    }
                }
                if heads.is_empty() || targets.is_empty() {
                    continue;
                }
                for (ways, name) in self.release_sequences(w, r) {
                    if let Some(name) = &name {
                        self.f.begin(name);
                    }
                    for &(head, from) in &heads {
                        for &(target, to) in &targets {
                            let mut all =
                                vec![covered[head], self.events[head].on, self.events[target].on, from, to];
                            all.extend([self.events[w].on, self.events[r].on]);
                            all.extend(&ways);
                            self.f.implies(&all, &[covered[target]]);
                        }
                    }
                    self.f.end();
                }
            }
        }
    }

    /// Conditions under which a read is in the release sequence of a write, and the fact that says so.
    fn release_sequences(&mut self, w: usize, r: usize) -> Vec<(Vec<Lit>, Option<String>)> {
        let class = self.events[w].class.expect("a write has a class");
        let c = &self.library.classes[class];
        let updates = self.node(w).act == Act::Update && c.shared_updates;
        let direct = self.eq(self.source(r), self.point(w));
        let mut all = vec![(vec![direct], None)];
        if updates && self.switches.updates {
            // Whatever is written after a read-modify-write is written by one.
            let name = format!("{}: only read-modify-writes follow one", c.name);
            let (same, reached) = (self.same(w, r), self.le(self.point(w), self.source(r)));
            all.push((vec![same, reached], Some(name)));
            return all;
        }
        for u in self.writes_of(class) {
            if u != w && u != r && self.node(u).act == Act::Update {
                let (first, second) =
                    (self.eq(self.source(u), self.point(w)), self.eq(self.source(r), self.point(u)));
                let on = self.events[u].on;
                all.push((vec![first, second, on], None));
            }
        }
        all
    }

    /// A location that one session writes, always with release: who acquires from it has seen all that
    /// the session did up to that write, whichever it was.
    fn owned(&mut self, covered: &[Lit]) {
        if !self.switches.owned {
            return;
        }
        for r in self.indices() {
            let Some(class) = self.events[r].class else { continue };
            let c = &self.library.classes[class];
            let Some(owner) = c.owner.filter(|_| c.releases && !c.heap && self.node(r).reads()) else {
                continue;
            };
            if !self.node(r).acquires || Some(r) == self.stale_event() {
                continue;
            }
            self.f.begin(&format!("{}: written by one session, with release", c.name));
            for e in self.indices() {
                let role = self.library.operations[self.calls[self.events[e].call]].session;
                if role == Some(owner) && self.is_sequential(e) && self.events[e].point.is_some() {
                    let reached = self.le(self.point(e), self.source(r));
                    let (x, y) = (self.events[e].on, self.events[r].on);
                    self.f.implies(&[covered[e], x, y, reached], &[covered[r]]);
                }
            }
            self.f.end();
        }
    }
}
