//! A violation in words: the client that shows it, and why no order of its calls works.
//!
//! The set of edges of a *client* violation is minimal, so for each edge there is an order that
//! explains everything but that edge; from these orders [`cycle`](super::cycle) makes a proof
//! in steps. Nothing here decides anything.

use super::sentences::Sentences;
use crate::replay::Replayed;
use crate::replay::calls::{Seen, Violation, Wanted, explanation, pairs, permutations, readings};
use crate::replay::quasi::Displaced;
use crate::replay::relaxed;
use lineal_model::WitnessKind;
use lineal_model::adt::quasi::{MOST, Relaxation};
use lineal_model::object::{Client, Marks, Object};
use lineal_model::verdict::TimelineOp;
use std::sync::Arc;

/// What to print about a violation.
#[derive(Clone, Debug)]
pub struct Explained {
    pub kind: WitnessKind,
    /// What goes wrong; the first sentence stands on its own.
    pub why: String,
    /// Why no order of the calls works, a line each.
    pub reasons: Vec<String>,
    /// Calls by thread, with answers.
    pub client: Vec<Vec<String>>,
    /// The same as numbers of calls.
    pub threads: Vec<Vec<usize>>,
    /// Orders between calls of different threads, which the client must make itself.
    pub waits: Vec<(usize, usize)>,
    pub history: Vec<TimelineOp>,
    /// Calls that take part.
    pub guilty: Vec<usize>,
    /// Pairs that do not synchronise: every order that gives the answers needs one of them.
    /// Empty if it is the answers that are wrong.
    pub missing: Vec<(usize, usize)>,
}

/// What was found.
#[derive(Clone, Copy)]
pub struct Found<'a> {
    pub violation: &'a Violation,
    pub seen: &'a Seen,
    pub replayed: &'a Replayed,
    pub marks: &'a [Marks],
}

/// With `join`, calls that follow each other are made by one thread where that makes no difference
/// to them.
pub fn explain(wanted: Wanted<'_>, found: Found<'_>, join: Join) -> Explained {
    let Found { violation, seen, .. } = found;
    let edges = match violation {
        Violation::Client(edges) => pairs(edges),
        _ => Vec::new(),
    };
    let show = |c: usize| wanted.object.show_answer(&wanted.client.calls[c], seen.outcomes[c]);
    let own = wanted.client.threads.iter().flat_map(|t| t.windows(2).map(|w| (w[0], w[1])));
    let ordered: Vec<(usize, usize)> = edges.iter().copied().chain(own).collect();
    let (threads, waits) = chains(wanted.client, &edges, join);
    let kind = match violation {
        Violation::Result => WitnessKind::Result,
        Violation::Sync => WitnessKind::Sync,
        Violation::Client(_) => WitnessKind::Client,
    };
    let mut out = Explained {
        kind,
        why: String::new(),
        reasons: Vec::new(),
        client: Vec::new(),
        threads,
        waits,
        history: Vec::new(),
        guilty: Vec::new(),
        missing: Vec::new(),
    };
    let threads = out.threads.clone();
    let sentences = Sentences { wanted, seen, threads: &threads, ordered: &ordered };
    if *violation == Violation::Result {
        out.why = sentences.result(&mut out.guilty);
    }
    if *violation != Violation::Result {
        if matches!(explanation(wanted, seen, false), Ok(Some(_))) {
            out.missing = missing(wanted, seen);
            // First what goes with the order in which the calls ended.
            out.missing.sort_by_key(|&(i, j)| ended(found, i) > ended(found, j));
            (out.why, out.reasons) = sentences.sync(&out.missing);
            out.guilty = out.missing.iter().flat_map(|p| [p.0, p.1]).collect();
        } else {
            (out.why, out.reasons) = sentences.client();
            out.guilty = ordered.iter().flat_map(|e| [e.0, e.1]).collect();
        }
    }
    draw(&mut out, wanted.client.calls.len(), &show);
    if out.missing.is_empty() && wanted.object.quasi.is_some() {
        displaced(wanted, seen, &mut out, &show);
    }
    out
}

/// Which factors would do, and what is out of order then.
fn displaced(wanted: Wanted<'_>, seen: &Seen, out: &mut Explained, show: &dyn Fn(usize) -> String) {
    let Some((wider, order, moved)) = wider(wanted, seen) else {
        out.reasons.push("No slightly greater factor explains it either.".into());
        return;
    };
    out.reasons.push(format!("With {} there is an order that explains it:", wider.shown()));
    let words: Vec<String> = order.iter().map(|&c| show(c)).collect();
    out.reasons.push(format!("  {}", words.join(", ")));
    for d in &moved {
        let past: Vec<String> = d.past.iter().map(|&at| words[at].clone()).collect();
        out.reasons.push(format!("  {} comes {}.", words[d.op], d.words(&past)));
        if let Some(at) = out.threads.iter().flatten().position(|&c| c == order[d.op]) {
            out.history[at].remark = d.brief();
        }
    }
}

/// The smallest greater factors with which some order explains what was seen: that order, and how
/// far its calls are displaced.
fn wider(wanted: Wanted<'_>, seen: &Seen) -> Option<(Relaxation, Vec<usize>, Vec<Displaced>)> {
    let relaxation = wanted.object.quasi.as_deref()?;
    let calls = wanted.client.calls.len() as u32;
    for more in 1..=calls.min(MOST - relaxation.most().min(MOST)) {
        let mut wider = relaxation.clone();
        wider.classes.iter_mut().for_each(|c| c.factor = (c.factor + more).min(MOST));
        let object = Object { quasi: Some(Arc::new(wider.clone())), ..wanted.object.clone() };
        let Wanted { client, reference, .. } = wanted;
        let Ok(Some(order)) = explanation(Wanted { object: &object, ..wanted }, seen, false) else {
            continue;
        };
        let given = relaxed::Given { object: &object, client, reference };
        let displaced = relaxed::displaced(given, &seen.outcomes, &order)?;
        return Some((wider, order, displaced));
    }
    None
}

/// The client as it is printed, and its time line.
pub(super) fn draw(out: &mut Explained, calls: usize, show: &dyn Fn(usize) -> String) {
    let thread = |calls: &Vec<usize>| {
        let word = |&c: &usize| {
            let after: Vec<String> =
                out.waits.iter().filter(|w| w.1 == c).map(|w| format!("after {}", show(w.0))).collect();
            if after.is_empty() { show(c) } else { format!("{} ({})", show(c), after.join(", ")) }
        };
        calls.iter().map(word).collect()
    };
    out.client = out.threads.iter().map(thread).collect();
    out.history = timeline(out, calls, show);
}

/// When a call ended in the execution that was found.
fn ended(found: Found<'_>, c: usize) -> Option<usize> {
    let events = &found.replayed.execution.events;
    events.iter().rposition(|e| e.loc == Some(found.marks[c].ended))
}

/// Whether calls that follow each other may be made by one thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Join {
    Calls,
    /// The object could tell: it keeps state per thread.
    Nothing,
}

/// The fewest threads that make the calls in the order of the edges, and what of the order they
/// leave to be waited for.
pub(super) fn chains(
    client: &Client,
    edges: &[(usize, usize)],
    join: Join,
) -> (Vec<Vec<usize>>, Vec<(usize, usize)>) {
    let n = client.calls.len();
    let row = |i: usize| (0..n).map(|j| client.orders(i, j) || edges.contains(&(i, j))).collect();
    let mut before: Vec<Vec<bool>> = (0..n).map(row).collect();
    for k in 0..n {
        let through = before[k].clone();
        for row in before.iter_mut().filter(|row| row[k]) {
            row.iter_mut().zip(&through).for_each(|(b, t)| *b |= t);
        }
    }
    // Threads of several calls stay as they are; single calls are joined to chains by a largest
    // matching of calls with their followers.
    let several = |c: usize| client.threads.iter().any(|t| t.len() > 1 && t.contains(&c));
    let fixed = |c: usize| join == Join::Nothing || several(c);
    let mut follower_of: Vec<Option<usize>> = vec![None; n];
    fn augment(
        i: usize,
        may: &dyn Fn(usize, usize) -> bool,
        leader: &mut Vec<Option<usize>>,
        tried: &mut Vec<bool>,
    ) -> bool {
        for j in 0..leader.len() {
            if may(i, j) && !tried[j] {
                tried[j] = true;
                if leader[j].is_none_or(|k| augment(k, may, leader, tried)) {
                    leader[j] = Some(i);
                    return true;
                }
            }
        }
        false
    }
    let may = |i: usize, j: usize| before[i][j] && !fixed(i) && !fixed(j);
    let mut leader: Vec<Option<usize>> = vec![None; n];
    for i in 0..n {
        augment(i, &may, &mut leader, &mut vec![false; n]);
    }
    for (j, l) in leader.iter().enumerate() {
        if let Some(i) = l {
            follower_of[*i] = Some(j);
        }
    }
    let mut threads: Vec<Vec<usize>> = Vec::new();
    for thread in &client.threads {
        if thread.len() > 1 {
            threads.push(thread.clone());
        } else if leader[thread[0]].is_none() {
            let mut chain = vec![thread[0]];
            while let Some(next) = follower_of[chain[chain.len() - 1]] {
                chain.push(next);
            }
            threads.push(chain);
        }
    }
    threads.sort();
    // An order that no thread makes, and that does not follow from others.
    let place = |c: usize| threads.iter().position(|t| t.contains(&c));
    let mut waits = Vec::new();
    for i in 0..n {
        for j in 0..n {
            let direct = before[i][j] && !(0..n).any(|k| before[i][k] && before[k][j]);
            if direct && place(i) != place(j) {
                waits.push((i, j));
            }
        }
    }
    (threads, waits)
}

/// A small set of pairs that do not synchronise, such that every order that gives the answers
/// needs one of them.
fn missing(wanted: Wanted<'_>, seen: &Seen) -> Vec<(usize, usize)> {
    let n = seen.outcomes.len();
    let mut open: Vec<Vec<(usize, usize)>> = Vec::new();
    permutations(n, &mut |order| {
        let respects = (0..n).all(|a| (a + 1..n).all(|b| !seen.before[order[a]][order[b]]));
        if respects {
            for pairs in readings(wanted, &seen.outcomes, order).unwrap_or_default() {
                let mut lacking: Vec<_> = pairs.into_iter().filter(|&(i, j)| !seen.sees[j][i]).collect();
                lacking.sort_unstable();
                if !open.contains(&lacking) {
                    open.push(lacking);
                }
            }
        }
        false
    });
    hitting(open)
}

/// A small set of pairs, of each of these lists one.
pub(super) fn hitting(mut open: Vec<Vec<(usize, usize)>>) -> Vec<(usize, usize)> {
    let mut chosen = Vec::new();
    while !open.is_empty() {
        let mut all: Vec<(usize, usize)> = open.iter().flatten().copied().collect();
        all.sort_unstable();
        all.dedup();
        let count = |p: &(usize, usize)| open.iter().filter(|o| o.contains(p)).count();
        // The first of the most frequent ones.
        let Some(best) = all.iter().copied().rev().max_by_key(count) else { return Vec::new() };
        chosen.push(best);
        open.retain(|o| !o.contains(&best));
    }
    chosen
}

/// Calls of one thread follow each other; of different threads, only where the client says so.
fn timeline(out: &Explained, n: usize, show: &dyn Fn(usize) -> String) -> Vec<TimelineOp> {
    let mut start = vec![0u64; n];
    for _ in 0..n {
        let follow = |start: &mut Vec<u64>, i: usize, j: usize| start[j] = start[j].max(start[i] + 2);
        for thread in &out.threads {
            thread.windows(2).for_each(|w| follow(&mut start, w[0], w[1]));
        }
        for &(i, j) in &out.waits {
            follow(&mut start, i, j);
        }
    }
    let last = start.iter().max().copied().unwrap_or(0) + 1;
    let mut history = Vec::new();
    for (t, thread) in out.threads.iter().enumerate() {
        for (k, &c) in thread.iter().enumerate() {
            let next = thread.get(k + 1).map(|&d| start[d]);
            let awaited = out.waits.iter().filter(|w| w.0 == c).map(|w| start[w.1]).min();
            let end = next.into_iter().chain(awaited).min().map_or(last, |s| s - 1);
            history.push(TimelineOp {
                process: format!("thread {}", t + 1),
                what: show(c),
                call: start[c],
                ret: Some(end),
                guilty: out.guilty.contains(&c),
                ..TimelineOp::default()
            });
        }
    }
    history
}
