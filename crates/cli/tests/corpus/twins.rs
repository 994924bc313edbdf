//! Two engines, one answer: every program of the corpus that the naive engine can finish must get
//! the same verdict, and the same set of outcomes, from both.

use crate::files::File;
use crate::lineal;
use libtest_mimic::Failed;
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::PathBuf;

/// Flags that only the graph engine reads.
const NOT_NAIVE: [&str; 4] = ["--unroll", "--leaks", "--liveness", "--replay"];

pub struct Case {
    name: String,
    run: Vec<String>,
    subject: PathBuf,
    verdict: String,
}

pub fn cases(files: &[File]) -> Vec<Case> {
    let mut cases = Vec::new();
    for file in files {
        for pair in file.pairs.iter().flatten() {
            let run = &pair.run;
            let naive = run.first().is_some_and(|command| command == "verify")
                && run.windows(2).any(|w| w == ["--memory", "sc"])
                && !run.iter().any(|w| NOT_NAIVE.contains(&w.as_str()))
                // One of the two is known to be wrong: that is what the file is about.
                && !pair.expect.wrong
                && !pair.full;
            let verdict = pair.expect.verdicts[0].clone();
            if naive && ["holds", "violated"].contains(&verdict.as_str()) {
                let (name, subject) = (file.shown.clone(), file.subject.clone());
                cases.push(Case { name, run: run.clone(), subject, verdict });
            }
        }
    }
    cases
}

pub fn agree(cases: &[Case]) -> Result<(), Failed> {
    let mut problems = Vec::new();
    let (mut holds, mut violated, mut undecided) = (0, 0, Vec::new());
    for Case { name, run, subject, .. } in cases {
        let words = |more: &[&str]| -> Vec<String> {
            run.iter().cloned().chain(more.iter().map(|w| w.to_string())).collect()
        };
        // The naive engine has no reductions to switch off.
        let plain = |words: Vec<String>| -> Vec<String> {
            let off = words.iter().position(|w| w == "--no-reduction");
            let kept =
                words.into_iter().enumerate().filter(|(i, _)| off.is_none_or(|at| *i != at && *i != at + 1));
            kept.map(|(_, w)| w).collect()
        };
        let naive = &["--engine", "naive", "--max-states", "60000", "--time-limit", "10s"];
        let naive = lineal::run(&plain(words(naive)), subject)?.document;
        let slow = &naive["results"][0];
        if slow["verdict"] == "unknown" {
            undecided.push(name.as_str());
            continue;
        }
        let graph = lineal::run(&words(&["--time-limit", "20s"]), subject)?.document;
        let fast = &graph["results"][0];
        *(if slow["verdict"] == "holds" { &mut holds } else { &mut violated }) += 1;
        if fast["verdict"] == "unknown" {
            // No contradiction; its own test says whether this is expected.
            undecided.push(name);
        } else if slow["verdict"] != fast["verdict"] {
            problems.push(format!("{name}: naive says {}, graph {}", slow["verdict"], fast["verdict"]));
        } else if slow["verdict"] == "holds" && outcomes(slow) != outcomes(fast) {
            problems.push(format!("{name}: naive has {:?}, graph {:?}", outcomes(slow), outcomes(fast)));
        }
    }
    println!(
        "engines compared: {holds} hold, {violated} are violated, {} left undecided by one of them",
        undecided.len()
    );
    if holds + violated < cases.len() / 2 {
        problems.push(format!("too few were compared; undecided: {}", undecided.join(" ")));
    }
    if problems.is_empty() { Ok(()) } else { Err(problems.join("\n").into()) }
}

/// The token of every violation leads to the same violation again.
pub fn replay(cases: &[Case]) -> Result<(), Failed> {
    let mut problems = Vec::new();
    let mut replayed = 0;
    for Case { name, run, subject, .. } in cases.iter().filter(|c| c.verdict == "violated") {
        let first = lineal::run(run, subject)?.document;
        let witness = &first["results"][0]["witness"];
        if witness.is_null() {
            continue;
        }
        let Some(token) = witness["replay"].as_str() else {
            problems.push(format!("{name}: a violation without a token"));
            continue;
        };
        let words: Vec<String> = run.iter().cloned().chain(["--replay".into(), token.into()]).collect();
        let again = lineal::run(&words, subject)?.document;
        if again["results"][0]["witness"]["kind"] == witness["kind"] {
            replayed += 1;
        } else {
            problems.push(format!("{name}: {} becomes {again}", witness["kind"]));
        }
    }
    println!("{replayed} violations replayed");
    if problems.is_empty() { Ok(()) } else { Err(problems.join("\n").into()) }
}

fn outcomes(result: &Value) -> BTreeSet<String> {
    result["outcomes"].as_object().map_or(BTreeSet::new(), |o| o.keys().cloned().collect())
}
