//! The relaxed specification of Adhikari and others (SPIN 2013), for comparison.
//!
//! A word that the type allows is cut into rows of at most one operation more than the factor, and
//! within each row operations of the class change places as they like; the others stay where they
//! are. Operations in one class with all others are the paper's single factor. Where the paper
//! compares single states, here all are followed, so that the choice of a row costs nothing.
//!
//! This is not the definition: it lacks words from a factor of 2 on, and where other operations come
//! in between, and has words too many where one factor covers all operations.

use super::automaton::known;
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

impl<'a, A: Adt> Windows<'a, A> {
    pub fn new(adt: &'a A, relaxation: &'a Relaxation, object: &'a Object, history: &'a History) -> Self {
        let Known { calls, answers } = known(relaxation, history, |op| deed(adt, op));
        let length = relaxation.most() as usize + 1;
        Windows { adt, relaxation, object, values: &history.values, calls, answers, length }
    }

    fn moves(&self, deed: &Deed) -> bool {
        let class = self.relaxation.class(&deed.op(), self.values);
        class.is_some_and(|c| self.relaxation.classes[c].factor > 0)
    }

    /// The states after the row, if nothing is added to it.
    fn complete(&self, (start, row): &Row<A::State>, out: &mut FxHashSet<A::State>) -> Result<(), Limit> {
        let free: Vec<usize> = (0..row.len()).filter(|&i| self.moves(&row[i])).collect();
        self.arrange(start, row, 0, &free, &mut |now| {
            out.insert(now);
        })
    }

    /// Executes the row from place `at` on; those that move, and were not executed, are `left`.
    fn arrange(
        &self,
        now: &A::State,
        row: &[Deed],
        at: usize,
        left: &[usize],
        done: &mut dyn FnMut(A::State),
    ) -> Result<(), Limit> {
        let Some(deed) = row.get(at) else {
            done(now.clone());
            return Ok(());
        };
        let choices: Vec<usize> = match self.moves(deed) {
            true => left.to_vec(),
            false => vec![at],
        };
        for choice in choices {
            let mut after = Vec::new();
            self.adt.outcomes(now, &row[choice].op(), |_, now| after.push(now))?;
            let rest: Vec<usize> = left.iter().copied().filter(|&i| i != choice).collect();
            for now in after {
                self.arrange(&now, row, at + 1, &rest, done)?;
            }
        }
        Ok(())
    }

    /// Whether the row can be completed.
    fn is_alive(&self, (start, row): &Row<A::State>) -> Result<bool, Limit> {
        let left: Vec<usize> = (0..row.len()).filter(|&i| self.moves(&row[i])).collect();
        self.go_on(start, row, 0, &left)
    }

    /// The same from place `at` on. Places behind what was read take whatever is possible there.
    fn go_on(&self, now: &A::State, row: &[Deed], at: usize, left: &[usize]) -> Result<bool, Limit> {
        if at >= row.len() && left.is_empty() {
            return Ok(true);
        }
        if at >= self.length {
            return Ok(false);
        }
        let fixed = row.get(at).is_some_and(|d| !self.moves(d));
        let mut next = Vec::new();
        if fixed {
            self.adt.outcomes(now, &row[at].op(), |_, now| next.push((now, left.to_vec())))?;
        } else {
            for &choice in left {
                let rest: Vec<usize> = left.iter().copied().filter(|&i| i != choice).collect();
                self.adt.outcomes(now, &row[choice].op(), |_, now| next.push((now, rest.clone())))?;
            }
            for call in &self.calls {
                let blank = deed(self.adt, call);
                self.adt.outcomes(now, call, |result, now| {
                    if at >= row.len() || self.moves(&Deed { result, ..blank }) {
                        next.push((now, left.to_vec()));
                    }
                })?;
            }
        }
        for (now, left) in next {
            if self.go_on(&now, row, at + 1, &left)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The operation with every answer it may give; `starts` are the states in which it may begin a row.
    fn deeds(&self, starts: &FxHashSet<A::State>, op: &Op) -> Result<Vec<Deed>, Limit> {
        let deed = deed(self.adt, op);
        let answers = match &self.object.user {
            Some(user) => user.operation(op).answers,
            None => self.object.kind.answers(op.method),
        };
        if op.result != ValueId::NONE || !answers {
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

fn deed<A: Adt>(adt: &A, op: &Op) -> Deed {
    let process = if adt.knows_caller(op) { op.process } else { ValueId::NONE };
    Deed { process, ..Deed::of(op) }
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
        let mut starts = FxHashSet::default();
        self.complete(state, &mut starts)?;
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
