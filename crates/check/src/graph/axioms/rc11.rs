//! RC11: release-acquire coherence, and `psc_base ∪ psc_F` is acyclic.
//!
//! Axioms: Lahav, Vafeiadis, Kang, Hur, Dreyer, *Repairing Sequential Consistency in C/C++11*
//! (PLDI 2017). `psc` relates seq_cst events only. A new event `e` has no successor in `hb`, so
//! every new pair of `psc` starts or ends at it, and the pairs that start there lead from `e`
//! (if seq_cst) or a seq_cst fence `hb`-before it to what follows `e` in `mo` or `fr`; from a
//! fence to another fence, also to the reads of that. A path back into `e` through its cell would
//! have closed a cycle before. So the place of `e` must come after every write from which its
//! thread's past can be reached in `psc`, itself or by its readers: another floor.

use super::super::event::{Clock, Event, EventId, Kind};
use super::super::graph::Graph;
use super::grow;
use crate::relation::Relation;
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
        let Before { events, fences } = Before::new(g, thread, cell, mode);
        if events.is_empty() {
            return floor;
        }
        let reads = &g.cells[cell as usize].reads;
        Box::new(move |w| {
            events.iter().any(|&b| b == w || (is_fence(g, b) && hb(g, w, b)))
                || fences.iter().any(|&b| reads.iter().any(|&r| g.event(r).rf == w && hb(g, r, b)))
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
    let clock = past_apart(g, thread, index, cell);
    for (t, lane) in g.lanes.iter().enumerate().filter(|&(t, _)| t != thread) {
        let known = clock.0[t] as usize;
        let leads = |i: &usize| {
            let a = &lane.events[*i];
            a.mode.is_sc() && a.is_access() && is_followed(g, EventId::new(t, *i), clock, true)
        };
        if let Some(i) = (before.0[t] as usize..known).rev().find(leads) {
            grow(before, t, i + 1);
        }
    }
}

/// What happens before the last event ahead of `index` that is on no cell or another one. The
/// beginning of the thread is such an event; passing the head of a loop is none at all.
fn past_apart<S, const N: usize>(g: &Graph<S, N>, thread: usize, index: usize, cell: u32) -> &Clock<N> {
    let lane = &g.lanes[thread];
    let apart = |v: &&Event<S, N>| v.kind != Kind::Loop && (!v.is_access() || v.cell != cell);
    lane.events[..index].iter().rev().find(apart).map_or(&lane.hb, |v| &v.hb)
}

/// Whether an event that follows `a` in its thread is in `clock`; if `apart`, one that is on no
/// cell or another one. The end of the thread is such an event.
fn is_followed<S, const N: usize>(g: &Graph<S, N>, a: EventId, clock: &Clock<N>, apart: bool) -> bool {
    let events = &g.lanes[a.thread()].events;
    let known = clock.0[a.thread()] as usize;
    if known <= a.index() {
        return false;
    }
    let follows = |u: &Event<S, N>| {
        u.kind != Kind::Loop && (!apart || !u.is_access() || u.cell != events[a.index()].cell)
    };
    events[a.index() + 1..known].iter().any(follows)
        || (known == events.len() && g.joined(a.thread()).is_some_and(|j| clock.contains(j)))
}

/// With fences: what `psc` leads from, to an access about to be added or to a fence before it.
struct Before {
    events: Vec<EventId>,
    /// The fences that lead to a fence: `psc_F` has paths between these that end in a read.
    fences: Vec<EventId>,
}

impl Before {
    fn new<S, const N: usize>(g: &Graph<S, N>, thread: usize, cell: u32, mode: Mode) -> Before {
        let sc: Vec<EventId> = g.ids().filter(|&e| is_sc(g, e)).collect();
        let past = g.lanes[thread].hb();
        let mut around = Clock::<N>::ZERO;
        if mode.is_sc() {
            include_around(g, thread, g.lanes[thread].events.len(), cell, &mut around);
            grow(&mut around, thread, g.lanes[thread].events.len());
        }
        let numbers = 0..sc.len();
        let (fences, accesses): (Vec<usize>, Vec<usize>) = numbers.partition(|&i| is_fence(g, sc[i]));
        let fences: Vec<usize> = fences.into_iter().filter(|&i| past.contains(sc[i])).collect();
        let accesses = accesses.into_iter().filter(|&i| around.contains(sc[i]));
        let ends: Vec<usize> = fences.iter().copied().chain(accesses).collect();
        if ends.is_empty() {
            return Before { events: Vec::new(), fences: Vec::new() };
        }
        let mut psc = Relation::empty(sc.len());
        program_and_happens_before(g, &sc, &mut psc);
        for cell in 0..g.cells.len() {
            conflicts(g, &sc, cell as u32, &mut psc);
        }
        let named = |found: Vec<usize>| found.into_iter().map(|i| sc[i]);
        Before {
            events: named(psc.leading_to(&ends)).collect(),
            fences: named(psc.leading_to(&fences)).filter(|&e| is_fence(g, e)).collect(),
        }
    }
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
fn program_and_happens_before<S, const N: usize>(g: &Graph<S, N>, sc: &[EventId], psc: &mut Relation) {
    for (i, &a) in sc.iter().enumerate() {
        for (j, &b) in sc.iter().enumerate() {
            if a == b || !hb(g, a, b) {
                continue;
            }
            let related = if a.thread() == b.thread() || (is_fence(g, a) && is_fence(g, b)) {
                true
            } else if is_fence(g, a) {
                // a hb x, then x po b or x hb b on one cell.
                let lane = &g.lanes[b.thread()];
                let past = b.index().checked_sub(1).map_or(&lane.hb, |k| &lane.events[k].hb);
                past.contains(a) || others_on_cell(g, b).any(|x| hb(g, a, x) && hb(g, x, b))
            } else if is_fence(g, b) {
                is_followed(g, a, &g.event(b).hb, false)
                    || others_on_cell(g, a).any(|y| hb(g, a, y) && hb(g, y, b))
            } else {
                let past = past_apart(g, b.thread(), b.index(), g.event(b).cell);
                g.event(a).cell == g.event(b).cell || is_followed(g, a, past, true)
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

/// The pairs of `mo` and `fr` on one cell, and of `eco` between fences.
fn conflicts<S, const N: usize>(g: &Graph<S, N>, sc: &[EventId], cell: u32, psc: &mut Relation) {
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
                psc.set_all(&from.sources, &to.targets);
            }
        }
        // eco into a read: rf, mo;rf, fr;rf. Only fences see it.
        for (k, &stand) in stands.iter().enumerate() {
            if stand > first || (i < writes && stand == first) {
                psc.set_all(&from.fence_sources, &ends[writes + k].fence_targets);
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
