//! Executions at random, on random programs.
//!
//! Whatever is drawn is an execution: without loops it is one of those that are explored, with loops
//! its outcome is; a failure that is drawn is there. And most of what is there is drawn, if the
//! program is small.
//!
//! `LINEAL_FULL=1` runs many more, from a fresh seed that is printed; `LINEAL_SEED=n` repeats it.

use crate::script::random::{self, Flavour};
use crate::script::twin::{ALL, Run, full, run, seed};
use lineal_check::graph::{Options, Sampling};
use lineal_model::{Effort, LimitKind, Verdict};
use lineal_sweep::Choices;
use std::collections::BTreeSet;

/// Of a program with no more executions or outcomes, most are to be drawn.
const SMALL: usize = 20;

const LARGE: Effort = Effort { max_states: Some(5_000), ..Effort::DEFAULT };

fn sampled(script: &crate::script::Script, memory: lineal_model::Memory, n: u64) -> Run {
    let jobs = if n.is_multiple_of(7) { 2 } else { 1 };
    let sample = Some(Sampling { executions: 400, seed: n });
    run(script, memory, Options { sample, ..Options::default() }, Effort { jobs, ..LARGE })
}

#[test]
fn what_is_drawn_is_an_execution() {
    let count = if full() { 1_000 } else { 100 };
    let first = seed();
    for flavour in [Flavour::Everything, Flavour::Loops, Flavour::Retries] {
        let (mut all, mut drawn, mut failing, mut noticed) = (0, 0, 0, 0);
        for n in 0..count {
            let script = random::script(&mut Choices::new(first.wrapping_mul(7_000_003) + n), flavour);
            let memory = ALL[n as usize % 4];
            let explored = run(&script, memory, Options::default(), LARGE);
            let sample = sampled(&script, memory, n);
            let what = || format!("{flavour:?} {n} (seed {first}) {memory}: {script:?}");
            match (&explored.finding.verdict, &sample.finding.verdict) {
                (Verdict::Unknown(_), _) => continue,
                (Verdict::Violated(_), verdict) => {
                    failing += 1;
                    noticed += u32::from(matches!(verdict, Verdict::Violated(_)));
                    continue;
                }
                (Verdict::Holds(_), Verdict::Unknown(limit)) if limit.kind == LimitKind::Sampled => {}
                (_, verdict) => panic!("{}: {verdict:?}", what()),
            }
            if flavour == Flavour::Everything {
                let there: BTreeSet<&String> = explored.leaves.iter().collect();
                let some: BTreeSet<&String> = sample.leaves.iter().collect();
                assert!(some.is_subset(&there), "{}: {:?}", what(), some.difference(&there).next());
                if there.len() <= SMALL {
                    all += there.len();
                    drawn += some.len();
                }
            } else {
                let outcomes = |r: &Run| r.finding.outcomes.keys().cloned().collect::<BTreeSet<String>>();
                let (there, some) = (outcomes(&explored), outcomes(&sample));
                assert!(some.is_subset(&there), "{}: {:?}", what(), some.difference(&there).next());
                if there.len() <= SMALL {
                    all += there.len();
                    drawn += some.len();
                }
            }
        }
        println!("{flavour:?}: {drawn} drawn of {all}; {noticed} failures noticed of {failing}");
        assert!(10 * drawn > 7 * all, "{flavour:?}: {drawn} drawn of {all}");
        assert!(10 * noticed > 8 * failing, "{flavour:?}: {noticed} failures noticed of {failing}");
    }
}
