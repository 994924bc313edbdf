//! One run as one JSON document, or as a line for each result. Adding a field is free; renaming one raises [`SCHEMA`].

use crate::words;
use lineal_model::{Bound, Diagnostic, Finding, Flags, Limit, Report, Scope, Verdict};
use serde_json::{Map, Value, json};

pub const SCHEMA: u32 = 1;

/// The document, ending in a line break. `exit` is the code the process is about to return.
pub fn render(report: &Report, exit: i32, flags: Flags) -> String {
    let mut text = serde_json::to_string_pretty(&document(report, exit, flags)).expect("keys are strings");
    text.push('\n');
    text
}

pub fn document(report: &Report, exit: i32, flags: Flags) -> Value {
    json!({
        "schema": SCHEMA,
        "version": env!("CARGO_PKG_VERSION"),
        "command": report.command,
        "exit": exit,
        "results": report.findings.iter().map(|f| result(f, flags)).collect::<Vec<_>>(),
        "diagnostics": report.diagnostics.iter().map(diagnostic).collect::<Vec<_>>(),
    })
}

/// One line for each result, then one for each diagnostic: for runs over many files, whose readers
/// need not hold them all.
pub fn lines(report: &Report, flags: Flags) -> String {
    let results = report.findings.iter().map(|f| result(f, flags));
    let diagnostics = report.diagnostics.iter().map(|d| json!({"diagnostic": diagnostic(d)}));
    results.chain(diagnostics).map(|line| format!("{line}\n")).collect()
}

/// One entry of `results`: `scope` comes with holds, `witness` with violated, `limit` with
/// unknown.
pub fn result(finding: &Finding, flags: Flags) -> Value {
    let mut out = Map::new();
    out.insert("property".into(), json!(finding.property));
    if let Some(place) = &finding.at {
        out.insert("at".into(), json!(place));
    }
    if let Some(object) = &finding.object {
        out.insert("object".into(), json!(object));
    }
    out.insert("verdict".into(), json!(finding.verdict.word()));
    if let (Verdict::Violated(_), false) = (&finding.verdict, finding.wrong.is_empty()) {
        out.insert("wrong".into(), json!(finding.wrong));
    }
    match &finding.verdict {
        Verdict::Holds(scope) => out.insert("scope".into(), self::scope(scope, flags)),
        Verdict::Violated(witness) => out.insert("witness".into(), json!(witness)),
        Verdict::Unknown(limit) => out.insert("limit".into(), self::limit(limit, flags)),
    };
    if let Some(example) = &finding.example {
        out.insert("example".into(), json!(example));
    }
    if !finding.outcomes.is_empty() {
        out.insert("outcomes".into(), json!(finding.outcomes));
    }
    if !finding.remarks.is_empty() {
        out.insert("remarks".into(), json!(finding.remarks));
    }
    if let Some(levels) = &finding.levels {
        out.insert("levels".into(), json!(levels));
    }
    if let Some(rewrite) = &finding.rewrite {
        out.insert("rewrite".into(), json!(rewrite));
    }
    if let Some(smallest) = &finding.smallest {
        out.insert("smallest".into(), json!(smallest));
    }
    out.insert("stats".into(), json!(finding.stats));
    Value::Object(out)
}

/// A scope, its assumptions as sentences.
fn scope(scope: &Scope, flags: Flags) -> Value {
    let Value::Object(fields) = json!(scope) else { unreachable!("a scope has fields") };
    let bound = |b: &Bound| {
        let mut bound = json!({"name": flags(b.knob), "value": b.value, "cut": b.cut});
        if let Some(at) = &b.at {
            bound["at"] = json!(at);
        }
        bound
    };
    let mut out = Map::new();
    for (name, value) in fields {
        // In their old place among the others.
        if name == "storage" {
            out.insert("bounds".into(), scope.bounds.iter().map(bound).collect());
        }
        out.insert(name, value);
    }
    let assumptions = scope.assumptions.iter().map(|a| words::assumption(a, flags));
    out.insert("assumptions".into(), assumptions.collect());
    Value::Object(out)
}

fn limit(limit: &Limit, flags: Flags) -> Value {
    let mut value = json!(limit);
    value["message"] = json!(words::limit(limit, flags));
    value
}

fn diagnostic(diagnostic: &Diagnostic) -> Value {
    json!(diagnostic)
}
