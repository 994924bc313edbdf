//! Lists that grow at their end, as queues have them: nodes are linked by a field that goes once from null to a
//! new node, and global *pointers* hold nodes.
//!
//! **What the code shows at a glance** (`List::of`, in [`super::library`]). Every write to the field that others can see is a
//! compare-and-swap from null to a block that its call made; that *link* is the first thing by which others get to
//! know the block, and happens once. Before it the call stores null to the field of its block, on every
//! path. Pointers begin with one first node, whose field is null, and are written by read-modify-writes
//! only: with a block that its call has linked, or with what was read from a pointer, or from the field if that was
//! not null. No node is known in another way.
//!
//! **Ghosts.** In a sequentially consistent execution each node `n` that is known has two points in the
//! order: `enter(n)`, its link (0 for the first node), and `leave(n)`, the link that writes its field (the end of all if
//! there is none). By the above, each of these is one event, and
//! - whoever reads `n` from a pointer reads a write after `enter(n)`; who reads `n` from the field of `t`
//!   reads from `leave(t) = enter(n)`; who reads null there reads a write before `enter(t)`, or the initial one of the
//!   first node, and does so before `leave(t)`;
//! - a further link of `t` in an execution that goes on, wherever it reads, finds no other one: `leave(t)` is the end.
//!
//! What more is said of them takes inductions ([`super::lemma`], [`super::induct`]):
//! - **chain**: a node is linked only to the last: `enter(v) < enter(w)` implies `leave(v) ≤ enter(w)`.
//! - **follows**: a pointer moves to nodes that were linked later.
//! - **lags**: of a pointer that links are found by: what it shows is the last node or the one before.
//! - **behind**: of two pointers, the one never shows a later node than the other does at the time.
//! - **told**, **passed**: below, at [`told`] and [`passed`].

use super::encode::Instance;
use super::formula::{Bits, FALSE, Lit, TRUE};
pub use super::nodes::{List, Span};
use super::term::{Binary, Term, ZERO};
use super::tree::Act;

/// A node that these calls know.
#[derive(Clone, Debug)]
pub struct Known {
    /// Whether it is one.
    pub is: Lit,
    pub bits: Bits,
    pub span: Span,
}

impl<'l> Instance<'l> {
    /// The points of nodes, made together with those of events.
    pub(super) fn make_spans(&mut self) {
        let Some(list) = self.library.list.as_ref().filter(|_| self.switches.list) else { return };
        let mut point = || {
            self.points += 1;
            self.points - 1
        };
        self.first_leaves = point();
        self.end = point();
        let mut by_depth = std::collections::BTreeMap::new();
        for e in 0..self.events.len() {
            let event = &self.events[e];
            let operation = &self.library.operations[self.calls[event.call]];
            let node = &operation.tree.nodes[event.node];
            let Some(class) = event.class.filter(|&c| node.reads() && list.shows_nodes(c)) else { continue };
            if class == list.next && node.act == Act::Update {
                continue;
            }
            // A compare-and-swap that succeeds finds what it expects.
            let expected = node.conditions.iter().find_map(|(c, is)| match c {
                Term::Bin(Binary::Eq, _, a, b) if *is => match (&**a, &**b) {
                    (Term::Read(a, _), Term::Read(b, _)) if *a == event.node => Some(*b),
                    _ => None,
                },
                _ => None,
            });
            let other = expected.and_then(|n| self.at[event.call].get(&n)).and_then(|o| self.spans.get(o));
            let span = match (other, class == list.next, event.source) {
                (Some(span), ..) => *span,
                (None, field, Some(source)) => *by_depth
                    .entry((event.call, operation.depth[event.node], field))
                    .or_insert_with(|| Span { enter: if field { source } else { point() }, leave: point() }),
                _ => continue,
            };
            self.spans.insert(e, span);
        }
        for &block in self.blocks.keys() {
            self.made.insert(block, Span { enter: point(), leave: point() });
        }
    }

    /// The node that a term is.
    pub fn span(&self, call: usize, term: &Term) -> Option<Span> {
        match term {
            Term::Read(n, _) => self.at[call].get(n).and_then(|e| self.spans.get(e)).copied(),
            Term::Alloc(k) => self.made.get(&(call, *k)).copied(),
            Term::Initial(_) => Some(Span { enter: 0, leave: self.first_leaves }),
            _ => None,
        }
    }

    /// The node whose field is accessed.
    pub fn span_of_index(&self, event: usize) -> Option<Span> {
        let e = &self.events[event];
        let (_, index) = self.library.operations[self.calls[e.call]].access[e.node].as_ref()?;
        self.span(e.call, index)
    }

    /// The node that is written.
    pub fn span_of_value(&self, event: usize) -> Option<Span> {
        self.span(self.events[event].call, self.node(event).value.as_ref()?)
    }

    /// What an access reads is a node.
    pub fn reads_node(&mut self, event: usize) -> Option<(Lit, Bits, Span)> {
        let (span, bits) = (*self.spans.get(&event)?, self.events[event].read.clone()?);
        let (on, null) = (self.events[event].on, self.is_null(&bits));
        let field = self.library.list.as_ref().map(|l| l.next) == self.events[event].class;
        // A field has no node to begin with.
        let defined = if field { -self.le(self.source(event), 0) } else { TRUE };
        Some((self.f.and(&[on, -null, defined]), bits, span))
    }

    fn is_null(&mut self, bits: &Bits) -> Lit {
        let null = self.plain(0, &ZERO).expect("null has a name");
        self.f.equal(bits, &null)
    }

    /// Links of these calls that happened.
    pub fn links(&self) -> Vec<usize> {
        let Some(list) = self.library.list.as_ref().filter(|_| self.switches.list) else { return Vec::new() };
        let links = self.writes_of(list.next).into_iter();
        links.filter(|&e| self.node(e).act == Act::Update).collect()
    }

    /// Nodes that these calls made, and the first.
    pub fn made_nodes(&mut self, list: &List) -> Vec<Known> {
        let first = Term::Initial(list.first);
        let mut all = Vec::new();
        if let (Some(bits), Some(span)) = (self.plain(0, &first), self.span(0, &first)) {
            all.push(Known { is: TRUE, bits, span });
        }
        for ((call, k), span) in self.made.clone() {
            let block = Term::Alloc(k);
            let links = self.links().into_iter();
            let linked: Vec<Lit> = links
                .filter(|&e| self.events[e].call == call && self.node(e).value.as_ref() == Some(&block))
                .map(|e| self.events[e].on)
                .collect();
            let is = self.f.or(&linked);
            if let Some(bits) = self.plain(call, &block).filter(|_| !linked.is_empty()) {
                all.push(Known { is, bits, span });
            }
        }
        all
    }

    /// Every node that is known here.
    pub fn known_nodes(&mut self, list: &List) -> Vec<Known> {
        let mut all = self.made_nodes(list);
        for e in self.spans.keys().copied().collect::<Vec<_>>() {
            // What a compare-and-swap finds was read before.
            if self.node(e).act == Act::Update
                && self.spans.iter().any(|(&o, s)| o < e && *s == self.spans[&e])
            {
                continue;
            }
            if let Some((is, bits, span)) = self.reads_node(e) {
                all.push(Known { is, bits, span });
            }
        }
        all
    }

    /// What the code shows at a glance.
    pub(super) fn list_facts(&mut self) {
        let library = self.library;
        let Some(list) = library.list.as_ref().filter(|_| self.switches.list) else { return };
        self.f.begin(&format!(
            "{}: goes from null to a new node, which nobody knew",
            library.classes[list.next].name
        ));
        let first = self.plain(0, &Term::Initial(list.first)).expect("it has a name");
        for e in self.spans.keys().copied().collect::<Vec<_>>() {
            let (on, source) = (self.events[e].on, self.source(e));
            let Some((is, bits, span)) = self.reads_node(e) else { continue };
            if self.events[e].class != Some(list.next) {
                let is_first = self.f.equal(&bits, &first);
                let later = self.lt(span.enter, source);
                self.f.implies(&[on], &[is]);
                self.f.implies(&[on], &[later, is_first]);
            }
        }
        for e in self.reads_of(list.next) {
            let (Some(index), Some(of), Some(bits)) =
                (self.events[e].index.clone(), self.span_of_index(e), self.events[e].read.clone())
            else {
                continue;
            };
            let (on, source, null) = (self.events[e].on, self.source(e), self.is_null(&bits));
            let (is_first, initial) = (self.f.equal(&index, &first), self.le(source, 0));
            let undefined = self.f.and2(initial, -is_first);
            let (early, strictly) = (self.le(source, of.enter), self.lt(source, of.enter));
            self.f.implies(&[on, null, -undefined], &[early]);
            self.f.implies(&[on, null, -undefined], &[strictly, is_first]);
            for lit in [self.le(source, of.leave), self.le(of.leave, source)] {
                self.f.implies(&[on, -null, -undefined], &[lit]);
            }
            let update = self.node(e).act == Act::Update;
            if self.is_sequential(e) {
                self.f.implies(&[on], &[-undefined]);
                let (point, still) = (self.point(e), self.le(self.point(e), of.leave));
                self.f.implies(&[on, null], &[still]);
                if !update {
                    let strictly = self.lt(point, of.leave);
                    self.f.implies(&[on, null], &[strictly]);
                } else if let Some(made) = self.span_of_value(e) {
                    for (p, q) in [(point, of.leave), (point, made.enter)] {
                        for lit in [self.le(p, q), self.le(q, p)] {
                            self.f.implies(&[on], &[lit]);
                        }
                    }
                }
            } else if update {
                let none = self.le(self.end, of.leave);
                self.f.implies(&[on, null, -undefined], &[none]);
            }
        }
        // One node, one place in the list.
        let all = self.known_nodes(list);
        for (i, a) in all.iter().enumerate() {
            for b in &all[..i] {
                if a.span == b.span {
                    continue;
                }
                let equal = self.f.equal(&a.bits, &b.bits);
                for (p, q) in [(a.span.enter, b.span.enter), (a.span.leave, b.span.leave)] {
                    for lit in [self.le(p, q), self.le(q, p)] {
                        self.f.implies(&[a.is, b.is, equal], &[lit]);
                    }
                }
                let apart = [self.lt(a.span.enter, b.span.enter), self.lt(b.span.enter, a.span.enter)];
                self.f.implies(&[a.is, b.is, -equal], &apart);
            }
        }
        self.f.end();
    }
}

/// A node is linked only to the last one.
pub fn assert_chain(x: &mut Instance<'_>, list: &List, before: Option<usize>) {
    let all = x.known_nodes(list);
    for a in &all {
        for b in &all {
            if a.span != b.span {
                let (first, done) = (x.lt(a.span.enter, b.span.enter), x.le(a.span.leave, b.span.enter));
                let early = before.map_or(TRUE, |p| x.lt(b.span.enter, p));
                x.f.implies(&[a.is, b.is, first, early], &[done]);
            }
        }
    }
}

/// Where a pointer shows which node: condition, point, node.
fn shown(x: &mut Instance<'_>, list: &List, pointer: usize) -> Vec<(Lit, usize, Span)> {
    let mut all = Vec::new();
    for e in x.indices() {
        if x.events[e].class != Some(pointer) {
            continue;
        }
        let on = x.events[e].on;
        if let (Some(&span), Some(source)) = (x.spans.get(&e), x.events[e].source) {
            all.push((on, source, span));
        }
        if let (true, true, Some(span)) = (x.writes(e), x.is_sequential(e), x.span_of_value(e)) {
            all.push((on, x.point(e), span));
        }
    }
    all.extend(x.span(0, &Term::Initial(list.first)).map(|span| (TRUE, 0, span)));
    all
}

/// A pointer moves to nodes that were linked later.
pub fn assert_follows(x: &mut Instance<'_>, list: &List, pointer: usize) {
    let all = shown(x, list, pointer);
    for &(a, p, v) in &all {
        for &(b, q, w) in &all {
            if p != q && v != w {
                let (first, moved) = (x.lt(p, q), x.lt(v.enter, w.enter));
                x.f.implies(&[a, b, first], &[moved]);
            } else if p != q {
                let first = x.lt(p, q);
                x.f.clause(&[-a, -b, -first]);
            }
        }
    }
}

/// Of a node that has a successor, a pointer shows it or a later one.
pub fn assert_lags(x: &mut Instance<'_>, list: &List, pointer: usize) {
    let all = x.known_nodes(list);
    for r in x.reads_of(pointer) {
        let Some(&span) = x.spans.get(&r).filter(|_| x.is_sequential(r)) else { continue };
        let on = x.events[r].on;
        for w in &all {
            let (linked, reached) = (x.lt(w.span.leave, x.point(r)), x.le(w.span.enter, span.enter));
            x.f.implies(&[on, w.is, linked], &[reached]);
        }
    }
}

/// One pointer never shows a later node than another one does at the time.
pub fn assert_behind(
    x: &mut Instance<'_>,
    list: &List,
    (pointer, other): (usize, usize),
    before: Option<usize>,
) {
    for (a, p, v) in shown(x, list, pointer) {
        for r in x.reads_of(other) {
            let Some(&span) = x.spans.get(&r) else { continue };
            let (on, reached) = (x.events[r].on, x.le(v.enter, span.enter));
            if x.is_sequential(r) {
                let early = before.map_or(TRUE, |limit| x.lt(x.point(r), limit));
                let shown = x.lt(p, x.point(r));
                x.f.implies(&[a, on, shown, early], &[reached]);
            } else if before.is_none() && x.node(r).act == Act::Update {
                // A further read-modify-write finds what is shown at the end.
                x.f.implies(&[a, on], &[reached]);
            }
        }
    }
}

/// Who acquires a node from one of these classes has seen every link up to that of the node. For every write of a
/// node to these classes releases, and what it happens after includes these links ([`super::induct`]).
/// `before`: only of reads before that.
pub fn told(x: &mut Instance<'_>, of: &[usize], covered: &[Lit], before: Option<usize>) {
    for p in x.links() {
        let from = (p, x.point(p), false);
        seen_by_readers(x, from, of, covered, before);
    }
}

/// In particular they have seen what its fields were filled with, so they read that or something later. (The first
/// node was filled before everything.)
pub fn assert_filled(x: &mut Instance<'_>, list: &List, of: &[usize]) {
    for &field in &list.filled {
        for r in x.reads_of(field) {
            let e = &x.events[r];
            let access = x.library.operations[x.calls[e.call]].access[e.node].as_ref();
            let Some((_, Term::Read(n, _))) = access else { continue };
            let Some(&from) = x.at[e.call].get(n) else { continue };
            let told = x.events[from].class.is_some_and(|c| of.contains(&c)) && x.node(from).acquires;
            if !told || Some(from) == x.stale_event() {
                continue;
            }
            let (on, initial, index) = (e.on, x.le(x.source(r), 0), e.index.clone());
            if let (Some(index), Some(first)) = (index, x.plain(0, &Term::Initial(list.first))) {
                let is_first = x.f.equal(&index, &first);
                x.f.implies(&[on, initial], &[is_first]);
            }
        }
    }
}

/// Who acquires a node from one of these classes has seen the write by which the pointer moved to an earlier
/// one. For whoever linked the next node read that write.
pub fn passed(x: &mut Instance<'_>, pointer: usize, of: &[usize], covered: &[Lit], before: Option<usize>) {
    for w in x.writes_of(pointer) {
        if let Some(span) = x.span_of_value(w) {
            seen_by_readers(x, (w, span.enter, true), of, covered, before);
        }
    }
}

fn seen_by_readers(
    x: &mut Instance<'_>,
    (from, enter, strictly): (usize, usize, bool),
    of: &[usize],
    covered: &[Lit],
    before: Option<usize>,
) {
    for &class in of {
        for r in x.reads_of(class) {
            if !x.node(r).acquires || r == from || Some(r) == x.stale_event() {
                continue;
            }
            let early = before.map_or(TRUE, |p| if x.is_sequential(r) { x.lt(x.point(r), p) } else { FALSE });
            let Some((is, _, span)) = x.reads_node(r) else { continue };
            let reached = if strictly { x.lt(enter, span.enter) } else { x.le(enter, span.enter) };
            let on = x.events[from].on;
            x.f.implies(&[covered[from], on, is, reached, early], &[covered[r]]);
        }
    }
}
