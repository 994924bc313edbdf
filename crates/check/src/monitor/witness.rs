//! An explanation as a witness that every output format can show.

use super::explain::Explanation;
use super::fast::Conflict;
use super::minimise::Verified;
use super::{Consistency, Problem};
use lineal_model::history::Op;
use lineal_model::verdict::TimelineOp;
use lineal_model::{Place, Witness, WitnessKind};
use rustc_hash::FxHashMap;

/// More operations than this are not drawn; the guilty ones and their neighbours are.
const DRAWN: usize = 2_000;

/// The broken rule alone.
pub fn brief(problem: &Problem, conflict: &Conflict) -> Witness {
    let last = conflict.ops.last().map(|&i| problem.history.op(i as usize));
    Witness {
        at: last.filter(|op| op.line > 0).map(|op| Place::line(problem.log, op.line)),
        calls: Some(conflict.ops.len() as u64),
        hints: vec!["There was no time to explain this further.".into()],
        ..Witness::new(WitnessKind::Result, format!("{}.", conflict.why.trim_end_matches('.')))
    }
}

pub fn witness(problem: &Problem, conflict: &Conflict, explanation: &Explanation) -> Witness {
    let history = problem.history;
    let place = |op: &Op| (op.line > 0).then(|| Place::line(problem.log, op.line));
    let show = |op: &Op| problem.object.show(op, &history.values);
    let order: FxHashMap<u32, u64> =
        explanation.order.iter().zip(1..).map(|((op, _), place)| (*op, place)).collect();
    let stuck = explanation.prefix.map(|p| p.1);
    let mut hints: Vec<String> = Vec::new();
    if let (Some((events, stuck)), Consistency::Linearizable) = (explanation.prefix, problem.consistency) {
        let op = history.op(stuck as usize);
        let line = if op.line > 0 { format!(" (called on line {})", op.line) } else { String::new() };
        hints.push(format!(
            "The first {events} of {} events can be explained; then {}{line} returns, and nothing explains that.",
            history.events(),
            show(&op)
        ));
    }
    // One operation breaks a rule, whatever those do that are left out.
    let alone = explanation.ops.len() == 1 && conflict.ops.len() < history.len();
    hints.extend(match &explanation.ops[..] {
        _ if alone => vec![format!("Whatever the order, {}.", conflict.why)],
        [_] => failing(explanation, "By itself, "),
        _ if explanation.order.is_empty() => {
            failing(explanation, "None of the marked operations can come first: ")
        }
        _ => failing(explanation, "After the order shown, "),
    });
    if let Some(minimal) = &explanation.minimal {
        hints.push(format!(
            "{} of {} operations are wrong by themselves{}, as {} confirms.",
            minimal.ops.len(),
            history.len(),
            if minimal.complete { "; no whole value and no read among them can be left out" } else { "" },
            match minimal.verified {
                Verified::EveryOrder => "trying every order",
                Verified::Search => "the general search",
            }
        ));
    }
    if explanation.cut {
        hints.push("This explanation is cut short: finding more would take too long.".into());
    }
    let guilty: Vec<u32> = explanation.ops.clone();
    let drawn = drawn(history.len(), &guilty, explanation.minimal.is_some());
    let timeline = drawn
        .iter()
        .map(|&i| {
            let op = history.op(i as usize);
            let failing = explanation.failing.iter().find(|f| f.op == i);
            TimelineOp {
                process: history.values.show(op.process),
                what: show(&op),
                call: u64::from(op.call),
                ret: (!op.is_pending()).then_some(u64::from(op.ret)),
                order: order.get(&i).copied(),
                remark: match (Some(i) == stuck, failing) {
                    (true, _) => "no order explains this answer".into(),
                    (false, Some(_)) if alone => conflict.why.clone(),
                    (false, Some(f)) => f.why.clone(),
                    _ => String::new(),
                },
                guilty: Some(i) == stuck || (guilty.len() <= 12 && guilty.binary_search(&i).is_ok()),
                at: place(&op),
            }
        })
        .collect();
    Witness {
        at: stuck.or(guilty.last().copied()).and_then(|i| place(&history.op(i as usize))),
        calls: Some(guilty.len() as u64),
        history: timeline,
        hints,
        shortest: false,
        ..Witness::new(WitnessKind::Result, format!("{}.", conflict.why.trim_end_matches('.')))
    }
}

/// Why nothing goes on from where the order ends.
fn failing(explanation: &Explanation, lead: &str) -> Vec<String> {
    explanation.failing.iter().map(|f| format!("{lead}{}.", f.why)).collect()
}

/// All operations of a short history, or those to look at.
fn drawn(count: usize, guilty: &[u32], minimal: bool) -> Vec<u32> {
    if count <= 60 && !minimal {
        return (0..count as u32).collect();
    }
    if guilty.len() <= DRAWN {
        return guilty.to_vec();
    }
    guilty[guilty.len() - DRAWN..].to_vec()
}
