//! Recorded histories and relaxed types: what is decided how, and how far operations are displaced.
//!
//! A relaxed type is a type like any other to the search. Three things are different.
//! Continuations may make every call of the log, also where a part of it is looked at. Where classes
//! drift apart (`literal`) they are held together at first, which may only reject too much: what is
//! rejected is decided again without that. And a violation is best understood by the factor that it
//! would take: with that, some order explains the log, and each operation is so far from its place.

use super::Problem;
use super::answer::Answer;
use super::explain::{Patience, order};
use super::parts::Decided;
use crate::replay::quasi::{Asked, Displaced};
use lineal_model::adt::quasi::{MOST, Relaxation, Semantics};
use lineal_model::adt::{Kind, Object};
use lineal_model::history::{History, Op};
use lineal_model::{Limit, Observer, Witness, WitnessKind};
use std::sync::Arc;

/// Classes may drift apart by so much at first.
const DRIFT: u32 = 0;
/// Greater factors than those given are tried up to so much more.
const FURTHER: u32 = 6;
/// Steps that finding out how far operations are displaced may take.
const STEPS: u64 = 100_000;
/// Longer orders are not looked at.
const LONGEST: usize = 60;

/// The relaxation to begin with.
pub fn first(relaxation: &Relaxation, history: &History) -> Relaxation {
    let drift = match relaxation.semantics {
        Semantics::Literal => relaxation.drift.or(Some(DRIFT)),
        _ => None,
    };
    Relaxation { drift, ..relaxation.knowing(history) }
}

/// The object to decide about once more, if it was rejected by what holds classes together.
pub fn exact(problem: &Problem, decided: &Decided) -> Option<Object> {
    let relaxation = problem.object.quasi.as_ref()?;
    let rejected = decided.parts.iter().any(|p| matches!(p.answer(), Some(Answer::Violated(_))));
    (relaxation.drift.is_some() && rejected).then(|| {
        let relaxation = Relaxation { drift: None, ..(**relaxation).clone() };
        Object { quasi: Some(Arc::new(relaxation)), ..problem.object.clone() }
    })
}

/// Why a violation is not certain: a pending call may have answered what the exact type would have it answer
/// at another place, and where answers are computed (numbers that are counted, types in C) only those of
/// its own place are tried.
pub fn guesses(problem: &Problem) -> Option<Limit> {
    let relaxation = problem.object.quasi.as_deref()?;
    let computed = matches!(problem.object.kind, Kind::Counter | Kind::FetchIncrement | Kind::User);
    let pending = problem.history.ops().filter(|op| op.is_pending()).count();
    (computed && pending > 0 && relaxation.most() > 0).then(|| {
        let calls = if pending == 1 { "1 call has".to_string() } else { format!("{pending} calls have") };
        Limit::method(format!(
            "{calls} not returned, and not every answer that a relaxed {} might have given was tried: no order was found, but there may be one",
            problem.object.kind.word()
        ))
    })
}

/// Which factors would do for a history that is violated, and what is out of order then: a line each.
pub fn lines(history: &History, object: &Object, watch: &dyn Observer) -> Vec<String> {
    let mut witness = Witness::new(WitnessKind::Result, "");
    displaced(&Problem::new(history, object), &mut witness, watch);
    witness.reasons
}

/// Adds to a violation which factors would do, and what is out of order then.
pub fn displaced(problem: &Problem, witness: &mut Witness, watch: &dyn Observer) {
    let Some(relaxation) = problem.object.quasi.as_deref() else { return };
    if relaxation.semantics == Semantics::Windows || relaxation.classes.is_empty() {
        return;
    }
    let most = (1..=FURTHER).take_while(|more| relaxation.most() + more <= MOST);
    for more in most {
        let mut wider = relaxation.clone();
        wider.classes.iter_mut().for_each(|c| c.factor = (c.factor + more).min(MOST));
        let object = Object { quasi: Some(Arc::new(wider.clone())), ..problem.object.clone() };
        let wider_problem = Problem { object: &object, ..*problem };
        let Some(found) = order(&wider_problem, Patience::Little, watch) else { continue };
        let word: Vec<u32> = found.iter().map(|(op, _)| *op).collect();
        let Some(moved) = displacements(&wider_problem, &word) else { return };
        witness.reasons.push(format!("With {} there is an order that explains it:", wider.shown()));
        for d in &moved {
            let op = word[d.op] as usize;
            witness.reasons.push(format!("  {}.", sentence(&wider_problem, &word, d)));
            let far = too_far(relaxation, problem, &word, d);
            if let Some(drawn) = timeline(problem, witness, op)
                && far
            {
                drawn.guilty = true;
                drawn.remark = d.brief();
            }
        }
        return;
    }
    if relaxation.most() < MOST {
        witness.reasons.push("No slightly greater factor explains it either.".into());
    }
    if relaxation.semantics == Semantics::Classes && is_literal(problem, relaxation, watch) {
        witness.reasons.push(
            "The definition word by word (semantics literal) allows it: there, classes move past each \
             other, and a value may be answered before it is there."
                .into(),
        );
    }
}

/// Whether the same factors explain the history if nothing orders different classes.
fn is_literal(problem: &Problem, relaxation: &Relaxation, watch: &dyn Observer) -> bool {
    let literal = Relaxation {
        semantics: Semantics::Literal,
        drift: Some(DRIFT),
        ..relaxation.knowing(problem.history)
    };
    let object = Object { quasi: Some(Arc::new(literal)), ..problem.object.clone() };
    order(&Problem { object: &object, ..*problem }, Patience::Little, watch).is_some()
}

/// Which operations an order executes elsewhere, as the end of a sentence.
pub fn moved(problem: &Problem, order: &[(u32, String)]) -> String {
    let word: Vec<u32> = order.iter().map(|(op, _)| *op).collect();
    let moved = displacements(problem, &word).unwrap_or_default();
    if moved.is_empty() {
        return String::new();
    }
    let moved: Vec<String> = moved.iter().map(|d| sentence(problem, &word, d)).collect();
    format!(" ({})", moved.join("; "))
}

fn displacements(problem: &Problem, word: &[u32]) -> Option<Vec<Displaced>> {
    let relaxation = problem.object.quasi.as_deref()?;
    if word.len() > LONGEST {
        return None;
    }
    let ops: Vec<Op> = word.iter().map(|&i| problem.history.op(i as usize)).collect();
    let asked = Asked { object: problem.object, relaxation, history: problem.history };
    let order = asked.explain(&ops, &mut STEPS.clone()).ok()??;
    Some(asked.displaced(&ops, &order))
}

fn too_far(relaxation: &Relaxation, problem: &Problem, word: &[u32], displaced: &Displaced) -> bool {
    let op = problem.history.op(word[displaced.op] as usize);
    let class = relaxation.class(&op, &problem.history.values);
    let factor = class.map_or(0, |c| relaxation.classes[c].factor);
    displaced.by.unsigned_abs() > u64::from(factor)
}

fn timeline<'w>(
    problem: &Problem,
    witness: &'w mut Witness,
    op: usize,
) -> Option<&'w mut lineal_model::verdict::TimelineOp> {
    let call = u64::from(problem.history.op(op).call);
    witness.history.iter_mut().find(|drawn| drawn.call == call)
}

/// `dequeue() → 2 comes 2 places too soon, before dequeue() → 1 and dequeue() → 3`.
fn sentence(problem: &Problem, word: &[u32], displaced: &Displaced) -> String {
    let show = |at: usize| {
        let op = problem.history.op(word[at] as usize);
        let line = if op.line > 0 { format!(" (line {})", op.line) } else { String::new() };
        format!("{}{line}", problem.object.show(&op, &problem.history.values))
    };
    let past: Vec<String> = displaced.past.iter().map(|&at| show(at)).collect();
    format!("{} comes {}", show(displaced.op), displaced.words(&past))
}
