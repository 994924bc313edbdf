//! A failing execution, cut down to what matters and put in an order that people can follow.

use super::Memory;
use super::event::{Clock, EventId, Half, Kind};
use super::explore::Search;
use super::graph::{Graph, Lane};
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
    /// The `porf` prefix of the guilty events; for a deadlock, everything that was done. `None`: that is
    /// no smaller than what was found before.
    pub fn smaller<R: Runnable, const N: usize>(
        search: &Search<'_, R, N>,
        failure: Failure,
        thread: usize,
        guilty: &[EventId],
    ) -> Option<Self> {
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
        // Putting them in order takes longer than counting.
        if search.best.as_ref().is_some_and(|best| shown(search, &prefix) > best.decisions.len()) {
            return None;
        }
        let order = linearise(search, &prefix);
        let (decisions, place) = decide(search, &order);
        let switches = order.windows(2).filter(|w| w[0].thread() != w[1].thread()).count();
        let guilty = guilty.iter().filter_map(|g| place(*g)).collect();
        let case = Case { failure, thread, decisions, guilty, switches };
        search.best.as_ref().is_none_or(|best| case.size() < best.size()).then_some(case)
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

/// How many events [`linearise`] puts in order.
fn shown<R: Runnable, const N: usize>(search: &Search<'_, R, N>, prefix: &Clock<N>) -> usize {
    let lanes = search.graph.lanes.iter().zip(&prefix.0);
    let of_lane = |(lane, &end): (&Lane<_, N>, &u16)| {
        let events = &lane.events[..lane.events.len().min(usize::from(end))];
        let whole = |i: usize| events[i].half != Half::Read || i + 1 == events.len();
        (0..events.len()).filter(|&i| events[i].kind != Kind::Loop && !events[i].unmet && whole(i)).count()
    };
    lanes.map(of_lane).sum()
}

/// An order of the events of `prefix` that extends program order and `rf`, and `mo` and `fr` as
/// far as that is possible, with few changes of thread. Loop passages, waits that were not met
/// and the reads of updates (which go with their writes) are left out.
fn linearise<R: Runnable, const N: usize>(search: &Search<'_, R, N>, prefix: &Clock<N>) -> Vec<EventId> {
    let g = &search.graph;
    let end: Vec<usize> =
        g.lanes.iter().enumerate().map(|(t, l)| l.events.len().min(prefix.0[t] as usize)).collect();
    let order_of = MemoryOrder { search, prefix, positions: positions(g) };
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
                let whole = if g.event(id).half == Half::Read && at[t] + 1 < end[t] {
                    EventId::new(t, at[t] + 1)
                } else {
                    id
                };
                let mut before = g.event(whole).porf;
                before.0[t] = at[t] as u16;
                // Symmetry makes events depend on some that this case can do without.
                let caused = (0..end.len()).all(|u| before.0[u].min(end[u] as u16) <= done.0[u]);
                caused && (!strict || order_of.is_kept(id, whole, &done))
            }
        };
        let candidates = || std::iter::once(current).chain(0..end.len());
        // Where the order of memory cannot be kept, the mildest offence.
        let offence = |t: &usize| order_of.offence(EventId::new(*t, at[*t]), &end, &done);
        let next = candidates()
            .find(|&t| ready(t, true))
            .or_else(|| candidates().filter(|&t| ready(t, false)).min_by_key(offence));
        let Some(t) = next else { return order };
        current = t;
        let mut id = EventId::new(t, at[t]);
        at[t] += 1;
        if g.event(id).half == Half::Read && at[t] < end[t] {
            id = EventId::new(t, at[t]);
            at[t] += 1;
        }
        done.0[t] = at[t] as u16;
        order.push(id);
    }
}

/// For each event, a number; 0 if nothing else was said of it.
struct Numbers(Vec<Vec<u32>>);

impl Numbers {
    fn new<S, const N: usize>(g: &Graph<S, N>) -> Numbers {
        Numbers(g.lanes.iter().map(|lane| vec![0; lane.events.len()]).collect())
    }

    fn set(&mut self, e: EventId, number: usize) {
        self.0[e.thread()][e.index()] = number as u32;
    }

    fn get(&self, e: EventId) -> usize {
        if e == EventId::INIT { 0 } else { self.0[e.thread()][e.index()] as usize }
    }
}

/// How many writes of its cell come before the end of each write: 1 for the first.
fn positions<S, const N: usize>(g: &Graph<S, N>) -> Numbers {
    let mut positions = Numbers::new(g);
    for accesses in &g.cells {
        accesses.mo.iter().enumerate().for_each(|(i, &w)| positions.set(w, i + 1));
    }
    positions
}

/// What `mo` and `fr` say of the order in which the events of `prefix` are shown.
struct MemoryOrder<'a, 's, R: Runnable, const N: usize> {
    search: &'a Search<'s, R, N>,
    prefix: &'a Clock<N>,
    positions: Numbers,
}

impl<R: Runnable, const N: usize> MemoryOrder<'_, '_, R, N> {
    /// The writes, and the reads but for this one, that come before the write and are not done.
    fn open(
        &self,
        read: EventId,
        write: EventId,
        done: &Clock<N>,
    ) -> (impl Iterator<Item = EventId>, impl Iterator<Item = EventId>) {
        let g = &self.search.graph;
        let accesses = &g.cells[g.event(write).cell as usize];
        let position = self.positions.get(write) - 1;
        let open = |x: EventId| self.prefix.contains(x) && !done.contains(x);
        let early = move |r: EventId| !g.event(r).unmet && self.positions.get(g.event(r).rf) <= position;
        let writes = accesses.mo[..position].iter().copied().filter(move |&w| open(w));
        let reads = accesses.reads.iter().copied().filter(move |&r| r != read && open(r) && early(r));
        (writes, reads)
    }

    /// Whether everything that comes before the event is done.
    fn is_kept(&self, read: EventId, whole: EventId, done: &Clock<N>) -> bool {
        if !self.search.graph.event(whole).is_write() {
            return true;
        }
        let (mut writes, mut reads) = self.open(read, whole, done);
        writes.next().is_none() && reads.next().is_none()
    }

    /// How odd it looks if the event, with the write that follows if it is an update, comes next:
    /// reads that are then late find an old value, which seq_cst ones should not, if others can.
    fn offence(&self, id: EventId, end: &[usize], done: &Clock<N>) -> usize {
        let g = &self.search.graph;
        let next = EventId::new(id.thread(), id.index() + 1);
        let updates = g.event(id).half == Half::Read && next.index() < end[id.thread()];
        let whole = if updates { next } else { id };
        if !g.event(whole).is_write() {
            return 0;
        }
        let (writes, late) = self.open(id, whole, done);
        late.map(|r| if g.event(r).mode.is_sc() { 1_000 } else { 1 }).sum::<usize>() + 30 * writes.count()
    }
}

/// The decisions that build `order`, and where an event is among them.
fn decide<R: Runnable, const N: usize>(
    search: &Search<'_, R, N>,
    order: &[EventId],
) -> (Vec<Decision>, impl Fn(EventId) -> Option<usize>) {
    let g = &search.graph;
    let mut places = Numbers::new(g);
    order.iter().enumerate().for_each(|(i, &e)| places.set(e, i + 1));
    let positions = positions(g);
    let place = move |e: EventId| places.get(e).checked_sub(1);
    let mut decisions = Vec::new();
    for (i, &id) in order.iter().enumerate() {
        let e = g.event(id);
        let read = |rf: EventId, spurious: bool| Choice::Read { from: place(rf), spurious };
        let choice = match e.kind {
            Kind::Read => read(e.rf, e.spurious),
            Kind::Write if e.is_update() => {
                read(g.event(EventId::new(id.thread(), id.index() - 1)).rf, false)
            }
            Kind::Write => {
                let before = &g.cells[e.cell as usize].mo[..positions.get(id) - 1];
                let position = before.iter().filter(|&&w| place(w).is_some_and(|p| p < i)).count();
                Choice::Write { position }
            }
            Kind::Choose => Choice::Pick(e.value.lo as i64),
            Kind::Create => Choice::Pick(i64::from(e.cell)),
            _ => Choice::Go,
        };
        decisions.push(Decision { thread: id.thread(), choice });
    }
    (decisions, place)
}

/// What a replay refused, in words.
pub fn refusal(refused: &Refused) -> String {
    match refused {
        Refused::Relayout(_) => "the program's memory had to be laid out anew".into(),
        Refused::Mismatch(what) => format!("the token does not fit this program: {what}"),
    }
}
