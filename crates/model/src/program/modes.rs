//! Access modes: which a program has, which it could have instead, and the program with others.
//!
//! Modes are ordered by what they promise: relaxed below acquire and release, these below acq_rel,
//! and that below seq_cst. A stronger mode allows fewer executions and makes more visible (Lahav,
//! Vafeiadis, Kang, Hur, Dreyer, PLDI 2017: strengthening is sound under rc11), so what goes wrong
//! with some modes also goes wrong with weaker ones. Those who search rely on it.
//!
//! What C does not allow is never offered: a load does not release, a store does not acquire, and a
//! compare-and-swap that fails is not ordered more strongly than one that succeeds. A fence may also
//! be taken away; that is what relaxed means for it.

use super::{Function, Instr, Machine};
use crate::diagnostic::Place;
use crate::run::{Mode, Runnable, Site};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Access {
    Load,
    Store,
    Fence,
    ReadModifyWrite,
    CompareAndSwap,
}

/// The modes of one access.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Modes {
    pub mode: Mode,
    /// For when a compare-and-swap fails; of others the same.
    pub fail: Mode,
}

/// An access as it stands in the source. Several instructions may come of it: they are changed
/// together or not at all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spot {
    pub access: Access,
    pub modes: Modes,
    pub sites: Vec<Site>,
    pub place: Place,
}

impl Access {
    pub fn word(self) -> &'static str {
        match self {
            Access::Load => "load",
            Access::Store => "store",
            Access::Fence => "fence",
            Access::ReadModifyWrite => "read-modify-write",
            Access::CompareAndSwap => "compare-and-swap",
        }
    }

    /// Every choice of modes it may have, those that promise least first.
    pub fn choices(self) -> Vec<Modes> {
        use Mode::*;
        let both = |mode| Modes { mode, fail: mode };
        let mut all: Vec<Modes> = match self {
            Access::Load => [Relaxed, Acquire, SeqCst].map(both).to_vec(),
            Access::Store => [Relaxed, Release, SeqCst].map(both).to_vec(),
            Access::Fence | Access::ReadModifyWrite => {
                [Relaxed, Acquire, Release, AcqRel, SeqCst].map(both).to_vec()
            }
            Access::CompareAndSwap => {
                let fails = |mode| [Relaxed, Acquire, SeqCst].map(|fail| Modes { mode, fail });
                let all = [Relaxed, Acquire, Release, AcqRel, SeqCst].into_iter().flat_map(fails);
                all.filter(|m| m.fail == m.mode || !weaker(m.mode, m.fail)).collect()
            }
        };
        all.sort_by_key(|m| self.weight(*m));
        all
    }

    /// How much is promised, as a number: where one choice is weaker than another, it is smaller.
    pub fn weight(self, modes: Modes) -> u32 {
        let one = |mode: Mode| match mode {
            Mode::NonAtomic | Mode::Relaxed => 0,
            Mode::Acquire | Mode::Release => 1,
            Mode::AcqRel => 2,
            Mode::SeqCst => 3,
        };
        one(modes.mode) + if self == Access::CompareAndSwap { one(modes.fail) } else { 0 }
    }
}

/// Whether `a` promises less than `b`.
fn weaker(a: Mode, b: Mode) -> bool {
    a != b && (!a.acquires() || b.acquires()) && (!a.releases() || b.releases()) && (!a.is_sc() || b.is_sc())
}

impl Modes {
    /// Whether it promises less in some respect, and more in none.
    pub fn is_weaker(self, than: Modes) -> bool {
        let le = |a, b| a == b || weaker(a, b);
        self != than && le(self.mode, than.mode) && le(self.fail, than.fail)
    }

    /// `release`, or `release (relaxed when it fails)`.
    pub fn words(self, access: Access) -> String {
        match access {
            Access::CompareAndSwap => format!("{} ({} when it fails)", self.mode.word(), self.fail.word()),
            Access::Fence if self.mode == Mode::Relaxed => "none".into(),
            _ => self.mode.word().into(),
        }
    }
}

impl Spot {
    /// The choices that promise less, weakest first.
    pub fn weaker(&self) -> Vec<Modes> {
        self.access.choices().into_iter().filter(|m| m.is_weaker(self.modes)).collect()
    }

    /// The choices that promise more, weakest first.
    pub fn stronger(&self) -> Vec<Modes> {
        self.access.choices().into_iter().filter(|m| self.modes.is_weaker(*m)).collect()
    }

    /// Release and acquire, where the access can have them; `None` if it has.
    pub fn synchronising(&self) -> Option<Modes> {
        let Modes { mode, fail } = self.modes;
        let enough = match (self.access, mode) {
            (Access::Fence, _) | (_, Mode::SeqCst) => mode,
            (Access::Load, _) => Mode::Acquire,
            (Access::Store, _) => Mode::Release,
            _ => Mode::AcqRel,
        };
        let fail = match self.access {
            Access::CompareAndSwap if fail == Mode::Relaxed => Mode::Acquire,
            Access::CompareAndSwap => fail,
            _ => enough,
        };
        let new = Modes { mode: enough, fail };
        (new != self.modes).then_some(new)
    }

    /// As strong as can be.
    pub fn strongest(&self) -> Modes {
        Modes { mode: Mode::SeqCst, fail: Mode::SeqCst }
    }
}

impl Machine {
    /// The author's own accesses, each instruction by itself, in the order of the code.
    pub fn accesses(&self) -> Vec<Spot> {
        let code = self.program.code.iter().enumerate();
        let given: std::collections::BTreeSet<u32> = self.program.given_orders.iter().copied().collect();
        let own = |&(pc, _): &(usize, &Instr)| self.is_authors(pc) && !given.contains(&(pc as u32));
        code.filter(own)
            .filter_map(|(pc, instr)| {
                let (access, modes) = access(*instr)?;
                let site = Site(pc as u32);
                Some(Spot { access, modes, sites: vec![site], place: self.place(site)? })
            })
            .collect()
    }

    /// The same program with other modes there.
    pub fn with_modes(&self, sites: &[Site], new: Modes) -> Machine {
        let mut machine = self.clone();
        for site in sites {
            let next = site.0 + 1;
            let instr = &mut machine.program.code[site.0 as usize];
            match instr {
                // Nothing is left of it.
                Instr::Fence { .. } if new.mode == Mode::Relaxed => *instr = Instr::Jump { to: next },
                Instr::Load { mode, .. }
                | Instr::Store { mode, .. }
                | Instr::Fetch { mode, .. }
                | Instr::Fence { mode } => *mode = new.mode,
                Instr::Cas { mode, fail, .. } => (*mode, *fail) = (new.mode, new.fail),
                _ => {}
            }
        }
        machine.program.compare_copies();
        machine
    }

    /// Whether the instruction is not the run-time library's.
    fn is_authors(&self, pc: usize) -> bool {
        let own = |f: &&Function| (f.entry as usize..f.end as usize).contains(&pc);
        self.program.functions.iter().find(own).is_some_and(|f| !f.runtime)
    }
}

fn access(instr: Instr) -> Option<(Access, Modes)> {
    let (access, mode, fail) = match instr {
        Instr::Load { mode, .. } => (Access::Load, mode, mode),
        Instr::Store { mode, .. } => (Access::Store, mode, mode),
        Instr::Fence { mode } => (Access::Fence, mode, mode),
        Instr::Fetch { mode, .. } => (Access::ReadModifyWrite, mode, mode),
        Instr::Cas { mode, fail, .. } => (Access::CompareAndSwap, mode, fail),
        _ => return None,
    };
    mode.is_atomic().then_some((access, Modes { mode, fail }))
}

/// Instructions that stand at one place of the source with the same access are one.
pub fn by_place(accesses: Vec<Spot>) -> Vec<Spot> {
    let mut all: Vec<Spot> = Vec::new();
    for spot in accesses {
        let same = |s: &&mut Spot| (&s.place, s.access, s.modes) == (&spot.place, spot.access, spot.modes);
        match all.iter_mut().find(same) {
            Some(known) => known.sites.extend(spot.sites),
            None => all.push(spot),
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Access; 5] =
        [Access::Load, Access::Store, Access::Fence, Access::ReadModifyWrite, Access::CompareAndSwap];

    #[test]
    fn weaker_choices_weigh_less_and_come_first() {
        for access in ALL {
            let all = access.choices();
            for (i, a) in all.iter().enumerate() {
                for (j, b) in all.iter().enumerate() {
                    if a.is_weaker(*b) {
                        assert!(access.weight(*a) < access.weight(*b) && i < j, "{a:?} {b:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_failure_is_not_stronger_than_a_success() {
        let all = Access::CompareAndSwap.choices();
        let has = |mode, fail| all.contains(&Modes { mode, fail });
        assert!(has(Mode::Release, Mode::Acquire) && has(Mode::SeqCst, Mode::Relaxed));
        assert!(!has(Mode::Relaxed, Mode::Acquire) && !has(Mode::AcqRel, Mode::SeqCst));
    }

    #[test]
    fn every_access_can_be_relaxed_and_seq_cst() {
        for access in ALL {
            let all = access.choices();
            let both = |mode| Modes { mode, fail: mode };
            assert_eq!(all.first(), Some(&both(Mode::Relaxed)));
            assert_eq!(all.last(), Some(&both(Mode::SeqCst)));
        }
    }
}
