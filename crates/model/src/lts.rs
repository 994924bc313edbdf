//! States and labelled steps, computed on demand.
//!
//! A state is a string of bytes, so that any system can be stored compactly and compared exactly. Its
//! first bytes, the *key*, are its identity; the rest is carried along. A step has a label, which
//! observers see, and an actor, which they do not: the component or thread that takes it. What a step
//! that cannot be taken is called, and what it means, is the system's own ([`Obstacle`]).
//!
//! A wrapper of a system is a system: reductions, and automata that watch one, need nothing else.
//!
//! ```
//! use lineal_model::lts::{Label, Lts, Steps};
//! use std::convert::Infallible;
//! /// Counts to three, one visible tick a step.
//! struct Counter;
//! impl Lts for Counter {
//!     type Fault = Infallible;
//!     fn initial(&self, out: &mut Steps<Infallible>) {
//!         out.push_bytes(Label::Internal, 0, &[0]);
//!     }
//!     fn steps(&self, from: &[u8], out: &mut Steps<Infallible>) {
//!         if from[0] < 3 { out.push_bytes(Label::Event(0), 0, &[from[0] + 1]); }
//!     }
//! }
//! let mut out = Steps::default();
//! Counter.steps(&[2], &mut out);
//! assert_eq!((out.len(), out.label(0), out.state(0).0), (1, Label::Event(0), &[3][..]));
//! ```

use std::convert::Infallible;

/// What an observer sees of a step. Events are interned by whoever builds the system.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Label {
    Internal,
    Event(u32),
}

/// Who takes a step, by number: a component, a thread; the first, if several do together.
pub type Actor = u32;

pub trait Lts {
    /// Why a step cannot be taken.
    type Fault: Obstacle;
    /// Appends the initial states, as if by internal steps.
    fn initial(&self, out: &mut Steps<Self::Fault>);
    /// Appends every step from a state, always in the same order. Fills the caller's buffer, so that
    /// engines can work in blocks.
    fn steps(&self, from: &[u8], out: &mut Steps<Self::Fault>);
    /// Appends the steps from a state that have this event for a label, in a system of which every step
    /// is visible; `false`: this is none, or it cannot tell one event from others. Then nothing is
    /// appended.
    fn steps_by(&self, _from: &[u8], _event: u32, _out: &mut Steps<Self::Fault>) -> bool {
        false
    }
    /// Whether every trace from `other`, which is another state, is one from `one`, as far as that is
    /// easily told.
    fn covers(&self, _one: &[u8], _other: &[u8]) -> bool {
        false
    }
    /// Whether a state without steps is a good end.
    fn is_done(&self, _: &[u8]) -> bool {
        false
    }
    /// Bytes the system itself keeps, besides states.
    fn size(&self) -> u64 {
        0
    }
    /// What grows from the early to the late states of a search that was cut short, a sentence.
    fn growth(&self, _early: &[&[u8]], _late: &[&[u8]]) -> Option<String> {
        None
    }
}

/// A system whose states can be sent elsewhere. Packed states may hold numbers given in order of
/// discovery, which mean nothing to another process; the portable form holds none.
pub trait Portable: Lts {
    /// Appends a state: the same bytes in every process that explores the same system, in any order.
    fn export(&self, state: &[u8], out: &mut Vec<u8>);
    /// Appends a state that another process wrote, packed as here; answers the length of its key, or
    /// `None` if no process wrote this.
    fn import(&self, portable: &[u8], out: &mut Vec<u8>) -> Option<usize>;
}

/// A step that cannot be taken.
pub trait Obstacle: Clone + std::fmt::Debug + Send + Sync {
    fn effect(&self) -> Effect;
    /// A sentence for people, without its capital and full stop.
    fn message(&self) -> String;
}

/// What becomes of a search that meets one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Effect {
    /// The system is wrong: a run of it ends here.
    Wrong,
    /// The system cannot be followed here; elsewhere it can.
    Gap,
    /// It cannot be followed, and trying elsewhere would go on for ever.
    Endless,
}

impl Obstacle for Infallible {
    fn effect(&self) -> Effect {
        match *self {}
    }
    fn message(&self) -> String {
        match *self {}
    }
}

/// Which behaviours refinement compares, as in CSP.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Semantics {
    Traces,
    Failures,
    FailuresDivergences,
}

/// Steps out of one state, or of several one behind the other: those that lead somewhere, and those that
/// cannot be taken.
pub struct Steps<F> {
    bytes: Vec<u8>,
    steps: Vec<Packed>,
    failed: Vec<Failed<F>>,
    /// How many there were before those of the last state.
    before: u32,
}

#[derive(Clone, Copy)]
struct Packed {
    label: Label,
    actor: Actor,
    number: u32,
    start: u32,
    key: u32,
    end: u32,
}

/// A step that cannot be taken.
#[derive(Clone, Debug)]
pub struct Failed<F> {
    pub label: Label,
    pub actor: Actor,
    pub number: u32,
    pub fault: F,
}

impl<F> Default for Steps<F> {
    fn default() -> Self {
        Steps { bytes: Vec::new(), steps: Vec::new(), failed: Vec::new(), before: 0 }
    }
}

impl<F> Steps<F> {
    /// Bytes held, without what faults hold themselves.
    pub fn size(&self) -> u64 {
        let steps = self.steps.capacity() * size_of::<Packed>();
        let failed = self.failed.capacity() * size_of::<Failed<F>>();
        (self.bytes.capacity() + steps + failed) as u64
    }

    pub fn clear(&mut self) {
        self.bytes.clear();
        self.steps.clear();
        self.failed.clear();
        self.before = 0;
    }

    /// What is appended from here on are steps of another state; answers where they begin.
    pub fn next_state(&mut self) -> Place {
        self.before = (self.steps.len() + self.failed.len()) as u32;
        self.end()
    }

    pub fn end(&self) -> Place {
        Place { steps: self.steps.len() as u32, failed: self.failed.len() as u32 }
    }

    /// Those in between, which are the steps of one state.
    pub fn between(&self, from: Place, to: Place) -> StepsOf<'_, F> {
        StepsOf {
            bytes: &self.bytes,
            steps: &self.steps[from.steps as usize..to.steps as usize],
            failed: &self.failed[from.failed as usize..to.failed as usize],
        }
    }

    /// All of them, if they are those of one state.
    pub fn all(&self) -> StepsOf<'_, F> {
        self.between(Place::default(), self.end())
    }

    fn count(&self) -> u32 {
        (self.steps.len() + self.failed.len()) as u32 - self.before
    }

    /// `pack` appends a state and answers how many of its bytes are its key.
    pub fn push(&mut self, label: Label, actor: Actor, pack: impl FnOnce(&mut Vec<u8>) -> usize) {
        let number = self.count();
        let start = self.bytes.len() as u32;
        let key = start + pack(&mut self.bytes) as u32;
        self.steps.push(Packed { label, actor, number, start, key, end: self.bytes.len() as u32 });
    }

    /// A state that is all key.
    pub fn push_bytes(&mut self, label: Label, actor: Actor, state: &[u8]) {
        self.push(label, actor, |bytes| {
            bytes.extend_from_slice(state);
            state.len()
        });
    }

    pub fn fail(&mut self, label: Label, actor: Actor, fault: F) {
        self.failed.push(Failed { label, actor, number: self.count(), fault });
    }

    /// Steps that lead somewhere.
    pub fn len(&self) -> usize {
        self.steps.len()
    }
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }
    pub fn label(&self, i: usize) -> Label {
        self.steps[i].label
    }
    /// The key, and the rest.
    pub fn state(&self, i: usize) -> (&[u8], &[u8]) {
        self.all().state(i)
    }
}

/// Where steps of a state begin, or end.
#[derive(Clone, Copy, Debug, Default)]
pub struct Place {
    steps: u32,
    failed: u32,
}

impl Place {
    /// How many steps that lead somewhere there are before it.
    pub fn steps(self) -> usize {
        self.steps as usize
    }
}

/// The steps of one state.
pub struct StepsOf<'s, F> {
    bytes: &'s [u8],
    steps: &'s [Packed],
    failed: &'s [Failed<F>],
}

impl<F> Clone for StepsOf<'_, F> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<F> Copy for StepsOf<'_, F> {}

impl<'s, F> StepsOf<'s, F> {
    /// Steps that lead somewhere.
    pub fn len(self) -> usize {
        self.steps.len()
    }
    pub fn is_empty(self) -> bool {
        self.steps.is_empty()
    }
    pub fn label(self, i: usize) -> Label {
        self.steps[i].label
    }
    pub fn labels(self) -> impl Iterator<Item = Label> + 's {
        self.steps.iter().map(|s| s.label)
    }
    pub fn actor(self, i: usize) -> Actor {
        self.steps[i].actor
    }
    /// Its place among all steps of the state, those that fail included.
    pub fn number(self, i: usize) -> u32 {
        self.steps[i].number
    }
    /// The key, and the rest.
    pub fn state(self, i: usize) -> (&'s [u8], &'s [u8]) {
        let s = self.steps[i];
        (&self.bytes[s.start as usize..s.key as usize], &self.bytes[s.key as usize..s.end as usize])
    }
    /// Steps that cannot be taken.
    pub fn failed(self) -> &'s [Failed<F>] {
        self.failed
    }
}

impl<'s, F: Obstacle> StepsOf<'s, F> {
    /// Of the steps that fail, one that is the system's own mistake, if there is any.
    pub fn fault(self) -> Option<&'s F> {
        let wrong = self.failed.iter().find(|f| f.fault.effect() == Effect::Wrong);
        wrong.or(self.failed.last()).map(|f| &f.fault)
    }
}
