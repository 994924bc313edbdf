//! What there is to say about a violation: the client, the reasons, one execution, a hint.

use super::check::Search;
use super::client::Found;
use super::explain::{Explained, Join, explain};
use super::judge::Violation;
use super::object::Clients;
use super::trace::{self, Trace, View};
use super::{fault, flow, hint, token};
use crate::naive::conform::Wanted;
use lineal_model::object::{Client, Exhibit, Marks, Shows};
use lineal_model::run::FailureKind;
use lineal_model::{Memory, Witness};

/// So many reads of old values are mentioned before the steps.
const STALE: usize = 2;

pub fn of<C: Clients>(
    search: &Search<'_, C>,
    program: &mut C::Program,
    client: &Client,
    marks: &[Marks],
    found: Found,
) -> (Witness, Exhibit) {
    let execution = found.witness.replay.clone().unwrap_or_default();
    let replay = token::encode(client, found.violation.as_ref(), &execution);
    let reference = search.problem.clients.reference(client).and_then(Result::ok);
    let (object, level) = (search.object(), search.problem.level);
    let wanted = Wanted { object, client, level, reference: reference.as_deref() };
    let join = if search.problem.clients.thread_state() { Join::Nothing } else { Join::Calls };
    let (mut witness, exhibit) = match explain(wanted, &found, marks, join) {
        Some(explained) => conforming(search, program, client, marks, found, explained),
        None => {
            let kind = FailureKind::from_word(&found.witness.kind).unwrap_or(FailureKind::Unsupported);
            let witness = fault::witness(search, program, client, marks, found.witness);
            (witness, Exhibit { client: client.clone(), shows: Shows::Error(kind) })
        }
    };
    witness.calls = Some(client.calls.len() as u64);
    witness.replay = Some(replay);
    (witness, exhibit)
}

/// A violation of the contract.
fn conforming<C: Clients>(
    search: &Search<'_, C>,
    program: &C::Program,
    client: &Client,
    marks: &[Marks],
    found: Found,
    explained: Explained,
) -> (Witness, Exhibit) {
    let (object, memory) = (search.object(), search.problem.memory);
    let outcomes = found.seen.as_ref().map(|s| &s.outcomes[..]).unwrap_or_default();
    let call = |c: usize| object.show_call(&client.calls[c]);
    let answered = |c: usize| match outcomes.get(c) {
        Some(&outcome) => object.show_answer(&client.calls[c], outcome),
        None => call(c),
    };
    let view = View {
        threads: &explained.threads,
        waits: &explained.waits,
        guilty: &explained.guilty,
        clash: None,
        missing: &explained.missing,
        call: &call,
        answered: &answered,
        own: &|site| search.problem.clients.is_own(program, site),
    };
    let replayed = found.replayed.as_ref();
    let Trace { steps, stale, sequential } =
        replayed.map(|r| trace::trace(program, memory, r, marks, &view)).unwrap_or_default();
    let mut reasons = explained.reasons.clone();
    let answers_wrong = explained.missing.is_empty();
    if answers_wrong {
        reasons.extend(stale.iter().take(STALE).map(|s| format!("A stale read: {s}")));
        if sequential && memory != Memory::Sc {
            reasons.push("Every read takes the newest value, so this is not about memory orders: the algorithm is wrong.".into());
        }
    } else if let Some(replayed) = replayed {
        let flow = flow::lost(program, memory, replayed, marks, &call, &explained.missing);
        reasons.extend(flow.map(|sentence| format!("Where it is lost: {sentence}")));
    }
    let shows = match answers_wrong {
        true => Shows::Answers(outcomes.to_vec()),
        false => Shows::Unseen(outcomes.to_vec(), explained.missing.clone()),
    };
    // The client as it is printed; where it orders nothing, all that have its calls.
    let client = Client {
        calls: client.calls.clone(),
        threads: explained.threads.clone(),
        waits: explained.waits.clone(),
    };
    let extend = !matches!(found.violation, Some(Violation::Client(_)));
    let hopeless = answers_wrong && sequential;
    let hint = if hopeless { None } else { hint::strengthen(search, &client, extend, search.watch) };
    let witness = Witness {
        kind: explained.kind.into(),
        why: explained.why,
        reasons,
        client: explained.client,
        history: explained.history,
        steps,
        threads: titles(explained.threads.len()),
        hints: hint.into_iter().collect(),
        ..found.witness
    };
    (witness, Exhibit { client, shows })
}

/// Threads are known by their numbers, and what sets the object up is nobody's.
pub fn titles(threads: usize) -> Vec<String> {
    std::iter::once("set-up".to_string()).chain((0..threads).map(|_| String::new())).collect()
}
