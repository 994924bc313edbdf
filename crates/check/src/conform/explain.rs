//! A violation in words: the client that shows it, and why no order of its calls works.
//!
//! The set of edges of a *client* violation is minimal, so for each edge there is an order that
//! explains everything but that edge; from these orders [`circle`] makes a proof in steps.
//! Nothing here decides anything.

use super::check::{Found, pairs};
use super::circle::{self, Proof, Reasons};
use super::judge::Violation;
use super::promise;
use crate::naive::conform::{Seen, Wanted, explanation, permutations, readings};
use lineal_model::object::{Client, Outcome};
use lineal_model::verdict::TimelineOp;

/// What to print about a violation.
#[derive(Clone, Debug, Default)]
pub struct Explained {
    pub kind: &'static str,
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

/// `None` for violations that are not about the calls. With `join`, calls that follow each other
/// are made by one thread where that makes no difference to them.
pub fn explain(wanted: Wanted<'_>, found: &Found, join: Join) -> Option<Explained> {
    let (violation, seen) = (found.violation.as_ref()?, found.seen.as_ref()?);
    let edges = match violation {
        Violation::Client(edges) => pairs(edges),
        _ => Vec::new(),
    };
    let show = |c: usize| wanted.object.show_answer(&wanted.client.calls[c], seen.outcomes[c]);
    let own = wanted.client.threads.iter().flat_map(|t| t.windows(2).map(|w| (w[0], w[1])));
    let ordered: Vec<(usize, usize)> = edges.iter().copied().chain(own).collect();
    let (threads, waits) = chains(wanted.client, &edges, join);
    let mut out = Explained { threads, waits, ..Explained::default() };
    let told = Told { wanted, seen, out: &out.clone(), ordered: &ordered };
    match violation {
        Violation::Result => {
            out.kind = "result";
            out.why = told.result(&mut out.guilty);
        }
        Violation::Sync => out.kind = "sync",
        Violation::Client(_) => out.kind = "client",
    }
    if *violation != Violation::Result {
        if explanation(wanted, seen, false).is_some() {
            out.missing = missing(wanted, seen);
            (out.why, out.reasons) = told.sync(&out.missing);
            out.guilty = out.missing.iter().flat_map(|p| [p.0, p.1]).collect();
        } else {
            (out.why, out.reasons) = told.client();
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

/// Whether calls that follow each other may be made by one thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Join {
    Calls,
    /// The object could tell: it keeps state per thread.
    Nothing,
}

/// The fewest threads that make the calls in the order of the edges, and what of the order they
/// leave to be waited for.
fn chains(client: &Client, edges: &[(usize, usize)], join: Join) -> (Vec<Vec<usize>>, Vec<(usize, usize)>) {
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

/// What there is to tell about.
struct Told<'a> {
    wanted: Wanted<'a>,
    seen: &'a Seen,
    out: &'a Explained,
    /// What the client orders itself.
    ordered: &'a [(usize, usize)],
}

impl Told<'_> {
    /// A call with its answer, and with its thread if others look the same.
    fn show(&self, c: usize) -> String {
        let text =
            |c: usize| self.wanted.object.show_answer(&self.wanted.client.calls[c], self.seen.outcomes[c]);
        let twice = (0..self.seen.outcomes.len()).any(|d| d != c && text(d) == text(c));
        match self.out.threads.iter().position(|t| t.contains(&c)) {
            Some(t) if twice => format!("{} in thread {}", text(c), t + 1),
            _ => text(c),
        }
    }

    fn word(&self) -> &str {
        match self.wanted.object.kind {
            lineal_model::object::Type::Spec => "object",
            _ => &self.wanted.object.word,
        }
    }

    fn result(&self, guilty: &mut Vec<usize>) -> String {
        let (wanted, seen) = (self.wanted, self.seen);
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
                return format!("{} answers {v}, which nobody put there.", self.show(c));
            }
            if taken.len() > put {
                guilty.extend(&taken);
                let words: Vec<String> = taken.iter().map(|&t| self.show(t)).collect();
                let times = if put == 1 { "once".into() } else { format!("{put} times") };
                return format!("{v} is put there {times}, but taken by {}.", words.join(" and by "));
            }
        }
        guilty.extend(0..n);
        format!(
            "No order of the calls explains their answers: a {} that is used by one thread at a time never answers like this.\nThe client orders none of them, so any order would do.",
            self.word()
        )
    }

    fn sync(&self, missing: &[(usize, usize)]) -> (String, Vec<String>) {
        let Some(&(i, j)) = missing.first() else {
            let why = format!(
                "The answers can be explained, but not with the synchronisation that a {} promises here.",
                self.word()
            );
            return (why, promise::line(self.wanted).into_iter().collect());
        };
        let why = format!(
            "{} does not synchronise with {}: what a thread wrote before {} may be invisible after {}.",
            self.show(i),
            self.show(j),
            self.show(i),
            self.show(j)
        );
        let mut reasons: Vec<String> = promise::line(self.wanted).into_iter().collect();
        match missing {
            [_] => reasons.push(format!(
                "Every order of the calls that gives these answers relies on {} being seen by {}.",
                self.show(i),
                self.show(j)
            )),
            all => {
                reasons
                    .push("Every order of the calls that gives these answers relies on one of these:".into());
                reasons.extend(
                    all.iter().map(|&(i, j)| format!("    {} seen by {}", self.show(i), self.show(j))),
                );
            }
        }
        (why, reasons)
    }

    fn client(&self) -> (String, Vec<String>) {
        let n = self.seen.outcomes.len();
        let why = match self.ordered {
            [(i, j)] => format!(
                "{} answers as if it came before {}, which had returned before it began.",
                self.show(*j),
                self.show(*i)
            ),
            _ => format!(
                "No order of the calls explains their answers: a {} that is used by one thread at a time never answers like this.",
                self.word()
            ),
        };
        let mut legal = Vec::new();
        if n <= circle::MOST {
            permutations(n, &mut |order| {
                if !readings(self.wanted, &self.seen.outcomes, order).is_empty() {
                    legal.push(circle::bits(order));
                }
                false
            });
        }
        let reasons = match circle::prove(n, &legal, self.ordered) {
            Some(proof) if n <= circle::MOST => self.proof(&proof),
            _ => self.without_one(),
        };
        (why, reasons)
    }

    /// Who makes the calls in this order.
    fn whose(&self, (i, j): (usize, usize)) -> String {
        let thread = |c: usize| self.out.threads.iter().position(|t| t.contains(&c)).unwrap_or(0) + 1;
        match (thread(i), thread(j)) {
            (a, b) if a == b => format!("thread {a}"),
            (a, b) => format!("thread {b} waits for thread {a}"),
        }
    }

    fn proof(&self, proof: &Proof) -> Vec<String> {
        let before = |(a, b): (usize, usize)| format!("{} before {}", self.show(a), self.show(b));
        let reasons =
            Reasons { object: self.wanted.object, client: self.wanted.client, outcomes: &self.seen.outcomes };
        let derived: Vec<usize> = (0..proof.facts.len()).filter(|&f| !proof.facts[f].given).collect();
        let number = |f: usize| derived.iter().position(|&d| d == f).map(|d| d + 1);
        let source = |f: usize| match number(f) {
            Some(k) => format!("by {k}"),
            None => self.whose(proof.facts[f].pair),
        };
        let mut lines = vec!["Why no order of the calls gives these answers:".to_string()];
        for (k, &f) in derived.iter().enumerate() {
            let fact = &proof.facts[f];
            let from: Vec<(usize, usize)> = fact.from.iter().map(|&g| proof.facts[g].pair).collect();
            let why = match reasons.reason(fact.pair, &from) {
                Some(why) => format!(" ({why})"),
                None if from.is_empty() => " (or the answers would be others)".into(),
                None => String::new(),
            };
            let given: Vec<String> = fact
                .from
                .iter()
                .map(|&g| format!("{} ({})", before(proof.facts[g].pair), source(g)))
                .collect();
            lines.push(match given.is_empty() {
                true => format!("  {}. {}{why}", k + 1, before(fact.pair)),
                false => format!("  {}. {}, so {}{why}", k + 1, given.join(" and "), before(fact.pair)),
            });
        }
        let links: Vec<String> = proof
            .circle
            .iter()
            .map(|&f| format!("{} ({})", before(proof.facts[f].pair), source(f)))
            .collect();
        lines.push(format!("  Together that is a circle: {}.", links.join(", ")));
        lines
    }

    /// For clients that are too large for a proof: what would do if the client ordered less.
    fn without_one(&self) -> Vec<String> {
        // `seen` has the edges in it; take them out again for the question "what if".
        let without = |dropped: (usize, usize)| {
            let n = self.seen.before.len();
            let mut before = vec![vec![false; n]; n];
            for &(i, j) in self.ordered.iter().filter(|e| **e != dropped) {
                before[j][i] = true;
            }
            for k in 0..n {
                let earlier = before[k].clone();
                for row in before.iter_mut().filter(|row| row[k]) {
                    row.iter_mut().zip(&earlier).for_each(|(b, e)| *b |= e);
                }
            }
            Seen { before, ..self.seen.clone() }
        };
        let mut lines = vec!["The client makes these calls one after another:".to_string()];
        lines.extend(
            self.ordered.iter().map(|&(i, j)| format!("    {}, then {}", self.show(i), self.show(j))),
        );
        lines.push("Give up any one of these, and some order would do:".into());
        for &(i, j) in self.ordered {
            if let Some(order) = explanation(self.wanted, &without((i, j)), true) {
                let words: Vec<String> = order.iter().map(|&c| self.show(c)).collect();
                lines.push(format!(
                    "    {}   (has {} before {})",
                    words.join(", "),
                    self.show(j),
                    self.show(i)
                ));
            }
        }
        lines
    }
}

/// A small set of pairs that do not synchronise, such that every order that gives the answers
/// needs one of them.
fn missing(wanted: Wanted<'_>, seen: &Seen) -> Vec<(usize, usize)> {
    let n = seen.outcomes.len();
    let mut open: Vec<Vec<(usize, usize)>> = Vec::new();
    permutations(n, &mut |order| {
        let respects = (0..n).all(|a| (a + 1..n).all(|b| !seen.before[order[a]][order[b]]));
        if respects {
            for pairs in readings(wanted, &seen.outcomes, order) {
                let mut lacking: Vec<_> = pairs.into_iter().filter(|&(i, j)| !seen.sees[j][i]).collect();
                lacking.sort_unstable();
                if !open.contains(&lacking) {
                    open.push(lacking);
                }
            }
        }
        false
    });
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
