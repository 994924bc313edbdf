//! Wrong CSP#: a clear message each, several per run, and never a crash.

use lineal_lang::csp::load;

fn problems(text: &str) -> Vec<String> {
    let include = |name: &str| match name {
        "self.csp" => Ok("#include \"self.csp\"\n".to_string()),
        _ => Err("no such file".to_string()),
    };
    match load("t.csp", text, &include) {
        Ok(_) => Vec::new(),
        Err(problems) => problems
            .iter()
            .map(|p| {
                let at = p.at.as_ref().expect("a place");
                format!("{}:{} {} {}", at.line, at.column, p.code, p.message)
            })
            .collect(),
    }
}

#[track_caller]
fn check(text: &str, expected: &[&str]) {
    assert_eq!(problems(text), expected, "{text}");
}

#[test]
fn names() {
    check("P() = a -> Q();", &["1:12 L0220 there is no process `Q`"]);
    check("P(i) = e.i -> Stop; Q() = P();", &["1:27 L0221 process `P` takes 1 argument, 0 given"]);
    check("P() = Stop; P() = Skip;", &["1:13 L0222 `P` is defined twice"]);
    check("var x; P() = a{y = x;} -> Stop;", &["1:16 L0223 there is no variable `y`"]);
    check("var x[2]; P() = e.(x+1) -> Stop;", &["1:20 L0223 `x` is an array: say which element"]);
    check("var x; P() = e.x[1] -> Stop;", &["1:16 L0223 `x` is no array"]);
    check("P(i) = a{i = 1;} -> Stop;", &["1:10 L0228 parameter `i` cannot be assigned"]);
    check("#define N 3; P() = a{N = 1;} -> Stop;", &["1:22 L0228 constant `N` cannot be assigned"]);
    check(
        "#define f f + 1; P() = e.f -> Stop;",
        &[
            "1:11 L0227 macros are nested too deeply: does one use itself?",
            "1:11 L0227 macros are nested too deeply: does one use itself?",
        ],
    );
}

#[test]
fn channels() {
    check("P() = c!1 -> Stop;", &["1:7 L0224 there is no channel `c`"]);
    check("var c; P() = c?x -> Stop;", &["1:14 L0223 `c` is a variable, but a channel is needed here"]);
    check("channel c[2] 1; P() = c!1 -> Stop;", &["1:23 L0224 `c` is an array of channels: say which one"]);
    check("channel c 1; P() = c[0]!1 -> Stop;", &["1:20 L0224 `c` is a single channel and takes no index"]);
    check("channel c (-1); P() = Stop;", &["1:12 L0224 a channel cannot hold -1 messages"]);
    check(
        "channel c 1; var x; P() = c?x -> Stop;",
        &["1:29 L0224 an input cannot store into the shared variable `x`"],
    );
}

#[test]
fn foreign_code() {
    check(
        "#import \"PAT.Lib.Set\";\nP() = Stop;",
        &["1:2 L0210 #import of `PAT.Lib.Set`: C# code cannot be part of a model here"],
    );
    check("var<Set> s; P() = Stop;", &["1:1 L0211 variables of C# types are not part of what Lineal reads"]);
    check(
        "var s; P() = a{s = s.Add(1);} -> Stop;",
        &["1:20 L0211 objects and methods of C# libraries are not part of what Lineal reads"],
    );
}

#[test]
fn syntax_goes_on_after_an_error() {
    check(
        "P() = a -> ;\nQ() = [x>0 Stop;\nvar y = ;\n#assert P() wonderful;\nR() = b -> Stop;",
        &[
            "1:12 L0202 expected a process, found `;`",
            "2:12 L0202 expected `]` after the guard, found `Stop`",
            "3:9 L0202 expected an expression, found `;`",
            "4:13 L0202 expected deadlockfree, divergencefree, deterministic, nonterminating, reaches, refines, linearizable or |=, found `wonderful`",
        ],
    );
    check("P() = a -> Stop\nQ() = Stop;", &["2:1 L0202 expected `;` after the definition, found `Q`"]);
    check("/* never closed", &["1:1 L0201 this comment is never closed"]);
    check("var x = 99999999999; P() = Stop;", &["1:9 L0201 `99999999999` is no number this language has"]);
}

#[test]
fn sizes() {
    check("var a[0]; P() = Stop;", &["1:7 L0226 an array cannot have 0 elements"]);
    check("var a[2] = [1,2,3]; P() = Stop;", &["1:1 L0226 `a` has 2 elements, but 3 initial values"]);
    check("var a = [0(-1), 7]; P() = Stop;", &["1:1 L0226 a value cannot be repeated -1 times"]);
    check("var a = [0(100001)]; P() = Stop;", &["1:1 L0226 the model has more than 100000 variables"]);
    check("var a = [1..200000]; P() = Stop;", &["1:1 L0226 the model has more than 100000 variables"]);
    check("var x:{0..3} = 7; P() = Stop;", &["1:1 L0226 the initial value 7 is outside the range 0..3"]);
    check("var x; var a[x]; P() = Stop;", &["1:14 L0225 this must be a constant"]);
}

#[test]
fn includes() {
    check("#include \"gone.csp\"\nP() = Stop;", &["1:2 L0213 cannot include `gone.csp`: no such file"]);
    let found = problems("#include \"self.csp\"");
    assert!(found.len() == 1 && found[0].contains("do they include each other?"), "{found:?}");
}

#[test]
fn nothing_overflows() {
    for (open, close) in
        [("(", ")"), ("[true](", ")"), ("if (true) { ", " }"), ("a -> (", ")"), ("atomic{", "}")]
    {
        let text = format!("P() = {}Stop{};", open.repeat(50_000), close.repeat(50_000));
        assert!(problems(&text)[0].contains("L0203"), "{open}");
    }
    for e in ["(".repeat(50_000), "!".repeat(50_000), "-".repeat(50_000), "1+".repeat(50_000)] {
        assert!(!problems(&format!("P() = e.({e}1) -> Stop;")).is_empty());
    }
    assert!(problems(&format!("P() = {}Stop;", "a -> ".repeat(50_000))).is_empty());
    assert!(problems(&format!("P() = a{{ {} }} -> Stop;", "if (1) { ".repeat(50_000)))[0].contains("L0203"));
}

#[test]
fn every_prefix_and_every_single_deletion_is_survived() {
    let text = "#define N 2; var x:{0..5} = 1; var a[N] = [1(2)]; channel c 1; enum {r, g};\n\
        #alphabet P {e.1}; P(i) = e.i{x = (x + 1) % 3; if (x > 1) { x--; }} -> [x > 0] c!x -> c?y -> P(y)\n\
        [] ifa (a[i] == 0) { Skip } else { case { x == 1: Stop default: tau -> Skip } };\n\
        Q() = (||| i:{0..N-1}@P(i)) \\ {i:{0..1}@e.i}; atomic{Q()} interrupt Skip;\n\
        #assert Q() refines<FD> P(0); #assert Q() reaches x == 2 with max(x);";
    for (i, _) in text.char_indices() {
        let _ = problems(&text[..i]);
    }
    let words: Vec<&str> = text.split_inclusive(' ').collect();
    for i in 0..words.len() {
        let mut fewer = words.clone();
        fewer.remove(i);
        let _ = problems(&fewer.concat());
    }
}
