//! Quasi-linearizability by its definition: some continuation, and some other order of all of it.
//!
//! A word is accepted iff one of the continuations, which are tried one by one up to a length, makes
//! it a word of which some permutation is legal and moves no operation too far. Permutations are
//! made place by place. How far is measured on the two orders as they are; nothing is kept of what
//! is owed to whom.

use lineal_model::adt::quasi::{Relaxation, Semantics};
use lineal_model::adt::{Adt, Kind};
use lineal_model::history::{Method, Op, ValueId, Values};

/// What words are held against.
pub struct Definition<'a, A> {
    pub adt: &'a A,
    pub kind: Kind,
    pub relaxation: &'a Relaxation,
    pub values: &'a Values,
    /// Operations with their answers, of which continuations are made.
    pub alphabet: &'a [Op],
    /// How long continuations are at most.
    pub longest: usize,
}

impl<A: Adt> Definition<'_, A> {
    /// Whether the word, or one that begins with it, is explained by another order.
    pub fn accepts(&self, word: &[Op]) -> bool {
        let caused = self.relaxation.semantics != Semantics::Classes || self.is_caused(word);
        caused && (0..=self.longest).any(|more| self.continued(&mut word.to_vec(), more))
    }

    fn continued(&self, word: &mut Vec<Op>, more: usize) -> bool {
        if more == 0 {
            return self.is_explained(word);
        }
        self.alphabet.iter().any(|op| {
            word.push(*op);
            let found = self.continued(word, more - 1);
            word.pop();
            found
        })
    }

    /// Whether this very word has another order that is legal.
    pub fn is_explained(&self, word: &[Op]) -> bool {
        if self.relaxation.semantics == Semantics::Windows {
            return self.in_rows(&self.adt.initial(), word);
        }
        let classes: Vec<Option<usize>> =
            word.iter().map(|op| self.relaxation.class(op, self.values)).collect();
        self.permute(&self.adt.initial(), word, &classes, &mut Vec::new())
    }

    fn permute(
        &self,
        state: &A::State,
        word: &[Op],
        classes: &[Option<usize>],
        order: &mut Vec<usize>,
    ) -> bool {
        let at = order.len();
        if at == word.len() {
            return true;
        }
        (0..word.len()).any(|i| {
            if order.contains(&i) {
                return false;
            }
            let class = classes[i];
            if self.relaxation.semantics == Semantics::Classes && class != classes[at] {
                return false;
            }
            // Its places in its class, in the word and in the order.
            let own = classes[..i].iter().filter(|c| **c == class).count();
            let other = order.iter().filter(|&&j| classes[j] == class).count();
            let factor = class.map_or(0, |c| self.relaxation.classes[c].factor as usize);
            if own.abs_diff(other) > factor {
                return false;
            }
            order.push(i);
            let found = self.after(state, &word[i]).iter().any(|s| self.permute(s, word, classes, order));
            order.pop();
            found
        })
    }

    fn after(&self, state: &A::State, op: &Op) -> Vec<A::State> {
        let mut out = Vec::new();
        self.adt.step(state, op, &mut out).expect("small types have no limits");
        out
    }

    /// Whether the word can be cut into rows, each explained by itself.
    fn in_rows(&self, state: &A::State, word: &[Op]) -> bool {
        let most = self.relaxation.most() as usize + 1;
        word.is_empty()
            || (1..=most.min(word.len())).any(|n| {
                let (row, rest) = word.split_at(n);
                self.row(state, row, &mut Vec::new()).iter().any(|s| self.in_rows(s, rest))
            })
    }

    fn row(&self, state: &A::State, row: &[Op], order: &mut Vec<usize>) -> Vec<A::State> {
        let moves = |i: usize| {
            let class = self.relaxation.class(&row[i], self.values);
            class.is_some_and(|c| self.relaxation.classes[c].factor > 0)
        };
        let at = order.len();
        if at == row.len() {
            return vec![state.clone()];
        }
        let mut out = Vec::new();
        for i in 0..row.len() {
            let fits = i == at || (moves(i) && moves(at));
            if fits && !order.contains(&i) {
                order.push(i);
                for s in self.after(state, &row[i]) {
                    out.extend(self.row(&s, row, order));
                }
                order.pop();
            }
        }
        out
    }

    /// Whether no answer comes before there is a reason for it.
    fn is_caused(&self, word: &[Op]) -> bool {
        (0..word.len()).all(|n| {
            let (op, before) = (&word[n], &word[..n]);
            let inserts =
                |op: &Op| matches!(op.method, Method::Insert | Method::PushFront | Method::PushBack);
            match self.kind {
                kind if kind.is_container() => {
                    let put = before.iter().filter(|o| inserts(o) && o.arg == op.result).count();
                    let gone = before.iter().filter(|o| !inserts(o) && o.result == op.result).count();
                    inserts(op) || op.result == ValueId::EMPTY || put > gone
                }
                // What is compared and is right was read, too.
                Kind::Register | Kind::CasRegister => {
                    let start = self.after(&self.adt.initial(), op);
                    let put = |o: &&Op| {
                        o.method == Method::Write || (o.method == Method::Cas && o.result == ValueId::TRUE)
                    };
                    let found = match op.method {
                        Method::Read => Some(op.result),
                        Method::Cas if op.result == ValueId::TRUE => Some(op.arg),
                        _ => None,
                    };
                    let written = |o: &Op| if o.method == Method::Cas { o.extra } else { o.arg };
                    found.is_none_or(|v| {
                        !start.is_empty() || before.iter().filter(put).any(|o| written(o) == v)
                    })
                }
                Kind::Set => {
                    let added = before.iter().any(|o| o.method == Method::Insert && o.arg == op.arg);
                    // Adding in vain finds it there.
                    let finds = (op.method == Method::Insert) != (op.result == ValueId::TRUE);
                    !finds || added
                }
                Kind::Counter => {
                    let added = |o: &Op| self.values.as_int(o.arg).unwrap_or(1);
                    let adds = || before.iter().filter(|o| o.method == Method::Add).map(added);
                    let (low, high): (i64, i64) =
                        (adds().filter(|n| *n < 0).sum(), adds().filter(|n| *n > 0).sum());
                    op.method == Method::Add
                        || self.values.as_int(op.result).is_some_and(|n| (low..=high).contains(&n))
                }
                Kind::Map | Kind::Dictionary => {
                    let mut there = before.iter().filter(|o| o.key == op.key);
                    let nothing = !self.after(&self.adt.initial(), op).is_empty();
                    let put = |o: &Op| match o.method {
                        Method::Append => true,
                        Method::Put => op.method != Method::Read || o.arg == op.result,
                        _ => false,
                    };
                    nothing || there.any(put)
                }
                _ => true,
            }
        })
    }
}
