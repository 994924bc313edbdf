//! Random runs of random clients under sequential consistency, by the virtual machine itself, and how
//! their calls follow the trees.

use super::library::Library;
use super::paths::Model;
use super::term::{Binary, Term};
use super::tree::{Act, Node, Target};
use lineal_model::object::{Call, Client};
use lineal_model::program::client::Compiled;
use lineal_model::run::{
    Answer, BlockId, BlockInfo, Loc, Mode, Op, Rmw, Runnable, Step, ThreadId, Value, World,
};
use std::collections::BTreeMap;

/// One step of a run, after the setup. Positions count from 1; 0 is before all.
#[derive(Clone, Debug)]
pub(super) struct Taken {
    pub(super) call: usize,
    pub(super) thread: usize,
    pub(super) site: u32,
    pub(super) act: Act,
    pub(super) loc: Option<Loc>,
    pub(super) read: Option<u64>,
    pub(super) source: usize,
    pub(super) wrote: Option<u64>,
    pub(super) acquires: bool,
    pub(super) releases: bool,
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

/// A call, or a round of one that counts as a call ([`super::paths`]).
#[derive(Clone, Copy, Debug)]
pub(super) struct Made {
    pub(super) operation: usize,
    pub(super) thread: usize,
    /// Which of its thread.
    pub(super) place: (usize, usize),
    pub(super) ended: bool,
}

/// A run: its steps, and its calls.
pub(super) struct Run {
    pub(super) steps: Vec<Taken>,
    pub(super) calls: Vec<Made>,
    /// Blocks that were there before the first call.
    pub(super) first: Vec<Loc>,
}

/// Nodes of a tree, each with the step that it is.
pub(super) type Path = Vec<(usize, Option<usize>)>;

/// A number below `n`, at random.
pub type Choose<'c> = &'c mut dyn FnMut(usize) -> usize;

pub(super) fn client(compiled: &Compiled, library: &Library, calls: usize, choose: Choose<'_>) -> Client {
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

/// Runs a client for a while, under sequential consistency. What acquires and what releases is as the
/// model has it that a proof is about.
pub(super) fn run(
    (compiled, model): (&Compiled, Model),
    client: &Client,
    most: usize,
    choose: Choose<'_>,
) -> Option<Run> {
    let strong = |mode: Mode| model.strong && mode.is_atomic();
    let acquires = |mode: Mode| mode.acquires() || strong(mode);
    let releases = |mode: Mode| mode.releases() || strong(mode);
    let (mut machine, _) = compiled.operations.client(client);
    'again: loop {
        let mut memory = Memory::default();
        let mut threads = vec![(machine.start(ThreadId(0), machine.main()), None::<Step>)];
        let mut steps: Vec<Taken> = Vec::new();
        let mut ended = vec![false; client.calls.len()];
        let mut call: Vec<Option<usize>> = vec![None];
        let (mut budget, mut first) = (4000, Vec::new());
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
            let blank = Taken {
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
                        steps.push(Taken {
                            act: Act::Read,
                            loc: Some(loc),
                            read: Some(found.lo),
                            source,
                            acquires: acquires(mode),
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
                        steps.push(Taken {
                            act: Act::Write,
                            loc: Some(loc),
                            wrote: Some(written.lo),
                            releases: releases(mode),
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
                    let step = Taken { loc: Some(loc), read: Some(found.lo), source, ..blank };
                    match rmw.apply(found, size) {
                        Some(written) => {
                            memory.cells.insert(loc, (written, position));
                            steps.push(Taken {
                                act: Act::Update,
                                wrote: Some(written.lo),
                                acquires: acquires(mode),
                                releases: releases(mode),
                                ..step
                            });
                        }
                        None => {
                            let fail = if let Rmw::Cas { fail, .. } = rmw { fail } else { mode };
                            steps.push(Taken { act: Act::Read, acquires: acquires(fail), ..step });
                        }
                    }
                }
                Op::Fence { mode } if t > 0 => {
                    if mode.is_sc() && model.fences {
                        let cell = Loc(1);
                        let (_, source) = memory.cells.get(&cell).copied().unwrap_or_default();
                        steps.push(Taken { acquires: true, ..blank.clone() });
                        let at = steps.len() + 1;
                        steps.push(Taken {
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
                        steps.push(Taken { releases: true, ..blank });
                    } else {
                        steps.push(Taken { acquires: mode.acquires(), releases: mode.releases(), ..blank });
                    }
                }
                Op::Alloc { block, size, layout, .. } => {
                    memory.blocks.insert(block, BlockInfo { size, layout });
                    if t > 0 {
                        steps.push(Taken { act: Act::Alloc, loc: Some(block.base()), ..blank });
                    } else {
                        first.push(block.base());
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
        let calls = (0..client.calls.len()).map(|c| {
            let (thread, place) = (client.threads.iter().enumerate())
                .find_map(|(t, all)| Some((t, all.iter().position(|&k| k == c)?)))
                .unwrap_or_default();
            let operation = client.calls[c].operation;
            Made { operation, thread, place: (place, usize::MAX), ended: ended[c] }
        });
        return Some(Run { steps, calls: calls.collect(), first });
    }
}

/// Whether a step goes to where a node does, as far as that is plain to see.
fn fits(step: &Taken, node: &Node) -> bool {
    match (&node.target, step.loc) {
        (Some(Target::Global { number, .. }), Some(loc)) => {
            loc.block().is_global() && loc.block().number() == *number
        }
        (Some(Target::Heap { .. }), Some(loc)) => !loc.block().is_global(),
        _ => true,
    }
}

impl Run {
    /// Makes calls of rounds that count as calls, before the calls that they are rounds of.
    pub(super) fn split(&mut self, library: &Library) {
        for call in 0..self.calls.len() {
            let of = Some(self.calls[call].operation);
            let Some(rounds) = library.operations.iter().position(|o| o.round_of == of) else { continue };
            let mut number = 0;
            while let Some(last) = self.first_round(library, rounds, call) {
                let new = self.calls.len();
                let made = self.calls[call];
                self.calls.push(Made {
                    operation: rounds,
                    place: (made.place.0, number),
                    ended: true,
                    ..made
                });
                number += 1;
                // What is private comes later.
                let mine = |r: &Run, i: usize| i <= last && r.steps[i].call == call;
                let private: Vec<usize> =
                    (0..=last).filter(|&i| mine(self, i) && !self.is_public(library, i)).collect();
                for i in 0..=last {
                    if mine(self, i) && !private.contains(&i) {
                        self.steps[i].call = new;
                    }
                }
                let mut order: Vec<usize> = (0..=last).filter(|i| !private.contains(i)).collect();
                order.extend(&private);
                order.extend(last + 1..self.steps.len());
                let mut now = vec![0; order.len() + 1];
                order.iter().enumerate().for_each(|(at, &i)| now[i + 1] = at + 1);
                self.steps = order.iter().map(|&i| self.steps[i].clone()).collect();
                self.steps.iter_mut().for_each(|s| s.source = now[s.source]);
            }
        }
    }

    /// Not a new block, nor a store to one that nobody else knows of.
    fn is_public(&self, library: &Library, step: usize) -> bool {
        let s = &self.steps[step];
        let tree = &library.operations[self.calls[s.call].operation].tree;
        let own = tree.nodes.iter().any(|n| n.site == s.site && n.own && n.act == s.act);
        s.act != Act::Alloc && !own
    }

    /// The conditions of a node, as far as they compare what was read.
    fn meets(&self, node: &Node, path: &Path) -> bool {
        let value = |t: &Term| match t {
            Term::Const(c) if (0..1 << 31).contains(c) => Some(*c as u64),
            Term::Read(n, _) => self.steps[path.iter().find(|p| p.0 == *n)?.1?].read,
            _ => None,
        };
        node.conditions.iter().all(|(c, is)| match c {
            Term::Bin(Binary::Eq, _, a, b) => match (value(a), value(b)) {
                (Some(a), Some(b)) => (a == b) == *is,
                _ => true,
            },
            _ => true,
        })
    }

    /// Where the first round of a call ends, if it is one that counts.
    fn first_round(&self, library: &Library, rounds: usize, call: usize) -> Option<usize> {
        let steps = (0..self.steps.len()).filter(|&i| self.steps[i].call == call);
        let steps: Vec<usize> = steps.filter(|&i| self.is_public(library, i)).collect();
        let mut found = Vec::new();
        for end in 0..steps.len() {
            self.embed(library, rounds, (call, true), &steps[..=end], None, 0, &mut Vec::new(), &mut found);
            if let Some(path) = found.first() {
                return path.iter().rev().find_map(|p| p.1);
            }
        }
        None
    }

    /// Happens-before, by its definition.
    pub(super) fn happens_before(&self) -> Vec<Vec<bool>> {
        let n = self.steps.len();
        let mut hb = vec![vec![false; n]; n];
        let so = |a: usize, b: usize| a < b && self.steps[a].thread == self.steps[b].thread;
        for b in 0..n {
            for (a, before) in hb.iter_mut().enumerate().take(b) {
                before[b] |= so(a, b);
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
            for head in self.heads(s.source) {
                for &target in &targets {
                    hb[head][target] = true;
                }
            }
        }
        // Everything goes forward.
        for k in 0..n {
            for i in 0..k {
                if hb[i][k] {
                    let after = hb[k].clone();
                    hb[i].iter_mut().zip(after).for_each(|(mine, theirs)| *mine |= theirs);
                }
            }
        }
        hb
    }

    /// What an acquire read of this write synchronises with.
    pub(super) fn heads(&self, write: usize) -> Vec<usize> {
        let (mut from, mut heads) = (write, Vec::new());
        while from > 0 {
            let w = from - 1;
            let fence = |&f: &usize| {
                let fence = &self.steps[f];
                fence.thread == self.steps[w].thread && fence.act == Act::Fence && fence.releases
            };
            heads.extend((0..w).filter(fence));
            if self.steps[w].releases {
                heads.push(w);
            }
            from = if self.steps[w].act == Act::Update { self.steps[w].source } else { 0 };
        }
        heads
    }

    /// Happens-before, and with it what comes after a write, a later one, or a read of these.
    pub(super) fn covered(&self, m: usize) -> Vec<bool> {
        let (n, hb) = (self.steps.len(), self.happens_before());
        let start = |i: usize| {
            let s = &self.steps[i];
            let later = s.read.is_some() && s.source > m || s.wrote.is_some() && i > m;
            i == m || s.loc == self.steps[m].loc && later
        };
        (0..n).map(|j| start(j) || (0..n).any(|i| start(i) && hb[i][j])).collect()
    }

    /// Ways to see the steps of a call as a path of its tree, which may leave out steps that come to
    /// nothing. Of a call that is under way, up to its last write.
    pub(super) fn embeddings(&self, library: &Library, operation: usize, call: usize) -> Vec<Path> {
        let steps: Vec<usize> = (0..self.steps.len()).filter(|&i| self.steps[i].call == call).collect();
        let mut found = Vec::new();
        self.embed(
            library,
            operation,
            (call, self.calls[call].ended),
            &steps,
            None,
            0,
            &mut Vec::new(),
            &mut found,
        );
        found
    }

    #[allow(clippy::too_many_arguments)]
    fn embed(
        &self,
        library: &Library,
        operation: usize,
        (call, ended): (usize, bool),
        steps: &[usize],
        parent: Option<usize>,
        from: usize,
        path: &mut Path,
        found: &mut Vec<Path>,
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
        if !ended && !left && block_done {
            found.push(path.clone());
            return;
        }
        for child in tree.children(parent) {
            let node = &tree.nodes[child];
            if node.act == Act::End {
                if ended && !left && self.meets(node, path) {
                    path.push((child, None));
                    found.push(path.clone());
                    path.pop();
                }
                continue;
            }
            let mut places = Vec::new();
            for (k, &i) in steps.iter().enumerate().skip(from) {
                let step = &self.steps[i];
                if step.site == node.site && step.act == node.act && fits(step, node) {
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
                if !self.meets(node, path) {
                    path.pop();
                    continue;
                }
                self.embed(library, operation, (call, ended), steps, Some(child), k + 1, path, found);
                path.pop();
            }
        }
    }
}
