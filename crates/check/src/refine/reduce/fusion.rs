//! Fusion of local steps: when a component can only take internal steps that touch nothing another
//! component may touch, those steps are taken at once and alone.
//!
//! Theorem. Such steps are internal, commute with every step of the others and cannot be prevented by
//! them (one of them is enabled, and stays so), so taking them first keeps traces, stable refusals,
//! deadlocks and divergence: this is priority for confluent internal steps (Groote, van de Pol, *State
//! Space Reduction Using Partial τ-Confluence*, MFCS 2000), with confluence seen from the text. A run
//! of such steps that comes back to a state of the same run ends there, so no cycle is skipped; a run
//! may end anywhere, and does after many states and before a fault. Of components that did not move,
//! only such are followed as have one way to go: whatever the others choose would multiply the ends of
//! one step, and is left to steps of their own.
//! Requires: a flat interleaving without `atomic`; a property that does not count internal steps nor
//! see who takes them (no next-step operator, no fairness, no determinism) and whose own reads count
//! as shared ([`Reach`]). What is fused depends on the state alone, so the order of search does not
//! matter, and none of the depth-first provisos of partial order reduction is needed.

use super::by_term::ByTerm;
use super::cells::{Cells, reads, touches};
use super::reach::Reach;
use lineal_model::process::expr::{Expr, Stmt, Target};
use lineal_model::process::state::ShapeId;
use lineal_model::process::steps::{Act, Step};
use lineal_model::process::system::Move;
use lineal_model::process::term::{SetId, TermId, Universe};
use lineal_model::process::{Fault, State, System, events};
use rustc_hash::FxHashMap;

/// States on the way that one step may be fused with.
const FUSED: usize = 2_000;
/// Local steps that are taken without looking whether they go around.
const SOON: usize = 16;

/// What is needed to know local steps.
pub struct Fusion {
    shape: ShapeId,
    hidings: Vec<SetId>,
    constant: Cells,
    components: Vec<Component>,
}

struct Component {
    private: Cells,
    /// By the term it is at: whether all its steps are local.
    local: ByTerm<bool>,
}

impl Fusion {
    /// `None` if there is nothing to fuse.
    pub fn of(universe: &Universe, initial: &State, reach: &Reach) -> Option<Self> {
        let hidings = universe.shape(initial.shape).flat.clone()?;
        if reach.atomic || reach.private.len() < 2 {
            return None;
        }
        let component = |private: &Cells| Component { private: private.clone(), local: ByTerm::default() };
        Some(Fusion {
            shape: initial.shape,
            hidings,
            constant: reach.constant.clone(),
            components: reach.private.iter().map(component).collect(),
        })
    }

    /// Follows local steps to where they end, depth first. `component` gives the steps of one.
    pub fn chase(
        &self,
        system: &System,
        component: &dyn Fn(&State, usize, &mut Vec<Move>),
        step: Move,
        out: &mut Vec<Move>,
    ) {
        // Most steps lead where nothing is local.
        let Move { label, who, with, reshaped, annotations, site, to } = step;
        let moved = |leaf: usize| leaf == who || with.contains(&leaf);
        let local = to.as_ref().ok().and_then(|to| self.local_component(system, to, &moved));
        let (Some(leaf), Ok(first)) = (local, &to) else {
            return out.push(Move { label, who, with, reshaped, annotations, site, to });
        };
        let end = |to: Result<State, Fault>| {
            let with = with.clone();
            Move { label, who, with, reshaped, annotations, site, to }
        };
        if let Some(state) = self.straight(system, component, &moved, first, leaf) {
            return out.push(end(Ok(state)));
        }
        // States met: whether the run is still on its way from there, or has ended there.
        let mut met: FxHashMap<State, (bool, bool)> = FxHashMap::default();
        let mut path: Vec<(Option<State>, Vec<Move>)> = vec![(None, vec![end(to)])];
        while let Some((from, rest)) = path.last_mut() {
            let Some(step) = rest.pop() else {
                if let Some((on_way, _)) = from.as_ref().and_then(|s| met.get_mut(s)) {
                    *on_way = false;
                }
                path.pop();
                continue;
            };
            let state = match step.to {
                Ok(state) => state,
                Err(fault) => {
                    out.push(end(Err(fault)));
                    continue;
                }
            };
            let many = met.len() >= FUSED;
            if let Some((on_way, ended)) = met.get_mut(&state) {
                if *on_way && !std::mem::replace(ended, true) {
                    out.push(end(Ok(state)));
                }
                continue;
            }
            let mut next = Vec::new();
            if !many && let Some(leaf) = self.local_component(system, &state, &moved) {
                component(&state, leaf, &mut next);
                next.reverse();
                // A fault belongs to the state it happens in.
                if next.iter().any(|m| m.to.is_err()) {
                    next.clear();
                }
            }
            let on_way = !next.is_empty();
            met.insert(state.clone(), (on_way, !on_way));
            if on_way {
                path.push((Some(state), next));
            } else {
                out.push(end(Ok(state)));
            }
        }
    }

    /// Where local steps lead if there is always one, and they end soon; nothing has to be remembered then.
    fn straight(
        &self,
        system: &System,
        component: &dyn Fn(&State, usize, &mut Vec<Move>),
        moved: &dyn Fn(usize) -> bool,
        first: &State,
        mut leaf: usize,
    ) -> Option<State> {
        let mut next = Vec::new();
        let mut state: Option<State> = None;
        for _ in 0..SOON {
            component(state.as_ref().unwrap_or(first), leaf, &mut next);
            let (Some(step), true) = (next.pop(), next.is_empty()) else { return None };
            let to = step.to.ok()?;
            match self.local_component(system, &to, moved) {
                Some(other) => (state, leaf) = (Some(to), other),
                None => return Some(to),
            }
        }
        None
    }

    /// A component all of whose steps are internal, private and not to be prevented; one that did not
    /// move only if there is one step.
    fn local_component(
        &self,
        system: &System,
        state: &State,
        moved: &dyn Fn(usize) -> bool,
    ) -> Option<usize> {
        if state.shape != self.shape {
            return None;
        }
        let universe = system.universe;
        (0..state.leaves.len()).find(|leaf| {
            self.is_local(universe, *leaf, state.leaves[*leaf])
                && universe.symbolic(state.leaves[*leaf]).is_some_and(|steps| {
                    let frame = system.frame(state);
                    let ready = |s: &&Step| s.guard.iter().all(|g| frame.holds(g) == Ok(true));
                    match steps.iter().filter(ready).count() {
                        0 => false,
                        1 => true,
                        _ => moved(*leaf),
                    }
                })
        })
    }

    /// Whether every step `term` could take in component `leaf` is internal and touches nothing
    /// that another component, or the property, could touch.
    fn is_local(&self, universe: &Universe, leaf: usize, term: TermId) -> bool {
        *self.components[leaf].local.get_or(term, || {
            universe.symbolic(term).is_some_and(|steps| {
                !steps.is_empty() && steps.iter().all(|s| self.is_private(universe, leaf, s))
            })
        })
    }

    fn is_private(&self, universe: &Universe, leaf: usize, step: &Step) -> bool {
        let hidden = match step.act {
            Act::Tau => true,
            Act::Event(e) => e != events::TICK && self.hidings.iter().any(|s| universe.hides(*s, e)),
            _ => false,
        };
        let (mut read, mut written) = (Cells::default(), Cells::default());
        step.guard.iter().for_each(|g| reads(g, &[], &mut read));
        step.code.iter().for_each(|c| touches(&c.block.stmts, &[], &mut read, &mut written));
        let mut queues = false;
        step.guard.iter().for_each(|g| g.walk(&mut |e| queues |= matches!(e, Expr::Queue(..))));
        let plain = step.code.iter().all(|c| !mentions_queue(&c.block.stmts));
        let private = &self.components[leaf].private;
        read.remove_all(private);
        read.remove_all(&self.constant);
        written.remove_all(private);
        hidden
            && !queues
            && plain
            && step.queue.is_none()
            && !step.atomic
            && read.iter().next().is_none()
            && written.iter().next().is_none()
    }
}

pub(super) fn mentions_queue(stmts: &[Stmt]) -> bool {
    let mut found = false;
    let mut look = |e: &Expr| e.walk(&mut |e| found |= matches!(e, Expr::Queue(..)));
    fn each(stmts: &[Stmt], look: &mut dyn FnMut(&Expr)) {
        for stmt in stmts {
            match stmt {
                Stmt::Assign(target, value) => {
                    look(value);
                    if let Target::Element(el) = target {
                        el.dims.iter().for_each(|(_, e)| look(e));
                    }
                }
                Stmt::If(c, yes, no) => {
                    look(c);
                    each(yes, look);
                    each(no, look);
                }
                Stmt::While(c, body, _) => {
                    look(c);
                    each(body, look);
                }
            }
        }
    }
    each(stmts, &mut look);
    found
}
