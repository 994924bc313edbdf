//! Functions the compiler knows: allocation, assertions, choices, and the primitives that the
//! run-time library in `runtime/` is written with.

use super::system::special;
use super::*;
use lineal_model::program::instr::AllocLayout;
use lineal_model::run::BlockKind;
use lineal_model::{Assumption, Knob};

/// Functions of the C library that only print: their arguments are evaluated, nothing else.
const PRINTING: &[&str] = &[
    "printf",
    "fprintf",
    "puts",
    "putchar",
    "fputs",
    "fputc",
    "putc",
    "fflush",
    "perror",
    "vprintf",
    "dprintf",
    "setbuf",
    "setvbuf",
    "warn",
    "warnx",
    "vwarn",
    "vwarnx",
    "syslog",
    "openlog",
    "closelog",
    "__builtin_printf",
    "__builtin_puts",
    "__builtin_prefetch",
    "srand",
];

impl Lower<'_> {
    pub(super) fn builtin(&mut self, name: &str, args: &[Expr], pos: Pos) -> Option<Lowered<Val>> {
        if let Some(result) = self.atomic_builtin(name, args, pos) {
            return Some(result);
        }
        if PRINTING.contains(&name) {
            return Some(self.print(args));
        }
        if name == "__lineal_system_call" {
            self.assume("syscall");
            return Some(self.system_call(args, pos, true));
        }
        if let Some(rest) = name.strip_prefix("__lineal_") {
            return self.primitive(rest, args, pos);
        }
        if let Some(rest) = name.strip_prefix("__VERIFIER_") {
            return self.verifier(rest, args, pos);
        }
        if let "lineal_plock" | "lineal_punlock" = name {
            return Some(self.partial_lock(name, args, pos));
        }
        let name = name.strip_prefix("__builtin_").unwrap_or(name);
        let count = match name {
            "syscall" => return Some(self.syscall(args, pos)),
            "snprintf" | "sprintf" => return Some(self.format(name, args, pos)),
            "err" | "errx" | "verr" | "verrx" => {
                return Some(self.print(args).map(|_| {
                    self.pos = pos;
                    self.end_process();
                    self.void()
                }));
            }
            "huge_val" | "inf" | "nan" | "huge_valf" | "inff" | "nanf" => {
                let (bits, kind) = special(name);
                return Some(Ok(self.float(bits, kind)));
            }
            "signbit" | "signbitf" if args.len() == 1 => return Some(self.signbit(&args[0])),
            "abort" | "unreachable" | "trap" | "thrd_yield" | "sched_yield" | "ia32_pause" | "arm_yield" => 0,
            "malloc" | "free" | "exit" | "_Exit" | "quick_exit" | "_exit" | "constant_p" | "alloca"
            | "pthread_exit" | "thrd_exit" => 1,
            "calloc" | "realloc" | "aligned_alloc" | "memalign" | "expect" | "assume_aligned" => 2,
            "memcpy" | "memmove" | "memset" => 3,
            "add_overflow" | "sub_overflow" | "mul_overflow" => 3,
            "expect_with_probability" => 3,
            _ => return self.refused_library(name),
        };
        if let Err(e) = self.arity(args, count, false, 0) {
            return Some(Err(e));
        }
        Some((|| match name {
            "malloc" | "calloc" | "aligned_alloc" | "memalign" => self.allocate(name, args, None),
            "free" => {
                let v = self.value(&args[0])?;
                self.pos = pos;
                self.emit(Instr::Free { addr: v.reg, kind: BlockKind::Heap });
                Ok(self.void())
            }
            "realloc" => self.reallocate(args, None, pos),
            "memcpy" | "memmove" => {
                let (to, from, size) = (self.value(&args[0])?, self.value(&args[1])?, self.value(&args[2])?);
                let size = self.integer(size, IntTy::ULong);
                self.pos = pos;
                let disjoint = name == "memcpy";
                self.emit(Instr::CopyMany { disjoint, to: to.reg, from: from.reg, size: size.reg });
                Ok(Val { ty: Ty::pointer_to(Ty::Void.plain()), ..to })
            }
            "memset" => {
                let (to, byte, size) = (self.value(&args[0])?, self.value(&args[1])?, self.value(&args[2])?);
                let size = self.integer(size, IntTy::ULong);
                self.pos = pos;
                self.emit(Instr::Fill { to: to.reg, byte: byte.reg, size: size.reg });
                Ok(Val { ty: Ty::pointer_to(Ty::Void.plain()), ..to })
            }
            "add_overflow" | "sub_overflow" | "mul_overflow" => self.checked(name, args, pos),
            "abort" | "trap" => {
                self.fail(FailureKind::Abort, "the program calls abort()");
                Ok(self.void())
            }
            "unreachable" => {
                self.fail(FailureKind::Unreachable, "control reaches __builtin_unreachable()");
                Ok(self.void())
            }
            "exit" | "_Exit" | "quick_exit" | "_exit" => {
                self.value(&args[0])?;
                self.pos = pos;
                if let "exit" | "quick_exit" = name {
                    self.end_process();
                } else {
                    self.emit(Instr::Exit);
                }
                Ok(self.void())
            }
            "pthread_exit" | "thrd_exit" => {
                let v = self.value(&args[0])?;
                self.escape(&v);
                self.pos = pos;
                if self.known.as_ref().is_some_and(|k| k.handlers) {
                    self.call_library("__cleanup_all", &[]);
                }
                self.run_destructors(true);
                // `v` may be the register of a local, which ends before the thread does.
                let src = self.temp();
                self.emit(Instr::Move { dst: src, src: v.reg });
                self.emit(Instr::ThreadExit { src, early: true });
                Ok(self.void())
            }
            "expect" | "expect_with_probability" | "assume_aligned" => self.value(&args[0]),
            "constant_p" => {
                let known = self.try_const(&args[0]).is_some();
                Ok(self.int(u64::from(known), IntTy::Int))
            }
            "thrd_yield" | "sched_yield" | "ia32_pause" | "arm_yield" => Ok(self.int(0, IntTy::Int)),
            _ => self.refuse("alloca"),
        })())
    }

    /// Library functions do less here than the standard allows them; a claim about the program
    /// has to say so.
    pub(super) fn assume(&mut self, name: &str) {
        let assumption = match name {
            _ if self.runtime => return,
            "malloc" | "calloc" | "realloc" | "aligned_alloc" | "posix_memalign" | "strdup" => {
                Assumption::AllocationSucceeds
            }
            "pthread_cond_wait" | "cnd_wait" | "pthread_cond_timedwait" | "cnd_timedwait" => {
                Assumption::NoSpuriousWakeUps
            }
            "syscall" if !self.options.spurious => Assumption::NoSpuriousWakeUps,
            "syscall" => Assumption::OneSpuriousWakeUp,
            "clock_gettime" | "gettimeofday" | "time" | "clock" | "timespec_get" => Assumption::ClockSteps,
            _ => return,
        };
        if !self.out.assumptions.contains(&assumption) {
            self.out.assumptions.push(assumption);
        }
    }

    /// `__builtin_add_overflow(a, b, &result)`.
    fn checked(&mut self, name: &str, args: &[Expr], pos: Pos) -> Lowered<Val> {
        let (a, b) = (self.value(&args[0])?, self.value(&args[1])?);
        let into = self.expected(&args[2])?;
        self.pos = pos;
        let ty = self.spot_type(&into);
        let (Some(x), Some(y), Some(kind)) = (a.ty.int(), b.ty.int(), ty.ty.int().map(|i| i.kind())) else {
            return Err(self.error("L0103", "this operation needs integers"));
        };
        let op = match name {
            "add_overflow" => lineal_model::program::BinOp::Add,
            "sub_overflow" => lineal_model::program::BinOp::Sub,
            _ => lineal_model::program::BinOp::Mul,
        };
        let dst = self.temps(2);
        self.emit(Instr::Checked {
            op,
            kind,
            a_signed: x.signed(),
            b_signed: y.signed(),
            dst,
            a: a.reg,
            b: b.reg,
        });
        self.store(&into, &Val { reg: dst + 1, ty: ty.ty, origin: None })?;
        Ok(Val { reg: dst, ty: Ty::Int(IntTy::Bool), origin: None })
    }

    fn refused_library(&mut self, name: &str) -> Option<Lowered<Val>> {
        let what = match name {
            "setjmp" | "_setjmp" | "sigsetjmp" | "longjmp" | "siglongjmp" => "setjmp/longjmp",
            "va_start" | "va_end" | "va_copy" => "a function with variable arguments",
            "fork" | "vfork" | "execve" => "process creation",
            "signal" | "sigaction" | "raise" => "signal handling",
            "pthread_cancel" | "pthread_kill" => "thread cancellation",
            "return_address" | "frame_address" => "an address of the machine's stack",
            _ => return None,
        };
        Some(self.refuse(what))
    }

    fn print(&mut self, args: &[Expr]) -> Lowered<Val> {
        for arg in args {
            let v = self.value(arg)?;
            let _ = v;
        }
        Ok(self.int(0, IntTy::Int))
    }

    /// An allocation whose result becomes a pointer to `target`: the block gets that layout.
    pub(super) fn typed_allocation(&mut self, e: &Expr, target: &QTy) -> Option<Lowered<Val>> {
        let ExprKind::Call(f, args) = &e.kind else { return None };
        let ExprKind::Ident(name) = &f.kind else { return None };
        let plain = name.strip_prefix("__builtin_").unwrap_or(name);
        let fits = matches!(
            (plain, args.len()),
            ("malloc", 1) | ("calloc" | "aligned_alloc" | "memalign" | "realloc", 2)
        );
        if !fits
            || matches!(self.lookup(name), Some(Symbol::Function(i)) if self.functions[i as usize].defined)
        {
            return None;
        }
        let known = self.records.size(&target.ty).is_some_and(|s| s > 0)
            && !matches!(target.ty, Ty::Void | Ty::Function(_));
        // `char *` is how untyped memory is spelled, too.
        let bytes =
            matches!(target.ty, Ty::Int(IntTy::Char | IntTy::SChar | IntTy::UChar)) && !target.quals.atomic;
        if !known || bytes {
            return None;
        }
        self.assume(plain);
        self.pos = e.pos;
        Some(if plain == "realloc" {
            self.reallocate(args, Some(target), e.pos)
        } else {
            self.allocate(plain, args, Some(target))
        })
    }

    /// The result of a call of the author's own function becomes a pointer of this type: what is allocated in
    /// there without a type is such an object.
    pub(super) fn note_result(&mut self, e: &Expr, v: &Val, ty: &Ty) {
        let (ExprKind::Call(..), Ty::Pointer(from), Ty::Pointer(target)) = (&e.kind, &v.ty, ty) else {
            return;
        };
        let known =
            matches!(target.ty, Ty::Record(_)) && self.records.size(&target.ty).is_some_and(|s| s > 0);
        if from.ty != Ty::Void || !known || self.runtime || self.dry > 0 {
            return;
        }
        let called = |i: &Instr| matches!(i, Instr::Call { .. } | Instr::CallPointer { .. });
        if let Some(at) = self.out.code.iter().rposition(called)
            && let AllocLayout::Typed(layout) = self.alloc_layout(Some(target))
        {
            self.out.results.insert(at as u32 + 1, layout);
        }
    }

    fn allocate(&mut self, name: &str, args: &[Expr], target: Option<&QTy>) -> Lowered<Val> {
        let pos = self.pos;
        let mut sizes = Vec::new();
        for arg in args {
            let v = self.value(arg)?;
            self.pos = arg.pos;
            let v = self.convert(v, &Ty::SIZE.plain())?;
            sizes.push(v);
        }
        self.pos = pos;
        let size = match name {
            "calloc" => self.arithmetic(super::Binary::Mul, sizes[0].clone(), sizes[1].clone())?.reg,
            "aligned_alloc" | "memalign" => sizes[1].reg,
            _ => sizes[0].reg,
        };
        let layout = self.alloc_layout(target);
        let dst = self.temp();
        let refused = (name == "aligned_alloc").then(|| self.unless_aligned(dst, sizes[0].reg));
        self.emit(Instr::Alloc { dst, size, zeroed: name == "calloc", kind: BlockKind::Heap, layout });
        if let Some(jumps) = refused {
            let here = self.here();
            jumps.into_iter().for_each(|jump| self.patch(jump, here));
        }
        Ok(Val {
            reg: dst,
            ty: Ty::pointer_to(target.cloned().unwrap_or_else(|| Ty::Void.plain())),
            origin: None,
        })
    }

    /// An alignment is a power of two: otherwise `dst` is null. Where that is jumped from.
    fn unless_aligned(&mut self, dst: Reg, align: Reg) -> [usize; 2] {
        use lineal_model::program::{BinOp, UnOp};
        let kind = IntKind::U64;
        self.emit(Instr::Const { dst, value: 0 });
        let (one, rest) = (self.constant(1), self.temps(3));
        self.emit(Instr::Bin { op: BinOp::Sub, kind, dst: rest, a: align, b: one });
        self.emit(Instr::Bin { op: BinOp::And, kind, dst: rest + 1, a: align, b: rest });
        self.emit(Instr::Un { op: UnOp::IsZero, kind, dst: rest + 2, a: rest + 1 });
        [rest + 2, align].map(|cond| self.emit(Instr::BranchZero { cond, to: 0 }))
    }

    fn alloc_layout(&mut self, target: Option<&QTy>) -> AllocLayout {
        match target {
            Some(ty) => {
                let name = match &ty.ty {
                    Ty::Record(r) => self.records.0[*r].tag.as_deref().unwrap_or("block").to_string(),
                    _ => "block".into(),
                };
                AllocLayout::Typed(self.heap_layout(ty, &name))
            }
            None => AllocLayout::Untyped,
        }
    }

    /// A new block, the smaller of the two sizes copied, the old block freed.
    fn reallocate(&mut self, args: &[Expr], target: Option<&QTy>, pos: Pos) -> Lowered<Val> {
        let result = self.temp();
        let old = self.value(&args[0])?;
        let size = self.value(&args[1])?;
        let size = self.convert(size, &Ty::SIZE.plain())?;
        self.pos = pos;
        let layout = self.alloc_layout(target);
        self.emit(Instr::Alloc { dst: result, size: size.reg, zeroed: false, kind: BlockKind::Heap, layout });
        let fresh = self.emit(Instr::BranchZero { cond: old.reg, to: 0 });
        let had = self.temp();
        self.emit(Instr::BlockSize { dst: had, addr: old.reg });
        let less = self.temp();
        self.emit(Instr::Bin {
            op: lineal_model::program::BinOp::Lt,
            kind: IntKind::U64,
            dst: less,
            a: size.reg,
            b: had,
        });
        let keep = self.emit(Instr::BranchZero { cond: less, to: 0 });
        self.emit(Instr::Move { dst: had, src: size.reg });
        let here = self.here();
        self.patch(keep, here);
        self.emit(Instr::CopyMany { disjoint: false, to: result, from: old.reg, size: had });
        self.emit(Instr::Free { addr: old.reg, kind: BlockKind::Heap });
        let here = self.here();
        self.patch(fresh, here);
        Ok(Val {
            reg: result,
            ty: Ty::pointer_to(target.cloned().unwrap_or_else(|| Ty::Void.plain())),
            origin: None,
        })
    }

    /// The interface of software-verification benchmarks.
    fn verifier(&mut self, name: &str, args: &[Expr], pos: Pos) -> Option<Lowered<Val>> {
        let choose = |l: &mut Self, low: i64, high: i64, ty: IntTy| {
            let (a, b) = (l.constant(low as u64), l.constant(high as u64));
            let dst = l.temp();
            l.emit(Instr::Choose { dst, low: a, high: b });
            Val { reg: dst, ty: Ty::Int(ty), origin: None }
        };
        Some(match name {
            "assume" => self.arity(args, 1, false, 0).and_then(|()| {
                let v = self.value(&args[0])?;
                let cond = self.truth(&v)?;
                self.pos = pos;
                self.emit(Instr::Assume { cond });
                Ok(self.void())
            }),
            "assert" => self.arity(args, 1, false, 0).and_then(|()| {
                let v = self.value(&args[0])?;
                let cond = self.truth(&v)?;
                self.pos = pos;
                let message = self.message("the assertion does not hold");
                self.emit(Instr::Assert { cond, message });
                Ok(self.void())
            }),
            "error" => {
                self.fail(FailureKind::Assertion, "__VERIFIER_error() is reached");
                Ok(self.void())
            }
            "nondet_bool" | "nondet__Bool" => Ok(choose(self, 0, 1, IntTy::Bool)),
            "nondet_range" => self.arity(args, 2, false, 0).and_then(|()| {
                let (low, high) = (self.value(&args[0])?, self.value(&args[1])?);
                let (low, high) = (self.integer(low, IntTy::Long), self.integer(high, IntTy::Long));
                self.pos = pos;
                let dst = self.temp();
                self.emit(Instr::Choose { dst, low: low.reg, high: high.reg });
                let v = Val { reg: dst, ty: Ty::Int(IntTy::Long), origin: None };
                Ok(self.integer(v, IntTy::Int))
            }),
            "nondet_int" | "nondet_uint" | "nondet_char" | "nondet_uchar" | "nondet_short"
            | "nondet_ushort" | "nondet_long" | "nondet_ulong" | "nondet_unsigned" | "nondet_size_t" => {
                match self.options.nondet {
                    Some((low, high)) => {
                        let v = choose(self, low, high, IntTy::Long);
                        let ty = match name {
                            "nondet_int" => IntTy::Int,
                            "nondet_char" => IntTy::Char,
                            "nondet_uchar" => IntTy::UChar,
                            "nondet_short" => IntTy::Short,
                            "nondet_ushort" => IntTy::UShort,
                            "nondet_long" => IntTy::Long,
                            "nondet_ulong" | "nondet_size_t" => IntTy::ULong,
                            _ => IntTy::UInt,
                        };
                        let dst = self.temp();
                        self.emit(Instr::Extend { kind: ty.kind(), dst, src: v.reg });
                        Ok(Val { reg: dst, ty: Ty::Int(ty), origin: None })
                    }
                    None => {
                        let e = self
                            .error("L0111", format!("__VERIFIER_{name}() needs a range of values to try"));
                        if let Some(d) = self.diagnostics.last_mut().filter(|_| self.errors <= MAX_ERRORS) {
                            let nondet = (self.options.flags)(Knob::Nondet);
                            d.help = Some(format!(
                                "give one with `{nondet} 0..3`, or call `__VERIFIER_nondet_range(0, 3)` instead"
                            ));
                        }
                        Err(e)
                    }
                }
            }
            "atomic_begin" | "atomic_end" => self.refuse("an atomic block"),
            _ => return None,
        })
    }
}
