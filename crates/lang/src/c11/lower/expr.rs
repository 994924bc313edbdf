//! Expressions: their types and their code.

use super::*;
use lineal_model::program::{BinOp, UnOp};

impl Lower<'_> {
    /// The type of an expression that is not evaluated.
    pub(super) fn type_of(&mut self, e: &Expr) -> Lowered<QTy> {
        let (code, loops) = (self.out.code.len(), self.out.loops.len());
        let (next, memory, objects) = (self.frame.next, self.frame.memory, self.frame.objects.len());
        let heads = self.frame.heads.len();
        self.dry += 1;
        let facts = self.facts.clone();
        let result = self.type_of_inner(e);
        self.facts = facts;
        self.dry -= 1;
        self.out.code.truncate(code);
        self.out.sites.truncate(code);
        self.out.loops.truncate(loops);
        self.frame.heads.truncate(heads);
        self.frame.next = next;
        self.frame.memory = memory;
        self.frame.objects.truncate(objects);
        result
    }

    pub(super) fn type_of_inner(&mut self, e: &Expr) -> Lowered<QTy> {
        let is_object = match &e.kind {
            ExprKind::Ident(name) => !matches!(self.lookup(name), Some(Symbol::Constant(..))),
            ExprKind::Unary(Unary::Deref, _)
            | ExprKind::Index(..)
            | ExprKind::Str(_)
            | ExprKind::FunctionName
            | ExprKind::CompoundLiteral(..) => true,
            ExprKind::Member { .. } => true,
            _ => false,
        };
        if is_object {
            let spot = self.spot(e)?;
            return Ok(self.spot_type(&spot));
        }
        Ok(self.value(e)?.ty.plain())
    }

    /// An expression for its effects: a call in it need not return a value.
    pub(super) fn discard(&mut self, e: &Expr) -> Lowered<()> {
        self.unused = true;
        let outcome = self.value(e);
        self.unused = false;
        outcome.map(|_| ())
    }

    pub(super) fn value(&mut self, e: &Expr) -> Lowered<Val> {
        self.pos = e.pos;
        let unused = std::mem::take(&mut self.unused);
        match &e.kind {
            ExprKind::Int { value, ty } => Ok(self.int(*value, *ty)),
            ExprKind::Float { bits, kind } => Ok(self.float(*bits, *kind)),
            ExprKind::Refused(what) => self.refuse(what),
            ExprKind::Ident(name) => {
                if let Some(Symbol::Constant(value, ty)) = self.lookup(name) {
                    return Ok(self.int(value, ty));
                }
                let spot = self.spot(e)?;
                self.load(spot)
            }
            ExprKind::Str(_)
            | ExprKind::FunctionName
            | ExprKind::Index(..)
            | ExprKind::Member { .. }
            | ExprKind::CompoundLiteral(..) => {
                let spot = self.spot(e)?;
                self.pos = e.pos;
                self.load(spot)
            }
            ExprKind::Unary(op, inner) => self.unary(*op, inner, e),
            ExprKind::Postfix(by, inner) => self.step(inner, *by, false, e.pos),
            ExprKind::Binary(op, l, r) => {
                let l = self.value(l)?;
                let r = self.value(r)?;
                self.pos = e.pos;
                self.binary(*op, l, r)
            }
            ExprKind::And(l, r) => self.shortcut(l, r, true),
            ExprKind::Or(l, r) => self.shortcut(l, r, false),
            ExprKind::Assign(None, l, r) => self.assign(l, r, e.pos),
            ExprKind::Assign(Some(op), l, r) => self.compound(*op, l, r, e.pos),
            ExprKind::Conditional(c, t, f) => self.conditional(c, t.as_deref(), f, e.pos, unused),
            ExprKind::Comma(l, r) => {
                self.discard(l)?;
                self.unused = unused;
                self.value(r)
            }
            ExprKind::Call(f, args) => self.call(f, args, e.pos, unused),
            ExprKind::Cast(ty, inner) => self.cast(ty, inner, e.pos),
            ExprKind::SizeofExpr(inner) => {
                if let Some(size) = self.variable_size(inner) {
                    return Ok(size);
                }
                let ty = self.type_of(inner)?;
                self.pos = e.pos;
                let size = self.size_of(&ty)?;
                Ok(self.int(size, IntTy::ULong))
            }
            ExprKind::SizeofType(ty) => {
                let ty = self.type_name(ty)?;
                self.pos = e.pos;
                let size = self.size_of(&ty)?;
                Ok(self.int(size, IntTy::ULong))
            }
            ExprKind::AlignofType(ty) => {
                let ty = self.type_name(ty)?;
                let align = self.records.align(&ty);
                Ok(self.int(align, IntTy::ULong))
            }
            ExprKind::AlignofExpr(inner) => {
                let ty = self.type_of(inner)?;
                let align = self.records.align(&ty);
                Ok(self.int(align, IntTy::ULong))
            }
            ExprKind::Offsetof(ty, path) => self.offset_value(ty, path),
            ExprKind::Statements(block) => self.statements(block, unused),
            ExprKind::Generic(control, arms) => {
                let chosen = self.generic(control, arms)?;
                self.unused = unused;
                self.value(chosen)
            }
            ExprKind::TypesCompatible(a, b) => {
                let (a, b) = (self.type_name(a)?, self.type_name(b)?);
                Ok(self.int(u64::from(a.ty == b.ty), IntTy::Int))
            }
            ExprKind::ChooseExpr(c, a, b) => {
                let chosen = if self.const_int(c, "the condition")? != 0 { a } else { b };
                self.unused = unused;
                self.value(chosen)
            }
        }
    }

    pub(super) fn statements(&mut self, block: &Block, unused: bool) -> Lowered<Val> {
        let result = self.temps(2);
        self.scopes.push(Scope::default());
        let depth = self.scopes.len();
        let outcome = (|| {
            let (last, rest) = match block.items.split_last() {
                Some(split) => split,
                None => return Ok(Val { reg: result, ty: Ty::Void, origin: None }),
            };
            self.items(rest)?;
            let StmtKind::Expr(e) = &last.kind else {
                self.items(std::slice::from_ref(last))?;
                return Ok(Val { reg: result, ty: Ty::Void, origin: None });
            };
            self.unused = unused;
            let v = self.value(e)?;
            if matches!(v.ty, Ty::Record(_)) {
                let ty = v.ty.clone().plain();
                let (size, align) = (self.size_of(&ty)?, self.records.align(&ty));
                let object = self.object(size, align);
                self.emit(Instr::FrameAddr { dst: result, object });
                self.emit(Instr::Copy { to: result, from: v.reg, size: size as u32 });
                return Ok(Val { reg: result, ty: v.ty, origin: None });
            }
            self.emit(Instr::Move { dst: result, src: v.reg });
            Ok(Val { reg: result, ..v })
        })();
        self.scopes.truncate(depth - 1);
        outcome
    }

    pub(super) fn generic<'e>(
        &mut self,
        control: &Expr,
        arms: &'e [(Option<TypeName>, Expr)],
    ) -> Lowered<&'e Expr> {
        let pos = self.pos;
        let mut ty = declare::adjust(self.type_of(control)?);
        // An lvalue loses its qualifiers, and a member of bit-field type is what it is declared as.
        ty.quals = Quals::default();
        let (mut default, mut chosen) = (None, None);
        for (arm, value) in arms {
            match arm {
                None => default = Some(value),
                Some(name) => {
                    let mut candidate = self.type_name(name)?;
                    let qualified = candidate.quals.konst || candidate.quals.atomic;
                    candidate.quals = Quals::default();
                    if !qualified && candidate == ty {
                        if chosen.is_some() {
                            let shown = self.show(&ty);
                            return Err(self.error_at(
                                pos,
                                "L0107",
                                format!("two branches of _Generic are for `{shown}`"),
                            ));
                        }
                        chosen = Some(value);
                    }
                }
            }
        }
        if let Some(chosen) = chosen {
            return Ok(chosen);
        }
        let shown = self.show(&ty);
        default.ok_or_else(|| self.error_at(pos, "L0103", format!("no branch of _Generic fits `{shown}`")))
    }

    pub(super) fn unary(&mut self, op: Unary, inner: &Expr, e: &Expr) -> Lowered<Val> {
        match op {
            Unary::AddressOf => {
                if let ExprKind::Unary(Unary::Deref, pointer) = &inner.kind {
                    return self.value(pointer);
                }
                let spot = match &inner.kind {
                    ExprKind::Index(a, b) => self.element(a, b, inner.pos, true)?,
                    _ => self.spot(inner)?,
                };
                self.pos = e.pos;
                self.address(spot)
            }
            Unary::Deref => {
                let spot = self.spot(e)?;
                self.pos = e.pos;
                self.load(spot)
            }
            Unary::PreIncrement => self.step(inner, 1, true, e.pos),
            Unary::PreDecrement => self.step(inner, -1, true, e.pos),
            Unary::Not => {
                let v = self.value(inner)?;
                self.pos = e.pos;
                let a = self.truth(&v)?;
                let dst = self.temp();
                self.emit(Instr::Un { op: UnOp::IsZero, kind: IntKind::U64, dst, a });
                Ok(Val { reg: dst, ty: Ty::INT, origin: None })
            }
            Unary::Plus | Unary::Minus | Unary::BitNot => {
                let v = self.value(inner)?;
                self.pos = e.pos;
                if v.ty.float().is_some() && op != Unary::BitNot {
                    return Ok(if op == Unary::Minus { self.float_negative(&v) } else { v });
                }
                if let Ty::Opaque(what) = v.ty {
                    return self.refuse(what.what());
                }
                let Some(int) = v.ty.int() else {
                    return Err(self.error("L0103", "a number is needed here"));
                };
                let ty = int.promote();
                let v = self.integer(v, ty);
                if op == Unary::Plus {
                    return Ok(v);
                }
                let dst = self.temp();
                let op = if op == Unary::Minus { UnOp::Neg } else { UnOp::Not };
                self.emit(Instr::Un { op, kind: ty.kind(), dst, a: v.reg });
                Ok(Val { reg: dst, ty: Ty::Int(ty), origin: v.origin })
            }
        }
    }

    pub(super) fn shortcut(&mut self, l: &Expr, r: &Expr, and: bool) -> Lowered<Val> {
        let dst = self.temp();
        let left = self.value(l)?;
        let a = self.test(&left)?;
        self.emit(Instr::Move { dst, src: a });
        let skip = if and {
            self.emit(Instr::BranchZero { cond: a, to: 0 })
        } else {
            let on = self.emit(Instr::BranchZero { cond: a, to: 0 });
            let skip = self.emit(Instr::Jump { to: 0 });
            let here = self.here();
            self.patch(on, here);
            skip
        };
        let right = self.value(r)?;
        let b = self.test(&right)?;
        self.emit(Instr::Move { dst, src: b });
        let end = self.here();
        self.patch(skip, end);
        Ok(Val { reg: dst, ty: Ty::INT, origin: None })
    }

    pub(super) fn conditional(
        &mut self,
        c: &Expr,
        t: Option<&Expr>,
        f: &Expr,
        pos: Pos,
        unused: bool,
    ) -> Lowered<Val> {
        // Both types are needed before either branch is emitted.
        let true_ty = declare::adjust(self.type_of(t.unwrap_or(c))?).ty;
        let false_ty = declare::adjust(self.type_of(f)?).ty;
        self.pos = pos;
        let zero = |e: Option<&Expr>, l: &mut Self| e.is_some_and(|e| l.is_null(e));
        let ty = match (&true_ty, &false_ty) {
            (Ty::Int(a), Ty::Int(b)) => Ty::Int(IntTy::common(*a, *b)),
            (Ty::Float(_), Ty::Int(_) | Ty::Float(_)) | (Ty::Int(_), Ty::Float(_)) => {
                let (a, b) = (true_ty.number(), false_ty.number());
                Ty::Float(a.zip(b).map(|(a, b)| float::common(a, b)).expect("two numbers"))
            }
            (Ty::Pointer(_), Ty::Int(_)) => true_ty.clone(),
            (Ty::Int(_), Ty::Pointer(_)) => false_ty.clone(),
            (Ty::Pointer(a), Ty::Pointer(_)) if a.ty == Ty::Void && !zero(t, self) => true_ty.clone(),
            (Ty::Pointer(_), Ty::Pointer(b)) if b.ty == Ty::Void && !zero(Some(f), self) => false_ty.clone(),
            (Ty::Pointer(a), Ty::Pointer(_)) if a.ty == Ty::Void => false_ty.clone(),
            (Ty::Void, _) | (_, Ty::Void) => Ty::Void,
            _ => true_ty.clone(),
        };
        let dst = self.temp();
        let cond = self.value(c)?;
        let test = self.truth(&cond)?;
        let other = self.emit(Instr::BranchZero { cond: test, to: 0 });
        let a = match t {
            Some(t) => {
                self.unused = unused;
                self.value(t)?
            }
            None => cond,
        };
        let branch = |l: &mut Self, v: Val| -> Lowered<()> {
            if ty != Ty::Void {
                let v = l.convert(v, &ty.clone().plain())?;
                l.escape(&v);
                l.emit(Instr::Move { dst, src: v.reg });
            }
            Ok(())
        };
        branch(self, a)?;
        let end = self.emit(Instr::Jump { to: 0 });
        let here = self.here();
        self.patch(other, here);
        self.unused = unused;
        let b = self.value(f)?;
        branch(self, b)?;
        let here = self.here();
        self.patch(end, here);
        Ok(Val { reg: dst, ty, origin: None })
    }

    /// Whether an expression is a null pointer constant.
    pub(super) fn is_null(&mut self, e: &Expr) -> bool {
        self.try_const(e).is_some_and(|v| v.bits == 0)
    }

    pub(super) fn cast(&mut self, ty: &TypeName, inner: &Expr, pos: Pos) -> Lowered<Val> {
        let mut ty = self.type_name(ty)?;
        ty.quals = Quals::default();
        // A block gets the layout of the type its pointer is cast to.
        if let (Ty::Pointer(target), ExprKind::Call(..)) = (&ty.ty, &inner.kind)
            && let Some(v) = self.typed_allocation(inner, target)
        {
            return Ok(Val { ty: ty.ty.clone(), ..v? });
        }
        self.unused = ty.ty == Ty::Void;
        let v = self.value(inner)?;
        self.note_result(inner, &v, &ty.ty);
        self.pos = pos;
        if ty.ty == Ty::Void {
            return Ok(Val { reg: v.reg, ty: Ty::Void, origin: None });
        }
        if !ty.ty.is_scalar() && !matches!(ty.ty, Ty::Opaque(_)) && v.ty != ty.ty {
            let (a, b) = (self.show(&v.ty.plain()), self.show(&ty));
            return Err(self.error("L0103", format!("`{a}` cannot be cast to `{b}`")));
        }
        self.convert(v, &ty)
    }

    pub(super) fn integer(&mut self, v: Val, to: IntTy) -> Val {
        if v.ty == Ty::Int(to) {
            return v;
        }
        let dst = self.temp();
        if to == IntTy::Bool {
            self.emit(Instr::Un { op: UnOp::Test, kind: IntKind::U64, dst, a: v.reg });
            return Val { reg: dst, ty: Ty::Int(to), origin: None };
        }
        let from = v.ty.kind();
        let fits = from.size() < to.kind().size() && (to.signed() || !from.signed())
            || from.size() == to.kind().size() && from.signed() == to.signed()
            || from.size() == 8 && to.kind().size() == 8
            || from.signed() && to.kind().size() == 8;
        if fits {
            // The extended form is the same.
            return Val { reg: v.reg, ty: Ty::Int(to), origin: v.origin };
        }
        self.emit(Instr::Extend { kind: to.kind(), dst, src: v.reg });
        Val { reg: dst, ty: Ty::Int(to), origin: v.origin }
    }

    /// Converts as if by assignment.
    pub(super) fn convert(&mut self, v: Val, to: &QTy) -> Lowered<Val> {
        match (&v.ty, &to.ty) {
            (Ty::Float(_), Ty::Int(_) | Ty::Float(_)) | (Ty::Int(_), Ty::Float(_)) => {
                Ok(self.numeric(v, &to.ty))
            }
            (Ty::Int(_) | Ty::Pointer(_), Ty::Int(i)) => Ok(self.integer(v, *i)),
            (Ty::Int(_), Ty::Pointer(_)) => {
                let v = self.integer(v, IntTy::ULong);
                Ok(Val { ty: to.ty.clone(), ..v })
            }
            (Ty::Pointer(from), Ty::Pointer(into)) => {
                if let (Ty::Function(old), Ty::Function(new)) = (&from.ty, &into.ty)
                    && old.unspecified
                    && !new.params.is_empty()
                {
                    self.lose_prototype(v.reg);
                }
                Ok(Val { ty: to.ty.clone(), ..v })
            }
            (Ty::Record(a), Ty::Record(b)) if self.records.alike(*a, *b) => {
                Ok(Val { ty: to.ty.clone(), ..v })
            }
            (_, Ty::Void) => Ok(Val { ty: Ty::Void, ..v }),
            (Ty::Opaque(what), _) | (_, Ty::Opaque(what)) => self.refuse(what.what()),
            (from, _) => {
                let (a, b) = (self.show(&from.clone().plain()), self.show(to));
                Err(self.error("L0103", format!("`{a}` cannot be converted to `{b}`")))
            }
        }
    }

    pub(super) fn binary(&mut self, op: super::Binary, l: Val, r: Val) -> Lowered<Val> {
        use super::Binary::*;
        match op {
            Lt | Gt | Le | Ge | Eq | Ne => self.compare(op, l, r),
            _ => self.arithmetic(op, l, r),
        }
    }

    pub(super) fn compare(&mut self, op: super::Binary, l: Val, r: Val) -> Lowered<Val> {
        use super::Binary::*;
        if l.ty.float().is_some() || r.ty.float().is_some() {
            return self.float_binary(op, l, r);
        }
        let (l, r, kind) = match (l.ty.int(), r.ty.int()) {
            (Some(a), Some(b)) => {
                let ty = IntTy::common(a, b);
                (self.integer(l, ty), self.integer(r, ty), ty.kind())
            }
            _ => {
                self.truth(&l)?;
                self.truth(&r)?;
                (l, r, IntKind::U64)
            }
        };
        let (op, a, b) = match op {
            Lt => (BinOp::Lt, l.reg, r.reg),
            Gt => (BinOp::Lt, r.reg, l.reg),
            Le => (BinOp::Le, l.reg, r.reg),
            Ge => (BinOp::Le, r.reg, l.reg),
            Eq => (BinOp::Eq, l.reg, r.reg),
            _ => (BinOp::Ne, l.reg, r.reg),
        };
        let dst = self.temp();
        self.emit(Instr::Bin { op, kind, dst, a, b });
        Ok(Val { reg: dst, ty: Ty::INT, origin: None })
    }

    pub(super) fn element_size(&mut self, target: &QTy) -> Lowered<u64> {
        match &target.ty {
            Ty::Void | Ty::Function(_) => Ok(1),
            _ => self.size_of(target),
        }
    }

    pub(super) fn arithmetic(&mut self, op: super::Binary, l: Val, r: Val) -> Lowered<Val> {
        use super::Binary::*;
        match (op, &l.ty, &r.ty) {
            (Add, Ty::Pointer(_), Ty::Int(_)) => self.advance(l, r, BinOp::Add),
            (Add, Ty::Int(_), Ty::Pointer(_)) => self.advance(r, l, BinOp::Add),
            (Sub, Ty::Pointer(_), Ty::Int(_)) => self.advance(l, r, BinOp::Sub),
            (Sub, Ty::Pointer(target), Ty::Pointer(_)) => {
                let size = self.element_size(&target.clone())?;
                let (diff, dst) = (self.temp(), self.temp());
                self.emit(Instr::Bin { op: BinOp::Sub, kind: IntKind::U64, dst: diff, a: l.reg, b: r.reg });
                let b = self.constant(size.max(1));
                self.emit(Instr::Bin { op: BinOp::Div, kind: IntKind::I64, dst, a: diff, b });
                Ok(Val { reg: dst, ty: Ty::Int(IntTy::Long), origin: None })
            }
            (_, Ty::Int(a), Ty::Int(b)) => {
                let shift = matches!(op, Shl | Shr);
                let ty = if shift { a.promote() } else { IntTy::common(*a, *b) };
                let right_ty = if shift { b.promote() } else { ty };
                let origin = l.origin.or(r.origin);
                if let (Some(_), Some(_)) = (l.origin, r.origin) {
                    self.escape(&r);
                }
                let (l, r) = (self.integer(l, ty), self.integer(r, right_ty));
                let op = match op {
                    Add => BinOp::Add,
                    Sub => BinOp::Sub,
                    Mul => BinOp::Mul,
                    Div => BinOp::Div,
                    Rem => BinOp::Rem,
                    Shl => BinOp::Shl,
                    Shr => BinOp::Shr,
                    BitAnd => BinOp::And,
                    BitXor => BinOp::Xor,
                    _ => BinOp::Or,
                };
                let dst = self.temp();
                self.emit(Instr::Bin { op, kind: ty.kind(), dst, a: l.reg, b: r.reg });
                Ok(Val { reg: dst, ty: Ty::Int(ty), origin })
            }
            (_, Ty::Opaque(what), _) | (_, _, Ty::Opaque(what)) => self.refuse(what.what()),
            (_, Ty::Float(_), _) | (_, _, Ty::Float(_)) => self.float_binary(op, l, r),
            (_, a, b) => {
                let (a, b) = (self.show(&a.clone().plain()), self.show(&b.clone().plain()));
                Err(self.error("L0103", format!("these operands do not go together: `{a}` and `{b}`")))
            }
        }
    }

    /// Pointer plus or minus a number of elements.
    pub(super) fn advance(&mut self, pointer: Val, by: Val, op: BinOp) -> Lowered<Val> {
        let Ty::Pointer(target) = &pointer.ty else { unreachable!("a pointer") };
        let size = self.element_size(&target.clone())?;
        let by = self.integer(by, IntTy::Long);
        let mut distance = by.reg;
        if size != 1 {
            let b = self.constant(size);
            distance = self.temp();
            self.emit(Instr::Bin { op: BinOp::Mul, kind: IntKind::U64, dst: distance, a: by.reg, b });
        }
        let dst = self.temp();
        self.emit(Instr::Bin { op, kind: IntKind::U64, dst, a: pointer.reg, b: distance });
        Ok(Val { reg: dst, ty: pointer.ty, origin: pointer.origin })
    }
}
