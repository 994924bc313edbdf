//! A complete execution as others may look at it: events by name, `mo`, `rf` and happens-before.
//!
//! This is all that a [`Judge`] sees, so that nothing outside depends on how graphs are kept.

use super::event::{EventId, Half, Kind};
use super::explore::Search;
use lineal_model::Limit;
use lineal_model::run::{Loc, Mode, Runnable, Value};
use std::ops::ControlFlow;

/// Looks at every complete execution and says whether it is as it should be.
pub trait Judge: Send + Sync + std::fmt::Debug {
    /// `false`: the execution is a violation, and the search need not go on for long.
    fn allows(&self, leaf: &dyn Leaf) -> bool;

    /// Whether threads that wait for one another, for good, do as they should: then it is no deadlock.
    fn expects(&self, _blocked: &dyn Leaf) -> bool {
        false
    }
}

/// One event of a complete execution.
#[derive(Clone, Copy, Debug)]
pub struct View {
    pub kind: Kind,
    /// The write of a read-modify-write.
    pub is_update: bool,
    /// Half of a read-modify-write that writes.
    pub is_half: bool,
    pub mode: Mode,
    /// Of reads and writes.
    pub cell: u32,
    /// The thread created or joined.
    pub child: usize,
    /// Of reads.
    pub rf: EventId,
    pub value: Value,
    /// Under TSO: writes of the thread below this index are before this event.
    pub drained: usize,
}

pub trait Leaf {
    fn threads(&self) -> usize;
    /// Events of a thread.
    fn len(&self, thread: usize) -> usize;
    fn event(&self, id: EventId) -> View;
    /// The write that a read took.
    fn rf(&self, id: EventId) -> EventId {
        self.event(id).rf
    }
    /// How many of the first events of thread `of` happen before `id` or are it.
    fn hb(&self, id: EventId, of: usize) -> usize {
        usize::from(self.hb_row(id)[of])
    }
    /// The same for all threads at once.
    fn hb_row(&self, id: EventId) -> &[u16];
    /// The same for program order, creation and reads-from.
    fn porf(&self, id: EventId, of: usize) -> usize;
    /// Where the thread was created; `None` for the main one.
    fn created(&self, thread: usize) -> Option<EventId>;
    /// Cells are numbered below this.
    fn cells(&self) -> usize;
    /// The cell has non-atomic accesses only.
    fn is_plain(&self, cell: u32) -> bool;
    /// Writes of a cell, first to last; the initial one is not among them.
    fn mo(&self, cell: u32) -> &[EventId];
    fn reads(&self, cell: u32) -> &[EventId];
    /// The last write of a location.
    fn last_write(&self, loc: Loc) -> Option<EventId>;
    /// Seq_cst accesses and fences.
    fn sc_events(&self) -> u32;
    /// Whether the program has this execution, and not only one that takes [`super::idle`] updates for reads.
    fn is_certain(&self) -> bool;
    /// Whether there is time to look at it for longer.
    fn go_on(&self) -> ControlFlow<Limit>;
}

impl<R: Runnable, const N: usize> Leaf for Search<'_, R, N> {
    fn threads(&self) -> usize {
        self.graph.lanes.len()
    }
    fn len(&self, thread: usize) -> usize {
        self.graph.lanes[thread].events.len()
    }
    fn event(&self, id: EventId) -> View {
        let e = self.graph.event(id);
        View {
            kind: e.kind,
            is_update: e.is_update(),
            is_half: e.half != Half::Whole,
            mode: e.mode,
            cell: e.cell,
            child: if matches!(e.kind, Kind::Create | Kind::Join) { e.cell as usize } else { 0 },
            rf: e.rf,
            value: e.value,
            drained: usize::from(e.drained),
        }
    }
    fn rf(&self, id: EventId) -> EventId {
        self.graph.event(id).rf
    }
    fn hb_row(&self, id: EventId) -> &[u16] {
        &self.graph.event(id).hb.0
    }
    fn porf(&self, id: EventId, of: usize) -> usize {
        usize::from(self.graph.event(id).true_porf.0[of])
    }
    fn created(&self, thread: usize) -> Option<EventId> {
        let created = self.graph.lanes[thread].created;
        (created != EventId::INIT).then_some(created)
    }
    fn cells(&self) -> usize {
        self.graph.cells.len()
    }
    fn is_plain(&self, cell: u32) -> bool {
        let accesses = &self.graph.cells[cell as usize];
        accesses.plain as usize == accesses.mo.len() + accesses.reads.len()
    }
    fn mo(&self, cell: u32) -> &[EventId] {
        &self.graph.cells[cell as usize].mo
    }
    fn reads(&self, cell: u32) -> &[EventId] {
        &self.graph.cells[cell as usize].reads
    }
    fn last_write(&self, loc: Loc) -> Option<EventId> {
        let cell = self.names.find(loc)?;
        self.graph.cells.get(cell as usize)?.mo.last().copied()
    }
    fn sc_events(&self) -> u32 {
        self.graph.sc_fences + self.graph.sc_accesses
    }
    fn is_certain(&self) -> bool {
        Search::is_certain(self)
    }
    fn go_on(&self) -> ControlFlow<Limit> {
        self.looked()?;
        self.progress()
    }
}
