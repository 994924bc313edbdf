//! From a lasso of the reduced process to one of the process itself, as numbers of moves.
//!
//! Dead variables do not matter to a step, so the process takes the same moves; a step that stands for
//! several is taken apart again; and under symmetry each state takes the move that leads to a renamed
//! copy of where the lasso goes. Equal processes that have changed places may then split into parts, and
//! such states are not put in order: they are compared up to the order of operands. What comes back to a
//! copy of the same state need not be back at the state itself: the cycle is gone around until it is,
//! which it must be some day. With many names a state may have several representatives, so that the
//! lasso may get lost.

use super::lasso::Lasso;
use super::world::{NOBODY, Step, World};
use crate::refine::arrangement::are_exchanged;
use crate::refine::reduce::Reduced;
use lineal_model::lts::Label;
use lineal_model::process::system::Move;
use lineal_model::process::{State, System};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;

/// A run of the process itself, by its moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    pub prefix: Vec<usize>,
    /// `None`: the prefix tells. Empty: nothing can move any more.
    pub cycle: Option<Vec<usize>>,
}

/// Rounds after which a cycle is given up.
const ROUNDS: usize = 100_000;
/// States that one step may have been fused with.
const FUSED: usize = 100_000;

/// `None`: no run of the process does this.
pub fn concrete(world: &World, loose: &Reduced, plain: &System, lasso: &Lasso) -> Option<Run> {
    let mut walk = Walk { world, loose, plain, now: loose.start().clone(), real: plain.start().clone() };
    let mut prefix = Vec::new();
    for id in &lasso.prefix {
        prefix.extend(walk.take(&world.steps[*id as usize])?);
    }
    let Some(steps) = &lasso.cycle else { return Some(Run { prefix, cycle: None }) };
    if steps.iter().all(|id| world.steps[*id as usize].who == NOBODY) {
        return Some(Run { prefix, cycle: Some(Vec::new()) });
    }
    let mut seen: FxHashMap<(State, State), usize> = FxHashMap::default();
    let mut rounds: Vec<Vec<usize>> = Vec::new();
    while rounds.len() < ROUNDS {
        if let Some(first) = seen.insert((walk.now.clone(), walk.real.clone()), rounds.len()) {
            prefix.extend(rounds[..first].iter().flatten());
            return Some(Run { prefix, cycle: Some(rounds[first..].concat()) });
        }
        let mut round = Vec::new();
        for id in steps {
            round.extend(walk.take(&world.steps[*id as usize])?);
        }
        rounds.push(round);
    }
    None
}

struct Walk<'k, 'w, 'u, 'm> {
    world: &'k World<'w, 'u, 'm>,
    /// The process with dead variables reset, and nothing else.
    loose: &'k Reduced<'u, 'm>,
    plain: &'k System<'u, 'm>,
    now: State,
    real: State,
}

impl Walk<'_, '_, '_, '_> {
    /// The moves that a step stands for.
    fn take(&mut self, step: &Step) -> Option<Vec<usize>> {
        if step.who == NOBODY {
            return Some(Vec::new());
        }
        let moves = self.find(step)?;
        let mut all = Vec::new();
        for number in &moves {
            all.clear();
            self.plain.moves(&self.real, &mut all);
            self.real = all.drain(..).nth(*number)?.to.ok()?;
        }
        Some(moves)
    }

    /// One step that is seen like this, then internal ones that change nothing the formula sees, to
    /// the state that the step leads to. Renaming changes events, but none that the formula speaks of.
    fn find(&mut self, step: &Step) -> Option<Vec<usize>> {
        let world = self.world;
        let (target, wanted) = (world.states.key(step.to), world.position(step));
        let mut came: Vec<(Option<usize>, usize, State)> = Vec::new();
        let mut queue = VecDeque::from([None]);
        let mut met: FxHashSet<State> = FxHashSet::default();
        let mut key = Vec::new();
        // As it is stored, if equal processes may be in another order.
        let stored = world.system.exchanges().then(|| world.system.unpack(world.states.get(step.to)));
        let universe = self.plain.universe;
        while let Some(at) = queue.pop_front() {
            let state = at.map_or(&self.now, |i: usize| &came[i].2).clone();
            let mut moves: Vec<Move> = Vec::new();
            self.loose.moves(&state, &mut moves);
            for (number, taken) in moves.into_iter().enumerate() {
                let fits = match at {
                    None => world.is_taken_by(&state, &taken, step),
                    Some(_) => taken.label == Label::Internal,
                };
                let Ok(to) = taken.to else { continue };
                let holds = world.conditions_in(&to) | world.seen(step.label);
                if !fits || holds != wanted {
                    continue;
                }
                world.key_of(&to, &mut key);
                came.push((at, number, to.clone()));
                let alike = |other: &State| are_exchanged(universe, &to, other);
                if key == target || stored.as_ref().is_some_and(alike) {
                    self.now = to;
                    let mut numbers = Vec::new();
                    let mut last = Some(came.len() - 1);
                    while let Some(i) = last {
                        numbers.push(came[i].1);
                        last = came[i].0;
                    }
                    numbers.reverse();
                    return Some(numbers);
                }
                if world.system.is_fused() && met.len() < FUSED && met.insert(to) {
                    queue.push_back(Some(came.len() - 1));
                }
            }
        }
        None
    }
}
