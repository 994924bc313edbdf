//! Whether what is owed can still be settled: the words accepted are closed under prefixes, and a
//! state is kept iff some continuation leads to one where nothing is owed.
//!
//! Continuations that owe nothing more than they find are enough. Take any one, keep what it
//! executes, and let it read its operations of each class in the order in which they are executed,
//! those that are owed first. The i-th execution of a class has at least as many operations to be
//! read before it as were executed, since there are as many debts as credits (or, where classes
//! drift apart, since the rest is read at the end): so nothing is read before it is executed, and by
//! exchanging neighbours nothing is later than it was. Hence, class by class: while there are debts
//! the oldest one is read next, and a class without debts reads what it executes. Where classes drift
//! apart, when something is read does not matter: debts are read at the end, the oldest first.
//!
//! Such continuations may still go on for ever with an infinite type. For containers, insertions help
//! only whoever waits for the very value: each is made at most as often as removals wait for it, and
//! there are only finitely many continuations left; of sets and maps only the keys that somebody
//! waits for matter. Of a type written in C nobody knows what helps whom: there continuations make one
//! more call for each operation that waits, besides those that fill its class; that is what closed
//! under prefixes means for them. A counter or a register is stopped by
//! [`Adt::is_beyond`]. The rest is given up after a number of states, which is a limit and no verdict.

use super::seeded::{Mistake, active};
use super::{Book, Deed, Quasi, Semantics, State};
use crate::adt::Adt;
use crate::history::{Method, Op, ValueId};
use crate::verdict::Limit;
use rustc_hash::FxHashSet;

/// States of one search.
const MOST: usize = 40_000;

/// Insertions that continuations make, and how often each may still be made.
type Left = Vec<(ValueId, u32)>;

type Node<S> = (S, Vec<Book>, Left);

/// Where a continuation is.
#[derive(Clone, Copy)]
struct Around<'n, S> {
    now: &'n S,
    books: &'n [Book],
    left: &'n Left,
    /// What is read and not executed.
    wanted: &'n [Op],
}

impl<A: Adt> Quasi<'_, A> {
    pub(super) fn is_alive(&self, state: &State<A::State>) -> Result<bool, Limit> {
        if self.is_over(&state.books) {
            return Ok(true);
        }
        let key = (state.now.clone(), state.books.clone());
        if let Some(&known) = self.alive.borrow().get(&key) {
            return Ok(known);
        }
        let alive = self.search(&key.0, &key.1)?;
        self.alive.borrow_mut().insert(key, alive);
        Ok(alive)
    }

    /// Whether nothing needs to be executed any more.
    fn is_over(&self, books: &[Book]) -> bool {
        books
            .iter()
            .enumerate()
            .all(|(class, book)| book.credits().next().is_none() && book.can_be_read(self.factor(class)))
    }

    /// A class without credits reads its debts, and from then on what it executes: nothing more is
    /// owed. `None`: it is too late for one of them.
    fn settled(&self, mut books: Vec<Book>) -> Option<Vec<Book>> {
        for (class, book) in books.iter_mut().enumerate() {
            if book.credits().next().is_none() && !book.is_settled() {
                if !book.can_be_read(self.factor(class)) {
                    return None;
                }
                *book = Book::default();
            }
        }
        Some(books)
    }

    fn search(&self, now: &A::State, books: &[Book]) -> Result<bool, Limit> {
        let mut left = Left::new();
        for deed in books.iter().flat_map(Book::credits) {
            if matches!(deed.method, Method::Remove | Method::PopFront | Method::PopBack) {
                match left.iter_mut().find(|l| l.0 == deed.result) {
                    Some(l) => l.1 += 1,
                    None => left.push((deed.result, 1)),
                }
            }
        }
        if !self.is_known() {
            left = vec![(ValueId::NONE, books.iter().map(|b| b.credits().count() as u32).sum())];
        }
        let mut seen: FxHashSet<Node<A::State>> = FxHashSet::default();
        let Some(books) = self.settled(books.to_vec()) else { return Ok(false) };
        let mut open = vec![(now.clone(), books, left)];
        while let Some((now, books, left)) = open.pop() {
            if self.is_over(&books) {
                return Ok(true);
            }
            let wanted: Vec<Op> = books.iter().flat_map(Book::credits).map(Deed::op).collect();
            if self.adt.is_beyond(&now, &wanted, &self.calls) {
                continue;
            }
            if seen.len() > MOST {
                return Err(Limit::method(format!(
                    "Whether what is out of order can still be put right was not settled within {MOST} states."
                )));
            }
            let before = open.len();
            let mut push = |now: A::State, books: Vec<Book>, left: Left| {
                let Some(books) = self.settled(books) else { return };
                let node = (now, books, left);
                if seen.insert(node.clone()) {
                    open.push(node);
                }
            };
            let around = Around { now: &now, books: &books, left: &left, wanted: &wanted };
            for class in 0..books.len() {
                self.go_on(&around, class, &mut push)?;
            }
            // Those found first, which execute what is wanted, come first.
            open[before..].reverse();
        }
        Ok(false)
    }

    /// One more operation of the class.
    fn go_on(
        &self,
        around: &Around<'_, A::State>,
        class: usize,
        push: &mut dyn FnMut(A::State, Vec<Book>, Left),
    ) -> Result<(), Limit> {
        let Around { now, books, left, wanted } = *around;
        let neutral = books[class].is_settled();
        let mut guessed = |now: A::State, books: Vec<Book>, guess: Option<Deed>| match guess {
            None => push(now, books, left.clone()),
            Some(deed) => {
                if let Some(left) = self.spend(left, &deed, neutral).filter(|_| self.concerns(wanted, &deed))
                {
                    push(now, books, left);
                }
            }
        };
        let literal = self.relaxation.semantics == Semantics::Literal;
        if literal && !books[class].is_settled() {
            return self.execute(now, books, class, &mut guessed);
        }
        let Some(oldest) = books[class].oldest() else {
            // Read and executed at once.
            for call in self.calls.iter().filter(|op| self.may_belong(op, class)) {
                let blank = self.deed(call);
                let mut found = Vec::new();
                self.adt.outcomes(now, call, |result, now| found.push((Deed { result, ..blank }, now)))?;
                for (deed, now) in found {
                    if self.class(&deed) == class {
                        guessed(now, books.to_vec(), Some(deed));
                    }
                }
            }
            return Ok(());
        };
        let mut books = books.to_vec();
        books[class] = books[class].read(oldest, self.factor(class));
        self.execute(now, &books, class, &mut guessed)
    }

    /// What is left after a call that nobody made; `None`: it helps nobody. `neutral`: it was read and
    /// executed at once.
    fn spend(&self, left: &Left, deed: &Deed, neutral: bool) -> Option<Left> {
        let inserts = matches!(deed.method, Method::Insert | Method::PushFront | Method::PushBack);
        let of = match self.is_known() {
            true if self.is_container() && inserts && active(Mistake::PutsNothing) => return None,
            true if self.is_container() && inserts => deed.arg,
            false if neutral => ValueId::NONE,
            _ => return Some(left.clone()),
        };
        let at = left.iter().position(|l| l.0 == of && l.1 > 0)?;
        let mut left = left.clone();
        left[at].1 -= 1;
        Some(left)
    }
}
