//! The definitions of the types agree with themselves: what may be answered with no result recorded
//! is what may be answered with each, and what is said to read leaves the state alone.

mod monitor_support;

use lineal_model::adt::{Adt, Kind, Object, Visit};
use lineal_model::history::{History, Op, ValueId};
use lineal_sweep::Choices;
use monitor_support::{Subject, draft, subjects};

struct Walk<'a> {
    history: &'a History,
    random: &'a mut Choices,
}

impl Visit for Walk<'_> {
    /// Outcomes with an answer, and without one.
    type Out = [usize; 2];

    fn visit<A: Adt>(self, adt: &A) -> [usize; 2] {
        let outcomes = |state: &A::State, op: &Op| {
            let mut all = Vec::new();
            adt.outcomes(state, op, |answer, after| all.push((answer, after))).unwrap();
            all
        };
        let mut told = [0; 2];
        let mut state = adt.initial();
        for _ in 0..2 * self.history.len() {
            let op = self.history.op(self.random.below(self.history.len()));
            let any = outcomes(&state, &Op { result: ValueId::NONE, ..op });
            for &(answer, _) in &any {
                told[usize::from(answer == ValueId::NONE)] += 1;
                let exact = Op { result: answer, ..op };
                let such: Vec<_> = any.iter().filter(|o| o.0 == answer).cloned().collect();
                let found = outcomes(&state, &exact);
                assert!(found == such, "{exact:?} in {}", adt.show(&state));
                if adt.is_read(&exact) {
                    assert!(found.iter().all(|o| o.1 == state), "{exact:?} in {}", adt.show(&state));
                }
            }
            // Whatever was recorded is answered if it may be, and nothing else is.
            let wanted = |answer| op.result == ValueId::NONE || answer == op.result;
            let mut states = Vec::new();
            adt.step(&state, &op, &mut states).unwrap();
            let such: Vec<A::State> = any.iter().filter(|o| wanted(o.0)).map(|o| o.1.clone()).collect();
            assert!(states == such, "{op:?} in {}", adt.show(&state));
            if !any.is_empty() {
                state = any[self.random.below(any.len())].1.clone();
            }
        }
        told
    }
}

#[test]
fn all_answers_are_those_of_each() {
    let mut subjects = subjects();
    subjects.push(Subject { name: "try-lock", object: Object::new(Kind::TryLock) });
    subjects.push(Subject { name: "rw-lock", object: Object::new(Kind::RwLock) });
    let sized = |kind, size| Object { size: Some(size), ..Object::new(kind) };
    subjects.push(Subject { name: "semaphore", object: sized(Kind::Semaphore, 1) });
    subjects.push(Subject { name: "barrier", object: sized(Kind::Barrier, 1) });
    subjects.push(Subject { name: "queue of two", object: sized(Kind::Queue, 2) });
    subjects.push(Subject { name: "stack of two", object: sized(Kind::Stack, 2) });
    subjects.push(Subject { name: "deque of two", object: sized(Kind::Deque, 2) });
    subjects.push(Subject { name: "bag of two", object: sized(Kind::Bag, 2) });
    subjects.push(Subject { name: "pq of two", object: sized(Kind::PriorityQueue, 2) });
    subjects.push(Subject { name: "dictionary", object: Object::new(Kind::Dictionary) });
    for (i, Subject { name, object }) in subjects.iter().enumerate() {
        let mut random = Choices::new(20_261_116 + i as u64);
        let mut told = [0; 2];
        for _ in 0..400 {
            let history = draft(object, &mut random, 9, 50).build(&mut random);
            if history.is_empty() {
                continue;
            }
            let walk = Walk { history: &history, random: &mut random };
            let more = object.visit(&history, walk);
            told = [told[0] + more[0], told[1] + more[1]];
        }
        println!("{name}: {} outcomes with an answer, {} without", told[0], told[1]);
        assert!(told[0] + told[1] > 1_000, "{name}: {told:?}");
    }
}
