//! A run that goes around for ever, taken again: is it one of the process, is it fair, and is the
//! formula false on it?
//!
//! Shares nothing with the search but the meaning of processes. The moves are taken one by one; the
//! cycle must come back to the very state it began in. The formula is evaluated in every position, part
//! by part: a part with `U`, `R`, `[]` or `<>` is a least or greatest fixpoint over the positions, of
//! which there are finitely many. Of a finite beginning it is asked whether it settles the formula: a
//! part is true, false or open there, and stays true or false whatever follows. Fairness is looked up
//! in the states of the cycle; a step that fails can be taken, so what it would serve is enabled.

use lineal_model::lts::Label;
use lineal_model::process::formula::{Connective, Fairness, Formula, Ltl, Meaning};
use lineal_model::process::state::ShapeKind;
use lineal_model::process::system::Move;
use lineal_model::process::{EventId, State, System};
use std::collections::BTreeSet;

/// A run of the process, and how it goes on.
#[derive(Clone, Debug)]
pub struct Walked {
    /// The moves, each with where it leads.
    pub moves: Vec<(usize, Move)>,
    pub positions: Positions,
}

/// What holds where, and what comes next.
#[derive(Clone, Debug)]
pub struct Positions {
    /// By position: the atoms that hold, as bits.
    pub holds: Vec<u64>,
    /// The position after the last one; `None`: anything may follow.
    pub back: Option<usize>,
    /// Whether nothing moves from the last but one on.
    pub still: bool,
}

/// Why a run shows nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refuted {
    /// It is no run of the process, or goes on otherwise.
    NoRun(String),
    Unfair,
    /// The formula holds on it.
    Holds,
    /// Whether the formula holds depends on what follows.
    Open,
}

/// Takes the run again. `cycle`: `None` if the prefix tells, empty if nothing can move at its end.
pub fn walk(
    system: &System,
    ltl: &Ltl,
    fairness: Fairness,
    prefix: &[usize],
    cycle: Option<&[usize]>,
) -> Result<Walked, Refuted> {
    let mut states = vec![system.start().clone()];
    let mut moves: Vec<(usize, Move)> = Vec::new();
    for number in prefix.iter().chain(cycle.unwrap_or_default()) {
        let taken = offers(system, &states[states.len() - 1]).into_iter().nth(*number).ok_or_else(|| {
            Refuted::NoRun(format!("there is no move {number} after {} steps", moves.len()))
        })?;
        let Ok(to) = &taken.to else {
            return Err(Refuted::NoRun(format!("move {number} fails after {} steps", moves.len())));
        };
        states.push(to.clone());
        moves.push((*number, taken));
    }
    let mut holds = vec![look(system, ltl, &states[0], None)?];
    for (state, (_, taken)) in states[1..].iter().zip(&moves) {
        let event = match taken.label {
            Label::Event(e) => Some(e),
            Label::Internal => None,
        };
        holds.push(look(system, ltl, state, event)?);
    }
    let last = &states[states.len() - 1];
    let live = system.annotations().are_live();
    let back = match cycle {
        // Nobody has said that it can go on.
        None if live => return Err(Refuted::Open),
        None => None,
        Some([]) => {
            if !offers(system, last).is_empty() {
                return Err(Refuted::NoRun("it could go on".into()));
            }
            annotated(system, std::slice::from_ref(last), &[])?;
            holds.push(look(system, ltl, last, None)?);
            Some(holds.len() - 1)
        }
        Some(cycle) => {
            let first = states.len() - 1 - cycle.len();
            if states[first] != *last {
                return Err(Refuted::NoRun("the cycle does not come back to where it began".into()));
            }
            let around = &states[first..states.len() - 1];
            fair(system, fairness, around, &moves[first..])?;
            annotated(system, around, &moves[first..])?;
            Some(first + 1)
        }
    };
    let positions = Positions { holds, back, still: cycle == Some(&[]) };
    match positions.settle(&ltl.formula) {
        Some(false) => Ok(Walked { moves, positions }),
        Some(true) => Err(Refuted::Holds),
        None => Err(Refuted::Open),
    }
}

fn offers(system: &System, state: &State) -> Vec<Move> {
    let mut all = Vec::new();
    system.moves(state, &mut all);
    all
}

fn look(system: &System, ltl: &Ltl, state: &State, event: Option<EventId>) -> Result<u64, Refuted> {
    let mut holds = 0;
    for (i, atom) in ltl.atoms.iter().enumerate() {
        let is = match &atom.meaning {
            Meaning::Event(..) => event.is_some() && atom.event(&system.universe.events) == event,
            Meaning::Condition(e) => system.frame(state).holds(e).map_err(|f| Refuted::NoRun(f.message))?,
        };
        holds |= u64::from(is) << i;
    }
    Ok(holds)
}

/// Whom each move serves.
fn parties(system: &System, fairness: Fairness, from: &State, step: &Move) -> BTreeSet<String> {
    match fairness {
        Fairness::None => BTreeSet::new(),
        Fairness::WeakEvent | Fairness::StrongEvent => match step.label {
            Label::Event(e) => BTreeSet::from([e.to_string()]),
            Label::Internal => BTreeSet::new(),
        },
        Fairness::WeakProcess | Fairness::StrongProcess => {
            let nodes = &system.universe.shape(from.shape).nodes;
            std::iter::once(step.who)
                .chain(step.with.iter().copied())
                .map(|leaf| operand(nodes, leaf).to_string())
                .collect()
        }
        Fairness::Global => {
            BTreeSet::from([format!("{from:?} {:?} {:?}", step.label, step.to.as_ref().ok())])
        }
    }
}

/// Which operand of the outermost parallel operator a component is in.
fn operand(nodes: &[ShapeKind], leaf: usize) -> usize {
    let Some(at) = nodes.iter().position(|n| matches!(n, ShapeKind::Parallel(..))) else { return 0 };
    let (mut operand, mut leaves, mut open) = (0, 0, 1usize);
    for node in &nodes[at + 1..] {
        // `open` nodes are still to come of this operand.
        open -= 1;
        match node {
            ShapeKind::Leaf if leaves == leaf => return operand,
            ShapeKind::Leaf => leaves += 1,
            ShapeKind::Parallel(_, _, n) => open += *n as usize,
            _ => open += 1,
        }
        if open == 0 {
            operand += 1;
            open = 1;
        }
    }
    operand
}

fn fair(
    system: &System,
    fairness: Fairness,
    states: &[State],
    moves: &[(usize, Move)],
) -> Result<(), Refuted> {
    let mut served = BTreeSet::new();
    for (state, (_, step)) in states.iter().zip(moves) {
        served.extend(parties(system, fairness, state, step));
    }
    let mut owed: Option<BTreeSet<String>> = None;
    for state in states {
        let here: BTreeSet<String> =
            offers(system, state).iter().flat_map(|m| parties(system, fairness, state, m)).collect();
        owed = Some(match owed {
            None => here,
            Some(all) if fairness.is_strong() => &all | &here,
            Some(all) => &all & &here,
        });
    }
    match owed.unwrap_or_default().is_subset(&served) {
        true => Ok(()),
        false => Err(Refuted::Unfair),
    }
}

/// Whether everything happens that annotations of events ask for, one kind after the other.
fn annotated(system: &System, states: &[State], moves: &[(usize, Move)]) -> Result<(), Refuted> {
    let happens: BTreeSet<Option<EventId>> = moves.iter().map(|(_, m)| event(m)).collect();
    for kind in system.annotations().iter() {
        let owes = |state: &State| -> BTreeSet<Option<EventId>> {
            if kind.is_live() {
                return system.ready(state).into_iter().filter(|(_, a)| *a == kind).map(|(e, _)| e).collect();
            }
            let moves = offers(system, state);
            moves.iter().filter(|m| m.annotations.contains(kind)).map(event).collect()
        };
        let all: Vec<BTreeSet<Option<EventId>>> = states.iter().map(owes).collect();
        for owed in all.iter().flatten() {
            let due = kind.is_strong() || all.iter().all(|here| here.contains(owed));
            if due && (owed.is_none() || !happens.contains(owed)) {
                return Err(Refuted::Unfair);
            }
        }
    }
    Ok(())
}

fn event(step: &Move) -> Option<EventId> {
    match step.label {
        Label::Event(e) => Some(e),
        Label::Internal => None,
    }
}

/// The mildest fairness that rules out going around like this from move `first` on, if any does.
pub fn ruled_out_by(system: &System, walked: &Walked, first: usize) -> Option<Fairness> {
    let to = |i: usize| walked.moves[i].1.to.as_ref().ok().cloned();
    let from = |i: usize| if i == 0 { Some(system.start().clone()) } else { to(i - 1) };
    let states: Option<Vec<State>> = (first..walked.moves.len()).map(from).collect();
    let states = states?;
    use Fairness::*;
    [WeakProcess, WeakEvent, StrongProcess, StrongEvent, Global]
        .into_iter()
        .find(|kind| fair(system, *kind, &states, &walked.moves[first..]).is_err())
}

impl Positions {
    /// Whether the formula holds in the first position; `None` if that depends on what follows.
    pub fn settle(&self, formula: &Formula) -> Option<bool> {
        self.values(formula)[0]
    }

    fn after(&self, at: usize) -> Option<usize> {
        if at + 1 < self.holds.len() { Some(at + 1) } else { self.back }
    }

    /// The value of a part, position by position.
    pub fn values(&self, formula: &Formula) -> Vec<Option<bool>> {
        let n = self.holds.len();
        let not = |v: Vec<Option<bool>>| v.into_iter().map(|b| b.map(|b| !b)).collect::<Vec<_>>();
        match formula {
            Formula::True => vec![Some(true); n],
            Formula::False => vec![Some(false); n],
            Formula::Atom(i) => self.holds.iter().map(|h| Some(h >> i & 1 == 1)).collect(),
            Formula::Not(f) => not(self.values(f)),
            Formula::Next(f) => {
                let f = self.values(f);
                (0..n).map(|i| self.after(i).and_then(|j| f[j])).collect()
            }
            Formula::Eventually(f) => self.fixpoint(&vec![Some(true); n], &self.values(f)),
            Formula::Always(f) => not(self.fixpoint(&vec![Some(true); n], &not(self.values(f)))),
            Formula::Both(op, pair) => {
                let (a, b) = (self.values(&pair.0), self.values(&pair.1));
                let each = |f: fn(Option<bool>, Option<bool>) -> Option<bool>| {
                    a.iter().zip(&b).map(|(a, b)| f(*a, *b)).collect()
                };
                match op {
                    Connective::And => each(and),
                    Connective::Or => each(or),
                    Connective::Implies => each(|a, b| or(a.map(|a| !a), b)),
                    Connective::Iff => each(|a, b| Some(a? == b?)),
                    Connective::Xor => each(|a, b| Some(a? != b?)),
                    Connective::Until => self.fixpoint(&a, &b),
                    Connective::Release => not(self.fixpoint(&not(a.clone()), &not(b.clone()))),
                }
            }
        }
    }

    /// `a U b`: what follows a finite beginning is open; around a cycle nothing is true that never
    /// comes to `b`.
    fn fixpoint(&self, a: &[Option<bool>], b: &[Option<bool>]) -> Vec<Option<bool>> {
        let n = self.holds.len();
        let mut values = vec![Some(false); n];
        loop {
            let before = values.clone();
            for i in (0..n).rev() {
                let rest = self.after(i).and_then(|j| values[j]);
                values[i] = or(b[i], and(a[i], rest));
            }
            if values == before {
                return values;
            }
        }
    }
}

fn and(a: Option<bool>, b: Option<bool>) -> Option<bool> {
    match (a, b) {
        (Some(false), _) | (_, Some(false)) => Some(false),
        (Some(true), Some(true)) => Some(true),
        _ => None,
    }
}

fn or(a: Option<bool>, b: Option<bool>) -> Option<bool> {
    and(a.map(|a| !a), b.map(|b| !b)).map(|v| !v)
}
