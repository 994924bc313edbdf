//! Whole arrays as values: what a name or a literal stands for, element by element.

use super::super::ast::ExprKind;
use super::*;
use lineal_model::process::expr::{Binary, Stmt, Target};

/// A number, or an array of them.
pub enum Value {
    One(Expr),
    Many(Vec<Expr>),
}

impl<'a> Lower<'a> {
    /// What may be a whole array.
    pub(super) fn value(&mut self, e: &ast::Expr, scope: &mut Scope) -> Option<Value> {
        match &e.kind {
            ExprKind::Name(name) => match self.whole(name, scope) {
                Some(all) => Some(Value::Many(all)),
                None => self.expr(e, scope).map(Value::One),
            },
            ExprKind::Array(items) => self.literal(items, scope).map(Value::Many),
            _ => self.expr(e, scope).map(Value::One),
        }
    }

    /// The elements of the array that a name means, if it does.
    pub(super) fn whole(&mut self, name: &Name, scope: &Scope) -> Option<Vec<Expr>> {
        let range = |first: u16, len: u32| first..first + len as u16;
        if scope.arguments.iter().any(|(n, ..)| n == name) {
            return None;
        }
        if let Some(local) = scope.local(name) {
            let (first, len) = scope.local_arrays.iter().find(|(l, _)| *l == local)?;
            return Some(range(*first, *len).map(Expr::Local).collect());
        }
        if let Some(slot) = scope.slot(name) {
            let (first, len) = scope.slot_arrays.iter().find(|(s, _)| *s == slot)?;
            return Some(range(*first, *len).map(Expr::Slot).collect());
        }
        match self.names.get(name) {
            Some((Meaning::Global(g), _)) => {
                let global = &self.model.globals[*g as usize];
                let cells = global.first..global.first + global.len;
                (!global.dims.is_empty()).then(|| cells.map(Expr::Cell).collect())
            }
            _ => None,
        }
    }

    fn literal(&mut self, items: &[ast::InitItem], scope: &mut Scope) -> Option<Vec<Expr>> {
        let mut all = Vec::new();
        for item in items {
            match item {
                ast::InitItem::Repeat(e, n) => {
                    let (value, n) = (self.expr(e, scope)?, self.fixed(n, scope)?);
                    if n < 0 || n as usize > LONG {
                        self.error("L0226", format!("a value cannot be repeated {n} times here"), &e.at);
                        return None;
                    }
                    all.extend(std::iter::repeat_n(value, n as usize));
                }
                ast::InitItem::Span(a, b) => {
                    let (a, b) = (self.fixed(a, scope)?, self.fixed(b, scope)?);
                    all.extend(span(a, b).take(LONG + 1).map(Expr::Int));
                }
            }
            if all.len() > LONG {
                let at = match item {
                    ast::InitItem::Repeat(e, _) | ast::InitItem::Span(e, _) => e.at.clone(),
                };
                self.error("L0226", format!("an array of more than {LONG} elements is no value"), &at);
                return None;
            }
        }
        Some(all)
    }

    /// `a == b` of whole arrays.
    pub(super) fn same(&mut self, op: Binary, a: Vec<Expr>, b: Vec<Expr>, at: &Place) -> Option<Expr> {
        if a.len() != b.len() {
            let message = format!("arrays of {} and of {} elements are compared", a.len(), b.len());
            self.error("L0229", message, at);
            return None;
        }
        let spot = self.spot(at);
        let join = if op == Binary::Eq { Binary::And } else { Binary::Or };
        let pairs = a.into_iter().zip(b).map(|pair| Expr::Binary(op, Box::new(pair), spot));
        let unit = Expr::Int((op == Binary::Eq) as i32);
        Some(pairs.reduce(|all, e| Expr::Binary(join, Box::new((all, e)), spot)).unwrap_or(unit))
    }

    /// One of the elements of a parameter, a message or a local.
    pub(super) fn picked(
        &mut self,
        all: Vec<Expr>,
        index: &[ast::Expr],
        at: &Place,
        scope: &mut Scope,
    ) -> Option<Expr> {
        let [index] = index else {
            self.error("L0223", "an array that is passed on has one dimension", at);
            return None;
        };
        let index = self.expr(index, scope)?;
        Some(Expr::Pick(all.into(), Box::new(index), self.spot(at)))
    }

    /// Stores a whole array; every element is evaluated first.
    pub(super) fn store_all(
        &mut self,
        target: Vec<Expr>,
        value: Value,
        at: &Place,
        scope: &mut Scope,
        out: &mut Vec<Stmt>,
    ) -> Option<()> {
        let Value::Many(values) = value else {
            self.error("L0229", "a number is assigned to a whole array: say which element", at);
            return None;
        };
        if values.len() != target.len() {
            let message =
                format!("an array of {} elements is assigned to one of {}", values.len(), target.len());
            self.error("L0229", message, at);
            return None;
        }
        let spot = self.spot(at);
        let mut kept = Vec::new();
        for value in values {
            kept.push(match value {
                Expr::Int(_) | Expr::Slot(_) => value,
                value => {
                    let local = scope.spare();
                    out.push(Stmt::Assign(Target::Local(local), value));
                    Expr::Local(local)
                }
            });
        }
        for (place, value) in target.into_iter().zip(kept) {
            let target = match place {
                Expr::Cell(c) => Target::Cell(c, spot),
                Expr::Local(l) => Target::Local(l),
                _ => {
                    self.error("L0228", "an array that was passed on cannot be assigned", at);
                    return None;
                }
            };
            out.push(Stmt::Assign(target, value));
        }
        Some(())
    }

    /// Stores into one element of a local array, whichever it is.
    pub(super) fn store_local(
        &mut self,
        all: Vec<Expr>,
        index: Expr,
        value: Expr,
        at: &Place,
        scope: &mut Scope,
        out: &mut Vec<Stmt>,
    ) {
        let spot = self.spot(at);
        let (chosen, stored) = (scope.spare(), scope.spare());
        out.push(Stmt::Assign(Target::Local(stored), value));
        out.push(Stmt::Assign(Target::Local(chosen), index));
        // An index outside the array is a fault here.
        let old = Expr::Pick(all.clone().into(), Box::new(Expr::Local(chosen)), spot);
        let spare = scope.spare();
        out.push(Stmt::Assign(Target::Local(spare), old));
        for (i, place) in all.into_iter().enumerate() {
            let Expr::Local(local) = place else { continue };
            let here = Expr::Binary(Binary::Eq, Box::new((Expr::Local(chosen), Expr::Int(i as i32))), spot);
            let store = Stmt::Assign(Target::Local(local), Expr::Local(stored));
            out.push(Stmt::If(here, [store].into(), [].into()));
        }
    }
}

/// Elements of an array that is passed on.
const LONG: usize = 1_000;
