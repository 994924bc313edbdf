//! What there is to say about an execution that sequential consistency does not have: the circle of its
//! steps, whether other executions give the same answers, and what would help.

use super::hint;
use super::object::Clients;
use super::observe::{Span, observe, spans};
use super::search::Search;
use super::{Call, Contract};
use crate::explain::trace::{self, View, titles};
use crate::graph;
use crate::replay::Replayed;
use crate::robust::cycle::Cycle;
use lineal_model::object::{Client, Exhibit, Marks, Outcome, Shows};
use lineal_model::{Effort, Memory, Verdict, Witness, WitnessKind};
use std::sync::Arc;

/// Executions that are explored to say whether the answers are possible otherwise.
const WORK: u64 = 30_000;

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

/// Whether sequential consistency has some execution with these answers; `None`: that takes too long, or
/// loops were cut short.
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
        Verdict::Holds(scope) if scope.bounds.iter().all(|b| b.cut == 0) => Some(false),
        Verdict::Violated(_) => Some(true),
        Verdict::Holds(_) | Verdict::Unknown(_) => None,
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
    let own = |site| search.problem.clients.is_own(program, site);
    let view = View::of_clash(&client.threads, &clash, &call, &answered, &own);
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
