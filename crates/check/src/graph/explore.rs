//! The search: TruSt's exploration as a loop over a stack of open choices.
//!
//! Each frame is one event and what else could stand in its place: a read may take another
//! write, a write another place in `mo`, and a write may in the end *revisit* a read that was
//! added before it. A revisit continues on a copy of the graph; everything else is done in
//! place and undone. Which thread moves next is a function of the graph alone, as the theorem
//! requires (each consistent complete graph is reached exactly once).

use super::axioms::{Access, Axioms};
use super::event::{Clock, Event, EventId, Half, Kind};
use super::graph::{Graph, Lane, Next};
use super::names::Names;
use super::{Options, leaf::Tally, witness::Case};
use lineal_model::run::{
    Answer, Cause, Failure, FailureKind, Loc, Mode, Op, Relayout, Rmw, Runnable, Site, Step, ThreadId, Value,
    Wait,
};
use lineal_model::{Counts, Effort, Limit, Observer};
use std::ops::ControlFlow;
use std::rc::Rc;

pub struct Search<'a, R: Runnable, const N: usize> {
    pub program: &'a R,
    pub axioms: Axioms,
    pub options: &'a Options,
    pub effort: &'a Effort,
    pub watch: &'a dyn Observer,
    pub names: Names,
    pub graph: Graph<R::Thread, N>,
    pub tally: Tally,
    /// The smallest failing execution so far.
    pub best: Option<Case>,
    stack: Vec<Frame<R::Thread, N>>,
    spare: Vec<Graph<R::Thread, N>>,
    steps: u64,
    /// Steps left to look for a smaller failure once there is one.
    patience: u64,
}

/// Why the search ended early.
pub enum Halt {
    Relayout(Relayout),
    Limit(Limit),
    /// More than `N` threads.
    Crowded,
    /// A failure was found and no smaller one in reasonable time.
    Enough,
}

/// An open choice; the positions left to try are `floor..upto`, highest first.
enum Frame<S, const N: usize> {
    Plain {
        thread: usize,
        pushed: bool,
    },
    Choose {
        thread: usize,
        pushed: bool,
        next: Option<i64>,
        high: i64,
    },
    Read {
        thread: usize,
        pushed: bool,
        floors: Floors,
        upto: usize,
        again: bool,
    },
    Write {
        thread: usize,
        pushed: bool,
        floor: usize,
        upto: usize,
        revisits: Option<Vec<Revisit<N>>>,
    },
    Revisit {
        saved: Box<Graph<S, N>>,
        writer: usize,
        reader: usize,
        stamp: u32,
        pushed: bool,
        floor: usize,
        upto: usize,
        again: bool,
    },
}

#[derive(Clone, Copy)]
struct Floors {
    read: usize,
    update: usize,
}

/// A read that the write about to be added revisits, and what of each thread stays.
pub struct Revisit<const N: usize> {
    pub read: EventId,
    pub keep: Clock<N>,
}

/// What became of an attempt to add an event.
#[derive(Clone, Copy)]
struct Attempt {
    added: bool,
    /// The same write may also be read by a compare-and-swap that fails spuriously.
    weak: bool,
}

impl Attempt {
    const ADDED: Attempt = Attempt { added: true, weak: false };
    const REFUSED: Attempt = Attempt { added: false, weak: false };
}

const PATIENCE: u64 = 20_000;

impl<'a, R: Runnable, const N: usize> Search<'a, R, N> {
    pub fn new(
        program: &'a R,
        axioms: Axioms,
        options: &'a Options,
        effort: &'a Effort,
        watch: &'a dyn Observer,
    ) -> Self {
        Search {
            program,
            axioms,
            options,
            effort,
            watch,
            names: Names::default(),
            graph: Graph::new(),
            tally: Tally::default(),
            best: None,
            stack: Vec::new(),
            spare: Vec::new(),
            steps: 0,
            patience: PATIENCE,
        }
    }

    pub fn run(&mut self) -> Result<(), Halt> {
        let main = ThreadId::MAIN.index();
        self.begin(main, EventId::INIT)?;
        loop {
            match self.schedule() {
                Some(thread) => self.open(thread),
                None => self.leaf()?,
            }
            loop {
                let Some(mut frame) = self.stack.pop() else { return Ok(()) };
                self.charge()?;
                if self.advance(&mut frame)? {
                    break;
                }
            }
        }
    }

    /// Starts a thread; its first question is asked at once.
    fn begin(&mut self, thread: usize, created: EventId) -> Result<(), Halt> {
        let (entry, hb, porf) = if created == EventId::INIT {
            (self.program.main(), Clock::ZERO, Clock::ZERO)
        } else {
            let e = self.graph.event(created);
            let Op::Create { entry } = e.op else { unreachable!("threads begin at a creation") };
            (entry, e.hb, e.porf)
        };
        self.tally.threads = self.tally.threads.max(thread as u64 + 1);
        *self.graph.lane(thread) = Lane { exists: true, entry, hb, porf, created, ..Lane::absent() };
        let mut state = self.program.start(ThreadId(thread as u8), entry);
        let step = self.program.resume(&mut state, Answer::default(), &self.graph);
        let kept = self.program.fork(&state).is_some().then(|| Rc::new(state));
        self.graph.lanes[thread].state = kept;
        self.settle(thread, step)
    }

    /// The thread to move: one in the middle of a read-modify-write, else one that has no choice,
    /// else a writer (so that reads find all writes in place and need fewer revisits).
    fn schedule(&self) -> Option<usize> {
        let mut best: Option<(u32, usize)> = None;
        let count = self.graph.lanes.len();
        let first = if count == 0 { 0 } else { self.effort.seed as usize % count };
        for k in 0..count {
            let t = (k + first) % count;
            let lane = &self.graph.lanes[t];
            if !lane.exists {
                continue;
            }
            let Next::Ask(op, _) = &lane.next else { continue };
            let rank = match op {
                _ if lane.is_halfway() => return Some(t),
                Op::Join { thread } => {
                    let child = self.graph.lanes.get(thread.index());
                    if child.is_some_and(|c| c.exists && c.returned().is_none()) {
                        continue;
                    }
                    1
                }
                Op::Read { mode: Mode::NonAtomic, .. } | Op::Write { mode: Mode::NonAtomic, .. } => 1,
                Op::Write { .. } => 2,
                Op::Choose { .. } => 3,
                Op::Read { .. } | Op::Rmw { .. } => 4,
                _ => 1,
            };
            if best.is_none_or(|(r, _)| rank < r) {
                best = Some((rank, t));
            }
        }
        best.map(|(_, t)| t)
    }

    /// Opens the choice of what `thread` does next.
    fn open(&mut self, thread: usize) {
        let lane = &self.graph.lanes[thread];
        let halfway = lane.is_halfway();
        let Next::Ask(op, _) = lane.next else { unreachable!("only asking threads are scheduled") };
        let frame = match op {
            Op::Write { mode, .. } if mode.is_atomic() => {
                let (floor, upto) = self.write_range(thread);
                Frame::Write { thread, pushed: false, floor, upto, revisits: None }
            }
            Op::Rmw { .. } if halfway => {
                let (floor, upto) = self.write_range(thread);
                Frame::Write { thread, pushed: false, floor, upto, revisits: None }
            }
            Op::Rmw { loc, size, .. } => self.open_read(thread, loc, size),
            Op::Read { loc, size, mode, .. } if mode.is_atomic() => self.open_read(thread, loc, size),
            Op::Choose { low, high } => {
                Frame::Choose { thread, pushed: false, next: (low <= high).then_some(low), high }
            }
            _ => Frame::Plain { thread, pushed: false },
        };
        self.stack.push(frame);
    }

    fn open_read(&mut self, thread: usize, loc: Loc, size: u8) -> Frame<R::Thread, N> {
        let floors = self.read_floors(thread);
        let cell = self.cell(loc, size);
        let upto = self.graph.accesses(cell).mo.len() + 1;
        Frame::Read { thread, pushed: false, floors, upto, again: false }
    }

    /// Whether an update may be placed at `position`: no other update reads the same write.
    fn is_atomic_at(&self, cell: u32, position: usize) -> bool {
        self.axioms.sabotage == super::Sabotage::NoAtomicity || !self.graph.is_glued(cell, position)
    }

    /// Undoes what a frame had in place and puts its next alternative there. The frame goes back
    /// on the stack if there was one.
    fn advance(&mut self, frame: &mut Frame<R::Thread, N>) -> Result<bool, Halt> {
        match frame {
            Frame::Plain { thread, pushed } => {
                let thread = *thread;
                if *pushed {
                    self.graph.pop(thread);
                    return Ok(false);
                }
                if !self.plain(thread)?.added {
                    return Ok(false);
                }
                self.stack.push(Frame::Plain { thread, pushed: true });
            }
            Frame::Choose { thread, pushed, next, high } => {
                let (thread, high) = (*thread, *high);
                if *pushed {
                    self.graph.pop(thread);
                }
                loop {
                    let Some(pick) = *next else { return Ok(false) };
                    *next = (pick < high).then(|| pick + 1);
                    if self.choose(thread, pick)?.added {
                        break;
                    }
                }
                self.stack.push(Frame::Choose { thread, pushed: true, next: *next, high });
            }
            Frame::Read { thread, pushed, floors, upto, again } => {
                let thread = *thread;
                if *pushed {
                    self.graph.pop(thread);
                }
                loop {
                    let spurious = std::mem::take(again);
                    if !spurious {
                        if *upto <= floors.read {
                            return Ok(false);
                        }
                        *upto -= 1;
                    }
                    let attempt = self.read(thread, *upto, *floors, spurious, None)?;
                    *again = attempt.weak;
                    if attempt.added {
                        break;
                    }
                }
                let (floors, upto, again) = (*floors, *upto, *again);
                self.stack.push(Frame::Read { thread, pushed: true, floors, upto, again });
            }
            Frame::Write { thread, pushed, floor, upto, revisits } => {
                let thread = *thread;
                if *pushed {
                    self.graph.pop(thread);
                }
                while *floor < *upto {
                    *upto -= 1;
                    if self.write(thread, *upto, true)? {
                        let (floor, upto) = (*floor, *upto);
                        self.stack.push(Frame::Write { thread, pushed: true, floor, upto, revisits: None });
                        return Ok(true);
                    }
                }
                let mut revisits = match revisits.take() {
                    Some(list) => list,
                    None => self.revisits(thread),
                };
                let Some(revisit) = revisits.pop() else { return Ok(false) };
                let (floor, upto) = (*floor, *upto);
                self.stack.push(Frame::Write {
                    thread,
                    pushed: false,
                    floor,
                    upto,
                    revisits: Some(revisits),
                });
                let mut frame = self.revisit(thread, revisit);
                return self.advance(&mut frame);
            }
            Frame::Revisit { .. } => return self.advance_revisit(frame),
        }
        Ok(true)
    }

    fn revisit(&mut self, writer: usize, revisit: Revisit<N>) -> Frame<R::Thread, N> {
        let stamp = self.graph.event(revisit.read).stamp;
        let mut copy = self.spare.pop().unwrap_or_else(Graph::new);
        self.graph.restrict(&revisit.keep, &mut copy);
        let saved = Box::new(std::mem::replace(&mut self.graph, copy));
        let (floor, upto) = self.write_range(writer);
        Frame::Revisit {
            saved,
            writer,
            reader: revisit.read.thread(),
            stamp,
            pushed: false,
            floor,
            upto,
            again: false,
        }
    }

    /// Where the write that `thread` is about to add may go.
    fn write_range(&mut self, thread: usize) -> (usize, usize) {
        let lane = &self.graph.lanes[thread];
        if lane.is_halfway() {
            let read = lane.events.last().expect("the read of the update");
            let floor = self.graph.after(read.cell, read.rf);
            return (floor, if self.is_atomic_at(read.cell, floor) { floor + 1 } else { floor });
        }
        let Next::Ask(Op::Write { loc, size, .. }, _) = lane.next else {
            unreachable!("only writes revisit")
        };
        let cell = self.cell(loc, size);
        let floor = self.axioms.floor(&self.graph, thread, cell, Access::Write);
        (floor, self.graph.accesses(cell).mo.len() + 1)
    }

    fn advance_revisit(&mut self, frame: &mut Frame<R::Thread, N>) -> Result<bool, Halt> {
        let Frame::Revisit { writer, reader, stamp, pushed, floor, upto, again, .. } = frame else {
            unreachable!("called on a revisit")
        };
        let (writer, reader) = (*writer, *reader);
        if *pushed {
            self.graph.pop(reader);
            self.graph.pop(writer);
        }
        loop {
            let spurious = std::mem::take(again);
            if !spurious {
                if *floor >= *upto {
                    break;
                }
                *upto -= 1;
            }
            if !self.write(writer, *upto, false)? {
                continue;
            }
            let floors = self.read_floors(reader);
            let position = *upto + 1;
            let attempt = if position < floors.read {
                Attempt::REFUSED
            } else {
                self.read(reader, position, floors, spurious, Some(*stamp))?
            };
            *again = attempt.weak;
            if !attempt.added {
                self.graph.pop(writer);
                continue;
            }
            if !self.told(writer)? {
                self.graph.pop(reader);
                self.graph.pop(writer);
                continue;
            }
            *pushed = true;
            let frame = std::mem::replace(frame, Frame::Plain { thread: 0, pushed: false });
            self.stack.push(frame);
            return Ok(true);
        }
        let frame = std::mem::replace(frame, Frame::Plain { thread: 0, pushed: false });
        if let Frame::Revisit { saved, .. } = frame {
            let copy = std::mem::replace(&mut self.graph, *saved);
            self.spare.push(copy);
        }
        Ok(false)
    }

    fn read_floors(&mut self, thread: usize) -> Floors {
        let Next::Ask(op, _) = self.graph.lanes[thread].next else { unreachable!("the read is asked") };
        match op {
            Op::Rmw { loc, size, rmw, .. } => {
                let cell = self.cell(loc, size);
                let update = self.axioms.floor(&self.graph, thread, cell, Access::Update);
                let read = match rmw {
                    Rmw::Cas { fail, .. } => self.axioms.floor(&self.graph, thread, cell, Access::Read(fail)),
                    Rmw::Fetch { .. } => update,
                };
                Floors { read: read.min(update), update }
            }
            Op::Read { loc, size, mode, .. } => {
                let cell = self.cell(loc, size);
                let read = self.axioms.floor(&self.graph, thread, cell, Access::Read(mode));
                Floors { read, update: read }
            }
            _ => unreachable!("only reads are revisited"),
        }
    }

    /// Adds a read of the write before `position`, if the graph stays consistent.
    fn read(
        &mut self,
        thread: usize,
        position: usize,
        floors: Floors,
        spurious: bool,
        stamp: Option<u32>,
    ) -> Result<Attempt, Halt> {
        let (op, site) = self.asked(thread);
        let (loc, size, mut mode, wait, rmw) = match op {
            Op::Read { loc, size, mode, wait, .. } => (loc, size, mode, wait, None),
            Op::Rmw { loc, size, mode, rmw, wait } => (loc, size, mode, wait, Some(rmw)),
            _ => unreachable!("a read was asked"),
        };
        let cell = self.cell(loc, size);
        let rf = self.graph.write_before(cell, position);
        let value = self.content(cell, rf);
        let stamp = stamp.unwrap_or(self.graph.stamp);
        let unmet = wait.is_some_and(|w: Wait| !w.until.holds(value, size));
        if unmet && self.is_hopeless(cell, position, stamp) {
            return Ok(Attempt::REFUSED);
        }
        let matches = !unmet && rmw.is_some_and(|r| r.apply(value, size).is_some());
        let updates = matches && !spurious;
        let weak = updates && matches!(rmw, Some(Rmw::Cas { weak: true, .. }));
        let refused = Attempt { added: false, weak };
        if position < if updates { floors.update } else { floors.read } {
            return Ok(refused);
        }
        if let (false, Some(Rmw::Cas { fail, .. })) = (updates, rmw) {
            mode = fail;
        }
        let event = Event {
            half: if updates { Half::Read } else { Half::Whole },
            mode,
            spurious,
            unmet,
            cell,
            rf,
            stamp,
            value,
            ..self.blank(thread, Kind::Read, op, site)
        };
        let last = position == self.graph.accesses(cell).mo.len();
        let id = self.add(thread, event, 0);
        if !last && !self.axioms.admits(&self.graph) {
            self.graph.pop(thread);
            return Ok(refused);
        }
        if unmet {
            let cause = wait.map_or(Cause::Spin, |w| w.cause);
            self.graph.lanes[thread].next = Next::Blocked(cause, site);
            return Ok(Attempt::ADDED);
        }
        let goes_on = updates || (self.safe(id)? && self.told(thread)?);
        if !goes_on {
            self.graph.pop(thread);
            return Ok(refused);
        }
        Ok(Attempt { added: true, weak })
    }

    /// Adds a write at `position`, if the graph stays consistent; with `tell`, its thread goes on.
    fn write(&mut self, thread: usize, position: usize, tell: bool) -> Result<bool, Halt> {
        let (op, site) = self.asked(thread);
        let (loc, size, mode, value, half) = match op {
            Op::Write { loc, size, mode, value } => (loc, size, mode, value.truncate(size), Half::Whole),
            Op::Rmw { loc, size, mode, rmw, .. } => {
                let read = self.graph.lanes[thread].events.last().expect("the read of the update").value;
                let value = rmw.apply(read, size).expect("the update succeeds");
                (loc, size, mode, value, Half::Write)
            }
            _ => unreachable!("a write was asked"),
        };
        let cell = self.cell(loc, size);
        if half == Half::Whole && !self.is_atomic_at(cell, position) {
            return Ok(false);
        }
        let stamp = self.graph.stamp;
        let event = Event { half, mode, cell, stamp, value, ..self.blank(thread, Kind::Write, op, site) };
        let last = position == self.graph.accesses(cell).mo.len();
        let id = self.add(thread, event, position);
        // A revisit is tested as a whole, with its read.
        let consistent = last || !tell || self.axioms.admits(&self.graph);
        if consistent && self.safe(id)? && (!tell || self.told(thread)?) {
            return Ok(true);
        }
        self.graph.pop(thread);
        Ok(false)
    }

    fn choose(&mut self, thread: usize, pick: i64) -> Result<Attempt, Halt> {
        let (op, site) = self.asked(thread);
        let value = Value::word(pick as u64);
        let stamp = self.graph.stamp;
        let event = Event { stamp, value, ..self.blank(thread, Kind::Choose, op, site) };
        self.add(thread, event, 0);
        if self.told(thread)? {
            return Ok(Attempt::ADDED);
        }
        self.graph.pop(thread);
        Ok(Attempt::REFUSED)
    }

    /// Adds an event that leaves no choice.
    fn plain(&mut self, thread: usize) -> Result<Attempt, Halt> {
        let (op, site) = self.asked(thread);
        let stamp = self.graph.stamp;
        let mut event = self.blank(thread, Kind::Fence, op, site);
        event.stamp = stamp;
        let mut position = 0;
        match op {
            Op::Read { loc, size, mode, .. } => {
                let cell = self.cell(loc, size);
                // Without a race all writes are hb-before, so the last one is the latest.
                let rf = self.graph.accesses(cell).mo.last().copied().unwrap_or(EventId::INIT);
                let value = self.content(cell, rf);
                event = Event { kind: Kind::Read, mode, cell, rf, value, ..event };
            }
            Op::Write { loc, size, mode, value } => {
                let cell = self.cell(loc, size);
                position = self.graph.accesses(cell).mo.len();
                event = Event { kind: Kind::Write, mode, cell, value: value.truncate(size), ..event };
            }
            Op::Fence { mode } => event.mode = mode,
            Op::Alloc { .. } => event.kind = Kind::Alloc,
            Op::Free { .. } => event.kind = Kind::Free,
            Op::Create { .. } => {
                let creations = self.graph.lanes[thread].events.iter();
                let n = creations.filter(|e| e.kind == Kind::Create).count();
                let child = self.names.thread(thread, n).ok_or_else(|| {
                    Halt::Limit(Limit::method(format!("more than {} threads", ThreadId::MAX)))
                })?;
                if child >= N {
                    return Err(Halt::Crowded);
                }
                event = Event { kind: Kind::Create, cell: child as u32, ..event };
            }
            Op::Join { thread: child } => {
                let lane = self.graph.lanes.get(child.index()).filter(|l| l.exists);
                let Some(value) = lane.and_then(Lane::returned) else {
                    let failure = Failure {
                        kind: FailureKind::InvalidPointer,
                        message: "joins a thread that was never created".into(),
                        site,
                    };
                    self.fail(failure, thread, &[])?;
                    return Ok(Attempt::REFUSED);
                };
                event = Event { kind: Kind::Join, cell: child.index() as u32, value, ..event };
            }
            Op::Loop { .. } => event.kind = Kind::Loop,
            Op::Rmw { .. } | Op::Choose { .. } => unreachable!("these leave a choice"),
        }
        if event.kind == Kind::Loop
            && let Some(cause) = self.blocks(thread, op)
        {
            if cause == Cause::Spin && self.is_dead_end(thread) {
                return Ok(Attempt::REFUSED);
            }
            self.add(thread, event, 0);
            self.graph.lanes[thread].next = Next::Blocked(cause, site);
            return Ok(Attempt::ADDED);
        }
        let id = self.add(thread, event, position);
        if self.safe(id)? && self.told(thread)? {
            return Ok(Attempt::ADDED);
        }
        self.graph.pop(thread);
        Ok(Attempt::REFUSED)
    }

    fn asked(&self, thread: usize) -> (Op, Site) {
        match self.graph.lanes[thread].next {
            Next::Ask(op, site) => (op, site),
            _ => unreachable!("only asking threads move"),
        }
    }

    fn blank(&self, thread: usize, kind: Kind, op: Op, site: Site) -> Event<R::Thread, N> {
        Event {
            kind,
            half: Half::Whole,
            mode: Mode::NonAtomic,
            spurious: false,
            unmet: false,
            cell: 0,
            rf: EventId::INIT,
            stamp: 0,
            value: Value::ZERO,
            hb: Clock::ZERO,
            porf: Clock::ZERO,
            message: Clock::ZERO,
            fence: 0,
            drained: 0,
            op,
            site,
            state: self.graph.lanes[thread].state.clone(),
        }
    }

    fn add(&mut self, thread: usize, mut event: Event<R::Thread, N>, position: usize) -> EventId {
        self.axioms.clocks(&self.graph, thread, &mut event);
        self.graph.push(thread, event, position)
    }

    pub fn cell(&mut self, loc: Loc, size: u8) -> u32 {
        let cell = self.names.cell(self.program, loc, size);
        self.graph.accesses(cell);
        cell
    }

    /// What a write left in a cell.
    pub fn content(&self, cell: u32, write: EventId) -> Value {
        if write != EventId::INIT {
            return self.graph.event(write).value;
        }
        let known = &self.names.cells[cell as usize];
        let block = known.loc.block();
        if block.is_global() {
            return known.initial;
        }
        match self.graph.block(block).alloc.map(|a| self.graph.event(a).op) {
            Some(Op::Alloc { zeroed: true, .. }) => Value::ZERO,
            _ => Value::UNDEFINED,
        }
    }

    /// Some write after `position` was there before the read stamped `stamp`: that read can
    /// never count as maximal, so if its thread is stuck nothing will ever delete or revisit it,
    /// and the branch ends only in blocked graphs whose other threads are explored elsewhere.
    fn is_hopeless(&self, cell: u32, position: usize, stamp: u32) -> bool {
        self.graph.cells[cell as usize].mo[position..].iter().any(|&w| self.graph.event(w).stamp < stamp)
    }

    /// The same for the last read of a thread about to be blocked at a loop head.
    fn is_dead_end(&self, thread: usize) -> bool {
        let last = self.graph.lanes[thread].events.iter().rev().find(|e| e.is_read());
        last.is_some_and(|r| {
            r.mode.is_atomic() && self.is_hopeless(r.cell, self.graph.after(r.cell, r.rf), r.stamp)
        })
    }

    /// Tells a thread the answer to its last event; `false` if it fails on it.
    fn told(&mut self, thread: usize) -> Result<bool, Halt> {
        let lane = &self.graph.lanes[thread];
        let last = lane.events.len() - 1;
        let Some(answer) = lane.answer(last) else { return Ok(true) };
        if lane.events.len() >= usize::from(u16::MAX) - 1 {
            return Err(Halt::Limit(Limit::method("a thread takes more than 65,000 visible steps")));
        }
        let (state, step) = match lane.state.as_ref().and_then(|s| self.program.fork(s)) {
            Some(mut state) => {
                let step = self.program.resume(&mut state, answer, &self.graph);
                (Some(Rc::new(state)), step)
            }
            None => (None, self.replay(thread)),
        };
        self.graph.lanes[thread].state = state;
        let created = EventId::new(thread, last);
        let failures = self.tally.failures;
        if self.graph.event(created).kind == Kind::Create {
            let child = self.graph.event(created).cell as usize;
            self.begin(child, created)?;
        }
        self.settle(thread, step)?;
        Ok(self.tally.failures == failures)
    }

    /// Runs a thread that cannot be copied from its start through all its answers.
    fn replay(&self, thread: usize) -> Step {
        let lane = &self.graph.lanes[thread];
        let mut state = self.program.start(ThreadId(thread as u8), lane.entry);
        let mut step = self.program.resume(&mut state, Answer::default(), &self.graph);
        for i in 0..lane.events.len() {
            if let Some(answer) = lane.answer(i) {
                step = self.program.resume(&mut state, answer, &self.graph);
            }
        }
        step
    }

    fn settle(&mut self, thread: usize, step: Step) -> Result<(), Halt> {
        self.graph.lanes[thread].next = match step {
            Step::Ask(op, site) => Next::Ask(op, site),
            Step::Finished(value) => Next::Finished(value),
            Step::Stopped(cause, site) => Next::Blocked(cause, site),
            Step::Relayout(change) => return Err(Halt::Relayout(change)),
            Step::Failed(failure) => {
                let site = failure.site;
                let last: Vec<EventId> = self.graph.last(thread).into_iter().collect();
                self.fail(failure, thread, &last)?;
                Next::Blocked(Cause::Assume, site)
            }
        };
        Ok(())
    }

    /// Notes a failing execution. The branch ends here; the search goes on for a while to find
    /// a smaller one.
    pub fn fail(&mut self, failure: Failure, thread: usize, guilty: &[EventId]) -> Result<(), Halt> {
        if failure.kind == FailureKind::Unsupported {
            let mut limit = Limit::method(failure.message.clone());
            limit.at = self.program.place(failure.site);
            return Err(Halt::Limit(limit));
        }
        self.tally.failures += 1;
        let case = Case::new(self, failure, thread, guilty);
        if self.best.as_ref().is_none_or(|best| case.size() < best.size()) {
            self.best = Some(case);
        }
        Ok(())
    }

    fn charge(&mut self) -> Result<(), Halt> {
        self.steps += 1;
        if self.best.is_some() {
            self.patience = self.patience.saturating_sub(1);
            if self.patience == 0 {
                return Err(Halt::Enough);
            }
        }
        if self.steps.is_multiple_of(1024) {
            self.ask()?;
        }
        Ok(())
    }

    /// Charges the effort and asks the observer.
    pub fn ask(&mut self) -> Result<(), Halt> {
        let counts =
            Counts { executions: self.tally.executions, blocked: self.tally.blocked, ..Counts::default() };
        match self.effort.charge(counts, self.watch) {
            ControlFlow::Break(limit) => Err(Halt::Limit(limit)),
            ControlFlow::Continue(()) => Ok(()),
        }
    }
}
