//! The primitives that the run-time library in `runtime/` is written with: waiting, choosing, creating
//! threads, and what is known of the program as a whole.

use super::*;
use lineal_model::Knob;
use lineal_model::program::float::{FloatKind, FloatOp};
use lineal_model::program::instr::AwaitOp;
use lineal_model::run::{Cause, FetchOp, Mode};

/// What the library is written with, beside [`Lower::assertion`].
const PRIMITIVES: &[&str] = &[
    "peek",
    "create",
    "join",
    "self",
    "detaches",
    "spurious",
    "requeues",
    "ranks",
    "destroys",
    "arrive",
    "leave",
    "skip",
    "begin",
    "kernel",
    "sqrt",
    "sqrtf",
    "nondet",
    "await_or",
    "await_and",
    "choose",
    "await_equal",
    "await_other",
    "await_clear",
    "await_least",
    "await_add",
    "await_cas",
];

impl Lower<'_> {
    /// What the run-time library is made of.
    pub(super) fn primitive(&mut self, name: &str, args: &[Expr], pos: Pos) -> Option<Lowered<Val>> {
        if let "assert" | "fail" | "misuse" | "refuse" = name {
            return Some(self.assertion(name, args, pos));
        }
        if !PRIMITIVES.contains(&name) {
            return None;
        }
        let mut values = Vec::new();
        for arg in args {
            match self.value(arg) {
                Ok(v) => values.push(v),
                Err(e) => return Some(Err(e)),
            }
        }
        self.pos = pos;
        let r = |i: usize| values.get(i).map_or(0, |v| v.reg);
        let causes = [
            Cause::Lock,
            Cause::Condition,
            Cause::Semaphore,
            Cause::Barrier,
            Cause::Once,
            Cause::Assume,
            Cause::Futex,
        ];
        let cause = |l: &mut Self, i: usize| -> Cause {
            let n = args.get(i).and_then(|a| l.try_const(a)).map_or(0, |c| c.bits);
            causes[(n as usize).min(causes.len() - 1)]
        };
        let small = |l: &mut Self, i: usize| {
            args.get(i).and_then(|a| l.try_const(a)).map_or(0, |c| c.bits as i64) as i8
        };
        let kind = match values.first().map(|v| &v.ty) {
            Some(Ty::Pointer(t)) => t.ty.kind(),
            _ => IntKind::I32,
        };
        let dst = self.temp();
        let addr = r(0);
        let instr = match name {
            // Whatever is there, written or not.
            "peek" => Instr::Load { kind, mode: Mode::NonAtomic, dst, addr, lenient: true },
            "create" => {
                self.escape(&values[1].clone());
                Instr::Create { dst, function: r(0), argument: r(1) }
            }
            "join" => Instr::Join { dst, thread: r(0) },
            "self" => Instr::SelfId { dst },
            "detaches" => {
                let value = self.known.as_ref().is_none_or(|k| k.detaches);
                Instr::Const { dst, value: i64::from(value) }
            }
            "spurious" => Instr::Const { dst, value: i64::from(self.options.spurious) },
            "requeues" => {
                let value = self.known.as_ref().is_none_or(|k| k.requeues);
                Instr::Const { dst, value: i64::from(value) }
            }
            "ranks" => {
                let value = self.known.as_ref().is_none_or(|k| k.ranks);
                Instr::Const { dst, value: i64::from(value) }
            }
            "destroys" => {
                let value = self.known.as_ref().is_none_or(|k| k.destroys);
                Instr::Const { dst, value: i64::from(value) }
            }
            "begin" => Instr::Call { function: super::finish::BEGIN, args: dst, count: 0, dst },
            "skip" => {
                let cond = self.constant(0);
                Instr::Assume { cond }
            }
            "kernel" => Instr::Kernel { dst, addr },
            "sqrt" | "sqrtf" => {
                let kind = if name == "sqrt" { FloatKind::Double } else { FloatKind::Single };
                self.emit(Instr::Float { op: FloatOp::Sqrt, kind, dst, a: r(0), b: r(0) });
                return Some(Ok(Val { reg: dst, ty: Ty::Float(kind), origin: None }));
            }
            "nondet" => match self.options.nondet {
                Some((low, high)) => {
                    let low = self.constant(low.max(0) as u64);
                    let high = self.constant(high as u64);
                    Instr::Choose { dst, low, high }
                }
                None => {
                    let nondet = (self.options.flags)(Knob::Nondet);
                    let why = format!(
                        "a random number needs a range of values to try: give one with `{nondet} 0..3`"
                    );
                    let message = self.message(&why);
                    Instr::Refuse { message }
                }
            },
            "await_or" | "await_and" => Instr::AwaitFetch {
                op: if name == "await_or" { FetchOp::Or } else { FetchOp::And },
                kind,
                mode: Mode::AcqRel,
                cause: cause(self, 2),
                dst,
                addr,
                operand: r(1),
            },
            "choose" => Instr::Choose { dst, low: r(0), high: r(1) },
            "await_equal" => Instr::Await {
                kind,
                mode: Mode::Acquire,
                cause: cause(self, 2),
                until: AwaitOp::Equal,
                dst,
                addr,
                operand: r(1),
            },
            "await_other" => Instr::Await {
                kind,
                mode: Mode::Acquire,
                cause: cause(self, 2),
                until: AwaitOp::NotEqual,
                dst,
                addr,
                operand: r(1),
            },
            "await_clear" => Instr::Await {
                kind,
                mode: Mode::Acquire,
                cause: cause(self, 2),
                until: AwaitOp::Clear,
                dst,
                addr,
                operand: r(1),
            },
            "await_least" => Instr::Await {
                kind,
                mode: Mode::Acquire,
                cause: cause(self, 2),
                until: AwaitOp::AtLeast,
                dst,
                addr,
                operand: r(1),
            },
            // Nobody waits in order to arrive or to leave; the cause tells what it is.
            "arrive" | "leave" => Instr::AwaitAdd {
                kind,
                mode: if name == "arrive" { Mode::AcqRel } else { Mode::Release },
                cause: Cause::Barrier,
                least: if name == "arrive" { 0 } else { -1 },
                add: 1,
                dst,
                addr,
            },
            "await_add" => Instr::AwaitAdd {
                kind,
                mode: Mode::Acquire,
                cause: cause(self, 3),
                least: small(self, 1),
                add: small(self, 2),
                dst,
                addr,
            },
            "await_cas" => Instr::AwaitCas {
                kind,
                mode: Mode::Acquire,
                cause: cause(self, 3),
                addr,
                expected: r(1),
                desired: r(2),
            },
            _ => return None,
        };
        self.emit(instr);
        let ty = if name == "join" { Ty::pointer_to(Ty::Void.plain()) } else { Ty::Int(IntTy::Long) };
        Some(Ok(Val { reg: dst, ty, origin: None }))
    }

    /// `lineal_plock(&lock)`, `lineal_punlock(&lock)`: the lock is an int.
    pub(super) fn partial_lock(&mut self, name: &str, args: &[Expr], pos: Pos) -> Lowered<Val> {
        self.arity(args, 1, false, 0)?;
        let lock = self.value(&args[0])?;
        let fits = matches!(&lock.ty, Ty::Pointer(t) if matches!(t.ty, Ty::Int(IntTy::Int | IntTy::UInt)));
        if !fits {
            return Err(self.error("L0103", format!("`{name}` takes the address of an `int`: the lock")));
        }
        self.pos = pos;
        let take = name == "lineal_plock";
        let [expected, desired] = [!take, take].map(|held| {
            let dst = self.temp();
            self.emit(Instr::Const { dst, value: i64::from(held) });
            dst
        });
        let (kind, mode, cause) = (IntKind::I32, Mode::Relaxed, Cause::PartialLock);
        self.emit(Instr::AwaitCas { kind, mode, cause, addr: lock.reg, expected, desired });
        Ok(self.void())
    }

    /// `assert(cond, text)`, `misuse(text)`.
    fn assertion(&mut self, name: &str, args: &[Expr], pos: Pos) -> Lowered<Val> {
        let text = match args.last().map(|e| &e.kind) {
            Some(ExprKind::Str(s)) => String::from_utf8_lossy(s).into_owned(),
            _ => return Err(self.error("L0103", "this primitive needs a text")),
        };
        match name {
            "assert" => {
                let v = self.value(&args[0])?;
                let cond = self.truth(&v)?;
                self.pos = pos;
                let message = self.message(&format!("assertion `{text}` does not hold"));
                self.emit(Instr::Assert { cond, message });
            }
            "refuse" => {
                let message = self.message(&text);
                self.emit(Instr::Refuse { message });
            }
            _ => self.fail(FailureKind::LockMisuse, &text),
        }
        Ok(self.void())
    }
}
