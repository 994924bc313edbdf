//! A run that somebody hands in, such as that of a replay token: does it violate the assertion?
//!
//! Nothing is searched for. The run is taken move by move, and formula and fairness are evaluated on it
//! alone (`replay::lasso`), so the answer is about this run, whatever other runs there are.

use crate::refine::claim::{Case, Settings};
use crate::refine::replay;
use crate::replay::lasso as again;
use lineal_model::lts::Obstacle;
use lineal_model::process::term::Universe;
use lineal_model::process::{Assertion, Claim, Fairness, Model};
use lineal_model::{Effort, Unwatched, lts::Effect};

/// Why the run shows no violation of a temporal assertion. Of other assertions nothing is said.
pub fn judge(
    model: &Model,
    assertion: &Assertion,
    run: &[usize],
    repeats: Option<usize>,
) -> Result<(), String> {
    let Claim::Ltl { formula, fairness } = &assertion.claim else { return Ok(()) };
    let universe = Universe::new(model);
    let (settings, effort) = (Settings::PLAIN, Effort::default());
    let case =
        Case { universe: &universe, assertion, settings: &settings, effort: &effort, watch: &Unwatched };
    let plain = case.plain().map_err(|f| f.message)?;
    let ltl = case.settled(formula).map_err(|f| f.message)?;
    let (steps, fault) = replay::walk(&plain, run)?;
    if let Some(fault) = fault {
        return match fault.effect() {
            Effect::Wrong => Ok(()),
            Effect::Gap | Effect::Endless => Err(fault.message),
        };
    }
    let end = steps.last().map_or(Some(plain.start()), |s| s.to.as_ref());
    let mut moves = Vec::new();
    end.into_iter().for_each(|end| plain.moves(end, &mut moves));
    let (prefix, cycle) = match repeats {
        Some(at) => (&run[..at], Some(&run[at..])),
        None if moves.is_empty() => (run, Some(&[][..])),
        None => (run, None),
    };
    if cycle.is_some_and(<[usize]>::is_empty) && !moves.is_empty() {
        return Err("nothing is repeated".into());
    }
    match again::walk(&plain, &ltl, *fairness, prefix, cycle) {
        Ok(_) => Ok(()),
        Err(again::Refuted::NoRun(why)) => Err(why),
        Err(again::Refuted::Holds) => {
            Err("the token's run satisfies the formula: it shows no violation".into())
        }
        Err(again::Refuted::Open) => {
            Err("whether the token's run violates the formula depends on what follows it".into())
        }
        Err(again::Refuted::Unfair) if *fairness == Fairness::None => {
            Err("the token's run is not one that the annotations of events let count".into())
        }
        Err(again::Refuted::Unfair) => {
            Err(format!("the token's run is not fair ({}): it does not count", fairness.word()))
        }
    }
}
