//! The states of a process and the steps between them, each worked out once, with what a formula and
//! fairness see of them.
//!
//! A step leads to a position: the conditions that hold in the state, and the event, as bits. A state
//! without any step has one that stays there, on which no event holds. Under symmetry a state is the
//! representative of those that differ only in names; that is for formulas which no renaming changes,
//! so that a run and its renamed copy are the same word.

use crate::refine::reduce::Reduced;
use crate::refine::symmetry::Symmetry;
use crate::refine::table::Table;
use crate::seeded::{self, Bug};
use lineal_model::lts::{Effect, Label, Obstacle};
use lineal_model::process::formula::{Atom, Meaning};
use lineal_model::process::state::{ShapeId, ShapeKind};
use lineal_model::process::system::Move;
use lineal_model::process::{Annotation, EventId, Fault, FaultKind, State};
use rustc_hash::FxHashMap;

pub type StateId = u32;
pub type StepId = u32;

/// A step between states.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    pub to: StateId,
    pub label: Label,
    /// Who takes part, by number; [`NOBODY`] if nothing can move.
    pub who: u32,
    /// The first step of the state with the same label and target.
    pub twin: StepId,
}

pub const NOBODY: u32 = u32::MAX;

/// Said of a state in which a condition has no value; no atom has this bit.
pub const UNCLEAR: u64 = 1 << 63;

pub struct World<'w, 'u, 'm> {
    pub system: &'w Reduced<'u, 'm>,
    symmetry: Option<&'w dyn Symmetry>,
    conditions: Vec<(u64, &'w lineal_model::process::expr::Expr)>,
    events: FxHashMap<EventId, u64>,
    pub states: Table,
    /// Conditions that hold, by state.
    holds: Vec<u64>,
    /// Where the steps of a state are, if they were worked out.
    places: Vec<Option<(StepId, StepId)>>,
    pub steps: Vec<Step>,
    /// Sets of processes.
    groups: Vec<Vec<u32>>,
    group_ids: FxHashMap<Vec<u32>, u32>,
    /// Whether the model asks something of single events.
    pub annotated: bool,
    /// Whether some run may have no way to go on that counts.
    pub live: bool,
    /// To whom a state that was worked out owes something by annotations.
    owed: FxHashMap<StateId, Vec<(EventId, Annotation)>>,
    /// Steps of a state that fail or cannot be followed: what they would be, and who takes part.
    failing: FxHashMap<StateId, Vec<(Label, u32)>>,
    /// By arrangement: the process that each component belongs to.
    owners: FxHashMap<ShapeId, Vec<u32>>,
    /// A run that faults, and one that cannot be followed.
    pub wrong: Option<Fault>,
    pub gap: Option<Fault>,
    /// A condition of the formula cannot be evaluated.
    pub unclear: Option<Fault>,
    scratch: Vec<u8>,
    packed: Vec<u8>,
}

impl<'w, 'u, 'm> World<'w, 'u, 'm> {
    pub fn new(system: &'w Reduced<'u, 'm>, symmetry: Option<&'w dyn Symmetry>, atoms: &'w [Atom]) -> Self {
        let asked = system.system.annotations();
        let mut world = World {
            system,
            symmetry,
            conditions: Vec::new(),
            events: FxHashMap::default(),
            states: Table::default(),
            holds: Vec::new(),
            places: Vec::new(),
            steps: Vec::new(),
            groups: Vec::new(),
            group_ids: FxHashMap::default(),
            annotated: !asked.is_empty(),
            live: asked.are_live(),
            owed: FxHashMap::default(),
            failing: FxHashMap::default(),
            owners: FxHashMap::default(),
            wrong: None,
            gap: None,
            unclear: None,
            scratch: Vec::new(),
            packed: Vec::new(),
        };
        for (i, atom) in atoms.iter().enumerate() {
            match &atom.meaning {
                Meaning::Condition(e) => world.conditions.push((1 << i, e)),
                Meaning::Event(..) => {
                    let event = atom.event(&system.system.universe.events).expect("an event");
                    *world.events.entry(event).or_default() |= 1 << i;
                }
            }
        }
        let start = system.start().clone();
        world.number(&start);
        world
    }

    pub fn size(&self) -> u64 {
        let each = size_of::<Option<(StepId, StepId)>>() + 8;
        self.states.size()
            + (self.steps.capacity() * size_of::<Step>() + self.places.capacity() * each) as u64
            + lineal_model::lts::Lts::size(self.system)
    }

    /// What holds in the position that a step leads to.
    pub fn position(&self, step: &Step) -> u64 {
        self.holds[step.to as usize] | self.seen(step.label)
    }

    /// What a formula sees of a label.
    pub fn seen(&self, label: Label) -> u64 {
        match label {
            Label::Event(e) => self.events.get(&e).copied().unwrap_or(0),
            Label::Internal => 0,
        }
    }

    /// The conditions that hold in a state.
    pub fn conditions_in(&self, state: &State) -> u64 {
        let frame = self.system.system.frame(state);
        self.conditions.iter().filter(|(_, e)| frame.holds(e) == Ok(true)).fold(0, |m, (bit, _)| m | bit)
    }

    /// What holds in the first position.
    pub fn first(&self) -> u64 {
        self.holds[0]
    }

    pub fn group(&self, who: u32) -> &[u32] {
        self.groups.get(who as usize).map_or(&[], |g| g)
    }

    /// A state as it is kept: the representative, under symmetry.
    pub fn key_of(&self, state: &State, out: &mut Vec<u8>) {
        let mut packed = Vec::new();
        let key = self.system.pack(state, &mut packed);
        match self.symmetry {
            Some(symmetry) => {
                let (_, key) = symmetry.canonical(&packed[..key], out);
                out.truncate(key);
            }
            None => {
                out.clear();
                out.extend_from_slice(&packed[..key]);
            }
        }
    }

    fn number(&mut self, state: &State) -> StateId {
        self.packed.clear();
        let key = self.system.pack(state, &mut self.packed);
        let (id, new) = match self.symmetry {
            Some(symmetry) => {
                let (_, key) = symmetry.canonical(&self.packed[..key], &mut self.scratch);
                self.states.insert(&self.scratch[..key], &self.scratch[key..])
            }
            None => self.states.insert(&self.packed[..key], &self.packed[key..]),
        };
        if new {
            let frame = self.system.system.frame(state);
            let mut holds = 0;
            for (bit, e) in &self.conditions {
                match frame.holds(e) {
                    Ok(true) => holds |= bit,
                    Ok(false) => {}
                    Err(fault) => {
                        holds |= UNCLEAR;
                        self.unclear.get_or_insert(fault);
                    }
                }
            }
            self.holds.push(holds);
            self.places.push(None);
        }
        id
    }

    /// Whether some process grows for ever, so that trying elsewhere would not end.
    pub fn is_endless(&self) -> bool {
        self.gap.as_ref().is_some_and(|fault| fault.effect() == Effect::Endless)
    }

    /// Whether the steps of a state have been worked out.
    pub fn is_known(&self, state: StateId) -> bool {
        self.places[state as usize].is_some()
    }

    /// The steps of a state, by number.
    pub fn out(&mut self, state: StateId) -> std::ops::Range<StepId> {
        if let Some((from, to)) = self.places[state as usize] {
            return from..to;
        }
        let at = self.system.unpack(self.states.get(state));
        let mut moves: Vec<Move> = Vec::new();
        self.system.moves(&at, &mut moves);
        if self.annotated {
            self.demands(state, &at, &moves);
        }
        let from = self.steps.len() as StepId;
        let mut broken = false;
        for step in moves {
            let who = self.participants(&at, &step);
            match step.to {
                Ok(to) => {
                    let to = self.number(&to);
                    let twin = (from..self.steps.len() as StepId).find(|i| {
                        let other = &self.steps[*i as usize];
                        (other.label, other.to) == (step.label, to)
                    });
                    let twin = twin.unwrap_or(self.steps.len() as StepId);
                    self.steps.push(Step { to, label: step.label, who, twin });
                }
                Err(fault) => {
                    broken = true;
                    self.failing.entry(state).or_default().push((step.label, who));
                    match fault.effect() {
                        Effect::Wrong => self.wrong.get_or_insert(fault),
                        Effect::Gap => self.gap.get_or_insert(fault),
                        Effect::Endless => self.gap.insert(fault),
                    };
                }
            }
        }
        if self.steps.len() as StepId == from && !broken && !seeded::active(Bug::NeverStays) {
            self.steps.push(Step { to: state, label: Label::Internal, who: NOBODY, twin: from });
        }
        let to = self.steps.len() as StepId;
        self.places[state as usize] = Some((from, to));
        from..to
    }

    /// The events that a state owes something by annotations.
    pub fn owed(&self, state: StateId) -> &[(EventId, Annotation)] {
        self.owed.get(&state).map_or(&[], |all| all)
    }

    /// The steps of a state that lead nowhere, since they fail. They can be taken, so they are enabled.
    pub fn failing(&self, state: StateId) -> &[(Label, u32)] {
        self.failing.get(&state).map_or(&[], |all| all)
    }

    fn demands(&mut self, state: StateId, at: &State, moves: &[Move]) {
        let system = &self.system.system;
        let taken = moves.iter().flat_map(|m| {
            let event = match m.label {
                Label::Event(e) => Some(e),
                Label::Internal => None,
            };
            m.annotations.iter().filter(|a| !a.is_live()).map(move |a| (event, a))
        });
        let ready = if self.live { system.ready(at) } else { Vec::new() };
        let mut all = Vec::new();
        for (event, annotation) in taken.chain(ready) {
            match event {
                Some(event) => all.push((event, annotation)),
                None => {
                    let message = format!(
                        "an event that is annotated with `{}` is hidden, so that nobody can tell whether it happens",
                        annotation.word()
                    );
                    self.gap = Some(Fault::new(FaultKind::Hidden, message, 0));
                }
            }
        }
        all.sort_unstable();
        all.dedup();
        if !all.is_empty() {
            self.owed.insert(state, all);
        }
    }

    /// The steps of a state that has been worked out.
    pub fn known(&self, state: StateId) -> std::ops::Range<StepId> {
        let (from, to) = self.places[state as usize].expect("worked out before");
        from..to
    }

    /// Whether a move from a state is this step, as far as its label and who takes it tell. Under
    /// symmetry both have other names; but then no names matter.
    pub fn is_taken_by(&self, at: &State, taken: &Move, step: &Step) -> bool {
        if self.symmetry.is_some() {
            let internal = |label| label == Label::Internal;
            return self.seen(taken.label) == self.seen(step.label)
                && internal(taken.label) == internal(step.label);
        }
        // Equal processes may have changed places.
        if self.system.exchanges() {
            return taken.label == step.label;
        }
        let owners = owners(&self.system.system.universe.shape(at.shape).nodes);
        taken.label == step.label && group(&owners, taken) == self.group(step.who)
    }

    fn participants(&mut self, at: &State, step: &Move) -> u32 {
        let universe = self.system.system.universe;
        let owners = self.owners.entry(at.shape).or_insert_with(|| owners(&universe.shape(at.shape).nodes));
        let group = group(owners, step);
        let groups = &mut self.groups;
        *self.group_ids.entry(group).or_insert_with_key(|group| {
            groups.push(group.clone());
            groups.len() as u32 - 1
        })
    }
}

/// The processes that take part in a move.
fn group(owners: &[u32], step: &Move) -> Vec<u32> {
    let mut group: Vec<u32> =
        std::iter::once(&step.who).chain(&step.with).map(|leaf| owners[*leaf]).collect();
    group.sort_unstable();
    group.dedup();
    group
}

/// The process each component belongs to: the operand of the outermost parallel operator.
fn owners(nodes: &[ShapeKind]) -> Vec<u32> {
    fn leaves(nodes: &mut std::slice::Iter<ShapeKind>) -> usize {
        match nodes.next() {
            None => 0,
            Some(ShapeKind::Leaf) => 1,
            Some(ShapeKind::Parallel(_, _, n)) => (0..*n).map(|_| leaves(nodes)).sum(),
            Some(ShapeKind::Hide(_) | ShapeKind::Seq(_) | ShapeKind::Atomic) => leaves(nodes),
        }
    }
    let mut nodes = nodes.iter();
    loop {
        match nodes.next() {
            Some(ShapeKind::Parallel(_, _, n)) => {
                return (0..*n).flat_map(|i| std::iter::repeat_n(i, leaves(&mut nodes))).collect();
            }
            Some(ShapeKind::Leaf) | None => return vec![0],
            Some(_) => {}
        }
    }
}
