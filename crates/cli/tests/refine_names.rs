//! Models that look symmetric, or nearly are: what each says, under every combination of
//! reductions, is what follows from its text.

use lineal_check::refine::{Settings, check};
use lineal_lang::csp::load;
use lineal_model::{Effort, Unwatched, Verdict};

/// The words of all verdicts, and values of `min` and `max`.
#[track_caller]
fn decide(text: &str, expected: &[&str]) {
    let loaded = load("t.csp", text, &|_| Err(String::new())).unwrap_or_else(|p| panic!("{text}\n{p:#?}"));
    assert_eq!(loaded.assertions.len(), expected.len());
    for (assertion, expected) in loaded.assertions.iter().zip(expected) {
        for bits in 0..16 {
            let settings = Settings {
                antichain: bits & 1 != 0,
                symmetry: bits & 2 != 0,
                reset: bits & 4 != 0,
                fuse: bits & 8 != 0,
                ..Settings::default()
            };
            let effort = Effort { jobs: 1 + bits % 3, ..Effort::default() };
            let answer = check(&loaded.model, assertion, &settings, &effort, &Unwatched).unwrap();
            let mut said = answer.finding.verdict.word().to_string();
            if let Verdict::Unknown(limit) = &answer.finding.verdict {
                panic!("{bits:04b} {}: {}\n{text}", assertion.text, limit.message);
            }
            for remark in &answer.finding.remarks {
                said.extend(remark.split_once("value is ").map(|(_, n)| format!(" {n}")));
            }
            assert_eq!(said, *expected, "{bits:04b} {}\n{text}", assertion.text);
        }
    }
}

#[test]
fn constant_indices_name_a_process() {
    decide(
        "var a[2]; P(i) = w{a[i] = 1;} -> Stop; Sys() = ||| i:{0..1}@P(i);
         #assert Sys() reaches a[0] == 0 && a[1] == 1;
         #assert Sys() reaches a[0] + a[1] == 1 with max(a[1]);
         #assert Sys() reaches a[0] + a[1] == 1 with min(a[1]);
         #assert Sys() reaches (&& i:{0..1}@(a[i] == 1));",
        &["holds", "holds 1", "holds 0", "holds"],
    );
    // In two dimensions, and by one index through both.
    decide(
        "var m[2][2]; P(i) = w{m[i][1 - i] = 1;} -> Stop; Q(i) = w{m[i][i] = 1;} -> Stop;
         S() = ||| i:{0..1}@P(i); T() = ||| i:{0..1}@Q(i);
         #assert S() reaches m[0][1] == 0 && m[1][0] == 1;
         #assert T() reaches m[0][0] == 0 && m[1][1] == 1;
         #assert T() reaches m[3] == 1 && m[0] == 0;
         #assert T() reaches m[1] == 1;",
        &["holds", "holds", "holds", "violated"],
    );
    // A name in a variable, asked for by number.
    decide(
        "#define NONE -1; var last = NONE; var first = NONE;
         P(i) = w{ if (first == NONE) { first = i; } last = i; } -> Stop; Sys() = ||| i:{0..2}@P(i);
         #assert Sys() reaches first == 2 && last == 0;
         #assert Sys() reaches first == 1 with max(last);
         #assert Sys() reaches first == last && first == 2;
         #assert Sys() reaches last != NONE && first == NONE;",
        &["holds", "holds 2", "holds", "violated"],
    );
}

#[test]
fn rounds_of_a_loop_that_meet_in_a_cell() {
    let text = |body: &str, then: &str| {
        format!(
            "#define NONE -1; var m[2][2]; var a[2]; var b[2]; var last = NONE;
             P(i) = ifa (last == NONE) {{ f{{last = i;}} -> Stop }}
                 else {{ g{{ var j = 0; while (j < 2) {{ {body} j = j + 1; }} }} -> {then} -> Stop }};
             Sys() = ||| i:{{0..1}}@P(i);"
        )
    };
    let see = |n: i32| format!("T{n}() = f -> g -> see.{n} -> Stop; #assert Sys() refines T{n}();");
    let two = text("m[j][i] = 1; m[last][j] = 2;", "see.m[last][i]");
    decide(&format!("{two} {} {}", see(1), see(2)), &["violated", "violated"]);
    // `i` writes its own number last, or first: the other is the first process.
    let own = text("a[i] = j; b[j] = a[i];", "see.b[i]");
    decide(&format!("{own} {} {}", see(0), see(1)), &["violated", "violated"]);
    let fixed = text("a[j] = a[0] + 1;", "see.a[i]");
    decide(&format!("{fixed} {} {}", see(1), see(2)), &["violated", "violated"]);
    // These do commute.
    let apart = text("m[j][i] = 1; if (j != i) { m[j][i] = 2; }", "see.m[last][i]");
    decide(&format!("{apart} {} {}", see(1), see(2)), &["violated", "holds"]);
    let shared = text("a[j] = m[i][i]; b[j] = a[j] + 2;", "see.b[last]");
    decide(&format!("{shared} {}", see(2)), &["holds"]);
}

#[test]
fn a_counter_behind_its_loop() {
    let text = |n: i32| {
        format!(
            "#define NONE -1; var w = NONE; var a[2];
             P(i) = go{{ var j = 0; while (j < {n}) {{ a[j] = 1; j = j + 1; }} w = j; }} -> see.w -> Stop;
             Sys() = ||| i:{{0..1}}@P(i);
             #assert Sys() reaches w == 0; #assert Sys() reaches w == 1; #assert Sys() reaches w == 2;"
        )
    };
    decide(&text(0), &["holds", "violated", "violated"]);
    decide(&text(1), &["violated", "holds", "violated"]);
    decide(&text(2), &["violated", "violated", "holds"]);
}

#[test]
fn equal_components_under_different_operators() {
    let text = "A(i) = a.i -> Stop; C() = [] k:{0..1}@(e.k -> Stop);
        Sys() = ||| i:{0..1}@((A(i) ||| C()) \\ {e.i});
        S() = ([] x:{0..1}@(e.x -> T(x))) [] ([] y:{0..1}@(a.y -> S()));
        U() = [] y:{0..1}@(a.y -> U());";
    decide(
        &format!(
            "{text} T(x) = ([] y:{{0..1}}@(a.y -> T(x))) [] ([] y:{{0..1}}@([y != x] e.y -> U()));
             #assert Sys() refines S();"
        ),
        &["holds"],
    );
    decide(
        &format!(
            "{text} T(x) = ([] y:{{0..1}}@(a.y -> T(x))) [] (e.x -> U());
             #assert Sys() refines S();"
        ),
        &["violated"],
    );
    // Two groups of the same processes, one of them behind a curtain.
    decide(
        "P(i) = p.i -> q -> Stop; Sys() = ((||| i:{0..1}@P(i)) \\ {q}) ||| (||| i:{0..1}@P(i));
         S(n) = [n < 2] q -> S(n+1) [] ([] y:{0..1}@(p.y -> S(n))); T(n) = [n < 1] q -> T(n+1) [] ([] y:{0..1}@(p.y -> T(n)));
         #assert Sys() refines S(0); #assert Sys() refines T(0);",
        &["holds", "violated"],
    );
}

#[test]
fn names_that_go_where_they_are_numbers() {
    // Through parameters, arithmetic and order.
    decide(
        "var x = 0; P(i) = Q(i, i + 1); Q(i, k) = go.i{x = k;} -> Stop; Sys() = ||| i:{0..1}@P(i);
         #assert Sys() reaches x == 2; #assert Sys() reaches x == 3;",
        &["holds", "violated"],
    );
    decide(
        "var t = 0; P(i) = [i == t] go.i{t = t + 1;} -> Stop; Sys() = ||| i:{0..2}@P(i);
         S() = go.0 -> go.1 -> go.2 -> Stop; R() = go.1 -> go.0 -> go.2 -> Stop;
         #assert Sys() refines S(); #assert Sys() refines R(); #assert Sys() reaches t == 3;",
        &["holds", "violated", "holds"],
    );
    decide(
        "var a[2]; P(i) = if (i > 0) { hi -> Stop } else { lo -> Stop }; Sys() = ||| i:{0..1}@P(i);
         S() = hi -> lo -> Stop [] lo -> hi -> Stop; R() = hi -> hi -> Stop;
         #assert Sys() refines S(); #assert Sys() refines R();",
        &["holds", "violated"],
    );
    // As truth values.
    decide(
        "var w = -1; P(i) = [i] go.i{w = i;} -> Stop; Sys() = ||| i:{0..1}@P(i);
         #assert Sys() reaches w == 1; #assert Sys() reaches w == 0;",
        &["holds", "violated"],
    );
    // Initial values that tell processes apart.
    decide(
        "var a = [0, 1]; P(i) = go.a[i] -> Stop; Sys() = ||| i:{0..1}@P(i); O() = go.0 -> Stop;
         #assert Sys() refines O(); #assert Sys() reaches a[0] == 1;",
        &["violated", "violated"],
    );
    decide(
        "var nx = [1, 0]; P(i) = go{nx[i] = nx[nx[i]];} -> see.i.nx[i] -> Stop; Sys() = ||| i:{0..1}@P(i);
         #assert Sys() reaches nx[0] == 0 && nx[1] == 0; #assert Sys() reaches nx[0] == 1 && nx[1] == 1;
         #assert Sys() reaches nx[0] == 1 && nx[1] == 0 with max(nx[1]);",
        &["holds", "holds", "holds 0"],
    );
    // A range that does not hold all names.
    decide(
        "var w:{-1..1} = -1; P(i) = go.i{w = i;} -> Stop; Sys() = ||| i:{0..2}@P(i);
         #assert Sys() deadlockfree; #assert Sys() reaches w == 1;",
        &["violated", "holds"],
    );
}

#[test]
fn names_in_messages() {
    decide(
        "channel c 2; var w = -1; P(i) = c!i -> Stop; Q() = c?x -> c?y -> got{w = x;} -> Stop;
         Sys() = (||| i:{0..1}@P(i)) ||| Q();
         #assert Sys() reaches w == 0; #assert Sys() reaches w == 1; #assert Sys() reaches call(cpeek, c) == 1;",
        // Before the first message there is none to look at; where there is, it may be 1.
        &["holds", "holds", "holds"],
    );
    decide(
        "channel c[2] 0; P(i) = c[i]!i -> Stop; Q(i) = c[i]?x -> got.x -> Stop;
         Sys() = (||| i:{0..1}@P(i)) ||| (||| i:{0..1}@Q(1 - i)); S() = got.0 -> Stop;
         #assert Sys() refines S(); #assert Sys() deadlockfree;",
        &["violated", "violated"],
    );
}

#[test]
fn names_of_callers() {
    // The second caller finds the value of the first, not its own.
    let text = |check: &str| {
        format!(
            "#define NONE -1; var owner = NONE; var got[2];
             C(i) = write_inv.i.(1) -> tau{{ if (owner == NONE) {{ owner = i; }} }} -> write_res.i
                 -> read_inv.i -> tau{{ if (owner {check} i) {{ got[i] = 1; }} }} -> read_res.i.(got[i]) -> Skip;
             Sys() = ||| i:{{0..1}}@C(i); #assert Sys() linearizable register;"
        )
    };
    decide(&text("=="), &["violated"]);
    decide(&text("!= NONE && i =="), &["holds"]);
    // Arguments that are names: there is no symmetry to use.
    decide(
        "var x = 0; var l[2]; C(i) = write_inv.i.i -> tau{x = i;} -> write_res.i -> read_inv.i -> tau{l[i] = x;}
             -> read_res.i.(l[i]) -> Skip;
         D(i) = write_inv.i.i -> tau{x = 1;} -> write_res.i -> read_inv.i -> tau{l[i] = x;} -> read_res.i.(l[i]) -> Skip;
         S() = ||| i:{0..1}@C(i); T() = ||| i:{0..1}@D(i);
         #assert S() linearizable register; #assert T() linearizable register;",
        &["holds", "violated"],
    );
}

#[test]
fn what_is_not_told_apart_is_left_alone() {
    decide(
        "hvar h = 0; var a[2]; P(i) = go.i{h = h + 1; a[i] = 1;} -> end.i -> Stop; Sys() = ||| i:{0..1}@P(i);
         #assert Sys() deadlockfree; #assert Sys() reaches a[0] == 1; #assert Sys() reaches h == 2;",
        &["violated", "holds", "holds"],
    );
}
