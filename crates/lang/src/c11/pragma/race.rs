//! `#pragma lineal race ok`: plain accesses on the line below are taken to be relaxed atomic ones, as
//! `--races off-at` does for a line that is named. Each such line is in the scope.

use super::{Line, Pragma, pragmas};
use crate::c11::lex::Tok;
use crate::c11::{Options, Races, Unit};
use lineal_model::program::Program;
use lineal_model::{Assumption, Diagnostic, Place};

/// The lines whose races are set aside in the source, each with its pragma.
pub fn lines(units: &[Unit]) -> Result<Vec<(Place, Place)>, Vec<Diagnostic>> {
    let mut found = Vec::new();
    let mut wrong = Vec::new();
    for unit in units {
        let (tokens, files) = (unit.tokens(), unit.files());
        for Pragma { line, at } in pragmas(tokens, files) {
            let Line::Race(text) = line else { continue };
            if text != "ok" {
                let d = Diagnostic::error("L0121", format!("`race {text}` is not understood")).at(at);
                wrong.push(d.help("`#pragma lineal race ok` sets races of the line below aside"));
                continue;
            }
            // The line below is where the next token stands.
            let here = |i: usize| files.place(tokens[i].pos) == at;
            let pragma = |i: &usize| matches!(tokens[*i].tok, Tok::Pragma(_));
            let own = (0..tokens.len()).find(|&i| pragma(&i) && here(i)).unwrap_or(tokens.len());
            let next = (own..tokens.len()).find(|i| !pragma(i) && tokens[*i].tok != Tok::End);
            match next {
                Some(i) => found.push((files.place(tokens[i].pos), at)),
                None => wrong.push(Diagnostic::error("L0121", "there is no line below this one").at(at)),
            }
        }
    }
    if wrong.is_empty() { Ok(found) } else { Err(wrong) }
}

/// The options with these lines set aside, too.
pub fn with(options: &Options, lines: &[(Place, Place)]) -> Options {
    let own = lines.iter().map(|(line, _)| (line.file.to_string(), line.line));
    let races = match &options.races {
        _ if lines.is_empty() => options.races.clone(),
        Races::Ignore => Races::Ignore,
        Races::Report => Races::OffAt(own.collect()),
        Races::OffAt(others) => Races::OffAt(others.iter().cloned().chain(own).collect()),
    };
    Options { races, ..options.clone() }
}

/// A line that had nothing to set aside was probably not the one that was meant.
pub fn idle(program: &Program, options: &Options, lines: &[(Place, Place)]) -> Vec<Diagnostic> {
    let used = |line: &Place| {
        let off = Assumption::RacesOffAt(format!("{}:{}", line.file, line.line));
        program.assumptions.contains(&off)
    };
    let idle = lines.iter().filter(|(line, _)| options.races != Races::Ignore && !used(line));
    idle.map(|(_, at)| {
        Diagnostic::warning("L0131", "no plain access on the line below is reached, so no race was set aside")
            .at(at.clone())
            .help("put the pragma just above the line of the access")
    })
    .collect()
}
