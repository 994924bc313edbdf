//! The procedures of Bouajjani, Enea and Wang (CONCUR 2017, section 3), word for word.
//!
//! `check_seq` peels a sequential execution; `check_conc` asks at each step for some
//! sequential execution that the concurrent one may be; `check_projections` drops the recursion
//! and looks at every projection instead (Lemma 7). All three are exponential and meant for a
//! handful of operations. Executions are complete and data-differentiated.
//!
//! Two readings of the printed text. (1) `MatchedMaxPriority-Seq` must also refuse a removal of
//! an older value of the same priority after `rm(x)`, or put(y,p) put(x,p) rm(x) rm(y) would
//! pass, against the first-in-first-out order the same page demands: so the values of
//! priority p in `u·v` are to be removed in `u·v`. (2) A value removed twice, or removed
//! without being put, is refused; the paper assumes this away.

use lineal_model::adt::{Object, Ranks, Ties};
use lineal_model::history::{History, Method, ValueId};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Action {
    Put,
    Rm,
    RmEmpty,
}

#[derive(Clone, Copy, Debug)]
struct Operation {
    action: Action,
    /// Empty removes have a value of their own, as in the paper.
    value: usize,
    call: u32,
    ret: u32,
}

/// An execution, with the priorities of its values.
#[derive(Clone, Debug)]
pub struct Execution {
    ops: Vec<Operation>,
    /// Rank of each value's priority.
    rank: Vec<u32>,
    ranks: Ranks,
    ties: Ties,
}

/// A sequential execution, or the operations of a concurrent one: numbers of operations.
type Word = [usize];

impl Execution {
    /// `None` unless the history is complete and no value is put twice.
    pub fn new(history: &History, object: &Object) -> Option<Self> {
        let ranks = Ranks::new(history, object.first, object.order.as_ref());
        let mut values: Vec<ValueId> = Vec::new();
        let mut rank = Vec::new();
        for op in history.ops().filter(|op| op.method == Method::Insert) {
            if values.contains(&op.arg) {
                return None;
            }
            values.push(op.arg);
            rank.push(ranks.of(op.extra));
        }
        let mut ops = Vec::new();
        for op in history.ops() {
            if op.is_pending() {
                return None;
            }
            let (action, name) = match (op.method, op.result) {
                (Method::Insert, _) => (Action::Put, Some(op.arg)),
                (_, ValueId::EMPTY) => (Action::RmEmpty, None),
                (_, value) => (Action::Rm, Some(value)),
            };
            let value = name.and_then(|v| values.iter().position(|w| *w == v)).unwrap_or_else(|| {
                values.push(name.unwrap_or(ValueId::NONE));
                rank.push(u32::MAX);
                values.len() - 1
            });
            ops.push(Operation { action, value, call: op.call, ret: op.ret });
        }
        Some(Execution { ops, rank, ranks, ties: object.ties })
    }

    fn all(&self) -> Vec<usize> {
        (0..self.ops.len()).collect()
    }

    fn less(&self, a: usize, b: usize) -> bool {
        self.ranks.before(self.rank[a], self.rank[b])
    }

    /// Same priority; with ties in any order, equal priorities count as incomparable ones.
    fn same(&self, a: usize, b: usize) -> bool {
        a == b || self.ties == Ties::Fifo && self.rank[a] == self.rank[b]
    }

    fn puts<'a>(&'a self, e: &'a Word) -> impl Iterator<Item = usize> + 'a {
        e.iter().filter(|&&o| self.ops[o].action == Action::Put).map(|&o| self.ops[o].value)
    }

    fn removes(&self, e: &Word, value: usize) -> usize {
        e.iter().filter(|&&o| self.ops[o].action == Action::Rm && self.ops[o].value == value).count()
    }

    fn empty_removes(&self, e: &Word) -> Vec<usize> {
        e.iter().copied().filter(|&o| self.ops[o].action == Action::RmEmpty).collect()
    }

    fn is_maximal(&self, e: &Word, x: usize) -> bool {
        !self.puts(e).any(|y| self.less(x, y))
    }

    /// `Has-UnmatchedMaxPriority`.
    fn has_unmatched_max(&self, e: &Word) -> bool {
        self.puts(e).any(|x| self.is_maximal(e, x) && self.removes(e, x) == 0)
    }

    fn without(&self, e: &Word, value: usize) -> Vec<usize> {
        e.iter().copied().filter(|&o| self.ops[o].value != value).collect()
    }

    /// `EmptyRemove-Seq(e, o)`.
    fn empty_remove_seq(&self, e: &Word, o: usize) -> bool {
        let at = e.iter().position(|&p| p == o).expect("o is in e");
        self.puts(&e[..at]).all(|x| self.removes(&e[..at], x) == 1)
    }

    /// `UnmatchedMaxPriority-Seq(e, x)`.
    fn unmatched_max_seq(&self, e: &Word, x: usize) -> bool {
        let Some(put) = self.position(e, Action::Put, x) else { return false };
        self.removes(e, x) == 0 && self.is_maximal(e, x) && !self.puts(&e[put + 1..]).any(|y| self.same(x, y))
    }

    /// `MatchedMaxPriority-Seq(e, x)`.
    fn matched_max_seq(&self, e: &Word, x: usize) -> bool {
        let (Some(put), Some(rm)) = (self.position(e, Action::Put, x), self.position(e, Action::Rm, x))
        else {
            return false;
        };
        if rm < put || self.removes(e, x) != 1 {
            return false;
        }
        let uv: Vec<usize> = e[..rm].iter().copied().filter(|&o| self.ops[o].value != x).collect();
        let matched = |y: usize| self.removes(&uv, y) == 1;
        self.puts(&uv).all(|y| !(self.less(y, x) || self.same(x, y)) || matched(y))
            && !self.puts(e).any(|y| (self.less(x, y) || self.same(x, y)) && self.removes(e, y) == 0)
            && self.is_maximal(e, x)
            && !self.puts(&e[put + 1..]).any(|y| self.same(x, y))
    }

    fn position(&self, e: &Word, action: Action, value: usize) -> Option<usize> {
        e.iter().position(|&o| self.ops[o].action == action && self.ops[o].value == value)
    }

    /// Whether some sequential execution that `e` may be satisfies the predicate.
    fn some_order(&self, e: &Word, predicate: &dyn Fn(&Word) -> bool) -> bool {
        fn extend(
            x: &Execution,
            left: &mut Vec<usize>,
            so_far: &mut Vec<usize>,
            p: &dyn Fn(&Word) -> bool,
        ) -> bool {
            if left.is_empty() {
                return p(so_far);
            }
            for i in 0..left.len() {
                let o = left[i];
                if left.iter().any(|&other| x.ops[other].ret < x.ops[o].call) {
                    continue;
                }
                left.remove(i);
                so_far.push(o);
                let found = extend(x, left, so_far, p);
                so_far.pop();
                left.insert(i, o);
                if found {
                    return true;
                }
            }
            false
        }
        extend(self, &mut e.to_vec(), &mut Vec::new(), predicate)
    }
}

/// How to test a predicate on an execution: as it stands, or on some order of it.
type Test<'a> = &'a dyn Fn(&Word, &dyn Fn(&Word) -> bool) -> bool;

/// The common shape of Algorithm 1: what to take out next, if anything may be.
fn select(x: &Execution, e: &Word, test: Test) -> Option<usize> {
    let empties = x.empty_removes(e);
    if !empties.is_empty() {
        return empties.into_iter().find(|&o| test(e, &|s| x.empty_remove_seq(s, o))).map(|o| x.ops[o].value);
    }
    let values: Vec<usize> = x.puts(e).collect();
    match x.has_unmatched_max(e) {
        true => values.into_iter().find(|&v| test(e, &|s| x.unmatched_max_seq(s, v))),
        false => values.into_iter().find(|&v| test(e, &|s| x.matched_max_seq(s, v))),
    }
}

fn peel(x: &Execution, e: &Word, test: Test) -> bool {
    e.is_empty() || select(x, e, test).is_some_and(|value| peel(x, &x.without(e, value), test))
}

/// *Check-PQ-Seq*, on the operations in order of their calls.
pub fn check_seq(x: &Execution) -> bool {
    peel(x, &x.all(), &|e, predicate| predicate(e))
}

/// *Check-PQ-Conc*.
pub fn check_conc(x: &Execution) -> bool {
    peel(x, &x.all(), &|e, predicate| x.some_order(e, predicate))
}

/// *Check-PQ-Conc-NonRec* on every projection.
pub fn check_projections(x: &Execution) -> bool {
    let values = x.rank.len();
    (0u32..1 << values).all(|chosen| {
        let e: Vec<usize> = x.all().into_iter().filter(|&o| chosen & (1 << x.ops[o].value) != 0).collect();
        e.is_empty() || select(x, &e, &|e, predicate| x.some_order(e, predicate)).is_some()
    })
}
