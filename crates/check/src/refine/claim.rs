//! Assertions of a model into verdicts.

use super::parallel::with_room;
use super::renaming::Renaming;
use super::reduce::{Reduced, Reductions};
use super::replay::{self, RunStep};
use super::safety::{Found, Quarry, explore};
use super::search::{self, Failure, FailureKind, Outcome, Problem, Sabotage, Tally};
use super::sets::subset;
use super::space::Expansion;
use super::symmetry::Symmetry;
use super::witness::{self, Story};
use lineal_model::lts::Label;
use lineal_model::process::expr::Expr;
use lineal_model::process::term::Universe;
use lineal_model::process::*;
use lineal_model::{Assumption, Effort, Finding, Limit, Observer, Scope, Stats, Storage, Verdict};

/// Which reductions to use. None changes a verdict or the length of a witness's trace.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    pub antichain: bool,
    pub symmetry: bool,
    /// Dead variables go back to their initial values.
    pub reset: bool,
    /// Local steps are taken at once.
    pub fuse: bool,
    pub sabotage: Sabotage,
}

impl Default for Settings {
    fn default() -> Self {
        Settings { antichain: true, symmetry: true, reset: true, fuse: true, sabotage: Sabotage::None }
    }
}

impl Settings {
    pub const PLAIN: Settings =
        Settings { antichain: false, symmetry: false, reset: false, fuse: false, sabotage: Sabotage::None };

    pub(super) fn reductions(&self) -> Reductions {
        Reductions { reset: self.reset, fuse: self.fuse }
    }
}

#[derive(Debug)]
pub(super) struct Answer {
    pub verdict: Verdict,
    pub tally: Tally,
    pub run: Vec<usize>,
    pub remarks: Vec<String>,
}

#[derive(Debug)]
pub struct Checked {
    pub finding: Finding,
    pub tally: Tally,
    /// The witness's run in the unreduced system, as numbers of moves.
    pub run: Vec<usize>,
}

/// Decides one assertion. The error is that the process cannot even be built.
pub fn check(
    model: &Model,
    assertion: &Assertion,
    settings: &Settings,
    effort: &Effort,
    watch: &dyn Observer,
) -> Result<Checked, Fault> {
    let Answer { verdict, tally, run, remarks } =
        with_room(|| decide(model, assertion, settings, effort, watch))?;
    let mut finding = finding(assertion, verdict);
    finding.remarks = remarks;
    finding.stats = Stats { states: tally.states, jobs: effort.jobs as u64, ..Stats::default() };
    if tally.pairs > 0 {
        finding.stats.more.insert("pairs", tally.pairs);
        finding.stats.more.insert("spec_states", tally.spec_states);
        finding.stats.more.insert("spec_sets", tally.sets);
    }
    Ok(Checked { finding, tally, run })
}

/// A verdict on an assertion.
pub fn finding(assertion: &Assertion, verdict: Verdict) -> Finding {
    let (said, denied) = match &assertion.claim {
        Claim::Refines { .. } => (" refines", " does not refine"),
        Claim::DeadlockFree => (" deadlockfree", " can deadlock"),
        Claim::Nonterminating => (" nonterminating", " can terminate"),
        Claim::DivergenceFree => (" divergencefree", " can diverge"),
        Claim::Deterministic => (" deterministic", " is not deterministic"),
        Claim::Reaches { .. } => (" reaches", " does not reach"),
        Claim::Linearizable { .. } => (" linearizable", " is not linearizable as"),
        Claim::Ltl => ("", ""),
    };
    let mut finding = Finding::new(&assertion.text, verdict);
    if assertion.text.contains(said) && !said.is_empty() {
        finding.wrong = assertion.text.replacen(said, denied, 1);
    }
    finding.at = Some(assertion.at.clone());
    finding
}

fn decide(
    model: &Model,
    assertion: &Assertion,
    settings: &Settings,
    effort: &Effort,
    watch: &dyn Observer,
) -> Result<Answer, Fault> {
    let universe = Universe::new(model);
    let case = Case { universe: &universe, assertion, settings, effort, watch };
    let mut answer = match &assertion.claim {
        Claim::Refines { spec, semantics } => case.refines(*spec, *semantics)?,
        Claim::DeadlockFree => case.stuck(false)?,
        Claim::Nonterminating => case.stuck(true)?,
        Claim::DivergenceFree => case.divergence()?,
        Claim::Deterministic => case.deterministic()?,
        Claim::Reaches { goal, extreme } => case.reaches(goal, extreme.as_ref())?,
        Claim::Ltl => Answer::unknown(Limit::method("Temporal logic (|=) is not supported yet.")),
        Claim::Linearizable { object, init } => case.linearizable(object, *init)?,
    };
    if let Verdict::Unknown(limit) = &mut answer.verdict
        && limit.covered.is_empty()
        && answer.tally.states > 0
    {
        limit.covered = format!("No violation among the {} states visited.", answer.tally.states);
    }
    Ok(answer)
}

/// Takes the moves of an earlier witness again and tells what happens.
pub fn rerun(model: &Model, assertion: &Assertion, run: &[usize]) -> Result<lineal_model::Witness, String> {
    let universe = Universe::new(model);
    let plain = System::new(&universe, assertion.root).map_err(|f| f.message)?;
    let mut state = plain.start().clone();
    let mut steps = Vec::new();
    for (n, index) in run.iter().enumerate() {
        let mut moves = Vec::new();
        plain.moves(&state, &mut moves);
        let Some(m) = moves.into_iter().nth(*index) else {
            return Err(format!("the model has no move {index} after {n} steps"));
        };
        let to = m.to.clone().ok();
        steps.push(RunStep { index: *index, label: m.label, who: m.who, site: m.site, to: to.clone() });
        match (to, m.to) {
            (Some(to), _) => state = to,
            (None, Err(fault)) => {
                let story = Story { fault: Some(fault), ..Story::plain("replay", &steps) };
                return Ok(witness::tell(&universe, &plain, &story));
            }
            (None, Ok(_)) => unreachable!("a state or a fault"),
        }
    }
    Ok(witness::tell(&universe, &plain, &Story::plain("replay", &steps)))
}

pub(super) struct Case<'c, 'm> {
    pub universe: &'c Universe<'m>,
    pub assertion: &'c Assertion,
    pub settings: &'c Settings,
    pub effort: &'c Effort,
    pub watch: &'c dyn Observer,
}

impl Answer {
    fn unknown(limit: Limit) -> Self {
        Answer {
            verdict: Verdict::Unknown(limit),
            tally: Tally::default(),
            run: Vec::new(),
            remarks: Vec::new(),
        }
    }
}

impl<'c, 'm> Case<'c, 'm> {
    /// The process with the reductions that the property allows.
    pub(super) fn reduced(&self, to: Reductions, watched: &[&Expr]) -> Result<Reduced<'c, 'm>, Fault> {
        Reduced::new(self.universe, self.assertion.root, to, watched)
    }

    /// The process as it is.
    pub(super) fn plain(&self) -> Result<System<'c, 'm>, Fault> {
        System::new(self.universe, self.assertion.root)
    }

    fn refines(&self, spec: SiteId, semantics: Semantics) -> Result<Answer, Fault> {
        let reductions = self.settings.reductions();
        let imp = self.reduced(reductions, &[])?;
        let specification = Reduced::new(self.universe, spec, reductions, &[])?;
        let renaming = self.renaming(&imp, Some((spec, &specification)), &[]);
        let problem = Problem {
            imp: &imp,
            spec: &specification,
            semantics,
            antichain: self.settings.antichain,
            symmetry: renaming.as_ref().map(|r| r as &dyn Symmetry),
            sabotage: self.settings.sabotage,
        };
        let (outcome, tally) = search::run(&problem, self.effort, self.watch);
        let plain_spec = System::new(self.universe, spec)?;
        Ok(self.settle(outcome, tally, Some(&plain_spec), semantics))
    }

    pub(super) fn renaming<'s>(
        &self,
        imp: &'s Reduced<'c, 'm>,
        spec: Option<(SiteId, &'s Reduced<'c, 'm>)>,
        watched: &[&Expr],
    ) -> Option<Renaming<'s, 'c, 'm>> {
        let mut roots = vec![self.assertion.root];
        roots.extend(spec.map(|(site, _)| site));
        match self.settings.symmetry {
            true => Renaming::find(&roots, imp, spec.map(|(_, s)| s), watched),
            false => None,
        }
    }

    /// `ending`: termination counts as being stuck.
    fn stuck(&self, ending: bool) -> Result<Answer, Fault> {
        let system = self.reduced(self.settings.reductions(), &[])?;
        let renaming = self.renaming(&system, None, &[]);
        let mut is = |state: &[u8], out: &Expansion| {
            out.is_empty() && (ending || !system.system.is_done(&system.unpack(state)))
        };
        let symmetry = renaming.as_ref().map(|r| r as &dyn Symmetry);
        let (found, tally) = explore(&system, symmetry, Quarry::State(&mut is), self.effort, self.watch);
        let mut goal = |s: &State, moves: &[system::Move]| {
            (moves.is_empty() && (ending || !system.system.is_done(s))).then_some(None)
        };
        Ok(self.found(found, tally, "deadlock", &mut goal))
    }

    fn divergence(&self) -> Result<Answer, Fault> {
        let system = self.reduced(self.settings.reductions(), &[])?;
        let renaming = self.renaming(&system, None, &[]);
        let symmetry = renaming.as_ref().map(|r| r as &dyn Symmetry);
        let (found, tally) = explore(&system, symmetry, Quarry::Divergence, self.effort, self.watch);
        let plain = self.plain()?;
        let mut goal = |s: &State, _: &[system::Move]| replay::diverges(&plain, s).then_some(None);
        Ok(self.found(found, tally, "divergence", &mut goal))
    }

    /// Two different states by the same label, internal steps included. All reductions are off:
    /// they merge states that this property tells apart.
    fn deterministic(&self) -> Result<Answer, Fault> {
        let system = self.reduced(Reductions::NONE, &[])?;
        let mut is = |_: &[u8], out: &Expansion| {
            (0..out.len())
                .any(|i| (0..i).any(|j| out.label(i) == out.label(j) && out.state(i).0 != out.state(j).0))
        };
        let (found, tally) = explore(&system, None, Quarry::State(&mut is), self.effort, self.watch);
        let mut goal = |_: &State, moves: &[system::Move]| {
            let good = |m: &system::Move| m.to.as_ref().ok().cloned();
            (0..moves.len())
                .any(|i| {
                    (0..i).any(|j| moves[i].label == moves[j].label && good(&moves[i]) != good(&moves[j]))
                })
                .then_some(None)
        };
        Ok(self.found(found, tally, "nondeterminism", &mut goal))
    }

    fn found(&self, found: Found, tally: Tally, kind: &str, goal: &mut replay::Goal) -> Answer {
        match found {
            Found::Nothing => self.holds(tally),
            Found::Unknown(limit) => self.unknown(limit, tally),
            Found::Fault(failure) => self.settle(Outcome::Violated(failure), tally, None, Semantics::Traces),
            Found::At(trace) => {
                let Ok(plain) = self.plain() else {
                    return self.unknown(not_replayed(), tally);
                };
                match replay::find(&plain, &trace, goal) {
                    None => self.unknown(not_replayed(), tally),
                    Some(run) => {
                        let ended =
                            run.last().map_or(plain.start(), |s| s.to.as_ref().expect("a state")).clone();
                        let kind =
                            if kind == "deadlock" && plain.is_done(&ended) { "termination" } else { kind };
                        self.violated(&plain, Story::plain(kind, &run), tally)
                    }
                }
            }
        }
    }

    pub(super) fn settle(
        &self,
        outcome: Outcome,
        tally: Tally,
        spec: Option<&System>,
        semantics: Semantics,
    ) -> Answer {
        match outcome {
            Outcome::Holds => self.holds(tally),
            Outcome::Unknown(limit) => self.unknown(limit, tally),
            Outcome::Violated(Failure { kind: FailureKind::Fault(fault), .. }) if fault.is_gap() => {
                let mut limit = Limit::method(format!("{}.", witness::capital(&fault.message)));
                limit.at = self.universe.model.place(fault.spot);
                self.unknown(limit, tally)
            }
            Outcome::Violated(failure) => {
                let Ok(plain) = self.plain() else {
                    return self.unknown(not_replayed(), tally);
                };
                match self.confirm(&plain, spec, &failure, semantics) {
                    None => self.unknown(not_replayed(), tally),
                    Some(run) => {
                        let story = self.story(&plain, spec, &failure, &run);
                        self.violated(&plain, story, tally)
                    }
                }
            }
        }
    }

    /// Finds the failure again without any reduction.
    fn confirm(
        &self,
        plain: &System,
        spec: Option<&System>,
        failure: &Failure,
        semantics: Semantics,
    ) -> Option<Vec<RunStep>> {
        let allowed = spec.map(|s| replay::after(s, &failure.trace));
        if let (Some(allowed), Semantics::FailuresDivergences, Some(spec)) = (&allowed, semantics, spec)
            && allowed.iter().any(|s| replay::diverges(spec, s))
        {
            return None;
        }
        match &failure.kind {
            FailureKind::Event(e) => {
                let mut trace = failure.trace.clone();
                trace.push(*e);
                if allowed?.is_empty() || !replay::after(spec?, &trace).is_empty() {
                    return None;
                }
                replay::find(plain, &failure.trace, &mut |_, moves| {
                    moves.iter().position(|m| m.label == Label::Event(*e)).map(Some)
                })
            }
            FailureKind::Refusal => {
                let mut accepted = Vec::new();
                let mut moves = Vec::new();
                for state in allowed? {
                    moves.clear();
                    spec?.moves(&state, &mut moves);
                    accepted.extend(replay::offers(&moves));
                }
                replay::find(plain, &failure.trace, &mut |_, moves| {
                    let offered = replay::offers(moves)?;
                    (!accepted.iter().any(|a| subset(a, &offered))).then_some(None)
                })
            }
            FailureKind::Divergence => replay::find(plain, &failure.trace, &mut |state, _| {
                replay::diverges(plain, state).then_some(None)
            }),
            FailureKind::Fault(_) => replay::find(plain, &failure.trace, &mut |_, moves| {
                moves.iter().position(|m| m.to.is_err()).map(Some)
            }),
        }
    }

    fn story<'r>(
        &self,
        plain: &System,
        spec: Option<&System>,
        failure: &Failure,
        run: &'r [RunStep],
    ) -> Story<'r> {
        let mut story = Story::plain("", run);
        if let Some(spec) = spec {
            let mut moves = Vec::new();
            for state in replay::after(spec, &failure.trace) {
                moves.clear();
                spec.moves(&state, &mut moves);
                story.allowed.extend(moves.iter().filter_map(|m| match m.label {
                    Label::Event(e) => Some(e),
                    Label::Internal => None,
                }));
            }
            story.allowed.sort_unstable();
            story.allowed.dedup();
        }
        match &failure.kind {
            FailureKind::Event(e) => {
                story.kind = "trace".into();
                story.event = Some(*e);
            }
            FailureKind::Refusal => {
                story.kind = "refusal".into();
                let end = run.last().and_then(|s| s.to.clone()).unwrap_or_else(|| plain.start().clone());
                let mut moves = Vec::new();
                plain.moves(&end, &mut moves);
                story.offered = replay::offers(&moves).unwrap_or_default();
            }
            FailureKind::Divergence => story.kind = "divergence".into(),
            FailureKind::Fault(fault) => {
                story.kind = fault.kind.word().into();
                story.fault = Some(fault.clone());
            }
        }
        story
    }

    pub(super) fn violated(&self, plain: &System, story: Story, tally: Tally) -> Answer {
        let run = story.run.iter().map(|s| s.index).collect();
        let witness = witness::tell(self.universe, plain, &story);
        Answer { verdict: Verdict::Violated(Box::new(witness)), tally, run, remarks: Vec::new() }
    }

    pub(super) fn unknown(&self, limit: Limit, tally: Tally) -> Answer {
        Answer { verdict: Verdict::Unknown(limit), tally, run: Vec::new(), remarks: Vec::new() }
    }

    pub(super) fn holds(&self, tally: Tally) -> Answer {
        Answer { verdict: Verdict::Holds(self.scope()), tally, run: Vec::new(), remarks: Vec::new() }
    }

    fn scope(&self) -> Scope {
        let mut scope = Scope::states(Storage::Exact);
        if self.universe.model.cells.iter().any(|c| c.hidden) {
            scope.assumptions.push(Assumption::HiddenVariables);
        }
        scope
    }
}

pub(super) fn not_replayed() -> Limit {
    Limit::method(
        "a violation was found, but no run of the unreduced model confirmed it: please report the model",
    )
}
