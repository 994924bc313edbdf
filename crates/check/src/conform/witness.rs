//! What there is to say about a violation: the client, the reasons, one execution, a hint.

use super::client::{Found, Judged};
use super::object::Clients;
use super::search::{Question, Search};
use super::{fault, hint, token, unordered};
use crate::explain::refinement;
use crate::explain::trace::{self, Trace, View, titles};
use crate::explain::unsynchronised;
use crate::explain::violation::{self, Explained, Join, explain};
use crate::replay::calls::{Violation, Wanted};
use lineal_model::object::{Client, Exhibit, Marks, Shows};
use lineal_model::{Memory, Witness, WitnessKind};

/// So many reads of old values are mentioned before the steps.
const STALE: usize = 2;

pub fn of<C: Clients>(
    search: &Search<'_, C>,
    program: &mut C::Program,
    client: &Client,
    marks: &[Marks],
    found: Found,
) -> (Witness, Exhibit) {
    let Found { witness, judged, refuted, unordered: odd } = found;
    let execution = witness.replay.clone().unwrap_or_default();
    if let Some(replayed) = odd {
        let replay = token::encode(client, token::Wrong::Order, &execution);
        let (witness, exhibit) = unordered::witness(search, program, client, marks, (witness, &replayed));
        return finished(witness, exhibit, client, replay);
    }
    let wrong = judged.as_ref().map_or(token::Wrong::Unsafe, |j| token::Wrong::Calls(j.violation.clone()));
    let replay = token::encode(client, wrong, &execution);
    let (witness, exhibit) = match judged {
        Some(judged) => {
            let join = if search.problem.clients.thread_state() { Join::Nothing } else { Join::Calls };
            if let (Some(refuted), Some(against)) = (refuted, search.problem.clients.against()) {
                let Judged { violation, seen, .. } = &judged;
                let told = refinement::Told {
                    object: search.object(),
                    client,
                    other: &against.name,
                    violation,
                    seen,
                    lacking: &refuted.lacking,
                    others: &refuted.others,
                };
                let explained = refinement::explain(&told, join);
                let (witness, exhibit) =
                    conforming(search, program, client, marks, (witness, judged), explained);
                return finished(witness, exhibit, client, replay);
            }
            let reference = search.problem.clients.reference(client);
            let reference = reference.map(|r| r.expect("it could be set up when the client was run"));
            let (object, level) = (search.object(), search.problem.level);
            let wanted = Wanted { object, client, level, reference: reference.as_deref() };
            let Judged { violation, seen, replayed } = &judged;
            let explained = explain(wanted, violation::Found { violation, seen, replayed, marks }, join);
            conforming(search, program, client, marks, (witness, judged), explained)
        }
        None => {
            let WitnessKind::Failure(kind) = witness.kind else {
                unreachable!("explorations find failures of programs")
            };
            let mut witness = fault::witness(search, program, client, marks, kind, witness);
            if search.problem.question == Question::Robust {
                witness.reasons.push("Under sequential consistency this client never goes wrong.".into());
            }
            (witness, Exhibit { client: client.clone(), shows: Shows::Error(kind) })
        }
    };
    finished(witness, exhibit, client, replay)
}

fn finished(witness: Witness, exhibit: Exhibit, client: &Client, replay: String) -> (Witness, Exhibit) {
    let calls = Some(client.calls.len() as u64);
    (Witness { calls, replay: Some(replay), ..witness }, exhibit)
}

/// A violation of the contract.
fn conforming<C: Clients>(
    search: &Search<'_, C>,
    program: &C::Program,
    client: &Client,
    marks: &[Marks],
    (witness, found): (Witness, Judged),
    explained: Explained,
) -> (Witness, Exhibit) {
    let (object, memory) = (search.object(), search.problem.memory);
    let (outcomes, replayed) = (&found.seen.outcomes, &found.replayed);
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
    let Trace { steps, stale, sequential } = trace::trace(program, memory, replayed, marks, &view);
    let mut reasons = explained.reasons.clone();
    let answers_wrong = explained.missing.is_empty();
    if answers_wrong {
        reasons.extend(stale.iter().take(STALE).map(|s| format!("A stale read: {s}")));
        // Of another object nobody knows what is meant by it.
        if sequential && memory != Memory::Sc && search.problem.clients.against().is_none() {
            reasons.push("Every read takes the newest value, so this is not about memory orders: the algorithm is wrong.".into());
        }
    } else {
        let flow = unsynchronised::lost(program, memory, replayed, marks, &call, &explained.missing);
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
    let extend = !matches!(found.violation, Violation::Client(_));
    let hopeless = answers_wrong && sequential;
    let hint = if hopeless { None } else { hint::strengthen(search, &client, extend, search.watch) };
    let witness = Witness {
        kind: explained.kind,
        why: explained.why,
        reasons,
        client: explained.client,
        history: explained.history,
        steps,
        threads: titles(explained.threads.len()),
        hints: hint.into_iter().collect(),
        ..witness
    };
    (witness, Exhibit { client, shows })
}
