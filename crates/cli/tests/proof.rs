//! Proofs of robustness: what is proved, what must not be, and whether the formulas are true of runs.
//!
//! - Every row of `examples/robust/` that is violated is given to the prover alone.
//! - Every access of every proved example, with each weaker order that it may have, is given to the
//!   prover and to the exploration of small clients: they must not contradict each other.
//! - Random runs of real clients are held against the formulas, with and without deliberate mistakes.
//!
//! `LINEAL_FULL=1`: more runs, larger clients.

#[path = "proof/stated.rs"]
mod stated;

use lineal_check::conform::clients::Bound;
use lineal_check::conform::{self, Asked, Reductions};
use lineal_check::robust::proof::gate::{self, Gate};
use lineal_check::robust::proof::induct::Induction;
use lineal_check::robust::proof::lemma::{Lemma, Lemmas};
use lineal_check::robust::proof::library::{Library, library};
use lineal_check::robust::proof::prove::Prover;
use lineal_check::robust::proof::{BuiltIn, Outcome, Solver, Switches, prove};
use lineal_check::seeded::{self, Bug};
use lineal_lang::c11::preprocess::{Setup, Shelf, bundled};
use lineal_lang::c11::{Options, Unit, object};
use lineal_model::object::Level;
use lineal_model::program::client::Compiled;
use lineal_model::program::modes::Modes;
use lineal_model::run::Mode;
use lineal_model::{Diagnostic, Effort, Memory, Unwatched, Verdict};
use lineal_sweep::Choices;
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::rc::Rc;

/// What is proved: file, definitions, calls that the exploration is asked about.
const PROVED: [(&str, &[&str], usize); 17] = [
    ("register.c", &[], 4),
    ("treiber.c", &[], 3),
    ("treiber.c", &["PUSH=acq_rel"], 3),
    ("treiber.c", &["POP=relaxed"], 3),
    ("locks.c", &["SPIN"], 3),
    ("locks.c", &["TICKET"], 3),
    ("locks.c", &["TEST"], 3),
    ("spsc-ring.c", &["WAITS"], 4),
    ("spsc-ring.c", &["FENCED"], 5),
    ("spsc-ring.c", &["WAITS", "FENCED"], 4),
    ("mpmc-ring.c", &["WAITS"], 4),
    ("mpmc-ring.c", &["WAITS", "PLACE=relaxed"], 4),
    ("unbounded.c", &["WAITS"], 4),
    ("unbounded.c", &["WAITS", "PLACE=relaxed"], 4),
    ("michael-scott.c", &[], 4),
    ("michael-scott.c", &["LEAN"], 4),
    ("seqlock.c", &["WAITS"], 3),
];

struct Disk;

impl Shelf for Disk {
    fn read(&self, path: &str) -> Result<Option<Rc<[u8]>>, Diagnostic> {
        let own = bundled(path).map(|text| Rc::from(text.as_bytes()));
        Ok(own.or_else(|| std::fs::read(path).ok().map(Rc::from)))
    }
}

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples/robust")
}

/// `None`: no object is declared there.
fn load(file: &str, define: &[&str]) -> Option<Compiled> {
    let path = folder().join(file).display().to_string();
    let text = std::fs::read(&path).expect("it is there");
    compiled(&path, &text, define)
}

fn compiled(path: &str, text: &[u8], define: &[&str]) -> Option<Compiled> {
    let define: Vec<String> = define.iter().map(|d| d.to_string()).collect();
    let setup = Setup { define: &define, include_dirs: &[], include: &[] };
    let (unit, _) = Unit::new(path, text, setup, &Disk).expect("it is C");
    let options = Options { unspecified: true, ..Options::default() };
    object::declares(std::slice::from_ref(&unit)).then(|| {
        let (loaded, _) = object::load(&[unit], &options).expect("it is an object");
        loaded.compiled
    })
}

fn verdict(compiled: &Compiled, switches: Switches) -> Verdict {
    prove(compiled, Memory::Rc11, switches, &mut BuiltIn, &Effort::default(), &Unwatched).verdict
}

fn is_proved(compiled: &Compiled) -> bool {
    matches!(verdict(compiled, Switches::default()), Verdict::Holds(_))
}

#[test]
fn these_are_proved() {
    for (file, define, _) in PROVED {
        let found = verdict(&load(file, define).expect("an object"), Switches::default());
        assert!(matches!(found, Verdict::Holds(_)), "{file} {define:?}: {found:?}");
    }
}

/// Rows of the examples that are violated under rc11: file and definitions.
fn violated() -> Vec<(String, Vec<String>)> {
    let mut rows = Vec::new();
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder()).expect("it is there").map(|f| f.expect("a file").path()).collect();
    files.sort();
    for path in files.iter().filter(|p| p.extension().is_some_and(|e| e == "c")) {
        let text = std::fs::read_to_string(path).expect("a text");
        let mut run = String::new();
        for line in text.lines() {
            if let Some(words) = line.strip_prefix("//@ run: robust") {
                run = words.to_string();
            }
            let weak = !run.contains("--memory");
            if line.starts_with("//@ expect: violated") && weak {
                let words: Vec<&str> = run.split_whitespace().collect();
                let defines = words.windows(2).filter(|w| w[0] == "-D").map(|w| w[1].to_string());
                let name = path.file_name().expect("a name").to_string_lossy().into_owned();
                rows.push((name, defines.collect()));
            }
        }
    }
    rows
}

#[test]
fn what_is_violated_is_not_proved() {
    let mut asked = 0;
    for (file, define) in violated() {
        let define: Vec<&str> = define.iter().map(String::as_str).collect();
        let Some(compiled) = load(&file, &define) else { continue };
        asked += 1;
        assert!(!is_proved(&compiled), "{file} {define:?}");
    }
    println!("{asked} violated rows were not proved");
    assert!(asked >= 15, "{asked}");
}

/// The same object with other orders at one place.
fn mutants(compiled: &Compiled) -> Vec<Compiled> {
    let mut all = Vec::new();
    for spot in compiled.operations.spots() {
        for modes in spot.weaker() {
            let mut other = compiled.clone();
            other.operations.machine = other.operations.machine.with_modes(&spot.sites, modes);
            all.push(other);
        }
    }
    all
}

/// Every access acquires and releases as far as it can.
fn strong(compiled: &Compiled) -> Compiled {
    let mut other = compiled.clone();
    for spot in compiled.operations.spots() {
        if let Some(modes) = spot.synchronising().filter(|m: &Modes| m.mode != Mode::SeqCst) {
            other.operations.machine = other.operations.machine.with_modes(&spot.sites, modes);
        }
    }
    other
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Explored {
    Clean,
    Violated,
    Open,
}

fn explored(compiled: &Compiled, calls: usize) -> Explored {
    let problem = conform::Problem {
        clients: compiled,
        asked: Asked::Every(Bound::Total(calls)),
        memory: Memory::Rc11,
        level: &Level::None,
        unroll: None,
        question: conform::Question::Robust,
        unroll_at: &[],
        preemptions: None,
        reductions: Reductions { iterations: true, calls: true, ..Reductions::NONE },
    };
    let effort = Effort { max_states: Some(300_000), ..Effort::default() };
    match conform::check(&problem, &effort, &Unwatched).map(|c| c.finding.verdict) {
        Ok(Verdict::Holds(_)) => Explored::Clean,
        Ok(Verdict::Violated(_)) => Explored::Violated,
        _ => Explored::Open,
    }
}

#[test]
fn no_mutant_is_proved_and_refuted() {
    let mut seen: BTreeMap<(bool, Explored), u32> = BTreeMap::new();
    for (file, define, calls) in PROVED {
        let compiled = load(file, define).expect("an object");
        let calls = calls + usize::from(lineal_sweep::full());
        let mut all = mutants(&compiled);
        let strong = strong(&compiled);
        all.extend(mutants(&strong));
        all.push(strong);
        for (n, mutant) in all.iter().enumerate() {
            let (proved, explored) = (is_proved(mutant), explored(mutant, calls));
            *seen.entry((proved, explored)).or_default() += 1;
            if !proved && explored != Explored::Violated {
                println!("{file} {define:?}: mutant {n} is neither proved nor refuted with {calls} calls");
            }
            assert!(!(proved && explored == Explored::Violated), "{file} {define:?}: mutant {n}");
        }
    }
    let total: u32 = seen.values().sum();
    let unknown =
        seen.iter().filter(|((proved, e), _)| !proved && *e != Explored::Violated).map(|s| s.1).sum::<u32>();
    println!("{total} mutants, {unknown} neither proved nor refuted: {seen:?}");
    assert!(total >= 100, "{total}");
    assert!(unknown * 100 < total * 5, "{seen:?}");
}

/// The object as the prover sees it, and its lemmas.
fn seen(compiled: &Compiled) -> (Library, Lemmas) {
    let library = library(compiled, Memory::Rc11).expect("it is followed");
    let mut go_on = |_: &_| ControlFlow::Continue(());
    let (lemmas, failed, _) =
        Prover::lemmas(&library, Switches::default(), &mut BuiltIn, &mut go_on).expect("nothing stops it");
    assert!(failed.is_empty(), "{failed:?}");
    (library, lemmas)
}

fn replayed(compiled: &Compiled, library: &Library, lemmas: &Lemmas, runs: usize) -> Gate {
    let mut rng = Choices::new(lineal_sweep::seed(11));
    let mut choose = |n: usize| rng.below(n);
    gate::replay((compiled, library, lemmas), Switches::default(), &mut BuiltIn, runs, &mut choose)
}

#[test]
fn runs_are_allowed_by_the_formulas() {
    let runs = if lineal_sweep::full() { 5000 } else { 100 };
    let others: [(&str, &[&str], usize); 6] = [
        ("spsc-ring.c", &[], 0),
        ("mpmc-ring.c", &[], 0),
        ("seqlock.c", &[], 0),
        ("treiber.c", &["PUSH=relaxed", "LOOK=relaxed", "POP=relaxed"], 0),
        ("locks.c", &["SPIN", "TAKE=relaxed", "GIVE=relaxed"], 0),
        ("michael-scott.c", &["LEAN", "FAIL=relaxed"], 0),
    ];
    let mut tried = 0;
    for (file, define, _) in PROVED.into_iter().chain(others) {
        let compiled = load(file, define).expect("an object");
        let (library, lemmas) = seen(&compiled);
        let found = replayed(&compiled, &library, &lemmas, runs);
        assert_eq!(found.failed, None, "{file} {define:?}");
        tried += found.tried;
        let empty = gate::vacuity(&library, &lemmas, Switches::default(), &mut BuiltIn);
        assert_eq!(empty.failed, None, "{file} {define:?}");
    }
    println!("{tried} runs");
    assert!(tried > runs * 10);
}

/// What the code does not keep is noticed: by its induction, and by the runs.
#[test]
fn wrong_lemmas_are_noticed() {
    let compiled = load("spsc-ring.c", &["WAITS"]).expect("an object");
    let (library, mut lemmas) = seen(&compiled);
    let ring = lemmas.all.iter().position(|l| matches!(l, Lemma::Ring { .. })).expect("it has one");
    let Lemma::Ring { ahead, behind, .. } = lemmas.all[ring] else { unreachable!() };
    let narrow = Lemma::Ring { ahead, behind, slots: 1 };
    lemmas.all.remove(ring);
    let induction = Induction { library: &library, switches: Switches::default(), known: &lemmas };
    let open = induction.obligations(&narrow).iter().any(|x| matches!(BuiltIn.solve(&x.f), Outcome::Sat(_)));
    assert!(open, "one slot less, and the induction goes through");
    lemmas.all.push(narrow);
    assert!(replayed(&compiled, &library, &lemmas, 400).failed.is_some(), "one slot less");
    lemmas.all.pop();
    lemmas.all.push(Lemma::Ring { ahead: behind, behind: ahead, slots: 2 });
    let empty = gate::vacuity(&library, &lemmas, Switches::default(), &mut BuiltIn);
    let false_of_runs = replayed(&compiled, &library, &lemmas, 400).failed.is_some();
    assert!(empty.failed.is_some() || false_of_runs, "the wrong way round");
}

/// Whoever finds a lock taken may write that; a place that is used again is written again.
#[test]
fn wrong_lemmas_about_locks_and_places_are_noticed() {
    let noticed = |file: &str, define: &[&str], wrong: &dyn Fn(&Library, &mut Lemmas) -> Lemma| {
        let compiled = load(file, define).expect("an object");
        let (library, mut lemmas) = seen(&compiled);
        let lemma = wrong(&library, &mut lemmas);
        let induction = Induction { library: &library, switches: Switches::default(), known: &lemmas };
        let mut all = induction.obligations(&lemma).into_iter();
        assert!(all.any(|x| matches!(BuiltIn.solve(&x.f), Outcome::Sat(_))), "{file}: {lemma:?}");
        lemmas.all.push(lemma);
        assert!(replayed(&compiled, &library, &lemmas, 4000).failed.is_some(), "{file}");
    };
    noticed("locks.c", &["TEST"], &|_, lemmas| {
        let at = lemmas.all.iter().position(|l| matches!(l, Lemma::Lock { knocks: true, .. }));
        let mut lock = lemmas.all.remove(at.expect("it is knocked at"));
        if let Lemma::Lock { knocks, .. } = &mut lock {
            *knocks = false;
        }
        lock
    });
    noticed("mpmc-ring.c", &["WAITS"], &|library, _| {
        let class = library.classes.iter().position(|c| c.name == "slot[…].value").expect("it has one");
        Lemma::Once { class }
    });
}

/// Synchronisation that is not there is noticed.
#[test]
fn wrong_synchronisation_is_noticed() {
    for (define, lock) in [(["SPIN", "TAKE=relaxed"], true), (["TICKET", "GIVE=relaxed"], false)] {
        let compiled = load("locks.c", &define).expect("an object");
        let (library, mut lemmas) = seen(&compiled);
        assert_eq!(replayed(&compiled, &library, &lemmas, 300).failed, None);
        for lemma in &mut lemmas.all {
            match lemma {
                Lemma::Lock { synchronises, .. } if lock => *synchronises = true,
                Lemma::Turn { synchronises, .. } if !lock => *synchronises = true,
                _ => {}
            }
        }
        assert!(replayed(&compiled, &library, &lemmas, 300).failed.is_some(), "{define:?}");
    }
}

/// What is not true of a list is noticed: by its induction, and by the runs.
#[test]
fn wrong_lemmas_about_lists_are_noticed() {
    let pointers = |library: &Library| {
        let list = library.list.clone().expect("it has one");
        let end = list.end.expect("nodes are linked where a pointer shows");
        let other = list.pointers.iter().copied().find(|p| *p != end).expect("there are two");
        (list.next, end, other)
    };
    type Wrong = fn((usize, usize, usize)) -> Lemma;
    let cases: [(&[&str], Wrong); 4] = [
        // A dequeue that does not look at `tail` overtakes it.
        (&["LEAN"], |(_, end, other)| Lemma::Behind { pointer: other, other: end }),
        (&["LEAN"], |(_, end, other)| Lemma::Behind { pointer: end, other }),
        (&["LEAN"], |(_, _, other)| Lemma::Lags { pointer: other }),
        (&[], |(next, end, other)| Lemma::Passed { pointer: other, of: vec![next, end] }),
    ];
    for (define, wrong) in cases {
        let compiled = load("michael-scott.c", define).expect("an object");
        let (library, mut lemmas) = seen(&compiled);
        let lemma = wrong(pointers(&library));
        let induction = Induction { library: &library, switches: Switches::default(), known: &lemmas };
        let mut all = induction.obligations(&lemma).into_iter();
        let name = lemma.name(&library);
        assert!(all.any(|x| matches!(BuiltIn.solve(&x.f), Outcome::Sat(_))), "{define:?}: {name}");
        lemmas.all.push(lemma);
        assert!(replayed(&compiled, &library, &lemmas, 1000).failed.is_some(), "{define:?}: {name}");
    }
    // Swaps that do not release tell nothing.
    let mut compiled = load("michael-scott.c", &["LEAN"]).expect("an object");
    for spot in compiled.operations.spots() {
        let acquires = |m: &&Modes| m.mode == Mode::Acquire && m.fail == Mode::Acquire;
        if spot.modes.mode == Mode::AcqRel
            && let Some(modes) = spot.weaker().iter().find(acquires)
        {
            compiled.operations.machine = compiled.operations.machine.with_modes(&spot.sites, *modes);
        }
    }
    let (library, mut lemmas) = seen(&compiled);
    let (next, end, _) = pointers(&library);
    let told = Lemma::Told { of: vec![next, end] };
    assert!(!lemmas.all.contains(&told), "nothing is released");
    lemmas.all.push(told);
    assert!(replayed(&compiled, &library, &lemmas, 1000).failed.is_some(), "nothing is released");
}

/// Each fact is needed somewhere, and none makes a proof of something else.
#[test]
fn facts_can_be_left_out() {
    let without = |off: fn(&mut Switches)| {
        let mut switches = Switches::default();
        off(&mut switches);
        switches
    };
    let cases: [(&str, &[&str], Switches); 9] = [
        ("treiber.c", &[], without(|s| s.updates = false)),
        ("register.c", &[], without(|s| s.unique = false)),
        ("spsc-ring.c", &["WAITS"], without(|s| s.owned = false)),
        ("spsc-ring.c", &["WAITS"], without(|s| s.grows = false)),
        ("spsc-ring.c", &["WAITS"], without(|s| s.ring = false)),
        ("locks.c", &["SPIN"], without(|s| s.lock = false)),
        ("locks.c", &["TICKET"], without(|s| s.turn = false)),
        ("michael-scott.c", &["LEAN"], without(|s| s.list = false)),
        ("seqlock.c", &["WAITS"], without(|s| s.stated = false)),
    ];
    for (file, define, switches) in cases {
        let found = verdict(&load(file, define).expect("an object"), switches);
        assert!(matches!(found, Verdict::Unknown(_)), "{file} {define:?} without {switches:?}: {found:?}");
    }
}

/// What acquires and what releases depends on the model; so do proofs, and the runs they are held against.
#[test]
fn proofs_are_held_against_runs_of_their_model() {
    for (file, define, _) in PROVED {
        let compiled = load(file, define).expect("an object");
        for memory in [Memory::Tso, Memory::Ra] {
            let switches = Switches::default();
            let found = prove(&compiled, memory, switches, &mut BuiltIn, &Effort::default(), &Unwatched);
            if let Verdict::Unknown(limit) = &found.verdict {
                assert!(
                    !limit.message.contains("leaves out one of its runs"),
                    "{file} {define:?}: {found:?}"
                );
            }
        }
    }
    let relaxed = load("register.c", &["LOOK=relaxed"]).expect("an object");
    let under = |memory| {
        prove(&relaxed, memory, Switches::default(), &mut BuiltIn, &Effort::default(), &Unwatched).verdict
    };
    assert!(matches!(under(Memory::Tso), Verdict::Holds(_)));
    assert!(matches!(under(Memory::Ra), Verdict::Unknown(_)));
}

/// Facts that contradict each other would prove anything. If one slips through its own induction, runs
/// of the object notice.
#[test]
fn contradictory_facts_prove_nothing() {
    let file = "../../tests/c/robust/turn_given_on_in_two_places.c";
    for define in [&[][..], &["SHOW=release", "LOOK=acquire"]] {
        let compiled = load(file, define).expect("an object");
        let found = seeded::with(Bug::OneShow, || verdict(&compiled, Switches::default()));
        let Verdict::Unknown(limit) = &found else { panic!("{define:?}: {found:?}") };
        assert!(limit.message.contains("leaves out one of its runs"), "{define:?}: {limit:?}");
    }
}

/// What holds of no execution at all is not said to hold.
#[test]
fn what_never_returns_is_not_proved() {
    let text = r"
        #include <stdatomic.h>
        #pragma lineal object register level=none args=independent
        #pragma lineal op write = put(value)
        #pragma lineal op read = get() -> value
        static atomic_int x, never;
        void put(int value) { atomic_store_explicit(&x, value, memory_order_release); }
        int get(void)
        {
            while (!atomic_load_explicit(&never, memory_order_acquire))
                ;
            return atomic_load_explicit(&x, memory_order_acquire);
        }";
    let found = verdict(&compiled("never.c", text.as_bytes(), &[]).expect("an object"), Switches::default());
    assert!(
        matches!(&found, Verdict::Unknown(l) if l.message.contains("no run was found in which `read` returns")),
        "{found:?}"
    );
}

/// Each call waits for the next one, so that no client's calls all return.
#[test]
fn what_never_completes_is_not_proved() {
    let text = r"
        #include <stdatomic.h>
        #pragma lineal object spec level=none args=independent
        #pragma lineal op step = step()
        static atomic_int x;
        void step(void)
        {
            int mine = atomic_fetch_add_explicit(&x, 1, memory_order_acq_rel) + 1;
            while (atomic_load_explicit(&x, memory_order_acquire) == mine)
                ;
        }";
    let found = verdict(&compiled("next.c", text.as_bytes(), &[]).expect("an object"), Switches::default());
    assert!(
        matches!(&found, Verdict::Unknown(l) if l.message.contains("`step` returns and every other call does")),
        "{found:?}"
    );
}

/// A solver that is killed, lies or says something else leaves the answer open.
#[cfg(unix)]
#[test]
fn a_solver_that_fails_is_not_believed() {
    use std::os::unix::fs::PermissionsExt;
    let said =
        [("kill -9 $$", "did not decide"), ("echo sat", "please report"), ("echo what", "it said `what`")];
    for (does, expected) in said {
        let room = tempfile::tempdir().expect("room for a file");
        let script = room.path().join("z3");
        let text = format!("#!/bin/sh\n[ \"$1\" = --version ] && exit 0\ncat > /dev/null\n{does}\n");
        std::fs::write(&script, text).expect("it can be written");
        std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).expect("it can be run");
        let path = format!("{}:{}", room.path().display(), std::env::var("PATH").unwrap_or_default());
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_lineal"))
            .args(["robust", "register.c", "--prove", "--solver", "z3"])
            .current_dir(folder())
            .env("PATH", path)
            .output()
            .expect("it runs");
        let text =
            String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(3), "{does}: {text}");
        let words: Vec<&str> = text.split_whitespace().collect();
        assert!(words.join(" ").contains(expected), "{does}: {text}");
    }
}
