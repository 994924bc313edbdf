//! The random concurrent programs, and the brute-force oracle that goes with them.

#[allow(dead_code, unused_imports)]
#[path = "gen/mod.rs"]
mod generator;

use generator::concurrent_shape;

#[test]
fn most_programs_are_worth_running() {
    let all: Vec<_> = (0..2000).map(|seed| concurrent_shape(seed).enumerate()).collect();
    let count = |f: &dyn Fn(&generator::Behaviour) -> bool| all.iter().filter(|b| f(b)).count();
    let (several, racy, stuck) =
        (count(&|b| b.outcomes.len() > 2), count(&|b| b.race), count(&|b| b.deadlock));
    println!("of {}: {several} with more than two outcomes, {racy} racy, {stuck} with a deadlock", all.len());
    assert!(several * 2 > all.len(), "{several} programs have more than two outcomes");
    assert!(racy * 30 > all.len() && racy * 3 < all.len(), "{racy} programs race");
    assert!(stuck > 5 && stuck * 10 < all.len(), "{stuck} programs have a deadlock");
}

#[test]
fn text_follows_shape() {
    for seed in 0..200 {
        let shape = concurrent_shape(seed);
        let text = shape.source();
        assert_eq!(text.matches("static void *thread").count(), shape.threads.len());
        assert!(shape.enumerate().outcomes.iter().all(|o| o.len() == shape.observed().len()), "seed {seed}");
    }
}
