//! Holds a document against an expectation.

use crate::header::Expect;
use crate::lineal::Ran;
use libtest_mimic::{Failed, Trial};
use serde_json::{Value, json};
use std::collections::BTreeSet;

#[derive(Debug)]
pub struct Problem {
    pub message: String,
    /// A number that differs, and nothing else: key, expected, found.
    pub number: Option<(String, String, String)>,
}

fn problem(message: impl Into<String>) -> Problem {
    Problem { message: message.into(), number: None }
}

pub fn check(ran: &Ran, expect: &Expect) -> Vec<Problem> {
    let mut problems = exit_code(ran);
    if expect.verdicts == ["error"] {
        problems.extend(refused(ran, expect));
        return problems;
    }
    let results = ran.document["results"].as_array().map_or(&[][..], |r| r);
    let found: Vec<&str> = results.iter().map(|r| r["verdict"].as_str().unwrap_or("?")).collect();
    let asked = &expect.verdicts;
    // No result may go unmentioned: by its place in the list, by name, or at least by number.
    let named = |i: usize| {
        let keys =
            ["results.len".to_string(), format!("results[{i}].verdict"), format!("results.{i}.verdict")];
        expect.keys.iter().any(|(key, _)| keys.contains(key))
    };
    let enough = (asked.len()..found.len()).all(named);
    if !enough || found.iter().zip(asked).any(|(f, e)| f != e) || found.len() < asked.len() {
        problems.push(problem(format!("expected {}, found {}", asked.join(" "), found.join(" "))));
    }
    for (key, value) in &expect.keys {
        problems.extend(compare(&ran.document, key, value));
    }
    problems
}

/// The process, the document and the verdicts must tell the same story.
fn exit_code(ran: &Ran) -> Vec<Problem> {
    let mut problems = Vec::new();
    let list = |name: &str| ran.document[name].as_array().cloned().unwrap_or_default();
    let any = |word: &str| list("results").iter().any(|r| r["verdict"] == word);
    let error = list("diagnostics").iter().any(|d| d["severity"] == "error");
    let due = match (any("violated"), error, any("unknown")) {
        (true, _, _) => 1,
        (_, true, _) => 2,
        (_, _, true) => 3,
        _ => 0,
    };
    if ran.exit != due {
        problems.push(problem(format!("the process ended with {}, its verdicts ask for {due}", ran.exit)));
    }
    if ran.document["exit"] != ran.exit {
        problems.push(problem(format!(
            "the process ended with {}, its document says {}",
            ran.exit, ran.document["exit"]
        )));
    }
    problems
}

/// One diagnostic must fit every key.
fn refused(ran: &Ran, expect: &Expect) -> Vec<Problem> {
    let errors: Vec<&Value> = ran.document["diagnostics"]
        .as_array()
        .map_or(vec![], |all| all.iter().filter(|d| d["severity"] == "error").collect());
    if errors.is_empty() {
        return vec![problem("expected an error, found none")];
    }
    let mut problems = Vec::new();
    let fits = |d: &Value| {
        expect.keys.iter().all(|(key, value)| match key.as_str() {
            "code" => d["code"] == value.as_str(),
            "message" => d["message"].as_str().is_some_and(|m| m.contains(value)),
            "file" => d["at"]["file"].as_str().is_some_and(|f| f.ends_with(value.as_str())),
            "line" | "column" => shown(&d["at"][key]) == *value,
            _ => true,
        })
    };
    for (key, value) in &expect.keys {
        match key.as_str() {
            "code" | "message" | "file" | "line" | "column" => {}
            key if absolute(key) => problems.extend(compare(&ran.document, key, value)),
            key => problems.push(problem(format!("`{key}` is no key of an error"))),
        }
    }
    if !errors.iter().any(|d| fits(d)) {
        let found: Vec<String> = errors
            .iter()
            .map(|d| format!("{} line {}: {}", d["code"], d["at"]["line"], d["message"]))
            .collect();
        problems.push(problem(format!("no error fits; found {}", found.join("; "))));
    }
    problems
}

fn absolute(key: &str) -> bool {
    let first = key.split(['.', '[']).next().unwrap_or(key);
    ["results", "diagnostics", "exit", "command"].contains(&first)
}

fn compare(document: &Value, key: &str, expected: &str) -> Option<Problem> {
    let base = if absolute(key) { document } else { &document["results"][0] };
    let Some(found) = walk(base, key) else {
        return Some(problem(format!("there is no `{key}` in the result")));
    };
    if key.ends_with("outcomes") {
        let found: BTreeSet<String> =
            found.as_object().map_or(BTreeSet::new(), |o| o.keys().map(|k| tidy(k)).collect());
        let expected: BTreeSet<String> =
            expected.split(';').map(tidy).filter(|outcome| !outcome.is_empty()).collect();
        let missing: Vec<_> = expected.difference(&found).cloned().collect();
        let surplus: Vec<_> = found.difference(&expected).cloned().collect();
        return (found != expected).then(|| {
            problem(format!(
                "outcomes: missing {{{}}}, unexpected {{{}}}",
                missing.join("; "),
                surplus.join("; ")
            ))
        });
    }
    let text = shown(&found);
    if text == expected {
        return None;
    }
    let numbers = found.is_number() && expected.parse::<f64>().is_ok();
    Some(Problem {
        message: format!("{key}: expected {expected}, found {text}"),
        number: numbers.then(|| (key.to_string(), expected.to_string(), text)),
    })
}

fn tidy(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn shown(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), String::from)
}

/// `a.b[0].c`, `a.0.b`, and `len` of arrays and objects.
fn walk(from: &Value, path: &str) -> Option<Value> {
    let mut at = from.clone();
    for part in path.split(['.', '[']).map(|p| p.trim_end_matches(']')) {
        at = match (&at, part.parse::<usize>()) {
            (Value::Array(items), Ok(i)) => items.get(i)?.clone(),
            (Value::Array(items), _) if part == "len" => json!(items.len()),
            (Value::Object(fields), _) if part == "len" && !fields.contains_key("len") => json!(fields.len()),
            (Value::Object(fields), _) => fields.get(part)?.clone(),
            _ => return None,
        };
    }
    Some(at)
}

/// The comparer's own tests: every difference is noticed.
pub fn trials() -> Vec<Trial> {
    let good = r#"{"exit": 0, "results": [{"verdict": "holds", "stats": {"executions": 3},
        "outcomes": {"a=0 b=1": 2, "a=1 b=1": 1}, "scope": {"memory": "sc", "vacuous": []}}],
        "diagnostics": []}"#;
    let refused = r#"{"exit": 2, "results": [], "diagnostics": [{"code": "L0104", "severity": "error",
        "message": "floating point is not modelled", "at": {"file": "a.c", "line": 12}}]}"#;
    let two = r#"{"exit": 1, "results": [{"verdict": "holds"}, {"verdict": "violated"}], "diagnostics": []}"#;
    let cases = [
        (good, "holds", true),
        (good, "holds stats.executions=3 scope.memory=sc scope.vacuous.len=0 results.len=1 exit=0", true),
        (good, "holds outcomes={a=1 b=1; a=0  b=1}", true),
        (two, "holds violated", true),
        (two, "holds results[1].verdict=violated", true),
        (two, "holds results.len=2", true),
        (two, "holds", false),
        (two, "holds results[1].verdict=holds", false),
        (good, "violated", false),
        (good, "holds holds", false),
        (good, "error", false),
        (good, "holds stats.executions=4", false),
        (good, "holds stats.execution=3", false),
        (good, "holds scope.vacuous[0]=x", false),
        (good, "holds outcomes={a=0 b=1}", false),
        (good, "holds outcomes={a=0 b=1; a=1 b=1; a=2 b=2}", false),
        (refused, "error code=L0104 line=12 message=\"floating point\"", true),
        (refused, "error code=L0105", false),
        (refused, "error line=11", false),
        (refused, "error stats.executions=1", false),
        (refused, "holds", false),
    ];
    let mut trials: Vec<Trial> = cases
        .into_iter()
        .map(|(document, expect, fits)| {
            Trial::test(format!("compare::{expect}"), move || {
                let document: Value = serde_json::from_str(document)?;
                let exit = document["exit"].as_i64().unwrap_or(-1) as i32;
                let text = format!("//@ run: verify\n//@ expect: {expect}");
                let pairs = crate::header::parse(&text, crate::header::Style::Comment)?;
                let problems = check(&Ran { exit, document }, &pairs[0].expect);
                if problems.is_empty() == fits { Ok(()) } else { Err(Failed::from(format!("{problems:?}"))) }
            })
        })
        .collect();
    trials.push(Trial::test("compare::exit-codes-must-agree", move || {
        let document: Value = serde_json::from_str(good)?;
        let expect = Expect { verdicts: vec!["holds".into()], ..Expect::default() };
        let problems = check(&Ran { exit: 1, document }, &expect);
        if problems.len() == 2 { Ok(()) } else { Err(Failed::from(format!("{problems:?}"))) }
    }));
    trials
}
