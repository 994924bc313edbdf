//! The obligations of a proof: formulas that have no assignment if the object is robust for the reason
//! that is tried.
//!
//! Take a complete execution that sequential consistency does not have, and add its blocks one after
//! another, each after those it reads from. The first one that breaks sequential consistency does so by
//! an access `y`, which reads or is placed before some write `m` of its location although `m` leads to
//! `y`'s session by `so ∪ rf ∪ mo ∪ fr`. Let `m` be the last such write. What comes after `m` by
//! `mo?;rf?;hb?` is *covered*; nothing that precedes `y` in its session is. So either no `y` can skip `m` at
//! all (**D**), or the way from `m` to `y` leaves what is covered by some edge from `a` to `b`: if there
//! is no such edge, there is no such way (**P0**). If there is, there may be none that ends in `y`'s session
//! (**Q1**) and none that goes on through a third one (**P1**): on a way that changes sessions as seldom as can be
//! no session comes twice, since that would be a shorter way or a circle, and `m`'s does not come again, since what
//! follows `m` there is covered. All calls but that of `y` stand at the end of a block; `y`'s may be the last of the way.
//!
//! **Via links.** Let `p` be a link of a list ([`super::list`]) for which P0 was shown: nothing leads out of what
//! `p` covers. If `m`'s session has acquired a node that was linked by `p` or later before `m`, then `p` happens
//! before `m` (*told*), so `m` is covered by `p`; then so is all that `m` leads to, and with it what precedes `y` in its
//! session. So no read of `y`'s block, `y` included, is older than `p` at `p`'s location. (`p` is the last
//! write there, as P0 asks for: a field is linked once.) This excludes a dequeue that finds an old `head` and,
//! behind it, an old null.
//!
//! Where a write `y` goes to a location that has both plain writes and read-modify-writes, `m` is taken to
//! be the write right after `y`'s place instead: that one is no read-modify-write, which would have to
//! read from `y`.

use super::encode::{Instance, Part, Partial, Switches};
use super::formula::{FALSE, Lit, TRUE};
use super::lemma::{Lemma, Lemmas};
use super::library::Library;
use super::term::Term;
use super::tree::Act;

/// A node of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Label {
    pub operation: usize,
    pub node: usize,
}

/// Which of the writes that `y` skips is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Form {
    /// The last that leads to `y`.
    Last,
    /// The one right after `y`'s place.
    Next,
}

pub struct Obligations<'l> {
    pub library: &'l Library,
    pub lemmas: &'l Lemmas,
    pub switches: Switches,
    /// Of links of a list: P0 was shown.
    pub closed: bool,
    /// What follows a stale access is held against every write of these calls, not just the one that is skipped.
    pub tails: bool,
}

impl<'l> Obligations<'l> {
    pub fn labels(&self) -> Vec<Label> {
        let operations = self.library.operations.iter().enumerate();
        operations
            .flat_map(|(operation, o)| (0..o.tree.nodes.len()).map(move |node| Label { operation, node }))
            .collect()
    }

    pub fn node(&self, l: Label) -> &'l super::tree::Node {
        self.library.node(l.operation, l.node)
    }

    pub fn class(&self, l: Label) -> Option<usize> {
        self.library.class_of(l.operation, l.node)
    }

    /// Which `y` may skip `m`, and in which form; `None`: it cannot.
    pub fn form(&self, m: Label, y: Label) -> Option<Form> {
        let class = self.class(m)?;
        if self.class(y) != Some(class) || !(self.node(y).reads() || self.node(y).writes()) {
            return None;
        }
        let (mine, other) = (self.node(m), self.node(y));
        if !other.writes() {
            return Some(Form::Last);
        }
        let c = &self.library.classes[class];
        // Each write is followed by the read-modify-write that reads it.
        if c.updates && self.switches.updates {
            return None;
        }
        // Two calls write to blocks of their own.
        if mine.own && other.own {
            return None;
        }
        let labels = self.labels();
        let of_class = || labels.iter().filter(|l| self.class(**l) == Some(class)).map(|l| self.node(*l));
        let mixed = of_class().any(|n| n.act == Act::Write) && of_class().any(|n| n.act == Act::Update);
        match (mixed, mine.act) {
            (false, _) => Some(Form::Last),
            (true, Act::Write) => Some(Form::Next),
            (true, _) => None,
        }
    }

    fn instance(&self, calls: &[usize], stale: Option<(usize, usize)>, partial: Partial) -> Instance<'l> {
        let mut instance = Instance::new(self.library, self.switches, calls, stale, partial);
        self.lemmas.assert(&mut instance);
        instance
    }

    /// No write to the location of `m` between it and the cut.
    fn last(x: &mut Instance<'_>, m: usize) {
        let (cut, class) = (x.cut, x.events[m].class.expect("a write has a class"));
        let inside = x.lt(x.point(m), cut);
        x.f.require(inside);
        for w in x.writes_of(class) {
            if w != m {
                let (same, on) = (x.same(w, m), x.events[w].on);
                let (after, before) = (x.precedes(m, w), x.lt(x.point(w), cut));
                x.f.clause(&[-same, -on, -after, -before]);
            }
        }
        for r in x.reads_of(class) {
            if r != m {
                let (same, on, source) = (x.same(r, m), x.events[r].on, x.source(r));
                let (after, before) = (x.lt(x.point(m), source), x.lt(source, cut));
                x.f.clause(&[-same, -on, -after, -before]);
            }
        }
    }

    /// `y`, which nothing covered precedes, goes before `m`.
    fn skips(x: &mut Instance<'_>, m: usize, y: usize, form: Form, covered: &[Lit]) {
        let (cut, class) = (x.cut, x.events[m].class.expect("a write has a class"));
        let (same, on) = (x.same(m, y), x.events[m].on);
        x.f.require(on);
        x.f.require(same);
        let here = x.eq(cut, x.point(y));
        x.f.require(here);
        let after = x.precedes(m, y);
        x.f.require(after);
        let together = x.session(x.events[m].call, x.events[y].call);
        x.f.require(-together);
        for e in x.indices() {
            if e == y || !x.is_sequential(e) {
                continue;
            }
            let (so, on) = (x.so(e, y), x.events[e].on);
            x.f.clause(&[-so, -on, -covered[e]]);
        }
        if x.node(y).reads() {
            let stale = x.lt(x.source(y), x.point(m));
            x.f.require(stale);
            Self::coherent(x, y);
        }
        match form {
            Form::Last => Self::last(x, m),
            Form::Next => {
                if x.node(y).reads() {
                    for w in x.writes_of(class) {
                        if w != m {
                            let (same, on) = (x.same(w, m), x.events[w].on);
                            let (after, before) = (x.lt(x.source(y), x.point(w)), x.precedes(w, m));
                            x.f.clause(&[-same, -on, -after, -before]);
                        }
                    }
                    for r in x.reads_of(class) {
                        if r != y {
                            let (same, on, s) = (x.same(r, m), x.events[r].on, x.source(r));
                            let (after, before) = (x.lt(x.source(y), s), x.lt(s, x.point(m)));
                            x.f.clause(&[-same, -on, -after, -before]);
                        }
                    }
                }
            }
        }
        let tail: Vec<usize> = x.indices().filter(|&e| x.events[e].part == Part::Tail).collect();
        for z in tail {
            if x.node(z).reads() {
                Self::coherent(x, z);
                Self::not_behind(x, m, z, covered);
            }
        }
    }

    /// If `m`'s call has seen a link before `m`, then so has whoever `m` leads to, and reads no older value there.
    fn via_links(&self, x: &mut Instance<'_>, m: usize) {
        let Some(list) = self.library.list.as_ref().filter(|_| self.closed) else { return };
        let told: Vec<usize> = self.lemmas.all.iter().flat_map(Lemma::told_of).copied().collect();
        x.f.begin(&format!(
            "{}: links are seen by all that they lead to",
            self.library.classes[list.next].name
        ));
        for z in x.reads_of(list.next) {
            let Some(of) = x.span_of_index(z).filter(|_| !x.is_sequential(z)) else { continue };
            for r in x.indices() {
                let told = x.events[r].class.is_some_and(|c| told.contains(&c));
                let before = x.events[r].call == x.events[m].call && (r == m || x.so(r, m) == TRUE);
                if !told || !before || !x.node(r).acquires {
                    continue;
                }
                if let Some((is, _, span)) = x.reads_node(r) {
                    let (old, seen) = (x.lt(x.source(z), of.leave), x.le(of.leave, span.enter));
                    let on = x.events[z].on;
                    x.f.clause(&[-on, -is, -old, -seen]);
                }
            }
        }
        x.f.end();
    }

    /// A read is not older than what its session has read or written.
    fn coherent(x: &mut Instance<'_>, r: usize) {
        let class = x.events[r].class.expect("a read has a class");
        for e in x.indices() {
            if e == r || x.events[e].class != Some(class) {
                continue;
            }
            let so = x.so(e, r);
            if so == FALSE {
                continue;
            }
            let (same, a, b) = (x.same(e, r), x.events[e].on, x.events[r].on);
            if x.node(e).reads() {
                let reached = x.le(x.source(e), x.source(r));
                x.f.implies(&[so, same, a, b], &[reached]);
            }
            if x.writes(e) && x.is_sequential(e) {
                let reached = x.le(x.point(e), x.source(r));
                x.f.implies(&[so, same, a, b], &[reached]);
            }
        }
    }

    /// What a tail may read.
    fn not_behind(x: &mut Instance<'_>, m: usize, z: usize, covered: &[Lit]) {
        let class = x.events[z].class.expect("a read has a class");
        let on = x.events[z].on;
        if x.events[m].class == Some(class) {
            let (same, reached) = (x.same(m, z), x.le(x.point(m), x.source(z)));
            x.f.implies(&[on, same, covered[z]], &[reached]);
        }
        // Two read-modify-writes do not read one write.
        if x.node(z).act == Act::Update {
            for u in x.writes_of(class) {
                if x.node(u).act == Act::Update {
                    let (same, there) = (x.same(u, z), x.events[u].on);
                    let alike = x.eq(x.source(u), x.source(z));
                    x.f.clause(&[-on, -same, -there, -alike]);
                }
            }
        }
        // Where only read-modify-writes write, one more reads the last one.
        if x.node(z).act == Act::Update && x.library.classes[class].updates && x.switches.updates {
            x.f.begin(&format!("{}: only read-modify-writes follow one", x.library.classes[class].name));
            for w in x.writes_of(class) {
                let (same, won, reached) = (x.same(w, z), x.events[w].on, x.le(x.point(w), x.source(z)));
                x.f.implies(&[on, same, won], &[reached]);
            }
            for r in x.reads_of(class) {
                if r != z {
                    let (same, ron, reached) = (x.same(r, z), x.events[r].on, x.le(x.source(r), x.source(z)));
                    x.f.implies(&[on, same, ron], &[reached]);
                }
            }
            x.f.end();
        }
    }

    /// Nor is it behind other writes of these calls that it comes after.
    fn tails_seen(&self, x: &mut Instance<'_>, m: usize) {
        if !self.tails {
            return;
        }
        let tail = x.indices().filter(|&e| x.events[e].part == Part::Tail && x.node(e).reads());
        let tail: Vec<usize> = tail.collect();
        let mut classes: Vec<usize> = tail.iter().filter_map(|&z| x.events[z].class).collect();
        classes.sort_unstable();
        classes.dedup();
        for class in classes {
            for v in x.writes_of(class) {
                if v == m {
                    continue;
                }
                let covered = x.cover(v, true);
                self.lemmas.synchronise(x, &covered);
                for &z in &tail {
                    if x.events[z].class != Some(class) {
                        continue;
                    }
                    let (same, reached) = (x.same(v, z), x.le(x.point(v), x.source(z)));
                    let (a, b) = (x.events[v].on, x.events[z].on);
                    x.f.implies(&[a, b, same, covered[z]], &[reached]);
                }
            }
        }
    }

    /// `y` skips `m`.
    pub fn d(&self, m: Label, y: Label, form: Form, context: &[usize]) -> Instance<'l> {
        let mut calls = vec![m.operation, y.operation];
        calls.extend(context);
        let mut x = self.instance(&calls, Some((1, y.node)), Partial::Nobody);
        let (me, ye) = (x.at[0][&m.node], x.at[1][&y.node]);
        let covered = x.cover(me, true);
        self.lemmas.synchronise(&mut x, &covered);
        Self::skips(&mut x, me, ye, form, &covered);
        self.via_links(&mut x, me);
        self.tails_seen(&mut x, me);
        x
    }

    /// An edge from `a` to `b` that no other access comes between.
    fn edge(x: &mut Instance<'_>, a: usize, b: usize) -> Option<Vec<Lit>> {
        if a == b || x.events[a].class.is_none() || x.events[a].class != x.events[b].class {
            return None;
        }
        let (writes, then) = (x.writes(a), x.writes(b));
        if !(writes || then) || !x.is_sequential(a) || !x.is_sequential(b) {
            return None;
        }
        let same = x.same(a, b);
        if same == FALSE {
            return None;
        }
        let mut all = vec![same, x.events[a].on, x.events[b].on, x.precedes(a, b)];
        let class = x.events[a].class.expect("an access has a class");
        for v in x.writes_of(class) {
            if v != a && v != b {
                let (same, on) = (x.same(v, a), x.events[v].on);
                let (after, before) = (x.precedes(a, v), x.precedes(v, b));
                let between = x.f.and(&[same, on, after, before]);
                all.push(-between);
            }
        }
        if writes && x.node(b).reads() {
            let reads = x.eq(x.source(b), x.point(a));
            all.push(reads);
        }
        if !writes && x.node(b).act == Act::Update {
            let alike = x.eq(x.source(a), x.source(b));
            all.push(alike);
        }
        Some(all)
    }

    /// A hop from call `from` (what is covered) to call `to` (what is not): which edges there are.
    fn hops(x: &mut Instance<'_>, from: usize, to: usize, covered: &[Lit]) -> Vec<(Lit, usize)> {
        let ends = |x: &Instance<'_>, call: usize| x.at[call].values().copied().collect::<Vec<_>>();
        let mut found = Vec::new();
        for a in ends(x, from) {
            for b in ends(x, to) {
                let Some(mut all) = Self::edge(x, a, b) else { continue };
                all.extend([covered[a], -covered[b], x.lt(x.point(b), x.cut)]);
                let hop = x.f.fresh();
                for lit in all {
                    x.f.implies(&[hop], &[lit]);
                }
                found.push((hop, b));
            }
        }
        found
    }

    /// Something covered by `m`, in call `from` (0 is that of `m`), leads to something that is not in another
    /// call. `None`: nothing could.
    pub fn p0(
        &self,
        m: Label,
        from: Option<usize>,
        to: usize,
        form: Form,
        context: &[usize],
    ) -> Option<Instance<'l>> {
        let mut calls = vec![m.operation, to];
        calls.extend(from);
        calls.extend(context);
        let mut x = self.instance(&calls, None, Partial::One(1));
        let me = x.at[0][&m.node];
        let covered = x.cover(me, true);
        self.lemmas.synchronise(&mut x, &covered);
        let on = x.events[me].on;
        x.f.require(on);
        if form == Form::Last {
            Self::last(&mut x, me);
        }
        let hops = Self::hops(&mut x, if from.is_some() { 2 } else { 0 }, 1, &covered);
        let together = x.session(0, 1);
        x.f.require(-together);
        let any: Vec<Lit> = hops.iter().map(|h| h.0).collect();
        x.f.clause(&any);
        (!any.is_empty()).then_some(x)
    }

    /// The same, in the session of `y`, which then skips `m`. `to`: an earlier call of that session, or none
    /// if it is `y`'s own.
    pub fn q1(
        &self,
        (m, y): (Label, Label),
        form: Form,
        from: Option<usize>,
        to: Option<usize>,
        context: &[usize],
    ) -> Option<Instance<'l>> {
        let mut calls = vec![m.operation, y.operation];
        let source = from.map_or(0, |_| calls.len());
        calls.extend(from);
        let target = to.map_or(1, |_| calls.len());
        calls.extend(to);
        calls.extend(context);
        let mut x = self.instance(&calls, Some((1, y.node)), Partial::Nobody);
        let (me, ye) = (x.at[0][&m.node], x.at[1][&y.node]);
        let covered = x.cover(me, true);
        self.lemmas.synchronise(&mut x, &covered);
        Self::skips(&mut x, me, ye, form, &covered);
        self.via_links(&mut x, me);
        self.tails_seen(&mut x, me);
        let mut any = Vec::new();
        for (hop, b) in Self::hops(&mut x, source, target, &covered) {
            let so = x.so(b, ye);
            x.f.implies(&[hop], &[so]);
            any.push(hop);
        }
        x.f.clause(&any);
        (!any.is_empty()).then_some(x)
    }

    /// Something covered by `m` leads to something that is not, of another session (call `to`), and that session, there
    /// or later (in `then`, if that is another call), to a third one (call `at_last`).
    pub fn p1(
        &self,
        m: Label,
        form: Form,
        from: Option<usize>,
        (to, then, at_last): (usize, Option<usize>, usize),
        context: &[usize],
    ) -> Option<Instance<'l>> {
        let mut calls = vec![m.operation, at_last, to];
        let source = from.map_or(0, |_| calls.len());
        calls.extend(from);
        let leaves = then.map_or(2, |_| calls.len());
        calls.extend(then);
        calls.extend(context);
        let mut x = self.instance(&calls, None, Partial::One(1));
        let me = x.at[0][&m.node];
        let covered = x.cover(me, true);
        self.lemmas.synchronise(&mut x, &covered);
        let on = x.events[me].on;
        x.f.require(on);
        if form == Form::Last {
            Self::last(&mut x, me);
        }
        for (a, b) in [(0, 1), (0, 2), (1, 2)] {
            let together = x.session(a, b);
            x.f.require(-together);
        }
        if leaves != 2 {
            let (together, earlier) = (x.session(2, leaves), x.earlier(2, leaves));
            x.f.require(together);
            x.f.require(earlier);
        }
        let first = Self::hops(&mut x, source, 2, &covered);
        let reached: Vec<Lit> = first.iter().map(|h| h.0).collect();
        x.f.clause(&reached);
        let ends = |x: &Instance<'_>, call: usize| x.at[call].values().copied().collect::<Vec<_>>();
        let mut any = Vec::new();
        for a in ends(&x, leaves) {
            for b in ends(&x, 1) {
                let Some(mut all) = Self::edge(&mut x, a, b) else { continue };
                all.extend([-covered[a], -covered[b], x.lt(x.point(b), x.cut)]);
                let hop = x.f.fresh();
                for lit in all {
                    x.f.implies(&[hop], &[lit]);
                }
                // It leaves where it came in, or later.
                let mut ways = Vec::new();
                for &(came, c) in &first {
                    let so = if a == c { TRUE } else { x.so(c, a) };
                    ways.push(x.f.and2(came, so));
                }
                x.f.implies(&[hop], &ways);
                any.push(hop);
            }
        }
        x.f.clause(&any);
        (!any.is_empty() && !reached.is_empty()).then_some(x)
    }

    /// Somebody uses a block though nothing makes its allocation visible.
    pub fn unseen(&self, alloc: Label, access: Label, context: &[usize]) -> Instance<'l> {
        let mut calls = vec![alloc.operation, access.operation];
        calls.extend(context);
        let mut x = self.instance(&calls, None, Partial::Everyone);
        let (a, e) = (x.at[0][&alloc.node], x.at[1][&access.node]);
        let covered = x.cover(a, false);
        self.lemmas.synchronise(&mut x, &covered);
        let mut all = vec![x.events[a].on, x.events[e].on, -covered[e], -x.session(0, 1)];
        if let (Some(Term::Alloc(k)), Some(index)) =
            (self.node(alloc).value.clone(), x.events[e].index.clone())
            && let Some(block) = x.plain(0, &Term::Alloc(k))
        {
            let same = x.f.equal(&index, &block);
            all.push(same);
        }
        for lit in all {
            x.f.require(lit);
        }
        x
    }

    /// Two accesses that nothing orders, one of them a plain one, one of them a write.
    pub fn race(&self, first: Label, second: Label, context: &[usize]) -> Instance<'l> {
        let mut calls = vec![first.operation, second.operation];
        calls.extend(context);
        let mut x = self.instance(&calls, None, Partial::Everyone);
        let (a, b) = (x.at[0][&first.node], x.at[1][&second.node]);
        let covered = x.cover(a, false);
        self.lemmas.synchronise(&mut x, &covered);
        let same = x.same(a, b);
        let all = [x.events[a].on, x.events[b].on, -covered[b], -x.session(0, 1), same, x.precedes(a, b)];
        for lit in all {
            x.f.require(lit);
        }
        x
    }
}
