//! Temporal assertions about random small systems, with each kind of fairness: the engine, with
//! reductions on and off, against two deciders that write everything out. What is violated comes with
//! a run, which the engine has confirmed by other code before it said so.

#[path = "support/random_ltl.rs"]
mod random_ltl;

use lineal_check::naive::temporal::{Points, Unclear, violated, violated_as_guessed, violated_fairly};
use lineal_check::refine::{Settings, check};
use lineal_check::seeded::{self, Bug};
use lineal_lang::csp::{Loaded, load};
use lineal_model::process::term::Universe;
use lineal_model::process::{Assertion, Claim, Fairness, System};
use lineal_model::{Effort, Unwatched, Verdict};
use lineal_sweep::{Choices, smallest};
use random_ltl::{annotated, case, split};

/// States the deciders may write out.
const STATES: usize = 120;

fn read(text: &str) -> Loaded {
    load("t.csp", text, &|_| Err(String::new())).unwrap_or_else(|p| panic!("{text}\n{p:#?}"))
}

fn under(assertion: &Assertion, kind: Fairness) -> Assertion {
    let mut assertion = assertion.clone();
    if let Claim::Ltl { fairness, .. } = &mut assertion.claim {
        *fairness = kind;
    }
    assertion
}

/// Whether some fair run violates the assertion; without fairness, both deciders must say the same.
fn truth(loaded: &Loaded, kind: Fairness) -> Result<bool, Unclear> {
    let assertion = &loaded.assertions[0];
    let Claim::Ltl { formula, .. } = &assertion.claim else { unreachable!("temporal") };
    let universe = Universe::new(&loaded.model);
    let system = System::new(&universe, assertion.root).map_err(|_| Unclear::Faults)?;
    let points = Points::of(&system, formula, kind, STATES)?;
    let fairly = violated_fairly(&points, kind);
    let annotated = !system.annotations().is_empty();
    if kind == Fairness::None && !annotated {
        assert_eq!(violated(&points), fairly, "the deciders differ");
    }
    if annotated && let Some(guessed) = violated_as_guessed(&points, kind) {
        assert_eq!(guessed, fairly, "the deciders differ");
    }
    Ok(fairly)
}

fn settings(bits: u32) -> Settings {
    Settings {
        antichain: true,
        symmetry: bits & 1 != 0,
        reset: bits & 2 != 0,
        fuse: bits & 4 != 0,
        ..Settings::default()
    }
}

fn engine(loaded: &Loaded, kind: Fairness, bits: u32) -> Result<bool, String> {
    let assertion = under(&loaded.assertions[0], kind);
    let answer = check(&loaded.model, &assertion, &settings(bits), &Effort::default(), &Unwatched)
        .map_err(|f| f.message)?;
    match answer.finding.verdict {
        Verdict::Holds(_) => Ok(false),
        Verdict::Violated(_) => Ok(true),
        Verdict::Unknown(limit) => Err(limit.message),
    }
}

fn differs(text: &str, kind: Fairness, bits: u32) -> Option<String> {
    let loaded = load("t.csp", text, &|_| Err(String::new())).ok()?;
    let truth = truth(&loaded, kind).ok()?;
    let said = std::panic::catch_unwind(|| engine(&loaded, kind, bits)).unwrap_or(Err("panics".into()));
    (said != Ok(truth)).then(|| format!("{kind:?}: violated is {truth}, {bits:03b} says {said:?}"))
}

/// How many agreed: held, violated; and how many were skipped.
fn sweep(case: fn(&mut Choices) -> String, kind: Fairness, wanted: usize, seed: u64) -> [usize; 3] {
    let mut rng = Choices::new(seed);
    let (mut counts, mut fewer) = ([0usize; 3], 0);
    let mut plain = true;
    while counts[0] + counts[1] < wanted {
        rng.begin();
        let text = case(&mut rng);
        let made = rng.made().to_vec();
        let loaded = read(&text);
        let Ok(truth) = truth(&loaded, kind) else {
            counts[2] += 1;
            continue;
        };
        // What is violated is found more easily; neither way may be rare.
        if truth && counts[1] > 10 + counts[0] * 3 / 2 {
            counts[2] += 1;
            continue;
        }
        counts[usize::from(truth)] += 1;
        let some = rng.below(8u32);
        for bits in [0, 7, some] {
            let said = std::panic::catch_unwind(|| engine(&loaded, kind, bits));
            if !matches!(said, Ok(Ok(said)) if said == truth) {
                let wrong = |text: &String| differs(text, kind, bits);
                panic!("{}", smallest(&made, case, String::clone, wrong));
            }
        }
        plain &= loaded.model.annotations(loaded.assertions[0].root).is_empty();
        fewer += usize::from(kind == Fairness::None && plain && saves(&loaded));
    }
    println!(
        "{kind:?}: {} hold, {} violated, {} skipped, symmetry or fusion saves states in {fewer}",
        counts[0], counts[1], counts[2]
    );
    if kind == Fairness::None && plain {
        assert!(fewer * 20 >= wanted, "reductions are hardly used: in {fewer} of {wanted}");
    }
    counts
}

/// Whether symmetry and fusion are used at all.
fn saves(loaded: &Loaded) -> bool {
    let states = |bits| {
        check(&loaded.model, &loaded.assertions[0], &settings(bits), &Effort::default(), &Unwatched)
            .map_or(0, |answer| answer.tally.states)
    };
    states(7) < states(2)
}

#[test]
fn the_engine_agrees_with_both_deciders_under_every_fairness() {
    let (full, seed) = (lineal_sweep::full(), lineal_sweep::seed(17));
    println!("seed {seed}");
    let wanted = if full { 10_500 } else { 50 };
    for (i, kind) in Fairness::ALL.into_iter().enumerate() {
        let [hold, violated, _] = sweep(case, kind, wanted, seed + i as u64);
        assert!(hold * 10 >= wanted * 3 && violated * 10 >= wanted * 3, "{kind:?} is unbalanced");
    }
}

/// Annotations alone, and beside each kind of fairness.
#[test]
fn annotations_of_events_mean_what_they_say() {
    let (full, seed) = (lineal_sweep::full(), lineal_sweep::seed(23));
    println!("seed {seed}");
    for (i, kind) in Fairness::ALL.into_iter().enumerate() {
        let wanted = match (full, kind) {
            (true, Fairness::None) => 10_500,
            (true, _) => 2_000,
            (false, _) => 50,
        };
        let [hold, violated, _] = sweep(annotated, kind, wanted, seed + i as u64);
        assert!(hold * 10 >= wanted * 3 && violated * 10 >= wanted * 3, "{kind:?} is unbalanced");
    }
}

/// Processes that change places, and then are not single terms any more.
#[test]
fn equal_processes_may_split() {
    let (full, seed) = (lineal_sweep::full(), lineal_sweep::seed(29));
    println!("seed {seed}");
    let wanted = if full { 5_000 } else { 100 };
    let [hold, violated, _] = sweep(split, Fairness::None, wanted, seed);
    assert!(hold * 10 >= wanted * 2 && violated * 10 >= wanted * 2, "unbalanced");
}

const NAMED: &str = "P(i) = e.i -> Stop;\nS() = |||i:{0..1}@P(i);\n#assert S() |= <> e.0;\n";

#[test]
fn mistakes_are_noticed() {
    let bugs = [
        (Bug::BrokenPromises, Fairness::None),
        (Bug::NeverStays, Fairness::None),
        (Bug::WeakWillDo, Fairness::StrongEvent),
        (Bug::AnyPartIsFair, Fairness::WeakProcess),
        (Bug::NamesForgotten, Fairness::None),
    ];
    for (bug, kind) in bugs {
        let mut rng = Choices::new(5);
        let mut tried = 0;
        loop {
            tried += 1;
            assert!(tried < 4_000, "{bug:?} was not noticed");
            rng.begin();
            let text = case(&mut rng);
            // Few random formulas name a process of whose name it all depends.
            let text = if bug == Bug::NamesForgotten { NAMED.to_string() } else { text };
            let loaded = read(&text);
            let Ok(truth) = truth(&loaded, kind) else { continue };
            let said = std::panic::catch_unwind(|| seeded::with(bug, || engine(&loaded, kind, 7)));
            if !matches!(said, Ok(Ok(said)) if said == truth) {
                println!("{bug:?} was noticed after {tried}");
                break;
            }
        }
    }
}
