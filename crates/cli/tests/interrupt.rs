//! Ctrl-C: the check ends soon, and says so.
#![cfg(unix)]

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// More executions than anybody has time for.
const PROGRAM: &str = "#include <pthread.h>
#include <stdatomic.h>
atomic_int x;
void *f(void *arg) { for (int i = 0; i < 20; i++) atomic_fetch_add(&x, i); return arg; }
int main(void) {
    pthread_t t[4];
    for (int i = 0; i < 4; i++) pthread_create(&t[i], 0, f, 0);
    for (int i = 0; i < 4; i++) pthread_join(t[i], 0);
    return 0;
}
";

#[test]
fn an_interrupt_is_an_unknown() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("a.c"), PROGRAM).unwrap();
    let child = Command::new(env!("CARGO_BIN_EXE_lineal"))
        .args(["verify", "a.c", "--memory", "sc", "--format", "json"])
        .current_dir(dir.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(Duration::from_secs(1));
    let sent = Instant::now();
    assert!(signal("INT", &child.id().to_string()), "the check has ended");
    let output = child.wait_with_output().unwrap();
    assert!(sent.elapsed() < Duration::from_secs(5), "took {:?}", sent.elapsed());
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(document["results"][0]["limit"]["kind"], "interrupt");
}

fn signal(which: &str, pid: &str) -> bool {
    let line = format!("kill -s {which} {pid}");
    Command::new("sh").args(["-c", &line]).stderr(Stdio::null()).status().unwrap().success()
}
