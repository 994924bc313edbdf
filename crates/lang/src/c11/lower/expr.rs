//! Expressions: their types and their code.

use super::place::Spot;
use super::*;
use lineal_model::program::{BinOp, UnOp};
use lineal_model::run::{FetchOp, Mode};

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

    fn type_of_inner(&mut self, e: &Expr) -> Lowered<QTy> {
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

    pub(super) fn value(&mut self, e: &Expr) -> Lowered<Val> {
        self.pos = e.pos;
        match &e.kind {
            ExprKind::Int { value, ty } => Ok(self.int(*value, *ty)),
            ExprKind::Float => self.refuse("floating point"),
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
            ExprKind::Conditional(c, t, f) => self.conditional(c, t.as_deref(), f, e.pos),
            ExprKind::Comma(l, r) => {
                self.value(l)?;
                self.value(r)
            }
            ExprKind::Call(f, args) => self.call(f, args, e.pos),
            ExprKind::Cast(ty, inner) => self.cast(ty, inner, e.pos),
            ExprKind::SizeofExpr(inner) => {
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
            ExprKind::Offsetof(ty, path) => {
                let offset = self.offset_of(ty, path)?;
                Ok(self.int(offset, IntTy::ULong))
            }
            ExprKind::Statements(block) => self.statements(block),
            ExprKind::Generic(control, arms) => {
                let chosen = self.generic(control, arms)?;
                self.value(chosen)
            }
            ExprKind::TypesCompatible(a, b) => {
                let (a, b) = (self.type_name(a)?, self.type_name(b)?);
                Ok(self.int(u64::from(a.ty == b.ty), IntTy::Int))
            }
            ExprKind::ChooseExpr(c, a, b) => {
                let chosen = if self.const_int(c, "the condition")? != 0 { a } else { b };
                self.value(chosen)
            }
        }
    }

    fn statements(&mut self, block: &Block) -> Lowered<Val> {
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

    fn unary(&mut self, op: Unary, inner: &Expr, e: &Expr) -> Lowered<Val> {
        match op {
            Unary::AddressOf => {
                if let ExprKind::Unary(Unary::Deref, pointer) = &inner.kind {
                    return self.value(pointer);
                }
                let spot = self.spot(inner)?;
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

    fn shortcut(&mut self, l: &Expr, r: &Expr, and: bool) -> Lowered<Val> {
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

    fn conditional(&mut self, c: &Expr, t: Option<&Expr>, f: &Expr, pos: Pos) -> Lowered<Val> {
        // Both types are needed before either branch is emitted.
        let true_ty = declare::adjust(self.type_of(t.unwrap_or(c))?).ty;
        let false_ty = declare::adjust(self.type_of(f)?).ty;
        self.pos = pos;
        let zero = |e: Option<&Expr>, l: &mut Self| e.is_some_and(|e| l.is_null(e));
        let ty = match (&true_ty, &false_ty) {
            (Ty::Int(a), Ty::Int(b)) => Ty::Int(IntTy::common(*a, *b)),
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
            Some(t) => self.value(t)?,
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

    fn cast(&mut self, ty: &TypeName, inner: &Expr, pos: Pos) -> Lowered<Val> {
        let mut ty = self.type_name(ty)?;
        ty.quals = Quals::default();
        // A block gets the layout of the type its pointer is cast to.
        if let (Ty::Pointer(target), ExprKind::Call(..)) = (&ty.ty, &inner.kind)
            && let Some(v) = self.typed_allocation(inner, target)
        {
            return Ok(Val { ty: ty.ty.clone(), ..v? });
        }
        let v = self.value(inner)?;
        self.pos = pos;
        if ty.ty == Ty::Void {
            return Ok(Val { reg: v.reg, ty: Ty::Void, origin: None });
        }
        if !ty.ty.is_scalar() && v.ty != ty.ty {
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
            (Ty::Int(_) | Ty::Pointer(_), Ty::Int(i)) => Ok(self.integer(v, *i)),
            (Ty::Int(_), Ty::Pointer(_)) => {
                let v = self.integer(v, IntTy::ULong);
                Ok(Val { ty: to.ty.clone(), ..v })
            }
            (Ty::Pointer(_), Ty::Pointer(_)) => Ok(Val { ty: to.ty.clone(), ..v }),
            (Ty::Record(a), Ty::Record(b)) if a == b => Ok(v),
            (_, Ty::Void) => Ok(Val { ty: Ty::Void, ..v }),
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

    fn compare(&mut self, op: super::Binary, l: Val, r: Val) -> Lowered<Val> {
        use super::Binary::*;
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

    fn element_size(&mut self, target: &QTy) -> Lowered<u64> {
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
            (_, a, b) => {
                let (a, b) = (self.show(&a.clone().plain()), self.show(&b.clone().plain()));
                Err(self.error("L0103", format!("these operands do not go together: `{a}` and `{b}`")))
            }
        }
    }

    /// Pointer plus or minus a number of elements.
    fn advance(&mut self, pointer: Val, by: Val, op: BinOp) -> Lowered<Val> {
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

    fn check_assignable(&mut self, ty: &QTy) -> Lowered<()> {
        if ty.quals.konst {
            return Err(self.error("L0103", "this object is const"));
        }
        if matches!(ty.ty, Ty::Array(..) | Ty::Function(_)) {
            return Err(self.error("L0103", "an array or function cannot be assigned"));
        }
        Ok(())
    }

    fn assign(&mut self, l: &Expr, r: &Expr, pos: Pos) -> Lowered<Val> {
        let spot = self.spot(l)?;
        let ty = self.spot_type(&spot);
        self.pos = pos;
        self.check_assignable(&ty)?;
        let v = self.value_for(r, &ty)?;
        self.pos = pos;
        let v = self.convert(v, &ty)?;
        self.store(&spot, &v)
    }

    /// The value of `e`, to be stored in an object of type `ty`: allocations take their layout
    /// from there.
    pub(super) fn value_for(&mut self, e: &Expr, ty: &QTy) -> Lowered<Val> {
        if let (Ty::Pointer(target), ExprKind::Call(..)) = (&ty.ty, &e.kind)
            && let Some(v) = self.typed_allocation(e, target)
        {
            return v;
        }
        self.value(e)
    }

    fn compound(&mut self, op: super::Binary, l: &Expr, r: &Expr, pos: Pos) -> Lowered<Val> {
        let spot = self.spot(l)?;
        let ty = self.spot_type(&spot);
        let r = self.value(r)?;
        self.pos = pos;
        self.check_assignable(&ty)?;
        self.update(spot, ty, op, r).map(|(_, new)| new)
    }

    /// `x op= r`: the old and the new value.
    fn update(&mut self, spot: Spot, ty: QTy, op: super::Binary, r: Val) -> Lowered<(Val, Val)> {
        if let (true, Spot::Memory { addr, .. }) = (ty.quals.atomic, &spot) {
            return self.atomic_update(*addr, &ty, op, r);
        }
        let old = self.load(spot.clone())?;
        // The old value may sit in the variable's own register.
        let keep = self.temp();
        self.emit(Instr::Move { dst: keep, src: old.reg });
        let old = Val { reg: keep, ..old };
        let new = self.arithmetic(op, old.clone(), r)?;
        let new = self.convert(new, &ty)?;
        let stored = self.store(&spot, &new)?;
        Ok((old, stored))
    }

    /// `++x`, `x--` and so on.
    fn step(&mut self, e: &Expr, by: i8, prefix: bool, pos: Pos) -> Lowered<Val> {
        let spot = self.spot(e)?;
        let ty = self.spot_type(&spot);
        self.pos = pos;
        self.check_assignable(&ty)?;
        let one = self.int(1, IntTy::Int);
        let op = if by > 0 { super::Binary::Add } else { super::Binary::Sub };
        let (old, new) = self.update(spot, ty, op, one)?;
        Ok(if prefix { new } else { old })
    }

    fn atomic_update(&mut self, addr: Reg, ty: &QTy, op: super::Binary, r: Val) -> Lowered<(Val, Val)> {
        use super::Binary::*;
        if !ty.ty.is_scalar() {
            return Err(self.error("L0103", "arithmetic on an atomic struct"));
        }
        let fetch = match op {
            Add => FetchOp::Add,
            Sub => FetchOp::Sub,
            Mul => FetchOp::Mul,
            Div => FetchOp::Div,
            Rem => FetchOp::Rem,
            Shl => FetchOp::Shl,
            Shr => FetchOp::Shr,
            BitAnd => FetchOp::And,
            BitOr => FetchOp::Or,
            BitXor => FetchOp::Xor,
            _ => return Err(self.error("L0103", "a comparison cannot be assigned")),
        };
        let operand = match &ty.ty {
            Ty::Pointer(target) => {
                let size = self.element_size(&target.clone())?;
                let r = self.convert(r.clone(), &Ty::Int(IntTy::Long).plain())?;
                let b = self.constant(size);
                let dst = self.temp();
                self.emit(Instr::Bin { op: BinOp::Mul, kind: IntKind::U64, dst, a: r.reg, b });
                dst
            }
            _ => {
                let narrow = r.ty.int().is_some_and(|i| i.size() > ty.ty.kind().size().into());
                if narrow && matches!(op, Div | Rem | Shl | Shr) {
                    return self.refuse("this compound assignment to a narrow atomic variable");
                }
                r.reg
            }
        };
        let fetch = match (ty.ty.int(), fetch) {
            (Some(IntTy::Bool), FetchOp::Add | FetchOp::Or) => FetchOp::OrBool,
            (Some(IntTy::Bool), FetchOp::And | FetchOp::Xor) => fetch,
            (Some(IntTy::Bool), _) => return self.refuse("this compound assignment to an atomic _Bool"),
            _ => fetch,
        };
        let dst = self.temp();
        self.emit(Instr::Fetch {
            op: fetch,
            kind: ty.ty.kind(),
            mode: Mode::SeqCst,
            dst,
            addr,
            src: operand,
        });
        let old = Val { reg: dst, ty: ty.ty.clone(), origin: None };
        let mut r = r;
        if let Ty::Pointer(_) = ty.ty {
            r = Val { origin: None, ..r };
        }
        // Atomic arithmetic wraps, so the new value is computed without overflow checks.
        let new = match ty.ty.int() {
            Some(int) if matches!(op, Add | Sub | Mul) && int.signed() => {
                let wide = Val { reg: old.reg, ty: Ty::Int(IntTy::ULong), origin: None };
                let r = self.integer(r, IntTy::ULong);
                let v = self.arithmetic(op, wide, r)?;
                self.integer(v, int)
            }
            _ => {
                let v = self.arithmetic(op, old.clone(), r)?;
                self.convert(v, ty)?
            }
        };
        Ok((old, new))
    }

    fn call(&mut self, f: &Expr, args: &[Expr], pos: Pos) -> Lowered<Val> {
        if let ExprKind::Ident(name) = &f.kind {
            let symbol = self
                .lookup(name)
                .or_else(|| name.starts_with("__builtin_").then(|| self.linked.get(name).cloned()).flatten());
            let user = matches!(&symbol, Some(Symbol::Function(i)) if self.functions[*i as usize].defined);
            if !user
                && !matches!(symbol, Some(Symbol::Local(_) | Symbol::Global(_) | Symbol::ThreadLocal(_)))
                && let Some(result) = self.builtin(name, args, pos)
            {
                return result;
            }
            if let Some(Symbol::Function(index)) = symbol {
                self.facts.keys |= !self.runtime && matches!(&**name, "pthread_key_create" | "tss_create");
                self.functions[index as usize].called_at.get_or_insert(f.pos);
                let ty = self.functions[index as usize].ty.clone();
                return self.call_known(Some(index), None, &ty, args, pos);
            }
            if symbol.is_none() {
                let e = self.error("L0102", format!("the function `{name}` is not declared"));
                if let Some(d) = self.diagnostics.last_mut().filter(|_| self.errors <= MAX_ERRORS) {
                    d.help = Some("include the header that declares it; Lineal brings its own C11, POSIX threads and C library headers".into());
                }
                return Err(e);
            }
        }
        let pointer = self.value(f)?;
        self.pos = pos;
        let ty = match &pointer.ty {
            Ty::Pointer(t) => match &t.ty {
                Ty::Function(ty) => ty.clone(),
                _ => return Err(self.error("L0103", "what is called is not a function")),
            },
            _ => return Err(self.error("L0103", "what is called is not a function")),
        };
        self.call_known(None, Some(pointer.reg), &ty, args, pos)
    }

    fn call_known(
        &mut self,
        index: Option<u32>,
        pointer: Option<Reg>,
        ty: &Rc<FnTy>,
        args: &[Expr],
        pos: Pos,
    ) -> Lowered<Val> {
        if !ty.unspecified && (args.len() < ty.params.len() || args.len() > ty.params.len() && !ty.variadic) {
            let (want, got) = (ty.params.len(), args.len());
            return Err(self.error(
                "L0110",
                format!("{got} argument{} given, {want} expected", if got == 1 { "" } else { "s" }),
            ));
        }
        if ty.variadic {
            return self.refuse("a call of a function with variable arguments");
        }
        let mut values = Vec::new();
        let record = match &ty.ret.ty {
            Ty::Record(_) => {
                let (size, align) = (self.size_of(&ty.ret)?, self.records.align(&ty.ret));
                let object = self.object(size, align);
                let room = self.temp();
                self.emit(Instr::FrameAddr { dst: room, object });
                values.push(room);
                Some(room)
            }
            _ => None,
        };
        for (i, arg) in args.iter().enumerate() {
            let v = match ty.params.get(i) {
                Some(param) => {
                    let v = self.value_for(arg, param)?;
                    self.pos = arg.pos;
                    self.convert(v, param)?
                }
                None => {
                    let v = self.value(arg)?;
                    match v.ty.int() {
                        Some(int) => self.integer(v, int.promote()),
                        None => v,
                    }
                }
            };
            if let Some(origin) = v.origin.filter(|_| !matches!(v.ty, Ty::Record(_))) {
                match index {
                    Some(f) => self.facts.pass(origin, f, i as u32),
                    None => self.escape(&v),
                }
            }
            if matches!(v.ty, Ty::Record(_)) {
                // Later arguments must not change what is passed.
                let (size, align) =
                    (self.size_of(&v.ty.clone().plain())?, self.records.align(&v.ty.clone().plain()));
                let object = self.object(size, align);
                let room = self.temp();
                self.emit(Instr::FrameAddr { dst: room, object });
                self.emit(Instr::Copy { to: room, from: v.reg, size: size as u32 });
                values.push(room);
            } else {
                values.push(v.reg);
            }
        }
        self.pos = pos;
        let base = self.temps(values.len() as u16);
        for (i, v) in values.iter().enumerate() {
            self.emit(Instr::Move { dst: base + i as u16, src: *v });
        }
        let dst = self.temp();
        let count = values.len() as u8;
        match (index, pointer) {
            (Some(function), _) => self.emit(Instr::Call { function, args: base, count, dst }),
            (None, Some(pointer)) => self.emit(Instr::CallPointer { pointer, args: base, count, dst }),
            (None, None) => unreachable!("a call has a callee"),
        };
        if index.is_some_and(|i| self.functions[i as usize].noreturn) {
            self.fail(FailureKind::Unreachable, "a function declared noreturn returned");
        }
        match record {
            Some(room) => Ok(Val { reg: room, ty: ty.ret.ty.clone(), origin: None }),
            None => Ok(Val { reg: dst, ty: ty.ret.ty.clone(), origin: None }),
        }
    }
}
