//! Proofs of robustness for *every* client, by induction.
//!
//! **What is decided.** Every complete execution of every client (any number of sessions, any calls,
//! within roles) under RC20, the model of Nagar et al. (OOPSLA 2024), is one of sequential consistency,
//! iterations that come to nothing left out. RC20 has every execution of `rc11` and `tso`: seq_cst accesses
//! count as acquire and release, which only adds executions; a seq_cst fence is
//! `fence(acquire); update of a hidden cell (acq_rel); fence(release)`, and every order of fences that RC11 allows is
//! one of these updates. Under `ra` it is taken for an acq_rel fence. Under `tso` every atomic access
//! acquires and releases.
//!
//! **Theorem.** See [`oblige`]: executions are built from *blocks* (reads, fences, stores to a block that
//! nobody knows of, then at most one write that others can see), and the first block that breaks
//! sequential consistency meets a condition that each obligation excludes. Obligations are formulas
//! over a few calls ([`encode`], [`cover`]) that must have no assignment ([`solver`]).
//!
//! **What it rests on.** [`paths`]: what calls can do, by symbolic execution. Facts that the code shows
//! at a glance: locations that only read-modify-writes write, blocks that are written by who
//! allocated them until they are published, locations that one session writes; pointers that are followed lead
//! to whole blocks ([`pointers`]). [`lemma`]: facts that take
//! an induction of their own ([`induct`]); some of them, the author of an object says ([`stated`]). Each fact is a group of clauses, so that a refutation tells
//! which it took. [`gate`] holds all of this against runs of real clients, in tests.
//!
//! **What can be missed.** Nothing by a proof. Without one the answer is *unknown*: an assignment is a
//! candidate, not an execution; nor is there one about operations that were never seen to return where all calls do ([`returns`]). Counters are taken never to wrap around, and the scope says so. Freeing
//! memory, state per thread, loops that write and go round with what they found are refused. Errors are executions like others
//! here: a path may end in one at any access that might fail; races of plain accesses, and uses of blocks
//! whose allocation is not visible, have obligations of their own.

pub mod cover;
pub mod encode;
pub mod formula;
pub mod gate;
pub mod induct;
pub mod lemma;
pub mod library;
pub mod list;
mod list_induct;
mod memory;
pub mod nodes;
pub mod oblige;
pub mod paths;
mod pointers;
pub mod prove;
mod returns;
mod rounds;
mod run;
mod shape;
mod shapes;
pub mod smtlib;
pub mod solver;
mod sources;
pub mod stated;
mod stated_induct;
pub mod stated_runs;
mod stated_use;
pub mod term;
pub mod tree;
mod values;

pub use encode::Switches;
pub use solver::{BuiltIn, Outcome, Solver};

use lemma::Lemmas;
use library::{Library, Sort};
use lineal_model::counter::Counter;
use lineal_model::program::client::Compiled;
use lineal_model::{
    Assumption, Diagnostic, Effort, Extent, Finding, Limit, Memory, Observer, Scope, Verdict,
};
use oblige::Label;
use prove::{Proof, Prover, Refused, Stop, Stuck};
use std::ops::ControlFlow;

/// Tries to prove that weak memory adds nothing to any client.
pub fn prove(
    compiled: &Compiled,
    memory: Memory,
    switches: Switches,
    solver: &mut dyn Solver,
    effort: &Effort,
    watch: &dyn Observer,
) -> Finding {
    let mut charge = |_: &Proof| -> ControlFlow<Limit> { effort.charge(Default::default(), watch) };
    let mut finding = Finding::new("weak memory adds no executions", Verdict::Unknown(Limit::method("")));
    let read = library::library(compiled, memory);
    let library = match read.and_then(|library| pointers::are_followed(&library).map(|()| library)) {
        Ok(library) => library,
        Err(refusal) => {
            let message = format!("No proof for every client: {}", refusal.why);
            finding.verdict = Verdict::Unknown(Limit { at: refusal.at, ..Limit::method(message) });
            return finding;
        }
    };
    if let Some(wrong) = stated::resolve(&library.known(), &compiled.object).1.into_iter().next() {
        let message = format!("No proof for every client: {}", wrong.message);
        finding.verdict = Verdict::Unknown(Limit { at: wrong.at, ..Limit::method(message) });
        return finding;
    }
    let found =
        Prover::lemmas(&library, switches, solver, &mut charge).and_then(|(lemmas, failed, first)| {
            if let Some(refused) = refused((compiled, &library), &lemmas, &failed, switches, solver) {
                return Err(Stop::Refused(refused));
            }
            let mut prover = Prover::new(&library, &lemmas, switches, solver, &mut charge);
            prover.proof = first;
            let ended = prover.run();
            let mut proof = prover.proof.clone();
            proof.relied = prover.facts();
            let open = failed.iter().map(|f| f.0.name(&library)).collect::<Vec<_>>();
            let ended = ended.and_then(|()| allowed((compiled, &library), &lemmas, switches));
            Ok((ended, proof, open))
        });
    let (ended, proof, open) = match found {
        Ok(found) => found,
        Err(stop) => (Err(stop), Proof::default(), Vec::new()),
    };
    finding.stats.more.insert(Counter::Obligations, proof.queries);
    finding.stats.more.insert(Counter::Clauses, proof.clauses);
    let spots = compiled.operations.spots();
    let strong = spots.iter().filter(|s| s.modes.mode.acquires() || s.modes.mode.releases()).count();
    finding.remarks.push(format!(
        "the proof is about {} of locations and {} accesses, {} of them relaxed",
        classes(library.classes.len()),
        spots.len(),
        spots.len() - strong
    ));
    if library.operations.iter().any(|o| o.tree.nodes.iter().any(|n| n.seq_cst)) {
        finding.remarks.push("for the proof, seq_cst accesses are acquire and release ones".into());
    }
    finding.verdict = match ended {
        Ok(()) if let Some(operation) = returns::never(compiled, &library) => {
            let operation = &compiled.object.operations[operation];
            let message = format!(
                "No proof for every client: no run was found in which `{}` returns and every other call does, and a proof is about such runs",
                operation.name
            );
            Verdict::Unknown(Limit { at: Some(operation.call.at.clone()), ..Limit::method(message) })
        }
        Ok(()) => {
            if !proof.relied.is_empty() {
                let facts: Vec<&str> = proof.relied.iter().map(String::as_str).collect();
                finding.remarks.push(format!("the proof relies on: {}", facts.join("; ")));
            }
            Verdict::Holds(scope(compiled, &library, memory, &proof))
        }
        Err(Stop::Limit(limit)) => Verdict::Unknown(limit),
        Err(Stop::Refused(Refused { message, at, remark })) => {
            finding.remarks.extend(remark);
            let message = format!("No proof for every client: {message}");
            Verdict::Unknown(Limit { at: Some(at), ..Limit::method(message) })
        }
        Err(Stop::Stuck(stuck)) => {
            finding
                .remarks
                .extend(open.iter().map(|l| format!("an induction that does not go through: {l}")));
            finding.remarks.extend(told(&stuck));
            Verdict::Unknown(left(compiled, &library, &stuck))
        }
    };
    finding
}

/// What is wrong with the lemmas and axioms of a file, as far as it takes the object to tell.
pub fn faults(compiled: &Compiled, memory: Memory) -> Vec<Diagnostic> {
    library::library(compiled, memory).map_or(Vec::new(), |l| stated::resolve(&l.known(), &compiled.object).1)
}

/// Runs that axioms, and lemmas that could not be shown, are held against.
const RUNS: usize = 400;

/// A lemma that is not shown, or an axiom that is not so.
fn refused(
    (compiled, library): (&Compiled, &Library),
    lemmas: &Lemmas,
    failed: &prove::Failed,
    switches: Switches,
    solver: &mut dyn Solver,
) -> Option<Refused> {
    let contradicted =
        |s: &stated::Stated| stated_runs::contradicted((compiled, library), s, RUNS, &mut returns::choices());
    if let Some((s, candidate)) = failed.iter().find_map(|(l, c)| Some((l.stated(library)?, c))) {
        let (name, at) = (s.name(), s.fact.at.clone());
        return Some(match contradicted(s) {
            Some(run) => Refused {
                message: format!("{name} is false"),
                at,
                remark: Some(format!("a run that contradicts it, {run}")),
            },
            None => {
                let steps = candidate.join("; ");
                let remark = format!(
                    "it may fail at the last of these steps, which need not be an execution: {steps}"
                );
                Refused {
                    message: format!("the induction of {name} does not go through"),
                    at,
                    remark: Some(remark),
                }
            }
        });
    }
    let granted = || lemmas.all.iter().filter_map(|l| l.stated(library)).filter(|s| s.fact.granted);
    for s in granted() {
        if let Some(run) = contradicted(s) {
            let (message, at) = (format!("{} is false", s.name()), s.fact.at.clone());
            return Some(Refused { message, at, remark: Some(format!("a run that contradicts it, {run}")) });
        }
    }
    let first = granted().next()?;
    let left = gate::vacuity(library, lemmas, switches, solver);
    left.failed.map(|none| Refused {
        message: format!("with {}, there is {none}", first.name()),
        at: first.fact.at.clone(),
        remark: None,
    })
}

/// Runs that a proof is held against.
const REPLAYED: usize = 100;

/// Facts that leave no room for a run of the object itself are wrong, whatever was shown, and prove
/// anything.
fn allowed(
    (compiled, library): (&Compiled, &Library),
    lemmas: &Lemmas,
    switches: Switches,
) -> Result<(), Stop> {
    let facts = (compiled, library, lemmas);
    let gate = gate::replay(facts, switches, &mut BuiltIn, REPLAYED, &mut returns::choices());
    let Some(run) = gate.failed else { return Ok(()) };
    Err(Stop::Refused(Refused {
        message: "what was shown of the object leaves out one of its runs; this is a mistake in Lineal, please report it with the file".into(),
        at: compiled.object.operations[0].call.at.clone(),
        remark: Some(format!("the run, {run}")),
    }))
}

fn classes(n: usize) -> String {
    if n == 1 { "1 class".into() } else { format!("{n} classes") }
}

fn scope(compiled: &Compiled, library: &Library, memory: Memory, proof: &Proof) -> Scope {
    let mut scope = Scope::program(memory, 0);
    (scope.threads, scope.calls) = (Some(Extent::Unbounded), Some(Extent::Unbounded));
    scope.assumptions.push(Assumption::FruitlessIterations);
    let counters: Vec<&str> =
        library.classes.iter().filter(|c| c.sort == Sort::Number).map(|c| c.name.as_str()).collect();
    if !counters.is_empty() {
        scope.assumptions.push(Assumption::CountersEnd(counters.join(", ")));
    }
    for s in library.stated.iter().filter(|s| s.fact.granted && proof.relied.contains(&s.name())) {
        scope.assumptions.push(Assumption::Axiom(s.fact.name.clone(), s.fact.text.clone()));
    }
    scope.assumptions.extend(compiled.operations.machine.program.assumptions.clone());
    scope.assumptions.sort();
    scope.assumptions.dedup();
    scope
}

/// What was left open, where.
fn left(compiled: &Compiled, library: &Library, stuck: &Stuck) -> Limit {
    let Label { operation, node } = stuck.write;
    let program = &compiled.operations.machine.program;
    let site = program.sites.get(library.node(operation, node).site as usize).copied().unwrap_or(0);
    let message =
        format!("No proof for every client: of {}, {}", prove::words(library, stuck.write), stuck.open);
    Limit { at: program.places.get(site as usize).cloned().flatten(), ..Limit::method(message) }
}

fn told(stuck: &Stuck) -> Option<String> {
    (!stuck.candidate.is_empty())
        .then(|| format!("a candidate, which need not be an execution: {}", stuck.candidate.join("; ")))
}
