//! How a concurrent program is run one visible operation at a time.
//!
//! A thread never touches shared memory: it *asks*. The graph engine answers from `rf`, a store
//! answers under sequential consistency, and a recorded run answers during replay. Whatever can
//! ask (the C virtual machine today, native coroutines later) can be explored by every engine.
//!
//! Names do not depend on scheduling: a thread is named by its creation, a block of memory by
//! the thread that allocated it and a running number, a location by its address in the block.

mod relayout;
mod rmw;

pub use relayout::{Relayout, lay_out};
pub use rmw::{FetchOp, Rmw};

use crate::diagnostic::Place;

/// Threads are numbered densely from 0, the main thread. The engine numbers them; two runs that
/// create the same threads from the same parents in the same order give them the same numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ThreadId(pub u8);

impl ThreadId {
    pub const MAIN: ThreadId = ThreadId(0);
    /// At most so many threads in one execution.
    pub const MAX: usize = 64;
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A block of memory: `owner << 16 | number`. See [`Loc`] for the owners.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BlockId(pub u32);

impl BlockId {
    /// Owner of everything that exists before `main`: globals and string literals.
    pub const GLOBAL_OWNER: u32 = 127;
    /// Owner of function addresses, which can be called but not accessed.
    pub const CODE_OWNER: u32 = 126;

    pub fn new(owner: u32, number: u32) -> Self {
        debug_assert!(owner < 128 && number < 1 << 16);
        BlockId(owner << 16 | number)
    }
    pub fn owner(self) -> u32 {
        self.0 >> 16
    }
    pub fn number(self) -> u32 {
        self.0 & 0xffff
    }
    /// It exists before `main`, and for ever: a global, or what the system keeps.
    pub fn is_global(self) -> bool {
        self.owner() == Self::GLOBAL_OWNER || self.is_kernel()
    }
    /// What the operating system keeps about an address, beyond all owners: see [`Loc::kernel`].
    pub fn is_kernel(self) -> bool {
        self.owner() >= 1 << 15
    }
    pub fn base(self) -> Loc {
        Loc((self.0 as u64) << Loc::OFFSET_BITS)
    }
}

/// An address: 7 bits of owner, 16 of block number, 24 of offset, so that pointers fit in 47
/// bits, have room for tags above and below, and plain arithmetic stays inside its block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Loc(pub u64);

impl Loc {
    pub const OFFSET_BITS: u32 = 24;
    /// Blocks are smaller than this.
    pub const MAX_BLOCK: u64 = 1 << Self::OFFSET_BITS;

    pub fn block(self) -> BlockId {
        BlockId((self.0 >> Self::OFFSET_BITS) as u32)
    }

    /// Eight bytes for each byte at this address, zero at first, that no pointer of a program leads to:
    /// there the system keeps who waits for the word at the address.
    pub fn kernel(self) -> Loc {
        Loc((self.0 & ((1 << 47) - 1)) << 3 | 1 << 55)
    }

    /// The address that a place of the system is about.
    pub fn about(self) -> Loc {
        Loc((self.0 & !(1 << 55)) >> 3)
    }
    pub fn offset(self) -> u32 {
        (self.0 & (Self::MAX_BLOCK - 1)) as u32
    }
}

/// Up to sixteen bytes, zero-extended, or nothing at all (memory that was never written).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Value {
    pub lo: u64,
    pub hi: u64,
    pub undefined: bool,
}

impl Value {
    pub const UNDEFINED: Value = Value { lo: 0, hi: 0, undefined: true };
    pub const ZERO: Value = Value { lo: 0, hi: 0, undefined: false };

    pub fn word(lo: u64) -> Self {
        Value { lo, hi: 0, undefined: false }
    }

    /// Keeps the low `size` bytes.
    pub fn truncate(self, size: u8) -> Self {
        match size {
            16 => self,
            8 => Value { hi: 0, ..self },
            _ => Value { lo: self.lo & ((1u64 << (8 * size as u32)) - 1), hi: 0, ..self },
        }
    }

    /// Reads the low `size` bytes as a signed number (sizes up to 8).
    pub fn signed(self, size: u8) -> i64 {
        let shift = 64 - 8 * u32::from(size.min(8));
        ((self.lo << shift) as i64) >> shift
    }
}

/// Memory orders. `NonAtomic` accesses race; the others do not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Mode {
    NonAtomic,
    Relaxed,
    Acquire,
    Release,
    AcqRel,
    SeqCst,
}

impl Mode {
    pub fn is_atomic(self) -> bool {
        self != Mode::NonAtomic
    }
    pub fn acquires(self) -> bool {
        matches!(self, Mode::Acquire | Mode::AcqRel | Mode::SeqCst)
    }
    pub fn releases(self) -> bool {
        matches!(self, Mode::Release | Mode::AcqRel | Mode::SeqCst)
    }
    pub fn is_sc(self) -> bool {
        self == Mode::SeqCst
    }
    /// As C writes it: `relaxed`, `seq_cst`; `plain` for non-atomic.
    pub fn word(self) -> &'static str {
        match self {
            Mode::NonAtomic => "plain",
            Mode::Relaxed => "relaxed",
            Mode::Acquire => "acquire",
            Mode::Release => "release",
            Mode::AcqRel => "acq_rel",
            Mode::SeqCst => "seq_cst",
        }
    }
}

/// Where in its source a thread stands. Opaque to engines; [`Runnable::place`] explains it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Site(pub u32);

/// What a new thread runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Entry {
    pub function: u32,
    pub argument: u64,
}

/// The visible operations. One access is to one cell: two accesses either name the same `loc`
/// and `size`, or do not overlap; the asking side guarantees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Op {
    /// Answer: the value. With `copy`, an undefined value may be answered (`memcpy` of a
    /// half-filled struct is no error); otherwise reading an unwritten cell is a failure.
    /// With `wait`, the thread goes on only when the value read satisfies it.
    Read {
        loc: Loc,
        size: u8,
        mode: Mode,
        copy: bool,
        wait: Option<Wait>,
    },
    /// Answer: ignored.
    Write {
        loc: Loc,
        size: u8,
        mode: Mode,
        value: Value,
    },
    /// Answer: the value read. Whether a compare-and-swap succeeded follows from it, except
    /// for a weak one that fails spuriously: see [`Rmw::Cas`]. `mode` is that of a success.
    Rmw {
        loc: Loc,
        size: u8,
        mode: Mode,
        rmw: Rmw,
        wait: Option<Wait>,
    },
    Fence {
        mode: Mode,
    },
    /// Brings `block` to life. Its cells are undefined, or zero. The engine keeps `layout`
    /// for [`World::block`].
    Alloc {
        block: BlockId,
        size: u32,
        zeroed: bool,
        kind: BlockKind,
        layout: u32,
    },
    /// Ends the block that starts at `loc`. Anything else is a failure the engine reports:
    /// not the start of a block, not `kind`, freed already.
    Free {
        loc: Loc,
        kind: BlockKind,
    },
    /// Answer: the number of the new thread.
    Create {
        entry: Entry,
    },
    /// Waits for the end of a thread. Answer: what it returned.
    Join {
        thread: ThreadId,
    },
    /// Answer: any number of `low..=high`, read as signed; `low` is the first alternative.
    Choose {
        low: i64,
        high: i64,
    },
    /// The thread passes the head of loop `head` of its current function. Answer: ignored.
    /// Registers that are dead here were cleared, so two passages with equal
    /// [`Runnable::snapshot`] behave alike.
    Loop {
        head: u32,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum BlockKind {
    /// `malloc` and friends: may be freed by any thread.
    Heap,
    /// A local variable whose address gets about; ends with its function.
    Stack,
}

/// A condition on the value read without which the thread does not go on. A thread that waits
/// has not taken the step: nothing is written, and another value may satisfy it later.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Wait {
    pub until: Until,
    pub cause: Cause,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Until {
    Equal(u64),
    NotEqual(u64),
    /// Signed, on the size of the access.
    AtLeast(i64),
    /// No bit of the mask is set.
    Clear(u64),
}

impl Until {
    pub fn holds(self, value: Value, size: u8) -> bool {
        let v = value.truncate(size).lo;
        match self {
            Until::Equal(x) => v == Value::word(x).truncate(size).lo,
            Until::NotEqual(x) => v != Value::word(x).truncate(size).lo,
            Until::AtLeast(x) => value.signed(size) >= x,
            Until::Clear(mask) => v & mask == 0,
        }
    }
}

/// Why a thread does not go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Cause {
    Lock,
    Condition,
    Semaphore,
    Barrier,
    Once,
    /// Asleep in the system until somebody wakes it.
    Futex,
    Join,
    /// A lock whose synchronisation does not count. Only specifications have such.
    PartialLock,
    /// `__VERIFIER_assume(0)`: the execution is not of interest.
    Assume,
    /// A loop whose iterations change nothing.
    Spin,
    /// `--unroll`.
    Bound,
    /// The thread called `exit`; the process is over for everyone.
    Exit,
}

impl Cause {
    /// Waiting for another thread in a way that makes a leaf full of such threads a deadlock.
    pub fn is_deadlock(self) -> bool {
        matches!(
            self,
            Cause::Lock
                | Cause::Condition
                | Cause::Semaphore
                | Cause::Barrier
                | Cause::Once
                | Cause::Futex
                | Cause::Join
        )
    }
    pub fn word(self) -> &'static str {
        match self {
            Cause::Lock => "lock",
            Cause::Condition => "condition",
            Cause::Semaphore => "semaphore",
            Cause::Barrier => "barrier",
            Cause::Once => "once",
            Cause::Futex => "futex",
            Cause::Join => "join",
            Cause::PartialLock => "partial lock",
            Cause::Assume => "assume",
            Cause::Spin => "spin",
            Cause::Bound => "bound",
            Cause::Exit => "exit",
        }
    }
}

/// What the engine says to the last question.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Answer {
    pub value: Value,
    /// A weak compare-and-swap failed although `value` is what it expected.
    pub spurious: bool,
}

impl From<Value> for Answer {
    fn from(value: Value) -> Self {
        Answer { value, spurious: false }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    Ask(Op, Site),
    /// The thread ended with this value. The process ends with the main thread, unless its value
    /// is undefined: then it ended alone (`pthread_exit`).
    Finished(Value),
    /// The thread stops here for good: `Assume`, `Exit`, `Bound`.
    Stopped(Cause, Site),
    Failed(Failure),
    /// The cells of some block were laid out too coarsely or too finely: tell
    /// [`Runnable::adapt`] and start over.
    Relayout(Relayout),
}

/// An error of the program under test, found by the thread itself or by the engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    pub kind: FailureKind,
    /// A sentence for people.
    pub message: String,
    pub site: Site,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FailureKind {
    Assertion,
    Abort,
    Race,
    UseAfterFree,
    DoubleFree,
    InvalidFree,
    NullPointer,
    OutOfBounds,
    InvalidPointer,
    Uninitialised,
    /// The result of a function that returned none is used.
    NoValue,
    Overflow,
    DivisionByZero,
    Shift,
    Unreachable,
    Deadlock,
    LockMisuse,
    /// A memory order that the access cannot have.
    InvalidOrder,
    /// A spin loop that no fair scheduler ends.
    Liveness,
    Leak,
    /// A complete execution that whoever looked at it does not allow.
    Judged,
    /// Not the program's fault: something Lineal cannot model at run time (endless recursion,
    /// mixed-size atomics). Becomes `Unknown`, never a violation.
    Unsupported,
}

impl FailureKind {
    pub const ALL: [FailureKind; 22] = [
        FailureKind::Assertion,
        FailureKind::Abort,
        FailureKind::Race,
        FailureKind::UseAfterFree,
        FailureKind::DoubleFree,
        FailureKind::InvalidFree,
        FailureKind::NullPointer,
        FailureKind::OutOfBounds,
        FailureKind::InvalidPointer,
        FailureKind::Uninitialised,
        FailureKind::NoValue,
        FailureKind::Overflow,
        FailureKind::DivisionByZero,
        FailureKind::Shift,
        FailureKind::Unreachable,
        FailureKind::Deadlock,
        FailureKind::LockMisuse,
        FailureKind::InvalidOrder,
        FailureKind::Liveness,
        FailureKind::Leak,
        FailureKind::Judged,
        FailureKind::Unsupported,
    ];

    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.word() == word)
    }

    /// As in `witness.kind`.
    pub fn word(self) -> &'static str {
        match self {
            FailureKind::Assertion => "assertion",
            FailureKind::Abort => "abort",
            FailureKind::Race => "race",
            FailureKind::UseAfterFree => "use-after-free",
            FailureKind::DoubleFree => "double-free",
            FailureKind::InvalidFree => "invalid-free",
            FailureKind::NullPointer => "null-pointer",
            FailureKind::OutOfBounds => "out-of-bounds",
            FailureKind::InvalidPointer => "invalid-pointer",
            FailureKind::Uninitialised => "uninitialised",
            FailureKind::NoValue => "no-value",
            FailureKind::Overflow => "overflow",
            FailureKind::DivisionByZero => "division-by-zero",
            FailureKind::Shift => "shift",
            FailureKind::Unreachable => "unreachable",
            FailureKind::Deadlock => "deadlock",
            FailureKind::LockMisuse => "lock-misuse",
            FailureKind::InvalidOrder => "invalid-order",
            FailureKind::Liveness => "liveness",
            FailureKind::Leak => "leak",
            FailureKind::Judged => "judged",
            FailureKind::Unsupported => "unsupported",
        }
    }
}

/// What a thread may look up about the world while it runs.
pub trait World {
    /// The block of this name, dead or alive, if the execution has allocated it. Never asked
    /// about globals.
    fn block(&self, block: BlockId) -> Option<BlockInfo>;
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BlockInfo {
    pub size: u32,
    /// As given in `Op::Alloc`.
    pub layout: u32,
}

/// Something whose threads run one visible operation at a time.
pub trait Runnable: Sync {
    type Thread: Send;

    /// A thread about to run `entry`; it asks nothing before its first [`Runnable::resume`],
    /// whose answer is ignored.
    fn start(&self, id: ThreadId, entry: Entry) -> Self::Thread;

    /// What the main thread runs.
    fn main(&self) -> Entry;

    /// Answers the last question and runs to the next.
    fn resume(&self, thread: &mut Self::Thread, answer: Answer, world: &dyn World) -> Step;

    /// A copy at this point, if possible; otherwise the engine replays the answers.
    fn fork(&self, thread: &Self::Thread) -> Option<Self::Thread>;

    /// Makes `into` such a copy; `false` if that is not possible.
    fn fork_into(&self, thread: &Self::Thread, into: &mut Self::Thread) -> bool {
        self.fork(thread).map(|copy| *into = copy).is_some()
    }

    /// The whole state as words, comparable between two moments of one thread and between runs: two
    /// threads with the same go on in the same way.
    /// `None`: this kind of thread cannot be compared (and loops are not cut).
    fn snapshot<'t>(&self, thread: &'t Self::Thread) -> Option<std::borrow::Cow<'t, [u64]>>;

    /// The same for who does not run the program quite as it is: places of the program that are
    /// copies of one another are told apart.
    fn literally<'t>(&self, thread: &'t Self::Thread) -> Option<std::borrow::Cow<'t, [u64]>> {
        self.snapshot(thread)
    }

    /// Whether two threads, each about to ask the same, go on in the same way whatever they are
    /// told: their states may differ in what neither will look at.
    fn alike(&self, a: &Self::Thread, b: &Self::Thread) -> bool {
        match (self.snapshot(a), self.snapshot(b)) {
            (Some(a), Some(b)) => a == b,
            _ => false,
        }
    }

    /// Whether no thread passes the loop `head` twice in one state without leaving the loop in
    /// between, or passing another head in one state, so that looking for it is wasted.
    fn counts(&self, _head: u32) -> bool {
        false
    }

    /// Whether this head stands where iterations of a loop begin that has a head of its own, which
    /// bounds on loops are about.
    fn is_entrance(&self, _head: u32) -> bool {
        false
    }

    /// Whether a thread that runs `entry` never learns its own number, nor does anything that
    /// bears it (allocates, creates threads, names its own memory): two such threads are told
    /// apart only by what others tell them.
    fn is_anonymous(&self, _entry: Entry) -> bool {
        false
    }

    /// Whether what is written at `site` bears the number of the thread, where only sites like it
    /// should read it: a lock that holds its owner. Otherwise the thread is not anonymous.
    fn signs(&self, _site: Site) -> bool {
        false
    }

    /// Whether a thread that asks for a compare-and-swap uses the value it will read for nothing
    /// but to tell whether it succeeded.
    fn forgets(&self, _thread: &Self::Thread) -> bool {
        false
    }

    /// What a location that exists before `main` holds at first.
    fn initial(&self, loc: Loc, size: u8) -> Value;

    /// Learns from a [`Step::Relayout`]. An error says why no layout fits.
    fn adapt(&mut self, change: Relayout) -> Result<(), Failure>;

    /// Where a site is in the source, and the text to show for it.
    fn place(&self, site: Site) -> Option<Place>;

    /// A location as a person would write it: `q.head`, `node#2.next`.
    fn name(&self, loc: Loc, world: &dyn World) -> String;
    /// The same, as the access at `site` calls it: of a union, the member that is used there, even if
    /// this is only a part of it; with a `size`, only if it is all of it.
    fn name_at(&self, loc: Loc, _size: Option<u8>, _site: Site, world: &dyn World) -> String {
        self.name(loc, world)
    }

    /// Whether what is there is a number that is never negative.
    fn is_unsigned(&self, _loc: Loc, _world: &dyn World) -> bool {
        false
    }

    /// A whole block as a person would write it: `q`, `node#2`.
    fn block_name(&self, block: BlockId, world: &dyn World) -> String {
        self.name(block.base(), world)
    }

    /// The name of the function a thread runs.
    fn entry_name(&self, entry: Entry) -> String;
}
