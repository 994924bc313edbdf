//! Where things are: locals and their homes, lvalues, loads and stores.

use super::*;
use lineal_model::program::{BinOp, UnOp};
use lineal_model::run::Mode;

/// An lvalue.
#[derive(Clone, Debug)]
pub(super) enum Spot {
    /// A local that lives in a register: its index among the locals.
    Register(usize),
    Memory {
        addr: Reg,
        ty: QTy,
        origin: Option<Origin>,
    },
    /// A bit-field; `addr` is that of its run.
    Bits {
        addr: Reg,
        bits: Bits,
        ty: QTy,
    },
}

impl Lower<'_> {
    /// A new local with its home; code for a fresh block is emitted here.
    pub(super) fn new_local(&mut self, name: &Name, ty: QTy, initialised: bool) -> Lowered<usize> {
        let size = self.size_of(&ty)?;
        if size > 1 << 20 {
            return self.refuse(&format!("a local variable of {size} bytes"));
        }
        let var = (self.frame.index, self.frame.next_var);
        self.frame.next_var += 1;
        let scalar = ty.ty.is_scalar() && !ty.quals.atomic;
        let home = match &self.known {
            Some(k) if k.escaped.contains(&Origin::Local(var)) => {
                let reg = self.frame.blocks.pop().expect("as many as escape");
                Home::Block(reg)
            }
            Some(k) if scalar && !k.taken.contains(&var) => {
                let unset = !initialised || k.skipped.contains(&var);
                let reg = self.temp();
                let flag = unset.then(|| self.temp());
                Home::Register { reg, flag }
            }
            _ => Home::Private(self.object(size, self.records.align(&ty))),
        };
        self.frame.locals.push(Local {
            name: name.clone(),
            ty: ty.clone(),
            home: home.clone(),
            var,
            param: false,
        });
        self.begin_local(&home, size, &ty, name);
        Ok(self.frame.locals.len() - 1)
    }

    pub(super) fn declare_local(&mut self, name: &Name, ty: QTy, init: Option<&Initializer>) -> Lowered<()> {
        let pos = self.pos;
        let ty = match init {
            Some(init) => self.complete(&ty, init)?,
            None => ty,
        };
        self.pos = pos;
        let index = self.new_local(name, ty.clone(), init.is_some())?;
        self.declare_name(name, Symbol::Local(index))?;
        let mark = self.frame.next;
        if let Some(init) = init {
            self.local_init(index, &ty, init)?;
        }
        self.frame.next = mark;
        Ok(())
    }

    pub(super) fn param(
        &mut self,
        name: &Name,
        ty: QTy,
        reg: Reg,
        position: u32,
        function: u32,
    ) -> Lowered<()> {
        let var = (self.frame.index, self.frame.next_var);
        self.frame.next_var += 1;
        self.facts.param(function, position, var);
        let size = self.size_of(&ty)?;
        let scalar = ty.ty.is_scalar();
        let home = match &self.known {
            Some(k) if k.escaped.contains(&Origin::Local(var)) => {
                Home::Block(self.frame.blocks.pop().expect("as many as escape"))
            }
            Some(k) if scalar && !k.taken.contains(&var) => Home::Register { reg, flag: None },
            _ => Home::Private(self.object(size, self.records.align(&ty))),
        };
        if let Home::Block(block) = home {
            self.begin_block(block, size, &ty, name);
        }
        let in_register = matches!(home, Home::Register { .. });
        self.frame.locals.push(Local { name: name.clone(), ty: ty.clone(), home, var, param: true });
        let index = self.frame.locals.len() - 1;
        if !name.is_empty() {
            self.declare_name(name, Symbol::Local(index))?;
        }
        if !in_register {
            let addr = self.local_address(index);
            if scalar {
                self.emit(Instr::Store { kind: ty.ty.kind(), mode: Mode::NonAtomic, addr, src: reg });
            } else {
                self.emit(Instr::Copy { to: addr, from: reg, size: size as u32 });
            }
        }
        Ok(())
    }

    /// A register with the address of a local that lives in memory.
    pub(super) fn local_address(&mut self, index: usize) -> Reg {
        match self.frame.locals[index].home {
            Home::Private(object) => {
                let dst = self.temp();
                self.emit(Instr::FrameAddr { dst, object });
                dst
            }
            Home::Block(reg) => reg,
            Home::Register { reg, .. } => reg,
        }
    }

    pub(super) fn local_spot(&mut self, index: usize) -> Spot {
        let local = self.frame.locals[index].clone();
        match local.home {
            Home::Register { .. } => Spot::Register(index),
            _ => Spot::Memory {
                addr: self.local_address(index),
                ty: local.ty,
                origin: Some(Origin::Local(local.var)),
            },
        }
    }

    pub(super) fn spot_type(&self, spot: &Spot) -> QTy {
        match spot {
            Spot::Register(i) => self.frame.locals[*i].ty.clone(),
            Spot::Memory { ty, .. } | Spot::Bits { ty, .. } => ty.clone(),
        }
    }

    pub(super) fn spot(&mut self, e: &Expr) -> Lowered<Spot> {
        self.pos = e.pos;
        match &e.kind {
            ExprKind::Ident(name) => match self.lookup(name) {
                Some(Symbol::Local(i)) => Ok(self.local_spot(i)),
                Some(Symbol::Global(i)) => {
                    self.globals[i as usize].used.get_or_insert(e.pos);
                    let addr = self.constant(self.global_address(i));
                    Ok(Spot::Memory { addr, ty: self.globals[i as usize].ty.clone(), origin: None })
                }
                Some(Symbol::ThreadLocal(i)) => Ok(self.thread_local_spot(i)),
                Some(Symbol::Function(f)) => {
                    self.library_facts(name);
                    self.facts.ranks |= !self.runtime && &**name == BARRIER_WAIT;
                    self.facts.destroys |= !self.runtime && &**name == BARRIER_DESTROY;
                    self.functions[f as usize].called_at.get_or_insert(e.pos);
                    let addr = self.constant(self.function_address(f));
                    let ty = Ty::Function(self.functions[f as usize].ty.clone()).plain();
                    Ok(Spot::Memory { addr, ty, origin: None })
                }
                Some(Symbol::Constant(..)) => {
                    Err(self.error("L0103", format!("`{name}` is a constant, not an object")))
                }
                Some(Symbol::Typedef(_)) => {
                    Err(self.error("L0103", format!("`{name}` is a type, not an object")))
                }
                None => Err(self.unknown_name(name)),
            },
            ExprKind::Unary(Unary::Deref, inner) => {
                let pointer = self.value(inner)?;
                self.pos = e.pos;
                self.follow(pointer)
            }
            ExprKind::Index(a, b) => self.element(a, b, e.pos, false),
            ExprKind::Member { base, name, arrow } => {
                let base = if *arrow {
                    let pointer = self.value(base)?;
                    self.follow(pointer)?
                } else {
                    self.spot(base)?
                };
                self.pos = e.pos;
                self.member(base, name)
            }
            ExprKind::FunctionName => {
                let name: Rc<[u8]> = self.out.functions[self.frame.index as usize].name.as_bytes().into();
                let index = self.string(&name);
                let addr = self.constant(self.global_address(index));
                Ok(Spot::Memory { addr, ty: self.globals[index as usize].ty.clone(), origin: None })
            }
            ExprKind::Str(bytes) => {
                let index = self.string(bytes);
                let addr = self.constant(self.global_address(index));
                Ok(Spot::Memory { addr, ty: self.globals[index as usize].ty.clone(), origin: None })
            }
            ExprKind::CompoundLiteral(ty, init) => {
                let ty = self.type_name(ty)?;
                let ty = self.complete(&ty, init)?;
                let name: Name = "literal".into();
                // It lives as long as its block: keep its registers from being reused.
                let index = self.new_local(&name, ty.clone(), true)?;
                self.local_init(index, &ty, init)?;
                Ok(self.local_spot(index))
            }
            ExprKind::Generic(control, arms) => {
                let chosen = self.generic(control, arms)?;
                self.spot(chosen)
            }
            ExprKind::ChooseExpr(c, a, b) => {
                let chosen = if self.const_int(c, "the condition")? != 0 { a } else { b };
                self.spot(chosen)
            }
            _ => {
                let v = self.value(e)?;
                self.pos = e.pos;
                if matches!(v.ty, Ty::Record(_)) {
                    return Ok(Spot::Memory { addr: v.reg, ty: v.ty.plain(), origin: v.origin });
                }
                Err(self.error(
                    "L0103",
                    "this is a value, not an object that could be assigned or have its address taken",
                ))
            }
        }
    }

    /// `a[b]`. An array of known size is not left, even where the object goes on behind it;
    /// with `past`, the element behind the last may be named (only its address is wanted).
    pub(super) fn element(&mut self, a: &Expr, b: &Expr, pos: Pos, past: bool) -> Lowered<Spot> {
        let is_object = matches!(
            &a.kind,
            ExprKind::Ident(_)
                | ExprKind::Member { .. }
                | ExprKind::Index(..)
                | ExprKind::Unary(Unary::Deref, _)
        );
        let constant = matches!(&a.kind, ExprKind::Ident(name) if matches!(self.lookup(name), Some(Symbol::Constant(..))));
        let (base, count) = if is_object && !constant {
            let spot = self.spot(a)?;
            let count = match self.spot_type(&spot).ty {
                // Arrays of none or one at the end of a struct are how flexible ones used to be written.
                Ty::Array(_, Some(n)) if n > 1 || !matches!(a.kind, ExprKind::Member { .. }) => Some(n),
                _ => None,
            };
            self.pos = a.pos;
            (self.load(spot)?, count)
        } else {
            (self.value(a)?, None)
        };
        let index = self.value(b)?;
        self.pos = pos;
        if let (Some(count), Some(_)) = (count, index.ty.int()) {
            let index = self.integer(index.clone(), IntTy::Long);
            let count = u32::try_from(count).unwrap_or(u32::MAX);
            self.emit(Instr::CheckIndex { index: index.reg, count, past });
        }
        let sum = self.arithmetic(super::Binary::Add, base, index)?;
        self.follow(sum)
    }

    pub(super) fn unknown_name(&mut self, name: &str) -> Reported {
        self.error("L0102", format!("`{name}` is not declared"))
    }

    fn thread_local_spot(&mut self, index: usize) -> Spot {
        let t = self.thread_locals[index].clone();
        let addr = self.temp();
        self.emit(Instr::TlsAddr { dst: addr, object: t.object });
        if t.shared {
            let dst = self.temp();
            self.emit(Instr::Load { kind: IntKind::U64, mode: Mode::NonAtomic, dst, addr, lenient: false });
            return Spot::Memory { addr: dst, ty: t.ty, origin: None };
        }
        Spot::Memory { addr, ty: t.ty, origin: Some(Origin::Local(t.var)) }
    }

    /// The object a pointer leads to.
    pub(super) fn follow(&mut self, pointer: Val) -> Lowered<Spot> {
        match &pointer.ty {
            Ty::Pointer(target) => {
                Ok(Spot::Memory { addr: pointer.reg, ty: (**target).clone(), origin: pointer.origin })
            }
            other => {
                let shown = self.show(&other.clone().plain());
                Err(self.error("L0103", format!("a pointer is needed here, not `{shown}`")))
            }
        }
    }

    pub(super) fn member(&mut self, base: Spot, name: &str) -> Lowered<Spot> {
        let base_ty = self.spot_type(&base);
        let (Ty::Record(record), Spot::Memory { addr, origin, .. }) = (&base_ty.ty, &base) else {
            let shown = self.show(&base_ty);
            return Err(self.error("L0103", format!("`{shown}` has no members")));
        };
        if !self.records.0[*record].complete {
            let shown = self.show(&base_ty);
            return Err(self.error("L0103", format!("`{shown}` is not defined here")));
        }
        if base_ty.quals.atomic {
            return self.refuse("access to a member of an atomic struct (copy the struct out first)");
        }
        let Some(field) = self.records.field(*record, name) else {
            let shown = self.show(&base_ty);
            return Err(self.error("L0102", format!("`{shown}` has no member `{name}`")));
        };
        self.check_packed(*record, &field)?;
        let mut ty = field.ty;
        ty.quals.konst |= base_ty.quals.konst;
        ty.quals.volatile |= base_ty.quals.volatile;
        let offset = field.bits.map_or(field.offset, |b| b.offset);
        let (addr, origin) = (self.offset(*addr, offset), *origin);
        Ok(match field.bits {
            Some(bits) => Spot::Bits { addr, bits, ty },
            None => Spot::Memory { addr, ty, origin },
        })
    }

    /// Scalars of a packed struct are moved byte by byte; the rest is not modelled.
    pub(super) fn check_packed(&mut self, record: usize, field: &Field) -> Lowered<()> {
        let loose =
            self.records.0[record].packed && field.bits.is_none() && self.records.align(&field.ty) > 1;
        if loose || self.records.0[record].packed && field.ty.quals.atomic {
            return self.refuse("a member of a packed struct that is a struct, an array or atomic");
        }
        Ok(())
    }

    pub(super) fn offset(&mut self, addr: Reg, offset: u64) -> Reg {
        if offset == 0 {
            return addr;
        }
        let b = self.constant(offset);
        let dst = self.temp();
        self.emit(Instr::Bin { op: BinOp::Add, kind: IntKind::U64, dst, a: addr, b });
        dst
    }

    /// The value of an lvalue; arrays and functions become pointers.
    pub(super) fn load(&mut self, spot: Spot) -> Lowered<Val> {
        match spot {
            Spot::Register(i) => {
                let local = self.frame.locals[i].clone();
                let Home::Register { reg, flag } = local.home else { unreachable!("a register local") };
                if let Some(flag) = flag {
                    let name = self.message(&local.name);
                    self.emit(Instr::CheckInit { flag, name });
                }
                let pointer = local.param && matches!(local.ty.ty, Ty::Pointer(_));
                let origin = pointer.then_some(Origin::Param(local.var));
                Ok(Val { reg, ty: local.ty.ty, origin })
            }
            Spot::Memory { addr, ty, origin } => match &ty.ty {
                Ty::Array(element, _) => Ok(Val { reg: addr, ty: Ty::Pointer(element.clone()), origin }),
                Ty::Function(_) => Ok(Val { reg: addr, ty: Ty::pointer_to(ty), origin: None }),
                Ty::Record(_) if ty.quals.atomic => self.load_atomic_record(addr, &ty, Mode::SeqCst),
                Ty::Record(_) => Ok(Val { reg: addr, ty: ty.ty, origin }),
                Ty::Void => Ok(Val { reg: addr, ty: Ty::Void, origin: None }),
                Ty::Opaque(what) => self.refuse(what.what()),
                Ty::Int(_) | Ty::Float(_) | Ty::Pointer(_) => {
                    let dst = self.temp();
                    let mode = self.access_mode(&ty, false);
                    self.emit(Instr::Load { kind: ty.ty.kind(), mode, dst, addr, lenient: false });
                    // In the first walk a parameter is in memory: its value still counts as its own.
                    let origin = match origin {
                        Some(Origin::Local(var)) if matches!(ty.ty, Ty::Pointer(_)) && self.is_param(var) => {
                            Some(Origin::Param(var))
                        }
                        _ => None,
                    };
                    Ok(Val { reg: dst, ty: ty.ty, origin })
                }
            },
            Spot::Bits { addr, bits, ty } => {
                let raw = self.load_run(addr, bits, &ty);
                Ok(self.extract(raw, bits, &ty))
            }
        }
    }

    fn is_param(&self, var: VarId) -> bool {
        self.frame.locals.iter().any(|l| l.param && l.var == var && matches!(l.ty.ty, Ty::Pointer(_)))
    }

    /// All bytes of a run of bit-fields.
    fn load_run(&mut self, addr: Reg, bits: Bits, ty: &QTy) -> Reg {
        let dst = self.temp();
        if let Some(kind) = run_kind(bits, ty) {
            self.emit(Instr::Load { kind, mode: Mode::NonAtomic, dst, addr, lenient: true });
        } else {
            let object = self.object(8, 8);
            let room = self.temp();
            self.emit(Instr::FrameAddr { dst: room, object });
            self.emit(Instr::Copy { to: room, from: addr, size: u32::from(bits.size) });
            self.emit(Instr::Load {
                kind: IntKind::U64,
                mode: Mode::NonAtomic,
                dst,
                addr: room,
                lenient: true,
            });
        }
        dst
    }

    fn extract(&mut self, raw: Reg, bits: Bits, ty: &QTy) -> Val {
        let int = ty.ty.int().unwrap_or(IntTy::ULong);
        let (up, down) = (64 - u64::from(bits.shift) - u64::from(bits.width), 64 - u64::from(bits.width));
        let (left, right) = (self.constant(up), self.constant(down));
        let (a, dst) = (self.temp(), self.temp());
        self.emit(Instr::Bin { op: BinOp::Shl, kind: IntKind::U64, dst: a, a: raw, b: left });
        let kind = if int.signed() { IntKind::I64 } else { IntKind::U64 };
        self.emit(Instr::Bin { op: BinOp::Shr, kind, dst, a, b: right });
        // A bit-field narrower than int promotes to int, whatever its signedness.
        let narrow = u64::from(bits.width) < 32 || bits.width == 32 && int.signed();
        let promoted = if narrow && int != IntTy::Bool && !bits.unaligned { IntTy::Int } else { int };
        let ty = if ty.ty.int().is_some() { Ty::Int(promoted) } else { ty.ty.clone() };
        Val { reg: dst, ty, origin: None }
    }

    /// Stores a value already of the right type. Returns the value as a later read would see it.
    pub(super) fn store(&mut self, spot: &Spot, value: &Val) -> Lowered<Val> {
        self.escape(value);
        match spot {
            Spot::Register(i) => {
                let Home::Register { reg, flag } = self.frame.locals[*i].home else {
                    unreachable!("a register local")
                };
                self.emit(Instr::Move { dst: reg, src: value.reg });
                if let Some(flag) = flag {
                    self.emit(Instr::Const { dst: flag, value: 1 });
                }
                Ok(Val { reg, ty: value.ty.clone(), origin: None })
            }
            Spot::Memory { addr, ty, .. } => match &ty.ty {
                Ty::Record(_) if ty.quals.atomic => {
                    self.store_atomic_record(*addr, ty, value.reg, Mode::SeqCst)?;
                    Ok(value.clone())
                }
                Ty::Record(_) => {
                    let size = self.size_of(ty)? as u32;
                    self.emit(Instr::Copy { to: *addr, from: value.reg, size });
                    Ok(value.clone())
                }
                _ => {
                    let mode = self.access_mode(ty, true);
                    self.emit(Instr::Store { kind: ty.ty.kind(), mode, addr: *addr, src: value.reg });
                    Ok(Val { origin: None, ..value.clone() })
                }
            },
            Spot::Bits { addr, bits, ty } => {
                let raw = self.load_run(*addr, *bits, ty);
                let mask = if bits.width == 64 { u64::MAX } else { (1u64 << bits.width) - 1 };
                let bin = |l: &mut Self, op, a, b| {
                    let dst = l.temp();
                    l.emit(Instr::Bin { op, kind: IntKind::U64, dst, a, b });
                    dst
                };
                let (field, hole, shift) = (
                    self.constant(mask),
                    self.constant(!(mask << bits.shift)),
                    self.constant(u64::from(bits.shift)),
                );
                let cut = bin(self, BinOp::And, value.reg, field);
                let moved = bin(self, BinOp::Shl, cut, shift);
                let rest = bin(self, BinOp::And, raw, hole);
                let new = bin(self, BinOp::Or, rest, moved);
                if let Some(kind) = run_kind(*bits, ty) {
                    self.emit(Instr::Store { kind, mode: Mode::NonAtomic, addr: *addr, src: new });
                } else {
                    let object = self.object(8, 8);
                    let room = self.temp();
                    self.emit(Instr::FrameAddr { dst: room, object });
                    self.emit(Instr::Store {
                        kind: IntKind::U64,
                        mode: Mode::NonAtomic,
                        addr: room,
                        src: new,
                    });
                    self.emit(Instr::Copy { to: *addr, from: room, size: u32::from(bits.size) });
                }
                Ok(self.extract(new, *bits, ty))
            }
        }
    }

    /// `&spot`.
    pub(super) fn address(&mut self, spot: Spot) -> Lowered<Val> {
        match spot {
            Spot::Memory { addr, ty, origin } => {
                if let Some(Origin::Local(var)) = origin {
                    self.facts.taken.insert(var);
                }
                Ok(Val { reg: addr, ty: Ty::pointer_to(ty), origin })
            }
            // A whole member of a packed struct: an access through the address says if it is not aligned.
            Spot::Bits { addr, bits, ty }
                if bits.unaligned
                    && bits.shift == 0
                    && Some(u64::from(bits.width)) == self.records.size(&ty.ty).map(|s| 8 * s) =>
            {
                Ok(Val { reg: addr, ty: Ty::pointer_to(ty), origin: None })
            }
            Spot::Bits { .. } => {
                Err(self
                    .error("L0103", "a bit-field or a member of a packed struct has no address of its own"))
            }
            Spot::Register(i) => {
                // The first walk saw every address that is taken, so this one is never used.
                debug_assert!(self.dry > 0, "the address of a register is taken");
                let ty = self.frame.locals[i].ty.clone();
                let reg = self.constant(0);
                Ok(Val { reg, ty: Ty::pointer_to(ty), origin: None })
            }
        }
    }

    /// The value goes somewhere that others may read.
    pub(super) fn escape(&mut self, value: &Val) {
        if let Some(origin) = value.origin {
            // The contents of a record are copied, not its address.
            if !matches!(value.ty, Ty::Record(_)) {
                self.facts.escaped.insert(origin);
            }
        }
    }

    pub(super) fn truth(&mut self, v: &Val) -> Lowered<Reg> {
        if v.ty.float().is_some() {
            return Ok(self.float_truth(v));
        }
        if v.ty.is_scalar() {
            return Ok(v.reg);
        }
        if let Ty::Opaque(what) = v.ty {
            return self.refuse(what.what());
        }
        let shown = self.show(&v.ty.clone().plain());
        Err(self.error("L0103", format!("a condition must be a number or a pointer, not `{shown}`")))
    }

    pub(super) fn test(&mut self, v: &Val) -> Lowered<Reg> {
        let a = self.truth(v)?;
        let dst = self.temp();
        self.emit(Instr::Un { op: UnOp::Test, kind: IntKind::U64, dst, a });
        Ok(dst)
    }
}

/// The access that takes a whole run at once, if it is aligned for one.
fn run_kind(bits: Bits, ty: &QTy) -> Option<IntKind> {
    let size = u64::from(bits.size);
    let aligned =
        !bits.unaligned && bits.offset.is_multiple_of(size) && ty.ty.int().is_some_and(|i| i.size() >= size);
    IntKind::new(size, false).filter(|_| aligned)
}
