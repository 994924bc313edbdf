//! From a violation to something to print, and from a token back to it.
//!
//! A token is `check.<client and edges>.<what the exploration gives>`, so that it stands for one
//! execution of one client.

use super::drive::Drive;
use super::{bound, hint};
use lineal_check::conform::explain::{Explained, explain};
use lineal_check::conform::extend::Edges;
use lineal_check::conform::judge::Violation;
use lineal_check::conform::{self, Found, trace};
use lineal_check::graph;
use lineal_check::naive::conform::Wanted;
use lineal_lang::c11::object::client::listing;
use lineal_model::object::{Client, Marks};
use lineal_model::program::Machine;
use lineal_model::{Verdict, Witness};

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
    let mut witness = match explain(wanted, &found) {
        Some(explained) => conforming(drive, machine, client, marks, found, explained),
        None => unsafe_one(drive, client, found),
    };
    witness.calls = Some(client.calls.len() as u64);
    witness.shortest = smallest;
    witness.replay = Some(replay);
    witness.hints.extend(hint::strengthen(drive, client, &witness.kind));
    witness
}

/// The client as it could be typed after `--client`.
fn text(drive: &Drive<'_>, client: &Client) -> String {
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
    let seen = found.seen.as_ref();
    let object = &drive.loaded.object;
    let shown = |c: usize| match seen {
        Some(seen) => object.show_answer(&client.calls[c], seen.outcomes[c]),
        None => object.show_call(&client.calls[c]),
    };
    let steps = found
        .replayed
        .as_ref()
        .map(|r| trace::steps(machine, drive.memory, r, marks, &explained, &shown))
        .unwrap_or_default();
    let mut why = explained.why.clone();
    if let (Some(&pair), Some(replayed)) = (explained.missing.first(), &found.replayed)
        && let Some(sentence) = trace::unsynchronised(machine, replayed, marks, pair)
    {
        why.push_str(&format!("\n{sentence}"));
    }
    let program = listing(drive.loaded, client, &explained.threads, &explained.waits);
    Witness {
        kind: explained.kind.into(),
        why,
        client: explained.client,
        history: explained.history,
        steps,
        threads: std::iter::once("main".to_string())
            .chain(explained.threads.iter().map(|_| String::new()))
            .collect(),
        program: Some(program),
        ..found.witness
    }
}

/// The program itself went wrong while the client ran.
fn unsafe_one(drive: &Drive<'_>, client: &Client, found: Found) -> Witness {
    let object = &drive.loaded.object;
    let call = |&c: &usize| object.show_call(&client.calls[c]);
    let kind = found.witness.kind.clone();
    let threads: Vec<String> = std::iter::once("main".to_string())
        .chain(client.threads.iter().map(|t| t.iter().map(call).collect::<Vec<_>>().join("; ")))
        .collect();
    let mut witness = found.witness;
    witness.hints.extend(lineal_report::advice(&kind).map(str::to_string));
    Witness {
        kind: "unsafe".into(),
        client: client.threads.iter().map(|t| t.iter().map(call).collect()).collect(),
        threads,
        program: Some(listing(drive.loaded, client, &client.threads, &[])),
        ..witness
    }
}

/// The violation that a token stands for.
pub fn again(drive: &Drive<'_>, token: &str) -> Result<Witness, String> {
    let bad = || "this is not a token of `lineal check`".to_string();
    let rest = token.trim().strip_prefix("check.").ok_or_else(bad)?;
    let (letters, inner) = rest.split_once('.').ok_or_else(bad)?;
    let said = graph::unspell(letters).ok_or_else(bad)?;
    let (violation, client) = said.split_once('|').ok_or_else(bad)?;
    let client = bound::client(client, &drive.loaded.object).map_err(|d| d.message)?;
    let (mut machine, marks) =
        drive.program(&client).map_err(|_| "the object cannot be compiled".to_string())?;
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
            match graph::replay(&mut problem, inner)?.verdict {
                Verdict::Violated(witness) => {
                    Found { violation: None, witness: *witness, seen: None, replayed: None }
                }
                _ => return Err(bad()),
            }
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
