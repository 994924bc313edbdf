//! Pending removes: which never-removed values they may have taken.
//!
//! A pending remove may take any one value that no completed remove takes, at any time after its
//! call, or nothing. Whoever hands such values out and then finds the history in order has
//! proved that it holds; which hand-out is tried is a matter of luck and speed only. Ours: a
//! value that stands in the way of a completed remove must be gone by the time that one returns,
//! its *deadline*. The earliest deadline gets the earliest call. For queues without empty
//! removes that is even exact; elsewhere a failure proves nothing.

use super::lives::Lives;
use super::{Bug, seeded};
use lineal_model::adt::{First, Kind, Object, Ties};
use lineal_model::history::History;

/// The values with some of the never-removed ones handed to pending removes, if every deadline
/// can be met.
pub fn hand_out(lives: &Lives, history: &History, object: &Object) -> Option<Lives> {
    let mut needed: Vec<(u32, u32)> = deadlines(lives, history, object)?;
    needed.sort_unstable();
    if needed.len() > lives.pending.len() {
        return None;
    }
    let mut handed = lives.clone();
    // Pending removes are in order of their calls.
    for (&(deadline, n), &remove) in needed.iter().zip(&lives.pending) {
        let early = seeded::active(Bug::PendingBeforeCall);
        let call = if early { 0 } else { history.calls()[remove as usize] };
        if call > deadline {
            return None;
        }
        let n = n as usize;
        handed.remove[n] = remove;
        handed.cr[n] = call.max(handed.ca[n]);
        handed.rr[n] = lives.events + 1;
    }
    Some(handed)
}

/// Never-removed values that must go, and by when. `None`: no rule for this type.
fn deadlines(lives: &Lives, history: &History, object: &Object) -> Option<Vec<(u32, u32)>> {
    let mut by = vec![u32::MAX; lives.len()];
    let kept: Vec<usize> = (0..lives.len()).filter(|&n| !lives.is_removed(n)).collect();
    match object.kind {
        Kind::Bag => {}
        Kind::Queue => behind(lives, &(0..lives.len() as u32).collect::<Vec<_>>(), &mut by),
        Kind::Stack => above(lives, &kept, &mut by),
        Kind::PriorityQueue => {
            let class = |n: usize| history.extra(lives.add[n] as usize).as_small();
            if object.order.is_some() || (0..lives.len()).any(|n| class(n).is_none()) {
                return None;
            }
            first_to_leave(lives, object, |n| class(n).unwrap_or(0), &mut by);
        }
        _ => return None,
    }
    before_empty(lives, history, &kept, &mut by);
    Some(kept.into_iter().filter(|&n| by[n] != u32::MAX).map(|n| (by[n], n as u32)).collect())
}

/// Queue: a value must be gone before one that was added after it is.
fn behind(lives: &Lives, values: &[u32], by: &mut [u32]) {
    // `values` are in order of their adds; earliest removal among those from here on.
    let mut earliest = vec![u32::MAX; values.len() + 1];
    for (i, &n) in values.iter().enumerate().rev() {
        let gone = if lives.is_removed(n as usize) { lives.rr[n as usize] } else { u32::MAX };
        earliest[i] = earliest[i + 1].min(gone);
    }
    for &a in values.iter().filter(|&&a| !lives.is_removed(a as usize)) {
        let later = values.partition_point(|&b| lives.ca[b as usize] <= lives.ra[a as usize]);
        by[a as usize] = by[a as usize].min(earliest[later]);
    }
}

/// Stack: a value must be gone before one that lies under it is.
fn above(lives: &Lives, kept: &[usize], by: &mut [u32]) {
    let mut under: Vec<u32> = (0..lives.len() as u32).filter(|&n| lives.is_removed(n as usize)).collect();
    under.sort_unstable_by_key(|&n| lives.ra[n as usize]);
    let mut under = under.into_iter().peekable();
    let mut removals = Earliest::new(lives.events);
    // `kept` is in order of adds called.
    for &a in kept {
        while let Some(b) = under.next_if(|&b| lives.ra[b as usize] < lives.ca[a]) {
            removals.insert(lives.cr[b as usize], lives.rr[b as usize]);
        }
        by[a] = by[a].min(removals.from(lives.ra[a]));
    }
}

/// Priority queue: a value must be gone before one that leaves later is, if that one's removal
/// began when it was inside.
fn first_to_leave(lives: &Lives, object: &Object, class: impl Fn(usize) -> u32, by: &mut [u32]) {
    let mut order: Vec<(u32, u32)> = (0..lives.len())
        .map(|n| (if object.first == First::Min { class(n) } else { u32::MAX - class(n) }, n as u32))
        .collect();
    order.sort_unstable();
    let mut removals = Earliest::new(lives.events);
    for class in order.chunk_by(|a, b| a.0 == b.0).rev() {
        for &(_, a) in class.iter().filter(|o| !lives.is_removed(o.1 as usize)) {
            by[a as usize] = by[a as usize].min(removals.from(lives.ra[a as usize]));
        }
        if object.ties == Ties::Fifo {
            behind(lives, &class.iter().map(|o| o.1).collect::<Vec<_>>(), by);
        }
        for &(_, x) in class.iter().filter(|o| lives.is_removed(o.1 as usize)) {
            removals.insert(lives.cr[x as usize], lives.rr[x as usize]);
        }
    }
}

/// A remove that found nothing, and began when the value was inside.
fn before_empty(lives: &Lives, history: &History, kept: &[usize], by: &mut [u32]) {
    if lives.empties.is_empty() {
        return;
    }
    let mut earliest = vec![u32::MAX; lives.empties.len() + 1];
    for (i, &e) in lives.empties.iter().enumerate().rev() {
        earliest[i] = earliest[i + 1].min(history.returns()[e as usize]);
    }
    for &a in kept {
        let later = lives.empties.partition_point(|&e| history.calls()[e as usize] < lives.ra[a]);
        by[a] = by[a].min(earliest[later]);
    }
}

/// The smallest value inserted at or after a position: a Fenwick tree, reversed.
struct Earliest {
    tree: Vec<u32>,
}

impl Earliest {
    fn new(events: u32) -> Self {
        Earliest { tree: vec![u32::MAX; events as usize + 2] }
    }

    fn place(&self, position: u32) -> usize {
        self.tree.len() - 1 - (position as usize).min(self.tree.len() - 2)
    }

    fn insert(&mut self, position: u32, value: u32) {
        let mut i = self.place(position);
        while i < self.tree.len() {
            self.tree[i] = self.tree[i].min(value);
            i += i & i.wrapping_neg();
        }
    }

    fn from(&self, position: u32) -> u32 {
        let mut i = self.place(position);
        let mut best = u32::MAX;
        while i > 0 {
            best = best.min(self.tree[i]);
            i -= i & i.wrapping_neg();
        }
        best
    }
}
