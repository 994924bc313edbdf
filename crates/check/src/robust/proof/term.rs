//! Values that a call computes, as terms over what it reads.

use lineal_model::program::{BinOp, IntKind, UnOp};
use std::rc::Rc;

/// A value of one call. Two calls give the same term different meanings.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Term {
    Const(i64),
    /// An argument of the call.
    Arg(u16),
    /// What the access at this node reads.
    Read(usize, Size),
    /// The address of a block that the call allocates.
    Alloc(usize),
    /// The address of a block that was there before the first call.
    Initial(usize),
    /// The address of a local variable: the depth of its frame, and its number there.
    Local(usize, u16),
    /// Anything.
    Free(usize),
    Un(Unary, Rc<Term>),
    Bin(Binary, Size, Rc<Term>, Rc<Term>),
}

/// A width and whether it is signed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Size {
    pub bytes: u8,
    pub signed: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Unary {
    Not,
    Neg,
    Cut(Size),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Binary {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    And,
    Or,
    Xor,
    Shl,
    Shr,
    Eq,
    Lt,
    Le,
}

impl From<IntKind> for Size {
    fn from(kind: IntKind) -> Self {
        Size { bytes: kind.size(), signed: kind.signed() }
    }
}

impl Size {
    fn cut(self, bits: i64) -> i64 {
        match IntKind::new(u64::from(self.bytes), self.signed) {
            Some(kind) => kind.extend(bits as u64) as i64,
            None => bits,
        }
    }

    /// Whether every value of the other is one of this.
    fn holds(self, other: Size) -> bool {
        match (self.signed, other.signed) {
            (false, true) => false,
            (true, false) => other.bytes < self.bytes,
            _ => other.bytes <= self.bytes,
        }
    }
}

pub const ZERO: Term = Term::Const(0);

impl Term {
    /// The terms that it is made of, itself included.
    pub fn parts(&self, visit: &mut dyn FnMut(&Term)) {
        visit(self);
        match self {
            Term::Un(_, a) => a.parts(visit),
            Term::Bin(_, _, a, b) => {
                a.parts(visit);
                b.parts(visit);
            }
            _ => {}
        }
    }

    pub fn mentions(&self, wanted: &dyn Fn(&Term) -> bool) -> bool {
        let mut found = false;
        self.parts(&mut |t| found |= wanted(t));
        found
    }

    pub fn is_address(&self) -> bool {
        matches!(self, Term::Alloc(_) | Term::Initial(_) | Term::Local(..))
    }

    /// What values it may have, if the term tells.
    fn size(&self) -> Option<Size> {
        match self {
            Term::Read(_, size) | Term::Un(Unary::Cut(size), _) => Some(*size),
            Term::Bin(Binary::Eq | Binary::Lt | Binary::Le, ..) => Some(Size { bytes: 1, signed: false }),
            Term::Bin(_, size, ..) => Some(*size),
            _ => None,
        }
    }

    pub fn cut(self, size: Size) -> Term {
        match &self {
            Term::Const(c) => Term::Const(size.cut(*c)),
            _ if size.bytes >= 8 || self.is_address() => self,
            _ if self.size().is_some_and(|own| size.holds(own)) => self,
            _ => Term::Un(Unary::Cut(size), Rc::new(self)),
        }
    }

    pub fn unary(op: UnOp, size: Size, a: Term) -> Term {
        match op {
            UnOp::IsZero => Term::equal(a, ZERO),
            UnOp::Test => Term::equal(Term::equal(a, ZERO), ZERO),
            UnOp::Not => match a {
                Term::Const(c) => Term::Const(size.cut(!c)),
                a => Term::Un(Unary::Not, Rc::new(a)),
            },
            UnOp::Neg => match a {
                Term::Const(c) => Term::Const(size.cut(c.wrapping_neg())),
                a => Term::Un(Unary::Neg, Rc::new(a)),
            },
        }
    }

    /// 1 if both are equal, else 0.
    pub fn equal(a: Term, b: Term) -> Term {
        match (&a, &b) {
            _ if a == b => Term::Const(1),
            (Term::Const(_), Term::Const(_)) => ZERO,
            _ if a.is_address() && (b.is_address() || matches!(b, Term::Const(_))) => ZERO,
            (Term::Const(_), _) if b.is_address() => ZERO,
            // !!(a == b)
            (Term::Bin(Binary::Eq, _, x, y), Term::Const(0)) if **y == ZERO && x.is_truth() => (**x).clone(),
            (Term::Const(_), _) => Term::equal(b, a),
            _ => Term::Bin(Binary::Eq, Size { bytes: 8, signed: false }, Rc::new(a), Rc::new(b)),
        }
    }

    /// It is 0 or 1.
    fn is_truth(&self) -> bool {
        matches!(self, Term::Bin(Binary::Eq | Binary::Lt | Binary::Le, ..))
    }

    pub fn binary(op: BinOp, size: Size, a: Term, b: Term) -> Term {
        use Binary::*;
        let op = match op {
            BinOp::Eq => return Term::equal(a, b),
            BinOp::Ne => return Term::equal(Term::equal(a, b), ZERO),
            BinOp::Add => Add,
            BinOp::Sub => Sub,
            BinOp::Mul => Mul,
            BinOp::Div => Div,
            BinOp::Rem => Rem,
            BinOp::And => And,
            BinOp::Or => Or,
            BinOp::Xor => Xor,
            BinOp::Shl => Shl,
            BinOp::Shr => Shr,
            BinOp::Lt => Lt,
            BinOp::Le => Le,
        };
        if let (Term::Const(x), Term::Const(y)) = (&a, &b)
            && let Some(value) = constant(op, size, *x, *y)
        {
            return Term::Const(value);
        }
        match (op, &a, &b) {
            (Add, Term::Const(_), _) => return Term::binary(BinOp::Add, size, b, a),
            (Add | Sub, _, Term::Const(0)) | (Mul, _, Term::Const(1)) => return a,
            (Mul, Term::Const(_), _) => return Term::binary(BinOp::Mul, size, b, a),
            (Add, Term::Bin(Add, inner, x, y), Term::Const(d)) if *inner == size => {
                if let Term::Const(c) = **y {
                    let sum = Term::Const(size.cut(c.wrapping_add(*d)));
                    return Term::binary(BinOp::Add, size, (**x).clone(), sum);
                }
            }
            _ => {}
        }
        Term::Bin(op, size, Rc::new(a), Rc::new(b))
    }

    /// As a sum of multiples and a number.
    pub fn linear(&self) -> (Vec<(i64, Term)>, i64) {
        match self {
            Term::Const(c) => (Vec::new(), *c),
            Term::Bin(Binary::Add, size, a, b) if size.bytes == 8 => {
                let ((mut x, c), (y, d)) = (a.linear(), b.linear());
                x.extend(y);
                (x, c.wrapping_add(d))
            }
            Term::Bin(Binary::Mul, size, a, b) if size.bytes == 8 => match **b {
                Term::Const(k) => {
                    let (x, c) = a.linear();
                    let scaled = x.into_iter().map(|(f, t)| (f.wrapping_mul(k), t)).collect();
                    (scaled, c.wrapping_mul(k))
                }
                _ => (vec![(1, self.clone())], 0),
            },
            _ => (vec![(1, self.clone())], 0),
        }
    }
}

fn constant(op: Binary, size: Size, x: i64, y: i64) -> Option<i64> {
    use Binary::*;
    let (ux, uy) = (x as u64, y as u64);
    let below = if size.signed { x < y } else { ux < uy };
    Some(size.cut(match op {
        Add => x.wrapping_add(y),
        Sub => x.wrapping_sub(y),
        Mul => x.wrapping_mul(y),
        And => x & y,
        Or => x | y,
        Xor => x ^ y,
        Div if size.signed => x.checked_div(y)?,
        Div => ux.checked_div(uy)? as i64,
        Rem if size.signed => x.checked_rem(y)?,
        Rem => ux.checked_rem(uy)? as i64,
        Shl => ux.checked_shl(y as u32)? as i64,
        Shr if size.signed => x.checked_shr(y as u32)?,
        Shr => ux.checked_shr(y as u32)? as i64,
        Lt => return Some(i64::from(below)),
        Le => return Some(i64::from(below || x == y)),
        Eq => return Some(i64::from(x == y)),
    }))
}
