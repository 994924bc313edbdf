//! What a program keeps in memory between two calls, in a form that can be compared.

use super::values::decode;
use crate::history::Values;
use crate::program::store::{HEAP, Store, Wrong};
use crate::program::{Machine, Program};
use crate::run::{BlockId, BlockInfo, Loc, Op, Runnable, Value, World};
use std::collections::BTreeMap;

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Memory {
    pub store: Store,
    /// Under partial locks: what whoever acquires the value of a cell comes to see, if anything.
    messages: BTreeMap<Loc, u32>,
}

/// Cells shown at most.
const SHOWN: usize = 16;

impl World for Memory {
    fn block(&self, block: BlockId) -> Option<BlockInfo> {
        self.store.block(block)
    }
}

impl Memory {
    pub fn perform(&mut self, machine: &Machine, op: Op) -> Result<Option<Value>, Wrong> {
        let answer = self.store.perform(machine, op)?;
        if let Op::Free { loc, .. } = op {
            self.messages.retain(|at, _| at.block() != loc.block());
        }
        Ok(answer)
    }

    /// See [`super::partial`].
    pub fn message(&self, loc: Loc) -> u32 {
        self.messages.get(&loc).copied().unwrap_or(0)
    }

    pub fn send(&mut self, loc: Loc, message: u32) {
        match message {
            0 => drop(self.messages.remove(&loc)),
            _ => drop(self.messages.insert(loc, message)),
        }
    }

    /// Renames blocks by how they are reached; drops the others.
    pub fn settle(&mut self, program: &Program) {
        let Some(names) = self.store.settle(program) else { return };
        let messages = std::mem::take(&mut self.messages);
        self.messages = messages.into_iter().filter_map(|(loc, m)| Some((names.place(loc)?, m))).collect();
    }

    pub fn show(&self, machine: &Machine, values: &Values) -> String {
        let mut words = Vec::new();
        let own = format!("#{}.", HEAP.0);
        for (loc, value, size) in self.store.cells() {
            let name = machine.name(loc, self).replace(&own, "#");
            if name.starts_with("__lineal") || value.undefined {
                continue;
            }
            let shown = match self.block(Loc(value.lo).block()).is_some() {
                true => format!("&{}", machine.name(Loc(value.lo), self).replace(&own, "#")),
                false => decode(value.signed(size.min(8)), values),
            };
            words.push(format!("{name} = {shown}"));
        }
        let left = words.len().saturating_sub(SHOWN);
        words.truncate(SHOWN);
        if left > 0 {
            words.push(format!("and {left} more"));
        }
        match words.is_empty() {
            true => "as at first".into(),
            false => words.join(", "),
        }
    }

    pub fn bytes(&self) -> usize {
        self.store.bytes() + size_of::<BTreeMap<Loc, u32>>() + 24 * self.messages.len()
    }
}
