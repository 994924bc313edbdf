//! Some calls of some client, as a formula: every sequentially consistent prefix of every client, seen
//! from these calls alone, is an assignment of it.
//!
//! Accesses stand in one order. Each read has a *source*, the place in that order of the write it reads:
//! that of one of these calls, or of another one (external), or the initial one, which comes first.
//! Places are points of a total preorder rather than numbers, so nothing limits how many there are.
//! Values are numbers of a few bits: as many as can be told apart, and of counters so many that gaps
//! between values which nobody can see the size of can be made smaller ([`super::values`]).
//!
//! [`super::shapes`]: what calls look like; [`super::sources`]: where reads get their values from.
//!
//! One access may be *stale*: it is not sequentially consistent, and neither is what follows it in its
//! block (its *tail*). Whatever is asserted is true of every execution; what is left out only makes
//! proofs harder. So each clause below has its reason in a line.

use super::formula::{Bits, FALSE, Formula, Lit, TRUE};
use super::library::{Library, Sort};
use super::nodes::Span;
use super::term::Term;
use super::tree::{Act, Node};
use std::collections::{BTreeMap, BTreeSet};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    Sequential,
    Stale,
    Tail,
}

/// Which calls need not be at the end of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Partial {
    Nobody,
    One(usize),
    Everyone,
}

#[derive(Clone, Debug)]
pub struct Event {
    pub call: usize,
    pub node: usize,
    pub part: Part,
    /// Whether it happens.
    pub on: Lit,
    pub class: Option<usize>,
    pub index: Option<Bits>,
    pub read: Option<Bits>,
    pub wrote: Option<Bits>,
    pub point: Option<usize>,
    pub source: Option<usize>,
}

/// Which facts may be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Switches {
    /// Locations that only read-modify-writes write.
    pub updates: bool,
    /// Blocks are written by who allocated them, until they are published.
    pub unique: bool,
    /// Locations that one session writes.
    pub owned: bool,
    /// Those of [`super::lemma`].
    pub grows: bool,
    pub lock: bool,
    pub turn: bool,
    pub ring: bool,
    /// Lists that grow at their end, and the lemmas about them ([`super::list`]).
    pub list: bool,
    /// Lemmas and axioms of the author ([`super::stated`]).
    pub stated: bool,
}

impl Default for Switches {
    fn default() -> Self {
        let on = true;
        Switches {
            updates: on,
            unique: on,
            owned: on,
            grows: on,
            lock: on,
            turn: on,
            ring: on,
            list: on,
            stated: on,
        }
    }
}

pub struct Instance<'l> {
    pub library: &'l Library,
    pub switches: Switches,
    pub f: Formula,
    pub calls: Vec<usize>,
    pub events: Vec<Event>,
    pub at: Vec<BTreeMap<usize, usize>>,
    /// The end of what reaches the stale access.
    pub cut: usize,
    pub(super) order: Vec<Lit>,
    pub(super) points: usize,
    pub(super) same: BTreeMap<(usize, usize), Lit>,
    pub(super) sessions: Vec<Lit>,
    pub(super) before: Vec<Lit>,
    pub(super) constants: Vec<i64>,
    pub(super) blocks: BTreeMap<(usize, usize), u64>,
    pub(super) initial: u64,
    pub(super) plain_width: usize,
    pub number_width: usize,
    pub(super) frees: BTreeMap<(usize, Term), Bits>,
    pub(super) stale: Option<(usize, usize)>,
    pub(super) partial: Partial,
    /// Of nodes that events read, and of blocks that calls make ([`super::list`]).
    pub(super) spans: BTreeMap<usize, Span>,
    pub(super) made: BTreeMap<(usize, usize), Span>,
    pub(super) first_leaves: usize,
    /// After everything.
    pub(super) end: usize,
    /// What comes after the cut does not matter.
    pub(super) ends: bool,
}

impl<'l> Instance<'l> {
    /// `stale`: a call and a node of it.
    pub fn new(
        library: &'l Library,
        switches: Switches,
        calls: &[usize],
        stale: Option<(usize, usize)>,
        partial: Partial,
    ) -> Self {
        let mut instance = Instance {
            library,
            switches,
            f: Formula::default(),
            calls: calls.to_vec(),
            events: Vec::new(),
            at: vec![BTreeMap::new(); calls.len()],
            cut: 0,
            order: Vec::new(),
            points: 1,
            same: BTreeMap::new(),
            sessions: Vec::new(),
            before: Vec::new(),
            constants: Vec::new(),
            blocks: BTreeMap::new(),
            initial: 0,
            plain_width: 0,
            number_width: 0,
            frees: BTreeMap::new(),
            stale,
            partial,
            spans: BTreeMap::new(),
            made: BTreeMap::new(),
            first_leaves: 0,
            end: 0,
            ends: false,
        };
        instance.widths();
        instance.make_sessions();
        instance.make_events();
        instance.make_spans();
        instance.make_order();
        instance.shapes();
        instance.reads();
        instance.exclusive();
        instance.list_facts();
        instance
    }

    pub fn node(&self, event: usize) -> &'l Node {
        let e = &self.events[event];
        self.library.node(self.calls[e.call], e.node)
    }

    pub fn stale_event(&self) -> Option<usize> {
        self.stale.map(|(call, node)| self.at[call][&node])
    }

    pub(super) fn nodes(&self, call: usize) -> usize {
        self.library.operations[self.calls[call]].tree.nodes.len()
    }

    pub(super) fn make_sessions(&mut self) {
        let n = self.calls.len();
        self.sessions = vec![TRUE; n * n];
        self.before = vec![FALSE; n * n];
        for i in 0..n {
            for j in i + 1..n {
                let role = |c: usize| self.library.operations[self.calls[c]].session;
                let together = role(i).is_some() && role(i) == role(j);
                let same = if together { TRUE } else { self.f.fresh() };
                let before = self.f.fresh();
                (self.sessions[i * n + j], self.sessions[j * n + i]) = (same, same);
                (self.before[i * n + j], self.before[j * n + i]) = (before, -before);
            }
        }
        for i in 0..n {
            for j in 0..n {
                for k in 0..n {
                    if i != j && j != k && i != k {
                        let (ij, jk, ik) = (self.session(i, j), self.session(j, k), self.session(i, k));
                        self.f.implies(&[ij, jk], &[ik]);
                        let (b, c, d) = (self.earlier(i, j), self.earlier(j, k), self.earlier(i, k));
                        self.f.implies(&[ij, jk, b, c], &[d]);
                    }
                }
            }
        }
    }

    /// Whether two calls are made by one session.
    pub fn session(&self, i: usize, j: usize) -> Lit {
        self.sessions[i * self.calls.len() + j]
    }

    /// Of calls of one session: which comes first.
    pub fn earlier(&self, i: usize, j: usize) -> Lit {
        self.before[i * self.calls.len() + j]
    }

    pub(super) fn make_events(&mut self) {
        for call in 0..self.calls.len() {
            let operation = &self.library.operations[self.calls[call]];
            let mut place: BTreeMap<usize, usize> = BTreeMap::new();
            let mut sources: BTreeMap<usize, usize> = BTreeMap::new();
            let stale = self.stale.filter(|s| s.0 == call).map(|s| s.1);
            let tail = stale.map(|y| operation.tree.rest_of_block(y)).unwrap_or_default();
            for (n, node) in operation.tree.nodes.iter().enumerate() {
                let (part, on) = match stale {
                    None => (Part::Sequential, self.f.fresh()),
                    Some(y) if y == n => (Part::Stale, TRUE),
                    Some(y) if operation.tree.is_before(n, y) => (Part::Sequential, TRUE),
                    Some(_) if tail.contains(&n) => (Part::Tail, self.f.fresh()),
                    Some(_) => continue,
                };
                let placed = matches!(node.act, Act::Read | Act::Write | Act::Update | Act::Fence);
                let mut point_in = |map: &mut BTreeMap<usize, usize>| {
                    *map.entry(operation.depth[n]).or_insert_with(|| {
                        self.points += 1;
                        self.points - 1
                    })
                };
                let point = placed.then(|| point_in(&mut place));
                let source = node.reads().then(|| point_in(&mut sources));
                let class = self.library.class_of(self.calls[call], n);
                let width = match class.map(|c| self.library.classes[c].sort) {
                    Some(Sort::Plain) => self.plain_width,
                    Some(Sort::Number) => self.number_width,
                    _ => 0,
                };
                let read = (node.reads() && width > 0).then(|| self.f.number(width));
                if width == self.number_width
                    && class.is_some_and(|c| self.library.classes[c].sort == Sort::Number)
                    && let Some(bits) = &read
                {
                    // Sums do not wrap around.
                    let top = -bits[width - 1];
                    self.f.require(top);
                }
                self.at[call].insert(n, self.events.len());
                self.events.push(Event {
                    call,
                    node: n,
                    part,
                    on,
                    class,
                    index: None,
                    read,
                    wrote: None,
                    point,
                    source,
                });
            }
        }
        for e in 0..self.events.len() {
            let (call, n) = (self.events[e].call, self.events[e].node);
            let op = self.calls[call];
            if let Some((class, index)) = &self.library.operations[op].access[n] {
                self.events[e].index = if self.library.classes[*class].heap {
                    self.plain(call, index)
                } else {
                    self.index(call, index)
                };
                let value = self.library.node(op, n).value.clone();
                self.events[e].wrote = match (self.library.classes[*class].sort, value) {
                    (Sort::Plain, Some(value)) => self.plain(call, &value),
                    (Sort::Number, Some(value)) => self.number(call, &value),
                    _ => None,
                };
            }
        }
    }

    pub(super) fn make_order(&mut self) {
        self.cut = self.points;
        self.points += 1;
        let n = self.points;
        self.order = vec![0; n * n];
        // What each point is: events are never at one place, and those of a call are in its order.
        let mut is_event = vec![None; n];
        let mut own_source: Vec<Option<usize>> = vec![None; n];
        for e in &self.events {
            let depth = self.library.operations[self.calls[e.call]].depth[e.node];
            if let Some(p) = e.point {
                is_event[p] = Some((e.call, depth));
            }
            if let (Some(p), Some(s), Part::Sequential) = (e.point, e.source, e.part) {
                own_source[s] = Some(p);
            }
        }
        // Nodes of lists: what follows what, and what comes at the end.
        let spans = self.spans.values().chain(self.made.values());
        let first = Span { enter: 0, leave: self.first_leaves };
        let spans: BTreeSet<(usize, usize)> = spans.chain([&first]).map(|s| (s.enter, s.leave)).collect();
        let leaves: BTreeSet<usize> = spans.iter().map(|s| s.1).collect();
        for p in 0..n {
            for q in p..n {
                let (pq, qp) = if p == q {
                    (TRUE, TRUE)
                } else if spans.contains(&(p, q)) {
                    (TRUE, FALSE)
                } else if spans.contains(&(q, p)) {
                    (FALSE, TRUE)
                } else if self.end > 0 && q == self.end && !leaves.contains(&p) {
                    (TRUE, FALSE)
                } else if self.end > 0 && p == self.end && !leaves.contains(&q) {
                    (FALSE, TRUE)
                } else if p == 0 {
                    let first = is_event[q].is_some() || q == self.cut;
                    (TRUE, if first { FALSE } else { self.f.fresh() })
                } else if own_source[p] == Some(q) {
                    (TRUE, FALSE)
                } else if own_source[q] == Some(p) {
                    (FALSE, TRUE)
                } else {
                    match (is_event[p], is_event[q]) {
                        (Some((c, d)), Some((e, f))) if c == e => {
                            if d < f {
                                (TRUE, FALSE)
                            } else {
                                (FALSE, TRUE)
                            }
                        }
                        (Some(_), Some(_)) => {
                            let lit = self.f.fresh();
                            (lit, -lit)
                        }
                        _ => {
                            let (a, b) = (self.f.fresh(), self.f.fresh());
                            self.f.clause(&[a, b]);
                            (a, b)
                        }
                    }
                };
                self.order[p * n + q] = pq;
                self.order[q * n + p] = qp;
            }
        }
        for p in 0..n {
            for q in 0..n {
                let pq = self.order[p * n + q];
                if p == q || pq == FALSE {
                    continue;
                }
                for r in 0..n {
                    let (qr, pr) = (self.order[q * n + r], self.order[p * n + r]);
                    if r != p && r != q && qr != FALSE && pr != TRUE {
                        self.f.implies(&[pq, qr], &[pr]);
                    }
                }
            }
        }
    }

    /// Not after.
    pub fn le(&self, p: usize, q: usize) -> Lit {
        self.order[p * self.points + q]
    }

    pub fn lt(&self, p: usize, q: usize) -> Lit {
        -self.le(q, p)
    }

    /// At one place.
    pub fn eq(&mut self, p: usize, q: usize) -> Lit {
        let (a, b) = (self.le(p, q), self.le(q, p));
        self.f.and2(a, b)
    }

    pub fn point(&self, event: usize) -> usize {
        self.events[event].point.expect("an access has a place")
    }

    pub fn source(&self, event: usize) -> usize {
        self.events[event].source.expect("a read has a source")
    }

    /// Of two accesses: one comes before the other.
    pub fn precedes(&self, a: usize, b: usize) -> Lit {
        self.lt(self.point(a), self.point(b))
    }

    /// Whether two accesses are to one location.
    pub fn same(&mut self, a: usize, b: usize) -> Lit {
        let (a, b) = (a.min(b), a.max(b));
        if let Some(&lit) = self.same.get(&(a, b)) {
            return lit;
        }
        let (x, y) = (&self.events[a], &self.events[b]);
        let lit = if x.class.is_none() || x.class != y.class {
            FALSE
        } else {
            match (x.index.clone(), y.index.clone()) {
                (Some(x), Some(y)) => self.f.equal(&x, &y),
                _ => self.f.fresh(),
            }
        };
        self.same.insert((a, b), lit);
        lit
    }

    pub fn indices(&self) -> std::ops::Range<usize> {
        0..self.events.len()
    }

    /// Program order.
    pub fn so(&mut self, a: usize, b: usize) -> Lit {
        let (x, y) = (&self.events[a], &self.events[b]);
        if x.call == y.call {
            let tree = &self.library.operations[self.calls[x.call]].tree;
            return if tree.is_before(x.node, y.node) { TRUE } else { FALSE };
        }
        let (same, earlier) = (self.session(x.call, y.call), self.earlier(x.call, y.call));
        self.f.and2(same, earlier)
    }

    pub fn is_sequential(&self, event: usize) -> bool {
        self.events[event].part == Part::Sequential
    }

    pub fn writes(&self, event: usize) -> bool {
        self.node(event).writes()
    }

    /// Sequential writes of a class.
    pub fn writes_of(&self, class: usize) -> Vec<usize> {
        let all = self.indices().filter(|&e| self.events[e].class == Some(class));
        all.filter(|&e| self.is_sequential(e) && self.writes(e)).collect()
    }

    /// Reads of a class, sequential or not.
    pub fn reads_of(&self, class: usize) -> Vec<usize> {
        let all = self.indices().filter(|&e| self.events[e].class == Some(class));
        all.filter(|&e| self.node(e).reads()).collect()
    }
}
