//! A relaxed type as a sequential object: the debt/credit automaton.
//!
//! A state is one of the type itself, and a [`Book`] for each class. Reading an operation enters it
//! in the book of its class; executing one takes a step of the type. With
//! [`Semantics::Classes`] each reading goes with one execution of the same class. With
//! [`Semantics::Literal`] executions come when they like, so the latest time is as good as any:
//! nothing is executed until a book is full ([`Relaxation::drift`]).
//!
//! States from which nothing can be settled any more are not entered ([`super::alive`]); so all
//! states accept, and the words accepted are closed under prefixes. The type itself may be infinite
//! or give up: what then cannot be decided is a [`Limit`], never a verdict.

use super::causes::Past;
use super::seeded::{Mistake, active};
use super::{Book, Causes, Deed, Known, Member, Relaxation, Semantics};
use crate::adt::{Adt, Kind, Object};
use crate::history::{History, Method, Op, Value, ValueId, Values};
use crate::verdict::Limit;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;

/// States of one search for what may be executed.
const MOST: usize = 40_000;

/// What is known about states and books: whether all of it can still be settled.
type Settled<S> = FxHashMap<(S, Vec<Book>), bool>;

pub struct Quasi<'a, A: Adt> {
    pub(super) adt: &'a A,
    pub(super) relaxation: &'a Relaxation,
    object: &'a Object,
    pub(super) values: &'a Values,
    /// What continuations may call; without answers.
    pub(super) calls: Vec<Op>,
    /// What operations may answer.
    answers: Vec<ValueId>,
    causes: Causes,
    start: ValueId,
    number: i64,
    pub(super) alive: RefCell<Settled<A::State>>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State<S> {
    /// Of the type, after what was executed.
    pub now: S,
    /// By class; class `rest` comes last.
    pub books: Vec<Book>,
    /// What was put there, as far as it was read.
    pub past: Past,
}

impl<'a, A: Adt> Quasi<'a, A> {
    /// `history` has the calls that continuations may make.
    pub fn new(adt: &'a A, relaxation: &'a Relaxation, object: &'a Object, history: &'a History) -> Self {
        let values = &*history.values;
        let causes = match relaxation.semantics {
            Semantics::Classes if !active(Mistake::Uncaused) => Causes::of(object.kind),
            _ => Causes::Nothing,
        };
        let mut quasi = Quasi {
            adt,
            relaxation,
            object,
            values,
            calls: Vec::new(),
            answers: Vec::new(),
            causes,
            start: values.find(&object.init).unwrap_or(ValueId::NONE),
            number: match object.init {
                Value::Int(n) => n,
                _ => 0,
            },
            alive: RefCell::default(),
        };
        let Known { calls, answers } = known(relaxation, history, |op| quasi.deed(op));
        (quasi.calls, quasi.answers) = (calls, answers);
        quasi
    }

    pub(super) fn deed(&self, op: &Op) -> Deed {
        Deed::told_apart(self.adt, op)
    }

    /// The class of an operation with its answer.
    pub(super) fn class(&self, deed: &Deed) -> usize {
        let classes = self.relaxation.classes.len();
        self.relaxation.class(&deed.op(), self.values).unwrap_or(classes)
    }

    /// Whether a call may belong to a class, by its answer.
    pub(super) fn may_belong(&self, op: &Op, class: usize) -> bool {
        let of = |m: &Member| m.method == op.method && m.custom.is_none_or(|c| c == op.extra);
        self.relaxation.classes.get(class).is_none_or(|c| c.members.iter().any(of))
    }

    pub(super) fn factor(&self, class: usize) -> u32 {
        self.relaxation.classes.get(class).map_or(0, |c| c.factor)
    }

    /// What has to do with one of these operations: others need not be called to make them possible.
    pub(super) fn concerns(&self, wanted: &[Op], deed: &Deed) -> bool {
        match self.object.kind {
            Kind::Set => wanted.iter().any(|op| op.arg == deed.arg),
            Kind::Map | Kind::Dictionary => wanted.iter().any(|op| op.key == deed.key),
            _ => true,
        }
    }

    /// Whether it is known what operations are for.
    pub(super) fn is_known(&self) -> bool {
        self.object.kind != Kind::User
    }

    pub(super) fn is_container(&self) -> bool {
        self.object.kind.is_container()
    }

    /// The operation with every answer it may give.
    fn deeds(&self, state: &State<A::State>, op: &Op) -> Result<Vec<Deed>, Limit> {
        let deed = self.deed(op);
        if !is_open(self.object, op) {
            return Ok(vec![deed]);
        }
        let mut deeds = Vec::new();
        self.adt.outcomes(&state.now, op, |result, _| deeds.push(Deed { result, ..deed }))?;
        let late = self.answers.iter().map(|&result| Deed { result, ..deed });
        deeds.extend(late.filter(|d| self.may_wait(self.class(d))));
        let owed = state.books.iter().flat_map(Book::debts);
        deeds.extend(owed.filter(|d| Deed { result: ValueId::NONE, ..**d } == deed));
        deeds.sort_unstable();
        deeds.dedup();
        Ok(deeds)
    }

    /// Whether operations of the class may be executed at another time than they are read.
    fn may_wait(&self, class: usize) -> bool {
        self.factor(class) > 0 || self.relaxation.semantics == Semantics::Literal
    }

    /// Reads one operation: the states that may follow, before it is asked whether they lead anywhere.
    fn read(&self, state: &State<A::State>, deed: Deed, out: &mut Vec<State<A::State>>) -> Result<(), Limit> {
        let past = self.causes.after(&state.past, &deed, self.start, self.number, self.values);
        let Some(past) = past else { return Ok(()) };
        let class = self.class(&deed);
        if !self.may_wait(class) {
            let each = |_, now| out.push(State { now, books: state.books.clone(), past: past.clone() });
            return self.adt.outcomes(&state.now, &deed.op(), each);
        }
        let mut books = state.books.clone();
        books[class] = books[class].read(deed, self.factor(class));
        let read = State { now: state.now.clone(), books, past };
        match self.relaxation.semantics {
            Semantics::Literal => self.make_room(read, out),
            _ => self.execute(&read.now, &read.books, class, &mut |now, books, _| {
                out.push(State { now, books, past: read.past.clone() });
            }),
        }
    }

    /// Executes one operation of the class, in every way that is not too late for another: the
    /// state and the books after it, and what was executed if it was not read yet.
    pub(super) fn execute(
        &self,
        now: &A::State,
        books: &[Book],
        class: usize,
        each: &mut dyn FnMut(A::State, Vec<Book>, Option<Deed>),
    ) -> Result<(), Limit> {
        let (book, factor) = (&books[class], self.factor(class));
        let mut put = |now: A::State, book: &Book, guessed: Option<Deed>| {
            if book.is_possible(factor) {
                let mut books = books.to_vec();
                books[class] = book.clone();
                each(now, books, guessed);
            }
        };
        let mut credits: Vec<Deed> = book.credits().copied().collect();
        credits.sort_unstable();
        credits.dedup();
        for &credit in &credits {
            if let Some(after) = book.execute(credit, factor) {
                self.adt.outcomes(now, &credit.op(), |_, now| put(now, &after, None))?;
            }
        }
        if !self.may_wait(class) || active(Mistake::NoGuess) {
            return Ok(());
        }
        let mixes = active(Mistake::MixesClasses);
        let calls = self.calls.iter().filter(|op| mixes || self.may_belong(op, class));
        for call in calls {
            let blank = self.deed(call);
            let mut guesses = Vec::new();
            self.adt.outcomes(now, call, |result, now| guesses.push((Deed { result, ..blank }, now)))?;
            for (deed, now) in guesses {
                // What equals a credit that may come now is that.
                if (self.class(&deed) == class || mixes) && book.execute(deed, factor).is_none() {
                    put(now, &book.guess(deed), Some(deed));
                }
            }
        }
        Ok(())
    }

    /// Executes until every book has room again.
    fn make_room(&self, read: State<A::State>, out: &mut Vec<State<A::State>>) -> Result<(), Limit> {
        let room = |class: usize| self.relaxation.drift.map(|d| (d + self.factor(class)) as usize);
        let fits = |books: &[Book]| {
            books.iter().enumerate().all(|(class, book)| room(class).is_none_or(|r| book.open() <= r))
        };
        let State { now, books, past } = read;
        let possible = books.iter().enumerate().all(|(class, book)| book.is_possible(self.factor(class)));
        if !possible {
            return Ok(());
        }
        let mut seen = FxHashSet::default();
        let mut open = vec![(now, books)];
        while let Some((now, books)) = open.pop() {
            if seen.len() > MOST {
                return Err(Limit::method(format!(
                    "What may be executed before the next operation was not settled within {MOST} states."
                )));
            }
            if fits(&books) {
                out.push(State { now, books, past: past.clone() });
                continue;
            }
            for class in 0..books.len() {
                let mut next = Vec::new();
                self.execute(&now, &books, class, &mut |now, books, _| next.push((now, books)))?;
                // One more than there is room for may have been read, never executed.
                let owed = |b: &[Book]| {
                    b.iter().enumerate().all(|(c, book)| room(c).is_none_or(|r| book.debts().count() <= r))
                };
                open.extend(
                    next.into_iter()
                        .filter(|(now, books)| owed(books) && seen.insert((now.clone(), books.clone()))),
                );
            }
        }
        Ok(())
    }
}

impl<A: Adt> Adt for Quasi<'_, A> {
    type State = State<A::State>;

    fn initial(&self) -> Self::State {
        let books = vec![Book::default(); self.relaxation.classes.len() + 1];
        State { now: self.adt.initial(), books, past: Past::new() }
    }

    fn outcomes(
        &self,
        state: &Self::State,
        op: &Op,
        mut each: impl FnMut(ValueId, Self::State),
    ) -> Result<(), Limit> {
        let mut seen = FxHashSet::default();
        for deed in self.deeds(state, op)? {
            let mut read = Vec::new();
            self.read(state, deed, &mut read)?;
            for next in read {
                let alive = |next| Ok(active(Mistake::NotClosed) || self.is_alive(next)?);
                if seen.insert((deed.result, next.clone())) && alive(&next)? {
                    each(deed.result, next);
                }
            }
        }
        Ok(())
    }

    /// An operation that may not wait is executed when it is read, and its class has no book.
    fn is_read(&self, op: &Op) -> bool {
        let waits = match op.result {
            ValueId::NONE => self.relaxation.moves(op.method),
            _ => self.factor(self.class(&self.deed(op))) > 0,
        };
        self.adt.is_read(op) && !waits && self.relaxation.semantics == Semantics::Classes
    }

    fn allows(&self, state: &Self::State, op: &Op) -> Result<bool, Limit> {
        let past =
            self.causes.after(&state.past, &self.deed(op), self.start, self.number, self.values).is_some();
        Ok(past && self.adt.allows(&state.now, op)?)
    }

    fn knows_caller(&self, op: &Op) -> bool {
        self.adt.knows_caller(op)
    }

    fn show(&self, state: &Self::State) -> String {
        let name = |deed: &Deed| self.object.show(&deed.op(), self.values);
        let list = |deeds: Vec<&Deed>| deeds.into_iter().map(name).collect::<Vec<_>>().join(", ");
        let mut shown = self.adt.show(&state.now);
        let credits: Vec<&Deed> = state.books.iter().flat_map(Book::credits).collect();
        let debts: Vec<&Deed> = state.books.iter().flat_map(Book::debts).collect();
        if !credits.is_empty() {
            shown += &format!(" early: {}", list(credits));
        }
        if !debts.is_empty() {
            shown += &format!(" late: {}", list(debts));
        }
        shown
    }

    fn bytes(&self, state: &Self::State) -> usize {
        let owed: usize =
            state.books.iter().map(|b| 48 + 28 * (b.credits().count() + b.debts().count())).sum();
        self.adt.bytes(&state.now) + owed + 48 + 16 * state.past.len()
    }
}

/// Whether it answers, and it is not said what.
pub(super) fn is_open(object: &Object, op: &Op) -> bool {
    let answers = match &object.user {
        Some(user) => user.operation(op).answers,
        None => object.kind.answers(op.method),
    };
    op.result == ValueId::NONE && answers
}

/// What continuations may call and answer.
pub(super) fn known(relaxation: &Relaxation, history: &History, deed: impl Fn(&Op) -> Deed) -> Known {
    let Some(known) = &relaxation.known else { return Known::of(history, deed) };
    let mut calls: Vec<Deed> = known.calls.iter().map(deed).collect();
    calls.sort_unstable();
    calls.dedup();
    Known { calls: calls.iter().map(Deed::op).collect(), answers: known.answers.clone() }
}

impl Known {
    /// `deed` says which callers are told apart.
    pub fn of(history: &History, deed: impl Fn(&Op) -> Deed) -> Self {
        let mut calls: Vec<Deed> = Vec::new();
        let mut answers = Vec::new();
        let mut priorities = Vec::new();
        for op in history.ops() {
            answers.extend([op.result, op.arg]);
            // The priority of what was removed is part of the answer.
            if op.method == Method::Insert {
                priorities.push(op.extra);
            }
            calls.push(Deed { result: ValueId::NONE, ..deed(&op) });
        }
        let removes: Vec<Deed> = calls
            .iter()
            .filter(|c| c.method == Method::Remove && c.extra != ValueId::NONE)
            .copied()
            .collect();
        if let Some(&remove) = removes.first() {
            calls.extend(priorities.iter().map(|&extra| Deed { extra, ..remove }));
        }
        calls.sort_unstable();
        calls.dedup();
        answers.retain(|&a| a != ValueId::NONE);
        answers.sort_unstable();
        answers.dedup();
        Known { calls: calls.iter().map(Deed::op).collect(), answers }
    }
}
