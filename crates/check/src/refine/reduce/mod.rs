//! CSP#'s reductions: what of a process's state space need not be visited.
//!
//! [`Reduced`] is a process with those that a property allows; each header gives the theorem and what
//! it requires, and each has its switch in [`Reductions`]. The process itself knows nothing of them.
//!
//! - `cells`, `reach`: what a component may touch, from the text;
//! - `dead`: variables that are never read again;
//! - `fusion`: steps that nobody else can notice;
//! - `copies`: processes that differ in nothing;
//! - `calls`: for linearizability, calls that begin late and end early.

mod by_term;
pub mod calls;
mod cells;
pub mod copies;
pub mod dead;
pub mod fusion;
mod growth;
pub mod reach;

use calls::Calls;
use copies::Copies;
use dead::Dead;
use fusion::Fusion;
use lineal_model::lts::{Label, Lts, Portable, Steps};
use lineal_model::process::expr::Expr;
use lineal_model::process::state::{Layout, ShapeId};
use lineal_model::process::system::Move;
use lineal_model::process::term::{TermId, Universe};
use lineal_model::process::{Fault, SiteId, State, System};
use reach::Reach;

/// Which reductions to use. What a property requires decides, never how hard to try.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reductions {
    /// Dead variables go back to their initial values.
    pub reset: bool,
    /// Local steps are taken at once.
    pub fuse: bool,
    /// Equal processes change places.
    pub copies: bool,
    /// Calls begin with their first step and end with their last.
    pub calls: bool,
}

impl Reductions {
    pub const NONE: Reductions = Reductions { reset: false, fuse: false, copies: false, calls: false };
    /// What keeps every property of traces, refusals, divergence and deadlock.
    pub const ALL: Reductions = Reductions { reset: true, fuse: true, copies: true, calls: false };
}

/// A process, reduced.
pub struct Reduced<'u, 'm> {
    pub system: System<'u, 'm>,
    initial: State,
    /// Cells that nobody writes are not stored.
    layout: Layout,
    dead: Option<Dead>,
    fusion: Option<Fusion>,
    copies: Option<Copies>,
    calls: Option<Calls>,
}

impl<'u, 'm> Reduced<'u, 'm> {
    /// The process at `root`. `watched` are expressions the property reads in each state.
    pub fn new(
        universe: &'u Universe<'m>,
        root: SiteId,
        reductions: Reductions,
        watched: &[&Expr],
    ) -> Result<Self, Fault> {
        let system = System::new(universe, root)?;
        let mut initial = system.start().clone();
        let reach = Reach::of(universe, &initial, watched);
        let layout = Layout::new(universe.model, |cell| reach.is_written(cell));
        let dead = reductions.reset.then(|| Dead::of(universe.model, &initial, &reach));
        if let Some(dead) = &dead {
            (0..initial.leaves.len()).for_each(|leaf| dead.reset(universe, &mut initial, leaf));
        }
        let fusion = if reductions.fuse { Fusion::of(universe, &initial, &reach) } else { None };
        let copies = if reductions.copies { Copies::of(universe, &initial) } else { None };
        if let Some(copies) = &copies {
            copies.arrange(initial.shape, &mut initial.leaves);
        }
        let calls = if reductions.calls { Calls::of(universe, &initial, &reach) } else { None };
        Ok(Reduced { system, initial, layout, dead, fusion, copies, calls })
    }

    pub fn start(&self) -> &State {
        &self.initial
    }

    /// Whether a step may stand for several.
    pub fn is_fused(&self) -> bool {
        self.fusion.is_some()
    }

    /// Appends the packed state; answers how many bytes identify it.
    pub fn pack(&self, state: &State, out: &mut Vec<u8>) -> usize {
        match &self.copies {
            Some(copies) if !copies.is_arranged(state.shape, &state.leaves) => {
                let mut state = state.clone();
                copies.arrange(state.shape, &mut state.leaves);
                state.pack(&self.layout, out)
            }
            _ => state.pack(&self.layout, out),
        }
    }

    /// Whether equal processes change places, so that who takes a step says nothing.
    pub fn exchanges(&self) -> bool {
        self.copies.is_some()
    }

    /// Puts equal processes in their order.
    pub fn arrange(&self, shape: ShapeId, leaves: &mut [TermId]) {
        if let Some(copies) = &self.copies {
            copies.arrange(shape, leaves);
        }
    }

    pub fn unpack(&self, bytes: &[u8]) -> State {
        State::unpack(self.system.universe, &self.layout, bytes)
    }

    /// Every step from `from` that has to be followed.
    pub fn moves(&self, from: &State, out: &mut Vec<Move>) {
        let start = out.len();
        let component = |from: &State, leaf: usize, out: &mut Vec<Move>| {
            let start = out.len();
            self.system.component_moves(from, leaf, out);
            self.reset(&mut out[start..]);
        };
        match self.calls.as_ref().and_then(|calls| calls.answering(&self.system, from)) {
            Some(leaf) => component(from, leaf, out),
            None => {
                self.system.moves(from, out);
                self.reset(&mut out[start..]);
                if let Some(calls) = &self.calls {
                    for step in out.split_off(start) {
                        calls.begin(&self.system, &component, from, step, out);
                    }
                }
            }
        }
        if let Some(fusion) = &self.fusion {
            for step in out.split_off(start) {
                fusion.chase(&self.system, &component, step, out);
            }
        }
    }

    /// Forgets what the components that moved have no use for.
    fn reset(&self, moves: &mut [Move]) {
        let Some(dead) = &self.dead else { return };
        for step in moves.iter_mut().filter(|m| !m.reshaped) {
            if let Ok(to) = &mut step.to {
                dead.reset(self.system.universe, to, step.who);
                step.with.iter().for_each(|leaf| dead.reset(self.system.universe, to, *leaf));
            }
        }
    }
}

impl Lts for Reduced<'_, '_> {
    type Fault = Fault;

    fn initial(&self, out: &mut Steps<Fault>) {
        out.push(Label::Internal, 0, |bytes| self.pack(&self.initial, bytes));
    }

    fn steps(&self, from: &[u8], out: &mut Steps<Fault>) {
        let mut moves = Vec::new();
        self.moves(&self.unpack(from), &mut moves);
        for mut step in moves {
            if let Ok(to) = &mut step.to {
                self.arrange(to.shape, &mut to.leaves);
            }
            step.append(&self.layout, out);
        }
    }

    fn is_done(&self, state: &[u8]) -> bool {
        self.system.is_done(&self.unpack(state))
    }

    fn size(&self) -> u64 {
        self.system.universe.size()
    }

    fn growth(&self, early: &[&[u8]], late: &[&[u8]]) -> Option<String> {
        growth::find(self, early, late)
    }
}

impl Portable for Reduced<'_, '_> {
    fn export(&self, state: &[u8], out: &mut Vec<u8>) {
        self.unpack(state).export(self.system.universe, &self.layout, out);
    }

    fn import(&self, portable: &[u8], out: &mut Vec<u8>) -> Option<usize> {
        let state = State::import(self.system.universe, &self.layout, portable)?;
        Some(self.pack(&state, out))
    }
}
