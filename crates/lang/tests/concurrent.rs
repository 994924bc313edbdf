//! The random concurrent programs, and the brute-force oracle that goes with them.

#[allow(dead_code, unused_imports)]
#[path = "gen/mod.rs"]
mod generator;

use generator::{Shape, by_graph, by_interleaving, choices_of, concurrent_shape, differs, load, shape_of};
use lineal_model::Memory;
use lineal_sweep::smallest;

/// How the engines differ from the brute force on a shape, if they do.
fn wrongly(shape: &Shape) -> Option<String> {
    let mut machine = load(&shape.source()).ok()?;
    let (expected, names) = (shape.enumerate(), shape.observed());
    let (found, _) = by_graph(&mut machine, Memory::Sc, &names);
    differs(&expected, &found).or_else(|| differs(&expected, &by_interleaving(&mut machine, &names)))
}

/// Through the C front-end, under sequential consistency: the graph engine, every interleaving,
/// and the brute force on the shape agree on the outcomes, on races and on deadlock.
#[test]
fn engines_agree_on_random_programs() {
    let count = if lineal_sweep::full() { 5000 } else { 300 };
    let (mut wrong, mut racy, mut stuck, mut several, mut many) = (Vec::new(), 0, 0, 0, 0);
    for from in (0..count).step_by(100) {
        let shapes: Vec<_> = (from..from + 100).map(concurrent_shape).collect();
        for (seed, shape) in (from..).zip(&shapes) {
            let expected = shape.enumerate();
            racy += usize::from(expected.race);
            stuck += usize::from(expected.deadlock);
            several += usize::from(expected.outcomes.len() > 2);
            let mut machine = load(&shape.source()).unwrap_or_else(|e| panic!("seed {seed}: {e}"));
            let names = shape.observed();
            let (found, executions) = by_graph(&mut machine, Memory::Sc, &names);
            many += usize::from(executions > 10);
            if let Some(why) = differs(&expected, &found)
                .or_else(|| differs(&expected, &by_interleaving(&mut machine, &names)))
            {
                wrong.push(format!("seed {seed}: {why}"));
                if wrong.len() == 1 {
                    let choices = &mut choices_of(seed);
                    shape_of(choices);
                    let small = smallest(choices.made(), shape_of, Shape::source, wrongly);
                    wrong.push(format!("a small one: {small}"));
                }
            }
        }
    }
    println!(
        "{count} programs: {racy} racy, {stuck} with a deadlock, {several} with more than two outcomes, \
         {many} with more than ten executions, {} differ",
        wrong.len()
    );
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

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
