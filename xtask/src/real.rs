//! `cargo xtask real DIR`: published libraries, unpatched, with clients of our own.
//!
//! Each file of `real/` is a client. Its header says whose code it includes and at which commit
//! (`from`), what has to be made before (`set up`), how Lineal is run (`run`; `@owner/name` is the
//! checkout `DIR/owner/name`) and what it should say (`expect`). Checkouts are the user's own.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

struct Run {
    command: String,
    expected: String,
}

struct Client {
    file: PathBuf,
    /// `owner/name` and the commit.
    from: String,
    commit: String,
    runs: Vec<Run>,
}

pub fn real(dir: &str, filter: &str) -> ExitCode {
    let lineal = std::env::var("LINEAL").unwrap_or("target/release/lineal".into());
    let mut files: Vec<PathBuf> = match std::fs::read_dir("real") {
        Ok(entries) => {
            entries.flatten().map(|e| e.path()).filter(|p| p.extension().is_some_and(|e| e == "c")).collect()
        }
        Err(error) => {
            eprintln!("cannot read real/: {error}; run this in the root of the repository");
            return ExitCode::from(2);
        }
    };
    files.sort();
    let (mut good, mut wrong, mut skipped) = (0, 0, 0);
    for file in files.iter().filter(|f| f.to_string_lossy().contains(filter)) {
        let client = match read(file) {
            Ok(client) => client,
            Err(why) => {
                println!("{}: {why}", file.display());
                wrong += 1;
                continue;
            }
        };
        let checkout = Path::new(dir).join(&client.from);
        if !checkout.is_dir() {
            println!("{}: skipped, there is no checkout {}", file.display(), checkout.display());
            skipped += 1;
            continue;
        }
        if let Some(other) = head(&checkout).filter(|at| *at != client.commit) {
            println!(
                "{}: the checkout is at {other}, the client was written for {}",
                file.display(),
                client.commit
            );
        }
        for run in &client.runs {
            let started = std::time::Instant::now();
            let said = ask(&lineal, &client.file, &run.command, dir);
            let seconds = started.elapsed().as_secs_f64();
            let fits = said.as_ref().is_ok_and(|v| *v == run.expected);
            let shown = said.unwrap_or_else(|why| why);
            let mark = if fits { "ok" } else { "NOT AS EXPECTED" };
            println!("{} {}: {shown}, {seconds:.2} s ({mark})", file.display(), run.command);
            if fits { good += 1 } else { wrong += 1 }
        }
    }
    println!("{good} as expected, {wrong} not, {skipped} clients skipped");
    if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn read(file: &Path) -> Result<Client, String> {
    let text = std::fs::read_to_string(file).map_err(|e| e.to_string())?;
    let mut client =
        Client { file: file.to_path_buf(), from: String::new(), commit: String::new(), runs: Vec::new() };
    for line in text.lines().filter_map(|l| l.strip_prefix("//@ ")) {
        let (key, value) = line.split_once(": ").ok_or(format!("`{line}` has no `:`"))?;
        match key {
            "from" => {
                let (from, commit) = value.split_once(' ').ok_or("`from` wants owner/name and a commit")?;
                (client.from, client.commit) = (from.into(), commit.into());
            }
            "set up" => {}
            "run" => client.runs.push(Run { command: value.into(), expected: String::new() }),
            "expect" => match client.runs.last_mut() {
                Some(run) => run.expected = value.into(),
                None => return Err("`expect` comes after `run`".into()),
            },
            _ => return Err(format!("`{key}` is none of from, set up, run, expect")),
        }
    }
    let complete = !client.from.is_empty() && client.runs.iter().all(|r| !r.expected.is_empty());
    if complete && !client.runs.is_empty() { Ok(client) } else { Err("says too little about itself".into()) }
}

/// The commit of a checkout, if git knows it.
fn head(checkout: &Path) -> Option<String> {
    let told = Command::new("git").arg("-C").arg(checkout).args(["rev-parse", "HEAD"]).output().ok()?;
    let own = checkout.join(".git").exists() && told.status.success();
    own.then(|| String::from_utf8_lossy(&told.stdout).trim().to_string())
}

/// The first word of the verdict.
fn ask(lineal: &str, file: &Path, command: &str, dir: &str) -> Result<String, String> {
    let mut words = command.split_whitespace().map(|w| w.replace('@', &format!("{dir}/")));
    let name = words.next().ok_or("`run` is empty")?;
    let output = Command::new(lineal).arg(name).arg(file).args(words).output();
    let output = output.map_err(|e| format!("cannot run {lineal}: {e}"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let verdict = text.lines().find_map(|l| l.split_once(':').map(|(word, _)| word));
    let known = verdict.filter(|v| ["holds", "violated", "unknown"].contains(v));
    let errors = String::from_utf8_lossy(&output.stderr);
    known.map(str::to_string).ok_or_else(|| errors.lines().next().unwrap_or("nothing was said").to_string())
}
