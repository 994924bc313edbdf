//! The integer types of C on the machines we model, their conversions, and value ranges.

/// In order of declaration in generated programs; `char` is signed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Integer {
    Bool,
    Char,
    SChar,
    UChar,
    Short,
    UShort,
    Int,
    UInt,
    Long,
    ULong,
    LLong,
    ULLong,
}

use Integer::*;

pub const ALL: [Integer; 12] =
    [Bool, Char, SChar, UChar, Short, UShort, Int, UInt, Long, ULong, LLong, ULLong];

impl Integer {
    pub fn name(self) -> &'static str {
        match self {
            Bool => "_Bool",
            Char => "char",
            SChar => "signed char",
            UChar => "unsigned char",
            Short => "short",
            UShort => "unsigned short",
            Int => "int",
            UInt => "unsigned",
            Long => "long",
            ULong => "unsigned long",
            LLong => "long long",
            ULLong => "unsigned long long",
        }
    }

    pub fn bits(self) -> u32 {
        match self {
            Bool => 1,
            Char | SChar | UChar => 8,
            Short | UShort => 16,
            Int | UInt => 32,
            _ => 64,
        }
    }

    pub fn bytes(self) -> i128 {
        if self == Bool { 1 } else { i128::from(self.bits() / 8) }
    }

    pub fn signed(self) -> bool {
        matches!(self, Char | SChar | Short | Int | Long | LLong)
    }

    fn rank(self) -> u32 {
        match self {
            Bool => 0,
            Char | SChar | UChar => 1,
            Short | UShort => 2,
            Int | UInt => 3,
            Long | ULong => 4,
            LLong | ULLong => 5,
        }
    }

    pub fn unsigned(self) -> Integer {
        match self {
            Char | SChar => UChar,
            Short => UShort,
            Int => UInt,
            Long => ULong,
            LLong => ULLong,
            other => other,
        }
    }

    pub fn range(self) -> Range {
        if self.signed() {
            let top = 1i128 << (self.bits() - 1);
            Range { low: -top, high: top - 1 }
        } else {
            Range { low: 0, high: (1i128 << self.bits()) - 1 }
        }
    }

    pub fn promoted(self) -> Integer {
        if self.rank() < Int.rank() { Int } else { self }
    }

    /// The usual arithmetic conversions.
    pub fn common(self, other: Integer) -> Integer {
        let (a, b) = (self.promoted(), other.promoted());
        if a == b {
            return a;
        }
        let (low, high) = if a.rank() <= b.rank() { (a, b) } else { (b, a) };
        if low.signed() == high.signed() || !high.signed() {
            return high;
        }
        if low.rank() == high.rank() {
            return low; // the unsigned one
        }
        // A signed type of higher rank wins if it holds all values of the unsigned one.
        if high.bits() > low.bits() { high } else { high.unsigned() }
    }
}

/// All the values an expression may have, and perhaps more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    pub low: i128,
    pub high: i128,
}

impl Range {
    pub fn only(v: i128) -> Self {
        Range { low: v, high: v }
    }

    pub fn new(low: i128, high: i128) -> Self {
        Range { low, high }
    }

    pub fn within(self, other: Range) -> bool {
        other.low <= self.low && self.high <= other.high
    }

    pub fn join(self, other: Range) -> Self {
        Range { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    /// After conversion to `ty`.
    pub fn converted(self, ty: Integer) -> Self {
        if ty == Bool {
            return if self == Range::only(0) { self } else { Range::new(0, 1) };
        }
        if self.within(ty.range()) { self } else { ty.range() }
    }
}
