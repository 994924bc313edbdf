//! The order of accesses that do not say one: atomic objects, volatile ones, and plain ones whose races are set
//! aside. Whatever is taken for granted about them is in the scope.

use super::*;
use crate::c11::{Races, Volatile};
use lineal_model::Assumption;
use lineal_model::run::Mode;

impl Lower<'_> {
    fn take_for_granted(&mut self, what: Assumption) {
        if !self.out.assumptions.contains(&what) {
            self.out.assumptions.push(what);
        }
    }

    /// The order of an access that does not say one.
    pub(super) fn access_mode(&mut self, ty: &QTy, write: bool) -> Mode {
        if ty.quals.atomic {
            return Mode::SeqCst;
        }
        if self.runtime || !ty.quals.volatile && self.options.races == Races::Report {
            return Mode::NonAtomic;
        }
        let place = self.files.place(self.pos);
        if self.options.races.ignores(&place) {
            let taken = match self.options.races {
                Races::Ignore => Assumption::RacesIgnored,
                _ => Assumption::RacesOffAt(format!("{}:{}", place.file, place.line)),
            };
            self.take_for_granted(taken);
            return Mode::Relaxed;
        }
        if !ty.quals.volatile {
            return Mode::NonAtomic;
        }
        if self.options.volatile != Volatile::Plain {
            self.take_for_granted(Assumption::VolatileAtomic(self.options.volatile.word()));
        }
        match self.options.volatile {
            Volatile::Plain => {
                let here = self.here();
                self.out.volatiles.push(here);
                Mode::NonAtomic
            }
            Volatile::Relaxed => Mode::Relaxed,
            Volatile::AcqRel if write => Mode::Release,
            Volatile::AcqRel => Mode::Acquire,
            Volatile::SeqCst => Mode::SeqCst,
        }
    }
}
