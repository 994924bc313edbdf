//! Floating point: `float` and `double` as IEEE 754 binary32 and binary64, rounded to nearest, each
//! operation by itself (no contraction, no wider intermediate results), as x86-64 compilers do.
//!
//! A register holds the bits; those of a `float` are zero-extended. What the standard leaves to the
//! machine, the sign and payload of a NaN that an operation makes, is not modelled: such an operation
//! gives no answer, and whoever asked has to refuse.

use super::IntKind;

/// The two formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FloatKind {
    Single,
    Double,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FloatOp {
    Add,
    Sub,
    Mul,
    Div,
    /// The second operand does not count.
    Sqrt,
    Eq,
    Ne,
    Lt,
    Le,
}

/// A kind of number that can be converted to another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NumberKind {
    Int(IntKind),
    Float(FloatKind),
}

impl FloatKind {
    pub fn size(self) -> u8 {
        match self {
            FloatKind::Single => 4,
            FloatKind::Double => 8,
        }
    }

    /// The value behind the bits; every `float` is a `double`.
    pub fn value(self, bits: u64) -> f64 {
        match self {
            FloatKind::Single => f64::from(f32::from_bits(bits as u32)),
            FloatKind::Double => f64::from_bits(bits),
        }
    }

    /// The bits of the nearest value.
    pub fn bits(self, value: f64) -> u64 {
        match self {
            FloatKind::Single => u64::from((value as f32).to_bits()),
            FloatKind::Double => value.to_bits(),
        }
    }

    /// Minus this value: the sign changes, whatever the rest.
    pub fn sign(self) -> u64 {
        1 << (8 * u32::from(self.size()) - 1)
    }

    fn is_nan(self, bits: u64) -> bool {
        self.value(bits).is_nan()
    }
}

impl FloatOp {
    /// The bits of the result, or 0 and 1 for a comparison. `None`: a NaN comes out.
    pub fn apply(self, kind: FloatKind, a: u64, b: u64) -> Option<u64> {
        let truth = |t: bool| Some(u64::from(t));
        let (x, y) = (kind.value(a), kind.value(b));
        match self {
            FloatOp::Eq => return truth(x == y),
            FloatOp::Ne => return truth(x != y),
            FloatOp::Lt => return truth(x < y),
            FloatOp::Le => return truth(x <= y),
            _ => {}
        }
        let bits = match kind {
            FloatKind::Double => self.double(x, y).to_bits(),
            FloatKind::Single => {
                let (x, y) = (f32::from_bits(a as u32), f32::from_bits(b as u32));
                u64::from(self.single(x, y).to_bits())
            }
        };
        (!kind.is_nan(bits)).then_some(bits)
    }

    fn double(self, x: f64, y: f64) -> f64 {
        match self {
            FloatOp::Add => x + y,
            FloatOp::Sub => x - y,
            FloatOp::Mul => x * y,
            FloatOp::Div => x / y,
            _ => x.sqrt(),
        }
    }

    fn single(self, x: f32, y: f32) -> f32 {
        match self {
            FloatOp::Add => x + y,
            FloatOp::Sub => x - y,
            FloatOp::Mul => x * y,
            FloatOp::Div => x / y,
            _ => x.sqrt(),
        }
    }
}

/// Why a number has no counterpart of another kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Misfit {
    /// The behaviour is undefined: the integer cannot hold the value.
    Range,
    /// A NaN changes its format, and bits with it.
    Nan,
}

/// Converts as a cast does.
pub fn convert(from: NumberKind, to: NumberKind, bits: u64) -> Result<u64, Misfit> {
    match (from, to) {
        (NumberKind::Int(a), NumberKind::Int(b)) => Ok(b.extend(a.extend(bits))),
        (NumberKind::Int(a), NumberKind::Float(f)) => Ok(match (a.signed(), f) {
            (true, FloatKind::Double) => (bits as i64 as f64).to_bits(),
            (false, FloatKind::Double) => (bits as f64).to_bits(),
            (true, FloatKind::Single) => u64::from((bits as i64 as f32).to_bits()),
            (false, FloatKind::Single) => u64::from((bits as f32).to_bits()),
        }),
        (NumberKind::Float(a), NumberKind::Float(b)) if a == b => Ok(bits),
        (NumberKind::Float(a), NumberKind::Float(b)) => {
            if a.is_nan(bits) {
                return Err(Misfit::Nan);
            }
            Ok(b.bits(a.value(bits)))
        }
        (NumberKind::Float(a), NumberKind::Int(i)) => {
            let whole = a.value(bits).trunc();
            let width = 8 * i32::from(i.size().min(8));
            let (low, high) = match i.signed() {
                true => (-(2f64.powi(width - 1)), 2f64.powi(width - 1)),
                false => (0.0, 2f64.powi(width)),
            };
            // Negated, so that a NaN does not pass.
            if !(whole >= low && whole < high) {
                return Err(Misfit::Range);
            }
            Ok(if i.signed() { whole as i64 as u64 } else { whole as u64 })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_those_of_the_format() {
        let single = |x: f32| u64::from(x.to_bits());
        let third = FloatOp::Div.apply(FloatKind::Single, single(1.0), single(3.0));
        assert_eq!(third, Some(0x3eaa_aaab));
        assert_eq!(
            FloatOp::Div.apply(FloatKind::Double, 1f64.to_bits(), 3f64.to_bits()),
            Some(0x3fd5_5555_5555_5555)
        );
        assert_eq!(FloatOp::Div.apply(FloatKind::Double, 0, 0), None);
        assert_eq!(FloatOp::Lt.apply(FloatKind::Double, f64::NAN.to_bits(), 0), Some(0));
        assert_eq!(FloatOp::Ne.apply(FloatKind::Double, f64::NAN.to_bits(), f64::NAN.to_bits()), Some(1));
    }

    #[test]
    fn integers_hold_what_fits() {
        let double = NumberKind::Float(FloatKind::Double);
        let int = |x: f64, kind| convert(double, NumberKind::Int(kind), x.to_bits());
        assert_eq!(int(-1.9, IntKind::I32), Ok(-1i64 as u64));
        assert_eq!(int(2147483647.5, IntKind::I32), Ok(i32::MAX as u64));
        assert_eq!(int(2147483648.0, IntKind::I32), Err(Misfit::Range));
        assert_eq!(int(-0.5, IntKind::U8), Ok(0));
        assert_eq!(int(256.0, IntKind::U8), Err(Misfit::Range));
        assert_eq!(int(1e19, IntKind::U64), Ok(10_000_000_000_000_000_000));
        assert_eq!(int(f64::NAN, IntKind::I64), Err(Misfit::Range));
        let single = NumberKind::Float(FloatKind::Single);
        assert_eq!(convert(NumberKind::Int(IntKind::U64), single, u64::MAX), Ok(0x5f80_0000));
    }
}
