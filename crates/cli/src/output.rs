//! Prints a finished run in the format asked for: results to stdout, and as text diagnostics to
//! stderr, so that neither hides in the other's redirection.

use crate::args::Refused;
use crate::exit;
use crate::flags::flag;
use crate::options::{Colour, Common, Format};
use crate::run::Done;
use anstream::{AutoStream, ColorChoice};
use lineal_model::{Diagnostic, Report};
use lineal_report::{Look, Sources, files, json, terminal};
use std::io::Write;
use std::process::ExitCode;

/// Files named by places but not read yet are shown only if they are of a sensible size.
const LARGEST: u64 = 64 << 20;

#[derive(Debug)]
pub struct Settings {
    format: Format,
    /// For stdout; stderr may differ in colour.
    look: Look,
    colour_on_stderr: bool,
}

impl Settings {
    pub fn new(common: &Common, typed: String) -> Self {
        let colour = |auto: ColorChoice| match common.color {
            Colour::Always => true,
            Colour::Never => false,
            Colour::Auto => auto != ColorChoice::Never,
        };
        let stdout = colour(AutoStream::choice(&std::io::stdout()));
        Settings {
            format: common.format,
            look: look(stdout, &typed),
            colour_on_stderr: colour(AutoStream::choice(&std::io::stderr())),
        }
    }
}

/// How a report looks after this command line.
fn look(colour: bool, typed: &str) -> Look {
    let mut words: Vec<&str> = typed.split(' ').collect();
    let mut replays = words.len();
    leave_out("--replay", &mut words);
    replays -= words.len();
    // What is shown again is a violation, not the search that came upon it.
    words.retain(|w| !["--strongest-spec", "--weaken", "--repair"].contains(w));
    leave_out("--sample", &mut words);
    leave_out("--preemptions", &mut words);
    let joined = words.iter().find_map(|w| w.strip_prefix("--save-client="));
    let apart = words.iter().position(|w| *w == "--save-client").and_then(|i| words.get(i + 1).copied());
    let client = joined.or(apart).map(str::to_string);
    Look { width: width(), colour, command: words.join(" "), replays: replays > 0, client, flags: flag }
}

/// Takes an option and its value out of a command line.
fn leave_out(option: &str, words: &mut Vec<&str>) {
    if let Some(i) = words.iter().position(|w| *w == option) {
        words.drain(i..(i + 2).min(words.len()));
    }
    words.retain(|w| !w.strip_prefix(option).is_some_and(|rest| rest.starts_with('=')));
}

/// The terminal's width; elsewhere `COLUMNS`, or a width that suits a page.
fn width() -> usize {
    let terminal = terminal_size::terminal_size_of(std::io::stdout()).map(|(w, _)| w.0 as usize);
    let columns = || std::env::var("COLUMNS").ok()?.parse().ok();
    terminal.or_else(columns).unwrap_or(100).clamp(40, 400)
}

pub fn print(done: &Done, settings: &Settings) -> ExitCode {
    let code = if done.panic.is_some() { exit::PANICKED } else { exit::code(&done.report) };
    match settings.format {
        Format::Json => write(std::io::stdout(), &json::render(&done.report, code.into(), flag)),
        Format::Jsonl => write(std::io::stdout(), &json::lines(&done.report, flag)),
        Format::Text => {
            let sources = sources(done);
            let look = Look { colour: settings.colour_on_stderr, ..settings.look.clone() };
            let problems = terminal::diagnostics(&done.report, &sources, &look);
            let results = terminal::findings(&done.report, &sources, &settings.look);
            let gap = if problems.is_empty() || results.is_empty() { "" } else { "\n" };
            write(std::io::stderr(), &format!("{problems}{gap}"));
            write(std::io::stdout(), &results);
        }
    }
    ExitCode::from(code)
}

/// The texts read so far, and those of files that only a place mentions.
fn sources(done: &Done) -> Sources {
    let mut sources = done.sources.clone();
    for name in files(&done.report) {
        let small = || std::fs::metadata(&*name).is_ok_and(|m| m.is_file() && m.len() <= LARGEST);
        if !sources.contains(&name)
            && small()
            && let Ok(text) = std::fs::read(&*name)
        {
            sources.add(name, String::from_utf8_lossy(&text));
        }
    }
    sources
}

/// A command line that could not be read. Help and version are no errors.
pub fn usage(refused: Refused) -> ExitCode {
    let Refused { error, json } = refused;
    if json && error.use_stderr() {
        let text = error.render().to_string();
        let text = text.trim().trim_start_matches("error: ");
        let (message, rest) = text.split_once("\n\n").unwrap_or((text, ""));
        let refusal = Diagnostic::error("L0011", message).help(rest);
        let report = Report { diagnostics: vec![refusal], ..Report::default() };
        write(std::io::stdout(), &json::render(&report, exit::REFUSED.into(), flag));
        return ExitCode::from(exit::REFUSED);
    }
    let _ = error.print();
    if error.use_stderr() { ExitCode::from(exit::REFUSED) } else { ExitCode::from(exit::HOLDS) }
}

/// A reader that has seen enough (`| head`) is no error.
fn write(mut to: impl Write, text: &str) {
    let _ = to.write_all(text.as_bytes());
    let _ = to.flush();
}
