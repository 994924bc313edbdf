//! A specification that is concurrent C itself: is every behaviour of one object a behaviour of
//! another?
//!
//! **What is decided.** Both objects have the same operations. A *client* makes calls in threads
//! and orders some of them: an edge (i, j) of the set H says that call i returned before call j was
//! made, and that the one happens before the other. What a client can tell of an execution is what
//! the calls answer, and which calls are visible to which: `hb(i, j)` iff begin(i) happens before
//! end(j). The object A *refines* B if for every client with the calls in question and every
//! execution of it on A there is one on B with the same answers and no more `hb`.
//!
//! **Why the most parallel client is enough** (Golovin, Kokologiannakis, Vafeiadis, POPL 2025, section
//! 4). The events of the object in an execution of a client with edges H are those of an execution
//! of the client with one thread a call, and the execution is consistent iff that one is with H
//! added to happens-before. So the executions of all clients are the pairs (G, H) such that G
//! *allows* H, of A as of B. `hb` of G with H is the closure of that of G and H; hence "no more `hb`"
//! is `hb(G_B) ⊆ hb(G_A + H)`. A refines B iff for each G_A and each H that it allows there is a G_B
//! with the same answers that allows H, with `hb(G_B) ⊆ hb(G_A + H)`. That is what [`refute`] searches
//! to refute, and what [`side`] reads off an execution of either object.
//!
//! **What an execution of B allows** must be exact: where calls tell too little (rc11 with two or
//! more seq_cst events), its events are kept and asked. Of A it may be too much, as long as nothing
//! is found wrong; then its events are asked, too.
//!
//! **sc**: memory has one order, every client access is somewhere in it, and what a client sees of
//! that order are edges like those of H. `hb` says nothing more, and is not compared.
//!
//! **tso**: happens-before is not compared either, but data that is missed: further edges, from a
//! read after a call to a write before another one, as in [`super::missing`]. Clients can tell more:
//! that a write before a call overwrites one after another, or what reads of further threads show.
//! Where only that makes a difference the answer is unknown.
//!
//! **What is taken for granted** under ra, rc11 and tso (the scope says so): clients synchronise by
//! their own means. One that orders calls by relaxed accesses only gives no happens-before, but may
//! close a cycle of reads-from; its relaxed accesses may combine with fences of the object to give
//! more than H; its seq_cst accesses stand in one order with those of the object. The paper leaves
//! these out as well.
//!
//! **Threads.** Where an object keeps state per thread, or A leaves writes in a store buffer, every
//! arrangement of the calls in threads is a client of its own, for both objects. That B leaves
//! writes there makes no difference: calls of different threads with an edge between them are a
//! client, too, and what B does then it may do in one thread.
//!
//! **Reductions** drop an execution for one that answers the same, sees no more and allows no less
//! ([`crate::graph`]). Such an execution of A is harder to match, and one of B matches more: so they
//! are sound on both sides. Calls of A that only their values tell apart may be exchanged if those
//! of B may be ([`super::rows`]); all executions of B are looked at.
//!
//! **Not all executions are complete.** Those in which some call does not return are not judged, of
//! A as elsewhere in this engine; and an execution of B in which a call waits for ever matches
//! nothing. So B may wait where A answers otherwise, and A is refuted then.
//!
//! **Bounds.** A bound that cuts executions of A is in the scope. One that cuts executions of B may
//! hide the one that matches: what is found wrong is then unknown.
//!
//! **Answers** are numbers, compared as such; those that mean true or false by truth. Addresses of
//! two programs cannot be compared: unknown.

mod judge;
mod pair;
mod refute;
mod second;
mod side;
mod table;

use super::Call;
use super::client::{Answer, Found, Trial, Tried};
use crate::graph;
use crate::reference::Trouble;
use crate::replay::calls::Violation;
use judge::Judge;
use lineal_model::object::{Client, Marks};
use lineal_model::program::Machine;
use lineal_model::program::client::Compiled;
use lineal_model::run::{FailureKind, Runnable};
use lineal_model::{Effort, Limit, LimitKind, Memory, Observer, Stats, Verdict};
pub use pair::{Mismatch, Pair};
use std::cell::RefCell;
use std::collections::VecDeque;
use std::sync::Arc;
use table::{Collector, Table};

/// The object that is the specification.
#[derive(Debug)]
pub struct Against {
    /// As the user calls it: the name of its file.
    pub name: String,
    pub compiled: Compiled,
    pub unroll: Option<u32>,
    /// What the latest clients came to: most are asked about more than once.
    known: RefCell<VecDeque<(Asked, Arc<Table>)>>,
    learned: RefCell<graph::Learned>,
}

/// What a table depends on.
type Asked = (Client, Memory, Reduced);

/// So many tables are kept.
const KEPT: usize = 3;

/// What need not be explored, since something else stands for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Reduced {
    /// See [`graph::Options::iterations`].
    pub iterations: bool,
    /// See [`graph::Options::helping`].
    pub helping: bool,
}

/// Why there is no table.
pub enum Stop {
    Limit(Limit),
    /// The specification itself goes wrong.
    Wrong(Box<lineal_model::Witness>),
}

impl From<Trouble> for Stop {
    fn from(trouble: Trouble) -> Self {
        match trouble {
            Trouble::Limit(limit) => Stop::Limit(limit),
            Trouble::Fault(fault) => Stop::Limit(Limit::method(fault.message)),
        }
    }
}

impl Against {
    pub fn new(name: &str, compiled: Compiled, unroll: Option<u32>) -> Self {
        let (known, learned) = (RefCell::default(), RefCell::default());
        Against { name: name.to_string(), compiled, unroll, known, learned }
    }

    /// The calls of a client as the specification is asked to make them.
    fn calls(&self, client: &Client, marks: &[Marks]) -> Vec<Call> {
        let operations = &self.compiled.object.operations;
        let call = |(c, &marks): (&lineal_model::object::Call, &Marks)| Call {
            operation: c.operation,
            method: operations[c.operation].method,
            value: c.value,
            key: c.key,
            prio: c.prio,
            marks,
            may_fail: false,
            waits: false,
        };
        client.calls.iter().zip(marks).map(call).collect()
    }

    /// All that the specification does in a client.
    fn table(
        &self,
        client: &Client,
        memory: Memory,
        reduced: Reduced,
        effort: &Effort,
        watch: &dyn Observer,
    ) -> Result<(Arc<Table>, Stats), Stop> {
        let asked = (client.clone(), memory, reduced);
        if let Some((_, table)) = self.known.borrow().iter().find(|(a, _)| *a == asked) {
            return Ok((table.clone(), table.stats.clone()));
        }
        let (mut machine, marks) = self.compiled.operations.client(client);
        let calls = self.calls(client, &marks);
        let collector = Arc::new(Collector::new(calls, self.compiled.object.kind, memory));
        let finding = self.explore(&mut machine, memory, reduced, collector.clone(), effort, watch);
        let stats = finding.stats;
        let mut table = collector.table()?;
        table.stats = stats.clone();
        match finding.verdict {
            Verdict::Holds(scope) => table.cut = scope.bounds.into_iter().find(|b| b.cut > 0),
            Verdict::Unknown(limit) => return Err(Stop::Limit(limit)),
            Verdict::Violated(witness) => return Err(Stop::Wrong(witness)),
        }
        let table = Arc::new(table);
        let mut known = self.known.borrow_mut();
        known.truncate(KEPT - 1);
        known.push_front((asked, table.clone()));
        Ok((table, stats))
    }

    fn explore(
        &self,
        machine: &mut Machine,
        memory: Memory,
        Reduced { iterations, helping }: Reduced,
        judge: Arc<dyn graph::Judge>,
        effort: &Effort,
        watch: &dyn Observer,
    ) -> lineal_model::Finding {
        // A build for the engine's own tests has further fields.
        #[allow(clippy::needless_update)]
        let options = graph::Options {
            unroll: self.unroll,
            leaks: !self.compiled.object.fini.is_empty(),
            iterations,
            helping,
            learned: self.learned.borrow().clone(),
            judge: Some(judge),
            identity: machine.identity(),
            ..graph::Options::default()
        };
        let mut problem = graph::Problem { program: machine, memory, options };
        let finding = graph::check(&mut problem, effort, watch);
        self.learned.replace(problem.options.learned);
        finding
    }
}

/// All executions of a client on the object, each against those on the specification.
pub fn run<R: Runnable>(
    trial: &mut Trial<'_, R>,
    against: &Against,
    effort: &Effort,
    watch: &dyn Observer,
) -> Tried {
    let reduced = Reduced { iterations: trial.options.iterations, helping: trial.options.helping };
    let made = against.table(trial.client, trial.memory, reduced, effort, watch);
    let (table, spent) = match made {
        Ok(made) => made,
        Err(stop) => {
            let answer = match stop {
                Stop::Limit(limit) => Answer::Unknown(limit),
                Stop::Wrong(witness) => Answer::Other(witness),
            };
            return Tried { answer, stats: Stats::default(), judge: super::judge::Stats::default() };
        }
    };
    let calls = against.calls(trial.client, trial.marks);
    let cut = table.cut.clone();
    let judge = Arc::new(Judge::new(calls, trial.object.kind, trial.memory, trial.extend, table));
    let options = graph::Options { judge: Some(judge.clone()), ..trial.options.clone() };
    let mut exploration = graph::Problem { program: &mut *trial.program, memory: trial.memory, options };
    let finding = graph::check(&mut exploration, effort, watch);
    trial.options.learned = exploration.options.learned;
    let mut stats = finding.stats;
    stats.executions += spent.executions;
    stats.blocked += spent.blocked;
    let judged = judge.stats();
    let tried = |answer: Answer| Tried { answer, stats, judge: judged };
    if let Some(trouble) = judge.trouble() {
        return tried(trouble.into());
    }
    tried(match finding.verdict {
        Verdict::Holds(mut scope) => match judge.open() {
            Some(limit) => Answer::Unknown(limit),
            None => {
                if judged.judged == 0 && scope.vacuous.is_empty() {
                    scope.vacuous.push("no execution makes all of the calls".into());
                }
                Answer::Holds(scope)
            }
        },
        Verdict::Unknown(limit) => Answer::Unknown(limit),
        Verdict::Violated(witness) if witness.kind == FailureKind::Judged.into() => match cut {
            Some(bound) => Answer::Unknown(hidden(against, &bound)),
            None => match second::look(trial, against, &judge, *witness, effort, watch) {
                Ok(found) => Answer::Violated(Box::new(found)),
                Err(limit) => Answer::Unknown(limit),
            },
        },
        Verdict::Violated(witness) => Answer::Violated(Box::new(Found::unsafely(*witness))),
    })
}

/// One earlier violation again. An error says why the token does not fit.
pub fn again<R: Runnable>(
    trial: &mut Trial<'_, R>,
    against: &Against,
    token: &str,
    violation: Violation,
    effort: &Effort,
    watch: &dyn Observer,
) -> Result<Found, String> {
    let other = || "the token does not lead to its violation in these objects".to_string();
    let n = trial.client.calls.len();
    let fits = match &violation {
        Violation::Client(edges) => edges.len() == n && edges.iter().all(|row| row >> n == 0),
        _ => true,
    };
    let replayed = graph::rerun(trial.program, token)?;
    let limit = |limit: Limit| limit.message;
    let confirmed = second::confirmed(trial, against, &replayed, &violation, effort, watch).map_err(limit)?;
    let confirmed = confirmed.filter(|_| fits).ok_or_else(other)?;
    let reduced = Reduced { iterations: true, helping: false };
    let table = against.table(trial.client, trial.memory, reduced, effort, watch);
    let (table, _) = table.map_err(|stop| match stop {
        Stop::Limit(limit) => limit.message,
        Stop::Wrong(witness) => format!("{} goes wrong: {}", against.name, witness.why),
    })?;
    let witness = lineal_model::Witness {
        replay: Some(token.to_string()),
        ..lineal_model::Witness::new(FailureKind::Judged.into(), "")
    };
    Ok(second::found(witness, violation, confirmed, replayed, table.answers().cloned().collect()))
}

/// Something was found that the specification might do behind its bound.
fn hidden(against: &Against, bound: &lineal_model::Bound) -> Limit {
    let at = bound.at.as_ref().map_or(String::new(), |at| format!(" at {at}"));
    let message = format!(
        "an execution has no match among those of {} that go round a loop{at} at most {} times; one that goes \
         round more often may match it",
        against.name, bound.value
    );
    Limit { at: bound.at.clone(), ..Limit::new(LimitKind::Method, message) }
}
