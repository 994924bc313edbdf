//! Growing bounds: what can be said of a program with loops that the search cannot close.
//!
//! A loop is closed when its iterations change nothing, or when it ends. Others go on for as long as anybody
//! follows them. Then all executions are explored in which no thread goes round a loop more than
//! once, twice, four times and so on: a violation among them is one; a bound that cuts nothing
//! short is none; and when something runs out in between, the last bound that was explored in full is what is known.
//!
//! Loops that go on make executions so long that few are seen in an hour, and the first of them say little. So the
//! smallest bounds are tried as soon as it looks like that, and all executions, with patience, after them:
//! what is explored within a bound is part of that, and much less.

use super::{Problem, check};
use lineal_model::run::Runnable;
use lineal_model::{Bound, Effort, Finding, Knob, Limit, LimitKind, Observer, Verdict};
use std::iter::{once, successors};

/// What is tried, one after the other.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reach {
    /// All executions, unless loops seem to go on.
    Brief,
    /// Those in which no thread goes round a loop more often than this.
    Bounded(u32),
    /// All executions.
    Whole,
}

impl Reach {
    /// Rounds and executions, once a thread has gone round a loop many times, until it seems to go on.
    const BRIEF: u64 = 1_000;
    /// Bounds up to this come before all executions.
    const EARLY: u32 = 2;

    /// Bounds beyond the largest are hardly ever reached, and never in time.
    pub fn growing(largest: u32) -> impl Iterator<Item = Reach> {
        let bounds = |from, to| {
            let doubled = successors(Some(from), |bound| Some(bound * 2));
            doubled.take_while(move |bound| *bound <= to).map(Reach::Bounded)
        };
        let early = once(Reach::Brief).chain(bounds(1, Reach::EARLY));
        early.chain(once(Reach::Whole)).chain(bounds(2 * Reach::EARLY, largest))
    }

    pub fn bound(self) -> Option<u32> {
        match self {
            Reach::Bounded(bound) => Some(bound),
            Reach::Brief | Reach::Whole => None,
        }
    }

    pub fn effort(self, effort: &Effort) -> Effort {
        let rounds = (self == Reach::Brief).then_some(Reach::BRIEF);
        Effort { rounds, ..effort.clone() }
    }
}

/// [`check`], and with growing bounds if some loop goes on for too long.
pub fn check_growing<R: Runnable>(
    problem: &mut Problem<'_, R>,
    effort: &Effort,
    watch: &dyn Observer,
) -> Finding {
    if problem.options.unroll.is_some() || problem.options.preemptions.is_some() {
        return check(problem, effort, watch);
    }
    let mut seems: Option<Limit> = None;
    let mut safe = None;
    let mut last = None;
    for reach in Reach::growing(1 << 15) {
        problem.options.unroll = reach.bound();
        let mut found = check(problem, &reach.effort(effort), watch);
        problem.options.unroll = None;
        match (&mut found.verdict, reach.bound()) {
            (Verdict::Violated(_), _) | (Verdict::Holds(_), None) => return found,
            (Verdict::Holds(scope), Some(_)) if !scope.bounds.iter().any(cuts) => {
                scope.bounds.retain(|b| b.knob != Knob::Unroll);
                return found;
            }
            (Verdict::Holds(_), Some(_)) => safe = reach.bound(),
            (Verdict::Unknown(limit), bound) if limit.kind == LimitKind::Loop => match bound {
                Some(_) => safe = bound,
                None => seems = Some(limit.clone()),
            },
            (Verdict::Unknown(other), bound) => {
                let Some(limit) = seems else { return found };
                let message = match bound {
                    Some(_) => format!("{}, and with more rounds: {}", limit.message, other.message),
                    None => other.message.clone(),
                };
                seems = Some(Limit { message, ..other.clone() });
                // Of bounds, what counts is the last that was explored in full.
                if bound.is_none() {
                    last = Some(found);
                }
                break;
            }
        }
        last = Some(found);
    }
    let mut limit = seems.expect("all executions come first, and they did not end");
    let own = if problem.options.unroll_at.is_empty() { "" } else { OWN };
    if let Some(k) = safe {
        limit.covered =
            format!("Every execution in which no thread goes round a loop {}{own} is safe.", often(k));
    }
    Finding { verdict: Verdict::Unknown(limit), ..last.expect("something was tried") }
}

/// Loops that the user has bounded are cut there, however far the bound of the others grows.
pub(crate) const OWN: &str = ", nor one with a bound of its own more often than that,";

pub(crate) fn often(rounds: u32) -> String {
    if rounds == 1 { "twice".into() } else { format!("more than {rounds} times") }
}

fn cuts(bound: &Bound) -> bool {
    bound.knob == Knob::Unroll && bound.cut > 0
}
