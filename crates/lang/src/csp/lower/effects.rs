//! Assignments inside expressions: `y = x++`, `a = b = 0`, `while (i++ < 3)`.
//!
//! `x++` is short for `x = x + 1`, and the value of an assignment is what was stored; so `y = x++` gives
//! both variables the same value. The assignment is made a statement of its own, before the one that it
//! stands in; what was read to the left of it is kept. Where it would depend on the rest whether it
//! happens at all (to the right of `&&` and `||`), or outside of blocks, it is refused.

use super::super::ast::ExprKind;
use super::*;
use lineal_model::process::expr::{Binary, Stmt, Target};

/// Whether an assignment is inside.
pub fn stores(e: &ast::Expr) -> bool {
    match &e.kind {
        ExprKind::Store(_) => true,
        ExprKind::Int(_) | ExprKind::Name(_) => false,
        ExprKind::Index(_, all) | ExprKind::Call(_, all) | ExprKind::Count(_, all) => all.iter().any(stores),
        ExprKind::Unary(_, e) | ExprKind::Indexed(_, _, e) => stores(e),
        ExprKind::Binary(_, pair) => stores(&pair.0) || stores(&pair.1),
        ExprKind::Array(items) => items.iter().any(|item| match item {
            ast::InitItem::Repeat(a, b) | ast::InitItem::Span(a, b) => stores(a) || stores(b),
        }),
    }
}

impl<'a> Lower<'a> {
    /// An expression of a block; assignments in it go before it.
    pub(super) fn effects(&mut self, e: &ast::Expr, scope: &mut Scope, out: &mut Vec<Stmt>) -> Option<Expr> {
        if !stores(e) {
            return self.expr(e, scope);
        }
        match &e.kind {
            ExprKind::Store(pair) => {
                let value = self.effects(&pair.1, scope, out)?;
                let kept = scope.spare();
                out.push(Stmt::Assign(Target::Local(kept), value));
                self.store(&pair.0, Expr::Local(kept), scope, out)?;
                Some(Expr::Local(kept))
            }
            ExprKind::Unary(op, inner) => {
                let inner = self.effects(inner, scope, out)?;
                Some(Expr::Unary(*op, Box::new(inner), self.spot(&e.at)))
            }
            ExprKind::Binary(op, pair) if !stores(&pair.1) || !matches!(op, Binary::And | Binary::Or) => {
                let mut left = self.effects(&pair.0, scope, out)?;
                if stores(&pair.1) && left.constant().is_none() {
                    let kept = scope.spare();
                    out.push(Stmt::Assign(Target::Local(kept), left));
                    left = Expr::Local(kept);
                }
                let right = self.effects(&pair.1, scope, out)?;
                Some(Expr::Binary(*op, Box::new((left, right)), self.spot(&e.at)))
            }
            _ => {
                self.refuse_store(&e.at);
                None
            }
        }
    }

    pub(super) fn refuse_store(&mut self, at: &Place) {
        self.problems.push(
            Diagnostic::error("L0228", "nothing can be assigned inside this expression")
                .at(at.clone())
                .help("make the assignment a statement of its own, in the block of an event"),
        );
    }
}
