//! A history as it is read, for those who do not want to keep it.

use super::{Call, ValueId};
use std::ops::ControlFlow;

/// Takes events in the order of the log. `Break`: there is no need to read on.
pub trait Events {
    /// Operations are numbered by whoever reports them.
    fn call(&mut self, op: u64, call: &Call) -> ControlFlow<()>;
    fn ret(&mut self, op: u64, result: ValueId) -> ControlFlow<()>;
    /// It will never return.
    fn lost(&mut self, op: u64) -> ControlFlow<()>;
    /// It did not happen.
    fn undone(&mut self, op: u64) -> ControlFlow<()>;
}
