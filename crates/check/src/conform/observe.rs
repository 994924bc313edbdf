//! What a client can observe of an execution: what each call answered, and which calls can see
//! which others; and what the memory model makes of further edges between calls.
//!
//! Calls are numbered; a set of calls is a mask. `hb[j]` has `i` iff begin(i) happens before
//! end(j), itself included. `back[j]` has `i` iff begin(i) leads to end(j) in whatever relation
//! the model keeps acyclic or irreflexive besides: see [`Back`].

use super::Call;
use crate::graph::{EventId, Kind, Leaf};
use lineal_model::Memory;
use lineal_model::object::Outcome;

pub use crate::reference::Mask;
/// More calls than this in one client are refused.
pub use lineal_model::program::client::MAX_CALLS;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Observation {
    pub outcomes: Vec<Outcome>,
    pub hb: Vec<Mask>,
    /// `before[j]` has `i` iff end(i) happens before begin(j).
    pub before: Vec<Mask>,
}

/// How the graph constrains edges between its calls. One rule serves all models: an edge set H
/// is consistent iff no path `end(i) H begin(·) … H begin(k)` has `back[i] ∋ k`, where the parts
/// between two edges are of `segments`; and none with `porf` for both.
///
/// - sc, tso: both are reachability in the relation the model keeps acyclic;
/// - ra, and rc11 with fewer than two seq_cst events: segments are happens-before, and `back`
///   is happens-before with at most one detour through `eco`;
/// - otherwise calls do not tell all: more edges seem consistent than are, and where that makes a
///   difference [`super::recheck`] looks at the events.
///
/// The paper leaves `porf` out; but a client whose values come out of thin air cannot run.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Back {
    pub segments: Vec<Mask>,
    pub back: Vec<Mask>,
    /// Empty where `segments` has all of it.
    pub porf: Vec<Mask>,
}

/// Where the calls of a client begin and end in a graph.
#[derive(Clone, Copy, Debug)]
pub struct Span {
    pub begin: EventId,
    pub end: EventId,
}

/// `None` if some call has not returned.
pub fn spans(leaf: &dyn Leaf, calls: &[Call]) -> Option<Vec<Span>> {
    let span = |c: &Call| {
        Some(Span { begin: leaf.last_write(c.marks.begun)?, end: leaf.last_write(c.marks.ended)? })
    };
    calls.iter().map(span).collect()
}

/// What a call answered that ended there.
pub fn outcome(leaf: &dyn Leaf, call: &Call, end: EventId) -> Outcome {
    if leaf.event(end).value.lo == 2 {
        return Outcome::Empty;
    }
    match leaf.last_write(call.marks.result) {
        Some(w) => Outcome::Value(leaf.event(w).value.signed(8)),
        None => Outcome::Nothing,
    }
}

pub fn observe(leaf: &dyn Leaf, calls: &[Call], spans: &[Span]) -> Observation {
    let outcome = |(c, s): (&Call, &Span)| outcome(leaf, c, s.end);
    let mask = |at: EventId, of: fn(&Span) -> EventId| {
        let row = leaf.hb_row(at);
        mask(spans, |s| has(row, of(s)))
    };
    Observation {
        outcomes: calls.iter().zip(spans).map(outcome).collect(),
        hb: spans.iter().map(|s| mask(s.end, |s| s.begin)).collect(),
        before: spans.iter().map(|s| mask(s.begin, |s| s.end)).collect(),
    }
}

/// Whether an event is among the first of its thread that a clock has.
fn has(row: &[u16], e: EventId) -> bool {
    usize::from(row[e.thread()]) > e.index()
}

pub fn back(leaf: &dyn Leaf, memory: Memory, spans: &[Span], hb: &[Mask]) -> Back {
    match memory {
        Memory::Sc | Memory::Tso => {
            let reach = begin_to_end(leaf, memory, spans);
            Back { segments: reach.clone(), back: reach, porf: Vec::new() }
        }
        Memory::Ra | Memory::Rc11 => {
            Back { segments: hb.to_vec(), back: eco(leaf, spans, hb), porf: porf(leaf, spans) }
        }
    }
}

/// `porf[j]` has `i` iff begin(i) precedes end(j) in program order and reads-from.
pub fn porf(leaf: &dyn Leaf, spans: &[Span]) -> Vec<Mask> {
    let reaches = |end: EventId, b: EventId| leaf.porf(end, b.thread()) > b.index();
    let row = |s: &Span| {
        spans.iter().enumerate().filter(|(_, o)| reaches(s.end, o.begin)).fold(0, |m, (i, _)| m | 1 << i)
    };
    spans.iter().map(row).collect()
}

/// `hb` and `hb;eco;hb`: on one cell, `a eco b` iff `a` stands before `b`, where the write at
/// position p of `mo` stands at 2p and whoever reads it at 2p + 1. Cells with plain accesses only
/// add nothing: whatever touches them is ordered by happens-before.
fn eco(leaf: &dyn Leaf, spans: &[Span], hb: &[Mask]) -> Vec<Mask> {
    let n = spans.len();
    let mut back = hb.to_vec();
    let mut stands: Vec<(EventId, u32)> = Vec::new();
    let ends: Vec<&[u16]> = spans.iter().map(|s| leaf.hb_row(s.end)).collect();
    for cell in 0..leaf.cells() as u32 {
        let mo = leaf.mo(cell);
        if mo.is_empty() || leaf.is_plain(cell) {
            continue;
        }
        let reads = leaf.reads(cell);
        // One thread alone: program order has it all.
        let only = mo[0].thread();
        if mo.iter().chain(reads).all(|e| e.thread() == only) {
            continue;
        }
        stands.clear();
        stands.extend(mo.iter().zip(1..).map(|(&w, p)| (w, 2 * p)));
        for &r in reads {
            let rf = leaf.rf(r);
            let p = mo.iter().position(|&w| w == rf).map_or(0, |p| p as u32 + 1);
            stands.push((r, 2 * p + 1));
        }
        // The earliest that lies after each begin, the latest that lies before each end.
        let mut earliest = [u32::MAX; MAX_CALLS];
        let mut latest = [0u32; MAX_CALLS];
        for &(e, at) in &stands {
            let row = leaf.hb_row(e);
            for (i, s) in spans.iter().enumerate() {
                if has(row, s.begin) {
                    earliest[i] = earliest[i].min(at);
                }
                if has(ends[i], e) {
                    latest[i] = latest[i].max(at);
                }
            }
        }
        for (j, row) in back.iter_mut().enumerate() {
            for (i, &first) in earliest[..n].iter().enumerate() {
                if first < latest[j] {
                    *row |= 1 << i;
                }
            }
        }
    }
    back
}

/// Under tso: what leads to what. `rows[j]` has `i` iff something of `i` leads to something of `j`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Reach {
    /// From whatever follows the begin to whatever precedes the end.
    pub begin_to_end: Vec<Mask>,
    /// From a write before the begin.
    pub write_to_end: Vec<Mask>,
    /// To a read after the end.
    pub begin_to_read: Vec<Mask>,
    pub write_to_read: Vec<Mask>,
    /// Earlier calls of the same thread, and the call itself: a thread sees what it wrote.
    pub own: Vec<Mask>,
}

impl Reach {
    pub fn new(leaf: &dyn Leaf, spans: &[Span]) -> Self {
        let ends: Vec<Past> =
            spans.iter().map(|s| Past::of(leaf, Memory::Tso, s.end, s.end.index() + 1)).collect();
        let reads: Vec<Past> =
            spans.iter().map(|s| Past::of(leaf, Memory::Tso, s.end, leaf.event(s.end).drained)).collect();
        let rows = |pasts: &[Past], has: fn(&Past, EventId) -> bool| -> Vec<Mask> {
            pasts.iter().map(|p| mask(spans, |s| has(p, s.begin))).collect()
        };
        Reach {
            begin_to_end: rows(&ends, Past::has_begin),
            write_to_end: rows(&ends, Past::has_write),
            begin_to_read: rows(&reads, Past::has_begin),
            write_to_read: rows(&reads, Past::has_write),
            own: spans
                .iter()
                .map(|s| {
                    mask(spans, |o| o.begin.thread() == s.end.thread() && o.begin.index() <= s.end.index())
                })
                .collect(),
        }
    }
}

fn mask(spans: &[Span], has: impl Fn(&Span) -> bool) -> Mask {
    spans.iter().enumerate().filter(|(_, s)| has(s)).fold(0, |m, (i, _)| m | 1 << i)
}

/// `rows[j]` has `i` iff begin(i) leads to end(j) under sc or tso.
fn begin_to_end(leaf: &dyn Leaf, memory: Memory, spans: &[Span]) -> Vec<Mask> {
    let row = |s: &Span| {
        let past = Past::of(leaf, memory, s.end, s.end.index() + 1);
        mask(spans, |s| past.has_begin(s.begin))
    };
    spans.iter().map(row).collect()
}

/// What leads to some point of a thread, under sc or tso: of each thread, so many first events, of
/// the writes and of everything else.
struct Past {
    others: Vec<usize>,
    writes: Vec<usize>,
}

impl Past {
    /// The begin precedes everything that follows it in its thread, writes and others.
    fn has_begin(&self, begin: EventId) -> bool {
        self.others[begin.thread()].max(self.writes[begin.thread()]) > begin.index()
    }
    /// A write before the begin precedes the writes that follow it.
    fn has_write(&self, begin: EventId) -> bool {
        self.writes[begin.thread()] > begin.index()
    }

    /// Of a point just after `end`, which the first `drained` writes of its thread precede.
    fn of(leaf: &dyn Leaf, memory: Memory, end: EventId, drained: usize) -> Past {
        let threads = leaf.threads();
        let mut others = vec![0usize; threads];
        let mut writes = vec![0usize; threads];
        (others[end.thread()], writes[end.thread()]) = (end.index() + 1, drained);
        close(leaf, memory, &mut others, &mut writes);
        Past { others, writes }
    }
}

/// Adds whatever leads there.
fn close(leaf: &dyn Leaf, memory: Memory, others: &mut [usize], writes: &mut [usize]) {
    let threads = leaf.threads();
    let (mut others_done, mut writes_done) = (vec![0usize; threads], vec![0usize; threads]);
    let mut changed = true;
    while changed {
        changed = false;
        for t in 0..threads {
            while writes_done[t] < writes[t] || others_done[t] < others[t] {
                let is_write_turn = writes_done[t] < writes[t];
                let i = if is_write_turn { writes_done[t] } else { others_done[t] };
                if is_write_turn {
                    writes_done[t] += 1;
                } else {
                    others_done[t] += 1;
                }
                changed = true;
                let id = EventId::new(t, i);
                let e = leaf.event(id);
                if (e.kind == Kind::Write) != is_write_turn {
                    continue;
                }
                let mut include = |e: EventId, only_write: bool| {
                    let slot = if only_write { &mut *writes } else { &mut *others };
                    slot[e.thread()] = slot[e.thread()].max(e.index() + 1);
                };
                if let Some(created) = leaf.created(t) {
                    include(created, false);
                }
                match e.kind {
                    Kind::Write => {
                        let mo = leaf.mo(e.cell);
                        let at = mo.iter().position(|&w| w == id).unwrap_or(0);
                        let previous = if at == 0 { EventId::INIT } else { mo[at - 1] };
                        if at > 0 {
                            include(previous, true);
                        }
                        for &r in leaf.reads(e.cell).iter().filter(|&&r| leaf.event(r).rf == previous) {
                            include(r, false);
                        }
                        // Everything before a write of its thread precedes it.
                        if i > 0 {
                            include(EventId::new(t, i - 1), false);
                            include(EventId::new(t, i - 1), true);
                        }
                    }
                    kind => {
                        let known = if memory == Memory::Sc { i } else { e.drained };
                        if known > 0 {
                            include(EventId::new(t, known - 1), true);
                        }
                        if i > 0 {
                            include(EventId::new(t, i - 1), false);
                        }
                        let inner = memory == Memory::Tso && e.rf != EventId::INIT && e.rf.thread() == t;
                        if kind == Kind::Read && e.rf != EventId::INIT && !inner {
                            include(e.rf, true);
                        }
                        if kind == Kind::Join {
                            let len = leaf.len(e.child);
                            if len > 0 {
                                include(EventId::new(e.child, len - 1), true);
                                include(EventId::new(e.child, len - 1), false);
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Whether a call leaves writes in its thread's buffer when it ends. Such writes may be seen by
/// the next call of the thread before they are seen by others, so that a thread of several calls
/// does things that no threads of single calls do.
pub fn leaves_writes(leaf: &dyn Leaf, spans: &[Span]) -> bool {
    spans.iter().any(|s| {
        let drained = leaf.event(s.end).drained.max(s.begin.index() + 1);
        (drained..s.end.index()).any(|i| {
            let e = leaf.event(EventId::new(s.end.thread(), i));
            e.kind == Kind::Write && !leaf.is_plain(e.cell)
        })
    })
}
