//! Runs of the unreduced system: every witness is found again here before it is reported.
//!
//! Nothing of the search is shared but the meaning of processes: no tables, no sets, no
//! reductions.

use lineal_model::lts::Label;
use lineal_model::process::system::Move;
use lineal_model::process::{SiteId, State, System};
use rustc_hash::{FxHashMap, FxHashSet};

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

/// Whether a run may end in this state; if so, perhaps with one of its moves as the last step.
pub type Goal<'g> = dyn FnMut(&State, &[Move]) -> Option<Option<usize>> + 'g;

/// States looked at before giving up.
const MANY: usize = 4_000_000;

/// The shortest run with exactly the visible events `trace` that ends in a state where `goal`
/// answers yes.
pub fn find(system: &System, trace: &[u32], goal: &mut Goal) -> Option<Vec<RunStep>> {
    struct Node {
        parent: usize,
        step: Option<RunStep>,
    }
    let mut nodes = vec![Node { parent: 0, step: None }];
    let mut seen: FxHashSet<(State, usize)> = FxHashSet::default();
    seen.insert((system.start().clone(), 0));
    let mut queue = vec![(0usize, system.start().clone(), 0usize)];
    let mut moves = Vec::new();
    while !queue.is_empty() {
        let mut next = Vec::new();
        for (node, state, at) in queue {
            moves.clear();
            system.moves(&state, &mut moves);
            if at == trace.len()
                && let Some(last) = goal(&state, &moves)
            {
                let mut run = Vec::new();
                if let Some(index) = last {
                    let m = &moves[index];
                    run.push(RunStep {
                        index,
                        label: m.label,
                        who: m.who,
                        site: m.site,
                        to: m.to.clone().ok(),
                    });
                }
                let mut n = node;
                while let Some(step) = nodes[n].step.take() {
                    run.push(step);
                    n = nodes[n].parent;
                }
                run.reverse();
                return Some(run);
            }
            for (index, m) in moves.drain(..).enumerate() {
                let at = match m.label {
                    Label::Internal => at,
                    Label::Event(e) if trace.get(at) == Some(&e) => at + 1,
                    Label::Event(_) => continue,
                };
                let Ok(to) = m.to else { continue };
                if nodes.len() < MANY && seen.insert((to.clone(), at)) {
                    let step =
                        RunStep { index, label: m.label, who: m.who, site: m.site, to: Some(to.clone()) };
                    nodes.push(Node { parent: node, step: Some(step) });
                    next.push((nodes.len() - 1, to, at));
                }
            }
        }
        queue = next;
    }
    None
}

/// Every state after `trace` and internal steps; empty if the system cannot do it.
pub fn after(system: &System, trace: &[u32]) -> FxHashSet<State> {
    let mut now = closure(system, [system.start().clone()].into_iter().collect());
    for event in trace {
        let mut next = FxHashSet::default();
        let mut moves = Vec::new();
        for state in &now {
            moves.clear();
            system.moves(state, &mut moves);
            next.extend(
                moves.drain(..).filter(|m| m.label == Label::Event(*event)).filter_map(|m| m.to.ok()),
            );
        }
        now = closure(system, next);
    }
    now
}

fn closure(system: &System, mut states: FxHashSet<State>) -> FxHashSet<State> {
    let mut work: Vec<State> = states.iter().cloned().collect();
    let mut moves = Vec::new();
    while let Some(state) = work.pop() {
        moves.clear();
        system.moves(&state, &mut moves);
        for m in moves.drain(..).filter(|m| m.label == Label::Internal) {
            if let Ok(to) = m.to
                && !states.contains(&to)
            {
                states.insert(to.clone());
                work.push(to);
            }
        }
    }
    states
}

/// Whether `state` can take internal steps for ever.
pub fn diverges(system: &System, state: &State) -> bool {
    let mut ids: FxHashMap<State, u32> = FxHashMap::default();
    let mut all = vec![state.clone()];
    ids.insert(state.clone(), 0);
    let mut moves = Vec::new();
    super::divergence::Divergence::default().diverges(0, &mut |s| {
        moves.clear();
        system.moves(&all[s as usize].clone(), &mut moves);
        moves
            .drain(..)
            .filter(|m| m.label == Label::Internal)
            .filter_map(|m| m.to.ok())
            .map(|to| {
                *ids.entry(to).or_insert_with_key(|to| {
                    all.push(to.clone());
                    all.len() as u32 - 1
                })
            })
            .collect()
    })
}

/// The events a state offers, ascending; `None` if it is not stable.
pub fn offers(moves: &[Move]) -> Option<Vec<u32>> {
    let mut events = Vec::new();
    for m in moves {
        match m.label {
            Label::Internal => return None,
            Label::Event(e) => events.push(e),
        }
    }
    events.sort_unstable();
    events.dedup();
    Some(events)
}
