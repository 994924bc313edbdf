//! The engine and its oracle on one script.
#![allow(dead_code)]

use super::random::Flavour;
use super::{Script, global};
use lineal_check::graph::{Observed, Options, Problem, check};
use lineal_check::naive::executions;
use lineal_model::{Effort, Finding, Memory, Unwatched, Verdict};
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

pub const ALL: [Memory; 4] = [Memory::Sc, Memory::Tso, Memory::Ra, Memory::Rc11];
pub const FLAVOURS: [Flavour; 4] = [Flavour::Atomics, Flavour::SeqCsts, Flavour::Loops, Flavour::Everything];
pub const CAP: usize = 1_500;
pub const CELLS: u32 = 14;

pub fn full() -> bool {
    lineal_sweep::full()
}

pub fn seed() -> u64 {
    lineal_sweep::seed(1)
}

pub struct Run {
    pub finding: Finding,
    pub leaves: Vec<String>,
}

pub fn explore(script: &Script, memory: Memory, order: u64) -> Run {
    explore_with(script, memory, order, 1)
}

pub fn explore_with(script: &Script, memory: Memory, order: u64, jobs: usize) -> Run {
    run(script, memory, Options::default(), Effort { seed: order, jobs, ..LARGE })
}

pub const LARGE: Effort = Effort { max_states: Some(200_000), ..Effort::DEFAULT };

pub fn run(script: &Script, memory: Memory, options: Options, effort: Effort) -> Run {
    let mut script = script.clone();
    let leaves = Arc::new(Mutex::new(Vec::new()));
    let observe =
        (0..CELLS).map(|n| Observed { name: format!("g{n}"), loc: global(n), size: 8, signed: false });
    let options = Options { leaves: Some(leaves.clone()), observe: observe.collect(), ..options };
    let mut problem = Problem { program: &mut script, memory, options };
    let finding = check(&mut problem, &effort, &Unwatched);
    let leaves = std::mem::take(&mut *leaves.lock().unwrap());
    Run { finding, leaves }
}

pub fn failed(finding: &Finding) -> bool {
    match &finding.verdict {
        Verdict::Violated(_) => true,
        Verdict::Holds(_) => false,
        Verdict::Unknown(limit) => panic!("{limit:?}"),
    }
}

/// What is wrong with the engine on this program, if anything; and how many complete graphs.
pub fn compare(script: &Script, memory: Memory, order: u64) -> Option<Result<Compared, String>> {
    compare_upto(CAP, script, memory, order)
}

pub fn compare_upto(
    cap: usize,
    script: &Script,
    memory: Memory,
    order: u64,
) -> Option<Result<Compared, String>> {
    let oracle = executions::enumerate(script, memory, cap);
    if oracle.gave_up {
        return None;
    }
    let run = explore(script, memory, order);
    let fails = !oracle.failures.is_empty();
    if failed(&run.finding) != fails {
        return Some(Err(format!("engine fails: {}, oracle: {:?}", !fails, oracle.failures)));
    }
    if fails {
        return Some(Ok(Compared { complete: oracle.complete.len(), fails }));
    }
    let set: BTreeSet<&String> = run.leaves.iter().collect();
    if set.len() != run.leaves.len() {
        return Some(Err(format!("{} graphs, {} of them different", run.leaves.len(), set.len())));
    }
    let missing = oracle.complete.iter().filter(|k| !set.contains(k)).count();
    let extra = set.iter().filter(|k| !oracle.complete.contains(**k)).count();
    if missing + extra > 0 {
        let lost: Vec<_> = oracle.complete.iter().filter(|k| !set.contains(k)).take(2).collect();
        let new: Vec<_> = set.iter().filter(|k| !oracle.complete.contains(**k)).take(2).collect();
        let count = oracle.complete.len();
        return Some(Err(format!("{count} graphs, {missing} missing {lost:#?}, {extra} extra {new:#?}")));
    }
    Some(Ok(Compared { complete: set.len(), fails }))
}

pub struct Compared {
    pub complete: usize,
    pub fails: bool,
}

/// All ways to exchange threads within their rows; thread `t` becomes the `t`-th entry.
pub fn exchanges<C: Copy + PartialEq>(rows: &[C]) -> Vec<Vec<usize>> {
    let mut all: Vec<Vec<usize>> = vec![vec![0]];
    for &row in rows {
        let targets: Vec<usize> = (1..=rows.len()).filter(|&t| rows[t - 1] == row).collect();
        all = all
            .into_iter()
            .flat_map(|names| {
                let free = targets.iter().filter(|t| !names.contains(t)).copied().collect::<Vec<_>>();
                free.into_iter().map(move |t| names.iter().copied().chain([t]).collect::<Vec<_>>())
            })
            .collect();
    }
    all
}
