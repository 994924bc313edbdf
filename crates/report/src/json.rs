//! One run as one JSON document, or as a line for each result. Adding a field is free; renaming one raises [`SCHEMA`].

use crate::words;
use lineal_model::{Diagnostic, Finding, Report, Scope, Verdict};
use serde_json::{Map, Value, json};

pub const SCHEMA: u32 = 1;

/// The document, ending in a line break. `exit` is the code the process is about to return.
pub fn render(report: &Report, exit: i32) -> String {
    let mut text = serde_json::to_string_pretty(&document(report, exit)).expect("keys are strings");
    text.push('\n');
    text
}

pub fn document(report: &Report, exit: i32) -> Value {
    json!({
        "schema": SCHEMA,
        "version": env!("CARGO_PKG_VERSION"),
        "command": report.command,
        "exit": exit,
        "results": report.findings.iter().map(result).collect::<Vec<_>>(),
        "diagnostics": report.diagnostics.iter().map(diagnostic).collect::<Vec<_>>(),
    })
}

/// One line for each result, then one for each diagnostic: for runs over many files, whose readers
/// need not hold them all.
pub fn lines(report: &Report) -> String {
    let results = report.findings.iter().map(result);
    let diagnostics = report.diagnostics.iter().map(|d| json!({"diagnostic": diagnostic(d)}));
    results.chain(diagnostics).map(|line| format!("{line}\n")).collect()
}

/// One entry of `results`: `scope` comes with holds, `witness` with violated, `limit` with
/// unknown.
pub fn result(finding: &Finding) -> Value {
    let mut out = Map::new();
    out.insert("property".into(), json!(finding.property));
    if let Some(place) = &finding.at {
        out.insert("at".into(), json!(place));
    }
    out.insert("verdict".into(), json!(finding.verdict.word()));
    match &finding.verdict {
        Verdict::Holds(scope) => out.insert("scope".into(), self::scope(scope)),
        Verdict::Violated(witness) => out.insert("witness".into(), json!(witness)),
        Verdict::Unknown(limit) => out.insert("limit".into(), json!(limit)),
    };
    if !finding.outcomes.is_empty() {
        out.insert("outcomes".into(), json!(finding.outcomes));
    }
    if !finding.remarks.is_empty() {
        out.insert("remarks".into(), json!(finding.remarks));
    }
    out.insert("stats".into(), json!(finding.stats));
    Value::Object(out)
}

/// A scope, its assumptions as sentences.
fn scope(scope: &Scope) -> Value {
    let mut value = json!(scope);
    value["assumptions"] = scope.assumptions.iter().map(words::assumption).collect();
    value
}

fn diagnostic(diagnostic: &Diagnostic) -> Value {
    json!(diagnostic)
}
