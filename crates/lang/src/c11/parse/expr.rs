//! Expressions.

use super::*;

/// Binding strength and meaning of the binary operators; larger binds tighter.
fn binary(punct: &str) -> Option<(u8, Op2)> {
    use Binary::*;
    Some(match punct {
        "||" => (1, Op2::Or),
        "&&" => (2, Op2::And),
        "|" => (3, Op2::Plain(BitOr)),
        "^" => (4, Op2::Plain(BitXor)),
        "&" => (5, Op2::Plain(BitAnd)),
        "==" => (6, Op2::Plain(Eq)),
        "!=" => (6, Op2::Plain(Ne)),
        "<" => (7, Op2::Plain(Lt)),
        ">" => (7, Op2::Plain(Gt)),
        "<=" => (7, Op2::Plain(Le)),
        ">=" => (7, Op2::Plain(Ge)),
        "<<" => (8, Op2::Plain(Shl)),
        ">>" => (8, Op2::Plain(Shr)),
        "+" => (9, Op2::Plain(Add)),
        "-" => (9, Op2::Plain(Sub)),
        "*" => (10, Op2::Plain(Mul)),
        "/" => (10, Op2::Plain(Div)),
        "%" => (10, Op2::Plain(Rem)),
        _ => return None,
    })
}

enum Op2 {
    And,
    Or,
    Plain(Binary),
}

fn assignment_op(punct: &str) -> Option<Option<Binary>> {
    use Binary::*;
    Some(match punct {
        "=" => None,
        "*=" => Some(Mul),
        "/=" => Some(Div),
        "%=" => Some(Rem),
        "+=" => Some(Add),
        "-=" => Some(Sub),
        "<<=" => Some(Shl),
        ">>=" => Some(Shr),
        "&=" => Some(BitAnd),
        "^=" => Some(BitXor),
        "|=" => Some(BitOr),
        _ => return None,
    })
}

impl Parser<'_> {
    pub(super) fn expression(&mut self) -> Parsed<Expr> {
        let mut left = self.assignment()?;
        while self.is(",") {
            let pos = self.pos();
            self.bump();
            let right = self.assignment()?;
            let height = left.depth.max(right.depth);
            left = self.make(ExprKind::Comma(Box::new(left), Box::new(right)), pos, height)?;
        }
        Ok(left)
    }

    pub(super) fn assignment(&mut self) -> Parsed<Expr> {
        self.nested(|p| {
            let left = p.conditional()?;
            let Tok::Punct(punct) = *p.peek() else { return Ok(left) };
            let Some(op) = assignment_op(punct) else { return Ok(left) };
            let pos = p.pos();
            p.bump();
            let right = p.assignment()?;
            let height = left.depth.max(right.depth);
            p.make(ExprKind::Assign(op, Box::new(left), Box::new(right)), pos, height)
        })
    }

    pub(super) fn conditional(&mut self) -> Parsed<Expr> {
        self.nested(|p| {
            let cond = p.binary(0)?;
            if !p.is("?") {
                return Ok(cond);
            }
            let pos = p.pos();
            p.bump();
            let then = if p.is(":") { None } else { Some(Box::new(p.expression()?)) };
            p.expect(":")?;
            let other = p.conditional()?;
            let height = cond.depth.max(other.depth).max(then.as_ref().map_or(0, |t| t.depth));
            p.make(ExprKind::Conditional(Box::new(cond), then, Box::new(other)), pos, height)
        })
    }

    fn binary(&mut self, min: u8) -> Parsed<Expr> {
        let mut left = self.cast()?;
        loop {
            let Tok::Punct(punct) = *self.peek() else { return Ok(left) };
            let Some((strength, op)) = binary(punct) else { return Ok(left) };
            if strength <= min {
                return Ok(left);
            }
            let pos = self.pos();
            self.bump();
            let right = self.nested(|p| p.binary(strength))?;
            let height = left.depth.max(right.depth);
            let (l, r) = (Box::new(left), Box::new(right));
            let kind = match op {
                Op2::And => ExprKind::And(l, r),
                Op2::Or => ExprKind::Or(l, r),
                Op2::Plain(op) => ExprKind::Binary(op, l, r),
            };
            left = self.make(kind, pos, height)?;
        }
    }

    /// Whether `(` here opens a type.
    fn opens_type(&self) -> bool {
        self.is("(") && self.names_type(1)
    }

    fn cast(&mut self) -> Parsed<Expr> {
        if !self.opens_type() {
            return self.unary();
        }
        self.nested(|p| {
            let pos = p.pos();
            p.bump();
            let ty = p.type_name()?;
            p.expect(")")?;
            if p.is("{") {
                let init = p.initializer()?;
                let literal = p.make(ExprKind::CompoundLiteral(Box::new(ty), Box::new(init)), pos, 1)?;
                return p.postfix(literal);
            }
            let value = p.cast()?;
            let height = value.depth;
            p.make(ExprKind::Cast(Box::new(ty), Box::new(value)), pos, height)
        })
    }

    fn unary(&mut self) -> Parsed<Expr> {
        self.nested(|p| {
            let pos = p.pos();
            let op = match p.peek() {
                Tok::Punct("+") => Some(Unary::Plus),
                Tok::Punct("-") => Some(Unary::Minus),
                Tok::Punct("~") => Some(Unary::BitNot),
                Tok::Punct("!") => Some(Unary::Not),
                Tok::Punct("*") => Some(Unary::Deref),
                Tok::Punct("&") => Some(Unary::AddressOf),
                Tok::Punct("++") => Some(Unary::PreIncrement),
                Tok::Punct("--") => Some(Unary::PreDecrement),
                Tok::Punct("&&") => {
                    p.bump();
                    p.ident()?;
                    return p.make(ExprKind::Refused("the address of a label (computed goto)"), pos, 0);
                }
                _ => None,
            };
            if let Some(op) = op {
                p.bump();
                let operand = p.cast()?;
                let height = operand.depth;
                return p.make(ExprKind::Unary(op, Box::new(operand)), pos, height);
            }
            match p.word() {
                Some("sizeof") => {
                    p.bump();
                    if p.opens_type() {
                        p.bump();
                        let ty = p.type_name()?;
                        p.expect(")")?;
                        if p.is("{") {
                            let init = p.initializer()?;
                            let literal =
                                p.make(ExprKind::CompoundLiteral(Box::new(ty), Box::new(init)), pos, 1)?;
                            let literal = p.postfix(literal)?;
                            return p.make(ExprKind::SizeofExpr(Box::new(literal)), pos, 2);
                        }
                        return p.make(ExprKind::SizeofType(Box::new(ty)), pos, 0);
                    }
                    let operand = p.unary()?;
                    let height = operand.depth;
                    p.make(ExprKind::SizeofExpr(Box::new(operand)), pos, height)
                }
                Some("_Alignof" | "__alignof__" | "__alignof") => {
                    p.bump();
                    if p.opens_type() {
                        p.bump();
                        let ty = p.type_name()?;
                        p.expect(")")?;
                        return p.make(ExprKind::AlignofType(Box::new(ty)), pos, 0);
                    }
                    let operand = p.unary()?;
                    let height = operand.depth;
                    p.make(ExprKind::AlignofExpr(Box::new(operand)), pos, height)
                }
                Some("__extension__") => {
                    p.bump();
                    p.cast()
                }
                Some("__real__" | "__imag__") => {
                    p.bump();
                    p.cast()?;
                    p.make(ExprKind::Refused("a complex number"), pos, 0)
                }
                _ => {
                    let primary = p.primary()?;
                    p.postfix(primary)
                }
            }
        })
    }

    fn postfix(&mut self, mut e: Expr) -> Parsed<Expr> {
        loop {
            let pos = self.pos();
            let height = e.depth;
            let kind = if self.eat("[") {
                let index = self.expression()?;
                self.expect("]")?;
                let h = height.max(index.depth);
                e = self.make(ExprKind::Index(Box::new(e), Box::new(index)), pos, h)?;
                continue;
            } else if self.eat("(") {
                let mut args = Vec::new();
                let mut h = height;
                while !self.is(")") {
                    let arg = self.assignment()?;
                    h = h.max(arg.depth);
                    args.push(arg);
                    if !self.eat(",") {
                        break;
                    }
                }
                self.expect(")")?;
                let at = e.pos;
                e = self.make(ExprKind::Call(Box::new(e), args), at, h)?;
                continue;
            } else if self.eat(".") {
                ExprKind::Member { name: self.ident()?, base: Box::new(e), arrow: false }
            } else if self.eat("->") {
                ExprKind::Member { name: self.ident()?, base: Box::new(e), arrow: true }
            } else if self.eat("++") {
                ExprKind::Postfix(1, Box::new(e))
            } else if self.eat("--") {
                ExprKind::Postfix(-1, Box::new(e))
            } else {
                return Ok(e);
            };
            e = self.make(kind, pos, height)?;
        }
    }

    fn primary(&mut self) -> Parsed<Expr> {
        let pos = self.pos();
        match self.peek().clone() {
            Tok::Int { value, unsigned, longs, decimal } => {
                self.bump();
                self.make(ExprKind::Int { value, ty: constant_type(value, unsigned, longs, decimal) }, pos, 0)
            }
            Tok::Char(c) => {
                self.bump();
                self.make(ExprKind::Int { value: i64::from(c) as u64, ty: IntTy::Int }, pos, 0)
            }
            Tok::Float(bits, kind) => {
                self.bump();
                let kind = match kind {
                    Some(kind) => ExprKind::Float { bits, kind },
                    None => ExprKind::Refused("a constant of type `long double` or a complex one"),
                };
                self.make(kind, pos, 0)
            }
            Tok::Str(s) => {
                self.bump();
                self.make(ExprKind::Str(s), pos, 0)
            }
            Tok::Punct("(") => {
                self.bump();
                if self.is("{") {
                    let block = self.nested(|p| p.scoped(|p| p.block()))?;
                    self.expect(")")?;
                    return self.make(ExprKind::Statements(Box::new(block)), pos, 1);
                }
                let inner = self.expression()?;
                self.expect(")")?;
                Ok(inner)
            }
            Tok::Ident(name) => match &*name {
                "_Generic" => self.generic(pos),
                "__builtin_offsetof" => self.offsetof(pos),
                "__builtin_types_compatible_p" => {
                    self.bump();
                    self.expect("(")?;
                    let a = self.type_name()?;
                    self.expect(",")?;
                    let b = self.type_name()?;
                    self.expect(")")?;
                    self.make(ExprKind::TypesCompatible(Box::new(a), Box::new(b)), pos, 0)
                }
                "__builtin_choose_expr" => {
                    self.bump();
                    self.expect("(")?;
                    let c = self.assignment()?;
                    self.expect(",")?;
                    let a = self.assignment()?;
                    self.expect(",")?;
                    let b = self.assignment()?;
                    self.expect(")")?;
                    let height = c.depth.max(a.depth).max(b.depth);
                    self.make(ExprKind::ChooseExpr(Box::new(c), Box::new(a), Box::new(b)), pos, height)
                }
                "__builtin_va_arg" => {
                    self.bump();
                    self.expect("(")?;
                    self.assignment()?;
                    self.expect(",")?;
                    self.type_name()?;
                    self.expect(")")?;
                    self.make(ExprKind::Refused("a variable argument list"), pos, 0)
                }
                "__func__" | "__FUNCTION__" | "__PRETTY_FUNCTION__" => {
                    self.bump();
                    self.make(ExprKind::FunctionName, pos, 0)
                }
                w if is_keyword(w) => Err(self.unexpected("an expression")),
                _ => {
                    self.bump();
                    self.make(ExprKind::Ident(name), pos, 0)
                }
            },
            _ => Err(self.unexpected("an expression")),
        }
    }

    fn generic(&mut self, pos: Pos) -> Parsed<Expr> {
        self.bump();
        self.expect("(")?;
        let control = self.assignment()?;
        let mut height = control.depth;
        let mut arms = Vec::new();
        while self.eat(",") {
            let ty = if self.eat_word(&["default"]) { None } else { Some(self.type_name()?) };
            self.expect(":")?;
            let value = self.assignment()?;
            height = height.max(value.depth);
            arms.push((ty, value));
        }
        self.expect(")")?;
        self.make(ExprKind::Generic(Box::new(control), arms), pos, height)
    }

    fn offsetof(&mut self, pos: Pos) -> Parsed<Expr> {
        self.bump();
        self.expect("(")?;
        let ty = self.type_name()?;
        self.expect(",")?;
        let mut path = vec![Designator::Field(self.ident()?)];
        loop {
            if self.eat(".") {
                path.push(Designator::Field(self.ident()?));
            } else if self.eat("[") {
                path.push(Designator::Index(self.expression()?));
                self.expect("]")?;
            } else {
                break;
            }
        }
        self.expect(")")?;
        self.make(ExprKind::Offsetof(Box::new(ty), path), pos, 0)
    }
}

/// The first type of C's list in which the constant fits.
fn constant_type(value: u64, unsigned: bool, longs: u8, decimal: bool) -> IntTy {
    let signed_ok = !unsigned;
    let unsigned_ok = unsigned || !decimal;
    if longs == 0 {
        if signed_ok && value <= i32::MAX as u64 {
            return IntTy::Int;
        }
        if unsigned_ok && value <= u64::from(u32::MAX) {
            return IntTy::UInt;
        }
    }
    let long_long = longs >= 2;
    if signed_ok && value <= i64::MAX as u64 {
        return if long_long { IntTy::LongLong } else { IntTy::Long };
    }
    if long_long { IntTy::ULongLong } else { IntTy::ULong }
}
