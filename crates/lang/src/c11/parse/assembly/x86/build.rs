//! Pieces of C, as the reader puts them together.

use super::*;

impl Reader<'_, '_> {
    /// A new variable that holds a value; its name is none of the program's.
    pub(super) fn hold(&mut self, value: Expr) -> Name {
        let name: Name = format!("%{}", self.fresh).into();
        self.fresh += 1;
        let pos = self.pos;
        let specs = self.specs(TypeSpec::Auto);
        let attributes = Attributes::default();
        let declarator = Declarator { name: Some(name.clone()), derived: Vec::new(), attributes, pos };
        let items = vec![(declarator, Some(Initializer::Expr(value)))];
        let kind = StmtKind::Declaration(Declaration { specs, items });
        self.items.push(Stmt { kind, pos });
        name
    }

    pub(super) fn run(&mut self, e: Expr) {
        let pos = self.pos;
        self.items.push(Stmt { kind: StmtKind::Expr(e), pos });
    }

    pub(super) fn assign(&mut self, to: Expr, value: Expr) -> Read<()> {
        let value = self.cast_like(&to, value)?;
        let whole = self.make(ExprKind::Assign(None, Box::new(to), Box::new(value)))?;
        self.run(whole);
        Ok(())
    }

    /// The value in the type of an object.
    pub(super) fn cast_like(&mut self, object: &Expr, value: Expr) -> Read<Expr> {
        self.cast(TypeSpec::TypeofExpr(Box::new(object.clone())), Vec::new(), value)
    }

    /// The address, of a number with so many bytes.
    pub(super) fn cast_to_pointer(&mut self, size: u64, address: Expr) -> Read<Expr> {
        let ty = match size {
            1 => IntTy::UChar,
            2 => IntTy::UShort,
            4 => IntTy::UInt,
            _ => IntTy::ULong,
        };
        self.cast(TypeSpec::Int(ty), vec![Derived::Pointer(Quals::default())], address)
    }

    fn cast(&mut self, ty: TypeSpec, derived: Vec<Derived>, value: Expr) -> Read<Expr> {
        let specs = self.specs(ty);
        let declarator = Declarator { name: None, derived, attributes: Attributes::default(), pos: self.pos };
        self.make(ExprKind::Cast(Box::new(TypeName { specs, declarator }), Box::new(value)))
    }

    fn specs(&self, ty: TypeSpec) -> Specs {
        Specs {
            storage: Storage::None,
            thread_local: false,
            quals: Quals::default(),
            ty,
            align: Vec::new(),
            attributes: Attributes::default(),
            pos: self.pos,
        }
    }

    pub(super) fn name(&mut self, name: &Name) -> Read<Expr> {
        self.make(ExprKind::Ident(name.clone()))
    }

    pub(super) fn number(&mut self, value: i64) -> Expr {
        Expr { kind: ExprKind::Int { value: value as u64, ty: IntTy::Long }, pos: self.pos, depth: 1 }
    }

    pub(super) fn call(&mut self, function: &str, arguments: Vec<Expr>) -> Read<Expr> {
        let callee = self.make(ExprKind::Ident(function.into()))?;
        self.make(ExprKind::Call(Box::new(callee), arguments))
    }

    pub(super) fn unary(&mut self, op: Unary, e: Expr) -> Read<Expr> {
        self.make(ExprKind::Unary(op, Box::new(e)))
    }

    pub(super) fn binary(&mut self, op: Binary, a: Expr, b: Expr) -> Read<Expr> {
        self.make(ExprKind::Binary(op, Box::new(a), Box::new(b)))
    }

    /// One more thing that has to be so of the types.
    pub(super) fn require(&mut self, fact: Expr) -> Read<()> {
        self.fits = Some(match self.fits.take() {
            None => fact,
            Some(before) => self.make(ExprKind::And(Box::new(before), Box::new(fact)))?,
        });
        Ok(())
    }

    pub(super) fn make(&mut self, kind: ExprKind) -> Read<Expr> {
        let height = match &kind {
            ExprKind::Unary(_, e) | ExprKind::SizeofExpr(e) | ExprKind::Cast(_, e) => e.depth,
            ExprKind::And(a, b)
            | ExprKind::Or(a, b)
            | ExprKind::Binary(_, a, b)
            | ExprKind::Assign(_, a, b) => a.depth.max(b.depth),
            ExprKind::ChooseExpr(a, b, c) => a.depth.max(b.depth).max(c.depth),
            ExprKind::Call(_, arguments) => arguments.iter().map(|e| e.depth).max().unwrap_or(1),
            _ => 1,
        };
        self.parser.make(kind, self.pos, height).map_err(|_| Why::Unknown)
    }
}
