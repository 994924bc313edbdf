//! Expressions and statements.

use super::*;
use lineal_model::process::expr::{Binary, Unary};

/// Loosest first.
const LEVELS: &[&[(&str, Binary)]] = &[
    &[("||", Binary::Or)],
    &[("&&", Binary::And)],
    &[("xor", Binary::Xor)],
    &[("&", Binary::BitAnd), ("|", Binary::BitOr), ("^", Binary::BitXor)],
    &[("==", Binary::Eq), ("!=", Binary::Ne)],
    &[("<", Binary::Lt), (">", Binary::Gt), ("<=", Binary::Le), (">=", Binary::Ge)],
    &[("+", Binary::Add), ("-", Binary::Sub)],
    &[("*", Binary::Mul), ("/", Binary::Div), ("%", Binary::Rem)],
];
/// Operators in a row at one level.
const LONG: usize = 400;

impl Parser<'_> {
    pub(super) fn expr(&mut self) -> Parsed<Expr> {
        self.nested(|p| p.level(0))
    }

    /// No comparisons and nothing looser: what stands in an event or message without parentheses.
    pub(super) fn arithmetic(&mut self) -> Parsed<Expr> {
        self.level(LEVELS.len() - 2)
    }

    fn level(&mut self, level: usize) -> Parsed<Expr> {
        let Some(operators) = LEVELS.get(level) else { return self.unary() };
        let mut left = self.level(level + 1)?;
        let mut count = 0;
        loop {
            let found = operators.iter().find(|(m, _)| self.is(m) || (*m == "xor" && self.is_word("xor")));
            let Some((_, op)) = found else { return Ok(left) };
            let at = self.place();
            self.at += 1;
            count += 1;
            if count > LONG {
                return self.fail(
                    Diagnostic::error("L0203", format!("more than {LONG} operators in a row"))
                        .at(at)
                        .help("use an indexed form such as `&& i:{0..9}@(a[i]==0)`, or a macro"),
                );
            }
            let right = self.level(level + 1)?;
            left = Expr { kind: ExprKind::Binary(*op, Box::new((left, right))), at };
        }
    }

    fn unary(&mut self) -> Parsed<Expr> {
        let at = self.place();
        let op = match self.peek() {
            Tok::Mark("!") => Unary::Not,
            Tok::Mark("-") => Unary::Neg,
            Tok::Mark("+") => {
                self.at += 1;
                return self.nested(|p| p.unary());
            }
            Tok::Mark(m @ ("&&" | "||")) => {
                let op = if *m == "&&" { Binary::And } else { Binary::Or };
                self.at += 1;
                let ranges = self.ranges()?;
                let body = self.nested(|p| p.unary())?;
                return Ok(Expr { kind: ExprKind::Indexed(op, ranges, Box::new(body)), at });
            }
            _ => return self.stepped(),
        };
        self.at += 1;
        let inner = self.nested(|p| p.unary())?;
        Ok(Expr { kind: ExprKind::Unary(op, Box::new(inner)), at })
    }

    /// `x++` is short for the assignment `x = x + 1`, and has its value.
    fn stepped(&mut self) -> Parsed<Expr> {
        let target = self.primary()?;
        let op = match self.peek() {
            Tok::Mark("++") => Binary::Add,
            Tok::Mark("--") => Binary::Sub,
            _ => return Ok(target),
        };
        self.at += 1;
        let at = target.at.clone();
        let one = Expr { kind: ExprKind::Int(1), at: at.clone() };
        Ok(Expr { kind: ExprKind::Store(Box::new(stepped(op, target, one))), at })
    }

    /// Also what may follow the dot of an event.
    pub(super) fn primary(&mut self) -> Parsed<Expr> {
        let at = self.place();
        let kind = match self.peek().clone() {
            Tok::Int(n) => {
                self.at += 1;
                ExprKind::Int(n)
            }
            Tok::Mark("(") => {
                self.at += 1;
                let inner = self.assignment()?;
                self.expect(")", "to close the parenthesis")?;
                return Ok(inner);
            }
            Tok::Mark("[") => {
                self.at += 1;
                ExprKind::Array(self.nested(|p| p.elements())?)
            }
            Tok::Mark("#") => {
                self.at += 1;
                let name = self.name("the process whose copies are counted")?;
                let args = if self.is("(") { self.nested(|p| p.arguments())? } else { Vec::new() };
                ExprKind::Count(name, args)
            }
            Tok::Ident(name) if &*name == "call" && self.tok(self.at + 1) == &Tok::Mark("(") => {
                self.at += 2;
                let name = self.name("the name of a macro or channel operation")?;
                let mut args = Vec::new();
                while self.eat(",") {
                    args.push(self.expr()?);
                }
                self.expect(")", "after the arguments of `call`")?;
                ExprKind::Call(name, args)
            }
            Tok::Ident(name) => {
                self.at += 1;
                match &*name {
                    "true" => ExprKind::Int(1),
                    "false" => ExprKind::Int(0),
                    "new" => return self.foreign(at),
                    _ => {
                        let indices = self.indices()?;
                        if self.is(".")
                            && matches!(self.tok(self.at + 1), Tok::Ident(_))
                            && self.tok(self.at + 2) == &Tok::Mark("(")
                        {
                            return self.foreign(at);
                        }
                        match indices.is_empty() {
                            true => ExprKind::Name(name),
                            false => ExprKind::Index(name, indices),
                        }
                    }
                }
            }
            _ => return self.wrong("expected an expression"),
        };
        Ok(Expr { kind, at })
    }

    /// An expression, or an assignment with its value.
    pub(super) fn assignment(&mut self) -> Parsed<Expr> {
        let target = self.expr()?;
        let at = target.at.clone();
        let op = match self.peek() {
            Tok::Mark("=") => None,
            Tok::Mark("+=") => Some(Binary::Add),
            Tok::Mark("-=") => Some(Binary::Sub),
            Tok::Mark("*=") => Some(Binary::Mul),
            Tok::Mark("/=") => Some(Binary::Div),
            Tok::Mark("%=") => Some(Binary::Rem),
            _ => return Ok(target),
        };
        self.at += 1;
        let value = self.nested(|p| p.assignment())?;
        let pair = match op {
            Some(op) => stepped(op, target, value),
            None => (target, value),
        };
        Ok(Expr { kind: ExprKind::Store(Box::new(pair)), at })
    }

    fn foreign<T>(&mut self, at: Place) -> Parsed<T> {
        self.fail(
            Diagnostic::error(
                "L0211",
                "objects and methods of C# libraries are not part of what Lineal reads",
            )
            .at(at)
            .help("model the data with integer variables and arrays"),
        )
    }

    pub(super) fn indices(&mut self) -> Parsed<Vec<Expr>> {
        let mut indices = Vec::new();
        while self.eat("[") {
            indices.push(self.expr()?);
            self.expect("]", "after the index")?;
        }
        Ok(indices)
    }

    /// `{ … }`
    pub(super) fn block(&mut self) -> Parsed<Vec<Stmt>> {
        self.expect("{", "before statements")?;
        let mut stmts = Vec::new();
        while !self.eat("}") {
            if *self.peek() == Tok::End {
                return self.wrong("expected `}` after statements");
            }
            if self.eat(";") {
                continue;
            }
            stmts.push(self.nested(|p| p.stmt())?);
        }
        Ok(stmts)
    }

    fn body(&mut self) -> Parsed<Vec<Stmt>> {
        match self.is("{") {
            true => self.block(),
            false => Ok(vec![self.nested(|p| p.stmt())?]),
        }
    }

    fn stmt(&mut self) -> Parsed<Stmt> {
        let at = self.place();
        if self.is("{") {
            return Ok(Stmt::Block(self.block()?));
        }
        if self.eat_word("if") {
            self.expect("(", "after `if`")?;
            let c = self.expr()?;
            self.expect(")", "after the condition")?;
            let yes = self.body()?;
            let no = if self.eat_word("else") { self.body()? } else { Vec::new() };
            return Ok(Stmt::If(c, yes, no));
        }
        if self.eat_word("while") {
            self.expect("(", "after `while`")?;
            let c = self.expr()?;
            self.expect(")", "after the condition")?;
            return Ok(Stmt::While(c, self.body()?));
        }
        if self.eat_word("var") {
            if self.is("<") {
                return self.foreign(at);
            }
            let name = self.name("the name of a local variable")?;
            let mut len = self.indices()?;
            if len.len() > 1 {
                return self.wrong("a local array has one dimension: expected `=` or `;`");
            }
            let init = if self.eat("=") { Some(self.assignment()?) } else { None };
            self.end_stmt()?;
            return Ok(Stmt::Local(name, len.pop(), init, at));
        }
        let target = self.assignment()?;
        let stmt = if let ExprKind::Store(pair) = target.kind {
            Stmt::Assign(pair.0, pair.1)
        } else if let ExprKind::Call(name, args) = target.kind {
            Stmt::Call(name, args, at)
        } else if let ExprKind::Name(name) = target.kind {
            Stmt::Call(name, Vec::new(), at)
        } else {
            return self.wrong("expected `=`, `+=`, `++` or `--`");
        };
        self.end_stmt()?;
        Ok(stmt)
    }

    /// The last statement of a block may go without its `;`.
    fn end_stmt(&mut self) -> Parsed<()> {
        match self.eat(";") || self.is("}") {
            true => Ok(()),
            false => self.wrong("expected `;` after the statement"),
        }
    }
}

/// A variable, and what it becomes.
fn stepped(op: Binary, target: Expr, by: Expr) -> (Expr, Expr) {
    let at = target.at.clone();
    let value = Expr { kind: ExprKind::Binary(op, Box::new((target.clone(), by))), at };
    (target, value)
}
