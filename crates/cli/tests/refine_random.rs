//! The refinement engine against the naive deciders on random CSP# models, every combination of
//! reductions, all three kinds of refinement. `LINEAL_FULL=1` runs the long form.

#[path = "support/random_csp.rs"]
mod random_csp;

use lineal_check::naive::refine::{Graph, by_listing, by_subsets};
use lineal_check::refine::{Settings, check};
use lineal_check::seeded::{self, Bug};
use lineal_lang::csp::load;
use lineal_model::process::term::Universe;
use lineal_model::process::{Claim, Semantics, System};
use lineal_model::{Effort, Unwatched, Verdict};
use lineal_sweep::{Choices, full, smallest};
use random_csp::pair;

const STATES: usize = 150;
/// Sets are built one by one, and there may be very many.
const PAIRS: usize = 3_000;
/// Longest traces the listing compares.
const LENGTH: usize = 5;

/// Violated after so many visible events, or not.
type Truth = Option<usize>;

struct Case {
    text: String,
    truth: [Truth; 3],
}

const ALL: [Semantics; 3] = [Semantics::Traces, Semantics::Failures, Semantics::FailuresDivergences];

/// A model the naive decider can handle; `None` if it is too large or faults.
fn case(rng: &mut Choices) -> Option<Case> {
    let text = pair(rng);
    let loaded =
        load("random.csp", &text, &|_| Err(String::new())).unwrap_or_else(|p| panic!("{text}\n{p:#?}"));
    let universe = Universe::new(&loaded.model);
    let Claim::Refines { spec, .. } = loaded.assertions[0].claim else { panic!("a refinement") };
    let system = |site| System::new(&universe, site).ok();
    let imp = Graph::of(&system(loaded.assertions[0].root)?, STATES)?;
    let spec = Graph::of(&system(spec)?, STATES)?;
    let truth = ALL.map(|semantics| by_subsets(&imp, &spec, semantics, PAIRS));
    let [Some(t), Some(f), Some(fd)] = truth else { return None };
    let truth = [t, f, fd];
    for (semantics, truth) in ALL.into_iter().zip(truth) {
        let listed = by_listing(&imp, &spec, semantics, LENGTH);
        match truth {
            Some(n) if n <= LENGTH => assert_eq!(listed, Some(n), "{text}"),
            _ => assert_eq!(listed, None, "{text}"),
        }
    }
    Some(Case { text, truth })
}

/// What the engine says: all three kinds.
fn engine(case: &Case, settings: &Settings, jobs: usize) -> [Result<Truth, String>; 3] {
    let loaded = load("random.csp", &case.text, &|_| Err(String::new())).unwrap();
    let effort = Effort { jobs, ..Effort::default() };
    [0, 1, 2].map(|i| {
        let answer = check(&loaded.model, &loaded.assertions[i], settings, &effort, &Unwatched).unwrap();
        match answer.finding.verdict {
            Verdict::Holds(_) => Ok(None),
            Verdict::Violated(w) => Ok(Some(w.steps.iter().filter(|s| !s.what.starts_with('τ')).count())),
            Verdict::Unknown(limit) => Err(limit.message),
        }
    })
}

fn settings(bits: u32) -> Settings {
    Settings {
        antichain: bits & 1 != 0,
        symmetry: bits & 2 != 0,
        reset: bits & 4 != 0,
        fuse: bits & 8 != 0,
        ..Settings::default()
    }
}

/// What the engine says with these reductions, if it is not what the naive deciders say.
fn wrong(case: &Case, bits: u32) -> Option<String> {
    let found = engine(case, &settings(bits), 1 + (bits % 2) as usize);
    (0..3).find_map(|i| match &found[i] {
        Ok(found) if *found == case.truth[i] => None,
        Ok(found) => Some(format!("{:?} {bits:04b}: {found:?} instead of {:?}", ALL[i], case.truth[i])),
        Err(why) => Some(format!("{:?} {bits:04b}: {why}", ALL[i])),
    })
}

#[test]
fn every_combination_agrees_with_the_naive_deciders() {
    let wanted = if full() { 20_000 } else { 600 };
    let mut rng = Choices::new(lineal_sweep::seed(1));
    let (mut pairs, mut violated, mut skipped) = (0, [0; 3], 0);
    while pairs < wanted {
        rng.begin();
        let Some(case) = case(&mut rng) else {
            skipped += 1;
            continue;
        };
        let made = rng.made().to_vec();
        pairs += 1;
        let combinations: Vec<u32> =
            if pairs % 8 == 0 { (0..16).collect() } else { vec![0, 15, rng.below(16)] };
        for bits in combinations {
            if wrong(&case, bits).is_some() {
                let show = |c: &Option<Case>| c.as_ref().map_or(String::new(), |c| c.text.clone());
                panic!("{}", smallest(&made, self::case, show, |c| wrong(c.as_ref()?, bits)));
            }
        }
        for (count, truth) in violated.iter_mut().zip(&case.truth) {
            *count += usize::from(truth.is_some());
        }
    }
    println!("{pairs} pairs ({skipped} skipped); violated T, F, FD: {violated:?}");
    for v in violated {
        assert!(v * 10 >= pairs * 3 && v * 10 <= pairs * 7, "unbalanced: {violated:?} of {pairs}");
    }
}

#[test]
fn deliberate_errors_are_noticed() {
    let errors = [
        Bug::InvertedAntichain,
        Bug::ForgottenClosure,
        Bug::InvertedRefusals,
        Bug::IgnoredDivergence,
        Bug::UnsoundAmple,
    ];
    let mut rng = Choices::new(7);
    let cases: Vec<Case> = std::iter::from_fn(|| Some(case(&mut rng))).flatten().take(500).collect();
    for bug in errors {
        let wrong = cases
            .iter()
            .filter(|case| {
                // A witness that its re-check does not confirm is a panic.
                let found =
                    std::panic::catch_unwind(|| seeded::with(bug, || engine(case, &Settings::default(), 1)));
                found.is_err() || found.is_ok_and(|f| (0..3).any(|i| f[i].as_ref() != Ok(&case.truth[i])))
            })
            .count();
        println!("{bug:?}: {wrong} of {} cases", cases.len());
        let least = if bug == Bug::InvertedAntichain { 20 } else { 3 };
        assert!(wrong >= least, "{bug:?} goes all but unnoticed: {wrong} cases");
    }
}
