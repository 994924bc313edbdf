//! Programs about the library say by assertions what its functions do; the C library of this machine must
//! agree. Without `cc` there is nobody to ask.

use std::path::{Path, PathBuf};
use std::process::Command;

fn programs() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/c");
    let list = |name: &str| std::fs::read_dir(root.join(name)).expect("a directory of the corpus");
    let mut found: Vec<PathBuf> =
        ["library", "float"].into_iter().flat_map(list).map(|entry| entry.expect("a file").path()).collect();
    // What fails here, or cannot be told, is not asked there.
    found.retain(|p| std::fs::read_to_string(p).is_ok_and(|text| text.contains("//@ expect: holds")));
    found.sort();
    found
}

#[test]
fn the_library_of_this_machine_agrees() {
    if Command::new("cc").arg("--version").output().is_err() {
        eprintln!("skipped: there is no cc");
        return;
    }
    let dir = tempfile::tempdir().expect("a place for programs");
    let programs = programs();
    assert!(programs.len() > 5, "only {} programs", programs.len());
    for program in programs {
        let out = dir.path().join("program");
        let built = Command::new("cc")
            .args(["-std=gnu11", "-w", "-pthread", "-O1", "-o"])
            .arg(&out)
            .arg(&program)
            .args(["-lm", "-latomic"])
            .status()
            .expect("cc runs");
        assert!(built.success(), "{} does not compile", program.display());
        let ran = Command::new(&out).output().expect("it was just built");
        let said = String::from_utf8_lossy(&ran.stderr).into_owned();
        assert!(ran.status.success(), "{}: {}\n{said}", program.display(), ran.status);
    }
}
