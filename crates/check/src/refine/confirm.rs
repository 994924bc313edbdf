//! From what a search found to a witness: it is found again without any reduction, or not reported.
//!
//! The policy is that of every engine (CONTRIBUTING.md, "A new engine"). A witness that no run of the
//! unreduced model confirms is a broken invariant: a panic that asks for the model. A re-check that
//! cannot be finished is a limit. One case is neither: with `hvar` the search takes states for the same
//! that differ, so a path through it need not be a run; that the method cannot settle.

use super::claim::{Answer, Case};
use super::replay::{self, Ending, Goal, RunStep};
use super::search::{Failure, FailureKind, Outcome, Tally};
use super::sets::subset;
use super::witness::{self, Story};
use lineal_model::Limit;
use lineal_model::WitnessKind;
use lineal_model::lts::{Label, StepsOf};
use lineal_model::process::system::Move;
use lineal_model::process::{Fault, Semantics, State, System};
use rustc_hash::FxHashSet;

impl<'c, 'm> Case<'c, 'm> {
    pub(super) fn settle(
        &self,
        outcome: Outcome<Fault>,
        tally: Tally,
        spec: Option<&System<'c, 'm>>,
        semantics: Semantics,
    ) -> Answer {
        let failure = match outcome {
            Outcome::Holds => return self.holds(tally),
            Outcome::Unknown(limit) => return self.unknown(limit, tally),
            Outcome::Violated(failure) => failure,
        };
        if let FailureKind::Fault(fault) = &failure.kind
            && fault.is_gap()
        {
            let mut limit = Limit::method(format!("{}.", witness::capital(&fault.message)));
            limit.at = self.universe.model.place(fault.spot);
            return self.unknown(limit, tally);
        }
        match self.confirm(spec, &failure, semantics) {
            Err(limit) => self.unknown(limit, tally),
            Ok(confirmed) => {
                let story = confirmed.story(&failure);
                self.violated(&confirmed.plain, story, tally)
            }
        }
    }

    /// The run with this trace that ends as `goal` says, in the unreduced system.
    pub(super) fn again(
        &self,
        plain: &System,
        trace: &[u32],
        goal: &mut Goal<Fault>,
    ) -> Result<Vec<RunStep>, Limit> {
        let run = replay::find(plain, trace, goal, self.watch).map_err(unfinished)?;
        let run: Option<Vec<usize>> = run.map(|run| run.iter().map(|n| *n as usize).collect());
        let walked = self.confirmed(run)?;
        let (run, _) = replay::walk(plain, &walked).expect("the moves that were found");
        let seen = run.iter().filter(|s| s.label != Label::Internal).zip(trace);
        self.confirmed(seen.into_iter().all(|(s, e)| s.label == Label::Event(*e)).then_some(run))
    }

    /// What a re-check answers, if it confirms what was found.
    pub(super) fn confirmed<T>(&self, found: Option<T>) -> Result<T, Limit> {
        if let Some(found) = found {
            return Ok(found);
        }
        let hidden = self.universe.model.cells.iter().any(|c| c.hidden);
        assert!(
            hidden,
            "a witness was not confirmed by any run of the unreduced model: {}; please report the model",
            self.assertion.text
        );
        let mut limit = Limit::method(
            "What was found is no run of the model: states that differ only in `hvar` variables were taken for the same.",
        );
        limit.covered = "Something was found, and not confirmed.".into();
        Err(limit)
    }

    /// Finds the failure again without any reduction.
    fn confirm<'s>(
        &self,
        spec: Option<&'s System<'c, 'm>>,
        failure: &Failure<Fault>,
        semantics: Semantics,
    ) -> Result<Confirmed<'s, 'c, 'm>, Limit> {
        let plain = self.plain().expect("what was searched can be built");
        let after = |spec: &System, trace: &[u32]| replay::after(spec, trace, self.watch).map_err(unfinished);
        let allowed = match spec {
            Some(spec) => after(spec, &failure.trace)?,
            None => FxHashSet::default(),
        };
        let mut refuted = false;
        if let (Semantics::FailuresDivergences, Some(spec)) = (semantics, spec) {
            for state in &allowed {
                refuted |= replay::diverges(spec, state, self.watch).map_err(unfinished)?;
            }
        }
        if let (FailureKind::Event(e), Some(spec)) = (&failure.kind, spec) {
            let longer = [&failure.trace[..], &[*e]].concat();
            refuted |= allowed.is_empty() || !after(spec, &longer)?.is_empty();
        }
        self.confirmed((!refuted).then_some(()))?;
        let accepted: Vec<Vec<u32>> = allowed.iter().filter_map(|s| offered_in(spec?, s)).collect();
        let run = self.again(&plain, &failure.trace, &mut |state: &[u8], steps: StepsOf<Fault>| {
            Ok(match &failure.kind {
                FailureKind::Event(e) => replay::first(steps, Label::Event(*e)),
                FailureKind::Refusal => {
                    let labels = steps.labels().chain(steps.failed().iter().map(|f| f.label));
                    let refused = |offered: &Vec<u32>| !accepted.iter().any(|a| subset(a, offered));
                    replay::offers(labels).filter(refused).map(|_| Ending::Here)
                }
                FailureKind::Divergence => {
                    let diverges = replay::diverges(&plain, &plain.unpack(state), self.watch)?;
                    diverges.then_some(Ending::Here)
                }
                FailureKind::Fault(_) => steps.failed().first().map(|f| Ending::With(f.number)),
            })
        })?;
        Ok(Confirmed { plain, spec, allowed, run })
    }
}

/// A failure that was found again.
struct Confirmed<'s, 'c, 'm> {
    plain: System<'c, 'm>,
    spec: Option<&'s System<'c, 'm>>,
    /// What the specification can be at there.
    allowed: FxHashSet<State>,
    run: Vec<RunStep>,
}

impl Confirmed<'_, '_, '_> {
    fn story(&self, failure: &Failure<Fault>) -> Story<'_> {
        let mut story = Story::plain(WitnessKind::Trace, &self.run);
        if let Some(spec) = self.spec {
            let labels = self.allowed.iter().flat_map(|state| labels(spec, state));
            story.allowed = labels
                .filter_map(|l| match l {
                    Label::Event(e) => Some(e),
                    Label::Internal => None,
                })
                .collect();
            story.allowed.sort_unstable();
            story.allowed.dedup();
        }
        match &failure.kind {
            FailureKind::Event(e) => {
                story.event = Some(*e);
            }
            FailureKind::Refusal => {
                story.kind = WitnessKind::Refusal;
                let end = self.run.last().and_then(|s| s.to.as_ref()).unwrap_or(self.plain.start());
                story.offered = offered_in(&self.plain, end).unwrap_or_default();
            }
            FailureKind::Divergence => story.kind = WitnessKind::Divergence,
            FailureKind::Fault(fault) => {
                story.kind = fault.kind.into();
                story.fault = Some(fault.clone());
            }
        }
        story
    }
}

fn labels(system: &System, state: &State) -> Vec<Label> {
    let mut moves: Vec<Move> = Vec::new();
    system.moves(state, &mut moves);
    moves.iter().map(|m| m.label).collect()
}

/// The events that a stable state offers.
fn offered_in(system: &System, state: &State) -> Option<Vec<u32>> {
    replay::offers(labels(system, state).into_iter())
}

/// A re-check that cannot be finished is a limit, and not one on what was found.
pub(super) fn unfinished(mut limit: Limit) -> Limit {
    limit.covered =
        "A violation was found; running it again without reductions could not be finished.".into();
    limit
}
