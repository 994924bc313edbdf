//! Total store order: each cell is coherent, and `ppo ∪ ord ∪ tc ∪ (rf∖po) ∪ mo ∪ fr` is
//! acyclic, where `ppo` is program order without write-to-read pairs.
//!
//! As under SC, a place in `mo` is allowed iff the write after it does not reach the new event;
//! but a read is not preceded by the writes of its own thread that may still be buffered, so
//! what lies before is kept in two clocks, one for writes and one for everything else. What
//! drains the buffer is what x86 compilers emit a draining instruction for: seq_cst fences,
//! seq_cst writes (`xchg`), read-modify-writes, failed compare-and-swaps among them (`lock
//! cmpxchg` drains either way), thread creation and joins.

use super::super::event::{Clock, Event, EventId, Kind};
use super::super::graph::Graph;
use super::{Access, grow, is_full_fence, readers};
use crate::seeded::{self, Bug};
use lineal_model::run::Op;

pub fn floor<S, const N: usize>(g: &Graph<S, N>, thread: usize, cell: u32, access: Access) -> usize {
    let lane = &g.lanes[thread];
    let own = lane.events.len();
    let drained = match access {
        Access::Write(_) | Access::Update(_) | Access::Failure(_) => own,
        Access::Read(_) => buffer(g, thread, own),
    };
    let before = before(g, thread, own, drained);
    let accesses = &g.cells[cell as usize];
    let floor = accesses.mo.iter().rposition(|&w| before.contains(w)).map_or(0, |i| i + 1);
    if seeded::active(Bug::NoCoherence) {
        return floor;
    }
    // Coherence with the thread's own accesses, buffered or not.
    let seen = lane.events.iter().enumerate().filter(|(_, e)| e.is_access() && e.cell == cell);
    let seen = seen.map(|(i, e)| {
        let write = if e.is_write() { EventId::new(thread, i) } else { e.rf };
        g.after(cell, write)
    });
    seen.max().unwrap_or(0).max(floor)
}

/// How many of the thread's first events are such that the writes among them precede a read
/// added after the first `len`.
fn buffer<S, const N: usize>(g: &Graph<S, N>, thread: usize, len: usize) -> usize {
    let drains = |e: &Event<S, N>| e.is_update() || (e.is_write() && e.mode.is_sc());
    g.lanes[thread].events[..len].last().map_or(0, |p| if drains(p) { len } else { p.drained as usize })
}

/// The same for an event about to be pushed.
pub fn drained<S, const N: usize>(g: &Graph<S, N>, thread: usize, e: &Event<S, N>) -> u16 {
    let len = g.lanes[thread].events.len();
    let fence = is_full_fence(e) && !seeded::active(Bug::NoFence);
    let full = fence || matches!(g.op(e), Op::Rmw { .. }) || matches!(e.kind, Kind::Create | Kind::Join);
    let count = if full { len } else { buffer(g, thread, len) };
    count as u16
}

/// The writes before an access of `thread` that follows its first `own` events and `drained`
/// writes.
fn before<S, const N: usize>(g: &Graph<S, N>, thread: usize, own: usize, drained: usize) -> Clock<N> {
    let (mut others, mut writes) = (Clock::<N>::ZERO, Clock::<N>::ZERO);
    grow(&mut others, thread, own);
    grow(&mut writes, thread, drained);
    include_creation(g, thread, &mut others);
    let (mut others_done, mut writes_done) = (Clock::<N>::ZERO, Clock::<N>::ZERO);
    loop {
        let mut grew = false;
        for (t, lane) in g.lanes.iter().enumerate() {
            while writes_done.0[t] < writes.0[t] {
                let i = writes_done.0[t] as usize;
                writes_done.0[t] += 1;
                grew = true;
                let e = &lane.events[i];
                if e.kind != Kind::Write {
                    continue;
                }
                // Everything before a write of its thread precedes it.
                grow(&mut others, t, i);
                let position = g.after(e.cell, EventId::new(t, i)) - 1;
                let previous = g.write_before(e.cell, position);
                if position > 0 && !seeded::active(Bug::NoMo) {
                    grow(&mut writes, previous.thread(), previous.index() + 1);
                }
                if !seeded::active(Bug::NoFr) {
                    for r in readers(g, e.cell, previous) {
                        grow(&mut others, r.thread(), r.index() + 1);
                        include_creation(g, r.thread(), &mut others);
                    }
                }
                include_creation(g, t, &mut others);
            }
            while others_done.0[t] < others.0[t] {
                let i = others_done.0[t] as usize;
                others_done.0[t] += 1;
                grew = true;
                let e = &lane.events[i];
                if e.kind == Kind::Write {
                    continue;
                }
                include_creation(g, t, &mut others);
                grow(&mut writes, t, e.drained as usize);
                match e.kind {
                    Kind::Read if e.rf != EventId::INIT && e.rf.thread() != t => {
                        grow(&mut writes, e.rf.thread(), e.rf.index() + 1);
                    }
                    Kind::Join => {
                        let child = e.cell as usize;
                        let len = g.lanes[child].events.len();
                        grow(&mut writes, child, len);
                        grow(&mut others, child, len);
                        include_creation(g, child, &mut others);
                    }
                    _ => {}
                }
            }
        }
        if !grew {
            return writes;
        }
    }
}

fn include_creation<S, const N: usize>(g: &Graph<S, N>, thread: usize, others: &mut Clock<N>) {
    let created = g.lanes[thread].created;
    if created != EventId::INIT {
        grow(others, created.thread(), created.index() + 1);
    }
}
