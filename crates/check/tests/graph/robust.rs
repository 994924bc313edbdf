//! Robustness: the search for an execution that only weak memory has, against the comparison of all
//! executions, on random programs.
//!
//! - by `naive::robust`, which enumerates both sets itself;
//! - by the engine's own sets under both models, on larger programs: those with a cycle and those
//!   of sequential consistency are together all of the weak model.

use crate::script::random::{self, Flavour};
use crate::script::twin::{ALL, FLAVOURS, LARGE, Run, full, run, seed};
use crate::script::{Script, twin};
use lineal_check::graph::{Judge, Leaf, Options, Problem};
use lineal_check::naive::robust::{Answer, decide};
use lineal_check::robust;
use lineal_check::robust::judge::is_sequential;
use lineal_check::seeded::{self, Bug};
use lineal_model::{Effort, LimitKind, Memory, Unwatched, Verdict};
use lineal_sweep::{Choices, smallest};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

fn asked(script: &Script, memory: Memory, jobs: usize) -> Verdict {
    let mut script = script.clone();
    let mut problem = Problem { program: &mut script, memory, options: Options::default() };
    robust::check(&mut problem, &Effort { jobs, ..LARGE }, &Unwatched).verdict
}

fn answer(verdict: &Verdict) -> Option<Answer> {
    match verdict {
        Verdict::Holds(_) => Some(Answer::Robust),
        Verdict::Violated(_) => Some(Answer::NotRobust),
        Verdict::Unknown(limit) if limit.kind == LimitKind::Method => Some(Answer::Wrong),
        Verdict::Unknown(_) => None,
    }
}

/// What is wrong with the engine's answer; `None`: too large for the twin.
fn compared(script: &Script, memory: Memory, n: u64) -> Option<Result<Answer, String>> {
    let expected = decide(script, memory, twin::CAP)?;
    let verdict = asked(script, memory, 1 + n as usize % 2);
    if let Verdict::Violated(witness) = &verdict {
        let mut script = script.clone();
        let mut problem = Problem { program: &mut script, memory, options: Options::default() };
        let again = robust::replay(&mut problem, witness.replay.as_deref().unwrap_or_default());
        let same = |v: &Verdict| matches!(v, Verdict::Violated(w) if w.kind == witness.kind);
        if !again.as_ref().is_ok_and(|f| same(&f.verdict)) {
            return Some(Err(format!("it cannot be seen again: {again:?}")));
        }
    }
    Some(match answer(&verdict) {
        Some(found) if found == expected => Ok(expected),
        found => Err(format!("{expected:?} by the definition, {found:?} by the engine: {verdict:?}")),
    })
}

#[test]
fn as_the_definition_says() {
    let count = if full() { 5_500 } else { 120 };
    let first = seed();
    let mut told: BTreeSet<(Memory, bool)> = BTreeSet::new();
    for flavour in FLAVOURS {
        let (mut robust, mut not, mut wrong, mut skipped) = (0, 0, 0, 0);
        for n in 0..count {
            let mut choices = Choices::new(first.wrapping_mul(23_000_009) + n);
            let script = random::script(&mut choices, flavour);
            let memory = ALL[1 + n as usize % 3];
            match compared(&script, memory, n) {
                None => skipped += 1,
                Some(Ok(Answer::Wrong)) => wrong += 1,
                Some(Ok(answer)) => {
                    told.insert((memory, answer == Answer::Robust));
                    *if answer == Answer::Robust { &mut robust } else { &mut not } += 1;
                }
                Some(Err(_)) => {
                    let generate = |c: &mut Choices| random::script(c, flavour);
                    let wrong = |s: &Script| compared(s, memory, n).and_then(Result::err);
                    let what = smallest(choices.made(), generate, |s| format!("{s:?}"), wrong);
                    panic!("{flavour:?} {n} (seed {first}) {memory}: {what}")
                }
            }
        }
        println!(
            "{flavour:?}: {robust} robust, {not} not, {wrong} wrong without weak memory, {skipped} too large"
        );
    }
    assert_eq!(told.len(), 6, "each model has both answers: {told:?}");
}

/// Counts the executions that sequential consistency does not have, and allows them.
#[derive(Debug, Default)]
struct Odd(AtomicU64);

impl Judge for Odd {
    fn allows(&self, leaf: &dyn Leaf) -> bool {
        self.0.fetch_add(u64::from(!is_sequential(leaf)), Ordering::Relaxed);
        true
    }
}

/// The executions of the weak model, how many of them are odd, and those of sequential consistency.
fn sets(script: &Script, memory: Memory) -> Option<(Run, u64, Run)> {
    let odd = Arc::new(Odd::default());
    let weak = run(script, memory, Options { judge: Some(odd.clone()), ..Options::default() }, LARGE);
    let strong = run(script, Memory::Sc, Options::default(), LARGE);
    let ended = |r: &Run| matches!(r.finding.verdict, Verdict::Holds(_));
    (ended(&weak) && ended(&strong)).then(|| (weak, odd.0.load(Ordering::Relaxed), strong))
}

fn gate(script: &Script, memory: Memory) -> Option<Result<bool, String>> {
    let (weak, odd, strong) = sets(script, memory)?;
    let (all, some): (BTreeSet<_>, BTreeSet<_>) =
        (weak.leaves.iter().collect(), strong.leaves.iter().collect());
    let fits = weak.leaves.len() as u64 - odd == strong.leaves.len() as u64 && all.is_superset(&some);
    let robust = answer(&asked(script, memory, 1)) == Some(Answer::Robust);
    Some(match fits && robust == (odd == 0) {
        true => Ok(robust),
        false => Err(format!(
            "{} under {memory}, {odd} of them odd, {} under sc; robust: {robust}",
            weak.leaves.len(),
            strong.leaves.len()
        )),
    })
}

#[test]
fn what_is_not_odd_is_sequential() {
    let count = if full() { 6_000 } else { 150 };
    let first = seed();
    for flavour in [Flavour::Atomics, Flavour::SeqCsts, Flavour::Loops, Flavour::Retries] {
        let (mut robust, mut not) = (0, 0);
        for n in 0..count {
            let mut choices = Choices::new(first.wrapping_mul(29_000_017) + n);
            let script = random::script(&mut choices, flavour);
            let memory = ALL[1 + n as usize % 3];
            match gate(&script, memory) {
                None => {}
                Some(Ok(true)) => robust += 1,
                Some(Ok(false)) => not += 1,
                Some(Err(_)) => {
                    let generate = |c: &mut Choices| random::script(c, flavour);
                    let wrong = |s: &Script| gate(s, memory).and_then(Result::err);
                    let what = smallest(choices.made(), generate, |s| format!("{s:?}"), wrong);
                    panic!("{flavour:?} {n} (seed {first}) {memory}: {what}")
                }
            }
        }
        println!("{flavour:?}: {robust} robust, {not} not");
        assert!(robust > 0 && not > 0, "{flavour:?}");
    }
}

#[test]
fn mistakes_of_the_judge_are_caught() {
    let notices = |bug: Bug, n: u64| {
        let script = random::script(&mut Choices::new(31_000_003 + n), Flavour::Atomics);
        let memory = ALL[1 + n as usize % 3];
        let compare = || decide(&script, memory, twin::CAP).zip(answer(&asked(&script, memory, 1)));
        compare().is_some_and(|(a, b)| a == b)
            && seeded::with(bug, compare).is_some_and(|(expected, found)| expected != found)
    };
    for bug in [Bug::ReadsForgotten, Bug::ReadsEarly] {
        assert!((0..2_000).any(|n| notices(bug, n)), "{bug:?} goes unnoticed");
    }
}
