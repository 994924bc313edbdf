//! A litmus program: its text, its header, and what the textbook says.

use crate::header::{self, Pair, Style};
use crate::judge::Judged;
use lineal_check::graph::Observed;
use lineal_lang::c11;
use lineal_model::Memory;
use lineal_model::program::Machine;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

pub struct Litmus {
    pub name: String,
    path: PathBuf,
    pairs: Vec<Pair>,
    pub textbook: Vec<Textbook>,
    text: String,
}

/// An outcome (some of the observed values), and the models that have it.
pub struct Textbook {
    line: usize,
    outcome: Vec<String>,
    under: BTreeSet<String>,
}

pub fn all(root: &Path) -> Result<Vec<Litmus>, String> {
    let mut paths = Vec::new();
    for shape in std::fs::read_dir(root).map_err(|e| format!("{}: {e}", root.display()))?.flatten() {
        let inside = shape.path().read_dir().into_iter().flatten().flatten().map(|e| e.path());
        paths.extend(inside.filter(|p| p.extension().is_some_and(|e| e == "c")));
    }
    paths.sort();
    paths.into_iter().map(|path| Litmus::read(root, path)).collect()
}

impl Litmus {
    fn read(root: &Path, path: PathBuf) -> Result<Litmus, String> {
        let name = path.strip_prefix(root).unwrap_or(&path).display().to_string();
        let text = std::fs::read_to_string(&path).map_err(|e| format!("{name}: {e}"))?;
        let pairs = header::parse(&text, Style::Comment).map_err(|e| format!("{name}: {e}"))?;
        let mut textbook = Vec::new();
        for (i, line) in text.lines().enumerate() {
            if let Some(rest) = line.strip_prefix("//@ textbook:") {
                textbook.push(Textbook::parse(i + 1, rest).map_err(|e| format!("{name}:{}: {e}", i + 1))?);
            }
        }
        if textbook.is_empty() {
            return Err(format!("{name}: no `//@ textbook:` line"));
        }
        Ok(Litmus { name, path, pairs, textbook, text })
    }

    pub fn load(&self) -> Result<Machine, String> {
        let unit = c11::Unit::of(&self.name, &self.text);
        match unit.and_then(|unit| c11::load(&[unit], &c11::Options::default())) {
            Ok((machine, _)) => Ok(machine),
            Err(found) => Err(found.iter().map(|d| d.message.as_str()).collect::<Vec<_>>().join("\n")),
        }
    }

    /// The run under this model.
    pub fn pair(&self, memory: Memory) -> Result<&Pair, String> {
        let word = memory.to_string();
        let mut fitting =
            self.pairs.iter().filter(|p| p.run.windows(2).any(|w| w[0] == "--memory" && w[1] == word));
        match (fitting.next(), fitting.next()) {
            (Some(pair), None) => Ok(pair),
            (None, _) => Err(format!("no run under {memory}")),
            _ => Err(format!("two runs under {memory}")),
        }
    }

    pub fn observed(&self, pair: &Pair, machine: &Machine) -> Result<Vec<Observed>, String> {
        let names = pair.run.iter().skip_while(|w| *w != "--observe").nth(1).ok_or("nothing to observe")?;
        let observed = |name: &str| {
            let (loc, size, signed) = machine.global(name).ok_or(format!("there is no global `{name}`"))?;
            Ok(Observed { name: name.into(), loc, size, signed })
        };
        names.split(',').map(observed).collect()
    }

    /// How the header differs from what was found.
    pub fn differs(&self, pair: &Pair, found: &Judged) -> Option<String> {
        let key = |name: &str| pair.expect.keys.iter().find(|(k, _)| k == name).map(|(_, v)| v.as_str());
        let verdict = if found.fault.is_some() { "violated" } else { "holds" };
        if pair.expect.verdicts != [verdict] {
            return Some(format!("{verdict}: {:?}", found.fault));
        }
        if found.fault.is_some() {
            return (key("witness.kind") != found.fault.as_deref()).then(|| format!("{:?}", found.fault));
        }
        let count = found.graphs.len().to_string();
        if key("stats.executions") != Some(&count) {
            return Some(format!("{count} executions"));
        }
        let expected: BTreeSet<&str> = key("outcomes").unwrap_or("").split(';').map(str::trim).collect();
        let outcomes: BTreeSet<&str> = found.outcomes.keys().map(String::as_str).collect();
        (expected != outcomes).then(|| format!("outcomes {outcomes:?}"))
    }

    /// Whether the header lists different outcomes, or faults, under different models.
    pub fn distinguishes(&self) -> bool {
        let answer = |p: &Pair| {
            let outcomes = p.expect.keys.iter().find(|(k, _)| k == "outcomes").map(|(_, v)| v.clone());
            (p.expect.verdicts.clone(), outcomes)
        };
        self.pairs.iter().any(|p| answer(p) != answer(&self.pairs[0]))
    }

    pub fn bless(&self, pair: &Pair, found: &Judged) -> Result<(), String> {
        static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
        let _guard = ONE_AT_A_TIME.lock();
        if pair.expect.verdicts != ["holds"] {
            return Err("a verdict is never blessed".into());
        }
        let text = std::fs::read_to_string(&self.path).map_err(|e| e.to_string())?;
        let mut lines: Vec<String> = text.split('\n').map(String::from).collect();
        let outcomes: Vec<&str> = found.outcomes.keys().map(String::as_str).collect();
        lines[pair.expect.line - 1] = format!(
            "//@ expect: holds stats.executions={} outcomes={{{}}}",
            found.graphs.len(),
            outcomes.join("; ")
        );
        std::fs::write(&self.path, lines.join("\n")).map_err(|e| e.to_string())
    }
}

impl Textbook {
    fn parse(line: usize, text: &str) -> Result<Textbook, String> {
        let (outcome, under) =
            text.split_once(" under ").ok_or("`OUTCOME under MODELS`, or `… under nothing`")?;
        let words = |text: &str| text.split_whitespace().map(String::from).collect::<Vec<_>>();
        let under: BTreeSet<String> = words(under).into_iter().filter(|w| w != "nothing").collect();
        match under.iter().find(|w| !crate::ALL.iter().any(|m| m.to_string() == **w)) {
            Some(word) => Err(format!("`{word}` is no model")),
            None => Ok(Textbook { line, outcome: words(outcome), under }),
        }
    }

    pub fn refuted_by(&self, judged: &[(Memory, Judged)]) -> Vec<String> {
        let mut problems = Vec::new();
        for (memory, found) in judged {
            let has = |outcome: &String| {
                let values: BTreeSet<&str> = outcome.split(' ').collect();
                self.outcome.iter().all(|v| values.contains(v.as_str()))
            };
            let possible = found.fault.is_none() && found.outcomes.keys().any(has);
            let said = self.under.contains(&memory.to_string());
            if possible != said {
                let verb = if possible { "possible" } else { "impossible" };
                let outcome = self.outcome.join(" ");
                problems.push(format!("line {}: {outcome} is {verb} under {memory}", self.line));
            }
        }
        problems
    }
}
