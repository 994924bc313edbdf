//! Loops that count through all names, and whose rounds come in any order.
//!
//! `j = 0; while (j < n) { …; j = j + 1; }` with at least one round, where every variable that the
//! rounds assign is an array that is only ever read or assigned at index `j` of one and the same
//! dimension. Then each round touches, of what the loop changes, cells no other round touches; so
//! rounds commute, and `j` is any of `0..n`. Two dimensions would not do: round 0 of
//! `m[j][i] = 1; m[k][j] = 2;` and round 1 may meet in one cell. Behind the loop `j` is `n`, which
//! is no name.

use lineal_model::process::Model;
use lineal_model::process::expr::{Binary, Element, Expr, Stmt, Target};

pub struct Rounds<'s> {
    pub counter: u16,
    pub count: i32,
    pub body: &'s [Stmt],
}

/// Most rounds that are looked at.
const MANY: i32 = 64;

/// The loop that the first two statements are, if they are one.
pub fn find<'s>(model: &Model, stmts: &'s [Stmt]) -> Option<Rounds<'s>> {
    let [Stmt::Assign(Target::Local(j), Expr::Int(0)), Stmt::While(c, body, _), ..] = stmts else {
        return None;
    };
    let Expr::Binary(Binary::Lt, pair, _) = c else { return None };
    let (Expr::Local(k), Expr::Int(n)) = &**pair else { return None };
    let (Stmt::Assign(Target::Local(l), Expr::Binary(Binary::Add, step, _)), rounds) = body.split_last()?
    else {
        return None;
    };
    let counts = k == j && l == j && **step == (Expr::Local(*j), Expr::Int(1)) && (1..=MANY).contains(n);
    let mut touched = Touched { model, changed: Vec::new(), read: Vec::new(), whole: Vec::new() };
    (counts && touched.stmts(rounds) && touched.is_apart(*j)).then_some(Rounds {
        counter: *j,
        count: *n,
        body: rounds,
    })
}

struct Touched<'m, 's> {
    model: &'m Model,
    /// Elements assigned.
    changed: Vec<&'s Element>,
    /// Elements read, of whatever variable.
    read: Vec<&'s Element>,
    /// Variables with a cell that is read by its own name, wherever it lies.
    whole: Vec<u32>,
}

impl<'s> Touched<'_, 's> {
    /// Collects; answers whether nothing but elements is assigned, and no loop is inside.
    fn stmts(&mut self, stmts: &'s [Stmt]) -> bool {
        stmts.iter().all(|s| match s {
            Stmt::Assign(Target::Element(el), value) => {
                el.dims.iter().for_each(|(_, e)| self.expr(e));
                self.expr(value);
                self.changed.push(el);
                true
            }
            Stmt::Assign(..) | Stmt::While(..) => false,
            Stmt::If(c, yes, no) => {
                self.expr(c);
                self.stmts(yes) && self.stmts(no)
            }
        })
    }

    fn expr(&mut self, e: &'s Expr) {
        match e {
            Expr::Int(_) | Expr::Slot(_) | Expr::Local(_) | Expr::Queue(..) => {}
            Expr::Count(..) | Expr::Alike(_) => {}
            Expr::Pick(values, index, _) => {
                self.expr(index);
                values.iter().for_each(|v| self.expr(v));
            }
            Expr::Cell(c) => self.whole.push(self.model.cells[*c as usize].global),
            Expr::Element(el) => {
                el.dims.iter().for_each(|(_, e)| self.expr(e));
                self.read.push(el);
            }
            Expr::Unary(_, e, _) => self.expr(e),
            Expr::Binary(_, pair, _) => {
                self.expr(&pair.0);
                self.expr(&pair.1);
            }
        }
    }

    /// Whether each variable that changes has a dimension in which every access is at `j`.
    fn is_apart(&self, j: u16) -> bool {
        self.changed.iter().all(|el| {
            let dims = self.model.globals[el.global as usize].dims.len();
            let uses = || self.changed.iter().chain(&self.read).filter(|u| u.global == el.global);
            let at = |u: &&&Element, d: usize| u.dims.len() == dims && u.dims[d].1 == Expr::Local(j);
            !self.whole.contains(&el.global) && (0..dims).any(|d| uses().all(|u| at(&u, d)))
        })
    }
}
