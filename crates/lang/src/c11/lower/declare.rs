//! Declarations: from specifiers and declarators to types, globals and functions.

use super::*;

/// What a declarator declares: its type, and the parameters if it is a function.
pub(super) struct Declared {
    pub ty: QTy,
    pub params: Vec<(Option<Name>, QTy, Pos)>,
}

impl Lower<'_> {
    pub(super) fn external(&mut self, external: &External) -> Lowered<()> {
        match external {
            External::Function { specs, declarator, body } => {
                self.pos = declarator.pos;
                self.function(specs, declarator, body)
            }
            External::Declaration(d) => self.declaration(d),
            External::StaticAssert(cond, text, pos) => {
                self.pos = *pos;
                self.static_assert(cond, text.as_deref())
            }
            External::Pragma => Ok(()),
        }
    }

    pub(super) fn static_assert(&mut self, cond: &Expr, text: Option<&[u8]>) -> Lowered<()> {
        let pos = self.pos;
        let value = self.const_int(cond, "a static assertion")?;
        if value == 0 {
            let text = text.map(|t| format!(": {}", String::from_utf8_lossy(t))).unwrap_or_default();
            return Err(self.error_at(pos, "L0103", format!("static assertion failed{text}")));
        }
        Ok(())
    }

    pub(super) fn base(&mut self, specs: &Specs) -> Lowered<QTy> {
        self.pos = specs.pos;
        if let Some(what) = specs.attributes.refused {
            return self.refuse(what);
        }
        let mut ty = match &specs.ty {
            TypeSpec::Void => Ty::Void.plain(),
            TypeSpec::Int(i) => Ty::Int(*i).plain(),
            TypeSpec::Float(kind) => Ty::Float(*kind).plain(),
            TypeSpec::Opaque(what) => Ty::Opaque(*what).plain(),
            TypeSpec::Record(r) => Ty::Record(self.record(r)?).plain(),
            TypeSpec::Enum(e) => Ty::Int(self.enumeration(e)?).plain(),
            TypeSpec::Typedef(name) => match self.lookup(name) {
                Some(Symbol::Typedef(ty)) => ty,
                _ => return Err(self.error("L0102", format!("unknown type `{name}`"))),
            },
            TypeSpec::TypeofExpr(e) => {
                let mut ty = self.type_of(e)?;
                // As GCC does for atomic operands, so that `typeof(x) old = …` is a plain object.
                ty.quals.atomic = false;
                ty
            }
            TypeSpec::TypeofType(t) => self.type_name(t)?,
            TypeSpec::Atomic(t) => {
                let mut ty = self.type_name(t)?;
                ty.quals.atomic = true;
                ty
            }
            TypeSpec::Auto => return self.refuse("`__auto_type` without an initialiser"),
        };
        ty = self.vector(ty, &specs.attributes)?;
        self.pos = specs.pos;
        ty.quals.konst |= specs.quals.konst;
        ty.quals.volatile |= specs.quals.volatile;
        ty.quals.atomic |= specs.quals.atomic;
        if ty.quals.atomic {
            self.check_atomic(&ty)?;
        }
        Ok(ty)
    }

    /// `__attribute__((vector_size(16)))`.
    fn vector(&mut self, ty: QTy, attributes: &Attributes) -> Lowered<QTy> {
        let Some(size) = &attributes.vector else { return Ok(ty) };
        let bytes = self.const_int(size, "the size of a vector")?;
        match u32::try_from(bytes) {
            Ok(n) if n.is_power_of_two() && n <= 256 => Ok(Ty::Opaque(Opaque::Vector(n)).plain()),
            _ => Err(self.error("L0103", "the size of a vector must be a power of two")),
        }
    }

    pub(super) fn check_atomic(&mut self, ty: &QTy) -> Lowered<()> {
        match &ty.ty {
            Ty::Record(r)
                if self.records.0[*r].complete && !matches!(self.records.0[*r].size, 1 | 2 | 4 | 8 | 16) =>
            {
                let size = self.records.0[*r].size;
                self.refuse(&format!(
                    "an atomic struct of {size} bytes (only 1, 2, 4, 8 and 16 are lock-free)"
                ))
            }
            Ty::Array(..) | Ty::Function(_) => {
                Err(self.error("L0103", "an array or function cannot be atomic"))
            }
            _ => Ok(()),
        }
    }

    pub(super) fn type_name(&mut self, t: &TypeName) -> Lowered<QTy> {
        let base = self.base(&t.specs)?;
        Ok(self.declarator(base, &t.declarator)?.ty)
    }

    pub(super) fn declarator(&mut self, base: QTy, d: &Declarator) -> Lowered<Declared> {
        self.derive(base, d, false)
    }

    /// The outermost array of a parameter is a pointer, whatever its size.
    fn derive(&mut self, base: QTy, d: &Declarator, is_param: bool) -> Lowered<Declared> {
        self.pos = d.pos;
        if let Some(what) = d.attributes.refused {
            return self.refuse(what);
        }
        let mut ty = self.vector(base, &d.attributes)?;
        let mut params = Vec::new();
        for (level, derived) in d.derived.iter().enumerate().rev() {
            ty = match derived {
                Derived::Pointer(quals) => QTy { ty: Ty::pointer_to(ty), quals: *quals },
                Derived::Array(size) => {
                    let count = match size {
                        None => None,
                        Some(e) => match self.try_const(e) {
                            Some(v) => match v.as_int() {
                                Some(n) if n >= 0 => Some(n as u64),
                                _ => {
                                    return Err(self.error_at(
                                        e.pos,
                                        "L0103",
                                        "the size of an array must not be negative",
                                    ));
                                }
                            },
                            None => {
                                // Name the real error, if the size is wrong rather than variable.
                                let before = self.errors;
                                self.type_of(e)?;
                                if self.errors > before {
                                    return Err(Reported);
                                }
                                if is_param && level == 0 && is_quiet(e) {
                                    None
                                } else if !is_param && level == 0 && self.may_vary && d.derived.len() == 1 {
                                    self.variable_length = Some((**e).clone());
                                    None
                                } else {
                                    self.pos = e.pos;
                                    return self.refuse("an array of variable length");
                                }
                            }
                        },
                    };
                    if matches!(ty.ty, Ty::Function(_)) {
                        return Err(self.error("L0103", "an array of functions"));
                    }
                    if self.records.size(&ty.ty).is_none() && !matches!(ty.ty, Ty::Array(_, None)) {
                        let shown = self.show(&ty);
                        return Err(self
                            .error("L0103", format!("an array of `{shown}`, whose size is not known here")));
                    }
                    let array = Ty::Array(Rc::new(ty), count).plain();
                    if count.is_some() && self.records.size(&array.ty).is_none_or(|s| s > 1 << 40) {
                        return Err(self.error("L0103", "this array is too large"));
                    }
                    array
                }
                Derived::Function { params: list, variadic, unspecified } => {
                    params.clear();
                    self.scopes.push(Scope::default());
                    let (depth, locals) = (self.scopes.len(), self.frame.locals.len());
                    let mut types = Vec::new();
                    let mut outcome = Ok(());
                    for (specs, p) in list {
                        match self.base(specs).and_then(|b| self.derive(b, p, true)) {
                            Ok(declared) => {
                                let adjusted = adjust(declared.ty);
                                types.push(adjusted.clone());
                                self.mention(p.name.as_ref(), &adjusted);
                                params.push((p.name.clone(), adjusted, p.pos));
                            }
                            Err(e) => {
                                outcome = Err(e);
                                break;
                            }
                        }
                    }
                    self.scopes.truncate(depth - 1);
                    self.frame.locals.truncate(locals);
                    outcome?;
                    if matches!(ty.ty, Ty::Function(_) | Ty::Array(..)) {
                        return Err(self.error("L0103", "a function cannot return a function or an array"));
                    }
                    Ty::Function(Rc::new(FnTy {
                        ret: ty,
                        params: types,
                        variadic: *variadic,
                        unspecified: *unspecified,
                    }))
                    .plain()
                }
            };
        }
        self.pos = d.pos;
        Ok(Declared { ty, params })
    }

    /// Later parameters may name this one, to say how large they are.
    fn mention(&mut self, name: Option<&Name>, ty: &QTy) {
        let Some(name) = name else { return };
        let home = Home::Register { reg: 0, flag: None };
        let var = (u32::MAX, u32::MAX);
        self.frame.locals.push(Local { name: name.clone(), ty: ty.clone(), home, var, param: false });
        let index = self.frame.locals.len() - 1;
        self.scope().names.insert(name.clone(), Symbol::Local(index));
    }

    pub(super) fn declare_name(&mut self, name: &Name, symbol: Symbol) -> Lowered<()> {
        let clash = match (self.scope().names.get(name), &symbol) {
            (None, _) => false,
            (Some(Symbol::Typedef(a)), Symbol::Typedef(b)) => a != b,
            (Some(Symbol::Function(a)), Symbol::Function(b)) => a != b,
            (Some(Symbol::Global(a)), Symbol::Global(b)) => a != b,
            (Some(Symbol::ThreadLocal(a)), Symbol::ThreadLocal(b)) => a != b,
            _ => true,
        };
        if clash {
            return Err(self.error("L0107", format!("`{name}` is declared already in this scope")));
        }
        self.scope().names.insert(name.clone(), symbol);
        Ok(())
    }

    pub(super) fn declaration(&mut self, d: &Declaration) -> Lowered<()> {
        if let (TypeSpec::Auto, [(declarator, Some(Initializer::Expr(e)))]) =
            (&d.specs.ty, d.items.as_slice())
        {
            let ty = self.type_of(e)?;
            let ty = adjust(QTy { quals: Quals::default(), ..ty });
            return self.declare_item(&d.specs, declarator, ty, d.items[0].1.as_ref());
        }
        let base = self.base(&d.specs)?;
        let mut outcome = Ok(());
        for (declarator, init) in &d.items {
            self.may_vary = self.in_function && d.specs.storage == Storage::None && init.is_none();
            let declared = self.declarator(base.clone(), declarator);
            self.may_vary = false;
            if let (Some(count), Ok(declared)) = (self.variable_length.take(), &declared) {
                outcome = outcome.and(self.declare_variable(declarator, declared.ty.clone(), &count));
                continue;
            }
            let result = declared.and_then(|declared| {
                if matches!(declared.ty.ty, Ty::Function(_)) && d.specs.storage != Storage::Typedef {
                    if init.is_some() {
                        return Err(self.error("L0103", "a function cannot be initialised"));
                    }
                    return self.declare_function(&d.specs, declarator, &declared).map(|_| ());
                }
                self.declare_item(&d.specs, declarator, declared.ty, init.as_ref())
            });
            outcome = outcome.and(result);
        }
        outcome
    }

    pub(super) fn declare_item(
        &mut self,
        specs: &Specs,
        d: &Declarator,
        ty: QTy,
        init: Option<&Initializer>,
    ) -> Lowered<()> {
        let Some(name) = &d.name else { return Ok(()) };
        self.pos = d.pos;
        if specs.storage == Storage::Typedef {
            if let (true, Ty::Record(r)) = (d.attributes.transparent_union, &ty.ty) {
                self.records.0[*r].transparent |= self.records.0[*r].union;
            }
            return self.declare_name(name, Symbol::Typedef(ty));
        }
        if matches!(ty.ty, Ty::Void) {
            return Err(self.error("L0103", format!("`{name}` cannot have the type void")));
        }
        let fixed = self.at_file_scope() || matches!(specs.storage, Storage::Static | Storage::Extern);
        if specs.thread_local {
            if !fixed {
                return Err(
                    self.error("L0103", "a thread-local variable in a function must be static or extern")
                );
            }
            return self.declare_thread_local(specs, name, ty, init);
        }
        if specs.storage == Storage::Register
            && let Some(register) = &d.attributes.label
        {
            if fixed {
                // The processor has it, no file defines it: whoever uses it is refused.
                let specs = Specs { storage: Storage::Extern, ..specs.clone() };
                return self.declare_global(&specs, name, ty, init);
            }
            if init.is_none() && matches!(&**register, "rsp" | "esp" | "sp" | "rbp" | "ebp" | "fp" | "x29") {
                return self.refuse(&format!("a variable that is the register `{register}`"));
            }
        }
        if fixed { self.declare_global(specs, name, ty, init) } else { self.declare_local(name, ty, init) }
    }

    pub(super) fn declare_global(
        &mut self,
        specs: &Specs,
        name: &Name,
        ty: QTy,
        init: Option<&Initializer>,
    ) -> Lowered<()> {
        let pos = self.pos;
        let file_scope = self.at_file_scope();
        let external = specs.storage != Storage::Static;
        let known = match self.scopes[0].names.get(name) {
            Some(Symbol::Global(i)) if file_scope || specs.storage == Storage::Extern => Some(*i),
            None if external => match self.linked.get(name) {
                Some(Symbol::Global(i)) => Some(*i),
                _ => None,
            },
            _ => None,
        };
        let index = match known {
            Some(i) => {
                let old = self.globals[i as usize].ty.clone();
                let sized = self.merge_types(&old, &ty);
                match sized {
                    Some(merged) => self.globals[i as usize].ty = merged,
                    None => {
                        let (a, b) = (self.show(&old), self.show(&ty));
                        return Err(
                            self.error("L0107", format!("`{name}` was declared as `{a}`, and here as `{b}`"))
                        );
                    }
                }
                i
            }
            None => {
                let i = self.new_global(name, ty.clone(), None);
                if external {
                    self.linked.insert(name.clone(), Symbol::Global(i));
                }
                i
            }
        };
        self.declare_name(name, Symbol::Global(index))?;
        self.globals[index as usize].exists |= specs.storage != Storage::Extern || init.is_some();
        self.pos = pos;
        if let Some(init) = init {
            if self.globals[index as usize].defined {
                return Err(self.error("L0107", format!("`{name}` is initialised twice")));
            }
            let ty = self.globals[index as usize].ty.clone();
            let (ty, bytes) = self.static_init(&ty, init)?;
            self.pos = pos;
            self.set_global(index, ty, Some(bytes));
            self.globals[index as usize].defined = true;
        } else {
            let ty = self.globals[index as usize].ty.clone();
            if specs.storage != Storage::Extern
                && !matches!(ty.ty, Ty::Array(_, None))
                && !matches!(ty.ty, Ty::Record(_))
            {
                self.size_of(&ty)?;
            }
            self.set_global(index, ty, None);
        }
        Ok(())
    }

    /// Two declarations of one object: an array may get its size from either.
    pub(super) fn merge_types(&self, a: &QTy, b: &QTy) -> Option<QTy> {
        match (&a.ty, &b.ty) {
            (Ty::Array(x, None), Ty::Array(y, _)) if x == y || self.same_size(x, y) => Some(b.clone()),
            (Ty::Array(x, _), Ty::Array(y, None)) if x == y || self.same_size(x, y) => Some(a.clone()),
            // Records of different files are told apart; sizes must do.
            _ if self.records.size(&a.ty) == self.records.size(&b.ty) => Some(a.clone()),
            _ if self.records.size(&a.ty).is_none() => Some(b.clone()),
            _ if self.records.size(&b.ty).is_none() => Some(a.clone()),
            _ => None,
        }
    }

    pub(super) fn same_size(&self, a: &QTy, b: &QTy) -> bool {
        self.records.size(&a.ty) == self.records.size(&b.ty)
    }
}

/// Whether leaving out this size of a parameter leaves out nothing else.
fn is_quiet(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Ident(_) | ExprKind::Int { .. } => true,
        ExprKind::Binary(_, a, b) => is_quiet(a) && is_quiet(b),
        _ => false,
    }
}

/// Parameters of array and function type are pointers.
pub(super) fn adjust(ty: QTy) -> QTy {
    match ty.ty {
        Ty::Array(element, _) => QTy { ty: Ty::Pointer(element), quals: Quals::default() },
        Ty::Function(_) => Ty::pointer_to(ty).plain(),
        _ => ty,
    }
}
