//! A relaxed type whose states are numbers.
//!
//! There are as many relaxed types as types, twice; whoever looks at one would be compiled for each.
//! So states are numbered in the order in which they are met, and all relaxed types look the same.
//! The numbers mean something to the one visitor only that they were made for.
//!
//! Whatever an operation once led to is remembered: the same step is asked for by every order of the
//! calls around it, and working it out takes a search ([`super::alive`]).

use super::Deed;
use crate::adt::Adt;
use crate::history::{Op, ValueId};
use crate::verdict::Limit;
use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::cell::RefCell;
use std::rc::Rc;

/// A type, the states met so far, and the steps between them.
pub struct Numbered<A: Adt> {
    adt: A,
    states: RefCell<IndexSet<A::State, FxBuildHasher>>,
    taken: RefCell<FxHashMap<(u32, Deed), Rc<Outcomes>>>,
}

/// Answers, and the states they leave behind.
type Outcomes = [(ValueId, u32)];

impl<A: Adt> Numbered<A> {
    pub fn new(adt: A) -> Self {
        Numbered { adt, states: RefCell::default(), taken: RefCell::default() }
    }

    fn taken(&self, state: u32, op: &Op) -> Result<Rc<Outcomes>, Limit> {
        let key = (state, Deed::told_apart(&self.adt, op));
        if let Some(known) = self.taken.borrow().get(&key) {
            return Ok(known.clone());
        }
        let mut all = Vec::new();
        self.adt.outcomes(&self.state(state), op, |answer, after| all.push((answer, self.number(after))))?;
        let all: Rc<Outcomes> = all.into();
        self.taken.borrow_mut().insert(key, all.clone());
        Ok(all)
    }

    fn number(&self, state: A::State) -> u32 {
        let (number, _) = self.states.borrow_mut().insert_full(state);
        u32::try_from(number).expect("memory ends before the numbers do")
    }

    fn state(&self, number: u32) -> A::State {
        self.states.borrow()[number as usize].clone()
    }
}

/// What of a type does not depend on what its states are.
pub trait Steps {
    fn initial(&self) -> u32;
    fn outcomes(&self, state: u32, op: &Op, each: &mut dyn FnMut(ValueId, u32)) -> Result<(), Limit>;
    fn is_read(&self, op: &Op) -> bool;
    fn allows(&self, state: u32, op: &Op) -> Result<bool, Limit>;
    fn knows_caller(&self, op: &Op) -> bool;
    fn show(&self, state: u32) -> String;
    fn bytes(&self, state: u32) -> usize;
}

impl<A: Adt> Steps for Numbered<A> {
    fn initial(&self) -> u32 {
        self.number(self.adt.initial())
    }
    fn outcomes(&self, state: u32, op: &Op, each: &mut dyn FnMut(ValueId, u32)) -> Result<(), Limit> {
        self.taken(state, op)?.iter().for_each(|&(answer, after)| each(answer, after));
        Ok(())
    }
    fn is_read(&self, op: &Op) -> bool {
        self.adt.is_read(op)
    }
    fn allows(&self, state: u32, op: &Op) -> Result<bool, Limit> {
        self.adt.allows(&self.state(state), op)
    }
    fn knows_caller(&self, op: &Op) -> bool {
        self.adt.knows_caller(op)
    }
    fn show(&self, state: u32) -> String {
        self.adt.show(&self.state(state))
    }
    fn bytes(&self, state: u32) -> usize {
        self.adt.bytes(&self.state(state))
    }
}

/// Any relaxed type.
pub struct Erased<'a>(pub &'a dyn Steps);

impl Adt for Erased<'_> {
    type State = u32;

    fn initial(&self) -> u32 {
        self.0.initial()
    }
    fn outcomes(&self, state: &u32, op: &Op, mut each: impl FnMut(ValueId, u32)) -> Result<(), Limit> {
        self.0.outcomes(*state, op, &mut each)
    }
    fn is_read(&self, op: &Op) -> bool {
        self.0.is_read(op)
    }
    fn allows(&self, state: &u32, op: &Op) -> Result<bool, Limit> {
        self.0.allows(*state, op)
    }
    fn knows_caller(&self, op: &Op) -> bool {
        self.0.knows_caller(op)
    }
    fn show(&self, state: &u32) -> String {
        self.0.show(*state)
    }
    fn bytes(&self, state: &u32) -> usize {
        self.0.bytes(*state)
    }
}
