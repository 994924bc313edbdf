//! Two objects that can be compared: the same operations with the same arguments, whatever the
//! order in which they are declared.
//!
//! Clients are made for both: arguments of the wider class, threads told apart if either of the two
//! objects tells them apart. What one of them is not made for (values, roles) must be declared for
//! the other as well.

use super::Against;
use crate::conform::object::Clients;
use crate::reference::{Reference, Trouble};
use lineal_model::Assumption;
use lineal_model::diagnostic::Place;
use lineal_model::object::{Client, Marks, Object, Operation, Role, Slot};
use lineal_model::program::client::{Compiled, Guards};
use lineal_model::program::modes::{Modes, Spot};
use lineal_model::program::{Instr, Machine};
use lineal_model::run::Site;
use std::rc::Rc;
use std::sync::Arc;

/// An object, and the one that is its specification.
#[derive(Clone, Debug)]
pub struct Pair {
    first: Compiled,
    against: Rc<Against>,
    assumptions: Vec<Assumption>,
}

/// Why two objects cannot be compared.
#[derive(Clone, Debug)]
pub struct Mismatch {
    pub message: String,
    /// In the object, and in the specification.
    pub at: Place,
    pub note: String,
    pub other: Place,
}

impl Pair {
    /// `name` is what the specification is called.
    pub fn new(
        first: &Compiled,
        mut other: Compiled,
        name: &str,
        unroll: Option<u32>,
    ) -> Result<Pair, Mismatch> {
        let mut first = first.clone();
        same_type(&first.object, &other.object)?;
        let order = same_operations(&first.object, &other.object, name)?;
        arrange(&mut other, &order);
        same_values(&first.object, &other.object, name)?;
        same_roles(&first.object, &other.object, name)?;
        let (object, theirs) = (&mut first.object, &other.object);
        object.args = object.args.max(theirs.args);
        let alike = |o: &Object| !o.numbered || o.threads_alike;
        object.threads_alike = alike(object) && alike(theirs);
        object.numbered |= theirs.numbered;
        object.threads_alike &= object.numbered;
        for (mine, theirs) in object.operations.iter_mut().zip(&theirs.operations) {
            mine.ranges.extend(&theirs.ranges);
        }
        // A fence in one call of the specification makes accesses in others of the same thread
        // synchronise: one call in each thread does not stand for that.
        let fence = |i: &Instr| matches!(i, Instr::Fence { .. });
        first.thread_state |= other.thread_state || other.operations.machine.program.code.iter().any(fence);
        let mut assumptions = first.operations.machine.program.assumptions.clone();
        assumptions.extend(other.operations.machine.program.assumptions.iter().cloned());
        Ok(Pair { first, against: Rc::new(Against::new(name, other, unroll)), assumptions })
    }
}

fn mismatch(message: String, at: &Place, note: String, other: &Place) -> Mismatch {
    Mismatch { message, at: at.clone(), note, other: other.clone() }
}

fn same_type(ours: &Object, theirs: &Object) -> Result<(), Mismatch> {
    if ours.kind == theirs.kind {
        return Ok(());
    }
    let message = format!("a {} cannot be compared with a {}", ours.word, theirs.word);
    Err(mismatch(message, &ours.at, format!("the {} is declared here", theirs.word), &theirs.at))
}

/// The place of each of our operations among theirs.
fn same_operations(ours: &Object, theirs: &Object, name: &str) -> Result<Vec<usize>, Mismatch> {
    let place = |o: &Operation| theirs.operations.iter().position(|t| t.name == o.name);
    for o in &ours.operations {
        let Some(t) = place(o) else {
            let message = format!("`{}` is no operation of {name}", o.name);
            let names: Vec<&str> = theirs.operations.iter().map(|t| t.name.as_str()).collect();
            return Err(mismatch(message, &o.call.at, format!("it has {}", names.join(", ")), &theirs.at));
        };
        let t = &theirs.operations[t];
        let words = |o: &Operation| {
            let slots = Slot::ALL.iter().rev().filter(|&&slot| o.takes.has(slot));
            let words: Vec<&str> = slots.map(|slot| slot.word()).collect();
            format!("{}({})", o.name, words.join(", "))
        };
        if words(o) != words(t) {
            let message = format!("{} is {} in {name}", words(o), words(t));
            return Err(mismatch(message, &o.call.at, "it is declared there as this".into(), &t.call.at));
        }
        if o.answer.is_some() != t.answer.is_some() {
            let (does, not) = if o.answer.is_some() { ("", " not") } else { (" not", "") };
            let message = format!("`{}` does{does} answer something here, and does{not} in {name}", o.name);
            return Err(mismatch(message, &o.call.at, "it is declared there as this".into(), &t.call.at));
        }
    }
    if let Some(t) = theirs.operations.iter().find(|t| !ours.operations.iter().any(|o| o.name == t.name)) {
        let message = format!("the object has no operation `{}`, as {name} has", t.name);
        return Err(mismatch(message, &ours.at, "it is declared there".into(), &t.call.at));
    }
    Ok(ours.operations.iter().filter_map(place).collect())
}

/// Operations in another order.
fn arrange(other: &mut Compiled, order: &[usize]) {
    let object = &mut other.object;
    object.operations = order.iter().map(|&t| object.operations[t].clone()).collect();
    for role in &mut object.roles {
        role.operations = (0..order.len()).filter(|&o| role.operations.contains(&order[o])).collect();
    }
    other.operations.calls = order.iter().map(|&t| other.operations.calls[t]).collect();
    other.operations.guards = Guards::of(object);
}

fn same_values(ours: &Object, theirs: &Object, name: &str) -> Result<(), Mismatch> {
    let Some((low, high)) = theirs.values else { return Ok(()) };
    if ours.values.is_some_and(|(a, b)| low <= a && b <= high) {
        return Ok(());
    }
    let message = format!("{name} is declared for the values {low}..{high} only");
    let note = format!("declare the same values for both: #pragma lineal values {low}..{high}");
    Err(mismatch(message, &ours.at, note, &theirs.at))
}

/// Threads are as few as the specification wants them to be.
fn same_roles(ours: &Object, theirs: &Object, name: &str) -> Result<(), Mismatch> {
    let kept = |t: &Role| {
        let covers = |o: &Role| o.max <= t.max && t.operations.iter().all(|op| o.operations.contains(op));
        ours.roles.iter().any(covers)
    };
    match theirs.roles.iter().find(|t| !kept(t)) {
        None => Ok(()),
        Some(role) => {
            let message = format!(
                "in {name} at most {} thread{} may be `{}`",
                role.max,
                if role.max == 1 { "" } else { "s" },
                role.name
            );
            Err(mismatch(message, &ours.at, "declare the same role for both".into(), &role.at))
        }
    }
}

impl Clients for Pair {
    type Program = Machine;

    fn object(&self) -> &Object {
        &self.first.object
    }
    fn thread_state(&self) -> bool {
        self.first.thread_state
    }
    fn program(&self, client: &Client) -> (Machine, Vec<Marks>) {
        self.first.program(client)
    }
    fn reference(&self, _: &Client) -> Option<Result<Arc<Reference>, Trouble>> {
        None
    }
    fn against(&self) -> Option<&Against> {
        Some(&self.against)
    }
    fn identity(&self, program: &Machine) -> u64 {
        self.first.identity(program)
    }
    fn assumptions(&self) -> &[Assumption] {
        &self.assumptions
    }
    fn is_own(&self, program: &Machine, site: Site) -> bool {
        self.first.is_own(program, site)
    }
    fn spots(&self) -> Vec<Spot> {
        self.first.spots()
    }
    fn with_modes(&self, changes: &[(&Spot, Modes)]) -> Self {
        Pair { first: self.first.with_modes(changes), ..self.clone() }
    }
}
