//! Robustness of a closed program.

use super::cycle::Cycle;
use super::judge::{Anything, Sequential};
use super::{confirmed, unsettled};
use crate::explain::{names, steps};
use crate::graph::{self, Judge, Options, Problem, check_growing};
use crate::replay::token;
use lineal_model::run::{FailureKind, Runnable};
use lineal_model::{Assumption, Effort, Finding, Limit, Memory, Observer, Verdict, Witness, WitnessKind};
use std::sync::Arc;

const PROPERTY: &str = "every execution is one that sequential consistency has";
const WRONG: &str = "weak memory adds executions";
const NEVER: &str = "Under sequential consistency no execution goes wrong.";

/// Explores every execution under the weak model.
pub fn check<R: Runnable>(problem: &mut Problem<'_, R>, effort: &Effort, watch: &dyn Observer) -> Finding {
    // These keep what can be observed, not executions.
    (problem.options.iterations, problem.options.helping) = (false, false);
    problem.options.judge = Some(Arc::new(Sequential::default()));
    let found = check_growing(problem, effort, watch);
    problem.options.judge = None;
    let verdict = match found.verdict {
        Verdict::Violated(witness) if witness.kind == FailureKind::Judged.into() => {
            let token = witness.replay.clone().unwrap_or_default();
            match shown(problem.program, problem.memory, &token) {
                Ok(shown) => Verdict::Violated(Box::new(shown)),
                Err(why) => panic!("an execution was not confirmed: {why}; please report the input"),
            }
        }
        Verdict::Violated(witness) => failing(problem, *witness, effort, watch),
        Verdict::Holds(mut scope) => {
            scope.assumptions.push(Assumption::FruitlessIterations);
            Verdict::Holds(scope)
        }
        verdict => verdict,
    };
    Finding { verdict, ..about(found.stats) }
}

fn about(stats: lineal_model::Stats) -> Finding {
    let unknown = Verdict::Unknown(Limit::method(""));
    Finding { wrong: WRONG.into(), stats, ..Finding::new(PROPERTY, unknown) }
}

/// One earlier execution again. An error says why the token does not fit.
pub fn replay<R: Runnable>(problem: &mut Problem<'_, R>, token: &str) -> Result<Finding, String> {
    graph::fits(token, problem.memory, problem.options.identity)?;
    let verdict = match token::decode(token)?.kind {
        FailureKind::Judged => Verdict::Violated(Box::new(shown(problem.program, problem.memory, token)?)),
        // Weak memory made the program fail.
        _ => graph::replay(problem, token)?.verdict,
    };
    Ok(Finding { verdict, ..about(lineal_model::Stats::default()) })
}

/// The execution of a token, in words, if it is one of the weak model only.
fn shown<R: Runnable>(program: &mut R, memory: Memory, token: &str) -> Result<Witness, String> {
    let replayed = graph::rerun(program, token)?;
    let cycle = Cycle::of(&replayed.execution).filter(|_| confirmed(&replayed, memory));
    let cycle = cycle.ok_or("sequential consistency has this execution")?;
    let mut steps = steps(&*program, memory, &replayed);
    let guilty = cycle.decisions(&replayed);
    guilty.iter().for_each(|&k| steps[k].guilty = true);
    Ok(Witness {
        reasons: cycle.words(&*program, &replayed, &|k| Some(k + 1)),
        threads: names(&*program, &replayed),
        steps,
        replay: Some(token.trim().to_string()),
        ..Witness::new(
            WitnessKind::Order,
            format!("{memory} has an execution that sequential consistency does not have."),
        )
    })
}

/// The program fails under the weak model. That says something about it only if it does not under sc.
fn failing<R: Runnable>(
    problem: &mut Problem<'_, R>,
    witness: Witness,
    effort: &Effort,
    watch: &dyn Observer,
) -> Verdict {
    let judge = Some(Arc::new(Anything) as Arc<dyn Judge>);
    let options = Options { hints: false, judge, ..problem.options.clone() };
    let mut under_sc = Problem { program: &mut *problem.program, memory: Memory::Sc, options };
    match check_growing(&mut under_sc, effort, watch).verdict {
        Verdict::Holds(scope) => match unsettled(&scope) {
            Some(limit) => Verdict::Unknown(limit),
            None => Verdict::Violated(Box::new(Witness { reasons: vec![NEVER.into()], ..witness })),
        },
        Verdict::Unknown(limit) => Verdict::Unknown(limit),
        Verdict::Violated(witness) => Verdict::Unknown(Limit {
            at: witness.at.clone(),
            ..Limit::method(format!(
                "The program goes wrong under sequential consistency already: {}",
                witness.why
            ))
        }),
    }
}
