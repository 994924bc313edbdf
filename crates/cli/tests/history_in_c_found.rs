//! Types written in C of which logs were once read, explained or declared wrongly.

use std::process::{Command, Output};

struct Files(tempfile::TempDir);

impl Files {
    fn new(spec: &str, log: &str) -> Self {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("spec.c"), spec).unwrap();
        std::fs::write(dir.path().join("log"), log).unwrap();
        Files(dir)
    }

    fn run(&self, flags: &[&str]) -> Output {
        Command::new(env!("CARGO_BIN_EXE_lineal"))
            .args(["history", "log", "--as", "spec.c", "--format", "json"])
            .args(flags)
            .current_dir(self.0.path())
            .output()
            .unwrap()
    }
}

/// Shrinking tries orders that deciding does not, and the functions may not bear them: the violation
/// stands, and is confirmed some other way.
#[test]
fn a_violation_survives_what_explaining_it_runs_into() {
    let spec = "
#include <assert.h>
static int n;
void put(void) { n++; }
int get(void) { return n; }
int peek(void) { assert(n > 0); return n; }
#pragma lineal op put = put()
#pragma lineal op get = get() -> value
#pragma lineal op peek = peek() -> value
";
    let log = r#"{"process":0,"f":"peek","call":0,"return":null}
{"process":1,"f":"put","call":1,"return":2}
{"process":1,"f":"get","result":7,"call":3,"return":4}"#;
    for flags in [&["--minimise"][..], &[]] {
        let output = Files::new(spec, log).run(flags);
        let text = String::from_utf8_lossy(&output.stdout);
        assert_eq!(output.status.code(), Some(1), "{text}{}", String::from_utf8_lossy(&output.stderr));
        assert!(text.contains("violated"), "{text}");
    }
}

/// Answers of a type's own operations are heard, too.
#[test]
fn answers_are_used_or_refused() {
    let spec = "
static int n;
void put(int v) { n = v; }
int add(int a, int b) { n += a + b; return n; }
#pragma lineal op put = put(value)
#pragma lineal op add = add(value[0], value[1]) -> value
";
    let event = |kind: &str, f: &str, rest: &str| format!("{{:process 0 :type :{kind} :f :{f} {rest}}}\n");
    let called = |f: &str, asked: &str, told: &str| {
        event("invoke", f, &format!(":value {asked}")) + &event("ok", f, told)
    };
    for (log, code) in [
        (called("put", "3", ":value 3"), 0),
        (called("put", "3", ""), 0),
        (called("put", "3", ":value true"), 0),
        (called("put", "3", ":value false"), 2),
        (called("put", "3", ":value 4"), 2),
        (called("put", "3", ":value 3 :result 5"), 2),
        (called("add", "[1 2]", ":value 3"), 0),
        (called("add", "[1 2]", ":value 4"), 1),
        (called("add", "[1 2]", ":value [1 2 3]"), 0),
        (called("add", "[1 2]", ":value [1 2 4]"), 1),
        (called("add", "[1 2]", ":value [1 5 3]"), 2),
        (called("add", "[1 2]", ":value [1 2] :result 3"), 0),
        (called("add", "[1 2]", ":value [1 2] :result 4"), 1),
        (called("add", "[1 2]", ":value [1 3] :result 3"), 2),
        (called("add", "[1 2]", ":value [1 2]"), 2),
    ] {
        let output = Files::new(spec, &log).run(&[]);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(
            output.status.code(),
            Some(code),
            "{log}{}{said}",
            String::from_utf8_lossy(&output.stdout)
        );
    }
}

/// A line that only `lineal check` reads is said not to be read, in a file that is for logs alone.
#[test]
fn pragmas_that_nothing_reads() {
    let log = r#"{"process":0,"f":"put","value":3,"call":1,"return":2}"#;
    let spec = |more: &str| {
        format!("static int n;\nvoid put(int v) {{ n = v; }}\n{more}\n#pragma lineal op put = put(value)\n")
    };
    let run = |more: &str| {
        let output = Files::new(&spec(more), log).run(&[]);
        (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
    };
    for (more, word) in [
        ("#pragma lineal fini put(0)", "`fini` says nothing"),
        ("#pragma lineal threads 3", "`threads` says nothing"),
        ("#pragma lineal values 0..3", "`values` says nothing"),
        ("#pragma lineal object spec\n#pragma lineal role producer = put", "`role` says nothing"),
    ] {
        let (code, said) = run(more);
        assert_eq!(code, Some(0), "{said}");
        assert!(
            said.contains("\"warning\"") && said.contains("L0160") && said.contains(word),
            "{more}: {said}"
        );
    }
    let (code, said) = run("#pragma lineal object register\n#pragma lineal values 0..3");
    assert_eq!(code, Some(0), "{said}");
    assert!(!said.contains("L0160"), "{said}");
    for more in ["#pragma lineal", "#pragma lineal:op get = get()", "#pragma Lineal opp get = get()"] {
        let (code, said) = run(more);
        assert_eq!(code, Some(2), "{said}");
        assert!(said.contains("is no pragma of lineal"), "{said}");
    }
}
