//! A failing execution, cut down to what matters and put in an order that people can follow.

use super::Memory;
use super::event::{Clock, EventId, Kind};
use super::explore::Search;
use crate::explain::{names, steps, without_step};
use crate::replay::{self, Choice, Decision, Refused, Replayed, token};
use lineal_model::Witness;
use lineal_model::run::{Failure, FailureKind, Runnable};

/// A failure and the execution that leads to it.
#[derive(Clone, Debug)]
pub struct Case {
    pub failure: Failure,
    pub thread: usize,
    pub decisions: Vec<Decision>,
    /// Indices of the decisions that clash.
    pub guilty: Vec<usize>,
    switches: usize,
}

impl Case {
    /// The `porf` prefix of the guilty events; for a deadlock, everything that was done.
    pub fn new<R: Runnable, const N: usize>(
        search: &Search<'_, R, N>,
        failure: Failure,
        thread: usize,
        guilty: &[EventId],
    ) -> Self {
        let g = &search.graph;
        let mut prefix = Clock::<N>::ZERO;
        prefix.0[thread] = g.lanes[thread].events.len() as u16;
        // A thread may fail before its first event: its creation is all that leads there.
        if g.lanes[thread].created != EventId::INIT {
            prefix.add(g.lanes[thread].created);
        }
        guilty.iter().for_each(|&e| prefix.add(e));
        g.close(&mut prefix);
        use FailureKind::{Deadlock, Judged, Leak, Liveness};
        if matches!(failure.kind, Deadlock | Liveness | Leak | Judged) {
            for (t, lane) in g.lanes.iter().enumerate() {
                prefix.0[t] = lane.events.len() as u16;
            }
        }
        let order = linearise(search, &prefix);
        let (decisions, place) = decide(search, &order);
        let switches = order.windows(2).filter(|w| w[0].thread() != w[1].thread()).count();
        let guilty = guilty.iter().filter_map(|g| place(*g)).collect();
        Case { failure, thread, decisions, guilty, switches }
    }

    pub fn size(&self) -> (usize, usize) {
        (self.decisions.len(), self.switches)
    }

    /// Runs the case again with code that shares nothing with the search.
    ///
    /// # Panics
    /// If the case is not what the search said: then the engine is wrong.
    pub fn confirm<R: Runnable>(&self, program: &R, memory: Memory) -> Replayed {
        let replayed = match replay::replay(program, memory, &self.decisions) {
            Ok(replayed) => replayed,
            Err(refused) => panic!("a witness could not be run again: {refused:?}; please report the input"),
        };
        assert!(
            replayed.shows(program, self.failure.kind, self.thread),
            "a witness was not confirmed: {:?} under {memory}, consistent: {:?}; please report the input",
            self.failure,
            replayed.consistent,
        );
        replayed
    }

    pub fn witness<R: Runnable>(
        &self,
        program: &R,
        memory: Memory,
        identity: u64,
        replayed: &Replayed,
    ) -> Witness {
        let mut steps = steps(program, memory, replayed);
        for &i in &self.guilty {
            steps[i].guilty = true;
        }
        let mut why = self.failure.message.clone();
        if !why.ends_with('.') {
            why.push('.');
        }
        if replayed.consistent.is_none() {
            let n = replayed.execution.events.len();
            why.push_str(&format!(" (The run was repeated; with {n} events it is too long to check a second time that the memory model allows it.)"));
        }
        Witness {
            at: program.place(self.failure.site),
            thread: without_step(&steps, self.thread),
            steps,
            threads: names(program, replayed),
            shortest: false,
            replay: Some(token::encode(memory, identity, self.failure.kind, self.thread, &self.decisions)),
            ..Witness::new(self.failure.kind.into(), why)
        }
    }
}

/// An order of the events of `prefix` that extends program order and `rf`, and `mo` and `fr` as
/// far as that is possible, with few changes of thread. Loop passages, waits that were not met
/// and the reads of updates (which go with their writes) are left out.
fn linearise<R: Runnable, const N: usize>(search: &Search<'_, R, N>, prefix: &Clock<N>) -> Vec<EventId> {
    let g = &search.graph;
    let end: Vec<usize> =
        g.lanes.iter().enumerate().map(|(t, l)| l.events.len().min(prefix.0[t] as usize)).collect();
    let mut at = vec![0usize; end.len()];
    let mut done = Clock::<N>::ZERO;
    let mut order = Vec::new();
    let mut current = 0;
    loop {
        // Skip what is not shown.
        for t in 0..end.len() {
            while at[t] < end[t] {
                let e = &g.lanes[t].events[at[t]];
                if e.kind != Kind::Loop && !e.unmet {
                    break;
                }
                at[t] += 1;
                done.0[t] = at[t] as u16;
            }
        }
        let ready = |t: usize, strict: bool| {
            at[t] < end[t] && {
                let id = EventId::new(t, at[t]);
                let whole = if g.event(id).half == super::event::Half::Read && at[t] + 1 < end[t] {
                    EventId::new(t, at[t] + 1)
                } else {
                    id
                };
                let mut before = g.event(whole).porf;
                before.0[t] = at[t] as u16;
                // Symmetry makes events depend on some that this case can do without.
                let caused = (0..end.len()).all(|u| before.0[u].min(end[u] as u16) <= done.0[u]);
                caused && (!strict || in_memory_order(search, id, whole, prefix, &done))
            }
        };
        let candidates = || std::iter::once(current).chain(0..end.len());
        // Where the order of memory cannot be kept, the mildest offence.
        let offence = |t: &usize| offence(search, EventId::new(*t, at[*t]), &end, prefix, &done);
        let next = candidates()
            .find(|&t| ready(t, true))
            .or_else(|| candidates().filter(|&t| ready(t, false)).min_by_key(offence));
        let Some(t) = next else { return order };
        current = t;
        let mut id = EventId::new(t, at[t]);
        at[t] += 1;
        if g.event(id).half == super::event::Half::Read && at[t] < end[t] {
            id = EventId::new(t, at[t]);
            at[t] += 1;
        }
        done.0[t] = at[t] as u16;
        order.push(id);
    }
}

/// How odd it looks if the event, with the write that follows if it is an update, comes next:
/// reads that are then late find an old value, which seq_cst ones should not, if others can.
fn offence<R: Runnable, const N: usize>(
    search: &Search<'_, R, N>,
    id: EventId,
    end: &[usize],
    prefix: &Clock<N>,
    done: &Clock<N>,
) -> usize {
    let g = &search.graph;
    let next = EventId::new(id.thread(), id.index() + 1);
    let updates = g.event(id).half == super::event::Half::Read && next.index() < end[id.thread()];
    let whole = if updates { next } else { id };
    let e = g.event(whole);
    if !e.is_write() {
        return 0;
    }
    let accesses = &g.cells[e.cell as usize];
    let position = g.after(e.cell, whole) - 1;
    let open = |x: EventId| prefix.contains(x) && !done.contains(x);
    let writes = accesses.mo[..position].iter().filter(|&&w| open(w)).count();
    let late = accesses
        .reads
        .iter()
        .filter(|&&r| r != id && open(r) && !g.event(r).unmet && g.after(e.cell, g.event(r).rf) <= position);
    late.map(|&r| if g.event(r).mode.is_sc() { 1_000 } else { 1 }).sum::<usize>() + 30 * writes
}

/// Whether everything of `prefix` that `mo` or `fr` puts before the event is done.
fn in_memory_order<R: Runnable, const N: usize>(
    search: &Search<'_, R, N>,
    read: EventId,
    whole: EventId,
    prefix: &Clock<N>,
    done: &Clock<N>,
) -> bool {
    let g = &search.graph;
    let e = g.event(whole);
    if !e.is_write() {
        return true;
    }
    let accesses = &g.cells[e.cell as usize];
    let position = g.after(e.cell, whole) - 1;
    let open = |x: EventId| prefix.contains(x) && !done.contains(x);
    !accesses.mo[..position].iter().any(|&w| open(w))
        && !accesses
            .reads
            .iter()
            .any(|&r| r != read && open(r) && !g.event(r).unmet && g.after(e.cell, g.event(r).rf) <= position)
}

/// The decisions that build `order`, and where an event is among them.
fn decide<R: Runnable, const N: usize>(
    search: &Search<'_, R, N>,
    order: &[EventId],
) -> (Vec<Decision>, impl Fn(EventId) -> Option<usize>) {
    let g = &search.graph;
    let places: std::collections::HashMap<EventId, usize> =
        order.iter().enumerate().map(|(i, &e)| (e, i)).collect();
    let mut decisions = Vec::new();
    for (i, &id) in order.iter().enumerate() {
        let e = g.event(id);
        let read = |rf: EventId, spurious: bool| Choice::Read { from: places.get(&rf).copied(), spurious };
        let choice = match e.kind {
            Kind::Read => read(e.rf, e.spurious),
            Kind::Write if e.is_update() => {
                read(g.event(EventId::new(id.thread(), id.index() - 1)).rf, false)
            }
            Kind::Write => {
                let before = &g.cells[e.cell as usize].mo[..g.after(e.cell, id) - 1];
                let position = before.iter().filter(|w| places.get(w).is_some_and(|&p| p < i)).count();
                Choice::Write { position }
            }
            Kind::Choose => Choice::Pick(e.value.lo as i64),
            Kind::Create => Choice::Pick(i64::from(e.cell)),
            _ => Choice::Go,
        };
        decisions.push(Decision { thread: id.thread(), choice });
    }
    (decisions, move |e| places.get(&e).copied())
}

/// What a replay refused, in words.
pub fn refusal(refused: &Refused) -> String {
    match refused {
        Refused::Relayout(_) => "the program's memory had to be laid out anew".into(),
        Refused::Mismatch(what) => format!("the token does not fit this program: {what}"),
    }
}
