//! An order of the steps of an execution that its client could make them in.

use super::view::{Role, View};
use crate::replay::{Kind, Replayed};
use lineal_model::run::Op;

/// The step that each event belongs to: a read-modify-write has two events.
pub fn step_of_event(replayed: &Replayed) -> Vec<usize> {
    let last = replayed.taken.len().saturating_sub(1);
    let mut k = 0;
    let mut steps = Vec::new();
    for e in &replayed.execution.events {
        steps.push(k.min(last));
        if !(e.kind == Kind::Read && e.updates) {
            k += 1;
        }
    }
    steps
}

/// An order of the steps that keeps threads, reads-from and the order of the client, and `mo` and
/// `fr` as far as that is possible, with few changes of thread; and whether it was possible
/// throughout: then every read takes the newest value, and the run is sequentially consistent.
pub fn order(replayed: &Replayed, roles: &[Role], view: &View<'_>) -> (Vec<usize>, bool) {
    let taken = &replayed.taken;
    let n = taken.len();
    let step_of = step_of_event(replayed);
    let mut firm: Vec<Vec<usize>> = vec![Vec::new(); n];
    let mut soft: Vec<Vec<usize>> = vec![Vec::new(); n];
    for k in 0..n {
        firm[k].extend((0..k).rev().find(|&i| taken[i].thread == taken[k].thread));
        firm[k].extend(taken[k].from);
        match taken[k].op {
            Op::Join { thread } => {
                firm[k].extend((0..k).rev().find(|&i| taken[i].thread == thread.index()));
            }
            Op::Create { .. } => {
                let child = taken[k].child;
                if let Some(first) = (0..n).find(|&i| taken[i].thread == child) {
                    firm[first].push(k);
                }
            }
            _ => {}
        }
    }
    let mut edges: Vec<(usize, usize)> = view.waits.to_vec();
    edges.extend(view.threads.iter().flat_map(|t| t.windows(2).map(|w| (w[0], w[1]))));
    for (i, j) in edges {
        let end = roles.iter().position(|r| *r == Role::End(i));
        let begin = roles.iter().position(|r| *r == Role::Begin(j));
        if let (Some(end), Some(begin)) = (end, begin) {
            firm[begin].push(end);
        }
    }
    for order in replayed.execution.mo.values() {
        for pair in order.windows(2) {
            soft[step_of[pair[1]]].push(step_of[pair[0]]);
        }
        for (r, e) in replayed.execution.events.iter().enumerate() {
            if e.kind != Kind::Read
                || order.first().is_none_or(|&w| replayed.execution.events[w].loc != e.loc)
            {
                continue;
            }
            let after = e.rf.map_or(0, |w| order.iter().position(|&v| v == w).map_or(0, |p| p + 1));
            if let Some(&w) = order.get(after)
                && step_of[w] != step_of[r]
            {
                soft[step_of[w]].push(step_of[r]);
            }
        }
    }
    let mut done = vec![false; n];
    let mut sequential = true;
    let mut out: Vec<usize> = Vec::new();
    while out.len() < n {
        let ready = |k: usize, strict: bool| {
            !done[k] && firm[k].iter().all(|&p| done[p]) && (!strict || soft[k].iter().all(|&p| done[p]))
        };
        let here = out.last().map(|&k| taken[k].thread);
        let stay = |k: &usize| Some(taken[*k].thread) == here;
        let pick = |strict: bool| {
            let mut all = (0..n).filter(|&k| ready(k, strict));
            (0..n).filter(|&k| ready(k, strict)).find(stay).or_else(|| all.next())
        };
        // Where the order of memory cannot be kept, the mildest offence: reads that are then late find
        // an old value, which seq_cst ones should not, if others can.
        let offence = |k: &usize| {
            let weight = |p: &usize| match taken[*p].op {
                Op::Read { mode, .. } if mode.is_sc() => 1_000,
                Op::Read { .. } => 1,
                _ => 30,
            };
            soft[*k].iter().filter(|p| !done[**p]).map(weight).sum::<usize>()
        };
        let mildest = || {
            let candidates = (0..n).filter(|&k| ready(k, false));
            candidates.min_by_key(|k| (offence(k), !stay(k), *k))
        };
        // The client's order and reads-from never form a circle; if they did, take what is left.
        let strict = pick(true);
        sequential &= strict.is_some();
        let Some(next) = strict.or_else(mildest).or_else(|| (0..n).find(|&k| !done[k])) else {
            break;
        };
        done[next] = true;
        out.push(next);
    }
    (out, sequential)
}
