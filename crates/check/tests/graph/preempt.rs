//! Executions with few preemptions, on random programs.
//!
//! Without loops the executions within a bound are those, one by one, that the naive walk over all
//! orders finds with so many preemptions, and contain those that it finds if every step counts.
//! With loops they are some of all executions, and all of them if the bound is large.
//!
//! `LINEAL_FULL=1` runs many more, from a fresh seed that is printed; `LINEAL_SEED=n` repeats it.

use crate::script::random::{self, Flavour};
use crate::script::twin::{ALL, Run, full, run, seed};
use lineal_check::graph::{Options, Problem, check};
use lineal_check::naive::preemptions::{Fewest, Steps, fewest};
use lineal_model::{Effort, Memory, Unwatched, Verdict};
use lineal_sweep::Choices;
use std::collections::BTreeSet;

const LARGE: Effort = Effort { max_states: Some(20_000), ..Effort::DEFAULT };
const CAP: usize = 1_500;
/// More than any of these programs has events.
const ALL_OF_THEM: u8 = 100;

fn bounded(script: &crate::script::Script, memory: Memory, most: u8) -> Run {
    run(script, memory, Options { preemptions: Some(most), ..Options::default() }, LARGE)
}

fn set(run: &Run) -> BTreeSet<&String> {
    run.leaves.iter().collect()
}

/// What is wrong with the search on this program, if anything.
fn compare(
    script: &crate::script::Script,
    memory: Memory,
    flavour: Flavour,
) -> Option<Result<[usize; 5], String>> {
    let exact = !matches!(flavour, Flavour::Loops);
    let oracle = fewest(script, memory, Steps::Atomic, CAP);
    let strict: Option<Fewest> = Some(fewest(script, memory, Steps::All, CAP)).filter(|o| !o.gave_up);
    if oracle.gave_up {
        return None;
    }
    let mut counts = [0; 5];
    for most in [0, 1, 2, 3, ALL_OF_THEM] {
        let run = bounded(script, memory, most);
        let fails = match &run.finding.verdict {
            Verdict::Violated(_) => true,
            Verdict::Holds(_) => false,
            Verdict::Unknown(_) => return None,
        };
        let due = oracle.failure.is_some_and(|n| n <= u32::from(most));
        if due && !fails || fails && oracle.failure.is_none() || fails && exact && most == ALL_OF_THEM && !due
        {
            return Some(Err(format!("bound {most}: fails {fails}, oracle {:?}", oracle.failure)));
        }
        if fails || oracle.failure.is_some() {
            continue;
        }
        let found = set(&run);
        if found.len() != run.leaves.len() {
            return Some(Err(format!("bound {most}: a graph twice")));
        }
        let within = |o: &Fewest| -> BTreeSet<String> {
            o.complete.iter().filter(|(_, n)| **n <= u32::from(most)).map(|(k, _)| k.clone()).collect()
        };
        let due = within(&oracle);
        let lost = due.iter().find(|k| !found.contains(k));
        let new = found.iter().find(|k| match exact {
            true => !due.contains(**k),
            false => !oracle.complete.contains_key(**k),
        });
        let strictly = strict.as_ref().and_then(|o| within(o).into_iter().find(|k| !found.contains(&k)));
        if let Some(wrong) = lost.or(new.copied()).or(strictly.as_ref()) {
            return Some(Err(format!(
                "bound {most}: lost {lost:?}, new {new:?}, strictly {strictly:?}; {wrong} has {:?}",
                oracle.complete.get(wrong)
            )));
        }
        counts[usize::from(most.min(4))] += found.len();
    }
    Some(Ok(counts))
}

#[test]
fn an_execution_is_found_with_as_many_preemptions_as_it_needs() {
    let count = if full() { 4_000 } else { 60 };
    let first = seed();
    for flavour in [Flavour::Atomics, Flavour::SeqCsts, Flavour::Everything, Flavour::Loops] {
        let (mut sums, mut compared) = ([0; 5], 0);
        for n in 0..count {
            let script = random::script(&mut Choices::new(first.wrapping_mul(9_000_011) + n), flavour);
            let memory = ALL[n as usize % 4];
            match compare(&script, memory, flavour) {
                None => {}
                Some(Ok(counts)) => {
                    compared += 1;
                    sums.iter_mut().zip(counts).for_each(|(s, c)| *s += c);
                }
                Some(Err(why)) => panic!("{flavour:?} {n} (seed {first}) {memory}: {why}\n{script:?}"),
            }
        }
        println!("{flavour:?}: {compared} programs; executions with 0, 1, 2, 3 and any preemptions {sums:?}");
        assert!(sums[0] < sums[4], "{flavour:?}: the bound makes no difference");
    }
}

/// With loops of every kind: whatever is wrong is found, and with every number of preemptions
/// nothing else than what there is.
#[test]
fn with_many_preemptions_everything_is_found() {
    let count = if full() { 20_000 } else { 150 };
    let first = seed();
    for flavour in [Flavour::Loops, Flavour::Spins, Flavour::Retries, Flavour::Everything] {
        let (mut compared, mut failing) = (0, 0);
        for n in 0..count {
            let script = random::script(&mut Choices::new(first.wrapping_mul(5_000_011) + n), flavour);
            let memory = ALL[n as usize % 4];
            let iterations = n % 2 == 0;
            let options = || Options { iterations, symmetry: n % 3 == 0, ..Options::default() };
            let all = run(&script, memory, options(), LARGE);
            let outcomes = |r: &Run| r.finding.outcomes.keys().cloned().collect::<BTreeSet<String>>();
            let mut before = BTreeSet::new();
            let mut failed = false;
            for most in [0, 1, 2, ALL_OF_THEM] {
                let some = run(&script, memory, Options { preemptions: Some(most), ..options() }, LARGE);
                let what = || format!("{flavour:?} {n} (seed {first}) {memory}, bound {most}: {script:?}");
                match (&all.finding.verdict, &some.finding.verdict) {
                    (Verdict::Unknown(_), _) | (_, Verdict::Unknown(_)) => break,
                    (Verdict::Holds(_), Verdict::Holds(_)) => {}
                    (Verdict::Violated(_), verdict) => {
                        let fails = matches!(verdict, Verdict::Violated(_));
                        assert!(fails || !failed && most < ALL_OF_THEM, "{}", what());
                        failed |= fails;
                        failing += usize::from(most == ALL_OF_THEM);
                        continue;
                    }
                    (_, verdict) => panic!("{}: {verdict:?}", what()),
                }
                let (there, now) = (outcomes(&all), outcomes(&some));
                assert!(before.is_subset(&now), "{}: fewer than before", what());
                assert!(now.is_subset(&there), "{}: {:?}", what(), now.difference(&there).next());
                if most == ALL_OF_THEM {
                    assert_eq!(now, there, "{}", what());
                    compared += 1;
                }
                before = now;
            }
        }
        println!("{flavour:?}: {compared} with the same outcomes, {failing} with a failure");
    }
}

/// A deadlock, and a thread that spins for ever, are there without any preemption.
#[test]
fn waiting_costs_nothing() {
    use crate::script::{At, Ins};
    let lock = |first, second| {
        vec![
            Ins::Lock(At::Global(first)),
            Ins::Lock(At::Global(second)),
            Ins::Unlock(At::Global(second)),
            Ins::Unlock(At::Global(first)),
        ]
    };
    let mut script = crate::script::Script::parallel(vec![lock(0, 1), lock(1, 0)]);
    for (most, fails) in [(0, false), (1, true)] {
        let options = Options { preemptions: Some(most), ..Options::default() };
        let mut problem = Problem { program: &mut script, memory: Memory::Rc11, options };
        let finding = check(&mut problem, &LARGE, &Unwatched);
        assert_eq!(matches!(finding.verdict, Verdict::Violated(_)), fails, "{most}: {:?}", finding.verdict);
    }
}
