//! The search: TruSt's exploration as a loop over a stack of open choices.
//!
//! Each frame is one event and what else could stand in its place: a read may take another
//! write, a write another place in `mo`, and a write may in the end *revisit* a read that was
//! added before it. A revisit continues on a copy of the graph; everything else is done in
//! place and undone. Which thread moves next is a function of the graph alone, as the theorem
//! requires (each consistent complete graph is reached exactly once).

use super::axioms::{Access, Axioms};
use super::books::{Looked, Unseen};
use super::event::{Clock, EventId};
use super::graph::Graph;
use super::learned::Lesson;
use super::memo::Memo;
use super::names::Names;
use super::workers::Pool;
use super::{Options, leaf::Tally, witness::Case};
use crate::seeded::{self, Bug};
use lineal_model::run::{Failure, FailureKind, Loc, Mode, Op, Relayout, Rmw, Runnable, Site, ThreadId};
use lineal_model::{Effort, Limit, Observer};
use rustc_hash::FxHashSet;
use std::cell::Cell;
use std::rc::Rc;

pub struct Search<'a, R: Runnable, const N: usize> {
    pub program: &'a R,
    pub axioms: Axioms,
    pub options: &'a Options,
    pub effort: &'a Effort,
    pub watch: &'a dyn Observer,
    pub pool: Option<&'a Pool<N>>,
    pub names: Names,
    pub graph: Graph<Rc<R::Thread>, N>,
    pub tally: Tally,
    /// The thread that moved last.
    pub last: usize,
    /// Threads can be copied.
    pub copyable: bool,
    /// Of graphs that differ only in which of some equal threads is which, one is enough.
    pub symmetric: bool,
    /// The reads of an iteration are added, deleted and revisited together.
    pub grouping: bool,
    /// Some loop is known whose iterations are taken so.
    pub retrying: bool,
    /// What is left out may have to be looked for: see [`super::unseen`].
    pub bookkeeping: bool,
    pub helping: bool,
    /// Updates that change nothing are taken for reads.
    pub idles: bool,
    /// Of the orders in which threads arrive at a barrier one is enough.
    pub meets: bool,
    pub unseen: Unseen,
    /// What became of threads that look at cells with additions taken back.
    pub looked: Looked,
    /// Where it was tried whether an addition would be taken back, and after how many.
    pub attempted: FxHashSet<(Site, usize)>,
    /// The smallest failing execution so far.
    pub best: Option<Case>,
    pub(super) stack: Vec<Frame<Rc<R::Thread>, N>>,
    spare: Vec<Graph<Rc<R::Thread>, N>>,
    /// Thread states that nobody needs, to copy into.
    pub(super) idle: Vec<Rc<R::Thread>>,
    /// What threads did before.
    pub(super) memo: Memo<R>,
    pub(super) steps: u64,
    /// A loop gone round many times, and the rounds and executions since.
    pub(super) goes_on: Option<Limit>,
    pub(super) rounds: u64,
    /// How often a judge asked whether to go on with one execution.
    pub(super) looks: Cell<u64>,
    /// Steps left to look for a smaller failure once there is one.
    pub(super) patience: u64,
}

/// Why the search ended early.
pub enum Halt {
    Relayout(Relayout),
    Limit(Limit),
    /// More than `N` threads.
    Crowded,
    /// Threads taken to be exchangeable are not.
    Distinct,
    /// Something that the search should have known from the beginning.
    Learned(Lesson),
    /// The latecomer can do something: see [`super::latecomer`].
    Acts,
    /// A failure was found and no smaller one in reasonable time.
    Enough,
    /// Another worker ended the search.
    Elsewhere,
}

/// An open choice; the positions left to try are `floor..upto`, highest first.
pub(super) enum Frame<S, const N: usize> {
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
        /// Of a group: whether it goes on with the iteration before.
        group: Option<bool>,
        pushed: bool,
        floor: usize,
        upto: usize,
        again: bool,
    },
}

#[derive(Clone, Copy)]
pub(super) struct Floors {
    pub read: usize,
    pub update: usize,
}

impl Floors {
    /// A failing compare-and-swap may have the stronger mode, so either may be lower.
    pub fn least(self) -> usize {
        self.read.min(self.update)
    }
}

/// A read that the write about to be added revisits, and what of each thread stays.
pub struct Revisit<const N: usize> {
    pub read: EventId,
    pub keep: Clock<N>,
}

/// What became of an attempt to add an event.
#[derive(Clone, Copy)]
pub(super) struct Attempt {
    pub added: bool,
    /// The same write may also be read by a compare-and-swap that fails spuriously.
    pub weak: bool,
}

impl Attempt {
    pub const ADDED: Attempt = Attempt { added: true, weak: false };
    pub const REFUSED: Attempt = Attempt { added: false, weak: false };
}

const PATIENCE: u64 = 20_000;

impl<'a, R: Runnable, const N: usize> Search<'a, R, N> {
    pub fn new(
        program: &'a R,
        axioms: Axioms,
        options: &'a Options,
        effort: &'a Effort,
        watch: &'a dyn Observer,
        pool: Option<&'a Pool<N>>,
    ) -> Self {
        let grouping = options.iterations && !options.learned.risk.any;
        let retrying = grouping && !options.learned.retries.is_empty();
        let others = !options.learned.undone.is_empty() || !options.learned.polls.is_empty();
        Search {
            program,
            axioms,
            options,
            effort,
            watch,
            pool,
            names: Names::default(),
            graph: Graph::new(),
            tally: Tally::default(),
            last: 0,
            copyable: true,
            // A judge sees who is who, and clocks without what symmetry adds.
            symmetric: options.symmetry && options.judge.is_none(),
            grouping,
            retrying,
            bookkeeping: retrying || grouping && others,
            helping: options.helping,
            idles: options.takes_idle_for_reads(axioms.memory),
            meets: options.in_one_order(),
            unseen: Unseen::default(),
            looked: Looked::default(),
            attempted: FxHashSet::default(),
            best: None,
            stack: Vec::new(),
            spare: Vec::new(),
            idle: Vec::new(),
            memo: Memo::default(),
            steps: 0,
            goes_on: None,
            rounds: 0,
            looks: Cell::default(),
            patience: PATIENCE,
        }
    }

    pub fn run(&mut self) -> Result<(), Halt> {
        let main = ThreadId::MAIN.index();
        self.begin(main, EventId::INIT)?;
        if self.best.is_some() {
            return Ok(());
        }
        self.extend()?;
        self.work()
    }

    /// Opens the next choice, or ends the branch.
    fn extend(&mut self) -> Result<(), Halt> {
        if self.is_forsaken() {
            return Ok(());
        }
        match self.schedule() {
            Some(thread) => {
                self.indistinct(thread)?;
                if self.acts(thread) {
                    return Err(Halt::Acts);
                }
                self.open(thread)?;
            }
            None => self.leaf()?,
        }
        Ok(())
    }

    /// Goes through all open choices.
    pub(super) fn work(&mut self) -> Result<(), Halt> {
        loop {
            self.charge()?;
            let Some(mut frame) = self.stack.pop() else { return Ok(()) };
            if self.advance(&mut frame)? {
                self.extend()?;
            }
        }
    }

    /// The thread to move: one in the middle of a read-modify-write, else one that has no choice,
    /// else a writer (so that reads find all writes in place and need fewer revisits).
    fn schedule(&self) -> Option<usize> {
        let mut best: Option<(u32, usize)> = None;
        let count = self.graph.lanes.len();
        let listed = !self.options.rows.is_empty();
        let first = if listed { 0 } else { self.effort.seed as usize % N };
        if self.retrying
            && let Some(t) = self.graph.lanes.iter().position(|l| l.exists && l.revisited.is_some())
        {
            return Some(t);
        }
        let last = self.options.latecomer.is_some();
        for t in (first..count).chain(0..first.min(count)) {
            let lane = &self.graph.lanes[t];
            if !lane.exists || last && self.comes_late(t) {
                continue;
            }
            let Some(op) = self.graph.next_op(t) else { continue };
            if self.graph.waits_for_neighbour(t) || self.waits_in_row(t) {
                continue;
            }
            let rank = match op {
                _ if lane.is_halfway() => return Some(t),
                op if lane.in_group() && (self.joins(t, op) || matches!(op, Op::Loop { .. })) => {
                    return Some(t);
                }
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
                // Whoever would have to wait comes last: the others may give it what it waits for.
                op if self.would_wait(op) => 5,
                Op::Read { .. } | Op::Rmw { .. } => 4,
                _ => 1,
            };
            let rank = if listed { 0 } else { rank };
            if best.is_none_or(|(r, _)| rank < r) {
                best = Some((rank, t));
            }
        }
        best.map(|(_, t)| t).or_else(|| self.latecomer())
    }

    /// Opens the choice of what `thread` does next.
    fn open(&mut self, thread: usize) -> Result<(), Halt> {
        let lane = &self.graph.lanes[thread];
        let halfway = lane.is_halfway();
        let Some(&op) = self.graph.next_op(thread) else { unreachable!("only asking threads are scheduled") };
        if self.keeps_state(thread, &op) {
            self.remember(thread);
        }
        let frame = match op {
            Op::Write { mode, loc, .. }
                if mode.is_atomic() && self.grouping && self.is_private(thread, loc.block()) =>
            {
                self.meets_nobody(thread, loc)?;
                Frame::Plain { thread, pushed: false }
            }
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
            Op::Choose { low, high } => self.open_choice(thread, low, high),
            _ => Frame::Plain { thread, pushed: false },
        };
        self.stack.push(frame);
        Ok(())
    }

    fn open_read(&mut self, thread: usize, loc: Loc, size: u8) -> Frame<Rc<R::Thread>, N> {
        let floors = self.read_floors(thread);
        let cell = self.cell(loc, size);
        let upto = self.graph.cells[cell as usize].mo.len() + 1;
        Frame::Read { thread, pushed: false, floors, upto, again: false }
    }

    /// Whether an update may be placed at `position`: no other update reads the same write.
    pub(super) fn is_atomic_at(&self, cell: u32, position: usize) -> bool {
        seeded::active(Bug::NoAtomicity) || !self.graph.is_glued(cell, position)
    }

    /// Undoes what a frame had in place and puts its next alternative there. The frame goes back
    /// on the stack if there was one.
    fn advance(&mut self, frame: &mut Frame<Rc<R::Thread>, N>) -> Result<bool, Halt> {
        match frame {
            Frame::Plain { thread, pushed } => {
                let thread = *thread;
                if *pushed {
                    self.pop(thread);
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
                    self.pop(thread);
                }
                loop {
                    let Some(pick) = *next else { return Ok(false) };
                    *next = (pick < high).then(|| pick + 1);
                    if self.choose(thread, pick)?.added {
                        break;
                    }
                    // There may be as many as there are numbers, and all of them may fail at once.
                    self.tick()?;
                }
                self.stack.push(Frame::Choose { thread, pushed: true, next: *next, high });
            }
            Frame::Read { thread, pushed, floors, upto, again } => {
                let thread = *thread;
                if *pushed {
                    self.pop(thread);
                }
                loop {
                    let spurious = std::mem::take(again);
                    if !spurious {
                        if *upto <= floors.least() {
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
                    self.pop(thread);
                }
                while *floor < *upto {
                    *upto -= 1;
                    if self.write(thread, *upto, true)? {
                        if self.passes_over(thread) {
                            self.pop(thread);
                            continue;
                        }
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

    fn revisit(&mut self, writer: usize, revisit: Revisit<N>) -> Frame<Rc<R::Thread>, N> {
        let read = self.graph.event(revisit.read);
        let (stamp, group) = (read.stamp, read.grouped.then_some(read.continues));
        let mut copy = self.spare.pop().unwrap_or_else(Graph::new);
        self.graph.restrict(&revisit.keep, &mut copy);
        copy.asks = std::mem::take(&mut self.graph.asks);
        let saved = Box::new(std::mem::replace(&mut self.graph, copy));
        let (floor, upto) = self.write_range(writer);
        Frame::Revisit {
            saved,
            writer,
            reader: revisit.read.thread(),
            stamp,
            group,
            pushed: false,
            floor,
            upto,
            again: false,
        }
    }

    /// Where the write that `thread` is about to add may go.
    pub(super) fn write_range(&mut self, thread: usize) -> (usize, usize) {
        let lane = &self.graph.lanes[thread];
        if lane.is_halfway() {
            let read = lane.events.last().expect("the read of the update");
            let floor = self.graph.after(read.cell, read.rf);
            return (floor, if self.is_atomic_at(read.cell, floor) { floor + 1 } else { floor });
        }
        let Some(&Op::Write { loc, size, mode, .. }) = self.graph.next_op(thread) else {
            unreachable!("only writes revisit")
        };
        let cell = self.cell(loc, size);
        let floor = self.axioms.floor(&self.graph, thread, cell, Access::Write(mode));
        (floor, self.graph.cells[cell as usize].mo.len() + 1)
    }

    fn advance_revisit(&mut self, frame: &mut Frame<Rc<R::Thread>, N>) -> Result<bool, Halt> {
        let Frame::Revisit { writer, reader, stamp, group, pushed, floor, upto, again, .. } = frame else {
            unreachable!("called on a revisit")
        };
        let (writer, reader, group) = (*writer, *reader, *group);
        if *pushed {
            if group.is_none() {
                self.pop(reader);
            } else {
                self.graph.lanes[reader].owed = EventId::INIT;
                self.graph.lanes[reader].revisited = None;
            }
            self.pop(writer);
        }
        loop {
            if let Some(continues) = group {
                if *floor >= *upto {
                    break;
                }
                *upto -= 1;
                if !self.write(writer, *upto, true)? {
                    continue;
                }
                let id = self.graph.last(writer).expect("the write");
                let lane = &mut self.graph.lanes[reader];
                (lane.owed, lane.revisited) = (id, Some((*stamp, continues)));
                if seeded::active(Bug::NothingOwed) {
                    lane.owed = EventId::INIT;
                }
                *pushed = true;
                let frame = std::mem::replace(frame, Frame::Plain { thread: 0, pushed: false });
                self.stack.push(frame);
                return Ok(true);
            }
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
            let attempt = if position < floors.least() {
                Attempt::REFUSED
            } else {
                self.read(reader, position, floors, spurious, Some(*stamp))?
            };
            *again = attempt.weak;
            if !attempt.added {
                self.pop(writer);
                continue;
            }
            if !self.resumed(writer)? || self.passes_over(writer) {
                self.pop(reader);
                self.pop(writer);
                continue;
            }
            *pushed = true;
            let frame = std::mem::replace(frame, Frame::Plain { thread: 0, pushed: false });
            self.stack.push(frame);
            return Ok(true);
        }
        let frame = std::mem::replace(frame, Frame::Plain { thread: 0, pushed: false });
        if let Frame::Revisit { saved, .. } = frame {
            let mut copy = std::mem::replace(&mut self.graph, *saved);
            self.graph.asks = std::mem::take(&mut copy.asks);
            self.spare.push(copy);
        }
        Ok(false)
    }

    pub(super) fn read_floors(&mut self, thread: usize) -> Floors {
        match *self.graph.next_op(thread).expect("the read is asked") {
            Op::Rmw { loc, size, mode, rmw, .. } => {
                let cell = self.cell(loc, size);
                let update = self.axioms.floor(&self.graph, thread, cell, Access::Update(mode));
                let read = match rmw {
                    Rmw::Cas { fail, .. } => {
                        self.axioms.floor(&self.graph, thread, cell, Access::Failure(fail))
                    }
                    Rmw::Fetch { .. } if self.idles => {
                        self.axioms.floor(&self.graph, thread, cell, Access::Read(mode))
                    }
                    Rmw::Fetch { .. } => update,
                };
                Floors { read, update }
            }
            Op::Read { loc, size, mode, .. } => {
                let cell = self.cell(loc, size);
                let read = self.axioms.floor(&self.graph, thread, cell, Access::Read(mode));
                Floors { read, update: read }
            }
            _ => unreachable!("only reads are revisited"),
        }
    }

    /// Notes a failing execution. The branch ends here; the search goes on for a while to find
    /// a smaller one.
    pub fn fail(&mut self, failure: Failure, thread: usize, guilty: &[EventId]) -> Result<(), Halt> {
        if self.best.is_some() && !self.is_certain() {
            self.tally.failures += 1;
            return Ok(());
        }
        self.without_idle_updates()?;
        if failure.kind == FailureKind::Unsupported {
            let mut limit = Limit::method(failure.message.clone());
            limit.at = self.program.place(failure.site);
            return Err(Halt::Limit(limit));
        }
        if self.options.latecomer.is_some() {
            return Err(Halt::Acts);
        }
        self.tally.failures += 1;
        if let Some(case) = Case::smaller(self, failure, thread, guilty) {
            self.best = Some(case);
        }
        Ok(())
    }
}
