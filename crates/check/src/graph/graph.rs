//! One execution graph: the events of each thread, and per cell its writes in `mo` and its reads.
//!
//! Events are pushed and popped in place. Deleting for a revisit cuts each thread short, and
//! each event carries the thread as it was when it asked, so nothing is ever run again.

use super::asks::{Asked, Asks};
use super::event::{Clock, Event, EventId, Half, Kind};
use lineal_model::run::{Answer, BlockId, BlockInfo, Cause, Entry, Op, Site, Value, World};
use smallvec::SmallVec;
use std::sync::Arc;

pub struct Graph<S, const N: usize> {
    pub lanes: Vec<Lane<S, N>>,
    /// Shared between copies until one changes: most revisits touch few cells.
    pub cells: Vec<Arc<Accesses>>,
    /// By owner and number.
    pub blocks: Vec<Vec<Block>>,
    /// What was asked; of several copies the one being worked on has it.
    pub asks: Asks,
    /// The stamp of the next event.
    pub stamp: u32,
    /// Seq_cst fences and accesses.
    pub sc_fences: u32,
    pub sc_accesses: u32,
}

/// One thread.
pub struct Lane<S, const N: usize> {
    pub exists: bool,
    pub entry: Entry,
    pub events: Vec<Event<S, N>>,
    /// Before the first event: the creation.
    pub hb: Clock<N>,
    pub porf: Clock<N>,
    pub created: EventId,
    /// Where another thread joined it; `INIT`: nowhere.
    pub joined: EventId,
    /// The thread created just before, if the two are exchangeable.
    pub neighbour: Option<usize>,
    /// The same, where threads are compared by iterations: see [`super::rows`].
    pub row: Option<usize>,
    pub next: Next,
    /// The write that the present group must read; `INIT`: none.
    pub owed: EventId,
    /// Stamp and `continues` of the next read, if its group is revisited.
    pub revisited: Option<(u32, bool)>,
    /// The thread, asking `next`.
    pub state: Option<S>,
}

/// What a thread does next.
#[derive(Clone, Copy, Debug)]
pub enum Next {
    Ask(Asked),
    Finished(Value),
    Blocked(Cause, Site),
}

#[derive(Clone, Default)]
pub struct Accesses {
    pub mo: SmallVec<[EventId; 6]>,
    pub reads: SmallVec<[EventId; 6]>,
    /// Non-atomic accesses among them.
    pub plain: u32,
}

#[derive(Clone, Copy, Default)]
pub struct Block {
    pub alloc: Option<EventId>,
    pub free: Option<EventId>,
}

impl<S: Clone, const N: usize> Clone for Lane<S, N> {
    fn clone(&self) -> Self {
        Lane { events: self.events.clone(), state: self.state.clone(), ..*self }
    }
}

impl<S: Clone, const N: usize> Clone for Graph<S, N> {
    fn clone(&self) -> Self {
        Graph {
            lanes: self.lanes.clone(),
            cells: self.cells.clone(),
            blocks: self.blocks.clone(),
            asks: self.asks.clone(),
            stamp: self.stamp,
            sc_fences: self.sc_fences,
            sc_accesses: self.sc_accesses,
        }
    }
}

impl<S, const N: usize> Lane<S, N> {
    pub fn absent() -> Self {
        Lane {
            exists: false,
            entry: Entry { function: 0, argument: 0 },
            events: Vec::new(),
            hb: Clock::ZERO,
            porf: Clock::ZERO,
            created: EventId::INIT,
            joined: EventId::INIT,
            neighbour: None,
            row: None,
            next: Next::Blocked(Cause::Exit, Site(0)),
            owed: EventId::INIT,
            revisited: None,
            state: None,
        }
    }
    /// Happens-before of whatever comes next, itself excluded.
    pub fn hb(&self) -> &Clock<N> {
        self.events.last().map_or(&self.hb, |e| &e.hb)
    }
    pub fn porf(&self) -> &Clock<N> {
        self.events.last().map_or(&self.porf, |e| &e.porf)
    }
    /// The read of a read-modify-write was pushed and its write was not.
    pub fn is_halfway(&self) -> bool {
        self.events.last().is_some_and(|e| e.half == Half::Read)
    }
    pub fn returned(&self) -> Option<Value> {
        match self.next {
            Next::Finished(v) => Some(v),
            _ => None,
        }
    }
    /// What the thread was told after its `i`-th event; `None` if nothing.
    pub fn answer(&self, i: usize) -> Option<Answer> {
        let e = &self.events[i];
        if e.unmet || e.half == Half::Read {
            return None;
        }
        let value = if e.half == Half::Write {
            self.events[i - 1].value
        } else if e.kind == Kind::Create {
            Value::word(u64::from(e.cell))
        } else {
            e.value
        };
        Some(Answer { value, spurious: e.spurious })
    }
}

impl<S, const N: usize> Graph<S, N> {
    pub fn new() -> Self {
        Graph {
            lanes: Vec::new(),
            cells: Vec::new(),
            blocks: Vec::new(),
            asks: Asks::default(),
            stamp: 0,
            sc_fences: 0,
            sc_accesses: 0,
        }
    }

    #[inline]
    pub fn event(&self, id: EventId) -> &Event<S, N> {
        &self.lanes[id.thread()].events[id.index()]
    }

    /// What the thread asked for when it got this event.
    #[inline]
    pub fn op(&self, e: &Event<S, N>) -> &Op {
        self.asks.op(e.asked)
    }

    pub fn site(&self, e: &Event<S, N>) -> Site {
        self.asks.site(e.asked)
    }

    /// What a thread asks for.
    #[inline]
    pub fn next_op(&self, thread: usize) -> Option<&Op> {
        match self.lanes[thread].next {
            Next::Ask(asked) => Some(self.asks.op(asked)),
            _ => None,
        }
    }

    /// Every event.
    pub fn ids(&self) -> impl Iterator<Item = EventId> + '_ {
        self.lanes
            .iter()
            .enumerate()
            .flat_map(|(t, lane)| (0..lane.events.len()).map(move |i| EventId::new(t, i)))
    }

    /// The event that joined `child`.
    pub fn joined(&self, child: usize) -> Option<EventId> {
        self.lanes.get(child).map(|lane| lane.joined).filter(|&at| at != EventId::INIT)
    }

    /// Whether there are other threads that nobody has joined.
    pub fn goes_with_others(&self, thread: usize) -> bool {
        let mut others = self.lanes.iter().enumerate();
        others.any(|(t, l)| t != thread && l.exists && self.joined(t).is_none())
    }

    pub fn last(&self, thread: usize) -> Option<EventId> {
        self.lanes[thread].events.len().checked_sub(1).map(|i| EventId::new(thread, i))
    }

    pub fn lane(&mut self, thread: usize) -> &mut Lane<S, N> {
        while self.lanes.len() <= thread {
            self.lanes.push(Lane::absent());
        }
        &mut self.lanes[thread]
    }

    /// Makes room for a cell.
    pub fn admit(&mut self, cell: u32) {
        if self.cells.len() <= cell as usize {
            self.cells.resize_with(cell as usize + 1, Arc::default);
        }
    }

    fn accesses(&mut self, cell: u32) -> &mut Accesses {
        Arc::make_mut(&mut self.cells[cell as usize])
    }

    pub fn block(&self, block: BlockId) -> Block {
        self.blocks
            .get(block.owner() as usize)
            .and_then(|numbers| numbers.get(block.number() as usize))
            .copied()
            .unwrap_or_default()
    }

    fn block_mut(&mut self, block: BlockId) -> &mut Block {
        let (owner, number) = (block.owner() as usize, block.number() as usize);
        if self.blocks.len() <= owner {
            self.blocks.resize_with(owner + 1, Vec::new);
        }
        let numbers = &mut self.blocks[owner];
        if numbers.len() <= number {
            numbers.resize_with(number + 1, Block::default);
        }
        &mut numbers[number]
    }

    fn sc_count(&mut self, kind: Kind) -> &mut u32 {
        if kind == Kind::Fence { &mut self.sc_fences } else { &mut self.sc_accesses }
    }

    /// Appends an event to its thread; a write goes to `position` in `mo`. The caller then tells
    /// the thread, and sets `next` and `state`.
    pub fn push(&mut self, thread: usize, mut event: Event<S, N>, position: usize) -> EventId {
        let id = EventId::new(thread, self.lanes[thread].events.len());
        event.stamp_before = self.stamp;
        event.next_asked = self.asks.next();
        self.stamp = self.stamp.max(event.stamp + 1);
        let lane = &mut self.lanes[thread];
        event.owed = lane.owed;
        if event.kind == Kind::Read && lane.owed != EventId::INIT && event.rf == lane.owed {
            lane.owed = EventId::INIT;
        }
        if event.revisited {
            lane.revisited = None;
        }
        if event.mode.is_sc() {
            *self.sc_count(event.kind) += 1;
        }
        match event.kind {
            Kind::Read => {
                let accesses = self.accesses(event.cell);
                accesses.reads.push(id);
                accesses.plain += u32::from(!event.mode.is_atomic());
            }
            Kind::Write => {
                let accesses = self.accesses(event.cell);
                accesses.mo.insert(position, id);
                accesses.plain += u32::from(!event.mode.is_atomic());
            }
            Kind::Join => self.lanes[event.cell as usize].joined = id,
            Kind::Alloc | Kind::Free => match *self.asks.op(event.asked) {
                Op::Alloc { block, .. } => self.block_mut(block).alloc = Some(id),
                Op::Free { loc, .. } => {
                    // A second free is an error and keeps the first.
                    let b = self.block_mut(loc.block());
                    b.free = b.free.or(Some(id));
                }
                _ => {}
            },
            _ => {}
        }
        self.lanes[thread].events.push(event);
        id
    }

    /// Takes back the last event of a thread.
    pub fn pop(&mut self, thread: usize) {
        let lane = &mut self.lanes[thread];
        let event = lane.events.pop().expect("an event to take back");
        let id = EventId::new(thread, lane.events.len());
        lane.next = Next::Ask(event.asked);
        lane.state = event.state;
        lane.owed = event.owed;
        if event.revisited {
            lane.revisited = Some((event.stamp, event.continues));
        }
        self.stamp = event.stamp_before;
        if event.mode.is_sc() {
            *self.sc_count(event.kind) -= 1;
        }
        self.asks.cut(event.next_asked);
        match event.kind {
            Kind::Read => {
                let accesses = self.accesses(event.cell);
                debug_assert_eq!(accesses.reads.last(), Some(&id));
                accesses.reads.pop();
                accesses.plain -= u32::from(!event.mode.is_atomic());
            }
            Kind::Write => {
                let accesses = self.accesses(event.cell);
                let at = accesses.mo.iter().rposition(|&w| w == id).expect("the write is in mo");
                accesses.mo.remove(at);
                accesses.plain -= u32::from(!event.mode.is_atomic());
            }
            Kind::Alloc | Kind::Free => match *self.asks.op(event.asked) {
                Op::Alloc { block, .. } => self.block_mut(block).alloc = None,
                Op::Free { loc, .. } => {
                    let b = self.block_mut(loc.block());
                    if b.free == Some(id) {
                        b.free = None;
                    }
                }
                _ => {}
            },
            Kind::Join => self.lanes[event.cell as usize].joined = EventId::INIT,
            Kind::Create => {
                let child = &mut self.lanes[event.cell as usize];
                debug_assert!(child.events.is_empty());
                child.exists = false;
                child.state = None;
            }
            _ => {}
        }
    }

    /// Adds whatever lies before the events of `prefix` in `po ∪ tc ∪ rf`.
    pub fn close(&self, prefix: &mut Clock<N>) {
        let mut done = Clock::<N>::ZERO;
        while done != *prefix {
            for (t, lane) in self.lanes.iter().enumerate() {
                if prefix.0[t] > 0 && lane.created != EventId::INIT {
                    prefix.add(lane.created);
                }
                while done.0[t] < prefix.0[t] {
                    let e = &lane.events[done.0[t] as usize];
                    done.0[t] += 1;
                    match e.kind {
                        Kind::Read if e.rf != EventId::INIT => prefix.add(e.rf),
                        Kind::Join => {
                            let child = e.cell as usize;
                            let all = self.lanes[child].events.len() as u16;
                            prefix.0[child] = prefix.0[child].max(all);
                            prefix.add(self.lanes[child].created);
                        }
                        _ => {}
                    }
                }
            }
        }
    }

    /// Index in `mo` just after `write`; 0 for the initial one.
    pub fn after(&self, cell: u32, write: EventId) -> usize {
        if write == EventId::INIT {
            return 0;
        }
        let mo = &self.cells[cell as usize].mo;
        mo.iter().rposition(|&w| w == write).expect("the write is in mo") + 1
    }

    /// The write at index `position - 1` of `mo`, the initial one for 0.
    pub fn write_before(&self, cell: u32, position: usize) -> EventId {
        if position == 0 { EventId::INIT } else { self.cells[cell as usize].mo[position - 1] }
    }

    /// Whether the write at `position` of `mo` is that of a read-modify-write, so that nothing
    /// may come between it and the write before.
    pub fn is_glued(&self, cell: u32, position: usize) -> bool {
        let mo = &self.cells[cell as usize].mo;
        mo.get(position).is_some_and(|&w| self.event(w).is_update())
    }
}

impl<S: Clone, const N: usize> Graph<S, N> {
    /// Makes `into` the graph of the first `cut[t]` events of each thread `t`.
    pub fn restrict(&self, cut: &Clock<N>, into: &mut Self) {
        into.lanes.truncate(self.lanes.len());
        (into.sc_fences, into.sc_accesses) = (self.sc_fences, self.sc_accesses);
        for (t, lane) in self.lanes.iter().enumerate() {
            let keep = (cut.0[t] as usize).min(lane.events.len());
            for e in lane.events[keep..].iter().filter(|e| e.mode.is_sc()) {
                *into.sc_count(e.kind) -= 1;
            }
            let copy = into.lane(t);
            copy.events.clear();
            copy.events.extend_from_slice(&lane.events[..keep]);
            copy.exists = lane.exists && cut.contains(lane.created);
            (copy.entry, copy.hb, copy.porf, copy.created) = (lane.entry, lane.hb, lane.porf, lane.created);
            copy.joined = if cut.contains(lane.joined) { lane.joined } else { EventId::INIT };
            (copy.neighbour, copy.row) = (lane.neighbour, lane.row);
            (copy.owed, copy.revisited) = (EventId::INIT, None);
            match lane.events.get(keep) {
                _ if !copy.exists => copy.state = None,
                None => (copy.next, copy.state) = (lane.next, lane.state.clone()),
                Some(e) => (copy.next, copy.state) = (Next::Ask(e.asked), e.state.clone()),
            }
        }
        into.cells.clone_from(&self.cells);
        let mut touched: Vec<u32> = self
            .lanes
            .iter()
            .zip(cut.0)
            .flat_map(|(lane, keep)| lane.events.iter().skip(keep as usize))
            .filter(|e| e.is_access())
            .map(|e| e.cell)
            .collect();
        touched.sort_unstable();
        touched.dedup();
        for cell in touched {
            let accesses = into.accesses(cell);
            let gone = accesses.mo.iter().chain(&accesses.reads).filter(|&&e| !cut.contains(e));
            let plain = gone.filter(|&&e| !self.event(e).mode.is_atomic()).count();
            accesses.plain -= plain as u32;
            accesses.mo.retain(|&mut w| cut.contains(w));
            accesses.reads.retain(|&mut r| cut.contains(r));
        }
        into.blocks.clone_from(&self.blocks);
        for block in into.blocks.iter_mut().flatten() {
            block.alloc = block.alloc.filter(|&e| cut.contains(e));
            block.free = block.free.filter(|&e| cut.contains(e));
        }
        into.stamp = self.stamp;
    }
}

impl<S, const N: usize> Graph<S, N> {
    /// The same graph without states, to be handed to another worker.
    pub fn without_states<P>(&self) -> Graph<P, N> {
        let lane = |lane: &Lane<S, N>| Lane {
            exists: lane.exists,
            entry: lane.entry,
            events: lane.events.iter().map(|e| e.with_state(None)).collect(),
            hb: lane.hb,
            porf: lane.porf,
            created: lane.created,
            joined: lane.joined,
            neighbour: lane.neighbour,
            row: lane.row,
            next: lane.next,
            owed: lane.owed,
            revisited: lane.revisited,
            state: None,
        };
        Graph {
            lanes: self.lanes.iter().map(lane).collect(),
            cells: self.cells.clone(),
            blocks: self.blocks.clone(),
            asks: self.asks.clone(),
            stamp: self.stamp,
            sc_fences: self.sc_fences,
            sc_accesses: self.sc_accesses,
        }
    }
}

impl<S, const N: usize> World for Graph<S, N> {
    fn block(&self, block: BlockId) -> Option<BlockInfo> {
        match *self.op(self.event(Graph::block(self, block).alloc?)) {
            Op::Alloc { size, layout, .. } => Some(BlockInfo { size, layout }),
            _ => None,
        }
    }
}
