//! A reader–writer lock of C objects: one writer, or any number of readers. Acquires that may be
//! refused answer false just where they would have to wait; who waits is no writer yet, so a lock
//! that turns readers away for waiting writers has acquires that *may fail*.

use super::Adt;
use crate::history::{Method, Op, ValueId};
use crate::verdict::Limit;

#[derive(Clone, Copy, Debug)]
pub struct RwLock;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Held {
    /// By so many readers.
    Read(u32),
    Written,
}

impl Adt for RwLock {
    type State = Held;

    fn initial(&self) -> Held {
        Held::Read(0)
    }

    fn outcomes(&self, held: &Held, op: &Op, mut each: impl FnMut(ValueId, Held)) -> Result<(), Limit> {
        let got = match (op.method, *held) {
            (Method::Acquire, Held::Read(0)) => Some(Held::Written),
            (Method::AcquireShared, Held::Read(n)) => Some(Held::Read(n + 1)),
            (Method::Release, Held::Written) => {
                each(ValueId::NONE, Held::Read(0));
                return Ok(());
            }
            (Method::ReleaseShared, Held::Read(n @ 1..)) => {
                each(ValueId::NONE, Held::Read(n - 1));
                return Ok(());
            }
            (Method::Acquire | Method::AcquireShared, _) => None,
            _ => return Ok(()),
        };
        let told = ValueId::bool(got.is_some());
        if op.result == ValueId::NONE || op.result == told {
            each(told, got.unwrap_or(*held));
        }
        Ok(())
    }

    fn is_read(&self, op: &Op) -> bool {
        op.result == ValueId::FALSE
    }

    fn show(&self, held: &Held) -> String {
        match held {
            Held::Read(0) => "free".into(),
            Held::Read(1) => "held by a reader".into(),
            Held::Read(n) => format!("held by {n} readers"),
            Held::Written => "held by a writer".into(),
        }
    }
}
