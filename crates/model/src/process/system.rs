//! A process as a labelled transition system.
//!
//! [`System::moves`] gives every step of a state. With [`Options`], two reductions apply, both
//! decided by the state alone and so independent of the order of search:
//!
//! - `reset`: a cell that only one component may touch goes back to its initial value when that
//!   component cannot read it any more before writing it (`live`);
//! - `fuse`: when a component can only take internal steps that touch nothing another component
//!   may touch, those steps are taken at once and alone. They commute with everything others
//!   do and cannot be prevented by them, so traces, stable refusals and divergence stay. Each state
//!   on the way is followed once. A run of such steps that comes back to a state of the same run
//!   ends there, so no cycle is skipped; a run may end anywhere, and does after many states and
//!   before a fault.

use super::events::TICK;
use super::expr::{Frame, run};
use super::reach::Reach;
use super::state::{Layout, ShapeKind};
use super::steps::{Act, Offer, QueueOp, Step};
use super::term::{DONE, TermId, Universe};
use super::*;
use crate::lts::{Label, Lts};
use rustc_hash::FxHashMap;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    pub reset: bool,
    pub fuse: bool,
}

impl Options {
    pub const NONE: Options = Options { reset: false, fuse: false };
    pub const ALL: Options = Options { reset: true, fuse: true };
}

/// Operators on top of each other, and components side by side, that can be handled.
const DEEP: u32 = 10_000;
const WIDE: usize = 10_000;
/// States on the way that one step may be fused with.
const FUSED: usize = 2_000;

/// One step of one component, or of several that synchronise.
#[derive(Clone, Debug)]
pub struct Move {
    pub label: Label,
    /// The component (the first of them), by number.
    pub who: usize,
    pub site: SiteId,
    pub to: Result<State, Fault>,
}

pub struct System<'u, 'm> {
    pub universe: &'u Universe<'m>,
    pub options: Options,
    initial: State,
    reach: Option<Reach>,
    layout: Layout,
    /// No channel without a buffer: components of a flat shape are independent.
    buffered: bool,
}

impl<'u, 'm> System<'u, 'm> {
    /// The process at `root`. `watched` are expressions a property reads in each state.
    pub fn new(
        universe: &'u Universe<'m>,
        root: SiteId,
        options: Options,
        watched: &[&Expr],
    ) -> Result<Self, Fault> {
        let model = universe.model;
        let (shape, leaves) = universe.split(universe.root(root)?);
        let initial = State {
            shape,
            leaves,
            cells: model.cells.iter().map(|c| c.initial).collect(),
            queues: vec![Vec::new(); model.channels.len()],
        };
        let all = Reach::new(universe, &initial, watched);
        let layout = Layout::new(model, |cell| all.is_written(cell));
        let reach = (options != Options::NONE).then_some(all);
        let buffered = model.channels.iter().all(|c| c.capacity > 0);
        let mut system = System { universe, options, initial, reach, layout, buffered };
        let mut start = system.initial.clone();
        for leaf in 0..start.leaves.len() {
            system.reset(&mut start, leaf);
        }
        system.initial = start;
        Ok(system)
    }

    pub fn start(&self) -> &State {
        &self.initial
    }

    pub fn reach(&self) -> Option<&Reach> {
        self.reach.as_ref()
    }

    /// Appends the packed state; answers how many bytes identify it.
    pub fn pack(&self, state: &State, out: &mut Vec<u8>) -> usize {
        state.pack(&self.layout, out)
    }

    pub fn unpack(&self, bytes: &[u8]) -> State {
        State::unpack(self.universe, &self.layout, bytes)
    }

    pub fn frame<'a>(&'a self, state: &'a State) -> Frame<'a> {
        Frame {
            model: self.universe.model,
            cells: &state.cells,
            queues: &state.queues,
            env: &[],
            locals: &[],
        }
    }

    /// Whether the whole process has terminated successfully.
    pub fn is_done(&self, state: &State) -> bool {
        state.leaves == [DONE]
    }

    /// Every step from `from`, after the reductions asked for.
    pub fn moves(&self, from: &State, out: &mut Vec<Move>) {
        let start = out.len();
        self.plain_moves(from, out);
        if self.options.fuse
            && let Some(reach) = &self.reach
            && reach.has_local_steps()
        {
            for step in out.split_off(start) {
                self.chase(reach, step, out);
            }
        }
    }

    /// Follows local steps to where they end, depth first.
    fn chase(&self, reach: &Reach, step: Move, out: &mut Vec<Move>) {
        let Move { label, who, site, to } = step;
        let end = |to: Result<State, Fault>| Move { label, who, site, to };
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
            if !many && let Some(leaf) = self.local_component(reach, &state) {
                self.component_moves(&state, leaf, &mut next);
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

    /// A component all of whose steps are internal, private and not to be prevented.
    fn local_component(&self, reach: &Reach, state: &State) -> Option<usize> {
        if state.shape != self.initial.shape {
            return None;
        }
        (0..state.leaves.len()).find(|leaf| {
            reach.is_local(self.universe, *leaf, state.leaves[*leaf])
                && self.universe.symbolic(state.leaves[*leaf]).is_some_and(|steps| {
                    let frame = self.frame(state);
                    steps.iter().any(|s| s.guard.iter().all(|g| frame.holds(g) == Ok(true)))
                })
        })
    }

    /// Every step, no reduction but the reset of dead cells.
    pub fn plain_moves(&self, from: &State, out: &mut Vec<Move>) {
        let shape = self.universe.shape(from.shape);
        let simple = shape.flat.is_some()
            && self.buffered
            && from.leaves.iter().all(|leaf| {
                self.universe.symbolic(*leaf).is_some_and(|steps| {
                    steps.iter().all(|s| !s.atomic && !matches!(s.act, Act::Event(TICK)))
                })
            });
        if simple {
            for leaf in 0..from.leaves.len() {
                self.component_moves(from, leaf, out);
            }
        } else {
            self.composed_moves(from, out);
        }
    }

    /// The steps of one leaf of a flat shape without joint termination or meetings.
    fn component_moves(&self, from: &State, leaf: usize, out: &mut Vec<Move>) {
        let hidings = self.universe.shape(from.shape).flat.as_deref().unwrap_or_default();
        let frame = self.frame(from);
        for step in self.universe.symbolic(from.leaves[leaf]).unwrap_or_default() {
            if let Some(fast) = self.quick(step, &frame, hidings, leaf, from) {
                out.extend(fast);
                continue;
            }
            if let Some(mut offer) = self.universe.offer(step, &frame, leaf) {
                hide(self.universe, hidings, &mut offer);
                out.extend(self.take(from, offer));
            }
        }
    }

    /// The common case, without building an offer: `None` if it is not that.
    fn quick(
        &self,
        step: &Step,
        frame: &Frame,
        hidings: &[super::term::SetId],
        leaf: usize,
        from: &State,
    ) -> Option<Option<Move>> {
        let super::steps::Cont::Term(next) = step.next else { return None };
        let mut label = match step.act {
            Act::Tau => Label::Internal,
            Act::Event(e) => Label::Event(e),
            _ => return None,
        };
        for guard in &step.guard {
            match frame.holds(guard) {
                Ok(true) => {}
                Ok(false) => return Some(None),
                Err(fault) => {
                    return Some(Some(Move { label, who: leaf, site: step.site, to: Err(fault) }));
                }
            }
        }
        if let Label::Event(e) = label
            && hidings.iter().any(|s| self.universe.hides(*s, e))
        {
            label = Label::Internal;
        }
        let mut to = from.clone();
        for code in &step.code {
            if let Err(fault) = run(self.universe.model, &code.block, &mut to.cells, &from.queues, &code.env)
            {
                return Some(Some(Move { label, who: leaf, site: step.site, to: Err(fault) }));
            }
        }
        self.place(&mut to, leaf, next);
        let to = self.grown(&to, leaf, step.site).map_or(Ok(to), Err);
        Some(Some(Move { label, who: leaf, site: step.site, to }))
    }

    fn composed_moves(&self, from: &State, out: &mut Vec<Move>) {
        let frame = self.frame(from);
        let nodes = &self.universe.shape(from.shape).nodes;
        let offers = self.node_offers(nodes, &mut 0, &mut 0, from, &frame);
        let offers = offers
            .into_iter()
            .filter(|o| matches!(o.act, Act::Tau | Act::Event(_) | Act::Fault(_)))
            .collect();
        for offer in prefer_atomic(offers) {
            out.extend(self.take(from, offer));
        }
    }

    fn node_offers(
        &self,
        nodes: &[ShapeKind],
        at: &mut u32,
        leaf: &mut usize,
        from: &State,
        frame: &Frame,
    ) -> Vec<Offer> {
        let universe = self.universe;
        let node = *at;
        *at += 1;
        match &nodes[node as usize] {
            ShapeKind::Leaf => {
                let who = *leaf;
                *leaf += 1;
                let steps = universe.steps(from.leaves[who], frame);
                steps.iter().filter_map(|s| universe.offer(s, frame, who)).collect()
            }
            ShapeKind::Parallel(kind, alphabets, n) => {
                let kids = (0..*n).map(|_| self.node_offers(nodes, at, leaf, from, frame)).collect();
                let mut offers = universe.compose(*kind, *alphabets, kids, frame);
                for offer in offers.iter_mut().filter(|o| matches!(o.act, Act::Event(TICK))) {
                    offer.collapse = Some((node, DONE));
                }
                offers
            }
            ShapeKind::Hide(set) => {
                let mut offers = self.node_offers(nodes, at, leaf, from, frame);
                for offer in &mut offers {
                    hide(universe, &[*set], offer);
                    if matches!(offer.act, Act::Event(TICK)) {
                        offer.collapse = Some((node, DONE));
                    }
                }
                offers
            }
            ShapeKind::Atomic => {
                let mut offers = self.node_offers(nodes, at, leaf, from, frame);
                for offer in &mut offers {
                    offer.atomic = true;
                    if matches!(offer.act, Act::Event(TICK)) {
                        offer.collapse = Some((node, DONE));
                    }
                }
                offers
            }
            ShapeKind::Seq(right) => {
                let mut offers = self.node_offers(nodes, at, leaf, from, frame);
                for offer in offers.iter_mut().filter(|o| matches!(o.act, Act::Event(TICK))) {
                    offer.act = Act::Tau;
                    match universe.resolve(*right) {
                        Ok(term) => offer.collapse = Some((node, term)),
                        Err(fault) => offer.act = Act::Fault(fault),
                    }
                }
                offers
            }
        }
    }

    /// The move an offer stands for.
    fn take(&self, from: &State, offer: Offer) -> Option<Move> {
        let who = offer.changed.first().map_or(0, |(i, _)| *i);
        let label = match offer.act {
            Act::Event(e) => Label::Event(e),
            _ => Label::Internal,
        };
        let to = match offer.act {
            Act::Fault(fault) => Err(fault),
            _ => self.apply(from, &offer),
        };
        Some(Move { label, who, site: offer.site, to })
    }

    fn apply(&self, from: &State, offer: &Offer) -> Result<State, Fault> {
        let mut to = from.clone();
        match &offer.queue {
            Some(QueueOp::Push(c, message)) => to.queues[*c].push(message.clone()),
            Some(QueueOp::Pop(c)) => {
                to.queues[*c].remove(0);
            }
            None => {}
        }
        for code in &offer.code {
            run(self.universe.model, &code.block, &mut to.cells, &to.queues, &code.env)?;
        }
        if let Some(collapse) = offer.collapse {
            let term = self.universe.join(from.shape, &from.leaves, Some(collapse));
            (to.shape, to.leaves) = self.universe.split(term);
            return Ok(to);
        }
        for (leaf, cont) in &offer.changed {
            to.leaves[*leaf] = self.universe.finish(cont)?;
        }
        if offer.changed.iter().any(|(leaf, _)| self.universe.is_parallel(to.leaves[*leaf])) {
            let term = self.universe.join(to.shape, &to.leaves, None);
            (to.shape, to.leaves) = self.universe.split(term);
        } else {
            for (leaf, _) in &offer.changed {
                self.reset(&mut to, *leaf);
            }
        }
        let changed = offer.changed.first().map_or(0, |(leaf, _)| *leaf);
        self.grown(&to, changed, offer.site).map_or(Ok(to), Err)
    }

    /// A term is reported before it gets too deep to handle.
    fn grown(&self, to: &State, leaf: usize, site: SiteId) -> Option<Fault> {
        let deep = to.leaves.get(leaf).is_some_and(|t| self.universe.depth(*t) > DEEP);
        if !deep && to.leaves.len() <= WIDE {
            return None;
        }
        let info = self.universe.model.site(site);
        let name = &self.universe.model.def(info.def).name;
        let how = if deep {
            format!("it has more than {DEEP} operators within each other")
        } else {
            format!("there are more than {WIDE} processes side by side")
        };
        let message = format!("process `{name}` keeps growing: {how}, which is more than can be handled");
        Some(Fault::new(FaultKind::Growth, message, info.spot))
    }

    /// Puts `next` in its leaf and forgets what it does not need.
    fn place(&self, to: &mut State, leaf: usize, next: TermId) {
        to.leaves[leaf] = next;
        if self.universe.is_parallel(next) {
            let term = self.universe.join(to.shape, &to.leaves, None);
            (to.shape, to.leaves) = self.universe.split(term);
        } else {
            self.reset(to, leaf);
        }
    }

    fn reset(&self, state: &mut State, leaf: usize) {
        if self.options.reset
            && state.shape == self.initial.shape
            && let Some(reach) = &self.reach
        {
            reach.reset(self.universe, state, leaf);
        }
    }
}

fn hide(universe: &Universe, hidings: &[super::term::SetId], offer: &mut Offer) {
    if let Act::Event(e) = offer.act
        && hidings.iter().any(|s| universe.hides(*s, e))
    {
        offer.act = Act::Tau;
    }
}

/// While an atomic process can move, only atomic processes do, even before their first step; if
/// all of them are blocked, the others run.
fn prefer_atomic(offers: Vec<Offer>) -> Vec<Offer> {
    match offers.iter().any(|o| o.atomic) {
        true => offers.into_iter().filter(|o| o.atomic).collect(),
        false => offers,
    }
}

impl Lts for System<'_, '_> {
    type State = State;

    fn initial(&self) -> Vec<State> {
        vec![self.initial.clone()]
    }

    /// Steps that fault are left out here: engines that can report them call [`System::moves`].
    fn successors(&self, from: &State, out: &mut Vec<(Label, State)>) {
        let mut moves = Vec::new();
        self.moves(from, &mut moves);
        out.extend(moves.into_iter().filter_map(|m| Some((m.label, m.to.ok()?))));
    }
}
