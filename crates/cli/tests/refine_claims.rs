//! Every kind of assertion, both ways.

use lineal_check::refine::{Settings, check, rerun};
use lineal_lang::csp::load;
use lineal_model::{Counts, Effort, Limit, LimitKind, Observer, Unwatched, Verdict, Witness};
use std::ops::ControlFlow;

/// Verdict, and the witness's kind or the limit's message, of the one assertion.
fn decide(text: &str, settings: Settings, effort: Effort) -> (String, String, Vec<String>) {
    let loaded = load("t.csp", text, &|_| Err(String::new())).unwrap_or_else(|p| panic!("{p:#?}"));
    let assertion = &loaded.assertions[0];
    let answer = check(&loaded.model, assertion, &settings, &effort, &Unwatched).unwrap();
    let detail = match &answer.finding.verdict {
        Verdict::Holds(_) => String::new(),
        Verdict::Violated(w) => {
            // The token's run leads to the same steps.
            if !answer.run.is_empty() {
                let again = rerun(&loaded.model, assertion, &answer.run, None).unwrap();
                assert_eq!(again.steps.len(), w.steps.len());
            }
            w.kind.word().to_string()
        }
        Verdict::Unknown(limit) => limit.message.clone(),
    };
    (answer.finding.verdict.word().into(), detail, answer.finding.remarks)
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
        ("violated", "divergence"),
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
    let pile = "P() = a -> (P(); b -> Skip); #assert P() deadlockfree;";
    let (verdict, why, _) = decide(pile, Settings::default(), effort);
    assert_eq!(verdict, "unknown");
    assert!(why.contains("Process `P` leaves more and more to do after it"), "{why}");
}

/// Finite is finite, however deep or wide.
#[test]
fn deep_and_wide_models_are_decided() {
    let deep = "P(n) = ifa (n == 0) { Skip } else { a -> (P(n-1); b -> Skip) }; S() = P(400);";
    check_both(&format!("{deep} #assert S() deadlockfree;"), ("holds", ""));
    check_both(&format!("{deep} #assert S() nonterminating;"), ("violated", "termination"));
    let wide = "var n = 0; P() = ifa (n < 12) { a{n = n + 1;} -> (Skip ||| P()) } else { Skip };";
    check_both(&format!("{wide} #assert P() deadlockfree;"), ("holds", ""));
    check_both(&format!("{wide} #assert P() reaches n == 12;"), ("holds", ""));
    check_both(
        "var n = 0; P() = [n < 12] a{n = n + 1;} -> (Stop ||| P()); #assert P() deadlockfree;",
        ("violated", "deadlock"),
    );
    // Calls through 400 definitions, or 400 tests, are no recursion without end.
    let tests = "P(n) = ifa (n == 0) { a -> Stop } else { P(n-1) }; S() = P(400);";
    check_both(&format!("{tests} #assert S() deadlockfree;"), ("violated", "deadlock"));
    // Operators that cannot be put together.
    let nested = "P(n) = ifa (n == 0) { Skip } else { a -> (P(n-1) interrupt b -> Stop) }; S() = P(400);";
    check_both(&format!("{nested} #assert S() reaches true;"), ("holds", ""));
    let chain: String = (0..400).map(|i| format!("D{i}() = D{}();", i + 1)).collect();
    check_both(
        &format!("{chain} D400() = a -> Stop; #assert D0() nonterminating;"),
        ("violated", "deadlock"),
    );
}

/// Fused steps that part and meet again are followed once.
#[test]
fn chains_of_internal_choices_end_at_once() {
    for k in [12, 40] {
        let chain: String =
            (0..k).map(|i| format!("C{i}(i) = (tau -> C{0}(i)) <> (tau -> C{0}(i));", i + 1)).collect();
        let text = format!("{chain} C{k}(i) = done.i -> Skip; Sys() = ||| i:{{0..1}}@C0(i);");
        check_both(&format!("{text} #assert Sys() deadlockfree;"), ("holds", ""));
        check_both(&format!("{text} #assert Sys() divergencefree;"), ("holds", ""));
        let back = text.replace("done.i -> Skip", "tau -> C0(i)");
        check_both(&format!("{back} #assert Sys() divergencefree;"), ("violated", "divergence"));
    }
}

/// A process that needs its own steps to know its steps.
#[test]
fn unguarded_tests_are_unknown_and_hide_nothing() {
    let why = "Process `P` calls itself without taking a step in between.";
    check_both("var x = 0; P() = [x == 0] P(); #assert P() deadlockfree;", ("unknown", why));
    check_both(
        "P(n) = ifa (n >= 0) { P(n+1) } else { Skip }; S() = P(0); #assert S() deadlockfree;",
        ("unknown", why),
    );
    let beside = "var x = 0; P() = [x == 0] P() [] a -> b{x = 1;} -> Stop;";
    check_both(&format!("{beside} #assert P() deadlockfree;"), ("violated", "deadlock"));
    check_both(&format!("{beside} #assert P() reaches x == 1;"), ("holds", ""));
    check_both(&format!("{beside} #assert P() reaches x == 2;"), ("unknown", why));
}

#[test]
fn a_condition_is_looked_at_only_if_those_before_it_fail() {
    let text = "var a[3]; P(i) = case { i >= 3: x -> Skip a[i] == 0: y -> Skip default: z -> Skip };
        S() = P(3); T() = P(2); X() = x -> Skip; Y() = y -> Skip;";
    check_both(&format!("{text} #assert S() refines X();"), ("holds", ""));
    check_both(&format!("{text} #assert T() refines Y();"), ("holds", ""));
    let shared = text.replace("(i) =", "() =").replace("P(3)", "P()").replace("P(2)", "P()");
    check_both(&format!("var i = 3; {shared} #assert S() refines X();"), ("holds", ""));
    let wrong = "var a[3]; var i = 3; P() = case { a[i] == 0: y -> Skip i >= 3: x -> Skip default: Skip };";
    check_both(&format!("{wrong} #assert P() deadlockfree;"), ("violated", "out-of-bounds"));
}

#[test]
fn messages_of_another_size_do_not_match() {
    let text = "channel c 2; channel d 0; P() = c!1.2 -> c?x -> Stop;
        Q() = c!1.2 -> (c?x -> Stop [] c?x.y -> good.x.y -> Skip);
        R() = d!1.2 -> Skip ||| (d?x -> Stop [] d?x.y -> good.x.y -> Skip);";
    check_both(&format!("{text} #assert P() deadlockfree;"), ("violated", "deadlock"));
    check_both(&format!("{text} #assert Q() deadlockfree;"), ("holds", ""));
    check_both(&format!("{text} #assert R() deadlockfree;"), ("holds", ""));
}

/// What other runs do decides only if the goal is not reached.
#[test]
fn a_fault_elsewhere_does_not_decide_what_is_reached() {
    for (first, then) in [("t", "u -> v"), ("t -> t -> t", "u")] {
        let text = format!(
            "var x = 0; var a[1]; P() = {first}{{x = 1 / x;}} -> Skip [] {then} -> g{{x = 5;}} -> Stop;"
        );
        check_both(&format!("{text} #assert P() reaches x == 5;"), ("holds", ""));
        check_both(&format!("{text} #assert P() reaches x == 6;"), ("violated", "division-by-zero"));
        let best = format!("{text} #assert P() reaches x >= 0 with max(x);");
        check_both(&best, ("holds", ""));
        let (_, _, remarks) = decide(&best, Settings::default(), Effort::default());
        assert_eq!(remarks, ["the greatest value is 5", "some run ends in a fault: 1 is divided by zero"]);
        // Where the goal has no value it is not reached, but perhaps elsewhere.
        check_both(&format!("{text} #assert P() reaches x == 5 || a[x] == 7;"), ("holds", ""));
        let (verdict, why, _) =
            decide(&format!("{text} #assert P() reaches a[x] == 7;"), Settings::default(), Effort::default());
        assert!(verdict == "unknown" && why.contains("cannot be evaluated"), "{verdict} {why}");
    }
    // A fault in a step that is taken together with the one before it.
    let local = "var x[2]; P(k) = go.k -> tau{x[k] = 1 / x[k];} -> Stop; S() = |||k:{0..1}@P(k);";
    check_both(&format!("{local} #assert S() deadlockfree;"), ("violated", "division-by-zero"));
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

/// The choice of `<>` is a step.
#[test]
fn a_process_may_call_itself_in_an_internal_choice() {
    let text = "P() = a -> P() <> P(); A() = a -> A();";
    check_both(&format!("{text} #assert P() refines A();"), ("holds", ""));
    check_both(&format!("{text} #assert A() refines<F> P();"), ("holds", ""));
    check_both(&format!("{text} #assert P() deadlockfree;"), ("holds", ""));
    check_both(&format!("{text} #assert P() divergencefree;"), ("violated", "divergence"));
    check_both(&format!("{text} #assert P() refines<FD> A();"), ("violated", "divergence"));
    let mutual = "P() = a -> P() <> (Q() [] b -> Stop); Q() = c -> Q() <> P();";
    check_both(&format!("{mutual} #assert P() deadlockfree;"), ("violated", "deadlock"));
    check_both(&format!("{mutual} #assert P() divergencefree;"), ("violated", "divergence"));
    // Counting by choice alone: what is chosen is unfolded when it is chosen.
    let counting = "P(i) = a.i -> Stop <> [i < 3] P(i+1); S() = P(0); A() = [] i:{0..3}@(a.i -> Stop);";
    check_both(&format!("{counting} #assert S() refines A();"), ("holds", ""));
    check_both(&format!("{counting} #assert A() refines S();"), ("holds", ""));
    let indexed =
        "P(n) = a.n -> Skip <> (<> i:{0..n-1}@P(i)); S() = P(3); A() = a.1 -> Skip; B() = a.3 -> Skip;";
    check_both(&format!("{indexed} #assert A() refines S();"), ("holds", ""));
    check_both(&format!("{indexed} #assert S() refines B();"), ("violated", "trace"));
}

/// A run is numbers of moves, and means the same to a process that has seen nothing else: the order of
/// operands does not depend on what was met first.
#[test]
fn a_run_is_the_same_elsewhere() {
    let text = "R() = r -> Stop; Q() = q -> Q(); C() = R() [] Q(); S() = x -> n -> Q() [] y -> m -> C();
        T() = q -> T(); Spec() = x -> n -> T() [] y -> m -> T(); #assert S() refines Spec();";
    let loaded = load("t.csp", text, &|_| Err(String::new())).unwrap();
    let (model, assertion) = (&loaded.model, &loaded.assertions[0]);
    let found = check(model, assertion, &Settings::default(), &Effort::default(), &Unwatched).unwrap();
    let Verdict::Violated(witness) = found.finding.verdict else { panic!("r is not allowed") };
    let again = rerun(model, assertion, &found.run, None).unwrap();
    let events = |w: &Witness| w.steps.iter().map(|s| s.what.clone()).collect::<Vec<_>>();
    assert_eq!(events(&witness), ["y", "m", "r"]);
    assert_eq!(events(&again), events(&witness));
}

/// Says stop when there are too many states.
struct Impatient;

impl Observer for Impatient {
    fn progress(&self, counts: Counts) -> ControlFlow<Limit> {
        match counts.states {
            0..2_000 => ControlFlow::Continue(()),
            _ => ControlFlow::Break(Limit::new(LimitKind::Interrupt, "Enough.")),
        }
    }
}

/// Reduced there are a handful of states, unreduced many thousand: running the violation again is
/// watched, and an end to that says nothing about what was found.
#[test]
fn a_recheck_that_cannot_be_finished_is_a_limit() {
    let text = format!(
        "W() = {}Stop; P() = |||{{3}}@W(); #assert P() deadlockfree; #assert P() divergencefree;",
        "tau -> ".repeat(20)
    );
    let loaded = load("t.csp", &text, &|_| Err(String::new())).unwrap();
    let ask = |n: usize, watch: &dyn Observer| {
        check(&loaded.model, &loaded.assertions[n], &Settings::default(), &Effort::default(), watch).unwrap()
    };
    assert_eq!(ask(0, &Unwatched).finding.verdict.word(), "violated");
    let checked = ask(0, &Impatient);
    assert!(checked.tally.states < 100, "{}", checked.tally.states);
    let Verdict::Unknown(limit) = checked.finding.verdict else { panic!("not finished") };
    assert_eq!(limit.kind, LimitKind::Interrupt);
    assert!(limit.covered.starts_with("A violation was found"), "{}", limit.covered);
    assert_eq!(ask(1, &Impatient).finding.verdict.word(), "holds", "nothing to run again");
}

/// With `hvar` the search may walk where no run does: that is said, and is no violation.
#[test]
fn what_only_hidden_variables_make_is_unknown() {
    let text = "hvar h = 0; P() = a{h = 1;} -> Q() [] b -> Q(); Q() = c -> R(); R() = [h == 1] bad -> Stop [] ok -> R();
        S() = a -> c -> T() [] b -> c -> U(); T() = bad -> Stop [] ok -> T(); U() = ok -> U();
        #assert P() refines S();";
    let why = "What was found is no run of the model: states that differ only in `hvar` variables were taken for the same.";
    check_both(text, ("unknown", why));
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

/// Calls that never return may have taken effect; and all processes may end.
#[test]
fn linearizability_of_runs_that_end() {
    for end in ["Skip", "Stop"] {
        let text = format!("S() = read_inv.0 -> read_res.0.0 -> {end}; #assert S() linearizable");
        check_both(&format!("{text} register;"), ("holds", ""));
        check_both(&format!("{text} register(1);"), ("violated", "result"));
        check_both(&format!("S() = read_inv.0 -> {end}; #assert S() linearizable register;"), ("holds", ""));
        // The write never answers; the second removal explains the empty queue.
        let written = format!(
            "var x = 0; W() = write_inv.0.1 -> tau{{x = 1;}} -> {end};
             R() = read_inv.1 -> (ifa (x == 1) {{ read_res.1.1 -> {end} }} else {{ read_res.1.0 -> {end} }});
             S() = W() ||| R(); #assert S() linearizable register;"
        );
        check_both(&written, ("holds", ""));
        let removed = format!(
            "var n = 0; E() = enqueue_inv.0.7 -> tau{{n = 1;}} -> enqueue_res.0 -> {end};
             D() = [n == 1] dequeue_inv.1 -> tau{{n = 2;}} -> {end};
             F() = [n == K] dequeue_inv.2 -> dequeue_res.2 -> {end};"
        );
        let with = |k: &str, system: &str| {
            format!("{} S() = {system}; #assert S() linearizable queue;", removed.replace('K', k))
        };
        check_both(&with("2", "E() ||| D() ||| F()"), ("holds", ""));
        check_both(&with("1", "E() ||| [n == 1] F()"), ("violated", "result"));
    }
}

#[test]
fn linearizability_of_types_with_hyphens() {
    let text = "var x = 0; var ok[2];
        C(i) = cas_inv.i.0.1 -> tau{ if (x == 0) { x = 1; ok[i] = 1; } } -> cas_res.i.(ok[i]) -> Skip;
        B(i) = cas_inv.i.0.1 -> tau{ if (x == 0) { ok[i] = 1; } } -> tau{x = 1;} -> cas_res.i.(ok[i]) -> Skip;
        S() = |||i:{0..1}@C(i); T() = |||i:{0..1}@B(i);";
    check_both(&format!("{text} #assert S() linearizable cas-register;"), ("holds", ""));
    check_both(&format!("{text} #assert T() linearizable cas-register;"), ("violated", "result"));
    check_both(&format!("{text} #assert S() linearizable cas-register(3);"), ("violated", "result"));
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
                assert_eq!(answer.finding.verdict.word(), expected);
                match answer.finding.verdict {
                    Verdict::Violated(w) => w.steps.iter().filter(|s| !s.what.starts_with('τ')).count(),
                    _ => answer.tally.pairs as usize,
                }
            })
            .to_vec();
        assert!(counts.iter().all(|c| *c == counts[0]), "{counts:?}");
    }
}
