//! What the C compiler of this machine makes of generated programs.

use super::program::generate_prefixed;
use std::ops::Range;
use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

/// How to compile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Build {
    Plain,
    Optimised,
}

/// Programs per call of the compiler: starting it costs more than a program does.
const BATCH: u64 = 20;

/// The results of `generate(seed)` for each seed, compiled by `cc` and run.
pub fn compiled(seeds: Range<u64>, build: Build) -> Result<Vec<u64>, String> {
    let mut results = Vec::new();
    let mut from = seeds.start;
    while from < seeds.end {
        let to = (from + BATCH).min(seeds.end);
        results.extend(batch(from..to, build)?);
        from = to;
    }
    Ok(results)
}

fn batch(seeds: Range<u64>, build: Build) -> Result<Vec<u64>, String> {
    let mut source = String::new();
    let mut calls = String::new();
    for seed in seeds.clone() {
        source += &generate_prefixed(seed, &format!("p{seed}_"));
        calls += &format!("    p{seed}_main();\n");
    }
    source += &format!("int main(void)\n{{\n{calls}    return 0;\n}}\n");
    let scratch = Scratch::new()?;
    let (c, program) = (scratch.0.join("batch.c"), scratch.0.join("batch"));
    std::fs::write(&c, source).map_err(|e| format!("cannot write {}: {e}", c.display()))?;
    let level = match build {
        Build::Plain => "-O0",
        Build::Optimised => "-O2",
    };
    let cc = Command::new("cc").args(["-std=gnu11", "-w", level]).arg(&c).arg("-o").arg(&program).output();
    let cc = cc.map_err(|e| format!("cannot run cc: {e}"))?;
    if !cc.status.success() {
        return Err(format!("seeds {seeds:?}: cc says {}", String::from_utf8_lossy(&cc.stderr)));
    }
    let run = Command::new(&program).output().map_err(|e| format!("cannot run the programs: {e}"))?;
    let text = String::from_utf8_lossy(&run.stdout).into_owned();
    let results: Vec<u64> = text.lines().filter_map(|l| l.parse().ok()).collect();
    if !run.status.success() || results.len() as u64 != seeds.end - seeds.start {
        return Err(format!("seeds {seeds:?}: {} with {} results", run.status, results.len()));
    }
    Ok(results)
}

/// A directory that goes away.
pub struct Scratch(pub PathBuf);

impl Scratch {
    pub fn new() -> Result<Self, String> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let n = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("lineal-compiled-{}-{n}", std::process::id()));
        std::fs::create_dir_all(&path).map_err(|e| format!("cannot create {}: {e}", path.display()))?;
        Ok(Scratch(path))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // Nothing can be done about a directory that stays.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
