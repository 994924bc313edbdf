//! Symmetric models against the naive deciders: every kind of assertion, with constant and variable
//! indices, loops and channel messages; every combination of reductions. `LINEAL_FULL=1` runs the
//! long form.

#[path = "support/random_csp.rs"]
#[allow(dead_code)]
mod random_csp;
#[path = "support/symmetric_csp.rs"]
mod symmetric_csp;

use lineal_check::naive::claims::{Reached, States};
use lineal_check::naive::refine::{Graph, by_subsets};
use lineal_check::refine::{Order, Settings, check};
use lineal_lang::csp::{Loaded, load};
use lineal_model::process::term::Universe;
use lineal_model::process::{Claim, Semantics, System};
use lineal_model::{Effort, Unwatched, Verdict};
use lineal_sweep::{Choices, smallest};
use symmetric_csp::{ASSERTIONS, model};

const STATES: usize = 400;
const PAIRS: usize = 3_000;

/// What an answer says, as far as it may not depend on how it was found.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Said {
    Holds(Option<i32>),
    /// After so many visible events, where that is settled.
    Violated(Option<usize>),
    Unknown,
    /// The naive decider does not say.
    Anything,
}

/// The truth about each assertion; `None` if the model is too large or cannot be followed.
fn truth(loaded: &Loaded) -> Option<Vec<Said>> {
    let universe = Universe::new(&loaded.model);
    let root = loaded.assertions[0].root;
    let system = System::new(&universe, root).ok()?;
    let states = States::of(&system, STATES)?;
    if states.gaps {
        return None;
    }
    let violated = |is: bool| if is { Said::Violated(None) } else { Said::Holds(None) };
    let graph = Graph::of(&system, STATES)?;
    let mut all = Vec::new();
    for assertion in &loaded.assertions {
        all.push(match &assertion.claim {
            Claim::DeadlockFree => violated(states.faults || states.gets_stuck(false)),
            Claim::Nonterminating => violated(states.faults || states.gets_stuck(true)),
            Claim::DivergenceFree => violated(states.faults || states.diverges()),
            Claim::Reaches { goal, extreme } => match states.reaches(goal, extreme.as_ref()) {
                Reached::Yes => Said::Holds(None),
                Reached::Best(n) => Said::Holds(Some(n)),
                Reached::No | Reached::Faults => Said::Violated(None),
                Reached::Unclear => Said::Unknown,
            },
            Claim::Refines { spec, semantics } => {
                let spec = System::new(&universe, *spec).ok()?;
                let spec_states = States::of(&spec, STATES)?;
                let known = !spec_states.faults && !spec_states.gaps;
                match (known, states.faults) {
                    (true, false) => match by_subsets(&graph, &Graph::of(&spec, STATES)?, *semantics, PAIRS)?
                    {
                        None => Said::Holds(None),
                        Some(n) => Said::Violated(Some(n)),
                    },
                    (true, true) if *semantics != Semantics::FailuresDivergences => Said::Violated(None),
                    _ => Said::Anything,
                }
            }
            _ => unreachable!("not asserted"),
        });
    }
    Some(all)
}

/// What the engine says, and how many states it saw.
fn engine(loaded: &Loaded, assertion: usize, settings: &Settings, jobs: usize) -> (Said, u64) {
    let assertion = &loaded.assertions[assertion];
    let effort = Effort { jobs, ..Effort::default() };
    let answer = check(&loaded.model, assertion, settings, &effort, &Unwatched).unwrap();
    let said = match answer.finding.verdict {
        Verdict::Holds(_) => {
            let value = answer.finding.remarks.iter().find_map(|r| r.split_once("value is "));
            Said::Holds(value.map(|(_, n)| n.parse().unwrap()))
        }
        // Depth first, witnesses are not shortest.
        Verdict::Violated(_) if settings.order == Order::Depth => Said::Violated(None),
        Verdict::Violated(w) => {
            Said::Violated(Some(w.steps.iter().filter(|s| !s.what.starts_with('τ')).count()))
        }
        Verdict::Unknown(limit) => {
            assert!(!limit.message.contains("report"), "{}", limit.message);
            Said::Unknown
        }
    };
    (said, answer.tally.states)
}

fn agrees(truth: &Said, said: &Said) -> bool {
    match (truth, said) {
        (Said::Anything, _) => true,
        (Said::Violated(None), Said::Violated(_)) | (Said::Violated(_), Said::Violated(None)) => true,
        _ => truth == said,
    }
}

fn settings(bits: u32) -> Settings {
    Settings {
        antichain: bits & 1 != 0,
        symmetry: bits & 2 != 0,
        reset: bits & 4 != 0,
        fuse: bits & 8 != 0,
        order: if bits & 16 != 0 { Order::Depth } else { Order::Breadth },
        ..Settings::default()
    }
}

/// What these reductions make of an assertion, if it is not the truth.
fn differs(text: &str, i: usize, bits: u32) -> Option<String> {
    let loaded = load("t.csp", text, &|_| Err(String::new())).ok()?;
    let truth = truth(&loaded)?;
    let (said, _) = engine(&loaded, i, &settings(bits), 1 + (bits % 2) as usize);
    let (truth, what) = (&truth[i], &loaded.assertions[i].text);
    (!agrees(truth, &said)).then(|| format!("{what} is {truth:?}, {bits:05b} says {said:?}"))
}

#[test]
fn no_reduction_changes_an_answer() {
    let (full, seed) = (lineal_sweep::full(), lineal_sweep::seed(11));
    println!("seed {seed}");
    let wanted = if full { 60_000 } else { 1_500 };
    let mut rng = Choices::new(seed);
    let (mut assertions, mut answers, mut skipped, mut wrong, mut fewer) = (0, 0, 0, 0, 0);
    let mut counts = [0; 4];
    let mut models = 0;
    while assertions < wanted {
        rng.begin();
        let text = model(&mut rng);
        let made = rng.made().to_vec();
        let loaded =
            load("t.csp", &text, &|_| Err(String::new())).unwrap_or_else(|p| panic!("{text}\n{p:#?}"));
        assert_eq!(loaded.assertions.len(), ASSERTIONS);
        let Some(truth) = truth(&loaded) else {
            skipped += 1;
            continue;
        };
        models += 1;
        let combinations: Vec<u32> =
            if models % 8 == 0 { (0..32).collect() } else { vec![0, 2, 15, rng.below(32)] };
        for (i, truth) in truth.iter().enumerate() {
            assertions += 1;
            counts[match truth {
                Said::Holds(_) => 0,
                Said::Violated(_) => 1,
                Said::Unknown => 2,
                Said::Anything => 3,
            }] += 1;
            let mut plain = 0;
            for bits in &combinations {
                let (said, states) = engine(&loaded, i, &settings(*bits), 1 + (bits % 2) as usize);
                answers += 1;
                match bits {
                    0 => plain = states,
                    2 => fewer += usize::from(states < plain),
                    _ => {}
                }
                if !agrees(truth, &said) {
                    wrong += 1;
                    if wrong == 1 {
                        let wrong = |text: &String| differs(text, i, *bits);
                        println!("{}", smallest(&made, model, String::clone, wrong));
                    }
                }
            }
        }
    }
    let [holds, violated, unknown, other] = counts;
    println!(
        "{assertions} assertions of {models} models ({skipped} skipped), {answers} answers: {holds} hold, \
         {violated} violated, {unknown} unknown, {other} not compared; symmetry saved states in {fewer}; {wrong} wrong"
    );
    assert_eq!(wrong, 0);
    assert!(fewer * 10 >= assertions, "symmetry is hardly used: in {fewer} of {assertions}");
    assert!(holds * 5 >= assertions && violated * 5 >= assertions, "unbalanced: {counts:?}");
}
