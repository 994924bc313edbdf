//! A recorded history from beginning to end: decided, then explained, as a finding.
//!
//! The verdict is settled by the deciders ([`parts`](super::parts)) alone, and told to the observer
//! before anything is explained: an explanation costs time that somebody may not have. A type
//! written in C may need its memory divided another way, which shows while it runs; then everything
//! starts over.

use super::answer::Answer;
use super::decide::Method;
use super::explain::{Explanation, Patience, explain, order};
use super::fast::Conflict;
use super::parts::{Decided, Part, decide_parts};
use super::quasi;
use super::witness::{brief, witness};
use super::{Consistency, Problem};
use lineal_model::adt::user::Trouble;
use lineal_model::adt::{Kind, Object, UserType};
use lineal_model::history::{Value, ValueId};
use lineal_model::run::Failure;
use lineal_model::{Assumption, Counter, Effort, Finding, Observer, Scope, Verdict};
use std::sync::Arc;

/// What there is to say about a history.
#[derive(Debug)]
pub struct Checked<'a> {
    pub finding: Finding,
    pub detail: Detail<'a>,
}

/// What a finding was made from, for those who draw it.
#[derive(Debug)]
pub struct Detail<'a> {
    pub decided: Decided<'a>,
    /// Of the part that is violated.
    pub explanation: Option<Explanation>,
    /// The object as it was run.
    pub object: Object,
}

/// A type written in C that fails by itself: nothing follows.
#[derive(Clone, Debug)]
pub struct Broken {
    pub user: Arc<UserType>,
    pub failure: Failure,
    pub operation: String,
    /// Of the log; 0: whatever is in it.
    pub line: u32,
}

/// What is claimed about a log of this name, and what is wrong if that is not so.
pub fn property(log: &str, object: &Object, consistency: Consistency) -> (String, String) {
    let consistency = match (consistency, &object.quasi) {
        (Consistency::Linearizable, None) => "linearizable",
        (Consistency::Linearizable, Some(_)) => "quasi-linearizable",
        (Consistency::Sequential, None) => "sequentially consistent",
        (Consistency::Sequential, Some(_)) => "quasi-sequentially consistent",
    };
    let a = match object.kind {
        Kind::FetchIncrement => "a fetch-and-increment".to_string(),
        Kind::User => object.word().to_string(),
        kind => format!("a {}", kind.word()),
    };
    let a = match &object.quasi {
        Some(relaxation) => format!("{a} ({})", relaxation.shown()),
        None => a,
    };
    (format!("{log} is {consistency} as {a}"), format!("{log} is not {consistency} as {a}"))
}

/// Which key a sentence is about.
pub fn label(problem: &Problem, part: &Part) -> String {
    match part.key {
        ValueId::NONE => String::new(),
        key => format!("key {}: ", problem.history.values.show(key)),
    }
}

pub fn check<'a>(
    problem: &Problem<'a>,
    effort: &Effort,
    watch: &dyn Observer,
) -> Result<Checked<'a>, Broken> {
    let mut object = problem.object.clone();
    if let Some(user) = &mut object.user {
        *user = Arc::new(user.copy());
    }
    if let Some(relaxation) = &mut object.quasi {
        *relaxation = Arc::new(quasi::first(relaxation, problem.history));
    }
    let own = Problem { object: &object, ..*problem };
    let mut decided = decide_parts(problem.history, &own, effort, watch);
    let exact = quasi::exact(&own, &decided);
    let own = match &exact {
        Some(exact) => Problem { object: exact, ..own },
        None => own,
    };
    if exact.is_some() {
        decided = decide_parts(problem.history, &own, effort, watch);
    }
    if let Some(user) = &object.user
        && let Some(Trouble { failure, operation, line }) = user.trouble()
    {
        return Err(Broken { user: user.clone(), failure, operation, line });
    }
    let case = Case { problem: &own, decided: &decided, watch };
    let mut finding = case.finding();
    if let (Verdict::Violated(_), Some(limit)) = (&finding.verdict, quasi::guesses(&own)) {
        finding.verdict = Verdict::Unknown(limit);
        watch.settled(&finding);
        let object = own.object.clone();
        return Ok(Checked { finding, detail: Detail { decided, explanation: None, object } });
    }
    watch.settled(&finding);
    let explanation = case.explanation();
    let orders = case.orders();
    finding.verdict = case.verdict(explanation.as_ref());
    case.displaced(&mut finding.verdict);
    finding.remarks.extend(orders);
    let object = own.object.clone();
    Ok(Checked { finding, detail: Detail { decided, explanation, object } })
}

/// A history that is decided.
struct Case<'c, 'a> {
    problem: &'c Problem<'c>,
    decided: &'c Decided<'a>,
    watch: &'c dyn Observer,
}

impl Case<'_, '_> {
    /// Before anything is explained.
    fn finding(&self) -> Finding {
        let Problem { history, object, consistency, log, .. } = *self.problem;
        let (property, wrong) = property(log, object, consistency);
        let mut finding = Finding { wrong, ..Finding::new(property, self.verdict(None)) };
        finding.remarks = self.remarks();
        finding.stats.states = self.decided.configurations();
        finding.stats.more.extend([
            (Counter::Operations, history.len() as u64),
            (Counter::Pending, history.pending() as u64),
            (Counter::Keys, self.decided.parts.len() as u64),
            (Counter::HistoryBytes, history.bytes() as u64),
        ]);
        finding
    }

    /// The verdict, with an explanation if there is one.
    fn verdict(&self, explanation: Option<&Explanation>) -> Verdict {
        let Case { problem, decided, .. } = *self;
        let label = |part: &Part| label(problem, part);
        if let Some(part) = decided.violated() {
            let own = Problem { history: &part.history, ..*problem };
            let mut witness = match explanation {
                Some(explanation) => witness(&own, conflict(part), explanation),
                None => brief(&own, conflict(part)),
            };
            witness.why = format!("{}{}", label(part), witness.why);
            return Verdict::Violated(Box::new(witness));
        }
        if let Some(part) = decided.unknown() {
            let Some(Answer::Unknown(limit)) = part.answer() else {
                unreachable!("unknown parts have a limit")
            };
            let holds = |p: &&Part| matches!(p.answer(), Some(Answer::Holds));
            let settled = decided.parts.iter().filter(holds).count();
            let mut limit = limit.clone();
            if decided.parts.len() > 1 {
                let covered = limit.covered.clone();
                limit.covered =
                    format!("{settled} of {} keys hold. {}{covered}", decided.parts.len(), label(part));
            }
            return Verdict::Unknown(limit);
        }
        Verdict::Holds(self.scope())
    }

    fn scope(&self) -> Scope {
        let problem = self.problem;
        let mut scope = Scope::history(problem.history.len() as u64);
        if problem.history.is_empty() {
            scope.vacuous.push("no operation in the log is known to have happened".into());
        } else if !overlaps(problem) {
            scope.vacuous.push("no two operations overlap, so the log is a sequential one".into());
        }
        let relaxation = problem.object.quasi.as_ref();
        scope.quasi = relaxation.map(|relaxation| relaxation.scope(problem.object.kind));
        if let Some(skew) = problem.skew {
            scope.assumptions.push(Assumption::ClockSkew(skew.to_string()));
        }
        if let Some(user) = &problem.object.user {
            scope.assumptions.extend(assumptions(user, problem));
        }
        scope
    }

    fn remarks(&self) -> Vec<String> {
        let parts = &self.decided.parts;
        let mut remarks = Vec::new();
        let method = |p: &Part| match p.decision.as_ref().map(|d| d.method.clone()) {
            Some(Method::Search(why)) => Some(why),
            Some(Method::Fast) | None => None,
        };
        let searched: Vec<String> = parts.iter().filter_map(method).collect();
        if let Some(why) = searched.first() {
            remarks.push(match parts.len() {
                1 => format!("general search: {why}"),
                n => format!("general search for {} of {n} keys: {why}", searched.len()),
            });
        }
        let undecided = parts.iter().filter(|p| p.decision.is_none()).count();
        if undecided > 0 {
            remarks.push(format!("{undecided} keys were not decided: one violation is enough"));
        }
        remarks
    }

    fn explanation(&self) -> Option<Explanation> {
        self.decided.violated().map(|part| {
            let own = Problem { history: &part.history, ..*self.problem };
            explain(&own, conflict(part), self.problem.wanted.shrink, self.watch)
        })
    }

    /// Says how far operations of a relaxed type are displaced, where a greater factor helps.
    fn displaced(&self, verdict: &mut Verdict) {
        let (Some(part), Verdict::Violated(witness)) = (self.decided.violated(), verdict) else { return };
        let own = Problem { history: &part.history, ..*self.problem };
        quasi::displaced(&own, witness, self.watch);
    }

    /// An order that explains each key, from the search, if that is wanted.
    fn orders(&self) -> Vec<String> {
        let Case { problem, decided, watch } = *self;
        let holds = decided.violated().is_none() && decided.unknown().is_none();
        if !(problem.wanted.order && holds) {
            return Vec::new();
        }
        let shown = |part: &Part| {
            let own = Problem { history: &part.history, ..*problem };
            let key = label(problem, part);
            match order(&own, Patience::Asked, watch) {
                Some(order) => {
                    let show = |op: &(u32, String)| {
                        problem.object.show(&part.history.op(op.0 as usize), &problem.history.values)
                    };
                    let words: Vec<String> = order.iter().map(show).collect();
                    let moved = quasi::moved(&own, &order);
                    format!("{key}one order that explains it: {}{moved}", words.join("; "))
                }
                None => format!("{key}an order that explains it is not shown: finding one takes too long"),
            }
        };
        decided.parts.iter().map(shown).collect()
    }
}

fn conflict<'p>(part: &'p Part) -> &'p Conflict {
    match part.answer() {
        Some(Answer::Violated(conflict)) => conflict,
        _ => unreachable!("violated parts have a conflict"),
    }
}

fn overlaps(problem: &Problem) -> bool {
    let returns = problem.history.returns();
    let calls = problem.history.calls();
    let mut latest = 0;
    calls.iter().zip(returns).any(|(&call, &ret)| {
        let overlapped = latest > call;
        latest = latest.max(ret);
        overlapped
    })
}

/// What a verdict takes for granted about functions in C.
fn assumptions(user: &UserType, problem: &Problem) -> Vec<Assumption> {
    let mut all = Vec::new();
    let values = &problem.history.values;
    // The first few are always there.
    let texts = (5..values.table_len())
        .filter_map(|i| values.at(i))
        .any(|v| matches!(v, Value::Text(_) | Value::Other(_) | Value::Set(_) | Value::Map(_)));
    if texts {
        all.push(Assumption::TextsAreNumbers(user.name.clone()));
    }
    if user.independent_keys && problem.history.is_keyed() {
        all.push(Assumption::KeysIndependent(user.name.clone()));
    }
    all
}
