//! Why a history is violated, in terms a person can check.
//!
//! Linearizability is closed under prefixes, so there is a first event after which no order
//! explains what was seen: the return of the *stuck* operation. Found by bisection, with
//! operations still open at the cut counted as pending. Then the longest legal order that the
//! search finds within a small history (a minimal one if wanted), and for every operation that
//! could come next the state that forbids it.
//!
//! None of this may cost more than a [`Budget`]: what does not fit is left out.

use super::answer::Answer;
use super::budget::Budget;
use super::decide::{Decision, decide};
use super::fast::Conflict;
use super::minimise::{Minimal, minimise};
use super::{Algorithm, Consistency, Partition, Problem};
use lineal_model::adt::{Adt, Kind, Object, Visit};
use lineal_model::history::{History, ValueId};
use lineal_model::{Effort, Limit, Observer};
use rustc_hash::FxHashMap;

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
    /// Something was left out, because finding it would have cost too much.
    pub cut: bool,
}

#[derive(Clone, Debug)]
pub struct Failing {
    pub op: u32,
    pub why: String,
}

/// What finding the prefix, and the order, may each cost.
const WORK: u64 = 3_000_000;
/// What shrinking may cost, if it is asked for.
const SHRINKING: u64 = 40_000_000;
/// Orders are searched among at most so many operations.
const SEARCHED: usize = 3_000;
const PER_TRY: u64 = 200_000;

/// How hard to look for an order that nobody needs for the verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Patience {
    Little,
    /// Somebody asked for it.
    Asked,
}

/// An order that explains a history that holds, with the state after each operation. `None`: none
/// was found in time.
pub fn order(problem: &Problem, patience: Patience, watch: &dyn Observer) -> Option<Vec<(u32, String)>> {
    let (work, bytes) = match patience {
        Patience::Little => (WORK, 1),
        Patience::Asked => (10 * SHRINKING, 20),
    };
    let budget = Budget::new(work, problem.object, watch).keeping(bytes);
    let whole = Problem { algorithm: Algorithm::Search, partition: Partition::Whole, ..*problem };
    let Decision { answer, trail, .. } = decide(&whole, &Effort::default(), &budget);
    matches!(answer, Answer::Holds).then_some(trail)
}

/// Whether to shrink the history first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Shrink {
    Yes,
    #[default]
    No,
}

pub fn explain(problem: &Problem, conflict: &Conflict, shrink: Shrink, watch: &dyn Observer) -> Explanation {
    let history = problem.history;
    let budget = |work| Budget::new(work, problem.object, watch);
    let first = budget(WORK);
    let prefix = longest_prefix(problem, conflict, &first);
    // Operations called after the stuck one returned have no part in it.
    let cut = prefix.map_or(u32::MAX, |(events, _)| events + 1);
    let mut ops: Vec<u32> =
        conflict.ops.iter().copied().filter(|&i| history.op(i as usize).call < cut).collect();
    // The same rule as at the cut: what returns later is pending.
    let seen = (cut < history.events()).then(|| history.prefix(cut));
    let seen = seen.as_ref().unwrap_or(history);
    let cut_problem = Problem { history: seen, ..*problem };
    if ops.len() < conflict.ops.len() && !still_violated(&cut_problem, &ops, &budget(WORK)) {
        ops = (0..seen.len() as u32).collect();
    }
    let shrinking = budget(SHRINKING);
    let minimal = match shrink {
        Shrink::Yes => {
            minimise(&cut_problem, &ops, &shrinking).or_else(|| minimise(problem, &conflict.ops, &shrinking))
        }
        Shrink::No => None,
    };
    match &minimal {
        Some(minimal) => ops = minimal.ops.clone(),
        None if shrink == Shrink::Yes => shrinking.cut(),
        None => {}
    }
    let last = budget(WORK);
    let (order, failing) = longest_order(&cut_problem, history, &ops, &last);
    let cut = [first, shrinking, last].iter().any(Budget::was_cut);
    Explanation { prefix, ops, minimal, order, failing, cut }
}

fn still_violated(problem: &Problem, ops: &[u32], budget: &Budget) -> bool {
    let sub = problem.history.restrict(ops);
    matches!(probe(problem, &sub, budget), Answer::Violated(_))
}

fn probe(problem: &Problem, history: &History, budget: &Budget) -> Answer<Conflict> {
    if !budget.spend(history.len()) {
        return Answer::Unknown(Limit::method("explaining further would take too long"));
    }
    let effort = Effort { max_states: Some(PER_TRY), ..Effort::default() };
    let keyed_map = problem.object.kind == Kind::Map && problem.partition == Partition::Whole;
    let algorithm = if keyed_map { Algorithm::Search } else { problem.algorithm };
    decide(&Problem { history, algorithm, ..*problem }, &effort, budget).answer
}

fn longest_prefix(problem: &Problem, conflict: &Conflict, budget: &Budget) -> Option<(u32, u32)> {
    let history = problem.history;
    if problem.consistency == Consistency::Sequential {
        return None;
    }
    // Invariant: the prefix of `good` events holds, that of `bad` is violated.
    let (mut good, mut bad) = (0, history.events());
    // Mostly it shows when the last of those returns that are in conflict: two questions will do.
    let last = conflict.ops.iter().map(|&i| history.op(i as usize)).filter(|op| !op.is_pending());
    let mut guesses = last.map(|op| op.ret).max().map_or(Vec::new(), |last| vec![last, last + 1]);
    while bad - good > 1 {
        let guess = guesses.pop().filter(|guess| (good + 1..bad).contains(guess));
        let middle = guess.unwrap_or(good + (bad - good) / 2);
        match probe(problem, &history.prefix(middle), budget) {
            Answer::Holds => good = middle,
            Answer::Violated(_) => bad = middle,
            Answer::Unknown(_) => {
                budget.cut();
                return None;
            }
        }
    }
    let stuck = history.returns().iter().position(|&r| r == good)?;
    Some((good, stuck as u32))
}

/// `whole`: the history of which that of the problem is a prefix.
fn longest_order(
    problem: &Problem,
    whole: &History,
    ops: &[u32],
    budget: &Budget,
) -> (Vec<(u32, String)>, Vec<Failing>) {
    if ops.len() > SEARCHED || !budget.spend(ops.len()) {
        budget.cut();
        return (Vec::new(), Vec::new());
    }
    let sub = problem.history.restrict(ops);
    let effort = Effort { max_states: Some(PER_TRY), ..Effort::default() };
    let asked =
        Problem { history: &sub, algorithm: Algorithm::Search, partition: Partition::Whole, ..*problem };
    let Decision { trail, answer, .. } = decide(&asked, &effort, budget);
    if let Answer::Unknown(_) = answer {
        budget.cut();
    }
    let taken: Vec<u32> = trail.iter().map(|t| t.0).collect();
    let visit = Candidates {
        history: &sub,
        object: problem.object,
        taken: &taken,
        consistency: problem.consistency,
        returned: &|i| !whole.op(ops[i as usize] as usize).is_pending(),
    };
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
    /// Whether an operation returned in the end, be it after what is looked at.
    returned: &'a dyn Fn(u32) -> bool,
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
        let mut taken = vec![false; self.history.len()];
        self.taken.iter().for_each(|&i| taken[i as usize] = true);
        let left: Vec<u32> = (0..self.history.len() as u32).filter(|&i| !taken[i as usize]).collect();
        let op = |i: u32| self.history.op(i as usize);
        // What is left and has returned: the first to return, and the first of each process.
        let done = || left.iter().map(|&i| op(i)).filter(|o| !o.is_pending());
        let earliest = done().map(|o| o.ret).min().unwrap_or(u32::MAX);
        let mut first: FxHashMap<ValueId, u32> = FxHashMap::default();
        for o in done() {
            let slot = first.entry(o.process).or_insert(o.call);
            *slot = o.call.min(*slot);
        }
        let open = left.iter().filter(|&&i| match self.consistency {
            Consistency::Linearizable => op(i).call < earliest,
            Consistency::Sequential => first.get(&op(i).process).is_none_or(|&call| op(i).call <= call),
        });
        let mut failing = Vec::new();
        for &i in open {
            let o = op(i);
            let mut outcomes = Vec::new();
            let legal = adt.step(state, &o, &mut outcomes).is_ok() && !outcomes.is_empty();
            let what = self.object.show(&o, &self.history.values);
            let why = match (legal, o.is_pending()) {
                (false, _) => format!("{what} is not possible when the state is {}", adt.show(state)),
                (true, true) => {
                    let yet = if (self.returned)(i) { "has not returned by then" } else { "never returned" };
                    format!("{what} {yet}; taking effect here helps nobody")
                }
                (true, false) => {
                    format!("{what} is possible here, but every order that goes on with it ends sooner")
                }
            };
            failing.push(Failing { op: i, why });
        }
        failing
    }
}
