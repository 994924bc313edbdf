//! Execution graphs: every behaviour of a closed program under a memory model, each exactly once.
//!
//! The search is TruSt (Kokologiannakis, Marmanis, Gladstein, Vafeiadis, *Truly Stateless, Optimal
//! Dynamic Partial Order Reduction*, POPL 2022): it visits each consistent complete execution
//! graph once, in memory polynomial in the length of an execution, with no table of visited
//! states. Deviations: a thread's state is kept with each of its events, so nothing is replayed;
//! non-atomic accesses never branch, since a program in which they could race is wrong anyway;
//! a compare-and-swap that finds its write taken is kept only for the sake of its revisits.
//!
//! What is decided: assertions, data races, misuse of memory, deadlock, and the final values of
//! chosen cells, over all executions of the given model. What can be missed: behaviour that
//! needs a freed address to be handed out again; out-of-thin-air values (`porf` is acyclic in
//! all four models); errors after more than `unroll` iterations, if that is set (the scope says
//! whether it cut anything); whether loops end (unless `liveness` is set).
//!
//! - [`explore`](mod@explore): the search; [`extend`]: one event; [`revisit`]: what a write may take over.
//! - [`threads`]: running the program between events; [`memo`]: what was run before.
//! - [`axioms`]: one file per memory model.
//! - [`safety`], [`spin`], [`leaf`]: errors, loops, and the end of a branch.
//! - [`group`]: iterations as one step; [`unseen`]: what may go wrong in those that are left out.
//! - [`poll`]: locks that would be taken in vain; [`undone`]: additions that would be taken back;
//!   [`passed`]: locks that are given back to nobody who waits; [`forsaken`]: who waits for good;
//!   [`arrivals`]: barriers, whoever comes first.
//! - [`symmetry`], [`rows`]: threads that nobody can tell apart; [`helping`]: steps left to others;
//!   [`idle`]: updates that change nothing.
//! - [`latecomer`]: whether one thread more could do anything.
//! - [`sample`], [`preempt`]: some executions only, at random or with few preemptions, built
//!   [`forward`].
//! - [`workers`]: several of them on one search.
//! - [`witness`]: a failing execution as decisions, which [`crate::replay`] runs again and
//!   [`crate::explain`] puts into words; [`hints`]: which access would have to be stronger.
//! - [`view`]: a complete execution as [`crate::conform`] looks at it.

mod arrivals;
mod asks;
mod axioms;
mod besides;
mod books;
mod event;
mod explore;
mod extend;
mod forsaken;
mod forward;
#[allow(clippy::module_inception)]
mod graph;
mod group;
pub(crate) mod grow;
mod helping;
mod hints;
mod idle;
mod latecomer;
mod leaf;
mod learned;
mod memo;
mod names;
mod own;
mod passed;
mod patience;
mod poll;
mod preempt;
mod revisit;
mod rows;
mod safety;
mod sample;
mod spin;
mod symmetry;
mod threads;
mod undone;
mod unseen;
mod view;
mod witness;
mod workers;

use crate::explain;
use crate::replay::{self, Refused, token};
use crate::seeded;
use axioms::Axioms;
pub use besides::besides;
use books::Unseen;
pub use event::{EventId, Kind};
use explore::{Halt, Search};
pub use grow::check_growing;
pub use latecomer::Latecomer;
use leaf::Tally;
pub use learned::Learned;
use learned::Lesson;
pub use lineal_model::observed::Observed;
use lineal_model::run::{Cause, Failure, Runnable, lay_out};
use lineal_model::{
    Assumption, Bound, Counter, Effort, Finding, Knob, Limit, LimitKind, Memory, Observer, Scope, Stats,
    Verdict, Witness,
};
pub use preempt::MOST as MOST_PREEMPTIONS;
pub use sample::Sampling;
pub use view::{Judge, Leaf, View};
use witness::Case;
use workers::Pool;

/// What to check.
pub struct Problem<'a, R: Runnable> {
    /// Mutable because a program may have to be laid out anew: see [`Runnable::adapt`].
    pub program: &'a mut R,
    pub memory: Memory,
    pub options: Options,
}

#[derive(Clone, Debug, Default)]
pub struct Options {
    /// How often a thread may go round one loop (counted over all its visits to the loop).
    pub unroll: Option<u32>,
    /// The same for single loops, by their heads; these come first.
    pub unroll_at: Vec<(u32, u32)>,
    /// Report spin loops that no other thread will ever end.
    pub liveness: bool,
    /// Report heap blocks that a complete execution leaves behind.
    pub leaks: bool,
    /// Take one of the executions that differ only in which of some exchangeable threads is which:
    /// `executions` then counts these classes (a few of them more than once).
    pub symmetry: bool,
    /// Look for an access that would have to be stronger, when there is a failure.
    pub hints: bool,
    /// Take the reads of an iteration that changes nothing as one step: see [`group`].
    pub iterations: bool,
    /// Classes of the threads that main creates, in order: those of one class, next to one another,
    /// do the same up to the values they carry. Empty: not known. See [`rows`].
    pub rows: Vec<u8>,
    /// Leave to others what they are about to do themselves: see [`helping`].
    pub helping: bool,
    /// Take updates that store what they read for reads: see [`idle`].
    pub idle: bool,
    /// A lock that is given back goes to someone who waits for it, where that loses nothing: see
    /// [`passed`].
    pub waits: bool,
    /// Do not look at the orders in which threads arrive at a barrier: see [`arrivals`].
    pub arrivals: bool,
    /// Ask whether this thread can do anything once all others are done, instead of what else is asked:
    /// see [`latecomer`].
    pub latecomer: Option<Latecomer>,
    /// What earlier searches found out about the program.
    pub learned: Learned,
    /// Cells whose final values are wanted.
    pub observe: Vec<Observed>,
    /// Says which program this is, for replay tokens.
    pub identity: u64,
    /// Looks at every complete execution. Threads that wait for a condition or a semaphore are
    /// then blocked, which an operation may be, and not in a deadlock.
    pub judge: Option<std::sync::Arc<dyn Judge>>,
    /// Draw executions at random instead of exploring all.
    pub sample: Option<Sampling>,
    /// Only executions with so many preemptions: see [`preempt`].
    pub preemptions: Option<u8>,
    /// Collects the key of each complete graph.
    #[cfg(any(test, feature = "seeded"))]
    pub leaves: Option<std::sync::Arc<std::sync::Mutex<Vec<String>>>>,
}

const PROPERTY: &str = "every execution is safe";

fn finding(verdict: Verdict) -> Finding {
    Finding { wrong: "some execution is not safe".into(), ..Finding::new(PROPERTY, verdict) }
}

/// Explores every execution of the program.
pub fn check<R: Runnable>(problem: &mut Problem<'_, R>, effort: &Effort, watch: &dyn Observer) -> Finding {
    let (mut finding, case) = decide(problem, effort, watch);
    if let (true, Verdict::Violated(witness), Some(case)) =
        (problem.options.hints, &mut finding.verdict, case)
    {
        witness.hints = hints::hints(problem, &case, watch);
    }
    finding
}

/// The same without hints, which need it themselves; and the failure, if there is one.
fn decide<R: Runnable>(
    problem: &mut Problem<'_, R>,
    effort: &Effort,
    watch: &dyn Observer,
) -> (Finding, Option<Case>) {
    let mut threads = 8;
    let attempt = |problem: &mut Problem<'_, R>| loop {
        let end = match threads {
            8 => explore::<R, 8>(problem, effort, watch),
            16 => explore::<R, 16>(problem, effort, watch),
            _ => explore::<R, 64>(problem, effort, watch),
        };
        match end {
            Ok(finding) => return Ok(finding),
            Err(Halt::Crowded) => threads *= if threads == 16 { 4 } else { 2 },
            Err(Halt::Distinct) => problem.options.symmetry = false,
            Err(Halt::Learned(new)) => problem.options.learned.add(new),
            Err(Halt::Relayout(change)) => return Err(change),
            Err(Halt::Limit(_) | Halt::Acts | Halt::Enough | Halt::Elsewhere) => {
                unreachable!("these have a verdict")
            }
        }
    };
    let found = lay_out(problem, |p, change| p.program.adapt(change), attempt);
    found.unwrap_or_else(|failure| (refused(problem.program, &failure), None))
}

/// The memory model a token was made under.
pub fn memory_of(text: &str) -> Result<Memory, String> {
    token::decode(text).map(|token| token.memory)
}

/// Whether a token was made under this memory model, of the program with this identity.
pub fn fits(text: &str, memory: Memory, identity: u64) -> Result<(), String> {
    let token = token::decode(text)?;
    if token.memory != memory {
        return Err(format!("the token was not made under {memory}"));
    }
    if token.identity != identity {
        return Err("the token belongs to another input".into());
    }
    Ok(())
}

/// Runs one earlier witness again, under the memory model it was found under. An error says why the token does not fit.
pub fn replay<R: Runnable>(problem: &mut Problem<'_, R>, text: &str) -> Result<Finding, String> {
    fits(text, problem.memory, problem.options.identity)?;
    let token = token::decode(text)?;
    let kind = token.kind;
    if token.decisions.iter().any(|d| d.thread >= 64) || token.thread >= 64 {
        return Err("the token names a thread that cannot exist".into());
    }
    let replayed = rerun(problem.program, text)?;
    if !replayed.shows(problem.program, kind, token.thread) {
        return Err("the token does not lead to its failure in this program".into());
    }
    let steps = explain::steps(problem.program, token.memory, &replayed);
    let failed = replayed.statuses.iter().find_map(|s| match s {
        replay::Status::Failed(f) if f.kind == kind => Some(f.clone()),
        _ => None,
    });
    let why = failed.as_ref().map_or(format!("{}.", kind.word()), |f| f.message.clone());
    let witness = Witness {
        at: failed.as_ref().and_then(|f| problem.program.place(f.site)),
        thread: explain::without_step(&steps, token.thread),
        steps,
        threads: explain::names(problem.program, &replayed),
        replay: Some(text.trim().to_string()),
        ..Witness::new(kind.into(), why)
    };
    Ok(finding(Verdict::Violated(Box::new(witness))))
}

/// The execution a token stands for, without asking what is wrong with it.
pub fn rerun<R: Runnable>(program: &mut R, text: &str) -> Result<replay::Replayed, String> {
    let token = token::decode(text)?;
    let attempt = |program: &mut R| match replay::replay(program, token.memory, &token.decisions) {
        Err(Refused::Relayout(change)) => Err(change),
        ended => Ok(ended),
    };
    let ended = lay_out(program, R::adapt, attempt).map_err(|failure| failure.message)?;
    ended.map_err(|refused| witness::refusal(&refused))
}

fn refused<R: Runnable>(program: &R, failure: &Failure) -> Finding {
    let mut limit = Limit::method(failure.message.clone());
    limit.at = program.place(failure.site);
    finding(Verdict::Unknown(limit))
}

fn explore<R: Runnable, const N: usize>(
    problem: &Problem<'_, R>,
    effort: &Effort,
    watch: &dyn Observer,
) -> Result<(Finding, Option<Case>), Halt> {
    #[cfg(any(test, feature = "seeded"))]
    if let Some(leaves) = &problem.options.leaves {
        leaves.lock().expect("nobody panicked").clear();
    }
    let axioms = Axioms { memory: problem.memory };
    let (end, tally, best, _) = search::<R, N>(problem, axioms, effort, watch);
    let verdict = match (end, &best) {
        (Err(halt @ (Halt::Crowded | Halt::Relayout(_))), _) => return Err(halt),
        (Err(halt @ (Halt::Distinct | Halt::Learned(_))), None) => return Err(halt),
        (_, Some(case)) => violated(problem, case),
        (Ok(()), None) => holds(problem, &tally),
        (Err(Halt::Limit(mut limit)), None) => {
            if limit.covered.is_empty() && tally.executions + tally.blocked > 0 {
                limit.covered = format!(
                    "{} complete and {} blocked executions, no error among them",
                    tally.executions, tally.blocked
                );
            }
            Verdict::Unknown(limit)
        }
        (Err(Halt::Acts), None) => Verdict::Unknown(Limit::method("the last thread can do something")),
        (Err(Halt::Enough | Halt::Elsewhere), None) => unreachable!("ended by nothing"),
    };
    let mut finding = finding(verdict);
    finding.stats = stats(&tally, effort);
    if problem.options.preemptions.is_some() {
        finding.stats.jobs = 1;
    }
    finding.outcomes = tally.outcomes;
    Ok((finding, best))
}

type Found = (Result<(), Halt>, Tally, Option<Case>, Unseen);

/// Runs the search, alone or with others.
fn search<R: Runnable, const N: usize>(
    problem: &Problem<'_, R>,
    axioms: Axioms,
    effort: &Effort,
    watch: &dyn Observer,
) -> Found {
    let (program, options) = (&*problem.program, &problem.options);
    // A bound on preemptions has one worker.
    if effort.jobs <= 1 || options.preemptions.is_some() {
        let mut search = Search::<R, N>::new(program, axioms, options, effort, watch, None);
        let end = match (options.sample, options.preemptions) {
            (Some(sampling), _) => search.sample(sampling),
            (None, Some(most)) => search.bounded(most),
            (None, None) => search.run(),
        };
        search.close_books();
        return complete(options, (end, search.tally, search.best, search.unseen));
    }
    let pool = Pool::<N>::new(effort.jobs);
    let work = &|worker: usize| -> Found {
        let mut search = Search::<R, N>::new(program, axioms, options, effort, watch, Some(&pool));
        let end = match options.sample {
            Some(sampling) => search.sample(sampling.part(worker as u64, effort.jobs as u64)),
            None => search.run_with(&pool, worker == 0),
        };
        search.close_books();
        (end, search.tally, search.best, search.unseen)
    };
    let found: Vec<Found> = std::thread::scope(|scope| {
        let others: Vec<_> = (1..effort.jobs).map(|n| scope.spawn(seeded::carry(move || work(n)))).collect();
        let mine = work(0);
        let join = |w: std::thread::ScopedJoinHandle<'_, Found>| match w.join() {
            Ok(found) => found,
            Err(panic) => std::panic::resume_unwind(panic),
        };
        std::iter::once(mine).chain(others.into_iter().map(join)).collect()
    });
    let mut all: Found = (Ok(()), Tally::default(), None, Unseen::default());
    for (end, tally, best, unseen) in found {
        all.3.add(unseen);
        all.1.add(tally);
        if let Some(case) = best
            && all.2.as_ref().is_none_or(|b| case.size() < b.size())
        {
            all.2 = Some(case);
        }
        // Of several ends, the one that says why.
        let rank = |end: &Result<(), Halt>| match end {
            Ok(()) => 0,
            Err(Halt::Elsewhere) => 1,
            Err(Halt::Enough) => 2,
            Err(Halt::Limit(_) | Halt::Acts) => 3,
            Err(Halt::Distinct | Halt::Learned(_)) => 4,
            Err(Halt::Crowded | Halt::Relayout(_)) => 5,
        };
        if rank(&end) > rank(&all.0) {
            all.0 = end;
        }
    }
    complete(options, all)
}

/// A search that ended without an error may have left one out with an iteration.
fn complete(options: &Options, mut found: Found) -> Found {
    if let (Ok(()), None, Some(risk)) = (&found.0, &found.2, found.3.risk(options.learned.risk)) {
        found.0 = Err(Halt::Learned(Lesson::Risk(risk)));
    }
    if let (Ok(()), None, Some((loc, seen))) = (&found.0, &found.2, found.3.undone(&options.learned.undone))
        && !options.learned.risk.undone
    {
        found.0 = Err(Halt::Learned(Lesson::Undone(loc, seen)));
    }
    if let (Ok(()), None, true) = (&found.0, &found.2, found.1.executions > 0 && !found.1.certain) {
        found.0 = Err(Halt::Learned(Lesson::Idle));
    }
    if let (Ok(()), true) = (&found.0, idle::may_race(&found.3)) {
        found.0 = Err(match options.latecomer {
            Some(_) => Halt::Acts,
            None => Halt::Learned(Lesson::Idle),
        });
    }
    found
}

fn violated<R: Runnable>(problem: &Problem<'_, R>, case: &Case) -> Verdict {
    if seeded::in_graph() {
        // A broken engine has broken witnesses; the comparison with the oracle is the test.
        return Verdict::Violated(Box::new(Witness::new(case.failure.kind.into(), "")));
    }
    let replayed = case.confirm(problem.program, problem.memory);
    let witness = case.witness(problem.program, problem.memory, problem.options.identity, &replayed);
    Verdict::Violated(Box::new(witness))
}

fn holds<R: Runnable>(problem: &Problem<'_, R>, tally: &Tally) -> Verdict {
    let mut scope = Scope::program(problem.memory, tally.threads);
    scope.assumptions.push(Assumption::NoReuse);
    if tally.waits && !problem.options.liveness {
        scope.assumptions.push(Assumption::LoopsEnd { endless: tally.endless });
    }
    let bound = |value: u32, cut, at| Bound { knob: Knob::Unroll, value: u64::from(value), cut, at };
    let cuts = tally.cuts.iter().map(|(site, &(value, cut))| bound(value, cut, problem.program.place(*site)));
    scope.bounds.extend(cuts);
    if let (true, Some(unroll)) = (scope.bounds.is_empty(), problem.options.unroll) {
        scope.bounds.push(bound(unroll, 0, None));
    }
    if let Some(most) = problem.options.preemptions {
        let (value, cut) = (u64::from(most), tally.preempted);
        scope.bounds.push(Bound { knob: Knob::Preemptions, value, cut, at: None });
    }
    if tally.executions == 0 {
        if tally.causes.contains_key(&Cause::Bound) {
            let mut limit = Limit::new(LimitKind::Loop, "no execution completes within the bound on loops");
            limit.covered = format!("{} executions up to the bound, no error among them", tally.blocked);
            limit.at = tally.cuts.keys().next().and_then(|site| problem.program.place(*site));
            return Verdict::Unknown(limit);
        }
        scope.vacuous.push("no execution completes".into());
    }
    Verdict::Holds(scope)
}

fn stats(tally: &Tally, effort: &Effort) -> Stats {
    let mut stats = Stats {
        executions: tally.executions,
        blocked: tally.blocked,
        jobs: effort.jobs.max(1) as u64,
        seed: effort.seed,
        ..Stats::default()
    };
    for (&cause, &n) in &tally.causes {
        stats.more.insert(Counter::Blocked(cause), n);
    }
    if tally.exchangeable > 0 {
        stats.more.insert(Counter::ExchangeableThreads, tally.exchangeable);
    }
    stats
}
