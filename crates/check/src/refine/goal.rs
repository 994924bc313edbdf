//! `reaches b`, perhaps with the least or greatest value of `e`.
//!
//! It holds if `b` is true in some state that a run without a fault leads to, whatever other runs
//! do. Only if there is none, and all states have been seen, do other things decide, in this order:
//! a process that cannot be followed, or a state in which `b` or `e` has no value (*unknown*); a run
//! that faults (*violated*, by that run); nothing (*violated*: unreachable). The least or greatest
//! value is that of all such states, so it needs all of them. None of this depends on the order of
//! search. What is reached comes with a run there, found again like that of any witness.

use super::claim::{Answer, Case};
use super::explore::Order;
use super::replay::Ending;
use super::safety::{Found, Glance, Wanted, seek};
use super::search::{FailureKind, Outcome, Tally};
use super::symmetry::Symmetry;
use super::witness::{self, Story};
use lineal_model::lts::StepsOf;
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
    fn look(&mut self, frame: &expr::Frame, goal: &Expr, extreme: Option<&(Extreme, Expr)>) -> Glance {
        let value = match (frame.holds(goal), extreme) {
            (Ok(false), _) => return Glance::Nothing,
            (Ok(true), None) => return Glance::Found,
            (Ok(true), Some((which, e))) => frame.eval(e).map(|v| (*which, v)),
            (Err(fault), _) => Err(fault),
        };
        match value {
            Err(fault) => {
                self.fault.get_or_insert(fault);
                Glance::Nothing
            }
            Ok((which, v)) => {
                let better = |best: i32| if which == Extreme::Min { v < best } else { v > best };
                if !self.best.is_none_or(better) {
                    return Glance::Nothing;
                }
                self.best = Some(v);
                Glance::Better
            }
        }
    }
}

impl Case<'_, '_> {
    pub(super) fn reaches(&self, goal: &Expr, extreme: Option<&(Extreme, Expr)>) -> Result<Answer, Fault> {
        let goal = &self.universe.settled(goal)?;
        let extreme = match extreme {
            Some((which, e)) => Some((*which, self.universe.settled(e)?)),
            None => None,
        };
        let extreme = extreme.as_ref();
        let mut watched = vec![goal];
        watched.extend(extreme.map(|(_, e)| e));
        let system = self.reduced(self.settings.reductions(), &watched)?;
        let renaming = self.renaming(&system, None, &watched);
        let symmetry = renaming.as_ref().map(|r| r as &dyn Symmetry);
        let mut seen = Seen::default();
        let mut is = |bytes: &[u8], _: StepsOf<Fault>| {
            seen.look(&system.system.frame(&system.unpack(bytes)), goal, extreme)
        };
        let order = self.settings.order;
        let (found, best, tally) =
            seek(&system, symmetry, Wanted::Goal(&mut is), order, self.effort, self.watch);
        let mut remarks = Vec::new();
        match found {
            Found::At(trace) => {
                let mut answer = self.reached(&trace, goal, None, tally)?;
                if let Verdict::Holds(scope) = &mut answer.verdict {
                    scope.reached = true;
                }
                return Ok(answer);
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
        let (Some(value), Some((which, _))) = (seen.best, extreme) else {
            let witness = Witness {
                shortest: true,
                ..Witness::new(WitnessKind::Unreachable, "No reachable state satisfies the condition.")
            };
            return Ok(Answer { verdict: Verdict::Violated(Box::new(witness)), ..self.holds(tally) });
        };
        let word = if *which == Extreme::Min { "least" } else { "greatest" };
        remarks.insert(0, format!("the {word} value is {value}"));
        let trace = best.expect("the best state has a trace");
        let answer = self.reached(&trace, goal, extreme.map(|(_, e)| (e, value)), tally)?;
        Ok(Answer { remarks, ..answer })
    }

    /// The goal is true, and the expression has its value, at the end of a run with this trace.
    fn reached(
        &self,
        trace: &[u32],
        goal: &Expr,
        value: Option<(&Expr, i32)>,
        tally: Tally,
    ) -> Result<Answer, Fault> {
        let plain = self.plain()?;
        let mut is = |state: &[u8], _: StepsOf<Fault>| {
            let state = plain.unpack(state);
            let frame = plain.frame(&state);
            let reached =
                frame.holds(goal) == Ok(true) && value.is_none_or(|(e, value)| frame.eval(e) == Ok(value));
            Ok(reached.then_some(Ending::Here))
        };
        let steps = match self.again(&plain, trace, &mut is) {
            Ok(steps) => steps,
            Err(limit) => return Ok(self.unknown(limit, tally)),
        };
        let mut example = witness::tell(self.universe, &plain, &Story::plain(WitnessKind::Reached, &steps));
        example.shortest = self.settings.order == Order::Breadth;
        let run = steps.iter().map(|s| s.index).collect();
        Ok(Answer { run, example: Some(example), ..self.holds(tally) })
    }
}
