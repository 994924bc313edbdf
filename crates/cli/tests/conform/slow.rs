//! The slow deciders.

use super::{Question, Said};
use lineal_check::conform::extend::{Extensions, OnCalls};
use lineal_check::conform::observe::{self, Back, Observation};
use lineal_check::conform::{Call, Contract};
use lineal_check::graph::{self, Judge, Leaf};
use lineal_check::naive::conform::{Seen, Wanted, explanation, permutations};
use lineal_check::naive::relinche;
use lineal_lang::c11::Options;
use lineal_lang::c11::object::client;
use lineal_model::object::{ArgClass, Client, Level, Marks, Object};
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

/// A partial order of calls, by its covering pairs.
type Order = Vec<(usize, usize)>;

/// Every partial order of `0..n`, the emptiest first. `below[j]` has `i` iff `i` comes before `j`.
fn orders(n: usize) -> Vec<Order> {
    let mut all: Vec<Vec<u32>> = vec![Vec::new()];
    for new in 0..n {
        let mut more = Vec::new();
        for below in &all {
            // What comes before the new one, and what after: each of those before each of these.
            for (before, after) in (0..1u32 << new).flat_map(|b| (0..1u32 << new).map(move |a| (b, a))) {
                let is = |set: u32, c: usize| set >> c & 1 == 1;
                let fits = (0..new).all(|c| {
                    (!is(before, c) || below[c] & !before == 0)
                        && (!is(after, c) || before & !below[c] == 0)
                        && (is(after, c) || below[c] & after == 0)
                });
                if before & after == 0 && fits {
                    let later = |c: usize| if is(after, c) { 1 << new } else { 0 };
                    let old = below.iter().enumerate().map(|(c, &row)| row | later(c));
                    more.push(old.chain([before]).collect());
                }
            }
        }
        all = more;
    }
    all.sort_by_key(|below: &Vec<u32>| below.iter().map(|row| row.count_ones()).sum::<u32>());
    all.iter().map(|below| covering(below)).collect()
}

fn covering(below: &[u32]) -> Order {
    let has = |i: usize, j: usize| below[j] >> i & 1 == 1;
    let n = below.len();
    let pairs = (0..n).flat_map(|i| (0..n).map(move |j| (i, j)));
    pairs.filter(|&(i, j)| has(i, j) && !(0..n).any(|k| has(i, k) && has(k, j))).collect()
}

#[test]
fn partial_orders_are_counted_right() {
    assert_eq!((1..=5).map(|n| orders(n).len()).collect::<Vec<_>>(), [1, 3, 19, 219, 4231]);
    let all: HashSet<Order> = orders(4).into_iter().collect();
    assert_eq!(all.len(), 219);
    assert!(orders(4)[0].is_empty());
}

/// One of the orders for all that differ by exchanging calls nobody can tell apart: equal ones,
/// and under independent arguments those of one operation. The code only moves such arguments
/// about, so exchanging them maps the executions of the one client to those of the other, and
/// neither an abstract type nor a level knows an argument by name.
fn up_to_exchange(object: &Object, client: &Client, orders: Vec<Order>) -> Vec<Order> {
    let n = client.calls.len();
    let alike = |a: usize, b: usize| match object.args {
        Some(ArgClass::Independent) if object.values.is_none() => {
            client.calls[a].operation == client.calls[b].operation
        }
        _ => client.calls[a] == client.calls[b],
    };
    let mut exchanges = Vec::new();
    permutations(n, &mut |order| {
        if (0..n).all(|c| alike(c, order[c])) {
            exchanges.push(order.to_vec());
        }
        false
    });
    let least = |order: &Order| {
        let exchanged = |with: &Vec<usize>| -> BTreeSet<(usize, usize)> {
            order.iter().map(|&(i, j)| (with[i], with[j])).collect()
        };
        exchanges.iter().map(exchanged).min()
    };
    let mut seen = HashSet::new();
    orders.into_iter().filter(|order| seen.insert(least(order))).collect()
}

#[test]
fn exchanged_orders_are_counted_right() {
    use super::{Subject, objects};
    let counts = |name: &str, size: usize| -> Vec<usize> {
        let all = objects::all();
        let subject = Subject::new(all.iter().find(|o| o.0 == name).unwrap().1.plain());
        let object = &subject.loaded.object;
        subject.clients(size).iter().map(|c| up_to_exchange(object, c, orders(size)).len()).collect()
    };
    // Orders of nameless things are counted 1, 2, 5, 16.
    assert_eq!(counts("treiber", 3)[2..], [5, 5]);
    assert!(counts("treiber", 4).contains(&16));
    // `add(0) || add(1) || remove(0)` and others of three different calls: every order.
    assert!(counts("flags", 3).contains(&19));
}

#[test]
fn exchanged_orders_show_the_same() {
    use super::{LARGEST, Subject, objects};
    let all = objects::all();
    let subject = Subject::new(all.iter().find(|o| o.0 == "front-back").unwrap().1.plain());
    let q = Question { subject: &subject, level: &Level::R, memory: Memory::Rc11, largest: LARGEST };
    let client = &subject.clients(4)[0];
    let [every, some] = [Clients::Every, Clients::UpToExchange]
        .map(|which| walk(q, &[Level::None, Level::R, Level::Ri, Level::Rid], client, which));
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
    let object = &q.subject.loaded.object;
    let n = client.calls.len();
    let mut walk = Walk { violated: vec![false; levels.len()], ..Walk::default() };
    // What was seen before, in whichever client, and is explained at all levels.
    let mut explained: HashSet<Seen> = HashSet::new();
    let mut all = orders(n);
    if which == Clients::UpToExchange {
        all = up_to_exchange(object, client, all);
    }
    for waits in all {
        for threads in threads(n, &waits, q.memory == Memory::Tso || q.subject.loaded.thread_state) {
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
                    let wanted = Wanted { object, client, level, reference: None };
                    let found = explanation(wanted, &s, true).is_some();
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

/// The ways to let threads make the calls: each thread makes calls that come one after another
/// in the order anyway.
fn threads(n: usize, waits: &[(usize, usize)], several: bool) -> Vec<Vec<Vec<usize>>> {
    let alone: Vec<Vec<usize>> = (0..n).map(|c| vec![c]).collect();
    if !several {
        return vec![alone];
    }
    // Which calls come before each: waits are covering pairs, so n rounds close them.
    let mut below = vec![0u32; n];
    for _ in 0..n {
        waits.iter().for_each(|&(i, j)| below[j] |= below[i] | 1 << i);
    }
    let before = |i: usize, j: usize| below[j] >> i & 1 == 1;
    let mut all: Vec<Vec<Vec<usize>>> = vec![Vec::new()];
    for c in 0..n {
        let mut more = Vec::new();
        for lists in all {
            for l in 0..lists.len() {
                if lists[l].iter().all(|&d| before(c, d) || before(d, c)) {
                    let mut longer = lists.clone();
                    let at = longer[l].iter().position(|&d| before(c, d)).unwrap_or(longer[l].len());
                    longer[l].insert(at, c);
                    more.push(longer);
                }
            }
            more.push([&lists[..], &[vec![c]]].concat());
        }
        all = more;
    }
    all.sort_by_key(|lists| std::cmp::Reverse(lists.len()));
    all
}

#[test]
fn threads_are_counted_right() {
    // One after another, calls may be grouped in every way: Bell numbers.
    let chain = |n: usize| (1..n).map(|j| (j - 1, j)).collect::<Vec<_>>();
    assert_eq!((1..=5).map(|n| threads(n, &chain(n), true).len()).collect::<Vec<_>>(), [1, 2, 5, 15, 52]);
    assert_eq!(threads(4, &[(0, 1), (2, 3)], true).len(), 4);
    assert_eq!(threads(3, &[(2, 1), (1, 0)], true).last().unwrap(), &[vec![2, 1, 0]]);
}

/// What the executions of one client see, and how many there are.
fn run(q: Question<'_>, client: &Client) -> Result<(HashSet<Seen>, u64), Said> {
    // A thread's own calls need no waiting.
    let waits = client.waits.iter().copied().filter(|&(i, j)| !client.orders(i, j)).collect();
    let client = &Client { waits, ..client.clone() };
    let (mut machine, marks) =
        client::program(&q.subject.units, &q.subject.loaded, client, &Options::default())
            .expect("it compiles");
    let collector = Arc::new(Collector { marks, seen: Mutex::default() });
    let options = graph::Options { judge: Some(collector.clone()), ..graph::Options::default() };
    let mut problem = graph::Problem { program: &mut machine, memory: q.memory, options };
    let effort = Effort { max_states: Some(q.largest), ..Effort::default() };
    let finding = graph::check(&mut problem, &effort, &Unwatched);
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
    /// The level asks for each call of an operation to see the one before.
    chained: bool,
    /// What calls alone decide about, once asked.
    asked: Mutex<HashSet<(Observation, Back)>>,
    /// Violated if any execution is; too large if some were left out.
    said: Mutex<Said>,
}

/// Where so many pairs of calls of one operation see each other both ways, most of their orders
/// fit the execution, and the algorithm combines what contradicts each of them in every way: with
/// 4 enqueues, about 6 to the power of 24.
const TOO_MUTUAL: usize = 4;

impl Published {
    fn is_too_mutual(&self, sees: &dyn Fn(usize, usize) -> bool) -> bool {
        let n = self.calls.len();
        let same = |i: usize, j: usize| self.calls[i].operation == self.calls[j].operation;
        let pairs = (0..n).flat_map(|j| (0..j).map(move |i| (i, j)));
        pairs.filter(|&(i, j)| same(i, j) && sees(i, j) && sees(j, i)).count() >= TOO_MUTUAL
    }
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
        if self.chained && self.is_too_mutual(&sees) {
            let mut said = self.said.lock().unwrap();
            if *said == Said::Holds {
                *said = Said::TooLarge;
            }
            return true;
        }
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

/// The published algorithm on all clients with the calls of this one. [`Said::TooLarge`]: it says
/// nothing about some executions, and finds no violation in the others.
pub fn published(q: Question<'_>, client: &Client) -> Said {
    let object = &q.subject.loaded.object;
    let (mut machine, marks) =
        client::program(&q.subject.units, &q.subject.loaded, client, &Options::default())
            .expect("it compiles");
    let contract = Contract::new(object, q.level, client, &marks);
    let analysis = relinche::analyse(Wanted { object, client, level: q.level, reference: None });
    let judge = Arc::new(Published {
        analysis,
        calls: contract.calls,
        memory: q.memory,
        chained: matches!(q.level, Level::Ri | Level::Rid),
        asked: Mutex::default(),
        said: Mutex::new(Said::Holds),
    });
    let options = graph::Options { judge: Some(judge.clone()), ..graph::Options::default() };
    let mut problem = graph::Problem { program: &mut machine, memory: q.memory, options };
    graph::check(&mut problem, &Effort::default(), &Unwatched);
    *judge.said.lock().unwrap()
}
