//! A type of the user's own: sequential functions of a program, called one at a time.
//!
//! The state is what the functions leave in memory ([`memory`]); a step calls one of them with the
//! recorded arguments and keeps the outcomes that answer what was recorded ([`call`], [`alone`]). A choice
//! (`__VERIFIER_nondet_range`) gives several outcomes; an assumption that fails, or a wait that
//! nobody can end, none: the operation is not possible there. A failure of the functions
//! themselves says nothing about the history: it is kept as [`Trouble`], and the step is refused.
//!
//! What can be missed: functions whose behaviour depends on the numbers that addresses happen to
//! be. Which states are equal is decided up to the names of blocks.

mod alone;
mod call;
mod memory;
mod partial;
mod values;

pub use alone::{Alone, End, Ended};
pub use memory::Memory;
pub use partial::Partial;

use super::Adt;
use crate::diagnostic::Place;
use crate::history::{Op, ValueId, Values};
use crate::program::Machine;
use crate::run::{Failure, Loc, Relayout, Runnable};
use crate::verdict::Limit;
use std::sync::{Arc, Mutex};
pub use values::{Misfit, misfit};
use values::{encode, flatten};

/// The functions of a type, and what they share with whoever calls them.
#[derive(Debug)]
pub struct UserType {
    /// What the type is called: its file.
    pub name: String,
    pub machine: Machine,
    /// Run once, before everything else.
    pub init: Option<u32>,
    pub operations: Vec<Operation>,
    pub mailbox: Mailbox,
    /// Operations on different keys have nothing to do with each other.
    pub independent_keys: bool,
    /// Values are 64 bits wide, not 32.
    pub wide: bool,
    /// No pointer was ever cut in pieces, so that blocks may be renamed.
    whole_pointers: bool,
    start: Arc<Memory>,
    trouble: Mutex<Option<Trouble>>,
}

/// The globals through which arguments go in and answers come out, eight bytes each.
#[derive(Clone, Copy, Debug)]
pub struct Mailbox {
    /// Key, thread, then the values: this many in all.
    pub inputs: Loc,
    pub count: u32,
    pub answer: Loc,
    /// Not zero: the answer is *empty*.
    pub empty: Loc,
}

impl Mailbox {
    pub const KEY: usize = 0;
    pub const THREAD: usize = 1;
    pub const VALUES: usize = 2;
}

#[derive(Clone, Debug)]
pub struct Operation {
    pub name: String,
    /// Takes what is in the mailbox.
    pub function: u32,
    /// How many values it takes.
    pub values: usize,
    /// The last of them is called a priority in logs.
    pub priority: bool,
    pub key: bool,
    pub thread: bool,
    pub answers: bool,
    pub may_be_empty: bool,
    /// Leaves memory alone, as is known or was declared.
    pub reads: Reads,
    pub place: Option<Place>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reads {
    /// It may write.
    No,
    /// Its code has nothing that writes.
    Evidently,
    /// Declared; a call that writes all the same is a failure.
    Declared,
}

/// Why a step could not be made. The first one is kept.
#[derive(Clone, Debug)]
pub enum Trouble {
    /// The functions are wrong, whatever the history.
    Failed { failure: Failure, operation: String, line: u32 },
    /// Memory has to be divided another way: see [`UserType::adapted`].
    Relayout(Relayout),
}

impl UserType {
    /// Runs `init`. An error is a failure of it, or something it should not do.
    pub fn new(
        name: String,
        mut machine: Machine,
        init: Option<u32>,
        operations: Vec<Operation>,
        mailbox: Mailbox,
    ) -> Result<Self, Failure> {
        let mut whole_pointers = true;
        let start = loop {
            match call::initial(&machine, init, &mailbox, whole_pointers)? {
                Ok(start) => break start,
                Err(change) => {
                    whole_pointers &= keeps_pointers(&change);
                    machine.adapt(change)?;
                }
            }
        };
        Ok(UserType {
            name,
            machine,
            init,
            operations,
            mailbox,
            independent_keys: false,
            wide: false,
            whole_pointers,
            start: Arc::new(start),
            trouble: Mutex::new(None),
        })
    }

    /// The same type with memory divided as a call needed it. Everything has to start over.
    pub fn adapted(&self, change: Relayout) -> Result<Self, Failure> {
        let UserType { name, mut machine, operations, .. } = self.copy();
        machine.adapt(change)?;
        let new = UserType::new(name, machine, self.init, operations, self.mailbox)?;
        Ok(UserType {
            independent_keys: self.independent_keys,
            wide: self.wide,
            whole_pointers: self.whole_pointers && new.whole_pointers && keeps_pointers(&change),
            ..new
        })
    }

    /// Another copy, to be used apart from this one.
    pub fn copy(&self) -> Self {
        UserType {
            name: self.name.clone(),
            machine: self.machine.clone(),
            operations: self.operations.clone(),
            start: self.start.clone(),
            trouble: Mutex::new(None),
            ..*self
        }
    }

    /// What kept a step from being made, if anything did since this was last asked.
    pub fn trouble(&self) -> Option<Trouble> {
        self.trouble.lock().unwrap_or_else(|p| p.into_inner()).take()
    }

    pub fn operation(&self, op: &Op) -> &Operation {
        &self.operations[op.extra.0 as usize]
    }

    pub fn find(&self, name: &str) -> Option<u32> {
        self.operations.iter().position(|o| o.name == name).map(|i| i as u32)
    }

    /// Whether keys are arguments, so that a history cannot be taken apart by them.
    pub fn ties_keys(&self) -> bool {
        !self.independent_keys && self.operations.iter().any(|o| o.key)
    }

    /// `transfer(1, 2, 30) → true`.
    pub fn show(&self, op: &Op, values: &Values) -> String {
        let mut args = Vec::new();
        if op.key != ValueId::NONE {
            args.push(values.show(op.key));
        }
        args.extend(flatten(op, values).iter().map(|v| v.to_string()));
        let call = format!("{}({})", self.operation(op).name, args.join(", "));
        match (op.is_pending(), op.result) {
            (true, _) => format!("{call} → ?"),
            (false, ValueId::NONE) => call,
            (false, result) => format!("{call} → {}", values.show(result)),
        }
    }

    fn refuse(&self, trouble: Trouble) -> Limit {
        let mut kept = self.trouble.lock().unwrap_or_else(|p| p.into_inner());
        kept.get_or_insert(trouble);
        Limit::method("the functions of the type cannot be run")
    }
}

/// A change that leaves every eight-byte unit in one piece.
fn keeps_pointers(change: &Relayout) -> bool {
    change.size.is_multiple_of(8) && change.offset.is_multiple_of(8)
}

/// A user's type over the values of one history.
pub struct Sequential<'a> {
    pub user: &'a UserType,
    pub values: &'a Values,
}

impl Adt for Sequential<'_> {
    type State = Arc<Memory>;

    fn initial(&self) -> Self::State {
        self.user.start.clone()
    }

    fn step(&self, state: &Self::State, op: &Op, out: &mut Vec<Self::State>) -> Result<(), Limit> {
        let user = self.user;
        let operation = user.operation(op);
        let mut inputs = vec![0; user.mailbox.count as usize];
        inputs[Mailbox::KEY] = encode(op.key, self.values);
        inputs[Mailbox::THREAD] = encode(op.process, self.values);
        for (slot, value) in inputs[Mailbox::VALUES..].iter_mut().zip(flatten(op, self.values)) {
            *slot = values::number(&value, self.values);
        }
        let failed = |failure| {
            user.refuse(Trouble::Failed { failure, operation: operation.name.clone(), line: op.line })
        };
        let call = call::Call {
            machine: &user.machine,
            mailbox: &user.mailbox,
            function: operation.function,
            rename: user.whole_pointers,
        };
        match call.run(state, &inputs) {
            End::Relayout(change) => Err(user.refuse(Trouble::Relayout(change))),
            End::Failed(failure) => Err(failed(failure)),
            End::GaveUp(why) => Err(Limit::method(format!("`{}` {why}.", operation.name))),
            End::Outcomes(outcomes) => {
                for outcome in outcomes {
                    if operation.reads == Reads::Declared && outcome.memory != **state {
                        return Err(failed(call.wrote(operation.function)));
                    }
                    let said = outcome.taken;
                    let wanted = match op.result {
                        ValueId::NONE => true,
                        ValueId::EMPTY => said.empty,
                        answer => !said.empty && said.answer == encode(answer, self.values),
                    };
                    if wanted && !out.iter().any(|s| **s == outcome.memory) {
                        out.push(Arc::new(outcome.memory));
                    }
                }
                Ok(())
            }
        }
    }

    fn is_read(&self, op: &Op) -> bool {
        self.user.operation(op).reads != Reads::No
    }

    fn knows_caller(&self, op: &Op) -> bool {
        self.user.operation(op).thread
    }

    fn show(&self, state: &Self::State) -> String {
        state.show(&self.user.machine, self.values)
    }

    fn bytes(&self, state: &Self::State) -> usize {
        state.bytes()
    }
}
