//! What the calls of one execution may miss under sc and tso, by the definition: a write before one
//! call, a read after another that does not see it, and no cycle in the order of memory.

use lineal_check::graph::{EventId, Kind, Leaf};
use lineal_model::Memory;

/// The largest sets of pairs `(i, j)`, `j` missing `i`, that the execution allows; a call is given
/// by its begin and its end.
pub fn largest(leaf: &dyn Leaf, memory: Memory, spans: &[(EventId, EventId)]) -> Vec<Vec<(usize, usize)>> {
    let n = spans.len();
    let base = Order::new(leaf, memory);
    let pairs: Vec<(usize, usize)> =
        (0..n).flat_map(|i| (0..n).filter(move |&j| j != i).map(move |j| (i, j))).collect();
    let allowed = |set: &[(usize, usize)]| {
        let mut order = base.clone();
        set.iter().for_each(|&(i, j)| order.miss(leaf, memory, spans[i].0, spans[j].1));
        order.is_acyclic()
    };
    let mut sets: Vec<Vec<(usize, usize)>> = vec![Vec::new()];
    for pair in pairs {
        let more: Vec<_> =
            sets.iter().map(|set| [&set[..], &[pair]].concat()).filter(|set| allowed(set)).collect();
        sets.extend(more);
    }
    let within = |a: &[(usize, usize)], b: &[(usize, usize)]| a.iter().all(|p| b.contains(p));
    sets.iter().filter(|s| !sets.iter().any(|t| t.len() > s.len() && within(s, t))).cloned().collect()
}

/// Whether the earlier of two accesses of a thread comes first in memory.
fn is_kept(memory: Memory, a: (usize, Kind), b: (Kind, usize)) -> bool {
    memory == Memory::Sc || a.1 != Kind::Write || b.0 == Kind::Write || a.0 < b.1
}

/// Who comes before whom in memory, as far as it is known.
#[derive(Clone)]
struct Order {
    /// The first number of each thread.
    first: Vec<usize>,
    successors: Vec<Vec<usize>>,
}

impl Order {
    fn new(leaf: &dyn Leaf, memory: Memory) -> Order {
        let mut first = Vec::new();
        let mut all = Vec::new();
        for t in 0..leaf.threads() {
            first.push(all.len());
            all.extend((0..leaf.len(t)).map(|i| EventId::new(t, i)));
        }
        let place = |e: EventId| first[e.thread()] + e.index();
        let mut successors = vec![Vec::new(); all.len()];
        for &b in &all {
            let later = leaf.event(b);
            for i in 0..b.index() {
                let a = EventId::new(b.thread(), i);
                if is_kept(memory, (i, leaf.event(a).kind), (later.kind, later.drained)) {
                    successors[place(a)].push(place(b));
                }
            }
            if let Some(created) = leaf.created(b.thread()) {
                successors[place(created)].push(place(b));
            }
            if later.kind == Kind::Join {
                (0..leaf.len(later.child)).for_each(|i| successors[first[later.child] + i].push(place(b)));
            }
            let inner = memory == Memory::Tso && later.rf.thread() == b.thread();
            if later.kind == Kind::Read && later.rf != EventId::INIT && !inner {
                successors[place(later.rf)].push(place(b));
            }
        }
        for cell in 0..leaf.cells() as u32 {
            let mo = leaf.mo(cell);
            for (p, &w) in mo.iter().enumerate() {
                mo[p + 1..].iter().for_each(|&v| successors[place(w)].push(place(v)));
            }
            for &r in leaf.reads(cell) {
                let after = mo.iter().position(|&w| w == leaf.event(r).rf).map_or(0, |p| p + 1);
                mo[after..].iter().for_each(|&v| successors[place(r)].push(place(v)));
            }
        }
        Order { first, successors }
    }

    /// A write just before `begin`, and a read just after `end` that comes before it.
    fn miss(&mut self, leaf: &dyn Leaf, memory: Memory, begin: EventId, end: EventId) {
        let write = self.successors.len();
        let later = (begin.index()..leaf.len(begin.thread())).filter(|&i| {
            let e = leaf.event(EventId::new(begin.thread(), i));
            // The begin is a write that does not drain the buffer: this one goes with it.
            is_kept(memory, (begin.index(), Kind::Write), (e.kind, e.drained))
        });
        let later = later.map(|i| self.first[begin.thread()] + i).collect();
        self.successors.push(later);
        let read = self.successors.len();
        self.successors.push(vec![write]);
        if begin.thread() == end.thread() && begin.index() <= end.index() {
            // A thread sees what it wrote.
            self.successors[write].push(read);
        }
        let drained = leaf.event(end).drained;
        for i in 0..=end.index() {
            let e = leaf.event(EventId::new(end.thread(), i));
            if is_kept(memory, (i, e.kind), (Kind::Read, drained)) {
                self.successors[self.first[end.thread()] + i].push(read);
            }
        }
    }

    fn is_acyclic(&self) -> bool {
        let mut before = vec![0usize; self.successors.len()];
        self.successors.iter().flatten().for_each(|&b| before[b] += 1);
        let mut free: Vec<usize> = (0..before.len()).filter(|&a| before[a] == 0).collect();
        let mut done = 0;
        while let Some(a) = free.pop() {
            done += 1;
            for &b in &self.successors[a] {
                before[b] -= 1;
                if before[b] == 0 {
                    free.push(b);
                }
            }
        }
        done == before.len()
    }
}
