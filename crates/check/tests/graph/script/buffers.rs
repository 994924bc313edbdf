//! A machine with store buffers, as the manuals of x86 describe it: each thread has a queue of
//! writes that others do not see yet; a locked instruction or a full fence waits until it is empty.
//! It knows nothing of graphs or axioms. For programs of atomic accesses.

use super::Script;
use lineal_model::run::{Answer, BlockId, BlockInfo, Entry, Loc, Op, Runnable, Step, ThreadId, Value, World};
use std::collections::{BTreeMap, BTreeSet, HashSet};

struct NoBlocks;

impl World for NoBlocks {
    fn block(&self, _: BlockId) -> Option<BlockInfo> {
        None
    }
}

#[derive(Clone)]
struct Core {
    state: super::Thread,
    step: Step,
    buffer: Vec<(Loc, u64)>,
}

#[derive(Clone)]
struct Machine {
    cores: Vec<Core>,
    memory: BTreeMap<Loc, u64>,
}

/// The final values of `cells` in all complete runs; `None` if a run fails, does what this machine
/// has no rule for, or there are more than `most` states.
pub fn outcomes(script: &Script, cells: &[(Loc, u8)], most: usize) -> Option<BTreeSet<Vec<u64>>> {
    let main = core(script, 0, script.main());
    let mut open = vec![Machine { cores: vec![main], memory: BTreeMap::new() }];
    let mut seen = HashSet::new();
    let mut found = BTreeSet::new();
    while let Some(machine) = open.pop() {
        if !seen.insert(machine.key(script)) {
            continue;
        }
        if seen.len() > most {
            return None;
        }
        let over = |c: &Core| matches!(c.step, Step::Finished(_)) && c.buffer.is_empty();
        if machine.cores.iter().all(over) {
            found.insert(cells.iter().map(|&(loc, _)| machine.content(script, loc)).collect());
        }
        for t in 0..machine.cores.len() {
            if !machine.cores[t].buffer.is_empty() {
                let mut next = machine.clone();
                let (loc, value) = next.cores[t].buffer.remove(0);
                next.memory.insert(loc, value);
                open.push(next);
            }
            match machine.cores[t].step {
                Step::Ask(op, _) => machine.step(script, t, op, &mut open)?,
                Step::Failed(_) | Step::Relayout(_) => return None,
                _ => {}
            }
        }
    }
    Some(found)
}

fn core(script: &Script, id: u8, entry: Entry) -> Core {
    let mut state = script.start(ThreadId(id), entry);
    let step = script.resume(&mut state, Answer::default(), &NoBlocks);
    Core { state, step, buffer: Vec::new() }
}

impl Machine {
    fn key(&self, script: &Script) -> String {
        let cores: Vec<_> = self
            .cores
            .iter()
            .map(|c| (script.snapshot(&c.state), matches!(c.step, Step::Ask(..)), &c.buffer))
            .collect();
        format!("{cores:?} {:?}", self.memory)
    }

    fn content(&self, script: &Script, loc: Loc) -> u64 {
        self.memory.get(&loc).copied().unwrap_or_else(|| script.initial(loc, 8).lo)
    }

    fn step(&self, script: &Script, t: usize, op: Op, open: &mut Vec<Machine>) -> Option<()> {
        let core = &self.cores[t];
        let drained = core.buffer.is_empty();
        let mut go = |mut next: Machine, value: u64, spurious: bool| {
            let core = &mut next.cores[t];
            core.step =
                script.resume(&mut core.state, Answer { value: Value::word(value), spurious }, &NoBlocks);
            open.push(next);
        };
        let mut next = self.clone();
        match op {
            Op::Read { loc, mode, wait: None, .. } if mode.is_atomic() => {
                let own = core.buffer.iter().rev().find(|w| w.0 == loc).map(|w| w.1);
                go(next, own.unwrap_or_else(|| self.content(script, loc)), false);
            }
            Op::Write { loc, mode, value, .. } if mode.is_sc() => {
                if drained {
                    next.memory.insert(loc, value.lo);
                    go(next, 0, false);
                }
            }
            Op::Write { loc, mode, value, .. } if mode.is_atomic() => {
                next.cores[t].buffer.push((loc, value.lo));
                go(next, 0, false);
            }
            Op::Rmw { loc, rmw, wait: None, .. } => {
                if !drained {
                    return Some(());
                }
                let old = self.content(script, loc);
                let new = rmw.apply(Value::word(old), 8);
                if new.is_some() && matches!(rmw, lineal_model::run::Rmw::Cas { weak: true, .. }) {
                    go(next.clone(), old, true);
                }
                if let Some(new) = new {
                    next.memory.insert(loc, new.lo);
                }
                go(next, old, false);
            }
            Op::Fence { mode } => {
                if drained || !mode.is_sc() {
                    go(next, 0, false);
                }
            }
            Op::Create { entry } => {
                if drained {
                    let id = self.cores.len();
                    next.cores.push(self::core(script, id as u8, entry));
                    go(next, id as u64, false);
                }
            }
            Op::Join { thread } => {
                let child = &self.cores[thread.index()];
                if drained && matches!(child.step, Step::Finished(_)) && child.buffer.is_empty() {
                    go(next, 0, false);
                }
            }
            Op::Loop { .. } => go(next, 0, false),
            _ => return None,
        }
        Some(())
    }
}
