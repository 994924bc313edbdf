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
use crate::graph::grow::{OWN, often};
use lineal_model::{Effort, Knob, Limit, LimitKind, Observer, Verdict};

/// Bounds beyond this are hardly ever reached, and never in time.
const LARGEST: u32 = 1 << 12;

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
    let mut whole = check_with(problem, effort, watch, true)?;
    // What the other object does not get to might be the match that is missing.
    let fixed = problem.unroll.is_some()
        || problem.preemptions.is_some()
        || problem.clients.against().is_some()
        || matches!(problem.asked, Asked::Sampled(..));
    let Some(mut limit) = endless(&whole).filter(|_| !fixed) else { return Ok(whole) };
    let mut safe = None;
    let mut bound = 1;
    while bound <= LARGEST {
        let bounded = with_bound(problem, bound);
        let found = check_with(&bounded, effort, watch, true);
        let mut found = match found {
            Ok(found) => found,
            // It takes more rounds than these to return.
            Err(Refused::NeverReturns { .. }) => {
                bound *= 2;
                continue;
            }
            Err(other) => return Err(other),
        };
        match &mut found.finding.verdict {
            Verdict::Violated(_) => return Ok(found),
            Verdict::Holds(scope) if !scope.bounds.iter().any(|b| b.knob == Knob::Unroll && b.cut > 0) => {
                scope.bounds.retain(|b| b.knob != Knob::Unroll);
                return Ok(found);
            }
            Verdict::Holds(_) => safe = Some(bound),
            Verdict::Unknown(other) if other.kind == LimitKind::Loop => {
                if bounded.goes_on_behind_bounds() {
                    safe = Some(bound);
                }
            }
            Verdict::Unknown(other) => {
                let message = format!("{}. {}", limit.message, other.message);
                limit = Limit { message, ..other.clone() };
                whole.finding.stats = found.finding.stats;
                break;
            }
        }
        whole.finding.stats = found.finding.stats;
        bound *= 2;
    }
    let own = if problem.unroll_at.is_empty() { "" } else { OWN };
    limit.covered = match safe {
        Some(rounds) => format!("{}{own} was checked, without a violation.", covered(&problem.asked, rounds)),
        None => String::new(),
    };
    whole.finding.verdict = Verdict::Unknown(limit);
    Ok(whole)
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

fn with_bound<'p, C>(problem: &Problem<'p, C>, bound: u32) -> Problem<'p, C> {
    Problem { asked: problem.asked.clone(), unroll: Some(bound), ..*problem }
}

/// The loop that was left, if that is why there is no answer.
fn endless(found: &Checked) -> Option<Limit> {
    match &found.finding.verdict {
        Verdict::Unknown(limit) if limit.kind == LimitKind::Loop => Some(limit.clone()),
        _ => None,
    }
}
