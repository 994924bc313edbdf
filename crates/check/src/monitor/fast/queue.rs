//! Queues: if `a` was in before `b` was called, `b` must not be out before `a`'s removal is called.
//!
//! Among distinct values, with the rules for single values and for empty removes, that is all
//! (Henzinger, Sezgin, Vafeiadis, CONCUR 2013; Bouajjani, Emmi, Enea, Hamza, ICALP 2015). One
//! sweep over the events compares each `b` with the latest removal among all such `a`.

use super::lives::Lives;
use super::{Bug, Conflict, seeded};
use lineal_model::adt::Object;
use lineal_model::history::History;

pub fn check(lives: &Lives, history: &History, object: &Object) -> Option<Conflict> {
    let entered = by_position(&lives.ra, lives.events);
    let forgets = seeded::active(Bug::QueueForgetsMaximum);
    let mut position = 0;
    // The value among those that entered so far whose removal is called last.
    let mut last: Option<usize> = None;
    for b in 0..lives.len() {
        while position < lives.ca[b] {
            let a = entered[position as usize];
            if a != Lives::NOBODY && last.is_none_or(|l| forgets || lives.cr[a as usize] > lives.cr[l]) {
                last = Some(a as usize);
            }
            position += 1;
        }
        if let Some(a) = last.filter(|&a| lives.rr[b] < lives.cr[a]) {
            return Some(conflict(lives, history, object, a, b));
        }
    }
    None
}

/// Which value has this position in the column. Positions are events, so no two values share one.
pub fn by_position(column: &[u32], events: u32) -> Vec<u32> {
    let mut at = vec![Lives::NOBODY; events as usize];
    for (n, &position) in column.iter().enumerate() {
        if let Some(slot) = at.get_mut(position as usize) {
            *slot = n as u32;
        }
    }
    at
}

fn conflict(lives: &Lives, history: &History, object: &Object, a: usize, b: usize) -> Conflict {
    let show = |op: u32| object.show(&history.op(op as usize), &history.values);
    let why = format!(
        "{} ended before {} began, yet {} ended before {}",
        show(lives.add[a]),
        show(lives.add[b]),
        show(lives.remove[b]),
        match lives.is_removed(a) {
            true => format!("{} began", show(lives.remove[a])),
            false => format!(
                "{} was removed (it never was)",
                history.values.show(history.op(lives.add[a] as usize).arg)
            ),
        }
    );
    Conflict::new(lives.ops_of([a as u32, b as u32]), why)
}
