//! The slow deciders.

use super::{LARGEST, Question, Said};
use lineal_check::conform::extend::{Extensions, OnCalls};
use lineal_check::conform::{Call, Contract, observe};
use lineal_check::graph::{self, Judge, Leaf};
use lineal_check::naive::conform::{Seen, Wanted, explanation};
use lineal_check::naive::relinche;
use lineal_lang::c11::Options;
use lineal_lang::c11::object::client;
use lineal_model::object::{Client, Marks};
use lineal_model::{Effort, Memory, Unwatched, Verdict};
use std::collections::{BTreeSet, HashSet};
use std::sync::{Arc, Mutex};

/// Collects what the calls of each execution see.
#[derive(Debug)]
struct Collector {
    marks: Vec<Marks>,
    seen: Mutex<HashSet<Seen>>,
}

impl Judge for Collector {
    fn allows(&self, leaf: &dyn Leaf) -> bool {
        use lineal_model::object::Outcome;
        let at = |loc| leaf.last_write(loc);
        let spans: Option<Vec<_>> = self.marks.iter().map(|m| Some((at(m.begun)?, at(m.ended)?))).collect();
        let Some(spans) = spans else { return true };
        let hb = |a: graph::EventId, b: graph::EventId| leaf.hb(b, a.thread()) > a.index();
        let outcomes = self.marks.iter().zip(&spans).map(|(m, s)| match leaf.event(s.1).value.lo {
            2 => Outcome::Empty,
            _ => at(m.result).map_or(Outcome::Nothing, |w| Outcome::Value(leaf.event(w).value.signed(8))),
        });
        let seen = Seen {
            outcomes: outcomes.collect(),
            sees: spans.iter().map(|j| spans.iter().map(|i| hb(i.0, j.1)).collect()).collect(),
            before: spans.iter().map(|j| spans.iter().map(|i| hb(i.1, j.0)).collect()).collect(),
        };
        self.seen.lock().unwrap().insert(seen);
        true
    }
}

/// Every partial order of `0..n`, by its covering pairs.
fn orders(n: usize) -> Vec<Vec<(usize, usize)>> {
    let pairs: Vec<(usize, usize)> =
        (0..n).flat_map(|i| (0..n).filter(move |&j| j != i).map(move |j| (i, j))).collect();
    let mut all = Vec::new();
    for mask in 0u32..1 << pairs.len() {
        let has =
            |a: usize, b: usize| pairs.iter().position(|&p| p == (a, b)).is_some_and(|k| mask >> k & 1 == 1);
        let order = pairs.iter().all(|&(a, b)| {
            !has(a, b) || (!has(b, a) && (0..n).all(|c| c == a || c == b || !has(b, c) || has(a, c)))
        });
        if order {
            let covers =
                |a: usize, b: usize| has(a, b) && !(0..n).any(|c| c != a && c != b && has(a, c) && has(c, b));
            all.push(pairs.iter().copied().filter(|&(a, b)| covers(a, b)).collect());
        }
    }
    all
}

#[test]
fn partial_orders_are_counted_right() {
    assert_eq!((1..=4).map(|n| orders(n).len()).collect::<Vec<_>>(), [1, 3, 19, 219]);
}

/// Every client as a program of its own: threads of several calls where threads matter, one
/// call each otherwise.
pub fn every_client(q: Question<'_>, client: &Client) -> Said {
    let mut worst = Said::Holds;
    for waits in orders(client.calls.len()) {
        for threads in threads(client.calls.len(), &waits, q.memory == Memory::Tso) {
            let one = Client { waits: waits.clone(), threads, ..client.clone() };
            match one_client(q, &one) {
                Said::Holds => {}
                // An error of the program outranks a violation: the engine stops there.
                Said::Unsafe => return Said::Unsafe,
                said => worst = worst.max(said),
            }
        }
    }
    worst
}

/// The ways to let threads make the calls, in orders that respect the waits.
fn threads(n: usize, waits: &[(usize, usize)], several: bool) -> Vec<Vec<Vec<usize>>> {
    let alone: Vec<Vec<usize>> = (0..n).map(|c| vec![c]).collect();
    if !several {
        return vec![alone];
    }
    // Covering pairs that some thread makes one after the other.
    let mut all = vec![alone];
    for &(i, j) in waits {
        let mut more = Vec::new();
        for lists in &all {
            let from = lists.iter().position(|l| l.last() == Some(&i));
            let to = lists.iter().position(|l| l.first() == Some(&j));
            if let (Some(a), Some(b)) = (from, to)
                && a != b
            {
                let mut joined = lists.clone();
                let tail = joined[b].clone();
                joined[a].extend(tail);
                joined.remove(b);
                more.push(joined);
            }
        }
        all.extend(more);
    }
    all
}

fn one_client(q: Question<'_>, client: &Client) -> Said {
    // A thread's own calls need no waiting.
    let waits = client.waits.iter().copied().filter(|&(i, j)| !client.orders(i, j)).collect();
    let client = &Client { waits, ..client.clone() };
    let object = &q.subject.loaded.object;
    let (mut machine, marks) =
        client::program(&q.subject.units, &q.subject.loaded, client, &Options::default())
            .expect("it compiles");
    let collector = Arc::new(Collector { marks, seen: Mutex::default() });
    let options = graph::Options { judge: Some(collector.clone()), ..graph::Options::default() };
    let mut problem = graph::Problem { program: &mut machine, memory: q.memory, options };
    let effort = Effort { max_states: Some(LARGEST), ..Effort::default() };
    match graph::check(&mut problem, &effort, &Unwatched).verdict {
        Verdict::Violated(_) => return Said::Unsafe,
        Verdict::Unknown(_) => return Said::TooLarge,
        Verdict::Holds(_) => {}
    }
    let wanted = Wanted { object, client, level: q.level, reference: None };
    let seen = collector.seen.lock().unwrap();
    match seen.iter().all(|s| explanation(wanted, s, true).is_some()) {
        true => Said::Holds,
        false => Said::Violated,
    }
}

/// Asks the published algorithm about each execution.
#[derive(Debug)]
struct Published {
    analysis: relinche::Analysis,
    calls: Vec<Call>,
    memory: Memory,
    violated: Mutex<bool>,
}

impl Judge for Published {
    fn allows(&self, leaf: &dyn Leaf) -> bool {
        let Some(spans) = observe::spans(leaf, &self.calls) else { return true };
        let seen = observe::observe(leaf, &self.calls, &spans);
        let n = self.calls.len();
        let masks = |pairs: &BTreeSet<(usize, usize)>| {
            let mut edges = vec![0; n];
            pairs.iter().for_each(|&(i, j)| edges[j] |= 1 << i);
            edges
        };
        let sees = |i: usize, j: usize| seen.hb[j] >> i & 1 == 1;
        let ok = if self.memory == Memory::Rc11 && leaf.sc_events() >= 2 {
            let events = lineal_check::conform::recheck::OnEvents::new(leaf, &spans, &seen.hb);
            relinche::conforms(&self.analysis, &seen.outcomes, &sees, &|p| events.allows(&masks(p)))
        } else {
            let back = observe::back(leaf, self.memory, &spans, &seen.hb);
            let calls = OnCalls { hb: &seen.hb, back: &back };
            relinche::conforms(&self.analysis, &seen.outcomes, &sees, &|p| calls.allows(&masks(p)))
        };
        if !ok {
            *self.violated.lock().unwrap() = true;
        }
        true
    }
}

/// The published algorithm on all clients with the calls of this one.
pub fn published(q: Question<'_>, client: &Client) -> Said {
    let object = &q.subject.loaded.object;
    let (mut machine, marks) =
        client::program(&q.subject.units, &q.subject.loaded, client, &Options::default())
            .expect("it compiles");
    let contract = Contract::new(object, q.level, client, &marks);
    let analysis = relinche::analyse(Wanted { object, client, level: q.level, reference: None });
    let judge =
        Arc::new(Published { analysis, calls: contract.calls, memory: q.memory, violated: Mutex::default() });
    let options = graph::Options { judge: Some(judge.clone()), ..graph::Options::default() };
    let mut problem = graph::Problem { program: &mut machine, memory: q.memory, options };
    graph::check(&mut problem, &Effort::default(), &Unwatched);
    if *judge.violated.lock().unwrap() { Said::Violated } else { Said::Holds }
}
