//! A report as text for people: what, why, and what to type next.

use crate::columns::{clean, paragraph};
use crate::look::Look;
use crate::sources::Sources;
use crate::style::{Ink, Paint};
use crate::trace::Detail;
use crate::{diagnostics, sought, timeline, trace, words};
use lineal_model::{Diagnostic, Finding, Knob, Limit, Report, Scope, Verdict, Witness};

/// Everything: diagnostics first, then each finding, separated by an empty line.
pub fn render(report: &Report, sources: &Sources, look: &Look) -> String {
    let parts = [diagnostics(report, sources, look), findings(report, sources, look)];
    parts.into_iter().filter(|p| !p.is_empty()).collect::<Vec<_>>().join("\n")
}

pub fn diagnostics(report: &Report, sources: &Sources, look: &Look) -> String {
    report.diagnostics.iter().map(|d| diagnostics::render(d, sources, look)).collect::<Vec<_>>().join("\n")
}

pub fn findings(report: &Report, sources: &Sources, look: &Look) -> String {
    let one = |f: &Finding| finding(f, &report.command, sources, look);
    report.findings.iter().map(one).collect::<Vec<_>>().join("\n")
}

fn finding(finding: &Finding, command: &str, sources: &Sources, look: &Look) -> String {
    // What shows it again names the object, if there are others.
    let mut look = look.clone();
    if let Some(object) = &finding.object {
        look.command = format!("{} {} {}", look.command, (look.flags)(Knob::Object), clean(object));
    }
    let look = &look;
    let paint = Paint { colour: look.colour };
    let (ink, word) = match &finding.verdict {
        Verdict::Holds(scope) if scope.vacuous.is_empty() => (Ink::Good, "holds"),
        Verdict::Holds(_) => (Ink::Caution, "holds vacuously"),
        Verdict::Violated(_) => (Ink::Bad, "violated"),
        Verdict::Unknown(_) => (Ink::Caution, "unknown"),
    };
    let place = finding.at.as_ref().map_or(String::new(), |at| format!(" ({at})"));
    let sentence = match &finding.verdict {
        Verdict::Violated(_) if !finding.wrong.is_empty() => &finding.wrong,
        _ => &finding.property,
    };
    let mut out = format!("{}: {}{}\n", paint.ink(ink, word), clean(sentence), clean(&place));
    match &finding.verdict {
        Verdict::Holds(scope) => out.push_str(&holds(scope, look)),
        Verdict::Violated(w) => out.push_str(&violated(w, sources, look)),
        Verdict::Unknown(limit) => out.push_str(&unknown(limit, command, sources, look)),
    }
    if let Some(example) = &finding.example {
        out.push_str(&violated(example, sources, look));
    }
    if !finding.outcomes.is_empty() {
        out.push_str(&outcomes(finding, paint));
    }
    if let Some(levels) = &finding.levels {
        out.push_str(&sought::levels(levels, look));
    }
    if let Some(rewrite) = &finding.rewrite {
        out.push_str(&sought::rewrite(rewrite, look));
    }
    if let Some(smallest) = &finding.smallest {
        out.push_str(&paragraph("", 2, &sought::smallest(smallest), look.width));
        if let Some(witness) = &smallest.below {
            out.push_str(&violated(witness, sources, look));
        }
    }
    for remark in &finding.remarks {
        out.push_str(&paragraph("  note:", 8, &clean(remark), look.width));
    }
    let stats = words::stats(&finding.stats);
    if !stats.is_empty() {
        out.push_str(&format!("  {}\n", paint.ink(Ink::Faint, stats)));
    }
    if let Some(diff) = finding.rewrite.as_ref().and_then(|r| r.diff.as_ref()) {
        out.push_str(&sought::diff(diff, paint));
    }
    out
}

fn holds(scope: &Scope, look: &Look) -> String {
    let mut out = String::new();
    for reason in &scope.vacuous {
        out.push_str(&paragraph("  but:", 7, &clean(reason), look.width));
    }
    for sentence in words::scope(scope, look.flags) {
        out.push_str(&paragraph("", 2, &clean(&sentence), look.width));
    }
    if !scope.assumptions.is_empty() {
        let list: Vec<String> = scope.assumptions.iter().map(|a| words::assumption(a, look.flags)).collect();
        let list = format!("Taken for granted: {}.", list.join("; ").trim_end_matches('.'));
        out.push_str(&paragraph("", 2, &clean(&list), look.width));
    }
    out
}

fn unknown(limit: &Limit, command: &str, sources: &Sources, look: &Look) -> String {
    let message = words::limit(limit, look.flags);
    let (first, rest) = words::first_sentence(&message);
    let mut out = String::new();
    match &limit.at {
        Some(at) => {
            let mut d = Diagnostic::warning("", first.trim_end_matches('.')).at(at.clone());
            if !rest.is_empty() {
                d = d.note(rest, None);
            }
            out.push('\n');
            out.push_str(&diagnostics::render(&d, sources, look));
        }
        None => out.push_str(&paragraph("", 2, &clean(&message), look.width)),
    }
    if !limit.covered.is_empty() {
        out.push_str(&paragraph("", 2, &clean(&limit.covered), look.width));
    }
    if let Some(help) = words::way_out(limit, command, look.flags) {
        out.push_str(&paragraph("  help:", 8, &help, look.width));
    }
    out
}

fn violated(witness: &Witness, sources: &Sources, look: &Look) -> String {
    let paint = Paint { colour: look.colour };
    let (first, rest) = words::first_sentence(&witness.why);
    let mut out = String::from("\n");
    match &witness.at {
        Some(at) => {
            let diagnostic = Diagnostic::error("", first.trim_end_matches('.')).at(at.clone());
            out.push_str(&diagnostics::render(&diagnostic, sources, look));
            if !rest.is_empty() {
                out.push('\n');
            }
        }
        None => out.push_str(&paragraph("", 0, &clean(first), look.width)),
    }
    for line in rest.lines() {
        let indent = line.len() - line.trim_start().len();
        out.push_str(&paragraph("", indent, &clean(line.trim_start()), look.width));
    }
    out.push('\n');
    if !witness.client.is_empty() {
        out.push_str(&client(witness, look));
    }
    if !witness.history.is_empty() {
        out.push_str(&timeline::render(&witness.history, look, paint));
        out.push('\n');
    }
    if !witness.reasons.is_empty() {
        for line in &witness.reasons {
            out.push_str(&hanging(line, look.width));
        }
        out.push('\n');
    }
    if !witness.steps.is_empty() {
        let detail = if look.replays { Detail::All } else { Detail::First };
        let (steps, left_out) = trace::render(witness, sources, look, paint, detail);
        out.push_str("One execution that shows it, from top to bottom:\n\n");
        out.push_str(&steps);
        if let Some(legend) = legend(witness, left_out, look) {
            out.push_str(
                &paint.ink(Ink::Faint, paragraph("", 2, &legend, look.width).trim_end()).to_string(),
            );
            out.push('\n');
        }
        out.push('\n');
    }
    for hint in &witness.hints {
        out.push_str(&paragraph("hint:", 6, &clean(hint), look.width));
    }
    if let (true, Some(advice)) = (witness.hints.is_empty(), words::advice(witness.kind, look.flags)) {
        out.push_str(&paragraph("hint:", 6, &advice, look.width));
    }
    for error in &witness.further {
        out.push_str(&paragraph("besides:", 9, &clean(error), look.width));
    }
    if let Some(token) = &witness.replay {
        // On a line of its own and never broken, so that it can be copied.
        let line = format!("{} {} {token}", look.command, (look.flags)(Knob::Replay));
        out.push_str(&format!("see it again: {}\n", line.trim()));
    }
    if witness.program.is_some() {
        out.push_str(&format!("{}\n", as_program(look)));
    }
    out
}

/// Where the client is, or how to get it.
fn as_program(look: &Look) -> String {
    match &look.client {
        Some(file) => format!("the client as a C program: {file}"),
        None => format!("the client as a C program: add {} FILE", (look.flags)(Knob::SaveClient)),
    }
}

/// A line whose continuation is indented like its text, after a number if it has one.
fn hanging(line: &str, width: usize) -> String {
    let text = line.trim_start();
    let indent = line.len() - text.len();
    let number = text.find(". ").filter(|i| *i > 0 && text[..*i].chars().all(|c| c.is_ascii_digit()));
    match number {
        Some(i) => {
            let lead = format!("{}{}", " ".repeat(indent), &text[..i + 1]);
            paragraph(&lead, indent + i + 2, &clean(&text[i + 2..]), width)
        }
        None => paragraph("", indent, &clean(text), width),
    }
}

/// Explains the marks that the trace uses.
fn legend(witness: &Witness, left_out: usize, look: &Look) -> Option<String> {
    let mut parts = Vec::new();
    if witness.steps.iter().any(|s| s.guilty) {
        parts.push(">: takes part in the violation".to_string());
    }
    if witness.steps.iter().any(|s| s.reads_from.is_some()) {
        parts.push("from step N: the write whose value is read".into());
    }
    if left_out > 0 {
        let steps = words::count(left_out as u64, "step", "steps");
        let replay = (look.flags)(Knob::Replay);
        parts.push(format!("{steps} that no other thread takes part in left out: {replay} shows all"));
    }
    (!parts.is_empty()).then(|| format!("({})", parts.join("; ")))
}

fn client(witness: &Witness, look: &Look) -> String {
    let mut out = String::from("The client:\n");
    for (i, calls) in witness.client.iter().enumerate() {
        // Thread 0 is the program's own main, which makes no calls.
        let name = format!("  thread {}:", i + 1);
        let text = if calls.is_empty() { "(no call)".into() } else { clean(&calls.join("; ")) };
        out.push_str(&paragraph(&name, 14, &text, look.width));
    }
    out.push('\n');
    out
}

fn outcomes(finding: &Finding, paint: Paint) -> String {
    let total = finding.outcomes.len() as u64;
    let title = format!("  {}:", words::count(total, "outcome", "different outcomes"));
    let mut out = format!("{}\n", paint.ink(Ink::Strong, title));
    let digits = finding.outcomes.values().map(|n| words::grouped(*n).len()).max().unwrap_or(1);
    for (values, n) in &finding.outcomes {
        out.push_str(&format!("    {:>digits$} ×  {}\n", words::grouped(*n), clean(values)));
    }
    out
}
