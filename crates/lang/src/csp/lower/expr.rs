//! Expressions, macros and statement blocks.

use super::super::ast::{ExprKind, RangeItem};
use super::arrays::Value;
use super::*;
use lineal_model::process::expr::{Binary, Element, Query, Stmt, Target, Unary};

/// Macros inside macros.
const DEEP: u32 = 30;
/// Instances of an indexed expression.
const WIDE: i64 = 1_000;
/// Elements of a local array.
const LOCALS: i32 = 1_000;

/// What PAT.Math computes with whole numbers.
#[derive(Clone, Copy)]
enum Function {
    Two(Binary),
    Abs,
}

impl Function {
    fn of(name: &str) -> Option<Self> {
        match name.to_ascii_lowercase().as_str() {
            "min" => Some(Function::Two(Binary::Min)),
            "max" => Some(Function::Two(Binary::Max)),
            "pow" | "power" => Some(Function::Two(Binary::Pow)),
            "abs" => Some(Function::Abs),
            _ => None,
        }
    }
}

impl<'a> Lower<'a> {
    pub(super) fn expr(&mut self, e: &ast::Expr, scope: &mut Scope) -> Option<Expr> {
        Some(match &e.kind {
            ExprKind::Int(n) => Expr::Int(*n),
            ExprKind::Name(name) => return self.name(name, &e.at, scope),
            ExprKind::Index(name, indices) => {
                let own = scope.local(name).is_some() || scope.slot(name).is_some();
                if own && let Some(all) = self.whole(name, scope) {
                    return self.picked(all, indices, &e.at, scope);
                }
                return self.element(name, indices, &e.at, scope).map(Expr::Element);
            }
            ExprKind::Array(_) => {
                self.error("L0223", "a whole array cannot be used in this expression", &e.at);
                return None;
            }
            ExprKind::Store(_) => {
                self.refuse_store(&e.at);
                return None;
            }
            ExprKind::Count(name, args) => return self.count(name, args, &e.at, scope),
            ExprKind::Unary(op, inner) => {
                let inner = self.expr(inner, scope)?;
                Expr::Unary(*op, Box::new(inner), self.spot(&e.at))
            }
            ExprKind::Binary(op, pair) => {
                if matches!(op, Binary::Eq | Binary::Ne) {
                    let (a, b) = (self.value(&pair.0, scope), self.value(&pair.1, scope));
                    return match (a?, b?) {
                        (Value::Many(a), Value::Many(b)) => self.same(*op, a, b, &e.at),
                        (Value::One(a), Value::One(b)) => {
                            Some(Expr::Binary(*op, Box::new((a, b)), self.spot(&e.at)))
                        }
                        _ => {
                            self.error("L0229", "a whole array is compared with a number", &e.at);
                            None
                        }
                    };
                }
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
        if self.whole(name, scope).is_some() {
            self.error("L0223", format!("`{name}` is an array: say which element"), at);
            return None;
        }
        if let Some(local) = scope.local(name) {
            return Some(Expr::Local(local));
        }
        if let Some(slot) = scope.slot(name) {
            return Some(Expr::Slot(slot));
        }
        match self.names.get(name).map(|(m, _)| m.clone()) {
            Some(Meaning::Constant(n)) => Some(Expr::Int(n)),
            Some(Meaning::Global(g)) => Some(Expr::Cell(self.model.globals[g as usize].first)),
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
        let known = self.names.get(name).cloned();
        if known.is_none()
            && let Some(function) = Function::of(name)
        {
            return self.function(function, name, args, at, scope);
        }
        let Some((Meaning::Macro(params, ast::Body::Expr(body)), _)) = known else {
            self.unknown("macro", name, at);
            return None;
        };
        let arguments = self.arguments(name, params, args, at, scope)?;
        self.expanded(scope, arguments, at, |this, scope| this.expr(body, scope))
    }

    /// One of the functions of PAT.Math.
    fn function(
        &mut self,
        function: Function,
        name: &Name,
        args: &[ast::Expr],
        at: &Place,
        scope: &mut Scope,
    ) -> Option<Expr> {
        let lowered: Option<Vec<_>> = args.iter().map(|a| self.expr(a, scope)).collect();
        let spot = self.spot(at);
        let binary = |op, a: Expr, b: Expr| Expr::Binary(op, Box::new((a, b)), spot);
        Some(match (function, &lowered?[..]) {
            (Function::Two(op), [a, b]) => binary(op, a.clone(), b.clone()),
            (Function::Abs, [a]) => {
                let less = Expr::Unary(Unary::Neg, Box::new(a.clone()), spot);
                binary(Binary::Max, a.clone(), less)
            }
            (function, given) => {
                let takes = if matches!(function, Function::Abs) { "1 argument" } else { "2 arguments" };
                self.error("L0221", format!("`{name}` takes {takes}, {} given", given.len()), at);
                return None;
            }
        })
    }

    /// `#P()`, in a condition of an assertion.
    fn count(&mut self, name: &Name, args: &[ast::Expr], at: &Place, scope: &mut Scope) -> Option<Expr> {
        if !self.counting {
            self.problems.push(
                Diagnostic::error("L0223", "processes can be counted only in conditions of assertions")
                    .at(at.clone())
                    .help("count them in a variable, which the events of the process change"),
            );
            return None;
        }
        let Some((Meaning::Process(def), _)) = self.names.get(name).cloned() else {
            self.unknown("process", name, at);
            return None;
        };
        let params = self.arities[def.0 as usize];
        if params != args.len() || self.model.defs[def.0 as usize].params as usize != params {
            self.error("L0221", format!("`#{name}` needs {params} numbers, {} given", args.len()), at);
            return None;
        }
        let args: Option<Vec<_>> = args.iter().map(|a| self.fixed(a, scope).map(Expr::Int)).collect();
        Some(Expr::Count(def, args?.into()))
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
        op: Binary,
        ranges: &[ast::Range],
        body: &ast::Expr,
        at: &Place,
        scope: &mut Scope,
    ) -> Option<Expr> {
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
            if (high as i64 - low as i64).abs() > WIDE || out.len() as i64 > WIDE {
                self.error("L0226", format!("the index set has more than {WIDE} elements"), &range.at);
                return None;
            }
            for n in span(low, high) {
                scope.arguments.push((range.name.clone(), Expr::Int(n), false));
                let done = self.unroll(rest, body, scope, out);
                scope.arguments.pop();
                done?;
            }
        }
        Some(())
    }

    pub(super) fn fixed(&mut self, e: &ast::Expr, scope: &mut Scope) -> Option<i32> {
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
        scope.local_arrays.clear();
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
                if let ExprKind::Name(name) = &target.kind
                    && let Some(all) = self.whole(name, scope)
                {
                    let value = self.value(value, scope)?;
                    return self.store_all(all, value, &target.at, scope, out);
                }
                if effects::stores(value) {
                    let value = self.effects(value, scope, out)?;
                    return self.store(target, value, scope, out);
                }
                let before = self.problems.len();
                let value = self.expr(value, scope);
                if value.is_none() {
                    // So that both sides report.
                    let _ = self.store(target, Expr::Int(0), scope, &mut Vec::new());
                    debug_assert!(self.problems.len() > before);
                }
                self.store(target, value?, scope, out)?;
            }
            ast::Stmt::Local(name, len, init, place) => {
                let len = match len {
                    Some(e) => match self.fixed(e, scope)? {
                        n @ 1..=LOCALS => Some(n as u32),
                        n => {
                            self.error("L0226", format!("a local array cannot have {n} elements"), &e.at);
                            return None;
                        }
                    },
                    None => None,
                };
                let value = match init {
                    Some(e) if effects::stores(e) => Value::One(self.effects(e, scope, out)?),
                    Some(e) => self.value(e, scope)?,
                    None => match len {
                        Some(n) => Value::Many(vec![Expr::Int(0); n as usize]),
                        None => Value::One(Expr::Int(0)),
                    },
                };
                match (value, len) {
                    (Value::One(e), None) => {
                        let local = scope.declare(name.clone(), None);
                        out.push(Stmt::Assign(Target::Local(local), e));
                    }
                    (value, len) => {
                        let count = match &value {
                            Value::Many(all) => all.len() as u32,
                            Value::One(_) => 1,
                        };
                        scope.declare(name.clone(), Some(len.unwrap_or(count)));
                        let all = self.whole(name, scope).unwrap_or_default();
                        self.store_all(all, value, place, scope, out)?;
                    }
                }
            }
            ast::Stmt::If(c, yes, no) => {
                let c = self.effects(c, scope, out);
                let (yes, no) = (self.stmts(yes, scope, at), self.stmts(no, scope, at));
                out.push(Stmt::If(c?, yes?.into(), no?.into()));
            }
            ast::Stmt::While(c, body) => {
                let spot = self.spot(&c.at);
                // What the condition assigns happens before each look at it.
                let mut first = Vec::new();
                let (c, body) = (self.effects(c, scope, &mut first), self.stmts(body, scope, at));
                let body = [body?, first.clone()].concat();
                out.extend(first);
                out.push(Stmt::While(c?, body.into(), spot));
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

    /// Stores a number into a variable or element.
    pub(super) fn store(
        &mut self,
        target: &ast::Expr,
        value: Expr,
        scope: &mut Scope,
        out: &mut Vec<Stmt>,
    ) -> Option<()> {
        if let ExprKind::Index(name, index) = &target.kind
            && scope.local(name).is_some()
            && let Some(all) = self.whole(name, scope)
        {
            let [index] = &index[..] else {
                self.error("L0223", "a local array has one dimension", &target.at);
                return None;
            };
            let index = self.expr(index, scope)?;
            self.store_local(all, index, value, &target.at, scope, out);
            return Some(());
        }
        let target = self.target(target, scope)?;
        out.push(Stmt::Assign(target, value));
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
