//! Loops during symbolic execution: which rounds are left out, which are kept, and what they carry.

use super::paths::{Cell, Executor, Head, MOST_ROUNDS, ROUNDS, Run, State, set};
use super::term::{Term, ZERO};
use super::tree::{Act, Node, Target};
use lineal_model::program::Reg;
use std::collections::{BTreeMap, BTreeSet};

impl Executor<'_> {
    pub(super) fn cells(s: &State) -> BTreeMap<Cell, Term> {
        let mut cells = BTreeMap::new();
        for (depth, frame) in s.frames.iter().enumerate() {
            for (r, value) in frame.registers.iter().enumerate() {
                cells.insert(Cell::Register(depth, r as Reg), value.clone());
            }
        }
        cells.extend(s.locals.iter().map(|(&(d, o, at), v)| (Cell::Local(d, o, at), v.clone())));
        cells.extend(s.own.iter().map(|(&(k, at), v)| (Cell::Own(k, at), v.clone())));
        cells
    }

    pub(super) fn put(s: &mut State, cell: Cell, value: Term) {
        match cell {
            Cell::Register(depth, r) => s.frames[depth].registers[usize::from(r)] = value,
            Cell::Local(depth, object, at) => {
                s.locals.insert((depth, object, at), value);
            }
            Cell::Own(k, at) => {
                s.own.insert((k, at), value);
            }
        }
    }

    /// At the head of a loop; whether to go on.
    pub(super) fn round(&mut self, s: &mut State, index: u32) -> Run<bool> {
        for &r in &self.program.loops[index as usize].dead {
            set(s, r, ZERO);
        }
        let key = (s.frames.len() - 1, index);
        let cells = Self::cells(s);
        let Some(head) = s.heads.get(&key).cloned() else {
            let head = Head { since: s.path.len(), rounds: 0, allocs: s.allocs, cells };
            s.heads.insert(key, head);
            return Ok(true);
        };
        if let Some((probes, wanted)) = self.probe.clone() {
            if wanted == index {
                // What a cell holds may stay where it is, unused.
                for (cell, value) in &cells {
                    match value {
                        Term::Free(n) if probes.get(n) == Some(cell) => {}
                        value => self.touch(&value.clone()),
                    }
                }
            } else {
                // A loop within the rounds that are looked at.
                self.used.extend(probes.values());
            }
            return Ok(false);
        }
        let mut changed: BTreeSet<Cell> = BTreeSet::new();
        for cell in cells.keys().chain(head.cells.keys()) {
            if cells.get(cell) != head.cells.get(cell) {
                changed.insert(*cell);
            }
        }
        let live = self.carried(s, index, changed);
        let since: Vec<usize> = s.path[head.since..].to_vec();
        let wrote = since.iter().any(|&n| self.tree.nodes[n].is_shared_write());
        let constant = |c: &Cell| {
            matches!((cells.get(c), head.cells.get(c)), (Some(Term::Const(_)), Some(Term::Const(_))))
        };
        let rounds = head.rounds + 1;
        if !live.is_empty() && live.iter().all(constant) {
            if rounds > MOST_ROUNDS {
                return self.refuse(s, "a loop with too many rounds");
            }
            let head = Head { rounds, since: s.path.len(), allocs: s.allocs, cells };
            s.heads.insert(key, head);
            return Ok(true);
        }
        if self.alone.is_some() {
            return self.refuse(s, "the setup is not followed: a loop in it");
        }
        if s.allocs != head.allocs {
            return self.refuse(s, "a loop allocates memory and goes round");
        }
        let fence = |&n: &usize| self.tree.nodes[n].target == Some(Target::Fences);
        if wrote && since.iter().filter(|&&n| self.tree.nodes[n].is_shared_write()).all(fence) {
            return self.refuse(s, "a loop goes round after a seq_cst fence");
        }
        if wrote {
            if !live.is_empty() || head.rounds > 0 {
                return self.refuse(s, "a loop writes to shared memory and goes round with what it found");
            }
            self.stands_alone(s, &head)?;
            let node = self.blank(Act::End, s);
            self.add(s, Node { again: true, ..node });
            return Ok(false);
        }
        if live.is_empty() {
            let released = since.iter().any(|&n| {
                let node = &self.tree.nodes[n];
                node.releases && !self.model.strong || node.act == Act::Fence
            });
            if released {
                return self.refuse(s, "a loop goes round after a fence or a release");
            }
            return Ok(false);
        }
        for cell in &live {
            let (value, forgotten) = (cells.get(cell).cloned(), &mut self.tree.forgotten);
            match value {
                Some(Term::Read(n, _)) => {
                    forgotten.reads.insert(self.tree.nodes[n].site);
                }
                Some(Term::Free(k)) if forgotten.unknowns.contains(&k) => {}
                // What was never set counts as what nothing is known of.
                value => {
                    forgotten.others.insert(value.unwrap_or(Term::Free(usize::MAX)));
                }
            }
        }
        // What is kept stands for any of the rounds.
        if rounds > ROUNDS {
            return Ok(false);
        }
        for cell in live {
            let value = self.free();
            if let Term::Free(k) = value {
                self.tree.forgotten.unknowns.insert(k);
            }
            Self::put(s, cell, value);
        }
        // What was known may be about values that are forgotten now: it stays true of them.
        let head = Head { rounds, since: s.path.len(), ..head };
        s.heads.insert(key, head);
        Ok(true)
    }

    /// Whether a round that wrote can be seen as a call of its own, made before the call that it is a round
    /// of: before the loop nothing but blocks of the call's own are made and filled, and the round has nothing
    /// to do with those.
    fn stands_alone(&self, s: &State, head: &Head) -> Run<()> {
        let (before, round) = s.path.split_at(head.since);
        let node = |n: &usize| &self.tree.nodes[*n];
        let private = |n: &usize| node(n).act == Act::Alloc || node(n).own;
        if !before.iter().all(private) {
            return self.refuse(s, "a loop that is not the first thing in its call writes and goes round");
        }
        let owns = |t: &Term| t.mentions(&|t| matches!(t, Term::Alloc(_)));
        let about = |n: &usize| {
            let node = node(n);
            let target = match &node.target {
                Some(Target::Heap { block, .. }) => Some(block),
                Some(Target::Global { index: Some((_, index)), .. }) => Some(index),
                _ => None,
            };
            private(n) || node.conditions.iter().map(|c| &c.0).chain(&node.value).chain(target).any(owns)
        };
        if round.iter().any(|n| node(n).act == Act::Fence) {
            return self.refuse(s, "a loop writes to shared memory and goes round after a fence");
        }
        if round.iter().any(about) {
            return self.refuse(s, "a loop writes a block of its own, and goes round");
        }
        Ok(())
    }

    /// Of these cells, those that the rounds to come, or what follows the loop, make use of.
    pub(super) fn carried(&mut self, s: &State, index: u32, changed: BTreeSet<Cell>) -> Vec<Cell> {
        if changed.iter().any(|cell| !self.carried.contains_key(&(index, *cell))) {
            let mut probing = s.clone();
            probing.known.clear();
            probing.pc += 1;
            let mut probes = BTreeMap::new();
            for &cell in &changed {
                let unknown = self.free();
                if let Term::Free(number) = unknown {
                    probes.insert(number, cell);
                }
                Self::put(&mut probing, cell, unknown);
            }
            let kept = (self.tree.nodes.len(), self.steps);
            let forgotten = self.tree.forgotten.clone();
            (self.probe, self.used) = (Some((probes, index)), BTreeSet::new());
            let ran = self.run(probing);
            (self.probe, self.steps) = (None, kept.1);
            self.tree.nodes.truncate(kept.0);
            self.tree.forgotten = forgotten;
            for &cell in &changed {
                // What cannot be followed with unknowns depends on them, or is refused anyway.
                let used = self.used.contains(&cell) || ran.is_err();
                *self.carried.entry((index, cell)).or_insert(false) |= used;
            }
        }
        changed.into_iter().filter(|cell| self.carried[&(index, *cell)]).collect()
    }
}
