//! Growing bounds: what can be said of a program with loops that the search cannot close.
//!
//! A loop is closed when its iterations change nothing, or when it ends. Others go on for as long as anybody
//! follows them. Then all executions are explored in which no thread goes round a loop more than
//! once, twice, four times and so on: a violation among them is one; a bound that cuts nothing
//! short is none; and when something runs out in between, the last bound that was explored in full is what is known.

use super::{Problem, check};
use lineal_model::run::Runnable;
use lineal_model::{Bound, Effort, Finding, Knob, LimitKind, Observer, Verdict};

/// Bounds beyond this are hardly ever reached, and never in time.
const LARGEST: u32 = 1 << 15;

/// [`check`], and with growing bounds if some loop goes on for too long.
pub fn check_growing<R: Runnable>(
    problem: &mut Problem<'_, R>,
    effort: &Effort,
    watch: &dyn Observer,
) -> Finding {
    let whole = check(problem, effort, watch);
    let fixed = problem.options.unroll.is_some() || problem.options.preemptions.is_some();
    let Some(mut limit) = endless(&whole).filter(|_| !fixed) else { return whole };
    let mut stats = whole.stats.clone();
    let mut safe = None;
    let mut bound = 1;
    while bound <= LARGEST {
        problem.options.unroll = Some(bound);
        let mut found = check(problem, effort, watch);
        match &mut found.verdict {
            Verdict::Violated(_) => {
                problem.options.unroll = None;
                return found;
            }
            Verdict::Holds(scope) if !scope.bounds.iter().any(cuts) => {
                scope.bounds.retain(|b| b.knob != Knob::Unroll);
                problem.options.unroll = None;
                return found;
            }
            Verdict::Holds(_) => {}
            Verdict::Unknown(other) if other.kind == LimitKind::Loop => {}
            Verdict::Unknown(other) => {
                limit = lineal_model::Limit {
                    message: format!("{}, and with more rounds: {}", limit.message, other.message),
                    ..other.clone()
                };
                break;
            }
        }
        (safe, stats) = (Some(bound), found.stats);
        bound *= 2;
    }
    problem.options.unroll = None;
    let own = if problem.options.unroll_at.is_empty() { "" } else { OWN };
    limit.covered = match safe {
        Some(k) => format!("Every execution in which no thread goes round a loop {}{own} is safe.", often(k)),
        None => String::new(),
    };
    Finding { verdict: Verdict::Unknown(limit), stats, ..whole }
}

/// Loops that the user has bounded are cut there, however far the bound of the others grows.
pub(crate) const OWN: &str = ", nor one with a bound of its own more often than that,";

pub(crate) fn often(rounds: u32) -> String {
    if rounds == 1 { "twice".into() } else { format!("more than {rounds} times") }
}

fn cuts(bound: &Bound) -> bool {
    bound.knob == Knob::Unroll && bound.cut > 0
}

/// The loop that was left, if that is why there is no answer.
fn endless(found: &Finding) -> Option<lineal_model::Limit> {
    match &found.verdict {
        Verdict::Unknown(limit) if limit.kind == LimitKind::Loop => Some(limit.clone()),
        _ => None,
    }
}
