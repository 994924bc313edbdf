//! Stronger access modes: what a program could say at one place instead of what it says.

use super::{Function, Instr, Machine};
use crate::diagnostic::Place;
use crate::run::{Mode, Runnable, Site};

/// How much stronger.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strength {
    /// Release and acquire, where the access can have them.
    Synchronising,
    SeqCst,
}

/// One access that could be stronger.
#[derive(Clone, Debug)]
pub struct Strengthening {
    pub access: Access,
    /// Its modes, the second for when a compare-and-swap fails.
    pub old: (Mode, Mode),
    pub new: (Mode, Mode),
    pub site: Site,
    pub place: Place,
    strength: Strength,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    Load,
    Store,
    Fence,
    ReadModifyWrite,
    CompareAndSwap,
}

impl Machine {
    /// The author's own accesses that are weaker than this.
    pub fn strengthenings(&self, strength: Strength) -> Vec<Strengthening> {
        let code = self.program.code.iter().enumerate();
        code.filter_map(|(pc, &old)| {
            let new = stronger(old, strength).filter(|_| self.is_authors(pc))?;
            let site = Site(pc as u32);
            let ((access, old), (_, new)) = (access(old)?, access(new)?);
            Some(Strengthening { access, old, new, site, place: self.place(site)?, strength })
        })
        .collect()
    }

    /// The same program with this one access changed.
    pub fn with(&self, change: &Strengthening) -> Machine {
        let mut machine = self.clone();
        let instr = &mut machine.program.code[change.site.0 as usize];
        *instr = stronger(*instr, change.strength).unwrap_or(*instr);
        machine
    }

    /// Whether the instruction is not the run-time library's.
    fn is_authors(&self, pc: usize) -> bool {
        let own = |f: &&Function| (f.entry as usize..f.end as usize).contains(&pc);
        self.program.functions.iter().find(own).is_some_and(|f| !f.runtime)
    }
}

fn access(instr: Instr) -> Option<(Access, (Mode, Mode))> {
    Some(match instr {
        Instr::Load { mode, .. } => (Access::Load, (mode, mode)),
        Instr::Store { mode, .. } => (Access::Store, (mode, mode)),
        Instr::Fence { mode } => (Access::Fence, (mode, mode)),
        Instr::Fetch { mode, .. } => (Access::ReadModifyWrite, (mode, mode)),
        Instr::Cas { mode, fail, .. } => (Access::CompareAndSwap, (mode, fail)),
        _ => return None,
    })
}

/// `None` if it is that strong already.
fn stronger(old: Instr, strength: Strength) -> Option<Instr> {
    let mut new = old;
    match (strength, &mut new) {
        (Strength::Synchronising, Instr::Load { mode: mode @ Mode::Relaxed, .. }) => *mode = Mode::Acquire,
        (Strength::Synchronising, Instr::Store { mode: mode @ Mode::Relaxed, .. }) => *mode = Mode::Release,
        (
            Strength::Synchronising,
            Instr::Fetch { mode: mode @ (Mode::Relaxed | Mode::Acquire | Mode::Release), .. },
        ) => *mode = Mode::AcqRel,
        (Strength::Synchronising, Instr::Cas { mode, fail, .. }) if mode.is_atomic() => {
            if !mode.is_sc() {
                *mode = Mode::AcqRel;
            }
            if *fail == Mode::Relaxed {
                *fail = Mode::Acquire;
            }
        }
        (
            Strength::SeqCst,
            Instr::Load { mode, .. }
            | Instr::Store { mode, .. }
            | Instr::Fetch { mode, .. }
            | Instr::Fence { mode },
        ) if mode.is_atomic() => *mode = Mode::SeqCst,
        (Strength::SeqCst, Instr::Cas { mode, fail, .. }) if mode.is_atomic() => {
            (*mode, *fail) = (Mode::SeqCst, Mode::SeqCst);
        }
        _ => return None,
    }
    (new != old).then_some(new)
}
