//! Stacks: peel values off, bottom first, until none is left or none can be peeled.
//!
//! At a point that no core covers the stack can be empty. A value whose push and pop both
//! contain such a point (not the same one, necessarily) can be the bottom of the stack between
//! them, so it goes, and with it its core: further points become bare. Cover only falls, so the order of
//! peeling is immaterial; the bottom value of a linearization can always be peeled, so a history
//! that holds is peeled completely. What is stuck is a witness.
//!
//! Each point is laid bare once and each push and pop found once. Cover counts are kept in
//! blocks under a tree of minima; a stab for the pushes (pops) open at a run of points looks at
//! its own block and asks a tree of maxima for earlier ones.

use super::lives::Lives;
use super::{Bug, Conflict, seeded};

pub fn check(lives: &Lives) -> Option<Conflict> {
    let mut cover = Cover::new(lives);
    let mut pushes = Stab::new(&lives.ca, &lives.ra, lives.events + 1);
    let mut pops = Stab::new(&lives.cr, &lives.rr, lives.events + 1);
    // Bit 0: its push can be reached; bit 1: its pop. What is never removed can leave at the end.
    let mut exposed: Vec<u8> = (0..lives.len()).map(|n| if lives.is_removed(n) { 0 } else { 2 }).collect();
    let mut peeled = 0;
    let mut runs = Vec::new();
    let mut ready = Vec::new();
    let need = if seeded::active(Bug::StackIgnoresPop) { 1 } else { 3 };
    while cover.release(&mut runs) {
        for &(from, to) in &runs {
            pushes.take(from, to, |n| {
                exposed[n as usize] |= 1;
                if exposed[n as usize] & need == need {
                    ready.push(n);
                }
            });
            pops.take(from, to, |n| {
                exposed[n as usize] |= 2;
                if need == 3 && exposed[n as usize] == 3 {
                    ready.push(n);
                }
            });
        }
        runs.clear();
        for n in ready.drain(..) {
            cover.lower(lives.ra[n as usize], lives.cr[n as usize]);
            peeled += 1;
        }
    }
    if peeled == lives.len() {
        return None;
    }
    Some(conflict(lives, &exposed))
}

/// The stuck values that the first stretch of remaining cover consists of.
fn conflict(lives: &Lives, exposed: &[u8]) -> Conflict {
    let mut stuck: Vec<u32> = (0..lives.len() as u32).filter(|&n| exposed[n as usize] != 3).collect();
    stuck.sort_unstable_by_key(|&n| lives.ra[n as usize]);
    let mut component: Vec<u32> = Vec::new();
    let mut reach = 0;
    for n in stuck {
        let (from, to) = (lives.ra[n as usize], lives.cr[n as usize]);
        if from >= to {
            continue;
        }
        if !component.is_empty() && from > reach {
            break;
        }
        component.push(n);
        reach = reach.max(to);
    }
    let start = component.first().map_or(0, |&n| lives.ra[n as usize]);
    // Those without a core that live wholly inside the stretch are stuck too.
    component.extend((0..lives.len() as u32).filter(|&n| {
        let i = n as usize;
        exposed[i] != 3 && lives.ra[i] >= lives.cr[i] && (lives.ca[i] >= start || lives.rr[i] <= reach)
    }));
    let why = format!(
        "among {} values the stack is never surely empty, and none of them can be its bottom: \
         each is pushed or popped wholly while others are inside",
        component.len()
    );
    Conflict::new(lives.ops_of(component), why)
}

const BLOCK: usize = 32;
const RELEASED: i32 = i32::MAX / 2;

/// How many cores cover each point.
struct Cover {
    points: Vec<i32>,
    /// Smallest count under each node, without what its ancestors subtract; leaves are blocks.
    min: Vec<i32>,
    /// What a node subtracts from all below it.
    less: Vec<i32>,
    blocks: usize,
}

impl Cover {
    fn new(lives: &Lives) -> Self {
        let count = lives.events as usize + 1;
        let blocks = count.div_ceil(BLOCK).next_power_of_two();
        let mut points = vec![0i32; count.next_multiple_of(BLOCK)];
        for n in 0..lives.len() {
            if lives.ra[n] < lives.cr[n] {
                points[lives.ra[n] as usize] += 1;
                points[lives.cr[n] as usize] -= 1;
            }
        }
        let mut level = 0;
        for (p, point) in points.iter_mut().enumerate() {
            level += *point;
            *point = if p < count { level } else { RELEASED };
        }
        let mut cover = Cover { points, min: vec![RELEASED; 2 * blocks], less: vec![0; 2 * blocks], blocks };
        for b in 0..cover.points.len() / BLOCK {
            cover.min[blocks + b] = cover.block_min(b);
        }
        for node in (1..blocks).rev() {
            cover.min[node] = cover.min[2 * node].min(cover.min[2 * node + 1]);
        }
        cover
    }

    /// Takes out one block's bare points as runs `[from, to]`, if any is bare anywhere.
    fn release(&mut self, runs: &mut Vec<(u32, u32)>) -> bool {
        if self.min[1] != 0 {
            return false;
        }
        // Going down, `seek` is the stored value that means zero.
        let (mut node, mut seek) = (1, 0);
        while node < self.blocks {
            seek += self.less[node];
            node = if self.min[2 * node] == seek { 2 * node } else { 2 * node + 1 };
        }
        seek += self.less[node];
        let b = node - self.blocks;
        let mut run: Option<(u32, u32)> = None;
        for p in b * BLOCK..(b + 1) * BLOCK {
            if self.points[p] == seek {
                self.points[p] = RELEASED;
                run = Some(run.map_or((p as u32, p as u32), |r| (r.0, p as u32)));
            } else {
                runs.extend(run.take());
            }
        }
        runs.extend(run);
        self.refresh(b);
        true
    }

    /// Subtracts one from the points `[from, to)`.
    fn lower(&mut self, from: u32, to: u32) {
        let (from, to) = (from as usize, to as usize);
        if from >= to {
            return;
        }
        let (first, last) = (from / BLOCK, (to - 1) / BLOCK);
        if first == last {
            self.lower_points(from, to);
            self.refresh(first);
            return;
        }
        self.lower_points(from, (first + 1) * BLOCK);
        self.lower_points(last * BLOCK, to);
        let (mut l, mut r) = (first + 1 + self.blocks, last + self.blocks);
        while l < r {
            if l % 2 == 1 {
                self.lower_node(l);
                l += 1;
            }
            if r % 2 == 1 {
                r -= 1;
                self.lower_node(r);
            }
            (l, r) = (l / 2, r / 2);
        }
        if last > first + 1 {
            self.pull_up((first + 1 + self.blocks) / 2);
            self.pull_up((last - 1 + self.blocks) / 2);
        }
        self.refresh(first);
        self.refresh(last);
    }

    fn lower_points(&mut self, from: usize, to: usize) {
        for p in &mut self.points[from..to] {
            *p -= 1;
        }
    }

    fn lower_node(&mut self, node: usize) {
        self.less[node] += 1;
        self.min[node] -= 1;
    }

    fn block_min(&self, b: usize) -> i32 {
        // Released points may have been lowered since; anything that large is still out.
        *self.points[b * BLOCK..(b + 1) * BLOCK].iter().min().expect("blocks are not empty")
    }

    fn refresh(&mut self, b: usize) {
        let node = self.blocks + b;
        self.min[node] = self.block_min(b) - self.less[node];
        self.pull_up(node / 2);
    }

    fn pull_up(&mut self, mut node: usize) {
        while node >= 1 {
            let min = self.min[2 * node].min(self.min[2 * node + 1]) - self.less[node];
            self.min[node] = min;
            node /= 2;
        }
    }
}

/// Finds intervals `[start, end)` by a run of points they meet, each once.
struct Stab<'a> {
    end: &'a [u32],
    /// Which interval starts at each point, if it is still there.
    at: Vec<u32>,
    /// Largest end under each node; leaves are blocks of starts.
    max: Vec<u32>,
    blocks: usize,
}

impl<'a> Stab<'a> {
    fn new(start: &[u32], end: &'a [u32], points: u32) -> Self {
        let count = points as usize + 1;
        let blocks = count.div_ceil(BLOCK).next_power_of_two();
        let mut at = vec![Lives::NOBODY; count.next_multiple_of(BLOCK)];
        let mut max = vec![0; 2 * blocks];
        // Values that nothing removes start beyond all events; they are exposed from the outset.
        for (n, &s) in start.iter().enumerate() {
            if s as usize + 1 < points as usize {
                at[s as usize] = n as u32;
                let leaf = &mut max[blocks + s as usize / BLOCK];
                *leaf = (*leaf).max(end[n]);
            }
        }
        for node in (1..blocks).rev() {
            max[node] = max[2 * node].max(max[2 * node + 1]);
        }
        Stab { end, at, max, blocks }
    }

    fn take(&mut self, from: u32, to: u32, mut found: impl FnMut(u32)) {
        let own = to as usize / BLOCK;
        self.take_from_block(own, from, to, &mut found);
        // Blocks before it, while one has an interval that reaches past `from`.
        let mut node = self.blocks + own;
        while node > 1 {
            if node % 2 == 1 && self.max[node - 1] > from {
                let mut down = node - 1;
                while down < self.blocks {
                    down = if self.max[2 * down + 1] > from { 2 * down + 1 } else { 2 * down };
                }
                self.take_from_block(down - self.blocks, from, to, &mut found);
            } else {
                node /= 2;
            }
        }
    }

    fn take_from_block(&mut self, b: usize, from: u32, to: u32, found: &mut impl FnMut(u32)) {
        if self.max[self.blocks + b] <= from {
            return;
        }
        let mut max = 0;
        for p in b * BLOCK..(b + 1) * BLOCK {
            let n = self.at[p];
            if n == Lives::NOBODY {
                continue;
            }
            let end = self.end[n as usize];
            if p as u32 <= to && end > from {
                self.at[p] = Lives::NOBODY;
                found(n);
            } else {
                max = max.max(end);
            }
        }
        let mut node = self.blocks + b;
        self.max[node] = max;
        while node > 1 {
            node /= 2;
            let m = self.max[2 * node].max(self.max[2 * node + 1]);
            if self.max[node] == m {
                break;
            }
            self.max[node] = m;
        }
    }
}
