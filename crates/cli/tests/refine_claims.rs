//! Every kind of assertion, both ways.

use lineal_check::refine::{Settings, check, rerun};
use lineal_lang::csp::load;
use lineal_model::{Effort, Unwatched, Verdict};

/// Verdict, and the witness's kind or the limit's message, of the one assertion.
fn decide(text: &str, settings: Settings, effort: Effort) -> (String, String, Vec<String>) {
    let loaded = load("t.csp", text, &|_| Err(String::new())).unwrap_or_else(|p| panic!("{p:#?}"));
    let assertion = &loaded.assertions[0];
    let answer = check(&loaded.model, assertion, &settings, &effort, &Unwatched).unwrap();
    let detail = match &answer.verdict {
        Verdict::Holds(_) => String::new(),
        Verdict::Violated(w) => {
            // The token's run leads to the same steps.
            if !answer.run.is_empty() {
                let again = rerun(&loaded.model, assertion, &answer.run).unwrap();
                assert_eq!(again.steps.len(), w.steps.len());
            }
            w.kind.clone()
        }
        Verdict::Unknown(limit) => limit.message.clone(),
    };
    (answer.verdict.word().into(), detail, answer.remarks)
}

#[track_caller]
fn check_both(text: &str, expected: (&str, &str)) {
    for settings in [Settings::default(), Settings::PLAIN] {
        let (verdict, detail, _) = decide(text, settings, Effort::default());
        assert_eq!((&*verdict, &*detail), expected, "{text}");
    }
}

#[test]
fn deadlock() {
    check_both("P() = a -> P(); #assert P() deadlockfree;", ("holds", ""));
    check_both("P() = a -> Skip; #assert P() deadlockfree;", ("holds", ""));
    check_both("P() = a -> Stop; #assert P() deadlockfree;", ("violated", "deadlock"));
    check_both("P() = a -> b -> P() || b -> a -> P(); #assert P() deadlockfree;", ("violated", "deadlock"));
}

#[test]
fn termination() {
    check_both("P() = a -> P(); #assert P() nonterminating;", ("holds", ""));
    check_both("P() = a -> Skip; #assert P() nonterminating;", ("violated", "termination"));
    check_both("P() = a -> Stop; #assert P() nonterminating;", ("violated", "deadlock"));
}

#[test]
fn divergence() {
    check_both("P() = a -> P(); #assert P() divergencefree;", ("holds", ""));
    check_both(
        "P() = a -> Q(); Q() = tau -> Q() [] b -> Stop; #assert P() divergencefree;",
        ("violated", "divergence"),
    );
    check_both(
        "P() = (a -> P()) \\ {a}; Q() = b -> P(); #assert Q() divergencefree;",
        (
            "unknown",
            "Process `P` keeps growing: each call leaves something to do after it, so there are infinitely many states.",
        ),
    );
    check_both(
        "var x = 0; P() = ||| i:{0..1}@Q(i); Q(i) = tau{x = 1 - x;} -> Q(i); #assert P() divergencefree;",
        ("violated", "divergence"),
    );
}

#[test]
fn determinism() {
    check_both("P() = a -> Stop [] b -> Skip; #assert P() deterministic;", ("holds", ""));
    check_both("P() = a -> Stop [] a -> Skip; #assert P() deterministic;", ("violated", "nondeterminism"));
    check_both("P() = a -> Stop [] a -> Stop; #assert P() deterministic;", ("holds", ""));
}

#[test]
fn reachability() {
    let model = "var x = 0; P() = [x < 5] up{x = x + 1;} -> P() [] [x > 0] down{x = x - 2;} -> P();";
    check_both(&format!("{model} #assert P() reaches x == 4;"), ("holds", ""));
    check_both(&format!("{model} #assert P() reaches x == 9;"), ("violated", "unreachable"));
    let best = |claim: &str| {
        decide(&format!("{model} #assert P() reaches {claim};"), Settings::default(), Effort::default()).2
    };
    assert_eq!(best("x > 1 with max(x * 2)"), ["the greatest value is 10"]);
    assert_eq!(best("true with min(x)"), ["the least value is -1"]);
}

#[test]
fn faults_are_violations_with_a_trace() {
    check_both(
        "var a[2]; var i = 0; P() = s{a[i] = 1; i++;} -> P(); #assert P() deadlockfree;",
        ("violated", "out-of-bounds"),
    );
    check_both(
        "var x = 2; P() = s{x--; x = 4 / x - 3;} -> P(); #assert P() deadlockfree;",
        ("violated", "division-by-zero"),
    );
    check_both(
        "var x:{0..2} = 0; P() = s{x++;} -> P(); #assert P() reaches x == 7;",
        ("violated", "out-of-range"),
    );
    check_both(
        "channel c[2] 1; var i = 2; P() = c[i]!1 -> P(); #assert P() deadlockfree;",
        ("violated", "channel-misuse"),
    );
}

#[test]
fn infinite_models_name_what_grows() {
    let effort = Effort { max_states: Some(5000), ..Effort::default() };
    let (verdict, why, _) = decide(
        "var x = 0; P() = a{x = x + 1;} -> P(); #assert P() deadlockfree;",
        Settings::default(),
        effort.clone(),
    );
    assert_eq!(verdict, "unknown");
    assert!(why.contains("The variable `x` keeps growing"), "{why}");
    // Processes pile up in more ways than a limit on their number would ever see.
    let doubling = "P() = a -> (P() ||| P()); #assert P() deadlockfree;";
    let (verdict, why, _) = decide(doubling, Settings::default(), effort.clone());
    assert_eq!(verdict, "unknown");
    assert!(why.contains("Process `P` starts more and more processes"), "{why}");
    let grows = |text: &str| {
        let (verdict, why, _) = decide(text, Settings::default(), Effort::default());
        assert_eq!(verdict, "unknown");
        assert!(why.contains("Process `P` keeps growing"), "{why}");
    };
    grows("P() = a -> (P(); b -> Skip); #assert P() deadlockfree;");
    grows("P() = a -> (P() ||| P()); #assert P() deadlockfree;");
}

#[test]
fn unguarded_recursion_cannot_be_built() {
    let loaded =
        load("t.csp", "P() = P() [] a -> Stop; #assert P() deadlockfree;", &|_| Err(String::new())).unwrap();
    let fault =
        check(&loaded.model, &loaded.assertions[0], &Settings::default(), &Effort::default(), &Unwatched)
            .unwrap_err();
    assert!(fault.message.contains("without taking a step"), "{}", fault.message);
}

#[test]
fn linearizability_by_type() {
    let counter = "var x = 0; var l[2];
        Right(i) = add_inv.i -> tau{x = x + 1;} -> add_res.i -> Read(i);
        Wrong(i) = add_inv.i -> tau{l[i] = x;} -> tau{x = l[i] + 1;} -> add_res.i -> Read(i);
        Read(i) = read_inv.i -> tau{l[i] = x;} -> read_res.i.l[i] -> Stop;
        R() = ||| i:{0..1}@Right(i); W() = ||| i:{0..1}@Wrong(i);";
    check_both(&format!("{counter} #assert R() linearizable counter;"), ("holds", ""));
    check_both(&format!("{counter} #assert W() linearizable counter;"), ("violated", "result"));
    let register = "var x = 3; var l[2];
        W(i) = write_inv.i.i -> tau{x = i;} -> write_res.i -> R(i);
        R(i) = read_inv.i -> tau{l[i] = x;} -> read_res.i.l[i] -> W(i);
        P() = R(0) ||| R(1);";
    check_both(&format!("{register} #assert P() linearizable register(3);"), ("holds", ""));
    check_both(&format!("{register} #assert P() linearizable register;"), ("violated", "result"));
    let (verdict, why, _) =
        decide("P() = hello -> P(); #assert P() linearizable queue;", Settings::default(), Effort::default());
    assert!(verdict == "unknown" && why.contains("neither a call"), "{why}");
    let (_, why, _) =
        decide("P() = a -> P(); #assert P() linearizable toaster;", Settings::default(), Effort::default());
    assert!(why.contains("no type `toaster`"), "{why}");
}

#[test]
fn workers_do_not_matter() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/stack/height.inc");
    let text = std::fs::read_to_string(path).unwrap();
    for (change, expected) in [("HL[i] == H", "holds"), ("true", "violated")] {
        let text =
            text.replace("ifa (HL[i] == H) { tau{H = H - 1;", &format!("ifa ({change}) {{ tau{{H = H - 1;"));
        let text = format!("#define N 2; #define SIZE 3; {text} #assert Stack() refines StackA();");
        let loaded = load("t.csp", &text, &|_| Err(String::new())).unwrap();
        let counts: Vec<_> = [1, 2, 4]
            .map(|jobs| {
                let effort = Effort { jobs, ..Effort::default() };
                let answer =
                    check(&loaded.model, &loaded.assertions[0], &Settings::PLAIN, &effort, &Unwatched)
                        .unwrap();
                assert_eq!(answer.verdict.word(), expected);
                match answer.verdict {
                    Verdict::Violated(w) => w.steps.iter().filter(|s| !s.what.starts_with('τ')).count(),
                    _ => answer.tally.pairs as usize,
                }
            })
            .to_vec();
        assert!(counts.iter().all(|c| *c == counts[0]), "{counts:?}");
    }
}
