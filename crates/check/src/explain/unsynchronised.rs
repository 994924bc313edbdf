//! How one call hears of another without synchronising with it: the values that pass between
//! them, and the first of these that is handed over without a release and an acquire.

use super::{schedule, trace};
use crate::replay::{self, Kind, Replayed};
use lineal_model::Memory;
use lineal_model::object::Marks;
use lineal_model::run::{Loc, Mode, Runnable};

/// Where a call hears of another without synchronising, in words: of the pairs, the first between
/// which anything passes.
pub fn lost<R: Runnable>(
    program: &R,
    memory: Memory,
    replayed: &Replayed,
    marks: &[Marks],
    call: &dyn Fn(usize) -> String,
    pairs: &[(usize, usize)],
) -> Option<String> {
    let between = |&pair: &(usize, usize)| unsynchronised(program, memory, replayed, marks, call, pair);
    let &(i, j) = pairs.first()?;
    pairs.iter().find_map(between).or_else(|| {
        Some(format!("{} reads nothing that {} wrote, directly or through others.", call(j), call(i)))
    })
}

fn unsynchronised<R: Runnable>(
    program: &R,
    memory: Memory,
    replayed: &Replayed,
    marks: &[Marks],
    call: &dyn Fn(usize) -> String,
    (i, j): (usize, usize),
) -> Option<String> {
    let x = &replayed.execution;
    let at = |loc: Loc| x.events.iter().rposition(|e| e.kind == Kind::Write && e.loc == Some(loc));
    let (begin, end) = (at(marks[i].begun)?, at(marks[j].ended)?);
    let hb = replay::happens_before(x, memory);
    // The way from `begin` to `end` along program order and reads-from with the fewest values
    // that are read without synchronising; where one side does its part, the value was meant to.
    let n = x.events.len();
    let mut best: Vec<Option<(usize, usize)>> = vec![None; n];
    best[begin] = Some((0, begin));
    for _ in 0..n {
        let mut changed = false;
        for e in 0..n {
            let before = (0..e).rev().find(|&k| x.events[k].thread == x.events[e].thread);
            for (from, read) in [(before, false), (x.events[e].rf, true)] {
                let Some(from) = from else { continue };
                let Some((so_far, _)) = best[from] else { continue };
                let apart = x.events[from].thread != x.events[e].thread;
                let half = x.events[from].mode.releases() || x.events[e].mode.acquires();
                let loose = read && apart && !hb.has(from, e);
                let cost = so_far
                    + if !loose {
                        0
                    } else if half {
                        2
                    } else {
                        3
                    };
                if best[e].is_none_or(|(c, _)| cost < c) {
                    (best[e], changed) = (Some((cost, from)), true);
                }
            }
        }
        if !changed {
            break;
        }
    }
    best[end]?;
    let mut way = vec![end];
    while way[way.len() - 1] != begin {
        way.push(best[way[way.len() - 1]]?.1);
    }
    way.reverse();
    // Where a value is handed over and the last word from `begin` is lost. Fences may make up
    // for an access: what comes before the next value is passed on tells.
    let passes = |k: usize| {
        let (from, e) = (way[k], way[k + 1]);
        x.events[e].rf == Some(from) && x.events[from].thread != x.events[e].thread
    };
    let lost = |k: usize| {
        let next = (k + 1..way.len() - 1).find(|&l| passes(l)).map_or(end, |l| way[l]);
        passes(k) && !hb.has(begin, next)
    };
    let loose = (0..way.len() - 1).find(|&k| lost(k)).map(|k| (way[k], way[k + 1]));
    let (w, r) = loose?;
    let (write, read) = (&x.events[w], &x.events[r]);
    let calls = trace::calls(replayed, marks);
    let steps = schedule::step_of_event(replayed);
    let whose = |event: usize| calls[steps[event]].map_or("the object".to_string(), call);
    let lacks = |has: bool, word: &str| if has { String::new() } else { format!(" and does not {word}") };
    let order = |mode: Mode| if mode.is_atomic() { mode.word() } else { "plain" };
    Some(format!(
        "{} takes {} from {}, but that is no release read by an acquire: the read ({}) is {}{}, the write ({}) is {}{}.",
        whose(r),
        program.name(read.loc?, x),
        whose(w),
        trace::short(&program.place(read.site)?),
        order(read.mode),
        lacks(read.mode.acquires(), "acquire"),
        trace::short(&program.place(write.site)?),
        order(write.mode),
        lacks(write.mode.releases(), "release"),
    ))
}
