//! The slow deciders.

use super::missed;
use super::orders::{numberings, orders, threads, up_to_exchange};
use super::{Question, Said};
use lineal_check::conform::extend::{Extensions, OnCalls};
use lineal_check::conform::observe::{self, Back, Observation};
use lineal_check::conform::{Call, Contract};
use lineal_check::graph::{self, Judge, Leaf};
use lineal_check::naive::relinche;
use lineal_check::replay::calls::{Seen, Wanted, explanation};
use lineal_model::object::{Client, Level, Marks};
use lineal_model::{Effort, Memory, Unwatched, Verdict};
use std::collections::{BTreeSet, HashSet};
use std::sync::{Arc, Mutex};

/// Collects what the calls of each execution see.
#[derive(Debug)]
struct Collector {
    marks: Vec<Marks>,
    memory: Memory,
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
        let mut all = self.seen.lock().unwrap();
        if matches!(self.memory, Memory::Rc11 | Memory::Ra) {
            all.insert(seen);
            return true;
        }
        // Where memory has one order, data is missed or it is not.
        for pairs in missed::largest(leaf, self.memory, &spans) {
            let n = spans.len();
            let sees = (0..n).map(|j| (0..n).map(|i| !pairs.contains(&(i, j))).collect()).collect();
            all.insert(Seen { sees, ..seen.clone() });
        }
        true
    }
}

#[test]
fn exchanged_orders_show_the_same() {
    use super::{LARGEST, Subject, objects};
    let all = objects::all();
    let subject = Subject::new(all.iter().find(|o| o.0 == "front-back").unwrap().1.plain());
    let q = Question {
        subject: &subject,
        level: &Level::R,
        memory: Memory::Rc11,
        largest: LARGEST,
        reductions: super::Reductions::default(),
    };
    let client = &subject.clients(4)[0];
    let [every, some] =
        [Clients::Every, Clients::UpToExchange].map(|which| walk(q, &Level::NAMED, client, which));
    assert_eq!((every.clients, every.violated), (219, some.violated));
    assert!(some.clients < 100, "{}", some.clients);
}

/// What every client with the same calls showed, run as a program of its own.
#[derive(Debug, Default)]
pub struct Walk {
    /// At each level: no order of the calls explains some execution.
    pub violated: Vec<bool>,
    pub is_unsafe: bool,
    pub too_large: bool,
    pub clients: usize,
    pub executions: u64,
}

/// Which clients to run.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Clients {
    Every,
    UpToExchange,
}

/// Every client of these calls at several levels at once: executions have none.
pub fn walk(q: Question<'_>, levels: &[Level], client: &Client, which: Clients) -> Walk {
    let object = &q.subject.loaded.compiled.object;
    let n = client.calls.len();
    let mut walk = Walk { violated: vec![false; levels.len()], ..Walk::default() };
    let reference = q.subject.reference(client);
    // What was seen before, in whichever client, and is explained at all levels.
    let mut explained: HashSet<Seen> = HashSet::new();
    let mut all = orders(n);
    if which == Clients::UpToExchange {
        all = up_to_exchange(object, client, all);
    }
    for waits in all {
        // A lock is given back by the thread that has it.
        let several =
            q.memory == Memory::Tso || q.subject.loaded.compiled.thread_state || object.kind.is_lock();
        let mut all = threads(n, &waits, several);
        // Where threads have numbers, every numbering; of more calls it takes too long.
        if object.numbered && n <= 3 {
            all = all.into_iter().flat_map(numberings).collect();
        }
        for threads in all {
            let one = Client { waits: waits.clone(), threads, ..client.clone() };
            walk.clients += 1;
            let (seen, executions) = match run(q, &one) {
                Ok(found) => found,
                Err(Said::Unsafe) => {
                    walk.is_unsafe = true;
                    continue;
                }
                Err(_) => {
                    walk.too_large = true;
                    return walk;
                }
            };
            walk.executions += executions;
            for s in seen.into_iter().filter(|s| !explained.contains(s)).collect::<Vec<_>>() {
                let mut every = true;
                for (level, violated) in levels.iter().zip(&mut walk.violated) {
                    let wanted = Wanted { object, client, level, reference: reference.as_deref() };
                    let found = explanation(wanted, &s, true).expect("it can be run").is_some();
                    *violated |= !found;
                    every &= found;
                }
                if every {
                    explained.insert(s);
                }
            }
        }
    }
    walk
}

/// Every client at one level.
pub fn every_client(q: Question<'_>, client: &Client) -> Said {
    let walk = walk(q, std::slice::from_ref(q.level), client, Clients::Every);
    match walk {
        // An error of the program outranks a violation: the engine stops there.
        Walk { is_unsafe: true, .. } => Said::Unsafe,
        Walk { too_large: true, .. } => Said::TooLarge,
        Walk { violated, .. } if violated[0] => Said::Violated,
        _ => Said::Holds,
    }
}

/// What the executions of one client see, and how many there are.
pub fn run(q: Question<'_>, client: &Client) -> Result<(HashSet<Seen>, u64), Said> {
    // A thread's own calls need no waiting.
    let waits = client.waits.iter().copied().filter(|&(i, j)| !client.orders(i, j)).collect();
    let client = &Client { waits, ..client.clone() };
    let (mut machine, marks) = q.subject.loaded.compiled.operations.client(client);
    let collector = Arc::new(Collector { marks, memory: q.memory, seen: Mutex::default() });
    let options = graph::Options { judge: Some(collector.clone()), ..graph::Options::default() };
    let mut problem = graph::Problem { program: &mut machine, memory: q.memory, options };
    let effort = Effort { max_states: Some(q.largest), ..Effort::default() };
    let finding = lineal_check::programs::verify(&mut problem, &effort, &Unwatched);
    match finding.verdict {
        Verdict::Violated(_) => Err(Said::Unsafe),
        Verdict::Unknown(_) => Err(Said::TooLarge),
        Verdict::Holds(_) => {
            Ok((std::mem::take(&mut collector.seen.lock().unwrap()), finding.stats.executions))
        }
    }
}

/// Asks the published algorithm about each execution.
#[derive(Debug)]
struct Published {
    analysis: relinche::Analysis,
    calls: Vec<Call>,
    memory: Memory,
    /// What calls alone decide about, once asked.
    asked: Mutex<HashSet<(Observation, Back)>>,
    /// Violated if any execution is.
    said: Mutex<Said>,
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
            if !self.asked.lock().unwrap().insert((seen.clone(), back.clone())) {
                return true;
            }
            let calls = OnCalls { hb: &seen.hb, back: &back };
            relinche::conforms(&self.analysis, &seen.outcomes, &sees, &|p| calls.allows(&masks(p)))
        };
        if !ok {
            *self.said.lock().unwrap() = Said::Violated;
        }
        true
    }
}

/// The published algorithm on all clients with the calls of this one.
pub fn published(q: Question<'_>, client: &Client) -> Said {
    // It speaks of happens-before.
    if matches!(q.memory, Memory::Sc | Memory::Tso) && *q.level != Level::None {
        return Said::TooLarge;
    }
    let object = &q.subject.loaded.compiled.object;
    let (mut machine, marks) = q.subject.loaded.compiled.operations.client(client);
    let contract = Contract::new(object, q.level, client, &marks);
    let reference = q.subject.reference(client);
    let wanted = Wanted { object, client, level: q.level, reference: reference.as_deref() };
    let analysis = relinche::analyse(wanted);
    let judge = Arc::new(Published {
        analysis,
        calls: contract.calls,
        memory: q.memory,
        asked: Mutex::default(),
        said: Mutex::new(Said::Holds),
    });
    let options = graph::Options { judge: Some(judge.clone()), ..graph::Options::default() };
    let mut problem = graph::Problem { program: &mut machine, memory: q.memory, options };
    lineal_check::programs::verify(&mut problem, &Effort::default(), &Unwatched);
    *judge.said.lock().unwrap()
}
