//! What is owed: operations executed and not read yet, and the other way round.
//!
//! *Reading* goes along the order in which operations take effect, *executing* along the order that
//! the type allows. A *credit* is read and not executed, a *debt* executed and not read. Both are
//! kept with their place in their class, relative to how far the other side is: it must be there
//! within the factor.
//!
//! Of equal operations the oldest is settled first: exchanging two equal ones so that they come in
//! the same order on both sides moves neither farther.

use super::seeded::{Mistake, active};
use crate::adt::Adt;
use crate::history::{Method, Op, ValueId};

/// An operation with its answer, whoever made it and when.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Deed {
    pub method: Method,
    pub key: ValueId,
    pub arg: ValueId,
    pub extra: ValueId,
    pub result: ValueId,
    /// Only where it matters to the type.
    pub process: ValueId,
}

impl Deed {
    pub fn of(op: &Op) -> Self {
        let Op { method, key, arg, extra, result, process, .. } = *op;
        Deed { method, key, arg, extra, result, process }
    }

    /// The same, with its caller only where it matters to the type.
    pub fn told_apart<A: Adt>(adt: &A, op: &Op) -> Self {
        let process = if adt.knows_caller(op) { op.process } else { ValueId::NONE };
        Deed { process, ..Deed::of(op) }
    }

    pub fn op(&self) -> Op {
        let Deed { method, key, arg, extra, result, process } = *self;
        Op { method, process, key, arg, extra, result, call: 0, ret: 1, line: 0 }
    }
}

/// The book of one class.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct Book {
    /// How many more were read than executed.
    ahead: i32,
    /// (place among the read) − (how many were executed), sorted.
    credits: Vec<(i32, Deed)>,
    /// (place among the executed) − (how many were read), sorted.
    debts: Vec<(i32, Deed)>,
}

impl Book {
    pub fn is_settled(&self) -> bool {
        self.credits.is_empty() && self.debts.is_empty()
    }

    pub fn credits(&self) -> impl Iterator<Item = &Deed> {
        self.credits.iter().map(|(_, deed)| deed)
    }

    pub fn debts(&self) -> impl Iterator<Item = &Deed> {
        self.debts.iter().map(|(_, deed)| deed)
    }

    pub fn open(&self) -> usize {
        self.credits.len().max(self.debts.len())
    }

    /// Reads `deed`: a debt is settled if there is an equal one, else it is a credit.
    #[must_use]
    pub fn read(&self, deed: Deed, factor: u32) -> Self {
        let mut next = self.clone();
        let may = |&(place, d): &(i32, Deed)| d == deed && within(place, factor);
        let owed = match active(Mistake::YoungestFirst) {
            false => self.debts.iter().position(may),
            true => self.debts.iter().rposition(may),
        };
        match owed {
            Some(at) => {
                next.debts.remove(at);
            }
            None => next.credits.push((self.ahead + 1, deed)),
        }
        next.ahead += 1;
        next.debts.iter_mut().for_each(|d| d.0 -= 1);
        next.credits.sort_unstable();
        next
    }

    /// Executes the oldest credit that equals `deed`; `None`: there is none that may come now.
    #[must_use]
    pub fn execute(&self, deed: Deed, factor: u32) -> Option<Self> {
        let at = self.credits.iter().position(|&(place, d)| d == deed && within(place, factor))?;
        let mut next = self.clone();
        next.credits.remove(at);
        next.executed();
        Some(next)
    }

    /// Executes what is not read yet.
    #[must_use]
    pub fn guess(&self, deed: Deed) -> Self {
        let mut next = self.clone();
        next.debts.push((1 - self.ahead, deed));
        next.executed();
        next.debts.sort_unstable();
        next
    }

    fn executed(&mut self) {
        self.ahead -= 1;
        self.credits.iter_mut().for_each(|c| c.0 -= 1);
    }

    /// Whether nothing is too late already.
    pub fn is_possible(&self, factor: u32) -> bool {
        let soon = |place: i32| place > -(factor as i32) - i32::from(active(Mistake::OnePlaceMore));
        active(Mistake::NeverTooLate) || self.credits.iter().chain(&self.debts).all(|(place, _)| soon(*place))
    }

    /// Whether reading the debts one after another, the oldest first, settles them in time.
    pub fn can_be_read(&self, factor: u32) -> bool {
        self.debts.iter().zip(0..).all(|((place, _), before)| within(place - before, factor))
    }

    /// The oldest debt.
    pub fn oldest(&self) -> Option<Deed> {
        self.debts.first().map(|(_, deed)| *deed)
    }
}

/// Whether what has this place may come next on the other side.
fn within(place: i32, factor: u32) -> bool {
    (place - 1).unsigned_abs() <= factor + u32::from(active(Mistake::OnePlaceMore))
}
