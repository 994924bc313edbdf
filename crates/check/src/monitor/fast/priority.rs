//! Priority queues (Bouajjani, Enea, Wang, CONCUR 2017, section 4).
//!
//! The remove of `x` needs a point of its own, no earlier than the call of `x`'s add, that no core
//! of a value leaving before `x` covers (Lemma 12). With ties first-in-first-out, if `a` was in before `b`
//! of the same priority was called, then the last such point of `b` must not precede the first
//! one of `a` (Lemma 14). Values that nothing removes count as leaving at the very end.
//!
//! Priorities in a total order are taken first to leave first, each class covering its cores for
//! the next: one pass. In a partial order the cover is built anew for every priority, from the
//! values strictly before it; a linear extension would not do, for incomparable values must not
//! cover each other.

use super::cover::Bare;
use super::lives::Lives;
use super::{Bug, Conflict, empty, seeded};
use lineal_model::adt::{First, Object, Ranks, Ties};
use lineal_model::history::History;

pub fn check(lives: &Lives, history: &History, object: &Object) -> Option<Conflict> {
    let priority = |n: usize| history.extra(lives.add[n] as usize);
    // Plain small numbers, the common case, need no table.
    let plain = |n: usize| priority(n).as_small();
    if object.order.is_none() && (0..lives.len()).all(|n| plain(n).is_some()) {
        let class = |n: usize| {
            let p = plain(n).unwrap_or(0);
            if object.first == First::Min { p } else { u32::MAX - p }
        };
        return check_classes(lives, history, object, class, None);
    }
    let ranks = Ranks::new(history, object.first, object.order.as_ref());
    check_classes(lives, history, object, |n| ranks.of(priority(n)), Some(&ranks))
}

/// `ranks`: `None` if lower classes leave first.
fn check_classes(
    lives: &Lives,
    history: &History,
    object: &Object,
    class_of: impl Fn(usize) -> u32 + Copy,
    ranks: Option<&Ranks>,
) -> Option<Conflict> {
    let mut order: Vec<(u32, u32)> = (0..lives.len()).map(|n| (class_of(n), n as u32)).collect();
    order.sort_unstable();
    let before = |a: u32, b: u32| ranks.map_or(a < b, |r| r.before(a, b));
    let total = ranks.is_none_or(Ranks::is_total) || seeded::active(Bug::PosetAsTotal);
    let mut bare = Bare::new(lives.events + 1);
    for class in order.chunk_by(|a, b| a.0 == b.0) {
        let rank = class[0].0;
        let cover = |bare: &mut Bare, n: u32| bare.cover(lives.ra[n as usize], lives.cr[n as usize]);
        if !total {
            bare = Bare::new(lives.events + 1);
            order.iter().filter(|o| before(o.0, rank)).for_each(|o| cover(&mut bare, o.1));
        }
        if seeded::active(Bug::PriorityTiesCover) {
            class.iter().for_each(|o| cover(&mut bare, o.1));
        }
        let below = |n: usize| before(class_of(n), rank);
        if let Some(conflict) = class_conflict(lives, history, object, class, &mut bare, below) {
            return Some(conflict);
        }
        if total {
            class.iter().for_each(|o| cover(&mut bare, o.1));
        }
    }
    None
}

/// The points at which a value may leave: the first and the last.
#[derive(Clone, Copy)]
struct Gaps {
    first: u32,
    last: u32,
}

fn class_conflict(
    lives: &Lives,
    history: &History,
    object: &Object,
    class: &[(u32, u32)],
    bare: &mut Bare,
    below: impl Fn(usize) -> bool + Copy,
) -> Option<Conflict> {
    let fifo = object.ties == Ties::Fifo && class.len() > 1 && !seeded::active(Bug::PriorityForgetsFifo);
    let mut gaps = Vec::with_capacity(if fifo { class.len() } else { 0 });
    for &(_, n) in class {
        let n = n as usize;
        let gap = if lives.is_removed(n) {
            let end = lives.rr[n] - 1;
            match bare.next(lives.cr[n]).filter(|&p| p <= end) {
                Some(first) => Gaps { first, last: bare.prev(end).unwrap_or(first) },
                None => return Some(blocked(lives, history, object, n, below)),
            }
        } else {
            Gaps { first: lives.events, last: lives.events }
        };
        if fifo {
            gaps.push(gap);
        }
    }
    if !fifo {
        return None;
    }
    // The class is in order of adds called; `entering` in order of adds returned.
    let mut entering: Vec<u32> = (0..class.len() as u32).collect();
    entering.sort_unstable_by_key(|&i| lives.ra[class[i as usize].1 as usize]);
    let mut entering = entering.into_iter().peekable();
    let mut latest: Option<u32> = None;
    for (b, &(_, n)) in class.iter().enumerate() {
        let called = lives.ca[n as usize];
        while let Some(a) = entering.next_if(|&a| lives.ra[class[a as usize].1 as usize] < called) {
            if latest.is_none_or(|l| gaps[a as usize].first > gaps[l as usize].first) {
                latest = Some(a);
            }
        }
        if let Some(a) = latest.filter(|&a| gaps[b].last < gaps[a as usize].first) {
            return Some(overtaken(lives, history, object, class[a as usize].1, n, below));
        }
    }
    None
}

fn blocked(
    lives: &Lives,
    history: &History,
    object: &Object,
    n: usize,
    below: impl Fn(usize) -> bool,
) -> Conflict {
    let op = history.op(lives.remove[n] as usize);
    let chain = empty::covering_by(lives, lives.cr[n], lives.rr[n], below);
    let why = format!(
        "{} took a value although all the time {} was inside, which leaves first",
        object.show(&op, &history.values),
        match &chain[..] {
            [one] => history.values.show(history.op(lives.add[*one as usize] as usize).arg),
            _ => format!("one of {} values", chain.len()),
        }
    );
    Conflict::new(lives.ops_of(chain.into_iter().chain([n as u32])), why)
}

fn overtaken(
    lives: &Lives,
    history: &History,
    object: &Object,
    a: u32,
    b: u32,
    below: impl Fn(usize) -> bool + Copy,
) -> Conflict {
    let show = |op: u32| object.show(&history.op(op as usize), &history.values);
    let why = format!(
        "{} ended before {} began and has the same priority, yet {} can only have come before {}",
        show(lives.add[a as usize]),
        show(lives.add[b as usize]),
        show(lives.remove[b as usize]),
        match lives.is_removed(a as usize) {
            true => show(lives.remove[a as usize]),
            false => "its removal (it never was removed)".into(),
        }
    );
    // Everything before this priority that touches either remove: the minimiser thins it out.
    let (from, to) =
        (lives.cr[a as usize].min(lives.cr[b as usize]), lives.rr[b as usize].max(lives.rr[a as usize]));
    let near =
        (0..lives.len()).filter(|&n| below(n) && lives.ra[n] < to && lives.cr[n] > from).map(|n| n as u32);
    Conflict::new(lives.ops_of(near.chain([a, b])), why)
}
