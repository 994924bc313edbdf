//! The client of a violation as a C program: `cc` takes it, `lineal verify` finds the violation in
//! it again, and none is found once the object is mended.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the workspace")
}

/// The first result of a run with `--format json`, and nothing else to say.
fn result(words: &[&str], dir: &Path) -> Value {
    let document = document(words, dir);
    assert_eq!(document["diagnostics"], Value::Array(vec![]), "{words:?}");
    document["results"][0].clone()
}

fn document(words: &[&str], dir: &Path) -> Value {
    let output = Command::new(env!("CARGO_BIN_EXE_lineal"))
        .args(words)
        .args(["--format", "json", "--time-limit", "120s"])
        .current_dir(dir)
        .output()
        .expect("the binary");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    serde_json::from_str(&text).unwrap_or_else(|e| panic!("{words:?}: {e}\n{text}"))
}

#[test]
fn a_token_knows_its_memory_model() {
    let file = "tests/c/check/tso_map.c";
    let first = result(&["check", file, "--memory", "tso", "--calls", "4"], &root());
    let token = first["witness"]["replay"].as_str().expect("a token");
    let again = document(&["check", file, "--replay", token], &root());
    assert_eq!(again["results"][0]["witness"]["client"], first["witness"]["client"]);
    assert_eq!(again["diagnostics"][0]["code"], "L0019", "{again}");
    // What is typed counts, and is refused where it cannot be right.
    let other = document(&["check", file, "--replay", token, "--memory", "rc11"], &root());
    assert_eq!(other["diagnostics"][0]["code"], "L0014", "{other}");
    assert_eq!(
        result(&["check", file, "--replay", token, "--memory", "tso"], &root())["verdict"],
        "violated"
    );
}

/// Saves the client of `lineal check FILE FLAGS` and looks for its violation.
#[track_caller]
fn check(file: &str, flags: &str, memory: &str, kind: &str, found: &str) -> String {
    let dir = tempfile::tempdir().expect("a directory");
    let saved = dir.path().join("client.c");
    let saved_name = saved.to_str().expect("a plain name");
    let mut words = vec!["check", file, "--memory", memory, "--save-client", saved_name];
    words.extend(flags.split_whitespace());
    let violation = result(&words, &root());
    assert_eq!(violation["witness"]["kind"], kind, "{file} {flags}: {violation}");
    let program = std::fs::read_to_string(&saved).expect("the client");
    assert_eq!(violation["witness"]["program"], program.as_str());
    assert!(!violation["witness"]["steps"].to_string().contains("__lineal"), "{violation}");
    assert!(!violation["witness"]["why"].to_string().contains("__lineal"), "{violation}");

    let again = result(&["verify", "client.c", "--memory", memory], dir.path());
    assert_eq!(again["verdict"], "violated", "{file} {flags}\n{program}\n{again}");
    assert_eq!(again["witness"]["kind"], found, "{file} {flags}\n{program}");
    compiles(&saved);
    program
}

fn compiles(file: &Path) {
    let cc = std::env::var("CC").unwrap_or("cc".into());
    let command = Command::new(&cc)
        .args(["-std=gnu11", "-Wall", "-Werror", "-Wno-unknown-pragmas", "-pthread", "-o", "/dev/null"])
        .arg(file)
        .output();
    match command {
        Err(error) => eprintln!("not compiled: {cc}: {error}"),
        Ok(output) => assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr)),
    }
}

/// The same client of the object when it is right.
#[track_caller]
fn mended(program: &str, from: &str, to: &str) {
    let dir = tempfile::tempdir().expect("a directory");
    let saved = dir.path().join("client.c");
    // The object is named relative to where the client was.
    let absolute = |line: &str| match line.strip_prefix("#include \"") {
        Some(rest) => {
            let name = rest.trim_end_matches('"');
            let place = &name[name.find("tests/c/").expect("an object of the corpus")..];
            format!("#include \"{}\"", root().join(place).display())
        }
        None => line.to_string(),
    };
    let text: Vec<String> = program.lines().map(absolute).collect();
    let text = text.join("\n");
    assert!(text.contains(from) || from.is_empty(), "{program}");
    let text = if from.is_empty() { format!("{to}\n{text}") } else { text.replace(from, to) };
    std::fs::write(&saved, text).expect("the client");
    let verdict = result(&["verify", "client.c"], dir.path());
    assert_eq!(verdict["verdict"], "holds", "{program}\n{verdict}");
}

#[test]
fn wrong_answers() {
    check("tests/c/check/taken-twice.c", "--calls 3", "rc11", "result", "assertion");
    check("tests/c/check/try_lock.c", "--calls 2 -DTORN", "rc11", "result", "assertion");
}

#[test]
fn clients_that_order_their_calls() {
    let hw = "-DEXCHANGE=memory_order_acquire --calls enqueue=4,dequeue=3";
    let program = check("tests/c/check/hw_queue.c", hw, "rc11", "client", "assertion");
    mended(&program, "#define EXCHANGE memory_order_acquire", "#define EXCHANGE memory_order_acq_rel");
    check("tests/c/check/flags_set.c", "--calls 4", "rc11", "client", "assertion");
    check("tests/c/check/tso_map.c", "--calls 4", "tso", "client", "assertion");
    check("tests/c/check/spec_max.c", "--calls 3 -DLOST", "rc11", "client", "assertion");
    check("tests/c/check/pq.c", "--calls 3 -DANY", "rc11", "client", "assertion");
}

#[test]
fn missing_synchronisation_is_a_race_where_the_answer_tells() {
    let program = check("tests/c/check/relaxed-slot.c", "--calls 2", "rc11", "sync", "race");
    mended(&program, "", "#define ORDER memory_order_release");
}

#[test]
fn missing_synchronisation_is_a_stale_value_elsewhere() {
    check("tests/c/check/treiber.c", "--calls 3 --level RI", "rc11", "sync", "assertion");
    check("tests/c/check/hw_queue.c", "--calls 2 --level RI", "rc11", "sync", "assertion");
    check("examples/queue/own-specification.c", "--calls 2 -DRELAXED_SLOT", "rc11", "sync", "assertion");
    let relaxed = "--calls 4 --level R -DORDER=memory_order_relaxed";
    let program = check("tests/c/check/counter.c", relaxed, "rc11", "sync", "assertion");
    mended(&program, "#define ORDER memory_order_relaxed", "#define ORDER memory_order_release");
    let refused = "--calls 3 -DRELEASE=memory_order_relaxed";
    check("tests/c/check/try_lock.c", refused, "rc11", "sync", "assertion");
}

#[test]
fn errors_on_the_way() {
    check("tests/c/check/race.c", "--calls 2", "rc11", "unsafe", "race");
    check("tests/c/check/lock-order.c", "--calls 2", "rc11", "unsafe", "deadlock");
}

#[test]
fn the_graph_has_the_stale_read_and_the_missing_edge() {
    let dir = tempfile::tempdir().expect("a directory");
    let graph = dir.path().join("graph.dot");
    let name = graph.to_str().expect("a plain name");
    result(&["check", "tests/c/check/flags_set.c", "--dot", name], &root());
    let text = std::fs::read_to_string(&graph).expect("the graph");
    assert!(text.contains("label=fr") && !text.contains("__lineal"), "{text}");
    result(&["check", "tests/c/check/relaxed-slot.c", "--calls", "2", "--dot", name], &root());
    let text = std::fs::read_to_string(&graph).expect("the graph");
    assert!(text.contains("not visible"), "{text}");
}

#[test]
fn without_a_violation_nothing_is_written() {
    let dir = tempfile::tempdir().expect("a directory");
    let saved = dir.path().join("client.c");
    let output = Command::new(env!("CARGO_BIN_EXE_lineal"))
        .args(["check", "tests/c/check/ms_queue.c", "--calls", "1", "--save-client"])
        .arg(&saved)
        .current_dir(root())
        .output()
        .expect("the binary");
    assert!(String::from_utf8_lossy(&output.stderr).contains("nothing was written"));
    assert!(!saved.exists());
}
