//! `reaches b`, perhaps with the least or greatest value of `e`.
//!
//! It holds if `b` is true in some state that a run without a fault leads to, whatever other runs
//! do. Only if there is none, and all states have been seen, do other things decide, in this order:
//! a process that cannot be followed, or a state in which `b` or `e` has no value (*unknown*); a run
//! that faults (*violated*, by that run); nothing (*violated*: unreachable). The least or greatest
//! value is that of all such states, so it needs all of them. None of this depends on the order of
//! search.

use super::claim::{Answer, Case};
use super::replay::Ending;
use super::safety::{Found, Wanted, explore};
use super::search::{FailureKind, Outcome};
use super::symmetry::Symmetry;
use super::witness;
use lineal_model::lts::Steps;
use lineal_model::process::expr::Expr;
use lineal_model::process::*;
use lineal_model::{Limit, Verdict, Witness, WitnessKind};

/// What was seen on the way.
#[derive(Default)]
struct Seen {
    best: Option<i32>,
    /// The goal, or the value, cannot be evaluated.
    fault: Option<Fault>,
}

impl Seen {
    /// Looks at one state; answers whether the search may end there.
    fn look(&mut self, frame: &expr::Frame, goal: &Expr, extreme: Option<&(Extreme, Expr)>) -> bool {
        let value = match (frame.holds(goal), extreme) {
            (Ok(false), _) => return false,
            (Ok(true), None) => return true,
            (Ok(true), Some((which, e))) => frame.eval(e).map(|v| (*which, v)),
            (Err(fault), _) => Err(fault),
        };
        match value {
            Err(fault) => self.fault = self.fault.take().or(Some(fault)),
            Ok((Extreme::Min, v)) => self.best = Some(self.best.map_or(v, |b| b.min(v))),
            Ok((Extreme::Max, v)) => self.best = Some(self.best.map_or(v, |b| b.max(v))),
        }
        false
    }
}

impl Case<'_, '_> {
    pub(super) fn reaches(&self, goal: &Expr, extreme: Option<&(Extreme, Expr)>) -> Result<Answer, Fault> {
        let mut watched = vec![goal];
        watched.extend(extreme.map(|(_, e)| e));
        let system = self.reduced(self.settings.reductions(), &watched)?;
        let renaming = self.renaming(&system, None, &watched);
        let symmetry = renaming.as_ref().map(|r| r as &dyn Symmetry);
        let mut seen = Seen::default();
        let mut is = |bytes: &[u8], _: &Steps<Fault>| {
            seen.look(&system.system.frame(&system.unpack(bytes)), goal, extreme)
        };
        let (found, tally) = explore(&system, symmetry, Wanted::Goal(&mut is), self.effort, self.watch);
        let mut remarks = Vec::new();
        match found {
            Found::At(trace) => {
                let plain = self.plain()?;
                let mut is = |state: &[u8], _: &Steps<Fault>| {
                    let reached = plain.frame(&plain.unpack(state)).holds(goal) == Ok(true);
                    Ok(reached.then_some(Ending::Here))
                };
                let steps = match self.again(&plain, &trace, &mut is) {
                    Ok(steps) => steps,
                    Err(limit) => return Ok(self.unknown(limit, tally)),
                };
                remarks.push(format!("reached by {}", witness::show_run(self.universe, &steps)));
                let run = steps.iter().map(|s| s.index).collect();
                return Ok(Answer { run, remarks, ..self.holds(tally) });
            }
            Found::Unknown(limit) => return Ok(self.unknown(limit, tally)),
            Found::Fault(failure) if matches!(&failure.kind, FailureKind::Fault(f) if f.is_gap()) => {
                return Ok(self.settle(Outcome::Violated(failure), tally, None, Semantics::Traces));
            }
            _ if seen.fault.is_some() => {
                let why = seen.fault.map(|f| f.message).unwrap_or_default();
                let limit = Limit::method(format!("the goal cannot be evaluated: {why}"));
                return Ok(self.unknown(limit, tally));
            }
            Found::Fault(failure) if seen.best.is_none() => {
                return Ok(self.settle(Outcome::Violated(failure), tally, None, Semantics::Traces));
            }
            Found::Fault(failure) => {
                if let FailureKind::Fault(fault) = failure.kind {
                    remarks.push(format!("some run ends in a fault: {}", fault.message));
                }
            }
            Found::Nothing => {}
        }
        let (Some(best), Some((which, _))) = (seen.best, extreme) else {
            let witness = Witness {
                shortest: true,
                ..Witness::new(WitnessKind::Unreachable, "No reachable state satisfies the condition.")
            };
            return Ok(Answer { verdict: Verdict::Violated(Box::new(witness)), ..self.holds(tally) });
        };
        let word = if *which == Extreme::Min { "least" } else { "greatest" };
        remarks.insert(0, format!("the {word} value is {best}"));
        Ok(Answer { remarks, ..self.holds(tally) })
    }
}
