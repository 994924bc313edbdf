//! All executions of one client, and a second look at whatever is found.

use super::Contract;
use super::judge::{self, Judge};
use super::observe::Observation;
use crate::graph;
use crate::reference::{Fault, Reference, Trouble};
use crate::replay::calls::{self, Seen, Violation, Wanted, pairs};
use crate::replay::{Replayed, consistent, misses};
use lineal_model::object::{Client, Level, Marks, Object, Outcome};
use lineal_model::run::{FailureKind, Runnable};
use lineal_model::{Counts, Effort, Limit, Memory, Observer, Scope, Stats, Verdict, Witness};
use std::sync::Arc;

/// One client of one object.
pub struct Trial<'a, R: Runnable> {
    pub program: &'a mut R,
    pub memory: Memory,
    pub object: &'a Object,
    pub level: &'a Level,
    pub client: &'a Client,
    pub marks: &'a [Marks],
    /// Ask about more constrained clients too.
    pub extend: bool,
    /// Of types that are the author's own.
    pub reference: Option<Arc<Reference>>,
    pub options: graph::Options,
}

/// What came of it.
pub struct Tried {
    pub answer: Answer,
    pub stats: Stats,
    pub judge: judge::Stats,
}

impl Tried {
    /// The author's own specification cannot be set up.
    pub fn troubled(trouble: Trouble) -> Self {
        let (stats, judge) = (Stats::default(), judge::Stats::default());
        Tried { answer: trouble.into(), stats, judge }
    }

    pub fn counts(&self) -> Counts {
        let Stats { executions, blocked, .. } = self.stats;
        Counts { executions, blocked, ..Counts::default() }
    }
}

pub enum Answer {
    /// With what the exploration took for granted.
    Holds(Scope),
    Violated(Box<Found>),
    Unknown(Limit),
    /// The author's own specification is wrong: nothing follows.
    Faulty(Fault),
    /// The object that is the specification goes wrong itself.
    Other(Box<Witness>),
    /// The object goes wrong under sequential consistency already.
    Sequentially(Box<Witness>),
}

impl From<Trouble> for Answer {
    fn from(trouble: Trouble) -> Self {
        match trouble {
            Trouble::Fault(fault) => Answer::Faulty(fault),
            Trouble::Limit(limit) => Answer::Unknown(limit),
        }
    }
}

/// A violation, seen twice.
pub struct Found {
    /// As the exploration reports it: steps, threads, replay token.
    pub witness: Witness,
    /// `None`: the program itself went wrong (`witness.kind` says how).
    pub judged: Option<Judged>,
    /// Where the specification is another object: what it does instead.
    pub refuted: Option<Refuted>,
    /// Sequential consistency does not have this execution.
    pub unordered: Option<Replayed>,
}

impl Found {
    /// The program itself went wrong.
    pub fn unsafely(witness: Witness) -> Self {
        Found { witness, judged: None, refuted: None, unordered: None }
    }

    pub fn judged(witness: Witness, judged: Judged) -> Self {
        Found { judged: Some(judged), ..Found::unsafely(witness) }
    }
}

/// Why an object that is the specification does not do the same.
pub struct Refuted {
    /// For each execution of it with these answers, in this client: what its calls see, and those
    /// that were found do not.
    pub lacking: Vec<Vec<(usize, usize)>>,
    /// What it may answer, if the client orders nothing.
    pub others: Vec<Vec<Outcome>>,
}

/// What is wrong with what the calls saw.
pub struct Judged {
    pub violation: Violation,
    pub seen: Seen,
    pub replayed: Replayed,
}

pub fn run<R: Runnable>(problem: &mut Trial<'_, R>, effort: &Effort, watch: &dyn Observer) -> Tried {
    let mut contract = Contract::new(problem.object, problem.level, problem.client, problem.marks);
    contract.extend = problem.extend;
    contract.reference.clone_from(&problem.reference);
    let judge = Arc::new(Judge::new(contract, problem.memory));
    let options = graph::Options { judge: Some(judge.clone()), ..problem.options.clone() };
    let mut exploration = graph::Problem { program: &mut *problem.program, memory: problem.memory, options };
    let finding = graph::check(&mut exploration, effort, watch);
    problem.options.learned = exploration.options.learned;
    if let Some(trouble) = judge.trouble() {
        return Tried { answer: trouble.into(), stats: finding.stats, judge: judge.stats() };
    }
    let answer = match finding.verdict {
        Verdict::Holds(mut scope) => {
            if judge.stats().judged == 0 && scope.vacuous.is_empty() {
                scope.vacuous.push("no execution makes all of the calls".into());
            }
            Answer::Holds(scope)
        }
        Verdict::Unknown(limit) => Answer::Unknown(limit),
        Verdict::Violated(witness) if witness.kind == FailureKind::Judged.into() => {
            match second_look(problem, &judge, *witness) {
                Ok(found) => Answer::Violated(Box::new(found)),
                Err(trouble) => trouble.into(),
            }
        }
        Verdict::Violated(witness) => Answer::Violated(Box::new(Found::unsafely(*witness))),
    };
    Tried { answer, stats: finding.stats, judge: judge.stats() }
}

/// Runs the execution again and decides about it by trying every order. The specification may go
/// wrong in one that the search had no need of: then there is no confirmation, and no violation.
///
/// # Panics
/// If that does not confirm the violation: then the engine is wrong.
fn second_look<R: Runnable>(
    problem: &mut Trial<'_, R>,
    judge: &Judge,
    witness: Witness,
) -> Result<Found, Trouble> {
    let token = witness.replay.clone().unwrap_or_default();
    let replayed = match graph::rerun(problem.program, &token) {
        Ok(replayed) => replayed,
        Err(why) => panic!("a witness could not be run again: {why}; please report the input"),
    };
    let seen = calls::observe(&replayed.execution, problem.memory, problem.marks);
    let seen = seen.expect("every call of a judged execution has returned");
    let known = judge.violations(&observation(&seen));
    for violation in known {
        if let Some(seen) = confirmed(problem, &replayed, &violation)? {
            return Ok(Found::judged(witness, Judged { violation, seen, replayed }));
        }
    }
    panic!("a violation was not confirmed by trying every order: {seen:?}; please report the input")
}

/// What the calls see in the client that shows the violation, if it is one.
fn confirmed<R: Runnable>(
    problem: &Trial<'_, R>,
    replayed: &Replayed,
    violation: &Violation,
) -> Result<Option<Seen>, Trouble> {
    let edges = match violation {
        Violation::Client(edges) => pairs(edges),
        _ => Vec::new(),
    };
    let mut execution = replayed.execution.clone();
    let fits =
        calls::constrain(&mut execution, problem.marks, &edges) && consistent(&execution, problem.memory);
    let seen = calls::observe(&execution, problem.memory, problem.marks).filter(|_| fits);
    let Some(seen) = seen else { return Ok(None) };
    let wanted = Wanted {
        object: problem.object,
        client: problem.client,
        level: problem.level,
        reference: problem.reference.as_deref(),
    };
    // Where memory has one order, calls synchronise unless something is missed: never under sc.
    let synchronised = *violation != Violation::Result && problem.memory != Memory::Sc;
    if synchronised && problem.memory == Memory::Tso {
        let missed = misses::misses(wanted, &execution, problem.marks, &seen)?;
        return Ok(missed.map(|pairs| misses::missing(&seen, &pairs)));
    }
    let explained = calls::explanation(wanted, &seen, synchronised)?.is_some();
    Ok((!explained).then_some(seen))
}

/// One earlier violation again. An error says why the token does not fit.
pub fn again<R: Runnable>(
    problem: &mut Trial<'_, R>,
    token: &str,
    violation: Violation,
) -> Result<Found, String> {
    let replayed = graph::rerun(problem.program, token)?;
    let n = problem.client.calls.len();
    let fits = match &violation {
        Violation::Client(edges) => edges.len() == n && edges.iter().all(|row| row >> n == 0),
        _ => true,
    };
    let confirmed = confirmed(problem, &replayed, &violation).map_err(|trouble| match trouble {
        Trouble::Fault(fault) => fault.message,
        Trouble::Limit(limit) => limit.message,
    })?;
    match confirmed.filter(|_| fits) {
        Some(seen) => {
            let witness =
                Witness { replay: Some(token.to_string()), ..Witness::new(FailureKind::Judged.into(), "") };
            Ok(Found::judged(witness, Judged { violation, seen, replayed }))
        }
        None => Err("the token does not lead to its violation in this object".into()),
    }
}

fn observation(seen: &Seen) -> Observation {
    let mask = |row: &Vec<bool>| row.iter().enumerate().fold(0, |m, (i, &b)| m | u32::from(b) << i);
    Observation {
        outcomes: seen.outcomes.clone(),
        hb: seen.sees.iter().map(mask).collect(),
        before: seen.before.iter().map(mask).collect(),
    }
}
