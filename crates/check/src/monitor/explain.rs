//! Why a history is violated, in terms a person can check.
//!
//! Linearizability is closed under prefixes, so there is a first event after which no order
//! explains what was seen: the return of the *stuck* operation. Found by bisection, with
//! operations still open at the cut counted as pending. Then the longest legal order that the
//! search finds within a small history (a minimal one if wanted), and for every operation that
//! could come next the state that forbids it.

use super::decide::{Answer, Decision, decide};
use super::fast::Conflict;
use super::minimise::{Minimal, minimise};
use super::{Algorithm, Consistency, Partition, Problem};
use lineal_model::adt::{Adt, Kind, Object, Visit};
use lineal_model::history::{History, Op};
use lineal_model::{Effort, Observer};

#[derive(Clone, Debug)]
pub struct Explanation {
    /// How many events the longest prefix has that some order explains, and the operation whose
    /// return comes next. `None`: not looked for (the history is too long, or the order is not
    /// that of time), or not found within limits.
    pub prefix: Option<(u32, u32)>,
    /// The operations to look at, ascending.
    pub ops: Vec<u32>,
    pub minimal: Option<Minimal>,
    /// The longest legal order among `ops`, with the state after each.
    pub order: Vec<(u32, String)>,
    /// What could come next, and why it cannot.
    pub failing: Vec<Failing>,
}

#[derive(Clone, Debug)]
pub struct Failing {
    pub op: u32,
    pub why: String,
}

/// Histories up to this size are bisected.
const BISECTED: usize = 300_000;
/// Orders are searched among at most so many operations.
const SEARCHED: usize = 3_000;
const PER_TRY: u64 = 200_000;

/// Whether to shrink the history first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shrink {
    Yes,
    No,
}

pub fn explain(problem: &Problem, conflict: &Conflict, shrink: Shrink, watch: &dyn Observer) -> Explanation {
    let history = problem.history;
    let prefix = longest_prefix(problem, watch);
    // Operations called after the stuck one returned have no part in it.
    let cut = prefix.map_or(u32::MAX, |(events, _)| events + 1);
    let mut ops: Vec<u32> =
        conflict.ops.iter().copied().filter(|&i| history.op(i as usize).call < cut).collect();
    // The same rule as at the cut: what returns later is pending.
    let seen = (cut < history.events()).then(|| history.prefix(cut));
    let seen = seen.as_ref().unwrap_or(history);
    let cut_problem = Problem { history: seen, ..*problem };
    if ops.len() < conflict.ops.len() && !still_violated(&cut_problem, &ops, watch) {
        ops = (0..seen.len() as u32).collect();
    }
    let minimal = match shrink {
        Shrink::Yes => {
            minimise(&cut_problem, &ops, watch).or_else(|| minimise(problem, &conflict.ops, watch))
        }
        Shrink::No => None,
    };
    if let Some(minimal) = &minimal {
        ops = minimal.ops.clone();
    }
    let (order, failing) = longest_order(&cut_problem, &ops, watch);
    Explanation { prefix, ops, minimal, order, failing }
}

fn still_violated(problem: &Problem, ops: &[u32], watch: &dyn Observer) -> bool {
    let sub = problem.history.restrict(ops);
    matches!(probe(problem, &sub, watch), Answer::Violated(_))
}

fn probe(problem: &Problem, history: &History, watch: &dyn Observer) -> Answer {
    let effort = Effort { max_states: Some(PER_TRY), ..Effort::default() };
    let keyed_map = problem.object.kind == Kind::Map && problem.partition == Partition::Whole;
    let algorithm = if keyed_map { Algorithm::Search } else { problem.algorithm };
    decide(&Problem { history, algorithm, ..*problem }, &effort, watch).answer
}

fn longest_prefix(problem: &Problem, watch: &dyn Observer) -> Option<(u32, u32)> {
    let history = problem.history;
    if problem.consistency == Consistency::Sequential || history.len() > BISECTED {
        return None;
    }
    // Invariant: the prefix of `good` events holds, that of `bad` is violated.
    let (mut good, mut bad) = (0, history.events());
    while bad - good > 1 {
        let middle = good + (bad - good) / 2;
        match probe(problem, &history.prefix(middle), watch) {
            Answer::Holds => good = middle,
            Answer::Violated(_) => bad = middle,
            Answer::Unknown(_) => return None,
        }
    }
    let stuck = history.returns().iter().position(|&r| r == good)?;
    Some((good, stuck as u32))
}

fn longest_order(problem: &Problem, ops: &[u32], watch: &dyn Observer) -> (Vec<(u32, String)>, Vec<Failing>) {
    if ops.len() > SEARCHED {
        return (Vec::new(), Vec::new());
    }
    let sub = problem.history.restrict(ops);
    let effort = Effort { max_states: Some(PER_TRY), ..Effort::default() };
    let asked =
        Problem { history: &sub, algorithm: Algorithm::Search, partition: Partition::Whole, ..*problem };
    let Decision { trail, .. } = decide(&asked, &effort, watch);
    let taken: Vec<u32> = trail.iter().map(|t| t.0).collect();
    let visit =
        Candidates { history: &sub, object: problem.object, taken: &taken, consistency: problem.consistency };
    let failing = problem.object.visit(&sub, visit);
    let name = |i: u32| ops[i as usize];
    let order = trail.into_iter().map(|(i, state)| (name(i), state)).collect();
    (order, failing.into_iter().map(|f| Failing { op: name(f.op), ..f }).collect())
}

struct Candidates<'a> {
    history: &'a History,
    object: &'a Object,
    taken: &'a [u32],
    consistency: Consistency,
}

impl Visit for Candidates<'_> {
    type Out = Vec<Failing>;

    fn visit<A: Adt>(self, adt: &A) -> Vec<Failing> {
        let mut states = vec![adt.initial()];
        for &i in self.taken {
            let mut next = Vec::new();
            for state in &states {
                if adt.step(state, &self.history.op(i as usize), &mut next).is_err() {
                    return Vec::new();
                }
            }
            next.truncate(64);
            states = next;
        }
        let Some(state) = states.first() else { return Vec::new() };
        let left: Vec<u32> = (0..self.history.len() as u32).filter(|i| !self.taken.contains(i)).collect();
        let op = |i: u32| self.history.op(i as usize);
        let before = |a: &Op, b: &Op| match self.consistency {
            Consistency::Linearizable => a.ret < b.call,
            Consistency::Sequential => a.process == b.process && a.call < b.call,
        };
        let open =
            left.iter().filter(|&&i| !left.iter().any(|&j| !op(j).is_pending() && before(&op(j), &op(i))));
        let mut failing = Vec::new();
        for &i in open {
            let o = op(i);
            let mut outcomes = Vec::new();
            let legal = adt.step(state, &o, &mut outcomes).is_ok() && !outcomes.is_empty();
            let what = self.object.show(&o, &self.history.values);
            let why = match (legal, o.is_pending()) {
                (false, _) => format!("{what} is not possible when the state is {}", adt.show(state)),
                (true, true) => format!("{what} never returned; taking effect here helps nobody"),
                (true, false) => {
                    format!("{what} is possible here, but every order that goes on with it ends sooner")
                }
            };
            failing.push(Failing { op: i, why });
        }
        failing
    }
}
