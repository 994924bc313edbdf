//! Expressions, macros and statement blocks.

use super::super::ast::{ExprKind, RangeItem};
use super::*;
use lineal_model::process::expr::{Element, Query, Stmt, Target};

/// Macros inside macros.
const DEEP: u32 = 30;
/// Instances of an indexed expression.
const WIDE: i64 = 1_000;

impl<'a> Lower<'a> {
    pub(super) fn expr(&mut self, e: &ast::Expr, scope: &mut Scope) -> Option<Expr> {
        Some(match &e.kind {
            ExprKind::Int(n) => Expr::Int(*n),
            ExprKind::Name(name) => return self.name(name, &e.at, scope),
            ExprKind::Index(name, indices) => {
                return self.element(name, indices, &e.at, scope).map(Expr::Element);
            }
            ExprKind::Unary(op, inner) => {
                let inner = self.expr(inner, scope)?;
                Expr::Unary(*op, Box::new(inner), self.spot(&e.at))
            }
            ExprKind::Binary(op, pair) => {
                // Both sides, so that both report.
                let (a, b) = (self.expr(&pair.0, scope), self.expr(&pair.1, scope));
                Expr::Binary(*op, Box::new((a?, b?)), self.spot(&e.at))
            }
            ExprKind::Call(name, args) => return self.called(name, args, &e.at, scope),
            ExprKind::Indexed(op, ranges, body) => return self.indexed(*op, ranges, body, &e.at, scope),
        })
    }

    fn name(&mut self, name: &Name, at: &Place, scope: &mut Scope) -> Option<Expr> {
        if let Some((_, value, _)) = scope.arguments.iter().rev().find(|(n, ..)| n == name) {
            return Some(value.clone());
        }
        if let Some(local) = scope.local(name) {
            return Some(Expr::Local(local));
        }
        if let Some(slot) = scope.slot(name) {
            return Some(Expr::Slot(slot));
        }
        match self.names.get(name).map(|(m, _)| m.clone()) {
            Some(Meaning::Constant(n)) => Some(Expr::Int(n)),
            Some(Meaning::Global(g)) => {
                let global = &self.model.globals[g as usize];
                if !global.dims.is_empty() {
                    self.error("L0223", format!("`{name}` is an array: say which element"), at);
                    return None;
                }
                Some(Expr::Cell(global.first))
            }
            Some(Meaning::Macro(..)) => self.called(name, &[], at, scope),
            _ => {
                self.unknown("variable", name, at);
                None
            }
        }
    }

    fn element(
        &mut self,
        name: &Name,
        indices: &[ast::Expr],
        at: &Place,
        scope: &mut Scope,
    ) -> Option<std::sync::Arc<Element>> {
        let lowered: Vec<_> = indices.iter().map(|i| self.expr(i, scope)).collect();
        let Some((Meaning::Global(g), _)) = self.names.get(name).cloned() else {
            self.unknown("variable", name, at);
            return None;
        };
        let global = self.model.globals[g as usize].clone();
        if global.dims.is_empty() {
            self.error("L0223", format!("`{name}` is no array"), at);
            return None;
        }
        // One index into several dimensions counts through all elements.
        let dims = match (indices.len(), global.dims.len()) {
            (a, b) if a == b => global.dims.clone(),
            (1, _) => vec![global.len],
            (a, b) => {
                self.error("L0223", format!("`{name}` has {b} dimensions, but {a} indices are given"), at);
                return None;
            }
        };
        let lowered: Option<Vec<_>> = lowered.into_iter().collect();
        let dims = dims.into_iter().zip(lowered?).collect();
        Some(Element { global: g, first: global.first, dims, spot: self.spot(at) }.into())
    }

    /// `call(f, …)`, or a macro by its bare name.
    fn called(&mut self, name: &Name, args: &[ast::Expr], at: &Place, scope: &mut Scope) -> Option<Expr> {
        let query = match &**name {
            "cfull" => Some(Query::Full),
            "cempty" => Some(Query::Empty),
            "ccount" => Some(Query::Count),
            "csize" => Some(Query::Size),
            "cpeek" => Some(Query::Peek),
            _ => None,
        };
        if let Some(query) = query {
            return self.query(query, name, args, at, scope);
        }
        let Some((Meaning::Macro(params, ast::Body::Expr(body)), _)) = self.names.get(name).cloned() else {
            self.unknown("macro", name, at);
            return None;
        };
        let arguments = self.arguments(name, params, args, at, scope)?;
        self.expanded(scope, arguments, at, |this, scope| this.expr(body, scope))
    }

    fn arguments(
        &mut self,
        name: &Name,
        params: &[Name],
        args: &[ast::Expr],
        at: &Place,
        scope: &mut Scope,
    ) -> Option<Vec<(Name, Expr, bool)>> {
        if params.len() != args.len() {
            self.error(
                "L0221",
                format!("macro `{name}` takes {} arguments, {} are given", params.len(), args.len()),
                at,
            );
            return None;
        }
        let args: Option<Vec<_>> = args.iter().map(|a| self.expr(a, scope)).collect();
        Some(params.iter().cloned().zip(args?).map(|(p, a)| (p, a, false)).collect())
    }

    /// Runs `f` with only the macro's own names in sight.
    fn expanded<T>(
        &mut self,
        scope: &mut Scope,
        arguments: Vec<(Name, Expr, bool)>,
        at: &Place,
        f: impl FnOnce(&mut Self, &mut Scope) -> Option<T>,
    ) -> Option<T> {
        if scope.macros >= DEEP {
            self.error("L0227", "macros are nested too deeply: does one use itself?", at);
            return None;
        }
        let (args, locals, visible) = (
            std::mem::replace(&mut scope.arguments, arguments),
            std::mem::take(&mut scope.locals),
            std::mem::take(&mut scope.visible),
        );
        scope.macros += 1;
        let result = f(self, scope);
        scope.macros -= 1;
        (scope.arguments, scope.locals, scope.visible) = (args, locals, visible);
        result
    }

    fn query(
        &mut self,
        query: Query,
        name: &Name,
        args: &[ast::Expr],
        at: &Place,
        scope: &mut Scope,
    ) -> Option<Expr> {
        let [arg] = args else {
            self.error("L0221", format!("`{name}` takes one channel"), at);
            return None;
        };
        let channel = match &arg.kind {
            ExprKind::Name(c) => ast::Channel { name: c.clone(), index: None, at: arg.at.clone() },
            ExprKind::Index(c, indices) if indices.len() == 1 => {
                ast::Channel { name: c.clone(), index: Some(indices[0].clone()), at: arg.at.clone() }
            }
            _ => {
                self.error("L0224", format!("`{name}` takes a channel"), &arg.at);
                return None;
            }
        };
        Some(Expr::Queue(query, Box::new(self.channel_expr(&channel, scope)?)))
    }

    pub(super) fn channel_expr(&mut self, c: &ast::Channel, scope: &mut Scope) -> Option<ChannelExpr> {
        let index = match &c.index {
            Some(e) => Some(self.expr(e, scope)?),
            None => None,
        };
        let Some((Meaning::Channel(first, len, array), _)) = self.names.get(&c.name).cloned() else {
            match self.names.contains_key(&c.name) {
                true => self.unknown("channel", &c.name, &c.at),
                false => self.problems.push(
                    Diagnostic::error("L0224", format!("there is no channel `{}`", c.name))
                        .at(c.at.clone())
                        .help(format!("declare it: `channel {} 1;` (0 for a rendezvous)", c.name)),
                ),
            }
            return None;
        };
        match (array, &index) {
            (true, None) => {
                self.error("L0224", format!("`{}` is an array of channels: say which one", c.name), &c.at);
                return None;
            }
            (false, Some(_)) => {
                self.error("L0224", format!("`{}` is a single channel and takes no index", c.name), &c.at);
                return None;
            }
            _ => {}
        }
        Some(ChannelExpr { first, len, index, spot: self.spot(&c.at) })
    }

    /// `&& i:{0..2}@(…)` unrolled.
    fn indexed(
        &mut self,
        op: lineal_model::process::expr::Binary,
        ranges: &[ast::Range],
        body: &ast::Expr,
        at: &Place,
        scope: &mut Scope,
    ) -> Option<Expr> {
        use lineal_model::process::expr::Binary;
        let spot = self.spot(at);
        let mut parts = Vec::new();
        self.unroll(ranges, body, scope, &mut parts)?;
        let unit = Expr::Int((op == Binary::And) as i32);
        // Balanced, so that a wide one is not deep.
        fn fold(op: Binary, parts: &mut Vec<Expr>, n: usize, spot: Spot) -> Option<Expr> {
            if n <= 1 {
                return parts.pop();
            }
            let right = fold(op, parts, n / 2, spot)?;
            let left = fold(op, parts, n - n / 2, spot)?;
            Some(Expr::Binary(op, Box::new((left, right)), spot))
        }
        let n = parts.len();
        Some(fold(op, &mut parts, n, spot).unwrap_or(unit))
    }

    fn unroll(
        &mut self,
        ranges: &[ast::Range],
        body: &ast::Expr,
        scope: &mut Scope,
        out: &mut Vec<Expr>,
    ) -> Option<()> {
        let Some((range, rest)) = ranges.split_first() else {
            out.push(self.expr(body, scope)?);
            return Some(());
        };
        for item in &range.values {
            let (low, high) = match item {
                RangeItem::One(e) => {
                    let n = self.fixed(e, scope)?;
                    (n, n)
                }
                RangeItem::Span(a, b) => (self.fixed(a, scope)?, self.fixed(b, scope)?),
            };
            if high as i64 - low as i64 > WIDE || out.len() as i64 > WIDE {
                self.error("L0226", format!("the index set has more than {WIDE} elements"), &range.at);
                return None;
            }
            for n in low..=high {
                scope.arguments.push((range.name.clone(), Expr::Int(n), false));
                let done = self.unroll(rest, body, scope, out);
                scope.arguments.pop();
                done?;
            }
        }
        Some(())
    }

    fn fixed(&mut self, e: &ast::Expr, scope: &mut Scope) -> Option<i32> {
        match self.expr(e, scope)?.specialise(&vec![None; scope.slot_names.len()]) {
            Expr::Int(n) => Some(n),
            _ => {
                self.error("L0225", "the bounds of an indexed expression must be constants", &e.at);
                None
            }
        }
    }

    pub(super) fn block(&mut self, stmts: &[ast::Stmt], scope: &mut Scope, at: &Place) -> Option<Block> {
        scope.local_count = 0;
        scope.locals.clear();
        let stmts = self.stmts(stmts, scope, at);
        scope.locals.clear();
        Some(Block { stmts: stmts?.into(), locals: scope.local_count })
    }

    fn stmts(&mut self, stmts: &[ast::Stmt], scope: &mut Scope, at: &Place) -> Option<Vec<Stmt>> {
        let depth = scope.locals.len();
        let mut out = Vec::new();
        let mut good = true;
        for stmt in stmts {
            good &= self.stmt(stmt, scope, at, &mut out).is_some();
        }
        scope.locals.truncate(depth);
        good.then_some(out)
    }

    fn stmt(&mut self, stmt: &ast::Stmt, scope: &mut Scope, at: &Place, out: &mut Vec<Stmt>) -> Option<()> {
        match stmt {
            ast::Stmt::Assign(target, value) => {
                let (target, value) = (self.target(target, scope), self.expr(value, scope));
                out.push(Stmt::Assign(target?, value?));
            }
            ast::Stmt::Local(name, init, _) => {
                let value = match init {
                    Some(e) => self.expr(e, scope)?,
                    None => Expr::Int(0),
                };
                let local = scope.local_count;
                scope.local_count += 1;
                scope.locals.push((name.clone(), local));
                out.push(Stmt::Assign(Target::Local(local), value));
            }
            ast::Stmt::If(c, yes, no) => {
                let c = self.expr(c, scope);
                let (yes, no) = (self.stmts(yes, scope, at), self.stmts(no, scope, at));
                out.push(Stmt::If(c?, yes?.into(), no?.into()));
            }
            ast::Stmt::While(c, body) => {
                let spot = self.spot(&c.at);
                let (c, body) = (self.expr(c, scope), self.stmts(body, scope, at));
                out.push(Stmt::While(c?, body?.into(), spot));
            }
            ast::Stmt::Block(stmts) => out.extend(self.stmts(stmts, scope, at)?),
            ast::Stmt::Call(name, args, at) => {
                let Some((Meaning::Macro(params, ast::Body::Block(body)), _)) = self.names.get(name).cloned()
                else {
                    self.unknown("statement macro", name, at);
                    return None;
                };
                let arguments = self.arguments(name, params, args, at, scope)?;
                let inner = self.expanded(scope, arguments, at, |this, scope| this.stmts(body, scope, at))?;
                out.extend(inner);
            }
        }
        Some(())
    }

    fn target(&mut self, target: &ast::Expr, scope: &mut Scope) -> Option<Target> {
        let spot = self.spot(&target.at);
        match &target.kind {
            ExprKind::Index(name, indices) => {
                Some(Target::Element(self.element(name, indices, &target.at, scope)?))
            }
            ExprKind::Name(name) => {
                if let Some((_, value, placeholder)) =
                    scope.arguments.iter().rev().find(|(n, ..)| n == name).cloned()
                {
                    return match value {
                        Expr::Cell(c) => Some(Target::Cell(c, spot)),
                        Expr::Element(el) => Some(Target::Element(el)),
                        Expr::Local(l) => Some(Target::Local(l)),
                        _ if placeholder => Some(Target::Local(0)),
                        _ => {
                            self.error(
                                "L0228",
                                format!("`{name}` stands for a value here and cannot be assigned"),
                                &target.at,
                            );
                            None
                        }
                    };
                }
                if let Some(local) = scope.local(name) {
                    return Some(Target::Local(local));
                }
                if scope.slot(name).is_some() {
                    self.problems.push(
                        Diagnostic::error("L0228", format!("parameter `{name}` cannot be assigned"))
                            .at(target.at.clone())
                            .help("pass the new value to the next process, or use a shared variable"),
                    );
                    return None;
                }
                match self.names.get(name).map(|(m, _)| m.clone()) {
                    Some(Meaning::Constant(_) | Meaning::Macro(..)) => {
                        self.error("L0228", format!("constant `{name}` cannot be assigned"), &target.at);
                        None
                    }
                    _ => match self.name(name, &target.at, scope)? {
                        Expr::Cell(c) => Some(Target::Cell(c, spot)),
                        _ => None,
                    },
                }
            }
            _ => {
                self.error("L0228", "only variables and array elements can be assigned", &target.at);
                None
            }
        }
    }
}
