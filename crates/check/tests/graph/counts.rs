//! Programs whose number of executions is known.

use crate::script::{At::*, Ins::*, Script, Val::*, global};
use lineal_check::graph::{Observed, Options, Problem, check, replay};
use lineal_model::run::Mode::*;
use lineal_model::{Effort, Finding, Memory, Unwatched, Verdict};

const ALL: [Memory; 4] = [Memory::Sc, Memory::Tso, Memory::Ra, Memory::Rc11];

fn run(script: &mut Script, memory: Memory, options: Options) -> Finding {
    let mut problem = Problem { program: script, memory, options };
    check(&mut problem, &Effort::default(), &Unwatched)
}

#[track_caller]
fn executions(bodies: &[Vec<crate::script::Ins>], memory: Memory, expected: u64) {
    let mut script = Script::parallel(bodies.to_vec());
    let finding = run(&mut script, memory, Options::default());
    assert!(matches!(finding.verdict, Verdict::Holds(_)), "{memory}: {:?}", finding.verdict);
    assert_eq!((finding.stats.executions, finding.stats.blocked), (expected, 0), "{memory}");
}

#[test]
fn counters_give_factorials() {
    let mut expected = 1;
    for n in 1..=6 {
        expected *= n;
        for memory in ALL {
            executions(&vec![vec![Add(0, Global(0), Imm(1), Relaxed)]; n as usize], memory, expected);
        }
    }
}

/// Two writers and two readers of k variables: 18 for each, if nothing orders them.
#[test]
fn writers_and_readers() {
    for k in 1..=3u32 {
        let writer = |v: u64| (0..k).map(|i| Store(Global(i), Imm(v), Relaxed)).collect::<Vec<_>>();
        let reader = || (0..k).map(|i| Load(0, Global(i), Relaxed)).collect::<Vec<_>>();
        for memory in [Memory::Ra, Memory::Rc11] {
            executions(&[writer(1), writer(2), reader(), reader()], memory, 18u64.pow(k));
            executions(&[reader(), reader(), writer(1), writer(2)], memory, 18u64.pow(k));
        }
    }
}

#[test]
fn store_buffering() {
    let side = |mine, other, mode| vec![Store(Global(mine), Imm(1), mode), Load(0, Global(other), mode)];
    let both = |mode| [side(0, 1, mode), side(1, 0, mode)];
    executions(&both(Relaxed), Memory::Sc, 3);
    executions(&both(Relaxed), Memory::Tso, 4);
    executions(&both(SeqCst), Memory::Tso, 3);
    executions(&both(SeqCst), Memory::Ra, 4);
    executions(&both(Relaxed), Memory::Rc11, 4);
    executions(&both(SeqCst), Memory::Rc11, 3);
    // A compare-and-swap that fails is a read with its failure order, even a stronger one.
    let (expected, desired) = (Imm(5), Imm(6));
    let fails =
        Cas { ok: 0, old: 1, at: Global(1), expected, desired, mode: Relaxed, fail: SeqCst, weak: false };
    executions(&[vec![Store(Global(0), Imm(1), SeqCst), fails], side(1, 0, SeqCst)], Memory::Rc11, 3);
    let fenced = |mine, other| {
        vec![Store(Global(mine), Imm(1), Relaxed), Fence(SeqCst), Load(0, Global(other), Relaxed)]
    };
    for (memory, expected) in ALL.into_iter().zip([3, 3, 4, 3]) {
        executions(&[fenced(0, 1), fenced(1, 0)], memory, expected);
    }
}

/// `psc_F` goes through `eco` into a read: the fence of the last thread precedes that of the
/// second because of a write that the one overlooks and the other reads without synchronising.
#[test]
fn fences_see_what_is_read() {
    let bodies = [
        vec![Load(0, Global(0), SeqCst), Store(Global(0), Imm(2), Relaxed)],
        vec![Load(0, Global(0), SeqCst), Fence(SeqCst), Store(Global(1), Imm(1), SeqCst)],
        vec![
            Store(Global(1), Imm(1), SeqCst),
            Fence(SeqCst),
            Load(1, Global(0), SeqCst),
            Load(0, Global(1), SeqCst),
        ],
    ];
    executions(&bodies, Memory::Rc11, 11);
}

#[test]
fn message_passing() {
    let program = |store, load| {
        let mut s = Script::parallel(vec![
            vec![Store(Global(0), Imm(1), NonAtomic), Store(Global(1), Imm(1), store)],
            vec![Load(0, Global(1), load), IfEq(0, 0, 4), Load(1, Global(0), NonAtomic), AssertNe(1, 0)],
        ]);
        s.initial = vec![0, 0];
        s
    };
    for memory in ALL {
        let finding = run(&mut program(Release, Acquire), memory, Options::default());
        assert!(matches!(finding.verdict, Verdict::Holds(_)), "{memory}: {:?}", finding.verdict);
        let finding = run(&mut program(Release, Relaxed), memory, Options::default());
        let racy = matches!(memory, Memory::Ra | Memory::Rc11);
        match finding.verdict {
            Verdict::Violated(w) => assert!(racy && w.kind.word() == "race", "{memory}: {w:#?}"),
            Verdict::Holds(_) => assert!(!racy),
            Verdict::Unknown(limit) => panic!("{limit:?}"),
        }
    }
}

#[test]
fn locks_and_deadlocks() {
    let guarded = vec![
        Lock(Global(0)),
        Load(0, Global(1), NonAtomic),
        Store(Global(1), Plus(0, 1), NonAtomic),
        Unlock(Global(0)),
    ];
    for memory in ALL {
        let mut script = Script::parallel(vec![guarded.clone(); 3]);
        let observe = vec![Observed { name: "n".into(), loc: global(1), size: 8, signed: false }];
        let finding = run(&mut script, memory, Options { observe, ..Options::default() });
        assert!(matches!(finding.verdict, Verdict::Holds(_)), "{memory}: {:?}", finding.verdict);
        assert_eq!(finding.outcomes.into_iter().collect::<Vec<_>>(), [("n=3".to_string(), 6)]);

        let mut script = Script::parallel(vec![
            vec![Lock(Global(0)), Lock(Global(1)), Unlock(Global(1)), Unlock(Global(0))],
            vec![Lock(Global(1)), Lock(Global(0)), Unlock(Global(0)), Unlock(Global(1))],
        ]);
        let finding = run(&mut script, memory, Options::default());
        match finding.verdict {
            Verdict::Violated(w) => assert_eq!(w.kind.word(), "deadlock"),
            other => panic!("{memory}: {other:?}"),
        }
    }
}

#[test]
fn spinning_ends_in_blocked_executions() {
    let bodies = vec![
        vec![Set(0, Imm(0)), Head(1), Load(0, Global(0), Acquire), IfNe(0, 0, 6), Set(0, Imm(0)), Jump(1)],
        vec![Store(Global(0), Imm(1), Release)],
    ];
    for memory in ALL {
        let finding = run(&mut Script::parallel(bodies.clone()), memory, Options::default());
        assert_eq!((finding.stats.executions, finding.stats.blocked), (1, 0), "{memory}");
    }
}

#[test]
fn replay_runs_the_same_failure_and_only_here() {
    let bodies =
        vec![vec![Store(Global(0), Imm(1), Relaxed)], vec![Load(0, Global(0), Relaxed), AssertNe(0, 1)]];
    let mut script = Script::parallel(bodies);
    let mut problem = Problem {
        program: &mut script,
        memory: Memory::Sc,
        options: Options { identity: 7, ..Options::default() },
    };
    let finding = check(&mut problem, &Effort::default(), &Unwatched);
    let Verdict::Violated(witness) = finding.verdict else { panic!("a failure") };
    assert_eq!(witness.kind.word(), "assertion");
    let token = witness.replay.unwrap();
    let again = replay(&mut problem, &token).unwrap();
    let Verdict::Violated(again) = again.verdict else { panic!("a failure") };
    let texts = |w: &[lineal_model::verdict::Step]| w.iter().map(|s| s.what.clone()).collect::<Vec<_>>();
    assert_eq!(texts(&witness.steps), texts(&again.steps));
    problem.options.identity = 8;
    assert_eq!(replay(&mut problem, &token).unwrap_err(), "the token belongs to another input");
    assert!(replay(&mut problem, "nonsense").is_err());
    problem.options.identity = 7;
    assert!(replay(&mut problem, &token[..token.len() - 4]).is_err());
}
