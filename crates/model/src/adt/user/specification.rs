//! The functions that the calls of a concurrent object are held against.

use super::Mailbox;
use super::runner::{Call, Runner, Stuck, Synchronisation};
use crate::program::Machine;
use std::sync::Arc;

#[derive(Clone, Debug)]
pub struct Specification {
    pub machine: Arc<Machine>,
    /// Set up, unless that cannot be done.
    start: Result<Runner, Stuck>,
    /// What each operation runs.
    operations: Vec<u32>,
}

impl Specification {
    pub fn new(machine: Machine, init: u32, operations: Vec<u32>, mailbox: Mailbox) -> Self {
        let machine = Arc::new(machine);
        let start = Runner::new(machine.clone(), Some(init), mailbox, Synchronisation::Counts);
        Specification { machine, start, operations }
    }

    /// Something to run calls with.
    pub fn runner(&self) -> Result<Runner, Stuck> {
        self.start.clone()
    }

    /// A call of an operation with these arguments, one of several that see each other.
    pub fn call(&self, operation: usize, key: i64, value: i64, prio: i64, number: u32) -> Call {
        // Who calls makes no difference to a specification.
        let mut inputs = vec![0; Mailbox::VALUES + 2];
        inputs[Mailbox::KEY] = key;
        inputs[Mailbox::VALUES] = value;
        inputs[Mailbox::VALUES + 1] = prio;
        Call { function: self.operations[operation], inputs, number, wanted: None }
    }
}
