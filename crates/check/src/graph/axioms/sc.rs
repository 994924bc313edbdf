//! Sequential consistency: `po ∪ tc ∪ rf ∪ mo ∪ fr` is acyclic.
//!
//! A new event at the end of its thread has edges out only to the `mo`-successor `s` of its
//! place (`mo` for a write, `fr` for a read), and a path from `s` back can enter it only through
//! its thread: its other predecessors already precede `s`. So the place is allowed iff `s` does
//! not reach the thread's last event.

use super::super::event::{Clock, EventId, Kind};
use super::super::graph::Graph;
use super::{grow, readers};
use crate::seeded::{self, Bug};

pub fn floor<S, const N: usize>(g: &Graph<S, N>, thread: usize, cell: u32) -> usize {
    let before = before(g, thread);
    let mo = &g.cells[cell as usize].mo;
    mo.iter().rposition(|&w| before.contains(w)).map_or(0, |i| i + 1)
}

/// Everything from which the end of `thread` can be reached.
fn before<S, const N: usize>(g: &Graph<S, N>, thread: usize) -> Clock<N> {
    let mut before = Clock::<N>::ZERO;
    let mut done = Clock::<N>::ZERO;
    include(g, thread, g.lanes[thread].events.len(), &mut before);
    loop {
        let mut grew = false;
        for (t, lane) in g.lanes.iter().enumerate() {
            while done.0[t] < before.0[t] {
                let i = done.0[t] as usize;
                done.0[t] += 1;
                grew = true;
                let e = &lane.events[i];
                match e.kind {
                    Kind::Read if e.rf != EventId::INIT => {
                        include(g, e.rf.thread(), e.rf.index() + 1, &mut before);
                    }
                    Kind::Join => {
                        let child = e.cell as usize;
                        include(g, child, g.lanes[child].events.len(), &mut before);
                    }
                    _ => {}
                }
                // Whatever touches the cell of a plain write is ordered with it by hb.
                if e.kind != Kind::Write || !e.mode.is_atomic() {
                    continue;
                }
                let position = g.after(e.cell, EventId::new(t, i)) - 1;
                let previous = g.write_before(e.cell, position);
                if position > 0 && !seeded::active(Bug::NoMo) {
                    include(g, previous.thread(), previous.index() + 1, &mut before);
                }
                if seeded::active(Bug::NoFr) {
                    continue;
                }
                for r in readers(g, e.cell, previous) {
                    include(g, r.thread(), r.index() + 1, &mut before);
                }
            }
        }
        if !grew {
            return before;
        }
    }
}

/// Adds the first `len` events of a thread, its creation, that of the thread which created it, and
/// so on.
fn include<S, const N: usize>(g: &Graph<S, N>, thread: usize, len: usize, before: &mut Clock<N>) {
    grow(before, thread, len);
    let mut created = g.lanes[thread].created;
    while created != EventId::INIT && !before.contains(created) {
        before.add(created);
        created = g.lanes[created.thread()].created;
    }
}
