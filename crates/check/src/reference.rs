//! A specification of the author's own: what the calls of one client answer when they come one
//! after another, as the sequential C of [`lineal_model::adt::user`] says.
//!
//! A call that is not possible somewhere has no outcome there: then no order in which it comes
//! there is legal. A function that fails, or that cannot be followed, says nothing about the
//! object: that is [`Trouble`], which makes every answer that needed it meaningless.

use lineal_model::Limit;
use lineal_model::adt::user::{Call, Runner, Said, Specification, Stuck};
use lineal_model::diagnostic::Place;
use lineal_model::object::{Client, Object, Outcome};
use lineal_model::program::Machine;
use lineal_model::run::{FailureKind, Runnable};
use std::sync::{Arc, Mutex};

/// A set of calls of a client, a bit each.
pub type Mask = u32;

/// What the calls of a client answer when they come one after another.
pub struct Reference {
    runner: Mutex<Runner>,
    machine: Arc<Machine>,
    calls: Vec<Called>,
}

struct Called {
    call: Call,
    operation: String,
    answers: bool,
    /// Where the specification of the operation is declared.
    at: Option<Place>,
}

/// One way in which a call of the specification may end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stepped {
    pub outcome: Outcome,
    pub next: u32,
    /// The calls that this one must see.
    pub sees: Mask,
}

/// A specification that cannot be run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// It is wrong.
    Fault(Fault),
    /// It may be right, but cannot be followed.
    Limit(Limit),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The call in which it was found; `None`: what sets it up.
    pub call: Option<usize>,
    pub message: String,
    /// An assertion of its own: the call may not be possible there.
    pub asserted: bool,
    pub at: Option<Place>,
}

impl Reference {
    pub fn new(specification: &Specification, object: &Object, client: &Client) -> Result<Self, Trouble> {
        let called = |(c, call): (usize, &lineal_model::object::Call)| {
            let operation = &object.operations[call.operation];
            let [key, value, prio] = [call.key, call.value, call.prio].map(|n| n.unwrap_or(0));
            Called {
                call: specification.call(call.operation, key, value, prio, c as u32),
                operation: operation.name.clone(),
                answers: operation.answer.is_some(),
                at: operation.spec.as_ref().map(|code| code.at.clone()),
            }
        };
        let calls = client.calls.iter().enumerate().map(called).collect();
        let machine = specification.machine.clone();
        match specification.runner() {
            Ok(runner) => Ok(Reference { runner: Mutex::new(runner), machine, calls }),
            Err(stuck) => {
                let at = object.spec_init.first().map(|code| code.at.clone());
                Err(trouble(stuck, None, ("what sets the specification up", at), &machine))
            }
        }
    }

    pub fn initial(&self) -> u32 {
        self.runner.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).initial()
    }

    /// What the call may do in a state.
    pub fn step(&self, state: u32, call: usize) -> Result<Vec<Stepped>, Trouble> {
        let Called { call: made, operation, answers, at } = &self.calls[call];
        let mut runner = self.runner.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let stepped = runner.step(state, made).map_err(|stuck| {
            let who = format!("the specification of `{operation}`");
            trouble(stuck, Some(call), (&who, at.clone()), &self.machine)
        })?;
        let outcome = |said: Said| match said {
            Said::Empty => Outcome::Empty,
            Said::Number(n) if *answers => Outcome::Value(n),
            Said::Number(_) => Outcome::Nothing,
        };
        Ok(stepped.iter().map(|s| Stepped { outcome: outcome(s.said), next: s.next, sees: s.sees }).collect())
    }
}

fn trouble(
    stuck: Stuck,
    call: Option<usize>,
    (who, at): (&str, Option<Place>),
    machine: &Machine,
) -> Trouble {
    match stuck {
        Stuck::Failed(failure) => Trouble::Fault(Fault {
            call,
            asserted: failure.kind == FailureKind::Assertion,
            at: machine.place(failure.site),
            message: failure.message,
        }),
        Stuck::GaveUp(why) => Trouble::Limit(Limit { at, ..Limit::method(format!("{who} {why}.")) }),
    }
}
