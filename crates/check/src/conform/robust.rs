//! Robustness of an object: each client is asked whether weak memory adds executions to it. What that
//! means, and what can be missed, is said in [`crate::robust`].
//!
//! Clients order their calls by making several of them in one thread, in every way there is: what a
//! client does besides is not asked about. Retry loops are explored iteration by iteration, and no
//! step is left to another thread: those reductions keep answers, not executions.

use super::Call;
use super::Contract;
use super::client::{Answer, Found, Trial, Tried};
use super::hint;
use super::judge;
use super::object::Clients;
use super::observe::{Span, observe, spans};
use super::search::Search;
use crate::explain::trace::{self, View, titles};
use crate::graph;
use crate::replay::Replayed;
use crate::robust::cycle::Cycle;
use crate::robust::{confirmed, judge::Sequential};
use lineal_model::object::{Client, Exhibit, Marks, Outcome, Shows};
use lineal_model::run::{FailureKind, Runnable};
use lineal_model::{Effort, Memory, Observer, Verdict, Witness, WitnessKind};
use std::sync::Arc;

/// Executions that are explored to say whether the answers are possible otherwise.
const WORK: u64 = 30_000;

pub fn run<R: Runnable>(trial: &mut Trial<'_, R>, effort: &Effort, watch: &dyn Observer) -> Tried {
    let judge = Arc::new(Sequential::default());
    let mut options = trial.options.clone();
    (options.iterations, options.helping) = (false, false);
    options.judge = Some(judge.clone());
    let mut weak = graph::Problem { program: &mut *trial.program, memory: trial.memory, options };
    let found = graph::check(&mut weak, effort, watch);
    trial.options.learned = weak.options.learned;
    let judged = judge::Stats { judged: judge.judged(), ..judge::Stats::default() };
    let answer = match found.verdict {
        Verdict::Holds(scope) => Answer::Holds(scope),
        Verdict::Unknown(limit) => Answer::Unknown(limit),
        Verdict::Violated(witness) if witness.kind == FailureKind::Judged.into() => {
            match again(trial, *witness) {
                Ok(found) => Answer::Violated(Box::new(found)),
                Err(why) => panic!("an execution was not confirmed: {why}; please report the input"),
            }
        }
        Verdict::Violated(witness) => under_sc(trial, *witness, effort, watch),
    };
    Tried { answer, stats: found.stats, judge: judged }
}

/// Runs the execution again, and asks the definitions. An error says why it is no violation.
pub fn again<R: Runnable>(trial: &mut Trial<'_, R>, witness: Witness) -> Result<Found, String> {
    let token = witness.replay.clone().unwrap_or_default();
    let replayed = graph::rerun(trial.program, &token)?;
    if !confirmed(&replayed, trial.memory) {
        return Err("the token does not lead to its violation in this object".into());
    }
    Ok(Found { unordered: Some(replayed), ..Found::unsafely(witness) })
}

/// The client goes wrong. If it does under sequential consistency too, that is another question.
fn under_sc<R: Runnable>(
    trial: &mut Trial<'_, R>,
    witness: Witness,
    effort: &Effort,
    watch: &dyn Observer,
) -> Answer {
    let options = trial.options.clone();
    let mut sc = graph::Problem { program: &mut *trial.program, memory: Memory::Sc, options };
    match graph::check(&mut sc, effort, watch).verdict {
        Verdict::Holds(_) => Answer::Violated(Box::new(Found::unsafely(witness))),
        Verdict::Unknown(limit) => Answer::Unknown(limit),
        Verdict::Violated(witness) => Answer::Sequentially(witness),
    }
}

/// Executions that answer all calls so that nothing looks odd.
#[derive(Debug)]
struct Answers {
    calls: Vec<Call>,
    outcomes: Vec<Outcome>,
}

impl graph::Judge for Answers {
    fn allows(&self, leaf: &dyn graph::Leaf) -> bool {
        let answers = |spans: Vec<Span>| observe(leaf, &self.calls, &spans).outcomes;
        spans(leaf, &self.calls).map(answers).as_ref() != Some(&self.outcomes)
    }
}

/// Whether sequential consistency has some execution with these answers; `None`: that takes too long.
fn possible<C: Clients>(
    search: &Search<'_, C>,
    program: &mut C::Program,
    client: &Client,
    marks: &[Marks],
    outcomes: Vec<Outcome>,
) -> Option<bool> {
    let calls = Contract::new(search.object(), search.problem.level, client, marks).calls;
    let judge = Some(Arc::new(Answers { calls, outcomes }) as Arc<dyn graph::Judge>);
    let options = graph::Options { judge, ..search.graph_options(program) };
    let mut sc = graph::Problem { program, memory: Memory::Sc, options };
    let effort = Effort { max_states: Some(WORK), ..Effort::default() };
    match graph::check(&mut sc, &effort, search.watch).verdict {
        Verdict::Holds(_) => Some(false),
        Verdict::Violated(_) => Some(true),
        Verdict::Unknown(_) => None,
    }
}

/// The execution in words.
pub fn witness<C: Clients>(
    search: &Search<'_, C>,
    program: &mut C::Program,
    client: &Client,
    marks: &[Marks],
    (found, replayed): (Witness, &Replayed),
) -> (Witness, Exhibit) {
    let (object, memory) = (search.object(), search.problem.memory);
    let call = |c: usize| object.show_call(&client.calls[c]);
    let answers = trace::answers(replayed, marks);
    let answered = |c: usize| match answers[c] {
        Some(outcome) => object.show_answer(&client.calls[c], outcome),
        None => call(c),
    };
    let cycle = Cycle::of(&replayed.execution).expect("it is confirmed");
    let clash = cycle.decisions(replayed);
    let view = View {
        threads: &client.threads,
        waits: &[],
        guilty: &[],
        clash: Some(&clash),
        missing: &[],
        call: &call,
        answered: &answered,
        own: &|site| search.problem.clients.is_own(program, site),
    };
    let steps = trace::trace(&*program, memory, replayed, marks, &view).steps;
    // The steps of the circle are all shown, in the order of the run.
    let shown: Vec<usize> = (0..steps.len()).filter(|&k| steps[k].guilty).collect();
    let number = |k: usize| clash.iter().position(|&c| c == k).and_then(|i| shown.get(i)).map(|i| i + 1);
    let mut reasons = cycle.words(&*program, replayed, &number);
    let outcomes: Option<Vec<Outcome>> = answers.iter().copied().collect();
    let possible = outcomes.and_then(|outcomes| possible(search, program, client, marks, outcomes));
    reasons.extend(possible.map(|possible| match possible {
        true => "Other executions, which sequential consistency has, give the same answers.".to_string(),
        false => "No execution that sequential consistency has gives these answers.".to_string(),
    }));
    let hint = hint::strengthen(search, client, false, search.watch);
    let witness = Witness {
        kind: WitnessKind::Order,
        why: format!(
            "Under {memory} this client has an execution that sequential consistency does not have."
        ),
        reasons,
        client: client.threads.iter().map(|t| t.iter().map(|&c| answered(c)).collect()).collect(),
        threads: titles(client.threads.len()),
        steps,
        hints: hint.into_iter().collect(),
        ..found
    };
    (witness, Exhibit { client: client.clone(), shows: Shows::Order })
}
