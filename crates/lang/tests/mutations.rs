//! The damage done to programs for the hunt after panics and hangs.

#[allow(dead_code, unused_imports)]
#[path = "gen/mod.rs"]
mod generator;

use generator::{generate, mutate, nasty, splice};

#[test]
fn damage_is_reproducible_and_nearly_always_visible() {
    let source = generate(1);
    let unchanged = (0..500).filter(|seed| mutate(&source, *seed) == source.as_bytes()).count();
    assert!(unchanged < 25, "{unchanged} of 500 copies are intact");
    for seed in 0..50 {
        assert_eq!(mutate(&source, seed), mutate(&source, seed));
        assert_eq!(splice(&source, &generate(2), seed), splice(&source, &generate(2), seed));
    }
}

#[test]
fn short_and_odd_sources_are_survived() {
    for source in ["", "x", "}", "\0", "é", "\"", "/*"] {
        for seed in 0..200 {
            mutate(source, seed);
            splice(source, "int main(void) { return 0; }", seed);
            splice("int main(void) { return 0; }", source, seed);
        }
    }
}

#[test]
fn nasty_inputs_have_names_of_their_own() {
    let names: std::collections::BTreeSet<_> = nasty().into_iter().map(|(name, _)| name).collect();
    assert_eq!(names.len(), nasty().len());
}
