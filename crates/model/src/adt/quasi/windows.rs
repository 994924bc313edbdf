//! The relaxed specification of Adhikari and others (SPIN 2013), for comparison.
//!
//! A word that the type allows is cut into rows of at most one operation more than the factor, and
//! within each row operations of the class change places as they like; the others stay where they
//! are. Operations in one class with all others are the paper's single factor. Where the paper
//! compares single states, here all are followed, so that the choice of a row costs nothing.
//!
//! This is not the definition: it lacks words from a factor of 2 on, and where other operations come
//! in between, and has words too many where one factor covers all operations.

use super::automaton::{is_open, known};
use super::seeded::{Mistake, active};
use super::{Deed, Known, Relaxation};
use crate::adt::{Adt, Object};
use crate::history::{History, Op, ValueId, Values};
use crate::verdict::Limit;
use rustc_hash::FxHashSet;

pub struct Windows<'a, A: Adt> {
    adt: &'a A,
    relaxation: &'a Relaxation,
    object: &'a Object,
    values: &'a Values,
    calls: Vec<Op>,
    answers: Vec<ValueId>,
    length: usize,
}

/// What was read of the row that is not complete, and the state before it.
type Row<S> = (S, Vec<Deed>);

/// After some places of a row: the state, and what moves and was not executed, sorted.
type Places<S> = FxHashSet<(S, Vec<Deed>)>;

/// Ways to fill the places of a row that are looked at.
const MOST: usize = 40_000;

/// What is at the places of operations that move.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Filled {
    ByTheRow,
    ByAnything,
}

impl<'a, A: Adt> Windows<'a, A> {
    pub fn new(adt: &'a A, relaxation: &'a Relaxation, object: &'a Object, history: &'a History) -> Self {
        let Known { calls, answers } = known(relaxation, history, |op| Deed::told_apart(adt, op));
        let length = relaxation.most() as usize + 1 + usize::from(active(Mistake::LongerRows));
        Windows { adt, relaxation, object, values: &history.values, calls, answers, length }
    }

    fn moves(&self, deed: &Deed) -> bool {
        let class = self.relaxation.class(&deed.op(), self.values);
        class.is_some_and(|c| self.relaxation.classes[c].factor > 0)
    }

    /// The states after the row, if nothing is added to it.
    fn complete(&self, (start, row): &Row<A::State>) -> Result<Vec<A::State>, Limit> {
        let mut places = self.places(start, row);
        for at in 0..row.len() {
            places = self.next(places, row, at, Filled::ByTheRow)?;
        }
        Ok(places.into_iter().map(|(now, _)| now).collect())
    }

    /// Whether the row can be completed: places behind what was read, and those of operations that
    /// move, take whatever is possible there.
    fn is_alive(&self, (start, row): &Row<A::State>) -> Result<bool, Limit> {
        let mut places = self.places(start, row);
        for at in 0..self.length {
            if at >= row.len() && places.iter().any(|(_, left)| left.is_empty()) {
                return Ok(true);
            }
            places = self.next(places, row, at, Filled::ByAnything)?;
        }
        Ok(places.iter().any(|(_, left)| left.is_empty()))
    }

    /// Before the first place: all that move are left.
    fn places(&self, start: &A::State, row: &[Deed]) -> Places<A::State> {
        let mut left: Vec<Deed> = row.iter().copied().filter(|d| self.moves(d)).collect();
        left.sort_unstable();
        FxHashSet::from_iter([(start.clone(), left)])
    }

    /// Executes whatever may be at place `at` of the row. Equal operations are as good as each other.
    fn next(
        &self,
        before: Places<A::State>,
        row: &[Deed],
        at: usize,
        filled: Filled,
    ) -> Result<Places<A::State>, Limit> {
        let mut after = FxHashSet::default();
        let fixed = row.get(at).filter(|d| !self.moves(d));
        for (now, left) in before {
            if let Some(deed) = fixed {
                self.adt.outcomes(&now, &deed.op(), |_, now| {
                    after.insert((now, left.clone()));
                })?;
                continue;
            }
            for (i, deed) in left.iter().enumerate().filter(|(i, d)| *i == 0 || left[i - 1] != **d) {
                let mut rest = left.clone();
                rest.remove(i);
                self.adt.outcomes(&now, &deed.op(), |_, now| {
                    after.insert((now, rest.clone()));
                })?;
            }
            let calls = if filled == Filled::ByAnything { &self.calls[..] } else { &[] };
            for call in calls {
                let blank = Deed::told_apart(self.adt, call);
                self.adt.outcomes(&now, call, |result, now| {
                    if at >= row.len() || self.moves(&Deed { result, ..blank }) {
                        after.insert((now, left.clone()));
                    }
                })?;
            }
            if after.len() > MOST {
                return Err(Limit::method(format!(
                    "Operations of one row can change places in more ways than the {MOST} that are looked at."
                )));
            }
        }
        Ok(after)
    }

    /// The operation with every answer it may give; `starts` are the states in which it may begin a row.
    fn deeds(&self, starts: &[A::State], op: &Op) -> Result<Vec<Deed>, Limit> {
        let deed = Deed::told_apart(self.adt, op);
        if !is_open(self.object, op) {
            return Ok(vec![deed]);
        }
        let mut deeds: Vec<Deed> = self.answers.iter().map(|&result| Deed { result, ..deed }).collect();
        for now in starts {
            self.adt.outcomes(now, op, |result, _| deeds.push(Deed { result, ..deed }))?;
        }
        deeds.sort_unstable();
        deeds.dedup();
        Ok(deeds)
    }
}

impl<A: Adt> Adt for Windows<'_, A> {
    type State = Row<A::State>;

    fn initial(&self) -> Self::State {
        (self.adt.initial(), Vec::new())
    }

    fn outcomes(
        &self,
        state: &Self::State,
        op: &Op,
        mut each: impl FnMut(ValueId, Self::State),
    ) -> Result<(), Limit> {
        let starts = self.complete(state)?;
        for deed in self.deeds(&starts, op)? {
            let mut rows: Vec<Row<A::State>> = starts.iter().map(|now| (now.clone(), vec![deed])).collect();
            if state.1.len() < self.length && !state.1.is_empty() {
                rows.push((state.0.clone(), [&state.1[..], &[deed]].concat()));
            }
            for row in rows {
                if self.is_alive(&row)? {
                    each(deed.result, row);
                }
            }
        }
        Ok(())
    }

    fn is_read(&self, _: &Op) -> bool {
        false
    }

    fn knows_caller(&self, op: &Op) -> bool {
        self.adt.knows_caller(op)
    }

    fn show(&self, (now, row): &Self::State) -> String {
        let name = |deed: &Deed| self.object.show(&deed.op(), self.values);
        let row: Vec<String> = row.iter().map(name).collect();
        format!("{} then {}", self.adt.show(now), row.join(", "))
    }

    fn bytes(&self, (now, row): &Self::State) -> usize {
        self.adt.bytes(now) + 24 + 24 * row.len()
    }
}
