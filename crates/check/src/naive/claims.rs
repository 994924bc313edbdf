//! Assertions about one process, by writing all its states out. Nothing here is shared with the
//! engine but the meaning of processes, without any reduction.

use lineal_model::lts::Label;
use lineal_model::process::expr::Expr;
use lineal_model::process::{Extreme, State, System};
use std::collections::HashMap;

/// Every state of a process, and the moves between them.
pub struct States<'s, 'u, 'm> {
    system: &'s System<'u, 'm>,
    all: Vec<State>,
    internal: Vec<Vec<usize>>,
    /// Without any move.
    stuck: Vec<bool>,
    /// Some run cannot go on because the model is wrong.
    pub faults: bool,
    /// Some process cannot be followed, or is too large.
    pub gaps: bool,
}

/// What `reaches` answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reached {
    Yes,
    /// The least or greatest value.
    Best(i32),
    No,
    /// Nowhere, and some run faults.
    Faults,
    /// The goal or the value cannot be evaluated in some state, and this matters.
    Unclear,
}

impl<'s, 'u, 'm> States<'s, 'u, 'm> {
    /// `None` if there are more than `max`.
    pub fn of(system: &'s System<'u, 'm>, max: usize) -> Option<Self> {
        let mut ids = HashMap::from([(system.start().clone(), 0)]);
        let mut states = States {
            system,
            all: vec![system.start().clone()],
            internal: Vec::new(),
            stuck: Vec::new(),
            faults: false,
            gaps: false,
        };
        while states.internal.len() < states.all.len() {
            let mut moves = Vec::new();
            system.moves(&states.all[states.internal.len()], &mut moves);
            states.stuck.push(moves.is_empty());
            let mut internal = Vec::new();
            for m in moves {
                let to = match m.to {
                    Ok(to) => to,
                    Err(fault) => {
                        *(if fault.is_gap() { &mut states.gaps } else { &mut states.faults }) = true;
                        continue;
                    }
                };
                let next = states.all.len();
                let id = *ids.entry(to.clone()).or_insert(next);
                if id == next {
                    states.all.push(to);
                }
                if m.label == Label::Internal {
                    internal.push(id);
                }
            }
            states.internal.push(internal);
            if states.all.len() > max {
                return None;
            }
        }
        Some(states)
    }

    pub fn len(&self) -> usize {
        self.all.len()
    }
    pub fn is_empty(&self) -> bool {
        false
    }

    /// `ending`: termination counts.
    pub fn gets_stuck(&self, ending: bool) -> bool {
        (0..self.all.len()).any(|s| self.stuck[s] && (ending || !self.system.is_done(&self.all[s])))
    }

    /// Whether internal steps can go on for ever: states that cannot are taken away until none is
    /// left that can be.
    pub fn diverges(&self) -> bool {
        let mut open = vec![true; self.all.len()];
        loop {
            let before = open.clone();
            for (open, next) in open.iter_mut().zip(&self.internal) {
                *open &= next.iter().any(|t| before[*t]);
            }
            if open == before {
                return open.contains(&true);
            }
        }
    }

    pub fn reaches(&self, goal: &Expr, extreme: Option<&(Extreme, Expr)>) -> Reached {
        let (mut values, mut unclear, mut yes) = (Vec::new(), false, false);
        for state in &self.all {
            let frame = self.system.frame(state);
            match (frame.holds(goal), extreme) {
                (Ok(false), _) => {}
                (Ok(true), None) => yes = true,
                (Ok(true), Some((_, e))) => match frame.eval(e) {
                    Ok(value) => values.push(value),
                    Err(_) => unclear = true,
                },
                (Err(_), _) => unclear = true,
            }
        }
        let best = match extreme {
            Some((Extreme::Min, _)) => values.iter().min(),
            _ => values.iter().max(),
        };
        match best {
            _ if yes => Reached::Yes,
            _ if unclear => Reached::Unclear,
            Some(best) => Reached::Best(*best),
            None if self.faults => Reached::Faults,
            None => Reached::No,
        }
    }
}
