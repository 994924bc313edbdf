//! The end of one branch: a complete execution, a blocked one, or a deadlock.

use super::event::EventId;
use super::explore::{Halt, Search};
use super::graph::{Lane, Next};
use lineal_model::Limit;
use lineal_model::run::{BlockKind, Cause, Failure, FailureKind, Op, Runnable, Site};
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::atomic::Ordering::Relaxed;

/// What the search has seen.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    pub executions: u64,
    /// Some of these are known to be executions of the program: see [`super::idle`].
    pub certain: bool,
    pub blocked: u64,
    /// Blocked executions by cause; one with several causes counts under each.
    pub causes: BTreeMap<Cause, u64>,
    /// Executions cut by a bound on loops, by where: the bound, and how many.
    pub cuts: BTreeMap<Site, (u32, u64)>,
    pub outcomes: BTreeMap<String, u64>,
    pub threads: u64,
    /// Threads with a neighbour they can be exchanged with, and the first of each row.
    pub exchangeable: u64,
    pub failures: u64,
    /// Graphs from which some thread was not moved, since that would be one preemption too many.
    pub preempted: u64,
    /// Blocked executions in which a loop spins for ever, whoever is scheduled.
    pub endless: u64,
    /// Some iteration of a loop came to nothing, whether or not the thread is kept waiting there.
    pub waits: bool,
}

impl Tally {
    /// Adds what another worker saw.
    pub fn add(&mut self, other: Tally) {
        self.executions += other.executions;
        self.certain |= other.certain;
        self.blocked += other.blocked;
        self.failures += other.failures;
        self.preempted += other.preempted;
        self.endless += other.endless;
        self.waits |= other.waits;
        self.threads = self.threads.max(other.threads);
        self.exchangeable = self.exchangeable.max(other.exchangeable);
        other.causes.into_iter().for_each(|(cause, n)| *self.causes.entry(cause).or_default() += n);
        for (site, (bound, n)) in other.cuts {
            let (old, cut) = self.cuts.entry(site).or_default();
            (*old, *cut) = (bound, *cut + n);
        }
        other.outcomes.into_iter().for_each(|(o, n)| *self.outcomes.entry(o).or_default() += n);
    }
}

impl<R: Runnable, const N: usize> Search<'_, R, N> {
    /// Nothing can be added any more.
    pub fn leaf(&mut self) -> Result<(), Halt> {
        if self.symmetric {
            for t in (0..self.graph.lanes.len()).filter(|&t| self.graph.lanes[t].exists) {
                self.indistinct(t)?;
            }
        }
        let mut waiting: Vec<(usize, Cause, Site)> = Vec::new();
        let unfinished = |l: &Lane<_, N>| l.exists && !matches!(l.next, Next::Finished(_));
        for (t, lane) in self.graph.lanes.iter().enumerate().filter(|(_, l)| unfinished(l)) {
            match lane.next {
                Next::Finished(_) => {}
                Next::Blocked(cause, site) => waiting.push((t, cause, site)),
                Next::Ask(asked) => waiting.push((t, Cause::Join, self.graph.asks.site(asked))),
            }
        }
        if self.starves()? {
            self.tally.blocked += 1;
        } else if waiting.iter().all(|w| w.1 == Cause::Exit) {
            self.complete()?;
        } else {
            self.blocked(&waiting)?;
        }
        if let Some(limit) = self.spent() {
            self.without_idle_updates()?;
            return Err(Halt::Limit(limit));
        }
        let mut seen = self.tally.executions + self.tally.blocked;
        if let Some(pool) = self.pool {
            let complete = waiting.iter().all(|w| w.1 == Cause::Exit);
            let count = if complete { &pool.executions } else { &pool.blocked };
            count.fetch_add(1, Relaxed);
            seen = pool.executions.load(Relaxed) + pool.blocked.load(Relaxed);
        }
        match self.effort.max_states {
            Some(max) if seen >= max => Err(Halt::Limit(Limit::states(max))),
            _ => Ok(()),
        }
    }

    fn complete(&mut self) -> Result<(), Halt> {
        self.tally.executions += 1;
        self.tally.certain = self.tally.certain || self.is_certain();
        if !self.options.observe.is_empty() {
            for o in &self.options.observe {
                let accesses = self.names.find(o.loc).and_then(|c| self.graph.cells.get(c as usize));
                if let Some(&last) = accesses.and_then(|a| a.mo.last()) {
                    self.unsigned(Site(u32::MAX), last)?;
                }
            }
            let outcome = self.outcome();
            *self.tally.outcomes.entry(outcome).or_default() += 1;
        }
        #[cfg(any(test, feature = "seeded"))]
        if let Some(leaves) = &self.options.leaves {
            leaves.lock().expect("nobody panicked").push(self.key());
        }
        if let Some(judge) = self.options.judge.clone()
            && !judge.allows(self)
        {
            let message = "no order of the calls explains this execution".into();
            let failure = Failure { kind: FailureKind::Judged, message, site: Site(0) };
            self.fail(failure, 0, &[])?;
        }
        if self.options.leaks
            && let Some(alloc) = self.leaked()
        {
            let Op::Alloc { block, .. } = *self.graph.op(self.graph.event(alloc)) else {
                unreachable!("an allocation")
            };
            let failure = Failure {
                kind: FailureKind::Leak,
                message: format!("{} is never freed", self.program.block_name(block, &self.graph)),
                site: self.graph.site(self.graph.event(alloc)),
            };
            self.fail(failure, alloc.thread(), &[alloc])?;
        }
        Ok(())
    }

    fn outcome(&self) -> String {
        let mut words = Vec::new();
        for o in &self.options.observe {
            let last = self.names.find(o.loc).and_then(|c| self.graph.cells.get(c as usize));
            let value = match last.and_then(|a| a.mo.last()) {
                Some(&w) => self.graph.event(w).value,
                None => self.program.initial(o.loc, o.size),
            };
            words.push(format!("{}={}", o.name, o.show(value)));
        }
        words.join(" ")
    }

    fn leaked(&self) -> Option<EventId> {
        let blocks = self.graph.blocks.iter().flatten();
        blocks
            .filter(|b| b.free.is_none())
            .filter_map(|b| b.alloc)
            .find(|&a| matches!(self.graph.op(self.graph.event(a)), Op::Alloc { kind: BlockKind::Heap, .. }))
    }

    fn blocked(&mut self, waiting: &[(usize, Cause, Site)]) -> Result<(), Halt> {
        self.tally.blocked += 1;
        let causes: std::collections::BTreeSet<Cause> = waiting.iter().map(|w| w.1).collect();
        for &cause in &causes {
            *self.tally.causes.entry(cause).or_default() += 1;
        }
        let cuts: std::collections::BTreeSet<(Site, u32)> = waiting
            .iter()
            .filter(|(_, cause, _)| *cause == Cause::Bound)
            .map(|&(t, _, site)| {
                let last = self.graph.lanes[t].events.last().map(|e| *self.graph.op(e));
                let bound = match last {
                    Some(Op::Loop { head }) => self.bound_of(head),
                    _ => self.options.unroll,
                };
                (site, bound.unwrap_or_default())
            })
            .collect();
        if !cuts.is_empty() {
            self.without_idle_updates()?;
        }
        for (site, bound) in cuts {
            let (value, cut) = self.tally.cuts.entry(site).or_default();
            (*value, *cut) = (bound, *cut + 1);
        }
        // A main thread that ended by itself (undefined result) leaves the others running.
        let main_goes_on = match self.graph.lanes[0].next {
            Next::Finished(value) => value.undefined,
            _ => true,
        };
        let stuck = waiting.iter().all(|&(t, cause, _)| self.is_stuck(t, cause));
        if !main_goes_on || !stuck {
            return Ok(());
        }
        let patient = |c: &Cause| matches!(c, Cause::Condition | Cause::Semaphore);
        if self.options.judge.is_some() && causes.iter().any(patient) {
            return Ok(());
        }
        if self.options.judge.clone().is_some_and(|judge| judge.expects(self)) {
            return Ok(());
        }
        let spinning = causes.contains(&Cause::Spin);
        let kind = match spinning {
            true if self.options.liveness => FailureKind::Liveness,
            true => {
                self.tally.endless += 1;
                return Ok(());
            }
            false => FailureKind::Deadlock,
        };
        let threads: Vec<String> = waiting
            .iter()
            .map(|&(t, cause, _)| {
                let name = self.program.entry_name(self.graph.lanes[t].entry);
                let verb = if cause == Cause::Spin { "spins" } else { "waits" };
                format!("thread {t} ({name}) {verb}: {}", cause.word())
            })
            .collect();
        let what = if spinning { "no fair scheduler ends this" } else { "no thread can go on" };
        let message = format!("{what}: {}", threads.join(", "));
        let guilty: Vec<EventId> = waiting.iter().filter_map(|w| self.graph.last(w.0)).collect();
        self.fail(Failure { kind, message, site: waiting[0].2 }, waiting[0].0, &guilty)
    }

    /// Whether nothing in this graph can ever wake the thread: it waits for something that is
    /// not there, or goes round in circles.
    fn is_stuck(&self, thread: usize, cause: Cause) -> bool {
        let is_latest = |e: &super::event::Event<Rc<R::Thread>, N>| {
            self.graph.cells[e.cell as usize].mo.last().copied().unwrap_or(EventId::INIT) == e.rf
        };
        match cause {
            Cause::Join => true,
            Cause::Spin => self.circles(thread),
            c if c.is_deadlock() => {
                self.graph.lanes[thread].events.last().is_none_or(|e| !e.unmet || is_latest(e))
            }
            _ => false,
        }
    }

    /// The graph as a value: equal keys, equal graphs. Loop passages are left out.
    #[cfg(any(test, feature = "seeded"))]
    fn key(&self) -> String {
        use std::fmt::Write;
        let mut key = String::new();
        let name = |e: EventId| match e {
            EventId::INIT => "init".to_string(),
            _ => {
                let events = &self.graph.lanes[e.thread()].events[..e.index()];
                let n = events.iter().filter(|e| e.kind != super::event::Kind::Loop).count();
                format!("{}.{n}", e.thread())
            }
        };
        for id in self.graph.ids() {
            let e = self.graph.event(id);
            if e.kind == super::event::Kind::Loop {
                continue;
            }
            let _ = write!(key, "{}:{:?}", name(id), e.kind);
            if e.is_access() {
                let loc = self.names.cells[e.cell as usize].loc.0;
                let _ = write!(key, "@{loc:x}={}", e.value.lo);
            }
            if e.is_read() {
                let _ = write!(key, "<{}{}", name(e.rf), if e.spurious { "!" } else { "" });
            }
            if e.kind == super::event::Kind::Choose {
                let _ = write!(key, "={}", e.value.lo);
            }
            key.push(';');
        }
        let mut cells: Vec<_> = self.graph.cells.iter().enumerate().collect();
        cells.sort_by_key(|(c, _)| self.names.cells[*c].loc);
        for (c, accesses) in cells.into_iter().filter(|(_, a)| !a.mo.is_empty()) {
            let mo: Vec<String> = accesses.mo.iter().map(|&w| name(w)).collect();
            let _ = write!(key, "|{:x}:{}", self.names.cells[c].loc.0, mo.join(","));
        }
        key
    }
}
