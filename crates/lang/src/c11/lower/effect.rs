//! Expressions with effects: assignment, increment, call.

use super::place::Spot;
use super::*;
use lineal_model::program::BinOp;
use lineal_model::program::float::FloatKind;
use lineal_model::run::{FetchOp, Mode};

impl Lower<'_> {
    pub(super) fn check_assignable(&mut self, ty: &QTy) -> Lowered<()> {
        if ty.quals.konst {
            return Err(self.error("L0103", "this object is const"));
        }
        if matches!(ty.ty, Ty::Array(..) | Ty::Function(_)) {
            return Err(self.error("L0103", "an array or function cannot be assigned"));
        }
        Ok(())
    }

    pub(super) fn assign(&mut self, l: &Expr, r: &Expr, pos: Pos) -> Lowered<Val> {
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
        let v = self.value(e)?;
        self.note_result(e, &v, &ty.ty);
        Ok(v)
    }

    pub(super) fn compound(&mut self, op: super::Binary, l: &Expr, r: &Expr, pos: Pos) -> Lowered<Val> {
        let spot = self.spot(l)?;
        let ty = self.spot_type(&spot);
        let r = self.value(r)?;
        self.pos = pos;
        self.check_assignable(&ty)?;
        self.update(spot, ty, op, r).map(|(_, new)| new)
    }

    /// `x op= r`: the old and the new value.
    pub(super) fn update(&mut self, spot: Spot, ty: QTy, op: super::Binary, r: Val) -> Lowered<(Val, Val)> {
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
    pub(super) fn step(&mut self, e: &Expr, by: i8, prefix: bool, pos: Pos) -> Lowered<Val> {
        let spot = self.spot(e)?;
        let ty = self.spot_type(&spot);
        self.pos = pos;
        self.check_assignable(&ty)?;
        let one = self.int(1, IntTy::Int);
        let op = if by > 0 { super::Binary::Add } else { super::Binary::Sub };
        let (old, new) = self.update(spot, ty, op, one)?;
        Ok(if prefix { new } else { old })
    }

    pub(super) fn atomic_update(
        &mut self,
        addr: Reg,
        ty: &QTy,
        op: super::Binary,
        r: Val,
    ) -> Lowered<(Val, Val)> {
        use super::Binary::*;
        if !ty.ty.is_scalar() {
            return Err(self.error("L0103", "arithmetic on an atomic struct"));
        }
        if ty.ty.float().is_some() || r.ty.float().is_some() {
            return self.refuse("arithmetic on an atomic object in floating point");
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

    pub(super) fn call(&mut self, f: &Expr, args: &[Expr], pos: Pos, unused: bool) -> Lowered<Val> {
        if let ExprKind::Ident(name) = &f.kind {
            self.assume(name);
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
            // `__builtin_strlen` is `strlen`.
            let symbol = symbol.or_else(|| self.linked.get(name.strip_prefix("__builtin_")?).cloned());
            if let Some(Symbol::Function(index)) = symbol {
                self.facts.keys |= !self.runtime && matches!(&**name, "pthread_key_create" | "tss_create");
                self.library_facts(name);
                self.facts.ranks |= !self.runtime && !unused && &**name == BARRIER_WAIT;
                self.facts.destroys |= !self.runtime && &**name == BARRIER_DESTROY;
                self.facts.detaches |= !self.runtime
                    && matches!(&**name, "pthread_detach" | "thrd_detach" | "pthread_attr_setdetachstate");
                self.functions[index as usize].called_at.get_or_insert(f.pos);
                let ty = self.functions[index as usize].ty.clone();
                let result = self.call_known(Some(index), None, &ty, args, pos)?;
                self.check_returned(&ty, unused, &format!("`{name}`"));
                return Ok(result);
            }
            if symbol.is_none() {
                return Err(self.undeclared(name, f.pos));
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
        let result = self.call_known(None, Some(pointer.reg), &ty, args, pos)?;
        self.check_returned(&ty, unused, "a function called through a pointer");
        Ok(result)
    }

    /// What the library has to care for, because this function is used.
    pub(super) fn library_facts(&mut self, name: &str) {
        self.facts.exits |= !self.runtime && matches!(name, "atexit" | "at_quick_exit");
        self.facts.handlers |= !self.runtime && name == "__cleanup_push";
    }

    /// The value of the call just made is used, so there must be one.
    fn check_returned(&mut self, ty: &FnTy, unused: bool, callee: &str) {
        if !unused && !self.runtime && ty.ret.ty != Ty::Void {
            let name = self.message(callee);
            self.emit(Instr::CheckReturned { name });
        }
    }

    /// An argument for a parameter that is a transparent union: as the first member that takes it.
    fn as_member(&mut self, v: Val, param: &QTy) -> Lowered<Val> {
        let Ty::Record(r) = param.ty else { return Ok(v) };
        if v.ty == param.ty || !self.records.0[r].transparent {
            return Ok(v);
        }
        let fits = |ty: &Ty| match (ty, &v.ty) {
            (Ty::Pointer(a), Ty::Pointer(b)) => a.ty == b.ty || a.ty == Ty::Void || b.ty == Ty::Void,
            (a, b) => a == b,
        };
        let Some(field) = self.records.0[r].fields.iter().find(|f| fits(&f.ty.ty)).cloned() else {
            return Ok(v);
        };
        let (size, align) = (self.size_of(param)?, self.records.align(param));
        let object = self.object(size, align);
        let addr = self.temp();
        self.emit(Instr::FrameAddr { dst: addr, object });
        let at = self.offset(addr, field.offset);
        let spot = Spot::Memory { addr: at, ty: QTy { quals: Quals::default(), ..field.ty }, origin: None };
        let ty = self.spot_type(&spot);
        let v = self.convert(v, &ty)?;
        self.store(&spot, &v)?;
        Ok(Val { reg: addr, ty: param.ty.clone(), origin: None })
    }

    pub(super) fn call_known(
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
            let name = index.map_or("a function", |f| &*self.out.functions[f as usize].name).to_string();
            return self.refuse(&format!("`{name}`, which takes variable arguments,"));
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
                    let v = self.as_member(v, param)?;
                    self.convert(v, param)?
                }
                None => {
                    let v = self.value(arg)?;
                    match (v.ty.int(), v.ty.float()) {
                        (Some(int), _) => self.integer(v, int.promote()),
                        (_, Some(_)) => self.numeric(v, &Ty::Float(FloatKind::Double)),
                        _ => v,
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
