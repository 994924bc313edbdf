//! Robustness of an object: each client is asked whether weak memory adds executions to it. What that
//! means, and what can be missed, is said in [`crate::robust`].
//!
//! Clients order their calls by making several of them in one thread, in every way there is: what a
//! client does besides is not asked about.
//!
//! Failed iterations of retry loops are left out as everywhere ([`crate::graph::Options::iterations`]):
//! what remains is an execution with the same calls and answers, which is explored and judged. So
//! `holds` is the paper's induced-subgraph robustness, and a violation, having failed at nothing, is one
//! of executions as they are. Of threads that only their values tell apart the order does not matter to
//! a cycle ([`super::rows`]). No step is left to another thread: helping keeps answers, but an execution
//! without a cycle may then stand for one with other updates.

use super::Reductions;
use super::client::{Answer, Found, Trial, Tried};
use super::{judge, rows};
use crate::graph;
use crate::robust::judge::{Anything, Ordered, Sequential};
use crate::robust::{confirmed, unsettled};
use lineal_model::run::{FailureKind, Runnable};
use lineal_model::{Effort, Limit, Memory, Observer, Verdict, Witness};
use std::sync::Arc;

pub fn run<R: Runnable>(
    trial: &mut Trial<'_, R>,
    reductions: Reductions,
    effort: &Effort,
    watch: &dyn Observer,
) -> Tried {
    let judge = Arc::new(Sequential::default());
    let mut options = trial.options.clone();
    (options.iterations, options.helping) = (reductions.iterations, false);
    if reductions.calls {
        options.rows = rows::of(trial.object, trial.client);
    }
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

/// Whether all that threads tell each other happens before. Nobody is shown what does not.
pub fn ordered<R: Runnable>(
    trial: &mut Trial<'_, R>,
    reductions: Reductions,
    effort: &Effort,
    watch: &dyn Observer,
) -> Tried {
    let judge = Arc::new(Ordered::default());
    let mut options = trial.options.clone();
    (options.iterations, options.helping) = (reductions.iterations, false);
    options.judge = Some(judge.clone());
    let mut weak = graph::Problem { program: &mut *trial.program, memory: trial.memory, options };
    let found = graph::check(&mut weak, effort, watch);
    trial.options.learned = weak.options.learned;
    let judged = judge::Stats { judged: judge.judged(), ..judge::Stats::default() };
    let answer = match found.verdict {
        Verdict::Holds(scope) => Answer::Holds(scope),
        Verdict::Unknown(limit) => Answer::Unknown(limit),
        Verdict::Violated(_) => {
            Answer::Unknown(Limit::method("What threads tell each other need not happen before."))
        }
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
    let judge = Some(Arc::new(Anything) as Arc<dyn graph::Judge>);
    let options = graph::Options { judge, ..trial.options.clone() };
    let mut sc = graph::Problem { program: &mut *trial.program, memory: Memory::Sc, options };
    match graph::check(&mut sc, effort, watch).verdict {
        Verdict::Holds(scope) => match unsettled(&scope) {
            Some(limit) => Answer::Unknown(limit),
            None => Answer::Violated(Box::new(Found::unsafely(witness))),
        },
        Verdict::Unknown(limit) => Answer::Unknown(limit),
        Verdict::Violated(witness) => Answer::Sequentially(witness),
    }
}
