//! What a step of an execution has to do with memory: where it stands in `mo`, what a stale read
//! missed, and why nothing made it see that.

use crate::replay::{Execution, Replayed, Taken};
use lineal_model::Memory;
use lineal_model::run::{Mode, Op};
use lineal_model::verdict::Step;

/// Fills in what the steps of a run say about memory; `steps` has one for each of its decisions.
pub fn explain(memory: Memory, replayed: &Replayed, steps: &mut [Step]) {
    let x = &replayed.execution;
    let taken = &replayed.taken;
    let owners = owners(x, taken);
    for (i, t) in taken.iter().enumerate() {
        if let Op::Create { .. } = t.op {
            let first = taken.iter().position(|u| u.thread == t.child);
            steps[i].starts = first.map(|f| f as u32);
        }
        let (Op::Read { loc, .. } | Op::Write { loc, .. } | Op::Rmw { loc, .. }) = t.op else { continue };
        let order: Vec<usize> = x.mo(loc).iter().filter_map(|&e| owners.get(e).copied()).collect();
        if let Some(place) = order.iter().position(|&w| w == i) {
            steps[i].overwrites = place.checked_sub(1).map(|p| order[p] as u32);
        } else if t.overwritten.is_some() {
            let place = t.from.and_then(|f| order.iter().position(|&w| w == f)).map_or(0, |p| p + 1);
            steps[i].missed = order.get(place).map(|&w| w as u32);
        }
        if let Some(w) = t.overwritten {
            let why = absent(memory, taken, w, i);
            steps[i].remark.push_str(&format!("; {why}"));
        }
    }
}

/// The decision that each event comes from: an update is two events.
fn owners(x: &Execution, taken: &[Taken]) -> Vec<usize> {
    let mut owners = Vec::with_capacity(x.events.len());
    for (i, t) in taken.iter().enumerate() {
        let updates = matches!(t.op, Op::Rmw { .. }) && t.wrote.is_some();
        owners.extend(std::iter::repeat_n(i, if updates { 2 } else { 1 }));
    }
    owners
}

/// Why step `read` need not see what step `write` wrote, in a few words.
pub fn absent(memory: Memory, taken: &[Taken], write: usize, read: usize) -> String {
    let (from, to) = (taken[write].thread, taken[read].thread);
    // The last word that the reader had from the writer after that write.
    let heard = (0..read).rev().find_map(|r| {
        let sent = taken[r].from.filter(|&w| w >= write && taken[w].thread == from)?;
        (taken[r].thread == to).then_some((sent, r))
    });
    let Some((sent, heard)) = heard else {
        return match memory {
            Memory::Tso => format!("it may still be in the store buffer of thread {from}"),
            _ => format!("nothing that thread {to} read before makes it visible"),
        };
    };
    let between = |thread: usize, range: std::ops::Range<usize>, wanted: fn(Mode) -> bool| {
        range
            .clone()
            .any(|k| taken[k].thread == thread && matches!(taken[k].op, Op::Fence { mode } if wanted(mode)))
    };
    let releases = mode(&taken[sent]).releases() || between(from, write + 1..sent, Mode::releases);
    let acquires = mode(&taken[heard]).acquires() || between(to, heard + 1..read, Mode::acquires);
    let (sent, heard) = (sent + 1, heard + 1);
    match (releases, acquires) {
        (false, false) => format!("step {heard} read from step {sent} without release and acquire"),
        (false, true) => {
            format!("step {heard} acquires, but step {sent}, which it read from, does not release")
        }
        (true, false) => {
            format!("step {sent} releases, but step {heard}, which read from it, does not acquire")
        }
        (true, true) => "no chain of synchronisation leads here".into(),
    }
}

fn mode(t: &Taken) -> Mode {
    match t.op {
        Op::Rmw { rmw: lineal_model::run::Rmw::Cas { fail, .. }, .. } if t.wrote.is_none() => fail,
        Op::Read { mode, .. } | Op::Write { mode, .. } | Op::Rmw { mode, .. } => mode,
        _ => Mode::NonAtomic,
    }
}
