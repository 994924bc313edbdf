//! Release-acquire: `hb = (po ∪ tc ∪ sw)⁺` and `hb;eco?` is irreflexive.
//!
//! A new event has no successor in `hb`, so coherence forbids exactly this: reading, or writing
//! before, a write that is `mo`-before one that is `hb`-before the event or read by something
//! `hb`-before it. What an acquire read adds to its own `hb` cannot break this, since the write
//! it reads came after all of that. Release sequences follow C++20: a write and the
//! read-modify-writes that continue it. Under `ra` seq_cst orders count as acq_rel.

use super::super::event::{Clock, Event, EventId, Half, Kind};
use super::super::graph::Graph;
use crate::seeded::{self, Bug};

pub fn floor<S, const N: usize>(g: &Graph<S, N>, thread: usize, cell: u32) -> usize {
    let hb = g.lanes[thread].hb();
    let accesses = &g.cells[cell as usize];
    let mut floor = accesses.mo.iter().rposition(|&w| hb.contains(w)).map_or(0, |i| i + 1);
    if seeded::active(Bug::NoCoherence) {
        return floor;
    }
    for &r in &accesses.reads {
        if hb.contains(r) {
            let rf = g.event(r).rf;
            if rf != EventId::INIT && !accesses.mo[..floor].contains(&rf) {
                floor = g.after(cell, rf);
            }
        }
    }
    floor
}

/// Adds what the event synchronises with to its `hb`.
pub fn synchronise<S, const N: usize>(g: &Graph<S, N>, thread: usize, e: &mut Event<S, N>) {
    match e.kind {
        Kind::Read if e.mode.acquires() && e.rf != EventId::INIT => e.hb.join(&g.event(e.rf).message),
        Kind::Fence if e.mode.acquires() && !seeded::active(Bug::NoFence) => {
            for read in g.lanes[thread].events.iter().rev() {
                if read.kind == Kind::Fence && read.mode.acquires() {
                    break;
                }
                if read.is_read() && read.mode.is_atomic() && read.rf != EventId::INIT {
                    e.hb.join(&g.event(read.rf).message);
                }
            }
        }
        _ => {}
    }
}

/// What an acquire that reads the write `e` synchronises with.
pub fn message<S, const N: usize>(g: &Graph<S, N>, thread: usize, e: &Event<S, N>) -> Clock<N> {
    let mut message = Clock::ZERO;
    if e.kind != Kind::Write || !e.mode.is_atomic() {
        return message;
    }
    let events = &g.lanes[thread].events;
    if e.mode.releases() {
        message = e.hb;
    } else if e.fence > 0 && !seeded::active(Bug::NoFence) {
        message = events[e.fence as usize - 1].hb;
    }
    if e.half == Half::Write && !seeded::active(Bug::NoReleaseSequence) {
        let rf = events.last().expect("the read of the update").rf;
        if rf != EventId::INIT {
            message.join(&g.event(rf).message);
        }
    }
    message
}
