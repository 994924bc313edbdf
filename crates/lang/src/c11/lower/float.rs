//! `float` and `double`: exactly, as [`lineal_model::program::float`] says.

use super::*;
use lineal_model::program::float::{self, FloatKind, FloatOp, NumberKind};

impl Lower<'_> {
    pub(super) fn float(&mut self, bits: u64, kind: FloatKind) -> Val {
        Val { reg: self.constant(bits), ty: Ty::Float(kind), origin: None }
    }

    /// A number as one of another kind. `_Bool` asks whether it is zero.
    pub(super) fn numeric(&mut self, v: Val, to: &Ty) -> Val {
        let (Some(from), Some(into)) = (v.ty.number(), to.number()) else {
            unreachable!("numbers are converted")
        };
        if let (NumberKind::Float(_), Ty::Int(IntTy::Bool)) = (from, to) {
            let reg = self.float_truth(&v);
            return Val { reg, ty: to.clone(), origin: None };
        }
        if from == into {
            return Val { ty: to.clone(), ..v };
        }
        let dst = self.temp();
        self.emit(Instr::Convert { from, to: into, dst, src: v.reg });
        Val { reg: dst, ty: to.clone(), origin: None }
    }

    /// 1 unless the value is zero; a NaN is not.
    pub(super) fn float_truth(&mut self, v: &Val) -> Reg {
        let Some(kind) = v.ty.float() else { unreachable!("a floating value") };
        let (b, dst) = (self.constant(0), self.temp());
        self.emit(Instr::Float { op: FloatOp::Ne, kind, dst, a: v.reg, b });
        dst
    }

    pub(super) fn float_negative(&mut self, v: &Val) -> Val {
        let Some(kind) = v.ty.float() else { unreachable!("a floating value") };
        let (b, dst) = (self.constant(kind.sign()), self.temp());
        let op = lineal_model::program::BinOp::Xor;
        self.emit(Instr::Bin { op, kind: IntKind::U64, dst, a: v.reg, b });
        Val { reg: dst, ty: v.ty.clone(), origin: None }
    }

    /// Arithmetic or a comparison where at least one side is no integer.
    pub(super) fn float_binary(&mut self, op: super::Binary, l: Val, r: Val) -> Lowered<Val> {
        let (Some(a), Some(b)) = (l.ty.number(), r.ty.number()) else {
            let (a, b) = (self.show(&l.ty.plain()), self.show(&r.ty.plain()));
            return Err(self.error("L0103", format!("these operands do not go together: `{a}` and `{b}`")));
        };
        let kind = common(a, b);
        let (l, r) = (self.numeric(l, &Ty::Float(kind)), self.numeric(r, &Ty::Float(kind)));
        let Some((op, swap, truth)) = operation(op) else {
            return Err(self.error("L0103", "this operation needs integers"));
        };
        let (a, b) = if swap { (r.reg, l.reg) } else { (l.reg, r.reg) };
        let dst = self.temp();
        self.emit(Instr::Float { op, kind, dst, a, b });
        Ok(Val { reg: dst, ty: if truth { Ty::INT } else { Ty::Float(kind) }, origin: None })
    }
}

/// The format in which two numbers, at least one of them no integer, are computed with.
pub(super) fn common(a: NumberKind, b: NumberKind) -> FloatKind {
    match (a, b) {
        (NumberKind::Float(a), NumberKind::Float(b)) => a.max(b),
        (NumberKind::Float(f), _) | (_, NumberKind::Float(f)) => f,
        _ => FloatKind::Double,
    }
}

/// The operation, whether its operands change places, and whether it is a comparison.
fn operation(op: super::Binary) -> Option<(FloatOp, bool, bool)> {
    use super::Binary::*;
    Some(match op {
        Add => (FloatOp::Add, false, false),
        Sub => (FloatOp::Sub, false, false),
        Mul => (FloatOp::Mul, false, false),
        Div => (FloatOp::Div, false, false),
        Lt => (FloatOp::Lt, false, true),
        Gt => (FloatOp::Lt, true, true),
        Le => (FloatOp::Le, false, true),
        Ge => (FloatOp::Le, true, true),
        Eq => (FloatOp::Eq, false, true),
        Ne => (FloatOp::Ne, false, true),
        _ => return None,
    })
}

/// The same on constants; `None` where there is no constant result.
pub(super) fn fold(
    op: super::Binary,
    (a, x): (NumberKind, u64),
    (b, y): (NumberKind, u64),
) -> Option<(u64, Ty)> {
    let kind = common(a, b);
    let to = NumberKind::Float(kind);
    let (x, y) = (float::convert(a, to, x).ok()?, float::convert(b, to, y).ok()?);
    let (op, swap, truth) = operation(op)?;
    let (x, y) = if swap { (y, x) } else { (x, y) };
    Some((op.apply(kind, x, y)?, if truth { Ty::INT } else { Ty::Float(kind) }))
}
