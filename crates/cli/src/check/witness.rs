//! From a violation to something to print, and from a token back to it.
//!
//! A token is `check.<client and edges>.<what the exploration gives>`, so that it stands for one
//! execution of one client.

use super::drive::Drive;
use super::{bound, fault, hint};
use lineal_check::conform::explain::{Explained, Join, explain};
use lineal_check::conform::extend::Edges;
use lineal_check::conform::judge::Violation;
use lineal_check::conform::trace::{self, Trace, View};
use lineal_check::conform::{self, Found, flow};
use lineal_check::graph;
use lineal_check::naive::conform::Wanted;
use lineal_lang::c11::object::listing::{Calls, Shows, listing};
use lineal_model::object::{Client, Marks};
use lineal_model::program::{Instr, Machine};
use lineal_model::run::Site;
use lineal_model::{Memory, Verdict, Witness};

/// So many reads of old values are mentioned before the steps.
const STALE: usize = 2;

pub fn of(
    drive: &Drive<'_>,
    machine: &mut Machine,
    client: &Client,
    marks: &[Marks],
    found: Found,
    smallest: bool,
) -> Witness {
    let token = found.witness.replay.clone().unwrap_or_default();
    let edges = match &found.violation {
        None => "unsafe".to_string(),
        Some(Violation::Result) => "result".into(),
        Some(Violation::Sync) => "sync".into(),
        Some(Violation::Client(edges)) => {
            format!("client {}", edges.iter().map(|e| e.to_string()).collect::<Vec<_>>().join(","))
        }
    };
    let replay = format!("check.{}.{token}", graph::spell(&format!("{edges}|{}", text(drive, client))));
    let reference = drive.reference(client);
    let wanted =
        Wanted { object: &drive.loaded.object, client, level: drive.level, reference: reference.as_deref() };
    let join = if drive.loaded.thread_state { Join::Nothing } else { Join::Calls };
    let mut witness = match explain(wanted, &found, marks, join) {
        Some(explained) => conforming(drive, machine, client, marks, found, explained),
        None => fault::witness(drive, machine, client, marks, found.witness),
    };
    witness.calls = Some(client.calls.len() as u64);
    witness.shortest = smallest;
    witness.replay = Some(replay);
    witness
}

/// The client as it could be typed after `--client`.
pub fn text(drive: &Drive<'_>, client: &Client) -> String {
    let call = |&c: &usize| drive.loaded.object.show_call(&client.calls[c]);
    let thread = |t: &Vec<usize>| t.iter().map(call).collect::<Vec<_>>().join("; ");
    client.threads.iter().map(thread).collect::<Vec<_>>().join(" || ")
}

/// A violation of the contract.
fn conforming(
    drive: &Drive<'_>,
    machine: &Machine,
    client: &Client,
    marks: &[Marks],
    found: Found,
    explained: Explained,
) -> Witness {
    let object = &drive.loaded.object;
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
        own: &|site| is_own(machine, site),
    };
    let replayed = found.replayed.as_ref();
    let Trace { steps, stale, sequential } =
        replayed.map(|r| trace::trace(machine, drive.memory, r, marks, &view)).unwrap_or_default();
    let mut reasons = explained.reasons.clone();
    let answers_wrong = explained.missing.is_empty();
    if answers_wrong {
        reasons.extend(stale.iter().take(STALE).map(|s| format!("A stale read: {s}")));
        if sequential && drive.memory != Memory::Sc {
            reasons.push("Every read takes the newest value, so this is not about memory orders: the algorithm is wrong.".into());
        }
    } else if let Some(replayed) = replayed {
        let flow = flow::lost(machine, drive.memory, replayed, marks, &call, &explained.missing);
        reasons.extend(flow.map(|sentence| format!("Where it is lost: {sentence}")));
    }
    let shows = match answers_wrong {
        true => Shows::Answers(outcomes),
        false => Shows::Unseen(outcomes, &explained.missing),
    };
    let calls = Calls { client, threads: &explained.threads, waits: &explained.waits };
    let program = listing(drive.loaded, &drive.keep.about(&explained.why), calls, shows);
    // The client as it is printed; where it orders nothing, all that have its calls.
    let printed = Client {
        calls: client.calls.clone(),
        threads: explained.threads.clone(),
        waits: explained.waits.clone(),
    };
    let extend = !matches!(found.violation, Some(Violation::Client(_)));
    let hopeless = answers_wrong && sequential;
    let hint = if hopeless { None } else { hint::strengthen(drive, &printed, extend) };
    Witness {
        kind: explained.kind.into(),
        why: explained.why,
        reasons,
        client: explained.client,
        history: explained.history,
        steps,
        threads: titles(explained.threads.len()),
        program: Some(program),
        hints: hint.into_iter().collect(),
        ..found.witness
    }
}

/// Threads are known by their numbers, and what sets the object up is nobody's.
pub fn titles(threads: usize) -> Vec<String> {
    std::iter::once("set-up".to_string()).chain((0..threads).map(|_| String::new())).collect()
}

/// Whether the author wrote what stands there: steps inside a lock are at the call of it.
pub fn is_own(machine: &Machine, site: Site) -> bool {
    let Some(Instr::Call { function, .. }) = machine.program.code.get(site.0 as usize) else { return true };
    let called = machine.program.functions.get(*function as usize);
    let locks = ["pthread_", "mtx_", "cnd_", "thrd_", "sem_"];
    !called.is_some_and(|f| f.runtime && locks.iter().any(|l| f.name.starts_with(l)))
}

/// The violation that a token stands for.
pub fn again(drive: &Drive<'_>, token: &str) -> Result<Witness, String> {
    let bad = || "this is not a token of `lineal check`".to_string();
    let rest = token.trim().strip_prefix("check.").ok_or_else(bad)?;
    let (letters, inner) = rest.split_once('.').ok_or_else(bad)?;
    let said = graph::unspell(letters).ok_or_else(bad)?;
    let (violation, client) = said.split_once('|').ok_or_else(bad)?;
    let client = bound::client(client, &drive.loaded.object).map_err(|d| d.message)?;
    let (mut machine, marks) = drive.program(&client);
    let violation = match violation.split_once(' ') {
        Some(("client", list)) => {
            let edges: Option<Edges> = list.split(',').map(|n| n.parse().ok()).collect();
            Some(Violation::Client(edges.ok_or_else(bad)?))
        }
        None if violation == "result" => Some(Violation::Result),
        None if violation == "sync" => Some(Violation::Sync),
        None if violation == "unsafe" => None,
        _ => return Err(bad()),
    };
    if !inner.starts_with(&format!("1.{}.", drive.memory)) {
        return Err(format!("the token is not one of --memory {}", drive.memory));
    }
    let identity = machine.identity();
    if !inner.contains(&format!(".{identity:x}.")) {
        return Err("the token belongs to another input".into());
    }
    let found = match violation {
        None => {
            let options = drive.graph_options(&machine);
            let mut problem = graph::Problem { program: &mut machine, memory: drive.memory, options };
            let Verdict::Violated(witness) = graph::replay(&mut problem, inner)?.verdict else {
                return Err(bad());
            };
            let replayed = Found { violation: None, witness: *witness, seen: None, replayed: None };
            met_again(drive, &client, inner).unwrap_or(replayed)
        }
        Some(violation) => {
            let options = drive.graph_options(&machine);
            let mut problem = conform::Problem {
                program: &mut machine,
                memory: drive.memory,
                object: &drive.loaded.object,
                level: drive.level,
                client: &client,
                marks: &marks,
                extend: false,
                reference: drive.reference(&client),
                sabotage: conform::Sabotage::Nothing,
                options,
            };
            conform::again(&mut problem, inner, violation)?
        }
    };
    let mut witness = of(drive, &mut machine, &client, &marks, found, false);
    witness.replay = Some(token.trim().to_string());
    Ok(witness)
}

/// The error of this token as the exploration of its client meets it. A token has the steps; what
/// was wrong with them, and where, the exploration knows. `None`: it meets another one first.
fn met_again(drive: &Drive<'_>, client: &Client, token: &str) -> Option<Found> {
    let (mut machine, marks) = drive.program(client);
    let effort = &drive.desk.effort;
    let checked = drive.ask(&mut machine, &marks, client, true, effort, &drive.desk.watch);
    match checked.answer {
        conform::Answer::Violated(found) => {
            Some(*found).filter(|f| f.violation.is_none() && f.witness.replay.as_deref() == Some(token))
        }
        _ => None,
    }
}
