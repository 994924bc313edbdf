//! `linearizable TYPE` under every combination of reductions: none changes a verdict or the length
//! of a counterexample, and processes that differ only in their number do count once.

#[path = "support/random_csp.rs"]
#[allow(dead_code)]
mod random_csp;

use lineal_check::refine::{Settings, check};
use lineal_lang::csp::load;
use lineal_model::{Effort, Unwatched, Verdict};
use random_csp::Rng;

/// Violated after so many visible events, or not; and the states visited.
fn decide(text: &str, settings: &Settings) -> (Option<usize>, u64) {
    let loaded = load("t.csp", text, &|_| Err(String::new())).unwrap_or_else(|p| panic!("{text}\n{p:#?}"));
    let answer =
        check(&loaded.model, &loaded.assertions[0], settings, &Effort::default(), &Unwatched).unwrap();
    let found = match answer.verdict {
        Verdict::Holds(_) => None,
        Verdict::Violated(w) => Some(w.steps.iter().filter(|s| !s.what.starts_with('τ')).count()),
        Verdict::Unknown(limit) => panic!("{}\n{text}", limit.message),
    };
    (found, answer.tally.states)
}

fn steps(rng: &mut Rng, from: &[&str], most: u32) -> String {
    let one = |rng: &mut Rng| format!("tau{{{};}} -> ", from[rng.below(from.len() as u32) as usize]);
    (0..=rng.below(most)).map(|_| one(rng)).collect()
}

/// A register or a counter whose operations take a few careless steps.
fn model(rng: &mut Rng) -> String {
    let n = 2 + rng.below(2);
    let system = "Sys() = |||i:{0..N-1}@C(i);";
    match rng.below(3) {
        0 => {
            let body = match rng.below(3) {
                0 => "tau{L[i] = x; x = x + 1;} -> ".to_string(),
                _ => steps(rng, &["L[i] = x", "x = L[i] + 1", "L[i] = x; x = x + 1"], 2),
            };
            let system =
                format!("C(i) = [c < 3] fai_inv.i{{c = c + 1;}} -> {body}fai_res.i.(L[i]) -> C(i); {system}");
            format!("#define N {n}; var x = 0; var c = 0; var L[N]; {system} #assert Sys() linearizable fai;")
        }
        _ => {
            let write = match rng.below(2) {
                0 => "tau{x = v;} -> ".to_string(),
                _ => steps(rng, &["x = v", "y = v", "L[i] = x", "x = v; y = x", "y = L[i]"], 2),
            };
            let read = match rng.below(2) {
                0 => "tau{R[i] = x;} -> ".to_string(),
                _ => steps(rng, &["R[i] = x", "R[i] = y", "R[i] = x; y = x"], 2),
            };
            format!(
                "#define N {n}; var x = 0; var y = 0; var L[N]; var R[N]; \
                 W(i, v) = write_inv.i.v -> {write}write_res.i -> C(i); \
                 D(i) = read_inv.i -> {read}read_res.i.(R[i]) -> C(i); \
                 C(i) = W(i, 0) [] W(i, 1) [] D(i); {system} #assert Sys() linearizable register;"
            )
        }
    }
}

#[test]
fn no_reduction_changes_a_verdict() {
    let wanted = if std::env::var_os("LINEAL_FULL").is_some() { 400 } else { 20 };
    let mut rng = Rng::new(3);
    let (mut violated, mut fewer) = (0, 0);
    for _ in 0..wanted {
        let text = model(&mut rng);
        let (truth, plain) = decide(&text, &Settings::PLAIN);
        for bits in 1..16 {
            let settings = Settings {
                antichain: bits & 1 != 0,
                symmetry: bits & 2 != 0,
                reset: bits & 4 != 0,
                fuse: bits & 8 != 0,
                ..Settings::PLAIN
            };
            let (found, states) = decide(&text, &settings);
            assert_eq!(found, truth, "{settings:?}\n{text}");
            if bits == 2 && truth.is_none() {
                assert!(states < plain, "no symmetry was found: {states} of {plain} states\n{text}");
                fewer += 1;
            }
        }
        violated += usize::from(truth.is_some());
    }
    println!("{wanted} models, {violated} violated; symmetry saved states in all {fewer} that hold");
    assert!(violated * 5 >= wanted && fewer * 5 >= wanted, "unbalanced: {violated}, {fewer} of {wanted}");
}

/// A lock belongs to whoever took it; names are in its state, so there is no symmetry to use.
#[test]
fn a_lock_is_released_by_its_owner() {
    let lock = |release: &str| {
        format!(
            "var held = 0; var by = 9; \
             C(i) = acquire_inv.i -> [held == 0] tau{{held = 1; by = i;}} -> acquire_res.i -> Skip \
                 [] release_inv.i -> {release} tau{{held = 0;}} -> release_res.i -> Skip; \
             Sys() = |||i:{{0..1}}@C(i); #assert Sys() linearizable mutex;"
        )
    };
    for settings in [Settings::default(), Settings::PLAIN] {
        // Anyone releases what anyone holds.
        assert!(decide(&lock("[held == 1]"), &settings).0.is_some());
        assert_eq!(decide(&lock("[held == 1 && by == i]"), &settings).0, None);
    }
}
