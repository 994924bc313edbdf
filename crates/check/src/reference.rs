//! A specification of the author's own: what the calls of one client answer when they come one
//! after another, as the sequential C of [`lineal_model::adt::user`] says.
//!
//! A call that is not possible somewhere has no outcome there: then no order in which it comes
//! there is legal. A function that fails, or that cannot be followed, says nothing about the
//! object: that is [`Trouble`], which makes every answer that needed it meaningless.

use lineal_model::Limit;
use lineal_model::adt::Adt;
use lineal_model::adt::user::{Call, Runner, Said, Specification, Stuck};
use lineal_model::diagnostic::Place;
use lineal_model::history::{Method, Op, Value, ValueId, Values};
use lineal_model::object::{Client, Object, Outcome};
use lineal_model::program::Machine;
use lineal_model::run::{FailureKind, Runnable};
use std::cell::RefCell;
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

/// The calls of a client as a type, whose operations are named by their calls.
pub struct ByCalls<'a> {
    reference: &'a Reference,
    values: &'a Values,
    /// What kept a step from being made.
    trouble: RefCell<Option<Trouble>>,
}

impl<'a> ByCalls<'a> {
    /// `values` has every answer that operations are compared with.
    pub fn new(reference: &'a Reference, values: &'a Values) -> Self {
        ByCalls { reference, values, trouble: RefCell::default() }
    }

    /// The trouble that a limit of this type stands for.
    pub fn trouble(&self, limit: Limit) -> Trouble {
        self.trouble.borrow_mut().take().unwrap_or(Trouble::Limit(limit))
    }

    /// A call of the client with its answer. Calls that are alike have one name, that of the first.
    pub fn op(client: &Client, call: usize, answer: ValueId) -> Op {
        let same = |c: &lineal_model::object::Call| *c == client.calls[call];
        let name = client.calls.iter().position(same).unwrap_or(call);
        Op {
            method: Method::Custom,
            process: ValueId::NONE,
            key: ValueId::NONE,
            arg: ValueId::small(name as u32),
            extra: ValueId::small(client.calls[call].operation as u32),
            result: answer,
            call: 0,
            ret: 1,
            line: 0,
        }
    }

    /// An answer as a value; one that is not known is like none.
    pub fn answer(values: &Values, outcome: Outcome) -> ValueId {
        match outcome {
            Outcome::Nothing => ValueId::NIL,
            Outcome::Empty => ValueId::EMPTY,
            Outcome::Value(n) => values.find(&Value::Int(n)).unwrap_or(ValueId::UNHEARD),
        }
    }
}

impl Adt for ByCalls<'_> {
    type State = u32;

    fn initial(&self) -> u32 {
        self.reference.initial()
    }

    fn outcomes(&self, state: &u32, op: &Op, mut each: impl FnMut(ValueId, u32)) -> Result<(), Limit> {
        let ends = self.reference.step(*state, op.arg.0 as usize).map_err(|trouble| {
            let limit = match &trouble {
                Trouble::Limit(limit) => limit.clone(),
                Trouble::Fault(fault) => Limit::method(fault.message.clone()),
            };
            *self.trouble.borrow_mut() = Some(trouble);
            limit
        })?;
        for end in ends {
            let answer = ByCalls::answer(self.values, end.outcome);
            if op.result == ValueId::NONE || op.result == answer {
                each(answer, end.next);
            }
        }
        Ok(())
    }

    fn is_read(&self, _: &Op) -> bool {
        false
    }

    fn show(&self, state: &u32) -> String {
        format!("state {state}")
    }
}
