//! One small program per kind of verdict.

use crate::script::{At::*, Ins, Ins::*, Script, Val::*};
use lineal_check::graph::{Options, Problem, check, replay};
use lineal_model::run::Cause;
use lineal_model::run::Mode::*;
use lineal_model::{Counter, Effort, Finding, LimitKind, Memory, Scope, Unwatched, Verdict, Witness};

const ALL: [Memory; 4] = [Memory::Sc, Memory::Tso, Memory::Ra, Memory::Rc11];

fn run(script: &Script, memory: Memory, options: Options) -> Finding {
    let mut script = script.clone();
    let mut problem = Problem { program: &mut script, memory, options };
    check(&mut problem, &Effort::default(), &Unwatched)
}

#[track_caller]
fn holds(script: &Script, memory: Memory, options: Options) -> Scope {
    match run(script, memory, options).verdict {
        Verdict::Holds(scope) => scope,
        other => panic!("{memory}: {other:#?}"),
    }
}

/// Fails in this way; and the token leads back to it.
#[track_caller]
fn violated(script: &Script, memory: Memory, options: Options, kind: &str) -> Witness {
    match run(script, memory, options.clone()).verdict {
        Verdict::Violated(w) => {
            assert_eq!(w.kind.word(), kind, "{memory}: {w:#?}");
            let mut script = script.clone();
            let mut problem = Problem { program: &mut script, memory, options };
            let again = replay(&mut problem, w.replay.as_ref().unwrap()).unwrap();
            assert!(matches!(again.verdict, Verdict::Violated(a) if a.kind.word() == kind));
            *w
        }
        other => panic!("{memory}: {other:#?}"),
    }
}

fn alone(code: Vec<Ins>) -> Script {
    Script { bodies: vec![code], initial: vec![], copyable: true }
}

fn texts(w: &Witness) -> Vec<String> {
    w.steps.iter().map(|s| format!("{}: {}", s.thread, s.what)).collect()
}

#[test]
fn memory_errors_of_one_thread() {
    let make = Alloc { reg: 0, cells: 2, zeroed: false };
    let set = Store(Heap(0, 0), Imm(5), NonAtomic);
    let get = |k| Load(1, Heap(0, k), NonAtomic);
    for memory in ALL {
        let none = Options::default;
        holds(&alone(vec![make, set, get(0), Free(0)]), memory, none());
        violated(&alone(vec![make, set, get(1), Free(0)]), memory, none(), "uninitialised");
        violated(&alone(vec![make, set, Free(0), get(0)]), memory, none(), "use-after-free");
        violated(&alone(vec![make, Free(0), Free(0)]), memory, none(), "double-free");
        violated(&alone(vec![make, Set(0, Plus(0, 8)), Free(0)]), memory, none(), "invalid-free");
        violated(&alone(vec![Set(0, Imm(3 << 40)), get(0)]), memory, none(), "invalid-pointer");
        violated(&alone(vec![Set(0, Imm(7)), Join(0)]), memory, none(), "invalid-pointer");
        holds(&alone(vec![make, set]), memory, none());
        violated(&alone(vec![make, set]), memory, Options { leaks: true, ..none() }, "leak");
    }
}

#[test]
fn freed_under_another_threads_hands() {
    let publish = |mode| {
        let make = Alloc { reg: 0, cells: 1, zeroed: true };
        vec![make, Store(Global(0), Reg(0), mode)]
    };
    let user = vec![Load(0, Global(0), Acquire), IfEq(0, 0, 3), Load(1, Heap(0, 0), NonAtomic)];
    let mut freer = publish(Release);
    freer.push(Free(0));
    for memory in ALL {
        violated(
            &Script::parallel(vec![freer.clone(), user.clone()]),
            memory,
            Options::default(),
            "use-after-free",
        );
        holds(&Script::parallel(vec![publish(Release), user.clone()]), memory, Options::default());
        let relaxed = Script::parallel(vec![publish(Relaxed), user.clone()]);
        match memory {
            Memory::Sc | Memory::Tso => drop(holds(&relaxed, memory, Options::default())),
            // The allocation does not happen before the use.
            _ => drop(violated(&relaxed, memory, Options::default(), "race")),
        }
    }
}

#[test]
fn witnesses_show_only_what_matters() {
    let script = Script::parallel(vec![
        vec![Store(Global(2), Imm(9), Relaxed), Load(0, Global(2), Relaxed)],
        vec![Store(Global(0), Imm(1), Relaxed)],
        vec![Load(0, Global(0), Relaxed), AssertNe(0, 1)],
    ]);
    let w = violated(&script, Memory::Sc, Options::default(), "assertion");
    let steps = [
        "0: create thread 1 (body1)",
        "0: create thread 2 (body2)",
        "0: create thread 3 (body3)",
        "2: g0 = 1",
        "3: read g0 → 1",
    ];
    assert_eq!(texts(&w), steps);
    assert_eq!(w.steps[4].reads_from, Some(3));
    assert!(w.steps[4].guilty && !w.steps[3].guilty);
    assert_eq!(w.threads, ["body0", "body1", "body2", "body3"]);
}

#[test]
fn stale_reads_say_so() {
    // Message passing without synchronisation: the data is read stale.
    let script = Script::parallel(vec![
        vec![Store(Global(0), Imm(1), Relaxed), Store(Global(1), Imm(1), Relaxed)],
        vec![Load(0, Global(1), Relaxed), IfEq(0, 0, 4), Load(1, Global(0), Relaxed), AssertNe(1, 0)],
    ]);
    let w = violated(&script, Memory::Rc11, Options::default(), "assertion");
    let last = w.steps.last().unwrap();
    assert_eq!(last.what, "read g0 → 0 (relaxed)");
    assert!(last.remark.starts_with("stale: step"), "{}", last.remark);
    holds(&script, Memory::Sc, Options::default());
    holds(&script, Memory::Tso, Options::default());
}

/// Pushes onto a stack: the node's link is written anew in each try, but nobody sees it.
#[test]
fn private_writes_do_not_keep_a_loop_alive() {
    let push = |weak| {
        vec![
            Alloc { reg: 0, cells: 1, zeroed: false },
            Head(1),
            Load(1, Global(0), Acquire),
            Store(Heap(0, 0), Reg(1), NonAtomic),
            Cas {
                ok: 2,
                old: 1,
                at: Global(0),
                expected: Reg(1),
                desired: Reg(0),
                mode: Release,
                fail: Relaxed,
                weak,
            },
            IfNe(2, 0, 9),
            Set(1, Imm(0)),
            Set(2, Imm(0)),
            Jump(1),
        ]
    };
    for memory in ALL {
        for weak in [false, true] {
            let finding = run(&Script::parallel(vec![push(weak); 3]), memory, Options::default());
            assert!(matches!(finding.verdict, Verdict::Holds(_)), "{memory}: {:?}", finding.verdict);
            assert!(finding.stats.executions >= 6, "{memory}: {:?}", finding.stats);
        }
    }
}

#[test]
fn bounds_are_in_the_scope() {
    // Three rounds, then out.
    let code = vec![Head(1), Add(0, Global(0), Imm(1), Relaxed), IfEq(0, 3, 5), Set(0, Imm(0)), Jump(0)];
    let scope = holds(&alone(code.clone()), Memory::Sc, Options { unroll: Some(10), ..Options::default() });
    assert_eq!((scope.bounds.len(), scope.bounds[0].cut), (1, 0));
    let finding = run(&alone(code.clone()), Memory::Sc, Options { unroll: Some(2), ..Options::default() });
    match finding.verdict {
        Verdict::Unknown(limit) => assert_eq!(limit.kind, LimitKind::Loop),
        other => panic!("{other:?}"),
    }
    assert_eq!(finding.stats.more[&Counter::Blocked(Cause::Bound)], 1);
    // Somebody else may let it out earlier.
    let mut early = Script::parallel(vec![code, vec![Store(Global(0), Imm(3), Relaxed)]]);
    early.copyable = true;
    let scope = holds(&early, Memory::Sc, Options { unroll: Some(2), ..Options::default() });
    assert!(
        scope
            .bounds
            .iter()
            .any(|b| b.knob == lineal_model::Knob::Unroll && b.value == 2 && b.at.is_some() && b.cut > 0),
        "{scope:?}"
    );
}

#[test]
fn endings() {
    for memory in ALL {
        // Nobody gets through.
        let scope = holds(&alone(vec![Assume(0, 1)]), memory, Options::default());
        assert_eq!(scope.vacuous, ["no execution completes"]);
        // A thread calls exit while another holds the lock that main waits for.
        let script = Script {
            bodies: vec![vec![Create(3, 1), Lock(Global(0)), Lock(Global(0))], vec![Exit]],
            initial: vec![],
            copyable: true,
        };
        holds(&script, memory, Options::default());
        let script = alone(vec![Lock(Global(0)), Lock(Global(0))]);
        violated(&script, memory, Options::default(), "deadlock");
        // Main is done; what a thread left behind waits for does not matter.
        let script = Script {
            bodies: vec![vec![Create(3, 1)], vec![Await(0, Global(0), 1, Acquire)]],
            initial: vec![],
            copyable: true,
        };
        holds(&script, memory, Options::default());
    }
}

#[test]
fn a_loop_nobody_ends() {
    let spin = vec![Head(1), Load(0, Global(0), Acquire), IfNe(0, 0, 5), Set(0, Imm(0)), Jump(0)];
    let liveness = || Options { liveness: true, ..Options::default() };
    for memory in ALL {
        let stuck = Script::parallel(vec![spin.clone(), vec![Store(Global(1), Imm(1), Release)]]);
        holds(&stuck, memory, Options::default());
        violated(&stuck, memory, liveness(), "liveness");
        let freed = Script::parallel(vec![spin.clone(), vec![Store(Global(0), Imm(1), Release)]]);
        holds(&freed, memory, liveness());
    }
}

#[test]
fn limits_are_verdicts() {
    let mut script = Script::parallel(vec![vec![Add(0, Global(0), Imm(1), Relaxed)]; 6]);
    let mut problem = Problem { program: &mut script, memory: Memory::Rc11, options: Options::default() };
    for jobs in [1, 2] {
        let effort = Effort { max_states: Some(100), jobs, ..Effort::default() };
        let finding = check(&mut problem, &effort, &Unwatched);
        match finding.verdict {
            Verdict::Unknown(limit) => {
                assert_eq!((limit.kind, limit.value), (LimitKind::States, Some(100)));
                assert!(limit.covered.contains("executions"), "{limit:?}");
            }
            other => panic!("{other:?}"),
        }
        assert!((100..=101).contains(&finding.stats.executions), "{:?}", finding.stats);
    }
    let crowd = Script::parallel(vec![vec![Add(0, Global(0), Imm(1), Relaxed)]; 70]);
    match run(&crowd, Memory::Sc, Options::default()).verdict {
        Verdict::Unknown(limit) => assert_eq!(limit.kind, LimitKind::Method),
        other => panic!("{other:?}"),
    }
}
