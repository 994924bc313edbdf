//! A second look at what was found: the execution of the object is run again with the edges of the
//! client in it, and the specification is run in that very client, as a program whose calls wait
//! for each other. Of the search nothing is used: no extension is computed, and nothing is left out
//! but failed iterations.

use super::judge::Judge;
use super::{Against, Reduced};
use crate::conform::client::{Found, Judged, Refuted, Trial};
use crate::conform::observe::{self, Mask, Observation, Reach};
use crate::conform::{Call, spec};
use crate::graph::{self, Leaf};
use crate::replay::calls::{self, Seen, Violation, pairs};
use crate::replay::{Replayed, consistent, misses};
use lineal_model::adt::Kind;
use lineal_model::object::{Client, Outcome};
use lineal_model::run::Runnable;
use lineal_model::{Effort, Limit, Memory, Observer, Verdict, Witness};
use std::sync::{Arc, Mutex};

/// What the calls of the object see, and what every execution of the specification with the same
/// answers has that they do not: pairs `(i, j)` such that `j` must see `i`.
pub struct Confirmed {
    pub seen: Seen,
    pub lacking: Vec<Vec<(usize, usize)>>,
}

/// The violation, confirmed.
///
/// # Panics
/// If it is not: then the engine is wrong.
pub fn look<R: Runnable>(
    trial: &mut Trial<'_, R>,
    against: &Against,
    judge: &Judge,
    witness: Witness,
    effort: &Effort,
    watch: &dyn Observer,
) -> Result<Found, Limit> {
    let token = witness.replay.clone().unwrap_or_default();
    let replayed = match graph::rerun(trial.program, &token) {
        Ok(replayed) => replayed,
        Err(why) => panic!("a witness could not be run again: {why}; please report the input"),
    };
    let seen = calls::observe(&replayed.execution, trial.memory, trial.marks);
    let seen = seen.expect("every call of a judged execution has returned");
    for violation in judge.violations(&observation(&seen, &judge.calls, judge.kind)) {
        if let Some(confirmed) = confirmed(trial, against, &replayed, &violation, effort, watch)? {
            let others: Vec<Vec<Outcome>> = judge.table.answers().cloned().collect();
            return Ok(found(witness, violation, confirmed, replayed, others));
        }
    }
    panic!("a violation was not confirmed by running the specification: {seen:?}; please report the input")
}

pub fn found(
    witness: Witness,
    violation: Violation,
    confirmed: Confirmed,
    replayed: Replayed,
    mut others: Vec<Vec<Outcome>>,
) -> Found {
    let Confirmed { seen, lacking } = confirmed;
    others.sort();
    let refuted = Some(Refuted { lacking, others });
    Found { refuted, ..Found::judged(witness, Judged { violation, seen, replayed }) }
}

/// `None`: it is no violation.
pub fn confirmed<R: Runnable>(
    trial: &Trial<'_, R>,
    against: &Against,
    replayed: &Replayed,
    violation: &Violation,
    effort: &Effort,
    watch: &dyn Observer,
) -> Result<Option<Confirmed>, Limit> {
    let edges = match violation {
        Violation::Client(edges) => pairs(edges),
        _ => Vec::new(),
    };
    let mut execution = replayed.execution.clone();
    let fits = calls::constrain(&mut execution, trial.marks, &edges) && consistent(&execution, trial.memory);
    let seen = calls::observe(&execution, trial.memory, trial.marks).filter(|_| fits);
    let Some(seen) = seen else { return Ok(None) };
    let rows = matching(trial, against, &edges, &seen, effort, watch)?;
    let n = seen.outcomes.len();
    let all = (0..n).flat_map(|j| (0..n).map(move |i| (i, j)));
    Ok(match trial.memory {
        Memory::Sc => rows.is_empty().then(|| Confirmed { seen, lacking: Vec::new() }),
        Memory::Ra | Memory::Rc11 => {
            let lacks = |row: &Row| -> Vec<(usize, usize)> {
                all.clone().filter(|&(i, j)| row.hb[j] >> i & 1 == 1 && !seen.sees[j][i]).collect()
            };
            let lacking: Vec<_> = rows.iter().map(lacks).collect();
            lacking.iter().all(|l| !l.is_empty()).then_some(Confirmed { seen, lacking })
        }
        Memory::Tso => {
            let allowed = |pairs: &[(usize, usize)]| {
                consistent(&misses::with(&execution, trial.marks, pairs), Memory::Tso)
            };
            let single: Vec<_> = all.filter(|&(i, j)| i != j && allowed(&[(i, j)])).collect();
            let none = |pairs: &[(usize, usize)]| !rows.iter().any(|row| row.misses(pairs));
            let mut found = None;
            for size in 0..=single.len() {
                misses::subsets(&single, size, &mut Vec::new(), &mut |pairs| {
                    let shows = none(pairs) && allowed(pairs);
                    if shows {
                        found = Some(pairs.to_vec());
                    }
                    shows
                });
                if found.is_some() {
                    break;
                }
            }
            found.map(|pairs| {
                // All of them at once are too many for the specification.
                let lacking = pairs.iter().map(|&pair| vec![pair]).collect();
                Confirmed { seen: misses::missing(&seen, &pairs), lacking }
            })
        }
    })
}

/// What the specification does in the client with these edges, as far as the answers are the same.
fn matching<R: Runnable>(
    trial: &Trial<'_, R>,
    against: &Against,
    edges: &[(usize, usize)],
    seen: &Seen,
    effort: &Effort,
    watch: &dyn Observer,
) -> Result<Vec<Row>, Limit> {
    // A thread's own calls need no waiting.
    let waits = edges.iter().copied().filter(|&(i, j)| !trial.client.orders(i, j)).collect();
    let client = Client { waits, ..trial.client.clone() };
    let (mut machine, marks) = against.compiled.operations.client(&client);
    let calls = against.calls(&client, &marks);
    let kind = against.compiled.object.kind;
    let outcomes = observation(seen, &calls, kind).outcomes;
    let rows = Arc::new(Rows { calls, kind, memory: trial.memory, outcomes, found: Mutex::default() });
    let reduced = Reduced { iterations: true, helping: false };
    let finding = against.explore(&mut machine, trial.memory, reduced, rows.clone(), effort, watch);
    match finding.verdict {
        Verdict::Holds(_) => Ok(std::mem::take(&mut *rows.found())),
        Verdict::Unknown(limit) => Err(limit),
        Verdict::Violated(witness) => {
            Err(Limit::method(format!("{} goes wrong: {}", against.name, witness.why)))
        }
    }
}

/// Collects executions with certain answers.
#[derive(Debug)]
struct Rows {
    calls: Vec<Call>,
    kind: Kind,
    memory: Memory,
    outcomes: Vec<Outcome>,
    found: Mutex<Vec<Row>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Row {
    hb: Vec<Mask>,
    reach: Option<Reach>,
}

impl Row {
    /// Whether the second call of each pair may miss the first one, all at once, under tso.
    fn misses(&self, pairs: &[(usize, usize)]) -> bool {
        let Some(reach) = &self.reach else { return true };
        // A miss leads from a read after `j` to a write before `i`.
        let follows = |a: &(usize, usize), b: &(usize, usize)| reach.write_to_read[b.1] >> a.0 & 1 == 1;
        if pairs.iter().any(|&(i, j)| reach.own[j] >> i & 1 == 1) {
            return false;
        }
        let mut left = pairs.to_vec();
        loop {
            let next: Vec<_> = left.iter().filter(|b| left.iter().any(|a| follows(a, b))).copied().collect();
            if next.len() == left.len() {
                return left.is_empty();
            }
            left = next;
        }
    }
}

impl Rows {
    fn found(&self) -> std::sync::MutexGuard<'_, Vec<Row>> {
        self.found.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

impl graph::Judge for Rows {
    fn allows(&self, leaf: &dyn Leaf) -> bool {
        let Some(spans) = observe::spans(leaf, &self.calls) else { return true };
        let mut seen = observe::observe(leaf, &self.calls, &spans);
        spec::normalise(self.kind, &self.calls, &mut seen.outcomes);
        if seen.outcomes == self.outcomes {
            let reach = (self.memory == Memory::Tso).then(|| Reach::new(leaf, &spans));
            let row = Row { hb: seen.hb, reach };
            let mut found = self.found();
            if !found.contains(&row) {
                found.push(row);
            }
        }
        true
    }
}

fn observation(seen: &Seen, calls: &[Call], kind: Kind) -> Observation {
    let mask = |row: &Vec<bool>| row.iter().enumerate().fold(0, |m, (i, &b)| m | u32::from(b) << i);
    let mut outcomes = seen.outcomes.clone();
    spec::normalise(kind, calls, &mut outcomes);
    Observation {
        outcomes,
        hb: seen.sees.iter().map(mask).collect(),
        before: seen.before.iter().map(mask).collect(),
    }
}
