//! All clients of an object, smallest first.
//!
//! Sizes go up one call at a time, so the first violation is one with the fewest calls. Within a
//! size every multiset of calls is taken, and every client that stands for all with these calls
//! ([`super::clients`]). A check ends with the first violation, the first limit, or the first
//! thing that makes the question meaningless ([`Refused`]).

use super::client::{Answer, Found, Tried};
use super::clients::{self, Bound, Threads};
use super::object::Clients;
use super::search::{Asked, Problem, Question, Search};
use super::starving::Starving;
use super::{again, claim, witness};
use crate::reference::Fault;
use lineal_model::object::{ArgClass, Call, Client, Exhibit, Object, Slot};
use lineal_model::{
    Assumption, Counts, Effort, Extent, Finding, Knob, Limit, LimitKind, Memory, Observer, Scope, Stats,
    Verdict,
};
use std::collections::BTreeSet;
use std::ops::ControlFlow;

/// Clients up to this size are run again with other arguments.
const PROBED: usize = 3;

#[derive(Clone, Debug)]
pub struct Checked {
    pub finding: Finding,
    /// With a violation: the client that shows it.
    pub exhibit: Option<Exhibit>,
}

/// The question has no answer, because of how the object was declared.
#[derive(Clone, Debug)]
pub enum Refused {
    /// An operation cannot be called with this number: its parameter's type has none such.
    Unfit { operation: usize, number: i64 },
    /// No execution of any client completes a call of the operation.
    NeverReturns { operation: usize },
    /// Arguments of the declared class make a difference: these clients behave differently, the
    /// second one perhaps by making the specification fail.
    Arguments { class: ArgClass, client: Client, other: Client, fault: Option<Fault> },
    /// The author's own specification goes wrong in this client.
    Specification { client: Client, fault: Fault },
    /// The object goes wrong under sequential consistency already, in this client.
    Sequentially { client: Client, witness: Box<lineal_model::Witness> },
    /// The object that is the specification goes wrong in this client.
    Other { client: Client, name: String, witness: Box<lineal_model::Witness> },
}

/// Decides about all clients asked for, with or without a hint about what is found.
pub(super) fn check_with<C: Clients>(
    problem: &Problem<'_, C>,
    effort: &Effort,
    watch: &dyn Observer,
    hints: bool,
) -> Result<Checked, Refused> {
    let hints = hints && !matches!(problem.asked, Asked::Sampled(..)) && problem.preemptions.is_none();
    let search = Search::new(problem, effort, watch, hints);
    let mut sum = Sum::default();
    let end = match &problem.asked {
        Asked::Every(bound) => search.every(bound, &mut sum),
        Asked::Calls(calls) => search.calls(calls, &mut sum).map(|()| search.holds(calls.len(), &sum)),
        Asked::Only(client) => search.only(client, &mut sum),
        Asked::Sampled(bound, sampling) => search.sampled(bound, *sampling, &mut sum),
    };
    match end {
        Ok(checked) | Err(Stop::Found(checked)) => Ok(*checked),
        Err(Stop::Refused(why)) => Err(*why),
        Err(Stop::Drawn(_)) => unreachable!("put in words where it was drawn"),
    }
}

/// One earlier violation again. An error says why the token does not fit.
pub fn replay<C: Clients>(
    problem: &Problem<'_, C>,
    token: &str,
    effort: &Effort,
    watch: &dyn Observer,
) -> Result<Checked, String> {
    let search = Search::new(problem, effort, watch, true);
    let (witness, exhibit) = again::again(&search, token)?;
    let mut finding = Finding::new(search.property(), Verdict::Violated(Box::new(witness)));
    finding.wrong = search.wrong(&exhibit);
    finding.at = Some(problem.clients.object().at.clone());
    Ok(Checked { finding, exhibit: Some(exhibit) })
}

/// What all clients so far came to.
#[derive(Default)]
pub(super) struct Sum {
    pub(super) stats: Stats,
    bounds: Vec<lineal_model::Bound>,
    assumptions: BTreeSet<Assumption>,
    /// Clients of which no execution completes.
    stuck: Vec<String>,
    /// Operations of which some call returned.
    returned: BTreeSet<usize>,
    /// Operations that were called.
    called: BTreeSet<usize>,
    leaves_writes: bool,
    /// Executions in which every call was made and returned.
    judged: u64,
    /// What the bound says of each operation, if it does: `2 push`.
    each: Vec<String>,
    /// Clients of which it is known that they cannot complete.
    starving: Starving,
    /// Of the first client that completes in no execution within the bound on loops: others may be wrong.
    open: Option<Limit>,
}

impl Sum {
    /// One loop is one line, whichever clients were cut there.
    fn bound(&mut self, bound: lineal_model::Bound) {
        let same =
            |b: &&mut lineal_model::Bound| (b.knob, b.value, &b.at) == (bound.knob, bound.value, &bound.at);
        match self.bounds.iter_mut().find(same) {
            Some(known) => known.cut += bound.cut,
            None => self.bounds.push(bound),
        }
        // That it cut nothing is worth a line only if it never did.
        let cuts: Vec<Knob> = self.bounds.iter().filter(|b| b.cut > 0).map(|b| b.knob).collect();
        self.bounds.retain(|b| b.cut > 0 || !cuts.contains(&b.knob));
    }
}

/// Adds what earlier clients counted.
pub(super) struct Continued<'a> {
    pub watch: &'a dyn Observer,
    pub before: Counts,
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
pub(super) enum Stop {
    Found(Box<Checked>),
    Refused(Box<Refused>),
    Drawn(Box<Drawn>),
}

/// A violation that was drawn, not put in words yet: that takes long with many calls.
pub(super) struct Drawn {
    pub client: Client,
    pub found: Found,
}

impl From<Refused> for Stop {
    fn from(why: Refused) -> Self {
        Stop::Refused(Box::new(why))
    }
}

impl<C: Clients> Search<'_, C> {
    fn every(&self, bound: &Bound, sum: &mut Sum) -> Result<Box<Checked>, Stop> {
        if let Bound::Each(counts) = bound {
            let operations = self.object().operations.iter();
            sum.each = operations.zip(counts).map(|(o, n)| format!("{n} {}", o.name)).collect();
        }
        for size in 1..=bound.total() {
            let doing = format!("exploring clients of {size} call{}", if size == 1 { "" } else { "s" });
            self.watch.stage(&doing, &covered(size, sum));
            for counts in clients::multisets(self.object().operations.len(), bound, size) {
                for calls in clients::arguments(self.object(), &counts) {
                    self.calls(&calls, sum)?;
                }
            }
        }
        let silent = sum.called.iter().find(|op| !sum.returned.contains(op)).copied();
        if let Some(operation) = silent.filter(|_| bound.total() > 1 && sum.open.is_none()) {
            return Err(Refused::NeverReturns { operation }.into());
        }
        Ok(self.holds(bound.total(), sum))
    }

    /// Every client with so many calls was gone through.
    fn holds(&self, calls: usize, sum: &Sum) -> Box<Checked> {
        if let Some(limit) = &sum.open {
            let mut finding = self.finding(Verdict::Unknown(limit.clone()), sum);
            finding.at = Some(self.object().at.clone());
            return Box::new(Checked { finding, exhibit: None });
        }
        let mut scope = self.scope(sum);
        scope.calls = Some(Extent::UpTo(calls as u64));
        scope.each.clone_from(&sum.each);
        let mut finding = self.finding(Verdict::Holds(scope), sum);
        finding.at = Some(self.object().at.clone());
        Box::new(Checked { finding, exhibit: None })
    }

    fn only(&self, client: &Client, sum: &mut Sum) -> Result<Box<Checked>, Stop> {
        self.watch.stage("the client", "");
        self.one(client, None, sum)?;
        let mut scope = self.scope(sum);
        scope.threads = Some(Extent::UpTo(client.threads.len() as u64 + 1));
        let mut finding = self.finding(Verdict::Holds(scope), sum);
        finding.property.push_str(", in this client");
        Ok(Box::new(Checked { finding, exhibit: None }))
    }

    /// Every client that makes these calls.
    fn calls(&self, calls: &[Call], sum: &mut Sum) -> Result<(), Stop> {
        let stateful = self.problem.clients.thread_state();
        let robust = self.problem.question != Question::Linearizable;
        let threads = if stateful || robust { Threads::Any } else { Threads::Parallel };
        let mut all = clients::arranged(self.object(), calls, threads);
        let mut next = 0;
        let mut arranged = threads == Threads::Any;
        if let ([client], false) = (all.as_slice(), arranged)
            && self.starves(client, sum)
        {
            self.starved(client, sum);
            return Ok(());
        }
        while next < all.len() {
            self.one(&all[next], Some(calls.len()), sum)?;
            next += 1;
            // Writes left in a store buffer: threads of several calls do more.
            if next == all.len() && sum.leaves_writes && !arranged {
                arranged = true;
                let more = clients::arranged(self.object(), calls, Threads::Any);
                all.extend(more.into_iter().filter(|c| c.threads.iter().any(|t| t.len() > 1)));
            }
        }
        Ok(())
    }

    /// Whether it is known, or can be told, that no execution of the client completes.
    fn starves(&self, client: &Client, sum: &mut Sum) -> bool {
        // Small ones are explored anyway: it is quick, and their arguments are probed.
        let small = client.calls.len() <= PROBED;
        let states = self.effort.max_states;
        let used = sum.stats.executions + sum.stats.blocked;
        let effort =
            Effort { max_states: states.map(|max| max.saturating_sub(used).max(1)), ..self.effort.clone() };
        let before = Counts { clients: sum.stats.clients, ..Counts::default() };
        let watch = Continued { watch: self.watch, before };
        sum.starving.holds(self, client, &effort, &watch) && !small
    }

    /// A client of which no execution completes, fails or is in a deadlock.
    fn starved(&self, client: &Client, sum: &mut Sum) {
        sum.stats.clients += 1;
        sum.called.extend(client.calls.iter().map(|c| c.operation));
        sum.assumptions.insert(Assumption::EndlessNotJudged);
        sum.assumptions.extend(self.problem.clients.assumptions().iter().cloned());
        sum.stuck.push(self.object().show_client(client));
    }

    /// One client, of all that have `size` calls, or by itself.
    pub(super) fn one(&self, client: &Client, size: Option<usize>, sum: &mut Sum) -> Result<(), Stop> {
        if let Some((operation, number)) = clients::unfit(self.object(), client) {
            return Err(Refused::Unfit { operation, number }.into());
        }
        let (mut program, marks) = self.problem.clients.program(client);
        let before = Counts {
            executions: sum.stats.executions,
            blocked: sum.stats.blocked,
            clients: sum.stats.clients,
            ..Counts::default()
        };
        let used = before.executions + before.blocked;
        let effort = Effort {
            max_states: self.effort.max_states.map(|max| max.saturating_sub(used).max(1)),
            ..self.effort.clone()
        };
        let watch = Continued { watch: self.watch, before };
        let tried = self.client(&mut program, &marks, client, size.is_some(), &effort, &watch);
        sum.stats.clients += 1;
        sum.stats.executions += tried.stats.executions;
        sum.stats.blocked += tried.stats.blocked;
        for (&counter, n) in &tried.stats.more {
            *sum.stats.more.entry(counter).or_default() += n;
        }
        sum.judged += tried.judge.judged;
        sum.leaves_writes |= tried.judge.leaves_writes;
        sum.called.extend(client.calls.iter().map(|c| c.operation));
        match tried.answer {
            Answer::Holds(scope) => {
                if size.is_some_and(|size| size <= PROBED) {
                    self.probe(client)?;
                }
                sum.assumptions.extend(scope.assumptions.into_iter().map(judged_only));
                sum.assumptions.extend(self.problem.clients.assumptions().iter().cloned());
                scope.bounds.into_iter().for_each(|bound| sum.bound(bound));
                if scope.vacuous.is_empty() {
                    sum.returned.extend(client.calls.iter().map(|c| c.operation));
                } else {
                    sum.stuck.push(self.object().show_client(client));
                }
                Ok(())
            }
            Answer::Faulty(fault) => Err(Refused::Specification { client: client.clone(), fault }.into()),
            Answer::Sequentially(witness) => {
                Err(Refused::Sequentially { client: client.clone(), witness }.into())
            }
            Answer::Other(witness) => {
                let name = self.problem.clients.against().map_or(String::new(), |a| a.name.clone());
                Err(Refused::Other { client: client.clone(), name, witness }.into())
            }
            // A sample that showed nothing.
            Answer::Unknown(limit) if limit.kind == LimitKind::Sampled => Ok(()),
            Answer::Unknown(mut limit) => {
                // Earlier clients took their part of the bound.
                if let (LimitKind::States, Some(max)) = (limit.kind, self.effort.max_states) {
                    limit = Limit::states(max);
                }
                if limit.kind == LimitKind::Loop {
                    let client = self.object().show_client(client);
                    limit.message = format!("{} (client {client})", limit.message);
                }
                limit.covered = match self.sample.get() {
                    Some(_) => format!(
                        "{} executions were drawn at random by then, none of them a violation.",
                        sum.stats.executions + sum.stats.blocked
                    ),
                    None => size.map_or(String::new(), |size| covered(size, sum)),
                };
                if limit.kind == LimitKind::Loop && size.is_some() && self.problem.goes_on_behind_bounds() {
                    sum.open.get_or_insert(limit);
                    return Ok(());
                }
                Err(self.found(Verdict::Unknown(limit), None, sum))
            }
            Answer::Violated(found) if self.sample.get().is_some() => {
                Err(Stop::Drawn(Box::new(Drawn { client: client.clone(), found: *found })))
            }
            Answer::Violated(found) => {
                let (witness, exhibit) = witness::of(self, &mut program, client, &marks, *found);
                let witness = Box::new(lineal_model::Witness { shortest: size.is_some(), ..witness });
                Err(self.found(Verdict::Violated(witness), Some(exhibit), sum))
            }
        }
    }

    pub(super) fn found(&self, verdict: Verdict, exhibit: Option<Exhibit>, sum: &Sum) -> Stop {
        let mut finding = self.finding(verdict, sum);
        finding.at = Some(self.object().at.clone());
        finding.wrong = exhibit.as_ref().map_or(String::new(), |e| self.wrong(e));
        Stop::Found(Box::new(Checked { finding, exhibit }))
    }

    fn property(&self) -> String {
        if self.problem.question != Question::Linearizable {
            return claim::robust(self.object(), self.problem.memory);
        }
        match self.problem.clients.against() {
            Some(against) => claim::property_against(self.object(), &against.name),
            None => claim::property(self.object(), self.problem.level),
        }
    }

    fn wrong(&self, exhibit: &Exhibit) -> String {
        if self.problem.question != Question::Linearizable {
            return claim::not_robust(self.object(), self.problem.memory);
        }
        match self.problem.clients.against() {
            Some(against) => claim::wrong_against(self.object(), &against.name, &exhibit.shows),
            None => claim::wrong(self.object(), self.problem.level, &exhibit.shows),
        }
    }

    fn finding(&self, verdict: Verdict, sum: &Sum) -> Finding {
        let mut finding = Finding::new(self.property(), verdict);
        // A bound on preemptions has one worker.
        let jobs = if self.problem.preemptions.is_some() { 1 } else { self.effort.jobs.max(1) as u64 };
        finding.stats = Stats { jobs, ..sum.stats.clone() };
        finding
    }

    /// A class of arguments is a claim about the code. It cannot be proved here, but often be
    /// refuted: with other arguments of the same class there must be just as many executions, if
    /// none are left out for the sake of that claim.
    fn probe(&self, client: &Client) -> Result<(), Refused> {
        let object = self.object();
        let (Some(class), None) = (object.args, object.values) else { return Ok(()) };
        let Some(other) = renamed(object, class, client) else { return Ok(()) };
        let try_all = |client: &Client| {
            let (mut program, marks) = self.problem.clients.program(client);
            self.client_in_full(&mut program, &marks, client)
        };
        let (own, tried) = (try_all(client), try_all(&other));
        let counts = |t: &Tried| (t.stats.executions, t.stats.blocked);
        let same = matches!(tried.answer, Answer::Holds(_)) && counts(&tried) == counts(&own);
        let cut = |t: &Tried| matches!(t.answer, Answer::Unknown(_));
        if same || cut(&own) || cut(&tried) {
            return Ok(());
        }
        let fault = match tried.answer {
            Answer::Faulty(fault) => Some(fault),
            _ => None,
        };
        Err(Refused::Arguments { class, client: client.clone(), other, fault })
    }

    /// What all clients together took for granted.
    fn scope(&self, sum: &Sum) -> Scope {
        let mut scope = Scope::program(self.problem.memory, 0);
        scope.threads = None;
        scope.bounds.clone_from(&sum.bounds);
        scope.assumptions = sum.assumptions.iter().cloned().collect();
        if sum.assumptions.contains(&Assumption::EndlessNotJudged) {
            scope.assumptions.retain(|a| !matches!(a, Assumption::LoopsEnd { .. }));
        }
        let object = self.object();
        scope.quasi = object.quasi.as_ref().map(|relaxation| relaxation.scope(object.kind));
        if object.operations.iter().any(|o| o.takes.anything()) {
            scope.assumptions.extend(match (object.values, object.args) {
                (Some((low, high)), _) => Some(Assumption::ArgumentsFrom(low, high)),
                (None, Some(class)) => Some(Assumption::Arguments(class)),
                (None, None) => None,
            });
        }
        if self.problem.clients.against().is_some() && self.problem.memory != Memory::Sc {
            scope.assumptions.push(Assumption::ClientsSynchronise);
        }
        if self.problem.question != Question::Linearizable {
            scope.assumptions.push(Assumption::FruitlessIterations);
        }
        if object.kind.is_lock() {
            scope.assumptions.push(Assumption::HolderReleases);
        }
        if object.threads_alike {
            scope.assumptions.push(Assumption::ThreadsAlike);
        } else if object.numbered {
            scope.assumptions.push(Assumption::ThreadsNumbered);
        }
        if !sum.stuck.is_empty() {
            scope.assumptions.push(Assumption::Stuck(sum.stuck.clone()));
        }
        if sum.judged == 0 {
            scope.vacuous.push("in no execution all calls are made and return".into());
        }
        scope
    }
}

/// The client with other arguments of the same class; `None` if there are none that fit.
fn renamed(object: &Object, class: ArgClass, client: &Client) -> Option<Client> {
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
    renamed(true).or_else(|| renamed(false))
}

/// Where a loop need not end, executions in which it does not are none that are judged.
fn judged_only(assumption: Assumption) -> Assumption {
    match assumption {
        Assumption::LoopsEnd { endless: 1.. } => Assumption::EndlessNotJudged,
        other => other,
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
    let calls = if size == 2 { "1 call".to_string() } else { format!("{} calls", size - 1) };
    format!("All clients with at most {calls}{within} were checked by then, without a violation.")
}
