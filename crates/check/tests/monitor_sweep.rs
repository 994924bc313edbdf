//! Random histories of every type against the exhaustive decider.
//!
//! 340,000 histories by default, with a fixed seed. `LINEAL_FULL=1` runs two million with a fresh seed
//! (or that of `LINEAL_SEED`), which it prints.

mod monitor_support;

use lineal_check::monitor::{self, Algorithm, Answer, Consistency, Method, Partition, Problem, stream};
use lineal_check::naive;
use lineal_check::seeded::{self, Bug};
use lineal_model::adt::Object;
use lineal_model::history::{Call, Events, History, ValueId};
use lineal_model::{Effort, Unwatched};
use lineal_sweep::{Choices, full, smallest};
use monitor_support::{Subject, draft, show, subjects};

fn engine(problem: &Problem) -> (bool, bool) {
    let checked = monitor::decide_parts(problem.history, problem, &Effort::default(), &Unwatched);
    assert!(checked.unknown().is_none(), "nothing limits the search");
    let fast = checked.parts.iter().all(|p| p.decision.as_ref().is_none_or(|d| d.method == Method::Fast));
    (checked.violated().is_none(), fast)
}

#[derive(Default)]
struct Tally {
    holds: usize,
    violated: usize,
    fast: usize,
    pending: usize,
}

fn seed() -> u64 {
    lineal_sweep::seed(20_261_115)
}

/// Compares every way of asking with the exhaustive decider.
fn compare(history: &History, object: &Object, sequential: bool) -> Result<(bool, bool), String> {
    let truth = naive::history::holds(history, object, Consistency::Linearizable);
    let problem = Problem::new(history, object);
    let (auto, fast) = engine(&problem);
    let same = |said: bool, truth: bool, who: &str| match said == truth {
        true => Ok(()),
        false => Err(format!("{who} says {said} instead of {truth} on {object:?}")),
    };
    same(auto, truth, if fast { "the fast decider" } else { "auto" })?;
    let (search, _) = engine(&Problem { algorithm: Algorithm::Search, ..problem });
    same(search, truth, "the search")?;
    let (whole, _) = engine(&Problem { partition: Partition::Whole, ..problem });
    same(whole, truth, "the undivided search")?;
    if sequential && !history.is_keyed() {
        let truth = naive::history::holds(history, object, Consistency::Sequential);
        let (sequential, _) = engine(&Problem { consistency: Consistency::Sequential, ..problem });
        same(sequential, truth, "sequential")?;
    }
    Ok((truth, fast))
}

/// The same; a difference is reported on a small history, made as this one was.
fn compared(
    history: &History,
    object: &Object,
    sequential: bool,
    made: &[u64],
    generate: impl Fn(&mut Choices) -> History,
) -> (bool, bool) {
    compare(history, object, sequential).unwrap_or_else(|_| {
        let wrong = |history: &History| compare(history, object, sequential).err();
        panic!("{}", smallest(made, generate, |history| show(history, object), wrong))
    })
}

fn sweep(subject: &Subject, count: usize, random: &mut Choices) -> Tally {
    let mut tally = Tally::default();
    for i in 0..count {
        // Types differ in how much spoiling they take to fail: steer towards the middle.
        let spoil = if 2 * tally.violated < i { 95 } else { 40 };
        let generate = |random: &mut Choices| draft(&subject.object, random, 9, spoil).build(random);
        random.begin();
        let history = generate(random);
        let (truth, fast) = compared(&history, &subject.object, i % 4 == 0, random.made(), generate);
        *if truth { &mut tally.holds } else { &mut tally.violated } += 1;
        tally.fast += usize::from(fast);
        tally.pending += usize::from(history.pending() > 0);
    }
    tally
}

#[test]
fn deciders_agree_with_every_order() {
    let subjects = subjects();
    let count = if full() { 120_000 } else { 20_000 };
    let seed = seed();
    println!("seed {seed}");
    println!(
        "{:26} {:>8} {:>8} {:>9} {:>8} {:>8}",
        "type", "holds", "violated", "% violated", "fast", "pending"
    );
    let mut total = 0;
    for (i, subject) in subjects.iter().enumerate() {
        let t = sweep(subject, count, &mut Choices::new(seed.wrapping_add(i as u64 * 0x1234_5678_9abc)));
        let share = 100.0 * t.violated as f64 / count as f64;
        println!(
            "{:26} {:8} {:8} {share:9.1} {:8} {:8}",
            subject.name, t.holds, t.violated, t.fast, t.pending
        );
        assert!((30.0..=70.0).contains(&share), "{}: too many of one verdict to be worth much", subject.name);
        total += count;
    }
    println!("{total} histories, no disagreement");
}

/// Coarse and skewed clocks: operations of one process overlap, so that their order is open.
#[test]
fn deciders_agree_where_stamps_tie() {
    let count = if full() { 40_000 } else { 4_000 };
    for (n, subject) in subjects().iter().enumerate() {
        let mut random = Choices::new(seed().wrapping_add(n as u64 * 0x1_0000_0001));
        let (mut violated, mut overlapping) = (0, 0);
        for i in 0..count {
            let spoil = if 2 * violated < i { 95 } else { 40 };
            let generate = |random: &mut Choices| draft(&subject.object, random, 8, spoil).build_tied(random);
            random.begin();
            let history = generate(&mut random);
            let (truth, _) = compared(&history, &subject.object, i % 4 == 0, random.made(), generate);
            violated += usize::from(!truth);
            overlapping += usize::from(overlaps(&history));
            if stream::streams(subject.object.kind)
                && let Some(answer) = streamed(&history, &subject.object, &mut random)
            {
                assert_eq!(answer, truth, "streaming {}\n{}", subject.name, show(&history, &subject.object));
            }
        }
        println!("{:26} violated {violated} of {count}, overlapping {overlapping}", subject.name);
        assert!(violated > count / 10 && violated < count * 9 / 10, "{}", subject.name);
        assert!(overlapping > count / 4, "{}", subject.name);
    }
}

/// Whether some process goes on before its last operation has returned.
fn overlaps(history: &History) -> bool {
    let ops: Vec<_> = history.ops().collect();
    let both = |i: usize, j: usize| ops[i].process == ops[j].process && ops[i].ret > ops[j].call;
    (0..ops.len()).any(|j| (0..j).any(|i| !ops[i].is_pending() && both(i, j)))
}

/// Feeds a history to the streaming decider, event by event.
fn streamed(history: &History, object: &Object, random: &mut Choices) -> Option<bool> {
    let init = history.values.find(&object.init).unwrap_or(ValueId::NONE);
    let mut stream = stream::Stream::new(object, init);
    let mut stopped = false;
    for (i, is_return) in history.timeline() {
        let (op, id) = (history.op(i as usize), u64::from(i));
        let flow = if is_return {
            stream.ret(id, op.result)
        } else {
            let call = Call { key: op.key, line: op.line, ..Call::new(op.method, op.process).arg(op.arg) };
            let flow = stream.call(id, &call);
            // Some logs say that an operation is lost, some do not.
            if flow.is_continue() && op.is_pending() && random.chance(50) { stream.lost(id) } else { flow }
        };
        stopped |= flow.is_break();
        if stopped {
            break;
        }
    }
    match stream.finish().0 {
        Answer::Holds => Some(true),
        Answer::Violated(_) => Some(false),
        Answer::Unknown(_) => None,
    }
}

#[test]
fn streaming_agrees_where_it_answers() {
    let count = if full() { 100_000 } else { 8_000 };
    for subject in subjects().iter().filter(|s| stream::streams(s.object.kind) && s.name != "kv, appends") {
        let mut random = Choices::new(seed());
        let (mut verdicts, mut unknown) = ([0, 0], 0);
        for i in 0..count {
            let spoil = if 2 * verdicts[0] < i { 95 } else { 40 };
            let history = draft(&subject.object, &mut random, 9, spoil).build(&mut random);
            let truth = naive::history::holds(&history, &subject.object, Consistency::Linearizable);
            match streamed(&history, &subject.object, &mut random) {
                None => unknown += 1,
                Some(answer) => {
                    assert_eq!(
                        answer,
                        truth,
                        "streaming {}\n{}",
                        subject.name,
                        show(&history, &subject.object)
                    );
                    verdicts[usize::from(truth)] += 1;
                }
            }
        }
        println!(
            "{:20} holds {}, violated {}, beyond streaming {unknown}",
            subject.name, verdicts[1], verdicts[0]
        );
        assert!(verdicts.iter().all(|&v| v > count / 5), "{}", subject.name);
    }
}

/// A read that is still open may turn out to answer a second write of its value; streaming once
/// took it for a sign that the value written in between was over.
#[test]
fn an_open_read_proves_nothing() {
    use lineal_model::history::Method::{Read, Write};
    let (one, two) = (ValueId::small(1), ValueId::small(2));
    let object = lineal_model::adt::Object::new(lineal_model::adt::Kind::Register);
    let mut stream = stream::Stream::new(&object, ValueId::NONE);
    // Calls (operation, method, argument) and returns (operation, result).
    let log = [
        (0, Some((Write, two))),
        (1, Some((Read, two))),
        (1, None),
        (2, Some((Read, two))),
        (0, None),
        (3, Some((Write, one))),
        (3, None),
        (4, Some((Read, two))),
        (2, None),
        (5, Some((Read, one))),
        (5, None),
        (6, Some((Write, two))),
        (4, None),
        (6, None),
    ];
    let mut answers = std::collections::BTreeMap::new();
    for (id, event) in log {
        let flow = match event {
            Some((Read, value)) => {
                answers.insert(id, value);
                stream.call(id, &Call::new(Read, ValueId::NONE))
            }
            Some((method, value)) => stream.call(id, &Call::new(method, ValueId::NONE).arg(value)),
            None => stream.ret(id, answers.get(&id).copied().unwrap_or(ValueId::NONE)),
        };
        if flow.is_break() {
            break;
        }
    }
    assert!(!matches!(stream.finish().0, Answer::Violated(_)));
}

/// Whether the sweep notices the bug within so many histories of this type.
fn noticed(bug: Bug, subject: &Subject, count: usize) -> Option<usize> {
    let mut random = Choices::new(99);
    (0..count).find(|_| {
        let history = draft(&subject.object, &mut random, 9, 75).build(&mut random);
        let truth = naive::history::holds(&history, &subject.object, Consistency::Linearizable);
        seeded::with(bug, || {
            let problem = Problem::new(&history, &subject.object);
            let search = Problem { algorithm: Algorithm::Search, ..problem };
            engine(&problem).0 != truth || engine(&search).0 != truth
        })
    })
}

#[test]
fn seeded_bugs_are_noticed() {
    let subjects = subjects();
    let cases = [
        (Bug::QueueForgetsMaximum, "queue"),
        (Bug::EmptyForgetsUnremoved, "queue"),
        (Bug::EmptyForgetsUnremoved, "stack"),
        (Bug::StackIgnoresPop, "stack"),
        (Bug::PriorityTiesCover, "pq, any, max"),
        (Bug::PriorityForgetsFifo, "pq, fifo, min"),
        (Bug::PosetAsTotal, "pq, fifo, poset V"),
        (Bug::SetFlipsByLatest, "set"),
        (Bug::RegisterForgetsBackward, "register"),
        (Bug::RegisterForgetsBackward, "kv"),
        (Bug::FetchIgnoresMissing, "fai"),
        (Bug::MutexDropsCrashedRelease, "mutex"),
        (Bug::BagForgetsOrder, "bag"),
        (Bug::DropsPendingRemoves, "queue"),
        (Bug::PendingBeforeCall, "queue"),
        (Bug::PendingBeforeCall, "stack"),
        (Bug::SearchForgetsState, "cas-register"),
        (Bug::SearchCommitsWrites, "deque"),
    ];
    for (bug, name) in cases {
        let subject = subjects.iter().find(|s| s.name == name).unwrap();
        let after = noticed(bug, subject, 20_000);
        println!("{bug:?} on {name}: noticed after {after:?} histories");
        assert!(after.is_some(), "{bug:?} slipped through on {name}");
    }
}

#[test]
fn an_answer_is_unknown_rather_than_wrong_under_a_tiny_budget() {
    let mut random = Choices::new(5);
    let effort = Effort { max_states: Some(1), ..Effort::default() };
    for subject in subjects() {
        for _ in 0..100 {
            let history = draft(&subject.object, &mut random, 9, 75).build(&mut random);
            let truth = naive::history::holds(&history, &subject.object, Consistency::Linearizable);
            let checked = monitor::decide_parts(
                &history,
                &Problem::new(&history, &subject.object),
                &effort,
                &Unwatched,
            );
            for part in checked.parts.iter().filter_map(|p| p.decision.as_ref()) {
                match part.answer {
                    Answer::Holds => {}
                    Answer::Violated(_) => assert!(!truth),
                    Answer::Unknown(_) => {}
                }
            }
            assert!(checked.violated().is_none() || !truth);
        }
    }
}
