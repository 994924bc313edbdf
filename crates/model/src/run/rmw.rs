//! What read-modify-writes write.

use super::{Mode, Value};

/// Read-modify-write operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rmw {
    /// Compare and swap; on failure a read with mode `fail`. A `weak` one may also fail though
    /// the values agree; the engine then answers through [`Answer::spurious`].
    Cas {
        expected: Value,
        desired: Value,
        fail: Mode,
        weak: bool,
    },
    Fetch {
        op: FetchOp,
        operand: Value,
        signed: bool,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FetchOp {
    Exchange,
    Add,
    Sub,
    And,
    Or,
    Xor,
    Nand,
    Mul,
    Div,
    Rem,
    Shl,
    Shr,
    Max,
    Min,
    /// Stores 1 if old + operand is not zero; for `_Bool`.
    OrBool,
}

impl Rmw {
    /// What is written when `old` (of `size` bytes) is read; `None`: a compare-and-swap that
    /// fails and writes nothing.
    pub fn apply(&self, old: Value, size: u8) -> Option<Value> {
        match *self {
            Rmw::Cas { expected, desired, .. } => {
                (old.truncate(size) == expected.truncate(size)).then(|| desired.truncate(size))
            }
            Rmw::Fetch { op, operand, signed } => {
                if op == FetchOp::Exchange {
                    return Some(operand.truncate(size));
                }
                let (a, b) = if signed {
                    (old.signed(size), operand.signed(size))
                } else {
                    (old.truncate(size).lo as i64, operand.truncate(size).lo as i64)
                };
                let shift = (b as u32) & 63;
                let new = match op {
                    FetchOp::Exchange => b,
                    FetchOp::Add => a.wrapping_add(b),
                    FetchOp::Sub => a.wrapping_sub(b),
                    FetchOp::And => a & b,
                    FetchOp::Or => a | b,
                    FetchOp::Xor => a ^ b,
                    FetchOp::Nand => !(a & b),
                    FetchOp::Mul => a.wrapping_mul(b),
                    FetchOp::Div if signed => a.wrapping_div(if b == 0 { 1 } else { b }),
                    FetchOp::Div => ((a as u64) / (b as u64).max(1)) as i64,
                    FetchOp::Rem if signed => a.wrapping_rem(if b == 0 { 1 } else { b }),
                    FetchOp::Rem => ((a as u64) % (b as u64).max(1)) as i64,
                    FetchOp::Shl => a.wrapping_shl(shift),
                    FetchOp::Shr if signed => a.wrapping_shr(shift),
                    FetchOp::Shr => ((a as u64).wrapping_shr(shift)) as i64,
                    FetchOp::Max if signed => a.max(b),
                    FetchOp::Max => (a as u64).max(b as u64) as i64,
                    FetchOp::Min if signed => a.min(b),
                    FetchOp::Min => (a as u64).min(b as u64) as i64,
                    FetchOp::OrBool => i64::from(a != 0 || b != 0),
                };
                Some(Value::word(new as u64).truncate(size))
            }
        }
    }
}
