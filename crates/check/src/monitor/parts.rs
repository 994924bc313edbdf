//! A whole history: its keys, decided apart and in parallel; one violation ends the rest.

use super::answer::Answer;
use super::decide::{Decision, decide};
use super::fast::Conflict;
use super::{Algorithm, Consistency, Partition, Problem};
use crate::seeded;
use lineal_model::adt::{Kind, UserType};
use lineal_model::history::{History, ValueId};
use lineal_model::{Counts, Effort, Limit, LimitKind, Observer};
use std::borrow::Cow;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

/// One key and its verdict.
#[derive(Debug)]
pub struct Part<'a> {
    /// [`ValueId::NONE`]: the history is not divided.
    pub key: ValueId,
    pub history: Cow<'a, History>,
    pub decision: Option<Decision>,
}

impl Part<'_> {
    pub fn answer(&self) -> Option<&Answer<Conflict>> {
        self.decision.as_ref().map(|d| &d.answer)
    }
}

/// A history, part by part.
#[derive(Debug)]
pub struct Decided<'a> {
    /// In order of first appearance. `None` decisions: another key was violated first.
    pub parts: Vec<Part<'a>>,
}

impl Decided<'_> {
    pub fn violated(&self) -> Option<&Part<'_>> {
        self.with(|a| matches!(a, Answer::Violated(_)))
    }

    pub fn unknown(&self) -> Option<&Part<'_>> {
        self.with(|a| matches!(a, Answer::Unknown(_)))
    }

    pub fn configurations(&self) -> u64 {
        self.parts.iter().flat_map(|p| &p.decision).map(|d| d.configurations).sum()
    }

    fn with(&self, wanted: impl Fn(&Answer<Conflict>) -> bool) -> Option<&Part<'_>> {
        self.parts.iter().find(|p| p.answer().is_some_and(&wanted))
    }
}

/// Decides the parts of a history, which is that of the problem: they may outlive the object.
pub fn decide_parts<'a>(
    history: &'a History,
    problem: &Problem,
    effort: &Effort,
    watch: &dyn Observer,
) -> Decided<'a> {
    let mut parts = divide(history, problem);
    let cancelled = AtomicBool::new(false);
    let watch = Cancellable { cancelled: &cancelled, inner: watch };
    let next = AtomicUsize::new(0);
    let queue: Vec<Mutex<&mut Part>> = parts.iter_mut().map(Mutex::new).collect();
    let work = || {
        while let Some(part) = queue.get(next.fetch_add(1, Ordering::Relaxed)) {
            if cancelled.load(Ordering::Relaxed) {
                return;
            }
            let mut part = part.lock().expect("each part is worked on once");
            let decision = decide_part(problem, &part.history, effort, &watch);
            match decision.answer {
                Answer::Violated(_) => cancelled.store(true, Ordering::Relaxed),
                Answer::Unknown(_) if cancelled.load(Ordering::Relaxed) => return,
                _ => {}
            }
            part.decision = Some(decision);
        }
    };
    let jobs = effort.jobs.clamp(1, queue.len().max(1));
    if jobs == 1 {
        work();
    } else {
        std::thread::scope(|scope| (0..jobs).for_each(|_| drop(scope.spawn(seeded::carry(work)))));
    }
    drop(queue);
    if problem.consistency == Consistency::Sequential && parts.len() > 1 {
        parts.iter_mut().for_each(not_together);
    }
    Decided { parts }
}

/// Sequential consistency of several objects does not follow from that of each.
fn not_together(part: &mut Part) {
    if let Some(decision) = &mut part.decision
        && matches!(decision.answer, Answer::Holds)
    {
        let message =
            "Every key is sequentially consistent by itself; whether they are together is not decided.";
        decision.answer = Answer::Unknown(Limit::method(message));
    }
}

fn divide<'a>(history: &'a History, problem: &Problem) -> Vec<Part<'a>> {
    let whole = || vec![Part { key: ValueId::NONE, history: Cow::Borrowed(history), decision: None }];
    // Keys of types other than maps are separate objects and cannot be taken together.
    let together = problem.consistency == Consistency::Sequential || problem.partition == Partition::Whole;
    // Keys of one relaxed object share its classes.
    let relaxed = problem.object.quasi.is_some();
    let together = together || relaxed;
    let of_user = |user: &Arc<UserType>| user.ties_keys() || relaxed && user.operations.iter().any(|o| o.key);
    let tied = problem.object.user.as_ref().is_some_and(of_user);
    if !history.is_keyed() || (together && problem.object.kind == Kind::Map) || tied {
        return whole();
    }
    let own = |(key, history)| Part { key, history: Cow::Owned(history), decision: None };
    history.by_key().into_iter().map(own).collect()
}

fn decide_part(problem: &Problem, history: &History, effort: &Effort, watch: &dyn Observer) -> Decision {
    let mut part = Problem { history, ..*problem };
    // The fast deciders of these two rest on the division.
    if problem.partition == Partition::Whole && matches!(problem.object.kind, Kind::Map | Kind::Set) {
        part.algorithm = Algorithm::Search;
    }
    decide(&part, effort, watch)
}

struct Cancellable<'a> {
    cancelled: &'a AtomicBool,
    inner: &'a dyn Observer,
}

impl Observer for Cancellable<'_> {
    fn progress(&self, counts: Counts) -> ControlFlow<Limit> {
        if self.cancelled.load(Ordering::Relaxed) {
            return ControlFlow::Break(Limit::new(LimitKind::Interrupt, "another key is violated"));
        }
        self.inner.progress(counts)
    }
}
