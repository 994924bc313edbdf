//! An execution as a list of events; threads are re-run from their start whenever asked.

use lineal_model::run::{
    Answer, BlockId, BlockInfo, Cause, Entry, Failure, Loc, Mode, Op, Rmw, Runnable, Site, Step, ThreadId,
    Value, World,
};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
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

#[derive(Clone, Debug)]
pub struct Event {
    pub thread: usize,
    pub kind: Kind,
    pub op: Op,
    pub site: Site,
    pub mode: Mode,
    pub loc: Option<Loc>,
    /// Read or written, chosen, returned.
    pub value: Value,
    /// `None` for a read: the initial value.
    pub rf: Option<usize>,
    /// For the write of a read-modify-write: its read.
    pub update_of: Option<usize>,
    /// A read that its write follows.
    pub updates: bool,
    pub spurious: bool,
    /// Created or joined.
    pub child: usize,
}

/// Events in an order that extends program order and `rf`.
#[derive(Clone, Debug)]
pub struct Execution {
    pub events: Vec<Event>,
    pub mo: BTreeMap<Loc, Vec<usize>>,
    /// What each thread runs.
    pub threads: BTreeMap<usize, Entry>,
    /// Blocks allocated so far, and whether they start out as zero.
    pub blocks: BTreeMap<BlockId, (BlockInfo, bool)>,
    /// Pairs of events that someone outside the program orders.
    pub edges: Vec<(usize, usize)>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Status {
    Absent,
    Asks(Op, Site),
    Finished(Value),
    Blocked(Cause),
    Failed(Failure),
    /// The program must be laid out anew.
    Relayout(lineal_model::run::Relayout),
}

impl World for Execution {
    fn block(&self, block: BlockId) -> Option<BlockInfo> {
        self.blocks.get(&block).map(|b| b.0)
    }
}

impl Execution {
    pub fn new<R: Runnable>(program: &R) -> Self {
        Execution {
            events: Vec::new(),
            mo: BTreeMap::new(),
            threads: BTreeMap::from([(0, program.main())]),
            blocks: BTreeMap::new(),
            edges: Vec::new(),
        }
    }

    pub fn mo(&self, loc: Loc) -> &[usize] {
        self.mo.get(&loc).map_or(&[], Vec::as_slice)
    }

    /// Every write of a cell, the initial one (`None`) included.
    pub fn writes(&self, loc: Loc) -> Vec<Option<usize>> {
        std::iter::once(None).chain(self.mo(loc).iter().map(|&w| Some(w))).collect()
    }

    pub fn value<R: Runnable>(&self, program: &R, loc: Loc, size: u8, write: Option<usize>) -> Value {
        if let Some(w) = write {
            return self.events[w].value;
        }
        if loc.block().is_global() {
            return program.initial(loc, size);
        }
        let zeroed = self.blocks.get(&loc.block()).is_some_and(|b| b.1);
        if zeroed { Value::ZERO } else { Value::UNDEFINED }
    }

    pub fn statuses<R: Runnable>(&self, program: &R) -> Vec<Status> {
        let count = self.threads.keys().last().map_or(0, |t| t + 1);
        (0..count).map(|t| self.status(program, t)).collect()
    }

    /// Runs a thread through all its answers.
    pub fn status<R: Runnable>(&self, program: &R, thread: usize) -> Status {
        let Some(&entry) = self.threads.get(&thread) else { return Status::Absent };
        let mut state = program.start(ThreadId(thread as u8), entry);
        let mut step = program.resume(&mut state, Answer::default(), self);
        // Snapshots at loop heads since the thread last changed anything.
        let mut heads: BTreeSet<(u32, Vec<u64>)> = BTreeSet::new();
        let mut own = self.events.iter().filter(|e| e.thread == thread && !e.updates);
        loop {
            let (op, site) = match step {
                Step::Ask(op, site) => (op, site),
                Step::Finished(value) => return Status::Finished(value),
                Step::Stopped(cause, _) => return Status::Blocked(cause),
                Step::Failed(failure) => return Status::Failed(failure),
                Step::Relayout(change) => return Status::Relayout(change),
            };
            let answer = if let Op::Loop { head } = op {
                if let Some(now) = program.snapshot(&state) {
                    let now = (head, now.into_owned());
                    if !heads.insert(now) {
                        return Status::Blocked(Cause::Spin);
                    }
                }
                Answer::default()
            } else {
                let Some(event) = own.next() else { return Status::Asks(op, site) };
                debug_assert_eq!(event.op, op, "a thread asked something else when run again");
                let idle = event.update_of.is_some_and(|read| self.events[read].value == event.value);
                if !idle && !matches!(event.kind, Kind::Read | Kind::Fence | Kind::Choose) {
                    heads.clear();
                }
                self.answer(event)
            };
            step = program.resume(&mut state, answer, self);
        }
    }

    /// What a thread is told after an event.
    pub fn answer(&self, event: &Event) -> Answer {
        let value = match (event.update_of, event.kind) {
            (Some(read), _) => self.events[read].value,
            (None, Kind::Create) => Value::word(event.child as u64),
            _ => event.value,
        };
        Answer { value, spurious: event.spurious }
    }

    /// Every unfinished thread waits for something that no write in this execution provides, or
    /// is one of `spins`, and main is among them.
    pub fn is_deadlock<R: Runnable>(
        &self,
        program: &R,
        statuses: &[Status],
        spins: &BTreeSet<usize>,
    ) -> bool {
        let stuck = |(t, s): (usize, &Status)| match s {
            _ if spins.contains(&t) => true,
            Status::Absent | Status::Finished(_) => true,
            Status::Asks(Op::Join { thread }, _) => {
                !matches!(statuses.get(thread.index()), Some(Status::Finished(_)) | None)
            }
            Status::Asks(
                Op::Read { loc, size, wait: Some(w), .. } | Op::Rmw { loc, size, wait: Some(w), .. },
                _,
            ) => {
                let last = self.mo(*loc).last().copied();
                w.cause.is_deadlock() && !w.until.holds(self.value(program, *loc, *size, last), *size)
            }
            Status::Blocked(cause) => cause.is_deadlock(),
            _ => false,
        };
        // The process ends with the main thread, unless that ended alone.
        let over = matches!(statuses.first(), Some(Status::Finished(value)) if !value.undefined);
        !over && statuses.iter().enumerate().all(stuck)
    }

    fn event(thread: usize, kind: Kind, op: Op, site: Site) -> Event {
        Event {
            thread,
            kind,
            op,
            site,
            mode: Mode::NonAtomic,
            loc: None,
            value: Value::ZERO,
            rf: None,
            update_of: None,
            updates: false,
            spurious: false,
            child: 0,
        }
    }

    pub fn read<R: Runnable>(
        &mut self,
        program: &R,
        thread: usize,
        op: Op,
        site: Site,
        rf: Option<usize>,
        spurious: bool,
    ) {
        let (loc, size, mode) = match op {
            Op::Read { loc, size, mode, .. } => (loc, size, mode),
            Op::Rmw { loc, size, rmw: Rmw::Cas { fail, .. }, .. } => (loc, size, fail),
            Op::Rmw { loc, size, mode, .. } => (loc, size, mode),
            _ => unreachable!("a read"),
        };
        let value = self.value(program, loc, size, rf);
        self.events.push(Event {
            mode,
            loc: Some(loc),
            value,
            rf,
            spurious,
            ..Self::event(thread, Kind::Read, op, site)
        });
    }

    pub fn write(&mut self, thread: usize, op: Op, site: Site, position: usize) {
        let Op::Write { loc, size, mode, value } = op else { unreachable!("a write") };
        let event = Event {
            mode,
            loc: Some(loc),
            value: value.truncate(size),
            ..Self::event(thread, Kind::Write, op, site)
        };
        let next = self.events.len();
        self.mo.entry(loc).or_default().insert(position, next);
        self.events.push(event);
    }

    pub fn update<R: Runnable>(
        &mut self,
        program: &R,
        thread: usize,
        op: Op,
        site: Site,
        rf: Option<usize>,
        position: usize,
    ) {
        let Op::Rmw { loc, size, mode, rmw, .. } = op else { unreachable!("a read-modify-write") };
        self.read(program, thread, op, site, rf, false);
        let read = self.events.len() - 1;
        (self.events[read].mode, self.events[read].updates) = (mode, true);
        let value = rmw.apply(self.events[read].value, size).expect("it succeeds");
        self.mo.entry(loc).or_default().insert(position, read + 1);
        self.events.push(Event {
            mode,
            loc: Some(loc),
            value,
            update_of: Some(read),
            ..Self::event(thread, Kind::Write, op, site)
        });
    }

    pub fn choose(&mut self, thread: usize, op: Op, site: Site, pick: i64) {
        let value = Value::word(pick as u64);
        self.events.push(Event { value, ..Self::event(thread, Kind::Choose, op, site) });
    }

    pub fn join(&mut self, thread: usize, op: Op, site: Site, child: usize, value: Value) {
        self.events.push(Event { child, value, ..Self::event(thread, Kind::Join, op, site) });
    }

    pub fn plain(&mut self, thread: usize, op: Op, site: Site) {
        let mut event = Self::event(thread, Kind::Loop, op, site);
        match op {
            Op::Fence { mode } => (event.kind, event.mode) = (Kind::Fence, mode),
            Op::Alloc { block, size, zeroed, layout, .. } => {
                event.kind = Kind::Alloc;
                self.blocks.insert(block, (BlockInfo { size, layout }, zeroed));
            }
            Op::Free { .. } => event.kind = Kind::Free,
            _ => {}
        }
        self.events.push(event);
    }

    /// How many threads a thread has created.
    pub fn children(&self, thread: usize) -> usize {
        self.events.iter().filter(|e| e.thread == thread && e.kind == Kind::Create).count()
    }

    /// Starts thread number `child`, which must not exist yet.
    pub fn create(&mut self, thread: usize, op: Op, site: Site, child: usize) {
        let Op::Create { entry } = op else { unreachable!("a creation") };
        let before = self.threads.insert(child, entry);
        assert!(before.is_none(), "two threads have the number {child}");
        self.events.push(Event { child, ..Self::event(thread, Kind::Create, op, site) });
    }

    /// Equal keys, equal graphs, whatever the order of insertion.
    pub fn key<R: Runnable>(&self, _: &R) -> String {
        let mut index = vec![0usize; self.events.len()];
        let mut next: BTreeMap<usize, usize> = BTreeMap::new();
        for (i, e) in self.events.iter().enumerate() {
            let n = next.entry(e.thread).or_default();
            index[i] = *n;
            *n += 1;
        }
        let name = |i: usize| format!("{}.{}", self.events[i].thread, index[i]);
        let mut order: Vec<usize> = (0..self.events.len()).collect();
        order.sort_by_key(|&i| (self.events[i].thread, index[i]));
        let mut key = String::new();
        for i in order {
            let e = &self.events[i];
            let _ = write!(key, "{}:{:?}", name(i), e.kind);
            if let Some(loc) = e.loc {
                let _ = write!(key, "@{:x}={}", loc.0, e.value.lo);
            }
            if e.kind == Kind::Read {
                let from = e.rf.map_or("init".to_string(), name);
                let _ = write!(key, "<{}{}", from, if e.spurious { "!" } else { "" });
            }
            if e.kind == Kind::Choose {
                let _ = write!(key, "={}", e.value.lo);
            }
            key.push(';');
        }
        for (loc, order) in &self.mo {
            let mo: Vec<String> = order.iter().map(|&w| name(w)).collect();
            let _ = write!(key, "|{:x}:{}", loc.0, mo.join(","));
        }
        key
    }
}
