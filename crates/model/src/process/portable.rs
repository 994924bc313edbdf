//! Terms and states in a form, and an order, that do not depend on what was met first.
//!
//! Numbers of terms, sets, alphabets, shapes and events are given in order of discovery: they are quick
//! to compare, and mean nothing to another process. What a state *is* can be written down without them:
//!
//! ```text
//! state    = term  cell…  queue…  cell…      cells as the layout lists them, hidden ones last
//! term     = tag, then: site value…          a site, with the values of its free slots
//!                     | term term            `;` and `interrupt`
//!                     | count term…          choices and `|||`; `||` has its site and values before
//!                     | term count event…    hiding: names and arguments, ascending
//!                     | term                 `atomic`
//! queue    = count (count value…)…
//! ```
//!
//! Numbers are seven bits a byte, the least first; signed ones have their sign in the lowest bit. Two
//! processes that read the same model write the same bytes for the same state, whatever each has seen
//! before: sites, slots, names and cells are numbered by the text, and operands of `[]` and `<>`, whose
//! order means nothing, stand in the order of [`Universe::compare`].

use super::state::{Layout, ShapeKind, State};
use super::term::{AlphabetsId, DONE, Instance, SKIP, STOP, SetId, Term, TermId, Universe};
use super::{Choice, Parallel, SiteId};
use std::cmp::Ordering;

const TAG_STOP: u32 = 0;
const TAG_SKIP: u32 = 1;
const TAG_DONE: u32 = 2;
const TAG_AT: u32 = 3;
const TAG_SEQ: u32 = 4;
const TAG_EXTERNAL: u32 = 5;
const TAG_GENERAL: u32 = 6;
const TAG_INTERNAL: u32 = 7;
const TAG_INTERRUPT: u32 = 8;
const TAG_HIDE: u32 = 9;
const TAG_ATOMIC: u32 = 10;
const TAG_INTERLEAVE: u32 = 11;
const TAG_SYNCHRONISE: u32 = 12;

fn tag(term: &Term) -> u32 {
    match term {
        Term::Stop => TAG_STOP,
        Term::Skip => TAG_SKIP,
        Term::Done => TAG_DONE,
        Term::At(..) => TAG_AT,
        Term::Seq(..) => TAG_SEQ,
        Term::Choice(Choice::External, _) => TAG_EXTERNAL,
        Term::Choice(Choice::General, _) => TAG_GENERAL,
        Term::Choice(Choice::Internal, _) => TAG_INTERNAL,
        Term::Interrupt(..) => TAG_INTERRUPT,
        Term::Hide(..) => TAG_HIDE,
        Term::Atomic(_) => TAG_ATOMIC,
        Term::Parallel(Parallel::Interleave, ..) => TAG_INTERLEAVE,
        Term::Parallel(Parallel::Synchronise, ..) => TAG_SYNCHRONISE,
    }
}

fn put(mut n: u32, out: &mut Vec<u8>) {
    while n > 127 {
        out.push((n & 127) as u8 | 128);
        n >>= 7;
    }
    out.push(n as u8);
}

fn put_signed(n: i32, out: &mut Vec<u8>) {
    put(((n << 1) ^ (n >> 31)) as u32, out);
}

impl Universe<'_> {
    /// Puts operands whose order means nothing in the order of [`Self::compare`].
    pub fn sort(&self, terms: &mut [TermId]) {
        terms.sort_by(|a, b| self.compare(*a, *b));
    }

    /// An order of terms by what they are.
    pub fn compare(&self, a: TermId, b: TermId) -> Ordering {
        let (mut a, mut b) = (a, b);
        // What comes after `;` may be long.
        while a != b {
            let (x, y) = (self.term(a), self.term(b));
            let (Term::Seq(first, rest), Term::Seq(other, others)) = (x, y) else {
                return self.compare_terms(x, y);
            };
            match self.compare(*first, *other) {
                Ordering::Equal => (a, b) = (*rest, *others),
                unequal => return unequal,
            }
        }
        Ordering::Equal
    }

    fn compare_terms(&self, a: &Term, b: &Term) -> Ordering {
        let both = |a: &[TermId], b: &[TermId]| {
            let unequal = a.iter().zip(b).map(|(a, b)| self.compare(*a, *b)).find(|o| o.is_ne());
            unequal.unwrap_or(a.len().cmp(&b.len()))
        };
        tag(a).cmp(&tag(b)).then_with(|| match (a, b) {
            (Term::At(site, values), Term::At(other, others)) => (site, values).cmp(&(other, others)),
            (Term::Choice(_, a), Term::Choice(_, b)) => both(a, b),
            (Term::Interrupt(a, by), Term::Interrupt(b, other)) => both(&[*a, *by], &[*b, *other]),
            (Term::Hide(a, set), Term::Hide(b, other)) => {
                self.compare(*a, *b).then_with(|| self.events_of(*set).cmp(&self.events_of(*other)))
            }
            (Term::Atomic(a), Term::Atomic(b)) => self.compare(*a, *b),
            (Term::Parallel(_, at, a), Term::Parallel(_, other, b)) => {
                self.alphabets_of(*at).cmp(self.alphabets_of(*other)).then_with(|| both(a, b))
            }
            _ => Ordering::Equal,
        })
    }

    /// What a set hides, by name and arguments.
    fn events_of(&self, set: SetId) -> Vec<(u32, &[i32])> {
        let event = |e| {
            let event = self.events.event(e);
            (event.name, &*event.args)
        };
        let mut all: Vec<_> = self.set_events(set).map(event).collect();
        all.sort_unstable();
        all
    }

    /// Appends a term.
    pub fn export(&self, term: TermId, out: &mut Vec<u8>) {
        let mut term = term;
        // What comes after `;` may be long.
        while let Term::Seq(first, rest) = self.term(term) {
            put(TAG_SEQ, out);
            self.export(*first, out);
            term = *rest;
        }
        let this = self.term(term);
        put(tag(this), out);
        match this {
            Term::Stop | Term::Skip | Term::Done | Term::Seq(..) => {}
            Term::At(site, values) => self.export_instance(*site, values, out),
            Term::Interrupt(a, b) => {
                self.export(*a, out);
                self.export(*b, out);
            }
            Term::Choice(_, kids) => {
                put(kids.len() as u32, out);
                kids.iter().for_each(|k| self.export(*k, out));
            }
            Term::Hide(t, set) => {
                self.export(*t, out);
                self.export_set(*set, out);
            }
            Term::Atomic(t) => self.export(*t, out),
            Term::Parallel(kind, alphabets, kids) => {
                self.export_alphabets(*kind, *alphabets, out);
                put(kids.len() as u32, out);
                kids.iter().for_each(|k| self.export(*k, out));
            }
        }
    }

    fn export_instance(&self, site: SiteId, values: &[i32], out: &mut Vec<u8>) {
        put(site.0, out);
        values.iter().for_each(|v| put_signed(*v, out));
    }

    fn export_alphabets(&self, kind: Parallel, alphabets: AlphabetsId, out: &mut Vec<u8>) {
        if kind == Parallel::Synchronise {
            let (site, values) = self.alphabets_of(alphabets);
            self.export_instance(*site, values, out);
        }
    }

    fn export_set(&self, set: SetId, out: &mut Vec<u8>) {
        let events = self.events_of(set);
        put(events.len() as u32, out);
        for (name, args) in events {
            put(name, out);
            put(args.len() as u32, out);
            args.iter().for_each(|a| put_signed(*a, out));
        }
    }

    /// The components of a state with what stands above them, as the one term that they are.
    fn export_shape(&self, nodes: &mut &[ShapeKind], leaves: &mut &[TermId], out: &mut Vec<u8>) {
        let Some((node, rest)) = nodes.split_first() else { return };
        *nodes = rest;
        match node {
            ShapeKind::Leaf => {
                let (leaf, rest) = leaves.split_first().expect("a term for each leaf");
                *leaves = rest;
                self.export(*leaf, out);
            }
            ShapeKind::Parallel(kind, alphabets, n) => {
                put(if *kind == Parallel::Interleave { TAG_INTERLEAVE } else { TAG_SYNCHRONISE }, out);
                self.export_alphabets(*kind, *alphabets, out);
                put(*n, out);
                (0..*n).for_each(|_| self.export_shape(nodes, leaves, out));
            }
            ShapeKind::Hide(set) => {
                put(TAG_HIDE, out);
                self.export_shape(nodes, leaves, out);
                self.export_set(*set, out);
            }
            ShapeKind::Atomic => {
                put(TAG_ATOMIC, out);
                self.export_shape(nodes, leaves, out);
            }
            ShapeKind::Seq(right) => {
                put(TAG_SEQ, out);
                self.export_shape(nodes, leaves, out);
                self.export(*right, out);
            }
        }
    }
}

impl State {
    /// Appends the state, as another process can read it.
    pub fn export(&self, universe: &Universe, layout: &Layout, out: &mut Vec<u8>) {
        universe.export_shape(&mut &universe.shape(self.shape).nodes[..], &mut &self.leaves[..], out);
        layout.stored().for_each(|c| put_signed(self.cells[c], out));
        for queue in &self.queues {
            put(queue.len() as u32, out);
            for message in queue {
                put(message.len() as u32, out);
                message.iter().for_each(|v| put_signed(*v, out));
            }
        }
        layout.hidden().for_each(|c| put_signed(self.cells[c], out));
    }

    /// A state that another process wrote; `None` if none did.
    pub fn import(universe: &Universe, layout: &Layout, bytes: &[u8]) -> Option<State> {
        let mut reader = Reader { universe, bytes };
        let (shape, leaves) = universe.split(reader.term()?);
        let mut cells = layout.initial().to_vec();
        for cell in layout.stored() {
            cells[cell] = reader.signed()?;
        }
        let mut queues = Vec::new();
        for _ in &universe.model.channels {
            let mut queue = Vec::new();
            for _ in 0..reader.number()? {
                let mut message = Vec::new();
                for _ in 0..reader.number()? {
                    message.push(reader.signed()?);
                }
                queue.push(message.into());
            }
            queues.push(queue);
        }
        for cell in layout.hidden() {
            cells[cell] = reader.signed()?;
        }
        reader.bytes.is_empty().then_some(State { shape, leaves, cells, queues })
    }
}

struct Reader<'r, 'u, 'm> {
    universe: &'u Universe<'m>,
    bytes: &'r [u8],
}

impl Reader<'_, '_, '_> {
    fn number(&mut self) -> Option<u32> {
        let (mut n, mut shift) = (0u32, 0);
        loop {
            let (byte, rest) = self.bytes.split_first()?;
            self.bytes = rest;
            n |= u32::from(byte & 127).checked_shl(shift)?;
            shift += 7;
            if *byte < 128 {
                return Some(n);
            }
        }
    }

    fn signed(&mut self) -> Option<i32> {
        let n = self.number()?;
        Some((n >> 1) as i32 ^ -((n & 1) as i32))
    }

    fn instance(&mut self) -> Option<Instance> {
        let site = SiteId(self.number()?);
        let free = self.universe.model.sites.get(site.0 as usize)?.free.len();
        let values: Option<_> = (0..free).map(|_| self.signed()).collect();
        Some((site, values?))
    }

    fn terms(&mut self) -> Option<Vec<TermId>> {
        let n = self.number()?;
        (0..n).map(|_| self.term()).collect()
    }

    fn term(&mut self) -> Option<TermId> {
        let mut before = Vec::new();
        let mut tag = self.number()?;
        while tag == TAG_SEQ {
            before.push(self.term()?);
            tag = self.number()?;
        }
        let last = self.simple(tag)?;
        let seq = |rest: TermId, first: &TermId| self.universe.intern(Term::Seq(*first, rest));
        Some(before.iter().rev().fold(last, seq))
    }

    /// A term that is no `;`.
    fn simple(&mut self, tag: u32) -> Option<TermId> {
        let term = match tag {
            TAG_STOP => return Some(STOP),
            TAG_SKIP => return Some(SKIP),
            TAG_DONE => return Some(DONE),
            TAG_AT => {
                let (site, values) = self.instance()?;
                Term::At(site, values)
            }
            TAG_EXTERNAL | TAG_GENERAL | TAG_INTERNAL => {
                let choice = match tag {
                    TAG_EXTERNAL => Choice::External,
                    TAG_GENERAL => Choice::General,
                    _ => Choice::Internal,
                };
                Term::Choice(choice, self.terms()?.into())
            }
            TAG_INTERRUPT => Term::Interrupt(self.term()?, self.term()?),
            TAG_HIDE => {
                let body = self.term()?;
                let mut events = Vec::new();
                for _ in 0..self.number()? {
                    let name = self.number().filter(|n| (*n as usize) < self.universe.model.names.len())?;
                    let args: Option<Vec<i32>> = (0..self.number()?).map(|_| self.signed()).collect();
                    events.push(self.universe.events.id(name, &args?));
                }
                Term::Hide(body, self.universe.intern_set(events))
            }
            TAG_ATOMIC => Term::Atomic(self.term()?),
            TAG_INTERLEAVE => Term::Parallel(Parallel::Interleave, AlphabetsId(0), self.terms()?.into()),
            TAG_SYNCHRONISE => {
                let at = self.instance()?;
                let alphabets = self.universe.alphabets_at(at).ok()?;
                Term::Parallel(Parallel::Synchronise, alphabets, self.terms()?.into())
            }
            _ => return None,
        };
        Some(self.universe.intern(term))
    }
}
