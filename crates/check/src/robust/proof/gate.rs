//! Are the formulas true of executions? What is asserted without a proof here, by lemmas and by the
//! encoding, is held against executions of real clients.
//!
//! - **replay**: a random client is run under sequential consistency by the virtual machine itself, some
//!   of its calls are chosen, and the formula for these calls must have the assignment that the run
//!   is, with exactly what happens after some write for what is covered.
//! - **vacuity**: any few calls can all be made, to the end.
//!
//! This is how tests look for mistakes in a prover; a proof does not use it.

use super::encode::{Instance, Partial, Switches};
use super::formula::{Bits, Lit};
use super::lemma::Lemmas;
use super::library::{Library, Sort};
use super::solver::{Outcome, Solver};
use super::tree::Act;
use lineal_model::object::{Call, Client};
use lineal_model::program::client::Compiled;
use lineal_model::run::{Answer, BlockId, BlockInfo, Loc, Op, Rmw, Runnable, Step, ThreadId, Value, World};
use std::collections::BTreeMap;

/// One step of a run, after the setup. Positions count from 1; 0 is before all.
#[derive(Clone, Debug)]
struct Step_ {
    call: usize,
    thread: usize,
    site: u32,
    act: Act,
    loc: Option<Loc>,
    read: Option<u64>,
    source: usize,
    wrote: Option<u64>,
    acquires: bool,
    releases: bool,
}

#[derive(Default)]
struct Memory {
    cells: BTreeMap<Loc, (Value, usize)>,
    blocks: BTreeMap<BlockId, BlockInfo>,
}

impl World for Memory {
    fn block(&self, block: BlockId) -> Option<BlockInfo> {
        self.blocks.get(&block).copied()
    }
}

/// A run: its steps, by call whether it returned, and whose blocks are whose.
struct Run {
    steps: Vec<Step_>,
    ended: Vec<bool>,
}

/// A number below `n`, at random.
pub type Choose<'c> = &'c mut dyn FnMut(usize) -> usize;

fn client(compiled: &Compiled, library: &Library, calls: usize, choose: Choose<'_>) -> Client {
    let mut client = Client::default();
    let sessions = 2 + choose(3);
    let mut threads: Vec<Vec<usize>> = vec![Vec::new(); sessions];
    let mut role: BTreeMap<usize, usize> = BTreeMap::new();
    for c in 0..calls {
        let operation = choose(compiled.object.operations.len());
        let slot = |takes: bool, n: usize| takes.then_some(n as i64 + 1);
        let takes = compiled.object.operations[operation].takes;
        client.calls.push(Call {
            operation,
            value: slot(takes.value, c),
            key: slot(takes.key, choose(2)),
            prio: slot(takes.prio, choose(2)),
        });
        let thread = match library.operations[operation].session {
            Some(r) => match role.get(&r) {
                Some(&t) => t,
                None => {
                    let t = role.len() % sessions;
                    role.insert(r, t);
                    t
                }
            },
            None => choose(sessions),
        };
        threads[thread].push(c);
    }
    threads.retain(|t| !t.is_empty());
    client.threads = threads;
    client
}

/// Runs a client for a while, under sequential consistency.
fn run(compiled: &Compiled, client: &Client, most: usize, choose: Choose<'_>) -> Option<Run> {
    let (mut machine, _) = compiled.operations.client(client);
    'again: loop {
        let mut memory = Memory::default();
        let mut threads = vec![(machine.start(ThreadId(0), machine.main()), None::<Step>)];
        let mut steps: Vec<Step_> = Vec::new();
        let mut ended = vec![false; client.calls.len()];
        let mut call: Vec<Option<usize>> = vec![None];
        let mut budget = 4000;
        while budget > 0 && steps.len() < most {
            budget -= 1;
            // The main thread sets everything up first.
            let t = if threads.len() <= client.threads.len() { 0 } else { 1 + choose(threads.len() - 1) };
            let step = match threads[t].1.take() {
                Some(step) => step,
                None => {
                    let mut state = threads[t].0.clone();
                    let step = machine.resume(&mut state, Answer::default(), &memory);
                    threads[t].0 = state;
                    step
                }
            };
            let (op, site) = match step {
                Step::Ask(op, site) => (op, site),
                Step::Relayout(change) => {
                    machine.adapt(change).ok()?;
                    continue 'again;
                }
                Step::Failed(_) => return None,
                finished => {
                    threads[t].1 = Some(finished);
                    continue;
                }
            };
            let marks = |loc: Loc, array: Loc| {
                (loc.block() == array.block()).then(|| (loc.offset() - array.offset()) as usize / 8)
            };
            let mut value = Value::ZERO;
            let position = steps.len() + 1;
            let blank = Step_ {
                call: call[t].unwrap_or(usize::MAX),
                thread: t,
                site: site.0,
                act: Act::Fence,
                loc: None,
                read: None,
                source: 0,
                wrote: None,
                acquires: false,
                releases: false,
            };
            let current = |memory: &Memory, machine: &lineal_model::program::Machine, loc: Loc, size: u8| {
                memory.cells.get(&loc).copied().unwrap_or_else(|| {
                    let first =
                        if loc.block().is_global() { machine.initial(loc, size) } else { Value::UNDEFINED };
                    (first, 0)
                })
            };
            let mut created = None;
            match op {
                Op::Read { loc, size, mode, wait, .. } => {
                    let (found, source) = current(&memory, &machine, loc, size);
                    if wait.is_some_and(|w| !w.until.holds(found, size)) {
                        threads[t].1 = Some(Step::Ask(op, site));
                        continue;
                    }
                    value = found;
                    if t > 0 {
                        steps.push(Step_ {
                            act: Act::Read,
                            loc: Some(loc),
                            read: Some(found.lo),
                            source,
                            acquires: mode.acquires(),
                            ..blank
                        });
                    }
                }
                Op::Write { loc, mode, value: written, .. } => {
                    if let Some(c) = marks(loc, compiled.operations.begun) {
                        call[t] = Some(c);
                    } else if let Some(c) = marks(loc, compiled.operations.ended) {
                        ended[c] = true;
                        call[t] = None;
                    } else if marks(loc, compiled.operations.result).is_none() && t > 0 {
                        memory.cells.insert(loc, (written, position));
                        steps.push(Step_ {
                            act: Act::Write,
                            loc: Some(loc),
                            wrote: Some(written.lo),
                            releases: mode.releases(),
                            ..blank
                        });
                    } else {
                        memory.cells.insert(loc, (written, 0));
                    }
                }
                Op::Rmw { loc, size, mode, rmw, wait } => {
                    let (found, source) = current(&memory, &machine, loc, size);
                    if wait.is_some_and(|w| !w.until.holds(found, size)) {
                        threads[t].1 = Some(Step::Ask(op, site));
                        continue;
                    }
                    value = found;
                    let step = Step_ { loc: Some(loc), read: Some(found.lo), source, ..blank };
                    match rmw.apply(found, size) {
                        Some(written) => {
                            memory.cells.insert(loc, (written, position));
                            steps.push(Step_ {
                                act: Act::Update,
                                wrote: Some(written.lo),
                                acquires: mode.acquires(),
                                releases: mode.releases(),
                                ..step
                            });
                        }
                        None => {
                            let fail = if let Rmw::Cas { fail, .. } = rmw { fail } else { mode };
                            steps.push(Step_ { act: Act::Read, acquires: fail.acquires(), ..step });
                        }
                    }
                }
                Op::Fence { mode } if t > 0 => {
                    if mode.is_sc() {
                        let cell = Loc(1);
                        let (_, source) = memory.cells.get(&cell).copied().unwrap_or_default();
                        steps.push(Step_ { acquires: true, ..blank.clone() });
                        let at = steps.len() + 1;
                        steps.push(Step_ {
                            act: Act::Update,
                            loc: Some(cell),
                            read: Some(0),
                            source,
                            wrote: Some(0),
                            acquires: true,
                            releases: true,
                            ..blank.clone()
                        });
                        memory.cells.insert(cell, (Value::ZERO, at));
                        steps.push(Step_ { releases: true, ..blank });
                    } else {
                        steps.push(Step_ { acquires: mode.acquires(), releases: mode.releases(), ..blank });
                    }
                }
                Op::Alloc { block, size, layout, .. } => {
                    memory.blocks.insert(block, BlockInfo { size, layout });
                    if t > 0 {
                        steps.push(Step_ { act: Act::Alloc, loc: Some(block.base()), ..blank });
                    }
                }
                Op::Create { entry } => {
                    let number = threads.len();
                    created = Some((machine.start(ThreadId(number as u8), entry), None));
                    value = Value::word(number as u64);
                }
                Op::Join { .. } => {
                    threads[t].1 = Some(Step::Ask(op, site));
                    continue;
                }
                _ => {}
            }
            if let Some(new) = created {
                threads.push(new);
                call.push(None);
            }
            let mut state = threads[t].0.clone();
            let next = machine.resume(&mut state, value.into(), &memory);
            threads[t] = (state, Some(next));
        }
        return Some(Run { steps, ended });
    }
}

impl Run {
    /// Happens-before, and with it what comes after a write or a read of it.
    fn covered(&self, m: usize) -> Vec<bool> {
        let n = self.steps.len();
        let mut hb = vec![vec![false; n]; n];
        let so = |a: usize, b: usize| a < b && self.steps[a].thread == self.steps[b].thread;
        for b in 0..n {
            for a in 0..b {
                hb[a][b] |= so(a, b);
            }
            let s = &self.steps[b];
            if s.read.is_none() {
                continue;
            }
            let mut targets: Vec<usize> = (b + 1..n)
                .filter(|&f| so(b, f) && self.steps[f].act == Act::Fence && self.steps[f].acquires)
                .collect();
            if s.acquires {
                targets.push(b);
            }
            let mut from = s.source;
            while from > 0 {
                let w = from - 1;
                let mut heads: Vec<usize> = (0..w)
                    .filter(|&f| so(f, w) && self.steps[f].act == Act::Fence && self.steps[f].releases)
                    .collect();
                if self.steps[w].releases {
                    heads.push(w);
                }
                for &head in &heads {
                    for &target in &targets {
                        hb[head][target] = true;
                    }
                }
                from = if self.steps[w].act == Act::Update { self.steps[w].source } else { 0 };
            }
        }
        // Everything goes forward.
        for k in 0..n {
            for i in 0..k {
                if hb[i][k] {
                    for j in k + 1..n {
                        hb[i][j] |= hb[k][j];
                    }
                }
            }
        }
        let start = |i: usize| i == m || self.steps[i].read.is_some() && self.steps[i].source == m + 1;
        (0..n).map(|j| start(j) || (0..n).any(|i| start(i) && hb[i][j])).collect()
    }

    /// Ways to see the steps of a call as a path of its tree, which may leave out steps that come to
    /// nothing. Of a call that is under way, up to its last write.
    fn embeddings(
        &self,
        library: &Library,
        operation: usize,
        call: usize,
    ) -> Vec<Vec<(usize, Option<usize>)>> {
        let steps: Vec<usize> = (0..self.steps.len()).filter(|&i| self.steps[i].call == call).collect();
        let mut found = Vec::new();
        self.embed(library, operation, call, &steps, None, 0, &mut Vec::new(), &mut found);
        found
    }

    #[allow(clippy::too_many_arguments)]
    fn embed(
        &self,
        library: &Library,
        operation: usize,
        call: usize,
        steps: &[usize],
        parent: Option<usize>,
        from: usize,
        path: &mut Vec<(usize, Option<usize>)>,
        found: &mut Vec<Vec<(usize, Option<usize>)>>,
    ) {
        if found.len() >= 200 {
            return;
        }
        let tree = &library.operations[operation].tree;
        let is_shared = |i: usize| {
            let s = &self.steps[i];
            s.wrote.is_some() && !tree.nodes.iter().any(|n| n.site == s.site && n.own && n.act == s.act)
        };
        let left = steps[from.min(steps.len())..].iter().any(|&i| is_shared(i));
        let block_done = parent.is_none_or(|p| tree.nodes[p].is_shared_write());
        if !self.ended[call] && !left && block_done {
            found.push(path.clone());
            return;
        }
        for child in tree.children(parent) {
            let node = &tree.nodes[child];
            if node.act == Act::End {
                if self.ended[call] && !left {
                    path.push((child, None));
                    found.push(path.clone());
                    path.pop();
                }
                continue;
            }
            let mut places = Vec::new();
            for (k, &i) in steps.iter().enumerate().skip(from) {
                if self.steps[i].site == node.site && self.steps[i].act == node.act {
                    places.push(k);
                }
                if is_shared(i) {
                    break;
                }
            }
            for k in places.into_iter().rev() {
                // What others get to see of a block is what was stored there last.
                let last = |i: usize| {
                    let later = steps[..k]
                        .iter()
                        .rev()
                        .find(|&&j| self.steps[j].loc == self.steps[i].loc && self.steps[j].wrote.is_some());
                    later == Some(&i)
                };
                let kept = |i: usize| path.iter().any(|p| p.1 == Some(i));
                let lost = steps[..k]
                    .iter()
                    .any(|&i| self.steps[i].wrote.is_some() && !is_shared(i) && last(i) && !kept(i));
                if node.is_shared_write() && lost {
                    continue;
                }
                path.push((child, Some(steps[k])));
                self.embed(library, operation, call, steps, Some(child), k + 1, path, found);
                path.pop();
            }
        }
    }
}

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
        let Some(run) = run(compiled, &client, most, choose) else { continue };
        let mut started: Vec<usize> = (0..calls).filter(|&c| run.steps.iter().any(|s| s.call == c)).collect();
        while started.len() > 2 + choose(2) {
            started.remove(choose(started.len()));
        }
        if started.is_empty() {
            continue;
        }
        let operations: Vec<usize> = started.iter().map(|&c| client.calls[c].operation).collect();
        let ways: Vec<Vec<Vec<(usize, Option<usize>)>>> =
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
            fix(&mut x, &run, &client, &started, &chosen, lemmas, m);
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
    client: &Client,
    started: &[usize],
    chosen: &[Vec<(usize, Option<usize>)>],
    lemmas: &Lemmas,
    m: Option<usize>,
) {
    let mut step_of: BTreeMap<usize, usize> = BTreeMap::new();
    let mut names: BTreeMap<u64, u64> = BTreeMap::new();
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
    let thread = |c: usize| client.threads.iter().position(|t| t.contains(&c));
    for (i, &a) in started.iter().enumerate() {
        for (j, &b) in started.iter().enumerate().skip(i + 1) {
            let together = x.session(i, j);
            x.f.require(if thread(a) == thread(b) { together } else { -together });
            let earlier = x.earlier(i, j);
            if thread(a) == thread(b) {
                x.f.require(if client.orders(a, b) { earlier } else { -earlier });
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
