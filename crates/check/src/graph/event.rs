//! Events, their names, and the vector clocks that say what lies before them.
//!
//! An event is named by its thread and its index there, so names survive copying, deleting and
//! rescheduling. A clock counts, for each thread, how many of its first events it covers.

use super::asks::Asked;
use lineal_model::run::{Mode, Value};

/// `thread << 16 | index`, or [`EventId::INIT`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct EventId(pub u32);

impl EventId {
    /// The write that gave a cell its first content. It is before everything.
    pub const INIT: EventId = EventId(u32::MAX);

    pub fn new(thread: usize, index: usize) -> Self {
        EventId((thread as u32) << 16 | index as u32)
    }
    #[inline]
    pub fn thread(self) -> usize {
        (self.0 >> 16) as usize
    }
    #[inline]
    pub fn index(self) -> usize {
        (self.0 & 0xffff) as usize
    }
}

/// A set of events closed under program order, for at most `N` threads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clock<const N: usize>(pub [u16; N]);

impl<const N: usize> Clock<N> {
    pub const ZERO: Self = Clock([0; N]);

    #[inline]
    pub fn join(&mut self, other: &Self) {
        for (a, b) in self.0.iter_mut().zip(other.0) {
            *a = (*a).max(b);
        }
    }
    #[inline]
    pub fn contains(&self, e: EventId) -> bool {
        e == EventId::INIT || (self.0[e.thread()] as usize) > e.index()
    }
    /// Adds the event and everything before it in its thread.
    #[inline]
    pub fn add(&mut self, e: EventId) {
        let entry = &mut self.0[e.thread()];
        *entry = (*entry).max(e.index() as u16 + 1);
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Kind {
    Read,
    Write,
    Fence,
    Alloc,
    Free,
    Create,
    Join,
    Choose,
    Loop,
}

/// Which part of a successful read-modify-write an event is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Half {
    Whole,
    /// The read; the write is the next event of the thread, or about to be.
    Read,
    Write,
}

/// What one thread did, and the thread as it was when it asked to.
pub struct Event<S, const N: usize> {
    pub kind: Kind,
    pub half: Half,
    /// Of this access: a failed compare-and-swap has its failure order.
    pub mode: Mode,
    /// A weak compare-and-swap that failed though it need not have.
    pub spurious: bool,
    /// A waiting read whose condition fails: the thread has not taken the step.
    pub unmet: bool,
    /// So far the thread did what its neighbour did: see [`super::symmetry`].
    pub alike: bool,
    /// Belongs to a group: the reads of one iteration, which share a stamp. See [`super::group`].
    pub grouped: bool,
    /// Goes on with the iteration of the event before it.
    pub continues: bool,
    /// After it the thread is in an iteration that has changed nothing yet.
    pub pure: bool,
    /// A write into memory that nobody else knew.
    pub own: bool,
    /// First of a group that was revisited.
    pub revisited: bool,
    /// The write that the group still had to read before this event.
    pub owed: EventId,
    /// The stamp of the graph before it was added.
    pub stamp_before: u32,
    /// Index of the cell (reads and writes), of the child (create, join), else unused.
    pub cell: u32,
    /// The write read from.
    pub rf: EventId,
    /// When it was inserted. A revisited read keeps its stamp.
    pub stamp: u32,
    /// Read, written, chosen, or returned by the joined thread.
    pub value: Value,
    /// Happens-before, this event included.
    pub hb: Clock<N>,
    /// `(po ∪ tc ∪ rf)⁺`, this event included, and what symmetry adds.
    pub porf: Clock<N>,
    /// The same without that.
    pub true_porf: Clock<N>,
    /// Of an atomic write: what an acquire that reads it synchronises with.
    pub message: Clock<N>,
    /// One more than the index of the thread's last release fence; 0: none.
    pub fence: u16,
    /// Writes of the thread below this index are TSO-before this event.
    pub drained: u16,
    /// What the thread asked for, and the first question asked after this event.
    pub asked: Asked,
    pub next_asked: Asked,
    /// The thread as it asked; `None` where nobody is likely to need it.
    pub state: Option<S>,
}

impl<S: Clone, const N: usize> Clone for Event<S, N> {
    fn clone(&self) -> Self {
        Event { state: self.state.clone(), ..*self }
    }
}

impl<S, const N: usize> Event<S, N> {
    /// The same event without a state, or with another kind of state.
    pub fn with_state<P>(&self, state: Option<P>) -> Event<P, N> {
        Event {
            kind: self.kind,
            half: self.half,
            mode: self.mode,
            spurious: self.spurious,
            unmet: self.unmet,
            alike: self.alike,
            grouped: self.grouped,
            continues: self.continues,
            pure: self.pure,
            revisited: self.revisited,
            owed: self.owed,
            stamp_before: self.stamp_before,
            cell: self.cell,
            rf: self.rf,
            stamp: self.stamp,
            value: self.value,
            hb: self.hb,
            porf: self.porf,
            true_porf: self.true_porf,
            own: self.own,
            message: self.message,
            fence: self.fence,
            drained: self.drained,
            asked: self.asked,
            next_asked: self.next_asked,
            state,
        }
    }

    pub fn is_read(&self) -> bool {
        self.kind == Kind::Read
    }
    pub fn is_write(&self) -> bool {
        self.kind == Kind::Write
    }
    pub fn is_access(&self) -> bool {
        self.is_read() || self.is_write()
    }
    /// The write of a read-modify-write.
    pub fn is_update(&self) -> bool {
        self.half == Half::Write
    }
}
