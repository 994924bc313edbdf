//! A type of the user's own: sequential functions of a program, called one at a time.
//!
//! The state is what the functions leave in memory ([`memory`]); a step calls one of them with the
//! recorded arguments and keeps the outcomes that answer what was recorded ([`runner`], [`alone`]). A choice
//! (`__VERIFIER_nondet_range`) gives several outcomes; an assumption that fails, or a wait that
//! nobody can end, none: the operation is not possible there. A failure of the functions
//! themselves says nothing about the history: it is kept as [`Trouble`], and the step is refused.
//!
//! What can be missed: functions whose behaviour depends on the numbers that addresses happen to
//! be. Which states are equal is decided up to the names of blocks.

mod alone;
mod memory;
mod partial;
mod runner;
mod specification;
mod values;

use runner::Synchronisation;
pub use runner::{Call, Runner, Said, Stepped, Stuck};
pub use specification::Specification;

use super::Adt;
use super::quasi::Relaxation;
use crate::diagnostic::Place;
use crate::history::{Op, ValueId, Values};
use crate::program::Machine;
use crate::run::{Failure, FailureKind, Loc, Site};
use crate::verdict::Limit;
use std::cell::RefCell;
use std::sync::{Arc, Mutex, MutexGuard};
pub use values::{Misfit, misfit};
use values::{encode, flatten};

/// The functions of a type, and what they share with whoever calls them.
#[derive(Debug)]
pub struct UserType {
    /// What the type is called: its file.
    pub name: String,
    pub operations: Vec<Operation>,
    /// Operations on different keys have nothing to do with each other.
    pub independent_keys: bool,
    /// Values are 64 bits wide, not 32.
    pub wide: bool,
    /// By how much operations may be out of order.
    pub quasi: Option<Arc<Relaxation>>,
    mailbox: Mailbox,
    /// Set up, with memory divided as is known so far.
    start: Mutex<Runner>,
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

    /// All of them, the inputs first.
    fn cells(self) -> impl Iterator<Item = Loc> {
        let input = move |i: u32| Loc(self.inputs.0 + 8 * u64::from(i));
        (0..self.count).map(input).chain([self.answer, self.empty])
    }
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

/// The functions are wrong, whatever the history.
#[derive(Clone, Debug)]
pub struct Trouble {
    pub failure: Failure,
    /// The operation that was tried, and its line in the log.
    pub operation: String,
    pub line: u32,
}

impl UserType {
    /// Runs `init`. An error is a failure of it, or something it should not do.
    pub fn new(
        name: String,
        machine: Machine,
        init: Option<u32>,
        operations: Vec<Operation>,
        mailbox: Mailbox,
    ) -> Result<Self, Failure> {
        let site = init.map_or(Site(0), |f| Site(machine.program.functions[f as usize].entry));
        let start =
            Runner::new(machine, init, mailbox, Synchronisation::Ignored).map_err(|stuck| match stuck {
                Stuck::Failed(failure) => failure,
                Stuck::GaveUp(why) => {
                    let message = format!("the object cannot be set up: `init` {why}");
                    Failure { kind: FailureKind::Unsupported, message, site }
                }
            })?;
        Ok(UserType {
            name,
            operations,
            independent_keys: false,
            quasi: None,
            wide: false,
            mailbox,
            start: Mutex::new(start),
            trouble: Mutex::new(None),
        })
    }

    /// Another copy, to be used apart from this one.
    pub fn copy(&self) -> Self {
        UserType {
            name: self.name.clone(),
            operations: self.operations.clone(),
            quasi: self.quasi.clone(),
            start: Mutex::new(self.start().clone()),
            trouble: Mutex::new(None),
            ..*self
        }
    }

    pub fn machine(&self) -> Arc<Machine> {
        self.start().machine().clone()
    }

    fn start(&self) -> MutexGuard<'_, Runner> {
        self.start.lock().unwrap_or_else(|p| p.into_inner())
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

    /// A failure to report when a function that was said to read has written.
    fn wrote(&self, op: &Op, machine: &Machine) -> Failure {
        let function = self.operation(op).function;
        Failure {
            kind: FailureKind::Assertion,
            message: "is declared read_only, and changes memory".into(),
            site: Site(machine.program.functions[function as usize].entry),
        }
    }

    /// The first trouble is kept.
    fn refuse(&self, trouble: Trouble) -> Limit {
        let mut kept = self.trouble.lock().unwrap_or_else(|p| p.into_inner());
        kept.get_or_insert(trouble);
        Limit::method("the functions of the type cannot be run")
    }
}

/// A user's type over the values of one history.
pub struct Sequential<'a> {
    user: &'a UserType,
    values: &'a Values,
    runner: RefCell<Runner>,
}

impl<'a> Sequential<'a> {
    pub fn new(user: &'a UserType, values: &'a Values) -> Self {
        let runner = RefCell::new(user.start().clone());
        Sequential { user, values, runner }
    }

    fn call(&self, op: &Op) -> Call {
        let mut inputs = vec![0; self.user.mailbox.count as usize];
        inputs[Mailbox::KEY] = encode(op.key, self.values);
        inputs[Mailbox::THREAD] = encode(op.process, self.values);
        for (slot, value) in inputs[Mailbox::VALUES..].iter_mut().zip(flatten(op, self.values)) {
            *slot = values::number(&value, self.values);
        }
        let operation = self.user.operation(op);
        let wanted = match op.result {
            // Whatever it answers, it must not write.
            _ if operation.reads == Reads::Declared => None,
            ValueId::NONE => None,
            ValueId::EMPTY => Some(Said::Empty),
            answer => Some(Said::Number(encode(answer, self.values))),
        };
        Call { function: operation.function, inputs, number: 0, wanted }
    }

    /// A limit that says what kept the step from being made.
    fn refused(&self, op: &Op, stuck: Stuck) -> Limit {
        let operation = self.user.operation(op).name.clone();
        match stuck {
            Stuck::Failed(failure) => self.user.refuse(Trouble { failure, operation, line: op.line }),
            Stuck::GaveUp(why) => Limit::method(format!("`{operation}` {why}.")),
        }
    }
}

impl Adt for Sequential<'_> {
    type State = u32;

    fn initial(&self) -> u32 {
        self.runner.borrow().initial()
    }

    fn outcomes(&self, state: &u32, op: &Op, mut each: impl FnMut(ValueId, u32)) -> Result<(), Limit> {
        let mut runner = self.runner.borrow_mut();
        let before = runner.machine().clone();
        let stepped = runner.step(*state, &self.call(op)).map_err(|stuck| self.refused(op, stuck))?;
        let mut told = Vec::new();
        for end in stepped {
            if self.user.operation(op).reads == Reads::Declared && end.next != *state {
                return Err(self.refused(op, Stuck::Failed(self.user.wrote(op, &before))));
            }
            let answer = match (end.said, op.result) {
                (Said::Empty, ValueId::NONE | ValueId::EMPTY) => ValueId::EMPTY,
                (Said::Empty, _) | (_, ValueId::EMPTY) => continue,
                (_, ValueId::NONE) if !self.user.operation(op).answers => ValueId::NONE,
                (Said::Number(n), ValueId::NONE) => values::known(n, self.values),
                (Said::Number(n), answer) if n == encode(answer, self.values) => answer,
                _ => continue,
            };
            if !told.contains(&(answer, end.next)) {
                told.push((answer, end.next));
            }
        }
        if !Arc::ptr_eq(&before, runner.machine()) {
            // Whoever comes next need not find out again.
            *self.user.start() = runner.afresh();
        }
        drop(runner);
        told.into_iter().for_each(|(answer, next)| each(answer, next));
        Ok(())
    }

    fn step(&self, state: &u32, op: &Op, out: &mut Vec<u32>) -> Result<(), Limit> {
        self.outcomes(state, op, |_, next| {
            // Different answers may leave the same behind.
            if !out.contains(&next) {
                out.push(next);
            }
        })
    }

    fn is_read(&self, op: &Op) -> bool {
        self.user.operation(op).reads != Reads::No
    }

    fn knows_caller(&self, op: &Op) -> bool {
        self.user.operation(op).thread
    }

    fn show(&self, state: &u32) -> String {
        let runner = self.runner.borrow();
        runner.memory(*state).show(runner.machine(), self.values)
    }

    fn bytes(&self, state: &u32) -> usize {
        self.runner.borrow().bytes(*state)
    }
}
