//! The strongest levels of synchronisation that an object keeps.
//!
//! Levels are ordered: whoever keeps one keeps all below it. So the search goes down from the top,
//! and asks about a level only if none above it holds: few questions are answered by `holds`, which
//! is what takes long, and calls that showed a violation at one level are tried first at the next.
//!
//! What is decided: each level named as holding was checked within the bound asked for, and each one
//! next above them has a client that was seen to go wrong. Two levels that ask the same of this
//! object (RD and R, where nothing is removed) are one. What can be missed: promises that are no
//! level, which pairs could express.

use super::attempt::{Attempt, Attempts};
use super::check::{Checked, Refused};
use super::claim;
use super::grow::check_clients;
use super::object::Clients;
use super::search::{Asked, Problem};
use super::spec::{rules, unfit_level};
use super::{Call, Rule};
use lineal_model::adt::Kind;
use lineal_model::object::{Level, Marks, Object};
use lineal_model::run::Loc;
use lineal_model::sought::{Beyond, Levels};
use lineal_model::{Effort, Finding, Limit, Observer, Verdict};

/// Decides about every level. The problem's own is the one declared, or usual.
pub fn strongest<C: Clients>(
    problem: &Problem<'_, C>,
    effort: &Effort,
    watch: &dyn Observer,
) -> Result<Checked, Refused> {
    let object = problem.clients.object();
    let all = levels(object, problem.level);
    let mut attempts = Attempts::new(problem, effort, watch);
    let mut holding: Vec<(usize, Checked)> = Vec::new();
    let mut failing: Vec<(usize, Option<Beyond>)> = Vec::new();
    // From the top: every level comes after those above it.
    for at in (0..all.len()).rev() {
        let level = &all[at];
        if holding.iter().any(|(above, _)| below(level, &all[*above])) {
            continue;
        }
        attempts.stage(&format!("level {level}"), &settled(&all, &holding, &failing));
        match attempts.attempt(problem.clients, level) {
            Attempt::Holds(checked) => holding.push((at, *checked)),
            Attempt::Unknown(mut limit) => {
                limit.covered = [settled(&all, &holding, &failing), limit.covered].join(" ").trim().into();
                return Ok(unknown(object, level, limit, failing, attempts));
            }
            Attempt::Fails(calls) => match beyond(&mut attempts, level, calls)? {
                Ok(beyond) => failing.push((at, beyond)),
                Err(limit) => return Ok(unknown(object, level, limit, failing, attempts)),
            },
        }
    }
    holding.reverse();
    let kept: Vec<Level> = holding.iter().map(|(at, _)| all[*at].clone()).collect();
    let Some((_, mut checked)) = holding.into_iter().next() else {
        // Not even linearizable: an ordinary violation.
        let asked = problem.asked.clone();
        let level = &Level::None;
        let problem = Problem { asked, level, ..*problem };
        return check_clients(&problem, effort, watch);
    };
    // Of the levels that fail, those right above what holds.
    let next = |at: usize| {
        let above = kept.iter().any(|k| below(k, &all[at]));
        let between = |&(other, _): &(usize, Option<Beyond>)| {
            below(&all[other], &all[at]) && kept.iter().any(|k| below(k, &all[other]))
        };
        above && !failing.iter().any(between)
    };
    let fail = failing.iter().filter(|(at, _)| next(*at)).filter_map(|(_, b)| b.clone()).rev().collect();
    let finding = &mut checked.finding;
    finding.property = claim::property_at(object, &kept);
    if matches!(problem.asked, Asked::Only(_)) {
        finding.property.push_str(", in this client");
    }
    finding.remarks.extend(remark(object, &kept));
    finding.levels = Some(Levels {
        hold: kept.iter().map(Level::to_string).collect(),
        declared: object.level.as_ref().map(Level::to_string),
        fail,
    });
    finding.stats = attempts.stats;
    Ok(checked)
}

/// The levels that differ for this object, each after all below it.
fn levels(object: &Object, declared: &Level) -> Vec<Level> {
    let mut all: Vec<Level> = match object.kind {
        Kind::User => vec![Level::None],
        _ => vec![Level::None, Level::R, Level::Ri, Level::Rd, Level::Rid],
    };
    if matches!(declared, Level::Pairs(_)) {
        all.push(declared.clone());
    }
    all.push(Level::Total);
    all.retain(|level| unfit_level(object, level).is_none());
    let mut kept: Vec<Level> = Vec::new();
    for level in all {
        let same = kept.iter().position(|k| asks(object, k) == asks(object, &level));
        match same {
            // What its author calls it is the better name.
            Some(i) if object.level.as_ref() == Some(&level) => kept[i] = level,
            Some(_) => {}
            None => kept.push(level),
        }
    }
    kept
}

/// What a level asks of two calls of each operation.
fn asks(object: &Object, level: &Level) -> Vec<Rule> {
    let nowhere = Loc(0);
    let marks = Marks { begun: nowhere, ended: nowhere, result: nowhere };
    let call = |operation: usize| Call {
        operation,
        method: object.operations[operation].method,
        value: None,
        key: None,
        prio: None,
        marks,
        may_fail: false,
        waits: false,
    };
    let calls: Vec<Call> = (0..object.operations.len()).flat_map(|o| [call(o), call(o)]).collect();
    let names: Vec<String> = object.operations.iter().map(|o| o.name.clone()).collect();
    rules(object.kind, level, &calls, &names)
}

/// Whether whoever keeps `b` keeps `a` too, which asks for less.
fn below(a: &Level, b: &Level) -> bool {
    use Level::*;
    match (a, b) {
        _ if a == b => false,
        (None, _) | (_, Total) => true,
        (R, Ri | Rd | Rid) | (Ri | Rd, Rid) => true,
        _ => false,
    }
}

/// A client that shows that the level does not hold.
fn beyond<C: Clients>(
    attempts: &mut Attempts<'_, C>,
    level: &Level,
    calls: Option<Vec<lineal_model::object::Call>>,
) -> Result<Result<Option<Beyond>, Limit>, Refused> {
    let problem = attempts.problem;
    let asked = match (&problem.asked, calls) {
        (Asked::Only(client), _) => Asked::Only(client.clone()),
        (_, Some(calls)) => Asked::Calls(calls),
        // The question makes no sense: say why.
        (asked, None) => asked.clone(),
    };
    let checked = attempts.check(problem.clients, level, asked)?;
    let (witness, exhibit) = match (checked.finding.verdict, checked.exhibit) {
        (Verdict::Violated(witness), Some(exhibit)) => (witness, exhibit),
        (Verdict::Unknown(limit), _) => return Ok(Err(limit)),
        _ => return Ok(Ok(None)),
    };
    let only = Asked::Only(exhibit.client.clone());
    let alone = exhibit.client.waits.is_empty()
        && attempts
            .check(problem.clients, level, only)
            .is_ok_and(|c| matches!(c.finding.verdict, Verdict::Violated(_)));
    let end = witness.why.find(['\n']).unwrap_or(witness.why.len());
    Ok(Ok(Some(Beyond {
        level: level.to_string(),
        client: problem.clients.object().show_client(&exhibit.client),
        calls: exhibit.client.calls.len() as u64,
        alone,
        kind: witness.kind,
        why: witness.why[..end].to_string(),
        command: None,
    })))
}

/// What is known by now, a sentence or none.
fn settled(all: &[Level], holding: &[(usize, Checked)], failing: &[(usize, Option<Beyond>)]) -> String {
    let list = |ats: Vec<usize>| ats.iter().map(|&at| all[at].to_string()).collect::<Vec<_>>().join(", ");
    let mut out = Vec::new();
    if !holding.is_empty() {
        out.push(format!("Level {} was found to hold by then.", list(holding.iter().map(|h| h.0).collect())));
    }
    if !failing.is_empty() {
        out.push(format!("It does not hold at {}.", list(failing.iter().map(|f| f.0).collect())));
    }
    out.join(" ")
}

fn unknown<C: Clients>(
    object: &Object,
    level: &Level,
    limit: Limit,
    failing: Vec<(usize, Option<Beyond>)>,
    attempts: Attempts<'_, C>,
) -> Checked {
    let mut finding = Finding::new(claim::property(object, level), Verdict::Unknown(limit));
    finding.at = Some(object.at.clone());
    finding.stats = attempts.stats;
    finding.levels = Some(Levels {
        hold: Vec::new(),
        declared: object.level.as_ref().map(Level::to_string),
        fail: failing.into_iter().filter_map(|(_, beyond)| beyond).rev().collect(),
    });
    Checked { finding, exhibit: None }
}

/// How what is declared compares with what holds.
fn remark(object: &Object, kept: &[Level]) -> Option<String> {
    let declared = object.level.as_ref()?;
    let shown = kept.iter().map(Level::to_string).collect::<Vec<_>>().join(" and ");
    if kept.contains(declared) {
        return None;
    }
    match kept.iter().any(|k| below(declared, k)) {
        true => Some(format!("level={declared} is declared; the object keeps {shown} within this bound")),
        false => Some(format!("level={declared} is declared, which the object does not keep")),
    }
}
