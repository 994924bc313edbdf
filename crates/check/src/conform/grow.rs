//! Growing bounds: what can be said of an object with loops that the search cannot close.
//!
//! As for programs ([`crate::graph::check_growing`]): all clients are checked with executions in which no
//! thread goes round a loop more than once, twice, four times and so on. A violation among them is one;
//! a bound that cuts nothing short is none; and when something runs out in between, the last bound
//! that was gone through is what is known.

use super::check::{Checked, Refused, check_with};
use super::clients::Bound;
use super::object::Clients;
use super::search::{Asked, Problem};
use crate::graph::grow::{OWN, Reach, often};
use lineal_model::{Effort, Knob, Limit, LimitKind, Observer, Verdict};

/// Decides about all clients asked for.
pub fn check(problem: &Problem<'_>, effort: &Effort, watch: &dyn Observer) -> Result<Checked, Refused> {
    check_clients(problem, effort, watch)
}

/// The same for objects of any kind: [`check_with`], and with growing bounds if some loop goes on for too
/// long.
pub fn check_clients<C: Clients>(
    problem: &Problem<'_, C>,
    effort: &Effort,
    watch: &dyn Observer,
) -> Result<Checked, Refused> {
    // What the other object does not get to might be the match that is missing.
    let fixed = problem.unroll.is_some()
        || problem.preemptions.is_some()
        || problem.clients.against().is_some()
        || matches!(problem.asked, Asked::Sampled(..));
    if fixed {
        return check_with(problem, effort, watch, true);
    }
    let mut seems: Option<Limit> = None;
    let mut safe = None;
    let mut last = None;
    for reach in Reach::growing(1 << 12) {
        let bounded = Problem { asked: problem.asked.clone(), unroll: reach.bound(), ..*problem };
        let mut found = match (check_with(&bounded, &reach.effort(effort), watch, true), reach.bound()) {
            (Ok(found), _) => found,
            // It takes more rounds than these to return.
            (Err(Refused::NeverReturns { .. }), Some(_)) => continue,
            (Err(other), _) => return Err(other),
        };
        match (&mut found.finding.verdict, reach.bound()) {
            (Verdict::Violated(_), _) | (Verdict::Holds(_), None) => return Ok(found),
            (Verdict::Holds(scope), Some(_))
                if !scope.bounds.iter().any(|b| b.knob == Knob::Unroll && b.cut > 0) =>
            {
                scope.bounds.retain(|b| b.knob != Knob::Unroll);
                return Ok(found);
            }
            (Verdict::Holds(_), Some(_)) => safe = reach.bound(),
            (Verdict::Unknown(limit), bound) if limit.kind == LimitKind::Loop => match bound {
                Some(_) if bounded.goes_on_behind_bounds() => safe = bound,
                Some(_) => {}
                None => seems = Some(limit.clone()),
            },
            (Verdict::Unknown(other), bound) => {
                let Some(limit) = seems else { return Ok(found) };
                let message = match bound {
                    Some(_) => format!("{}. {}", limit.message, other.message),
                    None => other.message.clone(),
                };
                seems = Some(Limit { message, ..other.clone() });
                last = Some(found);
                break;
            }
        }
        last = Some(found);
    }
    let mut limit = seems.expect("all executions come first, and they did not end");
    let own = if problem.unroll_at.is_empty() { "" } else { OWN };
    if let Some(rounds) = safe {
        limit.covered = format!("{}{own} was checked, without a violation.", covered(&problem.asked, rounds));
    }
    let mut last = last.expect("something was tried");
    last.finding.verdict = Verdict::Unknown(limit);
    Ok(last)
}

fn covered(asked: &Asked, rounds: u32) -> String {
    let calls = |n: usize| if n == 1 { "1 call".into() } else { format!("{n} calls") };
    let clients = match asked {
        Asked::Every(Bound::Total(n)) => format!("every client with at most {}", calls(*n)),
        Asked::Every(bound) => format!("every client within the bound, of at most {},", calls(bound.total())),
        _ => "this client".into(),
    };
    format!("Every execution of {clients} in which no thread goes round a loop {}", often(rounds))
}
