//! Which operations may come next, given those already taken.

use lineal_model::history::{History, Op};

/// The order that a linearization must respect.
pub trait Frontier {
    /// The first operation that may come next, and the one after it.
    fn first(&self) -> Option<u32>;
    fn next(&self, op: u32) -> Option<u32>;
    fn take(&mut self, op: u32);
    /// Undoes the latest `take`, which was of `op`.
    fn put_back(&mut self, op: u32);
    /// Whether every completed operation is taken.
    fn is_finished(&self) -> bool;
    /// Appends words that tell sets of taken operations apart.
    fn key(&self, out: &mut Vec<u64>);
}

/// Real time: an operation may come next unless another, not yet taken, returned before its call.
///
/// A list of events in order, as in Wing and Gong's algorithm; taken operations are unlinked.
pub struct RealTime {
    /// Links by event; 0 is the head, event `i` is at `i + 1`, and the last is the tail.
    next: Vec<u32>,
    prev: Vec<u32>,
    /// The operation called here; returns are `RETURN`.
    called: Vec<u32>,
    call: Vec<u32>,
    ret: Vec<u32>,
    left: usize,
    taken: Taken,
}

const RETURN: u32 = u32::MAX;

impl RealTime {
    /// Of the operations that `keep` says.
    pub fn new(history: &History, keep: &[bool]) -> Self {
        let events: Vec<(u32, bool)> =
            history.timeline().into_iter().filter(|e| keep[e.0 as usize]).collect();
        let count = events.len() as u32;
        let mut frontier = RealTime {
            next: (1..count + 3).collect(),
            prev: (0..count + 2).map(|i: u32| i.saturating_sub(1)).collect(),
            called: vec![RETURN; count as usize + 2],
            call: vec![0; history.len()],
            ret: vec![0; history.len()],
            left: 0,
            taken: Taken::new(history, keep),
        };
        for (position, &(op, is_return)) in (1..).zip(&events) {
            if is_return {
                frontier.ret[op as usize] = position;
                frontier.left += 1;
            } else {
                frontier.call[op as usize] = position;
                frontier.called[position as usize] = op;
            }
        }
        frontier
    }

    fn at(&self, position: u32) -> Option<u32> {
        Some(self.called[position as usize]).filter(|&op| op != RETURN)
    }

    fn unlink(&mut self, position: u32) {
        let (p, n) = (self.prev[position as usize], self.next[position as usize]);
        self.next[p as usize] = n;
        self.prev[n as usize] = p;
    }

    fn relink(&mut self, position: u32) {
        let (p, n) = (self.prev[position as usize], self.next[position as usize]);
        self.next[p as usize] = position;
        self.prev[n as usize] = position;
    }
}

impl Frontier for RealTime {
    fn first(&self) -> Option<u32> {
        self.at(self.next[0])
    }

    fn next(&self, op: u32) -> Option<u32> {
        self.at(self.next[self.call[op as usize] as usize])
    }

    fn take(&mut self, op: u32) {
        self.unlink(self.call[op as usize]);
        if self.ret[op as usize] != 0 {
            self.unlink(self.ret[op as usize]);
            self.left -= 1;
        }
        self.taken.set(op, true);
    }

    fn put_back(&mut self, op: u32) {
        self.taken.set(op, false);
        if self.ret[op as usize] != 0 {
            self.left += 1;
            self.relink(self.ret[op as usize]);
        }
        self.relink(self.call[op as usize]);
    }

    fn is_finished(&self) -> bool {
        self.left == 0
    }

    fn key(&self, out: &mut Vec<u64>) {
        self.taken.key(out);
    }
}

/// Program order alone: an operation may come next once its process's earlier completed ones are
/// taken. A pending operation holds nobody up.
pub struct ProgramOrder {
    /// For each process the operations in order, and how many completed ones are taken.
    lanes: Vec<Vec<u32>>,
    done: Vec<u32>,
    /// Lane of each operation; pending ones have a lane of their own that opens later.
    lane: Vec<u32>,
    /// For a lane of one pending operation: the lane it waits for, and until how many are done.
    after: Vec<(u32, u32)>,
    left: usize,
    taken: Taken,
}

impl ProgramOrder {
    pub fn new(history: &History, keep: &[bool]) -> Self {
        let mut order = ProgramOrder {
            lanes: Vec::new(),
            done: Vec::new(),
            lane: vec![0; history.len()],
            after: Vec::new(),
            left: 0,
            taken: Taken::new(history, keep),
        };
        let mut of_process = rustc_hash::FxHashMap::default();
        let mut pending: Vec<(u32, u32, u32)> = Vec::new();
        for (i, op) in history.ops().enumerate() {
            let lane = *of_process.entry(op.process).or_insert_with(|| {
                order.lanes.push(Vec::new());
                order.lanes.len() as u32 - 1
            });
            if !keep[i] {
                continue;
            }
            if op.is_pending() {
                pending.push((i as u32, lane, order.lanes[lane as usize].len() as u32));
            } else {
                order.lane[i] = lane;
                order.lanes[lane as usize].push(i as u32);
                order.left += 1;
            }
        }
        order.after = vec![(0, 0); order.lanes.len()];
        for (op, lane, length) in pending {
            order.lane[op as usize] = order.lanes.len() as u32;
            order.lanes.push(vec![op]);
            order.after.push((lane, length));
        }
        order.done = vec![0; order.lanes.len()];
        order
    }

    fn in_lane(&self, lane: u32) -> Option<u32> {
        (lane as usize..self.lanes.len()).find_map(|l| {
            let (waits_for, until) = self.after[l];
            let open = self.done[waits_for as usize] >= until;
            self.lanes[l].get(self.done[l] as usize).copied().filter(|_| open)
        })
    }
}

impl Frontier for ProgramOrder {
    fn first(&self) -> Option<u32> {
        self.in_lane(0)
    }

    fn next(&self, op: u32) -> Option<u32> {
        self.in_lane(self.lane[op as usize] + 1)
    }

    fn take(&mut self, op: u32) {
        self.done[self.lane[op as usize] as usize] += 1;
        self.left -= usize::from(!self.taken.is_pending(op));
        self.taken.set(op, true);
    }

    fn put_back(&mut self, op: u32) {
        self.taken.set(op, false);
        self.left += usize::from(!self.taken.is_pending(op));
        self.done[self.lane[op as usize] as usize] -= 1;
    }

    fn is_finished(&self) -> bool {
        self.left == 0
    }

    fn key(&self, out: &mut Vec<u64>) {
        self.taken.key(out);
    }
}

/// The set of taken operations. Completed ones fill up from the left, so a key holds only the
/// words between the full ones and the empty ones; pending ones, which may never be taken, have
/// words of their own.
struct Taken {
    /// Bit of each operation: completed ones count up, pending ones in `pending`.
    slot: Vec<u32>,
    words: Vec<u64>,
    pending: Vec<u64>,
    /// Words before this are full; words from `high` on are empty.
    low: usize,
    high: usize,
}

const PENDING: u32 = 1 << 31;

impl Taken {
    fn new(history: &History, keep: &[bool]) -> Self {
        let (mut completed, mut pending) = (0u32, 0u32);
        let slot = (0..history.len())
            .map(|i| match (keep[i], history.returns()[i] == Op::PENDING) {
                (false, _) => 0,
                (true, false) => {
                    completed += 1;
                    completed - 1
                }
                (true, true) => {
                    pending += 1;
                    PENDING | (pending - 1)
                }
            })
            .collect();
        let words = vec![0; completed as usize / 64 + 1];
        Taken { slot, words, pending: vec![0; pending.div_ceil(64) as usize], low: 0, high: 0 }
    }

    fn is_pending(&self, op: u32) -> bool {
        self.slot[op as usize] & PENDING != 0
    }

    fn set(&mut self, op: u32, on: bool) {
        let slot = self.slot[op as usize];
        let bit = 1u64 << (slot % 64);
        if slot & PENDING != 0 {
            let word = &mut self.pending[(slot & !PENDING) as usize / 64];
            *word = if on { *word | bit } else { *word & !bit };
            return;
        }
        let w = slot as usize / 64;
        let word = &mut self.words[w];
        *word = if on { *word | bit } else { *word & !bit };
        if on {
            self.high = self.high.max(w + 1);
            while self.words.get(self.low) == Some(&!0) {
                self.low += 1;
            }
        } else {
            self.low = self.low.min(w);
            while self.high > 0 && self.words[self.high - 1] == 0 {
                self.high -= 1;
            }
        }
    }

    fn key(&self, out: &mut Vec<u64>) {
        out.push((self.low as u64) << 32 | self.high.saturating_sub(self.low) as u64);
        if self.low < self.high {
            out.extend_from_slice(&self.words[self.low..self.high]);
        }
        out.extend_from_slice(&self.pending);
    }
}
