//! C11 `atomic_*`, GCC's `__atomic_*` and `__sync_*` ([`sync`]): one shape, three spellings.

mod given;
mod sync;

use super::place::Spot;
use super::*;
use given::{Given, Weak};
use lineal_model::program::{BinOp, UnOp};
use lineal_model::run::{FetchOp, Mode};

/// The object an atomic operation works on.
struct Target {
    addr: Reg,
    ty: QTy,
    size: u64,
    kind: IntKind,
}

/// How an access is ordered: by a memory order, or as a full barrier.
#[derive(Clone, Copy)]
enum Order {
    Of(Given),
    Full,
}

fn mode_of(order: i64) -> Option<Mode> {
    Some(match order {
        0 => Mode::Relaxed,
        1 | 2 => Mode::Acquire,
        3 => Mode::Release,
        4 => Mode::AcqRel,
        5 => Mode::SeqCst,
        _ => return None,
    })
}

fn fetch_op(word: &str) -> Option<FetchOp> {
    Some(match word {
        "add" => FetchOp::Add,
        "sub" => FetchOp::Sub,
        "and" => FetchOp::And,
        "or" => FetchOp::Or,
        "xor" => FetchOp::Xor,
        "nand" => FetchOp::Nand,
        "max" => FetchOp::Max,
        "min" => FetchOp::Min,
        _ => return None,
    })
}

impl Lower<'_> {
    pub(super) fn atomic_builtin(&mut self, name: &str, args: &[Expr], pos: Pos) -> Option<Lowered<Val>> {
        if let Some(rest) = name.strip_prefix("__sync_") {
            return self.sync_builtin(rest, args, pos);
        }
        if let Some(rest) = name.strip_prefix("__atomic_") {
            return self.gnu_builtin(rest, args, pos);
        }
        let rest = name.strip_prefix("__c11_").unwrap_or(name).strip_prefix("atomic_")?;
        let (op, explicit) = match rest.strip_suffix("_explicit") {
            Some(op) => (op, true),
            None => (rest, name.starts_with("__c11_")),
        };
        Some(match op {
            "init" => self.atomic_init(args),
            "load" => self.arity(args, 1, explicit, 1).and_then(|()| {
                let mode = self.order(args.get(1), explicit, "a load", given::LOADS)?;
                let t = self.target(&args[0])?;
                self.atomic_load(&t, mode)
            }),
            "store" => self.arity(args, 2, explicit, 1).and_then(|()| {
                let mode = self.order(args.get(2), explicit, "a store", given::STORES)?;
                let t = self.target(&args[0])?;
                let v = self.operand(&args[1], &t)?;
                self.pos = pos;
                self.atomic_store(&t, v, mode);
                Ok(self.void())
            }),
            "exchange" => self.arity(args, 2, explicit, 1).and_then(|()| {
                let mode = self.order(args.get(2), explicit, "an exchange", &[])?;
                let t = self.target(&args[0])?;
                let v = self.operand(&args[1], &t)?;
                self.pos = pos;
                Ok(self.fetch(&t, FetchOp::Exchange, v, mode))
            }),
            "compare_exchange_strong" | "compare_exchange_weak" => {
                self.arity(args, 3, explicit, 2).and_then(|()| {
                    let mode = self.order(args.get(3), explicit, "a compare-exchange", &[])?;
                    let fail = self.failure_order(args.get(4), explicit)?;
                    let t = self.target(&args[0])?;
                    let expected = self.expected(&args[1])?;
                    let v = self.operand(&args[2], &t)?;
                    self.pos = pos;
                    self.compare_exchange(&t, expected, v, Weak::Known(op.ends_with("weak")), mode, fail)
                })
            }
            "flag_test_and_set" => self.arity(args, 1, explicit, 1).and_then(|()| {
                let mode = self.order(args.get(1), explicit, "a test-and-set", &[])?;
                self.test_and_set(&args[0], mode, pos)
            }),
            "flag_clear" => self.arity(args, 1, explicit, 1).and_then(|()| {
                let mode = self.order(args.get(1), explicit, "a clear", given::STORES)?;
                self.clear_flag(&args[0], mode, pos)
            }),
            "thread_fence" => self.arity(args, 1, false, 0).and_then(|()| self.fence(&args[0])),
            "signal_fence" => Ok(self.void()),
            "is_lock_free" => self.arity(args, 1, false, 0).and_then(|()| {
                self.type_of(&args[0])?;
                Ok(self.int(1, IntTy::Int))
            }),
            _ => {
                let fetched = op.strip_prefix("fetch_").and_then(fetch_op)?;
                self.arity(args, 2, explicit, 1).and_then(|()| {
                    let mode = self.order(args.get(2), explicit, "a read-modify-write", &[])?;
                    self.fetch_and(&args[0], &args[1], fetched, Order::Of(mode), true, pos)
                        .map(|(old, _)| old)
                })
            }
        })
    }

    fn gnu_builtin(&mut self, op: &str, args: &[Expr], pos: Pos) -> Option<Lowered<Val>> {
        let count = match op {
            "thread_fence" | "signal_fence" => 1,
            "load_n" | "test_and_set" | "clear" | "is_lock_free" | "always_lock_free" => 2,
            "store_n" | "exchange_n" | "load" | "store" => 3,
            "exchange" => 4,
            "compare_exchange_n" | "compare_exchange" => 6,
            _ => 3,
        };
        let known = matches!(
            op,
            "thread_fence"
                | "signal_fence"
                | "load_n"
                | "test_and_set"
                | "clear"
                | "is_lock_free"
                | "always_lock_free"
                | "store_n"
                | "exchange_n"
                | "load"
                | "store"
                | "exchange"
                | "compare_exchange_n"
                | "compare_exchange"
        );
        let fetched = op.strip_prefix("fetch_").and_then(fetch_op).map(|f| (f, false));
        let fetched = fetched.or_else(|| op.strip_suffix("_fetch").and_then(fetch_op).map(|f| (f, true)));
        if !known && fetched.is_none() {
            return None;
        }
        if let Err(e) = self.arity(args, count, false, 0) {
            return Some(Err(e));
        }
        use given::{LOADS as loads, STORES as stores};
        Some((|| match op {
            "thread_fence" => self.fence(&args[0]),
            "signal_fence" => Ok(self.void()),
            "is_lock_free" => Ok(self.int(1, IntTy::Bool)),
            "always_lock_free" => {
                let size = self.const_int(&args[0], "the size of an atomic object")?;
                Ok(self.int(u64::from(matches!(size, 1 | 2 | 4 | 8)), IntTy::Bool))
            }
            "load_n" => {
                let mode = self.order(args.get(1), true, "a load", loads)?;
                let t = self.target(&args[0])?;
                self.atomic_load(&t, mode)
            }
            "load" => {
                let mode = self.order(args.get(2), true, "a load", loads)?;
                let t = self.target(&args[0])?;
                let into = self.expected(&args[1])?;
                self.pos = pos;
                let v = self.atomic_load(&t, mode)?;
                self.store(&into, &v)?;
                Ok(self.void())
            }
            "store_n" | "store" => {
                let mode = self.order(args.get(2), true, "a store", stores)?;
                let t = self.target(&args[0])?;
                let v = if op == "store" { self.behind(&args[1], &t)? } else { self.operand(&args[1], &t)? };
                self.pos = pos;
                self.atomic_store(&t, v, mode);
                Ok(self.void())
            }
            "exchange_n" => {
                let mode = self.order(args.get(2), true, "an exchange", &[])?;
                let t = self.target(&args[0])?;
                let v = self.operand(&args[1], &t)?;
                self.pos = pos;
                Ok(self.fetch(&t, FetchOp::Exchange, v, mode))
            }
            "exchange" => {
                let mode = self.order(args.get(3), true, "an exchange", &[])?;
                let t = self.target(&args[0])?;
                let v = self.behind(&args[1], &t)?;
                let into = self.expected(&args[2])?;
                self.pos = pos;
                let old = self.fetch(&t, FetchOp::Exchange, v, mode);
                self.store(&into, &old)?;
                Ok(self.void())
            }
            "compare_exchange_n" | "compare_exchange" => {
                let weak = self.weakness(&args[3])?;
                let mode = self.order(args.get(4), true, "a compare-exchange", &[])?;
                let fail = self.failure_order(args.get(5), true)?;
                let t = self.target(&args[0])?;
                let expected = self.expected(&args[1])?;
                let v = if op == "compare_exchange" {
                    self.behind(&args[2], &t)?
                } else {
                    self.operand(&args[2], &t)?
                };
                self.pos = pos;
                self.compare_exchange(&t, expected, v, weak, mode, fail)
            }
            "test_and_set" => {
                let mode = self.order(args.get(1), true, "a test-and-set", &[])?;
                self.test_and_set(&args[0], mode, pos)
            }
            "clear" => {
                let mode = self.order(args.get(1), true, "a clear", stores)?;
                self.clear_flag(&args[0], mode, pos)
            }
            _ => {
                let (f, new) = fetched.expect("checked above");
                let mode = self.order(args.get(2), true, "a read-modify-write", &[])?;
                let (old, fresh) = self.fetch_and(&args[0], &args[1], f, Order::Of(mode), false, pos)?;
                Ok(if new { fresh } else { old })
            }
        })())
    }

    pub(super) fn void(&mut self) -> Val {
        Val { reg: 0, ty: Ty::Void, origin: None }
    }

    /// Checks the number of arguments; an explicit form has `orders` more.
    pub(super) fn arity(
        &mut self,
        args: &[Expr],
        count: usize,
        explicit: bool,
        orders: usize,
    ) -> Lowered<()> {
        let want = count + if explicit { orders } else { 0 };
        if args.len() == want {
            return Ok(());
        }
        let got = args.len();
        Err(self.error(
            "L0110",
            format!("{got} argument{} given, {want} expected", if got == 1 { "" } else { "s" }),
        ))
    }

    fn target(&mut self, e: &Expr) -> Lowered<Target> {
        let v = self.value(e)?;
        self.pos = e.pos;
        let Ty::Pointer(ty) = &v.ty else {
            return Err(self.error("L0103", "an atomic operation needs a pointer"));
        };
        let ty = (**ty).clone();
        let size = match &ty.ty {
            Ty::Void => 1,
            _ => self.size_of(&ty)?,
        };
        let signed = ty.ty.int().is_some_and(|i| i.signed());
        match IntKind::new(size, signed) {
            Some(kind) if !matches!(ty.ty, Ty::Array(..) | Ty::Function(_)) => {
                Ok(Target { addr: v.reg, ty, size, kind })
            }
            _ => {
                let shown = self.show(&ty);
                self.refuse(&format!("an atomic operation on `{shown}` ({size} bytes)"))
            }
        }
    }

    /// A register (pair) with the value to store.
    fn operand(&mut self, e: &Expr, t: &Target) -> Lowered<Reg> {
        let mut ty = t.ty.clone();
        ty.quals = Quals::default();
        if ty.ty == Ty::Void {
            ty.ty = Ty::Int(IntTy::UChar);
        }
        let v = self.value_for(e, &ty)?;
        self.pos = e.pos;
        let v = self.convert(v, &ty)?;
        self.escape(&v);
        Ok(if matches!(ty.ty, Ty::Record(_)) { self.pack(v.reg, t.size) } else { v.reg })
    }

    /// The same through a pointer (`__atomic_store` and its kin).
    fn behind(&mut self, e: &Expr, t: &Target) -> Lowered<Reg> {
        let spot = self.expected(e)?;
        let v = self.load(spot)?;
        self.escape(&v);
        Ok(if matches!(v.ty, Ty::Record(_)) { self.pack(v.reg, t.size) } else { v.reg })
    }

    /// `&x` as an out-parameter does not force `x` into memory.
    pub(super) fn expected(&mut self, e: &Expr) -> Lowered<Spot> {
        let mut inner = e;
        while let ExprKind::Cast(_, under) = &inner.kind {
            inner = under;
        }
        if let ExprKind::Unary(Unary::AddressOf, object) = &inner.kind {
            return self.spot(object);
        }
        let v = self.value(e)?;
        self.pos = e.pos;
        self.follow(v)
    }

    fn result(&mut self, t: &Target, reg: Reg) -> Val {
        if matches!(t.ty.ty, Ty::Record(_)) {
            let room = self.unpack(reg, t.size);
            return Val { reg: room, ty: t.ty.ty.clone(), origin: None };
        }
        Val { reg, ty: t.ty.ty.clone(), origin: None }
    }

    fn atomic_load(&mut self, t: &Target, order: impl Into<Given>) -> Lowered<Val> {
        let dst = self.temps(2);
        let (kind, addr) = (t.kind, t.addr);
        self.ordered(order.into(), &mut |l, mode| {
            l.emit(Instr::Load { kind, mode, dst, addr, lenient: false });
        });
        Ok(self.result(t, dst))
    }

    fn atomic_store(&mut self, t: &Target, src: Reg, order: impl Into<Given>) {
        let (kind, addr) = (t.kind, t.addr);
        self.ordered(order.into(), &mut |l, mode| {
            l.emit(Instr::Store { kind, mode, addr, src });
        });
    }

    fn fetch(&mut self, t: &Target, op: FetchOp, src: Reg, order: impl Into<Given>) -> Val {
        let dst = self.temps(2);
        let (kind, addr) = (t.kind, t.addr);
        self.ordered(order.into(), &mut |l, mode| {
            l.emit(Instr::Fetch { op, kind, mode, dst, addr, src });
        });
        self.result(t, dst)
    }

    /// Old and new value. C11's forms step pointers by elements, GCC's by bytes.
    fn fetch_and(
        &mut self,
        object: &Expr,
        operand: &Expr,
        op: FetchOp,
        order: Order,
        elements: bool,
        pos: Pos,
    ) -> Lowered<(Val, Val)> {
        let t = self.target(object)?;
        let r = self.value(operand)?;
        self.pos = pos;
        let int = match &t.ty.ty {
            Ty::Int(i) => *i,
            Ty::Pointer(_) => IntTy::Long,
            _ => return Err(self.error("L0103", "arithmetic on an atomic struct")),
        };
        let mut r = match r.ty {
            Ty::Pointer(_) => Val { ty: Ty::Int(IntTy::Long), ..r },
            _ => self.convert(r, &Ty::Int(if int == IntTy::Bool { IntTy::UChar } else { int }).plain())?,
        };
        if let (Ty::Pointer(target), true) = (&t.ty.ty, elements) {
            let size = match &target.ty {
                Ty::Void => 1,
                _ => self.size_of(&target.clone())?,
            };
            let b = self.constant(size);
            let dst = self.temp();
            self.emit(Instr::Bin { op: BinOp::Mul, kind: IntKind::U64, dst, a: r.reg, b });
            r.reg = dst;
        }
        let fetched =
            if int == IntTy::Bool && matches!(op, FetchOp::Add | FetchOp::Or) { FetchOp::OrBool } else { op };
        let old = match order {
            Order::Of(mode) => self.fetch(&t, fetched, r.reg, mode),
            Order::Full => {
                self.full_barrier();
                let old = self.fetch(&t, fetched, r.reg, Mode::SeqCst);
                self.full_barrier();
                old
            }
        };
        // Atomic arithmetic wraps.
        let bin = |l: &mut Self, op: BinOp| {
            let dst = l.temp();
            l.emit(Instr::Bin { op, kind: IntKind::U64, dst, a: old.reg, b: r.reg });
            dst
        };
        let raw = match op {
            FetchOp::Add => bin(self, BinOp::Add),
            FetchOp::Sub => bin(self, BinOp::Sub),
            FetchOp::Or => bin(self, BinOp::Or),
            FetchOp::Xor => bin(self, BinOp::Xor),
            FetchOp::Nand => {
                let both = bin(self, BinOp::And);
                let dst = self.temp();
                self.emit(Instr::Un { op: UnOp::Not, kind: IntKind::U64, dst, a: both });
                dst
            }
            FetchOp::Max | FetchOp::Min => self.larger(op == FetchOp::Max, t.kind, old.reg, r.reg),
            _ => bin(self, BinOp::And),
        };
        let dst = self.temp();
        if int == IntTy::Bool {
            self.emit(Instr::Un { op: UnOp::Test, kind: IntKind::U64, dst, a: raw });
        } else {
            self.emit(Instr::Extend { kind: t.kind, dst, src: raw });
        }
        let new = Val { reg: dst, ty: t.ty.ty.clone(), origin: None };
        Ok((old, new))
    }

    fn larger(&mut self, max: bool, kind: IntKind, a: Reg, b: Reg) -> Reg {
        let (less, dst) = (self.temp(), self.temp());
        let (x, y) = if max { (a, b) } else { (b, a) };
        self.emit(Instr::Bin { op: BinOp::Lt, kind, dst: less, a: x, b: y });
        self.emit(Instr::Move { dst, src: a });
        let skip = self.emit(Instr::BranchZero { cond: less, to: 0 });
        self.emit(Instr::Move { dst, src: b });
        let here = self.here();
        self.patch(skip, here);
        dst
    }

    fn compare_exchange(
        &mut self,
        t: &Target,
        expected: Spot,
        desired: Reg,
        weak: Weak,
        order: Given,
        failure: Given,
    ) -> Lowered<Val> {
        let want = self.load(expected.clone())?;
        let record = matches!(t.ty.ty, Ty::Record(_));
        let want_reg = if record { self.pack(want.reg, t.size) } else { want.reg };
        // The expected value may sit in a variable's own register, which the failure overwrites.
        let held = self.temps(2);
        self.emit(Instr::Move { dst: held, src: want_reg });
        if t.kind == IntKind::Wide {
            self.emit(Instr::Move { dst: held + 1, src: want_reg + 1 });
        }
        let dst = self.temps(3);
        let (kind, addr, expected_value) = (t.kind, t.addr, held);
        self.ordered(order, &mut |l, mode| {
            l.ordered(failure, &mut |l, fail| {
                let expected = expected_value;
                let cas = |weak| Instr::Cas { kind, mode, fail, weak, dst, addr, expected, desired };
                match weak {
                    Weak::Known(weak) => {
                        l.emit(cas(weak));
                    }
                    Weak::AtRunTime(cond) => {
                        let strong = l.emit(Instr::BranchZero { cond, to: 0 });
                        l.emit(cas(true));
                        let end = l.emit(Instr::Jump { to: 0 });
                        let here = l.here();
                        l.patch(strong, here);
                        l.emit(cas(false));
                        let here = l.here();
                        l.patch(end, here);
                    }
                }
            });
        });
        let failed = self.temp();
        self.emit(Instr::Un { op: UnOp::IsZero, kind: IntKind::U64, dst: failed, a: dst });
        let skip = self.emit(Instr::BranchZero { cond: failed, to: 0 });
        let old = self.result(t, dst + 1);
        let ty = self.spot_type(&expected);
        let old = if record { old } else { self.convert(old, &ty)? };
        self.store(&expected, &old)?;
        let end = self.here();
        self.patch(skip, end);
        Ok(Val { reg: dst, ty: Ty::Int(IntTy::Bool), origin: None })
    }

    fn atomic_init(&mut self, args: &[Expr]) -> Lowered<Val> {
        self.arity(args, 2, false, 0)?;
        let spot = self.expected(&args[0])?;
        let mut ty = self.spot_type(&spot);
        ty.quals = Quals::default();
        let v = self.value_for(&args[1], &ty)?;
        let v = self.convert(v, &ty)?;
        let spot = match spot {
            Spot::Memory { addr, origin, .. } => Spot::Memory { addr, ty, origin },
            other => other,
        };
        self.store(&spot, &v)?;
        Ok(self.void())
    }

    /// The flag itself: the first byte of what the pointer leads to.
    fn flag(&mut self, e: &Expr) -> Lowered<Reg> {
        let v = self.value(e)?;
        match v.ty {
            Ty::Pointer(_) => Ok(v.reg),
            _ => Err(self.error("L0103", "an atomic operation needs a pointer")),
        }
    }

    fn test_and_set(&mut self, e: &Expr, order: Given, pos: Pos) -> Lowered<Val> {
        let addr = self.flag(e)?;
        self.pos = pos;
        let (one, dst) = (self.constant(1), self.temp());
        self.ordered(order, &mut |l, mode| {
            l.emit(Instr::Fetch { op: FetchOp::Exchange, kind: IntKind::U8, mode, dst, addr, src: one });
        });
        Ok(Val { reg: dst, ty: Ty::Int(IntTy::Bool), origin: None })
    }

    fn clear_flag(&mut self, e: &Expr, order: Given, pos: Pos) -> Lowered<Val> {
        let addr = self.flag(e)?;
        self.pos = pos;
        let zero = self.constant(0);
        self.ordered(order, &mut |l, mode| {
            l.emit(Instr::Store { kind: IntKind::U8, mode, addr, src: zero });
        });
        Ok(self.void())
    }

    pub(super) fn load_atomic_record(&mut self, addr: Reg, ty: &QTy, mode: Mode) -> Lowered<Val> {
        let size = self.size_of(ty)?;
        let Some(kind) = IntKind::new(size, false) else {
            return self.refuse(&format!("an atomic struct of {size} bytes"));
        };
        let t = Target { addr, ty: ty.clone(), size, kind };
        self.atomic_load(&t, mode)
    }

    pub(super) fn store_atomic_record(&mut self, addr: Reg, ty: &QTy, value: Reg, mode: Mode) -> Lowered<()> {
        let size = self.size_of(ty)?;
        let Some(kind) = IntKind::new(size, false) else {
            return self.refuse(&format!("an atomic struct of {size} bytes"));
        };
        let src = self.pack(value, size);
        self.emit(Instr::Store { kind, mode, addr, src });
        Ok(())
    }
}
