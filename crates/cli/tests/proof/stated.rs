//! Lemmas and axioms that a file gives: what is true goes through, what is not is refused, by its induction and by
//! runs; mistakes are told; and a question to the solver can be stopped.

use super::*;
use lineal_check::robust::proof::encode::Instance;
use lineal_check::robust::proof::faults;
use lineal_check::robust::proof::formula::{Formula, Lit};
use lineal_check::robust::proof::stated_runs::contradicted;
use lineal_model::{Assumption, Finding};

/// The sequence lock, with something else written for one of its lemmas.
fn restated(from: &str, to: &str) -> Result<Compiled, Vec<Diagnostic>> {
    let path = folder().join("seqlock.c");
    let text = std::fs::read_to_string(&path).expect("it is there");
    let line = text.lines().find(|l| l.starts_with(&format!("#pragma lineal {from}:"))).expect("it has one");
    let new = if to.is_empty() { String::new() } else { format!("#pragma lineal {to}") };
    let text = text.replace(line, &new);
    let define = ["WAITS".to_string()];
    let setup = Setup { define: &define, include_dirs: &[], include: &[] };
    let (unit, _) = Unit::new(&path.display().to_string(), text.as_bytes(), setup, &Disk).expect("it is C");
    let options = Options { unspecified: true, ..Options::default() };
    object::load(&[unit], &options).map(|(loaded, _)| loaded.compiled)
}

fn asked(compiled: &Compiled) -> Finding {
    prove(compiled, Memory::Rc11, Switches::default(), &mut BuiltIn, &Effort::default(), &Unwatched)
}

/// What an author says, and the code does not keep, is refused: by its induction, and with a run.
#[test]
fn wrong_lemmas_of_an_author_are_refused() {
    let cases = [
        ("lemma grows", "lemma grows: write a of version, write b of version, a < b => b.new < a.new"),
        ("lemma grows", "lemma grows: write a of version, write b of version, a < b => a.new + 1 < b.new"),
        ("lemma grows", "lemma grows: write a of version => a.new < 3"),
        ("lemma taken", "lemma taken: write a of version, a.new % 2 == 1 => a then update"),
        ("lemma told", "lemma told: update u of version, write t of version, u <= t => t tells u"),
        ("lemma told", "lemma told: read r of version in read, write t of version, r < t => t tells r"),
        ("lemma told", "lemma told: read r of version in read, update u of version, r < u => r -> u"),
        (
            "lemma held",
            "lemma held: update u of version, write w of version, u < w => some store s of version by u and s < w",
        ),
        ("lemma held", "lemma held: read r of version in read, update u of version, r < u => r with u"),
    ];
    for (from, to) in cases {
        let compiled = restated(from, to).expect("an object");
        let found = asked(&compiled);
        let Verdict::Unknown(limit) = &found.verdict else { panic!("{to}: {found:?}") };
        assert!(limit.message.contains("is false") && limit.at.is_some(), "{to}: {found:?}");
        assert!(found.remarks.iter().any(|r| r.contains("a run that contradicts it")), "{to}: {found:?}");
        // Not by its induction, and not by the runs in formulas, if it were believed.
        let library = library(&compiled, Memory::Rc11).expect("it is followed");
        let name = from.replace("lemma ", "");
        let number = library.stated.iter().position(|s| s.fact.name == name).expect("it is there");
        let lemma = Lemma::Stated { number };
        let none = Lemmas::default();
        let induction = Induction { library: &library, switches: Switches::default(), known: &none };
        let open =
            |all: Vec<Instance<'_>>| all.iter().any(|x| matches!(BuiltIn.solve(&x.f), Outcome::Sat(_)));
        assert!(open(induction.obligations(&lemma)), "{to}");
        assert!(open(induction.with_sources(&lemma)), "{to}");
        // What synchronises is not told apart by one variable.
        if !to.contains("then update") && !to.contains("tells") && !to.contains("->") {
            let lemmas = Lemmas { all: vec![lemma] };
            assert!(replayed(&compiled, &library, &lemmas, 1000).failed.is_some(), "{to}");
        }
    }
    // True, but it does not follow by itself.
    let found = asked(&restated("lemma held", "").expect("an object"));
    let Verdict::Unknown(limit) = &found.verdict else { panic!("{found:?}") };
    assert!(limit.message.contains("the induction of lemma grows does not go through"), "{found:?}");
    assert!(found.remarks.iter().any(|r| r.contains("at the last of these steps")), "{found:?}");
}

/// A store that releases nothing tells nothing.
#[test]
fn a_lemma_about_synchronisation_needs_the_orders() {
    let path = folder().join("seqlock.c");
    let text = std::fs::read_to_string(&path).expect("it is there");
    let weak = text.replace("STORE(version, even + 2, release)", "STORE(version, even + 2, relaxed)");
    assert_ne!(text, weak);
    let of = |text: &str| {
        compiled(&path.display().to_string(), text.as_bytes(), &["WAITS", "UNFENCED"]).expect("an object")
    };
    for (compiled, is_so) in [(of(&text), true), (of(&weak), false)] {
        let library = library(&compiled, Memory::Rc11).expect("it is followed");
        let told = library.stated.iter().position(|s| s.fact.name == "told").expect("it is there");
        let mut go_on = |_: &_| ControlFlow::Continue(());
        let (mut lemmas, failed, _) =
            Prover::lemmas(&library, Switches::default(), &mut BuiltIn, &mut go_on).expect("it ends");
        let told = Lemma::Stated { number: told };
        assert_eq!(lemmas.all.contains(&told), is_so);
        assert_eq!(failed.iter().any(|f| f.0 == told), !is_so);
        if !is_so {
            lemmas.all.push(told);
        }
        assert_eq!(replayed(&compiled, &library, &lemmas, 1000).failed.is_none(), is_so);
    }
}

/// Lemmas that go through are true of runs, also by what they mean.
#[test]
fn lemmas_of_an_author_are_true_of_runs() {
    let compiled = load("seqlock.c", &["WAITS"]).expect("an object");
    let library = library(&compiled, Memory::Rc11).expect("it is followed");
    assert_eq!(library.stated.len(), 4);
    let mut rng = Choices::new(lineal_sweep::seed(12));
    for stated in &library.stated {
        let found = contradicted((&compiled, &library), stated, 1000, &mut |n| rng.below(n));
        assert_eq!(found, None, "{}", stated.name());
    }
}

#[test]
fn axioms_are_said_and_held_against_runs() {
    let held = "axiom held: update u of version, write w of version, u < w => some store s of version by u and s <= w";
    let found = asked(&restated("lemma held", held).expect("an object"));
    let Verdict::Holds(scope) = &found.verdict else { panic!("{found:?}") };
    let said = |a: &Assumption| matches!(a, Assumption::Axiom(name, text) if name == "held" && text.contains("u < w"));
    assert!(scope.assumptions.iter().any(said), "{scope:?}");
    let wrong = [
        ("lemma grows", "axiom grows: write a of version, write b of version, a < b => b.new < a.new"),
        ("lemma taken", "axiom taken: write a of version => a then update"),
        ("lemma told", "axiom told: read r of version in read, update u of version, r < u => r -> u"),
    ];
    for (from, to) in wrong {
        let found = asked(&restated(from, to).expect("an object"));
        let Verdict::Unknown(limit) = &found.verdict else { panic!("{to}: {found:?}") };
        assert!(limit.message.contains("axiom") && limit.message.contains("is false"), "{to}: {found:?}");
    }
}

#[test]
fn mistakes_in_lemmas_are_told() {
    let cases = [
        ("lemma", "it has no name"),
        ("lemma grows", "it has no name"),
        ("lemma a b: write a of version => a.new < 3", "`a b` is no name"),
        ("lemma held: write a of version => a.new < 3", "another one called `held`"),
        ("lemma grows: write a of version, a.new < 3", "`=>` and what follows is missing at the end"),
        ("lemma grows: write a of version => b.new < 3", "there is no step `b`"),
        ("lemma grows: write a of version => a.old < 3", "need not read"),
        ("lemma grows: write a of version => a.new < 99", "no number from 0 to 32"),
        ("lemma grows: write a of version => a.new % 3 == 1", "remainders of 2, 4, 8"),
        ("lemma grows: write a in write => a.new < 3", "`of` is expected where `in` stands"),
        ("lemma grows: write a of version in put => a.new < 3", "no operation `put`, but write, read"),
        ("lemma grows: write a of version, write b of version => a tells b", "before the first call"),
        ("lemma grows: write a of version => some store s of version and s < a", "of which call is `s`"),
        ("lemma grows: write a of version => a.new < 3 a", "nothing is expected"),
    ];
    for (to, why) in cases {
        let found = restated("lemma grows", to).expect_err(to);
        let told = |d: &Diagnostic| {
            d.code == "L0136" && d.message.contains(why) && d.at.is_some() && d.help.is_some()
        };
        assert!(found.iter().any(told), "{to}: {found:?}");
    }
    let cases = [
        ("lemma grows: write a of vresion => a.new < 3", "no location `vresion`", "version"),
        ("lemma grows: write a of low, a.new < 3 => a.new < 2", "values of `low` are not followed", "add"),
    ];
    for (to, why, help) in cases {
        let compiled = restated("lemma grows", to).expect("an object");
        let found = faults(&compiled, Memory::Rc11);
        let told = |d: &Diagnostic| {
            let helps = d.help.as_ref().is_some_and(|h| h.contains(help));
            d.code == "L0137" && d.message.contains(why) && d.at.is_some() && helps
        };
        assert!(found.iter().any(told), "{to}: {found:?}");
        assert!(matches!(asked(&compiled).verdict, Verdict::Unknown(_)), "{to}");
    }
}

/// More pigeons than holes: nobody can say so quickly, and whoever is asked to stop does.
#[test]
fn a_question_can_be_stopped() {
    let (holes, mut f) = (12, Formula::default());
    let sits: Vec<Vec<Lit>> = (0..=holes).map(|_| (0..holes).map(|_| f.fresh()).collect()).collect();
    for (i, pigeon) in sits.iter().enumerate() {
        f.clause(pigeon);
        for other in &sits[..i] {
            pigeon.iter().zip(other).for_each(|(&a, &b)| f.clause(&[-a, -b]));
        }
    }
    let asked = std::cell::Cell::new(0);
    let stop = || {
        asked.set(asked.get() + 1);
        asked.get() > 3
    };
    assert!(matches!(BuiltIn.solve_until(&f, &stop), Outcome::Unknown(_)));
    assert_eq!(asked.get(), 4);
}
