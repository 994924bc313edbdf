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

/// An event of process 0, in EDN.
fn event(kind: &str, f: &str, value: &str) -> String {
    format!("{{:process 0 :type :{kind} :f :{f} {value}}}\n")
}

fn called(f: &str, asked: &str, told: &str) -> String {
    event("invoke", f, &format!(":value {asked}")) + &event("ok", f, told)
}

/// What a compare-and-swap answers is what it says, or refused.
#[test]
fn answers_of_compare_and_swap() {
    let write = called("write", "3", ":value 3");
    let cas = |told: &str| write.clone() + &called("cas", "[3 3]", told);
    for told in [":value [[3 3] false]", ":value false", ":value [3 3] :result false", ":result false"] {
        check(&cas(told), "--as cas-register", 1, "cas(3, 3) → false is not possible when the state is 3");
    }
    for told in [":value [3 3]", ":value nil", ":value [[3 3] true]", ":value true", ""] {
        check(&cas(told), "--as cas-register", 0, "holds");
    }
    for told in [":failed", "\"false\"", "0", "1", "[3 4]", "[[3 4] true]", "[[3 3] 0]"] {
        check(&cas(&format!(":value {told}")), "--as cas-register", 2, "cas answers true or false");
    }
    for told in [":failed", "\"false\"", "0", "[3 3]"] {
        check(&cas(&format!(":result {told}")), "--as cas-register", 2, "is no answer of cas");
    }
    check(&cas(":value true :result false"), "--as cas-register", 2, "two answers");
    let line = r#"{"process":0,"f":"cas","value":[1,2],"call":1,"return":2}"#;
    check(line, "--as cas-register", 2, "cas has no result");
}

/// Operations that answer nothing do not answer something that goes unheard.
#[test]
fn answers_where_there_are_none() {
    let nothing = "which answers nothing";
    check(&called("acquire", "nil", ":value false"), "--as mutex", 2, nothing);
    check(&called("acquire", "nil", ":value true"), "--as mutex", 0, "holds");
    check(&called("enqueue", "1", ":value false"), "--as queue", 2, "enqueue answers nothing");
    check(&called("enqueue", "1", ":value 1 :result false"), "--as queue", 2, nothing);
    check(&called("enqueue", "1", ":value 2"), "--as queue", 2, "neither 1, which line 1 calls enqueue with");
    check(&called("delete", "nil", ":value true").replace(":f", ":key 1 :f"), "--as kv", 2, nothing);
    check(&called("inc", "nil", ":value 5"), "--as counter", 2, "neither nothing");
    // Nor is a call's own value dropped, or a key that only the return has.
    check(&called("acquire", ":lock", ":value nil"), "--as mutex", 2, "acquire takes no value");
    check(&called("read", "1", ":value 2"), "--as register", 2, "this answers 2, but line 1 says 1");
    check(&called("enqueue", "1", ":value 1 :key 3"), "--as queue", 2, "this has key 3");
    check(&called("read", "nil", ":value 1 :result 2"), "--as register", 2, "two answers, 1 and 2");
    check(&called("read", "nil", ":value 1 :value 2"), "--as register", 2, "`value` is given twice");
    let lost = r#"{"process":0,"f":"read","result":5,"call":1,"return":null}"#;
    check(lost, "--as register", 2, "never returned, yet it has the result 5");
    let fetch = r#"{"process":0,"f":"fetch-add","value":1,"result":0,"call":1,"return":2}"#;
    check(fetch, "--as fai", 0, "holds");
    check(&fetch.replace("\"value\":1", "\"value\":2"), "--as fai", 2, "two answers");
    // What a remove answers that found nothing is no element.
    check(&called("enqueue", "\"empty\"", ""), "--as queue", 2, "cannot be an element");
    let unknown = event("invoke", "enqueue", "") + &event("info", "enqueue", "");
    check(&unknown, "--as queue", 2, "never returned, and has no argument");
}

/// A removed value with its priority says both.
#[test]
fn a_priority_that_comes_back() {
    let put = |value: &str| called("put", value, "");
    let rm = |told: &str| called("rm", "nil", told);
    let wrong = "5 left with priority 7, and was put with 2";
    check(&(put("[5 2]") + &rm(":value [5 7]")), "--as pq", 1, wrong);
    check(&(put("[5 2]") + &rm(":value 5 :prio 7")), "--as pq", 1, wrong);
    check(
        &(put("[5 2]") + &rm(":value [5 7]")),
        "--as pq --algorithm search",
        1,
        "rm() → [5 7] is not possible",
    );
    check(&(put("[5 2]") + &rm(":value [5 2]")), "--as pq", 0, "holds");
    // A value that is a pair itself.
    check(&(put("[[5 7] 2]") + &rm(":value [5 7]")), "--as pq", 0, "holds");
    let both = put("[[5 7] 2]") + &put("[5 7]") + &rm(":value [5 7]");
    check(&both, "--as pq", 2, "give the priority apart");
}

/// Values are compared as what they are, not as they are spelled.
#[test]
fn values_with_parts() {
    let pairs = called("add", "[1 2]", ":value true") + &called("add", "[1 3]", ":value true");
    check(&pairs, "--as set", 0, "holds");
    let again = pairs.clone() + &called("add", "[1 2]", ":value [[1 2] true]");
    check(&again, "--as set", 1, "[1 2] could not have been out of the set");
    let same = |a: &str, b: &str, exit: i32| {
        let log = called("write", a, "") + &called("read", "nil", &format!(":value {b}"));
        check(&log, "--as register", exit, if exit == 0 { "holds" } else { "nobody wrote" });
    };
    same("{:x 1 :y 2}", "{:y 2, :x 1}", 0);
    same("#{1 2}", "#{2 1}", 0);
    same("#{1 2}", "{1 2}", 1);
    same("[1 2]", "(1, 2)", 0);
    same("1.50", "15e-1", 0);
    same("2.0", "2", 0);
    same("#_ 4 5", "5", 0);
    same("{:x {:a 1, :b [1 2]}}", "{:x {:b [1 2] :a 1}}", 0);
    same("{:x 1}", "{:x 2}", 1);
    check(&called("write", "{:x 1 :x 2}", ""), "--as register", 2, "a key is there twice");
    check(&called("write", "#{1 2 1}", ""), "--as register", 2, "1 is in the set twice");
    let json = |v: &str, r: &str| {
        let write = format!("{{\"process\":0,\"f\":\"write\",\"value\":{v},\"call\":1,\"return\":2}}\n");
        write + &format!("{{\"process\":0,\"f\":\"read\",\"result\":{r},\"call\":3,\"return\":4}}\n")
    };
    check(&json(r#"{"x":1,"y":[2]}"#, r#"{ "y" : [2], "x" : 1 }"#), "--as register", 0, "holds");
    check(&json(r#"{"x":1}"#, r#"{"x":2}"#), "--as register", 1, "nobody wrote");
}

/// Lists that grow, and maps by key, in EDN.
#[test]
fn lists_and_keys_in_edn() {
    let append =
        |v: &str| called("txn", &format!("[[:append :x {v}]]"), &format!(":value [[:append :x {v}]]"));
    let read = |v: &str| called("txn", "[[:r :x nil]]", &format!(":value [[:r :x {v}]]"));
    check(&(read("[]") + &append("1") + &read("[1]") + &append("2") + &read("[1 2]")), "--as kv", 0, "holds");
    check(&(read("nil") + &append("1") + &append("2") + &read("[2 1]")), "--as kv", 1, "get(:x) → [2 1]");
    check(&(append("1") + &append("12") + &read("[11 2]")), "--as kv", 1, "violated");
    // Where a get answers nil, keys start there; texts alone are a kv log.
    let keyed = |log: String| log.replace(":f", ":key \"a\" :f");
    check(&keyed(called("get", "nil", ":value nil")), "--as kv", 0, "read as edn");
    check(&keyed(called("get", "nil", ":value \"\"")), "--as kv", 0, "read as kv");
    check(&keyed(called("get", "nil", ":value nil")), "--as kv --from kv", 1, "violated");
    check(
        &called("get", "nil", ":key 1 :value nil").replace(":invoke", ":invoke :key 1"),
        "--as kv",
        0,
        "edn",
    );
    check(&keyed(called("append", "3", "")), "--as kv", 2, "append takes a text");
    let starts = "{:init 7}\n".to_string() + &called("read", "nil", ":value 7");
    check(&starts, "--as register", 0, "holds");
    check(&starts, "--as register --stream", 2, "--init 7");
    check(&starts, "--as register --stream --init 7", 0, "holds");
    check(&starts, "--as register --init 8", 1, "violated");
    check(&starts, "--as queue", 2, "does not start at 7");
}

/// A priority queue of so many operations of which the last but a few are wrong.
fn overtaken(n: u32) -> String {
    let line = |f: &str, at: u32, rest: String| {
        format!(
            "{{\"process\":{},\"f\":\"{f}\",\"call\":{},\"return\":{},{rest}}}\n",
            at % 8,
            10 * at,
            10 * at + 35
        )
    };
    let mut log = String::new();
    for i in 0..n {
        log += &line("put", i, format!("\"value\":{i},\"prio\":{}", i * 7919 % n));
    }
    let at = n + 10;
    log += &line("put", at, format!("\"value\":{n},\"prio\":-1"));
    log + &line("rm", at + 10, "\"result\":0".into())
}

/// The verdict stands whatever becomes of its explanation.
#[test]
fn a_violation_is_settled_before_it_is_explained() {
    let log = overtaken(60_000);
    check(&log, "--as pq --time-limit 20s", 1, "took a value although all the time");
    let output = lineal(&log, "--as pq --format json");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(json["results"][0]["verdict"], "violated");
    let peak = json["results"][0]["stats"]["peak_bytes"].as_u64().unwrap();
    assert!(peak < 200 << 20, "{peak} bytes");
    // Shrinking what a search over thousands of operations found is cut, and says so.
    let write =
        |i: u32| format!("{{\"process\":0,\"f\":\"write\",\"value\":{i},\"call\":{i},\"return\":{i}.5}}\n");
    let read = |i: u32| write(i).replace("write", "read").replace("value", "result");
    let mut log: String = (0..3_000)
        .map(|i| {
            if i % 2 == 0 {
                write(i / 2 * 2)
            } else {
                read(i).replace(&format!("\"result\":{i}"), &format!("\"result\":{}", i - 1))
            }
        })
        .collect();
    log += &write(9_000).replace("9000,\"call", "1,\"call");
    log += &read(9_001);
    check(&log, "--as register --algorithm search --minimise", 1, "violated");
}

fn operation_with(f: &str, value: u32, call: u32, ret: u32) -> String {
    let what = if f.starts_with("pop") { "result" } else { "value" };
    format!("{{\"process\":{call},\"f\":\"{f}\",\"{what}\":{value},\"call\":{call},\"return\":{ret}}}\n")
}

/// Each log has the time to itself.
#[test]
fn a_slow_log_does_not_starve_the_next() {
    let slow: String = (0..60).map(|i| operation_with("push-back", i / 2, i, 100)).collect::<String>()
        + &operation_with("pop-front", 99, 200, 300);
    let quick = operation_with("push-back", 1, 1, 2);
    let dir = tempfile::tempdir().unwrap();
    let names: Vec<_> = ["a", "b", "c"].iter().map(|n| dir.path().join(n)).collect();
    for (name, log) in names.iter().zip([&slow, &slow, &quick]) {
        std::fs::write(name, log).unwrap();
    }
    let mut command = Command::new(env!("CARGO_BIN_EXE_lineal"));
    command.arg("history").args(&names).args(["--as", "deque", "--time-limit", "1s", "--format", "jsonl"]);
    let output = command.args(["--jobs", "1"]).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let verdicts: Vec<String> = text
        .lines()
        .map(|l| serde_json::from_str::<serde_json::Value>(l).unwrap()["verdict"].as_str().unwrap().into())
        .collect();
    assert_eq!(verdicts, ["unknown", "unknown", "holds"], "{text}");
}

/// What has not returned where an explanation ends is not said to have been lost.
#[test]
fn calls_that_returned_later() {
    let write = |p: u32, v: u32, call: u32, ret: u32| {
        format!("{{\"process\":{p},\"f\":\"write\",\"value\":{v},\"call\":{call},\"return\":{ret}}}\n")
    };
    let read = r#"{"process":9,"f":"read","result":5,"call":2,"return":3}"#;
    let log = write(0, 1, 1, 8) + read;
    let output = lineal(&log, "--as register --algorithm search");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(!text.contains("never returned"), "{text}");
    assert!(text.contains("has not returned by then"), "{text}");
}

/// An order nobody needs for the verdict does not cost it.
#[test]
fn a_log_that_holds_keeps_its_verdict_when_an_order_is_asked_for() {
    let n = 40;
    let mut log = String::new();
    for i in 0..n {
        log += &format!("{{\"process\":{i},\"f\":\"enq\",\"value\":{i},\"call\":1,\"return\":100}}\n");
    }
    for i in 0..n {
        let (value, at) = (n - 1 - i, 200 + 2 * i);
        log += &format!(
            "{{\"process\":0,\"f\":\"deq\",\"result\":{value},\"call\":{at},\"return\":{}}}\n",
            at + 1
        );
    }
    check(&log, "--as queue --show-order --time-limit 1s", 0, "holds");
    // Keys that are objects of their own have orders of their own.
    let keyed = "{:process 0 :type :invoke :f :enq :value [1 5]}{:process 0 :type :ok :f :enq :value [1 5]}
{:process 0 :type :invoke :f :deq :value [2 nil]}{:process 0 :type :ok :f :deq :value [2 :empty]}";
    let flags = "--as queue --keyed --show-order";
    check(keyed, flags, 0, "key 1: one order that explains it: enqueue(1, 5)");
    check(keyed, flags, 0, "key 2: one order that explains it: dequeue(2) → empty");
}
