//! Adding one event at the end of a thread, with one of its choices.

use super::event::{Clock, Event, EventId, Half, Kind};
use super::explore::{Attempt, Floors, Halt, Search};
use super::graph::{Lane, Next};
use super::latecomer::Would;
use super::learned::Lesson;
use super::spin::Turn;
use super::symmetry::Pick;
use lineal_model::Limit;
use lineal_model::run::{
    Cause, Failure, FailureKind, Loc, Mode, Op, Rmw, Runnable, Site, ThreadId, Value, Wait,
};
use std::rc::Rc;

impl<R: Runnable, const N: usize> Search<'_, R, N> {
    /// Adds a read of the write before `position`, if the graph stays consistent.
    pub(super) fn read(
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
        self.unsigned(site, rf)?;
        let value = self.content(cell, rf);
        if wait.is_some() && self.is_out_of_turn(thread, &op, cell, position, value)? {
            return Ok(Attempt::REFUSED);
        }
        let standing = self.standing(thread, &op);
        let stamp = stamp.unwrap_or(standing.stamp);
        let taken = wait.is_some_and(|w: Wait| !w.until.holds(value, size));
        if rmw.is_some()
            && let Some((loc, seen)) = self.would_take_back(thread, op, cell)
        {
            return Err(Halt::Learned(Lesson::Undone(loc, seen)));
        }
        let in_vain = self.bookkeeping
            && !taken
            && (self.takes_in_vain(thread, rf, value) || self.takes_back(thread, op, cell, value)?);
        self.tally.waits |= in_vain;
        let unmet = taken || in_vain;
        // Of no use to the thread, but the read was made: its errors count.
        let hopeless = unmet && self.is_hopeless(cell, position, stamp);
        if hopeless && loc.block().is_global() && self.graph.cells[cell as usize].plain == 0 {
            return Ok(Attempt::REFUSED);
        }
        let matches = !unmet && rmw.is_some_and(|r| r.apply(value, size).is_some());
        let mut updates = matches && !spurious;
        if updates && self.idles && self.is_idle_update(cell, rmw, wait, (value, size)) {
            updates = false;
        }
        let weak = updates && matches!(rmw, Some(Rmw::Cas { weak: true, .. }));
        let refused = Attempt { added: false, weak };
        let pick = Pick { rf, spurious, updates };
        if position < if updates { floors.update } else { floors.read }
            || !self.read_in_order(thread, cell, position, pick)
        {
            return Ok(refused);
        }
        if let (false, Some(Rmw::Cas { fail, .. })) = (updates, rmw) {
            mode = fail;
        }
        if updates && self.comes_late(thread) {
            let stored = rmw.and_then(|r| r.apply(value, size)).expect("the update succeeds");
            match self.would(cell, position, value, stored)? {
                Would::Idle => updates = false,
                Would::TooLate => return Ok(refused),
            }
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
            grouped: standing.grouped,
            continues: standing.continues,
            revisited: standing.revisited,
            pure: standing.pure && !updates,
            ..self.blank(thread, Kind::Read)
        };
        let id = self.add(thread, event, 0);
        if unmet {
            if !self.safe(id)? || hopeless {
                self.pop(thread);
                return Ok(refused);
            }
            let cause = wait.filter(|_| taken).map_or(Cause::Spin, |w| w.cause);
            self.graph.lanes[thread].next = Next::Blocked(cause, site);
            return Ok(Attempt::ADDED);
        }
        let goes_on = updates || (self.safe(id)? && self.resumed(thread)?);
        if !goes_on || !self.concluded(thread)? {
            self.pop(thread);
            return Ok(refused);
        }
        Ok(Attempt { added: true, weak })
    }

    /// Adds a write at `position`, if the graph stays consistent; with `resume`, its thread goes on.
    pub(super) fn write(&mut self, thread: usize, position: usize, resume: bool) -> Result<bool, Halt> {
        let (op, _) = self.asked(thread);
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
        if half == Half::Whole
            && !(self.is_atomic_at(cell, position) && self.write_in_order(thread, cell, position))
        {
            return Ok(false);
        }
        let stamp = self.graph.stamp;
        let event = Event { half, mode, cell, stamp, value, ..self.blank(thread, Kind::Write) };
        let store = if half == Half::Whole { self.store_before(thread) } else { None };
        let id = self.add(thread, event, position);
        if let Some(store) = store {
            let porf = self.graph.event(store).porf;
            self.graph.lanes[thread].events.last_mut().expect("the write").porf.join(&porf);
        }
        let in_order = half != Half::Whole || self.stores_in_order(thread);
        if in_order && self.safe(id)? && (!resume || self.resumed(thread)?) {
            return Ok(true);
        }
        self.pop(thread);
        Ok(false)
    }

    pub(super) fn choose(&mut self, thread: usize, pick: i64) -> Result<Attempt, Halt> {
        if !self.choice_in_order(thread, pick) || self.graph.is_chosen_in_vain(thread, pick) {
            return Ok(Attempt::REFUSED);
        }
        let value = Value::word(pick as u64);
        let stamp = self.graph.stamp;
        let event = Event { stamp, value, ..self.blank(thread, Kind::Choose) };
        self.add(thread, event, 0);
        if self.resumed(thread)? {
            return Ok(Attempt::ADDED);
        }
        self.pop(thread);
        Ok(Attempt::REFUSED)
    }

    /// Adds an event that leaves no choice.
    pub(super) fn plain(&mut self, thread: usize) -> Result<Attempt, Halt> {
        let (op, site) = self.asked(thread);
        let standing = self.standing(thread, &op);
        let mut event = self.blank(thread, Kind::Fence);
        event.stamp = standing.stamp;
        (event.grouped, event.continues, event.pure) = (standing.grouped, standing.continues, standing.pure);
        let mut position = 0;
        match op {
            Op::Read { loc, size, mode, .. } => {
                let cell = self.cell(loc, size);
                // Without a race all writes are hb-before, so the last one is the latest.
                let rf = self.graph.cells[cell as usize].mo.last().copied().unwrap_or(EventId::INIT);
                self.unsigned(site, rf)?;
                let value = self.content(cell, rf);
                event = Event { kind: Kind::Read, mode, cell, rf, value, ..event };
            }
            Op::Write { loc, size, mode, value } => {
                let cell = self.cell(loc, size);
                position = self.graph.cells[cell as usize].mo.len();
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
                if let Some(first) = self.graph.joined(child.index()) {
                    let message = "joins a thread that was joined already".into();
                    let failure = Failure { kind: FailureKind::LockMisuse, message, site };
                    self.fail(failure, thread, &[first])?;
                    return Ok(Attempt::REFUSED);
                }
                event = Event { kind: Kind::Join, cell: child.index() as u32, value, ..event };
            }
            Op::Loop { .. } => event.kind = Kind::Loop,
            Op::Rmw { .. } | Op::Choose { .. } => unreachable!("these leave a choice"),
        }
        if event.kind == Kind::Loop {
            if self.grouping && self.graph.lanes.iter().any(|l| l.exists && l.neighbour.is_some()) {
                return Err(Halt::Learned(Lesson::Loops));
            }
            let turn = self.turn(thread, op);
            if !matches!(turn, Turn::Ends(..))
                && let Some(limit) = self.endless(thread, op, site)
            {
                self.without_idle_updates()?;
                return Err(Halt::Limit(limit));
            }
            if let Some(head) = self.retries(thread, op, turn) {
                return Err(Halt::Learned(Lesson::Retry(head)));
            }
            if let Some(lock) = self.polled(thread, op) {
                return Err(Halt::Learned(Lesson::Poll(lock)));
            }
            if let Some((loc, seen)) = self.took_back(thread, op) {
                return Err(Halt::Learned(Lesson::Undone(loc, seen)));
            }
            let lane = &self.graph.lanes[thread];
            let passes = matches!(op, Op::Loop { head } if self.passes(thread, head));
            match turn {
                Turn::Ends(cause, from) => {
                    self.tally.waits |= cause == Cause::Spin;
                    if cause == Cause::Spin {
                        self.keep(thread, from)?;
                    }
                    let lane = &self.graph.lanes[thread];
                    let len = lane.events.len();
                    let dead = cause == Cause::Spin && self.is_dead_end(thread, from, len);
                    if lane.owed != EventId::INIT || dead {
                        return Ok(Attempt::REFUSED);
                    }
                    let over = lane.in_group();
                    self.add(thread, event, 0);
                    self.graph.lanes[thread].next = Next::Blocked(cause, site);
                    if over && self.in_rows() && !self.depends(thread) {
                        self.pop(thread);
                        return Ok(Attempt::REFUSED);
                    }
                    return Ok(Attempt::ADDED);
                }
                Turn::Dirty if lane.in_group() => {
                    let last = lane.events.last().expect("a group");
                    let split = last.is_read() && last.owed != EventId::INIT && last.rf == last.owed;
                    if !split {
                        event.stamp = last.stamp;
                    }
                    (event.grouped, event.continues) = (true, true);
                }
                _ if passes => {}
                _ if lane.owed != EventId::INIT => return Ok(Attempt::REFUSED),
                _ if lane.in_group() && self.in_rows() => {
                    self.add(thread, event, 0);
                    if !self.depends(thread) || !self.resumed(thread)? {
                        self.pop(thread);
                        return Ok(Attempt::REFUSED);
                    }
                    return Ok(Attempt::ADDED);
                }
                _ => {}
            }
        }
        let own = event.is_write() && event.grouped;
        event.own = event.is_write() && event.mode.is_atomic();
        let in_turn = event.grouped;
        let id = self.add(thread, event, position);
        if own && let Some((from, dead)) = self.is_late(thread) {
            self.tally.waits = true;
            self.keep(thread, from)?;
            if !self.safe(id)? || self.graph.lanes[thread].owed != EventId::INIT || dead {
                self.pop(thread);
                return Ok(Attempt::REFUSED);
            }
            self.graph.lanes[thread].next = Next::Blocked(Cause::Spin, site);
            if self.in_rows() && !self.depends(thread) {
                self.pop(thread);
                return Ok(Attempt::REFUSED);
            }
            return Ok(Attempt::ADDED);
        }
        if self.safe(id)? && self.resumed(thread)? && (!in_turn || self.concluded(thread)?) {
            return Ok(Attempt::ADDED);
        }
        self.pop(thread);
        Ok(Attempt::REFUSED)
    }

    pub(super) fn asked(&self, thread: usize) -> (Op, Site) {
        match self.graph.lanes[thread].next {
            Next::Ask(asked) => (*self.graph.asks.op(asked), self.graph.asks.site(asked)),
            _ => unreachable!("only asking threads move"),
        }
    }

    pub(super) fn blank(&self, thread: usize, kind: Kind) -> Event<Rc<R::Thread>, N> {
        let Next::Ask(asked) = self.graph.lanes[thread].next else {
            unreachable!("only asking threads move")
        };
        let kept = self.keeps_state(thread, self.graph.asks.op(asked));
        Event {
            kind,
            half: Half::Whole,
            mode: Mode::NonAtomic,
            spurious: false,
            unmet: false,
            alike: false,
            grouped: false,
            continues: false,
            pure: false,
            revisited: false,
            owed: EventId::INIT,
            stamp_before: 0,
            cell: 0,
            rf: EventId::INIT,
            stamp: 0,
            value: Value::ZERO,
            hb: Clock::ZERO,
            porf: Clock::ZERO,
            true_porf: Clock::ZERO,
            own: false,
            message: Clock::ZERO,
            fence: 0,
            drained: 0,
            asked,
            next_asked: asked,
            state: if kept { self.graph.lanes[thread].state.clone() } else { None },
        }
    }

    pub(super) fn add(
        &mut self,
        thread: usize,
        mut event: Event<Rc<R::Thread>, N>,
        position: usize,
    ) -> EventId {
        self.last = thread;
        self.note(thread, &event);
        self.note_lock(thread, &event, position);
        self.axioms.clocks(&self.graph, thread, &mut event);
        self.note_glimpse(thread, &event);
        if self.graph.lanes[thread].neighbour.is_some() {
            event.porf.join(&self.prefix(thread));
            event.alike = self.graph.is_alike(thread, &event);
        }
        self.graph.push(thread, event, position)
    }

    pub fn cell(&mut self, loc: Loc, size: u8) -> u32 {
        let cell = self.names.cell(self.program, loc, size);
        self.graph.admit(cell);
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
        match self.graph.block(block).alloc.map(|a| *self.graph.op(self.graph.event(a))) {
            Some(Op::Alloc { zeroed: true, .. }) => Value::ZERO,
            _ => Value::UNDEFINED,
        }
    }

    /// Some write after `position` was there before the read stamped `stamp`: that read can
    /// never count as maximal, so if its thread is stuck nothing will ever delete or revisit it,
    /// and the branch ends only in blocked graphs whose other threads are explored elsewhere.
    pub(super) fn is_hopeless(&self, cell: u32, position: usize, stamp: u32) -> bool {
        self.graph.cells[cell as usize].mo[position..].iter().any(|&w| self.graph.event(w).stamp < stamp)
    }

    /// Whether the state of a thread is kept with its next event: it may be told several things,
    /// its states are compared, or other threads' choices lie between this event and its last.
    pub(super) fn keeps_state(&self, thread: usize, op: &Op) -> bool {
        let choice = match op {
            Op::Read { mode, .. } | Op::Write { mode, .. } => mode.is_atomic(),
            Op::Rmw { .. } | Op::Choose { .. } | Op::Loop { .. } => true,
            _ => false,
        };
        self.copyable && (choice || self.last != thread)
    }
}
