//! Client after client, smallest first.

use super::save::Keep;
use super::witness;
use crate::desk::Desk;
use crate::limits::Watch;
use lineal_check::conform::clients::{self, Bound, Threads};
use lineal_check::conform::reference::{self, Reference};
use lineal_check::conform::{self, Answer, Checked};
use lineal_check::graph;
use lineal_lang::c11::object::Loaded;
use lineal_model::object::{ArgClass, Client, Level, Marks, Slot, Type};
use lineal_model::program::Machine;
use lineal_model::{
    Counts, Diagnostic, Effort, Extent, Finding, Limit, LimitKind, Memory, Observer, Scope, Stats, Verdict,
};
use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Instant;

/// Clients up to this size are run again with other arguments.
const PROBED: usize = 2;

pub struct Drive<'a> {
    pub loaded: &'a Loaded,
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
    /// Executions in which every call was made and returned.
    judged: u64,
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
            self.desk.settled(covered(size, sum));
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
        if let Some(why) = clients::unfit(&self.loaded.object, client) {
            return Err(Stop::Refused(vec![self.unfit(why)]));
        }
        if let Some(Err(found)) = self.specification(client) {
            return Err(Stop::Refused(found));
        }
        let (mut machine, marks) = self.program(client);
        let checked = self.explore(&mut machine, &marks, client, extend, effort, watch, sum);
        sum.stats.clients += 1;
        sum.stats.executions += checked.stats.executions;
        sum.stats.blocked += checked.stats.blocked;
        for (name, n) in &checked.stats.more {
            *sum.stats.more.entry(name).or_default() += n;
        }
        sum.judged += checked.judge.judged;
        sum.leaves_writes |= checked.judge.leaves_writes;
        sum.threads = sum.threads.max(client.threads.len() as u64);
        sum.called.extend(client.calls.iter().map(|c| c.operation));
        match checked.answer {
            Answer::Holds(scope) => {
                if extend && size <= PROBED {
                    self.probe(client, &checked.stats, effort, watch).map_err(Stop::Refused)?;
                }
                sum.assumptions.extend(scope.assumptions.into_iter().map(judged_only));
                sum.assumptions.extend(machine.program.assumptions.iter().cloned());
                sum.bounds.extend(scope.bounds);
                if scope.vacuous.is_empty() {
                    sum.returned.extend(client.calls.iter().map(|c| c.operation));
                } else {
                    sum.stuck.push(witness::text(self, client));
                }
                Ok(())
            }
            Answer::Troubled(trouble) => Err(Stop::Refused(vec![self.troubled(client, trouble)])),
            Answer::Unknown(mut limit) => {
                // Earlier clients took their part of the bound.
                if let (LimitKind::States, Some(max)) = (limit.kind, effort.max_states) {
                    limit = Limit::states(max);
                }
                limit.covered = covered(size, sum);
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

    /// An argument that its parameter cannot hold.
    fn unfit(&self, (operation, number): (usize, i64)) -> Diagnostic {
        let operation = &self.loaded.object.operations[operation];
        let text = format!(
            "`{}` cannot be called with {number}: its parameter's type has no such number",
            operation.name
        );
        Diagnostic::error("L0127", text)
            .at(operation.call.at.clone())
            .help("declare the numbers to try, all of which fit: #pragma lineal values 0..1")
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
        // What an object starts with, 0, stays what it is.
        let other = |n: i64, wide: bool| match (class, wide) {
            _ if n == 0 => 0,
            (ArgClass::Order, true) => 10 * n + 3 * n.signum(),
            (ArgClass::Order, false) => 3 * n + n.signum(),
            (_, true) => 1000 - 37 * n,
            (_, false) => 101 - 7 * n,
        };
        let renamed = |wide: bool| {
            let mut renamed = client.clone();
            for call in &mut renamed.calls {
                for slot in Slot::ALL {
                    let slot = call.slot(slot);
                    *slot = slot.map(|n| other(n, wide));
                }
            }
            (clients::unfit(object, &renamed).is_none() && renamed != *client).then_some(renamed)
        };
        let Some(renamed) = renamed(true).or_else(|| renamed(false)) else { return Ok(()) };
        let (mut machine, marks) = self.program(&renamed);
        let checked = self.ask(&mut machine, &marks, &renamed, true, effort, watch);
        let same = matches!(checked.answer, Answer::Holds(_))
            && (checked.stats.executions, checked.stats.blocked) == (stats.executions, stats.blocked);
        if same || matches!(checked.answer, Answer::Unknown(_)) {
            return Ok(());
        }
        let trouble = match checked.answer {
            Answer::Troubled(trouble) => Some(self.troubled(&renamed, trouble).message),
            _ => None,
        };
        let calls = |c: &Client| witness::text(self, c);
        let class = class.word();
        let claim = Diagnostic::error("L0129", format!("the arguments do not keep to args={class}, as declared"))
            .at(object.at.clone())
            .note(format!("{} and {} behave differently", calls(client), calls(&renamed)), None)
            .help("declare a wider class (args=equality, args=order), or a finite domain: #pragma lineal values 0..3");
        Err(vec![match trouble {
            Some(message) => claim.note(format!("then {message}"), None),
            None => claim,
        }])
    }

    pub fn program(&self, client: &Client) -> (Machine, Vec<Marks>) {
        self.loaded.operations.client(client)
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
        self.specification(client)?.ok()
    }

    fn specification(&self, client: &Client) -> Option<Result<Arc<dyn Reference>, Vec<Diagnostic>>> {
        let (machine, setup, calls) = self.loaded.specification.as_ref()?.alone(client);
        let answers = |c: usize| self.loaded.object.operations[client.calls[c].operation].answer.is_some();
        let function = |(c, (entry, marks))| reference::Function { entry, marks, answers: answers(c) };
        let calls = calls.into_iter().enumerate().map(function).collect();
        let program = reference::Program::new(machine, setup, calls);
        Some(match program {
            Ok(program) => Ok(Arc::new(program)),
            Err(trouble) => Err(vec![self.troubled(client, trouble)]),
        })
    }

    /// The specification itself went wrong.
    fn troubled(&self, client: &Client, trouble: reference::Trouble) -> Diagnostic {
        let object = &self.loaded.object;
        let operation = trouble.call.map(|c| &object.operations[client.calls[c].operation]);
        let what = match operation {
            Some(o) => format!("the specification of `{}`: {}", o.name, trouble.message),
            None => format!("what sets the specification up: {}", trouble.message),
        };
        let declared = match operation {
            Some(o) => o.spec.as_ref(),
            None => object.spec_init.first(),
        };
        // What is generated is about the line it was generated from.
        let own = trouble.at.filter(|at| !at.file.starts_with('<'));
        let at = own.unwrap_or_else(|| declared.map_or(object.at.clone(), |code| code.at.clone()));
        let found = Diagnostic::error("L0126", what).at(at);
        match trouble.asserted {
            true => found
                .note("the search tries orders of the calls that did not happen", None)
                .help("say `__VERIFIER_assume(condition)` where an operation is not possible otherwise"),
            false => found,
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
        if sum.assumptions.contains(FOR_EVER) {
            scope.assumptions.retain(|a| a != WAITS);
        }
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
        if object.kind == Type::TryLock {
            scope.assumptions.push("only a thread that holds the lock releases it".into());
        }
        if object.threads_alike {
            scope.assumptions.push(
                "only which calls a thread makes matters, not its number (threads alike), as declared".into(),
            );
        } else if object.numbered {
            scope.assumptions.push("threads are numbered from 0 on, without gaps".into());
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
        if sum.judged == 0 {
            scope.vacuous.push("in no execution all calls are made and return".into());
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
            if sum.judged == 0 {
                scope.vacuous.push("in no execution all calls are made and return".into());
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

const WAITS: &str = "loops that wait for another thread end";
const FOR_EVER: &str = "executions in which a call waits for ever, of which there are some, are not judged";

/// Where a loop need not end, executions in which it does not are none that are judged.
fn judged_only(assumption: String) -> String {
    match assumption.strip_prefix(WAITS) {
        Some("") | None => assumption,
        Some(_) => FOR_EVER.into(),
    }
}

/// What is known when clients of `size` calls are being looked at.
fn covered(size: usize, sum: &Sum) -> String {
    if size <= 1 {
        return String::new();
    }
    let within = match sum.each.join(" and ") {
        each if each.is_empty() => String::new(),
        each => format!(", of at most {each} calls,"),
    };
    let calls = calls(size - 1);
    format!("All clients with at most {calls}{within} were checked by then, without a violation.")
}

fn calls(n: usize) -> String {
    if n == 1 { "1 call".into() } else { format!("{n} calls") }
}
