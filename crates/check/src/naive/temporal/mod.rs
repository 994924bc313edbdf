//! Temporal logic, decided by writing everything out: no normal form, no automaton, nothing left out.
//!
//! At each position of a run every part of the formula that looks ahead is guessed to be true or
//! false. Guesses of neighbouring positions must fit: `X f` is what `f` is next, `a U b` is `b`, or `a`
//! and the same next, and so on. A part that stands for something to come must not be true for ever
//! without it coming, and likewise the other way round: these are conditions that a run must satisfy
//! infinitely often. A run on which the formula is false is an endless path through positions with
//! fitting guesses that satisfies all of them.
//!
//! Without fairness such a path is looked for by nested search (`nested`), with fairness by strongly
//! connected components (`components`), which are found by what reaches what; and once more by nested
//! search, after guessing who is owed nothing from some point on (`guessed`).
//!
//! A run that faults violates every formula. A step that faults can be taken, so it counts as enabled.

mod components;
mod guessed;
mod nested;

use lineal_model::lts::{Effect, Label, Obstacle};
use lineal_model::process::formula::{Connective, Formula, Ltl, Meaning};
use lineal_model::process::state::ShapeKind;
use lineal_model::process::system::Move;
use lineal_model::process::{Annotation, Fairness, State, System};
use std::collections::{BTreeSet, HashMap};

pub use components::violated_fairly;
pub use guessed::violated_as_guessed;
pub use nested::violated;

/// Parts of the formula that look ahead, at most.
const PARTS: usize = 7;

/// A position with guesses: a state, what holds in it, and which parts are true.
type Point = (usize, u64, u32);

/// Everything there is to walk through.
pub struct Points {
    /// Where runs begin on which the formula is false.
    pub start: Vec<usize>,
    /// Next points, each with whom the step to it serves.
    pub next: Vec<Vec<(usize, BTreeSet<String>)>>,
    /// Whom each point's state lets move, or owes something by annotations.
    pub enabled: Vec<BTreeSet<String>>,
    /// Sets of points, of each of which a run must see some infinitely often.
    pub often: Vec<Vec<bool>>,
    /// Whether some run faults.
    pub faults: bool,
}

/// Why there is no answer.
#[derive(Debug, PartialEq, Eq)]
pub enum Unclear {
    /// Too many states or parts.
    TooLarge,
    /// Some run cannot be followed, or a condition has no value.
    Faults,
    /// An annotated event is hidden.
    Hidden,
}

impl Points {
    pub fn of(system: &System, ltl: &Ltl, fairness: Fairness, most: usize) -> Result<Points, Unclear> {
        let mut parts = Vec::new();
        collect(&ltl.formula, &mut parts);
        if parts.len() > PARTS {
            return Err(Unclear::TooLarge);
        }
        let states = states(system, most)?;
        let faults = states.iter().flat_map(|(_, moves)| moves).any(|(_, to)| to.is_none());
        let mut all: Vec<Point> = Vec::new();
        let mut ids: HashMap<Point, usize> = HashMap::new();
        let mut points =
            Points { start: Vec::new(), next: Vec::new(), enabled: Vec::new(), often: Vec::new(), faults };
        let guesses = 0..1u32 << parts.len();
        let first = look(system, ltl, &states[0].0, None)?;
        for guess in guesses.clone() {
            if !value(&ltl.formula, first, guess, &parts) {
                points.start.push(number((0, first, guess), &mut all, &mut ids));
            }
        }
        while points.next.len() < all.len() {
            if all.len() > 40 * most {
                return Err(Unclear::TooLarge);
            }
            let (at, holds, guess) = all[points.next.len()];
            let (state, moves) = &states[at];
            let mut next = Vec::new();
            let mut enabled = BTreeSet::new();
            for (event, kind) in system.ready(state) {
                enabled.insert(format!("{} {}", kind.word(), event.ok_or(Unclear::Hidden)?));
            }
            for m in moves.iter().map(|(m, _)| m) {
                let Label::Event(e) = m.label else {
                    if m.annotations.is_empty() {
                        continue;
                    }
                    return Err(Unclear::Hidden);
                };
                let asked = m.annotations.iter().filter(|a| !a.is_live());
                enabled.extend(asked.map(|a| format!("{} {e}", a.word())));
            }
            let stays = [(None, Some(at), BTreeSet::new())];
            let steps: Vec<(Option<u32>, Option<usize>, BTreeSet<String>)> = moves
                .iter()
                .map(|(m, to)| {
                    let event = if let Label::Event(e) = m.label { Some(e) } else { None };
                    (event, *to, parties(system, fairness, state, m))
                })
                .collect();
            let steps = if steps.is_empty() { stays.to_vec() } else { steps };
            for (event, to, serves) in steps {
                let annotated = |party: &&String| Annotation::ALL.iter().any(|a| party.starts_with(a.word()));
                enabled.extend(serves.iter().filter(|p| !annotated(p)).cloned());
                let Some(to) = to else { continue };
                let then = look(system, ltl, &states[to].0, event)?;
                for later in guesses.clone() {
                    if fit(&parts, (holds, guess), (then, later)) {
                        next.push((number((to, then, later), &mut all, &mut ids), serves.clone()));
                    }
                }
            }
            points.next.push(next);
            points.enabled.push(enabled);
        }
        points.often = parts
            .iter()
            .enumerate()
            .filter(|(_, f)| !matches!(f, Formula::Next(_)))
            .map(|(i, f)| {
                all.iter()
                    .map(|(_, holds, guess)| {
                        let now = guess >> i & 1 == 1;
                        let is = |f: &Formula| value(f, *holds, *guess, &parts);
                        match f {
                            Formula::Eventually(g) => !now || is(g),
                            Formula::Always(g) => now || !is(g),
                            Formula::Both(Connective::Until, pair) => !now || is(&pair.1),
                            Formula::Both(_, pair) => now || !is(&pair.1),
                            _ => true,
                        }
                    })
                    .collect()
            })
            .collect();
        Ok(points)
    }
}

fn number(point: Point, all: &mut Vec<Point>, ids: &mut HashMap<Point, usize>) -> usize {
    *ids.entry(point).or_insert_with(|| {
        all.push(point);
        all.len() - 1
    })
}

type Known = Vec<(State, Vec<(Move, Option<usize>)>)>;

/// Every state with its moves; those that fault lead nowhere.
fn states(system: &System, most: usize) -> Result<Known, Unclear> {
    let mut ids: HashMap<State, usize> = HashMap::from([(system.start().clone(), 0)]);
    let mut known: Known = vec![(system.start().clone(), Vec::new())];
    let mut at = 0;
    while at < known.len() {
        let mut moves = Vec::new();
        system.moves(&known[at].0, &mut moves);
        for m in moves {
            let to = match &m.to {
                Ok(to) => to,
                Err(fault) if fault.effect() == Effect::Wrong => {
                    known[at].1.push((m, None));
                    continue;
                }
                Err(_) => return Err(Unclear::Faults),
            };
            let fresh = known.len();
            let id = *ids.entry(to.clone()).or_insert(fresh);
            if id == fresh {
                known.push((to.clone(), Vec::new()));
            }
            known[at].1.push((m, Some(id)));
        }
        at += 1;
        if known.len() > most {
            return Err(Unclear::TooLarge);
        }
    }
    Ok(known)
}

fn look(system: &System, ltl: &Ltl, state: &State, event: Option<u32>) -> Result<u64, Unclear> {
    let mut holds = 0;
    for (i, atom) in ltl.atoms.iter().enumerate() {
        let is = match &atom.meaning {
            Meaning::Event(name, args) => event == Some(system.universe.events.id(*name, args)),
            Meaning::Condition(e) => system.frame(state).holds(e).map_err(|_| Unclear::Faults)?,
        };
        holds |= u64::from(is) << i;
    }
    Ok(holds)
}

fn looks_ahead(f: &Formula) -> bool {
    matches!(
        f,
        Formula::Next(_)
            | Formula::Always(_)
            | Formula::Eventually(_)
            | Formula::Both(Connective::Until | Connective::Release, _)
    )
}

fn collect(f: &Formula, parts: &mut Vec<Formula>) {
    match f {
        Formula::True | Formula::False | Formula::Atom(_) => {}
        Formula::Not(g) | Formula::Next(g) | Formula::Always(g) | Formula::Eventually(g) => collect(g, parts),
        Formula::Both(_, pair) => {
            collect(&pair.0, parts);
            collect(&pair.1, parts);
        }
    }
    if looks_ahead(f) && !parts.contains(f) {
        parts.push(f.clone());
    }
}

fn value(f: &Formula, holds: u64, guess: u32, parts: &[Formula]) -> bool {
    let of = |f: &Formula| value(f, holds, guess, parts);
    match f {
        Formula::True => true,
        Formula::False => false,
        Formula::Atom(i) => holds >> i & 1 == 1,
        Formula::Not(g) => !of(g),
        Formula::Both(Connective::And, pair) => of(&pair.0) && of(&pair.1),
        Formula::Both(Connective::Or, pair) => of(&pair.0) || of(&pair.1),
        Formula::Both(Connective::Implies, pair) => !of(&pair.0) || of(&pair.1),
        Formula::Both(Connective::Iff, pair) => of(&pair.0) == of(&pair.1),
        Formula::Both(Connective::Xor, pair) => of(&pair.0) != of(&pair.1),
        _ => guess >> parts.iter().position(|p| p == f).expect("collected") & 1 == 1,
    }
}

/// Whether what is guessed now is right if what is guessed next is.
fn fit(parts: &[Formula], now: (u64, u32), next: (u64, u32)) -> bool {
    parts.iter().enumerate().all(|(i, f)| {
        let is = |f: &Formula| value(f, now.0, now.1, parts);
        let later = next.1 >> i & 1 == 1;
        let right = match f {
            Formula::Next(g) => value(g, next.0, next.1, parts),
            Formula::Always(g) => is(g) && later,
            Formula::Eventually(g) => is(g) || later,
            Formula::Both(Connective::Until, pair) => is(&pair.1) || (is(&pair.0) && later),
            Formula::Both(_, pair) => is(&pair.1) && (is(&pair.0) || later),
            _ => unreachable!("these look ahead"),
        };
        (now.1 >> i & 1 == 1) == right
    })
}

/// Whom a move serves, by name.
fn parties(system: &System, fairness: Fairness, from: &State, step: &Move) -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    if let Label::Event(e) = step.label {
        all.extend(Annotation::ALL.map(|a| format!("{} {e}", a.word())));
    }
    match (fairness, step.label) {
        (Fairness::WeakEvent | Fairness::StrongEvent, Label::Event(e)) => {
            all.insert(format!("event {e}"));
        }
        (Fairness::WeakProcess | Fairness::StrongProcess, _) => {
            // Count leaves off, operand by operand.
            let nodes = &system.universe.shape(from.shape).nodes;
            let mut owners = Vec::new();
            below(nodes, &mut 0, None, &mut owners);
            for leaf in [&[step.who][..], &step.with[..]].concat() {
                all.insert(format!("process {}", owners[leaf]));
            }
        }
        (Fairness::Global, label) => {
            all.insert(format!("{from:?} by {label:?} to {:?}", step.to));
        }
        _ => {}
    }
    all
}

/// The operand of the outermost parallel operator, for each leaf.
fn below(nodes: &[ShapeKind], at: &mut usize, operand: Option<u32>, owners: &mut Vec<u32>) {
    let node = &nodes[*at];
    *at += 1;
    match node {
        ShapeKind::Leaf => owners.push(operand.unwrap_or(0)),
        ShapeKind::Parallel(_, _, n) => {
            (0..*n).for_each(|i| below(nodes, at, operand.or(Some(i)), owners));
        }
        _ => below(nodes, at, operand, owners),
    }
}

/// Whether being owed something again and again is enough for a party.
fn is_strong(fairness: Fairness, party: &str) -> bool {
    match Annotation::ALL.into_iter().find(|a| party.starts_with(&format!("{} ", a.word()))) {
        Some(annotation) => annotation.is_strong(),
        None => fairness.is_strong(),
    }
}
