//! The bytes of a log, a window at a time, with line numbers. Checked to be UTF-8 on the way in.

use lineal_model::{Diagnostic, Flags, Knob, Place};
use std::io::Read;

pub struct Source<'a> {
    input: &'a mut dyn Read,
    file: &'a str,
    flags: Flags,
    window: Vec<u8>,
    /// Start of what is not consumed yet.
    start: usize,
    /// Line of `start`, from 1.
    line: u32,
    /// Everything before this is known to be UTF-8.
    checked: usize,
    ended: bool,
}

const CHUNK: usize = 1 << 18;
/// Records are small; a window that grows beyond this means something is wrong.
const LONGEST: usize = 16 << 20;

impl<'a> Source<'a> {
    pub fn new(input: &'a mut dyn Read, file: &'a str, flags: Flags) -> Self {
        Source { input, file, flags, window: Vec::new(), start: 0, line: 1, checked: 0, ended: false }
    }

    pub fn rest(&self) -> &[u8] {
        &self.window[self.start..]
    }

    pub fn line(&self) -> u32 {
        self.line
    }

    pub fn has_ended(&self) -> bool {
        self.ended
    }

    /// Consumes bytes that contain so many line ends.
    pub fn advance(&mut self, bytes: usize, lines: u32) {
        self.start += bytes;
        self.line += lines;
    }

    /// Reads more, keeping what is not consumed.
    pub fn fill(&mut self) -> Result<(), Diagnostic> {
        if self.ended {
            return Ok(());
        }
        self.window.drain(..self.start);
        self.checked -= self.start;
        self.start = 0;
        if self.window.len() >= LONGEST {
            self.ended = true;
            let message = format!("a record goes on for more than {} MiB", LONGEST >> 20);
            return Err(self
                .problem("L0308", message)
                .help(format!("is this a log of one of the formats of `{}`?", (self.flags)(Knob::Format))));
        }
        // Twice as much at least, so that a long record is not looked at too often.
        let more = CHUNK.max(self.window.len());
        let old = self.window.len();
        self.window.resize(old + more, 0);
        let mut filled = old;
        while filled < old + more {
            match self.input.read(&mut self.window[filled..]) {
                Ok(0) => {
                    self.ended = true;
                    break;
                }
                Ok(n) => filled += n,
                Err(e) if e.kind() == std::io::ErrorKind::Interrupted => {}
                Err(e) => {
                    self.window.truncate(filled);
                    self.ended = true;
                    return Err(self.problem("L0314", format!("cannot read on: {e}")));
                }
            }
        }
        self.window.truncate(filled);
        self.check_utf8()
    }

    fn check_utf8(&mut self) -> Result<(), Diagnostic> {
        match std::str::from_utf8(&self.window[self.checked..]) {
            Ok(_) => self.checked = self.window.len(),
            Err(e) => {
                let bad = self.checked + e.valid_up_to();
                self.checked = bad;
                // A character cut by the window's end is completed later, unless nothing follows.
                if e.error_len().is_some() || self.ended {
                    let line = self.line + newlines(&self.window[self.start..bad]);
                    self.window.truncate(bad);
                    self.ended = true;
                    let message = "a byte that is not UTF-8; reading stops here";
                    return Err(Diagnostic::error("L0309", message).at(Place::line(self.file, line)));
                }
            }
        }
        Ok(())
    }

    fn problem(&self, code: &'static str, message: impl Into<String>) -> Diagnostic {
        Diagnostic::error(code, message).at(Place::line(self.file, self.line))
    }
}

pub fn newlines(bytes: &[u8]) -> u32 {
    bytes.iter().filter(|&&b| b == b'\n').count() as u32
}
