//! Runs the binary under test and reads its JSON document; asks `cc` for a second opinion.

use serde_json::Value;
use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

pub struct Ran {
    pub exit: i32,
    pub document: Value,
}

impl Ran {
    /// For a failure's message: enough to see what happened, not the whole trace.
    pub fn shown(&self) -> String {
        let mut text = serde_json::to_string_pretty(&self.document).unwrap_or_default();
        if let Some((end, _)) = text.char_indices().nth(4000) {
            text.truncate(end);
            text.push_str("\n…");
        }
        text
    }
}

/// Longer than any single case may take.
const PATIENCE: Duration = Duration::from_secs(180);

pub fn run(words: &[String], subject: &Path) -> Result<Ran, String> {
    let name = subject.file_name().ok_or("a file without a name")?;
    let mut command = Command::new(env!("CARGO_BIN_EXE_lineal"));
    command.args(words).arg(name).args(["--format", "json"]);
    if !words.iter().any(|w| w.starts_with("--time-limit")) {
        command.args(["--time-limit", "120s"]);
    }
    if let Some(dir) = subject.parent() {
        command.current_dir(dir);
    }
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(|e| e.to_string())?;
    let stdout = drain(child.stdout.take());
    let stderr = drain(child.stderr.take());
    let started = Instant::now();
    let status = loop {
        match child.try_wait().map_err(|e| e.to_string())? {
            Some(status) => break status,
            None if started.elapsed() > PATIENCE => {
                let _ = child.kill();
                let _ = child.wait();
                return Err(format!("did not end within {} s", PATIENCE.as_secs()));
            }
            None => std::thread::sleep(Duration::from_millis(2)),
        }
    };
    let (stdout, stderr) = (stdout.join().unwrap_or_default(), stderr.join().unwrap_or_default());
    let exit = status.code().ok_or_else(|| format!("ended by a signal: {status}\n{stderr}"))?;
    let document = serde_json::from_str(&stdout)
        .map_err(|e| format!("stdout is no JSON document: {e}\n{stdout}\n{stderr}"))?;
    Ok(Ran { exit, document })
}

/// A corpus of programs that no compiler accepts would prove little.
pub fn compiles(subject: &Path) -> Result<(), libtest_mimic::Failed> {
    let cc = std::env::var("CC").unwrap_or("cc".into());
    let output = Command::new(&cc)
        .args(["-std=gnu11", "-w", "-pthread", "-c", "-o", "/dev/null"])
        .arg(subject)
        .output()
        .map_err(|e| format!("{cc}: {e}"))?;
    if output.status.success() {
        Ok(())
    } else {
        Err(String::from_utf8_lossy(&output.stderr).into_owned().into())
    }
}

fn drain(pipe: Option<impl Read + Send + 'static>) -> std::thread::JoinHandle<String> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut pipe) = pipe {
            let _ = pipe.read_to_end(&mut bytes);
        }
        String::from_utf8_lossy(&bytes).into_owned()
    })
}
