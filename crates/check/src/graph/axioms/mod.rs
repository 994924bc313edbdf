//! Which graphs may happen at all, under each memory model.
//!
//! The search only ever adds an event at the end of its thread, and no event has a successor in
//! happens-before when it is added. Consistency then comes down to two questions:
//!
//! - [`Axioms::floor`]: how early in `mo` may the new read look, or the new write go? Anything
//!   from the floor on keeps the model's axioms; each file says why.
//! - may it go between a write and the read-modify-write that reads it? Never.
//!
//! The axioms written out plainly are in `replay/axioms.rs`.

mod ra;
mod rc11;
mod sc;
mod tso;

use super::event::{Clock, Event, EventId, Kind};
use super::graph::Graph;
use crate::seeded::{self, Bug};
use lineal_model::Memory;
use lineal_model::run::Mode;

#[derive(Clone, Copy, Debug)]
pub struct Axioms {
    pub memory: Memory,
}

/// What is about to be added at the end of a thread.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Access {
    Read(Mode),
    /// The read of a read-modify-write that will write.
    Update(Mode),
    /// The read of a compare-and-swap that will not write, with its failure order.
    Failure(Mode),
    Write(Mode),
}

impl Axioms {
    /// The least position in `mo` of `cell` that `access` by `thread` may take: a read at
    /// position `i` reads the write before index `i`, a write goes to index `i`.
    pub fn floor<S, const N: usize>(
        &self,
        g: &Graph<S, N>,
        thread: usize,
        cell: u32,
        access: Access,
    ) -> usize {
        let Some(accesses) = g.cells.get(cell as usize) else { return 0 };
        let Some(&last) = accesses.mo.last() else { return 0 };
        let hb = g.lanes[thread].hb();
        // Common: whatever was written last is known already.
        if hb.contains(last) && (self.memory != Memory::Tso || last.thread() == thread) {
            return accesses.mo.len();
        }
        match self.memory {
            Memory::Sc => sc::floor(g, thread, cell),
            Memory::Tso => tso::floor(g, thread, cell, access),
            Memory::Ra => ra::floor(g, thread, cell),
            Memory::Rc11 => {
                let floor = ra::floor(g, thread, cell);
                let (Access::Read(mode) | Access::Update(mode) | Access::Failure(mode) | Access::Write(mode)) =
                    access;
                match seeded::active(Bug::NoPsc) {
                    true => floor,
                    false => rc11::floor(g, thread, cell, mode, floor),
                }
            }
        }
    }

    /// Fills in the clocks of an event that `thread` is about to push.
    pub fn clocks<S, const N: usize>(&self, g: &Graph<S, N>, thread: usize, e: &mut Event<S, N>) {
        let lane = &g.lanes[thread];
        let id = EventId::new(thread, lane.events.len());
        (e.hb, e.porf) = (*lane.hb(), *lane.porf());
        e.true_porf = lane.events.last().map_or(lane.porf, |p| p.true_porf);
        e.fence = lane.events.last().map_or(0, |p| p.fence);
        match e.kind {
            Kind::Read if e.rf != EventId::INIT => {
                e.porf.join(&g.event(e.rf).porf);
                e.true_porf.join(&g.event(e.rf).true_porf);
            }
            Kind::Join => {
                let child = &g.lanes[e.cell as usize];
                e.porf.join(child.porf());
                e.true_porf.join(child.events.last().map_or(&child.porf, |p| &p.true_porf));
                e.hb.join(child.hb());
            }
            _ => {}
        }
        e.porf.add(id);
        e.true_porf.add(id);
        match self.memory {
            Memory::Sc | Memory::Tso => {
                if e.kind == Kind::Read && e.mode.is_atomic() && e.rf != EventId::INIT {
                    let write = g.event(e.rf);
                    if write.mode.is_atomic() {
                        e.hb.join(&write.hb);
                    }
                }
                e.hb.add(id);
                e.drained = if self.memory == Memory::Tso { tso::drained(g, thread, e) } else { 0 };
            }
            Memory::Ra | Memory::Rc11 => {
                ra::synchronise(g, thread, e);
                e.hb.add(id);
                e.message = ra::message(g, thread, e);
                if e.kind == Kind::Fence && e.mode.releases() {
                    e.fence = id.index() as u16 + 1;
                }
            }
        }
    }
}

/// A fence that orders everything around it.
fn is_full_fence<S, const N: usize>(e: &Event<S, N>) -> bool {
    e.kind == Kind::Fence && e.mode.is_sc()
}

/// The reads of `cell` that read from `write`.
fn readers<S, const N: usize>(
    g: &Graph<S, N>,
    cell: u32,
    write: EventId,
) -> impl Iterator<Item = EventId> + '_ {
    g.cells[cell as usize].reads.iter().copied().filter(move |&r| g.event(r).rf == write)
}

fn grow<const N: usize>(clock: &mut Clock<N>, thread: usize, to: usize) {
    clock.0[thread] = clock.0[thread].max(to as u16);
}
