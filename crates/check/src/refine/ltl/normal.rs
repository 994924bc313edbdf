//! Formulas in negation normal form, each stored once: what the tableau works on.
//!
//! `true`, `false`, literals, `&&`, `||`, `X`, `U` and `R`; everything else is written with these.
//! Only laws that a reader can check at a glance are used to make formulas smaller, and none that
//! looks at more than one operator and its operands.

use lineal_model::process::formula::{Connective, Formula};
use rustc_hash::FxHashMap;

/// A formula, by number.
pub type Id = u32;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Normal {
    True,
    False,
    /// An atom, and whether it must hold.
    Literal(u32, bool),
    And(Id, Id),
    Or(Id, Id),
    Next(Id),
    Until(Id, Id),
    Release(Id, Id),
}

pub const TRUE: Id = 0;
pub const FALSE: Id = 1;

pub struct Pool {
    all: Vec<Normal>,
    ids: FxHashMap<Normal, Id>,
}

impl Default for Pool {
    fn default() -> Self {
        let mut pool = Pool { all: Vec::new(), ids: FxHashMap::default() };
        pool.intern(Normal::True);
        pool.intern(Normal::False);
        pool
    }
}

impl Pool {
    pub fn get(&self, id: Id) -> Normal {
        self.all[id as usize]
    }

    fn intern(&mut self, normal: Normal) -> Id {
        *self.ids.entry(normal).or_insert_with(|| {
            self.all.push(normal);
            self.all.len() as Id - 1
        })
    }

    /// The formula, or its negation.
    pub fn add(&mut self, formula: &Formula, holds: bool) -> Id {
        match formula {
            Formula::True => {
                if holds {
                    TRUE
                } else {
                    FALSE
                }
            }
            Formula::False => {
                if holds {
                    FALSE
                } else {
                    TRUE
                }
            }
            Formula::Atom(i) => self.intern(Normal::Literal(*i, holds)),
            Formula::Not(f) => self.add(f, !holds),
            Formula::Next(f) => {
                let f = self.add(f, holds);
                if f == TRUE || f == FALSE { f } else { self.intern(Normal::Next(f)) }
            }
            Formula::Always(f) => {
                let f = self.add(f, holds);
                if holds { self.release(FALSE, f) } else { self.until(TRUE, f) }
            }
            Formula::Eventually(f) => {
                let f = self.add(f, holds);
                if holds { self.until(TRUE, f) } else { self.release(FALSE, f) }
            }
            Formula::Both(op, pair) => self.both(*op, &pair.0, &pair.1, holds),
        }
    }

    fn both(&mut self, op: Connective, a: &Formula, b: &Formula, holds: bool) -> Id {
        match op {
            Connective::And | Connective::Or => {
                let (a, b) = (self.add(a, holds), self.add(b, holds));
                if (op == Connective::And) == holds { self.and(a, b) } else { self.or(a, b) }
            }
            Connective::Implies => {
                let (a, b) = (self.add(a, !holds), self.add(b, holds));
                if holds { self.or(a, b) } else { self.and(a, b) }
            }
            Connective::Iff | Connective::Xor => {
                // Both or neither; for xor, and for what is not so, one of them.
                let alike = (op == Connective::Iff) == holds;
                let (yes, no) = (self.add(a, true), self.add(a, false));
                let (other, otherwise) = (self.add(b, alike), self.add(b, !alike));
                let (first, second) = (self.and(yes, other), self.and(no, otherwise));
                self.or(first, second)
            }
            Connective::Until => {
                let (a, b) = (self.add(a, holds), self.add(b, holds));
                if holds { self.until(a, b) } else { self.release(a, b) }
            }
            Connective::Release => {
                let (a, b) = (self.add(a, holds), self.add(b, holds));
                if holds { self.release(a, b) } else { self.until(a, b) }
            }
        }
    }

    fn and(&mut self, a: Id, b: Id) -> Id {
        match (a, b) {
            (TRUE, f) | (f, TRUE) => f,
            (FALSE, _) | (_, FALSE) => FALSE,
            _ if a == b => a,
            _ if self.opposite(a, b) => FALSE,
            _ => self.intern(Normal::And(a.min(b), a.max(b))),
        }
    }

    fn or(&mut self, a: Id, b: Id) -> Id {
        match (a, b) {
            (FALSE, f) | (f, FALSE) => f,
            (TRUE, _) | (_, TRUE) => TRUE,
            _ if a == b => a,
            _ if self.opposite(a, b) => TRUE,
            _ => self.intern(Normal::Or(a.min(b), a.max(b))),
        }
    }

    fn opposite(&self, a: Id, b: Id) -> bool {
        matches!((self.get(a), self.get(b)), (Normal::Literal(x, p), Normal::Literal(y, q)) if x == y && p != q)
    }

    fn until(&mut self, a: Id, b: Id) -> Id {
        match self.get(b) {
            _ if a == FALSE || b <= FALSE || a == b => b,
            // `<><>b` is `<>b`.
            Normal::Until(TRUE, _) if a == TRUE => b,
            _ => self.intern(Normal::Until(a, b)),
        }
    }

    fn release(&mut self, a: Id, b: Id) -> Id {
        match self.get(b) {
            _ if a == TRUE || b <= FALSE || a == b => b,
            // `[][]b` is `[]b`.
            Normal::Release(FALSE, _) if a == FALSE => b,
            _ => self.intern(Normal::Release(a, b)),
        }
    }
}
