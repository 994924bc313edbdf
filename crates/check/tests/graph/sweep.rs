//! The long comparisons: 10,000 programs of some size against the oracle, and a soak.
//!
//! `LINEAL_FULL=1` runs all of the first (with `LINEAL_SEED`, `LINEAL_FROM` and `LINEAL_TO` a part
//! of an earlier run), `LINEAL_SOAK_SECONDS=3600` the second for an hour. Both print what they saw.

use crate::script::Script;
use crate::script::random::{self, Flavour};
use crate::script::twin::{self, ALL, FLAVOURS, compare_upto, full, seed};
use lineal_check::graph::Options;
use lineal_model::{Effort, Memory, Verdict};
use lineal_sweep::{Choices, smallest};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

/// Programs that have something to get wrong: half of those drawn must have more executions than
/// this, and most of these must tell sc from rc11.
const MANY: usize = 10;
const MOST: usize = 24;
/// Where the oracle gives up.
const CAP: usize = 500;

/// A program, most of the time one that is neither trivial nor beyond the oracle.
fn draw(rng: &mut Choices, flavour: Flavour) -> Script {
    let (many, apart) =
        rng.pick(&[(true, true), (true, true), (true, false), (false, false), (false, false)]);
    for _ in 0..80 {
        let script = random::script(rng, flavour);
        if !many {
            return script;
        }
        let small = Effort { max_states: Some(MOST as u64), ..twin::LARGE };
        let count = |memory| {
            let run = twin::run(&script, memory, Options::default(), small.clone());
            matches!(run.finding.verdict, Verdict::Holds(_)).then_some(run.leaves.len())
        };
        match count(Memory::Rc11) {
            Some(n) if n > MANY && (!apart || count(Memory::Sc) != Some(n)) => return script,
            _ => {}
        }
    }
    random::script(rng, flavour)
}

/// The part of a long run that this process does: `LINEAL_FROM..LINEAL_TO`.
fn part(most: u64) -> std::ops::Range<u64> {
    let number = |name: &str| std::env::var(name).ok().and_then(|s| s.parse().ok());
    number("LINEAL_FROM").unwrap_or(0)..number("LINEAL_TO").unwrap_or(most)
}

#[test]
fn many_programs_of_some_size() {
    // The most permissive first: what the oracle cannot finish there is left out.
    const ORDER: [Memory; 4] = [Memory::Rc11, Memory::Ra, Memory::Tso, Memory::Sc];
    let first = seed();
    let begin = Instant::now();
    let (mut programs, mut skipped, mut many, mut apart, mut failing) = (0, 0, 0, 0, 0);
    let mut sizes: BTreeMap<usize, usize> = BTreeMap::new();
    let report = |programs, skipped, many, apart, failing| {
        println!(
            "{:.0} s: {programs} programs under four models ({skipped} more too large), {many} with more than \
             {MANY} graphs, {apart} tell models apart, {failing} fail under some model",
            begin.elapsed().as_secs_f64()
        );
    };
    for n in part(if full() { 10_000 } else { 120 }) {
        let flavour = FLAVOURS[n as usize % FLAVOURS.len()];
        let rng = &mut Choices::new(first.wrapping_mul(15_000_017) + n);
        // Another one in place of each that is too large.
        let (most, ends) = 'draw: loop {
            rng.begin();
            let script = draw(rng, flavour);
            let (mut most, mut ends) = (0, BTreeSet::new());
            for memory in ORDER {
                match compare_upto(CAP, &script, memory, n % 4) {
                    None => {
                        skipped += 1;
                        continue 'draw;
                    }
                    Some(Ok(c)) => {
                        most = most.max(c.complete);
                        ends.insert((c.complete, c.fails));
                    }
                    Some(Err(_)) => {
                        let wrong = |s: &Script| compare_upto(CAP, s, memory, n % 4).and_then(Result::err);
                        let show = |s: &Script| format!("{s:?}");
                        let what = smallest(rng.made(), |c| draw(c, flavour), show, wrong);
                        panic!("{flavour:?} {n} (seed {first}) {memory}: {what}")
                    }
                }
            }
            break (most, ends);
        };
        programs += 1;
        many += usize::from(most > MANY);
        apart += usize::from(ends.len() > 1);
        failing += usize::from(ends.iter().any(|e| e.1));
        *sizes.entry(most.next_power_of_two()).or_default() += 1;
        if (n + 1) % 500 == 0 {
            report(programs, skipped, many, apart, failing);
        }
    }
    report(programs, skipped, many, apart, failing);
    let spread: Vec<String> = sizes.iter().map(|(size, n)| format!("up to {size}: {n}")).collect();
    println!("programs by their graphs: {}", spread.join(", "));
    assert!(2 * many >= programs, "too many trivial programs");
    assert!(3 * apart >= programs, "too few programs tell models apart");
}

/// Memory of this process in KiB, now and at its peak.
fn memory() -> (u64, u64) {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let field = |name: &str| {
        let line = status.lines().find(|l| l.starts_with(name));
        line.and_then(|l| l.split_whitespace().nth(1)).and_then(|n| n.parse().ok()).unwrap_or(0)
    };
    (field("VmRSS:"), field("VmHWM:"))
}

/// Random programs of any size through all models, with a limit each: no crash, the same answer
/// for two orders of exploration, for two workers, and with symmetry.
#[test]
fn soak() {
    let seconds: u64 = std::env::var("LINEAL_SOAK_SECONDS").ok().and_then(|s| s.parse().ok()).unwrap_or(2);
    let first = seed();
    let begin = Instant::now();
    let (mut n, mut runs, mut limited, mut graphs, mut next) = (0u64, 0u64, 0u64, 0u64, 60);
    while begin.elapsed().as_secs() < seconds {
        let rng = &mut Choices::new(first.wrapping_mul(21_000_037) + n);
        let flavour = rng.pick(&[
            Flavour::Atomics,
            Flavour::SeqCsts,
            Flavour::Loops,
            Flavour::Everything,
            Flavour::Spins,
        ]);
        let script =
            if rng.chance(30) { random::twins(rng, flavour).0 } else { random::script(rng, flavour) };
        for model in ALL {
            let effort = |seed, jobs| Effort { seed, jobs, max_states: Some(20_000), ..Effort::DEFAULT };
            let settings = [
                (effort(0, 1), false),
                (effort(n, 1), false),
                (effort(0, 2), n % 2 == 0),
                (effort(n, 1), true),
            ];
            let mut answers = Vec::new();
            for (effort, symmetry) in settings {
                let options = Options { symmetry, liveness: n % 5 == 0, ..Options::default() };
                let run = twin::run(&script, model, options, effort);
                runs += 1;
                graphs += run.leaves.len() as u64;
                if matches!(run.finding.verdict, Verdict::Unknown(_)) {
                    limited += 1;
                    continue;
                }
                let outcomes: Vec<String> = run.finding.outcomes.into_keys().collect();
                let fails = matches!(run.finding.verdict, Verdict::Violated(_));
                answers.push((fails, if fails { Vec::new() } else { outcomes }));
            }
            answers.dedup();
            assert!(answers.len() < 2, "{flavour:?} {n} (seed {first}) {model}: {answers:?}\n{script:?}");
        }
        n += 1;
        if begin.elapsed().as_secs() >= next {
            next += 60;
            let (now, peak) = memory();
            println!(
                "{:.0} s: {n} programs, {runs} runs ({limited} limited), {graphs} graphs, {now} KiB now, {peak} KiB peak",
                begin.elapsed().as_secs_f64()
            );
        }
    }
    let (now, peak) = memory();
    println!(
        "{n} programs, {runs} runs ({limited} reached their limit), {graphs} graphs, {now} KiB now, {peak} KiB peak"
    );
    assert!(n > 0 && limited * 4 < runs);
}
