//! Clients that cannot complete, since they make one call more than is ever served: a queue's
//! `dequeue` that waits for an item, and more of them than there are items.
//!
//! Calls that never return are not judged ([`super`]), so such a client has nothing to judge; but
//! its blocked executions are many, and go up with each call more. That none of them completes can be
//! told from a smaller client. Let `K` be the calls of one operation, which nobody can tell apart
//! ([`super::rows`]), `C` a client with `k` of them, and `d` one more. An *effect* of a call is a
//! write that others may see and that changes something, a release of memory, its end, or an error.
//!
//! **Theorem.** Suppose that every execution of `C` can be carried on until all its calls have
//! returned, without error (which those are not that an assumption or `exit` cuts short); and that `d`, added to a complete execution of `C`, never has an effect,
//! whatever it reads, old writes too ([`crate::graph::Latecomer`] has what that means for updates).
//! Then in no execution of `C` with `d`, or with `d` and any number of further calls of `K`, more than
//! `k` calls of `K` have an effect. So none completes, none goes wrong, and none is a deadlock.
//!
//! *Proof.* Take an execution in which `k + 1` calls of `K` have effects, in an order of its events
//! that `porf` allows, and cut it before the first effect of the one that comes last with it, `e`. Of
//! `K`, only the `k` that came before and `e` itself matter then: what the others did were reads, and
//! updates that stored what they read. Take those away, and `e`'s updates for reads: whoever
//! read from one reads from the write before it, the same value; `mo` and happens-before only lose
//! edges, so the rest is an execution. But for `e` it is one of `C`. Carry that on, each event
//! reading the `mo`-last write or being it: consistent whatever `e` has read. Now `C` is complete, `e`
//! has read what it read, and its next step is an effect. If that is an update, the write it reads
//! may be taken by another update by now, which counts all the same — unless that is a first effect of
//! one of the `k`: those were made before the cut, and then `e` could not have read that write.
//! The effect contradicts the assumption.
//!
//! An error is an effect of the call that makes it. If at most `k` calls of `K` have effects, any
//! other is without: if the error is not its own, taking it away leaves the error, until `C` is left,
//! which has none; if it is, or is a race with it, then carrying on `C` and adding it shows the
//! error there. (Of two calls without effects that race, one makes an update, and one a plain read:
//! that is asked across executions.) In a deadlock nobody spins, but calls without effect do
//! nothing else.
//!
//! The same follows from the program in which idle updates are reads ([`crate::graph`] has it as a
//! reduction): it has every execution of `C`, complete or not, with and without `d`.
//!
//! `C` itself is explored on the way, so this costs about as much as `C` did, once for each way to
//! have as many of everything as can be served; it saves all clients with more. Where `d` is served
//! that is soon seen. What can be missed: nothing; but what cannot be told is explored.
//! Store buffers (tso) are left out, as are clients in which threads make several calls.

use super::clients::{self, Bound, Threads};
use super::object::Clients;
use super::rows;
use super::search::{Problem, Question, Search};
use crate::graph::{self, Latecomer};
use lineal_model::object::Client;
use lineal_model::{Effort, Memory, Observer, Verdict};
use std::collections::BTreeSet;

/// So many calls of each operation.
type Counts = Vec<usize>;

/// Which clients are known not to complete.
#[derive(Default)]
pub struct Starving {
    /// With one call of the operation more than these, or with any number more.
    families: BTreeSet<(Counts, usize)>,
    /// All of these, one by one.
    known: BTreeSet<Counts>,
}

impl Starving {
    /// Whether no execution of the client completes, fails or is in a deadlock, as far as can be told.
    /// Smaller clients come first.
    pub fn holds<C: Clients>(
        &mut self,
        search: &Search<'_, C>,
        client: &Client,
        effort: &Effort,
        watch: &dyn Observer,
    ) -> bool {
        let Some(classes) = search.may_starve(client) else { return false };
        let mut counts = vec![0; search.object().operations.len()];
        classes.iter().for_each(|&op| counts[usize::from(op)] += 1);
        let starves = self.is_more(&counts)
            || (0..counts.len()).any(|op| {
                let Some(fewer) = counts[op].checked_sub(1) else { return false };
                let mut base = counts.clone();
                base[op] = fewer;
                let last =
                    !self.known.contains(&base) && search.comes_in_vain(client, &classes, op, effort, watch);
                if last {
                    self.families.insert((base, op));
                }
                last
            });
        if starves {
            self.known.insert(counts);
        }
        starves
    }

    fn is_more(&self, counts: &Counts) -> bool {
        self.families.iter().any(|(base, op)| {
            counts.iter().zip(base).enumerate().all(|(o, (n, b))| if o == *op { n > b } else { n == b })
        })
    }
}

/// The clients within the bound that cannot complete, as far as can be told without exploring them.
pub fn starving<C: Clients>(
    problem: &Problem<'_, C>,
    bound: &Bound,
    effort: &Effort,
    watch: &dyn Observer,
) -> Vec<Client> {
    let search = Search::new(problem, effort, watch, false);
    let operations = search.object().operations.len();
    let sizes = (1..=bound.total()).flat_map(|size| clients::multisets(operations, bound, size));
    let all = sizes.flat_map(|counts| clients::clients(search.object(), &counts, Threads::Parallel));
    let mut known = Starving::default();
    all.filter(|client| known.holds(&search, client, effort, watch)).collect()
}

impl<C: Clients> Search<'_, C> {
    /// The operation of each thread, if the question is one for such a client.
    fn may_starve(&self, client: &Client) -> Option<Vec<u8>> {
        let problem = self.problem;
        let asked = problem.reductions.starving
            && problem.memory != Memory::Tso
            && problem.question == Question::Linearizable
            && problem.clients.against().is_none()
            && problem.preemptions.is_none()
            && (problem.unroll, problem.unroll_at.is_empty()) == (None, true)
            && self.sample.get().is_none();
        let classes = rows::of(self.object(), client);
        (asked && !classes.is_empty()).then_some(classes)
    }

    /// Whether the last call of the operation has no effect once all others have returned.
    fn comes_in_vain(
        &self,
        client: &Client,
        classes: &[u8],
        operation: usize,
        effort: &Effort,
        watch: &dyn Observer,
    ) -> bool {
        let is_kin = |&c: &u8| usize::from(c) == operation;
        let (Some(first), Some(last)) = (classes.iter().position(is_kin), classes.iter().rposition(is_kin))
        else {
            return false;
        };
        if !classes[first..=last].iter().all(is_kin) {
            return false;
        }
        let (mut program, marks) = self.problem.clients.program(client);
        let mut options = self.graph_options(&program);
        options.rows = if self.problem.reductions.calls { classes.to_vec() } else { Vec::new() };
        if let Some(class) = options.rows.get_mut(last) {
            *class = u8::MAX;
        }
        (options.iterations, options.liveness) = (self.problem.reductions.iterations, true);
        options.idle = self.problem.reductions.idle;
        options.learned = self.learned.borrow().clone();
        options.latecomer = Some(Latecomer {
            thread: last + 1,
            first: first + 1,
            notes: marks.iter().map(|m| m.begun).collect(),
        });
        let mut problem = graph::Problem { program: &mut program, memory: self.problem.memory, options };
        let finding = graph::check(&mut problem, effort, watch);
        self.learned.replace(problem.options.learned);
        matches!(finding.verdict, Verdict::Holds(scope) if scope.bounds.is_empty())
    }
}
