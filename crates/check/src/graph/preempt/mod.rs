//! Executions with few preemptions: for programs that are too large to be explored in full, since
//! most errors need no more than a few (Musuvathi, Qadeer, *Iterative Context Bounding for
//! Systematic Testing of Multithreaded Programs*, PLDI 2007, who have no weak memory).
//!
//! What is decided: whether an execution with at most so many preemptions is wrong. An execution
//! has `n` if its events can be added one after the other, in some order that extends `porf`, with
//! `n` switches to another thread that the thread before could have gone on without. A thread
//! could not go on if it has ended or waits: for the end of another thread, for a lock or a value
//! that is not what is there now; or if it is at the start of an iteration of a loop that may come to nothing when it is
//! made without interruption ([`super::spin`]). So memory may be as weak as it likes at no cost:
//! which old write a read takes is no matter of the schedule.
//!
//! Two things are left out of the count. Steps that touch no memory that others compete for with
//! atomics (plain accesses, fences, allocation, creating and joining, choices, memory of the
//! thread's own) are made as soon as they can be: a switch just before one could as well be made
//! after it. And iterations that come to nothing are no part of an execution; what goes wrong
//! between one of them and a later event of another thread is found where that event comes first,
//! for a preemption more.
//!
//! The search adds events forward ([`super::forward`]), and never twice to the same graph for the
//! same thread, unless with fewer preemptions than before: [`visited`] keeps all graphs, exactly.
//! What a thread can do depends on the graph alone, and where it can go with `n` preemptions left
//! it can go with more, so nothing within the bound is lost. Each complete graph is looked at once.
//!
//! A preemption just after a thread has read is not looked at: whatever it read since it last wrote,
//! or since it was its turn, it can as well read when it is its turn again, old values included.
//! Nobody else depends on it, a thread that waits still waits, and if nothing is left of its turn,
//! one switch takes the place of two.
//!
//! Threads that do the same up to the values they carry ([`super::rows`]), or that nobody can tell
//! apart ([`super::symmetry`]), make their first step in the order of their numbers: renaming them
//! by the order in which they do turns an execution into one as good, with as many preemptions.
//!
//! Which iterations come to nothing is seen as in the search for all executions; one that failed
//! but for what it left in private memory counts once that is overwritten unread
//! ([`super::group`]). Nothing is left to helpers, and there is one worker: others would need the
//! same table.

mod eager;
mod rest;
mod visited;

use super::explore::{Floors, Halt, Search};
use super::forward::Taken;
use eager::Stand;
use lineal_model::Counts;
use lineal_model::run::{Op, Runnable};
use std::ops::ControlFlow;
use visited::{CUT, Key, Returns, Visited};

/// A bound must leave room for what marks a thread as not moved.
pub const MOST: u8 = 200;

struct Walk<'s, 'a, R: Runnable, const N: usize> {
    search: &'s mut Search<'a, R, N>,
    most: u8,
    visited: Visited<N>,
    /// The threads of all events, in the order in which they were added.
    trail: Vec<u8>,
    stack: Vec<Node>,
    steps: u64,
}

/// A graph in which it is open who goes on.
struct Node {
    key: Key,
    /// Who moved last.
    current: Option<usize>,
    used: u8,
    /// The length of the trail.
    mark: usize,
    /// Threads from here on were not tried; `None`: nor was the current one.
    next: Option<usize>,
    mover: Option<Mover>,
    /// Where the current thread may be back at if it goes on.
    returns: Returns,
    /// No choice of who goes on, only of what the thread chooses.
    forced: bool,
}

/// A thread that moves, and what it can still do.
struct Mover {
    thread: usize,
    cost: u8,
    choices: Choices,
    moved: bool,
    returns: Returns,
}

enum Choices {
    Read { floors: Floors, upto: usize, again: bool },
    Write { floor: usize, upto: usize },
    Pick { next: Option<i64>, high: i64 },
}

impl<R: Runnable, const N: usize> Search<'_, R, N> {
    /// Goes through all executions with at most `most` preemptions.
    pub fn bounded(&mut self, most: u8) -> Result<(), Halt> {
        (self.grouping, self.retrying, self.bookkeeping, self.helping) = (false, false, false, false);
        self.begin(0, super::event::EventId::INIT)?;
        if self.best.is_some() {
            return Ok(());
        }
        let mut walk = Walk {
            search: self,
            most: most.min(MOST),
            visited: Visited::new(),
            trail: Vec::new(),
            stack: Vec::new(),
            steps: 0,
        };
        let end = walk.run();
        self.tally.preempted = walk.visited.cut();
        end
    }

    /// Whether the thread comes after one like it that has done nothing yet.
    fn starts_later(&self, thread: usize) -> bool {
        let Some(before) = self.row_before(thread) else { return false };
        let began = |t: usize| (0..self.graph.lanes[t].events.len()).any(|i| self.is_choice(t, i));
        !began(thread) && !began(before) && self.may_move(before)
    }

    /// Whether the last step of the thread that others may compete with only read.
    fn read_last(&self, thread: usize) -> bool {
        let events = &self.graph.lanes[thread].events;
        (0..events.len()).rev().find(|&i| self.is_choice(thread, i)).is_some_and(|i| events[i].is_read())
    }

    /// Whether the event was a step that others may compete with.
    fn is_choice(&self, thread: usize, index: usize) -> bool {
        let e = &self.graph.lanes[thread].events[index];
        e.is_access() && e.mode.is_atomic() && !e.own
    }
}

impl<R: Runnable, const N: usize> Walk<'_, '_, R, N> {
    fn run(&mut self) -> Result<(), Halt> {
        match self.eager(None)? {
            Stand::Ready(forced) => self.arrive(None, 0, forced),
            Stand::Dead | Stand::Back(_) => return Ok(()),
        }
        while let Some(mut node) = self.stack.pop() {
            self.charge()?;
            self.undo(node.mark);
            if let Some(mut mover) = node.mover.take() {
                if self.choose(&mut mover)? {
                    mover.moved = true;
                    let (thread, forced) = (mover.thread, node.forced);
                    let (current, used) =
                        if forced { (node.current, node.used) } else { (Some(thread), mover.cost) };
                    let runner = if forced { node.current } else { Some(thread) };
                    match self.eager(runner)? {
                        Stand::Dead => {}
                        Stand::Back(from) => mover.returns.push(from),
                        Stand::Ready(chooser) => {
                            node.mover = Some(mover);
                            self.stack.push(node);
                            self.arrive(current, used, chooser);
                            continue;
                        }
                    }
                    node.mover = Some(mover);
                } else {
                    self.done(&mut node, &mover);
                }
                self.stack.push(node);
            } else if self.proceed(&mut node)? {
                self.stack.push(node);
            } else if let Some(parent) = self.stack.last_mut().and_then(|n| n.mover.as_mut()) {
                parent.returns.extend(node.returns);
            }
        }
        Ok(())
    }

    /// The graph as it is now was reached.
    fn arrive(&mut self, current: Option<usize>, used: u8, chooser: Option<usize>) {
        let mark = self.trail.len();
        let key = self.visited.key(&self.search.graph);
        let mut node = Node {
            key,
            current,
            used,
            mark,
            next: None,
            mover: None,
            returns: Returns::new(),
            forced: chooser.is_some(),
        };
        if let Some(thread) = chooser {
            node.mover = Some(self.mover(thread, used));
        }
        self.stack.push(node);
    }

    /// Moves the next thread that may; `false`: there is none.
    fn proceed(&mut self, node: &mut Node) -> Result<bool, Halt> {
        if node.forced {
            return Ok(false);
        }
        let asks = |walk: &Self, t: usize| walk.search.may_move(t);
        if node.next.is_none() {
            node.next = Some(0);
            if let Some(thread) = node.current.filter(|&t| asks(self, t)) {
                let known = self.visited.known(node.key);
                if node.used < known.cost[thread] {
                    known.cost[thread] = node.used;
                    node.mover = Some(self.mover(thread, node.used));
                    return Ok(true);
                }
                if let Some(known) = self.visited.returns.get(&(node.key, thread as u8)) {
                    node.returns.clone_from(known);
                }
            }
        }
        let known = *self.visited.known(node.key);
        let goes_on = node.current.is_some_and(|t| asks(self, t) && known.waits >> t & 1 == 0);
        if goes_on && node.current.is_some_and(|t| self.search.read_last(t)) {
            return Ok(false);
        }
        let cost = node.used + u8::from(goes_on);
        while let Some(thread) = node.next.filter(|&t| t < self.search.graph.lanes.len()) {
            node.next = Some(thread + 1);
            if node.current == Some(thread) || !asks(self, thread) || self.search.starts_later(thread) {
                continue;
            }
            let known = self.visited.known(node.key);
            if cost > self.most {
                known.cost[thread] = known.cost[thread].min(CUT);
            } else if cost < known.cost[thread] {
                known.cost[thread] = cost;
                node.mover = Some(self.mover(thread, cost));
                return Ok(true);
            }
        }
        if !goes_on {
            self.rest(node.key)?;
        }
        Ok(false)
    }

    /// All that the thread could do next was done.
    fn done(&mut self, node: &mut Node, mover: &Mover) {
        if node.forced {
            node.returns.extend(mover.returns.iter().copied());
            return;
        }
        let here = self.search.graph.lanes[mover.thread].events.len();
        let mut waits = !mover.moved || self.search.waits_now(mover.thread);
        let mut further = Returns::new();
        for &from in mover.returns.iter().filter(|&&from| usize::from(from) <= here) {
            if (usize::from(from)..here).any(|i| self.search.is_choice(mover.thread, i)) {
                if !further.contains(&from) {
                    further.push(from);
                }
            } else {
                waits = true;
            }
        }
        self.visited.known(node.key).waits |= u64::from(waits) << mover.thread;
        if node.current == Some(mover.thread) {
            node.returns.clone_from(&further);
        }
        if !further.is_empty() {
            self.visited.returns.insert((node.key, mover.thread as u8), further);
        }
    }

    /// A thread about to move.
    fn mover(&mut self, thread: usize, cost: u8) -> Mover {
        let search = &mut *self.search;
        search.remember(thread);
        let choices = match search.asked(thread).0 {
            Op::Choose { low, high } => Choices::Pick { next: (low <= high).then_some(low), high },
            Op::Write { .. } => {
                let (floor, upto) = search.write_range(thread);
                Choices::Write { floor, upto }
            }
            _ => {
                let floors = search.read_floors(thread);
                let cell = search.read_cell(thread);
                let upto = search.graph.cells[cell as usize].mo.len() + 1;
                Choices::Read { floors, upto, again: false }
            }
        };
        Mover { thread, cost, choices, moved: false, returns: Returns::new() }
    }

    /// Makes the next step of a thread that is left to try; `false`: there is none.
    fn choose(&mut self, mover: &mut Mover) -> Result<bool, Halt> {
        let (search, thread) = (&mut *self.search, mover.thread);
        search.remember(thread);
        let added = loop {
            match &mut mover.choices {
                Choices::Pick { next, high } => {
                    let Some(pick) = *next else { break false };
                    *next = (pick < *high).then(|| pick + 1);
                    if search.choose(thread, pick)?.added {
                        break true;
                    }
                }
                Choices::Write { floor, upto } => {
                    if *floor >= *upto {
                        break false;
                    }
                    *upto -= 1;
                    if search.write(thread, *upto, true)? {
                        break true;
                    }
                }
                Choices::Read { floors, upto, again } => {
                    let spurious = std::mem::take(again);
                    if !spurious {
                        if *upto <= floors.least() {
                            break false;
                        }
                        *upto -= 1;
                    }
                    let (taken, weak) = search.take_at(thread, *upto, *floors, spurious)?;
                    *again = weak && !spurious;
                    if taken != Taken::No {
                        break true;
                    }
                }
            }
        };
        self.noted(thread);
        Ok(added)
    }

    /// Puts new events of a thread on the trail.
    fn noted(&mut self, thread: usize) {
        while self.visited.len(thread) < self.search.graph.lanes[thread].events.len() {
            let event = &self.search.graph.lanes[thread].events[self.visited.len(thread)];
            self.visited.push(thread, event);
            self.trail.push(thread as u8);
        }
    }

    /// Takes back all events after the first so many.
    fn undo(&mut self, mark: usize) {
        while self.trail.len() > mark {
            let thread = usize::from(self.trail.pop().expect("longer than that"));
            self.search.pop(thread);
            self.visited.pop(thread);
        }
    }

    fn charge(&mut self) -> Result<(), Halt> {
        self.steps += 1;
        if self.search.best.is_some() {
            self.search.wait_for_smaller()?;
        }
        if !self.steps.is_multiple_of(1024) {
            return Ok(());
        }
        let tally = &self.search.tally;
        let counts = Counts {
            executions: tally.executions,
            blocked: tally.blocked,
            bytes: self.visited.bytes(),
            ..Counts::default()
        };
        match self.search.effort.charge(counts, self.search.watch) {
            ControlFlow::Break(limit) => Err(Halt::Limit(limit)),
            ControlFlow::Continue(()) => Ok(()),
        }
    }
}
