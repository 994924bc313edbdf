//! What is said about violations is true: witnesses are wrong by themselves, prefixes are the
//! longest, orders are legal; and changes that cannot hurt do not.

mod monitor_support;

use lineal_check::monitor::{self, Answer, Consistency, Problem, Shrink};
use lineal_check::naive;
use lineal_model::adt::{Kind, Object};
use lineal_model::history::{History, Op, ValueId};
use lineal_model::{Effort, Unwatched};
use lineal_sweep::Choices;
use monitor_support::{Draft, draft, show, subjects};

fn holds(history: &History, object: &Object) -> bool {
    naive::history::holds(history, object, Consistency::Linearizable)
}

#[test]
fn explanations_are_true() {
    let mut random = Choices::new(3);
    let mut explained = 0;
    let (mut before, mut after) = (0, 0);
    for subject in subjects() {
        for _ in 0..if lineal_sweep::full() { 8_000 } else { 800 } {
            let history = draft(&subject.object, &mut random, 9, 90).build(&mut random);
            let problem = Problem::new(&history, &subject.object);
            let checked = monitor::decide_parts(problem.history, &problem, &Effort::default(), &Unwatched);
            let Some(part) = checked.violated() else { continue };
            let Some(Answer::Violated(conflict)) = part.decision.as_ref().map(|d| &d.answer) else {
                panic!()
            };
            let own = Problem { history: &part.history, ..problem };
            let case = || format!("{}\n{}", subject.name, show(&part.history, &subject.object));
            // The conflict is wrong by itself.
            let alone = part.history.restrict(&conflict.ops);
            assert!(!holds(&alone, &subject.object), "conflict {:?} of {}", conflict.ops, case());
            let e = monitor::explain(&own, conflict, Shrink::Yes, &Unwatched);
            let minimal = e.minimal.as_ref().unwrap_or_else(|| panic!("not shrunk: {}", case()));
            assert!(minimal.complete);
            (before, after) = (before + part.history.len(), after + minimal.ops.len());
            // The prefix holds, and one event more does not.
            let (events, stuck) = e.prefix.unwrap();
            assert!(holds(&part.history.prefix(events), &subject.object), "prefix {events} of {}", case());
            assert!(
                !holds(&part.history.prefix(events + 1), &subject.object),
                "prefix {events} + 1 of {}",
                case()
            );
            assert_eq!(part.history.op(stuck as usize).ret, events);
            // The order is legal: a history of just these, one after another, holds.
            let in_order: Vec<u32> = e.order.iter().map(|o| o.0).collect();
            assert!(in_order.iter().all(|op| e.ops.contains(op)));
            let seen = part.history.prefix(events + 1);
            let one_by_one = in_order.iter().zip(0..).map(|(&i, n)| {
                let op = seen.op(i as usize);
                Op { call: 2 * n, ret: 2 * n + 1, ..op }
            });
            assert!(holds(&seen.with_ops(one_by_one), &subject.object), "order {in_order:?} of {}", case());
            explained += 1;
        }
    }
    println!("{explained} violations explained; {before} operations shrunk to {after}");
    assert!(explained > 2_000);
}

/// Longer returns, further pending operations and fewer values never spoil a history that holds.
#[test]
fn harmless_changes_do_no_harm() {
    let mut random = Choices::new(4);
    let engine = |h: &History, o: &Object| {
        monitor::decide_parts(h, &Problem::new(h, o), &Effort::default(), &Unwatched).violated().is_none()
    };
    let mut tried = [0; 3];
    for subject in subjects() {
        for _ in 0..1_500 {
            let sketch = draft(&subject.object, &mut random, 8, 50);
            let mut again = Choices::new(random.below(1 << 30) as u64);
            let build = |d: &Draft, r: &mut Choices| d.build(r);
            let history = build(&sketch, &mut again);
            if !engine(&history, &subject.object) {
                continue;
            }
            let case = |h: &History| {
                format!(
                    "{}\n{}became\n{}",
                    subject.name,
                    show(&history, &subject.object),
                    show(h, &subject.object)
                )
            };
            // A return is delayed.
            let mut later = sketch.clone();
            if let Some(at) = (0..later.events.len()).find(|&i| later.events[i].1 && random.chance(40)) {
                let event = later.events.remove(at);
                let room = later.events.len() - at;
                later.events.insert(at + random.below(room + 1), event);
                let changed = build(&later, &mut random);
                // Two operations of one process would overlap; locks belong to processes.
                if subject.object.kind != Kind::Mutex {
                    assert!(engine(&changed, &subject.object), "delay: {}", case(&changed));
                    tried[0] += 1;
                }
            }
            // Another call is made and never returns.
            let mut more = sketch.clone();
            if let Some(model) = more.ops.first().copied() {
                let extra =
                    Op { process: ValueId::small(77), result: ValueId::NONE, ret: Op::PENDING, ..model };
                more.ops.push(extra);
                let at = random.below(more.events.len() + 1);
                more.events.insert(at, (more.ops.len() - 1, false));
                let changed = build(&more, &mut random);
                assert!(engine(&changed, &subject.object), "pending: {}", case(&changed));
                tried[1] += 1;
            }
            // A value of a container is taken out altogether; who removed it must be known.
            let told = |op: Op| op.is_pending() || op.arg != ValueId::NONE || op.result != ValueId::NONE;
            if matches!(
                subject.object.kind,
                Kind::Queue | Kind::Stack | Kind::Bag | Kind::PriorityQueue | Kind::Deque
            ) && history.ops().all(told)
            {
                let value = ValueId::small(1 + random.below(4) as u32);
                let keep: Vec<u32> = (0..history.len() as u32)
                    .filter(|&i| {
                        let op = history.op(i as usize);
                        op.arg != value && op.result != value
                    })
                    .collect();
                let changed = history.restrict(&keep);
                assert!(engine(&changed, &subject.object), "projection: {}", case(&changed));
                tried[2] += 1;
            }
        }
    }
    println!("{} delays, {} pending calls, {} projections", tried[0], tried[1], tried[2]);
    assert!(tried.iter().all(|&n| n > 1_000));
}
