//! Removes that answer *empty*: each needs a point of its own that no core covers.
//!
//! Necessary, for a value is inside throughout its core. Sufficient together with the rules of
//! the type, for at a point that no core covers the container can be emptied: whatever is not
//! surely inside is removed just before it or added just after it.

use super::lives::Lives;
use super::{Bug, Conflict, seeded};
use lineal_model::adt::Object;
use lineal_model::history::History;

pub fn check(lives: &Lives, history: &History, object: &Object) -> Option<Conflict> {
    if lives.empties.is_empty() {
        return None;
    }
    let bare = bare_points(lives);
    let stuck = lives.empties.iter().copied().find(|&e| {
        let op = history.op(e as usize);
        bare[op.call as usize] == bare[op.ret as usize]
    })?;
    let op = history.op(stuck as usize);
    let chain = covering(lives, op.call, op.ret);
    let why = format!(
        "{} found nothing, but all the time it ran {} inside",
        object.show(&op, &history.values),
        match &chain[..] {
            [one] =>
                format!("{} was", history.values.show(history.op(lives.add[*one as usize] as usize).arg)),
            _ => format!("one of {} values was", chain.len()),
        }
    );
    Some(Conflict::new(lives.ops_of(chain).into_iter().chain([stuck]), why))
}

/// `bare[p]`: how many points before `p` are covered by no core.
fn bare_points(lives: &Lives) -> Vec<u32> {
    let points = lives.events as usize + 1;
    let mut change = vec![0i32; points + 2];
    let forgets = seeded::active(Bug::EmptyForgetsUnremoved);
    for n in 0..lives.len() {
        if lives.ra[n] < lives.cr[n] && (lives.is_removed(n) || !forgets) {
            change[lives.ra[n] as usize] += 1;
            change[lives.cr[n] as usize] -= 1;
        }
    }
    let mut bare = Vec::with_capacity(points + 1);
    let (mut cover, mut count) = (0, 0);
    for c in &change[..points] {
        bare.push(count);
        cover += c;
        count += u32::from(cover == 0);
    }
    bare.push(count);
    bare
}

/// Few values whose cores together cover the points `[from, to)`, given that cores do.
pub fn covering(lives: &Lives, from: u32, to: u32) -> Vec<u32> {
    covering_by(lives, from, to, |_| true)
}

/// The same among the values that `may` admits.
pub fn covering_by(lives: &Lives, from: u32, to: u32, may: impl Fn(usize) -> bool) -> Vec<u32> {
    let mut cores: Vec<u32> = (0..lives.len())
        .filter(|&n| lives.ra[n] < to && lives.cr[n] > from && lives.ra[n] < lives.cr[n] && may(n))
        .map(|n| n as u32)
        .collect();
    cores.sort_unstable_by_key(|&n| lives.ra[n as usize]);
    let (mut chain, mut reached, mut next) = (Vec::new(), from, 0);
    while reached < to {
        let mut best = None;
        while let Some(&n) = cores.get(next).filter(|&&n| lives.ra[n as usize] <= reached) {
            if best.is_none_or(|b: u32| lives.cr[n as usize] > lives.cr[b as usize]) {
                best = Some(n);
            }
            next += 1;
        }
        match best {
            Some(n) if lives.cr[n as usize] > reached => {
                chain.push(n);
                reached = lives.cr[n as usize];
            }
            _ => break,
        }
    }
    chain
}
