//! What the language means, construct by construct: small models and what must come out, with every
//! reduction and with none.

use lineal_check::refine::{Settings, check};
use lineal_lang::csp::load;
use lineal_model::{Effort, Unwatched, Verdict};

fn verdicts(text: &str, settings: Settings) -> Vec<String> {
    let loaded = load("t.csp", text, &|_| Err(String::new())).unwrap_or_else(|p| panic!("{text}\n{p:#?}"));
    let said = |assertion| {
        let checked = check(&loaded.model, assertion, &settings, &Effort::default(), &Unwatched).unwrap();
        match checked.finding.verdict {
            Verdict::Unknown(limit) => format!("unknown: {}", limit.message),
            verdict => verdict.word().to_string(),
        }
    };
    loaded.assertions.iter().map(said).collect()
}

/// Every assertion holds, unless it is said to be violated by a `!` before it.
#[track_caller]
fn means(model: &str, assertions: &[&str]) {
    let bare = |a: &&str| a.trim_start_matches('!').to_string();
    let asserted: String = assertions.iter().map(|a| format!("#assert {};\n", bare(a))).collect();
    let text = format!("{model}\n{asserted}");
    let expected: Vec<&str> =
        assertions.iter().map(|a| if a.starts_with('!') { "violated" } else { "holds" }).collect();
    for settings in [Settings::default(), Settings::PLAIN] {
        assert_eq!(verdicts(&text, settings), expected, "{settings:?}\n{text}");
    }
}

#[track_caller]
fn refused(text: &str, code: &str, part: &str) {
    let problems = load("t.csp", text, &|_| Err(String::new())).expect_err(text);
    let found = problems.iter().any(|p| p.code == code && p.message.contains(part));
    assert!(found, "{text}\n{problems:#?}");
}

#[test]
fn arrays_are_values() {
    means(
        "var a = [1, 2, 3]; var b[3]; P() = x{b = a; a[0] = 7;} -> Stop;",
        &[
            "P() reaches b == [1, 2, 3] && a[0] == 7",
            "!P() reaches b == a && a[0] == 7",
            "P() reaches a != b",
        ],
    );
    // Every element is read before any is stored.
    means(
        "var a = [1, 2]; P() = x{a = [a[1], a[0]];} -> Stop;",
        &["P() reaches a == [2, 1]", "!P() reaches a == [2, 2]"],
    );
    // Parameters, passed on and indexed.
    means(
        "var s = 0; Q(l, i) = [i < 3] x.(l[i]){s = s + l[i];} -> Q(l, i + 1) [] [i == 3] done -> Stop;
         P() = Q([4, 5..6], 0); var g = [1(3)]; R() = Q(g, 0);",
        &["P() reaches s == 15 with max(s)", "R() reaches s == 3 with max(s)", "!R() reaches s == 4"],
    );
    // Messages.
    means(
        "channel c 1; var a = [3..1]; var b[3]; var k = 0;
         P() = c!a.9 -> Stop; Q() = c?l.n{b = l; k = n + l[2];} -> Stop; S() = P() ||| Q();",
        &["S() reaches b == a && k == 10", "!S() reaches k == 9"],
    );
    // Variables of a block.
    means(
        "var x = 0; var i = 1; P() = e{var t[3]; t[i] = 5; t[i + 1] = t[i] + 1; var u = t; x = u[0] + u[1] + u[2];} -> Stop;",
        &["P() reaches x == 11"],
    );
}

#[test]
fn what_is_no_array_is_refused() {
    refused("var a[2]; Q(x) = Stop; P() = Q(a) [] Q(1);", "L0229", "none");
    refused("var a[2]; var b[3]; Q(x) = Stop; P() = Q(a) [] Q(b);", "L0229", "arrays of 2 and of 3");
    refused("var a[2]; P() = x{a = 1;} -> Stop;", "L0229", "whole array");
    refused("var a[2]; P() = x{a = [1, 2, 3];} -> Stop;", "L0229", "3 elements");
    refused("var a[2]; P() = [a == 1] x -> Stop;", "L0229", "compared");
    refused("var a[2]; P() = [a + 1 > 0] x -> Stop;", "L0223", "array");
    refused("Q(l) = x{l[0] = 1;} -> Stop; P() = Q([1, 2]);", "L0223", "`l`");
}

#[test]
fn an_index_outside_an_array_is_a_fault() {
    means(
        "var i = 2; Q(l) = x.(l[i]) -> Stop; P() = Q([1, 2]); R() = e{var t[2]; t[i] = 1;} -> Stop;",
        &["!P() nonterminating", "!R() reaches i == 3", "!P() reaches i == 3"],
    );
}

#[test]
fn ranges_may_be_open() {
    means(
        "var x:{0..}; var y:{..5}; P() = up{x = x + 1;} -> Stop; Q() = down{x = x - 1;} -> Stop;
         R() = [y < 7] a{y = y + 1;} -> R(); Fine() = a{y = -3;} -> b -> Fine();",
        &["P() reaches x == 1", "!Q() divergencefree", "!R() divergencefree", "Fine() deadlockfree"],
    );
    means("var x:{..-2}; var y:{3..}; P() = a -> P();", &["P() reaches x == -2 && y == 3"]);
}

#[test]
fn ranges_may_count_down() {
    means(
        "var a = [3..1]; var n = 0; P() = ||| i:{2..0}@(x.i{n = n + 1;} -> Skip); Q() = ||| i:{1..0}@(y -> Stop);",
        &[
            "P() reaches n == 3",
            "P() reaches a[0] == 3 && a[2] == 1",
            "Q() deadlockfree",
            "!P() reaches n == 4",
        ],
    );
}

#[test]
fn assignments_have_values() {
    means(
        "var x = 1; var y = 0; var z = 0; P() = e{y = x++; z = y-- + y;} -> Stop;",
        &["P() reaches x == 2 && y == 1 && z == 2"],
    );
    means(
        "var x = 1; var y = 0; P() = e{x += 4; x *= 3; x -= 1; x /= 2; y = x %= 4;} -> Stop;",
        &["P() reaches x == 3 && y == 3"],
    );
    means(
        "var i = 0; var n = 0; P() = e{while (i++ < 3) { n = n + 1; }} -> Stop;",
        &["P() reaches i == 3 && n == 2"],
    );
    means(
        "var x = 0; var y = 0; P() = e{x = y = 4; if ((y = 2) == 2) { x = x + y; }} -> Stop;",
        &["P() reaches x == 6 && y == 2"],
    );
    refused("var x = 0; P() = e{x = x > 0 && x++ > 0;} -> Stop;", "L0228", "assigned");
    refused("var x = 0; P() = [x++ > 0] e -> Stop;", "L0228", "assigned");
}

#[test]
fn functions_of_the_mathematics_library() {
    means(
        "#import \"PAT.Math\"; var x = 0;
         P() = e{x = call(max, 2, call(min, 9, 7)) * 100 + call(abs, -3) * 10 + call(pow, 2, 3);} -> Stop;",
        &["P() reaches x == 738"],
    );
    // A macro of the same name comes first.
    means("#define max(a, b) a; var x = 0; P() = e{x = call(max, 1, 2);} -> Stop;", &["P() reaches x == 1"]);
    refused("#import \"PAT.Lib.Set\"; P() = Stop;", "L0210", "`PAT.Lib.Set`");
    refused("var x = 0; P() = e{x = call(max, 1);} -> Stop;", "L0221", "`max` takes 2 arguments");
}

#[test]
fn processes_are_counted() {
    let model = "Idle() = take -> Busy(); Busy() = give -> Idle(); Named(i) = on.i -> Off(i); Off(i) = off.i -> Named(i);
                 Sys() = |||{3}@Idle(); Two() = ||| i:{0..1}@Named(i);
                 #define atmost #Busy() <= 2;";
    means(
        model,
        &[
            "Sys() reaches #Busy() == 3 && #Idle() == 0",
            "!Sys() reaches #Busy() == 4",
            "Sys() reaches #Idle() >= 0 with max(#Busy())",
            "!Sys() |= [] atmost",
            "Two() reaches #Off(0) == 1 && #Off(1) == 0",
            "Two() reaches #Off(1) == 1 && #Off(0) == 0",
            "!Two() reaches #Off(1) == 2",
        ],
    );
    refused("Q() = Stop; P() = [#Q() > 0] a -> Stop;", "L0223", "counted");
}

/// PAT goes on with `Skip` after an internal step.
#[test]
fn a_case_that_fits_nothing_is_skip() {
    means(
        "var x = 0; P() = case { x > 0: a -> Stop }; c -> Stop; Q() = c -> Stop;",
        &["P() refines Q()", "Q() refines P()", "!P() deadlockfree"],
    );
}

#[test]
fn annotations_of_events_are_about_runs() {
    let model = "var x = 0; #define one x == 1; #define two x == 2;
        Idle() = a -> Idle() [] b -> Idle(); Weak() = a -> Weak() [] wf(b) -> Weak();
        Off() = a -> c -> Off() [] b -> Off(); On() = a -> c -> On() [] wf(b) -> On();
        Strong() = a -> c -> Strong() [] sf(b) -> Strong();
        Both() = (wf(a), sf(b.(1 + x)%3)) -> Both();
        Live() = wl(b) -> Live(); Again() = sl(b) -> Again(); Now() = sf(b) -> Now();
        Other() = a -> Other() [] b -> Other(); Turns() = a -> b -> Turns() [] c -> Turns();
        Waits() = Live() || Other(); Meets() = Again() || Turns(); Fair() = Now() || Turns();
        Set() = wf(b){x = 2;} -> Stop [] a -> Set();";
    means(
        model,
        &[
            "!Idle() |= []<> b",
            "Weak() |= []<> b",
            "!On() |= []<> b",
            "Strong() |= []<> b",
            "!Weak() |= []<> a",
            "Both() |= []<> b.1",
            "Waits() |= []<> b",
            "Meets() |= []<> b",
            // Ready all along, enabled only after `a`.
            "!Fair() |= []<> b",
            "Set() |= <> two",
        ],
    );
    refused("P() = wf(tau) -> P();", "L0212", "`wf(…)`");
    refused("channel c 1; P() = sl(c!1) -> P();", "L0212", "`sl(…)`");
    refused("P() = a -> P() \\ {wf(a)};", "L0202", "annotation");
    // Whether a hidden event happens is nobody's to say.
    let hidden = "P() = (wf(a) -> P()) [] b -> P(); Q() = P() \\ {a};\n#assert Q() |= []<> b;";
    assert!(verdicts(hidden, Settings::default())[0].starts_with("unknown: An event that is annotated"));
    // Ready for what never comes: no run counts, and it is said that the claim is empty.
    let never = "L() = wl(b) -> L(); A() = a -> A(); N() = Stop; M() = L() || N() || A();
                 #alphabet N {b};\n#assert M() |= <> b;";
    let loaded = load("t.csp", never, &|_| Err(String::new())).unwrap();
    let settings = Settings::default();
    let checked = check(&loaded.model, &loaded.assertions[0], &settings, &Effort::default(), &Unwatched);
    let Verdict::Holds(scope) = checked.unwrap().finding.verdict else { panic!("no run counts") };
    assert_eq!(scope.vacuous.len(), 1);
    means("wf(i) = a.i -> Stop; P() = wf(1) [] b -> Stop;", &["!P() deadlockfree"]);
}

#[test]
fn a_mark_at_the_beginning_is_no_text() {
    means("\u{feff}P() = a -> P();", &["P() deadlockfree"]);
}

#[test]
fn equal_processes_are_told_apart_by_nobody() {
    let model = "var x = 0; P() = [x < 9] a{x = x + 1;} -> b{x = x - 1;} -> P(); Sys() = |||{6}@P();";
    let text = format!("{model}\n#assert Sys() deadlockfree;");
    let loaded = load("t.csp", &text, &|_| Err(String::new())).unwrap();
    let states = |settings| {
        let effort = Effort::default();
        check(&loaded.model, &loaded.assertions[0], &settings, &effort, &Unwatched).unwrap().tally.states
    };
    // How many of six are between `a` and `b`, and which.
    assert_eq!((states(Settings::default()), states(Settings::PLAIN)), (7, 64));
}

/// Seven processes that differ in their number: more than are tried in every order.
#[test]
fn many_exchangeable_processes() {
    let model = "#define N 7; var at[N]; var last = -1;
                 P(i) = [at[i] == 0] in.i{at[i] = 1; last = i;} -> out.i{at[i] = 2; if (last == i) { last = -1; }} -> Stop;
                 Sys() = ||| i:{0..N-1}@P(i);";
    let text = format!("{model}\n#assert Sys() divergencefree;");
    let loaded = load("t.csp", &text, &|_| Err(String::new())).unwrap();
    let run = |settings| {
        let checked =
            check(&loaded.model, &loaded.assertions[0], &settings, &Effort::default(), &Unwatched).unwrap();
        (checked.finding.verdict.word(), checked.tally.states)
    };
    let (all, none) = (run(Settings::default()), run(Settings::PLAIN));
    assert_eq!((all.0, none.0), ("holds", "holds"));
    assert!(all.1 < 200 && none.1 > 2_000, "{all:?} {none:?}");
}
