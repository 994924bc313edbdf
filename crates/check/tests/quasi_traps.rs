//! Where the definition of Adhikari and others (SPIN 2013), the algorithms printed there and the usual
//! reading here part: each example decided under each semantics, and by their algorithms as printed.
//!
//! `e1` is enqueue(1), `d2` a dequeue that answers 2, `d0` one that finds nothing.

use lineal_check::naive::printed::{Event, Operation, Pairs, Printed};
use lineal_check::naive::quasi::Definition;
use lineal_model::adt::quasi::{Listed, Named, Operations, Relaxation, Semantics, relax};
use lineal_model::adt::{Adt, Kind, Object, Visit};
use lineal_model::history::{Builder, Call, History, Method, Op, Value, ValueId};
use std::sync::Arc;

/// Operations, and their factor.
type Class<'a> = (&'a [&'a str], i64);

fn relaxation(classes: &[Class], semantics: Semantics) -> Relaxation {
    let member = |text: &&str| match text.split_once("->") {
        Some((operation, _)) => Named { operation: operation.into(), answer: Some(Value::Empty) },
        None => Named { operation: (*text).into(), answer: None },
    };
    let listed: Vec<Listed> = classes
        .iter()
        .map(|(members, factor)| Listed { members: members.iter().map(member).collect(), factor: *factor })
        .collect();
    relax(&listed, semantics, &Operations::Of(Kind::Queue)).unwrap()
}

/// Operations of a word, with numbers.
fn letters(word: &str) -> impl Iterator<Item = Operation> {
    word.split_whitespace().map(|letter| match (&letter[..1], letter[1..].parse().unwrap()) {
        ("e", n) => Operation::Enqueue(n),
        (_, 0) => Operation::Dequeue(None),
        (_, n) => Operation::Dequeue(Some(n)),
    })
}

fn history(word: &str) -> History {
    let mut builder = Builder::new();
    for letter in letters(word) {
        let (method, arg, answer) = match letter {
            Operation::Enqueue(n) => (Method::Insert, builder.values.int(n.into()), ValueId::NONE),
            Operation::Dequeue(None) => (Method::Remove, ValueId::NONE, ValueId::EMPTY),
            Operation::Dequeue(Some(n)) => (Method::Remove, ValueId::NONE, ValueId::small(n.into())),
        };
        let id = builder.call(Call::new(method, ValueId::small(0)).arg(arg));
        builder.ret(id, answer);
    }
    builder.finish()
}

struct Run<'a>(&'a [Op]);

impl Visit for Run<'_> {
    type Out = bool;
    fn visit<A: Adt>(self, adt: &A) -> bool {
        let mut states = vec![adt.initial()];
        for op in self.0 {
            let mut next = Vec::new();
            states.iter().for_each(|s| adt.step(s, op, &mut next).expect("no limit"));
            let mut seen = std::collections::HashSet::new();
            next.retain(|s| seen.insert(s.clone()));
            states = next;
        }
        !states.is_empty()
    }
}

fn accepts(classes: &[Class], semantics: Semantics, word: &str) -> bool {
    let history = history(word);
    let ops: Vec<Op> = history.ops().collect();
    let relaxation = Some(Arc::new(relaxation(classes, semantics)));
    Object { quasi: relaxation, ..Object::new(Kind::Queue) }.visit(&history, Run(&ops))
}

/// By `classes`, `literal` and `windows`.
#[track_caller]
fn check(classes: &[Class], word: &str, expected: [bool; 3]) {
    let got = Semantics::ALL.map(|s| accepts(classes, s, word));
    assert_eq!(got, expected, "{classes:?}: {word}");
}

/// The printed algorithms, with this factor; events are whole operations.
fn printed(factor: usize, pairs: Pairs, word: &str) -> bool {
    let trace: Vec<Event> = letters(word).map(Event::Does).collect();
    Printed { values: &[1, 2, 3, 4], processes: 0, factor, pairs }.accepts(&trace)
}

/// The same where events are the calls and answers of processes that take turns.
fn printed_by_calls(factor: usize, processes: usize, word: &str) -> bool {
    let both = |(n, operation): (usize, Operation)| {
        let call = match operation {
            Operation::Enqueue(v) => Some(v),
            Operation::Dequeue(_) => None,
        };
        [Event::Calls(n % processes, call), Event::Answers(n % processes, operation)]
    };
    let trace: Vec<Event> = letters(word).enumerate().flat_map(both).collect();
    Printed { values: &[1, 2, 3], processes, factor, pairs: Pairs::Some }.accepts(&trace)
}

const DEQUEUE: &[&str] = &["dequeue"];
const BOTH: &[&str] = &["enqueue", "dequeue"];

/// T1: from a factor of 2 on, windows lack words.
#[test]
fn t1_no_cut_explains_what_moves_by_little() {
    check(&[(DEQUEUE, 2)], "e1 e2 e3 e4 d2 d4 d1 d3", [true, true, false]);
    check(&[(DEQUEUE, 2)], "e1 e2 e3 e4 e5 e6 e7 d3 d1 d5 d2 d7 d4", [true, true, false]);
    check(&[(DEQUEUE, 1)], "e1 e2 e3 e4 d2 d1 d4 d3", [true, true, true]);
}

/// T1 in numbers: in how many orders `n` elements may leave.
#[test]
fn t1_counted() {
    fn orders(left: &mut Vec<usize>, word: &mut Vec<usize>, each: &mut dyn FnMut(&[usize])) {
        if left.is_empty() {
            return each(word);
        }
        for i in 0..left.len() {
            let next = left.remove(i);
            word.push(next);
            orders(left, word, each);
            word.pop();
            left.insert(i, next);
        }
    }
    let count = |k: i64, n: usize| {
        let mut found = [0; 3];
        orders(&mut (1..=n).collect(), &mut Vec::new(), &mut |order| {
            // Whatever moves by more is not worth the time.
            if order.iter().zip(1..).any(|(v, at): (&usize, usize)| v.abs_diff(at) as i64 > k) {
                return;
            }
            let puts = (1..=n).map(|v| format!("e{v} "));
            let word: String = puts.chain(order.iter().map(|v| format!("d{v} "))).collect();
            for (count, semantics) in found.iter_mut().zip(Semantics::ALL) {
                *count += usize::from(accepts(&[(DEQUEUE, k)], semantics, &word));
            }
        });
        found
    };
    assert_eq!(count(1, 5), [8, 8, 8]);
    assert_eq!(count(2, 4), [14, 14, 11]);
    assert_eq!(count(2, 5), [31, 31, 23]);
    assert_eq!(count(2, 6), [73, 73, 52]);
}

/// T2: a window counts every event, the distance only those of its class.
#[test]
fn t2_other_operations_come_in_between() {
    check(&[(DEQUEUE, 1)], "e1 e2 d2 e3 d1", [true, true, false]);
    check(&[(DEQUEUE, 1)], "e1 e2 d2 d1 e3", [true, true, true]);
}

/// T3: one factor for all operations permutes insertions, too.
#[test]
fn t3_one_factor_moves_insertions() {
    check(&[(BOTH, 1)], "e2 e1 e4 e3 d1 d3 d2 d4", [true, true, true]);
    check(&[(DEQUEUE, 1)], "e2 e1 e4 e3 d1 d3 d2 d4", [false, false, false]);
    assert!(printed(1, Pairs::Some, "e2 e1 e4 e3 d1 d3 d2 d4"));
}

/// T4: the relaxed specification has choices. Pair by pair, as printed, the wrong choice makes a queue
/// that is right fail; followed together, as all semantics here have it, it costs nothing.
#[test]
fn t4_a_choice_is_not_a_failure() {
    check(&[(BOTH, 1)], "e2 d2", [true, true, true]);
    check(&[(DEQUEUE, 1)], "e2 d2", [true, true, true]);
    assert!(!printed(1, Pairs::Every, "e2 d2"));
    assert!(printed(1, Pairs::Some, "e2 d2"));
    // Without a factor nothing is permuted, and there are no choices.
    assert!(printed(0, Pairs::Every, "e2 d2"));
    assert!(!printed(0, Pairs::Some, "e1 e2 d2"));
}

/// T5: the definition is not closed under prefixes; the semantics are.
#[test]
fn t5_what_may_still_be_explained() {
    check(&[(DEQUEUE, 1)], "e1 e2 d2", [true, true, true]);
    check(&[(DEQUEUE, 0)], "e1 e2 d2", [false, false, false]);
    struct Unclosed<'a>(&'a Relaxation, &'a History);
    impl Visit for Unclosed<'_> {
        type Out = bool;
        fn visit<A: Adt>(self, adt: &A) -> bool {
            let word: Vec<Op> = self.1.ops().collect();
            let (kind, values) = (Kind::Queue, &*self.1.values);
            Definition { adt, kind, relaxation: self.0, values, alphabet: &[], longest: 0 }
                .is_explained(&word)
        }
    }
    let unclosed = |k, semantics, word: &str| {
        let (relaxation, history) = (relaxation(&[(DEQUEUE, k)], semantics), history(word));
        Object::new(Kind::Queue).visit_exact(&history, Unclosed(&relaxation, &history))
    };
    for semantics in Semantics::ALL {
        assert!((0..=5).all(|k| !unclosed(k, semantics, "e1 e2 d2")));
        assert!(unclosed(1, semantics, "e1 e2 d2 d1"));
    }
}

/// T6: nothing orders different classes in the definition, so with factors of 0 it is not
/// linearizability.
#[test]
fn t6_classes_drift_apart() {
    check(&[(DEQUEUE, 0)], "d5 e5", [false, true, false]);
    check(&[(DEQUEUE, 0)], "e1 d0 d1", [false, true, false]);
    check(&[(DEQUEUE, 0)], "e1 e2 d1 d2 d0", [true, true, true]);
    // A value leaves before it enters: the definition allows it, here nothing is answered before it
    // is there.
    check(&[(DEQUEUE, 1)], "e1 d2 e2 d1", [false, true, false]);
    // Continuations make the calls of the word, and nobody enqueues 2 here.
    check(&[(DEQUEUE, 1)], "e1 d2", [false, false, false]);
    // Finding nothing is not relaxed with the rest, unless it is listed.
    check(&[(DEQUEUE, 2)], "e1 d0 d1", [false, true, false]);
    check(&[(&["dequeue", "dequeue->empty"], 1)], "e1 d0 d1", [true, true, true]);
    check(&[(&["dequeue", "dequeue->empty"], 1)], "e1 e2 d0 d1 d2", [false, true, false]);
}

/// T7: windows of calls and answers are not windows of operations. They lack what one process does in
/// turn, since its next call comes in between; and they have what no factor of 1 explains, since calls
/// that do not overlap come to overlap.
#[test]
fn t7_events_are_not_operations() {
    check(&[(DEQUEUE, 1)], "e1 e2 d2 d1", [true, true, true]);
    assert!(!printed_by_calls(1, 1, "e1 e2 d2 d1"));
    assert!(printed_by_calls(2, 1, "e1 e2 d2 d1"));
    check(&[(DEQUEUE, 1)], "e1 e2 e3 d3 d1 d2", [false, false, false]);
    assert!(printed_by_calls(1, 2, "e1 e2 e3 d3 d1 d2"));
    assert!(!printed_by_calls(1, 1, "e1 e2 e3 d3 d1 d2"));
    check(&[(DEQUEUE, 2)], "e1 e2 e3 d3 d1 d2", [true, true, true]);
}

/// Any of the first two each time is not a factor of 1: the first may wait for ever.
#[test]
fn any_of_the_first() {
    check(&[(DEQUEUE, 1)], "e1 e2 e3 e4 d2 d3", [false, false, false]);
    check(&[(DEQUEUE, 2)], "e1 e2 e3 e4 d2 d3 d1", [true, true, true]);
    check(&[(DEQUEUE, 2)], "e1 e2 e3 e4 e5 d2 d3 d4", [false, false, false]);
}

/// The greatest factor there is ends in an answer, or in a limit that says so.
#[test]
fn great_factors_end() {
    struct Ends<'a>(&'a [Op]);
    impl Visit for Ends<'_> {
        type Out = Result<bool, String>;
        fn visit<A: Adt>(self, adt: &A) -> Self::Out {
            let mut state = adt.initial();
            for op in self.0 {
                let mut next = Vec::new();
                adt.step(&state, op, &mut next).map_err(|limit| limit.message)?;
                match next.pop() {
                    Some(first) => state = first,
                    None => return Ok(false),
                }
            }
            Ok(true)
        }
    }
    let put = |n: i64| format!("e{n} ");
    let takes = |n: i64| format!("d{n} ");
    let word: String = (1..=26).map(put).chain((1..=26).rev().map(takes)).collect();
    for kind in [Kind::Queue, Kind::Bag] {
        let history = history(&word);
        let ops: Vec<Op> = history.ops().collect();
        for semantics in Semantics::ALL {
            let relaxation = Some(Arc::new(relaxation(&[(BOTH, 24)], semantics)));
            let ended = Object { quasi: relaxation, ..Object::new(kind) }.visit(&history, Ends(&ops));
            println!("{} {}: {ended:?}", kind.word(), semantics.word());
            // Of the permutations of a row only so many are looked at, and that is said.
            let windows = semantics == Semantics::Windows;
            assert!(!windows || ended.is_err_and(|limit| limit.contains("more ways than")));
        }
    }
}
