//! Constant expressions. Addresses of globals and functions are numbers here, so address
//! constants need no case of their own.

use super::*;
use lineal_model::program::float::convert;

#[derive(Clone, Debug)]
pub(super) struct Const {
    /// Extended from its type, as in a register.
    pub bits: u64,
    pub ty: Ty,
}

impl Const {
    pub fn as_int(&self) -> Option<i64> {
        self.ty.int().map(|_| self.bits as i64)
    }

    /// Minus zero is zero, too.
    pub fn is_zero(&self) -> bool {
        self.ty.float().map_or(self.bits == 0, |kind| kind.value(self.bits) == 0.0)
    }

    pub fn cast(&self, ty: &Ty) -> Option<Const> {
        if let (Some(from), Some(to)) = (self.ty.number(), ty.number())
            && (self.ty.float().is_some() || ty.float().is_some())
        {
            let bits = match ty {
                Ty::Int(IntTy::Bool) => u64::from(!self.is_zero()),
                _ => convert(from, to, self.bits).ok()?,
            };
            return Some(Const { bits, ty: ty.clone() });
        }
        let bits = match ty {
            Ty::Int(IntTy::Bool) => u64::from(self.bits != 0),
            Ty::Int(i) => i.kind().extend(self.bits),
            Ty::Pointer(_) => self.bits,
            _ => return None,
        };
        Some(Const { bits, ty: ty.clone() })
    }
}

impl Lower<'_> {
    /// An integer constant, or a diagnostic that says what must be one.
    pub(super) fn const_int(&mut self, e: &Expr, what: &str) -> Lowered<i64> {
        let pos = self.pos;
        if let Some(n) = self.try_const(e).and_then(|c| c.as_int()) {
            self.pos = pos;
            return Ok(n);
        }
        // An unknown name is the better message.
        let before = self.errors;
        self.type_of(e)?;
        if self.errors > before {
            return Err(Reported);
        }
        Err(self.error_at(e.pos, "L0106", format!("{what} must be a constant")))
    }

    pub(super) fn try_const(&mut self, e: &Expr) -> Option<Const> {
        let int = |bits: u64, ty: IntTy| Some(Const { bits, ty: Ty::Int(ty) });
        match &e.kind {
            ExprKind::Int { value, ty } => int(*value, *ty),
            ExprKind::Float { bits, kind } => Some(Const { bits: *bits, ty: Ty::Float(*kind) }),
            ExprKind::Ident(name) => match self.lookup(name)? {
                Symbol::Constant(value, ty) => int(value, ty),
                Symbol::Function(f) => {
                    self.facts.ranks |= !self.runtime && &**name == BARRIER_WAIT;
                    self.facts.destroys |= !self.runtime && &**name == BARRIER_DESTROY;
                    self.functions[f as usize].called_at.get_or_insert(e.pos);
                    let ty = Ty::Function(self.functions[f as usize].ty.clone()).plain();
                    Some(Const { bits: self.function_address(f), ty: Ty::pointer_to(ty) })
                }
                _ => self.const_array(e),
            },
            ExprKind::Str(_)
            | ExprKind::Member { .. }
            | ExprKind::Index(..)
            | ExprKind::CompoundLiteral(..) => self.const_array(e),
            ExprKind::Unary(Unary::AddressOf, inner) => {
                if let ExprKind::Ident(name) = &inner.kind
                    && let Some(Symbol::Function(_)) = self.lookup(name)
                {
                    return self.try_const(inner);
                }
                let (bits, ty) = self.const_place(inner)?;
                Some(Const { bits, ty: Ty::pointer_to(ty) })
            }
            ExprKind::Unary(Unary::Deref, _) => self.const_array(e),
            ExprKind::Unary(op, inner) => {
                let v = self.try_const(inner)?;
                if *op == Unary::Not {
                    return int(u64::from(v.is_zero()), IntTy::Int);
                }
                if let Some(kind) = v.ty.float() {
                    let bits = match op {
                        Unary::Plus => v.bits,
                        Unary::Minus => v.bits ^ kind.sign(),
                        _ => return None,
                    };
                    return Some(Const { bits, ty: v.ty });
                }
                let ty = v.ty.int()?.promote();
                let v = v.cast(&Ty::Int(ty))?;
                let bits = match op {
                    Unary::Plus => v.bits,
                    Unary::Minus => v.bits.wrapping_neg(),
                    Unary::BitNot => !v.bits,
                    _ => return None,
                };
                int(ty.kind().extend(bits), ty)
            }
            ExprKind::Binary(op, l, r) => {
                let (l, r) = (self.try_const(l)?, self.try_const(r)?);
                self.fold(*op, l, r)
            }
            ExprKind::And(l, r) => {
                let l = !self.try_const(l)?.is_zero();
                int(u64::from(l && !self.try_const(r)?.is_zero()), IntTy::Int)
            }
            ExprKind::Or(l, r) => {
                let l = !self.try_const(l)?.is_zero();
                int(u64::from(l || !self.try_const(r)?.is_zero()), IntTy::Int)
            }
            ExprKind::Conditional(c, t, f) => {
                let c = self.try_const(c)?;
                let a = match t {
                    Some(t) => self.try_const(t)?,
                    None => c.clone(),
                };
                let b = self.try_const(f)?;
                let ty = match (a.ty.int(), b.ty.int()) {
                    _ if a.ty.float().is_some() || b.ty.float().is_some() => {
                        Ty::Float(float::common(a.ty.number()?, b.ty.number()?))
                    }
                    (Some(x), Some(y)) => Ty::Int(IntTy::common(x, y)),
                    (Some(_), None) => b.ty.clone(),
                    _ => a.ty.clone(),
                };
                (if c.is_zero() { b } else { a }).cast(&ty)
            }
            ExprKind::Cast(ty, inner) => {
                let v = self.try_const(inner)?;
                let ty = self.type_name(ty).ok()?;
                v.cast(&ty.ty)
            }
            ExprKind::SizeofExpr(inner) => {
                let ty = self.type_of(inner).ok()?;
                int(self.records.size(&ty.ty)?, IntTy::ULong)
            }
            ExprKind::SizeofType(ty) => {
                let ty = self.type_name(ty).ok()?;
                int(self.records.size(&ty.ty)?, IntTy::ULong)
            }
            ExprKind::AlignofType(ty) => {
                let ty = self.type_name(ty).ok()?;
                int(self.records.align(&ty), IntTy::ULong)
            }
            ExprKind::AlignofExpr(inner) => {
                let ty = self.type_of(inner).ok()?;
                int(self.records.align(&ty), IntTy::ULong)
            }
            ExprKind::Offsetof(ty, path) => int(self.offset_of(ty, path).ok()?, IntTy::ULong),
            ExprKind::Generic(control, arms) => {
                let chosen = self.generic(control, arms).ok()?;
                self.try_const(chosen)
            }
            ExprKind::TypesCompatible(a, b) => {
                let (a, b) = (self.type_name(a).ok()?, self.type_name(b).ok()?);
                int(u64::from(a.ty == b.ty), IntTy::Int)
            }
            ExprKind::ChooseExpr(c, a, b) => {
                let chosen = if self.try_const(c)?.bits != 0 { a } else { b };
                self.try_const(chosen)
            }
            ExprKind::Call(f, args) => match &f.kind {
                ExprKind::Ident(name) if &**name == "__builtin_constant_p" => {
                    int(u64::from(args.len() == 1 && self.try_const(&args[0]).is_some()), IntTy::Int)
                }
                ExprKind::Ident(name) if &**name == "__builtin_expect" => self.try_const(args.first()?),
                ExprKind::Ident(name) if name.starts_with("__lineal_") => self.const_size(name, args),
                ExprKind::Ident(name) if &**name == "__atomic_always_lock_free" => {
                    let size = self.try_const(args.first()?)?.as_int()?;
                    int(u64::from(matches!(size, 1 | 2 | 4 | 8)), IntTy::Bool)
                }
                ExprKind::Ident(name) if matches!(&**name, "__builtin_strlen" | "__builtin_strchr") => {
                    self.const_string(name, args)
                }
                ExprKind::Ident(name) => {
                    let name = name.strip_prefix("__builtin_")?;
                    let special = matches!(name, "huge_val" | "inf" | "nan" | "huge_valf" | "inff" | "nanf");
                    let (bits, kind) = special.then(|| system::special(name))?;
                    Some(Const { bits, ty: Ty::Float(kind) })
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// For the reader of assembly: how many bytes a word has, that is an integer, `_Bool` aside, or a pointer;
    /// how many a record or an array has; of a value, or of what it points to. 0 if it is no such thing.
    fn const_size(&mut self, function: &str, args: &[Expr]) -> Option<Const> {
        let what = function.strip_prefix("__lineal_")?;
        let (what, behind) = match what.strip_suffix("_behind") {
            Some(what) => (what, true),
            None => (what, false),
        };
        if !matches!(what, "word" | "room") {
            return None;
        }
        let ty = self.type_of(args.first()?).ok()?.ty;
        let ty = match (ty, behind) {
            (Ty::Pointer(to), true) => to.ty.clone(),
            (_, true) => Ty::Void,
            (ty, false) => ty,
        };
        let counts = match ty {
            Ty::Int(i) => what == "word" && i != IntTy::Bool,
            Ty::Pointer(_) => what == "word",
            Ty::Record(_) | Ty::Array(..) => what == "room",
            _ => false,
        };
        let bits = if counts { self.records.size(&ty).unwrap_or(0) } else { 0 };
        Some(Const { bits, ty: Ty::Int(IntTy::ULong) })
    }

    /// How long a string is, and where a character stands in it.
    fn const_string(&mut self, function: &str, args: &[Expr]) -> Option<Const> {
        let text = args.first()?;
        let ExprKind::Str(bytes) = &text.kind else { return None };
        let end = bytes.iter().position(|b| *b == 0).unwrap_or(bytes.len());
        if function == "__builtin_strlen" {
            return Some(Const { bits: end as u64, ty: Ty::Int(IntTy::ULong) });
        }
        let wanted = self.try_const(args.get(1)?)?.as_int()? as u8;
        let found = bytes[..end].iter().position(|b| *b == wanted).or((wanted == 0).then_some(end));
        let (address, place) = self.const_place(text)?;
        let Ty::Array(element, _) = place.ty else { return None };
        Some(Const { bits: found.map_or(0, |at| address + at as u64), ty: Ty::Pointer(element) })
    }

    /// The address of an object that exists before `main`.
    fn const_place(&mut self, e: &Expr) -> Option<(u64, QTy)> {
        match &e.kind {
            ExprKind::Ident(name) => match self.lookup(name)? {
                Symbol::Global(i) => {
                    self.globals[i as usize].used.get_or_insert(e.pos);
                    Some((self.global_address(i), self.globals[i as usize].ty.clone()))
                }
                _ => None,
            },
            ExprKind::Str(bytes) => {
                let i = self.string(bytes);
                Some((self.global_address(i), self.globals[i as usize].ty.clone()))
            }
            ExprKind::Unary(Unary::Deref, inner) => {
                let v = self.try_const(inner)?;
                match v.ty {
                    Ty::Pointer(target) => Some((v.bits, (*target).clone())),
                    _ => None,
                }
            }
            ExprKind::Index(a, b) => {
                let (a, b) = (self.try_const(a)?, self.try_const(b)?);
                let v = self.fold(super::Binary::Add, a, b)?;
                match v.ty {
                    Ty::Pointer(target) => Some((v.bits, (*target).clone())),
                    _ => None,
                }
            }
            ExprKind::Member { base, name, arrow } => {
                let (addr, ty) = if *arrow {
                    let v = self.try_const(base)?;
                    match v.ty {
                        Ty::Pointer(target) => (v.bits, (*target).clone()),
                        _ => return None,
                    }
                } else {
                    self.const_place(base)?
                };
                let Ty::Record(r) = ty.ty else { return None };
                let field = self.records.field(r, name).filter(|f| f.bits.is_none())?;
                Some((addr.wrapping_add(field.offset), field.ty))
            }
            ExprKind::CompoundLiteral(ty, init) if self.at_file_scope() => {
                let ty = self.type_name(ty).ok()?;
                let (ty, bytes) = self.static_init(&ty, init).ok()?;
                let i = self.new_global("literal", ty.clone(), Some(bytes));
                Some((self.global_address(i), ty))
            }
            _ => None,
        }
    }

    /// Arrays decay to constant pointers; other objects have no constant value.
    fn const_array(&mut self, e: &Expr) -> Option<Const> {
        let (bits, ty) = self.const_place(e)?;
        match ty.ty {
            Ty::Array(element, _) => Some(Const { bits, ty: Ty::Pointer(element) }),
            _ => None,
        }
    }

    fn fold(&mut self, op: super::Binary, l: Const, r: Const) -> Option<Const> {
        use super::Binary::*;
        if let (Ty::Pointer(target), Some(by)) = (&l.ty, r.as_int()) {
            let size = self.records.size(&target.ty)?;
            let distance = size.wrapping_mul(by as u64);
            let bits = match op {
                Add => l.bits.wrapping_add(distance),
                Sub => l.bits.wrapping_sub(distance),
                Eq => return Some(Const { bits: u64::from(l.bits == r.bits), ty: Ty::INT }),
                Ne => return Some(Const { bits: u64::from(l.bits != r.bits), ty: Ty::INT }),
                _ => return None,
            };
            return Some(Const { bits, ty: l.ty });
        }
        if let (Ty::Int(_), Ty::Pointer(_), Add) = (&l.ty, &r.ty, op) {
            return self.fold(op, r, l);
        }
        if let (Ty::Pointer(target), Ty::Pointer(_)) = (&l.ty, &r.ty) {
            let truth = |b: bool| Some(Const { bits: u64::from(b), ty: Ty::INT });
            return match op {
                Sub => {
                    let size = self.records.size(&target.ty)?.max(1) as i64;
                    let diff = l.bits.wrapping_sub(r.bits) as i64 / size;
                    Some(Const { bits: diff as u64, ty: Ty::Int(IntTy::Long) })
                }
                Eq => truth(l.bits == r.bits),
                Ne => truth(l.bits != r.bits),
                _ => None,
            };
        }
        if l.ty.float().is_some() || r.ty.float().is_some() {
            let (bits, ty) = float::fold(op, (l.ty.number()?, l.bits), (r.ty.number()?, r.bits))?;
            return Some(Const { bits, ty });
        }
        let (a, b) = (l.ty.int()?, r.ty.int()?);
        let shift = matches!(op, Shl | Shr);
        let ty = if shift { a.promote() } else { IntTy::common(a, b) };
        let x = l.cast(&Ty::Int(ty))?.bits;
        let y = if shift { r.bits } else { r.cast(&Ty::Int(ty))?.bits };
        let (sx, sy, signed) = (x as i64, y as i64, ty.signed());
        let less = if signed { sx < sy } else { x < y };
        let truth = |b: bool| Some(Const { bits: u64::from(b), ty: Ty::INT });
        if shift && y >= 8 * ty.size() {
            return None;
        }
        let bits = match op {
            Add => x.wrapping_add(y),
            Sub => x.wrapping_sub(y),
            Mul => x.wrapping_mul(y),
            Div | Rem if y == 0 => return None,
            Div if signed => sx.wrapping_div(sy) as u64,
            Rem if signed => sx.wrapping_rem(sy) as u64,
            Div => x / y,
            Rem => x % y,
            Shl => x << y,
            Shr if signed => (sx >> y) as u64,
            Shr => x >> y,
            BitAnd => x & y,
            BitOr => x | y,
            BitXor => x ^ y,
            Lt => return truth(less),
            Ge => return truth(!less),
            Le => return truth(less || x == y),
            Gt => return truth(!less && x != y),
            Eq => return truth(x == y),
            Ne => return truth(x != y),
        };
        Some(Const { bits: ty.kind().extend(bits), ty: Ty::Int(ty) })
    }

    /// `offsetof` as a value: an index may be any expression.
    pub(super) fn offset_value(&mut self, ty: &TypeName, path: &[Designator]) -> Lowered<Val> {
        let variable = |l: &mut Self, d: &Designator| match d {
            Designator::Index(e) => l.try_const(e).is_none(),
            _ => false,
        };
        let Some(at) = path.iter().position(|d| variable(self, d)) else {
            let offset = self.offset_of(ty, path)?;
            return Ok(self.int(offset, IntTy::ULong));
        };
        // Up to the array, from its first element on, and the index times the size of one.
        let (Designator::Index(index), pos) = (&path[at], self.pos) else { unreachable!("an index") };
        let zero =
            Designator::Index(Expr { kind: ExprKind::Int { value: 0, ty: IntTy::Int }, pos, depth: 0 });
        let one = Designator::Index(Expr { kind: ExprKind::Int { value: 1, ty: IntTy::Int }, pos, depth: 0 });
        let with = |d: Designator| {
            let mut path = path.to_vec();
            path[at] = d;
            path
        };
        let (first, second) = (with(zero), with(one));
        let first_value = self.offset_value(ty, &first)?;
        let start = self.offset_of(ty, &first[..=at])?;
        let size = self.offset_of(ty, &second[..=at])?.wrapping_sub(start);
        let index = self.value(index)?;
        self.pos = pos;
        let size = self.int(size, IntTy::ULong);
        let distance = self.arithmetic(super::Binary::Mul, index, size)?;
        self.arithmetic(super::Binary::Add, first_value, distance)
    }

    pub(super) fn offset_of(&mut self, ty: &TypeName, path: &[Designator]) -> Lowered<u64> {
        let pos = self.pos;
        let mut ty = self.type_name(ty)?;
        let mut offset = 0;
        for step in path {
            self.pos = pos;
            match (step, &ty.ty) {
                (Designator::Field(name), Ty::Record(r)) => match self.records.field(*r, name) {
                    Some(f) if f.bits.is_none_or(|b| b.unaligned && b.shift == 0) => {
                        offset += f.offset;
                        ty = f.ty;
                    }
                    _ => {
                        return Err(
                            self.error("L0102", format!("there is no member `{name}` with an offset"))
                        );
                    }
                },
                (Designator::Index(e), Ty::Array(element, _)) => {
                    let element = (**element).clone();
                    let index = self.const_int(e, "the index in offsetof")?;
                    offset += self.size_of(&element)?.wrapping_mul(index as u64);
                    ty = element;
                }
                _ => return Err(self.error("L0103", "this path does not lead to a member")),
            }
        }
        Ok(offset)
    }
}
