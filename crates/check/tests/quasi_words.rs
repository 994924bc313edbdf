//! Relaxed types word by word: the automaton and the definition agree, on random words of every
//! built-in type that is small, complete and as prefixes; and the comparison notices mistakes.
//!
//! Quick by default, with a fixed seed. `LINEAL_FULL=1` runs many more, from a fresh seed that is
//! printed; `LINEAL_SEED=n` repeats it.

use lineal_check::naive::quasi::Definition;
use lineal_check::replay::quasi::Asked;
use lineal_model::adt::quasi::seeded::{self, Mistake};
use lineal_model::adt::quasi::{Listed, Named, Operations, Relaxation, Semantics, relax};
use lineal_model::adt::{Adt, Kind, Object, Visit};
use lineal_model::history::{Builder, Call, History, Method, Op, Value, ValueId, Values};
use lineal_sweep::{full, seed};
use std::sync::Arc;

/// `enqueue`, `dequeue->empty`.
fn named(text: &str) -> Named {
    let (operation, answer) = match text.split_once("->") {
        None => (text, None),
        Some((name, answer)) => (
            name,
            Some(match answer {
                "empty" => Value::Empty,
                "true" => Value::Bool(true),
                "false" => Value::Bool(false),
                n => Value::Int(n.parse().unwrap()),
            }),
        ),
    };
    Named { operation: operation.into(), answer }
}

fn relaxation(kind: Kind, classes: &[(&[&str], i64)], semantics: Semantics) -> Relaxation {
    let listed: Vec<Listed> = classes
        .iter()
        .map(|(members, factor)| Listed {
            members: members.iter().map(|m| named(m)).collect(),
            factor: *factor,
        })
        .collect();
    relax(&listed, semantics, &Operations::Of(kind)).unwrap()
}

/// A word as a history without overlaps, so that types know its values. Of two arguments, the first is
/// the tens.
fn history(kind: Kind, word: &[Letter]) -> History {
    let mut builder = Builder::new();
    let keyed = matches!(kind, Kind::Map | Kind::Dictionary);
    for (method, arg, result) in word {
        let mut number = |n: i64| if n < 0 { ValueId::NONE } else { builder.values.int(n) };
        let call = Call::new(*method, ValueId::small(0));
        let call = match method {
            Method::Put => call.key(number(arg / 10)).arg(number(arg % 10)),
            Method::Cas => call.arg(number(arg / 10)).extra(number(arg % 10)),
            Method::Insert => call.arg(number(*arg)).extra(number(*arg)),
            _ if keyed => call.key(number(*arg)),
            _ => call.arg(number(*arg)),
        };
        let id = builder.call(call);
        builder.ret(id, *result);
    }
    builder.finish()
}

struct Run<'a>(&'a [Op]);

impl Visit for Run<'_> {
    /// Nothing: it was given up.
    type Out = Option<bool>;
    fn visit<A: Adt>(self, adt: &A) -> Option<bool> {
        let mut states = vec![adt.initial()];
        for op in self.0 {
            let mut next = Vec::new();
            for state in &states {
                adt.step(state, op, &mut next).ok()?;
            }
            let mut seen = std::collections::HashSet::new();
            next.retain(|s| seen.insert(s.clone()));
            states = next;
        }
        Some(!states.is_empty())
    }
}

struct Naive<'a> {
    kind: Kind,
    relaxation: &'a Relaxation,
    values: &'a Values,
    alphabet: &'a [Op],
    word: &'a [Op],
    longest: usize,
}

impl Visit for Naive<'_> {
    type Out = bool;
    fn visit<A: Adt>(self, adt: &A) -> bool {
        let Naive { kind, relaxation, values, alphabet, word, longest } = self;
        Definition { adt, kind, relaxation, values, alphabet, longest }.accepts(word)
    }
}

/// Words over an alphabet: the letters come first in the history, the word is made of them.
struct Words {
    object: Object,
    history: History,
    alphabet: Vec<Op>,
}

type Letter = (Method, i64, ValueId);

fn letters(kind: Kind) -> Vec<Letter> {
    use Method::*;
    let none = ValueId::NONE;
    let small = ValueId::small;
    let container = |values: i64| {
        let inserts = (1..=values).map(|v| (Insert, v, none));
        let removes = (1..=values).map(|v| (Remove, -1, small(v as u32)));
        inserts.chain(removes).chain([(Remove, -1, ValueId::EMPTY)]).collect()
    };
    match kind {
        Kind::Queue | Kind::Stack | Kind::Bag => container(3),
        Kind::PriorityQueue => container(2),
        Kind::Register => {
            vec![
                (Write, 1, none),
                (Write, 2, none),
                (Read, -1, small(0)),
                (Read, -1, small(1)),
                (Read, -1, small(2)),
            ]
        }
        Kind::Counter => vec![
            (Add, 1, none),
            (Add, 2, none),
            (Read, -1, small(0)),
            (Read, -1, small(1)),
            (Read, -1, small(2)),
            (Read, -1, small(3)),
        ],
        Kind::FetchIncrement => (0..5).map(|n| (FetchIncrement, -1, small(n))).collect(),
        Kind::Deque => {
            let pushes =
                [(PushFront, 1, none), (PushFront, 2, none), (PushBack, 1, none), (PushBack, 2, none)];
            let pops = [1, 2].into_iter().flat_map(|v| [(PopFront, -1, small(v)), (PopBack, -1, small(v))]);
            pushes
                .into_iter()
                .chain(pops)
                .chain([PopFront, PopBack].map(|m| (m, -1, ValueId::EMPTY)))
                .collect()
        }
        Kind::CasRegister => vec![
            (Write, 1, none),
            (Cas, 12, ValueId::TRUE),
            (Cas, 12, ValueId::FALSE),
            (Cas, 1, ValueId::TRUE),
            (Cas, 1, ValueId::FALSE),
            (Read, -1, small(0)),
            (Read, -1, small(1)),
            (Read, -1, small(2)),
        ],
        Kind::Map => vec![
            (Put, 11, none),
            (Put, 12, none),
            (Put, 21, none),
            (Read, 1, small(1)),
            (Read, 1, small(2)),
            (Read, 2, small(1)),
            (Read, 1, ValueId::NIL),
            (Read, 2, ValueId::NIL),
        ],
        Kind::Dictionary => vec![
            (Put, 11, none),
            (Put, 12, none),
            (Read, 1, small(1)),
            (Read, 1, small(2)),
            (Read, 1, ValueId::EMPTY),
            (Remove, 1, ValueId::TRUE),
            (Remove, 1, ValueId::FALSE),
            (Contains, 1, ValueId::TRUE),
            (Contains, 1, ValueId::FALSE),
        ],
        Kind::Set => [Insert, Remove, Contains]
            .into_iter()
            .flat_map(|m| [(m, 1, ValueId::TRUE), (m, 1, ValueId::FALSE)])
            .chain([(Insert, 2, ValueId::TRUE), (Insert, 2, ValueId::FALSE)])
            .chain([(Contains, 2, ValueId::TRUE), (Contains, 2, ValueId::FALSE)])
            .collect(),
        kind => panic!("no letters for {kind:?}"),
    }
}

impl Words {
    fn of(kind: Kind) -> Self {
        let history = history(kind, &letters(kind));
        let numbers = matches!(kind, Kind::Register | Kind::CasRegister);
        let start = if numbers { Value::Int(0) } else { Object::new(kind).init };
        let alphabet = history.ops().collect();
        Words { object: Object::new(kind).init(start), history, alphabet }
    }

    fn automaton(&self, relaxation: &Relaxation, word: &[Op]) -> Option<bool> {
        let object = Object { quasi: Some(Arc::new(relaxation.clone())), ..self.object.clone() };
        object.visit(&self.history, Run(word))
    }

    fn definition(&self, relaxation: &Relaxation, word: &[Op], longest: usize) -> bool {
        let (values, kind) = (&*self.history.values, self.object.kind);
        let naive = Naive { kind, relaxation, values, alphabet: &self.alphabet, word, longest };
        self.object.visit_exact(&self.history, naive)
    }

    fn any(&self, length: usize, random: &mut fastrand::Rng) -> Vec<Op> {
        (0..length).map(|_| self.alphabet[random.usize(..self.alphabet.len())]).collect()
    }

    /// A legal word of which a few neighbours have changed places, and perhaps the end is missing.
    fn shuffled(&self, length: usize, random: &mut fastrand::Rng) -> Vec<Op> {
        let mut word: Vec<Op> = Vec::new();
        for _ in 0..100 {
            word.extend(self.any(1, random));
            if self.object.visit_exact(&self.history, Run(&word)) == Some(false) {
                word.pop();
            }
            if word.len() == length + 1 {
                break;
            }
        }
        for _ in 0..random.usize(..4) {
            if word.len() > 1 {
                let i = random.usize(1..word.len());
                word.swap(i, i - 1);
            }
        }
        word.truncate(length);
        word
    }

    fn show(&self, word: &[Op]) -> String {
        word.iter().map(|op| self.object.show(op, &self.history.values)).collect::<Vec<_>>().join("; ")
    }
}

/// Operations and factors.
type Classes = Vec<(&'static [&'static str], i64)>;

/// Classes that words of the type are tried with, and how long a continuation they may need.
fn classes(kind: Kind) -> Vec<(Classes, usize)> {
    let mut all: Vec<(Classes, usize)> = vec![(vec![], 0)];
    let (adds, takes): (&'static [&'static str], &'static [&'static str]) = match kind {
        Kind::Queue => (&["enqueue"], &["dequeue"]),
        Kind::Stack => (&["push"], &["pop"]),
        Kind::Bag | Kind::PriorityQueue => (&["add"], &["remove"]),
        Kind::Register => (&["write"], &["read"]),
        Kind::Deque => (&["push-front", "push-back"], &["pop-front", "pop-back"]),
        Kind::CasRegister => (&["write", "cas"], &["read"]),
        Kind::Map => (&["put"], &["get"]),
        Kind::Dictionary => (&["put", "remove"], &["get", "contains"]),
        Kind::Counter => (&["add"], &["read"]),
        Kind::Set => (&["add", "remove"], &["contains"]),
        _ => (&["inc"], &["inc"]),
    };
    for k in 0..=2 {
        all.push((vec![(takes, k)], 2 * k as usize));
    }
    if kind == Kind::FetchIncrement {
        all.push((vec![(takes, 3)], 3));
        return all;
    }
    all.push((vec![(adds, 1)], 2));
    all.push((vec![(adds, 1), (takes, 1)], 4));
    match kind {
        Kind::Queue => {
            all.push((vec![(&["dequeue", "dequeue->empty"], 1)], 2));
            all.push((vec![(&["enqueue", "dequeue"], 1)], 2));
        }
        Kind::Stack => all.push((vec![(&["push", "pop", "pop->empty"], 1)], 2)),
        _ => {}
    }
    all
}

const KINDS: [Kind; 12] = [
    Kind::Queue,
    Kind::Stack,
    Kind::PriorityQueue,
    Kind::Bag,
    Kind::Set,
    Kind::Counter,
    Kind::Register,
    Kind::FetchIncrement,
    Kind::Deque,
    Kind::CasRegister,
    Kind::Map,
    Kind::Dictionary,
];

/// A word, and what it is held against.
struct Question<'w> {
    words: &'w Words,
    relaxation: Relaxation,
    word: Vec<Op>,
    /// How long continuations of it are at most.
    longest: usize,
}

impl<'w> Question<'w> {
    fn any(words: &'w Words, random: &mut fastrand::Rng) -> Self {
        let choices = classes(words.object.kind);
        let (listed, longest) = &choices[random.usize(..choices.len())];
        let semantics = match random.u8(..10) {
            0 => Semantics::Windows,
            1 | 2 => Semantics::Literal,
            _ => Semantics::Classes,
        };
        let relaxed = listed.iter().filter(|c| c.1 > 0).count();
        let semantics =
            if relaxed > 1 && semantics == Semantics::Windows { Semantics::Classes } else { semantics };
        let relaxation = relaxation(words.object.kind, listed, semantics);
        // Where classes drift apart, all that is taken out may be put in by the continuation.
        let literal = semantics == Semantics::Literal;
        let length = random.usize(1..=if literal { 3 } else { 6 });
        let word = match random.u8(..4) {
            0 => words.any(length, random),
            _ => words.shuffled(length, random),
        };
        Question { words, relaxation, word, longest: if literal { 4 } else { *longest } }
    }

    fn automaton(&self) -> Option<bool> {
        self.words.automaton(&self.relaxation, &self.word)
    }

    fn definition(&self) -> bool {
        self.words.definition(&self.relaxation, &self.word, self.longest)
    }

    fn show(&self) -> String {
        let Question { words, relaxation, word, .. } = self;
        format!(
            "{} {:?} {}: {}",
            words.object.word(),
            relaxation.semantics,
            relaxation.shown(),
            words.show(word)
        )
    }
}

#[test]
fn the_automaton_and_the_definition_agree() {
    let mut random = fastrand::Rng::with_seed(seed(16));
    let count = if full() { 400_000 } else { 10_000 };
    let words: Vec<Words> = KINDS.into_iter().map(Words::of).collect();
    let (mut accepted, mut apart) = (0, [0; 3]);
    for n in 0..count {
        let question = Question::any(&words[n % words.len()], &mut random);
        let ours = question.automaton();
        assert_eq!(ours, Some(question.definition()), "{}", question.show());
        accepted += usize::from(ours == Some(true));
        let exact = question.words.object.visit_exact(&question.words.history, Run(&question.word));
        apart[question.relaxation.semantics as usize] += usize::from(ours != exact);
    }
    println!("{count} words, {accepted} accepted; beyond the exact type by semantics: {apart:?}");
    assert!(accepted > count / 20 && apart.iter().all(|n| *n > 0));
}

/// Mistakes of the automaton are noticed by the comparison, in no more words than it makes.
#[test]
fn seeded_mistakes_are_noticed() {
    let words: Vec<Words> = KINDS.into_iter().map(Words::of).collect();
    for mistake in Mistake::ALL {
        let mut random = fastrand::Rng::with_seed(16);
        let noticed = (0..10_000).find(|n| {
            let question = Question::any(&words[n % words.len()], &mut random);
            // One that gets lost in what it should not try is noticed, too.
            let ours = seeded::with(mistake, || question.automaton());
            ours != Some(question.definition())
        });
        println!("{mistake:?}: noticed after {noticed:?} words");
        assert!(noticed.is_some(), "{mistake:?} goes unnoticed");
    }
}

/// What confirms violations goes by places instead of books, and says the same.
#[test]
fn confirmed_from_the_other_end() {
    let mut random = fastrand::Rng::with_seed(seed(61));
    let count = if full() { 100_000 } else { 6_000 };
    let words: Vec<Words> = KINDS.into_iter().map(Words::of).collect();
    let mut displaced = 0;
    for n in 0..count {
        let words = &words[n % words.len()];
        let choices = classes(words.object.kind);
        let (listed, _) = &choices[random.usize(..choices.len())];
        let semantics = if random.u8(..4) == 0 { Semantics::Literal } else { Semantics::Classes };
        let relaxation = relaxation(words.object.kind, listed, semantics);
        let length = random.usize(1..=6);
        let word = match random.u8(..4) {
            0 => words.any(length, &mut random),
            _ => words.shuffled(length, &mut random),
        };
        let asked = Asked { object: &words.object, relaxation: &relaxation, history: &words.history };
        let order = asked.explain(&word, &mut 1_000_000).expect("small words are settled");
        let shown =
            || format!("{} {semantics:?} {}: {}", words.object.word(), relaxation.shown(), words.show(&word));
        assert_eq!(words.automaton(&relaxation, &word), Some(order.is_some()), "{}", shown());
        for d in order.map_or(Vec::new(), |order| asked.displaced(&word, &order)) {
            let class = relaxation.class(&word[d.op], &words.history.values);
            let factor = class.map_or(0, |c| relaxation.classes[c].factor);
            assert!(d.by.unsigned_abs() <= u64::from(factor), "{}", shown());
            displaced += 1;
        }
    }
    println!("{count} words, {displaced} operations displaced");
    assert!(displaced > count / 20);
}
