//! Calls of the operating system and of the library that take variable arguments: each is lowered to one of a
//! function with a fixed number of them.

use super::*;
use lineal_model::program::float::{FloatKind, NumberKind};
use std::iter::Peekable;

/// `SYS_futex` and its neighbours, as x86-64 numbers them.
const SCHED_YIELD: i64 = 24;
const GETPID: i64 = 39;
const GETTID: i64 = 186;
const FUTEX: i64 = 202;

impl Lower<'_> {
    /// Calls a function of the run-time library with values of the right types.
    pub(super) fn call_library(&mut self, name: &str, args: &[Reg]) -> Reg {
        let Some(Symbol::Function(function)) = self.linked.get(name).cloned() else {
            unreachable!("the library has {name}")
        };
        let pos = self.pos;
        self.functions[function as usize].called_at.get_or_insert(pos);
        let base = self.temps(args.len() as u16);
        for (i, arg) in args.iter().enumerate() {
            self.emit(Instr::Move { dst: base + i as u16, src: *arg });
        }
        let dst = self.temp();
        self.emit(Instr::Call { function, args: base, count: args.len() as u8, dst });
        dst
    }

    /// The process ends, and what is to be done then is done.
    pub(super) fn end_process(&mut self) {
        self.at_end();
        self.emit(Instr::Exit);
    }

    /// What is to be done when the process ends.
    pub(super) fn at_end(&mut self) {
        if self.known.as_ref().is_some_and(|k| k.exits) {
            self.call_library("__lineal_end_process", &[]);
            let dst = self.temp();
            self.emit(Instr::Call { function: super::finish::END, args: dst, count: 0, dst });
        }
    }

    /// Arguments of a system call.
    fn words(&mut self, args: &[Expr]) -> Lowered<Vec<Reg>> {
        let mut words = Vec::new();
        for arg in args {
            let v = self.value(arg)?;
            self.escape(&v);
            self.pos = arg.pos;
            let v = self.convert(v, &Ty::Int(IntTy::Long).plain())?;
            let keep = self.temp();
            self.emit(Instr::Move { dst: keep, src: v.reg });
            words.push(keep);
        }
        Ok(words)
    }

    /// A system call whose number is known when the program runs; with `raw`, an error comes back as a
    /// negative number, as the system gives it.
    pub(super) fn system_call(&mut self, args: &[Expr], pos: Pos, raw: bool) -> Lowered<Val> {
        let mut words = self.words(args)?;
        self.pos = pos;
        if !(1..=7).contains(&words.len()) {
            return self.refuse("a system call with more than six arguments");
        }
        self.facts.requeues = true;
        while words.len() < 7 {
            words.push(self.constant(0));
        }
        words.push(self.constant(raw.into()));
        let reg = self.call_library("__lineal_system", &words);
        Ok(Val { reg, ty: Ty::Int(IntTy::Long), origin: None })
    }

    /// `syscall(SYS_futex, …)`.
    pub(super) fn syscall(&mut self, args: &[Expr], pos: Pos) -> Lowered<Val> {
        let Some(number) = args.first().and_then(|n| self.try_const(n)).and_then(|c| c.as_int()) else {
            return self.system_call(args, pos, false);
        };
        let mut values = self.words(&args[1..])?;
        self.pos = pos;
        let long = |reg: Reg| Val { reg, ty: Ty::Int(IntTy::Long), origin: None };
        match number {
            FUTEX if (2..=6).contains(&values.len()) => {
                let op = self.try_const(&args[2]).and_then(|c| c.as_int());
                self.facts.requeues |= op.is_none_or(|op| matches!(op & !(128 | 256), 3 | 4));
                while values.len() < 6 {
                    values.push(self.constant(0));
                }
                // The word's value, the third number and the operation are ints.
                for i in [1, 2, 5] {
                    let dst = self.temp();
                    self.emit(Instr::Extend { kind: IntKind::I32, dst, src: values[i] });
                    values[i] = dst;
                }
                values.push(self.constant(0));
                Ok(long(self.call_library("__lineal_futex", &values)))
            }
            SCHED_YIELD => Ok(self.int(0, IntTy::Long)),
            GETPID => Ok(long(self.call_library("getpid", &[]))),
            GETTID => Ok(long(self.call_library("gettid", &[]))),
            _ => self.refuse(&format!("the system call {number}")),
        }
    }

    pub(super) fn signbit(&mut self, arg: &Expr) -> Lowered<Val> {
        let v = self.value(arg)?;
        let Some(NumberKind::Float(kind)) = v.ty.number() else {
            return Err(self.error("L0103", "this operation needs a floating value"));
        };
        let (b, dst) = (self.constant(kind.sign().trailing_zeros().into()), self.temp());
        self.emit(Instr::Bin { op: lineal_model::program::BinOp::Shr, kind: IntKind::U64, dst, a: v.reg, b });
        Ok(Val { reg: dst, ty: Ty::INT, origin: None })
    }

    /// `snprintf` with a format that is known: integers, characters and strings.
    pub(super) fn format(&mut self, name: &str, args: &[Expr], pos: Pos) -> Lowered<Val> {
        let fixed = if name == "snprintf" { 3 } else { 2 };
        if args.len() < fixed {
            return Err(
                self.error("L0110", format!("{} arguments given, at least {fixed} expected", args.len()))
            );
        }
        let ExprKind::Str(format) = &args[fixed - 1].kind else {
            return self.refuse(&format!("`{name}` with a format that is not a constant"));
        };
        let Some(pieces) = pieces(format) else {
            return self.refuse(&format!(
                "`{name}` with a conversion other than of integers, characters and strings"
            ));
        };
        let to = self.value(&args[0])?;
        let room = match name {
            "snprintf" => {
                let v = self.value(&args[1])?;
                self.convert(v, &Ty::SIZE.plain())?.reg
            }
            _ => self.constant(u64::MAX),
        };
        let wanted: usize = pieces.iter().filter(|p| !matches!(p, Piece::Text(_))).count();
        if args.len() != fixed + wanted {
            return Err(self.error(
                "L0110",
                format!("{} arguments given, the format wants {}", args.len(), fixed + wanted),
            ));
        }
        let mut values = Vec::new();
        for arg in &args[fixed..] {
            let v = self.value(arg)?;
            let keep = self.temp();
            self.emit(Instr::Move { dst: keep, src: v.reg });
            values.push(Val { reg: keep, ..v });
        }
        self.pos = pos;
        self.call_library("__text_begin", &[to.reg, room]);
        let mut values = values.into_iter();
        for piece in pieces {
            self.piece(piece, &mut values)?;
        }
        let reg = self.call_library("__text_end", &[]);
        Ok(Val { reg, ty: Ty::INT, origin: None })
    }

    fn piece(&mut self, piece: Piece, values: &mut impl Iterator<Item = Val>) -> Lowered<()> {
        let mut next = || values.next().expect("as many as the format wants");
        match piece {
            Piece::Text(text) => {
                let index = self.string(&text.into());
                let from = self.constant(self.global_address(index));
                let (zero, all) = (self.constant(0), self.constant(-1i64 as u64));
                self.call_library("__text_string", &[from, zero, zero, all]);
            }
            Piece::Char => {
                let v = next();
                let v = self.convert(v, &Ty::Int(IntTy::UChar).plain())?;
                self.call_library("__text_char", &[v.reg]);
            }
            Piece::String(shape) => {
                let v = next();
                let Ty::Pointer(_) = v.ty else {
                    return Err(self.error("L0103", "`%s` needs a string"));
                };
                let [flags, width, digits] = self.shape(shape);
                self.call_library("__text_string", &[v.reg, flags, width, digits]);
            }
            Piece::Number { ty, base, shape } => {
                let v = next();
                let v = self.convert(v, &Ty::Int(ty).plain())?;
                let (zero, minus, size) = (self.constant(0), self.temp(), self.temp());
                self.emit(Instr::Move { dst: size, src: v.reg });
                self.emit(Instr::Const { dst: minus, value: 0 });
                if ty.signed() {
                    use lineal_model::program::BinOp;
                    self.emit(Instr::Bin {
                        op: BinOp::Lt,
                        kind: IntKind::I64,
                        dst: minus,
                        a: v.reg,
                        b: zero,
                    });
                    let skip = self.emit(Instr::BranchZero { cond: minus, to: 0 });
                    self.emit(Instr::Bin {
                        op: BinOp::Sub,
                        kind: IntKind::U64,
                        dst: size,
                        a: zero,
                        b: v.reg,
                    });
                    let here = self.here();
                    self.patch(skip, here);
                }
                let base = self.constant(base);
                let [flags, width, digits] = self.shape(shape);
                self.call_library("__text_number", &[size, minus, base, flags, width, digits]);
            }
        }
        Ok(())
    }

    fn shape(&mut self, shape: Shape) -> [Reg; 3] {
        [shape.flags, shape.width, shape.digits].map(|n| self.constant(n as i64 as u64))
    }
}

/// Infinity, or the quiet NaN without a payload.
pub(super) fn special(name: &str) -> (u64, FloatKind) {
    match name {
        "nanf" => (u64::from(0x7fc0_0000u32), FloatKind::Single),
        "inff" | "huge_valf" => (u64::from(f32::INFINITY.to_bits()), FloatKind::Single),
        "nan" => (0x7ff8_0000_0000_0000, FloatKind::Double),
        _ => (f64::INFINITY.to_bits(), FloatKind::Double),
    }
}

/// Flags, width and precision (-1: none) of a conversion.
#[derive(Clone, Copy)]
struct Shape {
    flags: i32,
    width: i32,
    digits: i32,
}

enum Piece {
    Text(Vec<u8>),
    Char,
    String(Shape),
    Number { ty: IntTy, base: u64, shape: Shape },
}

/// A width or a precision; `None`: more than anybody wants.
fn number(rest: &mut Peekable<impl Iterator<Item = u8>>) -> Option<i32> {
    let mut n = 0i32;
    while let Some(d) = rest.next_if(u8::is_ascii_digit) {
        n = n.checked_mul(10)?.checked_add(i32::from(d - b'0')).filter(|n| *n < 4096)?;
    }
    Some(n)
}

/// The parts of a format; `None`: some conversion is none of these.
fn pieces(format: &[u8]) -> Option<Vec<Piece>> {
    let mut out = Vec::new();
    let mut text = Vec::new();
    let mut rest = format.iter().copied().peekable();
    while let Some(c) = rest.next() {
        if c != b'%' {
            text.push(c);
            continue;
        }
        if rest.next_if_eq(&b'%').is_some() {
            text.push(b'%');
            continue;
        }
        if !text.is_empty() {
            out.push(Piece::Text(std::mem::take(&mut text)));
        }
        let mut shape = Shape { flags: 0, width: 0, digits: -1 };
        while let Some(flag) = rest.next_if(|c| b"-0+ #".contains(c)) {
            shape.flags |= match flag {
                b'-' => 1,
                b'0' => 2,
                b'+' => 4,
                b' ' => 8,
                _ => 16,
            };
        }
        shape.width = number(&mut rest)?;
        if rest.next_if_eq(&b'.').is_some() {
            shape.digits = number(&mut rest)?;
        }
        let mut length = Vec::new();
        while let Some(c) = rest.next_if(|c| b"hlzjt".contains(c)) {
            length.push(c);
        }
        let conversion = rest.next()?;
        let signed = matches!(conversion, b'd' | b'i');
        let ty = match (length.as_slice(), signed) {
            (b"", true) => IntTy::Int,
            (b"", false) => IntTy::UInt,
            (b"h", true) => IntTy::Short,
            (b"h", false) => IntTy::UShort,
            (b"hh", true) => IntTy::SChar,
            (b"hh", false) => IntTy::UChar,
            (b"l" | b"ll" | b"z" | b"j" | b"t", true) => IntTy::Long,
            (b"l" | b"ll" | b"z" | b"j" | b"t", false) => IntTy::ULong,
            _ => return None,
        };
        if conversion == b'X' {
            shape.flags |= 32;
        }
        if !signed {
            shape.flags &= !(4 | 8);
        }
        out.push(match conversion {
            b'd' | b'i' | b'u' => Piece::Number { ty, base: 10, shape },
            b'x' | b'X' => Piece::Number { ty, base: 16, shape },
            b'o' => Piece::Number { ty, base: 8, shape },
            b'c' if length.is_empty() && shape.width == 0 => Piece::Char,
            b's' if length.is_empty() => Piece::String(shape),
            _ => return None,
        });
    }
    if !text.is_empty() {
        out.push(Piece::Text(text));
    }
    Some(out)
}
