//! Would a stronger access mode at one place help? Each is tried on the client that fails.
//!
//! The attempts are bounded by the executions they explore, so that what is found does not depend
//! on how fast the machine is. "This client is right" is all that is claimed: others are not
//! tried; [`super::repair`] does that.

use super::client::Answer;
use super::object::Clients;
use super::search::Search;
use lineal_model::object::Client;
use lineal_model::program::modes::{Access, Modes, Spot};
use lineal_model::{Effort, Memory, Observer};

/// Executions that all attempts may explore together, and a single one.
const WORK: u64 = 150_000;
const SINGLE: u64 = 30_000;

/// A sentence for the weakest single change that makes this client right, if there is one; with
/// `extend`, also those that order its calls.
pub fn strengthen<C: Clients>(
    search: &Search<'_, C>,
    client: &Client,
    extend: bool,
    watch: &dyn Observer,
) -> Option<String> {
    if search.problem.memory == Memory::Sc || !search.hints {
        return None;
    }
    let spots = search.problem.clients.spots();
    let synchronising = spots.iter().filter_map(|s| Some((s, s.synchronising()?)));
    let most = spots.iter().map(|s| (s, s.strongest())).filter(|(s, new)| s.modes != *new);
    let mut left = WORK;
    for (spot, new) in synchronising.chain(most) {
        let (mut program, marks) = search.problem.clients.with_modes(&[(spot, new)]).program(client);
        let effort = Effort { max_states: Some(left.min(SINGLE)), ..Effort::default() };
        let tried = search.client(&mut program, &marks, client, extend, &effort, watch);
        if matches!(&tried.answer, Answer::Holds(scope) if scope.vacuous.is_empty()) {
            return Some(format!(
                "try {} at {}: with that, this client is right (others were not tried)",
                words(spot, new),
                spot.place
            ));
        }
        left = left.saturating_sub(1 + tried.stats.executions + tried.stats.blocked);
        if left == 0 || watch.progress(tried.counts()).is_break() {
            return None;
        }
    }
    None
}

/// `acq_rel instead of release for the compare-and-swap`.
fn words(spot: &Spot, new: Modes) -> String {
    let (Modes { mode: old, fail: old_fail }, Modes { mode: new, fail: new_fail }) = (spot.modes, new);
    let swap = spot.access == Access::CompareAndSwap;
    if swap && old == new {
        return format!(
            "{} instead of {} for when the compare-and-swap fails",
            new_fail.word(),
            old_fail.word()
        );
    }
    if swap && old_fail != new_fail {
        return format!(
            "{} ({} when it fails) instead of {} ({}) for the compare-and-swap",
            new.word(),
            new_fail.word(),
            old.word(),
            old_fail.word()
        );
    }
    format!("{} instead of {} for the {}", new.word(), old.word(), spot.access.word())
}
