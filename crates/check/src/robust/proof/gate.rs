//! Are the formulas true of executions? What is asserted without a proof here, by lemmas and by the
//! encoding, is held against executions of real clients.
//!
//! - **replay**: a random client is run under sequential consistency by the virtual machine itself, some
//!   of its calls are chosen, and the formula for these calls must have the assignment that the run
//!   is, with exactly what happens after some write for what is covered.
//! - **vacuity**: any few calls can all be made, to the end.
//!
//! This is how tests look for mistakes in a prover. A proof that was found is held against some runs, too:
//! facts that contradict one of them would prove anything.

use super::encode::{Instance, Partial, Switches};
use super::formula::{Bits, Lit};
use super::lemma::Lemmas;
use super::library::{Library, Sort};
use super::run::{Choose, Path, Run, Taken, client, run};
use super::solver::{Outcome, Solver};
use super::tree::{Act, Target};
use lineal_model::program::client::Compiled;
use std::collections::BTreeMap;

/// What the gates found: how many runs were looked at, and one that the formulas do not allow.
#[derive(Clone, Debug, Default)]
pub struct Gate {
    pub tried: usize,
    pub failed: Option<String>,
}

/// Random runs against the formulas.
pub fn replay(
    (compiled, library, lemmas): (&Compiled, &Library, &Lemmas),
    switches: Switches,
    solver: &mut dyn Solver,
    runs: usize,
    choose: Choose<'_>,
) -> Gate {
    let mut gate = Gate::default();
    for _ in 0..runs {
        let calls = 2 + choose(5);
        let client = client(compiled, library, calls, choose);
        let most = 4 + choose(50);
        let Some(mut run) = run((compiled, library.model), &client, most, choose) else { continue };
        run.split(library);
        let calls = 0..run.calls.len();
        let mut started: Vec<usize> = calls.filter(|&c| run.steps.iter().any(|s| s.call == c)).collect();
        while started.len() > 2 + choose(2) {
            started.remove(choose(started.len()));
        }
        if started.is_empty() {
            continue;
        }
        let operations: Vec<usize> = started.iter().map(|&c| run.calls[c].operation).collect();
        let ways: Vec<Vec<Path>> =
            started.iter().zip(&operations).map(|(&c, &o)| run.embeddings(library, o, c)).collect();
        gate.tried += 1;
        let told = || format!("{}: {:?}", compiled.object.show_client(&client), run.steps);
        if let Some(i) = ways.iter().position(Vec::is_empty) {
            gate.failed = Some(format!("call {} follows no path: {}", started[i], told()));
            return gate;
        }
        let writes: Vec<usize> = (0..run.steps.len())
            .filter(|&i| run.steps[i].wrote.is_some() && started.contains(&run.steps[i].call))
            .collect();
        let m = (!writes.is_empty()).then(|| writes[choose(writes.len())]);
        let seen = combinations(&ways).into_iter().any(|chosen| {
            let mut x = Instance::new(library, switches, &operations, None, Partial::Nobody);
            lemmas.assert(&mut x);
            fix(&mut x, &run, &started, &chosen, lemmas, m);
            matches!(solver.solve(&x.f), Outcome::Sat(_))
        });
        if !seen {
            gate.failed = Some(format!("not allowed: calls {started:?} of {}", told()));
            return gate;
        }
    }
    gate
}

/// One way for each, a hundred at most.
fn combinations<T: Clone>(ways: &[Vec<T>]) -> Vec<Vec<T>> {
    let mut all: Vec<Vec<T>> = vec![Vec::new()];
    for way in ways {
        let longer =
            all.iter().flat_map(|a| way.iter().map(move |w| a.iter().cloned().chain([w.clone()]).collect()));
        all = longer.take(100).collect();
    }
    all
}

/// Adds that the assignment is this run.
fn fix(
    x: &mut Instance<'_>,
    run: &Run,
    started: &[usize],
    chosen: &[Path],
    lemmas: &Lemmas,
    m: Option<usize>,
) {
    let mut step_of: BTreeMap<usize, usize> = BTreeMap::new();
    let constants = x.constants.len() as u64;
    let first = run.first.iter().enumerate().map(|(k, loc)| (loc.0, constants + k as u64));
    let mut names: BTreeMap<u64, u64> = first.collect();
    for (i, path) in chosen.iter().enumerate() {
        let mut blocks = 0;
        for e in x.at[i].values().copied().collect::<Vec<_>>() {
            let on = x.events[e].on;
            match path.iter().find(|p| p.0 == x.events[e].node) {
                None => x.f.require(-on),
                Some((_, step)) => {
                    x.f.require(on);
                    if let Some(step) = step {
                        step_of.insert(e, *step);
                    }
                }
            }
        }
        for s in run.steps.iter().filter(|s| s.call == started[i] && s.act == Act::Alloc) {
            if let (Some(loc), Some(id)) = (s.loc, x.block(i, blocks)) {
                names.insert(loc.0, id);
            }
            blocks += 1;
        }
    }
    let thread = |c: usize| run.calls[c].thread;
    for (i, &a) in started.iter().enumerate() {
        for (j, &b) in started.iter().enumerate().skip(i + 1) {
            let together = x.session(i, j);
            x.f.require(if thread(a) == thread(b) { together } else { -together });
            let earlier = x.earlier(i, j);
            if thread(a) == thread(b) {
                x.f.require(if run.calls[a].place < run.calls[b].place { earlier } else { -earlier });
            }
        }
    }
    // Places.
    let mut places: Vec<(usize, usize)> = vec![(0, 0)];
    for (&e, &step) in &step_of {
        if let Some(p) = x.events[e].point {
            places.push((p, step + 1));
        }
        if let Some(s) = x.events[e].source {
            places.push((s, run.steps[step].source));
        }
    }
    // Nodes of lists: where they were linked, and where the next one was.
    let list = x.library.list.as_ref().filter(|_| x.end > 0);
    if let Some(list) = list {
        let offset = x.library.operations.iter().flat_map(|o| o.tree.nodes.iter().zip(&o.access));
        let offset = offset.filter(|(_, a)| a.as_ref().is_some_and(|a| a.0 == list.next));
        let offset = offset.filter_map(|(n, _)| {
            if let Some(Target::Heap { offset, .. }) = n.target { Some(offset) } else { None }
        });
        let offset = offset.max().unwrap_or(0) as u64;
        let link =
            |s: &Taken| s.act == Act::Update && s.loc.is_some_and(|l| !l.block().is_global() && l.0 != 1);
        let end = run.steps.len() + 1;
        let enter =
            |node: u64| run.steps.iter().position(|s| link(s) && s.wrote == Some(node)).map_or(0, |i| i + 1);
        let leave = |node: u64| {
            let at = run.steps.iter().position(|s| link(s) && s.loc.map(|l| l.0) == Some(node + offset));
            at.map_or(end, |i| i + 1)
        };
        places.push((x.end, end));
        for (&e, &step) in &step_of {
            let (Some(span), Some(read)) = (x.spans.get(&e), run.steps[step].read) else { continue };
            if read != 0 {
                places.extend([(span.enter, enter(read)), (span.leave, leave(read))]);
            }
        }
        for (&(call, k), span) in &x.made {
            if let Some((&node, _)) = names.iter().find(|(_, id)| Some(**id) == x.block(call, k))
                && enter(node) > 0
            {
                places.extend([(span.enter, enter(node)), (span.leave, leave(node))]);
            }
        }
    }
    for &(p, a) in &places {
        for &(q, b) in &places {
            let le = x.le(p, q);
            x.f.require(if a <= b { le } else { -le });
        }
    }
    // Values.
    let mut next = x.first_name();
    for (&e, &step) in &step_of {
        let Some(class) = x.events[e].class else { continue };
        let (Some(bits), Some(value)) = (x.events[e].read.clone(), run.steps[step].read) else { continue };
        let number = match x.library.classes[class].sort {
            Sort::Number => value,
            _ => match x.name_of(value) {
                Some(id) => id,
                None => *names.entry(value).or_insert_with(|| {
                    next += 1;
                    next - 1
                }),
            },
        };
        is(x, &bits, number);
    }
    let Some((me, step)) = m.and_then(|m| step_of.iter().find(|s| *s.1 == m).map(|(&e, &s)| (e, s))) else {
        return;
    };
    let covered = x.cover(me, true);
    lemmas.synchronise(x, &covered);
    let exact = run.covered(step);
    for (&e, &s) in &step_of {
        if !exact[s] {
            x.f.require(-covered[e]);
        }
    }
}

fn is(x: &mut Instance<'_>, bits: &Bits, number: u64) {
    for (i, &b) in bits.iter().enumerate() {
        let lit: Lit = if number >> i & 1 == 1 { b } else { -b };
        x.f.require(lit);
    }
}

/// Whether any few calls can all come to an end.
pub fn vacuity(library: &Library, lemmas: &Lemmas, switches: Switches, solver: &mut dyn Solver) -> Gate {
    let mut gate = Gate::default();
    let operations = 0..library.operations.len();
    let mut all: Vec<Vec<usize>> = Vec::new();
    for i in operations.clone() {
        all.push(vec![i]);
        for j in i..operations.end {
            all.push(vec![i, j]);
            all.extend((j..operations.end).map(|k| vec![i, j, k]));
        }
    }
    for calls in all {
        let mut x = Instance::new(library, switches, &calls, None, Partial::Nobody);
        lemmas.assert(&mut x);
        for call in 0..calls.len() {
            let complete = x.complete(call);
            x.f.require(complete);
        }
        gate.tried += 1;
        if !matches!(solver.solve(&x.f), Outcome::Sat(_)) {
            let names: Vec<&str> = calls.iter().map(|&c| library.operations[c].name.as_str()).collect();
            gate.failed = Some(format!("no execution of {}", names.join(", ")));
            return gate;
        }
    }
    gate
}
