//! A violation in words: the client that shows it, and why no order of its calls works.
//!
//! The set of edges of a *client* violation is minimal, so for each edge there is an order that
//! explains everything but that edge: these orders are what the words are made of. Nothing here
//! decides anything.

use super::check::{Found, pairs};
use super::judge::Violation;
use crate::naive::conform::{Seen, Wanted, explanation, permutations, readings};
use lineal_model::object::{Client, Level, Outcome};
use lineal_model::verdict::TimelineOp;

/// What to print about a violation.
#[derive(Clone, Debug, Default)]
pub struct Explained {
    pub kind: &'static str,
    pub why: String,
    /// Calls by thread, with answers.
    pub client: Vec<Vec<String>>,
    /// The same as numbers of calls.
    pub threads: Vec<Vec<usize>>,
    /// Orders between calls of different threads, which the client must make itself.
    pub waits: Vec<(usize, usize)>,
    pub history: Vec<TimelineOp>,
    /// Calls that take part.
    pub guilty: Vec<usize>,
    /// Of *sync*: the pairs that do not synchronise.
    pub missing: Vec<(usize, usize)>,
}

/// `None` for violations that are not about the calls.
pub fn explain(wanted: Wanted<'_>, found: &Found) -> Option<Explained> {
    let (violation, seen) = (found.violation.as_ref()?, found.seen.as_ref()?);
    let edges = match violation {
        Violation::Client(edges) => pairs(edges),
        _ => Vec::new(),
    };
    let show = |c: usize| wanted.object.show_answer(&wanted.client.calls[c], seen.outcomes[c]);
    let own = wanted.client.threads.iter().flat_map(|t| t.windows(2).map(|w| (w[0], w[1])));
    let ordered: Vec<(usize, usize)> = edges.iter().copied().chain(own).collect();
    let (threads, waits) = chains(wanted.client, &edges);
    let mut out = Explained { threads, waits, ..Explained::default() };
    match violation {
        Violation::Result => {
            out.kind = "result";
            out.why = result(wanted, seen, &show, &mut out.guilty);
        }
        Violation::Sync => {
            out.kind = "sync";
            out.missing = missing(wanted, seen);
            out.why = sync(wanted, &out.missing, &show);
            out.guilty = out.missing.iter().flat_map(|p| [p.0, p.1]).collect();
        }
        Violation::Client(_) => {
            out.kind = "client";
            out.why = client(wanted, seen, &ordered, &show);
            out.guilty = ordered.iter().flat_map(|e| [e.0, e.1]).collect();
        }
    }
    out.client = out
        .threads
        .iter()
        .map(|calls| {
            let word = |&c: &usize| {
                let after: Vec<String> =
                    out.waits.iter().filter(|w| w.1 == c).map(|w| format!("after {}", show(w.0))).collect();
                if after.is_empty() { show(c) } else { format!("{} ({})", show(c), after.join(", ")) }
            };
            calls.iter().map(word).collect()
        })
        .collect();
    out.history = timeline(&out, wanted.client.calls.len(), &show);
    Some(out)
}

/// The fewest threads that make the calls in the order of the edges, and what of the order they
/// leave to be waited for.
fn chains(client: &Client, edges: &[(usize, usize)]) -> (Vec<Vec<usize>>, Vec<(usize, usize)>) {
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
    let fixed = |c: usize| client.threads.iter().any(|t| t.len() > 1 && t.contains(&c));
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

fn result(
    wanted: Wanted<'_>,
    seen: &Seen,
    show: &dyn Fn(usize) -> String,
    guilty: &mut Vec<usize>,
) -> String {
    let n = seen.outcomes.len();
    let removes = |c: usize| {
        use lineal_model::history::Method::*;
        let method = wanted.object.operations[wanted.client.calls[c].operation].method;
        matches!(method, Remove | PopFront | PopBack)
    };
    let answered = |c: usize| match seen.outcomes[c] {
        Outcome::Value(v) if removes(c) => Some(v),
        _ => None,
    };
    let element = |c: usize| {
        let call = &wanted.client.calls[c];
        if removes(c) { None } else { call.value.or(call.prio).or(call.key) }
    };
    use lineal_model::{adt::Kind::Set, object::Type};
    let keyed = matches!(wanted.object.kind, Type::Known(Set) | Type::Dictionary | Type::Spec);
    for c in (0..n).filter(|_| !keyed) {
        let Some(v) = answered(c) else { continue };
        let put = (0..n).filter(|&i| element(i) == Some(v)).count();
        let taken: Vec<usize> = (0..n).filter(|&i| answered(i) == Some(v)).collect();
        if put == 0 {
            guilty.push(c);
            return format!(
                "{} answers a value that nobody put there. No order of the calls can explain it.",
                show(c)
            );
        }
        if taken.len() > put {
            guilty.extend(&taken);
            let words: Vec<String> = taken.iter().map(|&t| show(t)).collect();
            return format!(
                "The same element is taken twice: {}, but it was put there {}. No order of the calls can explain it.",
                words.join(" and "),
                if put == 1 { "once".into() } else { format!("{put} times") }
            );
        }
    }
    guilty.extend(0..n);
    "No order of the calls gives the answers they got. Not even if all of them ran at the same time.".into()
}

/// The pairs that some order needs and that do not synchronise: of all orders that give the
/// answers, one that lacks fewest.
fn missing(wanted: Wanted<'_>, seen: &Seen) -> Vec<(usize, usize)> {
    let n = seen.outcomes.len();
    let mut best: Option<Vec<(usize, usize)>> = None;
    permutations(n, &mut |order| {
        let respects = (0..n).all(|a| (a + 1..n).all(|b| !seen.before[order[a]][order[b]]));
        if respects {
            for pairs in readings(wanted, &seen.outcomes, order) {
                let lacking: Vec<_> = pairs.into_iter().filter(|&(i, j)| !seen.sees[j][i]).collect();
                if best.as_ref().is_none_or(|b| lacking.len() < b.len()) {
                    best = Some(lacking);
                }
            }
        }
        false
    });
    best.unwrap_or_default()
}

fn sync(wanted: Wanted<'_>, missing: &[(usize, usize)], show: &dyn Fn(usize) -> String) -> String {
    let (level, word) = (wanted.level, &wanted.object.word);
    let reason = |i: usize, j: usize| {
        let method = |c: usize| wanted.object.operations[wanted.client.calls[c].operation].method;
        let same = method(i) == method(j);
        match level {
            Level::Ri | Level::Rid if same => "comes after it",
            _ => "relies on it",
        }
    };
    let Some(&(i, j)) = missing.first() else {
        return format!(
            "The answers can be explained, but not with the synchronisation that level {level} of a {word} promises."
        );
    };
    let mut why = format!(
        "{} does not synchronise with {}. At level {level}, whatever a thread wrote before {} must be visible after {}, which {}; here it need not be.",
        show(i),
        show(j),
        show(i),
        show(j),
        reason(i, j),
    );
    for &(i, j) in &missing[1..] {
        why.push_str(&format!("\nNor does {} synchronise with {}.", show(i), show(j)));
    }
    why
}

fn client(
    wanted: Wanted<'_>,
    seen: &Seen,
    edges: &[(usize, usize)],
    show: &dyn Fn(usize) -> String,
) -> String {
    // `seen` has the edges in it; take them out again for the question "what if".
    let without = |dropped: (usize, usize)| {
        let mut before = seen.before.clone();
        for row in &mut before {
            row.iter_mut().for_each(|b| *b = false);
        }
        for &(i, j) in edges.iter().filter(|e| **e != dropped) {
            before[j][i] = true;
        }
        for k in 0..before.len() {
            let earlier = before[k].clone();
            for row in before.iter_mut().filter(|row| row[k]) {
                row.iter_mut().zip(&earlier).for_each(|(b, e)| *b |= e);
            }
        }
        Seen { before, ..seen.clone() }
    };
    let mut why = String::new();
    if let [(i, j)] = edges[..] {
        why.push_str(&format!(
            "{} answers as if it came before {}, which had returned before it began.\nEvery order that gives these answers has {} take effect before {}.",
            show(j), show(i), show(j), show(i)
        ));
        return why;
    }
    why.push_str("No order of the calls gives the answers they got.");
    why.push_str("\nThe client makes these calls one after another:");
    for &(i, j) in edges {
        why.push_str(&format!("\n    {}, then {}", show(i), show(j)));
    }
    why.push_str("\nGive up any one of these, and some order would do:");
    for &(i, j) in edges {
        if let Some(order) = explanation(wanted, &without((i, j)), true) {
            let words: Vec<String> = order.iter().map(|&c| show(c)).collect();
            why.push_str(&format!("\n    {}   (has {} before {})", words.join(", "), show(j), show(i)));
        }
    }
    why
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
