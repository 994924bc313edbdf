//! The paper's procedures for priority queues, its examples, and the fast decider, side by side.

mod monitor_support;

use lineal_check::monitor::{self, Algorithm, Consistency, Problem};
use lineal_check::naive;
use lineal_check::naive::priority_queue::{Execution, check_conc, check_projections, check_seq};
use lineal_model::adt::{Kind, Object, Poset, Ties};
use lineal_model::history::{Call, History, Method, Op, TimedBuilder, Value, ValueId};
use lineal_model::{Effort, Unwatched};
use lineal_sweep::Choices;
use monitor_support::{draft, show, subjects};

fn fast(history: &History, object: &Object) -> bool {
    monitor::decide_parts(history, &Problem::new(history, object), &Effort::default(), &Unwatched)
        .violated()
        .is_none()
}

#[test]
fn the_papers_procedures_agree_with_every_order() {
    let full = lineal_sweep::full();
    let wanted = if full { 400_000 } else { 50_000 };
    let subjects: Vec<_> = subjects().into_iter().filter(|s| s.object.kind == Kind::PriorityQueue).collect();
    let mut random = Choices::new(17);
    let (mut holds, mut violated, mut sequential) = (0, 0, 0);
    while holds + violated < wanted {
        let subject = &subjects[random.below(subjects.len())];
        let spoil = if holds > violated { 95 } else { 30 };
        let history = draft(&subject.object, &mut random, 7, spoil).build(&mut random);
        let Some(execution) = Execution::new(&history, &subject.object) else { continue };
        let truth = naive::history::holds(&history, &subject.object, Consistency::Linearizable);
        let case = || show(&history, &subject.object);
        assert_eq!(fast(&history, &subject.object), truth, "fast, {}\n{}", subject.name, case());
        assert_eq!(check_conc(&execution), truth, "Check-PQ-Conc, {}\n{}", subject.name, case());
        assert_eq!(check_projections(&execution), truth, "NonRec, {}\n{}", subject.name, case());
        if history.ops().all(|op| op.ret == op.call + 1) {
            sequential += 1;
            assert_eq!(check_seq(&execution), truth, "Check-PQ-Seq, {}\n{}", subject.name, case());
        }
        *if truth { &mut holds } else { &mut violated } += 1;
    }
    println!("{} priority queue histories agree: {holds} hold, {violated} are violated", holds + violated);
    println!("{sequential} of them sequential");
    let share = violated as f64 / (holds + violated) as f64;
    assert!((0.3..=0.7).contains(&share));
}

#[test]
fn check_seq_agrees_on_sequential_executions() {
    let subjects: Vec<_> = subjects().into_iter().filter(|s| s.object.kind == Kind::PriorityQueue).collect();
    let mut random = Choices::new(18);
    let mut verdicts = [0, 0];
    while verdicts[0] + verdicts[1] < 4_000 {
        let subject = &subjects[random.below(subjects.len())];
        let mut sketch = draft(&subject.object, &mut random, 8, 50);
        // One after another, in order of their calls.
        let order: Vec<usize> = sketch.events.iter().filter(|e| !e.1).map(|e| e.0).collect();
        if sketch.ops.iter().any(|op| op.is_pending()) {
            continue;
        }
        sketch.events = order.into_iter().flat_map(|i| [(i, false), (i, true)]).collect();
        let history = sketch.build(&mut random);
        let Some(execution) = Execution::new(&history, &subject.object) else { continue };
        let truth = naive::history::holds(&history, &subject.object, Consistency::Linearizable);
        assert_eq!(check_seq(&execution), truth, "{}\n{}", subject.name, show(&history, &subject.object));
        verdicts[usize::from(truth)] += 1;
    }
    println!("sequential: {} hold, {} are violated", verdicts[1], verdicts[0]);
    assert!(verdicts.iter().all(|&v| v > 1_200));
}

/// `put(value, priority)` or `rm(value)` from one time to another.
enum Act {
    Put(u32, u32),
    Rm(u32),
    Empty,
}
use Act::{Empty, Put, Rm};

fn execution(ops: &[(Act, i64, i64)]) -> History {
    let mut builder = TimedBuilder::new();
    for (i, (act, call, ret)) in ops.iter().enumerate() {
        let process = ValueId::small(i as u32);
        let (call_of, result) = match act {
            Put(v, p) => {
                let call =
                    Call::new(Method::Insert, process).arg(ValueId::small(*v)).extra(ValueId::small(*p));
                (call, ValueId::NONE)
            }
            Rm(v) => (Call::new(Method::Remove, process), ValueId::small(*v)),
            Empty => (Call::new(Method::Remove, process), ValueId::EMPTY),
        };
        builder.push(call_of, result, (*call, *ret));
    }
    builder.finish(0)
}

fn sequence(acts: Vec<Act>) -> History {
    let ops: Vec<_> = acts.into_iter().zip((0..).step_by(2)).map(|(a, t)| (a, t, t + 1)).collect();
    execution(&ops)
}

fn queue(ties: Ties, pairs: &[(i64, i64)]) -> Object {
    let pairs: Vec<_> = pairs.iter().map(|(p, q)| (Value::Int(*p), Value::Int(*q))).collect();
    Object { ties, order: Some(Poset::new(&pairs).unwrap()), ..Object::new(Kind::PriorityQueue) }
}

#[track_caller]
fn check(history: &History, object: &Object, expected: bool) {
    let case = show(history, object);
    assert_eq!(naive::history::holds(history, object, Consistency::Linearizable), expected, "naive\n{case}");
    assert_eq!(fast(history, object), expected, "fast\n{case}");
    let x = Execution::new(history, object).expect("complete and differentiated");
    assert_eq!(check_conc(&x), expected, "Check-PQ-Conc\n{case}");
    assert_eq!(check_projections(&x), expected, "NonRec\n{case}");
    if history.ops().all(|op| op.ret == op.call + 1) {
        assert_eq!(check_seq(&x), expected, "Check-PQ-Seq\n{case}");
    }
}

const A: u32 = 1;
const B: u32 = 2;
const C: u32 = 3;
const D: u32 = 4;
const F: u32 = 5;

#[test]
fn sequence_one() {
    // p1 < p2, p1 < p3; p2 and p3 incomparable.
    let object = queue(Ties::Fifo, &[(1, 2), (1, 3)]);
    let acts = || vec![Put(C, 2), Put(A, 1), Rm(A), Rm(C), Empty, Put(D, 2), Put(F, 3), Rm(F), Put(B, 1)];
    check(&sequence(acts()), &object, true);
    // The steps (2) and (3) of its reduction.
    check(&sequence(acts().into_iter().filter(|a| !matches!(a, Empty)).collect()), &object, true);
    let third = acts().into_iter().filter(|a| !matches!(a, Empty | Put(D, _))).collect();
    check(&sequence(third), &object, true);
    // Were p2 below p3, f could not leave while d is inside; empty is wrong while c is.
    check(&sequence(acts()), &queue(Ties::Fifo, &[(1, 2), (2, 3)]), false);
    check(&sequence(vec![Put(C, 2), Put(A, 1), Rm(A), Empty, Rm(C)]), &object, false);
}

#[test]
fn introduction() {
    let total = queue(Ties::Fifo, &[(1, 2), (2, 3)]);
    check(&sequence(vec![Put(A, 1), Put(B, 3), Put(C, 2), Rm(A), Rm(C)]), &total, true);
    check(&sequence(vec![Put(A, 1), Put(B, 3), Put(C, 2), Rm(A), Rm(B)]), &total, false);
    check(&sequence(vec![Put(A, 2), Put(B, 1), Rm(B)]), &total, true);
    // Equal priorities leave first in, first out; renamed apart they need not.
    let twins = || sequence(vec![Put(A, 1), Put(B, 1), Rm(B), Rm(A)]);
    check(&twins(), &total, false);
    check(&twins(), &queue(Ties::Any, &[(1, 2), (2, 3)]), true);
}

/// Figure 1: x and x2 of priority p, y1 below both, z1 and z2 of p2, incomparable with p. The
/// linearization of the text, each operation stretched over its neighbours.
#[test]
fn figure_one() {
    let (x, x2, y1, z1, z2) = (1, 2, 3, 4, 5);
    let (p1, p, p2) = (1, 2, 3);
    let object = queue(Ties::Fifo, &[(1, 2), (1, 3)]);
    let order =
        [Put(z1, p2), Put(x2, p), Put(x, p), Put(z2, p2), Rm(x2), Put(y1, p1), Rm(y1), Rm(x), Rm(z1), Rm(z2)];
    let stretched: Vec<_> =
        order.into_iter().zip((0..).step_by(10)).map(|(a, t)| (a, t - 12, t + 12)).collect();
    let history = execution(&stretched);
    assert!(naive::history::holds(&history, &object, Consistency::Linearizable));
    assert!(fast(&history, &object));
}

/// Figure 2: b is covered by c, d and f, all of lower priorities.
#[test]
fn figure_two() {
    let object = queue(Ties::Fifo, &[(1, 4), (2, 4), (3, 4)]);
    let covered = |rm_f: i64| {
        execution(&[
            (Put(C, 1), 0, 10),
            (Put(B, 4), 20, 30),
            (Put(D, 2), 25, 50),
            (Rm(C), 60, 75),
            (Put(F, 3), 62, 70),
            (Rm(B), 40, 100),
            (Rm(D), 80, 95),
            (Rm(F), rm_f, rm_f + 10),
        ])
    };
    check(&covered(110), &object, false);
    // If f may leave in time, so may b.
    check(&covered(92), &object, true);
}

/// Figure 5: a entered before b, but every gap of b lies before rm(a) is called.
#[test]
fn figure_five() {
    let (a, b, c, d) = (1, 2, 3, 4);
    let fifo = queue(Ties::Fifo, &[(1, 4)]);
    let any = queue(Ties::Any, &[(1, 4)]);
    let history = execution(&[
        (Put(a, 4), 0, 5),
        (Put(b, 4), 10, 15),
        (Put(c, 1), 20, 30),
        (Rm(b), 18, 100),
        (Rm(c), 50, 56),
        (Put(d, 1), 54, 60),
        (Rm(a), 80, 120),
        (Rm(d), 110, 130),
    ]);
    check(&history, &fifo, false);
    check(&history, &any, true);
}

/// Lemma 15's chains: a before a1 by their puts, a1 before b by their removes, and the reverse.
#[test]
fn chains_of_three() {
    let (a, a1, b, c) = (1, 2, 3, 4);
    let fifo = queue(Ties::Fifo, &[(1, 4)]);
    let put_then_remove = execution(&[
        (Put(a, 4), 0, 5),
        (Put(a1, 4), 10, 15),
        (Put(b, 4), 2, 16),
        (Rm(a1), 20, 25),
        (Rm(b), 30, 35),
        (Rm(a), 40, 45),
    ]);
    check(&put_then_remove, &fifo, false);
    let remove_then_put = execution(&[
        (Put(a, 4), 0, 12),
        (Put(a1, 4), 1, 8),
        (Put(b, 4), 10, 14),
        (Put(c, 1), 24, 26),
        (Rm(a), 16, 30),
        (Rm(a1), 32, 60),
        (Rm(b), 18, 40),
        (Rm(c), 50, 55),
    ]);
    check(&remove_then_put, &fifo, false);
}

/// A removed value that comes with its priority: the deciders and every order agree on what that says.
#[test]
fn priorities_that_come_back() {
    let full = lineal_sweep::full();
    let mut random = Choices::new(22);
    let mut tally = [0; 3];
    for subject in subjects().iter().filter(|s| s.object.kind == Kind::PriorityQueue) {
        for _ in 0..if full { 40_000 } else { 2_000 } {
            let mut sketch = draft(&subject.object, &mut random, 8, 30);
            let put = sketch.ops.clone();
            for op in sketch.ops.iter_mut().filter(|o| o.method == Method::Remove && !o.is_pending()) {
                let own = put.iter().find(|p| p.method == Method::Insert && p.arg == op.result);
                match random.below(10) {
                    0..4 => op.extra = own.map_or(ValueId::NONE, |p| p.extra),
                    4 => op.extra = ValueId::small(random.below(4) as u32),
                    _ => {}
                }
                if op.result == ValueId::EMPTY {
                    op.extra = ValueId::NONE;
                }
            }
            let mut history = sketch.build(&mut random);
            // What came back is known with the return, and a builder takes it with the call.
            let ops: Vec<_> = history
                .ops()
                .map(|op| {
                    if op.is_pending() && op.method == Method::Remove {
                        Op { extra: ValueId::NONE, ..op }
                    } else {
                        op
                    }
                })
                .collect();
            history = history.with_ops(ops);
            let truth = naive::history::holds(&history, &subject.object, Consistency::Linearizable);
            for algorithm in [Algorithm::Auto, Algorithm::Search] {
                let problem = Problem { algorithm, ..Problem::new(&history, &subject.object) };
                let said = monitor::decide_parts(problem.history, &problem, &Effort::default(), &Unwatched)
                    .violated()
                    .is_none();
                assert_eq!(
                    said,
                    truth,
                    "{} {algorithm:?}\n{}",
                    subject.name,
                    show(&history, &subject.object)
                );
            }
            tally[usize::from(truth)] += 1;
            tally[2] +=
                usize::from(history.ops().any(|o| o.method == Method::Remove && o.extra != ValueId::NONE));
        }
    }
    println!("{} hold, {} are violated; {} with a priority that came back", tally[1], tally[0], tally[2]);
    assert!(tally.iter().all(|&n| n > 1_000), "{tally:?}");
}
