//! What is known of a register, whatever the schedule: a number, a block, or nothing.

use lineal_model::program::{BinOp, IntKind, UnOp};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Known {
    /// A number; the addresses of globals and functions are such.
    Number(u64),
    /// An address in the block that this instruction allocated, when it did so for the n-th time.
    Block {
        pc: u32,
        nth: u32,
        offset: u64,
    },
    /// An address that no other thread sees.
    Private,
    Nothing,
}

/// Numbers below this are no addresses.
const SMALL: u64 = 1 << 16;

impl Known {
    /// Whether it names one object.
    pub fn is_one(self) -> bool {
        matches!(self, Known::Number(_) | Known::Block { .. })
    }

    /// Forgets what loops count.
    pub fn widened(self) -> Known {
        match self {
            Known::Number(n) if (n as i64).unsigned_abs() < SMALL => Known::Nothing,
            other => other,
        }
    }

    pub fn unary(self, op: UnOp, kind: IntKind) -> Known {
        let Known::Number(a) = self else {
            return match (op, self) {
                // No block lies at 0.
                (UnOp::IsZero, Known::Block { .. } | Known::Private) => Known::Number(0),
                (UnOp::Test, Known::Block { .. } | Known::Private) => Known::Number(1),
                _ => Known::Nothing,
            };
        };
        Known::Number(match op {
            UnOp::Neg => kind.extend(a.wrapping_neg()),
            UnOp::Not => kind.extend(!a),
            UnOp::IsZero => u64::from(a == 0),
            UnOp::Test => u64::from(a != 0),
        })
    }

    pub fn binary(self, op: BinOp, kind: IntKind, other: Known) -> Known {
        match (self, op, other) {
            (Known::Block { pc, nth, offset }, BinOp::Add, Known::Number(n))
            | (Known::Number(n), BinOp::Add, Known::Block { pc, nth, offset }) => {
                Known::Block { pc, nth, offset: offset.wrapping_add(n) }
            }
            (Known::Block { pc, nth, offset }, BinOp::Sub, Known::Number(n)) => {
                Known::Block { pc, nth, offset: offset.wrapping_sub(n) }
            }
            (Known::Private, BinOp::Add | BinOp::Sub, _) | (_, BinOp::Add, Known::Private) => Known::Private,
            (Known::Number(a), _, Known::Number(b)) => number(op, kind, a, b),
            _ => Known::Nothing,
        }
    }
}

fn number(op: BinOp, kind: IntKind, a: u64, b: u64) -> Known {
    let below = if kind.signed() { (a as i64) < b as i64 } else { a < b };
    Known::Number(match op {
        BinOp::Add => kind.extend(a.wrapping_add(b)),
        BinOp::Sub => kind.extend(a.wrapping_sub(b)),
        BinOp::Mul => kind.extend(a.wrapping_mul(b)),
        BinOp::And => kind.extend(a & b),
        BinOp::Or => kind.extend(a | b),
        BinOp::Xor => kind.extend(a ^ b),
        BinOp::Eq => u64::from(a == b),
        BinOp::Ne => u64::from(a != b),
        BinOp::Lt => u64::from(below),
        BinOp::Le => u64::from(below || a == b),
        BinOp::Div | BinOp::Rem | BinOp::Shl | BinOp::Shr => return Known::Nothing,
    })
}
