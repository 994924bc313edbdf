//! The instructions: three-address code over the registers of a frame.
//!
//! A register holds 64 bits. Integers are kept extended from their own width (sign- or
//! zero-extended as their type says), so comparisons and conversions need no type at run time.
//! Sixteen-byte values take a register and the next one.

use super::float::{FloatKind, FloatOp, NumberKind};
use crate::run::{BlockKind, Cause, FailureKind, FetchOp, Mode};

pub type Reg = u16;

/// A width and a signedness.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum IntKind {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    I64,
    U64,
    /// Sixteen bytes, for double-word compare-and-swap only.
    Wide,
}

impl IntKind {
    pub fn new(size: u64, signed: bool) -> Option<Self> {
        Some(match (size, signed) {
            (1, true) => IntKind::I8,
            (1, false) => IntKind::U8,
            (2, true) => IntKind::I16,
            (2, false) => IntKind::U16,
            (4, true) => IntKind::I32,
            (4, false) => IntKind::U32,
            (8, true) => IntKind::I64,
            (8, false) => IntKind::U64,
            (16, _) => IntKind::Wide,
            _ => return None,
        })
    }

    pub fn size(self) -> u8 {
        match self {
            IntKind::I8 | IntKind::U8 => 1,
            IntKind::I16 | IntKind::U16 => 2,
            IntKind::I32 | IntKind::U32 => 4,
            IntKind::I64 | IntKind::U64 => 8,
            IntKind::Wide => 16,
        }
    }

    pub fn signed(self) -> bool {
        matches!(self, IntKind::I8 | IntKind::I16 | IntKind::I32 | IntKind::I64)
    }

    /// `bits` cut to this width and extended again.
    pub fn extend(self, bits: u64) -> u64 {
        match self {
            IntKind::I8 => bits as i8 as u64,
            IntKind::U8 => bits as u8 as u64,
            IntKind::I16 => bits as i16 as u64,
            IntKind::U16 => bits as u16 as u64,
            IntKind::I32 => bits as i32 as u64,
            IntKind::U32 => bits as u32 as u64,
            IntKind::I64 | IntKind::U64 | IntKind::Wide => bits,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinOp {
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
    Ne,
    Lt,
    Le,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnOp {
    Neg,
    Not,
    /// 1 if zero, else 0.
    IsZero,
    /// 0 if zero, else 1.
    Test,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Instr {
    Const {
        dst: Reg,
        value: i64,
    },
    Move {
        dst: Reg,
        src: Reg,
    },
    Un {
        op: UnOp,
        kind: IntKind,
        dst: Reg,
        a: Reg,
    },
    Bin {
        op: BinOp,
        kind: IntKind,
        dst: Reg,
        a: Reg,
        b: Reg,
    },
    /// Arithmetic without bounds, cut to `kind`: `dst` says whether that lost anything, `dst + 1`
    /// is what is left.
    Checked {
        op: BinOp,
        kind: IntKind,
        a_signed: bool,
        b_signed: bool,
        dst: Reg,
        a: Reg,
        b: Reg,
    },
    Extend {
        kind: IntKind,
        dst: Reg,
        src: Reg,
    },
    /// Arithmetic or a comparison on `float` or `double`.
    Float {
        op: FloatOp,
        kind: FloatKind,
        dst: Reg,
        a: Reg,
        b: Reg,
    },
    /// From one kind of number to another, at least one of them no integer.
    Convert {
        from: NumberKind,
        to: NumberKind,
        dst: Reg,
        src: Reg,
    },
    Jump {
        to: u32,
    },
    /// Goes on at the next instruction if `cond` is not zero.
    BranchZero {
        cond: Reg,
        to: u32,
    },
    Call {
        function: u32,
        args: Reg,
        count: u8,
        dst: Reg,
    },
    CallPointer {
        pointer: Reg,
        args: Reg,
        count: u8,
        dst: Reg,
    },
    Return {
        src: Reg,
    },
    /// Returns, but no value: the caller must not use it ([`Instr::CheckReturned`]).
    ReturnNothing,
    /// The value of the call just made is used.
    CheckReturned {
        name: u32,
    },
    /// The thread ends; `early`: by `pthread_exit`, not by returning.
    ThreadExit {
        src: Reg,
        early: bool,
    },
    /// Address of private memory in this frame.
    FrameAddr {
        dst: Reg,
        object: u16,
    },
    /// A private object becomes undefined again (its declaration is passed).
    Forget {
        object: u16,
    },
    /// Address of a private thread-local object.
    TlsAddr {
        dst: Reg,
        object: u16,
    },
    Load {
        kind: IntKind,
        mode: Mode,
        dst: Reg,
        addr: Reg,
        lenient: bool,
    },
    Store {
        kind: IntKind,
        mode: Mode,
        addr: Reg,
        src: Reg,
    },
    /// `memmove` of a known size.
    Copy {
        to: Reg,
        from: Reg,
        size: u32,
    },
    /// `memmove`, `memset` with sizes known at run time; `disjoint`: `memcpy`, whose two sides
    /// must not overlap.
    CopyMany {
        disjoint: bool,
        to: Reg,
        from: Reg,
        size: Reg,
    },
    Fill {
        to: Reg,
        byte: Reg,
        size: Reg,
    },
    Fetch {
        op: FetchOp,
        kind: IntKind,
        mode: Mode,
        dst: Reg,
        addr: Reg,
        src: Reg,
    },
    /// `dst`: whether it succeeded; `dst + 1` (and `+ 2` when wide): the value read.
    Cas {
        kind: IntKind,
        mode: Mode,
        fail: Mode,
        weak: bool,
        dst: Reg,
        addr: Reg,
        expected: Reg,
        desired: Reg,
    },
    Fence {
        mode: Mode,
    },
    /// Waits until the cell equals (or differs from) `operand`.
    Await {
        kind: IntKind,
        mode: Mode,
        cause: Cause,
        until: AwaitOp,
        dst: Reg,
        addr: Reg,
        operand: Reg,
    },
    /// Waits until the cell is at least `least`, and adds `add`, in one step.
    AwaitAdd {
        kind: IntKind,
        mode: Mode,
        cause: Cause,
        least: i8,
        add: i8,
        dst: Reg,
        addr: Reg,
    },
    /// Waits until the cell is not negative, and updates it, in one step.
    AwaitFetch {
        op: FetchOp,
        kind: IntKind,
        mode: Mode,
        cause: Cause,
        dst: Reg,
        addr: Reg,
        operand: Reg,
    },
    /// Waits until the cell equals `expected`, and stores `desired`, in one step.
    AwaitCas {
        kind: IntKind,
        mode: Mode,
        cause: Cause,
        addr: Reg,
        expected: Reg,
        desired: Reg,
    },
    Alloc {
        dst: Reg,
        size: Reg,
        zeroed: bool,
        kind: BlockKind,
        layout: AllocLayout,
    },
    Free {
        addr: Reg,
        kind: BlockKind,
    },
    /// The size of the heap block at `addr`.
    BlockSize {
        dst: Reg,
        addr: Reg,
    },
    Create {
        dst: Reg,
        function: Reg,
        argument: Reg,
    },
    Join {
        dst: Reg,
        thread: Reg,
    },
    SelfId {
        dst: Reg,
    },
    /// Where the system keeps what it knows about the word at `addr`.
    Kernel {
        dst: Reg,
        addr: Reg,
    },
    Choose {
        dst: Reg,
        low: Reg,
        high: Reg,
    },
    Assert {
        cond: Reg,
        message: u32,
    },
    Assume {
        cond: Reg,
    },
    /// An array of `count` elements is indexed; with `past`, up to the end.
    CheckIndex {
        index: Reg,
        count: u32,
        past: bool,
    },
    /// A local whose flag is still 0 is read.
    CheckInit {
        flag: Reg,
        name: u32,
    },
    Fail {
        kind: FailureKind,
        message: u32,
    },
    /// What stands here in the source is not modelled: whoever gets here ends the check.
    Refuse {
        message: u32,
    },
    Exit,
    LoopHead {
        index: u32,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AwaitOp {
    Equal,
    NotEqual,
    Clear,
    /// Signed.
    AtLeast,
}

/// Which layout a new block gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AllocLayout {
    /// Known from the type it is assigned to.
    Typed(u32),
    /// Blocks from the same chain of calls with the same size share what is learned.
    Untyped,
}
