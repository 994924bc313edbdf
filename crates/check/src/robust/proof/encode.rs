//! Some calls of some client, as a formula: every sequentially consistent prefix of every client, seen
//! from these calls alone, is an assignment of it.
//!
//! Accesses stand in one order. Each read has a *source*, the place in that order of the write it reads:
//! that of one of these calls, or of another one (external), or the initial one, which comes first.
//! Places are points of a total preorder rather than numbers, so nothing limits how many there are.
//! Values are numbers of a few bits: as many as can be told apart, and of counters so many that gaps
//! between values which nobody can see the size of can be made smaller (see [`Instance::widths`]).
//!
//! One access may be *stale*: it is not sequentially consistent, and neither is what follows it in its
//! block (its *tail*). Whatever is asserted is true of every execution; what is left out only makes
//! proofs harder. So each clause below has its reason in a line.

use super::formula::{Bits, FALSE, Formula, Lit, TRUE, constant};
use super::library::{Library, Sort, Wrote};
use super::term::{Binary, Term};
use super::tree::{Act, Node};
use std::collections::BTreeMap;

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
}

impl Default for Switches {
    fn default() -> Self {
        let on = true;
        Switches { updates: on, unique: on, owned: on, grows: on, lock: on, turn: on, ring: on }
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
    order: Vec<Lit>,
    points: usize,
    same: BTreeMap<(usize, usize), Lit>,
    sessions: Vec<Lit>,
    before: Vec<Lit>,
    constants: Vec<i64>,
    blocks: BTreeMap<(usize, usize), u64>,
    initial: u64,
    plain_width: usize,
    pub number_width: usize,
    frees: BTreeMap<(usize, Term), Bits>,
    stale: Option<(usize, usize)>,
    partial: Partial,
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
        };
        instance.widths();
        instance.make_sessions();
        instance.make_events();
        instance.make_order();
        instance.shapes();
        instance.reads();
        instance.exclusive();
        instance
    }

    pub fn node(&self, event: usize) -> &'l Node {
        let e = &self.events[event];
        self.library.node(self.calls[e.call], e.node)
    }

    pub fn stale_event(&self) -> Option<usize> {
        self.stale.map(|(call, node)| self.at[call][&node])
    }

    fn nodes(&self, call: usize) -> usize {
        self.library.operations[self.calls[call]].tree.nodes.len()
    }

    /// How many bits values need.
    ///
    /// Values that are only compared for equality are told apart by any injective renaming; so many
    /// names as there are constants, blocks and unknowns are enough. Of counters, a solution stays one
    /// if a gap between two neighbouring values is made smaller, as long as it stays larger than every
    /// constant that a difference is compared with, twice, and the same modulo every divisor.
    fn widths(&mut self) {
        let mut unknowns = 4;
        let mut numbers = 4;
        for call in 0..self.calls.len() {
            let operation = &self.library.operations[self.calls[call]];
            let mut allocs = 0;
            for node in &operation.tree.nodes {
                unknowns += 1;
                numbers += 2 * usize::from(node.reads() || node.writes());
                if let Some(Term::Alloc(k)) = &node.value
                    && node.act == Act::Alloc
                {
                    allocs = allocs.max(k + 1);
                }
                for term in node.conditions.iter().map(|c| &c.0).chain(&node.value) {
                    term.parts(&mut |t| match t {
                        Term::Const(c) if !self.constants.contains(c) => self.constants.push(*c),
                        Term::Arg(_) | Term::Free(_) => unknowns += 1,
                        _ => {}
                    });
                }
            }
            for k in 0..allocs {
                self.blocks.insert((call, k), 0);
            }
        }
        for class in &self.library.classes {
            for (_, value) in &class.initial {
                match value {
                    Term::Const(c) if !self.constants.contains(c) => self.constants.push(*c),
                    Term::Initial(k) => self.initial = self.initial.max(*k as u64 + 1),
                    _ => {}
                }
            }
            for wrote in &class.wrote {
                if let Wrote::Constant(c) = wrote
                    && !self.constants.contains(c)
                {
                    self.constants.push(*c);
                }
            }
        }
        self.constants.retain(|c| *c != 0);
        self.constants.insert(0, 0);
        let mut next = self.constants.len() as u64 + self.initial;
        for id in self.blocks.values_mut() {
            *id = next;
            next += 1;
        }
        self.plain_width = (next as usize + unknowns).next_power_of_two().trailing_zeros() as usize;
        let step = (2 * self.library.largest + 2 + self.library.modulus) as usize;
        let range = numbers * step + self.library.largest as usize + 1;
        self.number_width = range.next_power_of_two().trailing_zeros() as usize + 1;
    }

    fn make_sessions(&mut self) {
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

    /// What stands for a block that a call allocates.
    pub fn block(&self, call: usize, number: usize) -> Option<u64> {
        self.blocks.get(&(call, number)).copied()
    }

    /// What stands for a constant.
    pub fn name_of(&self, value: u64) -> Option<u64> {
        self.constants.iter().position(|&c| c as u64 == value).map(|i| i as u64)
    }

    /// From here on, nothing else is called so.
    pub fn first_name(&self) -> u64 {
        self.constants.len() as u64 + self.initial + self.blocks.len() as u64
    }

    fn make_events(&mut self) {
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

    /// A value that is only compared.
    pub fn plain(&mut self, call: usize, term: &Term) -> Option<Bits> {
        let width = self.plain_width;
        match term {
            Term::Const(c) => {
                let id = self.constants.iter().position(|d| d == c)?;
                Some(constant(id as u64, width))
            }
            Term::Initial(k) => Some(constant(self.constants.len() as u64 + *k as u64, width)),
            Term::Alloc(k) => Some(constant(*self.blocks.get(&(call, *k))?, width)),
            Term::Read(n, _) => {
                let event = &self.events[*self.at[call].get(n)?];
                let plain = event.class.is_some_and(|c| self.library.classes[c].sort == Sort::Plain);
                event.read.clone().filter(|_| plain)
            }
            Term::Arg(_) | Term::Free(_) => {
                let key = (call, term.clone());
                if !self.frees.contains_key(&key) {
                    let bits = self.f.number(width);
                    self.frees.insert(key.clone(), bits);
                }
                self.frees.get(&key).cloned()
            }
            _ => None,
        }
    }

    /// A counter, and what was added to it.
    pub fn number(&mut self, call: usize, term: &Term) -> Option<Bits> {
        let (read, add) = self.library.number(self.calls[call], term)?;
        let width = self.number_width;
        let add = constant(add as u64, width);
        match read {
            None => Some(add),
            Some(n) => {
                let bits = self.events[*self.at[call].get(&n)?].read.clone()?;
                Some(self.f.sum(&bits, &add, FALSE))
            }
        }
    }

    fn index(&mut self, call: usize, term: &Term) -> Option<Bits> {
        match Library::remainder(term) {
            Some((of, divisor)) => {
                let bits = self.number(call, of)?;
                Some(bits[..divisor.trailing_zeros() as usize].to_vec())
            }
            None => self.number(call, term),
        }
    }

    /// A condition on what a call read, if it is one of those that are followed.
    fn condition(&mut self, call: usize, term: &Term) -> Option<Lit> {
        let Term::Bin(op, size, a, b) = term else { return None };
        match op {
            Binary::Eq => {
                if let (Term::Bin(Binary::Sub, size, x, y), Term::Const(c)) = (&**a, &**b)
                    && (0..=32).contains(c)
                    && !size.signed
                {
                    let (x, y) = (self.number(call, x)?, self.number(call, y)?);
                    let gap = self.f.difference(&x, &y);
                    let c = constant(*c as u64, self.number_width);
                    return Some(self.f.equal(&gap, &c));
                }
                if Library::remainder(a).is_some() || Library::remainder(b).is_some() {
                    let (a, b) = (self.index(call, a)?, self.index(call, b)?);
                    return Some(self.f.equal(&a, &b));
                }
                let reads_number =
                    |t: &Term| self.library.number(self.calls[call], t).is_some_and(|n| n.0.is_some());
                if reads_number(a) || reads_number(b) {
                    let (a, b) = (self.number(call, a)?, self.number(call, b)?);
                    return Some(self.f.equal(&a, &b));
                }
                let (a, b) = (self.plain(call, a)?, self.plain(call, b)?);
                Some(self.f.equal(&a, &b))
            }
            Binary::Lt | Binary::Le => {
                if let (Term::Bin(Binary::Sub, inner, x, y), Term::Const(c)) = (&**a, &**b)
                    && (0..=32).contains(c)
                    && !size.signed
                    && !inner.signed
                {
                    let (x, y) = (self.number(call, x)?, self.number(call, y)?);
                    let gap = self.f.difference(&x, &y);
                    let c = constant(*c as u64 + u64::from(*op == Binary::Le), self.number_width);
                    return Some(self.f.below(&gap, &c));
                }
                let (a, b) = (self.number(call, a)?, self.number(call, b)?);
                Some(match op {
                    Binary::Lt => self.f.below(&a, &b),
                    _ => -self.f.below(&b, &a),
                })
            }
            _ => None,
        }
    }

    fn make_order(&mut self) {
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
        for p in 0..n {
            for q in p..n {
                let (pq, qp) = if p == q {
                    (TRUE, TRUE)
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

    /// Of a call: it returned.
    pub fn complete(&mut self, call: usize) -> Lit {
        if self.stale.is_some_and(|s| s.0 == call) {
            return FALSE;
        }
        let ends: Vec<Lit> = self.at[call]
            .values()
            .filter(|&&e| self.node(e).act == Act::End)
            .map(|&e| self.events[e].on)
            .collect();
        self.f.or(&ends)
    }

    /// Calls are paths through their trees, made of whole blocks, and follow each other in a session.
    fn shapes(&mut self) {
        let n = self.calls.len();
        for call in 0..n {
            let tree = &self.library.operations[self.calls[call]].tree;
            for node in 0..self.nodes(call) {
                let Some(&e) = self.at[call].get(&node) else { continue };
                let on = self.events[e].on;
                for (term, is) in self.node(e).conditions.clone() {
                    if let Some(lit) = self.condition(call, &term) {
                        self.f.implies(&[on], &[if is { lit } else { -lit }]);
                    }
                }
                if let Some(&parent) = tree.nodes[node].parent.and_then(|p| self.at[call].get(&p)) {
                    let parent = self.events[parent].on;
                    self.f.implies(&[on], &[parent]);
                }
            }
            let parents: Vec<Option<usize>> =
                std::iter::once(None).chain((0..self.nodes(call)).map(Some)).collect();
            for parent in parents {
                let children: Vec<usize> =
                    tree.children(parent).filter_map(|c| self.at[call].get(&c).copied()).collect();
                for (i, &a) in children.iter().enumerate() {
                    for &b in &children[..i] {
                        let (a, b) = (self.events[a].on, self.events[b].on);
                        self.f.clause(&[-a, -b]);
                    }
                }
                let Some(&e) = parent.and_then(|p| self.at[call].get(&p)) else { continue };
                let stale_call = self.stale.is_some_and(|s| s.0 == call);
                let before_stale = stale_call && self.is_sequential(e);
                if self.node(e).ends_block()
                    || matches!(self.partial, Partial::Everyone)
                    || self.partial == Partial::One(call)
                    || before_stale
                {
                    continue;
                }
                let mut ways: Vec<Lit> = children.iter().map(|&c| self.events[c].on).collect();
                let heap = self.events[e].class.is_some_and(|c| self.library.classes[c].heap);
                if stale_call
                    && heap
                    && let Some(source) = self.events[e].source
                {
                    // A field that was never written is read: the program goes wrong.
                    ways.push(self.le(source, 0));
                }
                let on = self.events[e].on;
                self.f.implies(&[on], &ways);
            }
        }
        for i in 0..n {
            let complete = self.complete(i);
            for j in 0..n {
                if i == j {
                    continue;
                }
                let follows = [self.session(i, j), self.earlier(i, j)];
                for b in self.at[j].values().copied().collect::<Vec<_>>() {
                    if self.library.operations[self.calls[j]].tree.nodes[self.events[b].node].parent.is_none()
                    {
                        let on = self.events[b].on;
                        self.f.implies(&[follows[0], follows[1], on], &[complete]);
                    }
                    for a in self.at[i].values().copied().collect::<Vec<_>>() {
                        if self.events[a].point.is_some() && self.events[b].point.is_some() {
                            let (x, y) = (self.events[a].on, self.events[b].on);
                            let precedes = self.precedes(a, b);
                            self.f.implies(&[follows[0], follows[1], x, y], &[precedes]);
                        }
                    }
                }
            }
        }
    }

    fn values_equal(&mut self, a: &Option<Bits>, b: &Option<Bits>) -> Option<Lit> {
        match (a, b) {
            (Some(a), Some(b)) if a.len() == b.len() => Some(self.f.equal(a, b)),
            _ => None,
        }
    }

    /// Where reads get their values from.
    fn reads(&mut self) {
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

    fn initially(&mut self, r: usize, class: usize) {
        let library = self.library;
        let (on, first) = (self.events[r].on, self.le(self.source(r), 0));
        let Some(read) = self.events[r].read.clone() else { return };
        let sort = library.classes[class].sort;
        for (at, value) in &library.classes[class].initial {
            let bits = match (sort, value) {
                (Sort::Plain, value) => self.plain(0, value),
                (Sort::Number, Term::Const(c)) => Some(constant(*c as u64, self.number_width)),
                _ => None,
            };
            let here = match (&self.events[r].index, library.classes[class].heap, at) {
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
    fn externally(&mut self, r: usize, class: usize, known: &[Lit]) {
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
    fn exclusive(&mut self) {
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
