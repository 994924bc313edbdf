//! Calls under a partial lock: one at a time, but synchronised only by what they access inside.
//!
//! Singh and Lahav (2023), as used by RELINCHE (POPL 2025) to write specifications: the order in
//! which calls take the lock is the order in which they take effect, every read sees the last
//! write in it, and the lock's own synchronisation does not count. Since every access lies in the
//! section of its call, running the calls one after another gives all executions; what is left to
//! compute is happens-before, from the memory orders of the accesses: release sequences are
//! `[W];(rf;rmw)*`, as under rc11.
//!
//! A view is the set of calls whose beginning happens before. A message is the view that whoever
//! acquires the value of a cell obtains.

use super::memory::Memory;
use crate::program::Machine;
use crate::run::*;

/// A call that is one of several.
#[derive(Clone, Copy, Debug)]
pub struct Partial<'a> {
    /// Its number, below 32.
    pub call: u32,
    /// Cells that are none of the specification's: they hold arguments and answers.
    pub foreign: &'a [Loc],
}

/// How far a call has come.
#[derive(Clone, Debug, Default)]
pub struct Section {
    /// The lock that was taken last, and whether it is held still.
    pub lock: Option<Loc>,
    held: bool,
    /// Happens before what comes next.
    now: u32,
    /// Would happen before what follows an acquire fence.
    pending: u32,
    /// What a relaxed write passes on, since the last release fence.
    fenced: u32,
    /// Blocks of its own; those of the heap may be known to others once the lock was held.
    own: Vec<(BlockId, BlockKind)>,
}

impl Section {
    pub fn sees(&self) -> u32 {
        self.now
    }

    /// Takes the lock or gives it back.
    pub fn turn(&mut self, loc: Loc, held: bool, take: bool) -> Result<(), (FailureKind, String)> {
        let wrong = |text: &str| Err((FailureKind::LockMisuse, text.to_string()));
        match (take, self.held) {
            (true, true) => return wrong("takes a partial lock while it holds one"),
            (true, false) if self.lock.is_some() => {
                return wrong("takes a partial lock for the second time: a call is one section");
            }
            (true, false) if held => return wrong("takes a partial lock that was never given back"),
            (false, false) => return wrong("gives back a partial lock that it does not hold"),
            (false, true) if self.lock != Some(loc) => {
                return wrong("gives back another partial lock than it holds");
            }
            _ => {}
        }
        (self.lock, self.held) = (Some(loc), take);
        Ok(())
    }

    /// At the end of the call.
    pub fn end(&self) -> Result<(), (FailureKind, String)> {
        match self.held {
            true => Err((FailureKind::LockMisuse, "returns without giving its partial lock back".into())),
            false => Ok(()),
        }
    }
}

impl Partial<'_> {
    /// An access that was made: `value` is what was read.
    pub fn access(
        &self,
        machine: &Machine,
        memory: &mut Memory,
        section: &mut Section,
        op: Op,
        value: Value,
    ) -> Result<(), (FailureKind, String)> {
        let (loc, size) = match op {
            Op::Read { loc, size, .. } | Op::Write { loc, size, .. } | Op::Rmw { loc, size, .. } => {
                (loc, size)
            }
            Op::Fence { mode } => {
                section.fence(mode, self.call);
                return Ok(());
            }
            Op::Alloc { block, kind, .. } => {
                section.own.push((block, kind));
                return Ok(());
            }
            _ => return Ok(()),
        };
        if self.foreign.contains(&loc) {
            return Ok(());
        }
        let own = |(block, kind): &(BlockId, BlockKind)| {
            *block == loc.block() && (*kind == BlockKind::Stack || section.lock.is_none())
        };
        if !section.held && !section.own.iter().any(own) {
            let name = machine.name(loc, memory);
            let message = format!("uses `{name}` without holding its partial lock");
            return Err((FailureKind::LockMisuse, message));
        }
        let message = memory.message(loc);
        let written = match op {
            Op::Read { mode, .. } => {
                section.read(mode, message);
                return Ok(());
            }
            Op::Write { mode, .. } => section.written(mode, self.call),
            Op::Rmw { mode, rmw, .. } => {
                if rmw.apply(value, size).is_none() {
                    let Rmw::Cas { fail, .. } = rmw else { return Ok(()) };
                    section.read(fail, message);
                    return Ok(());
                }
                section.read(mode, message);
                message | section.written(mode, self.call)
            }
            _ => 0,
        };
        memory.send(loc, written);
        Ok(())
    }
}

impl Section {
    fn read(&mut self, mode: Mode, message: u32) {
        if mode.acquires() {
            self.now |= message;
        } else if mode.is_atomic() {
            self.pending |= message;
        }
    }

    fn written(&self, mode: Mode, call: u32) -> u32 {
        match mode {
            Mode::NonAtomic => 0,
            _ if mode.releases() => self.now | 1 << call,
            _ => self.fenced,
        }
    }

    fn fence(&mut self, mode: Mode, call: u32) {
        if mode.acquires() {
            self.now |= self.pending;
        }
        if mode.releases() {
            self.fenced = self.now | 1 << call;
        }
    }
}
