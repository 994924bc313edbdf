//! Assertions of a model into verdicts.

use super::explore::Order;
use super::parallel::with_room;
use super::reduce::{Reduced, Reductions};
use super::renaming::Renaming;
use super::replay::{self, Ending, Goal};
use super::safety::{Found, Wanted, explore};
use super::search::{self, Outcome, Problem, Tally};
use super::symmetry::Symmetry;
use super::witness::{self, Story};
use lineal_model::adt::Kind;
use lineal_model::lts::{Lts, StepsOf};
use lineal_model::process::expr::Expr;
use lineal_model::process::term::Universe;
use lineal_model::process::*;
use lineal_model::{
    Assumption, Counter, Effort, Finding, Limit, Observer, Scope, Stats, Storage, Verdict, Witness,
    WitnessKind,
};

/// Which reductions to use. None changes a verdict or the length of a witness's trace.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    pub antichain: bool,
    pub symmetry: bool,
    /// Dead variables go back to their initial values.
    pub reset: bool,
    /// Local steps are taken at once.
    pub fuse: bool,
    /// In linearizability, calls begin with their first step and end with their last.
    pub calls: bool,
    /// Which states are visited first. With [`Order::Depth`] no witness is shortest.
    pub order: Order,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            antichain: true,
            symmetry: true,
            reset: true,
            fuse: true,
            calls: true,
            order: Order::Breadth,
        }
    }
}

impl Settings {
    pub const PLAIN: Settings = Settings {
        antichain: false,
        symmetry: false,
        reset: false,
        fuse: false,
        calls: false,
        order: Order::Breadth,
    };

    pub(super) fn reductions(&self) -> Reductions {
        Reductions { reset: self.reset, fuse: self.fuse, copies: self.symmetry, calls: false }
    }
}

#[derive(Debug)]
pub(super) struct Answer {
    pub verdict: Verdict,
    pub tally: Tally,
    pub run: Vec<usize>,
    /// Where the part of the run begins that is repeated for ever.
    pub repeats: Option<usize>,
    pub remarks: Vec<String>,
    /// A run that shows what holds.
    pub example: Option<Witness>,
}

#[derive(Debug)]
pub struct Checked {
    pub finding: Finding,
    pub tally: Tally,
    /// The witness's run in the unreduced system, as numbers of moves.
    pub run: Vec<usize>,
    /// Where the part of it begins that is repeated for ever.
    pub repeats: Option<usize>,
}

/// Decides one assertion. The error is that the process cannot even be built.
pub fn check(
    model: &Model,
    assertion: &Assertion,
    settings: &Settings,
    effort: &Effort,
    watch: &dyn Observer,
) -> Result<Checked, Fault> {
    let mut answer = with_room(|| decide(model, assertion, settings, effort, watch))?;
    if settings.calls
        && let (Verdict::Violated(_), Claim::Linearizable { .. }) = (&answer.verdict, &assertion.claim)
    {
        // Answers are not put off there, and a shortest trace may lack one.
        let settings = Settings { calls: false, ..*settings };
        let again = with_room(|| decide(model, assertion, &settings, effort, watch))?;
        if let Verdict::Violated(_) = again.verdict {
            answer = again;
        }
    }
    let Answer { verdict, tally, run, repeats, remarks, example } = answer;
    let mut finding = finding(assertion, verdict);
    finding.remarks = remarks;
    finding.example = example.map(Box::new);
    finding.stats = Stats { states: tally.states, jobs: effort.jobs as u64, ..Stats::default() };
    finding.stats.more.insert(Counter::TableBytes, tally.bytes);
    if tally.pairs > 0 {
        finding.stats.more.insert(Counter::Pairs, tally.pairs);
    }
    if tally.spec_states > 0 {
        finding.stats.more.insert(Counter::SpecStates, tally.spec_states);
        finding.stats.more.insert(Counter::SpecSets, tally.sets);
    }
    Ok(Checked { finding, tally, run, repeats })
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
        Claim::Linearizable { quasi: None, .. } => (" linearizable", " is not linearizable as"),
        Claim::Linearizable { .. } => (" linearizable", " is not quasi-linearizable as"),
        Claim::Ltl { .. } => (" |=", " does not satisfy"),
    };
    let mut finding = Finding::new(&assertion.text, verdict);
    if assertion.text.contains(said) && !said.is_empty() {
        finding.wrong = assertion.text.replacen(said, denied, 1);
    }
    if let Claim::Ltl { fairness, .. } = &assertion.claim
        && *fairness != Fairness::None
    {
        let said = format!(" under {} fairness", fairness.word());
        finding.property.push_str(&said);
        finding.wrong.push_str(&said);
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
        Claim::Ltl { formula, fairness } => case.temporal(formula, *fairness)?,
        Claim::Linearizable { object, init, quasi } => case.linearizable(object, *init, quasi.as_ref())?,
    };
    if !matches!(assertion.claim, Claim::Ltl { .. }) && !model.annotations(assertion.root).is_empty() {
        answer.remarks.push(ABOUT_RUNS.into());
    }
    if let Verdict::Unknown(limit) = &mut answer.verdict
        && limit.covered.is_empty()
        && answer.tally.states > 0
    {
        let states = answer.tally.states;
        limit.covered = match &assertion.claim {
            Claim::Reaches { extreme: None, .. } => {
                format!("The condition is false in the {states} states visited.")
            }
            Claim::Reaches { .. } => format!("{states} states were visited."),
            _ => format!("No violation among the {states} states visited."),
        };
    }
    Ok(answer)
}

/// Said of annotations where they change nothing.
const ABOUT_RUNS: &str =
    "The annotations of events (wf, sf, wl, sl) matter to temporal assertions only, not to this one.";

/// Takes the moves of an earlier witness again and tells what happens.
pub fn rerun(
    model: &Model,
    assertion: &Assertion,
    run: &[usize],
    repeats: Option<usize>,
) -> Result<Witness, String> {
    let universe = Universe::new(model);
    let plain = System::new(&universe, assertion.root).map_err(|f| f.message)?;
    let (steps, fault) = replay::walk(&plain, run)?;
    let mut again =
        witness::tell(&universe, &plain, &Story { fault, ..Story::plain(WitnessKind::Replay, &steps) });
    again.repeats = repeats.map(|n| n as u32);
    Ok(again)
}

pub(super) struct Case<'c, 'm> {
    pub universe: &'c Universe<'m>,
    pub assertion: &'c Assertion,
    pub settings: &'c Settings,
    pub effort: &'c Effort,
    pub watch: &'c dyn Observer,
}

impl<'c, 'm> Case<'c, 'm> {
    /// The process with the reductions that the property allows.
    pub(super) fn reduced(&self, to: Reductions, watched: &[&Expr]) -> Result<Reduced<'c, 'm>, Fault> {
        // A fused step may pass through a state that is counted.
        let counts = watched.iter().any(|e| counts_processes(e));
        let to = Reductions { fuse: to.fuse && !counts, ..to };
        Reduced::new(self.universe, self.assertion.root, to, watched)
    }

    /// What the process may ask of some event.
    pub(super) fn annotations(&self) -> Annotations {
        self.universe.model.annotations(self.assertion.root)
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
            order: self.settings.order,
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
        let mut is = |state: &[u8], out: StepsOf<Fault>| out.is_empty() && (ending || !system.is_done(state));
        let symmetry = renaming.as_ref().map(|r| r as &dyn Symmetry);
        let (found, tally) =
            explore(&system, symmetry, Wanted::State(&mut is), self.settings.order, self.effort, self.watch);
        let plain = self.plain()?;
        let mut goal = |state: &[u8], out: StepsOf<Fault>| {
            let stuck = out.is_empty() && out.failed().is_empty();
            Ok((stuck && (ending || !Lts::is_done(&plain, state))).then_some(Ending::Here))
        };
        Ok(self.found(&plain, found, tally, WitnessKind::Deadlock, &mut goal))
    }

    fn divergence(&self) -> Result<Answer, Fault> {
        let system = self.reduced(self.settings.reductions(), &[])?;
        let renaming = self.renaming(&system, None, &[]);
        let symmetry = renaming.as_ref().map(|r| r as &dyn Symmetry);
        let (found, tally) =
            explore(&system, symmetry, Wanted::Divergence, self.settings.order, self.effort, self.watch);
        let plain = self.plain()?;
        let mut goal = |state: &[u8], _: StepsOf<Fault>| {
            let diverges = replay::diverges(&plain, &plain.unpack(state), self.watch)?;
            Ok(diverges.then_some(Ending::Here))
        };
        Ok(self.found(&plain, found, tally, WitnessKind::Divergence, &mut goal))
    }

    /// Two different states by the same label, internal steps included. All reductions are off:
    /// they merge states that this property tells apart.
    fn deterministic(&self) -> Result<Answer, Fault> {
        let system = self.reduced(Reductions::NONE, &[])?;
        let mut is = |_: &[u8], out: StepsOf<Fault>| {
            (0..out.len())
                .any(|i| (0..i).any(|j| out.label(i) == out.label(j) && out.state(i).0 != out.state(j).0))
        };
        let (found, tally) =
            explore(&system, None, Wanted::State(&mut is), self.settings.order, self.effort, self.watch);
        let plain = self.plain()?;
        let mut goal = |_: &[u8], out: StepsOf<Fault>| {
            let differ = (0..out.len()).any(|i| {
                (0..i).any(|j| out.label(i) == out.label(j) && out.state(i) != out.state(j))
                    || out.failed().iter().any(|f| f.label == out.label(i))
            });
            Ok(differ.then_some(Ending::Here))
        };
        Ok(self.found(&plain, found, tally, WitnessKind::Nondeterminism, &mut goal))
    }

    fn found(
        &self,
        plain: &System,
        found: Found<Fault>,
        tally: Tally,
        kind: WitnessKind,
        goal: &mut Goal<Fault>,
    ) -> Answer {
        match found {
            Found::Nothing => self.holds(tally),
            Found::Unknown(limit) => self.unknown(limit, tally),
            Found::Fault(failure) => self.settle(Outcome::Violated(failure), tally, None, Semantics::Traces),
            Found::At(trace) => match self.again(plain, &trace, goal) {
                Err(limit) => self.unknown(limit, tally),
                Ok(run) => {
                    let ended = run.last().map_or(plain.start(), |s| s.to.as_ref().expect("a state"));
                    let over = kind == WitnessKind::Deadlock && plain.is_done(ended);
                    let kind = if over { WitnessKind::Termination } else { kind };
                    self.violated(plain, Story::plain(kind, &run), tally)
                }
            },
        }
    }

    pub(super) fn violated(&self, plain: &System, story: Story, tally: Tally) -> Answer {
        let run = story.run.iter().map(|s| s.index).collect();
        let mut witness = witness::tell(self.universe, plain, &story);
        witness.shortest = self.settings.order == Order::Breadth;
        Answer {
            verdict: Verdict::Violated(Box::new(witness)),
            tally,
            run,
            repeats: None,
            remarks: Vec::new(),
            example: None,
        }
    }

    pub(super) fn unknown(&self, limit: Limit, tally: Tally) -> Answer {
        Answer {
            verdict: Verdict::Unknown(limit),
            tally,
            run: Vec::new(),
            repeats: None,
            remarks: Vec::new(),
            example: None,
        }
    }

    pub(super) fn holds(&self, tally: Tally) -> Answer {
        Answer {
            verdict: Verdict::Holds(self.scope()),
            tally,
            run: Vec::new(),
            repeats: None,
            remarks: Vec::new(),
            example: None,
        }
    }

    fn scope(&self) -> Scope {
        let mut scope = Scope::states(Storage::Exact);
        if let Claim::Linearizable { object, quasi: Some(relaxation), .. } = &self.assertion.claim {
            scope.quasi = Kind::from_word(object).map(|kind| relaxation.scope(kind));
        }
        if self.universe.model.cells.iter().any(|c| c.hidden) {
            scope.assumptions.push(Assumption::HiddenVariables);
        }
        if let Claim::Ltl { fairness, .. } = &self.assertion.claim
            && *fairness != Fairness::None
        {
            scope.assumptions.push(Assumption::Fair(*fairness));
        }
        if let Claim::Ltl { .. } = &self.assertion.claim {
            scope.assumptions.extend(self.annotations().iter().map(Assumption::Annotated));
        }
        scope
    }
}

/// Whether a condition counts processes.
fn counts_processes(e: &Expr) -> bool {
    let mut found = false;
    e.walk(&mut |e| found |= matches!(e, Expr::Alike(_)));
    found
}
