//! Ctrl-C: the check ends soon, says so, and the preprocessor it was waiting for ends too.
#![cfg(unix)]

use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

#[test]
fn an_interrupt_is_an_unknown() {
    let dir = tempfile::tempdir().unwrap();
    let script = dir.path().join("hang");
    std::fs::write(&script, "#!/bin/sh\necho $$ > started\nexec sleep 60\n").unwrap();
    std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).unwrap();
    std::fs::write(dir.path().join("a.c"), "int main(void) { return 0; }\n").unwrap();

    let child = Command::new(env!("CARGO_BIN_EXE_lineal"))
        .args(["verify", "a.c", "--memory", "sc", "--format", "json"])
        .current_dir(dir.path())
        .env("CC", &script)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let started = dir.path().join("started");
    let patience = Instant::now() + Duration::from_secs(20);
    let sleeper = loop {
        match std::fs::read_to_string(&started) {
            Ok(pid) if pid.ends_with('\n') => break pid.trim().to_string(),
            _ => assert!(Instant::now() < patience, "the preprocessor was not started"),
        }
        std::thread::sleep(Duration::from_millis(10));
    };

    let sent = Instant::now();
    signal("INT", &child.id().to_string());
    let output = child.wait_with_output().unwrap();
    assert!(sent.elapsed() < Duration::from_secs(5), "took {:?}", sent.elapsed());
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(document["results"][0]["limit"]["kind"], "interrupt");
    assert!(!signal("0", &sleeper), "the preprocessor is still running");
}

fn signal(which: &str, pid: &str) -> bool {
    let line = format!("kill -s {which} {pid}");
    Command::new("sh").args(["-c", &line]).stderr(Stdio::null()).status().unwrap().success()
}
