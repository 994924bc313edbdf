//! A process as a labelled transition system: every step of a state, and no other meaning anywhere.

use super::events::TICK;
use super::expr::{Frame, run};
use super::state::{Layout, ShapeKind};
use super::steps::{Act, Offer, QueueOp, Step};
use super::term::{DONE, Universe};
use super::*;
use crate::lts::{Label, Lts, Portable, Steps};

/// Operators on top of each other, and components side by side, that can be handled.
const DEEP: u32 = 10_000;
const WIDE: usize = 10_000;

/// One step of one component, or of several that synchronise.
#[derive(Clone, Debug)]
pub struct Move {
    pub label: Label,
    /// The component (the first of them), by number.
    pub who: usize,
    /// The others.
    pub with: Vec<usize>,
    /// The components are no longer those of the state before.
    pub reshaped: bool,
    /// What is asked of its event, also if that is hidden.
    pub annotations: Annotations,
    pub site: SiteId,
    pub to: Result<State, Fault>,
}

pub struct System<'u, 'm> {
    pub universe: &'u Universe<'m>,
    initial: State,
    layout: Layout,
    annotations: Annotations,
    /// No channel without a buffer: components of a flat shape are independent.
    buffered: bool,
}

impl<'u, 'm> System<'u, 'm> {
    /// The process at `root`.
    pub fn new(universe: &'u Universe<'m>, root: SiteId) -> Result<Self, Fault> {
        let model = universe.model;
        let (shape, leaves) = universe.split(universe.root(root)?);
        let initial = State {
            shape,
            leaves,
            cells: model.cells.iter().map(|c| c.initial).collect(),
            queues: vec![Vec::new(); model.channels.len()],
        };
        let layout = Layout::new(model, |_| true);
        let buffered = model.channels.iter().all(|c| c.capacity > 0);
        let annotations = model.annotations(root);
        Ok(System { universe, initial, layout, annotations, buffered })
    }

    /// What it may ask of some event.
    pub fn annotations(&self) -> Annotations {
        self.annotations
    }

    pub fn start(&self) -> &State {
        &self.initial
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
            leaves: &state.leaves,
        }
    }

    /// Whether the whole process has terminated successfully.
    pub fn is_done(&self, state: &State) -> bool {
        state.leaves == [DONE]
    }

    /// Every step from `from`.
    pub fn moves(&self, from: &State, out: &mut Vec<Move>) {
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
    pub fn component_moves(&self, from: &State, leaf: usize, out: &mut Vec<Move>) {
        let hidings = self.universe.shape(from.shape).flat.as_deref().unwrap_or_default();
        let frame = self.frame(from);
        for step in self.universe.symbolic(from.leaves[leaf]).unwrap_or_default() {
            if let Some(fast) = self.quick(step, &frame, hidings, leaf, from) {
                out.extend(fast);
                continue;
            }
            if let Some(mut offer) = self.universe.offer(step, &frame, leaf) {
                hide(self.universe, hidings, &mut offer);
                out.push(self.take(from, offer));
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
                Err(fault) => return Some(Some(Move::failing(label, leaf, step.site, fault))),
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
                return Some(Some(Move::failing(label, leaf, step.site, fault)));
            }
        }
        to.leaves[leaf] = next;
        let reshaped = self.reshape(&mut to, std::iter::once(leaf));
        let to = self.grown(&to, leaf, step.site).map_or(Ok(to), Err);
        let annotations = step.annotations;
        Some(Some(Move { label, who: leaf, with: Vec::new(), reshaped, annotations, site: step.site, to }))
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
            out.push(self.take(from, offer));
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
    fn take(&self, from: &State, offer: Offer) -> Move {
        let mut components = offer.changed.iter().map(|(i, _)| *i);
        let who = components.next().unwrap_or(0);
        let with = components.collect();
        let label = match offer.act {
            Act::Event(e) => Label::Event(e),
            _ => Label::Internal,
        };
        let (to, reshaped) = match offer.act {
            Act::Fault(fault) => (Err(fault), false),
            _ => match self.apply(from, &offer) {
                Ok((to, reshaped)) => (Ok(to), reshaped),
                Err(fault) => (Err(fault), false),
            },
        };
        Move { label, who, with, reshaped, annotations: offer.annotations, site: offer.site, to }
    }

    /// Where an offer leads, and whether it changes the components.
    fn apply(&self, from: &State, offer: &Offer) -> Result<(State, bool), Fault> {
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
            return Ok((to, true));
        }
        for (leaf, cont) in &offer.changed {
            to.leaves[*leaf] = self.universe.finish(cont)?;
        }
        let reshaped = self.reshape(&mut to, offer.changed.iter().map(|(leaf, _)| *leaf));
        let first = offer.changed.first().map_or(0, |(leaf, _)| *leaf);
        self.grown(&to, first, offer.site).map_or(Ok((to, reshaped)), Err)
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

    /// Takes components apart that have become parallel; answers whether there were any.
    fn reshape(&self, to: &mut State, mut moved: impl Iterator<Item = usize>) -> bool {
        let parallel = moved.any(|leaf| self.universe.is_parallel(to.leaves[leaf]));
        if parallel {
            let term = self.universe.join(to.shape, &to.leaves, None);
            (to.shape, to.leaves) = self.universe.split(term);
        }
        parallel
    }
}

impl Move {
    fn failing(label: Label, who: usize, site: SiteId, fault: Fault) -> Self {
        let annotations = Annotations::NONE;
        Move { label, who, with: Vec::new(), reshaped: false, annotations, site, to: Err(fault) }
    }

    /// As a step between packed states.
    pub fn append(self, layout: &Layout, out: &mut Steps<Fault>) {
        match self.to {
            Ok(to) => out.push(self.label, self.who as u32, |bytes| to.pack(layout, bytes)),
            Err(fault) => out.fail(self.label, self.who as u32, fault),
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
    type Fault = Fault;

    fn initial(&self, out: &mut Steps<Fault>) {
        out.push(Label::Internal, 0, |bytes| self.pack(&self.initial, bytes));
    }

    fn steps(&self, from: &[u8], out: &mut Steps<Fault>) {
        let mut moves = Vec::new();
        self.moves(&self.unpack(from), &mut moves);
        for step in moves {
            step.append(&self.layout, out);
        }
    }

    fn is_done(&self, state: &[u8]) -> bool {
        System::is_done(self, &self.unpack(state))
    }

    fn size(&self) -> u64 {
        self.universe.size()
    }
}

impl Portable for System<'_, '_> {
    fn export(&self, state: &[u8], out: &mut Vec<u8>) {
        self.unpack(state).export(self.universe, &self.layout, out);
    }

    fn import(&self, portable: &[u8], out: &mut Vec<u8>) -> Option<usize> {
        State::import(self.universe, &self.layout, portable).map(|state| self.pack(&state, out))
    }
}
