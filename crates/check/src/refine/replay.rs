//! Runs of the unreduced system: every witness is found again here before it is reported.
//!
//! The run is looked for by the same explorer, without reductions, symmetry or antichain, every step a
//! level and hidden variables told apart; then it is walked, move by move, by nothing but the meaning
//! of processes. What a specification allows after a trace is found by plain sets of its states. All
//! of it is watched: a re-check that cannot be finished is a limit.

use super::divergence::Divergence;
use super::explore::{Explorer, Identity, Levels, Mark, NodeId, Stop, Task};
use lineal_model::lts::{Label, Lts, StepsOf};
use lineal_model::process::{Fault, SiteId, State, System};
use lineal_model::{Counts, Effort, Limit, Observer};
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::ControlFlow::{self, Break, Continue};

/// One step of a run, and where it led. A faulting last step leads nowhere.
#[derive(Clone, Debug)]
pub struct RunStep {
    /// Which of the state's moves was taken.
    pub index: usize,
    pub label: Label,
    pub who: usize,
    pub site: SiteId,
    pub to: Option<State>,
}

/// How a run ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    Here,
    /// With one more step, by number.
    With(u32),
}

/// Whether a run may end in this state.
pub type Goal<'g, F> = dyn FnMut(&[u8], StepsOf<F>) -> Result<Option<Ending>, Limit> + 'g;

/// The numbers of the steps of the shortest run with exactly the visible events `trace` that ends
/// where `goal` says so. Only the observer may cut it short: the cap on states is for searches.
pub fn find<L: Lts + Sync>(
    lts: &L,
    trace: &[u32],
    goal: &mut Goal<L::Fault>,
    watch: &dyn Observer,
) -> Result<Option<Vec<u32>>, Limit> {
    let mut task = Follow { trace, goal };
    let mut explorer = Explorer::new(lts, Levels::Every, Identity::Whole, watch);
    let (node, ending) = match explorer.explore(&mut task, &Effort::default()) {
        None => return Ok(None),
        Some(Stop::Limit(limit)) => return Err(limit),
        Some(Stop::Found(found)) => found,
    };
    let mut run: Vec<u32> = explorer.run(&mut task, node).iter().map(|t| t.number).collect();
    if let Ending::With(last) = ending {
        run.push(last);
    }
    Ok(Some(run))
}

/// A trace, followed; the mark is the place in it.
struct Follow<'f, F> {
    trace: &'f [u32],
    goal: &'f mut Goal<'f, F>,
}

impl<L: Lts> Task<L> for Follow<'_, L::Fault> {
    type Found = (NodeId, Ending);

    fn visit(
        &mut self,
        explorer: &mut Explorer<L>,
        node: NodeId,
        steps: StepsOf<L::Fault>,
    ) -> ControlFlow<Stop<Self::Found>, bool> {
        if explorer.mark(node) as usize == self.trace.len() {
            match (self.goal)(explorer.bytes(node), steps) {
                Ok(None) => {}
                Ok(Some(ending)) => return Break(Stop::Found((node, ending))),
                Err(limit) => return Break(Stop::Limit(limit)),
            }
        }
        Continue(true)
    }

    fn after(&mut self, at: Mark, label: Label) -> Option<Mark> {
        match label {
            Label::Internal => Some(at),
            Label::Event(e) => (self.trace.get(at as usize) == Some(&e)).then_some(at + 1),
        }
    }
}

/// Takes the moves of a run, one by one; ends early with one that faults.
pub fn walk(system: &System, run: &[usize]) -> Result<(Vec<RunStep>, Option<Fault>), String> {
    let mut state = system.start().clone();
    let mut steps = Vec::new();
    let mut moves = Vec::new();
    for (n, index) in run.iter().enumerate() {
        moves.clear();
        system.moves(&state, &mut moves);
        let Some(m) = moves.drain(..).nth(*index) else {
            return Err(format!("the model has no move {index} after {n} steps"));
        };
        let (to, fault) = match m.to {
            Ok(to) => (Some(to), None),
            Err(fault) => (None, Some(fault)),
        };
        steps.push(RunStep { index: *index, label: m.label, who: m.who, site: m.site, to: to.clone() });
        match to {
            Some(to) => state = to,
            None => return Ok((steps, fault)),
        }
    }
    Ok((steps, None))
}

/// States looked at between two looks at the limits.
const BATCH: usize = 512;

/// Asks the observer from time to time, whatever else is going on.
struct Patience<'w> {
    watch: &'w dyn Observer,
    looked: usize,
}

impl Patience<'_> {
    /// One more state of this size has been looked at.
    fn spend(&mut self, state: &State) -> ControlFlow<Limit> {
        self.looked += 1;
        if !self.looked.is_multiple_of(BATCH) {
            return Continue(());
        }
        let each = size_of::<State>() + 4 * (state.leaves.len() + state.cells.len());
        let (states, bytes) = (self.looked as u64, (2 * each * self.looked) as u64);
        self.watch.progress(Counts { states, bytes, ..Counts::default() })
    }
}

/// Every state after `trace` and internal steps; empty if the system cannot do it.
pub fn after(system: &System, trace: &[u32], watch: &dyn Observer) -> Result<FxHashSet<State>, Limit> {
    let mut patience = Patience { watch, looked: 0 };
    let mut now = FxHashSet::default();
    now.insert(system.start().clone());
    let mut found = reach(system, now, Label::Internal, &mut patience);
    for event in trace {
        found = found.and_then(|now| {
            let next = reach(system, now, Label::Event(*event), &mut patience)?;
            reach(system, next, Label::Internal, &mut patience)
        });
    }
    found
}

/// What `label` leads to: any number of times if it is internal, once otherwise.
fn reach(
    system: &System,
    from: FxHashSet<State>,
    label: Label,
    patience: &mut Patience,
) -> Result<FxHashSet<State>, Limit> {
    let mut work: Vec<State> = from.iter().cloned().collect();
    let mut states = if label == Label::Internal { from } else { FxHashSet::default() };
    let mut moves = Vec::new();
    while let Some(state) = work.pop() {
        if let Break(limit) = patience.spend(&state) {
            return Err(limit);
        }
        moves.clear();
        system.moves(&state, &mut moves);
        for to in moves.drain(..).filter(|m| m.label == label).filter_map(|m| m.to.ok()) {
            if !states.contains(&to) {
                states.insert(to.clone());
                if label == Label::Internal {
                    work.push(to);
                }
            }
        }
    }
    Ok(states)
}

/// Whether `state` can take internal steps for ever.
pub fn diverges(system: &System, state: &State, watch: &dyn Observer) -> Result<bool, Limit> {
    let mut patience = Patience { watch, looked: 0 };
    let mut ids: FxHashMap<State, u32> = FxHashMap::default();
    let mut all = vec![state.clone()];
    ids.insert(state.clone(), 0);
    let mut moves = Vec::new();
    let answer = Divergence::default().diverges(0, &mut |s| {
        patience.spend(&all[s as usize])?;
        moves.clear();
        system.moves(&all[s as usize].clone(), &mut moves);
        let internal = moves.drain(..).filter(|m| m.label == Label::Internal).filter_map(|m| m.to.ok());
        let number = |to: State| {
            *ids.entry(to).or_insert_with_key(|to| {
                all.push(to.clone());
                all.len() as u32 - 1
            })
        };
        Continue(internal.map(number).collect())
    });
    match answer {
        Continue(answer) => Ok(answer),
        Break(limit) => Err(limit),
    }
}

/// The first step with that label, by number; it may be one that fails.
pub fn first<F>(steps: StepsOf<F>, label: Label) -> Option<Ending> {
    let good = (0..steps.len()).filter(|i| steps.label(*i) == label).map(|i| steps.number(i));
    let failed = steps.failed().iter().filter(|f| f.label == label).map(|f| f.number);
    good.chain(failed).min().map(Ending::With)
}

/// The events that a state offers, ascending; `None` if it is not stable.
pub fn offers(labels: impl Iterator<Item = Label>) -> Option<Vec<u32>> {
    let event = |label| match label {
        Label::Internal => None,
        Label::Event(e) => Some(e),
    };
    let mut events: Vec<u32> = labels.map(event).collect::<Option<_>>()?;
    events.sort_unstable();
    events.dedup();
    Some(events)
}
