//! RC11: release-acquire coherence, and `psc_base ∪ psc_F` is acyclic.
//!
//! Axioms: Lahav, Vafeiadis, Kang, Hur, Dreyer, *Repairing Sequential Consistency in C/C++11*
//! (PLDI 2017). `psc` relates seq_cst events only, so it is built on them: every access gets
//! the set of seq_cst events that lead into it (itself, or a fence `hb`-before it) and the set
//! it leads to, and each `mo`, `fr` or `eco` pair joins the two.

use super::super::event::{EventId, Kind};
use super::super::graph::Graph;

pub fn psc_is_acyclic<S, const N: usize>(g: &Graph<S, N>) -> bool {
    let sc: Vec<EventId> = g.ids().filter(|&e| is_sc(g, e)).collect();
    if sc.len() < 2 {
        return true;
    }
    let mut psc = Rows::new(sc.len());
    program_and_happens_before(g, &sc, &mut psc);
    for cell in 0..g.cells.len() {
        conflicts(g, &sc, cell as u32, &mut psc);
    }
    psc.into_acyclic()
}

fn is_sc<S, const N: usize>(g: &Graph<S, N>, e: EventId) -> bool {
    let event = g.event(e);
    event.mode.is_sc() && (event.is_access() || event.kind == Kind::Fence)
}

fn is_fence<S, const N: usize>(g: &Graph<S, N>, e: EventId) -> bool {
    g.event(e).kind == Kind::Fence
}

/// Strict happens-before.
fn hb<S, const N: usize>(g: &Graph<S, N>, a: EventId, b: EventId) -> bool {
    a != b && g.event(b).hb.contains(a)
}

/// `[E_sc];(po ∪ po≠loc;hb;po≠loc ∪ hb|loc);[E_sc]`, the same from and to fences through `hb`,
/// and `[F_sc];hb;[F_sc]`.
fn program_and_happens_before<S, const N: usize>(g: &Graph<S, N>, sc: &[EventId], psc: &mut Rows) {
    for (i, &a) in sc.iter().enumerate() {
        for (j, &b) in sc.iter().enumerate() {
            if a == b || !hb(g, a, b) {
                continue;
            }
            let related = if a.thread() == b.thread() || (is_fence(g, a) && is_fence(g, b)) {
                true
            } else if is_fence(g, a) {
                // a hb x, then x po b or x hb b on one cell.
                let previous = b.index().checked_sub(1).map(|k| EventId::new(b.thread(), k));
                previous.is_some_and(|p| hb(g, a, p))
                    || others_on_cell(g, b).any(|x| hb(g, a, x) && hb(g, x, b))
            } else if is_fence(g, b) {
                let next = EventId::new(a.thread(), a.index() + 1);
                g.event(b).hb.contains(next) || others_on_cell(g, a).any(|y| hb(g, a, y) && hb(g, y, b))
            } else {
                g.event(a).cell == g.event(b).cell || around(g, a, b)
            };
            if related {
                psc.set(i, j);
            }
        }
    }
}

fn others_on_cell<S, const N: usize>(g: &Graph<S, N>, e: EventId) -> impl Iterator<Item = EventId> + '_ {
    let accesses = &g.cells[g.event(e).cell as usize];
    accesses.mo.iter().chain(&accesses.reads).copied().filter(move |&x| x != e)
}

/// `po≠loc;hb;po≠loc`: the first event after `a` on another cell, the last before `b`.
fn around<S, const N: usize>(g: &Graph<S, N>, a: EventId, b: EventId) -> bool {
    let other_cell = |x: EventId, e: EventId| {
        let (x, e) = (g.event(x), g.event(e));
        !x.is_access() || x.cell != e.cell
    };
    let len = g.lanes[a.thread()].events.len();
    let u = (a.index() + 1..len).map(|i| EventId::new(a.thread(), i)).find(|&u| other_cell(u, a));
    let v = (0..b.index()).rev().map(|i| EventId::new(b.thread(), i)).find(|&v| other_cell(v, b));
    matches!((u, v), (Some(u), Some(v)) if hb(g, u, v))
}

/// The pairs of `mo` and `fr` on one cell, and of `eco` between fences.
fn conflicts<S, const N: usize>(g: &Graph<S, N>, sc: &[EventId], cell: u32, psc: &mut Rows) {
    let accesses = &g.cells[cell as usize];
    if accesses.mo.is_empty() {
        return;
    }
    let ends: Vec<Ends> = accesses.mo.iter().chain(&accesses.reads).map(|&e| Ends::of(g, sc, e)).collect();
    let writes = accesses.mo.len();
    // Where in `mo` each read stands: 0 reads the initial value.
    let stands: Vec<usize> = accesses.reads.iter().map(|&r| g.after(cell, g.event(r).rf)).collect();
    for (i, from) in ends.iter().enumerate() {
        if from.sources.is_empty() {
            continue;
        }
        // The first write after `from`, in mo or fr.
        let first = if i < writes { i + 1 } else { stands[i - writes] };
        for to in &ends[first..writes] {
            if from.event != to.event {
                psc.join(&from.sources, &to.targets);
            }
        }
        // eco into a read: rf, mo;rf, fr;rf. Only fences see it.
        for (k, &stand) in stands.iter().enumerate() {
            if stand > first || (i < writes && stand == first) {
                psc.join(&from.fence_sources, &ends[writes + k].fence_targets);
            }
        }
    }
}

/// The seq_cst events that lead into one access, and those it leads to, as indices.
struct Ends {
    event: EventId,
    sources: Vec<usize>,
    targets: Vec<usize>,
    fence_sources: Vec<usize>,
    fence_targets: Vec<usize>,
}

impl Ends {
    fn of<S, const N: usize>(g: &Graph<S, N>, sc: &[EventId], event: EventId) -> Self {
        let mut ends = Ends {
            event,
            sources: Vec::new(),
            targets: Vec::new(),
            fence_sources: Vec::new(),
            fence_targets: Vec::new(),
        };
        for (i, &s) in sc.iter().enumerate() {
            if s == event {
                ends.sources.push(i);
                ends.targets.push(i);
            } else if is_fence(g, s) {
                if hb(g, s, event) {
                    ends.sources.push(i);
                    ends.fence_sources.push(i);
                }
                if hb(g, event, s) {
                    ends.targets.push(i);
                    ends.fence_targets.push(i);
                }
            }
        }
        ends
    }
}

/// A relation as rows of bits.
struct Rows {
    words: usize,
    bits: Vec<u64>,
    len: usize,
}

impl Rows {
    fn new(len: usize) -> Self {
        let words = len.div_ceil(64);
        Rows { words, bits: vec![0; words * len], len }
    }
    fn set(&mut self, i: usize, j: usize) {
        self.bits[i * self.words + j / 64] |= 1 << (j % 64);
    }
    fn has(&self, i: usize, j: usize) -> bool {
        self.bits[i * self.words + j / 64] >> (j % 64) & 1 == 1
    }
    fn join(&mut self, from: &[usize], to: &[usize]) {
        for &i in from {
            for &j in to {
                self.set(i, j);
            }
        }
    }
    fn into_acyclic(mut self) -> bool {
        for k in 0..self.len {
            if self.has(k, k) {
                return false;
            }
            for i in 0..self.len {
                if self.has(i, k) {
                    for w in 0..self.words {
                        self.bits[i * self.words + w] |= self.bits[k * self.words + w];
                    }
                }
            }
        }
        (0..self.len).all(|i| !self.has(i, i))
    }
}
