//! States as another process can read them: two systems of one model, explored in different orders
//! after different beginnings, number everything differently and write the same bytes.

#[path = "support/random_csp.rs"]
mod random_csp;

use lineal_check::refine::reduce::{Reduced, Reductions};
use lineal_lang::csp::{Loaded, load};
use lineal_model::lts::{Portable, Steps};
use lineal_model::process::term::Universe;
use lineal_model::process::{Claim, SiteId, System};
use lineal_sweep::Choices;
use random_csp::pair;
use std::collections::{BTreeMap, HashSet};

const STATES: usize = 3_000;

/// Every state in its portable form, with its packed one; `None` if there are too many.
fn states<L: Portable>(lts: &L, backwards: bool) -> Option<BTreeMap<Vec<u8>, Vec<u8>>> {
    let mut steps = Steps::default();
    lts.initial(&mut steps);
    let whole = |steps: &Steps<L::Fault>, i: usize| [steps.state(i).0, steps.state(i).1].concat();
    let mut work: Vec<Vec<u8>> = (0..steps.len()).map(|i| whole(&steps, i)).collect();
    let mut seen: HashSet<Vec<u8>> = work.iter().cloned().collect();
    let mut at = 0;
    while at < work.len() {
        let from = if backwards { work.pop()? } else { work[at].clone() };
        at += usize::from(!backwards);
        steps.clear();
        lts.steps(&from, &mut steps);
        let fresh = (0..steps.len()).map(|i| whole(&steps, i)).filter(|s| seen.insert(s.clone()));
        work.extend(fresh.collect::<Vec<_>>());
        if seen.len() > STATES {
            return None;
        }
    }
    let portable = |packed: Vec<u8>| {
        let mut bytes = Vec::new();
        lts.export(&packed, &mut bytes);
        (bytes, packed)
    };
    Some(seen.into_iter().map(portable).collect())
}

fn spec(loaded: &Loaded) -> Option<SiteId> {
    loaded.assertions.iter().find_map(|a| match a.claim {
        Claim::Refines { spec, .. } => Some(spec),
        _ => None,
    })
}

/// Compares both explorations; answers how many states are packed differently.
fn compare<L: Portable>(text: &str, here: &L, there: &L) -> Option<usize> {
    let (ours, theirs) = (states(here, false)?, states(there, true)?);
    assert!(ours.keys().eq(theirs.keys()), "{text}");
    for (portable, packed) in &ours {
        let mut bytes = Vec::new();
        there.import(portable, &mut bytes).unwrap_or_else(|| panic!("{text}"));
        assert_eq!(&bytes, &theirs[portable], "{text}");
        // What no process wrote is refused, not misread.
        assert_eq!(here.import(&portable[..portable.len() - 1], &mut Vec::new()), None, "{text}");
        let mut back = Vec::new();
        here.import(portable, &mut back).unwrap();
        assert_eq!(&back, packed, "{text}");
    }
    Some(ours.iter().filter(|(portable, packed)| theirs[*portable] != **packed).count())
}

/// How many states were compared in vain: packed alike.
fn check(text: &str) -> Option<usize> {
    let loaded = load("t.csp", text, &|_| Err(String::new())).unwrap_or_else(|p| panic!("{text}\n{p:#?}"));
    let root = loaded.assertions[0].root;
    let (here, there) = (Universe::new(&loaded.model), Universe::new(&loaded.model));
    // The other one has seen something else before.
    if let Some(spec) = spec(&loaded) {
        states(&System::new(&there, spec).ok()?, false);
    }
    let plain = compare(text, &System::new(&here, root).ok()?, &System::new(&there, root).ok()?)?;
    // How equal processes are arranged depends on numbers that each universe gives by itself.
    let reductions = Reductions { copies: false, ..Reductions::ALL };
    let reduced = |universe| Reduced::new(universe, root, reductions, &[]).ok();
    let (here, there) = (Universe::new(&loaded.model), Universe::new(&loaded.model));
    if let Some(spec) = spec(&loaded) {
        states(&System::new(&there, spec).ok()?, true);
    }
    Some(plain + compare(text, &reduced(&here)?, &reduced(&there)?)?)
}

#[test]
fn every_operator() {
    let texts = [
        "P() = a -> (b -> P() [] c -> Q()); Q() = b -> Stop <> (c -> P() [] a -> Q());",
        "P() = ((a -> Skip; b -> Skip; c -> Skip) interrupt d -> Skip); P(); Q() = c -> b -> Q();",
        "P() = (a -> b -> Skip || b -> c -> Skip); P(); Q() = b -> Skip || b -> a -> Skip;",
        "var x = 0; P() = ((|||i:{0..2}@R(i)) \\ {e.1, e.0, e.2}); P();
         R(i) = e.i{x = i;} -> f.i -> Skip; Q() = f.2 -> f.1 -> f.0 -> Q();",
        "channel c 2; hvar h = 0; var x:{0..3} = 0; P() = W() ||| R(); R() = c?a.b -> R();
         W() = c!1.x{h = (h+1)%3; x = (x+1)%4;} -> W(); Q() = a -> Stop;",
        "P() = atomic{a -> tau -> b -> Skip} ||| [*]i:{0..1}@(tau -> c.i -> P2()); P2() = d -> Skip;
         Q() = d -> c.1 -> Stop;",
        "P() = [] i:{0..2}@(e.i -> R(2-i)); R(n) = ifa (n > 0) { f.n -> P() } else { P() }; Q() = f.2 -> P();",
    ];
    let mut different = 0;
    for text in texts {
        let text = format!("{text}\n#assert P() refines Q();");
        let here = check(&text).unwrap_or_else(|| panic!("too large: {text}"));
        different += usize::from(here > 0);
    }
    assert!(different >= 5, "only in {different} models do the two number anything differently");
}

#[test]
fn random_models() {
    let mut rng = Choices::new(7);
    let (mut compared, mut different) = (0, 0);
    while compared < 150 {
        let text = pair(&mut rng);
        if let Some(here) = check(&text) {
            compared += 1;
            different += usize::from(here > 0);
        }
    }
    println!("{compared} models, {different} with states packed differently");
    assert!(different > 40, "{different}");
}
