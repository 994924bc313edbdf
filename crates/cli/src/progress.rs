//! One line on stderr while a check runs, on a terminal only, gone at the end.

use lineal_model::Counts;
use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

pub struct Progress {
    on: bool,
    shown: bool,
    next: Instant,
}

/// Quick checks show nothing.
const QUIET: Duration = Duration::from_millis(500);
const EVERY: Duration = Duration::from_millis(200);

impl Progress {
    pub fn new() -> Self {
        Progress { on: std::io::stderr().is_terminal(), shown: false, next: Instant::now() + QUIET }
    }

    pub fn tick(&mut self, doing: &str, counts: Counts, elapsed: Duration, resident: Option<u64>) {
        let now = Instant::now();
        if !self.on || now < self.next {
            return;
        }
        self.next = now + EVERY;
        let mut line = line(doing, counts, elapsed, resident);
        let width = terminal_size::terminal_size_of(std::io::stderr()).map_or(80, |(w, _)| w.0 as usize);
        if let Some((end, _)) = line.char_indices().nth(width.saturating_sub(1)) {
            line.truncate(end);
        }
        self.shown = true;
        // A terminal that went away is no reason to fail.
        let _ = write!(std::io::stderr(), "\r\x1b[K{line}");
        let _ = std::io::stderr().flush();
    }

    pub fn clear(&mut self) {
        if std::mem::take(&mut self.shown) {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
            let _ = std::io::stderr().flush();
        }
    }
}

fn line(doing: &str, counts: Counts, elapsed: Duration, resident: Option<u64>) -> String {
    let mut parts = vec![format!("{doing}:")];
    let named = [
        (counts.clients, "clients"),
        (counts.executions, "executions"),
        (counts.blocked, "blocked"),
        (counts.states, "states"),
    ];
    parts.extend(named.iter().filter(|(n, _)| *n > 0).map(|(n, what)| format!("{n} {what},")));
    parts.push(format!("{} s", elapsed.as_secs()));
    if let Some(bytes) = resident {
        parts.push(format!("({})", lineal_report::bytes(bytes)));
    }
    parts.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_counted_is_shown() {
        let counts = Counts { executions: 12, ..Counts::default() };
        let text = line("verify", counts, Duration::from_secs(3), Some(5 << 20));
        assert_eq!(text, "verify: 12 executions, 3 s (5.0 MiB)");
    }
}
