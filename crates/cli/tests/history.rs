//! `lineal history` from the outside: formats, options, bad input, limits.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

fn lineal(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_lineal")).arg("history").args(args).output().unwrap()
}

struct Logs(tempfile::TempDir);

impl Logs {
    fn new() -> Self {
        Logs(tempfile::tempdir().unwrap())
    }
    fn file(&self, name: &str, text: impl AsRef<[u8]>) -> String {
        let path = self.0.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
        path.display().to_string()
    }
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// One log, the flags to read it with, and the exit code.
#[track_caller]
fn check(log: &str, flags: &str, expected: i32) -> Output {
    let logs = Logs::new();
    let file = logs.file("log", log);
    let mut args = vec![&*file];
    args.extend(flags.split_whitespace());
    let output = lineal(&args);
    assert_eq!(
        output.status.code(),
        Some(expected),
        "{flags}\n{log}\n{}{}",
        stdout(&output),
        stderr(&output)
    );
    output
}

/// A log that must be refused, on this line, in these words.
#[track_caller]
fn refused(log: impl AsRef<[u8]>, flags: &str, line: u32, words: &str) {
    let logs = Logs::new();
    let bad = logs.file("bad.log", log);
    let good = logs.file(
        "good.log",
        "{:process 0 :type :invoke :f :write :value 1}\n{:process 0 :type :ok :f :write :value 1}\n",
    );
    let mut args = vec![&*bad, &*good, "--format", "json"];
    args.extend(flags.split_whitespace());
    let output = lineal(&args);
    let text = stdout(&output);
    let json: serde_json::Value = serde_json::from_str(&text).unwrap_or_else(|e| panic!("{e}: {text}"));
    assert_eq!(output.status.code(), Some(2), "{text}");
    let diagnostics = json["diagnostics"].as_array().unwrap();
    let found = diagnostics.iter().any(|d| {
        d["at"]["file"] == *bad && d["at"]["line"] == line && d["message"].as_str().unwrap().contains(words)
    });
    assert!(found, "line {line}, `{words}`: {text}");
    // The other file is decided all the same, if its type fits.
    if flags.contains("register") {
        assert_eq!(json["results"][0]["verdict"], "holds", "{text}");
    }
}

const EDN: &str = "\
; a comment
{:process 1, :type :invoke, :f :read, :value nil, :time 120, :index 0}
{:process 0, :type :invoke, :f :write, :value 7}
{:process :nemesis, :type :info, :f :start, :value {:a [1 2]}}
{:process 1, :type :ok, :f :read, :value 7}
{:process 0, :type :info, :f :write, :value 7, :error :timeout}
";

#[test]
fn edn() {
    let output = check(EDN, "--as register", 0);
    assert!(stdout(&output).contains("read as edn"));
    assert!(stdout(&output).contains("1 nemesis lines were skipped"));
    // In one vector, tagged, with commas for blanks.
    let body = EDN.lines().skip(1).map(|l| format!("#jepsen.history.Op{l},\n")).collect::<String>();
    check(&format!("[{body}]"), "--as register", 0);
    check(&format!("({body})"), "--as register --from edn", 0);
    check(&EDN.replace(":value 7}\n{:process :n", ":value 8}\n{:process :n"), "--as register", 1);
}

#[test]
fn json_lines() {
    let events = r#"{"process":0,"type":"invoke","f":"enqueue","value":"a\n\u00e9"}
{"process":0,"type":"ok","f":"enqueue","value":"a\né"}
{"process":0,"type":"invoke","f":"dequeue"}
{"process":0,"type":"ok","f":"dequeue","value":"a\né"}
{"process":0,"type":"invoke","f":"dequeue"}
{"process":0,"type":"ok","f":"dequeue","value":null}
"#;
    check(events, "--as queue", 0);
    check(&events.replace("null", "\"empty\""), "--as queue", 0);
    check(&events.replace("null", "\"zz\""), "--as queue", 1);
    let operations = r#"{"process":0,"f":"put","value":7,"prio":2,"call":10,"return":14}
{"process":2,"f":"put","value":8,"prio":1,"call":1,"return":2}
{"process":1,"f":"rm","result":7,"call":12,"return":19}
"#;
    check(operations, "--as pq", 1);
    check(operations, "--as pq --first max", 0);
    // A pending remove may have taken the value in the way.
    let pending = format!("{operations}{}\n", r#"{"process":3,"f":"rm","call":3,"return":null}"#);
    check(&pending, "--as pq", 0);
    // Decimal times, after whole ones.
    check(&operations.replace("\"return\":19", "\"return\":19.5"), "--as pq --first max", 0);
}

#[test]
fn priorities() {
    let log = r#"{"process":0,"f":"put","value":1,"prio":"low","call":1,"return":2}
{"process":0,"f":"put","value":2,"prio":"high","call":3,"return":4}
{"process":0,"f":"put","value":3,"prio":"other","call":5,"return":6}
{"process":0,"f":"rm","result":3,"call":7,"return":8}
{"process":0,"f":"rm","result":2,"call":9,"return":10}
"#;
    let logs = Logs::new();
    let order = logs.file("order", "# leaves first < leaves later\nhigh < low\n");
    check(log, &format!("--as pq --order {order}"), 0);
    check(log, &format!("--as pq --order {order} --first max"), 1);
    refused(log, "--as pq", 1, "is no whole number");
    let circle = logs.file("circle", "a < b < c\nc < a\n");
    let output = check(log, &format!("--as pq --order {circle}"), 2);
    assert!(stderr(&output).contains("circle"));
    let twins = r#"{"process":0,"f":"put","value":1,"prio":1,"call":1,"return":2}
{"process":0,"f":"put","value":2,"prio":1,"call":3,"return":4}
{"process":0,"f":"rm","result":2,"call":7,"return":8}
"#;
    check(twins, "--as pq", 1);
    check(twins, "--as pq --ties any", 0);
}

#[test]
fn etcd_and_the_cas_trap() {
    // The cas fails although the register holds what it expects: wrong as an answer, fine if it
    // never happened.
    let log = "INFO  jepsen.util - 0\t:invoke\t:write\t1\n\
               INFO  jepsen.util - 0\t:ok\t:write\t1\n\
               INFO  jepsen.util - 1 :invoke :cas [1 4]\n\
               INFO  jepsen.util - 1 :fail :cas [1 4]\n\
               INFO  jepsen.util - 2 :invoke :read nil\n\
               INFO  jepsen.util - 2 :fail :read :timed-out\n";
    let output = check(log, "--as cas-register", 1);
    assert!(stdout(&output).contains("taken as answers (--failed-cas result)"), "{}", stdout(&output));
    let output = check(log, "--as cas-register --failed-cas drop", 0);
    assert!(stdout(&output).contains("left out (--failed-cas drop)"));
    let edn = "{:process 0 :type :invoke :f :write :value 1} {:process 0 :type :ok :f :write :value 1}
{:process 1 :type :invoke :f :cas :value [1 4]} {:process 1 :type :fail :f :cas :value [1 4]}";
    check(edn, "--as cas-register", 0);
    check(edn, "--as cas-register --failed-cas result", 1);
}

#[test]
fn kv_and_elle() {
    let log = r#"{:process 0, :type :invoke, :f :append, :key "1", :value "ab"}
{:process 0, :type :ok, :f :append, :key "1", :value "ab"}
{:process 2, :type :invoke, :f :get, :key "1", :value nil}
{:process 2, :type :ok, :f :get, :key "1", :value "ab"}
{:process 2, :type :invoke, :f :get, :key "2", :value nil}
{:process 2, :type :ok, :f :get, :key "2", :value ""}
"#;
    check(log, "--as kv", 0);
    check(log, "--as kv --no-partition", 0);
    check(log, "--as kv --init x", 1);
    check(
        &log.replace(
            "\"ab\"}\n{:process 2, :type :invoke, :f :get, :key \"2\"",
            "\"ba\"}\n{:process 2, :type :invoke, :f :get, :key \"2\"",
        ),
        "--as kv",
        1,
    );
    let elle = r#"[{"type":"invoke","f":"txn","value":[["append","x",3]],"process":0,"time":9,"index":4},
{"type":"ok","f":"txn","value":[["append","x",3]],"process":0,"time":10,"index":5},
{"type":"invoke","f":"txn","value":[["append","x",4]],"process":0,"time":11,"index":6},
{"type":"ok","f":"txn","value":[["append","x",4]],"process":0,"time":12,"index":7},
{"type":"invoke","f":"txn","value":[["r","x",null]],"process":0,"time":13,"index":8},
{"type":"ok","f":"txn","value":[["r","x",[3,4]]],"process":0,"time":14,"index":9},
{"type":"invoke","f":"txn","value":[["r","y",null]],"process":0,"time":15},
{"type":"ok","f":"txn","value":[["r","y",[]]],"process":0,"time":16}]"#;
    check(elle, "--as kv", 0);
    check(&elle.replace("[3,4]", "[4,3]"), "--as kv", 1);
    refused(
        elle.replace(
            "[[\"append\",\"x\",4]],\"process\":0,\"time\":11",
            "[[\"r\",\"x\",1],[\"r\",\"y\",1]],\"process\":0,\"time\":11",
        ),
        "--as kv",
        3,
        "transaction of 2",
    );
}

#[test]
fn sets_counters_locks() {
    let set = r#"{"process":0,"f":"add","value":1,"result":true,"call":1,"return":2}
{"process":0,"f":"add","value":1,"result":false,"call":3,"return":4}
{"process":0,"f":"contains","value":1,"result":true,"call":5,"return":6}
{"process":0,"f":"remove","value":1,"call":7,"return":8}
{"process":0,"f":"contains","value":1,"result":false,"call":9,"return":10}
"#;
    check(set, "--as set", 0);
    check(set, "--as set --algorithm search", 0);
    check(&set.replace("\"result\":false,\"call\":9", "\"result\":true,\"call\":9"), "--as set", 1);
    let counter = r#"{"process":0,"f":"add","value":3,"call":1,"return":5}
{"process":1,"f":"add","call":2,"return":6}
{"process":2,"f":"read","result":4,"call":7,"return":8}
"#;
    check(counter, "--as counter", 0);
    check(counter, "--as counter --init -1", 1);
    let fai = r#"{"process":0,"f":"fai","result":10,"call":1,"return":5}
{"process":1,"f":"fai","result":11,"call":2,"return":3}
"#;
    check(fai, "--as fai --init 10", 0);
    check(fai, "--as fai", 1);
    let lock = "{:process 0 :type :invoke :f :acquire}{:process 0 :type :ok :f :acquire}
{:process 1 :type :invoke :f :acquire}{:process 1 :type :fail :f :acquire}
{:process 1 :type :invoke :f :acquire}
{:process 0 :type :invoke :f :release}{:process 1 :type :ok :f :acquire}{:process 0 :type :ok :f :release}";
    check(lock, "--as mutex", 0);
    check(
        &lock.replace(":invoke :f :release}{:process 1 :type :ok :f :acquire}", ":info :f :nothing} "),
        "--as mutex",
        2,
    );
}

#[test]
fn empties_failures_duplicates() {
    let log = "{:process 0 :type :invoke :f :push :value 1}{:process 0 :type :ok :f :push :value 1}
{:process 0 :type :invoke :f :pop}{:process 0 :type :fail :f :pop}
{:process 0 :type :invoke :f :pop}{:process 0 :type :ok :f :pop :value 1}
{:process 0 :type :invoke :f :pop}{:process 0 :type :ok :f :pop :value :empty}";
    check(log, "--as stack", 0);
    check(log, "--as stack --fail-is-empty", 1);
    let twice = log.replace("[", "(")
        + "{:process 0 :type :invoke :f :push :value 1}{:process 0 :type :ok :f :push :value 1}";
    let output = check(&twice, "--as stack", 0);
    assert!(
        stdout(&output).contains("1 is added more than once: first by line 1, again by line 4"),
        "{}",
        stdout(&output)
    );
}

#[test]
fn keyed_objects_and_sequential_consistency() {
    let keyed = "{:process 0 :type :invoke :f :enq :value [1 5]}{:process 0 :type :ok :f :enq :value [1 5]}
{:process 0 :type :invoke :f :deq :value [2 nil]}{:process 0 :type :ok :f :deq :value [2 :empty]}";
    check(keyed, "--as queue --keyed", 0);
    check(&keyed.replace("[2 ", "[1 "), "--as queue --keyed", 1);
    // Read in the past: sequentially consistent, not linearizable.
    let stale = "{:process 0 :type :invoke :f :write :value 1}{:process 0 :type :ok :f :write :value 1}
{:process 1 :type :invoke :f :read}{:process 1 :type :ok :f :read :value nil}";
    check(stale, "--as register", 1);
    check(stale, "--as register --consistency sequential", 0);
    check(&stale.replace(":process 1", ":process 0"), "--as register --consistency sequential", 1);
}

#[test]
fn times() {
    // The same instant orders nothing.
    let log = "{:process 0 :type :invoke :f :write :value 1 :time 1}
{:process 0 :type :ok :f :write :value 1 :time 5}
{:process 1 :type :invoke :f :read :time 5}
{:process 1 :type :ok :f :read :value nil :time 9}";
    check(log, "--as register", 0);
    check(&log.replace(":read :time 5", ":read :time 6"), "--as register", 1);
    check(&log.replace(":read :time 5", ":read :time 6"), "--as register --skew 1", 0);
    check(&log.replace(":read :time 5", ":read :time 6"), "--as register --skew 0", 1);
    refused(log.replace(":time 9", ":time 4"), "--as register", 4, "time goes backwards");
}

#[test]
fn bad_input() {
    let r = "--as register";
    let ok = "{:process 0 :type :invoke :f :write :value 1}\n{:process 0 :type :ok :f :write :value 1}\n";
    refused(format!("{ok}{{:process 0 :type :invoke :f"), r, 3, "ends inside this record");
    refused(format!("{ok}{{:process 0 :type :ok :f :write :value 1}}"), r, 3, "has called nothing");
    refused(
        format!("{ok}{{:process 0 :type :invoke :f :read}}\n{{:process 0 :type :invoke :f :read}}"),
        r,
        4,
        "while its operation of line 3 is open",
    );
    refused(format!("{ok}{{:process 0 :type :invoke :f :frob}}"), r, 3, "no operation `frob`");
    refused(format!("{ok}{{:process 0 :type :invoke :f :enqueue :value 1}}"), r, 3, "no operation `enqueue`");
    refused(
        r#"{"process":0,"f":"write","value":1,"call":9,"return":3}"#,
        r,
        1,
        "returns at 3, before its call at 9",
    );
    refused(format!("{ok}{{:process 0 :value \"{}", "x".repeat(40 << 20)), r, 3, "more than 16 MiB");
    refused(
        [ok.as_bytes(), b"{:process 0 :type :invoke :f :write :value \"\xff\"}"].concat(),
        r,
        3,
        "not UTF-8",
    );
    refused("", r, 1, "empty");
    refused("  \n\n ; nothing\n", "--as register --from edn", 1, "empty");
    refused("hello world\n", r, 1, "cannot tell the format");
    refused(format!("{ok}{{:process 0 :type :gone :f :write}}"), r, 3, "none of invoke, ok, fail, info");
    refused(
        format!(
            "{ok}{{:process 0 :type :invoke :f :write :value 1}}\n{{:process 0 :type :ok :f :read :value 1}}"
        ),
        r,
        4,
        "this answers read, but line 3 calls write",
    );
    refused(
        "{\"process\":0,\"f\":\"add\",\"value\":\"x\",\"call\":1,\"return\":2}",
        "--as counter",
        1,
        "takes a whole number",
    );
    refused(
        "INFO  jepsen.util - 0 :invoke :read nil\nINFO  jepsen.util - 0 :ok :read\n",
        "--as register",
        2,
        "ends before the value",
    );
    refused(format!("{ok}{{:process 0 {}", "[".repeat(5000)), r, 3, "expected a key");
    refused(format!("{ok}{{:process {}", "[".repeat(5000)), r, 3, "nested");
    let missing = lineal(&["/nonexistent/log", "--as", "queue"]);
    assert_eq!(missing.status.code(), Some(2));
    for flags in [["--as", "heap"], ["--as", "spec.c"]] {
        let output = check(ok, &flags.join(" "), 2);
        assert!(!stderr(&output).is_empty());
    }
}

#[test]
fn sources_of_logs() {
    let logs = Logs::new();
    let text = EDN.as_bytes();
    let mut gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    gz.write_all(text).unwrap();
    let gz = logs.file("h.edn.gz", gz.finish().unwrap());
    let zst = ruzstd::encoding::compress_to_vec(text, ruzstd::encoding::CompressionLevel::Fastest);
    let zst = logs.file("h.edn.zst", zst);
    logs.file("store/etcd/2026/history.edn", text);
    logs.file("store/etcd/2027/history.edn", text);
    let store = logs.0.path().join("store").display().to_string();
    let output = lineal(&[&gz, &zst, &store, "--as", "register", "--format", "jsonl", "--jobs", "2"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let lines: Vec<serde_json::Value> =
        stdout(&output).lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    assert_eq!(lines.len(), 4);
    assert!(lines.iter().all(|l| l["verdict"] == "holds"));
    // In the order of the command line, whoever is done first.
    assert!(lines[0]["property"].as_str().unwrap().contains("h.edn.gz"));
    assert!(lines[3]["property"].as_str().unwrap().contains("2027"));
    let mut child = Command::new(env!("CARGO_BIN_EXE_lineal"))
        .args(["history", "-", "--as", "register"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(text).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn conversions_keep_the_verdict() {
    let queue = r#"{"process":0,"f":"enq","value":1,"call":1,"return":4}
{"process":1,"f":"enq","value":"two","call":2,"return":3}
{"process":1,"f":"deq","result":1,"call":5,"return":6}
{"process":2,"f":"deq","call":7,"return":null}
{"process":1,"f":"deq","result":null,"call":8,"return":9}
"#;
    let logs = Logs::new();
    let first = logs.file("a.jsonl", queue);
    for (to, flags) in [("edn", "queue"), ("jsonl", "queue")] {
        let next = logs.file(&format!("b.{to}"), "");
        let output = lineal(&["convert", &first, "--as", flags, "--to", to, "-o", &next]);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        assert_eq!(
            lineal(&[&next, "--as", "queue"]).status.code(),
            Some(0),
            "{to}: {}",
            std::fs::read_to_string(&next).unwrap()
        );
        let wrong =
            std::fs::read_to_string(&next).unwrap().replace("two", "three").replacen("three", "two", 1);
        assert_eq!(wrong.matches("three").count(), if to == "edn" { 1 } else { 0 });
    }
    let output = lineal(&["convert", &first, "--as", "queue", "--to", "etcd"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("holds registers"));
}

fn shared() -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/histories/porcupine");
    if !path.is_dir() {
        println!("skipped: the shared histories are not beside the repository");
        return None;
    }
    Some(path)
}

#[test]
fn published_verdicts() {
    let Some(root) = shared() else { return };
    let table = std::fs::read_to_string(root.join("verdicts.csv")).unwrap();
    let mut checked = 0;
    for row in table.lines().skip(1) {
        let [file, model, expected] = row.split(',').collect::<Vec<_>>()[..] else { panic!("{row}") };
        let path = root.join(file).display().to_string();
        let want = if expected == "true" { 0 } else { 1 };
        let mut ways = vec![vec![], vec!["--algorithm", "search"]];
        if model == "cas-register" {
            ways.push(vec!["--failed-cas", "drop"]);
            ways.push(vec!["--minimise"]);
        }
        for way in ways {
            let started = std::time::Instant::now();
            let mut args = vec![&*path, "--as", model];
            args.extend(&way);
            let output = lineal(&args);
            assert_eq!(output.status.code(), Some(want), "{file} {way:?}\n{}", stdout(&output));
            println!("{file} {way:?}: {expected}, {} ms", started.elapsed().as_millis());
        }
        checked += 1;
    }
    assert_eq!(checked, 55);
}

#[test]
fn published_logs_convert_and_keep_their_verdicts() {
    let Some(root) = shared() else { return };
    let logs = Logs::new();
    for (file, model, to, want) in [
        ("kv/c10-ok.txt", "kv", "jsonl", 0),
        ("kv/c10-bad.txt", "kv", "edn", 1),
        ("kv/c10-ok.txt", "kv", "kv", 0),
        ("jepsen/etcd_002.log", "cas-register", "edn", 0),
        ("jepsen/etcd_000.log", "cas-register", "etcd", 1),
        ("jepsen/etcd_000.log", "cas-register", "jsonl", 1),
    ] {
        let out = logs.file("converted", "");
        let from = root.join(file).display().to_string();
        let output = lineal(&["convert", &from, "--as", model, "--to", to, "-o", &out]);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        // A converted kv log still starts as the empty text.
        let init = if model == "kv" { vec!["--init", "\"\""] } else { vec![] };
        let mut args = vec![&*out, "--as", model];
        args.extend(init);
        let output = lineal(&args);
        assert_eq!(
            output.status.code(),
            Some(want),
            "{file} as {to}: {}{}",
            stdout(&output),
            stderr(&output)
        );
    }
}

/// Writes that all overlap and a read of a value nobody wrote, behind a queue that repeats
/// values: every subset of the enqueues is a configuration.
fn exploding(n: usize) -> String {
    let mut log = String::new();
    for i in 0..n {
        log += &format!("{{\"process\":{i},\"f\":\"enq\",\"value\":{},\"call\":1,\"return\":100}}\n", i / 2);
    }
    log += "{\"process\":900,\"f\":\"deq\",\"result\":null,\"call\":200,\"return\":300}\n";
    log
}

#[test]
fn limits_are_honoured() {
    let logs = Logs::new();
    let file = logs.file("boom.jsonl", exploding(60));
    let started = std::time::Instant::now();
    let output = lineal(&[&file, "--as", "queue", "--time-limit", "1s"]);
    assert_eq!(output.status.code(), Some(3), "{}", stdout(&output));
    assert!(started.elapsed().as_secs_f64() < 3.0);
    assert!(stdout(&output).contains("time limit"), "{}", stdout(&output));
    assert!(
        stdout(&output).contains("the longest legal order has 60 of 61 operations"),
        "{}",
        stdout(&output)
    );
    let output = lineal(&[&file, "--as", "queue", "--memory-limit", "80MiB", "--format", "json"]);
    let json: serde_json::Value = serde_json::from_str(&stdout(&output)).unwrap();
    assert_eq!(json["results"][0]["limit"]["kind"], "memory");
    assert!(json["results"][0]["stats"]["peak_bytes"].as_u64().unwrap() < (80 + 32) << 20);
    let output = lineal(&[&file, "--as", "queue", "--max-states", "5000"]);
    assert_eq!(output.status.code(), Some(3));
}

#[test]
fn a_violation_is_explained() {
    let log = "{:process 0 :type :invoke :f :enq :value 1}
{:process 0 :type :ok :f :enq :value 1}
{:process 1 :type :invoke :f :enq :value 2}
{:process 1 :type :ok :f :enq :value 2}
{:process 1 :type :invoke :f :enq :value 3}
{:process 1 :type :ok :f :enq :value 3}
{:process 0 :type :invoke :f :deq}
{:process 0 :type :ok :f :deq :value 2}
{:process 0 :type :invoke :f :deq}
{:process 0 :type :ok :f :deq :value 1}";
    let text = stdout(&check(log, "--as queue --minimise", 1));
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains("enqueue(1) ended before enqueue(2) began"), "{text}");
    assert!(text.contains("The first 7 of 10 events can be explained"), "{text}");
    assert!(text.contains("dequeue() → 2 is not possible when the state is [1 2]"), "{text}");
    assert!(text.contains("as trying every order confirms"), "{text}");
    assert!(!text.contains("enqueue(3)"), "{text}");
}

#[test]
fn logs_are_decided_while_being_read() {
    let stream =
        |log: &str, flags: &str, expected| stdout(&check(log, &format!("{flags} --stream"), expected));
    stream(EDN, "--as register", 0);
    let text = stream(&EDN.replace(":value 7}\n{:process :n", ":value 8}\n{:process :n"), "--as register", 1);
    assert!(text.contains("nobody had written"), "{text}");
    // Written again long after it was overwritten: no obstacle. While it may be read: unknown.
    let write = |v: u32| {
        format!(
            "{{:process 0 :type :invoke :f :write :value {v}}}{{:process 0 :type :ok :f :write :value {v}}}\n"
        )
    };
    stream(&[1, 2, 1, 2].map(write).concat(), "--as register", 0);
    stream(&[1, 1].map(write).concat(), "--as register", 3);
    check(&[1, 1].map(write).concat(), "--as register", 0);
    let set = "{:process 0 :type :invoke :f :add :value 1}{:process 0 :type :ok :f :add :result true}
{:process 0 :type :invoke :f :contains :value 1}{:process 0 :type :ok :f :contains :value false}";
    let text = stream(set, "--as set", 1);
    assert!(text.contains("could not have been out of the set"), "{text}");
    let output = check(EDN, "--as queue --stream", 2);
    assert!(stderr(&output).contains("not a queue"));
    if let Some(root) = shared() {
        let kv = root.join("kv/c10-ok.txt").display().to_string();
        assert_eq!(
            lineal(&[&kv, "--as", "kv", "--stream"]).status.code(),
            Some(3),
            "appends need the search"
        );
    }
}
