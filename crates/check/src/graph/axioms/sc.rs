//! Sequential consistency: `po ∪ tc ∪ rf ∪ mo ∪ fr` is acyclic.
//!
//! A new event at the end of its thread has edges out only to the `mo`-successor `s` of its
//! place (`mo` for a write, `fr` for a read), and a path from `s` back can enter it only through
//! its thread: its other predecessors already precede `s`. So the place is allowed iff `s` does
//! not reach the thread's last event.

use super::super::Sabotage;
use super::super::event::{Clock, Kind};
use super::super::graph::Graph;
use super::readers;

pub fn floor<S, const N: usize>(g: &Graph<S, N>, thread: usize, cell: u32, sabotage: Sabotage) -> usize {
    let before = before(g, *g.lanes[thread].porf(), sabotage);
    let mo = &g.cells[cell as usize].mo;
    mo.iter().rposition(|&w| before.contains(w)).map_or(0, |i| i + 1)
}

/// Everything from which `start` can be reached.
fn before<S, const N: usize>(g: &Graph<S, N>, start: Clock<N>, sabotage: Sabotage) -> Clock<N> {
    let mut before = start;
    let mut done = Clock::<N>::ZERO;
    loop {
        let mut grew = false;
        for (t, lane) in g.lanes.iter().enumerate() {
            while done.0[t] < before.0[t] {
                let e = &lane.events[done.0[t] as usize];
                let id = super::EventId::new(t, done.0[t] as usize);
                done.0[t] += 1;
                grew = true;
                // Whatever touches the cell of a plain write is ordered with it by hb.
                if e.kind != Kind::Write || !e.mode.is_atomic() {
                    continue;
                }
                let position = g.after(e.cell, id) - 1;
                let previous = g.write_before(e.cell, position);
                if position > 0 && sabotage != Sabotage::NoMo {
                    before.join(&g.event(previous).porf);
                }
                if sabotage == Sabotage::NoFr {
                    continue;
                }
                for r in readers(g, e.cell, previous) {
                    before.join(&g.event(r).porf);
                }
            }
        }
        if !grew {
            return before;
        }
    }
}
