//! The preprocessor of the C compiler of this machine.

use lineal_lang::c11;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

/// A compiler, and a directory with the bundled headers that goes away with it.
pub struct Cc(PathBuf);

impl Cc {
    /// `None`, and a message, if there is none, or one that is no gcc: others differ in what the
    /// standard leaves open.
    pub fn find() -> Option<Cc> {
        let said = Command::new("cc").arg("--version").output().ok();
        let said = said.map_or(String::new(), |out| String::from_utf8_lossy(&out.stdout).into_owned());
        if !said.contains("Free Software Foundation") {
            println!("there is no gcc called cc: nothing is compared");
            return None;
        }
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let n = COUNT.fetch_add(1, Ordering::Relaxed);
        let dir = std::env::temp_dir().join(format!("lineal-headers-{}-{n}", std::process::id()));
        std::fs::create_dir_all(&dir).ok()?;
        for (name, text) in c11::headers() {
            std::fs::write(dir.join(name), text).ok()?;
        }
        Some(Cc(dir))
    }

    pub fn preprocess(&self, name: &str, text: &str) -> Result<String, String> {
        let mut command = Command::new("cc");
        command.args(["-E", "-P", "-x", "c", "-std=gnu11", "-nostdinc", "-D__LINEAL__=1", "-isystem"]);
        command.arg(&self.0);
        let from_file = std::path::Path::new(name).is_file();
        let child = command
            .arg(if from_file { name } else { "-" })
            .env("LC_ALL", "C")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn();
        let mut child = child.map_err(|e| e.to_string())?;
        if let Some(mut input) = child.stdin.take()
            && !from_file
        {
            input.write_all(text.as_bytes()).map_err(|e| e.to_string())?;
        }
        let output = child.wait_with_output().map_err(|e| e.to_string())?;
        if !output.status.success() {
            return Err(String::from_utf8_lossy(&output.stderr).into_owned());
        }
        String::from_utf8(output.stdout).map_err(|e| e.to_string())
    }
}

impl Drop for Cc {
    fn drop(&mut self) {
        // Nothing can be done about a directory that stays.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
