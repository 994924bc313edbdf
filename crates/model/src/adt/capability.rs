//! What the methods of a type are for: which add an element, which take one away, which look; and
//! what follows from that for synchronisation.

use super::Kind;
use crate::history::Method;

/// What a call is, seen from the elements of its object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Does {
    /// Puts something there that later calls find: an insertion, a write, the release of a lock.
    Adds,
    /// Takes it away.
    Takes,
    /// Answers according to what is there; whoever takes something has seen it.
    Looks,
}

/// What a thread has of a lock until it gives it back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Hold {
    /// Nobody else has it.
    Exclusive,
    /// Others may have it as well.
    Shared,
}

/// Which earlier call of several is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Via {
    /// The one whose element the call answers.
    Element,
    /// The last successful one with the same key.
    Key,
    /// The last successful one.
    Last,
    /// The call before, successful or not.
    Previous,
    /// Every successful one.
    Every,
    /// Those that meet, each the others, whichever came first.
    Round,
}

impl Kind {
    pub fn does(self, method: Method, what: Does) -> bool {
        match what {
            Does::Adds => self.adds(method),
            Does::Takes => self.takes(method),
            Does::Looks => self.looks(method),
        }
    }

    pub fn adds(self, method: Method) -> bool {
        use Method::*;
        match self {
            Kind::TryLock | Kind::Mutex | Kind::Semaphore => method == Release,
            Kind::RwLock => matches!(method, Release | ReleaseShared),
            Kind::Barrier => method == Meet,
            Kind::Dictionary | Kind::Map => matches!(method, Put | Append),
            Kind::Register | Kind::CasRegister => matches!(method, Write | Cas),
            Kind::Counter | Kind::FetchIncrement => matches!(method, Add | Subtract | FetchIncrement),
            _ => matches!(method, Insert | PushFront | PushBack),
        }
    }

    pub fn takes(self, method: Method) -> bool {
        use Method::*;
        matches!(method, Remove | PopFront | PopBack | Delete)
    }

    pub fn looks(self, method: Method) -> bool {
        use Method::*;
        match self {
            Kind::TryLock | Kind::Mutex | Kind::Semaphore => method == Acquire,
            Kind::RwLock => matches!(method, Acquire | AcquireShared),
            Kind::Barrier => method == Meet,
            Kind::FetchIncrement => method == FetchIncrement,
            _ => matches!(method, Read | Cas | Contains) || self.takes(method),
        }
    }

    /// Whether elements go in and come out again, each once.
    pub fn is_container(self) -> bool {
        matches!(self, Kind::Queue | Kind::Stack | Kind::Deque | Kind::Bag | Kind::PriorityQueue)
    }

    /// Whether who takes it gives it back, and nobody else does.
    pub fn is_lock(self) -> bool {
        matches!(self, Kind::TryLock | Kind::RwLock)
    }

    /// Of locks: what a successful call gets.
    pub fn acquires(self, method: Method) -> Option<Hold> {
        match method {
            Method::Acquire if self.is_lock() => Some(Hold::Exclusive),
            Method::AcquireShared if self.is_lock() => Some(Hold::Shared),
            _ => None,
        }
    }

    /// Of locks: what a call gives back.
    pub fn releases(self, method: Method) -> Option<Hold> {
        match method {
            Method::Release if self.is_lock() => Some(Hold::Exclusive),
            Method::ReleaseShared if self.is_lock() => Some(Hold::Shared),
            _ => None,
        }
    }

    /// Whether the answer is true or false, however it is given.
    pub fn answers_truth(self, method: Method) -> bool {
        match self {
            Kind::Set | Kind::TryLock | Kind::RwLock | Kind::Barrier => true,
            Kind::Semaphore => method != Method::Read,
            Kind::Dictionary => !matches!(method, Method::Put | Method::Read),
            _ => method == Method::Cas,
        }
    }

    /// Whether calls with different keys have nothing to do with each other.
    pub fn is_keyed(self) -> bool {
        matches!(self, Kind::Set | Kind::Map | Kind::Dictionary)
    }

    /// Whether the method answers if it did what it is for.
    pub fn tells_success(self, method: Method) -> bool {
        use Method::*;
        match self {
            Kind::Set => true,
            Kind::TryLock | Kind::Semaphore => method == Acquire,
            Kind::RwLock => matches!(method, Acquire | AcquireShared),
            Kind::Dictionary => matches!(method, Remove | Contains),
            _ => method == Cas,
        }
    }

    /// Calls of the second sort must see one of the first: the first row at level R, the second as
    /// well at RI, the third as well at RD, all at RID.
    pub fn synchronises(self) -> [(Does, Does, Via); 3] {
        let (first, further) = match self {
            _ if self.is_keyed() => (Via::Key, Via::Key),
            _ if self.is_container() => (Via::Element, Via::Last),
            // A permit is like any other: who takes one sees all that were given.
            Kind::Semaphore => (Via::Every, Via::Last),
            Kind::Barrier => (Via::Round, Via::Round),
            _ => (Via::Last, Via::Last),
        };
        [
            (Does::Adds, Does::Looks, first),
            (Does::Adds, Does::Adds, further),
            (Does::Takes, Does::Takes, further),
        ]
    }
}
