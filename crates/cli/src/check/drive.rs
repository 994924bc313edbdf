//! Client after client, smallest first.

use super::save::Keep;
use super::witness;
use crate::desk::Desk;
use crate::limits::Watch;
use lineal_check::conform::clients::{self, Bound, Threads};
use lineal_check::conform::reference::{self, Reference};
use lineal_check::conform::{self, Answer, Checked};
use lineal_check::graph;
use lineal_lang::c11::object::{Loaded, client};
use lineal_lang::c11::{Options, Unit};
use lineal_model::object::{ArgClass, Client, Level, Marks, Type};
use lineal_model::program::Machine;
use lineal_model::{
    Counts, Diagnostic, Effort, Extent, Finding, Limit, Memory, Observer, Scope, Stats, Verdict,
};
use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Instant;

/// Clients up to this size are run again with other arguments.
const PROBED: usize = 2;

pub struct Drive<'a> {
    pub units: &'a [Unit],
    pub loaded: &'a Loaded,
    pub options: &'a Options,
    pub memory: Memory,
    pub level: &'a Level,
    pub unroll: Option<u32>,
    pub property: String,
    pub keep: &'a Keep<'a>,
    pub desk: &'a Desk,
}

/// What all clients so far came to.
#[derive(Default)]
struct Sum {
    stats: Stats,
    bounds: Vec<lineal_model::Bound>,
    assumptions: BTreeSet<String>,
    /// Clients of which no execution completes.
    stuck: Vec<String>,
    threads: u64,
    /// Operations of which some call returned.
    returned: BTreeSet<usize>,
    /// Operations that were called.
    called: BTreeSet<usize>,
    leaves_writes: bool,
    /// What the bound says of each operation, if it does: `2 push`.
    each: Vec<String>,
}

/// Adds what earlier clients counted.
struct Continued<'a> {
    watch: &'a Watch,
    before: Counts,
}

impl Observer for Continued<'_> {
    fn progress(&self, counts: Counts) -> ControlFlow<Limit> {
        self.watch.progress(Counts {
            executions: counts.executions + self.before.executions,
            blocked: counts.blocked + self.before.blocked,
            clients: self.before.clients,
            ..counts
        })
    }
}

/// Why the clients were not all gone through.
enum Stop {
    Found(Box<Finding>),
    Refused(Vec<Diagnostic>),
}

impl Drive<'_> {
    /// Every client within the bound.
    pub fn all(&self, bound: &Bound) {
        let started = Instant::now();
        let mut sum = Sum::default();
        if let Bound::Each(counts) = bound {
            let operations = self.loaded.object.operations.iter();
            sum.each = operations.zip(counts).map(|(o, n)| format!("{n} {}", o.name)).collect();
        }
        let end = self.sizes(bound, &self.desk.effort, &self.desk.watch, &mut sum);
        self.conclude(started, end.map(|()| self.holds(&sum, bound)));
    }

    fn conclude(&self, started: Instant, end: Result<Finding, Stop>) {
        match end {
            Ok(finding) => self.file(started, finding),
            Err(Stop::Found(finding)) => self.file(started, *finding),
            Err(Stop::Refused(found)) => self.desk.diagnostics(found),
        }
    }

    fn file(&self, started: Instant, mut finding: Finding) {
        finding.stats.seconds = started.elapsed().as_secs_f64();
        self.keep.write(&finding, self.desk);
        self.desk.file(finding);
    }

    fn sizes(&self, bound: &Bound, effort: &Effort, watch: &Watch, sum: &mut Sum) -> Result<(), Stop> {
        let object = &self.loaded.object;
        for size in 1..=bound.total() {
            self.desk.doing(&format!("clients of {size} call{}", if size == 1 { "" } else { "s" }));
            for counts in clients::multisets(object.operations.len(), bound, size) {
                let threads = if self.loaded.thread_state { Threads::Any } else { Threads::Parallel };
                let mut all = clients::clients(object, &counts, threads);
                let mut next = 0;
                let mut arranged = threads == Threads::Any;
                while next < all.len() {
                    self.client(&all[next], true, size, effort, watch, sum)?;
                    next += 1;
                    // Writes left in a store buffer: threads of several calls do more.
                    if next == all.len() && sum.leaves_writes && !arranged {
                        arranged = true;
                        let more = clients::clients(object, &counts, Threads::Any);
                        all.extend(more.into_iter().filter(|c| c.threads.iter().any(|t| t.len() > 1)));
                    }
                }
            }
        }
        let silent = sum.called.iter().find(|op| !sum.returned.contains(op)).copied();
        if let Some(op) = silent.filter(|_| bound.total() > 1) {
            let operation = &object.operations[op];
            let d = Diagnostic::error("L0128", format!("`{}` never returns", operation.name))
                .at(operation.call.at.clone())
                .note("no execution of any client completes a call of it", None)
                .help("an operation may wait for others, but something must end its wait; --calls may be too small, or a loop never ends");
            return Err(Stop::Refused(vec![d]));
        }
        Ok(())
    }

    /// One client; an error ends the check.
    fn client(
        &self,
        client: &Client,
        extend: bool,
        size: usize,
        effort: &Effort,
        watch: &Watch,
        sum: &mut Sum,
    ) -> Result<(), Stop> {
        self.specified(client).map_err(Stop::Refused)?;
        let (mut machine, marks) = self.program(client).map_err(Stop::Refused)?;
        let checked = self.explore(&mut machine, &marks, client, extend, effort, watch, sum);
        sum.stats.clients += 1;
        sum.stats.executions += checked.stats.executions;
        sum.stats.blocked += checked.stats.blocked;
        for (name, n) in &checked.stats.more {
            *sum.stats.more.entry(name).or_default() += n;
        }
        sum.leaves_writes |= checked.judge.leaves_writes;
        sum.threads = sum.threads.max(client.threads.len() as u64);
        sum.called.extend(client.calls.iter().map(|c| c.operation));
        match checked.answer {
            Answer::Holds(scope) => {
                if extend && size <= PROBED {
                    self.probe(client, &checked.stats, effort, watch).map_err(Stop::Refused)?;
                }
                sum.assumptions.extend(scope.assumptions);
                sum.assumptions.extend(machine.program.assumptions.iter().cloned());
                sum.bounds.extend(scope.bounds);
                if scope.vacuous.is_empty() {
                    sum.returned.extend(client.calls.iter().map(|c| c.operation));
                } else {
                    let calls: Vec<String> =
                        client.calls.iter().map(|c| self.loaded.object.show_call(c)).collect();
                    sum.stuck.push(calls.join(" || "));
                }
                Ok(())
            }
            Answer::Unknown(mut limit) => {
                limit.covered = match size {
                    0 | 1 => String::new(),
                    n => {
                        let within = match sum.each.join(" and ") {
                            each if each.is_empty() => String::new(),
                            each => format!(", of at most {each} calls,"),
                        };
                        let calls = calls(n - 1);
                        format!(
                            "All clients with at most {calls}{within} were checked by then, without a violation."
                        )
                    }
                };
                let mut finding = Finding::new(self.property.clone(), Verdict::Unknown(limit));
                finding.stats = self.stats(sum, effort);
                finding.at = Some(self.loaded.object.at.clone());
                Err(Stop::Found(Box::new(finding)))
            }
            Answer::Violated(found) => {
                let witness = witness::of(self, &mut machine, client, &marks, *found, size > 0);
                let mut finding = Finding::new(self.property.clone(), Verdict::Violated(Box::new(witness)));
                finding.stats = self.stats(sum, effort);
                finding.at = Some(self.loaded.object.at.clone());
                Err(Stop::Found(Box::new(finding)))
            }
        }
    }

    /// A class of arguments is a claim about the code. It cannot be proved here, but often be
    /// refuted: with other arguments of the same class there must be just as many executions.
    fn probe(
        &self,
        client: &Client,
        stats: &Stats,
        effort: &Effort,
        watch: &Watch,
    ) -> Result<(), Vec<Diagnostic>> {
        let object = &self.loaded.object;
        let (Some(class), None) = (object.args, object.values) else { return Ok(()) };
        let other = |n: i64| match class {
            ArgClass::Order => 10 * n + 3,
            _ => 1000 - 37 * n,
        };
        let mut renamed = client.clone();
        for call in &mut renamed.calls {
            for slot in [&mut call.value, &mut call.key, &mut call.prio] {
                *slot = slot.map(other);
            }
        }
        if renamed == *client {
            return Ok(());
        }
        let (mut machine, marks) = self.program(&renamed)?;
        let checked = self.ask(&mut machine, &marks, &renamed, true, effort, watch);
        let same = matches!(checked.answer, Answer::Holds(_))
            && (checked.stats.executions, checked.stats.blocked) == (stats.executions, stats.blocked);
        if same || matches!(checked.answer, Answer::Unknown(_)) {
            return Ok(());
        }
        let calls = |c: &Client| c.calls.iter().map(|c| object.show_call(c)).collect::<Vec<_>>().join(" || ");
        Err(vec![
            Diagnostic::error("L0129", format!("the arguments are not {}, as declared", class.word()))
                .at(object.at.clone())
                .note(
                    format!("{} and {} behave differently", calls(client), calls(&renamed)),
                    None,
                )
                .help("declare a wider class (args=equality, args=order), or a finite domain: #pragma lineal values 0..3"),
        ])
    }

    pub fn program(&self, client: &Client) -> Result<(Machine, Vec<Marks>), Vec<Diagnostic>> {
        client::program(self.units, self.loaded, client, self.options)
    }

    #[allow(clippy::too_many_arguments)]
    fn explore(
        &self,
        machine: &mut Machine,
        marks: &[Marks],
        client: &Client,
        extend: bool,
        effort: &Effort,
        watch: &Watch,
        sum: &Sum,
    ) -> Checked {
        let before = Counts {
            executions: sum.stats.executions,
            blocked: sum.stats.blocked,
            clients: sum.stats.clients,
            ..Counts::default()
        };
        let used = before.executions + before.blocked;
        let effort = Effort {
            max_states: effort.max_states.map(|max| max.saturating_sub(used).max(1)),
            ..effort.clone()
        };
        self.ask(machine, marks, client, extend, &effort, &Continued { watch, before })
    }

    /// Explores one client.
    pub fn ask(
        &self,
        machine: &mut Machine,
        marks: &[Marks],
        client: &Client,
        extend: bool,
        effort: &Effort,
        watch: &dyn Observer,
    ) -> Checked {
        let options = self.graph_options(machine);
        let mut problem = conform::Problem {
            program: machine,
            memory: self.memory,
            object: &self.loaded.object,
            level: self.level,
            client,
            marks,
            extend,
            reference: self.reference(client),
            sabotage: conform::Sabotage::Nothing,
            options,
        };
        conform::check(&mut problem, effort, watch)
    }

    /// The author's own specification, if the object has one. That it can be compiled and set up
    /// was seen before.
    pub fn reference(&self, client: &Client) -> Option<Arc<dyn Reference>> {
        if self.loaded.object.kind != Type::Spec {
            return None;
        }
        let (machine, setup, calls) =
            client::reference(self.units, self.loaded, client, self.options).ok()?;
        Some(Arc::new(reference::Program::new(machine, setup, calls)?))
    }

    /// Whether a specification of the author's own can be run at all.
    fn specified(&self, client: &Client) -> Result<(), Vec<Diagnostic>> {
        let object = &self.loaded.object;
        if object.kind != Type::Spec {
            return Ok(());
        }
        let (machine, setup, calls) = client::reference(self.units, self.loaded, client, self.options)?;
        match reference::Program::new(machine, setup, calls) {
            Some(_) => Ok(()),
            None => Err(vec![
                Diagnostic::error("L0126", "what sets the specification up does not return")
                    .at(object.spec_init.first().map_or(object.at.clone(), |code| code.at.clone())),
            ]),
        }
    }

    pub fn graph_options(&self, machine: &Machine) -> graph::Options {
        // A build for the engine's own tests has further fields.
        #[allow(clippy::needless_update)]
        graph::Options {
            unroll: self.unroll,
            leaks: !self.loaded.object.fini.is_empty(),
            identity: machine.identity(),
            ..graph::Options::default()
        }
    }

    fn stats(&self, sum: &Sum, effort: &Effort) -> Stats {
        Stats { jobs: effort.jobs.max(1) as u64, ..sum.stats.clone() }
    }

    fn scope(&self, sum: &Sum, calls: usize) -> Scope {
        let mut scope = Scope::program(self.memory, sum.threads);
        scope.threads = None;
        scope.calls = Some(Extent::UpTo(calls as u64));
        scope.each = sum.each.clone();
        scope.bounds = sum.bounds.clone();
        scope.assumptions = sum.assumptions.iter().cloned().collect();
        let object = &self.loaded.object;
        if object.operations.iter().any(|o| o.takes.anything()) {
            match (object.values, object.args) {
                (Some((low, high)), _) => {
                    scope.assumptions.push(format!("arguments are drawn from {low}..{high}, as declared"));
                }
                (None, Some(ArgClass::Independent)) => scope
                    .assumptions
                    .push("the code only moves its arguments about (args=independent), as declared".into()),
                (None, Some(class)) => scope.assumptions.push(format!(
                    "the code only compares its arguments (args={}), as declared",
                    class.word()
                )),
                (None, None) => {}
            }
        }
        if !sum.stuck.is_empty() {
            let some: Vec<&str> = sum.stuck.iter().take(3).map(String::as_str).collect();
            let more = if sum.stuck.len() > 3 { ", …" } else { "" };
            scope.assumptions.push(format!(
                "calls may wait for others: no execution of {} completes ({}{more})",
                match sum.stuck.len() {
                    1 => "1 client".into(),
                    n => format!("{n} clients"),
                },
                some.join(", ")
            ));
        }
        scope
    }

    fn holds(&self, sum: &Sum, bound: &Bound) -> Finding {
        let mut scope = self.scope(sum, bound.total());
        if sum.stats.executions == 0 {
            scope.vacuous.push("no execution completes".into());
        }
        let mut finding = Finding::new(self.property.clone(), Verdict::Holds(scope));
        finding.at = Some(self.loaded.object.at.clone());
        finding.stats = self.stats(sum, &self.desk.effort);
        finding
    }

    /// Only the client given, as it is.
    pub fn one(&self, client: Client) {
        self.desk.doing("the client");
        let started = Instant::now();
        let mut sum = Sum::default();
        let end = self.client(&client, false, 0, &self.desk.effort, &self.desk.watch, &mut sum);
        let holds = |()| {
            let mut scope = self.scope(&sum, client.calls.len());
            scope.calls = None;
            scope.threads = Some(Extent::UpTo(client.threads.len() as u64 + 1));
            if sum.stats.executions == 0 {
                scope.vacuous.push("no execution completes".into());
            }
            let property = format!("{}, in this client", self.property);
            let mut finding = Finding::new(property, Verdict::Holds(scope));
            finding.stats = self.stats(&sum, &self.desk.effort);
            finding
        };
        self.conclude(started, end.map(holds));
    }

    /// One earlier violation again.
    pub fn replay(&self, token: &str) {
        match witness::again(self, token) {
            Ok(found) => {
                let mut finding = Finding::new(self.property.clone(), Verdict::Violated(Box::new(found)));
                finding.at = Some(self.loaded.object.at.clone());
                self.keep.write(&finding, self.desk);
                self.desk.file(finding);
            }
            Err(why) => self.desk.diagnostics([Diagnostic::error("L0014", format!("cannot replay: {why}"))
                .note("a token belongs to one object, with the same files, -D and other flags", None)
                .help("run the check again without --replay; a violation prints its token")]),
        }
    }
}

fn calls(n: usize) -> String {
    if n == 1 { "1 call".into() } else { format!("{n} calls") }
}
