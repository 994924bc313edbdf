//! Which lines belong to which object.
//!
//! The lines of a file's only object stand anywhere. Where there are several, each line belongs to
//! the `object` line above it, in its own file; so each object is read as if it were the only one.

use super::super::Unit;
use super::super::pragma::{Line, Pragma, pragmas};
use lineal_model::diagnostic::Note;
use lineal_model::{Diagnostic, Flags, Knob, Place};

/// The lines of one object.
#[derive(Default)]
pub struct Section {
    /// As declared by `name=`, or else the type.
    pub name: String,
    pub pragmas: Vec<Pragma>,
    /// The unit that declares it.
    pub unit: usize,
}

/// What the objects are called, in the order of the files; empty if they cannot be told apart.
pub fn names(units: &[Unit]) -> Vec<String> {
    sections(units).map_or(Vec::new(), |all| all.into_iter().map(|s| s.name).collect())
}

/// The objects with their lines; one without a name if there are lines but no object.
pub fn sections(units: &[Unit]) -> Result<Vec<Section>, Diagnostic> {
    let mut lines: Vec<(usize, Pragma)> = Vec::new();
    for (number, unit) in units.iter().enumerate() {
        for mut line in pragmas(unit.tokens(), unit.files()) {
            (line.at.column, line.at.width) = (0, 0);
            lines.push((number, line));
        }
    }
    let objects = lines.iter().filter(|(_, p)| matches!(p.line, Line::Object(..))).count();
    if objects <= 1 {
        let heads = || lines.iter().filter_map(|(n, p)| Some((*n, head(p)?)));
        let (unit, name) = heads().next().unwrap_or_default();
        let pragmas: Vec<Pragma> = lines.into_iter().map(|(_, p)| p).collect();
        return Ok(if pragmas.is_empty() { Vec::new() } else { vec![Section { name, pragmas, unit }] });
    }
    let mut all: Vec<Section> = Vec::new();
    for (unit, pragma) in lines {
        if let Some(name) = head(&pragma) {
            if let Some(other) = all.iter().find(|s| s.name == name) {
                return Err(same_name(&name, &pragma.at, &other.pragmas[0].at));
            }
            all.push(Section { name, pragmas: Vec::new(), unit });
        }
        match all.last_mut().filter(|s| s.unit == unit) {
            Some(section) => section.pragmas.push(pragma),
            // About accesses, not about an object.
            None if matches!(pragma.line, Line::Point | Line::Race(_)) => {}
            None => return Err(nobodys(&pragma.at)),
        }
    }
    Ok(all)
}

/// The name that an `object` line gives.
fn head(pragma: &Pragma) -> Option<String> {
    let Line::Object(word, rest) = &pragma.line else { return None };
    let named = rest.split_whitespace().find_map(|part| part.strip_prefix("name="));
    Some(named.unwrap_or(word).to_string())
}

fn same_name(name: &str, at: &Place, first: &Place) -> Diagnostic {
    let mut d = Diagnostic::error("L0121", format!("two objects are called `{name}`"))
        .at(at.clone())
        .help("give them names: #pragma lineal object queue name=inbox");
    d.notes.push(Note { message: "the other".into(), at: Some(first.clone()) });
    d
}

fn nobodys(at: &Place) -> Diagnostic {
    Diagnostic::error("L0121", "this line stands above all objects of its file, and there are several")
        .at(at.clone())
        .help("put it below the `#pragma lineal object` that it belongs to")
}

fn listed(sections: &[Section]) -> String {
    sections.iter().map(|s| &*s.name).collect::<Vec<_>>().join(", ")
}

/// Somebody has to choose.
pub fn which(sections: &[Section], flags: Flags) -> Diagnostic {
    Diagnostic::error("L0121", format!("there are several objects: {}", listed(sections)))
        .at(sections[1].pragmas[0].at.clone())
        .help(format!("choose one: {} NAME", flags(Knob::Object)))
}

pub fn unknown(name: &str, sections: &[Section]) -> Diagnostic {
    let d = Diagnostic::error("L0121", format!("no object is called `{name}`"));
    match sections.is_empty() {
        true => d.help("no object is declared in the files given"),
        false => d.help(format!("there is {}", listed(sections))),
    }
}
