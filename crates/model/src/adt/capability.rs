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
            Kind::TryLock | Kind::Mutex => method == Release,
            Kind::Dictionary | Kind::Map => matches!(method, Put | Append),
            Kind::Register | Kind::CasRegister => matches!(method, Write | Cas),
            Kind::Counter | Kind::FetchIncrement => matches!(method, Add | FetchIncrement),
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
            Kind::TryLock | Kind::Mutex => method == Acquire,
            Kind::FetchIncrement => method == FetchIncrement,
            _ => matches!(method, Read | Cas | Contains) || self.takes(method),
        }
    }

    /// Whether elements go in and come out again, each once.
    pub fn is_container(self) -> bool {
        matches!(self, Kind::Queue | Kind::Stack | Kind::Deque | Kind::Bag | Kind::PriorityQueue)
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
            Kind::TryLock => method == Acquire,
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
            _ => (Via::Last, Via::Last),
        };
        [
            (Does::Adds, Does::Looks, first),
            (Does::Adds, Does::Adds, further),
            (Does::Takes, Does::Takes, further),
        ]
    }
}
