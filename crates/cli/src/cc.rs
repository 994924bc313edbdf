//! Runs a process to its end, or to the end of our patience.

use crate::limits::Watch;
use lineal_model::Limit;
use std::io::Read;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

#[derive(Debug)]
pub enum Ended {
    /// Exit code 0, and what it wrote to stdout.
    Well(Vec<u8>),
    Failed {
        stderr: String,
        status: String,
    },
    /// It could not be started.
    Absent(std::io::Error),
    /// It did not end in time and was killed.
    Hung,
    /// It wrote more than this many bytes.
    TooLarge(u64),
    /// A limit of the whole run was reached.
    Stopped(Limit),
}

const LARGEST: u64 = 256 << 20;

pub fn run(mut command: Command, patience: Duration, watch: &Watch) -> Ended {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    own_group(&mut command);
    let mut child = match command.spawn() {
        Ok(child) => child,
        Err(error) => return Ended::Absent(error),
    };
    let stdout = drain(child.stdout.take());
    let stderr = drain(child.stderr.take());
    let deadline = Instant::now() + patience;
    let status = loop {
        let ended = match child.try_wait() {
            Ok(Some(status)) => break status,
            Ok(None) if Instant::now() >= deadline => Some(Ended::Hung),
            Ok(None) => watch.reached().map(Ended::Stopped),
            Err(error) => Some(Ended::Absent(error)),
        };
        if let Some(ended) = ended {
            kill(&mut child);
            return ended;
        }
        std::thread::sleep(Duration::from_millis(1));
    };
    // A grandchild may keep the pipes open: they get a moment, not for ever.
    let moment = Duration::from_secs(5);
    let (Ok(stdout), Ok(stderr)) = (stdout.recv_timeout(moment), stderr.recv_timeout(moment)) else {
        kill(&mut child);
        return Ended::Hung;
    };
    if stdout.len() as u64 > LARGEST {
        Ended::TooLarge(LARGEST)
    } else if status.success() {
        Ended::Well(stdout)
    } else {
        Ended::Failed { stderr: String::from_utf8_lossy(&stderr).into_owned(), status: status.to_string() }
    }
}

/// Reads to the end in a thread of its own, so that neither pipe fills up; past the largest size
/// it only swallows.
fn drain(pipe: Option<impl Read + Send + 'static>) -> Receiver<Vec<u8>> {
    let (send, receive) = channel();
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut pipe) = pipe {
            let _ = pipe.by_ref().take(LARGEST + 1).read_to_end(&mut bytes);
            let _ = std::io::copy(&mut pipe, &mut std::io::sink());
        }
        let _ = send.send(bytes);
    });
    receive
}

/// `cc` starts processes of its own; in a group they can be ended together.
#[cfg(unix)]
fn own_group(command: &mut Command) {
    std::os::unix::process::CommandExt::process_group(command, 0);
}

#[cfg(not(unix))]
fn own_group(_: &mut Command) {}

fn kill(child: &mut Child) {
    if cfg!(unix) {
        // The shell's own `kill` is always there, a program of that name is not. If it fails, at
        // least the process itself is ended below.
        let line = format!("kill -s KILL -- -{}", child.id());
        let _ = Command::new("sh").args(["-c", &line]).stderr(Stdio::null()).status();
    }
    let _ = child.kill();
    let _ = child.wait();
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Limits;

    fn shell(script: &str, patience: Duration) -> Ended {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        run(command, patience, &Watch::new(Limits { time: None, memory: 1 << 40 }))
    }

    const LONG: Duration = Duration::from_secs(20);

    #[test]
    fn output_is_collected() {
        assert!(matches!(shell("echo hi", LONG), Ended::Well(out) if out == b"hi\n"));
    }

    #[test]
    fn failure_is_told_with_its_words() {
        let ended = shell("echo oh >&2; exit 3", LONG);
        assert!(
            matches!(&ended, Ended::Failed { stderr, status } if stderr == "oh\n" && status.contains('3'))
        );
    }

    #[test]
    fn a_process_that_hangs_is_killed_with_its_children() {
        let started = Instant::now();
        assert!(matches!(shell("sleep 60 & sleep 60", Duration::from_millis(100)), Ended::Hung));
        assert!(started.elapsed() < Duration::from_secs(10));
    }

    #[test]
    fn an_absent_program_is_told() {
        let watch = Watch::new(Limits { time: None, memory: 1 << 40 });
        assert!(matches!(run(Command::new("no-such-cc-here"), LONG, &watch), Ended::Absent(_)));
    }
}
