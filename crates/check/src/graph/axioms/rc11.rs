//! RC11: release-acquire coherence, and `psc_base ∪ psc_F` is acyclic.
//!
//! Axioms: Lahav, Vafeiadis, Kang, Hur, Dreyer, *Repairing Sequential Consistency in C/C++11*
//! (PLDI 2017). `psc` relates seq_cst events only. A new event `e` has no successor in `hb`, so
//! every new pair of `psc` starts or ends at it, and the pairs that start there lead from `e`
//! (if seq_cst) or a seq_cst fence `hb`-before it to what follows `e` in `mo` or `fr`. A path
//! back into `e` through its cell would have closed a cycle before. So the place of `e` must
//! come after every write from which its thread's past can be reached in `psc`: another floor.

use super::super::event::{Clock, EventId, Kind};
use super::super::graph::Graph;
use super::{grow, readers};
use lineal_model::run::Mode;

/// Raises the floor of release-acquire coherence to what `psc` allows.
pub fn floor<S, const N: usize>(
    g: &Graph<S, N>,
    thread: usize,
    cell: u32,
    mode: Mode,
    floor: usize,
) -> usize {
    let mo = &g.cells[cell as usize].mo;
    if floor == mo.len() || (g.sc_fences == 0 && !(mode.is_sc() && g.sc_accesses > 0)) {
        return floor;
    }
    let reaches: Box<dyn Fn(EventId) -> bool> = if g.sc_fences == 0 {
        let before = accesses_before(g, thread, cell);
        Box::new(move |w| g.event(w).mode.is_sc() && before.contains(w))
    } else {
        let (before, fences) = events_before(g, thread, cell, mode);
        if before.is_empty() {
            return floor;
        }
        let reads = move |w: EventId, b: EventId| readers(g, cell, w).any(|r| hb(g, r, b));
        Box::new(move |w| {
            before.iter().any(|&b| b == w || (is_fence(g, b) && hb(g, w, b)))
                || fences.iter().any(|&b| reads(w, b))
        })
    };
    let last = (floor..mo.len()).rev().find(|&i| reaches(mo[i]));
    last.map_or(floor, |i| i + 1)
}

/// Without fences: the seq_cst accesses from which `psc` leads to a seq_cst access of `cell`
/// about to be added, as a clock (what counts of each thread is its seq_cst accesses).
fn accesses_before<S, const N: usize>(g: &Graph<S, N>, thread: usize, cell: u32) -> Clock<N> {
    let mut before = Clock::<N>::ZERO;
    let mut done = Clock::<N>::ZERO;
    let len = g.lanes[thread].events.len();
    grow(&mut before, thread, len);
    include_around(g, thread, len, cell, &mut before);
    loop {
        let mut grew = false;
        for (t, lane) in g.lanes.iter().enumerate() {
            while done.0[t] < before.0[t] {
                let i = done.0[t] as usize;
                done.0[t] += 1;
                grew = true;
                let e = &lane.events[i];
                if !e.mode.is_sc() || !e.is_access() {
                    continue;
                }
                let id = EventId::new(t, i);
                include_cell(g, id, &mut before);
                include_around(g, t, i, e.cell, &mut before);
            }
        }
        if !grew {
            return before;
        }
    }
}

/// `mo`, `fr` and `hb` on one cell, into `id`.
fn include_cell<S, const N: usize>(g: &Graph<S, N>, id: EventId, before: &mut Clock<N>) {
    let e = g.event(id);
    let accesses = &g.cells[e.cell as usize];
    if e.is_write() {
        // Whatever precedes the last seq_cst write before this one reaches it first.
        let position = g.after(e.cell, id) - 1;
        let last = accesses.mo[..position].iter().rposition(|&w| g.event(w).mode.is_sc());
        if let Some(i) = last {
            before.add(accesses.mo[i]);
        }
        let recent = &accesses.mo[last.unwrap_or(0)..position];
        for &r in &accesses.reads {
            let read = g.event(r);
            let earlier = recent.contains(&read.rf) || (last.is_none() && read.rf == EventId::INIT);
            if read.mode.is_sc() && earlier {
                before.add(r);
            }
        }
    } else {
        for &x in accesses.mo.iter().chain(&accesses.reads) {
            if x != id && g.event(x).mode.is_sc() && e.hb.contains(x) {
                before.add(x);
            }
        }
    }
}

/// `po≠loc;hb;po≠loc` into an access of `cell` at `index` of `thread`: of each other thread, the
/// last seq_cst access that another cell's event follows which is `hb`-before what precedes.
fn include_around<S, const N: usize>(
    g: &Graph<S, N>,
    thread: usize,
    index: usize,
    cell: u32,
    before: &mut Clock<N>,
) {
    let events = &g.lanes[thread].events[..index];
    let Some(v) = events.iter().rev().find(|v| !v.is_access() || v.cell != cell) else { return };
    for (t, lane) in g.lanes.iter().enumerate() {
        let known = v.hb.0[t] as usize;
        if t == thread || known < 2 || before.0[t] as usize >= known - 1 {
            continue;
        }
        let events = &lane.events[..known];
        let leads = |i: &usize| {
            let a = &events[*i];
            let apart = |u: &super::super::event::Event<S, N>| !u.is_access() || u.cell != a.cell;
            a.mode.is_sc() && a.is_access() && events[i + 1..].iter().any(apart)
        };
        if let Some(i) = (before.0[t] as usize..known - 1).rev().find(leads) {
            grow(before, t, i + 1);
        }
    }
}

/// With fences: the seq_cst events from which `psc` leads to an access about to be added, or to
/// a fence before it; and the fences from which it leads to a fence before. To the latter the
/// access itself may lead through `eco` into a read, which only `psc_F` has.
fn events_before<S, const N: usize>(
    g: &Graph<S, N>,
    thread: usize,
    cell: u32,
    mode: Mode,
) -> (Vec<EventId>, Vec<EventId>) {
    let sc: Vec<EventId> = g.ids().filter(|&e| is_sc(g, e)).collect();
    let past = g.lanes[thread].hb();
    let mut around = Clock::<N>::ZERO;
    if mode.is_sc() {
        include_around(g, thread, g.lanes[thread].events.len(), cell, &mut around);
        grow(&mut around, thread, g.lanes[thread].events.len());
    }
    let ends: Vec<usize> = (0..sc.len())
        .filter(|&i| if is_fence(g, sc[i]) { past.contains(sc[i]) } else { around.contains(sc[i]) })
        .collect();
    if ends.is_empty() {
        return (Vec::new(), Vec::new());
    }
    let mut psc = Rows::new(sc.len());
    program_and_happens_before(g, &sc, &mut psc);
    for cell in 0..g.cells.len() {
        conflicts(g, &sc, cell as u32, &mut psc);
    }
    let before = psc.leading_to(&ends).into_iter().map(|i| sc[i]).collect();
    let past: Vec<usize> = ends.into_iter().filter(|&i| is_fence(g, sc[i])).collect();
    let fences = psc.leading_to(&past).into_iter().map(|i| sc[i]).filter(|&b| is_fence(g, b)).collect();
    (before, fences)
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
    /// Everything from which one of `ends` can be reached, `ends` included.
    fn leading_to(&self, ends: &[usize]) -> Vec<usize> {
        let mut reached = vec![false; self.len];
        let mut todo = ends.to_vec();
        ends.iter().for_each(|&i| reached[i] = true);
        while let Some(j) = todo.pop() {
            for (i, seen) in reached.iter_mut().enumerate() {
                if !*seen && self.has(i, j) {
                    *seen = true;
                    todo.push(i);
                }
            }
        }
        (0..self.len).filter(|&i| reached[i]).collect()
    }
}
