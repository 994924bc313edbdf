//! Which cells an expression or a block may touch, as far as parameters are known.
//!
//! Parameters are followed as small sets of numbers, so that `HL[i]` in component 1 is `HL[1]`.
//! Everything here errs on the side of touching more.

use lineal_model::process::expr::{Binary, Element, Expr, Stmt, Target, Unary, apply};
use std::collections::BTreeSet;

/// A set of cells.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cells(Vec<u64>);

impl Cells {
    pub fn insert(&mut self, cell: usize) {
        if self.0.len() <= cell / 64 {
            self.0.resize(cell / 64 + 1, 0);
        }
        self.0[cell / 64] |= 1 << (cell % 64);
    }
    pub fn contains(&self, cell: usize) -> bool {
        self.0.get(cell / 64).is_some_and(|w| w >> (cell % 64) & 1 == 1)
    }
    /// Answers whether anything was new.
    pub fn extend(&mut self, other: &Cells) -> bool {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        let mut new = false;
        for (a, b) in self.0.iter_mut().zip(&other.0) {
            new |= b & !*a != 0;
            *a |= b;
        }
        new
    }
    pub fn remove_all(&mut self, other: &Cells) {
        for (a, b) in self.0.iter_mut().zip(&other.0) {
            *a &= !b;
        }
    }
    pub fn retain(&mut self, other: &Cells) {
        for (i, a) in self.0.iter_mut().enumerate() {
            *a &= other.0.get(i).copied().unwrap_or(0);
        }
    }
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.0.len() * 64).filter(|c| self.contains(*c))
    }
}

/// What a slot may hold: one of a few numbers, or anything.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Values {
    Some(BTreeSet<i32>),
    Any,
}

/// Numbers followed before giving up.
const FEW: usize = 32;

impl Values {
    pub const NOTHING: Values = Values::Some(BTreeSet::new());

    pub fn one(n: i32) -> Self {
        Values::Some([n].into())
    }

    pub fn join(&mut self, other: &Values) -> bool {
        match (&mut *self, other) {
            (Values::Any, _) => false,
            (this, Values::Any) => {
                *this = Values::Any;
                true
            }
            (Values::Some(a), Values::Some(b)) => {
                let before = a.len();
                a.extend(b);
                let changed = a.len() != before;
                if a.len() > FEW {
                    *self = Values::Any;
                }
                changed
            }
        }
    }

    pub fn of(e: &Expr, env: &[Values]) -> Values {
        match e {
            Expr::Int(n) => Values::one(*n),
            Expr::Slot(i) => env.get(*i as usize).cloned().unwrap_or(Values::Any),
            Expr::Binary(op, pair, _) => match (Values::of(&pair.0, env), Values::of(&pair.1, env)) {
                (Values::Some(a), Values::Some(b)) if a.len() * b.len() <= FEW * FEW => {
                    let mut all = BTreeSet::new();
                    for x in &a {
                        // The right side may have no value at all and not be looked at.
                        all.extend(match op {
                            Binary::And if *x == 0 => Some(0),
                            Binary::Or if *x != 0 => Some(1),
                            _ => None,
                        });
                        all.extend(b.iter().filter_map(|y| apply(*op, *x, *y, 0).ok()));
                    }
                    if all.len() > FEW { Values::Any } else { Values::Some(all) }
                }
                _ if matches!(
                    op,
                    Binary::Eq
                        | Binary::Ne
                        | Binary::Lt
                        | Binary::Gt
                        | Binary::Le
                        | Binary::Ge
                        | Binary::And
                        | Binary::Or
                        | Binary::Xor
                ) =>
                {
                    Values::Some([0, 1].into())
                }
                _ => Values::Any,
            },
            Expr::Unary(Unary::Neg, e, _) => match Values::of(e, env) {
                Values::Some(a) => Values::Some(a.into_iter().filter_map(i32::checked_neg).collect()),
                Values::Any => Values::Any,
            },
            Expr::Unary(Unary::Not, ..) => Values::Some([0, 1].into()),
            _ => Values::Any,
        }
    }
}

/// The cells an element may be.
pub fn element(el: &Element, env: &[Values]) -> Vec<usize> {
    let mut at = vec![0usize];
    for (n, index) in &el.dims {
        let choices: Vec<usize> = match Values::of(index, env) {
            Values::Any => (0..*n as usize).collect(),
            Values::Some(set) => {
                set.into_iter().filter(|i| (0..*n as i32).contains(i)).map(|i| i as usize).collect()
            }
        };
        at = at.iter().flat_map(|a| choices.iter().map(move |c| a * *n as usize + c)).collect();
    }
    at.into_iter().map(|a| el.first as usize + a).collect()
}

/// Adds the cells `e` reads.
pub fn reads(e: &Expr, env: &[Values], out: &mut Cells) {
    e.walk(&mut |e| match e {
        Expr::Cell(c) => out.insert(*c as usize),
        Expr::Element(el) => element(el, env).into_iter().for_each(|c| out.insert(c)),
        _ => {}
    });
}

/// Adds the cells statements may read and write.
pub fn touches(stmts: &[Stmt], env: &[Values], read: &mut Cells, written: &mut Cells) {
    for stmt in stmts {
        match stmt {
            Stmt::Assign(target, value) => {
                reads(value, env, read);
                match target {
                    Target::Cell(c, _) => written.insert(*c as usize),
                    Target::Element(el) => {
                        el.dims.iter().for_each(|(_, e)| reads(e, env, read));
                        element(el, env).into_iter().for_each(|c| written.insert(c));
                    }
                    Target::Local(_) => {}
                }
            }
            Stmt::If(c, yes, no) => {
                reads(c, env, read);
                touches(yes, env, read, written);
                touches(no, env, read, written);
            }
            Stmt::While(c, body, _) => {
                reads(c, env, read);
                touches(body, env, read, written);
            }
        }
    }
}

/// Everything between bounds, whichever is the lower one.
pub fn span(low: Values, high: Values) -> Values {
    match (low, high) {
        (Values::Some(a), Values::Some(b)) => {
            let least = a.first().min(b.first());
            match (least, a.last().max(b.last())) {
                (Some(a), Some(b)) if (*b as i64 - *a as i64) < FEW as i64 => {
                    Values::Some((*a..=*b).collect())
                }
                (Some(_), Some(_)) => Values::Any,
                _ => Values::NOTHING,
            }
        }
        _ => Values::Any,
    }
}
