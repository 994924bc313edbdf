//! Clients and executions at random, for sizes that cannot be gone through.
//!
//! Clients have as many calls as the bound allows, drawn evenly among the ways to divide them over
//! the operations, with arguments and threads drawn as well; of each some executions are looked at
//! ([`graph::Sampling`]). An execution is judged as in a check of all clients, so each also stands
//! for more constrained clients. A violation is a violation, and is made smaller by leaving out
//! calls as long as one comes up again; nothing follows from finding none. No hint is looked for:
//! that would explore all of the client.

use super::check::{Checked, Drawn, Stop, Sum};
use super::clients::{self, Bound};
use super::object::Clients;
use super::search::Search;
use super::witness;
use crate::graph::Sampling;
use fastrand::Rng;
use lineal_model::object::Client;
use lineal_model::{Limit, LimitKind, Memory, Verdict};

/// Executions of one client before another is drawn.
const EACH: u64 = 40;
/// Executions of a client with one call less before it is given up.
const SMALLER: u64 = 4_000;
/// Clients that cannot be, before there are taken to be none.
const IN_VAIN: u32 = 1_000;

impl<C: Clients> Search<'_, C> {
    pub(super) fn sampled(
        &self,
        bound: &Bound,
        sampling: Sampling,
        sum: &mut Sum,
    ) -> Result<Box<Checked>, Stop> {
        let calls = bound.total();
        self.watch.stage(&format!("drawing clients of {calls} calls, at random"), "");
        let mut rng = Rng::with_seed(sampling.seed);
        let multisets = clients::multisets(self.object().operations.len(), bound, calls);
        let mut left = sampling.executions;
        let mut in_vain = 0;
        while left > 0 && in_vain < IN_VAIN {
            let Some(client) = self.drawn(&multisets, &mut rng) else {
                in_vain += 1;
                continue;
            };
            let executions = EACH.min(left);
            left -= executions;
            match self.some(&client, Sampling { executions, seed: rng.u64(..) }, sum) {
                Ok(()) => {}
                Err(Stop::Drawn(drawn)) => {
                    let drawn = self.smaller(drawn, sum, &mut rng);
                    return Err(self.told(*drawn, sum));
                }
                Err(stop) => return Err(stop),
            }
        }
        let drawn = sampling.executions - left;
        let message = format!(
            "{drawn} executions of {} clients of {calls} calls were drawn at random, none of them a violation",
            sum.stats.clients
        );
        let limit = Limit { value: Some(drawn), ..Limit::new(LimitKind::Sampled, message) };
        Err(self.found(Verdict::Unknown(limit), None, sum))
    }

    /// A client; `None` if the calls that were drawn cannot be made.
    fn drawn(&self, multisets: &[Vec<usize>], rng: &mut Rng) -> Option<Client> {
        let object = self.object();
        let calls = clients::draw_calls(object, rng.choice(multisets)?, rng);
        // A thread of several calls does more where it knows itself, or has a store buffer.
        let several = self.problem.clients.thread_state() || self.problem.memory == Memory::Tso;
        let client = clients::draw_threads(object, &calls, several, rng)?;
        clients::unfit(object, &client).is_none().then_some(client)
    }

    /// Some executions of one client.
    fn some(&self, client: &Client, sampling: Sampling, sum: &mut Sum) -> Result<(), Stop> {
        self.sample.set(Some(sampling));
        let end = self.one(client, Some(client.calls.len()), sum);
        self.sample.set(None);
        end
    }

    /// The same or another violation, with as few calls as they come up with.
    fn smaller(&self, mut drawn: Box<Drawn>, sum: &mut Sum, rng: &mut Rng) -> Box<Drawn> {
        loop {
            let client = drawn.client.clone();
            let fewer = (0..client.calls.len()).filter_map(|c| clients::without(self.object(), &client, c));
            let found = fewer.into_iter().find_map(|client| {
                let sampling = Sampling { executions: SMALLER, seed: rng.u64(..) };
                match self.some(&client, sampling, sum) {
                    Err(Stop::Drawn(found)) => Some(found),
                    _ => None,
                }
            });
            match found {
                Some(found) => drawn = found,
                None => return drawn,
            }
        }
    }

    /// The violation in words.
    fn told(&self, drawn: Drawn, sum: &Sum) -> Stop {
        let Drawn { client, found } = drawn;
        let (mut program, marks) = self.problem.clients.program(&client);
        let (witness, exhibit) = witness::of(self, &mut program, &client, &marks, found);
        self.found(Verdict::Violated(Box::new(witness)), Some(exhibit), sum)
    }
}
