//! The types by name, and how their operations are called.

use super::order::{First, Poset, Ties};
use super::quasi::Relaxation;
use super::user::UserType;
use crate::history::{Method, Op, Value, ValueId, Values};
use std::sync::Arc;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    Register,
    CasRegister,
    Queue,
    Stack,
    Deque,
    Bag,
    Set,
    Map,
    PriorityQueue,
    Counter,
    FetchIncrement,
    Mutex,
    /// Of C objects: acquires that may fail, and releases.
    TryLock,
    /// Of C objects: one writer or several readers, each gives back what it got.
    RwLock,
    /// Of C objects: a number of permits that are taken and given back.
    Semaphore,
    /// Of C objects: calls return in rounds of so many.
    Barrier,
    /// Of C objects: a map whose operations are put, get and remove, of numbers.
    Dictionary,
    /// The user's own, defined by C functions.
    User,
}

impl Kind {
    /// Those that logs and models can be of by name.
    pub const NAMED: [Kind; 12] = [
        Kind::Register,
        Kind::CasRegister,
        Kind::Queue,
        Kind::Stack,
        Kind::Deque,
        Kind::Bag,
        Kind::Set,
        Kind::Map,
        Kind::PriorityQueue,
        Kind::Counter,
        Kind::FetchIncrement,
        Kind::Mutex,
    ];

    pub fn word(self) -> &'static str {
        match self {
            Kind::Register => "register",
            Kind::CasRegister => "cas-register",
            Kind::Queue => "queue",
            Kind::Stack => "stack",
            Kind::Deque => "deque",
            Kind::Bag => "bag",
            Kind::Set => "set",
            Kind::Map => "kv",
            Kind::PriorityQueue => "pq",
            Kind::Counter => "counter",
            Kind::FetchIncrement => "fai",
            Kind::Mutex => "mutex",
            Kind::TryLock => "try-lock",
            Kind::RwLock => "rw-lock",
            Kind::Semaphore => "semaphore",
            Kind::Barrier => "barrier",
            Kind::Dictionary => "dictionary",
            Kind::User => "type of its own",
        }
    }

    pub fn from_word(word: &str) -> Option<Kind> {
        match word {
            "map" => Some(Kind::Map),
            "priority-queue" => Some(Kind::PriorityQueue),
            "multiset" | "pool" => Some(Kind::Bag),
            "lock" => Some(Kind::Mutex),
            _ => Kind::NAMED.into_iter().find(|k| k.word() == word),
        }
    }

    /// The type that a concurrent object means by `word`.
    pub fn of_object(word: &str) -> Option<Kind> {
        match word {
            "spec" => Some(Kind::User),
            // An acquire that answers nothing waits.
            "try-lock" | "trylock" | "lock" | "mutex" => Some(Kind::TryLock),
            "rw-lock" | "rwlock" => Some(Kind::RwLock),
            "semaphore" => Some(Kind::Semaphore),
            "barrier" => Some(Kind::Barrier),
            "map" | "dictionary" => Some(Kind::Dictionary),
            _ => Kind::from_word(word).filter(|k| !matches!(k, Kind::Mutex | Kind::Map)),
        }
    }

    /// The method that is meant by `word`.
    pub fn method(self, word: &str) -> Option<Method> {
        use Method::*;
        let insert = |adds: &[&str], removes: &[&str]| {
            if adds.contains(&word) {
                Some(Insert)
            } else if removes.contains(&word) {
                Some(Remove)
            } else {
                None
            }
        };
        match self {
            Kind::Register | Kind::CasRegister => match word {
                "read" => Some(Read),
                "write" => Some(Write),
                "cas" if self == Kind::CasRegister => Some(Cas),
                _ => None,
            },
            Kind::Queue => insert(&["enqueue", "enq", "put", "add"], &["dequeue", "deq", "take", "remove"]),
            Kind::Stack => insert(&["push"], &["pop"]),
            Kind::Bag => insert(
                &["add", "put", "insert", "enqueue", "enq", "push"],
                &["remove", "rm", "take", "dequeue", "deq", "pop"],
            ),
            Kind::PriorityQueue => insert(
                &["put", "add", "insert", "enqueue", "enq"],
                &["rm", "remove", "remove-min", "remove-max", "poll", "dequeue", "deq"],
            ),
            Kind::Deque => match word {
                "push-front" | "push_front" | "pushFront" => Some(PushFront),
                "push-back" | "push_back" | "pushBack" => Some(PushBack),
                "pop-front" | "pop_front" | "popFront" => Some(PopFront),
                "pop-back" | "pop_back" | "popBack" => Some(PopBack),
                _ => None,
            },
            Kind::Set => match word {
                "add" | "insert" => Some(Insert),
                "remove" | "delete" => Some(Remove),
                "contains" => Some(Contains),
                _ => None,
            },
            Kind::Map => match word {
                "get" | "read" | "r" => Some(Read),
                "put" | "write" | "w" => Some(Put),
                "append" => Some(Append),
                "delete" => Some(Delete),
                _ => None,
            },
            Kind::Counter => match word {
                "add" | "inc" | "increment" => Some(Add),
                "sub" | "subtract" | "dec" | "decrement" => Some(Subtract),
                "read" => Some(Read),
                _ => None,
            },
            Kind::FetchIncrement => match word {
                "fetch-and-increment" | "fai" | "inc" | "increment" | "fetch-add" => Some(FetchIncrement),
                _ => None,
            },
            Kind::Mutex => match word {
                "acquire" | "lock" => Some(Acquire),
                "release" | "unlock" => Some(Release),
                _ => None,
            },
            Kind::TryLock => match word {
                "acquire" | "trylock" | "try_lock" | "try-lock" | "lock" => Some(Acquire),
                "release" | "unlock" => Some(Release),
                _ => None,
            },
            Kind::RwLock => match word {
                "write_lock" | "try_write_lock" | "write-lock" | "acquire" | "lock" => Some(Acquire),
                "write_unlock" | "write-unlock" | "release" | "unlock" => Some(Release),
                "read_lock" | "try_read_lock" | "read-lock" | "acquire_shared" | "lock_shared" => {
                    Some(AcquireShared)
                }
                "read_unlock" | "read-unlock" | "release_shared" | "unlock_shared" => Some(ReleaseShared),
                _ => None,
            },
            Kind::Semaphore => match word {
                "wait" | "try_wait" | "trywait" | "acquire" | "down" => Some(Acquire),
                "post" | "release" | "up" => Some(Release),
                "value" | "read" => Some(Read),
                _ => None,
            },
            Kind::Barrier => (word == "wait").then_some(Meet),
            Kind::Dictionary => match word {
                "put" => Some(Put),
                "get" => Some(Read),
                "remove" | "delete" => Some(Remove),
                "contains" => Some(Contains),
                _ => None,
            },
            // Its words are known to the object only.
            Kind::User => None,
        }
    }

    /// Every word the type knows, for a diagnostic.
    pub fn words(self) -> &'static str {
        match self {
            Kind::Register => "read, write",
            Kind::CasRegister => "read, write, cas",
            Kind::Queue => "enqueue (enq), dequeue (deq)",
            Kind::Stack => "push, pop",
            Kind::Deque => "push-front, push-back, pop-front, pop-back",
            Kind::Bag => "add, remove",
            Kind::Set => "add (insert), remove, contains",
            Kind::Map => "get, put, append, delete",
            Kind::PriorityQueue => "put, rm",
            Kind::Counter => "add, sub, read",
            Kind::FetchIncrement => "fetch-and-increment (fai)",
            Kind::Mutex => "acquire, release",
            Kind::TryLock => "acquire (lock, try_lock), release (unlock)",
            Kind::RwLock => "read_lock, read_unlock, write_lock, write_unlock, try_read_lock, try_write_lock",
            Kind::Semaphore => "wait, try_wait, post, value",
            Kind::Barrier => "wait",
            Kind::Dictionary => "put, get, remove, contains",
            Kind::User => "what its pragmas name",
        }
    }

    /// The word to print for a method.
    pub fn name(self, method: Method) -> &'static str {
        use Method::*;
        match (self, method) {
            (Kind::Queue, Insert) => "enqueue",
            (Kind::Queue, Remove) => "dequeue",
            (Kind::Stack, Insert) => "push",
            (Kind::Stack, Remove) => "pop",
            (Kind::PriorityQueue, Insert) => "put",
            (Kind::PriorityQueue, Remove) => "rm",
            (_, Insert) => "add",
            (_, Remove) => "remove",
            (Kind::Map | Kind::Dictionary, Read) => "get",
            (_, Read) => "read",
            (_, Write) => "write",
            (_, Cas) => "cas",
            (_, PushFront) => "push-front",
            (_, PushBack) => "push-back",
            (_, PopFront) => "pop-front",
            (_, PopBack) => "pop-back",
            (_, Contains) => "contains",
            (_, Put) => "put",
            (_, Append) => "append",
            (_, Delete) => "delete",
            (_, Add) => "add",
            (_, Subtract) => "sub",
            (_, FetchIncrement) => "fetch-and-increment",
            (_, Acquire) => "acquire",
            (_, Release) => "release",
            (_, AcquireShared) => "read_lock",
            (_, ReleaseShared) => "read_unlock",
            (_, Meet) => "wait",
            (_, Custom) => "call",
        }
    }

    /// Whether the method answers something.
    pub fn answers(self, method: Method) -> bool {
        use Method::*;
        match self {
            Kind::Set => true,
            Kind::TryLock | Kind::RwLock | Kind::Semaphore | Kind::Barrier => {
                self.may_answer(method) || method == Read
            }
            _ => matches!(
                method,
                Read | Cas | Remove | PopFront | PopBack | Contains | FetchIncrement | Custom
            ),
        }
    }

    /// Of C objects: whether the method may answer, or not. What waits for a lock says nothing when
    /// it got it; an addition may say what was there before.
    pub fn may_answer(self, method: Method) -> bool {
        use Method::*;
        match self {
            Kind::TryLock | Kind::RwLock | Kind::Semaphore => matches!(method, Acquire | AcquireShared),
            Kind::Barrier => method == Meet,
            Kind::Counter => matches!(method, Add | Subtract),
            _ => false,
        }
    }

    /// Whether the method's answer may be [`ValueId::EMPTY`].
    pub fn may_be_empty(self, method: Method) -> bool {
        match self {
            Kind::Set | Kind::TryLock | Kind::RwLock | Kind::Semaphore | Kind::Barrier => false,
            Kind::Dictionary => method == Method::Read,
            _ => matches!(method, Method::Remove | Method::PopFront | Method::PopBack),
        }
    }
}

/// A type with its options.
#[derive(Clone, Debug)]
pub struct Object {
    pub kind: Kind,
    /// Where registers, maps and counters start.
    pub init: Value,
    pub ties: Ties,
    pub first: First,
    /// Priorities ordered by a list instead of by number.
    pub order: Option<Poset>,
    /// How many elements fit into a container, what a semaphore starts with, how many meet at a
    /// barrier.
    pub size: Option<u32>,
    /// The functions of a type that is not built in.
    pub user: Option<Arc<UserType>>,
    /// By how much operations may be out of order.
    pub quasi: Option<Arc<Relaxation>>,
}

impl Object {
    pub fn new(kind: Kind) -> Self {
        let init = match kind {
            Kind::Counter | Kind::FetchIncrement => Value::Int(0),
            _ => Value::Nil,
        };
        Object {
            kind,
            init,
            ties: Ties::Fifo,
            first: First::Min,
            order: None,
            size: None,
            user: None,
            quasi: None,
        }
    }

    pub fn of_user(user: Arc<UserType>) -> Self {
        Object { user: Some(user), ..Object::new(Kind::User) }
    }

    /// What an operation is called.
    pub fn name(&self, op: &Op) -> &str {
        match &self.user {
            Some(user) => &user.operation(op).name,
            None => self.kind.name(op.method),
        }
    }

    /// What the type is called.
    pub fn word(&self) -> &str {
        self.user.as_ref().map_or(self.kind.word(), |user| &user.name)
    }

    pub fn init(self, init: Value) -> Self {
        Object { init, ..self }
    }

    /// `enqueue(3)`, `dequeue() → empty`, `cas(1, 2) → ?`.
    pub fn show(&self, op: &Op, values: &Values) -> String {
        if let Some(user) = &self.user {
            return user.show(op, values);
        }
        let mut args = Vec::new();
        // The priority of a removed value came back with it.
        let answered = op.method == Method::Remove;
        for id in [op.key, op.arg, if answered { ValueId::NONE } else { op.extra }] {
            if id != ValueId::NONE {
                args.push(values.show(id));
            }
        }
        let call = format!("{}({})", self.kind.name(op.method), args.join(", "));
        match (op.is_pending(), op.result) {
            (true, _) => format!("{call} → ?"),
            (false, ValueId::NONE) => call,
            (false, result) if answered && op.extra != ValueId::NONE => {
                format!("{call} → [{} {}]", values.show(result), values.show(op.extra))
            }
            (false, result) => format!("{call} → {}", values.show(result)),
        }
    }
}
