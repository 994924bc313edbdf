//! C's arithmetic on registers, with what C leaves undefined as failures.

use super::VmThread;
use crate::program::float::{FloatKind, FloatOp, Misfit, NumberKind, convert};
use crate::program::{BinOp, IntKind, Machine, UnOp};
use crate::run::{FailureKind, Step};

impl Machine {
    pub(super) fn unary(&self, t: &VmThread, op: UnOp, kind: IntKind, a: u64) -> Result<u64, Step> {
        Ok(match op {
            UnOp::Not => kind.extend(!a),
            UnOp::IsZero => u64::from(a == 0),
            UnOp::Test => u64::from(a != 0),
            UnOp::Neg => return self.binary(t, BinOp::Sub, kind, 0, a),
        })
    }

    pub(super) fn binary(&self, t: &VmThread, op: BinOp, kind: IntKind, a: u64, b: u64) -> Result<u64, Step> {
        let signed = kind.signed();
        let fail = |k, text: String| Err(Step::Failed(self.failure(t, k, text)));
        let wide = |f: fn(i128, i128) -> i128, sign: &str| -> Result<u64, Step> {
            if !signed {
                let exact = f(i128::from(a), i128::from(b));
                return Ok(kind.extend(exact as u64));
            }
            let exact = f(i128::from(a as i64), i128::from(b as i64));
            let cut = kind.extend(exact as u64);
            if i128::from(cut as i64) != exact && !self.program.wrapv {
                let text = format!(
                    "signed overflow: {} {sign} {} does not fit in {} bits",
                    a as i64,
                    b as i64,
                    8 * kind.size()
                );
                return fail(FailureKind::Overflow, text);
            }
            Ok(cut)
        };
        match op {
            BinOp::Add => wide(|x, y| x + y, "+"),
            BinOp::Sub => wide(|x, y| x - y, "-"),
            BinOp::Mul => wide(|x, y| x.wrapping_mul(y), "*"),
            BinOp::Div | BinOp::Rem if b == 0 => fail(FailureKind::DivisionByZero, "divides by zero".into()),
            BinOp::Div if signed => wide(|x, y| x / y, "/"),
            BinOp::Rem if signed => {
                if a as i64 == i64::MIN && b as i64 == -1
                    || kind == IntKind::I32 && a as i64 == i64::from(i32::MIN) && b as i64 == -1
                {
                    return wide(|x, y| x / y, "%").map(|_| 0);
                }
                Ok(((a as i64) % (b as i64)) as u64)
            }
            BinOp::Div => Ok(a / b),
            BinOp::Rem => Ok(a % b),
            BinOp::And => Ok(a & b),
            BinOp::Or => Ok(a | b),
            BinOp::Xor => Ok(a ^ b),
            BinOp::Shl | BinOp::Shr if b >= 8 * u64::from(kind.size()) => {
                fail(FailureKind::Shift, format!("shifts a {}-bit value by {}", 8 * kind.size(), b as i64))
            }
            BinOp::Shl => Ok(kind.extend(a << b)),
            BinOp::Shr if signed => Ok(((a as i64) >> b) as u64),
            BinOp::Shr => Ok(a >> b),
            BinOp::Eq => Ok(u64::from(a == b)),
            BinOp::Ne => Ok(u64::from(a != b)),
            BinOp::Lt if signed => Ok(u64::from((a as i64) < (b as i64))),
            BinOp::Le if signed => Ok(u64::from((a as i64) <= (b as i64))),
            BinOp::Lt => Ok(u64::from(a < b)),
            BinOp::Le => Ok(u64::from(a <= b)),
        }
    }

    pub(super) fn float(
        &self,
        t: &VmThread,
        op: FloatOp,
        kind: FloatKind,
        a: u64,
        b: u64,
    ) -> Result<u64, Step> {
        op.apply(kind, a, b).ok_or_else(|| {
            let text = self.refusal(t, "a floating-point operation makes a NaN, whose bits are not modelled");
            Step::Failed(self.failure(t, FailureKind::Unsupported, text))
        })
    }

    pub(super) fn number(
        &self,
        t: &VmThread,
        from: NumberKind,
        to: NumberKind,
        bits: u64,
    ) -> Result<u64, Step> {
        convert(from, to, bits).map_err(|misfit| {
            let value = match from {
                NumberKind::Float(kind) => kind.value(bits),
                NumberKind::Int(_) => 0.0,
            };
            let (kind, text) = match misfit {
                Misfit::Range => {
                    (FailureKind::Overflow, format!("converts {value} to an integer that cannot hold it"))
                }
                Misfit::Nan => (
                    FailureKind::Unsupported,
                    self.refusal(t, "a NaN is converted, and its bits are not modelled"),
                ),
            };
            Step::Failed(self.failure(t, kind, text))
        })
    }
}
