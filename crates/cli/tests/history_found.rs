//! Logs that `lineal history` once decided or explained wrongly, and flags it once ignored.

use std::process::{Command, Output};

fn lineal(log: &str, flags: &str) -> Output {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("log.jsonl");
    std::fs::write(&path, log).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_lineal"));
    command.arg("history").arg(path).args(flags.split_whitespace());
    command.output().unwrap()
}

/// The exit code and some words of what is said.
#[track_caller]
fn check(log: &str, flags: &str, exit: i32, words: &str) {
    let output = lineal(log, flags);
    let text = [output.stdout, output.stderr].map(|o| String::from_utf8_lossy(&o).into_owned()).concat();
    // Lines are broken to fit the terminal.
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(output.status.code(), Some(exit), "{flags}\n{log}\n{text}");
    assert!(text.contains(words), "`{words}`: {flags}\n{log}\n{text}");
}

fn operation(process: u32, f: &str, call: u32, ret: u32) -> String {
    format!("{{\"process\":{process},\"f\":\"{f}\",\"call\":{call},\"return\":{ret}}}\n")
}

/// Operations of one process that overlap by equal stamps may have come in either order, also
/// when the first of them alone looks wrong.
#[test]
fn locks_whose_stamps_tie() {
    let declined = "goes on before its last operation is known to have returned";
    let log = operation(0, "release", 1, 1) + &operation(0, "acquire", 1, 1);
    check(&log, "--as mutex", 0, declined);
    let log = operation(0, "acquire", 0, 2) + &operation(0, "acquire", 3, 5) + &operation(0, "release", 5, 7);
    check(&log, "--as mutex", 0, declined);
    let log = operation(0, "acquire", 1, 1)
        + &operation(1, "release", 0, 1)
        + &operation(0, "release", 1, 2)
        + &operation(1, "acquire", 0, 0);
    check(&log, "--as mutex", 0, declined);
    let log = operation(1, "release", 1, 4) + &operation(1, "acquire", 5, 6) + &operation(0, "acquire", 2, 3);
    check(&log, "--as mutex", 1, "releases a lock it does not hold");
    check(&log, "--as mutex --skew 3", 0, declined);
}

#[test]
fn a_value_nobody_wrote() {
    let event = |kind: &str, f: &str, value: &str| {
        format!("{{\"process\":0,\"type\":\"{kind}\",\"f\":\"{f}\",\"value\":{value}}}\n")
    };
    let pair = |f: &str, asked: &str, told: &str| event("invoke", f, asked) + &event("ok", f, told);
    let log = pair("write", "1", "1") + &pair("read", "null", "2");
    check(&log, "--as register", 1, "hint: Whatever the order, read() → 2 answers a value nobody wrote.");
    let log = pair("enqueue", "1", "1") + &pair("dequeue", "null", "2");
    let why = "hint: Whatever the order, dequeue() → 2 removes a value that was never added.";
    check(&log, "--as queue", 1, why);
    // The same rule, found by searching.
    let log = pair("write", "1", "1") + &pair("read", "null", "2");
    let why = "hint: By itself, read() → 2 is not possible when the state is nil.";
    check(&log, "--as register --algorithm search --minimise", 1, why);
    // Another write before that of the value does not matter either.
    let log = pair("write", "1", "1") + &pair("read", "null", "2") + &pair("write", "2", "2");
    let why = "hint: Whatever the order, read() → 2 ended before write(2) began.";
    check(&log, "--as register", 1, why);
}

#[test]
fn flags_without_effect_are_refused() {
    let log = operation(0, "release", 1, 1);
    let cases = [
        ("--as mutex --ties any", "--ties is about priorities"),
        ("--as mutex --ties fifo", "--ties is about priorities"),
        ("--as queue --first min", "--first is about priorities"),
        ("--as register --failed-cas drop", "--failed-cas is about compare-and-swap"),
        ("--as mutex --fail-is-empty", "--fail-is-empty says nothing about a mutex"),
        ("--as set --fail-is-empty", "--fail-is-empty says nothing about a set"),
        ("--as type.c --ties any", "--ties says nothing about a type written in C"),
        ("--as type.c --first max", "--first says nothing about a type written in C"),
    ];
    for (flags, words) in cases {
        check(&log, flags, 2, words);
        check(&log, flags, 2, "L0318");
    }
}
