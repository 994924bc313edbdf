//! `lineal robust`: a proof for every client, behind the exploration of small ones or by itself; who
//! decides its formulas, and where they are written.

use crate::desk::Desk;
use clap::{Args, ValueEnum};
pub use lineal_check::robust::proof::faults;
use lineal_check::robust::proof::formula::Formula;
use lineal_check::robust::proof::{BuiltIn, Outcome, Solver, Switches, prove, smtlib};
use lineal_model::program::client::Compiled;
use lineal_model::{Diagnostic, Finding, Memory, Verdict};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

#[derive(Clone, Debug, Default, Args)]
pub struct ProveArgs {
    /// Only try to prove it for every client: nothing is explored
    #[arg(long, conflicts_with_all = ["calls", "client", "weaken", "repair", "replay", "unroll", "no_reduction", "save_client", "dot"])]
    pub prove: bool,
    /// Leave a fact out of the proof: updates, unique, owned, grows, lock, turn, ring, list, stated
    #[arg(
        long,
        value_enum,
        value_name = "NAME",
        value_delimiter = ',',
        requires = "prove",
        hide_possible_values = true
    )]
    pub no_fact: Vec<Fact>,
    /// Write every formula of the proof into a file, as SMT-LIB
    #[arg(long, value_name = "FILE", requires = "prove")]
    pub smtlib: Option<PathBuf>,
    /// Let another solver decide every formula as well: z3 or cvc5, from PATH
    #[arg(long, value_name = "NAME", requires = "prove")]
    pub solver: Option<String>,
    /// Try a proof where the exploration finds nothing.
    #[arg(skip)]
    pub behind: bool,
}

/// What `--no-fact` names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Fact {
    /// Locations that only read-modify-writes write
    Updates,
    /// Blocks that are written by who allocated them
    Unique,
    /// Locations that one session writes
    Owned,
    /// Counters that grow
    Grows,
    /// Locks
    Lock,
    /// Turns that are waited for
    Turn,
    /// Two counters that bound each other
    Ring,
    /// Lists that grow at their end
    List,
    /// Lemmas and axioms of the file
    Stated,
}

impl ProveArgs {
    fn switches(&self) -> Switches {
        let on = |fact| !self.no_fact.contains(&fact);
        Switches {
            updates: on(Fact::Updates),
            unique: on(Fact::Unique),
            owned: on(Fact::Owned),
            grows: on(Fact::Grows),
            lock: on(Fact::Lock),
            turn: on(Fact::Turn),
            ring: on(Fact::Ring),
            list: on(Fact::List),
            stated: on(Fact::Stated),
        }
    }
}

/// The proof by itself.
pub fn alone(args: &ProveArgs, compiled: &Compiled, memory: Memory, desk: &Desk) -> Option<Finding> {
    let mut solver = match Chosen::new(args) {
        Ok(solver) => solver,
        Err(found) => {
            desk.diagnostics([found]);
            return None;
        }
    };
    desk.doing("proving");
    let finding = prove(compiled, memory, args.switches(), &mut solver, &desk.effort, desk);
    if let Some(found) = solver.close() {
        desk.diagnostics([found]);
        return None;
    }
    Some(finding)
}

/// What was explored holds: if there is a proof, for every client; else a line says what is missing.
pub fn behind(args: &ProveArgs, compiled: &Compiled, memory: Memory, finding: &mut Finding, desk: &Desk) {
    let Verdict::Holds(scope) = &mut finding.verdict else { return };
    desk.doing("proving");
    let mut proof = prove(compiled, memory, args.switches(), &mut BuiltIn, &desk.effort, desk);
    match proof.verdict {
        Verdict::Holds(every) => *scope = every,
        Verdict::Unknown(limit) => {
            proof.remarks.clear();
            proof.remarks.push(format!("{}; --prove says more", limit.message.trim_end_matches('.')));
        }
        Verdict::Violated(_) => unreachable!("a proof finds nothing wrong"),
    }
    finding.remarks.extend(proof.remarks);
    finding.stats.more.extend(proof.stats.more);
}

/// The built-in solver, what else was asked for.
struct Chosen {
    other: Option<String>,
    file: Option<(PathBuf, std::fs::File)>,
    asked: usize,
    broken: Option<Diagnostic>,
}

impl Chosen {
    fn new(args: &ProveArgs) -> Result<Self, Diagnostic> {
        if let Some(name) = &args.solver {
            if !["z3", "cvc5"].contains(&name.as_str()) {
                let text = format!("--solver: `{name}` is not one that is known");
                return Err(Diagnostic::error("L0017", text)
                    .help("z3 or cvc5; without, the solver that is built in decides"));
            }
            let found =
                Command::new(name).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
            if found.is_err() {
                let text = format!("--solver: there is no `{name}` on PATH");
                return Err(Diagnostic::error("L0017", text)
                    .help("install it, or leave --solver out: the solver that is built in decides"));
            }
        }
        let file = match &args.smtlib {
            None => None,
            Some(path) => match std::fs::File::create(path) {
                Ok(file) => Some((path.clone(), file)),
                Err(why) => return Err(not_written(path, &why)),
            },
        };
        Ok(Chosen { other: args.solver.clone(), file, asked: 0, broken: None })
    }

    fn close(self) -> Option<Diagnostic> {
        self.broken
    }
}

fn not_written(path: &Path, why: &std::io::Error) -> Diagnostic {
    Diagnostic::error("L0018", format!("cannot write `{}`: {why}", path.display()))
}

impl Solver for Chosen {
    fn solve_until(&mut self, formula: &Formula, stop: &dyn Fn() -> bool) -> Outcome {
        self.asked += 1;
        let text = (self.other.is_some() || self.file.is_some())
            .then(|| smtlib::text(formula, &format!("formula {}: met if this is unsat", self.asked)));
        if let (Some((path, file)), Some(text)) = (&mut self.file, &text) {
            let apart = if self.asked > 1 { "(reset)\n" } else { "" };
            if let Err(why) = file.write_all(apart.as_bytes()).and_then(|()| file.write_all(text.as_bytes()))
            {
                self.broken = Some(not_written(path, &why));
            }
        }
        let own = BuiltIn.solve_until(formula, stop);
        let (Some(name), Some(text)) = (&self.other, &text) else { return own };
        match (external(name, text, stop), &own) {
            (Ok(true), Outcome::Sat(_)) | (Ok(false), Outcome::Unsat(_)) => own,
            (Ok(_), Outcome::Unknown(_)) => own,
            (Ok(sat), _) => Outcome::Unknown(format!(
                "{name} calls formula {} {}, and the solver that is built in does not: please report the input",
                self.asked,
                if sat { "satisfiable" } else { "unsatisfiable" }
            )),
            (Err(why), _) => Outcome::Unknown(format!("{name} did not decide formula {}: {why}", self.asked)),
        }
    }
}

/// Whether another solver finds an assignment.
fn external(name: &str, text: &str, stop: &dyn Fn() -> bool) -> Result<bool, String> {
    let flags: &[&str] = if name == "z3" { &["-in", "-smt2"] } else { &["--lang", "smt2"] };
    let words = |why: std::io::Error| why.to_string();
    let mut child = Command::new(name)
        .args(flags)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(words)?;
    // Who is gone already says so by its answer.
    let sent = child.stdin.take().map(|mut pipe| pipe.write_all(text.as_bytes()));
    while child.try_wait().map_err(words)?.is_none() {
        if stop() {
            child.kill().map_err(words)?;
        }
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    let output = child.wait_with_output().map_err(words)?;
    let said = String::from_utf8_lossy(&output.stdout);
    match said.lines().next().map(str::trim) {
        Some("sat") => Ok(true),
        Some("unsat") => Ok(false),
        _ if !output.status.success() => Err(format!("it ended with {}", output.status)),
        Some(line) => Err(format!("it said `{line}`")),
        None => Err(sent.and_then(Result::err).map_or("it said nothing".into(), |why| why.to_string())),
    }
}
