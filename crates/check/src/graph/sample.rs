//! Executions at random: for programs that are too large to be explored.
//!
//! An execution is built forward, one event after the other, each with one of the choices that the
//! memory model leaves at that time: any consistent execution can come up, since its events have an
//! order that extends program order and reads-from. Nothing follows from finding no error.
//!
//! Each execution has a temper of its own, drawn first: whether threads take turns evenly or one
//! runs ahead until its rank changes, and how often a read takes an old value or a write goes
//! before others. Errors that need one long delay and errors that need much mixing both come up.
//!
//! An iteration of a loop is made without interruption, until it writes something. So one that
//! comes to nothing is the last thing that happened, and is taken back; its thread sleeps until
//! somebody has written. A thread that waits in vain sleeps likewise.

use super::event::{EventId, Kind};
use super::explore::{Floors, Halt, Search};
use super::forward::Taken;
use super::graph::{Graph, Next};
use super::spin::Turn;
use fastrand::Rng;
use lineal_model::run::{Cause, Op, Runnable};
use lineal_model::{Limit, LimitKind};
use std::ops::ControlFlow;

/// How many executions to draw, and from where to begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sampling {
    pub executions: u64,
    pub seed: u64,
}

/// A thread that takes more steps than this in one execution is left where it is.
const LONGEST: usize = 2_000;

/// How often a judge may ask whether to go on.
const LOOKS: u64 = 8;

/// How one execution is drawn.
struct Temper {
    /// Ranks of threads; empty: all the same.
    ranks: Vec<u32>,
    /// One in so many steps the first in rank becomes another; one in so many choices is not the
    /// newest.
    change: u32,
    old: u32,
}

impl Temper {
    fn new(rng: &mut Rng) -> Self {
        let ranks = if rng.bool() { (0..64).map(|_| rng.u32(..)).collect() } else { Vec::new() };
        let change = *rng.choice(&[4, 12, 40]).unwrap_or(&12);
        let old = *rng.choice(&[2, 4, 16, u32::MAX]).unwrap_or(&4);
        Temper { ranks, change, old }
    }

    fn pick(&mut self, ready: &[usize], rng: &mut Rng) -> usize {
        if self.ranks.is_empty() {
            return ready[rng.usize(..ready.len())];
        }
        let first = *ready.iter().max_by_key(|&&t| self.ranks[t]).unwrap_or(&ready[0]);
        if rng.u32(..self.change) == 0 {
            self.ranks[first] = rng.u32(..);
        }
        first
    }

    /// Positions `floor..upto` in the order in which to try them.
    fn positions(&self, floor: usize, upto: usize, rng: &mut Rng) -> Vec<usize> {
        let mut all: Vec<usize> = (floor..upto).rev().collect();
        if self.old < u32::MAX && rng.u32(..self.old) == 0 {
            rng.shuffle(&mut all);
        }
        all
    }
}

/// What became of a step.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    Moved,
    /// Others may see something new.
    Wrote,
    /// Nothing can be done for now.
    Waits,
}

impl<R: Runnable, const N: usize> Search<'_, R, N> {
    /// Draws executions until one fails or the number is reached.
    pub fn sample(&mut self, sampling: Sampling) -> Result<(), Halt> {
        (self.grouping, self.retrying, self.bookkeeping) = (false, false, false);
        (self.helping, self.symmetric) = (false, false);
        let mut rng = Rng::with_seed(sampling.seed);
        for _ in 0..sampling.executions {
            self.ask()?;
            if self.pool.is_some_and(|pool| pool.is_over()) {
                return Err(Halt::Elsewhere);
            }
            self.draw(&mut rng)?;
            if self.best.is_some() {
                self.pool.inspect(|pool| pool.finish());
                return Ok(());
            }
        }
        // Of all workers.
        let drawn = self.options.sample.map_or(sampling.executions, |all| all.executions);
        let message = format!("{drawn} executions were drawn at random, not all looked at");
        Err(Halt::Limit(Limit { value: Some(drawn), ..Limit::new(LimitKind::Sampled, message) }))
    }

    /// A look at an execution that was drawn is not to last for ever: there are others.
    pub(super) fn looked(&self) -> ControlFlow<Limit> {
        self.looks.set(self.looks.get() + 1);
        if self.options.sample.is_some() && self.looks.get() > LOOKS {
            return ControlFlow::Break(Limit::new(LimitKind::Sampled, "one execution takes too long"));
        }
        ControlFlow::Continue(())
    }

    /// One execution.
    fn draw(&mut self, rng: &mut Rng) -> Result<(), Halt> {
        self.looks.set(0);
        self.graph = Graph::new();
        self.begin(0, EventId::INIT)?;
        let mut temper = Temper::new(rng);
        let mut asleep = [false; N];
        // In the middle of an iteration: who, and since which event.
        let mut busy: Option<(usize, usize)> = None;
        let mut steps = 0u32;
        while self.best.is_none() {
            steps += 1;
            if steps.is_multiple_of(1024) {
                self.ask()?;
            }
            let ready: Vec<usize> =
                (0..self.graph.lanes.len()).filter(|&t| !asleep[t] && self.may_move(t)).collect();
            let thread = match busy.filter(|b| ready.contains(&b.0)) {
                Some((thread, _)) => thread,
                None if ready.is_empty() => break,
                None => temper.pick(&ready, rng),
            };
            let since = busy.filter(|b| b.0 == thread).map(|b| b.1);
            if since.is_none() {
                busy = None;
            }
            let begins = matches!(self.graph.next_op(thread), Some(Op::Loop { .. }));
            let length = self.graph.lanes[thread].events.len();
            match self.step(thread, since, &temper, rng)? {
                Step::Moved if begins && since.is_none() => busy = Some((thread, length)),
                Step::Moved => {}
                Step::Wrote => {
                    asleep = [false; N];
                    busy = None;
                }
                Step::Waits => {
                    asleep[thread] = true;
                    busy = None;
                }
            }
        }
        if self.best.is_some() {
            return Ok(());
        }
        for thread in (0..self.graph.lanes.len()).filter(|&t| asleep[t]) {
            self.put_to_rest(thread)?;
        }
        self.leaf()
    }

    /// Moves a thread by one event; `since`: where its iteration began.
    fn step(
        &mut self,
        thread: usize,
        since: Option<usize>,
        temper: &Temper,
        rng: &mut Rng,
    ) -> Result<Step, Halt> {
        let (op, site) = self.asked(thread);
        if self.graph.lanes[thread].events.len() > LONGEST {
            self.graph.lanes[thread].next = Next::Blocked(Cause::Bound, site);
            return Ok(Step::Moved);
        }
        self.remember(thread);
        let failures = self.tally.failures;
        let step =
            match op {
                Op::Read { mode, .. } if mode.is_atomic() => self.take(thread, temper, rng)?,
                Op::Rmw { .. } => self.take(thread, temper, rng)?,
                Op::Write { mode, .. } if mode.is_atomic() => {
                    let (floor, upto) = self.write_range(thread);
                    let mut put = false;
                    for position in temper.positions(floor, upto, rng) {
                        put = put || self.write(thread, position, true)?;
                    }
                    if put { Step::Wrote } else { Step::Waits }
                }
                Op::Choose { low, high } if low <= high => {
                    if self.choose(thread, rng.i64(low..=high))?.added { Step::Moved } else { Step::Waits }
                }
                Op::Choose { .. } => Step::Waits,
                Op::Loop { .. } => match (self.turn(thread, op), since) {
                    (Turn::Ends(Cause::Spin, from), Some(since)) if from >= since => {
                        while self.graph.lanes[thread].events.len() > from {
                            self.pop(thread);
                        }
                        Step::Waits
                    }
                    (Turn::Ends(Cause::Bound, _), _) => {
                        self.graph.lanes[thread].next = Next::Blocked(Cause::Bound, site);
                        Step::Moved
                    }
                    // Not the last thing that happened: it stays, and does no harm.
                    _ => {
                        let stamp = self.graph.stamp;
                        let event = super::event::Event { stamp, ..self.blank(thread, Kind::Loop) };
                        self.add(thread, event, 0);
                        self.resumed(thread)?;
                        Step::Moved
                    }
                },
                _ => {
                    let quiet = matches!(op, Op::Read { .. } | Op::Fence { .. });
                    if !self.plain(thread)?.added {
                        Step::Waits
                    } else if quiet {
                        Step::Moved
                    } else {
                        Step::Wrote
                    }
                }
            };
        // A thread that went wrong is not there any more to move.
        Ok(if self.tally.failures > failures { Step::Moved } else { step })
    }

    /// A read, or a read-modify-write as a whole, of some write that it may take.
    fn take(&mut self, thread: usize, temper: &Temper, rng: &mut Rng) -> Result<Step, Halt> {
        let floors: Floors = self.read_floors(thread);
        let cell = self.read_cell(thread);
        let upto = self.graph.cells[cell as usize].mo.len() + 1;
        let without_need = rng.u32(..8) == 0;
        for position in temper.positions(floors.least(), upto, rng) {
            let mut found = self.take_at(thread, position, floors, false)?;
            if found.0 == Taken::Wrote && found.1 && without_need {
                self.pop(thread);
                self.pop(thread);
                found = self.take_at(thread, position, floors, true)?;
            }
            match found.0 {
                Taken::No if self.best.is_some() => return Ok(Step::Moved),
                Taken::No => {}
                Taken::Read => return Ok(Step::Moved),
                Taken::Wrote => return Ok(Step::Wrote),
            }
        }
        Ok(Step::Waits)
    }
}

impl Sampling {
    /// The part of one of several workers.
    pub fn part(self, worker: u64, workers: u64) -> Sampling {
        let more = u64::from(worker < self.executions % workers);
        let seed = self.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(worker);
        Sampling { executions: self.executions / workers + more, seed }
    }
}
