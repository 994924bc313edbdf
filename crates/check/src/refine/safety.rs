//! Properties of one system, decided in each of its states.
//!
//! A run that faults ends the search, unless a goal is looked for: whether that is reached must not
//! depend on what is met first. Where a process cannot be followed (a *gap*: it calls itself without
//! a step, or an index set is too large) the search goes on elsewhere, and finding nothing then
//! means nothing.

use super::divergence::Divergence;
use super::explore::{Explorer, Identity, NodeId, Order, Stop, Task};
use super::search::{Failure, FailureKind, Tally};
use super::symmetry::Symmetry;
use lineal_model::lts::{Effect, Lts, Obstacle, StepsOf};
use lineal_model::{Effort, Limit, Observer};
use std::ops::ControlFlow::{self, Break, Continue};

/// Asked of a packed state and its steps.
type Test<'q, F> = dyn FnMut(&[u8], StepsOf<F>) -> bool + 'q;
type Look<'q, F> = dyn FnMut(&[u8], StepsOf<F>) -> Glance + 'q;

/// What a state is to a goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Glance {
    Nothing,
    /// The best one so far.
    Better,
    /// What was looked for.
    Found,
}

/// What to look for.
pub enum Wanted<'q, F> {
    /// The first state for which this says yes.
    State(&'q mut Test<'q, F>),
    /// The same, whatever happens in other runs.
    Goal(&'q mut Look<'q, F>),
    /// A state from which internal steps can go on for ever.
    Divergence,
}

pub enum Found<F> {
    Nothing,
    /// The visible trace to a state.
    At(Vec<u32>),
    /// Some run faults; for a goal: and nothing was found.
    Fault(Failure<F>),
    Unknown(Limit),
}

/// Visits every state.
pub fn explore<L: Lts + Sync>(
    lts: &L,
    symmetry: Option<&dyn Symmetry>,
    wanted: Wanted<L::Fault>,
    order: Order,
    effort: &Effort,
    watch: &dyn Observer,
) -> (Found<L::Fault>, Tally) {
    let (found, _, tally) = seek(lts, symmetry, wanted, order, effort, watch);
    (found, tally)
}

/// The same, and the trace to the best state that was seen.
pub fn seek<L: Lts + Sync>(
    lts: &L,
    symmetry: Option<&dyn Symmetry>,
    wanted: Wanted<L::Fault>,
    order: Order,
    effort: &Effort,
    watch: &dyn Observer,
) -> (Found<L::Fault>, Option<Vec<u32>>, Tally) {
    let mut hunt = Hunt { wanted, divergence: Divergence::default(), gap: None, wrong: None, best: None };
    let mut explorer = Explorer::new(lts, order.levels(), Identity::Key, watch).symmetry(symmetry);
    let end = match explorer.explore(&mut hunt, effort) {
        None => hunt.gap.take().or(hunt.wrong.take()),
        Some(Stop::Found(end)) => Some(end),
        Some(Stop::Limit(limit)) => return (Found::Unknown(limit), None, tally(&explorer)),
    };
    let best = hunt.best.map(|node| explorer.trace(&mut hunt, node));
    let found = match end {
        None => Found::Nothing,
        Some((node, None)) => Found::At(explorer.trace(&mut hunt, node)),
        Some((node, Some(fault))) => {
            let trace = explorer.trace(&mut hunt, node);
            Found::Fault(Failure { trace, kind: FailureKind::Fault(fault) })
        }
    };
    (found, best, tally(&explorer))
}

fn tally<L: Lts>(explorer: &Explorer<L>) -> Tally {
    Tally { states: explorer.states.len() as u64, bytes: explorer.size(), ..Tally::default() }
}

/// A node, and the fault there if it is that.
type End<F> = (NodeId, Option<F>);

struct Hunt<'q, F> {
    wanted: Wanted<'q, F>,
    divergence: Divergence,
    gap: Option<End<F>>,
    wrong: Option<End<F>>,
    best: Option<NodeId>,
}

impl<L: Lts> Task<L> for Hunt<'_, L::Fault> {
    type Found = End<L::Fault>;

    fn visit(
        &mut self,
        explorer: &mut Explorer<L>,
        node: NodeId,
        steps: StepsOf<L::Fault>,
    ) -> ControlFlow<Stop<Self::Found>, bool> {
        let fault = steps.fault();
        if let Some(fault) = fault {
            let end = (node, Some(fault.clone()));
            match (fault.effect(), &self.wanted) {
                (Effect::Gap, _) => self.gap.get_or_insert(end),
                (Effect::Wrong, Wanted::Goal(_)) => self.wrong.get_or_insert(end),
                _ => return Break(Stop::Found(end)),
            };
        }
        let found = match &mut self.wanted {
            Wanted::State(_) if fault.is_some() => false,
            Wanted::State(is) => is(explorer.bytes(node), steps),
            Wanted::Goal(look) => {
                let glance = look(explorer.bytes(node), steps);
                if glance == Glance::Better {
                    self.best = Some(node);
                }
                glance == Glance::Found
            }
            Wanted::Divergence => match explorer.diverges(&mut self.divergence, explorer.state(node)) {
                Continue(diverges) => diverges,
                Break(limit) => return Break(Stop::Limit(limit)),
            },
        };
        if found { Break(Stop::Found((node, None))) } else { Continue(true) }
    }
}
