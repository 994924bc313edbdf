//! Robustness of the objects of `examples/robust/`, client by client and mutant by mutant.
//!
//! - Of every client that both explorations finish, the executions of the weak model without those that
//!   sequential consistency lacks are as many as sequential consistency has.
//! - Of objects that are robust, every single access is weakened in every way: each mutant is refuted, or
//!   held for clients of so many calls. The table is printed.
//!
//! Clients of up to 3 calls; with `LINEAL_FULL=1` of as many as the headers say.

#[path = "support/robust_objects.rs"]
mod objects;

use lineal_check::conform::clients::{self, Threads};
use lineal_check::conform::{self, Asked, Clients, Question, Reductions};
use lineal_check::graph::{self, Judge, Leaf, Options};
use lineal_check::robust::judge::is_sequential;
use lineal_model::object::{Client, Level};
use lineal_model::program::client::Compiled;
use lineal_model::program::modes::{Access, Spot};
use lineal_model::{Effort, Memory, Unwatched, Verdict};
use objects::{Row, bound, mutants, rows};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

fn full() -> bool {
    lineal_sweep::full()
}

/// Counts complete executions, and those that sequential consistency does not have.
#[derive(Debug, Default)]
struct Odd {
    all: AtomicU64,
    odd: AtomicU64,
}

impl Judge for Odd {
    fn allows(&self, leaf: &dyn Leaf) -> bool {
        self.all.fetch_add(1, Ordering::Relaxed);
        self.odd.fetch_add(u64::from(!is_sequential(leaf)), Ordering::Relaxed);
        true
    }

    fn expects(&self, _: &dyn Leaf) -> bool {
        true
    }
}

/// Complete executions of a client, and odd ones. `None`: too many, or something goes wrong.
fn counted(compiled: &Compiled, client: &Client, memory: Memory, most: u64) -> Option<(u64, u64)> {
    let (mut program, _) = compiled.program(client);
    let effort = Effort { max_states: Some(most), ..Effort::default() };
    let mut learned = Options::default().learned;
    // What is learned about the program makes the search start anew; the second time there is nothing left.
    let mut count = || {
        let judge = Arc::new(Odd::default());
        let options = Options { judge: Some(judge.clone()), learned: learned.clone(), ..Options::default() };
        let mut problem = graph::Problem { program: &mut program, memory, options };
        let finding = graph::check(&mut problem, &effort, &Unwatched);
        learned = problem.options.learned;
        let ended = matches!(&finding.verdict, Verdict::Holds(s) if s.bounds.iter().all(|b| b.cut == 0));
        ended.then(|| (judge.all.load(Ordering::Relaxed), judge.odd.load(Ordering::Relaxed)))
    };
    count()?;
    count()
}

#[test]
fn what_is_not_odd_is_sequential() {
    let most = if full() { 400_000 } else { 3_000 };
    let (mut compared, mut left, mut weak_total, mut odd_total, mut sc_total) = (0u64, 0u64, 0, 0, 0);
    let mut per_row: Vec<String> = Vec::new();
    for row in rows() {
        let object = &row.compiled.object;
        let size = if full() { row.calls } else { row.calls.min(3) };
        let (mut own, mut odd_own) = (0, 0);
        for n in 1..=size {
            for counts in clients::multisets(object.operations.len(), &bound(n), n) {
                for client in clients::clients(object, &counts, Threads::Any) {
                    let weak = counted(&row.compiled, &client, row.memory, most);
                    let strong = counted(&row.compiled, &client, Memory::Sc, most);
                    let (Some((all, odd)), Some((sc, none))) = (weak, strong) else {
                        left += 1;
                        continue;
                    };
                    assert_eq!(none, 0, "{}", row.name);
                    assert_eq!(all - odd, sc, "{}: {}", row.name, object.show_client(&client));
                    compared += 1;
                    own += 1;
                    odd_own += odd;
                    (weak_total, odd_total, sc_total) = (weak_total + all, odd_total + odd, sc_total + sc);
                }
            }
        }
        assert!(row.expected == "violated" || odd_own == 0, "{}", row.name);
        per_row.push(format!("{}: {own} clients, {odd_own} odd", row.name));
    }
    println!("{}", per_row.join("\n"));
    println!(
        "{compared} clients, {weak_total} - {odd_total} = {sc_total} executions; {left} clients too large or unsafe"
    );
    assert!(compared > 300 && odd_total > 100);
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Said {
    Refuted,
    Held,
    Unsettled,
}

fn asked(compiled: &Compiled, row: &Row, calls: usize) -> Said {
    let problem = conform::Problem {
        clients: compiled,
        asked: Asked::Every(bound(calls)),
        memory: row.memory,
        level: &Level::None,
        question: Question::Robust,
        unroll: None,
        unroll_at: &[],
        preemptions: None,
        reductions: Reductions::default(),
    };
    let most = if full() { 3_000_000 } else { 100_000 };
    let effort = Effort { max_states: Some(most), ..Effort::default() };
    match conform::check(&problem, &effort, &Unwatched).map(|c| c.finding.verdict) {
        Ok(Verdict::Holds(_)) => Said::Held,
        Ok(Verdict::Violated(_)) => Said::Refuted,
        Ok(Verdict::Unknown(_)) | Err(_) => Said::Unsettled,
    }
}

/// 0: relaxed; 1 and 2: acquire, release, both; 3: seq_cst. The order of a failure is not counted.
fn weight(spot: &Spot) -> u32 {
    Access::ReadModifyWrite.weight(spot.modes)
}

#[test]
fn single_relaxations() {
    let mut total: BTreeMap<Said, usize> = BTreeMap::new();
    let only = std::env::var("LINEAL_ONLY").unwrap_or_default();
    println!(
        "| object | accesses | relaxed | acquire, release | seq_cst | calls | mutants | refuted | held | unsettled |\n\
         |---|---|---|---|---|---|---|---|---|---|"
    );
    for row in rows().iter().filter(|r| r.expected == "holds" && r.memory == Memory::Rc11) {
        if !row.name.contains(&only) {
            continue;
        }
        let calls = if full() { row.calls } else { row.calls.min(3) };
        assert_eq!(asked(&row.compiled, row, calls), Said::Held, "{}", row.name);
        let mut seen: BTreeMap<Said, usize> = BTreeMap::new();
        for (what, mutant) in mutants(&row.compiled) {
            let said = asked(&mutant, row, calls);
            *seen.entry(said).or_default() += 1;
            *total.entry(said).or_default() += 1;
            if said != Said::Refuted {
                println!("<!-- {}, {what}: {said:?} -->", row.name);
            }
        }
        let count = |s: Said| seen.get(&s).copied().unwrap_or(0);
        let all: usize = seen.values().sum();
        let (refuted, held, unsettled) = (count(Said::Refuted), count(Said::Held), count(Said::Unsettled));
        let accesses = row.compiled.operations.spots();
        let ordered = |at_least: u32| accesses.iter().filter(|s| weight(s) >= at_least).count();
        println!(
            "| {} | {} | {} | {} | {} | {calls} | {all} | {refuted} | {held} | {unsettled} |",
            row.name,
            accesses.len(),
            accesses.len() - ordered(1),
            ordered(1) - ordered(3),
            ordered(3)
        );
    }
    println!("{total:?}");
    let all: usize = total.values().sum();
    assert!(!only.is_empty() || all >= 100, "{all} mutants");
    assert!(!only.is_empty() || total[&Said::Refuted] >= 40 && total[&Said::Held] > 0);
}
