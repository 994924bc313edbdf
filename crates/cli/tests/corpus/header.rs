//! Headers: what to run and what to expect.
//!
//! ```text
//! //@ run: verify --memory sc --observe a,b
//! //@ expect: holds  stats.executions=3  outcomes={a=0 b=1; a=1 b=1}
//! //@ from: where the program comes from
//! ```
//!
//! One `expect` follows each `run`. It starts with a verdict, or one for each result in order (a
//! result without one must be mentioned as `results[i].verdict` or counted by `results.len`), or
//! `error` for an input that is refused (then `code`, `line`, `column`, `file` and `message`, a
//! part of it, must describe one of the diagnostics). The other keys are JSON paths, relative to
//! `results[0]` unless they start with `results`, `diagnostics`, `exit` or `command`; `len` is the
//! length of an array. `expect-wrong: … issue=N` is what a known bug says today.
//! `part-of: main.c` marks a source that is compiled together with another one.

use libtest_mimic::{Failed, Trial};

#[derive(Debug)]
pub struct Pair {
    pub run: Vec<String>,
    pub expect: Expect,
}

#[derive(Debug, Default)]
pub struct Expect {
    /// Verdicts in order, or `error`.
    pub verdicts: Vec<String>,
    pub keys: Vec<(String, String)>,
    /// In the file, from 1.
    pub line: usize,
    /// A known bug: `expect-wrong`.
    pub wrong: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// Directives hide in comments: `//@`, or `#@`.
    Comment,
    /// Directives stand alone; `#` starts a comment.
    Bare,
}

const VERDICTS: [&str; 4] = ["holds", "violated", "unknown", "error"];

/// The `part-of` directive, if the file is no subject of its own.
pub fn part_of(text: &str) -> Option<String> {
    let line = text.lines().find_map(|l| l.trim().strip_prefix("//@ part-of:"))?;
    Some(line.trim().to_string())
}

pub fn parse(text: &str, style: Style) -> Result<Vec<Pair>, String> {
    let mut pairs = Vec::new();
    let mut run: Option<Vec<String>> = None;
    for (i, line) in text.lines().enumerate() {
        let number = i + 1;
        let trimmed = line.trim();
        let directive = match style {
            Style::Comment => trimmed.strip_prefix("//@").or_else(|| trimmed.strip_prefix("#@")),
            Style::Bare if trimmed.is_empty() || trimmed.starts_with("# ") => None,
            Style::Bare => Some(trimmed.trim_start_matches("//@").trim_start_matches("#@")),
        };
        let Some(directive) = directive else { continue };
        let (name, rest) =
            directive.split_once(':').ok_or_else(|| format!("line {number}: a directive has no `:`"))?;
        match name.trim() {
            "run" if run.is_some() => {
                return Err(format!("line {number}: the run before has no expectation"));
            }
            "run" => {
                let words = words(rest);
                if words.is_empty() {
                    return Err(format!("line {number}: nothing to run"));
                }
                run = Some(words);
            }
            kind @ ("expect" | "expect-wrong") => {
                let run = run.take().ok_or_else(|| format!("line {number}: an expectation without a run"))?;
                let mut expect = expectation(rest).map_err(|e| format!("line {number}: {e}"))?;
                expect.line = number;
                expect.wrong = kind == "expect-wrong";
                let issue = expect.keys.iter().position(|(key, _)| key == "issue");
                match (kind, issue) {
                    ("expect-wrong", Some(i)) if expect.keys[i].1.parse::<u32>().is_ok() => {
                        expect.keys.remove(i);
                    }
                    ("expect-wrong", _) => return Err(format!("line {number}: expect-wrong needs issue=N")),
                    (_, Some(_)) => return Err(format!("line {number}: issue=N belongs to expect-wrong")),
                    _ => {}
                }
                pairs.push(Pair { run, expect });
            }
            "from" | "note" if !rest.trim().is_empty() => {}
            other => return Err(format!("line {number}: unknown or empty directive `{other}`")),
        }
    }
    match (run, pairs.is_empty()) {
        (Some(_), _) => Err("the last run has no expectation".into()),
        (None, true) => Err("no `run` and `expect`".into()),
        (None, false) => Ok(pairs),
    }
}

/// The words of a command line; a word with spaces is `"…"`.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (i, part) in line.split('"').enumerate() {
        match i % 2 {
            0 => words.extend(part.split_whitespace().map(String::from)),
            _ => words.push(part.to_string()),
        }
    }
    words
}

/// Verdicts, then `key=value`; a value with spaces is `{…}` or `"…"`.
fn expectation(text: &str) -> Result<Expect, String> {
    let mut expect = Expect::default();
    let mut rest = text.trim();
    while !rest.is_empty() {
        let end = rest.find(|c: char| c.is_whitespace() || c == '=').unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        let Some(value) = after.strip_prefix('=') else {
            let word = word.trim_end_matches(',');
            if !expect.keys.is_empty() || !VERDICTS.contains(&word) {
                return Err(format!("`{word}` is neither a verdict nor key=value"));
            }
            expect.verdicts.push(word.to_string());
            rest = after.trim_start();
            continue;
        };
        let close = match value.chars().next() {
            Some('{') => Some('}'),
            Some('"') => Some('"'),
            _ => None,
        };
        let (value, after) = match close {
            Some(close) => {
                let end = value[1..].find(close).ok_or_else(|| format!("`{close}` is missing"))?;
                (&value[1..=end], &value[end + 2..])
            }
            None => value.split_at(value.find(char::is_whitespace).unwrap_or(value.len())),
        };
        if word.is_empty() || (value.is_empty() && close.is_none()) {
            return Err(format!("`{word}=` lacks its other half"));
        }
        expect.keys.push((word.to_string(), value.to_string()));
        rest = after.trim_start();
    }
    let error = expect.verdicts.iter().any(|v| v == "error");
    match expect.verdicts.len() {
        0 => Err("no verdict".into()),
        n if error && n > 1 => Err("`error` stands alone".into()),
        _ => Ok(expect),
    }
}

/// The reader's own tests: what must be refused is refused.
pub fn trials() -> Vec<Trial> {
    let refused = [
        ("no-header", "int main(void) {}"),
        ("run-only", "//@ run: verify"),
        ("two-runs", "//@ run: verify\n//@ run: verify\n//@ expect: holds"),
        ("expect-only", "//@ expect: holds"),
        ("unknown-directive", "//@ run: verify\n//@ expects: holds"),
        ("no-verdict", "//@ run: verify\n//@ expect: stats.executions=3"),
        ("typo", "//@ run: verify\n//@ expect: hold"),
        ("late-verdict", "//@ run: verify\n//@ expect: holds a=1 violated"),
        ("half-key", "//@ run: verify\n//@ expect: holds stats.executions="),
        ("open-brace", "//@ run: verify\n//@ expect: holds outcomes={a=1"),
        ("wrong-without-issue", "//@ run: verify\n//@ expect-wrong: holds"),
        ("issue-without-wrong", "//@ run: verify\n//@ expect: holds issue=3"),
    ];
    let mut trials: Vec<Trial> = refused
        .into_iter()
        .map(|(name, text)| {
            Trial::test(format!("header::refuses::{name}"), move || match parse(text, Style::Comment) {
                Err(_) => Ok(()),
                Ok(pairs) => Err(Failed::from(format!("accepted as {pairs:?}"))),
            })
        })
        .collect();
    trials.push(Trial::test("header::reads", || {
        let text = "//@ run: verify --memory sc\n//@ expect: holds a=1 outcomes={x=0; x=1 y=2} m=\"a b\"\n\
                    //@ run: verify\n//@ expect-wrong: violated issue=7\n//@ from: us";
        let pairs = parse(text, Style::Comment)?;
        let keys: Vec<(&str, &str)> = pairs[0].expect.keys.iter().map(|(k, v)| (&**k, &**v)).collect();
        let good = pairs.len() == 2
            && pairs[0].run == ["verify", "--memory", "sc"]
            && keys == [("a", "1"), ("outcomes", "x=0; x=1 y=2"), ("m", "a b")]
            && pairs[1].expect.keys.is_empty()
            && pairs[1].expect.line == 4;
        if good { Ok(()) } else { Err(Failed::from(format!("{pairs:?}"))) }
    }));
    trials
}
